from typing import Annotated

from fastapi import FastAPI

from widgetschema.integrations.fastapi import CheckedBody, WidgetBody, install

app = FastAPI()
install(app)  # answers errors, and describes the bodies in /openapi.json
stored: dict[str, str] = {}


@app.put("/countdowns/{id}")
def save(id: str, body: Annotated[CheckedBody, WidgetBody("countdown")]) -> None:
    stored[id] = body.text  # exactly as it was sent

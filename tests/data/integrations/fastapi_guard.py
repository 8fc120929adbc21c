from typing import Annotated, Any

from fastapi import FastAPI

from widgetschema.integrations.fastapi import CheckedBody, WidgetBody, WidgetData, install

app = FastAPI()
install(app)
stored: dict[str, str] = {}


@app.put("/widgets/{type}/{id}")
def save(id: str, body: Annotated[CheckedBody, WidgetBody(path="type")]) -> None:
    stored[id] = body.text


@app.post("/widgets")
def create(body: Annotated[CheckedBody, WidgetBody(document=True)]) -> str:
    return body.widget_type.id  # body.document is the whole document


@app.put("/previews/{id}")
def preview(id: str, data: Annotated[dict[str, Any], WidgetData("countdown")]) -> list[str]:
    return list(data)

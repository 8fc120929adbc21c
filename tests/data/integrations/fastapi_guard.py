from typing import Annotated, Any

from fastapi import FastAPI

from widgetschema.integrations.fastapi import CheckedBody, WidgetBody, WidgetData, install

app = FastAPI()
install(app)
stored: dict[str, str] = {}


@app.put("/countdowns/{id}")
def save_countdown(id: str, data: Annotated[dict[str, Any], WidgetData("countdown")]) -> list[str]:
    return list(data)


@app.put("/widgets/{type}/{id}")
def save(id: str, body: Annotated[CheckedBody, WidgetBody(path="type")]) -> None:
    stored[id] = body.text  # exactly as it was sent


@app.post("/widgets")
def create(body: Annotated[CheckedBody, WidgetBody(document=True, types=["countdown"])]) -> str:
    name = body.document.get("name", "no name")  # the base schema decides what a document must have
    return f"{body.widget_type.id}: {name}"

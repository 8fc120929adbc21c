from typing import Annotated, Any

from fastapi import FastAPI
from pydantic import BaseModel

from widgetschema.integrations.pydantic import WidgetData


class Page(BaseModel):
    title: str
    countdown: Annotated[dict[str, Any], WidgetData("countdown")]


class Widget(BaseModel):
    type: str
    data: Annotated[Any, WidgetData(type_field="type")]


app = FastAPI()


@app.post("/pages")
def create(page: Page) -> str:
    return page.title

from typing import Any

import msgspec

import widgetschema


class Widget(msgspec.Struct):
    type: str
    data: dict[str, Any]

    def __post_init__(self) -> None:
        widgetschema.validate(self.type, self.data)


class WidgetText(msgspec.Struct):
    """The data as it was written; findings have a line and a column in it."""

    type: str
    data: msgspec.Raw

    def __post_init__(self) -> None:
        widgetschema.widget_type(self.type).validate_json(bytes(self.data))

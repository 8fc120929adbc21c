from typing import Any

from attrs import define, field

from widgetschema.integrations.attrs import WidgetDataValidator


@define
class Countdown:
    data: dict[str, Any] = field(validator=WidgetDataValidator("countdown"))


@define
class Widget:
    type: str
    data: dict[str, Any] = field(validator=WidgetDataValidator(type_attribute="type"))

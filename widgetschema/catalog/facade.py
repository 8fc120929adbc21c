"""The functions of the package itself: one line each, on the default catalog."""

from __future__ import annotations

from typing import Any

from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.findings import Report


def widget_type(id: str) -> WidgetType:
    """The widget type `id` of the default catalog. Raises `UnknownWidgetType`."""
    return Catalog.default()[id]


def validate(id: str, data: Any) -> None:
    """Raise `InvalidWidgetData` unless `data` is valid for the widget type `id`."""
    widget_type(id).validate(data)


def is_valid(id: str, data: Any) -> bool:
    """Whether `data` is valid for the widget type `id`."""
    return widget_type(id).is_valid(data)


def check(id: str, data: Any) -> Report:
    """All findings about `data`, for the widget type `id`."""
    return widget_type(id).check(data)

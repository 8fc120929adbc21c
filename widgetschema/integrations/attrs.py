"""attrs: a validator for attributes that hold widget data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from widgetschema.catalog.catalog import Catalog
from widgetschema.integrations import CatalogSource, catalog_of, require_catalog, require_type


@dataclass(frozen=True)
class WidgetDataValidator:
    """Validate an attribute as the data of a widget type.

    Args:
        type: The id of the widget type, if it is the same for all instances.
        type_attribute: The name of the attribute that has the id of the type. Define it before the
            data. A change of it alone is not checked.
        catalog: The catalog, or a function that returns it; by default `Catalog.default`.

    Raises:
        TypeError: Unless there is exactly one of `type` and `type_attribute`.
    """

    type: str | None = None
    type_attribute: str | None = None
    catalog: CatalogSource = Catalog.default

    def __post_init__(self) -> None:
        require_type("WidgetDataValidator", self.type, type_attribute=self.type_attribute)
        require_catalog(self.catalog)

    def __call__(self, instance: Any, attribute: Any, value: Any) -> None:
        """Raise `InvalidWidgetData` if the value is not valid data, as attrs calls it.

        Args:
            instance: The instance, whose type is read.
            attribute: The attribute; not used.
            value: The widget data, as Python values.

        Raises:
            InvalidWidgetData: If the data is invalid; `report` has all findings.
            UnknownWidgetType: If the catalog does not have the type.
            TypeError: If the class has no such attribute before that of the data.
        """
        name = self.type_attribute
        if name is not None and not hasattr(instance, name):
            raise TypeError(
                f"{type(instance).__qualname__} has no attribute {name!r} when its widget data is "
                "validated: type_attribute names an attribute that is defined before the data"
            )
        id: Any = self.type if name is None else getattr(instance, name)
        catalog_of(self.catalog)[id].validate(value)

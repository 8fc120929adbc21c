"""pydantic 2: widget data as the type of a field, with an error for each finding at its place.

class Page(BaseModel):
title: str
countdown: WidgetData["countdown"]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationError
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import InitErrorDetails, PydanticCustomError, core_schema

from widgetschema.catalog.catalog import Catalog
from widgetschema.errors import InvalidTypeId, InvalidWidgetData, UnknownWidgetType
from widgetschema.findings import MOST_ERRORS, Finding
from widgetschema.pointers import resolve_pointer

_MOST_INLINED: Final = 20_000  # subschemas of a JSON Schema that is written without references


@dataclass(frozen=True)
class WidgetData:
    """Validate a field as the data of a widget type.

    `WidgetData["countdown"]` is a type. Type checkers prefer
    `Annotated[dict[str, Any], WidgetData("countdown")]`, which is the same. The value of the field
    is a plain copy of the data, safe to store. Each finding is an error: its `type` is the keyword,
    its `loc` that of the field and `Finding.loc`, and its `ctx` has the `pointer` and the `hint`.

    Args:
        type: The id of the widget type, if it is the same for all instances.
        type_field: The name of the field that has the id of the type. Define it before the data.
        catalog: The catalog, or a function that returns it; by default `Catalog.default`. It is
            asked when a value is validated, so it may change while an application runs.

    Raises:
        TypeError: Unless there is exactly one of `type` and `type_field`.
    """

    type: str | None = None
    type_field: str | None = None
    catalog: Catalog | Callable[[], Catalog] = Catalog.default

    def __post_init__(self) -> None:
        if (self.type is None) == (self.type_field is None):
            raise TypeError(
                'WidgetData takes the id of the widget type, as in WidgetData("countdown"), or the '
                'name of the field that has it (type_field="type")'
            )

    def __class_getitem__(cls, type: str) -> Any:
        return Annotated[Any, cls(type)]

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """Return the schema by which pydantic validates, as pydantic calls it."""
        return core_schema.with_info_plain_validator_function(self._validated)

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Return the JSON Schema of the field, as pydantic calls it, in 2020-12.

        It has no references, since pydantic knows those of its own models only: schemas in it that
        contain themselves are written once, and accept any value further inside.

        Raises:
            WidgetSchemaError: If the schema of the widget type cannot be used.
        """
        if self.type is None:
            return {"description": f"Widget data of the type in {self.type_field!r}."}
        whole = self._catalog()[self.type].data_schema()
        definitions = whole.pop("$defs", {})
        del whole["$schema"]
        inlined: JsonSchemaValue = _Inliner(definitions).inlined(whole, ())
        return inlined

    def _catalog(self) -> Catalog:
        return self.catalog if isinstance(self.catalog, Catalog) else self.catalog()

    def _validated(self, value: Any, info: core_schema.ValidationInfo) -> Any:
        id: Any = self.type if self.type_field is None else info.data.get(self.type_field)
        if not isinstance(id, str):
            raise PydanticCustomError(
                "widget_type",
                "the field {field} must come before the data, and be the id of the widget type",
                {"field": repr(self.type_field)},
            )
        try:
            return self._catalog()[id].to_plain(value)
        except InvalidWidgetData as error:
            found = [_details(finding, value) for finding in error.report.findings[:MOST_ERRORS]]
            raise ValidationError.from_exception_data(error.report.subject, found) from error
        except (UnknownWidgetType, InvalidTypeId) as error:
            if self.type_field is None:  # a mistake in the program, not in the value
                raise
            raise PydanticCustomError("widget_type", "{error}", {"error": str(error)}) from error


def _details(finding: Finding, value: Any) -> InitErrorDetails:
    """Return a finding as pydantic takes errors."""
    context = {"message": finding.message, "pointer": finding.target, "hint": finding.hint}
    given = {name: one for name, one in context.items() if one is not None}
    sentence = "{message} ({hint})" if finding.hint is not None else "{message}"
    return InitErrorDetails(
        type=PydanticCustomError(finding.keyword, sentence, given),
        loc=finding.loc,
        input=resolve_pointer(value, finding.path),
    )


class _Inliner:
    """Writes schemas without references to definitions."""

    def __init__(self, definitions: dict[str, Any]) -> None:
        self.definitions = definitions
        self.left = _MOST_INLINED

    def inlined(self, schema: Any, around: tuple[str, ...]) -> Any:
        """Return a schema with the definitions in place of references.

        `around` are the names of the definitions that it is in.
        """
        self.left -= 1
        if not isinstance(schema, dict):
            return schema
        if "$ref" not in schema:
            return {key: self._argument(key, value, around) for key, value in schema.items()}
        name = schema["$ref"].removeprefix("#/$defs/")
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        if name in around or self.left <= 0:
            return {"description": f"Any value; see {name!r}.", **beside}
        target = self.inlined(self.definitions[name], (*around, name))
        if not isinstance(target, dict):
            target = {} if target else {"not": {}}
        return {**target, **beside}

    def _argument(self, keyword: str, value: Any, around: tuple[str, ...]) -> Any:
        """Return the value of a keyword."""
        if keyword in _VALUES:
            return value
        if keyword in _BY_NAME:
            return {name: self.inlined(schema, around) for name, schema in value.items()}
        if isinstance(value, list):
            return [self.inlined(schema, around) for schema in value]
        return self.inlined(value, around)


# Keywords that hold data, not schemas, and those with schemas by name.
_VALUES: Final = frozenset({"const", "enum", "default", "examples", "dependentRequired"})
_BY_NAME: Final = frozenset({"properties", "patternProperties", "dependentSchemas"})

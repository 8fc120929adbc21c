"""pydantic 2: widget data as the type of a field, with an error for each finding at its place.

class Page(BaseModel):
    title: str
    countdown: Annotated[dict[str, Any], WidgetData("countdown")]
"""

from __future__ import annotations

import re
import reprlib
from dataclasses import dataclass
from typing import Annotated, Any, Final

from widgetschema.integrations import (
    CatalogSource,
    catalog_of,
    importing,
    require_catalog,
    require_type,
)

with importing("pydantic"):
    from pydantic import (
        GetCoreSchemaHandler,
        GetJsonSchemaHandler,
        TypeAdapter,
        ValidationError,
        WithJsonSchema,
    )
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import InitErrorDetails, PydanticCustomError, core_schema

from widgetschema.catalog.catalog import Catalog
from widgetschema.errors import InvalidTypeId, InvalidWidgetData, UnknownWidgetType
from widgetschema.findings import MOST_ERRORS, Finding
from widgetschema.jsontext import DEFAULT_LIMITS, plain_copy
from widgetschema.pointers import resolve_pointer
from widgetschema.schema.standalone import safe_name

_PREFIX: Final = "#/$defs/"
_UNSAFE: Final = re.compile("[^A-Za-z0-9_-]")  # in the names by which pydantic calls definitions


@dataclass(frozen=True)
class WidgetData:
    """Validate a field as the data of a widget type.

    Annotate a field with `Annotated[dict[str, Any], WidgetData("countdown")]`. The value of the
    field is a plain copy of the data, safe to store. Each finding is an error: its `type` is the
    keyword, its `loc` that of the field and `Finding.loc`, and its `ctx` has the `pointer` and the
    `hint`.

    Args:
        type: The id of the widget type, if it is the same for all instances.
        type_field: The name of the field that has the id of the type. Define it before the data.
            pydantic shows no field the names of the others, so a wrong name is an error of each
            value, not of the model: validate one in a test.
        catalog: The catalog, or a function that returns it; by default `Catalog.default`. It is
            asked when a value is validated, so it may change while an application runs.

    Raises:
        TypeError: Unless there is exactly one of `type` and `type_field`.
    """

    type: str | None = None
    type_field: str | None = None
    catalog: CatalogSource = Catalog.default

    def __post_init__(self) -> None:
        require_type("WidgetData", self.type, type_field=self.type_field)
        require_catalog(self.catalog)

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """Return the schema by which pydantic validates, as pydantic calls it."""
        return core_schema.with_info_plain_validator_function(self._validated)

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Return the JSON Schema of the field, as pydantic calls it, in 2020-12.

        It is a reference to definitions, which pydantic collects with those of its models. A value
        of the schema (`const`, `enum`, `default`) that has a member `$ref` is left out.

        Raises:
            WidgetSchemaError: If the schema of the widget type cannot be used.
        """
        if self.type is None:
            return {"description": f"Widget data of the type in {self.type_field!r}."}
        widget_type = catalog_of(self.catalog)[self.type]
        whole = widget_type.data_schema(ref_prefix=_PREFIX)
        del whole["$schema"]
        definitions = {**whole.pop("$defs", {}), safe_name(widget_type.id): whole}
        names = {
            name: f"widgetschema.{_UNSAFE.sub('_', name)}:{widget_type.linked_digest}-{number}"
            for number, name in enumerate(definitions)
        }
        references = {
            f"{_PREFIX}{name}": handler(core_schema.definition_reference_schema(own))["$ref"]
            for name, own in names.items()
        }
        made: Any = [
            {**_schema_of(_referring(one, references)), "ref": names[name]}
            for name, one in definitions.items()
        ]
        return handler(core_schema.definitions_schema(made[-1], made[:-1]))

    def _validated(self, value: Any, info: core_schema.ValidationInfo) -> Any:
        id: Any = self.type if self.type_field is None else info.data.get(self.type_field)
        if not isinstance(id, str):
            raise PydanticCustomError(
                "widget_type",
                "the widget type is unknown: the field {field}, "
                "which must be defined before the data, is missing or invalid",
                {"field": repr(self.type_field)},
            )
        try:
            return catalog_of(self.catalog)[id].to_plain(value)
        except InvalidWidgetData as error:
            is_json = not any(one.keyword.startswith("json.") for one in error.report)
            shown = error.report.findings[:MOST_ERRORS]
            found = [_details(finding, value, is_json=is_json) for finding in shown]
            raise ValidationError.from_exception_data(error.report.subject, found) from error
        except (UnknownWidgetType, InvalidTypeId) as error:
            if self.type_field is None:  # a mistake in the program, not in the value
                raise
            unknown = PydanticCustomError("widget_type", "{error}", {"error": str(error)})
            _, unfit = plain_copy(value, DEFAULT_LIMITS.max_depth)
            given = _text_about(value) if unfit else value
            details = InitErrorDetails(type=unknown, loc=(), input=given)
            raise ValidationError.from_exception_data("widget data", [details]) from error


def _details(finding: Finding, value: Any, *, is_json: bool) -> InitErrorDetails:
    """Return a finding as pydantic takes errors."""
    context = {"message": finding.message, "pointer": finding.target, "hint": finding.hint}
    given = {name: one for name, one in context.items() if one is not None}
    sentence = "{message} ({hint})" if finding.hint is not None else "{message}"
    part = resolve_pointer(value, finding.path)
    return InitErrorDetails(
        type=PydanticCustomError(finding.keyword, sentence, given),
        loc=finding.loc,
        input=part if is_json else _text_about(part),
    )


def _text_about(value: Any) -> str:
    """Return a text about a value that JSON cannot represent: responses have it in them."""
    return reprlib.repr(value).encode(errors="replace").decode()


def _schema_of(schema: Any) -> core_schema.CoreSchema:
    """Return the schema by which pydantic knows a JSON Schema."""
    if not isinstance(schema, dict):
        schema = {} if schema else {"not": {}}
    adapter: TypeAdapter[Any] = TypeAdapter(Annotated[Any, WithJsonSchema(schema)])
    return adapter.core_schema


def _referring(schema: Any, references: dict[str, str]) -> Any:
    """Return a schema with other references.

    pydantic takes each member `$ref` for a reference, also in data, so such data is left out.
    """
    if not isinstance(schema, dict):
        return schema
    made: dict[str, Any] = {}
    for keyword, value in schema.items():
        if keyword == "$ref":
            made[keyword] = references[value]
        elif keyword in _VALUES:
            if not _has_reference(value):
                made[keyword] = value
        elif keyword in _BY_NAME:
            made[keyword] = {name: _referring(one, references) for name, one in value.items()}
        elif isinstance(value, list):
            made[keyword] = [_referring(one, references) for one in value]
        else:
            made[keyword] = _referring(value, references)
    return made


def _has_reference(value: Any) -> bool:
    """Return whether pydantic would find a reference in a value."""
    if isinstance(value, dict):
        return isinstance(value.get("$ref"), str) or any(map(_has_reference, value.values()))
    return isinstance(value, list) and any(map(_has_reference, value))


# Keywords that hold data, not schemas, and those with schemas by name.
_VALUES: Final = frozenset({"const", "enum", "default", "examples", "dependentRequired"})
_BY_NAME: Final = frozenset({"properties", "patternProperties", "dependentSchemas"})

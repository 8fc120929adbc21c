"""Django REST framework: serializer fields whose errors are at the paths of the data.

The app registers them, so that a `ModelSerializer` uses them for our model fields by itself.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable
from itertools import chain
from typing import Any, Final

from django.core.exceptions import FieldDoesNotExist
from django.core.exceptions import ValidationError as DjangoValidationError
from django.db import models

from widgetschema.integrations import importing

with importing("django-rest", library="rest_framework"):
    from rest_framework import serializers
    from rest_framework.exceptions import APIException, ErrorDetail, ParseError, ValidationError
    from rest_framework.fields import empty
    from rest_framework.parsers import JSONParser
    from rest_framework.settings import api_settings

from widgetschema.catalog.widget_type import WidgetType
from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Finding, Report
from widgetschema.integrations.django.fields import (
    WidgetDataField,
    WidgetFieldMixin,
    WidgetTextField,
)
from widgetschema.integrations.django.validation import UNUSABLE_SCHEMA, known_type
from widgetschema.jsontext import DEFAULT_LIMITS, plain_copy, read

_UNKNOWN: Final = object()


class SchemaUnavailable(APIException):
    """Data cannot be checked, since its schema cannot be used at the moment: status 503."""

    status_code = 503
    default_code = UNUSABLE_SCHEMA


class WidgetSerializerMixin:
    """The behavior of both serializer fields: which type the data has, and its errors.

    Args:
        type: The id of the widget type, if it is fixed; by default, as in the model field.
        type_field: The name of the model field with the id; by default, as in the model field.
    """

    field_name: str
    parent: Any
    source: str
    required: bool

    def __init__(
        self, *, type: str | None = None, type_field: str | None = None, **options: Any
    ) -> None:
        if type is not None and type_field is not None:
            raise TypeError(f"{self.__class__.__name__} takes either type= or type_field=")
        self.type = type
        self.type_field = type_field
        self._type_id: Any = None
        super().__init__(**options)

    def bind(self, field_name: str, parent: Any) -> None:
        """Join a serializer: the type is that of the model field, unless it was given."""
        super().bind(field_name, parent)  # type: ignore[misc]
        if self.type is None and self.type_field is None:
            model_field = _model_field(parent, self.source)
            if not isinstance(model_field, WidgetFieldMixin):
                raise TypeError(
                    f"{type(self).__name__} {field_name!r} needs either type= or type_field=, "
                    "since its serializer has no model field of this kind"
                )
            self.type, self.type_field = model_field.type, model_field.type_field

    def get_value(self, dictionary: Any) -> Any:
        """Return the value in a request, and remember the type that comes with it.

        If a request changes the type and not the data, the stored data is checked.
        """
        value = super().get_value(dictionary)  # type: ignore[misc]
        if self.type_field is None:
            return value
        instance = self.parent.instance
        sent = self._sent_type(dictionary)
        stored = getattr(instance, self.type_field, None)
        self._type_id = stored if sent is _UNKNOWN else sent
        if sent is _UNKNOWN and stored is None:
            self._type_id = _default(self.parent, self.type_field)
        is_left_out = value is empty and (self.parent.partial or not self.required)
        if is_left_out and sent is not _UNKNOWN and instance is not None and sent != stored:
            return getattr(instance, self.source)
        return value

    def _sent_type(self, dictionary: Any) -> Any:
        """Return the id in a request, or `_UNKNOWN`."""
        for field in self.parent.fields.values():
            if field.source == self.type_field and not field.read_only:
                sent = field.get_value(dictionary)
                if sent is not empty:
                    return sent
                if field.default is not empty and not self.parent.partial:
                    return field.get_default()
        return _UNKNOWN

    def check(self, report_of: Callable[[WidgetType], Report]) -> None:
        """Raise `ValidationError` with the messages in the shape of the data.

        Args:
            report_of: Returns the report, for the widget type.

        Raises:
            ValidationError: For findings, and for a type that is empty or unknown.
            SchemaUnavailable: The schema cannot be used at the moment.
        """
        try:
            widget_type = known_type(self.type if self.type_field is None else self._type_id)
        except DjangoValidationError as error:
            unavailable = _unavailable(error)
            raise unavailable or ValidationError(error.messages, code=error.code) from error
        report = report_of(widget_type)
        if not report.valid:
            raise ValidationError(report.nested(api_settings.NON_FIELD_ERRORS_KEY, _detail))


class WidgetDataSerializerField(WidgetSerializerMixin, serializers.JSONField):
    """Widget data as a JSON value.

    Args:
        type: The id of the widget type, if it is fixed; by default, as in the model field.
        type_field: The name of the model field with the id; by default, as in the model field.
    """

    def to_internal_value(self, data: Any) -> Any:
        """Return valid data. Raise `ValidationError` for findings."""
        if getattr(data, "is_json_string", False):  # typed into the browsable API
            self.check(lambda widget_type: widget_type.check_json(str(data)))
            return super().to_internal_value(data)
        checked = data
        if self.encoder is not None:
            checked = json.loads(json.dumps(data, cls=self.encoder))
        self.check(lambda widget_type: widget_type.check(checked))
        return data

    def to_representation(self, value: Any) -> Any:
        """Return stored data; what JSON cannot represent, such as infinity, as text."""
        if self.encoder is None and plain_copy(value, DEFAULT_LIMITS.max_depth)[1]:
            return json.dumps(value, default=str)
        return super().to_representation(value)


class WidgetTextSerializerField(WidgetSerializerMixin, serializers.CharField):
    """Widget data as JSON text in a string; nothing of it is changed.

    Args:
        type: The id of the widget type, if it is fixed; by default, as in the model field.
        type_field: The name of the model field with the id; by default, as in the model field.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(trim_whitespace=False, **options)

    def to_internal_value(self, data: Any) -> Any:
        """Return the text of valid data. Raise `ValidationError` for findings."""
        text = super().to_internal_value(data)
        self.check(lambda widget_type: widget_type.check_json(text))
        return text


class StrictJSONParser(JSONParser):
    """Read JSON without losing anything: duplicate members and the like are errors.

    The parser of the framework keeps the last of two members with the same name, and reads `1e400`
    as infinity.
    """

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        """Return the value of a request. Raise `ParseError` with the line and the column."""
        encoding = (parser_context or {}).get("encoding", "utf-8")
        raw = stream.read()
        if codecs.lookup(encoding).name != "utf-8":
            raise ParseError("JSON must be encoded as UTF-8 (RFC 8259, section 8.1)")
        try:
            return read(raw, subject="body")
        except UnreadableDocument as error:
            raise ParseError(f"JSON parse error - {error}") from error


def exception_handler(error: Exception, context: dict[str, Any]) -> Any:
    """Answer a `ValidationError` of Django, such as one of `save`, with status 400.

    Use it as the setting `EXCEPTION_HANDLER` of the framework. It answers what the handler of the
    framework answers, and the errors of `validate_on_save` as well, which that one leaves to the
    server, as status 500. If a schema cannot be used at the moment, the status is 503.

    Args:
        error: What the view raised.
        context: The view, and what it was called with.
    """
    from rest_framework import views  # it imports the parsers that the settings name: this module

    if isinstance(error, DjangoValidationError):
        unavailable = _unavailable(error)
        error = unavailable or ValidationError(serializers.as_serializer_error(error))
    return views.exception_handler(error, context)


def register() -> None:
    """Let each `ModelSerializer` use these fields for our model fields."""
    mapping = serializers.ModelSerializer.serializer_field_mapping
    mapping[WidgetDataField] = WidgetDataSerializerField
    mapping[WidgetTextField] = WidgetTextSerializerField


def _unavailable(error: DjangoValidationError) -> SchemaUnavailable | None:
    """Return the answer to an error if it says that a schema cannot be used at the moment."""
    by_field = getattr(error, "error_dict", None)
    errors = error.error_list if by_field is None else chain.from_iterable(by_field.values())
    found = [text for one in errors if one.code == UNUSABLE_SCHEMA for text in one.messages]
    return SchemaUnavailable(" ".join(found)) if found else None


def _detail(message: str, finding: Finding) -> ErrorDetail:
    return ErrorDetail(message, code=finding.keyword)


def _model_field(serializer: Any, name: str) -> models.Field | None:
    model = getattr(getattr(serializer, "Meta", None), "model", None)
    try:
        return None if model is None else model._meta.get_field(name)
    except FieldDoesNotExist:
        return None


def _default(serializer: Any, name: str) -> Any:
    """Return the default of a model field, or None."""
    field = _model_field(serializer, name)
    return field.get_default() if field is not None and field.has_default() else None

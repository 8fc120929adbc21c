"""Model fields for widget data: `WidgetDataField`, a JSON column, and `WidgetTextField`, its text.

Reading a row never checks it, so old rows stay readable. `full_clean` always checks; saving does
if `validate_on_save` is set.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from django.apps import apps
from django.core import checks
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.expressions import Col
from django.db.models.signals import pre_save

from widgetschema.catalog.widget_type import WidgetType
from widgetschema.findings import Report
from widgetschema.integrations.django.validation import (
    UNKNOWN_TYPE,
    UnreadText,
    known_type,
    validation_error,
)
from widgetschema.integrations.stored_columns import Upgrades
from widgetschema.jsontext import DEFAULT_LIMITS, plain_copy
from widgetschema.suggest import did_you_mean

if TYPE_CHECKING:
    from widgetschema.integrations.stored_columns import Migrations

_PATH: Final = "widgetschema.integrations.django"
# Attributes that do not concern the column, so that changing them does not alter the table.
_NOT_OF_THE_COLUMN: Final = ("type", "type_field")

_NO_MIGRATIONS: Final = (
    "migrations= needs type=: the type of a row is not known where its data is read; apply a "
    "MigrationChain to each row"
)


class _AsItIs(json.JSONEncoder):
    """Encodes an `UnreadText` as itself."""

    def encode(self, o: Any) -> str:
        """Return the text."""
        return str(o)


class WidgetFieldMixin:
    """The behavior of both model fields: which type the data has, and when it is checked.

    Args:
        type: The id of the widget type, if all rows have the same.
        type_field: The name of the field, or of another attribute of the model, that holds the id.
        validate_on_save: Check in `save`, `create` and `bulk_create`, too, also if only the type
            changes. Neither `update`, `bulk_update`, a `bulk_create` that updates rows, nor
            `loaddata` check, neither for the data nor for the field of the type. Migrations do not
            have this option, so that data migrations can save rows of another shape.
        migrations: The migrations from earlier versions of the type, oldest first, or a function
            that returns them, which is called once (see `MigrationChain`). Data that the newest
            schema refuses is then migrated as it is read, and written back when the row is saved;
            `MigrationFailed` is raised for what cannot be migrated, except inside
            `reading_as_stored`. It needs `type`.
    """

    name: str
    null: bool
    model: Any
    # The schema decides if {} and [] are allowed.
    empty_values: Sequence[Any] = (None,)

    def __init__(
        self,
        *args: Any,
        type: str | None = None,
        type_field: str | None = None,
        validate_on_save: bool = False,
        migrations: Migrations | None = None,
        **options: Any,
    ) -> None:
        if (type is None) == (type_field is None):
            raise TypeError(
                f"{self.__class__.__name__} needs either type= (the id of a widget type) or "
                "type_field= (the name of the field that holds the id)"
            )
        if migrations is not None and type is None:
            raise TypeError(_NO_MIGRATIONS)
        self.upgrades = None if migrations is None else Upgrades(migrations)
        self.type = type
        self.type_field = type_field
        self.validate_on_save = validate_on_save
        super().__init__(*args, **options)

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        """Return the arguments for migration files: the type, or its field, but no schema."""
        name, _, arguments, options = super().deconstruct()  # type: ignore[misc]
        for option in ("type", "type_field"):
            if getattr(self, option) is not None:
                options[option] = getattr(self, option)
        return name, f"{_PATH}.{type(self).__name__}", arguments, options

    def contribute_to_class(self, cls: Any, name: str, **options: Any) -> None:
        """Prepare a class of models: connect the check before saving, if it is wanted."""
        super().contribute_to_class(cls, name, **options)  # type: ignore[misc]
        if self.validate_on_save:
            pre_save.connect(_check_saved, dispatch_uid="widgetschema.validate_on_save")

    def check(self, **options: Any) -> list[checks.CheckMessage]:
        """Return the findings of the system check of this field."""
        errors: list[checks.CheckMessage] = super().check(**options)  # type: ignore[misc]
        if not apps.is_installed(_PATH):
            errors.append(
                checks.Warning(
                    f"{_PATH} is not in INSTALLED_APPS: its system checks do not run, and forms "
                    "have no styles and no live checks",
                    hint=f"Add {_PATH!r} to the setting INSTALLED_APPS.",
                    obj=self,
                    id="widgetschema.W005",
                )
            )
        names = [one.name for one in self.model._meta.get_fields()]
        holder = self.type_field
        if holder is not None and holder not in names and not hasattr(self.model, holder):
            meant = did_you_mean(holder, names)
            errors.append(
                checks.Error(
                    f"type_field={holder!r} is neither a field nor another attribute of "
                    f"{self.model._meta.label}{meant}",
                    hint="Name the field that holds the id of the widget type.",
                    obj=self,
                    id="widgetschema.E001",
                )
            )
        return errors

    def widget_type(self, instance: models.Model | None) -> WidgetType:
        """Return the widget type of a row.

        Args:
            instance: The row; it may be None if the field has a fixed type.

        Raises:
            ValidationError: If the row has no type, or an unknown one (see `known_type`).
            TypeError: If the type is in a field, and there is no row.
        """
        if self.type_field is None:
            return known_type(self.type)
        if instance is None:
            raise TypeError(f"the widget type is in {self.type_field!r}: pass the instance")
        id = getattr(instance, self.type_field)
        if hasattr(id, "resolve_expression"):
            reason = (
                f"{self.type_field} is an expression that the database computes, so the data "
                "cannot be checked: assign the id of the widget type itself"
            )
            raise ValidationError("%(reason)s", code=UNKNOWN_TYPE, params={"reason": reason})
        return known_type(id)

    def upgraded(self, value: Any) -> Any:
        """Return stored data as data of the newest version, if there are migrations.

        Raises `MigrationFailed`.
        """
        raise NotImplementedError

    def _read(self, text: Any, expression: Any) -> Any:
        """Return a text that was read; migrate it if it is the whole data, not a part."""
        upgrades = self.upgrades
        if upgrades is None or not isinstance(text, str) or not isinstance(expression, Col):
            return text
        column = f"{self.model._meta.label}.{self.name}"
        return upgrades.read(text, lambda stored: upgrades.chain.apply_json(stored), column)

    def formfield(self, **options: Any) -> Any:
        """Return the form field, which shows the form of the widget type."""
        from widgetschema.integrations.django.forms import WidgetDataFormField

        own = {"type": self.type, "type_field": self.type_field, "show_hidden_initial": False}
        return models.Field.formfield(
            self, **{"form_class": WidgetDataFormField, **own, **self.form_options, **options}
        )

    @property
    def form_options(self) -> dict[str, Any]:
        """The further options of the form field."""
        raise NotImplementedError

    def report(self, value: Any, instance: models.Model | None) -> Report:
        """Return the report about the data of a row, as it would be saved.

        Args:
            value: The value of the field.
            instance: The row; it may be None if the field has a fixed type.

        Raises:
            ValidationError: If the row has no type, or an unknown one (see `known_type`).
        """
        raise NotImplementedError

    def validate(self, value: Any, model_instance: models.Model | None) -> None:
        """Raise `ValidationError` if the value is not valid data of its type."""
        models.Field.validate(self, value, model_instance)
        if value is not None:
            report = self.report(value, model_instance)
            if not report.valid:
                raise validation_error(report)

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """Return the value to save; that of a new row is checked if `validate_on_save` is set.

        `bulk_create` sends no signal, so new rows are checked here.
        """
        value = super().pre_save(model_instance, add)  # type: ignore[misc]
        if self.validate_on_save and add:
            self.validate_saved(value, model_instance)
        return value

    def validate_saved(self, value: Any, instance: models.Model) -> None:
        """Raise `ValidationError` with the name of this field if the value to save is invalid."""
        if value is None or hasattr(value, "resolve_expression"):
            return  # the database decides about NULL, and computes expressions
        try:
            report = self.report(value, instance)
        except ValidationError as error:
            raise ValidationError({self.name: error.error_list}) from error
        if not report.valid:
            raise ValidationError({self.name: validation_error(report).error_list})


class WidgetDataField(WidgetFieldMixin, models.JSONField):
    """A `JSONField` for widget data.

    A JSON column keeps values, not their spelling: read what your database changes in the guide, or
    use `WidgetTextField`, which keeps the text.

    Args:
        type: The id of the widget type, if all rows have the same.
        type_field: The name of the field, or of another attribute of the model, that holds the id.
        validate_on_save: Check in `save`, `create` and `bulk_create`, too.
        encoder: As for `JSONField`. What it encodes is checked.
        decoder: As for `JSONField`.
    """

    description = "Widget data"
    non_db_attrs = (*models.JSONField.non_db_attrs, *_NOT_OF_THE_COLUMN)

    @property
    def form_options(self) -> dict[str, Any]:
        """The further options of the form field."""
        return {"encoder": self.encoder, "decoder": self.decoder}

    def report(self, value: Any, instance: models.Model | None) -> Report:
        """Return the report about the data of a row, as it would be saved."""
        widget_type = self.widget_type(instance)
        if isinstance(value, UnreadText):
            return widget_type.check_json(value)
        if self.encoder is None:
            return widget_type.check(value)
        try:
            text = json.dumps(value, cls=self.encoder)
        except (TypeError, ValueError, RecursionError):
            return widget_type.check(value)  # names what cannot be encoded
        return widget_type.check(json.loads(text))

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        """Return the value of a column; text that Python cannot read is returned unchanged."""
        try:
            found = super().from_db_value(value, expression, connection)
        except (ValueError, RecursionError):
            return UnreadText(value)
        # The text is migrated, since a decoder may make values that JSON does not have.
        new = value if found is None else self._read(value, expression)
        return found if new == value else super().from_db_value(new, expression, connection)

    def upgraded(self, value: Any) -> Any:
        """Return stored data as data of the newest version, if there are migrations."""
        if self.upgrades is None or isinstance(value, UnreadText):
            return value
        if self.encoder is not None:
            with contextlib.suppress(TypeError, ValueError, RecursionError):
                value = json.loads(json.dumps(value, cls=self.encoder))
        return self.upgrades.chain.apply(value)

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        """Return a value for the database: enumerations, UUIDs and tuples as plain values."""
        if isinstance(value, UnreadText):
            return connection.ops.adapt_json_value(value, _AsItIs)
        if self.encoder is None:
            plain, unfit = plain_copy(value, DEFAULT_LIMITS.max_depth)
            value = value if unfit else plain
        return super().get_db_prep_value(value, connection, prepared)


class WidgetTextField(WidgetFieldMixin, models.Field):
    """The JSON text of widget data, stored unchanged in a text column.

    The value is a str. The spelling of numbers, the order of members and the layout stay. JSON
    lookups are not available.

    Args:
        type: The id of the widget type, if all rows have the same.
        type_field: The name of the field, or of another attribute of the model, that holds the id.
        validate_on_save: Check in `save`, `create` and `bulk_create`, too.
    """

    description = "Widget data as JSON text"
    non_db_attrs = (*models.Field.non_db_attrs, *_NOT_OF_THE_COLUMN)

    @property
    def form_options(self) -> dict[str, Any]:
        """The further options of the form field."""
        return {"as_text": True}

    def get_internal_type(self) -> str:
        """Return the kind of column: that of a `TextField`."""
        return "TextField"

    def to_python(self, value: Any) -> Any:
        """Return a value as text; bytes are decoded as UTF-8 when they are checked."""
        return value

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        """Return the text of a column, of the newest version if there are migrations."""
        return self._read(value, expression)

    def upgraded(self, value: Any) -> Any:
        """Return a stored text as one of the newest version, if there are migrations."""
        return value if self.upgrades is None else self.upgrades.chain.apply_json(value)

    def get_prep_value(self, value: Any) -> Any:
        """Return the text to store. Raise `TypeError` unless the value is text."""
        value = super().get_prep_value(value)
        if value is None or isinstance(value, str):
            return value
        raise TypeError(
            f"{self.name} holds JSON text (a str), not {type(value).__name__}: write "
            "json.dumps(data)"
        )

    def report(self, value: Any, instance: models.Model | None) -> Report:
        """Return the report about the text of a row; its findings have lines and columns."""
        widget_type = self.widget_type(instance)
        if isinstance(value, str):
            return widget_type.check_json(value)
        raise ValidationError(
            "this field holds JSON text, not %(type)s",
            code="invalid",
            params={"type": type(value).__name__},
        )


def widget_fields(model: type[models.Model]) -> list[Any]:
    """Return the fields of a model that hold widget data."""
    return [one for one in model._meta.concrete_fields if isinstance(one, WidgetFieldMixin)]


def _check_saved(sender: Any, instance: Any, raw: bool, **options: Any) -> None:
    """Check what `save` is about to write, before a transaction would be marked as broken.

    If `update_fields` has only the type, the data is checked although it is not saved.
    """
    if raw:
        return
    saved = options.get("update_fields")
    for field in widget_fields(sender):
        if field.validate_on_save and (saved is None or {field.name, field.type_field} & saved):
            field.validate_saved(getattr(instance, field.attname), instance)

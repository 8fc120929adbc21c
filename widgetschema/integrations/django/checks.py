"""System checks: the catalog can be used, schemas are there and pinned, static files are found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.apps import AppConfig, apps
from django.core import checks
from django.core.checks import CheckMessage, Error
from django.core.exceptions import ImproperlyConfigured

from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.errors import (
    LoginRequired,
    NotAvailableOffline,
    PlatformError,
    UnknownWidgetType,
    WidgetSchemaError,
)
from widgetschema.integrations.django.catalogs import catalog, languages
from widgetschema.integrations.django.fields import widget_fields


def check_catalog(app_configs: Sequence[AppConfig] | None = None, **_: Any) -> list[CheckMessage]:
    """Check the catalog, and the schema of each type that a field of a model names.

    Args:
        app_configs: The apps to check; None for all.

    Returns:
        `widgetschema.E002` if the setting or the catalog cannot be used, `E003` for an unknown
        type, `E004` for a schema that cannot be used, `E005` for migrations that cannot be used,
        `W001` for a schema that no manifest pins, `W002` for one that cannot be fetched now, and
        `W004` for migrations whose last schema is not that of the catalog.
    """
    wanted = list(_wanted_types(apps.get_app_configs() if app_configs is None else app_configs))
    try:
        known = catalog()
        languages()
    except (ImproperlyConfigured, WidgetSchemaError) as error:
        text = f"The configuration of widget types cannot be used: {error}"
        return [Error(text, id="widgetschema.E002")]
    checked: dict[str, CheckMessage | None] = {}
    for id, field in wanted:
        if id not in checked:
            checked[id] = _check_type(known, id, field)
        if checked[id] is None and field.upgrades is not None:
            checked[f"{field}"] = _check_migrations(known[id], field)
    return [message for message in checked.values() if message is not None]


def check_static_files(**_: Any) -> list[CheckMessage]:
    """Check that `django.contrib.staticfiles` finds the files of forms.

    Returns:
        `widgetschema.W003` if it does not: it is not installed, or the setting
        `STATICFILES_FINDERS` was changed after the app had added its finder.
    """
    hint = (
        "Add 'django.contrib.staticfiles' to INSTALLED_APPS, or silence this if you show no forms."
    )
    if apps.is_installed("django.contrib.staticfiles"):
        from django.contrib.staticfiles import finders

        from widgetschema.integrations.django.finders import FINDER

        if finders.find("widgetschema/forms.js") is not None:
            return []
        hint = f"Add {FINDER!r} to the setting STATICFILES_FINDERS."
    return [
        checks.Warning(
            "The static files of forms are not found: forms have no styles and no live checks.",
            hint=hint,
            id="widgetschema.W003",
        )
    ]


def _wanted_types(app_configs: Sequence[AppConfig]) -> Iterator[tuple[str, Any]]:
    """Yield the ids that the models name, by a field's type or the choices of its type field."""
    for app in app_configs:
        for model in app.get_models():
            for field in widget_fields(model):
                if field.type is not None:
                    yield field.type, field
                    continue
                names = {one.name: one for one in model._meta.concrete_fields}
                holder = names.get(field.type_field)
                for id, _ in () if holder is None else holder.flatchoices:
                    if id not in (None, ""):
                        yield str(id), field


def _check_migrations(widget_type: WidgetType, field: Any) -> CheckMessage | None:
    """Return a message about the migrations of a field, or None if they can be used."""
    try:
        newest = field.upgrades.chain.migrations[-1].new.version
    except (WidgetSchemaError, OSError, TypeError, ValueError) as error:
        return Error(
            f"The migrations of {field} cannot be used: {error}",
            hint="No row can be read until this is corrected.",
            obj=field,
            id="widgetschema.E005",
        )
    if newest.linked_digest == widget_type.linked_digest:
        return None
    return checks.Warning(
        f"The migrations of {field} end with the schema {newest.linked_digest[:12]}, but the "
        f"schema of {widget_type.id!r} in the catalog is {widget_type.linked_digest[:12]}.",
        hint="Rows are migrated only to the former. Add a migration to the schema in the catalog.",
        obj=field,
        id="widgetschema.W004",
    )


def _check_type(known: Catalog, id: str, field: Any) -> CheckMessage | None:
    """Return a message about the schema of a type, or None if it can be used."""
    try:
        widget_type = known[id]
    except UnknownWidgetType as error:
        hint = "Put its schema into a folder of the catalog; widgetschema pull downloads it."
        return Error(f"{error}.", hint=hint, obj=field, id="widgetschema.E003")
    except (PlatformError, LoginRequired, NotAvailableOffline) as error:
        hint = "Run: widgetschema pull, and use the folder of schemas."
        return checks.Warning(
            f"The schema of widget type {id!r} cannot be fetched now: {error}",
            hint=hint,
            obj=field,
            id="widgetschema.W002",
        )
    except WidgetSchemaError as error:
        return Error(
            f"The schema of widget type {id!r} cannot be used: {error}",
            obj=field,
            id="widgetschema.E004",
        )
    loose = [one for one in widget_type.provenance if one.unpinned]
    if not loose:
        return None
    return checks.Warning(
        f"The schema of widget type {id!r} is not pinned: {loose[0].source}",
        hint="Pin the folder: widgetschema types --schemas FOLDER --pin",
        obj=field,
        id="widgetschema.W001",
    )

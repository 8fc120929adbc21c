"""The setting `WIDGETSCHEMA` of a Django project: its catalog, and the languages of its forms."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.signals import setting_changed
from django.utils.module_loading import import_string
from django.utils.translation import get_language

from widgetschema.catalog.catalog import Catalog
from widgetschema.errors import InvalidTranslation, WidgetSchemaError
from widgetschema.integrations.texts import INTEGRATION_DOMAIN
from widgetschema.languages import Language, Languages, shipped_languages
from widgetschema.suggest import did_you_mean

SETTING: Final = "WIDGETSCHEMA"
_KEYS: Final = ("CATALOG", "TRANSLATIONS")


@cache
def catalog() -> Catalog:
    """Return the catalog of the project.

    Returns:
        `WIDGETSCHEMA["CATALOG"]`, which is the path of a folder of schemas, a `Catalog`, a function
        that returns one, or the dotted path of either; `Catalog.default()` if there is none.

    Raises:
        ImproperlyConfigured: If the setting is something else, or its function fails.
        WidgetSchemaError: If the catalog cannot be used.
    """
    found: Any = _options().get("CATALOG")
    if found is None:
        return Catalog.default()
    if isinstance(found, os.PathLike):
        return Catalog(found)
    try:
        if isinstance(found, str):
            found = import_string(found)
        if not isinstance(found, Catalog) and callable(found):
            found = found()
    except (WidgetSchemaError, ImproperlyConfigured):
        raise
    except ImportError as error:
        raise ImproperlyConfigured(
            f'{SETTING}["CATALOG"]: {error}; a text is the dotted path of a catalog: for a folder '
            "of schemas, pass a Path"
        ) from error
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise ImproperlyConfigured(f'{SETTING}["CATALOG"] failed with {reason}') from error
    if not isinstance(found, Catalog):
        raise ImproperlyConfigured(
            f'{SETTING}["CATALOG"] must be the Path of a folder of schemas, a Catalog, a function '
            f"that returns one, or the dotted path of either, not {type(found).__name__}"
        )
    return found


@cache
def languages() -> Languages:
    """Return the languages of the project's forms.

    Returns:
        Those of this package, and those of the folder `WIDGETSCHEMA["TRANSLATIONS"]`, if there is
        one.

    Raises:
        ImproperlyConfigured: If the setting is no folder with translations.
    """
    folder = _options().get("TRANSLATIONS")
    try:
        return shipped_languages() if folder is None else Languages(folder)
    except (InvalidTranslation, TypeError) as error:
        raise ImproperlyConfigured(f'{SETTING}["TRANSLATIONS"]: {error}') from error


def active_language() -> Language:
    """Return the language that is active in Django; English if there are no texts in it."""
    return languages().best(get_language())


def active_text(name: str, /, **parameters: Any) -> str:
    """Return a text of the integrations in the language that is active in Django."""
    return active_language().phrases(INTEGRATION_DOMAIN)[name](**parameters)


def _options() -> Mapping[str, Any]:
    """Return the setting, with no other keys than those that are known."""
    options = getattr(settings, SETTING, {})
    if not isinstance(options, Mapping):
        raise ImproperlyConfigured(
            f'{SETTING} must be a dict such as {{"CATALOG": …}}, not {type(options).__name__}'
        )
    for key in options:
        if key not in _KEYS:
            meant = did_you_mean(str(key), _KEYS)
            raise ImproperlyConfigured(f"{SETTING} has the unknown key {key!r}{meant}")
    return options


def _forget(*, setting: str, **_: Any) -> None:
    """Forget the catalog and the languages, since a test has changed the setting."""
    if setting == SETTING:
        catalog.cache_clear()
        languages.cache_clear()


setting_changed.connect(_forget, dispatch_uid="widgetschema.catalog")

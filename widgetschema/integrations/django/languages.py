"""The language of the forms of a Django project: the one that is active in Django."""

from __future__ import annotations

from typing import Any

from django.utils.translation import get_language

from widgetschema.integrations.django.catalogs import languages
from widgetschema.integrations.texts import INTEGRATION_DOMAIN
from widgetschema.languages import Language


def active_language() -> Language:
    """Return the language that is active in Django; English if there are no texts in it."""
    return languages().best(get_language())


def active_text(name: str, /, **parameters: Any) -> str:
    """Return a text of the integrations in the language that is active in Django."""
    return active_language().phrases(INTEGRATION_DOMAIN)[name](**parameters)

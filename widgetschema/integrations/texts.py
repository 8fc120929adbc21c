"""The texts of the integrations that people read, by name: notices around a form, and problems."""

from __future__ import annotations

from typing import Final

from widgetschema.languages import Domain
from widgetschema.schema.keywords import Counted, Text

TEXTS: Final[dict[str, Text]] = {
    "django.no-form": "No form can show the stored data; it stays as it is.",
    "django.choose": 'Choose "{label}" and save: the form appears here.',
    "django.choose-live": 'Choose "{label}": the form appears here.',
    "django.choose-first": "choose a widget type first",
    "django.unusable-schema": "the schema of widget type {type} cannot be used at the moment, so "
    "the data cannot be checked",
    "django.fill-in": "Nothing was saved yet: fill in the form, and save again.",
    "django.switched": "Nothing was saved yet: the form is now for the type {type}. Fill it in, "
    "and save again.",
    "django.kept": "What you entered for the type {type} is kept on this page until you save: "
    "choose that type again to get it back.",
    "django.back": "Nothing was saved yet: the form is for the type {type} again, with what you "
    "had entered.",
    "django.action": "Nothing was saved yet: the form was changed as you asked.",
    "django.stale": "Nothing was saved: the data or its schema has changed since the page was "
    "shown. The form has what you typed; saving again replaces the present data.",
    "django.conflict": "Nothing was saved: somebody else has changed the same since the page was "
    "shown. Choose what to keep, and save again.",
    "django.invalid": Counted(
        "The data has a problem: the form shows it.",
        "The data has {number:,} problems: the form shows each of them.",
    ),
    # Pages in place of a form, by the status of the response
    "problem.other": "This page cannot be shown",
    "problem.other.advice": "Go back, reload the page and try again. Nothing was saved.",
    "problem.401": "You are not logged in",
    "problem.401.advice": "Log in, then try again. Nothing was saved.",
    "problem.403": "This was not allowed",
    "problem.403.advice": "The request came from a page of another site. Nothing was saved.",
    "problem.404": "There is nothing here",
    "problem.404.advice": "What you are looking for does not exist, or you may not see it.",
    "problem.413": "This is too large",
    "problem.413.advice": "Go back and make it smaller, for example with smaller files. Nothing "
    "was saved.",
    "problem.unavailable": "This cannot be used at the moment",
    "problem.unavailable.advice": "Try again later. If you have entered something, go back to it: "
    "nothing was saved.",
    "problem.details": "Details",
    # The form of a stored text that is no widget data
    "text.label": "JSON text",
    "text.help": "The stored text cannot be shown as a form. Correct it here.",
}
INTEGRATION_DOMAIN: Final = Domain("integration", TEXTS)
text: Final = INTEGRATION_DOMAIN.text

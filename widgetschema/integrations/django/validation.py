"""Reports as the `ValidationError` of Django, and a validator for any field."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.utils.deconstruct import deconstructible

from widgetschema.catalog.widget_type import WidgetType
from widgetschema.errors import UnknownWidgetType, WidgetSchemaError
from widgetschema.findings import Finding
from widgetschema.integrations import require_type
from widgetschema.integrations.django.catalogs import active_text, catalog
from widgetschema.pointers import display_pointer

NO_TYPE: Final = "no_widget_type"
UNKNOWN_TYPE: Final = "unknown_widget_type"
UNUSABLE_SCHEMA: Final = "unusable_schema"

_log = logging.getLogger("widgetschema.django")


class UnreadText(str):
    """JSON text that Python does not read, such as an integer of 5,000 digits.

    It is saved as it was read.
    """

    __slots__ = ()


def known_type(id: Any) -> WidgetType:
    """Return the widget type with this id, of the catalog of the project.

    Args:
        id: The id, as a str.

    Raises:
        ValidationError: With the code `no_widget_type` if the id is empty, `unknown_widget_type`
            if the catalog does not have it, and `unusable_schema` if its schema cannot be read or
            fetched; the reason is logged, since it may name files and addresses.
    """
    if id is None or id == "":
        raise ValidationError(active_text("django.choose-first"), code=NO_TYPE)
    try:
        return catalog()[str(id)]
    except UnknownWidgetType as error:
        raise ValidationError(
            "%(reason)s", code=UNKNOWN_TYPE, params={"reason": str(error), "type": error.id}
        ) from error
    except WidgetSchemaError as error:
        _log.exception("the schema of widget type %r cannot be used", id)
        raise ValidationError(
            active_text("django.unusable-schema", type="%(type)r"),
            code=UNUSABLE_SCHEMA,
            params={"type": str(id)},
        ) from error


def validation_error(findings: Iterable[Finding]) -> ValidationError:
    """Return findings as one error.

    Args:
        findings: A report, or its findings.

    Returns:
        An error whose `error_list` has one error for each finding. The `code` of each is the code
        of the finding; its `params` have `path` (a JSON Pointer), `message`, `hint` (or None) and
        `finding`.
    """
    return ValidationError([_error(finding) for finding in findings])


def _error(finding: Finding) -> ValidationError:
    where = "%(path)s: " if finding.path else ""
    hint = "" if finding.hint is None else " (%(hint)s)"
    return ValidationError(
        f"{where}%(message)s{hint}",
        code=finding.keyword,
        params={
            "path": display_pointer(finding.path) if finding.path else "",
            "message": finding.message,
            "hint": finding.hint,
            "finding": finding,
        },
    )


@deconstructible(path="widgetschema.integrations.django.WidgetDataValidator")
class WidgetDataValidator:
    """Validate the data of a widget type: a validator for any field of a model, form or serializer.

    Args:
        type: The id of the widget type.
    """

    def __init__(self, type: str) -> None:
        require_type("WidgetDataValidator", type)  # data, if a field has the class as a validator
        self.type = type

    def __call__(self, value: Any) -> None:
        """Raise `ValidationError` if the value is not valid data.

        Args:
            value: The widget data, as Python values.
        """
        report = known_type(self.type).check(value)
        if not report.valid:
            raise validation_error(report)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WidgetDataValidator) and self.type == other.type

    def __hash__(self) -> int:
        return hash(self.type)

    def __repr__(self) -> str:
        return f"WidgetDataValidator({self.type!r})"

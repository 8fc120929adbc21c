"""The answer to a live check: findings, the summary and, if controls changed, the whole form.

Nothing is checked here.
"""

from __future__ import annotations

from typing import Any, Protocol, Unpack

from widgetschema.forms.html.options import RenderOptions
from widgetschema.forms.html.places import Rendered, focus, places
from widgetschema.forms.html.rendering import render, summary
from widgetschema.forms.posted import SHAPE


class Submitted(Protocol):
    """What is needed of a submission to answer it."""

    @property
    def form(self) -> Rendered:
        """The form with what was posted."""
        ...

    @property
    def valid(self) -> bool:
        """Whether it can be saved."""
        ...

    @property
    def complete(self) -> bool:
        """Whether everything could be read."""
        ...

    @property
    def changed(self) -> bool:
        """Whether the text is another one."""
        ...


def answer(submission: Submitted, **options: Unpack[RenderOptions]) -> dict[str, Any]:
    """The answer as a JSON object; its member names are part of the contract of the script.

    `options` are those that the form was rendered with (`render`).
    """
    form = submission.form
    redrawn = form.action is not None or _shape(form) != form.signature
    return {
        "valid": submission.valid,
        "complete": submission.complete,
        "changed": submission.changed,
        "findings": [
            {
                "id": None if field is None else field.id,
                "path": finding.path,
                "keyword": finding.keyword,
                "message": finding.message,
                "hint": finding.hint,
            }
            for finding, field in places(form)
        ],
        "summary": summary(form, templates=options.get("templates")),
        "html": render(form, **options) if redrawn else None,
        "focus": focus(form) if redrawn else None,
    }


def _shape(form: Rendered) -> str | None:
    posted = (form.posted or {}).get(SHAPE)
    return posted[0] if posted else None

"""Render views as HTML: the page, and the parts of it that change while a person types.

Jinja2 with autoescape makes all markup, in the templates of this package; the form comes from
`forms.html`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from jinja2 import PackageLoader, Template, pass_context
from jinja2.runtime import Context

from widgetschema.editor.pane_places import pane_places
from widgetschema.editor.reconciliation import PREFIX
from widgetschema.editor.texts import EDITOR_DOMAIN, text
from widgetschema.editor.views import View
from widgetschema.forms.advice import general_advice
from widgetschema.forms.html import answer, preview_box, preview_script, script, stylesheet
from widgetschema.forms.html.themes import Theme
from widgetschema.forms.newlines import normalize_newlines
from widgetschema.forms.texts import FORM_DOMAIN
from widgetschema.languages import current_language
from widgetschema.pointers import display_pointer
from widgetschema.templates import Environment

_LIVE: Final = "/live"
THEME: Final = "/assets/theme.css"


def _asset(name: str) -> str:
    return files("widgetschema.editor").joinpath("assets", name).read_text("utf-8")


# What is served below /assets/, by name: these files and no others.
ASSETS: Final[Mapping[str, Callable[[], str]]] = {
    "forms.css": stylesheet,
    "forms.js": script,
    "editor.css": lambda: _asset("editor.css"),
    "editor.js": lambda: _asset("editor.js"),
    "history.js": lambda: _asset("history.js"),
    "preview.js": preview_script,
    "side.js": lambda: _asset("side.js"),
    "pane.js": lambda: _asset("pane.js"),
}


class Pages:
    """Renders the pages about one file.

    `hidden` are controls of every form. `sandbox` is what the frame of the preview may do; None
    without a preview. The rules of a theme are served as `THEME`.
    """

    def __init__(
        self,
        name: str,
        hidden: Mapping[str, str],
        sandbox: str | None = None,
        theme: Theme = Theme(),  # noqa: B008  immutable
    ) -> None:
        self._theme = theme
        self._sandbox = sandbox
        self._name = name
        self._hidden = dict(hidden)

    def page(self, view: View) -> bytes:
        """Return the whole page."""
        hidden = {
            **self._hidden,
            f"{PREFIX}of": view.of,
            f"{PREFIX}pane-of": view.pane_of,
            f"{PREFIX}version": view.version,
            f"{PREFIX}schema": view.schema,
            f"{PREFIX}typed": "0",
            f"{PREFIX}step": view.step,
            f"{PREFIX}visit": "",
            f"{PREFIX}edit": "0",
        }
        drawn = _template("page").render(
            name=self._name,
            view=view,
            is_live=False,
            hidden=hidden,
            form=_form_markup(view),
            preview=self._preview_box(view),
            theme=self._theme,
            theme_address=THEME if self._theme.css else "",
            places=json.dumps(pane_places(view)._asdict()),
            **_variables(),
        )
        return drawn.encode("utf-8", "replace")

    def _preview_box(self, view: View) -> str:
        if self._sandbox is None:
            return ""
        return preview_box(f"/preview?step={view.step}&of={view.pane_of}", self._sandbox)

    def answer(self, view: View, fields: Mapping[str, Sequence[str]]) -> dict[str, Any]:
        """Return what the script needs to show a view on the present page.

        As `Submission.answer`, with a member `editor` for everything beside the form. `typed` is
        what the script sent, to know whether the pane is still as it was then; `fromPane` is True
        if the document is the text of the pane.
        """
        typed = "".join(fields.get(f"{PREFIX}typed", ()))
        sent = "".join(fields.get(f"{PREFIX}pane", ()))
        parts = {
            part: _template(part).render(view=view, is_live=True, **_VARIABLES)
            for part in _LIVE_PARTS
        }
        was = [fields.get(f"{PREFIX}{name}") for name in ("of", "schema")]
        found = _form_answer(view, is_another=was != [[view.of], [view.schema]])
        if view.revisit is not None and found:
            found["focus"] = None  # the script of the editor decides
        return {
            **found,
            "editor": {
                **parts,
                "of": view.of,
                "paneOf": view.pane_of,
                "version": view.version,
                "schema": view.schema,
                "pane": view.pane,
                "places": pane_places(view)._asdict(),
                "typed": typed,
                "fromPane": normalize_newlines(sent) == normalize_newlines(view.pane),
                "changed": view.changed,
                "refused": view.is_refused,
                "asks": view.needs_choice,
                "step": view.step,
                "canUndo": view.can_undo,
                "canRedo": view.can_redo,
                "revisit": None if view.revisit is None else view.revisit.field,
            },
        }


_VARIABLES: Final[Mapping[str, Any]] = {
    "display_pointer": display_pointer,
    "prefix": PREFIX,
    "live": _LIVE,
}


def _variables() -> dict[str, Any]:
    """Return the variables of the page as a whole."""
    language = current_language()
    texts = {
        "texts": language.script_texts(EDITOR_DOMAIN),
        "form_texts": language.script_texts(FORM_DOMAIN),
    }
    return {**_VARIABLES, **texts, "language": language}


_OPTIONS: Final[Mapping[str, Any]] = {"live": _LIVE, "submit": None, "tag": False}
_LIVE_PARTS: Final = ("status", "type", "notices", "document-findings", "refusals")


def _form_answer(view: View, *, is_another: bool) -> dict[str, Any]:
    """Return the answer about the form, with its markup if it is one of another text."""
    if view.form is None:
        return (
            {"findings": [], "errors": {}, "due": "", "summary": "", "html": _form_markup(view)}
            if is_another
            else {}
        )
    submission = view.submission
    is_same_page = not is_another and view.revisit is None  # else it has other rows
    found = answer(
        view.form,
        valid=view.valid if submission is None else submission.valid,
        complete=view.complete if submission is None else submission.complete,
        changed=view.changed if submission is None else submission.changed,
        moved={} if submission is None else submission.moved,
        page=submission.page if submission is not None and is_same_page else None,
        **_OPTIONS,
    )
    if is_another and found["html"] is None:  # it has the same controls, with other values
        found["html"] = _form_markup(view)
    return found


def _form_markup(view: View) -> str:
    """Return the markup of the form, or of the message in its place."""
    if view.shown_form is not None:
        return view.shown_form.render(**_OPTIONS)
    return _template("no-form").render(view=view, **_variables())


@pass_context  # else Jinja2 takes a text without parameters for a constant, in one language
def _text(_: Context, name: str, /, **parameters: Any) -> str:
    return text(name, **parameters)


@cache
def _environment() -> Environment:
    environment = Environment(PackageLoader("widgetschema.editor"))
    environment.filters["text"] = _text
    environment.filters["general_advice"] = general_advice
    return environment


@cache
def _template(name: str) -> Template:
    return _environment().get_template(f"{name}.html")

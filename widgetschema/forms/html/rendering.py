"""The front of forms as HTML: markup for somebody's page, or a page of its own.

Jinja2 is an extra: it is imported when something is drawn. Nothing is drawn here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import ModuleType
from typing import Final

from widgetschema.errors import MissingExtra
from widgetschema.forms.html.options import Folders
from widgetschema.forms.html.places import Rendered

_SURROGATES: Final = re.compile("[\ud800-\udfff]")  # halves of pairs, that no encoding has


def render(
    form: Rendered,
    *,
    action: str = "",
    method: str = "post",
    hidden: Mapping[str, str] | None = None,
    live: str | None = None,
    templates: Folders | None = None,
    submit: str | None = "Save",
    tag: bool = True,
) -> str:
    """The form as markup, for a page of yours.

    `action` and `method` are those of the form element. `hidden` are further controls, such as
    the token of a framework against forged requests. `live` is the address that answers checks
    while somebody types, if there is one (`Submission.answer`). `templates` is a folder whose
    files override templates of the same name, or several. `submit` is the text of the button;
    None for no buttons of ours: the first one in your form must be the one that saves, since the
    Enter key presses it. With `tag=False` the form element is left out, for one of yours.

    Raises `MissingExtra` without Jinja2.
    """
    drawn = _drawing().whole(
        form,
        templates,
        action=action,
        method=method,
        hidden=hidden or {},
        live=live,
        submit=submit,
        tag=tag,
    )
    return _carried(drawn)


def page(
    form: Rendered,
    *,
    title: str | None = None,
    lang: str = "en",
    assets: str | None = None,
    action: str = "",
    method: str = "post",
    hidden: Mapping[str, str] | None = None,
    live: str | None = None,
    templates: Folders | None = None,
    submit: str | None = "Save",
) -> str:
    """The form as a whole page of HTML.

    Stylesheet and script are in it, so that one file is enough; with `assets`, the address of
    the folder that you serve `forms.css` and `forms.js` from, it refers to them.
    """
    markup = render(
        form,
        action=action,
        method=method,
        hidden=hidden,
        live=live,
        templates=templates,
        submit=submit,
    )
    drawn = _drawing().page(
        markup, templates, title=title or form.root.label or "Form", lang=lang, assets=assets
    )
    return _carried(drawn)


def summary(form: Rendered, *, templates: Folders | None = None) -> str:
    """The findings of the form, with links to their fields: empty if there are none."""
    return _carried(_drawing().summary(form, templates))


def _drawing() -> ModuleType:
    try:
        from widgetschema.forms.html import drawing
    except ImportError:
        raise MissingExtra("forms", "forms as HTML need the library Jinja2") from None
    return drawing


def _carried(markup: str) -> str:
    """The markup as a browser reads it back (HTML standard, sections 13.2.3.5 and 13.2.5).

    A carriage return would become a line feed; the templates have none of their own. What no
    HTML can carry is replaced, as browsers do: it is in labels and messages alone.
    """
    if "\r" in markup:
        markup = markup.replace("\r", "&#13;")
    if "\0" in markup:
        markup = markup.replace("\0", "\ufffd")
    try:
        markup.encode()
    except UnicodeEncodeError:
        markup = _SURROGATES.sub("\ufffd", markup)
    return markup

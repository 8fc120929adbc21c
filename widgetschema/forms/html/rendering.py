"""Render forms as HTML: markup for your pages, whole pages, and answers to live checks.

Jinja2 is an extra: `jinja_renderer` is imported when something is rendered.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from types import ModuleType
from typing import Any, Final, TypedDict, Unpack

from widgetschema.errors import InvalidTemplate, MissingExtra
from widgetschema.forms.control_names import ASIDE, prefixed
from widgetschema.forms.form_state import FormState
from widgetschema.forms.html.page_elements import focused_id, placed_findings
from widgetschema.forms.html.staying_rows import staying_rows
from widgetschema.forms.html.themes import ThemeName, read_theme, theme_class
from widgetschema.forms.markdown import preview_of_markdown
from widgetschema.forms.posted_controls import SHAPE
from widgetschema.forms.submit.steps import PostedPage
from widgetschema.forms.texts import text
from widgetschema.forms.uploads import CHOSEN_FILES, LARGE
from widgetschema.languages import speaking

_SURROGATES: Final = re.compile("[\ud800-\udfff]")  # halves of pairs, that no encoding has

TemplateFolders = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


class _Options(TypedDict, total=False):
    action: str
    method: str
    hidden: Mapping[str, str] | None
    live: str | None
    templates: TemplateFolders | None
    submit: str | None
    preview: str | None


class RenderOptions(_Options, total=False):
    """The options of `render`."""

    theme: ThemeName
    tag: bool


class PageOptions(_Options, total=False):
    """The options of `page`."""

    title: str | None
    assets: str | None
    notice: str
    theme: ThemeName


def render(
    form: FormState,
    *,
    action: str = "",
    method: str = "post",
    hidden: Mapping[str, str] | None = None,
    live: str | None = None,
    templates: TemplateFolders | None = None,
    submit: str | None = "",
    theme: ThemeName = "plain",
    preview: str | None = None,
    tag: bool = True,
    staying: Collection[str] = (),
) -> str:
    """Return the form as markup, for a page of yours.

    Args:
        form: The form to render.
        action: The `action` of the form element.
        method: The `method` of the form element.
        hidden: Further hidden controls by name, such as the CSRF token of a framework.
        live: The address that answers checks while a person types (`Submission.answer`), if any.
        templates: A folder, or several, whose files override templates of the same name.
        submit: The label of the button that saves; "" for "Save" in the language of the form. None
            renders no such button. The Enter key presses the first button in your form element; if
            yours is not the first, and the form has buttons, Enter only checks the form.
        theme: The name of a ready theme: "plain", "compact" or "host".
        preview: The address that answers with a preview, if any: GET that of the stored data, POST
            that of the controls. It is shown in a frame without rights, beside the form.
        tag: False leaves out the form element, for one of yours.
        staying: The names of rows that the page has already: they are empty.

    Returns:
        HTML that needs `stylesheet` and, if you like, `script` on the page, and `preview_script`
        for a preview.

    Raises:
        MissingExtra: Jinja2 is not installed.
        InvalidTemplate: A template or the theme cannot be used.

    """
    with speaking(form.language):
        markup = _jinja_renderer().render_form(
            form.shown,
            _folders(templates),
            action=action,
            method=method,
            hidden=hidden or {},
            live=live,
            submit=text("button.save") if submit == "" else submit,
            theme_class=theme_class(theme),
            preview=preview,
            tag=tag,
            staying=staying,
        )
    return _browser_safe(markup)


def page(
    form: FormState,
    *,
    title: str | None = None,
    assets: str | None = None,
    notice: str = "",
    theme: ThemeName = "plain",
    **options: Unpack[_Options],
) -> str:
    """Return the form as a whole HTML page.

    Args:
        form: The form to render.
        title: The title of the page; by default that of the data in the schema or the UI
            description, or else that of the widget type, or its id in words.
        assets: The address of the folder that you serve `forms.css` and `forms.js` from, with a
            slash at its end. By default, both are inside the page, so that one file is enough.
        notice: A sentence above the form, such as `Submission.notice` after saving.
        theme: The name of a ready theme, or the path of a CSS file with rules of yours, which the
            page then has inside.
        **options: `action`, `method`, `hidden`, `live`, `templates`, `submit` and `preview`, as in
            `render`.

    Raises:
        MissingExtra: Jinja2 is not installed.
        InvalidTemplate: A template or the theme cannot be used.

    """
    chosen = read_theme(theme)
    markup = render(form, **options)
    with speaking(form.language):
        whole = _jinja_renderer().render_page(
            markup,
            _folders(options.get("templates")),
            title=title or form.title or text("page.title"),
            language=form.language,
            assets=assets,
            notice=notice,
            announced=focused_id(form.shown) is None,
            stylesheet=stylesheet(),
            theme=chosen.css,
            theme_class=chosen.class_name,
            script=script(),
            preview_script=preview_script() if options.get("preview") else "",
        )
    return _browser_safe(whole)


def answer(
    whole: FormState,
    *,
    valid: bool,
    complete: bool,
    changed: bool,
    moved: Mapping[str, str],
    page: PostedPage | None,
    **options: Unpack[RenderOptions],
) -> dict[str, Any]:
    """Return the answer to a live check: findings, summary and, if controls changed, the form.

    Rows that the page has as they are now are empty in it: the script takes them from the page.

    Args:
        whole: The form with what was posted, and all findings.
        valid: True if it can be saved.
        complete: True if every control could be read.
        changed: True if the text differs from the one that the form was made of.
        moved: The names of rows in the form, by those in the form that was posted, if they differ.
        page: The controls of the page that was submitted; None if it shows another form.
        **options: Those that the form was rendered with (see `render`).

    Returns:
        A JSON object; its member names are part of the contract with the script.

    Raises:
        MissingExtra: Jinja2 is not installed.

    """
    form = whole.in_progress if whole.action is None else whole.shown
    signature = (form.posted or {}).get(SHAPE, [None])[0]
    is_redrawn = form.action is not None or signature != form.signature
    templates = options.get("templates")  # of an application: they may show anything
    kept = page if is_redrawn and not templates else None
    staying = frozenset() if kept is None else staying_rows(kept, form, moved)
    summary, errors = _findings(form, templates)
    return {
        "valid": valid,
        "complete": complete,
        "changed": changed,
        "findings": [
            {
                "id": None if field is None else field.id,
                "path": finding.path,
                "keyword": finding.keyword,
                "message": sentence,
                "detail": finding.message,
                "hint": finding.hint,
            }
            for finding, field, sentence, *_ in placed_findings(whole)
        ],
        "due": form.due,
        "summary": summary,
        "errors": errors,
        "html": render(form, staying=staying, **options) if is_redrawn else None,
        "focus": focused_id(form) if is_redrawn else None,
        "moved": [*moved.items(), *_moved_ids(whole, moved, page)],
        "files": _chosen_files(form),
        "rendered": _rendered_texts(form),
    }


def _findings(form: FormState, templates: TemplateFolders | None) -> tuple[str, dict[str, str]]:
    """Return the markup of all findings together, and of those of each field by its id."""
    if form.report.valid:
        return "", {}
    with speaking(form.language):
        summary, errors = _jinja_renderer().render_findings(form, _folders(templates))
    return _browser_safe(summary), {id: _browser_safe(markup) for id, markup in errors.items()}


def _moved_ids(
    form: FormState, moved: Mapping[str, str], page: PostedPage | None
) -> Iterator[tuple[str, str]]:
    """Yield the ids of rows in the form, by those on the page, if they differ."""
    if page is None or not moved:
        return
    ids = {row.name: row.id for row in form.root.walk() if row.row}
    for row in page.reading.root.walk():
        if row.name in moved:
            yield row.id, ids[moved[row.name]]


def _rendered_texts(form: FormState) -> dict[str, str]:
    """Return the pages with texts in Markdown, by the ids of their fields."""
    with speaking(form.language):
        found = {
            field.id: preview_of_markdown(field.shown.text)
            for field in form.root.walk()
            if field.kind == "markdown"
        }
    return {id: page for id, page in found.items() if page is not None}


def _chosen_files(form: FormState) -> dict[str, str]:
    """Return the tokens of large files that were posted, by the name of the control of each."""
    if not form.has_uploads:
        return {}
    posted = form.posted or {}
    texts = {name: posted[name][0] for name in posted if name.startswith(ASIDE)}
    texts |= {one.name: one.shown.text for one in form.root.walk() if one.kind == "upload"}
    return {
        prefixed(form.prefix, name): CHOSEN_FILES.keep(one)
        for name, one in texts.items()
        if len(one) > LARGE
    }


def stylesheet() -> str:
    """Return the stylesheet of forms; all its rules are below the class `ws-form`."""
    return _asset("forms.css")


def preview_box(address: str, sandbox: str = "") -> str:
    """Return the frame of a preview with the buttons for its width, to be told what to show.

    Args:
        address: The address of its first page.
        sandbox: The rights of its pages.
    """
    return str(_jinja_renderer().render_preview(address, sandbox))


def preview_script() -> str:
    """Return the script of previews."""
    return _asset("preview.js")


def script() -> str:
    """Return the script of forms, which they also work without."""
    return _asset("forms.js")


@cache
def _asset(name: str) -> str:
    return (
        files("widgetschema.forms.html").joinpath("static", "widgetschema", name).read_text("utf-8")
    )


def _jinja_renderer() -> ModuleType:
    try:
        from widgetschema.forms.html import jinja_renderer
    except ImportError:
        raise MissingExtra("forms", "forms as HTML need the library Jinja2") from None
    return jinja_renderer


def _folders(templates: TemplateFolders | None) -> tuple[str, ...]:
    """Return the folders with templates. Raise `InvalidTemplate` for one that does not exist."""
    if templates is None:
        return ()
    if isinstance(templates, (str, os.PathLike)):
        templates = [templates]
    folders = tuple(os.fspath(folder) for folder in templates)
    for folder in folders:
        if not os.path.isdir(folder):
            raise InvalidTemplate(folder, None, "the folder with templates does not exist")
    return folders


def _browser_safe(markup: str) -> str:
    """Return markup that a browser reads back as it is (HTML, sections 13.2.3.5 and 13.2.5).

    A carriage return would become a line feed; the templates have none of their own. Characters
    that HTML cannot carry are replaced, as browsers do: they occur in labels and messages only.
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

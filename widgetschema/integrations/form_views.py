"""Form endpoints without a framework: the page, the live check, saving, and the assets.

A framework maps the requests of `ROUTES` to `respond`, those of `ASSETS` to `asset`, and an
`Answer` to its own response. Everything that has to be right each time is here: limits, conflicts,
caching, errors, and requests of other sites. `respond` reads and stores data, so an asynchronous
framework calls it in a thread.
"""

from __future__ import annotations

import html
import json
import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from typing import Any, Final, NamedTuple, cast
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from widgetschema.catalog.widget_type import WidgetType
from widgetschema.errors import (
    FormError,
    InvalidFormDescription,
    StaleForm,
    TooManyFields,
    UnreadableDocument,
    WidgetSchemaError,
)
from widgetschema.forms.content_policy import hash_source
from widgetschema.forms.control_names import BASE, prefixed
from widgetschema.forms.form import Form
from widgetschema.forms.html import preview_script, script, stylesheet
from widgetschema.forms.html.rendering import PageOptions, RenderOptions
from widgetschema.forms.html.themes import read_theme
from widgetschema.forms.markdown import STYLE_SOURCE
from widgetschema.forms.model import FormFinding, Message
from widgetschema.forms.posted_controls import MAX_CONTROLS, is_control
from widgetschema.forms.preview import PREVIEW_HEADERS, RenderedPreview, own_copy, preview_message
from widgetschema.forms.texts import text
from widgetschema.integrations import require_function
from widgetschema.integrations.problems import PROBLEM_JSON, Problem, problem, problem_of
from widgetschema.integrations.text_form import TextForm, text_form
from widgetschema.integrations.texts import text as problem_text
from widgetschema.languages import (
    Language,
    Languages,
    as_language,
    current_language,
    shipped_languages,
    speaking,
)
from widgetschema.pointers import is_pointer
from widgetschema.suggest import did_you_mean

_LOG: Final = logging.getLogger("widgetschema")
MAX_FORM_BYTES: Final = 16 * 1024 * 1024
MAX_FIELDS: Final = MAX_CONTROLS + 1_000  # some may belong to other parts of the page
_URLENCODED: Final = "application/x-www-form-urlencoded"
_MULTIPART: Final = "multipart/form-data"
_ATTEMPTS: Final = 3  # to save where others save as well
_ASSETS: Final[Mapping[str, tuple[str, Callable[[], str]]]] = {
    "forms.css": ("text/css", stylesheet),
    "forms.js": ("text/javascript", script),
    "preview.js": ("text/javascript", preview_script),
}
_HTML: Final = "text/html; charset=utf-8"
_EXPLAINED: Final = frozenset({401, 403, 404, 413})  # statuses that have a text of their own
_NOSNIFF: Final = {"X-Content-Type-Options": "nosniff"}
_POLICY: Final = (  # for the page, with assets inside ('unsafe-inline') or beside it ('self')
    "default-src 'none'; style-src {0}; script-src {0}; img-src data:; connect-src 'self'; "
    "form-action 'self'; "
    "frame-ancestors 'self'; base-uri 'none'"
)
_RENDERED: Final = frozenset({"action", "method", "hidden", "templates", "submit"})
# In the query of the page after saving, from which the script of forms takes them
_SAVED: Final = "saved"
_MERGED: Final = "merged"  # and how many edits of others
_BUSY: Final = "others keep changing the data, so it was not saved: try again"


class Answer(NamedTuple):
    """A response: `media_type` has the charset, if it needs one."""

    status: int
    body: bytes
    media_type: str
    headers: Mapping[str, str]

    @property
    def sent_headers(self) -> dict[str, str]:
        """All headers, with those of the body."""
        length = str(len(self.body))
        return {"Content-Type": self.media_type, "Content-Length": length, **self.headers}


@dataclass(frozen=True)
class StoredData:
    """Stored widget data.

    Args:
        widget_type: Its type.
        text: The JSON text that has it; of a value, `json.dumps(value)`.
        at: The JSON Pointer of the data in the text.

    Raises:
        TypeError: For anything else.
    """

    widget_type: WidgetType
    text: str | bytes
    at: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.widget_type, WidgetType):
            raise TypeError(
                'StoredData takes a widget type, such as widget_type("countdown"), not '
                f"{type(self.widget_type).__name__}"
            )
        if not isinstance(self.text, (str, bytes)):
            raise TypeError(
                f"StoredData takes the JSON text of the data, not {type(self.text).__name__}: for "
                "a value, pass json.dumps(value)"
            )
        if not isinstance(self.at, str) or not is_pointer(self.at):
            raise TypeError(f'StoredData takes a JSON Pointer such as "/data", not {self.at!r}')


Lang = str | Language | Languages | None

PostedFields = list[tuple[str, Any]]
"""Names with texts, or with the bytes of files that were chosen."""

PostedBody = bytes | PostedFields | WidgetSchemaError | None
"""A body, or its fields if it is multipart; None if it has more than `MAX_FORM_BYTES`. An error is
raised as the answer."""


@dataclass(frozen=True)
class FormViews:
    """The endpoints of one form.

    Args:
        load: Returns the stored data, or None if there is none, or not for this user.
        save: Gets the new text and the one that was loaded, and stores the new one if the other is
            still stored (`UPDATE … WHERE data = :before`). Returns True, or False if it is not:
            then the person sees the form again, with what was typed.
        done: The address to go to after saving. Its query says so (`saved=1`; or `merged=2`, the
            number of edits of others that were merged), and `page` tells the person.
        live: The address of the live check; None for a form without one.
        assets: The address below which `asset` answers, with a slash at its end. By default, the
            stylesheet and the script are inside the page.
        ui: The UI description, see `WidgetType.form`.
        options: Further options of `Form.page`, such as `title`, `theme`, `templates`.
        lang: The language of the form, or `Languages`, of which each person gets the one that the
            browser asks for (`Accept-Language`); by default those of this package.
        preview: Returns a whole HTML page for some data, which may be invalid. It is shown beside
            the form, without any rights.
        preview_at: The address where it is shown (`stored_preview`, `typed_preview`).
    """

    load: Callable[[], StoredData | None]
    save: Callable[[str, str], bool]
    done: str
    live: str | None = None
    assets: str | None = None
    ui: Mapping[str, Any] | None = None
    options: PageOptions = field(default_factory=PageOptions)
    lang: Lang = None
    preview: Callable[[Any], str] | None = None
    preview_at: str | None = None

    def language(self, accepted: str | None) -> Language:
        """Return the language for a request, by its header `Accept-Language`."""
        if isinstance(self.lang, (str, Language)):
            return as_language(self.lang)
        return (shipped_languages() if self.lang is None else self.lang).best(accepted)

    def page(self, query: list[tuple[str, str]] | None = None) -> Answer:
        """Return the page of the form; of a text that has no form, a page with the text.

        `query` are the parameters of the request: those that `submit` has added after saving.

        Raises `InvalidFormDescription` for a `ui` that cannot be used.
        """
        shown = self._shown()
        if shown is None:
            return _NOT_FOUND
        form = shown.form if isinstance(shown, TextForm) else shown
        return self._page(form, 200, _saved_notice(query or []))

    def check(self, fields: PostedFields) -> Answer:
        """Return the answer to a live check, for the controls that were posted.

        Raises as `submit`. A page of other data than the stored data is not checked (409): it has
        to be submitted.
        """
        shown = self._shown()
        if shown is None:
            return _NOT_FOUND
        _require_controls(fields)
        try:
            submission = shown.submit(fields, on_stale="rebase")
        except StaleForm as error:
            return answer_to(problem_of(error))
        if not _is_of_page(submission.form, fields):
            return answer_to(problem_of(StaleForm()))
        kept = {name: one for name, one in self.options.items() if name in _RENDERED}
        addresses = {"live": self.live, "preview": self._frame}
        content = submission.answer(**cast("RenderOptions", {**kept, **addresses}))
        body = json.dumps(content, ensure_ascii=False).encode(errors="replace")
        return Answer(200, body, "application/json", {**_NOSNIFF, "Cache-Control": "no-store"})

    def submit(self, fields: PostedFields) -> Answer:
        """Save the controls that were posted, if the data is valid.

        Raises what `Form.submit` raises, except `StaleForm`, and `FormError` if no control of a
        form is posted: then the body was something else.

        Returns:
            A redirection (303) after saving. Edits of others since the form was shown are merged.
            Otherwise, it is the form again, after a button that changes it (200), with findings
            (422), or with what was typed and a choice where others have edited the same (409).
        """
        for _ in range(_ATTEMPTS):
            shown = self._shown()
            if shown is None:
                return _NOT_FOUND
            _require_controls(fields)
            try:
                submission = shown.submit(fields, on_stale="rebase")
            except StaleForm as error:
                return self._page(error.form, 409)
            if submission.action is not None or not submission.valid:
                status = 200 if submission.action else 409 if submission.conflicts else 422
                return self._page(submission.form, status, submission.notice)
            new = submission.data if isinstance(shown, TextForm) else submission.text
            if not submission.changed or self._save(new, shown.text):
                address = _after_saving(self.done, len(submission.merged))
                headers = {"Location": address, "Cache-Control": "no-store"}
                return Answer(303, b"", "text/plain; charset=utf-8", headers)
        busy = FormFinding("stale", submission.form.at, "", _BUSY, said=Message("stale.busy"))
        report = replace(submission.report, findings=(busy, *submission.report))
        submission = replace(submission, form=replace(submission.form, report=report))
        return self._page(submission.form, 409, submission.notice)

    def stored_preview(self, query: list[tuple[str, str]] | None = None) -> Answer:
        """Return the preview of the stored data."""
        shown = self._shown()
        return self._preview_page(shown)

    def typed_preview(self, fields: PostedFields) -> Answer:
        """Return the preview of the controls that were posted. Nothing is saved.

        Raises as `submit`.
        """
        shown = self._shown()
        _require_controls(fields)
        if isinstance(shown, Form):
            try:
                shown = shown.submit(fields, on_stale="rebase").form
            except StaleForm as error:
                shown = error.form
        return self._preview_page(shown)

    def _preview_page(self, shown: Form | TextForm | None) -> Answer:
        if self.preview is None or shown is None:
            return _NOT_FOUND
        if isinstance(shown, TextForm):
            made = preview_message(text("preview.no-form"))
        else:
            data = own_copy(shown.data, shown.source.checks.limits)
            made = RenderedPreview(self.preview).show(data)
        return Answer(200, made.html.encode(), _HTML, PREVIEW_HEADERS)

    def _shown(self) -> Form | TextForm | None:
        """Return the form of the stored data, or of its text if that is not JSON with the data."""
        stored = self.load()
        if stored is None:
            return None
        if not isinstance(stored, StoredData):
            raise TypeError(f"load must return StoredData or None, not {type(stored).__name__}")
        widget_type, text, at = stored.widget_type, stored.text, stored.at
        try:
            return widget_type.form_json(text, at=at, ui=self.ui, lang=current_language())
        except InvalidFormDescription:
            raise
        except (FormError, UnreadableDocument):
            return text_form(widget_type, text, at, current_language())

    def _save(self, text: str, before: str) -> bool:
        saved = self.save(text, before)
        if not isinstance(saved, bool):  # None would be taken for False, a coroutine for True
            raise TypeError(f"save must return True or False, not {type(saved).__name__}")
        return saved

    @property
    def _frame(self) -> str | None:
        return None if self.preview is None else self.preview_at

    def _page(self, form: Form, status: int, notice: str = "") -> Answer:
        options: PageOptions = {"live": self.live, "preview": self._frame, **self.options}
        if self.assets is not None:
            options["assets"] = f"{self.assets}{assets_version()}/"
        if notice:
            options["notice"] = notice
        policy = _POLICY.format("'unsafe-inline'" if self.assets is None else "'self'")
        if self.assets is not None and (rules := read_theme(options.get("theme", "plain")).css):
            policy = policy.replace("style-src", f"style-src {hash_source(rules)}")
        if self.assets is not None:  # inside of the page, all styles are allowed
            policy = policy.replace("style-src", f"style-src {STYLE_SOURCE}")
        if self._frame is not None:
            policy += "; frame-src 'self'"
        headers = {**_NOSNIFF, "Cache-Control": "no-store", "Content-Security-Policy": policy}
        return Answer(status, form.page(**options).encode(), _HTML, headers)


class FormRoute(NamedTuple):
    """An endpoint of forms: the name, the method, and the path below the address of a form."""

    name: str
    method: str
    suffix: str
    call: Callable[[FormViews, PostedFields], Answer]


ROUTES: Final = (
    FormRoute("page", "GET", "", FormViews.page),
    FormRoute("submit", "POST", "", FormViews.submit),
    FormRoute("check", "POST", "/check", FormViews.check),
    FormRoute("preview", "GET", "/preview", FormViews.stored_preview),
    FormRoute("preview_edits", "POST", "/preview", FormViews.typed_preview),
)
_OPTIONS: Final = sorted(PageOptions.__optional_keys__)
ASSETS: Final = "assets"  # the segment beside the keys of the forms, above those of `asset`


def views_at(
    key: str,
    load: Callable[[], StoredData | None],
    save: Callable[[str, str], bool],
    ui: Mapping[str, Any] | None,
    options: PageOptions | None,
    lang: Lang,
    preview: Callable[[Any], str] | None,
) -> FormViews:
    """Return the endpoints of the form with a key; their addresses are right behind any proxy."""
    here = f"./{quote(key, safe='')}"
    return FormViews(
        load,
        save,
        here,
        f"{here}/check",
        f"./{ASSETS}/",
        ui,
        {"action": here, **(options or {})},  # without what the query says of an earlier save
        lang,
        preview,
        f"{here}/preview",
    )


def require_usable(
    store: object,
    keys: tuple[str, ...],
    options: PageOptions | None,
    lang: Lang,
    preview: object,
) -> None:
    """Show a form once, so that options that cannot be used are errors at the start.

    Args:
        store: The object behind the forms.
        keys: The names of the first arguments of its methods.
        options: See `FormViews`.
        lang: See `FormViews`.
        preview: See `FormViews`.

    Raises:
        TypeError: If the store has no methods `load` and `save` with these arguments, or for an
            unknown option.
        InvalidTemplate: If the theme or a template cannot be used.
        UnknownLanguage: If there are no texts in the language.
    """
    methods = [getattr(store, name, None) for name in ("load", "save")]
    if isinstance(store, type) or not all(map(callable, methods)):
        raise TypeError(f"forms need an object with the methods load and save, not {store!r}")
    require_function(methods[0], "load", *keys)
    require_function(methods[1], "save", *keys, "text", "before")
    for name in options or ():
        if name not in _OPTIONS:
            raise TypeError(f"forms have no option {name!r}{did_you_mean(name, _OPTIONS)}")
    if not (lang is None or isinstance(lang, (str, Language, Languages))):
        raise TypeError(f"lang must be a tag, a Language or Languages, not {type(lang).__name__}")
    if preview is not None:
        require_function(preview, "preview", "data")
    stored = StoredData(WidgetType.from_data_schema({"type": "object"}, id="empty"), "{}")
    views = views_at("empty", lambda: stored, lambda *_: False, None, options, lang, None)
    with speaking(views.language(None)):
        views.page()


def respond(
    route: FormRoute, views: FormViews, headers: Mapping[str, str], body: PostedBody, query: str
) -> Answer:
    """Return the response to a request. Errors of the server are logged.

    Args:
        route: The endpoint.
        views: The form.
        headers: The headers, by names in lower case, or in any case if the mapping ignores case.
        body: The body. A framework reads one that `is_multipart`, with its own parser, within
            `MAX_FIELDS` texts and as many files (a browser sends an empty one for each place where
            none was chosen); what that refuses is `unreadable_multipart`.
        query: The query of the address, without its question mark.
    """
    is_page = route.name != "check" and "text/html" in headers.get("accept", "")
    language = views.language(headers.get("accept-language"))
    with speaking(language):
        answer = _answer(route, views, headers, body, query)
        if is_page and answer.media_type == PROBLEM_JSON:
            answer = _problem_page(answer, language)
    if answer.media_type != _HTML:
        return answer
    return answer._replace(headers={"Content-Language": language.tag, **answer.headers})


def _answer(
    route: FormRoute, views: FormViews, headers: Mapping[str, str], body: PostedBody, query: str
) -> Answer:
    try:
        if route.method == "GET":
            answer = route.call(views, _query_parameters(query))
        elif is_cross_site(headers):
            answer = CROSS_SITE
        elif body is None:
            answer = TOO_LARGE
        elif isinstance(body, WidgetSchemaError):
            raise body
        elif isinstance(body, bytes):
            answer = route.call(views, posted_fields(headers.get("content-type", ""), body))
        else:
            answer = route.call(views, body)
    except WidgetSchemaError as error:
        found = problem_of(error, unknown_type=500)  # the type of stored data
        if found.status >= 500:
            _LOG.error("%s of a form: %s", route.name, error, exc_info=error)
        answer = answer_to(found)
    return answer


def _after_saving(address: str, merged: int) -> str:
    """Return an address whose query says that data was saved, with the number of merged edits."""
    parts = urlsplit(address)
    said = {_MERGED: merged} if merged else {_SAVED: 1}
    query = "&".join(filter(None, (parts.query, urlencode(said))))
    return parts._replace(query=query).geturl()


def _query_parameters(query: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(query, errors="replace", max_num_fields=100)
    except ValueError:  # more than that: none is ours
        return []


def _saved_notice(query: list[tuple[str, str]]) -> str:
    """Return the notice of the page after saving; anybody can make up its query."""
    given = dict(query)
    number = given.get(_MERGED, "")
    if number.isascii() and number.isdigit() and len(number) <= 4 and int(number) > 0:
        return text("notice.merged", number=int(number))
    return text("notice.saved") if given.get(_SAVED) == "1" else ""


def _problem_page(answer: Answer, language: Language) -> Answer:
    """Return the page that tells a person what problem details tell a program.

    What they say themselves is for developers, in English.
    """
    told = json.loads(answer.body)
    number = answer.status
    known = str(number) if number in _EXPLAINED else "unavailable" if number >= 500 else "other"
    title, advice, label, own_title, detail = map(
        html.escape,
        (
            problem_text(f"problem.{known}"),
            problem_text(f"problem.{known}.advice"),
            problem_text("problem.details"),
            str(told["title"]),
            str(told["detail"]),
        ),
    )
    page = (
        f'<!doctype html>\n<html lang="{language.tag}" dir="{language.direction}">\n'
        '<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{title}</title>\n<style>\n{stylesheet()}\n</style>\n"
        f'<body class="ws-page">\n<main>\n<h1>{title}</h1>\n<p>{advice}</p>\n'
        f"<details>\n<summary>{label}</summary>\n"
        f'<p lang="en" dir="ltr">{number} {own_title}: {detail}</p>\n</details>\n'
        "</main>\n</html>\n"
    )
    policy = _POLICY.format("'unsafe-inline'")
    headers = {**answer.headers, "Content-Security-Policy": policy}
    return Answer(number, page.encode(errors="replace"), _HTML, headers)


def _is_of_page(form: Form, fields: PostedFields) -> bool:
    """Return True if the page that posted the fields shows a form of the same text."""
    base = prefixed(form.prefix, BASE)
    return all(value == form.base for name, value in fields if name == base)


def _require_controls(fields: PostedFields) -> None:
    """Raise `FormError` if no control of a form is among the fields."""
    if not any(is_control(name) for name, _ in fields):
        raise FormError("the request has no control of the form: send the form that the page shows")


def is_multipart(content_type: str) -> bool:
    """Return True for the body of a form with files (RFC 7578).

    Args:
        content_type: The header `Content-Type` of the request.
    """
    return _media_type(content_type) == _MULTIPART


def unreadable_multipart(body: bytes) -> WidgetSchemaError:
    """Return the error about a body that the parser of a framework has refused.

    Args:
        body: The body.
    """
    count = body.count(b"form-data")  # at least one for each part
    if count > MAX_FIELDS:
        return TooManyFields(count, MAX_CONTROLS)
    return FormError(f"the form cannot be read: its body is not {_MULTIPART}")


def _media_type(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()


def posted_fields(content_type: str, body: bytes) -> PostedFields:
    """Return the controls in the body of a request (URL standard, section 5.1).

    Args:
        content_type: The header `Content-Type` of the request.
        body: The body, at most `MAX_FORM_BYTES` long.

    Raises:
        FormError: The body is of another content type, or has more controls than a form may have.
    """
    if _media_type(content_type) != _URLENCODED:
        raise FormError(f"send the form as {_URLENCODED} or {_MULTIPART}")
    separators = body.count(b"&")
    if separators >= MAX_FIELDS:
        raise TooManyFields(separators + 1, MAX_CONTROLS)
    return parse_qsl(body.decode(errors="replace"), keep_blank_values=True, errors="replace")


def is_cross_site(headers: Mapping[str, str]) -> bool:
    """Return whether a browser sent a request for a page of another site.

    Such a request has the cookies of a person who did not intend it. Clients that are not browsers
    send neither of the headers that are examined (Fetch Metadata; RFC 6454).

    Args:
        headers: The headers, by names in lower case, or in any case if the mapping ignores case.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != headers.get("host")


@cache
def assets_version() -> str:
    """Return the part of the assets' address that changes with their content."""
    texts = "".join(text() for _, text in _ASSETS.values())
    return sha256(texts.encode()).hexdigest()[:16]


def asset(path: str) -> Answer:
    """Return the stylesheet or a script.

    Args:
        path: The part of the address after `assets`: the version, a slash, and the name of a file.

    Returns:
        The file, to be cached for a year; 404 for another file or version.
    """
    version, _, name = path.rpartition("/")
    if name not in _ASSETS or version != assets_version():
        return _NOT_FOUND
    media_type, body = _ASSETS[name]
    headers = {**_NOSNIFF, "Cache-Control": "public, max-age=31536000, immutable"}
    return Answer(200, body().encode(), f"{media_type}; charset=utf-8", headers)


def answer_to(found: Problem | WidgetSchemaError) -> Answer:
    """Return the response to a problem or an error."""
    if not isinstance(found, Problem):
        found = problem_of(found)
    headers = {**_NOSNIFF, **found.headers, "Cache-Control": "no-store"}
    return Answer(found.status, found.to_bytes(), PROBLEM_JSON, headers)


def answer_to_request(
    error: WidgetSchemaError, request: str, parameters: Collection[object]
) -> Answer:
    """Return the response to an error that a view raised. Errors of the server are logged.

    Args:
        error: The error.
        request: The method and the path of the request, for the log.
        parameters: The values of the path's parameters: a type that one of them names is not found,
            while one in the body cannot be processed.
    """
    is_named = getattr(error, "id", None) in parameters
    found = problem_of(error, unknown_type=404 if is_named else 422)
    if found.status >= 500:
        _LOG.error("%s: %s", request, error, exc_info=error)
    return answer_to(found)


_NOT_FOUND: Final = answer_to(problem(404, "there is no such widget data"))
CROSS_SITE: Final = answer_to(problem(403, "the request comes from a page of another site"))
TOO_LARGE: Final = answer_to(problem(413, f"a form may have {MAX_FORM_BYTES:,} bytes"))

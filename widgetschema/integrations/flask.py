"""Flask: checked request bodies, problem details for errors, and a blueprint for forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial, wraps
from io import BytesIO
from typing import Any, Protocol, TypeVar, cast

from widgetschema.integrations import importing, require_for_forms

with importing("flask"):
    from flask import Blueprint, Flask, Response, current_app, request
    from werkzeug.exceptions import ClientDisconnected, RequestEntityTooLarge
    from werkzeug.formparser import FormDataParser
    from werkzeug.http import parse_options_header

from widgetschema.catalog.catalog import Catalog
from widgetschema.errors import UnreadableDocument, WidgetSchemaError
from widgetschema.forms.html.rendering import PageOptions
from widgetschema.integrations import CatalogSource, form_views, require_catalog, require_type
from widgetschema.integrations.bodies import (
    MAX_BODY_BYTES,
    checked_body,
    cut_off,
    require_json,
    too_large,
)
from widgetschema.integrations.form_views import Answer, FormRoute, StoredData
from widgetschema.integrations.problems import naming_type

View = TypeVar("View", bound=Callable[..., Any])


def widget_data(
    type: str | None = None,
    *,
    path: str | None = None,
    document: bool = False,
    argument: str = "body",
    catalog: CatalogSource = Catalog.default,
    max_bytes: int = MAX_BODY_BYTES,
) -> Callable[[View], View]:
    """Check the body of each request before a view gets it: a decorator, below the route.

    The view gets a `CheckedBody` as a keyword argument. It is not called for other bodies: these
    are answered with problem details, or by a handler that the application has for the error.
    Requests without a body, such as `GET`, need a view of their own.

    Args:
        type: The id of the widget type.
        path: The parameter of the URL that has the id, if there is no `type`.
        document: The body is a widget document, not the data alone. Its property `type` has the id
            if neither `type` nor `path` is given.
        argument: The name of the keyword argument.
        catalog: The catalog, or a function that returns it.
        max_bytes: The size of the largest body, unless `MAX_CONTENT_LENGTH` is smaller.

    Raises:
        TypeError: Unless the widget type is given in exactly one way.
    """
    require_type("widget_data", type, path=path, document=document)
    require_catalog(catalog)

    def decorate(view: View) -> View:
        @wraps(view)
        def checked(*instance: Any, **arguments: Any) -> Any:  # of a `MethodView`
            if path is not None and path not in arguments:
                raise TypeError(f"the URL has no parameter {path!r}, which widget_data names")
            id = type if path is None else arguments[path]
            try:
                require_json(
                    request.headers.getlist("Content-Type"),
                    request.headers.get("Content-Encoding", "").split(","),
                )
                raw = _body(max_bytes)
                with naming_type(type):
                    body = checked_body(raw, id, catalog, is_document=document, max_bytes=max_bytes)
            except WidgetSchemaError as error:
                try:
                    return current_app.handle_user_exception(error)
                except WidgetSchemaError:  # the application has no handler
                    return _problem_response(error)
            return current_app.ensure_sync(view)(*instance, **arguments, **{argument: body})

        return cast("View", checked)

    return decorate


def _body(max_bytes: int) -> bytes:
    """Return the body of the request. Raise `UnreadableDocument` if it is too large."""
    known = request.max_content_length
    most = max_bytes if known is None else min(known, max_bytes)
    request.max_content_length = most + 1  # a body without a length is cut there, without an error
    try:
        body = request.get_data(parse_form_data=False)
    except RequestEntityTooLarge:
        raise too_large(most) from None
    except ClientDisconnected:
        raise cut_off() from None
    if len(body) > most:
        raise too_large(most)
    return body


def add_problem_handlers(app: Flask | Blueprint) -> None:
    """Answer errors of this package that views raise with problem details (RFC 9457).

    Errors of the server are logged, by the logger `widgetschema`; their responses say little.

    Args:
        app: The application, or a blueprint.
    """
    app.register_error_handler(WidgetSchemaError, _problem_response)


def _problem_response(error: WidgetSchemaError) -> Response:
    parameters = [*(request.view_args or {}).values()]
    about = f"{request.method} {request.path}"
    return _response(form_views.answer_to_request(error, about, parameters))


def _response(answer: Answer) -> Response:
    return Response(answer.body, answer.status, answer.sent_headers)


def _posted(body: bytes) -> form_views.PostedBody:
    """Return the body of a form, as fields if it is multipart."""
    content_type = request.headers.get("Content-Type", "")
    if not form_views.is_multipart(content_type):
        return body
    parser = FormDataParser(
        stream_factory=lambda *_, **__: BytesIO(),  # it is in memory already
        max_form_memory_size=len(body),
        max_form_parts=2 * form_views.MAX_FIELDS,  # texts and files, of which most are empty
        silent=False,
    )
    media_type, options = parse_options_header(content_type)
    try:
        _, texts, files = parser.parse(BytesIO(body), media_type, len(body), options)
    except (ValueError, RequestEntityTooLarge):
        return form_views.unreadable_multipart(body)
    chosen = [(name, file.read()) for name, file in files.items(multi=True) if file.filename]
    found = [*texts.items(multi=True), *chosen]
    if len(found) > form_views.MAX_FIELDS or None in texts or None in files:  # parts without names
        return form_views.unreadable_multipart(body)
    return found


class FormStore(Protocol):
    """The data behind the forms of an application; `flask.request` is the current request."""

    def load(self, key: str) -> StoredData | None:
        """Return the stored data, or None if there is none, or not for the user of the request."""

    def save(self, key: str, text: str, before: str) -> bool:
        """Store a new text and return True; return False if `before` is not stored any more."""


def form_blueprint(
    store: FormStore,
    *,
    name: str = "widget_forms",
    ui: Mapping[str, Any] | None = None,
    options: PageOptions | None = None,
    lang: form_views.Lang = None,
    preview: Callable[[Any], str] | None = None,
) -> Blueprint:
    """Return the endpoints of forms, as a blueprint.

    Register it with `app.register_blueprint(form_blueprint(store), url_prefix="/forms")`.
    `GET /KEY` shows the form of the data with this key, `POST /KEY` saves it, `POST /KEY/check`
    answers live checks, and `GET /assets/…` are the stylesheet and the script. Requests that a page
    of another site makes a browser send are refused.

    Args:
        store: Loads and saves.
        name: The name of the blueprint: several on one application need different ones.
        ui: The UI description, see `WidgetType.form`.
        options: Options of `Form.page`, such as `title`.
        lang: The language of the forms, or `Languages`, of which each person gets the one that the
            browser asks for (`Accept-Language`); by default those of this package.
        preview: Returns a whole HTML page for some data, which may be invalid. It is shown beside
            the form, live, without any rights: `GET` and `POST /KEY/preview`.

    Raises:
        MissingExtra: If a library that forms need is not installed.
        TypeError, InvalidTemplate, UnknownLanguage: If an argument cannot be used.
    """
    require_for_forms("flask")
    form_views.require_usable(store, ("key",), options, lang, preview)
    blueprint = Blueprint(name, __name__)

    def respond(route: FormRoute, key: str) -> Response:
        body: form_views.PostedBody = None
        with suppress(UnreadableDocument):  # it is too large
            body = _posted(_body(form_views.MAX_FORM_BYTES))
        load, save = partial(store.load, key), partial(store.save, key)
        views = form_views.views_at(key, load, save, ui, options, lang, preview)
        query = request.query_string.decode(errors="replace")
        headers = {name.lower(): value for name, value in request.headers}
        return _response(form_views.respond(route, views, headers, body, query))

    for route in form_views.ROUTES:
        path = f"/<key>{route.suffix}"
        named = {"route": route}  # extensions such as Flask-WTF want functions with names
        blueprint.add_url_rule(path, route.name, respond, defaults=named, methods=[route.method])

    @blueprint.get(f"/{form_views.ASSETS}/<path:path>")
    def assets(path: str) -> Response:
        return _response(form_views.asset(path))

    return blueprint

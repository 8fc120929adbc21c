"""Starlette: checked request bodies, problem details for errors, and routers for forms and schemas.

Bodies are read once, within a limit. Everything that may block (compiling and fetching schemas,
reading and storing data) is done in a thread, so the event loop never waits for it.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Final, NamedTuple, Protocol

from widgetschema.integrations import (
    catalog_of,
    importing,
    require_catalog,
    require_for_forms,
    require_type,
)

with importing("starlette"):
    from starlette.applications import Starlette
    from starlette.concurrency import run_in_threadpool
    from starlette.formparsers import MultiPartException, MultiPartParser
    from starlette.requests import ClientDisconnect, Request
    from starlette.responses import Response
    from starlette.routing import Route, Router

from widgetschema.catalog.catalog import Catalog
from widgetschema.errors import UnreadableDocument, WidgetSchemaError
from widgetschema.forms.html.rendering import PageOptions
from widgetschema.integrations import asgi, form_views
from widgetschema.integrations.bodies import (
    MAX_BODY_BYTES,
    CheckedBody,
    cut_off,
    require_json,
    too_large,
)
from widgetschema.integrations.form_views import Answer, FormRoute, StoredData
from widgetschema.integrations.problems import RefusedRequest, naming_type
from widgetschema.jsontext import dump

_BODY: Final = "widgetschema_body"  # in the state of a request
_ERROR: Final = "widgetschema_error"
# The handlers of the application, in the scope of a request. It is not documented, but the only way
# to answer for a function that an endpoint calls; without it, the error is not answered.
_HANDLERS: Final = "starlette.exception_handlers"
CatalogOf = Catalog | Callable[[Request], Catalog] | None
"""A catalog, a function that returns that of a request (it is called in a thread), or None for the
default catalog."""


class TypeOf(NamedTuple):
    """The place of the widget type in a request: `id` is fixed, `path` and `query` are parameters.

    With `document`, the body is a widget document, whose property `type` names the type if nothing
    else does.
    """

    id: str | None = None
    path: str | None = None
    query: str | None = None
    document: bool = False


async def checked_body(
    request: Request,
    type: TypeOf | str,
    *,
    catalog: CatalogOf = None,
    max_bytes: int = MAX_BODY_BYTES,
) -> CheckedBody:
    """Return the body of a request, if it is valid widget data.

    An error that the endpoint does not catch is answered with problem details, or by a handler that
    the application has for it.

    Args:
        request: The request; its body is JSON.
        type: The widget type, or where the request names it.
        catalog: The catalog, or a function that returns that of a request.
        max_bytes: The size of the largest body.

    Raises:
        InvalidWidgetData: The data is invalid, with lines and columns; at most 100 findings.
        UnreadableDocument: The body is not JSON, or too large.
        RefusedRequest: The body has another content type (415), or a parameter is missing (422).
        WidgetSchemaError: The widget type is unknown, or cannot be used.
        TypeError: Unless the widget type is named in exactly one way.
    """
    headers = request.headers
    where = type if isinstance(type, TypeOf) else TypeOf(type)
    require_type("TypeOf", where.id, path=where.path, query=where.query, document=where.document)
    with _answered(request), naming_type(where.id):
        require_json(headers.getlist("content-type"), headers.getlist("content-encoding"))
        raw = await _body(request, max_bytes)
        return await asgi.checked_body(
            raw,
            _type_id(request, where),
            partial(_catalog, request, catalog),
            is_document=where.document,
            max_bytes=max_bytes,
        )


async def _body(request: Request, max_bytes: int) -> bytes:
    """Return the body, read once: other parts of the application may ask for it as well."""
    known: bytes | None = getattr(request.state, _BODY, None)
    if known is None:
        known = await read_body(request, max_bytes)
        setattr(request.state, _BODY, known)
    return known


async def read_body(request: Request, max_bytes: int) -> bytes:
    """Return the body of a request.

    Raises `UnreadableDocument` as soon as it is too large, and `RefusedRequest` if it is cut off.
    """
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and len(announced) < 20 and int(announced) > max_bytes:
        raise too_large(max_bytes)
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > max_bytes:
                raise too_large(max_bytes)
    except ClientDisconnect:
        raise cut_off() from None
    return bytes(body)


def _type_id(request: Request, where: TypeOf) -> str | None:
    """Return the id of the widget type of a request; None if its document names it."""
    if where.path is not None:
        require_parameter(request, where.path)
        return str(request.path_params[where.path])
    if where.query is not None:
        id = request.query_params.get(where.query)
        if id is None:
            detail = f"the query parameter {where.query!r} must name the widget type"
            raise RefusedRequest(422, detail)
        return id
    return where.id


def require_parameter(request: Request, name: str) -> None:
    """Raise `TypeError` if the path of the endpoint has no parameter with this name."""
    if name not in request.path_params:
        raise TypeError(f"the path of {request.url.path} has no parameter {name!r}")


def _catalog(request: Request, catalog: CatalogOf) -> Catalog:
    return Catalog.default() if catalog is None else catalog_of(catalog, request)


# Errors


def add_problem_handlers(app: Starlette) -> None:
    """Answer errors of this package that endpoints raise with problem details (RFC 9457).

    Errors of the server are logged, by the logger `widgetschema`; their responses say little.

    Args:
        app: The application, of Starlette or FastAPI.
    """
    app.add_exception_handler(WidgetSchemaError, _problem_response)


@contextmanager
def _answered(request: Request) -> Iterator[None]:
    """Let errors be answered by `_problem_response` if the application has no handler for them.

    Errors that an endpoint raises itself are left to the application.
    """
    try:
        yield
    except WidgetSchemaError as error:
        handlers = request.scope.get(_HANDLERS, ({},))[0]
        if not any(kind in handlers for kind in type(error).__mro__):
            handlers[type(error)] = _own_problem_response
        setattr(request.state, _ERROR, error)
        raise


async def _own_problem_response(request: Request, error: Exception) -> Response:
    if getattr(request.state, _ERROR, None) is not error:
        raise error
    return await _problem_response(request, error)


async def _problem_response(request: Request, error: Exception) -> Response:
    assert isinstance(error, WidgetSchemaError)
    about, parameters = f"{request.method} {request.url.path}", [*request.path_params.values()]
    return _response(form_views.answer_to_request(error, about, parameters))


def _response(answer: Answer) -> Response:
    return Response(answer.body, answer.status, answer.sent_headers)


# Forms


async def _posted(request: Request, body: bytes) -> form_views.PostedBody:
    """Return the body of a form, as fields if it is multipart."""
    if not form_views.is_multipart(request.headers.get("content-type", "")):
        return body

    async def stream() -> AsyncGenerator[bytes, None]:
        yield body

    parser = MultiPartParser(
        request.headers,
        stream(),
        max_files=form_views.MAX_FIELDS,
        max_fields=form_views.MAX_FIELDS,
        max_part_size=len(body),
    )
    try:
        form = await parser.parse()
    except MultiPartException:
        return form_views.unreadable_multipart(body)
    pairs = [
        (name, value if isinstance(value, str) else await value.read())
        for name, value in form.multi_items()
        if isinstance(value, str) or value.filename  # else none was chosen
    ]
    await form.close()
    return pairs


class FormStore(Protocol):
    """The data behind the forms of an application. Its methods are called in threads."""

    def load(self, request: Request, key: str) -> StoredData | None:
        """Return the stored data, or None if there is none, or not for the user of the request."""

    def save(self, request: Request, key: str, text: str, before: str) -> bool:
        """Store a new text and return True; return False if `before` is not stored any more."""


def form_router(
    store: FormStore,
    *,
    ui: Mapping[str, Any] | None = None,
    options: PageOptions | None = None,
    lang: form_views.Lang = None,
    preview: Callable[[Any], str] | None = None,
) -> Router:
    """Return the endpoints of forms.

    Mount it with `app.mount("/forms", form_router(store))`. `GET /KEY` shows the form of the data
    with this key, `POST /KEY` saves it, `POST /KEY/check` answers live checks, and `GET /assets/…`
    are the stylesheet and the script. Requests that a page of another site makes a browser send are
    refused.

    Args:
        store: Loads and saves.
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
    require_for_forms("starlette", "python_multipart")
    form_views.require_usable(store, ("request", "key"), options, lang, preview)

    def endpoint(route: FormRoute) -> Callable[[Request], Awaitable[Response]]:
        async def respond(request: Request) -> Response:
            body: form_views.PostedBody = None
            with suppress(UnreadableDocument):  # it is too large
                body = await _posted(request, await read_body(request, form_views.MAX_FORM_BYTES))
            key = request.path_params["key"]
            load, save = partial(store.load, request, key), partial(store.save, request, key)
            views = form_views.views_at(key, load, save, ui, options, lang, preview)
            answer = await run_in_threadpool(
                form_views.respond, route, views, request.headers, body, request.url.query
            )
            return _response(answer)

        return respond

    def assets(request: Request) -> Response:
        return _response(form_views.asset(request.path_params["path"]))

    return Router(
        [
            Route(f"/{form_views.ASSETS}/{{path:path}}", assets),
            *(
                Route(f"/{{key}}{route.suffix}", endpoint(route), methods=[route.method])
                for route in form_views.ROUTES
            ),
        ]
    )


# Schemas


def schema_router(catalog: CatalogOf = None) -> Router:
    """Return an endpoint for schemas.

    Mount it with `app.mount("/schemas", schema_router())`. `GET /ID` is the schema of the data of a
    widget type, self-contained, in 2020-12 or, with `?dialect=draft-07`, in that. Its `ETag`
    changes with the schema.

    Args:
        catalog: The catalog, or a function that returns that of a request.
    """
    if catalog is not None:
        require_catalog(catalog, "request")

    async def schema(request: Request) -> Response:
        with _answered(request):
            return await run_in_threadpool(_schema_response, request, catalog)

    return Router([Route("/{id}", schema)])


def _schema_response(request: Request, catalog: CatalogOf) -> Response:
    dialect = request.query_params.get("dialect", "2020-12")
    if dialect not in ("draft-07", "2020-12"):
        refused = RefusedRequest(422, "the dialect must be draft-07 or 2020-12")
        return _response(form_views.answer_to(refused))
    widget_type = _catalog(request, catalog)[request.path_params["id"]]
    tag = f'"{widget_type.linked_digest[:32]}-{dialect}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    known = request.headers.get("if-none-match", "")
    if tag in [one.strip().removeprefix("W/") for one in known.split(",")]:
        return Response(None, 304, headers)
    text = dump(widget_type.data_schema(dialect=dialect))  # type: ignore[arg-type]
    return Response(text, 200, headers, "application/schema+json")

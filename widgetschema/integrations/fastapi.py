"""FastAPI: widget data as a parameter of an endpoint, checked, and described in OpenAPI.

app = FastAPI()
install(app)

@app.put("/widgets/{id}")
def save(id: str, data: Annotated[dict, WidgetData("countdown")]) -> None: ...
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import deepcopy
from typing import Annotated, Any, Final, NoReturn
from weakref import WeakValueDictionary

from widgetschema.integrations import importing, require_catalog, require_type

with importing("fastapi"):
    from fastapi import Depends, FastAPI, Header, Path, Query, params
    from starlette.concurrency import run_in_threadpool
    from starlette.requests import Request
    from starlette.types import ASGIApp, Receive, Scope, Send

from widgetschema.catalog.catalog import Catalog
from widgetschema.errors import WidgetSchemaError
from widgetschema.integrations.bodies import MAX_BODY_BYTES, CheckedBody
from widgetschema.integrations.problems import PROBLEM_JSON
from widgetschema.integrations.starlette import (
    CatalogOf,
    FormStore,
    TypeOf,
    add_problem_handlers,
    checked_body,
    form_router,
    require_parameter,
    schema_router,
)
from widgetschema.schema.standalone import safe_name

__all__ = [
    "CheckedBody",
    "FormStore",
    "WidgetBody",
    "WidgetData",
    "form_router",
    "install",
    "schema_router",
]
_LOG: Final = logging.getLogger("widgetschema")
_COMPONENTS: Final = "#/components/schemas/"
_REFUSED: Final = {
    "400": "The body is not JSON",
    "404": "The path names an unknown widget type",
    "413": "The body is too large",
    "415": "The body is not application/json in UTF-8",
    "422": "The widget data is invalid",
}
_PROBLEM: Final[dict[str, Any]] = {
    "title": "Problem details (RFC 9457)",
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "truncated": {"type": "boolean"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["detail", "pointer", "code"],
                "properties": {
                    "detail": {"type": "string"},
                    "pointer": {"type": "string"},
                    "code": {"type": "string"},
                    "hint": {"type": "string"},
                    "line": {"type": "integer"},
                    "column": {"type": "integer"},
                },
            },
        },
    },
}
_MARKER: Final = "x-widget-data"
_BODIES: Final[WeakValueDictionary[str, _Body]] = WeakValueDictionary()


class _Body:
    """The data that an endpoint takes from the body of a request, also for OpenAPI."""

    def __init__(
        self, type: TypeOf, types: Sequence[str], catalog: CatalogOf, max_bytes: int
    ) -> None:
        if catalog is not None:
            require_catalog(catalog, "request")
        if isinstance(types, str):
            raise TypeError(f"types must be a list such as [{types!r}], not a text")
        self.type = type
        self.types = tuple(types) or ((type.id,) if type.id is not None else ())
        self.catalog = catalog
        self.max_bytes = max_bytes
        self.key = f"{id(self):x}"
        _BODIES[self.key] = self

    @property
    def described_catalog(self) -> Catalog | None:
        """The catalog whose types OpenAPI describes; None if it depends on the request."""
        if self.catalog is None:
            return Catalog.default()
        return self.catalog if isinstance(self.catalog, Catalog) else None

    async def read(self, request: Request) -> CheckedBody:
        """Return the checked body of a request."""
        return await checked_body(
            request, self.type, catalog=self.catalog, max_bytes=self.max_bytes
        )

    @property
    def signature(self) -> inspect.Signature:
        """The parameters by which FastAPI documents the dependency.

        The header is declared only to be found in the OpenAPI document, see `_with_widget_data`.
        """
        marker = Header(
            alias="Content-Type",
            description="application/json; install(app) describes the body in place of this header",
            json_schema_extra={_MARKER: self.key},
        )
        declared: dict[str, Any] = {
            "request": Request,
            "content_type": Annotated[str | None, marker],
        }
        if (name := self.type.path) is not None:
            # FastAPI would take a parameter that is not there for a mistake of the client.
            async def has_parameter(request: Request) -> None:
                require_parameter(request, name)

            declared["has_parameter"] = Annotated[None, Depends(has_parameter)]
            declared["path"] = Annotated[str, Path(alias=self.type.path)]
        if self.type.query is not None:
            declared["query"] = Annotated[str, Query(alias=self.type.query)]
        kind = inspect.Parameter.KEYWORD_ONLY
        empty = inspect.Parameter.empty
        return inspect.Signature(
            [
                inspect.Parameter(
                    name,
                    kind,
                    annotation=annotation,
                    default=None if name == "content_type" else empty,
                )
                for name, annotation in declared.items()
            ]
        )

    def dependency(self, result: Callable[[CheckedBody], Any]) -> Any:
        """Return the dependency on a part of the checked body."""

        async def read(*, request: Request, **others: Any) -> Any:
            """Return a part of the checked body."""
            return result(await self.read(request))

        read.__signature__ = self.signature  # type: ignore[attr-defined]
        return _Dependency(read)


def _refuse_field(*_: object) -> NoReturn:
    """Raise `TypeError` where pydantic asks for the schema of a field, which would be unchecked."""
    raise TypeError(
        'WidgetData("countdown") and WidgetBody("countdown") of widgetschema.integrations.fastapi '
        "annotate parameters of endpoints; for a field of a model, import WidgetData from "
        "widgetschema.integrations.pydantic"
    )


class _Dependency(params.Depends):
    """A dependency that pydantic does not pass over, as it does with annotations of others."""

    __get_pydantic_core_schema__ = staticmethod(_refuse_field)


def WidgetBody(  # noqa: N802  # as FastAPI names `Depends`
    id: str | None = None,
    *,
    path: str | None = None,
    query: str | None = None,
    document: bool = False,
    types: Sequence[str] = (),
    catalog: CatalogOf = None,
    max_bytes: int = MAX_BODY_BYTES,
) -> Any:
    """Return a dependency on widget data in the body of a request, with its type and its text.

    Annotate a parameter with `Annotated[CheckedBody, WidgetBody("countdown")]`. Store its `text`:
    it is exactly what was sent. Pass one of `id`, `path` and `query`, or `document`.

    Args:
        id: The widget type.
        path: The path parameter that names the widget type.
        query: The query parameter that names the widget type.
        document: Whether the body is a whole widget document, with the data in its property `data`;
            its property `type` names the widget type, and must agree with any of the above.
        types: The widget types to describe in OpenAPI, if `id` is not given.
        catalog: The catalog, or a function that returns that of a request (it is called in a
            thread). OpenAPI describes types of a catalog only; by default, the default one.
        max_bytes: The size of the largest body.

    Raises:
        TypeError: If nothing, or more than one argument, names the widget type.
    """
    require_type("WidgetBody", id, path=path, query=query, document=document)
    body = _Body(TypeOf(id, path, query, document), types, catalog, max_bytes)
    return body.dependency(lambda checked: checked)


def WidgetData(  # noqa: N802
    id: str | None = None,
    *,
    path: str | None = None,
    query: str | None = None,
    document: bool = False,
    types: Sequence[str] = (),
    catalog: CatalogOf = None,
    max_bytes: int = MAX_BODY_BYTES,
) -> Any:
    """Return a dependency on widget data in the body of a request.

    Annotate a parameter with `Annotated[dict, WidgetData("countdown")]`: it gets the data or, with
    `document`, the widget document. Use `WidgetBody` to store the text as it was sent. FastAPI does
    not compare the annotation with what a dependency returns: a `CheckedBody` comes from
    `WidgetBody` only.

    Args:
        id: The widget type.
        path: See `WidgetBody`, as for all further arguments.
        query: See `WidgetBody`.
        document: See `WidgetBody`.
        types: See `WidgetBody`.
        catalog: See `WidgetBody`.
        max_bytes: See `WidgetBody`.

    Raises:
        TypeError: If nothing, or more than one argument, names the widget type.
    """
    require_type("WidgetData", id, path=path, query=query, document=document)
    body = _Body(TypeOf(id, path, query, document), types, catalog, max_bytes)
    return body.dependency(lambda checked: checked.document if document else checked.data)


WidgetBody.__get_pydantic_core_schema__ = _refuse_field  # type: ignore[attr-defined]
WidgetData.__get_pydantic_core_schema__ = _refuse_field  # type: ignore[attr-defined]


def install(app: FastAPI) -> None:
    """Describe widget data in OpenAPI, and answer errors that endpoints raise with problem details.

    Without it, checked bodies are refused in the same way, but `/openapi.json` does not have them.

    Args:
        app: The application. Endpoints may be added before and after this call.
    """
    add_problem_handlers(app)
    described = app.openapi

    def openapi() -> dict[str, Any]:
        """Return the OpenAPI of the application; schemas in it are those in force."""
        return _with_widget_data(described())

    app.openapi = openapi  # type: ignore[method-assign]  # as FastAPI documents it
    app.add_middleware(_SchemasFirst, application=app)


class _SchemasFirst:
    """Compiles and fetches the schemas of OpenAPI in a thread, before the event loop needs them."""

    def __init__(self, app: ASGIApp, *, application: FastAPI) -> None:
        self.app = app
        self.application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        address = self.application.openapi_url
        if address and scope["type"] == "http" and scope["path"].endswith(address):
            await run_in_threadpool(self.application.openapi)
        await self.app(scope, receive, send)


# OpenAPI


def _with_widget_data(document: dict[str, Any]) -> dict[str, Any]:
    """Return an OpenAPI document with the widget data of all endpoints."""
    document = deepcopy(document)  # FastAPI keeps the original
    schemas: dict[str, Any] = {}
    taken = frozenset(document.get("components", {}).get("schemas", {}))
    for operations in document.get("paths", {}).values():
        for operation in operations.values():
            if isinstance(operation, dict):
                _describe(operation, schemas, taken)
    if schemas:
        document.setdefault("components", {}).setdefault("schemas", {}).update(schemas)
    return document


def _describe(operation: dict[str, Any], schemas: dict[str, Any], taken: frozenset[str]) -> None:
    """Put the widget data of an operation in the place of its marker.

    The schemas that it refers to are added to `schemas`; those of the application are `taken`.
    """
    for parameter in list(operation.get("parameters", ())):
        body = _BODIES.get(str(parameter.get("schema", {}).get(_MARKER)))
        if body is None:
            continue
        operation["parameters"].remove(parameter)
        content = {"schema": _body_schema(body, schemas, taken), **_examples(body)}
        operation["requestBody"] = {"required": True, "content": {"application/json": content}}
        responses = operation.setdefault("responses", {})
        for status, description in _REFUSED.items():
            if status == "404" and body.type.path is None:
                continue
            response = responses.setdefault(status, {"description": description})
            if status == "422" and not operation["parameters"]:  # FastAPI itself refuses nothing
                response = responses[status] = {"description": description}
            problem = {"schema": {"$ref": f"{_COMPONENTS}WidgetProblem"}}
            response["content"] = {PROBLEM_JSON: problem, **response.get("content", {})}
        schemas["WidgetProblem"] = _PROBLEM
    if not operation.get("parameters", True):
        del operation["parameters"]


def _body_schema(body: _Body, schemas: dict[str, Any], taken: frozenset[str]) -> dict[str, Any]:
    """Return the schema of a body; those of its widget types are added to `schemas`."""
    catalog = body.described_catalog
    if catalog is None:
        return {"description": "Widget data; its schema depends on the request."}
    forms = [_type_schema(catalog, id, schemas, taken) for id in body.types]
    if body.type.document:
        forms = [_document_schema(id, form) for id, form in zip(body.types, forms, strict=True)]
    if len(forms) == 1:
        return forms[0]
    return {"anyOf": forms} if forms else {"description": "Widget data of any type."}


def _examples(body: _Body) -> dict[str, Any]:
    """Return a body for each widget type that is described, as the member `examples`."""
    catalog = body.described_catalog
    if catalog is None:
        return {}
    examples: dict[str, Any] = {}
    for id in body.types:
        with suppress(WidgetSchemaError):  # there may be no valid data
            data = catalog[id].sample()
            examples[id] = {"value": {"type": id, "data": data} if body.type.document else data}
    return {"examples": examples} if examples else {}


def _document_schema(id: str, form: dict[str, Any]) -> dict[str, Any]:
    members = {"type": {"const": id}, "data": form}
    return {"type": "object", "required": ["type", "data"], "properties": members}


def _type_schema(
    catalog: Catalog, id: str, schemas: dict[str, Any], taken: frozenset[str]
) -> dict[str, Any]:
    """Return a reference to the schema of a widget type."""
    try:
        schema = catalog[id].data_schema(ref_prefix=_COMPONENTS)
    except WidgetSchemaError as error:  # the rest of the API is described nevertheless
        _LOG.warning("OpenAPI has no schema of widget type %r: %s", id, error)
        return {"description": f"Data of widget type {id!r}; its schema is not available."}
    del schema["$schema"]
    schemas.update(schema.pop("$defs", {}))
    name = safe_name(id)
    while name in taken:  # by a model of the same name
        name += "-data"
    schemas[name] = schema
    return {"$ref": f"{_COMPONENTS}{name}"}

"""Checked bodies, forms and schemas in real applications, called over HTTP."""

import json
import re
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import anyio
import httpx
import jsonschema_rs
import pytest
from fastapi import APIRouter, Depends, FastAPI, Request
from openapi_spec_validator import OpenAPIV31SpecValidator
from pydantic import create_model
from selectolax.lexbor import LexborHTMLParser
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

import widgetschema
from tests.unit.forms.test_html import NODES, PILES
from widgetschema import Catalog
from widgetschema.integrations.fastapi import (
    CheckedBody,
    WidgetBody,
    WidgetData,
    install,
    schema_router,
)
from widgetschema.integrations.problems import PROBLEM_JSON
from widgetschema.integrations.starlette import TypeOf, add_problem_handlers, checked_body
from widgetschema.local_server import serving

APPS = Path(__file__).parents[2] / "data" / "integrations"
DOCS = Path(__file__).parents[3] / "docs"
VALID = b'{"content": {"timerDays": 1.0}, "settings": {}, "styles": {}}'
JSON = {"content-type": "application/json"}


def application(name: str) -> ModuleType:
    spec = spec_from_file_location(name, APPS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


BODY = application("fastapi_body")
GUARD = application("fastapi_guard")
FORMS = application("fastapi_forms")


def client(app: Any) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://app.example")


def send(app: Any, method: str, path: str, **options: Any) -> httpx.Response:
    async def call() -> httpx.Response:
        async with client(app) as http:
            return await http.request(method, path, **options)

    return anyio.run(call)


def put(path: str, body: Any, **headers: str) -> httpx.Response:
    return send(GUARD.app, "PUT", path, content=body, headers={**JSON, **headers})


# ---- The guard ----


def test_valid_data_reaches_the_endpoint() -> None:
    assert put("/previews/1", VALID).json() == ["content", "settings", "styles"]
    assert put("/widgets/countdown/1", b" " + VALID).status_code == 200
    assert GUARD.stored["1"] == f" {VALID.decode()}"


def test_the_guide_shows_the_answer_to_invalid_data() -> None:
    guide = (DOCS / "guides" / "before-saving.md").read_text(encoding="utf-8")
    shown = re.search(r"^\$ curl -X PUT localhost:8000(\S+) --json '(.*)'\n(.*)$", guide, re.M)
    assert shown is not None
    path, body, answer = shown.groups()
    response = send(BODY.app, "PUT", path, content=body, headers=JSON)
    assert response.status_code == 422
    assert re.fullmatch(".*".join(map(re.escape, answer.split("…"))), response.text)
    assert send(BODY.app, "PUT", path, content=VALID, headers=JSON).status_code == 200
    assert [*BODY.stored.values()] == [VALID.decode()]


def test_types_to_describe_restrict_nothing() -> None:
    app = FastAPI()
    catalog = Catalog({id: {"properties": {"data": {"const": id}}} for id in ("a", "b")})

    @app.post("/")
    def create(
        body: Annotated[CheckedBody, WidgetBody(document=True, types=["a"], catalog=catalog)],
    ) -> str:
        return body.widget_type.id

    for id in ("a", "b"):
        response = send(app, "POST", "/", json={"type": id, "data": id})
        assert response.json() == id


def test_invalid_data_is_answered_with_problem_details() -> None:
    body = b'{"content": {"timerDays": "x"},\n "settings": {}}'
    response = put("/previews/1", body)
    assert response.status_code == 422
    assert response.headers["content-type"] == PROBLEM_JSON
    missing, wrong = response.json()["errors"]
    assert (missing["pointer"], missing["code"], missing["line"]) == ("#/styles", "required", 1)
    assert (wrong["pointer"], wrong["line"], wrong["column"]) == ("#/content/timerDays", 1, 27)


HOSTILE: list[tuple[str, bytes, dict[str, str], int, str | None]] = [
    ("no body", b"", {}, 400, "json.empty"),
    ("no JSON", b"{", {}, 400, "json.syntax"),
    ("NaN", b'{"content": NaN}', {}, 400, "json.number"),
    ("too large", b" " * 5_000_000, {}, 413, "json.size"),
    ("many", b'{"content": {' + b", ".join(b'"%d": 1' % n for n in range(1000)) + b"}}", {}, 422,
     "additionalProperties"),
    ("gzip", VALID, {"content-encoding": "gzip"}, 415, None),
    ("UTF-16", VALID, {"content-type": "application/json; charset=utf-16"}, 415, None),
]  # fmt: skip


@pytest.mark.parametrize(
    ("body", "headers", "status", "code"),
    [row[1:] for row in HOSTILE],
    ids=[row[0] for row in HOSTILE],
)
def test_hostile_bodies(
    body: bytes, headers: dict[str, str], status: int, code: str | None
) -> None:
    response = put("/previews/1", body, **headers)
    assert response.status_code == status
    assert len(response.content) < 100_000
    assert response.headers["content-type"] == PROBLEM_JSON
    if code is not None:
        assert code in {error["code"] for error in response.json()["errors"]}


def test_bodies_in_chunks() -> None:
    def chunks(body: bytes) -> Callable[[], AsyncIterator[bytes]]:
        async def parts() -> AsyncIterator[bytes]:
            for at in range(0, len(body), 1_000_000):
                yield body[at : at + 1_000_000]

        return parts

    large = b'{"content": "' + b"x" * 5_000_000 + b'"}'
    assert put("/previews/1", chunks(VALID)()).status_code == 200
    assert put("/previews/1", chunks(large)()).status_code == 413
    merge = {"content-type": "application/merge-patch+json; charset=utf-8"}
    assert put("/previews/1", VALID, **merge).status_code == 200


def test_a_client_that_hangs_up_is_no_error_of_the_server() -> None:
    messages: list[Any] = [
        {"type": "http.request", "body": b"{", "more_body": True},
        {"type": "http.disconnect"},
    ]
    sent: list[Any] = []

    async def receive() -> Any:
        return messages.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http", "method": "PUT", "path": "/previews/1", "query_string": b"",
        "headers": [(b"content-type", b"application/json")],
    }  # fmt: skip
    anyio.run(GUARD.app, scope, receive, send)
    assert sent[0]["status"] == 400


def test_the_type_in_the_path() -> None:
    for type, status in (("countdown", 200), ("countdwn", 404), ("..%2fx", 404), ("plugin", 404)):
        response = put(f"/widgets/{type}/1", VALID)
        assert response.status_code == status, type
    assert "countdown" in put("/widgets/countdwn/1", VALID).json()["nearest"]


@pytest.mark.parametrize(
    ("body", "status", "pointer"),
    [
        (b'{"type": "countdown", "name": "n", "data": %s}' % VALID, 200, None),
        (b'{"type": "countdown", "data": %s}' % VALID, 200, None),
        (b'{"type": "countdown", "name": "n", "data": {}}', 422, "#/data/content"),
        (b'{"type": "countdown", "name": "n"}', 422, "#/data"),
        (b'{"name": "n", "data": {}}', 422, "#/type"),
        (b'{"type": 5, "data": {}}', 422, "#/type"),
        (b"[]", 422, "#"),
        (b'{"type": "nothing", "data": {}}', 422, None),
    ],
)
def test_whole_documents(body: bytes, status: int, pointer: str | None) -> None:
    response = send(GUARD.app, "POST", "/widgets", content=body, headers=JSON)
    assert response.status_code == status
    if pointer is not None:
        assert pointer in {error["pointer"] for error in response.json()["errors"]}
        assert all(error["line"] == 1 for error in response.json()["errors"])


def test_a_body_that_names_no_type_is_called_so() -> None:
    for body in (b"[]", b'{"type": 5}', b"{"):
        response = send(GUARD.app, "POST", "/widgets", content=body, headers=JSON)
        assert response.json()["detail"] == "request body: 1 finding"


def test_a_document_of_another_type_than_the_address_says() -> None:
    app = FastAPI()
    install(app)

    @app.put("/{type}")
    def save(body: Annotated[CheckedBody, WidgetBody(path="type", document=True)]) -> str:
        return body.text

    for type, status in (("countdown", 200), ("faq", 422)):
        body = b'{"type": "%s", "data":  %s}' % (type.encode(), VALID)
        response = send(app, "PUT", "/countdown", content=body, headers=JSON)
        assert response.status_code == status
    assert [error["pointer"] for error in response.json()["errors"]] == ["#/type"]


@pytest.mark.parametrize(
    "wrong", [{}, {"id": 3}, {"id": "a", "path": "b"}, {"path": "a", "query": "b"}], ids=str
)
@pytest.mark.parametrize("kind", [WidgetData, WidgetBody])
def test_the_type_is_named_once(kind: Any, wrong: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=rf"in one way: {kind.__name__}\(\"countdown\"\), "):
        kind(**wrong)


def test_types_are_a_list() -> None:
    with pytest.raises(TypeError, match=r"such as \['countdown'\], not a text"):
        WidgetBody(path="type", types="countdown")


@pytest.mark.parametrize("annotation", [WidgetData, WidgetData("countdown"), WidgetBody])
def test_annotations_that_would_check_nothing(annotation: Any) -> None:
    with pytest.raises(TypeError, match=r"from widgetschema\.integrations\.pydantic"):
        create_model("Page", data=Annotated[dict[str, Any], annotation])


@pytest.mark.parametrize("annotation", [WidgetData, WidgetBody])
def test_an_annotation_that_is_not_called(annotation: Any) -> None:
    def save(data: Annotated[dict[str, Any], annotation]) -> None: ...

    with pytest.raises(TypeError, match=r'WidgetData\("countdown"\)'):
        FastAPI().put("/")(save)


def test_a_catalog_of_the_request_is_asked_in_a_thread() -> None:
    threads: list[threading.Thread] = []
    kinds = {"ann": {"type": "number"}, "bob": {"type": "string"}}
    catalogs = {
        user: Catalog({"n": {"properties": {"data": schema}}}) for user, schema in kinds.items()
    }

    def catalog_of(request: Request) -> Catalog:
        threads.append(threading.current_thread())
        return catalogs[request.headers["x-user"]]

    app = FastAPI()
    install(app)

    @app.put("/")
    async def save(data: Annotated[Any, WidgetData("n", catalog=catalog_of)]) -> Any:
        assert threading.current_thread() is threading.main_thread()
        return data

    for user, status in (("ann", 200), ("bob", 422)):
        headers = {**JSON, "x-user": user}
        assert send(app, "PUT", "/", content=b"1", headers=headers).status_code == status
    assert threading.main_thread() not in threads
    assert send(app, "GET", "/openapi.json").status_code == 200


def test_a_schema_that_changes_breaks_and_disappears_while_the_app_runs() -> None:
    schemas: dict[str, Any] = {"n": {"properties": {"data": {"type": "number"}}}}
    now = [0.0]
    catalog = Catalog(schemas, max_age=1, clock=lambda: now[0], warn=lambda _: None)
    app = FastAPI()
    install(app)

    @app.put("/")
    def save(data: Annotated[Any, WidgetData("n", catalog=catalog)]) -> Any:
        return data

    def verdict() -> tuple[int, Any]:
        now[0] += 100
        saved = send(app, "PUT", "/", content=b"1", headers=JSON)
        document = send(app, "GET", "/openapi.json").json()
        return saved.status_code, document["components"]["schemas"]["n"].get("type")

    assert verdict() == (200, "number")
    schemas["n"] = {"properties": {"data": {"type": "string"}}}
    assert verdict() == (422, "string")
    schemas["n"] = {"properties": {"data": {"type": "nonsense"}}}
    assert verdict() == (422, "string")
    schemas["n"] = {"properties": {"data": {"type": "number"}}}
    assert verdict() == (200, "number")


def test_errors_of_the_server_are_logged_and_not_told(caplog: pytest.LogCaptureFixture) -> None:
    catalog = Catalog({"n": {"properties": {"data": {"type": "s3cret"}}}})
    app = FastAPI()
    install(app)

    @app.put("/")
    def save(data: Annotated[Any, WidgetData("n", catalog=catalog)]) -> None: ...

    response = send(app, "PUT", "/", content=b"1", headers=JSON)
    assert response.status_code == 502
    assert "s3cret" not in response.text
    assert "s3cret" in caplog.text
    document = send(app, "GET", "/openapi.json").json()
    schema = document["paths"]["/"]["put"]["requestBody"]["content"]["application/json"]["schema"]
    assert "not available" in schema["description"]


def test_saves_at_the_same_time() -> None:
    verdicts: list[int] = []

    async def save(http: httpx.AsyncClient, number: int) -> None:
        body = VALID if number % 2 else VALID.replace(b"1.0", b'"x"')
        response = await http.put(f"/widgets/countdown/{number}", content=body, headers=JSON)
        verdicts.append(response.status_code == (200 if number % 2 else 422))

    async def all_of_them() -> None:
        async with client(GUARD.app) as http, anyio.create_task_group() as tasks:
            for number in range(200):
                tasks.start_soon(save, http, number)

    anyio.run(all_of_them)
    assert verdicts == [True] * 200


# ---- OpenAPI ----


def test_openapi_has_the_linked_schemas() -> None:
    document = send(GUARD.app, "GET", "/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    put = document["paths"]["/previews/{id}"]["put"]
    assert [one["name"] for one in put["parameters"]] == ["id"]
    schema = put["requestBody"]["content"]["application/json"]["schema"]
    assert schema == {"$ref": "#/components/schemas/countdown"}
    assert PROBLEM_JSON in put["responses"]["422"]["content"]
    named = document["paths"]["/widgets/{type}/{id}"]["put"]
    assert {one["name"] for one in named["parameters"]} == {"type", "id"}
    validator = jsonschema_rs.validator_for({**document, **schema})
    countdown = widgetschema.widget_type("countdown")
    assert all(validator.is_valid(case.data) for case in countdown.coverage())
    assert not any(validator.is_valid(case.data) for case in countdown.near_misses())
    references = set(widget_references(document))
    assert references <= {
        f"#/components/schemas/{name}" for name in document["components"]["schemas"]
    }
    assert "x-widget-data" not in json.dumps(document)


@pytest.mark.parametrize(
    "name", ["fastapi_body", "fastapi_guard", "fastapi_forms", "pydantic_models"]
)
def test_openapi_is_valid(name: str) -> None:
    module = application(name)
    app = module.make_app("db") if name == "fastapi_forms" else module.app
    OpenAPIV31SpecValidator(app.openapi()).validate()


def test_openapi_of_recursive_types_and_alternatives_is_valid_and_has_valid_examples() -> None:
    types = {"nodes": NODES, "piles": PILES}
    catalog = Catalog({id: one.schema for id, one in types.items()})
    app = FastAPI()
    install(app)

    @app.put("/data/{type}")
    def save(
        body: Annotated[Any, WidgetData(path="type", types=[*types], catalog=catalog)],
    ) -> None:
        """Save nothing."""

    @app.post("/documents")
    def create(
        body: Annotated[Any, WidgetData(document=True, types=["nodes"], catalog=catalog)],
    ) -> None:
        """Save nothing."""

    document = app.openapi()
    OpenAPIV31SpecValidator(document).validate()
    put = document["paths"]["/data/{type}"]["put"]
    assert {"400", "404", "413", "415", "422"} <= {*put["responses"]}
    examples = put["requestBody"]["content"]["application/json"]["examples"]
    assert {*examples} == {*types}
    for id, example in examples.items():
        assert types[id].is_valid(example["value"])
        body = json.dumps(example["value"])
        assert send(app, "PUT", f"/data/{id}", content=body, headers=JSON).status_code == 200
        schema = {**document, "$ref": f"#/components/schemas/{id}"}
        assert jsonschema_rs.validator_for(schema).is_valid(example["value"])
    post = document["paths"]["/documents"]["post"]
    assert {*post["responses"]["422"]["content"]} == {PROBLEM_JSON}
    example = post["requestBody"]["content"]["application/json"]["examples"]["nodes"]["value"]
    body = json.dumps(example)
    assert send(app, "POST", "/documents", content=body, headers=JSON).status_code == 200


def widget_references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        value = list(value.values())
    for one in value if isinstance(value, list) else ():
        yield from widget_references(one)


def test_openapi_of_routers_and_of_dependencies_of_dependencies() -> None:
    def owned(body: Annotated[CheckedBody, WidgetBody("countdown")]) -> str:
        return body.text

    router = APIRouter(prefix="/inner")

    @router.put("/{id}")
    def save(id: str, text: Annotated[str, Depends(owned)], note: str = "") -> str:
        return text

    app = FastAPI()
    app.include_router(router, prefix="/outer")
    install(app)
    put = send(app, "GET", "/openapi.json").json()["paths"]["/outer/inner/{id}"]["put"]
    assert "countdown" in json.dumps(put["requestBody"])
    assert {one["name"] for one in put["parameters"]} == {"id", "note"}
    saved = send(app, "PUT", "/outer/inner/1", content=VALID, headers=JSON)
    assert saved.json() == VALID.decode()


# ---- Schemas ----


def test_the_endpoint_of_schemas(tmp_path: Path) -> None:
    app = FORMS.make_app(f"{tmp_path / 'db'}")
    response = send(app, "GET", "/schemas/countdown")
    assert response.json() == widgetschema.widget_type("countdown").data_schema()
    older = send(app, "GET", "/schemas/countdown?dialect=draft-07")
    assert older.json()["$schema"].startswith("http://json-schema.org/draft-07")
    tag = response.headers["etag"]
    assert tag != older.headers["etag"]
    again = send(app, "GET", "/schemas/countdown", headers={"if-none-match": f'"x", W/{tag}'})
    assert (again.status_code, again.content) == (304, b"")
    assert send(app, "GET", "/schemas/countdwn").status_code == 404
    assert send(app, "GET", "/schemas/countdown?dialect=x").status_code == 422


# ---- Forms ----


@pytest.fixture
def database(tmp_path: Path) -> str:
    path = f"{tmp_path / 'db'}"
    with sqlite3.connect(path) as db:
        db.execute("create table widget (id text primary key, type text, data text)")
        row = ("a b?", "countdown", VALID.decode())
        db.execute("insert into widget values (?, ?, ?)", row)
    db.close()
    return path


def stored(path: str) -> str:
    db = sqlite3.connect(path)
    [[data]] = db.execute("select data from widget")
    db.close()
    return str(data)


KEY = "/forms/a%20b%3F"


def controls(page: str) -> dict[str, str]:
    """The hidden controls: what is not posted stays as it is."""
    inputs = LexborHTMLParser(page).css("form input[type=hidden]")
    return {f"{one.attrs['name']}": f"{one.attrs['value']}" for one in inputs}


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_forms_over_http(database: str) -> None:
    app = FORMS.make_app(database)
    with serving(app, "127.0.0.1", 0, "app") as url, httpx.Client(base_url=url, timeout=60) as http:
        page = http.get(KEY)
        [script] = LexborHTMLParser(page.text).css("script")
        asset = http.get(httpx.URL(f"{url}{KEY}").join(f"{script.attrs['src']}"))
        assert (asset.status_code, asset.headers["content-type"]) == (
            200,
            "text/javascript; charset=utf-8",
        )
        [form] = LexborHTMLParser(page.text).css("[data-live]")
        live = httpx.URL(f"{url}{KEY}").join(f"{form.attrs['data-live']}")
        fields = {**controls(page.text), "#/content/timerDays": "x"}
        assert [one["path"] for one in http.post(live, data=fields).json()["findings"]] == [
            "/content/timerDays"
        ]
        assert http.post(KEY, data=fields).status_code == 422
        saved = http.post(KEY, data={**fields, "#/content/timerDays": "2"}, follow_redirects=True)
        assert (saved.status_code, saved.url.path) == (200, httpx.URL(KEY).path)
        notices = LexborHTMLParser(saved.text).css("[role=status].ws-saved")
        assert [notice.text() for notice in notices] == ["Saved."]
        assert stored(database) == VALID.decode().replace("1.0", "2")
        assert http.post(KEY, data={**fields, "#/content/timerDays": "3"}).status_code == 409
        merged = {**controls(page.text), "#/content/timerTitle": "Mine"}
        saved = http.post(KEY, data=merged, follow_redirects=True)
        assert "together with 1 change that somebody else has made" in saved.text
        assert http.post(KEY, data=fields, headers={"origin": "http://evil"}).status_code == 403
        assert http.post(KEY, files={"a": b"b"}).status_code == 400
        assert http.post(KEY, content=b"a" * 17_000_000).status_code == 413
        assert http.get("/forms/other").status_code == 404
    assert json.loads(stored(database))["content"]["timerTitle"] == "Mine"
    assert json.loads(stored(database))["content"]["timerDays"] == 2


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_one_of_many_saves_of_a_form_wins(database: str) -> None:
    app = FORMS.make_app(database)
    statuses: list[int] = []

    async def run() -> None:
        async with client(app) as http:
            fields = controls((await http.get(KEY)).text)

            async def save(number: int) -> None:
                new = {**fields, "#/content/timerDays": f"{number}"}
                statuses.append((await http.post(KEY, data=new)).status_code)

            async with anyio.create_task_group() as tasks:
                for number in range(2, 12):
                    tasks.start_soon(save, number)

    anyio.run(run)
    assert sorted(statuses) == [303] + [409] * 9


# ---- Without `install` and `add_problem_handlers` ----


def plain_app(**options: Any) -> FastAPI:
    app = FastAPI(**options)

    @app.put("/countdown")
    def countdown(data: Annotated[dict[str, Any], WidgetData("countdown")]) -> None: ...

    @app.put("/types/{type}")
    def of_type(data: Annotated[CheckedBody, WidgetBody(path="type")]) -> None: ...

    @app.put("/own")
    def own() -> None:
        widgetschema.validate("countdown", {})

    app.mount("/schemas", schema_router())
    return app


def test_refusals_need_no_handlers() -> None:
    app = plain_app()

    async def call() -> None:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://app.example") as http:
            for method, path, body, headers, status in (
                ("PUT", "/own", b"", JSON, 500),  # an error of the endpoint is the application's
                ("PUT", "/countdown", VALID, JSON, 200),
                ("PUT", "/countdown", b"{}", JSON, 422),
                ("PUT", "/own", b"", JSON, 500),
                ("PUT", "/countdown", b"{", JSON, 400),
                ("PUT", "/countdown", VALID, {"content-type": "text/plain"}, 415),
                ("PUT", "/types/nope", VALID, JSON, 404),
                ("GET", "/schemas/nope", b"", {}, 404),
            ):
                response = await http.request(method, path, content=body, headers=headers)
                assert response.status_code == status
                is_ours = response.headers["content-type"] == PROBLEM_JSON
                assert is_ours == (status not in (200, 500))

    anyio.run(call)


@pytest.mark.parametrize("kind", [widgetschema.InvalidWidgetData, ValueError])
def test_handlers_of_the_application_come_first(kind: type[Exception]) -> None:
    async def own(request: Request, error: Exception) -> Response:
        return Response(type(error).__name__, 418)

    app = plain_app(exception_handlers={kind: own})
    for path, body, status in (
        ("/countdown", b"{", 400),
        ("/countdown", b"{}", 418),
        ("/own", b"", 418),
    ):
        assert send(app, "PUT", path, content=body, headers=JSON).status_code == status


def test_an_error_that_the_endpoint_catches_is_its_own() -> None:
    async def save(request: Request) -> Response:
        try:
            await checked_body(request, "countdown")
        except widgetschema.InvalidWidgetData as error:
            return Response(f"{len(error.report)}", 418)
        return Response()

    app = Starlette(routes=[Route("/", save, methods=["PUT"])])
    for body, status in ((VALID, 200), (b"{}", 418), (b"{", 400)):
        assert send(app, "PUT", "/", content=body, headers=JSON).status_code == status


@pytest.mark.parametrize("name", ["countdwn", "a/../b"])
def test_an_unknown_type_that_the_application_names_is_its_mistake(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    app = FastAPI()
    install(app)

    @app.put("/")
    def save(data: Annotated[dict[str, Any], WidgetData(name)]) -> None: ...

    response = send(app, "PUT", "/", content=VALID, headers=JSON)

    assert response.status_code == 500
    assert name not in response.text
    assert "PUT /: the application names an unknown type: " in caplog.text
    assert repr(name) in caplog.text


def test_a_path_parameter_that_does_not_exist_is_a_mistake_of_the_application() -> None:
    app = FastAPI()

    @app.put("/{type}")
    def save(type: str, data: Annotated[dict[str, Any], WidgetData(path="typ")]) -> None: ...

    with pytest.raises(TypeError, match="the path of /countdown has no parameter 'typ'"):
        send(app, "PUT", "/countdown", content=VALID, headers=JSON)


# ---- Starlette alone ----


def test_a_path_parameter_that_does_not_exist_in_starlette() -> None:
    async def save(request: Request) -> Response:
        return Response((await checked_body(request, TypeOf(path="typ"))).text)

    app = Starlette(routes=[Route("/{type}", save, methods=["PUT"])])
    with pytest.raises(TypeError, match="the path of /countdown has no parameter 'typ'"):
        send(app, "PUT", "/countdown", content=VALID, headers=JSON)


@pytest.mark.parametrize("wrong", [TypeOf(), TypeOf("a", path="type"), None])
def test_the_type_is_named_once_in_starlette(wrong: Any) -> None:
    async def save(request: Request) -> Response:
        return Response((await checked_body(request, wrong)).text)

    app = Starlette(routes=[Route("/{type}", save, methods=["PUT"])])
    with pytest.raises(TypeError, match=r'in one way: TypeOf\("countdown"\), '):
        send(app, "PUT", "/countdown", content=VALID, headers=JSON)


def test_starlette() -> None:
    async def save(request: Request) -> Response:
        body = await checked_body(request, TypeOf(query="type"))
        again = await checked_body(request, "countdown")
        return Response(f"{body.text == again.text}")

    app = Starlette(routes=[Route("/", save, methods=["PUT"])])
    add_problem_handlers(app)
    for path, body, status in (
        ("/?type=countdown", VALID, 200),
        ("/?type=countdown", b"{}", 422),
        ("/?type=countdwn", VALID, 422),
        ("/", VALID, 422),
    ):
        assert send(app, "PUT", path, content=body, headers=JSON).status_code == status


def test_the_event_loop_of_trio() -> None:
    catalog = Catalog({"n": {"properties": {"data": {"type": "number"}}}})

    async def save(request: Request) -> Response:
        return Response((await checked_body(request, "n", catalog=catalog)).text)

    async def call() -> list[int]:
        app = Starlette(routes=[Route("/", save, methods=["PUT"])])
        add_problem_handlers(app)
        async with client(app) as http:
            answers = [await http.put("/", content=body, headers=JSON) for body in ("1", "[]")]
        return [answer.status_code for answer in answers]

    assert anyio.run(call, backend="trio") == [200, 422]


def test_no_content_type() -> None:
    async def call() -> int:
        async with client(GUARD.app) as http:
            request = http.build_request("PUT", "/previews/1", content=VALID)
            assert "content-type" not in request.headers
            return (await http.send(request)).status_code

    assert anyio.run(call) == 415

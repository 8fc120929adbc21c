"""The guards for ASGI and WSGI: no invalid data reaches an application, however it is sent."""

from __future__ import annotations

import asyncio
import gzip
import http.client
import io
import json
import re
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from urllib.parse import unquote, unquote_to_bytes
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest
import uvicorn
from flask import Flask, request
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from werkzeug.serving import make_server as make_werkzeug_server

from tests.data.integrations import asgi_app, wsgi_app
from tests.terminal import HANG
from widgetschema import Catalog, Unreachable
from widgetschema.catalog.sources import Lookup
from widgetschema.integrations import asgi, wsgi

VALID = b'{"content": {},\n "settings": {}, "styles": {"cardsBorderWidth": 1.0}}\n'
INVALID = b'{"content": {},\n "settings": {}, "styles": {"cardsBorderWidth": "1"}}\n'
JSON = {"content-type": "application/json"}
HEADERS = [(b"content-type", b"application/json")]
SCHEMAS: dict[str, Any] = {
    "faq": {"properties": {"data": {"required": ["items"]}}},
    "broken": {"properties": {"data": {"$ref": "#/nowhere"}}},
}


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def problem(self) -> Any:
        assert self.headers["content-type"] == "application/problem+json"
        return json.loads(self.body)


class App:
    """An application behind a guard, called as a server calls it; `saved` is what reached it."""

    def __init__(self, kind: str, paths: dict[str, str | None], **options: Any) -> None:
        self.saved: list[tuple[str, bytes]] = []
        self.kind = kind
        self._app: Any
        if kind == "asgi":
            self._app = asgi.GuardMiddleware(self._asgi, paths, **options)
        else:
            self._app = wsgi.GuardMiddleware(self._wsgi, paths, **options)

    async def _asgi(self, scope: Any, receive: Any, send: Any) -> None:
        body = b""
        while True:
            message = await receive()
            body += message["body"]
            if not message["more_body"]:
                break
        self.saved.append((scope["method"], body))
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    def _wsgi(self, environ: Any, start_response: Any) -> list[bytes]:
        length = int(environ.get("CONTENT_LENGTH") or 0)
        self.saved.append((environ["REQUEST_METHOD"], environ["wsgi.input"].read(length)))
        start_response("204 No Content", [])
        return []

    def __call__(
        self,
        method: str,
        target: str,
        body: bytes = b"",
        headers: dict[str, str] = JSON,
        *,
        root: str = "",
        pieces: int = 1,
        scope: dict[str, Any] | None = None,
    ) -> Answer:
        if self.kind == "asgi":
            return self._call_asgi(method, target, body, headers, root, pieces, scope or {})
        return self._call_wsgi(method, target, body, headers, root)

    def _call_asgi(
        self,
        method: str,
        target: str,
        body: bytes,
        headers: dict[str, str],
        root: str,
        pieces: int,
        more: dict[str, Any],
    ) -> Answer:
        size = -(-len(body) // pieces) or 1
        chunks = [body[at : at + size] for at in range(0, len(body), size)] or [b""]
        messages = [
            {"type": "http.request", "body": one, "more_body": at + 1 < len(chunks)}
            for at, one in enumerate(chunks)
        ]
        sent: list[Any] = []

        async def receive() -> Any:
            return messages.pop(0)

        async def send(message: Any) -> None:
            sent.append(message)

        raw = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
        scope = {
            "type": "http",
            "method": method,
            "path": unquote(root + target),
            "raw_path": (root + target).encode(),
            "root_path": root,
            "headers": raw,
            **more,
        }
        asyncio.run(self._app(scope, receive, send))
        start, *rest = sent
        fields = {name.decode(): value.decode() for name, value in start["headers"]}
        return Answer(start["status"], fields, b"".join(one.get("body", b"") for one in rest))

    def _call_wsgi(
        self, method: str, target: str, body: bytes, headers: dict[str, str], root: str
    ) -> Answer:
        environ: dict[str, Any] = {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": root,
            "PATH_INFO": unquote_to_bytes(target).decode("latin-1"),
            "RAW_URI": root + target,
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.input": io.BytesIO(body + b"the next request"),
        }
        for name, value in headers.items():
            key = name.upper().replace("-", "_")
            environ[key if key == "CONTENT_TYPE" else f"HTTP_{key}"] = value
        started: list[Any] = []
        content = self._app(environ, lambda *start: started.append(start))
        ((status, fields, *_),) = started
        lower = {name.lower(): value for name, value in fields}
        return Answer(int(status.split()[0]), lower, b"".join(content))


@pytest.fixture(params=["asgi", "wsgi"])
def make(request: pytest.FixtureRequest) -> Callable[..., App]:
    def make(paths: dict[str, str | None] | None = None, **options: Any) -> App:
        return App(request.param, paths or {"/widgets/{type}": "{type}"}, **options)

    return make


class TestVerdicts:
    def test_valid_data_arrives_byte_for_byte(self, make: Callable[..., App]) -> None:
        app = make()
        for method in ("PUT", "POST"):
            assert app(method, "/widgets/countdown", VALID, pieces=7).status == 204
        assert app.saved == [("PUT", VALID), ("POST", VALID)]

    def test_an_unknown_type_that_the_application_names_is_its_mistake(
        self, make: Callable[..., App], caplog: pytest.LogCaptureFixture
    ) -> None:
        app = make({"/countdowns/{id}": "countdwn", "/widgets/{type}": "{type}"})

        assert app("PUT", "/countdowns/1", VALID).status == 500
        assert "the application names an unknown type: " in caplog.text
        assert app("PUT", "/widgets/countdwn", VALID).status == 404
        assert app.saved == []

    def test_invalid_data_does_not(self, make: Callable[..., App]) -> None:
        app = make()
        answer = app("PUT", "/widgets/countdown", INVALID)
        assert answer.status == 422
        (error,) = answer.problem["errors"]
        assert error["pointer"] == "#/styles/cardsBorderWidth"
        assert (error["line"], error["column"]) == (2, 49)
        assert app.saved == []

    @pytest.mark.parametrize(
        ("body", "status"),
        [
            (b"", 400),
            (b"null", 422),
            (b"{", 400),
            (b"\xff\xfe{\x00}\x00", 400),
            (VALID.decode().encode("utf-16"), 400),
            (b"\xef\xbb\xbf" + VALID, 400),
            (VALID + VALID, 400),
            (b'{"content": {}, "settings": {}, "styles": {}, "styles": {}}', 400),
            (b'{"content": {}, "settings": {}, "styles": {"cardsBorderWidth": NaN}}', 400),
            (b"[" * 100_000, 400),
            (b'"\\ud800"', 400),
            (b"x" * 101_000, 413),
        ],
        ids=range(12),
    )
    def test_hostile_bodies(self, make: Callable[..., App], body: bytes, status: int) -> None:
        app = make(max_bytes=100_500)
        answer = app("PUT", "/widgets/countdown", body, pieces=3)
        assert answer.status == answer.problem["status"] == status
        assert app.saved == []

    @pytest.mark.parametrize(
        ("headers", "status"),
        [
            ({"content-type": "application/json; charset=UTF-8"}, 204),
            ({"content-type": "application/merge+json"}, 204),
            ({}, 415),
            ({"content-encoding": "identity", **JSON}, 204),
            ({"content-type": "application/json; charset=utf-16"}, 415),
            ({"content-type": "text/plain"}, 415),
            ({"content-type": "application/x-www-form-urlencoded"}, 415),
            ({"content-type": "multipart/form-data; boundary=json"}, 415),
            ({"content-encoding": "gzip", **JSON}, 415),
            ({"content-encoding": "identity, br", **JSON}, 415),
        ],
        ids=str,
    )
    def test_what_the_application_might_read_in_another_way(
        self, make: Callable[..., App], headers: dict[str, str], status: int
    ) -> None:
        assert make()("PUT", "/widgets/countdown", VALID, headers).status == status

    @pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "DELETE"])
    def test_other_methods_pass(self, make: Callable[..., App], method: str) -> None:
        app = make()
        assert app(method, "/widgets/countdown", b"").status == 204
        assert app.saved == [(method, b"")]

    @pytest.mark.parametrize("method", ["PATCH", "patch", "QUERY", "PROPPATCH"])
    def test_methods_that_cannot_be_checked_are_refused(
        self, make: Callable[..., App], method: str
    ) -> None:
        app = make()
        answer = app(method, "/widgets/countdown", VALID)
        assert answer.status == 405
        assert answer.headers["allow"] == "DELETE, GET, HEAD, OPTIONS, POST, PUT, TRACE"
        assert "send all of the data with PUT or POST" in answer.problem["detail"]
        assert app(method, "/other", b"").status == 204

    def test_the_case_of_a_method_changes_nothing(self, make: Callable[..., App]) -> None:
        assert make()("put", "/widgets/countdown", INVALID).status == 422

    def test_patch_may_be_checked_as_all_of_the_data(self, make: Callable[..., App]) -> None:
        app = make(methods=["PATCH"])
        assert app("PATCH", "/widgets/countdown", VALID).status == 204
        assert app("PATCH", "/widgets/countdown", INVALID).status == 422
        assert app("PUT", "/widgets/countdown", VALID).status == 405

    def test_an_unknown_type(self, make: Callable[..., App]) -> None:
        answer = make()("PUT", "/widgets/countdwn", VALID)
        assert (answer.status, answer.problem["nearest"]) == (404, ["countdown"])

    def test_a_type_that_is_fixed(self, make: Callable[..., App]) -> None:
        app = make({"/countdowns/{id}": "countdown", "/faqs": "faq"}, catalog=Catalog(SCHEMAS))
        assert app("POST", "/faqs", b'{"items": 1}').status == 204
        assert app("POST", "/faqs", b"{}").status == 422
        assert app("POST", "/countdowns/5", VALID).status == 500

    def test_documents(self, make: Callable[..., App]) -> None:
        app = make({"/widgets": None}, documents=True)
        document = b'{"type": "countdown",\n "data": %b}'
        assert app("POST", "/widgets", document % VALID).status == 204
        answer = app("POST", "/widgets", document % INVALID)
        (error,) = answer.problem["errors"]
        assert (error["pointer"], error["line"]) == ("#/data/styles/cardsBorderWidth", 3)
        for body in (b"[]", b'{"data": {}}', b'{"type": 5, "data": {}}'):
            (error,) = app("POST", "/widgets", body).problem["errors"]
            assert error["detail"] in (
                "[] is an array, but must be an object",
                'the property "type" is missing',
                "5 is a number, but must be a string",
            )
        assert app("POST", "/widgets", b'{"type": "x", "type": "countdown"}').status == 400
        assert app("POST", "/widgets", b'{"type": "countdwn", "data": {}}').status == 422

    def test_a_schema_that_changes_breaks_and_comes_back(self, make: Callable[..., App]) -> None:
        now = [0.0]
        source: dict[str, Any] = {"faq": SCHEMAS["faq"]}
        catalog = Catalog(source, max_age=1, clock=lambda: now[0], warn=lambda message: None)
        app = make(catalog=catalog)

        def save(schema: Any) -> int:
            source["faq"] = schema
            now[0] += 100
            return app("PUT", "/widgets/faq", b'{"items": 1}').status

        assert save(SCHEMAS["faq"]) == 204
        assert save({"properties": {"data": {"required": ["questions"]}}}) == 422
        assert save(SCHEMAS["broken"]) == 422
        assert save(SCHEMAS["faq"]) == 204

    def test_what_fails_on_the_server_is_logged_and_not_told(
        self, make: Callable[..., App], caplog: pytest.LogCaptureFixture
    ) -> None:
        class Source(dict[str, Any]):
            def lookup(self, id: str) -> Lookup:
                raise Unreachable("no route to 10.0.0.7", method="GET", path="/x")

            def expire(self) -> None: ...

        catalogs = {503: Catalog(Source()), 502: Catalog(SCHEMAS)}
        for status, catalog in catalogs.items():
            app = make(catalog=lambda catalog=catalog: catalog)
            answer = app("PUT", "/widgets/broken", VALID)
            assert answer.status == status
            assert "10.0.0.7" not in answer.body.decode()
            assert app.saved == []
        assert "10.0.0.7" in caplog.text

    def test_concurrent_saves(self, make: Callable[..., App]) -> None:
        app = make()
        statuses: list[tuple[bytes, int]] = []
        start = threading.Barrier(8)

        def save(body: bytes) -> None:
            start.wait(HANG)
            for _ in range(10):
                statuses.append((body, app("PUT", "/widgets/countdown", body).status))

        threads = [
            threading.Thread(target=save, args=(body,)) for body in (VALID, INVALID) for _ in "1234"
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(HANG)
        assert sorted({*statuses}) == [(INVALID, 422), (VALID, 204)]
        assert len(statuses) == 80
        assert {body for _, body in app.saved} == {VALID}


SPELLINGS = [
    "//widgets/countdown",
    "/widgets//countdown",
    "/widgets/countdown//",
    "/./widgets/countdown",
    "/widgets/./countdown",
    "/x/../widgets/countdown",
    "/widgets/x/%2e%2e/countdown",
    "/%2e/widgets/countdown",
    "/widgets%2fcountdown",
    "/widgets%2Fcountdown",
    "/widgets%252fcountdown",
    "/widgets/%2fcountdown",
    "/widgets\\countdown",
    "/widgets%5ccountdown",
    "/widgets/countdown;x=1",
    "/widgets;x/countdown",
    "/widgets/countdown%3bx",
    "/widgets/countdown%0a",
    "/widgets/%20countdown",
    "/widgets/%2563ountdown",
    "/WIDGETS/countdown",
    "/Widgets/countdown/",
    "/widgets/x%2fcountdown",
]


class TestPaths:
    @pytest.mark.parametrize("root", ["", "/api"])
    @pytest.mark.parametrize("target", SPELLINGS)
    def test_a_spelling_is_no_way_around(
        self, make: Callable[..., App], target: str, root: str
    ) -> None:
        app = make()
        for body in (VALID, INVALID):
            assert app("PUT", target, body, root=root).status == 400
        assert app.saved == []

    @pytest.mark.parametrize(
        "target",
        [
            "/widgets/countdown",
            "/widgets/countdown/",
            "/%77idgets/countdown",
            "/widgets/c%6funtdown",
        ],
    )
    def test_what_is_the_same_for_every_application_is_checked(
        self, make: Callable[..., App], target: str
    ) -> None:
        app = make()
        assert app("PUT", target, INVALID).status == 422
        assert app("PUT", target, VALID).status == 204

    @pytest.mark.parametrize(
        "target", ["/", "/widgets", "/widgets/", "/widgets/a/b", "/other/countdown", "/x%2fy", "*"]
    )
    def test_other_paths_pass(self, make: Callable[..., App], target: str) -> None:
        app = make()
        assert app("PUT", target, b"anything").status == 204
        assert app.saved == [("PUT", b"anything")]

    def test_below_a_prefix(self, make: Callable[..., App]) -> None:
        for pattern in ("/widgets/{type}", "/api/widgets/{type}"):
            app = make({pattern: "{type}"})
            assert app("PUT", "/widgets/countdown", INVALID, root="/api").status == 422
            assert app("PUT", "/widgets/countdown", VALID, root="/api").status == 204

    def test_a_root_path_that_is_only_a_slash(self) -> None:
        app = App("asgi", {"/widgets/{type}": "{type}"})
        scope = {"root_path": "/", "raw_path": b"/widgets/countdown"}
        assert app("PUT", "/widgets/countdown", INVALID, scope=scope).status == 422
        assert app("PUT", "/widgets/countdown", VALID, scope=scope).status == 204

    def test_the_first_pattern_counts(self, make: Callable[..., App]) -> None:
        app = make({"/widgets/faq": "countdown", "/widgets/{type}": "{type}"})
        assert app("PUT", "/widgets/faq", VALID).status == 204
        assert app("PUT", "/widgets/faq", INVALID).status == 422
        assert app("PUT", "/widgets/poll", VALID).status == 404

    def test_bytes_that_are_no_text(self, make: Callable[..., App]) -> None:
        assert make()("PUT", "/widgets/%ff%fe", VALID).status in (400, 404)

    @pytest.mark.parametrize(
        ("paths", "message"),
        [
            ({"widgets": "a"}, "a pattern is a path"),
            ({"/widgets//{type}": "{type}"}, "a pattern is a path"),
            ({"/": "a"}, "a pattern is a path"),
            ({"/{type}.json": "{type}"}, "one whole segment"),
            ({"/{type:path}": "{type}"}, "one whole segment"),
            ({"/<type>": "countdown"}, "such as \"{type}\", not '<type>'"),
            ({"/:type": "countdown"}, "such as \"{type}\", not ':type'"),
            ({"/{id}": "{type}"}, "not in the pattern"),
            ({"/{id}": "<id>"}, "not in the pattern"),
            ({"/{id}": None}, "only documents name their type"),
        ],
    )
    def test_wrong_patterns(self, paths: dict[str, str | None], message: str) -> None:
        with pytest.raises(ValueError, match=message):
            wsgi.GuardMiddleware(Flask("app").wsgi_app, paths)


class TestFrameworks:
    """Whatever the routers of real frameworks do with a path, nothing invalid is saved."""

    BODY = b'{"items": "none"}'

    @pytest.mark.parametrize("target", [*SPELLINGS, "/widgets/countdown", "/widgets/countdown/"])
    def test_starlette(self, target: str) -> None:
        saved: list[bytes] = []

        async def save(request: Request) -> Response:
            saved.append(await request.body())
            return Response()

        routes = [
            Route("/widgets/{type}", save, methods=["PUT"]),
            Route("/widgets/{type}/", save, methods=["PUT"]),
            Mount("/api", routes=[Route("/widgets/{type:path}", save, methods=["PUT"])]),
        ]
        app = App("asgi", {"/widgets/{type}": "{type}", "/api/widgets/{type}": "{type}"})
        app._app = asgi.GuardMiddleware(
            Starlette(routes=routes),
            {"/widgets/{type}": "{type}", "/api/widgets/{type}": "{type}"},
        )
        for prefix in ("", "/api"):
            assert app("PUT", prefix + target, INVALID).status >= 300
        assert saved == []

    @pytest.mark.parametrize("target", [*SPELLINGS, "/widgets/countdown", "/widgets/countdown/"])
    def test_flask(self, target: str) -> None:
        saved: list[bytes] = []
        flask = Flask(__name__)
        flask.url_map.strict_slashes = False

        @flask.put("/widgets/<type>")
        @flask.put("/api/widgets/<path:type>")
        def save(type: str) -> str:
            saved.append(request.get_data())
            return ""

        app = App("wsgi", {})
        paths = {"/widgets/{type}": "{type}", "/api/widgets/{type}": "{type}"}
        app._app = wsgi.GuardMiddleware(flask.wsgi_app, paths)
        server = {"server-name": "x"}
        for prefix in ("", "/api"):
            for method in ("PUT", "put"):
                answer = call_flask(app, method, prefix + target, server)
                assert answer.status >= 300
        assert saved == []


def call_flask(app: App, method: str, target: str, headers: dict[str, str]) -> Answer:
    inner = app._app

    def with_server(environ: Any, start_response: Any) -> Any:
        environ |= {
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "wsgi.url_scheme": "http",
            "wsgi.errors": io.StringIO(),
        }
        return inner(environ, start_response)

    app._app = with_server
    try:
        return app(method, target, INVALID)
    finally:
        app._app = inner


class TestAsgi:
    def test_lifespan_and_websockets_pass(self) -> None:
        seen: list[str] = []

        async def app(scope: Any, receive: Any, send: Any) -> None:
            seen.append(scope["type"])

        guarded = asgi.GuardMiddleware(app, {"/widgets/{type}": "{type}"})
        for type in ("lifespan", "websocket"):
            asyncio.run(guarded({"type": type, "path": "/widgets/x"}, None, None))  # type: ignore[arg-type]
        assert seen == ["lifespan", "websocket"]

    def test_a_client_that_goes_away_saves_nothing(self) -> None:
        app = App("asgi", {"/widgets/{type}": "{type}"})
        messages = [
            {"type": "http.request", "body": VALID, "more_body": True},
            {"type": "http.disconnect"},
        ]

        async def receive() -> Any:
            return messages.pop(0)

        async def send(message: Any) -> None:
            raise AssertionError("nobody is there")

        scope = {"type": "http", "method": "PUT", "path": "/widgets/countdown", "headers": HEADERS}
        asyncio.run(app._app(scope, receive, send))
        assert app.saved == []

    def test_what_comes_after_the_body_comes_after_it(self) -> None:
        messages: list[Any] = [
            {"type": "http.request", "body": VALID},
            {"type": "http.disconnect"},
        ]
        seen: list[Any] = []

        async def app(scope: Any, receive: Any, send: Any) -> None:
            seen.extend([await receive(), await receive()])

        async def receive() -> Any:
            return messages.pop(0)

        guarded = asgi.GuardMiddleware(app, {"/{type}": "{type}"})
        scope = {"type": "http", "method": "PUT", "path": "/countdown", "headers": HEADERS}
        asyncio.run(guarded(scope, receive, None))  # type: ignore[arg-type]
        assert seen == [
            {"type": "http.request", "body": VALID, "more_body": False},
            {"type": "http.disconnect"},
        ]

    def test_the_event_loop_is_not_blocked_by_a_schema(self) -> None:
        asking, go = threading.Event(), threading.Event()

        class Source(dict[str, Any]):
            def lookup(self, id: str) -> Lookup:
                asking.set()
                assert go.wait(HANG)
                return Lookup(True, SCHEMAS["faq"])

            def expire(self) -> None: ...

        app = App("asgi", {"/{type}": "{type}"}, catalog=Catalog(Source()))

        async def main() -> int:
            sent: list[Any] = []

            async def receive() -> Any:
                return {"type": "http.request", "body": b"{}", "more_body": False}

            async def send(message: Any) -> None:
                sent.append(message)

            scope = {"type": "http", "method": "PUT", "path": "/faq", "headers": HEADERS}
            task = asyncio.create_task(app._app(scope, receive, send))
            while not asking.is_set():  # the loop runs while the source waits
                await asyncio.sleep(0)
            go.set()
            await task
            return int(sent[0]["status"])

        assert asyncio.run(main()) == 422

    def test_two_content_types_are_refused(self) -> None:
        headers = [*HEADERS, (b"content-type", b"text/plain")]
        app = App("asgi", {"/{type}": "{type}"})
        assert app("PUT", "/countdown", VALID, scope={"headers": headers}).status == 400


class TestWsgi:
    @pytest.mark.parametrize(
        ("changes", "status"),
        [
            ({"CONTENT_LENGTH": "-1"}, 400),
            ({"CONTENT_LENGTH": "1e3"}, 400),
            ({"CONTENT_LENGTH": "²"}, 400),
            ({"CONTENT_LENGTH": "9" * 5_000}, 413),
            ({"CONTENT_LENGTH": "900"}, 400),
            ({"CONTENT_LENGTH": "100000"}, 413),
            ({"CONTENT_LENGTH": ""}, 400),
            ({"HTTP_TRANSFER_ENCODING": "chunked"}, 411),
            ({"HTTP_TRANSFER_ENCODING": "chunked", "CONTENT_LENGTH": ""}, 411),
            (
                {
                    "HTTP_TRANSFER_ENCODING": "chunked",
                    "CONTENT_LENGTH": "",
                    "wsgi.input_terminated": True,
                },
                204,
            ),
            (
                {
                    "HTTP_TRANSFER_ENCODING": "chunked",
                    "CONTENT_LENGTH": "",
                    "wsgi.input_terminated": True,
                    "wsgi.input": io.BytesIO(VALID + b" " * 1_000),
                },
                413,
            ),
        ],
    )
    def test_lengths(self, changes: dict[str, Any], status: int) -> None:
        app = App("wsgi", {"/{type}": "{type}"}, max_bytes=1_000)
        started: list[Any] = []
        environ = {
            "REQUEST_METHOD": "PUT",
            "PATH_INFO": "/countdown",
            "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(VALID)),
            "wsgi.input": io.BytesIO(VALID),
            **changes,
        }
        body = b"".join(app._app(environ, lambda *start: started.append(start)))
        assert int(started[0][0][:3]) == status, body
        assert (b"shorter" in body) == (changes.get("CONTENT_LENGTH") == "900")
        assert app.saved == ([("PUT", VALID)] if status == 204 else [])


@pytest.fixture(scope="module", params=["uvicorn", "werkzeug", "wsgiref"])
def server(request: pytest.FixtureRequest) -> Iterator[tuple[str, int, dict[str, bytes]]]:
    """The applications of the guide on real servers: the name, the port, and what they stored."""
    if request.param == "uvicorn":
        listener = socket.create_server(("127.0.0.1", 0))
        config = uvicorn.Config(asgi_app.app, log_level="critical", lifespan="off")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        yield request.param, listener.getsockname()[1], asgi_app.STORED
        server.should_exit = True
        thread.join(HANG)
        listener.close()
        return

    class Quiet(WSGIRequestHandler):
        def log_message(self, *arguments: Any) -> None: ...

    wsgi_server: Any
    if request.param == "werkzeug":
        wsgi_server = make_werkzeug_server("127.0.0.1", 0, wsgi_app.app, threaded=True)
    else:
        wsgi_server = make_server("127.0.0.1", 0, wsgi_app.app, handler_class=Quiet)
    thread = threading.Thread(target=wsgi_server.serve_forever)
    thread.start()
    yield request.param, wsgi_server.server_port, wsgi_app.STORED
    wsgi_server.shutdown()
    thread.join(HANG)
    wsgi_server.server_close()


def put(port: int, body: Any, headers: dict[str, str] = JSON, **options: Any) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=HANG)
    try:
        connection.request("PUT", "/widgets/countdown", body, headers, **options)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def test_over_http(server: tuple[str, int, dict[str, bytes]]) -> None:
    name, port, stored = server
    stored.clear()
    status, body = put(port, INVALID)
    assert (status, stored) == (422, {})
    assert json.loads(body)["errors"][0]["line"] == 2
    status, _ = put(port, gzip.compress(VALID), {**JSON, "Content-Encoding": "gzip"})
    assert (status, stored) == (415, {})
    assert put(port, VALID)[0] == 204
    assert stored == {"countdown": VALID}
    stored.clear()
    if name != "wsgiref":  # it does not read chunks
        status, _ = put(port, iter([INVALID[:20], INVALID[20:]]), encode_chunked=True)
        assert (status, stored) == (422, {})
        status, _ = put(port, iter([VALID[:20], VALID[20:]]), encode_chunked=True)
        assert (status, stored) == (204, {"countdown": VALID})


@pytest.mark.parametrize(
    ("paths", "says"),
    [
        ({"/x/{id}": 3}, "must be a text, not 3"),
        ("/x/{id}", 'paths must be a dict such as {"/widgets/{type}": "{type}"}, not \'/x/{id}\''),
    ],
)
@pytest.mark.parametrize("guard", [wsgi.GuardMiddleware, asgi.GuardMiddleware])
def test_what_are_no_paths(guard: Any, paths: Any, says: str) -> None:
    with pytest.raises(TypeError, match=re.escape(says)):
        guard(None, paths)


@pytest.mark.parametrize("guard", [wsgi.GuardMiddleware, asgi.GuardMiddleware])
def test_methods_are_a_list(guard: Any) -> None:
    with pytest.raises(TypeError, match=r"such as \['PATCH'\], not a text"):
        guard(None, {"/x": "countdown"}, methods="PATCH")

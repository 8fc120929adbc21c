"""The example behind a server: 200 saves at once over HTTP, while schemas and platform change."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from runpy import run_path
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.wsgi import get_wsgi_application
from django.db import connections
from django.test.utils import override_settings
from shop.models import Widget  # type: ignore[import-not-found]

from tests.browsing import edited, entries
from tests.django_suite.pages import client_of_an_editor, form_of
from tests.django_suite.schemas import FAQ
from tests.django_suite.settings import EXAMPLE
from tests.fastapi_example import CHANGED, Clock, Gate, gated_sandbox, turns
from tests.form_apps import wsgi_served
from tests.terminal import HANG
from widgetschema import Catalog, Client, Fetcher
from widgetschema.sandbox import Sandbox

SAVES: Final = 200
EDITS: Final = 50
SITUATIONS: Final = (
    "healthy", "changed", "broken", "held", "down", "refusing", "healthy again",
)  # fmt: skip
AT_THE_MOMENT: Final = "cannot be used at the moment"


class Crowd:
    """A server with a thread for each request; it knows how many requests it is working on."""

    def __init__(self, size: int) -> None:
        self.is_full = threading.Event()
        self._count = 0
        self._size = size
        self._lock = threading.Lock()
        self._application = get_wsgi_application()

    def __call__(self, environ: Any, start_response: Any) -> Iterable[bytes]:
        with self._lock:
            self._count += 1
            if self._count == self._size:
                self.is_full.set()
        return self._application(environ, start_response)


@contextmanager
def served(crowd: Crowd) -> Iterator[int]:
    """A server for a crowd; yields its port."""
    with wsgi_served(crowd) as origin:
        port = urlsplit(origin).port
        assert port is not None
        yield port


class Request:
    """A request whose body does not end before `go`: until then, the server is working on it."""

    def __init__(self, port: int, method: str, path: str, body: bytes, **headers: str) -> None:
        self.go = threading.Event()
        self.body = body
        self.status = 0
        self.text = ""
        self._connection = HTTPConnection("127.0.0.1", port, timeout=2 * HANG)
        self._connection.putrequest(method, path)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self._connection.putheader(name.replace("_", "-"), value)

    def run(self) -> None:
        self._connection.endheaders()
        self._connection.send(self.body[:10])
        assert self.go.wait(HANG)
        self._connection.send(self.body[10:])
        response = self._connection.getresponse()
        self.status, self.text = response.status, response.read().decode()
        self._connection.close()


@pytest.fixture
def gate() -> Iterator[Gate]:
    gate = Gate()
    yield gate
    assert not gate.was_awaited


@pytest.fixture
def sandbox(gate: Gate) -> Iterator[Sandbox]:
    with gated_sandbox(gate) as sandbox:
        yield sandbox


@pytest.fixture
def emptied(databases: None) -> Iterator[None]:
    """Databases whose rows are committed, so that all threads see them, and removed afterwards."""
    yield
    for model in (Widget, LogEntry, Session, User):
        model.objects.all().delete()
    connections.close_all()


def test_the_example_takes_schemas_of_the_platform(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLATFORM", sandbox.base_url)
    monkeypatch.setenv("TOKEN", sandbox.access_token())
    settings = run_path(str(EXAMPLE / "settings.py"))
    catalog = settings["WIDGETSCHEMA"]["CATALOG"]()
    sandbox.set_schema("countdown", CHANGED)
    with catalog.sources[1].client:
        assert not catalog["countdown"].is_valid(countdown(5000))
    assert catalog["faq"].provenance[0].source.endswith("faq.json")


def countdown(days: Any) -> Any:
    """Return data of a countdown; the changed schema refuses more than 1,000 days."""
    return {"content": {"timerDays": days}, "settings": {}, "styles": {}}


def create(port: int, name: str, days: Any) -> Request:
    """Return a request to the API that creates a widget."""
    body = json.dumps({"name": name, "type": "countdown", "data": countdown(days)})
    return Request(port, "POST", "/api/widgets/", body.encode(), Content_Type="application/json")


def test_200_saves_at_once_while_schemas_and_platform_change(
    emptied: None, sandbox: Sandbox, gate: Gate
) -> None:
    clock = Clock()
    warned: list[str] = []
    client = Client(sandbox.base_url, token=sandbox.access_token(), timeout=2 * HANG)
    fetcher = Fetcher(client, cache=None, deadline=None, clock=clock, warn=warned.append)
    catalog = Catalog(
        [{"faq": FAQ}, fetcher], stale_while_revalidate=True, clock=clock, warn=warned.append
    )
    turn = turns(sandbox, gate, clock, lambda: catalog)

    def look_up() -> None:
        clock.now += 100
        assert catalog["countdown"]

    crowd = Crowd(SAVES)
    large: dict[str, int] = {}
    setting = override_settings(WIDGETSCHEMA={"CATALOG": catalog})
    with setting, client, served(crowd) as port, ThreadPoolExecutor(SAVES) as threads:
        assert catalog["countdown"].is_valid(countdown(1))
        saves = [
            create(port, f"{number}", number if number % 2 else f"{number}")
            for number in range(SAVES)
        ]
        running = {save: threads.submit(save.run) for save in saves}
        assert crowd.is_full.wait(HANG)
        assert not any(save.status for save in saves)  # all 200 are under way
        for at, situation in enumerate(SITUATIONS):
            turn(situation)
            group = saves[at :: len(SITUATIONS)]
            for save in group:
                save.go.set()
            for save in group:
                running[save].result(HANG)
            if situation == "held":  # a look-up is under way, for which no save has waited
                assert gate.is_reached(look_up)
                assert not gate.is_open.is_set()
            one = create(port, "large", 5000)
            one.go.set()
            one.run()
            large[situation] = one.status
            for number, save in enumerate(saves):
                if save in group:
                    right = 201 if number % 2 else 400
                    refused = situation == "refusing" and AT_THE_MOMENT in save.text
                    assert save.status == (503 if refused else right), save.text
    others = dict.fromkeys(("changed", "broken", "held", "down"), 400)
    assert large.pop("refusing") in (400, 503)
    assert large == {"healthy": 201, **others, "healthy again": 201}
    stored = dict(Widget.objects.exclude(name="large").values_list("name", "data"))
    accepted = [number for number, save in enumerate(saves) if save.status == 201]
    assert stored == {f"{number}": countdown(number) for number in accepted}
    assert len(accepted) >= SAVES // 2 - SAVES // len(SITUATIONS)
    for reason in ("cannot resolve $ref '#/nowhere'", "the connection was closed"):
        assert any(reason in sentence for sentence in warned)


def test_of_edits_in_the_admin_at_once_none_is_lost(emptied: None) -> None:
    row = Widget.objects.create(name="w", type="faq", data={"items": [{"q": "Why?", "rank": 0}]})
    address = f"/admin/shop/widget/{row.pk}/change/"
    editor = client_of_an_editor()
    pairs = entries(form_of(editor.get(address).content.decode()).html or "")
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in editor.cookies.items())
    crowd = Crowd(EDITS)
    with served(crowd) as port, ThreadPoolExecutor(EDITS) as threads:
        headers = {"Cookie": cookies, "Content_Type": "application/x-www-form-urlencoded"}
        edits = [
            Request(port, "POST", address, urlencode(one).encode(), **headers)
            for one in (
                edited(pairs, "data.#/items/0/rank", f"{number}") for number in range(1, EDITS + 1)
            )
        ]
        running = [threads.submit(edit.run) for edit in edits]
        assert crowd.is_full.wait(HANG)
        for edit in edits:
            edit.go.set()
        for one in running:
            one.result(HANG)
    [saved] = [number for number, edit in enumerate(edits, 1) if edit.status == 302]
    row.refresh_from_db()
    assert row.data == {"items": [{"q": "Why?", "rank": saved}]}
    for number, edit in enumerate(edits, 1):
        if number != saved:  # the person sees what was typed, and may save it again
            assert edit.status == 200
            assert "changed the same since the page was shown" in edit.text
            shown = dict(entries(form_of(edit.text).html or ""))
            assert shown["data.#/items/0/rank"] == f"{number}"

"""Files in the forms of Flask and Starlette: multipart bodies, their limits, and what is no form."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import anyio
import httpx
import pytest
from flask import Flask
from starlette.applications import Starlette
from starlette.routing import Mount

from tests.browsing import edited, entries, text_of
from widgetschema import WidgetType
from widgetschema.integrations.flask import form_blueprint
from widgetschema.integrations.form_views import StoredData
from widgetschema.integrations.starlette import form_router

PNG: Final = b"\x89PNG\r\n\x1a\n" + bytes(20_000)
STORED: Final = '{"title": "a", "logo": "YW55\\n"}'
TYPE: Final = WidgetType.from_data_schema(
    {
        "properties": {
            "title": {"type": "string"},
            "logo": {
                "type": "string",
                "contentEncoding": "base64",
                "contentMediaType": "image/png",
            },
        }
    },
    id="note",
)
MULTIPART: Final = "multipart/form-data; boundary=B"


@dataclass
class Store:
    """One row; others replace it before the next saves."""

    text: str = STORED
    others: list[str] = field(default_factory=list)

    def load(self, *_: Any) -> StoredData:
        return StoredData(TYPE, self.text)

    def save(self, *given: Any) -> bool:
        *_, text, before = given
        if self.others:
            self.text = self.others.pop(0)
        if self.text != before:
            return False
        self.text = text
        return True


@dataclass
class Site:
    """An application with the forms of a store, and a way to send requests to it."""

    store: Store
    send: Callable[[httpx.Request], httpx.Response]

    def post(self, path: str, content: bytes, content_type: str = MULTIPART) -> httpx.Response:
        headers = {"content-type": content_type}
        return self.send(httpx.Request("POST", f"http://x{path}", content=content, headers=headers))

    def submit(
        self, *files: tuple[str, str, bytes], path: str = "/forms/7", title: str = "b"
    ) -> Any:
        """Post the page as a browser without a script does."""
        page = self.send(httpx.Request("GET", "http://x/forms/7"))
        pairs = edited(entries(page.text), "#/title", title)
        return self.post(path, multipart(pairs, files))


def multipart(pairs: list[tuple[str, str]], files: tuple[tuple[str, str, bytes], ...]) -> bytes:
    disposition = b"--B\r\nContent-Disposition: form-data; name="
    parts = [disposition + f'"{n}"\r\n\r\n{v}\r\n'.encode() for n, v in pairs]
    parts += [
        disposition
        + f'"{n}"; filename="{f}"\r\n'.encode()
        + b"Content-Type: x/y\r\n\r\n"
        + c
        + b"\r\n"
        for n, f, c in files
    ]
    return b"".join((*parts, b"--B--\r\n"))


def flask_site(store: Store) -> Site:
    app = Flask(__name__)
    app.register_blueprint(form_blueprint(store), url_prefix="/forms")
    return Site(store, httpx.Client(transport=httpx.WSGITransport(app=app)).send)


def starlette_site(store: Store) -> Site:
    app = Starlette(routes=[Mount("/forms", form_router(store))])

    async def answer(request: httpx.Request) -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app)) as client:
            return await client.send(request)

    return Site(store, lambda request: anyio.run(answer, request))


@pytest.fixture(params=[flask_site, starlette_site], ids=["flask", "starlette"])
def site(request: pytest.FixtureRequest) -> Site:
    made: Site = request.param(Store())
    return made


def test_a_chosen_file_is_saved(site: Site) -> None:
    assert site.submit(("file#/logo", "a.png", PNG)).status_code == 303
    assert json.loads(site.store.text) == {"title": "b", "logo": base64.b64encode(PNG).decode()}


def test_without_a_chosen_file_the_stored_text_stays_byte_for_byte(site: Site) -> None:
    assert site.submit(("file#/logo", "", b"")).status_code == 303
    assert site.store.text == STORED.replace('"a"', '"b"')


def test_places_where_no_file_was_chosen_are_no_files_that_are_too_many(site: Site) -> None:
    empty = ("file#/logo", "", b"")
    answer = site.submit(*[empty] * 1_000, ("file#/logo", "a.png", PNG))
    assert answer.status_code == 303
    assert json.loads(site.store.text)["logo"] == base64.b64encode(PNG).decode()


def test_a_body_that_cannot_be_read_does_not_count_as_too_many_controls(site: Site) -> None:
    whole = multipart([("x", "")] * 200, ())
    answer = site.post("/forms/7", whole.replace(b'name="x"', b"x", 1))
    assert (answer.status_code, "controls were" in answer.text) == (400, False)


def test_a_file_is_not_lost_where_others_save_meanwhile(site: Site) -> None:
    site.store.others = ['{"title": "a", "logo": "YW55\\n", "n": 1}']
    assert site.submit(("file#/logo", "a.png", PNG)).status_code == 303
    assert json.loads(site.store.text)["logo"] == base64.b64encode(PNG).decode()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"GIF89a", "Choose a file of the type PNG"),
        (b"\x89PNG\r\n\x1a\n" + bytes(1_000_000), "Choose a file of at most 1 MB"),
        (b"", "Choose another file: this one is empty"),
    ],
    ids=["type", "size", "empty"],
)
def test_another_file_is_refused_in_words_for_people(
    site: Site, content: bytes, sentence: str
) -> None:
    answer = site.submit(("file#/logo", "a.png", content))
    assert answer.status_code == 422
    assert sentence in text_of(answer.text)
    assert len(answer.content) < 200_000  # what is too large does not come back
    assert site.store.text == STORED
    again = site.post("/forms/7", multipart(entries(answer.text), ()))
    assert again.status_code == 422  # nothing is saved in its place before a person says so


@pytest.mark.parametrize(
    ("content", "content_type", "status"),
    [
        (b"", MULTIPART, 400),
        (b"nothing", MULTIPART, 400),
        (b"--B\r\nContent-Disposition: x\r\n\r\n\r\n--B--\r\n", MULTIPART, 400),
        (multipart([("#/title", "b")], ()), "multipart/form-data", 400),
        (multipart([("#/title", "b")], ()), "multipart/form-data; boundary=", 400),
        (multipart([("base#", "0-0-0")], (("#/title", "a", b"b"),)), MULTIPART, 400),
        (multipart([("file#/logo", "C:\\a.png")], ()), MULTIPART, 400),
        (multipart([], (("file#/logo", "a", b"a"),) * 21_001), MULTIPART, 413),
        (multipart([("x", "")] * 21_200, ()), MULTIPART, 413),
        (multipart([("#/title", "a" * 17_000_000)], ()), MULTIPART, 413),
    ],
    ids=["empty", "text", "names", "none", "boundary", "file", "name", "files", "parts", "large"],
)  # fmt: skip
def test_what_is_no_form_is_an_error_of_the_client(
    site: Site, content: bytes, content_type: str, status: int
) -> None:
    answer = site.post("/forms/7", content, content_type)
    assert answer.status_code == status
    assert answer.json()["status"] == status
    assert "Traceback" not in answer.text
    assert site.store.text == STORED
    for path in ("/check", "/preview") if len(content) < 1_000 else ():
        assert site.post(f"/forms/7{path}", content, content_type).status_code == status


def test_a_live_check_needs_a_file_once(site: Site) -> None:
    sent = base64.b64encode(PNG).decode()
    page = site.send(httpx.Request("GET", "http://x/forms/7"))
    pairs = edited(entries(page.text), "#/logo", sent)
    answer = site.post("/forms/7/check", multipart(pairs, ())).json()
    assert answer["findings"] == []
    again = [pair for pair in pairs if pair[0] != "#/logo"]
    again.append(("file#/logo", answer["files"]["#/logo"]))
    assert len(multipart(again, ())) < 2_000
    second = site.post("/forms/7/check", multipart(edited(again, "#/title", "b"), ())).json()
    assert (second["findings"], second["files"]) == ([], answer["files"])
    assert (
        site.post("/forms/7/check", multipart([("file#/logo", "no token")], ())).status_code == 400
    )


def test_a_cross_site_upload_is_refused(site: Site) -> None:
    content = multipart([], (("file#/logo", "a.png", PNG),))
    headers = {"content-type": MULTIPART, "sec-fetch-site": "cross-site"}
    request = httpx.Request("POST", "http://x/forms/7", content=content, headers=headers)
    assert site.send(request).status_code == 403

"""Access to the editor: one browser, from its own pages; and what never gets out of it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from tests.browsing import entries
from tests.editing import PANE, WIDGET, Page, browsing, editing, editor_of, tab
from widgetschema.editor import EditorSession, serving
from widgetschema.editor.application import parse_urlencoded
from widgetschema.editor.guard import HEADERS
from widgetschema.forms.content_policy import hash_source
from widgetschema.forms.html import stylesheet
from widgetschema.forms.markdown import STYLE_SOURCE
from widgetschema.forms.posted_controls import MAX_CONTROLS
from widgetschema.languages import shipped_languages

# Of posted forms: escapes, halves of escapes, and bytes that no UTF-8 has
PIECES = [b"a", b"%", b"%3", b"%3D", b"%26", b"%e2%82%AC", b"%C3", b"%fF", b"%FE", b"=", b"&", b"+", b";",
          b"\xff"]  # fmt: skip
FORM = {"content-type": "application/x-www-form-urlencoded"}
EVIL = """"><script>alert(1)</script><img src=x onerror=alert(1)>'"""


HARMLESS = EVIL.replace("<", "(").replace(">", ")")  # gives the same elements, if all is escaped


def port_of(address: str) -> int:
    port = urlsplit(address).port
    assert port is not None
    return port


# The token


def test_the_address_becomes_a_cookie(address: str) -> None:
    with httpx.Client() as client:
        response = client.get(address)
        assert response.status_code == 303
        assert response.headers["location"] == "/"
        [cookie] = response.headers.get_list("set-cookie")
        name, _, rest = cookie.partition("=")
        assert name == f"widgetschema-{port_of(address)}"
        assert re.fullmatch(r"[\w-]{43}; HttpOnly; Path=/; SameSite=strict", rest)
        [token] = parse_qs(urlsplit(address).query)["token"]
        assert token not in cookie
        assert client.get(response.url.join("/")).status_code == 200
        assert client.get(address).status_code == 303  # the same browser may open it again


def test_the_address_is_good_once(address: str) -> None:
    assert httpx.head(address).status_code == 403  # looking ahead does not use it up
    assert httpx.get(address).status_code == 303
    again = httpx.get(address)
    assert again.status_code == 403
    assert "already been opened" in again.text
    assert "set-cookie" not in again.headers


@pytest.mark.parametrize("token", ["", "x", "%ff", "é", "a" * 10_000])
def test_another_token_opens_nothing(token: str, address: str) -> None:
    base = address.partition("?")[0]
    response = httpx.get(f"{base}?token={token}")
    assert response.status_code == 403
    assert "set-cookie" not in response.headers
    assert httpx.get(address).status_code == 303  # nobody has used the right one up


PATHS = [
    "/",
    "/live",
    "/current",
    "/assets/forms.css",
    "/assets/editor.js",
    "/nothing",
    "//",
    "/%00",
]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "OPTIONS"])
def test_without_the_cookie_every_path_is_closed(method: str, path: str, address: str) -> None:
    base = address.partition("/?")[0]
    cookies = {f"widgetschema-{port_of(address)}": "x", "other": "y"}
    for more in ({}, {"cookie": "; ".join(f"{a}={b}" for a, b in cookies.items())}):
        response = httpx.request(method, base + path, headers={"origin": base, **more})
        assert response.status_code == 403
        if method != "HEAD":
            assert "has not opened the editor" in response.text
        assert HEADERS.items() <= dict(response.headers).items()


# Where requests come from


@pytest.mark.parametrize(
    "host",
    ["example.com", "127.0.0.1", "localhost", "127.0.0.1:1", "[::1]:{port}", "", "x.localhost:{port}",
     "127.0.0.1:{port}.example.com", "127.0.0.1:{port}@example.com"],
)  # fmt: skip
def test_another_host_is_not_the_editor(host: str, page: Page) -> None:
    headers = {"host": host.format(port=port_of(page.url))}
    for path in ("", "assets/forms.css", "?token=x"):
        response = page.client.get(page.url + path, headers=headers)
        assert response.status_code == 403
        assert "not the address of the editor" in response.text


def test_localhost_is_the_same_machine_and_another_browser(page: Page) -> None:
    port = port_of(page.url)
    assert httpx.get(f"http://localhost:{port}/").status_code == 403
    [(name, value)] = page.client.cookies.items()
    headers = {"host": f"localhost:{port}", "cookie": f"{name}={value}"}
    assert httpx.get(page.url, headers=headers).status_code == 200


@pytest.mark.parametrize(
    ("origin", "site", "status"),
    [
        ("own", "same-origin", 200),
        ("own", None, 200),
        (None, "same-origin", 200),
        ("null", "same-origin", 200),
        (None, None, 403),
        ("null", None, 403),
        ("null", "cross-site", 403),
        ("own", "cross-site", 403),
        ("own", "same-site", 403),
        (None, "none", 403),
        ("https://example.com", "same-origin", 403),
        ("http://localhost:{port}", None, 403),
        ("http://127.0.0.1:1", None, 403),
        ("https://127.0.0.1:{port}", None, 403),
    ],
)
@pytest.mark.parametrize("path", ["", "live"])
def test_a_post_comes_from_an_own_page(
    origin: str | None, site: str | None, status: int, path: str, page: Page
) -> None:
    port = port_of(page.url)
    own = f"http://127.0.0.1:{port}"
    [(name, value)] = page.client.cookies.items()
    headers = {**FORM, "cookie": f"{name}={value}"}
    if origin is not None:
        headers["origin"] = own if origin == "own" else origin.format(port=port)
    if site is not None:
        headers["sec-fetch-site"] = site
    body = urlencode(entries(page.markup, press="check"))
    response = httpx.post(page.url + path, content=body, headers=headers)
    assert response.status_code == status


@pytest.mark.parametrize("token", ["", "x", "é", None])
@pytest.mark.parametrize("path", ["", "live"])
def test_a_post_has_the_token_of_the_page(
    token: str | None, path: str, page: Page, file: Path
) -> None:
    pairs = [pair for pair in entries(page.markup, press="save") if pair[0] != "editor.csrf"]
    pairs = [(name, "x" if name.endswith("timerTitle") else value) for name, value in pairs]
    pairs += [] if token is None else [("editor.csrf", token)]
    response = page.client.post(page.url + path, content=urlencode(pairs), headers=FORM)
    assert response.status_code == 403
    assert file.read_bytes() == WIDGET.read_bytes()


# What is answered


def test_every_answer_has_the_headers(page: Page) -> None:
    for path in ("", "assets/forms.css", "assets/editor.js", "nothing", "current?version=x"):
        response = page.client.get(page.url + path)
        assert HEADERS.items() <= dict(response.headers).items()
    policy = HEADERS["content-security-policy"]
    assert "unsafe" not in policy
    styles = rf"'self' {re.escape(STYLE_SOURCE)} 'sha256-[\w+/=]+'"  # of Markdown, of messages
    assert re.match(f"default-src 'none'; style-src {styles}; script-src 'self'", policy)


def test_a_message_has_the_style_of_forms(address: str) -> None:
    httpx.get(address)
    response = httpx.get(address)
    assert "already been opened" in response.text
    assert '<body class="ws-page">' in response.text
    [style] = re.findall("<style>(.*?)</style>", response.text, re.DOTALL)
    assert style.strip() == stylesheet().strip()
    assert f" {hash_source(style)};" in response.headers["content-security-policy"]


class Inline(HTMLParser):
    """Finds what a strict policy would not run: inline styles, scripts, handlers."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.found += [name for name, _ in attrs if name.startswith("on") or name == "style"]
        if tag == "style" or (tag == "script" and "src" not in dict(attrs)):
            self.found.append(tag)
        for name, value in attrs:
            if name in ("href", "src", "action") and not (value or "").startswith(
                ("/", "#", "data:,")
            ):
                self.found.append(f"{name}={value}")


def inline(markup: str) -> Inline:
    parser = Inline()
    parser.feed(markup)
    return parser


def test_nothing_is_inline_and_nothing_comes_from_elsewhere(page: Page, file: Path) -> None:
    assert inline(page.markup).found == []
    page.press("review", {"#/data/content/timerTitle": "x"})
    assert inline(page.markup).found == []


def test_data_never_becomes_markup(tmp_path: Path) -> None:
    """Script in every place that a person or a schema can write: the elements stay the same."""

    def tags(evil: str) -> list[str]:
        path = tmp_path / f"{evil[:2].strip() or 'x'}{len(evil)}{evil.replace('/', '')}.json"
        member = evil.replace('"', '\\"')
        path.write_text(f'{{"type": "faq", "name": 3, "data": {{"{member}": "{member}"}}}}')
        schema: dict[str, Any] = {
            "title": evil,
            "properties": {
                "name": {"enum": [evil]},
                "data": {"additionalProperties": {"title": evil, "enum": [evil, "b"]}},
            },
        }
        found: list[str] = []
        with editing(path, schemas={"faq": schema}) as page:
            found += inline(page.markup).tags
            page.press("review", {PANE: page.pane.replace("faq", f"faq{member}")})
            found += inline(page.markup).tags
            answer = page.live({PANE: page.pane.replace("name", f"name {member}", 1)})
            for part in ("notices", "document-findings", "refusals", "status", "type"):
                found += inline(answer["editor"][part]).tags
            path.write_text(page.pane.replace("name", f"theirs {member}"))
            page.press("form")
            found += inline(page.markup).tags
            assert inline(page.markup).found == []
            page.press("merge", {PANE: "{" + evil})
            found += inline(page.markup).tags
        return found

    assert tags(EVIL) == tags(HARMLESS)


@pytest.mark.parametrize(
    "path",
    ["assets/", "assets/../editing.py", "assets/..%2f..%2f..%2fetc/passwd", "assets/editor.css/",
     "assets/page.html", "etc/passwd", "../black-friday.json", "black-friday.json", "?file=/etc/passwd/x"],
)  # fmt: skip
def test_no_path_names_a_file(path: str, page: Page) -> None:
    response = page.client.get(page.url + path)
    if path.startswith("?"):
        assert "Black Friday ends in" in response.text
    else:
        assert response.status_code == 404
        assert "root:" not in response.text


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("PUT", ""),
        ("DELETE", ""),
        ("GET", "live"),
        ("POST", "current"),
        ("PATCH", "assets/forms.css"),
    ],
)
def test_other_methods(method: str, path: str, page: Page) -> None:
    response = page.client.request(method, page.url + path)
    assert response.status_code == 405
    assert HEADERS.items() <= dict(response.headers).items()


# Limits


def test_too_many_controls(page: Page) -> None:
    few = urlencode([*entries(page.markup, press="check"), *([("x", "")] * 18_000)])
    assert page.client.post(page.url, content=few, headers=FORM).status_code == 200
    many = urlencode([*entries(page.markup, press="check"), *([("x", "")] * MAX_CONTROLS)])
    for path in ("", "live"):
        response = page.client.post(page.url + path, content=many, headers=FORM)
        assert response.status_code == 422
        assert "20,000" in response.text


def test_too_many_controls_in_several_parts(page: Page) -> None:
    token = page.value("editor.csrf")
    files = [("editor.csrf", (None, token)), *([("x", (None, ""))] * (MAX_CONTROLS + 200))]
    response = page.client.post(page.url, files=files)
    assert response.status_code == 422
    assert "20,000" in response.text


def test_what_cannot_be_used_is_said_in_the_language_of_the_page(file: Path) -> None:
    session = editor_of(file)
    session.language = shipped_languages()["de"]
    before = file.read_bytes()
    with serving(session) as address, tab(address) as page:
        pairs = entries(page.markup, press="save")
        for more, sentence, detail in (
            ([("base#", "x")], "und nichts wurde gespeichert.", "the controls of several forms"),
            ([("x", "")] * MAX_CONTROLS, "ein Formular hat höchstens 20.000", ""),
        ):
            content = urlencode([*pairs, *more])
            response = page.client.post(page.url, content=content, headers=FORM)
            assert response.status_code == 422
            assert sentence in response.text
            found = LexborHTMLParser(response.text).css("[lang=en]")
            assert [one.text()[: len(detail)] for one in found] == [detail] * bool(detail)
    assert file.read_bytes() == before


def test_several_parts_are_a_form_too(page: Page) -> None:
    parts = [(name, (None, value)) for name, value in entries(page.markup, press="save")]
    edited = [(n, (None, "Mine ☕") if n.endswith("/timerTitle") and n[0] == "#" else v)
              for n, v in parts]  # fmt: skip
    response = page.client.post(page.url, files=edited)
    assert response.url.params["done"] == "saved"
    assert "Mine ☕" in response.text


@given(body=st.lists(st.sampled_from(PIECES)).map(b"".join))
def test_posted_forms_are_read_as_the_standard_library_reads_them(body: bytes) -> None:
    try:
        expected = parse_qsl(body.decode("ascii"), keep_blank_values=True, errors="strict")
    except ValueError:
        with pytest.raises(ValueError, match=r"UTF-8|utf-8"):
            parse_urlencoded(body)
    else:
        assert parse_urlencoded(body) == expected


def test_a_file_is_not_taken(page: Page) -> None:
    files: list[tuple[str, tuple[str | None, str]]] = [
        ("editor.csrf", (None, page.value("editor.csrf"))),
        ("x", ("a.txt", "text")),
    ]
    assert page.client.post(page.url, files=files).status_code == 422


@pytest.mark.parametrize("pieces", [3, 50], ids=["heard out", "broken off"])
def test_more_than_is_taken(pieces: int, file: Path) -> None:
    from widgetschema.editor.application import build_application
    from widgetschema.local_server import serving

    application = build_application(editor_of(file), "token", most_bytes=1000)
    with (
        serving(application, "127.0.0.1", 0, "the editor") as url,
        browsing(url) as client,
    ):
        client.get(f"{url}/?token=token")
        body = (b"x" * 500 for _ in range(pieces))
        response = client.post(f"{url}/live", content=body, headers=FORM)
        assert response.status_code == 413
        assert response.json() == {
            "notice": "This is more than the editor takes: at most 1,000 bytes."
        }


@pytest.mark.parametrize(
    ("body", "media_type", "status"),
    [
        (b"{}", "application/json", 415),
        (b"", "", 415),
        (b"a=%ff", FORM["content-type"], 422),
        (b"a=\xff", FORM["content-type"], 422),
        (b"--x", "multipart/form-data", 422),
        (b"--x\r\n\r\nno", "multipart/form-data; boundary=y", 422),
    ],
)
def test_what_is_no_form(body: bytes, media_type: str, status: int, page: Page) -> None:
    response = page.client.post(page.url, content=body, headers={"content-type": media_type})
    assert response.status_code == status


def test_a_mistake_of_ours_shows_no_traceback(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []

    def broken(self: EditorSession, done: str = "", step: str = "") -> None:
        raise ZeroDivisionError("secret")

    with serving(editor_of(file), log=said.append) as address, browsing(address) as client:
        page = Page(client, address).open(address)
        monkeypatch.setattr(EditorSession, "show", broken)
        page.open()
        assert page.status == 500
        assert "ZeroDivisionError" in page.text
        assert "secret" not in page.text
        assert "Traceback" not in page.text
        monkeypatch.undo()
        assert page.open().status == 200
    assert said == ["the editor had an internal error, and went on: ZeroDivisionError"]


def test_hostile_texts_come_back_as_they_were(page: Page) -> None:
    odd = "</textarea><script>\u2028\u202e\x01\U0001f600" + "x" * 100_000
    page.press("check", {"#/data/content/timerTitle": odd})
    assert page.status == 200
    assert page.value("#/data/content/timerTitle").startswith("</textarea><script>\u2028")
    page.press("merge", {PANE: "[" * 100_000})
    assert page.status == 200
    assert page.pane == "[" * 100_000
    assert "nested" in page.said("ed-refusals")

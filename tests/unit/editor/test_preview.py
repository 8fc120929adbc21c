"""The preview of the editor: what is rendered, what it may do, and what goes wrong in it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import httpx
import pytest

from examples.countdown_preview import render
from tests.editing import PANE, TITLE, WIDGET, Page, editing
from widgetschema.editor.guard import HEADERS
from widgetschema.editor.preview import AddressPreview, command_preview
from widgetschema.forms.preview import PREVIEW_HEADERS, PreviewError, RenderedPreview

ODD = '</script><script>alert(1)</script><img src=x onerror="alert(2)">'


def preview_of(page: Page) -> httpx.Response:
    """The page in the frame."""
    address = page.markup.partition('src="/preview')[2].partition('"')[0].replace("&amp;", "&")
    assert address
    return page.client.get(f"{page.url}preview{address}", follow_redirects=False)


def test_the_data_is_rendered_as_it_is_now(file: Path) -> None:
    seen: list[Any] = []

    def render_title(data: Any) -> str:
        seen.append(data)
        title = data["content"].pop("timerTitle")  # what it does with its data is its own business
        return f"<h1>{title}</h1>"

    with editing(file, preview=RenderedPreview(render_title)) as page:
        assert preview_of(page).text == "<h1>Black Friday ends in</h1>"
        page.press("check", {TITLE: "From the form"})
        assert preview_of(page).text == "<h1>From the form</h1>"
        page.press("merge", {PANE: page.pane.replace("From the form", "From the pane 👍")})
        assert preview_of(page).text == "<h1>From the pane 👍</h1>"
        page.press("merge", {PANE: "{"})
        assert preview_of(page).text == "<h1>From the pane 👍</h1>"
        page.press("back").press("back")
        assert preview_of(page).text == "<h1>From the form</h1>"
        assert "From the form" in page.pane
    assert "id" not in seen[0]


def test_its_page_has_no_rights(file: Path) -> None:
    with editing(file, preview=RenderedPreview(lambda data: ODD)) as page:
        response = preview_of(page)
        assert response.text == ODD
        assert PREVIEW_HEADERS.items() <= dict(response.headers).items()
        policy = PREVIEW_HEADERS["content-security-policy"].split("; ")
        assert policy[:2] == ["sandbox", "default-src 'none'"]
        assert not [part for part in policy if part.startswith(("script", "connect", "frame-src"))]
        assert ' sandbox="" ' in page.markup
        own = page.client.get(page.url).headers["content-security-policy"]
        assert own == f"{HEADERS['content-security-policy']}; frame-src 'self' 'self'"
        with httpx.Client() as stranger:
            assert stranger.get(f"{page.url}preview?step=1").status_code == 403


def test_without_a_preview_there_is_none(file: Path) -> None:
    with editing(file) as page:
        assert "preview" not in page.markup.replace("previewImage", "").lower()
        assert page.client.get(f"{page.url}preview?step=1").status_code == 404
        policy = page.client.get(page.url).headers["content-security-policy"]
        assert policy == HEADERS["content-security-policy"]


def test_what_goes_wrong_is_said_in_the_frame(file: Path, tmp_path: Path) -> None:
    def fail(data: Any) -> str:
        raise KeyError(ODD)

    with editing(file, preview=RenderedPreview(fail)) as page:
        response = preview_of(page)
        assert "There is no preview" in response.text
        assert "KeyError: &#x27;&lt;/script&gt;&lt;script&gt;" in response.text
        assert page.client.get(f"{page.url}preview?step=99").status_code == 410
    none: Any = RenderedPreview(lambda data: None)  # type: ignore[arg-type,return-value]
    assert "This is not text: NoneType" in none.show({}).html
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    with editing(broken, type_id="countdown", preview=RenderedPreview(fail)) as page:
        assert "The JSON or its type cannot be read" in preview_of(page).text


SCRIPT = """
import json, sys
data = json.load(sys.stdin)
if data == "fail":
    sys.exit("it did <b>not</b> work")
sys.stdout.buffer.write(json.dumps(data).encode() + b" \\xff")
"""


def test_a_command_gets_json_and_prints_html(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SCRIPT]
    preview = RenderedPreview(command_preview(command))
    assert (
        preview.show({"a": "é\ud800", "b": [1.5]}).html
        == '{"a": "\\u00e9\\ud800", "b": [1.5]} \ufffd'
    )
    failed = preview.show("fail").html
    assert "exited with 1" in failed
    assert "it did &lt;b&gt;not&lt;/b&gt; work" in failed
    missing = RenderedPreview(command_preview([str(tmp_path / "nothing")]))
    assert "nothing: No such file or directory" in missing.show({}).html


def test_an_address_has_the_data(file: Path) -> None:
    preview = AddressPreview("http://localhost:3000/preview?data={data}#top")
    with editing(file, preview=preview) as page:
        page.press("check", {TITLE: "a&b #c"})
        response = preview_of(page)
        assert response.status_code == 303
        address = response.headers["location"]
        data = address.removeprefix("http://localhost:3000/preview?data=").removesuffix("#top")
        assert json.loads(unquote(data))["content"]["timerTitle"] == "a&b #c"
        assert "&" not in data
        policy = page.client.get(page.url).headers["content-security-policy"]
        assert policy.endswith("; frame-src 'self' http://localhost:3000")
        assert 'sandbox="allow-scripts allow-same-origin allow-forms"' in page.markup
    assert "too large for an address" in preview.show("x" * 40_000).html


@pytest.mark.parametrize(
    ("template", "says"),
    [
        ("javascript:alert({data})", "must begin with http"),
        ("/preview?{data}", "must begin with http"),
        ("http://localhost/", "must have {data} exactly once"),
        ("http://{data}/", "must have {data} exactly once"),
        ("http://127.0.0.1:3000/{data}", "use localhost"),
        ("http://a; script-src *:80/{data}", "characters that no host has"),
    ],
)
def test_addresses_that_are_none(template: str, says: str) -> None:
    with pytest.raises(PreviewError, match=says.replace("{", "[{]").replace("*", "[*]")):
        AddressPreview(template)


@pytest.mark.parametrize(
    "data",
    [
        json.loads(WIDGET.read_text())["data"],
        {},
        None,
        [1],
        {"content": {"timerTitle": ODD, "expDate": ODD, "daysLabel": ODD, "timerDays": "x"}},
        {"styles": {"cardsBg": [ODD], "containerBg": "red;}", "countdownSize": [], "cardsBorderWidth": 1e400}},
    ],
)  # fmt: skip
def test_the_example_escapes_everything(data: Any) -> None:
    page = render(data)
    assert page.startswith("<!doctype html>")
    assert "<script" not in page
    assert "<img" not in page
    assert "red;" not in page

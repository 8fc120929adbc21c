"""Texts in Markdown: a preview that leads nowhere, loads nothing, and runs nothing."""

from __future__ import annotations

import importlib.util
import sys
from typing import Any, Final

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.posting import forms_of
from widgetschema import Form
from widgetschema.forms.markdown import STYLE_SOURCE, preview_of_markdown

HOSTILE: Final = """# A <script>alert(1)</script>
<iframe src="//x"></iframe> <img src=x onerror=alert(1)>

[a](javascript:alert(1)) [b](https://x.example/?"><script>) [c](data:text/html,x) [d](//x)
![e](https://x.example/track.gif) ![f](javascript:alert(1)) ![<b>](x "onload=")
<https://x.example> <style>body{}</style> [g]: javascript:x
"""


def form_of(schema: Any, text: str) -> Form:
    return forms_of({"properties": {"a": {"type": "string", **schema}}}).form({"a": text})


@pytest.mark.parametrize(
    "schema",
    [
        {"format": "markdown"},
        {"contentMediaType": "text/markdown"},
        {"contentMediaType": "text/markdown; variant=GFM"},
    ],
)
def test_a_text_in_markdown_has_a_preview(schema: Any) -> None:
    page = LexborHTMLParser(form_of(schema, "# Hello\n\n*you*").render())
    [area] = page.css("textarea[name='#/a']")
    assert area.text() == "# Hello\n\n*you*"
    [frame] = page.css("iframe")
    assert frame.attributes["sandbox"] == ""
    assert frame.attributes["title"] == "Preview of A"
    shown = LexborHTMLParser(frame.attributes["srcdoc"] or "")
    assert [one.text() for one in shown.css("h1, em")] == ["Hello", "you"]


def test_a_ui_description_asks_for_it() -> None:
    forms = forms_of({"properties": {"a": {"type": "string"}}})
    assert "srcdoc" not in forms.form({"a": "*x*"}).render()
    assert "srcdoc" in forms.form({"a": "*x*"}, ui={"/a": {"kind": "markdown"}}).render()


def test_nothing_in_it_leads_loads_or_runs() -> None:
    shown = LexborHTMLParser(preview_of_markdown(HOSTILE) or "")
    body = shown.body
    assert body is not None
    assert {node.tag for node in body.css("*")} <= {"body", "h1", "p", "span", "br"}
    names = {name for node in body.css("*") for name in node.attributes}
    assert names <= {"class", "title"}
    assert "<script>alert(1)</script>" in body.text()
    policy = shown.css("meta[http-equiv]")[0].attributes["content"] or ""
    assert policy == f"default-src 'none'; style-src {STYLE_SOURCE}"


def test_an_empty_and_a_long_text() -> None:
    assert preview_of_markdown(" \n") == ""
    assert "has no preview" in (preview_of_markdown("a" * 20_001) or "")
    page = LexborHTMLParser(form_of({"format": "markdown"}, "").render())
    assert "hidden" in page.css(".ws-rendered")[0].attributes


def test_a_live_check_has_the_pages() -> None:
    form = form_of({"format": "markdown"}, "a")
    answer = form.submit({"#/a": "*new*"}).answer()
    [field] = [field for field in form if field.path == "/a"]
    assert answer["rendered"] == {field.id: preview_of_markdown("*new*")}


def test_line_ends_stay() -> None:
    form = forms_of({"properties": {"a": {"type": "string", "format": "markdown"}}}).form_json(
        r'{"a": "x\r\ny"}'
    )
    assert form.submit({"#/a": "x\ny"}).text == form.text
    assert form.submit({"#/a": "x\ny\nz"}).text == r'{"a": "x\r\ny\r\nz"}'


def test_without_the_library_it_is_a_long_text(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = importlib.util.find_spec("widgetschema.forms.markdown")
    assert spec is not None
    assert spec.loader is not None
    fresh = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fresh)
    monkeypatch.setitem(sys.modules, "markdown_it", None)
    assert fresh.preview_of_markdown("# a") is None
    where = "widgetschema.forms.html.jinja_renderer.preview_of_markdown"
    monkeypatch.setattr(where, fresh.preview_of_markdown)
    markup = form_of({"format": "markdown"}, "# a").render()
    assert "<textarea" in markup
    assert "iframe" not in markup

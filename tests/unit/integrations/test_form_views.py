"""Form endpoints without a framework."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import dataclass, field
from functools import wraps
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

import pytest
from selectolax.lexbor import LexborHTMLParser

import widgetschema
from tests.browsing import entries
from widgetschema import (
    FormError,
    InvalidTemplate,
    TooManyFields,
    WidgetSchemaError,
    WidgetType,
)
from widgetschema.forms.html import script, stylesheet
from widgetschema.forms.markdown import STYLE_SOURCE
from widgetschema.integrations import form_views
from widgetschema.integrations.flask import form_blueprint
from widgetschema.integrations.form_views import Answer, FormViews, StoredData
from widgetschema.integrations.starlette import form_router
from widgetschema.languages import as_language, shipped_languages, speaking

SCHEMA = {
    "properties": {
        "title": {"type": "string"},
        "n": {"type": "number"},
        "rows": {"type": "array", "items": {"type": "string"}},
    }
}
TYPE = WidgetType.from_data_schema(SCHEMA, id="note")
TEXT = '{"id": 7, "data": {"title": "a", "n": 1.0}}'


POSTED = [route for route in form_views.ROUTES if route.method == "POST"]


@dataclass
class Table:
    """A row that others may change before a text is saved."""

    text: str | None = TEXT
    others: list[str] = field(default_factory=list)
    is_locked: bool = False

    def load(self) -> StoredData | None:
        return None if self.text is None else StoredData(TYPE, self.text, "/data")

    def save(self, text: str, before: str) -> bool:
        if self.others:
            self.text = self.others.pop(0)
        if self.is_locked or self.text != before:
            return False
        self.text = text
        return True

    def views(self, **options: Any) -> FormViews:
        return FormViews(self.load, self.save, "/notes", "/check", "/assets/", **options)


def shown(answer: Answer) -> list[tuple[str, str]]:
    """The controls of the page, as a browser would post them."""
    return entries(answer.body.decode())


def edited(answer: Answer, **values: str) -> list[tuple[str, str]]:
    names = {f"#/data/{name}": value for name, value in values.items()}
    return [(name, names.get(name, value)) for name, value in shown(answer)]


def test_a_page_is_shown_and_saved() -> None:
    table = Table()
    page = table.views().page()
    assert (page.status, page.media_type) == (200, "text/html; charset=utf-8")
    assert page.headers["Cache-Control"] == "no-store"
    answer = table.views().submit(edited(page, title="b"))
    assert (answer.status, answer.headers["Location"]) == (303, "/notes?saved=1")
    assert table.text == TEXT.replace('"a"', '"b"')


def test_what_is_invalid_is_shown_again() -> None:
    table = Table()
    answer = table.views().submit(edited(table.views().page(), n="x"))
    assert answer.status == 422
    assert dict(shown(answer))["#/data/n"] == "x"
    assert table.text == TEXT


def test_a_button_saves_nothing() -> None:
    table = Table()
    page = table.views().page()
    [button] = LexborHTMLParser(page.body).css("button[value^='open']")
    fields = [*edited(page, title="b"), ("do", f"{button.attrs['value']}")]
    assert table.views().submit(fields).status == 200
    assert table.text == TEXT


def test_edits_of_others_are_merged() -> None:
    table = Table()
    fields = edited(table.views().page(), title="b")
    table.text = TEXT.replace("1.0", "2.50").replace("7", "8")
    answer = table.views().submit(fields)
    assert (answer.status, answer.headers["Location"]) == (303, "/notes?merged=1")
    assert table.text == TEXT.replace("1.0", "2.50").replace("7", "8").replace('"a"', '"b"')
    assert table.views().submit(fields).status == 303, "the same again changes nothing"
    assert table.text == TEXT.replace("1.0", "2.50").replace("7", "8").replace('"a"', '"b"')


def test_the_page_after_saving_says_so() -> None:
    views = Table().views()
    with speaking(as_language("de")):
        [said] = LexborHTMLParser(views.page([("saved", "1")]).body).css("[role=status].ws-saved")
    assert said.text() == "Gespeichert."
    assert "autofocus" in said.attributes  # so that it is read first, without scripts as well
    for made_up in ("", "0", "2", "<b>"):
        assert views.page([("saved", made_up)]).body == views.page().body


def test_the_page_after_saving_says_that_edits_of_others_were_merged() -> None:
    table = Table()
    fields = edited(table.views().page(), title="b")
    table.text = TEXT.replace("1.0", "2.50")
    views = FormViews(table.load, table.save, "/notes?by=me#top")
    assert views.submit(fields).headers["Location"] == "/notes?by=me&merged=1#top"
    [said] = LexborHTMLParser(views.page([("merged", "1")]).body).css("[role=status].ws-saved")
    assert said.text() == (
        "Saved, together with 1 change that somebody else has made since you opened the form."
    )
    assert b"2 changes" in views.page([("merged", "2")]).body
    for made_up in ("", "0", "-1", "x", "<b>", "99999", "\N{ARABIC-INDIC DIGIT ONE}"):
        assert views.page([("merged", made_up)]).body == views.page().body


@pytest.mark.parametrize(
    ("name", "value", "status"),
    [("#/data/n", "x", 422), ("do", "add#/data/rows", 200), ("#/data/title", "mine", 409)],
)
def test_a_page_that_comes_back_says_that_edits_of_others_were_merged(
    name: str, value: str, status: int
) -> None:
    table = Table(TEXT.replace("1.0", '1.0, "rows": ["theirs"]'))
    fields = shown(table.views().page())
    fields = [(one, value if one == name else old) for one, old in (*fields, ("do", ""))]
    table.text = TEXT.replace("1.0", '1.0, "rows": ["changed"]')
    if status == 409:
        table.text = table.text.replace('"a"', '"theirs"')
    answer = table.views().submit(fields)
    assert answer.status == status
    [said] = LexborHTMLParser(answer.body).css("[role=status].ws-saved")
    assert said.text() == (
        "1 change that somebody else has made since you opened the form is here as well. "
        "Nothing is saved yet."
    )
    assert "changed" in dict(shown(answer)).values()


@pytest.mark.parametrize(("side", "title"), [("mine", "b"), ("theirs", "c")])
def test_a_person_chooses_where_edits_overlap(side: str, title: str) -> None:
    table = Table()
    fields = edited(table.views().page(), title="b", n="3")
    table.text = theirs = TEXT.replace('"a"', '"c"')
    answer = table.views().submit(fields)
    assert (answer.status, table.text) == (409, theirs)
    assert dict(shown(answer))["#/data/title"] == "b"
    page = LexborHTMLParser(answer.body)
    assert "Somebody else has changed this" in page.text()
    assert table.views().submit(shown(answer)).status == 409, "nothing was chosen"
    [choice] = page.css(f"input[name='choice#/data/title'][value^='{side}-']")
    chosen = [*shown(answer), ("choice#/data/title", f"{choice.attrs['value']}")]
    assert table.views().check(chosen).status == 409
    table.text = newer = TEXT.replace('"a"', '"d"')
    assert table.views().submit(chosen).status == 409, "it was chosen for another text"
    assert table.text == newer
    table.text = theirs
    assert table.views().submit(chosen).status == 303
    assert table.text == TEXT.replace('"a"', f'"{title}"').replace("1.0", "3")


def test_a_page_with_a_conflict_has_live_checks() -> None:
    table = Table()
    fields = edited(table.views().page(), title="b")
    table.text = TEXT.replace('"a"', '"c"')
    again = edited(table.views().submit(fields), n="x")
    content = json.loads(table.views().check(again).body)
    assert [one["path"] for one in content["findings"]] == ["/data/title", "/data/n"]


def test_others_save_between_loading_and_saving() -> None:
    theirs = TEXT.replace('"a"', '"c"')
    table = Table(others=[theirs])
    answer = table.views().submit(edited(table.views().page(), title="b"))
    assert (answer.status, table.text) == (409, theirs)
    for others in (TEXT.replace(" ", ""), TEXT.replace("1.0", "2")):
        merged = Table(others=[others])
        answer = merged.views().submit(edited(merged.views().page(), title="b"))
        assert (answer.status, merged.text) == (303, others.replace('"a"', '"b"'))


def test_a_text_that_cannot_be_replaced_is_said() -> None:
    table = Table(is_locked=True)
    answer = table.views().submit(edited(table.views().page(), title="b"))
    assert (answer.status, table.text) == (409, TEXT)
    assert "try again" in answer.body.decode()
    assert dict(shown(answer))["#/data/title"] == "b"
    assert LexborHTMLParser(answer.body).css_first("[role=status].ws-saved") is None


async def replace(text: str, before: str) -> bool:
    raise AssertionError("nobody awaits it")


@pytest.mark.filterwarnings("ignore:coroutine 'replace' was never awaited:RuntimeWarning")
@pytest.mark.parametrize(
    ("save", "says"), [(lambda *_: None, "NoneType"), (lambda *_: 1, "int"), (replace, "coroutine")]
)
def test_saving_says_whether_it_has_saved(save: Any, says: str) -> None:
    table = Table()
    views = FormViews(table.load, save, "/notes")
    with pytest.raises(TypeError, match=f"save must return True or False, not {says}"):
        views.submit(edited(views.page(), title="b"))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("note", "{}"), 'takes a widget type, such as widget_type("countdown"), not str'),
        ((TYPE, {}), "takes the JSON text of the data, not dict: for a value, pass json.dumps("),
        ((TYPE, None), "takes the JSON text of the data, not NoneType"),
        ((TYPE, "{}", "data"), "takes a JSON Pointer such as \"/data\", not 'data'"),
    ],
)
def test_what_is_no_stored_data(arguments: Any, says: str) -> None:
    with pytest.raises(TypeError, match=re.escape(says)):
        StoredData(*arguments)


def test_loading_returns_stored_data() -> None:
    stored: Any = (TYPE, TEXT)
    with pytest.raises(TypeError, match="load must return StoredData or None, not tuple"):
        FormViews(lambda: stored, Table().save, "/notes").page()


def test_a_page_that_was_not_saved_says_which_edits_of_others_are_in_it() -> None:
    table = Table(is_locked=True)
    fields = edited(table.views().page(), title="b")
    table.text = TEXT.replace("1.0", "2.50")
    answer = table.views().submit(fields)
    [said] = LexborHTMLParser(answer.body).css("[role=status].ws-saved")
    assert said.text() == (
        "1 change that somebody else has made since you opened the form is here as well. "
        "Nothing is saved yet."
    )
    assert dict(shown(answer))["#/data/n"] == "2.50"


def test_an_untouched_form_saves_nothing() -> None:
    table = Table(is_locked=True)
    assert table.views().submit(shown(table.views().page())).status == 303


def test_a_live_check() -> None:
    table = Table()
    fields = edited(table.views().page(), n="x")
    answer = table.views().check(fields)
    assert (answer.status, answer.media_type) == (200, "application/json")
    content = json.loads(answer.body)
    assert [one["path"] for one in content["findings"]] == ["/data/n"]
    table.text = TEXT.replace('"a"', '"c"')
    assert table.views().check(fields).status == 409


def test_the_options_of_the_page_are_those_of_the_check() -> None:
    views = Table().views(options={"hidden": {"csrf": "t0k"}, "title": "Notes"})
    page = views.page()
    assert b"<title>Notes</title>" in page.body
    assert ("csrf", "t0k") in shown(page)
    [button] = LexborHTMLParser(page.body).css("button[value^='open']")
    answer = views.check([*shown(page), ("do", f"{button.attrs['value']}")])
    assert "t0k" in json.loads(answer.body)["html"]


def test_nothing_is_there() -> None:
    views = Table(None).views()
    assert {views.page().status, views.check([]).status, views.submit([]).status} == {404}


def test_assets_beside_the_page_or_inside() -> None:
    table = Table()
    page = LexborHTMLParser(table.views().page().body)
    [style] = page.css("link[rel=stylesheet]")
    [code] = page.css("script")
    for address, text in ((style.attrs["href"], stylesheet()), (code.attrs["src"], script())):
        answer = form_views.asset(f"{address}".removeprefix("/assets/"))
        assert (answer.status, answer.body.decode()) == (200, text)
        assert "immutable" in answer.headers["Cache-Control"]
    policy = table.views().page().headers["Content-Security-Policy"]
    assert "unsafe-inline" not in policy
    inside = FormViews(table.load, table.save, "/").page()
    assert stylesheet().encode() in inside.body
    assert "script-src 'unsafe-inline'" in inside.headers["Content-Security-Policy"]


def test_a_theme_in_a_css_file_is_allowed_by_its_hash(tmp_path: Path) -> None:
    file = tmp_path / "brand.css"
    file.write_text(".ws-form { --ws-accent: #080; }\n", encoding="utf-8")
    table = Table()
    answer = table.views(options={"theme": file}).page()
    [style] = LexborHTMLParser(answer.body).css("style")
    digest = b64encode(sha256(style.text().encode()).digest()).decode()
    policy = answer.headers["Content-Security-Policy"]
    assert f"style-src {STYLE_SOURCE} 'sha256-{digest}' 'self';" in policy
    assert "script-src 'self';" in policy
    posted = edited(answer, n="x")
    again = table.views(options={"theme": file}).check(posted)
    assert again.status == 200  # only the page has the rules
    named = table.views(options={"theme": "compact"}).page()
    assert b'class="ws-page ws-theme-compact"' in named.body
    assert named.headers["Content-Security-Policy"].count("sha256") == 1  # of Markdown
    with pytest.raises(InvalidTemplate, match="did you mean 'compact'"):
        table.views(options={"theme": "compac"}).page()


@pytest.mark.parametrize("path", ["", "forms.css", "0/forms.css", "{}/../forms.css", "{}/x.js"])
def test_no_other_assets(path: str) -> None:
    assert form_views.asset(path.format(form_views.assets_version())).status == 404


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        (b"a=1&a=2&b=", [("a", "1"), ("a", "2"), ("b", "")]),
        (b"%23%2Fa+b=%C3%A9%0D%0A", [("#/a b", "é\r\n")]),
        (b"a=%FF\xff&b", [("a", "\ufffd\ufffd"), ("b", "")]),
        (b"", []),
    ],
)
def test_the_body_of_a_form(body: bytes, fields: list[tuple[str, str]]) -> None:
    kind = "Application/X-WWW-Form-URLencoded; charset=utf-8"
    assert form_views.posted_fields(kind, body) == fields


@pytest.mark.parametrize("kind", ["", "multipart/form-data; boundary=x", "application/json"])
def test_the_body_of_something_else(kind: str) -> None:
    with pytest.raises(FormError, match="urlencoded"):
        form_views.posted_fields(kind, b"a=1")


@pytest.mark.parametrize(
    "body", [b"", b"\x89PNG\r\n\x1a\n\xff\x00", b'{"title": "b"}', b"title=b", b"&="]
)
@pytest.mark.parametrize("route", POSTED, ids=lambda route: route.name)
@pytest.mark.parametrize("text", [TEXT, "{"], ids=["form", "text form"])
def test_a_body_without_any_control_is_refused(
    body: bytes, route: form_views.FormRoute, text: str
) -> None:
    table = Table(text)
    headers = {"content-type": "application/x-www-form-urlencoded"}
    answer = form_views.respond(route, table.views(), headers, body, "")
    assert answer.status == 400
    assert json.loads(answer.body)["detail"] == (
        "the request has no control of the form: send the form that the page shows"
    )
    assert table.text == text


def test_too_many_controls() -> None:
    with pytest.raises(TooManyFields):
        form_views.posted_fields("application/x-www-form-urlencoded", b"a&" * 100_000)


@pytest.mark.parametrize(
    ("headers", "cross"),
    [
        ({}, False),
        ({"sec-fetch-site": "same-origin"}, False),
        ({"sec-fetch-site": "none"}, False),
        ({"sec-fetch-site": "cross-site"}, True),
        ({"sec-fetch-site": "same-site"}, True),
        ({"origin": "https://a.example", "host": "a.example"}, False),
        ({"origin": "http://a.example:81", "host": "a.example:80"}, True),
        ({"origin": "null", "host": "a.example"}, True),
    ],
)
def test_requests_of_other_sites(headers: dict[str, str], cross: bool) -> None:
    assert form_views.is_cross_site(headers) is cross


def test_errors_are_problem_details() -> None:
    answer = form_views.answer_to(widgetschema.UnknownWidgetType("a", []))
    assert (answer.status, answer.media_type) == (422, "application/problem+json")
    assert form_views.CROSS_SITE.status == 403
    assert form_views.TOO_LARGE.status == 413


# ---- Stored texts without a form ----

BROKEN = '{"id": 7,\r\n "data": {"title": "a", "n": 1.0,}}\r\n'
REPAIRED = BROKEN.replace(",}", "}")


def text_shown(answer: Answer) -> str:
    [area] = LexborHTMLParser(answer.body).css("form textarea")
    assert area.attrs["name"] == "#"
    return area.text()


def text_posted(answer: Answer, text: str) -> list[tuple[str, str]]:
    kept = [pair for pair in shown(answer) if pair[0] != "#"]
    return [*kept, ("#", text.replace("\r\n", "\n").replace("\n", "\r\n"))]


@pytest.mark.parametrize(
    ("text", "says", "detail"),
    [
        (BROKEN, "near line 2", "line 2, column 33: a comma before '}' is not allowed"),
        ("", "Fill this in", "the text is empty"),
        ('{"id": 7}', "Add the content of the widget", "there is no value at /data"),
        ("[" * 500 + "]" * 500, "Use fewer levels", "nested deeper than the limit"),
        ('{"data": "\ud800"}', "one of its characters is broken", "surrogate"),
    ],
    ids=["comma", "empty", "no data", "deep", "surrogate"],
)
def test_a_stored_text_without_a_form_is_shown(text: str, says: str, detail: str) -> None:
    page = Table(text).views().page()
    assert page.status == 200
    [problem] = LexborHTMLParser(page.body).css(".ws-summary li")
    assert says in problem.text()
    assert detail in LexborHTMLParser(page.body).css(".ws-details")[0].text()
    assert (
        text_shown(page).strip()
        == text.replace("\r\n", "\n").replace("\ud800", "\ufffd" * 3).strip()
    )


def test_bytes_that_are_no_text_are_shown_and_never_replaced() -> None:
    saved: dict[str, str] = {}
    stored = StoredData(TYPE, b'{"data": "\xff"}', "/data")
    views = FormViews(
        lambda: stored, lambda text, before: bool(saved.setdefault(before, text)), "/"
    )
    page = views.page()
    assert (page.status, "0xff" in page.body.decode()) == (200, True)
    assert views.submit(text_posted(page, TEXT)).status == 422
    assert saved == {}


def test_a_stored_text_is_corrected_as_text() -> None:
    table = Table(BROKEN)
    page = table.views().page()
    assert table.views().submit(text_posted(page, BROKEN)).status == 422
    invalid = REPAIRED.replace('"a"', "5")
    answer = table.views().submit(text_posted(page, invalid))
    assert (answer.status, text_shown(answer)) == (422, invalid.replace("\r\n", "\n"))
    [problem] = LexborHTMLParser(answer.body).css(".ws-summary li")
    assert problem.text() == "JSON text: Title: This must be text, not a number"
    details = LexborHTMLParser(answer.body).css(".ws-details")[0].text()
    assert "line 2, column 20, /data/title: 5 is a number, but must be a string" in details
    assert table.text == BROKEN
    assert table.views().submit(text_posted(page, REPAIRED)).status == 303
    assert table.text == REPAIRED


def test_a_live_check_of_a_text() -> None:
    table = Table(BROKEN)
    page = table.views().page()
    content = json.loads(table.views().check(text_posted(page, BROKEN)).body)
    assert [one["path"] for one in content["findings"]] == [""]
    assert json.loads(table.views().check(text_posted(page, REPAIRED)).body)["valid"] is True


def test_a_text_that_others_correct_is_not_replaced() -> None:
    table = Table(BROKEN)
    page = table.views().page()
    table.text = theirs = BROKEN.replace('"a"', '"c"')
    answer = table.views().submit(text_posted(page, REPAIRED))
    assert (answer.status, table.text) == (409, theirs)
    assert text_shown(answer) == REPAIRED.replace("\r\n", "\n")
    assert table.views().submit(shown(answer)).status == 409
    [choice] = LexborHTMLParser(answer.body).css("input[name='choice#'][value^='mine-']")
    chosen = [*shown(answer), ("choice#", f"{choice.attrs['value']}")]
    assert table.views().submit(chosen).status == 303
    assert table.text == REPAIRED
    readable = Table(TEXT)
    assert readable.views().submit(text_posted(page, REPAIRED)).status == 409
    assert readable.text == TEXT
    broken = Table(BROKEN)
    assert broken.views().submit(edited(Table().views().page(), title="b")).status == 409
    assert broken.text == BROKEN


def test_a_wrong_description_of_a_form_is_no_wrong_text() -> None:
    with pytest.raises(widgetschema.InvalidFormDescription):
        Table().views(ui={"nothing": 5}).page()


# The preview


def preview_of(data: Any) -> str:
    title = data.pop("title")  # what it does with its data is its own business
    return f"<!doctype html><h1>{title}</h1><p>{data['n']!r}</p>"


def requested(name: str, table: Table, fields: list[tuple[str, str]], **options: Any) -> Answer:
    [route] = [one for one in form_views.ROUTES if one.name == name]
    views = table.views(preview_at="/preview", **options)
    headers = {"content-type": "application/x-www-form-urlencoded", "accept": "text/html"}
    return form_views.respond(route, views, headers, urlencode(fields).encode(), "")


def test_a_preview_shows_what_is_stored_and_what_is_typed() -> None:
    table = Table()
    page = table.views(preview=preview_of, preview_at="/preview").page()
    [frame] = LexborHTMLParser(page.body).css(".ws-form iframe")
    assert frame.attributes["src"] == "/preview"
    assert frame.attributes["sandbox"] == ""  # no right at all
    assert "frame-src 'self'" in page.headers["Content-Security-Policy"]
    assert b"preview.js" in page.body
    stored = requested("preview", table, [], preview=preview_of)
    assert (stored.status, stored.body) == (200, b"<!doctype html><h1>a</h1><p>1.0</p>")
    assert stored.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
    assert stored.headers["x-frame-options"] == "SAMEORIGIN"
    typed = requested("preview_edits", table, edited(page, title="b"), preview=preview_of)
    assert b"<h1>b</h1>" in typed.body
    assert table.text == TEXT  # nothing is saved by looking at it
    again = requested("check", table, edited(page, n="x"), preview=preview_of)
    assert again.status == 200


def test_a_preview_of_what_others_have_changed_and_of_what_is_no_data() -> None:
    table = Table()
    page = table.views().page()
    table.text = TEXT.replace('"a"', '"other"')
    typed = requested("preview_edits", table, edited(page, title="mine"), preview=preview_of)
    assert typed.status == 200
    table.text = "{"
    for name in ("preview", "preview_edits"):
        none = requested(name, table, edited(page, title="b"), preview=preview_of)
        assert (none.status, b"The data cannot be read." in none.body) == (200, True)
    table.text = None
    assert requested("preview", table, [], preview=preview_of).status == 404


def test_without_a_preview_none_is_offered() -> None:
    table = Table()
    page = table.views(preview_at="/preview").page()
    assert b"iframe" not in page.body
    assert b"preview.js" not in page.body
    assert "frame-src" not in page.headers["Content-Security-Policy"]
    assert requested("preview", table, []).status == 404
    assert requested("preview_edits", table, shown(page)).status == 404


def test_a_preview_that_fails_says_so() -> None:
    found = requested("preview", Table(), [], preview=lambda data: data["nothing"])
    assert found.status == 200
    assert b"KeyError: &#x27;nothing&#x27;" in found.body


@pytest.mark.parametrize(
    ("method", "body", "headers", "status", "title"),
    [
        ("POST", b"a=b", {}, 400, "This page cannot be shown"),
        ("POST", b"", {"sec-fetch-site": "cross-site"}, 403, "This was not allowed"),
        ("POST", None, {}, 413, "This is too large"),
        ("GET", b"", {}, 404, "There is nothing here"),
    ],
)
def test_a_problem_is_told_to_a_person(
    method: str, body: bytes | None, headers: dict[str, str], status: int, title: str
) -> None:
    [route] = [one for one in form_views.ROUTES if (one.method, one.suffix) == (method, "")]
    views = Table(None if status == 404 else TEXT).views(lang="en")
    posted = {"content-type": "application/x-www-form-urlencoded", "accept": "text/html"}
    answer = form_views.respond(route, views, {**posted, **headers}, body, "")
    page = LexborHTMLParser(answer.body)
    assert (answer.status, [one.text() for one in page.css("h1")]) == (status, [title])
    [said] = page.css("details p")
    assert said.text().startswith(f"{status} ")
    assert answer.headers["Content-Language"] == "en"


class Stored:
    """Data behind forms that are never asked for."""

    def load(self, *key: object) -> None: ...

    def save(self, *key: object) -> bool:
        return False


async def load_later(*key: object) -> None: ...


@pytest.mark.parametrize(
    ("make_forms", "methods", "says"),
    [
        (form_router, {"load": lambda key: None}, "load(request, key) is called here, but it is"),
        (
            form_blueprint,
            {"save": lambda request, key, text, before: False},
            "save(key, text, before) is called here, but it is defined as save(request, key, text",
        ),
        (form_router, {"load": load_later}, "load must not be async: load(request, key) is"),
    ],
)
def test_stores_of_another_framework(make_forms: Any, methods: dict[str, Any], says: str) -> None:
    store = SimpleNamespace(**{"load": Stored().load, "save": Stored().save, **methods})
    with pytest.raises(TypeError, match=re.escape(says)):
        make_forms(store)


@pytest.mark.parametrize("make_forms", [form_router, form_blueprint])
@pytest.mark.parametrize(
    ("store", "arguments", "says"),
    [
        (object(), {}, "forms need an object with the methods load and save, not <object"),
        (Stored, {}, "forms need an object with the methods load and save, not <class"),
        (Stored(), {"options": {"titel": "x"}}, "no option 'titel'; did you mean 'title'"),
        (Stored(), {"options": {"theme": "nope"}}, "there is no such theme"),
        (Stored(), {"options": {"templates": "/none"}}, "/none"),
        (Stored(), {"lang": "xx"}, "there is no translation into 'xx'"),
        (Stored(), {"lang": 3}, "lang must be a tag, a Language or Languages, not int"),
        (Stored(), {"preview": "x"}, "preview must be a function, not str"),
        (Stored(), {"preview": lambda: ""}, "preview(data) is called here, but it is defined as"),
    ],
)
def test_what_forms_cannot_use_is_an_error_at_the_start(
    make_forms: Any, store: Any, arguments: dict[str, Any], says: str
) -> None:
    with pytest.raises((TypeError, WidgetSchemaError), match=re.escape(says)):
        make_forms(store, **arguments)


def test_a_decorator_may_add_arguments() -> None:
    def with_session(method: Any) -> Any:
        return wraps(method)(lambda *arguments: method("session", *arguments))

    class Decorated(Stored):
        load = with_session(lambda session, self, key: None)

    assert form_blueprint(Decorated()) is not None


def test_forms_with_all_options() -> None:
    options: Any = {"title": "x", "theme": "compact", "hidden": {"csrf": "1"}, "submit": "Store"}
    for make_forms in (form_router, form_blueprint):
        made: Any = make_forms
        assert made(Stored(), options=options, lang="de", preview=str) is not None
        assert made(Stored(), lang=shipped_languages()) is not None

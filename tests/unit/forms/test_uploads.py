"""Files in forms: what is shown of them, how they are posted, and what is refused."""

from __future__ import annotations

import base64
import io
import json
from types import SimpleNamespace
from typing import Any, Final

import pytest
from selectolax.lexbor import LexborHTMLParser
from werkzeug.datastructures import MultiDict

from tests.browsing import edited, entries
from tests.posting import as_shown, forms_of
from widgetschema import Form, FormError, StaleForm
from widgetschema.forms import FormFactory
from widgetschema.forms.uploads import ChosenFiles, size_text
from widgetschema.jsontext import Limits
from widgetschema.languages import as_language, speaking

PIXEL: Final = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
SVG: Final = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


def file_schema(media_type: str) -> dict[str, Any]:
    return {"type": "string", "contentEncoding": "base64", "contentMediaType": media_type}


SCHEMA: Final = {
    "properties": {
        "logo": file_schema("image/png"),
        "icon": file_schema("image/svg+xml"),
        "note": file_schema("text/plain; charset=utf-8"),
        "needed": file_schema("application/pdf"),
        "title": {"type": "string"},
    },
    "required": ["needed"],
}
FORMS: Final[FormFactory] = forms_of(SCHEMA)


def text_of(content: bytes) -> str:
    return base64.b64encode(content).decode()


def form_of(**data: Any) -> Form:
    return FORMS.form_json(json.dumps(data))


def chosen(content: bytes, name: str = "a.png") -> Any:
    """A file as Flask and Django give it."""
    file = io.BytesIO(content)
    return SimpleNamespace(filename=name, read=file.read, seek=file.seek)


def parsed(form: Form) -> LexborHTMLParser:
    return LexborHTMLParser(form.render())


def test_a_picture_has_a_preview_and_a_download() -> None:
    page = parsed(form_of(logo=text_of(PIXEL)))
    [image] = page.css("img")
    assert image.attributes["src"] == f"data:image/png;base64,{text_of(PIXEL)}"
    [link] = page.css("a[download]")
    assert link.attributes["download"] == "logo.png"
    [control] = page.css("[name='file#/logo']")
    assert control.attributes["accept"] == "image/png"
    [form] = page.css("form")
    assert form.attributes["enctype"] == "multipart/form-data"


def test_a_form_without_files_is_posted_as_before() -> None:
    form = forms_of({"properties": {"a": {"type": "string"}}}).form_json("{}")
    assert "enctype" not in form.render()


@pytest.mark.parametrize("content", [SVG, b"plain", b"GIF89a" + SVG, b"<!doctype html><script>"])
def test_only_what_is_a_picture_is_shown_as_one(content: bytes) -> None:
    page = parsed(form_of(icon=text_of(content), note=text_of(content)))
    types = {one.attributes["href"].partition(";")[0] for one in page.css("a[download]")}  # type: ignore[union-attr]
    assert types <= {"data:application/octet-stream", "data:image/gif"}
    assert "svg" not in "".join(one.attributes["src"] or "" for one in page.css("img"))


@pytest.mark.parametrize("post", [as_shown, lambda form: entries(form.render())])
def test_an_unchanged_file_stays_and_is_not_sent_back(post: Any) -> None:
    large = "\n".join([text_of(b"%PDF-" + bytes(20_000)), ""])
    form = form_of(logo=text_of(PIXEL), needed=large, icon="no base64!", title="T")
    assert form.submit(post(form)).text == form.text
    assert sum(len(value) for _, value in post(form)) < 2_000
    changed = form.submit(edited(post(form), "#/title", "U"))
    assert changed.text == form.text.replace('"T"', '"U"')


def test_a_chosen_file_becomes_the_value() -> None:
    form = form_of(logo="AAAA", needed=text_of(b"%PDF-1"))
    posted = entries(form.render())
    submission = form.submit(posted, files={"file#/logo": chosen(PIXEL)})
    assert submission.data["logo"] == text_of(PIXEL)
    assert submission.valid
    [change] = submission.changes
    assert text_of(PIXEL) not in str(change)
    upload = SimpleNamespace(filename="a", file=io.BytesIO(PIXEL), read=None)  # as in Starlette
    assert form.submit([*posted, ("file#/logo", upload)]).text == submission.text
    assert form.submit({"#/logo": text_of(PIXEL)}).text == submission.text  # by the script


@pytest.mark.parametrize("typed", [[], [("#/title", "typed")]], ids=["alone", "with a text"])
def test_a_file_for_what_is_no_file_is_ignored_and_listed(typed: Any) -> None:
    form = form_of(title="a", needed="")
    submission = form.submit([*typed, ("file#/title", PIXEL)])
    assert submission.data["title"] == (typed[0][1] if typed else "a")
    assert submission.ignored == ("/title",)
    same = form_of(title=text_of(PIXEL), needed="")
    assert same.submit([("file#/title", PIXEL)]).text == same.text
    boolean = forms_of({"properties": {"on": {"type": "boolean"}}}).form_json('{"on": false}')
    assert boolean.submit([("file#/on", PIXEL)]).text == '{"on": false}'


def test_nothing_chosen_changes_nothing() -> None:
    form = form_of(logo=text_of(PIXEL))
    posted = entries(form.render())
    assert form.submit(posted, files={"file#/logo": chosen(b"", "")}).text == form.text
    assert form.submit([*posted, ("file#/logo", "")]).text == form.text


def test_a_file_is_removed_by_the_menu() -> None:
    form = form_of(logo=text_of(PIXEL), title="T")
    assert form.submit({"state#/logo": "unset"}).text == '{"title": "T"}'


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("logo", SVG, "Choose a file of the type PNG"),
        ("logo", b"GIF89a", "Choose a file of the type PNG"),
        ("icon", PIXEL, "Choose a file of the type SVG"),
        ("note", b"\xff\xfe", "Choose a file of the type text/plain"),
        ("note", PIXEL, "Choose a file of the type text/plain"),
        ("needed", PIXEL, "Choose a file of the type PDF"),
        ("note", b"a" * 1_000_001, "Choose a file of at most 1 MB"),
        ("note", b"", "Choose another file: this one is empty"),
    ],
)
def test_another_file_is_a_finding(name: str, content: bytes, sentence: str) -> None:
    form = form_of(logo=text_of(PIXEL), needed=text_of(b"%PDF-"))
    submission = form.submit({}, files={f"file#/{name}": chosen(content)})
    assert not submission.complete
    assert submission.text == form.text
    [finding] = submission.report
    assert submission.form.sentence(finding) == sentence
    assert len(str(submission.report)) < 200


@pytest.mark.parametrize(("name", "content"), [("icon", SVG), ("note", b"plain"), ("logo", PIXEL)])
def test_a_file_of_the_type_is_stored(name: str, content: bytes) -> None:
    submission = form_of().submit({}, files={f"file#/{name}": chosen(content)})
    assert base64.b64decode(submission.data[name]) == content
    assert submission.complete


def test_a_new_file_is_not_lost_where_something_else_is_wrong() -> None:
    form = form_of().submit({"do": "check"}, files={"file#/logo": chosen(PIXEL)}).form
    assert not form.report.valid
    assert form.submit(entries(form.render())).data["logo"] == text_of(PIXEL)


def test_a_ui_description_sets_the_limit() -> None:
    form = FORMS.form_json("{}", ui={"/note": {"bytes": 3}})
    assert form.submit({}, files={"file#/note": chosen(b"abc")}).complete
    assert not form.submit({}, files={"file#/note": chosen(b"abcd")}).complete


def test_a_form_that_does_not_send_files_is_an_error() -> None:
    form = form_of()
    with pytest.raises(FormError, match="multipart/form-data"):
        form.submit({"file#/logo": "a.png"})
    assert form.submit({"file#/logo": "a.png", "#/logo": text_of(PIXEL)}).data  # with the script


def test_edits_are_merged_without_sending_large_files() -> None:
    large = text_of(b"%PDF-" + bytes(20_000))
    page = form_of(needed=large, title="T")
    posted = edited(entries(page.render()), "#/title", "Mine")
    now = form_of(needed=large, title="T", logo=text_of(PIXEL))
    submission = now.submit(posted, on_stale="rebase")
    assert submission.data == {"needed": large, "title": "Mine", "logo": text_of(PIXEL)}
    other = text_of(b"%PDF-2" + bytes(20_000))
    theirs = form_of(needed=other, title="T").submit(posted, on_stale="rebase")
    assert theirs.data == {"needed": other, "title": "Mine"}
    mine = [*posted, ("file#/needed", chosen(b"%PDF-3"))]
    both = form_of(needed=other, title="T").submit(mine, on_stale="rebase")
    assert [conflict.path for conflict in both.conflicts] == ["/needed"]
    first = form_of(needed=large, title="T", icon="").submit(mine, on_stale="rebase")
    assert first.data["needed"] == text_of(b"%PDF-3")


def test_a_page_whose_files_would_be_more_than_the_limit_is_not_merged() -> None:
    large = text_of(b"%PDF-" + bytes(20_000))
    forms = forms_of(SCHEMA, limits=Limits(max_bytes=100_000))
    page = forms.form({"needed": large, "title": "T"})
    digest = json.loads(page.data_text)["needed"]
    copies = json.dumps({"needed": digest, "more": [digest] * 9})
    posted = edited(entries(page.render()), "text#", copies)
    with pytest.raises(StaleForm):
        forms.form({"needed": large, "title": "U"}).submit(posted, on_stale="rebase")


def test_a_conflict_shows_what_files_are_and_never_their_base64() -> None:
    large = text_of(b"%PDF-" + bytes(20_000))
    page = form_of(needed=large, logo=text_of(PIXEL))
    now = form_of(needed=text_of(b"%PDF-2" + bytes(20_000)), logo=text_of(PIXEL + b"2"))
    files = {"file#/needed": chosen(b"%PDF-3"), "file#/logo": chosen(PIXEL + b"345")}
    both = now.submit(entries(page.render()), files=files, on_stale="rebase")
    needed, logo = parsed(both.form).css(".ws-conflict")
    if "logo" in needed.text():
        needed, logo = logo, needed
    assert [one.text() for one in needed.css("code")] == [
        "File",
        "PDF, 6 bytes",
        "PDF, 20 kB",
    ]
    size = len(PIXEL)
    assert [one.text() for one in logo.css("code")] == [
        f"PNG, {size + more} bytes" for more in (0, 3, 1)
    ]
    pictures = [one.attributes["src"] for one in logo.css("img")]
    assert pictures[0] == f"data:image/png;base64,{text_of(PIXEL)}"
    assert len({*pictures}) == 3


def test_a_conflict_about_a_row_with_a_file_names_the_file() -> None:
    rows = {"type": "object", "properties": {"file": file_schema("application/pdf")}}
    make = forms_of({"properties": {"rows": {"type": "array", "items": rows}}})

    def form(*names: str) -> Form:
        data = {"rows": [{"name": one, "file": text_of(b"%PDF-" + bytes(900))} for one in names]}
        return make.form_json(json.dumps(data))

    page = entries(form("a", "b").render())
    posted = edited([pair for pair in page if not pair[0].startswith("do")], "order#/rows", "0")
    both = form("a", "B").submit(posted, on_stale="rebase")
    (conflict,) = parsed(both.form).css(".ws-conflict")
    assert "PDF, 905 bytes" in conflict.text()
    assert "AAAA" not in conflict.text()


STORED: Final = [
    "R0lG\\nODdh",  # line breaks
    "R0lG\\r\\nODdh\\r\\n",
    "R0lGODdh-_8=",  # the alphabet for addresses
    "R0lGODdhAA",  # no padding
    "no base64!",
    "",
    "\\u0052\\/\\u0000",
]
FREE: Final = {"type": "string", "contentEncoding": "base64"}
HOLDERS: Final[dict[str, Any]] = {
    "media type": file_schema("image/gif"),
    "none": FREE,
    "null": {**FREE, "type": ["string", "null"]},
    "read-only": {**FREE, "readOnly": True},
    "pattern": {**FREE, "pattern": "^R"},
}


@pytest.mark.parametrize("post", [as_shown, lambda form: entries(form.render())])
@pytest.mark.parametrize("name", HOLDERS)
def test_stored_texts_stay_byte_for_byte_whatever_they_are(name: str, post: Any) -> None:
    schema = HOLDERS[name]
    forms = forms_of({"properties": {"a": schema, "l": {"items": schema}, "t": {"type": "string"}}})
    for text in [*STORED, "9"]:
        value = text if text == "9" else f'"{text}"'
        form = forms.form_json(f'{{"a": {value}, "l": [{value}], "t": "x"}}')
        assert form.submit(post(form)).text == form.text
        changed = form.submit(edited(post(form), "#/t", "y"))
        assert changed.text == form.text.replace('"x"', '"y"')


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("R0lG\nODdh", "GIF, 6 bytes"),
        ("R0lGODdh-_8=", "GIF, 8 bytes"),
        ("R0lGODdhAA", "GIF, 7 bytes"),
        ("AAAA" * 1000, "PNG, 3 kB"),
        ("no base64!", "Text that is not a file, 10 characters"),
    ],
)
def test_a_stored_file_has_a_type_and_a_size(text: str, label: str) -> None:
    assert parsed(form_of(logo=text)).css(".ws-file span")[0].text() == label


LIST: Final = forms_of({"properties": {"l": {"type": "array", "items": file_schema("image/png")}}})


@pytest.mark.parametrize("size", [10, 20_000])
def test_files_in_rows_are_added_copied_removed_and_restored(size: int) -> None:
    files = [text_of(PIXEL + bytes(size)), text_of(PIXEL)]
    form = LIST.form({"l": files})

    def press(shown: Form, button: str, **chosen_files: bytes) -> Form:
        given = {f"file#/l/{row}": content for row, content in chosen_files.items()}
        return form.submit([*entries(shown.render()), ("do", button)], files=given).form

    assert press(form, "copy#/l/0").data == {"l": [files[0], *files]}
    added = press(form, "add#/l")
    done = form.submit(entries(added.render()), files={"file#/l/+1": PIXEL + b"new"})
    assert done.data == {"l": [*files, text_of(PIXEL + b"new")]}
    moved = press(done.form, "up#/l/+1")
    assert moved.data == {"l": [files[0], text_of(PIXEL + b"new"), files[1]]}
    removed = press(done.form, "remove#/l/+1")
    assert removed.data == {"l": files}
    assert press(removed, "restore#/l/+1").data == done.data
    assert press(press(form, "remove#/l/0"), "restore#/l/0").data == form.data


def test_a_file_is_no_text_of_another_alternative() -> None:
    file = {**file_schema("image/png"), "title": "File"}
    either = {"oneOf": [{"type": "string", "format": "uri", "title": "Address"}, file]}
    forms = forms_of({"properties": {"a": either}})
    form = forms.form({"a": text_of(PIXEL)})
    other = form.submit(edited(entries(form.render()), "kind#/a", "0")).form
    assert text_of(PIXEL) not in dict(entries(other.render()))["#/a;0"]
    back = form.submit(edited(entries(other.render()), "kind#/a", "1"))
    assert back.text == form.text
    form = forms.form({"a": "https://example.com/a"})
    pairs = edited(entries(form.render()), "kind#/a", "1")
    assert form.submit(pairs, files={"file#/a;1": PIXEL}).data == {"a": text_of(PIXEL)}


def test_null_and_a_file() -> None:
    forms = forms_of(
        {"properties": {"a": {**file_schema("image/png"), "type": ["string", "null"]}}}
    )
    form = forms.form({"a": None})
    assert form.submit(entries(form.render()), files={"file#/a": PIXEL}).data["a"] == text_of(PIXEL)
    form = forms.form({"a": text_of(PIXEL)})
    assert form.submit(edited(entries(form.render()), "state#/a", "null")).data == {"a": None}


@pytest.mark.parametrize(
    ("schema", "ui", "most"),
    [
        ({}, None, 1_000_000),
        ({"maxLength": 8}, None, 6),
        ({"maxLength": 8}, {"/a": {"bytes": 100}}, 6),
        ({}, {"/a": {"bytes": 2_000_000}}, 2_000_000),
    ],
)
def test_the_largest_file(schema: Any, ui: Any, most: int) -> None:
    form = forms_of({"properties": {"a": {**FREE, **schema}}}).form_json("{}", ui=ui)
    assert form.submit({}, files={"file#/a": b"a" * most}).valid
    assert not form.submit({}, files={"file#/a": b"a" * (most + 1)}).complete


def test_the_sentence_is_in_the_language_of_the_form() -> None:
    form = FORMS.form_json("{}", language=as_language("de"))
    submission = form.submit({}, files={"file#/logo": b"GIF89a"})
    [finding, *_] = submission.report
    assert submission.form.sentence(finding) == "Bitte eine Datei vom Typ PNG wählen"


def test_the_memory_of_chosen_files_is_bounded() -> None:
    files = ChosenFiles(most=10)
    first, second = files.keep("a" * 6), files.keep("b" * 4)
    assert files.keep("a" * 6) == first
    third = files.keep("c")
    assert (files.get(first), files.get(second), files.get(third)) == ("a" * 6, None, "c")
    fourth = files.keep("d" * 11)
    assert (files.get(first), files.get(third), files.get(fourth)) == (None, None, "d" * 11)


def test_files_that_are_not_passed_are_an_error() -> None:
    form = form_of(logo="R0lG")
    posted = MultiDict(entries(form.render()))
    with pytest.raises(FormError, match=r"files=request\.files"):
        form.submit(posted)
    assert form.submit(posted, files=MultiDict()).text == form.text
    posted["file#/logo"] = ""  # as the script sends it
    assert form.submit(posted).text == form.text
    assert forms_of({"type": "number"}).form_json("1").submit(MultiDict({"#": "2"})).text == "2"


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        (1, ("1 byte", "1 Byte", "1 octet")),
        (1_000, ("1 kB", "1 kB", "1 ko")),
        (30_140, ("30.1 kB", "30,1 kB", "30,1 ko")),
        (123_456, ("123 kB", "123 kB", "123 ko")),
        (999_999, ("1 MB", "1 MB", "1 Mo")),
        (2_500_000, ("2.5 MB", "2,5 MB", "2,5 Mo")),
        (1_234_000_000, ("1,234 MB", "1.234 MB", "1\u202f234 Mo")),
    ],
)
def test_sizes_are_written_as_in_each_language(size: int, shown: tuple[str, ...]) -> None:
    for tag, text in zip(("en", "de", "fr"), shown, strict=True):
        with speaking(as_language(tag)):
            assert size_text(size) == text

"""The JSON pane and the form are one document, for kind of control, in a real browser.

Whatever is put into the pane is what the form then shows and what is saved: values of another type,
values that are not listed, what no control is made for, and what is not there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import expect

from tests.chromium import answered, watched
from tests.editing import editor_of
from widgetschema import WidgetType
from widgetschema.editor import serving
from widgetschema.forms.model import KINDS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


WIDGET: Final = Path(__file__).parents[1] / "data" / "widgets" / "black-friday.json"
REFUSED: Final = ("status of 422", "status of 409")

TEXT: Final = {"type": "string"}
KIND_SCHEMAS: Final[dict[str, Any]] = {
    "text": TEXT,
    "long-text": {**TEXT, "contentMediaType": "text/html"},
    "css": {**TEXT, "format": "css"},
    "url": {**TEXT, "format": "uri"},
    "email": {**TEXT, "format": "email"},
    "colour": {**TEXT, "format": "color"},
    "date-time": {**TEXT, "format": "date-time"},
    "date": {**TEXT, "format": "date"},
    "time": {**TEXT, "format": "time"},
    "password": {**TEXT, "format": "password"},
    "markdown": {**TEXT, "format": "markdown"},
    "upload": {**TEXT, "contentEncoding": "base64", "contentMediaType": "image/png"},
    "number": {"type": "number"},
    "integer": {"type": "integer"},
    "slider": {"type": "integer", "minimum": -2, "maximum": 8},
    "enum": {"enum": ["a", "b", "c", "d", "e", "f"]},
    "radios": {"enum": ["a", 5, None]},
    "boolean": {"type": "boolean"},
    "checkboxes": {"type": "array", "uniqueItems": True, "items": {"enum": ["a", "b", "c"]}},
    "constant": {"const": "fixed"},
    "json": {"type": "object"},
    "object": {
        "type": "object",
        "properties": {"a": TEXT, "b": {"type": "boolean"}},
        "additionalProperties": {"type": "number"},
    },
    "list": {"type": "array", "items": {"properties": {"a": TEXT}, "type": "object"}},
    "tuple": {"type": "array", "items": [TEXT, {"type": "number"}], "additionalItems": TEXT},
    "alternatives": {
        "oneOf": [
            {"type": "string"},
            {"type": "object", "properties": {"src": TEXT}, "required": ["src"]},
            {"type": "array", "items": {"type": "number"}},
        ]
    },
}
VALUES: Final[list[Any]] = [
    "a", "", "several\nlines ", "#ff0000", "2027-11-26T00:00:00Z", "x" * 200, "5", "fixed",
    0, -1.5, True, False, None, {}, {"a": "b"}, {"src": "c"}, {"a": 1, "z": {"y": [None]}},
    [], ["a", 1], ["a", "b", "c"], [1, 2], [{"a": "b"}, {"c": 1}],
]  # fmt: skip
SCHEMA: Final = {
    "properties": {
        "data": {
            "type": "object",
            "properties": {
                **{f"{name} 1": schema for name, schema in KIND_SCHEMAS.items()},
                **{f"{name} 2": schema for name, schema in KIND_SCHEMAS.items()},
            },
            "required": [f"{name} 2" for name in KIND_SCHEMAS],
        }
    }
}
TYPE: Final = WidgetType.from_schema(SCHEMA, id="everything")
NAMES: Final = tuple(SCHEMA["properties"]["data"]["properties"])
DOCUMENTS: Final = [
    {name: VALUES[at % len(VALUES)] for at, name in enumerate(NAMES)},
    *(dict.fromkeys(NAMES, value) for value in VALUES),
    {name: VALUES[(at * 7 + 3) % len(VALUES)] for at, name in enumerate(NAMES) if at % 3},
    {f"member {at}": value for at, value in enumerate(VALUES)},
    {},
]


def written(data: Any) -> str:
    return json.dumps({"name": "w", "data": data}, indent=2) + "\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "widget.json"
    path.write_text(written({}), encoding="utf-8")
    return path


@pytest.fixture
def page(file: Path, browser: Browser) -> Iterator[Page]:
    editing = editor_of(file, type_id=TYPE.id, schemas={TYPE.id: TYPE.schema})
    with serving(editing) as address, watched(browser, allowed=REFUSED) as watch:
        page = watch.page()
        page.goto(address)
        yield page


def put(page: Page, text: str) -> None:
    """Put a text into the pane, and wait until the form is one of this text."""
    before = page.locator('[id="editor.of"]').input_value()
    page.locator("#ed-pane").fill(text)
    # `expect` would describe the page, as to a screen reader, each time that it is not so yet.
    page.wait_for_function(
        "(before) => document.getElementById('editor.of').value !== before", arg=before
    )


def save(page: Page) -> None:
    """Save what the page has, valid or not."""
    page.get_by_role("button", name="Save", exact=True).first.click()
    insist = page.get_by_label("Save anyway")
    done = page.locator(".ed-done")
    insist.or_(done).wait_for()
    if insist.is_visible():
        insist.check()
        page.locator("#ed-review").get_by_role("button", name="Save", exact=True).click()
    expect(done).to_have_text("Saved.")


def test_every_kind_is_tried() -> None:
    shapes = [field.shape for data in DOCUMENTS for field in TYPE.form(data).root.walk()]
    assert {shape.kind for shape in shapes} == {*KINDS} - {"custom"}


def test_the_form_shows_what_the_pane_says(page: Page) -> None:
    """Check that the form would send each text as it was typed."""
    pane = page.locator("#ed-pane")
    for data in DOCUMENTS:
        put(page, written(data))
        with answered(page) as answer:
            page.locator("#ed").dispatch_event("widgetschema:check")
        assert answer()["editor"]["pane"] == written(data)
        expect(page.locator("#ed-notices")).to_be_empty()
        expect(pane).to_have_value(written(data))


@pytest.mark.parametrize("at", [1, -2], ids=["of other types", "unknown members"])
def test_what_is_saved_is_what_the_pane_said(page: Page, file: Path, at: int) -> None:
    for data in (DOCUMENTS[2], DOCUMENTS[at]):
        put(page, written(data))
    save(page)
    assert file.read_text(encoding="utf-8") == written(DOCUMENTS[at])


def test_pane_and_form_take_turns(page: Page, file: Path) -> None:
    """An edit in the form after each text in the pane, without a question which of them counts."""
    pane, control = (
        page.locator("#ed-pane"),
        page.locator('[name="#/data/text 2"]'.replace(" ", "%20")),
    )
    for at, data in enumerate(DOCUMENTS[::4]):
        expected = {**data, "text 2": f"from the pane {at}"}
        put(page, written(expected))
        expect(control).to_have_value(f"from the pane {at}")
        control.fill(f"from the form {at}")
        expected["text 2"] = f"from the form {at}"
        expect(pane).to_have_value(written(expected))
        expect(page.locator("#ed-notices")).to_be_empty()
    put(page, written({"text 2": "the last"}))
    save(page)
    assert file.read_text(encoding="utf-8") == written({"text 2": "the last"})


def test_a_new_document_can_be_pasted(file: Path, browser: Browser) -> None:
    file.write_text('{"content":{},"settings":{},"styles":{}}', encoding="utf-8")
    pasted = json.loads(WIDGET.read_bytes())["data"]
    text = json.dumps(pasted, indent=2)
    with serving(editor_of(file, type_id="countdown")) as address, watched(browser) as watch:
        page = watch.page()
        page.goto(address)
        put(page, text)
        save(page)
    assert file.read_text(encoding="utf-8") == text

"""UI descriptions in files: what is read, and where errors are said to be."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

from tests.posting import forms_of
from widgetschema import InvalidFormDescription, UnreadableDocument
from widgetschema.forms import read_ui_description, read_ui_schema, ui_description_schema
from widgetschema.languages import Language

SCHEMA: Any = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "title": {"type": "string"},
        "rows": {"type": "array", "items": {"properties": {"text": {"type": "string"}}}},
    },
}


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


JSON = """{
  "$schema": "ui-description.schema.json",
  "/title": {"label": "Überschrift"},
  "/rows/*/text": {"help": "Short."}
}
"""
TOML = """
"/title" = { label = "Überschrift" }

["/rows/*/text"]
help = "Short."
"""


@pytest.mark.parametrize(
    ("name", "text"), [("ui.json", JSON), ("ui.toml", TOML), ("UI.TOML", TOML)]
)
def test_a_file_is_a_description(tmp_path: Path, name: str, text: str) -> None:
    ui = read_ui_description(written(tmp_path, name, text))
    form = forms_of(SCHEMA).form({"rows": [{}]}, pickle.loads(pickle.dumps(ui)))
    title, note = form.field("/title"), form.field("/rows/0/text")
    assert title is not None
    assert note is not None
    assert (title.label, note.shape.help) == ("Überschrift", "Short.")
    assert form.submit({}).text == form.text


WRONG = [
    ("a.json", '{\n  "/titel": {"label": "x"}\n}', 2, 3, "there is no property \"titel\""),
    ("a.json", '{"/title":\n {"lable": "x"}}', 2, 3, 'unknown property "lable"'),
    ("a.json", '{"/title":\n {"label": 5}}', 2, 12, "5 is a number"),
    ("a.json", "[]", 1, 1, "is not an object"),
    ("a.toml", '# é\n"/titel" = { label = "x" }', 2, 1, "there is no property \"titel\""),
    ("a.toml", '["/title"]\nlable = "x"\n', 2, 1, 'unknown property "lable"'),
    ("a.toml", '["/title"]\nlabel = 5\n', 2, 9, "5 is a number"),
    ("a.toml", '["/title"]\nlabel = 1979-05-27\n', 2, 9, "date"),
    ("a.toml", '["/title"]\nlabel = \n', 2, 9, "not TOML"),
    ("a.toml", '["title"]\n', 1, 2, "it is not a JSON Pointer"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "line", "column", "said"), WRONG)
def test_errors_say_where(
    tmp_path: Path, name: str, text: str, line: int, column: int, said: str
) -> None:
    path = written(tmp_path, name, text)
    with pytest.raises(InvalidFormDescription) as caught:
        forms_of(SCHEMA).form({}, read_ui_description(path))
    [finding] = caught.value.report
    assert caught.value.report.subject == str(path)
    assert (finding.line, finding.column) == (line, column)
    assert said in finding.message


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"ui\.json"):
        read_ui_description(tmp_path / "ui.json")
    with pytest.raises(UnreadableDocument):
        read_ui_description(written(tmp_path, "ui.json", "{"))
    (tmp_path / "ui.toml").write_bytes(b"a = '\xff'")
    with pytest.raises(InvalidFormDescription) as caught:
        read_ui_description(tmp_path / "ui.toml")
    assert "0xff is not UTF-8" in str(caught.value)


def test_all_that_is_wrong_is_in_the_order_of_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, "ui.toml", '["/b"]\n["/a"]\n["/title"]\n')
    with pytest.raises(InvalidFormDescription) as caught:
        forms_of(SCHEMA).form({}, read_ui_description(path))
    assert [finding.line for finding in caught.value.report] == [1, 2]


def test_the_names_of_the_package() -> None:
    assert ui_description_schema()["definitions"]["options"]["properties"]["label"]
    assert read_ui_schema({}).ui == {}


TEXTS_BY_LANGUAGE = """[""]
tabs = [{ label = { fr = "Textes" }, members = ["title"] }]

["/title"]
label = { en = "Title", "de-AT" = "Titel" }
help = "For all languages."
example = { EN = "Sale!", fr = "Soldes" }
choices = { label = "A", help = { label = { en = "B", fr = "B" } } }
"""


def test_texts_that_are_not_translated_are_noted_with_their_places(tmp_path: Path) -> None:
    schema = {"properties": {"title": {"enum": ["label", "help"]}}, "type": "object"}
    ui = read_ui_description(written(tmp_path, "ui.toml", TEXTS_BY_LANGUAGE))
    notes = forms_of(schema).form({}, ui).ui_notes
    assert [(note.line, note.path, note.message) for note in notes] == [
        (2, "//tabs/0/label", 'there is no text in de-AT or en: "Textes" is shown instead'),
        (5, "/~1title/label", 'there is no text in fr: "Title" is shown instead'),
        (7, "/~1title/example", 'there is no text in de-AT: "Sale!" is shown instead'),
        (8, "/~1title/choices/help/label", 'there is no text in de-AT: "B" is shown instead'),
    ]
    assert {note.keyword for note in notes} == {"form.texts"}


def test_the_language_of_the_form_is_one_of_a_description() -> None:
    ui = {"/title": {"label": {"en": "Title"}}}
    assert forms_of(SCHEMA).form({}, ui).ui_notes == ()
    [note] = forms_of(SCHEMA).form({}, ui, language=Language("it-CH")).ui_notes
    assert note.message == 'there is no text in it-CH: "Title" is shown instead'

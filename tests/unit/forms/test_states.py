"""States of values, as pages show them: what is taken back, what is removed, what is new.

Each holds whether the server remembers the form that it showed, or makes it anew.
"""

from __future__ import annotations

from json import dumps
from typing import Any, Final

import pytest

from tests.browsing import edited, entries
from tests.patching import FLAG, NUMBER, TEXT, members, widget_type
from widgetschema import Form, Submission

Json = Any

PART: Final = {
    **members(a=TEXT, b=FLAG, kind={"const": 1}),
    "type": ["object", "null"],
    "required": ["kind"],
}
SCHEMA: Final = members(
    part=PART,
    rows={"type": "array", "items": TEXT},
    text={"type": ["string", "null"]},
    number=NUMBER,
    either={"oneOf": [TEXT, NUMBER]},
)


def sent(first: Form, form: Form, press: str | None = None, **changes: str) -> Submission:
    """Return what becomes of a page that is changed, and posted."""
    pairs = entries(form.render(), press=press)
    for name, value in changes.items():
        pairs = edited(pairs, name, value)
    submission = form.submit(pairs)
    assert first.submit(pairs).text == submission.text
    return submission


@pytest.mark.parametrize(
    ("text", "name", "typed"),
    [
        ("{}", "#/text", "x"),
        ('{"text": null}', "#/text", "x"),
        ('{"text": ""}', "#/text", "x"),
        ('{"text": 5}', "#/text", "x"),
        ("{}", "#/either;0", "x"),
    ],
)
def test_what_was_typed_is_taken_back_by_the_state(text: str, name: str, typed: str) -> None:
    form = widget_type(SCHEMA).form_json(text)
    before = dict(entries(form.render()))
    shown = sent(form, form, **{name: typed}).form
    assert dict(entries(shown.render()))[name] == typed
    again = sent(form, shown, **{f"state{name}": "reset"})
    assert again.text == text
    assert again.complete
    assert dict(entries(again.form.render()))[name] == before[name]


@pytest.mark.parametrize("typed", ["5", "no number"])
@pytest.mark.parametrize("text", ["{}", '{"number": null}', '{"number": "five"}', '{"text": ""}'])
def test_what_was_typed_is_taken_back_by_hand(text: str, typed: str) -> None:
    form = widget_type(SCHEMA).form_json(text)
    before = dict(entries(form.render()))
    name = "#/text" if "text" in text else "#/number"
    shown = sent(form, form, **{name: typed}).form
    again = sent(form, shown, **{name: before[name]})
    assert again.text == text
    assert again.complete


@pytest.mark.parametrize("text", ['{"text": "a"}', '{"text": 5}', '{"number": 5}'])
def test_what_is_emptied_is_not_set_and_can_be_typed_again(text: str) -> None:
    form = widget_type(SCHEMA).form_json(text)
    name = "#/text" if "text" in text else "#/number"
    emptied = sent(form, form, **{name: ""})
    assert emptied.text == "{}"
    again = sent(form, emptied.form, **{name: "7"})
    assert again.data == {name[2:]: "7" if name == "#/text" else 7}
    if form.field(name[1:]).pristine.state == "set":  # type: ignore[union-attr]
        before = dict(entries(form.render()))[name]
        assert sent(form, emptied.form, **{name: before}).text == text


def test_what_must_be_there_stays_as_the_empty_text_when_it_is_emptied() -> None:
    schema = {**members(text=TEXT, rows={"items": TEXT}), "required": ["text"]}
    form = widget_type(schema).form_json('{"text": "a", "rows": ["b"]}')
    emptied = sent(form, form, **{"#/text": "", "#/rows/0": ""})
    assert emptied.data == {"text": "", "rows": [""]}
    assert sent(form, emptied.form).data == {"text": "", "rows": [""]}
    missing = widget_type(schema).form_json("{}")
    typed = sent(missing, missing, **{"#/text": "x"})
    assert sent(missing, typed.form, **{"#/text": ""}).text == "{}"


@pytest.mark.parametrize("text", ['{"text": "a"}', '{"text": 5}', "{}"])
def test_the_empty_text_is_shown_as_one(text: str) -> None:
    form = widget_type(SCHEMA).form_json(text)
    emptied = sent(form, form, press="check", **{"state#/text": "empty"})
    assert emptied.data == {"text": ""}
    shown = dict(entries(emptied.form.render()))
    assert (shown["#/text"], shown["state#/text"]) == ("", "empty")
    assert sent(form, emptied.form).data == {"text": ""}
    assert sent(form, emptied.form, **{"#/text": "b"}).data == {"text": "b"}


@pytest.mark.parametrize("text", ["{}", '{"part": null}', '{"part": null, "rows": []}'])
def test_a_part_that_was_opened_is_taken_back_with_what_is_in_it(text: str) -> None:
    form = widget_type(SCHEMA).form_json(text)
    opened = sent(form, form, press="open#/part")
    assert opened.data["part"] == {"kind": 1}
    typed = sent(form, opened.form, **{"#/part/a": "x"})
    assert typed.data["part"] == {"a": "x", "kind": 1}
    again = sent(form, typed.form, **{"state#/part": "reset"})
    assert again.text == text
    assert again.form.signature == form.signature


def test_a_reset_keeps_the_name_of_a_member() -> None:
    form = widget_type({"additionalProperties": {"type": ["string", "null"]}}).form_json(
        '{"a":null}'
    )
    shown = sent(form, form, **{"name#/a": "b", "#/a": "x"})
    assert shown.text == '{"b":"x"}'
    assert sent(form, shown.form, **{"state#/a": "reset"}).text == '{"b":null}'


@pytest.mark.parametrize("text", ['{"part": {"a": "1"}}', '{"text": "1"}'])
def test_what_was_there_comes_back_as_it_was_edited(text: str) -> None:
    name = "#/part" if "part" in text else "#/text"
    form = widget_type(SCHEMA).form_json(text)
    control = "#/part/a" if "part" in text else name
    edited = sent(form, form, press="check", **{control: "2"})
    gone = sent(form, edited.form, **{f"state{name}": "unset"})
    assert gone.data == {}
    back = sent(form, gone.form, **{f"state{name}": "set"})
    assert back.text == text.replace('"1"', '"2"')


def test_a_part_that_is_null_stays_open() -> None:
    form = widget_type(SCHEMA).form_json('{"part": null, "rows": []}')
    opened = sent(form, form, press="open#/part")
    shown = sent(form, opened.form, **{"state#/part": "reset"})
    opened = sent(form, shown.form, press="open#/part")
    assert sent(form, opened.form, press="add#/rows").form.field("/part/a") is not None


def test_what_is_typed_into_a_part_shows_it_as_set() -> None:
    schema = {**SCHEMA, "required": ["part", "rows"]}
    form = widget_type(schema).form_json("{}")
    submission = sent(form, form, **{"#/part/a": "x"})
    assert submission.data == {"part": {"a": "x", "kind": 1}}
    field = submission.form.field("/part")
    assert field is not None
    assert field.shown.state == "set"
    assert sent(form, submission.form, **{"state#/part": "reset"}).text == "{}"


# What is new

SLIDE: Final = {
    "oneOf": [
        {**members(kind={"const": "image"}, src=TEXT), "required": ["kind"]},
        {**members(kind={"enum": ["video"]}, src=TEXT), "required": ["kind", "src"]},
        {**members(kind={"const": "text"}, src=TEXT)},
    ]
}


def test_a_new_object_has_what_can_be_but_one_value() -> None:
    form = widget_type(members(slide=SLIDE, slides={"type": "array", "items": SLIDE})).form_json(
        '{"slide": {"kind": "image"}, "slides": []}'
    )
    added = sent(form, form, press="add#/slides")
    assert added.data["slides"] == [{"kind": "image"}]
    assert added.valid
    video = sent(form, added.form, **{"kind#/slides/+1": "1", "kind#/slide": "1"})
    assert video.data == {"slide": {"kind": "video"}, "slides": [{"kind": "video"}]}
    assert [finding.expected for finding in video.report] == ["src", "src"]
    plain = sent(form, video.form, **{"kind#/slides/+1": "2", "kind#/slide": "0"})
    assert plain.data == {"slide": {"kind": "image"}, "slides": [{}]}


@pytest.mark.parametrize("data", [{}, {"part": {}}, {"part": {"a": "x"}}], ids=dumps)
def test_what_was_there_gets_nothing_that_nobody_asked_for(data: Json) -> None:
    form = widget_type(SCHEMA).form_json(dumps(data))
    assert sent(form, form).data == data
    assert sent(form, form, **{"#/number": "1"}).data == {**data, "number": 1}


# What is removed

CONDITIONAL: Final = {
    **members(mode=TEXT),
    "if": {"required": ["mode"]},
    "then": members(more=NUMBER),
}


@pytest.mark.parametrize("changes", [{"#/x;1": "4"}, {"name#/x": "y"}, {}], ids=str)
def test_a_row_that_was_edited_is_removed_where_a_condition_has_a_say(
    changes: dict[str, str],
) -> None:
    text = '{"mode": "1", "more": 2, "x": 3}'
    form = widget_type(CONDITIONAL).form_json(text)
    submission = sent(form, form, press="remove#/x", **changes)
    assert submission.data == {"mode": "1", "more": 2}
    assert sent(form, submission.form).text == submission.text


def test_a_row_that_is_added_is_not_the_one_that_was_removed() -> None:
    form = widget_type(SCHEMA).form_json('{"rows": []}')
    added = sent(form, form, press="add#/rows").form
    removed = sent(form, added, press="remove#/rows/+1", **{"#/rows/+1": "old"}).form
    assert removed.submit({**(removed.posted or {}), "do": "add#/rows"}).data == {"rows": [""]}


@pytest.mark.parametrize(
    ("state", "rest"), [("emptied", {"v": ""}), ("unset", {}), ("null", {"v": None})], ids=str
)
@pytest.mark.parametrize(
    ("shape", "before", "typed", "value"),
    [
        ({"type": ["string", "null"]}, '"a\\nb"', "typed", "typed"),
        ({"type": ["string", "null"]}, '"a\\r\\nb"', "typed", "typed"),
        ({"type": ["number", "null"]}, "1", "2", 2),
        ({"type": ["object", "null"]}, '{"a": 1}', '{"a": 2}', {"a": 2}),
    ],
    ids=str,
)
def test_what_is_typed_beside_the_choice_of_no_text_stays(
    shape: dict[str, Any], before: str, typed: str, value: object, state: str, rest: object
) -> None:
    ui = {"/v": {"kind": "json"}} if "object" in shape["type"] else None
    form = widget_type({"properties": {"v": shape}}).form_json(f'{{"v": {before}}}', ui=ui)
    field = form.field("/v")
    assert field is not None
    if {"emptied": "empty"}.get(state, state) not in field.states:
        return
    assert sent(form, form, **{"#/v": typed, "state#/v": state}).data == {"v": value}
    assert sent(form, form, **{"state#/v": state}).data == rest
    shown = sent(form, form, press="check", **{"#/v": typed}).form
    assert sent(form, shown, **{"state#/v": state}).data == rest


def test_a_secret_is_taken_away_with_what_was_typed_on_an_earlier_page() -> None:
    schema = {"properties": {"key": {"type": "string", "writeOnly": True}}}
    form = widget_type(schema).form_json('{"key": "old"}')
    shown = sent(form, form, press="check", **{"#/key": "typed"}).form
    assert sent(form, shown, **{"state#/key": "unset"}).data == {}


@pytest.mark.parametrize("before", ["{}", '{"v": null}', '{"v": ""}'])
def test_what_is_typed_beside_the_choice_of_what_was_there_stays(before: str) -> None:
    schema = {"properties": {"v": {"type": ["string", "null"]}, "n": {"type": "number"}}}
    form = widget_type(schema).form_json(before)
    shown = sent(form, form, **{"#/v": "one", "#/n": "x"}).form
    again = {"state#/v": "reset", "#/n": ""}
    assert sent(form, shown, **again).text == before
    assert sent(form, shown, **again, **{"#/v": "two"}).data == {"v": "two"}


SECRET: Final = {"type": ["string", "null"], "writeOnly": True}
FILE: Final = {"type": ["string", "null"], "contentEncoding": "base64"}


@pytest.mark.parametrize(
    ("state", "rest"), [("emptied", {"v": ""}), ("unset", {}), ("null", {"v": None})], ids=str
)
@pytest.mark.parametrize("shape", [SECRET, FILE, {"type": ["string", "null"]}], ids=str)
def test_what_the_page_showed_is_told_from_what_was_typed(
    shape: Json, state: str, rest: Json
) -> None:
    """Also of a secret, and of a file: it is not said in another control."""
    form = widget_type(members(v=shape)).form_json('{"v": "b2xk"}')
    typed = sent(form, form, **{"#/v": "dHlwZWQ=", "state#/v": state})
    assert typed.data == {"v": "dHlwZWQ="}
    assert typed.form.render().count("dHlwZWQ=") == (1 if "writeOnly" in shape else 2)
    gone = sent(form, typed.form, **{"state#/v": state})
    assert gone.data == sent(form, gone.form).data == rest
    assert sent(form, gone.form, **{"#/v": "bmV3"}).data == {"v": "bmV3"}
    shown = sent(form, form, press="check", **{"#/v": "dHlwZWQ="}).form
    assert sent(form, shown, **{"state#/v": state}).data == rest
    assert sent(form, shown, **{"state#/v": state, "#/v": "bmV3"}).data == {"v": "bmV3"}


@pytest.mark.parametrize("shape", [SECRET, FILE], ids=str)
def test_what_is_typed_beside_the_choice_of_what_is_stored_stays(shape: Json) -> None:
    form = widget_type(members(v=shape)).form_json('{"v": "b2xk"}')
    shown = sent(form, form, **{"#/v": "b25l"}).form
    assert sent(form, shown, **{"state#/v": "reset"}).text == form.text
    assert sent(form, shown, **{"state#/v": "reset", "#/v": "dHdv"}).data == {"v": "dHdv"}


@pytest.mark.parametrize("text", ["new", "unset"])
@pytest.mark.parametrize("shape", [SECRET, TEXT], ids=str)
def test_what_is_typed_into_a_group_that_was_taken_away_sets_it(shape: Json, text: str) -> None:
    group = {"type": "object", **members(v=shape, w=TEXT)}
    form = widget_type(members(g=group)).form_json('{"g": {"v": "old", "w": "x"}}')
    gone = sent(form, form, **{"state#/g": "unset"})
    assert gone.data == {}
    assert sent(form, gone.form, **{"#/g/v": text}).data == {"g": {"v": text, "w": "x"}}


CONDITIONED: Final = {
    **members(
        g={"type": "object", **members(a=TEXT, n=NUMBER, s=SECRET, part=PART)},
        l={"type": "array", "items": NUMBER},
        mode=TEXT,
    ),
    "if": {"required": ["mode"]},
    "then": members(more=NUMBER),
}


@pytest.mark.parametrize("edits", [{}, {"#/mode": "x"}], ids=["same fields", "more fields"])
def test_a_new_group_that_is_taken_away_can_be_restored_with_all_that_was_typed(
    edits: dict[str, str],
) -> None:
    form = widget_type(CONDITIONED).form_json("{}")
    shown = sent(form, form, press="open#/g").form
    typed = {"#/g/a": "x", "#/g/n": "no number", "#/g/s": "hush"}
    shown = sent(form, shown, press="check", **typed).form
    gone = sent(form, shown, **{"state#/g": "reset"})
    assert gone.text == "{}"
    later = sent(form, gone.form, **edits).form
    back = sent(form, later, press="restore#/g")
    assert back.data["g"] == {"a": "x", "s": "hush"}
    assert not back.complete
    assert typed.items() <= dict(entries(back.form.render())).items()


def test_a_new_group_in_a_new_one_can_be_restored_after_both_were_taken_away() -> None:
    form = widget_type(CONDITIONED).form_json("{}")
    shown = sent(form, form, press="open#/g").form
    shown = sent(form, shown, press="open#/g/part").form
    for name in ("#/g/part", "#/g"):
        shown = sent(form, shown, **({"#/g/part/a": "z"} if name == "#/g/part" else {})).form
        shown = sent(form, shown, **{f"state{name}": "reset"}).form
    shown = sent(form, shown, press="restore#/g").form
    part = {"a": "z", "kind": 1}
    assert sent(form, shown, press="restore#/g/part").data == {"g": {"part": part}}


def test_what_is_typed_anew_into_a_group_stays_when_the_former_one_is_restored() -> None:
    form = widget_type(CONDITIONED).form_json("{}")
    shown = sent(form, form, press="open#/g").form
    shown = sent(form, shown, **{"#/g/a": "old", "#/g/n": "1"}).form
    shown = sent(form, shown, **{"state#/g": "reset"}).form
    shown = sent(form, shown, press="open#/g").form
    back = sent(form, shown, press="restore#/g", **{"#/g/a": "new"})
    assert back.data == {"g": {"a": "new", "n": 1}}


def test_rows_of_a_new_list_that_is_taken_away_can_be_restored() -> None:
    form = widget_type(CONDITIONED).form_json("{}")
    shown = sent(form, form, press="open#/l").form
    shown = sent(form, shown, press="add#/l").form
    shown = sent(form, shown, press="check", **{"#/l/+1": "x"}).form
    shown = sent(form, shown, **{"state#/l": "reset"}).form
    shown = sent(form, shown, press="restore#/l").form
    assert sent(form, shown, **{"#/l/+1": "5"}).data == {"l": [5]}

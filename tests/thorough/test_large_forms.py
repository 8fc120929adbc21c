"""Data with more parts than a form has fields: only the rest is JSON, and nothing is lost."""

from __future__ import annotations

import json
import re
from typing import Any, Final

import pytest

from tests.browsing import edited, entries, text_of
from tests.posting import as_shown, forms_of
from widgetschema import StaleForm
from widgetschema.forms import Form
from widgetschema.forms.fields.builder import MAX_FIELDS
from widgetschema.forms.model import Field
from widgetschema.forms.texts import text

NUMBERS: Final = {f"m{at:04}": at for at in range(3_000)}
NAMED: Final = {"type": "object", "properties": {name: {"type": "number"} for name in NUMBERS}}
MAP: Final = {"type": "object", "additionalProperties": {"type": "number"}}
LIST: Final = {"type": "array", "items": {"type": "number"}}
SLIDE: Final = {"type": "object", "properties": {name: {"type": "string"} for name in "abcdef"}}
SLIDES: Final = {"type": "array", "items": SLIDE}


def form_of(schema: Any, value: Any, indent: int | None = 2) -> Form:
    return forms_of(schema).form_json(json.dumps(value, indent=indent))


def rest_of(form: Form) -> Field:
    [rest] = [field for field in form if field.is_rest]
    return rest


def members(**schemas: Any) -> dict[str, Any]:
    return {"type": "object", "properties": schemas}


@pytest.mark.parametrize(
    ("schema", "value"),
    [(NAMED, NUMBERS), (MAP, NUMBERS), (LIST, [*range(3_000)]), (SLIDES, [{"a": "x"}] * 2_500)],
    ids=["named", "map", "list", "slides"],
)
def test_only_the_rest_is_json(schema: Any, value: Any) -> None:
    form = form_of(schema, value)
    assert form.root.kind in ("object", "list")
    fields = list(form)
    assert MAX_FIELDS * 0.9 < len(fields) < MAX_FIELDS * 1.1
    rest = rest_of(form)
    assert rest.note == text("note.rest")
    assert len(rest.rest) + len(form.root.children) - 1 == len(value)
    parsed = json.loads(rest.shown.text)
    assert parsed == (
        dict(list(value.items())[-len(rest.rest) :])
        if isinstance(value, dict)
        else value[-len(rest.rest) :]
    )
    page = text_of(form.render())
    assert text("note.rest") in page
    assert f"{len(rest.rest):,} further {'entries' if isinstance(value, dict) else 'items'}" in page


def test_what_is_small_has_fields_beside_what_is_large() -> None:
    schema = members(slides=SLIDES, numbers=LIST, settings=members(on={"type": "boolean"}))
    value = {"slides": [{"a": "x"}] * 2_500, "numbers": [*range(4_000)], "settings": {"on": True}}
    form = form_of(schema, value)
    for path in ("/slides/0/a", "/numbers/0", "/settings/on"):
        field = form.field(path)
        assert field is not None
        assert field.kind != "json"
    assert [field.name for field in form if field.is_rest] == ["#/slides/*", "#/numbers/*"]
    assert len(list(form)) < MAX_FIELDS * 1.1
    assert form.submit(entries(form.render())).text == form.text


def test_what_has_no_room_at_all_is_json() -> None:
    value = {"a": [*range(3_000)], "b": [{"a": "x"}] * 600, "c": [*range(1_500)], "d": {"e": 1}}
    schema = members(a=LIST, b=SLIDES, c=LIST, d=members(e={"type": "number"}))
    form = form_of(schema, value)
    assert form.submit(entries(form.render())).text == form.text
    assert sum(field.kind == "json" for field in form) > 1
    for pairs in ({"#/d/e": "2"}, {"#/d": '{"e": 2}'}):
        field = form.field("/d")
        if field is not None and (field.kind == "json") == ("#/d" in pairs):
            assert form.submit(pairs).data == {**value, "d": {"e": 2}}


@pytest.mark.parametrize(
    ("schema", "value", "indent"),
    [(NAMED, NUMBERS, None), (MAP, NUMBERS, 2), (LIST, [*range(3_000)], None)],
    ids=["named", "map", "list"],
)
def test_an_edit_in_the_rest_is_one_line(schema: Any, value: Any, indent: int | None) -> None:
    form = form_of(schema, value, indent)
    rest = rest_of(form)
    assert form.submit(entries(form.render())).text == form.text
    text = re.sub(r"(?<!m)2500", "-1", rest.shown.text)
    submission = form.submit(edited(entries(form.render()), rest.name, text))
    expected = re.sub(r"(?<!m)2500", "-1", form.text)
    assert submission.text == expected
    assert submission.valid


def test_members_of_the_rest_come_and_go() -> None:
    form = form_of(MAP, NUMBERS)
    rest = rest_of(form)
    value = json.loads(rest.shown.text)
    del value["m2500"]
    value["new"] = 7
    submission = form.submit({rest.name: json.dumps(value), "#/m0001": "11"})
    assert submission.data == {
        **{name: number for name, number in NUMBERS.items() if name != "m2500"},
        "m0001": 11,
        "new": 7,
    }
    assert [*submission.data][-1] == "new"


def test_items_of_the_rest_come_and_go() -> None:
    form = form_of(LIST, [*range(3_000)])
    rest = rest_of(form)
    value = json.loads(rest.shown.text)
    rows = form.root.pristine.rows
    posted = {rest.name: json.dumps([*value[1:], 9]), "order#": ",".join([*rows[1:], "+1"])}
    submission = form.submit({**posted, "#/+1": "5"})
    assert submission.data == [*range(1, len(rows)), 5, *value[1:], 9]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[", "the text ends inside an array"),
        ("{}", "{} is an object, but must be an array"),
        ("", ""),
        ("[1e400]", "too large for a double"),
    ],
)
def test_what_is_no_rest_stays_in_its_field(text: str, says: str) -> None:
    form = form_of(LIST, [*range(3_000)])
    submission = form.submit({"#/*": text})
    assert not submission.valid
    assert submission.data == [*range(3_000)] or "1e400" in text
    rest = rest_of(submission.form)
    assert rest.shown.text == text
    if "1e400" not in text:
        assert not submission.complete
        assert says in " ".join(finding.message for finding in rest.findings)


def test_a_name_that_has_a_field_is_there_twice() -> None:
    form = form_of(members(a=MAP), {"a": NUMBERS})
    rest = rest_of(form)
    value = {**json.loads(rest.shown.text), "m0001": 5}
    submission = form.submit({rest.name: json.dumps(value)})
    [finding] = submission.report
    assert (finding.path, finding.message) == ("/a/m0001", 'the member "m0001" appears twice')
    assert submission.data == {"a": NUMBERS}


def test_findings_about_the_rest_are_shown() -> None:
    form = form_of(LIST, [*range(2_999), "wrong"])
    [finding] = form.report
    assert finding.path == "/2999"
    assert finding.message in text_of(form.render())
    assert not form.unplaced_findings


def test_parts_that_do_not_fit_are_json_one_by_one() -> None:
    form = form_of(SLIDES, [{"a": "x"}] * 900)
    kinds = [row.kind for row in form.root.children]
    assert kinds == ["object"] * kinds.count("object") + ["json"] * kinds.count("json")
    assert kinds.count("object") > 200
    submission = form.submit({"#/0/a": "y", "#/899": '{"a": "z"}'})
    assert submission.data == [{"a": "y"}, *[{"a": "x"}] * 898, {"a": "z"}]


@pytest.mark.parametrize(
    ("numbers", "slides"),
    [
        (0, 2),
        (0, 700),
        (5, 250),
        (900, 0),
        (900, 250),
        (1_990, 2),
        (1_990, 250),
        (3_000, 0),
        (3_000, 700),
    ],
)
def test_nothing_is_lost_however_much_there_is(numbers: int, slides: int) -> None:
    value: dict[str, Any] = {
        "list": [*range(numbers)],
        "map": {f"k{at}": at for at in range(numbers // 2)},
        "slides": [{"a": "x", "extra": [1]} for _ in range(slides)],
        "z": 1,
    }
    schema = members(list=LIST, map=MAP, slides=SLIDES, z={"type": "number"})
    form = form_of(schema, value, None)
    pairs = as_shown(form)
    assert form.submit(pairs).text == form.text
    there = {name for name, _ in pairs}
    if "#/list/0" in there:
        pairs, value["list"][0] = edited(pairs, "#/list/0", "5"), 5
    if "#/map/k0" in there:
        pairs, value["map"]["k0"] = edited(pairs, "#/map/k0", "5"), 5
    if "#/slides/0/a" in there:
        pairs, value["slides"][0]["a"] = edited(pairs, "#/slides/0/a", "5"), "5"
    if "#/z" in there:
        pairs, value["z"] = edited(pairs, "#/z", "5"), 5
    assert form.submit(pairs).data == value


def test_a_condition_moves_no_field_into_the_rest() -> None:
    """Another condition brings fewer fields before it: what was typed behind them counts."""
    number = {"type": "number"}
    schema = {
        **members(on={"type": "boolean"}, **{f"p{at}": number for at in range(1_990)}),
        "if": {"properties": {"on": {"const": True}}},
        "then": {"properties": {f"x{at}": number for at in range(30)}},
        "else": {"properties": {f"y{at}": number for at in range(5)}},
        "additionalProperties": number,
    }
    value = {"on": True, **{f"{at}": at for at in range(50)}, **{f"x{at}": at for at in range(30)}}
    form = form_of(schema, value)
    rest = rest_of(form)
    pairs = edited(entries(form.render()), "#/on", "false")
    typed = next(field for field in reversed(form.root.children) if field.path is not None)
    name = (typed.path or "").removeprefix("/")
    assert name.startswith("x")
    assert form.submit(edited(pairs, typed.name, "777")).data == {**value, "on": False, name: 777}
    others = {**json.loads(rest.shown.text), "x29": 888}
    submission = form.submit(edited(pairs, rest.name, json.dumps(others)))
    assert submission.data == {**value, "on": False, "x29": 888}


def test_a_name_of_the_rest_is_not_given_to_a_field() -> None:
    form = form_of(members(a=MAP), {"a": NUMBERS})
    name = f"name{form.root.children[0].children[0].name}"
    submission = form.submit(edited(entries(form.render()), name, "m2999"))
    [finding] = submission.report
    assert (finding.path, finding.message) == ("/a/m2999", 'the member "m2999" appears twice')
    assert submission.data == {"a": NUMBERS}


def test_another_order_of_members_gives_others_a_field_and_loses_no_edit() -> None:
    form, now = form_of(MAP, NUMBERS), form_of(MAP, dict(reversed(NUMBERS.items())))
    pairs = edited(entries(form.render()), "#/m0000", "7")
    pairs = edited(pairs, "#/*", rest_of(form).shown.text.replace(": 2500", ": -1"))
    submission = now.submit(pairs)
    assert submission.data == {**NUMBERS, "m0000": 7, "m2500": -1}
    assert [*submission.data] == [*reversed(NUMBERS)]
    again = form_of(LIST, [*range(3_000)], None)
    assert not form_of(LIST, [*range(3_000)]).submit(entries(again.render())).changed


@pytest.mark.parametrize("now", [[1, 2, 3], [], [*range(1, 3_001)]])
def test_an_item_that_was_edited_in_the_rest_stays_in_another_list(now: list[int]) -> None:
    form = form_of(LIST, [*range(3_000)])
    pairs = edited(entries(form.render()), "#/*", rest_of(form).shown.text.replace("2500", "-1"))
    with pytest.raises(StaleForm) as error:
        form_of(LIST, now).submit(pairs)
    assert -1 in error.value.form.data


def test_what_was_typed_in_the_rest_of_a_form_of_another_schema_is_said() -> None:
    form = form_of(LIST, [*range(3_000)])
    pairs = edited(entries(form.render()), "#/*", "[-1]")
    with pytest.raises(StaleForm) as error:
        form_of({**LIST, "minItems": 2}, [*range(3_000)]).submit(pairs)
    assert "[-1]" in str(error.value.form.report)
    assert error.value.form.data == [*range(3_000)]


SIZE: Final = {"enum": ["big", "small"]}


@pytest.mark.parametrize(
    ("schema", "at"),
    [({"items": SIZE}, 2_999), ({"additionalProperties": SIZE}, "é/~")],
    ids=["list", "object"],
)
def test_a_button_corrects_a_value_in_the_rest(schema: Any, at: Any) -> None:
    value: Any = ["big"] * 3_000 if type(at) is int else dict.fromkeys(NUMBERS, "big")
    value[at] = "bgi"
    form = form_of({"type": "array" if type(at) is int else "object", **schema}, value)
    [finding] = form.report
    button = form.button(finding)
    assert button is not None
    assert button.label == "Use “big”"
    value[at] = "big"
    pressed = form.submit([*entries(form.render()), ("do", button.value)])
    assert pressed.form.report.valid
    assert json.loads(pressed.form.submit(entries(pressed.form.render())).text) == value


@pytest.mark.parametrize("carry", [[], [("do", "carry#/v;0")]], ids=["plain", "scripted"])
def test_what_is_large_is_json_in_another_alternative(carry: list[tuple[str, str]]) -> None:
    schema = members(v={"anyOf": [LIST, {"type": "array", "items": {"type": "string"}}]}, t={})
    value = [*range(MAX_FIELDS + 500)]
    form = form_of(schema, {"v": value, "t": 1}, None)
    pairs = edited(edited(entries(form.render()), "kind#/v", "1"), "#/t;1", "2")
    again = form.submit([*pairs, *carry]).form
    assert len(list(again)) < MAX_FIELDS * 1.1
    field = again.field("/v")
    assert field is not None
    assert field.children[1].note == text("note.fields")
    pairs = entries(again.render())
    assert form.submit(pairs).data == {"v": value, "t": 2}
    edit = edited(pairs, "#/v;1", '["typed"]')
    assert form.submit(edit).data == {"v": ["typed"], "t": 2}
    assert form.submit(edited(pairs, "kind#/v", "0")).data == {"v": value, "t": 2}

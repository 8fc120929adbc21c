"""A form that comes back as a whole: alternatives, rows, names, buttons, conditions, and errors.

Controls are posted by their names, without HTML: what is not posted is unchanged.
"""

from __future__ import annotations

import pickle
from copy import deepcopy
from json import dumps
from typing import Final

import pytest

import widgetschema
from tests.patching import (
    FLAG,
    NUMBER,
    TEXT,
    Json,
    changed_lines,
    members,
    read,
    said,
    submit,
    widget_type,
)
from tests.posting import as_shown
from widgetschema import FormError, InvalidFormDescription, InvalidWidgetData, StaleForm
from widgetschema.errors import UnreadableDocument
from widgetschema.forms.submit.edit_plan import plan_edits
from widgetschema.jsontext import DEFAULT_LIMITS
from widgetschema.jsontext.rewriting import Keep

EITHER: Final = members(v={"anyOf": [TEXT, NUMBER, {}]})


@pytest.mark.parametrize(
    ("text", "fields", "data"),
    [
        ('{"v": "123"}', {}, {"v": "123"}),
        ('{"v": "123"}', {"kind#/v": "0", "#/v;0": "124"}, {"v": "124"}),
        ('{"v": "123"}', {"kind#/v": "1", "#/v;1": "123"}, {"v": 123}),
        ('{"v": "123"}', {"kind#/v": "2", "#/v;2": '"123"'}, {"v": "123"}),
        ('{"v": "123"}', {"kind#/v": "2", "#/v;2": "[123]"}, {"v": [123]}),
        ('{"v": 123}', {"kind#/v": "0"}, {"v": "123"}),
        ('{"v": 123}', {"#/v;0": "a draft"}, {"v": 123}),
        ('{"v": 123}', {"kind#/v": "9"}, {"v": 123}),
        ("{}", {"#/v;1": "1"}, {}),
        ("{}", {"kind#/v": "1", "#/v;1": "1"}, {"v": 1}),
        ("{}", {"#/v;0": "typed"}, {"v": "typed"}),
    ],
)
def test_the_kind_that_is_chosen_decides(text: str, fields: dict[str, str], data: Json) -> None:
    submission = submit(EITHER, text, fields)
    assert submission.data == data
    assert submission.changed is (data != read(text))


def test_drafts_of_other_alternatives_stay_in_the_form() -> None:
    posted = {"kind#/v": "1", "#/v;0": "a draft", "#/v;1": "x", "#/v;2": "{"}
    submission = submit(EITHER, '{"v": "old"}', posted)
    shown = {field.name: field.shown.text for field in submission.form}
    assert {name: shown[name] for name in ("#/v;0", "#/v;1", "#/v;2")} == {
        "#/v;0": "a draft", "#/v;1": "x", "#/v;2": "{",
    }  # fmt: skip
    assert said(submission) == [("type", "/v")]  # of the one that is chosen alone


# 10. Lists, and objects of any names

ITEMS: Final = {"type": "array", "items": TEXT}
ROWS: Final = members(l=ITEMS)


@pytest.mark.parametrize(
    ("text", "fields", "data"),
    [
        ("{}", {}, {}),
        ("{}", {"order#/l": "", "state#/l": "unset"}, {}),
        ("{}", {"state#/l": "set", "open#/l": "1"}, {"l": []}),
        ("{}", {"order#/l": "+1", "#/l/+1": "a", "state#/l": "set"}, {"l": ["a"]}),
        ('{"l": []}', {"order#/l": ""}, {"l": []}),
        ('{"l": []}', {"state#/l": "unset"}, {}),
        ('{"l": ["a", "b"]}', {"order#/l": "1,0"}, {"l": ["b", "a"]}),
        ('{"l": ["a", "b"]}', {"order#/l": "1"}, {"l": ["b"]}),
        ('{"l": ["a", "b"]}', {"order#/l": ""}, {"l": []}),
        ('{"l": ["a", "b"]}', {"order#/l": "0,+1,1"}, {"l": ["a", "", "b"]}),
        ('{"l": ["a", "b"]}', {"order#/l": "0,+1,1", "#/l/+1": "x"}, {"l": ["a", "x", "b"]}),
        ('{"l": ["a", "b"]}', {"order#/l": "1,0", "#/l/0": "A"}, {"l": ["b", "A"]}),
        ('{"l": ["a", "b"]}', {"#/l/+1": "no row"}, {"l": ["a", "b"]}),
    ],
)
def test_rows(text: str, fields: dict[str, str], data: Json) -> None:
    submission = submit(ROWS, text, fields)
    assert submission.data == data
    assert submission.changed is (data != read(text))
    assert submission.complete


@pytest.mark.parametrize("order", ["0,0,1", "0,1,7", "x,0,1", "0,1,+99999999999999999999", ",0,,1"])
def test_hostile_orders_do_no_harm(order: str) -> None:
    submission = submit(ROWS, '{"l": ["a", "b"]}', {"order#/l": order})
    assert [item for item in submission.data["l"] if item] == ["a", "b"]


@pytest.mark.parametrize(
    ("do", "data", "order"),
    [
        ("add#/l", ["a", "b", "c", ""], "0,1,2,+1"),
        ("remove#/l/1", ["a", "c"], "0,2"),
        ("up#/l/2", ["a", "c", "b"], "0,2,1"),
        ("up#/l/0", ["a", "b", "c"], "0,1,2"),
        ("down#/l/0", ["b", "a", "c"], "1,0,2"),
        ("down#/l/2", ["a", "b", "c"], "0,1,2"),
        ("remove#/l/7", ["a", "b", "c"], None),
        ("remove#/nothing/7", ["a", "b", "c"], None),
        ("add#/nothing", ["a", "b", "c"], None),
        ("open#/nothing", ["a", "b", "c"], None),
        ("check", ["a", "b", "c"], None),
    ],
)
def test_buttons_change_the_form(do: str, data: Json, order: str | None) -> None:
    submission = submit(ROWS, '{"l": ["a", "b", "c"]}', {"do": do})
    assert submission.data == {"l": data}
    assert submission.action is not None
    posted = submission.form.posted
    assert posted is not None
    assert posted.get("order#/l") == (None if order is None else [order])
    again = submission.form.submit({**posted, "do": ""})
    assert again.text == submission.text
    assert again.action is None


@pytest.mark.parametrize("do", ["", "save", "explode#/l", "add", "#"])
def test_other_buttons_are_none_of_ours(do: str) -> None:
    submission = submit(ROWS, "{}", {"do": do, "#/l": "x"})
    assert submission.action is None
    assert not submission.changed


def test_rows_are_added_to_a_list_that_is_not_there() -> None:
    form = widget_type(ROWS).form_json("{}")
    submission = form.submit({"do": "add#/l"})
    assert submission.data == {"l": [""]}
    again = submission.form.submit({**(submission.form.posted or {}), "do": "add#/l"})
    assert again.data == {"l": ["", ""]}
    assert [row.name for row in again.form if row.row] == ["#/l/+1", "#/l/+2"]


def test_a_new_row_that_cannot_be_read_keeps_its_place() -> None:
    schema = members(l={"type": "array", "items": NUMBER})
    fields = {"order#/l": "0,+1,1", "#/l/+1": "x"}
    submission = submit(schema, '{"l": [1, "b"]}', fields)
    assert not submission.complete
    assert said(submission) == [("type", "/l/1"), ("type", "/l/2")]


NAMES: Final = [
    ".",
    "/",
    "~",
    "__proto__",
    "",
    "a\nb",
    "</script>",
    "a,b",
    "+1",
    "é",
    "#",
    ";1",
    "%",
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("known", [True, False], ids=["known", "additional"])
def test_members_of_any_name(name: str, known: bool) -> None:
    schema = members(**{name: TEXT}) if known else {"additionalProperties": TEXT}
    text = dumps({"first": "1", name: "old", "last": "2"}, indent=2)
    form = widget_type(schema).form_json(text)
    [field] = [field for field in form if field.shown.text in ("old", '"old"')]
    assert form.submit({field.name: field.shown.text}).text == text
    submission = form.submit({field.name: field.shown.text.replace("old", "new")})
    assert submission.data == {"first": "1", name: "new", "last": "2"}
    assert len(changed_lines(text, submission.text)) == 2
    if not known:
        gone = form.submit({"do": f"remove{field.name}"})
        assert gone.data == {"first": "1", "last": "2"}


MAP: Final = {"type": "object", "additionalProperties": TEXT}


@pytest.mark.parametrize(
    ("fields", "data", "complete"),
    [
        ({"name#/b": "x"}, {"a": "1", "x": "2", "c": "3"}, True),
        ({"name#/b": "b"}, {"a": "1", "b": "2", "c": "3"}, True),
        ({"name#/b": "a"}, {"a": "1", "b": "2", "c": "3"}, False),
        ({"name#/b": "c", "name#/c": "b"}, {"a": "1", "c": "2", "b": "3"}, True),
        ({"name#/a": "b", "name#/b": "c"}, {"a": "1", "b": "2", "c": "3"}, False),
        ({"name#/b": "a", "order#": "b,c"}, {"a": "2", "c": "3"}, True),
        ({"order#": "a,b,c,+1", "name#/+1": "d", "#/+1": "4"},
         {"a": "1", "b": "2", "c": "3", "d": "4"}, True),
        ({"order#": "a,b,c,+1", "name#/+1": "b", "#/+1": "4"},
         {"a": "1", "b": "2", "c": "3"}, False),
        ({"order#": "+1,c,b", "name#/+1": "a", "#/+1": "4"}, {"a": "4", "c": "3", "b": "2"}, True),
    ],
    ids=str,
)  # fmt: skip
def test_names_of_members(fields: dict[str, str], data: Json, complete: bool) -> None:
    text = '{"a": "1", "b": "2", "c": "3"}'
    submission = submit(MAP, text, fields)
    assert submission.data == data
    assert list(submission.data) == list(data)
    assert submission.complete is complete
    if not complete:
        assert {finding.keyword for finding in submission.report} == {"json.duplicate-member"}
        assert all(f.message.endswith("appears twice") for f in submission.report)


def test_a_name_is_not_emptied() -> None:
    form = widgetschema.WidgetType.from_data_schema(MAP).form_json('{"a": "1", "": "2"}')
    emptied = form.submit({"name#/a": "", "#/a": "3"})
    assert emptied.data == {"a": "3", "": "2"}
    assert [finding.keyword for finding in emptied.report] == ["form.name"]
    nameless = form.root.children[1].name
    assert form.submit({nameless: "3"}).data == {"a": "1", "": "3"}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "1"),
        ({"type": ["number", "null"]}, "1.5"),
        ({"type": ["string", "null"], "format": "date"}, '"2026-01-02"'),
    ],
)
def test_an_emptied_value_that_is_required_is_null_if_it_may_be(schema: Json, value: str) -> None:
    required = {**members(a=schema, b={"items": schema}), "required": ["a"]}
    submission = submit(required, f'{{"a": {value}, "b": [{value}]}}', {"#/a": "", "#/b/0": ""})
    assert submission.data == {"a": None, "b": [None]}
    assert submission.valid
    text = submit(
        {**members(a={"type": ["string", "null"]}), "required": ["a"]}, '{"a": "x"}', {"#/a": ""}
    )
    assert text.data == {"a": ""}


# Around it


def test_part_of_a_text() -> None:
    type = widget_type({**members(n=NUMBER, t=TEXT), "required": ["n"]})
    text = '{\n  "type": "x",\n  "data": {\n    "t": 5\n  }\n}\n'
    form = type.form_json(text, at="/data")
    assert [(finding.keyword, finding.path) for finding in form.report] == [
        ("required", "/data"), ("type", "/data/t"),
    ]  # fmt: skip
    submission = form.submit({"#/data/n": "1", "#/data/t": "a", "state#/data/t": "set"})
    assert submission.valid
    assert submission.data == {"t": "a", "n": 1}
    assert read(submission.text) == {"type": "x", "data": {"t": "a", "n": 1}}


@pytest.mark.parametrize("at", ["/nothing", "data", "/0", "/a/b"])
def test_there_must_be_something(at: str) -> None:
    with pytest.raises(FormError, match="cannot make a form: there is no value at"):
        widget_type(True).form_json('{"a": 1}', at=at)


@pytest.mark.parametrize("text", ["", "{", "[1,1,]", '{"a":1,"a":1}', b"\xff"])
def test_a_text_must_be_json(text: str | bytes) -> None:
    with pytest.raises(UnreadableDocument):
        widget_type(True).form_json(text)


def test_python_values() -> None:
    countdown = widgetschema.widget_type("countdown")
    form = countdown.form()
    assert form.data == countdown.minimal()
    data = countdown.sample()
    assert countdown.form(data).submit({}).data == data
    with pytest.raises(InvalidWidgetData, match="JSON has no NaN"):
        widget_type(True).form({"a": float("nan")})


def test_a_form_of_another_text_is_refused() -> None:
    form = widget_type(ROWS).form_json("{}")
    assert form.submit({"base#": form.base}).text == "{}"
    others = [
        widget_type(ROWS).form_json('{"l": []}'),
        widget_type(MAP).form_json("{}"),
        widget_type(ROWS).form_json("{}", ui={"/l": {"kind": "json"}}),
    ]
    assert len({form.base, *(other.base for other in others)}) == 4
    for other in others:
        with pytest.raises(StaleForm, match="has changed since this form was shown"):
            other.submit({"base#": form.base})


def test_errors_pickle() -> None:
    for error in (StaleForm(), widgetschema.TooManyFields(2, 1), FormError("x")):
        assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize(
    "fields",
    [
        None,
        {},
        {"#/v/0": "x", "csrf": "t"},
        {"#/v/0": "5", "do": "add#/v"},
        {"do": "remove#/v/0"},
        {"do": "check"},
    ],
    ids=repr,
)
def test_forms_and_submissions_pickle(fields: dict[str, str] | None) -> None:
    type = widget_type(members(v={"type": "array", "items": NUMBER}))
    form = type.form_json('{ "v": [1e3] }', ui={"/v": {"label": "Values"}})
    if fields is None:
        again: widgetschema.Form = pickle.loads(pickle.dumps(form))
        assert (again.posted, again.page(), again.text) == (None, form.page(), form.text)
        return
    submission = form.submit(fields)
    for other in (pickle.loads(pickle.dumps(submission)), deepcopy(submission)):
        assert (other.text, other.data, other.complete) == (
            submission.text, submission.data, submission.complete,
        )  # fmt: skip
        assert other.answer() == submission.answer()
        assert (other.form.posted, other.action) == (submission.form.posted, submission.action)
        assert other.form.page() == submission.form.page()


def test_conditions_bring_their_fields() -> None:
    schema = {
        **members(mode={"enum": ["a", "b"]}),
        "if": {"properties": {"mode": {"const": "b"}}, "required": ["mode"]},
        "then": {**members(extra=NUMBER), "required": ["extra"]},
    }
    submission = submit(schema, '{"mode": "a"}', {"#/mode": "1", "#/extra": "5"})
    assert submission.data == {"mode": "b", "extra": 5}
    assert submission.valid
    without = submit(schema, '{"mode": "a"}', {"#/mode": "1"})
    assert said(without) == [("required", "")]
    assert without.form.field("/extra") is not None
    assert without.form.signature != widget_type(schema).form_json('{"mode": "a"}').signature


def test_what_holds_by_turns_comes_to_an_end() -> None:
    schema = {
        "if": {"required": ["a"]},
        "then": members(b=TEXT),
        "else": members(a=TEXT),
    }
    submission = submit(schema, "{}", {"#/a": "1", "#/b": "2"})
    assert submission.form.submit(submission.form.posted or {}).text == submission.text


def test_the_report_is_in_the_order_of_the_form() -> None:
    schema = {**members(b=NUMBER, a=TEXT, c=NUMBER), "required": ["a", "c"]}
    submission = submit(schema, '{"c": "x", "b": 1}', {"#/b": "one"})
    assert said(submission) == [("type", "/b"), ("required", ""), ("type", "/c")]
    assert submission.form.unplaced_findings == ()


def test_what_could_not_be_read_is_said_once() -> None:
    schema = {**members(n=NUMBER, m=NUMBER), "required": ["n"]}
    submission = submit(schema, "{}", {"#/n": "x", "#/m": "y"})
    assert said(submission) == [("type", "/n"), ("type", "/m")]


@pytest.mark.parametrize("length", [10_000_000])
def test_a_huge_text(length: int) -> None:
    submission = submit(members(t=TEXT), "{}", {"#/t": "é" * length})
    assert len(submission.data["t"]) == length
    assert submission.valid


def test_a_deep_text() -> None:
    schema = {"properties": {"a": {"$ref": "#/properties/data"}}}
    type = widget_type(schema)
    text = '{"a": ' * 199 + "{}" + "}" * 199
    form = type.form_json(text)
    assert form.submit({}).text == text
    deepest = max((field for field in form), key=lambda field: field.name.count("/"))
    submission = form.submit({"do": f"open{deepest.name}"})
    assert submission.text


# What must be there: new rows, alternatives that are newly chosen


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (TEXT, ""),
        (members(a=TEXT), {}),
        ({"type": "array", "items": TEXT}, []),
        ({"const": {"a": 1}}, {"a": 1}),
        ({"enum": [5]}, 5),
        ({"type": "array", "items": [TEXT, NUMBER]}, []),
    ],
    ids=dumps,
)
@pytest.mark.parametrize("how", ["row", "member", "alternative"])
def test_what_must_be_there_is_the_least(schema: Json, value: Json, how: str) -> None:
    if how == "row":
        submission = submit({"type": "array", "items": schema}, "[]", {"do": "add#"})
        assert submission.data == [value]
    elif how == "member":
        schema = {"type": "object", "additionalProperties": schema}
        submission = submit(schema, "{}", {"do": "add#", "name#/+1": "m"})
        assert submission.data == {"m": value}
    else:
        other = {**members(z=NUMBER), "required": ["z"]}  # of whose value the new one holds nothing
        submission = submit({"anyOf": [other, schema]}, '{"z": 1}', {"kind#": "1"})
        assert submission.data == value
    assert submission.complete


@pytest.mark.parametrize(
    ("schema", "given", "item"),
    [
        (NUMBER, "0", 0),
        (FLAG, "true", True),
        ({"enum": ["a", "b"]}, "1", "b"),
    ],
    ids=dumps,
)
def test_what_cannot_be_guessed_must_be_given(schema: Json, given: str, item: Json) -> None:
    first = submit({"type": "array", "items": schema}, "[]", {"do": "add#"})
    assert first.data == [None]
    assert not first.complete
    assert [path for _, path in said(first)] == ["/0"]
    second = first.form.submit({**(first.form.posted or {}), "do": "", "#/+1": given})
    assert second.data == [item]
    assert second.valid


def test_a_button_opens_what_is_not_there() -> None:
    schema = members(a=members(b=TEXT), l={"type": "array", "items": TEXT})
    submission = submit(schema, "{}", {"do": "open#/a"})
    assert submission.data == {"a": {}}
    assert submission.form.field("/a/b") is not None
    assert submission.form.submit({**(submission.form.posted or {}), "do": "open#/l"}).data == {
        "a": {},
        "l": [],
    }


def test_a_tuple_has_no_gaps() -> None:
    schema = {"type": "array", "items": [TEXT, TEXT, NUMBER]}
    assert submit(schema, "[]", {"#/1": "b"}).data == ["", "b"]
    assert submit(schema, "[]", {"#/2": "x"}).data == ["", "", None]
    assert submit(schema, '["a"]', {"#/1": ""}).data == ["a"]


def test_a_member_without_a_field_is_kept() -> None:
    form = widget_type(members(a=TEXT)).form_json('{"a": "1", "b": 2}')
    found = plan_edits(form.root._replace(children=form.root.children[:1]), DEFAULT_LIMITS)
    assert found.node == Keep(form.tree.root)


# Conditions that bring other controls under the same names


@pytest.mark.parametrize("text", ['"1"', "1", '{"q": 1}', "[]", "null"])
@pytest.mark.parametrize(
    "member",
    [{"const": 1}, TEXT, NUMBER, {}, {"enum": ["1", 2]}, members(q=NUMBER), False,
     {"anyOf": [TEXT, NUMBER]}],
    ids=dumps,
)  # fmt: skip
@pytest.mark.parametrize("mode", ["a", "b"])
def test_another_control_for_a_value_is_no_edit(mode: str, member: Json, text: str) -> None:
    condition = {"if": members(mode={"const": mode}), "then": members(k=member)}
    form = widget_type({**members(mode=TEXT), **condition}).form_json(
        f'{{"mode": "a", "k": {text}}}'
    )
    pairs = dict(as_shown(form))
    assert form.submit({**pairs, "#/mode": "b"}).text == form.text.replace('"a"', '"b"')


def test_what_was_typed_for_a_condition_that_does_not_hold_stays() -> None:
    condition = {"if": members(mode={"const": "a"}), "then": members(k=TEXT)}
    form = widget_type({**members(mode=TEXT), **condition}).form_json('{"mode": "a"}')
    posted = {**dict(as_shown(form)), "#/k": "draft", "state#/k": "set"}
    assert form.submit(posted).data == {"mode": "a", "k": "draft"}
    assert form.submit({**posted, "#/mode": "b"}).data == {"mode": "b", "k": "draft"}


# How a form is shown in a session


def test_forms_are_short_to_look_at() -> None:
    form = widget_type(members(n=NUMBER)).form_json('{"n": "x"}')
    assert repr(form) == "<Form of data of widget type 'x': 1 finding>"
    assert repr(form.submit({})) == "<Submission: unchanged, invalid>"
    assert repr(form.submit({"#/n": "5"})) == "<Submission: changed, valid>"
    assert repr(form.submit({"#/n": "y"})) == "<Submission: unchanged, incomplete>"


def test_descriptions_are_kept_but_not_for_ever() -> None:
    type = widget_type(members(n=NUMBER))
    for index in range(40):
        form = type.form({}, ui={"/n": {"label": f"Number {index}"}})
        assert [field.label for field in form][1:] == [f"Number {index}"]
    wrong: list[Json] = [{1: {}}, {"/n": {("a",): 1}}, {"/n": float("nan")}, {"/n": {"x": ""}}, []]
    for ui in wrong:
        with pytest.raises(InvalidFormDescription):
            type.form({}, ui=ui)


def test_findings_of_a_form_have_lines_and_indices() -> None:
    rows = {"type": "array", "items": {"type": "object", "properties": {"0": {"type": "number"}}}}
    widget = widget_type(members(b={"type": "string"}, rows=rows))
    text = '[\n{"data": {"rows": [{}, {"0": ""}],\n "b": 1}}]'
    form = widget.form_json(text, at="/0/data")
    places = {finding.loc: (finding.line, finding.column) for finding in form.report}
    assert places == {(0, "data", "rows", 1, "0"): (2, 30), (0, "data", "b"): (3, 7)}
    assert {id(one) for one in form.report} == {id(one) for each in form for one in each.findings}
    [typed] = form.submit({"#/0/data/b": "x", "#/0/data/rows/1/0": "no"}).report
    assert (typed.loc, typed.line) == ((0, "data", "rows", 1, "0"), None)
    assert [finding.line for finding in widget.form({"b": 1}).report] == [None]

"""New documents, rows and groups begin with what the schema declares, and nothing made up."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

from tests.browsing import entries
from tests.posting import forms_of
from widgetschema import Form, WidgetType

Json = dict[str, Any]

SHOW: Final = {"type": "boolean", "default": True}
GROUP: Final[Json] = {
    "type": "object",
    "required": ["w"],
    "properties": {"w": {"type": "integer", "default": 3}, "o": {"default": 4}},
}
KINDS: Final[Json] = {
    "oneOf": [
        {
            "type": "object",
            "required": ["kind", "t"],
            "properties": {"kind": {"const": "a"}, "t": {"type": "string"}},
        },
        {
            "type": "object",
            "required": ["kind", "n"],
            "properties": {"kind": {"const": "b"}, "n": {"type": "integer", "default": 7}},
        },
    ]
}
POST: Final[Json] = {"properties": {"method": {"const": "post"}}}
METHOD: Final[Json] = {"enum": ["post", "pickup"]}
ADDRESS: Final[Json] = {
    "type": "object",
    "required": ["street"],
    "properties": {"street": {"type": "string"}, "country": {"const": "DE"}},
}
DELIVERY: Final[Json] = {
    "type": "object",
    "required": ["method"],
    "properties": {"method": METHOD, "address": ADDRESS, "shop": {"type": "string"}},
    "if": POST,
    "then": {"required": ["address"]},
    "else": {"required": ["shop"]},
}
MUTUAL: Final = {
    f"n{at}": {
        "type": "object",
        "required": [f"m{to}" for to in range(9)],
        "properties": {f"m{to}": {"$ref": f"#/definitions/n{to}"} for to in range(9)},
    }
    for at in range(9)
}


def required(definitions: Json | None = None, /, **properties: Any) -> Json:
    return {
        "required": [*properties],
        "properties": properties,
        "definitions": {} if definitions is None else definitions,
    }


MEMBERS: Final[list[tuple[str, Json, Any]]] = [
    ("default", required(a=SHOW, b={"type": "integer", "default": 640}), {"a": True, "b": 640}),
    ("optional", {"properties": {"a": SHOW}}, {}),
    ("nothing", required(a={"type": "string"}, b={"type": "array"}, c={}), {}),
    ("examples", required(a={"type": "string", "examples": ["x"]}), {}),
    ("null", required(a={"type": "null"}, b={"const": None}), {"a": None, "b": None}),
    ("constant", required(a={"const": "x"}, b={"enum": [1]}, c={"enum": [1, 2]}), {"a": "x", "b": 1}),
    ("group", required(a=GROUP), {"a": {"w": 3}}),
    ("its own default", required(a={**GROUP, "default": {"w": 5, "z": 1}}), {"a": {"w": 5, "z": 1}}),
    ("one refused", required(a={**GROUP, "default": {"z": 1}}), {"a": {"w": 3}}),
    ("refused", required(a={"type": "integer", "maximum": 5, "default": 6}), {}),
    ("of another type", required(a={"type": "string", "default": None}), {}),
    ("refused by not", required(a={"not": {"const": 5}, "default": 5}), {}),
    ("reference", required({"s": SHOW}, a={"$ref": "#/definitions/s"}), {"a": True}),
    ("beside", required({"s": SHOW}, a={"$ref": "#/definitions/s", "default": False}), {"a": True}),
    ("first that fits", required(a={"allOf": [{"type": "integer", "default": ""}, {"default": 5}, {"default": 6}]}), {"a": 5}),
    ("types", required(a={"type": ["integer", "null"], "default": None}), {"a": None}),
    ("alternative types", required(a={"type": ["integer", "string"], "default": "x"}), {"a": "x"}),
    ("two types", required(a={"type": ["object", "null"]}), {}),
    ("beside null", required(a={"anyOf": [{"type": "integer", "default": 5}, {"type": "null"}]}), {"a": 5}),
    ("alternatives", required(a=KINDS), {}),
    ("tuple", required(a={"type": "array", "items": [{"const": 1}, {"default": 2}], "minItems": 2}), {"a": [1, 2]}),
    ("gap", required(a={"type": "array", "items": [{"const": 1}, {}], "minItems": 2}), {}),
    ("list", required(a={"type": "array", "items": GROUP}), {}),
    ("list default", required(a={"type": "array", "default": [1, [2]]}), {"a": [1, [2]]}),
    ("allOf", {"allOf": [required(a={"default": 1}), required(b=SHOW, a={"default": 2})]}, {"a": 1, "b": True}),
    ("names", required(**{"é/~": {"default": "ü"}}), {"é/~": "ü"}),
    ("read only", required(a={"type": "string", "readOnly": True, "default": "x"}), {"a": "x"}),
    ("number", required(a={"type": "number", "default": 1.0}), {"a": 1.0}),
    ("condition", {**required(a={"enum": ["x", "y"], "default": "y"}), "if": {"properties": {"a": {"const": "y"}}}, "then": required(b=SHOW), "else": required(c=SHOW)}, {"a": "y", "b": True}),
    ("dependencies", {"required": ["a"], "properties": {"a": SHOW, "b": SHOW, "c": SHOW}, "dependencies": {"a": ["b"], "b": {"required": ["c"]}}}, {"a": True, "b": True, "c": True}),
    ("told apart", {**KINDS, "required": ["kind"], "properties": {"kind": {"enum": ["a", "b"], "default": "b"}}}, {"kind": "b", "n": 7}),
    ("not told apart yet", {**KINDS, "properties": {"kind": {"enum": ["a", "b"]}}}, {}),
    ("recursion", {"$ref": "#/definitions/n", "definitions": {"n": required(n={"$ref": "#/definitions/n"}, v=SHOW)}}, {"v": True}),
]  # fmt: skip

ROOTS: Final[list[tuple[Any, Any]]] = [
    ({"type": "object", "default": {"a": 1}}, {"a": 1}),
    ({"type": "array", "items": SHOW}, []),
    ({"type": "array", "default": [1]}, [1]),
    ({"type": "integer", "default": 4}, 4),
    ({"type": "integer"}, None),
    ({"type": "string"}, None),
    ({"const": "x"}, "x"),
    (KINDS, {"kind": "a"}),
    (True, None),
]


@pytest.mark.parametrize(
    ("schema", "data"), [row[1:] for row in MEMBERS], ids=[r[0] for r in MEMBERS]
)
def test_a_new_document_has_what_is_declared(schema: Json, data: Any) -> None:
    widget_type = WidgetType.from_data_schema(schema)
    form = widget_type.form()
    assert form.data == data == widget_type.new_data()
    assert not form.submit({}).changed
    assert form.report.valid == widget_type.is_valid(data)


def asked(condition: Any, then: Json, otherwise: Any = True, **properties: Any) -> Json:
    return {**required(**properties), "if": condition, "then": then, "else": otherwise}


X: Final[Json] = required(x={"const": 1})
Y: Final[Json] = required(y={"const": 2})
CONDITIONS: Final[dict[str, tuple[Json, Any]]] = {
    "holds without its member": (DELIVERY, {}),
    "of an optional member": ({**DELIVERY, "required": []}, {}),
    "does not hold without its member": (
        asked({**POST, "required": ["method"]}, {}, required(shop={"type": "object"}), method=METHOD),
        {},
    ),
    "not": (asked({"not": POST}, X, Y), {}),
    "not required": (asked({"not": {"required": ["a"]}}, X, Y), {}),
    "alternatives": (asked({"anyOf": [POST, {"required": ["a"]}]}, X, Y), {}),
    "a condition in it": (asked({"if": POST, "then": False}, X, Y), {}),
    "a part of a group": (asked({"properties": {"g": POST}}, X, Y, g={"type": "object", "required": ["method"]}), {"g": {}}),
    "any member": (asked({"maxProperties": 0}, X, Y), {}),
    "no member": (asked({"type": "object"}, X, Y), {"x": 1}),
    "a member that is there": (asked({"not": POST}, X, Y, method={"default": "post"}), {"method": "post", "y": 2}),
    "refused by one that is there": (
        asked({"properties": {"a": {"const": 1}, "b": {}}}, X, Y, a={"const": 0}),
        {"a": 0, "y": 2},
    ),
    "its default": (asked({"properties": {"a": {"const": 3}}}, required(a={"const": 3}), a={"default": 2}), {"a": 2}),
    "an incomplete group": (
        asked(POST, required(address={**ADDRESS, "required": ["street", "country"]}), method={"default": "post"}),
        {"method": "post"},
    ),
    "an empty group": (asked({}, required(g={"type": "object", "properties": {"a": {}}})), {}),
    "a group": (asked({}, required(g=GROUP)), {"g": {"w": 3}}),
}  # fmt: skip


@pytest.mark.parametrize(("schema", "data"), CONDITIONS.values(), ids=CONDITIONS)
def test_a_new_document_has_nothing_that_a_condition_may_not_ask_for(
    schema: Json, data: Any
) -> None:
    widget_type = WidgetType.from_data_schema(schema)
    assert widget_type.form().data == data == widget_type.new_data()


@pytest.mark.parametrize(
    ("schema", "button", "at"),
    [
        (required(a=DELIVERY), None, "#/a"),
        ({"properties": {"a": DELIVERY}}, "open#/a", "#/a"),
        ({"properties": {"a": {**DELIVERY, "type": ["object", "null"]}}}, "open#/a", "#/a"),
        (required(a={"type": "array", "items": DELIVERY}), "add#/a", "#/a/+1"),
        (required(a={"anyOf": [DELIVERY, {"type": "string"}]}), "open#/a;0", "#/a;0"),
    ],
    ids=["required", "optional", "nullable", "row", "alternative"],
)
@pytest.mark.parametrize("methods", ["1", "01"])
def test_a_new_group_has_nothing_that_a_condition_does_not_ask_for_any_more(
    schema: Json, button: str | None, at: str, methods: str
) -> None:
    forms = forms_of(schema)
    form = forms.form_json('{"a": []}' if at == "#/a/+1" else "{}")
    if button is not None:
        form = pressed(form, button)
    for method in methods:
        posted = {**dict(entries(form.render())), f"{at}/method": method, f"{at}/shop": "x"}
        submission = form.submit(posted)
        form = submission.form
    assert submission.valid
    assert "address" not in submission.text


@pytest.mark.parametrize(("schema", "data"), ROOTS)
def test_a_root_is_always_there(schema: Any, data: Any) -> None:
    assert WidgetType.from_data_schema(schema).form().data == data


def test_groups_that_require_each_other_end() -> None:
    schema = {"$ref": "#/definitions/n0", "definitions": MUTUAL}
    assert not WidgetType.from_data_schema(schema).form().report.valid


def test_the_data_is_that_of_one_document() -> None:
    widget_type = WidgetType.from_data_schema(required(a={"type": "array", "default": [1]}))
    widget_type.new_data()["a"].append(2)
    assert widget_type.new_data() == {"a": [1]}


def test_a_new_document_asks_for_the_rest_once_it_is_submitted() -> None:
    form = WidgetType.from_data_schema(required(a=SHOW, mail={"type": "string"})).form()
    assert [finding.target for finding in form.report] == ["/mail"]
    assert 'class="ws-errors"' not in form.page()
    submission = form.submit(entries(form.render()))
    assert not submission.valid
    [mail] = [field for field in submission.form.root.children if field.findings]
    assert mail.path == "/mail"
    assert submission.form.page().count('class="ws-errors"') == 1


def test_a_refused_default_is_not_shown() -> None:
    form = forms_of({"properties": {"a": {"type": "integer", "default": "x"}, "b": SHOW}}).form({})
    assert [field.shape.default for field in form.root.children] == [None, "true"]
    assert form.refused_defaults == ("/a",)


FORMS: Final = forms_of(
    {
        "type": "object",
        "properties": {
            "rows": {"type": "array", "items": {**GROUP, "required": ["w", "g"], "properties": {**GROUP["properties"], "g": GROUP, "t": {"type": "string"}}}},
            "numbers": {"type": "array", "items": {"type": "number", "default": 1.50}},
            "group": {**GROUP, "properties": {**GROUP["properties"], "s": {"type": "string"}}},
            "list": {"type": "array", "items": {"type": "string"}, "default": ["a", "b"]},
            "kind": KINDS,
            "map": {"type": "object", "additionalProperties": GROUP},
            "secret": {"type": "object", "required": ["p"], "properties": {"p": {"type": "string", "format": "password", "default": "x"}}},
        },
    }
)  # fmt: skip
ADDED: Final = [
    ("add#/rows", '{"rows":[{"w":3,"g":{"w":3}}]}'),
    ("add#/numbers", '{"numbers":[1.5]}'),
    ("open#/group", '{"group":{"w":3}}'),
    ("open#/list", '{"list":["a","b"]}'),
    ("open#/secret", '{"secret":{"p":"x"}}'),
]


def pressed(form: Form, button: str, **typed: str) -> Form:
    return form.submit([*entries(form.render()), *typed.items(), ("do", button)]).form


@pytest.mark.parametrize(("button", "text"), ADDED)
def test_what_is_added_begins_with_what_is_declared(button: str, text: str) -> None:
    form = FORMS.form_json("{}")
    added = pressed(form, button)
    assert form.submit(entries(added.render())).text == text


def test_what_a_new_row_began_with_can_be_changed_and_taken_away() -> None:
    form = FORMS.form_json('{"rows": []}')
    added = entries(pressed(form, "add#/rows").render())
    changed = [(name, "9" if name == "#/rows/+1/w" else value) for name, value in added]
    assert form.submit(changed).text == '{"rows": [{"w": 9, "g": {"w": 3}}]}'
    emptied = [(name, "" if name == "#/rows/+1/w" else value) for name, value in added]
    submission = form.submit(emptied)
    assert [finding.path for finding in submission.report] == ["/rows/0/w"]


def test_a_group_that_is_filled_in_gets_the_rest() -> None:
    schema = required(g={**GROUP, "properties": {**GROUP["properties"], "s": {"type": "string"}}})
    submission = forms_of(schema).form({}).submit({"#/g/s": "x"})
    assert submission.data == {"g": {"w": 3, "s": "x"}}


TEXT: Final[Json] = {"type": "string"}
TEXTS: Final[Json] = {"type": "array", "items": TEXT}
SOME: Final[Json] = {**TEXTS, "minItems": 1}
NEEDED: Final[dict[str, tuple[Json, str, str]]] = {
    "a list that may be empty": (required(a=TEXTS), "open#/a", '[""]'),
    "one that is not required, either": ({"properties": {"a": TEXTS}}, "open#/a", "[]"),
    "a list without items": (required(a={**TEXTS, "maxItems": 0}), "open#/a", "[]"),
    "a list": (required(a=SOME), "open#/a", '[""]'),
    "one that is not required": ({"properties": {"a": SOME}}, "open#/a", '[""]'),
    "several items": (required(a={**SOME, "minItems": 3}), "open#/a", '["","",""]'),
    "no end of items": (required(a={**SOME, "minItems": 900}), "open#/a", str([""] * 20)),
    "items with a default": (
        required(a={**SOME, "items": {**TEXT, "default": "x"}}),
        "open#/a",
        '["x"]',
    ),
    "groups": (required(a={**SOME, "items": required(t=SOME, u=TEXTS)}), "open#/a", '[{"t":[""]}]'),
    "a reference": (
        required({"L": TEXTS}, a={"allOf": [{"$ref": "#/definitions/L"}, {"minItems": 1}]}),
        "open#/a",
        '[""]',
    ),
    "any of several bounds": (
        required(a={**TEXTS, "anyOf": [{"minItems": 1}, {"minItems": 3}]}),
        "open#/a",
        '[""]',
    ),
    "an item of some kind": (required(a={**TEXTS, "contains": TEXT}), "open#/a", '[""]'),
    "an alternative": (required(a={"anyOf": [SOME, TEXT]}), "open#/a;0", '[""]'),
    "a condition": (
        {**required(a=TEXTS), "if": {}, "then": {"properties": {"a": {"minItems": 1}}}},
        "open#/a",
        '[""]',
    ),
    "items of any type": (required(a={"type": "array", "minItems": 1}), "open#/a;0", '[""]'),
    "lists": (required(a={**SOME, "items": SOME}), "open#/a", '[[""]]'),
    "a part of a group": (required(a=required(b=SOME, c=required(d=SOME))), "open#/a", '{"b":[""],"c":{"d":[""]}}'),
    "an alternative in a group": (required(a=required(b={"anyOf": [SOME, TEXT]})), "open#/a", '{"b":[""]}'),
    "a part of a row": (required(a={"type": "array", "items": required(b=SOME)}), "add#/a", '[{"b":[""]}]'),
    "a row that may be text": (required(a={**SOME, "items": {"anyOf": [SOME, TEXT]}}), "open#/a", '[[""]]'),
    "positions": (
        required(a={"type": "array", "items": [TEXT, SOME], "minItems": 2}),
        "open#/a",
        '["",[""]]',
    ),
    "more than positions": (
        required(a={"type": "array", "items": [TEXT], "additionalItems": TEXT, "minItems": 3}),
        "open#/a",
        '["","",""]',
    ),
    "a list of itself": (
        required({"L": {**SOME, "items": {"$ref": "#/definitions/L"}}}, a={"$ref": "#/definitions/L"}),
        "open#/a",
        "[[]]",
    ),
    "a group that needs some of itself": (
        required({"G": required(g={**SOME, "items": {"$ref": "#/definitions/G"}})}, a={"$ref": "#/definitions/G"}),
        "open#/a",
        "{}",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("schema", "button", "value"), NEEDED.values(), ids=NEEDED)
def test_a_list_is_added_with_the_items_that_it_needs_or_one(
    schema: Json, button: str, value: str
) -> None:
    form = forms_of(schema).form_json("{}")
    assert form.submit(entries(form.render())).text == "{}"
    added = pressed(form, button)
    expected = {"a": json.loads(value.replace("'", '"'))}
    assert added.data == expected
    assert form.submit(entries(added.render())).data == expected


@pytest.mark.parametrize(
    ("schema", "button", "row", "without"),
    [
        (required(a=SOME), "open#/a", "/a/+1", '{"a":[]}'),
        (required(a=required(b=SOME)), "open#/a", "/a/b/+1", '{"a":{"b":[]}}'),
        (required(a={**SOME, "items": SOME}), "open#/a", "/a/+1/+1", '{"a":[[]]}'),
        (required(a={**SOME, "items": required(b=SOME)}), "open#/a", "/a/+1/b/+1", '{"a":[{"b":[]}]}'),
        (required(a={"anyOf": [SOME, TEXT]}), "open#/a;0", "/a;0/+1", '{"a":[]}'),
        (required(a={"anyOf": [SOME, {"type": "array", "items": [TEXT]}]}), "open#/a;0", "/a;0/+1", '{"a":[]}'),
    ],
)  # fmt: skip
def test_a_needed_item_can_be_removed_and_restored_and_is_not_added_again(
    schema: Json, button: str, row: str, without: str
) -> None:
    form = forms_of(schema).form_json("{}")
    added = form.submit(entries(form.render(), press=button))
    removed = form.submit(entries(added.form.render(), press=f"remove#{row}")).form
    for _ in range(3):
        checked = form.submit(entries(removed.render(), press="check"))
        assert checked.text == without
        removed = checked.form
    restored = form.submit(entries(removed.render(), press=f"restore#{row}"))
    assert restored.text == added.text


def test_what_was_typed_into_a_list_that_is_not_set_comes_back_with_it() -> None:
    form = forms_of(required(a=SOME)).form_json("{}")
    typed = {"order#/a": "+1,+2", "#/a/+2": "x", "state#/a": "unset", "do": "open#/a"}
    assert form.submit(typed).data == {"a": ["", "x"]}


def test_null_becomes_a_list_with_the_items_that_it_needs() -> None:
    form = forms_of(required(a={**SOME, "type": ["array", "null"]})).form_json('{"a":null}')
    assert form.submit(entries(form.render(), press="open#/a")).data == {"a": [""]}


def test_an_alternative_that_is_chosen_has_its_constants_and_defaults() -> None:
    form = FORMS.form_json("{}")
    assert form.submit({"kind#/kind": "1"}).data == {"kind": {"kind": "b", "n": 7}}
    assert form.submit({"#/kind;0/t": "x"}).data == {"kind": {"kind": "a", "t": "x"}}


def test_a_new_member_begins_with_its_default() -> None:
    form = FORMS.form_json('{"map": {}}')
    added = pressed(form, "add#/map")
    assert added.submit({**dict(entries(added.render())), "name#/map/+1": "k"}).data == {
        "map": {"k": {"w": 3}}
    }


NAMED: Final = forms_of(
    {
        "properties": {"x": {"type": "string"}},
        "patternProperties": {"^[a-z]{2}$": GROUP, "^n_": {"type": "integer"}},
        "additionalProperties": {"type": "string"},
    }
)


@pytest.mark.parametrize(
    ("typed", "data"),
    [
        ({"name#/+1": "de"}, {"de": {"w": 3}}),
        ({"name#/+1": "de", "#/+1/w": "5"}, {"de": {"w": 5}}),
        ({"name#/+1": "n_x", "#/+1": "5"}, {"n_x": 5}),
        ({"name#/+1": "other", "#/+1": "5"}, {"other": "5"}),
        ({"name#/+1": "de", "#/+1": "typed before"}, {"de": "typed before"}),
    ],
)
def test_a_new_member_has_the_field_of_the_pattern_of_its_name(typed: Json, data: Json) -> None:
    submission = NAMED.form({}).submit({"order#": "+1", **typed})
    assert submission.data == data

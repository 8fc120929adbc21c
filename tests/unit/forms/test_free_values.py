"""Free objects, lists and values: fields with a type, JSON on demand, and names that are offered."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

from tests.browsing import buttons, entries
from tests.posting import forms_of
from widgetschema import Form, Submission, WidgetType
from widgetschema.forms.fields.field_specs import MAX_FREE_PARTS
from widgetschema.forms.fields.member_names import style_names

Json = Any
FREE: Final = forms_of({"type": "object"})
# What is hard to keep: spellings, white space, names.
HARD: Final = (
    '{ "__proto__":1.0,\r\n\t"":1e2, "a/b~" :{"x":[ -0,null, true,"\\u00e9\\/"]},"é\\n":"#fff8",'
    '"var":"var(--x)" ,"\\u0000":{}, "e":[ ] }'
)


def edited(form: Form, press: str | None = None, **typed: str) -> Form:
    """The form that comes back for what was typed, by the names of the controls."""
    return posted(form, typed, press).form


def posted(form: Form, typed: dict[str, str], press: str | None = None) -> Submission:
    pairs = [(name, value) for name, value in entries(form.render()) if name not in typed]
    return form.submit([*pairs, *typed.items(), *([("do", press)] if press else [])])


def data_after(form: Form, typed: dict[str, str], press: str | None = None) -> Json:
    return posted(form, typed, press).data


def sketch(form: Form) -> list[str]:
    return [f"{field.name} {field.kind}" for field in form if not field.shape.free]


def test_each_type_has_its_field() -> None:
    form = FREE.form_json('{"t":"x","n":1,"b":true,"l":[1],"o":{"a":""},"z":null}')
    assert sketch(form) == [
        "#;0 object",
        "#;0/t;0 text",
        "#;0/n;1 number",
        "#;0/b;2 boolean",
        "#;0/l;3 list",
        "#;0/l;3/0;1 number",
        "#;0/o;4 object",
        "#;0/o;4/a;0 text",
        "#;0/z;5 constant",
    ]


@pytest.mark.parametrize("schema", [{"type": "object"}, {}, True, {"additionalProperties": True}])
def test_what_is_untouched_keeps_its_bytes(schema: Json) -> None:
    form = forms_of(schema).form_json(HARD)
    submission = form.submit(entries(form.render()))
    assert submission.text == HARD
    assert submission.complete


def test_one_edit_changes_one_token() -> None:
    form = FREE.form_json(HARD)
    assert posted(form, {"#;0/%;1": "1e3"}).text == HARD.replace("1e2", "1e3")
    renamed = posted(form, {"name#;0/__proto__": "constructor"}).text
    assert renamed == HARD.replace("__proto__", "constructor")
    removed = posted(form, {}, "remove#;0/__proto__").text
    assert removed == HARD.replace('"__proto__":1.0,\r\n\t', "")


def test_a_new_member_needs_a_name() -> None:
    text = '{"": 1, "a": 2}'
    form = edited(FREE.form_json(text), "add#;0")
    nameless = posted(form, {"#;0/+1;0": "typed"})
    assert (nameless.text, nameless.complete) == (text, False)
    assert [nameless.form.sentence(one) for one in nameless.report] == [
        "Enter a name, or remove this"
    ]
    named = posted(nameless.form, {"name#;0/+1": "b"})
    assert (named.data, named.valid) == ({"": 1, "a": 2, "b": "typed"}, True)
    assert posted(FREE.form_json(text), {"#;0/%;1": "3"}).data == {"": 3, "a": 2}


def test_a_member_is_added_with_a_name_and_a_type() -> None:
    form = edited(FREE.form_json('{"a": 1.0}'), "add#;0")
    typed = {"name#;0/+1": "b", "kind#;0/+1": "1"}
    number = posted(form, typed)
    assert not number.complete
    assert [finding.path for finding in number.report] == ["/b"]
    assert posted(number.form, {"#;0/+1;1": "2"}).text == '{"a": 1.0, "b": 2}'
    assert data_after(form, {**typed, "kind#;0/+1": "4"}) == {"a": 1.0, "b": {}}
    assert data_after(form, {**typed, "kind#;0/+1": "5"}) == {"a": 1.0, "b": None}


@pytest.mark.parametrize("name", ["a", "__proto__", "a/b~", "é\n"])
def test_duplicates_are_refused(name: str) -> None:
    text = json.dumps({"x": 1, name: 2})
    submission = posted(FREE.form_json(text), {"name#;0/x": name})
    assert not submission.complete
    assert submission.text == text
    assert [finding.keyword for finding in submission.report] == ["json.duplicate-member"]


@pytest.mark.parametrize(
    ("value", "kind", "after"),
    [
        ('"12"', 1, "12"),
        ('"1.50"', 1, "1.50"),
        ("1.50", 0, '"1.50"'),
        ("true", 0, '"true"'),
        ('"true"', 2, "true"),
        ('{"a": 1.0}', 6, '{"a": 1.0}'),
        ("[1e2 ,2]", 6, "[1e2 ,2]"),
        ('"x"', 5, "null"),
        ('"x"', 3, "[]"),
        ("[1]", 4, "{}"),
    ],
)
@pytest.mark.parametrize("press", [None, "carry#;0/v;{}"])
def test_a_value_goes_along_to_another_type(
    value: str, kind: int, after: str, press: str | None
) -> None:
    form = FREE.form_json(f'{{"v": {value} }}')
    was = form.root.children[0].children[0].shown.chosen
    submission = posted(form, {"kind#;0/v": str(kind)}, press and press.format(was))
    assert submission.complete
    assert submission.text == f'{{"v": {after} }}'


def test_what_another_type_cannot_hold_comes_back() -> None:
    form = FREE.form_json('{"v": "first"}')
    number = edited(form, **{"#;0/v;0": "second", "kind#;0/v": "1"})
    assert ("#;0/v;0", "second") in entries(number.render())
    assert data_after(number, {"kind#;0/v": "0"}) == {"v": "second"}


def test_what_is_removed_from_the_code_is_not_there_again() -> None:
    form = FREE.form_json('{\n  "a": 1.0,\n  "b": 2\n}\n')
    code = edited(form, "carry#;0", **{"kind#": "1"})
    assert code.root.chosen.shown.text == '{\n  "a": 1.0,\n  "b": 2\n}'
    assert posted(code, {}).text == form.text
    shorter = edited(code, **{"#;1": '{\n  "a": 1.0\n}'})
    back = posted(shorter, {"kind#": "0"}, "carry#;1")
    assert back.text == '{\n  "a": 1.0\n}\n'
    assert sketch(back.form) == ["#;0 object", "#;0/a;1 number"]


def test_what_has_many_parts_is_code_until_somebody_wants_fields() -> None:
    text = json.dumps({f"m{at}": at for at in range(MAX_FREE_PARTS + 1)})
    form = FREE.form_json(text)
    [code] = [field for field in form if not field.shape.free]
    assert (code.kind, code.note) == (
        "json",
        f"Shown as code (JSON), because it has more than {MAX_FREE_PARTS} parts",
    )
    fields = edited(form, "carry#;1", **{"kind#": "0"})
    assert len(fields.root.chosen.children) == MAX_FREE_PARTS + 1
    assert posted(fields, {}).text == text
    assert posted(fields, {"#;0/m7;1": "7.0"}).text == text.replace('"m7": 7', '"m7": 7.0')


def test_a_value_of_another_type_is_code_and_says_so() -> None:
    form = forms_of({"properties": {"o": {"type": "object"}}}).form_json('{"o": "text"}')
    field = form.field("/o")
    assert field is not None
    assert field.chosen.kind == "json"
    assert field.chosen.note.endswith("because another kind of value is expected here")
    assert field.chosen.findings


def test_findings_are_at_the_members() -> None:
    schema = {"type": "object", "propertyNames": {"maxLength": 3}, "maxProperties": 1}
    form = forms_of(schema).form({"abcd": 1, "x": 2})
    found = {field.name: [one.keyword for one in field.findings] for field in form}
    assert found["#;0/abcd;1"] == ["propertyNames"]
    assert found["#;0"] == ["maxProperties"]


def test_additional_members_have_the_fields_of_their_schema() -> None:
    form = forms_of({"additionalProperties": {"type": "integer"}}).form({"a": 1})
    assert [field.kind for field in form] == ["object", "integer"]


def test_an_absent_object_is_added_and_can_be_empty() -> None:
    form = forms_of({"properties": {"o": {"type": "object"}}}).form({})
    assert "open#/o;0" in buttons(form.render())
    opened = posted(form, {}, "open#/o;0")
    assert opened.data == {"o": {}}
    added = posted(opened.form, {}, "add#/o;0")
    assert (added.data, added.complete) == ({"o": {}}, False)  # as long as it has no name
    assert posted(added.form, {"name#/o;0/+1": "a"}).data == {"o": {"a": ""}}


def test_what_two_people_did_is_merged_by_member() -> None:
    base = FREE.form_json('{"a": 1.0, "b": {"c": "x"}, "d": 3}')
    mine = {"#;0/b;4/c;0": "mine", "text#": base.data_text, "base#": base.base}
    pairs = [(name, mine.get(name, value)) for name, value in entries(base.render())]
    theirs = FREE.form_json('{"a": 1e0, "b": {"c": "x", "new": true}}')
    merged = theirs.submit(pairs, on_stale="rebase")
    assert merged.text == '{"a": 1e0, "b": {"c": "mine", "new": true}}'
    both = FREE.form_json('{"a": 1.0, "b": {"c": "theirs"}, "d": 3}').submit(
        pairs, on_stale="rebase"
    )
    assert [conflict.path for conflict in both.conflicts] == ["/b/c"]


def test_a_ui_description_can_ask_for_json_alone() -> None:
    type = WidgetType.from_data_schema({"properties": {"o": {"type": "object"}}}, id="x")
    form = type.form({"o": {"a": 1}}, ui={"/o": {"kind": "json", "label": "Options"}})
    assert [(field.kind, field.label) for field in form][1:] == [("json", "Options")]


# Names


@pytest.mark.parametrize(
    ("schema", "data", "offered"),
    [
        ({"propertyNames": {"enum": ["b", "a"]}}, {"a": 1, "z": 1}, ["b"]),
        ({"examples": [{"a": 1, "c": 2}, ["d"], 5]}, {"z": 1}, ["a", "c", "d"]),
        ({"default": {"q": 1}}, {"z": 1}, ["q"]),
        ({"default": {"q": 1}}, {"q": 1}, []),
        ({}, {"z": 1}, []),
    ],
)
def test_names_are_offered_where_one_is_typed(schema: Json, data: Json, offered: list[str]) -> None:
    markup = forms_of({"type": "object", **schema}).form(data).render()
    options = [one.split('"')[0] for one in markup.split('<option value="')[1:]]
    assert [one for one in options if not one.isdecimal()] == offered
    assert ("list=" in markup) is bool(offered)


def test_known_names_are_said_in_words() -> None:
    form = forms_of({"properties": {"style": {"type": "object"}}}).form(
        {"style": {"fontSize": 1, "odd": 2}}
    )
    labels = {field.path: field.label for field in form}
    assert labels["/style/fontSize"] == "Font size"
    assert labels["/style/odd"] == "odd"
    markup = form.render()
    assert '<details class="ws-more" name="more"><summary id="ws-style_k0-fontSize:more"' in markup
    assert data_after(form, {"name#/style;0/fontSize": "lineHeight"}) == {
        "style": {"lineHeight": 1, "odd": 2}
    }


@pytest.mark.parametrize("value", ["#fff8", "var(--x)", "12px", "#123456", "rgb(1 2 3 / 50%)"])
def test_colours_have_a_picker_and_stay_as_they_are(value: str) -> None:
    form = forms_of({"type": "object", "title": "Styles"}).form({"backgroundColor": value})
    assert form.root.chosen.children[0].chosen.kind == "colour"
    assert form.submit(entries(form.render())).text == form.text


@pytest.mark.parametrize(
    ("control", "title", "members", "is_style", "first"),
    [
        ("#/title", "Title", [], False, ""),
        ("#/styles/title", "Title", [], True, "color"),
        ("#/x;0/cardStyle", "", [], True, "color"),
        ("#/x", "Style of the card", ["odd"], True, "color"),
        ("#/x", "", ["fontSize", "other"], True, "color"),
        ("#/x", "", ["font-size"], True, "color"),
        ("#/x", "", ["fontSize", "a", "b"], False, ""),
        ("#/image", "", ["width", "height"], False, ""),
        ("#/x", "", [], False, ""),
    ],
)
def test_styles_are_known_by_their_names(
    control: str, title: str, members: list[str], is_style: bool, first: str
) -> None:
    found = style_names(control, title, members)
    assert bool(found) is is_style
    assert (found or ("",))[0] == first
    assert ("font-size" in found) is ("font-size" in members)


def test_a_text_of_a_type_that_was_left_comes_back_after_the_form_has_changed() -> None:
    """The page was made again of a draft in which the value is of the other type."""
    rule = {"if": {"required": ["on"]}, "then": {"properties": {"more": {"type": "string"}}}}
    schema = {"type": "object", "properties": {"on": {"type": "boolean"}}, **rule}
    form = forms_of(schema).form({"free": "x"})
    field = form.field("/free")
    assert field is not None
    kinds = [one.shape.kind for one in field.children]
    words, flag = str(field.shown.chosen), str(kinds.index("boolean"))
    posts: list[dict[str, str]] = [
        {f"#/free;{words}": "typed", "#/on": "true"},
        {"kind#/free": flag},
        {f"#/free;{flag}": "false", "#/on": "unset"},
        {"#/on": "true"},
        {"kind#/free": words},
    ]
    page = form
    for edits in posts:
        pairs = [pair for pair in entries(page.render()) if pair[0] not in edits]
        page = form.submit([*pairs, *edits.items()]).form
    assert page.data == {"free": "typed", "on": True}

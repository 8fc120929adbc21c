"""Stale forms: their data or their controls mean something else; nothing typed is lost."""

from __future__ import annotations

import copy
import json
import pickle
import re
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.browsing import Pairs, buttons, edited, entries
from tests.effort import calls, scaled
from tests.laid_out import Array, Object, Shape, texts
from tests.posting import as_shown as controls_of
from tests.posting import cases, forms_of
from tests.properties.test_forms_lossless import edits
from widgetschema import StaleForm, WidgetType
from widgetschema.forms import Form, Submission
from widgetschema.forms.conflicts import choice_names
from widgetschema.jsontext.digests import is_same_value, value_digest
from widgetschema.jsontext.tree import Element, parse

SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "title": {"type": "string"},
        "count": {"type": "number"},
        "size": {"enum": ["small", "big"]},
        "on": {"type": "boolean"},
        "rows": {"type": "array", "items": {"$ref": "#/definitions/row"}},
        "free": {},
        "map": {"type": "object", "additionalProperties": {"type": "number"}},
        "what": {"oneOf": [{"type": "string"}, {"type": "number"}]},
    },
    "definitions": {"row": {"type": "object", "properties": {"a": {"type": "string"}}}},
}
TITLED: Final = {"type": "object", "properties": {"title": {"type": "string"}}}
TEXT: Final = (
    '{"title": "A", "count": 1, "size": "small", "on": true, "rows": [{"a": "x"}, {"a": "y"}], '
    '"free": {"n": 100, "m": [1]}, "map": {"p": 1, "q": 2.50}, "what": "w", "count2": 1e400}'
)
TYPE: Final = WidgetType.from_schema({"properties": {"data": TITLED}}, id="made-up")
FEW: Final = settings(max_examples=scaled(60), suppress_health_check=list(HealthCheck))


def as_shown(form: Form) -> Pairs:
    return [*controls_of(form), ("text#", form.data_text)]


def form_of(text: str = TEXT, schema: Any = SCHEMA, **options: Any) -> Form:
    return forms_of(schema).form_json(text, **options)


def changed(place: str, value: Any) -> Any:
    """Return the schema with another value at a place; None removes it."""
    schema = copy.deepcopy(SCHEMA)
    *around, last = place.split("/")
    at: Any = schema
    for step in around:
        at = at[int(step)] if isinstance(at, list) else at[step]
    at[last] = value
    return schema


@pytest.mark.parametrize(
    "schema",
    [
        changed("title", "Everything"),
        changed("properties/title/title", "Headline"),
        changed("properties/title/description", "Above."),
        changed("properties/count/default", 3),
        changed("properties/count/x-order", 3),
        changed("definitions/row/title", "Row"),
        changed("definitions/other", {"type": "string"}),
        changed("properties/what/oneOf/0/title", "Words"),
        dict(reversed(SCHEMA.items())),
        changed("properties", dict(reversed(SCHEMA["properties"].items()))),
    ],
)
def test_a_schema_that_says_the_same_makes_no_form_stale(schema: Any) -> None:
    pairs = edited(entries(form_of().render()), "#/title", "B")
    assert form_of(schema=schema).submit(pairs).text == TEXT.replace('"A"', '"B"')


@pytest.mark.parametrize(
    "schema",
    [
        changed("properties/size/enum", ["big", "small"]),
        changed("properties/what/oneOf", SCHEMA["properties"]["what"]["oneOf"][::-1]),
        changed("properties/title/type", "number"),
        changed("definitions/row/properties/a/type", "number"),
        changed("properties/on", {"const": True}),
        changed("properties/on", {"const": {"title": "a"}}),
        changed("dependencies", {"title": ["count"]}),
        changed("required", ["title"]),
        changed("properties/rows/uniqueItems", True),
    ],
)
def test_a_schema_that_says_something_else_does(schema: Any) -> None:
    pairs = edited(entries(form_of().render()), "#/title", "B")
    with pytest.raises(StaleForm) as error:
        form_of(schema=schema).submit(pairs)
    assert error.value.fields["#/title"] == ["B"]
    assert error.value.form.field("/title").shown.text == "B"
    assert error.value.form.text == TEXT


def test_constants_that_are_objects_are_told_apart() -> None:
    one, other = (
        form_of("{}", {"properties": {"a": {"const": {"title": title}}}}) for title in ("a", "b")
    )
    assert one.base != other.base


@pytest.mark.parametrize(
    "ui", [{"/title": {"label": "Headline"}}, {"/size": {"choices": {"small": "S"}}}]
)
def test_labels_make_no_form_stale(ui: Any) -> None:
    assert not form_of(ui=ui).submit(entries(form_of().render())).changed


RESPELLED: Final = (
    TEXT.replace(" ", "\n  "),
    TEXT.replace('"title"', '"t\\u0069tle"').replace('"A"', '"\\u0041"'),
    TEXT.replace(": 1,", ": 1.0,").replace("100", "1e2").replace("2.50", "2.5"),
    TEXT.replace('"p": 1, "q": 2.50', '"q": 2.50, "p": 1'),
    json.dumps(dict(sorted(json.loads(TEXT).items()))).replace("Infinity", f"1{'0' * 400}"),
)


@pytest.mark.parametrize("now", RESPELLED)
def test_a_text_that_is_respelled_makes_no_form_stale(now: str) -> None:
    """The edit goes into the text of now, whose spelling stays."""
    pairs = entries(form_of().render())
    submission = form_of(now).submit(pairs)
    assert submission.text == now
    assert not submission.changed
    pairs = edited(edited(pairs, "#/title", "B"), "#/map/p", "7")
    text = form_of(now).submit(pairs).text
    assert text != now
    expected = form_of(now).submit({"#/title": "B", "#/map/p": "7"})
    assert text == expected.text
    assert parse(text).root.value == {
        **parse(now).root.value,
        "title": "B",
        "map": {"p": 7, "q": 2.5},
    }


def test_an_empty_control_takes_no_value_away_under_another_name() -> None:
    """One for JSON, whose member has got the name of a group that was removed."""
    group = {"type": "object", "properties": {"v": {"type": "string"}}}
    factory = forms_of({"properties": {"a": group}})
    page = factory.form_json(r'{"a": {"v": "x"}, ".": "\u0000"}')
    edits = {"state#/a": "unset", "name#/.": "a", "#/.;0": ""}
    pairs = [(name, edits.get(name, value)) for name, value in entries(page.render())]
    now = factory.form_json(r'{".": "\u0000", "a": {"v": "x"}}')
    assert page.submit(pairs).data == now.submit(pairs).data == {"a": "\0"}


def test_members_that_are_added_to_a_respelled_text_stay() -> None:
    pairs = entries(form_of().render())
    pairs = [*edited(pairs, "order#/map", "p,q,+1"), ("#/map/+1", "3"), ("name#/map/+1", "r")]
    now = TEXT.replace('"p": 1, "q": 2.50', '"q": 2.50, "p": 1')
    expected = now.replace('"q": 2.50, "p": 1', '"q": 2.50, "r": 3, "p": 1')
    assert form_of(now).submit(pairs).text == expected
    removed = edited(entries(form_of().render()), "order#/map", "q")
    assert form_of(now).submit(removed).text == now.replace('"q": 2.50, "p": 1', '"q": 2.50')


PAIR: Final = {"properties": {"x": {"type": "string"}, "y": {"type": "number"}}}


@pytest.mark.parametrize(
    ("schema", "button", "typed"),
    [
        ({"type": "object"}, "add#;0", {"name#;0/+1": "b", "#;0/+1;0": "typed"}),
        ({"additionalProperties": {"type": "string"}}, "add#", {"name#/+1": "b", "#/+1": "typed"}),
        (
            {"additionalProperties": PAIR},
            "add#",
            {"name#/+1": "b", "#/+1/x": "typed", "#/+1/y": "no number"},
        ),
    ],
)
def test_a_new_member_whose_name_is_taken_stays_with_what_was_typed_into_it(
    schema: Any, button: str, typed: dict[str, str]
) -> None:
    factory = forms_of(schema)
    form = factory.form_json('{"a": {"x": "1"}, "b": {}}')
    pairs = as_shown(form.submit({"do": button}).form)
    pairs = [(name, typed.get(name, value)) for name, value in pairs]
    now = factory.form_json('{"a": {"x": "theirs"}, "b": {}}')
    submission = now.submit([*pairs, ("text#", form.data_text)], on_stale="rebase")
    assert not submission.complete
    assert "stale" not in {finding.keyword for finding in submission.report}
    assert typed.items() <= dict(entries(submission.form.render())).items()
    assert submission.text == now.text


@pytest.mark.parametrize(
    "now",
    [
        TEXT.replace('"A"', '"B"'),
        TEXT.replace(": 1,", ": 2,"),
        TEXT.replace("1e400", "1e401"),
        TEXT.replace('{"a": "x"}, {"a": "y"}', '{"a": "y"}, {"a": "x"}'),
        TEXT.replace('"on": true', '"on": "true"'),
        TEXT.replace(', "count2": 1e400', ""),
    ],
)
def test_a_text_of_another_value_does(now: str) -> None:
    with pytest.raises(StaleForm):
        form_of(now).submit(entries(form_of().render()))


def test_what_was_typed_is_shown_again() -> None:
    pairs: Pairs = entries(form_of().render())
    for name, value in (("#/title", "Typed"), ("#/rows/1/a", "row"), ("#/size", "1")):
        pairs = edited(pairs, name, value)
    pairs = edited(pairs, "order#/rows", "0,1,+1")
    pairs += [("#/rows/+1/a", "new"), ("#/count", "soon")]
    pairs = [pair for pair in pairs if pair != ("#/count", "1")]
    now = '{"title": "Other", "rows": [{"a": "z"}], "extra": 5}'
    with pytest.raises(StaleForm) as error:
        form_of(now).submit(pairs)
    form = error.value.form
    assert form.text == now
    assert "was changed by somebody else since" in str(form.report)
    assert "was changed by somebody else since" in form.render()
    assert error.value.fields["#/rows/1/a"] == ["row"]
    again = edited(entries(form.render()), "#/count", "3")
    submission = form_of(now).submit(again)
    assert submission.data == {
        "title": "Typed",
        "rows": [{"a": "z"}, {"a": "row"}, {"a": "new"}],
        "extra": 5,
        "count": 3,
        "size": "big",
    }, "nothing that nobody has edited comes back"


def test_of_a_page_that_does_not_say_its_text_all_is_shown_again() -> None:
    pairs = edited(entries(form_of().render()), "#/title", "Typed")
    with pytest.raises(StaleForm) as error:
        form_of('{"title": "Other"}').submit([one for one in pairs if one[0] != "text#"])
    form = error.value.form
    assert (form.data["title"], form.data["count"]) == ("Typed", 1)
    assert {"1", "2.50"} <= {one.shown.text for one in form if one.is_unread}


def test_choices_are_not_carried_to_another_schema() -> None:
    pairs = edited(edited(entries(form_of().render()), "#/size", "1"), "#/title", "Typed")
    pairs = edited(edited(pairs, "kind#/what", "1"), "#/on", "false")
    with pytest.raises(StaleForm) as error:
        form_of(schema=changed("properties/size/enum", ["big", "small"])).submit(pairs)
    form, data = error.value.form, error.value.form.data
    assert "the form has other fields or rules than when it was shown" in str(form.report)
    assert "not what you chose from lists" in form.render()
    assert "by somebody else" not in form.render()
    assert (data["title"], data["size"], data["what"]) == ("Typed", "small", "w")
    assert data["on"] is False
    assert error.value.fields["#/size"] == ["1"]


AB: Final = {"enum": ["a", "b"]}
STRING: Final = {"type": "string"}
INTEGER: Final = {"type": "integer"}
SEVERAL: Final = {"type": "array", "uniqueItems": True, "items": AB}


def object_of(v: Any) -> Any:
    """Return the schema of objects with rows, each with `v`, and a title."""
    row = {"type": "object", "properties": {"v": v}}
    return {"properties": {"title": STRING, "rows": {"type": "array", "items": row}}}


@pytest.mark.parametrize(
    ("before", "now", "value", "posted", "said"),
    [
        (AB, STRING, "a", "1", "b"),
        (AB, INTEGER, "a", "1", "b"),
        (AB, {"enum": ["b", "a"]}, "a", "1", "b"),
        (AB, {"enum": ["c", "d"]}, "a", "1", "b"),
        (STRING, AB, "a", "TYPED", "TYPED"),
        (STRING, {"type": "boolean"}, "a", "TYPED", "TYPED"),
        (STRING, INTEGER, "a", "77", "77"),
        (INTEGER, STRING, 1, "77", "77"),
        (INTEGER, {"type": ["integer", "string"]}, 1, "QZ8", "QZ8"),
        (INTEGER, {"enum": [1, 2]}, 1, "77", "77"),
        ({"type": "boolean"}, STRING, True, "false", "false"),
        (SEVERAL, {"type": "boolean"}, ["a"], "1", "b"),
        (STRING, {"type": "object"}, "a", "TYPED", "TYPED"),
    ],
)
def test_what_was_typed_for_another_kind_is_said_until_it_is_removed(
    before: Any, now: Any, value: Any, posted: str, said: str
) -> None:
    data = {"title": "A", "rows": [{"v": value}]}
    page = forms_of(object_of(before)).form(data)
    pairs = edited(edited(entries(page.render()), "#/rows/0/v", posted), "#/title", "B")
    present = forms_of(object_of(now)).form(data)
    with pytest.raises(StaleForm) as error:
        present.submit(pairs, on_stale="rebase")
    form = error.value.form
    for _ in range(2):
        assert f'"{said}" was typed for V, which cannot be it now' in str(form.report)
        submission = present.submit(entries(form.render()))
        assert not submission.valid
        assert submission.data == {**data, "title": "B"}
        form = submission.form


@pytest.mark.parametrize(
    ("group", "before", "name"),
    [
        ({"type": "object", "properties": {"v": STRING}}, {"v": "x"}, "#/a/v"),
        ({"type": "array", "items": STRING}, ["x"], "#/a/0"),
    ],
)
def test_what_was_typed_into_a_field_that_is_gone_stays_until_it_is_removed(
    group: Any, before: Any, name: str
) -> None:
    factory = forms_of({"properties": {"a": group}})
    pairs = edited(entries(factory.form({"a": before}).render()), name, "TYPED")
    present = factory.form({"a": "s"})
    for left_out in ("", "text#"):
        with pytest.raises(StaleForm) as error:
            present.submit([pair for pair in pairs if pair[0] != left_out])
        form = error.value.form
        assert '"TYPED" was typed for' in str(form.report)
        for _ in range(2):
            posted = entries(form.render())
            submission = present.submit(posted)
            assert (submission.complete, submission.text) == (False, present.text)
            assert '"TYPED" was typed for' in str(submission.report)
            form = submission.form
        [typed] = [name for name, value in posted if value == "TYPED"]
        assert present.submit(edited(posted, typed, "")).complete


def test_what_nobody_chose_is_not_said_of_another_schema() -> None:
    data = {"title": "A", "rows": [{"v": "a"}]}
    pairs = edited(entries(forms_of(object_of(AB)).form(data).render()), "#/title", "B")
    present = forms_of(object_of(STRING)).form(data)
    with pytest.raises(StaleForm) as error:
        present.submit(pairs, on_stale="rebase")
    submission = present.submit(entries(error.value.form.render()))
    assert (submission.valid, submission.data) == (True, {**data, "title": "B"})


@pytest.mark.parametrize(
    "shape", ["", "x", "0123456789abcdef[1]", '0123456789abcdef{"#/v":{"1":2}}']
)
def test_a_forged_shape_changes_nothing_but_what_is_said(shape: str) -> None:
    page = forms_of({"properties": {"v": AB}}).form({"v": "a"})
    pairs = edited(edited(entries(page.render()), "#/v", "1"), "shape#", shape)
    present = forms_of({"properties": {"v": STRING}}).form({"v": "a"})
    with pytest.raises(StaleForm) as error:
        present.submit(pairs, on_stale="rebase")
    assert error.value.form.data["v"] in ("a", "1")


def test_stale_forms_pickle() -> None:
    with pytest.raises(StaleForm) as error:
        TYPE.form_json("{}").submit(edited(entries(TYPE.form_json(TEXT).render()), "#/title", "B"))
    again = pickle.loads(pickle.dumps(error.value))
    assert again.fields == error.value.fields
    assert again.form.data == error.value.form.data


def otherwise(element: Element) -> Shape:
    """Return the same value with other members first, other escapes and other numbers."""
    if element.kind == "object":
        members = {json.dumps(one.name): otherwise(one.element) for one in element.members}
        return Object(tuple(sorted(members.items(), reverse=True)))
    if element.kind == "array":
        return Array(tuple(map(otherwise, element.items)))
    if element.kind == "string":
        return json.dumps(element.value)
    return f"{element.raw}.0" if element.raw.lstrip("-").isdigit() else element.raw


@FEW
@given(st.data())
def test_an_edit_is_the_same_in_every_spelling(data: st.DataObject) -> None:
    """Editing a respelled text has the result of editing the text that the form was made of."""
    form = data.draw(cases())
    respelled = data.draw(texts(st.just(otherwise(form.tree.root))))
    assert value_digest(parse(respelled).root) == value_digest(form.tree.root)
    now = form.factory.form_json(respelled)
    assert not now.submit(as_shown(form)).changed
    pairs = data.draw(edits(form, as_shown(form)))
    before, after = form.submit(pairs), now.submit(pairs)
    if any(one.keyword == "stale" for one in after.report):
        return  # what was typed into a part that is not set, and has no place in a merge, is said
    if before.complete:  # of two members with the same new name, the first in the text has it
        assert after.complete
        assert is_same_value(before.text, after.text)
        # In the order of the form, which for other members is that of the text.
        assert sorted(one.path for one in before.report) == sorted(one.path for one in after.report)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("1", "1.0", True),
        ("1", "10e-1", True),
        ("-0", "0.0e5", True),
        ("1e400", f"1{'0' * 400}", True),
        ("9" * 5000, "9" * 5000 + ".0", True),
        ("9007199254740993", "9007199254740992", False),
        ("1e400", "1e401", False),
        ("1", "-1", False),
        ("1", '"1"', False),
        ("1e99999999999999999999", "1e99999999999999999998", False),
        ('{"a": 1, "b": [2]}', '{"b":[2.0],"\\u0061":1}', True),
        ("[1, 2]", "[2, 1]", False),
        ('["a", "b"]', '["ab"]', False),
        ("[[]]", "[]", False),
        ("{}", "[]", False),
        ("no", "no", True),
        ("no", "1", False),
    ],
)
def test_values_are_the_same_however_they_are_written(one: str, other: str, same: bool) -> None:
    assert is_same_value(one, other) is same


CHOOSING: Final[dict[str, Any]] = {
    "properties": {
        "rows": {
            "items": {
                "oneOf": [
                    {
                        "type": "object",
                        "properties": {name: {"type": "string"}},
                        "required": [name],
                        "additionalProperties": False,
                    }
                    for name in ("a", "b")
                ],
            },
            "type": "array",
        },
        "title": {"type": "string"},
        "count": {"type": "number"},
    }
}


def test_a_merge_keeps_what_was_typed_into_alternatives_that_are_not_chosen() -> None:
    choosing = WidgetType.from_data_schema(CHOOSING, id="choosing")
    page = choosing.form({"rows": [{"a": "x"}, {"a": "y"}], "title": "A", "count": 1})
    posted = {"base#": page.base, "text#": page.data_text, "#/rows/1;1/b": "draft"}
    rows = [{"a": "new"}, {"a": "x"}, {"a": "y"}]
    now = choosing.form({"rows": rows, "title": "B", "count": 1})

    for edit, conflicts in ({"#/count": "2", "do": "check"}, 0), ({"#/title": "C"}, 1):
        submission = now.submit({**posted, **edit}, on_stale="rebase")
        assert len(submission.conflicts) == conflicts
        draft = submission.form.root.find("#/rows/2;1/b")
        assert draft is not None
        assert draft.shown.text == "draft"
        assert submission.complete
        assert json.loads(submission.text)["rows"] == rows


def test_a_merge_says_which_alternative_is_gone_with_what_was_typed() -> None:
    choosing = WidgetType.from_data_schema(CHOOSING, id="choosing")
    page = choosing.form({"rows": [{"a": "x"}, {"a": "y"}], "title": "A"})
    posted = {"base#": page.base, "text#": page.data_text, "#/rows/1;1/b": "draft"}
    now = choosing.form({"rows": [{"a": "x"}], "title": "A"})
    submission = now.submit({**posted, "#/title": "C"}, on_stale="rebase")
    assert not submission.complete
    assert '"draft" was typed for' in submission.report.findings[0].message


# Posted texts that are not those of a form


def test_a_forged_text_of_many_members_is_not_merged() -> None:
    """The typed text comes back, and nobody waits for a text that no form had."""
    factory = forms_of({"properties": {"title": {"type": "string"}}})
    now = factory.form({"title": "old"})

    page = factory.form({"title": "old", "more": 1})

    def posted(number: int) -> dict[str, str]:
        """The controls of a form, with a text of so many members more."""
        data = {"title": "old", **{f"m{one}": one for one in range(number)}}
        return {"base#": page.base, "text#": json.dumps(data), "#/title": "typed"}

    some, many = posted(1_000), posted(10_100)
    merging = calls(lambda: now.submit(some, on_stale="rebase"))
    assert now.submit(some, on_stale="rebase").data == {"title": "typed"}
    stale: list[StaleForm] = []

    def refused() -> None:
        with pytest.raises(StaleForm) as caught:
            now.submit(many, on_stale="rebase")
        stale.append(caught.value)

    assert calls(refused) < merging / 10
    form = stale[0].form
    assert form.submit(as_shown(form)).data == {"title": "typed"}


# Choices where two people have edited the same


@pytest.mark.parametrize("value", ["v", "typed as well"])
@pytest.mark.parametrize("at", ["", "/map"])
def test_two_names_for_one_member_are_a_choice_between_them(value: str, at: str) -> None:
    """Nothing is kept under both names."""
    schema: Any = {"type": "object", "additionalProperties": {"type": "string"}}

    def around(data: dict[str, str]) -> Any:
        return {"map": data} if at else data

    factory = forms_of({"properties": {"map": schema}} if at else schema)
    page = factory.form(around({"y": "v", "z": "s"}))
    pairs = edited(entries(page.render()), f"name#{at}/y", "AA")
    pairs = edited(pairs, f"#{at}/y", value)
    now = factory.form(around({"BB": "v", "z": "s"}))
    submission = now.submit(pairs, on_stale="rebase")
    [conflict] = submission.conflicts
    assert (conflict.mine, conflict.theirs) == (f'{{"AA": "{value}"}}', '{"BB": "v"}')
    name, mine, theirs = choice_names(conflict)
    shown = entries(submission.form.render())
    for side, members in ((mine, {"AA": value, "z": "s"}), (theirs, {"BB": "v", "z": "s"})):
        kept = now.submit([*shown, (name, side)], on_stale="rebase")
        assert (kept.valid, kept.data) == (True, around(members))
        assert not kept.conflicts


@pytest.mark.parametrize("at", ["", "/map"])
def test_an_edit_of_a_member_that_another_has_renamed_is_a_choice_between_them(at: str) -> None:
    schema: Any = {"type": "object", "additionalProperties": {"type": "string"}}

    def around(data: dict[str, str]) -> Any:
        return {"map": data} if at else data

    factory = forms_of({"properties": {"map": schema}} if at else schema)
    page = factory.form(around({"y": "v", "z": "s"}))
    pairs = edited(entries(page.render()), f"#{at}/y", "mine")
    now = factory.form(around({"BB": "v", "z": "s"}))
    submission = now.submit(pairs, on_stale="rebase")
    [(name, mine, theirs)] = map(choice_names, submission.conflicts)
    shown = entries(submission.form.render())
    for side, members in ((mine, {"y": "mine", "z": "s"}), (theirs, {"BB": "v", "z": "s"})):
        kept = now.submit([*shown, (name, side)], on_stale="rebase")
        assert (kept.valid, kept.data) == (True, around(members))


@pytest.mark.parametrize(
    ("edits", "theirs", "mine"),
    [
        ({"name#/a": "x"}, {"b": "2"}, {"x": "1", "b": "2"}),
        ({"name#/a": "x"}, {"a": "1", "b": "2", "x": "9"}, {"b": "2", "x": "1"}),
        ({"order#": "b"}, {"x": "1", "b": "2"}, {"b": "2"}),
        ({"name#/a": "b", "name#/b": "a"}, {"a": "3", "b": "2"}, {"a": "2", "b": "1"}),
        ({"name#/a": "b", "name#/b": "c"}, {"a": "1", "b": "4"}, {"b": "1", "c": "2"}),
        ({"#/a": "5"}, {"a": "2", "b": "1"}, {"a": "5", "b": "2"}),
    ],
)
def test_renamed_members_hold_as_one_of_both_has_them(
    edits: dict[str, str], theirs: Any, mine: Any
) -> None:
    """Neither drops or doubles a value; the conflict says all names, and stays open until then."""
    factory = forms_of({"type": "object", "additionalProperties": {"type": "string"}})
    pairs = entries(factory.form({"a": "1", "b": "2"}).render())
    for name, value in edits.items():
        pairs = edited(pairs, name, value)
    now = factory.form(theirs)
    submission = now.submit(pairs, on_stale="rebase")
    shown = entries(submission.form.render())
    [conflict] = now.submit(shown, on_stale="rebase").conflicts
    assert json.loads(str(conflict.mine or "{}")).items() <= mine.items()
    assert json.loads(str(conflict.theirs or "{}")).items() <= theirs.items()
    name, *sides = choice_names(conflict)
    for side, members in zip(sides, (mine, theirs), strict=True):
        kept = now.submit([*shown, (name, side)], on_stale="rebase")
        assert (kept.valid, kept.data) == (True, members)


def test_a_conflict_of_renamed_members_shows_no_secret() -> None:
    secret = {"type": "string", "writeOnly": True}
    factory = forms_of({"patternProperties": {"^s": secret}, "additionalProperties": {}})
    pairs = edited(entries(factory.form({"a": "1"}).render()), "name#/a", "s1")
    submission = factory.form({"a": "1", "s1": "HUSH"}).submit(pairs, on_stale="rebase")
    [conflict] = submission.conflicts
    assert conflict.is_secret
    assert "HUSH" not in submission.form.render()


@pytest.mark.parametrize(
    ("edits", "theirs", "both"),
    [
        ({"order#/t": "2,3"}, ["a", "m1", "m3"], ["a", "m3"]),
        ({"#/t/2": "M"}, ["a", "m3", "m1", "m2"], ["a", "m3", "m1", "M"]),
        ({"order#/t": "3,1,2", "#/t/1": "M"}, ["a", "m1", "m2", "m3", "n"], ["a", "m3", "n", "M", "m2"]),
        ({"order#/t": "2,1,3"}, ["A", "m2", "m1", "m3"], ["A", "m2", "m1", "m3"]),
        ({"order#/t": "1,2,3,+1", "#/t/+1": "mine"}, ["a", "m1", "m3", "n"], ["a", "m1", "m3", "n", "mine"]),
    ],
)  # fmt: skip
def test_additional_items_of_a_tuple_are_merged_like_those_of_a_list(
    edits: dict[str, str], theirs: list[str], both: list[str]
) -> None:
    texts = {"type": "string"}
    tuple_of_texts = {"type": "array", "items": [texts], "additionalItems": texts}
    factory = forms_of({"properties": {"t": tuple_of_texts}})
    page = factory.form({"t": ["a", "m1", "m2", "m3"]})
    pairs = dict(entries(page.render())) | edits
    submission = factory.form({"t": theirs}).submit(pairs, on_stale="rebase")
    assert not submission.conflicts
    assert submission.data == {"t": both}


def test_a_text_that_is_kept_beside_the_values_hides_none_of_them() -> None:
    """It is back in its field only if nobody has entered a value there meanwhile."""
    group = {"type": "object", "properties": {"x": {"type": "number"}}}
    schema = {
        "type": "object",
        "properties": {"kind": {"enum": ["group", "list"]}},
        "if": {"properties": {"kind": {"const": "group"}}},
        "then": {"properties": {"e": group}},
        "else": {"properties": {"e": {"type": "array", "items": {"type": "number"}}}},
    }
    factory = forms_of(schema)

    def posted(now: Any, form: Form, **controls: str) -> Submission:
        pairs = dict(entries(form.render())) | controls
        return factory.form(now).submit(pairs, on_stale="rebase")

    def beside(form: Form) -> list[str]:
        return [one.shown.text for one in form if one.is_unread]

    first = factory.form({"kind": "group", "e": {}})
    kept = posted(first.data, first, **{"#/e/x": "abc", "#/kind": "1"})
    assert (kept.data, beside(kept.form)) == ({"kind": "list", "e": {}}, ["abc"])
    back = posted(first.data, kept.form, **{"#/kind": "0"})
    assert beside(back.form) == []
    assert back.form.root.find("#/e/x").shown.text == "abc"  # type: ignore[union-attr]
    later = {"kind": "group", "e": {"x": 7}}
    merged = posted(later, kept.form)
    shown = posted(later, merged.form, **{"#/kind": "0"})
    assert not shown.conflicts
    assert shown.form.root.find("#/e/x").shown.text == "7"  # type: ignore[union-attr]
    assert (shown.data, beside(shown.form)) == (later, ["abc"])
    (control,) = [one.name for one in shown.form if one.is_unread]
    done = posted(later, shown.form, **{control: ""})
    assert (done.valid, done.data) == (True, later)


def test_what_was_typed_as_an_alternative_that_is_left_stays_when_a_conflict_is_found() -> None:
    """The text was in the data of the page: no control of the next form has it."""
    text, number = {"type": "string"}, {"type": "number"}
    branches = [
        {"type": "object", "properties": {"k": {"const": "1"}, "v": text}},
        {"type": "object", "properties": {"v": text, "w": number}},
    ]
    item = {"anyOf": [{"oneOf": branches}, number]}
    groups = {"type": "array", "items": {"type": "object", "properties": {"n": number}}}
    either = {"anyOf": [{}, {"type": "array", "items": item}, groups]}
    factory = forms_of({"type": "object", "properties": {"o": {"type": "string"}, "e": either}})
    data = {"o": "old", "e": [1, {"v": "x"}]}
    form = factory.form(data)
    posts: list[tuple[Any, dict[str, str]]] = [
        ({"k": "theirs"}, {"#/o": "mine", "#/e;0": '"TYPED"', "open#/e;1": "1"}),
        ({"k": "theirs"}, {"kind#/e": "1"}),
        ({"k": "theirs", "o": "later"}, {"kind#/e": "2", "kind#/e;1/0": "0"}),
    ]
    for more, controls in posts:
        now = factory.form({**data, **more})
        pairs = dict(entries(form.render())) | controls
        form = now.submit(pairs, on_stale="rebase").form
        said = " ".join([*(one.shown.text for one in form), str(form.report)])
        assert "TYPED" in said
    assert form.conflicts


def test_texts_kept_for_rows_that_others_removed_are_all_there() -> None:
    """They are no edits of the rows that have the same numbers now."""
    group = {"type": "object", "properties": {"n": {"type": "number"}}}
    factory = forms_of({"properties": {"rows": {"type": "array", "items": group}}})
    page = factory.form({"rows": [{"n": 1}, {"n": 2}]})
    pairs = edited(entries(page.render()), "#/rows/0/n", "first")
    form = page.submit(edited(pairs, "#/rows/1/n", "second")).form
    for rows in ([{"n": 2}], [], [{"n": 9}]):
        submission = factory.form({"rows": rows}).submit(entries(form.render()), on_stale="rebase")
        form = submission.form
        assert not submission.conflicts
        assert submission.data == {"rows": rows}
        shown = " ".join(one.shown.text for one in form if one.is_unread or one.kind == "number")
        assert {"first", "second"} <= {*re.findall(r"\w+", shown)}
    assert "9" in [one.shown.text for one in form]


def test_what_is_taken_back_while_a_conflict_is_open_overrules_nobody() -> None:
    """A row that was removed, and restored as it was, is as the others have it now."""
    factory = forms_of({"properties": {"rows": {"type": "array", "items": {"type": "string"}}}})
    page = factory.form({"rows": ["a", "b"]})
    removed = [*entries(page.render(), press="remove#/rows/0")]
    now = factory.form({"rows": ["later", "b"]})
    submission = now.submit(removed, on_stale="rebase")
    assert submission.conflicts
    (restore,) = [one for one in buttons(submission.form.render()) if one.startswith("restore")]
    back = now.submit(entries(submission.form.render(), press=restore), on_stale="rebase")
    assert not back.conflicts
    assert back.data == {"rows": ["later", "b"]}
    assert "later" in back.form.render()


def test_what_was_typed_into_a_row_of_the_whole_that_is_gone_stays_until_it_is_removed() -> None:
    factory = forms_of({"type": "array", "items": {"type": "number"}})
    pairs = edited(entries(factory.form([1, 2]).render()), "#/1", "abc")
    now = factory.form([1])
    submission = now.submit(pairs, on_stale="rebase")
    [(name, _, theirs)] = map(choice_names, submission.conflicts)
    submission = now.submit([*entries(submission.form.render()), (name, theirs)], on_stale="rebase")
    for _ in range(2):
        assert (submission.complete, submission.data) == (False, [1])
        assert '"abc" was typed for Data 2' in str(submission.report)
        pairs = entries(submission.form.render())
        submission = now.submit(pairs)
    assert now.submit([(one, "" if value == "abc" else value) for one, value in pairs]).valid


def test_a_secret_that_was_typed_into_a_field_that_is_gone_stays_hidden() -> None:
    secret = {"type": "string", "format": "password"}
    rules: Any = {
        "if": {"properties": {"mode": {"const": "t"}}, "required": ["mode"]},
        "then": {"properties": {"a": {"type": "object", "properties": {"k": secret}}}},
        "else": {"properties": {"a": {"type": "string"}}},
    }
    factory = forms_of({"properties": {"mode": {"type": "string"}}, **rules})
    page = factory.form({"mode": "t", "a": {"k": "old"}})
    pairs = edited(entries(page.render()), "#/a/k", "TYPED")
    now = factory.form({"mode": "u", "a": "z"})
    with pytest.raises(StaleForm) as error:
        now.submit(pairs)
    form = error.value.form
    for _ in range(2):
        pairs = entries(form.render())
        [name] = [name for name, value in pairs if value == "TYPED"]
        assert f'name="{name}"' in form.render()
        assert "TYPED" not in str(form.report)
        submission = now.submit(pairs)
        assert not submission.complete
        form = submission.form
    assert now.submit(edited(pairs, name, "")).valid


TITLES: Final = {
    "properties": {
        "rows": {
            "items": {
                "properties": {"id": {"type": "string"}, "title": {"type": "string"}},
                "type": "object",
            },
            "type": "array",
        }
    }
}


def form_of_rows(*rows: str) -> Form:
    """The form of rows with these ids and titles: "1 old"."""
    found = [dict(zip(("id", "title"), row.split(), strict=True)) for row in rows]
    return form_of(json.dumps({"rows": found}), TITLES)


def rows_of(submission: Submission) -> list[str]:
    return [f"{row['id']} {row['title']}" for row in submission.data["rows"]]


def chosen(form: Form, sides: dict[str, str]) -> Pairs:
    """The controls of a page on which a side is chosen for some of its conflicts, by their paths."""
    found = {one.path: choice_names(one) for one in form.conflicts}
    names = [(found[path], side) for path, side in sides.items()]
    return [
        *entries(form.render()),
        *((name, mine if side == "mine" else theirs) for (name, mine, theirs), side in names),
    ]


def test_a_choice_stays_with_its_row_when_others_move_the_rows() -> None:
    """Two rows with the same old value, and the same new one: only their places tell them apart."""
    pairs = entries(form_of_rows("1 old", "2 old").render())
    for at in (0, 1):
        pairs = edited(pairs, f"#/rows/{at}/title", f"mine{at + 1}")
    asked = form_of_rows("1 theirs", "2 theirs").submit(pairs, on_stale="rebase")
    posted = chosen(asked.form, {"/rows/0/title": "mine", "/rows/1/title": "theirs"})

    moved = form_of_rows("2 theirs", "1 theirs").submit(posted, on_stale="rebase")
    assert not moved.conflicts
    assert rows_of(moved) == ["2 theirs", "1 mine1"]
    more = form_of_rows("0 new", "1 theirs", "2 theirs").submit(posted, on_stale="rebase")
    assert rows_of(more) == ["0 new", "1 mine1", "2 theirs"]


def test_a_choice_is_not_taken_for_the_row_that_comes_after_a_removed_one() -> None:
    pairs = entries(form_of_rows("1 old", "1 old", "3 old").render())
    for at in (0, 1):
        pairs = edited(pairs, f"#/rows/{at}/title", f"mine{at + 1}")
    now = form_of_rows("3 old")
    asked = now.submit(pairs, on_stale="rebase")
    assert [one.path for one in asked.conflicts] == ["/rows/0", "/rows/1"]
    once = now.submit(chosen(asked.form, {"/rows/0": "theirs"}), on_stale="rebase")
    [conflict] = once.conflicts
    assert "mine2" in str(conflict.mine)
    done = now.submit(chosen(once.form, {conflict.path: "mine"}), on_stale="rebase")
    assert rows_of(done) == ["1 mine2", "3 old"]


WHOLE: Final = {
    "anyOf": [
        {"type": "object", "properties": {"x": {"type": "number"}}},
        {"type": "string", "maxLength": 3},
        {"type": "boolean"},
    ]
}


@pytest.mark.parametrize("on_stale", ["refuse", "rebase"])
@pytest.mark.parametrize(
    ("schema", "stored", "name", "now"),
    [
        (WHOLE, '{"x": 1}', "#;0/x", "true"),
        (WHOLE, '{"x": 1}', "#;0/x", '"a"'),
        (WHOLE, '{"x": 1}', "#;0/x", "[1]"),
        (WHOLE["anyOf"][0], '{"x": 1}', "#/x", "true"),
        ({"type": "array", "items": {"type": "number"}}, "[1]", "#/0", "null"),
    ],
)
def test_a_text_that_no_field_of_the_whole_can_show_stays_until_it_is_removed(
    schema: Any, stored: str, name: str, now: str, on_stale: Any
) -> None:
    factory = forms_of(schema)
    pairs = edited(entries(factory.form_json(stored).render()), name, "QZ")
    present = factory.form_json(now)
    try:
        form = present.submit(pairs, on_stale).form
    except StaleForm as error:
        form = error.form
    for _ in range(3):
        taken = [(one, theirs) for one, _, theirs in map(choice_names, form.conflicts)]
        submission = present.submit([*entries(form.render()), *taken], "rebase")
        assert (submission.complete, submission.text) == (False, now)
        form = submission.form
        assert "QZ" in dict(entries(form.render())).values()
    pairs = [(one, "" if value == "QZ" else value) for one, value in entries(form.render())]
    assert present.submit(pairs, "rebase").complete


def test_a_text_that_cannot_be_read_takes_back_no_edit_of_others() -> None:
    """The value that others have saved stays below it."""
    pairs = edited(entries(form_of().render()), "#/count", "abc")
    now = form_of(TEXT.replace('"count": 1,', '"count": 7,'))
    with pytest.raises(StaleForm) as error:
        now.submit(pairs)
    pairs = entries(error.value.form.render())
    assert ("#/count", "abc") in pairs
    assert now.submit(pairs).text == now.text
    assert now.submit([*pairs, ("state#/count", "reset")]).data["count"] == 7


@pytest.mark.parametrize("now", ['{"a": "theirs"}', '{"a": ["theirs"]}'])
def test_nobody_takes_back_a_group_that_has_become_something_else(now: str) -> None:
    group = {"type": "object", "properties": {"x": {"type": "string"}, "y": {"type": "string"}}}
    factory = forms_of({"properties": {"a": group}})
    page = factory.form_json('{"a": {"x": "1", "y": "2"}}')
    present = factory.form_json(now)
    with pytest.raises(StaleForm) as error:
        present.submit(edited(entries(page.render()), "#/a/x", "mine"))
    submission = present.submit(entries(error.value.form.render()))
    assert (submission.complete, submission.text) == (False, now)
    assert '"mine" was typed for X' in str(submission.report)


def test_typing_after_the_choice_of_theirs_opens_the_conflict_again() -> None:
    factory = WidgetType.from_data_schema({"properties": {"z": {"type": "string"}}}, id="x")
    now = factory.form_json('{"z": "theirs"}')
    pairs = edited(entries(factory.form_json('{"z": "a"}').render()), "#/z", "mine")
    asked = now.submit(pairs, on_stale="rebase")
    [(name, mine, theirs)] = map(choice_names, asked.conflicts)
    shown = entries(asked.form.render())
    again = now.submit([*edited(shown, "#/z", "by hand"), (name, theirs)], on_stale="rebase")
    assert [one.mine for one in again.conflicts] == ['"by hand"']
    assert dict(entries(again.form.render()))["#/z"] == "by hand"
    assert now.submit([*shown, (name, theirs)], on_stale="rebase").data == {"z": "theirs"}
    typed = now.submit([*edited(shown, "#/z", "by hand"), (name, mine)], on_stale="rebase")
    assert typed.data == {"z": "by hand"}


@pytest.mark.parametrize("rows", [{"items": {"type": "number"}}, {"items": {"type": "object"}}])
def test_what_is_typed_is_told_from_the_row_that_it_was_typed_into(rows: Any) -> None:
    """It may be the text that another row had at this index, before rows were moved."""
    text = {"type": "string"}
    schema = {"properties": {"rows": {"type": "array", "items": text}, "note": text}}
    before, now = '{"rows": ["x", "a"]}', '{"rows": ["x", "a"], "note": "theirs"}'
    pairs = entries(forms_of(schema).form_json(before).render(), press="down#/rows/0")
    merged = forms_of(schema).form_json(now).submit(pairs, on_stale="rebase")
    assert merged.data["rows"] == ["a", "x"]
    pairs = edited(entries(merged.form.render()), "#/rows/0", "x")
    schema = {"properties": {"rows": {"type": "array", **rows}, "note": text}}
    with pytest.raises(StaleForm) as error:
        forms_of(schema).form_json(now).submit(pairs)
    names = [name for name, value in entries(error.value.form.render()) if value == "x"]
    assert any(name.startswith("#/rows/0") for name in names)


@pytest.mark.parametrize("name", ["a", ""])
def test_what_was_typed_into_a_new_member_stays_if_there_is_no_place_for_members(name: str) -> None:
    factory = forms_of({"additionalProperties": {"type": "string"}})
    shown = factory.form_json('{"a": "1"}')
    added = shown.submit(entries(shown.render(), press="add#")).form
    pairs = edited(edited(entries(added.render()), "name#/+1", name), "#/+1", "QZ")
    shown = shown.submit(pairs).form
    now = factory.form_json('"theirs"')
    with pytest.raises(StaleForm) as error:
        now.submit(entries(shown.render()))
    texts = dict(entries(error.value.form.render())).values()
    assert any("QZ" in text for text in texts)


TYPED: Final = {
    "#/g/x": "TYPED",
    "#/g/n": "no number",
    "#/g/s": "hush",
    "#/g/l/1": "row",
    "#/g/new": "added",
}
PARTS: Final = {
    "x": {"type": "string"},
    "n": {"type": "number"},
    "s": {"type": "string", "writeOnly": True},
    "l": {"type": "array", "items": {"type": "string"}},
    "k": {"type": "string"},
    "new": {"type": "string"},
}
STORED: Final = {"x": "1", "n": 2, "s": "secret", "l": ["a", "b"], "k": "kept"}
IN_STEPS: Final = {
    "if": {"properties": {"o": {"const": "more"}}},
    "then": {"properties": {"more": {"type": "string"}}},
}


def posted(now: Form, shown: Form, press: str = "check", **changes: str) -> Submission:
    """Return what becomes of a page that is changed, and posted to the form of the present data."""
    pairs = entries(shown.render(), press=press)
    for name, value in changes.items():
        pairs = edited(pairs, name, value)
    return now.submit(pairs, on_stale="rebase")


@pytest.mark.parametrize("others", [{}, {"k": "theirs"}], ids=["left alone", "edited by others"])
@pytest.mark.parametrize("step", [None, 0, 1], ids=["same fields", "typed first", "removed first"])
@pytest.mark.parametrize("state", ["unset", "null"])
def test_a_stored_group_that_is_taken_away_can_be_restored_with_all_that_was_typed(
    state: str, step: int | None, others: dict[str, str]
) -> None:
    group = {"type": ["object", "null"], "properties": PARTS}
    text = {"type": "string"}
    schema = {"properties": {"o": text, "p": text, "g": group}, **IN_STEPS}
    factory = forms_of(schema)
    shown = form = factory.form({"o": "a", "p": "b", "g": STORED})
    for at, changes in enumerate((TYPED, {"state#/g": state})):
        more = {"#/o": "more"} if at == step else {}
        shown = posted(form, shown, **changes, **more).form
    now = factory.form({"o": "a", "p": "theirs", "g": {**STORED, **others}})
    submission = posted(now, shown)
    data = submission.form.data
    assert (data["p"], data.get("g")) == ("theirs", None)
    for name, _, theirs in map(choice_names, submission.conflicts):
        submission = now.submit([*entries(submission.form.render()), (name, theirs)], "rebase")
    back = posted(now, submission.form, "restore#/g")
    assert not back.complete
    assert "no number" in dict(entries(back.form.render())).values()
    typed = {"x": "TYPED", "s": "hush", "l": ["a", "row"], "new": "added"}
    assert back.data["g"] == {**STORED, **others, **typed}


@pytest.mark.parametrize(
    ("kind", "stored", "name", "typed"),
    [
        ({"anyOf": [{"type": "object", "properties": PARTS}, {"type": "number"}]}, STORED, *one)
        for one in [("#/g;0/x", "TYPED"), ("#/g;0/k", "TYPED")]
    ]
    + [
        ({"type": "array", "items": {"type": "string"}}, ["a", "b"], "#/g/1", "TYPED"),
        ({"type": "array", "items": [{"type": "string"}]}, ["a"], "#/g/0", "TYPED"),
        ({"additionalProperties": {"type": "string"}}, {"k": "a"}, "#/g/k", "TYPED"),
        ({"type": "string"}, "a", "#/g", "TYPED"),
        ({"type": "number"}, 1, "#/g", "77"),
        ({"enum": ["a", "77"]}, "a", "#/g", "1"),
        ({}, "a", "#/g;0", "TYPED"),
    ],
)
def test_what_was_typed_before_it_was_taken_away_comes_back_after_a_merge(
    kind: Any, stored: Any, name: str, typed: str
) -> None:
    factory = forms_of({"properties": {"p": {"type": "string"}, "g": kind}})
    form = factory.form({"p": "b", "g": stored})
    edits = posted(form, form, **{name: typed})
    of_choice = "unset" if "enum" in kind else ""
    place = name.partition("/k")[0].partition("/x")[0].partition("/0")[0].partition("/1")[0]
    states = {f"state{place}": "unset"} if place != name else {name: of_choice}
    gone = posted(form, edits.form, **states)
    now = factory.form({"p": "theirs", "g": stored})
    merged = posted(now, gone.form)
    assert merged.data == {"p": "theirs"}
    [press] = [one for one in buttons(merged.form.render()) if one.startswith("restore")]
    assert posted(now, merged.form, press).data == {**edits.data, "p": "theirs"}


@pytest.mark.parametrize("stored", [{"p": "x"}, {"p": "b", "r": "x"}], ids=["above", "beside"])
def test_what_was_typed_into_a_row_is_told_from_the_text_of_its_own_place(stored: Any) -> None:
    """Another row had the same text at its index, or another field of the same row."""
    text, number = {"type": "string"}, {"type": "number"}
    part = {"type": "object", "properties": {"p": text, "r": text}}

    def rows_of(kind: Any) -> Any:
        row = {"type": "object", "properties": {"v": kind}}
        return {"properties": {"rows": {"type": "array", "items": row}}}

    is_number = {"properties": {"o": {"const": "number"}}}
    either = rows_of({"anyOf": [part, number]})
    schema = {
        "properties": {"o": text, "q": text, "rows": {}},
        "allOf": [
            {"if": is_number, "then": rows_of(number), "else": either},
            {"if": {"properties": {"q": {"const": "more"}}}, "then": {"properties": {"m": text}}},
        ],
    }
    form = forms_of(schema).form({"o": "a", "q": "a", "rows": [{"v": stored}, {"v": {"p": "a"}}]})
    at = 0 if stored == {"p": "x"} else 1
    shown = posted(form, form, "down#/rows/0", **{"#/q": "more"}).form
    shown = posted(form, shown, **{f"#/rows/{at}/v;0/p": "x", "#/q": "less"}).form
    left = {f"kind#/rows/{at}/v": "1", f"#/rows/{at}/v;1": "5", "#/o": "number"}
    submission = posted(form, shown, **left)
    assert submission.data["rows"][at] == {"v": 5}
    assert '"x" was typed for V' in str(submission.report)


@pytest.mark.parametrize("kind", [{"enum": ["a", "b"]}, {"type": "boolean"}])
def test_an_alternative_without_a_value_is_not_set_in_a_conflict(kind: Any) -> None:
    factory = forms_of({"properties": {"v": {"anyOf": [kind, {"type": "number"}]}}})
    shown, now = factory.form({"v": 4}), factory.form({"v": 5})
    [conflict] = posted(now, shown, **{"kind#/v": "0"}).conflicts
    assert (conflict.mine, conflict.theirs) == ('"Not set"', "5")


@pytest.mark.parametrize("now", ["theirs", "mine"], ids=["merged", "same text"])
@pytest.mark.parametrize("more", [{}, {"#/o": "more"}], ids=["same fields", "more fields"])
@pytest.mark.parametrize("stored", [{}, {"v": "a"}])
def test_a_read_only_alternative_can_be_edited_in_a_draft_until_it_is_saved(
    stored: Any, more: dict[str, str], now: str
) -> None:
    fixed, text = {"type": "number", "readOnly": True}, {"type": "string"}
    schema = {"properties": {"o": text, "p": text, "v": {"anyOf": [fixed, text]}}, **IN_STEPS}
    factory = forms_of(schema)
    shown = factory.form({"o": "a", "p": "mine", **stored})
    present = factory.form({"o": "a", "p": now, **stored})
    chosen = {"kind#/v": "0", "#/v;0": "5", **more}
    submission = posted(present, posted(present, shown, **chosen).form)
    assert submission.data["v"] == 5
    again = posted(present, submission.form, **{"#/v;0": "7"})
    assert (again.data["v"], again.ignored) == (7, ())
    assert factory.form(again.data).submit({"#/v;0": "9"}).data == again.data


def test_what_was_typed_for_a_secret_that_others_have_replaced_is_said() -> None:
    """The form of the older text lacks the field, since nobody knows what decided about it."""
    text = {"type": "string"}
    is_open = {"properties": {"key": {"const": "sesame"}}, "required": ["key"]}
    schema = {
        "properties": {"o": text, "key": {**text, "writeOnly": True}},
        "allOf": [{"if": is_open, "then": {"properties": {"inside": text}}}],
    }
    factory = forms_of(schema)
    shown, now = factory.form({"key": "sesame"}), factory.form({"key": "replaced"})
    for typed in ({"#/inside": "TYPED"}, {}):
        submission = posted(now, shown, **typed)
        assert (submission.complete, submission.data) == (False, {"key": "replaced"})
        assert '"TYPED" was typed for Inside' in str(submission.report)
        shown = submission.form


def test_a_text_that_is_kept_beside_the_values_hides_none_that_was_typed_since() -> None:
    members = {"n": {"type": "number"}, "o": {"type": "string"}}
    factory = forms_of({"properties": members})
    shown = factory.form({"n": 1, "o": "a"})
    asked = posted(factory.form({"o": "a"}), shown, **{"#/n": "first"})
    [(name, _, theirs)] = map(choice_names, asked.conflicts)
    pairs = [*entries(asked.form.render()), (name, theirs)]
    shown = factory.form({"o": "a"}).submit(pairs, "rebase").form
    now = factory.form({"o": "theirs"})
    for typed in ({"#/n": "second"}, {}):
        shown = posted(now, shown, **typed).form
        assert {"first", "second"} <= {*dict(entries(shown.render())).values()}


def test_a_new_list_under_the_name_of_a_secret_is_merged_as_one() -> None:
    secret = {"type": "string", "writeOnly": True}
    rows = {"type": "array", "items": {"type": "array", "items": {"type": "string"}}}
    schema = {
        "properties": {"t": {"type": "string"}},
        "patternProperties": {"^p": secret},
        "additionalProperties": rows,
    }
    factory = forms_of(schema)
    form, now = factory.form({"t": "A"}), factory.form({"t": "B"})
    for press in ("add#", "add#/+1", "add#/+1/+1"):
        form = form.submit(entries(form.render(), press=press)).form
    submission = posted(now, form, **{"name#/+1": "pk", "#/+1/+1/+1": "typed"})
    assert (submission.data, submission.conflicts) == ({"t": "B", "pk": [["typed"]]}, ())

"""Fields that depend on what is entered: no edit is lost, however often a page is posted.

A page is posted as it is shown, with a few edits: all its controls come back, those in the HTML or
those of the form. Values are entered by their JSON Pointers, wherever the form has them now.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from json import dumps
from typing import Any, Final

import pytest

from tests.browsing import Pairs, buttons, edited, entries
from tests.posting import active, as_shown, forms_of
from widgetschema import Form, FormError, Submission, WidgetType
from widgetschema.errors import StaleForm, TooManyFields
from widgetschema.forms.conflicts import choice_names
from widgetschema.forms.control_names import RESET, STEPS
from widgetschema.forms.model import CHOICE_KINDS, HOLDER_KINDS, Field
from widgetschema.jsontext import read

Json = Any
Post = Callable[[Form], Pairs]

TEXT: Final[Json] = {"type": "string"}
NUMBER: Final[Json] = {"type": "number"}
FLAG: Final[Json] = {"type": "boolean"}


def by_html(form: Form) -> Pairs:
    return entries(form.render())


WAYS: Final = pytest.mark.parametrize("post", [as_shown, by_html], ids=["controls", "html"])


class Page:
    """The page of a form of a stored text, which is made anew for each post."""

    def __init__(self, schema: Json, text: str, post: Post = by_html) -> None:
        self.factory, self.text, self.post = forms_of(schema), text, post
        self.shown = self.factory.form_json(text)

    def enter(self, values: dict[str, str], press: str = "") -> Submission:
        """Post the page with these values, by JSON Pointer, and show the result."""
        pairs = self.post(self.shown)
        for pointer, value in values.items():
            name, sent = self.control(pointer, value)
            pairs = [*(pair for pair in pairs if pair[0] != name), (name, sent)]
        submission = self.factory.form_json(self.text).submit(
            [*pairs, *([("do", press)] if press else [])]
        )
        self.shown = submission.form
        return submission

    def empty_unread(self) -> Submission:
        """Post the page without the texts that no control of a value can show."""
        names = {one.name for one in self.shown if one.is_unread}
        assert names
        pairs = [(name, "" if name in names else one) for name, one in self.post(self.shown)]
        submission = self.factory.form_json(self.text).submit(pairs)
        self.shown = submission.form
        return submission

    def field(self, pointer: str) -> Field:
        """Return the field with the control of a value, as the page shows it now."""
        fields = [one for one in active(self.shown) if one.path == pointer]
        return next(one for one in fields if one.kind not in HOLDER_KINDS)

    def control(self, pointer: str, value: str) -> tuple[str, str]:
        field = self.field(pointer)
        if field.kind in CHOICE_KINDS and field.kind != "boolean":
            return field.name, next(one.id for one in field.choices if one.value == value)
        return field.name, value

    def has(self, pointer: str) -> bool:
        return any(one.path == pointer for one in active(self.shown))


def object_of(required: tuple[str, ...] = (), **properties: Json) -> Json:
    return {"properties": properties, "required": [*required]}


def typed(schema: Json) -> Json:
    return {"type": "object", **schema}


CARD: Final[Json] = typed(
    {
        **object_of(card=FLAG, name=TEXT),
        "dependencies": {
            "card": {
                "oneOf": [
                    object_of(("number",), card={"const": True}, number=TEXT),
                    object_of(card={"const": False}),
                ]
            }
        },
    }
)
PETS: Final[Json] = typed(
    {
        **object_of(pets={"enum": ["No", "One", "Many"]}, name=TEXT),
        "dependencies": {
            "pets": {
                "oneOf": [
                    object_of(pets={"enum": ["No"]}),
                    object_of(("age",), pets={"enum": ["One"]}, age=NUMBER),
                    object_of(("rid",), pets={"enum": ["Many"]}, rid=FLAG, ages={"items": NUMBER}),
                ]
            }
        },
    }
)


@WAYS
def test_both_values_stay_and_the_dependent_one_is_asked_for(post: Post) -> None:
    page = Page(CARD, "{}", post)
    first = page.enter({"/card": "true", "/name": "Bob"})
    assert first.text == '{"card":true,"name":"Bob"}'
    assert not first.valid
    assert [one.path for one in first.report] == [""]
    assert page.has("/number")
    assert page.enter({}).text == first.text
    last = page.enter({"/number": "55"})
    assert last.data == {"card": True, "name": "Bob", "number": "55"}
    assert last.valid
    assert last.form.text == "{}"  # what is stored


@WAYS
@pytest.mark.parametrize(
    ("pets", "more", "data"),
    [
        ("No", {}, {}),
        ("One", {"/age": "3"}, {"age": 3}),
        ("Many", {"/rid": "true"}, {"rid": True}),
    ],
)
def test_each_of_three_can_be_filled_in(
    post: Post, pets: str, more: dict[str, str], data: Json
) -> None:
    page = Page(PETS, '{\n  "name": "A"\n}\n', post)
    submission = page.enter({"/pets": dumps(pets), "/name": "B"})
    if more:
        assert not submission.valid
        submission = page.enter(more)
    assert submission.valid
    assert submission.data == {"name": "B", "pets": pets, **data}
    assert submission.text.startswith('{\n  "')


@WAYS
def test_the_fields_of_another_answer_stay_in_the_text(post: Post) -> None:
    page = Page(PETS, "{}", post)
    page.enter({"/pets": '"One"'})
    page.enter({"/age": "3"})
    other = page.enter({"/pets": '"Many"'})
    assert other.data == {"pets": "Many", "age": 3}
    assert page.has("/age")
    assert page.enter({"/rid": "true"}).data == {"pets": "Many", "age": 3, "rid": True}
    assert page.enter({"/pets": '"One"'}).data == {"pets": "One", "age": 3, "rid": True}


@WAYS
def test_a_member_that_is_only_required_has_a_field_while_the_other_one_is_there(
    post: Post,
) -> None:
    schema = typed({**object_of(country=TEXT), "dependencies": {"country": ["state", "country"]}})
    page = Page(schema, "{}", post)
    assert [field.path for field in active(page.shown)] == ["", "/country"]
    submission = page.enter({"/country": "USA"})
    assert (submission.data, submission.complete) == ({"country": "USA"}, True)
    [missing] = submission.report
    state = next(field for field in submission.form if missing in field.findings)
    assert (state.path, state.label, state.shape.required) == ("/state", "State", True)
    submission = page.enter({"/state": "NY"})
    assert (submission.data, submission.valid) == ({"country": "USA", "state": "NY"}, True)
    assert page.enter({"/country": ""}).data == {"state": "NY"}


def test_a_member_that_can_have_no_value_has_no_field_although_it_is_required() -> None:
    schema = {**object_of(country=TEXT), "dependencies": {"country": ["state"]}}
    for closed in ({"additionalProperties": False}, {"patternProperties": {"^s": False}}):
        form = WidgetType.from_data_schema({**schema, **closed}, id="a").form({"country": "USA"})
        assert [field.path for field in active(form)] == ["", "/country"]
        assert [finding.keyword for finding in form.report] == ["dependencies"]


@WAYS
@pytest.mark.parametrize("is_typed", [True, False])
def test_the_fields_stay_where_an_answer_requires_what_can_have_no_value(
    post: Post, is_typed: bool
) -> None:
    schema = {**CARD, "additionalProperties": False}
    if not is_typed:
        del schema["type"]
    page = Page(schema, "{}", post)
    refused = page.enter({"/card": "true", "/name": "Bob"})
    assert (refused.data, refused.valid) == ({"card": True, "name": "Bob"}, False)
    assert [field.path for field in active(page.shown)] == ["", "/card", "/name"]
    answered = page.enter({"/card": "false"})
    assert (answered.data, answered.valid) == ({"card": False, "name": "Bob"}, True)


@WAYS
def test_a_row_depends_on_its_own_values(post: Post) -> None:
    page = Page(typed(object_of(rows={"items": CARD})), '{"rows": [{"name": "a"}]}', post)
    page.enter({"/rows/0/card": "true"}, press="add#/rows")
    assert page.has("/rows/0/number")
    page.enter({"/rows/0/number": "1", "/rows/1/card": "true", "/rows/1/name": "b"})
    moved = page.enter({"/rows/1/number": "2"}, press=f"up{row_name(page, 1)}")
    first, second = {"card": True, "name": "a", "number": "1"}, {"card": True, "number": "2"}
    assert moved.data == {"rows": [{**second, "name": "b"}, first]}
    assert page.enter({"/rows/0/number": "3"}).data["rows"][0]["number"] == "3"


def row_name(page: Page, at: int) -> str:
    holder = page.shown.field("/rows")
    assert holder is not None
    return holder.children[at].name


@WAYS
def test_a_condition_and_alternatives_at_one_object(post: Post) -> None:
    schema = typed(
        {
            **object_of(a=TEXT),
            "oneOf": [object_of(("x",), x=TEXT), object_of(("y",), y=NUMBER)],
            "if": object_of(("a",), a={"const": "go"}),
            "then": object_of(("c",), c=TEXT),
        }
    )
    page = Page(schema, '{"x": "1"}', post)
    assert page.enter({"/a": "go", "/x": "2"}).data == {"x": "2", "a": "go"}
    assert page.enter({"/c": "3"}).data == {"x": "2", "a": "go", "c": "3"}
    assert page.enter({"/a": "", "/x": "4"}).data == {"x": "4", "c": "3"}


@WAYS
@pytest.mark.parametrize("word", ["anyOf", "oneOf"])
def test_the_chosen_alternative_stays_chosen(post: Post, word: str) -> None:
    """Also if the text does not tell it, and the form is made of another text meanwhile."""
    schema = typed(
        {
            **object_of(
                v={
                    word: [
                        {**typed(object_of(("x",), x=TEXT))},
                        {**typed(object_of(("y",), y=TEXT))},
                    ]
                }
            ),
            **CARD["properties"].get("", {}),
        }
    )
    schema["properties"] |= CARD["properties"]
    schema["dependencies"] = CARD["dependencies"]
    page = Page(schema, '{"v": {"x": "1"}}', post)
    pairs = [pair for pair in post(page.shown) if pair[0] not in ("kind#/v", "#/card")]
    submission = page.factory.form_json(page.text).submit(
        [*pairs, ("kind#/v", "1"), ("#/card", "true")]
    )
    page.shown = submission.form
    chooser = page.shown.field("/v")
    assert chooser is not None
    assert chooser.shown.chosen == 1
    assert page.has("/number")
    # What was in the first one comes back with it.
    pairs = [
        (n, "0" if n.startswith("kind#") and n.endswith("/v") else v) for n, v in post(page.shown)
    ]
    assert page.factory.form_json(page.text).submit(pairs).data["v"] == {"x": "1"}


@WAYS
def test_one_edit_changes_the_kind_of_another_field(post: Post) -> None:
    schema = typed(
        {
            **object_of(mode={"enum": ["text", "any"]}),
            "if": object_of(("mode",), mode={"const": "any"}),
            "then": object_of(v={"type": ["number", "string"]}),
            "else": object_of(v=TEXT),
        }
    )
    page = Page(schema, '{"mode": "text", "v": "old"}', post)
    assert page.enter({"/mode": '"any"', "/v": "new"}).data == {"mode": "any", "v": "new"}
    assert page.enter({}).data == {"mode": "any", "v": "new"}
    assert page.enter({"/mode": '"text"', "/v": "newer"}).data == {"mode": "text", "v": "newer"}


@WAYS
def test_a_value_stays_that_is_refused_by_the_enum_that_it_brings(post: Post) -> None:
    schema = typed(
        {
            **object_of(v=TEXT, w=TEXT),
            "if": object_of(("v",), v={"minLength": 1}),
            "then": object_of(v={"enum": ["a", "b"]}),
        }
    )
    page = Page(schema, "{}", post)
    refused = page.enter({"/v": "c", "/w": "kept"})
    assert refused.data == {"v": "c", "w": "kept"}
    assert [one.path for one in refused.report] == ["/v"]
    assert page.enter({}).data == {"v": "c", "w": "kept"}
    assert page.enter({"/v": '"a"'}).data == {"v": "a", "w": "kept"}


@WAYS
@pytest.mark.parametrize(
    "needed",
    [
        object_of(b=NUMBER),
        {"allOf": [object_of(b=NUMBER)]},
        {"patternProperties": {"^b": NUMBER}},
        {"anyOf": [object_of(b=NUMBER), object_of(b=NUMBER, d=TEXT)]},
        {"if": object_of(a={"const": "x"}), "then": object_of(b=NUMBER)},
        {"dependencies": {"c": object_of(b=NUMBER)}},
    ],
    ids=dumps,
)
def test_no_edit_is_lost_by_what_a_dependency_brings(post: Post, needed: Json) -> None:
    schema = typed({**object_of(a=TEXT, c=TEXT), "dependencies": {"a": needed}})
    page = Page(schema, '{"b": 1}', post)
    assert page.enter({"/a": "x", "/c": "y"}).data == {"b": 1, "a": "x", "c": "y"}
    assert page.enter({"/b": "2"}).data == {"b": 2, "a": "x", "c": "y"}
    assert page.enter({"/a": "", "/c": "z"}).data == {"b": 2, "c": "z"}


@WAYS
def test_no_edit_is_lost_where_a_dependency_allows_nothing_else(post: Post) -> None:
    needed = {**object_of(b=NUMBER), "additionalProperties": False}
    schema = typed({**object_of(a=TEXT, c=TEXT), "dependencies": {"a": needed}})
    page = Page(schema, '{"b": 1}', post)
    assert page.enter({"/a": "x", "/c": "y"}).data == {"b": 1, "a": "x", "c": "y"}
    assert page.enter({"/b": "2", "/a": ""}).data == {"b": 2, "c": "y"}
    assert page.enter({"/c": "z"}).data == {"b": 2, "c": "z"}


@WAYS
def test_what_cannot_be_read_stays_in_its_field(post: Post) -> None:
    page = Page(typed({**CARD, "properties": {**CARD["properties"], "n": NUMBER}}), "{}", post)
    first = page.enter({"/card": "true", "/n": "abc"})
    assert not first.complete
    assert page.field("/n").shown.text == "abc"
    assert not page.enter({"/number": "1"}).complete
    last = page.enter({"/n": "2"})
    assert last.complete
    assert last.data == {"card": True, "n": 2, "number": "1"}


@WAYS
def test_what_cannot_be_read_and_has_no_field_any_more_is_said(post: Post) -> None:
    page = Page(PETS, '{"pets": "One"}', post)
    submission = page.enter({"/pets": '"No"', "/age": "old"})
    assert submission.data == {"pets": "No"}
    assert not submission.complete
    for _ in range(2):
        assert not submission.complete
        assert ["old" in one.message for one in submission.report] == [True]
        submission = page.enter({})
    assert page.empty_unread().data == {"pets": "No"}
    assert page.enter({}).complete


@WAYS
def test_what_cannot_be_read_is_back_with_its_field(post: Post) -> None:
    page = Page(PETS, '{"pets": "One"}', post)
    page.enter({"/pets": '"No"', "/age": "old"})
    page.enter({"/pets": '"One"'})
    assert page.field("/age").shown.text == "old"
    assert page.enter({"/age": "4"}).data == {"pets": "One", "age": 4}


@WAYS
def test_what_was_typed_into_another_alternative_is_said_until_it_is_emptied(post: Post) -> None:
    is_x = object_of(("mode",), mode={"const": "x"})
    either = object_of(v={"type": ["number", "string"]})
    schema = typed({**object_of(mode=TEXT), "if": is_x, "then": object_of(v=TEXT), "else": either})
    page = Page(schema, '{"v": 3}', post)
    chooser = page.shown.field("/v")
    assert chooser is not None
    other = chooser.children[1 - chooser.shown.chosen].name
    pairs = [pair for pair in post(page.shown) if pair[0] not in (other, "#/mode")]
    submission = page.factory.form_json(page.text).submit([*pairs, (other, "a"), ("#/mode", "x")])
    for _ in range(2):
        assert not submission.complete
        assert ['"a" was typed' in one.message for one in submission.report if not one.path] == [
            True
        ]
        page.shown = submission.form
        submission = page.enter({})
    assert page.empty_unread().complete


INTEGER: Final[Json] = {"type": "integer"}
OTHER_KINDS: Final[list[Json]] = [
    {},
    False,
    {"anyOf": [INTEGER, FLAG]},
    {"type": ["integer", "string"]},
    {"type": ["boolean", "string"]},
    {"type": "object"},
    object_of(q=INTEGER) | {"type": "object"},
    {"type": "array", "items": INTEGER},
    {"type": "array", "items": {"enum": ["a"]}, "uniqueItems": True},
    FLAG,
    {"type": "string", "readOnly": True},
    {"type": "string", "contentEncoding": "base64"},
    {"enum": [1, 2]},
    {"const": 1},
]


@pytest.mark.parametrize("data", ['{"v": 1}', "{}"])
@pytest.mark.parametrize("posts", [1, 2, 0])
@pytest.mark.parametrize("kind", OTHER_KINDS, ids=dumps)
def test_what_cannot_be_read_stays_if_its_field_is_of_another_kind(
    kind: Json, posts: int, data: str
) -> None:
    """In one post, in two, and where somebody else has made the other kind."""
    is_t = object_of(("mode",), mode={"const": "t"})
    other = {"if": is_t, "then": object_of(v=kind), "else": object_of(v=INTEGER)}
    page = Page(typed({**object_of(mode=TEXT), **other}), data)
    if posts == 0:
        now = page.factory.form_json(data.replace("}", ', "mode": "t"}').replace("{,", "{"))
        name, text = page.control("/v", "QZ8")
        pairs = [pair for pair in by_html(page.shown) if pair[0] != name]
        submission = now.submit([*pairs, (name, text)], on_stale="rebase")
        page.text, page.shown = now.text, submission.form
    elif posts == 1:
        submission = page.enter({"/mode": "t", "/v": "QZ8"})
    else:
        page.enter({"/v": "QZ8"})
        submission = page.enter({"/mode": "t"})
    for _ in range(2):
        if submission.data.get("v") == "QZ8":
            return
        assert not submission.complete
        assert any(one.shown.text == "QZ8" for one in page.shown)
        assert any("QZ8" in one.message for one in submission.report)
        submission = page.enter({})


@WAYS
def test_a_removed_row_can_be_restored_although_the_form_changed(post: Post) -> None:
    schema = typed({**CARD, "properties": {**CARD["properties"], "rows": {"items": TEXT}}})
    page = Page(schema, '{"rows": ["a", "b", "c"]}', post)
    removed = page.enter({"/card": "true", "/rows/1": "B"}, press="remove#/rows/1")
    assert removed.data == {"rows": ["a", "c"], "card": True}
    (restore,) = restore_buttons(page.shown)
    assert page.enter({"/rows/1": "C"}, press=restore).data["rows"] == ["a", "B", "C"]


def restore_buttons(form: Form) -> list[str]:
    return [one for one in buttons(form.render()) if one.startswith("restore")]


@WAYS
def test_two_people_edit_a_form_with_dependent_fields(post: Post) -> None:
    page = Page(CARD, '{\n  "name": "a",\n  "other": 1\n}', post)
    page.enter({"/card": "true"})
    pairs = post(page.shown)
    number = page.field("/number").name
    pairs = [*(pair for pair in pairs if pair[0] != number), (number, "55")]
    text = ("text#", page.shown.data_text)
    pairs = pairs if text in pairs else [*pairs, text]
    now = page.factory.form_json('{\n  "name": "b",\n  "other": 1\n}')
    submission = now.submit(pairs, on_stale="rebase")
    assert submission.data == {"name": "b", "other": 1, "card": True, "number": "55"}
    assert submission.valid
    again = now.submit([*post(submission.form)])
    assert again.text == submission.text


def by_mode(then: Json, otherwise: Json) -> Json:
    """Return the schema of an object whose `mode` decides what `v` may be."""
    condition = {"properties": {"mode": {"const": "t"}}, "required": ["mode"]}
    kinds = {"then": object_of(v=then), "else": object_of(v=otherwise)}
    return {"type": "object", "properties": {"id": TEXT, "mode": TEXT}, "if": condition, **kinds}


AB: Final[Json] = {"enum": ["a", "b", 3]}
CD: Final[Json] = {"enum": ["c", "d"]}
NUMBERS: Final[Json] = {"type": "array", "items": {"type": "integer"}}


@pytest.mark.parametrize("is_row", [False, True])
@pytest.mark.parametrize(
    ("before", "now", "value", "posted", "mine"),
    [
        (AB, CD, "a", "1", "b"),
        (AB, TEXT, "a", "2", 3),
        (AB, {"type": "integer"}, "a", "1", "b"),
        (AB, NUMBER, "b", "0", "a"),
        (FLAG, TEXT, True, "false", False),
        (FLAG, CD, True, "false", False),
        (TEXT, AB, "a", "TYPED", "TYPED"),
        (TEXT, FLAG, "a", "TYPED", "TYPED"),
        (TEXT, {"const": "a"}, "a", "TYPED", "TYPED"),
        ({"type": "integer"}, {"type": ["boolean", "string"]}, 4, "77", 77),
        ({"type": "integer"}, NUMBERS, 4, "77", 77),
    ],
)
def test_what_others_saved_changes_the_kind_of_an_edited_field(
    before: Json, now: Json, value: Json, posted: str, mine: Json, is_row: bool
) -> None:
    """A value is merged, whatever its control is now, and is not saved if that cannot hold it."""
    schema, stored = by_mode(now, before), {"id": "1", "v": value, "mode": "t"}
    at = "#/0/v" if is_row else "#/v"
    factory = forms_of({"type": "array", "items": schema} if is_row else schema)
    first = {"id": "1", "v": value}
    old = factory.form([first] if is_row else first)
    present = factory.form([{"id": "0", "v": value, "mode": "u"}, stored] if is_row else stored)
    pairs = [(name, posted if name == at else one) for name, one in by_html(old)]
    for _ in range(2):
        submission = present.submit(pairs, on_stale="rebase")
        data = submission.data[-1] if is_row else submission.data
        assert data == {**stored, "v": mine}
        assert not submission.conflicts
        assert not submission.valid
        pairs = by_html(submission.form)


@pytest.mark.parametrize(
    ("before", "now", "value", "posted", "said"),
    [
        (AB, CD, "a", "1", "b"),
        (AB, TEXT, "a", "1", "b"),
        (AB, NUMBER, "a", "2", "3"),
        (TEXT, AB, "a", "TYPED", "TYPED"),
        (FLAG, TEXT, True, "false", "false"),
        (NUMBER, TEXT, 1, "77", "77"),
        (TEXT, NUMBERS, "a", "TYPED", "TYPED"),
    ],
)
def test_what_was_typed_for_a_field_of_another_kind_stays_where_a_stale_form_is_refused(
    before: Json, now: Json, value: Json, posted: str, said: str
) -> None:
    factory = forms_of(by_mode(now, before))
    old, stored = factory.form({"v": value}), {"v": value, "mode": "t"}
    pairs = [(name, posted if name == "#/v" else one) for name, one in by_html(old)]
    present = factory.form(stored)
    with pytest.raises(StaleForm) as error:
        present.submit(pairs)
    form = error.value.form
    for _ in range(2):
        submission = present.submit(by_html(form))
        assert not submission.valid or submission.data != stored
        form = submission.form
        assert said in [str(submission.data["v"]), *(one.shown.text for one in form)]


def test_a_conflict_about_a_value_that_the_present_form_cannot_hold() -> None:
    factory = forms_of(by_mode(CD, AB))
    pairs = [
        (name, "1" if name == "#/v" else one) for name, one in by_html(factory.form({"v": "a"}))
    ]
    for stored in ({"v": "c", "mode": "t"}, {"mode": "t"}):
        present = factory.form(stored)
        submission = present.submit(pairs, on_stale="rebase")
        [conflict] = submission.conflicts
        assert (conflict.base, conflict.mine) == ('"a"', '"b"')
        again = by_html(submission.form)
        name, mine, theirs = choice_names(conflict)
        kept = present.submit([*again, (name, mine)], on_stale="rebase")
        assert (kept.conflicts, kept.data) == ((), {**stored, "v": "b"})
        assert [one.keyword for one in kept.report] == ["enum"]
        assert present.submit(by_html(kept.form), on_stale="rebase").report == kept.report
        kept = present.submit([*again, (name, theirs)], on_stale="rebase")
        assert (kept.valid, kept.data) == (True, stored)


def test_what_an_earlier_post_typed_into_another_alternative_stays_in_a_stale_form() -> None:
    needed = {"properties": {"x": NUMBER}, "required": ["x"]}
    schema = {"properties": {"on": {}}, "dependencies": {"on": needed}}
    page = Page(typed(schema), "{}")
    page.enter({"/on": "TYPED"})
    assert STEPS in dict(by_html(page.shown))
    pairs = by_html(page.shown)
    present = page.factory.form({"on": None})
    for names in ((), ("text#",)):
        with pytest.raises(StaleForm) as error:
            present.submit([pair for pair in pairs if pair[0] not in names])
        again = present.submit(by_html(error.value.form))
        assert "TYPED" in str((again.data, [one.shown.text for one in again.form]))


def test_no_page_shows_a_secret_of_others_for_what_the_present_form_cannot_hold() -> None:
    schema = by_mode(CD, AB)
    schema["properties"] = {**schema["properties"], "pw": {**TEXT, "writeOnly": True}}
    factory = forms_of(schema)
    old = factory.form({"v": "a", "pw": "first"})
    pairs = [(name, "1" if name == "#/v" else one) for name, one in by_html(old)]
    present = factory.form({"v": "a", "pw": "SECOND", "mode": "t"})
    try:
        form = present.submit(pairs, on_stale="rebase").form
    except StaleForm as error:
        form = error.form
    assert "SECOND" not in form.render()
    assert not form.report.valid


def test_what_no_control_can_write_is_not_kept_in_silence() -> None:
    """Somebody else has removed a group with a read-only member."""
    group = object_of(id={"type": "string", "readOnly": True}, v=TEXT)
    factory = forms_of(object_of(g={"type": "object", **group}))
    old, present = factory.form({"g": {"id": "S", "v": "v"}}), factory.form({})
    pairs = [(name, "E" if name == "#/g/v" else one) for name, one in by_html(old)]
    submission = present.submit(pairs, on_stale="rebase")
    [(name, mine, theirs)] = map(choice_names, submission.conflicts)
    again = by_html(submission.form)
    kept = present.submit([*again, (name, mine)], on_stale="rebase")
    assert (kept.valid, kept.data, kept.conflicts) == (False, {}, submission.conflicts)
    assert "yours has a part that this form cannot write" in kept.form.render()
    assert present.submit([*by_html(kept.form), (name, theirs)], on_stale="rebase").valid


def test_controls_of_fields_that_come_with_a_value_can_be_posted_at_once() -> None:
    form = forms_of(PETS).form({})
    page = Page(PETS, "{}")
    page.enter({"/pets": '"One"'})
    name = page.field("/age").name
    assert form.submit({"#/pets": "1", name: "4"}).data == {"pets": "One", "age": 4}
    assert form.submit({"#/pets": "1", name: "4", "#/nothing": "5"}).data["age"] == 4


def test_a_form_with_steps_can_be_pickled() -> None:
    form = WidgetType.from_data_schema(CARD, id="x").form({})
    form = form.submit({"#/card": "true", "#/name": "Bob"}).form
    again = pickle.loads(pickle.dumps(form))
    assert [one.shown for one in again] == [one.shown for one in form]
    assert again.submit(as_shown(again)).data == {"card": True, "name": "Bob"}


def test_a_form_with_a_prefix_has_its_own_steps() -> None:
    forms = [forms_of(CARD).form({}, prefix=prefix) for prefix in ("a", "b")]
    pairs = [pair for form in forms for pair in by_html(form) if pair[0] != "b.#/card"]
    first = [form.submit([*pairs, ("b.#/card", "true")]) for form in forms]
    assert [one.data for one in first] == [{}, {"card": True}]
    pairs = [pair for one in first for pair in by_html(one.form) if pair[0] != "b.#/number"]
    assert [name for name, _ in pairs if name.endswith(STEPS)] == ["b.steps#"]
    second = [form.submit([*pairs, ("b.#/number", "5")]) for form in forms]
    assert [one.data for one in second] == [{}, {"card": True, "number": "5"}]


def test_rows_whose_names_change_are_said_to_have_moved() -> None:
    page = Page(typed(object_of(rows={"items": CARD})), '{"rows": [{}, {"name": "b"}]}')
    submission = page.enter({"/rows/1/card": "true"}, press="remove#/rows/0")
    assert submission.data == {"rows": [{"name": "b", "card": True}]}
    assert submission.moved == {"#/rows/1": "#/rows/0"}
    moved = [("#/rows/1", "#/rows/0"), ("ws-rows-1", "ws-rows-0")]
    assert submission.answer()["moved"] == moved
    assert page.enter({}).moved == {}


@WAYS
def test_what_cannot_be_read_stays_when_its_group_is_shown_as_json(post: Post) -> None:
    form = forms_of({"type": "object"}).form({"g": {"x": 1}})
    [number] = [one.name for one in form if one.kind == "number" and one.path == "/g/x"]
    chooser = form.field("/g")
    assert chooser is not None
    json = len(chooser.children) - 1
    page = dict(post(form)) | {number: "abc"}
    first = form.submit(page | {f"kind{chooser.name}": str(json)})
    again = dict(post(first.form)) | {f"kind{chooser.name}": str(chooser.shown.chosen)}
    back = form.submit(again)
    assert [one.shown.text for one in back.form if one.name == number] == ["abc"]


@WAYS
def test_what_was_typed_into_a_dependent_field_comes_back_with_its_alternative(post: Post) -> None:
    either = {
        "dependencies": {
            "on": {"oneOf": [object_of(("y",), y={"const": 1}), object_of(("z",), z={"const": 2})]}
        }
    }
    group = {"type": "object", **object_of(on=TEXT), **either}
    page = Page(
        typed(object_of(a={"anyOf": [{"type": "integer"}, group]})),
        '{"a": {"on": "x", "y": 1, "w": "v"}}',
        post,
    )
    text = page.enter({"/a/w": "TYPED"}).text
    for index in ("0", "1"):
        pairs = [pair for pair in post(page.shown) if pair[0] != "kind#/a"]
        submission = page.factory.form_json(page.text).submit([*pairs, ("kind#/a", index)])
        page.shown = submission.form
        assert "TYPED" in str(post(page.shown))
    assert read(submission.text) == read(text)


@WAYS
@pytest.mark.parametrize("verb", ["copy", "remove", "down"])
def test_an_alternative_stays_with_its_row(post: Post, verb: str) -> None:
    """One that was chosen in an earlier post, when rows before it are added, removed or moved."""
    row = object_of(on=TEXT, x={"type": "object"})
    rules = {"if": object_of(("on",), on={"const": "t"}), "then": object_of(y=TEXT)}
    page = Page(
        typed(object_of(rows={"items": {**row, **rules}})),
        '{"rows": [{"x": {"a": 1}}, {"x": {"a": 2}}]}',
        post,
    )
    [json] = [one for one in page.shown if one.path == "/rows/1/x" and one.kind == "alternatives"]
    kind = f"kind{json.name}"
    pairs = dict(post(page.shown)) | {kind: str(len(json.children) - 1), "#/rows/1/on": "t"}
    page.shown = page.factory.form_json(page.text).submit(pairs).form
    page.enter({}, press=f"{verb}#/rows/0")
    chosen = {one.path: one.shown.chosen for one in page.shown if one.kind == "alternatives"}
    last = {"copy": "/rows/2/x", "remove": "/rows/0/x", "down": "/rows/0/x"}[verb]
    assert [at for at, index in chosen.items() if index and at and at.endswith("/x")] == [last]


@WAYS
def test_a_text_that_is_no_number_has_no_quotes_in_a_control_for_numbers(post: Post) -> None:
    page = Page(by_mode(NUMBER, TEXT), "{}", post)
    page.enter({"/v": "abc", "/mode": "t"})
    assert page.field("/v").shown.text == "abc"
    assert page.enter({}).data == {"v": "abc", "mode": "t"}
    assert page.enter({"/v": "3"}).data == {"v": 3, "mode": "t"}
    page = Page(by_mode(NUMBER, TEXT), '{"mode": "t", "v": "3"}', post)
    assert page.field("/v").shown.text == '"3"'
    assert page.enter({"/v": "3"}).data == {"v": 3, "mode": "t"}


# What a page sends back is not trusted


@pytest.mark.parametrize(
    "steps",
    ["x", "{}", "[1]", '[{"#": []}]', '[{"#": [1]}]', '[{"x": ["1"]}]', '[{"do": ["1"]}]'],
)
def test_what_is_no_step_is_refused(steps: str) -> None:
    with pytest.raises(FormError, match="arrived incomplete"):
        forms_of(CARD).form({}).submit({STEPS: steps, "#/name": "a"})


def test_steps_can_do_no_more_than_controls() -> None:
    schema = typed(
        object_of(
            fixed={**TEXT, "readOnly": True},
            rows={"items": typed(object_of(fixed={**TEXT, "readOnly": True}, a=TEXT))},
        )
    )
    text = '{"fixed": "a", "rows": [{"fixed": "b"}, {"fixed": "c"}]}'
    form = forms_of(schema).form_json(text)
    steps = [
        {
            "#/fixed": ["x"],
            "#/rows/0/fixed": ["y"],
            "#/rows/+1/fixed": ["z"],
            "order#/rows": ["0,1"],
        },
        {"origin#/rows/+1": ["0/fixed"], "order#/rows": ["0,1,+1"]},
        {"origin#/rows/+1": ["7/rows/0"], "order#/rows": ["0,1"], "#/fixed": ["x"]},
    ]
    data = form.submit({STEPS: dumps(steps)}).data
    assert data["fixed"] == "a"
    assert [one for one in data["rows"] if one] == read(text)["rows"]


ASIDE_SCHEMA: Final[Json] = {
    **CARD,
    "properties": {
        **CARD["properties"],
        "pw": {**TEXT, "writeOnly": True},
        "file": {**TEXT, "contentEncoding": "base64"},
        "rows": {"items": {"properties": {"pw": {**TEXT, "format": "password"}}}},
    },
}


@WAYS
@pytest.mark.parametrize("name", ["/pw", "/rows/0/pw", "/file"])
def test_a_secret_or_a_large_file_of_a_step_is_in_a_control_of_its_own(
    post: Post, name: str
) -> None:
    text = "QUJD" * 4_000 if name == "/file" else 'S3CRET"'
    page = Page(typed(ASIDE_SCHEMA), '{"rows": [{}]}', post)
    page.enter({name: text, "/card": "true"})
    page.enter({"/card": "false"})
    page.enter({"/card": "true"})
    [steps] = [value for one, value in post(page.shown) if one == STEPS]
    assert "QUJD" not in steps
    assert "S3CRET" not in steps
    assert [value for _, value in post(page.shown) if value == text] == [text]
    data = page.enter({"/number": "5"}).data
    assert text in (data.get("pw"), data.get("file"), data["rows"][0].get("pw"))


def test_a_form_with_a_secret_of_a_step_can_be_pickled() -> None:
    form = WidgetType.from_data_schema(ASIDE_SCHEMA, id="x").form({})
    form = form.submit({"#/card": "true", "#/pw": "S3CRET"}).form
    again = pickle.loads(pickle.dumps(form))
    assert again.submit(as_shown(again)).data == {"card": True, "pw": "S3CRET"}


def test_a_secret_of_a_removed_row_is_in_no_step() -> None:
    page = Page(typed(ASIDE_SCHEMA), '{"rows": [{}]}')
    page.enter({"/rows/0/pw": "S3CRET", "/card": "true"}, press="remove#/rows/0")
    assert "S3CRET" not in dict(by_html(page.shown))[STEPS]
    assert page.enter({}, press="restore#/rows/+1").data["rows"] == [{"pw": "S3CRET"}]


def test_a_token_stands_for_a_large_file_of_a_step() -> None:
    page = Page(typed(ASIDE_SCHEMA), "{}")
    text = "QUJD" * 4_000
    files = page.enter({"/file": text, "/card": "true"}).answer()["files"]
    pairs = [pair for pair in by_html(page.shown) if pair[0] != "aside#0"]
    form = page.factory.form_json(page.text)
    assert form.submit([*pairs, ("aside#0?", files["aside#0"])]).data["file"] == text
    with pytest.raises(FormError, match="arrived incomplete"):
        form.submit([*pairs, ("aside#0?", "unknown")])


def test_a_page_without_what_is_aside_is_refused() -> None:
    page = Page(typed(ASIDE_SCHEMA), "{}")
    page.enter({"/pw": "S3CRET", "/card": "true"})
    pairs = [pair for pair in by_html(page.shown) if not pair[0].startswith("aside#")]
    with pytest.raises(FormError, match="arrived incomplete"):
        page.factory.form_json(page.text).submit(pairs)


def test_there_is_a_limit_to_steps() -> None:
    form = forms_of(CARD).form({})
    with pytest.raises(FormError, match="save it first"):
        form.submit({STEPS: dumps([{"#/name": ["a"]}] * 201)})
    many = {f"#/{number}": ["a"] for number in range(20_001)}
    with pytest.raises(TooManyFields):
        form.submit({STEPS: dumps([many])})


# Values that do not apply any more


def test_a_value_that_does_not_apply_keeps_its_field_and_can_be_removed() -> None:
    schema = {**PETS, "properties": {**PETS["properties"], "group": object_of(a=TEXT)}}
    page = Page(schema, '{"pets": "Many", "rid": true, "ages": [1], "other": 5, "name": "x"}')
    submission = page.enter({"/pets": '"No"'})
    assert submission.valid
    former = {one.path: one.label for one in page.shown if one.former}
    assert former == {"/rid": "Rid", "/ages": "Ages"}
    assert all(
        one.note == "Does not apply to the current answers" for one in page.shown if one.former
    )
    assert page.field("/rid").kind == "boolean"
    assert page.enter({"/rid": "false"}).data["rid"] is False
    assert buttons(page.shown.render()).count("drop#") == 1
    assert page.enter({}, press="drop#").data == {"pets": "No", "other": 5, "name": "x"}
    assert "drop#" not in buttons(page.shown.render())


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (TEXT, "a"),
        (TEXT, ""),
        (NUMBER, 1.5),
        (FLAG, False),
        ({"enum": [1, 2]}, 2),
        ({"enum": [1, 2]}, 3),
        ({"const": 1}, 1),
        ({"items": TEXT}, ["a"]),
        (object_of(("x",), x=TEXT), {"x": "a"}),
        ({"anyOf": [TEXT, NUMBER]}, 1),
        ({"type": ["string", "null"]}, None),
        ({}, {"y": [1]}),
        (False, 1),
        ({"items": {"enum": ["a", "b"]}, "uniqueItems": True}, ["a"]),
        ({"type": "string", "format": "password"}, "s"),
    ],
    ids=dumps,
)
def test_all_kinds_of_values_that_do_not_apply_are_removed_at_once(
    schema: Json, value: Json
) -> None:
    rules = {"if": object_of(on={"const": True}), "then": object_of(v=schema, w=TEXT)}
    page = Page(typed({**object_of(on=FLAG), **rules}), dumps({"on": True, "v": value, "w": "a"}))
    assert page.enter({"/on": "false"}).data == {"on": False, "v": value, "w": "a"}
    left = page.enter({}, press="drop#").data
    assert left == ({"on": False, "v": value} if schema is False else {"on": False})


# What was taken away


@pytest.mark.parametrize(
    ("schema", "before", "state", "typed_text", "after"),
    [
        (TEXT, '"name"', "unset", "new", "new"),
        (TEXT, '"name"', "unset", "", None),
        (TEXT, '"name"', "unset", "name", None),
        ({"type": ["integer", "null"]}, "4", "null", "5", 5),
        ({"type": ["integer", "null"]}, "4", "unset", "5", 5),
        ({"type": ["string", "null"]}, '"a"', "null", "b", "b"),
    ],
)
def test_who_types_into_a_field_that_was_taken_away_sets_it(
    schema: Json, before: str, state: str, typed_text: str, after: Json
) -> None:
    page = Page(typed(object_of(v=schema, w=TEXT)), f'{{"v": {before}}}')
    pairs = [pair for pair in by_html(page.shown) if pair[0] != "state#/v"]
    gone = page.factory.form_json(page.text).submit([*pairs, ("state#/v", state)])
    assert gone.data.get("v") is None
    page.shown = gone.form
    assert page.enter({"/w": "x"}).data.get("v") is None
    assert page.enter({"/v": typed_text}).data.get("v") == after


@pytest.mark.parametrize("member", ["a", "b"])
def test_who_types_into_a_group_that_was_taken_away_sets_it(member: str) -> None:
    group = typed(object_of(a=TEXT, b=TEXT))
    page = Page(typed(object_of(g=group, w=TEXT)), '{"g": {"a": "x"}}')
    pairs = [pair for pair in by_html(page.shown) if pair[0] not in ("state#/g", "#/g/a")]
    gone = page.factory.form_json(page.text).submit([*pairs, ("#/g/a", "y"), ("state#/g", "unset")])
    page.shown = gone.form
    assert page.enter({"/w": "x"}).data == {"w": "x"}
    assert page.enter({f"/g/{member}": "new"}).data["g"] == {"a": "y", member: "new"}


@pytest.mark.parametrize("kind", [TEXT, {**TEXT, "writeOnly": True}, FLAG, {}], ids=dumps)
def test_what_was_typed_before_a_group_was_taken_away_does_not_set_it(kind: Json) -> None:
    page = Page(typed(object_of(g=typed(object_of(a=kind, b=TEXT)))), '{"g": {"b": "x"}}')
    name, value = page.control("/g/a", "true")
    pairs = [pair for pair in by_html(page.shown) if pair[0] not in ("state#/g", name)]
    submission = page.factory.form_json(page.text).submit(
        [*pairs, (name, value), ("state#/g", "unset")]
    )
    for _ in range(2):
        assert submission.data == {}
        page.shown = submission.form
        submission = page.enter({})


def test_who_types_into_a_field_that_all_removed_sets_it() -> None:
    page = Page(
        typed(
            {
                **object_of(a=INTEGER),
                "if": object_of(("a",), a={"const": 1}),
                "then": object_of(c=TEXT),
            }
        ),
        '{"a": 2, "c": "c"}',
    )
    assert page.enter({}, press="drop#").data == {"a": 2}
    assert page.enter({"/c": "new"}).data == {"a": 2, "c": "new"}


def test_what_was_ticked_after_a_selection_was_taken_away_sets_it() -> None:
    schema = typed(
        object_of(v={"type": "array", "items": {"enum": ["a", "b"]}, "uniqueItems": True})
    )
    page = Page(schema, '{"v": ["a"]}')
    pairs = [pair for pair in by_html(page.shown) if pair[0] != "state#/v"]
    gone = page.factory.form_json(page.text).submit([*pairs, ("state#/v", "unset")])
    assert gone.data == {}
    pairs = by_html(gone.form)
    assert page.factory.form_json(page.text).submit(pairs).data == {}
    again = page.factory.form_json(page.text).submit([*pairs, ("#/v", "1")])
    assert again.data == {"v": ["a", "b"]}


# What an earlier post has taken away can be brought back in the form that it made

GONE: Final[Json] = typed(
    {
        **object_of(
            mode=TEXT,
            g=typed(
                object_of(v=TEXT, ro={**TEXT, "readOnly": True}, pw={**TEXT, "writeOnly": True})
            ),
            l={"type": "array", "items": TEXT},
            n=TEXT,
            i=INTEGER,
            e={"enum": ["a", "b"]},
            s={**TEXT, "writeOnly": True},
        ),
        "if": object_of(("mode",), mode={"const": "t"}),
        "then": object_of(extra=TEXT),
    }
)
GONE_DATA: Final[Json] = {
    "g": {"v": "v", "ro": "R", "pw": "secret-1"},
    "l": ["a", "b"],
    "n": "name",
    "i": 1,
    "e": "b",
    "s": "secret-2",
}


def gone_page(schema: Json, data: Json, begin: str, steps: list[dict[str, str]]) -> Page:
    page = Page(schema, dumps(data))
    states = {f"state#{begin}/{name}": "unset" for name in ("g", "l", "s")}
    states |= {f"#{begin}/{name}": "" for name in ("n", "i")} | {f"#{begin}/e": "unset"}
    pairs = [pair for pair in by_html(page.shown) if pair[0] not in states]
    page.shown = page.factory.form_json(page.text).submit([*pairs, *states.items()]).form
    for step in steps:
        page.enter({f"{begin}{pointer}": value for pointer, value in step.items()})
    return page


@pytest.mark.parametrize(
    "steps", [[{"/mode": "t"}], [{"/mode": "t"}, {"/mode": "u"}, {"/mode": "t"}]], ids=len
)
@pytest.mark.parametrize("begin", ["", "/rows/1"])
def test_what_was_taken_away_comes_back_in_a_later_form(
    begin: str, steps: list[dict[str, str]]
) -> None:
    schema, data = GONE, GONE_DATA
    if begin:
        schema, data = typed(object_of(rows={"items": GONE})), {"rows": [{"n": "0"}, GONE_DATA]}
    page = gone_page(schema, data, begin, steps)
    now = begin
    if begin:  # the row is another one then
        page.enter({}, press="up#/rows/1")
        page.enter({"/rows/0/mode": "u"})
        page.enter({"/rows/0/mode": "t"})
        now = "/rows/0"
    pressed = [one for one in buttons(page.shown.render()) if f"#{now}/" in one]
    wanted = [*(f"restore#{now}/{name}" for name in "nie"), f"open#{now}/g", f"open#{now}/l"]
    assert not {*wanted} - {*pressed}
    assert f"restore#{now}/s" not in pressed
    for one in wanted:
        submission = page.enter({}, press=one)
    assert "secret" not in page.shown.render()
    found = submission.data["rows"][0] if begin else submission.data
    assert "s" not in found
    assert {**found, "s": "secret-2"} == {**GONE_DATA, "mode": "t"}
    assert submission.valid


def test_what_was_edited_in_a_group_comes_back_with_it() -> None:
    page = Page(GONE, dumps(GONE_DATA))
    pairs = dict(by_html(page.shown)) | {"#/g/v": "new", "state#/g": "unset", "#/mode": "t"}
    page.shown = page.factory.form_json(page.text).submit(pairs).form
    assert page.enter({}, press="restore#/g").data["g"] == {**GONE_DATA["g"], "v": "new"}


def test_steps_cannot_make_a_group_without_what_is_read_only() -> None:
    form = forms_of(GONE).form(GONE_DATA)
    posted = {STEPS: dumps([{"state#/g": ["unset"]}]), "#/g/v": "w"}
    assert form.submit(posted).data["g"] == {**GONE_DATA["g"], "v": "w"}


# What was typed last can be restored


@WAYS
@pytest.mark.parametrize("answer", ["", "true"], ids=["same fields", "more fields"])
@pytest.mark.parametrize("stored", ['{"v": 3}', "{}"])
@pytest.mark.parametrize(
    "kind", [TEXT, INTEGER, {"type": ["integer", "null"]}, {}, {"enum": [3, 44]}], ids=dumps
)
def test_what_was_typed_last_is_restored(post: Post, kind: Json, stored: str, answer: str) -> None:
    """It may be typed on this page only, and fields may appear when it is emptied."""
    more = {"if": object_of(("on",), on={"const": True}), "then": object_of(more=TEXT)}
    page = Page(typed({**object_of(v=kind, w=TEXT, on=FLAG), **more}), stored, post)
    edited = page.enter({"/v": "44"}).data
    name = page.field("/v").name
    posted = {name: "unset" if "enum" in kind else ""} | ({"#/on": answer} if answer else {})
    pairs = [pair for pair in post(page.shown) if pair[0] not in posted]
    gone = page.factory.form_json(page.text).submit([*pairs, *posted.items()])
    page.shown = gone.form
    page.enter({"/w": "x"})
    (restore,) = restore_buttons(page.shown)
    flag = {"on": True} if answer else {}
    assert page.enter({}, press=restore).data == {**edited, **flag, "w": "x"}


@WAYS
@pytest.mark.parametrize("stored", ['{"v": "old"}', "{}"])
@pytest.mark.parametrize("answer", ["false", "true"], ids=["same fields", "more fields"])
def test_what_is_not_set_is_restored_as_it_was_typed(post: Post, stored: str, answer: str) -> None:
    more = {"if": object_of(("on",), on={"const": True}), "then": object_of(more=TEXT)}
    page = Page(typed({**object_of(v=TEXT, on=FLAG), **more}), stored, post)
    edited = page.enter({"/v": "TYPED", "/on": "false"}).data
    states = {"#/v": "", "state#/v": "unset" if "v" in stored else RESET, "#/on": answer}
    pairs = [pair for pair in post(page.shown) if pair[0] not in states]
    gone = page.factory.form_json(page.text).submit([*pairs, *states.items()])
    assert "v" not in gone.data
    page.shown = gone.form
    (restore,) = restore_buttons(page.shown)
    assert page.enter({}, press=restore).data == {**edited, "on": answer == "true"}


@WAYS
def test_what_all_removed_is_restored_as_it_was_typed(post: Post) -> None:
    page = Page(PETS, '{"pets": "One", "age": 3}', post)
    page.enter({"/pets": '"No"'})
    page.enter({"/age": "44"})
    page.enter({}, press="drop#")
    assert page.enter({}, press="restore#/age").data == {"pets": "No", "age": 44}


@WAYS
def test_what_was_typed_into_another_alternative_never_becomes_the_value(post: Post) -> None:
    schema = {
        "properties": {"mode": TEXT},
        "if": {"properties": {"mode": {"const": "t"}}, "required": ["mode"]},
        "then": {"properties": {"v": NUMBER}},
        "else": {"properties": {"v": {"type": ["string", "boolean", "null"]}}},
    }
    page = Page(schema, '{"v": "b"}', post)
    pairs = [*post(page.shown), ("#/mode", "t"), ("#/v;0", "false")]
    names = [name for name, _ in pairs]
    pairs = [one for at, one in enumerate(pairs) if one[0] not in names[at + 1 :]]
    page.shown = page.factory.form_json(page.text).submit(pairs).form
    assert not page.enter({"/mode": "u"}).complete
    submission = page.empty_unread()
    assert submission.complete
    assert submission.data == {"v": "b", "mode": "u"}


@pytest.mark.parametrize("levels", [3, 12])
def test_fields_that_depend_on_each_other_can_all_be_posted_at_once(levels: int) -> None:
    schema: Json = {}
    for level in reversed(range(levels)):
        schema = {
            "properties": {f"f{level}": TEXT},
            "if": {"properties": {f"f{level}": {"const": "y"}}, "required": [f"f{level}"]},
            "then": schema,
        }
    submission = forms_of(schema).form({}).submit({f"#/f{level}": "y" for level in range(levels)})
    assert submission.data == {f"f{level}": "y" for level in range(levels)}
    assert submission.complete


def test_a_value_of_an_alternative_that_is_gone_can_be_restored() -> None:
    answers = [
        {"properties": {"on": {"const": "no"}, "x": TEXT}, "required": ["x"]},
        {"properties": {"on": {"const": "one"}, "y": TEXT}},
    ]
    form = forms_of({"properties": {"on": {}}, "dependencies": {"on": {"anyOf": answers}}}).form({})
    page = form.submit({"#/on;0": "typed", "state#/on;0": "set"}).form
    page = form.submit(edited(entries(page.render()), "kind#", "1")).form
    assert page.data == {}
    page = form.submit(entries(page.render(), press="restore#/on;0")).form
    assert page.data == {"on": "typed"}

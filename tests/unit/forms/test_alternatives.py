"""Alternatives of a value: which one is chosen at first, and what becomes of the value in another.

Each page is used as a browser uses it, with the script (which asks for the value to be carried as
soon as another alternative is chosen) and without (then it is carried when the form is sent).
"""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

from tests.browsing import Pairs, edited, entries, without
from tests.patching import FLAG, NUMBER, TEXT, members, said, widget_type
from widgetschema import Form, Submission

Json = Any

MOMENT: Final = {"type": "string", "format": "date-time"}
DATE: Final = "2027-11-26T00:00:00Z"
WORDS: Final = {**members(kind={"const": "words"}, text=TEXT, size=NUMBER), "required": ["kind"]}
LINK: Final = {
    **members(kind={"const": "link"}, text=TEXT, size=TEXT, href=TEXT),
    "required": ["kind"],
    "additionalProperties": False,
}
BOX: Final = {
    **members(kind={"const": "box"}, text=TEXT, inside={"anyOf": [TEXT, NUMBER]}),
    "required": ["kind"],
}


class Person:
    """Somebody with a page: chooses, types, sends."""

    def __init__(self, schema: Json, data: Json, *, scripted: bool) -> None:
        self.first = widget_type(members(v=schema)).form_json(json.dumps(data))
        self.scripted = scripted
        self.page = self.first.render()
        self.pairs: Pairs = entries(self.page)

    def choose(self, index: int, name: str = "#/v") -> None:
        before = dict(self.pairs)[f"kind{name}"]
        self.pairs = edited(self.pairs, f"kind{name}", str(index))
        if self.scripted:
            self.shown(self.first.submit([*self.pairs, ("do", f"carry{name};{before}")]).form)

    def fill(self, name: str, text: str) -> None:
        self.pairs = edited(self.pairs, name, text)

    def press(self, button: str) -> None:
        self.shown(self.first.submit([*self.pairs, ("do", button)]).form)

    def shown(self, form: Form) -> None:
        self.page = form.render()
        self.pairs = entries(self.page)

    def send(self) -> Submission:
        submission = self.first.submit(self.pairs)
        # What is shown again says the same when it is sent again.
        again = self.first.submit(entries(submission.form.render()))
        assert again.text == submission.text
        return submission


@pytest.fixture(params=[True, False], ids=["script", "no script"])
def scripted(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


# Schema, value, the alternative that is chosen, the value then
CARRIED: Final[list[tuple[str, Json, Json, int, Json]]] = [
    ("text to moment", {"anyOf": [TEXT, MOMENT]}, "soon", 1, "soon"),
    ("moment to text", {"anyOf": [TEXT, MOMENT]}, DATE, 0, DATE),
    ("moment to anything", {"anyOf": [TEXT, MOMENT, {}]}, DATE, 2, DATE),
    ("moment to true", {"anyOf": [MOMENT, True]}, DATE, 1, DATE),
    ("anything to text", {"anyOf": [TEXT, {}]}, ["a"], 1, ["a"]),
    ("text to number", {"anyOf": [TEXT, NUMBER]}, "1.50", 1, 1.5),
    ("number to text", {"anyOf": [TEXT, NUMBER]}, 1.5, 0, "1.5"),
    ("types", {"type": ["string", "number", "boolean"]}, 5, 2, "5"),
    ("text to boolean", {"anyOf": [TEXT, FLAG]}, "true", 1, True),
    ("boolean to text", {"anyOf": [FLAG, TEXT]}, True, 1, "true"),
    ("text to enum", {"anyOf": [TEXT, {"enum": ["a", 5]}]}, "5", 1, 5),
    ("enum to text", {"anyOf": [{"enum": ["a", 5]}, TEXT]}, 5, 1, "5"),
    ("number to integer", {"anyOf": [NUMBER, {"type": "integer"}]}, 1.5, 1, 1.5),
    ("list to anything", {"anyOf": [{"type": "array", "items": TEXT}, {}]}, ["a"], 1, ["a"]),
    (
        "list to list",
        {"anyOf": [{"type": "array", "items": TEXT}, {"type": "array", "items": NUMBER}]},
        ["a"],
        1,
        ["a"],
    ),
    ("object to anything", {"anyOf": [WORDS, {}]}, {"kind": "words"}, 1, {"kind": "words"}),
    (
        "object to object",
        {"oneOf": [WORDS, BOX]},
        {"kind": "words", "text": "a", "size": 5, "note": [1]},
        1,
        {"kind": "box", "text": "a", "note": [1]},
    ),
    (
        "object to closed object",
        {"oneOf": [WORDS, LINK]},
        {"text": "a", "kind": "words", "size": 5, "note": [1]},
        1,
        {"text": "a", "kind": "link", "size": "5"},
    ),
    ("alternatives in it", {"anyOf": [{"anyOf": [MOMENT, NUMBER]}, TEXT]}, 5, 1, "5"),
    ("into alternatives", {"anyOf": [FLAG, {"anyOf": [MOMENT, NUMBER]}]}, True, 0, True),
    ("null", {"anyOf": [{"type": ["string", "null"]}, NUMBER]}, None, 1, None),
]


@pytest.mark.parametrize(
    ("schema", "value", "index", "expected"), [r[1:] for r in CARRIED], ids=[r[0] for r in CARRIED]
)
def test_the_value_goes_along(
    schema: Json, value: Json, index: int, expected: Json, scripted: bool
) -> None:
    person = Person(schema, {"a": 1, "v": value, "z": 2}, scripted=scripted)
    person.choose(index)
    assert person.send().data == {"a": 1, "v": expected, "z": 2}


@pytest.mark.parametrize(
    ("schema", "value", "index", "expected"), [r[1:] for r in CARRIED], ids=[r[0] for r in CARRIED]
)
def test_the_way_back_loses_nothing(
    schema: Json, value: Json, index: int, expected: Json, scripted: bool
) -> None:
    person = Person(schema, {"v": value}, scripted=scripted)
    before = int(dict(person.pairs)["kind#/v"])
    person.choose(index)
    person.press("check")
    person.choose(before)
    submission = person.send()
    assert json.dumps(submission.data) == json.dumps({"v": value})


def test_what_was_typed_goes_along(scripted: bool) -> None:
    person = Person({"anyOf": [TEXT, MOMENT, {}]}, {"v": "old"}, scripted=scripted)
    person.fill("#/v;0", DATE)
    person.choose(1)
    person.press("check")
    assert dict(person.pairs)["#/v;1"] == DATE
    person.fill("#/v;1", "2028")
    person.choose(2)
    if scripted:
        assert dict(person.pairs)["#/v;2"] == '"2028"'
        assert person.send().data == {"v": "2028"}
        person.choose(0)
        assert person.send().data == {"v": "2028"}
        person.fill("#/v;0", "2029")
        person.choose(1)
        assert person.send().data == {"v": "2029"}


def test_without_a_script_it_goes_from_the_one_that_was_shown() -> None:
    person = Person({"anyOf": [TEXT, MOMENT, {}]}, {"v": "old"}, scripted=False)
    person.choose(1)
    person.press("check")
    person.fill("#/v;1", DATE)
    person.choose(2)
    assert dict(person.pairs)["#/v;2"] == '"old"'  # as the page shows it, until it was sent
    submission = person.send()
    assert submission.data == {"v": DATE}
    assert dict(entries(submission.form.render()))["#/v;2"] == f'"{DATE}"'


def test_what_comes_along_cannot_be_forged() -> None:
    form = widget_type(members(v={"anyOf": [TEXT, NUMBER]})).form_json('{"v": "a"}')
    for text in ("", "{", "[" * 5000, "\0", '"b" "c"'):
        assert form.submit({"kind#/v": "0", "from#/v;0": text}).text == form.text
    for button in ("carry#/v;9", "carry#/v;", "carry#/v", "carry#/w;0", "carry#/v;-1", "carry#"):
        assert form.submit({"do": button}).text == form.text


def test_a_new_value_goes_along(scripted: bool) -> None:
    person = Person({"anyOf": [TEXT, {}]}, {}, scripted=scripted)
    person.fill("#/v;0", 'a "b"')
    person.choose(1)
    assert person.send().data == {"v": 'a "b"'}


def test_what_was_typed_into_objects_goes_along(scripted: bool) -> None:
    value = {"kind": "words", "text": "a", "more": [1, 2]}
    person = Person({"oneOf": [WORDS, BOX, {"type": "array"}]}, {"v": value}, scripted=scripted)
    person.fill("#/v;0/text", "typed")
    person.choose(1)
    person.press("check")
    assert person.send().data == {"v": {"kind": "box", "text": "typed", "more": [1, 2]}}
    person.fill("#/v;1/text", "again")
    assert person.send().data == {"v": {"kind": "box", "text": "again", "more": [1, 2]}}


def test_rows_go_along_and_can_be_removed(scripted: bool) -> None:
    schema = {"anyOf": [{"type": "array", "items": TEXT}, {"type": "array", "items": NUMBER}]}
    person = Person(schema, {"v": ["a", "b"]}, scripted=scripted)
    person.press("add#/v;0")
    person.fill("#/v;0/+1", "5")
    person.choose(1)
    person.press("check")
    assert person.send().data == {"v": ["a", "b", "5"]} or not scripted
    for row in [name for name, _ in person.pairs if name.startswith("#/v;1/")]:
        person.press(f"remove{row}")
    assert person.send().data == {"v": []}


def test_what_was_typed_into_json_counts_in_the_rows_of_the_alternative_before() -> None:
    rows = members(rows={"type": "array", "items": members(name=TEXT)})
    person = Person({"anyOf": [rows, {}]}, {"v": {"rows": [{"name": "a"}]}}, scripted=True)
    person.choose(1)
    person.fill("#/v;1", '{"rows": [{"name": "b"}]}')
    person.choose(0)
    assert dict(person.pairs)["#/v;0/rows/0/name"] == "b"
    assert person.send().data == {"v": {"rows": [{"name": "b"}]}}


def test_what_cannot_be_held_stays_a_draft(scripted: bool) -> None:
    person = Person({"anyOf": [TEXT, NUMBER]}, {"v": "many"}, scripted=scripted)
    person.fill("#/v;0", "more")
    person.choose(1)
    submission = person.send()
    assert not submission.complete
    assert submission.data == {"v": "many"}  # as it was, until there is a number
    assert said(submission) == [("type", "/v")]
    assert dict(entries(submission.form.render()))["#/v;0"] == "more"
    person.choose(0)
    assert person.send().data == {"v": "more"}


def test_anything_that_is_no_json_does_not_remove_the_value() -> None:
    person = Person({"anyOf": [TEXT, {}]}, {"v": "old"}, scripted=False)
    person.choose(1)
    person.fill("#/v;1", "{")
    submission = person.send()
    assert (submission.complete, submission.data) == (False, {"v": "old"})


def test_bytes_stay_where_the_value_does() -> None:
    text = '{ "v":"\\u00e9\\/" }'
    form = widget_type(members(v={"anyOf": [TEXT, MOMENT, {}]})).form_json(text)
    for index in ("0", "1", "2"):
        assert form.submit({"kind#/v": index}).text == text


# What an alternative forbids


@pytest.mark.parametrize(
    ("schema", "value", "index", "typed", "expected"),
    [
        ({"anyOf": [TEXT, MOMENT]}, DATE, 1, "soon", [("format", "/v")]),
        ({"anyOf": [TEXT, MOMENT]}, DATE, 0, "soon", []),
        ({"anyOf": [NUMBER, {"type": "integer"}]}, 5, 1, "1.5", [("type", "/v")]),
        ({"anyOf": [{}, {**TEXT, "pattern": "^a"}]}, "ab", 1, "b", [("pattern", "/v")]),
    ],
)
def test_what_the_chosen_one_forbids_is_found(
    schema: Json, value: Json, index: int, typed: str, expected: Json
) -> None:
    person = Person(schema, {"v": value}, scripted=False)
    assert person.send().report.valid
    person.choose(index)
    person.fill(f"#/v;{index}", typed)
    submission = person.send()
    assert said(submission) == expected
    assert submission.valid is not bool(expected)
    if expected:
        [finding] = submission.report
        field = submission.form.field("/v")
        assert field is not None
        assert finding in field.children[index].findings


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"anyOf": [{"minimum": 1}, {"pattern": "a"}]}, 0),
        ({"anyOf": [{"minimum": 1}, {"pattern": "a"}]}, "b"),
        ({"oneOf": [{"minimum": 1}, {"maxLength": 3}]}, 0),
        ({"anyOf": [{"minItems": 1}, {"required": ["a"]}]}, {}),
        ({"anyOf": [{"minItems": 1}, {"required": ["a"]}]}, []),
        ({"anyOf": [{"minItems": 1}, {"minimum": 5}]}, 1),
        ({"items": {"anyOf": [{"minimum": 1}, {"pattern": "a"}]}}, [0, "b", 1]),
        ({"anyOf": [{"items": {"minimum": 1}}, {"maxProperties": 0}]}, [0, 1]),
        ({"anyOf": [{"anyOf": [{"minimum": 1}, {"minLength": 1}]}, {"maxItems": 1}]}, 0),
    ],
)
def test_what_is_valid_stays_valid_if_nobody_touches_it(schema: Json, value: Json) -> None:
    person = Person(schema, {"v": value}, scripted=False)
    submission = person.send()
    assert submission.valid is submission.form.factory.checks.validator.is_valid({"v": value})
    assert not submission.changed


def test_what_is_valid_is_refused_if_it_is_put_into_an_alternative_that_forbids_it() -> None:
    person = Person({"anyOf": [{"minimum": 1}, {"pattern": "a"}]}, {"v": "b"}, scripted=False)
    person.fill("#/v;1", "c")
    assert said(person.send()) == [("pattern", "/v")]


# Which one is chosen at first


@pytest.mark.parametrize(
    ("branches", "value", "index"),
    [
        ([TEXT, MOMENT, {}], DATE, 1),
        ([TEXT, MOMENT, {}], "soon", 0),
        ([TEXT, MOMENT, {}], 5, 2),
        ([TEXT, MOMENT, {}], ..., 1),
        ([{}, TEXT], ..., 1),
        ([{}, TEXT, NUMBER], ..., 1),
        ([True, NUMBER], 5, 1),
        ([TEXT, NUMBER], ..., 0),
        ([NUMBER, {"type": "integer"}], 5, 1),
        ([NUMBER, {"type": "integer"}], 5.5, 0),
        ([TEXT, {"enum": ["a", "b"]}], "a", 1),
        ([TEXT, {"const": "a"}, {"enum": ["a", "b"]}], "a", 1),
        ([TEXT, {"const": "a"}, {"enum": ["a", "b"]}], "b", 2),
        ([{"type": "object"}, WORDS], {"kind": "words"}, 1),
        ([{"type": "object"}, WORDS], {"kind": "other"}, 0),
        (
            [members(a=TEXT), {**members(a=TEXT, b=TEXT), "required": ["b"]}],
            {"a": "x", "b": "y"},
            1,
        ),
        ([{"type": "array"}, {"type": "array", "items": NUMBER}], [1], 1),
        ([TEXT, WORDS], ..., 0),
    ],
)
def test_the_most_specific_one_is_chosen(branches: Json, value: Json, index: int) -> None:
    data = {} if value is ... else {"v": value}
    form = widget_type(members(v={"anyOf": branches})).form_json(json.dumps(data))
    field = form.field("/v")
    assert field is not None
    assert field.kind == "alternatives"
    assert field.shown.chosen == index


@pytest.mark.parametrize(
    ("value", "chosen"),
    [
        ({"kind": "link", "text": 5}, "1"),
        ({"kind": "box", "text": 5}, "2"),
        ({"kind": "else", "text": 5}, "0"),
        ({"text": 5}, "0"),
        (5, "0"),
    ],
    ids=str,
)
def test_invalid_data_is_shown_in_the_alternative_that_it_names(value: Json, chosen: str) -> None:
    form = widget_type(members(v={"oneOf": [WORDS, LINK, BOX]})).form({"v": value})
    assert dict(entries(form.render()))["kind#/v"] == chosen


@pytest.mark.parametrize("choice", [0, 1])
def test_what_is_wrong_is_said_of_the_alternative_that_was_chosen(choice: int) -> None:
    link, page = ({**members(**{name: TEXT}, note=TEXT), "required": [name]} for name in "ab")
    kind = widget_type(members(v={"anyOf": [link, page, NUMBER]}))
    form = kind.form_json('{"at": {"v": 5}}', at="/at")
    submission = form.submit({"kind#/at/v": str(choice), f"#/at/v;{choice}/note": "x"})
    assert [finding.target for finding in submission.report] == [f"/at/v/{'ab'[choice]}"]


def test_a_closed_part_of_an_alternative_has_no_value_to_carry() -> None:
    inside = {"anyOf": [members(p=TEXT), {"type": "array", "items": TEXT}]}
    choices = [members(x=inside, y=TEXT), {"type": "array", "items": TEXT}, members(q=TEXT)]
    form = widget_type(members(v={"anyOf": choices})).form_json('{"v": ["s"]}')
    submission = form.submit({"was#/v": "0", "#/v;0/y": "t", "kind#/v": "2"})
    assert submission.data == {"v": {}}
    assert ("#/v;0/y", "t") in entries(submission.form.render())


@pytest.mark.parametrize("scripted", [True, False])
@pytest.mark.parametrize("fixed", [0, 1])
@pytest.mark.parametrize("stored", [{}, {"v": "a"}])
def test_what_is_typed_into_a_read_only_alternative_counts_until_it_is_saved(
    stored: Json, fixed: int, scripted: bool
) -> None:
    """Only a value that is there is protected."""
    own = {**NUMBER, "readOnly": True}
    schema = {"anyOf": [own, TEXT] if fixed == 0 else [TEXT, own]}
    form = widget_type(members(v=schema)).form_json(json.dumps(stored))
    at = f"#/v;{fixed}"
    pairs = [*without(entries(form.render()), ["kind#/v", at]), ("kind#/v", str(fixed))]
    form = form.submit([*pairs, (at, "abc"), *([("do", "check")] if scripted else [])]).form
    for chosen in (fixed, 1 - fixed, fixed):
        pairs = entries(form.render())
        assert (at, "abc") in pairs
        form = form.submit(edited(pairs, "kind#/v", str(chosen))).form
    assert form.submit(edited(entries(form.render()), at, "7")).data["v"] == 7


@pytest.mark.parametrize(
    ("schema", "data", "name", "last"),
    [
        ({"oneOf": [WORDS, BOX]}, {"kind": "words", "text": "a", "note": 5}, "#/v;1/text", "7"),
        ({"anyOf": [NUMBER, TEXT]}, 5, "#/v;1", "typed"),
    ],
)
def test_what_is_typed_before_the_value_comes_stays(
    schema: Json, data: Json, name: str, last: str
) -> None:
    """The script asks for the value when an alternative is chosen, and the answer takes a while."""
    form = widget_type(members(v=schema)).form_json(json.dumps({"v": data}))
    pairs = without(edited(entries(form.render()), "kind#/v", "1"), [name])
    submission = form.submit([*pairs, (name, "typed"), ("do", "carry#/v;0")])
    value = submission.data["v"]
    assert (value["text"] if isinstance(value, dict) else value) == "typed"
    assert not isinstance(value, dict) or value["note"] == 5
    # What was typed earlier, and shown since, is replaced by what was typed into the other one, if
    # that had it as well.
    shown = entries(submission.form.render())
    there = form.submit([*edited(shown, "kind#/v", "0"), ("do", "carry#/v;1")])
    pairs = entries(there.form.render())
    first = name.replace(";1", ";0")
    back = edited(edited(pairs, first, "7"), "kind#/v", "1")
    value = form.submit([*back, ("do", "carry#/v;0")]).data["v"]
    assert (value["text"] if isinstance(value, dict) else value) == last


# There and back: what was typed before another alternative was chosen

# Schema, value, the control of the first one with its text, the same of the second one
TYPED: Final[list[tuple[str, Json, Json, tuple[str, str], tuple[str, str]]]] = [
    ("texts", {"anyOf": [TEXT, MOMENT]}, "old", ("#/v;0", "mine"), ("#/v;1", DATE)),
    ("text and number", {"anyOf": [TEXT, NUMBER]}, "old", ("#/v;0", "mine"), ("#/v;1", "5")),
    ("number and text", {"anyOf": [NUMBER, TEXT]}, 1, ("#/v;0", "7"), ("#/v;1", "5")),
    ("stored number", {"anyOf": [NUMBER, TEXT]}, 1, ("#/v;0", "7"), ("#/v;1", "1")),
    (
        "groups",
        {"oneOf": [WORDS, BOX]},
        {"kind": "words", "text": "old", "size": 5},
        ("#/v;0/text", "mine"),
        ("#/v;1/text", "other"),
    ),
    (
        "another member",
        {"oneOf": [WORDS, BOX]},
        {"kind": "words", "text": "old", "size": 5},
        ("#/v;0/size", "9"),
        ("#/v;1/text", "other"),
    ),
]


@pytest.mark.parametrize("merged", [(), (0,), (1,), (2,), (3,), (0, 1, 2, 3)])
@pytest.mark.parametrize(
    ("schema", "value", "first", "second"), [r[1:] for r in TYPED], ids=[r[0] for r in TYPED]
)
def test_what_was_typed_comes_back_with_its_alternative(
    schema: Json, value: Json, first: tuple[str, str], second: tuple[str, str], merged: Json
) -> None:
    """Nothing else comes out if others save meanwhile: `merged` are the posts before which."""

    def form(note: int | None) -> Form:
        data = {"v": value} if note is None else {"v": value, "note": note}
        return widget_type(members(v=schema, note=NUMBER)).form(data)

    pairs, now = entries(form(None).render()), form(None)
    edits = [[first], [("kind#/v", "1")], [second], [("kind#/v", "0")]]
    for number, controls in enumerate(edits):
        for name, text in controls:
            pairs = edited(pairs, name, text)
        now = form(number) if number in merged else now
        posted = now.submit([*pairs, ("do", "check")], on_stale="rebase")
        pairs = entries(posted.form.render())
    shown = dict(pairs)
    assert (shown[first[0]], shown[second[0]]) == (first[1], second[1])
    only = form(None).submit({first[0]: first[1]})
    assert posted.data["v"] == only.data["v"]


def test_the_stored_value_can_be_typed_over_one_that_came_along(scripted: bool) -> None:
    person = Person({"anyOf": [NUMBER, TEXT]}, {"v": 1}, scripted=scripted)
    person.fill("#/v;0", "7")
    person.choose(1)
    person.press("check")
    assert dict(person.pairs)["#/v;1"] == "7"
    person.fill("#/v;1", "1")
    assert person.send().data == {"v": "1"}


GROUP: Final = {"type": "object", **members(size=NUMBER, text=TEXT)}
SIZES: Final = {"type": "object", **members(size=TEXT, text=TEXT)}


@pytest.mark.parametrize(
    ("schema", "value", "first", "second", "data"),
    [
        ({"anyOf": [TEXT, NUMBER]}, "old", ("#/v;0", "mine"), ("#/v;1", "5"), ("mine", 5)),
        ({}, "old", ("#/v;0", "mine"), ("#/v;1", "5"), ("mine", 5)),
        (
            {"anyOf": [SIZES, GROUP]},
            {"size": "old", "text": "old"},
            ("#/v;0/size", "mine"),
            ("#/v;1/size", "5"),
            ({"size": "mine", "text": "old"}, {"size": 5, "text": "old"}),
        ),
    ],
    ids=str,
)
def test_what_another_alternative_cannot_hold_comes_back_with_its_own(
    schema: Json,
    value: Json,
    first: tuple[str, str],
    second: tuple[str, str],
    data: tuple[Json, Json],
    scripted: bool,
) -> None:
    person = Person(schema, {"v": value}, scripted=scripted)
    before = int(dict(person.pairs)["kind#/v"])
    for _ in range(2):
        person.fill(*first)
        person.choose(1 - before)
        person.press("check")
        person.fill(*second)
        person.choose(before)
        person.press("check")
        assert person.send().data == {"v": data[0]}
        person.choose(1 - before)
        person.press("check")
        assert person.send().data == {"v": data[1]}
        person.choose(before)
        person.press("check")


@pytest.mark.parametrize("typed", ["#/v;0", "#/v;1"])
def test_a_read_only_alternative_does_not_protect_a_null_that_it_does_not_describe(
    typed: str,
) -> None:
    own = {**NUMBER, "readOnly": True}
    form = widget_type(members(v={"oneOf": [own, TEXT, {"type": "null"}]})).form_json('{"v": null}')
    pairs = edited(edited(entries(form.render()), typed, "7"), "kind#/v", typed[-1])
    assert form.submit(pairs).data == {"v": 7 if typed == "#/v;0" else "7"}
    own = {"type": ["number", "null"], "readOnly": True}
    form = widget_type(members(v={"oneOf": [own, TEXT]})).form_json('{"v": null}')
    assert form.submit({typed: "7", "kind#/v": typed[-1]}).text == form.text


def test_a_text_that_cannot_be_read_comes_back_with_its_group(scripted: bool) -> None:
    person = Person({"anyOf": [GROUP, SIZES]}, {"v": {"size": 1, "text": "a"}}, scripted=scripted)
    person.fill("#/v;0/size", "no number")
    for index in (1, 0):
        person.press("check")
        person.choose(index)
    person.press("check")
    assert dict(person.pairs)["#/v;0/size"] == "no number"
    assert person.send().data == {"v": {"size": 1, "text": "a"}}

"""Controls that come back: the original token, or what was typed.

Controls are posted by their names, without HTML: what is not posted is unchanged. The numbers are
those of the rules of submission.
"""

from __future__ import annotations

from dataclasses import replace
from json import dumps
from typing import Final

import pytest

from tests.patching import (
    FLAG,
    HUGE,
    NUMBER,
    TEXT,
    WHOLE,
    Json,
    changed_lines,
    members,
    read,
    said,
    submit,
    widget_type,
)
from widgetschema.findings import Finding

# 1. What is posted as it was shown keeps its token, its place, its neighbours

TOKENS: Final = r"""{ "z":1.0,
    "text" :"\u00e9\/", "list": [1e3,  -0, 1E+2],
  "flag": true, "free": {"b":1e400,"a":[ ]},"unknown": "x" }
"""
SHOWN: Final = {
    "#/text": "é/",
    "#/z": "1.0",
    "#/list/0": "1e3",
    "#/flag": "true",
    "order#/list": "0,1,2",
    "kind#/free": "0",
    "order#/free;0": "b,a",
    "#/free;0/b;1": "1e400",
    "order#/free;0/a;3": "",
    "state#/text": "set",
}
MIXED: Final = members(
    text=TEXT, z=NUMBER, list={"type": "array", "items": NUMBER}, flag=FLAG, free={"type": "object"}
)


@pytest.mark.parametrize("fields", [{}, SHOWN, *({name: SHOWN[name]} for name in SHOWN)], ids=list)
def test_an_untouched_form_gives_back_the_same_bytes(fields: dict[str, str]) -> None:
    submission = submit(MIXED, TOKENS, fields)
    assert submission.text == TOKENS
    assert not submission.changed
    assert submission.complete
    assert said(submission) == [("json.number", "/free/b")]
    assert not submission.valid


@pytest.mark.parametrize(
    ("fields", "old", "new"),
    [
        ({"#/text": "è"}, r'"\u00e9\/"', r'"\u00e8"'),
        ({"#/z": "1"}, "1.0", "1"),
        ({"#/list/1": "0"}, "-0", "0"),
        ({"#/flag": "false"}, "true", "false"),
        ({"kind#/free": "1", "#/free;1": "{}"}, '{"b":1e400,"a":[ ]}', "{}"),
        ({"#/free;0/b;1": "1e5"}, "1e400", "1e5"),
    ],
    ids=list,
)
def test_an_edit_changes_its_token_alone(fields: dict[str, str], old: str, new: str) -> None:
    assert submit(MIXED, TOKENS, fields).text == TOKENS.replace(old, new)


def test_members_keep_their_order_and_new_ones_stand_behind_their_neighbours() -> None:
    schema = members(a=TEXT, b=TEXT, c=TEXT, d=TEXT)
    text = '{\n  "d": "4",\n  "other": 0,\n  "b": "2"\n}\n'
    submission = submit(schema, text, {"#/c": "3", "#/a": "1"})
    assert submission.data == {"a": "1", "d": "4", "other": 0, "b": "2", "c": "3"}
    assert list(submission.data) == ["a", "d", "other", "b", "c"]
    assert changed_lines(text, submission.text) == [
        '+  "a": "1",', '-  "b": "2"', '+  "b": "2",', '+  "c": "3"',
    ]  # fmt: skip


# 2. Optional fields show and keep their state

OPTIONAL: Final = members(text={"type": ["string", "null"]}, size={"type": ["number", "null"]})


@pytest.mark.parametrize(
    ("text", "fields", "result"),
    [
        ("{}", {"#/text": ""}, "{}"),
        ("{}", {"#/text": "", "state#/text": "unset"}, "{}"),
        ("{}", {"#/text": "", "state#/text": "empty"}, '{"text": ""}'),
        ("{}", {"#/text": "", "state#/text": "set"}, "{}"),
        ("{}", {"#/text": "", "state#/text": "null"}, '{"text": null}'),
        ("{}", {"#/text": "a", "state#/text": "unset"}, '{"text": "a"}'),
        ('{"text": "a"}', {"state#/text": "unset"}, "{}"),
        ('{"text": "a"}', {"state#/text": "unset", "#/text": "b"}, '{"text": "b"}'),
        ('{"text": "a"}', {"state#/text": "null"}, '{"text": null}'),
        ('{"text": "a"}', {"#/text": ""}, "{}"),
        ('{"text": "a"}', {"#/text": "", "state#/text": "set"}, "{}"),
        ('{"text": "a"}', {"#/text": "", "state#/text": "empty"}, '{"text": ""}'),
        ('{"text": ""}', {"#/text": "", "state#/text": "set"}, '{"text": ""}'),
        ('{"text": ""}', {"state#/text": "unset"}, "{}"),
        ('{"text": null}', {"#/text": "", "state#/text": "set"}, '{"text": null}'),
        ('{"text": 5}', {"#/text": ""}, "{}"),
        ('{"text": ""}', {"#/text": ""}, '{"text": ""}'),
        ('{"text": ""}', {"#/text": "b"}, '{"text": "b"}'),
        ('{"text": null}', {"#/text": ""}, '{"text": null}'),
        ('{"text": null}', {"#/text": "b", "state#/text": "null"}, '{"text": "b"}'),
        ('{"text": null}', {"state#/text": "unset"}, "{}"),
        ('{"text": 5}', {}, '{"text": 5}'),
        ('{"text": 5}', {"state#/text": "unset"}, "{}"),
        ('{"text": 5}', {"state#/text": "unset", "#/text": ""}, "{}"),
        ('{"text": 5}', {"state#/text": "set", "#/text": "five"}, '{"text": "five"}'),
        ("{}", {"#/size": ""}, "{}"),
        ("{}", {"#/size": "", "state#/size": "set"}, "{}"),
        ("{}", {"#/size": "2"}, '{"size": 2}'),
        ('{"size": 2}', {"#/size": ""}, "{}"),
        ('{"size": 2}', {"state#/size": "null"}, '{"size": null}'),
        ('{"size": null}', {"#/size": ""}, '{"size": null}'),
        ('{"size": null}', {"#/size": "0"}, '{"size": 0}'),
    ],
)
def test_states(text: str, fields: dict[str, str], result: str) -> None:
    submission = submit(OPTIONAL, text, fields)

    assert submission.data == read(result)
    assert submission.complete


# 3. Optional booleans have three states; required ones are a checkbox

REQUIRED_FLAG: Final = {**members(on=FLAG), "required": ["on"]}


@pytest.mark.parametrize(
    ("schema", "text", "fields", "data"),
    [
        (members(on=FLAG), "{}", {"#/on": "unset"}, {}),
        (members(on=FLAG), "{}", {"#/on": "false"}, {"on": False}),
        (members(on=FLAG), '{"on": true}', {"#/on": "unset"}, {}),
        (members(on=FLAG), '{"on": true}', {"#/on": "false"}, {"on": False}),
        (members(on=FLAG), '{"on": "yes"}', {"#/on": "kept"}, {"on": "yes"}),
        (members(on=FLAG), '{"on": "yes"}', {"#/on": "true"}, {"on": True}),
        (REQUIRED_FLAG, '{"on": true}', {"present#/on": "1"}, {"on": False}),
        (REQUIRED_FLAG, '{"on": true}', {}, {"on": True}),
        (REQUIRED_FLAG, '{"on": true}', {"present#/on": "1", "#/on": "true"}, {"on": True}),
        (REQUIRED_FLAG, '{"on": false}', {"present#/on": "1"}, {"on": False}),
        (REQUIRED_FLAG, '{"on": false}', {"present#/on": "1", "#/on": "true"}, {"on": True}),
        (REQUIRED_FLAG, "{}", {}, {}),
        (REQUIRED_FLAG, "{}", {"#/on": "false"}, {"on": False}),
    ],
)
def test_booleans(schema: Json, text: str, fields: dict[str, str], data: Json) -> None:
    submission = submit(schema, text, fields)
    assert submission.data == data
    assert (submission.text == text) is (data == read(text))


# 4. Enumerations submit an index

VALUES: Final = [1, "1", None, True, "", 1.5, ["a"], {"a": [0]}]


@pytest.mark.parametrize("value", VALUES, ids=dumps)
@pytest.mark.parametrize("text", ["{}", '{"v": "1"}', '{"v": "other"}', '{"v": [ "a" ]}'])
def test_enumerations(text: str, value: Json) -> None:
    form = widget_type(members(v={"enum": VALUES})).form_json(text)
    field = form.field("/v")
    assert field is not None
    known = [choice for choice in field.choices if choice.value is not None]
    [id] = [one.id for one in known if dumps(read(one.value or "")) == dumps(value)][:1]
    submission = form.submit({"#/v": id})
    assert dumps(submission.data) == dumps({"v": value})
    assert submission.valid
    assert submission.changed is (dumps(submission.data) != dumps(read(text)))


@pytest.mark.parametrize(
    ("text", "id", "result"),
    [
        ('{"v": "other"}', "kept", '{"v": "other"}'),
        ('{"v": "other"}', "unset", "{}"),
        ('{"v": 1}', "unset", "{}"),
        ("{}", "unset", "{}"),
    ],
)
def test_what_is_no_value_of_an_enumeration(text: str, id: str, result: str) -> None:
    assert read(submit(members(v={"enum": VALUES}), text, {"#/v": id}).text) == read(result)


@pytest.mark.parametrize("id", ["8", "-1", "x", "", "null", "kept", "0 ", "१"])
def test_an_id_that_is_no_choice_changes_nothing(id: str) -> None:
    submission = submit(members(v={"enum": ["a", "b"]}), '{"v": "a"}', {"#/v": id})
    assert submission.text == '{"v": "a"}'
    assert said(submission) in ([("enum", "/v")], [])


# 5. Numbers are text, read by JSON's grammar


@pytest.mark.parametrize(
    ("typed", "token"),
    [
        ("1.0", "1.0"),
        (" 7 ", "7"),
        ("9007199254740993", "9007199254740993"),
        ("1e3", "1e3"),
        ("-0.0", "-0.0"),
        ("1E-2", "1E-2"),
        ("0.10", "0.10"),
    ],
)
def test_numbers_stay_as_they_were_typed(typed: str, token: str) -> None:
    submission = submit(members(n=NUMBER, i=WHOLE), '{"n": 5}', {"#/n": typed, "#/i": "1.0"})
    assert submission.text == f'{{"n": {token}, "i": 1.0}}'
    assert submission.valid


@pytest.mark.parametrize("number", ["1e400", "-1e400", HUGE], ids=["1e400", "-1e400", "long"])
@pytest.mark.parametrize("text", ['{{"n": {}}}', '{{"n": 5, "was": {}}}'])
def test_numbers_that_no_double_holds_stay_and_are_reported(text: str, number: str) -> None:
    text = text.format(number)
    schema = members(n={"type": "number", "minimum": 0}, was={}, more={"type": "string"})
    submission = submit(schema, text, {"#/n": number, "#/more": "x"})
    assert f'"n": {number}' in submission.text
    assert submission.complete
    assert {keyword for keyword, _ in said(submission)} == {"json.number"}
    [message] = {finding.message for finding in submission.report}
    shown = number if len(number) <= 40 else f"{number[:39]}…"
    assert message == f"the number {shown} is too large for a double (about 1.8e308)"
    fresh = widget_type(schema).form_json(submission.text)
    unplaced = [replace(one, line=None, column=None) for one in fresh.report]
    assert unplaced == [*submission.report]
    assert {one.line for one in fresh.report} == {1}


def test_beside_such_a_number_everything_else_is_found() -> None:
    schema = {**members(n=NUMBER, b=TEXT), "required": ["c"]}
    submission = submit(schema, '{"n": 1e400, "b": 1}', {})
    assert said(submission) == [("json.number", "/n"), ("type", "/b"), ("required", "")]


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("abc", None),
        ("1,5", "write 1.5"),
        ("1,500", None),
        ("+5", "write 5"),
        (".5", "write 0.5"),
        ("5.", "write 5"),
        ("007", "write 7"),
        ("-07.50", "write -7.50"),
        ("\u22125", "write -5"),
        ("NaN", None),
        ("Infinity", None),
        ("0x10", None),
        ("1 2", None),
        (".", None),
        ("१२", None),
        ("--5", None),
        ("5" * 400 + "x", None),
    ],
    ids=lambda value: ascii(value)[:12],
)
def test_what_is_no_number_stays_in_the_form(typed: str, hint: str | None) -> None:
    submission = submit({**members(n=NUMBER), "required": ["n"]}, '{"n": 5}', {"#/n": typed})
    assert submission.text == '{"n": 5}'
    assert not submission.complete
    assert not submission.valid
    [finding] = submission.report
    field = submission.form.field("/n")
    assert field is not None
    assert field.findings == (finding,)
    assert field.shown.text == typed
    shown = dumps(typed, ensure_ascii=False) if len(typed) < 70 else finding.message[:80]
    assert finding == Finding(
        "type",
        "/n",
        "/properties/data/properties/n/type",
        f"{shown} is a string, but must be a number",
        hint,
        expected=["number"],
    )


@pytest.mark.parametrize(("typed", "hint"), [("12,50", None), ("12,0", "write 12.0")])
def test_a_whole_number_is_never_said_to_be_meant_as_another(typed: str, hint: str | None) -> None:
    [finding] = submit(members(n={"type": "integer"}), '{"n": 5}', {"#/n": typed}).report
    assert finding.hint == hint


@pytest.mark.parametrize("kind", ["number", "integer"])
def test_the_sentence_is_that_of_the_validator(kind: str) -> None:
    schema = {"type": kind}
    posted = submit(schema, "5", {"#": "abc"}).report.findings
    (found,) = widget_type(schema).check("abc")
    assert [(one.message, one.schema_path, one.expected) for one in posted] == [
        (found.message, found.schema_path, found.expected)
    ]


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({**members(n=NUMBER), "required": ["n"]}, '{"n": 5}'),
        ({"type": "array", "items": NUMBER}, "[5]"),
        ({"additionalProperties": NUMBER}, '{"n": 5}'),
        (NUMBER, "5"),
    ],
)
def test_a_number_that_must_be_there_cannot_be_cleared(schema: Json, text: str) -> None:
    form = widget_type(schema).form_json(text)
    [field] = [field for field in form if field.kind == "number"]
    submission = form.submit({field.name: " "})
    assert submission.text == text
    [finding] = submission.report
    assert (finding.keyword, finding.path) == ("type", field.path)
    assert finding.message == "nothing is typed here, but it must be a number"


# 6. Newlines


@pytest.mark.parametrize(
    ("value", "typed", "result"),
    [
        ("a\nb", "a\r\nb", "a\nb"),
        ("a\r\nb", "a\r\nb", "a\r\nb"),
        ("a\rb\nc", "a\r\nb\r\nc", "a\rb\nc"),
        ("\na", "\r\na", "\na"),
        ("a\n", "a\r\n", "a\n"),
        ("a\n", "a", "a"),
        ("a\r\nb\r\n", "a\r\nb\r\nc", "a\r\nb\r\nc"),
        ("a\r\nb\r\n", "a\r\nx\r\nb\r\n", "a\r\nx\r\nb\r\n"),
        ("a\r\nb\nc\nd", "a\r\nb\r\nX\r\nd", "a\r\nb\nX\nd"),
        ("a\r\nb\r\nc\nd", "a\r\nnew\r\nb\r\nc\r\nd", "a\r\nnew\r\nb\r\nc\nd"),
        ("a\rb", "a\r\nb\r\nc", "a\rb\rc"),
        ("a\r\nb\r\nc", "b\r\nc", "b\r\nc"),
        ("a\r\n", "\r\n", "\r\n"),
    ],
    ids=ascii,
)
def test_newlines(value: str, typed: str, result: str) -> None:
    text = dumps({"t": value})
    submission = submit(members(t=TEXT), text, {"#/t": typed})
    assert submission.data == {"t": result}
    assert (submission.text == text) is (value == result)


@pytest.mark.parametrize("typed", ['"', "\\", "\t\x01", "\u2028", "</script>", "😀", "\x7f", " "])
def test_any_text_can_be_typed(typed: str) -> None:
    submission = submit(members(t=TEXT), '{"t": ""}', {"#/t": typed})
    assert submission.data == {"t": typed}
    assert read(submission.text) == {"t": typed}
    assert submission.valid


@pytest.mark.parametrize(
    ("token", "typed", "result"),
    [
        (r'"caf\u00e9"', "thé", r'"th\u00e9"'),
        ('"café"', "thé", '"thé"'),
        ('"cafe"', "thé", '"thé"'),
        (r'"\u0041\n"', "é", '"é"'),
    ],
)
def test_escapes_stay_in_the_style_of_the_text(token: str, typed: str, result: str) -> None:
    assert submit(members(t=TEXT), f'{{"t": {token}}}', {"#/t": typed}).text == (
        f'{{"t": {result}}}'
    )


# 7 and 8. For date-times and colours, the text is the truth


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string", "format": "date-time"}, "2026-11-27T00:00:00.120+05:30"),
        ({"type": "string", "format": "date-time"}, "2026-11-27t00:00:00z"),
        ({"type": "string", "format": "date-time"}, "tomorrow"),
        ({"type": "string", "format": "date"}, "2026-11-27"),
        (TEXT, "rgba(1, 2, 3, .5)"),
        (TEXT, "linear-gradient(red, BLUE)"),
        (TEXT, "#FFF"),
    ],
)
def test_the_text_is_the_truth(schema: Json, value: str) -> None:
    text = dumps({"titleColor": value, "other": 1})
    type = members(titleColor=schema)
    assert submit(type, text, {"#/titleColor": value, "#/other": "2"}).data["titleColor"] == value
    submission = submit(type, '{"titleColor": "x"}', {"#/titleColor": value})
    assert submission.data == {"titleColor": value}


# 9. Free-form JSON, and alternatives

FREE: Final = members(free={"type": "object"}, any={})


def as_json(name: str, typed: str) -> dict[str, str]:
    """Return the submission of somebody who chooses to edit a member of `FREE` as JSON."""
    index = {"any": 6, "free": 1}[name]
    return {f"kind#/{name}": str(index), f"#/{name};{index}": typed}


@pytest.mark.parametrize(
    ("typed", "result"),
    [
        ('{"a": 1e400}', '{"a": 1e400}'),
        (' {"b":1.0, "a":2} ', '{"b":1.0, "a":2}'),
        ('"123"', '"123"'),
        ("123", "123"),
        ("null", "null"),
        ("[1 ,2]", "[1 ,2]"),
    ],
)
def test_json_stays_as_it_was_typed(typed: str, result: str) -> None:
    submission = submit(FREE, '{"any": 0}', as_json("any", typed))
    assert submission.text == f'{{"any": {result}}}'
    assert submission.complete


def test_json_of_several_lines_stays_on_the_line_of_the_text() -> None:
    submission = submit(FREE, '{"any": 0}', as_json("any", ' {"b":1.0,\r\n "a":2} '))
    assert submission.text == '{"any": {"b": 1.0, "a": 2}}'


def test_json_of_several_lines_is_laid_out_at_its_place() -> None:
    text = '{\n  "free": {\n    "a": 1\n  }\n}\n'
    form = widget_type(FREE).form_json(text)
    field = form.submit({"kind#/free": "1"}).form.field("/free")
    assert field is not None
    assert field.chosen.shown.text == '{\n  "a": 1\n}'
    submission = form.submit(as_json("free", '{\r\n  "a": 1,\r\n  "b": 2\r\n}'))
    assert changed_lines(text, submission.text) == [
        '-    "a": 1', '+    "a": 1,', '+    "b": 2',
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "keyword", "path", "message"),
    [
        ('{"a": 1, "a": 2}', "json.duplicate-member", "/any/a", 'the member "a" appears twice'),
        ("NaN", "json.number", "/any", "JSON has no NaN"),
        ("{\n'a': 1}", "json.syntax", "/any", "a member name in single quotes"),
        ("[1,]", "json.syntax", "/any", "a comma before ']' is not allowed"),
        ("[" * 250, "json.depth", "/any" + "/0" * 199, "nested deeper than the limit of 199"),
        ("\ufeff1", "json.encoding", "/any", "the text begins with a byte order mark"),
    ],
    ids=lambda value: ascii(value)[:20],
)
def test_what_is_no_json_stays_in_the_form(
    typed: str, keyword: str, path: str, message: str
) -> None:
    submission = submit(FREE, '{"any": {"b": 1}}', as_json("any", typed))
    assert submission.text == '{"any": {"b": 1}}'
    assert not submission.complete
    [finding] = submission.report
    assert (finding.keyword, finding.path) == (keyword, path)
    assert finding.message.startswith(message)
    assert (finding.line, finding.column) == (None, None)
    field = submission.form.field("/any")
    assert field is not None
    assert field.chosen.shown.text == typed
    assert field.chosen.findings == (finding,)


def test_a_mistake_in_json_says_its_line() -> None:
    [finding] = submit(FREE, '{"any": 0}', as_json("any", "{\r\n  x}")).report
    assert finding.message == "expected a member name, found 'x' (line 2, column 3)"


@pytest.mark.parametrize(
    ("text", "required", "result"),
    [('{"free": 0}', [], "{}"), ('{"free": 0}', ["free"], '{"free": 0}'), ("{}", [], "{}")],
)
def test_json_can_be_cleared_where_it_is_optional(
    text: str, required: list[str], result: str
) -> None:
    submission = submit({**FREE, "required": required}, text, {"#/free;1": ""})
    assert submission.text == result
    assert submission.complete is not bool(required)

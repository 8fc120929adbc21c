"""Secrets: no page, finding or change has them, and what is not replaced stays."""

from __future__ import annotations

import html
import json
import re
from typing import Any, Final

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.browsing import Pairs, edited, entries
from tests.posting import as_shown, forms_of
from widgetschema import Form, StaleForm, WidgetType
from widgetschema.forms import FormFactory, use_secret_key
from widgetschema.forms.conflicts import choice_names
from widgetschema.forms.fields.placeholders import placeholders_in
from widgetschema.forms.secrecy import HIDDEN

SECRET: Final = "s3cr3t-Value"
SCHEMA: Final = {
    "properties": {
        "key": {"type": "string", "writeOnly": True, "minLength": 20, "title": "Key"},
        "password": {"type": "string", "format": "password"},
        "pin": {"type": "integer", "writeOnly": True},
        "account": {"type": "object", "writeOnly": True, "properties": {"a": {"type": "string"}}},
        "choice": {"enum": [SECRET, "b"], "writeOnly": True},
        "users": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "password": {"type": "string", "format": "password"},
                },
            },
        },
        "either": {
            "oneOf": [
                {"type": "string", "format": "password"},
                {"type": "object", "properties": {"text": {"type": "string"}}},
            ]
        },
        "rest": {"$ref": "#/definitions/rest"},
        "title": {"type": "string"},
    },
    "definitions": {
        "rest": {
            "type": "object",
            "properties": {"a": {}},
            "items": {"properties": {"token": {"writeOnly": True}}},
        }
    },
}
TEXT: Final = json.dumps(
    {
        "key": SECRET,
        "password": SECRET,
        "pin": 271828,
        "account": {"a": SECRET},
        "choice": SECRET,
        "users": [{"name": "A", "password": SECRET}, {"name": "B", "password": SECRET + "2"}],
        "either": SECRET,
        "rest": [{"token": SECRET}],
        "title": "T",
    },
    indent=1,
)
FORMS: Final[FormFactory] = forms_of(SCHEMA)
NAMES: Final = ["#/key", "#/password", "#/pin", "#/account", "#/choice", "#/users/0/password"]


def form_of(text: str = TEXT, **ui: Any) -> Form:
    return FORMS.form_json(text, **ui)


def seen(form: Form) -> str:
    """Everything that somebody can see of a form."""
    sentences = [form.sentence(one) for one in form.report]
    said = [f"{one.message} {one.hint}" for one in form.report]
    return "\n".join([form.page(), str(form.report), form.base, form.data_text, *sentences, *said])


def tells(text: str) -> bool:
    return SECRET in text or "271828" in text


def test_no_page_has_a_secret() -> None:
    form = form_of()
    assert not form.report.valid
    assert not tells(seen(form))
    assert not tells(seen(form.submit({"#/title": "U", "do": "add#/users"}).form))
    assert not tells(json.dumps(form.submit({"#/title": "U"}).answer(live="/check")))


@pytest.mark.parametrize("post", [as_shown, lambda form: entries(form.render())])
def test_what_is_not_replaced_stays(post: Any) -> None:
    form = form_of()
    assert form.submit(post(form)).text == TEXT
    assert form.submit(edited(post(form), "#/title", "U")).text == TEXT.replace('"T"', '"U"')


@pytest.mark.parametrize(
    ("name", "typed", "value"),
    [
        ("#/key", "new", "new"),
        ("#/pin", "5", 5),
        ("#/account", '{"a": "b"}', {"a": "b"}),
        ("#/choice", '"b"', "b"),
        ("#/users/0/password", " new ", " new "),
        ("#/either;0", "new", "new"),
    ],
)
def test_a_secret_is_replaced(name: str, typed: str, value: Any) -> None:
    form = form_of()
    submission = form.submit(edited(entries(form.render()), name, typed))
    at: Any = submission.data
    for token in name.removeprefix("#/").partition(";")[0].split("/"):
        at = at[int(token) if token.isdecimal() else token]
    assert at == value
    [change] = submission.changes
    assert not tells(repr(change))
    assert typed not in repr(change)
    assert submission.text.count(SECRET) == TEXT.count(SECRET) - (name != "#/pin")


def test_a_secret_is_removed_by_the_menu() -> None:
    submission = form_of().submit({"state#/key": "unset", "state#/password": "emptied"})
    assert "key" not in submission.data
    assert submission.data["password"] == ""
    assert not any(tells(repr(change)) for change in submission.changes)


def test_a_new_secret_that_is_not_saved_is_typed_once() -> None:
    """The page that comes back has it, for the one who has just sent it; else it would be lost."""
    form = form_of().submit({"#/password": "typed", "do": "add#/users"}).form
    page = form.render()
    assert 'type="password" id="ws-_fpassword"' in page or 'value="typed"' in page
    assert form.submit(entries(page)).data["password"] == "typed"


def test_findings_about_what_was_typed_do_not_tell_it() -> None:
    submission = form_of().submit({"#/key": "typed-now", "#/pin": "typed-now"})
    assert "typed-now" not in str(submission.report)
    assert not tells(str(submission.report))


def test_a_value_that_holds_a_secret_is_not_shown_as_json() -> None:
    field = form_of().field("/rest")
    assert field is not None
    assert (field.kind, field.shown.text, field.shape.secret) == ("json", "", True)


def test_another_alternative_does_not_show_a_secret() -> None:
    form = form_of().submit({"kind#/either": "1", "was#/either": "0", "do": "carry#/either;0"}).form
    assert not tells(form.page())


def test_edits_of_others_are_merged_without_secrets() -> None:
    page = form_of()
    posted: Pairs = edited(entries(page.render()), "#/title", "Mine")
    posted = edited(posted, "#/key", "mine")
    assert not tells(json.dumps(posted))
    now = form_of(TEXT.replace("271828", "3").replace('"title": "T"', '"title": "T", "z": 1'))
    submission = now.submit(posted, on_stale="rebase")
    assert submission.data["title"] == "Mine"
    assert submission.data["key"] == "mine"
    assert submission.data["pin"] == 3
    assert submission.data["users"] == now.data["users"]
    assert not tells(submission.notice + seen(submission.form))


def replaced(text: str, name: str, value: str) -> Form:
    """The form after somebody else has replaced a secret."""
    form = form_of(text)
    return form_of(form.submit(edited(entries(form.render()), name, value)).text)


@pytest.mark.parametrize("also", [{}, {"#/title": "Mine"}])
@pytest.mark.parametrize("name", ["#/key", "#/password", "#/account", "#/users/1/password"])
def test_a_secret_that_two_people_replace_is_a_conflict(name: str, also: dict[str, str]) -> None:
    page = form_of()
    values = ("my-own", "of-another")
    if name == "#/account":
        values = ('{"a": "my-own"}', '{"a": "of-another"}')
    posted = edited(entries(page.render()), name, values[0])
    for other, value in also.items():
        posted = edited(posted, other, value)
    now = replaced(TEXT, name, values[1])
    with pytest.raises(StaleForm) as caught:
        now.submit(posted)
    assert not any(word in seen(caught.value.form) for word in ("of-another", SECRET))
    submission = now.submit(posted, on_stale="rebase")
    [conflict] = submission.conflicts
    assert not submission.valid
    assert submission.text == now.text
    assert conflict.is_secret
    shown = "".join((repr(conflict), repr(submission), seen(submission.form)))
    assert not any(word in shown for word in ("of-another", SECRET))
    again = entries(submission.form.render())
    path = f"#{conflict.path}"
    for side, value in zip(("mine", "theirs"), values, strict=True):
        choice = next(one for one in choices_of(submission.form) if one[1].startswith(side))
        done = now.submit([*again, choice], on_stale="rebase")
        assert not done.conflicts
        assert (value in done.text) or (json.dumps(value) in done.text)
        assert done.data["title"] == also.get("#/title", "T")
        later = replaced(now.text, path, values[1].replace("another", "a-third"))
        assert later.submit([*again, choice], on_stale="rebase").conflicts


def test_exports_list_the_secrets_that_they_have() -> None:
    places = ["/key", "/password", "/pin", "/account", "/choice"]
    places += ["/users/0/password", "/users/1/password", "/either", "/rest/0/token"]
    for export in (form_of().to_rjsf(), form_of().to_jsonforms()):
        assert [one.path for one in export.losses if one.kind == "secrecy"] == places
        assert not tells(str([str(one) for one in export.losses]))


def choices_of(form: Form) -> list[tuple[str, str]]:
    """The controls that decide the conflicts of a form."""
    found = re.findall(r'<input type="radio" name="(choice#[^"]*)" value="([^"]*)"', form.render())
    return [(html.unescape(name), value) for name, value in found]


def test_secrets_that_only_one_has_replaced_are_merged() -> None:
    page = form_of()
    mine = edited(entries(page.render()), "#/key", "mine")
    for now in (replaced(TEXT, "#/password", "theirs"), replaced(TEXT, "#/pin", "5")):
        submission = now.submit(mine, on_stale="rebase")
        assert submission.data["key"] == "mine"
        assert submission.text == now.text.replace(f'"key": "{SECRET}"', '"key": "mine"')
        assert now.submit(mine).text == submission.text
    title = edited(entries(page.render()), "#/title", "Mine")
    assert replaced(TEXT, "#/key", "theirs").submit(title).data["key"] == "theirs"


def test_nobody_without_the_key_learns_from_a_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    assert form_of().base == form_of().base
    assert form_of().base != replaced(TEXT, "#/pin", "5").base
    shown = form_of()
    posted = edited(entries(shown.render()), "#/key", "mine")
    monkeypatch.setattr("widgetschema.forms.secrecy._KEYS", [b"another key of another process"])
    assert form_of().base != shown.base
    now = replaced(TEXT, "#/key", "theirs")
    with pytest.warns(UserWarning, match="use_secret_key"):  # nobody can tell: said, not refused
        assert now.submit(posted).data["key"] == "mine"


def test_the_key_of_several_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("widgetschema.forms.secrecy._KEYS", [b"the key of this process"])
    with pytest.raises(ValueError, match="at least 16 bytes, not 5"):
        use_secret_key("short")
    use_secret_key("the same in each process")
    one = form_of().base
    use_secret_key(b"the same in each process")
    assert form_of().base == one


def test_conflicts_do_not_tell_secrets() -> None:
    page = form_of()
    posted = edited(entries(page.render()), "order#/users", "1")
    now = form_of(TEXT.replace('"name": "A"', '"name": "C"'))
    with pytest.raises(StaleForm) as caught:
        now.submit(posted)
    assert not tells(seen(caught.value.form))
    submission = now.submit(posted, on_stale="rebase")
    [conflict] = submission.conflicts
    assert conflict.is_secret
    assert not tells(seen(submission.form) + repr(submission))


ROWS: Final = forms_of(
    {
        "properties": {
            "title": {"type": "string"},
            "group": {
                "type": "object",
                "properties": {"a": {"type": "string"}, "key": {"writeOnly": True}},
            },
            "link": {
                "oneOf": [
                    {
                        "type": "object",
                        "properties": {"to": {"type": "string"}, "key": {"writeOnly": True}},
                        "required": ["to"],
                    },
                    {"type": "string"},
                ]
            },
            "rows": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string"},
                        "n": {"type": "integer"},
                        "key": {"type": "string", "writeOnly": True},
                        "file": {"type": "string", "contentEncoding": "base64"},
                    },
                },
            },
        }
    }
)
A: Final = {"name": "A", "n": 1, "key": SECRET + "-a"}
B: Final = {"name": "B", "n": 2, "key": SECRET + "-b"}
NEW: Final = {"name": "N", "n": 0, "key": SECRET + "-n"}


def rows_form(rows: list[Any], **others: Any) -> Form:
    return ROWS.form_json(json.dumps({"title": "T", **others, "rows": rows}))


@pytest.mark.parametrize("now", [[B, A], [NEW, A, B], [B, NEW, A], [{**B, "n": 7}, A]])
@pytest.mark.parametrize(
    ("name", "typed"), [("#/title", "mine"), ("#/rows/0/n", "99"), ("#/rows/0/key", "my-own")]
)
def test_secrets_stay_with_their_rows(now: list[Any], name: str, typed: str) -> None:
    posted = edited(entries(rows_form([A, B]).render()), name, typed)
    submission = rows_form(now).submit(posted, on_stale="rebase", files={})
    member = name.rpartition("/")[2]
    value = 99 if typed == "99" else typed
    mine = {} if member == "title" else {member: value}
    assert submission.data["rows"] == [{**row, **mine} if row is A else row for row in now]
    assert submission.data["title"] == ("mine" if member == "title" else "T")
    assert submission.valid


def test_secrets_stay_with_their_rows_by_any_key(monkeypatch: pytest.MonkeyPatch) -> None:
    posted = edited(entries(rows_form([A, B]).render()), "#/rows/0/n", "99")
    monkeypatch.setattr("widgetschema.forms.secrecy._KEYS", [b"another key of another process"])
    with pytest.warns(UserWarning, match="use_secret_key"):
        submission = rows_form([NEW, A, B]).submit(posted, on_stale="rebase", files={})
    assert submission.data["rows"] == [NEW, {**A, "n": 99}, B]


@pytest.mark.parametrize("text", [True, False])
@pytest.mark.parametrize("now", [[B, A], [NEW, A, B], [B], []])
def test_a_stale_form_keeps_no_secret_in_another_row(now: list[Any], text: bool) -> None:
    posted = edited(entries(rows_form([A, B]).render()), "#/rows/0/n", "99")
    posted = edited(posted, "#/rows/1/key", "typed-now")
    if not text:
        posted = [one for one in posted if one[0] != "text#"]
    form = rows_form(now)
    with pytest.raises(StaleForm) as caught:
        form.submit(posted, files={})
    stale = caught.value.form
    rows = form.submit(entries(stale.render()), files={}).data["rows"]
    if text:  # who has which secret is known
        mine = {"A": {**A, "n": 99}, "B": {**B, "key": "typed-now"}}
        if A not in now:
            mine["A"].pop("key")
        assert sorted(map(str, rows)) == sorted(
            str(mine.get(row["name"], row))
            for row in (*now, *(one for one in (A, B) if one not in now))
        )
    elif now:
        assert '"99" was typed for N' in str(stale.report)
        assert rows == now
    assert not any(word in str(stale.report) for word in ("typed-now", SECRET))


def test_a_row_that_comes_back_has_no_secret() -> None:
    posted = edited(entries(rows_form([A, B]).render()), "#/rows/0/n", "99")
    form = rows_form([B])
    page = form.submit(posted, on_stale="rebase", files={}).form
    assert not tells(seen(page))
    choice = next(one for one in choices_of(page) if one[1].startswith("mine"))
    done = form.submit([*entries(page.render()), choice], on_stale="rebase", files={})
    assert done.data["rows"] == [{"name": "A", "n": 99}, B]
    assert not done.valid
    assert "was typed for Key" in str(done.report)
    assert form.submit(entries(done.form.render()), files={}).valid


@pytest.mark.parametrize(
    "mine", [("order#/rows", "1"), ("state#/group", "unset"), ("kind#/link", "1")]
)
def test_a_secret_that_is_replaced_and_removed_is_a_conflict(mine: tuple[str, str]) -> None:
    def form_with(key: str) -> Form:
        holder = {"group": {"a": "x", "key": key}, "link": {"to": "x", "key": key}}
        return rows_form([{**A, "key": key}, B], **holder)

    posted = edited(entries(form_with(SECRET).render()), *mine)
    if "link" in mine[0]:
        posted = edited(edited(posted, "#/link;1", "text"), "state#/link;1", "set")
    now = form_with("of-another")
    with pytest.raises(StaleForm):
        now.submit(posted, files={})
    submission = now.submit(posted, on_stale="rebase", files={})
    [conflict] = submission.conflicts
    assert conflict.is_secret
    assert not any(word in seen(submission.form) for word in ("of-another", SECRET))
    assert form_with(SECRET).submit(posted, files={}).valid


def test_a_secret_typed_into_a_row_that_another_removed_is_a_hidden_conflict() -> None:
    posted = edited(entries(rows_form([A]).render()), "#/rows/0/key", "typed-anew")
    submission = rows_form([]).submit(posted, on_stale="rebase", files={})
    [conflict] = submission.conflicts
    assert conflict.is_secret
    assert "typed-anew" not in repr(submission.conflicts)


def conflicts_of(form: Form) -> list[str]:
    return [one.text() for one in LexborHTMLParser(form.render()).css(".ws-conflict")]


@pytest.mark.parametrize(
    ("theirs", "note"),
    [
        ({**B, "n": 7, "key": SECRET + "-x"}, "changed: N, Key"),
        ({**B, "extraOne": 1}, "changed: Extra one"),
        ({**B, **{f"x{at}": at for at in range(9)}}, "changed: X0, X1, X2, X3, X4, …"),
    ],
)
def test_a_conflict_about_a_row_with_a_secret_says_what_differs(theirs: Any, note: str) -> None:
    posted = edited(entries(rows_form([A, B]).render()), "order#/rows", "0")
    submission = rows_form([A, theirs]).submit(posted, on_stale="rebase", files={})
    [sides] = conflicts_of(submission.form)
    assert "removed" in sides
    assert f"{HIDDEN} {note}" in sides
    assert sides.count(HIDDEN) == 2
    assert SECRET not in submission.form.render()


def test_a_conflict_about_a_secret_group_names_none_of_its_members() -> None:
    group = {"type": "object", "writeOnly": True, "properties": {"inner": {"type": "string"}}}
    schema = {"type": "array", "items": {"type": "object", "properties": {"group": group}}}
    form = forms_of({"properties": {"rows": schema}})
    rows = [{"group": {"inner": SECRET + one}} for one in "123"]
    page = form.form({"rows": rows[:2]})
    now = form.form({"rows": [rows[0], rows[2]]})
    posted = edited(entries(page.render()), "order#/rows", "0")
    [conflict] = conflicts_of(now.submit(posted, on_stale="rebase").form)
    assert f"{HIDDEN} changed: Group" in conflict
    assert "nner" not in conflict


def test_rows_with_secrets_and_files_are_merged() -> None:
    row = {**A, "file": "QUJD" * 3000}
    posted = edited(entries(rows_form([row]).render()), "#/title", "mine")
    submission = rows_form([row], group={"a": "x"}).submit(posted, on_stale="rebase", files={})
    assert submission.data == {"title": "mine", "group": {"a": "x"}, "rows": [row]}


def test_a_form_of_another_schema_does_not_tell_what_was_typed() -> None:
    page = form_of()
    posted = edited(entries(page.render()), "#/users/1/password", "typed-now")
    now = form_of(TEXT.replace(', {"name"', ' , {"name"').replace('"B"', '"D"'))
    with pytest.raises(StaleForm) as caught:
        now.submit(posted)
    stale = caught.value.form
    assert "typed-now" not in str(stale.report)
    assert not tells(seen(stale))


def test_a_new_secret_of_a_ui_description_is_told_nowhere() -> None:
    row = {"properties": {"key": {"type": "string"}, "name": {"type": "string"}}}
    schema = {
        "properties": {
            "card": {"type": "boolean"},
            "key": {"type": "string"},
            "rows": {"type": "array", "items": row},
        },
        "if": {"properties": {"card": {"const": True}}, "required": ["card"]},
        "then": {"properties": {"number": {"type": "string"}}},
    }
    type = WidgetType.from_data_schema(schema, id="secrets")
    ui = {"/**/key": {"kind": "password"}}
    form = type.form({"rows": [{}]}, ui=ui)
    posted = {
        "#/card": "true",
        "#/key": "hunter-1",
        "#/rows/0/key": "hunter-2",
        "#/rows/0/name": "a",
    }
    submission = form.submit(posted)
    assert submission.data["rows"] == [{"key": "hunter-2", "name": "a"}]
    assert "hunter" not in " ".join(map(str, submission.changes))
    page = submission.form.render()
    assert re.findall(r"<[^>]*hunter[^>]*>", page) == [
        '<input type="hidden" name="aside#0" value="hunter-1" autocomplete="off">',
        '<input type="hidden" name="aside#1" value="hunter-2" autocomplete="off">',
    ]
    known = {name: form.source.is_secret_control(name) for name in posted}
    assert known == {name: name.endswith("key") for name in posted}
    assert form.source.is_secret_control("#/rows/+1/key")


def test_a_ui_description_makes_a_text_a_secret() -> None:
    text = json.dumps({"title": SECRET, "users": []})
    form = form_of(text, ui={"/title": {"kind": "password"}})
    assert not tells(seen(form))
    assert form.submit(entries(form.render())).text == text


def test_a_hidden_secret_is_not_in_the_page() -> None:
    form = form_of(ui={"/password": {"hidden": True}, "/users": {"hidden": True}})
    assert not tells(seen(form))
    assert form.submit(entries(form.render())).text == TEXT


def test_a_secret_behind_a_condition_is_not_in_a_part_without_fields() -> None:
    schema = {"properties": {"many": {"properties": {"n": {"type": "number"}}}}}
    schema["properties"]["many"]["patternProperties"] = {"^p": {"format": "password"}}
    many = {**{f"a{number}": number for number in range(2500)}, "p": SECRET}
    form = forms_of(schema).form({"many": many})
    assert not tells(seen(form))
    assert form.submit(entries(form.render())).text == form.text


WRITTEN: Final = {"type": "string", "writeOnly": True}
ON: Final = {"properties": {"on": {"const": True}}}


@pytest.mark.parametrize(
    "rules",
    [
        {"then": {"properties": {"word": {"type": "string", "format": "password"}}}},
        {"properties": {"word": {"type": "string"}}, "then": {"properties": {"word": WRITTEN}}},
        {"properties": {"word": {"enum": ["a"]}}, "then": {"properties": {"word": WRITTEN}}},
        {"then": {"additionalProperties": WRITTEN, "properties": {"on": True}}},
        {"then": True, "else": {"patternProperties": {"^w": WRITTEN}}},
        {"dependencies": {"other": {"properties": {"word": WRITTEN}}}},
        {"additionalProperties": {"type": "string"}, "then": {"properties": {"word": WRITTEN}}},
    ],
)
@pytest.mark.parametrize("is_on", [True, False])
def test_a_secret_of_any_branch_is_in_no_page(rules: dict[str, Any], is_on: bool) -> None:
    schema = {"type": "object", "if": ON, **rules}
    schema["properties"] = {"on": {"type": "boolean"}, **rules.get("properties", {})}
    form = forms_of(schema).form({"on": is_on, "word": SECRET})
    assert not tells(seen(form))
    posted = edited(entries(form.render()), "#/on", "false" if is_on else "true")
    submission = form.submit(posted)
    assert submission.data == {"on": not is_on, "word": SECRET}
    assert not tells(seen(submission.form) + str(submission.changes))
    again = form.submit(entries(submission.form.render()))
    assert again.data == submission.data
    word = form.field("/word")
    assert word is not None
    assert form.submit({word.name: "new" if word.kind == "password" else '"new"'}).data == {
        "on": is_on,
        "word": "new",
    }


def test_a_secret_of_another_alternative_is_in_no_page() -> None:
    schema = {
        "oneOf": [
            {
                "properties": {"by": {"const": "word"}, "word": WRITTEN},
                "required": ["by"],
                "type": "object",
            },
            {"properties": {"by": {"const": "else"}}, "required": ["by"], "type": "object"},
        ]
    }
    form = forms_of(schema).form({"by": "else", "word": SECRET})
    assert not tells(seen(form))
    assert form.submit(entries(form.render())).text == form.text


@pytest.mark.parametrize("rule", [{"enum": [{"key": "a"}, 1]}, {"const": {"key": "a"}}])
def test_a_value_that_is_no_choice_is_not_shown_with_its_secret(rule: dict[str, Any]) -> None:
    schema = {"properties": {"one": {"type": "object", "properties": {"key": WRITTEN}, **rule}}}
    form = forms_of(schema).form({"one": {"key": SECRET}})
    assert not tells(seen(form))
    assert form.submit(entries(form.render())).text == form.text
    submission = form.submit({"#/one": '{"key": "a"}'})
    assert submission.data == {"one": {"key": "a"}}
    assert not tells(str(submission.changes))


def test_changes_of_a_whole_value_do_not_tell_its_secrets() -> None:
    form = rows_form([A, B], link={"to": "there", "key": SECRET}, group={"a": "x", "key": SECRET})
    text = form.submit({"kind#/link": "1", "#/link;1": "typed", "state#/link;1": "set"}, files={})
    assert text.data["link"] == "typed"
    [change] = text.changes
    assert "there" in str(change)
    assert not tells(repr(text.changes))
    back = {"kind#/link": "0", "#/link;0/to": "x", "#/link;0/key": f'"{SECRET}"'}
    again = text.form.factory.form_json(text.text).submit(back, files={})
    assert again.data["link"] == {"to": "x", "key": SECRET}
    assert not tells(repr(again.changes))
    for posted in ({"state#/group": "unset"}, {"order#/rows": "1"}):
        assert not tells(repr(form.submit(posted, files={}).changes))


OBJECT: Final = {"type": "object", "properties": {"key": WRITTEN}}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (OBJECT, SECRET),
        (OBJECT, [SECRET]),
        ({"type": "array", "items": OBJECT}, {"key": SECRET}),
        ({"type": "array", "items": WRITTEN}, SECRET),
        ({"type": "object", "properties": {"a": {"type": "array", "items": OBJECT}}}, SECRET),
    ],
)
def test_a_value_in_place_of_a_container_with_secrets_is_hidden(schema: Any, value: Any) -> None:
    form = forms_of({"properties": {"one": schema, "title": {}}}).form({"one": value})
    assert not tells(seen(form))
    assert form.submit(entries(form.render())).text == form.text
    assert not tells(str(form.submit({"#/one": "{}"}).changes))


def test_a_value_of_another_alternative_is_shown() -> None:
    link = {"oneOf": [OBJECT, {"type": "string"}]}
    form = forms_of({"properties": {"link": link}}).form({"link": "shown-text"})
    assert "shown-text" in form.data_text
    assert "shown-text" in form.render()


@pytest.mark.parametrize(
    ("others", "value", "is_shown"),
    [
        ([{"type": "object", "properties": {"a": {"type": "string"}}}], {"a": SECRET}, True),
        ([{"$ref": "#/definitions/group"}], {"a": SECRET}, True),
        ([{"oneOf": [{"type": "null"}, {"$ref": "#/definitions/group"}]}], {"a": SECRET}, True),
        ([{"type": "array", "items": {"type": "string"}}], [SECRET], True),
        ([{"type": "object"}], {"a": SECRET}, False),
        ([{"type": "number"}], {"a": SECRET}, False),
        ([{"type": "string", "minLength": 3}], SECRET, False),
        ([{}], SECRET, False),
    ],
)
@pytest.mark.parametrize("keyword", ["oneOf", "anyOf"])
def test_a_value_that_only_other_alternatives_describe_is_no_secret(
    keyword: str, others: list[Any], value: Any, is_shown: bool
) -> None:
    group = {"type": "object", "properties": {"a": {"type": "string"}}}
    link = {keyword: [{"type": "string", "format": "password"}, *others]}
    schema = {"definitions": {"group": group}, "properties": {"link": link}}
    form = forms_of(schema).form({"link": value})
    assert (SECRET in form.render()) == (SECRET in form.data_text) == is_shown
    assert form.submit(entries(form.render())).text == form.text


def test_a_secret_typed_into_an_alternative_that_is_gone_is_not_repeated() -> None:
    posted = edited(
        entries(rows_form([], link={"to": "x"}).render()), "#/link;0/key", '"typed-now"'
    )
    posted = edited(posted, "kind#/link", "1")
    form = rows_form([])
    page = form.submit(posted, on_stale="rebase", files={}).form
    choice = next(one for one in choices_of(page) if one[1].startswith("theirs"))
    submission = form.submit([*entries(page.render()), choice], on_stale="rebase", files={})
    assert "was typed for" in str(submission.report)
    assert "typed-now" not in str(submission.report)


def placeholders_of(form: Form) -> dict[str, str]:
    """The placeholders of a form by the places of their secrets."""
    return {path: json.loads(one.raw) for path, one in placeholders_in(form.tree.root)}


def test_a_placeholder_that_is_moved_reveals_nothing() -> None:
    form = form_of(TEXT.replace(SECRET + "2", "another-one"))
    known = placeholders_of(form)
    submission = form.submit({"#/title": known["/key"]})
    assert submission.data["title"] == known["/key"]
    assert submission.text == form.text.replace(
        '"T"', json.dumps(known["/key"], ensure_ascii=False)
    )
    assert not tells(seen(submission.form) + repr(submission.changes))
    later = form_of(submission.text)
    assert not tells(seen(later))
    assert later.submit(entries(later.render())).text == later.text
    submission = form.submit({"#/users/1/password": known["/key"]})
    assert submission.data["users"][1]["password"] == SECRET
    assert not tells(seen(submission.form) + repr(submission.changes))


def test_a_placeholder_in_the_text_of_a_page_reveals_nothing_elsewhere() -> None:
    page = form_of()
    moved = json.dumps(placeholders_of(page)["/key"], ensure_ascii=False)
    posted = [
        (name, value.replace('"title": "T"', f'"title": {moved}') if name == "text#" else value)
        for name, value in entries(page.render())
    ]
    for now in (
        form_of(TEXT.replace('"T"', '"U"')),
        form_of(TEXT.replace('"title": "T"', '"z": 1')),
    ):
        submission = now.submit(posted, on_stale="rebase")
        assert not tells(seen(submission.form) + repr(submission.changes))
        assert submission.text.count(SECRET) == now.text.count(SECRET)
        with pytest.raises(StaleForm) as caught:
            now.submit(posted)
        assert not tells(seen(caught.value.form))


def test_equal_secrets_of_rows_have_different_placeholders() -> None:
    rows = [{**A, "name": name} for name in "ABC"]
    form = rows_form(rows)
    known = placeholders_of(form)
    assert len({*known.values()}) == len(known) == 3
    posted = edited(entries(form.render()), "order#/rows", "2,0,1")
    assert form.submit(posted, files={}).data["rows"] == [rows[2], rows[0], rows[1]]
    submission = rows_form([*rows, B]).submit(posted, on_stale="rebase", files={})
    assert submission.data["rows"] == [rows[2], B, rows[0], rows[1]]


def test_a_secret_outside_of_rows_is_known_by_any_key(monkeypatch: pytest.MonkeyPatch) -> None:
    posted = edited(entries(form_of().render()), "#/key", "my-own")
    monkeypatch.setattr("widgetschema.forms.secrecy._KEYS", [b"another key of another process"])
    with pytest.warns(UserWarning, match="use_secret_key"):
        submission = form_of(TEXT.replace('"T"', '"U"')).submit(posted, on_stale="rebase")
    assert not submission.conflicts
    assert (submission.data["key"], submission.data["title"]) == ("my-own", "U")


def test_the_data_of_a_document_has_its_secrets_hidden() -> None:
    text = json.dumps({"id": "1", "data": json.loads(TEXT)})
    form = FORMS.form_json(text, "/data")
    assert not tells(seen(form))
    assert form.submit(entries(form.render())).text == text
    submission = form.submit(edited(entries(form.render()), "#/data/key", "new"))
    assert submission.data["key"] == "new"
    assert [str(one) for one in submission.changes] == ["Key: •••••• → ••••••"]


RENAMED: Final = {
    "type": "object",
    "properties": {"inner": {"$ref": "#"}},
    "patternProperties": {
        "^secret": {"type": "string", "writeOnly": True},
        "^user": {"type": "object", "properties": {"pin": {"format": "password"}}},
    },
    "additionalProperties": {"type": ["string", "object"]},
}


@pytest.mark.parametrize("at", ["", "/inner"])
@pytest.mark.parametrize(
    ("names", "refused"),
    [
        ({"secret1": "open"}, ["/open"]),
        ({"user1": "group"}, ["/group"]),
        ({"secret1": "a", "a": "secret1"}, ["/a", "/secret1"]),
        ({"secret1": "secret2", "user1": "user/2", "a": "secret1"}, []),
        ({"a": "secretly"}, []),
    ],
)
def test_no_new_name_shows_a_secret(at: str, names: dict[str, str], refused: list[str]) -> None:
    data: Any = {"secret1": SECRET, "user1": {"pin": SECRET}, "a": "open text"}
    factory = forms_of(RENAMED)
    form = factory.form_json(json.dumps({"inner": data} if at else data))
    renames = {f"name#{at}/{old}": new for old, new in names.items()}
    submission = form.submit([(name, renames.get(name, value)) for name, value in as_shown(form)])
    assert [one.path for one in submission.report] == [f"{at}{path}" for path in refused]
    assert submission.complete == (not refused)
    assert not tells(seen(submission.form))
    assert not tells(seen(factory.form_json(submission.text)))
    if refused:
        said = submission.form.sentence(submission.report.findings[0])
        assert said.startswith("Choose another name, or remove this and add it again")
        assert "name" in submission.report.findings[0].message
        assert submission.text == form.text


@pytest.mark.parametrize(("pattern", "is_refused"), [("/a", True), ("/*", False)])
def test_no_new_name_shows_a_secret_of_a_description(pattern: str, is_refused: bool) -> None:
    factory = forms_of({"additionalProperties": {"type": "string"}})
    ui = {pattern: {"kind": "password"}}
    form = factory.form_json(json.dumps({"a": SECRET}), ui=ui)
    assert not tells(seen(form))
    submission = form.submit(edited(as_shown(form), "name#/a", "b"))
    assert submission.complete is not is_refused
    assert not tells(seen(factory.form_json(submission.text, ui=ui)))


def test_the_order_of_items_with_secrets_is_said_by_their_names() -> None:
    users = [{"name": name, "password": f"{SECRET}{name}"} for name in ("A", "B", "C")]
    page = entries(form_of(json.dumps({"users": users})).render(), press="up#/users/2")
    theirs = form_of(json.dumps({"users": [users[1], users[0], users[2]]}))
    submission = theirs.submit(page, on_stale="rebase")
    assert [(one.path, one.is_order) for one in submission.conflicts] == [("/users", True)]
    shown = re.findall(r"<code>(.*?)</code>", submission.form.render())[:3]
    assert shown == ["A, B, C", "A, C, B", "B, A, C"]
    assert not tells(seen(submission.form))


@pytest.mark.parametrize(("has_secret", "shown"), [(True, "••••••"), (False, "&#34;n&#34;")])
def test_no_secret_names_an_item(has_secret: bool, shown: str) -> None:
    name = {"type": "string", "format": "password"}
    factory = forms_of({"items": {"properties": {"name": name, "n": {"type": "number"}}}})
    items = [{"n": at, **({"name": f"{SECRET}{at}"} if has_secret else {})} for at in range(3)]
    page = entries(factory.form(items).render(), press="up#/2")
    theirs = factory.form([items[1], items[0], items[2]])
    submission = theirs.submit(page, on_stale="rebase")
    assert [one.is_order for one in submission.conflicts] == [True]
    assert shown in submission.form.render().partition("</fieldset>")[0]
    assert not tells(seen(submission.form))


@pytest.mark.parametrize("value", [{"k": SECRET}, [{"k": SECRET}]])
def test_a_secret_of_a_condition_that_does_not_hold_is_not_shown_in_its_group(value: Any) -> None:
    secret = {"type": "string", "format": "password"}
    rules: Any = {
        "if": {"properties": {"mode": {"const": "t"}}, "required": ["mode"]},
        "then": {"properties": {"a": {"type": "object", "properties": {"k": secret}}}},
        "else": {"properties": {"a": {"type": "string"}}},
    }
    form = forms_of(rules).form({"mode": "u", "a": value})
    assert not tells(form.page() + str(form.report))
    assert form.submit(entries(form.render())).text == form.text


def test_a_secret_typed_into_an_alternative_stays_when_another_one_is_chosen() -> None:
    group = {"type": "object", "properties": {"a": {"type": "string"}}}
    choice = {"oneOf": [{"type": "string", "writeOnly": True}, group]}
    form = forms_of({"properties": {"s": choice}}).form({"s": "old"})
    page = form.submit(edited(entries(form.render()), "kind#/s", "1")).form
    pairs = edited(edited(entries(page.render()), "#/s;1/a", SECRET), "kind#/s", "0")
    submission = form.submit(pairs)
    assert submission.text == form.text
    submission = form.submit(edited(entries(submission.form.render()), "kind#/s", "1"))
    assert submission.data == {"s": {"a": SECRET}}


def test_a_member_that_is_a_secret_in_another_alternative_stays_when_that_is_chosen() -> None:
    secret = {"properties": {"x": {"type": "string", "writeOnly": True}}, "required": ["n"]}
    choice = {"oneOf": [{"type": "object", **secret}, {"type": "object", "required": ["m"]}]}
    form = forms_of({"properties": {"a": choice}}).form({"a": {"m": 1, "x": {"k": SECRET}}})
    pairs = edited(entries(form.render()), "#/a;1/x", '"typed"')
    pairs = edited(edited(pairs, "state#/a;1/x", "set"), "kind#/a", "0")
    page = form.submit(pairs).form
    assert not tells(seen(page))
    assert form.submit(edited(entries(page.render()), "kind#/a", "1")).data["a"]["x"] == "typed"


def test_a_typed_secret_of_an_alternative_that_is_left_stays_when_the_text_of_others_holds() -> (
    None
):
    hidden = {"type": "string", "writeOnly": True}
    factory = forms_of({"oneOf": [{"oneOf": [{"type": "number"}, hidden]}, {"type": "string"}]})
    pairs = edited(entries(factory.form_json('"7"').render()), "#;0;1", "TYPED")
    now = factory.form_json('""')
    asked = now.submit(pairs, on_stale="rebase")
    [(name, mine, _)] = map(choice_names, asked.conflicts)
    shown = edited(entries(asked.form.render()), "kind#", "1")
    kept = now.submit([*shown, (name, mine)], on_stale="rebase").form
    again = now.submit(entries(kept.render()))
    assert not again.complete
    assert "TYPED" in dict(entries(again.form.render())).values()


@pytest.mark.parametrize("moved", [False, True])
def test_what_replaces_a_secret_that_others_have_replaced_is_read_as_the_page_asked(
    moved: bool,
) -> None:
    """Nobody has the former value any more, by which its alternative was chosen."""
    date = {"type": "string", "format": "date", "writeOnly": True}
    factory = forms_of({"type": "array", "items": {"anyOf": [date, {"type": "object"}]}})
    form = factory.form([{"a": 1}, "b"])
    pairs = entries(form.render(), press="down#/0" if moved else None)
    pairs = edited(entries(form.submit(pairs).form.render()), "#/0;1", '{"a": 2}')
    now = factory.form(["theirs", "b"])
    asked = now.submit(pairs, on_stale="rebase")
    [(name, mine, _)] = map(choice_names, asked.conflicts)
    submission = now.submit([*entries(asked.form.render()), (name, mine)], on_stale="rebase")
    assert {"a": 2} in submission.data

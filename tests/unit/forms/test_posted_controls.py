"""Posted controls: read the same way from every framework, and nothing else gets in."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import FormData, UploadFile
from werkzeug.datastructures import FileStorage, MultiDict

from tests.browsing import Pairs, buttons, entries
from tests.form_apps import application
from widgetschema import FormError, TooManyFields
from widgetschema.forms.posted_controls import MAX_CONTROLS, read_controls
from widgetschema.jsontext import DEFAULT_LIMITS, Limits

PAIRS: Pairs = [("#/a", "1\r\n2"), ("order#/b", "0,+1"), ("#/a", "twice"), ("do", "check")]
READ = {"#/a": ["1\n2", "twice"], "order#/b": ["0,+1"], "do": ["check"]}


def query_dict(pairs: Pairs) -> QueryDict:
    application("django_app")  # configures it
    query = QueryDict(mutable=True)
    for name, value in pairs:
        query.appendlist(name, value)
    return query


def dictionary(pairs: Pairs) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    return {name: those[0] if len(those) == 1 else those for name, those in found.items()}


FRAMEWORKS: dict[str, Callable[[Pairs], Any]] = {
    "pairs": list,
    "an iterator of pairs": iter,
    "lists for pairs": lambda pairs: [list(pair) for pair in pairs],
    "dict": dictionary,
    "werkzeug": MultiDict,
    "django": query_dict,
    "starlette": lambda pairs: FormData([*pairs]),
}


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_each_framework_is_read_the_same_way(framework: str) -> None:
    assert read_controls(FRAMEWORKS[framework](PAIRS), DEFAULT_LIMITS) == READ


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_nothing_came_back(framework: str) -> None:
    assert read_controls(FRAMEWORKS[framework]([]), DEFAULT_LIMITS) == {}


@pytest.mark.parametrize(
    "name",
    ["csrf_token", "", "a#/b", "state", "#state", "do#", "basement#", "base", "statement#/a"],
)
def test_controls_of_other_people_are_left_out(name: str) -> None:
    ours = {"#state"} & {name}
    assert read_controls({name: "x"}, DEFAULT_LIMITS).keys() == ours


@pytest.mark.parametrize(
    "name",
    ["#", "#/a", "#/", "state#/a", "present#", "kind#/a", "order#/a", "name#/a/+1", "open#/a",
     "base#", "shape#", "do"],
)  # fmt: skip
def test_controls_of_ours_are_known(name: str) -> None:
    assert read_controls({name: "x"}, DEFAULT_LIMITS) == {name: ["x"]}


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("a\r\nb", "a\nb"),
        ("a\rb\n", "a\nb\n"),
        ("\r\n\r\n", "\n\n"),
        ("a\0b", "a\ufffdb"),
        ("a\ud83d", "a\ufffd"),
        ("\udc00b", "\ufffdb"),
        ("\ud83d\ude00", "😀"),
        ("\u2028\ufeff\x7f\x85", "\u2028\ufeff\x7f\x85"),
    ],
    ids=ascii,
)
def test_texts_are_what_html_carries(typed: str, read: str) -> None:
    assert read_controls({"#/a": typed}, DEFAULT_LIMITS) == {"#/a": [read]}


@given(st.text(st.characters(exclude_categories=()), max_size=30))
def test_reading_a_text_again_changes_nothing(text: str) -> None:
    once = read_controls({"#/a": text}, DEFAULT_LIMITS)
    assert read_controls(once, DEFAULT_LIMITS) == once
    once["#/a"][0].encode()


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"#/a": UploadFile(BytesIO(), filename="x.png")}, "a file was posted as '#/a'"),
        (MultiDict({"#/a": FileStorage(filename="x.png")}), "a file was posted as '#/a'"),
        ({"upload": BytesIO(b"x")}, "a file was posted as 'upload'"),
        ({"#/a": b"x"}, "the value of '#/a' must be text, but is of type bytes"),
        ({"#/a": None}, "the value of '#/a' must be text, but is of type NoneType"),
        ({"#/a": ["x", 1]}, "the value of '#/a' must be text, but is of type int"),
        ({"#/" + "a" * 900: 1}, "the value of '#/aaaa"),
        ({1: "x"}, "the name of a control must be text, but one is of type int"),
        (["ab"], "posted fields must be a mapping, or pairs"),
        ([("a", "b", "c")], "posted fields must be a mapping, or pairs"),
        ([1], "posted fields must be a mapping, or pairs"),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_what_is_no_text_is_refused(fields: Any, says: str) -> None:
    with pytest.raises(FormError) as error:
        read_controls(fields, DEFAULT_LIMITS)
    assert str(error.value).startswith(says)
    assert len(str(error.value)) < 200


def test_a_form_has_a_limit_of_controls() -> None:
    fields = [(f"#/{index}", "") for index in range(MAX_CONTROLS)]
    assert len(read_controls(fields, DEFAULT_LIMITS)) == MAX_CONTROLS
    with pytest.raises(
        TooManyFields, match="20,001 controls were submitted, but a form has at most"
    ):
        read_controls([*fields, ("csrf", "")], DEFAULT_LIMITS)


def test_a_form_has_a_limit_of_text() -> None:
    limits = Limits(max_bytes=10)
    assert read_controls({"#/a": "1234567890", "csrf": "x" * 100}, limits)
    with pytest.raises(FormError, match="11 characters were posted, more than the limit of 10"):
        read_controls({"#/a": "1234567890", "#/b": "x"}, limits)


# The reader of HTML that other tests use

FORM = """<form><textarea name=a>

x
 y</textarea><input name=b value="a&#13;b"><input type=hidden name=h value="a&#10;b">
<input type=radio name=r value=1 checked><input type=radio name=r value=2 checked>
<input type=radio name=r value=3><input type=checkbox name=c value=true>
<input type=checkbox name=d value=true checked><input type=checkbox name=e checked>
<select name=s><option value=1>x<option selected value=2>y</select>
<select name=u><option disabled value=1>x<option>two  words</select>
<textarea name=t>
&#13;z</textarea><button>Save</button><button name=do value=check></button>
<fieldset disabled><input name=q value=1></fieldset><input value=1><input name=z disabled>
<textarea name=n></textarea></form>"""
ENTRIES = [
    ("a", "\r\nx\r\n y"), ("b", "ab"), ("h", "a\r\nb"), ("r", "2"), ("d", "true"), ("e", "on"),
    ("s", "2"), ("u", "two words"), ("t", "\r\nz"), ("do", "check"), ("n", ""),
]  # fmt: skip


def test_html_is_read_as_browsers_do() -> None:
    assert entries(FORM, press="check") == ENTRIES
    assert entries(FORM) == [pair for pair in ENTRIES if pair[0] != "do"]
    assert buttons(FORM) == ["check"]

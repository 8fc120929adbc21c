"""JSON Pointers: to text and back, into values; and patterns of them."""

from __future__ import annotations

import pickle
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgetschema.pointers import (
    Patterns,
    PointerError,
    ValueAt,
    display_pointer,
    escape_token,
    format_pointer,
    matches,
    not_to_member,
    parse_pattern,
    parse_pointer,
    pattern_of,
    pointer_of,
    resolve_pointer,
    step,
    unescape_token,
)


@pytest.mark.parametrize(
    ("tokens", "pointer"),
    [
        ([], ""),
        ([""], "/"),
        (["", ""], "//"),
        (["foo"], "/foo"),
        (["foo", "0"], "/foo/0"),
        (["a/b"], "/a~1b"),
        (["m~n"], "/m~0n"),
        (["~1"], "/~01"),
        (["~0", "/~/"], "/~00/~1~0~1"),
        (["c%d", "e^f", "g|h", "i\\j", 'k"l', " "], '/c%d/e^f/g|h/i\\j/k"l/ '),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_pointers(tokens: list[str], pointer: str) -> None:
    assert parse_pointer(pointer) == tokens
    assert format_pointer(tokens) == pointer


@given(st.lists(st.text(max_size=5) | st.text("~/01", max_size=5)))
def test_a_pointer_keeps_its_tokens(tokens: list[str]) -> None:
    escaped = [escape_token(token) for token in tokens]
    assert not any("/" in token for token in escaped)
    assert [unescape_token(token) for token in escaped] == tokens
    assert parse_pointer(format_pointer(tokens)) == tokens


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("", "(root)"),
        ("/", "/"),
        ("/a/0", "/a/0"),
        ("/é😀", "/é😀"),
        ('/a"b', '/a"b'),
        ("/a\tb", "/a\\tb"),
        ("/\x1b[31m", "/\\u001b[31m"),
        ("/\u202e", "/\\u202e"),
        ("/\ud800", "/\\ud800"),
    ],
)
def test_the_path_that_people_see(path: str, shown: str) -> None:
    assert display_pointer(path) == shown


@given(st.text(st.characters()))
def test_a_path_shows_nothing_that_a_terminal_obeys(path: str) -> None:
    shown = display_pointer(path)
    assert shown
    assert shown.isprintable()
    shown.encode()


@pytest.mark.parametrize(
    ("path", "pointer"),
    [
        ((), ""),
        (((), "a"), "/a"),
        (((), ""), "/"),
        (((((), "a/b"), 0), "m~n"), "/a~1b/0/m~0n"),
        (((((), "~1"), "~0"), "//"), "/~01/~00/~1~1"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_pointer_of(path: tuple[Any, ...], pointer: str) -> None:
    assert pointer_of(path) == pointer


@given(
    st.lists(st.text(max_size=4) | st.sampled_from(["~", "/", "~1", "~0/"]) | st.integers(0, 99))
)
def test_a_linked_path_keeps_its_tokens(tokens: list[str | int]) -> None:
    path: tuple[Any, ...] = ()
    for token in tokens:
        path = (path, token)
    assert parse_pointer(pointer_of(path)) == [str(token) for token in tokens]


VALUE = {"a": [10, {"b/c": 1, "~": 2}, None], "": {"0": 3}, "01": 4}


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("", VALUE),
        ("/a/0", 10),
        ("/a/1/b~1c", 1),
        ("/a/1/~0", 2),
        ("/a/2", None),
        ("//0", 3),
        ("/01", 4),
        *((f"/a/{index}", ...) for index in ("00", "01", "3", "-1", "-", "x", "²", "٠", "9" * 99)),
        ("/b", ...),
        ("/a/0/x", ...),
        ("/a/b", ...),
    ],
)
def test_resolve(pointer: str, value: Any) -> None:
    assert resolve_pointer(VALUE, pointer, ...) == value


@pytest.mark.parametrize(
    ("pattern", "matched", "not_matched"),
    [
        ("", [""], ["/a"]),
        ("/a/b", ["/a/b"], ["/a", "/a/b/c", "/A/b"]),
        ("/a/*", ["/a/b", "/a/0", "/a/"], ["/a", "/a/b/c"]),
        ("/a/**", ["/a", "/a/b/c"], ["/b"]),
        ("/**", ["", "/a", "/**"], []),
        ("/**/url", ["/url", "/a/0/url", "/url/url"], ["/url/a", ""]),
        ("/**/a/*/b", ["/a/a/a/b", "/a/x/b", "/x/a/a/b"], ["/a/b", "/a/x/y/b"]),
        ("/a/**/**/b", ["/a/b", "/a/x/y/b"], ["/a"]),
        ("/a~1b/~0", ["/a~1b/~0"], ["/a/b"]),
        ("/a*", ["/a*"], ["/ab"]),
        ("/[a]", ["/[a]"], ["/a"]),
    ],
)
def test_patterns(pattern: str, matched: list[str], not_matched: list[str]) -> None:
    assert [one for one in matched if not matches(pattern, one)] == []
    assert [one for one in not_matched if matches(pattern, one)] == []


@pytest.mark.parametrize("pattern", ["a", "a/b", "/a~", "/~2", "/~~01", "$.a"])
def test_what_is_no_pattern(pattern: str) -> None:
    with pytest.raises(PointerError):
        parse_pattern(pattern)
    with pytest.raises(PointerError):
        matches(pattern, "")
    with pytest.raises(PointerError):
        Patterns({pattern: 1})


def expected(pattern: list[str], path: list[str]) -> bool:
    """The definition, without regard to time."""
    if not pattern:
        return not path
    first, *rest = pattern
    if first == "**":
        return any(expected(rest, path[at:]) for at in range(len(path) + 1))
    return bool(path) and first in ("*", path[0]) and expected(rest, path[1:])


@given(
    st.lists(st.lists(st.sampled_from(["a", "b", "*", "**"]), max_size=5), max_size=4),
    st.lists(st.sampled_from("ab"), max_size=6),
)
def test_patterns_by_definition(patterns: list[list[str]], path: list[str]) -> None:
    values = {
        format_pointer(tokens): format_pointer(parse_pattern(format_pointer(tokens)))
        for tokens in patterns
    }
    places = Patterns(values).root
    for token in path:
        places = step(places, token)
    wanted = {values[format_pointer(one)] for one in patterns if expected(one, path)}
    assert {place.value for place in places if place.value is not None} == wanted
    for tokens in patterns:
        assert matches(format_pointer(tokens), format_pointer(path)) == expected(tokens, path)


def test_the_most_exact_pattern_comes_first() -> None:
    patterns = ["/".join(("", *tokens)) for tokens in product(("a", "*"), ("b", "*"))]
    patterns = [*patterns, "/**/b", "/a/**", "/**"]
    places = Patterns({pattern: pattern for pattern in reversed(patterns)}).root
    for token in "ab":
        places = step(places, token)
    values = [place.value for place in places if place.value is not None]
    assert values == ["/a/b", "/*/b", "/**/b", "/a/*", "/*/*", "/a/**", "/**"]


def test_bare_places_have_no_values_of_their_own_and_those_below() -> None:
    places = Patterns({"/a": 1, "/a/b": 2, "/**": 3}).root
    bare = tuple(place.bare for place in step(places, "a"))
    assert not any(place.value for place in bare)
    assert [place.value for place in step(bare, "b")] == [2, 3]


def test_many_wildcards_take_no_longer() -> None:
    assert not matches("/**/a" * 200 + "/b", "/a" * 2_000)


@pytest.mark.parametrize(
    ("pointer", "value", "expected"),
    [
        ("/a", {"a": 1}, 1),
        ("/a", {"b": 1}, None),
        ("/a", [1], None),
        ("/0", [1], 1),
        ("/0", {"0": 2}, 2),
        ("/a~1b", {"a/b": 3}, 3),
        ("/a/b", {"a": {"b": 4}}, 4),
        ("/a/b", {"a": 5}, None),
        ("", 6, 6),
    ],
)
def test_a_value_at_a_pointer(pointer: str, value: object, expected: object) -> None:
    assert ValueAt(pointer)(value) == expected
    assert pickle.loads(pickle.dumps(ValueAt(pointer)))(value) == expected


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("/a", None),
        ("/a~1b", None),
        ("", "write the name of the property after a slash"),
        ("/a~2", "write ~0 for ~, and ~1 for /"),
        ("a/b", "write /a/b"),
        ("#/a", "write /a"),
        ("$.a.b", "write /a/b"),
    ],
)
def test_what_is_no_pointer_to_a_member_comes_with_advice(text: str, advice: str | None) -> None:
    said = not_to_member(text)
    assert said is None if advice is None else (said or "").endswith(f": {advice}")


@pytest.mark.parametrize(
    ("path", "pattern"), [((), ""), (((((), "items"), 3), "a/b"), "/items/*/a~1b")]
)
def test_pattern_of(path: tuple[Any, ...], pattern: str) -> None:
    assert pattern_of(path) == pattern

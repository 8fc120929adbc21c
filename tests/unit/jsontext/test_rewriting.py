"""Rewriting: what stays is byte for byte what it was, what is new looks like what is beside it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laid_out import (
    NAMES,
    SCALARS,
    STYLES,
    TOKEN,
    Array,
    Object,
    Shape,
    Style,
    decoded,
    shapes,
    styled,
    texts,
)
from widgetschema.jsontext import (
    Element,
    Items,
    Keep,
    Member,
    Members,
    NewMember,
    Raw,
    parse,
    rewrite,
    value_of,
)
from widgetschema.jsontext.rewriting import Node, removed_by, tokens_after, tokens_before


def untouched(element: Element) -> Node:
    """The element taken apart and put together again."""
    if element.kind == "object":
        members = (NewMember(m.name, untouched(m.element), m) for m in element.members)
        return Members(tuple(members), element)
    if element.kind == "array":
        return Items(tuple(map(untouched, element.items)), element)
    return Raw(element.raw, element)


def members(element: Element, kept: str = "", *new: NewMember) -> Members:
    """The members of these names (one letter each), in this order, then new ones."""
    old = [element.member(name) for name in kept]
    stay = [NewMember(one.name, Keep(one.element), one) for one in old if one is not None]
    return Members((*stay, *new), element)


def items(element: Element, *kept: int | Node) -> Items:
    """The items of these indices in this order, and new ones."""
    return Items(
        tuple(Keep(element.items[one]) if isinstance(one, int) else one for one in kept), element
    )


def changed(text: str, make: Callable[[Element], Node], pointer: str = "") -> str:
    """The text with what `make` gives in the place of what is at `pointer`."""
    tree = parse(text)
    element = tree.at(pointer)
    assert element is not None
    node = make(element)
    new = rewrite(tree, element, node)
    there = parse(new).at(pointer)
    assert there is not None
    assert repr(there.value) == repr(value_of(node))
    return new


# Nothing changed


@given(texts())
def test_what_is_kept_is_the_same_text(text: str) -> None:
    tree = parse(text)
    assert rewrite(tree, tree.root, Keep(tree.root)) == text
    assert rewrite(tree, tree.root, untouched(tree.root)) == text
    raw = Raw(tree.root.dedented, tree.root)
    assert parse(rewrite(tree, tree.root, raw)).root.raw == tree.root.raw
    assert repr(value_of(untouched(tree.root))) == repr(tree.root.value)


# One scalar


def scalars(element: Element) -> list[Element]:
    inside = [*(m.element for m in element.members), *element.items]
    return [one for part in inside for one in scalars(part)] if inside else [element]


@given(texts(), st.data())
def test_one_scalar_is_one_token(text: str, data: st.DataObject) -> None:
    tree = parse(text)
    target = data.draw(st.sampled_from(scalars(tree.root)))
    token = data.draw(st.sampled_from(SCALARS))

    def replaced(element: Element) -> Node:
        if element is target:
            return Raw(token, element)
        node = untouched(element)
        if isinstance(node, Members):
            return replace(
                node,
                members=tuple(
                    replace(one, node=replaced(old.element))
                    for one, old in zip(node.members, element.members, strict=True)
                ),
            )
        return Items(tuple(map(replaced, element.items)), element) if element.items else node

    expected = text[: target.start] + token + text[target.end :]
    assert rewrite(tree, tree.root, replaced(tree.root)) == expected
    assert rewrite(tree, target, Raw(token)) == expected


# Anything


@st.composite
def nodes(draw: st.DrawFn, element: Element | None = None, depth: int = 3) -> Node:
    """Draw a replacement of an element, or something new."""
    ways = ["raw"]
    if element is not None:
        ways += ["keep"]
    if depth:
        ways += ["array", "object"]
    if element is not None and depth and element.kind in ways:
        ways += [element.kind] * 4
    way = draw(st.sampled_from(ways))
    if way == "keep" and element is not None:
        return Keep(element)
    if way == "array":
        return draw(_arrays(element, depth - 1))
    if way == "object":
        return draw(_objects(element, depth - 1))
    text = draw(st.one_of(st.sampled_from(SCALARS), shapes().map(lambda s: styled(s, STYLES[0]))))
    return Raw(text, element)


@st.composite
def _arrays(draw: st.DrawFn, element: Element | None, depth: int) -> Node:
    old: list[Element | None] = list(element.items) if element is not None else []
    for _ in range(draw(st.integers(0, 2))):
        old.insert(draw(st.integers(0, len(old))), None)
    chosen = draw(st.permutations(old)) if draw(st.booleans()) else old
    kept = [one for one in chosen if one is None or draw(st.integers(0, 3))]
    return Items(tuple(draw(nodes(one, depth)) for one in kept), element)


@st.composite
def _objects(draw: st.DrawFn, element: Element | None, depth: int) -> Node:
    old: list[Member | None] = list(element.members) if element is not None else []
    for _ in range(draw(st.integers(0, 2))):
        old.insert(draw(st.integers(0, len(old))), None)
    chosen = draw(st.permutations(old)) if draw(st.booleans()) else old
    new: dict[str, NewMember] = {}
    for one in chosen:
        if one is not None and not draw(st.integers(0, 3)):
            continue
        renamed = one is None or not draw(st.integers(0, 3))
        name = decoded(draw(st.sampled_from(NAMES))) if renamed or one is None else one.name
        if name not in new:
            node = draw(nodes(None if one is None else one.element, depth))
            new[name] = NewMember(name, node, one)
    return Members(tuple(new.values()), element)


def tokens(node: Node) -> list[str]:
    """The tokens that the text of a node has."""
    if isinstance(node, Keep):
        return TOKEN.findall(node.element.raw)
    if isinstance(node, Raw):
        return TOKEN.findall(node.text)
    if isinstance(node, Items):
        parts = [tokens(one) for one in node.items]
        brackets = "[]"
    else:
        parts = [[key(one), ":", *tokens(one.node)] for one in node.members]
        brackets = "{}"
    inside = [token for part in parts for token in [",", *part]][1:]
    return [brackets[0], *inside, brackets[1]]


def key(member: NewMember) -> str:
    old = member.original
    if old is not None and old.name == member.name:
        return ORIGINAL[id(old)]
    return json.dumps(member.name, ensure_ascii=False)


ORIGINAL: dict[int, str] = {}  # the names of members as they were written


@given(texts(), st.data())
def test_any_rewriting_has_the_tokens_and_the_value_asked_for(
    text: str, data: st.DataObject
) -> None:
    tree = parse(text)
    everything = [tree.root]
    ORIGINAL.clear()
    for element in everything:
        everything += [*element.items, *(m.element for m in element.members)]
        for member in element.members:
            ORIGINAL[id(member)] = text[member.key_start : member.key_end]
    target = data.draw(st.sampled_from(everything))
    node = data.draw(nodes(target))
    new = rewrite(tree, target, node)
    assert new.startswith(text[: target.start])
    assert new.endswith(text[target.end :])
    inside = new[target.start : len(new) - len(text) + target.end]
    assert TOKEN.findall(inside) == tokens(node)
    assert repr(value_of(node)) == repr(parse(inside).root.value)


# In a text of one style, whatever becomes of it has that style


def shape_of(node: Node | Element) -> Shape:
    """Return the text that a node stands for, without white space."""
    if isinstance(node, Keep):
        return shape_of(node.element)
    if isinstance(node, Raw):
        return node.text
    if isinstance(node, Items):
        return Array(tuple(map(shape_of, node.items)))
    if isinstance(node, Members):
        return Object(tuple((key(one), shape_of(one.node)) for one in node.members))
    if node.kind == "array":
        return Array(tuple(map(shape_of, node.items)))
    if node.kind == "object":
        return Object(tuple((ORIGINAL[id(one)], shape_of(one.element)) for one in node.members))
    return node.raw


def simple(node: Node) -> Node:
    """Without JSON text in a style of its own."""
    if isinstance(node, Raw):
        return node if len(TOKEN.findall(node.text)) == 1 else Raw("7", node.original)
    if isinstance(node, Items):
        return replace(node, items=tuple(map(simple, node.items)))
    if isinstance(node, Members):
        return replace(
            node, members=tuple(replace(one, node=simple(one.node)) for one in node.members)
        )
    return node


@given(shapes(), st.sampled_from(STYLES), st.data())
def test_a_style_is_kept(shape: Shape, style: Style, data: st.DataObject) -> None:
    around = Object((('"style"', Array(("1", Object((('"x"', "2"), ('"y"', "3")))))),))
    whole = Object((*around.members, ('"it"', shape)))
    text = styled(whole, style)
    tree = parse(text)
    everything = [tree.root]
    ORIGINAL.clear()
    for element in everything:
        everything += [*element.items, *(m.element for m in element.members)]
        for member in element.members:
            ORIGINAL[id(member)] = text[member.key_start : member.key_end]
    target = tree.at("/it")
    assert target is not None
    node = simple(data.draw(nodes(target)))
    expected = Object((*around.members, ('"it"', shape_of(node))))
    assert rewrite(tree, target, node) == styled(expected, style)


# What it looks like

LINES = """\
{
    "a": 1.0,

    "b": [1, 2],
    "c": {}
}
"""
BLOCK = Raw('{\n  "x": [\n    1\n  ]\n}')
ONE = NewMember("x", Raw("1"))
TWO = NewMember("y", Items((Raw("2"), Raw("3"))))
LOOKS: dict[str, tuple[str, str, Callable[[Element], Node], str]] = {
    "the last is removed": (LINES, "", lambda e: members(e, "ab"), '{\n    "a": 1.0,\n\n    "b": [1, 2]\n}\n'),
    "the first is removed": (LINES, "", lambda e: members(e, "bc"), '{\n    "b": [1, 2],\n    "c": {}\n}\n'),
    "one between is removed": (LINES, "", lambda e: members(e, "ac"), '{\n    "a": 1.0,\n    "c": {}\n}\n'),
    "all are removed": (LINES, "", lambda e: members(e), "{}\n"),
    "one is added": (LINES, "", lambda e: members(e, "abc", ONE), LINES.replace("{}", '{},\n    "x": 1')),
    "several lines are added": (
        LINES, "", lambda e: members(e, "abc", NewMember("d", BLOCK)),
        LINES.replace("{}", '{},\n    "d": {\n      "x": [\n        1\n      ]\n    }'),
    ),
    "a list is added, like its neighbour": (
        LINES, "", lambda e: members(e, "abc", TWO), LINES.replace("{}", '{},\n    "y": [2, 3]'),
    ),
    "an object is added": (
        LINES, "", lambda e: members(e, "abc", NewMember("d", Members((ONE, TWO)))),
        LINES.replace("{}", '{},\n    "d": {\n        "x": 1,\n        "y": [\n            2,\n            3\n        ]\n    }'),
    ),
    "they change places": (
        LINES, "", lambda e: members(e, "cba"), '{\n    "c": {},\n\n    "b": [1, 2],\n    "a": 1.0\n}\n',
    ),
    "one is renamed": (
        LINES, "", lambda e: Members((NewMember("z", Keep(e.members[0].element), e.members[0]), *members(e, "bc").members), e),
        LINES.replace('"a"', '"z"'),
    ),
    "an empty object is filled": (
        LINES, "/c", lambda e: members(e, "", ONE), LINES.replace("{}", '{\n        "x": 1\n    }'),
    ),
    "an item is added on one line": (LINES, "/b", lambda e: items(e, 0, Raw("5"), 1), LINES.replace("1, 2", "1, 5, 2")),
    "an object becomes a list": (LINES, "/c", lambda e: Items((Raw("1"),), e), LINES.replace("{}", "[1]")),
    "a number becomes an object": (
        LINES, "/a", lambda e: Members((ONE,), e), LINES.replace("1.0", '{\n        "x": 1\n    }'),
    ),
    "compact": (
        '{"a":1,"b":[]}', "", lambda e: members(e, "b", TWO, NewMember("d", Members((ONE,)))),
        '{"b":[],"y":[2,3],"d":{"x":1}}',
    ),
    "compact, without any colon": ("[1,2]", "", lambda e: items(e, 1, Members((ONE,))), '[2,{"x":1}]'),
    "one line": ('{"a": 1}', "", lambda e: members(e, "a", TWO), '{"a": 1, "y": [2, 3]}'),
    "one line with room": ('{ "a": 1, "b": 2 }', "", lambda e: members(e, "b", ONE), '{ "b": 2, "x": 1 }'),
    "room in what is added": (
        '[ { "a": 1 } ]', "", lambda e: items(e, 0, Members((ONE,))), '[ { "a": 1 }, { "x": 1 } ]',
    ),
    "nothing to go by": ("{}", "", lambda e: members(e, "", ONE, TWO), '{"x":1,"y":[2,3]}'),
    "nothing but a newline": ("[]\r\n", "", lambda e: items(e, BLOCK, Raw("2")), '[{"x":[1]},2]\r\n'),
    "a scalar becomes a list": (" 1\n", "", lambda e: Items((Raw("1"), Members((ONE,)))), ' [1,{"x":1}]\n'),
    "an item to go by": ("[1, 2]", "", lambda e: items(e, 0, Members((ONE, TWO))), '[1, {"x": 1, "y": [2, 3]}]'),
    "an empty object of two lines": ("{\n}", "", lambda e: members(e, "", ONE, TWO), '{\n  "x": 1,\n  "y": [\n    2,\n    3\n  ]\n}'),
    "a root on one line is replaced": ('{"a": 1}\n', "", lambda e: Members((NewMember("w", Keep(e)), TWO)), '{"w": {"a": 1}, "y": [2, 3]}\n'),
    "a root of lines is replaced": (
        '{\r\t"a": 1\r}\r', "", lambda e: Members((NewMember("w", Keep(e)),)), '{\r\t"w": {\r\t\t"a": 1\r\t}\r}\r',
    ),
    "empty and stays so": ('[ \n ]', "", lambda e: items(e), "[ \n ]"),
    "commas first": (
        '{ "a": 1\n, "b": 2\n, "c": 3\n}', "", lambda e: members(e, "bc", ONE), '{ "b": 2\n, "c": 3\n, "x": 1\n}',
    ),
    "commas first, in another order": (
        '{ "a": 1\n, "b": 2\n, "c": 3\n}', "", lambda e: members(e, "ca"), '{ "c": 3\n, "a": 1\n}',
    ),
    "objects on one line each": (
        '[\n  {"a": 1, "b": [2]},\n  {"a": 2}\n]', "",
        lambda e: items(e, 1, Members((ONE, NewMember("b", Items((Raw("3"), Raw("4")))))), 0),
        '[\n  {"a": 2},\n  {"x": 1, "b": [3, 4]},\n  {"a": 1, "b": [2]}\n]',
    ),
    "objects of several lines with lists of one": (
        '[\n\t{\n\t\t"y": [1, 2]\n\t}\n]', "", lambda e: items(e, 0, Members((ONE, TWO))),
        '[\n\t{\n\t\t"y": [1, 2]\n\t},\n\t{\n\t\t"x": 1,\n\t\t"y": [2, 3]\n\t}\n]',
    ),
    "brackets that share lines": (
        '[{\n  "a": 1\n}, {\n  "a": 2\n}]', "", lambda e: items(e, 1, Members((ONE,)), 0),
        '[{\n  "a": 2\n}, {\n  "x": 1\n}, {\n  "a": 1\n}]',
    ),
    "brackets on lines of their own": (
        '{\n  "a":\n  {\n    "b": 1\n  }\n}', "",
        lambda e: members(e, "a", NewMember("d", Members((ONE,)))),
        '{\n  "a":\n  {\n    "b": 1\n  },\n  "d": {\n    "x": 1\n  }\n}',
    ),
    "an empty list in a line": (
        '{\n  "a": {"l": [], "b": 1}\n}', "/a/l", lambda e: items(e, Raw("1"), Raw("2")),
        '{\n  "a": {"l": [1, 2], "b": 1}\n}',
    ),
    "an empty list beside another": (
        '{\n  "a": [1,2],\n  "l": []\n}', "/l", lambda e: items(e, Raw("1"), Raw("2")),
        '{\n  "a": [1,2],\n  "l": [1,2]\n}',
    ),
    "a line is wider than its container": (
        "[\n  1, 2, 3,\n  4, 5\n]", "", lambda e: items(e, 0, 1, 2, 3, Raw("9"), 4), "[\n  1, 2, 3,\n  4,\n  9, 5\n]",
    ),
    "moved to another indentation": (
        '{"a": [\n  1,\n\n  2\n],\n  "c": 2}', "", lambda e: members(e, "ca"), '{"c": 2,\n  "a": [\n    1,\n\n    2\n  ]}',
    ),
    "edited and moved to another indentation": (
        '[1,\n    {\n      "a": 1\n    }]', "", lambda e: items(e, members(e.items[1], "a", ONE), 0),
        '[{\n  "a": 1,\n  "x": 1\n},\n    1]',
    ),
    "spaces around colons": ('{\n  "a" : 1\n}', "", lambda e: members(e, "a", ONE), '{\n  "a" : 1,\n  "x" : 1\n}'),
    "indentations that differ": ('{\n  "a": 1,\n     "b": 2\n}', "", lambda e: members(e, "b"), '{\n     "b": 2\n}'),
    "indentations change places": ("[\n  1,\n     2\n]", "", lambda e: items(e, 1, 0), "[\n     2,\n  1\n]"),
    "an empty line is not a style": ("[\n  1,\n\n  2\n]", "", lambda e: items(e, 0, 1, Raw("3")), "[\n  1,\n\n  2,\n  3\n]"),
    "nor is it copied": ("[\n  1,\n\n  2\n]", "", lambda e: items(e, 0, 1, 1), "[\n  1,\n\n  2,\n  2\n]"),
    "space before a comma": ("[1 ,2,3]", "", lambda e: items(e, 0, 1, 2, Raw("9")), "[1 ,2,3,9]"),
    "the colon of the neighbour": ('{"a":1,\n "b" : 2}', "", lambda e: members(e, "ab", ONE), '{"a":1,\n "b" : 2,\n "x" : 1}'),
    "what is first in the text": (
        '{"a": [1,2],\n "b": [3, 4],\n "c": 1}', "/c", lambda e: Members((ONE, NewMember("y", Raw("2")))),
        '{"a": [1,2],\n "b": [3, 4],\n "c": {"x": 1,"y": 2}}',
    ),
    "like the member of that name": (
        '[\n  {\n    "x": 1,\n    "y": [1, 2],\n    "z": [\n      3\n    ]\n  }\n]', "",
        lambda e: items(e, 0, Members((TWO, NewMember("z", Items((Raw("4"),)))))),
        '[\n  {\n    "x": 1,\n    "y": [1, 2],\n    "z": [\n      3\n    ]\n  },\n  {\n    "y": [2, 3],\n    "z": [\n      4\n    ]\n  }\n]',
    ),
    "text of several lines is moved": (
        "[1,\n    [\n      2\n    ]]", "", lambda e: items(e, Raw("[\n  3\n]", e.items[1]), 0), "[[\n  3\n],\n    1]",
    ),
    "an empty list in a line that is edited": (
        '{\n  "a": {"l": [], "b": 1}\n}', "/a",
        lambda e: Members((NewMember("l", items(e.members[0].element, Raw("1")), e.members[0]),), e),
        '{\n  "a": {"l": [1]}\n}',
    ),
    "an empty object that has two lines": (
        '{"a": 1, "b": {\n}}', "/b", lambda e: Members((ONE,), e), '{"a": 1, "b": {\n  "x": 1\n}}',
    ),
    "no indentation at all": ("[\n[\n1\n]\n]\n", "", lambda e: items(e, 0, Items((Raw("2"),))), "[\n[\n1\n],\n[\n2\n]\n]\n"),
    "an odd indentation": ('{\n"a": [\n1\n]\n}', "/a", lambda e: items(e, 0, BLOCK), '{\n"a": [\n1,\n{\n  "x": [\n    1\n  ]\n}\n]\n}'),
}  # fmt: skip


@pytest.mark.parametrize(("text", "pointer", "make", "expected"), LOOKS.values(), ids=LOOKS)
def test_it_looks_like_what_is_there(
    text: str, pointer: str, make: Callable[[Element], Node], expected: str
) -> None:
    assert changed(text, make, pointer) == expected


def test_what_is_copied_is_new_the_second_time() -> None:
    text = '[\n  {"a": 1.0}\n]'
    assert changed(text, lambda e: items(e, 0, 0)) == '[\n  {"a": 1.0},\n  {"a": 1.0}\n]'


# JSON text of several lines


def raw(text: str, new: str) -> str:
    return changed(text, lambda e: Raw(new, e), "/a")


def test_text_goes_back_as_it_was_but_for_what_changed() -> None:
    text = '{\n  "a": {\r\n    "b": 1,\n   "c": [\r\n      2\n],\n\n    "d": 3\r\n  }\n}\n'
    element = parse(text).at("/a")
    assert element is not None
    shown = element.dedented
    assert shown == '{\n  "b": 1,\n "c": [\n    2\n],\n\n  "d": 3\n}'
    assert raw(text, shown) == text
    assert raw(text, shown.replace("\n", "\r\n")) == text
    assert raw(text, shown.replace("2", "4")) == text.replace("2", "4")
    assert raw(text, shown.replace("1", "[1,\n  5]")) == text.replace("1", "[1,\n    5]")
    assert raw(text, shown.replace("\n\n", "\n")) == text.replace("\n\n", "\n")
    assert raw(text, f"\r\n {shown}\t") == text


def test_text_takes_the_newlines_of_the_document() -> None:
    assert (
        raw('{\r\n\t"a": 1\r\n}', "[\n1,\n\n\t2\r]")
        == '{\r\n\t"a": [\r\n\t1,\r\n\r\n\t\t2\r\n\t]\r\n}'
    )


def test_text_of_several_lines_comes_into_a_line_without_them() -> None:
    several = '{\r\n "b" : "\\r\\n,: \\"" ,\t"c":\n\n[ 1,\r{} , true\n]\n}'
    assert raw('{"a": 1}', several) == '{"a": {"b": "\\r\\n,: \\"", "c": [1, {}, true]}}'
    assert raw('{"a":1}\n', several) == '{"a":{"b":"\\r\\n,: \\"","c":[1,{},true]}}\n'
    assert raw('{"a":1}', '{ "b": 1, "c": 2 }') == '{"a":{ "b": 1, "c": 2 }}'
    assert raw('{"a":\n1}', "[\n1]") == '{"a":\n[\n1]}'


# Size


def test_as_deep_as_a_text_may_be() -> None:
    for opening, closing, token in (("[", "]", "7"), ('{\n"a": ', "\n}", "[\n7]")):
        text = opening * 190 + "1e400" + closing * 190
        tree = parse(text)
        elements: list[Element] = [tree.root]
        for element in elements:
            elements += [*element.items, *(m.element for m in element.members)]
        node: Node = Raw(token, elements[-1])
        fresh: Node = Raw(token)
        for element in elements[-2::-1]:
            if element.items:
                node, fresh = Items((node,), element), Items((fresh,))
            else:
                one = element.members[0]
                node = Members((NewMember("a", node, one),), element)
                fresh = Members((NewMember("a", fresh),))
        assert rewrite(tree, tree.root, node) == text.replace("1e400", token)
        assert parse(rewrite(tree, tree.root, fresh)).root.value == value_of(node)
        assert value_of(fresh) == value_of(node)


def test_one_place_in_a_large_text() -> None:
    text = json.dumps([{"n": n, "l": []} for n in range(2_000)], indent=1)
    tree = parse(text)
    rows = tree.root.items
    row = rows[1_000]
    edited = members(row, "nl", ONE)
    node = Items((*map(Keep, rows[:1_000]), edited, *map(Keep, rows[1_001:])), tree.root)
    old = ' {\n  "n": 1000,\n  "l": []\n }'
    assert text.count(old) == 1
    assert rewrite(tree, tree.root, node) == text.replace(
        old, ' {\n  "n": 1000,\n  "l": [],\n  "x": 1\n }'
    )
    filled = [
        members(
            one, "n", NewMember("l", Items((Raw("1"),), one.members[1].element), one.members[1])
        )
        for one in rows
    ]
    new = rewrite(tree, tree.root, Items(tuple(filled), tree.root))
    assert new == json.dumps([{"n": n, "l": [1]} for n in range(2_000)], indent=1)


def test_moved_text_of_one_line() -> None:
    text = json.dumps([{"n": n} for n in range(20_000)])
    tree = parse(text)
    backwards = tuple(Keep(one) for one in reversed(tree.root.items))
    new = rewrite(tree, tree.root, Items(backwards, tree.root))
    assert new == json.dumps([{"n": n} for n in reversed(range(20_000))])


def values_of_raw() -> list[tuple[str, Any]]:
    deep: list[Any] = []
    for _ in range(300):
        deep = [deep]
    return [
        ("[" * 301 + "]" * 301, deep),
        (" 1.50\n", 1.5),
        ('"\\u00e9"', "é"),
        ("[\n1e400]", [float("inf")]),
        ("null", None),
    ]


@pytest.mark.parametrize(
    ("text", "value"), values_of_raw(), ids=["deep", "number", "text", "list", "null"]
)
def test_the_value_of_text(text: str, value: Any) -> None:
    assert value_of(Raw(text)) == value
    assert value_of(Members((NewMember("b", Raw(text)), NewMember("a", Raw("1"))))) == {
        "b": value,
        "a": 1,
    }


def test_places_are_found_through_an_edit_and_what_it_removes() -> None:
    root = parse('{"a": {"x": 1, "y": 2}, "l": [1, 2, 3], "k": [0], "n": {"m": 4}, "gone": 5}').root
    a, items, k, n = (root.members[at].element for at in range(4))
    y, one, two, three, four, _ = (*a.members[1:], *root.members)
    edit = Members(
        (
            NewMember("b", Members((NewMember("y", Keep(y.element), y),), a), one),
            NewMember("l", Items((Raw("9"), Keep(items.items[1])), items), two),
            NewMember("k", Keep(k), three),
            NewMember("n", Raw("null", n), four),
        ),
        root,
    )
    pairs = [("a/y", "b/y"), ("l/1", "l/1"), ("k/0", "k/0"), ("n/m", "n/m"), ("", "")]
    for was, now in pairs:
        before, after = ([*filter(None, one.split("/"))] for one in (was, now))
        assert (tokens_before(edit, after), tokens_after(edit, before)) == (before, after)
    assert [tokens_before(edit, [*one]) for one in ("l0", "l7", "ax", "bx", "z")] == [None] * 5
    assert [tokens_after(edit, ["l", "2"]), tokens_after(edit, ["gone"])] == [None, None]
    removed = {at: element.raw for at, element in removed_by(edit)}
    assert removed == {"/b/x": "1", "/l/2": "3", "/n": '{"m": 4}', "/n/m": "4", "/gone": "5"}

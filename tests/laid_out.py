"""JSON texts however they are laid out, for properties of what keeps a text as it is.

A `Shape` is the text without its white space: a scalar as it is written, or a container with the
raw names of its members. The same shape can be written in one style, or with any white space.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from hypothesis import strategies as st

SCALARS = (
    *"1 1.0 -0 0.10 1e3 1E+3 1e400 -1e400 9007199254740993 true false null".split(),
    "9" * 310,
    *('""', r'"\u00e9"', '"é"', r'"a\/b"', r'"{\"a\": [1,\n2]}"', '"\u2028"', '"a b"', '"😀"'),
)
NAMES = (
    *('"a"', '"b"', r'"\u0063"', '""', '"/"', '"."', '"~"', '"__proto__"', '"{,:}"', r'"\"\\"'),
    *(r'"\u0000"', r'"a\nb"', '"\u2028"', '"é"', '"0"', '"</script>"'),
)
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s"\[\]{},:]+')


@dataclass(frozen=True)
class Array:
    items: tuple[Shape, ...]


@dataclass(frozen=True)
class Object:
    members: tuple[tuple[str, Shape], ...]


Shape = str | Array | Object


class Style(NamedTuple):
    """One way to write all of a text: `unit` None for a text on one line."""

    unit: str | None
    newline: str
    colon: str
    space: str


STYLES = (
    Style("  ", "\n", ": ", " "),
    Style("    ", "\r\n", ": ", " "),
    Style("\t", "\n", " : ", " "),
    Style(" ", "\r", ":", ""),
    Style("", "\n", ": ", " "),
    Style(None, "", ":", ""),
    Style(None, "", ": ", " "),
)


def decoded(name: str) -> str:
    text: str = json.loads(name)
    return text


def unique(members: list[tuple[str, Any]]) -> tuple[tuple[str, Any], ...]:
    return tuple({decoded(name): (name, value) for name, value in members}.values())


def shapes(scalars: st.SearchStrategy[str] | None = None) -> st.SearchStrategy[Shape]:
    leaves = st.sampled_from(SCALARS) if scalars is None else scalars
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.lists(inner, max_size=4).map(lambda items: Array(tuple(items))),
            st.lists(st.tuples(st.sampled_from(NAMES), inner), max_size=4).map(
                lambda members: Object(unique(members))
            ),
        ),
        max_leaves=12,
    )


def styled(shape: Shape, style: Style, indentation: str = "") -> str:
    """The shape in one style throughout."""
    if isinstance(shape, str):
        return shape
    inner = indentation + (style.unit or "")
    if isinstance(shape, Array):
        brackets, parts = "[]", [styled(item, style, inner) for item in shape.items]
    else:
        brackets = "{}"
        parts = [f"{name}{style.colon}{styled(one, style, inner)}" for name, one in shape.members]
    if style.unit is None or not parts:
        return brackets[0] + f",{style.space}".join(parts) + brackets[1]
    lines = f",{style.newline}{inner}".join(parts)
    return f"{brackets[0]}{style.newline}{inner}{lines}{style.newline}{indentation}{brackets[1]}"


def spaced(shape: Shape, gap: Callable[[], str]) -> str:
    """The shape with white space of all sorts."""
    tokens = TOKEN.findall(styled(shape, Style(None, "", ":", "")))
    return gap() + "".join(token + gap() for token in tokens)


GAPS = st.sampled_from(["", "", "", " ", "  ", "\n", "\n  ", "\r\n\t", "\r", "\n\n    ", " \n "])


@st.composite
def texts(draw: st.DrawFn, shape: st.SearchStrategy[Shape] | None = None) -> str:
    """JSON texts in one style, or in none."""
    one = draw(shapes() if shape is None else shape)
    if draw(st.booleans()):
        style = draw(st.sampled_from(STYLES))
        return styled(one, style) + draw(st.sampled_from(["", style.newline]))
    return spaced(one, lambda: draw(GAPS))

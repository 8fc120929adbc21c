"""Kinds of controls for texts, and the bounds of a value in words.

A kind only decides how a text is edited: the text itself is what is submitted. So a guess by the
name of a member, or by its present value, can do no harm.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal
from functools import lru_cache
from typing import Final

from widgetschema.forms.model import CHOICE_KINDS, NUMBER_KINDS, SUGGESTING_KINDS, Steps
from widgetschema.forms.patterns_in_words import pattern_advice
from widgetschema.forms.texts import advice, text
from widgetschema.jsontext import dump, preview
from widgetschema.schema.keywords import FORMATS
from widgetschema.schema.tree import Limit, Node
from widgetschema.suggest import singular, split_words
from widgetschema.text import shorten

_BY_FORMAT: Final = {
    "date-time": "date-time",
    "date": "date",
    "time": "time",
    "email": "email",
    "idn-email": "email",
    "uri": "url",
    "uri-reference": "url",
    "iri": "url",
    "iri-reference": "url",
    "color": "colour",
    "colour": "colour",
    "password": "password",
    "css": "css",
    "textarea": "long-text",
    "markdown": "markdown",
    "html": "long-text",
}
_BY_MEDIA_TYPE: Final = {"text/css": "css", "text/markdown": "markdown"}
_BY_NOUN: Final = {
    noun: kind
    for kind, nouns in (
        ("css", "css scss csscode stylesheet stylesheets"),
        ("colour", "color colour bg background foreground fill stroke tint swatch accent"),
        ("url", "url uri href link src website homepage"),
        ("email", "email mail emailaddress mailaddress"),
        (
            "long-text",
            """description message body html markdown markup svg comment note bio biography
            paragraph content disclaimer terms instructions excerpt summary transcript embed
            answer testimonial quote introduction javascript js script htmlcode embedcode
            bodytext messagetext reviewtext descriptiontext richtext longtext""",
        ),
    )
    for noun in nouns.split()
}
# Nouns that count in front of others, too: `colorPrimary`, but not `linkText`.
_PREFIX_NOUNS: Final = frozenset({"color", "colour"})
_NOT_COLOURS: Final = frozenset(
    """scheme mode space model name id key label text title theme palette picker preset variant
    count type format style position enabled""".split()
)
# A name with such a beginning is a yes-or-no question: `showDescription`, `isHtml`.
_YES_NO_PREFIXES: Final = frozenset("is has show hide use enable allow".split())
_LONG_TEXT: Final = 120  # characters that are more than a line
_MANY_CHARACTERS: Final = 256  # that a line may have: limits of titles and names end there
MAX_SLIDER_STEPS: Final = 100  # of a number that is a slider unless something else is asked for
MAX_ASKED_STEPS: Final = 10_000  # of a slider that a UI description asks for
_MOST_EXACT: Final = 10**9  # of the numbers on a slider
_LONG_EXAMPLE: Final = 60  # characters of an example in words
_MOST_EXAMPLES: Final = 3  # in words
_MOST_SUGGESTIONS: Final = 100
_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{6}(?:[0-9a-fA-F]{2})?|(?:rgb|hsl)a?\([^()]{5,60}\)")
_DATE_TIME: Final = re.compile(
    r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d{1,20})?(?:[Zz]|[+-]\d\d:\d\d)"
)
_WEB_ADDRESS: Final = re.compile(r"https?://\S{3,}")


def kind_of_format(node: Node) -> str | None:
    """Return the kind for a `format` or `contentMediaType`; None if there is none."""
    for format in node.texts("format"):
        if format in _BY_FORMAT:
            return _BY_FORMAT[format]
    if any(one.lower() == "base64" for one in node.texts("contentEncoding")):
        return "upload"
    for content in node.texts("contentMediaType"):
        kinds = (kind for type, kind in _BY_MEDIA_TYPE.items() if content.startswith(type))
        return next(kinds, "long-text")
    return None


def kind_of_text(node: Node, name: str) -> str:
    """Return the kind of a text: by its format, its name, and its maximum length."""
    said = kind_of_format(node)
    if said is not None:
        return said
    most = node.most("maxLength")
    kind = "text" if node.texts("format") else _kind_by_name(name)
    if kind == "long-text" and most is not None and most <= _LONG_TEXT:
        return "text"
    if kind == "text" and most is not None and most > _MANY_CHARACTERS:
        return "long-text"
    return kind


def kind_for_value(kind: str, text: str) -> str:
    """Return the kind for a present text: only some controls can show newlines or long texts."""
    if kind in ("password", "upload", "markdown"):
        return kind
    if "\n" in text or "\r" in text:
        return kind if kind == "css" else "long-text"
    if kind != "text":
        return kind
    if len(text) > _LONG_TEXT:
        return "url" if _WEB_ADDRESS.fullmatch(text) else "long-text"
    if _COLOUR.fullmatch(text):
        return "colour"
    if _DATE_TIME.fullmatch(text):
        return "date-time"
    return "url" if _WEB_ADDRESS.fullmatch(text) else kind


@lru_cache(maxsize=4096)
def _kind_by_name(name: str) -> str:
    words = [word.lower() for word in split_words(name[:80])]
    while words and words[-1].isdigit():
        words.pop()
    if not words or (len(words) > 1 and words[0] in _YES_NO_PREFIXES):
        return "text"
    nouns = ("".join(words[-2:]), words[-1], singular(words[-1]))
    noun = next((_BY_NOUN[noun] for noun in nouns if noun in _BY_NOUN), None)
    if noun is None and not _PREFIX_NOUNS.isdisjoint(words) and words[-1] not in _NOT_COLOURS:
        return "colour"
    return noun or "text"


# Sliders


def slider_steps(node: Node, most: int = MAX_SLIDER_STEPS) -> Steps | None:
    """Return the values of a slider; None if a number has no bounds, or more than `most` steps."""
    low, high, multiples = node.minimum, node.maximum, node.multiples
    if low is None or high is None or len(multiples) > 1 or not (multiples or node.integer):
        return None
    numbers = [low.value, high.value, *multiples]
    if any(abs(one) > _MOST_EXACT for one in numbers):
        return None
    first, last, *steps = [Decimal(repr(one)) for one in numbers]
    step = steps[0] if steps else Decimal(1)
    if node.integer and step % 1:
        return None
    least, greatest = math.ceil(first / step), math.floor(last / step)  # in steps
    least += low.excluded and least * step == first
    greatest -= high.excluded and greatest * step == last
    if not 0 < greatest - least <= most:
        return None
    return Steps(*(format((one * step).normalize(), "f") for one in (least, greatest, 1)))


# Bounds in words


def bounds_text(node: Node, kind: str) -> str:
    """Return the bounds of a value in words: "0 to 100", "at most 10 characters"; "" for none.

    A pattern is said if it is simple, and not shown otherwise.
    """
    if kind == "number":
        said = [_range_text(node.minimum, node.maximum)]
        said += [text("bound.multiple", limit=preview(one)) for one in node.multiples[:1]]
    elif kind == "string":
        said = [_count_text(node.least("minLength"), node.most("maxLength"), "character")]
        said += [_pattern_text(pattern) for pattern in node.texts("pattern")[:1]]
    elif kind in ("array", "selection"):  # in a selection, there cannot be two alike
        said = [_count_text(node.least("minItems"), node.most("maxItems"), "item")]
        said += [text("bound.unique")] if node.unique and kind == "array" else []
    elif kind == "object":
        said = [_count_text(node.least("minProperties"), node.most("maxProperties"), "member")]
    else:
        said = []
    return advice()["list"](items=[*filter(None, said)])


def _range_text(low: Limit | None, high: Limit | None) -> str:
    if low is not None and high is not None and not low.excluded and not high.excluded:
        return text("bound.range", low=preview(low.value), high=preview(high.value))
    said = []
    if low is not None:
        said.append(text(f"bound.{'above' if low.excluded else 'least'}", limit=preview(low.value)))
    if high is not None:
        id = "bound.below" if high.excluded else "bound.most"
        said.append(text(id, limit=preview(high.value)))
    return advice()["list"](items=said)


def _count_text(least: int, most: int | None, noun: str) -> str:
    count = text(f"count.{noun}", number=least if most is None else most)
    if most is None:
        return text("bound.least", limit=count) if least else ""
    if least == most:
        return text("bound.exactly", count=count)
    if least:
        return text("bound.counts", least=least, count=count)
    return text("bound.most", limit=count)


def _pattern_text(pattern: str) -> str:
    said = pattern_advice(advice(), pattern) or ""
    return f"{said[:1].lower()}{said[1:]}"


# Examples


def example_text(node: Node, kind: str) -> str:
    """Return what an empty control shows: the first of `examples` that is a text or a number."""
    for value in node.annotation("examples") or ():
        if isinstance(value, str) and value.isprintable():
            return value[:_LONG_TEXT]
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return preview(value)
    return FORMATS.get(kind, "")


def suggestions(node: Node, kind: str) -> tuple[str, ...]:
    """Return `examples` to choose from while somebody types: what a control can show as typed."""
    if kind not in SUGGESTING_KINDS:
        return ()
    is_number, found = kind in NUMBER_KINDS, dict[str, None]()
    for value in node.annotation("examples") or ():
        if is_number and isinstance(value, (int, float)) and not isinstance(value, bool):
            found[dump(value, indent=False)] = None
        elif not is_number and isinstance(value, str) and value.strip() and value.isprintable():
            found[value] = None
    return tuple(found)[:_MOST_SUGGESTIONS]


def examples_text(node: Node, kind: str, example: str) -> str:
    """Return `examples` in words, where nothing else shows them; "" for none."""
    given = node.annotation("examples") or ()
    if kind in (*SUGGESTING_KINDS, *CHOICE_KINDS):
        return ""
    shown = [
        shorten(value, _LONG_EXAMPLE)
        if isinstance(value, str) and value.isprintable()
        else preview(value, _LONG_EXAMPLE)
        for value in given[:_MOST_EXAMPLES]
    ]
    return " \u00b7 ".join(one for one in shown if one != example or len(given) > 1)

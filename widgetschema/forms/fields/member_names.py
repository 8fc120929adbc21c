"""Names that are offered for new members of a free object: those of the schema, and of styles.

A name that is offered is only a suggestion: any other name can be typed, and what is in the data
stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from widgetschema.forms.control_names import pointer_of
from widgetschema.pointers import parse_pointer
from widgetschema.schema.tree import Node
from widgetschema.suggest import split_words

MAX_NAMES: Final = 200  # that are offered
_STYLE_WORDS: Final = frozenset("style styles styling css".split())
STYLES: Final = tuple(
    """color backgroundColor background fontFamily fontSize fontWeight fontStyle lineHeight
    letterSpacing textAlign textTransform textDecoration textShadow opacity padding paddingTop
    paddingRight paddingBottom paddingLeft margin marginTop marginRight marginBottom marginLeft
    border borderColor borderWidth borderStyle borderRadius boxShadow width maxWidth minWidth height
    maxHeight minHeight display gap alignItems justifyContent""".split()
)
# The same as in style sheets: `font-size`.
_HYPHENATED: Final = tuple(
    re.sub("[A-Z]", lambda match: f"-{match[0].lower()}", name) for name in STYLES
)
_ALL_STYLES: Final = frozenset((*STYLES, *_HYPHENATED))


def names_in_schema(node: Node) -> tuple[str, ...]:
    """Return the names of members that the schema allows, or shows in examples and defaults."""
    found: dict[str, None] = {}
    for value in node.names.values or ():
        _add(found, [value])
    for _, examples in node.said("examples"):
        for example in examples if type(examples) is list else ():
            _add(found, example)
    for _, default in node.said("default"):
        _add(found, default)
    return tuple(found)[:MAX_NAMES]


def _add(found: dict[str, None], names: Any) -> None:
    if type(names) in (dict, list):
        found.update((name, None) for name in names if type(name) is str and name)


def style_names(control: str, title: str, members: Sequence[str]) -> tuple[str, ...]:
    """Return the names of styles if an object holds styles, spelled as it spells them; else ().

    It does if a name on the way to it says so, or its title, or if most of its members are styles,
    at least one of them beyond doubt. `control` is the name of its control.
    """
    known = [name for name in members if name in _ALL_STYLES]
    if not says_style(control, title):
        is_certain = any(len(split_words(name)) > 1 for name in known)
        if not is_certain or 2 * len(known) < len(members):
            return ()
    is_hyphenated = any("-" in name for name in known)
    return _HYPHENATED if is_hyphenated else STYLES


@lru_cache(maxsize=4096)
def says_style(control: str, title: str) -> bool:
    """Return True if the title of a value, or a name on the way to it, is about styles."""
    names = (title, *parse_pointer(pointer_of(control)))
    words = (word.lower() for name in names for word in split_words(name[:80]))
    return not _STYLE_WORDS.isdisjoint(words)

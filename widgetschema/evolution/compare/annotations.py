"""Changes of what asserts nothing: titles, descriptions, defaults, unknown keywords.

The nodes of both trees are walked side by side, along the places that both describe.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from widgetschema.evolution.compare.changes import Change
from widgetschema.evolution.compare.equivalence import Asserts
from widgetschema.evolution.compare.joined import own_pointer
from widgetschema.evolution.compare.obstacles import (
    Obstacle,
    Token,
    branch_pairs,
    pairs_below,
)
from widgetschema.jsontext import preview
from widgetschema.jsontext.equality import canonical
from widgetschema.pointers import escape_token
from widgetschema.schema.keywords import FORMATS, texts
from widgetschema.schema.linking import ANNOTATIONS
from widgetschema.schema.tree import KIND_OF, Node
from widgetschema.schema.tree.tree import Key

MOST_PLACES: Final = 20_000  # that are compared
_APPLIED: Final = frozenset("allOf anyOf oneOf not if then else type const enum $ref".split())
_KNOWN: Final = ANNOTATIONS | {"writeOnly", "format", "contentEncoding", "contentMediaType"}
_SILENT: Final = frozenset("$id $schema definitions".split())  # names and where things are kept


def annotation_changes(
    old: Node, new: Node, asserts: Asserts, most: int = MOST_PLACES
) -> list[Change]:
    """Return the changes of annotations below two nodes, each change of a keyword once.

    At most `most` places are compared; if there are more, a change says so.
    """
    found: dict[tuple[str, str, str], Change] = {}
    for number, (path, was, now) in enumerate(_places(old, new)):
        if number == most:
            message = "there are more places than are looked at: titles and the like may differ"
            found["", "", ""] = Change("annotation", "", "", "schema", message)
            break
        for change in _changed(path, was, now, asserts):
            found.setdefault((change.pointer, change.keyword, repr(change.old)), change)
    return [*found.values()]


def _places(old: Node, new: Node) -> Iterator[tuple[str, Node, Node]]:
    """Yield each pair of nodes once, with its first path."""
    seen: set[tuple[Key, Key]] = set()
    todo: list[tuple[tuple[Token, ...], Node, Node]] = [((), old, new)]
    while todo:
        path, was, now = todo.pop()
        key = (was.key, now.key)
        if key in seen or not was.key.pointers or not now.key.pointers:
            continue
        seen.add(key)
        yield Obstacle(path, "", "", "").shown_path, was, now
        todo.extend(reversed([*_below(path, was, now)]))


def _below(
    path: tuple[Token, ...], was: Node, now: Node
) -> Iterator[tuple[tuple[Token, ...], Node, Node]]:
    for token, a, b in pairs_below(was, now):
        yield (*path, token), a, b
    for a, b in branch_pairs(was, now):
        yield path, a, b


def _changed(path: str, old: Node, new: Node, asserts: Asserts) -> Iterator[Change]:
    was, now = _own_assertions(old, asserts), _own_assertions(new, asserts)
    for keyword in dict.fromkeys((*was, *now)):
        before, after = was.get(keyword, {}), now.get(keyword, {})
        if before.keys() == after.keys():
            continue
        gone = next((one for key, one in before.items() if key not in after), None)
        come = next((one for key, one in after.items() if key not in before), None)
        where, was_said = gone or ("", None)
        pointer, is_said = come or (where, None)
        id = "limit.new" if gone is None else "limit.gone" if come is None else "limit.changed"
        word = keyword if keyword in _KNOWN else f"keyword {preview(keyword)}"
        shown = {"was": preview(was_said), "now": preview(is_said)}
        message = texts()[id](old=word, new=word, **shown)
        yield Change("annotation", path, own_pointer(pointer), keyword, message, was_said, is_said)


def _own_assertions(node: Node, asserts: Asserts) -> dict[str, dict[Any, tuple[str, Any]]]:
    """Return the annotations of a node: keyword → value → where it stands, and the value itself."""
    found: dict[str, dict[Any, tuple[str, Any]]] = {}
    for pointer, schema in node.schemas:
        for keyword, value in schema.items() if type(schema) is dict else ():
            if _annotates(keyword, value, asserts(pointer)):
                values = found.setdefault(keyword, {})
                values.setdefault(canonical(value), (f"{pointer}/{escape_token(keyword)}", value))
    return found


def _annotates(keyword: str, value: Any, formats: bool) -> bool:
    if keyword in _SILENT or keyword in _APPLIED:
        return False
    if keyword == "format":
        return not formats or value not in FORMATS
    if keyword.startswith("content"):
        return not formats
    return keyword in ANNOTATIONS or keyword not in KIND_OF

"""Destinations of steps: patterns whose `*` stand for what those of `at` stood for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from widgetschema.evolution.migrate.draft import Node
from widgetschema.evolution.migrate.steps.step import WILD, Step, fail
from widgetschema.pointers import ANY_DEPTH, PointerError, format_pointer, parse_pattern


def destination_faults(step: Step, to: str) -> Iterator[tuple[str, str]]:
    """Yield why the pattern `to` cannot be filled with what `at` stands for."""
    try:
        tokens = parse_pattern(to)
    except PointerError as error:
        hint = "" if error.hint is None else f": {error.hint}"
        yield "to", f"{error.reason}{hint}"
        return
    if not tokens:
        yield "to", "this is the whole data: write the JSON Pointer of a member"
    elif tokens[-1] in WILD:
        yield "to", f"it ends with {tokens[-1]}: write the name of a member there"
    wild, given = _wild(tokens), _wild(step.tokens)
    if given.count(ANY_DEPTH) > 1:
        yield "at", "only one ** can be told where to go"
    elif wild != given[: len(wild)]:
        yield "to", f"its {' and '.join(wild)} must stand in `at`, too, and in the same order"


def _wild(tokens: Sequence[str]) -> list[str]:
    return [one for one in tokens if one in WILD]


def filled(at: Sequence[str], to: Sequence[str], path: Sequence[str]) -> list[str]:
    """Return the tokens of a destination, for a path that the pattern `at` led to."""
    deep = len(path) - len(at) + 1  # tokens that ** stands for
    found: list[list[str]] = []
    position = 0
    for token in at:
        length = deep if token == ANY_DEPTH else 1
        if token in WILD:
            found.append([*path[position : position + length]])
        position += length
    parts = iter(found)
    return [one for token in to for one in (next(parts) if token in WILD else [token])]


def container_at(root: Node, tokens: Sequence[str]) -> Node:
    """Return the object at a place, which is made with all around it if it is not there.

    Raises `StepFailed` where something else is in the way.
    """
    node = root
    for depth, token in enumerate(tokens):
        child = node.child(token)
        if child is None:
            _require_object(node, tokens[:depth])
            child = Node.of_text("{}")
            node.add(token, child)
        node = child
    _require_object(node, tokens)
    return node


def _require_object(node: Node, tokens: Sequence[str]) -> None:
    if node.kind != "object":
        message = f"the destination would be in {_article(node.kind)}, not in an object"
        fail(format_pointer(tokens), message)


def _article(kind: str) -> str:
    return f"an {kind}" if kind == "array" else f"a {kind}"


def path_tokens(path: tuple[Any, ...]) -> list[str]:
    """Return the tokens of a path as `pointer_of` takes it."""
    tokens: list[str] = []
    while path:
        path, token = path
        tokens.append(str(token))
    return tokens[::-1]

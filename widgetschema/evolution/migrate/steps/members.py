"""Steps for members: rename, move, default and drop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from widgetschema.cached import cached_property
from widgetschema.errors import SchemaError, UnreadableDocument
from widgetschema.evolution.migrate.steps.step import (
    JSON_TEXT,
    POINTER,
    WILD,
    Run,
    Step,
    below,
    fail,
    names_member,
    option,
    parent_pattern,
)
from widgetschema.jsontext import dump, preview, read
from widgetschema.jsontext.draft import Node, Place
from widgetschema.pointers import (
    ANY_DEPTH,
    PointerError,
    display_pointer,
    format_pointer,
    parse_pattern,
    pointer_of,
)
from widgetschema.validation import Validator


@dataclass(frozen=True, kw_only=True)
class Rename(Step):
    """Gives a member another name. It keeps its place, and its value every byte."""

    to: str = field(metadata=option("The new name of the property.", type="string"))

    kind = "rename"
    summary = "Give a property another name, in its place."

    def apply(self, run: Run) -> None:
        """Rename the members; one of the new name beside it makes the migration fail."""
        for place in self.places(run):
            parent = place.parent
            if parent is None or parent.kind != "object":
                continue
            if self.to in parent.members:
                around = pointer_of(place.path[0])
                fail(
                    place.pointer,
                    f"it cannot be renamed: there is already a property {preview(self.to, 60)}",
                    f"drop or move {below(around, self.to)} in an earlier step",
                )
            parent.rename(place.token, self.to)
            run.applied += 1

    def may_apply(self, parent: Any, token: str, value: Any) -> bool:
        """Return whether it is a member."""
        return type(parent) is dict

    @property
    def is_idempotent(self) -> bool:
        """False if its pattern may lead through the new name to another member."""
        return self.to not in self.tokens[:-1]

    @property
    def destinations(self) -> tuple[str, ...]:
        """The member with the new name."""
        return (format_pointer([*self.tokens[:-1], self.to]),)

    @property
    def reversed(self) -> Step | None:
        """The step that gives back the old name."""
        return replace(self, at=self.destinations[0], to=self.tokens[-1])

    @property
    def faults(self) -> Iterator[tuple[str, str]]:
        """A pattern that ends with no name, and the name that it has already."""
        yield from names_member(self)
        if self.tokens[-1:] == [self.to]:
            yield "to", "this is already its name"


@dataclass(frozen=True, kw_only=True)
class Move(Step):
    """Takes a value to another place. Objects on the way are made where they are missing.

    A value can go into an object in its own place (`/title` to `/title/text`), and out of one that
    holds nothing else (`/title/text` to `/title`).
    """

    to: str = field(
        metadata=option(
            "The JSON Pointer of the destination; each * and ** in it stands for what that of `at` "
            "stood for.",
            **POINTER,
        )
    )

    kind = "move"
    summary = "Take a value to another place; objects on the way are made."

    def apply(self, run: Run) -> None:
        """Move the values, the inner ones first."""
        to = parse_pattern(self.to)
        for place in reversed(self.places(run)):
            if place.parent is None or place.parent.kind != "object":
                continue
            path = path_tokens(place.path)
            target = filled(self.tokens, to, path)
            if target == path:  # a `*` or `**` of `at` leads to the destination, too
                continue
            if target[: len(path)] == path:
                _wrap(place, target[len(path) :])
            elif path[: len(target)] == target:
                _unwrap(run.root, place, path, target)
            else:
                _move(run.root, place, target)
            run.applied += 1

    def may_apply(self, parent: Any, token: str, value: Any) -> bool:
        """Return whether it is a member."""
        return type(parent) is dict

    @property
    def destinations(self) -> tuple[str, ...]:
        """The destination."""
        return (self.to,)

    @property
    def is_idempotent(self) -> bool:
        """False if what was moved may be at a place that it is moved from."""
        one, other = f"{self.at}/", f"{self.to}/"
        if one.startswith(other) or other.startswith(one):
            return False
        return ANY_DEPTH not in self.tokens or self.tokens[-1] not in parse_pattern(self.to)

    @property
    def reversed(self) -> Step | None:
        """The way back; None if `at` has a `*` that `to` does not have."""
        to = parse_pattern(self.to)
        if [one for one in to if one in WILD] != [token for token in self.tokens if token in WILD]:
            return None
        return replace(self, at=self.to, to=self.at)

    @property
    def faults(self) -> Iterator[tuple[str, str]]:
        """A destination that cannot be filled, or is where the value is."""
        if not self.tokens or self.tokens[-1] in WILD:
            yield "at", "write the JSON Pointer of a property, which ends with its name"
        yield from destination_faults(self, self.to)
        if self.at == self.to:
            yield "to", "it is there already"


def _wrap(place: Place, names: list[str]) -> None:
    """Put a value into an object in its place, or into one in another."""
    assert place.parent is not None
    outer = inner = Node.of_text("{}")
    for name in names[:-1]:
        below = Node.of_text("{}")
        inner.add(name, below)
        inner = below
    place.parent.replace(place.token, outer)
    inner.add(names[-1], place.node)


def _unwrap(root: Node, place: Place, path: list[str], target: list[str]) -> None:
    """Put a value in the place of the object around it, which must hold nothing else."""
    holder = root
    for token in target[:-1]:
        child = holder.child(token)
        assert child is not None
        holder = child
    node = holder.child(target[-1])
    for token in path[len(target) :]:
        assert node is not None
        if node.kind == "array" or len(node.members) > 1:
            fail(
                place.pointer,
                f"it cannot take the place of {display_pointer(format_pointer(target))}, which "
                "holds other values",
                "move or drop the others in an earlier step",
            )
        node = node.child(token)
    holder.replace(target[-1], place.node)


def _move(root: Node, place: Place, target: list[str]) -> None:
    assert place.parent is not None
    holder = container_at(root, target[:-1])
    if target[-1] in holder.members:
        fail(
            place.pointer,
            f"it cannot be moved: there is already a value at "
            f"{display_pointer(format_pointer(target))}",
            "move or drop that in an earlier step",
        )
    holder.add(target[-1], place.parent.remove(place.token))


def destination_faults(step: Step, to: str) -> Iterator[tuple[str, str]]:
    """Yield the faults of a pattern `to` that cannot be filled with what `at` stands for."""
    try:
        tokens = parse_pattern(to)
    except PointerError as error:
        hint = "" if error.hint is None else f": {error.hint}"
        yield "to", f"{error.reason}{hint}"
        return
    if not tokens:
        yield "to", "this is the whole data: write the JSON Pointer of a property"
    elif tokens[-1] in WILD:
        yield "to", f"it ends with {tokens[-1]}: write the name of a property there"
    wild, given = _wild(tokens), _wild(step.tokens)
    if given.count(ANY_DEPTH) > 1:
        yield "at", "only one ** can be told where to go"
    elif wild != given[: len(wild)]:
        yield "to", f"its {' and '.join(wild)} must stand in `at`, too, and in the same order"


def _wild(tokens: Sequence[str]) -> list[str]:
    return [token for token in tokens if token in WILD]


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


@dataclass(frozen=True, kw_only=True)
class Default(Step):
    """Adds a member to each object that lacks it, as the last one."""

    value: Any = field(default=None, metadata=option("The value of the property."))
    json: str | None = field(
        default=None,
        metadata=option(
            "The value as JSON text, which is written as it is: null, 1.10.", **JSON_TEXT
        ),
    )

    kind = "default"
    summary = "Add a property where it is missing."

    @property
    def text(self) -> str:
        """The JSON text of the value."""
        return dump(self.value, indent=False) if self.json is None else self.json

    @property
    def seen_at(self) -> str:
        """The objects that may lack the member."""
        return parent_pattern(self.tokens)

    @property
    def needles(self) -> frozenset[str] | None:
        """None: it applies where something is not there."""
        return None

    def apply(self, run: Run) -> None:
        """Add the member to the objects that lack it."""
        name = self.tokens[-1]
        for place in self.places(run):
            if place.node.kind == "object" and name not in place.node.members:
                place.node.add(name, Node.of_text(self.text))
                run.applied += 1

    def may_apply(self, parent: Any, token: str, value: Any) -> bool:
        """Return whether the object lacks the member."""
        return type(value) is dict and self.tokens[-1] not in value

    @property
    def is_idempotent(self) -> bool:
        """False if the member is missing in its own value as well."""
        return ANY_DEPTH not in self.tokens or not isinstance(read(self.text), (dict, list))

    @property
    def makes(self) -> tuple[Any, ...] | None:
        """The value."""
        return (read(self.text),)

    @property
    def faults(self) -> Iterator[tuple[str, str]]:
        """No value, two of them, and a text that is not JSON."""
        yield from names_member(self)
        if self.json is None:
            if self.value is None:
                yield "", "value or json is missing"
        elif self.value is not None:
            yield "json", "there is a value already"
        else:
            try:
                read(self.json)
            except UnreadableDocument:
                yield "json", f"{preview(self.json, 60)} is not JSON"


@dataclass(frozen=True, kw_only=True)
class Drop(Step):
    """Removes members and items. What is removed is kept in `Outcome.lost`."""

    if_empty: bool = field(
        default=False,
        metadata=option('Remove only what is empty: {}, [], "" and null.', type="boolean"),
    )
    unless: str | None = field(
        default=None,
        metadata=option(
            "Remove only values that this JSON Schema does not allow. It is JSON text, such as "
            """'{"type": "string"}'.""",
            **JSON_TEXT,
        ),
    )
    unless_name: str | None = field(
        default=None,
        metadata=option(
            "Remove only properties whose names this JSON Schema does not allow. It is JSON text, "
            """such as '{"enum": ["title", "text"]}'.""",
            **JSON_TEXT,
        ),
    )

    kind = "drop"
    summary = "Remove a property or an item; what is lost is kept."

    def apply(self, run: Run) -> None:
        """Remove the values, inner and later ones first, so that places stay right."""
        for place in reversed(self.places(run)):
            parent, node = place.parent, place.node
            if parent is None:
                continue
            if self.unless_name is not None and parent.kind != "object":
                continue
            if self._goes(place.token, node.value):
                run.lose(place)
                parent.remove(place.token)
                run.applied += 1

    @property
    def results(self) -> tuple[str, ...]:
        """None: it only removes."""
        return ()

    @property
    def is_idempotent(self) -> bool:
        """False for one item of a list: after it, another one is in its place."""
        return not self.tokens[-1].isdigit()

    def may_apply(self, parent: Any, token: str, value: Any) -> bool:
        """Return whether there is something to remove."""
        if self.unless_name is not None and type(parent) is not dict:
            return False
        return self._goes(token, value)

    def _goes(self, name: str, value: Any) -> bool:
        """Return whether a value is to be removed."""
        return (
            not (self.if_empty and not _is_empty(value))
            and not (self._names is not None and self._names.is_valid(name))
            and not (self._values is not None and self._values.is_valid(value))
        )

    @cached_property
    def _values(self) -> Validator | None:
        return None if self.unless is None else Validator(read(self.unless))

    @cached_property
    def _names(self) -> Validator | None:
        return None if self.unless_name is None else Validator(read(self.unless_name))

    @property
    def loses(self) -> str | None:
        """The values themselves."""
        if self.if_empty:
            return "empty values"
        if self.unless is not None:
            return "the values that `unless` does not allow"
        return "the values"

    @property
    def faults(self) -> Iterator[tuple[str, str]]:
        """The whole data, and schemas that are none."""
        if {*self.tokens} <= {ANY_DEPTH}:
            yield "at", "this is the whole data: write the JSON Pointer of a property"
        for name in ("unless", "unless_name"):
            text = getattr(self, name)
            if text is None:
                continue
            try:
                Validator(read(text))
            except UnreadableDocument:
                yield name.replace("_", "-"), "this is not JSON text"
            except SchemaError as error:
                yield name.replace("_", "-"), f"this is not a JSON Schema: {error}"


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, (dict, list, str)) and not value)

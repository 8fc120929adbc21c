"""`Obstacle`: a requirement of one schema that is not proven to follow from the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from widgetschema.pointers import escape_token
from widgetschema.schema.tree import Node

EFFORT: Final = "effort"  # the effort was exhausted here, so nothing is known below
# Facts that do not tell which place below differs.
COARSE: Final = frozenset((EFFORT, *"anyOf oneOf not dependencies contains".split()))


class Token(NamedTuple):
    """One step of a path: as shown (`*` for any member or item), and an actual token."""

    shown: str
    actual: str | int


class Obstacle(NamedTuple):
    """A requirement of the right schema that the left one may not imply.

    `fact` identifies the sentence, `subject` is a value or member name in it; `left` and `right`
    are the values of both schemas, as JSON values; None if a schema has none. `right_place` and
    `left_place` are the pointers of their keywords. `leaf` is a schema of data that violates the
    requirement. `left_node` and `right_node` are the compared nodes.

    Places above are numbers of steps up. `rigid` is that of the outermost `oneOf`, `if` or `not` in
    which loosening may reject data; None if loosening is always safe. `around` are the nodes of
    chosen branches, each with its place. `trail` are the nodes of the left schema at each step of
    the path, after choices. `against` are further schemas, each with its place, that data must
    match to violate the requirement: if it is about one branch of a choice, the others must fail.
    """

    path: tuple[Token, ...]
    keyword: str
    fact: str
    right_place: str
    left_place: str = ""
    subject: Any = None
    left: Any = None
    right: Any = None
    leaf: Any = None
    left_node: Node | None = None
    right_node: Node | None = None
    rigid: int | None = None
    around: tuple[tuple[int, Node], ...] = ()
    trail: tuple[Node, ...] = ()
    against: tuple[tuple[int, Any], ...] = ()

    @property
    def about(self) -> tuple[Any, ...]:
        """The subject of the obstacle, the same for both directions of one change."""
        return (*(token.shown for token in self.path), self.fact, repr(self.subject))

    @property
    def source(self) -> tuple[Any, ...]:
        """The keywords that the obstacle is of, the same at all places of a shared definition."""
        left = () if self.left_node is None else self.left_node.key.pointers
        places = (self.right_place, self.left_place, left)
        return (*places, self.fact, repr((self.subject, self.left, self.right)))

    @property
    def shown(self) -> tuple[str, ...]:
        """The tokens of the place, as they are shown."""
        return tuple(token.shown for token in self.path)

    @property
    def rigid_place(self) -> tuple[str, ...] | None:
        """The tokens of the place of the outermost choice in which it is rigid, as shown."""
        return None if self.rigid is None else self.shown[: len(self.path) - self.rigid]

    @property
    def shown_path(self) -> str:
        """The JSON Pointer pattern of the place."""
        return "".join(f"/{escape_token(token.shown)}" for token in self.path)

    @property
    def actual_path(self) -> str:
        """The JSON Pointer of an example of the place."""
        return "".join(f"/{escape_token(str(token.actual))}" for token in self.path)

    def under(self, token: Token, node: Node) -> Obstacle:
        """Return the same obstacle for the parent, whose left node is given."""
        return self._replace(path=(token, *self.path), trail=(node, *self.trail))


def without_repeats(obstacles: Iterable[Obstacle]) -> tuple[Obstacle, ...]:
    """Return each obstacle once; the first of several about one thing stays."""
    found: dict[tuple[Any, ...], Obstacle] = {}
    for obstacle in obstacles:
        found.setdefault(obstacle.about, obstacle)
    return tuple(found.values())


def at_path(path: Sequence[Token], leaf: Any, around: Mapping[int, list[Any]]) -> Any:
    """Return a schema for data with a value at a path that is valid by `leaf`.

    `around` are further schemas for values, by the number of steps above the end of the path.
    """
    schema = _and(leaf, around.get(0, []))
    for steps, token in enumerate(reversed(path), 1):
        step = token.actual
        if type(step) is int:
            items = [*([True] * step), schema]
            schema = {"type": "array", "minItems": step + 1, "items": items}
        else:
            schema = {"type": "object", "required": [step], "properties": {step: schema}}
        schema = _and(schema, around.get(steps, []))
    return schema


def _and(schema: Any, others: list[Any]) -> Any:
    return {"allOf": [schema, *others]} if others else schema


# The places that two schemas describe, side by side

Pair = tuple[Node, Node]  # the older and the newer schema of one place

_ANY: Final = Token("*", "*")


def pairs_below(was: Node, now: Node) -> Iterator[tuple[Token, Node, Node]]:
    """Yield the members and items that both nodes describe, each with the step that leads there."""
    for name, child in was.properties.items():
        if name in now.properties:
            yield Token(name, name), child, now.properties[name]
    for index in range(min(was.tuple_length, now.tuple_length)):
        yield Token(str(index), index), was.item(index), now.item(index)
    yield _ANY, was.item(was.tuple_length), now.item(now.tuple_length)
    yield _ANY, was.other, now.other
    for pattern in was.patterns:
        if pattern in now.patterns:
            yield _ANY, was.described_by(pattern), now.described_by(pattern)


def branch_pairs(was: Node, now: Node) -> Iterator[Pair]:
    """Yield the branches of the choices of both nodes, in order, without the rest of the nodes."""
    for one, other in zip(was.choices, now.choices, strict=False):
        if one.keyword == other.keyword and len(one.branches) == len(other.branches):
            for a, b in zip(one.branches, other.branches, strict=True):
                yield was.tree.node(a.pointers), now.tree.node(b.pointers)

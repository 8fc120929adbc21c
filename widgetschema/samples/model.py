"""The protocol between the steps of a plan and the choosers that decide what is made.

A `Step` knows the possible values at one place of the data; a `Chooser` decides among them. The
classes here are their interfaces: `arrays`, `objects`, `numbers`, `texts` and `steps` implement
steps, `choosers`, `directed` and `strategies` implement choosers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Any, Final, NamedTuple, Protocol

from widgetschema.cached import cached_property
from widgetschema.samples.values import RandBelow
from widgetschema.samples.values.locales import Locale
from widgetschema.samples.values.realism import identifying_name
from widgetschema.samples.values.regular import TextPattern
from widgetschema.schema.tree import Node, SchemaTree

Path = tuple[Any, ...]  # (path of the container, token); the root is ()

MAX_POOL: Final = 1 << 16  # values that one 16-bit number can pick from
# Arrays and objects in one value, after which only required members and items are made.
MAX_CONTAINERS: Final = 1_000
# What is large counts as several arrays and objects: by its required members or items, or by the
# least length of a text.
VALUES_PER_CONTAINER: Final = 50
CHARACTERS_PER_CONTAINER: Final = 1_000
RECURSION_COST: Final = 8  # the number of arrays and objects that a recursive one counts as
MAX_EFFORT: Final = 2_000  # failed attempts before no more are made
# Required arrays and objects after the end of recursion, before the attempt fails; and how many of
# them cost as much as a failed attempt.
MAX_REQUIRED: Final = 50_000
_CONTAINERS_PER_EFFORT: Final = 20
TYPICAL_ITEMS: Final = 3  # the most items of an array or a map, unless the schema asks for more
MAX_WRITTEN_ITEMS: Final = 10_000  # items that are written out to reach a bound
_SCALAR_KINDS: Final = frozenset(("string", "number"))
DEFAULT_FILL: Final = 0.75  # the share of optional members
OPTIONAL, REQUIRED, IDENTIFYING = 0, 1, 2
# The smallest fill, of 65536, with which objects have their identifying members.
IDENTIFYING_FILL: Final = 1 << 14


class DeadEnd(Exception):
    """A choice that leads to no valid data; `pointer` and `reason` say where and why.

    `given_up` is True if there may be valid data, but none was found.
    """

    def __init__(self, pointer: str, reason: str, *, given_up: bool = False) -> None:
        super().__init__(pointer, reason)
        self.pointer = pointer
        self.reason = reason
        self.given_up = given_up


# A stream for plain steps, on the hot path: a function that returns the next 16-bit number; the
# threshold below which an optional member is made; and the rows of texts that belong together in a
# record. A plain tuple, since a named one is slower to make.
DrawSource = tuple[Callable[[], int], int, dict[str, int]]


class Excluded(NamedTuple):
    """An option that a schema lists, but excludes elsewhere."""

    keyword: str
    label: str
    why: str
    member: str | None = None


class MemberNodes(NamedTuple):
    """The members that a schema names, with their nodes.

    `nodes` are all possible ones, in order; `free` those that do not require an impossible member.
    `names_fit` decides if a name is allowed; None if all are.
    """

    nodes: Mapping[str, Node]
    required: frozenset[str]
    free: frozenset[str]
    excluded: Sequence[Excluded]
    names_fit: Callable[[Any], bool] | None


class Planner(ABC):
    """The interface of a plan to its steps."""

    tree: SchemaTree
    locale: Locale
    max_items: int | None = None  # in coverage, unless the schema requires more

    @abstractmethod
    def step(self, node: Node, names: tuple[str, ...]) -> Step:
        """Return the step of a node, for members with these names."""

    @abstractmethod
    def members(self, node: Node, names: tuple[str, ...]) -> tuple[MemberNodes, NamedMembers]:
        """Return the named members of an object: their nodes, and their steps. Raises `DeadEnd`."""

    @abstractmethod
    def checker(self, node: Node) -> Callable[[Any], bool]:
        """Return a function that checks a value against all schemas of a node."""

    @abstractmethod
    def pattern(self, pattern: str) -> TextPattern:
        """Return the text generator of a regular expression."""

    @abstractmethod
    def leave_out(self, stuck: DeadEnd, chooser: Chooser, path: Path) -> None:
        """Warn, once, that samples lack a value for which there may be valid data."""

    @abstractmethod
    def possible(self, node: Node) -> bool:
        """Return True if a node may have valid data."""

    @abstractmethod
    def explain_impossible(self, node: Node, above: tuple[Node, ...] = ()) -> tuple[str, str]:
        """Return the pointer of the schema that makes a node impossible, and the reason."""


class Step:
    """One place of a plan: makes values of a node, for members with these names.

    `names` are the last names of the path; realistic values depend on them.
    """

    def __init__(self, plan: Planner, node: Node, names: tuple[str, ...]) -> None:
        self.plan = plan
        self.node = node
        self.names = names
        # Options that are in the schema but impossible: keyword, member, label, and reason.
        self.excluded: list[Excluded] = []

    # The question that a chooser may ask of it: its keyword, and the names of the answers.
    keyword: str
    labels: Sequence[str]
    # The fast maker of a value, if there is nothing to decide or check; and the pool from which
    # it picks, or its makers: at most as many as there are 16-bit numbers.
    fast: Callable[[RandBelow], Any] | None = None
    pool: Sequence[Any] | None = None
    makers: Sequence[Callable[[], Any]] = ()

    def make(self, chooser: Chooser, path: Path) -> Any:
        """Return the value that the chooser decides on. Raises `DeadEnd`."""
        raise NotImplementedError

    def too_large(self, chooser: Chooser) -> DeadEnd:
        """Return the reason for making no more arrays and objects."""
        reason = f"the least data is larger than {-chooser.floor:,} arrays and objects"
        return DeadEnd(self.node.pointer, reason)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.node!r}>"


class PickStep(Step):
    """A choice among labelled options.

    `weighted` are the indices for samples, repeated by their weight; `in_order` are all indices, by
    height; `shallow` those of the lowest options, `deep` that of a highest one.
    """

    weighted: Sequence[int]
    in_order: Sequence[int]
    shallow: Sequence[int]
    deep: int


class CountedStep(Step):
    """A container with `low` to `high` children; `usual` are likely numbers of them.

    `cost` is the number of containers that it counts as.
    """

    low: int
    high: int | None
    usual: tuple[int, int]
    cost: int

    def set_bounds(self, low: int, high: int | None) -> None:
        """Set the bounds."""
        if high is not None and low > high:
            raise DeadEnd(
                self.node.pointer, f"at least {low:,} are needed, but at most {high:,} fit"
            )
        if low > MAX_WRITTEN_ITEMS:
            reason = f"at least {low:,} are needed: more than {MAX_WRITTEN_ITEMS:,}"
            raise DeadEnd(self.node.pointer, reason, given_up=True)
        self.low, self.high = low, high
        self.cost = 1 + low // VALUES_PER_CONTAINER
        most = low + TYPICAL_ITEMS - 1 if low else TYPICAL_ITEMS
        least = max(low, 1 if high is None or high > 0 else 0)
        self.usual = (least, max(least, most if high is None else min(most, high)))

    @cached_property
    def labels(self) -> Sequence[str]:
        """The names of the counts."""
        return [label for label, _ in self.counts]

    @cached_property
    def counts(self) -> Sequence[tuple[str, int]]:
        """The edge cases with their names: none, one, many, the bounds and their neighbours."""
        high = self.high if self.high is not None and self.high <= 1000 else None
        limit = self.plan.max_items
        limit = None if limit is None else max(self.low, limit)
        many = max(TYPICAL_ITEMS, self.low + 2) if limit is None else limit
        found = [("none", 0), ("one", 1), ("many", many)]
        found += [("least", self.low), ("least+1", self.low + 1)]
        found += [] if high is None else [("most", high), ("most-1", high - 1)]
        named: dict[int, str] = {}
        for name, number in found:
            if self.low <= number and (self.high is None or number <= self.high):
                if limit is None or number <= limit:
                    named.setdefault(number, name)
        return [(name, number) for number, name in named.items()]


class Member:
    """A member that has a name of its own in the schema."""

    __slots__ = ("_names", "_node", "_plan", "_step", "identifies", "name", "required")

    def __init__(
        self, plan: Planner, name: str, node: Node, names: tuple[str, ...], required: bool
    ) -> None:
        self.name = name
        self.required = required
        self.identifies = False  # it identifies the object, as its name does
        self._plan, self._node, self._names = plan, node, names
        self._step: Step | None = None

    @property
    def step(self) -> Step:
        """Its step, made when it is first asked for."""
        if self._step is None:
            self._step = self._plan.step(self._node, (*self._names[-1:], self.name))
        return self._step

    def __repr__(self) -> str:
        return f"<Member {self.name}>"


# A member for the hot path: its name, whether it is required, its pool and the pool's size, its
# fast maker and its step. A size without a pool is that of several makers, one of which is called.
# Until a member is first made, its index stands in place of the size. A plain tuple, since a named
# one is slower to unpack.
MemberDraw = tuple[str, int, Sequence[Any] | None, int, Any, Step | None]


class Related(Protocol):
    """Members of an object whose values belong together."""

    def settle(self, value: dict[str, Any], rows: dict[str, int]) -> None:
        """Replace values of an object that was made; `rows` are texts of the whole record."""


class NamedMembers:
    """The members that a schema names, for objects in members of one name.

    `named` are all possible ones, in order; `members` those that do not require an impossible one,
    `required` the required ones of these. Steps are made with the first value of a member: most
    members of large nested objects are never made.
    """

    def __init__(self, plan: Planner, nodes: MemberNodes, names: tuple[str, ...]) -> None:
        self.named = {
            name: Member(plan, name, node, names, name in nodes.required)
            for name, node in nodes.nodes.items()
        }
        single = (
            name for name, node in nodes.nodes.items() if _SCALAR_KINDS.issuperset(node.kinds)
        )
        if (identifying := identifying_name(single)) is not None:
            self.named[identifying].identifies = True
        self.members = [one for name, one in self.named.items() if name in nodes.free]
        self.required = [member for member in self.members if member.required]
        self.sparse_draws: list[MemberDraw] = [
            (one.name, REQUIRED if one.required else OPTIONAL, None, index, None, None)
            for index, one in enumerate(self.members)
        ]
        self.draws = [*map(self._usual, self.members, self.sparse_draws)]
        self.related: Sequence[Related] | None = None  # found when an object is first made

    def _usual(self, member: Member, draw: MemberDraw) -> MemberDraw:
        """Return the fast form of a member for an object with the usual number of members."""
        always = member.identifies and not member.required
        return (draw[0], IDENTIFYING, *draw[2:]) if always else draw

    def resolve_draw(self, index: int) -> MemberDraw:
        """Return the fast form of a member with its step, and keep it."""
        member, step = self.members[index], self.members[index].step
        size, fast = len(step.pool or step.makers), step.makers or step.fast
        always = REQUIRED if member.required else OPTIONAL
        made = member.name, always, step.pool, size, fast, step
        self.sparse_draws[index] = made
        self.draws[index] = self._usual(member, made)
        return made


class ObjectStep(CountedStep):
    """An object: `members` have names, `low` to `high` count those that have none."""

    keyword = "members"
    members: Sequence[Member]
    required: Sequence[Member]
    named: dict[str, Member]  # including those that require an impossible member
    described: bool  # the schema constrains additional members


class ScalarStep(Step):
    """A number or a text."""

    def draw(self, randbelow: RandBelow) -> Any:
        """Return one of the likely values; a text may still violate a pattern or a format."""
        raise NotImplementedError

    def simplest(self, randbelow: RandBelow) -> Any:
        """Return the number nearest to zero, or the shortest text that is easily made."""
        raise NotImplementedError

    @property
    def boundaries(self) -> list[tuple[str, Any]]:
        """The values at and next to the bounds, and other edge cases, with names."""
        raise NotImplementedError

    @cached_property
    def labels(self) -> Sequence[str]:
        """The names of the boundaries."""
        return [label for label, _ in self.boundaries]


class Chooser:
    """Decides for a plan. This base class makes the simplest valid data.

    `level` is the depth of recursion; `budget` the number of arrays and objects that may still be
    made, and `floor` that of the required ones beyond these, below zero; `effort` the number of
    attempts that may still fail.
    """

    max_level = 0
    realistic = True
    wants_most = False  # arrays have their largest size, even if texts are repeated
    is_plain = False  # texts of a pattern prefer letters
    level = 0
    budget = MAX_CONTAINERS
    floor = -MAX_REQUIRED
    effort = MAX_EFFORT

    def randbelow(self, n: int) -> int:
        """Return a number in range(n): 0 is the simplest."""
        return 0

    def draw_source(self) -> DrawSource | None:
        """Return a stream for plain steps; None if each decision is to be asked for."""
        return None

    def option(self, step: PickStep, path: Path) -> int:
        """Return the index of one of the step's options."""
        return step.shallow[0]

    def value(self, step: PickStep, path: Path) -> int:
        """Return the index of one of the listed values."""
        return self.option(step, path)

    def takes_example(self, one_in: int, *, whole: bool) -> bool:
        """Return True to use an example of the schema, for about one in `one_in` values.

        `whole` is True for an array or an object.
        """
        return False

    def members(self, step: ObjectStep, path: Path) -> Iterable[Member]:
        """Return the members of an object; the required ones are always among them.

        Each is made before the next one is decided.
        """
        return step.required

    def avoided(self, step: ObjectStep, path: Path) -> Set[str]:
        """Return the names of members to be absent if others can take their place."""
        return frozenset()

    def count(self, step: CountedStep, path: Path) -> int:
        """Return the number of items of an array, or of further members of an object."""
        return step.low

    def indices(self, step: CountedStep, path: Path) -> Iterable[int]:
        """Yield the indices of the items of an array; each is made before the next is decided."""
        return range(self.count(step, path))

    def name(self) -> int:
        """Return a number from which the name of an additional member is made."""
        return self.randbelow(4096)

    def any_name(self) -> str | None:
        """Return a name for an unconstrained member; None for a realistic name."""
        return None

    def scalar(self, step: ScalarStep, path: Path) -> Any:
        """Return a number or a text."""
        return step.simplest(self.randbelow)

    def on_made(self, step: Step, path: Path, value: Any) -> None:
        """Record the finished value of a step."""

    def on_fallback(self, step: PickStep, path: Path, index: int) -> None:
        """Record that another option was made, because the chosen one was a dead end."""

    def on_discard(self, path: Path) -> None:
        """Record that the value at a path is discarded."""

    @property
    def effort_spent(self) -> int:
        """The effort so far: failed attempts, and arrays and objects beyond the budget."""
        return MAX_EFFORT - self.effort + max(0, -self.budget) // _CONTAINERS_PER_EFFORT

    @property
    def must_end(self) -> bool:
        """True if recursion has to end."""
        return self.level > self.max_level or self.budget < 0


def size_of(value: Any) -> int:
    """Return the number of values in a JSON value, itself included."""
    if type(value) is dict:
        return 1 + sum(map(size_of, value.values()))
    return 1 + sum(map(size_of, value)) if type(value) is list else 1


def copy_json(value: Any) -> Any:
    """Return a deep copy of a JSON value."""
    if type(value) is dict:
        return {name: copy_json(item) for name, item in value.items()}
    if type(value) is list:
        return [copy_json(item) for item in value]
    return value

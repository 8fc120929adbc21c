"""Near-misses: valid data with exactly one mistake, and exactly the findings it must give.

For each keyword there are mistakes that people make: values to put in the place of a valid one. A
mistake is made in data that is known to be valid, and handed out only once the validator has given
one finding, of the expected keyword and place. What a schema asks for that could not be broken in
this way has a line in the ledger, with the reason.
"""

from __future__ import annotations

import itertools
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, NamedTuple

from widgetschema.jsontext.decimals import decimal_value
from widgetschema.jsontext.equality import canonical
from widgetschema.pointers import escape_token, pointer_of
from widgetschema.samples.arrays import Array
from widgetschema.samples.cases import LEFT_OUT, Case, CaseSet, ExpectedFinding, Target
from widgetschema.samples.choosers import StreamChooser
from widgetschema.samples.directed import BaseData, PlacedValue, general
from widgetschema.samples.model import Chooser, DeadEnd, Path, Step, copy_json
from widgetschema.samples.numbers import Number, plain
from widgetschema.samples.objects import Object, closure
from widgetschema.samples.steps import Alternatives, Values
from widgetschema.samples.texts import MAX_WRITTEN_CHARACTERS, Text
from widgetschema.samples.values.automata import find_like, find_text
from widgetschema.samples.values.formats import NOT_OF_FORMAT
from widgetschema.samples.values.grammars import GRAMMARS
from widgetschema.schema.tree import KIND_OF, PYTHON, Node
from widgetschema.text import plural
from widgetschema.validation import Validator

_ASKING: Final = (
    "minLength maxLength format minItems maxItems minProperties maxProperties required".split()
)
_MAX_TEXTS: Final = 8
_MAX_TRIED: Final = 24  # values that are tried for one mistake
_MAX_BRANCHES: Final = 12  # of a `not`, that are tried one by one
Language = tuple[frozenset[str], frozenset[str]]  # patterns that texts match, and do not match
_MAX_LIKE: Final = 200  # characters of a text that others are like


class Mistake(NamedTuple):
    """One way to break a value.

    `keyword` is the one that has to object, `name` says what a person did, `values` are new
    values for the place, to be tried once, in order; the finding is at `member` of the place, or
    at the place itself.
    """

    keyword: str
    name: str
    values: Iterable[tuple[Any, str | int | None]]


def mistakes(step: Step, value: Any, elsewhere: Mapping[str, Any]) -> Iterator[Mistake]:
    """Yield all mistakes that can be made with a value. `elsewhere` are members of other
    objects.
    """
    yield from _of_type(step, value)
    yield from _of_refusals(step, value)
    for kind, found in _BY_STEP.items():
        if isinstance(step, kind):
            yield from found(step, value)
    if isinstance(step, Object):
        yield from _of_members(step, value, elsewhere)


def unbreakable(node: Node, value: Any) -> Iterator[tuple[str, str]]:
    """Yield the keywords of a node that no mistake can violate, each with the reason."""
    for keyword in _ASKING:
        for _, asked in node.said(keyword):
            if KIND_OF[keyword] != PYTHON[type(value)]:
                continue
            if keyword == "format":
                if asked not in NOT_OF_FORMAT:
                    yield keyword, f"the format {asked!r} asserts nothing"
            elif asked in (0, [], False):
                yield keyword, "it requires nothing"
            else:
                yield keyword, "breaking it would take a larger value than is generated"


def _here(*values: Any) -> Sequence[tuple[Any, None]]:
    return [(value, None) for value in values]


def _of_type(step: Step, value: Any) -> Iterator[Mistake]:
    if not any(step.node.said("type")):
        return
    if value is None:
        yield Mistake("type", "text", _here("", "null", 0))
        return
    yield Mistake("type", "null", _here(None))
    if type(value) is bool:
        yield Mistake("type", "number", _here(int(value)))
        yield Mistake("type", "quoted", _here("true" if value else "false"))
    elif isinstance(value, (int, float)):
        yield Mistake("type", "quoted", _here(str(value)))
        if step.node.integer and value == int(value) and abs(value) < 2**52:
            yield Mistake("type", "fraction", _here(int(value) + 0.5, int(value) - 0.5))
    elif type(value) is str:
        yield Mistake("type", "number", _here(5, 5.5))
        yield Mistake("type", "list", _here([value]))
    elif type(value) is list:
        yield Mistake("type", "bare", _here(*value[:1], "a"))
    elif type(value) is dict:
        yield Mistake("type", "list", _here([value]))
        yield Mistake("type", "text", _here("{}"))


def _of_values(step: Values, value: Any) -> Iterator[Mistake]:
    if not any(step.node.said("enum")) and not any(step.node.said("const")):
        return
    keyword = "enum" if any(step.node.said("enum")) else "const"
    texts = [one for one in (value, *step.values) if type(one) is str][:_MAX_TEXTS]
    cased = [c for t in texts for c in (t.capitalize(), t.upper(), t.lower(), t.swapcase())]
    cased = [one for one in dict.fromkeys(cased) if one not in step.values]
    if cased:
        yield Mistake(keyword, "case", _here(*cased))
    if texts:
        yield Mistake(keyword, "space", _here(f"{texts[0]} ", f" {texts[0]}"))
        yield Mistake(keyword, "unknown", _here(f"{texts[0]}-2", "unknown", "?"))
    elif isinstance(value, (int, float)) and type(value) is not bool:
        yield Mistake(keyword, "quoted", _here(str(value)))
        numbers = [one for one in step.values if type(one) in (int, float)]
        yield Mistake(keyword, "unknown", _here(max(numbers) + 1, min(numbers) - 1))
    else:
        yield Mistake(keyword, "unknown", _here("unknown", 0, None, [], {}))


def _of_number(step: Number, value: int | float) -> Iterator[Mistake]:
    node = step.node
    for limit, bound, sign, name in (
        (node.minimum, step.low, -1, "below"),
        (node.maximum, step.high, 1, "above"),
    ):
        if limit is not None and bound is not None:
            beyond = bound + sign * step.step_at(bound)
            first = [bound] if limit.excluded else []
            if step.unit:
                whole = (bound // step.unit) * step.unit
                first += [whole + step.unit * many for many in (-1, 0, 1, 2)]
            near = sorted((*first, beyond), key=lambda one, bound=bound: abs(one - bound))  # type: ignore[misc]
            values = [plain(one) for one in near if not step.allows(one)]
            keyword = limit.place.rpartition("/")[2]
            yield Mistake(keyword, name, _here(*values))
    if node.multiples:
        parts = [step.unit / part for part in (2, 3, 10)]
        exact = decimal_value(value)
        around = [exact + sign * part for part in parts for sign in (1, -1)]
        values = [plain(one) for one in around if step.allows(one)]
        values += [plain(exact + sign) for sign in (1, -1) if step.allows(exact + sign)]
        yield Mistake("multipleOf", "between", _here(*values))


def _of_text(step: Text, value: str) -> Iterator[Mistake]:
    low, high, most = step.low, step.high, MAX_WRITTEN_CHARACTERS
    if low:
        shorter = [value[: low - 1], *_like(step.language(), value, 0, low - 1), "a"]
        yield Mistake("minLength", "short", _here(*shorter))
    if high is not None and high < most:
        longer = [*_like(step.language(), value, high + 1, high + 1)]
        longer += [*step.lengthen(value, high + 1), "a" * (high + 1)]
        yield Mistake("maxLength", "long", _here(*longer))
    if step.patterns:
        texts = [f"{value} ", f" {value}", f"{value}!", value[:-1], value[1:], value.swapcase()]
        texts += [value.replace(c, "?", 1) for c in value[:8]] + ["", "?", "0", "a", "\n"]
        texts += ["?" * max(low, 1), "z" * max(low, 1), "0" * max(low, 1)]
        texts = [text for text in dict.fromkeys(texts) if text != value][: _MAX_TRIED - 4]
        for pattern in step.node.texts("pattern")[:2]:
            others = step.language(missed=(pattern,), without=pattern)
            texts += _like(others, value, low, high)
        yield Mistake("pattern", "mismatch", _here(*texts))
    for format in step.node.texts("format"):
        if format not in NOT_OF_FORMAT:
            continue
        texts = [*NOT_OF_FORMAT[format]]
        texts += [text + "?" * (low - len(text)) for text in texts if len(text) < low]
        if step.patterns or high is not None:
            others = step.language(formats=False, missed=GRAMMARS[format].matched[:1])
            texts += _like(others, value, low, high)
        yield Mistake("format", "malformed", _here(*texts))
    for keyword, text in (("contentEncoding", "%%%"), ("contentMediaType", "{")):
        if any(step.node.said(keyword)):
            yield Mistake(keyword, "malformed", _here(text, "eyI="))


def _like(language: Language, text: str, low: int, high: int | None) -> list[str]:
    """Return texts of a language, first one like the text."""
    if len(text) > _MAX_LIKE:
        return []
    shortest = find_text(*language, low, high).text
    return [*find_like(*language, (text,), low, high), *([] if shortest is None else [shortest])]


def _of_list(step: Array, value: list[Any]) -> Iterator[Mistake]:
    node = step.node
    least, most = node.least("minItems"), node.most("maxItems")
    if least:
        yield Mistake("minItems", "few", _here(value[: least - 1], value[len(value) - least + 1 :]))
    if most is not None and most < 1_000:
        yield Mistake("maxItems", "many", _here(_longer(step, value, most + 1)))
    if node.unique and value:
        repeated = [[*value[:-1], copy_json(value[0])], [*value, copy_json(value[0])]]
        values = [(items, len(items) - 1) for items in repeated if len(items) > 1]
        yield Mistake("uniqueItems", "twice", values)
    if node.contains:
        yield from _without_contained(step, value)
    if not node.tuple_length and any(schema is False for _, schema in node.item(0).schemas):
        yield Mistake("false", "forbidden", [([True], 0)])
    elif any(schema is False for _, schema in node.item(node.tuple_length).schemas):
        if node.tuple_length and len(value) == node.tuple_length:
            extra = [copy_json(value[-1]), "extra", 1, None]
            where = node.tuple_length
            values = [([*value, item], where) for item in extra]
            yield Mistake("additionalItems", "extra", values)


def _longer(step: Array, value: list[Any], length: int, refused: str | None = None) -> list[Any]:
    """Return the list with more items, none of which matches what is refused."""
    chooser, items = StreamChooser("mistakes"), list(value)
    for _ in range(length * 8):
        if len(items) >= length:
            break
        node = step.node.item(len(items))
        if refused is not None:
            node = node.narrowed((), (refused,))
        try:
            item = step.plan.step(node, step.names).make(chooser, ())
        except DeadEnd:
            break
        if not step.node.unique or item not in items:
            items.append(item)
    return items


def _without_contained(step: Array, value: list[Any]) -> Iterator[Mistake]:
    for pointer in step.node.contains:
        fits = step.plan.checker(step.plan.tree.node([pointer]))
        left = [item for item in value if not fits(item)]
        filled = _longer(step, [], len(value), pointer)
        yield Mistake("contains", "none", _here(left, filled))


def _of_alternatives(step: Alternatives, value: Any) -> Iterator[Mistake]:
    if step.choice is None or step.keyword not in ("anyOf", "oneOf"):
        return
    others: list[Any] = [None, "?", 0.5, -1, True, [], {}, [None], {"?": None}]
    yield Mistake(step.keyword, "none", _here(*others))
    if step.keyword == "oneOf":
        pointers = [branch.pointer for branch in step.choice.branches][:6]
        pairs = itertools.combinations(pointers, 2)
        values = (one for pair in pairs for one in _matching_both(step, pair))
        yield Mistake("oneOf", "several", ((value, None) for value in values))


def _matching_both(step: Alternatives, branches: tuple[str, str]) -> list[Any]:
    """Return values that match two branches of a choice.

    Where all values are checked, the schema with the choice refuses them, so if none is left, they
    are made without it; what it says beside the choice, they may meet all the same.
    """
    assert step.choice is not None
    if branches in step.matching_both:
        return step.matching_both[branches]
    rest, holder = step.node.key.pointers, step.choice.place.rpartition("/")[0]
    decided = step.node.key.decided | {step.choice.place}
    values: list[Any] = []
    for some in dict.fromkeys((rest, tuple(one for one in rest if one != holder), ())):
        key = step.node.key._replace(pointers=(*some, *branches), decided=decided)
        both = step.plan.tree.node_of(key)
        for kind in step.node.kinds if not values else ():
            values += _made(step, both.of_kind(kind), step.names)
    step.matching_both[branches] = values
    return values


def _of_refusals(step: Step, value: Any) -> Iterator[Mistake]:
    """Yield data that a `not` refuses: for each of its alternatives."""
    for place, _ in step.node.said("not"):
        refused = step.plan.tree.node([place])
        choice = refused.choices[0] if refused.choices else None
        if choice is None or choice.keyword not in ("anyOf", "oneOf"):
            yield Mistake("not", "refused", _here(*_refused(step, refused, value)))
            continue
        for index in range(len(choice.branches[:_MAX_BRANCHES])):
            values = _refused(step, refused.choose(choice, index), value)
            yield Mistake("not", f"refused-{index}", _here(*values))


def _refused(step: Step, refused: Node, value: Any) -> list[Any]:
    kinds = [*dict.fromkeys((*step.node.kinds, *refused.kinds))]
    values = [one for kind in kinds for one in _made(step, refused.of_kind(kind), ())]
    if isinstance(step, Object):  # the same members, with values that they may have
        objects = [one for one in values if type(one) is dict]
        typed = [_with(step, value, one) for one in objects]
        values = [*typed, *({**value, **one} for one in objects), *values]
    return values


def _made(step: Step, node: Node, names: tuple[str, ...]) -> list[Any]:
    """Return some values of a node, for members with these names."""
    values: list[Any] = []
    made = step.plan.step(node, names)
    for chooser in (Chooser(), StreamChooser("mistakes/1"), StreamChooser("mistakes/2")):
        try:
            values.append(made.make(chooser, ()))
        except DeadEnd:
            continue
    return values


def _of_members(
    step: Object, value: dict[str, Any], elsewhere: Mapping[str, Any]
) -> Iterator[Mistake]:
    node = step.node
    for name in dict.fromkeys(name for _, names in node.said("required") for name in names):
        if name in value:
            yield Mistake("required", f"missing-{name}", _here(_without(value, name)))
    if node.closed:
        yield from _of_names(step, value, elsewhere)
    yield from _forbidden(step, value)
    least, most = node.least("minProperties"), node.most("maxProperties")
    if least:
        optional = [name for name in value if name not in node.required]
        fewer = dict(value)
        while len(fewer) >= least and optional:
            del fewer[optional.pop()]
        yield Mistake("minProperties", "few", _here(fewer, {}))
    if most is not None and most < 1_000:
        yield Mistake("maxProperties", "many", _here(*_with_more(step, value, most + 1)))
    for name, needed in node.dependencies.items():
        whole = value if name in value else _with(step, value, closure((name,), node.dependencies))
        for other in needed:
            if name in whole and other in whole:
                without = _without(whole, other)
                yield Mistake("dependencies", f"{name}-without-{other}", _here(without))
    if any(node.said("propertyNames")):
        roomy = _with_room(step, value)
        names = [*(name.swapcase() for name in value), "", "A b!", "?", "x" * 300, "0"]
        values = [(_with(step, roomy, [name]), name) for name in names if name not in value]
        yield Mistake("propertyNames", "name", values)


def _forbidden(step: Object, value: dict[str, Any]) -> Iterator[Mistake]:
    """Yield data with members whose schema is `false`."""
    node, randbelow = step.node, StreamChooser("mistakes").randbelow
    names, roomy = [*node.properties], _with_room(step, value)
    for pattern in node.patterns:
        name = step.plan.pattern(pattern).make(randbelow)
        names += [] if name is None else [name]
    for name in names:
        child = node.child(name)
        if name not in value and any(schema is False for _, schema in child.schemas):
            yield Mistake("false", f"forbidden-{name}", [({**roomy, name: True}, name)])


def _of_names(
    step: Object, value: dict[str, Any], elsewhere: Mapping[str, Any]
) -> Iterator[Mistake]:
    keyword = "additionalProperties"
    known = step.node.properties
    optional = [name for name in value if name not in step.node.required and name in known]
    for name in [*optional, *(name for name in value if name in known)][:1]:
        spelt = [_renamed(value, name, other) for other in _misspellings(name)]
        yield Mistake(keyword, f"misspelled-{name}", [one for one in spelt if one[1] not in known])
        cased = [name[:1].swapcase() + name[1:], name.upper(), name.lower()]
        renamed = [_renamed(value, name, other) for other in cased if other not in known]
        if renamed:
            yield Mistake(keyword, f"case-{name}", renamed)
    foreign = [name for name in elsewhere if name not in known and name not in value]
    roomy = _with_room(step, value)
    moved = [({**roomy, name: copy_json(elsewhere[name])}, name) for name in foreign[:5]]
    if moved:
        yield Mistake(keyword, "section", moved)
    strays = [name for name in ("unknownMember", "zzz") if name not in known]
    yield Mistake(keyword, "unknown", [({**roomy, name: True}, name) for name in strays])


def _misspellings(name: str) -> list[str]:
    middle = max(len(name) // 2, 1)
    left, right = name[middle - 1 : middle], name[middle : middle + 1]
    swapped = f"{name[: middle - 1]}{right}{left}{name[middle + 1 :]}"
    found = [swapped, name[:middle] + name[middle + 1 :], f"{name}{name[-1:]}", f"{name}_"]
    return [one for one in dict.fromkeys(found) if one and one != name]


def _renamed(value: dict[str, Any], name: str, other: str) -> tuple[dict[str, Any], str]:
    return {other if key == name else key: item for key, item in value.items()}, other


def _without(value: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: item for key, item in value.items() if key != name}


def _with_more(step: Object, value: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """Return the object with as many members as asked, each of them allowed by itself."""
    more = _with(step, value, [member.name for member in step.members], number)
    with suppress(DeadEnd):
        step.add_others(more, StreamChooser("mistakes"), (), number, number)
    return [more]


def _with_room(step: Object, value: dict[str, Any]) -> dict[str, Any]:
    """Return the object, without an optional member if it has as many as it may have."""
    most, needed = step.node.most("maxProperties"), step.node.dependencies.values()
    kept = {*step.node.required, *(name for names in needed for name in names)}
    optional = [name for name in value if name not in kept]
    full = most is not None and len(value) >= most
    return _without(value, optional[-1]) if full and optional else value


def _with(
    step: Object, value: dict[str, Any], names: Iterable[str], number: int | None = None
) -> dict[str, Any]:
    """Return the object with members of these names, if they may have a value; at most `number`."""
    chooser, found = StreamChooser("mistakes"), dict(value)
    for name in names:
        if name not in found and (number is None or len(found) < number):
            child = step.plan.step(step.node.child(name), (*step.names[-1:], name))
            with suppress(DeadEnd):
                found[name] = child.make(chooser, ())
    return found


_BY_STEP: Final[dict[type[Step], Callable[[Any, Any], Iterator[Mistake]]]] = {
    Values: _of_values,
    Number: _of_number,
    Text: _of_text,
    Array: _of_list,
    Alternatives: _of_alternatives,
}


class _InVain(NamedTuple):
    """Counts of values that were tried for a mistake, but did not cause only that mistake.

    `valid` of them left the data valid; the first of the others had the findings `other`.
    """

    tried: int = 0
    valid: int = 0
    other: Sequence[ExpectedFinding] = ()

    def plus(self, more: _InVain) -> _InVain:
        """Return the sum of both."""
        valid, other = self.valid + more.valid, self.other or more.other
        return _InVain(self.tried + more.tried, valid, other)

    def __str__(self) -> str:
        if not self.tried:
            return "not tried: no value was found to put in its place"
        said = [f"{self.valid:,} left the data valid"] if self.valid else []
        if self.other:
            shown = ", ".join(f"{one.keyword} at {one.path or '(root)'}" for one in self.other[:3])
            more = f" and {len(self.other) - 3} more" if len(self.other) > 3 else ""
            said.append(f"{self.tried - self.valid:,} broke something else, such as {shown}{more}")
        number = plural(self.tried, "value")
        return f"not broken alone: of {number} tried, {' and '.join(said)}"


_MAX_BASES: Final = 3  # valid instances in which a place is tried
MAX_STEPS: Final = 600_000  # values in all tried instances together


class _Constraint(NamedTuple):
    """A keyword to be violated at a place, as it stands in these places of the schema.

    `place` has no indices, since items are alike. `suffix` distinguishes requirements of one
    keyword.
    """

    keyword: str
    place: str
    said: tuple[str, ...]
    suffix: str = ""


class NearMisses:
    """One run over some valid instances: the cases, and the constraints that cannot be violated."""

    def __init__(self, validator: Validator, max_steps: int = MAX_STEPS) -> None:
        self.validator = validator
        self.max_steps = max_steps
        self.steps = 0  # values in all tried instances
        self.cases: dict[str, Case] = {}
        self.data: set[Any] = set()
        self.open: dict[_Constraint, str] = {}  # constraints that were not tried, and why
        self.in_vain: dict[_Constraint, _InVain] = {}  # constraints that could not be violated
        self.done: set[tuple[_Constraint, str]] = set()  # constraints, with the mistake made

    def run(self, bases: Iterable[BaseData], limit: int) -> CaseSet:
        """Return the near-misses of all bases; each mistake is made once."""
        tried: Counter[tuple[tuple[Any, ...], Step]] = Counter()
        why = f"{LEFT_OUT}more than {limit:,} cases, or {self.max_steps:,} steps"
        for base in bases:
            if len(self.cases) >= limit:
                self.open.setdefault(_Constraint("schema", "", (), "#rest"), why)
                break
            for made in base.places:
                key = (general(made.path), made.step)
                tried[key] += 1
                if self.steps > self.max_steps or len(self.cases) >= limit:
                    self.open.setdefault(_Constraint("schema", pointer_of(made.path), ()), why)
                elif tried[key] <= _MAX_BASES:
                    self.add(base, made)
        cases = tuple(self.cases.values())
        ledger = [Target(case.id, case.id) for case in cases]
        broken = {constraint for constraint, _ in self.done}
        unbroken = {**{one: str(why) for one, why in self.in_vain.items()}, **self.open}
        uncovered = {
            f"{constraint.keyword}@{constraint.place}{constraint.suffix}": why
            for constraint, why in unbroken.items()
            if constraint not in broken
        }
        ledger += [Target(id, None, why) for id, why in uncovered.items() if id not in self.cases]
        return CaseSet(cases, tuple(ledger), self.steps)

    def add(self, base: BaseData, made: PlacedValue) -> None:
        """Make the mistakes at one place that have not been made yet."""
        thought_of: set[str] = set()
        for mistake in mistakes(made.step, made.value, _elsewhere(base, made)):
            thought_of.add(mistake.keyword)
            constraint = _constraint(made, mistake.keyword, mistake.name)
            if (constraint, mistake.name) in self.done:
                continue
            case, in_vain = self.confirm(base, made, mistake)
            if case is not None:
                self.done.add((constraint, mistake.name))
                self.record_case(case)
            else:
                self.in_vain[constraint] = self.in_vain.get(constraint, _InVain()).plus(in_vain)
        for keyword, why in unbreakable(made.step.node, made.value):
            if keyword not in thought_of:
                self.open.setdefault(_constraint(made, keyword), why)

    def record_case(self, case: Case) -> None:
        """Record a case with a unique id, unless there is a case with the same data."""
        data = canonical(case.data)
        if data in self.data:
            return
        self.data.add(data)
        id, number = case.id, 1
        while id in self.cases:
            number += 1
            id = f"{case.id}~{number}"
        self.cases[id] = replace(case, id=id)

    def random_mistake(
        self, base: BaseData, places: Iterable[PlacedValue], which: int
    ) -> Case | None:
        """Return one mistake at one of the places, chosen by `which`; all kinds are as likely."""
        every = [
            (zlib.crc32(f"{which} {mistake.name.partition('-')[0]}".encode()), made, mistake)
            for made in places
            for mistake in mistakes(made.step, made.value, _elsewhere(base, made))
        ]
        for _, made, mistake in sorted(every, key=lambda one: one[0]):
            case, _ = self.confirm(base, made, mistake)
            if case is not None:
                return case
        return None

    def confirm(
        self, base: BaseData, made: PlacedValue, mistake: Mistake
    ) -> tuple[Case | None, _InVain]:
        """Return a mistake as a case, if the validator has confirmed it, and the failed tries."""
        place = pointer_of(made.path)
        expected = {mistake.keyword, *_choices_around(base, made)}
        in_vain = _InVain()
        for value, member in itertools.islice(mistake.values, _MAX_TRIED):
            self.steps += base.steps
            path = place if member is None else f"{place}/{escape_token(str(member))}"
            data = replaced(base.data, made.path, copy_json(value))
            findings = [
                ExpectedFinding(one.keyword, one.path) for one in self.validator.check(data)
            ]
            if len(findings) == 1 and findings[0].path == path and findings[0].keyword in expected:
                id = f"{findings[0].keyword}@{place}#{mistake.name}"
                return Case(id, "near-miss", data, tuple(findings)), in_vain
            in_vain = in_vain.plus(_InVain(1, not findings, findings))
        return None, in_vain


def _constraint(made: PlacedValue, keyword: str, name: str = "") -> _Constraint:
    tokens = (escape_token(str(token)) for token in reversed(general(made.path)))
    place = "".join(f"/{token}" for token in tokens)
    if isinstance(made.step, Alternatives) and made.step.choice and made.step.keyword == keyword:
        suffix = f"#{name}" if name == "several" else ""
        return _Constraint(keyword, place, (made.step.choice.place,), suffix)
    return _Constraint(keyword, place, tuple(where for where, _ in made.step.node.said(keyword)))


def replaced(data: Any, path: Path, value: Any) -> Any:
    """Return a copy of the data with another value at a path."""
    tokens = []
    while path:
        path, token = path
        tokens.append(token)
    if not tokens:
        return value
    result = copy_json(data)
    holder = result
    for token in reversed(tokens[1:]):
        holder = holder[token]
    holder[tokens[0]] = value
    return result


def _choices_around(base: BaseData, made: PlacedValue) -> frozenset[str]:
    """Return the keywords of the choices around a place, which may fail as well."""
    places = [made.path]
    if isinstance(made.step, Values) and made.path:
        places.append(made.path[0])  # a member that distinguishes branches
    return frozenset(
        other.step.keyword
        for other in base.choices
        if other.path in places and isinstance(other.step, Alternatives)
    )


def _elsewhere(base: BaseData, made: PlacedValue) -> dict[str, Any]:
    """Return the members of other objects of the data, by name."""
    if type(made.value) is not dict:
        return {}
    found: dict[str, Any] = {}
    for other in base.places:
        if type(other.value) is dict and other.value is not made.value:
            found.update(other.value)
    return found

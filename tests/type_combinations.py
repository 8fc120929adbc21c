"""Every combination of types that the fast path is built of, tried in processes of their own.

A fault in the library that decodes may end the process, or accept what is invalid. So each union of
two and of three kinds of value, at the places that a value can be, is decoded in another process, and
compared with the engine. `python -m tests.type_combinations` tries all; the thorough tests do, too, and
`tests/unit/audit/test_fast_path.py` tries a few.
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import combinations, product
from typing import Any, Final, NamedTuple

from tests.checkout import ROOT
from widgetschema import Validator
from widgetschema.audit.fast_path import build_fast_path

INTEGER: Final = {"type": "integer"}
TEXT: Final = {"type": "string"}


def closed(required: Sequence[str] = (), **members: Any) -> dict[str, Any]:
    """Return the schema of an object with these members and no others."""
    return {
        "type": "object",
        "properties": members,
        "required": [*required],
        "additionalProperties": False,
    }


def listed(*items: Any, **more: Any) -> dict[str, Any]:
    """Return the schema of an array whose items are described one by one."""
    return {"type": "array", "items": [*items], "additionalItems": False, **more}


PARTS: Final[dict[str, list[dict[str, Any]]]] = {
    "string": [
        TEXT,
        {"type": "string", "minLength": 2},
        {"type": "string", "maxLength": 2},
        {"type": "string", "minLength": 2, "maxLength": 3},
        {"type": "string", "pattern": "^a"},
        {"enum": ["a", "abc", "é"]},
    ],
    "number": [
        {"type": "number"},
        INTEGER,
        {"type": "integer", "minimum": 10},
        {"type": "integer", "exclusiveMaximum": 3},
        {"type": "integer", "exclusiveMinimum": 1, "maximum": 10},
        {"type": "number", "minimum": 10},
        {"type": "number", "exclusiveMaximum": 3},
        {"type": "number", "exclusiveMinimum": 1, "maximum": 10},
        {"type": "number", "multipleOf": 2.5},
        {"enum": [1, 10, 12]},
    ],
    "boolean": [{"type": "boolean"}, {"const": True}],
    "null": [{"type": "null"}],
    "array": [
        {"type": "array", "items": INTEGER},
        {"type": "array", "items": {}, "minItems": 2},
        {"type": "array", "items": TEXT, "maxItems": 1},
        {"type": "array", "items": {"type": "string", "minLength": 2}, "minItems": 1, "maxItems": 2},
        {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
        {"type": "array", "maxItems": 0},
        listed(INTEGER, INTEGER, minItems=2, maxItems=2),
        listed(INTEGER, TEXT),
    ],
    "object": [
        {"type": "object", "additionalProperties": INTEGER},
        {"type": "object", "additionalProperties": {}, "minProperties": 2},
        {"type": "object", "additionalProperties": TEXT, "maxProperties": 1},
        {"type": "object", "additionalProperties": {}, "minProperties": 1, "maxProperties": 1},
        closed(),
        closed(["a"], a=INTEGER, b={"type": "integer", "minimum": 2}),
        {**closed(a={}, b={}), "minProperties": 1, "maxProperties": 1},
        {"oneOf": [closed(["t"], t={"const": "x"}, a=INTEGER), closed(["t"], t={"const": "y"})]},
        {**closed(a={}, b={}), "dependencies": {"a": ["b"]}},
    ],
}  # fmt: skip
"""By kind: one schema for each type that expresses values of the kind, or some of them."""

VALUES: Final[list[Any]] = [
    *("", "a", "ab", "abc", "abcd", "é", "😀😀", "2026-11-03", "2026-11-33"),
    *(0, 1, 2, 5, 9, 10, 11, 12, -1, 1.5, 2.5, 10.0, 10.5, 1e300, 2**53, 2**63, -(2**63), -(2**70)),
    *(True, False, None),
    *([], [1], [1, 2], [1, 2, 3], ["a"], ["ab", "abc"], ["ab", "ab"], [1, "a"], ["a", 1]),
    *([1.5], [None, {}], [[1, 2], []], ["abc"] * 3, [12] * 20),
    *({}, {"a": 1}, {"a": "x"}, {"b": 1}, {"b": 2, "a": 1}, {"a": 1, "b": 2, "c": 3}),
    *({"t": "x", "a": 1}, {"t": "y"}, {"t": "z"}, {"a": 1, "t": "x"}, {"a": {"a": [1, 2]}}),
]


class Place(NamedTuple):
    """A place of values: the schema around theirs, and around some of them."""

    schema: Callable[[Any], Any]
    instances: Callable[[Any, Any], list[Any]]


PLACES: Final = {
    "root": Place(lambda schema: schema, lambda one, other: [one]),
    "member": Place(
        lambda schema: closed(m=schema, n=INTEGER),
        lambda one, other: [{"m": one}, {"n": 1, "m": one}, {"m": one, "n": other}],
    ),
    "required member": Place(
        lambda schema: closed(["m"], m=schema, n=schema),
        lambda one, other: [{"m": one}, {"m": one, "n": other}, {"n": other}],
    ),
    "item": Place(
        lambda schema: {"type": "array", "items": schema},
        lambda one, other: [[one], [one, other], [other, one, one]],
    ),
    "item of a list in a list": Place(
        lambda schema: {"type": "array", "items": {"type": "array", "items": schema, "maxItems": 2}},
        lambda one, other: [[[one]], [[one, other], [other]]],
    ),
    "map": Place(
        lambda schema: {"type": "object", "additionalProperties": schema},
        lambda one, other: [{"k": one}, {"k": one, "l": other}],
    ),
    "list of two": Place(
        lambda schema: listed(schema, schema, minItems=2),
        lambda one, other: [[one, other], [one], [one, other, one]],
    ),
    "object told by a member": Place(
        lambda schema: {
            "oneOf": [closed(["t"], t={"const": "x"}, m=schema), closed(["t"], t={"const": "y"})]
        },
        lambda one, other: [{"t": "x", "m": one}, {"m": one, "t": "x"}, {"t": "y", "m": other}],
    ),
}  # fmt: skip


class Case(NamedTuple):
    """A union of some kinds of value, at a place."""

    parts: tuple[dict[str, Any], ...]
    place: str

    def schema(self) -> Any:
        """Return the schema of the place."""
        [first, *others] = self.parts
        return PLACES[self.place].schema({"anyOf": [first, *others]} if others else first)


@cache
def cases() -> list[Case]:
    """Return all cases: each kind and unions of two at each place, unions of three in a member."""
    return [
        Case(parts, place)
        for number, places in ((1, [*PLACES]), (2, [*PLACES]), (3, ["member"]))
        for kinds in combinations(PARTS, number)
        for parts in product(*(PARTS[kind] for kind in kinds))
        for place in places
    ]


def few_cases() -> list[int]:
    """Return the indices of some cases: those with an array of two items that are described one by
    one, beside whatever else may have a bound, and few others.
    """
    numbered = list(enumerate(cases()))
    tried = [*zip(PARTS["array"][-2:], ("member", "item"), strict=True)]
    beside = [
        index
        for index, case in numbered
        if len(case.parts) == 2 and any((part, case.place) in tried for part in case.parts)
    ]
    return sorted({*beside, *range(0, len(numbered), 997)})


@cache
def _texts(place: str) -> list[bytes]:
    """Return the texts that are tried at a place: each value, beside one other, in two spellings."""
    instances = PLACES[place].instances
    others = VALUES[7:] + VALUES[:7]
    made = [
        instance
        for one, other in zip(VALUES, others, strict=True)
        for instance in instances(one, other)
    ]
    compact = [json.dumps(one, separators=(",", ":"), ensure_ascii=False) for one in made]
    return [text.encode() for text in (*compact, *(json.dumps(one, indent=1) for one in made))]


class Outcome(NamedTuple):
    """The counts of a run, and the texts that were accepted although they are invalid."""

    cases: int = 0
    fast_paths: int = 0
    texts: int = 0
    valid: int = 0
    accepted: int = 0
    wrong: tuple[str, ...] = ()

    def print(self) -> None:
        """Print the counts, and some of the texts."""
        for wrong in self.wrong[:20]:
            print(wrong[:1000])
        print(
            f"{self.cases:,} cases, {self.fast_paths:,} with a fast path; {self.texts:,} texts, "
            f"{self.valid:,} valid, {self.accepted:,} accepted, {len(self.wrong):,} wrongly"
        )


def total(outcomes: Sequence[Outcome]) -> Outcome:
    """Return the sum of some outcomes."""
    counts = [sum(column) for column in zip(*(one[:5] for one in outcomes), strict=True)]
    return Outcome._make([*counts, tuple(wrong for one in outcomes for wrong in one.wrong)])


def try_schema(schema: Any, texts: Sequence[bytes]) -> Outcome:
    """Compare the fast path of a schema with the engine. In a process of its own: it may crash."""
    validator = Validator(schema)
    fast_path = build_fast_path(validator)
    if fast_path is None:
        return Outcome(1)
    rejected: set[int] = set()
    for _ in range(2):  # it learns from what it rejects
        rejected = set(fast_path.rejected(texts))
    valid = [validator.is_valid_json(text) for text in texts]
    wrong = [
        f"{json.dumps(schema)} accepts {text.decode()}"
        for index, text in enumerate(texts)
        if index not in rejected and not valid[index]
    ]
    return Outcome(1, 1, len(texts), sum(valid), len(texts) - len(rejected), tuple(wrong))


def in_processes(module: str, cases: Sequence[int], processes: int, *arguments: str) -> Outcome:
    """Return the outcome of `python -m MODULE ARGUMENTS -`, in processes that share the cases.

    Where a process ends before it has said its outcome, the case that it was at counts as wrong.
    """
    command = [sys.executable, "-m", module, *arguments, "-"]

    def outcome_of(share: Sequence[int]) -> Outcome:
        process = subprocess.run(
            command,
            cwd=ROOT,
            input=json.dumps(share),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        if process.returncode:
            said = process.stdout[-2000:]
            return Outcome(wrong=(f"a process ended with {process.returncode}: {said}",))
        return Outcome._make(json.loads(process.stdout.splitlines()[-1]))

    with ThreadPoolExecutor(processes) as pool:
        shares = [cases[number::processes] for number in range(processes)]
        return total([*pool.map(outcome_of, shares)])


def work(attempt: Callable[[int], Outcome]) -> None:
    """Try the cases of standard input, each said before it begins, and write the outcome."""
    outcomes = []
    for index in json.load(sys.stdin):
        print("case", index, flush=True)
        outcomes.append(attempt(index))
        if index % 16 == 0:  # what was decoded, and the types, are freed here
            gc.collect()
    gc.collect()
    print(json.dumps(total(outcomes)))


def try_case(index: int) -> Outcome:
    """Try one case."""
    case = cases()[index]
    return try_schema(case.schema(), _texts(case.place))


def main() -> None:
    """Try all cases, in two processes."""
    if sys.argv[1:] == ["-"]:
        work(try_case)
        return
    outcome = in_processes("tests.type_combinations", [*range(len(cases()))], 2)
    outcome.print()
    sys.exit(bool(outcome.wrong))


if __name__ == "__main__":
    main()

"""Values made in Python: what JSON can carry is copied plainly, all else is a finding."""

from __future__ import annotations

import copy
import datetime
import decimal
import enum
import itertools
import json
import math
import pickle
import sys
import uuid
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgetschema.findings import Finding
from widgetschema.jsontext import Guard, dump, plain_copy, preview
from widgetschema.jsontext.decimals import multiples_of
from widgetschema.jsontext.values import BEYOND_DOUBLES, is_shallow

NAN, INFINITY = math.nan, math.inf
A_UUID = uuid.UUID("12345678-1234-5678-1234-567812345678")


class Colour(enum.Enum):
    RED = "red"
    NOTHING = None
    PAIR = (1, ["two"])
    NOT_A_NUMBER = NAN
    A_SET = frozenset({1})
    AN_ID = A_UUID


class Number(enum.IntEnum):
    ONE = 1


class Name(enum.StrEnum):
    A = "a"


class LoudText(str):
    __slots__ = ()

    def __str__(self) -> str:
        return "not what it is"


class LoudNumber(int):
    def __str__(self) -> str:
        return "not what it is"


class Real(float):
    pass


class Items(list[Any]):
    pass


class Members(dict[str, Any]):
    pass


class Point(NamedTuple):
    x: int
    y: int


def same(one: Any, other: Any) -> bool:
    """Equal in type, value, sign of zero and order of members, all the way down."""
    return type(one) is type(other) and repr(one) == repr(other)


def findings_of(value: Any, max_depth: int = 200) -> list[tuple[str, str, str, str | None]]:
    """Return the mistakes of `value`: keyword, path, message and hint."""
    _, findings = plain_copy(value, max_depth)
    for finding in findings:
        assert (finding.schema_path, finding.line, finding.column) == ("", None, None)
    return [(one.keyword, one.path, one.message, one.hint) for one in findings]


# ---- What is carried ----

CARRIED: list[tuple[str, Any, Any]] = [
    ("null", None, None),
    ("true", True, True),
    ("zero below", -0.0, -0.0),
    ("a large integer", BEYOND_DOUBLES - 1, BEYOND_DOUBLES - 1),
    ("a large negative integer", 1 - BEYOND_DOUBLES, 1 - BEYOND_DOUBLES),
    ("text", "é😀\x00\x7f", "é😀\x00\x7f"),
    ("nothing in it", [[], {}, "", ()], [[], {}, "", []]),
    ("null in it", {"a": None, "b": [None, {"null": "null"}]}, {"a": None, "b": [None, {"null": "null"}]}),
    ("order of members", {"b": 1, "a": 2}, {"b": 1, "a": 2}),
    ("tuples", (1, (2, [3, (None,)])), [1, [2, [3, [None]]]]),
    ("a named tuple", Point(1, 2), [1, 2]),
    ("a member of an enumeration", Colour.RED, "red"),
    ("members of an enumeration", [Colour.NOTHING, Colour.PAIR, Colour.AN_ID], [None, [1, ["two"]], str(A_UUID)]),
    ("members with a type", [Number.ONE, Name.A, {Name.A: 1}], [1, "a", {"a": 1}]),
    ("UUIDs", {"id": A_UUID}, {"id": "12345678-1234-5678-1234-567812345678"}),
    ("a subclass of str", [LoudText("a"), {LoudText("é"): 1}], ["a", {"é": 1}]),
    ("a subclass of int", [LoudNumber(7), LoudNumber(10**30)], [7, 10**30]),
    ("a subclass of float", Real(1.5), 1.5),
    ("a subclass of list", Items([1, Items()]), [1, []]),
    ("a subclass of dict", Members(a=Members()), {"a": {}}),
    ("an OrderedDict", OrderedDict(b=1, a=2), {"b": 1, "a": 2}),
    ("a defaultdict", defaultdict(list, a=[1]), {"a": [1]}),
]  # fmt: skip


@pytest.mark.parametrize(("value", "plain"), [r[1:] for r in CARRIED], ids=[r[0] for r in CARRIED])
def test_carried(value: Any, plain: Any) -> None:
    got, findings = plain_copy(value, 200)
    assert findings == ()
    assert same(got, plain)
    guard = Guard(200)
    encoded = guard.encode(value)
    assert encoded is None or same(guard.decode(encoded), plain)


@pytest.mark.parametrize(
    "value",
    [
        0,
        "text",
        None,
        [None],
        {"a": {"b": [1, 2.5, True, None]}},
        {"null": "null", "a": [None] * 20_000},
        [[]] * 20_000,
        2**64 - 1,
        -(2**63),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_the_guard_vouches_for_what_parsers_make(value: Any) -> None:
    guard = Guard(200)
    encoded = guard.encode(value)
    assert encoded is not None
    assert same(guard.decode(encoded), value)


@pytest.mark.parametrize("inner", [NAN, INFINITY, -INFINITY, [NAN], {"a": (INFINITY,)}], ids=repr)
def test_no_null_hides_a_number_that_is_not_finite(inner: Any) -> None:
    besides = (None, "null", 1.5, [None], {"null": 0.5})
    for beside, wide in [*itertools.product(besides, [1, 300]), ([None], 100_001)]:
        guard = Guard(200)
        guarded = guard.decider(lambda value: True, lambda value: False)
        for value in (
            [*[beside] * wide, inner],
            [inner, *[beside] * wide],
            [[beside] * wide, inner],
        ):
            assert guard.encode(value) is None
            assert not guarded(value)
        fine = [[beside, 1.5] * wide, {"null": None}]
        assert guard.encode(fine) is not None
        assert guarded(fine)


@pytest.mark.parametrize(
    "value", [2**64, -(2**63) - 1, Items(), Members(), LoudText("a")], ids=repr
)
def test_the_guard_leaves_to_the_walk_what_it_cannot_tell(value: Any) -> None:
    assert Guard(200).encode(value) is None
    assert plain_copy(value, 200)[1] == ()


def test_the_copy_is_a_copy() -> None:
    value = {"a": [{"b": 1}]}
    got, _ = plain_copy(value, 200)
    got["a"][0]["b"] = 2
    got["a"].append(3)
    assert value == {"a": [{"b": 1}]}


def test_containers_that_are_shared_are_no_cycle() -> None:
    shared: list[Any] = [1, {"a": 2}]
    value = {"x": shared, "y": [shared, shared, {"z": shared}], "n": None}
    got, findings = plain_copy(value, 200)
    assert findings == ()
    assert got == value
    assert got["x"] is not got["y"][0]
    assert Guard(200).encode(value) is not None


def test_containers_that_are_shared_too_often_are_refused() -> None:
    value: Any = [0] * 50_000
    for _ in range(60):
        value = [value, value]

    got, (finding,) = plain_copy(value, 200)
    assert got is None
    assert (finding.keyword, finding.path) == ("json.size", "")
    assert finding.message == "shared lists and objects repeat more than 1,000,000 values"


def test_much_that_is_shared_is_carried() -> None:
    value = [(row := {"a": 1}), *[row] * 100_000]
    assert plain_copy(value, 200) == (value, ())


# ---- What is not ----

SURROGATE = "half of a surrogate pair (U+D800) is not a character"
TOO_LARGE = "the number{} is too large for a double (about 1.8e308)"
NULL_HINT = "use null, or leave it out"
ISO = "use value.isoformat()"
NO_TEXT = "a member name must be text, but one is "

REFUSED: list[tuple[str, Any, list[tuple[str, str, str, str | None]]]] = [
    ("NaN", NAN, [("json.number", "", "JSON has no NaN", NULL_HINT)]),
    ("Infinity", [0, INFINITY], [("json.number", "/1", "JSON has no Infinity", NULL_HINT)]),
    ("minus Infinity", {"a": -INFINITY}, [("json.number", "/a", "JSON has no -Infinity", NULL_HINT)]),
    ("NaN beside null", [None, NAN], [("json.number", "/1", "JSON has no NaN", NULL_HINT)]),
    ("NaN in a subclass", [Real("nan")], [("json.number", "/0", "JSON has no NaN", NULL_HINT)]),
    ("NaN of an enumeration", Colour.NOT_A_NUMBER, [("json.number", "", "JSON has no NaN", NULL_HINT)]),
    (
        "310 digits",
        [10**309],
        [("json.number", "/0", TOO_LARGE.format(f" 1{'0' * 38}…"), None)],
    ),
    ("4,301 digits", [10**4300], [("json.number", "/0", TOO_LARGE.format(""), None)]),
    (
        "minus and 4,301 digits",
        [LoudNumber(-(10**4300))],
        [("json.number", "/0", TOO_LARGE.format(""), None)],
    ),
    ("half a pair", {"a": "x\ud800"}, [("json.surrogate", "/a", SURROGATE, None)]),
    ("half a pair in a subclass", LoudText("\ud800"), [("json.surrogate", "", SURROGATE, None)]),
    ("half a pair in a name", {"a": {"\ud800": 1}}, [("json.surrogate", "/a", SURROGATE, None)]),
    ("both halves apart", "\ud800\udc00", [("json.surrogate", "", SURROGATE, None)]),
    ("bytes", b"a", [("json.type", "", "a Python bytes is not a JSON value", "use value.decode()")]),
    ("bytearray", bytearray(), [("json.type", "", "a Python bytearray is not a JSON value", "use value.decode()")]),
    ("set", {"a": {1}}, [("json.type", "/a", "a Python set is not a JSON value", "use sorted(value)")]),
    ("frozenset", Colour.A_SET, [("json.type", "", "a Python frozenset is not a JSON value", "use sorted(value)")]),
    ("datetime", [datetime.datetime(2026, 1, 1)], [("json.type", "/0", "a Python datetime is not a JSON value", ISO)]),
    ("date", datetime.date(2026, 1, 1), [("json.type", "", "a Python date is not a JSON value", ISO)]),
    ("time", datetime.time(1), [("json.type", "", "a Python time is not a JSON value", ISO)]),
    (
        "Decimal",
        decimal.Decimal("1.1"),
        [("json.type", "", "a Python Decimal is not a JSON value", "use float(value), or str(value) to keep every digit")],
    ),
    ("generator", (n for n in "a"), [("json.type", "", "a Python generator is not a JSON value", "use list(value)")]),
    ("object", object(), [("json.type", "", "a Python object is not a JSON value", None)]),
    ("complex", 1j, [("json.type", "", "a Python complex is not a JSON value", None)]),
    ("a scalar of numpy", [type("int64", (), {"__module__": "numpy"})()], [("json.type", "/0", "a Python numpy.int64 is not a JSON value", "use value.item()")]),
    ("a date of numpy", [type("datetime64", (), {"__module__": "numpy"})()], [("json.type", "/0", "a Python numpy.datetime64 is not a JSON value", "use str(value)")]),
    ("a complex number of numpy", [type("complex64", (), {"__module__": "numpy"})()], [("json.type", "/0", "a Python numpy.complex64 is not a JSON value", None)]),
    ("an array of numpy", type("ndarray", (), {"__module__": "numpy"})(), [("json.type", "", "a Python numpy.ndarray is not a JSON value", "use value.tolist()")]),
    ("a class", int, [("json.type", "", "a Python type is not a JSON value", None)]),
    ("a deque", deque([1]), [("json.type", "", "a Python deque is not a JSON value", "use list(value)")]),
    ("a mapping", MappingProxyType({}), [("json.type", "", "a Python mappingproxy is not a JSON value", "use dict(value)")]),
    ("a name of int", {"a": {1: 2}}, [("json.key", "/a", f"{NO_TEXT}1", 'write "1", in quotes')]),
    ("a name of float", {1.5: 2}, [("json.key", "", f"{NO_TEXT}1.5", 'write "1.5", in quotes')]),
    ("a name of bool", {True: 2}, [("json.key", "", f"{NO_TEXT}true", 'write "true", in quotes')]),
    ("a name of None", {None: 2}, [("json.key", "", f"{NO_TEXT}null", 'write "null", in quotes')]),
    ("a name of bytes", {b"a": 2}, [("json.key", "", f"{NO_TEXT}of type bytes", None)]),
    ("a name of tuple", {(1,): 2}, [("json.key", "", f"{NO_TEXT}of type tuple", None)]),
    ("a name of an enumeration", {Colour.RED: 2}, [("json.key", "", f"{NO_TEXT}of type Colour", None)]),
    ("a name of a subclass", {LoudNumber(7): 2}, [("json.key", "", f"{NO_TEXT}7", 'write "7", in quotes')]),
    (
        "a name of very many digits",
        {LoudNumber(10**5000): 2},
        [("json.key", "", f"{NO_TEXT}an integer of about 5,000 digits", 'write "an integer of about 5,000 digits", in quotes')],
    ),
    (
        "all of it, in order",
        {"a/~": [NAN, {"x": {1}, "\ud800": 0, 2: 3}], "b": b"", "c": (None, "\udfff")},
        [
            ("json.number", "/a~1~0/0", "JSON has no NaN", NULL_HINT),
            ("json.type", "/a~1~0/1/x", "a Python set is not a JSON value", "use sorted(value)"),
            ("json.surrogate", "/a~1~0/1", SURROGATE, None),
            ("json.key", "/a~1~0/1", f"{NO_TEXT}2", 'write "2", in quotes'),
            ("json.type", "/b", "a Python bytes is not a JSON value", "use value.decode()"),
            ("json.surrogate", "/c/1", "half of a surrogate pair (U+DFFF) is not a character", None),
        ],
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "expected"), [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED]
)
def test_refused(value: Any, expected: list[tuple[str, str, str, str | None]]) -> None:
    assert findings_of(value) == expected
    assert findings_of([{"in": value}]) == [
        (keyword, f"/0/in{path}", message, hint) for keyword, path, message, hint in expected
    ]
    assert Guard(200).encode(value) is None
    assert Guard(200).encode([{"in": value}, None]) is None


def test_what_is_refused_is_null_in_the_copy() -> None:
    plain, findings = plain_copy([1, NAN, {"a": {1}, 2: 3}, "\ud800"], 200)
    assert plain == [1, None, {"a": None}, None]
    assert len(findings) == 4


def knots() -> dict[str, tuple[Any, str]]:
    """Values that contain themselves, and where."""
    array: list[Any] = [1]
    array.append(array)
    twice: list[Any] = []
    twice += [twice, twice]
    members: dict[str, Any] = {}
    members["a"] = {"b/": members}
    of_tuple: tuple[list[Any]] = ([],)
    of_tuple[0].append(of_tuple)
    below: list[Any] = []
    below.append({"x": (0, below)})
    return {
        "an array": (array, "/1"),
        "an array, twice": (twice, "/0"),
        "an object": (members, "/a/b~1"),
        "a tuple": (of_tuple, "/0/0"),
        "further down": ([[], below], "/1/0/x/1"),
    }


@pytest.mark.parametrize("knot", list(knots()))
def test_cycles(knot: str) -> None:
    value, path = knots()[knot]
    findings = findings_of(value)
    assert findings[0] == ("json.cycle", path, "the value contains itself", None)
    assert len(findings) == (2 if knot == "an array, twice" else 1)
    for depth in (1, 200, 1000):
        assert Guard(depth).encode(value) is None
        assert Guard(depth).encode([None, value]) is None


# ---- Depth ----

WRAPPERS: dict[str, Callable[[Any], Any]] = {
    "arrays": lambda value: [value],
    "objects": lambda value: {"a": value},
    "tuples": lambda value: (value,),
    "both": lambda value: [value] if isinstance(value, dict) else {"a": value},
    "tuples in arrays": lambda value: [value] if isinstance(value, tuple) else (value,),
    "beside others": lambda value: ["a", value, None],
}


def nested(depth: int, kind: str, inner: Any) -> Any:
    value = inner
    for _ in range(depth):
        value = WRAPPERS[kind](value)
    return value


LIMITS = [0, 1, 2, 199, 200, 252, 253, 254, 255, 256, 300, 500]
INNER: list[Any] = [1, None, "a", [], {}, ()]


def levels(value: Any) -> int:
    """Count the containers around the innermost value, the last on every level."""
    depth = 0
    while isinstance(value, (list, dict)):
        depth += 1
        items = list(value.values()) if isinstance(value, dict) else value
        deeper = [item for item in items if isinstance(item, (list, dict))]
        value = deeper[0] if deeper else None
    return depth


@pytest.mark.parametrize("kind", list(WRAPPERS))
@pytest.mark.parametrize("limit", LIMITS)
def test_depth_at_the_limit(limit: int, kind: str) -> None:
    guard = Guard(limit)
    for inner in INNER:
        around = limit - isinstance(inner, (list, dict, tuple))
        value = nested(around, kind, inner) if around >= 0 else "no container is allowed"
        plain, findings = plain_copy(value, limit)
        assert findings == ()
        assert levels(plain) == limit
        encoded = guard.encode(value)
        assert encoded is None or same(guard.decode(encoded), plain)


@pytest.mark.parametrize("kind", list(WRAPPERS))
@pytest.mark.parametrize("limit", LIMITS)
def test_depth_over_the_limit(limit: int, kind: str) -> None:
    guard = Guard(limit)
    accepts = guard.decider(lambda value: True, lambda value: False)
    for inner, more in itertools.product(INNER, [1, 2, 57, 256]):
        value = nested(limit + more, kind, inner)
        (finding,) = findings_of(value, limit)
        assert finding[0] == "json.depth"
        assert finding[1].count("/") == limit
        assert finding[2] == f"nested deeper than the limit of {limit:,} levels"
        assert guard.encode(value) is None
        assert not accepts(value)


@pytest.mark.parametrize("kind", ["arrays", "objects", "both"])
@pytest.mark.parametrize("limit", [2, 20, 24])
def test_the_guard_vouches_up_to_its_depth(limit: int, kind: str) -> None:
    assert Guard(limit).encode(nested(limit - 1, kind, 1)) is not None
    assert Guard(limit).decider(lambda value: True, lambda value: False)(nested(limit - 1, kind, 1))


@pytest.mark.parametrize("kind", list(WRAPPERS))
@pytest.mark.parametrize("inner", [1, None, NAN], ids=repr)
def test_any_depth_is_a_finding_and_no_crash(kind: str, inner: Any) -> None:
    value = nested(100_000, kind, inner)
    guard = Guard(200)
    assert guard.encode(value) is None
    assert guard.decider(lambda value: True, lambda value: False)(value) is False
    assert [finding[0] for finding in findings_of(value)][-1] == "json.depth"


# ---- The guard ----


@pytest.mark.parametrize(
    ("value", "shallow"),
    [
        (1, True),
        ([], True),
        ([1], True),
        ([[]], True),
        ([[1]], True),
        ([[[]]], True),
        ([[[1]]], False),
        ([[[[]]]], False),
        ({"a": [{}]}, True),
        ({"a": [{"b": 1}]}, False),
        ([[1] * 20_000], True),
        ([[[]] * 20_000], True),
        ([[[[]]] * 20_000], False),
        ([Colour.RED] * 20_000, False),
        ([Colour.RED, [], *[1] * 20_000], False),
        ([Colour.RED], False),
        ([[*["a"] * 300, []]] * 300, True),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_what_is_shallow(value: Any, shallow: bool) -> None:
    assert is_shallow(value, 3) == shallow


def test_shared_containers_are_looked_at_once() -> None:
    value: Any = []
    for _ in range(200):
        value = [value, value]

    assert not is_shallow(value, 199)
    assert is_shallow(value, 201)


def test_the_decider_asks_the_engine_about_what_the_guard_vouches_for() -> None:
    asked: list[tuple[str, Any]] = []

    def decide(value: Any) -> bool:
        asked.append(("engine", value))
        if value == "type":
            raise TypeError("an engine may refuse a type")
        if value == "value":
            raise ValueError("an engine may refuse a value")
        return bool(value == [1])

    def doubtful(value: Any) -> bool:
        asked.append(("walk", value))
        return bool(value == (1,))

    guarded = Guard(3).decider(decide, doubtful)
    cases: list[tuple[Any, bool, list[str]]] = [
        ([1], True, ["engine"]),
        ([2], False, ["engine"]),
        ([(2,)], False, ["engine", "walk"]),
        ([None, "null", 1.5], False, ["engine"]),
        ([None, NAN], False, ["walk"]),
        ("type", False, ["engine", "walk"]),
        ("value", False, ["engine", "walk"]),
        ({1}, False, ["walk"]),
        (Items([1]), False, ["walk"]),
        ([[[[]]]], False, ["walk"]),
    ]
    for value, valid, by in cases:
        asked.clear()
        assert guarded(value) is valid
        assert asked == [(who, value) for who in by]


def test_a_decision_may_make_another() -> None:
    guard = Guard(200)
    inner = guard.decider(lambda value: value == 1, lambda value: False)
    outer = guard.decider(lambda value: all(map(inner, value)), lambda value: False)
    assert outer([1, 1]) is True
    assert outer([1, 2]) is False
    assert outer([]) is True


@pytest.mark.parametrize("inner", [1, None, b""], ids=repr)
def test_the_guard_keeps_no_value(inner: Any) -> None:
    guard = Guard(200)
    guarded = guard.decider(lambda value: True, lambda value: True)
    value = [inner]
    before = sys.getrefcount(value)
    guard.encode(value)
    guarded(value)
    assert sys.getrefcount(value) == before


def test_threads_share_a_guard() -> None:
    guard = Guard(20)
    accepts = guard.decider(lambda value: value[0] >= 0, lambda value: False)

    def work(thread: int) -> list[int]:
        wrong = []
        for number in range(500):
            value: Any = [thread * 1000 + number, {"text": "x" * number}]
            encoded = guard.encode(value)
            if encoded is None or guard.decode(encoded) != value or not accepts(value):
                wrong.append(number)
            if guard.encode([value, {number}]) is not None or accepts([-1]):
                wrong.append(number)
        return wrong

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(8))) == [[]] * 8


@pytest.mark.parametrize(
    "again", [lambda guard: pickle.loads(pickle.dumps(guard)), copy.copy, copy.deepcopy],
    ids=["pickle", "copy", "deepcopy"],
)  # fmt: skip
def test_a_guard_pickles(again: Callable[[Guard], Guard]) -> None:
    guard = Guard(3)
    guard.encode([1])
    other = again(guard)
    assert other is not guard
    assert other.encode([[1]]) == guard.encode([[1]]) is not None
    assert other.encode([[[[]]]]) is guard.encode([[[[]]]]) is None


# ---- Properties ----

CHARACTERS = st.characters(exclude_categories=["Cs"])
TEXT = st.text(CHARACTERS, max_size=4)
PLAIN_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT
)
PLAIN = st.recursive(
    PLAIN_SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=10,
)
ODD_SCALARS = st.one_of(
    st.sampled_from([NAN, INFINITY, Real("nan"), 10**20, LoudNumber(1), Real(2)]),
    st.sampled_from(
        [LoudText("a"), LoudText("\ud800"), "\ud800", "null", A_UUID, 1j, b"", b"null"]
    ),
    st.sampled_from([*Colour, *Number, *Name]),
    st.sampled_from([datetime.date(2026, 1, 1), decimal.Decimal(1), frozenset({1})]),
)
NAMES = TEXT | st.sampled_from(
    ["\udfff", LoudText("a"), Name.A, 1, None, True, b"a", (1,), Colour.RED]
)
_FEW_ODD = st.recursive(
    PLAIN_SCALARS | ODD_SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.lists(inner, max_size=3).map(Items),
        st.tuples(inner, inner).map(lambda pair: Point(*pair)),
        st.dictionaries(TEXT, inner, max_size=3),
        st.dictionaries(NAMES, inner, max_size=3),
        st.dictionaries(TEXT, inner, max_size=3).map(OrderedDict),
    ),
    max_leaves=8,
)
# Not within each other: that would be millions.
_MANY_ODD = st.lists(_FEW_ODD, min_size=1, max_size=3).map(lambda items: items * 300)
ODD = _FEW_ODD | _MANY_ODD | st.lists(_FEW_ODD | _MANY_ODD, max_size=3)


def is_plain(value: Any) -> bool:
    if type(value) is dict:
        return all(type(name) is str and is_plain(item) for name, item in value.items())
    if type(value) is list:
        return all(map(is_plain, value))
    return value is None or type(value) in (bool, int, float, str)


@given(ODD, st.integers(0, 4))
def test_guard_and_walk_agree(value: Any, limit: int) -> None:
    plain, findings = plain_copy(value, limit)
    assert is_plain(plain)
    guard = Guard(limit)
    encoded = guard.encode(value)
    if encoded is not None:
        assert findings == ()
        assert same(guard.decode(encoded), plain)
    if guard.decider(lambda value: True, lambda value: False)(value):
        assert findings == ()
    if not guard.decider(lambda value: False, lambda value: True)(value):
        assert findings == ()
        assert same(value, plain)  # an engine may take a tuple for no array
    if not findings:
        assert plain_copy(plain, limit) == (plain, ())
        assert json.loads(dump(plain)) == plain


@given(PLAIN)
def test_plain_values_pass_both(value: Any) -> None:
    guard = Guard(200)
    encoded = guard.encode(value)
    assert encoded is not None
    assert same(guard.decode(encoded), value)
    got, findings = plain_copy(value, 200)
    assert findings == ()
    assert same(got, value)


# ---- JSON text ----


@pytest.mark.parametrize(
    ("value", "indented", "compact"),
    [
        (None, "null\n", "null"),
        ("é\u2028😀", '"é\u2028😀"\n', '"é\u2028😀"'),
        ([], "[]\n", "[]"),
        (
            {"b": [1, {}], "a": 2.5},
            '{\n  "b": [\n    1,\n    {}\n  ],\n  "a": 2.5\n}\n',
            '{"b":[1,{}],"a":2.5}',
        ),
        ({"b": [2**64, {}], "é": 2.5}, None, '{"b":[18446744073709551616,{}],"é":2.5}'),
        (nested(300, "both", "é"), None, '[{"a":' * 150 + '"é"' + "}]" * 150),
    ],
    ids=["null", "text", "empty", "object", "a large integer", "deep"],
)
def test_dump(value: Any, indented: str | None, compact: str) -> None:
    if indented is None:  # what the fast encoder refuses looks the same
        indented = json.dumps(value, ensure_ascii=False, indent=2) + "\n"
    assert dump(value) == indented
    assert dump(value, indent=False) == compact


@given(PLAIN | st.lists(PLAIN | st.integers()), st.booleans())
def test_dump_loses_nothing(value: Any, indent: bool) -> None:
    text = dump(value, indent=indent)
    assert same(json.loads(text), value)
    assert text.endswith("\n") is indent


@pytest.mark.parametrize(
    ("value", "limit", "text"),
    [
        ("a", 80, '"a"'),
        ("", 80, '""'),
        ('say "a\\b"', 80, r'"say \"a\\b\""'),
        ("tab\tbell\x07\x7f\x1b[0m", 80, r'"tab\tbell\u0007\u007f\u001b[0m"'),
        ("\u202e\u2028\ud800", 80, r'"\u202e\u2028\ud800"'),
        ("\U000e0001", 80, r'"\udb40\udc01"'),
        ("é😀", 80, '"é😀"'),
        ("x" * 78, 80, '"' + "x" * 78 + '"'),
        ("x" * 79, 80, '"' + "x" * 78 + "…"),
        ("x" * 10**6, 10, '"xxxxxxxx…'),
        ('"' * 78, 80, '"' + '\\"' * 39 + "…"),
        ([1, -2.5, True, False, None], 80, "[1, -2.5, true, false, null]"),
        ({"a": {"b": []}, "c": {}}, 80, '{"a": {"b": []}, "c": {}}'),
        ({"a\n": [1, 2]}, 10, '{"a\\n": […'),
        ([[[[[[]]]]]], 5, "[[[[…"),
        (nested(100_000, "arrays", 0), 8, "[[[[[[[…"),
        (list(range(10**5)), 12, "[0, 1, 2, 3…"),
        ({str(n): n for n in range(10**5)}, 12, '{"0": 0, "1…'),
        (10**30, 80, "1" + "0" * 30),
        (10**90, 80, "1" + "0" * 78 + "…"),
        (10**5000, 80, "an integer of about 5,000 digits"),
        (-(10**5000), 80, "an integer of about 5,000 digits"),
        ([Number.ONE, LoudNumber(7)], 80, "[1, 7]"),
        (NAN, 80, "NaN"),
        ("abc", 1, "…"),
        ({None: 1, True: 2}, 80, "{null: 1, true: 2}"),
    ],
    ids=lambda value: ascii(value)[:24] if isinstance(value, str) else type(value).__name__,
)
def test_preview(value: Any, limit: int, text: str) -> None:
    assert preview(value, limit) == text


@given(
    st.recursive(
        PLAIN_SCALARS | st.integers() | st.text(st.characters()),
        lambda inner: (
            st.lists(inner) | st.dictionaries(st.text(st.characters(), max_size=5), inner)
        ),
        max_leaves=12,
    ),
    st.integers(1, 60),
)
def test_preview_is_short_and_printable(value: Any, limit: int) -> None:
    text = preview(value, limit)
    assert len(text) <= limit
    assert text.isprintable()
    text.encode()
    whole = json.dumps(value, ensure_ascii=False)
    if whole.isprintable() and len(whole) <= limit:
        assert text == whole
    if whole.isprintable() and len(whole) > limit:
        assert text == whole[: limit - 1] + "…"


def test_findings_are_findings() -> None:
    assert plain_copy(b"", 1)[1] == (
        Finding("json.type", "", "", "a Python bytes is not a JSON value", "use value.decode()"),
    )


def test_an_integer_and_the_double_that_equals_it_are_other_decimals() -> None:
    integer, double = 2**64, float(2**64)  # 18446744073709551616 and 18446744073709552000
    assert [multiples_of(one)(integer) for one in (integer, double)] == [True, False]
    assert [multiples_of(one)(double) for one in (integer, double)] == [False, True]

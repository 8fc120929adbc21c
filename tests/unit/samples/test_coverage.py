"""The coverage set: what it has is told from the schema here, by other means than its own."""

from __future__ import annotations

import copy
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations
from typing import Any, Final, NamedTuple

import pytest
from jsonschema import Draft7Validator

from tests.properties.test_samples import (
    ALL,
    FLAG,
    LETTERS,
    SCHEMAS,
    TEXT,
    WHOLE,
    named,
    widget_type,
)
from widgetschema import WidgetType
from widgetschema.samples import CaseSet, Products
from widgetschema.samples.coverage import Coverage
from widgetschema.samples.plan import Plan
from widgetschema.samples.values.locales import load_locale
from widgetschema.schema.tree import SchemaTree
from widgetschema.validation import Validator

Json = Any
PYTHON: Final[dict[str, tuple[type, ...]]] = {
    "string": (str,),
    "boolean": (bool,),
    "null": (type(None),),
    "array": (list,),
    "object": (dict,),
    "integer": (int,),
    "number": (int, float),
}
# Values that are listed, but cannot be: entry of the table, and value.
NEVER: Final[dict[str, list[Json]]] = {"not": ["b"], "all of": [3]}


@cache
def coverage(name: str) -> CaseSet:
    return named(name).coverage()


class LoggedRequest(NamedTuple):
    """A value that a subschema was about: in which data, and where."""

    data: Json
    path: tuple[str | int, ...]
    value: Json


class Observed:
    """The values of all cases by the subschema that speaks of them, as jsonschema sees it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.root = named(name).linked
        self.judge = Draft7Validator(self.root)
        self.schemas: dict[str, Json] = {}
        self.seen: defaultdict[str, list[LoggedRequest]] = defaultdict(list)
        self.start = "/definitions/IPluginData" if name == "countdown" else "/properties/data"
        self.data_judge = self.judge.evolve(schema=self.at(self.start))
        for case in coverage(name):
            self.walk(self.start, LoggedRequest(case.data, (), case.data))

    def at(self, pointer: str) -> Json:
        schema: Json = self.root
        for token in pointer.split("/")[1:]:
            token = token.replace("~1", "/").replace("~0", "~")
            schema = schema[int(token)] if isinstance(schema, list) else schema[token]
        return schema

    def accepts(self, pointer: str, value: Json) -> bool:
        return bool(self.judge.evolve(schema=self.at(pointer)).is_valid(value))

    def walk(self, pointer: str, seen: LoggedRequest) -> None:
        schema = self.at(pointer)
        self.seen[pointer].append(seen)
        if isinstance(schema, dict) and "$ref" in schema:
            self.walk(schema["$ref"].removeprefix("#"), seen)
            return
        self.schemas[pointer] = schema
        if isinstance(schema, dict):
            for place, token in self.below(schema, pointer, seen.value):
                inner = seen
                if token is not None:
                    inner = LoggedRequest(seen.data, (*seen.path, token), seen.value[token])
                self.walk(place, inner)

    def below(self, schema: Json, at: str, value: Json) -> Iterator[tuple[str, str | int | None]]:
        """The subschemas that speak of a value or of what is in it."""
        for index in range(len(schema.get("allOf", ()))):
            yield f"{at}/allOf/{index}", None
        for keyword in ("anyOf", "oneOf"):
            for index in range(len(schema.get(keyword, ()))):
                if self.accepts(f"{at}/{keyword}/{index}", value):
                    yield f"{at}/{keyword}/{index}", None
        if "if" in schema:
            branch = "then" if self.accepts(f"{at}/if", value) else "else"
            if branch in schema:
                yield f"{at}/{branch}", None
        if isinstance(value, dict):
            for name in value:
                for place in described(schema, name):
                    yield f"{at}/{place}", name
        if isinstance(value, list) and "items" in schema:
            for index in range(len(value)):
                if isinstance(schema["items"], dict):
                    yield f"{at}/items", index
                elif index < len(schema["items"]):
                    yield f"{at}/items/{index}", index

    def values(self, pointer: str) -> list[Json]:
        return [seen.value for seen in self.seen[pointer]]

    def could_never_be(self, pointer: str, value: Json) -> bool:
        return not any(self.could_be(seen, value) for seen in self.seen[pointer])

    def could_be(self, seen: LoggedRequest, value: Json) -> bool:
        """Tell if the data stays valid with this in the place of what was seen."""
        data = copy.deepcopy(seen.data)
        if not seen.path:
            return bool(self.data_judge.is_valid(value))
        holder = data
        for token in seen.path[:-1]:
            holder = holder[token]
        holder[seen.path[-1]] = value
        return bool(self.data_judge.is_valid(data))


def described(schema: Json, name: str) -> list[str]:
    found = []
    if name in schema.get("properties", {}):
        found.append(f"properties/{name.replace('~', '~0').replace('/', '~1')}")
    for pattern in schema.get("patternProperties", {}):
        if re.search(pattern, name):
            found.append(f"patternProperties/{pattern}")
    if not found and isinstance(schema.get("additionalProperties"), dict):
        found.append("additionalProperties")
    return found


observed = cache(Observed)


def same(one: Json, other: Json) -> bool:
    """Tell if two JSON values are equal; true is not 1."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


# What is there


@ALL
def test_all_cases_are_valid(name: str) -> None:
    widget_type = named(name)
    for case in coverage(name):
        assert case.valid
        assert case.kind == "coverage"
        assert widget_type.is_valid(case.data), case
        assert widget_type.check(case.data).valid
        # jsonschema divides floats, as Python does.
        assert name == "multiples" or observed(name).data_judge.is_valid(case.data)


@ALL
def test_every_listed_value(name: str) -> None:
    seen = observed(name)
    for pointer, schema in seen.schemas.items():
        if isinstance(schema, dict):
            wanted = [*schema.get("enum", ()), *([schema["const"]] if "const" in schema else [])]
            for value in wanted:
                found = any(same(value, one) for one in seen.values(pointer))
                never = value in NEVER.get(name, ()) and seen.could_never_be(pointer, value)
                assert found is not never, (pointer, value)


@ALL
def test_both_booleans_and_every_type(name: str) -> None:
    seen = observed(name)
    for pointer, schema in seen.schemas.items():
        if isinstance(schema, dict) and "type" in schema and "enum" not in schema:
            types = {type(value) for value in seen.values(pointer)}
            for one in [schema["type"]] if isinstance(schema["type"], str) else schema["type"]:
                assert types & {*PYTHON[one]}, (pointer, one)
                if one == "boolean":
                    assert {True, False} <= {v for v in seen.values(pointer) if type(v) is bool}


@ALL
def test_every_optional_member_alone(name: str) -> None:
    for _, members, all_seen in objects(name):
        for member in members:
            with_it = [seen for seen in all_seen if member in seen.value]
            assert with_it, f"{member} is never there"
            if any(alone_is_valid(name, seen, members, member) for seen in with_it):
                others = [members & seen.value.keys() for seen in with_it]
                assert {member} in others, f"{member} is never alone"


@ALL
def test_every_optional_member_absent_among_all_others(name: str) -> None:
    for _, members, all_seen in objects(name):
        for member in members:
            rest = members - {member}
            full = [seen for seen in all_seen if members <= seen.value.keys()]
            if any(absence_is_valid(name, seen, member) for seen in full):
                present = [members & seen.value.keys() for seen in all_seen]
                assert rest in present, f"{member} is never the only one that is absent"


def objects(name: str) -> Iterator[tuple[str, set[str], list[LoggedRequest]]]:
    """The subschemas that name members, the optional ones, and the objects that were seen."""
    seen = observed(name)
    for pointer, schema in seen.schemas.items():
        if isinstance(schema, dict) and "properties" in schema:
            objects = [one for one in seen.seen[pointer] if isinstance(one.value, dict)]
            yield pointer, schema["properties"].keys() - set(schema.get("required", ())), objects


def alone_is_valid(name: str, seen: LoggedRequest, members: set[str], member: str) -> bool:
    left = {key: v for key, v in seen.value.items() if key == member or key not in members}
    return observed(name).could_be(seen, left)


def absence_is_valid(name: str, seen: LoggedRequest, member: str) -> bool:
    left = {key: value for key, value in seen.value.items() if key != member}
    return observed(name).could_be(seen, left)


@ALL
def test_every_branch(name: str) -> None:
    seen = observed(name)
    for pointer, schema in list(seen.schemas.items()):
        if not isinstance(schema, dict):
            continue
        for keyword in ("anyOf", "oneOf"):
            for index in range(len(schema.get(keyword, ()))):
                assert seen.values(f"{pointer}/{keyword}/{index}"), (pointer, keyword, index)
        if "if" in schema:
            holds = {seen.accepts(f"{pointer}/if", value) for value in seen.values(pointer)}
            assert holds == {True, False}
        for member in schema.get("dependencies", ()):
            assert {member in value for value in seen.values(pointer)} == {True, False}


@ALL
def test_every_number_of_items(name: str) -> None:
    seen = observed(name)
    for pointer, schema in seen.schemas.items():
        if isinstance(schema, dict) and schema.get("type") == "array":
            low, high = schema.get("minItems", 0), schema.get("maxItems", 1_000)
            if "contains" in schema:
                low = max(low, 1)
            if schema.get("uniqueItems"):
                high = min(high, len(schema["items"]["enum"]))
            if schema.get("additionalItems") is False:
                high = min(high, len(schema["items"]))
            lengths = {len(value) for value in seen.values(pointer)}
            wanted = {0, 1, low, low + 1, high, high - 1} - {1_000, 999}
            assert {one for one in wanted if low <= one <= high} <= lengths, pointer
            assert max(lengths) >= min(3, high), "there are never many"


@ALL
def test_texts_as_short_and_as_long_as_can_be(name: str) -> None:
    seen = observed(name)
    for pointer, schema in seen.schemas.items():
        if isinstance(schema, dict) and schema.get("type") == "string" and "enum" not in schema:
            if {"pattern", "const", "format"} & schema.keys():
                continue
            low, high = schema.get("minLength", 0), schema.get("maxLength")
            lengths = {len(value) for value in seen.values(pointer)}
            assert low in lengths, pointer
            if low:
                assert low + 1 in lengths, pointer
            if high is not None:
                assert {high, high - 1} <= lengths, pointer


# fmt: off
NUMBERS: Final[list[tuple[Json, set[float], set[float]]]] = [
    ({"type": "integer", "minimum": 1, "maximum": 12}, {1, 2, 11, 12}, {0, 13}),
    ({"type": "number", "minimum": 0, "maximum": 1}, {0, 1, 0.5}, {-1, 2}),
    ({"type": "number", "minimum": 0.5, "maximum": 2}, {0.5, 0.6, 1, 2}, {0.4}),
    ({"type": "number", "minimum": -0.25}, {-0.25, -0.24, 0}, {-0.26}),
    ({"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 12}, {2, 11}, {1, 12}),
    ({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 9}, {1, 8}, {0, 9}),
    ({"type": "integer", "multipleOf": 4, "minimum": -6, "maximum": 30}, {-4, 0, 24, 28}, {2}),
    ({"type": "number", "multipleOf": 0.05, "minimum": 0, "maximum": 1}, {0, 0.05, 0.95, 1}, {1.05}),
    ({"type": "integer", "minimum": 7, "maximum": 7}, {7}, {6, 8}),
    ({"type": "integer", "minimum": 7, "maximum": 8}, {7, 8}, {6, 9}),
    ({"type": "integer", "minimum": 2.5, "maximum": 4.5}, {3, 4}, {2, 5}),
    ({"type": "integer"}, {0, -1, 2**53}, {0.5}),
    ({"type": "number"}, {0, -1, 2**53, 0.5}, set()),
]
# fmt: on


@pytest.mark.parametrize(("schema", "wanted", "never"), NUMBERS)
def test_numbers_at_their_bounds(schema: Json, wanted: set[float], never: set[float]) -> None:
    numbers = {case.data for case in widget_type(schema).coverage()}

    assert wanted <= numbers
    assert not never & numbers


@pytest.mark.parametrize("place", ["additionalProperties", "patternProperties"])
def test_maps_with_no_one_and_many_members(place: str) -> None:
    pattern = {"patternProperties": {"^k[0-9]{1,3}$": WHOLE}, "additionalProperties": False}
    schema = pattern if place == "patternProperties" else {"additionalProperties": WHOLE}
    sizes = {len(case.data) for case in widget_type({"type": "object", **schema}).coverage()}

    assert {0, 1} <= sizes
    assert max(sizes) >= 3


def test_numbers_of_members() -> None:
    schema = {
        "type": "object",
        "additionalProperties": FLAG,
        "minProperties": 2,
        "maxProperties": 6,
    }
    sizes = {len(case.data) for case in widget_type(schema).coverage()}

    assert min(sizes) == 2
    assert max(sizes) == 6
    assert {3, 5} <= sizes


def test_texts_that_are_empty_not_ascii_and_padded() -> None:
    texts = {case.data for case in widget_type(TEXT).coverage()}

    assert "" in texts
    assert any(not text.isascii() for text in texts)
    assert any(text != text.strip() for text in texts)


def test_what_contains_asks_for_is_there_and_what_it_does_not_ask_for() -> None:
    lists = [case.data for case in coverage("contains")]

    assert all(any(item >= 100 for item in items) for items in lists)
    assert any(any(item < 100 for item in items) for items in lists)


def test_recursion_goes_down_and_ends() -> None:
    def depth(tree: Json) -> int:
        inner = [tree[side] for side in ("left", "right") if tree.get(side) is not None]
        return 1 + max(map(depth, inner), default=0)

    depths = {depth(case.data) for case in coverage("tree")}

    assert {1, 2} <= depths
    assert max(depths) < 8
    assert len(coverage("tree")) <= 40  # no case is for what another one has in passing


# All pairs


@pytest.mark.parametrize("required", [True, False])
def test_all_pairs(required: bool) -> None:
    enums = dict.fromkeys(("one", "two", "three", "four"), LETTERS)
    flags = dict.fromkeys(("red", "green", "blue"), FLAG)
    schema = {
        "type": "object",
        "required": list(enums) if required else [],
        "properties": {**enums, **flags},
        "additionalProperties": False,
    }
    cases = widget_type(schema).coverage()
    absent = object()
    levels: dict[str, list[Json]] = {name: ["a", "b", "c"] for name in enums}
    if not required:
        levels = {name: [*values, absent] for name, values in levels.items()}
    levels.update({name: [True, False, absent] for name in flags})

    together = {
        (one, case.data.get(one, absent), other, case.data.get(other, absent))
        for case in cases
        for one, other in combinations(levels, 2)
    }
    missing = [
        (one, value, other, second)
        for one, other in combinations(levels, 2)
        for value in levels[one]
        for second in levels[other]
        if (one, value, other, second) not in together
    ]
    assert not missing
    assert len(cases) < 60, "a greedy cover takes fewer"


def test_pairs_that_cannot_be_have_a_reason() -> None:
    schema = {
        "type": "object",
        "properties": {"one": LETTERS, "two": LETTERS, "three": {"const": 3}},
        "maxProperties": 1,
        "additionalProperties": False,
    }
    cases = widget_type(schema).coverage()
    reasons = {target.id: target.why for target in cases.uncovered}

    assert all(reasons.values())
    assert reasons.keys() >= {
        f'enum@/one#"{value}" & enum@/two#"{second}"' for value in "abc" for second in "abc"
    }


# The ledger, and the set


def test_everything_is_covered_in_the_countdown() -> None:
    cases = coverage("countdown")

    assert cases.uncovered == ()
    assert cases[0].id == "small"
    assert cases[0].data == {"content": {}, "settings": {}, "styles": {}}
    targets = {target.id for target in cases.ledger}
    assert {
        "present@/content/timerTitle",
        "absent@/content/timerTitle",
        'enum@/styles/layout#"layout-6"',
        "anyOf@/content/expDate#2",
        "items@/styles/cardsBg#none",
        "number@/content/timerDays#negative",
        "text@/content/postTitle#not-ascii",
    } <= targets


def test_what_cannot_be_has_a_reason() -> None:
    schema = {
        "type": "array",
        "items": [LETTERS, {"type": "null"}],
        "minItems": 2,
        "additionalItems": False,
        "not": {"items": [{"const": "b"}]},
    }
    cases = widget_type(schema).coverage()
    reasons = {target.id: target.why for target in cases.uncovered}

    assert [case.data for case in cases] == [["a", None], ["c", None]]
    assert reasons['enum@/0#"b"']
    assert 'enum@/0#"a"' not in reasons


@pytest.mark.parametrize("name", ["countdown", *SCHEMAS])
def test_what_a_case_covers_is_in_it(name: str) -> None:
    for case in coverage(name):
        for target in case.covers:
            word, place, answer = parsed(target)
            claim = CLAIMS.get(word, CLAIMS["present"])
            assert claim(list(values_at(case.data, place)), answer), (target, case)


CLAIMS: Final[dict[str, Callable[[list[Json], str], bool]]] = {
    "present": lambda found, answer: bool(found),
    "absent": lambda found, answer: not found,
    "enum": lambda found, answer: [json.dumps(v, ensure_ascii=False) for v in found] == [answer],
    "items": lambda found, answer: is_many(answer, len(found[0])),
    "type": lambda found, answer: isinstance(found[0], PYTHON[answer]),
    "number": lambda found, answer: type(found[0]) in (int, float),
    "text": lambda found, answer: type(found[0]) is str,
}


def is_many(answer: str, number: int) -> bool:
    return {"none": number == 0, "one": number == 1, "many": number >= 3}.get(answer, True)


def parsed(target: str) -> tuple[str, str, str]:
    """The keyword, pointer and answer of a target's id; no answer has a # in the tests."""
    word, _, rest = target.partition("@")
    if word in ("present", "absent"):
        return word, rest, ""
    place, _, answer = rest.rpartition("#")
    return word, re.sub(r"~[0-9]+$", "", place), answer


def values_at(data: Json, pointer: str) -> Iterator[Json]:
    """The value at a pointer, if there is one."""
    for token in pointer.split("/")[1:]:
        token = token.replace("~1", "/").replace("~0", "~")
        if isinstance(data, list) and int(token) < len(data):
            data = data[int(token)]
        elif isinstance(data, dict) and token in data:
            data = data[token]
        else:
            return
    yield data


@ALL
def test_pairs_that_are_called_impossible_never_come_together(name: str) -> None:
    cases = coverage(name)
    for target in cases.uncovered:
        one, both, other = target.id.partition(" & ")
        if both:
            assert not any({one, other} <= {*case.covers} for case in cases), target


def test_a_set_is_a_sequence() -> None:
    cases = coverage("no optional members")

    assert len(cases) == len(list(cases)) == len(cases.cases)
    assert cases[0] is cases.cases[0] is next(iter(cases))
    assert cases[-1] is cases.cases[-1]
    assert cases[:2] == cases.cases[:2]
    assert cases[1] in cases
    assert [*reversed(cases)] == [*cases.cases[::-1]]
    with pytest.raises(IndexError):
        cases[len(cases)]


def test_a_set_says_what_is_covered() -> None:
    enum = widget_type({"enum": ["a", "b", "c"]}).coverage()
    first, *rest = str(coverage("not")).splitlines()

    assert str(enum) == "3 cases; 3 of 3 targets covered"
    uncovered = coverage("not").uncovered
    assert first.startswith(f"{len(coverage('not'))} cases; ")
    assert rest == [f"  not covered: {target.id}: {target.why}" for target in uncovered]


def test_what_is_too_much_is_left_out_and_said_to_be() -> None:
    products = Products(Validator({"enum": [*range(20)]}))
    cases = products.coverage(max_cases=5)

    assert len(cases) == 5
    assert len(cases.uncovered) == 15
    assert all(f"{one.why}".startswith("left out: more than 5 cases") for one in cases.uncovered)
    assert "not covered: enum@#19: left out: more than 5 cases" in str(cases)
    assert cases.left_out == cases.uncovered
    assert cases.summary == "5 cases; 5 of 20 targets covered; incomplete: 15 targets left out"


def test_a_member_that_is_absent_in_some_case_is_covered() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {}, "b": {}, "x": {"type": "integer"}},
        "anyOf": [{"required": ["a", "b"]}, {"required": ["b"]}, {"required": ["x"]}],
    }
    cases = Products(Validator(schema)).coverage()

    covered = {target.id: target.case for target in cases.ledger}
    (case,) = [case for case in cases if case.id == covered["absent@/b"]]
    assert "b" not in case.data
    assert "absent@/b" in case.covers


def test_a_case_made_for_a_pair_names_it() -> None:
    schema = {"type": "object", "properties": {n: {"type": "integer"} for n in "abcd"}}
    cases = Products(Validator(schema)).coverage()

    made = [case for case in cases if case.pair is not None]
    assert [case.id for case in cases if case.id.startswith("pairs-")] == [one.id for one in made]
    assert made
    for case in made:
        assert {*(case.pair or ())} <= {*case.covers}, case.id


def test_members_of_large_objects_are_left_out_of_small_data() -> None:
    schema = {"type": "object", "properties": {f"m{n}": {"type": "string"} for n in range(30)}}
    validator = Validator(schema)
    plan = Plan(SchemaTree(validator.linked, lambda pattern, name: False), load_locale("en"))
    cases = Coverage(plan, validator, large_value=20).run()

    large = [case for case in cases if len(case.data) > 5]
    assert [case.id for case in large if case.id == "full"] == ["full"]
    assert not [case for case in large if case.id.startswith("absent@")]
    assert {f"{answer}@/m{n}" for n in range(30) for answer in ("present", "absent")} <= {
        target.id for target in cases.ledger if target.case is not None
    }


def test_near_misses_that_are_too_many_are_left_out_and_said_to_be() -> None:
    schema = {"type": "object", "properties": {f"m{n}": {"type": "string"} for n in range(20)}}
    near = Products(Validator(schema)).near_misses(max_cases=5)

    assert 5 <= len(near) < 10
    assert near.left_out
    assert all(f"{one.why}".startswith("left out: more than 5 cases") for one in near.left_out)


@pytest.mark.filterwarnings("ignore:.*left out")
def test_what_is_made_in_vain_counts_and_what_is_left_out_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("widgetschema.samples.coverage.MAX_STEPS", 20_000)
    # No text fits, which is seen only by trying: each of these takes many attempts, every time.
    hard = {"anyOf": [{"type": "string", "pattern": "^a$", "not": {"const": "a"}}, {"const": 1}]}
    schema = {
        "type": "object",
        "properties": {
            **{f"hard{n}": hard for n in range(20)},
            **{f"easy{n}": {"type": "object"} for n in range(100)},
        },
        "required": [f"hard{n}" for n in range(20)],
        "additionalProperties": False,
    }
    products = Products(Validator(schema))
    cases, near = products.coverage(), products.near_misses()
    assert 2 <= len(cases) < 20
    assert cases.left_out
    beyond = [one for one in near.uncovered if one.id.startswith("beyond ")]
    assert beyond
    assert all(one.left_out for one in beyond)


def test_schemas_that_are_compiled_count_as_steps() -> None:
    steps = []
    for number in (1, 2_000):  # each pattern has the whole schema compiled
        members = {
            f"member{one}": {"type": "string", "pattern": f"^[a-z]{{{one}}}$"}
            for one in range(1, 9)
        }
        others = {f"other{one}": {"type": "string"} for one in range(number)}
        schema = {"type": "object", "properties": members, "definitions": others}
        steps.append(WidgetType.from_data_schema(schema).coverage().steps)
    assert steps[1] - steps[0] > 8 * 2_000 // 25 // 2


def test_a_member_of_an_object_that_is_an_array_elsewhere() -> None:
    inner = {"type": "object", "properties": {"z": {"type": "string"}}, "maxProperties": 0}
    outer = {"type": "object", "properties": {"x": {"type": "object", "properties": {"y": inner}}}}
    either = {"anyOf": [outer, {"type": "array", "items": {"type": "integer"}}]}
    type_ = WidgetType.from_data_schema({"type": "object", "properties": {"a": either}})
    uncovered = [target.id for target in type_.coverage().uncovered]
    assert "present@/a/x/y/z" in uncovered  # looked for in all data, that with an array, too

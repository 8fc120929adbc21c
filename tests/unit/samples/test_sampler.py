"""Samples: always the same ones, what callers may ask for, documents, and what cannot be made."""

from __future__ import annotations

import json
import math
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count, islice
from pathlib import Path
from random import Random
from threading import Barrier
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, assume, given, settings

import widgetschema
from tests.effort import calls
from tests.strategies import schemas
from widgetschema import ReferenceLoop, Validator, WidgetType
from widgetschema.catalog.options import SampleOptions
from widgetschema.errors import CannotGenerate
from widgetschema.jsontext import dump
from widgetschema.jsontext.values import BEYOND_DOUBLES
from widgetschema.samples import ALGORITHM, DEFAULT_DEPTH, DEFAULT_FILL, DEFAULT_ITEMS, Products
from widgetschema.samples.model import Step
from widgetschema.samples.plan import Plan
from widgetschema.samples.sampler import Sampler
from widgetschema.samples.values.locales import load_locale
from widgetschema.schema.describes import RECORD_MEMBERS
from widgetschema.schema.tree import Node, SchemaTree

COUNTDOWN: Final = widgetschema.widget_type("countdown")
FROZEN: Final = Path(__file__).parents[2] / "data" / "samples" / f"countdown-v{ALGORITHM}.json"
TEXT: Final = {"type": "string"}
HERE: Final = {"$ref": "#/properties/data"}  # what is described is described again
SHOP: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "items": {"type": "array", "items": {"type": "object", "properties": {"title": TEXT}}},
        "outer": {
            "type": "object",
            "properties": {"inner": {"type": "object", "properties": {"size": {"type": "number"}}}},
        },
        "mode": {"enum": [{"a": [1]}, [{"b": {}}]]},
        "anything": {},
        "open": {"type": "object"},
        "next": HERE,
    },
    "additionalProperties": False,
}
KINDS: Final[dict[str, Any]] = {
    "oneOf": [
        {
            "properties": {"kind": {"const": kind}, kind: {"type": "integer"}},
            "required": ["kind", kind],
            "additionalProperties": False,
        }
        for kind in ("image", "video")
    ],
    "type": "object",
}


def of(data: Any, **members: Any) -> WidgetType:
    """The widget type whose data has this schema; `members` are further ones of the document."""
    schema = {"$id": "test", "properties": {"data": data, **members.pop("properties", {})}}
    return WidgetType.from_schema({**schema, **members}, describes="document")


def mutate(value: Any) -> None:
    """Change everything in a value that can be changed."""
    if isinstance(value, dict):
        for item in value.values():
            mutate(item)
        value["changed"] = True
    elif isinstance(value, list):
        for item in value:
            mutate(item)
        value.append("changed")


# The same everywhere ----------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 7, "demo", "", "a/1", "ü 🎉"])
@pytest.mark.parametrize("schema", [SHOP, KINDS, {}], ids=["shop", "kinds", "anything"])
def test_an_item_is_the_same_alone_and_among_others(schema: Any, seed: int | str) -> None:
    together = [*of(schema).samples(6, seed)]

    assert [of(schema).sample(seed, index) for index in range(6)] == together
    assert [*of(schema).samples(2, seed, start=3)] == together[3:5]
    assert [*of(schema).samples(6, str(seed))] == together, "it is the spelling that counts"
    assert [*of(schema).samples(6, "another seed")] != together


def test_items_are_made_when_they_are_asked_for() -> None:
    assert [*COUNTDOWN.samples(0)] == []
    assert [*islice(COUNTDOWN.samples(10**12, start=10**9), 1)] == [COUNTDOWN.sample(0, 10**9)]


@settings(suppress_health_check=[*HealthCheck])
@given(schema=schemas())
def test_what_was_asked_before_changes_nothing(schema: Any) -> None:
    def made(*wishes: str) -> Any:
        products = Products(validator)
        sampler = products.sampler()
        ways: dict[str, Callable[[], Any]] = {
            "minimal": sampler.minimal,
            "maximal": sampler.maximal,
            **{str(index): partial(sampler.sample, "x", index) for index in range(4)},
        }
        results = {}
        for wish in wishes:
            try:
                results[wish] = ways[wish]()
                assert validator.is_valid(results[wish])
            except CannotGenerate as error:
                results[wish] = str(error)
        return dump(results["3"])

    try:
        validator = Validator(schema)
    except ReferenceLoop:
        assume(False)
    assert made("3") == made("maximal", "minimal", "0", "2", "1", "3") == made("3", "3")


@pytest.mark.parametrize("hash_seed", ["1", "4242"])
def test_the_same_in_a_process_of_its_own(hash_seed: str) -> None:
    program = (
        "import json, sys, widgetschema; schema = json.loads(sys.stdin.read());"
        "made = [[*widgetschema.widget_type('countdown').samples(3, 'x')],"
        "[*widgetschema.WidgetType.from_schema(schema).samples(8, 'x')]]; print(json.dumps(made))"
    )
    shop = of({"anyOf": [SHOP, KINDS, {"type": "object", "patternProperties": {"^x": {}}}]})
    process = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps(shop.schema),
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    here = [[*COUNTDOWN.samples(3, "x")], [*shop.samples(8, "x")]]
    assert process.stdout == json.dumps(here) + "\n"


def test_the_samples_of_a_version_are_frozen() -> None:
    made = {
        "algorithm": ALGORITHM,
        "seed 0": [*COUNTDOWN.samples(5, 0)],
        "seed demo": [*COUNTDOWN.samples(5, "demo")],
    }
    frozen = FROZEN.read_text(encoding="utf-8") if FROZEN.is_file() else None
    assert frozen == dump(made), (
        "The samples of a seed have changed, and users rely on them: item 3 of seed 0 is to be "
        "the same tomorrow. If that was not intended, undo it. If it was, raise ALGORITHM in "
        "widgetschema/samples/sampler.py (once for each release), say so in CHANGELOG.md, and "
        f"write what `made` is now with `dump` to {FROZEN.parent.name}/countdown-v<ALGORITHM>.json."
    )


@pytest.mark.parametrize("schema", [SHOP, KINDS, {}], ids=["shop", "kinds", "anything"])
def test_threads_share_a_type(schema: Any) -> None:
    alone, shared, barrier = of(schema), of(schema), Barrier(8)

    def made(_: int) -> list[Any]:
        barrier.wait()
        return [*shared.samples(10, "threads"), shared.minimal(), shared.maximal()]

    expected = [*alone.samples(10, "threads"), alone.minimal(), alone.maximal()]
    with ThreadPoolExecutor(8) as pool:
        assert [*pool.map(made, range(8))] == [expected] * 8


def test_a_type_that_was_pickled_makes_the_same() -> None:
    for type_ in (COUNTDOWN, of(SHOP)):
        before = [*type_.samples(5), type_.maximal()]
        again = pickle.loads(pickle.dumps(type_))
        assert [*again.samples(5), again.maximal()] == before


@pytest.mark.parametrize(
    "schema",
    [SHOP, {}, {"type": "object"}, {"enum": [{"a": {"b": []}}]}, {"const": [[{"a": 1}]]}, {"items": {"const": {}}}],
)  # fmt: skip
def test_what_was_given_is_the_callers_own(schema: Any) -> None:
    type_ = of(schema)
    makers: list[Callable[[], Any]] = [partial(type_.sample, "own", index) for index in range(20)]
    for make in (*makers, type_.minimal, type_.maximal):
        first = dump(make())
        mutate(make())
        assert dump(make()) == first
    document = type_.sample_document()
    mutate(document)
    assert type_.sample_document() != document


def test_both_engines_have_the_same_samples() -> None:
    other = WidgetType.from_schema(COUNTDOWN.schema, engine="python")
    assert [*other.samples(5)] == [*COUNTDOWN.samples(5)]


# What callers ask for ---------------------------------------------------------------------


def test_fill_is_the_share_of_optional_members() -> None:
    def members(fill: float) -> int:
        return sum(len(part) for data in COUNTDOWN.samples(10, fill=fill) for part in data.values())

    assert COUNTDOWN.sample(fill=0) == {"content": {}, "settings": {}, "styles": {}}
    assert COUNTDOWN.sample(fill=1).keys() == COUNTDOWN.maximal().keys()
    assert 0 == members(0) < members(0.25) < members(0.75) < members(1)
    for name, part in COUNTDOWN.sample(fill=1).items():
        assert part.keys() == COUNTDOWN.maximal()[name].keys()


@pytest.mark.parametrize("fill", [-0.01, 1.01, math.nan, math.inf])
def test_a_fill_that_is_no_share(fill: float) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        COUNTDOWN.sample(fill=fill)


def test_the_reference_says_the_defaults() -> None:
    said = " ".join((SampleOptions.__doc__ or "").split())
    for name, value in [
        ("fill", DEFAULT_FILL),
        ("max_depth", DEFAULT_DEPTH),
        ("max_items", DEFAULT_ITEMS),
    ]:
        assert f"by default {value}." in said.partition(f"{name}: ")[2].partition(": ")[0]


def test_a_locale_is_about_texts() -> None:
    english, german = COUNTDOWN.sample(fill=1), COUNTDOWN.sample(fill=1, locale="de")

    assert english["content"]["timerTitle"] != german["content"]["timerTitle"]
    assert english["settings"] == german["settings"]
    assert COUNTDOWN.maximal() != COUNTDOWN.maximal(locale="de")
    assert COUNTDOWN.sample_document()["name"] != COUNTDOWN.sample_document(locale="de")["name"]
    for make in (COUNTDOWN.sample, COUNTDOWN.sample_document, COUNTDOWN.maximal):
        with pytest.raises(LookupError):
            make(locale="tlh")


# Overrides --------------------------------------------------------------------------------


def test_an_override_of_a_list_takes_one_of_its_values() -> None:
    titles = ["One", "Two", "Three"]
    made = [*COUNTDOWN.samples(30, fill=0, overrides={"/content/timerTitle": titles})]

    assert {data["content"]["timerTitle"] for data in made} == {*titles}, "added where it is absent"
    assert made == [*COUNTDOWN.samples(30, fill=0, overrides={"/content/timerTitle": titles})]
    plain = COUNTDOWN.sample(fill=1)
    changed = COUNTDOWN.sample(fill=1, overrides={"/content/timerTitle": ["One"]})
    assert changed["content"] == {**plain["content"], "timerTitle": "One"}
    assert changed["styles"] == plain["styles"]


def test_an_override_that_is_called_gets_numbers_that_are_always_the_same() -> None:
    def title(random: Random) -> str:
        assert isinstance(random, Random)
        return f"{random.random():.6f}"

    def made() -> list[str]:
        overrides = {"/content/timerTitle": title}
        return [data["content"]["timerTitle"] for data in COUNTDOWN.samples(5, overrides=overrides)]

    assert made() == made()
    assert len({*made()}) == 5
    with pytest.raises(ZeroDivisionError):
        COUNTDOWN.sample(overrides={"/content/timerTitle": lambda random: 1 / 0})


@pytest.mark.parametrize(
    ("overrides", "check"),
    [
        ({"/items/*/title": ["X"]}, lambda data: {i["title"] for i in data["items"]} == {"X"}),
        ({"/items": [[{}]], "/items/0/title": ["X"]}, lambda data: data["items"] == [{"title": "X"}]),
        ({"/items": [[{}, {}]], "/items/1": [{"title": "X"}]}, lambda data: data["items"] == [{}, {"title": "X"}]),
        ({"/items/99/title": ["X"]}, lambda data: "X" not in dump(data)),
        ({"/*/inner/size": [5]}, lambda data: data["outer"]["inner"]["size"] == 5),
        ({"/outer/*": [{"size": 5}]}, lambda data: {**data["outer"]}.get("inner", {"size": 5}) == {"size": 5}),
        ({"": [{"open": {}}]}, lambda data: data == {"open": {}}),
        ({"/open/~0a~1b": ["X"]}, lambda data: data["open"]["~a/b"] == "X"),
        ({"/**/title": ["X"]}, lambda data: {i["title"] for i in data["items"] if "title" in i} <= {"X"}),
        ({"/**/title": ["X"]}, lambda data: not {"title"} & {*data, *data["outer"]}),
        ({"/outer/**/size": [5]}, lambda data: data["outer"]["inner"]["size"] == 5),
        ({"/items/**": [[]]}, lambda data: data["items"] == []),
        ({"/anything/a": ["X"]}, lambda data: data.keys() >= {"anything"}),
    ],
)  # fmt: skip
def test_where_overrides_lead(overrides: Any, check: Callable[[Any], bool]) -> None:
    data: Any
    for data in of(SHOP).samples(10, fill=1, overrides=overrides):
        assert check(data), data


def test_what_is_around_an_override_is_not_made_for_it() -> None:
    for pattern in ("/outer/inner/size", "/items/0/title", "/open/a", "/next/mode", "/items/*"):
        assert of(SHOP).sample(fill=0, overrides={pattern: [1]}) == {}


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"/content/timerTitel": ["X"]}, "there is no 'timerTitel'; did you mean 'timerTitle'?"),
        ({"/contents/timerTitle": ["X"]}, "there is no 'contents'; did you mean 'content'?"),
        ({"/zzzzzz": ["X"]}, "leads nowhere: there is no 'zzzzzz'$"),
        ({"content": [{}]}, "it is not a JSON Pointer: begin with a slash"),
        ({"/content/~": [{}]}, "write ~0 for ~, and ~1 for / within a name"),
        ({"/content/timerTitle": "X"}, r"write \['X'\] for one value"),
        ({"/content/timerTitle": b"X"}, r"write \[b'X'\] for one value"),
        ({"/content/timerTitle": 5}, r"write \[5\] for one value"),
        ({"/content/timerTitle": {"X": 1}}, r"write \[{'X': 1}\] for one value"),
        ({"/content/timerTitle": {"X"}}, "needs a list of values"),
        ({"/content/timerTitle": []}, "offers no value: its list is empty"),
    ],
)
def test_overrides_that_mean_nothing(overrides: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        COUNTDOWN.sample(overrides=overrides)


@pytest.mark.parametrize(
    ("overrides", "pointer", "reason"),
    [
        ({"/content/timerTitle": [1]}, "/definitions/IPluginContent/properties/timerTitle/type", "must be a string"),
        ({"/styles/layout": ["layout-9"]}, "/definitions/IPluginStyles/properties/layout/enum", "layout-9"),
        ({"/*/timerTitle": ["X"]}, "/definitions/IPluginSettings/additionalProperties", "timerTitle"),
        ({"/content/timerDays": lambda random: math.nan}, "", "NaN"),
    ],
)  # fmt: skip
def test_overrides_that_make_the_data_invalid(overrides: Any, pointer: str, reason: str) -> None:
    with pytest.raises(CannotGenerate) as caught:
        COUNTDOWN.sample(overrides=overrides)

    assert (caught.value.schema, caught.value.pointer) == ("countdown", pointer)
    assert ", with the overrides," in caught.value.reason
    assert reason in caught.value.reason


def test_an_override_picks_the_branch_that_it_fits() -> None:
    by_member = [*of(KINDS).samples(10, overrides={"/video": [5]})]
    by_kind = [*of(KINDS).samples(10, overrides={"/kind": ["image"]})]

    assert by_member == [{"kind": "video", "video": 5}] * 10
    assert {data["kind"] for data in by_kind} == {"image"}
    with pytest.raises(CannotGenerate, match='"audio" is not one of'):
        of(KINDS).sample(overrides={"/kind": ["audio"]})


def test_a_value_that_was_given_as_override_is_not_shared() -> None:
    value: Any = {"a": [1]}
    first = of(SHOP).sample(overrides={"/open": [value]}, fill=1)
    mutate(first)
    assert value == {"a": [1]}


# Documents --------------------------------------------------------------------------------

UUID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
TIMESTAMP: Final = re.compile(r"20[2-9]\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d{3}Z")


def test_a_document_is_a_record_with_every_member() -> None:
    documents = [COUNTDOWN.sample_document("doc", index) for index in range(20)]
    for index, document in enumerate(documents):
        assert document.keys() == RECORD_MEMBERS | {"data"}
        assert document["data"] == COUNTDOWN.sample("doc", index)
        assert UUID.fullmatch(document["id"])
        assert UUID.fullmatch(document["projectId"])
        assert TIMESTAMP.fullmatch(document["created"])
        assert TIMESTAMP.fullmatch(document["updated"])
        assert document["created"] <= document["updated"]
        assert document["type"] == "countdown"
        assert document["name"]
        assert COUNTDOWN.check_document(document).valid
    assert len({document["id"] for document in documents}) == 20
    assert documents[3] == COUNTDOWN.sample_document("doc", 3)


def test_a_document_around_data_that_is_there() -> None:
    data: dict[str, Any] = {"content": {}, "settings": {}, "styles": {}}
    document = COUNTDOWN.as_document(data, "key")

    assert document["data"] is data
    assert document == COUNTDOWN.as_document(data, "key")
    assert document["id"] != COUNTDOWN.as_document(data, "other")["id"]
    with pytest.raises(CannotGenerate, match='the property "content" is missing'):
        COUNTDOWN.as_document({"settings": {}, "styles": {}})


@pytest.mark.parametrize(
    ("members", "name", "pattern"),
    [
        ({"required": ["slug"], "properties": {"slug": {"pattern": "^[a-z]{3}$", "type": "string"}}}, "slug", "[a-z]{3}"),
        ({"properties": {"status": {"enum": ["live"]}}}, "status", "live"),
        ({"properties": {"type": {"const": "timer"}}}, "type", "timer"),
        ({"properties": {"modelVersion": {"type": "integer", "minimum": 3}}}, "modelVersion", r"[3-9]|\d\d+"),
        ({"allOf": [{"required": ["extra"]}], "properties": {"extra": {"const": None}}}, "extra", "None"),
        ({"oneOf": [{"properties": {"status": {"const": "live"}}}, {"properties": {"status": {"const": "off"}}}]}, "status", "live|off"),
    ],
)  # fmt: skip
def test_what_the_schema_wants_of_the_document(members: Any, name: str, pattern: str) -> None:
    type_ = of({"type": "object"}, type="object", **members)
    for index in range(5):
        document = type_.sample_document("doc", index)
        assert type_.check_document(document).valid
        assert re.fullmatch(pattern, str(document[name]))
        assert document["data"] == type_.sample("doc", index)


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"required": ["slug"], "properties": {"slug": False}}, 'the property "slug" is missing'),
        ({"not": {"required": ["data"]}}, "refuses a widget document around the data"),
    ],
)
def test_documents_that_cannot_be(members: Any, reason: str) -> None:
    with pytest.raises(CannotGenerate, match=reason):
        of({"type": "object"}, type="object", **members).sample_document()


# What cannot be made ----------------------------------------------------------------------

D: Final = "/properties/data"


@pytest.mark.parametrize(
    ("data", "pointer", "reason"),
    [
        (False, D, "accepts nothing"),
        ({"not": {}}, D, "accepts all that is left"),
        ({"allOf": [TEXT, {"type": "null"}]}, f"{D}/allOf/0", "types exclude each other: string, null"),
        ({"type": "string", "enum": [1]}, D, "none of the listed values"),
        ({"enum": [1, 2], "minimum": 3}, D, "none of the listed values"),
        ({"const": 1, "enum": [2]}, D, "none of the listed values"),
        ({"type": "boolean", "not": {"enum": [True, False]}}, D, "excluded"),
        ({"type": "string", "pattern": "(?!)"}, f"{D}/pattern", 'pattern "(?!)"'),
        ({"type": "string", "pattern": "^a$", "minLength": 3}, f"{D}/pattern", 'pattern "^a$", minLength 3'),
        ({"type": "string", "format": "date", "maxLength": 3}, D, "format"),
        ({"type": "string", "minLength": 3, "maxLength": 1}, D, "minLength is more than maxLength"),
        ({"type": "string", "minLength": 10**6}, D, "100,000"),
        ({"type": "number", "minimum": 3, "maximum": 1}, D, "no number fits"),
        ({"type": "integer", "minimum": 0.1, "maximum": 0.9}, D, "no number fits"),
        ({"type": "array", "minItems": 3, "maxItems": 1}, D, "at least 3"),
        ({"type": "array", "minItems": 10**5}, D, "10,000"),
        ({"type": "array", "contains": False}, f"{D}/contains", "contains"),
        ({"type": "array", "contains": TEXT, "items": {"type": "null"}}, f"{D}/contains", "contains"),
        ({"type": "array", "contains": TEXT, "maxItems": 0}, D, "at most 0"),
        ({"type": "array", "items": [False], "minItems": 1}, D, "at most 0"),
        ({"type": "array", "items": {"type": "boolean"}, "uniqueItems": True, "minItems": 3}, D, "at most 2"),
        ({"type": "object", "required": ["a"], "properties": {"a": False}}, f"{D}/properties/a", '"a" is impossible'),
        ({"type": "object", "required": ["a"], "additionalProperties": False}, f"{D}/additionalProperties", '"a" is impossible'),
        ({"type": "object", "required": ["a"], "propertyNames": False}, D, '"a" is impossible'),
        ({"type": "object", "required": ["a"], "not": {"required": ["a"]}}, D, "both required and forbidden"),
        ({"type": "object", "required": ["a"], "dependencies": {"a": ["b"]}, "properties": {"b": False}}, f"{D}/properties/b", '"b" is impossible'),
        ({"type": "object", "required": ["a"], "dependencies": {"a": False}}, f"{D}/dependencies/a", ""),
        ({"type": "object", "required": ["a", "b"], "maxProperties": 1}, D, "2 properties required, 1 allowed"),
        ({"type": "object", "minProperties": 1, "additionalProperties": False}, D, "fewer properties than 1"),
        ({"type": "object", "required": ["a"], "properties": {"a": HERE}}, D, "without end"),
        ({"type": "array", "minItems": 1, "items": HERE}, D, "without end"),
        ({"anyOf": [False, {"type": "null", "const": 1}]}, f"{D}/anyOf", "accepts nothing"),
        ({"oneOf": [{}, True]}, f"{D}/oneOf", ""),
        ({"if": True, "then": False}, f"{D}/if", "accepts nothing"),
        ({"type": "object", "required": ["a"], "properties": {"a": {"properties": {"b/~": {"type": "string", "pattern": "(?!)"}}, "type": "object", "required": ["b/~"]}}}, f"{D}/properties/a/properties/b~1~0/pattern", "pattern"),
    ],
)  # fmt: skip
def test_what_cannot_be_made_says_where_and_why(data: Any, pointer: str, reason: str) -> None:
    type_ = of(data)
    for make in (type_.sample, type_.minimal, type_.maximal, type_.sample_document):
        with pytest.raises(CannotGenerate) as caught:
            make()
        assert caught.value.schema == "test"
        assert reason in caught.value.reason
        assert caught.value.pointer == pointer
    assert type_.linked["properties"]["data"] == data


class CountingPlan(Plan):
    """A plan that counts how often it is asked for a step."""

    asked = 0

    def step(self, node: Node, names: tuple[str, ...]) -> Step:
        """Return the step, counted."""
        self.asked += 1
        return super().step(node, names)


class CountingTree(SchemaTree):
    """A tree that counts how often it is asked for a node."""

    asked = 0

    def node(self, *args: Any) -> Node:
        """Return the node, counted."""
        self.asked += 1
        return super().node(*args)


def test_steps_are_made_only_for_what_is_made() -> None:
    # As in the settings of a bot: 300 members, each of which has all the settings again.
    wide = {"type": "object", "properties": {f"member{n}": {"$ref": "#"} for n in range(300)}}
    validator = Validator(wide)
    tree = CountingTree(validator.linked, lambda pattern, name: False)
    plan = CountingPlan(tree, load_locale("en"))
    value = Sampler(plan, validator).sample()
    values = json.dumps(value).count("{")
    assert 2_000 > values > 300
    assert plan.asked <= values  # not one for each of the 300 members of each object
    assert tree.asked < 1_000  # each member is looked up once, not once in each object


def test_samples_take_few_calls() -> None:
    seed = count()

    def made() -> None:
        assert len([*COUNTDOWN.samples(100, next(seed))]) == 100

    made()  # what is made once is made now
    assert calls(made) < 100 * 90


def test_what_is_thrown_away_counts_for_the_most_data() -> None:
    # All items are alike: each further one is made in vain, 31 objects at a time.
    empty = {"type": "object", "additionalProperties": False}
    members = {f"member{number}": empty for number in range(30)}
    item = {**empty, "properties": members, "required": [*members]}
    type_ = of({"type": "array", "uniqueItems": True, "items": item})
    assert calls(lambda: len(type_.maximal()) == 1) < 80_000


# What the engine alone would accept -------------------------------------------------------


def test_data_that_may_be_too_deep_is_verified_by_its_depth() -> None:
    nested: list[Any] = []
    for _ in range(150):
        nested = [nested]
    type_ = of(
        {
            "type": "object",
            "properties": {"a": {"$ref": "#/properties/data"}, "b": {"const": nested}},
        }
    )
    deep = [*type_.samples(5, fill=1, max_depth=100)]
    assert all(map(type_.is_valid, deep))


def test_numbers_next_to_those_that_no_double_reaches() -> None:
    type_ = of({"type": "integer", "minimum": BEYOND_DOUBLES - 5})
    assert all(map(type_.is_valid, type_.samples(20)))

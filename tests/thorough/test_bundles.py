"""Bundles: jsonschema-rs, jsonschema and ajv read them as we read the schemas."""

from __future__ import annotations

import contextlib
import copy
import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import jsonschema_rs
import pytest

from tests.browser.bundling import HERE, packages
from tests.command import STORES
from widgetschema import CannotGenerate, Validator, WidgetType
from widgetschema.schema.linking import link
from widgetschema.schema.linking.bundling import bundle
from widgetschema.schema.metaschema import METASCHEMA

DATA = Path(__file__).parents[1] / "data"
CASES = sorted((DATA / "bundles").glob("*.json"))


class Case(NamedTuple):
    """A bundle, instances, and our verdicts."""

    name: str
    schema: Any
    instances: list[Any]
    verdicts: list[bool]


def _case(file: Path) -> Case:
    """A schema that is linked in an unusual way; its `resources` are embedded."""
    case = json.loads(file.read_bytes())
    instances = case["valid"] + case["invalid"]
    validator = Validator(case["schema"], resources=case["resources"], formats=False)
    expected = [True] * len(case["valid"]) + [False] * len(case["invalid"])
    assert [validator.is_valid(instance) for instance in instances] == expected, file.stem
    return Case(file.stem, bundle(validator.linked), instances, expected)


def _types() -> Iterator[tuple[str, WidgetType]]:
    """The widget types of the tests."""
    for file in (STORES / "good" / "event.json", DATA / "drift" / "countdown.json"):
        yield file.stem, WidgetType.from_schema(json.loads(file.read_bytes()), formats=False)
    schema = {"$id": "widget", "properties": {"data": {"$ref": "of-data"}}}
    for file in sorted((DATA / "comparison").glob("*.json")):
        pair = json.loads(file.read_bytes())
        for side in ("old", "new"):
            resources = {"of-data": pair[side]}
            widget_type = WidgetType.from_schema(
                schema, resources=resources, formats=False, describes="document"
            )
            yield f"{file.stem} {side}", widget_type


def _made(name: str, widget_type: WidgetType) -> Case:
    """A widget type with data of all kinds, valid and invalid."""
    data: list[Any] = [None, True, 1, 1.5, "", [], {}]
    with contextlib.suppress(CannotGenerate):
        data += [case.data for case in [*widget_type.coverage()][:40]]
        data += [case.data for case in [*widget_type.near_misses()][:80]]
    # Validators differ on integers beyond a double, whatever they read the schema from.
    data = [one for one in data if not isinstance(one, int) or abs(one) < 2**53]
    documents: list[Any] = [*({"data": one} for one in data), {"id": "1"}, [], 1]
    is_valid = Validator(widget_type.linked, formats=False).is_valid
    return Case(name, widget_type.bundle(), documents, [*map(is_valid, documents)])


def _rust(cases: list[Case]) -> list[Any]:
    return [
        [
            *map(
                jsonschema_rs.Draft7Validator(case.schema, validate_formats=False).is_valid,
                case.instances,
            )
        ]
        for case in cases
    ]


def _python(cases: list[Case]) -> list[Any]:
    return [
        [*map(jsonschema.Draft7Validator(case.schema).is_valid, case.instances)] for case in cases
    ]


def _ajv(cases: list[Case]) -> list[Any]:
    lines = [json.dumps({"schema": one.schema, "instances": one.instances}) for one in cases]
    done = subprocess.run(
        ["node", str(HERE / "ajv-verdicts.cjs"), str(packages())],
        input="\n".join(lines),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


VALIDATORS = [
    pytest.param(_rust, id="jsonschema-rs"),
    pytest.param(_python, id="jsonschema"),
    pytest.param(_ajv, id="ajv"),
]


@pytest.mark.parametrize("validator", VALIDATORS)
def test_every_validator_reads_a_bundle_alike(validator: Callable[[list[Case]], Any]) -> None:
    cases = [_case(file) for file in CASES]

    for case, verdicts in zip(cases, validator(cases), strict=True):
        assert verdicts == case.verdicts, case.name


def test_every_validator_reads_the_bundle_of_a_widget_type_alike() -> None:
    cases = [_made(name, widget_type) for name, widget_type in _types()]
    assert len(cases) > 100

    for validator in (_rust, _python, _ajv):
        for case, verdicts in zip(cases, validator(cases), strict=True):
            assert verdicts == case.verdicts, f"{validator.__name__}: {case.name}"


@pytest.mark.parametrize("file", CASES, ids=lambda file: file.stem)
def test_a_bundle_is_self_contained(file: Path) -> None:
    case = json.loads(file.read_bytes())
    linked = Validator(case["schema"], resources=case["resources"]).linked
    before = copy.deepcopy(linked.schema)
    schema = bundle(linked)

    again = Validator(schema).linked  # without any resources
    assert again.schema == schema
    assert again.lints == ()
    assert bundle(again) == schema
    assert all(again.at[pointer]["$ref"].startswith("#") for pointer in again.references)
    assert [pointer for pointer in again.at if "$id" in _members(again.at[pointer])] in ([""], [])
    assert linked.schema == before


def _members(schema: Any) -> Any:
    return schema if isinstance(schema, dict) else {}


def test_a_bundle_says_its_dialect_first() -> None:
    assert [*bundle(link({"type": "string"}))] == ["$schema", "type"]
    assert bundle(link(True)) is True


def test_the_meta_schema_itself_can_be_bundled() -> None:
    schema = bundle(link(METASCHEMA))

    assert schema == METASCHEMA | {"$id": METASCHEMA["$id"].removesuffix("#")}

"""The official JSON Schema test suite for draft-07, with both engines and the explainer.

The source package of jsonschema carries the suite, in its folder `json`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.distributions import source_package
from widgetschema import UnresolvableReference, Validator

# Its schemas refer to a schema of another draft, which is not supported.
OTHER_DRAFT = "optional/cross-draft.json"


@cache
def suite() -> Path:
    return source_package("jsonschema", "4.26.0") / "json"


@cache
def remotes() -> dict[str, Any]:
    """Return the schemas that the suite expects at http://localhost:1234."""
    found: dict[str, Any] = {}
    root = suite() / "remotes"
    for path in root.rglob("*.json"):
        name = path.relative_to(root).as_posix()
        if not name.startswith("draft") or name.startswith("draft7/"):
            found[f"http://localhost:1234/{name}"] = json.loads(path.read_bytes())
    return found


def groups() -> Iterator[tuple[str, str, Any, list[dict[str, Any]]]]:
    """Yield file, description, schema and tests of each group."""
    root = suite() / "tests" / "draft7"
    for path in sorted(root.rglob("*.json")):
        for group in json.loads(path.read_bytes()):
            name = path.relative_to(root).as_posix()
            yield name, group["description"], group["schema"], group["tests"]


@pytest.mark.parametrize("engine", ["rust", "python"])
def test_official_suite(engine: str) -> None:
    wrong = []
    for name, description, schema, tests in groups():
        if name == OTHER_DRAFT and "2019-09" in json.dumps(schema):
            with pytest.raises(UnresolvableReference, match="draft2019-09"):
                Validator(schema, resources=remotes(), engine=engine)
            continue
        validator = Validator(schema, resources=remotes(), engine=engine)
        for test in tests:
            report = validator.check(test["data"])
            if (
                report.valid != test["valid"]
                or report.valid != validator.is_valid(test["data"])
                or any(finding.keyword == "schema" for finding in report)
            ):
                wrong.append(f"{name}: {description}: {test['description']}")
    assert wrong == []


def test_the_whole_suite_was_found() -> None:
    assert sum(len(tests) for _, _, _, tests in groups()) > 1400
    assert len(remotes()) > 10

"""The official JSON Schema test suite for draft-07, with both engines and the explainer.

The suite is not kept here: `WIDGETSCHEMA_TEST_SUITE` names a copy of it (the source
package of jsonschema holds one, in its folder `json`). CI sets it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from widgetschema import UnresolvableReference, Validator

SUITE = os.environ.get("WIDGETSCHEMA_TEST_SUITE")

pytestmark = pytest.mark.skipif(SUITE is None, reason="WIDGETSCHEMA_TEST_SUITE is not set")

# What the second engine, jsonschema, decides otherwise: formats, and nothing else.
PYTHON_DIFFERS = "optional/format/"
# Its schemas refer to a schema of another draft, which is not supported.
OTHER_DRAFT = "optional/cross-draft.json"


def files() -> list[Path]:
    return sorted(Path(SUITE, "tests", "draft7").rglob("*.json")) if SUITE else []


def remotes() -> dict[str, Any]:
    """The schemas that the suite expects at http://localhost:1234."""
    found: dict[str, Any] = {}
    if SUITE:
        root = Path(SUITE, "remotes")
        for path in root.rglob("*.json"):
            name = path.relative_to(root).as_posix()
            if not name.startswith("draft") or name.startswith("draft7/"):
                found[f"http://localhost:1234/{name}"] = json.loads(path.read_bytes())
    return found


REMOTES = remotes()


def cases(path: Path) -> Iterator[tuple[str, Any, list[dict[str, Any]]]]:
    for group in json.loads(path.read_bytes()):
        yield group["description"], group["schema"], group["tests"]


@pytest.mark.parametrize("engine", ["rust", "python"])
@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_official_suite(path: Path, engine: str) -> None:
    name = path.relative_to(Path(SUITE or "", "tests", "draft7")).as_posix()
    for description, schema, tests in cases(path):
        if name == OTHER_DRAFT and "2019-09" in json.dumps(schema):
            with pytest.raises(UnresolvableReference, match="draft2019-09"):
                Validator(schema, resources=REMOTES, engine=engine)
            continue
        validator = Validator(schema, resources=REMOTES, engine=engine)
        for test in tests:
            report = validator.check(test["data"])
            where = f"{name}: {description}: {test['description']}"
            if engine == "rust" or not name.startswith(PYTHON_DIFFERS):
                assert report.valid == test["valid"], where
            assert report.valid == validator.is_valid(test["data"]), where
            assert all(finding.keyword != "schema" for finding in report), where


def test_the_whole_suite_was_found() -> None:
    assert sum(len(tests) for path in files() for _, _, tests in cases(path)) > 1400
    assert len(REMOTES) > 10

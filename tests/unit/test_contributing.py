"""CONTRIBUTING.md names files, packages, classes and functions that exist."""

from __future__ import annotations

import ast
import re

import pytest

from tests.checkout import ROOT
from tests.unit.test_architecture import LAYERS, PACKAGE, modules, parsed

TEXT = re.sub(r"^    .*$", "", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), flags=re.MULTILINE)
WORDS = sorted(set(re.findall(r"`([^`\n]+)`", TEXT)))
PATHS = [
    word for word in WORDS if re.fullmatch(r"[\w./-]+/[\w./-]*|[\w./-]+\.(py|pyi|md|toml)", word)
]
NAMES = [word for word in WORDS if re.fullmatch(r"_?[A-Z]\w+(\.\w+)?|\w+_\w+|\w+\(\)", word)]
PLACEHOLDERS = {"NAME", "PACKAGE", "MODULE", "PAGE", "DIR"}  # stand for a name


def defined() -> set[str]:
    """Return the names that the package and the tests define, and `Class.member` of classes."""
    found: set[str] = set()
    for path in [*PACKAGE.rglob("*.py"), *(ROOT / "tests").rglob("*.py")]:
        found.add(path.stem)
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ClassDef):
                members = [one for one in node.body if isinstance(one, ast.FunctionDef)]
                found |= {node.name, *(f"{node.name}.{one.name}" for one in members)}
            elif isinstance(node, ast.FunctionDef):
                found.add(node.name)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
    return found


@pytest.mark.parametrize("path", PATHS)
def test_a_path_exists(path: str) -> None:
    pattern = re.sub("|".join(PLACEHOLDERS), "*", path).removesuffix("/")
    places = [ROOT, PACKAGE] if "/" in pattern else [ROOT, PACKAGE, *PACKAGE.rglob("*/")]
    assert any(next(place.glob(pattern), None) for place in places)


def test_names_exist() -> None:
    names = {name.removesuffix("()") for name in NAMES} - {*PATHS}
    assert names - PLACEHOLDERS - defined() == set()


def test_the_table_has_the_packages_in_their_order() -> None:
    rows = re.findall(r"^\| (`.*?) \|", TEXT, re.MULTILINE)
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert named == [layer for layer in LAYERS if layer != "__main__"]
    assert {*named} <= {name.split(".")[1] for name in modules() if "." in name}

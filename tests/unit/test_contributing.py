"""CONTRIBUTING.md names files, packages, classes and functions that exist."""

from __future__ import annotations

import re

import pytest

from tests.checkout import ROOT
from tests.unit.test_architecture import LAYERS, PACKAGE, modules

TEXT = re.sub(r"^    .*$", "", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), flags=re.MULTILINE)
WORDS = sorted(set(re.findall(r"`([^`\n]+)`", TEXT)))
PATHS = [
    word for word in WORDS if re.fullmatch(r"[\w./-]+/[\w./-]*|[\w./-]+\.(py|pyi|md|toml)", word)
]
NAMES = [word for word in WORDS if re.fullmatch(r"_?[A-Z]\w+(\.\w+)?|\w+_\w+|\w+\(\)", word)]
FOLDERS = [*PACKAGE.rglob("*/")]
PLACEHOLDERS = {"NAME", "PACKAGE", "MODULE", "PAGE", "DIR"}  # stand for a name


@pytest.mark.parametrize("path", PATHS)
def test_a_path_exists(path: str) -> None:
    pattern = re.sub("|".join(PLACEHOLDERS), "*", path).removesuffix("/")
    places = [ROOT, PACKAGE] if "/" in pattern else [ROOT, PACKAGE, *FOLDERS]
    assert any(next(place.glob(pattern), None) for place in places)


def test_names_exist() -> None:
    files = [*PACKAGE.rglob("*.py"), *(ROOT / "tests").rglob("*.py")]
    code = "\n".join(path.read_text("utf-8") for path in files)
    defined = {
        *re.findall(r"\b(?:def|class) (\w+)", code),
        *re.findall(r"^ *(\w+)[:=\s]", code, re.M),
    }
    names = {name.removesuffix("()") for name in NAMES} - {*PATHS} - PLACEHOLDERS
    assert names
    assert {name.rpartition(".")[2] for name in names} <= defined | {path.stem for path in files}


def test_the_table_has_the_packages_in_their_order() -> None:
    rows = re.findall(r"^\| (`.*?) \|", TEXT, re.MULTILINE)
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert named == [layer for layer in LAYERS if layer != "__main__"]
    assert {*named} <= {name.split(".")[1] for name in modules() if "." in name}

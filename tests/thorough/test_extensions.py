"""Without any extension, the tests and the commands of the core work."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.checkout import ROOT
from widgetschema.extensions import EXTENSIONS

PACKAGES = {f"widgetschema.{name}" for name in EXTENSIONS}


@cache
def imports(path: Path) -> frozenset[str]:
    """Return the names of the modules that a file imports anywhere."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(found)


def belongs_to_an_extension(path: Path) -> bool:
    """Return whether a file of the tests imports an extension, itself or by way of others."""
    left, seen = [path], {path}
    while left:
        for name in imports(left.pop()):
            if any(name == package or name.startswith(f"{package}.") for package in PACKAGES):
                return True
            module = ROOT / f"{name.replace('.', '/')}.py"
            if name.startswith("tests.") and module.exists() and module not in seen:
                seen.add(module)
                left.append(module)
    return False


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout without the extensions, their tests and their entries."""
    copy = tmp_path_factory.mktemp("core") / "checkout"
    left_out = shutil.ignore_patterns(".git", ".venv", "build", "dist", "__pycache__", ".*_cache")
    shutil.copytree(ROOT, copy, ignore=left_out)
    for name in EXTENSIONS:
        shutil.rmtree(copy / "widgetschema" / name)
        shutil.rmtree(copy / "tests" / "unit" / name, ignore_errors=True)
        for command in EXTENSIONS[name].commands.keys() - {"form"}:  # the core has another `form`
            for path in (copy / "tests" / "integration").glob(f"test_cli_{command}*.py"):
                path.unlink()
    for name in ("test_contributing.py", "test_removed.py"):  # they are about the extensions, too
        (copy / "tests" / "unit" / name).unlink()
    for path in (ROOT / "tests").rglob("*.py"):
        if belongs_to_an_extension(path):
            (copy / path.relative_to(ROOT)).unlink(missing_ok=True)
    subprocess.run(["git", "init", "-q", str(copy)], check=True)  # where names in reports begin
    table = copy / "widgetschema" / "extensions.py"
    text = table.read_text(encoding="utf-8")
    text, replaced = re.subn(r"(?ms)^(EXTENSIONS: .* = \{).*?^\}", r"\1}", text)
    assert replaced == 1
    table.write_text(text, encoding="utf-8")
    return copy


def run(core: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a module of Python in the copy."""
    variables = {name: text for name, text in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=core,
        env={**variables, "PYTHONPATH": str(core)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_every_command_of_the_core_starts(core: Path) -> None:
    listed = run(core, "widgetschema", "--help").stdout.partition("Commands:")[2]
    commands = re.findall(r"(?m)^  (\w+) ", listed)
    assert "validate" in commands
    for name in commands:
        assert run(core, "widgetschema", name, "--help").stdout.startswith("Usage: "), name
    assert not {name for one in EXTENSIONS.values() for name in one.commands} - {"form"} & {
        *commands
    }


def test_the_tests_of_the_core_pass(core: Path) -> None:
    done = run(
        core,
        "pytest",
        "-q",
        "-n",
        "auto",
        "-p",
        "no:cacheprovider",
        "tests/unit",
        "tests/integration",
    )
    assert done.returncode == 0, done.stdout[-20_000:]

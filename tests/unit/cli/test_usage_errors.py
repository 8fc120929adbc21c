"""Usage errors are sentences, as click writes them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import widgetschema.cli
from widgetschema.cli.console.output import usage_error

CLI = Path(widgetschema.cli.__file__).parent
# What is to be typed has no full stop after it: a command, an option or a name.
TO_TYPE = re.compile(r"(: |as in )(?:(?!\. ).)*\Z")


def texts() -> Iterator[tuple[str, str]]:
    """Yield the place and the text of each usage error that is written out in the command."""
    for path in sorted(CLI.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args:
                name = ast.unparse(node.func)
                if name in ("click.UsageError", "click.BadParameter"):
                    yield f"{path.name}:{node.lineno}", text(node.args[0])


def text(node: ast.expr) -> str:
    """Return a string literal, with `{}` for what is filled in; empty for other expressions."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(text(one) for one in node.values)
    return "{}" if isinstance(node, ast.FormattedValue) else ""


def test_they_end_with_a_full_stop() -> None:
    found = {place: one for place, one in texts() if one}

    assert len(found) > 50
    without = {p: one for p, one in found.items() if not one.endswith((".", "?"))}
    assert [place for place, one in without.items() if not TO_TYPE.search(one)] == []


@pytest.mark.parametrize("given", ["no address", "no address.", "no address; did you mean x?"])
def test_errors_of_the_library(given: str) -> None:
    assert str(usage_error(ValueError(given))) in ("no address.", "no address; did you mean x?")

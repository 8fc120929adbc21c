"""Count the lines of an example that are there because of widgetschema: `count_glue.py FOLDER`.

A line counts if it imports the package, uses a name that is imported from it, names it in a text,
or has a setting that is needed because of it. If a statement has several lines, its first and its
last one count as well. So do all lines of a function or class that such a line passes to the
package. Migrations are generated, and do not count.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

PACKAGE: Final = "widgetschema"
SETTINGS: Final = ("WIDGETSCHEMA", "DATA_UPLOAD_MAX_NUMBER_FIELDS", "transaction_mode")


def glue(source: str) -> list[int]:
    """Return the numbers of the lines in a Python file that count, from 1."""
    tree = ast.parse(source)
    names = {
        alias.asname or alias.name.partition(".")[0]
        for node in ast.walk(tree)
        for alias in _imports(node)
    }
    lines: set[int] = set()
    passed: set[str] = set()
    for statement in ast.walk(tree):
        if isinstance(statement, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            lines |= {number for node in _head(statement) for number in _mentions(node, names)}
        elif isinstance(statement, ast.stmt) and not hasattr(statement, "body"):
            found = {number for node in ast.walk(statement) for number in _mentions(node, names)}
            if found:
                lines |= {*found, statement.lineno, statement.end_lineno or statement.lineno}
                passed |= {one.id for one in ast.walk(statement) if isinstance(one, ast.Name)}
    for definition in tree.body:
        if isinstance(definition, (ast.ClassDef, ast.FunctionDef)) and definition.name in passed:
            lines |= set(_code_lines(definition))
    return sorted(lines)


def _head(definition: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.AST]:
    """Yield the nodes of a definition that are not in its body, such as decorators and bases."""
    for part in ast.iter_child_nodes(definition):
        if part not in definition.body:
            yield from ast.walk(part)


def _code_lines(definition: ast.ClassDef | ast.FunctionDef) -> Iterator[int]:
    """Yield the numbers of the lines of a definition that have code."""
    for node in ast.walk(definition):
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.stmt) and not is_text:
            yield node.lineno


def _imports(node: ast.AST) -> list[ast.alias]:
    """Return what an import takes from the package."""
    if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == PACKAGE:
        return node.names
    if isinstance(node, ast.Import):
        return [one for one in node.names if one.name.split(".")[0] == PACKAGE]
    return []


def _mentions(node: ast.AST, names: set[str]) -> Iterator[int]:
    """Yield the number of the line of a node that mentions the package."""
    if _imports(node):
        yield node.lineno  # type: ignore[attr-defined]
    elif isinstance(node, ast.Name) and (node.id in names or node.id in SETTINGS):
        yield node.lineno
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        if PACKAGE in node.value or node.value in SETTINGS:
            yield node.lineno


def count(folder: Path) -> dict[str, int]:
    """Return the number of lines that count in each file of an example."""
    files = [one for one in sorted(folder.rglob("*.py")) if "migrations" not in one.parts]
    counts = {str(one.relative_to(folder)): len(glue(one.read_text("utf-8"))) for one in files}
    return {name: number for name, number in counts.items() if number}


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        sys.exit("usage: count_glue.py FOLDER, such as examples/django_app")
    counted = count(Path(sys.argv[1]))
    for file, number in counted.items():
        print(f"{number:>4} {file}")
    print(f"{sum(counted.values()):>4} in all")

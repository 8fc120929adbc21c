"""Changes the package in a copy, a place at a time, and tells which changes no test notices.

    python -m tests.mutations PACKAGE [PACKAGE...] [--places N] [--seed TEXT]

For each package, N places (20, unless told) are drawn with the hash of the commit as a seed, so
that nobody chooses them. At each, one thing changes: a comparison, a condition, a number, a truth
value, a sum, or a statement that is left out. The tests of that package (`tests/unit/PACKAGE`, the
file of the changed module first, and `tests/integration/test_*PACKAGE*.py`) have to fail, or to take
ten times as long as without a change. The exit code is 1 if a package has more than one change in
twenty that they do not notice.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parent.parent
COMPARISONS: Final = {
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}


class Change(NamedTuple):
    """The source between two offsets in bytes, and what stands there instead."""

    start: int
    end: int
    text: str


def main() -> None:
    """Try the changes of each package, and print those that no test notices."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutations")
    parser.add_argument("packages", nargs="+", metavar="PACKAGE")
    parser.add_argument("--places", type=int, default=20)
    parser.add_argument("--seed", default=None, help="by default, the hash of the commit")
    options = parser.parse_args()
    seed = options.seed or _git("rev-parse", "HEAD").strip()
    failed = False
    with tempfile.TemporaryDirectory(prefix="mutations-") as name:
        copy = Path(name)
        for path in _git("ls-files", "-z").rstrip("\0").split("\0"):
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, copy / path)
        for package in options.packages:
            places = _draw(copy, package, options.places, f"{seed} {package}")
            start = time.monotonic()
            if not _passes(copy, package, places[0][0], None):
                sys.exit(f"the tests of {package} fail as they are")
            limit = 10 * (time.monotonic() - start)
            missed = [one for one in places if not _is_noticed(copy, package, limit, *one)]
            print(f"{package}: {len(places) - len(missed)} of {len(places)} noticed", flush=True)
            failed |= len(missed) * 20 > len(places)
    sys.exit(1 if failed else 0)


def _git(*arguments: str) -> str:
    return subprocess.run(
        ["git", "-C", str(ROOT), *arguments], check=True, capture_output=True, text=True
    ).stdout


def _draw(copy: Path, package: str, count: int, seed: str) -> list[tuple[Path, Change]]:
    """Return the places that change, drawn from all of a package."""
    folder = copy / "widgetschema" / package
    paths = sorted(folder.rglob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]
    places = [(path, change) for path in paths for change in _changes(path.read_bytes())]
    return random.Random(seed).sample(places, min(count, len(places)))


def _is_noticed(copy: Path, package: str, limit: float, path: Path, change: Change) -> bool:
    """Return True if a test of the package fails with this change; print it otherwise."""
    source = path.read_bytes()
    path.write_bytes(source[: change.start] + change.text.encode() + source[change.end :])
    try:
        if not _passes(copy, package, path, limit):
            return True
    except subprocess.TimeoutExpired:
        return True
    finally:
        path.write_bytes(source)
    line = source.count(b"\n", 0, change.start) + 1
    before = " ".join(source[change.start : change.end].decode().split())
    print(f"{path.relative_to(copy)}:{line}: {before} -> {change.text}", flush=True)
    return False


def _passes(copy: Path, package: str, path: Path, limit: float | None) -> bool:
    """Return True if the tests of a package pass, those of one of its modules first.

    Raises `TimeoutExpired` if they take longer than the limit, in seconds.
    """
    tests = copy / "tests" / "unit"
    mirror = tests / path.relative_to(copy / "widgetschema").with_name(f"test_{path.name}")
    folder = tests / package if (tests / package).is_dir() else tests / f"test_{package}.py"
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n0", "-p", "no:cacheprovider"]
    command += ["-p", "no:randomly", *(str(one) for one in (mirror, folder) if one.exists())]
    command += map(str, sorted((copy / "tests" / "integration").glob(f"test_*{package}*.py")))
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    run = subprocess.run(
        command, cwd=copy, env=environment, capture_output=True, check=False, timeout=limit
    )
    return run.returncode == 0


def _changes(source: bytes) -> Iterator[Change]:
    """Yield one change for each place of a module that can be changed."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def span(node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = starts[node.lineno - 1] + node.col_offset
        return start, starts[node.end_lineno - 1] + node.end_col_offset

    def text(node: ast.expr) -> str:
        start, end = span(node)
        return source[start:end].decode()

    todo: list[ast.AST] = [ast.parse(source)]
    while todo:
        node = todo.pop()
        if _says_nothing(node):
            continue
        todo.extend(ast.iter_child_nodes(node))
        match node:
            case ast.Compare(left, [operator], [right]):
                other = COMPARISONS[type(operator)]
                yield Change(*span(node), f"({text(left)} {other} {text(right)})")
            case ast.BoolOp(operator, values):
                word = " or " if isinstance(operator, ast.And) else " and "
                yield Change(*span(node), f"({word.join(f'({text(one)})' for one in values)})")
            case ast.UnaryOp(ast.Not(), operand):
                yield Change(*span(node), f"bool({text(operand)})")
            case ast.If(test) | ast.While(test) | ast.IfExp(test):
                yield Change(*span(test), f"(not ({text(test)}))")
            case ast.BinOp(left, ast.Add() | ast.Sub() as operator, right):
                sign = "-" if isinstance(operator, ast.Add) else "+"
                yield Change(*span(node), f"({text(left)} {sign} {text(right)})")
            case ast.Constant(bool() as value):
                yield Change(*span(node), str(not value))
            case ast.Constant(int() as value):
                yield Change(*span(node), str(value + 1))
            case ast.Expr(ast.Call()) | ast.Raise() | ast.AugAssign():
                yield Change(*span(node), "pass")
            case ast.Continue():
                yield Change(*span(node), "break")
            case ast.Break():
                yield Change(*span(node), "continue")


def _says_nothing(node: ast.AST) -> bool:
    """Return True for what decides nothing, and for formatted texts, which have no offsets."""
    match node:
        case ast.If(ast.Name("TYPE_CHECKING")) | ast.Assert() | ast.arguments():
            return True
        case ast.AnnAssign(value=None) | ast.Expr(ast.Constant()) | ast.JoinedStr():
            return True
    return False


if __name__ == "__main__":
    main()

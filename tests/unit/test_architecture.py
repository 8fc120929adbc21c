"""The house stands as designed: floors, the front door, cheap imports, one room per engine."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import widgetschema

PACKAGE = Path(widgetschema.__file__).parent

# Layers from the bottom up: a package imports only from those that stand before it.
LAYERS = (
    "version",
    "lazy",
    "text",
    "pointers",
    "forks",
    "findings",
    "errors",
    "suggest",
    "files",
    "local_server",
    "jsontext",
    "schema",
    "fixes",
    "validation",
    "samples",
    "forms",
    "evolution",
    "catalog",
    "platform",
    "project",
    "reporters",
    "audit",
    "editor",
    "sandbox",
    "pytest",
    "cli",
    "__main__",
)
ORDER = {room: index for index, room in enumerate(LAYERS)}
FACES = {"cli", "reporters", "audit", "editor", "pytest", "__main__"}


def modules() -> Iterator[tuple[str, Path]]:
    """Each module of the package, and each list of names, with the room it is in."""
    for path in sorted([*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.pyi")]):
        room = path.relative_to(PACKAGE).parts[0].partition(".")[0]
        if room != "__init__":
            yield room, path


def imported(path: Path) -> Iterator[str]:
    """The modules that a file imports anywhere: at the top, lazily, or for typing only."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            yield f"{node.module}"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_there_are_modules_to_look_at() -> None:
    assert {room for room, _ in modules()} >= {"findings", "jsontext", "validation", "cli"}


@pytest.mark.parametrize(
    ("room", "path"), list(modules()), ids=lambda value: str(getattr(value, "stem", value))
)
def test_imports_point_down(room: str, path: Path) -> None:
    assert room in ORDER, f"{room} has no floor: add it to FLOORS"
    for name in imported(path):
        parts = name.split(".")
        assert parts != ["widgetschema"], f"{path}: a room imports the front door"
        if parts[0] == "widgetschema" and parts[1] != room:
            assert ORDER[parts[1]] < ORDER[room], f"{path} ({room}) imports {name}"


@pytest.mark.parametrize(
    ("library", "rooms"),
    [
        ("jsonschema_rs", {"validation"}),
        ("jsonschema", {"validation"}),
        ("msgspec", {"validation", "audit"}),
        ("referencing", {"schema"}),
        ("httpx", {"platform"}),
        ("platformdirs", {"files"}),
        ("filelock", {"files"}),
        ("keyring", {"platform"}),
        ("starlette", {"local_server", "sandbox", "editor"}),
        ("uvicorn", {"local_server"}),
        ("python_multipart", {"editor"}),
        ("jinja2", {"forms", "audit", "editor"}),
        ("fsspec", {"project"}),
        ("backports", {"project"}),
        ("click", {"cli"}),
        ("watchfiles", {"cli"}),
        ("dask", {"audit"}),
        ("distributed", {"audit"}),
    ],
)
def test_a_library_stays_in_its_room(library: str, rooms: set[str]) -> None:
    for room, path in modules():
        if room not in rooms:
            assert not any(name.split(".")[0] == library for name in imported(path)), path


STUBS = sorted(PACKAGE.rglob("__init__.pyi"))


def names(stub: Path) -> set[str]:
    """The names of a package, as type checkers read them."""
    tree = ast.parse(stub.read_text(encoding="utf-8"))
    assert all(isinstance(node, ast.ImportFrom) for node in tree.body)
    return {
        name
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for name, asname in ((alias.name, alias.asname) for alias in node.names)
        if name == asname
    }


@pytest.mark.parametrize("stub", STUBS, ids=lambda stub: stub.parent.name)
def test_what_a_package_loads_is_what_type_checkers_see(stub: Path) -> None:
    package = importlib.import_module(".".join(stub.parent.relative_to(PACKAGE.parent).parts))
    listed = names(stub)
    assert len(listed) == stub.read_text(encoding="utf-8").count("import ")
    assert listed <= set(dir(package))
    for name in listed:
        assert getattr(getattr(package, name), "__name__", name) == name
        assert not (stub.parent / f"{name}.py").exists(), "a module would hide it"
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        package.nothing  # noqa: B018


@pytest.mark.parametrize("stub", STUBS, ids=lambda stub: stub.parent.name)
def test_a_package_with_a_list_of_names_has_no_other_names(stub: Path) -> None:
    tree = ast.parse(stub.with_suffix(".py").read_text(encoding="utf-8"))
    docstring, *rest = tree.body
    assert isinstance(docstring, ast.Expr)
    assert [ast.unparse(node) for node in rest] == [
        "from widgetschema.lazy import attach",
        "__getattr__, __dir__ = attach(__name__)",
    ]


@pytest.mark.parametrize(
    "statement",
    [
        "import widgetschema; assert 'orjson' not in __import__('sys').modules",
        "import widgetschema; assert widgetschema.is_valid('countdown', {}) is False",
    ],
    ids=["import", "first check"],
)
def test_import_stays_cheap(statement: str) -> None:
    heavy = (
        "httpx anyio filelock platformdirs keyring hypothesis click jinja2 starlette uvicorn "
        "jsonschema referencing regex pytest"
    )
    code = (
        f"{statement}\nimport sys\n"
        f"loaded = set({heavy!r}.split()) & set(sys.modules)\n"
        "assert not loaded, loaded\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_only_the_files_module_writes_files() -> None:
    writers = {"write_text", "write_bytes", "NamedTemporaryFile", "mkstemp", "replace", "unlink"}
    for room, path in modules():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if room != "files" and isinstance(node, ast.Attribute) and node.attr in writers:
                is_os = isinstance(node.value, ast.Name) and node.value.id in ("os", "tempfile")
                writes = is_os or node.attr.startswith("write_")
                assert not writes, f"{path}:{node.lineno}"


def test_every_room_says_its_job_in_its_first_lines() -> None:
    for path in PACKAGE.rglob("*.py"):
        docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        assert docstring, path
        assert len(docstring.splitlines()[0]) > 20, path

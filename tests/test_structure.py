"""The house stands as designed: floors, the front door, cheap imports, one room per engine."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import widgetschema
from widgetschema import platform

PACKAGE = Path(widgetschema.__file__).parent

# Rooms by floor. A room imports from lower floors, and from rooms before it on its own.
FLOORS = (
    ("findings", "words", "metaschema", "errors", "documents"),
    ("resolver",),
    ("validator", "schema_tree"),
    ("samples", "forms", "comparison"),
    ("store", "platform", "sandbox"),
    ("widget_type", "catalog", "fetcher", "facade"),
    ("reporters", "audit", "editor", "pytest", "cli", "__main__"),
)
ORDER = {room: index for index, room in enumerate(room for floor in FLOORS for room in floor)}
FACES = {"cli", "reporters", "audit", "editor", "pytest", "__main__"}

LATER = {"AsyncClient", "Change", "Client", "Comparison", "Fetcher", "connect"}
PUBLIC = {
    "CannotGenerate",
    "Catalog",
    "EngineUnavailable",
    "ErrorResponse",
    "Finding",
    "IncompleteListing",
    "InvalidSchema",
    "InvalidTypeId",
    "InvalidWidgetData",
    "LoginRequired",
    "MissingExtra",
    "NotAvailableOffline",
    "PlatformError",
    "Provenance",
    "ReferenceLoop",
    "Report",
    "SchemaError",
    "Store",
    "StoreError",
    "TokenStorageError",
    "UnknownWidgetType",
    "Unreachable",
    "UnreadableDocument",
    "UnresolvableReference",
    "UnsupportedDialect",
    "UnusableResponse",
    "Validator",
    "WidgetSchemaError",
    "WidgetType",
    "check",
    "is_valid",
    "validate",
    "widget_type",
}


def modules() -> Iterator[tuple[str, Path]]:
    """Each module of the package with the room it is in."""
    for path in sorted(PACKAGE.rglob("*.py")):
        room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
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
    assert {room for room, _ in modules()} >= {"findings", "documents", "validator", "cli"}


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
        ("jsonschema_rs", {"validator"}),
        ("jsonschema", {"validator"}),
        ("referencing", {"resolver"}),
        ("httpx", {"platform"}),
        ("platformdirs", {"platform", "fetcher"}),
        ("filelock", {"platform", "store"}),
        ("keyring", {"platform"}),
        ("starlette", {"sandbox"}),
        ("uvicorn", {"sandbox"}),
        ("click", {"cli"}),
    ],
)
def test_a_library_stays_in_its_room(library: str, rooms: set[str]) -> None:
    for room, path in modules():
        if room not in rooms:
            assert not any(name.split(".")[0] == library for name in imported(path)), path


def test_the_front_door_is_a_list() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    docstring, *rest = tree.body
    assert isinstance(docstring, ast.Expr)
    others = [node for node in rest if not isinstance(node, ast.ImportFrom)]
    typing_only, later, *functions = others
    assert isinstance(typing_only, ast.If)
    assert all(isinstance(node, ast.ImportFrom) for node in typing_only.body)
    assert isinstance(later, ast.Assign)
    names = [node.name for node in functions if isinstance(node, ast.FunctionDef)]
    assert names == ["__getattr__", "__dir__"]


def test_what_is_loaded_later_is_there() -> None:
    for name in LATER:
        assert getattr(widgetschema, name).__name__ == name
        assert name in dir(widgetschema)
    assert not hasattr(widgetschema, "nothing")
    for name in vars(platform)["_LATER"]:
        assert getattr(platform, name).__name__ == name
    assert not hasattr(platform, "nothing")


def test_public_names() -> None:
    public = {
        name
        for name, value in vars(widgetschema).items()
        if not name.startswith("_")
        and type(value) is not type(widgetschema)
        and str(getattr(value, "__module__", "")).startswith("widgetschema")
    }
    assert public == PUBLIC


@pytest.mark.parametrize(
    "statement",
    [
        "import widgetschema",
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


def test_no_file_is_too_long_to_read() -> None:
    long = {
        str(path.relative_to(PACKAGE)): lines
        for _, path in modules()
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 420
    }
    assert long == {}


def test_only_the_store_writes_files() -> None:
    writers = {"write_text", "write_bytes", "NamedTemporaryFile", "mkstemp", "replace", "unlink"}
    for room, path in modules():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if room != "store" and isinstance(node, ast.Attribute) and node.attr in writers:
                is_os = isinstance(node.value, ast.Name) and node.value.id in ("os", "tempfile")
                writes = is_os or node.attr.startswith("write_")
                assert not writes, f"{path}:{node.lineno}"


def test_every_room_says_its_job_in_its_first_lines() -> None:
    for _, path in modules():
        docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        assert docstring, path
        assert len(docstring.splitlines()[0]) > 20, path

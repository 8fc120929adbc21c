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
    "later",
    "forks",
    "findings",
    "errors",
    "suggest",
    "locks",
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

PUBLIC = {
    "AsyncClient",
    "CannotGenerate",
    "Catalog",
    "Change",
    "ChangesUnknown",
    "ClusterError",
    "Client",
    "Comparison",
    "ConfigurationError",
    "EngineUnavailable",
    "ErrorResponse",
    "Fetcher",
    "Finding",
    "Fix",
    "Form",
    "FormError",
    "IncompleteListing",
    "InvalidFormDescription",
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
    "StaleForm",
    "Store",
    "StoreError",
    "Submission",
    "TokenStorageError",
    "TooManyFields",
    "UnknownWidgetType",
    "Unreachable",
    "UnreadableDocument",
    "UnresolvableReference",
    "UnsharedInput",
    "UnsupportedDialect",
    "UnusableResponse",
    "Validator",
    "WidgetSchemaError",
    "WidgetType",
    "__version__",
    "check",
    "connect",
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
        ("platformdirs", {"platform", "project"}),
        ("filelock", {"platform", "locks"}),
        ("keyring", {"platform"}),
        ("starlette", {"local_server", "sandbox", "editor"}),
        ("uvicorn", {"local_server"}),
        ("python_multipart", {"editor"}),
        ("jinja2", {"forms", "audit", "editor"}),
        ("fsspec", {"audit"}),
        ("backports", {"audit"}),
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


PACKAGES = [
    path for path in sorted(PACKAGE.rglob("__init__.py")) if "_LATER" in path.read_text("utf-8")
]


@pytest.mark.parametrize("path", PACKAGES, ids=lambda path: path.parent.name)
def test_what_is_loaded_later_is_what_type_checkers_see(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    [typing_only] = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {
        alias.asname: node.module
        for node in typing_only.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname == alias.name
    }
    package = importlib.import_module(".".join(path.parent.relative_to(PACKAGE.parent).parts))
    assert vars(package)["_LATER"] == seen
    for name in seen:
        assert getattr(getattr(package, name), "__name__", name) == name
        assert not (path.parent / f"{name}.py").exists(), "a module would hide it"
    assert not hasattr(package, "nothing")


def test_the_front_door_is_a_list() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    docstring, *rest = tree.body
    assert isinstance(docstring, ast.Expr)
    kinds = [type(node).__name__ for node in rest if not isinstance(node, ast.ImportFrom)]
    assert kinds == ["If", "Assign", "Assign", "FunctionDef"]
    assert vars(widgetschema)["_LATER"].keys() == PUBLIC
    assert set(dir(widgetschema)) >= PUBLIC


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
    for _, path in modules():
        docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        assert docstring, path
        assert len(docstring.splitlines()[0]) > 20, path

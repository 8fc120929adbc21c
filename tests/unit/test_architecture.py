"""The layers of the package: imports point down, in no circle, and libraries stay in one place."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import widgetschema
from tests.checkout import ROOT
from widgetschema.extensions import EXTENSIONS

PACKAGE = Path(widgetschema.__file__).parent

# Layers from the bottom up: a package imports only from those that stand before it.
LAYERS = (
    "version",
    "removed",
    "forks",
    "lazy",
    "cached",
    "text",
    "pointers",
    "templates",
    "findings",
    "errors",
    "suggest",
    "files",
    "calls",
    "local_server",
    "jsontext",
    "schema",
    "languages",
    "manual_pages",
    "formats",
    "fixes",
    "validation",
    "samples",
    "forms",
    "evolution",
    "catalog",
    "platform",
    "project",
    "reporters",
    "extensions",
    "pytest",
    "cli",
    "__main__",
    "audit",
    "editor",
    "sandbox",
    "integrations",
    "lsp",
    "mcp",
)
ORDER = {layer: index for index, layer in enumerate(LAYERS)}
MAY_USE = {"lsp": {"editor"}, "mcp": {"editor"}}  # the extensions that an extension imports


@cache
def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a file, read once for all tests."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def modules() -> dict[str, Path]:
    """Return the path of each module of the package, by its name; stubs end with `.pyi`."""
    found = {}
    for path in sorted([*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.pyi")]):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        name = ".".join(parts).removesuffix(".__init__")
        found[f"{name}.pyi" if path.suffix == ".pyi" else name] = path
    return found


def layer(path: Path) -> str:
    """Return the layer of a module: the package, or the module, right below the root."""
    return path.relative_to(PACKAGE).parts[0].partition(".")[0]


INNER = {name: path for name, path in modules().items() if layer(path) != "__init__"}


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a file, walked once for all tests."""
    return tuple(ast.walk(parsed(path)))


@cache
def imported(path: Path) -> tuple[str, ...]:
    """Return the modules that a file imports anywhere: at the top, lazily, or for typing only."""
    found = []
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            found += [f"{node.module}", *(f"{node.module}.{alias.name}" for alias in node.names)]
    return tuple(found)


def arrows(path: Path) -> set[str]:
    """Return the modules of the package that a module imports: of `from a import b`, a or a.b."""
    found = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {one if one in modules() else f"{node.module}" for one in names}
    return found & modules().keys()


def circles() -> list[list[str]]:
    """Return the modules that import each other, directly or by way of others (Tarjan)."""
    paths = {name: path for name, path in modules().items() if path.suffix == ".py"}
    found: list[list[str]] = []
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []

    def visit(name: str) -> None:
        number[name] = lowest[name] = len(number)
        stack.append(name)
        for other in arrows(paths[name]) - {name}:
            if other not in number:
                visit(other)
            if other in stack:
                lowest[name] = min(lowest[name], lowest[other])
        if lowest[name] == number[name]:
            at = stack.index(name)
            found.append(sorted(stack[at:]))
            del stack[at:]

    for name in paths:
        if name not in number:
            visit(name)
    return [circle for circle in found if len(circle) > 1]


def test_there_are_modules_to_look_at() -> None:
    assert {layer(path) for path in INNER.values()} >= {"findings", "jsontext", "validation", "cli"}


def test_no_modules_import_each_other() -> None:
    assert circles() == []


@pytest.mark.parametrize("name", INNER)
def test_imports_point_down(name: str) -> None:
    path = INNER[name]
    assert layer(path) in ORDER, f"{name} is in no layer: add it to LAYERS"
    for other in imported(path):
        parts = other.split(".")
        assert parts != ["widgetschema"], f"{name} imports the public names"
        if parts[0] == "widgetschema" and parts[1] != layer(path):
            assert ORDER[parts[1]] < ORDER[layer(path)], f"{name} imports {other}"
            if parts[1] in EXTENSIONS:
                assert parts[1] in MAY_USE.get(layer(path), ()), f"{name} imports {other}"


@pytest.mark.parametrize(
    ("library", "layers"),
    [
        ("jsonschema_rs", {"validation"}),
        ("jsonschema", {"validation"}),
        ("msgspec", {"audit"}),
        ("referencing", {"schema", "catalog"}),
        ("httpx", {"platform"}),
        ("platformdirs", {"files"}),
        ("filelock", {"files"}),
        ("keyring", {"platform"}),
        ("mcp", {"mcp"}),
        ("pygls", {"lsp"}),
        ("lsprotocol", {"lsp"}),
        ("pydantic", {"integrations", "mcp"}),
        ("starlette", {"local_server", "sandbox", "editor", "mcp", "integrations"}),
        ("uvicorn", {"local_server"}),
        ("python_multipart", {"editor"}),
        ("jinja2", {"templates", "forms", "reporters", "editor"}),
        ("markdown_it", {"forms"}),
        ("fsspec", {"audit"}),
        ("pyarrow", {"audit"}),
        ("backports", {"project"}),
        ("click", {"cli", "audit", "editor", "sandbox", "lsp", "mcp"}),
        ("watchfiles", {"cli"}),
        ("dask", {"audit"}),
        ("distributed", {"audit"}),
        ("django", {"integrations"}),
        ("fastapi", {"integrations"}),
        ("pydantic_core", {"integrations"}),
        ("rest_framework", {"integrations"}),
        ("flask", {"integrations"}),
        ("werkzeug", {"integrations"}),
        ("sqlalchemy", {"integrations"}),
        ("attrs", {"integrations"}),
        ("yaml", {"formats"}),
    ],
)
def test_a_library_stays_in_its_layers(library: str, layers: set[str]) -> None:
    for name, path in INNER.items():
        if layer(path) not in layers:
            assert not any(one.split(".")[0] == library for one in imported(path)), name


def test_one_module_alone_uses_the_encoder_that_must_not_get_what_is_nested_deep() -> None:
    users = {
        name
        for name, path in INNER.items()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Attribute) and ast.unparse(node) == "orjson.dumps"
    }
    assert users == {"widgetschema.jsontext.values"}


@pytest.mark.parametrize(
    ("used", "user"),
    [
        ("os.register_at_fork", "widgetschema.forks"),
        ("jinja2.Environment", "widgetschema.templates"),
    ],
)
def test_one_module_alone_knows_what_a_fork_waits_for(used: str, user: str) -> None:
    users = {
        name
        for name, path in INNER.items()
        if used in imported(path)
        or any(
            isinstance(node, ast.Attribute) and ast.unparse(node) == used for node in nodes(path)
        )
    }
    assert users == {user}


def test_no_property_has_a_lock_that_a_forked_process_waits_for() -> None:
    for name, path in INNER.items():
        assert "functools.cached_property" not in imported(path), name
        for node in nodes(path):
            if isinstance(node, ast.Attribute):
                assert ast.unparse(node) != "functools.cached_property", f"{name}:{node.lineno}"


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
    loading = [text for text in map(ast.unparse, rest) if "importing" not in text]
    assert loading == [
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
    for name, path in INNER.items():
        for node in nodes(path) if layer(path) != "files" else ():
            if isinstance(node, ast.Attribute) and node.attr in writers:
                is_os = isinstance(node.value, ast.Name) and node.value.id in ("os", "tempfile")
                writes = is_os or node.attr.startswith("write_")
                assert not writes, f"{name}:{node.lineno}"


# What opens a file without `files`, whose limits keep devices and endless files out.
OPENED: dict[str, tuple[str, str]] = {
    "widgetschema.audit.record_groups": ("TemporaryFile", "its own, read in portions"),
    "widgetschema.sandbox.child": ("os.open", "the terminal, of which nothing is read"),
    "widgetschema.sandbox.commands.sandbox": ("TemporaryDirectory", "its own"),
    "widgetschema.cli.console.output": ("os.open", "the null device, which is written to"),
    "widgetschema.cli.pipeline.project_setup": ("read_text", "of this installation, by pip"),
    "widgetschema.editor.pages": ("read_text", "of this package"),
    "widgetschema.forms.exports.export": ("read_text", "of this package"),
    "widgetschema.forms.fields.ui_description": ("read_bytes", "of this package"),
    "widgetschema.forms.html.rendering": ("read_text", "of this package"),
    "widgetschema.integrations.django.management.commands.check_widgets": (
        "os.open",
        "the null device, which is written to",
    ),
    "widgetschema.languages.catalogs": ("read_text", "of this package"),
    "widgetschema.lsp.server": ("os.fdopen", "standard output"),
    "widgetschema.audit.inputs.tables.sqlite": ("sqlite3.connect", "a database, row by row"),
}
OPENERS = frozenset(
    """open read_text read_bytes FileSystemLoader FileIO TemporaryFile TemporaryDirectory
    NamedTemporaryFile SpooledTemporaryFile os.open os.fdopen io.open io.open_code codecs.open
    sqlite3.connect json.load tomllib.load pickle.load marshal.load yaml.load yaml.safe_load
    shutil.copyfile shutil.copy mmap.mmap numpy.load""".split()
)
READERS = frozenset(
    "bz2 configparser dbm fileinput gzip linecache lzma mmap netrc shelve tarfile zipfile".split()
)


def opened(path: Path) -> set[str]:
    """Return the calls in a module that open files."""
    found = set()
    for node in nodes(path):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found |= {node.func.id} - {"read_bytes"}  # that of `files`
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            of = node.func.value.id if isinstance(node.func.value, ast.Name) else ""
            found |= {f"{of}.{node.func.attr}", node.func.attr} - {"open"}
    return found & OPENERS


def test_only_the_files_module_opens_files() -> None:
    found = {name: opened(path) for name, path in INNER.items() if layer(path) != "files"}
    layers = {layer(path) for path in INNER.values()}  # without extensions that were deleted
    assert {name: one for name, one in found.items() if one} == {
        name: {call} for name, (call, _) in OPENED.items() if name.split(".")[1] in layers
    }
    for name, path in INNER.items():
        assert not READERS & {*imported(path)}, name


def test_every_module_says_its_job_in_its_first_line() -> None:
    for name, path in modules().items():
        if path.suffix == ".py":
            docstring = ast.get_docstring(parsed(path))
            assert docstring, name
            assert len(docstring.splitlines()[0]) > 20, name


CLAUSES = frozenset(
    "After As Because Before How If Since That Those Unless Until What When Where Whether Which "
    "While Who Whom Whose Why".split()
)
# That the first word is no third person is for the linter to see.
NOUNS = frozenset("A All An Each Every It Its None Nothing One The This".split())


def opening(docstring: str) -> str:
    """Return the first word."""
    return docstring.split()[0].rstrip(",.:;")


@pytest.mark.parametrize("folder", ["docs", "examples", "widgetschema"])
def test_no_docstring_opens_with_a_clause(folder: str) -> None:
    for path in (ROOT / folder).rglob("*.py"):
        for node in nodes(path):
            match node:  # attributes have docstrings, too
                case ast.Expr(value=ast.Constant(value=str(text))):
                    assert opening(text) not in CLAUSES, f"{path}:{node.lineno}"


def test_functions_are_described_by_an_imperative() -> None:
    for name, path in modules().items():
        for node in nodes(path):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                docstring = ast.get_docstring(node)
                is_noun = any("property" in ast.unparse(one) for one in node.decorator_list)
                if docstring and not is_noun:
                    assert opening(docstring) not in NOUNS, f"{name}:{node.lineno}"

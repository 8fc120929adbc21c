"""The wheel, installed in a fresh environment without extras, does all that needs none."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import click
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from build import ProjectBuilder

from tests.checkout import git_environment
from tests.command import environment
from tests.distributions import unpack
from tests.manual import RUN, Reader, read
from widgetschema.cli.main import cli

ROOT = Path(__file__).resolve().parents[2]
DATA = {"content": {"countdownType": "Count-to-date"}, "settings": {}, "styles": {}}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a source distribution of this checkout, and the wheel of that."""
    folder = tmp_path_factory.mktemp("dist")
    # What builds it is installed with the tests, in the versions that `pyproject.toml` pins.
    unpack(Path(ProjectBuilder(ROOT).build("sdist", folder)), folder / "source")
    [source] = (folder / "source").iterdir()
    ProjectBuilder(source).build("wheel", folder)
    return folder


def test_wheel_holds_the_schemas_the_manual_and_the_typing_marker(built: Path) -> None:
    [wheel] = built.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())

    assert {
        "widgetschema/__init__.pyi",
        "widgetschema/jsontext/__init__.pyi",
        "widgetschema/manual/guides/ci.md",
        "widgetschema/manual/reference/findings/type.md",
        "widgetschema/py.typed",
        "widgetschema/schemas/countdown.json",
        "widgetschema/schemas/plugin.json",
        "widgetschema/schemas/manifest.json",
    } <= names
    assert not any(name.startswith("tests/") for name in names)


def test_source_distribution_holds_what_the_tests_need(built: Path) -> None:
    [archive] = built.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}

    assert {"schemas/manifest.json", "tests/strategies.py", "LICENSE", "README.md"} <= names


@pytest.fixture(scope="module")
def core(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of a fresh environment that has the wheel, without any extra."""
    [wheel] = built.glob("*.whl")
    folder = tmp_path_factory.mktemp("core") / "fresh"
    venv.create(folder)
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-compile"]
    pins = ["-c", str(ROOT / "constraints.txt")]
    subprocess.run([*pip, *pins, str(wheel)], check=True, env=environment())
    return python.parent


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def test_the_core_alone_does_what_the_readme_shows_in_a_checkout(
    core: Path, tmp_path: Path, stack: ExitStack
) -> None:
    page = read(ROOT / "README.md")
    folder = tmp_path / "project"
    for name in ("schemas", "tests/data"):
        shutil.copytree(ROOT / name, folder / name)
    reader = Reader(page, tmp_path, stack, folder=folder, programs=core)
    followed = 0
    for block in page.blocks:
        for start, end, printed in reader.follow(block):
            assert printed == page.text[start:end]
        followed += block.language in RUN and block.skipped is None
    assert followed >= 4


def run(core: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in an empty folder."""
    command = [str(core / "widgetschema"), *arguments]
    variables = git_environment(folder, XDG_CACHE_HOME=str(folder / ".cache"))
    return subprocess.run(
        command, cwd=folder, env=variables, capture_output=True, encoding="utf-8", check=False
    )


@pytest.mark.parametrize("name", cli.list_commands(click.Context(cli)))
def test_each_command_has_its_help_without_extras(core: Path, tmp_path: Path, name: str) -> None:
    process = run(core, tmp_path, name, "--help")
    assert (process.returncode, process.stderr) == (0, "")
    assert process.stdout.startswith(f"Usage: widgetschema {name} ")


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        ("edit a.json --type countdown", "editor"),
        ("form countdown", "editor"),
        ("lsp", "lsp"),
        ("mcp", "mcp"),
        ("sandbox run -- true", "sandbox"),
        ("validate --type countdown a.yaml", "formats"),
        ("validate --type countdown --watch a.json", "watch"),
        ("validate --type countdown --engine python a.json", "python"),
        ("audit a.parquet", "arrow"),
        ("audit --type countdown --html a.html a.ndjson", "audit"),
        ("audit --type countdown --scheduler tcp://127.0.0.1:1 a.ndjson", "cluster"),
    ],
)
def test_what_needs_an_extra_names_it(
    core: Path, tmp_path: Path, arguments: str, extra: str
) -> None:
    pq.write_table(pa.table({"data": [json.dumps(DATA)]}), tmp_path / "a.parquet")
    for name in ("a.json", "a.yaml", "a.ndjson"):
        (tmp_path / name).write_text(json.dumps(DATA) + "\n", encoding="utf-8")
    process = run(core, tmp_path, *arguments.split())
    assert process.returncode != 0
    assert f"widgetschema[{extra}]" in process.stdout + process.stderr
    assert "Traceback" not in process.stderr


def test_each_public_function_works_without_extras(core: Path, tmp_path: Path) -> None:
    (tmp_path / "calls.py").write_text(CALLS, encoding="utf-8")
    process = subprocess.run(
        [core / "python", "-W", "error", "calls.py"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert process.returncode == 0, process.stderr
    assert process.stdout == ("widgetschema[hypothesis]\nwidgetschema[forms]\n")


CALLS = """
import re
import widgetschema
from widgetschema import Catalog, Client, AsyncClient, MissingExtra, Validator, WidgetType

GOOD = {"content": {}, "settings": {}, "styles": {}}
BAD = {"content": {}, "settings": {}}

assert {name for name in dir(widgetschema)} >= set(widgetschema.__all__)
for name in widgetschema.__all__:
    getattr(widgetschema, name)

widgetschema.validate("countdown", GOOD)
assert widgetschema.is_valid("countdown", GOOD) and not widgetschema.is_valid("countdown", BAD)
try:
    widgetschema.validate("countdown", BAD)
    raise SystemExit("not refused")
except widgetschema.InvalidWidgetData as error:
    assert error.report == widgetschema.check("countdown", BAD)
countdown = widgetschema.widget_type("countdown")
assert countdown.source == "bundled" and countdown.digest and countdown.id == "countdown"
assert countdown.is_valid(GOOD) and countdown.check(GOOD).valid
assert countdown.is_valid_json("{}") is False and len(countdown.check_json("{}").findings) == 3
assert countdown.check_document({"type": "countdown", "data": GOOD}).valid
assert countdown.check_document_json('{"type": "countdown", "data": {}}').valid is False
countdown.validate(GOOD)
countdown.validate_json('{"content": {}, "settings": {}, "styles": {}}')
countdown.validate_document({"type": "countdown", "data": GOOD})
assert countdown.is_valid(countdown.sample(seed=1)) and len([*countdown.samples(3)]) == 3
assert countdown.is_valid(countdown.minimal()) and countdown.is_valid(countdown.maximal())
assert all(countdown.is_valid(case.data) for case in countdown.coverage())
assert not any(countdown.is_valid(case.data) for case in countdown.near_misses())
assert countdown.compare(countdown).verdict == "same"
countdown.migration(countdown)
form = countdown.form(GOOD)
assert form.submit({}).data == GOOD
assert WidgetType.from_data_schema({"type": "string"}, id="x").is_valid("a")
assert Validator({"type": "string"}).check(1).findings and Validator(True).is_valid(1)
assert "countdown" in Catalog.default().ids()
Client("http://127.0.0.1:9").close()
AsyncClient("http://127.0.0.1:9")
for call in (countdown.strategy, form.render):
    try:
        call()
        raise SystemExit(f"{call} needs no extra")
    except MissingExtra as error:
        print(re.search(r"widgetschema\\[\\w+\\]", str(error))[0])
"""

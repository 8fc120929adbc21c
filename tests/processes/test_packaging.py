"""The wheel, installed alone in a fresh environment, does the main job on bundled schemas."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
from build import ProjectBuilder
from build.env import DefaultIsolatedEnv

from tests.command import environment
from tests.distributions import unpack

ROOT = Path(__file__).resolve().parents[2]
DATA = {"content": {"countdownType": "Count-to-date"}, "settings": {}, "styles": {}}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a source distribution of this checkout, and the wheel of that."""
    folder = tmp_path_factory.mktemp("dist")
    with DefaultIsolatedEnv() as environment:
        builder = ProjectBuilder.from_isolated_env(environment, ROOT)
        environment.install(builder.build_system_requires)
        environment.install(builder.get_requires_for_build("sdist"))
        unpack(Path(builder.build("sdist", folder)), folder / "source")
        [source] = (folder / "source").iterdir()
        ProjectBuilder.from_isolated_env(environment, source).build("wheel", folder)
    return folder


def test_wheel_holds_the_schemas_and_the_typing_marker(built: Path) -> None:
    [wheel] = built.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())

    assert {
        "widgetschema/__init__.pyi",
        "widgetschema/jsontext/__init__.pyi",
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


def test_installed_wheel_does_the_main_job(built: Path, tmp_path: Path) -> None:
    [wheel] = built.glob("*.whl")
    venv.create(tmp_path / "fresh")
    python = tmp_path / "fresh" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python)]
    subprocess.run(
        [*pip, "install", "-q", "--no-compile", str(wheel)], check=True, env=environment()
    )
    (tmp_path / "data.json").write_text(json.dumps(DATA), encoding="utf-8")

    command = str(tmp_path / "fresh" / "bin" / "widgetschema")
    run = subprocess.run(
        [command, "validate", "--type", "countdown", "data.json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    code = (
        "import widgetschema\n"
        "assert widgetschema.widget_type('countdown').source == 'bundled'\n"
        "assert widgetschema.is_valid('countdown', {'content': {}, 'settings': {}, 'styles': {}})\n"
    )
    library = subprocess.run([python, "-c", code], cwd=tmp_path, check=False)

    assert (run.returncode, library.returncode) == (1, 0), run.stderr
    assert 'hint: write "count-to-date"' in run.stdout
    assert "Traceback" not in run.stderr

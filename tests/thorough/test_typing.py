"""The public names and types as a type checker reads them in a user's file."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import environment

ROOT = Path(__file__).parents[2]

pytest.importorskip("mypy")


def checked(file: Path, code: str) -> str:
    """Return what mypy, as strict as in the project, prints about some code."""
    file.write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(file)],
        cwd=ROOT,  # its cache is there
        env=environment(MYPY_FORCE_COLOR="0"),
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def test_code_after_the_truth_value_of_a_result_is_checked(tmp_path: Path) -> None:
    code = """
from widgetschema import Report
from widgetschema.evolution.compare import Comparison

def told(report: Report, comparison: Comparison) -> None:
    if report:
        print("wrong")
    after_report: int = "text"
    assert not comparison
    after_comparison: int = "text"
"""
    printed = checked(tmp_path / "told.py", code)
    lines = [line for line in printed.splitlines() if "Incompatible types" in line]
    numbers = [line.split(": error")[0].rpartition(":")[2] for line in lines]
    assert numbers == ["8", "10"], printed
    assert "unreachable" not in printed


def test_the_public_names_are_seen(tmp_path: Path) -> None:
    stub = (ROOT / "widgetschema" / "__init__.pyi").read_text(encoding="utf-8")
    names = re.findall(r"^from \S+ import (\w+) as \1$", stub, re.MULTILINE)
    assert {"WidgetType", "check", "__version__"} <= {*names}
    code = f"""
import widgetschema
from widgetschema import {", ".join(names)}

reveal_type(widgetschema.check)
reveal_type(widgetschema.widget_type("countdown").validator)
widgetschema.nothing
"""
    printed = checked(tmp_path / "app.py", code)
    assert "Found 1 error" in printed
    assert 'Module has no attribute "nothing"' in printed
    assert re.search(r'Revealed type is "def \(.*\) -> widgetschema\.findings\.Report"', printed)
    assert 'Revealed type is "widgetschema.validation.validator.Validator"' in printed


def test_the_types_of_one_check(tmp_path: Path) -> None:
    code = """
from widgetschema import Catalog, WidgetType

catalog = Catalog([])
countdown = WidgetType.from_data_schema({}, id="countdown")
reveal_type(countdown.is_valid)
reveal_type(countdown.validator.is_valid)
reveal_type(countdown.check_document_json(b""))
reveal_type(catalog.get("countdown"))
reveal_type(catalog.get("countdown", countdown))
countdown.is_valid()
WidgetType.from_schema({}, resources=[{}])
"""
    printed = checked(tmp_path / "app.py", code)
    assert [line.rpartition("Revealed type is ")[2] for line in printed.splitlines()[:5]] == [
        '"def (Any) -> bool"',
        '"def (Any) -> bool"',
        '"widgetschema.findings.Report"',
        '"widgetschema.catalog.widget_type.WidgetType | None"',
        '"widgetschema.catalog.widget_type.WidgetType"',
    ]
    assert "Found 2 errors" in printed

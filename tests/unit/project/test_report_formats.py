"""The registry of report formats: ours, and those of installed packages."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command import environment
from tests.reporting import ordinary_reports
from widgetschema.errors import ReporterError
from widgetschema.project import report_formats
from widgetschema.project.checking.artifacts import artifact_kind
from widgetschema.project.checking.results import Outcome, Problem, Summary
from widgetschema.project.report_formats import (
    AUTO,
    InvalidReportTarget,
    ReportContext,
    ReportTarget,
    completions,
    create_reporter,
    is_known,
    own_names,
    parse_target,
    report_format,
)
from widgetschema.reporters.style import plain
from widgetschema.text import printable

CONTEXT = ReportContext("/", plain, printable)
OURS = [name for name in own_names() if name != AUTO]
# A package as it is installed: a module, and the folder that says what it adds.
CSV = """
from widgetschema.reporters.api import DocumentResult, Outcome, Problem, ReportContext, ReportFormat


class CsvReporter:
    def document(self, checked: DocumentResult) -> str:
        return "".join(f"{checked.file},{one.finding.path}\\n" for one in checked.findings)

    def problem(self, problem: Problem) -> str:
        return f"{problem.file},\\n"

    def end(self, outcome: Outcome) -> str:
        return f"total,{outcome.summary.findings}\\n"


def fail(context: ReportContext) -> CsvReporter:
    raise ValueError("no spreadsheet")


class Numbers:
    def __getattr__(self, name: str):
        def count(result):
            if name == "problem":
                raise ValueError
            return 1
        count.__name__ = name
        return count


FORMAT = ReportFormat("spreadsheets", lambda context: CsvReporter(), begins=(rb"[^\\n,]+\\.json,",))
FAILS = ReportFormat("nobody", fail)
NUMBERS = ReportFormat("nobody", lambda context: Numbers())
NONE = None
"""
ENTRY_POINTS = """
[widgetschema.reporters]
acme = widgetschema_csv:FORMAT
fails = widgetschema_csv:FAILS
numbers = widgetschema_csv:NUMBERS
none = widgetschema_csv:NONE
gone = widgetschema_gone:FORMAT
text = widgetschema_gone:FORMAT
"""


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder with an installed package that adds formats."""
    folder = tmp_path / "site"
    information = folder / "widgetschema_csv-1.0.dist-info"
    information.mkdir(parents=True)
    (folder / "widgetschema_csv.py").write_text(CSV, encoding="utf-8")
    (information / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: widgetschema-csv\nVersion: 1.0\n", encoding="utf-8"
    )
    (information / "entry_points.txt").write_text(ENTRY_POINTS, encoding="utf-8")
    return folder


@pytest.fixture
def registry(installed: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A registry that finds the installed package."""
    monkeypatch.syspath_prepend(str(installed))
    caches = (report_formats._installed, report_format)
    for one in caches:
        one.cache_clear()
    yield
    for one in caches:
        one.cache_clear()
    report_formats.FOREIGN_BEGINNINGS.clear()
    sys.modules.pop("widgetschema_csv", None)


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("sarif", ReportTarget("sarif", None)),
        ("sarif=report.sarif", ReportTarget("sarif", "report.sarif")),
        ("junit=-", ReportTarget("junit", None)),
        ("markdown=a=b.md", ReportTarget("markdown", "a=b.md")),
        ("auto", ReportTarget("auto", None)),
        ("json= x ", ReportTarget("json", " x ")),
    ],
)
def test_targets(text: str, target: ReportTarget) -> None:
    assert parse_target(text) == target


@pytest.mark.parametrize(
    ("text", "reason", "hint"),
    [
        ("sarfi", '"sarfi" is not a report format (known: auto, ', 'did you mean "sarif"?'),
        ("sarfi=x", '"sarfi" is not a report format (known: auto, ', 'did you mean "sarif=x"?'),
        ("GitHub=x", '"GitHub" is not a report format', 'did you mean "github=x"?'),
        ("concise", '"concise" is not a report format', 'did you mean "text"?'),
        ("json-lines=x", '"json-lines" is not a report format', 'did you mean "ndjson=x"?'),
        ("xml", '"xml" is not a report format', None),
        ("", '"" is not a report format', None),
        ("=x", '"" is not a report format', None),
        ("\x1b[31m", '"\\u001b[31m" is not a report format', None),
        ("y" * 10_000, '"yyy', None),
        ("sarif=", "the file is missing after sarif=", "write sarif=FILE"),
        ("sarif=a\0b", "the file name after sarif= contains a NUL character", None),
    ],
)
def test_texts_that_are_no_target(text: str, reason: str, hint: str | None) -> None:
    with pytest.raises(InvalidReportTarget) as raised:
        parse_target(text)

    assert raised.value.reason.startswith(reason)
    assert raised.value.hint == hint
    assert str(raised.value).isprintable()
    assert len(str(raised.value)) < 300


def test_our_formats_are_the_files() -> None:
    folder = Path(importlib.import_module(report_formats.PACKAGE).__file__ or "").parent

    stems = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert set(OURS) == {stem.replace("_", "-") for stem in stems}


@pytest.mark.parametrize("name", OURS)
def test_every_format_has_a_reporter(name: str) -> None:
    text = create_reporter(name, CONTEXT).end(Outcome(Summary()))

    assert (text == "") is (name in ("text", "github"))
    assert report_format(name).description


@pytest.mark.parametrize("name", [AUTO, "xml", ""])
def test_there_is_no_reporter_for_anything_else(name: str) -> None:
    with pytest.raises(KeyError):
        create_reporter(name, CONTEXT)


@pytest.mark.parametrize("name", sorted(ordinary_reports()))
def test_every_format_recognizes_its_reports(name: str) -> None:
    assert artifact_kind(ordinary_reports()[name].encode()) == "report"


@pytest.mark.usefixtures("registry")
class TestInstalled:
    """A format of another package."""

    def test_it_is_found_by_its_name(self) -> None:
        assert is_known("acme")
        assert "acme" not in own_names()
        assert parse_target("acme=x.csv") == ReportTarget("acme", "x.csv")
        assert create_reporter("acme", CONTEXT).end(Outcome(Summary())) == "total,0\n"

    def test_it_is_suggested_and_completed(self) -> None:
        with pytest.raises(InvalidReportTarget, match='did you mean "acme"'):
            parse_target("acem")

        assert completions("ac") == ["acme"]
        assert completions("t") == ["text"]
        assert completions("x") == []

    def test_its_reports_are_recognized_once_it_is_used(self) -> None:
        assert artifact_kind(b"a.json,/data\n") is None
        create_reporter("acme", CONTEXT)
        assert artifact_kind(b"a.json,/data\n") == "report"

    def test_it_cannot_replace_one_of_ours(self) -> None:
        assert create_reporter("text", CONTEXT).end(Outcome(Summary())) == ""

    @pytest.mark.parametrize(
        ("name", "reason"),
        [
            ("none", "widgetschema_csv:NONE is not a ReportFormat"),
            ("gone", "widgetschema_gone:FORMAT cannot be loaded: ModuleNotFoundError: No module"),
            ("fails", "ValueError: no spreadsheet"),
        ],
    )
    def test_it_cannot_be_used(self, name: str, reason: str) -> None:
        with pytest.raises(ReporterError) as raised:
            create_reporter(name, CONTEXT)

        assert str(raised.value).startswith(f"report format {name!r}: {reason}")

    def test_it_fails_or_returns_no_text(self) -> None:
        reporter = create_reporter("numbers", CONTEXT)

        with pytest.raises(ReporterError, match=r"end\(\) returned int instead of str"):
            reporter.end(Outcome(Summary()))
        with pytest.raises(ReporterError, match=r"'numbers': ValueError$"):
            reporter.problem(Problem("one.json", "unreadable", 3))

    def test_two_packages_provide_it(self, tmp_path: Path) -> None:
        other = tmp_path / "site" / "other-1.0.dist-info"
        other.mkdir()
        (other / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n")
        (other / "entry_points.txt").write_text(
            "[widgetschema.reporters]\nacme = other:FORMAT\n", encoding="utf-8"
        )

        with pytest.raises(ReporterError, match="provide it: other:FORMAT and widgetschema_csv:"):
            report_format("acme")


def command(*arguments: str, folder: Path, path: Path) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder, with another one where packages are installed."""
    return subprocess.run(
        [sys.executable, "-m", "widgetschema", *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment(PYTHONPATH=str(path)),
        check=False,
    )


def test_the_command_writes_reports_of_installed_formats(installed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "widgetschema.toml").write_text('reporters = ["text", "acme=all.json"]\n')
    (folder / "one.json").write_text("1")

    for _ in range(2):  # the second time, an earlier report is replaced
        process = command("validate", "--type", "countdown", ".", folder=folder, path=installed)
        assert process.returncode == 1, process.stderr

    assert (folder / "all.json").read_text() == "one.json,\ntotal,1\n"
    process = command("validate", "--format", "none", ".", folder=folder, path=installed)
    assert process.returncode == 2
    assert process.stderr.splitlines()[-1].startswith("widgetschema: report format 'none': ")


def test_nothing_is_loaded_for_a_name_of_ours() -> None:
    code = (
        "import sys, widgetschema.project.report_formats as formats\n"
        "formats.parse_target('sarif=x'); formats.completions('s')\n"
        "assert not [name for name in sys.modules if name.startswith('widgetschema.reporters')]\n"
        "assert not {'importlib.metadata', 'urllib.parse', 'secrets', 'hashlib'} & {*sys.modules}\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=environment())


def test_checking_does_not_look_for_other_packages(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text(json.dumps({"content": {}}))
    code = (
        "import sys; from widgetschema.cli import main\n"
        "main(['validate', '--type', 'countdown', '--format', 'json', 'one.json'])\n"
        "assert 'importlib.metadata' not in sys.modules\n"
        "assert 'widgetschema.reporters.formats.sarif' not in sys.modules\n"
    )
    subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.DEVNULL,
    )

"""The configuration: which file, what it may say, what wins, and what hostile files come to."""

from __future__ import annotations

import datetime
import os
import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.command import environment
from tests.effort import bounded
from widgetschema.errors import ConfigurationError
from widgetschema.findings import Finding
from widgetschema.jsontext import DEFAULT_LIMITS, Limits
from widgetschema.project.config import Ignore, load, search_folders
from widgetschema.project.config.settings import SETTINGS
from widgetschema.project.report_formats import own_names

DATA = Path(__file__).resolve().parents[2] / "data" / "configuration"
PASSWORD = "hunter2"


def write(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def refused(*arguments: Any, **options: Any) -> ConfigurationError:
    with pytest.raises(ConfigurationError) as caught:
        load(*arguments, **options)
    return caught.value


def finding_of(path: Path) -> Finding:
    """The one finding about a file."""
    [finding] = refused(str(path.parent), {}, file=path.name).report
    return finding


# which file


def test_nothing_is_configured(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    one = load(str(tmp_path), {})

    assert (one.file, one.folder) == (None, str(tmp_path))
    assert {name: str(origin) for name, origin in one.origins.items()} == dict.fromkeys(
        SETTINGS, "default"
    )
    assert one.schemas is one.base_url is one.auth_url is one.fetch is one.engine is None
    assert one.formats is True
    assert one.limits == DEFAULT_LIMITS
    assert one.reporters == ("auto",)
    assert one.baseline == str(tmp_path / "widgetschema-baseline.json")
    assert (one.jobs, one.include, one.exclude, one.ignores) == (0, (), (), ())
    assert (one.severities, one.files, one.has_mapping) == ({}, {}, False)
    assert one.type_for("a.json") is None
    assert not one.maps("a.json")
    assert one.rules_in(str(tmp_path)).excludes("a.json") is None


@pytest.mark.parametrize(
    ("files", "chosen"),
    [
        ({"widgetschema.toml": "jobs = 1"}, "widgetschema.toml"),
        ({"../widgetschema.toml": "jobs = 1"}, "../widgetschema.toml"),
        ({"pyproject.toml": "[tool.widgetschema]\njobs = 1"}, "pyproject.toml"),
        (
            {"pyproject.toml": "[tool.widgetschema]\njobs = 2", "widgetschema.toml": "jobs = 1"},
            "widgetschema.toml",
        ),
        (
            {"pyproject.toml": "[tool.widgetschema]\njobs = 1", "../widgetschema.toml": "jobs = 2"},
            "pyproject.toml",
        ),
        (
            {
                "pyproject.toml": "[project]\nname = 'x'\ndependencies = ['widgetschema']",
                "../widgetschema.toml": "jobs = 1",
            },
            "../widgetschema.toml",
        ),
        ({"pyproject.toml": "no TOML", "../widgetschema.toml": "jobs = 1"}, "../widgetschema.toml"),
        ({"pyproject.toml": "tool.widgetschema = {jobs = 1}"}, "pyproject.toml"),
        ({"pyproject.toml": "tool = 1 # widgetschema"}, None),
        (
            {"widgetschema.toml/x": "", "pyproject.toml": "tool.widgetschema.jobs = 1"},
            "pyproject.toml",
        ),
        ({".git/HEAD": "", "../widgetschema.toml": "jobs = 1"}, None),
        ({".git": "gitdir: x", "../widgetschema.toml": "jobs = 1"}, None),
        ({".git/HEAD": "", "widgetschema.toml": "jobs = 1"}, "widgetschema.toml"),
        ({"../.git/HEAD": "", "../widgetschema.toml": "jobs = 1"}, "../widgetschema.toml"),
    ],
)
def test_the_nearest_file_is_taken(
    tmp_path: Path, files: dict[str, str], chosen: str | None
) -> None:
    folder = tmp_path / "top" / "project"
    write(tmp_path / ".git" / "HEAD", "")
    folder.mkdir(parents=True)
    for name, text in files.items():
        write(folder / name, text)

    one = load(str(folder), {})

    assert one.jobs == (0 if chosen is None else 1)
    if chosen is None:
        assert (one.file, one.folder) == (None, str(folder))
    else:
        assert one.file == os.path.normpath(folder / chosen)
        assert one.folder == os.path.dirname(one.file)
        assert str(one.origins["jobs"]).rpartition(":")[0] == chosen


def test_the_search_ends_at_the_repository(tmp_path: Path) -> None:
    (tmp_path / "a" / ".git").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c").mkdir(parents=True)

    assert search_folders(str(tmp_path / "a" / "b" / "c")) == [
        str(tmp_path / one) for one in ("a/b/c", "a/b", "a")
    ]
    assert search_folders("/") == ["/"]


def test_a_file_is_named(tmp_path: Path) -> None:
    write(tmp_path / "widgetschema.toml", "jobs = 1")
    write(tmp_path / "ci" / "strict.toml", "jobs = 2\nschemas = '../s'")
    write(tmp_path / "ci" / "pyproject.toml", "[tool.widgetschema]\njobs = 3")
    folder = str(tmp_path)

    strict = load(folder, {}, file="ci/strict.toml")
    assert (strict.jobs, strict.folder) == (2, str(tmp_path / "ci"))
    assert strict.schemas == str(tmp_path / "s")
    by_variable = load(folder, {"WIDGETSCHEMA_CONFIG": "ci/pyproject.toml"})
    assert by_variable.jobs == 3
    assert str(by_variable.origins["jobs"]) == "ci/pyproject.toml:2"
    assert load(folder, {"WIDGETSCHEMA_CONFIG": "x.toml"}, file="ci/strict.toml").jobs == 2
    assert load(folder, {"WIDGETSCHEMA_CONFIG": "x.toml"}, use_file=False).jobs == 0
    assert load(folder, {"WIDGETSCHEMA_CONFIG": " "}).jobs == 1


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("gone.toml", None, "cannot be read: no such file"),
        ("config.json", "{}", "the configuration must be a .toml file"),
        ("pyproject.toml", "[project]", "this file has no table [tool.widgetschema]"),
        (
            "pyproject.toml",
            "[tool]\nx = 'widgetschema'",
            "this file has no table [tool.widgetschema]",
        ),
        ("folder.toml", Path, "cannot be read"),
        ("pipe.toml", os.mkfifo, "not a regular file"),
        ("a\0.toml", None, "cannot be read"),
        ("a\n::error::x.toml", None, "a\\n::error::x.toml: 1 finding"),
        ("", None, "the configuration must be a .toml file"),
    ],
)
def test_a_named_file_has_to_be_one(tmp_path: Path, name: str, text: Any, said: str) -> None:
    if isinstance(text, str):
        write(tmp_path / name, text)
    elif text is Path:
        (tmp_path / name).mkdir()
    elif text is not None:
        text(tmp_path / name)
    error = refused(str(tmp_path), {}, file=name)

    assert said in str(error)
    assert "\n" not in error.report.subject


# what the file may say


def test_everything_that_can_be_said() -> None:
    one = load(str(DATA / "fine"), {}, file="everything.toml")
    here = DATA / "fine"
    lines = ["", *(here / "everything.toml").read_text(encoding="utf-8").splitlines()]

    assert [setting.name for setting, _, _ in one.items()] == list(SETTINGS)
    assert {origin.source for origin in one.origins.values()} == {"file"}
    assert one.schemas == str(DATA / "schemas")
    assert one.base_url == "https://platform.example/api/v1"
    assert one.auth_url == "http://localhost:8080"
    assert one.strict_schema
    assert (one.fetch, one.formats, one.engine) == ("frozen", False, "python")
    assert one.limits == Limits(50, 1_000_000)
    assert one.reporters == (
        "github",
        f"sarif={here / 'out/report.sarif'}",
        f"junit={here / 'junit.xml'}",
    )
    assert (one.baseline, one.jobs) == (str(here / "known.json"), 4)
    assert one.exclude == ("drafts/", "**/*.local.json")
    assert one.data_schemas == {"faq": str(DATA / "schemas" / "faq.schema.json")}
    assert one.severities["uniqueItems"] == "off"
    assert list(one.files.items())[1] == ("widgets/faq/**/*.json", "faq")
    assert one.ignores[0] == Ignore(
        "widgets/old",
        None,
        None,
        "moved away in the spring",
        datetime.date(2026, 12, 31),
        lines.index("[[ignores]]"),
        1,
    )
    assert one.ignores[1].expires == datetime.date(2027, 2, 28)
    assert str(one.origins["limits.max-bytes"]) == "everything.toml:10"
    assert str(one.origins["files"]) == f"everything.toml:{lines.index('[files]')}"
    assert vars(pickle.loads(pickle.dumps(one))) == vars(one)


def test_whole_numbers_with_a_point_are_whole_numbers(tmp_path: Path) -> None:
    write(tmp_path / "c.toml", "jobs = 4.0\nlimits.max-depth = 5.0")
    one = load(str(tmp_path), {}, file="c.toml")

    assert [repr(one.jobs), repr(one.max_depth)] == ["4", "5"]


@pytest.mark.parametrize("path", sorted((DATA / "fine").glob("*.toml")), ids=lambda path: path.stem)
def test_what_is_fine_does_not_load_the_validator(path: Path) -> None:
    code = (
        "import sys\nfrom widgetschema.project.config import load\n"
        f"load({str(path.parent)!r}, {{}}, file={path.name!r})\n"
        "heavy = {'widgetschema.validation', 'jsonschema_rs', 'orjson', 'httpx', 'uuid'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=environment())


def test_without_a_file_no_parser_is_loaded(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    code = (
        "import sys\nfrom widgetschema.project.config import load\n"
        f"load({str(tmp_path)!r}, {{'WIDGETSCHEMA_JOBS': '2'}})\n"
        "assert not {'tomllib', 'orjson', 'datetime', 'hashlib', 'httpx'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=environment())


BROKEN = sorted((DATA / "broken").glob("*.toml"))


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_what_is_said_of_mistakes(path: Path) -> None:
    error = refused(str(path.parent), {}, file=path.name)

    text = f"{error}\n".replace(", ".join(own_names()), "FORMATS")
    assert text == path.with_suffix(".txt").read_text(encoding="utf-8")
    assert PASSWORD not in str(error)


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_in_a_project_file_they_are_the_same(path: Path, tmp_path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    table = re.sub(r"(?m)^(\[\[?)(?=[a-z])", r"\1tool.widgetschema.", text)
    expected = refused(str(path.parent), {}, file=path.name).report
    write(tmp_path / "pyproject.toml", f"[project]\n[tool.widgetschema]\n{table}")
    found = refused(str(tmp_path), {}).report

    assert [(one.path, one.message, one.line) for one in found] == [
        (one.path, one.message, (one.line or 0) + 2) for one in expected
    ]


@pytest.mark.parametrize(
    ("name", "line", "column", "hint"),
    [
        ("end", 2, 6, None),
        ("twice", 4, 7, None),
        ("syntax", 4, 8, "quote a key"),
    ],
)
def test_what_is_no_toml(name: str, line: int, column: int, hint: str | None) -> None:
    finding = finding_of(DATA / "syntax" / f"{name}.toml")

    assert (finding.keyword, finding.line, finding.column) == ("toml.syntax", line, column)
    assert finding.message.startswith("not TOML: ")
    assert (finding.hint or "").startswith(hint or "")


@pytest.mark.parametrize(
    ("raw", "keyword", "place"),
    [
        (b"\xef\xbb\xbfjobs = 1", "toml.encoding", (1, 1)),
        (b"jobs = 1\nengine = 'r\xfcst'", "toml.encoding", (2, 12)),
        ("jobs = 1".encode("utf-16"), "toml.encoding", (1, 1)),
        (b"a = " + b"[" * 5000, "toml.depth", (1, 69)),
        (b"jobs = 1\na = " + b"{a=" * 5000, "toml.depth", (2, 197)),
        (b"x = 1\n" + b"a." * 100_000 + b"b = 1", "toml.depth", (2, 1)),
        (b"[" + b"a." * 300 + b"b]", "toml.depth", (1, 2)),
        (b"jobs =\n " + b"1" * 5000, "toml.syntax", (1, 7)),
        (b"jobs = " + b"1" * 5000, "toml.syntax", (1, 8)),
        (b"#" * 1_000_001, "toml.size", (None, None)),
        (b"jobs = 1\0", "toml.syntax", (1, 9)),
        (b"jobs = 2026-13-01", "toml.syntax", (1, 12)),
    ],
    ids="bom latin utf16 arrays tables key header split digits size null month".split(),
)
def test_hostile_files_are_refused_quickly(
    tmp_path: Path, raw: bytes, keyword: str, place: tuple[int, int]
) -> None:
    write(tmp_path / "c.toml", raw)
    with bounded():
        finding = finding_of(tmp_path / "c.toml")

    assert (finding.keyword, (finding.line, finding.column)) == (keyword, place)


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"a{n} = 1\n" for n in range(50_000)),
        "reporters = [" + "'x', " * 100_000 + "]",
        "reporters = [" + "'x', " * 15_000 + "]",
        "[[ignores]]\n" * 60_000,
        "".join(f"a{n} = 1\n" for n in range(200)),
        "a = " + "{b = " * 60 + "1" + "}" * 60,
        "[" + ".".join(["a"] * 60) + "]\nb = 0x" + "f" * 900_000,
        "jobs = 0x" + "f" * 900_000,
        "[files]\n" + "".join(f"'{'*a' * 100}{n}' = 'x'\n" for n in range(4000)),
    ],
    ids=["members", "reporters", "fewer", "ignores", "some", "deep", "header", "digits", "globs"],
)
def test_large_files_end_in_few_findings(tmp_path: Path, text: str) -> None:
    write(tmp_path / "c.toml", text)
    with bounded():
        error = refused(str(tmp_path), {}, file="c.toml")

    assert len(error.report) <= 101
    assert len(str(error)) < 100_000


def test_reports_go_nowhere_by_links(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    folder = tmp_path / "project"
    (folder / ".git" / "hooks").mkdir(parents=True)
    (folder / "out").symlink_to("../outside")
    (folder / "hooks").symlink_to(".git/hooks")
    (folder / "report.json").symlink_to("../outside/report.json")
    (folder / "fine").mkdir()
    (folder / "also.json").symlink_to("fine/also.json")
    names = ["out/x.json", "hooks/x.json", "report.json", "also.json", "fine/x.json"]
    write(folder / "widgetschema.toml", f"reporters = {[f'json={one}' for one in names]}")

    assert [one.path for one in refused(str(folder), {}).report] == [
        "/reporters/0",
        "/reporters/1",
        "/reporters/2",
    ]
    # Whoever types it may do it.
    given_by_hand = ("json=out/x.json", "json=/tmp/x")
    write(folder / "widgetschema.toml", "")
    one = load(str(folder), {"WIDGETSCHEMA_FORMAT": "json=../x, text"})
    assert one.reporters == ("json=../x", "text")
    assert one.with_options(reporters=given_by_hand).reporters == given_by_hand


def test_the_folder_may_be_a_link(tmp_path: Path) -> None:
    write(tmp_path / "real" / "widgetschema.toml", "reporters = ['json=a/b.json']")
    (tmp_path / "link").symlink_to("real")

    assert load(str(tmp_path / "link"), {}).reporters == (f"json={tmp_path}/link/a/b.json",)


def test_a_report_does_not_overwrite_data(tmp_path: Path) -> None:
    files = '[files]\n"widgets/*.json" = "faq"\n'
    write(tmp_path / "widgetschema.toml", f"reporters = ['text', 'json=widgets/a.json']\n{files}")
    [finding] = refused(str(tmp_path), {}).report
    assert finding.path == "/reporters/1"
    assert finding.message == "this file is one of the files that are checked"
    write(tmp_path / "widgetschema.toml", f"reporters = ['json=other/a.json']\n{files}")
    assert load(str(tmp_path), {}).reporters == (f"json={tmp_path}/other/a.json",)

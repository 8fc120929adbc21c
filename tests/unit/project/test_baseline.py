"""The baseline: what is in it counts no more, what is gone is told, and the file can be merged."""

from __future__ import annotations

import datetime
import json
import os
import random
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.project.test_fingerprints import results
from widgetschema.errors import ConfigurationError, UnreadableDocument
from widgetschema.project.checking.baseline import Baseline, BaselineEntry, BaselineRecorder
from widgetschema.project.checking.results import (
    DocumentResult,
    LocatedFinding,
    Problem,
    Result,
)
from widgetschema.project.checking.triage import Triage
from widgetschema.project.config import load

DATA = Path(__file__).resolve().parents[2] / "data" / "baselines"
TODAY = datetime.date(2025, 6, 15)
BAD = '{"size": "large", "title": 3, "items": [{"name": "a"}, {"name": "b"}]}'
BOTH = ("widgets/bad.json", "widgets/worse.json")
GOOD = '{"size": "big"}'


class Triaged(NamedTuple):
    """The rest of some results after a triage."""

    results: list[Result]
    triage: Triage

    @property
    def shown(self) -> list[str]:
        """The findings that count, and the problems."""
        lines: list[str] = []
        for one in self.results:
            if isinstance(one, Problem):
                lines.append(one.keyword)
            else:
                lines += [f"{f.finding.keyword} {f.finding.path}" for f in one.findings]
        return lines

    @property
    def counts(self) -> tuple[int, int]:
        """Count the known and the ignored."""
        checked = [one for one in self.results if isinstance(one, DocumentResult)]
        return (
            sum(one.known for one in checked),
            self.triage.ignored + sum(one.ignored for one in checked),
        )


def triage_for(root: Path, toml: str = "", baseline: Baseline | None = None) -> Triage:
    """A triage for a project with this configuration."""
    (root / "widgetschema.toml").write_text(toml)
    return Triage(load(str(root), {}), baseline, str(root), today=TODAY)


def triaged(triage: Triage, found: Iterable[Result]) -> Triaged:
    """Return the rest of results after a triage."""
    kept = (triage.result(one) for one in found)
    return Triaged([one for one in kept if one is not None], triage)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with a good file and two bad ones."""
    root = tmp_path / "project"
    (root / "widgets").mkdir(parents=True)
    (root / "widgets" / "bad.json").write_text(BAD)
    (root / "widgets" / "good.json").write_text(GOOD)
    (root / "widgets" / "worse.json").write_text('{"size": "huge"}')
    return root


def check(
    root: Path, *files: str, baseline: Path | None = None, toml: str = "", fresh: bool = True
) -> Triaged:
    """The results of files below the root."""
    names = [root / file for file in files or BOTH]
    known = None if baseline is None else Baseline.load(str(baseline))
    return triaged(triage_for(root, toml, known), results(root.parent / "store", *names))


def collect(root: Path, *files: str, to: Path | None = None, toml: str = "") -> Path:
    """Write the baseline of files below the root."""
    path = to or root / "widgetschema-baseline.json"
    recorded(root, path, *files, toml=toml).write()
    return path


def recorded(root: Path, path: Path, *files: str, toml: str = "") -> BaselineRecorder:
    """Return the baseline of files below the root, which is not written yet."""
    collector = BaselineRecorder(str(path))
    (root / "widgetschema.toml").write_text(toml)
    names = [root / file for file in files or BOTH]
    triage = Triage(load(str(root), {}), None, collector.folder, today=TODAY)
    for result in results(root.parent / "store", *names):
        left = triage.result(result)
        if left is not None:
            collector.add(left)
    return collector


ALL = ["enum /size", "type /title", "required /items/0", "required /items/1", "enum /size"]


def test_what_is_in_the_baseline_counts_no_more(root: Path) -> None:
    assert sorted(check(root).shown) == sorted(ALL)
    path = collect(root)
    again = check(root, baseline=path)
    assert again.shown == []
    assert again.counts == (5, 0)
    assert again.triage.resolved() == ()
    assert all(isinstance(one, DocumentResult) and one.excused for one in again.results)


def test_only_what_is_new_is_shown_and_what_is_gone_is_told(root: Path) -> None:
    path = collect(root)
    (root / "widgets" / "bad.json").write_text(
        '{\n\n"titel": 1,\n"items": [{"name": "b"}],\n"size": "large"}'
    )
    again = check(root, baseline=path)
    assert again.shown == ["additionalProperties /titel"]
    assert again.counts == (3, 0)
    assert sorted(again.triage.resolved()) == [
        "widgets/bad.json required /items/1",
        "widgets/bad.json type /title",
    ]


@pytest.mark.parametrize("folder", [".", "ci", "widgets", "../elsewhere"])
def test_it_means_the_same_wherever_the_command_is_run(
    root: Path, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / folder).mkdir(exist_ok=True)
    path = collect(root, to=root / folder / "baseline.json")
    file = json.loads(path.read_text())["findings"][0]["file"]
    assert (path.parent / file).samefile(root / "widgets" / "bad.json")
    monkeypatch.chdir(root / "widgets")
    known = Baseline.load(os.path.relpath(path))
    triage = triage_for(root, "", known)
    found = triaged(triage, results(root.parent / "store", "bad.json", "./worse.json"))
    assert found.shown == []
    moved = root.parent / "moved"
    root.rename(moved)
    if folder != "../elsewhere":
        assert check(moved, baseline=moved / folder / "baseline.json").shown == []


def test_of_files_that_were_not_looked_at_nothing_is_told(root: Path) -> None:
    path = collect(root)
    (root / "widgets" / "bad.json").write_text(GOOD)
    assert check(root, "widgets/good.json", baseline=path).triage.resolved() == ()
    (root / "widgets" / "bad.json").unlink()
    again = check(root, "widgets/good.json", baseline=path)
    assert len(again.triage.resolved()) == 4
    assert all(line.startswith("widgets/bad.json ") for line in again.triage.resolved())


def test_what_could_not_be_looked_at_is_not_gone(root: Path) -> None:
    path = collect(root)
    (root / "widgets" / "bad.json").write_text("{")
    again = check(root, baseline=path)
    assert again.shown == ["json.syntax "]
    assert again.triage.resolved() == ()


def test_the_last_file_of_a_run_that_stopped_is_not_gone(root: Path) -> None:
    path = collect(root, "widgets/bad.json")
    for name in ("bad.json", "also.json"):
        (root / "widgets" / name).write_text(GOOD)
    triage = check(root, "widgets/bad.json", baseline=path).triage
    assert triage.resolved(interrupted=True) == ()
    assert len(triage.resolved()) == 4
    triage = check(root, "widgets/bad.json", "widgets/also.json", baseline=path).triage
    assert len(triage.resolved(interrupted=True)) == 4


def test_a_file_without_documents_was_looked_at(root: Path) -> None:
    (root / "widgets" / "lines.ndjson").write_text('{"size": 3}\n{"size": 3}\n')
    path = collect(root, "widgets/lines.ndjson")
    assert len(Baseline.load(str(path))) == 2
    (root / "widgets" / "lines.ndjson").write_text("\n")
    triage = triage_for(root, "", Baseline.load(str(path)))
    triage.begin(str(root / "widgets" / "lines.ndjson"))
    assert len(triage.resolved()) == 2
    collector = BaselineRecorder(str(path))
    collector.begin(str(root / "widgets" / "lines.ndjson"))
    assert str(collector.write()) == "0 findings (2 gone)"


def test_new_findings_and_those_that_are_gone_are_counted_by_themselves(root: Path) -> None:
    (root / "widgets" / "lines.ndjson").write_text('{"size": 3}\n{"size": 4}\n')
    path = collect(root, "widgets/lines.ndjson")
    (root / "widgets" / "lines.ndjson").write_text('{"size": 5}\n')
    change = recorded(root, path, "widgets/lines.ndjson").write()
    assert str(change) == "1 finding (1 new, 2 gone)"


def test_lines_of_a_file_are_told_apart(root: Path) -> None:
    (root / "widgets" / "lines.ndjson").write_text('{"size": 3}\n{"size": 3}\n{"size": 4}\n')
    path = collect(root, "widgets/lines.ndjson")
    (root / "widgets" / "lines.ndjson").write_text('{"size": 4}\n' + '{"size": 3}\n' * 3)
    again = check(root, "widgets/lines.ndjson", baseline=path)
    assert again.shown == ["enum /size"]
    assert again.counts == (3, 0)


def test_only_errors_that_count_are_written(root: Path) -> None:
    toml = """
        [severities]
        enum = "warning"
        type = "off"
        [[ignores]]
        pointer = "/items/0"
        reason = "old"
    """
    path = collect(root, toml=toml)
    assert [entry.keyword for entry in Baseline.load(str(path))] == ["required"]
    again = check(root, baseline=path, toml=toml)
    assert again.shown == ["enum /size", "enum /size"]
    assert again.counts == (1, 1)
    [bad, _] = again.results
    assert isinstance(bad, DocumentResult)
    assert [one.severity for one in bad.findings] == ["warning"]


def problem(root: Path, name: str, code: int) -> Problem:
    return Problem(str(root / name), "a problem", code, "/docs/3", 7)


@pytest.mark.parametrize("code", [1, 2, 3, 4, 5])
def test_no_baseline_hides_that_a_document_was_not_checked(root: Path, code: int) -> None:
    (root / "widgets" / "bad.json").write_text("{")
    unchecked = [*results(root.parent / "store", root / "widgets" / "bad.json")]
    unchecked.append(problem(root, "widgets/good.json", code))
    left = triaged(triage_for(root), unchecked)
    path = str(root / "baseline.json")
    collector = BaselineRecorder(path)
    prints: list[Problem | LocatedFinding] = []
    for one in left.results:
        collector.add(one)
        prints += [one] if isinstance(one, Problem) else one.findings
    assert collector.write().findings == 0
    entries = [BaselineEntry("widgets/bad.json", one.fingerprint, "", "") for one in prints]
    Baseline.write(path, entries, Path(path).read_bytes())
    again = triaged(triage_for(root, "", Baseline.load(path)), unchecked)
    assert again.shown == left.shown
    assert again.counts == (0, 0)
    assert again.triage.resolved() == ()


def test_findings_about_ignores_are_in_no_baseline(root: Path) -> None:
    triage = triage_for(root, "ignores = [{pointer = '/a', reason = 'old'}]")
    collector = BaselineRecorder(str(root / "baseline.json"))
    [checked] = triage.ignore_findings(everything=True)
    assert checked.failed
    collector.add(checked)
    assert collector.write().findings == 0


def test_standard_input_is_in_no_baseline(root: Path) -> None:
    found = [
        one._replace(file="-") for one in results(root.parent / "store", root / "widgets/bad.json")
    ]
    path = root / "baseline.json"
    collector = BaselineRecorder(str(path))
    for one in triaged(triage_for(root), [*found, Problem("-", "what type?", 2)]).results:
        collector.add(one)
    assert collector.write().findings == 0
    entry = BaselineEntry("-", "0" * 20, "enum", "")
    Baseline.write(str(path), [entry], path.read_bytes())
    assert triaged(triage_for(root, "", Baseline.load(str(path))), found).counts == (0, 0)


def test_writing_for_some_files_keeps_the_others(root: Path) -> None:
    path = collect(root)
    (root / "widgets" / "good.json").write_text('{"size": 3}')
    collect(root, "widgets/good.json")
    files = [entry.file for entry in Baseline.load(str(path))]
    assert sorted(set(files)) == [f"widgets/{name}.json" for name in ("bad", "good", "worse")]
    (root / "widgets" / "bad.json").write_text(GOOD)
    (root / "widgets" / "worse.json").unlink()
    collect(root, "widgets/bad.json")
    assert {entry.file for entry in Baseline.load(str(path))} == {"widgets/good.json"}


def test_what_cannot_be_looked_at_is_kept_when_writing(root: Path) -> None:
    path = collect(root, "widgets/bad.json")
    (root / "widgets" / "bad.json").write_text("{")
    collect(root, "widgets/bad.json")
    assert len(Baseline.load(str(path))) == 4
    (root / "widgets" / "bad.json").write_text(BAD)
    assert check(root, "widgets/bad.json", baseline=path).shown == []


def test_twice_is_the_same_as_once(root: Path) -> None:
    path = collect(root)
    before = path.read_text()
    collect(root)
    assert path.read_text() == before
    assert collect(root, "widgets/worse.json", "widgets/bad.json").read_text() == before


def test_the_file_has_one_line_per_finding(root: Path) -> None:
    lines = collect(root).read_text().splitlines()
    assert lines[:3] == ["{", '  "version": 1,', '  "findings": [']
    assert lines[-2:] == ["  ]", "}"]
    assert len(lines) == 5 + len(ALL)
    for line in lines[3:-2]:
        entry = json.loads(line.removesuffix(","))
        assert list(entry) == ["file", "fingerprint", "keyword", "path"]
    assert sorted(lines[3:-2], key=lambda line: line.strip(" ,")) == lines[3:-2]


ENTRIES = st.builds(
    BaselineEntry, *[st.text(min_size=1, max_size=30)] * 2, st.text(max_size=9), st.text()
)


@given(st.lists(ENTRIES, max_size=6, unique_by=lambda entry: entry.fingerprint))
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, entries: list[BaselineEntry]
) -> None:
    path = str(tmp_path_factory.mktemp("baseline") / "b.json")
    shuffled = random.sample(entries, len(entries))
    Baseline.write(path, entries)
    assert sorted(Baseline.load(path)) == sorted(entries)
    text = Path(path).read_bytes()
    Baseline.write(path, shuffled, text)
    assert Path(path).read_bytes() == text


def test_halves_of_characters_are_written_so_that_they_can_be_read(tmp_path: Path) -> None:
    path = str(tmp_path / "b.json")
    Baseline.write(path, [BaselineEntry("a\udcff", "1", "k", "/\ud800")])
    [entry] = Baseline.load(path)
    assert entry == BaselineEntry("a\\udcff", "1", "k", "/\\ud800")


def test_long_paths_are_cut(root: Path) -> None:
    deep = '{"%s": 1}' % ("a" * 10_000)
    (root / "widgets" / "bad.json").write_text(deep)
    path = collect(root, "widgets/bad.json")
    assert path.stat().st_size < 1000
    assert check(root, "widgets/bad.json", baseline=path).shown == []


@pytest.mark.parametrize("path", sorted(DATA.glob("*.json")), ids=lambda path: path.stem)
def test_files(path: Path, request: pytest.FixtureRequest) -> None:
    if not path.name.startswith("refused"):
        assert len(Baseline.load(str(path))) == (2 if path.stem == "good" else 0)
        return
    with pytest.raises(UnreadableDocument) as caught:
        Baseline.load(str(path))
    [*_, finding] = caught.value.report
    assert finding.line is not None
    expected = (DATA / "messages.txt").read_text().split("\n\n")
    shown = str(caught.value).replace(str(DATA) + os.sep, "")
    assert shown in [message.strip("\n") for message in expected]


def test_a_baseline_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UnreadableDocument, match="this baseline does not exist"):
        Baseline.load(str(tmp_path / "b.json"))
    with pytest.raises(UnreadableDocument):
        Baseline.load(str(tmp_path))
    (tmp_path / "f").write_text("")
    with pytest.raises(UnreadableDocument):
        Baseline.load(str(tmp_path / "f" / "b.json"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UnreadableDocument, match="is not a regular file"):
        Baseline.load(str(tmp_path / "pipe"))


def test_a_baseline_too_large(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    with path.open("wb") as file:
        file.truncate(65 * 1024 * 1024)
    with pytest.raises(UnreadableDocument, match="67,108,864 bytes"):
        Baseline.load(str(path))
    long = "x" * 1_000_000
    entries = [BaselineEntry(f"{number}{long}", f"{number}", "", "") for number in range(70)]
    path = tmp_path / "new.json"
    with pytest.raises(ConfigurationError, match="70 findings are too many"):
        Baseline.write(str(path), entries)
    assert not path.exists()


def test_what_is_no_baseline_is_not_written_over(tmp_path: Path) -> None:
    precious = tmp_path / "package.json"
    precious.write_text('{"name": "precious"}')
    with pytest.raises(UnreadableDocument, match="this is not a baseline"):
        BaselineRecorder(str(precious))
    link = tmp_path / "b.json"
    link.symlink_to(tmp_path / "outside")
    with pytest.raises(ConfigurationError, match="does not exist"):
        BaselineRecorder(str(link))
    assert not (tmp_path / "outside").exists()


@pytest.mark.parametrize(
    "file",
    ["/etc/none", "//server/share/a", "C:\\a", "\\\\server\\a", "a\0b", "\\xff.json", "../" * 2000],
)
def test_a_hostile_baseline_names_no_file_that_is_gone(root: Path, file: str) -> None:
    path = root / "baseline.json"
    Baseline.write(str(path), [BaselineEntry(file, "1", "enum", "/\x1b[2J")])
    triage = check(root, baseline=path).triage
    assert triage.resolved() == ()


def test_many_findings_take_no_time(root: Path) -> None:
    path = root / "baseline.json"
    Baseline.write(
        str(path),
        [BaselineEntry(f"{i % 500}.json", f"{i:020x}", "enum", "/a") for i in range(5_000)],
    )
    again = check(root, baseline=path)
    assert len(again.shown) == 5
    assert len(again.triage.resolved()) == 5_000


@pytest.mark.parametrize("exists", [True, False])
def test_a_baseline_that_another_program_wrote_meanwhile_stays(
    exists: bool, tmp_path: Path
) -> None:
    path = tmp_path / "b.json"
    if exists:
        Baseline.write(str(path), [])
    recorder = BaselineRecorder(str(path))
    path.write_text("theirs")
    with pytest.raises(OSError, match="another program changed it meanwhile"):
        recorder.write()
    assert path.read_text() == "theirs"

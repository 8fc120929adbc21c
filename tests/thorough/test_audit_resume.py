"""A run that was broken off, at any moment: what was done is kept, and nothing is done twice."""

from __future__ import annotations

import json
import os
import random
import signal
import stat
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.command import INTERRUPTIBLE, environment, run
from tests.killing import killed_at, operations
from tests.many_widgets import write
from tests.terminal import HANG
from widgetschema.audit.checkpoints import EXPIRY, Checkpoints
from widgetschema.audit.collector import Collector
from widgetschema.audit.inputs.sources import Source, Span
from widgetschema.audit.partition_result import PartitionResult
from widgetschema.audit.pipeline import auditing as audit_pipeline
from widgetschema.audit.plan import Plan, Settings
from widgetschema.audit.runners import local
from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.store import bundled
from widgetschema.cli import main
from widgetschema.cli.console.signals import Interrupted, Interruptions

# The suite runs in several processes, each with a thread that does nothing but wait.
pytestmark = pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")

LOADED = (audit_pipeline, local)  # before processes are forked
KILLS = 6
RESULT = PartitionResult(1, b"{}", b"\0findings\n", b"", b"groups", b"quarantine")
SOURCES = (Source("a.ndjson", "a.ndjson", 30, stamp="1"), Source("b", "b", 10, stamp="2"))
PARTITIONS = ((Span(0, 0, 20),), (Span(0, 20, 30), Span(1, 0, 10)), (Span(1, 0, 10),))


def plan(**changes: Any) -> Plan:
    made = Plan(Settings(), Catalog([bundled()]), SOURCES, PARTITIONS)
    return made._replace(**changes)


class Kept:
    """Checkpoints below a folder, and what they complained of."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.said: list[str] = []

    def of(self, made: Plan, about: object = "test") -> Checkpoints:
        return Checkpoints(made, str(self.root), (about,), self.said.append)


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    return Kept(tmp_path / "audits")


class TestCheckpoints:
    def test_what_is_put_there_is_there(self, kept: Kept) -> None:
        kept.of(plan()).put(RESULT)

        again = kept.of(plan())

        assert again.get(1) == RESULT
        assert again.get(0) is None
        assert (again.number, 1 in again, 0 in again) == (1, True, False)
        assert kept.said == []

    def test_nobody_else_can_read_it(self, kept: Kept) -> None:
        kept.of(plan()).put(RESULT)

        folder = Path(kept.of(plan()).folder)
        [file] = folder.iterdir()

        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert stat.S_IMODE(file.stat().st_mode) == 0o600

    def test_what_is_not_whole_is_not_there(self, kept: Kept) -> None:
        checkpoints = kept.of(plan())
        checkpoints.put(RESULT)
        [file] = Path(checkpoints.folder).iterdir()
        whole = file.read_bytes()
        spoiled = [whole[:end] for end in range(len(whole))]
        spoiled += [
            whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :] for at in range(len(whole))
        ]
        for raw in [*spoiled, whole + b"x", b"\0" * 10_000]:
            file.write_bytes(raw)
            assert checkpoints.get(1) is None
        file.write_bytes(whole)
        assert checkpoints.get(1) == RESULT
        (file.parent / "x.part").write_bytes(whole)
        file.rename(file.parent / os.path.basename(_name(kept, plan(), 2)))
        assert checkpoints.get(2) is None, "it is about another partition"

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
    def test_what_is_no_file_is_not_waited_for(self, kept: Kept) -> None:
        checkpoints = kept.of(plan())
        checkpoints.put(RESULT)
        [file] = Path(checkpoints.folder).iterdir()
        file.unlink()
        os.mkfifo(file)

        assert checkpoints.get(1) is None

        file.unlink()
        file.mkdir()
        assert checkpoints.get(1) is None

    @pytest.mark.parametrize(
        "changed",
        [
            plan(settings=Settings(examples=4)),
            plan(max_bytes=5),
            plan(older=Catalog([bundled()])),
            plan(catalog=Catalog([{"countdown": {"$id": "countdown"}}])),
            plan(catalog=Catalog([bundled(), {"other": {}}])),
            plan(catalog=Catalog([{"countdown": {"allOf": 3}}])),
        ],
        ids=["settings", "limit", "older", "schema", "another schema", "broken schema"],
    )
    def test_another_question_has_other_answers(self, kept: Kept, changed: Plan) -> None:
        kept.of(plan()).put(RESULT)

        assert kept.of(changed).number == 0
        assert kept.of(plan(), "another version").number == 0
        assert kept.of(plan()).number == 1

    def test_of_one_type_only_its_schema_counts(self, kept: Kept) -> None:
        own = Settings(type_id="countdown")
        kept.of(plan(settings=own)).put(RESULT)
        more = Catalog([bundled(), {"other": {}}])

        assert kept.of(plan(settings=own, catalog=more)).number == 1
        other = Catalog([{"countdown": {"$id": "countdown"}}])
        assert kept.of(plan(settings=own, catalog=other)).number == 0

    def test_a_source_that_changed_loses_its_own_partitions(self, kept: Kept) -> None:
        for number in range(3):
            kept.of(plan()).put(RESULT._replace(number=number))
        changed = plan(sources=(SOURCES[0], SOURCES[1]._replace(stamp="3")))

        there = kept.of(changed)

        assert [number in there for number in range(3)] == [True, False, False]

    def test_a_source_that_comes_first_loses_nothing(self, kept: Kept) -> None:
        kept.of(plan()).put(RESULT._replace(number=0))
        new = Source("0", "0", 5, stamp="0")
        more = plan(sources=(new, *SOURCES), partitions=((Span(0, 0, 5),), (Span(1, 0, 20),)))

        assert kept.of(more).get(1) == RESULT._replace(number=1)

    def test_what_nobody_can_tell_apart_is_not_kept(self, kept: Kept) -> None:
        unknown = plan(sources=(SOURCES[0], SOURCES[1]._replace(stamp="")))

        kept.of(unknown).put(RESULT)

        assert kept.of(unknown).number == 0
        assert not kept.root.exists()

    @pytest.mark.parametrize(("code", "number"), [(3, 0), (4, 1), (5, 0)])
    def test_what_may_pass_is_not_kept(self, kept: Kept, code: int, number: int) -> None:
        """A disk that could not be read can be read when somebody goes on."""
        tally = json.dumps({"problems": [[0, None, "so it is", code]]}).encode()

        kept.of(plan()).put(RESULT._replace(tally=tally))

        assert kept.of(plan()).number == number

    def test_a_run_that_is_over_is_forgotten(self, kept: Kept) -> None:
        checkpoints = kept.of(plan())
        checkpoints.put(RESULT)
        kept.of(plan(), "another").put(RESULT)

        checkpoints.clear()
        checkpoints.clear()

        assert (checkpoints.number, kept.of(plan(), "another").number) == (0, 1)
        assert len(list(kept.root.iterdir())) == 1
        checkpoints.put(RESULT)
        assert checkpoints.number == 1

    def test_old_runs_are_forgotten(self, kept: Kept) -> None:
        kept.of(plan()).put(RESULT)
        now = time.time()

        kept.of(plan(), "another").prune(now + EXPIRY - 3600)
        assert kept.of(plan()).number == 1
        kept.of(plan(), "another").prune(now + EXPIRY + 3600)
        assert kept.of(plan()).number == 0
        assert list(kept.root.iterdir()) == []

    def test_nowhere_to_keep_it(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        nowhere = Kept(tmp_path / "file")
        checkpoints = nowhere.of(plan())

        checkpoints.put(RESULT)
        checkpoints.put(RESULT)
        checkpoints.clear()
        checkpoints.prune()

        [said] = nowhere.said
        assert "cannot write a checkpoint: " in said
        assert "not a directory" in said
        assert checkpoints.number == 0


def _name(kept: Kept, made: Plan, number: int) -> str:
    """The file for a partition."""
    other = Kept(kept.root.parent / "elsewhere").of(made)
    other.put(RESULT._replace(number=number))
    [file] = Path(other.folder).iterdir()
    file.unlink()
    return str(file)


# Real runs that are broken off


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with 2,500 widgets, and a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    here = tmp_path / "here"
    here.mkdir()
    write(here / "a.ndjson", 1_500)
    write(here / "b.ndjson", 1_000)
    monkeypatch.chdir(here)
    return here


def arguments(output: str, *more: str) -> list[str]:
    return [
        "audit",
        "--type=countdown",
        "a.ndjson",
        "b.ndjson",
        "--partition-size=64KiB",
        f"--findings={output}.ndjson",
        f"--invalid-ids={output}.txt",
        "--format=json",
        *more,
    ]


def left(output: str) -> tuple[bytes, bytes, bytes]:
    """Return the results of a run: summary, findings, ids."""
    summary, findings, ids = (
        Path(output + suffix).read_bytes() for suffix in (".json", ".ndjson", ".txt")
    )
    return summary, findings, ids


def audited(output: str, *more: str) -> None:
    """Audit in this process, which is a child of the test's."""
    with open(f"{output}.json", "w", encoding="utf-8") as sys.stdout:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        assert main(arguments(output, *more)) == 1


def checkpoints_below(folder: Path) -> list[Path]:
    return sorted((folder.parent / "cache" / "widgetschema" / "audits").glob("*/*.part"))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_killed_at_any_moment(folder: Path) -> None:
    """`kill -9`, and again while it goes on: the same bytes as without."""
    operations(lambda: audited("whole", "--jobs=1"))  # remembers the digest of the program
    usual = operations(lambda: audited("whole", "--jobs=1"))
    expected = left("whole")
    assert json.loads(expected[0])["invalid"] == 25
    assert len(expected[2].splitlines()) == 25
    assert checkpoints_below(folder) == []
    chance = random.Random(7)
    killed = resumed = 0
    for number in range(KILLS):
        again = partial(audited, "killed", f"--jobs={1 + number % 2}", "--resume")
        for _ in range(1 + number % 2):
            killed += killed_at(chance.randrange(usual // 4, usual // 2), again)
        resumed += bool(checkpoints_below(folder))
        assert not killed_at(-1, again)
        assert left("killed") == expected
        assert checkpoints_below(folder) == []
    if _has_unnamed(folder):
        assert not [one.name for one in folder.iterdir() if one.name.startswith(".")]
    assert killed > KILLS
    assert resumed > KILLS / 2


def _has_unnamed(folder: Path) -> bool:
    """Tell if there are files without a name, of which nothing is left after a kill."""
    try:
        os.close(os.open(folder, os.O_TMPFILE | os.O_RDWR))
    except (AttributeError, OSError):
        return False
    return True


# The command, which gets a signal when the fifth result was added up, by any number of processes.
_INTERRUPTED = """
import signal
import sys

from widgetschema.audit.collector import Collector

sent, add, added = signal.Signals[sys.argv.pop(1)], Collector.add, []

def watched(self, result):
    add(self, result)
    added.append(result.number)
    if len(added) == 5:
        signal.raise_signal(sent)

Collector.add = watched
"""


@pytest.mark.parametrize("sent", ["SIGINT", "SIGTERM"])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_interrupted(folder: Path, sent: str, jobs: str) -> None:
    """The summary so far, and what is written, agree; the rest is done later."""
    command = [sys.executable, "-c", _INTERRUPTED + INTERRUPTIBLE, sent]
    process = subprocess.Popen(
        [*command, *arguments("some", f"--jobs={jobs}")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    out, err = process.communicate(timeout=HANG)
    assert process.returncode == 130, err
    summary = json.loads(out)
    assert summary["complete"] is False
    assert 0 < summary["partitions"]["done"] < summary["partitions"]["all"]
    assert b"stopped after" in err
    assert b"continue with --resume" in err
    assert b"some.ndjson: incomplete" in err
    lines = Path("some.ndjson").read_text().splitlines()
    assert summary["findings"] == len(lines)
    assert len(Path("some.txt").read_text().splitlines()) == summary["invalid"]


def test_an_earlier_run_is_told_of(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without --resume, one begins anew, and says so."""
    operations(lambda: audited("first", "--jobs=1"))  # remembers the digest of the program
    usual = operations(lambda: audited("first", "--jobs=1"))
    assert killed_at(usual * 2 // 3, lambda: audited("first", "--jobs=1"))
    assert checkpoints_below(folder)

    result = run(capsys, *arguments("second"))
    assert "an earlier run stopped at " in result.err
    assert "--resume would continue it" in result.err
    assert result.code == 1

    result = run(capsys, *arguments("third", "--resume"))
    assert "nothing to resume" in result.err
    assert Path("second.ndjson").read_bytes() == Path("third.ndjson").read_bytes()


@pytest.mark.parametrize("at", ["while it checks", "while it writes"])
def test_interrupted_between_two_results(
    at: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever the signal comes, a result is told of whole, or not at all."""
    place: type[Any] = Checkpoints if at == "while it checks" else Collector
    name = "put" if at == "while it checks" else "add"
    original, calls = getattr(place, name), [0]

    def interrupting(self: Any, result: PartitionResult) -> None:
        original(self, result)
        calls[0] += 1
        if calls[0] == 5:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(place, name, interrupting)
    result = run(capsys, *arguments("some", "--jobs=1"), "--html=some.html")
    monkeypatch.setattr(place, name, original)

    assert result.code == 130
    told = json.loads(result.out)
    assert told["complete"] is False
    assert told["partitions"]["done"] == (5 if at == "while it writes" else 4)
    lines = Path("some.ndjson").read_text().splitlines()
    assert told["findings"] == len(lines)
    assert "continue with --resume" in result.err
    assert "some.html: incomplete" in result.err

    other = run(capsys, *arguments("other", "--jobs=1", "--resume"), "--examples=1")
    assert "nothing to resume with these options" in other.err
    again = run(capsys, *arguments("some", "--jobs=1", "--resume"), "--html=some.html")
    assert "resuming after " in again.err
    assert json.loads(again.out)["invalid"] == 25


def _told_to_end() -> None:
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(HANG)


def test_twice_means_at_once() -> None:
    with Interruptions() as interruptions:
        os.kill(os.getpid(), signal.SIGINT)  # nobody listens
        with pytest.raises(Interrupted), interruptions.interruptible():
            raise AssertionError
        with pytest.raises(KeyboardInterrupt):
            _told_to_end()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


# Within a destructor nothing can be raised, and Python would say so with a traceback.
_TWICE = """
import signal
from widgetschema.cli.console.signals import Interruptions

signal.signal(signal.SIGINT, signal.default_int_handler)

class Ending:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)

class Failing:
    def __del__(self):
        raise ValueError("this is told")

with Interruptions():
    signal.raise_signal(signal.SIGINT)
    Ending()
    Failing()
"""


def test_twice_where_nothing_can_be_raised() -> None:
    run = subprocess.run([sys.executable, "-c", _TWICE], capture_output=True, text=True)
    assert run.returncode == 0
    assert "KeyboardInterrupt" not in run.stderr
    assert "ValueError: this is told" in run.stderr


_ONCE = """
import signal
import weakref
from widgetschema.cli.console.signals import Interrupted, Interruptions

signal.signal(signal.SIGINT, signal.default_int_handler)

class Thing:
    pass

thing = Thing()
told = weakref.ref(thing, lambda _: signal.raise_signal(signal.SIGINT))
with Interruptions() as interruptions:
    with interruptions.interruptible():
        del thing
    try:
        with interruptions.interruptible():
            pass
    except Interrupted:
        print("heard")
"""


def test_once_where_nothing_can_be_raised() -> None:
    """A signal while a module is imported is heard next, and no traceback is printed."""
    run = subprocess.run([sys.executable, "-c", _ONCE], capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, "heard\n", "")


def test_what_a_shell_ignores_stays_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with Interruptions():
            os.kill(os.getpid(), signal.SIGINT)
            assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)

"""Runs over many files: the same results in the same order, however many processes, and again."""

from __future__ import annotations

import gc
import gzip
import json
import multiprocessing
import os
import signal
import time
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from tests.command import BAD, GOOD
from tests.effort import calls
from tests.terminal import HANG
from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.store import bundled
from widgetschema.project.checking.checker import Checker
from widgetschema.project.checking.results import DocumentResult, Problem, Result
from widgetschema.project.checking.runner import (
    BYTES_PER_WORKER,
    FileResults,
    Runner,
    check_file,
    jobs_for,
)
from widgetschema.project.inputs.discovery import files_named, find_files
from widgetschema.project.inputs.folders import Search
from widgetschema.project.inputs.model import NO_TYPE, File, Skipped, Text

MOST = 64 * 1024 * 1024
WIDE = GOOD + b" " * 2_000 + b"\n"


@cache
def checker() -> Checker:
    return Checker(Catalog([bundled()]), type_id="countdown")


def results(answers: Sequence[FileResults] | Iterator[FileResults]) -> list[Result]:
    return [result for answer in answers for result in answer.results]


def run(jobs: int, *, whole: bool = False) -> Runner:
    return Runner(checker, max_bytes=MOST, jobs=jobs, whole=whole)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files of every sort: good, bad, broken, packed, many lines, none."""
    for number in range(300):
        (tmp_path / f"{number:03}.json").write_bytes(BAD if number % 7 == 0 else GOOD)
    (tmp_path / "a-broken.json").write_text("{", encoding="utf-8")
    (tmp_path / "b-packed.json.gz").write_bytes(gzip.compress(BAD))
    (tmp_path / "c-damaged.json.gz").write_bytes(gzip.compress(BAD)[:-9])
    (tmp_path / "d-lines.ndjson").write_bytes(b"\n\n".join([GOOD, BAD, b"{", GOOD]) + b"\n")
    (tmp_path / "e-empty.ndjson").write_bytes(b"\n\n")
    (tmp_path / "f-large.ndjson").write_bytes(WIDE * 4_500 + BAD + b"\n")
    (tmp_path / "g-gone.json").symlink_to(tmp_path / "nowhere")
    return tmp_path


def test_several_processes_say_the_same_in_the_same_order(folder: Path) -> None:
    files = find_files([str(folder)])

    alone = list(run(1).results(files))
    together = list(run(3).results(files))

    assert results(alone) == results(together)
    assert [one.file for one in alone if one.is_first] == [
        one.file for one in together if one.is_first
    ]
    names = [os.path.basename(result.file) for result in results(alone)]
    assert names == sorted(names)
    assert sum(isinstance(result, Problem) for result in results(alone)) == 2
    assert (
        sum(not result.findings for result in results(alone) if isinstance(result, DocumentResult))
        > 1000
    )


def test_files_that_name_no_type_are_sifted_out(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"name": 1}')
    (tmp_path / "b.json").write_text('{"type": "countdown", "data": {}}')
    (tmp_path / "c.json").write_text('{"name": 1}')
    found = find_files([str(tmp_path)], Search(only_typed=True))
    named = files_named([str(tmp_path / "c.json")])

    sifted = run(1).sift([*found[:2], *named])

    assert sifted.files == [found[1], *named]
    assert sifted.skipped == [Skipped(str(tmp_path / "a.json"), NO_TYPE)]


def test_with_whole_files_the_results_are_the_same(folder: Path) -> None:
    files = find_files([str(folder)])

    in_parts = list(run(1).results(files))
    whole = list(run(1, whole=True).results(files))

    assert results(in_parts) == results(whole)
    assert sum(answer.is_complete for answer in whole) > 300
    assert len(in_parts) > len(whole)
    assert [one.file for one in whole if one.is_first] == [
        one.file for one in in_parts if one.is_first
    ]


def test_a_file_that_is_left_is_not_read_on(folder: Path) -> None:
    files = find_files([str(folder / "d-lines.ndjson"), str(folder / "000.json")])
    runner = run(1)
    found: list[str] = []
    for part in runner.results(files):
        found.append(part.file)
        runner.leave(part.file)
    assert found == [str(folder / name) for name in ("d-lines.ndjson", "000.json")]


def test_little_work_starts_no_process(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(BAD)

    here = Runner(_Here, max_bytes=MOST, jobs=4)

    assert len(results(here.results(find_files([str(tmp_path)])))) == 1


class _Here(Checker):
    """Cannot be sent to another process."""

    def __init__(self) -> None:
        super().__init__(Catalog([bundled()]), type_id="countdown")

    def __reduce__(self) -> str:
        raise AssertionError


def test_a_process_that_is_killed_costs_no_result(folder: Path) -> None:
    files = find_files([str(folder)])
    said: list[str] = []
    killed = Runner(
        lambda: _Killed(os.getpid()),
        max_bytes=MOST,
        jobs=2,
        warn=said.append,
    )

    assert results(killed.results(files)) == results(run(1).results(files))
    assert said == ["a worker process died (exit code 9); its work is repeated"] * 5


class _Killed(Checker):
    """Kills the process that it is in, unless that is the one of the test."""

    def __init__(self, own: int) -> None:
        super().__init__(Catalog([bundled()]), type_id="countdown")
        self.own = own

    def check(self, text: Text) -> list[Result]:
        """The results, or the end."""
        if os.getpid() != self.own:
            os._exit(9)
        return super().check(text)


def test_a_run_that_is_broken_off_ends_its_processes(folder: Path) -> None:
    before = {one.pid for one in multiprocessing.active_children()}
    answers = run(2).results(find_files([str(folder)]))

    first = next(answers)
    answers.close()

    assert first.file.endswith("000.json")
    assert {one.pid for one in multiprocessing.active_children()} == before


@pytest.fixture
def uncollected() -> Iterator[None]:
    """No search for garbage: an interruption is lost in a callback of it, and Hypothesis has one."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.usefixtures("uncollected")
def test_what_was_found_is_there_when_a_process_is_held(folder: Path) -> None:
    files = find_files([str(folder)])
    held = Runner(lambda: _Held(os.getpid(), folder), max_bytes=MOST, jobs=2)

    expected = results(run(1).results(files))[:150]
    taken: list[FileResults] = []
    with pytest.raises(KeyboardInterrupt):
        taken.extend(held.results(files))
    left = results(held.drain())

    # How far the results were read before the signal came is up to the system.
    found = [*results(taken), *left]
    assert found[: len(expected)] == expected
    files_left = [os.path.basename(result.file) for result in left]
    assert files_left == sorted(files_left)
    assert {"299.json", "f-large.ndjson"} <= {*files_left}
    lines = [
        result.line or 0 for result in left if isinstance(result, DocumentResult) and result.line
    ]
    assert lines == sorted({*lines})
    assert len(lines) > 500


class _Held(Checker):
    """In other processes: held at one file, until a file is far enough that others have."""

    def __init__(self, own: int, folder: Path) -> None:
        super().__init__(Catalog([bundled()]), type_id="countdown")
        self.own = own
        self.far = folder / "far"
        self.checked = 0

    def check(self, text: Text) -> list[Result]:
        """The results; or SIGINT for the process of the test, and none."""
        if text.file.endswith("150.json") and os.getpid() != self.own:
            end = time.monotonic() + HANG
            while not self.far.exists() and time.monotonic() < end:
                time.sleep(0.01)
            os.kill(self.own, signal.SIGINT)
            time.sleep(HANG)  # it is ended before
        self.checked += 1
        if self.checked == 1_200:  # the third portion of this process: what is before was taken
            self.far.touch()
        return super().check(text)


@pytest.mark.parametrize(
    ("sizes", "wanted", "cores", "jobs"),
    [
        ([], 0, 8, 1),
        ([100], 0, 8, 1),
        ([BYTES_PER_WORKER] * 3, 0, 8, 3),
        ([BYTES_PER_WORKER * 100], 0, 4, 4),
        ([100], 3, 1, 3),
        ([0] * 20_000, 0, 8, 2),
    ],
)
def test_as_many_processes_as_there_is_work_for(
    tmp_path: Path, sizes: list[int], wanted: int, cores: int, jobs: int
) -> None:
    status = os.stat(tmp_path)
    files = [File("x", _of_size(status, size)) for size in sizes]

    assert jobs_for([*files, Problem("y", "odd", 3)], wanted, cores) == jobs


def _of_size(status: os.stat_result, size: int) -> os.stat_result:
    return os.stat_result((*status[:6], size, *status[7:10]))


def test_a_file_is_checked_once_whatever_it_is_called(tmp_path: Path) -> None:
    one = tmp_path / "one.json"
    one.write_bytes(GOOD)
    (tmp_path / "link.json").symlink_to(one)
    os.link(one, tmp_path / "other-name.json")
    (tmp_path / "sub").mkdir()
    names = [one, tmp_path / "sub" / ".." / "one.json", tmp_path / "link.json"]

    files = files_named([*map(str, names), str(tmp_path / "other-name.json"), "-", "missing.json"])

    found = [file.name for file in files if isinstance(file, File)]
    assert found == [str(one), str(tmp_path / "other-name.json"), "-", "missing.json"]


def test_the_names_of_one_file_take_no_more_time_than_files(tmp_path: Path) -> None:
    """Copies by hard links have one file with many names, and so have stores of packages."""
    names = [str(tmp_path / f"{number}.json") for number in range(400)]
    Path(names[0]).write_bytes(GOOD)
    for name in names[1:]:
        os.link(names[0], name)

    half = calls(lambda: files_named(names[:200]))
    assert len(files_named([*names, *names])) == 400
    assert calls(lambda: files_named(names)) < 3 * half


def test_a_small_file_is_one_answer_and_a_large_one_is_answered_line_by_line(
    tmp_path: Path,
) -> None:
    for name, number in (("small", 10), ("large", 5_000)):
        (tmp_path / f"{name}.ndjson").write_bytes((GOOD + b"\n") * number)
    files = files_named([str(tmp_path / "small.ndjson"), str(tmp_path / "large.ndjson")])

    [small], large = (list(run(1).results([file])) for file in files)

    assert small.is_complete
    assert len(small.results) == 10
    assert len(large) == len(results(large)) == 5_000
    assert not any(answer.is_complete for answer in large)


def test_a_file_that_grows_while_it_is_read_is_read_to_its_end(tmp_path: Path) -> None:
    small = tmp_path / "x.ndjson"
    small.write_bytes(GOOD + b"\n")
    [file] = files_named([str(small)])
    assert isinstance(file, File)
    small.write_bytes(WIDE * 4_500)

    answers = list(check_file(checker, file, MOST, whole=len(GOOD) + 1))

    assert len(results(answers)) == 4_500
    assert [answer.is_first for answer in answers[:2]] == [True, False]


def test_a_large_document_is_one_answer(tmp_path: Path) -> None:
    data = {"content": {}, "settings": {}, "styles": {"cardsBg": ["#ffffff"] * 900_000}}
    file = tmp_path / "x.json"
    file.write_text(json.dumps(data), encoding="utf-8")

    [answer] = run(2).results(files_named([str(file)]))

    assert answer.is_first
    assert len(answer.results) == 1

"""Partitions by several processes: the same results, in the same order, whatever dies."""

from __future__ import annotations

import gzip
import multiprocessing
import os
import signal
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.many_widgets import plan_of, write
from widgetschema.audit.checkpoints import Checkpoints
from widgetschema.audit.collector import Collector
from widgetschema.audit.partition_result import PartitionResult
from widgetschema.audit.plan import Plan
from widgetschema.audit.runners.local import portions, run_local
from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.store import bundled
from widgetschema.catalog.widget_type import WidgetType

pytestmark = [
    # The suite runs in several processes, each with a thread that does nothing but wait.
    pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning"),
    pytest.mark.skipif(os.name != "posix", reason="processes that are killed"),
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "widgets.ndjson"
    write(path, 1_500)
    return path


@pytest.fixture
def plan(file: Path) -> Plan:
    found = plan_of(file)
    assert len(found.partitions) > 15
    return found


@pytest.fixture
def expected(plan: Plan) -> list[PartitionResult]:
    return list(run_local(plan))


@pytest.mark.parametrize("jobs", [2, 3, 100])
def test_the_same_results_in_the_same_order(
    plan: Plan, expected: list[PartitionResult], jobs: int
) -> None:
    assert [one.number for one in expected] == list(range(len(plan.partitions)))
    assert sum(bool(one.findings) for one in expected) > 5
    assert list(run_local(plan, jobs)) == expected


def test_nothing_to_do(plan: Plan) -> None:
    assert list(run_local(plan._replace(partitions=()), 2)) == []


class Deadly(Catalog):
    """Kills the process that uses it, unless that is the test's, so many times in all."""

    def __init__(self, folder: Path, times: int) -> None:
        super().__init__([bundled()])
        self.folder = folder
        self.times = times
        self.own = os.getpid()

    def __getitem__(self, id: str) -> WidgetType:
        if os.getpid() != self.own:
            for number in range(self.times):
                try:
                    (self.folder / f"death-{number}").touch(exist_ok=False)
                except FileExistsError:
                    continue
                os._exit(9)
        return super().__getitem__(id)


@pytest.mark.parametrize(
    ("times", "deaths"), [(1, 1), (3, 3), (100, 4)], ids=["once", "thrice", "always"]
)
def test_a_process_that_is_killed_costs_no_result(
    plan: Plan, expected: list[PartitionResult], tmp_path: Path, times: int, deaths: int
) -> None:
    deadly = plan._replace(catalog=Deadly(tmp_path, times))

    said: list[str] = []

    assert list(run_local(deadly, 2, warn=said.append)) == expected

    met = len(list(tmp_path.glob("death-*")))
    assert said == ["a worker process died (exit code 9); its work is repeated"] * met
    assert deaths <= met <= 2 * deaths  # both may die before anybody notices


class Held(Catalog):
    """Holds any process that uses it, but the test's, until it is killed."""

    def __init__(self, folder: Path) -> None:
        super().__init__([bundled()])
        self.folder = folder
        self.own = os.getpid()

    def __getitem__(self, id: str) -> WidgetType:
        if os.getpid() != self.own:
            (self.folder / f"at-it-{os.getpid()}").touch()
            while True:
                signal.pause()
        return super().__getitem__(id)


def test_a_run_that_is_broken_off_ends_its_processes_at_once(plan: Plan, tmp_path: Path) -> None:
    before = {one.pid for one in multiprocessing.active_children()}

    class Impatient(Checkpoints):
        """Interrupts the run when both processes are at work."""

        def get(self, number: int) -> PartitionResult | None:
            while number == 7 and len(list(tmp_path.glob("at-it-*"))) < 2:
                time.sleep(0.01)
            if number == 7:
                raise KeyboardInterrupt
            return None

    held = plan._replace(catalog=Held(tmp_path))
    impatient = Impatient(plan, str(tmp_path / "kept"), (), print)
    with pytest.raises(KeyboardInterrupt):
        list(run_local(held, 2, checkpoints=impatient))

    assert {one.pid for one in multiprocessing.active_children()} == before
    for one in tmp_path.glob("at-it-*"):
        with pytest.raises(ProcessLookupError):
            os.kill(int(one.name.rpartition("-")[2]), 0)


@pytest.mark.parametrize("jobs", [1, 2])
def test_how_far_it_is(plan: Plan, file: Path, jobs: int) -> None:
    told: dict[int, list[tuple[int, int]]] = {}

    def progress(number: int, size: int, records: int) -> None:
        told.setdefault(number, []).append((size, records))

    list(run_local(plan, jobs, progress=progress))

    assert told.keys() <= set(range(len(plan.partitions)))
    assert all(steps == sorted(steps) for steps in told.values())
    size = sum(steps[-1][0] for steps in told.values())
    assert size <= file.stat().st_size * 1.5
    if jobs == 1:
        assert size >= file.stat().st_size * 0.9
        assert sum(steps[-1][1] for steps in told.values()) == 1_500


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_kept_is_not_done_again(
    plan: Plan, expected: list[PartitionResult], tmp_path: Path, jobs: int
) -> None:
    kept = Checkpoints(plan, str(tmp_path / "kept"), (), print)
    results = run_local(plan, jobs, checkpoints=kept)
    for _ in range(8):
        next(results)
    results.close()
    there = kept.number
    assert 8 <= there < len(plan.partitions)
    lie = expected[2]._replace(findings=b"told by the checkpoint")
    kept.put(lie)

    again = list(run_local(plan, jobs, checkpoints=kept))

    assert again == [*expected[:2], lie, *expected[3:]]
    assert kept.number == len(plan.partitions)


# A compressed file is read by one process, and checked by others


def summary_of(plan: Plan, results: Iterable[PartitionResult]) -> tuple[object, ...]:
    collector = Collector(plan)
    lines: list[str] = []
    for one in results:
        collector.add(one)
        for get in (collector.finding_lines, collector.id_lines, collector.quarantine_lines):
            lines += get(one)
    return collector.summary(), "".join(lines)


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packed")
    write(folder / "widgets.ndjson", 6_000)
    content = (folder / "widgets.ndjson").read_bytes()
    path = folder / "widgets.ndjson.gz"
    # Two members, as `cat one.gz other.gz` makes them.
    path.write_bytes(gzip.compress(content[:100_000]) + gzip.compress(content[100_000:]))
    return path


def plan_of_packed(path: Path) -> Plan:
    plan = plan_of(path)
    settings = plan.settings._replace(findings=True, ids=True, quarantine=True)
    [source] = plan.sources
    return plan._replace(settings=settings, sources=(source._replace(size=10**9),))


@pytest.mark.parametrize("kept_bytes", [None, 400_000], ids=["whole", "cut short"])
def test_one_process_reads_and_others_check(
    packed: Path, tmp_path: Path, kept_bytes: int | None
) -> None:
    path = tmp_path / "widgets.ndjson.gz"
    path.write_bytes(packed.read_bytes()[:kept_bytes])
    plan = plan_of_packed(path)
    assert len([*portions(plan, 0)]) > (2 if kept_bytes is None else 1)
    told: list[tuple[int, int, int]] = []
    kept = Checkpoints(plan, str(tmp_path / "kept"), (), print)

    results = [*run_local(plan, 2, progress=lambda *one: told.append(one), checkpoints=kept)]

    expected = summary_of(plan, run_local(plan))
    assert summary_of(plan, results) == expected
    assert told == sorted(told)
    assert told
    assert kept.number == (kept_bytes is None)
    assert summary_of(plan, run_local(plan, 2, checkpoints=kept)) == expected


def test_portions_are_killed_and_done_again(packed: Path, tmp_path: Path) -> None:
    plan = plan_of_packed(packed)
    deadly = plan._replace(catalog=Deadly(tmp_path, 100))
    said: list[str] = []
    results = [*run_local(deadly, 2, warn=said.append)]
    assert said
    assert summary_of(plan, results) == summary_of(plan, run_local(plan))

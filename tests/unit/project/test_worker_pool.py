"""The scheduler of worker processes: results in order, bounded memory, nothing lost."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from tests.command import environment
from tests.terminal import HANG
from widgetschema.project.worker_pool import Job, Scheduler

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning"),
    pytest.mark.skipif(os.name != "posix", reason="processes that are killed"),
]

Work = Callable[[int], Iterable[int]]


def squares(report: Callable[[object], None]) -> Work:
    def work(number: int) -> Iterator[int]:
        report(number)
        yield number
        yield number * number

    return work


def local(number: int) -> Iterator[int]:
    """Say by the sign that this process did it."""
    yield -number
    yield -number * number


def scheduler(
    begin: Callable[..., Work] = squares, *arguments: object, ahead: int = 6
) -> Scheduler:
    return Scheduler(2, begin, *arguments, local=local, ahead=ahead)


def test_results_come_in_the_order_of_the_jobs() -> None:
    jobs = [Job(2), Job(results=(7, 8, 9)), Job(3), Job(4, is_local=True), Job(5)]

    found = list(scheduler().results(jobs))

    assert found == [2, 4, 7, 8, 9, 3, 9, -4, -16, 5, 25]


def test_no_more_jobs_are_in_flight_than_allowed() -> None:
    taken: list[int] = []

    def jobs() -> Iterator[Job]:
        for number in range(50):
            taken.append(number)
            yield Job(number)

    results = scheduler(ahead=4).results(jobs())
    for number in range(20):
        assert (next(results), next(results)) == (number, number * number)
        assert len(taken) <= number + 5
    results.close()


def test_results_and_progress_are_reported_as_they_come() -> None:
    results: list[tuple[int, int]] = []
    progress: list[tuple[int, object]] = []
    one = Scheduler(
        2,
        squares,
        local=local,
        ahead=9,
        on_result=lambda what, result: results.append((what, result)),
        on_progress=lambda what, value: progress.append((what, value)),
    )

    list(one.results([Job(2), Job(3), Job(4, is_local=True)]))

    assert sorted(results) == [(2, 2), (2, 4), (3, 3), (3, 9), (4, -16), (4, -4)]
    assert sorted(progress) == [(2, 2), (3, 3)]


def dying(_: object, own: int, folder: str) -> Work:
    def work(number: int) -> Iterator[int]:
        yield number
        death = Path(folder, f"{number}")
        if number == 3 and not death.exists():
            death.touch()
            time.sleep(0.2)  # the first result is on its way
            os._exit(9)
        yield number * number

    return work


def test_another_worker_goes_on_after_the_results_of_one_that_died(tmp_path: Path) -> None:
    said: list[str] = []
    one = Scheduler(2, dying, os.getpid(), str(tmp_path), local=local, ahead=6, warn=said.append)

    found = list(one.results(map(Job, range(8))))

    assert found == [result for number in range(8) for result in (number, number * number)]
    assert said == ["a worker process died (exit code 9); its work is repeated"]


def failing(_: object) -> Work:
    def work(number: int) -> Iterator[int]:
        yield number
        if number == 3:
            raise ValueError(number)
        yield number * number

    return work


def test_what_raises_in_a_worker_is_left_to_this_process() -> None:
    said: list[str] = []
    one = Scheduler(2, failing, local=local, ahead=6, warn=said.append)

    found = list(one.results(map(Job, range(5))))

    assert found == [0, 0, 1, 1, 2, 4, 3, -9, 4, 16]  # of job 3, the first result was there
    assert said == []


def test_what_came_and_was_not_taken_is_there_at_the_end() -> None:
    one = scheduler()
    results = one.results(map(Job, range(20, 26)))

    assert next(results) == 20
    results.close()

    every = [result for number in range(20, 26) for result in (number, number * number)][1:]
    left = list(one.unread())
    assert left == [result for result in every if result in left]
    assert list(one.unread()) == []


@pytest.mark.parametrize("sent", ["SIGTERM", "SIGKILL"])
def test_processes_end_with_the_one_that_is_killed(tmp_path: Path, sent: str) -> None:
    code = (
        "import os, signal\n"
        "from widgetschema.project.worker_pool import Job, Scheduler\n"
        "def begin(report): return lambda task: [task]\n"
        "scheduler = Scheduler(3, begin, local=begin(None), ahead=1)\n"
        "results = scheduler.results([Job('x'), Job('y')])\n"
        "assert next(results) == 'x'\n"
        f"os.kill(os.getpid(), signal.{sent})\n"
    )
    read, write = os.pipe()  # open as long as somebody who was started has it
    process = subprocess.Popen([sys.executable, "-c", code], pass_fds=[write], env=environment())
    os.close(write)

    assert process.wait(HANG) == -getattr(signal, sent)
    assert select.select([read], [], [], HANG)[0], "somebody is still there"
    os.close(read)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc says who waits")
def test_processes_end_with_one_that_is_killed_while_it_sends_a_task() -> None:
    """The task is longer than what the system keeps of it, and the other process is stopped."""
    code = (
        "import multiprocessing, os, signal\n"
        "from widgetschema.project.worker_pool import Job, Scheduler\n"
        "def begin(report): return lambda task: [len(task)]\n"
        "def jobs():\n"
        "    yield Job(b'')\n"
        "    [other] = multiprocessing.active_children()\n"
        "    os.kill(other.pid, signal.SIGSTOP)\n"
        "    print(other.pid, flush=True)\n"
        "    yield Job(bytes(50_000_000))\n"
        "list(Scheduler(1, begin, local=begin(None), ahead=1).results(jobs()))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], env=environment(), stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        other = int(process.stdout.readline())
        try:
            while ") S " not in Path(f"/proc/{process.pid}/stat").read_text():
                time.sleep(0.01)  # it sleeps when nobody takes more of the task
            process.kill()
            os.kill(other, signal.SIGCONT)
            # The end of the output: nobody has it any more.
            assert select.select([process.stdout], [], [], HANG)[0], "somebody is still there"
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.kill(other, signal.SIGKILL)

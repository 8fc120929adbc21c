"""The order of tests among processes: nothing is lost, long files are whole, short tests come last."""

from __future__ import annotations

import pytest

from tests.dealing import dealt

LONG = [f"long{file}/{number}" for file in range(5) for number in range(3)]
SHORT = [f"short/{number}" for number in range(86)]


def long_file(test: str) -> str | None:
    folder = test.partition("/")[0]
    return None if folder == "short" else folder


@pytest.mark.parametrize("workers", [1, 2, 3, 4, 7])
def test_each_part_begins_with_whole_files_and_ends_with_short_tests(workers: int) -> None:
    ordered = dealt([*SHORT[:50], *LONG, *SHORT[50:]], workers, long_file)
    assert sorted(ordered) == sorted([*LONG, *SHORT])
    assert [test for test in ordered if test in SHORT] == SHORT
    size = len(ordered) // workers
    for worker in range(workers):
        part = ordered[worker * size : (worker + 1) * size]
        long = [
            test for file in range(worker, 5, workers) for test in LONG[file * 3 : file * 3 + 3]
        ]
        assert part[: len(long)] == long
        assert {long_file(test) for test in part[len(long) :]} == {None}


@pytest.mark.parametrize("tests", [[], LONG, SHORT, LONG[:1]])
def test_of_any_tests_none_is_lost(tests: list[str]) -> None:
    for workers in (1, 2, 5, 200):
        assert sorted(dealt(tests, workers, long_file)) == sorted(tests)

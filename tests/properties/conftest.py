"""Set-up of tests over many inputs."""

import pathlib
from typing import Final

import pytest

_COVERED: Final = "test_strategies.py"  # nothing else takes all lines of samples/strategies.py


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run these without coverage: they take the same lines again and again, as tests/unit does."""
    for item in items:
        if item.path.is_relative_to(pathlib.Path(__file__).parent) and item.path.name != _COVERED:
            item.add_marker(pytest.mark.no_cover)

"""What holds for tests over many inputs."""

import pathlib

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run these without coverage: they take the same lines again and again, and tests/unit all of them."""
    for item in items:
        if item.path.is_relative_to(pathlib.Path(__file__).parent):
            item.add_marker(pytest.mark.no_cover)

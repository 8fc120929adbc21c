"""The editor of a file, served over HTTP, and a tab of a browser with it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.editing import WIDGET, Page, editor_of, tab
from widgetschema.editor import serving


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A copy of a widget document, to be edited."""
    path = tmp_path / WIDGET.name
    shutil.copy(WIDGET, path)
    return path


@pytest.fixture
def address(file: Path) -> Iterator[str]:
    """The address of the editor of the file."""
    with serving(editor_of(file)) as address:
        yield address


@pytest.fixture
def page(address: str) -> Iterator[Page]:
    """The tab, whose address was opened."""
    with tab(address) as page:
        yield page

"""The fixture for pytest that runs a sandbox. pytest imports this file in every run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from widgetschema.errors import MissingExtra
from widgetschema.pytest import seed_of

if TYPE_CHECKING:
    from widgetschema.sandbox import Sandbox


@pytest.fixture
def widgetschema_sandbox(pytestconfig: pytest.Config) -> Iterator[Sandbox]:
    """Run a local stand-in of the platform that answers over TCP: a new one for each test.

    Its widgets, codes and tokens derive from `--widgetschema-seed`. For other schemas or options
    make a fixture of your own, around `widgetschema.sandbox.running(...)`.
    """
    from widgetschema.sandbox import running  # not before a test asks

    with ExitStack() as stack:
        try:
            sandbox = stack.enter_context(running(seed=seed_of(pytestconfig)))
        except MissingExtra as error:
            pytest.fail(str(error), pytrace=False)
        yield sandbox

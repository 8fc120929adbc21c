"""Prepare Django and its databases; without `DJANGO_SETTINGS_MODULE`, no test is collected."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

if "DJANGO_SETTINGS_MODULE" in os.environ:
    import django
    from django.db import connections, transaction
    from django.test.utils import (
        setup_databases,
        setup_test_environment,
        teardown_databases,
        teardown_test_environment,
    )

    django.setup()
    collect_ignore_glob: list[str] = []
else:
    collect_ignore_glob = ["*"]


@pytest.fixture(scope="session")
def databases() -> Iterator[None]:
    """Databases with the tables of all apps."""
    setup_test_environment()
    config = setup_databases(verbosity=0, interactive=False)
    yield
    teardown_databases(config, verbosity=0)
    teardown_test_environment()


@pytest.fixture
def db(databases: None) -> Iterator[None]:
    """Databases that are as before after the test."""
    with ExitStack() as stack:
        for alias in connections:
            stack.enter_context(transaction.atomic(using=alias))
        yield
        for alias in connections:
            transaction.set_rollback(True, using=alias)

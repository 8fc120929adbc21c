"""Each test has a database of its own: whatever runs beside it, and in whatever order."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import psycopg
import pytest


@pytest.fixture(autouse=True)
def own_database(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    name = f"test_{uuid4().hex}"
    with psycopg.connect(dbname="postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        monkeypatch.setenv("PGDATABASE", name)  # libpq finds the server by its variables
        yield
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")

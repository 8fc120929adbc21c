"""Audits of tables that were killed, and go on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration.test_cli_audit_tables import assert_resumed
from tests.integration.test_cli_audit_tables import here as here
from tests.integration.test_cli_audit_tables import many as many
from tests.tables import Records, write_sqlite, write_table


@pytest.mark.parametrize("name", ["text.parquet", "large.arrow", "w.db"])
def test_killed_and_resumed(many: Records, capsys: pytest.CaptureFixture[str], name: str) -> None:
    if name == "w.db":
        write_sqlite(Path(name), many)
    else:
        write_table(name, many)

    assert_resumed(capsys, name)

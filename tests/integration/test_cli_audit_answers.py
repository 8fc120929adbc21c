"""`widgetschema audit`: the questions beyond the counts, and that sums stay what they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.command import BAD, GOOD, run

Json = Any


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


class TestMaxInvalid:
    @pytest.mark.parametrize(
        ("limit", "code", "verdict"),
        [
            ("2", 0, "within"),
            ("20%", 0, "within"),
            ("1", 1, "over"),
            ("19.9%", 1, "over"),
            ("0", 1, "over"),
        ],
    )
    def test_the_gate_decides_the_exit_code(
        self, limit: str, code: int, verdict: str, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (here / "w.ndjson").write_bytes((GOOD + b"\n") * 8 + (BAD + b"\n") * 2)

        result = run(capsys, "audit", "--type=countdown", "w.ndjson", "--max-invalid", limit)

        assert result.code == code
        told = f"--max-invalid {limit}: 2 of 10 records invalid (20 %), {verdict} the limit\n"
        assert told in result.err

    def test_what_could_not_be_checked_still_fails(
        self, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (here / "w.ndjson").write_bytes(BAD + b"\n{\n")

        result = run(capsys, "audit", "--type=countdown", "w.ndjson", "--max-invalid=100%")

        assert result.code == 3

    @pytest.mark.parametrize("limit", ["few", "101%", "0.5", "-1"])
    def test_a_limit_is_a_number_or_a_share(
        self, limit: str, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (here / "w.ndjson").write_bytes(GOOD)

        result = run(capsys, "audit", "w.ndjson", f"--max-invalid={limit}")

        assert result.code == 2
        assert "neither a number of records such as 10 nor a share" in " ".join(result.err.split())

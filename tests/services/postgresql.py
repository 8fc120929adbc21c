"""A PostgreSQL in a temporary folder: from Debian's package, without a port, gone afterwards."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.terminal import HANG

# The data is not worth keeping: nothing waits for a disk.
_OPTIONS: Final = (
    "-c listen_addresses= -c fsync=off -c synchronous_commit=off -c full_page_writes=off "
    "-c max_connections=100"
)
_PATIENCE: Final = "600"  # seconds after which it is taken to hang


def _programs() -> Path | None:
    """Return the folder of the programs, if any: Debian keeps them out of PATH, by version."""
    folders = [*Path("/usr/lib/postgresql").glob("*/bin")]
    if folders:
        return max(folders, key=lambda folder: int(folder.parent.name))
    path = shutil.which("initdb")
    return None if path is None else Path(path).parent


def installed() -> bool:
    """Return whether the programs of PostgreSQL are on this machine."""
    return _programs() is not None


@contextmanager
def running() -> Iterator[dict[str, str]]:
    """Start a server, which refuses to run as root, as the user `postgres`, else as this user.

    Yields the environment variables by which libpq, and so psycopg, find it.
    """
    # TMPDIR may be too long for a socket, or out of reach for the other user.
    folder = Path(tempfile.mkdtemp(prefix="widgetschema-postgresql-", dir="/tmp"))
    user = None
    if os.geteuid() == 0:
        user = "postgres"
        shutil.chown(folder, user)

    def run(program: str, *arguments: str) -> None:
        command: Sequence[str] = [
            f"{_programs()}/{program}",
            "-D",
            str(folder / "data"),
            *arguments,
        ]
        with open(folder / "output", "a", encoding="utf-8") as output:
            status = subprocess.run(  # the server keeps the file, so it is no pipe
                command,
                user=user,
                cwd=folder,
                stdout=output,
                stderr=output,
                check=False,
                timeout=HANG,
            ).returncode
        if status:
            text = (folder / "output").read_text(encoding="utf-8")
            raise RuntimeError(f"{program} fails with status {status}:\n{text}")

    try:
        run("initdb", "--no-sync", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-locale")
        run("pg_ctl", "-t", _PATIENCE, "-w", "-o", f"-k {folder} {_OPTIONS}", "start")
        try:
            yield {"PGHOST": str(folder), "PGUSER": "postgres", "PGDATABASE": "postgres"}
        finally:
            run("pg_ctl", "-t", _PATIENCE, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)

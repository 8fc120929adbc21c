"""Files that other projects publish in their source packages, taken from there when a test needs them.

A package is downloaded into `build/distributions`, which no repository holds, once for all processes.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from functools import cache
from pathlib import Path

import pytest
from filelock import FileLock

from tests.checkout import ROOT
from tests.command import environment

BUILD = ROOT / "build" / "distributions"


def source_package(name: str, version: str) -> Path:
    """Return the folder of an unpacked source package from the package index."""
    folder, error = _downloaded(name, version)
    if error:
        pytest.fail(f"the source package of {name} {version} cannot be downloaded: {error}")
    [unpacked] = (path for path in folder.iterdir() if path.is_dir())
    return unpacked


@cache  # errors, too: each example of a property would download again
def _downloaded(name: str, version: str) -> tuple[Path, str]:
    """Return the folder that the package was downloaded into, and why it was not."""
    folder = BUILD / f"{name}-{version}"
    BUILD.mkdir(parents=True, exist_ok=True)
    with FileLock(BUILD / "lock"):
        if not (folder / "done").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            # Not from source is what builds it: those packages would be built, too.
            options = f"--quiet --disable-pip-version-check --no-deps --no-binary {name}".split()
            try:
                process = subprocess.run(
                    [sys.executable, "-m", "pip", "download", *options, f"{name}=={version}"],
                    cwd=folder,
                    env=environment(),
                    capture_output=True,
                    encoding="utf-8",
                    check=False,
                    timeout=300,
                )
            except subprocess.TimeoutExpired as error:
                return folder, str(error)
            if process.returncode:
                return folder, process.stderr.strip() or f"exit code {process.returncode}"
            [archive] = folder.glob("*.tar.gz")
            unpack(archive, folder)
            archive.unlink()
            (folder / "done").touch()
    return folder, ""


def unpack(archive: Path, folder: Path) -> None:
    """Unpack a source package into a folder."""
    with tarfile.open(archive) as tar:
        if hasattr(tarfile, "data_filter"):
            tar.extractall(folder, filter="data")
        else:  # before Python 3.11.4
            tar.extractall(folder)  # of a package that is installed, too

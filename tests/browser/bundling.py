"""The libraries from npm, in the versions of `package-lock.json`, bundled for a page.

They are installed into `build/browser`, which no repository holds, once for all processes.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

from filelock import FileLock

HERE = Path(__file__).resolve().parent
COMPONENTS = HERE.parent.parent / "widgetschema" / "forms" / "exports" / "components"
BUILD = HERE.parent.parent / "build" / "browser"


def _digest(*paths: Path) -> str:
    whole = hashlib.sha256()
    for path in paths:
        whole.update(path.read_bytes())
    return whole.hexdigest()[:16]


@cache
def packages() -> Path:
    """The folder `node_modules` with all packages in it."""
    folder = BUILD / _digest(HERE / "package.json", HERE / "package-lock.json")
    BUILD.mkdir(parents=True, exist_ok=True)
    with FileLock(BUILD / "lock"):
        if not (folder / "done").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            for name in ("package.json", "package-lock.json"):
                shutil.copy(HERE / name, folder)
            options = "--no-audit --no-fund --ignore-scripts --loglevel=error"
            home = os.path.expanduser("~")
            cache = {} if os.access(home, os.W_OK) else {"npm_config_cache": str(folder / "cache")}
            _run(["npm", "ci", *options.split()], folder, **cache)
            (folder / "done").touch()
    return folder / "node_modules"


@cache
def bundle(name: str) -> Path:
    """A script for a page: `name` is a file of this folder."""
    modules = packages()
    sources = sorted([*HERE.glob("*.js*"), *COMPONENTS.rglob("*.jsx")])
    script = modules.parent / f"{_digest(*sources)}-{Path(name).stem}.js"
    with FileLock(BUILD / "lock"):
        if not script.exists():
            command = [
                str(modules / ".bin" / "esbuild"),
                str(HERE / name),
                "--bundle",
                f"--outfile={script}",
                '--define:process.env.NODE_ENV="development"',  # so that React warns
                "--jsx=automatic",
                "--log-level=warning",
            ]
            _run(command, HERE, NODE_PATH=str(modules))
    return script


def _run(command: list[str], folder: Path, **environment: str) -> None:
    process = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )
    assert process.returncode == 0, f"{command}\n{process.stdout}\n{process.stderr}"

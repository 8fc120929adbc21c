"""Validators from npm, in the versions of `package.json`, as commands that check a file of lines.

They are installed into `build/peers`, which no repository holds.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Literal

from tests.benchmarks.timing import Seconds

HERE = Path(__file__).resolve().parent
BUILD = HERE.parents[2] / "build" / "peers"
MISSING = "node and npm are missing; install Node.js, npm does the rest"
NAMES = ("ajv", "ajv-formats", "@sourcemeta/jsonschema")


def installed() -> Path | None:
    """The folder `node_modules` with the packages in it; None without `node` and `npm`."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        print(f"ajv and the C++ command are left out: {MISSING}", file=sys.stderr)
        return None
    text = (HERE / "package.json").read_bytes()
    folder = BUILD / hashlib.sha256(text).hexdigest()[:16]
    if not (folder / "done").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "package.json").write_bytes(text)
        options = "--no-package-lock --no-audit --no-fund --ignore-scripts --loglevel=error"
        command = [npm, "install", *options.split()]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        (folder / "done").touch()
    return folder / "node_modules"


def versions() -> str:
    """Node and the packages, with their versions."""
    node = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True)
    wanted = json.loads((HERE / "package.json").read_bytes())["dependencies"]
    return ", ".join([f"node {node.stdout.strip()}", *(f"{name} {wanted[name]}" for name in NAMES)])


class Peers:
    """The peers, about a file of lines and the number of its records."""

    def __init__(self, modules: Path, schema: Path) -> None:
        self.modules = modules
        self.schema = schema

    def ajv(self, file: Path, way: Literal["whole", "chunks"]) -> list[str]:
        """The command that checks with ajv."""
        return ["node", str(HERE / "ajv.cjs"), str(self.modules), str(self.schema), str(file), way]

    def ajv_work(self, file: Path, way: Literal["whole", "chunks"], records: int) -> Seconds:
        """The seconds that ajv says it worked, its start and its compiling left out."""
        ran = subprocess.run(self.ajv(file, way), capture_output=True, text=True, check=True)
        said: dict[str, Any] = json.loads(ran.stdout)
        assert (said["records"], said["invalid"]) == (records, 0), said
        return Seconds(said["milliseconds"] / 1e3)

    def ajv_spent(self, file: Path, records: int, *, invalid: int = 0) -> tuple[float, float]:
        """The seconds that ajv says it worked: on the wall, and of processors.

        If some records are invalid, it looks for all errors.
        """
        command = self.ajv(file, "chunks") + (["all"] if invalid else [])
        ran = subprocess.run(command, capture_output=True, text=True, check=True)
        said: dict[str, Any] = json.loads(ran.stdout)
        assert (said["records"], said["invalid"]) == (records, invalid), said
        return said["milliseconds"] / 1e3, said["processor"] / 1e3

    def command(self, file: Path) -> list[str]:
        """The C++ command, in its fastest mode; the name of the file ends in .jsonl."""
        program = self.modules / ".bin" / "jsonschema"
        return [str(program), "validate", "--fast", str(self.schema), str(file)]

    def command_work(self, file: Path, one: Path) -> Seconds:
        """The seconds of the C++ command, less those for `one`, a file with a single record."""
        return Seconds(_seconds(self.command(file)) - _seconds(self.command(one)))


def _seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start

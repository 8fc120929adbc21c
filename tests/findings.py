"""The examples of the findings reference: how they are run, and how their output is written.

`python -m tests.findings` writes what the command prints into `examples.toml`: read the difference.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.checkout import ROOT
from widgetschema.cli import main

EXAMPLES: Final = ROOT / "docs" / "reference" / "findings" / "examples.toml"
COMMAND: Final = "widgetschema validate --type demo bad.json"
_SECTION: Final = re.compile(r"^\[(?:\"([^\"\n]+)\"|(\w+))\]\n", re.MULTILINE)


def examples() -> dict[str, dict[str, str]]:
    """Return the examples by code."""
    return tomllib.loads(EXAMPLES.read_text(encoding="utf-8"))


def prepare(example: dict[str, str], folder: Path) -> None:
    """Write the files of an example into a folder."""
    if "schema" in example:
        data: Any = json.loads(example["schema"])
        if data is True:  # a type that can refuse no data cannot be used
            data = {"type": ["array", "boolean", "null", "number", "object", "string"]}
        schema = {"properties": {"data": data}}
        (folder / "schemas").mkdir()
        (folder / "schemas" / "demo.json").write_text(json.dumps(schema), encoding="utf-8")
    for name in ("bad", "good"):
        if name in example:
            encoding = example.get("encoding", "utf-8") if name == "bad" else "utf-8"
            file = folder / f"{name}{suffix(example)}"
            file.write_text(example[name], encoding=encoding)
    (folder / "widgetschema.toml").write_text(example.get("config", ""), encoding="utf-8")


def suffix(example: dict[str, str]) -> str:
    """Return the suffix of the files of an example."""
    return example.get("suffix", ".json")


def printed(example: dict[str, str], *options: str, name: str = "bad") -> str:
    """Return what the command says of an example in the current folder, less its summary."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
        if "python" in example:
            exec(compile(example["python"], "<example>", "exec"), {})
        else:
            file = name + suffix(example)
            command = shlex.split(example.get("command", COMMAND).replace("bad.json", file))
            main([*command[1:], "--color", "never", *options])
    lines = text.getvalue().splitlines(keepends=True)
    said = (line for line in lines if not re.match(r"schemas: |\d+ documents? in ", line))
    return "".join(said).replace(f"{Path.cwd().as_posix()}/", "")


def fixed(example: dict[str, str]) -> str | None:
    """Return what `--unsafe-fixes` makes of the bad file in the current folder; None if it is the same."""
    if "python" in example or "bad" not in example:
        return None
    printed(example, "--unsafe-fixes")
    raw = Path(f"bad{suffix(example)}").read_bytes()
    text = raw.decode(example.get("encoding", "utf-8"))
    return None if text == example["bad"] else text


@contextlib.contextmanager
def folder_of(example: dict[str, str]) -> Iterator[Path]:
    """Go to a folder with the files of an example."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        prepare(example, Path(name))
        os.chdir(name)
        try:
            yield Path(name)
        finally:
            os.chdir(before)


def _write() -> None:
    text = EXAMPLES.read_text(encoding="utf-8")
    known = examples()
    sections = [one for one in _SECTION.finditer(text) if (one[1] or one[2]) in known]
    ends = [*(one.start() for one in sections[1:]), len(text)]
    parts = [text[: sections[0].start()]]
    for (code, example), section, end in zip(known.items(), sections, ends, strict=True):
        body = text[section.start() : end]
        body = re.sub(r"^prints = '''\n.*?'''\n", "", body, flags=re.DOTALL | re.MULTILINE)
        body = re.sub(r"^fixed = '.*'\n", "", body, flags=re.MULTILINE)
        with folder_of(example):
            said = printed(example)
            repaired = fixed(example)
        assert "'''" not in said, code
        body = f"{body.rstrip()}\nprints = '''\n{said}'''\n"
        if repaired is not None:
            body += f"fixed = '{repaired}'\n"
        parts.append(f"{body}\n")
    EXAMPLES.write_text("".join(parts).rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    _write()

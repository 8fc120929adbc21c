"""The pages about the codes of findings: from the keyword registry, and examples that are run.

`python -m tests.manual --generate` writes them: read the difference.
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
from widgetschema.manual_pages import reported
from widgetschema.schema.keywords import FORMAT_SYNTAX, Keyword

EXAMPLES: Final = ROOT / "tests" / "data" / "findings.toml"
PAGES: Final = ROOT / "docs" / "reference" / "findings"
COMMAND: Final = "widgetschema validate --type demo bad.json"
_VALUES: Final = {
    "any": "any value",
    "array": "an array of values",
    "boolean": "`true` or `false`",
    "count": "a whole number from 0 on",
    "names": "an array of property names",
    "number": "a number",
    "schema": "a schema",
    "schema or schemas": "a schema, or an array of schemas",
    "schemas": "an array of schemas",
    "schemas by name": "an object of schemas",
    "schemas or names by name": "an object of schemas and arrays of property names",
    "string": "a string",
    "type names": "the name of a type, or an array of them",
}


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


def shown(example: dict[str, str]) -> dict[str, str]:
    """Return an example with what the command prints, and with the fixed text if there is one."""
    if not example:
        return {}
    with folder_of(example):
        example = {**example, "prints": printed(example)}
        repaired = fixed(example)
    return example if repaired is None else {**example, "fixed": repaired}


def write_pages() -> None:
    """Write the pages."""
    of_codes = examples()
    for one in reported():
        text = page(one, shown(of_codes.get(one.code, {})))
        (PAGES / f"{one.code}.md").write_text(text, encoding="utf-8")


def page(one: Keyword, example: dict[str, str]) -> str:
    """Return the page of a code with its example, which has been run."""
    return "\n".join(_page(one, example)).rstrip() + "\n"


def _page(one: Keyword, example: dict[str, str]) -> Iterator[str]:
    yield from (f"# `{one.code}`", "", f"{one.rule}.", "", one.description, "")
    yield from _facts(one)
    if one.code == "format":
        yield from ("", "## Formats", "", "Other formats are not checked.", "")
        yield from (f"- `{name}`: {syntax}." for name, syntax in FORMAT_SYNTAX.items())
    if example:
        yield from ("", "## Example", "")
        yield from _example(one, example)
    yield from ("", "## How to fix it", "", one.repair, "")
    if not one.fix:
        yield "`--fix` does not change such files."
        return
    yield f"`--fix` {one.fix[:1].lower()}{one.fix[1:]}"
    if "fixed" in example:
        yield from ("It makes of the bad example:", "", *_block("json", example["fixed"]))


_OF_PROJECTS: Final = ("lint", "input", "configuration")  # categories that no form shows


def _facts(one: Keyword) -> Iterator[str]:
    if one.category not in _OF_PROJECTS:
        yield f"- A form says: “{one.advice}”, or more precisely what to do."
    if one.value is not None:
        yield f"- In a schema, its value is {_VALUES[one.value]}."
    if one.instance is not None:
        yield f"- It is about {one.instance}s only: other values are valid."
    if one.exit_code is not None:
        yield f"- Exit code: {one.exit_code}"
    if (
        one.selectable
        and not one.exit_code
        and not one.code.startswith(("json.", "yaml.syntax", "yaml.aliases"))
    ):
        yield "- [`severities`](../settings.md) and [`ignores`](../settings.md) can name it."
    elif one.selectable:
        yield "- [`severities`](../settings.md) can make it a warning or a note, not turn it off."
    if one.specification is not None:
        yield f"- Specification: <{one.specification}>"


def _example(one: Keyword, example: dict[str, str]) -> Iterator[str]:
    if "python" in example:
        yield from _block("py", example["python"])
        yield from ("prints", "", *_block("text", example["prints"]))
        return
    suffix = example.get("suffix", ".json")
    if "config" in example:
        yield from ("The configuration:", "", *_block("toml", example["config"]))
    if example.get("schema", "true") != "true":
        yield from ("The schema of the data:", "", *_block("json", example["schema"]))
    if "bad" in example:
        encoding = example.get("encoding")
        written = f", saved as {encoding.title()}," if encoding else ""
        wrong = " is wrong" if one.category not in ("lint", "input", "configuration") else ""
        language = "text" if one.code.startswith("json.") else "json"
        if suffix != ".json":
            language = suffix.removeprefix(".")
        if example["bad"]:
            file = f"The file `bad{suffix}`{written}{wrong}:"
            yield from (file, "", *_block(language, example["bad"]))
        else:
            yield from (f"The file `bad{suffix}` is empty.", "")
    command = example.get("command", COMMAND)
    command = command.replace("bad.json", f"bad{suffix}")
    yield from ("The command says:", "")
    yield from _block("text", f"$ {command}\n{example['prints']}")
    if "good" in example:
        language = "json" if suffix == ".json" else suffix.removeprefix(".")
        yield from ("Right is:", "", *_block(language, example["good"]))


def _block(language: str, text: str) -> Iterator[str]:
    yield from (f"```{language}", *text.strip("\n").split("\n"), "```", "")

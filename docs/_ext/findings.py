"""Pages of the manual for the codes of findings, from the keyword registry and tested examples.

Before the manual is read, a page for each code is written into `reference/findings`, which git
ignores.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from sphinx.application import Sphinx

from widgetschema.schema.keywords import KEYWORDS, Category, Keyword

_HEADINGS: Final[dict[Category, str]] = {
    "any type": "Values of any type",
    "number": "Numbers",
    "string": "Strings",
    "array": "Arrays",
    "object": "Objects",
    "alternatives": "Alternatives",
    "whole": "Schemas as a whole",
    "lint": "Lints of schemas",
    "JSON text": "JSON text",
    "input": "What keeps a file from being checked",
    "configuration": "Configuration",
    "form": "Forms",
    "reference": "References between schemas",
}
_VALUES: Final = {
    "any": "any value",
    "array": "an array of values",
    "boolean": "`true` or `false`",
    "count": "a whole number from 0 on",
    "names": "an array of member names",
    "number": "a number",
    "schema": "a schema",
    "schema or schemas": "a schema, or an array of schemas",
    "schemas": "an array of schemas",
    "schemas by name": "an object of schemas",
    "schemas or names by name": "an object of schemas and arrays of member names",
    "string": "a string",
    "type names": "the name of a type, or an array of them",
}
_COMMAND: Final = "widgetschema validate --type demo bad.json"


def reported() -> Iterator[Keyword]:
    """Yield the entries with whose code there are findings."""
    return (one for one in KEYWORDS.values() if one.repair)


def table() -> Iterator[str]:
    """Yield the index of the findings: a table for each category."""
    for category, heading in _HEADINGS.items():
        entries = [one for one in reported() if one.category == category]
        if entries:
            yield from (
                f"## {heading}",
                "",
                "| code | what has to be | `--fix` |",
                "| --- | --- | --- |",
            )
            for one in entries:
                link = f"[`{one.code}`](findings/{one.code}.md)"
                yield f"| {link} | {one.rule} | {'yes' if one.fix else ''} |"
            yield ""


def page(one: Keyword, example: dict[str, str]) -> Iterator[str]:
    """Yield the page of a code."""
    yield from (f"# `{one.code}`", "", f"{one.rule}.", "", one.description, "")
    yield from _facts(one)
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


def _facts(one: Keyword) -> Iterator[str]:
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
        file = f"The file `bad{suffix}`{written}{wrong}:"
        yield from (file, "", *_block(language, example["bad"]))
    command = example.get("command", _COMMAND)
    command = command.replace("bad.json", f"bad{suffix}")
    yield from ("The command says:", "")
    yield from _block("text", f"$ {command}\n{example['prints']}")
    if "good" in example:
        language = "json" if suffix == ".json" else suffix.removeprefix(".")
        yield from ("Right is:", "", *_block(language, example["good"]))


def _block(language: str, text: str) -> Iterator[str]:
    yield from (f"```{language}", *text.strip("\n").split("\n"), "```", "")


def write_pages(app: Sphinx) -> None:
    """Write the pages; one that is as it was is left alone, so that it is not built again."""
    folder = Path(app.srcdir) / "reference" / "findings"
    examples = tomllib.loads((folder / "examples.toml").read_text(encoding="utf-8"))
    for one in reported():
        text = "\n".join(page(one, examples.get(one.code, {}))) + "\n"
        path = folder / f"{one.code}.md"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the pages before the manual is read."""
    app.connect("builder-inited", write_pages)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

"""The pages of the manual: where they are, and those about the codes of findings.

The page of a code is made from its entry in the keyword registry and an example, which a test runs.
The manual, `widgetschema explain` and reports show the same page.
"""

from __future__ import annotations

import os
import re
import textwrap
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Final
from urllib.parse import quote

from widgetschema.errors import StoreError
from widgetschema.files import read_file
from widgetschema.schema.keywords import FORMAT_SYNTAX, KEYWORDS, Keyword

_EXAMPLES: Final = os.path.join("reference", "findings", "examples.toml")
_LINK: Final = re.compile(r"\[([^\]\n]*)\]\([^)\n]*\)")
_WEB: Final = re.compile(r"https?://[!-~]+")
_WIDTH: Final = 80  # columns of a paragraph as text
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


def manual_folder() -> str:
    """Return the folder of the manual (in a checkout: its folder `docs`).

    Raises `StoreError` if there is none.
    """
    package = os.path.dirname(os.path.abspath(__file__))
    for folder in (os.path.join(package, "manual"), os.path.join(os.path.dirname(package), "docs")):
        if os.path.isdir(os.path.join(folder, "guides")):
            return folder
    raise StoreError(package, "the manual is not installed; install the package again")


def manual_pages(folder: str) -> dict[str, str]:
    """Return the pages of the manual: name, such as `guides/ci`, and path of each."""
    pages = {}
    for where, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".md"):
                path = os.path.join(where, name)
                relative = os.path.relpath(path, folder).removesuffix(".md")
                pages[relative.replace(os.sep, "/")] = path
    return dict(sorted(pages.items()))


def reported() -> Iterator[Keyword]:
    """Yield the entries with whose code there are findings."""
    return (one for one in KEYWORDS.values() if one.repair)


@cache
def code_examples() -> Mapping[str, Mapping[str, str]]:
    """Return the examples of the codes. Raises as `manual_folder`."""
    path = os.path.join(manual_folder(), _EXAMPLES)
    try:
        return tomllib.loads(read_file(path).decode())
    except (OSError, ValueError) as error:
        raise StoreError(
            path, f"the manual is damaged ({error}); install the package again"
        ) from None


def code_page(code: str) -> list[str]:
    """Return the lines of the page of a code, as Markdown. Raises as `manual_folder`."""
    return [*_page(KEYWORDS[code], code_examples().get(code, {}))]


def standalone(lines: Iterable[str]) -> str:
    """Return a page as Markdown without links to other pages, which are not beside it."""
    return "".join(f"{_LINK.sub(lambda link: link[1], line)}\n" for line in lines)


def as_text(lines: Iterable[str], heading: Callable[[str], str]) -> str:
    """Return a page as text for a terminal: paragraphs are wrapped, code is indented.

    `heading` makes a heading of its text.
    """
    written: list[str] = []
    in_code = False
    for line in lines:
        if line.startswith("```"):
            in_code = not in_code
        elif in_code:
            written.append(f"    {line}".rstrip())
        elif line.startswith("#"):
            written.append(heading(line.lstrip("# ").replace("`", "")))
        else:
            text = _LINK.sub(lambda link: link[1], line)
            indent = "  " if text.startswith("- ") else ""
            written += textwrap.wrap(
                text,
                _WIDTH,
                subsequent_indent=indent,
                break_long_words=False,
                break_on_hyphens=False,
            ) or [""]
    # Where a fence stood, there is an empty line before and after it.
    return re.sub(r"\n{3,}", "\n\n", "\n".join(written)).strip("\n") + "\n"


def project_address() -> str | None:
    """Return the address of the project, or of its manual, that the installed package declares."""
    urls = _declared_urls()
    return urls.get("homepage") or urls.get("documentation")


def code_address(code: str) -> str | None:
    """Return the address of the page of a code in the published manual; None if there is none."""
    manual = _declared_urls().get("documentation")
    if manual is None or code not in KEYWORDS or not KEYWORDS[code].repair:
        return None
    return f"{manual.rstrip('/')}/reference/findings/{quote(code)}.html"


@cache
def _declared_urls() -> Mapping[str, str]:
    """Return the addresses in the metadata of the installed package by their labels."""
    from importlib.metadata import PackageNotFoundError, metadata  # only reports need it

    try:
        declared = metadata("widgetschema").get_all("Project-URL") or []
    except PackageNotFoundError:
        return {}
    pairs = (text.partition(",") for text in declared)
    urls = {label.strip().lower(): url.strip() for label, _, url in pairs}
    return {label: url for label, url in urls.items() if _WEB.fullmatch(url)}


def _page(one: Keyword, example: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of a page."""
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


def _example(one: Keyword, example: Mapping[str, str]) -> Iterator[str]:
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

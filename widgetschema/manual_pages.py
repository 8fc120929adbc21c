"""The pages of the manual: where they are, and those about the codes of findings.

The manual, `widgetschema explain` and reports show the same page of a code.
"""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Final
from urllib.parse import quote

from widgetschema.errors import StoreError
from widgetschema.files import read_file
from widgetschema.schema.keywords import KEYWORDS, Keyword

_CODES: Final = os.path.join("reference", "findings")
_LINK: Final = re.compile(r"\[([^\]\n]*)\]\([^)\n]*\)")
_WEB: Final = re.compile(r"https?://[!-~]+")
_WIDTH: Final = 80  # columns of a paragraph as text


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
    """Return the pages of the manual, except those of codes, by name, such as `guides/ci`.

    Returns: The path of each page.
    """
    pages = {}
    for where, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".md") and not where.endswith(_CODES):
                path = os.path.join(where, name)
                relative = os.path.relpath(path, folder).removesuffix(".md")
                pages[relative.replace(os.sep, "/")] = path
    return dict(sorted(pages.items()))


def reported() -> Iterator[Keyword]:
    """Yield the entries with whose code there are findings."""
    return (one for one in KEYWORDS.values() if one.repair)


def code_page(code: str) -> list[str]:
    """Return the lines of the page of a code, as Markdown. Raises as `manual_folder`."""
    path = os.path.join(manual_folder(), _CODES, f"{code}.md")
    try:
        return read_file(path).decode().splitlines()
    except (OSError, ValueError) as error:
        raise StoreError(
            path, f"the manual is damaged ({error}); install the package again"
        ) from None


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

"""Pages of the manual for the codes of findings, from the keyword registry and tested examples.

Before the manual is read, a page for each code is written into `reference/findings`, which git
ignores.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from sphinx.application import Sphinx

from widgetschema.manual_pages import code_page, reported
from widgetschema.schema.keywords import Category

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


def write_pages(app: Sphinx) -> None:
    """Write the pages; one that is as it was is left alone, so that it is not built again."""
    folder = Path(app.srcdir) / "reference" / "findings"
    for one in reported():
        text = "\n".join(code_page(one.code)) + "\n"
        path = folder / f"{one.code}.md"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the pages before the manual is read."""
    app.connect("builder-inited", write_pages)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

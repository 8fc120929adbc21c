"""Directives that write what the package declares: settings, exit codes, keywords of findings.

```{declared} settings
```
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


def settings() -> Iterator[str]:
    """Yield the table of settings."""
    from widgetschema.configuration.members import MEMBERS

    yield "| setting | default | environment variable | option |"
    yield "| --- | --- | --- | --- |"
    for member in MEMBERS:
        default = "" if member.default in (None, (), {}) else f"`{_toml(member.default)}`"
        variable = f"`{member.variable}`" if member.variable else ""
        option = f"`{member.argument}`" if member.argument else ""
        yield f"| `{member.name}` | {default} | {variable} | {option} |"


def exit_codes() -> Iterator[str]:
    """Yield the table of the errors behind each exit code."""
    from widgetschema.checking.codes import EXIT_CODES

    yield "| exit code | errors |"
    yield "| --- | --- |"
    codes = sorted({code for _, code in EXIT_CODES})
    for code in codes:
        names = sorted(kind.__name__ for kind, one in EXIT_CODES if one == code)
        yield f"| {code} | {', '.join(f'`{name}`' for name in names)} |"


def assumptions() -> Iterator[str]:
    """Yield what the sandbox assumes of the platform."""
    from widgetschema.sandbox import ASSUMPTIONS

    yield from (f"- {assumption}" for assumption in ASSUMPTIONS)


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


TABLES: Final[dict[str, Callable[[], Iterator[str]]]] = {
    "settings": settings,
    "exit-codes": exit_codes,
    "assumptions": assumptions,
}


class Declared(SphinxDirective):
    """Write one of the tables as Markdown where the directive stands."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the parsed table."""
        lines = StringList([*TABLES[self.arguments[0]]()], source="generated")
        return self.parse_text_to_nodes("\n".join(lines), allow_section_headings=True)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("declared", Declared)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

"""Document names as the public package has them: references and the summaries of properties."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode


def resolve(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, text: nodes.TextElement
) -> nodes.Node | None:
    """Return the reference to a public name; plain text for an internal one of a signature.

    A name that is written as public and is not there stays unresolved, and is warned about.
    """
    target = str(node.get("reftarget", ""))
    if node.get("refdomain") != "py" or not target.startswith("widgetschema."):
        return None
    name = f"widgetschema.{target.rpartition('.')[2]}"
    entry = env.domains.python_domain.objects.get(name)
    if entry is not None:
        return make_refnode(app.builder, node["refdoc"], entry.docname, entry.node_id, text, name)
    return text if target.count(".") > 1 else None


class Properties:
    """Keep docstrings of properties as they are: napoleon takes text before a colon for a type."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def before(self, app: Sphinx, what: str, *rest: Any) -> None:
        """Remember the lines, which are the last argument."""
        self._lines = [*rest[-1]]

    def after(self, app: Sphinx, what: str, *rest: Any) -> None:
        """Put them back."""
        if what in ("attribute", "property"):
            rest[-1][:] = self._lines


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the handlers."""
    properties = Properties()
    app.connect("autodoc-process-docstring", properties.before, priority=400)  # napoleon has 500
    app.connect("autodoc-process-docstring", properties.after, priority=600)
    app.connect("missing-reference", resolve)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

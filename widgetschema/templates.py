"""Templates of Jinja2 that become HTML. Jinja2 is an extra: import this where one is rendered."""

from __future__ import annotations

from typing import Any

import jinja2

from widgetschema.forks import hold_up_forks


class Environment(jinja2.Environment):
    """An environment that escapes every text, and lets no process fork while it compiles.

    Jinja2 compiles and caches with locks, which nobody would release in a forked process.
    """

    def __init__(self, loader: jinja2.BaseLoader, **options: Any) -> None:
        super().__init__(
            loader=loader,
            cache_size=-1,  # nothing leaves the cache, which needs no lock for that
            autoescape=True,
            auto_reload=False,
            trim_blocks=True,
            lstrip_blocks=True,
            **{"undefined": jinja2.StrictUndefined, **options},
        )

    def compile(self, *args: Any, **options: Any) -> Any:
        """Return the code of a template, as Jinja2 does."""
        with hold_up_forks():
            return super().compile(*args, **options)

    def parse(self, *args: Any, **options: Any) -> jinja2.nodes.Template:
        """Return the tree of a template, as Jinja2 does."""
        with hold_up_forks():
            return super().parse(*args, **options)

"""`python`: gives values to a function, where that is permitted."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from widgetschema.cached import cached_property
from widgetschema.evolution.migrate.steps.step import Run, Step, fail, option
from widgetschema.jsontext import DEFAULT_LIMITS, plain_copy
from widgetschema.jsontext.draft import assign
from widgetschema.text import printable, shorten

_NAME: Final = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*:[^\W\d]\w*(?:\.[^\W\d]\w*)*")


@dataclass(frozen=True, kw_only=True)
class Python(Step):
    """Replaces each value by what a function returns for it: a JSON value.

    The function gets a value of its own, which it may change. What is equal in the result keeps
    its bytes.
    """

    python: str = field(metadata=option("The function, as module:function.", type="string"))

    kind = "python"
    summary = "Replace each value by what a function of Python returns for it."
    runs_code = True

    @cached_property
    def function(self) -> Callable[[Any], Any]:
        """The function. Raises `ImportError` or `AttributeError` if there is none."""
        module, _, name = self.python.partition(":")
        found: Any = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
        if not callable(found):
            raise AttributeError(f"{self.python} cannot be called")
        return found  # type: ignore[no-any-return]

    @property
    def missing(self) -> Iterator[str]:
        """The reason why there is no such function."""
        try:
            self.function  # noqa: B018
        except Exception as error:  # of a module that anybody wrote
            said = shorten(printable(str(error)), 200)
            yield f"{self.python} cannot be loaded: {type(error).__name__}: {said}"

    def apply(self, run: Run) -> None:
        """Call the function for each value, the inner ones first."""
        for place in reversed(self.places(run)):
            try:
                made = self.function(place.node.value)
            except Exception as error:  # of a function that anybody wrote
                said = shorten(printable(str(error)), 200)
                fail(place.pointer, f"{self.python}: {type(error).__name__}: {said}")
            new, unfit = plain_copy(made, DEFAULT_LIMITS.max_depth)
            if unfit:
                fail(
                    place.pointer + unfit[0].path,
                    f"{self.python} returned what JSON does not have: {unfit[0].message}",
                )
            run.applied += assign(run.putter(place), place.node, new)

    @property
    def is_idempotent(self) -> bool:
        """False: what a function does is not known."""
        return False

    @property
    def loses(self) -> str | None:
        """Unknown."""
        return "what the function leaves out"

    @property
    def faults(self) -> Iterator[tuple[str, str]]:
        """A name that is not one of a function in a module."""
        if _NAME.fullmatch(self.python) is None:
            yield "python", "write the function as module:function"

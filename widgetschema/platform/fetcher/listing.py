"""The widget types in use: those of the widgets of an account. No other list is documented."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol, runtime_checkable

from widgetschema.errors import IncompleteListing
from widgetschema.text import plural


@runtime_checkable
class Lister(Protocol):
    """The part of a client that lists the types in use."""

    def iter_widgets(self, *, fields: Iterable[str] | None = None) -> Iterable[Any]:
        """Yield all widgets, with only some of their fields."""


def types_in_use(client: Lister, warn: Callable[[str], None]) -> list[str]:
    """Return the widget types of the account's widgets, sorted. Raises what the client raises.

    `warn` gets a sentence if widgets have no type.
    """
    try:
        types = [widget.type for widget in client.iter_widgets(fields=["id", "type"])]
    except IncompleteListing as error:
        error.advice = "name the types that you need"
        raise
    without = types.count(None)
    if without:
        warn(f"{plural(without, 'widget')} of {len(types):,} have no type, and were skipped")
    return sorted({type for type in types if type is not None})

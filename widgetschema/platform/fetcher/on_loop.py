"""`LoopClient`: an `AsyncClient` for threads, which makes the requests in its event loop."""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterable
from typing import Any, TypeVar

from widgetschema.async_calls import EventLoop, WrongEventLoop

_T = TypeVar("_T")


class LoopClient:
    """The methods of an `AsyncClient` that a fetcher uses, for other threads than its event loop's.

    Raises `TypeError` if no event loop of asyncio is running.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        self._loop = EventLoop("use `await fetcher.afetch(id)`, or `await catalog.load(id)`")
        try:
            self._loop.bind()
        except WrongEventLoop:
            raise WrongEventLoop(
                "a Fetcher of an AsyncClient must be made in the event loop of asyncio in which "
                "the client is used: make it in a coroutine, or use a Client"
            ) from None

    def refuse_own_loop(self) -> None:
        """Raise `TypeError` in the thread of the event loop, which cannot wait for itself."""
        self._loop.refuse_here()

    def fetch_schema(self, id: str, **validators: str | None) -> Any:
        """Ask for the schema of a type, if it is not the one with these validators."""
        return self._loop.result(self._client.fetch_schema(id, **validators))

    def iter_widgets(self, *, fields: Iterable[str] | None = None) -> list[Any]:
        """Return all widgets, with only some of their fields."""
        return self._loop.result(_listed(self._client.iter_widgets(fields=fields)))


async def _listed(values: AsyncIterable[_T]) -> list[_T]:
    return [value async for value in values]

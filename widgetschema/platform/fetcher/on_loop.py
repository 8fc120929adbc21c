"""`LoopClient`: an `AsyncClient` for threads, which makes the requests in its event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, Coroutine, Iterable
from typing import Any, TypeVar

_T = TypeVar("_T")


class LoopClient:
    """The methods of an `AsyncClient` that a fetcher uses, for other threads than its event loop's.

    Raises `TypeError` if no event loop of asyncio is running.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        try:
            self._loop = asyncio.get_running_loop()
        except RuntimeError:
            raise TypeError(
                "a Fetcher of an AsyncClient must be made in the event loop of asyncio in which "
                "the client is used: make it in a coroutine, or use a Client"
            ) from None

    def refuse_own_loop(self) -> None:
        """Raise `TypeError` in the thread of the event loop, which cannot wait for itself."""
        try:
            running = asyncio.get_running_loop()
        except RuntimeError:
            return
        if running is self._loop:
            raise TypeError(
                "this would block the event loop that has to make the request: use `await "
                "fetcher.afetch(id)`, or `await catalog.load(id)`"
            )

    def fetch_schema(self, id: str, **validators: str | None) -> Any:
        """Ask for the schema of a type, if it is not the one with these validators."""
        return self._result(self._client.fetch_schema(id, **validators))

    def iter_widgets(self, *, fields: Iterable[str] | None = None) -> list[Any]:
        """Return all widgets, with only some of their fields."""
        self.refuse_own_loop()
        return self._result(_listed(self._client.iter_widgets(fields=fields)))

    def _result(self, work: Coroutine[Any, Any, _T]) -> _T:
        try:
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
        except RuntimeError:  # the loop is closed
            work.close()
            raise
        return future.result()


async def _listed(values: AsyncIterable[_T]) -> list[_T]:
    return [value async for value in values]

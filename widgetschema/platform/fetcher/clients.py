"""The parts of a client that a `Fetcher` uses, also of one that needs an event loop."""

from __future__ import annotations

from collections.abc import AsyncIterable, Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from widgetschema.calls import EventLoop, WrongEventLoop
from widgetschema.errors import IncompleteListing
from widgetschema.text import plural

if TYPE_CHECKING:
    from widgetschema.platform.client.operations import SchemaResponse

_T = TypeVar("_T")


class SchemaClient(Protocol):
    """The part of a client that a fetcher uses. `fetch_schema` may be a coroutine function."""

    @property
    def base_url(self) -> str:
        """The address of the platform."""

    @property
    def account(self) -> str:
        """A name for whose schemas these are; empty if the client cannot tell."""

    def fetch_schema(
        self, id: str, *, etag: str | None = None, last_modified: str | None = None
    ) -> SchemaResponse | Awaitable[SchemaResponse]:
        """Ask for the schema of a type, if it is not the one with these validators."""


@runtime_checkable
class Lister(Protocol):
    """The part of a client that lists the types in use."""

    def iter_widgets(self, *, fields: Iterable[str] | None = None) -> Iterable[Any]:
        """Yield all widgets, with only some of their fields."""


class LoopClient:
    """A client for the threads of a fetcher, which needs the event loop of an application.

    The methods of an `AsyncClient` run in the loop; those of a `Client` run in the threads, and
    need the loop for their tokens.
    """

    def __init__(self, client: Any, loop: EventLoop, *, is_async: bool) -> None:
        self._client = client
        self._loop = loop
        self._is_async = is_async
        self.base_url: str = client.base_url
        self.account: str = client.account

    @classmethod
    def of_async(cls, client: Any) -> LoopClient:
        """Return an `AsyncClient` for threads, used in the event loop that is running.

        Raises `TypeError` if no event loop of asyncio is running.
        """
        loop = EventLoop("use `await fetcher.afetch(id)`, or `await catalog.aload(id)`")
        try:
            loop.bind()
        except WrongEventLoop:
            raise WrongEventLoop(
                "a Fetcher of an AsyncClient must be made in the event loop of asyncio in which "
                "the client is used: make it in a coroutine, or use a Client"
            ) from None
        return cls(client, loop, is_async=True)

    def refuse_own_loop(self) -> None:
        """Raise `TypeError` in the thread of the event loop, which cannot wait for itself."""
        self._loop.refuse_here()

    def fetch_schema(self, id: str, **validators: str | None) -> Any:
        """Ask for the schema of a type, if it is not the one with these validators."""
        response = self._client.fetch_schema(id, **validators)
        return self._loop.result(response) if self._is_async else response

    def iter_widgets(self, *, fields: Iterable[str] | None = None) -> Iterable[Any]:
        """Return all widgets, with only some of their fields."""
        widgets = self._client.iter_widgets(fields=fields)
        return self._loop.result(_listed(widgets)) if self._is_async else widgets


async def _listed(values: AsyncIterable[_T]) -> list[_T]:
    return [value async for value in values]


def types_in_use(client: Lister, warn: Callable[[str], None]) -> list[str]:
    """Return the widget types of the account's widgets, sorted. Raises what the client raises.

    No other list of types is documented. `warn` gets a sentence if widgets have no type.
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

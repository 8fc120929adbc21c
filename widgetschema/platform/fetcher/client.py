"""What a fetcher needs of a client, and of its answers: `platform.Client` is one."""

from __future__ import annotations

from typing import Any, Protocol


class Answer(Protocol):
    """The answer to a request for a schema."""

    @property
    def not_modified(self) -> bool:
        """Whether the schema is the one whose validators were sent (status 304)."""

    @property
    def schema(self) -> Any:
        """The schema, unless it is not modified."""

    @property
    def etag(self) -> str | None:
        """The entity tag."""

    @property
    def last_modified(self) -> str | None:
        """The date of the last change, as it came."""

    @property
    def max_age(self) -> float | None:
        """How many seconds it is fresh, if the answer says so."""

    @property
    def no_store(self) -> bool:
        """Whether it must not be written to disk."""

    @property
    def cache_control(self) -> str | None:
        """The header `Cache-Control`, if there is one."""


class SchemaClient(Protocol):
    """What a fetcher needs of a client."""

    @property
    def base_url(self) -> str:
        """The address of the platform."""

    @property
    def account(self) -> str:
        """A name for whose schemas these are; empty if the client cannot tell."""

    def fetch_schema(
        self, id: str, *, etag: str | None = None, last_modified: str | None = None
    ) -> Answer:
        """Ask for the schema of a type, if it is not the one with these validators."""

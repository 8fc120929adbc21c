"""Schemas that were read from files: where relative references begin, and where they end."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from urllib.parse import quote


class Place(NamedTuple):
    """The file that a schema was read from, and the folder that its references stay in.

    Both are absolute paths. `shown` is the folder as people named it, for messages.
    """

    folder: str
    file: str
    shown: str

    @property
    def uri(self) -> str:
        """The base URI of the schema (core specification, section 8.1; RFC 3986, section 5.1.3)."""
        path = self.file.replace(os.sep, "/")
        return f"file:///{quote(path.removeprefix('/'), errors='surrogateescape')}"


class LocatedSchemas(Mapping[str, Any]):
    """Resources, some of which were read from files."""

    @abstractmethod
    def place(self, name: str | None) -> Place | None:
        """Return the place of the file of a resource, or of the linked schema (None), if any."""

    @abstractmethod
    def find(self, uri: str, place: Place) -> str | None:
        """Return the name of the schema in a file that a schema at `place` refers to.

        Args:
            uri: The URI of the file.
            place: Where the schema was read from that holds the reference.

        Returns:
            The name, by which this mapping has the schema; None for the linked schema itself.

        Raises:
            StoreError: If there is no such file in the folder.
        """

    @abstractmethod
    def located(self) -> Iterable[str]:
        """Return the names of the resources that are known to be in files."""

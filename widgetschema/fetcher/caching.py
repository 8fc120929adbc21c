"""The cache of fetched schemas: a store in the user's folder for each platform and account.

A cache that cannot be read is begun anew, one that cannot be written is done without: both are
said, and neither is a failure.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from widgetschema.errors import StoreError
from widgetschema.store import MANIFEST, Entry, New, Store, digest, install, set_aside

HOUR: Final = 3_600.0


@dataclass(frozen=True, slots=True)
class Kept:
    """A schema of the cache, and how long ago it was the platform's, in seconds."""

    entry: Entry
    schema: Any
    age: float

    @property
    def lifetime(self) -> float:
        """For how many seconds it is fresh: the server's max-age, else an hour."""
        max_age = self.entry.number("max_age")
        return HOUR if max_age is None else max_age

    @property
    def fresh(self) -> bool:
        """Whether it need not be asked for."""
        return 0 <= self.age < self.lifetime


class Cache:
    """A folder that may be there or not; None for no cache at all.

    `clock` gives seconds since 1970, `warn` gets a sentence.
    """

    def __init__(
        self, folder: str | None, clock: Callable[[], float], warn: Callable[[str], None]
    ) -> None:
        self._folder = folder
        self._clock = clock
        self._warn = warn
        self._said = False

    def store(self) -> Store | None:
        """The cache as it is now; one that cannot be used is set aside, and counts as empty."""
        if self._folder is None or not os.path.isfile(os.path.join(self._folder, MANIFEST)):
            return None
        try:
            return Store(self._folder)
        except StoreError as error:
            self._warn(f"the cache cannot be used, and is begun anew: {error}")
            with contextlib.suppress(StoreError):
                set_aside(os.path.join(self._folder, MANIFEST))
            return None

    def kept(self, id: str, store: Store | None) -> Kept | None:
        """What the cache has; an entry that is corrupt is set aside, and counts as a miss."""
        entry = None if store is None else store.entry(id)
        if store is None or entry is None:
            return None
        try:
            schema = store[id]
        except StoreError:
            self._warn(f"the cached schema of {id!r} is not what was kept, and is fetched again")
            with contextlib.suppress(StoreError):
                store.set_aside(id)
            return None
        age = self._clock() - (entry.number("checked") or 0.0)
        return Kept(entry, schema, age)

    def keep(self, new: Mapping[str, New]) -> None:
        """Add schemas, or replace them."""
        if self._folder is None or not new:
            return
        try:
            install(self._folder, new)
        except StoreError as error:
            if not self._said:
                self._warn(f"what was fetched cannot be kept in the cache: {error}")
            self._said = True


def cache_folder(base_url: str, account: str, root: str | None = None) -> str:
    """The folder of the cache for one platform and account; `root` is the user's cache folder."""
    if root is None:
        import platformdirs

        root = platformdirs.user_cache_dir("widgetschema")
    host = re.sub(r"[^a-z0-9.-]+", "-", base_url.partition("//")[2].partition("/")[0].lower())
    name = digest(f"{base_url}\0{account}".encode("utf-8", "surrogatepass"))
    return os.path.join(root, "schemas", f"{host[:60].strip('.-')}-{name[:24]}")

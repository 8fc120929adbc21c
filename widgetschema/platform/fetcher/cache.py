"""The cache of fetched schemas: in memory, and a store for each platform and account on disk.

A cache that cannot be read is replaced, one that cannot be written is not used: both are
said, and neither is a failure.
"""

from __future__ import annotations

import contextlib
import os
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from widgetschema.catalog.store import MANIFEST, ManifestEntry, NewSchema, Store, install, uninstall
from widgetschema.errors import StoreError
from widgetschema.files import digest, set_aside, user_cache_folder
from widgetschema.forks import renew_in_forks
from widgetschema.jsontext import dump

HOUR: Final = 3_600.0
NO_STORE: Final = "no_store"  # member of what is known of a schema that may not be written


@dataclass(frozen=True, slots=True)
class CachedSchema:
    """A schema of the cache; `age` is how long ago it was the platform's, in seconds."""

    entry: ManifestEntry
    schema: Any
    age: float

    @property
    def lifetime(self) -> float:
        """The seconds for which it is fresh: the server's max-age, else an hour."""
        max_age = self.entry.number("max_age")
        return HOUR if max_age is None else max_age

    @property
    def fresh(self) -> bool:
        """True if it need not be requested again."""
        return 0 <= self.age < self.lifetime


class Cache:
    """The schemas of one platform and account; `folder` is None for no more than memory.

    `clock` gives seconds since 1970, `warn` gets a sentence. Safe to share among threads.
    """

    def __init__(
        self, folder: str | None, clock: Callable[[], float], warn: Callable[[str], None]
    ) -> None:
        self._folder = folder
        self._clock = clock
        self._warn = warn
        self._said = False
        self._memory: dict[str, tuple[Any, ManifestEntry]] = {}
        self._unwritten: dict[str, NewSchema] = {}
        self.after_fork()
        renew_in_forks(self)

    def after_fork(self) -> None:
        """Wait for no thread of a parent process."""
        self._lock = threading.Lock()

    def store(self) -> Store | None:
        """Return the folder as it is now; an unusable one is set aside, and counts as empty."""
        if self._folder is None or not os.path.isfile(os.path.join(self._folder, MANIFEST)):
            return None
        try:
            return Store(self._folder)
        except StoreError as error:
            self._warn(f"the cache cannot be used, and is replaced: {error}")
            with contextlib.suppress(StoreError):
                set_aside(os.path.join(self._folder, MANIFEST))
            return None

    def ids(self) -> tuple[str, ...]:
        """Return the ids of the schemas in the folder and in memory."""
        return tuple(dict.fromkeys([*(self.store() or ()), *self._memory]))

    def find(self, id: str, store: Store | None) -> CachedSchema | None:
        """Return the newest copy of a schema, in memory or in the folder.

        One that is corrupt is set aside, and counts as a miss.
        """
        schema, entry = self._memory.get(id, (None, None))
        written = None if store is None else store.entry(id)
        is_newer = written and (entry is None or _last_checked(written) > _last_checked(entry))
        if store is not None and written is not None and is_newer:
            try:
                schema, entry = store[id], written
            except StoreError:
                self._warn(f"the cached schema of {id!r} is corrupt, and is fetched again")
                with contextlib.suppress(StoreError):
                    store.set_aside(id)
        return (
            None
            if entry is None
            else CachedSchema(entry, schema, self._clock() - _last_checked(entry))
        )

    def add(self, id: str, schema: Any, about: Mapping[str, Any]) -> CachedSchema:
        """Keep a schema in memory, and for `write`, unless it must not be stored."""
        entry = ManifestEntry("", None, about)
        self._memory[id] = schema, entry
        if self._folder is not None and not about.get(NO_STORE):
            new = NewSchema(dump(schema), about)
            with self._lock:
                self._unwritten[id] = new
        return CachedSchema(entry, schema, self._clock() - _last_checked(entry))

    def write(self) -> None:
        """Write what was kept since the last time into the folder."""
        with self._lock:
            new, self._unwritten = self._unwritten, {}
        if self._folder is None or not new:
            return
        try:
            install(self._folder, new, private=True, force=True)
        except StoreError as error:
            if not self._said:
                self._warn(f"fetched schemas cannot be written to the cache: {error}")
            self._said = True


def _last_checked(entry: ManifestEntry) -> float:
    """Return the last time that a schema was known to be current, in seconds since 1970."""
    return entry.number("checked") or 0.0


def cache_root() -> str:
    """Return the folder of the user's caches of schemas."""
    return os.path.join(user_cache_folder(), "schemas")


def cache_folder(root: str, base_url: str, account: str) -> str:
    """Return the folder of the cache for one platform and account, below `root`."""
    host = re.sub(r"[^a-z0-9.-]+", "-", base_url.partition("//")[2].partition("/")[0].lower())
    name = digest(f"{base_url}\0{account}".encode("utf-8", "surrogatepass"))
    return os.path.join(root, f"{host[:60].strip('.-')}-{name[:24]}")


@dataclass(frozen=True, slots=True)
class CacheFolder:
    """A cache on disk: its folder, the platform whose schemas it has, and how many.

    `platform` is None if there is none, or the folder cannot be read.
    """

    folder: str
    platform: str | None
    number: int


def find_caches() -> list[CacheFolder]:
    """Find the caches of all platforms and accounts. Raises `OSError`."""
    root = cache_root()
    caches = []
    for name in sorted(os.listdir(root)) if os.path.isdir(root) else ():
        folder = os.path.join(root, name)
        if not os.path.isdir(folder) or name.startswith("."):
            continue
        entries: list[ManifestEntry] = []
        with contextlib.suppress(StoreError):
            store = Store(folder)
            entries = [entry for id in store if (entry := store.entry(id)) is not None]
        sources = {entry.text("source") for entry in entries} - {None, "bundled"}
        caches.append(CacheFolder(folder, min(filter(None, sources), default=None), len(entries)))
    return caches


def remove_cache(base_url: str, account: str, root: str | None = None) -> bool:
    """Remove the cache of an account; whether there was one. Raises `StoreError`."""
    return uninstall(cache_folder(root or cache_root(), base_url, account))

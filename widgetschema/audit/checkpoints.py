"""Checkpoints: results of partitions that outlive the process, in the user's own cache folder.

A checkpoint is named after everything that decides its content, and a digest shows that it is
complete. If anything is wrong with one, that partition is done again; where none can be written,
the run goes on without. None is ever read from the project, which others may have written.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import struct
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Final

import orjson

from widgetschema.audit.inputs.sources import Span
from widgetschema.audit.partition_result import PartitionResult
from widgetschema.audit.plan import Plan
from widgetschema.catalog.data_schemas import DataSchemas
from widgetschema.catalog.store import Store
from widgetschema.catalog.store.beside import files_beside
from widgetschema.errors import StoreError, WidgetSchemaError
from widgetschema.files import read_bytes, remove_folder, writing_atomically
from widgetschema.project.checking.results import reason

if TYPE_CHECKING:
    from widgetschema.catalog.catalog import Catalog

_MAGIC: Final = b"widgetschema audit 6\n"
_DIGEST: Final = hashlib.sha256().digest_size
_SIZES: Final = struct.Struct(">6Q")
_SUFFIX: Final = ".part"
_PASSING: Final = (3, 5)  # exit codes of problems that may pass: of a source, of the network
EXPIRY: Final = 30 * 24 * 3600  # seconds after which a run that nobody went on with is forgotten


class Checkpoints:
    """The results of one plan, as far as they are there.

    `root` is a folder for the checkpoints of all runs, each in a folder of its own, which others
    cannot read. `about` is what decides results beside the plan, and what tells this run from
    others. `warn` is told, once, that nothing can be kept.
    """

    def __init__(
        self, plan: Plan, root: str, about: Sequence[object], warn: Callable[[str], None]
    ) -> None:
        self._plan = plan
        self._root = root
        self._run = _run_key(plan, about)
        self._warn = warn
        self._names: dict[int, str | None] = {}
        self._broken = False

    @property
    def folder(self) -> str:
        """The folder of this plan."""
        return os.path.join(self._root, self._run)

    @property
    def number(self) -> int:
        """The number of partitions that are there."""
        there = self._there()
        return sum(self._name(number) in there for number in range(len(self._plan.partitions)))

    def __contains__(self, number: int) -> bool:
        """Return whether there is a checkpoint of this partition; it may turn out to be damaged."""
        name = self._name(number)
        return name is not None and os.path.isfile(os.path.join(self.folder, name))

    def get(self, number: int) -> PartitionResult | None:
        """Return the result of a partition; None if it is not there, or damaged."""
        name = self._name(number)
        if name is None:
            return None
        try:
            raw = read_bytes(os.path.join(self.folder, name))
        except StoreError:
            return None
        return self._unpacked(number, name, raw)

    def put(self, result: PartitionResult) -> None:
        """Keep the result of a partition, whole or not at all; not if a source failed.

        That may be over when somebody goes on with the run, and its stamp would not say so.
        """
        name = self._name(result.number)
        if name is None or self._broken or _failed(result):
            return
        path, raw = os.path.join(self.folder, name), self._packed(name, result)
        try:
            os.makedirs(self.folder, mode=0o700, exist_ok=True)
            with writing_atomically(path, durable=False, mode=0o600) as file:
                file.buffer.write(raw)
        except OSError as error:
            self._broken = True
            self._warn(
                f"cannot write a checkpoint: {error.filename or self.folder}: {reason(error)}; if "
                "this run is stopped, it has to start over"
            )

    def clear(self) -> None:
        """Remove the checkpoints of this run."""
        with contextlib.suppress(OSError):
            remove_folder(self.folder)

    def prune(self, now: float | None = None) -> None:
        """Remove other runs that were not resumed for long; `now` is in seconds."""
        limit = (time.time() if now is None else now) - EXPIRY
        with contextlib.suppress(OSError), os.scandir(self._root) as entries:
            old = [one.path for one in entries if one.is_dir() and one.stat().st_mtime < limit]
            for path in old:
                remove_folder(path)

    # How they are named, and what is in them

    def _there(self) -> set[str]:
        try:
            return {name for name in os.listdir(self.folder) if name.endswith(_SUFFIX)}
        except OSError:
            return set()

    def _name(self, number: int) -> str | None:
        """Return the name of the file for a partition; None if changes of its sources go unseen."""
        if number not in self._names:
            self._names[number] = self._named(self._plan.partitions[number])
        return self._names[number]

    def _named(self, spans: Sequence[Span]) -> str | None:
        sources = self._plan.sources
        if not all(sources[span.source].stamp for span in spans):
            return None
        # Not by their places in the plan: another source that comes or goes changes those.
        parts = (
            repr((*sources[one.source]._replace(snapshot=""), *one[1:])).encode() for one in spans
        )
        return _digest(parts)[:32] + _SUFFIX

    def _packed(self, name: str, result: PartitionResult) -> bytes:
        parts = result[1:]
        body = _SIZES.pack(*map(len, parts)) + b"".join(parts)
        return _MAGIC + self._seal(name, body) + body

    def _unpacked(self, number: int, name: str, raw: bytes) -> PartitionResult | None:
        begin = len(_MAGIC) + _DIGEST
        seal, body = raw[len(_MAGIC) : begin], raw[begin:]
        if not raw.startswith(_MAGIC) or seal != self._seal(name, body):
            return None
        sizes = _SIZES.unpack_from(body)
        ends = [_SIZES.size, *accumulate(sizes, initial=_SIZES.size)][1:]
        return PartitionResult(number, *(body[begin:end] for begin, end in pairwise(ends)))

    def _seal(self, name: str, body: bytes) -> bytes:
        """Return a digest of the content of a file, and of what it is about."""
        return hashlib.sha256(f"{self._run}/{name}\n".encode() + body).digest()


def _failed(result: PartitionResult) -> bool:
    problems = orjson.loads(result.tally).get("problems", ())
    return any(code in _PASSING for *_, code in problems)


def _run_key(plan: Plan, about: Sequence[object]) -> str:
    """Return a name for everything but the sources that results depend on."""
    catalogs = [plan.catalog] if plan.older is None else [plan.catalog, plan.older]
    migration = None if plan.migration is None else plan.migration.plan
    parts = [repr((*plan.settings, plan.max_bytes, len(catalogs), migration, *about)).encode()]
    for catalog in catalogs:
        parts += _schemas(catalog, plan.settings.type_id)
    return _digest(parts)[:32]


def _schemas(catalog: Catalog, type_id: str | None) -> Iterator[bytes]:
    """Yield the schemas of a catalog: one type as it is linked, or all that its sources have.

    A schema that is broken counts by what is wrong with it.
    """
    if type_id is not None or not catalog.sources:
        for id in catalog.ids() if type_id is None else (type_id,):
            yield _shown(id, lambda name: catalog[name].linked_digest)
        return
    for source in catalog.sources:
        for id in source:
            yield _shown(id, source.__getitem__)
        if isinstance(source, (Store, DataSchemas)):
            paths = [str(source.path(id)) for id in source]
            folder = os.fspath(source.folder) if isinstance(source, Store) else None
            for path in files_beside(paths, folder):
                yield _shown(path, read_bytes)
        yield b"end"


def _shown(id: str, get: Callable[[str], object]) -> bytes:
    try:
        return repr((id, get(id))).encode()
    except WidgetSchemaError as error:
        return repr((id, str(error))).encode()


def _digest(parts: Iterable[bytes]) -> str:
    total = hashlib.sha256()
    for part in parts:
        total.update(len(part).to_bytes(8, "big"))
        total.update(part)
    return total.hexdigest()

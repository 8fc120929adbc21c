"""Pulling: schemas of the platform into the folder of a project, or what would change there.

`plan` asks and compares, and writes nothing; `Pull.write` writes everything it found, or nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.schema_files import schema_digest
from widgetschema.catalog.sources import with_own_id
from widgetschema.catalog.store import (
    MANIFEST,
    PLUGIN,
    STAGED,
    ManifestEntry,
    NewSchema,
    Store,
    bundled,
    install,
)
from widgetschema.catalog.store.locations import may_be_schema
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.errors import (
    ErrorResponse,
    InvalidSchema,
    SchemaError,
    StoreError,
    UnclearSchema,
    WidgetSchemaError,
)
from widgetschema.files import read_bytes
from widgetschema.findings import Finding, Provenance, Report
from widgetschema.jsontext import dump
from widgetschema.platform.fetcher.fetcher import CONNECTIONS, Fetched, Fetcher
from widgetschema.schema.describes import base_places, without_assertion
from widgetschema.schema.linking import link
from widgetschema.schema.lints import lints as keyword_lints
from widgetschema.validation import link_checked

if TYPE_CHECKING:
    from widgetschema.evolution.compare import Comparison

State = Literal["new", "same", "changed", "gone", "failed"]
_BUNDLED: Final = "bundled"


@dataclass(frozen=True, slots=True)
class Drift:
    """The result of a pull for one schema.

    `state` is "new" (it was not in the folder), "same", "changed", "gone" (the platform does not
    know it any more; the file stays) or "failed". `comparison` says
    of a changed type what changed and whom it breaks; None for the base schema, and where one of
    the two cannot be used. `error` is what went wrong, `provenance` where the new one came from.
    `lints` are findings about the keywords of the new one that are no errors.
    """

    id: str
    state: State
    comparison: Comparison | None = None
    error: WidgetSchemaError | None = None
    provenance: Provenance | None = None
    before: Provenance | None = None
    lints: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Pull:
    """The result of a pull: a `Drift` for each schema, and what `write` will write.

    `held` are the ids that the folder has already.
    """

    folder: str
    drifts: tuple[Drift, ...]
    new: Mapping[str, NewSchema]
    held: frozenset[str] = frozenset()

    @property
    def failed(self) -> tuple[Drift, ...]:
        """The schemas that could not be fetched."""
        return tuple(drift for drift in self.drifts if drift.state == "failed")

    @property
    def drifted(self) -> tuple[Drift, ...]:
        """The schemas that are new, changed or gone."""
        return tuple(drift for drift in self.drifts if drift.state in ("new", "changed", "gone"))

    @property
    def lints(self) -> tuple[Finding, ...]:
        """Findings about the schemas that are no errors: a `$id` that is another type's."""
        usable = (drift.provenance for drift in self.drifts if drift.state != "failed")
        return Report(schemas=tuple(filter(None, usable))).lints

    @property
    def blocking(self) -> tuple[Drift, ...]:
        """The schemas that failed and would stay in the folder beside another base schema.

        Nobody knows whether they fit it, so nothing can be written without them.
        """
        if PLUGIN not in self.new:
            return ()
        return tuple(drift for drift in self.failed if drift.id in self.held)

    def write(self, *, force: bool = False, keep_going: bool = False) -> None:
        """Write all of it, or nothing: see `store.install`. Raises `StoreError`, and what failed.

        A file that was changed by hand is not replaced, unless `force`. With `keep_going`, what
        failed is skipped, unless it is `blocking`.
        """
        for drift in self.blocking if keep_going else self.failed:
            assert drift.error is not None
            raise drift.error
        failed = {drift.id for drift in self.failed}
        new = {id: schema for id, schema in self.new.items() if id not in failed}
        if new or not _is_complete(self.folder):
            install(self.folder, new, force=force)


def plan(
    fetcher: Fetcher,
    folder: str | os.PathLike[str],
    ids: Iterable[str],
    *,
    connections: int = CONNECTIONS,
    progress: Callable[[Iterable[Any], int], Iterable[Any]] = lambda values, _: values,
    strict: bool = False,
) -> Pull:
    """Ask for schemas, and compare them with those of a folder (which need not be there).

    The base schema comes from the fetcher, if that was given one; else from the folder, unless
    it is a copy of the platform's or of the bundled one; else from the platform, else it is the
    bundled one. `progress` is put around what is waited for; it gets the number of requests. With
    `strict`, schemas with lints fail.

    Raises `StoreError` if there is a folder that cannot be used. What goes wrong with one schema
    is in its `Drift`.
    """
    folder = os.fspath(folder)
    before = Store(folder) if _has_schemas(folder) else None
    wanted = [id for id in dict.fromkeys(ids) if id != PLUGIN]
    outcomes: dict[str, Fetched | WidgetSchemaError] = {}
    outcomes.update(progress(fetcher.fetch_many([PLUGIN, *wanted], connections), len(wanted) + 1))
    fetched = {
        id: outcome
        if id == PLUGIN
        else replace(outcome, provenance=with_own_id(outcome.provenance, outcome.schema))
        for id, outcome in outcomes.items()
        if isinstance(outcome, Fetched)
    }
    failed = {id: error for id, error in outcomes.items() if isinstance(error, WidgetSchemaError)}
    new = {
        id: NewSchema(schema.text, _about(schema.provenance))
        for id, schema in fetched.items()
        if _differs(before, id, schema)
    }
    changed_base = before is not None and PLUGIN in new
    others = [id for id in (before.ids if before and changed_base else ()) if id not in wanted]
    drifts = [
        _failed_drift(id, before, failed[id])
        if id in failed
        else _drift(id, before, fetched, changed=id in new or changed_base)
        for id in [*(wanted if PLUGIN not in failed else [PLUGIN, *wanted]), *others]
    ]
    if PLUGIN in fetched:
        drifts.insert(0, _base_drift(before, fetched[PLUGIN], changed=PLUGIN in new))
    linted = tuple(_with_lints(drift, fetched, strict=strict) for drift in drifts)
    return Pull(folder, linted, new, frozenset(before or ()))


def own_plugin(
    folder: str | os.PathLike[str], *, force: bool = False
) -> tuple[Any, Provenance] | None:
    """Return the base schema of a folder, unless it is a copy of another one.

    Raises `StoreError`.
    """
    if not _has_schemas(os.fspath(folder)):
        return None
    store = Store(folder)
    entry = store.entry(PLUGIN)
    if entry is None or (entry.text("source") is not None and (force or not _is_edited(store))):
        return None
    try:
        return store[PLUGIN], store.provenance(PLUGIN)
    except StoreError:
        path = os.path.join(os.fspath(folder), entry.file)
        if entry.sha256 in (None, schema_digest(read_bytes(path))):
            raise
    raise _edited_base(os.fspath(folder), entry)


def _edited_base(folder: str, entry: ManifestEntry) -> StoreError:
    """Return the error for a base schema that was edited."""
    keep = f"widgetschema types --schemas {folder} --pin"
    reason = f"the base schema was edited after {MANIFEST} was written"
    if entry.text("source") is None:
        reason = f"{reason}; it is your own, so pull does not replace it"
        advice = f"restore the file, or keep the edit with: {keep}"
    else:
        advice = f"keep it as your own with: {keep}; or replace it with: widgetschema pull --force"
    return StoreError(os.path.join(folder, entry.file), reason, advice)


def frozen(folder: str | os.PathLike[str], ids: Iterable[str] = ()) -> tuple[Provenance, ...]:
    """Verify schemas of a folder (by default all) against its manifest; where they came from.

    Nothing is fetched. Raises `StoreError` for a folder without a manifest and for a file that
    is not what the manifest says or that says by its `$id` that it is another type's,
    `UnknownWidgetType`, and a `SchemaError` for what does not link.
    """
    store = Store(folder)
    if any((entry := store.entry(id)) is None or entry.sha256 is None for id in store):
        raise StoreError(
            os.fspath(folder),
            "there is no manifest.json to verify the schemas against; write one with: "
            f"widgetschema types --schemas {os.fspath(folder)} --pin",
        )
    catalog = Catalog([store])
    provenances: dict[Provenance, None] = {}
    for id in [*ids] or [*store]:
        if id == PLUGIN:
            link_checked(store[PLUGIN], {}, id=PLUGIN)
            provenances[store.provenance(PLUGIN)] = None
            continue
        try:
            provenances.update(dict.fromkeys(catalog[id].provenance))
        except UnclearSchema:  # no type, or one that is decided about where it is used
            provenances[store.provenance(id)] = None
    for provenance in provenances:
        if provenance.lint is not None:
            raise StoreError(provenance.source, provenance.lint.message)
    return tuple(provenances)


def _is_edited(store: Store) -> bool:
    """Return whether the base schema was edited."""
    try:
        _ = store[PLUGIN]
    except StoreError:
        return True
    return False


def _is_complete(folder: str) -> bool:
    """Return whether a folder has a manifest, and nothing is left of an unfinished write."""
    names = os.listdir(folder) if os.path.isdir(folder) else ()
    return MANIFEST in names and STAGED not in names


def _has_schemas(folder: str) -> bool:
    return os.path.isdir(folder) and any(map(may_be_schema, os.listdir(folder)))


def _differs(before: Store | None, id: str, fetched: Fetched) -> bool:
    """Return whether a folder has another schema; its formatting does not count."""
    if before is None or before.entry(id) is None:
        return True
    try:
        return dump(before[id]) != fetched.text
    except StoreError:
        return True


def _about(provenance: Provenance) -> dict[str, Any]:
    if provenance.source == _BUNDLED:
        return {"source": _BUNDLED}
    if provenance.origin is None:
        return {}
    return {"source": provenance.origin, "fetched": provenance.fetched}


def _base_drift(before: Store | None, fetched: Fetched, *, changed: bool) -> Drift:
    if not changed:
        return Drift(PLUGIN, "same", provenance=fetched.provenance)
    if before is None or before.entry(PLUGIN) is None:
        return Drift(PLUGIN, "new", provenance=fetched.provenance)
    return Drift(PLUGIN, "changed", provenance=fetched.provenance, before=_origin(before, PLUGIN))


def _failed_drift(id: str, before: Store | None, error: WidgetSchemaError) -> Drift:
    known = before is not None and before.entry(id) is not None
    gone = known and isinstance(error, ErrorResponse) and error.status == 404
    return Drift(id, "gone" if gone else "failed", error=error)


def _drift(
    id: str, before: Store | None, fetched: Mapping[str, Fetched], *, changed: bool
) -> Drift:
    """Compare one type, with its base schema, with that of the folder."""
    schema = fetched.get(id)
    provenance = schema.provenance if schema is not None else None
    if before is None or before.entry(id) is None:
        return Drift(id, "new", provenance=provenance)
    if not changed:
        return Drift(id, "same", provenance=provenance)
    base = fetched[PLUGIN].schema if PLUGIN in fetched else None
    try:
        resources = Catalog([before, bundled()]).resources(id)
        old = WidgetType.from_schema(before[id], id=id, resources=resources, describes="document")
    except (SchemaError, StoreError) as error:
        return Drift(id, "changed", error=error, provenance=provenance)
    try:
        value = schema.schema if schema is not None else before[id]
        new = WidgetType.from_schema(value, id=id, plugin=base, describes="document")
    except SchemaError as error:
        return Drift(id, "failed", error=error, provenance=provenance)
    if old.linked_digest == new.linked_digest and schema is None:
        return Drift(id, "same")
    try:
        comparison = old.compare(new)
    except UnclearSchema as error:  # one of the two can refuse no data
        return Drift(id, "changed", error=error, provenance=provenance)
    origin = with_own_id(before.provenance(id), before[id])
    differs = old.linked_digest != new.linked_digest or not _same(before, schema)
    state: State = "changed" if differs else "same"
    return Drift(id, state, comparison, None, provenance, origin)


def _with_lints(drift: Drift, fetched: Mapping[str, Fetched], *, strict: bool) -> Drift:
    """Return a drift with the lints of what was fetched; with `strict`, it has failed then.

    It has failed, too, if the `$id` says only now that this is another type's schema.
    """
    schema = fetched.get(drift.id)
    if schema is None or drift.state == "failed":
        return drift
    base = fetched[PLUGIN].schema if PLUGIN in fetched else bundled()[PLUGIN]
    try:
        linked = link(schema.schema, {PLUGIN: base} if drift.id != PLUGIN else {}, id=drift.id)
    except SchemaError:  # reported where the type is used
        return drift
    # Those of the base schema are its own.
    inside = tuple(f"{place}/" for place in linked.bases)
    lints = tuple(
        lint for lint in (*linked.lints, *keyword_lints(linked)) if not lint.path.startswith(inside)
    )
    if drift.id != PLUGIN:
        ignored = () if PLUGIN in fetched else base_places(linked)
        about_data = linked.for_member("data")
        unclear = without_assertion(linked, about_data, schema.schema, drift.id, ignored)
        if unclear is not None:
            lints = (*lints, Finding("properties", "", "", unclear.reason, unclear.advice))
    own = () if schema.provenance.lint is None else (schema.provenance.lint,)
    is_swapped = drift.before is not None and drift.before.own_id != schema.provenance.own_id
    refused = (*own, *lints) if strict else own if is_swapped else ()
    if refused:
        error = InvalidSchema(Report(refused, f"schema {drift.id!r}"))
        return replace(drift, state="failed", error=error)
    return replace(drift, lints=lints)


def _same(before: Store, fetched: Fetched | None) -> bool:
    return fetched is None or not _differs(before, fetched.id, fetched)


def _origin(store: Store, id: str) -> Provenance | None:
    try:
        return store.provenance(id)
    except StoreError:
        return None

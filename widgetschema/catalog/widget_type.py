"""`WidgetType`: everything one can do with one type of widget.

The schema of a type describes a whole widget document; `data`, the member that people
edit, is what the methods here are about, unless they say `document`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal

from widgetschema.catalog.store.store import PLUGIN, bundled
from widgetschema.errors import InvalidWidgetData
from widgetschema.files import digest
from widgetschema.findings import Finding, Provenance, Report
from widgetschema.jsontext import DEFAULT_LIMITS, Limits, Text, dump
from widgetschema.schema.linking import LinkedSchema
from widgetschema.schema.metaschema import METASCHEMA
from widgetschema.validation import Validator, link_checked

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from widgetschema.evolution.compare import Comparison, Subject
    from widgetschema.forms import Form, FormFactory
    from widgetschema.samples import Case, CaseSet, Products, Seed
    from widgetschema.validation.fast_path import FastPath


class Resources(Mapping[str, Any]):
    """The given resources, and the base schema; the bundled one is read if it is needed."""

    def __init__(self, plugin: Any, resources: Mapping[str, Any]) -> None:
        self.plugin = plugin
        self.resources = resources

    @property
    def given(self) -> frozenset[str]:
        """The names that do not stand for the bundled base schema."""
        return frozenset([*self.resources, *([PLUGIN] if self.plugin is not None else [])])

    def __getitem__(self, name: str) -> Any:
        if name == PLUGIN and self.plugin is not None:
            return self.plugin
        if name in self.resources:
            return self.resources[name]
        if name == PLUGIN:
            return bundled()[PLUGIN]
        raise KeyError(name)

    def __iter__(self) -> Any:
        yield from (name for name in self.resources if name != PLUGIN)
        yield PLUGIN

    def __len__(self) -> int:
        return len([*iter(self)])


def provenance_of(name: str, schema: Any, *, from_bundle: bool) -> Provenance:
    """Return the provenance of a schema that was given as a value, or is bundled."""
    if name == PLUGIN and from_bundle:
        return bundled().provenance(PLUGIN)
    return Provenance(name, "given", digest(dump(schema, indent=False).encode()))


# The members of a widget record that the platform documents.
RECORD_MEMBERS: Final = frozenset(
    "id name description type projectId previewImage status modelVersion created updated".split()
)


def is_record(value: Any) -> bool:
    """Return whether a value looks like a record of the widgets list, which has no data."""
    return (
        isinstance(value, dict) and "data" not in value and len(RECORD_MEMBERS & value.keys()) > 2
    )


class WidgetType:
    """A widget type: an id, its schema, and the linked schema.

    `schema` is the schema as given, `linked` the self-contained one (every reference
    resolved, base schemas embedded). `digest` is the sha256 of the text of `schema`, as manifests
    and reports have it, `linked_digest` that of `linked` as compact JSON. `source` says where the
    schema came from, `provenance` the same of each schema that it is linked from, the first being
    its own. Treat all of them as read-only.

    Immutable; compiles once; safe to share among threads; pickles.
    """

    def __init__(
        self,
        id: str,
        schema: Any,
        linked: LinkedSchema,
        *,
        source: str = "",
        provenance: tuple[Provenance, ...] = (),
        formats: bool = True,
        engine: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self.id = id
        self.schema = schema
        self.source = source
        self.provenance = provenance
        self._linked = linked
        self._formats = formats
        self._engine = engine
        self._limits = limits
        self._data_schema = linked.for_member("data", self._matches)
        self.validator = Validator.from_linked(
            self._data_schema,
            formats=formats,
            engine=engine,
            limits=limits,
            subject=f"data of widget type {id!r}",
            schemas=provenance,
        )
        self.is_valid = self.validator.is_valid

    @classmethod
    def from_schema(
        cls,
        schema: Any,
        *,
        id: str | None = None,
        plugin: Any = None,
        resources: Mapping[str, Any] | None = None,
        source: str = "",
        provenance: Callable[[str], Provenance | None] | None = None,
        formats: bool = True,
        engine: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> WidgetType:
        """The widget type of a schema.

        `id` is needed where the schema has no `$id`. `plugin` is the base schema that the
        schema refers to by that name; by default the most permissive one that is true.
        `resources` (name or URI → schema) are other schemas it may refer to. `provenance` says
        of the type's own id, and of the name of a resource, where that schema came from; by
        default it is given. `limits` say how deep data may be nested.

        Raises `InvalidSchema`, `UnsupportedDialect`, `UnresolvableReference`,
        `ReferenceLoop`, `EngineUnavailable`.
        """
        # Not `resources or {}`: a source that fetches may know of nothing yet, and so be false.
        known = Resources(plugin, {} if resources is None else resources)
        linked = link_checked(schema, known, id=id)
        name = id or linked.id or "unnamed"
        parts = {name: schema}
        for pointer, base in linked.bases.items():
            if linked.at[pointer] != METASCHEMA:
                parts.setdefault(base, linked.at[pointer])
        origins = tuple(
            (provenance(part) if provenance is not None else None)
            or provenance_of(part, value, from_bundle=part not in known.given)
            for part, value in parts.items()
        )
        return cls(
            name,
            schema,
            linked,
            source=source,
            provenance=origins,
            formats=formats,
            engine=engine,
            limits=limits,
        )

    def with_provenance(self, provenance: tuple[Provenance, ...]) -> WidgetType:
        """Return the same type, compiled as it is, with another provenance in its reports."""
        other = type(self).__new__(type(self))
        known = vars(self)
        for name in ("id", "schema", "source", "_linked", "_formats", "_engine", "_limits"):
            setattr(other, name, known[name])
        other._data_schema = self._data_schema
        other.provenance = provenance
        other.validator = self.validator.with_schemas(provenance)
        other.is_valid = other.validator.is_valid
        if "_document_validator" in known:
            document = self._document_validator.with_schemas(provenance)
            vars(other)["_document_validator"] = document
        return other

    @property
    def linked(self) -> Any:
        """The linked schema, as a JSON value."""
        return self._linked.schema

    def bundle(self) -> Any:
        """Return the linked schema as a JSON value for other validators, which read it alike.

        Every reference is a JSON Pointer from the root, and only the root has an `$id`.
        """
        from widgetschema.schema.linking.bundling import bundle  # few need it

        return bundle(self._linked)

    @property
    def digest(self) -> str:
        """The sha256 of the text of the schema, in hexadecimal, as in its provenance."""
        own = (
            self.provenance[0]
            if self.provenance
            else provenance_of(self.id, self.schema, from_bundle=False)
        )
        return own.digest

    @property
    def linked_digest(self) -> str:
        """The sha256 of the linked schema as compact JSON, in hexadecimal."""
        return self._linked.digest

    @property
    def title(self) -> str | None:
        """The schema's `title`, if it has one."""
        title = self.schema.get("title") if isinstance(self.schema, dict) else None
        return title if isinstance(title, str) else None

    @property
    def lints(self) -> tuple[Finding, ...]:
        """Findings about the schema that are no errors; `path` points into `linked`."""
        return (*Report(schemas=self.provenance).lints, *self._data_schema.lints)

    def _matches(self, pattern: str, name: str) -> bool:
        """Return whether a text matches a pattern, as the engine decides."""
        known = self._compiled_patterns.get(pattern)
        if known is None:
            known = Validator({"pattern": pattern}, engine=self._engine)
            self._compiled_patterns[pattern] = known
        return known.is_valid(name)

    @cached_property
    def _compiled_patterns(self) -> dict[str, Validator]:
        return {}

    @cached_property
    def _document_validator(self) -> Validator:
        return Validator.from_linked(
            self._linked,
            formats=self._formats,
            engine=self._engine,
            limits=self._limits,
            subject=f"document of widget type {self.id!r}",
            schemas=self.provenance,
        )

    def check(self, data: Any, *, max_findings: int | None = None) -> Report:
        """All findings about `data`, a Python value; paths begin at the data.

        With `max_findings`, the first so many of them: see `Validator.check`.
        """
        return self.validator.check(data, max_findings=max_findings)

    def validate(self, data: Any) -> None:
        """Raise `InvalidWidgetData` (with `report`) unless `data` is valid."""
        report = self.validator.check(data)
        if not report.valid:
            raise InvalidWidgetData(report)

    def is_valid_json(self, raw: Text) -> bool:
        """Whether a JSON text of data is readable and valid."""
        return self.validator.is_valid_json(raw)

    def check_json(self, raw: Text, *, max_findings: int | None = None) -> Report:
        """All findings about a JSON text of data, with lines and columns; `max_findings` as for
        `check`.
        """
        return self.validator.check_json(raw, max_findings=max_findings)

    def fast_path(
        self, kind: Literal["data", "document"], pinned: Mapping[str, str | None] | None = None
    ) -> FastPath | None:
        """Return a fast path: it tells texts of data, or of documents, that are certainly valid.

        `pinned` are members of the root object that must be there with this text, or with any if
        None. A document has data. None if the schema cannot be expressed as a type. Each call makes
        a fast path of its own, which takes milliseconds.
        """
        if kind == "data":
            return self.validator.fast_path(pinned)
        return self._document_validator.fast_path(pinned, present=("data",))

    def check_document(self, document: Any, *, max_findings: int | None = None) -> Report:
        """All findings about a whole widget document: a record that holds `data`.

        Paths begin at the document (`/data/content/...`). A record without `data` is
        not a widget document, and says so. `max_findings` is as for `check`.
        """
        report = self._document_validator.check(document, max_findings=max_findings)
        return _missing_data(document, report, max_findings)

    def check_plain(
        self, value: Any, kind: str, max_depth: int = 0, *, max_findings: int | None = None
    ) -> Report:
        """As `check_document`, if `kind` is "document", else as `check`: of a value that `read`
        gave, nested at most `max_depth` deep, which is not looked at once more.
        """
        if max_depth > self._limits.max_depth:
            check = self.check_document if kind == "document" else self.check
            return check(value, max_findings=max_findings)
        if kind == "document":
            report = self._document_validator.check_plain(value, max_findings=max_findings)
            return _missing_data(value, report, max_findings)
        return self.validator.check_plain(value, max_findings=max_findings)

    # What can be made from the schema

    @cached_property
    def _products(self) -> Products:
        from widgetschema.samples import Products  # nobody who only checks pays for it

        return Products(self.validator, self._matches)

    def sample(
        self,
        seed: Seed = 0,
        index: int = 0,
        *,
        fill: float = 0.75,
        overrides: Mapping[str, Any] | None = None,
        locale: str = "en",
    ) -> Any:
        """Valid, realistic data: item `index` of a seed, the same on every machine.

        `fill` is how likely an optional member is, from 0 to 1. `overrides` maps JSON Pointer
        patterns (`*` is any member or item) to a list of values, one of which is taken, or to
        a callable that gets a `random.Random`. `locale` is the language of the texts.

        Raises `CannotGenerate`, `ValueError` for an argument that means nothing, and
        `LookupError` for an unknown locale.
        """
        return self._products.sampler(fill, overrides, locale).sample(seed, index)

    def samples(
        self,
        n: int,
        seed: Seed = 0,
        *,
        start: int = 0,
        fill: float = 0.75,
        overrides: Mapping[str, Any] | None = None,
        locale: str = "en",
    ) -> Iterator[Any]:
        """Items `start` to `start + n - 1` of a seed, one by one; see `sample`."""
        return self._products.sampler(fill, overrides, locale).samples(n, seed, start)

    def sample_document(
        self,
        seed: Seed = 0,
        index: int = 0,
        *,
        fill: float = 0.75,
        overrides: Mapping[str, Any] | None = None,
        locale: str = "en",
    ) -> dict[str, Any]:
        """A valid widget document around `sample(seed, index)`; overrides are about the data."""
        data = self.sample(seed, index, fill=fill, overrides=overrides, locale=locale)
        return self.as_document(data, f"{seed}/{index}", locale=locale)

    def as_document(self, data: Any, key: str = "", *, locale: str = "en") -> dict[str, Any]:
        """A valid widget document around data; `key` decides about the rest of it.

        Raises `CannotGenerate` if the schema refuses it.
        """
        from widgetschema.samples.records import document, settled

        made = document(self.id, data, key, locale)
        return settled(made, self._document_validator, self._document_products.member)

    @cached_property
    def _document_products(self) -> Products:
        from widgetschema.samples import Products

        return Products(self._document_validator, self._matches)

    def minimal(self) -> Any:
        """The least valid data: what must be there, each value the simplest."""
        return self._products.sampler().minimal()

    def maximal(self, *, locale: str = "en") -> Any:
        """Valid data in which every member is there that can be; recursion ends soon."""
        return self._products.sampler(locale=locale).maximal()

    def coverage(self, *, locale: str = "en") -> CaseSet:
        """Valid data in which everything the schema offers is there at least once.

        Each optional member alone and absent, each value and branch, bounds and their
        neighbours, no item, one and many, and all pairs of choices; `ledger` says what is
        covered by which case, and what cannot be, and why. Raises `CannotGenerate`.
        """
        return self._products.coverage(locale)

    def near_misses(self, *, locale: str = "en") -> CaseSet:
        """Invalid data: valid data with one human mistake each.

        `findings` of each case are exactly those that `check` gives; `ledger` lists what could
        not be broken, and why. Raises `CannotGenerate`.
        """
        return self._products.near_misses(locale)

    def strategy(self, *, realistic: bool = False) -> SearchStrategy[Any]:
        """A Hypothesis strategy for valid data; needs the extra `hypothesis`.

        `realistic` data looks like samples; else it is anything that is valid. Raises
        `MissingExtra`, and `CannotGenerate` if there is no valid data.
        """
        return self._products.strategies.valid(realistic=realistic)

    def near_miss_strategy(self, *, realistic: bool = False) -> SearchStrategy[Case]:
        """A Hypothesis strategy for cases of valid data with one mistake in it.

        Raises `MissingExtra`, and `CannotGenerate` if there is nothing that can be broken.
        """
        return self._products.strategies.near_misses(realistic=realistic)

    def form(
        self,
        data: Any = None,
        *,
        ui: Mapping[str, Any] | None = None,
        id: str = "ws",
        prefix: str = "",
    ) -> Form:
        """A form to edit data, a Python value; without it, `minimal()`.

        `ui` maps JSON Pointer patterns in the data (`*` is any member or item) to `label`, `help`,
        `kind`, `example` and `choices`. The ids of HTML elements begin with `id`: forms that are on
        one page need different ones. Forms that are in one `<form>` need a `prefix` each (letters,
        digits, `_` and `-`), with which the names of their controls, and their ids, begin.

        Raises `InvalidFormDescription` if `ui` cannot be used, `InvalidWidgetData` for what JSON
        cannot carry, `FormError`, `CannotGenerate`.
        """
        return self._forms.form(self.minimal() if data is None else data, ui, id, prefix)

    def form_json(
        self,
        raw: Text,
        *,
        at: str = "",
        ui: Mapping[str, Any] | None = None,
        id: str = "ws",
        prefix: str = "",
    ) -> Form:
        """A form to edit the data at `at`, a JSON Pointer, in a JSON text; `/data` in a document.

        Raises `UnreadableDocument`, `InvalidFormDescription`, `FormError` if nothing is there.
        """
        return self._forms.form_json(raw, at, ui, id, prefix)

    @cached_property
    def _forms(self) -> FormFactory:
        from widgetschema.forms import FormFactory

        return FormFactory(self.validator, self._matches)

    # What became of it

    def compare(self, newer: WidgetType) -> Comparison:
        """What changed from this type to a newer one, and whom it breaks.

        A breaking change has a witness: data that is valid here and not by `newer`.
        """
        from widgetschema.evolution.compare import compare

        return compare(self._subject, newer._subject)

    @cached_property
    def _subject(self) -> Subject:
        from widgetschema.evolution.compare import Subject, Version

        version = Version(self.id, self.linked_digest)
        return Subject(version, self.validator, self._document_validator, self._matches)

    def __repr__(self) -> str:
        return f"<WidgetType {self.id!r} {self.digest[:12]}>"

    def __reduce__(self) -> tuple[Any, ...]:
        settings = {
            "source": self.source,
            "provenance": self.provenance,
            "formats": self._formats,
            "engine": self._engine,
            "limits": self._limits,
        }
        return _rebuild, (self.id, self.schema, self._linked, settings)


def _missing_data(document: Any, report: Report, most: int | None) -> Report:
    """Return the report about a document; a missing `data` is its first finding."""
    if not isinstance(document, dict) or "data" in document:
        return report
    told = ("required", "", "data")
    others = [one for one in report if (one.keyword, one.path, one.expected) != told]
    missing = Finding(
        "required",
        "",
        "",
        'the member "data" is missing: this is not a widget document',
        "a record of the widgets list carries no data"
        if is_record(document)
        else "if this is bare data, check it as data",
        expected="data",
    )
    findings = (missing, *others)[:most]
    is_cut = report.truncated or len(findings) <= len(others)
    return replace(report, findings=findings, truncated=is_cut)


def _rebuild(id: str, schema: Any, linked: LinkedSchema, settings: dict[str, Any]) -> WidgetType:
    return WidgetType(id, schema, linked, **settings)

"""`WidgetType`: everything one can do with one type of widget.

The schema of a type describes a whole widget document, or the data itself; `data`, the member that
people edit, is what the methods here are about, unless they say `document`.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Unpack

from widgetschema.cached import cached_property
from widgetschema.catalog.platform_schema import PlatformSchema
from widgetschema.catalog.store.store import PLUGIN, bundled
from widgetschema.errors import (
    InvalidSchema,
    InvalidWidgetData,
    UnclearSchema,
    UnreadableDocument,
)
from widgetschema.files import digest
from widgetschema.findings import Finding, Provenance, Report
from widgetschema.jsontext import (
    DEFAULT_LIMITS,
    Limits,
    SourceText,
    Text,
    dump_line,
    json_text,
    plain_copy,
    read,
)
from widgetschema.lazy import names_successors
from widgetschema.pointers import display_pointer, parse_pointer
from widgetschema.schema.describes import (
    RECORD_MEMBERS,
    Describes,
    base_places,
    decide,
    different_readings,
    refuse_bundled_base,
    without_assertion,
)
from widgetschema.schema.linking import LinkedSchema, resource_map
from widgetschema.schema.located import LocatedSchemas, Place
from widgetschema.schema.metaschema import METASCHEMA
from widgetschema.suggest import did_you_mean
from widgetschema.text import join, shorten
from widgetschema.validation import Validator, link_checked

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy
    from referencing import Registry

    from widgetschema.catalog.options import (
        CaseOptions,
        FormOptions,
        SampleOptions,
        StrategyOptions,
        TypeOptions,
    )
    from widgetschema.evolution.compare import Comparison, Subject
    from widgetschema.evolution.migrate import Migration, Plan
    from widgetschema.forms import Form, FormFactory
    from widgetschema.samples import Case, CaseSet, Products, Seed
    from widgetschema.schema.standalone import Dialect
    from widgetschema.schema.tree import SchemaTree


BUNDLED: Final = "bundled"
# Lints of keywords that were meant to assert something, which every command reports.
_IGNORED: Final = ("keyword.unknown", "keyword.unsupported")


class Resources(LocatedSchemas):
    """The given resources, and the base schema; the bundled one is read if it is needed.

    `uses_bundle` says whether it was.
    """

    def __init__(self, plugin: Any, resources: Mapping[str, Any]) -> None:
        self.plugin = None if isinstance(plugin, str) else plugin
        self.resources = resources
        self.uses_bundle = False

    @property
    def given(self) -> frozenset[str]:
        """The names that do not stand for the bundled base schema."""
        return frozenset([*self.resources, *([PLUGIN] if self.plugin is not None else [])])

    def place(self, name: str | None) -> Place | None:
        """Return the place that a resource was read from; None is for the schema itself."""
        is_value = name == PLUGIN and (self.plugin is not None or PLUGIN not in self.resources)
        known = self.resources if isinstance(self.resources, LocatedSchemas) else None
        return None if known is None or is_value else known.place(name)

    def find(self, uri: str, place: Place) -> str | None:
        """Return the name of the schema in a file to which a schema at `place` refers."""
        assert isinstance(self.resources, LocatedSchemas)  # from which the place is
        return self.resources.find(uri, place)

    def located(self) -> Iterable[str]:
        """Return the names of the resources that are in files."""
        known = self.resources if isinstance(self.resources, LocatedSchemas) else None
        return () if known is None else known.located()

    def __getitem__(self, name: str) -> Any:
        if name == PLUGIN and self.plugin is not None:
            return self.plugin
        if name in self.resources:
            return self.resources[name]
        if name == PLUGIN:
            self.uses_bundle = True
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
    return Provenance(name, "given", digest(dump_line(schema)))


def is_record(value: Any) -> bool:
    """Return whether a value looks like a record of the widgets list, which has no data."""
    return (
        isinstance(value, dict) and "data" not in value and len(RECORD_MEMBERS & value.keys()) > 2
    )


def is_document(value: Any) -> bool:
    """Return whether a value looks like a widget document: `data` and another record member."""
    return type(value) is dict and "data" in value and bool(RECORD_MEMBERS & value.keys())


def is_wrapped(value: Any) -> bool:
    """Return whether a value, checked as data, looks like something that holds the data."""
    return is_document(value) or (type(value) is dict and value.keys() == {"data"})


@names_successors
class WidgetType:
    """A widget type: an id, its schema, and the linked schema.

    `schema` is the schema as given, `linked` the self-contained one (every reference
    resolved, base schemas embedded). `digest` is the sha256 of the text of `schema`, as manifests
    and reports have it, `linked_digest` that of `linked` as compact JSON. `source` says where the
    schema came from, `provenance` the same of each schema that it is linked from, the first being
    its own. Treat all of them as read-only.

    Immutable. It is compiled once, can be pickled, and any number of threads may share it.
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
        unclear: UnclearSchema | None = None,
    ) -> None:
        self.id = id
        self.schema = schema
        self.source = source
        self.provenance = provenance
        self._linked = linked
        self._formats = formats
        self._engine = engine
        self._limits = limits
        self._data_schema = linked.for_member(
            "data",
            lambda pattern, name: Validator({"pattern": pattern}, engine=engine).is_valid(name),
        )
        self._validator = self._make_validator(self._data_schema)
        self._set_unclear(unclear)

    @classmethod
    def from_schema(
        cls,
        schema: Any,
        *,
        id: str | None = None,
        plugin: Any = None,
        resources: Mapping[str, Any] | None = None,
        describes: Describes | None = None,
        source: str = "",
        provenance: Callable[[str], Provenance | None] | None = None,
        **options: Unpack[TypeOptions],
    ) -> WidgetType:
        """Return the widget type of a schema.

        A schema describes widget documents if it is from a platform, if its root refers to the base
        schema `plugin`, through `$ref` and `allOf` only, or if its root names `data` and otherwise
        only properties of a widget record. All others describe the data itself: a document of such
        a type is an object with the property `data`, whose other properties are all allowed.

        Args:
            schema: The JSON value of a schema.
            id: The id of the type; needed if the schema has no `$id`.
            plugin: The base schema that the schema refers to as `plugin`. By default it is the
                bundled one, which permits everything that the platform's documentation does not
                exclude. For a schema from a client, that emits a warning, since the platform may
                have another one: pass `client.widget_type_schema("plugin")`, or "bundled" if it has
                none. A `Catalog` of a `Fetcher` does this by itself.
            resources: Other schemas that it may refer to, by name or URI.
            describes: "document" or "data"; needed if the root of the schema names `data` beside
                properties that no widget record has.
            source: Where the schema came from, for messages.
            provenance: Returns where a schema came from, for the id of the type and for the name of
                each resource; by default, schemas are given. What has an `origin` is from a
                platform.
            **options: See `TypeOptions`: `formats`, `engine`, `limits`.

        Returns:
            The widget type, linked and compiled.

        Raises:
            InvalidSchema: If the schema does not follow the meta-schema of draft-07.
            UnsupportedDialect: If it is not written in draft-07.
            UnresolvableReference: If a reference leads nowhere. Nothing is ever fetched for one.
            ReferenceLoop: If references lead back to themselves.
            UnclearSchema: If nobody can know what it describes. A type that can refuse no data
                raises it when it is used, unless `describes` says how it is meant.
            EngineUnavailable: If the engine is not installed.
            ValueError: If `describes` is neither "document", "data" nor None.
        """
        if isinstance(plugin, str) and plugin != BUNDLED:
            raise TypeError(f'plugin is a schema, None or "bundled", not {shorten(plugin, 40)!r}')
        known = Resources(plugin, resource_map(resources))
        linked = link_checked(schema, known, id=id)
        if isinstance(schema, PlatformSchema) and known.uses_bundle and plugin is None:
            warnings.warn(
                f"the schema {linked.id or id!r} from {schema.base_url} is linked with the bundled "
                "base schema, not with the platform's: pass plugin=client.widget_type_schema(\""
                'plugin"), or plugin="bundled" if the platform has none; a Catalog of a Fetcher '
                "does this by itself",
                UserWarning,
                stacklevel=2,
            )

        def origin(name: str, value: Any) -> Provenance:
            """Return the provenance of a schema, by preference the caller's."""
            known_origin = provenance(name) if provenance is not None else None
            return known_origin or provenance_of(name, value, from_bundle=name not in known.given)

        name = id or linked.id or "unnamed"
        parts = {name: schema}
        for pointer, base in linked.bases.items():
            if linked.at[pointer] != METASCHEMA:
                parts.setdefault(base, linked.at[pointer])
        own, *others = (origin(part, value) for part, value in parts.items())
        from_platform = isinstance(schema, PlatformSchema) or own.origin is not None
        decided = decide(linked, name, decided=describes, from_platform=from_platform)
        bundled_bases = [
            place
            for place in base_places(linked)
            if any(base.id == PLUGIN and base.source == BUNDLED for base in others)
        ]
        if decided == "data":
            refuse_bundled_base(name, bundled_bases)
            linked = linked.as_member("data")
        made = cls(
            name,
            _own_copy(schema),
            linked,
            source=source,
            provenance=(replace(own, describes=decided), *others),
            **options,
        )
        unclear = without_assertion(
            linked,
            made._data_schema,
            schema,
            name,
            bundled_bases,
            is_decided=describes is not None,
        )
        ignored = None if unclear is None else made._ignored_keyword()
        if unclear is not None and ignored is not None:
            unclear = UnclearSchema(name, f"{unclear.reason} ({ignored})", unclear.advice)
        made._set_unclear(unclear)
        return made

    def _make_validator(self, linked: LinkedSchema, subject: str = "data") -> Validator:
        return Validator.from_linked(
            linked,
            formats=self._formats,
            engine=self._engine,
            limits=self._limits,
            subject=f"{subject} of widget type {self.id!r}",
            schemas=self.provenance,
        )

    def _set_unclear(self, unclear: UnclearSchema | None) -> None:
        """Set why the type cannot be used; one that can has the function of its validator."""
        self.unclear = unclear
        if unclear is None:
            object.__setattr__(self, "is_valid", self._validator.is_valid)
        else:
            vars(self).pop("is_valid", None)

    @property
    def validator(self) -> Validator:
        """The validator of the data. Raises `UnclearSchema` if the schema can refuse no data."""
        self.require_clear()
        return self._validator

    def require_clear(self) -> None:
        """Raise `UnclearSchema` if the schema can refuse no data, and nobody says it is meant."""
        if self.unclear is not None:
            raise self.unclear.with_traceback(None)

    @classmethod
    def from_data_schema(
        cls,
        schema: Any,
        *,
        id: str | None = None,
        resources: Mapping[str, Any] | None = None,
        source: str = "",
        **options: Unpack[TypeOptions],
    ) -> WidgetType:
        """Return the widget type of a schema that describes the data itself, not a document.

        This is `from_schema` with `describes="data"`: it is needed only if the root of the schema
        names `data` beside other properties, or if any data is meant to be valid.

        Args:
            schema: The JSON value of a schema.
            id: The id of the type; needed if the schema has no `$id`.
            resources: Other schemas that it may refer to, by name or URI.
            source: Where the schema came from, for messages.
            **options: See `TypeOptions`: `formats`, `engine`, `limits`.

        Returns:
            The widget type, linked and compiled.

        Raises:
            SchemaError: If the schema cannot be used, as for `from_schema`.
            EngineUnavailable: If the engine is not installed.
        """
        return cls.from_schema(
            schema, id=id, resources=resources, describes="data", source=source, **options
        )

    def with_provenance(self, provenance: tuple[Provenance, ...]) -> WidgetType:
        """Return the same type, compiled as it is, with another provenance in its reports."""
        other = type(self).__new__(type(self))
        known = vars(self)
        for name in ("id", "schema", "source", "_linked", "_formats", "_engine", "_limits"):
            setattr(other, name, known[name])
        other._data_schema = self._data_schema
        other.provenance = provenance
        other._validator = self._validator.with_schemas(provenance)
        other._set_unclear(self.unclear)
        if "document_validator" in known:
            document = self.document_validator.with_schemas(provenance)
            vars(other)["document_validator"] = document
        return other

    @property
    def linked(self) -> Any:
        """The linked schema, as a JSON value."""
        return self._linked.schema

    @property
    def registry(self) -> Registry[Any]:
        """The linked schema as a registry of the library `referencing`, which jsonschema takes.

        The schema is found by the id of the type and by its own `$id`: `{"$ref": "countdown"}`.
        """
        return self._linked.registry(self.id)

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
    def describes(self) -> Describes:
        """The subject of the schema: "document", or "data" for the data itself."""
        return "data" if self._linked.root else "document"

    def refuse_lints(self) -> None:
        """Raise `InvalidSchema` if the schema has lints."""
        if self.lints:
            raise InvalidSchema(Report(self.lints, f"schema {self.id!r}"))

    @property
    def note(self) -> str | None:
        """Return a warning about the schema that concerns every check, or None.

        It says that the schema accepts more than its author meant: its keywords are misspelled, or
        those of another draft.
        """
        ignored = self._ignored_keyword()
        return None if ignored is None else f"{ignored}; --strict-schema refuses such schemas"

    def _ignored_keyword(self) -> str | None:
        """Return a sentence about the first keyword that has no effect, or None."""
        ignored = [lint for lint in self.lints if lint.keyword in _IGNORED]
        if not ignored:
            return None
        first, *others = ignored
        more = f" (and {len(others):,} more)" if others else ""
        origin = self.origin_of(first.path)
        where = display_pointer(first.path if origin is None else origin[1])
        if origin is not None and origin[0].id != self.id:
            where += f" of schema {origin[0].id!r}"
        return f"{where}: {first.message}: {first.hint}{more}"

    @property
    def lints(self) -> tuple[Finding, ...]:
        """Findings about the schema that are no errors; `path` points into `linked`."""
        from widgetschema.schema.lints import lints as keyword_lints  # not needed for checking

        return (
            *Report(schemas=self.provenance).lints,
            *self._linked.lints,
            *keyword_lints(self._linked),
        )

    @cached_property
    def document_validator(self) -> Validator:
        """The validator of documents, which hold the data."""
        self.require_clear()
        return self._make_validator(self._linked, "document")

    def is_valid(self, data: Any, /) -> bool:
        """Return whether data is valid.

        Args:
            data: The widget data, as Python values. For JSON text, there is `is_valid_json`.

        Returns:
            True if there are no findings.
        """
        return self.validator.is_valid(data)  # each type has that function itself: one call less

    def check(self, data: Any, *, max_findings: int | None = None) -> Report:
        """Return the report about data.

        Args:
            data: The widget data, as Python values.
            max_findings: Stop after this many findings; None finds all.

        Returns:
            The findings; their paths begin at the data.
        """
        report = self.validator.check(data, max_findings=max_findings)
        return report if report.valid else with_hint(report, data)

    def validate(self, data: Any) -> None:
        """Raise `InvalidWidgetData` unless data is valid.

        Args:
            data: The widget data, as Python values.

        Raises:
            InvalidWidgetData: If the data is invalid; `report` has all findings.
        """
        _raise_invalid(self.check(data))

    def to_plain(self, data: Any) -> Any:
        """Return a copy of valid data that is safe to store: what its JSON text says.

        In the copy, the members of an `Enum` are their values, `UUID`s are texts, tuples are lists,
        and instances of other subclasses of `dict`, `list`, `str`, `int` and `float` are plain
        values.

        Args:
            data: The widget data, as Python values.

        Returns:
            The copy. It is what was checked; later changes of `data` do not reach it.

        Raises:
            InvalidWidgetData: If the data is invalid; `report` has all findings.
        """
        plain, unfit = plain_copy(data, self._limits.max_depth)
        _raise_invalid(self.check(data if unfit else plain))
        return plain

    def is_valid_json(self, raw: Text) -> bool:
        """Return whether a JSON text of data is readable and valid.

        Args:
            raw: The JSON text, as UTF-8 bytes or a str.

        Returns:
            True if there are no findings.
        """
        return self.validator.is_valid_json(raw)

    def check_json(self, raw: Text, *, max_findings: int | None = None) -> Report:
        """Return the report about a JSON text of data.

        Args:
            raw: The JSON text, as UTF-8 bytes or a str.
            max_findings: Stop after this many findings; None finds all.

        Returns:
            The findings, with lines and columns; a text that is not JSON has one that says so.
        """
        report = self.validator.check_json(raw, max_findings=max_findings)
        if report.valid or report.findings[0].keyword.startswith("json."):
            return report
        return with_hint(report, read(raw, self._limits))

    def validate_json(self, raw: Text) -> None:
        """Raise `InvalidWidgetData` unless a JSON text of data is readable and valid.

        Args:
            raw: The JSON text, as UTF-8 bytes or a str.

        Raises:
            InvalidWidgetData: If the text is not JSON, or its data is invalid; `report` has all
                findings, with lines and columns.
        """
        _raise_invalid(self.check_json(raw))

    def validator_at(self, pointer: str) -> Validator:
        """Return a validator of values that hold data at a JSON Pointer of property names.

        Paths of its findings begin at the value. That there is no data is a finding.
        """
        linked = self._data_schema
        for name in reversed(parse_pointer(pointer)):
            linked = linked.as_member(name)
        return self._make_validator(linked)

    def check_document(self, document: Any, *, max_findings: int | None = None) -> Report:
        """Return the report about a whole widget document: a record that holds `data`.

        Args:
            document: The widget document, as Python values.
            max_findings: Stop after this many findings; None finds all.

        Returns:
            The findings; their paths begin at the document (`/data/content/...`). A record without
            `data` is not a widget document: that is a finding.
        """
        report = self.document_validator.check(document, max_findings=max_findings)
        return _about_wrapping(document, report, max_findings)

    def is_valid_document(self, document: Any) -> bool:
        """Return whether a whole widget document is valid.

        Args:
            document: The widget document, as Python values.

        Returns:
            True if there are no findings.
        """
        has_data = not isinstance(document, dict) or "data" in document
        return has_data and self.document_validator.is_valid(document)

    def check_document_json(self, raw: Text, *, max_findings: int | None = None) -> Report:
        """Return the report about a JSON text of a whole widget document.

        Args:
            raw: The JSON text, as UTF-8 bytes or a str.
            max_findings: Stop after this many findings; None finds all.

        Returns:
            The findings as of `check_document`, with lines and columns; a text that is not JSON has
            one that says so.
        """
        raw = json_text(raw)
        try:
            document = read(raw, self._limits, self.document_validator.subject)
        except UnreadableDocument as error:
            return replace(error.report, schemas=self.provenance)
        report = self.check_plain(document, "document", max_findings=max_findings)
        if report.valid:
            return report
        return replace(report, findings=SourceText(raw, value=document).place(report.findings))

    def validate_document(self, document: Any) -> None:
        """Raise `InvalidWidgetData` unless a whole widget document is valid.

        Args:
            document: The widget document, as Python values.

        Raises:
            InvalidWidgetData: If the document is invalid; `report` has all findings.
        """
        _raise_invalid(self.check_document(document))

    def check_plain(
        self,
        value: Any,
        kind: str,
        max_depth: int = 0,
        *,
        max_findings: int | None = None,
    ) -> Report:
        """Check a value that `read` gave: like `check_document` if `kind` is "document", else like
        `check`. The value is nested at most `max_depth` deep, which is not looked at once more.
        """
        if max_depth > self._limits.max_depth:
            check = self.check_document if kind == "document" else self.validator.check
            return check(value, max_findings=max_findings)
        validator = self.document_validator if kind == "document" else self.validator
        report = validator.check_plain(value, max_findings=max_findings)
        return _about_wrapping(value, report, max_findings) if kind == "document" else report

    def data_schema(
        self, *, dialect: Dialect = "2020-12", ref_prefix: str | None = None
    ) -> dict[str, Any]:
        """Return the schema of the data as one self-contained schema, for OpenAPI and other tools.

        It accepts the same data, in either dialect, except for what the dialect leaves open: in
        2020-12, `format` and the content keywords are annotations by default.

        Args:
            dialect: "2020-12", which OpenAPI 3.1 has, or "draft-07".
            ref_prefix: The beginning of all references, such as `#/components/schemas/`. Then the
                names of the definitions begin with the id of the type, and those of several types
                can be in one object. By default, references lead to the definitions in the result.

        Returns:
            A new JSON value; the definitions are in its property `$defs` (`definitions` in
            draft-07), also with a `ref_prefix`: move them to where the references lead.

        Raises:
            ValueError: For another dialect.
        """
        from widgetschema.schema.standalone import standalone  # few need it

        owner = "" if ref_prefix is None else self.id
        return standalone(self.validator.linked, dialect, ref_prefix, owner)

    # What can be made from the schema

    @cached_property
    def schema_tree(self) -> SchemaTree:
        """The schema tree of the data: all that applies to each place of it."""
        from widgetschema.schema.tree import SchemaTree  # not needed for checking

        return SchemaTree(self.validator.linked, self.validator.matches)

    @cached_property
    def allows_array(self) -> bool:
        """True if an array may be data of this type; otherwise it can only be a list of data."""
        root = self.schema_tree.root
        if "array" not in root.kinds:
            return False
        node = root.of_kind("array")
        return all(
            any(
                "array" in node.choose(choice, index).kinds for index in range(len(choice.branches))
            )
            for choice in node.choices
        )

    @cached_property
    def document_tree(self) -> SchemaTree:
        """The schema tree of a widget document: all that applies to each place of it."""
        from widgetschema.schema.tree import SchemaTree  # not needed for checking

        return SchemaTree(self.document_validator.linked, self.document_validator.matches)

    def origin_of(self, pointer: str) -> tuple[Provenance, str] | None:
        """Return the provenance of a part of the linked schema.

        Args:
            pointer: The JSON Pointer of the part in the linked schema.

        Returns:
            The provenance of the schema that has the part, and its JSON Pointer there; None for
            what is in no schema, but follows from one.
        """
        if pointer and not pointer.startswith("/"):
            return None
        bases = [base for base in self._linked.bases if f"{pointer}/".startswith(f"{base}/")]
        base = max(bases, key=len, default="")
        name = self._linked.bases[base] if base else self.id
        own = (provenance for provenance in self.provenance if provenance.id == name)
        provenance = next(own, None)
        return None if provenance is None else (provenance, pointer.removeprefix(base))

    @cached_property
    def _products(self) -> Products:
        from widgetschema.samples import Products  # not needed for checking

        return Products(self.validator)

    def sample(self, seed: Seed = 0, index: int = 0, **options: Unpack[SampleOptions]) -> Any:
        """Return valid, realistic data: item `index` of a seed, the same on every machine.

        Args:
            seed: Any number or text.
            index: The number of the item, from 0.
            **options: See `SampleOptions`: `fill`, `overrides`, `locale`, `max_depth`, `max_items`,
                `examples`, `horizon`.

        Returns:
            The data, as Python values.

        Raises:
            CannotGenerate: If there is no valid data, or none can be found.
            ValueError: For an unusable argument.
            LookupError: For an unknown locale.
        """
        _check_options("sample", options, "SampleOptions")
        return self._products.sampler(**options).sample(seed, index)

    def samples(
        self, n: int, seed: Seed = 0, *, start: int = 0, **options: Unpack[SampleOptions]
    ) -> Iterator[Any]:
        """Yield items `start` to `start + n - 1` of a seed, see `sample`.

        Args:
            n: The number of items.
            seed: Any number or text.
            start: The number of the first item.
            **options: As for `sample`.

        Yields:
            Valid data, as Python values.

        Raises:
            CannotGenerate: If there is no valid data, or none can be found.
            ValueError: For an unusable argument.
            LookupError: For an unknown locale.
        """
        _check_options("samples", options, "SampleOptions")
        return self._products.sampler(**options).samples(n, seed, start)

    def sample_document(
        self, seed: Seed = 0, index: int = 0, **options: Unpack[SampleOptions]
    ) -> dict[str, Any]:
        """Return a valid widget document around `sample(seed, index)`.

        Args:
            seed: Any number or text.
            index: The number of the item, from 0.
            **options: As for `sample`; `overrides` are patterns in the data.

        Returns:
            The document.

        Raises:
            CannotGenerate: If there is no valid document, or none can be found.
        """
        data = self.sample(seed, index, **options)
        locale, horizon = options.get("locale", "en"), options.get("horizon")
        return self.as_document(data, f"{seed}/{index}", locale=locale, horizon=horizon)

    def as_document(
        self, data: Any, key: str = "", *, locale: str = "en", horizon: str | None = None
    ) -> dict[str, Any]:
        """Return a valid widget document around data.

        Args:
            data: The widget data.
            key: Decides the values of the other properties: the same for the same key.
            locale: The language of the texts.
            horizon: As for `sample`.

        Returns:
            The document.

        Raises:
            CannotGenerate: If the schema refuses it.
        """
        from widgetschema.samples.records import document, settled

        made = document(self.id, data, key, locale, horizon)
        return settled(made, self.document_validator, self._document_products.member)

    @cached_property
    def _document_products(self) -> Products:
        from widgetschema.samples import Products

        return Products(self.document_validator)

    def minimal(self, *, horizon: str | None = None) -> Any:
        """Return the smallest valid data: only required properties, each with the simplest value.

        Args:
            horizon: As for `sample`.

        Raises:
            CannotGenerate: If there is no valid data, or none can be found.
            ValueError: For an unusable argument.
        """
        return self._products.sampler(horizon=horizon).minimal()

    def maximal(self, **options: Unpack[CaseOptions]) -> Any:
        """Return valid data with every property that can be there; recursion ends soon.

        Args:
            **options: See `CaseOptions`: `locale`, `max_depth`, `max_items`, `horizon`.

        Raises:
            CannotGenerate: If there is no valid data, or none can be found.
            ValueError: For an unusable argument.
        """
        _check_options("maximal", options, "CaseOptions")
        return self._products.maximal(**options)

    def coverage(self, **options: Unpack[CaseOptions]) -> CaseSet:
        """Return valid data that uses everything the schema offers at least once.

        That is each optional property alone and absent, each value and branch, bounds and their
        neighbours, no item, one and many, and all pairs of choices.

        Args:
            **options: See `CaseOptions`: `locale`, `max_depth`, `max_items`, `horizon`.

        Returns:
            The cases; `ledger` says which case covers what, and what cannot be covered, and why.

        Raises:
            CannotGenerate: If there is no valid data, or none can be found.
            ValueError: For an unusable argument.
        """
        _check_options("coverage", options, "CaseOptions")
        return self._products.coverage(**options)

    def near_misses(self, **options: Unpack[CaseOptions]) -> CaseSet:
        """Return invalid data: valid data with one human mistake each.

        Args:
            **options: See `CaseOptions`: `locale`, `max_depth`, `max_items`, `horizon`.

        Returns:
            The cases. The `findings` of each are those of `check`; `ledger` lists what could not be
            broken, and why.

        Raises:
            CannotGenerate: If there is no valid data, or none can be found.
            ValueError: For an unusable argument.
        """
        _check_options("near_misses", options, "CaseOptions")
        return self._products.near_misses(**options)

    def strategy(self, **options: Unpack[StrategyOptions]) -> SearchStrategy[Any]:
        """Return a Hypothesis strategy for valid data.

        Args:
            **options: See `StrategyOptions`: `realistic`, `max_depth`, `max_items`, `examples`,
                `horizon`.

        Raises:
            MissingExtra: If Hypothesis is not installed.
            CannotGenerate: If there is no valid data.
            ValueError: For an unusable argument.
        """
        _check_options("strategy", options, "StrategyOptions")
        return self._products.strategies.valid(**options)

    def near_miss_strategy(self, **options: Unpack[StrategyOptions]) -> SearchStrategy[Case]:
        """Return a Hypothesis strategy for cases of valid data with one mistake in it.

        Args:
            **options: As for `strategy`.

        Raises:
            MissingExtra: If Hypothesis is not installed.
            CannotGenerate: If nothing can be broken.
            ValueError: For an unusable argument.
        """
        _check_options("near_miss_strategy", options, "StrategyOptions")
        return self._products.strategies.near_misses(**options)

    def new_data(self) -> Any:
        """Return the data of a new document: what the schema declares, and nothing made up.

        Each required property has its `default`, if its own schema accepts that, or the only value
        that it allows (`const`); a required object has its required properties by the same rule.
        All else is left out, so the data may be invalid: a form asks for the rest.

        Returns:
            The data, as Python values. If nothing is declared, `{}`, `[]` or None.
        """
        return self._forms.new_data()

    def form(self, data: Any = None, **options: Unpack[FormOptions]) -> Form:
        """Return a form to edit data.

        Args:
            data: The widget data, as Python values; by default `new_data()`.
            **options: See `FormOptions`: `ui`, `id`, `prefix`, `lang`.

        Raises:
            UnknownLanguage: If this package has no texts in the language.
            InvalidFormDescription: If `ui` cannot be used.
            InvalidWidgetData: For values that JSON cannot represent.
            FormError: If the form cannot be built.
        """
        _check_options("form", options, "FormOptions")
        data = self.new_data() if data is None else data
        return self._forms.form(data, **_with_language(options))

    def form_json(self, raw: Text, *, at: str = "", **options: Unpack[FormOptions]) -> Form:
        """Return a form to edit data in a JSON text, which is changed only where the form is.

        Args:
            raw: The JSON text, as UTF-8 bytes or a str.
            at: The JSON Pointer of the data in the text; `/data` in a widget document.
            **options: See `FormOptions`: `ui`, `id`, `prefix`, `lang`.

        Raises:
            UnknownLanguage: If this package has no texts in the language.
            UnreadableDocument: If the text is not JSON.
            InvalidFormDescription: If `ui` cannot be used.
            FormError: If there is nothing at `at`.
        """
        _check_options("form_json", options, "FormOptions")
        return self._forms.form_json(raw, at, **_with_language(options))

    @cached_property
    def _forms(self) -> FormFactory:
        from widgetschema.forms import FormFactory
        from widgetschema.forms.fields.labels import label_from_name

        title = self.title or (label_from_name(self.id) if self.id else "")
        return FormFactory(self.validator, title)

    # What became of it

    def compare(self, newer: WidgetType) -> Comparison:
        """Compare this type with a newer version of it.

        Args:
            newer: The newer version.

        Returns:
            What changed, and whom it breaks. The witness of a breaking change is data that is valid
            here, and invalid for `newer`.

        Raises:
            UnclearSchema: If one of the two describes documents, and the other the data itself.
        """
        from widgetschema.evolution.compare import compare

        self.require_comparable(newer)
        return compare(self._subject, newer._subject)

    def migration(
        self,
        newer: WidgetType,
        plan: Plan | str | os.PathLike[str] | None = None,
        *,
        allow_code: bool = False,
    ) -> Migration:
        """Return the migration of data of this type to a newer version of it.

        Args:
            newer: The newer version.
            plan: The plan, or its file; by default the steps that `migrate plan` proposes as
                certain, without those that it guesses. Finding these may take seconds.
            allow_code: Permit steps that call Python functions.

        Returns:
            The migration, whose `apply`, `apply_json` and `migrate_json` carry data over.

        Raises:
            OSError: If the file cannot be read.
            InvalidPlan: If the plan cannot be used, is one for other schemas, or has code that is
                not permitted.
            UnclearSchema: If one of the two describes documents, and the other the data itself.
        """
        from widgetschema.evolution.migrate import Migration, Plan, PlanSchema, read_plan

        self.require_comparable(newer)
        if plan is None:
            from widgetschema.evolution.migrate.proposals import propose  # few need it

            old, new = (PlanSchema(id=one.id, digest=one.linked_digest) for one in (self, newer))
            proposal = propose(self.compare(newer), self._subject, newer._subject)
            certain = (entry.step for entry in proposal.entries if entry.is_active)
            plan = Plan(old=old, new=new, steps=tuple(one for one in certain if one is not None))
        elif not isinstance(plan, Plan):
            plan = read_plan(plan)
        return Migration(self._subject, newer._subject, plan, allow_code=allow_code)

    def require_comparable(self, newer: WidgetType) -> None:
        """Raise `UnclearSchema` if a newer version does not describe the same as this one."""
        self.require_clear()
        newer.require_clear()
        if self.describes != newer.describes:
            raise different_readings(newer.id, self.describes, newer.describes)

    @cached_property
    def _subject(self) -> Subject:
        from widgetschema.evolution.compare import Subject, Version

        version = Version(self.id, self.linked_digest)
        return Subject(version, self.validator, self.document_validator)

    def __repr__(self) -> str:
        return f"<WidgetType {self.id!r} {self.digest[:12]}>"

    def __reduce__(self) -> tuple[Any, ...]:
        settings = {
            "source": self.source,
            "provenance": self.provenance,
            "formats": self._formats,
            "engine": self._engine,
            "limits": self._limits,
            "unclear": self.unclear,
        }
        return _rebuild, (self.id, self.schema, self._linked, settings)


def _check_options(function: str, options: Mapping[str, Any], kind: str) -> None:
    """Raise `TypeError` for an option that a function does not have.

    `kind` is the class in `widgetschema.catalog.options`, which is imported if there are options.
    """
    if not options:
        return
    from widgetschema.catalog import options as kinds

    known = [*getattr(kinds, kind).__annotations__]
    for name in options:
        if name not in known:
            meant = did_you_mean(name, known) or f"; its options are {join(known)}"
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}{meant}")


def _with_language(options: FormOptions) -> dict[str, Any]:
    """Return the options of a form as `FormFactory` takes them."""
    from widgetschema.languages import as_language

    others: dict[str, Any] = {**options}
    language = as_language(others.pop("lang", "en"))
    return {**others, "language": language}


def _own_copy(schema: Any) -> Any:
    """Return a copy of a schema that linked, so that later changes by the caller do not show."""
    return plain_copy(schema, DEFAULT_LIMITS.max_depth)[0]


def _raise_invalid(report: Report) -> None:
    if not report.valid:
        raise InvalidWidgetData(report)


def with_hint(report: Report, data: Any) -> Report:
    """Return a report of invalid data, with a hint if that looks like something else."""
    if is_record(data):
        hint = "this looks like a record of the widgets list, which carries no data"
    elif is_wrapped(data):
        hint = (
            'this looks like a widget document: check its property "data", '
            "or check all of it as a document"
        )
    else:
        return report
    return _hinted(report, hint)


def _hinted(report: Report, hint: str) -> Report:
    """Return a report of invalid data with another hint at its first finding."""
    first, *others = report.findings
    both = "; ".join(filter(None, (first.hint, hint)))
    return replace(report, findings=(first.with_hint(both), *others))


def _about_wrapping(document: Any, report: Report, most: int | None) -> Report:
    """Return the report about a document: a missing `data` first, a hint about a doubled one."""
    if not isinstance(document, dict):
        return report
    if "data" in document:
        data = document["data"]
        if report.valid or not (type(data) is dict and data.keys() == {"data"}):
            return report
        return _hinted(report, 'the data is wrapped twice, in "data" of "data"')
    known = ("required", "", "data")
    others = [other for other in report if (other.keyword, other.path, other.expected) != known]
    missing = Finding(
        "required",
        "",
        "",
        'the property "data" is missing: this is not a widget document',
        "records of the widgets list have no data"
        if is_record(document)
        else "if this is the data itself, check it as data",
        expected="data",
    )
    findings = (missing, *others)[:most]
    is_cut = report.truncated or len(findings) <= len(others)
    return replace(report, findings=findings, truncated=is_cut)


def _rebuild(id: str, schema: Any, linked: LinkedSchema, settings: dict[str, Any]) -> WidgetType:
    return WidgetType(id, schema, linked, **settings)

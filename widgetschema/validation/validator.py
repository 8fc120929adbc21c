"""`Validator`: one schema, compiled once, that decides fast and explains on demand."""

from __future__ import annotations

from collections.abc import Awaitable, Container, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from widgetschema.cached import cached_property
from widgetschema.errors import InvalidSchema, UnreadableDocument
from widgetschema.findings import Finding, Provenance, Report
from widgetschema.jsontext import (
    DEFAULT_LIMITS,
    Guard,
    Limits,
    SourceText,
    Text,
    json_text,
    plain_copy,
    read_and_decide,
)
from widgetschema.jsontext.values import accepts_none, awaitable_message
from widgetschema.lazy import names_successors
from widgetschema.schema.keywords import texts
from widgetschema.schema.linking import LinkedSchema, link
from widgetschema.schema.metaschema import METASCHEMA
from widgetschema.validation.engines import Decide, Engine, compile_form, engine_form, load_engine

if TYPE_CHECKING:
    from widgetschema.validation.explain.walk import Explainer


@names_successors
class Validator:
    """A compiled draft-07 schema that decides about any JSON instance, and explains.

    Immutable, safe to share among threads; pickles, and compiles again when loaded. A schema is
    taken as the specification has it (JSON Schema draft-07, core and validation).

    Args:
        schema: The schema, an object or a boolean.
        resources: Schemas that it may refer to beyond itself, by name or URI.
        formats: Whether to assert the formats of draft-07 and the content keywords (validation
            specification, sections 7 and 8).
        engine: "rust" (jsonschema-rs), "python" (jsonschema), or None for the first of these that
            is installed; the findings are the same.
        limits: How many bytes and levels a document may have.

    Raises:
        InvalidSchema: The schema, or one that it refers to, is not valid.
        UnsupportedDialect: The schema is of another dialect than draft-07.
        UnresolvableReference: A reference leads nowhere.
        ReferenceLoop: References lead back to themselves.
        EngineUnavailable: The engine is not installed.
    """

    schemas: tuple[Provenance, ...] = ()
    """The origins of the schema, and of each that it refers to, as far as they are known."""

    def __init__(
        self,
        schema: Any,
        *,
        resources: Mapping[str, Any] | None = None,
        formats: bool = True,
        engine: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        linked = link_checked(schema, resources)
        self._set_up(linked, formats=formats, engine=engine, limits=limits, subject="instance")

    @classmethod
    def from_linked(
        cls,
        linked: LinkedSchema,
        *,
        formats: bool = True,
        engine: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
        subject: str = "instance",
        schemas: tuple[Provenance, ...] = (),
    ) -> Validator:
        """Return the validator of a schema that is linked, and known to be valid, already.

        Args:
            linked: The linked schema.
            formats: Whether to assert formats and content keywords.
            engine: The engine by name; None for the first that is installed.
            limits: How many bytes and levels a document may have.
            subject: What is checked, for the heading of reports.
            schemas: The provenance of the schema and of those that it refers to, for reports.

        Returns:
            The validator.

        Raises:
            InvalidSchema: The engine cannot compile a pattern.
            EngineUnavailable: The engine is not installed.
        """
        validator = cls.__new__(cls)
        validator.schemas = schemas
        validator._set_up(linked, formats=formats, engine=engine, limits=limits, subject=subject)
        return validator

    def with_schemas(self, schemas: tuple[Provenance, ...]) -> Validator:
        """Return the same validator, with reports that give this provenance of its schemas."""
        other = self._copy()
        other.schemas = schemas
        other._no_findings = Report((), self.subject, schemas)
        return other

    def with_chosen(self, chosen: Mapping[str, Container[str]]) -> Validator:
        """Return the same validator, with findings that take these alternatives for meant.

        Args:
            chosen: The JSON Pointers of alternatives in the linked schema, by that of a value.
        """
        other = self._copy()
        other._explainer = self._explainer.with_chosen(chosen)
        return other

    def _copy(self) -> Validator:
        other = type(self).__new__(type(self))
        vars(other).update(vars(self))
        return other

    def _set_up(
        self,
        linked: LinkedSchema,
        *,
        formats: bool,
        engine: str | None,
        limits: Limits,
        subject: str,
    ) -> None:
        self.linked = linked
        self.formats = formats
        self.limits = limits
        self.subject = subject
        self._no_findings = Report((), subject, self.schemas)
        self._engine_name = engine
        self._engine: Engine = load_engine(engine)
        self._decide = compile_form(self._engine, linked, formats)
        self._guard = Guard(limits.max_depth)
        # A function of its own for each validator, because this is the hottest path there is.
        is_valid = self._guard.decider(self._decide, self._is_valid_slowly, lambda: self._accepts)
        for name in ("__doc__", "__module__", "__name__", "__qualname__"):  # for `help`
            setattr(is_valid, name, getattr(Validator.is_valid, name))
        # Not `self.is_valid = …`: editors would lead there, and not to the documented method.
        object.__setattr__(self, "is_valid", is_valid)

    @cached_property
    def _accepts(self) -> Decide:
        """The decision that accepts only what is valid and shallow, and not all of that."""
        form = engine_form(self.linked, self.formats)
        shallow = self._engine.shallow_decider(form, self.formats, self._guard.levels)
        return shallow or accepts_none

    @property
    def engine(self) -> str:
        """The name of the engine that decides."""
        return self._engine.name

    @property
    def schema(self) -> Any:
        """The linked schema."""
        return self.linked.schema

    @cached_property
    def _explainer(self) -> Explainer:
        from widgetschema.validation.explain.checks import compile_checks  # for few runs
        from widgetschema.validation.explain.deferred import deferred_finding, with_proposed_fix
        from widgetschema.validation.explain.walk import Explainer

        def proposing(instance: Any, most: int) -> list[Finding]:
            return [*map(with_proposed_fix, islice(self._findings(instance, None), most))]

        return Explainer(
            self.linked, self._engine, self.formats, compile_checks, deferred_finding, proposing
        )

    def decides(self, instance: Any) -> bool:
        """Return the engine's answer about a plain value, such as `read` returns."""
        return self._decide(instance)

    def is_valid(self, instance: Any, /) -> bool:
        """Return whether a Python value is valid, and is JSON at all.

        Args:
            instance: Any Python value. For JSON text, there is `is_valid_json`.

        Returns:
            True if there are no findings.
        """
        return self._is_valid_slowly(instance)  # each validator has a faster one, see `_set_up`

    def _is_valid_slowly(self, instance: Any) -> bool:
        """Return the answer for a value that the guard or the engine cannot take as it is."""
        _refuse_awaitable(instance)
        plain, findings = plain_copy(instance, self.limits.max_depth)
        return not findings and self._decide(plain)

    def check(self, instance: Any, *, max_findings: int | None = None) -> Report:
        """Return all findings about a Python value, or the first `max_findings` of them.

        With a limit, time and memory do not grow with the number of findings. What findings say
        is put into words when it is read, of a copy of the value: it may change after the check.

        Args:
            instance: Any Python value; what JSON cannot carry is a finding.
            max_findings: The limit, at least 1; None for all findings.

        Returns:
            The report, which is `truncated` if there are more findings than the limit, or if the
            search for them was cut off at its limit of effort.

        Raises:
            ValueError: The limit is below 1.
        """
        return self._report(self._iter_findings(instance, max_findings), max_findings)

    def check_plain(self, instance: Any, *, max_findings: int | None = None) -> Report:
        """Return what `check` returns, for a plain value such as `read` returns.

        The findings keep the value itself, which must not change before they are read.
        """
        return self._report(self._findings(instance, max_findings), max_findings)

    def iter_findings(self, instance: Any) -> Iterator[Finding]:
        """Yield the findings about a Python value one by one, as they are found."""
        return self._iter_findings(instance, None)

    def repeated_finding(self, instance: Any) -> Finding | None:
        """Return the only finding about an invalid plain value, if many values before had it.

        None does not say that there is none.
        """
        explainer = self._explainer
        violation = explainer.repeated.violation(instance, self._decide)
        return None if violation is None else explainer.finding_of(violation, explainer, instance)

    def fits(self, pointer: str, value: Any) -> bool:
        """Return whether a plain value is valid against the subschema at a JSON Pointer."""
        return self._explainer.fits(pointer, value)

    def matches(self, pattern: str, name: str) -> bool:
        """Return whether a text matches a pattern, as the engine decides."""
        known = self._pattern_validators.get(pattern)
        if known is None:
            known = Validator({"pattern": pattern}, engine=self._engine_name)
            self._pattern_validators[pattern] = known
        return known.is_valid(name)

    @cached_property
    def _pattern_validators(self) -> dict[str, Validator]:
        return {}

    def _iter_findings(self, instance: Any, most: int | None) -> Iterator[Finding]:
        # A slow engine is asked once, about a copy.
        encoded = self._guard.encode(instance) if self._engine.is_quick else None
        if encoded is None:
            return self._copied(instance, most)
        try:
            is_valid = self._decide(instance)
        except ValueError:  # types that only the copy does not have
            is_valid = False
        return iter(()) if is_valid else self._findings(self._guard.decode(encoded), most)

    def _copied(self, instance: Any, most: int | None) -> Iterator[Finding]:
        """Return the findings about a plain copy, after those about what JSON cannot carry."""
        _refuse_awaitable(instance)
        plain, unfit = plain_copy(instance, self.limits.max_depth)
        if not unfit:
            return self._findings(plain, most)
        # What JSON cannot carry is null in the copy: nothing more is to be said of it.
        places = [finding.path for finding in unfit]
        findings = self._findings(plain, None)
        return chain(unfit, (one for one in findings if not _is_at(one.path, places)))

    def _report(self, findings: Iterator[Finding], most: int | None) -> Report:
        if most is not None and most < 1:
            raise ValueError(f"max_findings must be at least 1, not {most}")
        reported = (*islice(findings, most),)
        is_cut = len(reported) == most and next(findings, None) is not None
        is_cut |= bool(reported) and reported[-1].keyword == "schema"
        return Report(reported, self.subject, self.schemas, is_cut)

    def is_valid_json(self, raw: Text) -> bool:
        """Return whether a JSON text, bytes or a string, is readable and valid."""
        try:
            value, is_accepted = read_and_decide(raw, self._accepts, self.limits, self.subject)
        except UnreadableDocument:
            return False
        return is_accepted or self._decide(value)

    def check_json(self, raw: Text, *, max_findings: int | None = None) -> Report:
        """Return all findings about a JSON text, with lines and columns.

        Args:
            raw: The text, as bytes (UTF-8) or a string.
            max_findings: The limit, as for `check`.

        Returns:
            The report. Text that is not JSON has findings whose keyword begins with `json.`.

        Raises:
            ValueError: The limit is below 1.
        """
        try:
            instance, is_accepted = read_and_decide(raw, self._accepts, self.limits, self.subject)
        except UnreadableDocument as error:
            return replace(error.report, schemas=self.schemas)
        if is_accepted and max_findings is None:
            return self._no_findings
        report = self.check_plain(instance, max_findings=max_findings)
        if report.valid:
            return report
        return replace(
            report, findings=SourceText(json_text(raw), value=instance).place(report.findings)
        )

    def _findings(self, instance: Any, most: int | None) -> Iterator[Finding]:
        """Return the findings about a plain value: none, if the engine says so."""
        return iter(()) if self._decide(instance) else self._explained(instance, most)

    def _explained(self, instance: Any, most: int | None) -> Iterator[Finding]:
        """Yield the findings about a plain value that the engine found invalid."""
        finding = None
        for finding in self._explainer.findings(instance, most):
            yield finding
        if finding is None:  # a match was stopped once, and not the other time
            yield Finding("schema", "", "", texts()["schema"]())

    def __repr__(self) -> str:
        return f"<Validator of {self.subject} ({self.engine})>"

    def __reduce__(self) -> tuple[Any, ...]:
        arguments = (self.linked, self.formats, self._engine_name, self.limits, self.subject)
        return _rebuild, (type(self), (*arguments, self.schemas))


def _refuse_awaitable(instance: Any) -> None:
    if isinstance(instance, Awaitable):
        raise TypeError(awaitable_message(instance, "data"))


def _is_at(path: str, places: list[str]) -> bool:
    return any(path == place or path.startswith(f"{place}/") for place in places)


def _rebuild(cls: type[Validator], arguments: tuple[Any, ...]) -> Validator:
    linked, formats, engine, limits, subject, schemas = arguments
    return cls.from_linked(
        linked, formats=formats, engine=engine, limits=limits, subject=subject, schemas=schemas
    )


def link_checked(
    schema: Any, resources: Mapping[str, Any] | None = None, *, id: str | None = None
) -> LinkedSchema:
    """Check a schema, and what is embedded in it, against the meta-schema, and link it.

    Raises what `Validator` raises.
    """
    _raise_invalid(check_schema(schema, subject=f"schema {id!r}" if id else "schema"))
    linked = link(schema, resources, id=id)
    for pointer, name in linked.bases.items():
        if linked.at[pointer] != METASCHEMA:
            _raise_invalid(check_schema(linked.at[pointer], subject=f"schema {name!r}"))
    for pointer in linked.found:  # the meta-schema does not look into unknown keywords
        report = check_schema(linked.at[pointer], subject=f"schema {linked.id or 'schema'!r}")
        findings = tuple(replace(one, path=pointer + one.path) for one in report)
        _raise_invalid(Report(findings, report.subject))
    return linked


def check_schema(schema: Any, *, subject: str = "schema") -> Report:
    """Check a schema against the draft-07 meta-schema: the same findings as for data."""
    dialect = schema.get("$schema") if isinstance(schema, dict) else None
    if isinstance(dialect, str) and "draft-07" not in dialect:
        return Report((), subject)  # another dialect has other rules: linking refuses it
    return Report(_metaschema_validator().check(schema).findings, subject)


def _raise_invalid(report: Report) -> None:
    if not report.valid:
        raise InvalidSchema(report)


@cache
def _metaschema_validator() -> Validator:
    # Linking decides about references: those that are not percent-encoded lead somewhere, too.
    properties = {**METASCHEMA["properties"], "$ref": {"type": "string"}}
    metaschema = {**METASCHEMA, "properties": properties}
    return Validator.from_linked(link(metaschema), subject="schema")

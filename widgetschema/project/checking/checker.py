"""What is checked against what: the documents of a text, each against its widget type."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, Final, NamedTuple

from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.errors import UnknownWidgetType, UnreadableDocument, WidgetSchemaError
from widgetschema.findings import Finding, Provenance, Report
from widgetschema.jsontext import DEFAULT_LIMITS, Limits, preview, read
from widgetschema.project.checking.documents import Document, documents_in, kind_hint
from widgetschema.project.checking.exit_codes import exit_code
from widgetschema.project.checking.locations import UnlocatedResult, locate, unreadable_result
from widgetschema.project.checking.results import DocumentResult, Problem, Result
from widgetschema.project.checking.schema_member import SchemaMember
from widgetschema.project.inputs.discovery import Text
from widgetschema.text import printable

SCHEMA_MEMBER: Final = "$schema"  # the member by which editors find a schema
TYPE_MEMBER: Final = "type"  # the member by which a document says its type
_MOST_UNKNOWN: Final = 1_000  # ids without a type that are remembered
_LONGEST_UNKNOWN: Final = 1_000  # … and of how many characters


class TypeProblem(NamedTuple):
    """Why a document has no widget type to be checked against; `code` is the exit code for it.

    `type_id` is there if the type is known, but cannot be used.
    """

    message: str
    code: int
    type_id: str | None = None


def _nothing(file: str) -> str | None:
    return None


class Checker:
    """Checks texts; what type a document is of is found in this order:

    `type_id`, if given; the document's own `type`; the member `$schema` that editors use; what
    `type_for` says of the file's name. With `only_typed`, what does not say itself which type it
    is of is passed over. `type_member` is the member that says the type; if it is another one than
    `type`, bare data may have it as well. Pickles, if the catalog does.
    """

    def __init__(
        self,
        catalog: Catalog,
        *,
        type_id: str | None = None,
        kind: str = "auto",
        type_for: Callable[[str], str | None] = _nothing,
        limits: Limits = DEFAULT_LIMITS,
        only_typed: bool = False,
        type_member: str = TYPE_MEMBER,
        max_findings: int | None = None,
    ) -> None:
        self.catalog = catalog
        self.type_id = type_id
        self.kind = kind
        self.type_for = type_for
        self.limits = limits
        self.only_typed = only_typed
        self.type_member = type_member
        self.max_findings = max_findings
        self._extras = frozenset(
            {SCHEMA_MEMBER} if type_member == TYPE_MEMBER else {SCHEMA_MEMBER, type_member}
        )
        self._types: dict[str, WidgetType | TypeProblem] = {}
        self._schema_member = SchemaMember(catalog)

    def check(self, text: Text) -> list[Result]:
        """The documents of one text."""
        try:
            value = read(text.raw, self.limits, text.file)
        except UnreadableDocument as error:
            return [] if self.only_typed else [unreadable_result(text, error.report)]
        results = list(self.check_value(text.file, value))
        if text.line is not None:
            results = [
                one._replace(checked=one.checked._replace(line=text.line))
                if isinstance(one, UnlocatedResult)
                else one
                for one in results
            ]
        if all(isinstance(result, UnlocatedResult) and not result.findings for result in results):
            return [result.checked for result in results if isinstance(result, UnlocatedResult)]
        return list(locate(results, text, value))

    def findings(self, file: str, value: Any) -> list[Finding]:
        """All findings about the value of a text; paths begin at it."""
        return [
            replace(finding, path=result.checked.pointer + finding.path)
            for result in self.check_value(file, value)
            if isinstance(result, UnlocatedResult)
            for finding in result.findings
        ]

    def check_value(self, file: str, value: Any) -> Iterator[UnlocatedResult | Problem]:
        """The documents of the value of a text; paths begin at each, and have no positions."""
        for part in documents_in(value, self.kind):
            if not self.only_typed or self._says_its_type(file, part):
                result = self.check_part(file, part)
                yield result
                if isinstance(result, UnlocatedResult) and result.truncated:
                    message = (
                        f"there are more than {self.max_findings:,} findings; the others were not "
                        "looked for"
                    )
                    yield Problem(file, message, 1, part.pointer, truncated=True)

    def check_part(self, file: str, part: Document) -> UnlocatedResult | Problem:
        """One document."""
        widget_type = self.type_of(file, part)
        if isinstance(widget_type, TypeProblem):
            return Problem(file, widget_type.message, widget_type.code, part.pointer)
        report = self.report(widget_type, part)
        hint = None
        if part.kind == "data" and not report.valid:
            hint = kind_hint(part)  # of a document, the report has it
        note = self.note(part) if part.kind == "document" else None
        checked = DocumentResult(
            file, part.pointer, None, part.kind, widget_type.id, hint=hint, note=note
        )
        return UnlocatedResult(checked, report.findings, report.truncated)

    def report(self, widget_type: WidgetType, part: Document) -> Report:
        """What is to be said of one document, as one of this type."""
        check = widget_type.check_document if part.kind == "document" else widget_type.check
        most = self.max_findings
        return _without(self._extras, lambda value: check(value, max_findings=most), part.value)

    def report_plain(self, widget_type: WidgetType, part: Document) -> Report:
        """The same, of a value that was read within the limits of this checker."""
        value, depth = part.value, self.limits.max_depth
        most = self.max_findings
        report = widget_type.check_plain(value, part.kind, depth, max_findings=most)
        if not report.findings or not self.has_extras(value):
            return report

        def check(value: Any) -> Report:
            return widget_type.check_plain(value, part.kind, depth, max_findings=most)

        return _without(self._extras, check, value)

    def has_extras(self, value: Any) -> bool:
        """Whether a value has members at the top that say what it is, and may be no part of it."""
        return type(value) is dict and not self._extras.isdisjoint(value)

    def note(self, part: Document) -> str | None:
        """That --type was stronger than a document's own type."""
        own = part.value.get(self.type_member) if type(part.value) is dict else None
        if self.type_id in (None, own) or not isinstance(own, str):
            return None
        where = f" at {printable(part.pointer)}" if part.pointer else ""
        return (
            f"{where}: says that it is of the type {preview(own, 40)}, but is checked as "
            f"{preview(self.type_id, 40)}, because of --type"
        )

    def type_of(self, file: str, part: Document) -> WidgetType | TypeProblem:
        """The widget type to check a document against."""
        id: Any = self.type_id
        if id is None and part.kind == "document":
            if type(part.value) is not dict:
                return TypeProblem("this is not an object, and so not a widget document", 1)
            id = part.value.get(self.type_member)
        elif id is None and self.type_member != TYPE_MEMBER and type(part.value) is dict:
            id = part.value.get(self.type_member)
        if id is not None and not isinstance(id, str):
            member = f"the member {preview(self.type_member, 40)} of the {part.kind}"
            return TypeProblem(f"{member} is not a string: give --type ID", 2)
        if id is None:
            id = self._editors_type(file, part.value) or self.type_for(file)
        if id is None:
            known = ", ".join(map(repr, self.catalog.ids()[:12]))
            hint = kind_hint(part)
            message = f"of which widget type is this? give --type ID (known: {known})"
            address = part.value.get(SCHEMA_MEMBER) if type(part.value) is dict else None
            if isinstance(address, str):
                message += f'; its "{SCHEMA_MEMBER}", {preview(address)}, is no known schema'
            return TypeProblem(f"{message}; {hint}" if hint else message, 2)
        return self.widget_type(id)

    def widget_type(self, id: str) -> WidgetType | TypeProblem:
        """The widget type with this id, or why there is none."""
        known = self._types.get(id)
        if known is None:
            known = self._load(id)
            few = len(self._types) < _MOST_UNKNOWN and len(id) <= _LONGEST_UNKNOWN
            if few or isinstance(known, WidgetType):
                self._types[id] = known
        return known

    def schemas_of(self, ids: Iterable[str]) -> list[Provenance]:
        """Where the schemas of these types came from, each once."""
        used = [self.widget_type(id) for id in ids]
        types = [one for one in used if isinstance(one, WidgetType)]
        return [*dict.fromkeys(one for widget_type in types for one in widget_type.provenance)]

    def _says_its_type(self, file: str, part: Document) -> bool:
        own = part.value.get(self.type_member) if type(part.value) is dict else None
        is_typed = part.kind == "document" and isinstance(own, str)
        return is_typed or self._editors_type(file, part.value) is not None

    def _editors_type(self, file: str, value: Any) -> str | None:
        """The type that the member `$schema` names, if it is a known one."""
        address = value.get(SCHEMA_MEMBER) if type(value) is dict else None
        return self._schema_member.type_id(file, address) if isinstance(address, str) else None

    def _load(self, id: str) -> WidgetType | TypeProblem:
        try:
            return self.catalog[id]
        except UnknownWidgetType as error:
            return TypeProblem(str(error), 2)
        except WidgetSchemaError as error:
            message = f"the schema of widget type {id!r} cannot be used: {error}"
            return TypeProblem(message, exit_code(error), id)


def _without(extras: frozenset[str], check: Callable[[Any], Report], value: Any) -> Report:
    """A report that passes over those members at the top that the schema does not know.

    That is for members that say of which type the value is.
    """
    report = check(value)
    if report.valid or type(value) is not dict:
        return report
    names = sorted(name for name in extras if isinstance(value.get(name), str))
    tried = [names, *([name] for name in names)] if len(names) > 1 else [names] if names else []
    others = [check({n: item for n, item in value.items() if n not in some}) for some in tried]
    return min((*others, report), key=len)

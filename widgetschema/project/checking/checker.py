"""Checks the documents of a text, each against its widget type."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from math import inf
from typing import Any, Final, NamedTuple
from urllib.parse import unquote, urlsplit

from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.data_schemas import DataSchemas
from widgetschema.catalog.schema_files import parsed
from widgetschema.catalog.store import Store
from widgetschema.catalog.type_ids import file_id
from widgetschema.catalog.widget_type import WidgetType, is_wrapped
from widgetschema.errors import (
    MissingExtra,
    SchemaError,
    StoreError,
    UnknownWidgetType,
    UnreadableDocument,
    WidgetSchemaError,
)
from widgetschema.files import read_bytes
from widgetschema.findings import Finding, Fix, Provenance, Report
from widgetschema.formats.model import Parsed
from widgetschema.jsontext import DEFAULT_LIMITS, Limits, dump, preview
from widgetschema.jsontext.limits import MOST_FAULTS
from widgetschema.pointers import ValueAt, parse_pointer
from widgetschema.project.checking.documents import (
    Document,
    any_documents,
    documents_in,
    kind_hint,
)
from widgetschema.project.checking.exit_codes import exit_code
from widgetschema.project.checking.locations import UnlocatedResult, locate, unreadable_result
from widgetschema.project.checking.results import DocumentResult, Problem, Result, relative_uri
from widgetschema.project.config.settings import MAPPING_EXAMPLE
from widgetschema.project.inputs.model import NO_TYPE, Skipped, Text
from widgetschema.project.inputs.texts import parse_text
from widgetschema.schema.describes import root_names
from widgetschema.schema.keywords import texts
from widgetschema.suggest import Vocabulary, applicability
from widgetschema.text import plural, printable

SCHEMA_MEMBER: Final = "$schema"  # the member by which code editors find a schema
TYPE_MEMBER: Final = "type"  # the member of a document with its type
TYPE_POINTER: Final = f"/{TYPE_MEMBER}"
_MOST_UNKNOWN: Final = 1_000  # ids without a type that are remembered
_LONGEST_UNKNOWN: Final = 1_000  # characters of such an id
_MOST_ADDRESSES: Final = 1_000  # that are remembered
_LONGEST_ADDRESS: Final = 2_000  # characters
_MOST_NAMED: Final = 12  # known types in a hint
_MOST_MENTIONED: Final = 100  # types that a text mentions which is not JSON
_TYPE_TEXT: Final = re.compile(rb'"type"\s*:\s*"([^"\\]{1,200})"')
_OTHER_TYPE_TEXT: Final = re.compile(  # without quotes, or with single or typographic ones
    rb"""\btype(?:["']|\xe2\x80.)?\s*:\s*(?:["']|\xe2\x80.)?([^"'\\\s,}\xe2]{1,200})"""
)
_WIDGET_MEMBERS: Final = frozenset({"projectId", "previewImage", "modelVersion"})
_ABSOLUTE: Final = re.compile("[A-Za-z][A-Za-z0-9+.-]+:|//")  # one letter is a drive


class TypeProblem(NamedTuple):
    """The reason why a document has no widget type to check it against, and its exit code.

    `type_id` is set if the type is known but cannot be used, `cause` too if its schema is in a
    file, `finding` if the document itself names a type that does not exist; its path begins at the
    document.
    """

    message: str
    code: int
    type_id: str | None = None
    finding: Finding | None = None
    cause: Problem | None = None


def _no_type(file: str) -> str | None:
    return None


class Checker:
    """Checks texts. The type of a document is, in this order:

    `type_id` if given, the document's own `type`, the type that its member `$schema` names, or a
    comment, the type that `type_for` gives its file. `type_option` is the option, or the parameter
    of a function, that `type_id` comes from.
    `type_pointer` says where the type is; if that is not the member `type`, bare data may have it,
    too. In each document, at most `max_findings` are looked for; after as many in a text, or after
    `max_documents`, no further document of the text is checked. The `foreign_types` are those of
    documents of other programs. Pickles if the catalog does.
    """

    def __init__(
        self,
        catalog: Catalog,
        *,
        type_id: str | None = None,
        type_option: str = "--type",
        kind: str = "auto",
        type_for: Callable[[str], str | None] = _no_type,
        limits: Limits = DEFAULT_LIMITS,
        type_pointer: str = TYPE_POINTER,
        max_findings: int | None = None,
        max_documents: int | None = None,
        foreign_types: Collection[str] = (),
    ) -> None:
        self.catalog = catalog
        self.type_id = type_id
        self.type_option = type_option
        self.kind = kind
        self.type_for = type_for
        self.limits = limits
        self.type_pointer = type_pointer
        self._own_type = ValueAt(type_pointer)
        self.max_findings = max_findings
        self.max_documents = max_documents
        self.foreign_types = frozenset(foreign_types)
        names = {SCHEMA_MEMBER}
        if type_pointer not in ("", TYPE_POINTER):
            names.add(parse_pointer(type_pointer)[0])
        self.extras: Final = frozenset(names)  # members that name a type and may be no data
        self._described: dict[tuple[WidgetType, str], frozenset[str]] = {}
        self._types: dict[str, WidgetType | TypeProblem] = {}
        self._schema_member = _SchemaMember(catalog)

    def check(self, text: Text) -> list[Result]:
        """Return the results of the documents of one text."""
        try:
            values = parse_text(text, self.limits)
        except UnreadableDocument as error:
            result = unreadable_result(text, error.report)
            if len(result.findings) < MOST_FAULTS:
                return [result]
            message = f"there are at least {MOST_FAULTS:,} findings; the rest was not read"
            return [result, Problem(text.file, message, 1, line=text.line, truncated=True)]
        except MissingExtra as error:
            return [Problem(text.file, str(error))]
        results: list[Result] = []
        left = self._budget()
        for value in values:
            if left.is_spent:
                results.append(left.problem(text.file, line=value.line))
                break
            results += self._check_parsed(text, value, left)
        return results

    def _budget(self) -> _Budget:
        return _Budget(self.max_findings, self.max_documents)

    def _check_parsed(self, text: Text, parsed: Parsed, left: _Budget) -> list[Result]:
        results = list(self.check_value(text.file, parsed.value, parsed.schema, left))
        line = text.line if parsed.line is None else parsed.line
        if line is not None:
            results = [
                one._replace(document=one.document._replace(line=line))
                if isinstance(one, UnlocatedResult)
                else one
                for one in results
            ]
        valid = [
            one.document for one in results if type(one) is UnlocatedResult and not one.findings
        ]
        if len(valid) == len(results) and not parsed.warnings:
            return [*valid]
        if parsed.line is None:  # else it is one of several, which are not fixed
            results = self._with_effective_fixes(text, parsed, results)
        return list(locate(results, parsed, has_lines=line is not None))

    def _with_effective_fixes(
        self, text: Text, parsed: Parsed, results: list[UnlocatedResult | Problem]
    ) -> list[UnlocatedResult | Problem]:
        """Return the results without fixes that, read again, would be none."""
        found = [one for one in results if isinstance(one, UnlocatedResult)]
        if all(finding.fix is None for one in found for finding in one.findings):
            return results
        from widgetschema.fixes import with_effective_fixes  # few texts have any

        checked = with_effective_fixes(
            parsed,
            [finding for one in found for finding in _absolute(one)],
            lambda value: self.findings(text.file, value, parsed.schema),
            lambda new: parse_text(text._replace(raw=new.encode()), self.limits)[0],
        )
        fixes = iter([finding.fix for finding in checked])
        return [
            one._replace(
                findings=tuple(
                    finding if (fix := next(fixes)) is finding.fix else replace(finding, fix=fix)
                    for finding in one.findings
                )
            )
            if isinstance(one, UnlocatedResult)
            else one
            for one in results
        ]

    def findings(self, file: str, value: Any, schema: str | None = None) -> list[Finding]:
        """Return all findings about the value of a text; paths begin at it.

        `schema` is the address of a schema that the text names beside it.
        """
        return [
            finding
            for result in self.check_value(file, value, schema)
            if isinstance(result, UnlocatedResult)
            for finding in _absolute(result)
        ]

    def check_value(
        self, file: str, value: Any, schema: str | None = None, left: _Budget | None = None
    ) -> Iterator[UnlocatedResult | Problem]:
        """Yield the results of the documents in the value of a text; paths begin at each.

        When there is no finding or document `left` for the text, a problem says so.
        """
        left = self._budget() if left is None else left
        for document in self.documents(file, value, schema):
            if left.is_spent:
                yield left.problem(file, document.pointer)
                return
            result = self.check_document(file, document)
            left.take(result)
            yield result
            if isinstance(result, UnlocatedResult) and result.truncated:
                message = (
                    f"there are more than {len(result.findings):,} findings; the others were not "
                    "looked for"
                )
                yield Problem(file, message, 1, document.pointer, truncated=True)

    def why_untyped(self, text: Text) -> Skipped | None:
        """Return why no document of a text names a type, as of its file; None if one does.

        A text that is not JSON names one if a type is mentioned as a document would. Documents of
        other programs have types, too: an unknown type counts if it is nearly a known one, or the
        document has another member that only widgets have.
        """
        try:
            values = parse_text(text, self.limits)
        except MissingExtra as error:
            return Skipped(text.file, str(error))
        except UnreadableDocument:
            for mention in (_TYPE_TEXT, _OTHER_TYPE_TEXT):
                found = islice(mention.finditer(text.raw), _MOST_MENTIONED)
                if any(self._is_known(match[1].decode(errors="replace")) for match in found):
                    return None
            return Skipped(text.file, NO_TYPE)
        unknown = foreign = None
        for document in chain.from_iterable(
            self.documents(text.file, one.value, one.schema) for one in values
        ):
            own = self._own_type(document.value)
            if document.kind == "document" and isinstance(own, str):
                if own in self.foreign_types:
                    foreign = own
                    continue
                is_widget = not _WIDGET_MEMBERS.isdisjoint(document.value)
                if (
                    is_widget
                    or self._is_known(own)
                    or Vocabulary(self.catalog.ids()).best_match(own)
                ):
                    return None
                unknown = own
            if self._type_by_schema(text.file, document) is not None:
                return None
        if unknown is not None:
            reason = f"unknown widget type {preview(unknown, 40)}"
            return Skipped(text.file, reason, type_id=unknown)
        if foreign is not None:
            reason = f"foreign-types in the configuration has the type {preview(foreign, 40)}"
            return Skipped(text.file, reason, is_expected=True)
        return Skipped(text.file, NO_TYPE)

    def documents(self, file: str, value: Any, schema: str | None = None) -> Sequence[Document]:
        """Return the documents in the value of a text of a file.

        An array is a list of bare data, unless its widget type allows an array as data. `schema` is
        the address of a schema that the text names beside the value.
        """
        documents = documents_in(value, self.kind)
        if schema is not None:
            documents = [one._replace(schema=schema) for one in documents]
        documents = [self._as_meant(file, one) for one in documents]
        if type(value) is not list or not value or documents[0].kind != "data":
            return documents
        if any_documents(value):  # which `kind` says is none
            return documents
        [whole] = documents
        widget_type = self.type_of(file, whole)
        if isinstance(widget_type, WidgetType):
            return documents if widget_type.allows_array else _Items(value, schema)
        is_typed = any(self._names_its_type(file, item) for item in _Items(value, schema))
        return _Items(value, schema) if is_typed else documents

    def _as_meant(self, file: str, document: Document) -> Document:
        """Return a document as data if it only looks like a widget document.

        Data of a type that describes the data itself may have the members `type` and `data`.
        """
        if self.kind != "auto" or document.kind != "document":
            return document
        id = self.type_id
        if id is None and not isinstance(self._own_widget_type(document), WidgetType):
            id = self._type_by_schema(file, document) or self.type_for(file)
        widget_type = None if id is None else self.widget_type(id)
        if not isinstance(widget_type, WidgetType) or widget_type.describes == "document":
            return document
        if self.type_id is not None and not _has_data(widget_type):
            return document
        return document._replace(kind="data")

    def _own_widget_type(self, document: Document) -> WidgetType | TypeProblem | None:
        own = self._own_type(document.value)
        return self.widget_type(own) if isinstance(own, str) else None

    def check_document(self, file: str, document: Document) -> UnlocatedResult | Problem:
        """Return the result of one document."""
        widget_type = self.type_of(file, document)
        if isinstance(widget_type, TypeProblem) and widget_type.finding is not None:
            result = DocumentResult(file, document.pointer, None, document.kind)
            return UnlocatedResult(result, (widget_type.finding,))
        if isinstance(widget_type, TypeProblem):
            message, code, cause = widget_type.message, widget_type.code, widget_type.cause
            return Problem(file, message, code, document.pointer, cause=cause)
        report = self.report_plain(widget_type, document)
        hint = None
        if document.kind == "data" and not report.valid:
            # A document has it in the report; data with a member `data` needs none.
            hint = None if _has_data(widget_type) else kind_hint(document)
        note = self.note(document) if document.kind == "document" else None
        result = DocumentResult(
            file, document.pointer, None, document.kind, widget_type.id, hint=hint, note=note
        )
        findings = report.findings
        if findings:  # the text as a whole decides about fixes
            from widgetschema.validation.explain.deferred import with_proposed_fix

            findings = tuple(map(with_proposed_fix, findings))
        return UnlocatedResult(result, findings, report.truncated)

    def report(self, widget_type: WidgetType, document: Document) -> Report:
        """Return the report about a document of this type, which may be of any Python values."""
        is_whole = document.kind == "document"
        check = widget_type.check_document if is_whole else widget_type.validator.check
        most = self.max_findings
        report = check(document.value, max_findings=most)
        return self._without_extras(
            widget_type, document, report, lambda value: check(value, max_findings=most)
        )

    def report_plain(self, widget_type: WidgetType, document: Document) -> Report:
        """Return the report about a document that was read within the limits of this checker."""
        kind, depth, most = document.kind, self.limits.max_depth, self.max_findings
        report = widget_type.check_plain(document.value, kind, depth, max_findings=most)
        if not report.findings or not self.has_extras(document.value):
            return report

        def check(value: Any) -> Report:
            """Return the report about a value that was read within the limits."""
            return widget_type.check_plain(value, kind, depth, max_findings=most)

        return self._without_extras(widget_type, document, report, check)

    def _without_extras(
        self,
        widget_type: WidgetType,
        document: Document,
        report: Report,
        check: Callable[[Any], Report],
    ) -> Report:
        """Return a report that ignores top-level members that name the type and are not data.

        Members that the schema describes are data. `report` is that of the whole value.
        """
        value = document.value
        if report.valid or type(value) is not dict or not self.has_extras(value):
            return report
        names = sorted(
            name
            for name in self.extras - self._described_members(widget_type, document.kind)
            if isinstance(value.get(name), str)
            or (name != SCHEMA_MEMBER and isinstance(self._own_type(value), str))
        )
        tried = [names, *([name] for name in names)] if len(names) > 1 else [names] if names else []
        others = [check({n: item for n, item in value.items() if n not in some}) for some in tried]
        return min((*others, report), key=len)

    def _described_members(self, widget_type: WidgetType, kind: str) -> frozenset[str]:
        """Return the members that `properties` names in data of a type, or in its documents."""
        known = self._described.get((widget_type, kind))
        if known is None:
            from widgetschema.schema.tree.navigation import with_branches  # seldom needed

            tree = widget_type.schema_tree if kind == "data" else widget_type.document_tree
            known = self._described[widget_type, kind] = frozenset(
                name
                for node in with_branches(tree.root)
                for name in node.of_kind("object").properties
            )
        return known

    def has_extras(self, value: Any) -> bool:
        """Return whether a value has top-level members that name its type and may be no data."""
        return type(value) is dict and not self.extras.isdisjoint(value)

    def note(self, document: Document) -> str | None:
        """Return a note if an option overrides a document's own type."""
        own = self._own_type(document.value)
        if self.type_id in (None, own) or not isinstance(own, str):
            return None
        where = f" at {printable(document.pointer)}" if document.pointer else ""
        return (
            f"{where}: its type is {preview(own, 40)}, but it is checked as "
            f"{preview(self.type_id, 40)} because of {self.type_option}"
        )

    def note_on_kind(self, document: Document, widget_type: WidgetType) -> str | None:
        """Return a note if a value is taken for data that may well be a document with the data."""
        if self.kind != "auto" or document.kind != "data" or not is_wrapped(document.value):
            return None
        if "data" in self._described_members(widget_type, "data"):
            return None
        return (
            'it is read as widget data with an undescribed property "data"; if it is a widget '
            "document, pass --as document"
        )

    def type_of(self, file: str, document: Document) -> WidgetType | TypeProblem:
        """Return the widget type to check a document against."""
        id: Any = self.type_id
        if id is None and document.kind == "document":
            if type(document.value) is not dict:
                return TypeProblem("this is not a widget document, since it is not an object", 1)
            id = self._own_type(document.value)
        elif id is None and self.type_pointer != TYPE_POINTER:
            id = self._own_type(document.value)
        if id is not None and self.type_id is None:
            return self._named_type(id)
        if id is None:
            id = self._type_by_schema(file, document) or self.type_for(file)
        if id is None:
            known = ", ".join(map(repr, self.catalog.ids()[:12]))
            is_pointed_at = self.type_pointer != TYPE_POINTER
            what = f": there is none at {printable(self.type_pointer)}" if is_pointed_at else ""
            has_options = self.type_option.startswith("--")
            option = "--type ID" if has_options else self.type_option
            hint = kind_hint(document) if has_options and not is_pointed_at else None
            message = f"cannot determine the widget type{what}; pass {option} (known: {known})"
            if self.type_for is not _no_type:
                message += f", or map the file ({MAPPING_EXAMPLE})"
            address = _address_in(document)
            if address is not None:
                message += f'; its "{SCHEMA_MEMBER}", {preview(address)}, is not a known schema'
            own = self._own_type(document.value)
            if not hint and isinstance(own, str) and self._is_known(own):
                hint = f'its type, {preview(own)}, counts only beside a property "data"'
            return TypeProblem(f"{message}; {hint}" if hint else message, 2)
        return self.widget_type(id)

    def widget_type(self, id: str) -> WidgetType | TypeProblem:
        """Return the widget type with this id, or the reason why there is none."""
        known = self._types.get(id)
        if known is None:
            known = self._load(id)
            few = len(self._types) < _MOST_UNKNOWN and len(id) <= _LONGEST_UNKNOWN
            if few or isinstance(known, WidgetType):
                self._types[id] = known
        return known

    def forget_types(self) -> None:
        """Ask the catalog again for each type, since its schema may have changed."""
        self._types.clear()

    def _named_type(self, id: Any) -> WidgetType | TypeProblem:
        """Return the widget type that a document names, or the reason why there is none."""
        path = self.type_pointer
        if not isinstance(id, str):
            name = parse_pointer(path)[-1] if path else ""
            message = texts()["document.type.string"](name=preview(name, 40))
            finding = Finding("document.type", path, "", message, expected="string")
            return TypeProblem(message, 1, finding=finding)
        found = self.widget_type(id)
        if isinstance(found, WidgetType) or found.type_id is not None:
            return found
        known = [one for one in self.catalog.ids() if one != id]  # a cache may list what is gone
        vocabulary, fix = Vocabulary(known), None
        meant = vocabulary.best_match(id)
        if meant is None:
            some = ", ".join(map(preview, known[:_MOST_NAMED]))
            number = len(known) - _MOST_NAMED
            if number > 0:
                some = texts()["list.more"](items=some, number=number)
            hint = texts()["hint.types"](names=some) if known else None
        else:
            how = applicability(id, meant)
            if vocabulary.is_certain(id, meant):
                fix = Fix("value", dump(meant, indent=False), how)
            is_written = fix is not None and fix.is_safe
            hint = texts()["hint.write" if is_written else "hint.meant"](value=preview(meant, 80))
        message = texts()["document.type.unknown"](value=preview(id, 80))
        finding = Finding("document.type", path, "", message, hint, fix=fix)
        return TypeProblem(found.message, 1, finding=finding)

    def schemas_of(self, ids: Iterable[str]) -> list[Provenance]:
        """Return where the schemas of these types came from, each once."""
        used = [self.widget_type(id) for id in ids]
        types = [one for one in used if isinstance(one, WidgetType)]
        return [*dict.fromkeys(one for widget_type in types for one in widget_type.provenance)]

    def note_on(self, id: str) -> str | None:
        """Return the note on the schema of a type, if there is one."""
        widget_type = self.widget_type(id)
        note = widget_type.note if isinstance(widget_type, WidgetType) else None
        return None if note is None else f"{id}: {note}"

    def _is_known(self, id: str) -> bool:
        """Return whether there is such a type, or whether that cannot be known now."""
        try:
            return id in self.catalog
        except WidgetSchemaError:  # reported when the document is checked
            return True

    def _names_its_type(self, file: str, document: Document) -> bool:
        own = self._own_type(document.value)
        is_typed = document.kind == "document" and isinstance(own, str)
        return is_typed or self._type_by_schema(file, document) is not None

    def _type_by_schema(self, file: str, document: Document) -> str | None:
        """Return the known type that the member `$schema` names, or a comment, or None."""
        address = _address_in(document)
        return None if address is None else self._schema_member.type_id(file, address)

    def _load(self, id: str) -> WidgetType | TypeProblem:
        try:
            widget_type = self.catalog[id]
            widget_type.require_clear()
            return widget_type
        except UnknownWidgetType as error:
            return TypeProblem(str(error), exit_code(error))
        except WidgetSchemaError as error:
            message = f"the schema of widget type {id!r} cannot be used: {error}"
            return TypeProblem(message, exit_code(error), id, cause=self._cause(id, error))

    def _cause(self, id: str, error: WidgetSchemaError) -> Problem | None:
        """Return the problem of the file that a schema is in; None if it is in none."""
        reports = (getattr(one, "report", None) for one in (error, error.__cause__))
        report = next((one for one in reports if one is not None), Report())
        path = getattr(error, "path", None) or report.subject
        position: tuple[int | None, int | None] = (None, None)
        if os.path.isfile(path):
            position = next(((one.line, one.column) for one in report), position)
        else:
            is_read = isinstance(error, SchemaError)
            place = self.catalog.resources(id).place(id) if is_read else None
            if place is None:
                return None
            path = place.file
        message = str(error).removeprefix(f"{path}: ")
        return Problem(relative_uri(path, os.curdir), message, exit_code(error), "", *position)


class _Items(Sequence[Document]):
    """The items of an array as documents, made as they are asked for, since there may be many."""

    def __init__(self, values: Sequence[Any], schema: str | None) -> None:
        self._values = values
        self._schema = schema

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, index: Any) -> Any:
        number = range(len(self._values))[index]
        return Document(f"/{number}", "data", self._values[number], self._schema)


class _Budget:
    """The bounds of the check of a text: findings and documents; None for all of them."""

    def __init__(self, findings: int | None, documents: int | None) -> None:
        self._most_findings = inf if findings is None else findings
        self._most_documents = inf if documents is None else documents
        self._taken = 0, 0

    @property
    def is_spent(self) -> bool:
        """True if no further document is checked."""
        findings, documents = self._taken
        return findings >= self._most_findings or documents >= self._most_documents

    def take(self, result: UnlocatedResult | Problem) -> None:
        """Count the result of a document; a problem counts as a finding."""
        findings, documents = self._taken
        number = len(result.findings) if isinstance(result, UnlocatedResult) else 1
        self._taken = findings + number, documents + 1

    def problem(self, file: str, pointer: str = "", line: int | None = None) -> Problem:
        """Return the problem that the document at a place is the first that is not checked."""
        findings, documents = self._taken
        message = (
            f"this text has at least {plural(findings, 'finding')} in "
            f"{plural(documents, 'document')}; the documents from here on were not checked"
        )
        if documents == self._most_documents:
            message += "; write one per line (.ndjson), or use: widgetschema audit"
        return Problem(file, message, 1, pointer, line, truncated=True)


def _address_in(document: Document) -> str | None:
    """Return the address of a schema that a document names: in a member, else in a comment."""
    address = document.value.get(SCHEMA_MEMBER) if type(document.value) is dict else None
    return address if isinstance(address, str) else document.schema


def _has_data(widget_type: WidgetType) -> bool:
    """Return whether the schema says that the data itself has a member `data`."""
    return "data" in root_names(widget_type.validator.linked)


class _SchemaMember:
    """Finds the types of documents by their member `$schema`; nothing is fetched.

    An absolute address names a type if it is the `$id` of its schema or the address from which the
    schema was fetched. A relative path names the type whose schema is the file of that name; if
    there is another file at that path, it names no type.
    """

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._known: dict[tuple[str, str], str | None] = {}

    def type_id(self, file: str, address: str) -> str | None:
        """Return the id of the type that `$schema` names in a document of this file, or None."""
        if len(address) > _LONGEST_ADDRESS:
            return None
        key = (os.path.dirname(file), address)
        if key in self._known:
            return self._known[key]
        address = address.partition("#")[0]
        if address.startswith("file:"):
            found = self._by_path("", unquote(urlsplit(address).path))
        elif _ABSOLUTE.match(address):
            found = self._catalog.id_at(address)
        else:
            found = self._by_path(key[0], address.replace("\\", "/"))
        if len(self._known) < _MOST_ADDRESSES:
            self._known[key] = found
        return found

    def _by_path(self, folder: str, path: str) -> str | None:
        place = os.path.join(folder, path)
        for source in self._catalog.sources:
            if isinstance(source, DataSchemas):
                for id, file in source.files.items():
                    if os.path.realpath(file) == os.path.realpath(place):
                        return id
        stores = [one for one in self._catalog.sources if isinstance(one, Store)]
        name = path.rstrip("/").rpartition("/")[2]
        files = [id for store in stores for id in store if store.path(id).name == name]
        ids = [id for id in (name, *files, *_names(name)[1:]) if id and id in self._catalog]
        if not ids or not os.path.isfile(place):
            return ids[0] if ids else None
        return next((id for id in ids if self._is_schema(place, id)), None)

    def _is_schema(self, place: str, id: str) -> bool:
        """Return whether a file is the schema of a type, linked from it, or has its `$id`."""
        try:
            value = parsed(read_bytes(place), place)
        except StoreError:
            return False
        try:
            widget_type = self._catalog[id]
        except WidgetSchemaError:  # reported when the document is checked
            return True
        own_id = _id_of(widget_type.schema)
        is_same = own_id is not None and own_id == _id_of(value)
        return is_same or value in (widget_type.schema, widget_type.linked)


def _names(address: str) -> list[str]:
    """Return the ids that the last segment of an address or path may stand for."""
    name = address.rpartition("/")[2]
    return [name, file_id(name)]


def _id_of(schema: Any) -> Any:
    return schema.get("$id") if isinstance(schema, dict) else None


def _absolute(result: UnlocatedResult) -> Iterator[Finding]:
    """Yield the findings of a document with paths that begin at the text."""
    above = result.document.pointer
    for finding in result.findings:
        yield replace(finding, path=above + finding.path) if above else finding

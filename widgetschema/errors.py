"""Every exception of this package, one tree, on one screen.

    WidgetSchemaError
    ├── InvalidWidgetData        the data does not match its schema    .report
    ├── UnreadableDocument       the text is not (strict) JSON         .report
    ├── UnknownWidgetType        no catalog source has this id         .id .known .nearest
    ├── SchemaError              the schema itself cannot be used
    │   ├── InvalidSchema        it breaks the draft-07 meta-schema    .report
    │   ├── UnsupportedDialect   its `$schema` is not draft-07         .dialect
    │   ├── UnresolvableReference  a `$ref` leads nowhere              .reference .pointer ...
    │   ├── ReferenceLoop        a `$ref` leads back to itself         .pointers
    │   ├── UnclearSchema        it is unclear what it describes      .schema .reason .advice
    │   └── CannotGenerate       no valid data was found for it        .schema .pointer .reason
    ├── StoreError               a schema folder cannot be used        .path .reason .advice
    │   └── UnreadableSchema     a file named as a schema is not read
    ├── ConfigurationError       the configuration cannot be used      .report
    ├── ChangesUnknown           git cannot tell what has changed      .reason
    ├── FormError                a form or its submission is unusable  .reason
    │   ├── StaleForm            it was made for other data            .form .fields
    │   ├── TooManyFields        it has too many controls              .count .limit
    │   ├── InvalidTemplate      a template or theme cannot be used    .file .line .problem
    │   ├── ControlError         a control of the application failed   .control .place .reason
    │   └── InvalidFormDescription  its UI description is invalid      .report
    ├── UnknownLanguage          there is no translation into it       .tag .known
    ├── InvalidTranslation       a PO file cannot be used              .file .line .reason
    ├── InvalidTypeId            not a valid widget type id            .id .reason
    ├── PlatformError            the platform failed                   .method .path .status ...
    │   ├── Unreachable          no response, or an incomplete one
    │   ├── ErrorResponse        a response with an error status       .status .body .retry_after
    │   ├── UnusableResponse     a success, but not as documented
    │   └── IncompleteListing    the list of widgets is incomplete     .received .total
    ├── LoginRequired            there is no valid token               .reason .advice
    ├── TokenStorageError        tokens cannot be read or stored       .path .reason
    ├── NotAvailableOffline      it requires network access            .id
    ├── ClusterError             a cluster cannot be used              .address .reason
    │   └── UnsharedInput        its workers cannot read the input     .source
    ├── InvalidPlan              a plan of a migration cannot be used  .report
    ├── MigrationFailed          a migration gave no valid data        .report .status
    ├── PatchError               a JSON Patch cannot be applied        .index .reason
    ├── ReporterError            a report format of another package    .format .reason
    ├── MissingExtra             an optional feature is not installed  .extra
    └── EngineUnavailable        the engine is not installed           .engine

Errors carry data and advice; they never carry secrets. No logic lives here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from widgetschema.findings import Report
from widgetschema.pointers import display_pointer
from widgetschema.text import shorten


class WidgetSchemaError(Exception):
    """Base class of every error that this package raises on purpose."""


class _ReportError(WidgetSchemaError):
    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self.report = report

    def __str__(self) -> str:
        return str(self.report)


class InvalidWidgetData(_ReportError, ValueError):
    """The data does not match its schema.

    It is a `ValueError` as well, which validators of pydantic and of other frameworks expect.

    Args:
        report: The findings.
        place: Where the application has the data, such as a row. The text of the error begins with
            it; the report, which may be sent to a client, does not have it.
    """

    def __init__(self, report: Report, place: str | None = None) -> None:
        super().__init__(report)
        self.args = (report, place)
        self.place = place

    def __str__(self) -> str:
        return str(self.report) if self.place is None else f"{self.place}: {self.report}"


class UnreadableDocument(_ReportError):
    """The text is not JSON as RFC 8259 defines it, or exceeds a limit.

    Args:
        report: The findings, with line and column.
    """


class UnknownWidgetType(WidgetSchemaError, LookupError):
    """No source of the catalog has a widget type with this id.

    Args:
        id: The id that was asked for.
        known: The ids of all sources.
        nearest: Those of them that are most like it.
        note: What else was looked for, and not found.
    """

    def __init__(
        self, id: str, known: Sequence[str], nearest: Sequence[str] = (), note: str = ""
    ) -> None:
        super().__init__(id, known, nearest, note)
        self.id = id
        self.known = tuple(known)
        self.nearest = tuple(nearest)
        self.note = note

    def __str__(self) -> str:
        id = shorten(self.id, 80)
        meant = f"; did you mean {_names(self.nearest)}?" if self.nearest else ""
        known = _names(self.known) if self.known else "none"
        is_data = self.id.lstrip()[:1] in ("{", "[")
        if is_data:
            note = '; the id comes before the data, as in validate("countdown", data)'
        else:
            note = f"; {self.note}" if self.note else ""
        return f"unknown widget type {id!r}{meant} (known: {known}){note}"


class SchemaError(WidgetSchemaError):
    """A schema cannot be used."""


class InvalidSchema(SchemaError, _ReportError):
    """The schema does not match the draft-07 meta-schema, or exceeds a limit of this package.

    Args:
        report: The findings about the schema.
    """


class UnsupportedDialect(SchemaError):
    """`$schema` names a dialect other than draft-07.

    Args:
        schema: The id of the schema.
        dialect: The value of `$schema`.
    """

    def __init__(self, schema: str, dialect: object) -> None:
        super().__init__(schema, dialect)
        self.schema = schema
        self.dialect = dialect

    def __str__(self) -> str:
        return (
            f"schema {self.schema!r} is written in the dialect {self.dialect!r}; only draft-07 "
            'is supported ("$schema": "http://json-schema.org/draft-07/schema#")'
        )


class UnresolvableReference(SchemaError):
    """A `$ref` that leads nowhere. Nothing is ever fetched to resolve one.

    Args:
        schema: The id of the schema that holds it.
        pointer: The JSON Pointer of the `$ref` in that schema.
        reference: The text of the reference.
        resolved: Its absolute form.
        reason: Why it cannot be resolved.
        nearest: Existing names that are most like it.
    """

    def __init__(
        self,
        schema: str,
        pointer: str,
        reference: str,
        resolved: str,
        reason: str,
        nearest: Sequence[str] = (),
    ) -> None:
        super().__init__(schema, pointer, reference, resolved, reason, nearest)
        self.schema = schema
        self.pointer = pointer
        self.reference = reference
        self.resolved = resolved
        self.reason = reason
        self.nearest = tuple(nearest)

    def __str__(self) -> str:
        meant = f"; nearest that exist: {_names(self.nearest)}" if self.nearest else ""
        resolved = "" if self.resolved == self.reference else f" (resolved to {self.resolved!r})"
        return (
            f"schema {self.schema!r}, {display_pointer(self.pointer)}: cannot resolve $ref "
            f"{self.reference!r}{resolved}: {self.reason}{meant}"
        )


class ReferenceLoop(SchemaError):
    """References that lead back to themselves, or too far, without reaching any data.

    Args:
        schema: The id of the schema.
        pointers: The JSON Pointers of the references, in the order of the way.
        reason: What is wrong with them.
    """

    def __init__(self, schema: str, pointers: Sequence[str], reason: str) -> None:
        super().__init__(schema, pointers, reason)
        self.schema = schema
        self.pointers = tuple(pointers)
        self.reason = reason

    def __str__(self) -> str:
        way = " → ".join(display_pointer(pointer) for pointer in self.pointers[:6])
        return f"schema {self.schema!r}: {self.reason}: {way}"


class UnclearSchema(SchemaError):
    """It is not clear what a schema describes: a widget document, the data itself, or nothing.

    Args:
        schema: The id of the schema.
        reason: What is not clear.
        advice: What to do.
    """

    def __init__(self, schema: str, reason: str, advice: str) -> None:
        super().__init__(schema, reason, advice)
        self.schema = schema
        self.reason = reason
        self.advice = advice

    def __str__(self) -> str:
        return f"schema {self.schema!r}: {self.reason}; {self.advice}"


class CannotGenerate(SchemaError):
    """No data was found that the schema accepts.

    Args:
        schema: The id of the schema.
        pointer: The JSON Pointer, in the linked schema, of the subschema that cannot be satisfied.
        reason: Why not.
    """

    def __init__(self, schema: str, pointer: str, reason: str) -> None:
        super().__init__(schema, pointer, reason)
        self.schema = schema
        self.pointer = pointer
        self.reason = reason

    def __str__(self) -> str:
        return (
            f"schema {self.schema!r}, {display_pointer(self.pointer)}: cannot generate data: "
            f"{self.reason}"
        )


class StoreError(WidgetSchemaError):
    """A folder of schemas cannot be used.

    Args:
        path: The folder, or the file in it.
        reason: Why not.
        advice: What to do, where `reason` does not say it.
    """

    def __init__(self, path: str, reason: str, advice: str = "") -> None:
        super().__init__(path, reason, advice)
        self.path = path
        self.reason = reason
        self.advice = advice

    def __str__(self) -> str:
        advice = f"; {self.advice}" if self.advice else ""
        return f"{self.path}: {self.reason}{advice}"


class UnreadableSchema(StoreError):
    """A schema file is missing, unreadable or not JSON, or a folder of schemas is missing."""


class ConfigurationError(_ReportError):
    """The configuration (a file or an environment variable) cannot be used.

    Args:
        report: The findings about the configuration.
    """


class ChangesUnknown(WidgetSchemaError):
    """git cannot tell what has changed.

    Args:
        reason: Why not, and what to do.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return f"git cannot tell what has changed: {self.reason}"


class FormError(WidgetSchemaError):
    """A form cannot be made, or its submission cannot be used.

    Args:
        reason: Why not.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return self.reason


class StaleForm(FormError):
    """A submission of a form that was made for another value or schema, or by another version.

    Nothing of it was applied, and nothing is lost.

    Args:
        form: The form of the current value, with what was typed, to be shown again with status
            409. Saving that form replaces the current value. If the schema is another, choices
            (enumerations and alternatives) are in `fields` only: they may mean something else.
        fields: The texts of each control that was submitted, by its name.
    """

    def __init__(self, form: Any = None, fields: Mapping[str, Sequence[str]] | None = None) -> None:
        super().__init__(
            "the data, the schema or this package has changed since this form was shown: nothing "
            "was saved; show `error.form`, which has what was typed"
        )
        self.args = (form, fields)
        self.form = form
        self.fields = fields or {}


class TooManyFields(FormError):
    """A submission has more controls than a form may have.

    Args:
        count: The number of controls.
        limit: The number that a form may have.
    """

    def __init__(self, count: int, limit: int) -> None:
        super().__init__(f"{count:,} controls were submitted, but a form has at most {limit:,}")
        self.args = (count, limit)
        self.count = count
        self.limit = limit


class ControlError(FormError):
    """A control of the application, or of another package, failed.

    Args:
        control: The name of the control.
        place: The JSON Pointer of the field; "" if it is not about one.
        reason: What failed, and why.
    """

    def __init__(self, control: str, place: str, reason: str) -> None:
        where = f" at {place}" if place else ""
        super().__init__(f'the control "{control}"{where}: {reason}')
        self.args = (control, place, reason)
        self.control = control
        self.place = place


class InvalidFormDescription(FormError):
    """The UI description of a form is invalid.

    Args:
        report: The findings about it.
    """

    def __init__(self, report: Report) -> None:
        super().__init__(str(report))
        self.args = (report,)
        self.report = report


class UnknownLanguage(WidgetSchemaError, LookupError):
    """There is no translation into a language.

    Args:
        tag: The language tag that was asked for (BCP 47).
        known: The tags of the languages that there are.
    """

    def __init__(self, tag: str, known: Sequence[str]) -> None:
        super().__init__(tag, known)
        self.tag = tag
        self.known = known

    def __str__(self) -> str:
        shown = shorten(repr(self.tag), 40)
        return f"there is no translation into {shown}; there are: {', '.join(self.known)}"


class InvalidTranslation(WidgetSchemaError):
    """A file with the translations into a language (PO, GNU gettext) cannot be used.

    Args:
        file: The name of the file.
        line: The line of the mistake, counted from 1; 0 if it is none of one line.
        reason: What is wrong.
    """

    def __init__(self, file: str, line: int, reason: str) -> None:
        super().__init__(file, line, reason)
        self.file = file
        self.line = line
        self.reason = reason

    def __str__(self) -> str:
        place = f"{self.file}, line {self.line}" if self.line else self.file
        return f"{place}: {self.reason}"


class InvalidTemplate(FormError):
    """A template or a theme of the application cannot be used.

    Args:
        file: The path of the file, or the name of the theme.
        line: The number of the line; None if it is about the file as a whole.
        problem: What is wrong, with advice.
    """

    def __init__(self, file: str, line: int | None, problem: str) -> None:
        place = file if line is None else f"{file}, line {line}"
        super().__init__(f"{place}: {problem}")
        self.args = (file, line, problem)
        self.file = file
        self.line = line
        self.problem = problem


class InvalidTypeId(WidgetSchemaError, ValueError):
    """A text that cannot be the id of a widget type, nor part of a URL or a file name.

    Args:
        id: The text.
        reason: What is wrong with it.
    """

    def __init__(self, id: str, reason: str) -> None:
        super().__init__(id, reason)
        self.id = id
        self.reason = reason

    def __str__(self) -> str:
        id = shorten(self.id, 80)
        return f"{id!r} cannot be the id of a widget type: {self.reason}"


class PlatformError(WidgetSchemaError):
    """The platform did not answer as it should.

    Nothing of it contains tokens, client secrets or codes, or what was sent.

    Args:
        reason: What went wrong.
        method: The HTTP method of the request.
        path: The path of the request, without origin and query.
        status: The HTTP status of the response, if there was one.
        request_id: The id that the platform gave the request, if any.
        body: The beginning of the response, in one line, if there was one.
    """

    def __init__(
        self,
        reason: str,
        *,
        method: str,
        path: str,
        status: int | None = None,
        request_id: str | None = None,
        body: str | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.method = method
        self.path = path
        self.status = status
        self.request_id = request_id
        self.body = body

    def __str__(self) -> str:
        status = "" if self.status is None else f" → {self.status}"
        request_id = "" if self.request_id is None else f" (request {self.request_id})"
        body = f"; it says: {self.body}" if self.body else ""
        return f"{self.method} {self.path}{status}{request_id}: {self.reason}{body}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _platform_error, (type(self), self.reason, self.__dict__)


class Unreachable(PlatformError):
    """There was no response, or an incomplete one, also after all retries."""


class ErrorResponse(PlatformError):
    """The response has an error status.

    `retry_after` is the number of seconds to wait, if the response has it. `oauth_error` is the
    error code of the token endpoint (RFC 6749, section 5.2), such as `invalid_grant`.
    """

    status: int
    retry_after: float | None = None
    oauth_error: str | None = None


class UnusableResponse(PlatformError):
    """The response is a success by its status, but not what is documented."""


class IncompleteListing(PlatformError):
    """The list of widgets is incomplete: `received` of `total` widgets.

    `advice` says what to do.
    """

    received: int = 0
    total: int | None = None
    advice: str = "filter it by project, search or type"

    def __str__(self) -> str:
        return f"{super().__str__()}; {self.advice}"


class LoginRequired(WidgetSchemaError):
    """There is no token, or none that the platform accepts.

    Args:
        reason: Why not.
        advice: How to get one.
    """

    def __init__(
        self,
        reason: str,
        advice: str = "log in with: widgetschema login --code CODE --redirect-uri URI",
    ) -> None:
        super().__init__(reason, advice)
        self.reason = reason
        self.advice = advice

    def __str__(self) -> str:
        return f"{self.reason}; {self.advice}"


class TokenStorageError(WidgetSchemaError):
    """Tokens cannot be read or stored.

    Args:
        path: The file, or the keyring.
        reason: Why not.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, reason)
        self.path = path
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


class NotAvailableOffline(WidgetSchemaError, LookupError):
    """Network access is required, but not allowed.

    Args:
        id: The widget type whose schema is missing, None if it concerns more than one.
        reason: Why it is not available.
    """

    def __init__(self, id: str | None, reason: str) -> None:
        super().__init__(id, reason)
        self.id = id
        self.reason = reason

    def __str__(self) -> str:
        if self.id is None:
            return f"this requires network access: {self.reason}"
        return f"the schema of widget type {self.id!r} is not available offline: {self.reason}"


class ClusterError(WidgetSchemaError):
    """A cluster cannot be used.

    Args:
        address: The address of its scheduler.
        reason: Why not.
    """

    def __init__(self, address: str, reason: str) -> None:
        super().__init__(address, reason)
        self.address = address
        self.reason = reason

    def __str__(self) -> str:
        return f"the cluster at {self.address}: {self.reason}"


class UnsharedInput(ClusterError):
    """The workers of a cluster cannot read the input.

    Args:
        address: The address of the scheduler.
        source: The name of the input.
        reason: Why not.
    """

    def __init__(self, address: str, source: str, reason: str) -> None:
        super().__init__(address, reason)
        self.args = (address, source, reason)
        self.source = source

    def __str__(self) -> str:
        return (
            f"{self.source}: the workers of the cluster at {self.address} cannot read it: "
            f"{self.reason}; use a path that all machines share, or an address such as "
            "s3://bucket/widgets/*.ndjson"
        )


class InvalidPlan(_ReportError):
    """The plan of a migration cannot be used.

    Args:
        report: The findings about the plan, with lines and columns if it is a file.
    """


class MigrationFailed(_ReportError):
    """Data cannot be migrated: it was not valid before, or would not be afterwards.

    Args:
        report: The findings about the data.
        status: `not-old`, `invalid` or `failed`, as of `Outcome`.
    """

    def __init__(self, report: Report, status: str) -> None:
        super().__init__(report)
        self.args = (report, status)
        self.status = status


class PatchError(WidgetSchemaError):
    """An operation of a JSON Patch (RFC 6902) cannot be applied.

    Args:
        index: The index of the operation, from 0.
        reason: Why not.
    """

    def __init__(self, index: int, reason: str) -> None:
        super().__init__(index, reason)
        self.index = index
        self.reason = reason

    def __str__(self) -> str:
        return f"operation {self.index + 1} of the patch: {self.reason}"


class ReporterError(WidgetSchemaError):
    """A report format of another package cannot be used.

    Args:
        format: The name of the format.
        reason: Why not.
    """

    def __init__(self, format: str, reason: str) -> None:
        super().__init__(format, reason)
        self.format = format
        self.reason = reason

    def __str__(self) -> str:
        return f"report format {self.format!r}: {self.reason}"


class MissingExtra(WidgetSchemaError, ImportError):
    """A feature needs an extra of this package that is not installed.

    Args:
        extra: The name of the extra.
        what: The feature, as the subject of a sentence.
    """

    def __init__(self, extra: str, what: str) -> None:
        super().__init__(extra, what)
        self.extra = extra
        self.what = what

    def __str__(self) -> str:
        return f"{self.what}: install it with: pip install 'widgetschema[{self.extra}]'"


class EngineUnavailable(WidgetSchemaError):
    """An engine cannot be used here.

    Args:
        engine: The name of the engine.
        reason: Why not.
    """

    def __init__(self, engine: str, reason: str) -> None:
        super().__init__(engine, reason)
        self.engine = engine
        self.reason = reason

    def __str__(self) -> str:
        return f"engine {self.engine!r} is not available: {self.reason}"


def _platform_error(kind: type[PlatformError], reason: str, state: dict[str, Any]) -> PlatformError:
    error = kind(reason, method=state["method"], path=state["path"])
    error.__dict__.update(state)
    return error


def _names(names: Sequence[str]) -> str:
    shown = ", ".join(repr(name) for name in names[:12])
    return shown if len(names) <= 12 else f"{shown} and {len(names) - 12:,} more"

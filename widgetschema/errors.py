"""Every exception of this package, one tree, on one screen.

    WidgetSchemaError
    ├── InvalidWidgetData        the data breaks its schema            .report
    ├── UnreadableDocument       the text is not (strict) JSON         .report
    ├── UnknownWidgetType        no catalog source has this id         .id .known .nearest
    ├── SchemaError              the schema itself cannot be used
    │   ├── InvalidSchema        it breaks the draft-07 meta-schema    .report
    │   ├── UnsupportedDialect   its `$schema` is not draft-07         .dialect
    │   ├── UnresolvableReference  a `$ref` leads nowhere              .reference .pointer ...
    │   ├── ReferenceLoop        a `$ref` leads back to itself         .pointers
    │   └── CannotGenerate       no data was found that it accepts     .schema .pointer .reason
    ├── StoreError               a schema folder cannot be used        .path
    ├── ConfigurationError       the configuration cannot be used      .report
    ├── ChangesUnknown           git cannot say what has changed        .reason
    ├── FormError                no form can be made, or what came back is of no use  .reason
    │   ├── StaleForm            it was made of other data       .form .fields
    │   ├── TooManyFields        more than a form may have        .count .limit
    │   └── InvalidFormDescription  the UI description is wrong   .report
    ├── InvalidTypeId            this text cannot be the id of a type  .id .reason
    ├── PlatformError            the platform did not do what it should .method .path .status ...
    │   ├── Unreachable          no answer, or not a whole one
    │   ├── ErrorResponse        an answer with an error status        .status .body .retry_after
    │   ├── UnusableResponse     a success, but not what is documented
    │   └── IncompleteListing    the list of widgets was cut off       .received .total
    ├── LoginRequired            there is no token that is accepted    .reason
    ├── TokenStorageError        tokens cannot be read or kept         .path .reason
    ├── NotAvailableOffline      it would take the network             .id
    ├── ClusterError             a cluster cannot be used              .address .reason
    │   └── UnsharedInput        its machines do not see what is read  .source
    ├── ReporterError            a report format of another package    .format .reason
    ├── MissingExtra             something optional is not installed   .extra
    └── EngineUnavailable        the engine asked for is not installed .engine

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


class InvalidWidgetData(_ReportError):
    """The data does not match its schema; `report` says where and why."""


class UnreadableDocument(_ReportError):
    """The text is not JSON as RFC 8259 defines it; `report` says where and why."""


class UnknownWidgetType(WidgetSchemaError, LookupError):
    """No source of the catalog has a widget type with this id."""

    def __init__(self, id: str, known: Sequence[str], nearest: Sequence[str] = ()) -> None:
        super().__init__(id, known, nearest)
        self.id = id
        self.known = tuple(known)
        self.nearest = tuple(nearest)

    def __str__(self) -> str:
        id = shorten(self.id, 80)
        meant = f"; did you mean {_names(self.nearest)}?" if self.nearest else ""
        known = _names(self.known) if self.known else "none"
        return f"unknown widget type {id!r}{meant} (known: {known})"


class SchemaError(WidgetSchemaError):
    """A schema cannot be used."""


class InvalidSchema(SchemaError, _ReportError):
    """The schema breaks the draft-07 meta-schema, or a limit of this package."""


class UnsupportedDialect(SchemaError):
    """`$schema` names a dialect other than draft-07."""

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

    `schema` is the id of the schema that holds it, `pointer` the JSON Pointer of the
    `$ref` in it, `reference` its text, `resolved` the absolute form, `nearest` the
    names that exist and are most like it.
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
    """References that lead back to themselves, or too far, without reaching any data."""

    def __init__(self, schema: str, pointers: Sequence[str], reason: str) -> None:
        super().__init__(schema, pointers, reason)
        self.schema = schema
        self.pointers = tuple(pointers)
        self.reason = reason

    def __str__(self) -> str:
        way = " → ".join(display_pointer(pointer) for pointer in self.pointers[:6])
        return f"schema {self.schema!r}: {self.reason}: {way}"


class CannotGenerate(SchemaError):
    """No data was found that the schema accepts.

    `schema` is the id of the schema, `pointer` the JSON Pointer of the subschema in the linked
    schema that could not be satisfied, `reason` says why.
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
    """A folder of schemas cannot be used; `path` names the folder or the file."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, reason)
        self.path = path
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


class ConfigurationError(_ReportError):
    """The configuration (a file, or a variable of the environment) cannot be used."""


class ChangesUnknown(WidgetSchemaError):
    """git cannot say what has changed; `reason` says why, and what to do."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return f"git cannot say what has changed: {self.reason}"


class FormError(WidgetSchemaError):
    """A form cannot be made, or what came back from one cannot be used; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return self.reason


class StaleForm(FormError):
    """A submission of a form that was made for another value, or another schema.

    Nothing of it was applied, and nothing is lost: `fields` are the controls that came back (name
    and texts), and `form` is the form of what is there now with what was typed in it, to be shown
    again with status 409. Saving that form replaces what is there now. If the schema is another,
    choices (enumerations and alternatives) are in `fields` alone: they may mean something else.
    """

    def __init__(self, form: Any = None, fields: Mapping[str, Sequence[str]] | None = None) -> None:
        super().__init__(
            "the data or the schema was changed since this form was shown: nothing was saved; "
            "show `error.form`, which has what was typed"
        )
        self.args = (form, fields)
        self.form = form
        self.fields = fields or {}


class TooManyFields(FormError):
    """More came back than a form may have: `count` controls of at most `limit`."""

    def __init__(self, count: int, limit: int) -> None:
        super().__init__(f"{count:,} controls came back, and a form has at most {limit:,}")
        self.args = (count, limit)
        self.count = count
        self.limit = limit


class InvalidFormDescription(FormError):
    """The UI description of a form cannot be used; `report` says where and why."""

    def __init__(self, report: Report) -> None:
        super().__init__(str(report))
        self.args = (report,)
        self.report = report


class InvalidTypeId(WidgetSchemaError, ValueError):
    """A text that cannot be the id of a widget type: no request and no file is made of it."""

    def __init__(self, id: str, reason: str) -> None:
        super().__init__(id, reason)
        self.id = id
        self.reason = reason

    def __str__(self) -> str:
        id = shorten(self.id, 80)
        return f"{id!r} cannot be the id of a widget type: {self.reason}"


class PlatformError(WidgetSchemaError):
    """The platform did not do what it should.

    `method` and `path` (no query, no origin) say what was asked; `status` is the HTTP status of
    the answer, `request_id` what the platform calls the request, `body` the beginning of the
    answer, in one line: each None where there is none. Tokens, client secrets and codes are in
    none of them, nor is what was sent.
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
    """There was no answer, or not a whole one, as often as was tried."""


class ErrorResponse(PlatformError):
    """The answer has an error status; `retry_after` is how many seconds to wait, if it says so.

    `oauth_error` is the error of the token endpoint by its name in RFC 6749, section 5.2, such as
    `invalid_grant`.
    """

    status: int
    retry_after: float | None = None
    oauth_error: str | None = None


class UnusableResponse(PlatformError):
    """The answer is a success by its status, and not what is documented."""


class IncompleteListing(PlatformError):
    """The list of widgets cannot be had as a whole; `received` of `total` were."""

    received: int = 0
    total: int | None = None


class LoginRequired(WidgetSchemaError):
    """There is no token, or none that the platform accepts; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.reason}; log in with: widgetschema login"


class TokenStorageError(WidgetSchemaError):
    """Tokens cannot be read or kept; `path` names the file, or the keyring."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, reason)
        self.path = path
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


class NotAvailableOffline(WidgetSchemaError, LookupError):
    """The network would be needed, and must not be used.

    `id` is the widget type whose schema is not at hand, None if it is about more than one.
    """

    def __init__(self, id: str | None, reason: str) -> None:
        super().__init__(id, reason)
        self.id = id
        self.reason = reason

    def __str__(self) -> str:
        if self.id is None:
            return f"this takes the network: {self.reason}"
        return f"the schema of widget type {self.id!r} is not at hand: {self.reason}"


class ClusterError(WidgetSchemaError):
    """A cluster cannot be used; `address` is that of its scheduler, `reason` says why."""

    def __init__(self, address: str, reason: str) -> None:
        super().__init__(address, reason)
        self.address = address
        self.reason = reason

    def __str__(self) -> str:
        return f"the cluster at {self.address}: {self.reason}"


class UnsharedInput(ClusterError):
    """The machines of a cluster do not see what they are to read; `source` is its name."""

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


class ReporterError(WidgetSchemaError):
    """A report format that another package provides cannot be used."""

    def __init__(self, format: str, reason: str) -> None:
        super().__init__(format, reason)
        self.format = format
        self.reason = reason

    def __str__(self) -> str:
        return f"report format {self.format!r}: {self.reason}"


class MissingExtra(WidgetSchemaError, ImportError):
    """A feature that needs an extra of this package which is not installed."""

    def __init__(self, extra: str, what: str) -> None:
        super().__init__(extra, what)
        self.extra = extra
        self.what = what

    def __str__(self) -> str:
        return f"{self.what}: install it with: pip install 'widgetschema[{self.extra}]'"


class EngineUnavailable(WidgetSchemaError):
    """The engine that was asked for cannot be used here."""

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

"""Audits of files and addresses from Python, and their summary as a value."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from widgetschema.audit.collector import Collector
from widgetschema.audit.inputs.inspection import require_no_password
from widgetschema.audit.inputs.reading import consistent
from widgetschema.audit.inputs.tables.model import ColumnNames
from widgetschema.audit.plan import PARTITION, Plan, Settings, plan_sources, without_input
from widgetschema.audit.reporters.summary import audit_text
from widgetschema.audit.runners.local import run_local
from widgetschema.audit.summary import exit_code
from widgetschema.catalog.catalog import Catalog
from widgetschema.jsontext import DEFAULT_LIMITS
from widgetschema.project.checking.checker import TYPE_POINTER

Source = str | os.PathLike[str]
_KINDS: Final = ("auto", "data", "document")
_NO_LISTS: Final = (str, bytes, Mapping)
_PARAMETERS: Final = {
    "--as": "kind",
    "--at": "at",
    "--data-column": "data_column",
    "--data-pointer": "data_pointer",
    "--decode-strings": "decode_strings",
    "--key": "key",
    "--partition-size": "partition_bytes",
    "--query": "query",
    "--table": "table",
    "--type": "type_id",
    "--type-column": "type_column",
}
_OPTION: Final = re.compile(
    rf"(?<![\w-])({'|'.join(_PARAMETERS)})(?![\w-])(?: (data|document|ID)\b)?"
)
_OF_TYPES: Final = "problem."  # what the keywords of findings about unknown types begin with


@dataclass(frozen=True, slots=True)
class TypeCounts:
    """The counts of the records of one widget type.

    Args:
        type: The id of the widget type.
        records: All of its records.
        valid: Those without a finding.
        invalid: Those with findings.
        invalid_before: Those that were invalid by the older schemas, too; of these, the findings
            are not counted.
        findings: The findings of the invalid records.
    """

    type: str
    records: int
    valid: int
    invalid: int
    invalid_before: int
    findings: int


@dataclass(frozen=True, slots=True)
class Example:
    """An example of a mistake: the record that has it, and what is said of it.

    Args:
        file: The file or address of the record.
        line: Its line, or that of the finding; None if it is not known.
        document: The JSON Pointer of the record in its text.
        id: The id of the record, if it has one.
        path: The JSON Pointer of the place in the record.
        message: The message of the finding.
    """

    file: str
    line: int | None
    document: str
    id: str | int | float | None
    path: str
    message: str


@dataclass(frozen=True, slots=True)
class Mistake:
    """Findings that have type, place and keyword in common.

    Args:
        type: The id of the widget type; None if records have no known type, or are not JSON.
        keyword: The keyword of the findings.
        path: The JSON Pointer of the place in the record, with `*` for array items.
        records: The number of records that have such findings.
        findings: The number of the findings.
        message: The message, or that of an example.
        hint: The hint, if all of them have the same.
        examples: Some of them, in the order of the records.
    """

    type: str | None
    keyword: str
    path: str
    records: int
    findings: int
    message: str
    hint: str | None
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class AuditProblem:
    """A problem that kept records from being checked.

    Args:
        file: The file or address.
        line: The line, if it is known.
        message: A sentence.
        code: The exit code that the command has for it.
    """

    file: str
    line: int | None
    message: str
    code: int


@dataclass(frozen=True, slots=True)
class Summary:
    """The summary of an audit; `str(summary)` is the text that the command prints.

    Args:
        records: All records: those of a type, `unreadable` and `untyped`.
        valid: Those without a finding.
        invalid: Those with findings.
        unreadable: Texts that are not JSON, or are too large.
        untyped: Records of no known type.
        invalid_before: Those that were invalid by the older schemas, too.
        findings: All findings.
        types: The counts by widget type.
        mistakes: Findings by what they have in common, most findings first; at most 1,000.
        problems: What kept records from being checked, such as a file that cannot be read.
        exit_code: The exit code that the command has for this: 0 if everything is valid.
    """

    records: int
    valid: int
    invalid: int
    unreadable: int
    untyped: int
    invalid_before: int
    findings: int
    types: tuple[TypeCounts, ...]
    mistakes: tuple[Mistake, ...]
    problems: tuple[AuditProblem, ...]
    exit_code: int
    _json: str = field(repr=False)

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON object that `widgetschema audit --format json` prints.

        Where that names an option of the command, this names the parameter of `audit`.
        """
        value: dict[str, Any] = json.loads(self._json)
        return value

    def to_json(self) -> str:
        """Return `as_dict()` as indented JSON text."""
        return json.dumps(self.as_dict(), ensure_ascii=False, indent=2)

    def __str__(self) -> str:
        return audit_text(self.as_dict())


def audit(
    sources: Source | Sequence[Source],
    catalog: Catalog | None = None,
    *,
    type_id: str | None = None,
    type_pointer: str = TYPE_POINTER,
    kind: Literal["auto", "data", "document"] = "auto",
    data_pointer: str | None = None,
    at: str = "",
    decode_strings: bool = False,
    id_pointer: str = "/id",
    date_pointer: str = "/updated",
    data_column: str | None = None,
    type_column: str | None = None,
    id_column: str | None = None,
    table: str | None = None,
    query: str | None = None,
    key: str | None = None,
    by: str | Sequence[str] = (),
    examples: int = 3,
    against: Catalog | None = None,
    jobs: int = 1,
    partition_bytes: int = PARTITION,
    max_bytes: int = DEFAULT_LIMITS.max_bytes,
) -> Summary:
    """Check all records in files and addresses, and sum up what was found.

    The counts are those of the command `widgetschema audit` with the same options, for any number
    of processes. Memory does not grow with the number of records.

    Args:
        sources: Names of files and folders, globs, and addresses such as `s3://…`: see the guide.
        catalog: The catalog of the types; by default `Catalog.default()`.
        type_id: The widget type of all records. Without it, each says its own.
        type_pointer: The JSON Pointer of the type in a record.
        kind: "data", "document", or "auto", which decides for each record.
        data_pointer: The JSON Pointer of the data in a record, if records are neither.
        at: The JSON Pointer of the document in a record, such as "/after" in events of Debezium;
            the other pointers are relative to it. A record with null there is skipped.
        decode_strings: Data that is a string is read as JSON.
        id_pointer: The JSON Pointer of the id in a record.
        date_pointer: The JSON Pointer of the date of its last change.
        data_column: The column of a table with the data; by default `data`.
        type_column: The column of a table with the types; by default as `type_pointer`.
        id_column: The column of a table with the ids; by default as `id_pointer`.
        table: The table of a database.
        query: A query of a database, in place of a table.
        key: The column by which the rows of a database are divided; by default the primary key.
        by: A JSON Pointer, or several, of values by which records are counted; `as_dict()` has
            these counts.
        examples: The number of examples of each mistake.
        against: Older schemas: only records that were valid by these are reported.
        jobs: The number of processes.
        partition_bytes: Bytes of a large file that are checked as a unit.
        max_bytes: The limit of the size of a record.

    Returns:
        The summary. Problems with sources and records are part of it.

    Raises:
        MissingExtra: An address needs the extra `audit`.
        WidgetSchemaError: The schema of `type_id` is unknown or cannot be used.
        TypeError: `sources` are not names, or `catalog` or `against` is no catalog.
        ValueError: An option is out of range, is not a JSON Pointer, excludes another one, or is
            for tables or databases but no source is one; or the address of a database has a
            password.
    """
    names = _names(sources)
    for name in names:
        require_no_password(name)
    by = (by,) if isinstance(by, str) else tuple(by)
    settings = Settings(
        type_id=type_id,
        type_pointer=type_pointer,
        kind=kind,
        data_pointer=data_pointer,
        at=at,
        decode_strings=decode_strings,
        id_pointer=id_pointer,
        date_pointer=date_pointer,
        examples=examples,
        by=by,
    )
    for name, problem in settings.faults():
        raise ValueError(f"{name}: {problem}")
    if kind not in _KINDS:
        raise ValueError(f"kind must be one of {', '.join(_KINDS)}, not {kind!r}")
    for name, number, least in (
        ("examples", examples, 0),
        ("jobs", jobs, 1),
        ("partition_bytes", partition_bytes, 1),
        ("max_bytes", max_bytes, 1),
    ):
        if number < least:
            raise ValueError(f"{name} must be at least {least}, not {number}")
    if data_pointer is not None and kind != "auto":
        raise ValueError("data_pointer and kind exclude each other")
    if table is not None and query is not None:
        raise ValueError("table and query exclude each other")
    for name, given in (("catalog", catalog), ("against", against)):
        if given is not None and not isinstance(given, Catalog):
            raise TypeError(f"{name} must be a Catalog, not {type(given).__name__}")
    known = Catalog.default() if catalog is None else catalog
    if type_id is not None:
        _ = known[type_id]
    if type_column is not None and settings.knows_types:
        raise ValueError("type_column is of no use: the types are known without it")
    asked = ColumnNames(data_column, type_column, id_column, table=table, query=query, key=key)
    columns = settings.columns(asked)
    found, partitions, problems = plan_sources(
        names, partition_bytes=partition_bytes, columns=columns
    )
    refused = without_input(columns, found)
    if refused is not None:
        raise ValueError(" ".join(refused))
    with consistent(found) as read:
        plan = Plan(settings, known, tuple(read), tuple(partitions), against, max_bytes)
        collector = Collector(plan, problems)
        with closing(run_local(plan, jobs)) as results:
            for result in results:
                collector.add(result)
    return _summary(_with_parameters(collector.summary()))


def _names(sources: Source | Sequence[Source]) -> list[str]:
    """Return the names of sources. Raises `TypeError` for what is none."""
    given: Iterable[Any] = [sources]
    if isinstance(sources, Iterable) and not isinstance(sources, (*_NO_LISTS, os.PathLike)):
        given = sources
    for one in given:
        if not isinstance(one, (str, os.PathLike)):
            raise TypeError(
                f"sources are the names of files, folders and addresses, not {type(one).__name__}; "
                "to check records that you have at hand, call check_many"
            )
    return [os.fspath(one) for one in given]


def _with_parameters(value: dict[str, Any]) -> dict[str, Any]:
    """Return a summary whose advice names the parameters of `audit`, not the command's options."""
    return {
        **value,
        "problems": [
            {**one, "message": _as_parameters(one["message"])} for one in value["problems"]
        ],
        "places": [_place_with_parameters(one) for one in value["places"]],
    }


def _place_with_parameters(place: dict[str, Any]) -> dict[str, Any]:
    changed = {**place, "hint": place["hint"] and _as_parameters(place["hint"])}
    if place["keyword"].startswith(_OF_TYPES):  # of others, the message may quote the data
        changed["message"] = place["message"] and _as_parameters(place["message"])
        changed["examples"] = [
            {**one, "message": _as_parameters(one["message"])} for one in place["examples"]
        ]
    return changed


def _as_parameters(text: str) -> str:
    def parameter(match: re.Match[str]) -> str:
        value = match[2]
        name = _PARAMETERS[match[1]]
        return name if value in (None, "ID") else f'{name}="{value}"'

    return _OPTION.sub(parameter, text)


def _summary(value: dict[str, Any]) -> Summary:
    counts = ("records", "valid", "invalid", "unreadable", "untyped", "invalid_before", "findings")
    return Summary(
        **{name: value[name] for name in counts},
        types=tuple(TypeCounts(**_some(TypeCounts, one)) for one in value["types"]),
        mistakes=tuple(
            Mistake(
                **_some(Mistake, one)
                | {"examples": tuple(Example(**_some(Example, of)) for of in one["examples"])}
            )
            for one in value["places"]
        ),
        problems=tuple(AuditProblem(**_some(AuditProblem, one)) for one in value["problems"]),
        exit_code=exit_code(value),
        _json=json.dumps(value, ensure_ascii=False),
    )


def _some(kind: type, value: dict[str, Any]) -> dict[str, Any]:
    """Return the members that a value of this kind has."""
    return {name: value[name] for name in kind.__dataclass_fields__}  # type: ignore[attr-defined]

"""The options of `widgetschema audit`, each declared once, and what they mean."""

from __future__ import annotations

import re
from typing import Final

import click

from widgetschema.audit.comparison import Earlier, NotASummary, parse_summary, require_same_question
from widgetschema.audit.inputs.inspection import require_no_password
from widgetschema.audit.plan import Settings
from widgetschema.audit.sampling import Sample, parse_sample
from widgetschema.audit.summary import Gate, parse_gate
from widgetschema.cli.declared import argument, option, setting_option
from widgetschema.cli.options import (
    ConfigurationOptions,
    TypeOptions,
    color_option,
    format_option,
    kind_option,
)
from widgetschema.errors import StoreError
from widgetschema.files import read_bytes
from widgetschema.pointers import not_to_member
from widgetschema.text import join, printable

STANDARD_STREAM: Final = "-"
_SIZE: Final = re.compile(r"([0-9]{1,15}) ?([KMGT]?)(I?)B?", re.ASCII | re.IGNORECASE)
_POWERS: Final = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}
_LEAST: Final = 4096  # bytes of a partition


class BulkOptions(ConfigurationOptions):
    """The options of audits and of migrations in bulk: which records, and how the work is done."""

    inputs: tuple[str, ...] = argument(nargs=-1, required=True, metavar="PATH...")
    type_pointer: str = option(
        "--type-pointer",
        metavar="POINTER",
        default="/type",
        help="JSON Pointer to the type of a record, such as /meta/type.",
    )
    data_pointer: str | None = option(
        "--data-pointer",
        metavar="POINTER",
        help="JSON Pointer to the widget data of a record, such as /after/data. Default: as --as "
        "says.",
    )
    id_pointer: str = option(
        "--id-pointer",
        metavar="POINTER",
        default="/id",
        help="JSON Pointer to the id of a record.",
    )
    kind: str = kind_option("Read records as widget data, or as widget documents.")
    jobs: int | None = setting_option("jobs")
    partition_size: str = option(
        "--partition-size",
        metavar="SIZE",
        default="16MiB",
        help="Read this much at a time; a stopped run continues after the last finished part.",
    )
    scheduler: str | None = option(
        "--scheduler",
        metavar="ADDRESS",
        help="Use the workers of a Dask cluster, such as tcp://host:8786.",
        excludes=("jobs",),
    )
    output_format: str = format_option
    quiet: bool = option("--quiet", "-q", help="Print no progress and no advice.")
    color: str = color_option

    def partition_bytes(self) -> int:
        """Return the size of a partition in bytes. Raises a usage error."""
        match = _SIZE.fullmatch(self.partition_size.strip())
        if match is None:
            raise click.BadParameter(
                f"{printable(self.partition_size)!r} is not a size such as 16MiB.",
                param_hint="--partition-size",
            )
        number, unit, binary = match.groups()
        size: int = int(number) * (1024 if binary else 1000) ** _POWERS[unit.upper()]
        if not _LEAST <= size <= 2**50:
            raise click.BadParameter(
                f"{printable(self.partition_size)} is not between 4KiB and 1024TiB.",
                param_hint="--partition-size",
            )
        return size


class AuditOptions(TypeOptions, BulkOptions):
    """The options of the command."""

    type_id: str | None = option("--type", metavar="ID", help="The widget type of all records.")
    data_column: str | None = option(
        "--data-column",
        metavar="NAME",
        help="Column of a table with the widget data; * for rows that are the records. Default: "
        "data.",
    )
    type_column: str | None = option(
        "--type-column",
        metavar="NAME",
        help="Column of a table with the types. Default: type, if there is one.",
    )
    table: str | None = option(
        "--table", metavar="NAME", help="Table of a database.", excludes=("query",)
    )
    query: str | None = option(
        "--query", metavar="SQL", help="Query of a database, in place of --table."
    )
    key: str | None = option(
        "--key",
        metavar="COLUMN",
        help="Divide the rows of a database by this column. Default: its primary key.",
    )
    at: str | None = option(
        "--at",
        metavar="POINTER",
        help="JSON Pointer to the document in a record, such as /after; the other pointers are "
        "relative to it. Default: the record is the document.",
    )
    decode_strings: bool = option(
        "--decode-strings", help="Read data that is a string as JSON, and check that."
    )
    input_format: str = option(
        "--input-format",
        type=click.Choice(["auto", "lines", "array", "concatenated", "sequence"]),
        default="auto",
        help="Read files as a JSON text per line, as the items of an array (also within the "
        "platform's list), as concatenated texts, or as a JSON text sequence (RFC 7464). "
        "Default: auto, which goes by the name and the first bytes of a file.",
    )
    against: str | None = option(
        "--against",
        metavar="OLD",
        help="Report only records that were valid by OLD and no longer are: a folder of schemas, a "
        "file with a schema (with --data-schema, one of the data itself), or the id of a widget "
        "type.",
    )
    findings: str | None = option(
        "--findings",
        metavar="FILE",
        help="Write all findings, one JSON object per line; as a table, if FILE ends in .parquet.",
    )
    invalid_ids: str | None = option(
        "--invalid-ids", metavar="FILE", help="Write the ids of invalid records, one per line."
    )
    quarantine: str | None = option(
        "--quarantine",
        metavar="FILE",
        help="Write the invalid records as they are, one per line.",
    )
    html: str | None = option("--html", metavar="FILE", help="Write an HTML page with charts.")
    compare: tuple[str, ...] = option(
        "--compare",
        metavar="FILE",
        multiple=True,
        help="Compare with the summary of an earlier audit (--format json). Repeatable, oldest "
        "first.",
    )
    id_column: str | None = option(
        "--id-column",
        metavar="NAME",
        help="Column of a table with the ids. Default: id, if there is one.",
    )
    date_pointer: str = option(
        "--date-pointer",
        metavar="POINTER",
        default="/updated",
        help="JSON Pointer to the date of a record's last change.",
    )
    by: tuple[str, ...] = option(
        "--by",
        metavar="POINTER",
        multiple=True,
        help="Count records by their value at a JSON Pointer, such as /projectId. Repeatable.",
    )
    examples: int = option(
        "--examples",
        type=click.IntRange(0, 100),
        default=3,
        help="Examples of each finding.",
    )
    sample: str | None = option(
        "--sample",
        metavar="SHARE",
        help="Check only a sample of the records, such as 1%, the same one in every run.",
    )
    seed: int = option(
        "--seed",
        type=click.IntRange(0, 2**63),
        default=0,
        help="Seed of the sample.",
    )
    max_invalid: str | None = option(
        "--max-invalid",
        metavar="LIMIT",
        help="Succeed if no more records than this are invalid: a share such as 0.1%, or a number.",
    )
    engine: str | None = setting_option("engine")
    no_formats: bool = setting_option("formats")
    resume: bool = option("--resume", help="Continue where the same run stopped.")
    strict_inputs: bool = option(
        "--strict-inputs",
        help="Fail if a file of a folder is not read (exit code 3).",
    )
    allow_empty: bool = option("--allow-empty", help="Succeed even if there is no record to check.")

    def refuse_conflicts(self) -> None:
        """Raise a usage error for options that exclude each other."""
        for name in self.inputs:  # before anything shows an address that has a password
            try:
                require_no_password(name)
            except ValueError as error:
                raise click.UsageError(f"{error}.") from None
        super().refuse_conflicts()
        self.partition_bytes()
        gate = self.gate()
        if self.sample_of_records() is not None and gate is not None and not gate.is_share:
            raise click.UsageError(
                "--sample checks only some records: pass --max-invalid as a share, such as 0.1%."
            )
        if self.at == "":
            raise click.BadParameter(f"{not_to_member('')}.", param_hint="--at")
        for name, problem in self.record_settings.faults():
            raise click.BadParameter(f"{problem}.", param_hint=self.declared[name].names[0])
        if self.data_pointer is not None and self.kind != "auto":
            raise click.UsageError("--data-pointer and --as cannot be combined.")
        if self.type_column is not None and self.record_settings.knows_types:
            raise click.UsageError(
                "--type-column cannot be combined with --type, --data-schema, --data-pointer, --at "
                "and --as document: the types are known."
            )
        shared_stream = [name for name, file in self._lines if file == STANDARD_STREAM]
        if len(shared_stream) > 1:
            raise click.UsageError(f"{join(shared_stream)} cannot share standard output.")
        if self.html == STANDARD_STREAM:
            raise click.UsageError("--html needs the name of a file.")
        if STANDARD_STREAM in self.inputs:
            if self.resume:
                raise click.UsageError("--resume cannot continue standard input: name files.")
            if self.against == STANDARD_STREAM:
                raise click.UsageError("Only one of PATH and --against can be standard input.")
            if self.scheduler is not None:
                raise click.UsageError("--scheduler: other machines cannot read standard input.")

    def earlier(self) -> list[Earlier]:
        """Return the summaries to compare with. Raises a usage error."""
        summaries = []
        sample = self.sample_of_records()
        for name in self.compare:
            try:
                summary = parse_summary(read_bytes(name))
                require_same_question(
                    summary,
                    against=self.against is not None,
                    sample=None if sample is None else (sample.share, sample.seed),
                )
                summaries.append(Earlier(name, summary))
            except StoreError as error:
                raise click.UsageError(f"--compare {printable(name)}: {error.reason}.") from error
            except NotASummary as error:
                raise click.UsageError(f"--compare {printable(name)}: {error}.") from error
        return summaries

    def sample_of_records(self) -> Sample | None:
        """Return the sample that is checked, if that is given. Raises a usage error."""
        if self.sample is None:
            return None
        sample = parse_sample(self.sample, self.seed)
        if sample is None:
            raise click.BadParameter(
                f"{printable(self.sample)!r} is not a share such as 1%.", param_hint="--sample"
            )
        return sample

    def gate(self) -> Gate | None:
        """Return the limit of invalid records, if there is one. Raises a usage error."""
        if self.max_invalid is None:
            return None
        gate = parse_gate(self.max_invalid)
        if gate is None:
            raise click.BadParameter(
                f"{printable(self.max_invalid)!r} is neither a number of records such as 10 nor a "
                "share such as 0.1%.",
                param_hint="--max-invalid",
            )
        return gate

    @property
    def record_settings(self) -> Settings:
        """The settings for each record. Raises a usage error for the sample."""
        return Settings(
            type_id=self.only_type,
            type_pointer=self.type_pointer,
            kind=self.kind,
            data_pointer=self.data_pointer,
            at=self.at or "",
            decode_strings=self.decode_strings,
            id_pointer=self.id_pointer,
            date_pointer=self.date_pointer,
            examples=self.examples,
            findings=self.findings is not None,
            ids=self.invalid_ids is not None,
            quarantine=self.quarantine is not None,
            by=self.by,
            sample=self.sample_of_records(),
        )

    @property
    def files(self) -> list[str]:
        """The files that are written."""
        named = (*(file for _, file in self._lines), self.html)
        return [file for file in named if file is not None and file != STANDARD_STREAM]

    @property
    def wants_table(self) -> bool:
        """True if the findings are written as Parquet."""
        return self.findings is not None and self.findings.lower().endswith(".parquet")

    @property
    def takes_stdout(self) -> bool:
        """True if lines go to standard output, in place of the summary."""
        return any(file == STANDARD_STREAM for _, file in self._lines)

    @property
    def _lines(self) -> list[tuple[str, str | None]]:
        """The options that write lines, and what they were given."""
        names = ("findings", "invalid_ids", "quarantine")
        return [(self.declared[name].names[0], getattr(self, name)) for name in names]

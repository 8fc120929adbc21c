"""`widgetschema sample`: data made from a schema, as a stream, a file, or a folder of files."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from widgetschema.catalog.widget_type import WidgetType
from widgetschema.cli.common import configured_catalog
from widgetschema.cli.console.output import print_error
from widgetschema.cli.console.progress import with_progress
from widgetschema.cli.options import fetch_option, parse_seed, schemas_option
from widgetschema.cli.pipeline.sample_output import to_file, to_folder, to_stdout
from widgetschema.cli.pipeline.selection import guard_output
from widgetschema.text import join, plural

if TYPE_CHECKING:
    from widgetschema.samples import Case, CaseSet

_MOST_UNCOVERED: Final = 20  # lines about what is not covered
_PLAIN_NAME: Final = re.compile(r"(?!\.)[A-Za-z0-9._-]{1,80}")
_LAYOUTS: Final = {".json": "json", ".ndjson": "ndjson", ".jsonl": "ndjson"}  # by a file's name
_CASES: Final = ("coverage", "near-miss")


class _Order(NamedTuple):
    """What was asked for; `number` is None where nobody said how many."""

    kind: str
    number: int | None
    seed: int | str
    start: int
    fill: float
    locale: str
    shape: str


class _Made(NamedTuple):
    """What is to be written: values one by one, and the name of each as a file in a folder.

    `cases` are an id and findings (keyword, path) for each value; `summary` is about all.
    """

    number: int
    values: Iterable[Any]
    names: Iterable[str]
    cases: Sequence[tuple[str, list[list[str]]]] | None = None
    summary: str | None = None


@click.command("sample")
@click.argument("type_id", metavar="ID")
@click.option(
    "--kind",
    type=click.Choice(["valid", "minimal", "maximal", *_CASES]),
    default="valid",
    help="valid: realistic data; minimal, maximal: the least and the most that is valid; "
    "coverage: all that the schema offers; near-miss: one mistake in each. Default: valid.",
)
@click.option(
    "--count",
    type=click.IntRange(min=0),
    metavar="N",
    help="How many. Default: one; of coverage and near-miss all, N being the first N.",
)
@click.option("--seed", metavar="S", help="Text or a number; the same seed, the same data.")
@click.option(
    "--start", type=click.IntRange(min=0), metavar="I", help="The first index. Default: 0."
)
@click.option(
    "--fill",
    type=float,
    metavar="0..1",
    help="How likely an optional member is. Default: 0.75.",
)
@click.option(
    "--as",
    "shape",
    type=click.Choice(["data", "document"]),
    default="data",
    help="Bare data, or widget documents around it. Default: data.",
)
@click.option(
    "--format",
    "layout",
    type=click.Choice(["json", "ndjson"]),
    help="json: indented, an array unless it is one value; ndjson: one value a line. "
    "Default: by the name of FILE, else json, or with --count ndjson.",
)
@click.option(
    "--output",
    metavar="FILE|DIR",
    help="Write a file, or a folder (one that is there, or a name that ends in /) of one file "
    "a value; with a manifest that says how to make it again.",
)
@click.option("--locale", metavar="L", default="en", help="The language of texts. Default: en.")
@schemas_option
@fetch_option
def command(
    type_id: str,
    kind: str,
    count: int | None,
    seed: str | None,
    start: int | None,
    fill: float | None,
    shape: str,
    layout: str | None,
    output: str | None,
    locale: str,
    schemas: str | None,
    fetch: str | None,
) -> int:
    """Write data of the widget type ID, made from its schema: valid, or with one mistake each.

    The same command writes the same bytes on every machine. Values are made one by one, as
    many as are asked for and no more than somebody reads.
    """
    _refuse_meaningless(kind, count, {"--seed": seed, "--start": start, "--fill": fill})
    target = _target(output, layout)
    guard_output(output, schemas=schemas)
    order = _Order(kind, count, parse_seed(seed), start or 0, _fill(fill), _locale(locale), shape)
    if layout is None:
        named = _LAYOUTS.get(os.path.splitext(output or "")[1].lower())
        layout = named or ("json" if count is None else "ndjson")
    if layout == "json" and count is None and kind not in _CASES:
        layout = "value"
    widget_type = configured_catalog(schemas, fetch)[type_id]
    made = _make(widget_type, order)
    with contextlib.closing(
        with_progress(made.values, made.number, "samples", to_stdout=target == "stdout")
    ) as values:
        if output is None or target == "stdout":
            to_stdout(values, layout)
        elif target == "folder":
            to_folder(output, values, made.names, _manifest(widget_type, order, made, "file"))
        else:
            place = "line" if layout == "ndjson" else "index"
            to_file(output, values, layout, _manifest(widget_type, order, made, place))
    if made.summary is not None:
        print_error(made.summary)
    return 0


# What was asked for


def _target(output: str | None, layout: str | None) -> str:
    """Where it goes: "stdout", "folder" or "file"."""
    if output is None or output == "-":
        return "stdout"
    if not output:
        raise click.UsageError("--output needs a name: that of a file or a folder, or -.")
    if output.lower().endswith(".gz"):
        raise click.UsageError("A .gz is not written: use standard output, and pipe to gzip.")
    if not os.path.isdir(output) and not output.endswith(("/", os.sep)):
        return "file"
    if layout == "ndjson":
        raise click.UsageError("A folder gets one JSON file a value: --format ndjson needs a FILE.")
    return "folder"


def _refuse_meaningless(kind: str, count: int | None, options: dict[str, Any]) -> None:
    """Raise for options that mean nothing to a kind: who gives them expects something else."""
    given = [name for name, value in options.items() if value is not None and kind != "valid"]
    if count is not None and kind in ("minimal", "maximal"):
        given.append("--count")
    if given:
        verb = "mean" if given[1:] else "means"
        names = join(given)
        raise click.UsageError(f"{names} {verb} nothing to --kind {kind}.")


def _fill(given: float | None) -> float:
    from widgetschema.samples import DEFAULT_FILL

    if given is None:
        return DEFAULT_FILL
    if not 0 <= given <= 1:  # not a range of click's, which lets NaN through
        raise click.BadParameter(f"{given} is not in the range 0<=x<=1.", param_hint="--fill")
    return given


def _locale(given: str) -> str:
    from widgetschema.samples.values.locales import load_locale

    try:
        return load_locale(given).name
    except LookupError as error:
        raise click.BadParameter(f"{error}.", param_hint="--locale") from None


# What is made


def _make(widget_type: WidgetType, order: _Order) -> _Made:
    """What is to be written. Raises `CannotGenerate`, now or while values are taken."""
    locale = order.locale
    if order.kind == "valid":
        return _samples(widget_type, order)
    if order.kind == "coverage":
        return _some(widget_type, order, widget_type.coverage(locale=locale))
    if order.kind == "near-miss":
        return _some(widget_type, order, widget_type.near_misses(locale=locale))
    minimal = order.kind == "minimal"
    value = widget_type.minimal() if minimal else widget_type.maximal(locale=locale)
    if order.shape == "document":
        value = widget_type.as_document(value, order.kind, locale=locale)
    name = f"{_file_name(widget_type.id)}-{order.kind}.json"
    return _Made(1, [value], [name])


def _samples(widget_type: WidgetType, order: _Order) -> _Made:
    seed, start, fill, locale = order.seed, order.start, order.fill, order.locale
    number = 1 if order.number is None else order.number
    if order.shape == "document":
        values: Iterable[Any] = (
            widget_type.sample_document(seed, index, fill=fill, locale=locale)
            for index in range(start, start + number)
        )
    else:
        values = widget_type.samples(number, seed, start=start, fill=fill, locale=locale)
    name = _file_name(widget_type.id)
    names = (f"{name}-{index:06}.json" for index in itertools.count(start))
    return _Made(number, values, names)


def _some(widget_type: WidgetType, order: _Order, all_cases: CaseSet) -> _Made:
    """The cases asked for, each with what checking says of what is written."""
    chosen = all_cases[: order.number]
    values = [case.data for case in chosen]
    findings = [[[found.keyword, found.path] for found in case.findings] for case in chosen]
    if order.shape == "document":
        values = _documents(widget_type, order, chosen)
        reports = map(widget_type.check_document, values)
        findings = [[[found.keyword, found.path] for found in report] for report in reports]
    slugs = [_slug(case.id) for case in chosen]
    names = [
        f"{number:04}-{slug}".removesuffix("-") + ".json" for number, slug in enumerate(slugs, 1)
    ]
    cases = list(zip((case.id for case in chosen), findings, strict=True))
    return _Made(len(chosen), values, names, cases, _summary(all_cases, chosen))


def _documents(widget_type: WidgetType, order: _Order, cases: Sequence[Case]) -> list[Any]:
    """A document around the data of each case; what is around it is valid in any case."""
    locale = order.locale
    if order.kind == "coverage":
        return [widget_type.as_document(case.data, case.id, locale=locale) for case in cases]
    valid = widget_type.sample(locale=locale)
    return [
        {**widget_type.as_document(valid, case.id, locale=locale), "data": case.data}
        for case in cases
    ]


def _summary(found: CaseSet, chosen: Sequence[Case]) -> str:
    """How many cases there are, what they cover, and what none of them can cover, and why."""
    covered = f"{len(found.ledger) - len(found.uncovered):,}"
    cases, targets = plural(len(found), "case"), plural(len(found.ledger), "target")
    lines = [f"{cases}; {covered} of {targets} covered"]
    if len(chosen) < len(found):
        lines = [f"{len(chosen):,} of {cases}; all of these would cover {covered} of {targets}"]
    shown = found.uncovered[:_MOST_UNCOVERED]
    lines += [f"  not covered: {target.id}: {target.why}" for target in shown]
    if len(found.uncovered) > len(shown):
        lines.append(f"  and {len(found.uncovered) - len(shown):,} more")
    return "\n".join(lines)


def _slug(text: str) -> str:
    """What of a text can be in a file name everywhere."""
    return re.sub("[^A-Za-z0-9.]+", "-", text).strip("-.")[:70].rstrip("-.")


def _file_name(id: str) -> str:
    """The id of a widget type in a file name: no path, nothing hidden."""
    return id if _PLAIN_NAME.fullmatch(id) else _slug(id) or "sample"


def _manifest(widget_type: WidgetType, order: _Order, made: _Made, place: str) -> dict[str, Any]:
    """What was made, and how to make it again; `place` is where each case is."""
    from widgetschema.samples import ALGORITHM

    drawn = order.kind == "valid"
    manifest: dict[str, Any] = {
        "version": 1,
        "type": widget_type.id,
        "linked_digest": widget_type.linked_digest,
        "algorithm": ALGORITHM,
        "kind": order.kind,
        "seed": order.seed if drawn else None,
        "start": order.start if drawn else None,
        "count": made.number,
        "fill": order.fill if drawn else None,
        "locale": order.locale,
        "as": order.shape,
    }
    if made.cases is not None:
        places: dict[str, Iterable[Any]] = {
            "file": made.names,
            "line": itertools.count(1),
            "index": itertools.count(),
        }
        manifest["cases"] = [
            {"id": id, place: where, "findings": findings}
            for (id, findings), where in zip(made.cases, places[place], strict=False)
        ]
    return manifest

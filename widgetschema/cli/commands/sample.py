"""`widgetschema sample`: generate data from a schema, as a stream, a file, or a folder of files."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from widgetschema.catalog.widget_type import WidgetType
from widgetschema.cli.common import configured_type
from widgetschema.cli.console.output import print_error
from widgetschema.cli.console.progress import with_progress
from widgetschema.cli.declared import argument, option
from widgetschema.cli.options import TypeOptions, force_output_option, parse_seed
from widgetschema.cli.pipeline.sample_output import is_unchanged, to_file, to_folder, to_stdout
from widgetschema.cli.pipeline.selection import refuse_existing
from widgetschema.text import join, printable

if TYPE_CHECKING:
    from widgetschema.samples import Case, CaseSet

_MOST_UNCOVERED: Final = 20  # lines about what is not covered
_PLAIN_NAME: Final = re.compile(r"(?!\.)[A-Za-z0-9._-]{1,80}")
_LAYOUTS: Final = {  # by a file's name; JSON is YAML
    **dict.fromkeys((".json", ".yaml", ".yml"), "json"),
    **dict.fromkeys((".ndjson", ".jsonl"), "ndjson"),
}
_CASES: Final = ("coverage", "near-miss")


class _Samples(NamedTuple):
    """The values to write, one by one, and the file name of each in a folder.

    `cases` have the id and the findings (keyword, path) of each value; `summary` is about all.
    """

    number: int
    values: Iterable[Any]
    names: Iterable[str]
    cases: Sequence[tuple[str, list[list[str]]]] | None = None
    summary: str | None = None


class SampleOptions(TypeOptions):
    """The options of the command."""

    type_id: str | None = argument(metavar="[ID]", required=False)
    kind: str = option(
        "--kind",
        type=click.Choice(["valid", "minimal", "maximal", *_CASES]),
        default="valid",
        help="valid: realistic data; minimal, maximal: the smallest and the largest valid data; "
        "coverage: everything that the schema allows; near-miss: one error in each.",
    )
    count: int | None = option(
        "--count",
        type=click.IntRange(min=0),
        help="Number of values. Default: one; for coverage and near-miss all, or the first N.",
    )
    seed: str | None = option(
        "--seed",
        metavar="S",
        help="Text or a number; the same seed generates the same data, on any day. It also "
        "determines the day, from July 2025 to June 2028, around which dates are chosen. "
        "Default: 0.",
    )
    start: int | None = option(
        "--start",
        type=click.IntRange(min=0),
        metavar="I",
        help="Index of the first value. Default: 0.",
    )
    fill: float | None = option(
        "--fill",
        type=float,
        metavar="0..1",
        help="Probability of optional properties. Default: 0.75.",
    )
    max_depth: int | None = option(
        "--max-depth",
        type=click.IntRange(0, 100),
        help="Levels of recursive arrays and objects, at most. Default: 10; for maximal, coverage "
        "and near-miss 2.",
    )
    max_items: int | None = option(
        "--max-items",
        type=click.IntRange(0, 100),
        help="Items of an array or a map, at most, unless the schema requires more. Default: 12; "
        "for maximal 3, for coverage and near-miss 3 or the bounds of the schema.",
    )
    no_examples: bool = option(
        "--no-examples",
        help="Use neither `examples` nor `default` of the schema, nor examples in descriptions.",
    )
    horizon: str | None = option(
        "--horizon",
        metavar="FROM/TO",
        help="First and last day of dates, as in 2026-01-01/2026-12-31. Default: from four years "
        "before the day of the seed to three years after it.",
    )
    shape: str = option(
        "--as",
        type=click.Choice(["data", "document"]),
        default="data",
        help="Generate widget data, or widget documents around it.",
    )
    layout: str | None = option(
        "--format",
        type=click.Choice(["json", "ndjson"]),
        help="json: indented, an array unless it is one value; ndjson: one value per line. "
        "Default: by the name of FILE, else json, or ndjson with --count.",
    )
    output: str | None = option(
        "--output",
        metavar="FILE|DIR",
        help="Write a file, or a folder (an existing one, or a name that ends in /) with a file "
        "for each value. FILE.manifest, or samples.manifest in DIR, records how the data was "
        "generated.",
    )
    force: bool = force_output_option
    locale: str | None = option("--locale", metavar="L", help="Language of texts. Default: en.")

    def refuse_conflicts(self) -> None:
        """Raise a usage error for options that have no effect together, or cannot be used."""
        drawn = {"--seed": self.seed, "--start": self.start, "--fill": self.fill}
        drawn["--no-examples"] = True if self.no_examples else None
        reach: dict[str, Any] = {"--max-depth": self.max_depth, "--max-items": self.max_items}
        if self.shape == "data":  # a document has texts around its data
            reach["--locale"] = self.locale
        options = {
            **(drawn if self.kind != "valid" else {}),
            **(reach if self.kind == "minimal" else {}),
        }
        given = [name for name, value in options.items() if value is not None]
        if self.count is not None and self.kind in ("minimal", "maximal"):
            given.append("--count")
        if given:
            verb = "mean" if given[1:] else "means"
            raise click.UsageError(f"{join(given)} {verb} nothing for --kind {self.kind}.")
        type_id = self.type_id
        if self.data_schema is not None and type_id is not None and os.path.isfile(type_id):
            raise click.UsageError(
                f"ID must be a widget type, but {printable(type_id)} is a file. Leave it out: "
                "the schema is that of --data-schema."
            )
        _refuse_unusable(self.fill, self.horizon)
        parse_seed(self.seed)
        _locale(self.locale)

    @property
    def texts(self) -> dict[str, Any]:
        """The arguments of samples about their texts and dates."""
        return {"locale": _locale(self.locale), "horizon": self.horizon}

    @property
    def reach(self) -> dict[str, Any]:
        """The arguments of samples about how far data goes: those given, or the defaults."""
        from widgetschema.samples import DEFAULT_DEPTH, DEFAULT_ITEMS

        given = {"max_depth": self.max_depth, "max_items": self.max_items}
        defaults = {"max_depth": DEFAULT_DEPTH, "max_items": DEFAULT_ITEMS}
        return {
            **(defaults if self.kind == "valid" else {}),
            **{name: number for name, number in given.items() if number is not None},
        }

    @property
    def drawing(self) -> dict[str, Any]:
        """The arguments of samples that are drawn."""
        from widgetschema.samples import DEFAULT_FILL

        fill = DEFAULT_FILL if self.fill is None else self.fill
        return {"fill": fill, "examples": not self.no_examples, **self.texts, **self.reach}


@SampleOptions.command("sample")
def command(options: SampleOptions) -> int:
    """Generate data of the widget type ID from its schema: valid, or with one error each.

    With --data-schema, ID can be omitted; it is then the name of that file.

    The same command writes the same bytes on every machine. Values are generated one at a
    time, and only as many as are read.
    """
    output, layout, count = options.output, options.layout, options.count
    target = _target(output, layout)
    refuse_existing(
        output,
        force=options.force,
        is_earlier=lambda _: output is not None and is_unchanged(output),
        read=[options.data_schema],
    )
    if layout is None:
        named = _LAYOUTS.get(os.path.splitext(output or "")[1].lower())
        layout = named or ("json" if count is None else "ndjson")
    if layout == "json" and count is None and options.kind not in _CASES:
        layout = "value"
    _, widget_type = configured_type(options)
    with contextlib.ExitStack() as stack:
        samples = _generate(widget_type, options)
        values = stack.enter_context(
            contextlib.closing(
                with_progress(
                    samples.values, samples.number, "samples", to_stdout=target == "stdout"
                )
            )
        )
        if output is None or target == "stdout":
            to_stdout(values, layout)
        elif target == "folder":
            manifest = _manifest(widget_type, options, samples, "file")
            to_folder(output, values, samples.names, manifest, force=options.force)
        else:
            place = "line" if layout == "ndjson" else "index"
            to_file(output, values, layout, _manifest(widget_type, options, samples, place))
    if samples.summary is not None:
        print_error(samples.summary)
    return 0


# Options


def _target(output: str | None, layout: str | None) -> str:
    """Return the kind of the output: "stdout", "folder" or "file"."""
    if output is None or output == "-":
        return "stdout"
    if not output:
        raise click.UsageError("--output needs the name of a file or a folder, or -.")
    if output.lower().endswith(".gz"):
        raise click.UsageError(
            "Compressed files are not written: use standard output, and pipe to gzip."
        )
    if not os.path.isdir(output) and not output.endswith(("/", os.sep)):
        return "file"
    if layout == "ndjson":
        raise click.UsageError(
            "A folder gets one JSON file per value: --format ndjson needs a FILE."
        )
    return "folder"


def _refuse_unusable(fill: float | None, horizon: str | None) -> None:
    from widgetschema.samples.values.horizon import parse_horizon

    if fill is not None and not 0 <= fill <= 1:  # not a range of click's, which lets NaN through
        raise click.BadParameter(f"{fill} is not in the range 0<=x<=1.", param_hint="--fill")
    try:
        if horizon is not None:
            parse_horizon(horizon)
    except ValueError as error:
        raise click.BadParameter(f"{error}.", param_hint="--horizon") from None


def _locale(given: str | None) -> str:
    """Return the name of a locale. Raises a usage error for one that is unknown."""
    from widgetschema.samples.values.locales import load_locale

    try:
        return load_locale(given or "en").name
    except LookupError as error:
        raise click.BadParameter(f"{error}.", param_hint="--locale") from None


# Generation


def _generate(widget_type: WidgetType, options: SampleOptions) -> _Samples:
    """Return the samples. Raises `CannotGenerate`, now or while values are taken."""
    texts = options.texts
    if options.kind == "valid":
        return _valid(widget_type, options)
    if options.kind in _CASES:
        make = widget_type.coverage if options.kind == "coverage" else widget_type.near_misses
        return _cases(widget_type, options, make(**texts, **options.reach))
    if options.kind == "minimal":
        value = widget_type.minimal(horizon=options.horizon)
    else:
        value = widget_type.maximal(**texts, **options.reach)
    if options.shape == "document":
        value = widget_type.as_document(value, options.kind, **texts)
    name = f"{_file_name(widget_type.id)}-{options.kind}.json"
    return _Samples(1, [value], [name])


def _valid(widget_type: WidgetType, options: SampleOptions) -> _Samples:
    seed, start, drawing = parse_seed(options.seed), options.start or 0, options.drawing
    number = 1 if options.count is None else options.count
    values: Iterable[Any]
    if options.shape == "document":
        indexes = range(start, start + number)
        values = (widget_type.sample_document(seed, index, **drawing) for index in indexes)
    else:
        values = widget_type.samples(number, seed, start=start, **drawing)
    name = _file_name(widget_type.id)
    names = (f"{name}-{index:06}.json" for index in itertools.count(start))
    return _Samples(number, values, names)


def _cases(widget_type: WidgetType, options: SampleOptions, all_cases: CaseSet) -> _Samples:
    """Return the requested cases with the findings about what is written."""
    chosen = all_cases[: options.count]
    values = [case.data for case in chosen]
    findings = [[[found.keyword, found.path] for found in case.findings] for case in chosen]
    if options.shape == "document":
        values = _documents(widget_type, options, chosen)
        reports = map(widget_type.check_document, values)
        findings = [[[found.keyword, found.path] for found in report] for report in reports]
    slugs = [_slug(case.id) for case in chosen]
    names = [
        f"{number:04}-{slug}".removesuffix("-") + ".json" for number, slug in enumerate(slugs, 1)
    ]
    cases = list(zip((case.id for case in chosen), findings, strict=True))
    return _Samples(len(chosen), values, names, cases, _summary(all_cases, chosen))


def _documents(widget_type: WidgetType, options: SampleOptions, cases: Sequence[Case]) -> list[Any]:
    """Return a document around the data of each case; the document itself is valid."""
    texts = options.texts
    around = partial(widget_type.as_document, locale=texts["locale"], horizon=texts["horizon"])
    if options.kind == "coverage":
        return [around(case.data, case.id) for case in cases]
    valid = widget_type.sample(**texts)
    return [{**around(valid, case.id), "data": case.data} for case in cases]


def _summary(found: CaseSet, chosen: Sequence[Case]) -> str:
    """Return how many cases there are, what they cover, and what they cannot cover, and why."""
    lines = [found.summary]
    if len(chosen) < len(found):
        together = found.summary.replace("; ", "; all of these would cover ", 1)
        lines = [f"{len(chosen):,} of {together.replace(' covered', '', 1)}"]
    shown = found.uncovered[:_MOST_UNCOVERED]
    lines += [f"  not covered: {target.id}: {target.why}" for target in shown]
    if len(found.uncovered) > len(shown):
        lines.append(f"  and {len(found.uncovered) - len(shown):,} more")
    return "\n".join(lines)


def _slug(text: str) -> str:
    """Return a text without what file names cannot have on all systems."""
    return re.sub("[^A-Za-z0-9.]+", "-", text).strip("-.")[:70].rstrip("-.")


def _file_name(id: str) -> str:
    """Return a file name for the id of a widget type: not a path, and not hidden."""
    return id if _PLAIN_NAME.fullmatch(id) else _slug(id) or "sample"


def _manifest(
    widget_type: WidgetType, options: SampleOptions, samples: _Samples, place: str
) -> dict[str, Any]:
    """Return what was generated, and how to repeat it; `place` names the location of each case."""
    from widgetschema.samples import ALGORITHM

    drawn, drawing = options.kind == "valid", options.drawing
    manifest: dict[str, Any] = {
        "version": 1,
        "type": widget_type.id,
        "linked_digest": widget_type.linked_digest,
        "algorithm": ALGORITHM,
        "kind": options.kind,
        "seed": parse_seed(options.seed) if drawn else None,
        "start": options.start or 0 if drawn else None,
        "count": samples.number,
        "fill": drawing["fill"] if drawn else None,
        "max_depth": options.reach.get("max_depth"),
        "max_items": options.reach.get("max_items"),
        "examples": drawing["examples"] if drawn else None,
        "horizon": options.horizon,
        "locale": options.texts["locale"],
        "as": options.shape,
    }
    if samples.cases is not None:
        places: dict[str, Iterable[Any]] = {
            "file": samples.names,
            "line": itertools.count(1),
            "index": itertools.count(),
        }
        manifest["cases"] = [
            {"id": id, place: where, "findings": findings}
            for (id, findings), where in zip(samples.cases, places[place], strict=False)
        ]
    return manifest

"""The evidence about a plan of a migration as a page for people, one HTML file without a script.

It says what changes between the schemas, what each step does, with an example before and after it,
what is lost, and what remains to be done by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, Final, NamedTuple

from widgetschema.errors import MissingExtra
from widgetschema.evolution.compare import Comparison
from widgetschema.evolution.migrate import Evidence, Migration
from widgetschema.evolution.migrate.evidence import StepCounts
from widgetschema.evolution.migrate.steps.step import Step
from widgetschema.jsontext import dump, preview
from widgetschema.jsontext.tree import Element, scanned
from widgetschema.pointers import display_pointer
from widgetschema.text import join, plural

_MOST_CHANGES: Final = 200
_MOST_STEPS: Final = 500
_MOST_LINES: Final = 40  # of an example
_LONGEST_LINE: Final = 200
_LONGEST_EXAMPLE: Final = 20_000  # characters of a record
_CONTEXT: Final = 1  # lines around those that changed
_MOST_VALUES: Final = 6
_BREAKS: Final = ("breaking", "unknown")
_TYPES: Final = {"string": "a text", "number": "a number", "integer": "a whole number",
                 "boolean": "true or false"}  # fmt: skip


class Line(NamedTuple):
    """A line of an example: `kind` is `same`, `gone`, `new`, or `gap` for lines left out."""

    kind: str
    text: str


def render(
    comparison: Comparison,
    migration: Migration,
    evidence: Mapping[str, Evidence],
    *,
    notes: Sequence[str] = (),
    title: str,
    made: str,
) -> str:
    """Return the page about a migration.

    Args:
        comparison: The changes between the two schemas.
        migration: The migration.
        evidence: The evidence, by the plural of what the records are: `generated cases`.
        notes: What people should know about the plan, though it is no error.
        title: The name of the plan.
        made: When the page was made, as text.

    Returns:
        HTML that loads nothing else. Nothing in the arguments becomes markup.

    Raises:
        MissingExtra: Without Jinja2.
    """
    try:
        from widgetschema.reporters.pages.environment import make_environment
    except ImportError:
        raise MissingExtra("audit", "a page as HTML needs the library Jinja2") from None
    tried = sum(one.records for one in evidence.values())
    bad = sum(_count(one, "invalid", "failed") for one in evidence.values())
    left = sum(_count(one, "not-old") for one in evidence.values())
    is_good = all(one.holds for one in evidence.values())
    broken = [change for change in comparison if change.kind in _BREAKS]
    more = [f"{plural(tried, 'record')} tried. Nothing was written."]
    if left:
        more.append(f"{plural(left, 'record')} would stay: not valid by the old schema.")
    if not is_good:
        more.append("Records that do not come out valid stay as they are.")
    steps = range(1, len(migration.steps) + 1)
    omitted = sum(one.omitted for one in evidence.values())
    lost = sum(step.lost for one in evidence.values() for step in one.steps)
    templates = make_environment(__package__)
    return templates.get_template("migration.html").render(
        title=title,
        made=made,
        comparison=comparison,
        evidence=evidence,
        is_good=is_good,
        verdict=f"Every {'valid ' if left else ''}record comes out valid"
        if is_good
        else f"{plural(bad, 'record')} of {tried:,} would not come out valid",
        more=" ".join(more),
        steps_text=plural(len(steps), "step"),
        problems=[(name, one) for name, some in evidence.items() for one in some.problems],
        counted={name: _counted(one) for name, one in evidence.items()},
        changes=broken[:_MOST_CHANGES],
        changes_rest=_rest(broken[_MOST_CHANGES:], "more change"),
        steps=[_step_row(number, migration, evidence) for number in steps[:_MOST_STEPS]],
        steps_rest=_rest(steps[_MOST_STEPS:], "more step"),
        has_losses=lost > 0,
        problems_rest=f"{plural(omitted, 'more problem')} not shown." if omitted else "",
        notes=notes,
    )


def _rest(rest: Sequence[object], noun: str) -> str:
    return f"{plural(len(rest), noun)} not shown." if rest else ""


def _count(evidence: Evidence, *statuses: Any) -> int:
    return sum(evidence.statuses.get(status, 0) for status in statuses)


def _counted(evidence: Evidence) -> dict[str, int]:
    """Return the numbers of some records, by their meanings."""
    return {
        "migrated": _count(evidence, "migrated"),
        "need no change": _count(evidence, "unchanged", "already"),
        "not valid afterwards": _count(evidence, "invalid", "failed"),
        "not valid before": _count(evidence, "not-old"),
        "values lost": sum(step.lost for step in evidence.steps),
    }


def _step_row(
    number: int, migration: Migration, evidence: Mapping[str, Evidence]
) -> tuple[int, Step, str, str, list[Line]]:
    """Return a step: its number, what it is, what it does, how often, and an example."""
    step = migration.steps[number - 1]
    counts, texts = [], []
    for name, one in evidence.items():
        row: StepCounts = one.steps[number - 1]
        said = f"changes {row.records:,} of {one.records:,} {name}"
        said += f", leaves {plural(row.skipped, 'value')} as it is" if row.skipped else ""
        counts.append(said)
        texts += [] if row.text is None else [row.text]
    lines: list[Line] = []
    if texts and len(texts[-1]) <= _LONGEST_EXAMPLE:
        stages = migration.stages(texts[-1])
        if len(stages) > number:
            lines = [*_difference(stages[number - 1], stages[number])]
    return number, step, sentence(step), "; ".join(counts), lines


def _difference(before: str, after: str) -> Iterator[Line]:
    """Yield the lines that changed between two JSON texts, with those around them."""
    old, new = ([*_lines(scanned(text))] for text in (before, after))
    # That a comma follows is no change for a person.
    a, b = ([line.removesuffix(",") for line in lines] for lines in (old, new))
    lines: list[Line] = []
    end = 0
    for group in SequenceMatcher(None, a, b, autojunk=False).get_grouped_opcodes(_CONTEXT):
        if group[0][1] > end:
            lines.append(Line("gap", "…"))
        for tag, begin, stop, first, last in group:
            kept = [Line("same", text) for text in old[begin:stop]] if tag == "equal" else []
            if tag != "equal":
                kept = [Line("gone", text) for text in old[begin:stop]]
                kept += [Line("new", text) for text in new[first:last]]
            lines += kept
            end = stop
    if end < len(old):
        lines.append(Line("gap", "…"))
    for line in lines[:_MOST_LINES]:
        cut = line.text[:_LONGEST_LINE] + ("…" if len(line.text) > _LONGEST_LINE else "")
        yield line._replace(text=cut)
    if len(lines) > _MOST_LINES:
        yield Line("gap", f"… {plural(len(lines) - _MOST_LINES, 'more line')}")


def _lines(element: Element, indent: str = "", before: str = "", after: str = "") -> Iterator[str]:
    """Yield the lines of a JSON text; numbers and strings are as they were written."""
    children = [(f"{dump(one.name, indent=False)}: ", one.element) for one in element.members]
    children += [("", one) for one in element.items]
    if not children:
        yield f"{indent}{before}{element.raw}{after}"
        return
    begin, end = "{}" if element.kind == "object" else "[]"
    yield f"{indent}{before}{begin}"
    for left, (name, child) in zip(range(len(children) - 1, -1, -1), children, strict=True):
        yield from _lines(child, f"{indent}  ", name, "," if left else "")
    yield f"{indent}{end}{after}"


def sentence(step: Step) -> str:
    """Return in words what a step does with the values at its place."""
    return _SENTENCES[step.kind](step)


def _map(step: Any) -> str:
    pairs = [(preview(old), preview(new)) for old, new in step.values.items()]
    pairs += [*step.json_values.items()]
    shown = join([f"{old} becomes {new}" for old, new in pairs[:_MOST_VALUES]])
    more = len(pairs) - _MOST_VALUES
    return shown + (f"; and {plural(more, 'more value')}." if more > 0 else ".")


def _clamp(step: Any) -> str:
    bounds = [
        text.format(f"{bound:,}")
        for text, bound in (
            ("at least {}", step.minimum),
            ("at most {}", step.maximum),
            ("at most {} characters", step.max_length),
            ("at most {} items", step.max_items),
        )
        if bound is not None
    ]
    return f"Values out of bounds are changed: {join(bounds)}."


def _drop(step: Any) -> str:
    if step.if_empty:
        return "Is removed where it is empty."
    conditions = []
    if step.unless_name is not None:
        conditions.append(f"names other than {step.unless_name} allows")
    if step.unless is not None:
        conditions.append(f"values other than {step.unless} allows")
    return f"Is removed: {join(conditions)}." if conditions else "Is removed."


def _split(step: Any) -> str:
    into = "a list" if step.to is None else join([preview(name) for name in step.to])
    return f"A text is split at {preview(step.separator)} into {into}."


def _join(step: Any) -> str:
    what = "The items" if step.members is None else join([preview(one) for one in step.members])
    return f"{what} become one text, with {preview(step.separator)} between them."


_SENTENCES: Final[Mapping[str, Callable[[Any], str]]] = {
    "rename": lambda step: f"Gets the name {preview(step.to)}.",
    "move": lambda step: f"Moves to {display_pointer(step.to)}.",
    "map": _map,
    "clamp": _clamp,
    "round": lambda step: f"Numbers are rounded to multiples of {step.multiple_of}.",
    "cast": lambda step: f"Becomes {_TYPES[step.to]} where that is certain.",
    "wrap": lambda step: "Becomes a list of one item.",
    "unwrap": lambda step: "A list of one item becomes that item.",
    "default": lambda step: (
        "Where it is missing, it is added: "
        f"{preview(step.value) if step.json is None else step.json}."
    ),
    "split": _split,
    "join": _join,
    "drop": _drop,
    "python": lambda step: f"The function {step.python} gives the new value.",
}

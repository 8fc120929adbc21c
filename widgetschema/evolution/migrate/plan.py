"""Plan files of migrations: TOML that people review, read with positions, and written.

A plan names the two schemas by id and digest, so that it is never carried out for others.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from widgetschema.errors import InvalidPlan
from widgetschema.evolution.migrate.repetition import repeating
from widgetschema.evolution.migrate.steps.lists import Join, Split, Unwrap, Wrap
from widgetschema.evolution.migrate.steps.members import Default, Drop, Move, Rename
from widgetschema.evolution.migrate.steps.python import Python
from widgetschema.evolution.migrate.steps.step import Step
from widgetschema.evolution.migrate.steps.values import Cast, Clamp, Map, Round
from widgetschema.files import read_file
from widgetschema.findings import Finding, Report
from widgetschema.formats import toml
from widgetschema.jsontext import DEFAULT_LIMITS, plain_copy, preview
from widgetschema.pointers import PointerError, escape_token, parse_pattern
from widgetschema.suggest import nearest
from widgetschema.validation import Validator

MOST_STEPS: Final = 10_000
_MOST_BYTES: Final = 8_000_000
_ABOUT_NAMES: Final = frozenset({"additionalProperties", "propertyNames"})
_KINDS: Final = (
    *(Rename, Move, Map, Clamp, Round, Cast, Wrap, Unwrap, Default, Split, Join, Drop, Python),
)
KINDS: Final[dict[str, type[Step]]] = {kind.kind: kind for kind in _KINDS}
_BARE: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")


@dataclass(frozen=True, kw_only=True)
class PlanSchema:
    """One of the two schemas of a plan.

    Args:
        id: The id of the widget type.
        digest: The `linked_digest` of the widget type: the sha256 of its linked schema.
        schema: The file of the schema, relative to the folder of the plan; None if not given.
        data_schema: True if the file describes the data itself, not a document.
    """

    id: str
    digest: str
    schema: str | None = None
    data_schema: bool = False


@dataclass(frozen=True, kw_only=True)
class ModelVersion:
    """The `modelVersion` of widget documents before and after a migration."""

    old: int
    new: int


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The steps of a migration, and the schemas that they lead from and to.

    Args:
        old: The schema of the data as it is.
        new: The schema of the data as it is to be.
        steps: The steps, in the order in which they are carried out.
        model_version: The versions that documents have before and after it.
        name: The file, for messages.
        places: The line and the column of `old` and of `new` in the file.
    """

    old: PlanSchema
    new: PlanSchema
    steps: tuple[Step, ...] = ()
    model_version: ModelVersion | None = None
    name: str = "the plan"
    places: tuple[tuple[int | None, int | None], ...] = ((None, None), (None, None))

    @property
    def repeats(self) -> Step | None:
        """A step that may do its work twice if the plan is carried out twice; None if none may."""
        return repeating(self.steps)

    @property
    def runs_code(self) -> bool:
        """True if a step calls a function of Python."""
        return any(step.runs_code for step in self.steps)


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """An entry of a plan that is written: a step, with what a person needs to judge it.

    Args:
        step: The step; None if there is only something to say.
        reason: Why it is proposed, in a line or more: it becomes a comment.
        is_active: True if it is carried out; else the step is a comment as well.
    """

    step: Step | None
    reason: str = ""
    is_active: bool = True


@cache
def _plan_schema() -> dict[str, Any]:
    text = {"type": "string", "minLength": 1, "maxLength": 4096}
    side = {
        "type": "object",
        "additionalProperties": False,
        "required": ["id", "digest"],
        "properties": {
            "id": {"description": "The id of the widget type.", **text},
            "digest": {
                "description": "The sha256 of the linked schema, in hexadecimal.",
                "type": "string",
                "pattern": "^[0-9a-f]{64}$",
            },
            "schema": {
                "description": "The file of the schema, relative to the folder of the plan.",
                **text,
            },
            "data-schema": {
                "description": "True if the file describes the data itself, not a document.",
                "type": "boolean",
            },
        },
    }
    version = {"type": "integer", "minimum": 0}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "widgetschema-migration-plan",
        "title": "Plan of a migration",
        "description": "The steps that carry widget data over from one schema to another.",
        "type": "object",
        "additionalProperties": False,
        "required": ["old", "new"],
        "properties": {
            "old": {"description": "The schema of the data as it is.", **side},
            "new": {"description": "The schema of the data as it is to be.", **side},
            "model-version": {
                "description": "The modelVersion of documents before and after the migration.",
                "type": "object",
                "additionalProperties": False,
                "required": ["old", "new"],
                "properties": {"old": version, "new": version},
            },
            "steps": {
                "description": "The steps, in the order in which they are carried out.",
                "type": "array",
                "maxItems": MOST_STEPS,
                "items": {
                    "type": "object",
                    "required": ["kind"],
                    "properties": {"kind": {"enum": [*KINDS]}},
                    "allOf": [
                        {
                            "if": {"properties": {"kind": {"const": name}}, "required": ["kind"]},
                            "then": kind.schema(),
                        }
                        for name, kind in KINDS.items()
                    ],
                },
            },
        },
    }


def plan_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft-07) of plan files."""
    copy: dict[str, Any] = plain_copy(_plan_schema(), DEFAULT_LIMITS.max_depth)[0]
    return copy


@cache
def _validators() -> tuple[Validator, dict[str, Validator]]:
    """Return the validator of all but the options of steps, and those of steps by kind."""
    schema = plan_schema()
    del schema["properties"]["steps"]["items"]["allOf"]
    return Validator(schema), {name: Validator(kind.schema()) for name, kind in KINDS.items()}


def read_plan(path: str | os.PathLike[str]) -> Plan:
    """Read the plan of a migration from a file.

    Args:
        path: The file, TOML.

    Returns:
        The plan.

    Raises:
        OSError: The file cannot be read.
        InvalidPlan: It is not TOML, or not a plan; the findings have lines and columns.
    """
    name = os.fspath(path)
    return parse_plan(read_file(path, pipes=True), name=name)


def parse_plan(raw: bytes | str, *, name: str = "the plan") -> Plan:
    """Return the plan of a migration that a TOML text holds.

    Args:
        raw: The text, as UTF-8 bytes or a str.
        name: Its name for messages.

    Returns:
        The plan.

    Raises:
        InvalidPlan: It is not TOML, or not a plan; the findings have lines and columns.
    """
    if len(raw) > _MOST_BYTES:
        message = f"this plan is larger than {_MOST_BYTES:,} bytes"
        raise InvalidPlan(Report((Finding("toml.size", "", "", message, None, 1, 1),), name))
    try:
        text = raw if isinstance(raw, str) else toml.decode(raw)
        table = toml.parse(text)
    except toml.TomlError as error:
        finding = Finding(error.keyword, "", "", error.message, error.hint, *error.place)
        raise InvalidPlan(Report((finding,), name)) from None
    findings = [*_findings(table)]
    if findings:
        raise InvalidPlan(Report(_placed(text, findings), name))
    tables = table.get("steps", ())
    pointers = ["/old", "/new", *(f"/steps/{index}" for index in range(len(tables)))]
    places = toml.positions(text, pointers)
    steps = tuple(_step(one, places[f"/steps/{index}"].line) for index, one in enumerate(tables))
    faults = [
        _finding(f"/steps/{index}", option, message)
        for index, step in enumerate(steps)
        for option, message in step.faults
    ]
    if faults:
        raise InvalidPlan(Report(_placed(text, faults), name))
    version = table.get("model-version")
    return Plan(
        old=_side(table["old"]),
        new=_side(table["new"]),
        steps=steps,
        model_version=None if version is None else ModelVersion(**version),
        name=name,
        places=tuple((places[at].line, places[at].column) for at in ("/old", "/new")),
    )


def _side(table: Mapping[str, Any]) -> PlanSchema:
    return PlanSchema(**_arguments(table))


def _step(table: Mapping[str, Any], line: int | None) -> Step:
    """Return the step of a table that is valid by its schema."""
    options = _arguments(table)
    return KINDS[options.pop("kind")](**options, line=line)


def _arguments(table: Mapping[str, Any]) -> dict[str, Any]:
    return {name.replace("-", "_"): value for name, value in table.items()}


def _finding(pointer: str, option: str, message: str, hint: str | None = None) -> Finding:
    at = f"{pointer}/{escape_token(option)}" if option else pointer
    return Finding("migration.step", at, "", message, hint)


def _findings(table: dict[str, Any]) -> Iterator[Finding]:
    """Yield the findings about a plan, by its schemas and the syntax of its patterns."""
    _, unfit = plain_copy(table, DEFAULT_LIMITS.max_depth)
    if unfit:
        for one in unfit:
            message = "dates, times, nan and inf are not JSON values"
            yield replace(one, keyword="type", message=message, hint="write it with quotes")
        return
    whole, by_kind = _validators()
    yield from whole.check(table)
    steps = table.get("steps")
    for index, step in enumerate(steps if isinstance(steps, list) else ()):
        kind = step.get("kind") if isinstance(step, dict) else None
        if not isinstance(kind, str) or kind not in by_kind:
            continue
        report = by_kind[kind].check(step)
        for one in report:
            if one.keyword == "pattern" and one.path in ("/at", "/to"):
                continue  # what is wrong with it is said below
            yield replace(one, path=f"/steps/{index}{one.path}", hint=one.hint or _hint(kind, one))
        if isinstance(step.get("at"), str):
            try:
                parse_pattern(step["at"])
            except PointerError as error:
                message = f"invalid pattern {preview(step['at'], 80)}: {error.reason}"
                yield _finding(f"/steps/{index}", "at", message, error.hint)


def _hint(kind: str, finding: Finding) -> str | None:
    """Return the hint about an option that a kind of step does not have."""
    if finding.keyword != "additionalProperties":
        return None
    options = [*KINDS[kind].schema()["properties"]]
    name = finding.path.rpartition("/")[2]
    close = nearest(name, options, 1)
    if close:
        return f"did you mean {preview(close[0])}?"
    return f"the options of {kind} are: {', '.join(options[1:])}"


def _placed(text: str, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings with line and column, in the order of the file."""
    found = [*findings]
    places = toml.positions(text, [one.path for one in found])
    placed = []
    for one in found:
        line, column, key_line, key_column = places[one.path]
        if one.keyword in _ABOUT_NAMES:
            line, column = key_line, key_column
        placed.append(replace(one, line=line, column=column))
    return tuple(sorted(placed, key=lambda one: (one.line or 0, one.column or 0)))


def format_plan(
    old: PlanSchema,
    new: PlanSchema,
    proposals: Sequence[Proposal],
    *,
    model_version: ModelVersion | None = None,
    heading: str = "",
) -> str:
    """Return the text of a plan file.

    Args:
        old: The schema of the data as it is.
        new: The schema of the data as it is to be.
        proposals: The steps with their reasons; those that are not active become comments.
        model_version: The versions that documents have before and after it.
        heading: What the file begins with: it becomes a comment.

    Returns:
        TOML, which `parse_plan` reads.
    """
    lines = _comment(heading)
    for name, side in (("old", old), ("new", new)):
        lines += ["", f"[{name}]"] if lines else [f"[{name}]"]
        lines += [f"id = {_toml(side.id)}", f"digest = {_toml(side.digest)}"]
        lines += [] if side.schema is None else [f"schema = {_toml(side.schema)}"]
        lines += ["data-schema = true"] if side.data_schema else []
    if model_version is not None:
        lines += ["", "[model-version]"]
        lines += [f"old = {model_version.old}", f"new = {model_version.new}"]
    for proposal in proposals:
        lines += ["", *_comment(proposal.reason)]
        if proposal.step is not None:
            mark = "" if proposal.is_active else "# "
            lines += [f"{mark}{line}" for line in step_lines(proposal.step)]
    return "\n".join(lines) + "\n"


def _comment(text: str) -> list[str]:
    """Return a text as comments, without characters that TOML does not allow there."""
    shown = "".join(one if one == "\n" or one.isprintable() else " " for one in text)
    return [f"# {line}".rstrip() for line in shown.split("\n")] if text else []


def step_lines(step: Step) -> list[str]:
    """Return a step as lines of a plan file."""
    lines = ["[[steps]]"]
    for name, value in step.as_table().items():
        lines.append(f"{_key(name)} = {_toml(value)}")
    return lines


def _key(name: str) -> str:
    return name if name and _BARE.issuperset(name) else _toml(name)


def _toml(value: Any) -> str:
    """Return a value as TOML on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        if '"' in value and "'" not in value and "\\" not in value and value.isprintable():
            return f"'{value}'"
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return '"' + "".join(map(_toml_character, escaped)) + '"'
    if isinstance(value, Mapping):
        members = ", ".join(f"{_key(name)} = {_toml(one)}" for name, one in value.items())
        return f"{{ {members} }}" if members else "{}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_toml, value))}]"
    return repr(value)


def _toml_character(one: str) -> str:
    if one.isprintable():
        return one
    return f"\\u{ord(one):04X}" if ord(one) < 0x10000 else f"\\U{ord(one):08X}"

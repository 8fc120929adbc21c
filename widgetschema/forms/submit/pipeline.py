"""Apply posted controls to a text: fields, the button that was pressed, edits, new text, findings.

Controls are read once, against the form that was shown. If the new text makes another form, that is
the next one, with what the text does not tell (`side_state`). Controls that only the next form has,
of callers who post without a page, are read against that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final, NamedTuple

from widgetschema.errors import FormError
from widgetschema.findings import Finding
from widgetschema.forms.checking import plain_numbers, with_indices
from widgetschema.forms.control_names import (
    CARRY,
    RENAME,
    ROOT,
    STATE,
    USE,
    Action,
    pointer_of,
    row_id,
)
from widgetschema.forms.fields.builder import FormSource
from widgetschema.forms.fields.initial_values import ABSENT
from widgetschema.forms.model import Field, PostedControls, in_form_order, with_findings
from widgetschema.forms.secrecy import concealed_findings
from widgetschema.forms.submit.buttons import (
    carry_value,
    follow_choices,
    press_button,
    with_typed_texts,
)
from widgetschema.forms.submit.edit_plan import EditPlan
from widgetschema.forms.submit.side_state import Target, side_state
from widgetschema.forms.submit.steps import (
    MAX_STEPS,
    Reading,
    is_asked,
    is_same_form,
    read_against,
)
from widgetschema.forms.submit.suggestions import use_suggestion
from widgetschema.jsontext.equality import canonical
from widgetschema.jsontext.tree import Tree
from widgetschema.pointers import resolve_pointer

_OTHER_HINT: Final = "another alternative may allow it"


class SubmissionResult(NamedTuple):
    """The result of posted controls: the form to show next, and the new text.

    `page` are the controls as they were posted, before the button. The last one of the
    `readings` is of the form to show, whose fields are `root`; those before it made other
    forms. `data` is the value of the part of `text` that the form is about. `findings` are
    those about unreadable controls first, in the order of the form. `is_complete` is False if
    there are such. `lost` are those about typed texts that the form to show has no field for.
    """

    page: Reading
    readings: tuple[Reading, ...]
    root: Field
    text: str
    data: Any
    findings: tuple[Finding, ...]
    is_complete: bool
    lost: tuple[Finding, ...] = ()

    @property
    def controls(self) -> PostedControls:
        """The controls of the form to show."""
        return self.readings[-1].controls

    @property
    def plan(self) -> EditPlan:
        """The last edit of the data."""
        return self.readings[-1].plan


def apply_controls(
    source: FormSource, controls: PostedControls, action: Action | None
) -> SubmissionResult:
    """Return the result of the controls that were edited, and of the button that was pressed."""
    page = read_against(source, controls)
    reading = _pressed(page, action)
    readings, lost, texts = [reading], list[Finding](), set[str]()
    root, value = reading.root, reading.value
    data = plain_numbers(value)
    while source.specs.depends_on_data:
        shown = reading.source.build(reading.controls, data)
        if is_same_form(shown, reading.root):
            root = shown
            break
        if reading.text in texts:
            break  # what is shown beside the text makes one form of the other
        texts.add(reading.text)
        if len(readings) == MAX_STEPS:
            raise FormError("these fields depend on each other in too many steps: save some first")
        reading, gone = _in_next_form(reading, data)
        lost += gone
        readings.append(reading)
        root, value = reading.root, reading.value
        data = plain_numbers(value)
    source, plan = reading.source, reading.plan
    text, real = source.secrets.put_back(reading.text), source.secrets.real
    findings = (*_check(source, root, text, data),)
    findings = concealed_findings(_without_unread(findings, plan, root), root, real)
    tree = Tree(text) if findings or plan.unreadable else source.tree
    findings = with_indices(findings, tree)
    if findings and (root is not reading.root or not source.specs.depends_on_data):
        root = source.build(reading.controls, data, findings)
    unread = {
        name: with_indices(concealed_findings(those, root, real), tree)
        for name, those in plan.unreadable.items()
    }
    root = with_findings(root, unread)
    unreadable = [finding for those in unread.values() for finding in those]
    findings = (*lost, *in_form_order(root, (*unreadable, *findings)))
    is_complete = not (plan.unreadable or lost)
    return SubmissionResult(
        page, tuple(readings), root, text, value, findings, is_complete, tuple(lost)
    )


def _pressed(reading: Reading, action: Action | None) -> Reading:
    """Return the reading of controls, with the button that was pressed."""
    source, root = reading.source, reading.root
    limits = source.checks.limits
    controls = noted = with_typed_texts(reading.controls, root)
    if action is not None:
        if action.verb in (USE, RENAME):
            controls = use_suggestion(controls, action, root, source.checks.accepts)
        elif action.verb == CARRY:
            typed = reading.controls
            controls = carry_value(controls, action, root, source.tree, limits, typed)
        else:
            controls = press_button(controls, action, root)
    if action is None or action.verb != CARRY:
        controls = follow_choices(controls, root, source)
    if controls is not noted or _states_of(noted) != _states_of(reading.controls):
        return read_against(source, controls)
    return replace(reading, controls=controls)


def _states_of(controls: PostedControls) -> PostedControls:
    return {name: one for name, one in controls.items() if name.startswith(f"{STATE}{ROOT}")}


def _in_next_form(reading: Reading, data: Any) -> tuple[Reading, tuple[Finding, ...]]:
    """Return the reading of the form of the new text, and findings about what it cannot show."""
    draft, source = reading.draft(), reading.source
    state = side_state(source, reading.root, reading.controls, reading.plan)

    def removed(holder: Field, row: str) -> tuple[str, str] | None:
        if "/" in row:
            return row, ""  # of a still earlier text
        pointer = pointer_of(f"{holder.name}/{row}")
        known = source.tree.at(pointer)
        return None if known is None else (f"{len(source.earlier)}{pointer}", "")

    target = Target(
        source.at,
        lambda controls: draft.build(controls, data),
        lambda path: path,
        rows_in_text,
        removed,
    )
    carried, lost = state.laid_into(target, {})
    return read_against(draft, {**_unknown_controls(reading), **carried}), lost


def rows_in_text(holder: Field) -> dict[str, str]:
    """Return the ids that the rows of a container have in the form of the text that they make."""
    rows = [child for child in holder.children if child.row]
    if holder.kind == "object":
        return {row.row: row_id(row.shown.key) for row in rows}
    others = [child for child in holder.children if not (child.is_rest or child.is_unread)]
    before = sum(1 for child in others if not child.row)
    return {row.row: str(at) for at, row in enumerate(rows, before)}


def moved_rows(before: Field, now: Field) -> dict[str, str]:
    """Return the names of the rows of a form, by those in the one before it, if they differ."""
    names = {row.path: row.name for row in now.walk() if row.row}
    rows = ((row.name, names.get(row.path)) for row in before.walk() if row.row and row.path)
    return {name: other for name, other in rows if other is not None and other != name}


def _unknown_controls(reading: Reading) -> PostedControls:
    """Return the controls that no field of the form had.

    In a row that is at another place now they stand for nothing.
    """
    source = reading.source
    fields = {field.name: field for field in reading.root.walk()}
    before = {field.name for field in source.build(None, source.data).walk()}
    found: PostedControls = {}
    for name, values in reading.controls.items():
        about = name[name.find(ROOT) :]
        if ROOT not in name or about in fields or about in before:
            continue
        around = about
        while around not in fields:
            around = around[: max(around.rfind("/"), around.rfind(";"), 1)]
        if fields[around].path == pointer_of(around):
            found[name] = values
    return found


def _decided(
    source: FormSource, root: Field, data: Any
) -> Iterator[tuple[str, Any, tuple[str, ...]]]:
    """Yield the values that have to match the alternative that is chosen.

    Each with its path, and the schemas of the alternative, which accepts what one of them does. A
    value that is as it was stands for itself, as long as nobody chose another alternative for it.
    """
    for field in root.walk():
        if field.kind != "alternatives" or not field.opened or field.path is None:
            continue
        value = resolve_pointer(data, field.path.removeprefix(source.at), ABSENT)
        if value is ABSENT or (value is None and field.shape.nullable):
            continue
        if not _is_as_it_was(source, field, value):
            yield field.path, value, field.shape.branches[field.shown.chosen].branch_pointers


def _check(source: FormSource, root: Field, text: str, data: Any) -> Iterator[Finding]:
    """Yield the findings about data, and what a chosen alternative forbids but another one allows.

    Of a value that matches no alternative, they are what is wrong in the one that is chosen.
    """
    decided = [*_decided(source, root, data)]
    chosen: dict[str, list[str]] = {}
    for path, _, pointers in decided:
        chosen.setdefault(path.removeprefix(source.at), []).extend(pointers)
    known = source.checks.check(text, source.at, data, chosen)
    yield from known
    for path, value, pointers in decided:
        if any(f"{finding.path}/".startswith(f"{path}/") for finding in known):
            continue
        if any(source.checks.accepts((pointer,))(value) for pointer in pointers):
            continue
        for finding in source.checks.find(pointers[:1], value, path):
            yield replace(finding, hint=finding.hint or _OTHER_HINT)


def _is_as_it_was(source: FormSource, field: Field, value: Any) -> bool:
    original = field.original
    if original is None or is_asked(field, source):
        return False
    was = source.secrets.real(original, str(field.path)).value
    return bool(canonical(plain_numbers(was)) == canonical(value))


def _without_unread(
    findings: tuple[Finding, ...], plan: EditPlan, root: Field
) -> tuple[Finding, ...]:
    """Return the findings without those about values that could not be read."""
    if not plan.unreadable:
        return findings
    paths = {
        field.path
        for field in root.walk()
        if field.name in plan.unreadable and field.path is not None
    }
    return tuple(finding for finding in findings if not _is_within(finding, paths))


def _is_within(finding: Finding, paths: set[str]) -> bool:
    """Return True if a finding is about one of these paths, or something below one."""
    path = finding.target
    while path not in paths:
        if not path:
            return False
        path = path.rpartition("/")[0]
    return True

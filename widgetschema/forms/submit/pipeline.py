"""Apply posted controls to a text: fields, the button that was pressed, edits, new text, findings.

The new data decides which conditions of the schema hold, and so which fields there are. Fields
and edits are therefore made again with the new data until it stays the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from widgetschema.findings import Finding
from widgetschema.forms.checking import plain_numbers, with_indices
from widgetschema.forms.control_names import CARRY, RENAME, USE, Action
from widgetschema.forms.fields.builder import FormSource
from widgetschema.forms.fields.initial_values import ABSENT
from widgetschema.forms.model import Field, PostedControls, in_form_order, with_findings
from widgetschema.forms.posted_controls import misplaced_files, without_files
from widgetschema.forms.secrecy import concealed_findings
from widgetschema.forms.submit.buttons import follow_choices, press_button
from widgetschema.forms.submit.edit_plan import EditPlan, plan_edits
from widgetschema.forms.submit.suggestions import use_suggestion
from widgetschema.jsontext import dump
from widgetschema.jsontext.equality import canonical
from widgetschema.jsontext.rewriting import Keep, Node, rewrite, value_of
from widgetschema.jsontext.tree import Tree, scanned
from widgetschema.pointers import resolve_pointer

_MAX_ROUNDS: Final = 4
_OTHER_HINT: Final = "another alternative may allow it"


class SubmissionResult(NamedTuple):
    """The result of posted controls: the fields to show again, and the new text.

    `data` is the value of the part of `text` that the form is about, and `plan` its edit.
    `findings` are those about unreadable controls first, in the order of the form. `is_complete` is
    False if there are such.
    """

    root: Field
    controls: PostedControls
    text: str
    data: Any
    findings: tuple[Finding, ...]
    plan: EditPlan

    @property
    def is_complete(self) -> bool:
        """True if every control could be read."""
        return not self.plan.unreadable


def apply_controls(
    source: FormSource, controls: PostedControls, action: Action | None
) -> SubmissionResult:
    """Return the result of the controls that were edited, and of the button that was pressed."""
    root, result, value = _stable_fields(source, controls)
    if misplaced := misplaced_files(controls, root):
        controls = without_files(controls, misplaced)
        root, result, value = _stable_fields(source, controls)
    before, limits = controls, source.checks.limits
    if action is not None:
        if action.verb in (USE, RENAME):
            controls = use_suggestion(controls, action, root, source.checks.accepts)
        else:
            controls = press_button(controls, action, root, source.tree, limits)
    if action is None or action.verb != CARRY:
        controls = follow_choices(controls, root, source.tree, limits)
    if controls is not before:
        root, result, value = _stable_fields(source, controls)
    text = _text(source, result.node)
    data = plain_numbers(value)
    findings = source.checks.check(text, source.at, data)
    findings = (*findings, *_forbidden(source, root, data, findings))
    findings = concealed_findings(_without_unread(findings, result, root), root)
    tree = Tree(text, scanned(text)) if findings or result.unreadable else source.tree
    findings = with_indices(findings, tree)
    if findings:
        root = source.build(controls, data, findings)
    unread = {
        name: with_indices(concealed_findings(those, root), tree)
        for name, those in result.unreadable.items()
    }
    root = with_findings(root, unread)
    unreadable = [finding for those in unread.values() for finding in those]
    findings = in_form_order(root, (*unreadable, *findings))
    return SubmissionResult(root, controls, text, value, findings, result)


def _stable_fields(source: FormSource, controls: PostedControls) -> tuple[Field, EditPlan, Any]:
    """Return the fields, their edits and the new value.

    They are those of the first round in which the data decides the same as before.
    """
    data = plain_numbers(source.element.value)
    known = dump(data, indent=False) if source.specs.depends_on_data else ""
    for _ in range(_MAX_ROUNDS):
        root = source.build(controls, data)
        result = plan_edits(root, source.checks.limits, source.untouched)
        value = value_of(result.node)
        data = plain_numbers(value)
        if not source.specs.depends_on_data:
            break
        before, known = known, dump(data, indent=False)
        if before == known:
            break
    return root, result, value


def _text(source: FormSource, node: Node) -> str:
    """Return the whole text with this in the place of the data."""
    if isinstance(node, Keep) and node.element is source.element:
        return source.tree.text
    return rewrite(source.tree, source.element, node)


def _forbidden(
    source: FormSource, root: Field, data: Any, known: Sequence[Finding]
) -> Iterator[Finding]:
    """Yield what the chosen alternatives forbid, although another alternative allows it.

    A value that is as it was stands for itself, as long as nobody chose another alternative for it.
    """
    for field in root.walk():
        if field.kind != "alternatives" or not field.opened or field.path is None:
            continue
        branch = field.shape.branches[field.shown.chosen]
        value = resolve_pointer(data, field.path.removeprefix(source.at), ABSENT)
        if value is ABSENT or (value is None and field.shape.nullable):
            continue
        begin = f"{field.path}/"
        if any(f"{finding.path}/".startswith(begin) for finding in known):
            continue
        if _is_as_it_was(field, value):
            continue
        pointers = branch.branch_pointers
        if any(source.checks.accepts((pointer,))(value) for pointer in pointers):
            continue
        for finding in source.checks.find(pointers[:1], value, field.path):
            yield replace(finding, hint=finding.hint or _OTHER_HINT)


def _is_as_it_was(field: Field, value: Any) -> bool:
    original = field.original
    if original is None or field.shown.chosen != field.pristine.chosen:
        return False
    return bool(canonical(plain_numbers(original.value)) == canonical(value))


def _without_unread(
    findings: tuple[Finding, ...], result: EditPlan, root: Field
) -> tuple[Finding, ...]:
    """Return the findings without those about values that could not be read."""
    if not result.unreadable:
        return findings
    paths = {
        field.path
        for field in root.walk()
        if field.name in result.unreadable and field.path is not None
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

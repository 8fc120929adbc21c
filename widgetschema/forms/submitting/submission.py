"""`submit`: what came back from a form, as a new text; and `Submission`, what became of it.

The way: the controls that were posted, without those that say nothing new, changed by the button
that was pressed; the fields that they make; what becomes of these; and again with the new data,
until it stays the same (a condition of the schema may bring other fields); then it is checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Unpack

from widgetschema.errors import FormError, StaleForm
from widgetschema.findings import Finding, Report, escape_token, split_pointer
from widgetschema.forms.checking import checked, plain_numbers
from widgetschema.forms.fields.building import build
from widgetschema.forms.fields.shapes import ABSENT
from widgetschema.forms.form import Form
from widgetschema.forms.model import Field, Posted
from widgetschema.forms.names import ACTION, BASE, CARRY, Action, action_of, prefixed
from widgetschema.forms.posted import SHAPE, Fields, edits, other_prefix, posted
from widgetschema.forms.submitting.acting import acted, followed
from widgetschema.forms.submitting.carrying import carried, lost_rests
from widgetschema.forms.submitting.outcomes import Outcome, outcome
from widgetschema.forms.walking import every, in_order, with_findings
from widgetschema.jsontext import dump, preview
from widgetschema.jsontext.rewriting import Keep, Node, rewrite, value_of

if TYPE_CHECKING:
    from widgetschema.forms.html.options import RenderOptions
    from widgetschema.forms.making import Forms

_MOST_ROUNDS: Final = 4
_OTHER_HINT: Final = "another alternative may allow it"
_LOST: Final = "the JSON text typed for {}, the parts without fields, is not in this form"
_STALE: Final[Mapping[str, tuple[str, str]]] = {
    "respelled": (
        "the text was written anew since this form was shown, with its members in another order",
        "the form has what you typed: compare it with the data before you save",
    ),
    "other data": (
        "the data was changed by somebody else since this form was shown",
        "the form has what you typed: compare it with the data before you save",
    ),
    "other controls": (
        "the form has other fields or rules than when it was shown",
        "it has what you typed, but not what you chose from lists: check it before you save",
    ),
}


@dataclass(frozen=True, eq=False, repr=False)
class Submission:
    """What became of a form that came back.

    `text` is the whole new text, `data` the value of its part that the form is about. `form` is
    the form to show again: what was typed, and what was found. `action` is the button that was
    pressed, if it was one that changes the form or looks only: then nothing is to be saved.
    `complete` says whether everything that was typed could be read; what could not is in `form`
    alone, and `text` has what was there before. `valid` says that the data is valid, too.
    """

    form: Form
    text: str
    data: Any
    complete: bool

    def __repr__(self) -> str:
        state = "valid" if self.valid else "invalid" if self.complete else "incomplete"
        return f"<Submission: {'changed' if self.changed else 'unchanged'}, {state}>"

    @property
    def report(self) -> Report:
        """What could not be read, and what the validator found, in the order of the form."""
        return self.form.report

    @property
    def action(self) -> Action | None:
        """The button that was pressed; None for the plain one, which saves."""
        return self.form.action

    @property
    def changed(self) -> bool:
        """Whether the new text is another."""
        return self.text != self.form.text

    @property
    def valid(self) -> bool:
        """Whether everything could be read, and the data is valid."""
        return self.complete and self.report.valid

    def answer(self, **options: Unpack[RenderOptions]) -> dict[str, Any]:
        """The answer to the live script, as a JSON object; `options` are those of `render`.

        `html` is the markup of the form, if its controls are others than those that were posted,
        else null; `focus` the id of the field to go to. Raises `MissingExtra`.
        """
        from widgetschema.forms.html import answer

        return answer(self, **options)


def submit(form: Form, fields: Fields) -> Submission:
    """See `Form.submit`."""
    forms = form.forms
    limits = forms.validator.limits
    if isinstance(fields, Iterator):
        fields = list(fields)
    controls = posted(fields, limits, form.prefix)
    if not controls and (other := other_prefix(fields, form.base)) is not None:
        raise FormError(
            f"this form was shown with the prefix {preview(other)}, and came back to one with "
            f"the prefix {preview(form.prefix)}: pass the same `prefix` each time"
        )
    fit = form.fit(controls[BASE][0]) if BASE in controls else "same"
    lost = [] if fit == "same" else lost_rests(controls, form.root)
    if fit == "same" or (fit == "respelled" and not lost):
        action = action_of(controls.get(ACTION, [""])[0])
        controls = edits(controls, form.root, respelled=fit == "respelled")
        return _submitted(form, controls, action)
    kept = {name: values for name, values in controls.items() if name not in lost}
    typed = carried(kept, form.root, choices=fit != "other controls")
    again = _submitted(form, edits(typed, form.root, respelled=True), None).form
    stale = [Finding("stale", form.at, "", *_STALE[fit])]
    stale += [
        Finding("stale", form.at, "", _LOST.format(name)) for name in lost if name in controls
    ]
    report = forms.report((*stale, *again.report))
    came = {name: values for name, values in controls.items() if name not in (BASE, SHAPE)}
    raise StaleForm(replace(again, report=report), came)


def _submitted(form: Form, controls: Posted, action: Action | None) -> Submission:
    """What becomes of the text by the controls that say something new."""
    forms = form.forms
    run = _Run(form)
    root, result = run.settled(controls)
    before, limits = controls, forms.validator.limits
    if action is not None:
        controls = acted(controls, action, root, form.tree, limits)
    if action is None or action.verb != CARRY:
        controls = followed(controls, root, form.tree, limits)
    if controls is not before:
        root, result = run.settled(controls)
    text = run.text(result.node)
    value = value_of(result.node)
    data = plain_numbers(value)
    findings = checked(forms.validator, text, form.at, data)
    findings = (*findings, *_forbidden(forms, root, form.at, data, findings))
    findings = _without(findings, result, root)
    if findings:
        root = run.built(controls, data, findings)
    root = with_findings(root, result.unread)
    own = [finding for those in result.unread.values() for finding in those]
    report = forms.report(in_order(root, (*own, *findings)))
    again = replace(form, root=root, data=value, report=report, posted=controls, action=action)
    return Submission(again, text, value, not result.unread)


class _Run:
    """One submission: the form that it is of, and what is looked up once."""

    def __init__(self, form: Form) -> None:
        self.form = form
        self.shapes = form.forms.shapes(form.ui)
        element = form.tree.at(form.at)
        assert element is not None
        self.element = element
        self.original = plain_numbers(element.value)
        self.id = prefixed(form.prefix, form.id)

    def built(self, controls: Posted, data: Any, findings: Sequence[Finding] = ()) -> Field:
        """The fields by what was posted, and by the conditions that hold for `data`."""
        form = self.form
        return build(self.shapes, form.tree, form.at, controls, data, findings, self.id)

    def settled(self, controls: Posted) -> tuple[Field, Outcome]:
        """The fields, and what becomes of them, when the data decides the same as before."""
        limits = self.form.forms.validator.limits
        data = self.original
        known = dump(data, indent=False)
        for _ in range(_MOST_ROUNDS):
            root = self.built(controls, data)
            result = outcome(root, limits)
            data = plain_numbers(value_of(result.node))
            before, known = known, dump(data, indent=False)
            if before == known:
                break
        return root, result

    def text(self, node: Node) -> str:
        """The whole text with this in the place of the data."""
        if isinstance(node, Keep) and node.element is self.element:
            return self.form.text
        return rewrite(self.form.tree, self.element, node)


def _forbidden(
    forms: Forms, root: Field, at: str, data: Any, known: Sequence[Finding]
) -> Iterator[Finding]:
    """What the alternatives that were chosen forbid, although another one allows it."""
    for field in every(root):
        if field.kind != "alternatives" or not field.opened or field.path is None:
            continue
        branch, value = field.shape.branches[field.shown.chosen], _at(data, field.path, at)
        if value is ABSENT or (value is None and field.shape.nullable):
            continue
        begin = f"{field.path}/"
        if any(f"{finding.path}/".startswith(begin) for finding in known):
            continue
        pointers = branch.accepting
        if any(forms.holds((pointer,))(value) for pointer in pointers):
            continue
        for finding in forms.findings(pointers[:1], value):
            hint = finding.hint or _OTHER_HINT
            yield replace(finding, path=field.path + finding.path, hint=hint)


def _at(data: Any, path: str, at: str) -> Any:
    """The value at a path of the whole text, of the data at `at`."""
    for token in split_pointer(path.removeprefix(at)):
        if type(data) is dict and token in data:
            data = data[token]
        elif type(data) is list and token.isdecimal() and int(token) < len(data):
            data = data[int(token)]
        else:
            return ABSENT
    return data


def _without(findings: tuple[Finding, ...], result: Outcome, root: Field) -> tuple[Finding, ...]:
    """The findings without those about what could not be read, of which enough is said."""
    if not result.unread:
        return findings
    places = {
        field.path
        for field in every(root)
        if field.name in result.unread and field.path is not None
    }
    return tuple(finding for finding in findings if not _is_within(finding, places))


def _is_within(finding: Finding, places: set[str]) -> bool:
    """Whether a finding is about one of these places, or something in it."""
    around = _missing_member(finding) or finding.path
    while around not in places:
        if not around:
            return False
        around = around.rpartition("/")[0]
    return True


def _missing_member(finding: Finding) -> str | None:
    """The place of a member that a finding says is missing."""
    if finding.keyword not in ("required", "dependencies") or type(finding.expected) is not str:
        return None
    return f"{finding.path}/{escape_token(finding.expected)}"

"""The steps of a page: what its posts did to a text, each read by the form that was shown then.

Posted controls are read once, against the form that people had before them. Where the text that
results makes another form (a condition of the schema, another alternative), the next form is made
of that text, a draft, and the page carries the controls of this step. Where it was merged with the
edits of others, the page carries an edit of the text (`edits`). A later post makes the draft again
from the text and the steps: nothing that a page sends back can do more than controls.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from widgetschema.errors import FormError, TooManyFields, UnreadableDocument
from widgetschema.forms.control_names import (
    ACTION,
    ASIDE,
    BASE,
    FROM,
    REMOVED,
    ROOT,
    SENT,
    STEPS,
    TYPED,
    companion_name,
)
from widgetschema.forms.fields.builder import (
    ChosenAlternative,
    FormSource,
    branch_pointers_of,
)
from widgetschema.forms.model import Field, PostedControls
from widgetschema.forms.posted_controls import (
    MAX_CONTROLS,
    SHAPE,
    is_control,
    misplaced_files,
    without_files,
)
from widgetschema.forms.submit.edit_plan import EditPlan, plan_edits
from widgetschema.forms.submit.edits import DataEdit, node_of, with_texts
from widgetschema.forms.submit.permissions import permitted
from widgetschema.forms.submit.removed_rows import with_other_texts
from widgetschema.forms.uploads import CHOSEN_FILES, LARGE
from widgetschema.jsontext import dump, read
from widgetschema.jsontext.rewriting import Keep, Node, rewrite, value_of
from widgetschema.jsontext.tree import Tree

MAX_STEPS: Final = 200
_REMOVED: Final = companion_name(REMOVED, ROOT)
_TYPED: Final = companion_name(TYPED, ROOT)
_BROKEN: Final = "the unsaved changes of the page arrived incomplete: load it again"

Steps = tuple[PostedControls | DataEdit, ...]


@dataclass(frozen=True, eq=False)
class Reading:
    """Controls, read against the form that was shown: its fields, their edit, and the new text."""

    source: FormSource
    controls: PostedControls
    root: Field
    plan: EditPlan

    @property
    def text(self) -> str:
        """The whole new text, with placeholders and what was typed."""
        node, source = self.plan.node, self.source
        if isinstance(node, Keep) and node.element is source.element:
            return source.tree.text
        return rewrite(source.tree, source.element, node)

    @property
    def value(self) -> Any:
        """The new value of the data."""
        if not self.source.secrets.known:
            return value_of(self.plan.node)
        text = self.source.secrets.put_back(self.text)
        element = Tree(text).at(self.source.at)
        return None if element is None else element.value

    def draft(self) -> FormSource:
        """Return the material of the form of the new text."""
        source, made = self.source, self.source.edited(self.text, self.plan.node)
        chosen = {
            field.path: ChosenAlternative(field.shown.chosen, branch_pointers_of(field.shape))
            for field in self.root.walk()
            if field.kind == "alternatives" and field.path is not None and is_asked(field, source)
        }
        return replace(made, chosen=chosen)


class PostedPage(NamedTuple):
    """The controls of a page: all of them, and those that were edited, read by its form."""

    controls: PostedControls
    reading: Reading

    def __reduce__(self) -> tuple[Any, ...]:
        return type(None), ()  # a submission that went elsewhere is answered as a whole


def read_against(source: FormSource, controls: PostedControls) -> Reading:
    """Return what controls say in the form of a source; files for what is no file do not count.

    Raises `TooManyFields`.
    """
    root = source.read(controls)
    if misplaced := misplaced_files(controls, root):
        controls = without_files(controls, misplaced)
        root = source.read(controls)
    return Reading(source, controls, root, plan_edits(root, source.checks.limits, source.untouched))


def is_asked(field: Field, source: FormSource) -> bool:
    """Return True if a person chose an alternative, now or in an earlier step."""
    return field.shown.chosen != field.pristine.chosen or field.path in source.chosen


def drafts_of(source: FormSource, steps: Steps) -> Iterator[tuple[Node, FormSource]]:
    """Yield the edit of each step of a page, and the draft that it makes.

    The first one is of the text of `source`. Raises `TooManyFields`, and `FormError` for an edit of
    another text.
    """
    for step in steps:
        if isinstance(step, DataEdit):
            try:
                node = node_of(step, source)
            except (UnreadableDocument, LookupError, TypeError, ValueError):
                raise FormError(_BROKEN) from None
            allowed = permitted(source, node)
            node, draft = allowed.node, allowed.draft
        else:
            reading = read_against(source, step)
            node, draft = reading.plan.node, reading.draft()
        yield node, draft
        source = draft


def draft_of(source: FormSource, steps: Steps) -> FormSource:
    """Return the draft that the steps of a page make of a text. Raises `TooManyFields`."""
    return [source, *(draft for _, draft in drafts_of(source, steps))][-1]


def step_of(controls: PostedControls) -> PostedControls:
    """Return the controls of a step: those that decide about the text, and what can be restored."""
    return {
        name: one
        for name, one in controls.items()
        if name not in (ACTION, BASE, SHAPE)
        and not name.startswith(_REMOVED)
        and not (name.startswith(_TYPED) and controls.get(name.removeprefix(TYPED)) == one)
    }


def page_controls(controls: PostedControls, steps: Steps, source: FormSource) -> PostedControls:
    """Return the controls of a page with those by which it says its steps.

    Each secret and each large file of steps and removed rows is in a control of its own, whose
    number is in its place.
    """
    aside: list[str] = []

    def written(name: str, text: str) -> str | int:
        if name.startswith(_REMOVED):
            return with_other_texts(name, text, written)
        holds_value = name.startswith((ROOT, companion_name(FROM, ROOT)))
        if not (text and holds_value):
            return text
        if len(text) <= LARGE and not source.is_secret_control(name):
            return text
        aside.append(text)
        return len(aside) - 1

    def written_new(path: str, text: str) -> str | int:
        said = source.secrets.typed_back(text)
        if len(text) <= LARGE and said == text:
            return text
        aside.append(said)
        return len(aside) - 1

    said: list[Any] = [
        [with_texts(step.said, source.at, written_new)]
        if isinstance(step, DataEdit)
        else {name: [written(name, text) for text in values] for name, values in step.items()}
        for step in steps
    ]
    found = {**controls, STEPS: [dump(said, indent=False)]} if steps else {**controls}
    for name, (text, *_) in controls.items():
        if name.startswith(_REMOVED):
            found[name] = [with_other_texts(name, text, written)]
    return found | {f"{ASIDE}{number}": [text] for number, text in enumerate(aside)}


def take_steps(controls: PostedControls) -> Steps:
    """Return the steps of a page, whose controls are removed from those that were posted.

    What removed rows have in controls of their own is put back.

    Raises `TooManyFields`, and `FormError` for too many steps, and for what is none: something has
    changed it on its way, and what people did would be lost.
    """
    text = controls.pop(STEPS, [""])[0]
    aside: dict[str, str | None] = {}
    for name in [name for name in controls if name.startswith(ASIDE)]:
        said = controls.pop(name)[0]
        is_token = name.endswith(SENT)
        aside[name.removesuffix(SENT)] = CHOSEN_FILES.get(said) if is_token else said
    try:
        parsed = read(text) if text else []
        if type(parsed) is not list:
            raise TypeError
        steps = tuple(_parsed_step(one, aside) for one in parsed)
        for name in [name for name in controls if name.startswith(_REMOVED)]:
            controls[name] = [_put_back(name, controls[name][0], aside)]
    except (UnreadableDocument, LookupError, TypeError, ValueError):
        raise FormError(_BROKEN) from None
    if len(steps) > MAX_STEPS:
        raise FormError("the page has too many unsaved changes of its fields: save it first")
    if (count := sum(len(one) for one in steps if isinstance(one, dict))) > MAX_CONTROLS:
        raise TooManyFields(count, MAX_CONTROLS)
    return steps


def _parsed_step(step: Any, aside: Mapping[str, str | None]) -> PostedControls | DataEdit:
    """Return a step with what is in controls of its own; raise an error if it is none."""
    if type(step) is list:
        [said] = step
        return DataEdit(with_texts(said, "", lambda _, text: _put_back("", text, aside)))
    found: PostedControls = {}
    for name, values in step.items() if type(step) is dict else [("", step)]:
        if ROOT not in name or not is_control(name) or type(values) is not list or not values:
            raise TypeError
        found[name] = [_put_back(name, one, aside) for one in values]
    return found


def _put_back(name: str, said: Any, aside: Mapping[str, str | None]) -> str:
    """Return the text that a control had before secrets and large files were put aside."""
    text = aside[f"{ASIDE}{said}"] if type(said) is int else said
    if type(text) is not str:
        raise TypeError
    if not name.startswith(_REMOVED):
        return text
    return with_other_texts(name, text, lambda inside, one: _put_back(inside, one, aside))


def is_same_form(one: Field, other: Field) -> bool:
    """Return True if two forms have the same controls, and read them alike."""
    return _parts(one) == _parts(other)


def _parts(root: Field) -> list[Any]:
    return [
        (field.name, field.kind, field.states, field.choices, *controls_flags(field))
        for field in root.walk()
    ]


def controls_flags(field: Field) -> tuple[bool, ...]:
    """Return what of a field decides how its controls are read, beside kind, states and choices."""
    shape = field.shape
    return (
        *(field.opened, field.has_key, field.read_only, field.former),
        *(shape.required, shape.nullable),
    )

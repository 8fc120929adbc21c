"""The history of the edits on the pages of an editor: its steps, and the way back and forth.

A step has what a page sent, as far as it differs from an untouched page: replaying it gives the
same form and pane. A page names its step, so each tab has its own way. Typing into one control is
one step while the script says that it is the same visit. A check that arrives after a later one
of the same visit is not a step, because the page has discarded it; nor is saving. Only the last
steps are kept, in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from widgetschema.cached import Recent
from widgetschema.editor.views import View
from widgetschema.files import digest
from widgetschema.forms.control_names import ACTION, ASIDE, BASE, DUE, STEPS
from widgetschema.forms.model import PostedControls
from widgetschema.forms.posted_controls import SHAPE

if TYPE_CHECKING:
    from widgetschema.forms import Form

MAX_STEPS: Final = 1_000  # …
MAX_CHARACTERS: Final = 16 * 1024 * 1024  # … or fewer, if much was typed

PANE: Final = "pane"  # among the names of changed controls, for the text of the JSON pane


@dataclass(frozen=True, slots=True)
class PageState:
    """A request of a page: the digest of the text that its form was made of, and what was edited.

    `pane` is the text of the JSON pane if it is not that of the form; `pane_of` as in `View`.
    `shown` is a digest of what all controls of the form show, `document` that of the resulting
    text; empty if something could not be read. `version` is the version of the file that it is an
    edit of.
    """

    of: str
    controls: PostedControls
    pane: str | None
    pane_of: str
    shown: str
    document: str
    version: str

    @classmethod
    def of_view(cls, view: View) -> PageState:
        """Return the state of a page that shows a view."""
        posted = {} if view.submission is None else view.submission.form.posted or {}
        controls = {
            name: values
            for name, values in posted.items()
            if name not in (ACTION, BASE, SHAPE, DUE)
        }
        is_agreed = view.complete and not view.needs_choice
        return cls(
            view.of,
            controls,
            None if view.pane == view.text else view.pane,
            view.pane_of,
            "" if view.form is None else _shown_digest(view.form),
            digest(view.text.encode()) if is_agreed else "",
            view.version,
        )

    def changes(self, other: PageState) -> frozenset[str]:
        """Return the names of the controls that differ, with `PANE` for the pane."""
        names = self.controls.keys() | other.controls.keys()
        changed = {one for one in names if self.controls.get(one) != other.controls.get(one)}
        if self.of != other.of or self.pane != other.pane:
            changed = {PANE}
        return frozenset(changed)

    def is_same(self, other: PageState) -> bool:
        """Return True if both have the same form and pane, or the same document."""
        if self.of == other.of:
            return self.shown == other.shown and self.pane == other.pane
        return self.document != "" and self.document == other.document

    @property
    def size(self) -> int:
        """The number of characters that are kept."""
        return len(self.pane or "") + sum(
            len(name) + sum(map(len, values)) for name, values in self.controls.items()
        )


def _shown_digest(form: Form) -> str:
    """Return a digest of the edits; the rest follows from the text that the form is made from."""
    edited = (field for field in form if field.shown != field.pristine)
    posted = form.posted or {}
    steps = [posted[name][0] for name in posted if name.startswith((STEPS, ASIDE))]
    parts = [form.signature, *steps, *(f"{field.name}={field.shown!r}" for field in edited)]
    return digest("\n".join(parts).encode("utf-8", "surrogatepass"))


@dataclass(slots=True)
class Step:
    """One step: the state of the page after it, and the names of the steps around it.

    `changed` are the controls that it changed; `visit` is the visit of the control that was typed
    into, empty if no further typing belongs to the step; `edit` counts the edits of its page.
    """

    name: str
    state: PageState
    before: str = ""
    after: str = ""
    changed: frozenset[str] = field(default=frozenset())
    visit: str = ""
    edit: int = 0


class EditHistory:
    """The steps of all pages; not to be shared among threads."""

    def __init__(self, most: int = MAX_STEPS, most_characters: int = MAX_CHARACTERS) -> None:
        self._steps = Recent[str, Step](most, most_characters, lambda step: step.state.size)
        self._made = 0

    def record(self, name: str, state: PageState, visit: str = "", edit: int = 0) -> Step:
        """Return the step of a page that has come from the step `name` to a state."""
        step = self._steps.get(name)
        if step is None:
            return self._new(state)
        if visit and step.visit == visit and edit < step.edit:
            return step
        if step.state.is_same(state):
            self._replace(step, state)  # perhaps with a form of the text that was saved
            return step
        if visit:
            for other in self._around(step):
                if visit in (step.visit, other.visit) and other.state.is_same(state):
                    return other  # the browser's own undo or redo has led there
        changed = step.state.changes(state)
        if visit and step.visit == visit and changed <= step.changed:
            self._replace(step, state)
            step.after, step.edit = "", edit
            return step
        made = self._new(state)
        made.before, made.changed, made.visit, made.edit = step.name, changed, visit, edit
        step.after = made.name
        return made

    def replaced(self, name: str, before: str, after: str) -> None:
        """Let the steps of a page be edits of the version that it has made of the file itself."""
        todo, seen = [name], set[str]()
        while todo:
            step = self._steps.get(todo.pop())
            if step is None or step.name in seen:
                continue
            seen.add(step.name)
            if step.state.version == before:
                step.state = replace(step.state, version=after)
            todo += [step.before, step.after]

    def step(self, name: str) -> Step | None:
        """Return a step by its name, if it is still known."""
        return self._steps.get(name)

    def before(self, step: Step) -> Step | None:
        """Return the step before, if it is still known."""
        return self._steps.get(step.before)

    def after(self, step: Step) -> Step | None:
        """Return the step that was undone last, if it is still known."""
        return self._steps.get(step.after)

    def undone(self, step: Step) -> Step | None:
        """Return the step before, from which this one can be done again."""
        before = self.before(step)
        if before is not None:
            before.after = step.name
        return before

    def _around(self, step: Step) -> Iterator[Step]:
        before, after = self.undone(step), self.after(step)
        yield from (one for one in (before, after) if one is not None)

    def _new(self, state: PageState) -> Step:
        self._made += 1
        step = Step(str(self._made), state)
        self._steps.keep(step.name, step)
        return step

    def _replace(self, step: Step, state: PageState) -> None:
        step.state = state
        self._steps.keep(step.name, step)

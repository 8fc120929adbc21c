"""`Form`: the fields of one text, what was found in it, and everything that can be made of them.

A form knows the text that it was made of and, if it is the answer to a submission, what was
posted. It never changes; what comes back makes a `Submission` with another form.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Unpack

from widgetschema.findings import Finding, Report
from widgetschema.forms import meaning
from widgetschema.forms.model import ID, Field, Posted
from widgetschema.forms.names import ACTION, Action, prefixed
from widgetschema.forms.posted import Fields
from widgetschema.forms.walking import every
from widgetschema.jsontext.tree import Tree
from widgetschema.text import plural

if TYPE_CHECKING:
    from widgetschema.forms.exports import Export
    from widgetschema.forms.html.options import PageOptions, RenderOptions
    from widgetschema.forms.making import Forms
    from widgetschema.forms.submitting.submission import Submission


Fit = Literal["same", "respelled", "other data", "other controls"]


@dataclass(frozen=True, eq=False, repr=False)
class Form:
    """A form of the data at `at`, a JSON Pointer, in the text `tree.text`.

    `root` is the field of the data as a whole, `data` its value (as it would be, after a
    submission), `report` what was found, in the order of the form. `posted` are the controls
    that came back, None of a form that was just made; `action` the button that was pressed.
    `ui` is the UI description, as it was given; `id` what the ids of the fields begin with, and
    `prefix` what the names of the controls begin with, and the ids before `id`.
    """

    forms: Forms
    tree: Tree
    at: str
    root: Field
    data: Any
    report: Report
    posted: Posted | None = None
    action: Action | None = None
    ui: Mapping[str, Any] | None = None
    id: str = ID
    prefix: str = ""

    def __reduce__(self) -> tuple[Any, ...]:
        made_of = (self.forms, self.text, self.at, self.ui, self.id, self.prefix)
        return _rebuild, (*made_of, self.posted, self.action)

    def __repr__(self) -> str:
        return f"<Form of {self.report.subject}: {plural(len(self.report), 'finding')}>"

    @property
    def text(self) -> str:
        """The text that the form was made of."""
        return self.tree.text

    @cached_property
    def sections(self) -> tuple[Field, ...]:
        """The members of the data that are objects, such as content, settings, styles."""
        if self.root.kind != "object":
            return ()
        return tuple(field for field in self.root.children if field.kind == "object")

    @cached_property
    def loose(self) -> tuple[Finding, ...]:
        """The findings that belong to no field."""
        shown = {id(finding) for field in every(self.root) for finding in field.findings}
        return tuple(finding for finding in self.report if id(finding) not in shown)

    @cached_property
    def base(self) -> str:
        """What the form was made of, for `base#`: digests of its controls, its text, its spelling.

        Controls mean the same by the same schema and UI description, apart from what they say to
        people alone; texts, if they are the same value.
        """
        return "-".join((self._controls, meaning.of_value(self.tree.root), self._spelling))

    @cached_property
    def _controls(self) -> str:
        parts = (self.forms.meaning, meaning.of_description(self.ui), self.at)
        return meaning.digest(parts)

    @cached_property
    def _spelling(self) -> str:
        return meaning.digest([self.text])

    def fit(self, base: str) -> Fit:
        """How what came back with this `base#` fits what the form is made of."""
        controls, _, spelling = (*base.split("-"), "", "", "")[:3]
        if controls != self._controls:
            return "other controls"
        if spelling == self._spelling:
            return "same"
        is_same_value = base.rpartition("-")[0] == self.base.rpartition("-")[0]
        return "respelled" if is_same_value else "other data"

    @cached_property
    def signature(self) -> str:
        """Which controls the form has, for `shape#`: another text if there are others."""
        whole = hashlib.sha256()
        for field in every(self.root):
            parts = (field.name, field.kind, f"{field.opened:d}{field.has_key:d}", field.note)
            states = (*field.states, *(choice.id for choice in field.choices))
            whole.update("\n".join((*parts, *states, "")).encode())
        return whole.hexdigest()[:16]

    def __iter__(self) -> Iterator[Field]:
        """Every field, in the order of the page."""
        return every(self.root)

    def field(self, pointer: str) -> Field | None:
        """The field of the value at a JSON Pointer in the whole text; None if there is none.

        Of a value with alternatives, the field that lets one choose.
        """
        return next((field for field in every(self.root) if field.path == pointer), None)

    def submit(self, fields: Fields) -> Submission:
        """What becomes of the text by the controls that came back.

        `fields` is what a framework gives: a mapping of text to text or texts, a MultiDict, a
        QueryDict, a FormData, or pairs. A control that is not among them means: unchanged. A form
        with a prefix reads the controls with that prefix, and passes over all others.

        Raises `StaleForm`, with what was typed, if the controls belong to a form of a text with
        another value, or of another schema (not of one with another title), `TooManyFields`, and
        `FormError` for what is no text, for the controls of two forms under the same names, and
        for those of this form under another prefix.
        """
        from widgetschema.forms.submitting.submission import submit

        return submit(self, fields)

    def render(self, **options: Unpack[RenderOptions]) -> str:
        """The markup of the form; see `widgetschema.forms.html.render`. Raises `MissingExtra`."""
        from widgetschema.forms.html import render

        return render(self, **options)

    def page(self, **options: Unpack[PageOptions]) -> str:
        """A whole HTML page; see `widgetschema.forms.html.page`. Raises `MissingExtra`."""
        from widgetschema.forms.html import page

        return page(self, **options)

    def to_rjsf(self) -> Export:
        """The form for react-jsonschema-form, and what that cannot represent."""
        from widgetschema.forms.exports import to_rjsf

        return to_rjsf(self)

    def to_jsonforms(self) -> Export:
        """The form for JSON Forms, and what that cannot represent."""
        from widgetschema.forms.exports import to_jsonforms

        return to_jsonforms(self)


def _rebuild(
    forms: Forms,
    text: str,
    at: str,
    ui: Mapping[str, Any] | None,
    id: str,
    prefix: str,
    posted: Posted | None,
    action: Action | None,
) -> Form:
    """The same form again: from the text that it is of, and from what was posted."""
    form = forms.form(text, at, ui, id, prefix)
    if posted is None:
        return form
    done = {name: values for name, values in posted.items() if name != ACTION}
    again = form.submit([(prefixed(prefix, name), one) for name in done for one in done[name]])
    return replace(again.form, posted=posted, action=action)

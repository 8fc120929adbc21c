"""Merge what a page sends into one text: the edits in its form, and those in its JSON pane.

Form and pane are about the same document: the one that changed since they last agreed counts. If
both did, they are merged, and where they overlap, a person has to choose. A page does not carry the
text that it was made of, only its digest, so the last texts are kept in memory, never on disk. No
file is known here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from widgetschema.cached import Recent
from widgetschema.editor.document import DocumentOpener, OpenedText
from widgetschema.errors import StaleForm, UnreadableDocument
from widgetschema.files import digest
from widgetschema.forms.conflicts import choice_names
from widgetschema.forms.control_names import CHOICE, ROOT, companion_name, control_name
from widgetschema.forms.newlines import normalize_newlines, restore_newlines
from widgetschema.forms.submit.rebasing import chosen_sides, placed
from widgetschema.jsontext.merging import ConcurrentEdit, Merge, merge
from widgetschema.jsontext.rewriting import rewrite
from widgetschema.jsontext.tree import parse

if TYPE_CHECKING:
    from widgetschema.forms import Form, Submission


PREFIX: Final = "editor."  # of the names of our own controls
_TEXTS: Final = ("of", "pane-of", "version", "do", "reviewed", "step", "visit", "schema")
_MAX_OPENED: Final = 20  # forms that are kept ready
_MAX_TEXTS: Final = 500  # texts …
_MAX_CHARACTERS: Final = 64 * 1024 * 1024  # … or fewer, if they are long

PageFields = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class PageControls:
    """The controls of the page itself, beside those of the form.

    `of`, `pane_of` and `version` are those of the `View` that was shown; `pane` is the text in
    the JSON pane, `do` the request of a button, `insist` a ticked box, `reviewed` the digest of the
    text whose changes were reviewed. `step`, `visit` and `edit` are those of `EditHistory.record`.
    `schema` is that of the `OpenedText`, `said` are the notices that stay (`Notice.keep`).
    """

    of: str = ""
    pane_of: str = ""
    version: str = ""
    pane: str | None = None
    do: str = ""
    insist: bool = False
    reviewed: str = ""
    step: str = ""
    visit: str = ""
    edit: int = 0
    schema: str = ""
    said: tuple[str, ...] = ()

    @classmethod
    def read(cls, fields: PageFields) -> PageControls:
        """Return the controls of the page among all that were posted."""

        def last(name: str) -> Any:
            """Return the last value of a control."""
            values = fields.get(PREFIX + name)
            return values[-1] if values else None

        edit = last("edit") or ""
        return cls(
            **{name.replace("-", "_"): last(name) or "" for name in _TEXTS},
            pane=last("pane"),
            insist=last("insist") is not None,
            edit=int(edit[:9]) if edit.isdecimal() else 0,
            said=tuple(fields.get(f"{PREFIX}said", ())),
        )


class Reconciled(NamedTuple):
    """The result of one post: the text and its form, and the pane's text if it differs.

    `pane_of` is the digest of the text on which both last agreed. `refused` is the text of the
    pane, opened, if no form can be made of it; `is_conflict` is True if a person has to choose:
    for each of the `conflicts`, if there are any. `is_of_new_schema` is True if the schema has
    changed since the page was shown.
    """

    opened: OpenedText
    submission: Submission | None
    text: str
    pane: str
    pane_of: str
    refused: OpenedText | None = None
    is_conflict: bool = False
    conflicts: tuple[ConcurrentEdit, ...] = ()
    is_of_new_schema: bool = False


class Reconciler:
    """The texts that pages were made of, and their forms; not to be shared among threads."""

    def __init__(self, opener: DocumentOpener) -> None:
        self.opener = opener
        self.texts = Recent[str, str](_MAX_TEXTS, _MAX_CHARACTERS, len)
        self._agreed_texts = Recent[str, str](_MAX_TEXTS, _MAX_CHARACTERS, len)  # of form and pane
        self._opened = Recent[str, OpenedText](_MAX_OPENED)
        self._former = Recent[tuple[str, str], OpenedText](_MAX_OPENED)

    def open(self, text: str) -> OpenedText:
        """Return a text with its form; the last ones are cached."""
        name = digest(text.encode())
        known = self._opened.get(name)
        if known is None or not self.opener.is_current(known):
            if known is not None:
                self._former.keep((name, known.schema), known)
            known = self.opener.open(text)
            self._opened.keep(name, known)
        return known

    def _open_for(self, page: PageControls, text: str) -> OpenedText | None:
        """Return a text with the form that a page shows; None if its schema was forgotten."""
        opened = self.open(text)
        if not page.schema or page.schema == opened.schema:
            return opened
        return self._former.get((digest(text.encode()), page.schema))

    def is_current(self, type_id: str, schema: str) -> bool:
        """Return True if the schema of a page is still that of its type."""
        return not schema or self.opener.has_schema(type_id, schema)

    def agreement(self, text: str) -> Reconciled:
        """Return a text as it is, in form and pane."""
        return self._agreed(self.open(text), None, text)

    def reconcile(self, controls: PageControls, fields: PageFields) -> Reconciled | None:
        """Return the text that results from a page; None if its text was forgotten.

        Raises `FormError`.
        """
        base = self.texts.get(controls.of)
        if base is None:
            return None
        opened = self._open_for(controls, base)
        if opened is None:
            return None
        done = self._reconciled(opened, base, controls, fields)
        if opened is self.open(base) or done.is_conflict or done.refused is not None:
            return done
        current = self.open(done.text)
        submission = _with_unreadable_input(current, done.submission, fields)
        return done._replace(opened=current, submission=submission, is_of_new_schema=True)

    def _reconciled(
        self, opened: OpenedText, base: str, controls: PageControls, fields: PageFields
    ) -> Reconciled:
        submission, text = None, base
        if opened.form is not None:
            posted = _form_fields(fields)
            submission = opened.form.submit(posted)
            text = submission.text
        if controls.pane is None or controls.do == "form":
            return self._agreed(opened, submission, text)
        pane = restore_newlines(controls.pane, text)
        if _text_digest(pane) == controls.pane_of or pane == text:
            return self._agreed(opened, submission, text)
        both = Reconciled(opened, submission, text, pane, controls.pane_of)
        if _text_digest(text) != controls.pane_of and controls.do != "pane":
            agreed = self._agreed_texts.get(both.pane_of)
            form = opened.form
            refused = self.open(pane)
            if refused.form is None and form is not None:
                return both._replace(refused=refused)
            merged = None if agreed is None else merge_texts(agreed, text, pane, fields, form)
            if merged is None or merged.text is None:
                found = () if merged is None else merged.conflicts
                return both._replace(is_conflict=True, conflicts=found)
            both = both._replace(pane=merged.text)
        return self._from_pane(both, fields)

    def _from_pane(self, both: Reconciled, fields: PageFields) -> Reconciled:
        """Return the text of the pane as the document, if a form can be made of it."""
        opened = self.open(both.pane)
        if opened.form is None and both.opened.form is not None:
            return both._replace(refused=opened)
        submission = _with_unreadable_input(opened, both.submission, fields)
        return self._agreed(opened, submission, both.pane)

    def merge_file(
        self, done: Reconciled, page: PageControls, fields: PageFields, before: str, now: str
    ) -> tuple[Reconciled | None, tuple[ConcurrentEdit, ...], tuple[ConcurrentEdit, ...]] | None:
        """Merge the result of a page into the present text of the file, which was `before`.

        Returns:
            The result, None while conflicts are open; the conflicts, also those that are decided;
            the edits of others. None altogether if the two cannot be merged.
        """
        present = self.open(now)
        form = done.opened.form
        if page.of == digest(before.encode()) and done.opened.text == before and form is not None:
            if present.form is not None and present.schema == done.opened.schema:
                merged = self._merge_form(present, fields)
                if merged is not None:
                    return merged
        found = merge_texts(before, done.text, now, fields, form)
        if found is None:
            return None
        if found.text is None:
            return None, found.conflicts, found.merge.changes
        opened = self.open(found.text)
        if opened.form is None:
            return None
        submission = _with_unreadable_input(opened, done.submission, fields, found.merge.path_of)
        if done.submission is not None and not done.submission.complete:
            if submission is None or submission.complete:
                return None  # what was typed would be lost
        return (
            self._agreed(opened, submission, found.text),
            found.conflicts,
            found.merge.changes,
        )

    def _merge_form(
        self, present: OpenedText, fields: PageFields
    ) -> tuple[Reconciled | None, tuple[ConcurrentEdit, ...], tuple[ConcurrentEdit, ...]] | None:
        """Merge what was edited in a form into that of the present text; None if that fails."""
        assert present.form is not None
        begin = companion_name(CHOICE, ROOT)
        posted = _form_fields(fields)
        undecided = {name: one for name, one in posted.items() if not name.startswith(begin)}
        try:
            submission = present.form.submit(undecided, on_stale="rebase")
            conflicts = submission.posted_conflicts
            if conflicts and len(undecided) < len(posted):
                submission = present.form.submit(posted, on_stale="rebase")
        except StaleForm:
            return None
        if submission.conflicts:
            return None, conflicts, submission.merged
        text = submission.text
        return self._agreed(present, submission, text), conflicts, submission.merged

    def _agreed(self, opened: OpenedText, submission: Submission | None, text: str) -> Reconciled:
        name = _text_digest(text)
        self._agreed_texts.keep(name, text)
        return Reconciled(opened, submission, text, text, name)


def _form_fields(fields: PageFields) -> dict[str, Sequence[str]]:
    """Return the controls of the form."""
    return {name: values for name, values in fields.items() if not name.startswith(PREFIX)}


def _text_digest(text: str) -> str:
    """Return the digest of a text, whatever its line ends are: a browser changes them."""
    return digest(normalize_newlines(text).encode())


def _with_unreadable_input(
    opened: OpenedText,
    before: Submission | None,
    fields: PageFields,
    path_of: Callable[[str], str | None] = lambda path: path,
) -> Submission | None:
    """Return the form of another text with the typed input that could not be read.

    `path_of` returns the JSON Pointer in that text for one in the text before: in the form of
    another schema, input is found by its place.
    """
    if opened.form is None or before is None or before.complete:
        return None
    posted = _form_fields(fields)
    try:
        submission = opened.form.submit(posted, on_stale="rebase")
        if asked := [choice_names(one) for one in submission.posted_conflicts]:
            mine = {name: [value] for name, value, _ in asked}
            submission = opened.form.submit({**posted, **mine}, on_stale="rebase")
    except StaleForm:
        typed = {}
        for finding in before.report:
            name, path = control_name(finding.path), path_of(finding.path)
            if name in posted and path is not None:
                typed[control_name(path)] = posted[name]
        submission = opened.form.submit(typed)
    # If it can be read now, it is no longer about the same: what is in the pane counts.
    return submission if submission.text == opened.text else None


class TextMerge(NamedTuple):
    """The merge of two edited texts: None while conflicts are open.

    `conflicts` are all of them, also those that are decided.
    """

    text: str | None
    conflicts: tuple[ConcurrentEdit, ...]
    merge: Merge


def merge_texts(
    before: str, mine: str, theirs: str, fields: PageFields, form: Form | None
) -> TextMerge | None:
    """Return the merge of two edited texts; None if one of them is not JSON.

    `fields` have the choices of a person where both were edited at the same place. The `form` of
    one of the texts, if there is one, knows the places of secrets.
    """
    try:
        base, one, other = map(parse, (before, mine, theirs))
    except UnreadableDocument:
        return None
    secrets = None if form is None else form.source.secrets
    if secrets is not None:
        base, secrets = secrets.put_aside(base)
        one, secrets = secrets.put_aside(one)
        other, secrets = secrets.put_aside(other)
    found = merge(base.root, one.root, other.root)
    conflicts = tuple(placed(edit, "") for edit in found.conflicts)
    if conflicts:
        found = merge(base.root, one.root, other.root, choose=chosen_sides("", fields))
    if found.conflicts or found.node is None:
        return TextMerge(None, conflicts, found)
    text = rewrite(other, other.root, found.node)
    return TextMerge(text if secrets is None else secrets.put_back(text), conflicts, found)

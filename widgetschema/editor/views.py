"""Views: the values that a page of the editor shows, and the changes of a text in lines."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from widgetschema.editor.document import OpenedText
from widgetschema.editor.texts import text as text_of
from widgetschema.findings import Finding
from widgetschema.fixes import unified_diff
from widgetschema.text import shorten

if TYPE_CHECKING:
    from widgetschema.forms import Form, Submission
    from widgetschema.forms.changes import Change
    from widgetschema.forms.conflicts import ConflictChoice

_MAX_CHANGES: Final = 300  # of fields
_MAX_LINES: Final = 3_000  # of a difference
_MAX_LINE: Final = 2_000  # characters
_KINDS: Final = {"+": "added", "-": "removed", "@": "place", "\\": "remark"}


class DiffLine(NamedTuple):
    """One line of a difference: `added`, `removed`, `place`, `remark`, or else `same`."""

    kind: str
    text: str


class NoticeAction(NamedTuple):
    """A button with its label and value, or a link to an address."""

    label: str
    value: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """A message for a person, with possible actions, and perhaps a difference."""

    text: str
    kind: Literal["done", "notice", "problem"] = "notice"
    actions: tuple[NoticeAction, ...] = ()
    difference: tuple[DiffLine, ...] = ()
    heading: str = ""  # of the difference
    outside: bool = False  # it is about the file, not about what is edited
    choices: tuple[ConflictChoice, ...] = ()
    keep: str = ""  # what brings it back on the next page, until the page is loaded or saved


@dataclass(frozen=True, slots=True)
class Review:
    """The changes that saving would make, and the digest of the reviewed text.

    `insist` is True if the text is not valid, and is saved only if the person insists. `changes`
    are those of fields; the `difference` is that of the text.
    """

    difference: tuple[DiffLine, ...]
    name: str
    insist: bool = False
    changes: tuple[Change, ...] = ()

    @property
    def shown_changes(self) -> tuple[Change, ...]:
        """The changes of fields that are listed."""
        return self.changes[:_MAX_CHANGES]

    @property
    def removed(self) -> int:
        """The number of removed lines."""
        return sum(line.kind == "removed" for line in self.difference)

    @property
    def added(self) -> int:
        """The number of added lines."""
        return sum(line.kind == "added" for line in self.difference)


class Revisit(NamedTuple):
    """An edit that was undone or redone: a sentence, and the id of the field that it changed."""

    sentence: str
    field: str = ""


@dataclass(frozen=True, eq=False)
class View:
    """All that a page shows.

    `text` is the document as it is now, `pane` the text in the JSON pane: the same, unless it
    cannot be read or a person has to choose. `of`, `pane_of` and `version` are the digests of the
    text that the form was made of, of the text on which form and pane last agreed, and of the file.
    `refused` is the pane as it was opened, which says why if no form can be made of it. `changed`
    is True if `text` is not in the file. `step` is that of the `EditHistory`, which `can_undo` and
    `can_redo` are about; `revisit` is set if the person has gone there by undoing or redoing.
    """

    opened: OpenedText
    submission: Submission | None
    text: str
    pane: str
    of: str
    pane_of: str
    refused: OpenedText
    version: str = ""
    findings: tuple[Finding, ...] = ()
    changed: bool = False
    was_saved: bool = False
    undoable: bool = False
    notices: tuple[Notice, ...] = ()
    review: Review | None = None
    status: int = 200
    needs_choice: bool = False  # nothing more is done before a person has chosen
    step: str = ""
    can_undo: bool = False
    can_redo: bool = False
    revisit: Revisit | None = None
    is_merged: bool = False  # edits of others have just come in
    is_live: bool = False  # a person is editing: neither Check nor Save was pressed

    @property
    def form(self) -> Form | None:
        """The form to show, if there is one."""
        return self.opened.form if self.submission is None else self.submission.form

    @property
    def schema(self) -> str:
        """The digest of the schema that the form is made of."""
        return self.opened.schema

    @property
    def complete(self) -> bool:
        """True if everything could be read."""
        return not self.is_refused and (self.submission is None or self.submission.complete)

    @property
    def is_refused(self) -> bool:
        """True if no form can be made of the text in the pane."""
        return bool(self.refused.refusals or self.refused.problem)

    @property
    def no_form(self) -> str:
        """The reason why there is no form, for people who edit content."""
        return text_of(f"no-form.{self.refused.reason or 'unreadable'}")

    @property
    def valid(self) -> bool:
        """True if it can be saved without insisting."""
        return self.complete and not self.findings

    @property
    def document_findings(self) -> tuple[Finding, ...]:
        """The findings about what is not part of the form."""
        if self.form is None:
            return ()
        shown = {(finding.keyword, finding.path) for finding in self.form.report}
        return tuple(one for one in self.findings if (one.keyword, one.path) not in shown)

    @property
    def shown_form(self) -> Form | None:
        """The form as the page shows it, if there is one: with the findings that are due."""
        form = self.form
        if form is None or self.submission is None:
            return form
        return form.in_progress if self.is_live and form.action is None else form.shown

    @property
    def shown_findings(self) -> tuple[Finding, ...]:
        """The findings that the page shows: of the form, those that are due."""
        if self.submission is None or self.shown_form is None:
            return self.findings
        late = {id(one) for one in self.submission.report}
        late -= {id(one) for one in self.shown_form.report}
        return tuple(one for one in self.findings if id(one) not in late)

    @property
    def verdict(self) -> str:
        """The state of the document, in a few words."""
        if self.refused.refusals:
            return text_of("verdict.unreadable")
        if self.refused.problem:
            return text_of("verdict.unchecked")
        if not self.findings:
            return text_of("verdict.fine")
        number = len(self.shown_findings)
        return text_of("verdict.problems", number=number) if number else text_of("verdict.later")

    @property
    def save_state(self) -> str:
        """The state of the file, in a few words."""
        if self.changed or not self.complete:
            return text_of("save.not-saved")
        if self.was_saved:
            return text_of("save.saved" if self.valid else "save.saved-anyway")
        return text_of("save.unchanged")


def diff_lines(before: str, after: str, name: str) -> tuple[DiffLine, ...]:
    """Return the changes of a text as lines to show, cut to a readable number."""
    patch = unified_diff(before, after, name.replace(os.sep, "/"))
    lines = patch.split("\n")[2:-1]  # without the names, which are no news
    shown = [
        DiffLine(_KINDS.get(line[:1], "same"), shorten(line.removesuffix("\r"), _MAX_LINE))
        for line in lines[:_MAX_LINES]
    ]
    if len(lines) > _MAX_LINES:
        more = text_of("difference.more", number=len(lines) - _MAX_LINES)
        shown.append(DiffLine("remark", more))
    return tuple(shown)

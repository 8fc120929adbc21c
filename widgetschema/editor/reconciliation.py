"""Merge what a page sends into one text: the edits in its form, and those in its JSON pane.

Form and pane are about the same document: the one that changed since they last agreed counts. If
both did, they are merged, and where they overlap, a person has to choose. A page does not carry the
text that it was made of, only its digest, so the last texts are kept in memory, never on disk. No
file is known here.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from widgetschema.editor.document import DocumentOpener, OpenedText
from widgetschema.errors import UnreadableDocument
from widgetschema.files import digest
from widgetschema.forms.control_names import control_name
from widgetschema.forms.newlines import normalize_newlines, restore_newlines
from widgetschema.jsontext.merging import merge
from widgetschema.jsontext.rewriting import rewrite
from widgetschema.jsontext.tree import parse

if TYPE_CHECKING:
    from widgetschema.forms import Submission


PREFIX: Final = "editor."  # of the names of our own controls
_MAX_OPENED: Final = 20  # forms that are kept ready

PageFields = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class PageControls:
    """The controls of the page itself, beside those of the form.

    `of`, `pane_of` and `version` are those of the `View` that was shown; `pane` is the text in
    the JSON pane, `do` the request of a button, `insist` a ticked box, `reviewed` the digest of the
    text whose changes were reviewed. `step` and `visit` are those of `EditHistory.record`.
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

    @classmethod
    def read(cls, fields: PageFields) -> PageControls:
        """Return the controls of the page among all that were posted."""

        def last(name: str) -> str | None:
            """Return the last value of a control."""
            values = fields.get(PREFIX + name)
            return values[-1] if values else None

        return cls(
            last("of") or "",
            last("pane-of") or "",
            last("version") or "",
            last("pane"),
            last("do") or "",
            last("insist") is not None,
            last("reviewed") or "",
            last("step") or "",
            last("visit") or "",
        )


class Reconciled(NamedTuple):
    """The result of one post: the text and its form, and the pane's text if it differs.

    `pane_of` is the digest of the text on which both last agreed. `refused` is the text of the
    pane, opened, if no form can be made of it; `is_conflict` is True if a person has to choose.
    """

    opened: OpenedText
    submission: Submission | None
    text: str
    pane: str
    pane_of: str
    refused: OpenedText | None = None
    is_conflict: bool = False


class Reconciler:
    """The texts that pages were made of, and their forms; not to be shared among threads."""

    def __init__(self, opener: DocumentOpener) -> None:
        self.opener = opener
        self.texts = TextCache()
        self._agreed_texts = TextCache()  # on which form and pane agreed
        self._opened: OrderedDict[str, OpenedText] = OrderedDict()

    def open(self, text: str) -> OpenedText:
        """Return a text with its form; the last ones are cached."""
        name = digest(text.encode())
        if name not in self._opened:
            self._opened[name] = self.opener.open(text)
            while len(self._opened) > _MAX_OPENED:
                self._opened.popitem(last=False)
        self._opened.move_to_end(name)
        return self._opened[name]

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
        opened = self.open(base)
        submission, text = None, base
        if opened.form is not None:
            posted = {name: [*fields[name]] for name in fields if not name.startswith(PREFIX)}
            submission = opened.form.submit(posted)
            text = submission.text
        if controls.pane is None or controls.do == "form":
            return self._agreed(opened, submission, text)
        pane = restore_newlines(controls.pane, text)
        if _text_digest(pane) == controls.pane_of or pane == text:
            return self._agreed(opened, submission, text)
        both = Reconciled(opened, submission, text, pane, controls.pane_of)
        if _text_digest(text) != controls.pane_of and controls.do != "pane":
            merged = self._merged_text(both)
            if merged is None:
                return both._replace(is_conflict=True)
            both = both._replace(pane=merged)
        return self._from_pane(both)

    def _merged_text(self, both: Reconciled) -> str | None:
        """Return the pane with what was edited in the form; None if edits overlap."""
        agreed = self._agreed_texts.get(both.pane_of)
        if agreed is None:
            return None
        try:
            base, mine, theirs = map(parse, (agreed, both.text, both.pane))
        except UnreadableDocument:
            return None
        merged = merge(base.root, mine.root, theirs.root)
        if merged.conflicts or merged.node is None:
            return None
        return rewrite(theirs, theirs.root, merged.node)

    def _from_pane(self, both: Reconciled) -> Reconciled:
        """Return the text of the pane as the document, if a form can be made of it."""
        opened = self.open(both.pane)
        if opened.form is None and both.opened.form is not None:
            return both._replace(refused=opened)
        return self._agreed(opened, _with_unreadable_input(opened, both.submission), both.pane)

    def _agreed(self, opened: OpenedText, submission: Submission | None, text: str) -> Reconciled:
        name = self._agreed_texts.keep(text, _text_digest(text))
        return Reconciled(opened, submission, text, text, name)


def _text_digest(text: str) -> str:
    """Return the digest of a text, whatever its line ends are: a browser changes them."""
    return digest(normalize_newlines(text).encode())


def _with_unreadable_input(opened: OpenedText, before: Submission | None) -> Submission | None:
    """Return the form of another text with the typed input that could not be read."""
    if opened.form is None or before is None or before.complete:
        return None
    posted = before.form.posted or {}
    names = [control_name(finding.path) for finding in before.report]
    submission = opened.form.submit({name: posted[name] for name in names if name in posted})
    # If it can be read now, it is no longer about the same: what is in the pane counts.
    return submission if submission.text == opened.text else None


_MAX_TEXTS: Final = 500  # texts …
_MAX_CHARACTERS: Final = 64 * 1024 * 1024  # … or fewer, if they are long


class TextCache:
    """The texts that were used last; the oldest are forgotten."""

    def __init__(self, most: int = _MAX_TEXTS, most_characters: int = _MAX_CHARACTERS) -> None:
        self._most = most
        self._most_characters = most_characters
        self._texts: OrderedDict[str, str] = OrderedDict()
        self._characters = 0

    def keep(self, text: str, name: str | None = None) -> str:
        """Remember a text; return its name, by default its digest."""
        name = digest(text.encode()) if name is None else name
        if name not in self._texts:
            self._texts[name] = text
            self._characters += len(text)
        self._texts.move_to_end(name)
        while len(self._texts) > 1 and self._is_full:
            _, forgotten = self._texts.popitem(last=False)
            self._characters -= len(forgotten)
        return name

    def get(self, name: str) -> str | None:
        """Return the text of a name; None if it was forgotten or never known."""
        if name in self._texts:
            self._texts.move_to_end(name)
        return self._texts.get(name)

    @property
    def _is_full(self) -> bool:
        return len(self._texts) > self._most or self._characters > self._most_characters

"""`FormState`: a form as it is shown, with what was posted, its findings and its words.

`html` renders it; `form` makes one, and adds what comes of it when it is submitted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final, Self

from widgetschema.cached import cached_property
from widgetschema.findings import Finding, Report
from widgetschema.forms import digests
from widgetschema.forms.advice import Adviser, Button
from widgetschema.forms.checking import plain_numbers
from widgetschema.forms.control_names import CHECK, DUE, ROOT, Action
from widgetschema.forms.fields.builder import FormSource
from widgetschema.forms.fields.ui_files import UiFile
from widgetschema.forms.model import ID, Field, FormFinding, PostedControls, only_findings
from widgetschema.forms.secrecy import key_name, without_placeholders
from widgetschema.forms.submit.stale_controls import control_kinds
from widgetschema.forms.texts import text
from widgetschema.jsontext import dump
from widgetschema.jsontext.digests import short_digest, value_digest
from widgetschema.jsontext.merging import ConcurrentEdit
from widgetschema.jsontext.tree import Tree, parse
from widgetschema.languages import Language, speaking
from widgetschema.version import __version__

_FLAGS: Final = {
    flags: "".join("01"[flag] for flag in flags) for flags in product((False, True), repeat=4)
}


@dataclass(frozen=True, eq=False, repr=False)
class FormState:
    """A form as it is shown. It never changes: `Form` says what its attributes are."""

    source: FormSource
    root: Field
    data: Any
    report: Report
    posted: PostedControls | None = None
    action: Action | None = None
    ui: Mapping[str, Any] | None = None
    id: str = ID
    prefix: str = ""
    conflicts: tuple[ConcurrentEdit, ...] = ()

    @property
    def text(self) -> str:
        """The whole JSON text that the form was made of."""
        return self.source.text

    @property
    def tree(self) -> Tree:
        """The parsed text, with a placeholder for each secret."""
        return self.source.tree

    @property
    def at(self) -> str:
        """The JSON Pointer of the data in the text."""
        return self.source.at

    @property
    def title(self) -> str:
        """The title of its page: that of the data (schema, UI description), or else of its type."""
        label = self.root.label
        with speaking(self.language):
            is_general = label == text("label.data")
        return (self.source.specs.title if is_general else "") or label

    @property
    def shown(self) -> Self:
        """The form as a page shows it: with all findings after Check or Save, else those due.

        As long as nothing is posted, a new document lacks nothing. Its `report` says what is
        missing nevertheless.
        """
        if self.posted is not None:
            is_checked = self.action is None or self.action.verb == CHECK
            return self if is_checked else self.in_progress
        if self.report.valid or self.data != self.source.specs.new_data():
            return self
        root = self.source.build(None, plain_numbers(self.data))
        return replace(self, root=root, report=self.source.checks.report(()))

    @cached_property
    def in_progress(self) -> Self:
        """The form while a person edits it, with the findings that are due.

        They are those of fields whose findings the page showed before, or that were left since they
        were edited (`due#`), and those that concern the page as a whole.
        """
        names = (self.posted or {}).get(DUE)
        if names is None or self.report.valid or self.conflicts:
            return self
        due = {*names[0].split()}
        root = only_findings(self.root, lambda field: field.former or field.name in due)
        shown = {id(finding) for field in root.walk() for finding in field.findings}
        shown |= {
            id(finding)
            for finding in self.unplaced_findings
            if ROOT in due or isinstance(finding, FormFinding)
        }
        findings = tuple(finding for finding in self.report if id(finding) in shown)
        return replace(self, root=root, report=self.source.checks.report(findings))

    @property
    def due(self) -> str:
        """The value of the control `due#`: the names of the fields that show findings."""
        if self.report.valid:
            return ""
        names = [field.name for field in self.root.walk() if field.findings]
        return " ".join([ROOT, *names] if self.unplaced_findings else names)

    @property
    def refused_defaults(self) -> tuple[str, ...]:
        """The paths of fields whose `default` is not used, since their own schema refuses it."""
        return tuple(
            field.path
            for field in self.root.walk()
            if field.path is not None and field.shape.default is None
            if any(field.shape.node.said("default"))
        )

    @cached_property
    def sections(self) -> tuple[Field, ...]:
        """The properties of the data that are objects, such as content, settings, styles."""
        if self.root.kind != "object":
            return ()
        return tuple(field for field in self.root.children if field.kind == "object")

    @cached_property
    def ui_notes(self) -> tuple[Finding, ...]:
        """Notes on the UI description: patterns that may match nothing, texts not translated."""
        notes = self.source.specs.notes
        if not notes or not isinstance(self.ui, UiFile):
            return notes
        return self.ui.report(Report(notes)).findings

    @cached_property
    def unplaced_findings(self) -> tuple[Finding, ...]:
        """The findings that belong to no field."""
        placed = {id(finding) for field in self.root.walk() for finding in field.findings}
        return tuple(finding for finding in self.report if id(finding) not in placed)

    def sentence(self, finding: Finding) -> str:
        """Return a finding of the form in a sentence for people who edit content.

        It says what to do, in the words of the form, without a full stop. The `message` and the
        `hint` of the finding are for developers.

        Args:
            finding: A finding of the form's report.

        Returns:
            The sentence, such as "Enter a number, for example 3".
        """
        return self.words.sentence(finding)

    def button(self, finding: Finding) -> Button | None:
        """Return the button that does what the hint of a finding says; None if there is none."""
        return self.words.button(finding)

    def label(self, field: Field) -> str:
        """Return the label of the value that a field shows: not that of an alternative."""
        return self.words.label(field)

    @cached_property
    def words(self) -> Adviser:
        """The words in which people who edit content read findings and values."""
        return Adviser(self.root, self.source.checks.examples, self.language)

    @property
    def language(self) -> Language:
        """The language of the form's texts."""
        return self.source.specs.language

    @cached_property
    def base(self) -> str:
        """The value of the control `base#`: digests of the controls, of the data, of the text.

        The first is the same for schemas and UI descriptions that differ only in what they say to
        people, the second for texts with the same value. If there are secrets, it ends with a
        digest of their placeholders, which says nothing to anybody without the key.
        """
        public = self._text_by_any_key
        root = self.tree.root if public is self.tree.text else parse(public).root
        parts = (self._controls_digest, value_digest(root), self._text_digest)
        return "-".join((*parts, *self._secrets_digest))

    @property
    def data_text(self) -> str:
        """The value of the control `text#`: the JSON text of the data that the form was made of."""
        source = self.source
        if source.public_text is source.tree.text:
            return source.element.raw
        after = len(source.tree.text) - source.element.end
        return source.public_text[source.element.start : len(source.public_text) - after]

    @property
    def has_uploads(self) -> bool:
        """True if the form may have fields for files: its <form> needs `enctype`."""
        return self.source.specs.has_uploads

    @cached_property
    def _controls_digest(self) -> str:
        # Another version may make other controls of the same schema.
        schema = self.source.checks.schema_digest
        return short_digest((__version__, schema, digests.ui_kinds(self.ui), self.at))

    @cached_property
    def _text_digest(self) -> str:
        return short_digest([self._text_by_any_key])

    @cached_property
    def _text_by_any_key(self) -> str:
        """The text of the page, as processes with other keys know it."""
        return without_placeholders(self.source.public_text)

    @cached_property
    def _secrets_digest(self) -> tuple[str, ...]:
        """The name of the key, and a digest of the text with placeholders; () without these."""
        public = self.source.public_text
        return () if self._text_by_any_key is public else (key_name(), short_digest([public]))

    @cached_property
    def signature(self) -> str:
        """The value of the control `shape#`: it differs for forms with different controls.

        It says what they are made for, for a form of another schema that gets them.
        """
        parts: list[str] = []
        for shown in self.root.walk():
            state = shown.opened, shown.has_key, shown.is_concealed, shown.read_only
            flags = _FLAGS[state]
            parts += (shown.name, shown.kind, flags, shown.note, *shown.states)
            parts += [f"{choice.id} {choice.value}" for choice in shown.choices]
            parts.append("")
        digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
        return digest + dump(control_kinds(self.root), indent=False)

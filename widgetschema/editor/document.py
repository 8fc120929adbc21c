"""Find the document in a text, its widget type and its form; or the reason why there is none.

The same code decides as in `validate`. No file is read, and nothing is remembered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from widgetschema.catalog.widget_type import WidgetType
from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Finding
from widgetschema.forms.checking import plain_numbers, unreadable
from widgetschema.jsontext import preview
from widgetschema.jsontext.tree import parse
from widgetschema.languages import current_language
from widgetschema.project.checking.checker import SCHEMA_MEMBER, Checker
from widgetschema.project.checking.documents import Document, documents_in
from widgetschema.project.checking.locations import UnlocatedResult
from widgetschema.text import plural

if TYPE_CHECKING:
    from widgetschema.forms import Form, Submission
    from widgetschema.jsontext.tree import Tree

_DATA = "/data"
_REASONS = {4: "schema", 5: "network"}  # by exit code


@dataclass(frozen=True, eq=False)
class OpenedText:
    """A text, and what can be done with it.

    `form` is None if the text is not JSON: then `refusals` have the findings; or if there is no
    form for it: then `problem` says so to developers, `reason` names the text about it for people
    who edit content (`no-form.` in `editor.texts`), and `code` is the exit code. `part` is the
    document in the text, or bare data.
    """

    text: str
    form: Form | None = None
    part: Document | None = None
    widget_type: WidgetType | None = None
    refusals: tuple[Finding, ...] = ()
    problem: str = ""
    reason: str = ""
    code: int = 0

    @property
    def schema(self) -> str:
        """The digest of the schema that the form is made of; empty if there is none."""
        return "" if self.widget_type is None else self.widget_type.linked_digest

    @property
    def type_id(self) -> str:
        """The id of the widget type; empty if it is not known."""
        return "" if self.widget_type is None else self.widget_type.id


class _NoDocument(Exception):
    """The text has no such document; the message says so."""


class DocumentOpener:
    """Finds the edited document in the texts of one file.

    `at` is the JSON Pointer of a document, or of data; None for the only one. `ui` is a UI
    description.
    """

    def __init__(
        self,
        checker: Checker,
        file: str,
        *,
        at: str | None = None,
        ui: Mapping[str, Any] | None = None,
    ) -> None:
        self._checker = checker
        self._file = file
        self._at = at
        self._ui = ui

    def refresh(self) -> None:
        """Look up schemas again when they are needed next."""
        self._checker.forget_types()

    def is_current(self, opened: OpenedText) -> bool:
        """Return True if a text would be opened with the same schema now."""
        if opened.widget_type is None:
            return not opened.problem
        return self.has_schema(opened.type_id, opened.schema)

    def has_schema(self, type_id: str, schema: str) -> bool:
        """Return True if a type still has the schema with this digest."""
        found = self._checker.widget_type(type_id)
        return isinstance(found, WidgetType) and found.linked_digest == schema

    def open(self, text: str) -> OpenedText:
        """Return what a text is about. Raise `InvalidFormDescription`."""
        try:
            tree = parse(text, self._checker.limits, "the JSON text")
        except UnreadableDocument as error:
            return OpenedText(text, refusals=error.report.findings)
        try:
            part = self._part(tree)
        except _NoDocument as error:
            return OpenedText(text, problem=str(error), reason="document", code=2)
        widget_type = self._checker.type_of(self._file, part)
        if not isinstance(widget_type, WidgetType):
            message, code = widget_type.message, widget_type.code
            reason = _REASONS.get(code, "type")
            return OpenedText(text, part=part, problem=message, reason=reason, code=code)
        at = part.pointer + _DATA if part.kind == "document" else part.pointer
        if tree.at(at) is None:
            message = 'the property "data" is missing: there is nothing to make a form of'
            return OpenedText(text, None, part, widget_type, (), message, "data", 1)
        form = widget_type.form_json(text, at=at, ui=self._ui, lang=current_language())
        return OpenedText(text, form, part, widget_type)

    def findings(self, opened: OpenedText, submission: Submission | None) -> tuple[Finding, ...]:
        """Return all findings about the document: about the form's data, and what is around it.

        They are those of `validate` for a file, and the controls of the form that cannot be read.
        """
        if opened.part is None or opened.form is None:
            return opened.refusals
        report = opened.form.report if submission is None else submission.report
        part = opened.part
        if part.kind == "data":
            editors = f"{part.pointer}/{SCHEMA_MEMBER}"  # `validate` passes over it, too
            unknown = ("additionalProperties", editors)
            return tuple(one for one in report if (one.keyword, one.path) != unknown)
        text, value = opened.text, part.value
        if submission is not None and submission.changed:
            text, value = submission.text, {**value, "data": submission.data}
        result = self._checker.check_document(self._file, part._replace(value=plain_numbers(value)))
        assert isinstance(result, UnlocatedResult)  # the type is known
        about = [replace(found, path=part.pointer + found.path) for found in result.findings]
        known = {(finding.keyword, finding.path) for finding in report}
        every = (*unreadable(text, part.pointer, self._checker.limits), *about)
        return (*report, *(one for one in every if (one.keyword, one.path) not in known))

    def _part(self, tree: Tree) -> Document:
        """Return the document that is edited. Raise `_NoDocument`."""
        value = tree.root.value
        found = self._checker.documents(self._file, value)
        at = self._at
        if at is None:
            if len(found) == 1 and not found[0].pointer:
                return found[0]
            if not found:
                raise _NoDocument("there is no document in this list")
            raise _NoDocument(
                f"this holds {plural(len(found), 'document')}: say which one is to be edited, with "
                f"--at {found[0].pointer} for the first"
            )
        for part in found:
            whole = part.pointer + _DATA if part.kind == "document" else part.pointer
            if at in (part.pointer, whole):
                return part
        element = tree.at(at)
        if element is None:
            raise _NoDocument(f"there is nothing at {preview(at, 80)} in this document")
        inner = documents_in(element.value, self._checker.kind)
        if len(inner) == 1 and not inner[0].pointer:
            return inner[0]._replace(pointer=at)
        raise _NoDocument(f"there is no single document at {preview(at, 80)}")

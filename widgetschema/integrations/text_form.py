"""A form that shows a stored text itself, with its findings, if the data cannot have a form.

It is a form of a JSON string: it works without JavaScript, has live checks, and notices that
somebody else has changed the text.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from widgetschema.catalog.widget_type import WidgetType
from widgetschema.errors import FormError, StaleForm, UnreadableDocument
from widgetschema.findings import Finding, Report
from widgetschema.forms.form import Form, OnStale, Submission
from widgetschema.forms.model import FormFinding, Message
from widgetschema.forms.posted_controls import PostedFields
from widgetschema.integrations.texts import text
from widgetschema.jsontext import dump
from widgetschema.languages import ENGLISH, Language, speaking
from widgetschema.pointers import display_pointer

_SCHEMA: Final = {"type": "string"}


@dataclass(frozen=True)
class TextForm:
    """A form for the JSON text of widget data, as it is stored.

    Args:
        widget_type: The type of the widget data.
        at: The JSON Pointer of the data in the text.
        text: The text.
        unreadable: The findings about bytes that are not text. The form shows replacement
            characters for them, so it cannot be saved.
        language: The language of the form's texts.
    """

    widget_type: WidgetType
    at: str
    text: str
    unreadable: tuple[Finding, ...]
    language: Language = ENGLISH

    @property
    def form(self) -> Form:
        """The form, with the findings about the stored text."""
        return self._checked(self._form)

    def submit(self, fields: PostedFields, on_stale: OnStale = "refuse") -> Submission:
        """Return the submission, as `Form.submit` does: its `data` is the new text."""
        try:
            submission = self._form.submit(fields, on_stale)
        except StaleForm as error:
            raise StaleForm(self._checked(error.form), error.fields) from None
        return replace(submission, form=self._checked(submission.form))

    @property
    def _form(self) -> Form:
        with speaking(self.language):
            words = {"label": text("text.label"), "help": text("text.help")}
        ui = {"": {"kind": "css", **words}}  # a text area for code
        return _string_type().form_json(dump(self.text), ui=ui, lang=self.language)

    def _checked(self, form: Form) -> Form:
        """Return a form with the findings about the text in it."""
        found = self.unreadable or findings_of(self.widget_type, form.data, self.at, self.language)
        shown = tuple(map(_at_the_text, found))
        stale = tuple(one for one in form.report if one.keyword == "stale")
        root = form.root._replace(findings=shown)
        return replace(form, root=root, report=Report((*stale, *shown), self.widget_type.id))


def text_form(
    widget_type: WidgetType, raw: str | bytes, at: str, language: Language = ENGLISH
) -> TextForm:
    """Return the form of a stored text, with replacement characters for bytes that are not text."""
    coded = raw.encode(errors="surrogatepass") if isinstance(raw, str) else raw
    shown = coded.decode(errors="replace")
    is_exact = shown.encode() == coded
    unreadable = () if is_exact else findings_of(widget_type, raw, at, language)
    return TextForm(widget_type, at, shown, unreadable, language)


def findings_of(
    widget_type: WidgetType, raw: str | bytes, at: str, language: Language = ENGLISH
) -> tuple[Finding, ...]:
    """Return the findings about the data at `at` in a JSON text, with lines and columns."""
    try:
        form = widget_type.form_json(raw, at=at, lang=language)
        labels = {id(one): f"{field.label}: " for field in form for one in field.findings}
        return tuple(
            FormFinding.of(one, labels.get(id(one), "") + form.sentence(one)) for one in form.report
        )
    except UnreadableDocument as error:
        return error.report.findings
    except FormError as error:  # there is nothing at `at`
        said = Message("required.no-data")
        return (FormFinding("required", "", "", str(error), said=said),)


def _at_the_text(finding: Finding) -> FormFinding:
    """Return a finding about a place in a text as one about the text."""
    said = finding.said if isinstance(finding, FormFinding) else None
    moved = replace(finding, path="", indices=(), message=_placed(finding))
    if said is None and finding.line is not None and finding.keyword == "json.syntax":
        said = Message("json.syntax.line", {"line": finding.line})
    return FormFinding.of(moved, said)


def _placed(finding: Finding) -> str:
    """Return the message of a finding with its place, which no field of the form shows."""
    places = [] if finding.line is None else [f"line {finding.line}, column {finding.column}"]
    if finding.path and not finding.keyword.startswith("json."):
        places.append(display_pointer(finding.path))
    return f"{', '.join(places)}: {finding.message}" if places else finding.message


@cache
def _string_type() -> WidgetType:
    return WidgetType.from_data_schema(_SCHEMA, id="json-text")

"""Forms for tests: fields of a schema and data, and what a browser would send back for them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from widgetschema import Validator
from widgetschema.findings import Finding
from widgetschema.forms import FormFactory
from widgetschema.forms import control_names as names
from widgetschema.forms.checking import SchemaChecks
from widgetschema.forms.fields.builder import FormSource
from widgetschema.forms.fields.field_specs import FieldSpecs
from widgetschema.forms.model import CHOICE_KINDS, CONTAINER_KINDS, Field, PostedControls
from widgetschema.jsontext.tree import Tree, parse


class Builder:
    """The fields of data of one schema."""

    def __init__(self, schema: Any, ui: Mapping[str, Any] | None = None) -> None:
        self.validator = Validator(schema)
        self.shapes: FieldSpecs = FormFactory(self.validator).specs(ui)
        self.checks = SchemaChecks(self.validator)

    def build(
        self,
        data: Any,
        posted: PostedControls | None = None,
        *,
        result: Any = ...,
        findings: Sequence[Finding] = (),
        at: str = "",
    ) -> Field:
        """The fields of a value, or of a JSON text; `result` is what would come back."""
        source = self.source(data, at)
        value = source.element.value if result is ... else result
        return source.build(posted, value, findings)

    def source(self, data: Any, at: str = "") -> FormSource:
        """The material of a form of a value, or of a JSON text."""
        tree = data if isinstance(data, Tree) else parse(json.dumps(data))
        return FormSource.of(self.shapes, tree, at)


def built(schema: Any, data: Any, ui: Mapping[str, Any] | None = None) -> Field:
    """The fields of a value."""
    return Builder(schema, ui).build(data)


def at(root: Field, name: str) -> Field:
    """The one field whose control has this name."""
    [field] = [field for field in root.walk() if field.name == name]
    return field


def sketch(root: Field) -> list[str]:
    """The fields in short: name, kind, what is shown, in the order of the page."""
    return [
        " ".join(filter(None, (field.name, field.kind, "" if field.opened else "closed")))
        for field in root.walk()
    ]


def sent(root: Field) -> PostedControls:
    """Return what a browser sends back for all controls of a form as they are shown."""
    found: PostedControls = {}
    for field in root.walk():
        if field.states:
            found[names.companion_name(names.STATE, field.name)] = [field.shown.state]
        if field.has_key:
            found[names.companion_name(names.KEY, field.name)] = [crlf(field.shown.key)]
        if not field.opened:
            continue
        if field.kind in CHOICE_KINDS:
            _send_choice(field, found)
        elif field.kind in CONTAINER_KINDS:
            if field.shown.rows or field.kind == "list" or field.shape.open:
                found[names.companion_name(names.ORDER, field.name)] = [",".join(field.shown.rows)]
            if field.original is None:
                found[names.companion_name(names.OPEN, field.name)] = ["1"]
        elif field.kind == "alternatives":
            found[names.companion_name(names.KIND, field.name)] = [str(field.shown.chosen)]
        else:
            found[field.name] = [crlf(field.shown.text)]
    return found


def _send_choice(field: Field, found: PostedControls) -> None:
    ids = [choice.id for choice in field.choices]
    if field.kind == "boolean" and {*ids} == {"true", "false"} and field.shown.text in ids:
        found[names.companion_name(names.PRESENT, field.name)] = ["1"]
        if field.shown.text == "true":
            found[field.name] = ["true"]
    elif field.shown.text in ids and (field.kind != "constant" or len(ids) > 1):
        found[field.name] = [field.shown.text]


def crlf(text: str) -> str:
    """A text as browsers send it."""
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\r\n")

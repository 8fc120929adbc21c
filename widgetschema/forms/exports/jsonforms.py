"""Export a form to JSON Forms 3: schema and uischema, with a control for each leaf.

What the library does was measured in a browser, with its vanilla renderers
(`tests/browser/test_exports.py`). The layouts that it generates leave out what is in nested
objects, so every leaf is named. Where one of its controls would not show the value, change
another one, or crash the page, the export has none: the value stays, and the loss is reported.

The library follows references, and searches `oneOf`, `allOf`, `anyOf`, `then` and `else`, in this
order, for the first schema that knows a member; it ignores `dependencies`, which the export has
as conditions, and `patternProperties`. The type that it finds there decides about the control.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from widgetschema.forms.checking import plain_numbers
from widgetschema.forms.exports.export import Export, Loss, Losses, secret_losses
from widgetschema.forms.exports.javascript import (
    INHERITED,
    inherited_member_loss,
    javascript_losses,
)
from widgetschema.forms.exports.outline import (
    IS_CUT,
    MISMATCH,
    NOT_PLAIN,
    Outline,
    editing_losses,
    left_out,
    outline_form,
)
from widgetschema.forms.exports.portable_schema import (
    make_portable,
    with_changed_parts,
)
from widgetschema.forms.fields.builder import FormSource
from widgetschema.forms.fields.layout import GroupedItems, arrange
from widgetschema.forms.fields.placeholders import placeholders_in
from widgetschema.forms.model import CHOICE_KINDS, HOLDER_KINDS, NUMBER_KINDS, TEXT_KINDS
from widgetschema.jsontext import dump
from widgetschema.pointers import escape_token, format_pointer, parse_pointer

# Controls for these cut a text, or move it to UTC. Said in `allOf`, a format only is checked.
_PICKER_FORMATS: Final = frozenset({"date", "date-time", "time"})
_LONG: Final = ("long-text", "css", "markdown")
# Paths in the data are texts with dots, taken apart by lodash.
_PATH_CHARACTERS: Final = re.compile(r'[.\[\]"\']')
_AVOIDED: Final = frozenset({"", "__proto__", "constructor", "prototype"})
_LAYOUT: Final = "VerticalLayout"


def to_jsonforms(source: FormSource, label: str) -> Export:
    """Return the form for JSON Forms, with what it cannot represent."""
    secrets, source = placeholders_in(source.tree.root), source.with_secrets()
    element = source.element
    carried = make_portable(source.checks.validator.linked)
    schema = with_conditions(without_pickers(carried.schema))
    outline = outline_form(source, label)
    writing = _JsonFormsWriter(SchemaLookup(schema), outline)
    elements = writing.elements(outline, "#", schema)
    return Export(
        target="jsonforms",
        schema=schema,
        ui_schema={"type": _LAYOUT, "elements": elements},
        data=plain_numbers(element.value),
        losses=(
            *javascript_losses(element, source.at),
            *writing.losses(),
            *carried.unchecked,
            *secret_losses(path for path, _ in secrets),
        ),
    )


def without_pickers(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema with date and time formats in `allOf`, where no control sees them."""
    changed = with_changed_parts(schema, without_pickers)
    if changed.get("format") in _PICKER_FORMATS:
        format = {"format": changed.pop("format")}
        changed["allOf"] = [*changed.get("allOf", ()), format]
    return changed


def with_conditions(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema with those in `dependencies` as conditions, which the library finds."""
    changed = with_changed_parts(schema, with_conditions)
    dependencies = changed.get("dependencies", {})
    asked = {name: part for name, part in dependencies.items() if type(part) is not list}
    if asked:
        rest = {name: part for name, part in dependencies.items() if name not in asked}
        conditions = [
            {"if": {"type": "object", "required": [name]}, "then": part}
            for name, part in asked.items()
        ]
        changed |= {"dependencies": rest, "allOf": [*changed.get("allOf", ()), *conditions]}
    return changed


class _JsonFormsWriter(Losses):
    """One run of `to_jsonforms`: the controls, and what they cannot do."""

    def __init__(self, schemas: SchemaLookup, root: Outline) -> None:
        super().__init__()
        self.schemas = schemas
        self.at = root.path
        self.base = parse_pointer(root.path)  # what rules are about: the data, or an item
        self.defaults = {
            one.path: one.spec.shape.default
            for one in root.walk()
            if one.spec.shape.default is not None
        }
        self.kinds: set[str] = set()

    def losses(self) -> Iterator[Loss]:
        """Yield the recorded losses."""
        yield from self.found
        if "text" in self.kinds:
            yield Loss("editing", "", 'a text that is cleared is removed: "" cannot be typed')
        if "boolean" in self.kinds:
            yield Loss("editing", "", "a boolean that has been set cannot be removed again")

    def ruled(self, one: Outline, found: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return elements with the rule that shows them where a condition holds."""
        schemas = [*self.dependence(one), *(self.wanted(one) if one.ui.when else ())]
        if not schemas:
            return found
        schema = _all_of(schemas)
        rule = {"effect": "SHOW", "condition": {"scope": "#", "schema": schema}}
        if len(found) > 1 or "rule" in found[0]:
            return [{"type": _LAYOUT, "elements": found, "rule": rule}]
        return [{**found[0], "rule": rule}]

    def elements(self, one: Outline, scope: str, schema: Any) -> list[dict[str, Any]]:
        """Return the elements for a place: none if the library has no control for it."""
        self.lose_all(left_out(one, "placeholder", "when", "groups", "tabs"))
        if one.choice is not None:
            if one.kind == "object":  # its alternatives only demand
                return self.members(one, scope, schema)
            return self.chosen(one, scope, schema)
        why = self.why_not(one, schema)
        if why:
            self.lose(one.path, why)
            return []
        if one.kind == "object":
            return self.members(one, scope, schema)
        return [self.control(one, scope, schema)]

    def chosen(self, one: Outline, scope: str, schema: Any) -> list[dict[str, Any]]:
        """Return the controls of the alternative that the data belongs to."""
        assert one.choice is not None, "who has branches has a choice"
        self.lose(one.path, "another alternative cannot be chosen", "editing")
        keyword = one.choice.keyword
        parts = self.schemas.branches(schema, keyword)
        fitting = [
            at
            for at, (branch, part) in enumerate(zip(one.branches, parts, strict=False))
            if len(branch.values) == len(one.values) and not self.why_not(branch, part)
        ]
        if not fitting:
            self.lose(one.path, "there is no control for any of the alternatives")
            return []
        at = fitting[0]
        # With a slash behind, what is left of the path is that of the value.
        inner = f"{scope}/{keyword}/{at}"
        branch = one.branches[at]
        if branch.kind == "list" and scope == "#":
            self.lose(one.path, "there is no control for a list as an alternative for the whole")
            return []
        if branch.kind == "object" or branch.choice is not None:
            return self.elements(branch, inner, parts[at])
        found = self.elements(branch, f"{inner}/", parts[at])
        return [{**element, "label": one.label} for element in found]

    def members(self, one: Outline, scope: str, schema: Any) -> list[dict[str, Any]]:
        """Return the controls of all members of an object."""
        found: dict[str, list[dict[str, Any]]] = {}
        for name, member in one.members:
            if name in INHERITED:
                self.lose_all([inherited_member_loss(member.path)])
            is_container = member.kind in HOLDER_KINDS
            if not _has_usable_path(name, is_container):
                self.lose(member.path, "paths of JSON Forms cannot contain its name")
                continue
            inner = f"{scope}/properties/{escape_token(name)}"
            elements = self.elements(member, inner, self.schemas.member(schema, name))
            if member.kind == "object" and elements:
                elements = [{"type": "Group", "label": member.label, "elements": elements}]
            if elements:
                found[name] = self.ruled(member, elements)
        for other in one.undescribed:
            self.lose(other.path, "there is no control for a property that the schema lacks")
        if one.spec.shape.open:
            self.lose(one.path, "properties cannot be added", "editing")
        return _arranged(one, found)

    def dependence(self, one: Outline) -> list[dict[str, Any]]:
        """Return the schema of the data with which there is a member, if it depends on that."""
        if not one.rules:
            return []
        if one.varies:
            self.lose(one.path, "it has the same control under all conditions")
        if any("$ref" in dump(rule.schema) for rules in one.rules for rule in rules):
            self.lose(one.path, "the condition of the schema is left out: it is always shown")
            return []
        groups = [
            _all_of([rule.schema if rule.holds else {"not": rule.schema} for rule in rules])
            for rules in one.rules
        ]
        schema = groups[0] if len(groups) == 1 else {"anyOf": groups}
        is_needed = not any(all(rule.without for rule in rules) for rules in one.rules)
        for token in reversed(parse_pointer(one.path)[len(self.base) : -1]):
            needs = {"type": "object", "required": [token]} if is_needed else {}
            schema = {**needs, "properties": {token: schema}}
        return [schema]

    def wanted(self, one: Outline) -> list[dict[str, Any]]:
        """Return the schemas of the data with which a UI description shows a place.

        None if they are elsewhere: rules in a list are about an item of it.
        """
        self.lose(one.path, "a problem does not show it where its condition hides it", "layout")
        holder = parse_pointer(one.path)[:-1]
        schemas = []
        for condition in one.ui.when:
            tokens = condition.reference.resolve(holder[len(parse_pointer(self.at)) :])
            whole = [*parse_pointer(self.at), *(tokens or ())]
            begin, inner = whole[: len(self.base)], whole[len(self.base) :]
            if tokens is None or begin != self.base or not inner:
                message = f"the condition on {condition.text} is left out: it is always shown"
                self.lose(one.path, message, "layout")
                return []
            default = self.defaults.get(format_pointer(whole))
            absent = None if default is None else json.loads(default)
            schema = condition.schema
            is_needed = not condition.holds(absent)
            for token in reversed(inner):
                needs = {"type": "object", "required": [token]} if is_needed else {}
                schema = {**needs, "properties": {token: schema}}
            schemas.append(schema)
        return schemas

    def control(self, one: Outline, scope: str, schema: Any) -> dict[str, Any]:
        """Return the control for a place."""
        control: dict[str, Any] = {"type": "Control", "scope": scope, "label": one.label}
        options: dict[str, Any] = {}
        if one.kind in TEXT_KINDS:
            self.kinds.add("text")
            if one.kind in _LONG:
                options["multi"] = True
        elif one.kind in NUMBER_KINDS or one.kind == "boolean":
            self.kinds.add(one.kind)
        elif one.kind == "enum" and not all(type(v) is str for v in one.node.values or ()):
            self.lose(one.path, "a number that is chosen becomes a text", "editing")
        elif one.kind == "list" and one.rows is not None:
            around, self.base = self.base, parse_pointer(one.rows.path)
            detail = self.elements(one.rows, "#", self.schemas.items(schema))
            self.base = around
            if one.rows.kind in ("object", "list", "alternatives"):
                options["detail"] = {"type": _LAYOUT, "elements": detail}
        self.lose_all(editing_losses(one))
        if one.ui.placeholder:
            options["placeholder"] = one.ui.placeholder
        if one.spec.shape.read_only:
            options["readonly"] = True
        if options:
            control["options"] = options
        return control

    def why_not(self, one: Outline, schema: Any) -> str:
        """Return why there is no control for a place; empty if there is one."""
        if one.kind == "json":
            return "there is no control for JSON of any kind"
        if one.is_cut:
            return IS_CUT
        if one.kind == "constant" and not one.node.values:
            return "there is no control for null"
        if one.kind == "list" and (one.rows is None or not one.rows.node.kinds):
            return "there is no control for a list that must be empty"
        if one.kind == "tuple":
            return "there is no control for items that are described one by one"
        if one.choice is not None:
            return ""
        if one.kind == "alternatives":
            return "there is no control for a value of several types"
        if next(one.mismatches(), None) is not None:
            return MISMATCH
        if one.kind in CHOICE_KINDS and not one.is_plain:
            return NOT_PLAIN
        if one.kind not in self.schemas.kinds(schema, one):
            return "JSON Forms cannot tell which type it has"
        return ""


def _all_of(schemas: list[Any]) -> Any:
    """Return the schema that asks for all of these."""
    return schemas[0] if len(schemas) == 1 else {"allOf": schemas}


def _arranged(one: Outline, found: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Return the elements of members in the groups and tabs of the UI description."""

    def elements(
        parts: Sequence[list[dict[str, Any]] | GroupedItems[list[dict[str, Any]]]],
    ) -> list[dict[str, Any]]:
        made: list[dict[str, Any]] = []
        for part in parts:
            if isinstance(part, GroupedItems):
                inner = [element for one in part.items for element in one]
                made.append({"type": "Group", "label": part.group.label, "elements": inner})
            else:
                made += part
        return made

    arrangement = arrange(one.ui, found)
    tabs = [
        {"type": "Category", "label": tab.label, "elements": elements(tab.parts)}
        for tab in arrangement.tabs
    ]
    above = elements(arrangement.parts)
    return [*above, {"type": "Categorization", "elements": tabs}] if tabs else above


def _has_usable_path(name: str, is_container: bool) -> bool:
    """Return True if JSON Forms finds the member of this name, and no other."""
    if name in _AVOIDED or name == "#" or _PATH_CHARACTERS.search(name) or name.count("~") > 1:
        return False
    if name.isdecimal():  # what is set below nothing would become an array
        return False
    # These are taken out of a scope, as if they were keywords.
    return not (is_container and name.endswith(("then", "else", "anyOf", "allOf", "oneOf")))


_SEARCHED: Final = ("oneOf", "allOf", "anyOf")
_KINDS_OF_TYPE: Final = {
    "string": TEXT_KINDS,
    "number": ("number", "integer"),
    "integer": ("integer",),
}


class SchemaLookup:
    """The schemas that JSON Forms finds for members and items of one schema."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self.definitions = schema.get("definitions", {})

    def resolved(self, schema: Any) -> dict[str, Any]:
        """Return a schema with references followed."""
        while type(schema) is dict and "$ref" in schema:
            schema = self.definitions[schema["$ref"].removeprefix("#/definitions/")]
        return schema if type(schema) is dict else {}

    def member(self, schema: Any, name: str) -> Any:
        """Return the schema of a member; None if it is not found."""
        todo, seen = [schema], set()
        while todo:
            one = self.resolved(todo.pop())
            if id(one) in seen:
                continue
            seen.add(id(one))
            if name in one.get("properties", ()):
                return one["properties"][name]
            parts = [part for keyword in _SEARCHED for part in one.get(keyword, ())]
            parts += [one[keyword] for keyword in ("then", "else") if keyword in one]
            todo.extend(reversed(parts))
        return None

    def items(self, schema: Any) -> Any:
        """Return the schema of the items of a list."""
        return self.resolved(schema).get("items")

    def branches(self, schema: Any, keyword: str) -> list[Any]:
        """Return the alternatives."""
        parts: list[Any] = self.resolved(schema).get(keyword, [])
        return parts

    def kinds(self, schema: Any, one: Outline) -> tuple[str, ...]:
        """Return the kinds that the library has a control for here."""
        if schema is None:
            return ()
        schema = self.resolved(schema)
        if one.kind == "object":
            return ("object",)
        if "enum" in schema or "const" in schema:
            return ("enum", "constant", "boolean")
        titled = schema.get("oneOf", ())
        if titled and all("const" in self.resolved(part) for part in titled):
            return ("enum",)
        options = schema.get("type", ())
        found: list[str] = []
        for name in [options] if type(options) is str else options:
            found += _KINDS_OF_TYPE.get(name, ())
        if "boolean" in options:
            found.append("boolean")
        if options == "array" and "items" in schema:
            found.append("list")
        return tuple(found)

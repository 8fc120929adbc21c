"""Export a form to react-jsonschema-form 6: schema, uiSchema, and properties that keep the data.

What the library does was measured in a browser (`tests/browser/test_exports.py`). With its
defaults it adds members and takes some away; with these properties it does not. Where one of its
fields would hide a value, or change what is beside it, the export asks for a field with the JSON
text.

The library resolves all that describes members ahead of the data, and stops where a reference
repeats; but not behind `allOf`, `patternProperties` or a condition: there the stack overflows.
What is behind `items` is resolved when there is an item.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from widgetschema.forms.checking import plain_numbers
from widgetschema.forms.exports.export import Export, Loss, Losses, secret_losses
from widgetschema.forms.exports.javascript import (
    INHERITED,
    inherited_member_loss,
    javascript_losses,
    javascript_order,
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
    TRUE_SCHEMA,
    make_portable,
    with_changed_parts,
)
from widgetschema.forms.fields.builder import FormSource
from widgetschema.forms.fields.placeholders import placeholders_in
from widgetschema.forms.model import CHOICE_KINDS, CHOICE_LOOKS, NUMBER_KINDS, TEXT_KINDS
from widgetschema.jsontext.equality import canonical
from widgetschema.jsontext.tree import Element
from widgetschema.pointers import escape_token
from widgetschema.schema.linking import subschemas

JSON_FIELD: Final = "widgetschemaJson"  # registered by components/rjsf/widget-form.jsx
# Without these the library adds defaults, empty objects, `false`, first constants and items.
PROPS: Final[dict[str, Any]] = {
    "omitExtraData": False,
    "liveOmit": False,
    "noHtml5Validate": True,
    "experimental_defaultFormStateBehavior": {
        "emptyObjectFields": "skipDefaults",
        "arrayMinItems": {"populate": "never"},
        "allOf": "skipDefaults",
        "constAsDefaults": "never",
        "mergeDefaultsIntoFormData": "useFormDataIfPresent",
    },
}
_LONG: Final = ("long-text", "css", "markdown")
_PROTOTYPE: Final = "__proto__"
_IS_LEFT_OUT: Final = "a property of this name is left out"
_LISTS: Final = ("addable", "removable", "orderable")  # it has options of the same names


def to_rjsf(source: FormSource, label: str) -> Export:
    """Return the form for react-jsonschema-form, with what it cannot represent."""
    secrets, source = placeholders_in(source.tree.root), source.with_secrets()
    element = source.element
    carried = make_portable(source.checks.validator.linked)
    outline = outline_form(source, label)
    schema = with_required_members(carried.schema, undescribed_names(outline))
    writing = _RjsfWriter()
    ui_schema = writing.whole(outline)
    found = [*javascript_losses(element, source.at), *_data_losses(source, carried.schema)]
    return Export(
        target="rjsf",
        schema=schema,
        ui_schema=ui_schema,
        data=plain_numbers(element.value),
        props=PROPS,
        fields=(JSON_FIELD,) if writing.uses_json else (),
        losses=(
            *found,
            *writing.losses(),
            *carried.unchecked,
            *secret_losses(path for path, _ in secrets),
        ),
    )


def undescribed_names(outline: Outline) -> frozenset[str]:
    """Return the names of members that the schema asks for and does not describe."""
    return frozenset(
        name
        for one in outline.walk()
        for name, member in one.members
        if not member.node.key.pointers
    )


def with_required_members(schema: dict[str, Any], names: frozenset[str]) -> dict[str, Any]:
    """Return the schema with a member of any type where one of these names is only asked for.

    Without that, the library has no control for it. What other members may be stays as it is.
    """
    if not names:
        return schema
    changed = with_changed_parts(schema, lambda part: with_required_members(part, names))
    for name, needed in changed.get("dependencies", {}).items():
        if type(needed) is list and not names.isdisjoint(needed):
            part = with_required_members({"required": needed}, names)
            changed["dependencies"] = changed["dependencies"] | {name: part}
    asked = [name for name in changed.get("required", ()) if name in names]
    if asked and not {"additionalProperties", "patternProperties"} & changed.keys():
        described = changed.get("properties", {})
        changed["properties"] = dict.fromkeys(asked, TRUE_SCHEMA) | described
    return changed


def _data_losses(source: FormSource, schema: dict[str, Any]) -> Iterator[Loss]:
    """Yield what the library changes as soon as it has the data."""
    element = source.element
    if element.kind == "null" and schema.get("type") not in ("null", ["null"]):
        yield Loss("data", source.at, "null as the whole data counts as no data")
    choices = () if "const" in schema else schema.get("enum", ())
    if len(choices) > 1 and canonical(element.value) not in map(canonical, choices):
        yield Loss("data", source.at, "a value that is not among the choices is removed")
    if is_endless(schema):
        message = "nothing is shown: the schema leads back to itself in a way that has no end here"
        yield Loss("data", source.at, message)
    for member in element.members:
        if member.name in INHERITED and member.element.kind not in ("array", "null", "object"):
            yield Loss("data", f"{source.at}/{member.name}", _IS_LEFT_OUT)
    yield from _prototype_losses(element, source.at)


def _prototype_losses(root: Element, at: str) -> Iterator[Loss]:
    """Yield members that are taken for the prototype; objects in arrays are not rebuilt."""
    todo = [(at, root)]
    while todo:
        path, element = todo.pop()
        for member in element.members:
            inner = f"{path}/{escape_token(member.name)}"
            if member.name == _PROTOTYPE:
                yield Loss("data", inner, _IS_LEFT_OUT)
            todo.append((inner, member.element))


class _RjsfWriter(Losses):
    """One run of `to_rjsf`: the uiSchema, and what it cannot say."""

    def __init__(self) -> None:
        super().__init__()
        self.uses_json = False
        self.texts = False

    def losses(self) -> Iterator[Loss]:
        """Yield the recorded losses."""
        yield from self.found
        if self.texts:
            message = 'a text that is cleared becomes "": it cannot be removed again'
            yield Loss("editing", "", message)

    def whole(self, one: Outline) -> dict[str, Any]:
        """Return the options of the whole: only the library's own field shows null as data."""
        if one.node.kinds == ("null",) and next(one.mismatches(), None) is None:
            self.lose(one.path, "there is no control for null")
            return _title_options(one)
        return self.ui(one)

    def ui(self, one: Outline) -> dict[str, Any]:
        """Return the options of a place."""
        self.lose_all(left_out(one, "lines", "placeholder", "disabled", *_LISTS))
        options = self.control(one)
        if one.spec.shape.read_only:
            options["ui:readonly"] = True
        options |= {f"ui:{name}": False for name in _LISTS if getattr(one.ui, name) is False}
        return options

    def control(self, one: Outline) -> dict[str, Any]:
        """Return the options that decide about the control of a place."""
        why = _json_reason(one)
        if why is not None:
            return self.json(one, why)
        options = _title_options(one)
        if one.choice is not None:
            # Options beside these would apply to the control that chooses.
            options[one.choice.keyword] = [self.ui(branch) for branch in one.branches]
            return options | self.members(one) if one.kind == "object" else options
        if one.kind in TEXT_KINDS:
            options |= self.text(one)
        elif one.kind in NUMBER_KINDS:
            # An input for numbers would show nothing of what it cannot read.
            options |= {"ui:options": {"inputType": "text"}}
        elif one.kind in CHOICE_KINDS:
            options |= _choice_options(one)
        elif one.kind == "object":
            options |= self.members(one)
        elif one.kind == "list" and one.rows is not None:
            options["items"] = self.ui(one.rows)
        elif one.kind == "tuple":
            options["items"] = [self.ui(position) for position in one.positions]
            if one.rows is not None:
                options["additionalItems"] = self.ui(one.rows)
        self.lose_all(editing_losses(one))
        return options

    def json(self, one: Outline, why: str) -> dict[str, Any]:
        """Return the options of a field for the JSON text."""
        self.uses_json = True
        if why:
            self.lose(one.path, f"shown as JSON: {why}")
        return {**_title_options(one), "ui:field": JSON_FIELD, "ui:fieldReplacesAnyOrOneOf": True}

    def text(self, one: Outline) -> dict[str, Any]:
        """Return the options of a text."""
        self.texts = True
        widget = "textarea" if one.kind in _LONG else "text"
        options: dict[str, Any] = {"ui:widget": widget, "ui:emptyValue": ""}
        if one.kind == "password":
            options["ui:widget"] = "password"
        placeholder = one.ui.placeholder
        if placeholder is None:
            placeholder = one.spec.shape.example
        if placeholder:
            options["ui:placeholder"] = placeholder
        if one.ui.lines is not None and one.kind in _LONG:
            options["ui:options"] = {"rows": one.ui.lines}
        return options

    def members(self, one: Outline) -> dict[str, Any]:
        """Return the options of all members of an object."""
        options: dict[str, Any] = {}
        for name, member in one.members:
            if name in INHERITED:
                self.lose_all([inherited_member_loss(member.path)])
                why = "every object has a property of this name in JavaScript"
                options[name] = self.json(member, why)
            elif not name.startswith("ui:"):
                options[name] = self.ui(member)
        options |= {name: {"ui:widget": "hidden"} for name in one.spec.shape.hidden}
        order = [name for name, _ in one.members]
        in_schema = [name for name in one.node.properties if name in order]
        if javascript_order(order) != order or order[: len(in_schema)] != in_schema:
            options["ui:order"] = [*order, "*"]
        return options | self.others(one)

    def others(self, one: Outline) -> dict[str, Any]:
        """Return the options of members that the schema does not name: the same for all of them."""
        values = [value for _, value in one.node.said("additionalProperties")]
        undescribed = list(one.undescribed)
        for _, member in one.members:
            if not member.applies:
                undescribed += member.values
        if not one.node.patterns and (not values or False in values):
            message = "there is no field for a property that the schema does not describe"
            for other in undescribed:
                self.lose(other.path, message)
            return {}
        kinds = () if one.node.patterns else one.node.other.kinds
        containers = [o for o in undescribed if o.element.kind in ("object", "array")]
        if any(kinds != (other.element.kind,) for other in containers):
            self.uses_json = True
            return {"additionalProperties": {"ui:field": JSON_FIELD}}
        if kinds == ("string",) and one.node.other.values is None:
            return {"additionalProperties": {"ui:widget": "text", "ui:emptyValue": ""}}
        return {}


def _title_options(one: Outline) -> dict[str, Any]:
    """Return title and description."""
    options: dict[str, Any] = {}
    if one.label:
        options["ui:title"] = one.label
    if one.spec.shape.help:
        options["ui:description"] = one.spec.shape.help
    return options


def _json_reason(one: Outline) -> str | None:
    """Return why a place is shown as JSON; "" if the form does so, too; None if it is not."""
    if one.varies:
        return "it is described in another way under other conditions"
    if one.kind == "json":
        return "it may hold values of any type" if one.spec.shape.free else ""
    if one.is_cut:
        return IS_CUT
    if one.kind == "alternatives":
        return _choice_reason(one)
    mismatches = [value.element.kind for value in one.mismatches()]
    if mismatches and not (one.kind in NUMBER_KINDS and set(mismatches) <= {"string"}):
        return MISMATCH
    if one.node.kinds == ("null",):
        return "the field for null sets it where it is not"
    if one.kind in CHOICE_KINDS and not one.is_plain:
        return NOT_PLAIN
    if not _has_type(one):
        return "the schema does not say which type it has"
    if one.kind == "list" and one.is_selection and one.rows is not None:
        if next(one.rows.mismatches(), None) is not None:
            return "a value is not among the choices"
    if one.kind == "tuple":
        return _tuple_reason(one)
    return None


def _choice_reason(one: Outline) -> str | None:
    """Return why alternatives are shown as JSON: one is shown even if it rejects the value."""
    if one.choice is None:
        return "there are several types to choose from"
    accepted = {value.path for branch in one.branches for value in branch.values}
    if not all(value.path in accepted for value in one.values):
        return "no alternative accepts the value"
    return None


def _has_type(one: Outline) -> bool:
    """Return True if the library finds the type of the values."""
    if any(one.node.said("type")):
        return True
    if one.kind in CHOICE_KINDS:
        return one.kind != "boolean"
    return one.kind == "object" and any(one.node.said("properties"))


def _tuple_reason(one: Outline) -> str | None:
    """Return why a tuple is shown as JSON: items cannot be added, nor all others shown."""
    fixed = len(one.positions)
    lengths = [len(value.value) for value in one.values if type(value.value) is list]
    if not lengths or min(lengths) < fixed:
        return "items that are described one by one cannot be added"
    more = [value for _, value in one.node.said("additionalItems") if type(value) is dict]
    if max(lengths) > fixed and not more:
        return "there are more items than the schema describes"
    return None


def _choice_options(one: Outline) -> dict[str, Any]:
    """Return the options of a choice: a select can remove the value, a radio cannot."""
    shape = one.spec.shape
    if one.kind == "boolean" and one.ui.kind in CHOICE_LOOKS:
        return {"ui:widget": "radio" if one.ui.kind == "radios" else "select"}
    if one.kind == "boolean":
        return {} if shape.required or one.is_row else {"ui:widget": "select"}
    if one.kind == "constant":
        return {"ui:readonly": True} if one.values else {}
    options: dict[str, Any] = {"ui:widget": "select"}
    if shape.as_radio and (shape.required or one.is_row):
        options["ui:widget"] = "radio"
    values = next((value for _, value in one.node.said("enum")), ())
    names = [choice.label for choice in shape.choices]
    if len(values) == len(names) and names != list(map(str, values)):
        options["ui:enumNames"] = names
    disabled = [json.loads(one.value) for one in shape.choices if one.disabled and one.value]
    if disabled:
        options["ui:enumDisabled"] = disabled
    return options


_LAZY: Final = frozenset("additionalItems contains items not propertyNames".split())
_UNBOUNDED: Final = frozenset("allOf else if patternProperties then".split())


class _Edge(NamedTuple):
    source: str
    target: str
    is_endless: bool


def is_endless(schema: dict[str, Any]) -> bool:
    """Return True if the schema, as made portable, overflows the stack."""
    definitions = {f"#/definitions/{n}": one for n, one in schema.get("definitions", {}).items()}
    edges = [
        edge for name, one in {"#": schema, **definitions}.items() for edge in _edges(name, one)
    ]
    ahead: dict[str, set[str]] = {}
    for edge in edges:
        ahead.setdefault(edge.source, set()).add(edge.target)
    return any(edge.is_endless and edge.source in _reachable(edge.target, ahead) for edge in edges)


def _reachable(name: str, ahead: dict[str, set[str]]) -> set[str]:
    """Return the name, and all that it leads to."""
    found, todo = {name}, [name]
    while todo:
        more = ahead.get(todo.pop(), set()) - found
        found |= more
        todo += more
    return found


def _edges(name: str, schema: Any) -> Iterator[_Edge]:
    """Yield the references in a definition that are followed ahead of the data."""
    todo: list[tuple[Any, bool]] = [(schema, False)]
    while todo:
        one, endless = todo.pop()
        if type(one) is not dict:
            continue
        if "$ref" in one:
            yield _Edge(name, one["$ref"], endless)
            continue
        endless = endless or "if" in one
        for keyword, _, part in subschemas(one, ""):
            if keyword not in _LAZY and keyword != "definitions":
                todo.append((part, endless or keyword in _UNBOUNDED))

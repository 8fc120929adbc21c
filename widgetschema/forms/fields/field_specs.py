"""`FieldSpecs`: everything about the fields of a widget type that is the same in all its forms.

A `FieldSpec` holds what it takes to build the field of one place: its shape, the members that
the schema names, the alternatives, the ids of allowed values. Specs are made on demand and
cached. Only two questions look at a value: which branch of a condition holds, and which
alternative a value belongs to.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

from widgetschema.findings import Finding
from widgetschema.forms.checking import SchemaChecks
from widgetschema.forms.control_names import encode_token
from widgetschema.forms.fields import control_kinds, labels
from widgetschema.forms.fields.answers import Answers, answers_of
from widgetschema.forms.fields.initial_values import ABSENT, default_of, initial_value
from widgetschema.forms.fields.presentation import (
    MAX_ALTERNATIVES,
    Alternative,
    Presentation,
    can_be_checkboxes,
    can_have_value,
    presentation,
)
from widgetschema.forms.fields.secrets import has_secrets, is_secret
from widgetschema.forms.fields.ui_checks import check_against_schema
from widgetschema.forms.fields.ui_description import (
    UI_KINDS,
    UiDescription,
    UiPlaces,
    has_readonly_child,
    merged_options,
    ordered,
)
from widgetschema.forms.fields.untouched import UntouchedFields
from widgetschema.forms.fields.value_transfer import is_narrower
from widgetschema.forms.model import (
    CHOICE_LOOKS,
    NO_OPTIONS,
    NULL,
    NUMBER_KINDS,
    SUGGESTING_KINDS,
    TEXT_KINDS,
    UNSET,
    Choice,
    ChoiceOptions,
    Shape,
    UiOptions,
    kind_label,
)
from widgetschema.forms.texts import advice, text
from widgetschema.jsontext import dump, preview
from widgetschema.jsontext.equality import canonical
from widgetschema.jsontext.tree import Element, Tree
from widgetschema.languages import ENGLISH, Language, speaking
from widgetschema.pointers import escape_token, step
from widgetschema.schema.keywords import FORMATS
from widgetschema.schema.linking import is_schema
from widgetschema.schema.tree import KIND_OF, Node, SchemaTree
from widgetschema.schema.tree import Choice as Condition
from widgetschema.schema.tree.tree import Branch, dependency_choices

_MAX_RADIOS: Final = 5
_MOST_BRANCHES: Final = 100  # of conditions in each other, whose members keep their labels
_MAX_CHECKBOXES: Final = 60
_MAX_MEMBER_NAMES: Final = 3  # of members, by which groups are told apart
# Keywords whose verdict on an object may change with any member that is added.
_OF_ANY_MEMBER: Final = {"const", "enum"}.union(
    word for word, kind in KIND_OF.items() if kind == "object"
) - {"properties", "required"}
# The types that a free value can have, in the order of the choice.
_FREE_TYPES: Final = ("string", "number", "boolean", "array", "object", "null")


class SpecRequest(NamedTuple):
    """The key of a spec: a node of the schema tree, and where it is used.

    `label` is used if the schema has no title, or in any case with `has_fixed_label`. An
    alternative of a value has the number of all its alternatives in `alternative_count`; that of a
    free value is edited `as_type`, or as "json".
    """

    node: Node
    name: str = ""
    label: str = ""
    has_fixed_label: bool = False
    required: bool = False
    nullable: bool = False
    ui_places: UiPlaces = ()
    alternative_count: int = 1
    as_type: str = ""


class MemberSlot(NamedTuple):
    """A member that the schema names: its segments of JSON Pointers, control names and ids.

    `cached_spec` holds its spec, once it is known, unless the spec depends on a condition.
    """

    name: str
    token: str
    control: str
    id: str
    request: SpecRequest
    cached_spec: list[FieldSpec]


@dataclass(frozen=True, eq=False)
class FieldSpec:
    """A shape, and everything needed to build fields of it.

    `slots` are the members that the schema names, `names` their names; `positions` the items that
    it describes one by one, `rest` the node of all other items or new members. `choice_ids` has the
    ids of choices by the canonical form of the value. `note` is the reason for a JSON field, where
    that is not obvious. The last one of the types of a free value is "json".
    """

    shape: Shape
    options: tuple[Alternative, ...] = ()
    accepted: tuple[tuple[str, ...], ...] = ()  # the types that each option shows
    slots: tuple[MemberSlot, ...] = ()
    names: frozenset[str] = frozenset()
    positions: tuple[Node, ...] = ()
    rest: Node | None = None
    choice_ids: Mapping[Any, str] = field(default_factory=dict)
    note: str = ""
    null: Choice = field(default_factory=lambda: _null_choice())  # how null is chosen
    unset: Choice = field(default_factory=lambda: _no_choice())  # how no value is chosen
    plain: FieldSpec | None = None  # of a control of the application: the spec without it
    cache: dict[Any, Any] = field(default_factory=dict)  # made on demand

    @property
    def kind(self) -> str:
        """One of `KINDS`."""
        return self.shape.kind

    def shape_as(self, kind: str) -> Shape:
        """Return the same shape for another kind of control."""
        if kind == self.kind:
            return self.shape
        made: Shape | None = self.cache.get(kind)
        if made is None:
            changes: dict[str, Any] = {"kind": kind}
            if kind in TEXT_KINDS:
                changes["example"] = self.shape.example or FORMATS.get(kind, "")
                if kind not in SUGGESTING_KINDS:
                    changes["suggestions"] = ()
            else:
                changes.update(
                    choices=(), branches=(), example="", suggestions=(), nullable=False, open=False
                )
            made = self.cache[kind] = replace(self.shape, **changes)
        return made

    def choices(self, unset: bool) -> tuple[Choice, ...]:
        """Return the choices, with `unset` if it may be chosen, and null if that is allowed."""
        made: tuple[Choice, ...] | None = self.cache.get(unset)
        if made is None:
            made = self.shape.choices
            made = (self.unset, *made) if unset else made
            made = (*made, self.null) if self.shape.nullable else made
            self.cache[unset] = made
        return made


def make_spec(request: SpecRequest, ui: UiOptions | None, specs: FieldSpecs) -> FieldSpec:
    """Return the spec for a request, with UI options; `specs` has the inner ones."""
    shown = presentation(request.node)
    if ui is not None and ui.kind is not None:
        shown = _as_requested(shown, ui.kind)
    label = request.label
    title = shown.node.annotation("title")
    if not request.has_fixed_label and type(title) is str and title.strip():
        label = title
    if ui is not None and ui.label:
        label = ui.label
    request = request._replace(label=label, nullable=request.nullable or shown.nullable)
    return _spec_of_presentation(request, shown, ui, specs)


def _spec_of_presentation(
    request: SpecRequest,
    shown: Presentation,
    ui: UiOptions | None,
    specs: FieldSpecs,
) -> FieldSpec:
    kind = "json" if request.as_type == "json" else _field_kind(request, shown)
    is_requested = False
    if ui is not None and ui.kind is not None:
        if ui.kind not in UI_KINDS and shown.kinds:
            return _custom_spec(request, shown, ui, specs)
        is_requested = _is_compatible_kind(shown, kind, ui.kind)
        kind = ui.kind if is_requested else kind
    if kind == "json" and not (is_requested or request.as_type or is_secret(shown.node)):
        types = _free_types(request, shown)
        if types:
            return _free_spec(request, shown, types, specs.get)
    node = shown.node
    secret = kind != "constant" and (kind == "password" or is_secret(node))
    if secret:
        kind = "password" if kind in TEXT_KINDS else "json"
    nullable = request.nullable and kind not in ("json", "constant")
    strict = shown.strict or node
    help = ui.help if ui and ui.help is not None else node.annotation("description")
    type = shown.kinds[0] if len(shown.kinds) == 1 and shown.values is None else ""
    example = (
        ui.example if ui and ui.example is not None else control_kinds.example_text(node, kind)
    )
    shape = Shape(
        kind=kind,
        label=request.label,
        node=node,
        help=help or "",
        required=request.required,
        nullable=nullable,
        read_only=is_read_only(node) or (ui is not None and ui.readonly is True),
        secret=secret,
        steps=control_kinds.slider_steps(node, control_kinds.MAX_ASKED_STEPS)
        if kind == "slider"
        else None,
        limits=control_kinds.bounds_text(strict, "selection" if kind == "checkboxes" else type),
        example=example,
        suggestions=control_kinds.suggestions(node, kind),
        examples=control_kinds.examples_text(node, kind, example),
        default=specs.default_text(request.node, node),
        recursive=node.recursive,
        ui=ui or NO_OPTIONS,
    )
    if kind in ("enum", "constant", "boolean"):
        return _choices_spec(shape, shown, ui)
    if kind == "alternatives":
        return _alternatives_spec(shape, request, shown, specs.get)
    if kind == "object":
        return _object_spec(shape, strict, request.ui_places, ui, is_free=bool(request.as_type))
    if kind == "checkboxes":
        return _selection_spec(shape, request.ui_places)
    if kind in ("list", "tuple"):
        return _array_spec(shape, strict, request.ui_places)
    note = _json_note(shown, ui) if kind == "json" and not request.as_type else ""
    return FieldSpec(shape, note=note)


def _free_types(request: SpecRequest, shown: Presentation) -> tuple[str, ...]:
    """Return the types that a place can have of which the schema says no more; () for others.

    A value of any type that is one of several alternatives is JSON: the others have the types.
    """
    if shown.options or shown.values is not None:
        return ()
    if shown.anything and request.alternative_count == 1:
        null = shown.node.kinds if "null" in shown.node.kinds else ()
        return tuple(type for type in _FREE_TYPES if type != "null" or null)
    if shown.kinds in (("object",), ("array",)):
        return (*shown.kinds, "null") if request.nullable else shown.kinds
    return ()


def _free_spec(
    request: SpecRequest,
    shown: Presentation,
    types: tuple[str, ...],
    get_spec: Callable[[SpecRequest], FieldSpec],
) -> FieldSpec:
    """Return the spec of a free value: its types are alternatives, and JSON is the last one."""
    node = shown.node
    types = (*types, "json")
    options = tuple(Alternative(node if type == "json" else node.of_kind(type)) for type in types)
    branches = tuple(
        get_spec(
            SpecRequest(option.node, "", text(f"type.{type}"), True, request.required, as_type=type)
        ).shape
        for type, option in zip(types, options, strict=True)
    )
    shape = Shape(
        "alternatives",
        request.label,
        node,
        required=request.required,
        branches=branches,
        free=True,
        recursive=node.recursive,
    )
    return FieldSpec(shape, options, tuple((type,) for type in types))


def _custom_spec(
    request: SpecRequest,
    shown: Presentation,
    ui: UiOptions,
    specs: FieldSpecs,
) -> FieldSpec:
    """Return the spec of a control of the application; `plain` is the one without it."""
    plain = _spec_of_presentation(request, shown, replace(ui, kind=None), specs)
    shape = replace(
        plain.shape, kind="custom", nullable=request.nullable, choices=(), branches=(), ui=ui
    )
    return FieldSpec(shape, plain=plain)


def _json_note(shown: Presentation, ui: UiOptions | None) -> str:
    """Return why a place is shown as JSON, where nothing else tells."""
    if ui is not None and ui.kind == "json":
        return ""
    if shown.options:
        return text("note.alternatives")
    return "" if shown.kinds or shown.anything else text("note.nothing")


def _field_kind(request: SpecRequest, shown: Presentation) -> str:
    if shown.values is not None:
        values = [value for value, _ in shown.values]
        if len(values) == 2 and all(type(value) is bool for value in values):
            return "boolean"
        if len(values) < 2 and not (values and request.nullable and values[0] is not None):
            return "constant" if values or request.nullable else "json"
        return "enum"
    if shown.options:
        is_crowded = (
            shown.crowded or request.alternative_count * len(shown.options) > MAX_ALTERNATIVES
        )
        return "json" if is_crowded else "alternatives"
    if not shown.kinds:
        return "constant" if request.nullable else "json"
    is_free = bool(request.as_type)
    return _kind_of_type(shown.kinds[0], shown.node, request.name, is_free=is_free)


def _kind_of_type(type: str, node: Node, name: str, *, is_free: bool) -> str:
    if type == "number":
        if control_kinds.slider_steps(node) is not None:
            return "slider"
        return "integer" if node.integer else "number"
    if type == "string":
        return control_kinds.kind_of_text(node, name)
    if type == "array":
        if node.tuple_length:
            return "tuple"
        items = presentation(node.item(0))
        if node.unique and items.values is not None and 0 < len(items.values) <= _MAX_CHECKBOXES:
            return "checkboxes"
        return "json" if items.anything and not is_free else "list"
    if type == "object":
        return "object" if _is_described(node) or is_free else "json"
    return type


def _alternatives_spec(
    shape: Shape,
    request: SpecRequest,
    shown: Presentation,
    get_spec: Callable[[SpecRequest], FieldSpec],
) -> FieldSpec:
    inside = request._replace(
        label="",
        has_fixed_label=True,
        nullable=shape.nullable,
        ui_places=(),
        alternative_count=request.alternative_count * len(shown.options),
    )
    specs = [get_spec(inside._replace(node=option.node)) for option in shown.options]
    branches = tuple(
        replace(one.shape, label=label, branch_pointers=option.branch_pointers)
        for one, label, option in zip(
            specs, _alternative_labels(shown.options, specs), shown.options, strict=True
        )
    )
    accepted = tuple(
        presentation(option.node).kinds or option.node.kinds for option in shown.options
    )
    return FieldSpec(replace(shape, branches=branches), shown.options, accepted)


def _as_requested(shown: Presentation, kind: str) -> Presentation:
    """Return the alternative that a UI description requests by its kind."""
    type = "string" if kind in TEXT_KINDS else "number"
    if not shown.options or kind not in (*TEXT_KINDS, *NUMBER_KINDS):
        return shown
    for option in shown.options:
        inner = presentation(option.node)
        if inner.kinds == (type,) and inner.values is None:
            return replace(inner, nullable=inner.nullable or shown.nullable)
    return shown


def _is_compatible_kind(shown: Presentation, kind: str, asked: str) -> bool:
    """Return True if a requested kind can replace the kind of the schema."""
    if asked == "json":
        return True
    if asked == "list":
        return kind == "checkboxes"
    if asked == "checkboxes":
        return kind == "list" and can_be_checkboxes(shown.node)
    same = (kinds for kinds in (TEXT_KINDS, NUMBER_KINDS) if asked in kinds)
    return any(kind in kinds for kinds in same)


def _is_described(node: Node) -> bool:
    """Return True if the schema describes members of an object."""
    if node.properties or node.patterns or node.required:
        return True
    others = [value for _, value in node.said("additionalProperties")]
    return any(value is False or value for value in others if value is not True)


def _object_spec(
    shape: Shape, strict: Node, ui_places: UiPlaces, ui: UiOptions | None, *, is_free: bool
) -> FieldSpec:
    node = shape.node
    required = frozenset(strict.required)
    slots, hidden = [], []
    named = dict.fromkeys([*node.properties, *strict.required])
    for name in ordered(named, ui.order if ui is not None else ()):
        child = node.child(name)
        if can_have_value(child):
            slot = _member_slot(name, child, name in required, ui_places)
            options = merged_options(slot.request.ui_places)
            if options is not None and options.hidden:
                hidden.append(name)
            else:
                slots.append(slot)
    others = is_free or any(node.said("additionalProperties")) or bool(node.patterns)
    is_open = others and not (node.closed and not node.patterns) and bool(node.names.kinds)
    rest = _new_member_node(node)
    shape = replace(
        shape,
        open=is_open,
        hidden=tuple(hidden),
        most=strict.most("maxProperties"),
        item_label=presentation(rest).node.annotation("title") or "",
    )
    return FieldSpec(
        shape,
        slots=tuple(slots),
        names=frozenset([*hidden, *(slot.name for slot in slots)]),
        rest=rest,
    )


def _member_slot(name: str, node: Node, required: bool, ui_places: UiPlaces) -> MemberSlot:
    control, label = encode_token(name), labels.label_from_name(name)
    inside = step(ui_places, name) if ui_places else ()
    request = SpecRequest(node, name, label, required=required, ui_places=inside)
    return MemberSlot(name, escape_token(name), control, html_id_part(control), request, [])


def is_read_only(node: Node) -> bool:
    """Return True if a place is `readOnly`: people see its value, and cannot edit it."""
    return any(value is True for _, value in node.said("readOnly"))


def _new_member_node(node: Node) -> Node:
    """Return the node of a new member, before it has a name."""
    if not node.closed:
        return node.other
    places = [
        f"{place}/{escape_token(pattern)}"
        for place, value in node.said("patternProperties")
        for pattern in value
    ]
    return node.tree.node(places if len(places) == 1 else ())


def _array_spec(shape: Shape, strict: Node, ui_places: UiPlaces) -> FieldSpec:
    node = shape.node
    length = node.tuple_length
    rest = node.item(length)
    ui = merged_options(step(ui_places, "*")) if ui_places else None
    title = (ui.label if ui is not None else "") or presentation(rest).node.annotation("title")
    singular = labels.row_label(shape.label)
    return FieldSpec(
        replace(
            shape,
            open=bool(rest.kinds),
            least=strict.least("minItems"),
            most=strict.most("maxItems"),
            item_label=title or (singular if singular != shape.label else ""),
            # Rows could be exchanged if they could be added, moved and removed.
            read_only=shape.read_only
            or is_read_only(presentation(rest).node)
            or has_readonly_child(ui_places),
        ),
        positions=tuple(node.item(at) for at in range(length)),
        rest=rest,
    )


def _choices_spec(shape: Shape, shown: Presentation, ui: UiOptions | None) -> FieldSpec:
    null_choice = _null_choice()
    [null] = _relabelled((null_choice._replace(label=shown.null_title or null_choice.label),), ui)
    if shape.kind == "boolean":
        titles = dict(shown.values or ())
        choices = tuple(
            Choice(id, titles.get(id == "true") or text(f"choice.{name}"), id)
            for id, name in (("true", "yes"), ("false", "no"))
        )
        choice_ids = {canonical(True): "true", canonical(False): "false"}
    else:
        choices, choice_ids = _value_choices(shown.values or ((None, text("choice.null")),))
    shape = replace(shape, choices=_relabelled(choices, ui))
    shape = replace(shape, as_radio=_is_radio(shape))
    unset = _unset_choice(shape)
    return FieldSpec(shape, choice_ids=choice_ids, null=null, unset=unset)


def _is_radio(shape: Shape) -> bool:
    """Return True if a choice is radio buttons: as requested, or of few values, or of pictures."""
    if shape.ui.kind in CHOICE_LOOKS:
        return shape.ui.kind == "radios"
    return len(shape.choices) <= _MAX_RADIOS or any(choice.picture for choice in shape.choices)


def _selection_spec(shape: Shape, ui_places: UiPlaces) -> FieldSpec:
    """Return the spec of a list of choices; the UI options of its items apply to them."""
    items = shape.node.item(0)
    shown = presentation(items)
    null = ((None, shown.null_title or text("choice.null")),) if shown.nullable else ()
    choices, choice_ids = _value_choices((*(shown.values or ()), *null))
    ui = merged_options(step(ui_places, "*")) if ui_places else None
    shape = replace(shape, choices=_relabelled(choices, ui))
    return FieldSpec(shape, rest=items, choice_ids=choice_ids)


def _value_choices(
    values: Sequence[tuple[Any, str | None]],
) -> tuple[tuple[Choice, ...], dict[Any, str]]:
    """Return choices for allowed values with their titles, and their ids by the canonical form."""
    others = {preview(value) for value, _ in values if type(value) is not str}
    often = Counter(title for _, title in values)
    choices: list[Choice] = []
    choice_ids: dict[Any, str] = {}
    for at, (value, title) in enumerate(values):
        choice_ids.setdefault(canonical(value), str(at))
        label = title or _value_label(value, others)
        if title and often[title] > 1:
            label = f"{title} ({_value_label(value, others)})"
        choices.append(Choice(str(at), label, dump(value, indent=False)))
    return tuple(choices), choice_ids


def _unset_choice(shape: Shape) -> Choice:
    """Return how no value is chosen: by the default that then holds, if the schema says one."""
    default = shape.default_choice
    if default is None:
        return _no_choice()
    label = default.label.lower() if shape.kind == "boolean" else default.label
    return Choice(UNSET, text("choice.default", label=label), None)


def _no_choice() -> Choice:
    return Choice(UNSET, text("choice.unset"), None)


def _null_choice() -> Choice:
    return Choice(NULL, text("choice.null"), "null")


def _value_label(value: Any, others: set[str]) -> str:
    """Return an allowed value as a label; a text is quoted if it looks like another value."""
    if type(value) is not str or value in others:
        return preview(value)
    return labels.literal_label(value) if value else text("choice.empty")


def _relabelled(choices: tuple[Choice, ...], ui: UiOptions | None) -> tuple[Choice, ...]:
    """Return the choices with the labels of a UI description, by value: a text, or JSON."""
    if ui is None or not ui.choices:
        return choices
    names = ui.choices
    found = []
    for choice in choices:
        text = choice.value or ""
        plain = json.loads(text) if text.startswith('"') else text
        said = names.get(text, names.get(plain, ChoiceOptions()))
        label = said.label or choice.label
        found.append(choice._replace(label=label, picture=said.picture, disabled=said.disabled))
    return tuple(found)


def _alternative_labels(options: Sequence[Alternative], specs: Sequence[FieldSpec]) -> list[str]:
    """Return labels for alternatives; groups are told apart by members that not all have."""
    found = [_alternative_label(option, spec) for option, spec in zip(options, specs, strict=True)]
    groups = [spec for spec in specs if spec.kind == "object"]
    shared = frozenset.intersection(*(spec.names for spec in groups)) if groups else frozenset()
    group = kind_label("object")
    for at, spec in enumerate(specs if found.count(group) > 1 else ()):
        own = [slot.request.label for slot in spec.slots if slot.name not in shared]
        if found[at] == group and own:
            names = advice()["list"](items=own[:_MAX_MEMBER_NAMES])
            found[at] = text("kind.object-with", group=group, names=names)
    return labels.number_duplicates(found)


def _alternative_label(option: Alternative, spec: FieldSpec) -> str:
    """Return the label of an alternative: its title, else its tag, else its kind."""
    if option.title:
        return option.title
    for slot in spec.slots:
        values = slot.request.node.values
        if values is not None and len(values) == 1 and type(values[0]) is str:
            return labels.literal_label(values[0])
    if spec.kind == "constant":
        return spec.shape.choices[0].label
    if spec.shape.free:
        return text(f"kind.json.{spec.accepted[0][0]}")
    return kind_label(spec.kind)


def html_id_part(control: str) -> str:
    """Return a segment of a control's name as part of an HTML id: letters, digits, `_` and `-`.

    Different names have different ids.
    """
    return control.translate(_AS_ID)


# `%2B` is a plus in a member's name: the marks of `names` have small letters.
_AS_ID: Final = {ord(one): f"_{ord(one):02X}" for one in "_-.~"} | {
    ord(one): other
    for one, other in (("%", "_"), ("/", "-"), ("+", "_n"), (";", "_k"), ("!", "_u"))
}


Cuts = tuple[dict[str, int], dict[str, frozenset[str]]]  # see `builder`

MAX_FREE_PARTS: Final = 100  # of a free value; one with more is shown as JSON at first
MAX_SPECS: Final = 4_000  # in the cache; names of additional members are endless


class FieldSpecs:
    """The specs of one schema under one UI description, in one language.

    Safe to share among threads.

    `title` is that of pages, unless the data has one.

    Raises `InvalidFormDescription` if the description does not fit the schema.
    """

    def __init__(
        self,
        tree: SchemaTree,
        checks: SchemaChecks,
        ui: UiDescription | None = None,
        language: Language = ENGLISH,
        title: str = "",
    ) -> None:
        self.tree = tree
        self.title = title
        self.language = language
        self.checks = checks
        self.ui_places: UiPlaces = () if ui is None else ui.places
        self.notes: tuple[Finding, ...] = ()  # on the description
        self.has_conditions = ui is not None and ui.has_conditions
        asked = frozenset() if ui is None else {one.kind for one in ui.options.values()}
        self.has_secrets = has_secrets(tree.linked) or "password" in asked
        self.has_uploads = "upload" in asked or any(
            type(one) is dict and "contentEncoding" in one for one in tree.linked.at.values()
        )
        self.cuts: WeakKeyDictionary[Tree, dict[str, Cuts]] = WeakKeyDictionary()
        self.untouched: WeakKeyDictionary[Tree, dict[tuple[str, str], UntouchedFields]] = (
            WeakKeyDictionary()
        )
        self._specs: dict[SpecRequest, FieldSpec] = {}
        self._initial: dict[Node, Tree | None] = {}
        self._conditions: dict[Node, tuple[Condition, ...]] = {}
        self._answers: dict[Node, Answers | None] = {}
        self._former: dict[tuple[Node, UiPlaces], Mapping[str, MemberSlot]] = {}
        self._decided_conditions = False
        if ui is not None:
            self.notes = (*check_against_schema(ui, tree.root), *ui.notes)

    @property
    def size(self) -> int:
        """The number of cached specs."""
        return len(self._specs)

    def get(self, request: SpecRequest) -> FieldSpec:
        """Return the spec for a request, made once."""
        spec = self._specs.get(request)
        if spec is None:
            if len(self._specs) >= MAX_SPECS:
                self._specs.clear()
                self._conditions.clear()
                self._initial.clear()
                self._answers.clear()
                self._former.clear()
                self.tree.forget()
            spec = self._specs.setdefault(request, self._make(request))
        return spec

    def of_member(self, slot: MemberSlot) -> FieldSpec | None:
        """Return the spec of a member; None if it depends on the data."""
        node = slot.request.node
        if not slot.cached_spec and not (self.conditions_of(node) or self._answers_of(node)):
            slot.cached_spec.append(self.get(slot.request))
        return slot.cached_spec[0] if slot.cached_spec else None

    def label(self, request: SpecRequest) -> str:
        """Return the label of a place: its title, else the one in the request."""
        return self.get(request).shape.label

    def chosen_alternative(self, spec: FieldSpec, element: Element | None) -> int:
        """Return the narrowest alternative that accepts a value, else the one that it names.

        An alternative is named by members with constants, such as {"kind": "picture"}; of several,
        it is the first one of the type of the value. Of no value, the narrowest one that there is.
        """
        if spec.shape.free:
            return _free_alternative(spec, element)
        if element is None:
            return self._narrowest(spec, 0, range(1, len(spec.options)))
        kind = element.kind
        fitting = [at for at, those in enumerate(spec.accepted) if kind in those]
        if not fitting:
            fitting = [at for at, one in enumerate(spec.options) if kind in one.node.kinds]
        if len(fitting) > 1:
            value = element.value
            for at in fitting:
                if self._accepts(spec.options[at], value):
                    return self._narrowest(spec, at, [one for one in fitting if one > at], value)
            return max(fitting, key=lambda at: _named(spec.options[at].node, value))
        return fitting[0] if fitting else 0

    def _accepts(self, option: Alternative, value: Any) -> bool:
        branch_pointers = option.branch_pointers
        return not branch_pointers or any(
            self.checks.accepts((one,))(value) for one in branch_pointers
        )

    def _narrowest(
        self, spec: FieldSpec, at: int, others: Iterable[int], value: Any = ABSENT
    ) -> int:
        """Return the narrowest of some alternatives that accept a value, if there is one."""
        for other in others:
            if not self._is_narrower(spec, other, at):
                continue
            if value is ABSENT or self._accepts(spec.options[other], value):
                at = other
        return at

    def _is_narrower(self, spec: FieldSpec, at: int, other: int) -> bool:
        key = ("narrower", at, other)
        known: bool | None = spec.cache.get(key)
        if known is None:
            options = spec.options
            known = spec.cache[key] = is_narrower(options[at], options[other], self._accepts)
        return known

    # What a new value begins with

    def default_text(self, node: Node, shown: Node) -> str | None:
        """Return the JSON text of the `default` of a place; None if there is none."""
        default = default_of(node, shown, self.checks.validator.fits)
        return None if default is ABSENT else dump(default, indent=False)

    def initial(self, node: Node) -> Tree | None:
        """Return the value that a new row, group or member begins with; None for none."""
        if node not in self._initial:
            value = self._initial_value(node)
            text = dump(value, indent=False) if value is not ABSENT else None
            self._initial[node] = None if text is None else Tree(text)
        return self._initial[node]

    def needed_items(self, shape: Shape) -> int:
        """Return how many items there are at least in a list; 0 if it may be empty, or is none."""
        if shape.kind not in ("list", "tuple"):
            return 0
        fits, pointers = self.checks.validator.fits, shape.node.key.pointers
        return 0 if all(fits(pointer, []) for pointer in pointers) else max(shape.least, 1)

    def new_data(self) -> Any:
        """Return the data of a new document.

        Something has to be there: the alternative that the form shows first, or else the empty
        object or list, or null.
        """
        node, value = self.tree.root, ABSENT
        while value is ABSENT:
            value = self._initial_value(node)
            spec = self.get(SpecRequest(node))
            if spec.shape.free or spec.kind != "alternatives":
                break
            node = spec.options[self.chosen_alternative(spec, None)].node
        if value is not ABSENT:
            return value
        kinds = presentation(node).kinds
        return {} if "object" in kinds else [] if "array" in kinds else None

    def _initial_value(self, node: Node) -> Any:
        decide = partial(self.decide_conditions, is_new=True)
        return initial_value(node, self.checks.validator.fits, decide)

    # Conditions

    @property
    def depends_on_data(self) -> bool:
        """True if fields built up to now could be others if the data were other data."""
        return self.has_conditions or self._decided_conditions

    def decide_conditions(
        self, node: Node, value: Any, *, answers: bool = True, is_new: bool = False
    ) -> Node:
        """Return the node in which a value has decided all conditions.

        So it has alternatives that a member with a field of its own tells apart (`answers`). For a
        new value, neither branch applies while missing members may decide otherwise (`is_new`).
        """
        while conditions := self.conditions_of(node) or (answers and self._answers_of(node)):
            self._decided_conditions = True
            if isinstance(conditions, Answers):
                node = conditions.decided(node, value)
                continue
            applied: list[str] = []
            present = [*node.key.present]
            for condition in conditions:
                applied += self._branch_pointers(condition, node, value, is_new=is_new)
                present += _needed_members(condition, value)
            places = [condition.place for condition in conditions]
            node = node.narrowed(
                tuple(applied),
                decided=node.key.decided.union(places),
                present=tuple(dict.fromkeys(present)),
            )
        return node

    def conditions_of(self, node: Node) -> tuple[Condition, ...]:
        """Return the conditions of a node that are not decided."""
        known = self._conditions.get(node)
        if known is None:
            found = [choice for choice in node.choices if choice.keyword == "if"]
            for place, value in node.said("dependencies"):
                found += dependency_choices(place, value)
                found += _choices_of_undeclared(node, place, value)
            open_ones = (one for one in found if one.place not in node.key.decided)
            known = self._conditions[node] = tuple({one.place: one for one in open_ones}.values())
        return known

    def former_members(self, node: Node, ui_places: UiPlaces) -> Mapping[str, MemberSlot]:
        """Return the members that any conditions of a node describe, those that do not hold, too.

        `node` is one in which no conditions are decided.
        """
        found = self._former.get((node, ui_places))
        if found is None:
            found = self._former[node, ui_places] = {}
            todo = [node]
            for inner in todo:  # which grows meanwhile
                for name, child in inner.properties.items():
                    if name not in found and can_have_value(child):
                        found[name] = _member_slot(name, child, False, ui_places)
                if len(todo) < _MOST_BRANCHES:
                    todo += self._branches_of(inner)
        return found

    def _branches_of(self, node: Node) -> Iterator[Node]:
        """Yield the nodes in which one condition is decided, in all ways."""
        answers = self._answers_of(node)
        conditions = self.conditions_of(node) or ((answers.choice,) if answers else ())
        for condition in conditions:
            if not any(branch.pointers for branch in condition.branches):
                continue  # it describes nothing
            decided = node.key.decided | {condition.place}
            for at, branch in enumerate(condition.branches):
                # The condition itself asserts nothing: it describes no member.
                is_then = condition.keyword == "if" and at == 0
                yield node.narrowed(branch.pointers[is_then:], decided=decided)

    def _answers_of(self, node: Node) -> Answers | None:
        if node not in self._answers:
            self._answers[node] = answers_of(node)
        return self._answers[node]

    def _branch_pointers(
        self, condition: Condition, node: Node, value: Any, *, is_new: bool
    ) -> tuple[str, ...]:
        """Return the schemas that a condition applies to a value, or to the least possible one."""
        if value is ABSENT:
            if "object" not in node.kinds:
                return ()
            value = {}
        if condition.keyword == "dependencies":
            name = condition.branches[1].present[0]
            there = type(value) is dict and name in value
            return condition.branches[1].pointers if there else ()
        then, other = condition.branches
        # The condition itself asserts nothing more: it applies already.
        asked, *then_pointers = then.pointers
        holds: bool | None = self.checks.accepts((asked,))(value)
        if is_new:
            holds = self._lasting_verdict(self.tree.node((asked,)), value)
        return () if holds is None else tuple(then_pointers) if holds else other.pointers

    def _lasting_verdict(self, asked: Node, value: Any) -> bool | None:
        """Return whether a value meets a condition; None if added members may change that."""
        verdict = self.checks.accepts(asked.key.pointers)(value)
        if type(value) is not dict:
            return verdict
        verdicts = [
            self._lasting_verdict(child, value[name]) if name in value else None
            for name, child in asked.properties.items()
        ]
        if False in verdicts:
            return False
        branches = (branch for choice in asked.choices for branch in choice.branches)
        parts = (*asked.key.refused, *(one for branch in branches for one in branch.pointers))
        verdicts += [self._lasting_verdict(self.tree.node((one,)), value) for one in parts]
        may_change = (
            None in verdicts
            or not value.keys() >= {*asked.required}
            or any(any(asked.said(word)) for word in _OF_ANY_MEMBER)
        )
        return None if may_change else verdict

    def _make(self, request: SpecRequest) -> FieldSpec:
        with speaking(self.language):
            spec = make_spec(request, merged_options(request.ui_places), self)
        usual = self._usual_alternative(spec)
        return spec if usual is None else replace(spec, shape=replace(spec.shape, usual=usual))

    def _usual_alternative(self, spec: FieldSpec) -> int | None:
        """Return the alternative that stands for all; None if people have to choose.

        It is a text, such as a date-time, and all that it allows is allowed by each of the others,
        which are edited as text, too.
        """
        if spec.kind != "alternatives":
            return None
        usual = self.chosen_alternative(spec, None)
        kinds = [branch.kind for branch in spec.shape.branches]
        if kinds[usual] not in TEXT_KINDS or not {*kinds} <= {*TEXT_KINDS, "json"}:
            return None
        others = (at for at in range(len(kinds)) if at != usual)
        return usual if all(self._is_narrower(spec, usual, at) for at in others) else None


def _choices_of_undeclared(
    node: Node, place: str, dependencies: Mapping[str, Any]
) -> Iterator[Condition]:
    """Yield a condition for each member that requires others which no schema describes.

    They have fields while that member is there.
    """
    for name, needed in dependencies.items():
        known = {*node.properties, *node.required}
        others = [] if is_schema(needed) else [one for one in needed if one not in known]
        others = [one for one in others if can_have_value(node.child(one))]
        if others:
            pointer = f"{place}/{escape_token(name)}"
            without = Branch(pointer, absent=(name,))
            yield Condition(
                "dependencies", pointer, (without, Branch(pointer, present=(name, *others)))
            )


def _needed_members(condition: Condition, value: Any) -> tuple[str, ...]:
    """Return the members that are required since another one is there."""
    if condition.keyword != "dependencies" or type(value) is not dict:
        return ()
    name, *others = condition.branches[1].present
    return tuple(others) if name in value else ()


def _free_alternative(spec: FieldSpec, element: Element | None) -> int:
    """Return the alternative for the type of a free value; JSON if there is none, or too much."""
    if element is None:
        return 0
    if (element.kind,) not in spec.accepted or is_large(element, MAX_FREE_PARTS):
        return len(spec.accepted) - 1
    return spec.accepted.index((element.kind,))


def is_large(element: Element, most: int) -> bool:
    """Return True if a value has more parts than that, of all levels."""
    if element.end - element.start < 2 * most:  # of characters: each part has one, and a separator
        return False
    return next(islice(element.walk(), most, None), None) is not None


def _named(node: Node, value: Any) -> int:
    """Return in how many more members a value has one of the allowed values than another one."""
    if type(value) is not dict:
        return 0
    fits = (
        canonical(value[name]) in map(canonical, child.values)
        for name, child in node.properties.items()
        if name in value and child.values is not None
    )
    return sum(1 if one else -1 for one in fits)

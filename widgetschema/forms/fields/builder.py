"""Build the fields of a form: one walk over schema, text and posted controls.

Each place is a node of the schema tree, the element of the text that is there, if any, and the
value by which conditions are decided. What an untouched form shows (`pristine`) follows from
schema and text; posted controls are laid over it. A value that is too large for a form, nested
too deeply, or of another type than its control is shown as JSON: no part of the data is without
a field. A finding goes to the field at its path; if there is none, to the container around it.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, takewhile
from typing import Any, Final

from widgetschema.cached import cached_property
from widgetschema.errors import TooManyFields, UnreadableDocument
from widgetschema.findings import Finding
from widgetschema.forms import control_names as names
from widgetschema.forms.checking import SchemaChecks, plain_numbers
from widgetschema.forms.control_names import control_name
from widgetschema.forms.custom_controls import control_of
from widgetschema.forms.fields import labels
from widgetschema.forms.fields.control_kinds import kind_for_value
from widgetschema.forms.fields.field_specs import (
    MAX_FREE_PARTS,
    Cuts,
    FieldSpec,
    FieldSpecs,
    MemberSlot,
    SpecRequest,
    html_id_part,
    is_large,
    is_read_only,
)
from widgetschema.forms.fields.initial_values import ABSENT, MAX_LEVELS, is_complete
from widgetschema.forms.fields.member_names import names_in_schema, style_names
from widgetschema.forms.fields.overlay import Overlay, selectable_states
from widgetschema.forms.fields.placeholders import Secrets
from widgetschema.forms.fields.presentation import presentation
from widgetschema.forms.fields.ui_description import UiPlaces, merged_options, without_options
from widgetschema.forms.fields.untouched import UntouchedFields
from widgetschema.forms.fields.value_transfer import transferable_text
from widgetschema.forms.fields.visibility import conceal
from widgetschema.forms.model import (
    CHOICE_KINDS,
    CONTAINER_KINDS,
    HOLDER_KINDS,
    ID,
    KEPT,
    NULL,
    NUMBER_KINDS,
    TEXT_KINDS,
    UNSET,
    Choice,
    Control,
    Field,
    PostedControls,
    Shape,
    State,
    TransferredValue,
    UiOptions,
)
from widgetschema.forms.newlines import normalize_newlines
from widgetschema.forms.posted_controls import MAX_CONTROLS, with_added
from widgetschema.forms.secrecy import any_row, has_placeholder, is_placeholder, with_stand_ins
from widgetschema.forms.texts import text
from widgetschema.forms.uploads import LARGE, digest_text
from widgetschema.jsontext import preview
from widgetschema.jsontext.digests import is_same_value
from widgetschema.jsontext.equality import canonical
from widgetschema.jsontext.rewriting import Node as EditNode
from widgetschema.jsontext.rewriting import removed_by, tokens_after, tokens_before
from widgetschema.jsontext.tokens import NUMBER
from widgetschema.jsontext.tree import Element, Member, Tree, parse
from widgetschema.languages import speaking
from widgetschema.pointers import escape_token, format_pointer, is_index, parse_pointer, step
from widgetschema.schema.tree import Node

_UNSET: Final = Control("unset")
_NULL_CONTROL: Final = Control("null")
_NOT_CHOSEN: Final = Control("unset", UNSET)
_NULL_CHOSEN: Final = Control("null", NULL)
_KEPT_CHOSEN: Final = Control("kept", KEPT)

MAX_FIELDS: Final = 2_000  # of an untouched form; what is left is shown as JSON
_MIN_VISIBLE: Final = 10  # fields: with room for fewer, a container is shown as JSON altogether
_MAX_KEPT: Final = 100  # items of a selection that are no choices
_MAX_FIRST_ROWS: Final = 20  # that a list begins with, if so many are needed


@dataclass(slots=True)
class FieldContext:
    """The place where a field is built, filled in by the field around it.

    `value` is the resulting value, or `ABSENT`. `key` is the name of an additional member, None for
    all others; `shown_key` the one that was posted. `inactive` is True in an alternative that is
    not chosen. `is_transferred` is True if the element was in another alternative, or is what a new
    place begins with; `transferred` is then its text, if not that of the form. `is_added` is True
    for a group or list that is not there, and that a person has added. `undecided` is the node from
    before conditions were decided, if there are any.
    """

    name: str
    id: str
    path: str | None
    element: Element | None
    value: Any
    label: str = ""
    level: int = 0
    ui_places: UiPlaces = ()
    member: Member | None = None
    row: str = ""
    key: str | None = None
    shown_key: str | None = None
    needs_value: bool = False
    inactive: bool = False
    is_transferred: bool = False
    transferred: TransferredValue | None = None
    is_added: bool = False
    undecided: Node | None = None

    def is_optional(self, shape: Shape) -> bool:
        """Return True if there need not be a value."""
        return not (shape.required or self.needs_value or self.row)

    def begin_with(self, tree: Tree | None) -> None:
        """Take what a new value begins with as the value, if there is such."""
        if tree is not None:
            self.element, self.is_transferred = tree.root, True
            self.transferred = TransferredValue(tree, new=True)


@dataclass(frozen=True, slots=True)
class ChosenAlternative:
    """The index of an alternative that was chosen, and the schemas of all of them."""

    index: int
    branch_pointers: tuple[tuple[str, ...], ...]


_NEW_ROW: Final = re.compile(r"/\+[0-9]+(?=[/;]|\Z)")


def _schema_place(name: str) -> str:
    """Return the JSON Pointer by which schemas describe the value of a control, also in a row."""
    return names.pointer_of(_NEW_ROW.sub("/0", name))


@dataclass(frozen=True, eq=False)
class FormSource:
    """The material of a form: the specs of a schema, a text, and the place of the data in it.

    The text has placeholders for its `secrets`. `at` is the JSON Pointer of the data. The ids of
    all fields begin with `id`. In a draft, a text that earlier posts of a page have made, `chosen`
    are the alternatives that people chose, by the JSON Pointer of the value, and `earlier` are the
    texts before it, the stored one first, each with its edit. `gone` are values that earlier posts
    have taken away, by the JSON Pointers where they would be now.
    """

    specs: FieldSpecs
    tree: Tree
    at: str
    secrets: Secrets
    id: str = ID
    chosen: Mapping[str, ChosenAlternative] = field(default_factory=dict)
    earlier: tuple[tuple[Tree, EditNode], ...] = ()
    gone: Mapping[str, Element] = field(default_factory=dict)

    @classmethod
    def of(cls, specs: FieldSpecs, tree: Tree, at: str, id: str = ID) -> FormSource:
        """Return the material of the form of a text with its secrets."""
        tree, secrets = Secrets(specs, at).put_aside(tree, is_stored=True)
        return cls(specs, tree, at, secrets, id)

    @property
    def checks(self) -> SchemaChecks:
        """The checks of the data against the schema."""
        return self.specs.checks

    @cached_property
    def element(self) -> Element:
        """The element of the data in the text."""
        element = self.tree.at(self.at)
        if element is None:
            raise LookupError(self.at)
        return element

    def has_value(self, pointer: str) -> bool:
        """Return True if there is a value at a place, other than null."""
        element = self.tree.at(pointer)
        return element is not None and element.kind != "null"

    def stored_tokens(self, pointer: str) -> list[str] | None:
        """Return the tokens in the stored data of a place in this text; None if it is new."""
        tokens: list[str] | None = parse_pointer(pointer.removeprefix(self.at))
        for _, edit in reversed(self.earlier):
            tokens = None if tokens is None else tokens_before(edit, tokens)
        return tokens

    def stored_at(self, pointer: str) -> Element | None:
        """Return what the value at a place is in the stored text; None if it is not there."""
        tree, tokens = self.tree, self.stored_tokens(pointer)
        if self.earlier:
            tree, _ = self.earlier[0]
        return None if tokens is None else tree.at(self.at + format_pointer(tokens))

    def is_edited(self, pointer: str) -> bool:
        """Return True if the stored text has another value, or none, at a place of this draft."""
        now = self.tree.at(pointer) if self.earlier else None
        stored = None if now is None else self.stored_at(pointer)
        return now is not None and (stored is None or not is_same_value(now.raw, stored.raw))

    @cached_property
    def large_files(self) -> tuple[Element, ...]:
        """The files in the data that are not sent back by a page."""
        if not self.specs.has_uploads:
            return ()
        root = self.build(None, self.data)
        found = (one.original for one in root.walk() if one.kind == "upload")
        return tuple(
            one
            for one in found
            if one is not None and self.tree.has(one) and one.end - one.start > LARGE
        )

    @cached_property
    def text(self) -> str:
        """The whole text, with its secrets."""
        return self.secrets.put_back(self.tree.text)

    @property
    def value(self) -> Any:
        """The value of the data, with its secrets."""
        return self.secrets.real(self.element, self.at).value

    @cached_property
    def data(self) -> Any:
        """The same, as schemas decide about it."""
        return plain_numbers(self.value)

    def with_secrets(self) -> FormSource:
        """Return the material of a form that shows the secrets."""
        return replace(self, tree=Tree(self.text), secrets=Secrets(self.specs, self.at))

    def with_text(self, text: str) -> FormSource:
        """Return the material of the form of another text, which may have placeholders of this."""
        tree, secrets = self.secrets.put_aside(Tree(text))
        return replace(self, tree=tree, secrets=secrets, chosen={}, earlier=(), gone={})

    def edited(self, text: str, edit: EditNode) -> FormSource:
        """Return the material of the draft that an edit makes of this text."""
        made, gone = self.with_text(text), dict(removed_by(edit, self.at))
        for pointer, element in self.gone.items():
            *around, token = parse_pointer(pointer.removeprefix(self.at))
            now = tokens_after(edit, around)
            if now is not None:
                gone.setdefault(self.at + format_pointer([*now, token]), element)
        known = {at: one for at, one in gone.items() if at != self.at and not made.has_value(at)}
        gone = {
            at: one
            for at, one in known.items()
            if at.rpartition("/")[0] not in known and not is_placeholder(one.raw)
        }
        return replace(made, earlier=(*self.earlier, (self.tree, edit)), gone=gone)

    def is_secret_control(self, name: str) -> bool:
        """Return True if what is typed into a control may be a secret."""
        at = name.find(names.ROOT)
        if names.UNREAD in name:
            return names.unread_parts(name).secret
        return at >= 0 and self.secrets.may_be_at(_schema_place(name[at:]))

    @cached_property
    def public_text(self) -> str:
        """The text as a page has it, with the digest of each large file in its place."""
        return with_stand_ins(
            self.tree.text, [(one, digest_text(one.raw)) for one in self.large_files]
        )

    def read(self, posted: PostedControls) -> Field:
        """Return the fields of the form that was shown, with what was posted.

        Conditions are decided by the values in the text: what was posted is read by the form that
        people had before them. Raises `TooManyFields`.
        """
        with speaking(self.specs.language):
            return self._build(posted, self.data, (), is_reading=True)

    def build(
        self, posted: PostedControls | None, data: Any, findings: Sequence[Finding] = ()
    ) -> Field:
        """Return the field of the data, with all fields below it.

        `posted` are the controls that were submitted; one that is missing leaves its value
        unchanged. `data` is the value that results, by which conditions are decided. `findings`,
        whose paths are those in the whole text, go to the fields that they are about; those about
        other parts of the text are left out.

        Raises `TooManyFields`.
        """
        with speaking(self.specs.language):
            return self._build(posted, data, findings)

    @property
    def untouched(self) -> UntouchedFields | None:
        """The fields of the untouched form; None if there are none."""
        return self.specs.untouched.get(self.tree, {}).get((self.at, self.id))

    def _build(
        self,
        posted: PostedControls | None,
        data: Any,
        findings: Sequence[Finding],
        *,
        is_reading: bool = False,
    ) -> Field:
        specs, at = self.specs, self.at
        cuts = specs.cuts.setdefault(self.tree, {})
        if posted is None:
            walk = _FieldBuilder(self, None, findings, None)
            root = walk.build_root(at, self.element, data, self.id)
            cuts[at] = walk.visible_counts, walk.hidden_names
            specs.untouched.setdefault(self.tree, {})[at, self.id] = UntouchedFields(root)
            return conceal(root, data, at) if specs.has_conditions else root
        if at not in cuts:  # what is too much for the form does not depend on what was posted
            self.build(None, self.data)
        untouched = self.untouched if is_reading or not specs.depends_on_data else None
        walk = _FieldBuilder(
            self, Overlay(posted), findings, cuts[at], untouched, is_reading=is_reading
        )
        root = walk.build_root(at, self.element, data, self.id)
        return conceal(root, data, at) if specs.has_conditions else root


class _FieldBuilder:
    """One walk over schema, text and controls.

    `visible_counts` has the number of visible children of each container that is too large for the
    form, by name. `hidden_names` are the members of such objects without a field of their own. Both
    are measured on the untouched form, and stay the same whatever was posted, even if a condition
    of the schema brings other fields. A walk that `is_reading` decides conditions by the values in
    the text, wherever these are moved.
    """

    def __init__(
        self,
        source: FormSource,
        overlay: Overlay | None,
        findings: Sequence[Finding],
        visible_counts: Cuts | None,
        untouched: UntouchedFields | None = None,
        *,
        is_reading: bool = False,
    ) -> None:
        self.source = source
        self.specs = source.specs
        self.is_reading = is_reading
        self.overlay = overlay
        self.unclaimed = UnclaimedFindings(findings) if findings else None
        self.visible_counts, self.hidden_names = (
            ({}, {}) if visible_counts is None else visible_counts
        )
        self.field_limit = MAX_FIELDS
        self.is_measuring = visible_counts is None
        self.untouched = untouched
        self.is_read_only = False  # where the walk is
        self.count = 0
        self.copies: dict[str, str] = {}  # rows that are copies, and the rows they are made of

    def build_root(self, at: str, element: Element, data: Any, id: str) -> Field:
        """Return the field of the data as a whole."""
        self.depth = len(parse_pointer(at))
        name = control_name(at)
        context = FieldContext(
            name, id + html_id_part(name[1:]), at, element, data, ui_places=self.specs.ui_places
        )
        request = SpecRequest(
            self.specs.tree.root, "", text("label.data"), required=True, ui_places=context.ui_places
        )
        root = self.build_field(context, request)
        if root.kind in CONTAINER_KINDS:
            return root
        return root._replace(unread=tuple(self._unread_fields(context, root.shape)))

    def build_field(
        self, context: FieldContext, request: SpecRequest, spec: FieldSpec | None = None
    ) -> Field:
        """Return the field of a place; `spec` is its spec, if that is known already."""
        self.count += 1
        if self.count > MAX_CONTROLS:
            raise TooManyFields(self.count, MAX_CONTROLS)
        if spec is None:
            node = self.specs.decide_conditions(request.node, context.value)
            if node is not request.node:
                context.undecided = request.node
                request = request._replace(node=node)
            spec = self.specs.get(request)
        if self.is_read_only or not self._protects(context, spec):
            return self._field_of(context, request, spec)
        # Nothing that was posted counts here.
        overlay, self.overlay, self.is_read_only = self.overlay, None, True
        try:
            field = self._field_of(context, request, spec)
        finally:
            self.overlay, self.is_read_only = overlay, False
        return field._replace(note=field.note or text("note.read-only"))

    def _again(
        self, context: FieldContext, name: str, path: str | None, element: Element | None
    ) -> Field | None:
        """Return the field of a member or an item from the untouched form, if it is the same here.

        `context` is that of the field around it.
        """
        overlay = self.overlay
        if self.untouched is None or overlay is None or path is None:
            return None
        if context.inactive or context.is_transferred or overlay.is_about(name):
            return None
        if self.unclaimed is not None and self.unclaimed.has_below(path):
            return None
        return self.untouched.at(name, path, element)

    def _protects(self, context: FieldContext, spec: FieldSpec) -> bool:
        """Return True if a value cannot be edited.

        A new one that is needed can, and an alternative that is not that of the stored value: what
        it has was typed there, or comes from another one.
        """
        branches = spec.shape.branches
        if not (spec.shape.read_only or any(branch.read_only for branch in branches)):
            return False
        place = self._place_before(context)
        is_edited = place is not None and self.source.is_edited(place)
        element = None if is_edited else context.element
        is_branch = ";" in context.name.rpartition("/")[2]
        if element is None and (context.needs_value or is_branch):
            return False
        if is_branch and context.is_transferred:
            return False
        if element is not None and any(branch.read_only for branch in branches):
            branch = branches[self._alternative_of(context, spec)]
            return branch.read_only and not self._is_null_of_none(branch, element)
        return spec.shape.read_only

    def _is_null_of_none(self, branch: Shape, element: Element | None) -> bool:
        """Return True for a null that a read-only alternative does not describe."""
        if element is None or element.kind != "null" or not branch.read_only:
            return False
        accepts = self.specs.checks.accepts
        return not any(accepts((pointer,))(None) for pointer in branch.branch_pointers)

    def _field_of(self, context: FieldContext, request: SpecRequest, spec: FieldSpec) -> Field:
        if context.element is not None and self.source.secrets.known:
            if self._is_secret(context, spec, context.element):
                is_place = self.source.secrets.is_place(self._place(context))
                is_misplaced = spec.kind in CONTAINER_KINDS and not is_place
                return self._secret_field(
                    context, spec, text("note.secret") if is_misplaced else ""
                )
        kind = spec.kind
        if kind in CHOICE_KINDS:
            return self._choice_field(context, spec)
        if kind == "checkboxes":
            return self._selection_field(context, spec)
        if kind == "object":
            return self._object_field(context, spec)
        if kind in ("list", "tuple"):
            return self._array_field(context, spec, request)
        if kind == "alternatives":
            return self._alternatives_field(context, spec, request)
        if kind == "custom":
            return self._custom_field(context, spec)
        return self._input_field(context, spec)

    # One control

    def _custom_field(self, context: FieldContext, spec: FieldSpec) -> Field:
        """Return a field with a control of the application."""
        element, control = context.element, control_of(spec.shape)
        if element is None:
            return self._field_with_states(context, spec, spec.kind, _UNSET)
        if element.kind == "null" and spec.shape.nullable:
            return self._field_with_states(context, spec, spec.kind, _NULL_CONTROL)
        if element.kind not in control.types:
            return self.json_field(context, spec, text("note.type"))
        content = control.text_of(element.value, context.path or "")
        if "\0" in content:
            return self.json_field(context, spec, text("note.character"))
        return self._field_with_states(context, spec, spec.kind, Control("set", content))

    def _input_field(self, context: FieldContext, spec: FieldSpec) -> Field:
        """Return a field for text, a number, or JSON."""
        kind, element = spec.kind, context.element
        if spec.shape.secret:
            return self._secret_field(context, spec)
        if element is None:
            pristine = _UNSET
        elif kind == "json":
            return self.json_field(context, spec)
        elif kind in NUMBER_KINDS:
            if element.kind in ("object", "array"):
                return self.json_field(context, spec, text("note.type"))
            pristine = _scalar_control(element, "number", spec.shape)
        else:
            if element.kind in ("object", "array"):
                return self.json_field(context, spec, text("note.type"))
            if element.kind == "string" and kind == "upload":
                pristine = Control("kept" if element.value else "empty")
            elif element.kind == "string":
                content = element.value
                if "\0" in content:
                    return self.json_field(context, spec, text("note.character"))
                content = normalize_newlines(content)
                pristine = Control("set" if content else "empty", content)
                kind = kind_for_value(kind, content)
            else:
                pristine = _scalar_control(element, "", spec.shape)
        is_text = kind not in NUMBER_KINDS and kind != "json"
        return self._field_with_states(context, spec, kind, pristine, is_text=is_text)

    def json_field(self, context: FieldContext, spec: FieldSpec, note: str = "") -> Field:
        """Return a field for a value of any type, as JSON text."""
        element = context.element
        if element is not None and has_placeholder(element.raw):
            return self._secret_field(context, spec, text("note.secret"))
        pristine = _UNSET if element is None else Control("set", element.dedented)
        return self._field_with_states(context, spec, "json", pristine, note=note)

    def _is_secret(self, context: FieldContext, spec: FieldSpec, element: Element) -> bool:
        """Return True if a value is a secret by a schema that does not apply to the present data.

        So is a value that holds a secret, if it would be shown as a whole.
        """
        if spec.shape.secret or not has_placeholder(element.raw):
            return False
        if spec.kind == "constant":  # the schema shows it
            return canonical(self._real(context, element).value) not in spec.choice_ids
        if spec.kind in (*CHOICE_KINDS, "checkboxes"):
            return True
        holds_others = spec.kind == "alternatives" and not spec.shape.free
        return is_placeholder(element.raw) and not holds_others

    def _real(self, context: FieldContext, element: Element) -> Element:
        """Return the value of a place with its secrets, to decide by it."""
        return self.source.secrets.real(element, self._place(context))

    def _place(self, context: FieldContext) -> str:
        """Return the JSON Pointer of a place, also in an alternative that is not chosen."""
        return _schema_place(context.name) if context.path is None else context.path

    def _secret_field(self, context: FieldContext, spec: FieldSpec, note: str = "") -> Field:
        """Return a field for a value that can be replaced, and is not shown."""
        shape, element = spec.shape, context.element
        if not shape.secret:
            kind = "json"
            if not note and shape.free and element is not None:
                real = self._real(context, element)
                is_known = not is_placeholder(real.raw)
                if real.kind == "string" and (is_known or "string" in shape.node.kinds):
                    kind = "password"
            shape = replace(spec.shape_as("json"), kind=kind, secret=True)
            if not note and spec.kind in TEXT_KINDS:
                shape = replace(spec.shape_as("password"), secret=True)
        if element is None:
            pristine = _UNSET
        elif element.kind == "null" and shape.nullable:
            pristine = _NULL_CONTROL
        else:
            pristine = Control("kept")
        is_text = shape.kind == "password"
        kind, optional = "text" if is_text else "container", context.is_optional(shape)
        states = selectable_states(kind, optional, shape.nullable, pristine.state)
        shown, needs_value = pristine, context.needs_value
        if self.overlay is not None:
            shown = self.overlay.typed(
                pristine, context.name, states, needs_value=needs_value, is_text=is_text
            )
        return self.make_field(context, shape, pristine, shown, states=states, note=note)

    def _field_with_states(
        self,
        context: FieldContext,
        spec: FieldSpec,
        kind: str,
        pristine: Control,
        *,
        is_text: bool = False,
        note: str = "",
    ) -> Field:
        shape = spec.shape_as(kind)
        note = note or spec.note
        states = self._states(context, shape, "text" if is_text else "other", pristine.state)
        shown = pristine
        if self.overlay is not None:
            shown = self.overlay.typed(
                pristine, context.name, states, needs_value=context.needs_value, is_text=is_text
            )
            if is_text and "\n" in shown.text:
                shape = spec.shape_as(kind_for_value(kind, shown.text))
        return self.make_field(context, shape, pristine, shown, states=states, note=note)

    def _choice_field(self, context: FieldContext, spec: FieldSpec) -> Field:
        """Return a field for one of several values."""
        shape, element = spec.shape, context.element
        optional = context.is_optional(shape)
        if element is None:
            pristine = _NOT_CHOSEN
            # A list to select from has to show that nothing is chosen; radio buttons just do.
            placeholder = not shape.as_radio or (
                spec.kind == "constant" and not context.needs_value
            )
            choices = spec.choices(optional or placeholder)
        elif element.kind == "null" and shape.nullable:
            pristine = _NULL_CHOSEN
            choices = spec.choices(optional)
        else:
            value = self._real(context, element).value
            id = spec.choice_ids.get(canonical(value))
            choices = spec.choices(optional)
            pristine = _KEPT_CHOSEN if id is None else Control("set", id)
            if id is None:
                choices = (
                    *choices,
                    Choice(KEPT, text("choice.kept", value=preview(value)), element.raw),
                )
        shown = pristine
        if self.overlay is not None:
            if spec.kind != "constant" or len(choices) > 1:
                shown = self.overlay.chosen(pristine, context.name)
        return self.make_field(context, shape, pristine, shown, choices=choices)

    def _selection_field(self, context: FieldContext, spec: FieldSpec) -> Field:
        """Return a field for any of several values; items that are no choices can be kept."""
        shape, element = spec.shape, context.element
        pristine, kept = _UNSET, []
        if element is not None and element.kind == "null" and shape.nullable:
            pristine = _NULL_CONTROL
        elif element is not None:
            if element.kind != "array":
                return self.json_field(context, spec, text("note.type"))
            ids: dict[str, None] = {}
            for at, item in enumerate(element.items):
                id = spec.choice_ids.get(canonical(item.value))
                if id is None or id in ids:
                    id = f"k{at}"
                    label = text("choice.kept", value=preview(item.value))
                    kept.append(Choice(id, label, item.raw))
                ids[id] = None
            if len(kept) > _MAX_KEPT:
                return self.json_field(context, spec, text("note.fields"))
            pristine = Control("set", ",".join(ids))
        states = self._states(context, shape, "container", pristine.state)
        shown = pristine
        if self.overlay is not None:
            shown = self.overlay.selected(
                pristine,
                context.name,
                (choice.id for choice in shape.choices),
                states,
                needs_value=context.needs_value,
            )
        choices = (*shape.choices, *kept)
        return self.make_field(context, shape, pristine, shown, states=states, choices=choices)

    # What all have in common

    def _states(
        self, context: FieldContext, shape: Shape, kind: str, state: State
    ) -> tuple[State, ...]:
        """Return the states to choose from, by the one in the data. See `selectable_states`."""
        known: State = "set" if context.needs_value and state == "unset" else state
        return selectable_states(kind, context.is_optional(shape), shape.nullable, known)

    def make_field(
        self,
        context: FieldContext,
        shape: Shape,
        pristine: Control,
        shown: Control,
        *,
        states: tuple[State, ...] = (),
        choices: tuple[Choice, ...] = (),
        children: tuple[Field, ...] = (),
        opened: bool = True,
        findings: tuple[Finding, ...] = (),
        note: str = "",
        offered: tuple[str, ...] = (),
    ) -> Field:
        """Return the field of a place, with the findings there and below."""
        if context.key is not None:
            shown_key = context.key if context.shown_key is None else context.shown_key
            unchanged = shown is pristine and shown_key == context.key
            pristine = pristine._replace(key=context.key)
            shown = pristine if unchanged else shown._replace(key=shown_key)
        if self.unclaimed is not None and context.path is not None:
            findings = (*findings, *self.unclaimed.below(context.path))
        return Field(
            shape,
            context.name,
            context.id,
            context.path,
            context.element,
            pristine,
            shown,
            context.label or shape.label,
            context.member,
            states,
            choices,
            children,
            context.row,
            context.key is not None,
            context.needs_value,
            opened,
            findings,
            note,
            context.transferred,
            self.is_read_only,
            offered=offered,
            gone=self._gone_text(context, shape),
        )

    def _gone_text(self, context: FieldContext, shape: Shape) -> Element | None:
        """Return the value that an earlier post has taken away, unless nobody may see it."""
        path = self._place_before(context)
        if context.element is not None or path is None or path not in self.source.gone:
            return None
        if shape.secret or self.is_read_only or shape.kind in (*HOLDER_KINDS, "upload"):
            return None
        gone = self.source.gone[path]
        holds_others = gone.kind in ("object", "array")
        return None if holds_others and self.specs.has_secrets else gone

    # Objects

    def _object_field(self, context: FieldContext, spec: FieldSpec) -> Field:
        self._begin_if_added(context, spec)
        element = context.element
        members = element.members if element is not None else ()
        former = self._former_slots(context, spec, members)
        all_slots = (*spec.slots, *former)
        known = spec.names.union(slot.name for slot in former)
        extra = {
            names.row_id(member.name): member for member in members if member.name not in known
        }
        note = self._json_reason(context, spec, "object")
        if note:
            return self.json_field(context, spec, note)
        size = len(all_slots) + len(extra)
        named = (self._member_field(context, slot) for slot in all_slots)
        more = (self._additional_member_field(context, spec, id, extra[id]) for id in extra)
        fit = self._count_visible(context, size, chain(named, more))
        if not fit and size:
            return self.json_field(context, spec, text("note.fields"))
        if self.is_measuring and fit < size:
            order = (*(slot.name for slot in all_slots), *(one.name for one in extra.values()))
            self.hidden_names[context.name] = frozenset(order[fit:])
        hidden_names = self.hidden_names.get(self._measured_name(context.name), frozenset())
        slots = [slot for slot in all_slots if slot.name not in hidden_names]
        extra = {id: member for id, member in extra.items() if member.name not in hidden_names}
        pristine, shown, states = self._container_controls(context, spec, tuple(extra))
        if shown.rows != pristine.rows:  # a member that cannot be edited cannot be removed
            rows = [*shown.rows]
            for at, id in enumerate(extra):
                if id not in rows and self._is_fixed(context, spec, extra[id]):
                    before = [one for one in pristine.rows[:at] if one in rows]
                    rows.insert(rows.index(before[-1]) + 1 if before else 0, id)
            shown = shown._replace(rows=tuple(rows))
        if not self._is_open(context, spec):
            return self.make_field(
                context, spec.shape, pristine, shown, states=states, opened=False
            )
        children = [self._member_field(context, slot) for slot in slots]
        if former:
            names_then = {slot.control for slot in former}
            children = [
                child._replace(former=True, note=child.note or text("note.former"))
                if child.name.rpartition("/")[2] in names_then
                else child
                for child in children
            ]
        offered = _offered_names(context, spec, members) if spec.shape.open else ()
        children += [
            self._additional_member_field(context, spec, id, extra.get(id), offered)
            for id in shown.rows
        ]
        if hidden_names:
            rest = tuple(member for member in members if member.name in hidden_names)
            children.append(self._rest_field(context, spec, rest, "member"))
        children += self._unread_fields(context, spec.shape)
        shown = _set_if_filled(children, pristine, shown)
        if shown.state == "set" and (pristine.state != "set" or context.is_transferred):
            for at, slot in enumerate(slots):
                node = self._new_member(context, slot) if slot.request.required else None
                if node is not None:
                    build = partial(self._member_field, context, slot)
                    children[at] = self._begun(children[at], node, build)
        return self.make_field(
            context,
            spec.shape,
            pristine,
            shown,
            states=states,
            children=tuple(children),
            offered=offered,
        )

    def _unread_fields(self, context: FieldContext, around: Shape) -> list[Field]:
        """Return the fields of texts that were typed for values that have no control for them now.

        Such a text is no value: it stays until a person empties the control.
        """
        found = []
        for name in [] if self.overlay is None else self.overlay.unread_in(context.name):
            typed, parts = self._posted(name) or "", names.unread_parts(name)
            kind = "password" if parts.secret else "long-text" if "\n" in typed else "text"
            shape = Shape(kind, parts.label, around.node, secret=parts.secret)
            id = f"{context.id}-{html_id_part(name.rpartition('/')[2])}"
            child = FieldContext(name, id, None, None, ABSENT, inactive=context.inactive)
            shown = Control("unset", typed)
            field = self.make_field(child, shape, _UNSET, shown, note=text("note.former"))
            found.append(field._replace(is_unread=True))
        return found

    def _former_slots(
        self, context: FieldContext, spec: FieldSpec, members: Sequence[Member]
    ) -> list[MemberSlot]:
        """Return the slots of members that only conditions describe that do not hold."""
        if context.undecided is None:
            return []
        described = self.specs.former_members(context.undecided, context.ui_places)
        found = [described[one.name] for one in members if one.name in described]
        node = spec.shape.node
        return [
            slot
            for slot in found
            if slot.name not in spec.names
            and (presentation(node.child(slot.name)).anything or not node.child(slot.name).kinds)
        ]

    def _new_member(self, context: FieldContext, slot: MemberSlot) -> Node | None:
        """Return the node of a required member of a new object; None if it is not added yet.

        It is if it is always required, or if a condition requires it and it needs no more input.
        """
        undecided = context.undecided
        if undecided is None:
            return slot.request.node
        node = self.specs.decide_conditions(undecided, context.value, is_new=True)
        member = node.child(slot.name)
        if slot.name in undecided.required:
            return member
        initial = self.specs.initial(member) if slot.name in node.required else None
        fits = self.specs.checks.validator.fits
        is_begun = initial is not None and is_complete(member, initial.root.value, fits)
        return member if is_begun else None

    def _begun(self, child: Field, node: Node, build: Callable[[Tree | None], Field]) -> Field:
        """Return a required part of a new value: if it is not set, with what it begins with.

        That is its first value, which `build` gets, or else the first rows of a list.
        """
        chosen, overlay = child.chosen, self.overlay
        if chosen.shown.state != "unset" or not child.opened:
            return child
        initial, begun = self.specs.initial(node), None  # nothing was typed there
        if initial is None:
            is_empty = chosen.opened and not chosen.shown.rows
            if not (is_empty and self.specs.needed_items(chosen.shape)):
                return child
            begun = Overlay(with_added({} if overlay is None else overlay.posted, chosen.name))
        self.overlay = begun
        try:
            return build(initial)
        finally:
            self.overlay = overlay

    def _member_field(
        self, context: FieldContext, slot: MemberSlot, initial: Tree | None = None
    ) -> Field:
        """Return the field of a member that the schema names."""
        element = context.element
        member = element.member(slot.name) if element is not None else None
        name, path = f"{context.name}/{slot.control}", None
        if context.path is not None:
            path = f"{context.path}/{slot.token}"
        element = None if member is None else member.element
        if (again := self._again(context, name, path, element)) is not None:
            return again
        child = FieldContext(
            name,
            f"{context.id}-{slot.id}",
            path,
            element,
            _member_value(context.value, slot.name),
            "",
            context.level + 1,
            slot.request.ui_places,
            member,
            inactive=context.inactive,
            is_transferred=context.is_transferred,
        )
        child.begin_with(initial)
        spec = self.specs.of_member(slot)
        return self.build_field(child, slot.request, spec)

    def _additional_member_field(
        self,
        context: FieldContext,
        spec: FieldSpec,
        id: str,
        member: Member | None,
        offered: tuple[str, ...] = (),
    ) -> Field:
        """Return the field of a member that the schema does not name: a row with a key.

        A name that is `offered` is said in words.
        """
        name = names.row_name(context.name, id)
        key = "" if member is None else member.name
        posted = self._posted(names.companion_name(names.KEY, name))
        if posted is not None and member is not None and self._is_fixed(context, spec, member):
            posted = None
        shown = key if posted is None or posted == normalize_newlines(key) else posted
        path = None if context.path is None else f"{context.path}/{escape_token(shown)}"
        restored = None if member is not None else self._restored(context, name)
        is_new = self.is_reading and member is None
        if member is not None:
            again = self._again(context, name, path, member.element)
            if again is not None:
                return again
        if shown in offered:
            label = labels.label_from_name(shown)
        else:
            label = labels.literal_label(shown) if shown or member else text("label.new-member")
        child = FieldContext(
            name,
            f"{context.id}-{html_id_part(id)}",
            path,
            None if member is None else member.element,
            ABSENT if is_new else _member_value(context.value, key if self.is_reading else shown),
            label,
            context.level + 1,
            step(context.ui_places, key) if context.ui_places else (),
            member,
            row=id,
            key=normalize_newlines(key),
            shown_key=normalize_newlines(shown),
            needs_value=member is None,
            inactive=context.inactive,
        )
        assert spec.rest is not None
        if restored is not None:
            self._restore(child, restored)
            node = spec.shape.node.child(shown)
            return self.build_field(
                child, SpecRequest(node, shown, label, True, ui_places=child.ui_places)
            )
        if member is None:
            named = spec.shape.node.child(shown) if shown else spec.rest
            nodes = [node for node in dict.fromkeys((named, spec.rest)) if node.kinds]
            return self._new_member_field(child, shown, label, nodes or [spec.rest])
        node = spec.shape.node.child(key)
        field = self.build_field(
            child, SpecRequest(node, key, label, True, ui_places=child.ui_places)
        )
        element, is_renamed = child.element, shown != key and path is not None
        if not is_renamed or element is None or self.source.secrets.fit(element, str(path)):
            return field
        return field._replace(tells_secret=True)

    def _new_member_field(
        self, context: FieldContext, name: str, label: str, nodes: Sequence[Node]
    ) -> Field:
        """Return the field of a new member: of the first node that has a place for what was typed.

        The first one is that of its name, by which a control for colours is offered, too. The
        others are those that were shown before it had that name.
        """
        for node in nodes:
            new = replace(context)
            new.begin_with(self.specs.initial(node))
            field = self.build_field(
                new, SpecRequest(node, name, label, True, ui_places=context.ui_places)
            )
            if node is nodes[-1] or self.overlay is None:
                break
            controls = (one for one in field.walk() if one.kind not in HOLDER_KINDS)
            if self.overlay.typed_below(context.name) <= {one.name for one in controls}:
                break
        return field

    def _is_fixed(self, context: FieldContext, spec: FieldSpec, member: Member) -> bool:
        """Return True if an additional member can be neither renamed nor removed."""
        ui = merged_options(step(context.ui_places, member.name)) if context.ui_places else None
        if ui is not None and ui.readonly:
            return True
        return is_read_only(presentation(spec.shape.node.child(member.name)).node)

    # Arrays

    def _array_field(self, context: FieldContext, spec: FieldSpec, request: SpecRequest) -> Field:
        self._begin_if_added(context, spec)
        items = context.element.items if context.element is not None else ()
        note = self._json_reason(context, spec, "array")
        if note:
            return self.json_field(context, spec, note)
        fixed = len(spec.positions)
        label = labels.row_label(spec.shape.label)

        def position(at: int, initial: Tree | None = None) -> Field:
            """Return the field of an item that the schema describes by its position."""
            element = items[at] if at < len(items) else None
            child = self._item_context(context, str(at), at, element)
            child.begin_with(initial)
            node = spec.positions[at]
            child_request = SpecRequest(
                node, request.name, label, False, at < spec.shape.least, ui_places=child.ui_places
            )
            return self._numbered_item(context, child, child_request, at, is_position=True)

        def row(at: int, id: str) -> Field:
            """Return the field of an item of the list."""
            origin = self._origin(context, id, rows)
            element = None if origin is None else items[origin]
            restored = None
            if origin is None:
                restored = self._restored(context, names.row_name(context.name, id))
            if element is not None and context.path is not None:
                again = self._again(
                    context, f"{context.name}/{id}", f"{context.path}/{at}", element
                )
                if again is not None:
                    return again
            child = self._item_context(context, id, at, element)
            child.row, child.needs_value = id, element is None and restored is None
            if self.is_reading:
                child.value = ABSENT if origin is None else _item_value(context.value, origin)
            assert spec.rest is not None
            if restored is not None:
                self._restore(child, restored)
            elif origin is None:
                child.begin_with(self.specs.initial(spec.rest))
            child_request = SpecRequest(spec.rest, request.name, label, ui_places=child.ui_places)
            return self._numbered_item(context, child, child_request, at)

        rows = range(fixed, len(items))
        size = max(len(items), fixed)
        more = (row(at, str(at)) for at in range(fixed, len(items)))
        fit = self._count_visible(context, size, chain(map(position, range(fixed)), more))
        if size and fit < max(fixed, 1):
            return self.json_field(context, spec, text("note.fields"))
        pristine, shown, states = self._container_controls(
            context, spec, tuple(map(str, range(fixed, fit)))
        )
        is_new = pristine.state != "set" and shown.state == "set" and not items
        if is_new:
            shown = shown._replace(rows=self._first_rows(context, spec, shown.rows))
        if not self._is_open(context, spec):
            return self.make_field(
                context, spec.shape, pristine, shown, states=states, opened=False
            )
        children = [position(at) for at in range(fixed)]
        if is_new:
            for at, node in enumerate(spec.positions[: spec.shape.least]):
                children[at] = self._begun(children[at], node, partial(position, at))
        children += [row(at, id) for at, id in enumerate(shown.rows, fixed)]
        if fit < size:
            children.append(self._rest_field(context, spec, items[fit:], "item"))
        children += self._unread_fields(context, spec.shape)
        shown = _set_if_filled(children, pristine, shown)
        return self.make_field(
            context, spec.shape, pristine, shown, states=states, children=tuple(children)
        )

    def _first_rows(
        self, context: FieldContext, spec: FieldSpec, rows: tuple[str, ...]
    ) -> tuple[str, ...]:
        """Return the rows of a new list: those that were posted, or else as many as it needs.

        Of lists that need each other without end, the next one is left to be added.
        """
        if self._posted(names.companion_name(names.ORDER, context.name)) is not None:
            return rows
        is_asked = self._posted(names.companion_name(names.STATE, context.name)) == "set"
        is_in_new_row = _NEW_ROW.search(context.name) and not spec.shape.recursive
        if not is_asked and not (is_in_new_row and self.count <= MAX_FIELDS):
            return rows
        number = self.specs.needed_items(spec.shape) - len(spec.positions)
        return tuple(f"+{at + 1}" for at in range(min(number, _MAX_FIRST_ROWS)))

    def _origin(self, context: FieldContext, id: str, rows: range) -> int | None:
        """Return the index of the item that a row shows; of a copy, that of the item it is made of.

        None for a new row.
        """
        if not id.startswith("+"):
            return int(id)
        name = names.row_name(context.name, id)
        origin = self._posted(names.companion_name(names.ORIGIN, name))
        if origin is None or not is_index(origin) or len(origin) > 9 or int(origin) not in rows:
            return None
        self.copies[name] = names.row_name(context.name, origin)
        return int(origin)

    def _restored(self, context: FieldContext, name: str) -> TransferredValue | None:
        """Return the value of a row that was removed from an earlier text of this page."""
        origin = self._posted(names.companion_name(names.ORIGIN, name))
        number, mark, path = (origin or "").partition("/")
        if not (mark and is_index(number) and len(number) < 6):
            return None
        if context.path is None or int(number) >= len(self.source.earlier):
            return None
        place = f"/{path}"
        element = self.source.earlier[int(number)][0].at(place)
        if element is None or any_row(place.rpartition("/")[0]) != any_row(context.path):
            return None
        return TransferredValue(Tree(element.dedented))

    def _restore(self, child: FieldContext, restored: TransferredValue) -> None:
        """Give a new row the value of one that was removed."""
        child.element, child.transferred = restored.tree.root, restored
        child.needs_value, child.is_transferred = False, True
        if self.is_reading:
            child.value = restored.tree.root.value

    def _item_context(
        self, context: FieldContext, id: str, at: int, element: Element | None
    ) -> FieldContext:
        return FieldContext(
            f"{context.name}/{id}",
            f"{context.id}-{html_id_part(id)}",
            None if context.path is None else f"{context.path}/{at}",
            element,
            _item_value(context.value, at),
            level=context.level + 1,
            ui_places=step(context.ui_places, str(at)) if context.ui_places else (),
            inactive=context.inactive,
        )

    def _numbered_item(
        self,
        around: FieldContext,
        context: FieldContext,
        request: SpecRequest,
        at: int,
        *,
        is_position: bool = False,
    ) -> Field:
        """Return the field of an item: "Slide 2", and in a list in a list "Row 2.1".

        A position with a title of its own needs no number.
        """
        label = self.specs.label(request)
        if is_position and label != request.label:
            context.label = label
        elif around.row and around.key is None and label == request.label:
            context.label = f"{around.label}.{at + 1}"
        else:
            context.label = f"{label} {at + 1}"
        return self.build_field(context, request)

    # Alternatives

    def _alternatives_field(
        self, context: FieldContext, spec: FieldSpec, request: SpecRequest
    ) -> Field:
        note = self._json_reason(context, spec, "")
        if note:
            return self.json_field(context, spec, note)
        is_free = spec.shape.free
        if not self._count_visible(context, 1 if is_free else len(spec.options), ()):
            return self.json_field(context, spec, text("note.fields"))
        element = context.element
        state: State = "unset" if element is None else "set"
        if element is not None and element.kind == "null" and spec.shape.nullable:
            state = "null"
        pristine = shown = Control(state, chosen=self._chosen_before(context, spec))
        if self.overlay is not None:
            count = len(spec.options)
            chosen = self.overlay.alternative(context.name, pristine.chosen, count)
            if chosen != pristine.chosen:
                shown = pristine._replace(chosen=chosen)
        is_open = element is not None or not context.inactive or self._opens(context)
        if not (is_open or is_free):
            return self.make_field(context, spec.shape, pristine, shown, opened=False)
        findings: tuple[Finding, ...] = ()
        if self.unclaimed is not None and context.path is not None:
            findings = self.unclaimed.claim_choice(context.path)
        ui_places = context.ui_places
        if ui_places and not is_free:
            ui_places = without_options(ui_places)
        children = [
            self._omitted_branch(context, spec, at)
            if is_free and at != shown.chosen and not self._has_draft(context, spec, at)
            else self._branch_field(
                context, spec, request, at, pristine.chosen, shown.chosen, ui_places
            )
            for at in range(len(spec.options))
        ]
        return self.make_field(
            context, spec.shape, pristine, shown, children=tuple(children), findings=findings
        )

    def _chosen_before(self, context: FieldContext, spec: FieldSpec) -> int:
        """Return the alternative that was chosen in an earlier post, or else that of the value."""
        element = context.element
        place = self._place_before(context)
        chosen = None if place is None else self.source.chosen.get(place)
        if element is not None and self.overlay is not None and is_placeholder(element.raw):
            if element.raw not in self.source.secrets.known:  # only the page knows which it was
                default = self._alternative_of(context, spec)
                return self.overlay.alternative(context.name, default, len(spec.options))
        if chosen is None or element is None or context.is_transferred:
            return self._alternative_of(context, spec)
        if chosen.branch_pointers == branch_pointers_of(spec.shape):
            known = spec.accepted[chosen.index]
            if not {self._real(context, element).kind, "json"}.isdisjoint(known):
                return chosen.index
        return self._alternative_of(context, spec)

    def _alternative_of(self, context: FieldContext, spec: FieldSpec) -> int:
        """Return the alternative that describes a value, or one that a post has taken away."""
        element = context.element or self.source.gone.get(str(self._place_before(context)))
        return self.specs.chosen_alternative(spec, element and self._real(context, element))

    def _has_draft(self, context: FieldContext, spec: FieldSpec, at: int) -> bool:
        """Return True if anything was typed into an alternative of a free value."""
        if self.overlay is None or spec.accepted[at] == ("null",):
            return False
        return self.overlay.is_about(names.branch_name(context.name, at))

    def _omitted_branch(self, context: FieldContext, spec: FieldSpec, at: int) -> Field:
        """Return an alternative of a free value that is not on the page."""
        return Field(
            spec.shape.branches[at],
            names.branch_name(context.name, at),
            f"{context.id}{html_id_part(f';{at}')}",
            None,
            None,
            _UNSET,
            _UNSET,
            opened=False,
            omitted=True,
        )

    def _branch_field(
        self,
        context: FieldContext,
        spec: FieldSpec,
        request: SpecRequest,
        at: int,
        was: int,
        chosen: int,
        ui_places: UiPlaces,
    ) -> Field:
        """Return the field of one of the alternatives."""
        is_chosen, is_there = at == chosen, at == was
        name = names.branch_name(context.name, at)
        element, transferred = context.element, self._typed_transfer(name)
        if transferred is not None:
            element = transferred.tree.root
        elif not is_there and element is not None:
            element, transferred = self._untyped_transfer(
                name, element, spec, at, was, is_chosen=is_chosen
            )
        value = context.value
        if not is_chosen or (self.is_reading and not is_there):  # its fields are those of its draft
            value = ABSENT
            if element is not None and self.specs.depends_on_data:
                value = plain_numbers(self._real(context, element).value)
        child = FieldContext(
            name,
            f"{context.id}{html_id_part(f';{at}')}",
            context.path if is_chosen else None,
            element,
            value,
            level=context.level,
            ui_places=ui_places,
            member=context.member if is_there else None,
            needs_value=is_chosen and (context.needs_value or chosen != was),
            inactive=context.inactive or not is_chosen,
            is_transferred=element is not None
            and (
                transferred is not None
                or not is_there
                or self._is_null_of_none(spec.shape.branches[at], element)
            ),
            transferred=transferred,
        )
        label, required = spec.shape.branches[at].label, request.required or bool(context.row)
        node = spec.options[at].node
        shape = spec.shape.branches[at]
        is_shown = shape.free or shape.kind not in HOLDER_KINDS or self._opens(child)
        is_new = not is_there and (is_chosen or is_shown)
        if child.element is None and (is_new or context.needs_value):
            child.begin_with(self.specs.initial(node))
        alternative_count = request.alternative_count * len(spec.options)
        child_request = SpecRequest(
            node,
            request.name,
            label,
            True,
            required,
            spec.shape.nullable,
            ui_places,
            alternative_count,
        )
        if spec.shape.free:
            child.label, [as_type] = context.label, spec.accepted[at]
            child.needs_value = child.needs_value or (is_chosen and bool(context.row))
            child_request = child_request._replace(
                label=spec.shape.label, required=request.required, as_type=as_type
            )
            if as_type == "json" and is_there and element is not None:
                note = text("note.type")
                if is_large(element, MAX_FREE_PARTS):
                    note = text("note.large", number=MAX_FREE_PARTS)
                return self.json_field(child, self.specs.get(child_request), note)
        if child.is_transferred and element is not None and is_large(element, MAX_FIELDS):
            return self.json_field(child, self.specs.get(child_request), text("note.fields"))
        return self.build_field(child, child_request)

    def _typed_transfer(self, name: str) -> TransferredValue | None:
        """Return what was typed into another alternative and then transferred to this one."""
        text = self._posted(names.companion_name(names.FROM, name))
        if text is None:
            return None
        try:
            return TransferredValue(parse(text), typed=True)
        except UnreadableDocument:
            return None

    def _untyped_transfer(
        self, name: str, element: Element, spec: FieldSpec, at: int, was: int, *, is_chosen: bool
    ) -> tuple[Element | None, TransferredValue | None]:
        """Return what an alternative can hold of a value that is in another one.

        It is shown before the alternative is chosen, too, unless it would need many controls.
        """
        shape, source = spec.shape.branches[at], spec.shape.branches[was]
        is_closed = shape.kind in HOLDER_KINDS and not (self.overlay and self.overlay.opens(name))
        if is_closed and not is_chosen:
            return None, None
        if element.kind == "null" and spec.shape.nullable:
            return (element if shape.nullable else None), None
        if has_placeholder(element.raw):
            return None, None
        text = transferable_text(element, shape, source.node)
        if text is None or text == element.raw:
            return (None if text is None else element), None
        tree = Tree(text)
        return tree.root, TransferredValue(tree)

    # What all of them need

    def _rest_field(
        self, context: FieldContext, spec: FieldSpec, rest: tuple[Element | Member, ...], what: str
    ) -> Field:
        """Return the field of members or items without fields of their own, as JSON."""
        parts = [
            f"{json.dumps(one.name, ensure_ascii=False)}: {one.element.dedented}"
            if isinstance(one, Member)
            else one.dedented
            for one in rest
        ]
        first, last = "{}" if what == "member" else "[]"
        shown_text = "\n".join((first, ",\n".join(parts), last)) if parts else f"{first}{last}"
        label = text(f"label.rest-{what}", label=spec.shape.label, number=len(rest))
        shape = Shape("json", label, spec.shape.node, required=True)
        child = FieldContext(names.rest_name(context.name), f"{context.id}-_r", None, None, ABSENT)
        is_hidden = has_placeholder(shown_text)
        if is_hidden:
            shape = replace(shape, secret=True)
            field = self.make_field(child, shape, Control("kept"), Control("kept"))
            return field._replace(is_rest=True, rest=rest, read_only=True, note=text("note.secret"))
        pristine = shown = Control("set", shown_text)
        if self.overlay is not None:
            shown = self.overlay.typed(pristine, child.name, (), needs_value=False, is_text=False)
        field = self.make_field(child, shape, pristine, shown, note=text("note.rest"))
        return field._replace(is_rest=True, rest=rest)

    def _count_visible(self, context: FieldContext, size: int, fields: Iterable[Field]) -> int:
        """Return the number of children of a container that get fields of their own.

        If there is no room for all, the first `fields` get half of the room (all of it at
        the top), so that something is left for what comes after the container.
        """
        name = self._measured_name(context.name)
        if name in self.visible_counts:
            return self.visible_counts[name]
        if not self.is_measuring or self.count + size <= self.field_limit:
            return size
        room, fit = self.field_limit - self.count, 0
        if context.level:
            room //= 2
        if room >= _MIN_VISIBLE:
            before = self.count, self.field_limit, self.unclaimed
            self.field_limit, self.unclaimed = self.count + room, None
            for _ in takewhile(lambda _: self.count < self.field_limit, fields):
                fit += 1
            self.count, self.field_limit, self.unclaimed = before
        self.visible_counts[context.name] = fit
        return fit

    def _measured_name(self, name: str) -> str:
        """Return the name in the untouched form: of what is in a copy, that in the row itself."""
        for copy in reversed(self.copies):  # those inside come after those around
            if names.is_within(name, copy):
                name = f"{self.copies[copy]}{name.removeprefix(copy)}"
        return name

    def _place_before(self, context: FieldContext) -> str | None:
        """Return the place in the text, wherever its row was moved; of a copy, that of the row."""
        if context.path is None:
            return None
        return names.pointer_of(self._measured_name(context.name))

    def _json_reason(self, context: FieldContext, spec: FieldSpec, type: str) -> str:
        """Return why a container is shown as JSON; empty if it is not."""
        element = context.element
        if element is not None and type and element.kind != type:
            if element.kind != "null" or not spec.shape.nullable:
                return text("note.type")
        if context.level >= MAX_LEVELS:
            return text("note.depth")
        return ""

    def _container_controls(
        self, context: FieldContext, spec: FieldSpec, rows: tuple[str, ...]
    ) -> tuple[Control, Control, tuple[State, ...]]:
        """Return the pristine and the shown control of a container, and its selectable states."""
        element, shape = None if context.is_added else context.element, spec.shape
        state: State = "set"
        if element is None:
            state = "unset"
        elif element.kind == "null":
            state = "null"
        states = self._states(context, shape, "container", state)
        if rows and shape.ui.removable is False and not context.is_added:
            states = ()
        pristine = shown = Control(state, rows=rows)
        if self.overlay is not None:
            now = self.overlay.state(state, context.name, states, needs_value=context.needs_value)
            order = self.overlay.rows(rows, context.name)
            order = rows if order is None else allowed_rows(shape.ui, rows, order)
            if now != state or order != rows:
                shown = Control(now, rows=order)
        return pristine, shown, states

    def _is_open(self, context: FieldContext, spec: FieldSpec) -> bool:
        """Return True if a container is shown with its content, not opened on demand."""
        if context.element is not None and context.element.kind != "null":
            return True
        if context.needs_value or self._opens(context):
            return True
        if context.inactive or context.element is not None:
            return False
        return spec.shape.required and not spec.shape.recursive

    def _begin_if_added(self, context: FieldContext, spec: FieldSpec) -> None:
        """Give a group or list that a person has added what it begins with.

        One that is open without being there is none: what is typed into it adds it.
        """
        element = context.element
        is_there = element is not None and element.kind != "null"
        if self.overlay is None or is_there or context.needs_value:
            return
        if spec.shape.required and not spec.shape.recursive and not context.inactive:
            return
        place = self._place_before(context)
        gone = None if place is None else self.source.gone.get(place)
        kind = "object" if spec.kind == "object" else "array"
        if gone is not None and gone.kind != kind:
            gone = None
        if element is not None and gone is None:
            return
        is_typed = gone is not None and bool(self.overlay.typed_below(context.name))
        if is_typed or self._posted(names.companion_name(names.STATE, context.name)) == "set":
            undecided = context.undecided
            node = spec.shape.node if undecided is None else undecided.of_kind(kind)
            context.begin_with(self.specs.initial(node) if gone is None else Tree(gone.dedented))
            context.is_added = context.element is not None

    def _opens(self, context: FieldContext) -> bool:
        """Return True if a part was opened by a person."""
        return self.overlay is not None and self.overlay.opens(context.name)

    def _posted(self, control: str) -> str | None:
        return None if self.overlay is None else self.overlay.first(control)


def branch_pointers_of(shape: Shape) -> tuple[tuple[str, ...], ...]:
    """Return the schemas of the alternatives of a place."""
    return tuple(branch.branch_pointers for branch in shape.branches)


def allowed_rows(ui: UiOptions, before: Sequence[str], rows: Sequence[str]) -> tuple[str, ...]:
    """Return rows as a UI description allows them: none added, removed or moved, if it says so."""
    found = [row for row in rows if row in before or ui.addable is not False]
    if ui.removable is False:
        for at, row in enumerate(before):
            if row not in found:
                found.insert(found.index(before[at - 1]) + 1 if at else 0, row)
    if ui.orderable is False:
        known = iter([row for row in before if row in found])
        found = [next(known) if row in before else row for row in found]
    return tuple(found)


def _offered_names(
    context: FieldContext, spec: FieldSpec, members: Sequence[Member]
) -> tuple[str, ...]:
    """Return the names that are offered for new members of an object."""
    found: tuple[tuple[str, ...], bool] | None = spec.cache.get("names")
    if found is None:
        known = tuple(one for one in names_in_schema(spec.shape.node) if one not in spec.names)
        is_free = (
            not (known or spec.slots or spec.rest is None) and presentation(spec.rest).anything
        )
        found = spec.cache["names"] = known, is_free
    known, can_be_style = found
    if not can_be_style:
        return known
    return style_names(context.name, spec.shape.label, [member.name for member in members])


def _scalar_control(element: Element, kind: str, shape: Shape) -> Control:
    """Return what a control shows of a scalar; one of another type is kept.

    A text that could be taken for a number has its quotes.
    """
    if element.kind == kind:
        return Control("set", element.raw)
    if element.kind == "null" and shape.nullable:
        return _NULL_CONTROL
    said = element.value if element.kind == "string" else ""
    is_plain = said and said.isprintable() and not NUMBER.fullmatch(said.strip())
    return Control("kept", said if is_plain else element.raw)


def _set_if_filled(children: list[Field], pristine: Control, shown: Control) -> Control:
    """Return the control of an absent container, which is set if anything in it is."""
    if shown.state == "set" or shown.state != pristine.state:
        return shown
    has_value = any(child.chosen.shown.state != "unset" for child in children)
    return shown._replace(state="set") if has_value else shown


def _member_value(value: Any, name: str) -> Any:
    return value.get(name, ABSENT) if type(value) is dict else ABSENT


def _item_value(value: Any, at: int) -> Any:
    return value[at] if type(value) is list and at < len(value) else ABSENT


# A finding about a member that is missing has the path of the object.
_MEMBER_KEYWORDS = frozenset({"required", "dependencies"})
_CHOICE_KEYWORDS = frozenset({"anyOf", "oneOf"})  # beside the control that chooses


class UnclaimedFindings:
    """Findings by the path that they are about; each is claimed by one field."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self._unclaimed: dict[str, list[tuple[int, Finding]]] = {}
        for at, finding in enumerate(findings):
            path = finding.target if finding.keyword in _MEMBER_KEYWORDS else finding.path
            self._unclaimed.setdefault(path, []).append((at, finding))
        self._paths = sorted(self._unclaimed)
        self._around = {
            "/".join(parts[: at + 1])
            for parts in (path.split("/") for path in self._paths)
            for at in range(len(parts))
        }

    def claim_choice(self, path: str) -> tuple[Finding, ...]:
        """Remove and return the findings at a path about the choice of an alternative."""
        found = self._unclaimed.get(path, ())
        chosen = [one for one in found if one[1].keyword in _CHOICE_KEYWORDS]
        if chosen:
            self._unclaimed[path] = [one for one in found if one[1].keyword not in _CHOICE_KEYWORDS]
        return _in_order(chosen)

    def has_below(self, path: str) -> bool:
        """Return True if there were findings at a path, or below it."""
        return path in self._around

    def below(self, path: str) -> tuple[Finding, ...]:
        """Remove and return the findings at a path and below it."""
        found = [*self._unclaimed.pop(path, ())]
        begin = f"{path}/"
        for at in range(bisect_left(self._paths, begin), len(self._paths)):
            if not self._paths[at].startswith(begin):
                break
            found += self._unclaimed.pop(self._paths[at], ())
        return _in_order(found)


def _in_order(found: Sequence[tuple[int, Finding]]) -> tuple[Finding, ...]:
    return tuple(finding for _, finding in sorted(found, key=lambda one: one[0]))

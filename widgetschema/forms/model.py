"""The values that a form consists of, and iteration over them. They are frozen and know no HTML.

- A `Shape` is what the schema says about one place: label, kind, choices, bounds. Shapes are
  made once for a widget type, lazily, since a recursive schema has endlessly many places.
- A `Field` is a shape at one place of the data: what an untouched form shows there (`pristine`),
  what this form shows (`shown`: what was posted, else the same), and its findings.
- The edit that a submitted field causes follows from these two alone (`submit.edit_plan`).
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from widgetschema.findings import ExtendedFinding, Finding, Fix
from widgetschema.forms.texts import text
from widgetschema.jsontext import preview
from widgetschema.jsontext.tree import Element, Member, Tree
from widgetschema.schema.tree import Node
from widgetschema.validation.explain.violations import Violation

# Text in one control. `shown.text` is the text itself.
TEXT_KINDS: Final = (
    "text", "long-text", "css", "url", "email", "colour", "date-time", "date", "time",
    "password", "upload", "markdown",
)  # fmt: skip
# A number in one control. `shown.text` is the JSON number, or whatever was typed.
NUMBER_KINDS: Final = ("number", "integer", "slider")
# Kinds whose control can suggest values: texts in one line without a picker that hides them.
SUGGESTING_KINDS: Final = ("text", "url", "email", "colour", *NUMBER_KINDS)
# One choice of several. `shown.text` is the id of a `Choice`.
CHOICE_KINDS: Final = ("enum", "boolean", "constant")
# How a choice is shown, if a UI description says so.
CHOICE_LOOKS: Final = ("radios", "select")
# Kinds that a text is typed into.
TYPED_KINDS: Final = (*TEXT_KINDS, *NUMBER_KINDS, "json")
# `object`: members, known and additional ones. `list` and `tuple`: rows.
CONTAINER_KINDS: Final = ("object", "list", "tuple")
# Kinds without a control for the value itself. `alternatives`: one of several shapes.
HOLDER_KINDS: Final = (*CONTAINER_KINDS, "alternatives")
# `checkboxes`: a list of any of several values. `shown.text` is the ids of choices, with commas.
# `json`: JSON text in one control, for free-form objects, any value, what is too large for a form.
# `custom`: a control of the application (`custom_controls`), named by `ui.kind`.
KINDS: Final = (
    *TEXT_KINDS, *NUMBER_KINDS, *CHOICE_KINDS, "checkboxes", "json", *HOLDER_KINDS, "custom",
)  # fmt: skip

State = Literal["unset", "null", "empty", "set", "kept"]
# `unset`: the member is not there. `empty`: the text "". `kept`: a value of a type that the field
# is not made for; it stays as it is, shown as JSON.
STATES: Final = ("unset", "null", "empty", "set", "kept")

ID: Final = "ws"  # the default beginning of the ids of a form's fields

# Ids of choices that are no index into the allowed values.
UNSET: Final = "unset"
NULL: Final = "null"
KEPT: Final = "kept"


class Message(NamedTuple):
    """A sentence for people who edit content: an id of the keyword registry with parameters."""

    id: str
    parameters: Mapping[str, Any] = {}


class Suggestion(NamedTuple):
    """The one thing to write that resolves a finding: of its place, or of another member.

    `of` is the name of that member of the object at the path of the finding.
    """

    replacement: Fix
    of: str | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FormFinding(ExtendedFinding):
    """A finding of a form, with what `advice` makes a sentence of: `said`.

    That is the violation, a message, or the sentence itself. `suggestion` is what a button
    offers.
    """

    said: Violation | Message | str | None = None
    suggestion: Suggestion | None = None

    @classmethod
    def of(
        cls,
        finding: Finding,
        said: Violation | Message | str | None,
        suggestion: Suggestion | None = None,
    ) -> FormFinding:
        """Return a finding with what a sentence and a button are made of."""
        values = {one.name: getattr(finding, one.name) for one in dataclasses.fields(Finding)}
        return cls(**{**values, "said": said, "suggestion": suggestion})


class Choice(NamedTuple):
    """One choice: `id` is submitted, `value` is its JSON text, or None for no value."""

    id: str
    label: str
    value: str | None
    picture: str = ""  # its address
    disabled: bool = False  # not offered, unless it is there


class Steps(NamedTuple):
    """The values of a slider, as JSON numbers: the least one, the greatest one, and the step."""

    low: str
    high: str
    step: str


class Control(NamedTuple):
    """The content of a control: its text, as described at the kinds, and the state of the value.

    `rows` are the ids of the rows in their order (a container's), `chosen` the index of the
    alternative, `key` the name of an additional member.
    """

    state: State
    text: str = ""
    rows: tuple[str, ...] = ()
    chosen: int = 0
    key: str = ""


class TransferredValue(NamedTuple):
    """A value that came to an alternative from another one, as a text of its own.

    `typed` is True if it was typed into the other alternative, and is not in the data. `new` is
    True for what a new place begins with.
    """

    tree: Tree
    typed: bool = False
    new: bool = False


class Reference(NamedTuple):
    """A value by tokens from the data, or from the object `up` levels above the one of the field.

    `up` is None for one from the data.
    """

    tokens: tuple[str, ...]
    up: int | None = None

    def resolve(self, holder: Sequence[str]) -> list[str] | None:
        """Return the tokens from the data; `holder` are those of the object that has the field.

        None if the way leads out of the data.
        """
        if self.up is None:
            return [*self.tokens]
        if self.up > len(holder):
            return None
        return [*holder[: len(holder) - self.up], *self.tokens]


class Condition(NamedTuple):
    """A reference, as it is written and parsed, and the predicate that the value has to fulfil."""

    text: str
    reference: Reference
    holds: Callable[[Any], bool]
    schema: Any  # the same as a JSON Schema


class ChoiceOptions(NamedTuple):
    """The options of one value of an enumeration in a UI description."""

    label: str = ""
    picture: str = ""
    disabled: bool = False


class Group(NamedTuple):
    """A group of members of an object in a UI description."""

    label: str
    members: Sequence[str]
    help: str = ""
    columns: int | None = None
    closed: bool | None = None  # None: it cannot be closed


class Tab(NamedTuple):
    """A tab with members of an object in a UI description."""

    label: str
    members: Sequence[str]


@dataclass(frozen=True, slots=True)
class UiOptions:
    """The options of a place in a UI description, in place of what the schema says.

    The JSON Schema of UI descriptions says what they mean.
    """

    label: str | None = None
    help: str | None = None
    kind: str | None = None
    example: str | None = None
    placeholder: str | None = None
    lines: int | None = None
    wide: bool | None = None
    choices: Mapping[str, ChoiceOptions] = dataclasses.field(default_factory=dict)
    order: Sequence[str] = ()
    columns: int | None = None
    groups: Sequence[Group] = ()
    tabs: Sequence[Tab] = ()
    hidden: bool | None = None
    readonly: bool | None = None
    addable: bool | None = None
    removable: bool | None = None
    orderable: bool | None = None
    bytes: int | None = None
    when: Sequence[Condition] = ()


NO_OPTIONS: Final = UiOptions()


@dataclass(frozen=True, eq=False)
class Shape:
    """The description of one place by the schema.

    `choices` are the allowed values of a choice or a selection (without `unset`, `null` and `kept`,
    which depend on the data). `branches` are the alternatives, with their own labels; those of a
    value that is `free` are its types, and JSON: only the chosen one is on the page. `limits` are
    the bounds in words, such as "0 to 100". The value of a `secret` is in no
    control. `example` is shown in an empty control, `suggestions`
    while somebody types; `examples` are in words, where there is no list of them. `default` is the
    JSON text of the schema's `default`. `open` is True for an object to which members may be
    added. Fields with a `recursive` shape, and absent ones, are opened on demand.
    """

    kind: str
    label: str
    node: Node
    help: str = ""
    required: bool = False
    nullable: bool = False
    choices: tuple[Choice, ...] = ()
    branches: tuple[Shape, ...] = ()
    limits: str = ""
    read_only: bool = False
    secret: bool = False
    example: str = ""
    suggestions: tuple[str, ...] = ()
    examples: str = ""
    default: str | None = None
    open: bool = False
    least: int = 0  # items that there must be
    most: int | None = None  # rows, or members, that there may be
    item_label: str = ""  # of a list, or of further members: what one of them is called
    recursive: bool = False
    steps: Steps | None = None  # of a number with few values between its bounds
    hidden: tuple[str, ...] = ()  # members that have no field, as a UI description asks
    free: bool = False
    usual: int | None = None  # of alternatives that are one control: the index of the one shown
    as_radio: bool = False  # of a choice kind: radio buttons, not a list to select from
    branch_pointers: tuple[
        str, ...
    ] = ()  # of an alternative: it accepts what one of these schemas does
    ui: UiOptions = NO_OPTIONS  # of a UI description

    @property
    def default_choice(self) -> Choice | None:
        """The choice that the schema's `default` is, if it is one."""
        if self.default is None:
            return None
        return next((one for one in self.choices if one.value == self.default), None)

    @property
    def default_words(self) -> str:
        """The schema's `default` in words; "" if there is none, or it is a whole group."""
        if self.default is None:
            return ""
        choice = self.default_choice
        return _in_words(json.loads(self.default)) if choice is None else choice.label


def _in_words(value: Any) -> str:
    """Return a value in words: a text as it is, the items of a list; "" for what holds others."""
    if type(value) is list:
        items = [] if any(type(one) in (list, dict) for one in value) else map(_in_words, value)
        return ", ".join(items)
    if value is None or type(value) is bool:
        return text("choice.null" if value is None else "choice.yes" if value else "choice.no")
    if type(value) is str:
        return (
            text("choice.empty") if not value else value if value.isprintable() else preview(value)
        )
    return "" if type(value) is dict else preview(value)


def _is_there(field: Field) -> bool:
    """Return True if a member or an item has a value, or is a row that is asked for one."""
    return bool(field.row) or field.chosen.shown.state != "unset"


def selection_ids(text: str) -> list[str]:
    """Return the ids of the choices of a selection."""
    return [id for id in text.split(",") if id]


def selection_text(posted: Sequence[str], pristine: str, known: Iterable[str] = ()) -> str:
    """Return the ids of a selection that were posted, in the order of the items.

    Boxes are posted in the order of the page: what was there before keeps its place, and `known`
    ids come next. Ids with commas between them are in order already.
    """
    ids = dict.fromkeys(selection_ids(",".join(posted)))
    order = [*ids] if any("," in one for one in posted) else [*selection_ids(pristine), *known]
    return ",".join(id for id in dict.fromkeys([*order, *ids]) if id in ids)


class Field(NamedTuple):
    """A shape at one place of the data.

    `name` is the name of its control (`control_names`), `id` is safe as an HTML id and unique on
    the page. `path` is the JSON Pointer in the resulting data; None in an alternative that is not
    chosen. `original` is the element in the text, `member` the member of an object that holds it;
    None where nothing is.

    `states` are the states to choose from; empty if there is no choice. `choices` are those of a
    choice kind, with `unset`, `null` and `kept` where they apply, or of a selection, with the items
    that are no choices. `children` are the members of an
    object in the order of the schema, then its additional members; the rows of a list; the
    alternatives. `row` is the id of a row or of an additional member, "" for what the schema names;
    such a field can be removed, and, if `has_key`, renamed. `needs_value` is True where there must
    be a value: in a new row, or a chosen alternative. `opened` is False for a field without
    children yet, which are added on demand; if `omitted`, it is an alternative of a free value that
    is not on the page at all. The last child of a container that is too large for the form
    `is_rest`: it stands for all members or items in `rest`. It is `read_only` if its shape is, or
    one around it.

    Each field is itself only: two with the same content are not equal. It is a tuple since forms
    are made of many of them, and a frozen dataclass takes five times as long to make.
    """

    shape: Shape
    name: str
    id: str
    path: str | None
    original: Element | None
    pristine: Control
    shown: Control
    label: str = ""
    member: Member | None = None
    states: tuple[State, ...] = ()
    choices: tuple[Choice, ...] = ()
    children: tuple[Field, ...] = ()
    row: str = ""
    has_key: bool = False
    needs_value: bool = False
    opened: bool = True
    findings: tuple[Finding, ...] = ()
    note: str = ""  # why it is shown in another way than the schema lets expect
    transferred: TransferredValue | None = None  # `original` is in this text
    read_only: bool = False
    is_rest: bool = False
    rest: tuple[Element | Member, ...] = ()
    gone: Element | None = None  # the value that an earlier post has taken away
    is_unread: bool = False  # a text that was typed for a value without a control for it now
    concealed: bool = False  # a UI description shows it only where other values are as it says
    omitted: bool = False
    offered: tuple[str, ...] = ()  # names of members that people can choose from, of a free object
    former: bool = False  # of a condition that does not hold: only the data has it
    tells_secret: bool = False  # under its new name, a secret in it would be none
    unread: tuple[Field, ...] = ()  # of the whole, if it is no container: those that `is_unread`

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __hash__(self) -> int:
        return id(self)

    @property
    def is_concealed(self) -> bool:
        """True if it is not shown: if it is `concealed`, and nothing was found in it."""
        return self.concealed and not any(field.findings for field in self.walk())

    @property
    def is_full(self) -> bool:
        """True if it has as many rows, or members, as there may be."""
        if self.shape.ui.addable is False:
            return True
        if self.shape.most is None:
            return False
        known = (len(one.rest) if one.is_rest else _is_there(one) for one in self.children)
        return sum(known) >= self.shape.most

    @property
    def kind(self) -> str:
        """One of `KINDS`."""
        return self.shape.kind

    @property
    def chosen(self) -> Field:
        """The alternative that is chosen, and in that again; the field itself if it has none."""
        field = self
        while field.kind == "alternatives" and field.children:
            field = field.children[field.shown.chosen]
        return field

    def walk(self) -> Iterator[Field]:
        """Yield the field and all below it on the page, in its order."""
        todo = [self]
        while todo:  # no recursion: fields may be nested deeply
            field = todo.pop()
            if field.omitted:
                continue
            yield field
            if field.unread:
                todo.extend(reversed(field.unread))
            if field.children:
                todo.extend(reversed(field.children))

    def find(self, name: str) -> Field | None:
        """Return the field, of this one and all below it, whose control has this name."""
        return next((field for field in self.walk() if field.name == name), None)


PostedControls = dict[str, list[str]]  # names of controls, and their values


def kind_label(kind: str) -> str:
    """Return the label of an alternative, by the kind of its control."""
    return text(f"kind.{kind}")


def with_findings(root: Field, found: Mapping[str, Sequence[Finding]]) -> Field:
    """Return the fields with further findings, in front, by the names of fields."""

    def with_more(field: Field) -> Field:
        more = found.get(field.name)
        return field._replace(findings=(*more, *field.findings)) if more else field

    return changed_fields(root, with_more) if found else root


def only_findings(root: Field, is_wanted: Callable[[Field], bool]) -> Field:
    """Return the fields with the findings of some of them."""
    return changed_fields(
        root, lambda one: one._replace(findings=()) if one.findings and not is_wanted(one) else one
    )


def changed_fields(root: Field, change: Callable[[Field], Field]) -> Field:
    """Return the fields with what a function makes of each; it does not see changed children."""
    made: dict[int, Field] = {}
    for field in reversed([*root.walk()]):
        changed = change(field)
        children, unread = (
            tuple(made.get(id(child), child) for child in those)
            for those in (field.children, field.unread)
        )
        if (children, unread) != (field.children, field.unread):
            changed = changed._replace(children=children, unread=unread)
        if changed is not field:
            made[id(field)] = changed
    return made.get(id(root), root)


def in_form_order(root: Field, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings in the order of the form; those that belong to no field first."""
    if not findings:
        return ()
    shown = {id(one): one for field in root.walk() for one in field.findings}
    loose = [finding for finding in findings if id(finding) not in shown]
    return (*loose, *shown.values())

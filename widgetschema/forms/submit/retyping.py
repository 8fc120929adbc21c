"""Find the controls that turn the form of one text into the form of another text.

Nothing is written that a form does not offer: if the controls cannot express the other text, there
are none. The fields are built again after each round, since a row or an alternative has to be there
before anything can be typed into it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from widgetschema.forms.checking import plain_numbers
from widgetschema.forms.control_names import (
    EMPTIED,
    KEY,
    KIND,
    OPEN,
    ORDER,
    STATE,
    companion_name,
    row_id,
)
from widgetschema.forms.fields.builder import FormSource
from widgetschema.forms.fields.initial_values import MAX_LEVELS
from widgetschema.forms.model import (
    CHOICE_KINDS,
    CONTAINER_KINDS,
    JSON_KINDS,
    SELECTION_KINDS,
    TEXT_KINDS,
    Field,
    PostedControls,
    selection_ids,
)
from widgetschema.forms.submit.buttons import removal_of
from widgetschema.forms.submit.steps import Steps, is_same_form, read_against
from widgetschema.jsontext.digests import is_same_value

_MAX_ROUNDS: Final = 2 * MAX_LEVELS  # each opens one level, or chooses an alternative in it

_MAX_STEPS: Final = 8

_Control = tuple[str, str]


Tokens = Mapping[str, Mapping[str, str]]
"""For containers of the target, by JSON Pointer: which children of the source their children are,
all by their reference tokens."""


def steps_between(source: FormSource, target: FormSource, tokens: Tokens) -> Steps | None:
    """Return the steps with which the form of `source` gives the data of `target`.

    The controls of the last one are those of the form to show. None if there are none. Raises
    `TooManyFields`.
    """
    tokens = {f"{target.at}{pointer}": those for pointer, those in tokens.items()}
    data = plain_numbers(target.element.value)
    goal = target.build(None, data)
    steps: list[PostedControls] = []
    known: Tokens | None = tokens
    while len(steps) < _MAX_STEPS:
        reading = read_against(source, _controls_towards(source, goal, known))
        steps.append(reading.controls)
        if is_same_value(reading.text, target.tree.text):
            shown = source.build(reading.controls, data)
            return tuple(steps) if is_same_form(shown, reading.root) else (*steps, {})
        if reading.text == source.tree.text:
            return None
        source, known = reading.draft(), None
    return None


def _controls_towards(source: FormSource, goal: Field, tokens: Tokens | None) -> PostedControls:
    """Return the controls of the form of `source` that bring its data as near as they can."""
    controls: PostedControls = {}
    for _ in range(_MAX_ROUNDS):
        more = {name: [value] for name, value in _differences(source.read(controls), goal, tokens)}
        if all(controls.get(name) == value for name, value in more.items()):
            break
        controls.update(more)
    return controls


def _differences(root: Field, goal: Field, tokens: Tokens | None) -> Iterator[_Control]:
    """Yield the controls of a form that have to show something else."""
    todo: list[tuple[Field, Field]] = [(root, goal)]
    while todo:
        field, wanted = todo.pop()
        if _is_same(field, wanted):
            continue
        if wanted.original is None and not wanted.is_rest:
            yield from removal_of(field)
        elif field.kind == "alternatives" and wanted.kind == "alternatives":
            chosen = wanted.pristine.chosen
            if field.shown.chosen != chosen:
                yield companion_name(KIND, field.name), str(chosen)
            if field.opened:
                todo.append((field.children[chosen], wanted.children[chosen]))
            else:
                yield companion_name(OPEN, field.name), "1"
        elif field.kind in CONTAINER_KINDS and wanted.kind == field.kind:
            same = None if tokens is None else tokens.get(wanted.path or "", {})
            ids = _row_ids(field, wanted, same)
            yield from _container(field, wanted, ids)
            todo += _pairs(field, wanted, ids)
        elif field.kind not in (*CONTAINER_KINDS, "alternatives"):
            yield from _typed(field, wanted)


def _is_same(field: Field, wanted: Field) -> bool:
    """Return True if a field was made of what is wanted, which may show it in another way."""
    if field.original is None or wanted.original is None or field.transferred is not None:
        return False
    return field.original.raw == wanted.original.raw


def _typed(field: Field, wanted: Field) -> Iterator[_Control]:
    """Yield what a control for one value has to show."""
    state, text = wanted.pristine.state, wanted.pristine.text
    value = wanted.original
    is_same = (field.kind, field.shape.choices) == (wanted.kind, wanted.shape.choices)
    if field.kind in SELECTION_KINDS and wanted.kind in SELECTION_KINDS:
        text = ",".join(_selected_ids(field, wanted))
    elif value is None or (value.kind == "null" and field.kind not in JSON_KINDS):
        pass
    elif field.kind in CHOICE_KINDS:
        same = (
            one.id for one in field.choices if one.value and is_same_value(one.value, value.raw)
        )
        text = next(same, field.shown.text)
    elif not is_same or (state == "kept" and not text):
        is_text = field.kind in TEXT_KINDS and value.kind == "string"
        text = str(value.value) if is_text else value.dedented
        state = "set" if text else "empty"
    if field.shown.text != text:
        yield field.name, text
    if field.shown.state != state and state in field.states:
        yield companion_name(STATE, field.name), EMPTIED if state == "empty" else state


def _selected_ids(field: Field, wanted: Field) -> Iterator[str]:
    """Yield the ids of what is selected; an item that is no choice has another one in each text."""
    known = frozenset(choice.id for choice in field.shape.choices)
    values = {choice.id: choice.value for choice in wanted.choices}
    kept = [choice for choice in field.choices if choice.id not in known]
    for id in selection_ids(wanted.pristine.text):
        same = [one for one in kept if one.value == values[id]]
        if id not in known and same:
            kept.remove(same[0])
            yield same[0].id
        elif id in known:
            yield id


def _container(field: Field, wanted: Field, ids: Mapping[str, str]) -> Iterator[_Control]:
    """Yield what a container itself has to show: its state, and its rows."""
    state = wanted.pristine.state
    if field.shown.state != state:
        yield companion_name(STATE, field.name), state
    if state != "set":
        return
    if not field.opened:
        yield companion_name(OPEN, field.name), "1"
    rows = tuple(ids.values())
    if rows != field.shown.rows:
        yield companion_name(ORDER, field.name), ",".join(rows)
    keys = {ids[row.row]: row.pristine.key for row in wanted.children if row.has_key}
    for row in field.children:
        if row.has_key and row.shown.key != keys.get(row.row, row.shown.key):
            yield companion_name(KEY, row.name), keys[row.row]


def _row_ids(field: Field, wanted: Field, tokens: Mapping[str, str] | None) -> dict[str, str]:
    """Return the ids of the rows that are wanted, each with the id of the row that it is.

    Without `tokens`, it is the one of the same token.
    """
    known = frozenset(field.pristine.rows)
    found: dict[str, str] = {}
    number = 0
    for row in wanted.children:
        if not row.row:
            continue
        if row.member is not None:
            name = row.member.name
            id = row_id(name if tokens is None else tokens.get(name, name))
        elif tokens is None or field.kind == "tuple":
            id = row.row
        else:
            id = tokens.get(row.row, "")
        if id not in known:
            number += 1
            id = f"+{number}"
        found[row.row] = id
    return found


def _pairs(field: Field, wanted: Field, ids: Mapping[str, str]) -> Iterator[tuple[Field, Field]]:
    """Yield the children of a container, each with the one that is wanted there."""
    if wanted.pristine.state != "set":
        return
    known = {_last(child): child for child in field.children}
    for child in wanted.children:
        found = known.get(ids.get(child.row, _last(child)))
        if found is not None:
            yield found, child


def _last(field: Field) -> str:
    """Return the last segment of the name of a field's control."""
    return field.name.rpartition("/")[2]

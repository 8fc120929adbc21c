"""Steps on texts however they are laid out: what no step touches keeps every byte."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from hypothesis import HealthCheck, Phase, event, given, settings
from hypothesis import strategies as st

from tests.laid_out import texts
from widgetschema.evolution.migrate.applicability import Applicability
from widgetschema.evolution.migrate.steps.lists import Split, Unwrap, Wrap
from widgetschema.evolution.migrate.steps.members import Default, Drop, Move, Rename
from widgetschema.evolution.migrate.steps.step import Run, Step, StepFailed
from widgetschema.evolution.migrate.steps.values import Cast, Map
from widgetschema.jsontext.draft import Node, new_text
from widgetschema.jsontext.equality import canonical
from widgetschema.jsontext.tree import Element, Tree, parse
from widgetschema.pointers import escape_token, format_pointer, matches, parse_pointer

# The same lines, thousands of times: a tracer would only double the time.
SETTINGS: Final = settings(suppress_health_check=list(HealthCheck), phases=[Phase.generate])
COUNTS: Final = st.integers(1, 3)
NEW: Final = "a new name"


@st.composite
def cases(draw: st.DrawFn) -> tuple[str, list[Step]]:
    """Draw a text, and steps at members that it has; they add no other member than `NEW`."""
    text = draw(texts())
    there = [one for one, key, _ in pointers(parse(text)) if key] or ["/a"]
    return text, [step_at(draw, draw(st.sampled_from(there))) for _ in range(draw(COUNTS))]


def step_at(draw: st.DrawFn, pointer: str) -> Step:
    """Draw a step for a place, and perhaps for others like it."""
    *around, name = parse_pointer(pointer)
    wild = [draw(st.sampled_from([one, one, "*"])) for one in around]
    at = format_pointer([*wild, name])
    kinds = (
        Rename(at=at, to=NEW),
        Drop(at=at),
        Drop(at=f"/**/{escape_token(name)}"),
        Default(at=format_pointer([*wild, NEW]), json='{"x": [1.0]}'),
        Wrap(at=at),
        Unwrap(at=at),
        Cast(at=at, to="string"),
        Map(at=at, json_values={"1": "[2]", "true": "1.10", '"é"': '"e"'}),
        Move(at=at, to=f"/{NEW}/{escape_token(name)}"),
    )
    return draw(st.sampled_from(kinds))


def pointers(tree: Tree) -> Iterator[tuple[str, str, str]]:
    """Yield all places: the pointer, the name as it is written (if any), the value as it is."""
    todo: list[tuple[str, Element]] = [("", tree.root)]
    while todo:
        pointer, element = todo.pop()
        for member in element.members:
            below = f"{pointer}/{escape_token(member.name)}"
            yield below, tree.text[member.key_start : member.key_end], member.element.raw
            todo.append((below, member.element))
        for index, item in enumerate(element.items):
            yield f"{pointer}/{index}", "", item.raw
            todo.append((f"{pointer}/{index}", item))


def all_places(tree: Tree) -> dict[str, tuple[str, str]]:
    """Return the name and the value of each place, as they are written."""
    return {pointer: (key, raw) for pointer, key, raw in pointers(tree)}


@given(cases())
@SETTINGS
def test_what_no_step_touches_keeps_every_byte(case: tuple[str, list[Step]]) -> None:
    text, made = case
    tree = parse(text)
    root = Node(tree.root)
    run = Run(root)
    before = all_places(tree)
    # A step after another one may touch what that has made, so only what none can touch is told.
    touched = {place for place in before for step in made if matches(step.at, place)}
    changed = {
        place
        for place in ("", *before)
        for step in made
        if isinstance(step, Default) and matches(step.seen_at, place)
    }
    indices = {one.rpartition("/")[0] for one in touched}  # the items behind them move
    try:
        for number, step in enumerate(made, 1):
            run.begin(number)
            step.apply(run)
    except StepFailed:
        event("failed")
        return
    after = parse(new_text(tree, run.root)) if run.root is root else None
    assert after is not None
    event("changed" if after.text != text else "unchanged")
    if not Applicability(made).may_apply(text.encode(), None):
        assert after.text == text
    now = all_places(after)
    told = 0
    for place, (key, raw) in before.items():
        inside = any(f"{place}/".startswith(f"{one}/") for one in touched | changed - {""})
        around = any(f"{one}/".startswith(f"{place}/") for one in touched | changed)
        moved = any(f"{place}/".startswith(f"{one}/") for one in indices if _is_array(tree, one))
        if not (inside or around or moved):
            told += 1
            assert now[place] == (key, raw)
    event("something untouched" if told else "all touched")


AT_THE_ROOT: Final = (
    Wrap(at=""),
    Map(at="", json_values={"{}": '{ "x": [1.0, {}] }', "[]": "[2, 3]", '"é"': '{"y": "é"}'}),
    Split(at="", separator=" "),
    Default(at=f"/{NEW}", json='{"x": [1.0, {}]}'),
)


@given(texts() | st.sampled_from(["{}", "[]", '"é"', '"a b"', "{ }", "1"]), st.data())
@SETTINGS
def test_a_text_on_one_line_stays_on_it(text: str, data: st.DataObject) -> None:
    tree = parse(text)
    steps = data.draw(st.lists(st.sampled_from(AT_THE_ROOT), min_size=1, max_size=3))
    run = Run(Node(tree.root))
    for number, step in enumerate(steps, 1):
        run.begin(number)
        step.apply(run)
    new = new_text(tree, run.root)
    assert canonical(parse(new).root.value) == canonical(run.root.value)
    if not re.search(r"[\r\n]", tree.root.raw):
        event("one line" if new != text else "unchanged")
        assert re.findall(r"[\r\n]", new) == re.findall(r"[\r\n]", text)
    if not re.search(r"[ \t\r\n]", text.replace("a b", "")):
        assert not re.search(r"[ \t\r\n]", new.replace("a b", "").replace(NEW, ""))


def _is_array(tree: Tree, pointer: str) -> bool:
    element = tree.at(pointer)
    return element is not None and element.kind == "array"

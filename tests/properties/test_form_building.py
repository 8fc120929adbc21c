"""The fields of a form, whatever the schema, the data, and what somebody did to it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.form_fields import Builder, sent, sketch
from tests.strategies import instances, schemas
from widgetschema.errors import WidgetSchemaError
from widgetschema.forms.model import CHOICE_KINDS, KINDS, STATES, Field, PostedControls
from widgetschema.forms.submit.edit_plan import plan_edits
from widgetschema.jsontext.rewriting import rewrite
from widgetschema.jsontext.tree import parse
from widgetschema.pointers import escape_token

Json = Any

SETTINGS: Final = settings(
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow]
)


@st.composite
def builders(draw: st.DrawFn) -> Builder:
    """Builders of random schemas."""
    try:
        return Builder(draw(schemas()))
    except WidgetSchemaError:
        assume(False)
        raise


def places(data: Json, path: str = "") -> Iterator[str]:
    """The JSON Pointers of thing in the data."""
    yield path
    members = data.items() if isinstance(data, dict) else ()
    items = enumerate(data) if isinstance(data, list) else ()
    for key, value in (*members, *items):
        yield from places(value, f"{path}/{escape_token(str(key))}")


@given(builder=builders(), data=instances())
@SETTINGS
def test_everything_has_a_field(builder: Builder, data: Json) -> None:
    root = builder.build(data)
    fields = list(root.walk())
    assert len({field.name for field in fields}) == len(fields)
    assert len({field.id for field in fields}) == len(fields)
    at_paths = {field.path: field for field in fields if field.path is not None}
    leaves = [f.path for f in fields if f.path is not None and f.original and not f.children]
    for place in places(data):
        assert place in at_paths or any(place.startswith(f"{leaf}/") for leaf in leaves)
    for field in fields:
        assert field.kind in KINDS
        assert field.shown is field.pristine
        assert field.shown.state in (field.states or STATES)
        assert bool(field.choices) == (field.kind in CHOICE_KINDS)
        assert field.label.isprintable()
        assert not (field.children and not field.opened)


@given(builder=builders(), data=instances())
@SETTINGS
def test_every_finding_has_a_field(builder: Builder, data: Json) -> None:
    findings = builder.validator.check(data).findings
    root = builder.build(data, findings=findings)
    found = [finding for field in root.walk() for finding in field.findings]
    assert sorted(map(repr, found)) == sorted(map(repr, findings))


def same(one: Field, other: Field) -> None:
    """Both show the same."""
    assert sketch(one) == sketch(other)
    for a, b in zip(one.walk(), other.walk(), strict=True):
        assert (a.shown, a.pristine, a.states, a.choices) == (
            b.shown,
            b.pristine,
            b.states,
            b.choices,
        )
        assert (a.path, a.label, a.row, a.needs_value) == (b.path, b.label, b.row, b.needs_value)


@given(builder=builders(), data=instances())
@SETTINGS
def test_what_is_posted_as_it_is_shown_changes_nothing(builder: Builder, data: Json) -> None:
    tree = parse(json.dumps(data))
    root = builder.build(tree)
    same(builder.build(tree, sent(root)), root)
    same(builder.build(tree, {}), root)


def edited(draw: st.DrawFn, root: Field) -> PostedControls:
    """Draw a submission after somebody did something to a form."""
    posted = sent(root)
    fields = list(root.walk())
    for field in draw(st.lists(st.sampled_from(fields), max_size=3)):
        if draw(st.booleans()) and field.states:
            state: str = draw(st.sampled_from(field.states))
            posted[f"state{field.name}"] = [state]
        if field.has_key and draw(st.booleans()):
            posted[f"name{field.name}"] = [draw(st.sampled_from(["", "k", "a", "x\r\ny"]))]
        if field.choices:
            posted[field.name] = [draw(st.sampled_from(field.choices)).id]
        elif f"kind{field.name}" in posted:  # not of a branch that is not chosen: nothing is shown
            posted[f"kind{field.name}"] = [str(draw(st.integers(0, 4)))]
        elif field.kind in ("object", "list", "tuple"):
            posted[f"open{field.name}"] = ["1"]
            rows = draw(st.permutations([*field.shown.rows, f"+{draw(st.integers(1, 3))}"]))
            posted[f"order{field.name}"] = [",".join(rows[draw(st.integers(0, 1)) :])]
        else:
            posted[field.name] = [draw(st.sampled_from(["", "abc", "1", "x\r\ny", "null", "{}"]))]
    return posted


def not_transferred(root: Field) -> list[Field]:
    """Return the fields but those of another alternative, whose controls are new ones."""
    fields = [*root.walk()]
    went = tuple(f"{field.name}{mark}" for field in fields if field.transferred for mark in ";/")
    return [field for field in fields if not (field.transferred or field.name.startswith(went))]


@given(builder=builders(), data=instances(), draws=st.data())
@SETTINGS
def test_what_was_done_stays(builder: Builder, data: Json, draws: st.DataObject) -> None:
    tree = parse(json.dumps(data))
    root = builder.build(tree)
    pristine = {field.name: field.pristine for field in root.walk()}
    for _ in range(2):
        posted = draws.draw(st.composite(edited)(root))
        root = builder.build(tree, posted)
        same(builder.build(tree, sent(root)), root)
        for field in not_transferred(root):
            assert field.pristine == pristine.get(field.name, field.pristine)


@given(builder=builders(), data=instances(), draws=st.data())
@SETTINGS
def test_fields_that_are_used_again_are_those_built_anew(
    builder: Builder, data: Json, draws: st.DataObject
) -> None:
    tree, limits = parse(json.dumps(data)), builder.checks.limits
    all_findings = builder.validator.check(data).findings
    root = builder.build(tree, findings=all_findings if draws.draw(st.booleans()) else ())
    untouched, source = sent(root), builder.source(tree)
    posted = draws.draw(st.composite(edited)(root))
    posted = {name: values for name, values in posted.items() if untouched.get(name) != values}
    findings = draws.draw(st.lists(st.sampled_from(all_findings))) if all_findings else []
    again = source.build(posted, data, findings)
    plan = plan_edits(again, limits, source.untouched)
    builder.shapes.untouched.clear()
    anew = source.build(posted, data, findings)
    same(again, anew)
    assert [one.findings for one in again.walk()] == [one.findings for one in anew.walk()]
    assert repr([*map(properties, again.walk())]) == repr([*map(properties, anew.walk())])
    expected = plan_edits(anew, limits)
    assert rewrite(tree, tree.root, plan.node) == rewrite(tree, tree.root, expected.node)
    assert plan.unreadable == expected.unreadable


def properties(field: Field) -> tuple[object, ...]:
    """Return further properties of a field."""
    return field.read_only, field.note, field.opened, field.offered, field.shape.kind, field.has_key


@given(builder=builders(), data=instances(), result=instances())
@SETTINGS
def test_any_result_decides_conditions(builder: Builder, data: Json, result: Json) -> None:
    tree = parse(json.dumps(data))
    untouched = {field.name: field for field in builder.build(tree, result=result).walk()}
    for field in not_transferred(builder.build(tree, sent(builder.build(tree)), result=result)):
        assert field.pristine == untouched[field.name].pristine

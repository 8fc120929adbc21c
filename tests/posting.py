"""Submissions of forms, without HTML; and forms of random schemas and data, for properties."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from hypothesis import assume
from hypothesis import strategies as st

from tests.browsing import Pairs
from tests.laid_out import Array, Object, Shape, texts
from tests.strategies import NAMES as SCHEMA_NAMES
from tests.strategies import instances, schemas
from widgetschema import Form, ReferenceLoop, Validator
from widgetschema.forms import FormFactory
from widgetschema.forms.control_names import (
    ASIDE,
    BASE,
    FROM,
    KEY,
    KIND,
    OPEN,
    ORDER,
    ORIGIN,
    REMOVED,
    STATE,
    STEPS,
    TYPED,
    companion_name,
)
from widgetschema.forms.model import CONTAINER_KINDS, HOLDER_KINDS, Field
from widgetschema.forms.posted_controls import SHAPE

Json = Any
# Names that are hard on controls, beside those that schemas use.
ODD_NAMES = st.sampled_from([".", "/", "~", "__proto__", "a\nb", "</script>", "a,b", "+1", "%2f"])
HARD_NUMBERS = ("1e400", "-1e400", "1.0", "-0", "9007199254740993", "1E+2", "9" * 4400)
HARD_TEXTS = (
    *(r'"\u0000"', r'"a\r\nb"', r'"\r"', r'"\nfirst"', r'"last\n"', r'"\u00e9\/"', '"</textarea>"'),
    *(r'"\ud83d\ude00"', '"\u2028"', '"\x7f\x85"', '" "', r'"\t"', r'"a\nb\r\nc\rd"', '"&amp;\'"'),
)


def as_shown(form: Form) -> Pairs:
    """Every control of a form, as it is shown."""
    posted = form.posted or {}
    steps = [(name, posted[name][0]) for name in posted if name.startswith((STEPS, ASIDE))]
    return [(BASE, form.base), (SHAPE, form.signature), *steps, *_controls(form)]


def _controls(form: Form) -> Iterator[tuple[str, str]]:
    posted = form.posted or {}
    for field in form.root.walk():
        shown = field.shown
        for role in (FROM, ORIGIN, REMOVED, TYPED):
            name = companion_name(role, field.name)
            yield from ((name, value) for value in posted.get(name, ()))
        if field.states:
            yield companion_name(STATE, field.name), shown.state
        if field.has_key:
            yield companion_name(KEY, field.name), shown.key
        if not field.opened:
            continue
        is_container = field.kind in HOLDER_KINDS
        if field.pristine.state != "set" and is_container and not field.shape.free:
            yield companion_name(OPEN, field.name), "1"
        if field.kind == "alternatives":
            yield companion_name(KIND, field.name), str(shown.chosen)
        elif field.kind in CONTAINER_KINDS:
            yield companion_name(ORDER, field.name), ",".join(shown.rows)
        elif field.kind != "constant":
            yield field.name, shown.text


def active(form: Form) -> Iterator[Field]:
    """The fields that count: not those of alternatives that are not chosen."""
    todo = [form.root]
    while todo:
        field = todo.pop()
        yield field
        children = field.children
        if field.kind == "alternatives":
            children = children[field.shown.chosen : field.shown.chosen + 1]
        todo.extend(reversed(children))


def forms_of(schema: Json, **options: Any) -> FormFactory:
    """The forms of a schema."""
    try:
        return FormFactory(Validator(schema, **options))
    except ReferenceLoop:
        assume(False)
        raise


def shape_of(value: Json) -> Shape:
    """A value as a text without white space."""
    if isinstance(value, dict):
        names = {json.dumps(name, ensure_ascii=False): one for name, one in value.items()}
        return Object(tuple((name, shape_of(one)) for name, one in names.items()))
    if isinstance(value, list):
        return Array(tuple(shape_of(item) for item in value))
    return json.dumps(value, ensure_ascii=False)


@st.composite
def _hardened(draw: st.DrawFn, shape: Shape) -> Shape:
    """The same with some scalars that are hard to keep, and members that no schema names."""
    if isinstance(shape, Array):
        return Array(tuple(draw(_hardened(item)) for item in shape.items))
    if isinstance(shape, Object):
        members = {name: draw(_hardened(one)) for name, one in shape.members}
        if draw(st.integers(0, 3)) == 0:
            members[json.dumps(draw(ODD_NAMES))] = draw(st.sampled_from(HARD_TEXTS))
        return Object(tuple(members.items()))
    if draw(st.integers(0, 3)) == 0:
        return draw(st.sampled_from(HARD_TEXTS if shape[0] == '"' else HARD_NUMBERS))
    return shape


def documents(values: st.SearchStrategy[Json]) -> st.SearchStrategy[str]:
    """Texts of these values, with what is hard to keep, laid out in all ways."""
    return values.map(shape_of).flatmap(_hardened).flatmap(lambda one: texts(st.just(one)))


Described = tuple[Json, st.SearchStrategy[Json]]  # a schema, and data that mostly matches it
_WORDS: Final = st.sampled_from(
    ["", "a", "new", "a b", "é", "1", "line\nline", "#ff0000", "2027-01-01"]
)
# Files in base64, also as few people write them, and what is none.
_FILES: Final = st.sampled_from(
    ["YQ==", "", "YQ", "Y\nQ=\r\n=", "_-8=", "no base64!", "iVBORw0KGgo="]
)
_LEAVES: Final[tuple[Described, ...]] = (
    ({"type": "string"}, _WORDS),
    ({"type": "string", "format": "date"}, _WORDS),
    ({"type": "string", "maxLength": 3, "title": "Short"}, _WORDS),
    ({"type": "string", "contentEncoding": "base64", "contentMediaType": "text/plain"}, _FILES),
    ({"type": ["string", "null"], "contentEncoding": "base64"}, st.one_of(st.none(), _FILES)),
    ({"type": "number", "minimum": 0}, st.sampled_from([0, 1, 2.5, -3, 1e300])),
    ({"type": "integer"}, st.integers(-5, 5)),
    ({"type": "boolean"}, st.booleans()),
    ({"enum": ["a", "b", 1, True, None, ["a"]]}, st.sampled_from(["a", 1, True, None, ["a"], "c"])),
    ({"const": "fixed"}, st.sampled_from(["fixed", "other"])),
    ({"type": ["string", "null"]}, st.one_of(st.none(), _WORDS)),
    ({"type": ["number", "null"]}, st.sampled_from([None, 1, 2.5])),
    ({"type": "object"}, st.dictionaries(_WORDS, st.integers(0, 3), max_size=2)),
    ({}, instances(2)),
    ({"$ref": "#"}, st.just({})),
)


@st.composite
def described(draw: st.DrawFn, depth: int = 2) -> Described:
    """Schemas as people write them for forms, and their data."""
    kind = draw(
        st.sampled_from(["object", "list", "tuple", "either", "map", "if", "answers", "leaf"])
    )
    if kind == "leaf" or depth == 0:
        return draw(st.sampled_from(_LEAVES))
    inner = described(depth - 1)
    if kind == "list":
        schema, data = draw(inner)
        return {"type": "array", "items": schema}, st.lists(data, max_size=3)
    if kind == "map":
        schema, data = draw(inner)
        return {"type": "object", "additionalProperties": schema}, st.dictionaries(
            SCHEMA_NAMES, data, max_size=3
        )
    parts = draw(st.lists(inner, min_size=2, max_size=4))
    if kind == "tuple":
        items = st.tuples(*(data for _, data in parts)).map(list)
        cut = st.tuples(items, st.integers(0, 4)).map(lambda pair: pair[0][: pair[1]])
        return {"type": "array", "items": [schema for schema, _ in parts]}, cut
    if kind == "either":
        word = draw(st.sampled_from(["anyOf", "oneOf"]))
        return {word: [schema for schema, _ in parts]}, st.one_of(*(data for _, data in parts))
    if kind == "answers":
        return draw(_answered(parts))
    return draw(_objects(parts, conditional=kind == "if"))


@st.composite
def _objects(draw: st.DrawFn, parts: list[Described], *, conditional: bool) -> Described:
    names = ["a", "b", "a/b", "", "c"][: len(parts)]
    properties = dict(zip(names, (schema for schema, _ in parts), strict=True))
    data = {name: data for name, (_, data) in zip(names, parts, strict=True)}
    schema: dict[str, Json] = {"type": "object", "properties": properties}
    if draw(st.booleans()):
        schema["required"] = names[:1]
    if conditional:
        moved = properties.pop(names[-1])
        schema["if"] = {"properties": {"on": {"const": True}}, "required": ["on"]}
        schema["then"] = {"properties": {names[-1]: moved}}
        schema["else"] = {"properties": {names[-1]: draw(st.sampled_from(_LEAVES))[0]}}
        properties["on"] = {"type": "boolean"}
        data["on"] = st.booleans()
    return schema, _members(data)


@st.composite
def _answered(draw: st.DrawFn, parts: list[Described]) -> Described:
    """Objects with members that depend on the answer of one, or on whether there is one."""
    names = ["x", "y", "x/y", "z"]
    answers = ["no", "one", "many", True][: len(parts)]
    branches = []
    for answer, name, (schema, _) in zip(answers, names, parts, strict=False):
        branch: dict[str, Json] = {"properties": {"on": {"const": answer}, name: schema}}
        if draw(st.booleans()):
            branch["required"] = [name]
        branches.append(branch)
    choice = {draw(st.sampled_from(["oneOf", "anyOf"])): branches}
    shown = draw(st.sampled_from([{"enum": [*answers, "other"]}, {"type": "string"}, {}]))
    schema = {"type": "object", "properties": {"on": shown, "a": {"type": "string"}}}
    schema |= {"dependencies": {"on": choice}} if draw(st.booleans()) else choice
    data = {name: values for name, (_, values) in zip(names, parts, strict=False)}
    data |= {"on": st.sampled_from([*answers, "other"]), "a": _WORDS}
    return schema, _members(data)


def _members(data: dict[str, st.SearchStrategy[Json]]) -> st.SearchStrategy[Json]:
    """Objects with all of these members, mostly."""
    full = st.fixed_dictionaries(data)
    return st.one_of(full, full, full, st.fixed_dictionaries({}, optional=data))


@st.composite
def cases(draw: st.DrawFn) -> Form:
    """Forms of schemas and data, as people write them, and of any there can be."""
    if draw(st.integers(0, 3)):
        schema, values = draw(described())
        # Whatever the data is, a reference to the whole leads to an object here.
        if "properties" not in schema:
            schema = {"type": "object", "properties": {"a": schema}}
            values = _members({"a": values})
        return forms_of(schema).form_json(draw(documents(values)))
    objects = st.dictionaries(SCHEMA_NAMES, instances(2), max_size=4)
    return forms_of(draw(schemas())).form(draw(documents(st.one_of(instances(3), objects))))

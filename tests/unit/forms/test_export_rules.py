"""Fields that depend on others, in exports for JSON Forms: each has a control and a rule."""

from __future__ import annotations

from typing import Any

import pytest

from tests.posting import forms_of
from widgetschema import Validator

Json = dict[str, Any]

TEXT = {"type": "string"}
KIND = {"enum": ["a", "b"]}


def on(kind: str, **rest: Any) -> Json:
    """Return a condition on the value of `kind`."""
    return {"if": {"properties": {"kind": {"const": kind}}, "required": ["kind"]}, **rest}


def some(**properties: Any) -> Json:
    return {"properties": properties}


CASES: list[tuple[str, Json, dict[str, list[Json]]]] = [
    ("then", on("a", then=some(x=TEXT)), {"x": [{"kind": "a"}]}),
    ("else", on("a", **{"else": some(x=TEXT)}), {"x": [{}, {"kind": "b"}]}),
    ("both", on("a", then=some(x=TEXT), **{"else": some(y=TEXT)}), {"x": [{"kind": "a"}], "y": [{}, {"kind": "b"}]}),
    ("dependency", {"dependencies": {"kind": some(x=TEXT)}}, {"x": [{"kind": "a"}, {"kind": "b"}]}),
    ("alternatives", {"dependencies": {"kind": {"oneOf": [some(kind={"const": "a"}, x=TEXT), some(kind={"enum": ["b"]}, y=TEXT)]}}},
     {"x": [{"kind": "a"}], "y": [{"kind": "b"}]}),
    ("nested", on("a", then={**some(x=TEXT), "if": {"required": ["x"]}, "then": some(y=TEXT)}),
     {"x": [{"kind": "a"}], "y": [{"kind": "a", "x": ""}]}),
]  # fmt: skip


@pytest.mark.parametrize("place", ["root", "group"])
@pytest.mark.parametrize("data", [{}, {"kind": "a"}, {"kind": "b"}], ids=str)
@pytest.mark.parametrize(("schema", "shown"), [one[1:] for one in CASES], ids=[c[0] for c in CASES])
def test_a_rule_shows_what_a_condition_brings(
    schema: Json, shown: dict[str, list[Json]], data: Json, place: str
) -> None:
    whole: Json = {"type": "object", **some(kind=KIND), **schema}
    if place == "group":
        whole, data = {"type": "object", **some(group=whole)}, {"group": data}
    export = forms_of(whole).form(data).to_jsonforms()
    elements = export.ui_schema["elements"]
    if place == "group":
        [group] = elements
        elements = group["elements"]
    rules = {one["label"].lower(): one["rule"]["condition"] for one in elements if "rule" in one}
    assert rules.keys() == shown.keys()
    assert not [one for one in export.losses if one.kind == "control"]
    for name, condition in rules.items():
        for case in ({}, {"kind": "a"}, {"kind": "b"}, *shown[name]):
            tried = case if place == "root" else {"group": case}
            assert Validator(condition["schema"]).is_valid(tried) == (case in shown[name])


def test_a_condition_by_reference_is_a_loss() -> None:
    schema = {
        "type": "object",
        **some(kind=KIND),
        "if": {"properties": {"kind": {"$ref": "#/definitions/a"}}},
        "then": some(x=TEXT),
        "definitions": {"a": {"const": "a"}},
    }
    export = forms_of(schema).form({}).to_jsonforms()
    assert [one["label"] for one in export.ui_schema["elements"]] == ["Kind", "X"]
    assert {one.path for one in export.losses} == {"/x", ""}


def test_one_control_for_several_conditions_is_a_loss() -> None:
    schema = on("a", then=some(x=TEXT), **{"else": some(x={"type": "number"})})
    export = (
        forms_of({"type": "object", **some(kind=KIND), **schema}).form({"kind": "a"}).to_jsonforms()
    )
    messages = [one.message for one in export.losses if one.path == "/x"]
    assert messages == ["it has the same control under all conditions"]

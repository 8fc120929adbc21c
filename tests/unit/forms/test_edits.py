"""Edits that a page carries: they say what a merge made of a text, and can do what controls can."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

from tests.browsing import Pairs, edited, entries
from tests.posting import forms_of
from widgetschema import Form, FormError
from widgetschema.forms import FormFactory
from widgetschema.forms.control_names import STEPS
from widgetschema.forms.fields.placeholders import placeholders_in
from widgetschema.forms.secrecy import HIDDEN

TEXT: Final = {"type": "string"}
FIXED: Final = {"type": "string", "readOnly": True}
SECRET: Final = {"type": "string", "writeOnly": True}


def typed(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, **more}


ROW: Final = typed({"id": {**FIXED, "default": "new"}, "t": TEXT, "pw": SECRET})
SCHEMA: Final = typed(
    {
        "fixed": FIXED,
        "absent": FIXED,
        "hidden": TEXT,
        "open": TEXT,
        "number": {"type": "number"},
        "rows": {"type": "array", "items": ROW},
        "stuck": {"type": "array", "items": TEXT},
        "map": {"type": "object", "additionalProperties": TEXT},
        "keys": typed({}, additionalProperties=TEXT, patternProperties={"^pw": SECRET}),
        "either": {"anyOf": [FIXED, {"type": "number"}]},
        "size": {"enum": ["a", "b", "c"]},
    }
)
UI: Final = {
    "/hidden": {"hidden": True},
    "/stuck": {"addable": False, "removable": False, "orderable": False},
    "/map": {"addable": False, "removable": False},
    "/size": {"choices": {"c": {"disabled": True}}},
}
DATA: Final[dict[str, Any]] = {
    "fixed": "f",
    "hidden": "h",
    "open": "o",
    "number": 1,
    "rows": [{"id": "1", "t": "a", "pw": "S3CRET1"}, {"id": "2", "t": "b", "pw": "S3CRET2"}],
    "stuck": ["x", "y"],
    "map": {"k": "v"},
    "keys": {"pw1": "S3CRET3", "k": "v"},
    "either": "e",
    "size": "a",
}
FACTORY: Final[FormFactory] = forms_of(SCHEMA)


def form_of(data: Any = DATA) -> Form:
    return FACTORY.form(data, UI)


PLACEHOLDER: Final = next(one.raw for _, one in placeholders_in(form_of().tree.root))


def kept(*names: str) -> dict[str, Any]:
    """The members of the data that stay, in an edit of the whole, but these."""
    return {name: [name, None] for name in DATA if name not in names}


def after(said: Any) -> Any:
    """Return the data after an edit that a page says."""
    return form_of().submit({STEPS: json.dumps([[said]])}).data


def with_member(name: str, said: Any) -> Any:
    return kept(name) | {name: [name if name in DATA else None, said]}


@pytest.mark.parametrize(
    "said",
    [
        with_member("fixed", '"x"'),
        kept("fixed"),
        kept("fixed") | {"new": ["fixed", None]},
        with_member("absent", '"x"'),
        with_member("hidden", '"x"'),
        kept("hidden"),
        with_member("stuck", [[1, None], [0, None]]),
        with_member("stuck", [[0, None]]),
        with_member("stuck", '["x"]'),
        with_member("stuck", [[0, None], [1, None], [None, '"z"']]),
        with_member("map", {}),
        with_member("map", "{}"),
        with_member("map", {"k": ["k", None], "l": [None, '"z"']}),
        with_member("rows", [[0, {"id": ["id", '"x"'], "t": ["t", None], "pw": ["pw", None]}], [1, None]]),
        with_member("rows", '[{"id":"x","t":"a","pw":"S3CRET1"},{"id":"2","t":"b","pw":"S3CRET2"}]'),
        with_member("keys", {"shown": ["pw1", None], "k": ["k", None]}),
        with_member("either", "2"),
        with_member("size", '"c"'),
    ],
)  # fmt: skip
def test_an_edit_can_do_no_more_than_controls(said: Any) -> None:
    assert after(said) == DATA


@pytest.mark.parametrize(
    ("said", "changed"),
    [
        (with_member("open", '"x"'), {"open": "x"}),
        (with_member("size", '"b"'), {"size": "b"}),
        (with_member("stuck", [[0, '"z"'], [1, None]]), {"stuck": ["z", "y"]}),
        (with_member("map", {"other": ["k", None]}), {"map": {"other": "v"}}),
        (with_member("rows", [[1, None], [0, None]]), {"rows": DATA["rows"][::-1]}),
        (with_member("rows", [[1, None], [1, None]]), {"rows": [DATA["rows"][1]] * 2}),
        (with_member("rows", [[None, '{"id": "new", "t": "c"}']]),
         {"rows": [{"id": "new", "t": "c"}]}),
        (with_member("rows", [[None, '{"id": "x", "t": "c"}']]), {"rows": [{"t": "c"}]}),
        (with_member("rows", [[None, '{"id": "2"}']]), {"rows": [{"id": "2"}]}),
        (with_member("rows", [[None, f'{{"pw": {PLACEHOLDER}}}']]), {"rows": [{"pw": "S3CRET1"}]}),
        (with_member("open", PLACEHOLDER), {"open": json.loads(PLACEHOLDER)}),
        (with_member("keys", {"pw2": ["pw1", None], "k": ["k", None]}),
         {"keys": {"pw2": "S3CRET3", "k": "v"}}),
    ],
)  # fmt: skip
def test_an_edit_can_do_what_controls_can(said: Any, changed: dict[str, Any]) -> None:
    assert after(said) == {**DATA, **changed}


@pytest.mark.parametrize(
    "said",
    [
        1,
        "no JSON",
        with_member("rows", [[None, f'{{"pw": "{HIDDEN}{"0" * 16}"}}']]),
        with_member("open", True),
        with_member("open", [[0, None]]),
        with_member("rows", [[2, None]]),
        with_member("rows", [[-1, None]]),
        with_member("rows", [["0", None]]),
        with_member("rows", [[None, None]]),
        kept() | {"new": ["open", None]},
        kept() | {"new": ["none", None]},
        kept() | {"new": ["open"]},
        json.loads("[" * 190 + '[0, "1"]' + "]" * 190),
    ],
)
def test_what_is_no_edit_of_the_text_is_refused(said: Any) -> None:
    with pytest.raises(FormError, match="arrived incomplete"):
        after(said)


def merged_page(now: Any, posted: dict[str, str]) -> tuple[Form, Pairs]:
    """Return the form of `now` and the page that a merge shows there again."""
    pairs = entries(form_of().render())
    for name, value in posted.items():
        pairs = edited(pairs, name, value) if name in dict(pairs) else [*pairs, (name, value)]
    form = form_of(now)
    return form, entries(form.submit(pairs, on_stale="rebase", files={}).form.render())


def test_a_merged_page_carries_an_edit_and_what_cannot_be_read_beside_it() -> None:
    now = {**DATA, "open": "theirs", "rows": [{"t": "first"}, *DATA["rows"]]}
    form, page = merged_page(now, {"#/rows/1/t": "mine", "#/number": "abc"})
    assert ("#/number", "abc") in page
    again = form.submit(page, files={})
    assert not again.complete
    rows = [{"t": "first"}, DATA["rows"][0], {**DATA["rows"][1], "t": "mine"}]
    done = form.submit(edited(page, "#/number", "2"), files={})
    assert done.data == {**now, "number": 2, "rows": rows}


def test_a_copy_of_a_row_with_a_secret_shows_none() -> None:
    now = {**DATA, "open": "theirs"}
    form, page = merged_page(now, {"do": "copy#/rows/0", "#/number": "abc"})
    for _ in range(2):
        assert "S3CRET" not in str(page)
        page = entries(form.submit(page, files={}).form.render())
    done = form.submit(edited(page, "#/number", "2"), files={})
    first, second = DATA["rows"]
    assert done.data == {**now, "number": 2, "rows": [first, first, second]}


def test_a_new_secret_of_a_merged_row_is_in_a_control_of_its_own() -> None:
    pairs = entries(form_of().render(), press="add#/rows")
    pairs = entries(form_of().submit(pairs, files={}).form.render())
    pairs = edited(edited(pairs, "#/rows/+1/pw", "TYPED"), "#/number", "abc")
    form = form_of({**DATA, "open": "theirs"})
    page = entries(form.submit(pairs, on_stale="rebase", files={}).form.render())
    assert "TYPED" not in dict(page)[STEPS]
    assert [name for name, value in page if "TYPED" in value] == ["aside#0"]
    done = form.submit(edited(page, "#/number", "2"), files={})
    assert done.data["rows"][2]["pw"] == "TYPED"

"""Nobody's text becomes markup: the same elements and attributes, whatever texts say.

A form is made with the payload in one place, and with as harmless a text in the same place. Both
must have the same elements with the same attributes; nothing but values may differ.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from widgetschema import WidgetType
from widgetschema.forms import Form

PAYLOADS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover=alert(1) x='",
    '" autofocus onfocus=alert(1) "',
    "</textarea><script>alert(1)</script>",
    "</title></style></script><svg/onload=alert(1)>",
    "--><script>alert(1)</script><!--",
    "<!--<script>",
    "]]><a href=javascript:alert(1)>",
    "javascript:alert(1)//",
    "{{ 7 * 7 }}{% raw %}{# #}",
    "&lt;script&gt;&#x3c;b&#62;",
    "<plaintext><template><noscript>",
    "`${alert(1)}`",
    "\u202e<b>\u2028\ufeff\u00ad",
    "__proto__",
    "onclick=alert(1) style=x",
)
Maker = Callable[[str], str]


def markup(form: Form, **options: Any) -> str:
    return form.page(**options) + form.render(**options, tag=False)


def form_of(properties: Any, data: Any, ui: Any = None, **more: Any) -> Form:
    schema = {"type": "object", "properties": properties, **more}
    type = WidgetType.from_schema({"properties": {"data": schema}}, id="x", describes="document")
    return type.form(data, ui=ui)


def posted(form: Form, controls: dict[str, str]) -> Form:
    return form.submit(controls).form


TEXT = {"type": "string"}
MANY = [f"choice {number}" for number in range(8)]
PLACES: dict[str, Maker] = {
    "text": lambda p: markup(form_of({"a": TEXT}, {"a": p})),
    "long text": lambda p: markup(form_of({"a": TEXT}, {"a": f"{p}\n{p}"})),
    "json": lambda p: markup(form_of({"a": {"type": "object"}}, {"a": {p: p}})),
    "of another type": lambda p: markup(form_of({"a": {"type": "number"}}, {"a": p})),
    "foreign member": lambda p: markup(form_of({}, {p: p}, additionalProperties=False)),
    "additional member": lambda p: markup(form_of({}, {p: "a"}, additionalProperties=TEXT)),
    "member of a member": lambda p: markup(
        form_of({}, {p: {"a": {"b": 1}}}, additionalProperties={"properties": {"a": {}}})
    ),
    "name of a property": lambda p: markup(form_of({p: TEXT}, {})),
    "name of a section": lambda p: markup(
        form_of({p: {"type": "object", "properties": {"a": TEXT}}, "b": {"type": "object", "properties": {"a": TEXT}}}, {p: {}, "b": {}})
    ),
    "name of a list": lambda p: markup(
        form_of({p: {"type": "array", "items": TEXT}}, {p: ["a", "b"]})
    ),
    "title": lambda p: markup(form_of({"a": {"type": "string", "title": p}}, {})),
    "description": lambda p: markup(form_of({"a": {"type": "string", "description": p}}, {})),
    "default": lambda p: markup(form_of({"a": {"type": "string", "default": p}}, {})),
    "example": lambda p: markup(form_of({"a": {"type": "string", "examples": [p]}}, {})),
    "radio": lambda p: markup(form_of({"a": {"enum": [p, "b"]}}, {"a": p})),
    "select": lambda p: markup(form_of({"a": {"enum": [p, *MANY]}}, {"a": p})),
    "outside of the choices": lambda p: markup(form_of({"a": {"enum": MANY}}, {"a": p})),
    "constant": lambda p: markup(form_of({"a": {"const": p}}, {"a": p})),
    "branch": lambda p: markup(
        form_of({"a": {"oneOf": [{"title": p, "type": "string"}, {"type": "object", "properties": {"b": TEXT}}]}}, {"a": "x"})
    ),
    "ui label": lambda p: markup(form_of({"a": TEXT}, {}, {"/a": {"label": p, "help": p}})),
    "ui example": lambda p: markup(form_of({"a": TEXT}, {}, {"/a": {"example": p}})),
    "posted text": lambda p: markup(posted(form_of({"a": {"type": "number"}}, {}), {"#/a": p})),
    "posted json": lambda p: markup(posted(form_of({"a": {"type": "object"}}, {}), {"kind#/a": "1", "#/a;1": "[" + json.dumps(p)})),
    "posted choice": lambda p: markup(posted(form_of({"a": {"enum": MANY}}, {}), {"#/a": p})),
    "posted state": lambda p: markup(posted(form_of({"a": TEXT}, {"a": "b"}), {"state#/a": p})),
    "posted rows": lambda p: markup(
        posted(form_of({"a": {"type": "array", "items": TEXT}}, {"a": ["b"]}), {"order#/a": f"0,{p}"})
    ),
    "posted key": lambda p: markup(
        posted(form_of({}, {"b": "c"}, additionalProperties=TEXT), {"name#/b": p})
    ),
    "posted action": lambda p: markup(posted(form_of({"a": TEXT}, {}), {"do": f"add#/{p}"})),
    "posted control": lambda p: markup(posted(form_of({"a": TEXT}, {}), {f"#/{p}": p, p: p})),
    "hidden": lambda p: form_of({"a": TEXT}, {}).render(hidden={p: p}),
    "action": lambda p: form_of({"a": TEXT}, {}).render(action=p, method=p),
    "live": lambda p: form_of({"a": TEXT}, {}).render(live=p),
    "submit": lambda p: form_of({"a": TEXT}, {}).render(submit=p),
    "title of the page": lambda p: form_of({"a": TEXT}, {}).page(title=p),
    "assets": lambda p: form_of({"a": TEXT}, {}).page(assets=p),
    "answer": lambda p: str(
        form_of({"a": {"type": "number"}}, {}).submit({"#/a": p}).answer()["errors"]["ws-a"]
    ),
    "suggestion": lambda p: form_of({"a": {"type": "string"}}, {"a": [p]}).render(),
    "description of a pattern": lambda p: form_of(
        {"a": {"pattern": "^(?=a)b$", "description": p}}, {"a": "x"}
    ).render(),
}  # fmt: skip


def skeleton(markup: str) -> list[tuple[str, tuple[str, ...]]]:
    """The elements of a page in their order, each with the names of its attributes."""
    return [
        (node.tag or "", tuple(node.attributes))
        for node in LexborHTMLParser(markup).css("*")
        if node.tag != "br"
    ]


def harmless(payload: str) -> str:
    """The same words, with hyphens in the place of all that could mean something."""
    return "".join("-" if one.isascii() and not one.isalnum() else one for one in payload)


@pytest.mark.parametrize("payload", PAYLOADS)
@pytest.mark.parametrize("place", PLACES)
def test_a_text_is_no_markup(place: str, payload: str) -> None:
    make = PLACES[place]
    assert skeleton(make(payload)) == skeleton(make(harmless(payload)))


@pytest.mark.parametrize("place", sorted(PLACES.keys() - {"posted action", "posted control", "posted state", "posted rows"}))  # fmt: skip
def test_the_text_is_there(place: str) -> None:
    """Otherwise the test above would look at nothing."""
    marked = "a<zyx>b"
    made = PLACES[place](marked)
    assert "<zyx" not in made
    assert "zyx" in made

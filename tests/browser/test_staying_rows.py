"""Rows that stay on the page: it is the same as if an answer had all of them."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.test_form_script import FORMS, address, watch
from tests.chromium import Watched
from widgetschema import WidgetType

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "watch"]

TEXT: Final = {"type": "string"}
GROUP: Final[dict[str, Any]] = {
    "properties": {
        "title": TEXT,
        "when": {"type": "string", "format": "date-time"},
        "kind": {"enum": ["a", "b", "c"]},
        "tags": {"type": "array", "items": TEXT},
    }
}
BIG: Final = {
    "properties": {"title": TEXT, "big": {"type": "boolean"}},
    "if": {"properties": {"big": {"const": True}}, "required": ["big"]},
    "then": {"properties": {"size": {"type": "number"}}, "required": ["size"]},
}
MIXED: Final = {"anyOf": [TEXT, {"type": "number"}, GROUP]}
SCHEMAS: Final[dict[str, Any]] = {
    "groups": GROUP,
    "mixed": MIXED,
    "lists": {"type": "array", "items": TEXT},
    "free": {},
    "depends": BIG,
    "bounds": TEXT | {"minLength": 2},
}
ROWS: Final[dict[str, Any]] = {
    "groups": [{"title": f"Row {at}", "tags": ["x", "Row 1"]} for at in range(5)],
    "mixed": ["a", 1, {"title": "x"}, 2],
    "lists": [["a", "b"], ["c"], []],
    "free": [1, "x", None, [1, 2]],
    "depends": [{"title": "a"}, {"title": "b", "big": True, "size": 3}, {}, {"title": "d"}],
    "bounds": ["aa", "bb", "cc"],
}
for key, items in SCHEMAS.items():
    schema = {"properties": {"rows": {"type": "array", "maxItems": 6, "items": items}}}
    for name in (key, f"{key}-whole"):
        FORMS[f"staying-{name}"] = WidgetType.from_data_schema(schema, id=key).form(
            {"rows": ROWS[key]}
        )
# One action of a person, up to the answer: a button is pressed, or a control edited.
ACT: Final = """([what, at, text]) => new Promise((done) => {
  const root = document.querySelector(".ws-form");
  const one = (found) => found[at % found.length];
  root.closest("form").addEventListener("widgetschema:answer", () => requestAnimationFrame(() => setTimeout(done)), { once: true });
  if (what === "press") return one([...root.querySelectorAll("button[name='do']:not([aria-disabled])")]).click();
  if (what === "type") {
    const control = one([...root.querySelectorAll("input.ws-input[name^='#']")]);
    if (!control) return done();
    control.value = control.value === text ? `${text}.` : text;
    control.dispatchEvent(new Event("input", { bubbles: true }));
    return root.dispatchEvent(new CustomEvent("widgetschema:check", { bubbles: true }));
  }
  const control = one([...root.querySelectorAll("[type='radio'], .ws-type > select")]);
  if (!control) return done();
  if (control.options) control.selectedIndex = (control.selectedIndex + 1) % control.options.length;
  else control.checked = true;
  control.dispatchEvent(new Event("input", { bubbles: true }));
  if (!control.matches(".ws-choice > input, select")) root.closest("form").dispatchEvent(new CustomEvent("widgetschema:check"));
})"""
# All that a person can see or send: without what the server does not decide.
SEEN: Final = """() => {
  const lines = [];
  const walk = (node) => {
    if (node.nodeType === 3 && node.data.trim()) lines.push(node.data.trim());
    if (node.nodeType !== 1 || node.matches("script, .ws-notice, .ws-settled")) return;
    const own = ["open", "style", "value", "checked", "selected", "data-live", "data-texts", "tabindex"];
    const attributes = [...node.attributes].filter(({ name }) => !own.includes(name));
    lines.push([node.tagName, ...attributes.map(({ name, value }) => `${name}=${value}`).sort()].join(" "));
    if (node.matches("input, select, textarea")) lines.push(`${node.value} ${node.checked}`);
    if (node.tagName !== "TEXTAREA") node.childNodes.forEach(walk);
  };
  walk(document.querySelector(".ws-form"));
  return lines.join("\\n");
}"""


@pytest.mark.parametrize("key", SCHEMAS)
def test_the_page_is_as_if_all_rows_were_sent(watch: Watched, address: str, key: str) -> None:
    pages: list[Page] = []
    for name in (key, f"{key}-whole"):
        page = watch.page()
        page.goto(f"{address}/staying-{name}")
        pages.append(page)
    choose = random.Random(key)
    for _ in range(25):
        what = choose.choice(("press", "press", "press", "type", "choose"))
        action = [what, choose.randrange(10**6), choose.choice(("x", "zz", "5", "Row 1"))]
        for page in pages:
            page.evaluate(ACT, action)
        mine, whole = (page.evaluate(SEEN).splitlines() for page in pages)
        assert mine == whole, action

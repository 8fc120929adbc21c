"""HTML read as a browser reads it: what a form would submit, by the HTML standard.

"Constructing the entry list" (section 4.10.22.4), with what parsing and value sanitization do to
values on the way. Only what our forms are made of is here: another type of control is an error.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

Pairs = list[tuple[str, str]]

_CONTROLS: Final = "input, textarea, select, button"
_TYPES: Final = {"text", "password", "file", "hidden", "checkbox", "radio"}


def entries(markup: str, *, press: str | None = None) -> Pairs:
    """The submission of the one form in `markup`; `press` is the value of the button."""
    form = _form(markup)
    checked = _checked_radios(form)
    pairs: Pairs = []
    pressed = False
    for node in form.css(_CONTROLS):
        name = node.attributes.get("name") or ""
        if not name or _is_disabled(node):
            continue
        if node.tag == "button":
            if press is not None and not pressed and (node.attributes.get("value") or "") == press:
                assert _kind(node, "submit") == "submit"
                pairs.append((name, press))
                pressed = True
            continue
        pairs += [(name, _crlf(value)) for value in _values(node, checked)]
    assert pressed or press is None, f"there is no button {press!r}"
    return pairs


def buttons(markup: str) -> list[str]:
    """The values of the buttons of the form."""
    return [node.attributes.get("value") or "" for node in _form(markup).css("button[name]")]


def text_of(markup: str) -> str:
    """The text of the page, in one line."""
    body = LexborHTMLParser(markup).body
    assert body is not None
    return " ".join(body.text(separator=" ").split())


def edited(pairs: Pairs, name: str, value: str) -> Pairs:
    """The same with another value of one control, which must be there."""
    assert [one for one, _ in pairs].count(name) == 1, f"{name!r} is not there once"
    return [(one, value if one == name else old) for one, old in pairs]


def without(pairs: Pairs, names: Iterable[str]) -> Pairs:
    """The same without some controls."""
    gone = set(names)
    return [(name, value) for name, value in pairs if name not in gone]


def _form(markup: str) -> LexborNode:
    # The parser's input stream has no carriage returns (section 13.2.3.5).
    parser = LexborHTMLParser(markup.replace("\r\n", "\n").replace("\r", "\n"))
    forms = parser.css("form")
    assert len(forms) <= 1, "there is more than one form"
    root = forms[0] if forms else parser.body
    assert root is not None
    return root


def _values(node: LexborNode, checked: set[int]) -> list[str]:
    """The values of a control that is submitted."""
    if node.tag == "textarea":
        return [_lf(node.text(deep=True))]
    if node.tag == "select":
        return _selected(node)
    kind = _kind(node, "text")
    assert kind in _TYPES, f"a control of the type {kind!r}"
    value = node.attributes.get("value")
    if kind == "file":  # nothing is chosen
        return []
    if kind == "radio":
        return [value or "on"] if node.mem_id in checked else []
    if kind == "checkbox":
        return ["on" if value is None else value] if "checked" in node.attributes else []
    if kind in ("text", "password"):  # value sanitization: no newlines
        return [(value or "").replace("\n", "").replace("\r", "")]
    return [value or ""]


def _selected(node: LexborNode) -> list[str]:
    assert "multiple" not in node.attributes
    options = node.css("option")
    usable = [option for option in options if "disabled" not in option.attributes]
    chosen = [option for option in options if "selected" in option.attributes][-1:] or usable[:1]
    return [_option_value(option) for option in chosen if "disabled" not in option.attributes]


def _option_value(option: LexborNode) -> str:
    if "value" in option.attributes:
        return option.attributes["value"] or ""
    return " ".join(option.text().split())


def _checked_radios(form: LexborNode) -> set[int]:
    """The radio buttons that are checked: of each group, the last one that says so."""
    last: dict[str, int] = {}
    for node in form.css("input[type=radio][checked]"):
        last[node.attributes.get("name") or ""] = node.mem_id
    return set(last.values())


def _is_disabled(node: LexborNode) -> bool:
    around: LexborNode | None = node
    while around is not None:
        if around.tag in ("fieldset", "input", "textarea", "select", "button"):
            if "disabled" in around.attributes:
                return True
        around = around.parent
    return False


def _kind(node: LexborNode, default: str) -> str:
    return (node.attributes.get("type") or default).lower()


def _lf(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _crlf(text: str) -> str:
    return _lf(text).replace("\n", "\r\n")

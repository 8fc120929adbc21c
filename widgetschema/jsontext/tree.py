"""`parse`: a JSON text as a tree of elements that know where they are in it.

What `read` gives is the value of a text; a tree is the text itself: 1.0, 1e400, escapes and
every space stay as they were written, and `rewriting` makes new texts of it. The text is
read strictly first, so the scan here only has to find its way: it builds no values and never
recurses.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any, Final

from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Report
from widgetschema.jsontext.limits import DEFAULT_LIMITS, Limits
from widgetschema.jsontext.reading import Text, json_text, read
from widgetschema.jsontext.tokens import ITEM, MEMBER, string_value
from widgetschema.pointers import display_pointer, escape_token, is_index, parse_pointer

NEWLINE: Final = re.compile(r"\r\n|\r|\n")
_BLANK: Final = re.compile(r"[ \t]*+")
KINDS: Final = {
    "{": "object", "[": "array", '"': "string", "t": "boolean", "f": "boolean", "n": "null",
    **dict.fromkeys("-0123456789", "number"),
}  # fmt: skip
_LITERALS: Final = {"true": True, "false": False, "null": None}


class Element:
    """One JSON value in a text, from `start` to `end`: made by `parse` alone.

    `kind` is the name of its type in JSON: object, array, string, number, boolean or null.
    `members` are those of an object, `items` those of an array, in the order of the text.
    """

    __slots__ = ("_by_name", "_text", "end", "items", "kind", "members", "start")

    def __init__(self, text: str, kind: str, start: int, end: int) -> None:
        self._text = text
        self._by_name: dict[str, Member] | None = None
        self.kind = kind
        self.start = start
        self.end = end
        self.members: tuple[Member, ...] = ()
        self.items: tuple[Element, ...] = ()

    def __repr__(self) -> str:
        return f"<{self.kind} from {self.start} to {self.end}>"

    @property
    def raw(self) -> str:
        """The JSON text of the value, as it was written."""
        return self._text[self.start : self.end]

    @property
    def dedented(self) -> str:
        """`raw` without the indentation of the line on which it begins; its lines end with LF.

        What `rewriting.Raw` puts back.
        """
        first, *others = NEWLINE.split(self.raw)
        if not others:
            return first
        text, start = self._text, self.start
        line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
        indentation = indentation_at(text, line)
        return "\n".join([first, *(line.removeprefix(indentation) for line in others)])

    @property
    def value(self) -> Any:
        """The Python value, a new one each time; ±inf for a number that no double can hold."""
        if self.kind == "object" or self.kind == "array":
            return _container_value(self)
        return scalar_value(self.raw)

    def member(self, name: str) -> Member | None:
        """Return the member of that name, None if there is none."""
        if self._by_name is None:
            self._by_name = {member.name: member for member in self.members}
        return self._by_name.get(name)

    def child(self, token: str) -> Element | None:
        """Return the value that a reference token leads to (RFC 6901, section 4), if any."""
        member = self.member(token)
        if member is not None:
            return member.element
        if is_index(token) and int(token) < len(self.items):
            return self.items[int(token)]
        return None

    def walk(self, pointer: str = "") -> Iterator[tuple[str, Element]]:
        """Yield the value and all in it, in the order of the text, each with its JSON Pointer.

        `pointer` is that of the value itself.
        """
        todo = [(pointer, self)]
        while todo:
            place, element = todo.pop()
            yield place, element
            if element.kind == "object":
                below = [(f"{place}/{escape_token(m.name)}", m.element) for m in element.members]
            else:
                below = [(f"{place}/{index}", item) for index, item in enumerate(element.items)]
            todo.extend(reversed(below))


class Member:
    """A member of an object: its name, where that is written, and its value."""

    __slots__ = ("element", "key_end", "key_start", "name")

    def __init__(self, name: str, key_start: int, key_end: int, element: Element) -> None:
        self.name = name
        self.key_start = key_start
        self.key_end = key_end
        self.element = element

    def __repr__(self) -> str:
        return f"<member {self.name!r}: {self.element!r}>"


class Tree:
    """A JSON text and the value in it, `root`: by default that of a text known to be JSON."""

    __slots__ = ("__weakref__", "root", "text")

    def __init__(self, text: str, root: Element | None = None) -> None:
        self.text = text
        self.root = scanned(text) if root is None else root

    def has(self, element: Element) -> bool:
        """Return True if an element is a part of this text."""
        return element._text is self.text

    def at(self, pointer: str) -> Element | None:
        """Return the value at a JSON Pointer (RFC 6901); None if there is nothing."""
        if pointer and not pointer.startswith("/"):
            return None
        element: Element | None = self.root
        for token in parse_pointer(pointer):
            if element is None:
                return None
            element = element.child(token)
        return element

    def indices(self, pointer: str) -> tuple[int, ...]:
        """Return the positions of array indices among the tokens of a JSON Pointer, from its end.

        The last ones may lead to nothing: an item to come has an index as well.
        """
        tokens = parse_pointer(pointer)
        indices: list[int] = []
        element: Element | None = self.root
        for position, token in enumerate(tokens, start=-len(tokens)):
            if element is None:
                break
            if element.kind == "array" and is_index(token):
                indices.append(position)
            element = element.child(token)
        return tuple(indices)


def json_at(raw: Text, pointer: str) -> str:
    """Return the JSON text of the value at a JSON Pointer, exactly as it is written.

    Decoding a document and encoding its data again may change numbers (`1e400`, `1.0`), escapes and
    the order of members; this changes nothing: `json_at(document, "/data")` is safe to store.

    Args:
        raw: The JSON text, as UTF-8 bytes or a str.
        pointer: The JSON Pointer (RFC 6901); `/data` in a widget document.

    Returns:
        The text, from the first to the last character of the value.

    Raises:
        UnreadableDocument: If the text is not JSON.
        LookupError: If there is no value at the pointer.
    """
    element = parse(raw).at(pointer)
    if element is None:
        raise LookupError(f"there is no value at {display_pointer(pointer)}")
    return element.raw


def parse(raw: Text, limits: Limits = DEFAULT_LIMITS, subject: str = "document") -> Tree:
    """Return the tree of a JSON text; linear in its length.

    Raises `UnreadableDocument` where `read` does, with one exception: numbers outside the range
    of a double are accepted, since they can be kept as they are written.
    """
    raw = json_text(raw)
    try:
        read(raw, limits, subject)
    except UnreadableDocument as error:
        if all(finding.keyword != "json.number" for finding in error.report.findings):
            raise
        _refuse_more_than_numbers(raw, limits, subject)
    text = raw if isinstance(raw, str) else raw.decode()
    return Tree(text)


def _refuse_more_than_numbers(raw: bytes | str, limits: Limits, subject: str) -> None:
    from widgetschema.jsontext import diagnosis  # most runs refuse nothing

    findings = diagnosis.diagnose(raw, limits.max_depth, limits.max_bytes, any_number=True)
    if findings:
        raise UnreadableDocument(Report(findings, subject)) from None


def scanned(text: str) -> Element:
    """Return the root of a text that is known to be JSON, with a match for each value."""
    holder = Element(text, "array", -1, -1)  # as if the text were the item of an array
    around: list[tuple[Element, list[Any]]] = []
    container, children = holder, list[Any]()
    step, is_object, at = ITEM.match, False, 0
    while container is not holder or not children:
        match = step(text, at)
        assert match is not None, f"not JSON at offset {at}"
        at = match.end()
        if match.lastindex is None:  # a closing bracket
            container.end = at
            if is_object:
                container.members = tuple(children)
            else:
                container.items = tuple(children)
            container, children = around.pop()
            is_object = container.kind == "object"
            step = MEMBER.match if is_object else ITEM.match
            continue
        start = match.start(match.lastindex)
        element = Element(text, KINDS[text[start]], start, at)
        if is_object:
            key_start, key_end = match.span(1)
            name = string_value(text, key_start, key_end)
            children.append(Member(name, key_start, key_end, element))
        else:
            children.append(element)
        if text[start] in "[{":
            around.append((container, children))
            container, children = element, []
            is_object = element.kind == "object"
            step = MEMBER.match if is_object else ITEM.match
    root: Element = children[0]
    return root


def _container_value(top: Element) -> Any:
    """Return the value of an object or an array, without recursion."""
    value = _empty(top)
    todo: list[tuple[Element, Any]] = [(top, value)]
    while todo:
        element, container = todo.pop()
        if element.kind == "object":
            for member in element.members:
                container[member.name] = _value_or_empty(member.element, todo)
        else:
            container += [_value_or_empty(item, todo) for item in element.items]
    return value


def _value_or_empty(element: Element, todo: list[tuple[Element, Any]]) -> Any:
    """Return the value of an element; that of a container is filled later."""
    if element.kind not in ("object", "array"):
        return scalar_value(element.raw)
    value = _empty(element)
    todo.append((element, value))
    return value


def _empty(element: Element) -> Any:
    return {} if element.kind == "object" else []


def scalar_value(raw: str) -> Any:
    """Return the Python value of a JSON text that is neither an object nor an array."""
    if raw[0] == '"':
        return string_value(raw, 0, len(raw))
    if raw in _LITERALS:
        return _LITERALS[raw]
    number = float(raw)
    return int(raw) if raw.lstrip("-").isdigit() and not math.isinf(number) else number


def indentation_at(text: str, at: int) -> str:
    """Return the indentation of the line that begins at `at`: spaces and tabs."""
    match = _BLANK.match(text, at)
    return match.group() if match else ""

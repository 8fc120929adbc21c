"""`recover_yaml`: the tree of a YAML text that cannot be read, such as one that somebody is typing.

Each line is read by itself: its indentation says which container it belongs to, and it is passed
over if that is none. So a line that is wrong harms no other. Flow collections are read as
`jsontext.recovery` reads JSON. Aliases and merge keys stand for nothing. Nothing is reported;
`yaml` does that.
"""

from __future__ import annotations

import re
from typing import Any, Final

from widgetschema.errors import UnreadableDocument
from widgetschema.formats.yaml_scalars import KINDS, core_value
from widgetschema.jsontext import DEFAULT_LIMITS, Element, Limits, Member, read
from widgetschema.jsontext.recovery import MISSING, moved, recover, recovered_value

_LINE: Final = re.compile(r"([ \t]*+)([^\r\n]*+)(?:\r\n?|\n|\Z)")
_BLANKS: Final = re.compile(r"[ \t]*+")
_DASH: Final = re.compile(r"-(?=[ \t]|\Z)")
_COLON: Final = re.compile(r":(?=[ \t]|\Z)")
_COMMENT: Final = re.compile(r"(?<=[ \t])#")
_FLOW_COMMENT: Final = re.compile(r"(?<=[ \t\r\n])#[^\r\n]*+")
_QUOTED: Final = re.compile(r"\"(?:[^\"\\]|\\[\s\S])*+\"|'(?:[^']|'')*+'")
_PROPERTIES: Final = re.compile(r"(?:[&!][^ \t]*+(?:[ \t]++|\Z))*+")
_MARKER: Final = re.compile(r"(?:---|\.\.\.)(?=[ \t]|\Z)[ \t]*+")
_Key = tuple[str, int, int]  # a name, and where it is written


def recover_yaml(text: str, limits: Limits = DEFAULT_LIMITS) -> Element:
    """Return the value of a text of one document; linear in its length.

    Args:
        text: The text, YAML or not.
        limits: What is nested deeper than `max_depth` is left out, with the rest of the text.

    Returns:
        The value; where there is none, its kind is `MISSING`, as in `jsontext.recovery`.
    """
    return _Recovery(text, limits.max_depth).root()


def yaml_value(root: Element) -> Any:
    """Return the value of a recovered element, without what is missing."""
    return recovered_value(root, _scalar_value, "<<")


def _flow_kind(element: Element) -> str:
    """Return the kind of a part of a flow collection, in which a word is a value."""
    raw = element.raw
    if element.kind != MISSING or not raw or raw[0] == "*":
        return element.kind
    return "string" if raw[0] == "'" else KINDS[type(core_value(raw))]


def _scalar_value(raw: str) -> Any:
    if raw[0] == "'":
        return raw[1:].removesuffix("'").replace("''", "'")
    if raw[0] == '"':
        try:
            return read(raw)
        except UnreadableDocument:
            return raw.strip('"')
    if raw[0] in "|>":
        return raw.partition("\n")[2]
    return core_value(raw)


class _Block:
    """A container in block style that is not closed yet, with what was read of it.

    The last child `is_waiting` if it has no value yet; `key` is its name in an object.
    """

    __slots__ = ("children", "element", "indent", "is_waiting", "key")

    def __init__(self, element: Element, indent: int) -> None:
        self.element = element
        self.indent = indent
        self.children: list[Any] = []
        self.key: _Key | None = None
        self.is_waiting = False

    def begin(self, missing: Element, key: _Key | None = None) -> None:
        """Begin an item, or a member if there is a key; it has no value yet."""
        self.key = key
        self.children.append(None)
        self.put(missing)
        self.is_waiting = True

    def put(self, element: Element) -> None:
        """Give the last child its value."""
        self.children[-1] = element if self.key is None else Member(*self.key, element)
        self.is_waiting = False

    def close(self) -> None:
        """Give the element what was read."""
        if self.children:
            last = self.children[-1]
            self.element.end = last.end if isinstance(last, Element) else last.element.end
        if self.element.kind == "object":
            self.element.members = tuple(self.children)
        else:
            self.element.items = tuple(self.children)


class _Recovery:
    """One pass over a text, line by line."""

    def __init__(self, text: str, max_depth: int) -> None:
        self.text = text
        self.max_depth = max_depth
        self.line_end = 0  # of the line that is read, without its break
        self.next_line = 0
        # The text is read as if it were an item.
        self.open = [_Block(self.element("array", 0, len(text)), -1)]
        self.open[0].begin(self.element(MISSING, 0, len(text)))
        self.word: tuple[_Block, Element, int] | None = None  # the last line, if it is one word

    def root(self) -> Element:
        """Return the value of the text."""
        while self.next_line < len(self.text) and len(self.open) <= self.max_depth + 1:
            at, column = self.begin_line()
            if column == 0 and self.text.startswith("%", at):
                continue
            marker = _MARKER.match(self.text, at, self.line_end) if column == 0 else None
            if marker is not None:
                at, column = marker.end(), marker.end() - at
            if not self.is_at_end(at):
                self.content(at, column)
        while len(self.open) > 1:
            self.leave()
        [root] = self.open[0].children
        return root if isinstance(root, Element) else root.element

    def begin_line(self) -> tuple[int, int]:
        """Go to the next line; return where its content begins: the offset, and the column."""
        match = _LINE.match(self.text, self.next_line)
        assert match is not None
        self.line_end, self.next_line = match.end(2), match.end()
        return match.start(2), len(match[1])

    def content(self, at: int, column: int) -> None:
        """Take a line from its content on."""
        while _DASH.match(self.text, at, self.line_end):
            self.word = None
            self.leave_deeper(column)
            if len(self.open) > self.max_depth + 1 or not self.enter("array", at, column):
                return
            self.open[-1].begin(self.element(MISSING, at + 1, at + 1))
            behind = self.skip(_BLANKS, at + 1)
            at, column = behind, column + behind - at
            if self.is_at_end(at):
                return
        key = self.key(at)
        self.leave_deeper(column, is_item=False)
        if key is None:
            self.word_line(at, column)
            return
        if self.word is not None and self.word[2] == column and self.word[0] is self.open[-1]:
            block, word, _ = self.word
            block.is_waiting = True  # the word turns out to be the name of a member
            self.enter("object", word.start, column)
            name = (word.raw, word.start, word.end)
            self.open[-1].begin(self.element(MISSING, word.end, word.end), name)
        self.word = None
        if self.enter("object", at, column):
            colon = self.text.index(":", key[2]) + 1
            self.open[-1].begin(self.element(MISSING, colon, colon), key)
            self.value(self.skip(_PROPERTIES, self.skip(_BLANKS, colon)), column)

    def word_line(self, at: int, column: int) -> None:
        """Take a line that neither names a member nor is an item."""
        top = self.open[-1]
        if top.is_waiting and column > top.indent:
            self.value(self.skip(_PROPERTIES, at), top.indent)
            last = top.children[-1]
            value = last.element if isinstance(last, Member) else last
            self.word = (top, value, column) if value.kind == "string" else None
        elif top.element.kind == "object" and top.indent == column:
            end = self.plain_end(at)  # a name, of which the colon is missing
            top.begin(self.element(MISSING, end, end), (self.text[at:end], at, end))

    def enter(self, kind: str, at: int, column: int) -> bool:
        """Open a container if a child of one can begin there; return whether one is open."""
        top = self.open[-1]
        if top.element.kind == kind and top.indent == column:
            return True
        is_deeper = column > top.indent or (kind == "array" and column == top.indent)
        if not top.is_waiting or not is_deeper:
            return False
        element = self.element(kind, at, at)
        top.put(element)
        self.open.append(_Block(element, column))
        return True

    def leave_deeper(self, column: int, *, is_item: bool = True) -> None:
        """Close the containers that a line at a column is not in."""
        while self.open[-1].indent > column or (
            not is_item and self.open[-1].indent == column and self.open[-1].element.kind == "array"
        ):
            self.leave()

    def leave(self) -> None:
        """Close the innermost container."""
        self.open.pop().close()

    def key(self, at: int) -> _Key | None:
        """Return the name of the member that begins there, if one does."""
        text = self.text
        at = self.skip(_PROPERTIES, at)
        if text.startswith(("{", "[", "|", ">", "*", "%", "@", "`"), at):
            return None
        quoted = _QUOTED.match(text, at, self.line_end)
        if quoted is not None:
            colon = _COLON.match(text, self.skip(_BLANKS, quoted.end()), self.line_end)
            name = str(_scalar_value(quoted.group()))
            return None if colon is None else (name, *quoted.span())
        colon = _COLON.search(text, at, self.line_end)
        if colon is None or self.plain_end(at) < colon.start():
            return None
        name = text[at : colon.start()].rstrip(" \t")
        return name, at, at + len(name)

    def value(self, at: int, indent: int) -> None:
        """Take the value that begins in this line; `indent` is that of its container."""
        if self.is_at_end(at):
            return
        text, end = self.text, self.line_end
        if text[at] in "{[":
            self.open[-1].put(self.flow(at, self.behind_deeper_lines(indent, closing="]}")))
            return
        if text[at] in "|>":
            end, kind = self.behind_deeper_lines(indent), "string"
        elif text[at] in "'\"":
            match = _QUOTED.match(text, at, end)
            match = match or _QUOTED.match(text, at, self.behind_deeper_lines(indent))
            end, kind = match.end() if match else end, "string"
        else:
            end = self.plain_end(at)
            kind = MISSING if text[at] == "*" else KINDS[type(core_value(text[at:end]))]
        self.open[-1].put(self.element(kind, at, end))

    def flow(self, at: int, end: int) -> Element:
        """Return the flow collection that begins there."""
        written = self.text[at:end]
        blank = _FLOW_COMMENT.sub(lambda match: " " * len(match.group()), written)
        recovered = recover(blank, Limits(max_depth=self.max_depth)).root
        return moved(recovered, self.text, lambda offset: offset + at, _flow_kind)

    def behind_deeper_lines(self, indent: int, closing: str = "") -> int:
        """Go behind the lines that are indented deeper; return where the last of them ends.

        A line that begins with a `closing` bracket, no less indented, is the last.
        """
        end = self.line_end
        while self.next_line < len(self.text):
            before = self.line_end, self.next_line
            at, column = self.begin_line()
            is_last = at < self.line_end and self.text[at] in closing and column >= indent
            if at < self.line_end and column <= indent and not is_last:
                self.line_end, self.next_line = before
                break
            end = self.line_end if at < self.line_end else end
            if is_last and column <= indent:
                break
        return end

    def plain_end(self, at: int) -> int:
        """Return the end of a plain scalar in this line."""
        comment = _COMMENT.search(self.text, at, self.line_end)
        end = self.line_end if comment is None else comment.start()
        return at + len(self.text[at:end].rstrip(" \t"))

    def skip(self, pattern: re.Pattern[str], at: int) -> int:
        """Return the offset behind what a pattern matches in this line."""
        match = pattern.match(self.text, at, self.line_end)
        return at if match is None else match.end()

    def is_at_end(self, at: int) -> bool:
        """Return whether there is nothing but a comment up to the end of the line."""
        return at >= self.line_end or self.text[at] == "#"

    def element(self, kind: str, start: int, end: int) -> Element:
        """Return an element of the text."""
        return Element(self.text, kind, start, end)

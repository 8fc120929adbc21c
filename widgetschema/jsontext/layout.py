"""The layout of a JSON text: indentation, newlines, the space around colons and commas.

Found in the text when something new has to look like what is there: in the containers near it, else
anywhere in the text, else in the text that this one is a part of (`Around`). Where nothing can be
read, new text is compact and on one line. Nothing is written here.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Final, NamedTuple

from widgetschema.cached import cached_property
from widgetschema.jsontext.tree import NEWLINE, Element, Member, Tree, indentation_at


class Style(NamedTuple):
    """The style of a container: one child a line (`lines`), or all on one.

    `unit` is what its children are indented by, `colon` stands between name and value; on one
    line, `space` comes after a comma and `padding` within the brackets.
    """

    lines: bool
    unit: str
    colon: str
    space: str
    padding: str


class Around(NamedTuple):
    """The layout that a text has from the one that it is a part of.

    `style` is that of a container in its place, `indentation` that of the line on which it begins.
    """

    style: Style
    newline: str
    indentation: str


_COMPACT: Final = Style(lines=False, unit="  ", colon=":", space="", padding="")
_SPACED: Final = _COMPACT._replace(colon=": ", space=" ")


class Layout:
    """The layout of one text. Each part is found once, when it is first asked for.

    `around` is the layout of the text that it is a part of, if it is one.
    """

    def __init__(self, tree: Tree, around: Around | None = None) -> None:
        self._tree = tree
        self._text = tree.text
        self._around = around

    @cached_property
    def newline(self) -> str:
        """The line ending of the text: that of its first line."""
        found = NEWLINE.search(self._text)
        if found is None and self._around is not None:
            return self._around.newline
        return found.group() if found else "\n"

    @property
    def is_on_one_line(self) -> bool:
        """True if the value is on one line, and what is new in it must be."""
        return not self._usual.lines

    def indentation(self, offset: int) -> str:
        """Return the indentation of the line in which the token at `offset` is."""
        index = bisect_right(self._lines, offset) - 1
        if index == 0 and self._around is not None:
            return self._around.indentation
        return indentation_at(self._text, self._lines[index])

    def around(self, element: Element) -> Around:
        """Return the layout that an element has from the text around it."""
        parent = parent_of(self._tree, element)
        style = self._usual
        if parent is not None:
            like = containers_in(parent).get("object")
            style = self.style(like, on_one_line=not self.style_of(parent).lines)
        return Around(style, self.newline, self.indentation(element.start))

    def style(self, like: Element | None, on_one_line: bool) -> Style:
        """Return the style of a new container: that of `like`, else the usual one of the text."""
        if like is not None:
            return self.style_of(like)
        return self._usual._replace(lines=self._usual.lines and not on_one_line)

    def style_of(self, element: Element) -> Style:
        """Return the style of a container that is not empty."""
        first, *others = children_of(element)[:2]
        lead = self._text[element.start + 1 : start_of(first)]
        colon = self.colon_of(first) if isinstance(first, Member) else None
        usual = self._usual._replace(colon=self._usual.colon if colon is None else colon)
        if NEWLINE.search(lead):
            unit = self._unit_of(element, lead)
            return usual._replace(lines=True, unit=usual.unit if unit is None else unit)
        space = self._space(first, others[0]) if others else None
        return usual._replace(
            lines=False, space=usual.space if space is None else space, padding=lead
        )

    def colon_of(self, member: Member) -> str | None:
        """Return the text between name and value; None if that is a line break."""
        colon = self._text[member.key_end : member.element.start]
        return None if NEWLINE.search(colon) else colon

    @property
    def colon(self) -> str:
        """The usual text between name and value."""
        return self._usual.colon

    @property
    def space(self) -> str:
        """The usual text behind a comma on one line."""
        return self._usual.space

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *(match.end() for match in NEWLINE.finditer(self._text))]

    @cached_property
    def _usual(self) -> Style:
        """Return the first style in the text; else two spaces, a line for each child."""
        root = self._tree.root
        unit = colon = space = None
        for element in _containers(root):
            children = children_of(element)
            first = children[0]
            if colon is None and isinstance(first, Member):
                colon = self.colon_of(first)
            lead = self._text[element.start + 1 : start_of(first)]
            if unit is None and NEWLINE.search(lead):
                unit = self._unit_of(element, lead)
            if space is None and len(children) > 1:
                space = self._space(first, children[1])
            if unit is not None and colon is not None and space is not None:
                break
        lines = NEWLINE.search(root.raw) is not None
        is_spaced = lines or (bool(space) if colon is None else colon != ":")
        like = _SPACED if is_spaced else _COMPACT
        if self._around is not None:
            around = self._around.style
            lines = lines or (around.lines and not children_of(root))
            like = around if colon is None and space is None else like._replace(unit=around.unit)
        return Style(
            lines,
            like.unit if unit is None else unit,
            like.colon if colon is None else colon,
            like.space if space is None else space,
            padding="",
        )

    def _unit_of(self, element: Element, lead: str) -> str | None:
        inner, outer = last_line(lead), self.indentation(element.start)
        return inner.removeprefix(outer) if inner.startswith(outer) else None

    def _space(self, one: Member | Element, other: Member | Element) -> str | None:
        """Return the space behind the comma between two children; None if that is a line break."""
        space = self._text[end_of(one) : start_of(other)].partition(",")[2]
        return None if NEWLINE.search(space) else space


def around_like(tree: Tree) -> Around:
    """Return the layout around a text that stands beside this one in a list or on other lines.

    If it was cut out of a larger text, its closing bracket shows how its first line is indented.
    """
    root = tree.root
    *above, last = NEWLINE.split(root.raw)
    indentation = last.rstrip("]}") if above and not last.strip(" \t]}") else ""
    around = Around(_COMPACT, "\n", indentation)
    layout = Layout(tree, around)
    style = layout.style_of(root) if children_of(root) else around.style
    return Around(style, layout.newline, indentation)


def _containers(root: Element) -> Iterator[Element]:
    """Yield the containers that are not empty, outer ones first."""
    todo = [root]
    while todo:
        element = todo.pop()
        if element.items or element.members:
            yield element
            todo += reversed([value_in(child) for child in children_of(element)])


def children_of(element: Element) -> tuple[Member, ...] | tuple[Element, ...]:
    """Return the members of an object, the items of an array."""
    return element.members or element.items


def value_in(child: Member | Element) -> Element:
    """Return the value of a member; an item is one."""
    return child.element if isinstance(child, Member) else child


def start_of(child: Member | Element) -> int:
    """Return the offset at which a member or an item begins."""
    return child.key_start if isinstance(child, Member) else child.start


def end_of(child: Member | Element) -> int:
    """Return the offset at which a member or an item ends."""
    return value_in(child).end


def containers_in(element: Element) -> dict[str, Element]:
    """Return for each kind of container the last one in `element` that is not empty."""
    values = map(value_in, children_of(element))
    return {value.kind: value for value in values if children_of(value)}


def parent_of(tree: Tree, element: Element) -> Element | None:
    """Return the container that `element` is in."""
    parent, found = None, tree.root
    while found is not element:
        parent, children = found, children_of(found)
        index = bisect_right(children, element.start, key=start_of) - 1
        found = value_in(children[index])
    return parent


def last_line(space: str) -> str:
    """Return white space after its last line break."""
    return NEWLINE.split(space)[-1]


class Gaps:
    """The white space of a container that is not empty, for changed children.

    `leads` is what is before each child, behind the bracket or the comma.
    """

    def __init__(self, text: str, element: Element, space: str) -> None:
        children = children_of(element)
        self.leads: list[str] = []
        self._trails: list[str] = []
        at = element.start + 1
        for child in children:
            gap = text[at : start_of(child)]
            if self.leads:
                trail, _, gap = gap.partition(",")
                self._trails.append(trail)
            self.leads.append(gap)
            at = end_of(child)
        self.close = text[at : element.end - 1]
        self._space = space

    def lead(self, position: int, index: int | None, before: int | None) -> str:
        """Return the space before a child: its own, where that fits, else its neighbour's.

        `index` is its place in the text, None if it is new; `before` that of the last child in
        front of it that was there already.
        """
        first = self.leads[0]
        if position == 0:
            own = first if index is None else self.leads[index]
            return _one_break(own) if index and _breaks(own) and _breaks(first) else first
        if index:
            return self.leads[index]
        if before and index is None:
            return _one_break(self.leads[before])
        if len(self.leads) > 1:
            second = self.leads[1]
            return _one_break(first if _breaks(first) and _breaks(second) else second)
        return _one_break(first) if _breaks(first) else self._space

    def trail(self, index: int | None) -> str:
        """Return the space between a child and the comma behind it."""
        if not self._trails:
            return ""
        return self._trails[index if index is not None and index < len(self._trails) else -1]


def _breaks(space: str) -> bool:
    return NEWLINE.search(space) is not None


def _one_break(space: str) -> str:
    """Return white space without its empty lines."""
    return space[list(NEWLINE.finditer(space))[-1].start() :] if _breaks(space) else space

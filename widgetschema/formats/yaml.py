"""YAML 1.2 (core schema) to JSON values, with places.

The parser, libyaml, yields events with offsets. This module interprets them, because libyaml
follows YAML 1.1. Aliases and merge keys are resolved, and values that JSON cannot express are
refused. Nothing recurses, and nothing is resolved before its size is known.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from operator import itemgetter
from typing import Any, Final, NamedTuple, NoReturn

from widgetschema.errors import MissingExtra, UnreadableDocument
from widgetschema.findings import Finding, Report
from widgetschema.formats.model import Parsed, Warned, most_values
from widgetschema.formats.schema_comments import schema_comment
from widgetschema.formats.yaml_scalars import (
    FLOAT,
    KINDS,
    core_value,
    is_plain_text,
    number_token,
    older_value,
)
from widgetschema.jsontext import Element, Limits, Location, Member, SourceText, preview
from widgetschema.jsontext.limits import MOST_FAULTS
from widgetschema.jsontext.recovery import MISSING
from widgetschema.jsontext.values import depth_message, number_message
from widgetschema.pointers import escape_token, parse_pointer
from widgetschema.schema.keywords import texts

_LEAST_LIMIT: Final = 1024 * 1024  # characters of a document with its aliases resolved
_TIMES: Final = 10  # or as many times the size of the file
_DOCUMENT_VALUES: Final = 16  # what a document takes more memory for than a value
_PREFIX: Final = "tag:yaml.org,2002:"
_MERGE: Final = "<<"
_CONFLICT: Final = re.compile(r"^(?:<{7}|\|{7}|={7}|>{7})(?=[ \r\n]|\Z)", re.MULTILINE)
# Line breaks in YAML 1.1, but not in 1.2: the parser must not take them for breaks.
_OLD_BREAKS: Final = "\x85\u2028\u2029"
_PRIVATE: Final = range(0xE000, 0xF8FF)


class _Refused(Exception):
    """The text cannot be read after the last finding."""


class _Member(NamedTuple):
    """A member of a mapping: the scalar that names it, and its value."""

    key: _Node
    node: _Node


class _Node:
    """A value in the text, from `start` to `end`.

    `value` is that of a scalar, `items` and `members` are those of a list and a mapping, `target`
    is what an alias stands for. `weight` is about how many characters the value has, `count` how
    many values, `depth` how many containers are nested in it, all with aliases resolved. `is_token`
    says whether it is one scalar without tag or anchor.
    """

    __slots__ = (
        "count",
        "depth",
        "end",
        "is_token",
        "items",
        "kind",
        "members",
        "start",
        "target",
        "value",
        "weight",
    )

    def __init__(self, kind: str, start: int, end: int, weight: int = 1) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.weight = weight
        self.count = 1
        self.depth = 0
        self.value: Any = None
        self.is_token = False
        self.items: list[_Node] = [] if kind == "array" else _NO_ITEMS
        self.members: dict[str, _Member] = {} if kind == "object" else _NO_MEMBERS
        self.target: _Node | None = None

    @property
    def resolved(self) -> _Node:
        """Return the node that an alias refers to, or the node itself if it is not an alias."""
        return self if self.target is None else self.target


_NO_ITEMS: Final[list[_Node]] = []
_NO_MEMBERS: Final[dict[str, _Member]] = {}


def parse_yaml(text: str, limits: Limits, subject: str) -> list[Parsed]:
    """Return the values of the documents in a text, but for those in which nothing is written.

    Raises `UnreadableDocument`.
    """
    composer = _Composer(text, limits)
    roots: list[tuple[_Node, list[Warned]]] = []
    with suppress(_Refused):
        roots = composer.documents()
        if not roots:
            empty = "the text holds only comments" if text.strip() else "the text is empty"
            if composer.has_markers:
                empty = "each document in the text is empty"
            composer.refuse("json.empty", f"{empty}, but must hold a value", 0)
    places = SourceText(text)
    if composer.findings:
        found = sorted(composer.findings, key=itemgetter(0))
        positions = places.positions([offset for offset, _ in found])
        pairs = zip(found, positions, strict=True)
        findings = [finding.with_position(*position) for (_, finding), position in pairs]
        raise UnreadableDocument(Report(tuple(findings), subject))
    begins = places.positions([root.start for root, _ in roots])
    ends = [0, *(root.end for root, _ in roots)]
    return [
        Parsed(
            _value(root),
            YamlText(text, root, composer.shared, (root.start - column + 1, line)),
            tuple(warnings),
            line if len(roots) > 1 else None,
            schema_comment(text, end, root.start),
        )
        for (root, warnings), (line, column), end in zip(roots, begins, ends, strict=False)
    ]


class _Open:
    """A container whose end was not met: with the path to it, and a name that waits for a value."""

    __slots__ = ("anchor", "index", "key", "merges", "node", "path")

    def __init__(self, node: _Node, path: str, anchor: str | None) -> None:
        self.node = node
        self.path = path
        self.anchor = anchor
        self.index = 0
        self.key: _Node | None = None
        self.merges: list[tuple[_Node, _Node]] = []


class _Composer:
    """Compose nodes from the events of a text, and collect findings."""

    def __init__(self, text: str, limits: Limits) -> None:
        self.findings: list[tuple[int, Finding]] = []  # with their offsets
        self.warnings: list[Warned] = []  # about a document
        self._warned = 0  # how many about all documents
        self._last_warnings = self.warnings  # of the last document that has one
        self.shared: list[tuple[int, int]] = []  # what aliases stand for
        self.has_markers = False  # of documents
        self._text = text
        self._limits = limits
        self._most = min(limits.max_bytes, max(_LEAST_LIMIT, _TIMES * len(text)))
        self._most_values = most_values(limits)
        self._values = 0  # in all documents
        self._anchors: dict[str, _Node] = {}
        self._open: list[_Open] = []
        self._old_breaks: dict[int, str] = {}
        self._offset = 0

    def documents(self) -> list[tuple[_Node, list[Warned]]]:
        """Return the root of each document, and the warnings about it. Raises `_Refused`."""
        roots: list[tuple[_Node, list[Warned]]] = []
        for name, event in self._events():
            if name == "DocumentStartEvent":
                self._anchors, self.warnings = {}, []
                self._count(_DOCUMENT_VALUES, event)
                self.has_markers = self.has_markers or event.explicit
            elif name in ("SequenceStartEvent", "MappingStartEvent"):
                self._begin("array" if name[0] == "S" else "object", event)
            elif name in ("SequenceEndEvent", "MappingEndEvent"):
                root = self._end(event)
                if root is not None:
                    roots.append((root, self.warnings))
            elif name in ("ScalarEvent", "AliasEvent"):
                node = self._scalar(event) if name[0] == "S" else self._alias(event)
                if self._open:
                    self._put(node)
                elif node.start < node.end:  # else nothing follows a marker
                    roots.append((node, self.warnings))
        if self._warned > MOST_FAULTS:
            last = self._last_warnings.pop()  # stands for the others, too
            message = texts()["yaml.version.more"](number=self._warned - MOST_FAULTS + 1)
            finding = replace(last.finding, message=message, hint=None)
            self._last_warnings.append(last._replace(finding=finding))
        return roots

    def refuse(
        self, code: str, message: str, offset: int, path: str = "", hint: str | None = None
    ) -> NoReturn:
        """Report a finding after which the rest cannot be read."""
        self.findings.append((min(offset, len(self._text)), Finding(code, path, "", message, hint)))
        raise _Refused

    def _events(self) -> Iterator[tuple[str, Any]]:
        try:
            import yaml
        except ImportError:
            raise MissingExtra("formats", "YAML needs the library PyYAML") from None
        text = self._text
        if text.startswith("\ufeff"):
            text, self._offset = text[1:], 1
        if any(map(text.__contains__, _OLD_BREAKS)):
            free = islice((chr(code) for code in _PRIVATE if chr(code) not in text), 3)
            replaced = {ord(old): new for old, new in zip(_OLD_BREAKS, free, strict=True)}
            self._old_breaks = {ord(new): chr(old) for old, new in replaced.items()}
            text = text.translate(replaced)
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        try:
            for event in yaml.parse(text, Loader=loader):
                yield type(event).__name__, event
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            offset = 0 if mark is None else mark.index
            parts = [part for part in (error.context, error.problem) if part]
            self._refuse_syntax(": ".join(parts), self._offset + offset)
        except UnicodeEncodeError as error:  # half a character, in a text that was no file
            message = f"the character U+{ord(error.object[error.start]):04X} is not allowed"
            self._refuse_syntax(message, self._offset + error.start)
        except yaml.reader.ReaderError as error:
            found = error.character
            code = ord(found) if isinstance(found, str) else found
            message = f"the character U+{code:04X} is not allowed"
            self._refuse_syntax(message, max(self._text.find(chr(code)), 0))

    def _refuse_syntax(self, message: str, offset: int) -> NoReturn:
        """Report an error of the parser, which may follow from something else."""
        hint = None
        marker = _CONFLICT.search(self._text)
        if marker is not None:
            message, offset = texts()["yaml.conflict"](marker=repr(marker.group())), marker.start()
            hint = "resolve the conflict: choose what to keep, and remove the lines of the markers"
        elif self._text[offset : offset + 1] == "\t":
            message, hint = "a tab cannot indent", "indent with spaces"
        elif "mapping values are not allowed" in message:
            message = "a colon and a space begin a value, which is not allowed here"
            hint = 'put a text that has ": " in it in quotes, or correct the indentation'
        elif "incompatible YAML document" in message:
            message, hint = "only YAML 1.1 and 1.2 can be read", "write %YAML 1.2"
        elif "cannot start any token" in message:
            found = preview(self._text[offset : offset + 1])
            message, hint = f"a value cannot begin with {found}", "put the text in quotes"
        self.refuse("yaml.syntax", message, offset, hint=hint)

    def _add(
        self, code: str, message: str, node: _Node, path: str, hint: str | None = None
    ) -> None:
        self.findings.append((node.start, Finding(code, path, "", message, hint)))
        if len(self.findings) >= MOST_FAULTS:
            raise _Refused

    def _path(self) -> str:
        """Return the pointer of the value that comes next."""
        if not self._open:
            return ""
        around = self._open[-1]
        if around.node.kind == "array":
            return f"{around.path}/{around.index}"
        key = around.key
        if key is None or key.kind == _MERGE:
            return around.path
        return f"{around.path}/{escape_token(str(key.value))}"

    def _is_key(self) -> bool:
        return bool(self._open) and self._open[-1].node.kind == "object" and not self._open[-1].key

    def _begin(self, kind: str, event: Any) -> None:
        node = _Node(kind, *self._span(event))
        node.depth = 1
        node.count = -self._values
        self._count(1, event)
        if len(self._open) >= self._limits.max_depth:
            message = depth_message(self._limits.max_depth)
            self.refuse("json.depth", message, node.start, self._path())
        if self._is_key():
            message = texts()["yaml.key.collection"]()
            self.refuse("json.key", message, node.start, self._path())
        if event.tag is not None and event.tag not in (
            "!",
            _PREFIX + ("seq" if kind == "array" else "map"),
        ):
            self._add(
                "json.type", texts()["yaml.tag"](tag=_shown_tag(event.tag)), node, self._path()
            )
        self._open.append(_Open(node, self._path(), event.anchor))
        self._anchors.pop(event.anchor, None)

    def _end(self, event: Any) -> _Node | None:
        """Close the innermost container; return it if it is the root."""
        done = self._open.pop()
        node = done.node
        node.count += self._values
        # The end of one in block style is behind the white space that follows it.
        ends = [one.end for one in node.items]
        ends += [one.node.end for one in node.members.values()]
        ends += [value.end for _, value in done.merges]
        last = max(ends, default=node.start)
        end = self._span(event)[1]
        node.end = (
            end if self._text[end - 1 : end] in ("]", "}") and end > last else max(last, node.end)
        )
        for key, value in done.merges:
            self._merge(node, key, value, done.path)
        if done.anchor is not None:
            self._anchors[done.anchor] = node
        if not self._open:
            return node
        self._put(node)
        return None

    def _span(self, event: Any) -> tuple[int, int]:
        return event.start_mark.index + self._offset, event.end_mark.index + self._offset

    def _put(self, node: _Node) -> None:
        """Put a value, or a name, into the innermost container."""
        around = self._open[-1]
        container = around.node
        container.weight += node.weight
        container.depth = max(container.depth, node.depth + 1)
        if container.weight > self._most:
            message = texts()["yaml.aliases"](number=self._most)
            self.refuse("yaml.aliases", message, node.start, self._path())
        if len(self._open) + node.depth > self._limits.max_depth:
            message = depth_message(self._limits.max_depth)
            self.refuse("json.depth", message, node.start, self._path())
        if container.kind == "array":
            container.items.append(node)
            around.index += 1
        elif around.key is None:
            around.key = node
            self._check_name(around, node)
        else:
            key, around.key = around.key, None
            if key.kind == _MERGE:
                around.merges.append((key, node))
            elif isinstance(key.value, str):
                container.members.setdefault(key.value, _Member(key, node))

    def _count(self, values: int, event: Any) -> None:
        """Count values of the file, with aliases resolved: each takes much more than its text."""
        self._values += values
        if self._values > self._most_values:
            message = texts()["yaml.values"](number=self._most_values)
            hint = "split the file, or write it as JSON"
            self.refuse("json.size", message, self._span(event)[0], hint=hint)

    def _check_name(self, around: _Open, node: _Node) -> None:
        """Report a name that is not a string, or that another member has."""
        if node.kind == _MERGE:
            return
        name, path = node.resolved.value, around.path
        raw = preview(self._text[node.start : node.end], 40)[1:-1]
        if node.resolved.kind in ("array", "object"):
            self._add("json.key", texts()["yaml.key.collection"](), node, path)
        elif not isinstance(name, str):
            what = "null" if name is None else "boolean" if isinstance(name, bool) else "number"
            message = texts()["yaml.key"](raw=raw or "null", what=texts()[f"yaml.key.{what}"]())
            hint = f'write "{raw}"' if raw else None
            self._add("json.key", message, node, path, hint)
            node.value = raw
        elif name in around.node.members:
            message = f"the member {preview(name)} appears twice"
            self._add("json.duplicate-member", message, node, self._path(), "keep one of them")
        elif node.target is not None:
            node.value = name

    def _scalar(self, event: Any) -> _Node:
        start, end = self._span(event)
        is_plain = event.style is None or event.style == ""
        text = event.value.translate(self._old_breaks) if self._old_breaks else event.value
        node = _Node("scalar", start, end, len(text) + 1)
        self._count(1, event)
        path = self._path()
        tag = event.tag
        if tag is None and is_plain:
            if text == _MERGE and self._is_key():
                node.kind = _MERGE
                return node
            node.value = core_value(text)
            self._warn(text, node, path)
        elif tag in (None, "!", f"{_PREFIX}str"):
            node.value = text
        elif tag == f"{_PREFIX}merge" and text == _MERGE and self._is_key():
            node.kind = _MERGE
            return node
        else:
            node.value = self._tagged(tag, text, node, path)
        node.is_token = tag is None and event.anchor is None and event.style not in ("|", ">")
        if isinstance(node.value, float) and not math.isfinite(node.value):
            is_word = not FLOAT.fullmatch(text)
            message = f"JSON has no {text}" if is_word else number_message(text)
            self._add(
                "json.number", message, node, path, "use null, or leave it out" if is_word else None
            )
        elif type(node.value) is int and _is_too_large(node.value):
            self._add("json.number", number_message(text), node, path)
        if event.anchor is not None:
            self._anchors[event.anchor] = node
        return node

    def _tagged(self, tag: str, text: str, node: _Node, path: str) -> Any:
        """Return the value of a scalar with a tag of the core schema."""
        value = core_value(text)
        if tag == f"{_PREFIX}float" and type(value) is int:
            return value
        kinds = {"int": int, "float": float, "bool": bool, "null": type(None)}
        kind = kinds.get(tag.removeprefix(_PREFIX))
        if kind is None:
            self._add("json.type", texts()["yaml.tag"](tag=_shown_tag(tag)), node, path)
        elif type(value) is not kind:
            message = texts()["yaml.tag.mismatch"](raw=preview(text, 40), tag=_shown_tag(tag))
            self._add("json.type", message, node, path)
        return value

    def _warn(self, text: str, node: _Node, path: str) -> None:
        """Warn of a plain scalar that is another value in YAML 1.1."""
        was = older_value(text)
        if was is None:
            return
        self._warned += 1
        if self._warned > MOST_FAULTS:
            return
        say = texts()
        value = node.value
        is_key = self._is_key()
        if is_key:
            path = f"{path}/{escape_token(text)}"
        now = say["yaml.a-text"]() if isinstance(value, str) else say["yaml.number"](value=value)
        message = say["yaml.version"](raw=preview(text, 40)[1:-1], now=now, was=was)
        quoted = preview(text, 40)
        hint = say["hint.quotes"](value=quoted)
        if was in ("true", "false") and not is_key:
            hint = say["hint.quotes-or"](value=quoted, other=was)
        finding = Finding("yaml.version", path, "", message, hint)
        self.warnings.append(Warned(finding, node.start, node.end))
        self._last_warnings = self.warnings

    def _alias(self, event: Any) -> _Node:
        start, end = self._span(event)
        node = _Node("alias", start, end)
        target = self._anchors.get(event.anchor)
        if target is None:
            inside = any(one.anchor == event.anchor for one in self._open)
            id = "yaml.inside" if inside else "yaml.no-anchor"
            message = texts()[id](name=preview(event.anchor, 40))
            self.refuse("yaml.syntax", message, start, self._path())
        node.target = target.resolved
        node.weight, node.count, node.depth = target.weight, target.count, target.depth
        node.value = target.value
        self._count(node.count, event)
        self.shared.append((target.start, target.end))
        return node

    def _merge(self, node: _Node, key: _Node, value: _Node, path: str) -> None:
        """Add the members of other mappings: those that are written win, then the first."""
        others = [value.resolved]
        if value.resolved.kind == "array":
            others = [one.resolved for one in value.resolved.items]
        for other in others:
            if other.kind != "object":
                self._add("yaml.syntax", texts()["yaml.no-merge"](), key, path)
                return
            self.shared.append((other.start, other.end))
            for name, member in other.members.items():
                node.members.setdefault(name, member)


def _is_too_large(value: int) -> bool:
    try:
        float(value)
    except OverflowError:
        return True
    return False


def _shown_tag(tag: str) -> str:
    short = f"!!{tag.removeprefix(_PREFIX)}" if tag.startswith(_PREFIX) else tag
    return preview(short, 60)[1:-1]


def _value(root: _Node) -> Any:
    """Return the value of a node, in which nothing is shared."""
    holder = [root.resolved.value]
    todo: list[tuple[_Node, Any, Any]] = [(root.resolved, holder, 0)]
    while todo:
        node, container, name = todo.pop()
        value: Any = None
        children: Iterable[tuple[Any, _Node]] = ()
        if node.kind == "array":
            container[name] = value = [item.resolved.value for item in node.items]
            children = enumerate(node.items)
        elif node.kind == "object":
            members = node.members.items()
            container[name] = value = {key: one.node.resolved.value for key, one in members}
            children = ((key, one.node) for key, one in members)
        for key, child in children:
            if child.resolved.kind in ("array", "object"):
                todo.append((child.resolved, value, key))
    return holder[0]


def _element(text: str, node: _Node) -> Element:
    """Return a node as an element, without its children; nothing is known of an alias."""
    kind = node.kind
    if kind not in ("object", "array"):
        is_there = node.target is None and node.start < node.end
        kind = KINDS[type(node.value)] if is_there else MISSING
    return Element(text, kind, node.start, node.end)


class YamlText(SourceText):
    """A document in a YAML text. `shared` are the spans that aliases and merge keys stand for.

    `begin` is the offset of the line on which it begins, and the number of that.
    """

    def __init__(
        self,
        text: str,
        root: _Node,
        shared: Sequence[tuple[int, int]],
        begin: tuple[int, int] = (0, 1),
    ) -> None:
        super().__init__(text)
        self._begin = begin
        self._root = root
        self._shared = shared
        self._tokens: set[tuple[int, int]] = set()  # of what was located, those to be edited

    def locate(self, pointers: Iterable[str]) -> dict[str, Location]:
        """Return the location of each pointer that exists in the document."""
        found = {}
        for pointer in {*pointers}:
            location = self._location(pointer)
            if location is not None:
                found[pointer] = location
        return found

    def _location(self, pointer: str) -> Location | None:
        node, key = self._root, None
        for token in parse_pointer(pointer):
            around = node.resolved
            if around.kind == "object" and token in around.members:
                key, node = around.members[token]
            elif around.kind == "array" and token.isdecimal() and int(token) < len(around.items):
                key, node = None, around.items[int(token)]
            else:
                return None
        for one in (node, key):
            if one is not None and one.is_token:
                self._tokens.add((one.start, one.end))
        if key is None:
            return Location(node.start, node.end)
        return Location(node.start, node.end, key.start, key.end)

    @property
    def root(self) -> Element:
        """The value in the text; what an alias stands for is not in it, since it is elsewhere."""
        root = _element(self.text, self._root)
        todo = [(self._root, root)]
        while todo:
            node, element = todo.pop()
            if node.target is not None:
                continue
            own = [one for one in node.members.values() if node.start <= one.key.start < node.end]
            own.sort(key=lambda one: one.key.start)  # those of a merge key may come later
            members = [(one, _element(self.text, one.node)) for one in own]
            items = [_element(self.text, one) for one in node.items]
            element.items = tuple(items)
            element.members = tuple(
                Member(str(one.key.value), one.key.start, one.key.end, child)
                for one, child in members
            )
            todo += zip(node.items, items, strict=True)
            todo += [(one.node, child) for one, child in members]
        return root

    def is_own_token(self, start: int, end: int) -> bool:
        """Return whether what was located is a scalar on one line that nothing else refers to."""
        token = self.text[start:end]
        is_shared = any(one <= start < other for one, other in self._shared)
        is_token = (start, end) in self._tokens and "\n" not in token and "\r" not in token
        return is_token and not is_shared

    def token(self, start: int, end: int, text: str) -> str | None:
        """Return the JSON `text` as YAML writes it, in the style that the token has."""
        if not self.is_own_token(start, end):
            return None
        token = self.text[start:end]
        quote = token[:1]
        if quote not in ("'", '"') and not isinstance(core_value(token), str):
            return None  # as in JSON, only strings are certain
        if text[:1] != '"':
            return number_token(text)
        if quote == '"':
            return text
        value = json.loads(text)
        if quote == "'":
            is_simple = "\\" not in text
            return "'" + value.replace("'", "''") + "'" if is_simple else text
        return value if is_plain_text(value) else text

"""Patterns of paths: one walk over segments, without regular expressions.

`*` is any text within a segment, `?` one character; `**`, a segment of its own, is any number of
segments. Everything else is itself, also brackets: folders are called `[slug]` and `(group)`.
Matching takes at most as many steps as the lengths of pattern and path multiplied, whatever the
pattern.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple


class GlobError(ValueError):
    """A text that is not a pattern: the reason, and a hint that says what to write."""

    def __init__(self, reason: str, hint: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.hint = hint


WILDCARDS: Final = "*?"
# What stands between two `*`: plain text, or characters with None for each `?`.
_Block = str | tuple[str | None, ...]


class _Segment(NamedTuple):
    """One segment of a pattern: blocks, with a `*` between each two."""

    blocks: tuple[_Block, ...]

    def matches(self, name: str) -> bool:
        """Return whether a name matches."""
        first, last = self.blocks[0], self.blocks[-1]
        if len(self.blocks) == 1:
            return len(first) == len(name) and _fits(first, name, 0)
        at, end = len(first), len(name) - len(last)
        if at > end or not _fits(first, name, 0) or not _fits(last, name, end):
            return False
        for block in self.blocks[1:-1]:
            at = _find(block, name, at, end)
            if at < 0:
                return False
            at += len(block)
        return True

    @property
    def allows_hidden(self) -> bool:
        """True if the pattern itself begins with a dot."""
        return self.blocks[0][:1] in (".", (".",))


def _fits(block: _Block, name: str, at: int) -> bool:
    if isinstance(block, str):
        return name.startswith(block, at)
    return all(
        one in (None, character)
        for one, character in zip(block, name[at : at + len(block)], strict=True)
    )


def _find(block: _Block, name: str, at: int, end: int) -> int:
    """Return the index of the block in `name`, from `at` on and before `end`, or -1."""
    if isinstance(block, str):
        return name.find(block, at, end)
    return next((i for i in range(at, end - len(block) + 1) if _fits(block, name, i)), -1)


class Glob(NamedTuple):
    """A pattern: segments, None for `**`. A state is the set of segments that may come next."""

    text: str
    segments: tuple[_Segment | None, ...]

    def start(self) -> frozenset[int]:
        """Return the state before the first name."""
        return self._closed({0})

    def step(self, state: frozenset[int], name: str, hidden: bool = True) -> frozenset[int]:
        """Return the state after one more name; empty if nothing can match any more.

        Unless `hidden`, a name that begins with a dot is matched only by a segment that does.
        """
        after: set[int] = set()
        is_hidden = not hidden and name.startswith(".")
        for at in state:
            if at == len(self.segments):
                continue
            segment = self.segments[at]
            if segment is None:
                if not is_hidden:
                    after.add(at)
            elif (not is_hidden or segment.allows_hidden) and segment.matches(name):
                after.add(at + 1)
        return self._closed(after)

    def is_end(self, state: frozenset[int]) -> bool:
        """Return whether the names so far match."""
        return len(self.segments) in state

    def matches(self, names: list[str], hidden: bool = True) -> bool:
        """Return whether the names together match."""
        state = self.start()
        for name in names:
            state = self.step(state, name, hidden)
        return self.is_end(state)

    def matches_part(self, names: list[str]) -> bool:
        """Return whether the names match, or a folder that they are in."""
        state = self.start()
        for name in names:
            state = self.step(state, name)
            if self.is_end(state):
                return True
        return False

    def ends_in(self, suffixes: tuple[str, ...]) -> bool:
        """Return whether all names that match certainly end in one of these, in small letters."""
        last = self.segments[-1]
        block = None if last is None else last.blocks[-1]
        return isinstance(block, str) and block.endswith(suffixes)

    def _closed(self, state: set[int]) -> frozenset[int]:
        for at in list(state):
            if at < len(self.segments) and self.segments[at] is None:  # or no segment
                state.add(at + 1)
        return frozenset(state)


def has_wildcard(path: str) -> bool:
    """Return whether a path is a pattern, unless there is a file with this name."""
    return any(map(path.__contains__, WILDCARDS))


@lru_cache(maxsize=4096)
def parse_glob(text: str, folders: bool = False) -> Glob:
    """Return the pattern of relative paths, with `/`; with `folders`, it may end in one.

    Raises `GlobError`.
    """
    _check_text(text)
    body = text
    if folders:
        body = body.rstrip("/")
    elif text.endswith("/"):
        raise GlobError("it names a folder instead of files", f"write {text}**")
    names = [name for name in body.split("/") if name not in ("", ".")]
    if not names:
        raise GlobError("it is empty", "write a pattern such as widgets/**/*.json")
    if ".." in names:
        raise GlobError("it must not contain ..")
    segments: list[_Segment | None] = []
    for name in names:
        if name == "**":
            if segments[-1:] != [None]:
                segments.append(None)
        else:
            segments.append(_segment(name))
    return Glob(text, tuple(segments))


def _check_text(text: str) -> None:
    if not text.strip():
        raise GlobError("it is empty", "write a pattern such as widgets/**/*.json")
    if not text.isprintable():
        raise GlobError("it contains an invisible character")
    if "\\" in text:
        raise GlobError("it contains a backslash", "separate names with /, on Windows, too")
    if text.startswith("/") or text[1:2] == ":":
        raise GlobError("it is absolute", "write it relative to the folder of the configuration")
    if text.startswith("!"):
        raise GlobError("it begins with !", "use exclude for what is not checked")


def _segment(name: str) -> _Segment:
    if "**" in name:
        raise GlobError(
            f"** must stand alone between slashes, not in {name!r}",
            f"write **/{name.replace('**', '*')}",
        )
    return _Segment(tuple(map(_block, name.split("*"))))


def _block(text: str) -> _Block:
    return tuple(None if one == "?" else one for one in text) if "?" in text else text

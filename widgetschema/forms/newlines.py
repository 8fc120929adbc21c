"""Line ends: what a text area does to them, and how that is undone.

A browser sends every line feed as CRLF, whatever the text had (HTML, section 4.10.11). Lines that
did not change get the ends that they had; new lines get the most frequent one.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from widgetschema.text import common_length

_END: Final = re.compile(r"\r\n|\r|\n")


def normalize_newlines(text: str) -> str:
    """Return a text whose lines end with a line feed."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def restore_newlines(posted: str, before: str) -> str:
    """Return a posted text with the line ends that it had before it was shown."""
    text, shown = normalize_newlines(posted), normalize_newlines(before)
    if text == shown:
        return before
    if "\r" not in before:
        return text
    lines, old = text.split("\n"), shown.split("\n")
    known = _END.findall(before)  # one less than lines
    usual = Counter(known).most_common(1)[0][0]
    most = min(len(lines), len(old)) - 1
    head = min(common_length(lines, old), most)
    tail = min(common_length(lines[::-1], old[::-1]), most - head)
    ends = [usual] * (len(lines) - 1)
    ends[:head] = known[:head]
    if tail:
        ends[-tail:] = known[-tail:]
    return "".join(map(str.__add__, lines, [*ends, ""]))

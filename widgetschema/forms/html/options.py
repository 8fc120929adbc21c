"""What can be asked of a rendering, as types: `render`, `page` and `answer` say what each means."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TypedDict

Folders = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


class _Options(TypedDict, total=False):
    action: str
    method: str
    hidden: Mapping[str, str] | None
    live: str | None
    templates: Folders | None
    submit: str | None


class RenderOptions(_Options, total=False):
    """The options of `render`."""

    tag: bool


class PageOptions(_Options, total=False):
    """The options of `page`."""

    title: str | None
    lang: str
    assets: str | None

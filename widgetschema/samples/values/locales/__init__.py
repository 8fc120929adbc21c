"""Locales: the texts that sample values are drawn from, by language.

A locale is a set of pools: tuples of ready texts, the first of each the plainest. A language
brings what people read; what only machines read (colours, slugs, codes) is in English alone
and serves all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from typing import Any, Final

from widgetschema.samples.values.horizon import Horizon, parse_horizon

LOCALES: Final[tuple[str, ...]] = ("de", "en")

_FALLBACK: Final = "en"
_MOST: Final = 64  # texts in a pool made of two others
_COMBINED: Final = (  # pool, its pattern, the two pools that it is made of
    ("person", "{} {}", "first_name", "last_name"),
    ("email", "{1}@{0}", "host", "mailbox"),
    ("html", "<p><strong>{}</strong><br>{}</p>", "title", "subtitle"),
    ("page_url", "https://{}/{}", "host", "slug"),
    ("image_url", "https://{}/images/{}.jpg", "host", "slug"),
    ("video_url", "https://{}/videos/{}.mp4", "host", "slug"),
    ("audio_url", "https://{}/audio/{}.mp3", "host", "slug"),
    ("document_url", "https://{}/files/{}.pdf", "host", "slug"),
)


@dataclass(frozen=True, slots=True)
class Locale:
    """A language and its pools, all of them; `ensembles` are texts of several pools, in rows of
    those that belong together: by pool, the text of each row. `horizon` is where dates are, if
    that was said.
    """

    name: str
    pools: Mapping[str, tuple[str, ...]]
    ensembles: tuple[Mapping[str, tuple[str, ...]], ...]
    horizon: Horizon | None = None


def load_locale(name: str, horizon: str | None = None) -> Locale:
    """Return the locale for "en", "en-GB", "de_AT" …: regions fall back to their language; with
    a horizon, if one is given.

    Raises `LookupError` for a language that there are no texts in, `ValueError` for what is no
    horizon.
    """
    language = name.replace("_", "-").partition("-")[0].lower()
    if language not in LOCALES:
        known = ", ".join(LOCALES)
        raise LookupError(f"no sample texts for the locale {name!r}: use one of {known}")
    if horizon is None:
        return _load(language)
    return replace(_load(language), horizon=parse_horizon(horizon))


def texts(block: str) -> tuple[str, ...]:
    """Return the texts of a pool as it is written: divided by `|` and by line ends."""
    parts = (part.strip() for line in block.splitlines() for part in line.split("|"))
    return tuple(part for part in parts if part)


def ensemble(pools: str, block: str) -> dict[str, tuple[str, ...]]:
    """Return texts that belong together: a line for each row, a column for each of the pools."""
    rows = [texts(line) for line in block.strip().splitlines()]
    return dict(zip(pools.split(), zip(*rows, strict=True), strict=True))


@cache
def _load(language: str) -> Locale:
    modules = _module(_FALLBACK), _module(language)
    pools = {name: pool for one in modules for name, pool in one.POOLS.items()}
    for name, pattern, one, other in _COMBINED:
        pools[name] = _combined(pattern, pools[one], pools[other])
    ensembles = (*modules[1].ENSEMBLES, modules[0].PALETTES)
    return Locale(language, pools, ensembles)


def _module(language: str) -> Any:
    return import_module(f"{__name__}.{language}")


def _combined(pattern: str, one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """Return pairs from two pools, well mixed: the plainest two first."""
    pairs = (
        (one[index % len(one)], other[(7 * index + index // len(one)) % len(other)])
        for index in range(min(_MOST, len(one) * len(other)))
    )
    return tuple(dict.fromkeys(pattern.format(*pair) for pair in pairs))

"""Locales: the texts that sample values are drawn from, by language.

A locale is a set of pools: tuples of ready texts, the first of each the plainest. A language
brings what people read; what only machines read (colours, slugs, codes) is in English alone
and serves all. Texts are written in few lines, which `{spring, autumn} sale` makes many.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from typing import Any, Final

from widgetschema.samples.values.horizon import Horizon, parse_horizon

LOCALES: Final[tuple[str, ...]] = ("de", "en")

_FALLBACK: Final = "en"
_MOST: Final = 240  # texts in a pool made of two others
_COMBINED: Final = (  # pool, its pattern, the two pools that it is made of
    ("description", "{} {}", "description", "description"),
    ("quote", "{} {}", "quote", "quote"),
    ("email", "{1}@{0}", "host", "mailbox"),
    ("html", "<p><strong>{}</strong><br>{}</p>", "title", "subtitle"),
    ("page_url", "https://{}/{}", "host", "slug"),
    ("image_url", "https://{}/images/{}.jpg", "host", "slug"),
    ("video_url", "https://{}/videos/{}.mp4", "host", "slug"),
    ("audio_url", "https://{}/audio/{}.mp3", "host", "slug"),
    ("document_url", "https://{}/files/{}.pdf", "host", "slug"),
)


_GROUP: Final = re.compile(r"\{([^{}:;|]+,[^{}:;|]+)\}")
_PLAIN: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ı": "i", "é": "e"})


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
    return tuple(text for part in parts if part for text in _spelled_out(part))


def ensemble(pools: str, block: str) -> dict[str, tuple[str, ...]]:
    """Return texts that belong together: a line for each row, a column for each of the pools.

    What `{spring, autumn}` makes several rows of stands for `{}` as well.
    """
    lines = [line for line in block.strip().splitlines() for line in _spelled_out(line)]
    return dict(zip(pools.split(), zip(*map(texts, lines), strict=True), strict=True))


def people(first_names: Sequence[str], last_names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return names of people, their parts, addresses and usernames: texts that belong together."""
    names = [(first, last) for last in last_names for first in first_names]
    plain = [tuple(name.lower().translate(_PLAIN) for name in both) for both in names]
    hosts = ("example.com", "example.org", "example.net")
    return {
        "person": tuple(map(" ".join, names)),
        "first_name": tuple(first for first, _ in names),
        "last_name": tuple(last for _, last in names),
        "email": tuple(f"{'.'.join(two)}@{hosts[at % 3]}" for at, two in enumerate(plain)),
        "username": tuple(map("_".join, plain)),
    }


def _spelled_out(text: str) -> list[str]:
    group = _GROUP.search(text)
    if group is None:
        return [text]
    before, after = text[: group.start()], text[group.end() :]
    choices = [
        f"{before}{one.strip()}{after}".replace("{}", one.strip()) for one in group[1].split(",")
    ]
    return [one for choice in choices for one in _spelled_out(choice)]


@cache
def _load(language: str) -> Locale:
    modules = _module(_FALLBACK), _module(language)
    pools = {name: pool for one in modules for name, pool in one.POOLS.items()}
    ensembles = (*modules[1].ENSEMBLES, modules[0].PALETTES)
    for name, pattern, one, other in _COMBINED:
        pools[name] = (*pools.get(name, ()), *_combined(pattern, pools[one], pools[other]))
    for columns in ensembles:
        for name, column in columns.items():
            pools.setdefault(name, tuple(dict.fromkeys(column)))
    return Locale(language, pools, ensembles)


def _module(language: str) -> Any:
    return import_module(f"{__name__}.{language}")


def _combined(pattern: str, one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """Return pairs from two pools, well mixed: the plainest two first."""
    size = len(one) * len(other)
    stride = next(prime for prime in (97, 89, 83, 79) if size % prime)
    found = (divmod(index * stride % size, len(other)) for index in range(min(_MOST, size)))
    pairs = ((one[first], other[second]) for first, second in found)
    return tuple(dict.fromkeys(pattern.format(*pair) for pair in pairs if pair[0] != pair[1]))

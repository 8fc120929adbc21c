"""Formats that contain each other, by the checks of the engines."""

from __future__ import annotations

from random import Random

import pytest

from tests.properties.test_compare import compared
from widgetschema import Validator
from widgetschema.evolution.compare.assertions import WIDER_FORMATS
from widgetschema.schema.keywords import FORMATS

SEEDS = [
    *FORMATS.values(),
    *("a@b", '"a b"@c.d', "ü@exämple.de", "user@[192.0.2.1]", "1.2.3.4", "0.0.0.0", "256.1.1.1"),
    *("urn:a:b", "http://[::1]:80/?q#f", "//h/p", "http://exämple/ä", "mailto:x@y", "h:", "%41"),
]
CHARACTERS = "aZ09-._~:/?#[]@!$&'()*+,;=% \\\"<>^`{|}é中ß·"
PAIRS = [(one, other) for one, wider in WIDER_FORMATS.items() for other in wider]


def texts() -> list[str]:
    """Texts of all formats, with a few characters changed."""
    rnd, found = Random("formats"), []
    for _ in range(4_000):
        text = [*rnd.choice(SEEDS)]
        for _ in range(rnd.randint(0, 3)):
            place = rnd.randint(0, len(text))
            text[place : place + rnd.randint(0, 1)] = rnd.choice(["", *CHARACTERS])
        found.append("".join(text))
    return found


@pytest.mark.parametrize("engine", ["rust", "python"])
def test_a_text_of_a_format_is_one_of_the_wider_ones(engine: str) -> None:
    some = texts()
    for one in WIDER_FORMATS:
        narrow = Validator({"format": one}, engine=engine).is_valid
        fits = [text for text in some if narrow(text)]
        assert len(fits) > 100, one
        for other in WIDER_FORMATS[one]:
            wider = Validator({"format": other}, engine=engine).is_valid
            assert all(map(wider, fits)), other


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_a_wider_format_is_a_widening(one: str, other: str) -> None:
    narrow, wide = (Validator({"type": "string", "format": code}) for code in (one, other))
    assert compared(narrow, wide).verdict == "widening"
    assert compared(wide, narrow).verdict in ("breaking", "unknown")


@pytest.mark.parametrize(
    ("one", "other", "text"),
    [("email", "idn-email", "a@xn--yca.example"), ("hostname", "idn-hostname", "xn--yca.example")],
)
def test_an_internationalized_format_is_no_wider_one(one: str, other: str, text: str) -> None:
    narrow, wide = (Validator({"type": "string", "format": code}) for code in (one, other))
    assert narrow.is_valid(text)
    assert not wide.is_valid(text)
    assert compared(narrow, wide).verdict in ("breaking", "unknown")

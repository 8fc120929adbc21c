"""Texts that have a format of draft-07, nearly have it, or are far from it.

    python -m tests.format_texts [COUNT] [SEED]

compares the verdicts of both engines about COUNT texts of each format.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator

from widgetschema import Validator
from widgetschema.samples.values.formats import NOT_OF_FORMAT
from widgetschema.schema.keywords import FORMATS

TEXTS: dict[str, list[str]] = {
    "date-time": ["2026-11-27T00:00:00.123Z", "2024-02-29t23:59:60z", "2026-01-01T01:29:60+01:30", "0000-01-01T00:00:00-23:59"],
    "date": ["2024-02-29", "1900-02-28", "0000-12-31", "9999-12-31"],
    "time": ["09:30:00.5Z", "23:59:60Z", "00:29:60-23:30", "23:29:60+23:30"],
    "email": ["john.doe+x@example.com", '"john \\"doe"@example.com', "a@[127.0.0.1]", "a@[IPv6:2001:db8::1]", "a@b", "!#$%&'*+-/=?^_`{|}~@x-y.z9"],
    "idn-email": ["jürgen@bücher.example", '"jürgen ß"@example.com', "用户@例え.テスト", "a@xn--bcher-kva.example", "a@[IPv6:::1]"],
    "hostname": ["www.example.com", "xn--bcher-kva.example", "a-b.c9", "1.2.3", "a" * 63 + ".b"],
    "idn-hostname": ["bücher.example", "例え。テスト", "ß.de", "xn--bcher-kva.de", "l·l.cat", "א.com", "a-b.c"],
    "ipv4": ["192.0.2.1", "0.0.0.0", "255.255.255.255"],
    "ipv6": ["2001:db8::1", "::", "::ffff:192.0.2.1", "1:2:3:4:5:6:7:8", "1::"],
    "uri": ["https://u:p@example.com:80/a/b;c?d=e&f#g", "urn:a:b", "http://[2001:db8::1]/", "a:", "mailto:a@b.c", "http://a/%41%c3%a9"],
    "uri-reference": ["//example.com/a", "../a?b#c", "#a", "?a", "a:b", "./a:b", ""],
    "iri": ["https://bücher.example/ä?ö#ü", "urn:ä:b", "http://[2001:db8::1]/ä"],
    "iri-reference": ["//bücher.example/ä", "../ä?ö#ü", "#ä", ""],
    "uri-template": ["/{a}/{+b,c*}{#d}{?e:3}{&f}{;g}{.h}{/i}", "a%20b", "{a.b%41}", "é", ""],
    "json-pointer": ["/a~1b/c~0d/0", "", "/", "/é"],
    "relative-json-pointer": ["0", "10/a~1b", "1#", "0/"],
    "regex": [r"^(a|b)+\d{2,3}\1$", "(?<n>a)", "[^]"],
}  # fmt: skip
_PIECES: list[str] = [
    *"ab09Zz-_.~:/?#[]@!$&'()*+,;=%{}|^`\\\"<> \t\n\r\x00\x7f", "\x85", "\xa0", "\u00ad", "\u0300",
    "\u0660", "\u200d", "\u2028", "\u3002", "\uff0e", "\uff21", "é", "ß", "ς", "א", "ع", "例", "😀",
    "\U000e0001", "%4", "%zz", "%41", "xn--", "xn--a", "::", "..", "--", "60", "0000", "\r\n",
]  # fmt: skip


def texts(name: str, count: int, seed: int) -> Iterator[str]:
    """Yield texts for a format."""
    known = [FORMATS[name], *TEXTS[name], *NOT_OF_FORMAT[name]]
    yield from known
    rnd = random.Random(f"{name} {seed}")
    for _ in range(count):
        text = rnd.choice(known)
        for _ in range(rnd.choice([1, 1, 1, 2, 3])):
            text = _changed(text, rnd)
        yield text


def _changed(text: str, rnd: random.Random) -> str:
    begin = rnd.choice([0, len(text), rnd.randrange(len(text) + 1), rnd.randrange(len(text) + 1)])
    end = min(len(text), begin + rnd.choice([0, 0, 1, 1, 2]))
    piece = rnd.choice([*_PIECES, text[rnd.randrange(len(text) + 1) :][:3]])
    return text[:begin] + piece + text[end:]


def compare(count: int, seed: int) -> tuple[Counter[str], list[tuple[str, str, bool]]]:
    """Return how many texts have each format, and those about which the engines differ, with the
    verdict of the first one.
    """
    counts: Counter[str] = Counter()
    different = []
    for name in FORMATS:
        rust = Validator({"format": name}, engine="rust")
        python = Validator({"format": name}, engine="python")
        for text in texts(name, count, seed):
            valid = rust.is_valid(text)
            counts[f"{name} {'valid' if valid else 'invalid'}"] += 1
            if python.is_valid(text) is not valid:
                different.append((name, text, valid))
    return counts, different


if __name__ == "__main__":
    arguments = [int(argument) for argument in sys.argv[1:]]
    counts, different = compare(*(arguments + [20_000, 1][len(arguments) :]))
    for line, number in sorted(counts.items()):
        print(f"{number:>9,} {line}")
    print(f"{len(different):>9,} differences")
    for name, text, valid in different:
        print("   ", name, ascii(text), valid)

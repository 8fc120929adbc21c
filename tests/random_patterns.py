"""Random regular expressions of a few letters, with references, lookarounds and repetitions.

    python -m tests.random_patterns [COUNT] [SEED]

compares the verdicts of both engines, and what samples and comparisons make of the patterns,
with Node's, and prints how many there were.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from widgetschema import InvalidSchema, Validator
from widgetschema.samples.values.automata import find_text
from widgetschema.samples.values.regular import TextPattern
from widgetschema.validation.engines import load_engine
from widgetschema.validation.patterns import PatternError, UnsupportedPattern, translate

LETTERS = "ab"
TEXTS = [
    *("".join(letters) for size in range(6) for letters in product(LETTERS, repeat=size)),
    "\n",
    "a\n",
    "c",
    "ac",
    "é",
    "😀",
    "a b",
]
_ATOMS = ["a", "b", "a", "b", ".", "[ab]", "[^a]", "[]", "[^]", r"\w", r"\b", r"\B", "^", "$", ""]
_OPENINGS = ["(", "(", "(", "(", "(?:", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?<n>"]
_QUANTIFIERS = ["", "", "", "*", "+", "?", "*?", "??", "{2}", "{0,2}", "{1,2}", "{2,}", "{0}"]


def patterns(count: int, seed: int) -> Iterator[str]:
    """Yield patterns; about half of them refer to groups."""
    for index in range(count):
        yield _Pattern(random.Random(f"{seed} {index}")).text()


class _Pattern:
    def __init__(self, random: random.Random) -> None:
        self.random = random
        self.named = 0
        self.groups = 0

    def text(self) -> str:
        whole = self.choice(3)
        names = ["\\k<n>"] if self.named else []
        numbers = [f"(?:\\{number})" for number in range(1, self.groups + 1)]
        while "@" in whole:
            reference = self.random.choice([*names, *numbers, ""])
            whole = whole.replace("@", reference, 1)
        return f"^{whole}$" if self.random.random() < 0.7 else whole

    def choice(self, depth: int) -> str:
        count = self.random.choice([1, 1, 1, 2, 3])
        return "|".join(self.series(depth) for _ in range(count))

    def series(self, depth: int) -> str:
        return "".join(self.part(depth) for _ in range(self.random.choice([1, 1, 2, 3])))

    def part(self, depth: int) -> str:
        kind = self.random.random()
        if kind < 0.2:
            return "@"
        if kind < 0.55 or not depth:
            atom = self.random.choice(_ATOMS)
            return atom + self.quantifier() * (atom not in ("", "^", "$", r"\b", r"\B"))
        opening = self.random.choice(_OPENINGS)
        if opening == "(?<n>":
            if self.named:
                opening = "("
            self.named += 1
        self.groups += opening in ("(", "(?<n>")
        text = f"{opening}{self.choice(depth - 1)})"
        return text if opening in ("(?<=", "(?<!") else text + self.quantifier()

    def quantifier(self) -> str:
        return self.random.choice(_QUANTIFIERS)


def verdicts(found: list[str], texts: list[str]) -> list[list[bool | None] | None]:
    """Return which texts match each pattern in Node; None if it refuses the pattern."""
    node = shutil.which("node")
    assert node is not None
    lines = "".join(f"{json.dumps([pattern, texts])}\n" for pattern in found)
    script = Path(__file__).with_name("thorough") / "pattern-verdicts.cjs"
    command = [node, str(script)]
    done = subprocess.run(command, input=lines, capture_output=True, encoding="utf-8", check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def compare(count: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Return how often each thing was found, and the differences."""
    found = list(patterns(count, seed))
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    for pattern, expected in zip(found, verdicts(found, TEXTS), strict=True):
        refers = "patterns with references" if "\\k" in pattern or "(?:\\" in pattern else "others"
        try:
            translate(pattern)
        except PatternError as error:
            if expected is None:
                counts["refused by both"] += 1
            elif isinstance(error, UnsupportedPattern):
                counts[f"{refers}: not supported"] += 1
            else:
                wrong.append(f"{pattern}: {error}")
            continue
        if expected is None:
            wrong.append(f"{pattern}: refused by Node")
            continue
        counts[refers] += 1
        known = dict(zip(TEXTS, expected, strict=True))
        if refers.startswith("patterns"):
            # Between the halves of a character, V8 compares a reference in a lookbehind wrongly.
            known["😀"] = None
        _compare_generated(pattern, known, counts, wrong)
        for engine in ("rust", "python"):
            try:
                decide = Validator({"pattern": pattern}, engine=engine)
            except InvalidSchema as error:
                wrong.append(f"{pattern}: {engine}: {error}")
                continue
            for text, match in known.items():
                if match is None:
                    continue
                counts[f"verdicts of {engine}"] += 1
                if decide.is_valid(text) is not match:
                    if load_engine(engine).gave_up(translate(pattern), text):
                        counts[f"{engine} gave up"] += 1
                    else:
                        wrong.append(f"{pattern}: {engine}: {text!r} is {match} in Node")
    return counts, wrong


def _compare_generated(
    pattern: str, expected: dict[str, bool | None], counts: Counter[str], wrong: list[str]
) -> None:
    """Compare with the texts that samples and comparisons find."""
    answer = find_text(frozenset({pattern}), frozenset())
    if answer.text in expected and expected[answer.text] is False:
        wrong.append(f"{pattern}: comparison: {answer.text!r} does not match in Node")
    if answer.none and any(expected.values()):
        wrong.append(f"{pattern}: comparison: no text, but there are some in Node")
    counts["decided by the automata of comparisons"] += answer.decided
    draw = random.Random(pattern).randrange
    for _ in range(5):
        text = TextPattern(pattern).make(draw)
        if text in expected and expected[text] is not None:
            counts["samples"] += 1
            counts["samples that do not match"] += not expected[text]


if __name__ == "__main__":
    arguments = [int(argument) for argument in sys.argv[1:]]
    counts, wrong = compare(*(arguments + [20_000, 1][len(arguments) :]))
    for name, number in sorted(counts.items()):
        print(f"{number:>9,} {name}")
    print(f"{len(wrong):>9,} differences")
    for line in wrong[:40]:
        print("   ", ascii(line)[:300])

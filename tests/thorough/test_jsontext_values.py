"""JSON text of every length at many depths, with an allocator that notices what is written beyond."""

from __future__ import annotations

import subprocess
import sys

from tests.command import environment

# Values of many lengths, so that some end where the encoder's buffer does.
SWEEP = """
from widgetschema.jsontext import dump, dump_line, read
from widgetschema.validation import Validator

def nested(value, levels, wrap=lambda value: [value]):
    for _ in range(levels):
        value = wrap(value)
    return value

validator = Validator({})
for levels in (0, 22, 23, 24, 33, 34, 64, 190):
    for length in range(0, 1100, 1 if levels < 24 else 3):
        for items in (["a"] * (length // 4) + ["b" * (length % 4)], [[]] * (length // 3)):
            value = nested(items, levels)
            assert validator.is_valid(value)
            assert validator.is_valid(nested(items, levels, lambda value: (value,)))
            assert len(dump(value, indent=False)) == len(dump_line(value)) >= 2 * levels
            if length % 20 == 0:
                assert read(dump(value)) == value
                assert validator.is_valid_json(dump(value))
                assert validator.is_valid_json(dump_line(value))
print("fine")
"""


def test_nothing_is_written_behind_the_end_of_a_buffer() -> None:
    result = subprocess.run(
        [sys.executable, "-c", SWEEP],
        env={**environment(), "PYTHONMALLOC": "debug"},  # which ends the process, should it be
        capture_output=True,
        check=False,
    )

    assert (result.returncode, result.stdout) == (0, b"fine\n"), result.stderr.decode()

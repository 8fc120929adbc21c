"""The deepest values that are accepted by default, and schemas that make most of each level."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.checkout import ROOT

CODE = """
import sys
from threading import Thread
from widgetschema import Validator
from widgetschema.jsontext import DEFAULT_LIMITS

step = {"type": "array", "items": {"$ref": "#/definitions/step"}}
for number in range(58):  # linking refuses more than 64 schemas at one place
    step = WRAPPED
definitions = {"step": step}
validator = Validator({"definitions": definitions, "allOf": [{"$ref": "#/definitions/step"}]})
value = []
for _ in range(DEFAULT_LIMITS.max_depth - 1):
    value = [value]

def check():
    print(validator.is_valid(value), validator.is_valid([value]))

check()
thread = Thread(target=check)
thread.start()
thread.join()
"""


@pytest.mark.parametrize(
    "wrapped",
    [
        '{"allOf": [{"not": {"const": 1}}, step]}',
        '{("anyOf", "oneOf")[number % 2]: [{"const": 1}, step]}',
        '{"if": {"const": 1}, "then": False, "else": step, "not": {"const": 2}}',
    ],
)
def test_the_engine_takes_the_deepest_values_that_are_accepted_by_default(wrapped: str) -> None:
    code = CODE.replace("WRAPPED", wrapped)
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
    )
    assert (result.returncode, result.stdout) == (0, "True False\n" * 2), result.stderr

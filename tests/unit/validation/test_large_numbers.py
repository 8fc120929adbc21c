"""Numbers that no double can hold are refused, however they are written and wherever they come in."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.command import run
from tests.unit.audit.test_fast_path import compact, fast_path_for
from widgetschema import UnreadableDocument, Validator
from widgetschema.forms import FormFactory
from widgetschema.jsontext import read
from widgetschema.jsontext.reading import may_exceed_doubles
from widgetschema.jsontext.values import BEYOND_DOUBLES

SCHEMAS: Final[tuple[Any, ...]] = (
    True,
    {"properties": {"a": {"type": "number"}, "b": {"type": "integer"}}},
    {"properties": {"a": {}, "b": {"type": "array"}}, "additionalProperties": {"minimum": -5}},
)
ENGINES: Final = [Validator(schema, engine=one) for schema in SCHEMAS for one in ("rust", "python")]
FAST_PATHS: Final = [fast_path_for(schema) for schema in SCHEMAS]
TOO_LARGE: Final = "is too large for a double (about 1.8e308)"


@st.composite
def spellings(draw: st.DrawFn) -> str:
    """Draw JSON numbers whose size is near that of the largest double, or far beyond."""
    digits = draw(st.integers(2, 10**20)) if draw(st.booleans()) else BEYOND_DOUBLES
    text = str(digits + draw(st.sampled_from([-1, 0, 1])))
    text += "0" * max(0, draw(st.sampled_from([0, 300, 308, 309, 400, 4_300, 6_000])) - len(text))
    if draw(st.booleans()):
        text += draw(
            st.sampled_from([".0", "e0", "E+1", "e-1", "e400", ".5e309", "e-6000", "e99999"])
        )
    return draw(st.sampled_from(["", "-"])) + text


@given(number=spellings(), schema=st.integers(0, len(SCHEMAS) - 1), nested=st.booleans())
@example(number="1e309", schema=1, nested=False)
@example(number="1E+309", schema=1, nested=False)
@example(number="-1e400", schema=1, nested=True)
@example(number=str(BEYOND_DOUBLES), schema=1, nested=False)
@example(number=str(BEYOND_DOUBLES - 1), schema=1, nested=False)
@example(number="9" * 4_300, schema=0, nested=True)
@example(number="9" * 4_301, schema=0, nested=True)
@example(number="1" + "0" * 309, schema=2, nested=True)
def test_every_way_in_refuses_the_same_numbers(number: str, schema: int, nested: bool) -> None:
    fits = not math.isinf(float(number))
    text = f'{{"b":[{number}]}}' if nested else f'{{"a":{number}}}'
    path = "/b/0" if nested else "/a"
    try:
        value = read(text)
    except UnreadableDocument as error:
        assert not fits
        [finding] = error.report.findings
        assert (finding.keyword, finding.path) == ("json.number", path)
        assert finding.message.endswith(TOO_LARGE)
    else:
        assert fits
        assert value == json.loads(text)
    for validator in ENGINES[2 * schema : 2 * schema + 2]:
        report = validator.check_json(text)
        assert fits == all(one.keyword != "json.number" for one in report)
        assert validator.is_valid_json(text.encode()) == report.valid
        if number.lstrip("-").isdigit() and len(number) < 4_300:
            data = {"b": [int(number)]} if nested else {"a": int(number)}
            told = validator.check(data)
            assert [(one.keyword, one.message) for one in told if "json" in one.keyword] == [
                (one.keyword, one.message) for one in report if "json" in one.keyword
            ]
            assert validator.is_valid(data) == report.valid
    if not fits:
        fast_path, padding = FAST_PATHS[schema], b'{"c":0}'
        assert not fast_path.accepts(text.encode())
        assert 1 in fast_path.rejected([padding, text.encode(), padding])


@given(st.integers(0, 700), st.integers(300, 320), st.binary(max_size=40))
def test_no_run_of_digits_is_overlooked(before: int, digits: int, after: bytes) -> None:
    text = b"x" * before + b"9" * digits
    assert may_exceed_doubles(text) is (digits >= 309)
    assert may_exceed_doubles(text + after) >= (digits >= 309)


def test_a_lane_that_has_learnt_refuses_them_as_well() -> None:
    fast_path = fast_path_for(SCHEMAS[2])
    large = compact({"a": 10**309, "z": 1, "y": [2]})
    for turn in range(200):
        assert not fast_path.accepts(large)
        assert fast_path.rejected([large] * 3) == [0, 1, 2]
        assert fast_path.rejected([compact({"a": turn, "z": 1, "y": [2]})]) in ([], [0])


def test_integers_that_a_double_comes_near_to_are_taken() -> None:
    for number in (2**64, -(2**64), 2**1023, BEYOND_DOUBLES - 1):
        for validator in ENGINES[2:4]:
            assert validator.is_valid({"a": number})
            assert validator.is_valid_json(compact({"a": number, "b": number}))


@pytest.mark.parametrize("number", ["1e309", "1" + "0" * 309, "9" * 4_301])
def test_schemas_with_such_numbers_are_refused(tmp_path: Path, number: str, capsys: Any) -> None:
    (tmp_path / "schemas").mkdir()
    schema = f'{{"properties": {{"data": {{"properties": {{"a": {{"maximum": {number}}}}}}}}}}}'
    (tmp_path / "schemas" / "faq.json").write_text(schema)
    result = run(capsys, "types", "--schemas", tmp_path / "schemas", "--pin")
    assert result.code in (3, 4)
    assert TOO_LARGE in result.err


@pytest.mark.parametrize("number", ["1e309", "1" + "0" * 309, "9" * 4_301])
def test_audits_and_forms_say_the_same(tmp_path: Path, number: str, capsys: Any) -> None:
    path = tmp_path / "data.ndjson"
    line = f'{{"content":{{"timerDays":{number}}},"settings":{{}},"styles":{{}}}}\n'
    path.write_text(line * 40)
    audited = run(capsys, "audit", path, "--type", "countdown", "--as", "data", "--jobs", "1")
    assert audited.code == 3
    assert "40 unreadable" in audited.out
    validated = run(capsys, "validate", path, "--type", "countdown")
    assert TOO_LARGE in validated.out
    forms = FormFactory(ENGINES[2])
    form = forms.form_json(f'{{"a": {number}}}')
    [finding] = form.report
    assert finding.message.endswith(TOO_LARGE)
    assert form.submit({"#/b": "1"}).text.startswith(f'{{"a": {number}')

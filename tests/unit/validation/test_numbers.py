"""Numbers are compared by one rule, in every part: integers are exact, all others are doubles.

Draft-07 core specification, section 4.2; validation specification, section 6.2; RFC 8259, section 6.
"""

from __future__ import annotations

import json
import math
import operator
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any, Final

import pytest

from tests.properties.test_compare import compared
from widgetschema import Validator, WidgetType
from widgetschema.jsontext import dump
from widgetschema.jsontext.decimals import decimal_value

ENGINES: Final = ("rust", "python")
HOLDS: Final[dict[str, Callable[[Fraction, Fraction], bool]]] = {
    "minimum": operator.ge,
    "maximum": operator.le,
    "exclusiveMinimum": operator.gt,
    "exclusiveMaximum": operator.lt,
    "const": operator.eq,
}
LIMITS: Final = [keyword for keyword in HOLDS if keyword != "const"]


# Schemas with texts that are valid, and texts that are not.
TABLE: Final = [
    # The double nearest to 1e300 is 52504760255204420248… larger than it.
    ('{"maximum": -1e300}', f"{-int(1e300)} -1e300 -1.0E+300", f"-{10**300} {1 - int(1e300)}"),
    ('{"minimum": 1e300}', f"{int(1e300)} 1e300", f"{10**300}"),
    ('{"maximum": 1e23}', "99999999999999991611392 1e23", f"{10**23} 99999999999999991611393"),
    (f'{{"maximum": {10**23}}}', f"1e23 {10**23}", f"{10**23 + 1} 1.0000000000000001e23"),
    (f'{{"exclusiveMaximum": {10**23}}}', f"1e23 {10**23 - 1}", f"{10**23}"),
    ('{"exclusiveMaximum": 1e22}', f"{10**22 - 1}", f"{10**22} 1e22 10000000000000000000000.0"),
    # 2**64 is written as 1.8446744073709552e19 if it is a double.
    ('{"const": 18446744073709551616}', "1.8446744073709552e19", "18446744073709552000"),
    ('{"enum": [1.8446744073709552e19]}', "18446744073709551616", "18446744073709551617"),
    ('{"maximum": 18446744073709551615}', "18446744073709549568.0", "1.8446744073709551615e19"),
    ('{"minimum": 9223372036854775808}', "9.223372036854775807e18", "9223372036854775807"),
    ('{"const": 9007199254740993}', "9007199254740993", "9007199254740993.0 9007199254740992"),
    ('{"const": 9007199254740992}', "9007199254740993.0 9007199254740992", "9007199254740993"),
    ('{"exclusiveMinimum": 9007199254740992}', "9007199254740993", "9007199254740993.0"),
    ('{"uniqueItems": true}', f"[1e23,{10**23}] [1,true]", f"[1e23,{int(1e23)}] [1,1.0]"),
    ('{"uniqueItems": true}', "[0,[0]]", "[0,-0.0] [[-0],[0]] [18446744073709551616,2e0,2]"),
    ('{"contains": {"const": 1e22}}', f"[0,{10**22}]", f"[0,{10**22 + 1}]"),
    ('{"const": 0}', "-0 0.0 -0.0 0e5 1e-400", "5e-324 false"),
    ('{"exclusiveMinimum": 0}', "5e-324 4e-324", "0 -0.0 1e-400 -5e-324"),
    ('{"const": 1}', "1.0 1e0 10e-1 1.00000000000000000001", "true 1.0000000000000002"),
    ('{"enum": [{"a": [1.0]}]}', '{"a":[1]} {"a":[10e-1]}', '{"a":[true]} {"a":[2]}'),
    ('{"const": 0.3}', "0.3 3e-1 0.30000000000000000001", "0.30000000000000004"),
    ('{"type": "integer"}', f"1.0 1e23 {10**300} -0.0 1e-400", "5e-324 0.5"),
    ('{"type": "integer", "maximum": 1.7976931348623157e308}', f"{2**1023}", f"{2**1024 - 2**970 - 1}"),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "valid", "invalid"), TABLE)
def test_table(schema: str, valid: str, invalid: str) -> None:
    types = [WidgetType.from_data_schema(json.loads(f'{{"properties": {{"a": {schema}}}}}'))]
    validators = [Validator(json.loads(schema), engine=engine) for engine in ENGINES]
    for texts, verdict in ((valid, True), (invalid, False)):
        for text in texts.split():
            for validator in validators:
                assert validator.is_valid_json(text) is verdict, (text, validator.engine)
                assert validator.is_valid(json.loads(text)) is verdict, (text, validator.engine)
                report = validator.check_json(text.encode())
                assert report.valid is verdict
                assert all(finding.keyword != "schema" for finding in report)
            assert types[0].form_json(f'{{"a": {text}}}').report.valid is verdict


def near(rnd: Random) -> float:
    """A number near one where integers and doubles part, or where doubles end."""
    base = rnd.choice([0, 1, 2**53, 2**63, 2**64, 10**21, 10**22, 10**23, 10**300, 10**308])
    number: float = rnd.choice([base, base, int(float(base))]) + rnd.randint(-2, 2)
    if rnd.random() < 0.5:
        number = float(base)
        for _ in range(rnd.randint(0, 2)):
            number = math.nextafter(number, rnd.choice([-math.inf, math.inf]))
    if rnd.random() < 0.1:
        number = rnd.choice([-0.0, 5e-324, 0.1, 0.5, 1.5, 1.7976931348623157e308])
    return -number if rnd.random() < 0.3 else number


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("seed", range(12))
def test_verdicts_are_those_of_exact_arithmetic(engine: str, seed: int) -> None:
    rnd = Random(seed)
    limit = near(rnd)
    everywhere: dict[str, Any] = {keyword: {keyword: limit} for keyword in HOLDS}
    everywhere |= {
        "enum": {"enum": [0.25, [limit], limit]},
        "items": {"items": {"maximum": limit}},
        "unique": {"uniqueItems": True},
        "contains": {"contains": {"const": limit}},
        "integer": {"type": "integer"},
        "alternatives": {"anyOf": [{"maximum": limit, "minimum": limit}, {"const": 0.25}]},
    }
    validator = Validator({"properties": everywhere}, engine=engine)
    values = [limit, float(limit), int(limit), *(near(rnd) for _ in range(12))]
    for value in values:
        one, other = Fraction(value), Fraction(limit)
        holds = {keyword: compare(one, other) for keyword, compare in HOLDS.items()} | {
            "enum": one == other,
            "items": one <= other,
            "unique": one != other,
            "contains": one == other,
            "integer": one.denominator == 1,
            "alternatives": one == other,
        }
        data = dict.fromkeys(holds, value) | {
            "items": [value],
            "unique": [[value], [limit]],
            "contains": [0.25, value],
        }
        expected = {name for name, is_valid in holds.items() if not is_valid}
        for report in (validator.check(data), validator.check_json(dump(data))):
            assert {finding.path.split("/")[1] for finding in report} == expected, (limit, value)
            assert all(finding.keyword != "schema" for finding in report)


@pytest.mark.parametrize("seed", range(12))
def test_samples_keep_to_limits_and_near_misses_do_not(seed: int) -> None:
    rnd = Random(seed)
    for keyword in LIMITS:
        limit = near(rnd)
        number = WidgetType.from_data_schema({"type": "number", keyword: limit})
        cases = [case.data for case in number.coverage()]
        for value in (*number.samples(3), number.minimal(), number.maximal(), *cases):
            assert HOLDS[keyword](Fraction(value), Fraction(limit)), (keyword, limit, value)
        missed = [case for case in number.near_misses() if case.findings[0].keyword == keyword]
        for case in missed:
            assert not HOLDS[keyword](Fraction(case.data), Fraction(limit)), (keyword, limit)
        assert missed or abs(limit) > 1e300


@pytest.mark.parametrize("seed", range(12))
def test_comparisons_know_which_limit_is_tighter(seed: int) -> None:
    rnd = Random(seed)
    for keyword in HOLDS:
        old = near(rnd)
        new = rnd.choice([near(rnd), float(old), int(old), old + 1, math.nextafter(old, 0)])
        verdict = compared(Validator({keyword: old}), Validator({keyword: new})).verdict
        if old == new:
            assert Fraction(old) == Fraction(new)
            assert verdict == "same", (keyword, old, new)
        elif HOLDS[keyword](Fraction(old), Fraction(new)):
            assert verdict == "widening", (keyword, old, new)
        else:
            assert verdict == "breaking", (keyword, old, new)


MULTIPLES: Final = {  # by divisor: what is a multiple, and what is none
    "100": ("6e23 1e300 600000000000000000000000 -0.0", "6.5e1 150"),
    "3": ("3e200 2.1e23", "23e22 1e23 3.0000000000000004 2.3e23"),
    "7": ("49000000000000000000000", "5.764976647304857e20 3.944515947692911e19"),
    "0.01": ("19.99 4.35 1e22 123456789012.34", "0.001 19.995 1e-3"),
    "0.3": ("0.9 3e300 30000000000000000000000", "1 1e22 2.4938792078320214e19"),
    "1853e66": ("1.777027e72 1853e67", "1.5e72 1853e65"),
    "9223372036854775808": ("18446744073709551616", "4.598279097600635e38 1.8446744073709552e19"),
    "340748960900145489.591865": (
        "31689653363713531500 24533925184810476000",
        "340748960900145489 1",
    ),
    "1e-300": ("1 1e-299 5e300", "5e-324 1e-301"),
}


@pytest.mark.parametrize("divisor", MULTIPLES)
def test_multiples_beyond_the_digits_of_doubles(divisor: str) -> None:
    schema = json.loads(f'{{"multipleOf": {divisor}}}')
    unit = decimal_value(schema["multipleOf"])
    validators = [Validator(schema, engine=engine) for engine in ENGINES]
    for texts, verdict in zip(MULTIPLES[divisor], (True, False), strict=True):
        for text in texts.split():
            value = json.loads(text)
            assert ((decimal_value(value) / unit).denominator == 1) is verdict, text
            for validator in validators:
                assert validator.is_valid(value) is verdict
                assert validator.is_valid_json(text) is verdict
                reports = validator.check(value), validator.check_json(text)
                for report in reports:
                    assert [one.keyword for one in report] == ["multipleOf"] * (not verdict)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("seed", range(12))
def test_multiples_are_those_of_the_decimals(engine: str, seed: int) -> None:
    rnd = Random(seed)
    divisors = [0.1, 0.01, 0.3, 1e-8, 3, 2.5, 100, abs(near(rnd)) or 1, rnd.randint(1, 10**30)]
    for divisor in divisors:
        unit = decimal_value(divisor)
        validator = Validator({"multipleOf": divisor}, engine=engine)
        values = [0.3, 0.1, -0.0, 0, 1e-8, 4.35, 19.99, 3.0, 1.0000000000000002, near(rnd)]
        if divisor < 1e200:
            values += [float(unit * rnd.randint(1, 10**digits)) for digits in (2, 6, 12)]
            values += [math.ceil(unit) * 10 ** rnd.randint(0, 30)]
        for value in values:
            is_multiple = (decimal_value(value) / unit).denominator == 1
            assert validator.is_valid(value) is is_multiple, (divisor, value)
            assert validator.check_json(dump(value)).valid is is_multiple, (divisor, value)


def test_only_numbers_are_multiples_of_anything() -> None:
    for divisor in (3, 0.5, 10**30):
        for engine in ENGINES:
            validator = Validator({"multipleOf": divisor}, engine=engine)
            for value in (None, True, False, "7", [7], {"a": 7}):
                assert validator.is_valid(value)


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ({"multipleOf": 3}, {"multipleOf": 0.001}, "widening"),
        ({"multipleOf": 0.3}, {"multipleOf": 0.1}, "widening"),
        ({"multipleOf": 10**23}, {"multipleOf": 1e22}, "widening"),
        ({"type": "integer"}, {"multipleOf": 0.5}, "widening"),
        ({"multipleOf": 0.1}, {"multipleOf": 0.3}, "breaking"),
        ({"multipleOf": 0.001}, {"multipleOf": 3}, "breaking"),
        ({"multipleOf": 1e23}, {"multipleOf": 10**23}, "same"),
    ],
)
def test_comparisons_divide_decimals(old: Any, new: Any, verdict: str) -> None:
    number = {"type": "number"}
    assert compared(Validator({**number, **old}), Validator({**number, **new})).verdict == verdict

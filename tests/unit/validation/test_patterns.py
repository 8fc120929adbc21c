"""Regular expressions mean what ECMA 262 says, in both engines, and cannot hang."""

from __future__ import annotations

import pytest

from widgetschema import InvalidSchema, Validator
from widgetschema.validation.patterns import PatternError, translate

# pattern, texts that match, texts that do not
MATCHES: list[tuple[str, list[str], list[str]]] = [
    (r"^\d+$", ["12"], ["\u0663", "12\n", ""]),
    (r"^\D$", ["a", "\u0663"], ["1"]),
    (r"^\w+$", ["a_1"], ["é"]),
    (r"^\W$", ["é", "-", "["], ["a", "_"]),
    (r"^\s$", [" ", "\ufeff", "\u2028", "\xa0"], ["\x85", "a"]),
    (r"^\S+$", ["ab"], ["a b", "\ufeff"]),
    (r"^[\S]$", ["é"], ["\ufeff", "\u2003"]),
    (r"^[\W\D]$", ["a", "é"], ["5"]),
    (r"\bfoo\b", ["a foo", "éfoo"], ["afoo"]),
    (r"\Boo", ["foo"], ["oo"]),
    (r"^[^]$", ["\n", "a"], [""]),
    (r"[]", [], ["", "a", "]"]),
    (r"^(?<n>a)\k<n>$", ["aa"], ["a"]),
    (r"^(a)\1$", ["aa"], ["ab"]),
    (r"^[\w-a]$", ["-", "z"], ["!"]),
    (r"^a{,5}$", ["a{,5}"], ["a"]),
    (r"^a{2,3}?$", ["aa", "aaa"], ["a", "aaaa"]),
    (r"^\p{L}+$", ["é"], ["1"]),
    (r"^[\p{L}-]+$", ["é-"], ["1"]),
    (r"^\P{L}$", ["1"], ["é"]),
    (r"^\p{Script=Greek}$", ["α"], ["a"]),
    (r"^.$", ["😀", "a"], ["\n", "\u2028", "\r"]),
    ("^\\ud83d\\ude00$", ["😀"], ["😁"]),
    ("\\ud83d", [], ["😀", "a"]),
    (r"^[😀-😂]$", ["😁"], ["😃"]),
    (r"^\u{1F600}\x41\u0042\cA\0$", ["😀AB\x01\x00"], ["😀AB"]),
    (r"^\t\n\v\f\r$", ["\t\n\v\f\r"], [" "]),
    (r"^[\b]$", ["\b"], ["b"]),
    (r"^a\/b\-c_\.$", ["a/b-c_."], ["a/b-c_x"]),
    (r"^[a\-z&&b~~\]\[^]+$", ["-&~][^"], ["c"]),
    (r"^(?=.*\d)(?!x).+$", ["a1"], ["a", "x1"]),
    (r"(?<=a)b", ["ab"], ["b"]),
    (r"(?<!a)b", ["cb"], ["ab"]),
    (r"^(?:a|b)*?$", ["abab", ""], ["c"]),
    (r"a|b|", ["", "c"], []),
    (r"^]}$", ["]}"], ["]"]),
    (r"^#x y$", ["#x y"], ["y"]),
    (r"^[a-]$", ["a", "-"], ["b"]),
]
REFUSED: list[tuple[str, str]] = [
    ("(", "not closed"),
    ("a)", "without its ("),
    ("*a", "nothing to repeat"),
    ("a**", "nothing to repeat"),
    ("a++", "nothing to repeat"),
    ("(?!*a)", "nothing to repeat"),
    ("^*", "nothing to repeat"),
    (r"\Z", "not an escape"),
    (r"\a", "not an escape"),
    (r"[\q]", "not an escape"),
    ("(?i)a", "does not have"),
    ("(?P<a>b)", "does not have"),
    ("(?#x)", "does not have"),
    ("(?>a)", "does not have"),
    ("[b-a]", "end is before"),
    ("[a", "without its ]"),
    ("[a-", "without its ]"),
    ("[\\", "backslash at the end"),
    ("\\", "backslash at the end"),
    (r"\1", "no group 1"),
    (r"(a)\2", "no group 2"),
    (r"[\1]", "inside a class"),
    (r"\k<x>", "name of a group"),
    (r"\p", r"\p{Letter}"),
    (r"\u{110000}", "no such character"),
    ("a{3,1}", "wrong order"),
    ("a{1000000}", "more than 100,000"),
    ("a{99999999999999999999}", "more than 100,000"),
    ("(" * 101 + ")" * 101, "deeper than 100"),
]
CATASTROPHES: list[tuple[str, str]] = [
    (r"^(a+)+$", "a" * 5000 + "b"),
    (r"^(a|a)*$", "a" * 5000 + "b"),
    (r"^(\w+\s?)+$", "word " * 500 + "!"),
    (r"^(a*)*\1b$", "a" * 60),
    (r"^(?=(a+)+b)a", "a" * 60 + "c"),
    (r"^(?!(x+x+)+y)z", "x" * 60),
    (r"(.*)\1(.*)\2!$", "ab" * 300),
]


@pytest.mark.parametrize("engine", ["rust", "python"])
@pytest.mark.parametrize(("pattern", "good", "bad"), MATCHES, ids=[row[0] for row in MATCHES])
def test_pattern_means_what_ecma_says(
    pattern: str, good: list[str], bad: list[str], engine: str
) -> None:
    validator = Validator({"pattern": pattern}, engine=engine)
    members = Validator(
        {"patternProperties": {pattern: True}, "additionalProperties": False}, engine=engine
    )
    for text in good:
        assert validator.check(text).valid, ascii(text)
        assert members.check({text: 1}).valid, ascii(text)
    for text in bad:
        assert not validator.check(text).valid, ascii(text)
        assert not members.check({text: 1}).valid, ascii(text)


@pytest.mark.parametrize(("pattern", "reason"), REFUSED, ids=[row[0][:20] for row in REFUSED])
def test_what_is_no_ecma_pattern_is_refused(pattern: str, reason: str) -> None:
    with pytest.raises(PatternError, match="at offset"):
        translate(pattern)
    with pytest.raises(InvalidSchema) as caught:
        Validator({"properties": {"a": {"pattern": pattern}}})
    [finding] = caught.value.report
    assert (finding.keyword, finding.path) == ("format", "/properties/a/pattern")
    assert reason in finding.message
    assert not Validator({"format": "regex"}).is_valid(pattern)
    assert not Validator({"format": "regex"}, engine="python").is_valid(pattern)


def test_a_bad_name_of_pattern_properties_is_refused() -> None:
    with pytest.raises(InvalidSchema) as caught:
        Validator({"patternProperties": {"a/(": {}}})
    assert caught.value.report.findings[0].path == "/patternProperties/a~1("
    assert "not closed at offset 2" in str(caught.value)


def test_a_bad_pattern_where_the_meta_schema_does_not_look_is_refused() -> None:
    schema = {"$ref": "#/x/y", "x": {"y": {"pattern": "(", "patternProperties": {")": {}}}}}
    with pytest.raises(InvalidSchema) as caught:
        Validator(schema)
    assert [(f.keyword, f.path) for f in caught.value.report] == [
        ("format", "/x/y/pattern"),
        ("propertyNames", "/x/y/patternProperties/)"),
    ]


@pytest.mark.parametrize("engine", ["rust", "python"])
@pytest.mark.parametrize(("pattern", "text"), CATASTROPHES, ids=[row[0] for row in CATASTROPHES])
def test_catastrophic_patterns_are_decided_or_reported(
    pattern: str, text: str, engine: str
) -> None:
    """Each of these would run for ages in a backtracking engine without a limit."""
    [finding] = Validator({"pattern": pattern}, engine=engine).check(text)
    assert finding.keyword == "pattern"
    assert "does not match the pattern" in finding.message or "step limit" in finding.message


def test_the_step_limit_is_named() -> None:
    [finding] = Validator({"pattern": r"^(a*)*\1b$"}).check("a" * 60)
    assert "could not be decided within the step limit" in finding.message


@pytest.mark.parametrize("engine", ["rust", "python"])
@pytest.mark.parametrize(
    "pattern",
    ["((a{1,1000}){1,1000}){1,1000}", "(a{1000}){1000}", "((((((a{9}){9}){9}){9}){9}){9}){9}"],
)
def test_a_pattern_that_repeats_too_much_is_a_schema_problem(pattern: str, engine: str) -> None:
    with pytest.raises(InvalidSchema, match="repeats more than 100,000 times"):
        Validator({"pattern": pattern}, engine=engine)


@pytest.mark.parametrize("engine", ["rust", "python"])
@pytest.mark.parametrize("keyword", ["pattern", "patternProperties"])
def test_a_pattern_that_an_engine_cannot_compile_is_named(keyword: str, engine: str) -> None:
    bad: dict[str, object] = {"pattern": r"\p{Foo}", "patternProperties": {r"\p{Foo}": {}}}
    schema = {"pattern": "a", "properties": {"n": {keyword: bad[keyword]}}}
    with pytest.raises(InvalidSchema) as caught:
        Validator(schema, engine=engine)
    [finding] = caught.value.report
    assert finding.path.startswith(f"/properties/n/{keyword}")
    assert "cannot be compiled" in finding.message


def test_two_spellings_of_one_pattern_both_apply() -> None:
    schema = {"patternProperties": {r"^\d$": {"type": "number"}, "^[0-9]$": {"minimum": 5}}}
    for engine in ("rust", "python"):
        validator = Validator(schema, engine=engine)
        assert [f.keyword for f in validator.check({"1": "x", "2": 3, "3": 7})] == [
            "type",
            "minimum",
        ]

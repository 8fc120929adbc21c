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
    # a reference to a group that took no part is empty
    (
        r"^(\d{3})(-)?(\d{3})\2(\d{4})$",
        ["5551234567", "555-123-4567"],
        ["555-1234567", "555123-4567"],
    ),
    (r"""^(["'])?\w+\1$""", ["abc", "'abc'", '"abc"'], ["'abc", "abc'", "'abc\""]),
    (r"^(a)?\1b$", ["b", "aab"], ["ab"]),
    (r"^(?:(a)|b)\1$", ["aa", "b"], ["a", "ba"]),
    (r"^(?:(a)|(b))\2\1$", ["aa", "bb"], ["ab", "a"]),
    (r"^(?:(?<x>a)?-){2}\k<x>$", ["a--", "-a-a", "--"], ["a--a", "-a-"]),
    (r"^((a)?(b)\2)+\3$", ["abab", "bb", "babab"], ["aba", "ab"]),
    # one that stands before its group, or in it
    (r"\1(a)", ["a"], ["b"]),
    (r"^\k<n>(?<n>a)$", ["a"], ["aa"]),
    (r"^(a\1)$", ["a"], ["aa"]),
    (r"^(?:\2a|(b)(c))+$", ["a", "bca"], ["bcca"]),
    (r"^(a)(?:b|c\1)\1$", ["aba", "acaa"], ["aca"]),
    (r"^(?:(a)|\1b)*$", ["ab", "b"], ["c"]),
    # each round of a repetition begins with groups that took no part
    (r"^(?:(a)|b)*\1$", ["ab", "aa", "baa", ""], ["a", "aba"]),
    (r"^(?:(a)?b\1)*$", ["aba", "abab", "b", ""], ["ab", "a"]),
    (r"^(?:(a)|(b)|c){2}\1\2$", ["aaa", "abb", "cbb", "cc", "ac"], ["aba", "ca"]),
    (r"^(?:(a*)b?)*\1$", ["", "aa", "ab", "b", "abaa"], ["a"]),
    (r"^(?:(?=(a)))*a\1$", ["a"], ["aa"]),
    (r"""^(?:(["'])?\w+\1,?)*$""", ["a,'b',\"c\"", "a"], ["a,'b", "'a,b'c"]),
    (
        f"^{''.join(rf'(a)?{chr(92)}{number}b' for number in range(1, 31))}$",
        ["b" * 30, "aab" * 30, "aab" + "b" * 29],
        ["ab" * 30, "b" * 29],
    ),
    # lookarounds
    (r"^(?=(a+))\1b$", ["aab"], ["aa"]),
    (r"^(?!(a)b)\1a", ["a", "aa"], ["ab", "b"]),
    (r"^(?!(a)\1)a", ["a", "ab"], ["aa"]),
    (r"(?<=([ab])-)\1", ["a-a"], ["a-b", "a"]),
    (r"(?<=(a)?-)b", ["-b", "a-b"], ["ab"]),
    (r"^(a)?b(?=\1$)", ["b"], ["ab"]),
    (r"(?=a)*b", ["b"], ["a"]),
    (r"^(?:(?!-))*a$", ["a"], ["-a"]),
    (r"^(?:(?=a)){2,}a$", ["a"], ["b"]),
    (r"^[]*a$", ["a"], ["]a"]),
    (r"^(?:[]|b)+$", ["bb"], ["", "]"]),
    (r"[]+", [], ["", "a"]),
    (r"^[^]*b$", ["a\nb", "b"], ["a"]),
    (r"^(?:){2}a$", ["a"], ["aa"]),
    (r"^(a){0}b\1$", ["b"], ["ab"]),
    # a group around one that takes part or not
    (r"^((a)?b?)\2\1$", ["", "aaa", "abaab", "bb"], ["ab", "aa", "bab"]),
    (r"^(((a)?b)|c)\3*\2\1$", ["bbb", "cc", "abaabab", "ababab"], ["bb", "cbc", "abb"]),
    # two groups of one name
    (r"^(?:(?<q>')|(?<q>\"))a\k<q>$", ["'a'", '"a"'], ["'a\"", "a"]),
    (r"^(?:(?<é>a)|(?<$x>b))\k<é>$", ["aa", "b"], ["a", "ba"]),
    (r"^\p{IDC}\P{VS}\p{gc=Lu}\p{scx=Grek}$", ["a1Aα"], ["-1Aα", "a1aα"]),
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
    ("(?<=a)*", "nothing to repeat"),
    ("(?<n>a)(?<n>b)", "two groups that may both take part are called n"),
    ("(?:(?<n>a)|b)(?<n>b)", "two groups that may both take part are called n"),
    ("(?<n>(?<n>b))", "two groups that may both take part are called n"),
    ("(?<n>a|(?:c|(?<n>b)))", "two groups that may both take part are called n"),
    ("(?<1>a)", "must be an identifier"),
    (r"\p{IsGreek}", "has no property IsGreek"),
    (r"[\P{Foo}]", "has no property Foo"),
    (r"\p{Script=Foo}", "has no property Script=Foo"),
    (r"\p{Greek}", "has no property Greek"),
    (r"\p{letter}", "has no property letter"),
]
UNSUPPORTED: list[tuple[str, str]] = [
    (r"(?=(a)?)\1", "depends on the order in which a lookaround tries it at offset 8"),
    (r"(?=(?:a|(b))*c)\1", "the order in which a lookaround"),
    (r"(?=(?:|a)*(a*))\1b", "the order in which a lookaround"),
    (r"(?=(a)?\1(b))\2", "what group 1 matches depends on the order in which a lookaround"),
    (r"(?<=\1(a))", "the order in which a lookaround"),
    (r"(?<=(a+))\1", "the order in which a lookaround"),
    (r"(?<=(a|b){2})\1", "the order in which a lookaround"),
    ("(a)?" * 20 + "".join(rf"\{number}" for number in range(1, 21)), "many groups that may take"),
    ("(?:(a)|" * 90 + "b" + ")*" * 90 + rf"{chr(92)}1{chr(92)}90", "refers to too many groups"),
    ("".join(rf"(a)\{number}" for number in range(1, 101)), "refers to too many groups"),
    ("(?i:a)", "a group with modifiers"),
    (r"\p{Cs}", "the property Cs"),
    (r"\p{Script=Unknown}", "the property Script=Unknown"),
    (r"(?<\u0061>b)", "an escape in the name of a group"),
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
    assert (
        "does not match the pattern" in finding.message or "limit of the engine" in finding.message
    )


def test_the_step_limit_is_named() -> None:
    [finding] = Validator({"pattern": r"^(a*)*\1b$"}).check("a" * 60)
    assert "could not be decided within the limit of the engine" in finding.message


@pytest.mark.parametrize("engine", ["rust", "python"])
@pytest.mark.parametrize(
    "pattern",
    ["((a{1,1000}){1,1000}){1,1000}", "(a{1000}){1000}", "((((((a{9}){9}){9}){9}){9}){9}){9}"],
)
def test_a_pattern_that_repeats_too_much_is_a_schema_problem(pattern: str, engine: str) -> None:
    with pytest.raises(InvalidSchema, match="repeats more than 100,000 times"):
        Validator({"pattern": pattern}, engine=engine)


@pytest.mark.parametrize("engine", ["rust", "python"])
@pytest.mark.parametrize(
    ("pattern", "reason"), UNSUPPORTED, ids=[row[0][:20] for row in UNSUPPORTED]
)
def test_an_ecma_pattern_that_cannot_be_matched_is_named(
    pattern: str, reason: str, engine: str
) -> None:
    assert Validator({"format": "regex"}, engine=engine).is_valid(pattern)
    for schema, place in [
        ({"pattern": pattern}, "/properties/n/pattern"),
        ({"patternProperties": {pattern: {}}}, "/properties/n/patternProperties/"),
    ]:
        with pytest.raises(InvalidSchema) as caught:
            Validator({"pattern": "a", "properties": {"n": schema}}, engine=engine)
        [finding] = caught.value.report
        assert finding.path.startswith(place)
        assert "is not supported: " in finding.message
        assert reason in finding.message


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        (r"\p{L}{50000}", "it is too large, or nested too deeply"),
        (r"()(?<!a|\1*b)", "perhaps because it refers to a group within a lookbehind"),
    ],
)
def test_a_pattern_that_an_engine_cannot_compile_is_named(pattern: str, reason: str) -> None:
    with pytest.raises(InvalidSchema) as caught:
        Validator({"pattern": "a", "properties": {"n": {"pattern": pattern}}}, engine="rust")
    [finding] = caught.value.report
    assert finding.path == "/properties/n/pattern"
    assert finding.message.endswith(f"cannot be compiled: {reason}")


def test_two_spellings_of_one_pattern_both_apply() -> None:
    schema = {"patternProperties": {r"^\d$": {"type": "number"}, "^[0-9]$": {"minimum": 5}}}
    for engine in ("rust", "python"):
        validator = Validator(schema, engine=engine)
        assert [f.keyword for f in validator.check({"1": "x", "2": 3, "3": 7})] == [
            "type",
            "minimum",
        ]

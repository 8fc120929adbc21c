"""Reading: what is JSON is read without loss, what is not is refused at its line and column."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Finding, Fix
from widgetschema.jsontext import DEFAULT_LIMITS, Limits, read, read_and_decide
from widgetschema.jsontext.values import BEYOND_DOUBLES, is_shallow

NULL_HINT = "use null, or leave it out"
KEEP_ONE = "keep one of them"
PAIR = "write both halves of the pair, or remove it"
UTF_8 = "write it as UTF-8"
NO_BOM = "write it as UTF-8, without a byte order mark"
NUMBERS = "a number is written like 0.5, -1 or 1e3 (no leading zero, no +, no hex)"
CONFLICT = "resolve the conflict: choose what to keep, and remove the lines of the markers"
QUOTES = 'strings are written in double quotes: "text"'
PAGE = "it may be a page that a server sent instead of the data"
SPACE = "replace it with a space, or remove it"
NAMES = 'put member names in double quotes: "name"'
ESCAPES = r"write \\ for a backslash; escapes are \" \\ \/ \b \f \n \r \t \uXXXX"
COMMENTS = "remove the comment"
NO_COMMA = "a comma between two items is missing"
WRITE_COMMA = "write one here"
COMMA = "remove the comma"
CR = "a carriage return alone does not end a line: convert it to a line feed"
ONE_LINE = "several values need a line each, or an array around them"
NDJSON = "one JSON value per line is NDJSON: name the file .ndjson"
NO_QUOTE = "the string that begins here has no closing quote"
NOT_CLOSED = "the string that begins here is not closed on its line"
CLOSE = r"close the string, or write a line break as \n"
BOM = "the text begins with a byte order mark, which JSON does not allow"


def findings_of(raw: bytes | str, limits: Limits = DEFAULT_LIMITS) -> tuple[Finding, ...]:
    """Return the reasons why `raw` is refused."""
    with pytest.raises(UnreadableDocument) as caught:
        read(raw, limits)
    return caught.value.report.findings


def nested(depth: int, inner: str = "") -> str:
    return "[" * depth + inner + "]" * depth


# ---- What is refused: id, text, then the headline and the hint of its one finding. ----

ENCODING = [
    ("the byte 0xff", b'{"a":\n "\xc3\xa9\xff"}', "2:4", "the byte 0xff is not valid UTF-8", UTF_8),
    ("a surrogate as bytes", b'["\xed\xa0\x80"]', "1:3", "the byte 0xed is not valid UTF-8", UTF_8),
    ("a character cut off", b'["\xc3', "1:3", "the byte 0xc3 is not valid UTF-8", UTF_8),
    ("BOM in bytes", b"\xef\xbb\xbf{}", "1:1", BOM, NO_BOM),
    ("BOM in text", "\ufeff{}", "1:1", BOM, NO_BOM),
    *(
        (f"{encoding}{mark!r}", mark + text.encode(encoding), "1:1", message, UTF_8)
        for text in ('{"a": "é"}', "[1]")
        for encoding, mark, message in (
            ("utf-16-le", b"", "the text is encoded in UTF-16, not in UTF-8"),
            ("utf-16-be", b"", "the text is encoded in UTF-16, not in UTF-8"),
            ("utf-16-le", b"\xff\xfe", "the text is encoded in UTF-16, not in UTF-8"),
            ("utf-16-be", b"\xfe\xff", "the text is encoded in UTF-16, not in UTF-8"),
            ("utf-32-le", b"", "the text is encoded in UTF-32, not in UTF-8"),
            ("utf-32-be", b"", "the text is encoded in UTF-32, not in UTF-8"),
            ("utf-32-le", b"\xff\xfe\0\0", "the text is encoded in UTF-32, not in UTF-8"),
            ("utf-32-be", b"\0\0\xfe\xff", "the text is encoded in UTF-32, not in UTF-8"),
        )
    ),
]


@pytest.mark.parametrize(
    ("raw", "where", "message", "hint"), [row[1:] for row in ENCODING], ids=[r[0] for r in ENCODING]
)
def test_encoding(raw: bytes | str, where: str, message: str, hint: str) -> None:
    (finding,) = findings_of(raw)
    assert finding.headline == f"{where} json.encoding (root): {message}"
    assert finding.hint == hint


REFUSED: list[tuple[str, str, str, str | None]] = [
    # nothing there
    ("empty", "", "1:1 json.empty (root): the text is empty, but must hold one JSON value", None),
    ("only white space", " \r\n\t", "2:2 json.empty (root): the text holds only white space, but must hold one JSON value", None),
    # numbers
    ("NaN", "[NaN]", "1:2 json.number /0: JSON has no NaN", NULL_HINT),
    ("Infinity", '{"a": Infinity}', "1:7 json.number /a: JSON has no Infinity", NULL_HINT),
    ("minus Infinity", "-Infinity", "1:1 json.number (root): JSON has no -Infinity", NULL_HINT),
    ("nan in lower case", "\n[0, nan]", "2:5 json.number /1: JSON has no nan", NULL_HINT),
    ("overflow", "[1e400]", "1:2 json.number /0: the number 1e400 is too large for a double (about 1.8e308)", None),
    ("overflow below", "-1E+400", "1:1 json.number (root): the number -1E+400 is too large for a double (about 1.8e308)", None),
    ("overflow written out", "1" + "0" * 400 + ".0", f"1:1 json.number (root): the number 1{'0' * 38}… is too large for a double (about 1.8e308)", None),
    ("4,301 digits", "[1" + "0" * 4300 + "]", f"1:2 json.number /0: the number 1{'0' * 38}… is too large for a double (about 1.8e308)", None),
    ("minus and 4,301 digits", '{"a": -' + "9" * 4301 + "}", f"1:7 json.number /a: the number -{'9' * 38}… is too large for a double (about 1.8e308)", None),
    *(
        (f"number {text}", f"[{text}]", f"1:2 json.syntax /0: expected a value, found '{text}'", NUMBERS)
        for text in "01 -01 00 +1 .5 1. -.5 0x10 1e 1e+ 1.e3 1_000 - --1 1.2.3 1a 1.5$ ①".split()
    ),
    ("a decimal comma", "1,5", "1:2 json.syntax (root): unexpected ',' after the end of the value", None),
    # words
    *(
        (f"Python's {word}", f"[{word}]", f"1:2 json.syntax /0: JSON has no {word}", hint)
        for word, hint in (
            ("True", "write true"),
            ("False", "write false"),
            ("None", "write null"),
            ("undefined", "write null"),
        )
    ),
    *(
        (f"the word {word}", f"[{word}]", f"1:2 json.syntax /0: expected a value, found '{word}'", hint)
        for word, hint in (
            ("TRUE", 'if this is text, write "TRUE"'),
            ("nulll", 'if this is text, write "nulll"'),
            ("true1", 'if this is text, write "true1"'),
            ("null$", 'if this is text, write "null$"'),
            ("red", 'if this is text, write "red"'),
            ("größer", 'if this is text, write "größer"'),
        )
    ),
    ("a long word", "x" * 50, f"1:1 json.syntax (root): expected a value, found '{'x' * 39}…'", f'if this is text, write "{"x" * 39}…"'),
    ("markup", "<html>", "1:1 json.syntax (root): this looks like HTML or XML, not JSON", PAGE),
    # surrogates
    ("half a pair, escaped", r'{"a": ["\ud800"]}', "1:8 json.surrogate /a/0: half of a surrogate pair (U+D800) is not a character", PAIR),
    ("a pair the wrong way round", r'["\udc00\ud800"]', "1:2 json.surrogate /0: half of a surrogate pair (U+DC00) is not a character", PAIR),
    ("half a pair after a whole one", r'["\ud83d\ude00\uD83D"]', "1:2 json.surrogate /0: half of a surrogate pair (U+D83D) is not a character", PAIR),
    ("half a pair in a name", r'{"\udfff": 1}', "1:2 json.surrogate (root): half of a surrogate pair (U+DFFF) is not a character", PAIR),
    ("half a pair, raw", '["a", "\udfff"]', "1:7 json.surrogate /1: half of a surrogate pair (U+DFFF) is not a character", PAIR),
    ("both halves, raw", '["\\n\ud83d\ude00"]', "1:2 json.surrogate /0: half of a surrogate pair (U+D83D) is not a character", PAIR),
    ("one half raw, one escaped", '["\ud83d\\ude00"]', "1:2 json.surrogate /0: half of a surrogate pair (U+D83D) is not a character", PAIR),
    ("half a pair outside of strings", "[\ud800]", r"1:2 json.syntax /0: expected a value, found '\ud800'", None),
    # commas and colons
    ("a comma at the end of an array", "[1,]", "1:3 json.syntax (root): a comma before ']' is not allowed", COMMA),
    ("a comma at the end of an object", '{"a": {"b": 1 ,\n\n}}', "1:15 json.syntax /a: a comma before '}' is not allowed", COMMA),
    ("a comma alone", "[,]", "1:2 json.syntax /0: expected a value, found ','", None),
    ("a comma alone in an object", "{,}", "1:2 json.syntax (root): expected a member name, found ','", None),
    ("two commas", "[1,,2]", "1:4 json.syntax /1: expected a value, found ','", None),
    ("two commas in an object", '{"a":1,,"b":2}', "1:8 json.syntax (root): expected a member name, found ','", None),
    ("no comma", "[1 2]", f"1:3 json.syntax (root): {NO_COMMA}", WRITE_COMMA),
    ("no comma after a container", "[[1] [2]]", f"1:5 json.syntax (root): {NO_COMMA}", WRITE_COMMA),
    ("no comma in an object", '{"a": {"b": 1\n"c": 2}}', "1:14 json.syntax /a: a comma between two members is missing", WRITE_COMMA),
    ("no comma before a line of its own", '[\n  "a"\n\n  , "b"\n  // c\n  "d"]', "5:3 json.syntax (root): JSON has no comments", COMMENTS),
    (
        "a quotation mark inside a string",
        '{"a": "say "hi" now"}',
        "1:13 json.syntax (root): expected ',' or '}', found 'hi'",
        'write \\" for a quotation mark inside a string',
    ),
    ("no comma before a bare name", '{"a":1 b:2}', "1:8 json.syntax (root): expected ',' or '}', found 'b'", None),
    # conflict markers, and YAML
    ("a conflict", '{"a": 1,\n<<<<<<< HEAD\n"b": 2\n=======\n"b": 3\n>>>>>>> x\n}', "2:1 json.syntax (root): there is a Git conflict marker, '<<<<<<<'", CONFLICT),
    ("the end of a conflict", '{"a": 1\r\n>>>>>>> x\r\n}', "2:1 json.syntax (root): there is a Git conflict marker, '>>>>>>>'", CONFLICT),
    ("a base in a conflict", "[1,\n||||||| base\n]", "2:1 json.syntax /1: there is a Git conflict marker, '|||||||'", CONFLICT),
    ("no marker", "[1,\n <<<<<<< x\n]", "2:2 json.syntax /1: expected a value, found '<'", None),
    ("a longer line", "[1,\n========\n]", "2:1 json.syntax /1: expected a value, found '='", None),
    *(
        (f"YAML {text!r}", text, f"{where} json.syntax (root): this looks like YAML, not JSON", "name it .yaml")
        for text, where in (
            ("title: Sale\nitems:\n  - a\n", "1:1"),
            ("\n# widgets\n\nshow title: true\n", "4:1"),
            ("---\n- a\n", "1:1"),
            ("- a\n", "1:1"),
            ("%YAML 1.2\n---\n", "1:1"),
        )
    ),
    ("a minus and a number", "-1-", "1:1 json.syntax (root): expected a value, found '-1-'", NUMBERS),
    ("a word and a colon", "title:Sale", "1:1 json.syntax (root): expected a value, found 'title'", 'if this is text, write "title"'),
    ("a hash", '{"a": 1 # c\n}', "1:9 json.syntax (root): JSON has no comments", COMMENTS),
    ("a semicolon", "[1;2]", "1:3 json.syntax (root): expected ',' or ']', found ';'", "write a comma instead of the semicolon"),
    ("a semicolon at the end", "{};", "1:3 json.syntax (root): unexpected ';' after the end of the value", "remove the semicolon"),
    ("a page", "\n<!DOCTYPE html>\n", "2:1 json.syntax (root): this looks like HTML or XML, not JSON", PAGE),
    ("XML", '<?xml version="1.0"?>', "1:1 json.syntax (root): this looks like HTML or XML, not JSON", PAGE),
    ("a module", "export default {}", "1:1 json.syntax (root): this looks like JavaScript, not JSON", "keep only the value"),
    ("a variable", "const a = {}", "1:1 json.syntax (root): this looks like JavaScript, not JSON", "keep only the value"),
    ("a tag", "<a>", "1:1 json.syntax (root): expected a value, found '<'", None),
    ("the wrong bracket", "[1}", "1:3 json.syntax (root): expected ',' or ']', found '}'", None),
    ("the wrong brace", '{"a":1]', "1:7 json.syntax (root): expected ',' or '}', found ']'", None),
    ("no colon", '{"a" 1}', "1:6 json.syntax /a: expected ':' after the member name, found '1'", None),
    ("an equals sign", '{"a"=1}', "1:5 json.syntax /a: expected ':' after the member name, found '='", None),
    ("no value", '{"a":}', "1:6 json.syntax /a: expected a value, found '}'", None),
    # quotes
    ("single quotes", "['a']", "1:2 json.syntax /0: a string in single quotes is not allowed", QUOTES),
    ("single quotes around a name", "{'a':1}", "1:2 json.syntax (root): a member name in single quotes is not allowed", NAMES),
    ("a bare name", '{"a":1, b:2}', "1:9 json.syntax (root): expected a member name, found 'b'", NAMES),
    ("a number as a name", "{1:2}", "1:2 json.syntax (root): expected a member name, found '1'", NAMES),
    ("curly quotes", "[“a”]", "1:2 json.syntax /0: a string in typographic quotes is not allowed", QUOTES),
    ("German quotes", "[„a“]", "1:2 json.syntax /0: a string in typographic quotes is not allowed", QUOTES),
    ("French quotes", "[«a»]", "1:2 json.syntax /0: a string in typographic quotes is not allowed", QUOTES),
    ("curly single quotes", "[‘a’]", "1:2 json.syntax /0: a string in typographic quotes is not allowed", QUOTES),
    ("backquotes", "[`a`]", "1:2 json.syntax /0: a string in backquotes is not allowed", QUOTES),
    ("curly quotes around a name", "{“a”:1}", "1:2 json.syntax (root): a member name in typographic quotes is not allowed", NAMES),
    ("a curly quote at the end", '{"a": "b”\n}', "1:7 json.syntax /a: the string that begins here is not closed on its line", 'close the string with ", not with ”'),
    # comments
    ("a comment in front", "// c\n{}", "1:1 json.syntax (root): JSON has no comments", COMMENTS),
    ("a comment for a name", "{ // c\n}", "1:3 json.syntax (root): JSON has no comments", COMMENTS),
    ("a comment for a value", "[1, /* c */ 2]", "1:5 json.syntax /1: JSON has no comments", COMMENTS),
    ("a comment after a value", '{"a": 1 // c\n}', "1:9 json.syntax (root): JSON has no comments", COMMENTS),
    ("a comment after all", "{}\n/* c */", "2:1 json.syntax (root): JSON has no comments", COMMENTS),
    ("a slash that is no comment", "[/a]", "1:2 json.syntax /0: expected a value, found '/'", None),
    # cut off
    ("an open string", '["abc]', f"1:2 json.syntax /0: {NO_QUOTE}", None),
    ("an open name", '{"abc', f"1:2 json.syntax (root): {NO_QUOTE}", None),
    ("only a quote", '"', f"1:1 json.syntax (root): {NO_QUOTE}", None),
    ("an escaped closing quote", r'"a\"', f"1:1 json.syntax (root): {NO_QUOTE}", None),
    ("an open string with a backslash", '"a\\', f"1:1 json.syntax (root): {NO_QUOTE}", None),
    ("an open string with backslashes", '"a\\\\\\', f"1:1 json.syntax (root): {NO_QUOTE}", None),
    ("an open array", "[1", "1:3 json.syntax (root): the text ends inside an array: ']' is missing", None),
    ("an open array of none", "[", "1:2 json.syntax (root): the text ends inside an array: ']' is missing", None),
    ("an open object", '{"a":{"b":1\n', "2:1 json.syntax /a: the text ends inside an object: '}' is missing", None),
    ("an open array further in", '{"a":[{"b":[1', "1:14 json.syntax /a/0/b: the text ends inside an array: ']' is missing", None),
    ("cut off after a colon", '{"a":', "1:6 json.syntax /a: expected a value, found the end of the text", None),
    ("cut off after a comma", "[1,", "1:4 json.syntax /1: expected a value, found the end of the text", None),
    ("cut off before a name", '{"a":1,\n', "2:1 json.syntax (root): expected a member name, found the end of the text", None),
    ("cut off after a name", '{"a"', "1:5 json.syntax /a: expected ':' after the member name, found the end of the text", None),
    # inside strings
    ("a line break", '["a\nb"]', f"1:2 json.syntax /0: {NOT_CLOSED}", CLOSE),
    ("a CRLF", '[\r\n"a\r\nb"]', f"2:1 json.syntax /0: {NOT_CLOSED}", CLOSE),
    ("an escape of no kind", r'"a\x"', r"1:3 json.syntax (root): \x is not an escape that JSON has", ESCAPES),
    ("an escaped single quote", r"""{"a": "\'"}""", r"1:8 json.syntax /a: \' is not an escape that JSON has", ESCAPES),
    ("a path of Windows", r'"C:\users"', r"1:4 json.syntax (root): \u must be followed by four hexadecimal digits", ESCAPES),
    ("three hexadecimal digits", r'"\u12G4"', r"1:2 json.syntax (root): \u must be followed by four hexadecimal digits", ESCAPES),
    ("a tab", '["a\tb"]', "1:4 json.syntax /0: the control character U+0009 must be escaped in a string", r"write \t"),
    ("a NUL", '"\0"', "1:2 json.syntax (root): the control character U+0000 must be escaped in a string", r"write \u0000"),
    # what a terminal would obey is shown escaped
    ("an escape sequence", "\x1b[31m", r"1:1 json.syntax (root): expected a value, found '\u001b'", None),
    ("a right-to-left override", "\u202e1", r"1:1 json.syntax (root): expected a value, found '\u202e'", None),
    ("a backslash", "[\\n]", "1:2 json.syntax /0: expected a value, found '\\'", None),
    ("a no-break space", "\xa01", "1:1 json.syntax (root): the character U+00A0 is not white space in JSON", SPACE),
    ("a no-break space inside", '{\xa0"a":1}', "1:2 json.syntax (root): the character U+00A0 is not white space in JSON", SPACE),
    ("a space of no width", "[1,\u200b2]", "1:4 json.syntax (root): the character U+200B is not white space in JSON", SPACE),
    ("a form feed", "\f1", r"1:1 json.syntax (root): expected a value, found '\f'", None),
    # after the value
    ("a second value", "1 2", "1:3 json.syntax (root): unexpected '2' after the end of the value", None),
    ("a second bracket", "[]]", "1:3 json.syntax (root): unexpected ']' after the end of the value", None),
    ("a comma at the end", "{},", "1:3 json.syntax (root): unexpected ',' after the end of the value", None),
    ("lines of JSON", "{}\n{}\n", "2:1 json.syntax (root): unexpected '{' after the end of the value", NDJSON),
    ("lines that end as on old systems", "{}\r{}\r", "1:4 json.syntax (root): unexpected '{' after the end of the value", CR),
    ("values on one line", "{} {}", "1:4 json.syntax (root): unexpected '{' after the end of the value", ONE_LINE),
    ("lines of JSON with CRLF", "{}\r\n{}\r\n", "2:1 json.syntax (root): unexpected '{' after the end of the value", NDJSON),
    # where it is
    ("CRLF counts as one line", "[\r\n 1,\r\n  x]", "3:3 json.syntax /1: expected a value, found 'x'", 'if this is text, write "x"'),
    ("columns count characters", '["é😀", x]', "1:8 json.syntax /1: expected a value, found 'x'", 'if this is text, write "x"'),
    ("names are escaped in a pointer", '{"a/b~\\n": [NaN]}', "1:13 json.number /a~1b~0\\n/0: JSON has no NaN", NULL_HINT),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "headline", "hint"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_refused(text: str, headline: str, hint: str | None) -> None:
    (finding,) = findings_of(text)
    assert finding.headline == headline
    assert finding.hint == hint
    assert finding.schema_path == ""
    try:
        raw = text.encode()
    except UnicodeEncodeError:
        return  # such a text cannot come as bytes
    assert findings_of(raw) == (finding,)


DUPLICATES = [
    ("plain", '{"a":1,"a":2}', ["1:8 /a"]),
    ("next to a name with an escaped colon", r'{"a":1,"a":2,"\u003a":0}', ["1:8 /a"]),
    ("next to a text with an escaped colon", r'{"a":1,"a":"\u003A"}', ["1:8 /a"]),
    ("with a colon in the text", '{"a":1,"a":":"}', ["1:8 /a"]),
    ("spelled with an escape", r'{"a":1,"\u0061":2}', ["1:8 /a"]),
    ("with another letter", '{"a":1,"A":2,"a":3}', ["1:14 /a"]),
    ("nested", '{"b":[0,{"a":1,\n  "a":2}]}', ["2:3 /b/1/a"]),
    ("three times, and another", '{"a":1,"b":{},"a":2,"b":3,"a":4}', ["1:15 /a", "1:21 /b", "1:27 /a"]),
    ("empty, below a name to escape", '{"a/b~":{"":1,"":2}}', ["1:15 /a~1b~0/"]),
    ("of emoji, once as a pair", r'{"😀":1,"\ud83d\ude00":2}', ["1:8 /😀"]),
    ("with equal values", '{"a":1,"a":1}', ["1:8 /a"]),
    ("with other escapes", r'{"\"\\\/\b\f\n\r\t":1,"\u0022\u005c/\u0008\u000C\u000a\u000d\u0009":1}',
     [r'1:23 /\"\\~1\b\f\n\r\t']),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "places"), [row[1:] for row in DUPLICATES], ids=[row[0] for row in DUPLICATES]
)
def test_duplicate_members(text: str, places: list[str]) -> None:
    findings = findings_of(text)
    headings = [finding.headline.partition(": ")[0] for finding in findings]
    assert headings == [place.replace(" ", " json.duplicate-member ") for place in places]
    assert {finding.hint for finding in findings} == {KEEP_ONE}


def test_what_is_certain_has_a_fix_and_hides_nothing() -> None:
    findings = findings_of('\ufeff[1,\n {"a": [],}, \n ,]')
    assert [(one.headline, one.fix) for one in findings] == [
        (f"1:1 json.encoding (root): {BOM}", Fix("character", "")),
        ("2:10 json.syntax /1: a comma before '}' is not allowed", Fix("character", "")),
        ("3:2 json.syntax /2: expected a value, found ','", None),
    ]


def test_a_duplicate_member_is_named() -> None:
    (finding,) = findings_of('{"a\\tb": 1, "a\\tb": 2}')
    assert finding.message == r'the member "a\tb" appears twice'


def test_the_same_name_in_different_objects_is_fine() -> None:
    assert read('[{"a":1},{"a":{"a":2}}]') == [{"a": 1}, {"a": {"a": 2}}]


def test_all_that_is_wrong_is_found_up_to_what_cannot_be_read() -> None:
    text = '{"a": NaN,\n "a": 1e999,\n "\\ud800": [-Infinity],\n "b": x, "c": NaN}'
    assert [finding.headline for finding in findings_of(text)] == [
        "1:7 json.number /a: JSON has no NaN",
        '2:2 json.duplicate-member /a: the member "a" appears twice',
        "2:7 json.number /a: the number 1e999 is too large for a double (about 1.8e308)",
        "3:2 json.surrogate (root): half of a surrogate pair (U+D800) is not a character",
        "3:13 json.number /\\ud800/0: JSON has no -Infinity",
        "4:7 json.syntax /b: expected a value, found 'x'",
    ]


def test_a_report_can_be_written_whatever_is_in_the_names() -> None:
    with pytest.raises(UnreadableDocument) as caught:
        read('{"\\ud800": [NaN, "\udfff"]}')
    report = caught.value.report
    assert [finding.path for finding in report] == ["", "/\\ud800/0", "/\\ud800/1"]
    assert json.loads(report.to_json().encode())["valid"] is False
    assert str(report).isascii()


def test_a_thousand_findings_are_enough() -> None:
    findings = findings_of("[" + "NaN,\n" * 2000 + "x]")
    assert len(findings) == 1000
    assert (findings[-1].line, findings[-1].path) == (1000, "/999")


# ---- Limits ----


@pytest.mark.parametrize("limit", [1, 2, 199, 200, 253, 254, 255, 300, 500])
@pytest.mark.parametrize("kind", ["arrays", "arrays of one", "objects", "objects of one", "both"])
def test_depth(limit: int, kind: str) -> None:
    def text(depth: int) -> str:
        inner = {"arrays of one": "0", "objects of one": "0"}.get(kind)
        opening, closing = ('{"a":', "}") if kind.startswith("objects") else ("[", "]")
        if kind == "both":
            half = depth // 2
            return '[{"a":' * half + "[]" * (depth % 2) + ("" if depth % 2 else "0") + "}]" * half
        if inner is None:
            last = "{}" if kind == "objects" else "[]"
            return opening * (depth - 1) + last + closing * (depth - 1)
        return opening * depth + inner + closing * depth

    limits = Limits(max_depth=limit)
    assert read(text(limit), limits) == json.loads(text(limit))
    (finding,) = findings_of(text(limit + 1), limits)
    assert finding.keyword == "json.depth"
    assert finding.message == f"nested deeper than the limit of {limit} levels"
    assert finding.path.count("/") == limit
    assert finding.line == 1
    assert finding.column is not None
    assert text(limit + 1)[finding.column - 1] in "[{"
    assert (
        text(limit + 1)[: finding.column - 1].count("[")
        + text(limit + 1)[: finding.column - 1].count("{")
        == limit
    )


def test_no_containers_at_all() -> None:
    assert read('"a"', Limits(max_depth=0)) == "a"
    assert findings_of("[]", Limits(max_depth=0))[0].keyword == "json.depth"


@pytest.mark.parametrize("depth", [201, 1_024, 1_025, 100_000])
@pytest.mark.parametrize("bracket", ["[]", "{}", "["])
def test_any_depth_is_a_finding(depth: int, bracket: str) -> None:
    if bracket == "{}":
        text = '{"a":' * depth + "0" + "}" * depth
    else:
        text = "[" * depth + ("]" * depth if bracket == "[]" else "")
    (finding,) = findings_of(text)
    assert (finding.keyword, finding.line) == ("json.depth", 1)
    assert finding.column == 200 * (5 if bracket == "{}" else 1) + 1
    assert finding.message == "nested deeper than the limit of 200 levels"


def test_deeper_than_the_parsers_go_is_still_a_finding() -> None:
    try:
        value = read(nested(1_000), Limits(max_depth=1_000))
    except UnreadableDocument as error:
        (finding,) = error.report.findings
        assert (finding.keyword, finding.line, finding.column) == ("json.syntax", 1, 1)
        assert "nested too deep" in finding.message
    else:  # some versions of Python go deeper than others
        assert not is_shallow(value, 999)
        assert is_shallow(value, 1_000)


def test_fewer_digits_than_python_takes_here_is_still_a_finding() -> None:
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        (finding,) = findings_of("1" * 1000)
    finally:
        sys.set_int_max_str_digits(digits)
    assert finding.message == f"the number {'1' * 39}… is too large for a double (about 1.8e308)"


def test_more_digits_than_a_double_holds_whatever_python_takes() -> None:
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        (finding,) = findings_of("1" * 4301)
    finally:
        sys.set_int_max_str_digits(digits)
    assert finding.message == f"the number {'1' * 39}… is too large for a double (about 1.8e308)"


@pytest.mark.parametrize("raw", ['["éé"]', '["éé"]'.encode(), '["\ud800abc'], ids=repr)
def test_size(raw: bytes | str) -> None:
    size = len(raw if isinstance(raw, bytes) else raw.encode(errors="surrogatepass"))
    assert size == 8
    (finding,) = findings_of(raw, Limits(max_bytes=size - 1))
    assert finding.headline == (
        "1:1 json.size (root): the document has 8 bytes, more than the limit of 7"
    )
    assert finding.expected == 7


def test_size_at_the_limit() -> None:
    assert read('["éé"]', Limits(max_bytes=8)) == ["éé"]


def test_a_limit_of_depth_beyond_what_the_engine_takes_is_refused() -> None:
    with pytest.raises(ValueError, match=r"max_depth must be at most 1,000, not 1,001"):
        Limits(max_depth=1001)


def test_limits_by_default() -> None:
    assert Limits() == DEFAULT_LIMITS == Limits(max_depth=200, max_bytes=64 * 1024 * 1024)
    assert read(nested(200)) == read(nested(200), Limits())


def test_the_subject_is_in_the_heading() -> None:
    with pytest.raises(
        UnreadableDocument, match=r"^faq\.json: 1 finding\n  1:1 json\.empty"
    ) as caught:
        read("", subject="faq.json")
    assert caught.value.report.subject == "faq.json"
    with pytest.raises(UnreadableDocument, match=r"^document: 1 finding"):
        read("")


def test_the_parsers_own_error_is_not_shown() -> None:
    with pytest.raises(UnreadableDocument) as caught:
        read("[1,]")
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


# ---- What is read ----

EXACT = [
    "0",
    "-0",
    "-0.0",
    "1E5",
    "1e-400",
    "1.7976931348623157e308",
    "5e-324",
    "0.00000000000000000000000001",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "-9999999999999999999",
    "18446744073709551615",
    "18446744073709551616",
    "-18446744073709551616",
    "123456789012345678901234567890",
    "1" + "0" * 308,
    "-" + str(BEYOND_DOUBLES - 1),
    '"12345678901234567890"',
    '"-1234567890123456789"',
    '"\\u0000\\u003a\\u003A:\\ud83d\\ude00\\/"',
    '"\x7f\u2028\ufeff"',
    '{"a:b": {":": "::"}}',
    '[null, {"null": "null"}]',
    " \t\r\n[ ]\r\n",
    '{"b": 1, "a": 2}',
    "true",
    "null",
]


def same(one: Any, other: Any) -> bool:
    """Equal in type, value, sign of zero and order of members, all the way down."""
    return type(one) is type(other) and repr(one) == repr(other)


@pytest.mark.parametrize("text", EXACT, ids=lambda text: ascii(text[:32]))
def test_nothing_is_lost(text: str) -> None:
    assert same(read(text), json.loads(text))
    assert same(read(text.encode()), json.loads(text))
    assert same(read(f'{{"a": [{text}]}}'), {"a": [json.loads(text)]})


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=-(10**25), max_value=10**25)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
    | st.sampled_from(["a:b", "null", "12345678901234567890", "😀", "\x00\x1f\x7f", "\\u003a"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.text(st.characters(exclude_categories=["Cs"]), max_size=4), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@given(JSON_VALUES, st.booleans(), st.sampled_from([None, 1, "\t"]))
def test_what_json_writes_is_read(value: Any, ascii_only: bool, indent: int | str | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    assert same(read(text), value)
    assert same(read(text.encode()), value)


TOKENS = st.sampled_from(
    r"""{ } [ ] { } [ ] , : , : "a" "b" "a": "\u0061": "\u003a" "\ud800" "\ud83d\ude00" "é😀" " \ \u \x
    0 -0 1 -1 1.5 -1e2 1e400 01 1. .5 + - e 12345678901234567890 -1234567890123456789
    true false null tru True None NaN -Infinity inf // /* ' # x $ é""".split()
) | st.sampled_from([" ", "\n", "\r\n", "\t", "\x00", "\x1f", "\x7f", "\ud800", "\udc00", "\ufeff", "\xa0"])  # fmt: skip


def texts() -> st.SearchStrategy[str]:
    """Any text, texts made of pieces of JSON, and JSON with one piece put in or taken out."""
    return st.text() | st.lists(TOKENS, max_size=12).map("".join) | damaged()


@st.composite
def damaged(draw: st.DrawFn) -> str:
    text = json.dumps(draw(JSON_VALUES), ensure_ascii=draw(st.booleans()))
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, min(len(text), start + 2)))
    return text[:start] + draw(st.just("") | TOKENS) + text[end:]


def lines_of(raw: bytes | str) -> list[str]:
    return (raw if isinstance(raw, str) else raw.decode(errors="replace")).split("\n")


def constants(value: Any) -> Iterator[float]:
    """The numbers in `value` that JSON does not have."""
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        yield value
    elif isinstance(value, (list, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from constants(item)


def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    assert len(members) == len(pairs), "a duplicate member was accepted"
    return members


def shallow(value: Any) -> bool:
    """Accept what a validator of anything accepts at first sight."""
    return is_shallow(value, 24)


def read_both_ways(raw: bytes | str) -> Any:
    """Read a text whose levels are counted, and one whose validator has counted them."""
    value = read(raw)
    same_value, is_accepted = read_and_decide(raw, shallow, DEFAULT_LIMITS, "document")
    assert is_accepted <= shallow(value)
    assert same(same_value, value)
    return value


def assert_read_or_refused(raw: bytes | str) -> None:
    try:
        value = read_both_ways(raw)
    except UnreadableDocument as error:
        findings = error.report.findings
        with pytest.raises(UnreadableDocument):
            read_and_decide(raw, shallow, DEFAULT_LIMITS, "document")
    else:
        expected = json.loads(raw, object_pairs_hook=distinct)
        assert same(value, expected)
        assert not list(constants(expected))
        return
    assert findings
    assert [f for f in findings if "the parser cannot read this" in f.message] == []
    lines = lines_of(raw)
    for finding in findings:
        assert finding.keyword.startswith("json.")
        assert finding.line is not None
        assert finding.column is not None
        assert 1 <= finding.line <= len(lines)
        assert 1 <= finding.column <= len(lines[finding.line - 1]) + 1
        assert re.fullmatch("(/[^/]*)*", finding.path)
        assert finding.headline.isprintable()
        finding.headline.encode()
    positions = [(finding.line or 0, finding.column or 0) for finding in findings]
    assert positions == sorted(positions)


WHITE_SPACE = st.sampled_from(["", "", " ", "\n  ", "\t", "\r\n"])
SPELLED = st.sampled_from(
    ["1", "1.0", "1E5", "1e22", "-0", "9" * 19, "-" + "9" * 19, "1" + "0" * 19, "2" + "0" * 22]
)


def spelled(text: str, how: int) -> str:
    """One way to write a string."""
    if how == 0:
        return '"' + "".join(f"\\u{ord(one):04x}" for one in text) + '"'
    return json.dumps(text, ensure_ascii=how == 1)


@st.composite
def laid_out(draw: st.DrawFn, levels: int = 3) -> str:
    """A text with any white space, some members twice, and values spelled in any way."""
    string = st.builds(spelled, st.sampled_from(["a", "b", ":", " a : b ", "9" * 20]), st.integers(0, 2))  # fmt: skip
    kind = draw(st.sampled_from(["object", "object", "array", "string", "number"]))
    if kind == "string" or not levels:
        return draw(string)
    if kind == "number":
        return draw(SPELLED)
    is_object = kind == "object"
    parts = []
    for _ in range(draw(st.integers(0, 3))):
        name = f"{draw(string)}{draw(WHITE_SPACE)}:{draw(WHITE_SPACE)}" if is_object else ""
        parts.append(f"{draw(WHITE_SPACE)}{name}{draw(laid_out(levels - 1))}{draw(WHITE_SPACE)}")
    opening, closing = "{}" if is_object else "[]"
    return f"{opening}{','.join(parts) or draw(WHITE_SPACE)}{closing}{draw(WHITE_SPACE)}"


@given(laid_out())
@example('{"a": 1, "a": 1}')
@example('{\n  "a": 1,\n  "a": 1\n}')
@example('{\n  "a": 1\n}\n')
@example('{\n  "a": 12345678901234567890\n}')
@example('{\n  "a": [1, 2],\n  "b": 1\n}')
def test_white_space_hides_nothing(text: str) -> None:
    assert_read_or_refused(text)


@pytest.mark.parametrize("layout", [{"indent": 2}, {"indent": 1}, {}, {"separators": (",", ":")}])
def test_what_stands_twice_is_refused_in_any_layout(layout: dict[str, Any]) -> None:
    members = {"name": "a : b", "time": "12:00", "more": {"x": [1, {"y": ":"}]}}
    text = json.dumps(members, **layout)
    assert read_both_ways(text) == members
    for again in ('"name"', '"x"', '"y"', '"\\u0078"'):
        name = again.replace("\\u0078", "x")
        doubled = text.replace(name, f'{again}:  "",{name}')
        (finding,) = findings_of(doubled)
        assert finding.keyword == "json.duplicate-member"
        with pytest.raises(UnreadableDocument):
            read_and_decide(doubled, shallow, DEFAULT_LIMITS, "document")


@given(texts())
@example('"\\n\ud83d\ude00"')
@example("\ufeff1")
@example("[1 // c\n]")
@example('"\\')
def test_any_text_is_read_or_refused(text: str) -> None:
    assert_read_or_refused(text)


@given(
    st.binary()
    | texts().map(lambda text: text.encode(errors="surrogatepass"))
    | st.tuples(
        texts(), st.sampled_from(["utf-16", "utf-16-le", "utf-32", "utf-32-be", "latin-1"])
    ).map(lambda pair: pair[0].encode(pair[1], errors="replace"))
)
@example(b"\x00")
@example(b"\xef\xbb\xbf\xff")
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    assert_read_or_refused(raw)


@pytest.mark.parametrize("digits", ["9" * 19, "1" + "0" * 19, "12345678901234567890123"])
@pytest.mark.parametrize("sign", ["", "-"])
def test_large_integers_keep_their_digits_wherever_they_stand(digits: str, sign: str) -> None:
    number = int(sign + digits)
    for before in range(14):
        text = b" " * before + b'{ "a" : ' + f"{sign}{digits}".encode() + b" }"
        assert read(text) == {"a": number}
        assert type(read(text)["a"]) is int

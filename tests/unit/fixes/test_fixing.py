"""Fixes: what is certain is written, one token each, and nothing else changes."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.effort import calls
from widgetschema.findings import Finding, Fix, Report
from widgetschema.fixes import Fixed, applicable, fix, unified_diff, with_effective_fixes
from widgetschema.fixes.edits import token
from widgetschema.formats.model import Format
from widgetschema.formats.parsing import parse
from widgetschema.formats.yaml import YamlText
from widgetschema.jsontext import Limits, SourceText, dump, read
from widgetschema.validation import Validator
from widgetschema.validation.explain.deferred import with_proposed_fix

DATA = Path(__file__).parents[2] / "data" / "fixes"
CASES = [
    (f"{file.stem}: {case['case']}", case)
    for file in sorted(DATA.glob("*.json"))
    for case in json.loads(file.read_text(encoding="utf-8"))
]


def checker(schema: Any, engine: str = "rust") -> Callable[[Any], Sequence[Finding]]:
    """Return a check as that of a text, whose findings have all fixes that are proposed."""
    validator = Validator(schema, engine=engine)
    return lambda value: (*map(with_proposed_fix, validator.iter_findings(value)),)


def closed(**members: Any) -> dict[str, Any]:
    return {"properties": members, "additionalProperties": False}


@pytest.mark.parametrize("case", [case for _, case in CASES], ids=[name for name, _ in CASES])
def test_what_is_certain_is_fixed(case: dict[str, Any]) -> None:
    text, check = dump(case["data"]), checker(case["schema"])
    before = check(case["data"])
    fixed = fix(text, check)

    assert before, "the case is valid"
    assert checker(case["schema"], "python")(case["data"]) == before
    assert json.loads(fixed.text) == case.get("fixed", case["data"])
    if "fixed" in case:
        assert json.dumps(json.loads(fixed.text)) == json.dumps(case["fixed"])  # 1 is not true
        assert len(check(json.loads(fixed.text))) < len(before)
        assert fixed.applied
    else:
        assert fixed.text is text
        assert fixed.applied == ()
    assert fix(fixed.text, check).text is fixed.text

    safe = fix(text, lambda value: applicable(check(value), unsafe=False))
    assert all(one.fix is not None and one.fix.is_safe for one in safe.applied)
    assert json.loads(safe.text) == case.get("safe", json.loads(fixed.text))


def test_there_are_cases_of_each_kind() -> None:
    assert {name.split(":")[0] for name, _ in CASES} >= {"names", "values", "types"}
    assert 40 < sum("fixed" in case for _, case in CASES) < len(CASES) - 40


# The finding itself


@pytest.mark.parametrize(
    ("schema", "data", "expected"),
    [
        ({"type": "integer"}, "1e2", Fix("value", "1e2")),
        ({"type": "number"}, " 0.10 ", Fix("value", "0.10")),
        ({"type": "boolean"}, "True", Fix("value", "true")),
        ({"enum": ["a\u202eb"]}, "A\u202eB", Fix("value", '"a\\u202eb"')),
        ({"enum": ['a"b\\']}, 'A"b\\', Fix("value", '"a\\"b\\\\"')),
        ({"enum": ["é"]}, "É", Fix("value", '"é"')),
        (closed(showTitle={}), {"showTitel": 1}, Fix("name", '"showTitle"', "unsafe")),
        # Certain as a name; whether its value can stay is seen when it is written.
        (
            closed(showTitle={"type": "null"}),
            {"showTitel": 1},
            Fix("name", '"showTitle"', "unsafe"),
        ),
        ({"type": "string"}, 3, None),
        ({"required": ["a"]}, {}, None),
        ({"minimum": 3}, 2, None),
    ],
)
def test_a_finding_has_its_fix(schema: Any, data: Any, expected: Fix | None) -> None:
    [finding] = checker(schema)(data)
    assert finding.fix == expected
    assert finding.as_dict()["fix"] == (expected and expected.as_dict())


def test_a_fix_is_a_value() -> None:
    fix = Fix("name", '"a"')
    assert fix.as_dict() == {"replace": "name", "text": '"a"', "applicability": "safe"}
    assert hash(fix) == hash(Fix("name", '"a"'))
    with pytest.raises(AttributeError):
        fix.text = "b"  # type: ignore[misc]


# The text around it

SCHEMA = closed(
    showTitle={"type": "boolean"},
    days={"type": "number"},
    size={"enum": ["small", "large"]},
    more={"items": {"type": "integer"}},
    note={},
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"days":"3"}', '{"days":3}'),
        ('{"days":"0.10"}', '{"days":0.10}'),
        ('{ "days" :\t" 1E+2 " }\r\n', '{ "days" :\t1E+2 }\r\n'),
        ('{\n  "s\\u0069ze": "Sm\\u0061ll"\n}', '{\n  "s\\u0069ze": "small"\n}'),
        ('{"more":["1","2" , 3.0,"4"]}', '{"more":[1,2 , 3.0,4]}'),
        ('{"note":"\\u00e9 😀 \\/","days":"-0"}', '{"note":"\\u00e9 😀 \\/","days":-0}'),
        ('{"note":1.50e+1,"ShowTitle":"true"}', '{"note":1.50e+1,"showTitle":true}'),
        ('{"s\\u0068owTitel":true}', '{"showTitle":true}'),
        ('\n\n"30"\n', "\n\n30\n"),
        ('{"note":{"days":"3"},"days":"3"}', '{"note":{"days":"3"},"days":3}'),
    ],
)
def test_the_rest_of_the_text_stays(text: str, expected: str) -> None:
    schema = {"type": "number"} if text.strip().startswith('"') else SCHEMA
    fixed = fix(text, checker(schema))
    assert fixed.text == expected
    assert fixed.text.count("\n") == text.count("\n")


def test_applied_fixes_are_in_the_order_of_the_old_text() -> None:
    text = '{\n  "Size": "Small", "days": "3",\n  "showTitel": "true", "days2": 1\n}'
    fixed = fix(text, checker(SCHEMA))
    told = [(one.line, one.column, one.keyword, one.path) for one in fixed.applied]
    assert told == [
        (2, 3, "additionalProperties", "/Size"),
        (2, 11, "enum", "/size"),
        (2, 28, "type", "/days"),
        (3, 3, "additionalProperties", "/showTitel"),
        (3, 16, "type", "/showTitle"),
    ]
    assert fixed.text == '{\n  "size": "small", "days": 3,\n  "showTitle": true, "days2": 1\n}'


@pytest.mark.parametrize(
    "text",
    ["", "{", '{"a":1,"a":2}', "[NaN]", '"\\ud800"', "[1 2]", "[" * 300 + "]" * 300, "\ud800"],
)
def test_a_text_that_cannot_be_read_stays(text: str) -> None:
    def check(value: Any) -> Sequence[Finding]:
        raise AssertionError("nothing was read")

    assert fix(text, check) == Fixed(text, ())


REPAIRED = [
    ("\ufeff[1]", "[1]", ["1:1"]),
    ('[1,\n {"a": 2 ,\r\n}, ]', '[1,\n {"a": 2 \r\n} ]', ["2:10", "3:2"]),
    ('\ufeff{"n": "3",}', '{"n": 3}', ["1:1", "1:8", "1:11"]),
    ("\ufeff[1,] x", "[1] x", ["1:1", "1:4"]),  # what remains cannot be read
    ("[1,]]", "[1]]", ["1:3"]),
]


@pytest.mark.parametrize(("text", "repaired", "places"), REPAIRED)
def test_what_keeps_a_text_from_being_read_is_fixed_first(
    text: str, repaired: str, places: list[str]
) -> None:
    check = checker({"properties": {"n": {"type": "integer"}}})
    fixed = fix(text, check)
    assert fixed.text == repaired
    assert [f"{one.line}:{one.column}" for one in fixed.applied] == places
    assert fix(repaired, check).text is repaired


def test_only_findings_that_count_are_fixed_in_a_text_that_cannot_be_read() -> None:
    fixed = fix("\ufeff[1,]", checker(True), counts=lambda one: one.keyword != "json.encoding")
    assert fixed.text == "\ufeff[1]"


def typed(value: Any) -> list[Finding]:
    """Return the findings about a document of the type "demo", whose data is an integer."""
    if value["type"] != "demo":
        return [Finding("document.type", "/type", "", "", "", fix=Fix("value", '"demo"'))]
    report = Validator({"properties": {"data": {"type": "integer"}, "b": {"const": 1}}})
    return [*report.check(value).findings]


def test_a_type_is_fixed_before_what_it_hides() -> None:
    fixed = fix('{"type": "dmeo",\n "data": "3", "b": 2}', typed)
    assert fixed.text == '{"type": "demo",\n "data": 3, "b": 2}'
    assert [(one.keyword, one.line) for one in fixed.applied] == [("document.type", 1), ("type", 2)]


def test_a_type_stays_fixed_if_nothing_else_can_be() -> None:
    fixed = fix('{"type": "dmeo", "data": "3"}', typed, most_checks=2)
    assert fixed.text == '{"type": "demo", "data": "3"}'
    assert [one.keyword for one in fixed.applied] == ["document.type"]


def test_limits_are_kept() -> None:
    text, check = '["3"]', checker({"items": {"type": "integer"}})
    assert fix(text, check, limits=Limits(max_bytes=4)).text is text
    assert fix(text, check, limits=Limits(max_bytes=5)).text == "[3]"


def test_a_text_that_would_grow_over_the_limit_stays() -> None:
    text = '{"timertitle":1}'
    check = checker(closed(timer_title={}))
    assert fix(text, check).text == '{"timer_title":1}'
    assert fix(text, check, limits=Limits(max_bytes=len(text))).text is text


# Fixes that are none: from findings by hand


def always(*findings: Finding) -> Callable[[Any], Sequence[Finding]]:
    return lambda value: findings


@pytest.mark.parametrize(
    ("path", "replacement"),
    [
        ("/a", Fix("value", "{}")),
        ("/a", Fix("value", "[1]")),
        ("/a", Fix("value", " 1")),
        ("/a", Fix("value", "1\n")),
        ("/a", Fix("value", "")),
        ("/a", Fix("value", "1, 2")),
        ("/a", Fix("value", '1, "b": 2')),
        ("/a", Fix("name", "1")),
        ("/a", Fix("name", '"b')),
        ("/a", Fix("name", '"n"')),
        ("/n", Fix("value", "2")),
        ("/l", Fix("value", "2")),
        ("/l/0", Fix("name", '"0"')),
        ("/nowhere", Fix("value", "2")),
        ("/l/-1", Fix("value", "2")),
        ("/l/9", Fix("name", '"b"')),
        ("", Fix("name", '"b"')),
        ("", Fix("value", "2")),
    ],
)
def test_what_is_not_one_token_for_a_string_is_not_written(path: str, replacement: Fix) -> None:
    text = '{"a": "1", "n": 1, "l": ["1"]}'
    calls = 0

    def check(value: Any) -> Sequence[Finding]:
        nonlocal calls
        calls += 1
        return [Finding("type", path, "", "m", fix=replacement)] if calls == 1 else []

    assert fix(text, check) == Fixed(text, ())


def test_a_fix_has_a_token_where_a_string_is() -> None:
    source = SourceText('{"a": "1", "n": 1}')
    located = source.locate(["/a", "/n"])
    fixes = [("/a", Fix("value", "2")), ("/a", Fix("name", '"b"')), ("/a", None)]
    fixes += [("/n", Fix("value", "2")), ("/nowhere", Fix("value", "2"))]
    found = [token(Finding("type", path, "", "m", fix=one), source, located) for path, one in fixes]
    assert found == ["2", '"b"', None, None, None]


def test_two_fixes_that_disagree_are_not_written() -> None:
    first = Finding("type", "", "", "m", fix=Fix("value", "1"))
    check = always(first, replace(first, keyword="enum", fix=Fix("value", "2")))
    assert fix('"1"', check) == Fixed('"1"', ())


def test_a_fix_that_does_not_help_is_taken_back() -> None:
    check = always(Finding("type", "", "", "m", fix=Fix("value", "1")))
    assert fix('"1"', check) == Fixed('"1"', ())


def test_a_check_that_never_settles_ends() -> None:
    calls = 0

    def check(value: Any) -> Sequence[Finding]:
        nonlocal calls
        calls += 1
        found = [Finding(f"k{calls}", "", f"/{calls}", "m")]
        return found + [
            Finding("type", f"/{n}", "", "m", fix=Fix("value", "1"))
            for n, item in enumerate(value)
            if type(item) is str
        ]

    text = json.dumps(["1"] * 300)
    assert fix(text, check) == Fixed(text, ())
    assert calls <= 110


def test_what_comes_to_light_is_fixed_too() -> None:
    schema = closed(title={"anyOf": [{"$ref": "#"}]}) | {"type": ["object", "null"]}
    data: Any = None
    expected: Any = None
    for _ in range(12):
        data, expected = {"titel": data}, {"title": expected}
    fixed = fix(json.dumps(data), checker(schema))
    assert json.loads(fixed.text) == expected
    assert len(fixed.applied) == 12
    text = json.dumps(data)
    assert fix(text, checker(schema), most_checks=10) == Fixed(text, ())  # too far down


def test_many_culprits_do_not_keep_others_from_being_fixed() -> None:
    words = [f"{one}{other}" for one in "abcdefghij" for other in "klmnopqrst"]
    schema = closed(words={"items": {"enum": words}, "uniqueItems": True}, days={"type": "integer"})
    data = {"words": [*map(str.upper, words), *words], "days": "3"}
    fixed = fix(json.dumps(data), checker(schema))
    assert json.loads(fixed.text) == {**data, "days": 3}


def test_only_the_guilty_are_taken_back() -> None:
    kinds = {
        "properties": {"kind": {"enum": ["video", "text"]}, "size": {"enum": ["small"]}},
        "if": {"properties": {"kind": {"const": "video"}}},
        "then": {"required": ["url"]},
    }
    items = [{"kind": "Video", "size": "Small", "n": 1}, {"kind": "Text", "size": "Small"}] * 50
    fixed = fix(json.dumps(items), checker({"items": kinds}))
    assert (
        json.loads(fixed.text)
        == [
            {"kind": "Video", "size": "small", "n": 1},
            {"kind": "text", "size": "small"},
        ]
        * 50
    )
    assert len(fixed.applied) == 150


# Size


def test_many_findings_in_a_large_text() -> None:
    def work(number: int) -> Callable[[], None]:
        item = {"showTitel": "true", "size": "Small", "note": "x" * 800}
        text = json.dumps([item] * number, indent=1)
        check = checker({"items": SCHEMA})

        def fixed() -> None:
            fixed = fix(text, check)
            assert len(fixed.applied) == 3 * number
            unified_diff(text, fixed.text, "a.json")

        return fixed

    work(10)()
    assert calls(work(400)) < 12 * calls(work(40))


# Patches


GIT = ("git", "apply", "-p1", "-")


def applies(tmp_path: Path, name: str, old: str, new: str, program: Sequence[str] = GIT) -> None:
    """The program takes the patch, and makes the new text of the old one."""
    patch = unified_diff(old, new, name).encode()
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(old.encode())
    done = subprocess.run(
        program, input=patch, cwd=tmp_path, capture_output=True, env=clean(tmp_path), check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    assert file.read_bytes() == new.encode()


def clean(home: Path) -> dict[str, str]:
    """No settings of whoever runs the tests, and no repository around the folder."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "GIT_CEILING_DIRECTORIES": str(home),
        "GIT_CONFIG_NOSYSTEM": "1",
    }


def numbered(count: int, *changed: int, end: str = "\n", mark: str = "!") -> str:
    return "".join(f"line {n}{mark if n in changed else ''}{end}" for n in range(count))


PATCHES = {
    "one line": ("a\n", "b\n"),
    "one line without an end": ("a", "b"),
    "the last line without an end": (numbered(5) + "x", numbered(5) + "y"),
    "context without an end": (numbered(5) + "x", numbered(5, 3) + "x"),
    "the end gets an end": ("a", "a\n"),
    "the first line": (numbered(20), numbered(20, 0)),
    "the last line": (numbered(20), numbered(20, 19)),
    "neighbours": (numbered(20), numbered(20, 7, 8, 9)),
    "contexts that meet": (numbered(40), numbered(40, 10, 16)),
    "contexts that touch": (numbered(40), numbered(40, 10, 17)),
    "contexts apart": (numbered(40), numbered(40, 10, 18, 30)),
    "every line": (numbered(9), numbered(9, *range(9))),
    "CRLF": (numbered(9, end="\r\n"), numbered(9, 4, end="\r\n")),
    "CR in a line": ("a\rb\nc\n", "a\rb\nd\n"),
    "other ends of lines": ("a\u2028b\x0bc\x85\nd\n", "a\u2028b\x0bc\x85\ne\n"),
    "lines that look like a patch": ("--- a\n+++ b\n@@ -1 +1 @@\n", "--- a\n+++ b\n@@ -1 +2 @@\n"),
    "lines added": (numbered(9), numbered(12)),
    "lines removed": (numbered(12), numbered(5)),
    "lines in between": (numbered(9), numbered(4) + "new\n" + numbered(9)[28:]),
    "a line added, another changed": (numbered(40), "new\n" + numbered(40, 30)),
    "a line removed, another added": (numbered(40), numbered(40)[7:] + "new\n"),
    "lines that changed places": (numbered(40), numbered(40, 0)[8:] + numbered(40)[:7]),
    "a line added, the end lost": (numbered(40) + "x\n", "new\n" + numbered(40) + "x"),
    "all removed": (numbered(3), ""),
    "lines where none were": ("", numbered(3)),
}


@pytest.mark.parametrize(("old", "new"), PATCHES.values(), ids=PATCHES)
def test_the_patch_applies(old: str, new: str, tmp_path: Path) -> None:
    applies(tmp_path, "widgets/a.json", old, new)


NAMES = (
    "a b.json",
    "-rf",
    'say "hi".json',
    "b\\c.json",
    "größe 😀.json",
    "tab\there.json",
    "x\ny.json",
)


@pytest.mark.parametrize("name", NAMES)
def test_a_patch_names_its_file(name: str, tmp_path: Path) -> None:
    applies(tmp_path, name, "a\n", "b\n")


def test_a_patch_is_what_people_know() -> None:
    old, new = '{\n  "days": "3"\n}\n', '{\n  "days": 3\n}\n'
    assert unified_diff(old, new, "./widgets/a.json") == (
        "--- a/widgets/a.json\n+++ b/widgets/a.json\n@@ -1,3 +1,3 @@\n"
        ' {\n-  "days": "3"\n+  "days": 3\n }\n'
    )
    assert unified_diff(old, old, "a.json") == ""


def test_a_patch_cannot_leave_its_folder() -> None:
    assert unified_diff("a\n", "b\n", "/etc/x").startswith("--- a/etc/x\n+++ b/etc/x\n")
    assert unified_diff("a\n", "b\n", "a\n+++ b/other").startswith('--- "a/a\\n+++ b/other"\n')


def test_reports_know_fixes() -> None:
    report = Report(tuple(checker(SCHEMA)({"days": "3"})))
    assert json.loads(report.to_json())["findings"][0]["fix"] == {
        "replace": "value",
        "text": "3",
        "applicability": "safe",
    }
    assert read(report.findings[0].fix.text) == 3 if report.findings[0].fix else False


# Fixes that are shown


def effective(schema: Any, text: str, format: Format = "json") -> list[Fix | None]:
    """Return the fixes of the findings about a text that `with_effective_fixes` leaves."""
    [parsed] = parse(text, format)
    check = checker(schema)
    found = check(parsed.value)
    left = with_effective_fixes(parsed, found, check, lambda new: parse(new, format)[0])
    assert [replace(one, fix=None) for one in left] == [replace(one, fix=None) for one in found]
    return [one.fix for one in left]


NUMBERS = {"items": {"type": "number"}}


@pytest.mark.parametrize(
    ("schema", "text", "expected"),
    [
        (NUMBERS, '["1", 2]', [Fix("value", "1")]),
        ({**NUMBERS, "uniqueItems": True}, '["1", 1]', [None]),
        ({**NUMBERS, "uniqueItems": True}, '["1", "1.0", "2"]', [Fix("value", "1"), None, Fix("value", "2")]),
        (closed(size={}, title={}), '{"Size": 1, "titel": 2}', [Fix("name", '"size"'), Fix("name", '"title"', "unsafe")]),
        # What a corrected name brings to light counts if nothing mends it.
        (closed(size={"type": "number"}), '{"Size": "x"}', [None]),
        (closed(size={"type": "number"}), '{"Size": "1"}', [Fix("name", '"size"')]),
        (closed(title={"maxLength": 1}), '{"titel": "abc"}', [None]),
        (closed(size={}), '{"Size": 1, "SIZE": 2}', [None, None]),
    ],
)  # fmt: skip
def test_only_fixes_that_are_some_are_shown(
    schema: Any, text: str, expected: list[Fix | None]
) -> None:
    assert effective(schema, text) == expected


def test_the_fixes_that_are_shown_are_those_that_are_made() -> None:
    for _, case in CASES:
        text, check = dump(case["data"]), checker(case["schema"])
        shown = {one for one in effective(case["schema"], text) if one is not None}
        made = {one.fix for one in fix(text, check).applied}
        assert shown <= made
        assert bool(shown) == bool(made)


def test_what_is_shown_costs_few_checks_of_many_findings() -> None:
    check, counted = checker({"uniqueItems": True, "items": {"type": "integer"}}), 0

    def counting(value: Any) -> Sequence[Finding]:
        nonlocal counted
        counted += 1
        return check(value)

    for number, most in ((3, 100), (2_000, 5)):
        value = [item for n in range(number) for item in (str(n), n)]  # each fix makes a duplicate
        [parsed] = parse(dump(value), "json")
        counted = 0
        left = with_effective_fixes(
            parsed, check(value), counting, lambda new: parse(new, "json")[0]
        )
        assert {one.fix for one in left} == {None}
        assert counted <= most


def test_what_is_shown_costs_one_check() -> None:
    check, counted = checker(NUMBERS), 0

    def counting(value: Any) -> Sequence[Finding]:
        nonlocal counted
        counted += 1
        return check(value)

    text = dump(["1"] * 200)
    [parsed] = parse(text, "json")
    findings = check(parsed.value)
    left = with_effective_fixes(parsed, findings, counting, lambda new: parse(new, "json")[0])
    assert left == [*findings]
    assert counted == 1


# YAML: what is written is read in the same way by every version


@pytest.mark.parametrize(
    ("schema", "before", "after"),
    [
        ("number", '"1e3"', "1.0e+3"),
        ("number", "'1E5'", "1.0E+5"),
        ("number", '"1.0e3"', "1.0e+3"),
        ("number", '"-2.5E-3"', "-2.5E-3"),
        ("number", '" 1e+3"', "1.0e+3"),
        ("integer", '"1e3"', "1.0e+3"),
        ("number", '"0.10"', "0.10"),
        ("integer", '"12"', "12"),
        ("integer", '"0o7"', None),
        ("integer", "0o7x", None),
        ("integer", '"1_000"', None),
        ("integer", '"12:30:00"', None),
        ("number", '".inf"', None),
        ("boolean", '"True"', "true"),
        ("boolean", "'yes'", None),
        ("null", '"~"', None),
        (["N", "M"], "'n'", "'N'"),
        (["N", "M"], "n", '"N"'),
        (["Yes", "No"], "YES", '"Yes"'),
        (["~", "x"], "'~ '", "'~'"),
        (["on", "x"], "ON", '"on"'),
        (["0x1F", "0X2A"], "0X1F", '"0x1F"'),
        (["1E3", "x"], "'1e3'", "'1E3'"),
        (["2026-01-01T00:00:00Z", "x"], "'2026-01-01t00:00:00z'", "'2026-01-01T00:00:00Z'"),
    ],
)
def test_yaml_is_the_same_in_every_version(schema: Any, before: str, after: str | None) -> None:
    member = {"type": schema} if isinstance(schema, str) else {"enum": schema}
    text = f"a: {before} # c\nb: yes\n"
    check = checker({"properties": {"a": member}})
    fixed = fix(text, check, format="yaml")
    if after is None:
        assert fixed.text is text
        return
    assert fixed.text == text.replace(before, after)
    [parsed] = parse(fixed.text, "yaml")
    assert check(parsed.value) == ()
    assert [one.finding.path for one in parsed.warnings] == ["/b"]


def test_a_fix_that_causes_a_warning_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(YamlText, "token", lambda self, start, end, text: text)
    text = 'a: "1e3"\nb: "2"\n'
    check = checker({"properties": {"a": {"type": "number"}, "b": {"type": "number"}}})
    assert fix(text, check, format="yaml").text == 'a: "1e3"\nb: 2\n'
    assert effective({"additionalProperties": {"type": "number"}}, text, "yaml") == [
        None,
        Fix("value", "2"),
    ]

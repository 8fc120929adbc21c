"""Quick fixes: each does what its title says, and ends what it is for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.unit.lsp.opened import at_cursor, project_of
from widgetschema.lsp.actions import Action, fix_all, fixes
from widgetschema.lsp.checks import check
from widgetschema.lsp.cursor import place_at, places_at

SCHEMA: Any = {
    "type": "object",
    "additionalProperties": False,
    "required": ["title", "count"],
    "properties": {
        "title": {"type": "string", "minLength": 3, "pattern": "^[a-z]+$"},
        "count": {"type": "integer", "default": 5},
        "counts": {"type": "array", "items": {"type": "integer"}},
        "size": {"enum": ["small", "big"]},
        "land": {"enum": ["at", "be", "ch", "de", "es", "fr"]},
        "sub": {"type": "object", "required": ["b"], "properties": {"b": {"$ref": "#/properties/data/properties/size"}}},
    },
}  # fmt: skip


def offered(text: str, folder: Path, name: str = "a.json", more: str = "") -> dict[str, str]:
    """The text after each action, by its title."""
    document, _ = at_cursor(text, folder / name)
    project = project_of(folder, SCHEMA, more)
    issues = check(document, project)
    found = fixes(document, project, issues)
    every = fix_all(document, project, issues)
    results = {}
    for action in [*found, *([every] if every else [])]:
        after = applied(document.text, action)
        results[action.title] = after
        left = check(document.changed(2, []).changed(3, [_whole(after)]), project)
        ended = {(one.finding.keyword, one.finding.target) for one in action.issues if one.finding}
        there = {(one.finding.keyword, one.finding.target) for one in left if one.finding}
        assert ended
        assert not ended & there, action.title
    assert [one.is_safe for one in found] == sorted((one.is_safe for one in found), reverse=True)
    return results


def _whole(text: str) -> Any:
    from widgetschema.lsp.documents import Change

    return Change(text)


def applied(text: str, action: Action) -> str:
    for start, end, new in sorted(action.edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def test_what_is_certain_and_the_rest(tmp_path: Path) -> None:
    text = '{"title": "abc", "count": "3", "siez": "big"}'
    assert offered(text, tmp_path) == {
        "Change to 3": text.replace('"3"', "3"),
        'Rename to "size" (unsafe fix)': text.replace("siez", "size"),
        'Remove "siez"': '{"title": "abc", "count": "3"}',
        "Fix all that can be fixed safely (1 problem)": text.replace('"3"', "3"),
    }


def test_the_setting_makes_unsafe_fixes_with_all_others(tmp_path: Path) -> None:
    text = '{"title": "abc", "count": "3", "siez": "big"}'
    found = offered(text, tmp_path, more="unsafe-fixes = true")
    every = text.replace('"3"', "3").replace("siez", "size")
    assert found["Fix all, with unsafe fixes (2 problems)"] == every
    assert 'Rename to "size" (unsafe fix)' in found


def test_a_fix_that_would_be_none_is_not_offered(tmp_path: Path) -> None:
    text = '{"title": "abc", "count": 1, "siez": "huge"}'  # the value would be a finding
    assert offered(text, tmp_path).keys() == {'Remove "siez"'}


@pytest.mark.parametrize("value", ["n", "'n'"])
def test_what_is_added_to_yaml_is_read_the_same_by_every_version(
    value: str, tmp_path: Path
) -> None:
    schema: Any = {"required": ["in"], "properties": {"in": {"enum": ["N"]}}}
    for text, title in (("a: 1\n", 'Add "in"'), (f"in: {value}\n", "Change to")):
        folder = tmp_path / title[:3]
        project = project_of(folder, schema)
        document, _ = at_cursor(text, folder / "a.yaml")
        offers = fixes(document, project, check(document, project))
        [after] = [applied(text, one) for one in offers if one.title.startswith(title)]
        assert after in ('a: 1\nin: "N"\n', 'in: "N"\n', "in: 'N'\n")


def test_what_is_missing_is_added(tmp_path: Path) -> None:
    found = offered('{\n  "sub": {}\n}', tmp_path)
    assert found.keys() == {'Add "title"', 'Add "count"', 'Add "b"', "Add the 2 missing properties"}
    assert '"count": 5' in found['Add "count"']
    assert found['Add "b"'].replace(" ", "").replace("\n", "") == '{"sub":{"b":"small"}}'


def test_names_that_are_near(tmp_path: Path) -> None:
    text = '{"title": "abc", "count": 1, "sizes": "big", "lands": "at"}'
    found = offered(text, tmp_path)
    assert {
        'Rename to "size" (unsafe fix)',
        'Rename to "land" (unsafe fix)',
        'Remove "sizes"',
    } <= found.keys()


@pytest.mark.parametrize(
    ("member", "expected"),
    [
        ('"size": "huge"', {'Change to "small"', 'Change to "big"'}),
        ('"size": 7', {'Change to "small"', 'Change to "big"'}),
        ('"land": "xx"', set()),
    ],
)
def test_values_that_are_allowed(member: str, expected: set[str], tmp_path: Path) -> None:
    found = offered(f'{{"title": "abc", "count": 1, {member}}}', tmp_path)
    assert found.keys() == expected


@pytest.mark.parametrize("text", ["{", '{"title": "abc", "count": 1}', ""])
def test_there_is_nothing_to_do(text: str, tmp_path: Path) -> None:
    assert offered(text, tmp_path) == {}


def test_lines_are_fixed_one_by_one(tmp_path: Path) -> None:
    first, second = '{"title": "abc", "count": "3"}', '{"title": "abc", "count": 1, "siez": "big"}'
    third = '{"title": "abc",}'
    found = offered(f"{first}\n{second}\n{third}\n", tmp_path, "a.ndjson")
    assert found == {
        "Change to 3": f"{first.replace(chr(34) + '3' + chr(34), '3')}\n{second}\n{third}\n",
        'Rename to "size" (unsafe fix)': f"{first}\n{second.replace('siez', 'size')}\n{third}\n",
        'Remove "siez"': f'{first}\n{{"title": "abc", "count": 1}}\n{third}\n',
        'Remove ","': f'{first}\n{second}\n{{"title": "abc"}}\n',
        "Fix all that can be fixed safely (2 problems)": (
            f'{{"title": "abc", "count": 3}}\n{second}\n{{"title": "abc"}}\n'
        ),
    }
    assert offered('{"title": "abc"}\n{"count": 1}\n', tmp_path / "again") == {
        'Add "count"': '{"title": "abc", "count": 5}\n{"count": 1}\n',
        'Add "title"': '{"title": "abc"}\n{"count": 1, "title": "aaa"}\n',
    }


OTHERS = [
    ("a.yaml", "title: abc # c\ncount: '3'\n", "Change to 3", "title: abc # c\ncount: 3\n"),
    ("a.json5", "{title: 'abc', count: '3',} // c", "Change to 3", "{title: 'abc', count: 3,} // c"),
    ("a.jsonc", '{"title": "abc", "count": "3",} // c', "Change to 3",
     '{"title": "abc", "count": 3,} // c'),
    ("a.yaml", "title: abc\r\ncount: 1\r\nx: 1 # x\r\n# end", 'Remove "x"',
     "title: abc\r\ncount: 1\r\n# end"),
    ("a.yaml", "x:\n  a: 1\n\n  b: 2\ntitle: abc\ncount: 1", 'Remove "x"', "title: abc\ncount: 1"),
    ("a.yaml", "{title: abc, x: 1, count: 1}", 'Remove "x"', "{title: abc, count: 1}"),
    ("a.yaml", "{title: abc, count: 1, x: 1}", 'Remove "x"', "{title: abc, count: 1}"),
    ("a.yaml", "- x: 1\n  title: abc\n  count: 1\n- title: abc\n  count: 1\n", 'Remove "x"',
     "- title: abc\n  count: 1\n- title: abc\n  count: 1\n"),
    ("a.yaml", "x: 1 # only", 'Remove "x"', "{} # only"),
    ("a.yaml", "title: abc\ncount: 1\nsize: 7 # c\n", 'Change to "big"',
     "title: abc\ncount: 1\nsize: big # c\n"),
    ("a.yaml", "title: abc\ncounts:\n- 1 # one\n", 'Add "count"',
     "title: abc\ncounts:\n- 1 # one\ncount: 5\n"),
    ("a.yaml", "{title: abc}", 'Add "count"', '{title: abc, "count": 5}'),
    ("a.yaml", "title: abc\ncount: 1\nsub: {}", 'Add "b"',
     'title: abc\ncount: 1\nsub: {"b": "small"}'),
    ("a.yaml", "title: >-\n  abc\nsize: big\n\n", 'Add "count"',
     "title: >-\n  abc\nsize: big\ncount: 5\n\n"),
    ("a.yaml", "count: 1\nsize: >-\n  big\n", 'Add "title"',
     "count: 1\nsize: >-\n  big\ntitle: aaa\n"),
    ("a.yaml", "title: abc\n---\ntitle: abc\ncount: 1\nlands: at\n", 'Rename to land',
     "title: abc\n---\ntitle: abc\ncount: 1\nland: at\n"),
    ("a.json5", "{title: 'abc', // t\n count: 1, lands: 'at',}", "Rename to land (unsafe fix)",
     "{title: 'abc', // t\n count: 1, land: 'at',}"),
    ("a.json5", "{x: 1, title: 'abc', count: 1}", 'Remove "x"', "{title: 'abc', count: 1}"),
    ("a.json5", "{title: 'abc', count: 1, x: 1,}", 'Remove "x"', "{title: 'abc', count: 1,}"),
    ("a.json5", "{title: 'abc', count: 1, size: 'huge'}", 'Change to "big"',
     "{title: 'abc', count: 1, size: 'big'}"),
    ("a.json5", "{\n  title: 'abc', // t\n}", 'Add "count"',
     "{\n  title: 'abc', // t\n  \"count\": 5,\n}"),
    ("a.jsonc", '{\n  "title": "abc" // t\n}', 'Add "count"',
     '{\n  "title": "abc", // t\n  "count": 5\n}'),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "title", "after"), OTHERS)
def test_fixes_of_other_formats(
    name: str, text: str, title: str, after: str, tmp_path: Path
) -> None:
    assert offered(text, tmp_path, name).get(title) == after


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "a: ["),
        ("a.yaml", "title: &x '3'\ncount: *x"),
        ("a.yaml", "title: abc\ncount: &c 1\nsub: &s {}\ncounts: []\nland: !!str xx\n".replace("sub: &s {}\n", "")),
        ("a.json5", "{title: 'abc', count: 1, x: 1 /* why */}"),
        ("a.jsonc", '{\n"title": "abc",\n"count": 1,\n"x": 1 // why\n}'),
    ],
)  # fmt: skip
def test_nothing_is_offered_that_would_lose_something(name: str, text: str, tmp_path: Path) -> None:
    assert offered(text, tmp_path, name) == {}


def test_what_is_shared_is_changed_for_all_or_not_at_all(tmp_path: Path) -> None:
    text = "title: abc\ncount: 1\nsub: &s\n  c: 1\nmore: *s\n"
    assert set(offered(text, tmp_path, "a.yaml")) == {'Remove "more"'}


def test_a_large_text_of_another_format_has_findings_alone(tmp_path: Path) -> None:
    text = f"title: abc\ncount: '3'\nx: 1\n# {'large ' * 50_000}\n"
    assert offered(text, tmp_path, "a.yaml") == {}
    document, _ = at_cursor(text, tmp_path / "a.yaml")
    project = project_of(tmp_path / "again", SCHEMA)
    assert place_at(document, 1) is None
    assert places_at(document, 1) == []
    document, _ = at_cursor(text, tmp_path / "again" / "a.yaml")
    assert len(check(document, project)) == 2

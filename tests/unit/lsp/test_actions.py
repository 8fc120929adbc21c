"""Quick fixes: each does what its title says, and ends what it is for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.unit.lsp.opened import at_cursor, project_of
from widgetschema.lsp.actions import Action, fix_all, fixes
from widgetschema.lsp.checks import check

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


def offered(text: str, folder: Path, name: str = "a.json") -> dict[str, str]:
    """The text after each action, by its title."""
    document, _ = at_cursor(text, folder / name)
    project = project_of(folder, SCHEMA)
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
    assert [one.is_certain for one in found] == sorted(
        (one.is_certain for one in found), reverse=True
    )
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
        'Rename to "size"': text.replace("siez", "size"),
        'Remove "siez"': '{"title": "abc", "count": "3"}',
        "Fix everything that is certain (2 problems)": (
            text.replace('"3"', "3").replace("siez", "size")
        ),
    }


def test_what_is_missing_is_added(tmp_path: Path) -> None:
    found = offered('{\n  "sub": {}\n}', tmp_path)
    assert found.keys() == {'Add "title"', 'Add "count"', 'Add "b"', "Add the 2 missing members"}
    assert '"count": 5' in found['Add "count"']
    assert found['Add "b"'].replace(" ", "").replace("\n", "") == '{"sub":{"b":"small"}}'


def test_names_that_are_near(tmp_path: Path) -> None:
    text = '{"title": "abc", "count": 1, "sizes": "big", "lands": "at"}'
    found = offered(text, tmp_path)
    assert {'Rename to "size"', 'Rename to "land"', 'Remove "sizes"'} <= found.keys()


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


@pytest.mark.parametrize(
    "text", ["{", '{"title": "abc", "count": 1}', "", '{"title": "abc"}\n{"count": 1}\n']
)
def test_there_is_nothing_to_do(text: str, tmp_path: Path) -> None:
    assert offered(text, tmp_path) == {}


@pytest.mark.parametrize(
    ("name", "text", "after"),
    [
        ("a.yaml", "title: abc # c\ncount: '3'\n", "title: abc # c\ncount: 3\n"),
        ("a.json5", "{title: 'abc', count: '3',} // c", "{title: 'abc', count: 3,} // c"),
        ("a.jsonc", '{"title": "abc", "count": "3",} // c', '{"title": "abc", "count": 3,} // c'),
    ],
)
def test_certain_fixes_of_other_formats(name: str, text: str, after: str, tmp_path: Path) -> None:
    titles = ("Change to 3", "Fix everything that is certain (1 problem)")
    assert offered(text, tmp_path, name) == dict.fromkeys(titles, after)


@pytest.mark.parametrize(
    "text", ["a: [", "title: 1\n---\ncount: '3'\n", "title: &x '3'\ncount: *x"]
)
def test_nothing_is_offered_that_would_lose_something(text: str, tmp_path: Path) -> None:
    assert offered(text, tmp_path, "a.yaml") == {}

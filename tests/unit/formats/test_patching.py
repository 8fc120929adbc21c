"""Patches of texts in YAML: every version reads what they write in the same way."""

from __future__ import annotations

from typing import Any

import pytest

from widgetschema.errors import PatchError
from widgetschema.formats.parsing import parse
from widgetschema.formats.patching import patch_text


def patched(text: str, *operations: dict[str, Any]) -> str:
    [parsed] = parse(text, "yaml")
    return patch_text(parsed, "yaml", operations)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("N", '"N"'),
        ("yes", '"yes"'),
        ("on", '"on"'),
        ("~", '"~"'),
        ("", '""'),
        ("1e3", '"1e3"'),
        ("0o7", '"0o7"'),
        ("1_000", '"1_000"'),
        ("12:30:00", '"12:30:00"'),
        ("2026-01-01", '"2026-01-01"'),
        (".inf", '".inf"'),
        ("No way", "No way"),
        (1e22, "1.0e+22"),
        (1.5e-7, "1.5e-07"),
        (12, "12"),
        (True, "true"),
        (None, "null"),
        (["n", 1e22], '\n- "n"\n- 1.0e+22'),
    ],
)
def test_a_member_is_added_as_every_version_reads_it(value: Any, written: str) -> None:
    text = patched("a: 1\n", {"op": "add", "path": "/in", "value": value})
    space = "" if written.startswith("\n") else " "
    assert text == f"a: 1\nin:{space}{written}\n"
    [parsed] = parse(text, "yaml")
    assert parsed.value == {"a": 1, "in": value}
    assert parsed.warnings == ()


@pytest.mark.parametrize("name", ["y", "No", "1e3", "~"])
def test_so_is_its_name(name: str) -> None:
    text = patched("a: 1\n", {"op": "add", "path": f"/{name.replace('~', '~0')}", "value": 2})
    assert text == f'a: 1\n"{name}": 2\n'


@pytest.mark.parametrize(
    ("value", "written"),
    [("N", '"N"'), (1e22, "1.0e+22"), (0.1, "0.1"), ("big", "big"), (False, "false"), ([], "[]")],
)
def test_a_value_is_replaced_as_every_version_reads_it(value: Any, written: str) -> None:
    text = "a: x # c\nb: yes\n"
    assert patched(text, {"op": "replace", "path": "/a", "value": value}) == text.replace(
        "x", written
    )


def test_a_member_is_added_behind_the_lines_of_a_block() -> None:
    text = patched("a: |\n  x\n\n# c\n", {"op": "add", "path": "/b", "value": 1})
    [parsed] = parse(text, "yaml")
    assert parsed.value == {"a": "x\n", "b": 1}
    assert text.endswith("# c\n")


def test_a_member_is_removed_with_its_line() -> None:
    assert patched("\na: 1\nb: 2\n", {"op": "remove", "path": "/a"}) == "\nb: 2\n"


def test_what_older_versions_would_read_in_another_way_is_not_written() -> None:
    with pytest.raises(PatchError, match=r"YAML 1\.1 would read the new text differently"):
        patched("{a: 1}", {"op": "add", "path": "/b", "value": [1e22]})

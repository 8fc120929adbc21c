"""Fingerprints: what leaves a finding the same, what makes it another, and names of files."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import instances
from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.store import Store
from widgetschema.findings import Finding
from widgetschema.pointers import escape_token
from widgetschema.project.checking.checker import Checker
from widgetschema.project.checking.fingerprints import (
    FileNames,
    FingerprintCounter,
    finding_identity,
    problem_identity,
)
from widgetschema.project.checking.results import DocumentResult, Problem, Result
from widgetschema.project.inputs.model import Text

DATA = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "size": {"enum": ["small", "big"]},
        "title": {"type": "string"},
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["name", "price"],
                "properties": {"price": {"type": "number", "minimum": 0}},
            },
        },
    },
}
SCHEMA = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "properties": {"data": DATA},
}


def checker(folder: Path) -> Checker:
    """A checker of the type "shop", whose schema it writes to a folder."""
    folder.mkdir(exist_ok=True)
    (folder / "shop.json").write_text(json.dumps(SCHEMA))
    return Checker(Catalog([Store(folder)]), type_id="shop", kind="data")


def results(folder: Path, *files: str | Path) -> Iterator[Result]:
    """The results of files, in their order."""
    shop = checker(folder)
    for file in map(str, files):
        raw = Path(file).read_bytes()
        if not file.endswith(".ndjson"):
            yield from shop.check(Text(file, raw))
            continue
        for number, line in enumerate(raw.splitlines(), 1):
            yield from shop.check(Text(file, line, number))


def prints(folder: Path, text: str) -> list[str]:
    """The fingerprints of a text, sorted."""
    numbered = FingerprintCounter()
    found = checker(folder).check(Text("a.json", text.encode()))
    return sorted(
        numbered.fingerprint(one.file, each.fingerprint)
        for one in found
        if isinstance(one, DocumentResult)
        for each in one.findings
    )


ENUM = Finding("enum", "/items/1/size", "/schema", "message", "hint", 3, 4, ["small", "big"])
VALUE: dict[str, Any] = {"items": [{"size": "small"}, {"size": "large", "in": {"a": [1]}}]}


@pytest.mark.parametrize(
    ("finding", "value"),
    [
        (replace(ENUM, message="other", hint=None, schema_path="/x"), VALUE),
        (replace(ENUM, line=300, column=1, expected=["small", "big", "huge"]), VALUE),
        (replace(ENUM, path="/items/2/size"), {"items": [0, *VALUE["items"]]}),
        (ENUM, {"new": 1, "items": [VALUE["items"][0], {"in": 3, "size": "large"}]}),
    ],
    ids=["worded anew", "moved", "an item before", "members and their order"],
)
def test_what_leaves_a_finding_the_same(finding: Finding, value: Any) -> None:
    assert finding_identity(finding, value) == finding_identity(ENUM, VALUE)


@pytest.mark.parametrize(
    ("finding", "value"),
    [
        (replace(ENUM, keyword="const"), VALUE),
        (replace(ENUM, path="/items/1/height"), {"items": [0, {"height": "large"}]}),
        (replace(ENUM, path="/items/x/size"), {"items": {"x": {"size": "large"}}}),
        (replace(ENUM, path="/items/1/size"), {"items": {"1": {"size": "large"}}}),
        (ENUM, {"items": [0, {"size": "larger"}]}),
        (ENUM, {"items": [0, {"size": []}]}),
        (ENUM, None),
    ],
    ids=["keyword", "member", "no item", "a member 1", "value", "type", "unread"],
)
def test_what_makes_a_finding_another(finding: Finding, value: Any) -> None:
    assert finding_identity(finding, value) != finding_identity(ENUM, VALUE)


def test_values_are_told_apart_as_json_does() -> None:
    alike = [[1, 1.0], [0, -0.0], [10**20, 1e20]]
    values: list[Any] = [
        None,
        True,
        False,
        "",
        "1",
        "null",
        "True",
        1,
        0,
        1.5,
        10**20,
        2.5e-7,
        [],
        {},
    ]
    finding = Finding("type", "", "", "")
    assert len({finding_identity(finding, value) for value in values}) == len(values)
    for one, other in alike:
        assert finding_identity(finding, one) == finding_identity(finding, other)


def test_of_a_container_only_the_type_counts() -> None:
    finding = Finding("minProperties", "/a", "", "")
    assert finding_identity(finding, {"a": {}}) == finding_identity(finding, {"a": {"b": 1}})
    assert finding_identity(finding, {"a": {}}) != finding_identity(finding, {"a": []})


@pytest.mark.parametrize("keyword", ["additionalProperties", "propertyNames", "false"])
def test_a_name_is_wrong_whatever_its_value(keyword: str) -> None:
    finding = Finding(keyword, "/titel", "", "")
    assert finding_identity(finding, {"titel": "a"}) == finding_identity(finding, {"titel": 3})


@pytest.mark.parametrize("keyword", ["required", "dependencies"])
def test_each_missing_member_is_a_finding_of_its_own(keyword: str) -> None:
    finding = Finding(keyword, "", "", "", expected="name")
    assert finding_identity(finding, {}) != finding_identity(replace(finding, expected="price"), {})
    assert finding_identity(finding, {}) == finding_identity(replace(finding, message="other"), {})


def test_strange_input_has_an_identity() -> None:
    deep: Any = []
    for _ in range(150):
        deep = [deep]
    for path, value in [
        ("/\ud800/~0", {"\ud800": {"~": "\udfff"}}),
        ("/0" * 5000, deep),
        ("/" + "9" * 5000, [1]),
        ("/²", [1]),
        ("/-1", [1]),
        ("/a", "text"),
        ("/a", {"a": 10**4000}),
        ("/a", {"a": float("nan")}),
        ("/a", {"a": "x" * 10**6}),
        ("no pointer", {"a": 1}),
    ]:
        found = finding_identity(Finding("required", path, "", "", expected={"\ud800"}), value)
        assert len(found) == 20
        assert int(found, 16) >= 0


@given(instances(), st.lists(st.text(), max_size=4), st.text())
def test_any_finding_has_an_identity(value: Any, tokens: list[str], keyword: str) -> None:
    path = "".join(f"/{escape_token(token)}" for token in tokens)
    assert finding_identity(Finding(keyword, path, "", ""), value) == finding_identity(
        Finding(keyword, path, "/x", "y", line=3, column=4), value
    )


@given(st.lists(st.sampled_from("abc"), max_size=12), st.randoms())
def test_findings_that_are_alike_are_numbered(identities: list[str], random: Any) -> None:
    numbered, again = FingerprintCounter(), FingerprintCounter()
    found = [numbered.fingerprint("file", one) for one in identities]
    assert len(set(found)) == len(found)
    random.shuffle(identities)
    assert sorted(again.fingerprint("file", one) for one in identities) == sorted(found)
    if identities:
        fewer = [FingerprintCounter().fingerprint("file", identities[0])]
        assert set(fewer) <= set(found)


def test_each_file_is_numbered_by_itself() -> None:
    numbered = FingerprintCounter()
    first = [numbered.fingerprint("a", "x"), numbered.fingerprint("a", "x")]
    second = [numbered.fingerprint("b", "x"), numbered.fingerprint("b", "x")]
    assert len({*first, *second}) == 4
    assert [numbered.fingerprint("a", "x"), numbered.fingerprint("a", "x")] == first


def test_problems_have_an_identity() -> None:
    problem = Problem("a.json", "of which type is this?", 2, "/docs/1", 3)
    assert problem_identity(problem) == problem_identity(
        problem._replace(pointer="/docs/2", line=9, message="other")
    )
    assert problem_identity(problem) != problem_identity(problem._replace(code=3))
    assert problem_identity(problem) != problem_identity(problem._replace(pointer=""))


TEXT = """{
  "size": "large", "titel": "Sale",
  "items": [{"name": "a", "price": -1}, {"price": "3"}, {}]
}"""


def test_moved_lines_and_members_leave_all_fingerprints(tmp_path: Path) -> None:
    before = prints(tmp_path, TEXT)
    assert len(before) == len(set(before)) == 7
    moved = """{"items": [
      {"price": -1, "name": "a"}, {},
      {"name": "new", "price": 7},
      {"price": "3"}
    ],


    "titel": "Summer sale", "size": "large"}"""
    assert prints(tmp_path, moved) == before


def test_one_more_mistake_is_one_more_fingerprint(tmp_path: Path) -> None:
    before = prints(tmp_path, TEXT)
    more = prints(tmp_path, TEXT.replace("{}", '{}, {"name": "b"}'))
    assert set(before) < set(more)
    assert len(more) == len(before) + 1


def test_text_that_is_no_json_has_fingerprints(tmp_path: Path) -> None:
    before = prints(tmp_path, '{"a": [1, 1e999, 1e999]}')
    assert len(set(before)) == 2
    assert prints(tmp_path, '\n\n{"a": [0, 1,\n 1e999, 2, 1e999]}') == before


@pytest.mark.parametrize(
    ("folder", "file", "name"),
    [
        (".", "a.json", "a.json"),
        (".", "./a.json", "a.json"),
        (".", "b/../b/a.json", "b/a.json"),
        ("b", "a.json", "../a.json"),
        ("b/c", "b/a.json", "../a.json"),
        ("b", "b/c/a.json", "c/a.json"),
        ("link", "b/a.json", "a.json"),
        ("b", "link/a.json", "a.json"),
        ("b", "-", "-"),
    ],
)
def test_names_of_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, file: str, name: str
) -> None:
    (tmp_path / "b" / "c").mkdir(parents=True)
    (tmp_path / "link").symlink_to("b")
    monkeypatch.chdir(tmp_path)
    assert FileNames(folder).name(file) == name
    monkeypatch.chdir(tmp_path / "b" / "c")
    given = file if file == "-" else os.path.join("..", "..", file)
    assert FileNames(str(tmp_path / folder)).name(given) == name


def test_names_that_are_no_text(tmp_path: Path) -> None:
    names = FileNames(str(tmp_path))
    assert names.name(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.json")) == "\\xff.json"
    assert names.name(str(tmp_path / "é.json")) == "é.json"
    assert names.name("a\0/b.json") == "a\0/b.json"

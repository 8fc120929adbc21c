"""The schema of the configuration: a good one, the same as the table, and the quick yes below it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from widgetschema.jsontext import Limits
from widgetschema.project.config import Configuration, Setting
from widgetschema.project.config.faults import faults
from widgetschema.project.config.from_file import settings_of
from widgetschema.project.config.members import MEMBERS, MOST_ENTRIES
from widgetschema.project.config.reading import Source
from widgetschema.project.config.schema import schema, schema_text
from widgetschema.project.config.shape import fits
from widgetschema.project.report_formats import own_names
from widgetschema.validation import Validator, check_schema
from widgetschema.validation.explain.messages import MESSAGES


def test_the_schema_is_one() -> None:
    assert check_schema(schema()).valid
    assert schema()["$id"] == "widgetschema-configuration"
    assert schema_text().endswith("}\n")
    for pointer, node in walk(schema()["properties"], ""):
        assert "title" in node, pointer


def walk(properties: dict[str, Any], around: str) -> Any:
    for name, node in properties.items():
        yield f"{around}/{name}", node
        yield from walk(node.get("properties", {}), f"{around}/{name}")
        yield from walk(node.get("items", {}).get("properties", {}), f"{around}/{name}")


def test_table_and_schema_say_the_same() -> None:
    described = {
        pointer[1:].replace("/", "."): node
        for pointer, node in walk(schema()["properties"], "")
        if not pointer.startswith("/ignores/")
    }
    del described["limits"]
    assert set(described) == {member.name for member in MEMBERS}
    for member in MEMBERS:
        node = described[member.name]
        if member.kind == "integer":
            assert (node["minimum"], node["maximum"]) == (member.least, member.most)
            assert node["default"] == member.default
        if member.kind == "choice":
            assert tuple(node["enum"]) == member.choices
        if member.kind == "boolean":
            assert node["default"] is member.default
    assert tuple(described["reporters"]["items"]["anyOf"][0]["enum"]) == own_names()
    known = schema()["definitions"]["keyword"]["anyOf"][0]["enum"]
    assert set(MESSAGES) <= set(known)
    assert all(fits({"severities": {one: "note"}}) for one in known)


GLOBS = st.lists(st.sampled_from(["a", "**/*.json", "", "é", "x" * 1000, "x" * 1001, 1, "../a"]))
KEYWORDS = st.sampled_from(
    "type|format|formt|json.syntax|json.x|problem.file|ignore.unused|a.b.c||x.|X.y|a.b\n".split("|")
)
ANYTHING = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-2, 70),
        st.sampled_from([1.0, 0.5, 10**20, 1001, 1024**3]),
        st.sampled_from(["", "a", "rust", "auto", "off", "error", "\n", "2026-02-30", "x" * 4097]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2), st.dictionaries(KEYWORDS | st.just("jobs"), inner, max_size=2)
    ),
    max_leaves=4,
)
REPORTER = st.sampled_from(
    ["auto", "sarif=x", "sarif=", "x", "json=\n", "json=\u2028", "json=a\nb", "text=a=b", "", 1]
)
IGNORE = st.fixed_dictionaries(
    {},
    optional={
        "path": st.sampled_from(["a", "", 1, "x" * 1001]),
        "pointer": st.sampled_from(["", "/a", 1]),
        "keyword": KEYWORDS,
        "reason": st.sampled_from(["why", "", " ", "\u00a0", "\ufeff", "é", "²", "-", 1]),
        "expires": st.sampled_from(
            [
                "2026-12-31",
                "2026-02-29",
                "2024-02-29",
                "0000-01-01",
                "２０２６-12-31",
                "20261231",
                1,
            ]
        ),
        "until": st.just("x"),
    },
)
VALUES = {
    "schemas": st.sampled_from(["a", "", "x" * 4097, 1]),
    "base-url": st.sampled_from(["a", "", 1]),
    "auth-url": st.sampled_from(["a", "", 1]),
    "fetch": st.sampled_from(["auto", "x", None]),
    "formats": st.sampled_from([True, False, 1, "true"]),
    "engine": st.sampled_from(["rust", "python", ""]),
    "limits": st.dictionaries(
        st.sampled_from(["max-depth", "max-bytes", "x"]),
        st.sampled_from([0, 1, 1000, 1001, True, 1.0]),
    ),
    "severities": st.dictionaries(
        KEYWORDS, st.sampled_from(["error", "warning", "note", "off", "x", 1])
    ),
    "reporters": st.lists(REPORTER, max_size=3),
    "baseline": st.sampled_from(["a", "", 1]),
    "jobs": st.sampled_from([0, 64, 65, -1, True, 1.0]),
    "cache": st.sampled_from([True, 0]),
    "include": GLOBS,
    "exclude": GLOBS,
    "files": st.dictionaries(
        st.sampled_from(["a", "", "x" * 1001]), st.sampled_from(["x", "", 1, "x" * 201])
    ),
    "ignores": st.lists(IGNORE, max_size=2),
}
TABLES = st.one_of(
    *(st.fixed_dictionaries({name: value}) for name, value in VALUES.items()),
    st.fixed_dictionaries({}, optional=VALUES),
    st.dictionaries(st.sampled_from([*VALUES, "x"]), ANYTHING, max_size=2),
    ANYTHING,
)
VALIDATOR = Validator(schema())


@pytest.mark.no_cover
@settings(max_examples=800, deadline=None)
@given(TABLES)
def test_the_quick_yes_never_says_more_than_the_schema(table: Any) -> None:
    assert VALIDATOR.is_valid(table) or not fits(table)


def test_the_quick_yes_says_yes_and_counts() -> None:
    assert fits({})
    assert fits({"ignores": [{"keyword": "type", "reason": "²", "expires": "2024-02-29"}]})
    assert not fits({"ignores": [{"keyword": "type", "reason": "a", "expires": "2026-02-29"}]})
    for name, most in (("include", MOST_ENTRIES), ("ignores", MOST_ENTRIES), ("reporters", 100)):
        item: Any = {"path": "a", "reason": "b"} if name == "ignores" else "text"
        for count in (most, most + 1):
            table = {name: [item] * count}
            assert fits(table) == VALIDATOR.is_valid(table) == (count == most)
    for name in ("files", "severities"):
        for count in (MOST_ENTRIES, MOST_ENTRIES + 1):
            letters = (
                f"a.{chr(97 + n // 26 % 26)}{chr(97 + n % 26)}{'b' * (n // 676)}"
                for n in range(count)
            )
            many = {name: dict.fromkeys(letters, "note")}
            assert len(many[name]) == count
            assert fits(many) == VALIDATOR.is_valid(many) == (count == MOST_ENTRIES)


@settings(max_examples=200, deadline=None)
@given(TABLES)
def test_what_the_schema_refuses_is_refused(table: Any) -> None:
    """By way of a file, whatever the quick yes says: and what is accepted can be used."""
    source = Source("/nowhere/c.toml", "c.toml", "", "", table)
    found = faults(source)

    if not VALIDATOR.is_valid(table):
        assert found
    if not found:
        defaults = {one.name: Setting(one.default, "default") for one in MEMBERS}
        one = Configuration(
            source.path, source.folder, defaults | settings_of(source), source.folder
        )
        assert isinstance(one.type_for("a"), str | None)
        assert isinstance(one.limits, Limits)
        assert all(ignore.reason.strip() for ignore in one.ignores)
        assert isinstance(one.maps("a") or one.excludes("a"), bool)
        assert isinstance(one.jobs, int)
        one.ignores_for("a")

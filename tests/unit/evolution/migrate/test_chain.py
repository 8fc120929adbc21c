"""Chains of migrations: data of any earlier version becomes data of the newest one."""

from __future__ import annotations

import pytest

from tests.migrating import NEW, OLD, closed, migration, step, widget_type
from widgetschema import MigrationChain, MigrationFailed

NEWEST = widget_type(
    closed(
        "title",
        "shown",
        title={"type": "string"},
        size={"enum": ["small", "medium"]},
        days={"type": "number"},
        visible={},
        shown={"type": "boolean"},
        lines={"maximum": 3},
    )
)
FIRST = migration()
SECOND = migration(step("rename", "/rest", to='"lines"'), NEW, NEWEST)
CHAIN = MigrationChain([FIRST, SECOND])

OLDEST_TEXT = '{"heading": "ä", "rest": 1.0}'
MIDDLE_TEXT = '{"title": "ä", "rest": 1.0, "shown": true}'
NEWEST_TEXT = '{"title": "ä", "lines": 1.0, "shown": true}'


@pytest.mark.parametrize("text", [OLDEST_TEXT, MIDDLE_TEXT, NEWEST_TEXT])
def test_every_version_becomes_the_newest_one(text: str) -> None:
    assert CHAIN.apply_json(text) == NEWEST_TEXT
    assert CHAIN.apply_json(text.encode()) == NEWEST_TEXT.encode()


def test_values() -> None:
    newest = {"title": "x", "lines": 1, "shown": True}
    assert CHAIN.apply({"heading": "x", "rest": 1}) == newest
    assert CHAIN.apply(newest) is newest


@pytest.mark.parametrize(
    ("text", "status"), [("{}", "not-old"), ("no JSON", "not-old"), (OLDEST_TEXT, "invalid")]
)
def test_what_cannot_be_migrated(text: str, status: str) -> None:
    text = text.replace("1.0", "4.0")
    with pytest.raises(MigrationFailed) as raised:
        CHAIN.apply_json(text)
    assert raised.value.status == status


def test_values_that_cannot_be_migrated() -> None:
    with pytest.raises(MigrationFailed, match="heading"):
        CHAIN.apply({"heading": 7})


def test_findings_are_those_of_the_nearest_version() -> None:
    with pytest.raises(MigrationFailed) as raised:
        CHAIN.apply({"heading": "x", "size": "xl"})
    assert [(one.keyword, one.path) for one in raised.value.report] == [("enum", "/size")]


def test_data_that_two_versions_accept_is_of_the_newer_one() -> None:
    both = {"title": "x", "shown": True}
    assert CHAIN.apply(both) is both


def test_each_begins_where_the_one_before_it_ends() -> None:
    with pytest.raises(ValueError, match=r"migration 2 of 2 .* swap them"):
        MigrationChain([SECOND, FIRST])
    with pytest.raises(ValueError, match=r"migration 2 of 2 .* none may be missing"):
        MigrationChain([FIRST, FIRST])
    with pytest.raises(ValueError, match="at least one"):
        MigrationChain([])
    for given, text in ((FIRST, "not Migration"), ([OLD, NEW], "WidgetType"), ("a.toml", "str")):
        with pytest.raises(TypeError, match=f"list of Migration objects.*{text}"):
            MigrationChain(given)  # type: ignore[arg-type]
    assert OLD.linked_digest == FIRST.plan.old.digest

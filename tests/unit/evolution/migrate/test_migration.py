"""One document: its new text, byte for byte, and what is said about it."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

from tests.effort import calls
from tests.migrating import NEW, OLD, between_open, closed, migration, plan_of, step, widget_type
from widgetschema import InvalidPlan, Migration, MigrationFailed, WidgetType
from widgetschema.evolution.migrate import Lost

RECORD = """{
  "rest": [1.10, 1E2, "\\u00e9", 123456789012345678901234567890],

  "legacy": {"a":  1},
  "heading": "A",   "size":"s",
\t"days" : "1.50"
}
"""
MIGRATED = """{
  "rest": [1.10, 1E2, "\\u00e9", 123456789012345678901234567890],
  "title": "A",   "size":"small",
\t"days" : 1.50,
\t"shown" : true
}
"""


def test_only_what_a_step_changes_differs() -> None:
    outcome = migration().migrate_json(RECORD)
    assert outcome.text.decode() == MIGRATED
    assert outcome.status == "migrated"
    assert outcome.is_done
    assert outcome.applied == (1, 1, 1, 1, 1)
    assert outcome.lost == (Lost(4, "/legacy", '{"a":  1}'),)
    assert not outcome.is_ambiguous


@pytest.mark.parametrize(
    ("text", "status", "path"),
    [
        ('{"title": "x", "shown": true}', "unchanged", None),
        ('{"z": 1}', "not-old", ""),
        ('{"heading": "a", "heading": "b"}', "not-old", "/heading"),
        ('{"heading": "a"', "not-old", ""),
        ("[" * 5000, "not-old", "/0" * 200),
        ('{"heading": "a", "rest": 1e999}', "not-old", "/rest"),
        ('{"heading": "a", "days": "5 px"}', "invalid", "/days"),
        ('"\ud800"', "not-old", ""),
        ("", "not-old", ""),
    ],
    ids=lambda one: str(one)[:30],
)
def test_a_record_that_is_not_migrated_stays_as_it_is(
    text: str, status: str, path: str | None
) -> None:
    outcome = migration().migrate_json(text)
    assert (outcome.status, outcome.text) == (status, text.encode(errors="surrogatepass"))
    assert outcome.is_done == (path is None)
    paths = [one.path for one in outcome.findings]
    assert paths[:1] == ([] if path is None else [path])


def test_findings_are_about_the_text_that_steps_made() -> None:
    outcome = migration().migrate_json('{"heading": "a",\n "days": "5 px"}')
    assert outcome.rejected == b'{"title": "a",\n "days": "5 px",\n "shown": true}'
    assert [(one.keyword, one.line) for one in outcome.findings] == [("type", 2)]
    assert outcome.skipped == (0, 0, 1, 0, 0)


def test_a_second_migration_changes_nothing() -> None:
    once = migration().migrate_json(RECORD)
    assert migration().migrate_json(once.text).status == "unchanged"
    assert migration().apply_json(once.text) == once.text


def test_what_only_the_new_schema_accepts_is_migrated_already() -> None:
    old = widget_type({"properties": {"size": {"enum": ["small", "big"]}}})
    new = widget_type({"properties": {"size": {"enum": ["big", "huge"]}}})
    swap = migration(step("map", "/size", values="{big = 'huge', small = 'big'}"), old, new)
    assert [swap.migrate_json(f'{{"size": "{one}"}}').status for one in ("huge", "small")] == [
        "unchanged",
        "migrated",
    ]
    assert not swap.steps[0].is_idempotent
    both = swap.migrate_json('{"size": "big"}')
    assert (both.status, both.is_ambiguous) == ("migrated", True)


def test_a_record_of_the_new_schema_is_left_alone_where_steps_would_apply() -> None:
    old = widget_type({"required": ["a"]})
    new = widget_type({"required": ["b"]})
    outcome = migration(step("drop", "/x"), old, new).migrate_json('{"b": 1, "x": 2}')
    assert (outcome.status, outcome.text) == ("already", b'{"b": 1, "x": 2}')


def test_python_values_are_migrated() -> None:
    data = {"heading": "A", "size": "m", "rest": 10**30}
    assert migration().apply(data) == {
        "title": "A",
        "size": "medium",
        "rest": 10**30,
        "shown": True,
    }
    assert data["heading"] == "A"
    with pytest.raises(MigrationFailed, match="is missing") as caught:
        migration().apply({"size": "m"})
    assert caught.value.status == "not-old"
    with pytest.raises(MigrationFailed):
        migration().apply({"heading": float("nan")})
    with pytest.raises(MigrationFailed, match="must be a number"):
        migration().apply_json('{"heading": "A", "days": ""}')


def documents(versions: str = "[model-version]\nold = 3\nnew = 4") -> Migration:
    """Return a migration of documents with versions."""
    data: dict[str, Any] = {"properties": {"data": {"properties": {"n": {"type": "integer"}}}}}
    old = WidgetType.from_schema({"$id": "card", "title": "old", **data})
    new = WidgetType.from_schema({"$id": "card", "title": "new", **data})
    return migration(step("map", "/n", json_values="{1 = '2', 2 = '3'}"), old, new, versions)


@pytest.mark.parametrize(
    ("version", "status", "then"),
    [
        ("3", "migrated", ('"modelVersion": 4', '"n": 2')),
        ("4", "already", ('"modelVersion": 4', '"n": 1')),
        ("5", "not-old", ('"modelVersion": 5', '"n": 1')),
        ('"x"', "not-old", ('"modelVersion": "x"', '"n": 1')),
    ],
)
def test_the_model_version_decides_about_documents(
    version: str, status: str, then: tuple[str, str]
) -> None:
    text = f'{{"modelVersion": {version}, "data": {{"n": 1}}}}'
    outcome = documents().migrate_json(text, kind="document")
    assert outcome.status == status
    assert outcome.text.decode() == '{{{}, "data": {{{}}}}}'.format(*then)
    assert not outcome.is_ambiguous


def test_a_document_without_a_version_is_recognized_by_its_schemas() -> None:
    outcome = documents().migrate_json('{"data": {"n": 1}}', kind="document")
    assert (outcome.status, outcome.text) == ("migrated", b'{"data": {"n": 2}}')
    assert outcome.is_ambiguous
    other = documents("").migrate_json('{"modelVersion": 9, "data": {"n": 1}}', kind="document")
    assert other.text == b'{"modelVersion": 9, "data": {"n": 2}}'


@pytest.mark.parametrize("text", ['{"n": 1}', "[1]", "1"])
def test_a_document_without_data_is_none(text: str) -> None:
    outcome = documents().migrate_json(text, kind="document")
    assert (outcome.status, outcome.text) == ("not-old", text.encode())
    assert outcome.findings


def test_another_kind_is_none() -> None:
    with pytest.raises(ValueError, match='"data" or "document", not \'documents\''):
        migration().apply_json("{}", kind="documents")  # type: ignore[arg-type]


def test_a_failed_step_says_its_number_its_line_and_the_record() -> None:
    outcome = between_open(
        step("drop", "/a") + step("rename", "/items/*/a", to="'b'")
    ).migrate_json('{"a": 1, "items": [{"a": 1}, {"a": 1, "b": 2}]}')
    (finding,) = outcome.findings
    assert (outcome.status, outcome.lost) == ("failed", ())
    assert (finding.keyword, finding.path) == ("migration.step", "/items/1/a")
    assert finding.message == (
        "step 2 (rename /items/*/a, plan.toml, line 13): it cannot be renamed: there is "
        'already a property "b"'
    )


def test_a_plan_for_another_schema_is_refused() -> None:
    with pytest.raises(InvalidPlan) as caught:
        NEW.migration(OLD, plan_of(""))
    findings = caught.value.report.findings
    assert [(one.keyword, one.line) for one in findings] == [
        ("migration.schema", 1),
        ("migration.schema", 5),
    ]
    assert OLD.linked_digest[:12] in findings[0].message


def test_without_a_plan_the_certain_steps_are_carried_out() -> None:
    old = widget_type(closed("a", a={"type": "string"}))
    new = widget_type(closed("a", "b", a={"type": "string"}, b={"const": 5}))
    certain = old.migration(new)
    assert [str(one) for one in certain.steps] == ["default /b"]
    assert certain.apply({"a": "x"}) == {"a": "x", "b": 5}
    assert old.migration(old).steps == ()


def test_a_migration_goes_through_a_pickle() -> None:
    copy = pickle.loads(pickle.dumps(migration()))
    assert copy.migrate_json(RECORD) == migration().migrate_json(RECORD)
    assert repr(copy) == repr(migration())


def test_a_record_that_needs_no_change_costs_little_more_than_a_validation() -> None:
    text = json.dumps({"title": "x", "shown": True, "rest": ["s"] * 1000}).encode()
    renames = migration(step("rename", "/heading", to="'title'"))
    assert renames.migrate_json(text).status == "unchanged"
    assert NEW.is_valid_json(text)
    once = calls(lambda: NEW.is_valid_json(text))
    assert calls(lambda: renames.migrate_json(text)) < once + 40
    every = migration()
    assert every.migrate_json(text).status == "unchanged"
    assert calls(lambda: every.migrate_json(text)) < once + 100

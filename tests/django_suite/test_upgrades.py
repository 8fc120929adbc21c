"""Rows of an earlier version of a widget type, which are migrated as they are read."""

from __future__ import annotations

import json

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from tests.django_suite.shelf.models import Upgraded, migrations
from widgetschema import MigrationFailed
from widgetschema.integrations.django import WidgetDataField, reading_as_stored

pytestmark = pytest.mark.usefixtures("db")

OLD = '{"items": [{"question": "Why?", "rank": 1}]}'
NEW = '{"items": [{"q": "Why?", "rank": 1}]}'


def insert(data: str, text: str | None = None) -> None:
    """Store a row as an earlier program did."""
    table = Upgraded._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(f"insert into {table} (data, text) values (%s, %s)", [data, text])


def stored() -> tuple[object, str]:
    """Return what is stored."""
    with connection.cursor() as cursor:
        cursor.execute(f"select data, text from {Upgraded._meta.db_table}")
        data, text = cursor.fetchone()
    return json.loads(data), text


def test_an_old_row_is_read_as_a_new_one_and_written_when_it_is_saved() -> None:
    insert(OLD, OLD)

    row = Upgraded.objects.get()

    assert (row.data, row.text) == (json.loads(NEW), NEW)
    assert stored() == (json.loads(OLD), OLD)
    row.full_clean()
    row.save()
    assert stored() == (json.loads(NEW), NEW)
    again = Upgraded.objects.get()
    assert (again.data, again.text) == (json.loads(NEW), NEW)


def test_a_part_of_the_data_is_read_as_it_is() -> None:
    insert(OLD)
    assert [*Upgraded.objects.values_list("data__items__0__rank", "text")] == [(1, None)]
    assert [*Upgraded.objects.values_list("data", flat=True)] == [json.loads(NEW)]


def test_a_row_that_cannot_be_migrated() -> None:
    insert('{"items": []}')
    with pytest.raises(MigrationFailed, match="items"):
        Upgraded.objects.get()


def test_rows_that_cannot_be_migrated_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    insert(OLD, OLD)
    insert('{"items": []}')

    with pytest.raises(CommandError, match="1 row of 2"):
        call_command("check_widgets", "shelf.Upgraded", "--no-progress")

    assert "data: minItems /items: " in capsys.readouterr().out
    with reading_as_stored():
        assert [row.data for row in Upgraded.objects.order_by("pk")] == [
            json.loads(OLD),
            {"items": []},
        ]


def test_it_needs_a_fixed_type() -> None:
    with pytest.raises(TypeError, match="needs type="):
        WidgetDataField(type_field="kind", migrations=migrations)
    assert "migrations" not in WidgetDataField(type="faq", migrations=migrations).deconstruct()[3]

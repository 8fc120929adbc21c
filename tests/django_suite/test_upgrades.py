"""Rows of an earlier version of a widget type, which are migrated as they are read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, models
from django.db.migrations.state import ModelState, ProjectState
from django.db.models.functions import Coalesce
from django.test.utils import isolate_apps

from tests.django_suite.pages import AdminPage, client_of_an_editor
from tests.django_suite.shelf.models import Upgraded, UpgradedDecimals, migrations
from widgetschema import MigrationChain, MigrationFailed
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


def test_the_error_of_a_list_names_the_field_and_the_data() -> None:
    insert(OLD, OLD)
    insert('{"items": [1]}')
    for rows in (Upgraded.objects.all(), Upgraded.objects.values("data")):
        with pytest.raises(
            MigrationFailed, match=r"^shelf\.Upgraded\.data: .* \{\"items\": \[1\]\}: "
        ):
            list(rows)


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


BAD = '{"items": [{"question": "Why?", "rank": -1}]}'
ADMIN = "/admin/shelf/upgraded/"


def test_a_row_that_cannot_be_migrated_is_mended_in_the_admin() -> None:
    insert(OLD, OLD)
    insert(BAD)
    first, bad = Upgraded.objects.order_by("pk").values_list("pk", flat=True)
    client = client_of_an_editor()
    for address in ("", f"{bad}/change/", f"{bad}/delete/", f"{bad}/history/"):
        assert client.get(ADMIN + address).status_code == 200
    rows = client.get(ADMIN).content.decode()
    assert rows.count("&quot;question&quot;") == 1  # the other row is shown as it is read
    page = AdminPage(client, f"{ADMIN}{bad}/change/")
    with pytest.raises(MigrationFailed):
        Upgraded.objects.get(pk=bad)
    assert AdminPage(client, f"{ADMIN}{first}/change/").value("data.#/items/0/q") == "Why?"
    assert page.press() == 200  # there are findings
    assert "is less than the minimum" in page.markup
    assert client.post(f"{ADMIN}{bad}/delete/", {"post": "yes"}).status_code == 302
    assert [row.pk for row in Upgraded.objects.all()] == [first]


def test_a_page_that_lists_rows_that_cannot_be_migrated() -> None:
    """The choices are read when the template is rendered, after the view has returned."""
    insert(BAD)
    pk = Upgraded.objects.values_list("pk", flat=True).get()
    response = client_of_an_editor().get("/admin/shelf/choice/add/")
    assert f'<option value="{pk}">' in response.content.decode()
    with pytest.raises(MigrationFailed):
        Upgraded.objects.get()


def test_two_people_edit_an_old_row() -> None:
    """The first one writes it back as a new row, into which the edits of the second are merged."""
    insert(OLD, OLD)
    address = f"{ADMIN}{Upgraded.objects.values_list('pk', flat=True).get()}/change/"
    first, second = (AdminPage(client_of_an_editor(), address) for _ in range(2))
    first.type("data.#/items/0/q", "Who?")
    second.type("data.#/title", "Questions")
    assert (first.press(), second.press()) == (302, 302)
    assert stored()[0] == {"title": "Questions", "items": [{"q": "Who?", "rank": 1}]}


def test_only_rows_that_cannot_be_migrated_are_read_as_they_are() -> None:
    insert(OLD, OLD)
    insert(BAD, BAD)
    with reading_as_stored(only_failed=True):
        rows = [*Upgraded.objects.order_by("pk")]
    assert [row.text for row in rows] == [NEW, BAD]
    assert [row.data for row in rows] == [json.loads(NEW), json.loads(BAD)]


def test_a_failure_is_reported_by_the_version_that_is_nearest() -> None:
    insert(BAD)
    with pytest.raises(MigrationFailed) as raised:
        Upgraded.objects.get()
    assert [(one.keyword, one.path) for one in raised.value.report] == [
        ("minimum", "/items/0/rank")
    ]


def test_numbers_that_a_decoder_reads() -> None:
    table = UpgradedDecimals._meta.db_table
    texts = [OLD.replace("1}", "1.0}"), NEW.replace("1}", "1.0}")]
    with connection.cursor() as cursor:
        cursor.executemany(f"insert into {table} (data) values (%s)", [[one] for one in texts])
    rows = [*UpgradedDecimals.objects.all()]
    assert [repr(row.data["items"][0]["rank"]) for row in rows] == ["Decimal('1.0')"] * 2


def test_expressions_see_what_is_stored() -> None:
    insert(OLD)
    whole = Upgraded.objects.annotate(one=models.F("data"), other=Coalesce("data", "data"))
    assert whole.values_list("one", "other").get() == (json.loads(NEW), json.loads(OLD))
    assert Upgraded.objects.filter(data=json.loads(NEW)).count() == 0
    assert Upgraded.objects.raw(f"select * from {Upgraded._meta.db_table}")[0].data == json.loads(
        NEW
    )


def test_all_rows_are_written_back_in_a_data_migration() -> None:
    """The models of data migrations have no `migrations=`: they read what is stored."""
    insert(OLD, OLD)
    state = ProjectState()
    state.add_model(ModelState.from_model(Upgraded))
    chain = MigrationChain(migrations())
    for row in state.apps.get_model("shelf", "Upgraded").objects.iterator():
        assert row.data == json.loads(OLD)
        row.data = chain.apply(row.data)
        row.save(update_fields=["data"])
    assert stored() == (json.loads(NEW), OLD)


@isolate_apps("tests.django_suite.shelf")
@pytest.mark.parametrize(
    ("given", "error"), [([], ValueError), (migrations()[0], TypeError), ("plan.toml", TypeError)]
)
def test_migrations_that_cannot_be_used(given: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="migrations"):
        WidgetDataField(type="faq", migrations=given)


def test_it_needs_a_fixed_type() -> None:
    with pytest.raises(TypeError, match="needs type="):
        WidgetDataField(type_field="kind", migrations=migrations)
    assert "migrations" not in WidgetDataField(type="faq", migrations=migrations).deconstruct()[3]

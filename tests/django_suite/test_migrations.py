"""Migrations: they name types but no schemas, and may save rows of another shape."""

from __future__ import annotations

import io

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations import CreateModel, Migration
from django.db.migrations.state import ModelState, ProjectState
from django.db.migrations.writer import MigrationWriter
from django.test.utils import CaptureQueriesContext

from tests.django_suite.shelf.models import Faq, Widget
from widgetschema.integrations.django import (
    WidgetDataField,
    WidgetDataValidator,
    WidgetTextField,
)


def test_migrations_name_the_type_but_no_schema() -> None:
    migration = Migration("0001_initial", "shelf")
    fields = {
        "data": WidgetDataField(type="faq", validate_on_save=True, null=True),
        "text": WidgetTextField(type_field="kind", validators=[WidgetDataValidator("faq")]),
    }
    migration.operations = [CreateModel("New", [*fields.items()])]
    text = MigrationWriter(migration).as_string()
    assert "widgetschema.integrations.django.WidgetDataField(null=True, type='faq')" in text
    assert "validators=[widgetschema.integrations.django.WidgetDataValidator('faq')]" in text
    assert "import widgetschema.integrations.django\n" in text
    compile(text, "0001_initial.py", "exec")


def test_deconstruct_is_stable() -> None:
    for field in (
        WidgetDataField("label", type="faq", db_index=False, default=dict),
        WidgetTextField(type_field="kind", blank=True),
    ):
        field.set_attributes_from_name("data")
        _, path, arguments, options = field.deconstruct()
        again = field.clone()
        assert again.deconstruct()[1:] == (path, arguments, options)
        assert path == f"widgetschema.integrations.django.{type(field).__name__}"


@pytest.mark.usefixtures("databases")
def test_changing_the_type_alters_no_table() -> None:
    old, new = Faq._meta.get_field("data"), WidgetDataField(type="countdown", null=True, blank=True)
    new.set_attributes_from_name("data")
    new.model = Faq
    with CaptureQueriesContext(connection) as queries, connection.schema_editor() as editor:
        editor.alter_field(Faq, old, new)
    assert not [one for one in queries if "ALTER" in one["sql"] or "CREATE" in one["sql"]]


@pytest.mark.usefixtures("db")
def test_data_migrations_may_save_rows_of_another_shape() -> None:
    state = ProjectState()
    state.add_model(ModelState.from_model(Widget))
    historical = state.apps.get_model("shelf", "Widget")
    historical.objects.create(type="faq", data={"items": 7})
    assert Widget.objects.get().data == {"items": 7}


@pytest.mark.usefixtures("databases")
def test_no_migration_is_missing() -> None:
    out = io.StringIO()
    call_command("makemigrations", "widgetschema", check=True, dry_run=True, stdout=out)
    assert "No changes" in out.getvalue()

"""Model fields: what is checked when, what is stored, and what migrations write."""

from __future__ import annotations

import enum
import json
import uuid
from typing import Any

import pytest
from django import forms
from django.core import serializers
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, models, transaction
from django.db.models import F, Value
from django.db.models.functions import Lower
from django.test.utils import CaptureQueriesContext, override_settings

from tests.django_suite.schemas import FAQ
from tests.django_suite.shelf.models import (
    Anything,
    Encoded,
    Faq,
    Shortcut,
    SpecialWidget,
    Text,
    Widget,
)
from widgetschema import Catalog
from widgetschema.integrations.django import (
    WidgetDataField,
    WidgetDataValidator,
    WidgetTextField,
)
from widgetschema.integrations.django.validation import UnreadText

pytestmark = pytest.mark.usefixtures("db")

GOOD: dict[str, Any] = {"items": [{"q": "Why?"}]}
BAD: dict[str, Any] = {"items": [{"q": "Why?"}, {"q": "a", "rank": -1}], "accent": "red%s"}
COUNTDOWN: dict[str, Any] = {"content": {}, "settings": {}, "styles": {}}


def codes(error: ValidationError, name: str = "data") -> list[str]:
    """Return the codes of the errors of a field."""
    return [str(one.code) for one in error.error_dict[name]]


def test_full_clean_has_an_error_for_each_finding() -> None:
    with pytest.raises(ValidationError) as raised:
        Faq(data=BAD).full_clean()
    errors = raised.value.error_dict["data"]
    assert [(one.code, one.params["path"]) for one in errors] == [
        ("minLength", "/items/1/q"),
        ("minimum", "/items/1/rank"),
        ("pattern", "/accent"),
    ]
    assert errors[1].params["finding"].expected == 0
    assert errors[1].messages == [f"/items/1/rank: {errors[1].params['message']}"]
    assert "red%s" in errors[2].messages[0]


@pytest.mark.parametrize(
    ("type", "data", "code"),
    [
        ("faq", COUNTDOWN, "required"),
        ("contdown", COUNTDOWN, "unknown_widget_type"),
        ("", COUNTDOWN, "no_widget_type"),
    ],
)
@pytest.mark.parametrize("create", ["save", "bulk_create", "proxy", "child"])
def test_saving_checks(type: str, data: Any, code: str, create: str) -> None:
    rows = [Widget(type="faq", data=GOOD), Widget(type=type, data=data)]
    ways: dict[str, Any] = {
        "save": rows[1].save,
        "bulk_create": transaction.atomic(lambda: Widget.objects.bulk_create(rows)),
        "proxy": Shortcut(type=type, data=data).save,
        "child": SpecialWidget(type=type, data=data).save,
    }
    with pytest.raises(ValidationError) as raised:
        ways[create]()
    assert code in codes(raised.value)
    assert Widget.objects.count() == 0


def test_an_unknown_type_names_the_nearest() -> None:
    with pytest.raises(ValidationError, match="did you mean 'countdown'"):
        Widget.objects.create(type="contdown", data=COUNTDOWN)


def test_valid_data_is_saved_with_the_type_that_changes_in_the_same_save() -> None:
    row = Widget.objects.create(type="faq", data=GOOD)
    row.type, row.data = "countdown", COUNTDOWN
    row.full_clean()
    row.save()
    assert Widget.objects.get().data == COUNTDOWN


def test_saving_the_type_alone_checks_the_data() -> None:
    row = Widget.objects.create(type="faq", data=GOOD)
    row.type = "countdown"
    with pytest.raises(ValidationError) as raised:
        row.save(update_fields=["type"])
    assert "required" in codes(raised.value)
    shortcut = Shortcut.objects.defer("data").get()
    shortcut.type = "countdown"
    with pytest.raises(ValidationError):
        shortcut.save(update_fields=["type"])
    row.type = "faq"
    row.save(update_fields=["type"])


@pytest.mark.parametrize("type", [F("type"), Value("countdown"), Lower(Value("FAQ"))], ids=repr)
@pytest.mark.parametrize("fields", [None, ["type"]], ids=str)
def test_a_type_that_the_database_computes_is_refused(type: Any, fields: Any) -> None:
    row = Widget.objects.create(type="faq", data=GOOD)
    row.type = type
    with pytest.raises(ValidationError, match="assign the id of the widget type itself"):
        row.save(update_fields=fields)
    assert Widget.objects.get().type == "faq"


def test_what_is_built_on_save_checks_the_type_alone() -> None:
    row = Widget.objects.create(type="faq", data=GOOD)
    with pytest.raises(ValidationError) as raised:
        Widget.objects.update_or_create(pk=row.pk, defaults={"type": "countdown"})
    assert "required" in codes(raised.value)
    assert Widget.objects.get().type == "faq"


def test_an_update_of_the_type_alone_is_found_by_the_command() -> None:
    row = Widget.objects.create(type="faq", data=GOOD)
    Widget.objects.update(type="countdown")
    row.type = "countdown"
    Widget.objects.bulk_update([row], ["type"])
    Widget.objects.update(type=Lower(F("type")))
    with pytest.raises(CommandError, match="invalid: 1 row of 1"):
        call_command("check_widgets", "shelf.Widget", no_progress=True)


def test_without_the_option_save_does_not_check() -> None:
    Faq.objects.create(data=BAD)
    assert Faq.objects.get().data == BAD


def test_update_and_loaddata_do_not_check() -> None:
    row = Widget.objects.create(type="faq", data=GOOD)
    Widget.objects.update(data=BAD)
    row.refresh_from_db()
    assert row.data == BAD
    text = serializers.serialize("json", [row])
    row.delete()
    for loaded in serializers.deserialize("json", text):
        loaded.save()
    assert Widget.objects.get().data == BAD
    with pytest.raises(ValidationError):
        Widget.objects.get().save()


def test_dumpdata_and_loaddata(tmp_path: Any) -> None:
    Widget.objects.create(type="faq", data=GOOD)
    Text.objects.create(kind="faq", text='{"items": [{"q":"Why?", "rank":1.0}]}')
    before = [*Widget.objects.values(), *Text.objects.values()]
    file = tmp_path / "all.json"
    call_command("dumpdata", "shelf", output=str(file), verbosity=0)
    Widget.objects.all().delete()
    Text.objects.all().delete()
    call_command("loaddata", str(file), verbosity=0)
    assert [*Widget.objects.values(), *Text.objects.values()] == before


def test_bulk_update_stores_what_it_is_given() -> None:
    row = Widget.objects.create(type="faq", data=GOOD)
    row.data = {"items": ({"q": "New"},)}
    Widget.objects.bulk_update([row], ["data"])
    assert Widget.objects.get().data == {"items": [{"q": "New"}]}


@pytest.mark.parametrize("data", [{}, [], "", 0, False, "text"])
def test_the_schema_decides_about_empty_values(data: Any) -> None:
    with pytest.raises(ValidationError) as raised:
        Faq(data=data).full_clean()
    assert codes(raised.value) == ["required" if data == {} else "type"]


def test_null() -> None:
    Faq(data=None).full_clean()
    Faq.objects.create(data=None)
    assert Faq.objects.get(data__isnull=True).data is None
    with pytest.raises(ValidationError) as raised:
        Widget(type="faq", data=None).full_clean()
    assert codes(raised.value) == ["null"]
    with pytest.raises(IntegrityError), transaction.atomic():
        Widget.objects.create(type="faq", data=None)


def test_values_of_python_are_stored_as_json() -> None:
    class Color(enum.StrEnum):
        RED = "#ff0000"

    id = uuid.uuid4()
    data = {"items": ({"q": id},), "accent": Color.RED}
    row = Widget(type="faq", data=data)
    row.full_clean()
    assert row.data is data
    row.save()
    assert Widget.objects.get().data == {"items": [{"q": str(id)}], "accent": "#ff0000"}


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), "\ud800"])
def test_values_that_json_cannot_represent_are_findings(value: Any) -> None:
    with pytest.raises(ValidationError) as raised:
        Widget(type="faq", data={"items": [{"q": value}]}).full_clean()
    assert all("/items/0/q" in one for one in raised.value.message_dict["data"])


def test_an_encoder_is_applied_before_the_check() -> None:
    import datetime

    data = {"items": [{"q": datetime.date(2026, 2, 3)}]}
    row = Encoded(data=data)
    row.full_clean()
    row.save()
    assert Encoded.objects.get().data == {"items": [{"q": "2026-02-03"}]}
    with pytest.raises(ValidationError, match="/items/0/q"):
        Encoded(data={"items": [{"q": object()}]}).full_clean()


def test_lookups() -> None:
    Widget.objects.create(type="faq", data={"items": [{"q": "Why?", "rank": 3}], "title": "T"})
    for found in (
        {"data__title": "T"},
        {"data__items__0__rank__gt": 2},
        {"data__has_key": "items"},
        {"data": {"items": [{"q": "Why?", "rank": 3}], "title": "T"}},
    ):
        assert Widget.objects.filter(**found).count() == 1, found
    assert Widget.objects.values_list("data__title", flat=True).get() == "T"
    assert list(Widget.objects.order_by(F("data__title").desc()))


def test_expressions_are_for_the_database() -> None:
    row = Widget.objects.create(type="faq", data=GOOD)
    row.data = F("data")
    row.save()
    assert Widget.objects.get().data == GOOD
    row.data = Value(None, models.JSONField())
    row.save()
    assert Widget.objects.filter(data=Value(None, models.JSONField())).count() == 1


def test_old_rows_can_be_read_and_saved_as_they_are(db: None) -> None:
    digits = "1" * 5000
    Faq.objects.create(data={"items": "nonsense"})
    row = Anything.objects.create(data={"items": []})
    with connection.cursor() as cursor:
        cursor.execute("UPDATE shelf_anything SET numbers = %s", [f'{{"n": {digits}}}'])
    assert Faq.objects.get().data == {"items": "nonsense"}
    row = Anything.objects.get()
    assert isinstance(row.numbers, UnreadText)
    assert row.numbers == f'{{"n": {digits}}}'
    row.save()
    with connection.cursor() as cursor:
        cursor.execute("SELECT CAST(numbers AS text) FROM shelf_anything")
        assert cursor.fetchone() == (f'{{"n": {digits}}}',)


def test_reading_checks_nothing() -> None:
    Faq.objects.create(data=BAD)

    def broken() -> Catalog:
        raise AssertionError

    with override_settings(WIDGETSCHEMA={"CATALOG": broken}), CaptureQueriesContext(connection):
        assert Faq.objects.get().data == BAD


# Text


def test_text_is_stored_as_it_is() -> None:
    text = '{ "items" : [{"q":"Why?","rank":1.0}],\r\n "title":"\\u0041" }'
    row = Text(kind="faq", text=text)
    row.full_clean()
    row.save()
    assert Text.objects.get().text == text
    assert Text.objects.filter(text__contains="rank").exists()


def test_findings_in_text_have_positions() -> None:
    with pytest.raises(ValidationError) as raised:
        Text(kind="faq", text='{"items":\n [{"q": "a"}]}').full_clean()
    finding = raised.value.error_dict["text"][0].params["finding"]
    assert (finding.keyword, finding.line, finding.column) == ("minLength", 2, 9)
    for text in ("", "{", '{"a": 1, "a": 2}', '{"n": NaN}'):
        with pytest.raises(ValidationError):
            Text(kind="faq", text=text).full_clean()
        with pytest.raises(ValidationError):
            Text.objects.create(kind="faq", text=text)


def test_values_are_no_text() -> None:
    with pytest.raises(ValidationError, match="JSON text, not dict"):
        Text(kind="faq", text=GOOD).full_clean()
    with pytest.raises(TypeError, match=r"json\.dumps"):
        Text.objects.filter(text=GOOD).exists()


# The type


@pytest.mark.parametrize("options", [{}, {"type": "faq", "type_field": "kind"}])
@pytest.mark.parametrize("field", [WidgetDataField, WidgetTextField])
def test_a_field_has_a_type_or_a_field_with_the_type(field: Any, options: Any) -> None:
    with pytest.raises(TypeError, match=r"either type=.* or type_field="):
        field(**options)


def test_the_validator() -> None:
    WidgetDataValidator("faq")(GOOD)
    with pytest.raises(ValidationError) as raised:
        Anything(data=BAD).full_clean()
    assert codes(raised.value) == ["minLength", "minimum", "pattern"]
    assert WidgetDataValidator("faq") == WidgetDataValidator("faq")
    assert WidgetDataValidator("faq") != WidgetDataValidator("countdown")
    assert len({WidgetDataValidator("faq"), WidgetDataValidator("faq")}) == 1
    assert repr(WidgetDataValidator("faq")) == "WidgetDataValidator('faq')"
    with pytest.raises(TypeError, match=r'WidgetDataValidator\("countdown"\)'):
        forms.JSONField(validators=[WidgetDataValidator]).clean('{"a": 1}')


def test_a_type_in_another_field_needs_the_instance() -> None:
    field: Any = Widget._meta.get_field("data")
    with pytest.raises(TypeError, match="'type': pass the instance"):
        field.clean(GOOD, None)
    assert Faq._meta.get_field("data").clean(GOOD, None) == GOOD


def test_a_schema_that_cannot_be_used_is_an_error_without_details(
    caplog: pytest.LogCaptureFixture, tmp_path: Any
) -> None:
    (tmp_path / "faq.json").write_text("{ secret", encoding="utf-8")
    broken = Catalog([tmp_path])
    setting = override_settings(WIDGETSCHEMA={"CATALOG": broken})
    with setting, pytest.raises(ValidationError) as raised:
        Widget.objects.create(type="faq", data=GOOD)
    assert codes(raised.value) == ["unusable_schema"]
    assert str(tmp_path) not in str(raised.value)
    assert str(tmp_path) in caplog.text


def test_a_schema_that_changes_counts_from_then_on(tmp_path: Any) -> None:
    file = tmp_path / "faq.json"
    file.write_text(json.dumps(FAQ), encoding="utf-8")
    changing = Catalog([tmp_path])
    with override_settings(WIDGETSCHEMA={"CATALOG": changing}):
        row = Widget.objects.create(type="faq", data=GOOD)
        stricter = json.loads(json.dumps(FAQ))
        stricter["properties"]["data"]["required"] = ["items", "title"]
        file.write_text(json.dumps(stricter), encoding="utf-8")
        changing.refresh()
        with pytest.raises(ValidationError):
            row.save()
        assert Widget.objects.get().data == GOOD


# Several databases


def test_several_databases() -> None:
    Widget.objects.using("other").create(type="faq", data=GOOD)
    with pytest.raises(ValidationError):
        Widget.objects.using("other").create(type="faq", data=BAD)
    assert Widget.objects.using("other").count() == 1
    assert Widget.objects.count() == 0


def test_saving_in_an_async_view() -> None:
    from asgiref.sync import async_to_sync

    async def save() -> None:
        row = Faq(data=BAD)
        with pytest.raises(ValidationError):
            row.full_clean()
        await row.asave()
        assert (await Faq.objects.aget()).data == BAD

    async_to_sync(save)()


def test_what_databases_change() -> None:
    data = {"bb": 1, "a": 1.0, "c": 1e2, "d": -0.0, "e": 1e22, "f": 9007199254740993}
    Anything.objects.create(data=GOOD, numbers=data)
    found = Anything.objects.get().numbers
    assert found == data
    if connection.vendor == "postgresql":  # members by length and name; numbers are decimal
        assert [*found] == ["a", "c", "d", "e", "f", "bb"]
        assert repr(found["d"]) == "0.0"
        assert repr(found["e"]) == "10000000000000000000000"
        assert repr(found["a"]) == "1.0"
    else:
        assert repr(found) == repr(data)

"""The API of the example, over HTTP: errors at the paths of the data, and nothing lost on the way."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from django.test import Client
from django.test.utils import override_settings
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from shop.models import Widget  # type: ignore[import-not-found]

from tests.django_suite.schemas import FAQ
from tests.django_suite.shelf.models import Anything, Encoded, Faq, Text
from tests.django_suite.shelf.models import Widget as ShelfWidget
from widgetschema import Catalog
from widgetschema.integrations.django.rest import (
    WidgetDataSerializerField,
    WidgetTextSerializerField,
)

pytestmark = pytest.mark.usefixtures("db")

GOOD: dict[str, Any] = {"items": [{"q": "Why?"}]}
BAD: dict[str, Any] = {"items": [{"q": "Why?"}, {"q": "a", "rank": -1}], "accent": "red"}


def call(method: str, path: str, body: Any) -> tuple[int, Any]:
    """Send JSON, and return the status and the JSON of the response."""
    text = body if isinstance(body, str) else json.dumps(body)
    response = Client().generic(method, f"/api/widgets/{path}", text, "application/json")
    return response.status_code, json.loads(response.content or "null")


def new(**more: Any) -> dict[str, Any]:
    """Return the body of a new widget."""
    return {"name": "n", "type": "faq", "data": GOOD, **more}


def test_valid_data() -> None:
    status, body = call("POST", "", new())
    assert (status, body["data"]) == (201, GOOD)
    assert Widget.objects.get().data == GOOD
    assert call("GET", f"{body['id']}/", "")[1]["data"] == GOOD


def test_errors_are_at_their_paths() -> None:
    status, body = call("POST", "", new(data=BAD))
    assert status == 400
    assert body == {
        "data": {
            "items": {
                "1": {
                    "q": ['"a" has 1 character, but must have at least 3'],
                    "rank": ["-1 is less than the minimum, 0"],
                }
            },
            "accent": ['"red" does not match the pattern ^#[0-9a-f]{6}$'],
        }
    }
    assert not Widget.objects.exists()
    assert "items" in call("POST", "", new(data={}))[1]["data"]
    assert "non_field_errors" in call("POST", "", new(data=[]))[1]["data"]


@pytest.mark.parametrize("type", ["faqs", "", None, {"a": 1}, 7])
def test_wrong_types(type: Any) -> None:
    status, body = call("POST", "", new(type=type))
    assert status == 400
    assert "type" in body


def test_a_change_of_the_type_alone_is_checked() -> None:
    _, created = call("POST", "", new())
    path = f"{created['id']}/"
    status, body = call("PATCH", path, {"type": "countdown"})
    assert status == 400
    assert set(body) == {"data"}
    assert call("PATCH", path, {"name": "new"})[0] == 200
    countdown: dict[str, Any] = {"content": {}, "settings": {}, "styles": {}}
    assert call("PATCH", path, {"type": "countdown", "data": countdown})[0] == 200
    assert call("PATCH", path, {"data": GOOD})[0] == 400
    assert Widget.objects.get().data == countdown


def test_old_rows_can_be_read_and_renamed() -> None:
    _, created = call("POST", "", new())
    Widget.objects.update(data={"items": "nonsense"})
    path = f"{created['id']}/"
    assert call("GET", path, "")[1]["data"] == {"items": "nonsense"}
    assert call("GET", "", "")[0] == 200
    status, body = call("PATCH", path, {"name": "new"})
    assert status == 400  # `save` checks it
    assert "/items" in body["data"][0]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ('{"items": [{"q": "Why?", "q": "Who?"}]}', '"q"'),
        ('{"items": [{"q": "Why?", "rank": 1e400}]}', "1e400"),
        ('{"items": NaN}', "NaN"),
        ('{"items": ', "1:"),
        ("[" * 20_000, ""),
        ('"\\ud800"', ""),
    ],
)
def test_text_that_would_lose_something_is_refused(data: str, message: str) -> None:
    status, body = call("POST", "", f'{{"name": "n", "type": "faq", "data": {data}}}')
    assert status == 400
    assert message in body["detail"]
    assert not Widget.objects.exists()


def test_other_encodings_are_refused() -> None:
    response = Client().generic(
        "POST", "/api/widgets/", json.dumps(new()), "application/json; charset=utf-16"
    )
    assert response.status_code == 400


def test_large_integers_stay() -> None:
    data = '{"items": [{"q": "Why?", "rank": 9007199254740993}]}'
    status, body = call("POST", "", f'{{"name": "n", "type": "faq", "data": {data}}}')
    assert status == 201
    assert body["data"]["items"][0]["rank"] == 9007199254740993
    assert Widget.objects.get().data["items"][0]["rank"] == 9007199254740993


def test_a_schema_that_changes_between_the_check_and_the_save() -> None:
    stricter = {**FAQ, "properties": {"data": {**FAQ["properties"]["data"], "required": ["title"]}}}
    catalogs = iter([Catalog([{"faq": FAQ}]), Catalog([{"faq": stricter}])])

    class Changing(Catalog):
        """A catalog that has another schema each time."""

        def __getitem__(self, id: str) -> Any:
            return next(catalogs)[id]

    with override_settings(WIDGETSCHEMA={"CATALOG": Changing([])}):
        status, body = call("POST", "", new())
    assert status == 400
    assert "title" in body["data"][0]
    assert not Widget.objects.exists()


def test_a_schema_that_cannot_be_used_at_the_moment() -> None:
    broken = override_settings(WIDGETSCHEMA={"CATALOG": Catalog([{"faq": {"type": 7}}])})
    with broken:
        status, body = call("POST", "", new())
    assert status == 503
    assert "cannot be used at the moment" in body["detail"]
    _, created = call("POST", "", new())
    with broken:
        status, body = call("PATCH", f"{created['id']}/", {"name": "checked when it is saved"})
    assert (status, body["detail"].count("at the moment")) == (503, 1)
    assert Widget.objects.get().name == "n"


# Serializers


def serializer_of(model: Any, **data: Any) -> Any:
    """Return a serializer of all fields of a model, with data to check."""

    class Meta:
        fields = "__all__"

    Meta.model = model  # type: ignore[attr-defined]
    return type("Serializer", (serializers.ModelSerializer,), {"Meta": Meta})(**data)


def test_a_model_serializer_uses_the_fields_by_itself() -> None:
    assert type(serializer_of(Faq).fields["data"]) is WidgetDataSerializerField
    assert type(serializer_of(Text).fields["text"]) is WidgetTextSerializerField
    assert serializer_of(Faq).fields["data"].type == "faq"
    assert serializer_of(ShelfWidget).fields["data"].type_field == "type"


def test_the_code_of_an_error_is_that_of_the_finding() -> None:
    def codes(**data: Any) -> Any:
        serializer = serializer_of(ShelfWidget, data=data)
        assert not serializer.is_valid()
        return ValidationError(serializer.errors).get_codes()

    assert codes(type="faq", data=BAD) == {
        "data": {"items": {1: {"q": ["minLength"], "rank": ["minimum"]}}, "accent": ["pattern"]}
    }
    assert codes(type="faq", data={})["data"] == {"items": ["required"]}
    assert codes(type="faq", data=[])["data"] == {"non_field_errors": ["type"]}
    assert codes(type="", data={})["data"] == ["no_widget_type"]


def test_text_keeps_its_spelling() -> None:
    text = ' {"items": [{"q":"Why?", "rank":1.0}]}\n'
    serializer = serializer_of(Text, data={"kind": "faq", "text": text})
    assert serializer.is_valid(), serializer.errors
    assert serializer.save().text == text
    wrong = serializer_of(Text, data={"kind": "faq", "text": '{"items": []}'})
    assert not wrong.is_valid()
    assert "items" in wrong.errors["text"]
    assert not serializer_of(Text, data={"kind": "faq", "text": ""}).is_valid()
    assert not serializer_of(Text, data={"kind": "faq", "text": {}}).is_valid()


def test_optional_data_and_defaults() -> None:
    assert serializer_of(Faq, data={"data": None}).is_valid()
    assert serializer_of(Faq, data={}).is_valid()
    assert serializer_of(Encoded, data={"data": GOOD}).is_valid()
    wrong = serializer_of(Anything, data={"data": BAD, "numbers": []})
    assert not wrong.is_valid()
    assert set(wrong.errors) == {"data", "numbers"}


def test_many() -> None:
    data = [{"type": "faq", "data": GOOD}, {"type": "countdown", "data": GOOD}]
    serializer = serializer_of(ShelfWidget, data=data, many=True)
    assert not serializer.is_valid()
    assert set(serializer.errors[1]) == {"data"}


def test_stored_infinity_is_returned_as_text() -> None:
    row = Faq(data={"items": [{"rank": float("inf")}]})
    assert serializer_of(Faq, instance=row).data["data"] == '{"items": [{"rank": Infinity}]}'


def test_the_type_may_come_with_the_serializer() -> None:
    class Plain(serializers.Serializer):
        kind = serializers.HiddenField(default="faq")
        data = WidgetDataSerializerField(type_field="kind")

    assert Plain(data={"data": GOOD}).is_valid()
    assert not Plain(data={"data": BAD}).is_valid()

    class Wrong(serializers.Serializer):
        data = WidgetDataSerializerField()

    with pytest.raises(TypeError, match="needs either type= or type_field="):
        Wrong(data={"data": GOOD}).is_valid()
    with pytest.raises(TypeError, match="either"):
        WidgetDataSerializerField(type="faq", type_field="kind")


def test_the_default_of_the_type() -> None:
    text = '{"items": [{"q": "Why?"}]}'
    serializer = serializer_of(Text, data={"text": text})
    assert serializer.is_valid(), serializer.errors
    assert serializer.save().kind == "faq"

    class Renamed(serializers.ModelSerializer):
        class Meta:
            model = Text
            fields: Final = ["other"]

        other = WidgetDataSerializerField()

    with pytest.raises(TypeError, match="no model field of this kind"):
        Renamed(data={"other": text}).is_valid()


def test_json_typed_into_the_browsable_api() -> None:
    from django.http import QueryDict

    form = QueryDict(mutable=True)
    form.update({"type": "faq", "data": '{"items": [{"q": "Why?"}]}'})
    assert serializer_of(ShelfWidget, data=form).is_valid()
    form["data"] = '{"items": [{"q": "Why?", "q": "a"}]}'
    assert not serializer_of(ShelfWidget, data=form).is_valid()

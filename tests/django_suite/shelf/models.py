"""Models with all kinds of fields for widget data."""

from __future__ import annotations

import json
from decimal import Decimal

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from tests.django_suite.schemas import FAQ, QUESTIONS
from tests.migrating import migration, step
from widgetschema import Migration, WidgetType
from widgetschema.integrations.django import (
    WidgetDataField,
    WidgetDataValidator,
    WidgetTextField,
)


class Widget(models.Model):
    """A widget whose type is in another field; checked when it is saved."""

    type = models.CharField(max_length=40, choices=[("countdown", "Countdown"), ("faq", "FAQ")])
    data = WidgetDataField(type_field="type", validate_on_save=True)


class Shortcut(Widget):
    """A proxy."""

    class Meta:
        proxy = True


class SpecialWidget(Widget):
    """A model with a table of its own below that of `Widget`."""

    more = WidgetDataField(type="faq", null=True, blank=True)


class Faq(models.Model):
    """A widget of a fixed type, which is optional, and checked by `full_clean` only."""

    data = WidgetDataField("questions", type="faq", null=True, blank=True)


class HiddenManager(models.Manager):
    """A manager that hides all rows."""

    def get_queryset(self) -> models.QuerySet:
        """Return no rows."""
        return super().get_queryset().none()


class Hidden(models.Model):
    """A model whose default manager hides its rows."""

    data = WidgetDataField(type="faq")
    objects = HiddenManager()


class Encoded(models.Model):
    """A widget whose values are encoded by Django: dates as text."""

    data = WidgetDataField(type="faq", encoder=DjangoJSONEncoder)


def migrations() -> list[Migration]:
    """Return the migration of rows whose items had the property "question"."""
    old, new = (WidgetType.from_schema(schema, id="faq") for schema in (QUESTIONS, FAQ))
    return [migration(step("rename", "/items/*/question", to='"q"'), old, new)]


class Upgraded(models.Model):
    """Widgets of which old rows are migrated as they are read."""

    data = WidgetDataField(type="faq", migrations=migrations)
    text = WidgetTextField(type="faq", null=True, migrations=migrations)


class Choice(models.Model):
    """A row that refers to a row of an earlier version."""

    chosen = models.ForeignKey(Upgraded, models.CASCADE)


class Decimals(json.JSONDecoder):
    """A decoder that reads numbers without rounding them."""

    def __init__(self) -> None:
        super().__init__(parse_float=Decimal)


class UpgradedDecimals(models.Model):
    """Old rows whose numbers are read as decimals."""

    data = WidgetDataField(
        type="faq", migrations=migrations, encoder=DjangoJSONEncoder, decoder=Decimals
    )


class Base(models.Model):
    """An abstract model."""

    kind = models.CharField(max_length=40, default="faq")
    text = WidgetTextField(type_field="kind", validate_on_save=True)

    class Meta:
        abstract = True


class Text(Base):
    """A widget whose JSON text is stored."""


class Anything(models.Model):
    """A field of another kind with the validator, and a type without rules for numbers."""

    data = models.JSONField(default=dict, validators=[WidgetDataValidator("faq")])
    numbers = WidgetDataField(type="numbers", default=dict)


class Shelf(models.Model):
    """A row with inlines."""

    name = models.CharField(max_length=40, default="shelf")


class Event(models.Model):
    """A widget of a fixed type, so that the form of an empty inline has all its controls."""

    shelf = models.ForeignKey(Shelf, models.CASCADE)
    data = WidgetDataField(type="event")

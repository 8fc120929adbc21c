"""The admin of the models with inlines."""

from __future__ import annotations

from django.contrib import admin

from tests.django_suite.shelf.models import Choice, Event, Shelf, Upgraded
from widgetschema.integrations.django import WidgetAdminMixin


class EventInline(admin.StackedInline):
    """Events on the page of their shelf."""

    model = Event
    extra = 0


@admin.register(Shelf)
class ShelfAdmin(WidgetAdminMixin, admin.ModelAdmin):
    """The page of a shelf."""

    inlines = (EventInline,)


@admin.register(Upgraded)
class UpgradedAdmin(WidgetAdminMixin, admin.ModelAdmin):
    """The page of a row of an earlier version."""

    list_display = ("pk", "data")


@admin.register(Choice)
class ChoiceAdmin(WidgetAdminMixin, admin.ModelAdmin):
    """A page that lists all rows of another model."""

"""The admin: each widget has its form, also in a page with several."""

from django.contrib import admin

from shop.models import Page, Widget
from widgetschema.integrations.django import WidgetAdminMixin


@admin.register(Widget)
class WidgetAdmin(WidgetAdminMixin, admin.ModelAdmin):
    list_display = ["name", "type", "page"]


class WidgetInline(admin.StackedInline):
    model = Widget
    extra = 0


@admin.register(Page)
class PageAdmin(WidgetAdminMixin, admin.ModelAdmin):
    inlines = [WidgetInline]

"""The admin: each widget has its form, also in a page with several."""

from django.contrib import admin

from shop.models import Page, Widget


@admin.register(Widget)
class WidgetAdmin(admin.ModelAdmin):
    list_display = ["name", "type", "page"]


class WidgetInline(admin.StackedInline):
    model = Widget
    extra = 0


@admin.register(Page)
class PageAdmin(admin.ModelAdmin):
    inlines = [WidgetInline]

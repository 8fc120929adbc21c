"""Pages and their widgets."""

from django.db import models

from widgetschema.integrations.django import WidgetDataField


class Page(models.Model):
    title = models.CharField(max_length=50)

    def __str__(self):
        return self.title


class Widget(models.Model):
    page = models.ForeignKey(Page, models.CASCADE, null=True, blank=True)
    name = models.CharField(max_length=50)
    type = models.CharField(max_length=40, choices=[("countdown", "Countdown"), ("faq", "FAQ")])
    data = WidgetDataField(type_field="type", validate_on_save=True)

    def __str__(self):
        return self.name

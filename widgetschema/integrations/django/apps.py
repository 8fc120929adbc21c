"""The Django app: its system checks are registered when it is ready."""

from __future__ import annotations

from django.apps import AppConfig
from django.core import checks


class WidgetSchemaConfig(AppConfig):
    """The configuration of the app."""

    name = "widgetschema.integrations.django"
    label = "widgetschema"
    verbose_name = "Widget data"

    def ready(self) -> None:
        """Register the system checks."""
        from widgetschema.integrations.django.checks import check_catalog

        checks.register(check_catalog, "widgetschema")

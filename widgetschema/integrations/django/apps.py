"""The Django app: it registers its system checks and serializer fields when it is ready."""

from __future__ import annotations

from django.apps import AppConfig, apps
from django.core import checks


class WidgetSchemaConfig(AppConfig):
    """The configuration of the app."""

    name = "widgetschema.integrations.django"
    label = "widgetschema"
    verbose_name = "Widget data"

    def ready(self) -> None:
        """Register the system checks, and the fields for Django REST framework if it is used."""
        from widgetschema.integrations.django.checks import check_catalog

        checks.register(check_catalog, "widgetschema")
        if apps.is_installed("rest_framework"):
            from widgetschema.integrations.django.rest import register

            register()

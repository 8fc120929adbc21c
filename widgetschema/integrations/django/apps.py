"""The Django app: it registers its checks, static files and serializer fields when it is ready."""

from __future__ import annotations

from django.apps import AppConfig, apps
from django.conf import settings
from django.core import checks


class WidgetSchemaConfig(AppConfig):
    """The configuration of the app."""

    name = "widgetschema.integrations.django"
    label = "widgetschema"
    verbose_name = "Widget data"

    def ready(self) -> None:
        """Register the system checks, the finder, and the fields for Django REST framework."""
        from widgetschema.integrations.django.checks import check_catalog, check_static_files

        checks.register(check_catalog, "widgetschema")
        checks.register(check_static_files, "widgetschema")
        if apps.is_installed("django.contrib.staticfiles"):
            from widgetschema.integrations.django.finders import FINDER

            if FINDER not in settings.STATICFILES_FINDERS:
                settings.STATICFILES_FINDERS = [*settings.STATICFILES_FINDERS, FINDER]
        if apps.is_installed("rest_framework"):
            from widgetschema.integrations.django.rest import register

            register()

"""The configuration of the tests: an app with all kinds of fields, and one database."""

from __future__ import annotations

import os
from typing import Any

from tests.django_suite.schemas import catalog

SECRET_KEY = "tests"
USE_TZ = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
ROOT_URLCONF = "tests.django_suite.urls"
ALLOWED_HOSTS = ["testserver"]
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.staticfiles",
    "widgetschema.integrations.django",
    "tests.django_suite.shelf",
]
MIDDLEWARE: list[str] = []
STATIC_URL = "/static/"
WIDGETSCHEMA = {"CATALOG": catalog}


def _database(name: str) -> dict[str, Any]:
    if "PGHOST" in os.environ:  # libpq reads the rest of the address from the environment as well
        return {"ENGINE": "django.db.backends.postgresql", "NAME": name}
    return {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}


DATABASES = {"default": _database("first"), "other": _database("second")}

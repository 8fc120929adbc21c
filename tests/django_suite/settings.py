"""The configuration of the tests: the example application, and an app with all kinds of fields."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.django_suite.schemas import catalog
from tests.terminal import HANG

EXAMPLE = Path(__file__).parents[2] / "examples" / "django_app"
sys.path.insert(0, str(EXAMPLE))

from examples.django_app.settings import *  # noqa: E402, F403
from examples.django_app.settings import DATABASES as EXAMPLE_DATABASES  # noqa: E402
from examples.django_app.settings import INSTALLED_APPS as APPS  # noqa: E402

ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
DEBUG = False
INSTALLED_APPS = [*APPS, "tests.django_suite.shelf"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ROOT_URLCONF = "tests.django_suite.urls"
WIDGETSCHEMA = {"CATALOG": catalog}  # a function


def _database(name: str) -> dict[str, Any]:
    if "PGHOST" in os.environ:  # libpq reads the rest of the address from the environment as well
        return {"ENGINE": "django.db.backends.postgresql", "NAME": name}
    example: dict[str, Any] = EXAMPLE_DATABASES["default"]
    options = {**example["OPTIONS"], "timeout": HANG, "init_command": "PRAGMA synchronous=OFF"}
    file = os.path.join(tempfile.gettempdir(), f"widgetschema-{os.getpid()}-{name}.sqlite3")
    database = {"ENGINE": "django.db.backends.sqlite3", "NAME": file, "OPTIONS": options}
    return {**database, "TEST": {"NAME": file}}  # a file, since threads share it


DATABASES = {"default": _database("first"), "other": _database("second")}

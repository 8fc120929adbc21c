"""A shop whose pages have widgets: edited in the admin, and served by an API."""

import os
from pathlib import Path

from widgetschema import Catalog, Client, Fetcher

FOLDER = Path(__file__).parent
SOURCES = [FOLDER / "schemas", *Catalog.default().sources]
if platform := os.environ.get("PLATFORM"):  # its schemas, followed while the application runs
    SOURCES.insert(1, Fetcher(Client(platform, token=os.environ["TOKEN"]), cache=None))
# A function, which the system checks call: they report a folder that is not there.
WIDGETSCHEMA = {"CATALOG": lambda: Catalog(SOURCES, stale_while_revalidate=True)}

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "widgetschema.integrations.django",
    "shop",
]
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000  # large widgets have many controls

INSTALLED_APPS += ["rest_framework"]
REST_FRAMEWORK = {
    "DEFAULT_PARSER_CLASSES": ["widgetschema.integrations.django.rest.StrictJSONParser"],
    "EXCEPTION_HANDLER": "widgetschema.integrations.django.rest.exception_handler",
}

SECRET_KEY = "for this example only"
DEBUG = True
ROOT_URLCONF = "urls"
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": FOLDER / "db.sqlite3",
        # Of two people who save at once, the second one waits, and is told.
        "OPTIONS": {"transaction_mode": "IMMEDIATE", "timeout": 30},
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
STATIC_URL = "static/"
USE_TZ = True

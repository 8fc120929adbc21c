"""The test project as a server of its own, for a browser: `python -m tests.django_suite.serving`.

It prints its address, and runs until its standard input is closed.
"""

from __future__ import annotations

import os
import sys

import django
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.wsgi import get_wsgi_application

from tests.form_apps import wsgi_served


def main() -> None:
    """Serve the project with a few rows, and somebody who may edit everything."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.django_suite.settings")
    django.setup()
    from django.contrib.auth.models import User
    from django.test.utils import setup_databases, teardown_databases
    from shop.models import Page, Widget  # type: ignore[import-not-found]

    from tests.django_suite.shelf.models import Shelf

    config = setup_databases(verbosity=0, interactive=False)
    User.objects.create_superuser("editor", password="editor")
    page = Page.objects.create(title="p")
    data = {"items": [{"q": "Why?"}], "accent": "#00ff00"}
    Widget.objects.create(name="w", type="faq", data=data, page=page)
    bad = {"items": [{"q": "Why?"}, {"q": "a", "rank": -1}], "accent": "red"}
    Widget.objects.bulk_create([Widget(name="bad", type="faq", data=data)])
    Widget.objects.filter(name="bad").update(data=bad)
    Shelf.objects.create()
    with wsgi_served(StaticFilesHandler(get_wsgi_application())) as origin:
        print(origin, flush=True)
        sys.stdin.read()
    teardown_databases(config, verbosity=0)


if __name__ == "__main__":
    main()

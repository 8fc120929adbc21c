"""The Django example for measurements: saves through its API, with schemas of the platform."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import django
from django.test import Client as Browser
from django.test.utils import override_settings, setup_databases, teardown_databases

from tests.fastapi_example import VALID, Clock
from tests.terminal import HANG
from widgetschema import Catalog, Client, Fetcher
from widgetschema.sandbox import Sandbox


def silent(_: str) -> None:
    """Do nothing with a warning."""


@contextmanager
def example(sandbox: Sandbox, clock: Clock) -> Iterator[tuple[Callable[[], int], Catalog]]:
    """The example with one row; yields a function that saves the row, and the catalog."""
    django.setup()
    from shop.models import Widget  # type: ignore[import-not-found]

    body = json.dumps({"type": "countdown", "data": json.loads(VALID)})
    config = setup_databases(verbosity=0, interactive=False)
    with Client(sandbox.base_url, token=sandbox.access_token(), timeout=2 * HANG) as client:
        fetcher = Fetcher(client, cache=None, deadline=None, clock=clock, warn=silent)
        catalog = Catalog([fetcher], stale_while_revalidate=True, clock=clock, warn=silent)
        with override_settings(WIDGETSCHEMA={"CATALOG": catalog}):
            row = Widget.objects.create(name="w", type="countdown", data=json.loads(VALID))
            browser = Browser()

            def save() -> int:
                address = f"/api/widgets/{row.pk}/"
                return browser.patch(address, body, content_type="application/json").status_code

            yield save, catalog
    teardown_databases(config, verbosity=0)

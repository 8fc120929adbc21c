"""People who save at once, while the schema changes: no edit is lost, and no verdict is wrong."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection, connections
from django.forms import modelform_factory
from django.http import QueryDict
from django.test import Client
from django.test.utils import override_settings
from shop.models import Widget  # type: ignore[import-not-found]

from tests.browsing import entries
from tests.django_suite.pages import AdminPage, client_of_an_editor
from tests.django_suite.schemas import FAQ
from tests.terminal import HANG
from widgetschema import Catalog

PEOPLE: Final = 4
EDITS: Final = 3


@pytest.fixture
def saved(databases: None) -> Iterator[Any]:
    """A widget that is committed, so that all threads see it."""
    data = {"items": [{"q": "Why?", "rank": 0}]}
    yield Widget.objects.create(name="w", type="faq", data=data)
    for model in (Widget, LogEntry, Session, User):
        model.objects.all().delete()


def test_the_tests_use_the_database_that_they_are_meant_for() -> None:
    assert connection.vendor == ("postgresql" if "PGHOST" in os.environ else "sqlite")


def write_schema(folder: Path, title: str, *, strict: bool = False) -> None:
    """Write the schema of the folder; a stricter one wants a title of the data."""
    data: dict[str, Any] = {**FAQ["properties"]["data"], "title": title}
    if strict:
        data["required"] = ["items", "title"]
    new = folder / f"{threading.get_ident()}.part"
    new.write_text(json.dumps({**FAQ, "properties": {"data": data}}), encoding="utf-8")
    new.replace(folder / "faq.json")


def count_up(address: str, start: threading.Barrier, changed: Any, step: int) -> int:
    """Increase a number several times, as a person does; return how often it was refused.

    Each person has another step: two who type the same number would agree.
    """
    client, refused = client_of_an_editor(), 0
    start.wait(HANG)
    for _ in range(EDITS):
        while True:
            page = AdminPage(client, address)
            rank = int(page.value("data.#/items/0/rank") or "")
            page.type("data.#/items/0/rank", str(rank + step))
            if page.press() == 302:
                break
            assert "since the page was shown" in " ".join(page.errors())
            refused += 1
        changed()
    connections.close_all()
    return refused


def test_no_edit_is_lost_while_the_schema_changes(saved: Any, tmp_path: Path) -> None:
    client_of_an_editor()
    write_schema(tmp_path, "0")
    catalog = Catalog([tmp_path])
    numbers = iter(range(1, 1000))

    def change() -> None:
        write_schema(tmp_path, str(next(numbers)))
        catalog.refresh()

    start = threading.Barrier(PEOPLE)
    address = f"/admin/shop/widget/{saved.pk}/change/"
    setting = override_settings(WIDGETSCHEMA={"CATALOG": catalog})
    with setting, ThreadPoolExecutor(PEOPLE) as threads:
        steps = [10**person for person in range(PEOPLE)]
        people = [threads.submit(count_up, address, start, change, step) for step in steps]
        for one in people:
            one.result()
    saved.refresh_from_db()
    assert saved.data == {"items": [{"q": "Why?", "rank": EDITS * sum(steps)}]}


def test_two_who_save_the_same_page_at_once(saved: Any) -> None:
    client_of_an_editor()
    start = threading.Barrier(2)
    address = f"/admin/shop/widget/{saved.pk}/change/"

    def save(question: str) -> int:
        page = AdminPage(client_of_an_editor(), address)
        page.type("data.#/items/0/q", question)
        start.wait(HANG)  # both have seen the same data
        status = page.press()
        connections.close_all()
        return status

    with ThreadPoolExecutor(2) as threads:
        statuses = {one: threads.submit(save, one) for one in ("First", "Second")}
    results = {one: status.result() for one, status in statuses.items()}
    assert sorted(results.values()) == [200, 302]
    saved.refresh_from_db()
    assert results[saved.data["items"][0]["q"]] == 302


def test_the_api_decides_by_the_schema_of_the_moment(saved: Any, tmp_path: Path) -> None:
    write_schema(tmp_path, "0")
    catalog = Catalog([tmp_path])
    without_title = json.dumps({"data": {"items": [{"q": "Why?"}]}})
    client = Client()
    verdicts = []
    with override_settings(WIDGETSCHEMA={"CATALOG": catalog}):
        for strict in (False, True, False):
            write_schema(tmp_path, "0", strict=strict)
            catalog.refresh()
            response = client.patch(
                f"/api/widgets/{saved.pk}/", without_title, content_type="application/json"
            )
            verdicts.append(response.status_code)
    assert verdicts == [200, 400, 200]


def test_a_form_outside_of_a_transaction_compares_with_the_row_that_it_has(saved: Any) -> None:
    form_class = modelform_factory(Widget, fields=["data"])
    body = QueryDict(mutable=True)
    for name, value in entries(str(form_class(instance=saved))):
        body.appendlist(name, value)
    body["data.#/items/0/q"] = "Mine"
    form = form_class(body, instance=Widget.objects.get())
    assert form.is_valid()
    Widget.objects.update(data={"items": [{"q": "Theirs"}]})
    late = form_class(body, instance=Widget.objects.get())
    assert late.errors.as_data()["data"][0].code == "stale"

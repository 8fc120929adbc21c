"""System checks and the setting: what is wrong with a project is said before it runs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.apps import apps
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from django.db import models
from django.test.utils import isolate_apps, modify_settings, override_settings

from tests.checkout import ROOT
from tests.django_suite.schemas import FAQ, NUMBERS, TYPES
from tests.django_suite.settings import EXAMPLE
from tests.django_suite.shelf.models import Upgraded
from widgetschema import Catalog, Client, Fetcher
from widgetschema.integrations.django import WidgetDataField
from widgetschema.integrations.django.catalogs import catalog
from widgetschema.integrations.django.checks import check_catalog, check_static_files
from widgetschema.integrations.django.finders import FINDER
from widgetschema.integrations.stored_columns import Upgrades


def messages(**options: Any) -> dict[str, str]:
    """Return the texts of the messages of the check, by their ids."""
    with override_settings(WIDGETSCHEMA=options):
        return {f"{one.id}": f"{one.msg} {one.hint or ''}" for one in check_catalog()}


def test_the_project_is_fine() -> None:
    assert run_checks() == []


def test_an_unknown_type() -> None:
    found = messages(CATALOG=Catalog([{"faqs": FAQ, "numbers": NUMBERS}]))
    assert set(found) == {"widgetschema.E003"}
    only_faq = [apps.get_app_config("shelf")]
    assert check_catalog([apps.get_app_config("auth")]) == []
    with override_settings(WIDGETSCHEMA={"CATALOG": Catalog([{"faqs": FAQ}])}):
        found_all = check_catalog(only_faq)
    texts = [one.msg for one in found_all]
    assert any("'countdown'" in one for one in texts)  # of the choices of the field with the type
    assert any("unknown widget type 'faq'; did you mean 'faqs'?" in one for one in texts)
    assert len(texts) == 4  # each type once


def test_schemas_that_are_not_pinned(tmp_path: Any) -> None:
    for id, schema in TYPES.items():
        (tmp_path / f"{id}.json").write_text(json.dumps(schema), encoding="utf-8")
    sources = [tmp_path, *Catalog.default().sources]
    found = messages(CATALOG=Catalog(sources))
    assert set(found) == {"widgetschema.W001"}
    assert "not pinned" in found["widgetschema.W001"]
    Catalog([tmp_path]).sources[0].pin()  # type: ignore[attr-defined]
    assert messages(CATALOG=Catalog(sources)) == {}


def test_schemas_that_cannot_be_used(tmp_path: Any) -> None:
    broken = {"$id": "faq", "type": 7}
    found = messages(CATALOG=Catalog([{**TYPES, "faq": broken}, *Catalog.default().sources]))
    assert set(found) == {"widgetschema.E004"}


def test_schemas_that_cannot_be_fetched_now() -> None:
    def refuse(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused")

    transport = httpx.MockTransport(refuse)
    client = Client("https://widgets.example", transport=transport, sleep=lambda _: None)
    with client:
        found = messages(CATALOG=Catalog([Fetcher(client, cache=None)]))
    assert set(found) == {"widgetschema.W002"}


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"CATALOGUE": None}, "unknown key 'CATALOGUE'; did you mean 'CATALOG'"),
        ({"CATALOG": "no.such.module"}, "dotted path"),
        ({"CATALOG": "schemas"}, "for a folder of schemas, pass a Path"),
        ({"CATALOG": Catalog}, "failed with TypeError: "),
        ({"CATALOG": lambda: os.environ["NO_SUCH_TOKEN"]}, "failed with KeyError: 'NO_SUCH_TOKEN'"),
        ({"CATALOG": object}, "not object"),
        ({"CATALOG": 7}, "not int"),
        ({"CATALOG": dict}, "not dict"),
        ([], "must be a dict"),
    ],
)
def test_a_wrong_setting(setting: Any, message: str) -> None:
    with override_settings(WIDGETSCHEMA=setting):
        (found,) = check_catalog()
        assert found.id == "widgetschema.E002"
        assert message in found.msg
        with pytest.raises(ImproperlyConfigured):
            catalog()


@pytest.mark.parametrize("as_path", [True, False])
def test_a_folder_that_is_not_there(as_path: bool, tmp_path: Path) -> None:
    folder = tmp_path / "schemas"
    found = messages(CATALOG=folder if as_path else lambda: Catalog([folder]))
    assert set(found) == {"widgetschema.E002"}
    assert f"{folder}: no such folder of schemas; put" in found["widgetschema.E002"]


def test_the_example_without_its_schemas(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "app", ignore=shutil.ignore_patterns("schemas"))
    ran = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=tmp_path / "app",
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "settings", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, "Traceback" in ran.stderr) == (1, False)
    assert "widgetschema.E002" in ran.stderr
    assert f"{tmp_path / 'app' / 'schemas'}: no such folder of schemas" in ran.stderr


def test_a_folder_of_schemas(tmp_path: Path) -> None:
    for id, schema in TYPES.items():
        (tmp_path / f"{id}.json").write_text(json.dumps(schema), encoding="utf-8")
    with override_settings(WIDGETSCHEMA={"CATALOG": tmp_path}):
        assert sorted(catalog().ids()) == sorted(TYPES)


def test_translations_that_are_not_there(tmp_path: Path) -> None:
    found = messages(TRANSLATIONS=tmp_path / "none")
    assert set(found) == {"widgetschema.E002"}
    assert 'WIDGETSCHEMA["TRANSLATIONS"]' in found["widgetschema.E002"]


def test_a_field_without_the_app() -> None:
    path = "widgetschema.integrations.django"
    with modify_settings(INSTALLED_APPS={"remove": path}):
        (found,) = Upgraded._meta.get_field("data").check()
    assert found.id == "widgetschema.W005"
    assert path in found.hint


@pytest.mark.parametrize(
    "value", ["tests.django_suite.schemas.catalog", Catalog([{"faq": FAQ}]), None]
)
def test_the_setting(value: Any) -> None:
    with override_settings(WIDGETSCHEMA={"CATALOG": value}):
        assert catalog() is catalog()
        assert "faq" in catalog() or value is None
        assert value is not None or catalog() is Catalog.default()


def test_migrations_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    field = Upgraded._meta.get_field("data")
    monkeypatch.setattr(field, "upgrades", Upgrades(list))
    found = messages(CATALOG="tests.django_suite.schemas.catalog")
    assert set(found) == {"widgetschema.E005"}
    assert "shelf.Upgraded.data cannot be used: a chain of" in found["widgetschema.E005"]


def test_migrations_to_another_schema_than_that_of_the_catalog() -> None:
    newer = {**TYPES, "faq": {**FAQ, "title": "Newer"}}
    found = messages(CATALOG=Catalog([newer, *Catalog.default().sources]))
    assert set(found) == {"widgetschema.W004"}
    assert "end with the schema " in found["widgetschema.W004"]


@isolate_apps("tests.django_suite.shelf")
def test_a_field_with_the_type_that_is_not_there() -> None:
    class Wrong(models.Model):
        kind = models.CharField(max_length=9)
        data = WidgetDataField(type_field="kin")

        class Meta:
            app_label = "shelf"

    class Fine(models.Model):
        data = WidgetDataField(type_field="type")

        class Meta:
            app_label = "shelf"

        @property
        def type(self) -> str:
            return "faq"

    (error,) = Wrong.check()
    assert error.id == "widgetschema.E001"
    assert "did you mean 'kind'?" in error.msg
    assert Fine.check() == []
    Fine(data={"items": [{"q": "Why?"}]}).clean_fields(exclude=["id"])


def test_static_files_that_are_not_found() -> None:
    finders = ["django.contrib.staticfiles.finders.AppDirectoriesFinder"]
    with override_settings(STATICFILES_FINDERS=finders):
        (found,) = check_static_files()
    assert found.id == "widgetschema.W003"
    assert FINDER in found.hint
    with override_settings(STATICFILES_FINDERS=[*finders, FINDER]):
        assert check_static_files() == []


def test_a_project_without_static_files(tmp_path: Path) -> None:
    code = "from tests.django_suite.settings import *\nINSTALLED_APPS.remove({!r})"
    (tmp_path / "bare.py").write_text(code.format("django.contrib.staticfiles"))
    ran = subprocess.run(
        [sys.executable, "-m", "django", "check"],
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "bare",
            "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert "(widgetschema.W003)" in ran.stderr
    assert "HINT: Add 'django.contrib.staticfiles' to INSTALLED_APPS" in ran.stderr

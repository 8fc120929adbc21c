"""Integrations without their library say which extra to install."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.metadata import metadata
from types import ModuleType
from typing import Any

import pytest

from widgetschema import Catalog
from widgetschema.errors import MissingExtra
from widgetschema.integrations import asgi, attrs, fastapi, flask, pydantic, sqlalchemy, wsgi

WRONG: Any = "schemas"
INTEGRATIONS = ("django", "fastapi", "flask", "pydantic", "sqlalchemy", "starlette")


class Missing:
    """A finder by which a module is not installed."""

    def __init__(self, name: str) -> None:
        self.name = name

    def find_spec(self, name: str, _: Sequence[str] | None, __: ModuleType | None = None) -> None:
        if name == self.name:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def without(module: str, *, afresh: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a module missing, and forget those that were imported before."""
    library = module.partition(".")[0]
    for name in [*sys.modules]:
        if name.partition(".")[0] in (library, afresh) or (
            name.startswith(f"widgetschema.integrations.{afresh}")
        ):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Missing(module), *sys.meta_path])


@pytest.mark.parametrize("extra", INTEGRATIONS)
def test_a_missing_library_is_a_missing_extra(extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert extra in (metadata("widgetschema").get_all("Provides-Extra") or [])
    without(extra, afresh=extra, monkeypatch=monkeypatch)
    with pytest.raises(MissingExtra) as error:
        import_module(f"widgetschema.integrations.{extra}")
    assert error.value.extra == extra
    assert str(error.value) == (
        f"widgetschema.integrations.{extra} needs {extra}: "
        f"install it with: pip install 'widgetschema[{extra}]'"
    )


def test_rest_framework_is_an_extra_of_its_own() -> None:
    assert "django-rest" in (metadata("widgetschema").get_all("Provides-Extra") or [])
    code = "import sys; sys.modules['rest_framework'] = None; import widgetschema.integrations.django.rest"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.stderr.splitlines()[-1] == (
        "widgetschema.errors.MissingExtra: widgetschema.integrations.django.rest needs "
        "rest_framework: install it with: pip install 'widgetschema[django-rest]'"
    )


@pytest.mark.parametrize("module", ["werkzeug", "flask.ctx"])
def test_another_missing_module_is_not_taken_for_the_extra(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    without(module, afresh="flask", monkeypatch=monkeypatch)
    with pytest.raises(ModuleNotFoundError) as error:
        import_module("widgetschema.integrations.flask")
    assert not isinstance(error.value, MissingExtra)
    assert error.value.name == module


@pytest.mark.parametrize(
    ("module", "make", "extra"),
    [
        ("jinja2", "starlette.form_router", "starlette"),
        ("python_multipart", "starlette.form_router", "starlette"),
        ("jinja2", "flask.form_blueprint", "flask"),
    ],
)
def test_forms_without_their_libraries_fail_at_the_start(
    module: str, make: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, function = make.split(".")
    make_forms = getattr(import_module(f"widgetschema.integrations.{name}"), function)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra) as error:
        make_forms(object())
    says = f"forms need {module}: install it with: pip install 'widgetschema[{extra}]'"
    assert str(error.value) == says


@pytest.mark.parametrize(
    "make",
    [
        lambda: fastapi.WidgetData("countdown", catalog=WRONG),
        lambda: fastapi.WidgetBody("countdown", catalog=WRONG),
        lambda: fastapi.schema_router(WRONG),
        lambda: flask.widget_data("countdown", catalog=WRONG),
        lambda: asgi.GuardMiddleware(None, {"/x": "countdown"}, catalog=WRONG),  # type: ignore[arg-type]
        lambda: wsgi.GuardMiddleware(None, {"/x": "countdown"}, catalog=WRONG),  # type: ignore[arg-type]
        lambda: sqlalchemy.WidgetDataType("countdown", catalog=WRONG),
        lambda: pydantic.WidgetData("countdown", catalog=WRONG),
        lambda: attrs.WidgetDataValidator("countdown", catalog=WRONG),
    ],
)
def test_what_is_no_catalog_is_an_error_at_the_start(make: Callable[[], object]) -> None:
    with pytest.raises(TypeError, match=r"not str; for a folder of schemas, pass Catalog\(\["):
        make()


def of_request(request: object) -> Catalog:
    raise AssertionError("it is never called")


async def awaited() -> Catalog:
    raise AssertionError("it is never called")


@pytest.mark.parametrize(
    ("make", "catalog", "says"),
    [
        (
            lambda catalog: flask.widget_data("countdown", catalog=catalog),
            of_request,
            "catalog() is called here, but it is defined as catalog(request",
        ),
        (
            lambda catalog: fastapi.WidgetBody("countdown", catalog=catalog),
            Catalog.default,
            "catalog(request) is called here, but it is defined as catalog(*, folder",
        ),
        (
            lambda catalog: attrs.WidgetDataValidator("countdown", catalog=catalog),
            awaited,
            "catalog must not be async: catalog() is called without await",
        ),
        (
            lambda catalog: attrs.WidgetDataValidator("countdown", catalog=catalog)(0, 0, {}),
            lambda: None,
            "catalog() must return a Catalog, not NoneType",
        ),
    ],
)
def test_what_returns_no_catalog(make: Callable[[Any], object], catalog: Any, says: str) -> None:
    with pytest.raises(TypeError, match=re.escape(says)):
        make(catalog)

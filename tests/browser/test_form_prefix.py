"""Two forms with prefixes in one `<form>`, in a real browser: with the script, and without."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Final

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from tests.browser.test_form_script import asset, nothing, saved, wait
from tests.chromium import Watched, watched
from tests.unit.forms.test_prefix import DATA, TYPE
from widgetschema.forms import Form
from widgetschema.local_server import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FORMS: Final = {prefix: TYPE.form(DATA, prefix=prefix) for prefix in ("w1", "w2")}
HEAD: Final = (
    "<!doctype html><title>Two</title><link rel=stylesheet href=/assets/forms.css>"
    "<script src=/assets/forms.js defer></script><form method=post>"
)


def shown(forms: dict[str, Form]) -> Response:
    parts = [
        form.render(tag=False, submit=None, live=f"/live/{prefix}")
        for prefix, form in forms.items()
    ]
    return HTMLResponse(f"{HEAD}{''.join(parts)}<button id=save>Save</button></form>")


async def page_of(_: Request) -> Response:
    return shown(FORMS)


async def save(request: Request) -> Response:
    fields = await request.form(max_fields=20_000)
    done = {prefix: form.submit(fields) for prefix, form in FORMS.items()}
    if any(one.action is not None or not one.valid for one in done.values()):
        return shown({prefix: one.form for prefix, one in done.items()})
    texts = json.dumps([json.loads(one.text) for one in done.values()])
    return HTMLResponse(f"<title>Saved</title><pre>{escape(texts)}</pre>")


async def live(request: Request) -> Response:
    prefix = request.path_params["prefix"]
    submission = FORMS[prefix].submit(await request.form(max_fields=20_000))
    answer = submission.answer(live=f"/live/{prefix}", submit=None)
    return JSONResponse(answer)


APP: Final = Starlette(
    routes=[
        Route("/assets/{name}", asset),
        Route("/favicon.ico", nothing),
        Route("/live/{prefix}", live, methods=["POST"]),
        Route("/", page_of),
        Route("/", save, methods=["POST"]),
    ]
)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(APP, "127.0.0.1", 0, "two forms") as origin:
        yield origin


@pytest.fixture(params=[True, False], ids=["script", "no script"])
def page(request: pytest.FixtureRequest, browser: Browser, address: str) -> Iterator[Page]:
    context: Watched
    with watched(browser, java_script_enabled=request.param) as context:
        page = context.page()
        page.goto(address)
        yield page


def test_both_forms_are_edited_on_one_page(page: Page) -> None:
    first, second = (page.locator(f'[name="{prefix}.#/title"]') for prefix in FORMS)
    place = page.locator('[name="w2.#/place/x"]')
    first.fill("First")
    page.locator('button[name="w2.do"][value="add#/names"]').click()
    new = page.locator('[name="w2.#/names/+1"]')
    new.wait_for()
    assert page.locator('[name="w1.#/names/+1"]').count() == 0
    new.fill("z")
    second.fill("Second")
    place.fill("abc")
    page.locator("#save").click()
    page.locator(".ws-errors").first.wait_for()
    page.locator("#w2\\.ws-place-x\\:error").wait_for()
    assert page.locator("#w1\\.ws-place-x\\:error").count() == 1  # what it says of the data before
    for prefix in FORMS:
        page.locator(f'[name="{prefix}.#/place/x"]').fill("1")
    page.locator("#save").click()
    assert json.loads(saved(page)) == [
        {**DATA, "title": "First", "place": {"x": 1}},
        {**DATA, "title": "Second", "names": ["x", "y", "z"], "place": {"x": 1}},
    ]


@pytest.mark.parametrize("page", [True], indirect=True)
def test_each_form_is_checked_by_its_own_address(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.locator('[name="w2.#/place/x"]').fill("abc")
    page.locator('[name="w2.#/place/x"]').blur()
    page.locator("#w2\\.ws-place-x\\:error").wait_for()
    page.locator('[name="w1.#/title"]').fill("First")
    summaries = "[...document.querySelectorAll('.ws-form')].map(one => one.dataset.found)"
    wait(page, f"{summaries}.every(Boolean)")
    assert page.evaluate(summaries) == ["1", "1"]
    assert list(dict.fromkeys(asked)) == ["w2", "w1"]  # a slow machine may ask twice
    page.locator('[name="w1.#/place/x"]').fill("2")
    wait(page, "document.querySelector('[id=\"w1.ws-place-x:error\"]') === null")
    assert page.locator("#w2\\.ws-place-x\\:error").count() == 1

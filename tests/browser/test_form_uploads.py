"""Files that a person chooses in Chromium, with the script and without."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import pytest
from flask import Flask
from playwright.sync_api import expect

from tests.browser.test_editor import everybody_can_use
from tests.chromium import answered, watched
from tests.form_apps import wsgi_served
from widgetschema import WidgetType
from widgetschema.integrations.flask import form_blueprint
from widgetschema.integrations.form_views import StoredData

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


PIXEL: Final = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
LARGE: Final = PIXEL + bytes(30_000)
STORED: Final = '{"logo": "R0lG\\nODdh", "title": "a"}'


class Store:
    text = STORED

    def load(self, key: str) -> StoredData:
        file = {"type": "string", "contentEncoding": "base64", "contentMediaType": "image/png"}
        text = {"type": "string"}
        schema = {
            "properties": {"logo": file, "title": text},
            "if": {"properties": {"title": {"const": "more"}}, "required": ["title"]},
            "then": {"properties": {"extra": text}},
        }
        return StoredData(WidgetType.from_data_schema(schema, id="media"), self.text)

    def save(self, key: str, text: str, before: str) -> bool:
        self.text = text
        return True


# A disk that is slower than the delay after which a form is checked.
SLOW_DISK: Final = """(() => {
  const read = FileReader.prototype.readAsDataURL;
  FileReader.prototype.readAsDataURL = function (file) { setTimeout(() => read.call(this, file), 400); };
})()"""


def checked(page: Page, edit: Callable[[], object]) -> int:
    """Edit, wait for the answer to the next check, and return the size of its request."""
    with page.expect_request("**/check") as request, answered(page):
        edit()
    return len(request.value.post_data or "")


def chosen(content: bytes) -> Any:
    return {"name": "a.png", "mimeType": "image/png", "buffer": content}


@pytest.mark.parametrize("scripts", [True, False], ids=["script", "no script"])
def test_a_file_is_chosen_checked_and_saved(browser: Browser, scripts: bool) -> None:
    app, store = Flask("uploads"), Store()
    app.register_blueprint(form_blueprint(store), url_prefix="/forms")
    with (
        wsgi_served(app) as address,
        watched(browser, java_script_enabled=scripts, allowed=("422",)) as watch,
    ):
        page = watch.page()
        page.add_init_script(SLOW_DISK)
        page.goto(f"{address}/forms/1")
        control, save = (
            page.get_by_label("Logo", exact=True),
            page.get_by_role("button", name="Save"),
        )
        expect(page.get_by_text("GIF, 6 bytes")).to_be_visible()
        expect(page.get_by_role("link", name="Download")).to_have_attribute("download", "logo.gif")
        control.set_input_files(chosen(b"GIF89a"))
        if not scripts:
            save.click()
        error = page.locator(".ws-errors").get_by_text("Choose a file of the type PNG")
        expect(error).to_be_visible()
        assert store.text == STORED
        if scripts:
            everybody_can_use(page)
            size = checked(page, lambda: control.set_input_files(chosen(LARGE)))
            assert size > 40_000  # with the file, although it is read slowly
            expect(error).to_be_hidden()
            assert checked(page, lambda: page.get_by_label("Title", exact=True).fill("b")) < 2_000
        else:
            control.set_input_files(chosen(LARGE))
            page.get_by_label("Title", exact=True).fill("b")
        with page.expect_navigation():
            save.click()
        expect(page.get_by_text("PNG, 30.1 kB")).to_be_visible()
        assert json.loads(store.text) == {"logo": base64.b64encode(LARGE).decode(), "title": "b"}


def test_a_file_that_was_chosen_before_the_fields_changed_is_sent_once(browser: Browser) -> None:
    app, store = Flask("uploads"), Store()
    app.register_blueprint(form_blueprint(store), url_prefix="/forms")
    with wsgi_served(app) as address, watched(browser) as watch:
        page = watch.page()
        page.goto(f"{address}/forms/1")
        logo, title, extra = (
            page.get_by_label(name, exact=True) for name in ("Logo", "Title", "Extra")
        )
        assert checked(page, lambda: logo.set_input_files(chosen(LARGE))) > 40_000
        assert checked(page, lambda: title.fill("more")) < 3_000
        assert checked(page, lambda: extra.fill("x")) < 3_000
        with page.expect_navigation():
            page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("PNG, 30.1 kB")).to_be_visible()
        saved = {"logo": base64.b64encode(LARGE).decode(), "title": "more", "extra": "x"}
        assert json.loads(store.text) == saved

"""The preview of an application beside its form: live, by width, without any rights or scripts."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask
from playwright.sync_api import expect

from tests.browser.test_editor import everybody_can_use
from tests.chromium import watched
from tests.form_apps import wsgi_served
from widgetschema import WidgetType
from widgetschema.integrations.flask import form_blueprint
from widgetschema.integrations.form_views import StoredData

if TYPE_CHECKING:
    from playwright.sync_api import Browser


ITEMS = {"type": "array", "items": {"type": "string"}}
SCHEMA = {
    "properties": {
        "content": {"type": "object", "properties": {"title": {"type": "string"}, "items": ITEMS}},
        "styles": {"type": "object", "properties": {"size": {"type": "number"}}},
    }
}
HOSTILE = "<script>parent.document.body.dataset.hacked = 1; top.location = '/hacked'</script>"


class Store:
    text = '{"content": {"title": "a", "items": []}, "styles": {}}'

    def load(self, key: str) -> StoredData:
        return StoredData(WidgetType.from_data_schema(SCHEMA, id="note"), self.text)

    def save(self, key: str, text: str, before: str) -> bool:
        self.text = text
        return True


def render(data: Any) -> str:
    content = data["content"]
    style = "<style>h1 { color: rgb(1, 2, 3) }</style>"
    items = "".join(f"<li>{escape(one)}</li>" for one in content["items"])
    return f"<!doctype html>{style}{HOSTILE}<h1>{escape(content['title'])}</h1><ul>{items}</ul>"


@pytest.mark.parametrize("scripts", [True, False], ids=["script", "no script"])
def test_a_preview_beside_the_form(browser: Browser, scripts: bool) -> None:
    app, store = Flask("preview"), Store()
    app.register_blueprint(form_blueprint(store, preview=render), url_prefix="/forms")
    size = {"width": 1280, "height": 800}
    with (
        wsgi_served(app) as address,
        watched(
            browser, viewport=size, java_script_enabled=scripts, allowed=("Blocked script",)
        ) as watch,
    ):
        page = watch.page()
        page.goto(f"{address}/forms/1")
        frame = page.frame_locator(".ws-frame:last-child")
        heading = frame.get_by_role("heading")
        expect(heading).to_have_text("a")
        expect(heading).to_have_css("color", "rgb(1, 2, 3)")  # its styles are allowed
        title = page.get_by_label("Title", exact=True)
        title.fill("b 👍")
        button = page.get_by_role("button", name="Show the preview")
        if scripts:
            assert not button.is_visible()
            assert page.evaluate("history.length") == 2
        else:
            button.click()
        expect(heading).to_have_text("b 👍")
        assert "b 👍" not in store.text
        assert title.input_value() == "b 👍"
        if scripts:
            page.locator("#ws-content-items\\:add").click()  # the form is drawn anew
            page.locator('[name="#/content/items/+1"]').fill("one")
            expect(frame.get_by_role("listitem")).to_have_text("one")
            expect(page.locator(".ws-frame")).to_have_count(1)
            assert page.evaluate("history.length") == 2  # no page of the frame is a step
            for name, width in (("Desktop", 1280), ("Tablet", 768)):
                page.get_by_role("button", name=name).click()
                shown = page.locator(".ws-frame:not(.ws-coming)")  # another one may come meanwhile
                expect(shown).to_have_js_property("clientWidth", width)
            everybody_can_use(page)
        assert page.evaluate("document.body.dataset.hacked") is None
        assert page.url == f"{address}/forms/1"

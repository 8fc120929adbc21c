"""Markdown beside its preview in Chromium, with the script and without."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

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


TYPE: Final = WidgetType.from_data_schema(
    {"properties": {"body": {"type": "string", "contentMediaType": "text/markdown"}}}, id="note"
)


class Store:
    def load(self, key: str) -> StoredData:
        return StoredData(TYPE, '{"body": "# Hello"}')

    def save(self, key: str, text: str, before: str) -> bool:
        return False


@pytest.mark.parametrize("scripts", [True, False], ids=["script", "no script"])
def test_the_preview_follows(browser: Browser, scripts: bool) -> None:
    app = Flask("markdown")
    app.register_blueprint(form_blueprint(Store()), url_prefix="/forms")
    with (
        wsgi_served(app) as address,
        watched(browser, java_script_enabled=scripts, allowed=("Blocked script",)) as watch,
    ):
        page = watch.page()
        page.goto(f"{address}/forms/1")
        frame = page.frame_locator("iframe[title='Preview of Body']")
        expect(frame.get_by_role("heading")).to_have_text("Hello")
        expect(frame.locator("body")).to_have_css("margin-top", "12px")  # its style is allowed
        body = page.get_by_label("Body", exact=True)
        body.fill("## Bye\n\n<script>top.hacked = 1</script> [a](https://x.example)")
        if not scripts:
            page.get_by_role("button", name="Check").click()
        expect(frame.get_by_role("heading", level=2)).to_have_text("Bye")
        expect(frame.get_by_text("<script>")).to_be_visible()
        assert frame.locator("a, script").count() == 0
        if scripts:
            everybody_can_use(page)
        body.fill("")
        if not scripts:
            page.get_by_role("button", name="Check").click()
        expect(page.locator("iframe")).to_be_hidden()

"""The admin of the example: forms for each widget, several on a page, and nobody's edit is lost."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission, User
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.test import Client
from django.test.utils import override_settings
from selectolax.lexbor import LexborHTMLParser
from shop.models import Page, Widget  # type: ignore[import-not-found]

from tests.browsing import Pairs
from tests.django_suite.pages import AdminPage, client_of_an_editor
from tests.django_suite.schemas import FAQ
from widgetschema import Catalog
from widgetschema.forms.html import script, stylesheet
from widgetschema.integrations.django import WidgetAdminMixin, WidgetDataField

pytestmark = pytest.mark.usefixtures("db")

WIDGETS = "/admin/shop/widget/"


def faq(*questions: str, **more: Any) -> Any:
    """Return a stored widget with questions."""
    data = {"items": [{"q": one} for one in questions]}
    return Widget.objects.create(name="w", type="faq", data=data, **more)


def page_of(row: Any) -> AdminPage:
    """Return the page that edits a widget."""
    return AdminPage(client_of_an_editor(), f"{WIDGETS}{row.pk}/change/")


def test_an_untouched_page_changes_nothing() -> None:
    row = faq("Why?", "How?")
    page = page_of(row)
    assert page.value("data.#/items/0/q") == "Why?"
    assert page.press() == 302
    assert Widget.objects.get().data == row.data


def test_the_page_sends_files() -> None:
    assert 'enctype="multipart/form-data"' in page_of(faq("Why?")).markup


def test_an_edit_is_saved() -> None:
    page = page_of(faq("Why?", "How?"))
    page.type("data.#/items/1/q", "Who?")
    assert page.press() == 302
    assert Widget.objects.get().data == {"items": [{"q": "Why?"}, {"q": "Who?"}]}


def test_each_finding_is_at_its_field() -> None:
    row = faq("Why?", "How?")
    page = page_of(row)
    page.type("data.#/items/1/q", "W")
    page.type("name", "")
    assert page.press() == 200
    assert Widget.objects.get().data == row.data
    (id,) = page.findings()
    control = page.tree.css_first(f'[id="{id}"]')
    assert control is not None
    assert control.attributes["name"] == "data.#/items/1/q"
    assert control.attributes["value"] == "W"
    assert control.attributes["aria-invalid"] == "true"
    assert page.errors() == ["This field is required."]  # the form says what is wrong with the data
    page.type("data.#/items/1/q", "Who?")
    page.type("name", "n")
    assert page.press() == 302
    assert Widget.objects.get().data["items"][1] == {"q": "Who?"}


def test_what_was_typed_stays_if_another_field_is_wrong() -> None:
    page = page_of(faq("Why?"))
    page.type("data.#/items/0/q", "Edited")
    page.type("name", "")
    assert page.press() == 200
    assert page.value("data.#/items/0/q") == "Edited"
    page.type("name", "n")
    assert page.press() == 302
    assert Widget.objects.get().data["items"] == [{"q": "Edited"}]


def test_adding_chooses_a_type_first() -> None:
    page = AdminPage(client_of_an_editor(), f"{WIDGETS}add/")
    assert 'Choose "Type": the form appears here' in page.tree.text()
    page.type("name", "new")
    page.type("type", "faq")
    assert page.press() == 200
    assert Widget.objects.count() == 0
    assert "fill in the form" in " ".join(page.errors())
    assert page.press("data.do", "add#/items") == 200
    page.type("data.#/items/+1/q", "First?")
    assert page.press() == 302
    assert Widget.objects.get().data == {"items": [{"q": "First?"}]}


def test_adding_without_a_type() -> None:
    page = AdminPage(client_of_an_editor(), f"{WIDGETS}add/")
    page.type("name", "new")
    assert page.press() == 200
    assert 'Choose "Type": the form appears here.' in page.errors()


def test_another_type_shows_its_form_before_anything_is_saved() -> None:
    row = faq("Why?")
    page = page_of(row)
    page.type("type", "countdown")
    assert page.press() == 200
    assert Widget.objects.get().type == "faq"
    assert "now for the type 'Countdown'" in " ".join(page.errors())
    assert page.press() == 302
    row.refresh_from_db()
    assert row.type == "countdown"
    assert "items" not in row.data
    assert row.data


def test_another_type_does_not_replace_what_somebody_else_saved() -> None:
    row = faq("Why?")
    page = page_of(row)
    page.type("type", "countdown")
    page.press()
    Widget.objects.update(data={"items": [{"q": "Meanwhile"}]})
    assert page.press() == 200
    assert Widget.objects.get().data == {"items": [{"q": "Meanwhile"}]}
    assert "has changed" in " ".join(page.errors())
    assert page.press() == 302  # now they know
    assert Widget.objects.get().type == "countdown"


def test_what_was_typed_for_another_type_comes_back_with_it() -> None:
    row = faq("Why?")
    page = page_of(row)
    text = 'Who?\n "ü" \\u00e9 <b>&amp;'
    page.type("data.#/items/0/q", text)
    page.type("data.#/items/0/rank", "no number")
    page.type("type", "countdown")
    assert page.press() == 200
    assert "What you entered for the type 'FAQ' is kept on this page" in " ".join(page.errors())
    assert page.value("data.#/content/timerTitle") == ""
    page.type("data.#/content/timerTitle", "Soon")
    page.type("type", "")
    assert page.press() == 200
    assert 'Choose "Type"' in " ".join(page.errors())
    page.type("type", "faq")
    assert page.press() == 200
    assert "for the type 'FAQ' again, with what you had entered" in " ".join(page.errors())
    assert (page.value("data.#/items/0/q") or "").replace("\r\n", "\n") == text
    assert page.value("data.#/items/0/rank") == "no number"
    assert Widget.objects.get().data == row.data
    page.type("data.#/items/0/rank", "1")
    assert page.press() == 302
    assert Widget.objects.get().data == {"items": [{"q": text, "rank": 1}]}


def test_what_was_typed_stays_while_the_schema_cannot_be_used() -> None:
    row = faq("Why?")
    page = page_of(row)
    page.type("data.#/items/0/q", "Typed")
    with override_settings(WIDGETSCHEMA={"CATALOG": Catalog([{"faq": {"type": 7}}])}):
        assert page.press() == 200
        assert "is kept on this page" in " ".join(page.errors())
        assert page.press() == 200
    assert page.press() == 200
    assert page.value("data.#/items/0/q") == "Typed"
    assert Widget.objects.get().data == row.data
    assert page.press() == 302
    assert Widget.objects.get().data == {"items": [{"q": "Typed"}]}


def test_what_was_typed_stays_if_no_form_can_show_the_data_any_more() -> None:
    row = faq("Why?")
    page = page_of(row)
    page.type("data.#/items/0/q", "Typed")
    Widget.objects.update(data=json.loads("[" * 300 + "]" * 300))
    assert page.press() == 200
    assert "No form can show the stored data" in " ".join(page.errors())
    Widget.objects.update(data=row.data)
    assert page.press() == 200
    assert page.value("data.#/items/0/q") == "Typed"


@pytest.mark.parametrize(
    "kept", ["[", "[]", '{"faq": 1}', '{"faq": {"a": [1]}}', '{"faq": {"base#": []}}', "[" * 9_999]
)
def test_a_hidden_control_that_no_page_has(kept: str) -> None:
    page = page_of(faq("Why?"))
    page.pairs = [(name, value) for name, value in page.pairs if name != "data.type"]
    page.pairs.append(("data.kept", kept))
    assert page.press() in (200, 302)


def live(page: AdminPage, *, field: str = "data", press: str = "") -> Any:
    """Send a live check as the script does, and return the response."""
    (address,) = {
        one.attributes["data-live"]
        for one in page.tree.css(".ws-django")
        if one.attributes["data-prefix"] == field
    }
    pairs = [*page.pairs, *([(f"{field}.do", press)] if press else [])]
    return page.client.post(address, by_name(pairs))


def by_name(pairs: Pairs) -> dict[str, list[str]]:
    """Return the values of controls as a test client sends them."""
    body: dict[str, list[str]] = {}
    for name, value in pairs:
        body.setdefault(name, []).append(value)
    return body


def test_findings_while_somebody_types() -> None:
    row = faq("Why?", "How?")
    page = page_of(row)
    assert page.tree.css_first(".ws-form").attributes["data-live"] is not None  # type: ignore[union-attr]
    page.type("data.#/items/1/q", "W")
    answer = live(page).json()
    (finding,) = answer["findings"]
    control = page.tree.css_first('[name="data.#/items/1/q"]')
    assert control is not None
    assert (finding["id"], finding["keyword"]) == (control.attributes["id"], "minLength")
    assert answer["html"] is None
    answer = live(page, press="add#/items").json()
    assert 'name="data.#/items/+1/q"' in answer["html"]
    assert 'data-live="/admin/' in answer["html"]
    assert 'name="data.type"' in answer["html"]
    row.refresh_from_db()
    assert row.data == {"items": [{"q": "Why?"}, {"q": "How?"}]}
    Widget.objects.update(data={"items": [{"q": "Meanwhile"}]})
    assert live(page).status_code == 409  # the script posts the page, or says so


def test_a_page_with_an_open_conflict_is_checked_and_its_buttons_work() -> None:
    page = page_of(faq("Why?", "How?"))
    page.type("data.#/items/0/q", "Mine?")
    Widget.objects.update(data={"items": [{"q": "Theirs?"}, {"q": "How?"}]})
    assert page.press() == 200
    page.type("data.#/items/1/q", "W")
    assert "minLength" in [one["keyword"] for one in live(page).json()["findings"]]
    html = live(page, press="add#/items").json()["html"]
    assert len(re.findall(r'name="data\.#/items/[^/]+/q"', html)) == 3
    assert "Theirs?" in html
    assert "Mine?" in html


def test_the_form_of_a_type_appears_when_it_is_chosen() -> None:
    page = AdminPage(client_of_an_editor(), f"{WIDGETS}add/")
    page.type("type", "faq")
    answer = live(page).json()
    assert (answer["notice"], "data.order#/items" in answer["markup"]) == ("", True)
    page = page_of(faq("Why?"))
    page.type("data.#/items/0/q", "Typed")
    page.type("type", "countdown")
    answer = live(page).json()
    assert "is kept on this page" in answer["notice"]
    assert 'name="data.kept"' in answer["markup"]
    page.type("type", "")
    assert "Choose &quot;Type&quot;" in live(page).json()["markup"]


def test_findings_of_inlines_while_somebody_types() -> None:
    shop_page = Page.objects.create(title="p")
    faq("Why?", page=shop_page)
    faq("How?", page=shop_page)
    page = AdminPage(client_of_an_editor(), f"/admin/shop/page/{shop_page.pk}/change/")
    page.type("widget_set-1-data.#/items/0/q", "x")
    assert live(page, field="widget_set-0-data").json()["findings"] == []
    (finding,) = live(page, field="widget_set-1-data").json()["findings"]
    assert "widget_set-1-data" in finding["id"]
    Widget.objects.all().delete()
    assert live(page, field="widget_set-1-data").status_code == 409


def client_with(*permissions: str) -> Client:
    """Return the client of somebody who has these permissions only."""
    user = User.objects.create(username="limited", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client()
    client.force_login(user)
    return client


def test_live_checks_need_the_permission_to_edit(monkeypatch: pytest.MonkeyPatch) -> None:
    row = faq("Secret?")
    page = page_of(row)
    page.client = client_with("view_widget", "add_widget")
    assert live(page).status_code == 403
    page.client = Client()
    assert live(page).status_code == 302  # to the login
    page.client = client_of_an_editor()
    model_admin = admin.site.get_model_admin(Widget)
    monkeypatch.setattr(model_admin, "get_queryset", lambda _: Widget.objects.none())
    answer = live(page)
    assert answer.status_code == 404
    assert b"Secret" not in answer.content


def test_live_checks_of_inlines_need_the_permission_to_edit_them() -> None:
    shop_page = Page.objects.create(title="p")
    faq("Secret?", page=shop_page)
    page = AdminPage(client_of_an_editor(), f"/admin/shop/page/{shop_page.pk}/change/")
    page.client = client_with("change_page", "view_widget")
    answer = live(page, field="widget_set-0-data")
    assert (answer.status_code, b"Secret" in answer.content) == (403, False)
    User.objects.get(username="limited").delete()
    page.client = client_with("change_page", "add_widget")
    answer = live(page, field="widget_set-0-data")
    assert b"Secret" not in answer.content
    Widget.objects.update(data={"items": [{"q": "Newer secret?"}]})
    answer = live(page, field="widget_set-0-data")
    assert b"secret" not in answer.content  # not by the signature of an old page either
    assert answer.status_code == 409


SECRET = json.loads(json.dumps(FAQ).replace('"a": {', '"a": {"format": "password", '))
CATALOGS = [
    ({"CATALOG": Catalog([{"faq": SECRET}])}, {}),
    ({"CATALOG": Catalog([{"faq": FAQ}])}, {"ui": {"/items/*/a": {"kind": "password"}}}),
    ({"CATALOG": Catalog([{"other": FAQ}])}, {}),  # it is unknown what is a secret
]


@pytest.mark.parametrize(("setting", "options"), CATALOGS)
def test_no_page_shows_a_secret(
    setting: Any, options: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop_page = Page.objects.create(title="p")
    row = faq("Why?", page=shop_page)
    data = {"items": [{"q": "Why?", "a": "Secret"}]}
    Widget.objects.update(data=data)
    of_widgets, of_pages = (admin.site.get_model_admin(one) for one in (Widget, Page))
    (inline,) = of_pages.inlines
    both = {**of_widgets.formfield_overrides, WidgetDataField: options}
    for one in (of_widgets, inline):
        monkeypatch.setattr(one, "formfield_overrides", both)
    monkeypatch.setattr(of_widgets, "list_display", ["name", "data"])
    limited = client_with("view_widget", "view_page")
    change = f"{WIDGETS}{row.pk}/change/"

    def check(client: Client, *addresses: str) -> None:
        for address in addresses:
            markup = client.get(address).content.decode()
            assert ("Secret" in markup, "••••••" in markup) == (False, True), address
            assert re.search("••••••[0-9a-f]", markup) is None
            assert ("Why?" in markup) is ("faq" in setting["CATALOG"])

    with override_settings(WIDGETSCHEMA=setting):
        check(limited, change, WIDGETS, f"/admin/shop/page/{shop_page.pk}/change/")
        for one in (of_widgets, inline):
            monkeypatch.setattr(one, "readonly_fields", ["data"])
        editor = client_of_an_editor()
        check(editor, change, WIDGETS, f"/admin/shop/page/{shop_page.pk}/change/")
        if "faq" not in setting["CATALOG"]:
            return
        page = page_of(row)
        page.type("name", "Other")
        assert page.press() == 302
    row.refresh_from_db()
    assert (row.name, row.data) == ("Other", data)


def test_other_requests_to_the_address_of_live_checks() -> None:
    address = f"{WIDGETS}{faq('Why?').pk}/change/".replace("change/", "widget-check/")
    client = client_of_an_editor()
    assert client.get(address).status_code == 405
    assert client.post(f"{address}?field=name").status_code == 404
    assert client.post(address).status_code == 404
    assert client.post(f"{WIDGETS}0/widget-check/?field=data").status_code == 404
    client.handler.enforce_csrf_checks = True
    assert client.post(f"{address}?field=data").status_code == 403


# The preview


def preview_of(data: dict[str, Any]) -> str:
    return "<!doctype html>" + "".join(f"<h1>{one['q']}</h1>" for one in data["items"])


@pytest.fixture
def with_preview(monkeypatch: pytest.MonkeyPatch) -> None:
    overrides = {WidgetDataField: {"preview": preview_of}}
    model_admin = admin.site.get_model_admin(Widget)
    both = {**model_admin.formfield_overrides, **overrides}
    monkeypatch.setattr(model_admin, "formfield_overrides", both)


@pytest.mark.usefixtures("with_preview")
def test_a_preview_in_the_admin_saves_nothing_and_has_no_rights() -> None:
    row = faq("Why?")
    page = page_of(row)
    assert "widgetschema/preview.js" in page.markup
    [address] = re.findall(r'<iframe [^>]*sandbox="" [^>]*src="([^"]+)"', page.markup)
    stored = page.client.get(address)
    assert stored.content == b"<!doctype html><h1>Why?</h1>"
    assert stored["Content-Security-Policy"].startswith("sandbox; default-src 'none'")
    assert stored["X-Frame-Options"] == "SAMEORIGIN"
    page.type("data.#/items/0/q", "Typed?")
    typed = page.client.post(address, by_name(page.pairs))
    assert typed.content == b"<!doctype html><h1>Typed?</h1>"
    row.refresh_from_db()
    assert row.data == {"items": [{"q": "Why?"}]}
    assert address in live(page, press="add#/items").json()["html"].replace("&amp;", "&")


@pytest.mark.usefixtures("with_preview")
def test_a_preview_needs_the_permission_to_edit() -> None:
    address = f"{WIDGETS}{faq('Secret?').pk}/widget-preview/?field=data"
    assert client_with("view_widget").get(address).status_code == 403
    assert Client().get(address).status_code == 302  # to the login
    client = client_of_an_editor()
    assert client.get(address).status_code == 200
    assert client.get(address.replace("=data", "=name")).status_code == 404
    client.handler.enforce_csrf_checks = True
    assert client.post(address).status_code == 403


def test_without_a_preview_there_is_none() -> None:
    row = faq("Why?")
    page = page_of(row)
    assert "<iframe" not in page.markup
    address = f"{WIDGETS}{row.pk}/widget-preview/?field=data"
    assert page.client.get(address).status_code == 404


def test_the_mixin_in_a_place_where_it_has_no_effect() -> None:
    with pytest.raises(TypeError, match="write WidgetAdminMixin first: class Late"):
        type("Late", (admin.ModelAdmin, WidgetAdminMixin), {})
    with pytest.raises(TypeError, match="in the ModelAdmin of its page"):
        type("Inline", (WidgetAdminMixin, admin.StackedInline), {})


def test_buttons_of_rows_save_nothing() -> None:
    row = faq("Why?")
    page = page_of(row)
    page.type("data.#/items/0/q", "Edited")
    assert page.press("data.do", "add#/items") == 200
    assert Widget.objects.get().data == row.data
    page.type("data.#/items/+1/q", "Second")
    assert page.press() == 302
    assert Widget.objects.get().data == {"items": [{"q": "Edited"}, {"q": "Second"}]}
    page = page_of(row)
    assert page.press("data.do", "remove#/items/0") == 200
    assert page.press() == 302
    assert Widget.objects.get().data == {"items": [{"q": "Second"}]}


def test_two_widgets_on_one_page_keep_both_edits() -> None:
    shop_page = Page.objects.create(title="p")
    first, second = faq("Same?", page=shop_page), faq("Same?", page=shop_page)
    address = f"/admin/shop/page/{shop_page.pk}/change/"
    page = AdminPage(client_of_an_editor(), address)
    page.type("widget_set-1-data.#/items/0/q", "Second")
    assert page.press() == 302
    first.refresh_from_db()
    second.refresh_from_db()
    assert first.data == {"items": [{"q": "Same?"}]}
    assert second.data == {"items": [{"q": "Second"}]}
    page = AdminPage(client_of_an_editor(), address)
    page.type("widget_set-0-data.#/items/0/q", "First")
    page.type("widget_set-1-data.#/items/0/q", "x")
    assert page.press() == 200
    first.refresh_from_db()
    assert first.data == {"items": [{"q": "Same?"}]}
    assert page.value("widget_set-0-data.#/items/0/q") == "First"
    (id,) = page.findings()
    assert "widget_set-1-data" in id
    assert page.press("widget_set-0-data.do", "add#/items") == 200
    assert page.value("widget_set-1-data.#/items/0/q") == "x"


def test_ids_of_a_page_are_unique() -> None:
    shop_page = Page.objects.create(title="p")
    faq("a??", page=shop_page)
    faq("b??", page=shop_page)
    page = AdminPage(client_of_an_editor(), f"/admin/shop/page/{shop_page.pk}/change/")
    ids = [one.attributes["id"] for one in page.tree.css("[id]")]
    assert len(ids) == len(set(ids))


def test_an_inline_that_is_added() -> None:
    shop_page = Page.objects.create(title="p")
    page = AdminPage(client_of_an_editor(), f"/admin/shop/page/{shop_page.pk}/change/")
    page.type("widget_set-TOTAL_FORMS", "1")
    for name, value in (("id", ""), ("page", str(shop_page.pk)), ("name", "n"), ("type", "faq")):
        page.pairs = [*page.pairs, (f"widget_set-0-{name}", value)]
    assert page.press() == 200
    assert page.press("widget_set-0-data.do", "add#/items") == 200
    page.type("widget_set-0-data.#/items/+1/q", "New?")
    assert page.press() == 302
    assert Widget.objects.get().data == {"items": [{"q": "New?"}]}


def test_what_somebody_else_saved_is_not_replaced_unseen() -> None:
    row = faq("Why?")
    page = page_of(row)
    Widget.objects.update(data={"items": [{"q": "Meanwhile"}], "title": "New"})
    page.type("data.#/items/0/q", "Typed")
    assert page.press() == 200
    assert Widget.objects.get().data["items"] == [{"q": "Meanwhile"}]
    assert "somebody else has changed the same" in " ".join(page.errors())
    assert page.value("data.#/items/0/q") == "Typed"
    assert page.press() == 200, "nothing was chosen"
    [mine] = page.tree.css("input[name^='data.choice#/'][value^='mine-']")
    page.pairs = [*page.pairs, (mine.attrs["name"] or "", mine.attrs["value"] or "")]
    assert page.press() == 302  # now they know
    assert Widget.objects.get().data["items"] == [{"q": "Typed"}]


def test_a_message_says_that_edits_of_others_were_merged() -> None:
    row = faq("Why?")
    page = page_of(row)
    Widget.objects.update(data={"items": [{"q": "Why?"}], "title": "Theirs"})
    page.type("data.#/items/0/q", "Typed")
    assert page.press() == 302
    assert Widget.objects.get().data == {"items": [{"q": "Typed"}], "title": "Theirs"}
    said = messages_of(page.client)
    [merged] = [one for one in said if "somebody else" in one]
    assert "Data: Saved, together with 1 change that" in merged
    assert page_of(row).press() == 302
    assert "somebody else" not in " ".join(messages_of(page.client))


def messages_of(client: Client) -> list[str]:
    """Return the messages of Django on the next page."""
    tree = LexborHTMLParser(client.get(WIDGETS).content)
    return [one.text(strip=True) for one in tree.css(".messagelist li")]


def test_a_schema_that_changes_while_the_page_is_open() -> None:
    row = faq("Why?")
    page = page_of(row)
    page.type("data.#/items/0/q", "Typed")
    stricter = {**FAQ, "properties": {"data": {**FAQ["properties"]["data"], "required": ["title"]}}}
    with override_settings(WIDGETSCHEMA={"CATALOG": Catalog([{"faq": stricter}])}):
        assert page.press() == 200
        assert Widget.objects.get().data == row.data
        assert page.value("data.#/items/0/q") == "Typed"
        assert page.press() == 200  # the new schema wants a title
        page.type("data.#/title", "T")
        assert page.press() == 302
    assert Widget.objects.get().data == {"items": [{"q": "Typed"}], "title": "T"}


@pytest.mark.parametrize(
    ("type", "data"),
    [
        ("faq", {"items": "nonsense", "zzz": 1}),
        ("faq", []),
        ("faq", "text"),
        ("faq", 7),
        ("gone", {"items": []}),
        ("", {}),
    ],
)
def test_the_page_of_an_old_row_opens_and_keeps_its_data(type: str, data: Any) -> None:
    row = faq("Why?")
    Widget.objects.update(type=type, data=data)
    page = page_of(row)
    assert page.status == 200
    page.press()
    assert page.status == 200
    assert Widget.objects.get().data == data
    assert client_of_an_editor().get(WIDGETS).status_code == 200


def test_a_schema_that_cannot_be_used_now_loses_nothing() -> None:
    row = faq("Why?")
    broken = override_settings(WIDGETSCHEMA={"CATALOG": Catalog([{"faq": {"type": 7}}])})
    with broken:
        page = page_of(row)
        assert "cannot be used at the moment" in page.tree.text()
        assert page.press() == 200
    assert Widget.objects.get().data == row.data


def test_hostile_bodies() -> None:
    row = faq("Why?")
    page = page_of(row)
    base = page.value("data.base#") or ""
    for bad in (
        [("data.#/items/0/q", "x" * 9), ("data.base#", base), ("data.type", "../../etc/passwd")],
        [("data.type", "faq"), ("data.base#", base), ("data.base#", base)],
        [("data.type", "faq"), ("data.base#", "\0<script>")],
        [("data.type", "faq"), ("data.#/items/0/q", "<blink>\0")],
        [("data.type", "faq"), ("data.replaced", "zz"), ("data.base#", base)],
    ):
        page.pairs = [("name", "n"), ("type", "faq"), *bad]
        assert page.press() in (200, 302)
        assert "<blink>" not in page.markup
        assert "<script>\0" not in page.markup
        Widget.objects.update(data=row.data)


def test_csrf_is_required() -> None:
    row = faq("Why?")
    client = client_of_an_editor()
    client.handler.enforce_csrf_checks = True
    address = f"{WIDGETS}{row.pk}/change/"
    assert client.post(address, {"name": "n"}).status_code == 403


def test_nothing_on_the_page_needs_inline_scripts_or_styles() -> None:
    page = page_of(faq("Why?"))
    root = page.tree.css_first(".ws-django")
    assert root is not None
    assert not root.css("script, style, [style], [onclick]")


def test_static_files() -> None:
    page = page_of(faq("Why?"))
    for name, text in (("forms.css", stylesheet()), ("forms.js", script())):
        assert f"/static/widgetschema/{name}" in page.markup
        path = finders.find(f"widgetschema/{name}")
        with open(path, encoding="utf-8") as file:
            assert file.read() == text
        assert finders.find(f"widgetschema/{name}", find_all=True) == [path]
    assert finders.find("widgetschema/django.css")
    assert finders.find("widgetschema/other.js") is None


def test_static_files_are_collected(tmp_path: Path) -> None:
    with override_settings(STATIC_ROOT=tmp_path):
        call_command("collectstatic", interactive=False, verbosity=0)
    names = {one.name for one in (tmp_path / "widgetschema").iterdir()}
    assert names == {"django.css", "django.js", "forms.css", "forms.js", "preview.js"}
    assert (tmp_path / "widgetschema" / "forms.js").read_text("utf-8") == script()


def test_the_history_names_what_changed() -> None:
    row = faq("Why?")
    page = page_of(row)
    page.type("data.#/items/0/q", "Other")
    page.press()
    history = client_of_an_editor().get(f"{WIDGETS}{row.pk}/history/").content.decode()
    assert "Changed Data." in history


def test_saving_as_a_new_row_copies_the_data_with_the_edits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(admin.site.get_model_admin(Widget), "save_as", True)
    row = faq("Why?", "How?")
    page = page_of(row)
    page.type("data.#/items/0/q", "Copied")
    assert page.press("_saveasnew") == 302
    row.refresh_from_db()
    assert row.data == {"items": [{"q": "Why?"}, {"q": "How?"}]}
    copy = Widget.objects.exclude(pk=row.pk).get()
    assert copy.data == {"items": [{"q": "Copied"}, {"q": "How?"}]}
    late = page_of(row)
    Widget.objects.filter(pk=row.pk).update(data={"items": [{"q": "Meanwhile"}]})
    assert late.press("_saveasnew") == 200
    assert "Meanwhile" not in late.markup
    forged = page_of(row)
    forged.type("data.row", "WzEsMl0:1:forged")
    assert forged.press("_saveasnew") == 200
    assert Widget.objects.count() == 2


def test_other_pages_of_the_admin(monkeypatch: pytest.MonkeyPatch) -> None:
    row = faq("Why?")
    model_admin = admin.site.get_model_admin(Widget)
    monkeypatch.setattr(model_admin, "list_display", ["name", "data"])
    monkeypatch.setattr(model_admin, "list_editable", ["data"])
    assert "form-0-data.#/items/0/q" in client_of_an_editor().get(WIDGETS).content.decode()
    monkeypatch.setattr(model_admin, "readonly_fields", ["type"])
    page = page_of(row)
    page.type("data.#/items/0/q", "Edited")
    assert page.press() == 302
    assert Widget.objects.get().data == {"items": [{"q": "Edited"}]}
    monkeypatch.setattr(model_admin, "has_change_permission", lambda *_: False)
    address = f"{WIDGETS}{row.pk}/change/"
    assert "Edited" in client_of_an_editor().get(address).content.decode()

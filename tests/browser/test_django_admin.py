"""The admin of Django in a real browser: live checks, types that are chosen, inlines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.test_editor import BOXES, SCHEMES, violations
from tests.browser.test_form_script import wait, wait_here
from tests.chromium import watched
from tests.django_suite.started import started

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Route


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with started() as address:
        yield address


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    with watched(browser, base_url=address) as context:
        page = context.page()
        page.goto("/admin/")
        page.locator("#id_username").fill("editor")
        page.locator("#id_password").fill("editor")
        page.locator("[type=submit]").click()
        page.locator("#user-tools").wait_for()
        yield page


def control(page: Page, name: str) -> Locator:
    return page.locator(f'[name="{name}"]')


def save(page: Page) -> None:
    page.locator("[name=_continue]").click()
    page.locator(".messagelist, .errornote").wait_for()
    page.wait_for_load_state()  # they stand before the form


@contextmanager
def held(page: Page, field: str) -> Iterator[None]:
    """Hold back the answers to checks from the first of a field to the end of the block."""
    routes: list[Route] = []
    is_over = False
    page.route("**/widget-check/*", lambda one: one.continue_() if is_over else routes.append(one))
    with page.expect_request(f"**/widget-check/*field={field}"):
        yield
    is_over = True
    for route in routes:
        route.continue_()


def dangling(page: Page) -> list[str]:
    """Return the references in forms that lead to no element of the same form."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll(".ws-django *")].flatMap((one) =>
          [
            ...(one.getAttribute("aria-describedby") || "").split(" "),
            ...(one.getAttribute("aria-labelledby") || "").split(" "),
            one.getAttribute("for") || "",
            (one.getAttribute("href") || "").slice(1),
          ].filter((id) => id && !one.closest(".ws-django").contains(document.getElementById(id))))"""
    )
    return found


def test_findings_appear_while_somebody_types(page: Page) -> None:
    page.goto("/admin/shop/widget/1/change/")
    question = control(page, "data.#/items/0/q")
    question.fill("W")
    question.blur()
    error = page.locator('[id="data.ws-items-0-q:error"]')
    error.wait_for()
    assert "3 are needed" in error.inner_text()
    assert question.get_attribute("aria-invalid") == "true"
    page.locator('button[name="data.do"][value="add#/items"]').click()
    control(page, "data.#/items/+1/q").fill("Who?")
    question.fill("What?")
    error.wait_for(state="detached")
    save(page)
    assert page.locator(".messagelist .success").count() == 1
    assert control(page, "data.#/items/1/q").input_value() == "Who?"
    assert dangling(page) == []
    for scheme, rules in SCHEMES.items():
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert violations(page, ".ws-django", rules=rules) == []


def test_the_form_alone_counts_its_problems_until_nothing_is_wrong_any_more(page: Page) -> None:
    page.goto("/admin/shop/widget/2/change/")
    control(page, "data.#/accent").fill("blue")
    save(page)
    assert page.locator("#id_data_error").count() == 0
    problems = page.get_by_text("There are 3 problems")
    assert problems.count() == 1
    for name, value in (("accent", "#0000ff"), ("items/1/q", "Why?"), ("items/1/rank", "1")):
        control(page, f"data.#/{name}").fill(value)
    problems.wait_for(state="detached")
    assert page.get_by_role("group", name="Data", exact=True).locator(".ws-errors").count() == 0


def test_a_page_that_adds_begins_at_a_field_that_is_seen(page: Page) -> None:
    scripts: list[Route] = []
    page.route("**/forms.js", lambda one: scripts.append(one))  # the admin may be faster
    page.goto("/admin/shelf/upgraded/add/", wait_until="commit")  # its first field is a form,
    expect(control(page, "data.#/title")).to_be_focused()  # with two hidden buttons and a switch
    for one in scripts:
        one.continue_()


def test_the_form_of_a_type_appears_when_it_is_chosen(page: Page) -> None:
    page.goto("/admin/shop/widget/add/")
    page.locator("#id_name").fill("new")
    page.locator("#id_type").select_option("faq")
    page.locator('button[value="open#/items"]').click()
    control(page, "data.#/items/+1/q").fill("Typed?")
    page.locator("#id_type").select_option("countdown")
    control(page, "data.#/content/timerTitle").fill("Soon")
    notice = page.locator(".ws-django-notice")
    expect(notice).to_contain_text("'FAQ' is kept on this page")
    above, below = page.locator(".ws-django-notice, .ws-form").evaluate_all(BOXES)
    assert above["bottom"] + 8 <= below["top"]
    page.locator("#id_type").select_option("faq")
    wait(page, """document.querySelector('[name="data.#/items/+1/q"]')""")
    assert control(page, "data.#/items/+1/q").input_value() == "Typed?"
    control(page, "data.#/items/+1/q").fill("T")
    control(page, "data.#/items/+1/q").blur()
    page.locator('[id="data.ws-items-_n1-q:error"]').wait_for()
    control(page, "data.#/items/+1/q").fill("Typed again?")
    save(page)
    assert page.locator(".messagelist .success").count() == 1
    assert control(page, "data.#/items/0/q").input_value() == "Typed again?"


def test_inlines_that_are_added_and_removed(page: Page) -> None:
    page.goto("/admin/shelf/shelf/1/change/")
    add = page.locator(".add-row a")
    for number in range(3):
        add.click()
        control(page, f"event_set-{number}-data.#/title").fill(f"Event {number}")
        page.locator(f"#event_set-{number} button[value='open#/tags']").click()
        control(page, f"event_set-{number}-data.#/tags/+1").fill("aa")
    assert dangling(page) == []
    page.locator("#event_set-1 .inline-deletelink").click()
    wait(page, "!document.querySelector('#event_set-2')")
    assert control(page, "event_set-1-data.#/title").input_value() == "Event 2"
    assert dangling(page) == []
    second = page.locator("#event_set-1")
    second.get_by_role("button", name="Choose Day").wait_for()  # a picker, and it works
    page.evaluate("HTMLInputElement.prototype.showPicker = function () { window.picked = this; }")
    second.get_by_role("button", name="Choose Day").click()
    page.evaluate("picked.value = '2026-02-03', picked.dispatchEvent(new Event('input'))")
    assert control(page, "event_set-1-data.#/day").input_value() == "2026-02-03"
    control(page, "event_set-1-data.#/title").fill("E")
    control(page, "event_set-1-data.#/title").blur()
    error = page.locator('[id="event_set-1-data.ws-title:error"]')
    error.wait_for()
    assert page.locator('[id$="-data.ws-title:error"]').count() == 1
    assert "event_set-1-data.ws-title:error" in (
        control(page, "event_set-1-data.#/title").get_attribute("aria-describedby") or ""
    )
    second.locator('button[value="add#/tags"]').click()
    control(page, "event_set-1-data.#/tags/+2").fill("ab")
    assert dangling(page) == []
    control(page, "event_set-1-data.#/title").fill("Event two")
    error.wait_for(state="detached")
    save(page)
    assert page.locator(".messagelist .success").count() == 1
    titles = [
        control(page, f"event_set-{number}-data.#/title").input_value() for number in range(2)
    ]
    assert titles == ["Event 0", "Event two"]
    assert control(page, "event_set-1-data.#/tags/1").input_value() == "ab"
    assert dangling(page) == []


def test_an_answer_on_its_way_to_a_row_that_gets_another_number(page: Page) -> None:
    page.goto("/admin/shelf/shelf/add/")
    for number in range(2):
        page.locator(".add-row a").click()
        control(page, f"event_set-{number}-data.#/title").fill(f"Event {number}")
    with held(page, "event_set-1-data"):
        page.locator("#event_set-1 button[value='open#/tags']").click()
        page.locator("#event_set-0 .inline-deletelink").click()
        wait(page, "!document.querySelector('#event_set-1')")
    page.locator("#event_set-0 button[value='add#/tags']").click()
    control(page, "event_set-0-data.#/tags/+1").fill("ab")
    assert control(page, "event_set-0-data.#/title").input_value() == "Event 1"
    assert page.locator("#event_set-0 [name^='event_set-1']").count() == 0
    assert dangling(page) == []


def test_an_answer_on_its_way_to_a_type_of_a_row_that_gets_another_number(page: Page) -> None:
    page.goto("/admin/shop/widget/add/")
    with held(page, "data"):
        page.locator("#id_type").select_option("faq")
        page.locator(".ws-django").evaluate("(part) => { part.dataset.live += '&again'; }")
    with page.expect_response("**/widget-check/*data&again"):
        pass
    page.locator('button[value="open#/items"]').wait_for()


def test_saving_waits_for_a_form_that_another_type_replaces(page: Page) -> None:
    routes: list[Route] = []
    page.goto("/admin/shop/widget/add/")
    page.locator("#id_type").select_option("faq")
    page.locator('button[value="open#/items"]').wait_for()
    page.route("**/widget-check/*", lambda one: routes.append(one))
    page.locator('button[value="open#/items"]').click()
    wait_here(page, lambda: len(routes) == 1)
    page.locator("#id_type").select_option("countdown")
    wait_here(page, lambda: len(routes) == 2)
    page.locator("[name=_continue]").click()
    for route, what in zip(
        routes[::-1], ('[name="data.#/content/timerTitle"]', ".errornote"), strict=True
    ):
        assert page.locator(what).count() == 0
        route.continue_()
        page.locator(what).wait_for()


def test_an_answer_about_a_type_in_a_row_that_was_removed(page: Page) -> None:
    """Another row may have its number by then."""
    page.goto("/admin/shop/widget/add/")
    with held(page, "data"):
        page.locator("#id_type").select_option("faq")
        page.evaluate(
            """() => {
                const part = document.querySelector(".ws-django");
                part.insertAdjacentHTML("beforebegin", "<p id=id_data_error>Of the other row</p>");
                part.remove();
                const read = Response.prototype.json;
                Response.prototype.json = async function () {
                    const found = await read.call(this);
                    setTimeout(() => { window.isRead = true; });
                    return found;
                };
            }"""
        )
    wait(page, "window.isRead")
    assert page.locator("#id_data_error").count() == 1


BESIDE = """() => [...document.querySelectorAll(".ws-errors")].map((box) => {
  const [control] = document.querySelectorAll(`[aria-describedby~="${CSS.escape(box.dataset.field)}:error"]`);
  const [at, of] = [box.getBoundingClientRect(), control.getBoundingClientRect()];
  return [control.name, at.height > 0 && at.top >= of.bottom - 1 && at.top - of.bottom < 20 && at.left < of.right];
})"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_each_finding_is_below_its_control(page: Page, width: int, scheme: str) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.goto("/admin/shop/widget/2/change/")
    assert page.evaluate(BESIDE) == [
        ["data.#/accent", True],
        ["data.#/items/1/q", True],
        ["data.#/items/1/rank", True],
    ]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    ours, theirs = (
        page.locator(selector).first.evaluate("(one) => getComputedStyle(one).color")
        for selector in (".ws-form", ".ws-label")
    )
    assert ours == theirs  # and not the gray that the admin has for labels
    dark = page.locator(".ws-form").evaluate("(one) => getComputedStyle(one).color") != (
        "rgb(29, 33, 39)"
    )
    assert dark == (scheme == "dark")


STYLES = """() => [...document.querySelectorAll(".ws-main *:not(.ws-input, .ws-check, .ws-hidden, option, [type='hidden'])")].flatMap((one) =>
  ["", "::before", "::after"].map((part) => {
    const style = getComputedStyle(one, part);
    const names = "content color backgroundColor flexGrow flexBasis fontFamily fontSize fontWeight lineHeight padding".split(" ");
    return [one.tagName, one.className, part, ...names.map((name) => style[name])].join(" | ");
  }))"""
WITHOUT_ADMIN = """() => {
  for (const sheet of document.styleSheets) sheet.disabled = sheet.href.includes("/admin/");
}"""


@pytest.mark.parametrize("collapses", [False, True])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_styles_of_the_admin_change_nothing_in_a_form(
    page: Page, width: int, collapses: bool
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(reduced_motion="reduce")
    page.goto("/admin/shelf/shelf/1/change/" if not collapses else "/admin/shop/widget/2/change/")
    if collapses:
        page.evaluate("document.querySelector('fieldset.module').classList.add('collapse')")
    else:
        page.locator(".add-row a").click()
        page.locator("#event_set-0 .ws-tick").first.wait_for()
    page.evaluate("document.querySelectorAll('.ws-more').forEach((one) => { one.open = true; })")
    styles = page.evaluate(STYLES)
    page.evaluate(WITHOUT_ADMIN)
    pairs = zip(styles, page.evaluate(STYLES), strict=True)
    assert [(own, other) for own, other in pairs if own != other] == []

"""The script of forms in a real browser, under a strict Content-Security-Policy.

The application is small and keeps nothing: a page with a form, the address that it is posted to,
the address for live checks. What the script does on top of forms that work without it is here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

import widgetschema
from tests.benchmarks.payloads import VALID
from tests.chromium import HANG, Watched, watched
from widgetschema import WidgetType
from widgetschema.forms import Form
from widgetschema.forms.html import script, stylesheet
from widgetschema.local_server import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page
    from playwright.sync_api import Route as Held

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
ASSETS = {"forms.css": (stylesheet, "text/css"), "forms.js": (script, "text/javascript")}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "title": {"type": "string"},
        "count": {"type": "number"},
        "names": {"type": "array", "items": {"type": "string"}},
        "colour": {"type": "string", "format": "color"},
        "when": {"type": "string", "format": "date-time"},
        "what": {
            "oneOf": [
                {"title": "Words", "type": "string"},
                {
                    "title": "Picture",
                    "type": "object",
                    "properties": {"src": {"type": "string"}},
                    "required": ["src"],
                },
            ]
        },
    },
    "if": {"properties": {"title": {"const": "more"}}, "required": ["title"]},
    "then": {"properties": {"extra": {"type": "string"}}},
}
ANSWERS: Any = {
    "properties": {
        "card": {"type": "boolean"},
        "rows": {"type": "array", "items": {"$ref": "#/definitions/row"}},
    },
    "dependencies": {
        "card": {
            "oneOf": [
                {"properties": {"card": {"const": True}, "number": {"type": "string"}}},
                {"properties": {"card": {"const": False}}},
            ]
        }
    },
    "definitions": {
        "row": {
            "type": "object",
            "properties": {"a": {"type": "string"}},
            "if": {"properties": {"a": {"const": "more"}}, "required": ["a"]},
            "then": {"properties": {"b": {"type": "string"}}},
        }
    },
}
EITHER: Any = {
    "properties": {
        "date": {"anyOf": [{"type": "string"}, {"type": "string", "format": "date-time"}, {}]}
    }
}
ROWS: Any = {
    "properties": {
        "rows": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "number": {"type": "integer"},
                    "name": {"type": "string", "minLength": 1},
                },
                "required": ["number", "name"],
            },
        }
    }
}
DATA = {"title": "A", "names": ["x", "y"], "what": "text"}
TYPE = WidgetType.from_schema({"properties": {"data": SCHEMA}}, id="made-up")
COUNTDOWN = widgetschema.widget_type("countdown")
FORMS: dict[str, Form] = {
    "countdown": COUNTDOWN.form(VALID),
    "returning": COUNTDOWN.form(VALID),  # keeps what is saved, and shows it again
    "made-up": TYPE.form(DATA),
    "answers": WidgetType.from_data_schema(ANSWERS, id="answers").form(
        {"rows": [{"a": "one"}, {"a": "more", "b": "two"}, {"a": "three"}]}
    ),
    "rows": WidgetType.from_data_schema(ROWS, id="rows").form({"rows": []}),
    "free": COUNTDOWN.form_json(
        '{"content":{},"settings":{},"styles":{"title":{"color":"var(--x)","z":"1.50"}}}'
    ),
    "either": WidgetType.from_schema({"properties": {"data": EITHER}}, id="either").form(
        {"date": "2027-11-26T00:00:00Z"}
    ),
}


def shown(key: str, form: Form, status: int = 200) -> Response:
    page = form.page(assets="/assets/", live=f"/live/{key}", title=key)
    return HTMLResponse(page, status, {"Content-Security-Policy": POLICY})


async def page_of(request: Request) -> Response:
    key = request.path_params["key"]
    return shown(key, FORMS[key])


async def save(request: Request) -> Response:
    key = request.path_params["key"]
    submission = FORMS[key].submit(await request.form(max_fields=20_000))
    if submission.action is not None or not submission.valid:
        return shown(key, submission.form, 422)
    if key == "returning":
        FORMS[key] = COUNTDOWN.form_json(submission.text)
        return RedirectResponse(request.url.path, 303)
    return HTMLResponse(f"<title>Saved</title><pre>{escape(submission.text)}</pre>")


async def live(request: Request) -> Response:
    key = request.path_params["key"]
    submission = FORMS[key].submit(await request.form(max_fields=20_000))
    if key.endswith("-whole"):
        submission = replace(submission, page=None)
    return JSONResponse(submission.answer(live=f"/live/{key}"))


async def asset(request: Request) -> Response:
    read, kind = ASSETS[request.path_params["name"]]
    return Response(read(), media_type=kind)


async def nothing(_: Request) -> Response:
    return Response(status_code=204)


APP = Starlette(
    routes=[
        Route("/assets/{name}", asset),
        Route("/favicon.ico", nothing),
        Route("/live/{key}", live, methods=["POST"]),
        Route("/{key}", page_of),
        Route("/{key}", save, methods=["POST"]),
    ]
)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(APP, "127.0.0.1", 0, "forms") as origin:
        yield origin


@pytest.fixture
def watch(browser: Browser) -> Iterator[Watched]:
    # 422 is what a form that came back with mistakes answers; the browser says so on its console
    allowed = ("status of 409", "status of 422", "status of 500", "dialog: ")
    with watched(browser, allowed=allowed) as context:
        yield context


@pytest.fixture
def form(watch: Watched, address: str) -> Page:
    page = watch.page()
    page.goto(f"{address}/made-up")
    return page


def named(page: Page, name: str) -> Any:
    return page.locator(f'[name="{name}"]')


def state_of(page: Page, name: str) -> str | None:
    """The state of a field in its menu."""
    chosen = page.locator(f'[name="state{name}"]:checked')
    state: str | None = chosen.get_attribute("data-state")
    return state


def choose_state(page: Page, name: str, label: str) -> None:
    """Choose a state in the menu of a field, with the mouse."""
    field = page.locator(".ws-field, .ws-group").filter(
        has=page.locator(f'> .ws-more [name="state{name}"]')
    )
    field.hover(position={"x": 2, "y": 2})
    field.locator("> .ws-more > summary").click()
    field.locator("> .ws-more .ws-item", has_text=label).click()
    if field.locator("> .ws-more[open]").count():  # without the script
        field.locator("> .ws-more > summary").click()


def button(page: Page, value: str) -> Any:
    return page.locator(f'button[name=do][value="{value}"]')


def wait(page: Page, condition: str) -> None:
    """Wait until a condition holds, as a function, because pages do not allow `eval`."""
    page.wait_for_function(f"() => Boolean({condition})")


def wait_here(page: Page, is_so: Callable[[], bool]) -> None:
    """Wait until something holds in this process, and let the page go on."""
    for _ in range(HANG // 10):
        if is_so():
            return
        page.wait_for_timeout(10)
    raise AssertionError("it never comes")


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.name || document.activeElement.id"))


def saved(page: Page) -> str:
    page.locator("pre").wait_for()
    page.wait_for_load_state()  # then all of the text is there
    return page.locator("pre").text_content() or ""


def place_of(control: Locator) -> float:
    """The distance from the top of the window."""
    top: float = control.evaluate("(one) => one.getBoundingClientRect().top")
    return top


def test_findings_come_when_a_field_was_left(watch: Watched, address: str) -> None:
    page = watch.page()
    page.goto(f"{address}/countdown")
    control, other = named(page, "#/content/timerDays"), named(page, "#/content/timerHours")
    box = page.locator("#ws-content-timerDays\\:error")
    control.focus()
    with page.expect_response("**/live/*") as checked:
        page.keyboard.insert_text("abc")
    assert checked.value.json()["findings"]
    wait(page, "!document.querySelector('.ws-errors')")  # not while somebody types
    other.focus()
    place = place_of(other)
    box.wait_for()
    assert abs(place_of(other) - place) < 1
    assert page.locator(".ws-summary").count() == 0
    control.fill("7")
    wait(page, "document.querySelector('.ws-notice').textContent === 'No problems'")
    assert control.get_attribute("aria-invalid") is None
    assert not box.is_visible()
    assert abs(place_of(other) - place) < 1  # its room stays until the form is drawn again


def test_nothing_is_red_in_a_new_row(watch: Watched, address: str) -> None:
    page = watch.page()
    page.goto(f"{address}/rows")
    button(page, "add#/rows").click()
    number, name = named(page, "#/rows/+1/number"), named(page, "#/rows/+1/name")
    expect(number).to_be_focused()
    assert page.locator(".ws-errors, .ws-summary, [aria-invalid]").count() == 0
    number.fill("x")
    button(page, "add#/rows").click()  # which leaves the field
    expect(named(page, "#/rows/+2/number")).to_be_focused()
    assert page.locator(".ws-errors").count() == 1
    assert number.get_attribute("aria-invalid") == "true"
    button(page, "check").click()
    expect(page.locator(".ws-summary li")).to_have_count(4)
    assert name.get_attribute("aria-invalid") == "true"
    button(page, "add#/rows").click()
    expect(named(page, "#/rows/+3/number")).to_be_focused()
    assert page.locator(".ws-errors").count() == 4  # those of the check stay
    name.fill("A")
    expect(page.locator(".ws-summary .ws-done")).to_have_count(1)
    expect(page.locator(".ws-summary-heading")).to_have_text("3 problems")


def test_findings_come_and_go_while_somebody_types(watch: Watched, address: str) -> None:
    page = watch.page()
    page.goto(f"{address}/countdown")
    control = named(page, "#/content/timerDays")
    control.focus()
    control.fill("abc")
    button(page, "check").click()
    box = page.locator("#ws-content-timerDays\\:error")
    box.wait_for()
    control.focus()
    assert box.inner_text().split() == "Problem: Enter a number, for example 3".split()
    assert control.get_attribute("aria-invalid") == "true"
    assert control.get_attribute("aria-describedby") == "ws-content-timerDays:error"
    assert "There is 1 problem" in page.locator(".ws-summary").inner_text()
    assert page.locator(".ws-summary[role]").count() == 0  # it is said politely instead
    assert page.locator(".ws-count:visible").count() == 1
    assert focused(page) == "#/content/timerDays"
    details = page.locator(".ws-errors details")
    assert details.get_attribute("open") is None
    details.locator("summary").click()
    assert '"abc" is a string, but must be a number' in details.inner_text()
    page.locator(".ws-summary a").click()
    assert focused(page) == "#/content/timerDays"

    control.scroll_into_view_if_needed()
    page.evaluate("scrollBy(0, -200)")
    place = place_of(control)
    control.fill("7")
    box.wait_for(state="hidden")
    assert abs(place_of(control) - place) < 1
    assert control.get_attribute("aria-invalid") is None
    assert control.get_attribute("aria-describedby") is None
    assert page.locator(".ws-count:visible").count() == 0
    assert page.locator(".ws-summary .ws-done").count() == 1
    wait(page, "document.querySelector('.ws-notice').textContent === 'No problems'")


# Imitate a browser that does not draw the content of a form until its style changes.
LEFT_OUT = """(() => {
  const rects = Element.prototype.getClientRects;
  Element.prototype.getClientRects = function () {
    const layout = document.querySelector(".ws-layout");
    if (this !== layout && layout.style.display === "none") window.drawn = true;
    return this === layout && !window.drawn ? [] : rects.call(this);
  };
})();"""


def test_content_that_the_browser_has_left_out_is_drawn(watch: Watched, address: str) -> None:
    """Chromium sometimes does this while style sheets load slowly."""
    page = watch.page()
    page.add_init_script(LEFT_OUT)
    page.goto(f"{address}/made-up")
    wait(page, "window.drawn")
    assert named(page, "#/title").is_visible()
    assert page.locator(".ws-layout").get_attribute("style") in (None, "")


def test_a_button_does_what_a_finding_suggests(form: Page) -> None:
    count = named(form, "#/count")
    count.fill("1,5")
    count.blur()
    form.get_by_role("button", name="Use 1.5 for Count").click()
    form.locator(".ws-errors").wait_for(state="detached")
    assert count.input_value() == "1.5"
    assert focused(form) == "#/count"


def test_what_the_server_showed_is_taken_back_too(form: Page) -> None:
    named(form, "#/count").fill("1,5")
    form.keyboard.press("Enter")
    form.locator(".ws-summary:focus").wait_for()
    form.wait_for_load_state()
    assert named(form, "#/count").input_value() == "1,5"
    assert form.locator(".ws-hint").count() == 1
    named(form, "#/count").fill("1.5")
    form.locator(".ws-errors").wait_for(state="detached")
    assert form.locator(".ws-summary-heading").inner_text() == "No problems"


def test_rows_come_and_go_without_loading_the_page(form: Page) -> None:
    form.evaluate("window.here = true")
    button(form, "add#/names").click()
    named(form, "#/names/+1").wait_for()
    assert focused(form) == "#/names/+1"
    form.keyboard.type("z")
    button(form, "up#/names/+1").focus()
    form.keyboard.press("Enter")
    wait(form, """document.querySelector('[name="order#/names"]').value === '0,+1,1'""")
    wait(form, "document.activeElement.value === 'up#/names/+1'")
    assert named(form, "#/names/+1").input_value() == "z"
    button(form, "remove#/names/0").click()
    wait(form, """document.querySelector('[name="order#/names"]').value === '+1,1'""")
    assert focused(form) == "do"
    wait(form, "document.querySelector('.ws-notice').textContent === 'Remove Name 1: done'")
    assert button(form, "up#/names/+1").get_attribute("aria-disabled") == "true"
    assert form.evaluate("window.here")
    form.keyboard.press("Control+s")
    assert json.loads(saved(form)) == {**DATA, "names": ["z", "y"]}


def test_a_press_is_never_lost_nor_is_what_is_typed_meanwhile(form: Page) -> None:
    held: list[Held] = []
    form.route("**/live/*", lambda route: held.append(route))
    for _ in range(3):
        button(form, "add#/names").click()
    named(form, "#/names/0").fill("typed late")
    for number in (1, 2, 3):
        wait_here(form, lambda: bool(held))
        held.pop().continue_()
        named(form, f"#/names/+{number}").wait_for()
        assert named(form, "#/names/0").input_value() == "typed late"
    assert button(form, "remove#/names/+4").count() == 0


def test_other_controls_appear_where_the_schema_says_so(form: Page) -> None:
    title = named(form, "#/title")
    title.fill("mor")
    title.press_sequentially("e")
    named(form, "#/extra").wait_for()
    assert focused(form) == "#/title"
    form.keyboard.press("ArrowLeft")
    form.keyboard.type("-")
    named(form, "#/extra").wait_for(state="detached")
    assert title.input_value() == "mor-e"
    assert form.evaluate("document.activeElement.selectionStart") == 4


def test_an_answer_shows_its_fields_and_what_was_typed_meanwhile_stays(
    watch: Watched, address: str
) -> None:
    """Rows keep what was typed into them, also where their names are others now."""
    form = watch.page()
    form.goto(f"{address}/answers")
    form.locator("[name='#/card'][value='true']").check(force=True)
    named(form, "#/number").fill("55")
    held: list[Held] = []
    form.route("**/live/*", lambda route: held.append(route))
    named(form, "#/rows/2/a").fill("more")
    button(form, "remove#/rows/0").click()
    wait_here(form, lambda: any("remove" in (one.request.post_data or "") for one in held))
    named(form, "#/rows/1/b").focus()
    form.keyboard.press("End")
    form.keyboard.type("!")
    held.pop().continue_()
    named(form, "#/rows/1/b").and_(form.locator("[value='']")).wait_for()
    assert focused(form) == "#/rows/0/b"
    form.keyboard.type("?")
    form.unroute("**/live/*")
    form.keyboard.press("Control+s")
    assert json.loads(saved(form)) == {
        "rows": [{"a": "more", "b": "two!?"}, {"a": "more"}],
        "card": True,
        "number": "55",
    }


def test_the_chosen_alternative_is_the_one_that_is_seen(form: Page) -> None:
    words, picture = (named(form, "kind#/what").nth(at) for at in (0, 1))
    drafts = form.locator('[name^="#/what"]')
    assert [one.is_visible() for one in drafts.all()] == [True]
    picture.check()
    source = form.locator('input[name^="#/what"][name$="/src"]')
    source.wait_for()
    source.fill("a.png")
    words.check()
    wait(form, """![...document.querySelectorAll('[name$="/src"]')].some(e => e.offsetParent)""")
    picture.check()
    source.wait_for()
    assert source.input_value() == "a.png"
    form.keyboard.press("Control+s")
    assert json.loads(saved(form))["what"] == {"src": "a.png"}


@pytest.mark.parametrize("scripts", [True, False], ids=["script", "no script"])
def test_a_value_goes_along_to_another_alternative(
    browser: Browser, address: str, scripts: bool
) -> None:
    with watched(browser, allowed=("status of 422",), java_script_enabled=scripts) as context:
        page = context.page()
        page.goto(f"{address}/either")
        kinds = named(page, "kind#/date")
        assert kinds.nth(1).is_checked()  # the one that asks for most
        assert not kinds.nth(0).is_visible()
        show_others(page)
        for at, text in ((0, "2027-11-26T00:00:00Z"), (2, '"2027-11-26T00:00:00Z"')):
            kinds.nth(at).check()
            control = named(page, f"#/date;{at}")
            wait(page, f"""document.querySelector('[name="#/date;{at}"]').value""")
            assert control.is_visible()
            assert control.input_value() == text
        page.locator(".ws-primary").click()
        assert json.loads(saved(page)) == {"date": "2027-11-26T00:00:00Z"}


def edit_as_text(page: Page) -> None:
    """By the menu of a field for a moment."""
    page.locator(".ws-date-time:visible").hover()
    page.locator(".ws-date-time:visible > .ws-more > summary").click()
    page.get_by_role("button", name="Edit as text").click()


def show_others(page: Page) -> None:
    """By the menu of a field that stands for several alternatives."""
    page.locator(".ws-usual > .ws-branch-body > .ws-field").hover()
    page.locator(".ws-usual .ws-more > summary").click()
    page.get_by_label("Show other kinds of value").check()


def test_what_was_typed_goes_along_at_once(watch: Watched, address: str) -> None:
    form = watch.page()
    form.goto(f"{address}/either")
    kinds = named(form, "kind#/date")
    edit_as_text(form)
    named(form, "#/date;1").fill("soon")
    named(form, "#/date;1").blur()
    form.locator(".ws-errors").wait_for()
    show_others(form)
    kinds.nth(0).check()
    wait(form, """document.querySelector('[name="#/date;0"]').value === 'soon'""")
    form.locator(".ws-errors").wait_for(state="detached")
    assert focused(form) == "kind#/date"
    named(form, "#/date;0").fill("later")
    held: list[Held] = []
    form.route("**/live/*", lambda route: held.append(route))
    kinds.nth(2).check()
    kinds.nth(1).check()  # before there is an answer
    came = """document.querySelector('[name="#/date;1"]').value === 'later'"""

    def has_come() -> bool:
        while held:
            held.pop(0).continue_()
        return bool(form.evaluate(came))

    wait_here(form, has_come)
    assert kinds.nth(1).is_checked()
    form.unroute("**/live/*")
    kinds.nth(2).check()
    wait(form, """document.querySelector('[name="#/date;2"]').value === '"later"'""")
    form.keyboard.press("Control+s")
    assert json.loads(saved(form)) == {"date": "later"}


def test_the_same_page_comes_back_where_it_was(watch: Watched, address: str) -> None:
    """Sending a form leaves the page scrolled as before, with the caret where it was."""
    page = watch.page()
    page.set_viewport_size({"width": 600, "height": 300})
    page.goto(f"{address}/returning")
    last = named(page, "#/styles/customCSS")
    last.fill("b { color: red }")
    last.evaluate("one => one.setSelectionRange(3, 3)")
    top = page.evaluate("scrollY")
    assert top > 300
    with page.expect_navigation():
        page.keyboard.press("Control+s")
    assert page.evaluate("scrollY") == top
    assert focused(page) == "#/styles/customCSS"
    assert page.evaluate("document.activeElement.selectionStart") == 3
    page.goto(f"{address}/returning")
    assert page.evaluate("scrollY") == 0


COLOURS = [
    ("", "#0000ff"),
    ("red", "#0000ff"),
    ("#f00", "#0000ff"),
    ("#ff000080", "#0000ff80"),
    ("#f008", "#0000ff88"),
    ("rgba(255, 0, 0, 0.5)", "rgba(0, 0, 255, 0.5)"),
    ("hsl(120 100% 50% / 25%)", "rgba(0, 0, 255, 0.25)"),
    ("linear-gradient(red, blue)", "#0000ff"),
]
PICK = """(picker, value) => {
    picker.value = value;
    picker.dispatchEvent(new Event("input", { bubbles: true }));
}"""


def test_pickers_write_the_text_and_keep_what_they_cannot_show(form: Page) -> None:
    colour = named(form, "#/colour")
    picker = form.locator("input[type=color]")
    for text, expected in COLOURS:
        colour.fill(text)
        picker.evaluate(PICK, "#0000ff")
        assert colour.input_value() == expected
    assert picker.get_attribute("name") is None
    assert state_of(form, "#/colour") == "set"
    assert picker.get_attribute("aria-label") == "Choose Colour"
    colour.fill("#12ab34")
    assert picker.input_value() == "#12ab34"
    form.keyboard.press("Control+s")
    assert json.loads(saved(form))["colour"] == "#12ab34"


# Text, an edit of one part, the text then: what is not edited keeps its spelling.
MOMENTS = [
    ("2027-11-26T00:00:00Z", "date", "2030-01-02", "2030-01-02T00:00:00Z"),
    ("2027-11-26t10:11:12.50+05:30", "date", "2030-01-02", "2030-01-02t10:11:12.50+05:30"),
    ("2027-11-26t10:11:12+14:00", "time", "03:04:05", "2027-11-26t03:04:05+14:00"),
    ("2027-11-26 10:11:12z", "zone", "-09:30", "2027-11-26 10:11:12-09:30"),
    ("2027-11-26T10:11:12-00:00", "date", "0001-01-01", "0001-01-01T10:11:12-00:00"),
    ("0001-01-01T00:00:00+05:17", "time", "23:59", "0001-01-01T23:59:00+05:17"),
    ("9999-12-31T23:59:59Z", "zone", "local", "9999-12-31T23:59:59+01:00"),
    ("2027-11-26T10:11:12Z", "date", "", ""),
    ("2027-11-26T10:11:12Z", "time", "", "2027-11-26T10:11:12Z"),  # says that it is not complete
    ("", "date", "2030-07-02", "2030-07-02T00:00:00+02:00"),  # the offset of that day
    ("", "date", "2030-01-02", "2030-01-02T00:00:00+01:00"),
    ("", "time", "10:00", ""),  # a time without a date is none
]
NOT_SHOWN = [
    "2027-11-26T23:59:60Z",
    "2027-02-30T00:00:00Z",
    "2027-11-26T00:00:00.1234Z",
    "0000-01-01T00:00:00Z",
    "2027-11-26T00:00:00+24:00",
    "2027-11-26",
    " 2027-11-26T00:00:00Z",
    "tomorrow",
]
SET_TEXT = """(control, text) => {
    control.value = text;
    control.dispatchEvent(new Event("input", { bubbles: true }));
}"""


def test_a_moment_is_edited_by_its_parts(browser: Browser, address: str) -> None:
    with watched(browser, timezone_id="Europe/Berlin") as context:
        page = context.page()
        page.goto(f"{address}/made-up")
        text, note = named(page, "#/when"), page.locator('[id="ws-when:note"]')
        parts = {name: page.locator(f'[id="ws-when:{name}"]') for name in ("date", "time", "zone")}
        assert page.get_by_label("When", exact=True).get_attribute("type") == "date"
        assert parts["zone"].input_value() == "local"
        for before, part, value, after in MOMENTS:
            text.evaluate(SET_TEXT, before)
            parts[part].focus()  # then all time zones can be chosen
            parts[part].evaluate(PICK, value)
            assert text.input_value() == after
            assert {parts[name].get_attribute("name") for name in parts} == {None}
        for odd in NOT_SHOWN:
            text.evaluate(SET_TEXT, odd)
            assert text.is_visible()
            assert not parts["date"].is_visible()
            assert note.inner_text() == "Shown as text: the date control cannot show it"
            assert text.input_value() == odd
        text.evaluate(SET_TEXT, "2026-11-27T00:00:00Z")
        assert parts["date"].is_visible()
        assert " ".join(note.inner_text().split()) == "Nov 27, 2026, 1:00 AM in Europe/Berlin"
        page.keyboard.press("Control+s")
        assert json.loads(saved(page))["when"] == "2026-11-27T00:00:00Z"


def test_a_time_without_a_date_is_not_lost(form: Page) -> None:
    """The server says what is missing."""
    time = form.locator('[id="ws-when:time"]')
    time.fill("10:30")
    expect(form.locator('[id="ws-when:note"]')).to_have_text("Choose a date, too")
    form.get_by_role("button", name="Save").click()
    expect(form.locator(".ws-summary")).to_contain_text("When")
    assert named(form, "#/when").input_value() == "10:30"


def test_half_a_date_is_not_sent_as_none(form: Page) -> None:
    date = form.locator('[id="ws-when:date"]')
    date.focus()
    form.keyboard.type("11")  # only a month
    before = form.url
    form.keyboard.press("Control+s")
    assert date.evaluate("(one) => one === document.activeElement && one.validity.badInput")
    assert form.url == before
    date.fill("2026-11-27")
    form.keyboard.press("Control+s")
    assert json.loads(saved(form))["when"].startswith("2026-11-27T00:00:00")


def test_an_offset_that_stays_in_winter_is_said(browser: Browser, address: str) -> None:
    FORMS["summer"] = TYPE.form({"title": "A", "when": "2026-07-10T20:00:00+02:00"})
    with watched(browser, timezone_id="Europe/Berlin") as context:
        page = context.page()
        page.goto(f"{address}/summer")
        note, own = page.locator('[id="ws-when:note"]'), page.locator(".ws-moment > .ws-use")
        date = page.get_by_label("When", exact=True)
        assert not own.is_visible()
        date.fill("2026-12-10")
        said = "Still UTC+02:00; on this day, Europe/Berlin has UTC+01:00"
        expect(note).to_have_text(said)
        date.fill("2026-08-10")
        assert not own.is_visible()
        date.fill("2026-12-10")
        own.click()
        assert named(page, "#/when").input_value() == "2026-12-10T20:00:00+01:00"
        assert not own.is_visible()
        date.fill("2026-07-10")
        assert named(page, "#/when").input_value() == "2026-07-10T20:00:00+02:00"


@pytest.mark.parametrize(
    ("zone", "said"), [("UTC", "UTC"), ("Asia/Kolkata", "Asia/Calcutta (UTC+05:30)")]
)
def test_the_time_zone_of_the_visitor_is_said_once(
    browser: Browser, address: str, zone: str, said: str
) -> None:
    with watched(browser, timezone_id=zone) as context:
        page = context.page()
        page.goto(f"{address}/made-up")
        assert page.locator('[id="ws-when:zone"] option').first.text_content() == said


@pytest.mark.parametrize("text", [*NOT_SHOWN, *(before for before, *_ in MOMENTS if before)])
def test_a_moment_that_is_not_edited_keeps_its_bytes(
    watch: Watched, address: str, text: str
) -> None:
    FORMS["untouched"] = TYPE.form({"title": "A", "when": text})
    page = watch.page()
    page.goto(f"{address}/untouched")
    named(page, "#/title").fill("B")
    submitted = page.evaluate("new FormData(document.forms[0]).get('#/when')")
    assert submitted == text


def test_the_text_of_a_moment_on_demand(form: Page) -> None:
    text, date = named(form, "#/when"), form.get_by_label("When", exact=True)
    date.fill("2026-11-27")
    form.keyboard.press("ControlOrMeta+.")
    form.get_by_role("button", name="Edit as text").click()
    assert focused(form) == "#/when"
    text.fill("2026-11-27T00:00:00.123456Z")
    form.locator('[id="ws-when:note"]').wait_for(state="attached")
    named(form, "#/title").focus()
    assert text.is_visible()
    text.fill("2026-12-24T18:00:00Z")
    form.locator(".ws-date-time").hover()
    form.keyboard.press("ControlOrMeta+.")
    form.get_by_role("button", name="Edit as date and time").click()
    assert date.input_value() == "2026-12-24"
    form.keyboard.press("Alt+Delete")
    assert (date.input_value(), text.input_value()) == ("", "")
    form.keyboard.press("Control+s")
    assert "when" not in json.loads(saved(form))


def test_unsaved_changes_are_not_left_in_silence(watch: Watched, form: Page, address: str) -> None:
    form.goto(f"{address}/countdown")
    assert watch.said == []
    named(form, "#/content/timerTitle").fill("x")
    form.evaluate("document.querySelector('form').dispatchEvent("
                  "new CustomEvent('widgetschema:saved', { bubbles: true }))")  # fmt: skip
    form.goto(f"{address}/made-up")
    assert watch.said == []
    named(form, "#/title").fill("x")
    with form.expect_event("dialog"):
        form.close(run_before_unload=True)


def test_without_an_answer_the_form_works_as_without_a_script(form: Page) -> None:
    codes: list[int] = []
    form.route("**/live/*", lambda route: route.fulfill(status=codes[-1], body="no"))
    for code, said in ((409, "somebody else has changed this"), (500, "the server answers 500")):
        codes.append(code)
        named(form, "#/title").fill(said)
        wait(form, f"document.querySelector('.ws-notice').textContent.includes('{said}')")
    named(form, "#/title").fill("kept")
    button(form, "add#/names").click()
    named(form, "#/names/+1").wait_for()
    assert named(form, "#/title").input_value() == "kept"
    form.locator('[name="#/names/+1"]:focus').wait_for()


ODD = [*map(chr, [*range(1, 32), *range(127, 160)]), "\u2028", "\ufeff", "\u202e", "\ufffe", "</textarea>", '"&#13;']  # fmt: skip


@pytest.mark.parametrize("scripts", [True, False], ids=["script", "no script"])
def test_a_browser_gives_back_every_text(browser: Browser, address: str, scripts: bool) -> None:
    """The same as a parser says (`test_form_html`), of all odd characters at once."""
    type = WidgetType.from_schema(
        {"properties": {"data": {"additionalProperties": {"type": "string"}}}}, id="texts"
    )
    data = {f"{at}{odd}": f"\n{odd}{odd}a\n{odd}" for at, odd in enumerate(ODD)}
    data |= {f"one line {at}": odd for at, odd in enumerate(ODD) if odd not in "\r\n"}
    data |= {"": "", "__proto__": "a", "/": "b", ".": "c", "[0]": "d"}
    FORMS["texts"] = type.form(data)
    with watched(browser, java_script_enabled=scripts) as context:
        page = context.page()
        page.goto(f"{address}/texts")
        assert page.locator("[data-changed]").count() == 0
        page.locator(".ws-primary").click()
        assert saved(page) == FORMS["texts"].text


def test_a_free_object_is_edited_by_the_types_of_its_members(watch: Watched, address: str) -> None:
    page = watch.page()
    page.goto(f"{address}/free")
    title = page.get_by_role("group", name="Title", exact=True)
    title.get_by_label("Choose Color").fill("#336699")  # the picker
    kind = title.get_by_label("Kind of value of z", exact=True)
    title.get_by_label("z", exact=True).press("Control+.")
    assert focused(page) == "kind#/styles/title;0/z"
    kind.select_option(label="Number")
    expect(named(page, "#/styles/title;0/z;1")).to_have_value("1.50")
    assert focused(page) == "kind#/styles/title;0/z"
    title.get_by_role("button", name="Add to Title", exact=True).click()
    name = title.get_by_role("combobox", name="Name of New entry", exact=True)
    expect(name).to_be_focused()
    offered = name.evaluate("one => [...one.list.options].map(({ value }) => value)")
    assert "fontSize" in offered
    assert "color" not in offered
    name.fill("__proto__")
    title.get_by_label("Kind of value of New entry", exact=True).select_option(label="Yes or no")
    title.get_by_role("radio", name="Yes", exact=True).or_(title.get_by_role("checkbox")).check()
    page.keyboard.press("Tab")
    assert focused(page) != "kind#/styles/title;0/+1"  # one stop for each field
    code = title.get_by_label("Kind of value of Title", exact=True)
    code.select_option(label="Code (JSON)")
    text = named(page, "#/styles/title;1")
    expect(text).to_have_value(re.compile(r'"z": *1\.50'))
    text.fill(text.input_value().replace("1.50", "1.500"))
    page.get_by_label("Kind of value of Title", exact=True).select_option(label="Group")
    expect(named(page, "#/styles/title;0/z;1")).to_have_value("1.500")
    page.keyboard.press("Control+s")
    styles = '"styles":{"title":{"color":"#336699","z":1.500,"__proto__":true}}'
    assert saved(page).replace(" ", "").endswith(styles + "}")

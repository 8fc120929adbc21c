"""Forms in other people's applications: those that the README shows, by their own test clients."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import anyio
import httpx
import pytest
from django.test import Client as DjangoClient

import widgetschema
from tests.browsing import Pairs, edited, entries, text_of
from tests.form_apps import FOLDER, application
from widgetschema.jsontext import read

DOCUMENT: Final = Path(__file__).parents[1] / "data" / "widgets" / "black-friday.json"
GUIDE: Final = Path(__file__).parents[2] / "docs" / "guides" / "forms.md"
APPS: Final = sorted(path.stem for path in FOLDER.glob("*.py"))
Answer = tuple[int, str]


class Browser(NamedTuple):
    """A person with a browser: `get` the page, `post` a form."""

    get: Callable[[], Answer]
    post: Callable[[Pairs], Answer]


def by_flask() -> Browser:
    client = application("flask_app").app.test_client()

    def post(pairs: Pairs) -> Answer:
        answer = client.post("/", data=_lists(pairs))
        return answer.status_code, answer.text

    return Browser(lambda: (client.get("/").status_code, client.get("/").text), post)


def by_django() -> Browser:
    application("django_app")
    client: Any = DjangoClient(enforce_csrf_checks=True, headers={"host": "localhost"})

    def get() -> Answer:
        answer = client.get("/")
        return answer.status_code, answer.content.decode()

    def post(pairs: Pairs) -> Answer:
        answer = client.post("/", data=_lists(pairs))
        return answer.status_code, answer.content.decode()

    return Browser(get, post)


def by_fastapi() -> Browser:
    def get() -> Answer:
        answer = asked("GET", "/")
        return answer.status_code, answer.text

    def post(pairs: Pairs) -> Answer:
        answer = asked("POST", "/", pairs)
        return answer.status_code, answer.text

    return Browser(get, post)


def asked(method: str, path: str, pairs: Pairs | None = None) -> httpx.Response:
    """An answer of the FastAPI application, whose own test client is this one with a warning."""

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(application("fastapi_app").app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.request(method, path, data=_lists(pairs or []))

    return anyio.run(ask)


def _lists(pairs: Pairs) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    return found


BROWSERS: Final = {"flask_app": by_flask, "django_app": by_django, "fastapi_app": by_fastapi}


@pytest.fixture(params=APPS)
def browser(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: Any) -> Browser:
    """A browser of one of the applications, with a widget document in its folder."""
    (tmp_path / "widget.json").write_bytes(DOCUMENT.read_bytes())
    monkeypatch.chdir(tmp_path)
    made: Browser = BROWSERS[request.param]()
    return made


def saved() -> bytes:
    return Path("widget.json").read_bytes()


def test_untouched_is_saved_as_it_was(browser: Browser) -> None:
    status, page = browser.get()
    assert status == 200
    assert browser.post(entries(page))[0] in (302, 303)
    assert saved() == DOCUMENT.read_bytes()


def test_a_mistake_is_shown_beside_what_was_typed(browser: Browser) -> None:
    [name, *_] = [name for name, _ in numbers(browser)]
    pairs = edited(entries(browser.get()[1]), name, "about <b>ten</b>")
    status, page = browser.post(pairs)
    assert status == 422
    assert '"about <b>ten</b>" is a string, but must be a number' in text_of(page)
    assert "<b>ten" not in page
    assert dict(entries(page))[name] == "about <b>ten</b>"
    assert saved() == DOCUMENT.read_bytes()
    assert browser.post(edited(entries(page), name, "10"))[0] in (302, 303)
    assert saved() != DOCUMENT.read_bytes()


def numbers(browser: Browser) -> Pairs:
    """The controls of numbers of the document."""
    form = widgetschema.widget_type("countdown").form_json(saved(), at="/data")
    numeric = {field.name for field in form if field.kind in ("number", "integer")}
    return [pair for pair in entries(browser.get()[1]) if pair[0] in numeric]


def test_an_edit_is_one_line(browser: Browser) -> None:
    name = "#/data/content/timerTitle"
    before = saved()
    assert browser.post(edited(entries(browser.get()[1]), name, "Ends soon — “now”"))[0] in (
        302,
        303,
    )
    old, new = before.splitlines(), saved().splitlines()
    [(_, line)] = [pair for pair in zip(old, new, strict=True) if pair[0] != pair[1]]
    assert read(b"{%s}" % line.strip().rstrip(b","))["timerTitle"] == "Ends soon — “now”"


def test_a_button_changes_the_form_alone(browser: Browser) -> None:
    page = browser.get()[1]
    status, page = browser.post(entries(page, press="check"))
    assert status == 200
    assert saved() == DOCUMENT.read_bytes()


def test_edits_of_others_are_merged(browser: Browser) -> None:
    name = "#/data/content/timerTitle"
    pairs = edited(entries(browser.get()[1]), name, "Ends soon")
    now = saved().replace(b"2026-11-20", b"2026-11-21")
    assert now != saved()
    Path("widget.json").write_bytes(now)
    assert browser.post(pairs)[0] in (302, 303)
    assert b"2026-11-21" in saved()
    assert b"Ends soon" in saved()


def test_a_person_is_told_that_edits_of_others_came_in(browser: Browser) -> None:
    pairs = edited(entries(browser.get()[1]), "#/data/content/timerTitle", "Ends soon")
    now = saved().replace(b'"timerDays": 3', b'"timerDays": 4')
    assert now != saved()
    Path("widget.json").write_bytes(now)
    status, page = browser.post(pairs)
    assert status == 200
    assert "together with 1 change that somebody else has made" in text_of(page)
    assert ("#/data/content/timerDays", "4") in entries(page)
    assert b"Ends soon" in saved()
    assert browser.post(entries(page))[0] in (302, 303)  # it is the form of what was saved
    assert b'"timerDays": 4' in saved()


def test_a_person_chooses_between_edits_of_the_same(browser: Browser) -> None:
    name = "#/data/content/timerTitle"
    first = entries(browser.get()[1])
    assert browser.post(edited(first, name, "Theirs"))[0] in (302, 303)
    now = saved()
    status, page = browser.post(edited(first, name, "Mine"))
    assert status in (409, 422)
    assert saved() == now
    assert "Somebody else has changed this since the form was shown" in text_of(page)
    assert (name, "Mine") in entries(page)
    [value] = re.findall(r'value="(mine-[0-9a-f]+)"', page)
    assert browser.post([*entries(page), (f"choice{name}", value)])[0] in (302, 303)
    assert b"Mine" in saved()


def test_another_spelling_of_the_data_refuses_nothing(browser: Browser) -> None:
    pairs = edited(entries(browser.get()[1]), "#/data/content/timerTitle", "Ends soon")
    Path("widget.json").write_bytes(saved().replace(b"\n", b"\r\n"))
    assert browser.post(pairs)[0] in (302, 303)
    assert b"Ends soon" in saved()
    assert saved().count(b"\r\n") == saved().count(b"\n")


def test_what_is_no_form_is_refused_in_plain_text(browser: Browser) -> None:
    pairs = entries(browser.get()[1])
    status, page = browser.post([*pairs, ("base#", "x")])
    assert status == 409
    assert page.startswith("the controls of several forms were posted under the same names")


def test_others_cannot_post_to_django(tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "widget.json").write_bytes(DOCUMENT.read_bytes())
    monkeypatch.chdir(tmp_path)
    browser = by_django()
    pairs = entries(browser.get()[1])
    assert browser.post([pair for pair in pairs if pair[0] != "csrfmiddlewaretoken"])[0] == 403


def test_live_checks(tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "widget.json").write_bytes(DOCUMENT.read_bytes())
    monkeypatch.chdir(tmp_path)
    pairs = entries(by_fastapi().get()[1])
    answer = asked("POST", "/check", pairs).json()
    assert answer == {
        "valid": True, "complete": True, "changed": False, "findings": [], "errors": {},
        "summary": "", "html": None, "focus": None, "files": {}, "rendered": {}, "moved": [],
        "due": "",
    }  # fmt: skip
    wrong = edited(pairs, "#/data/content/timerDays", "-")
    assert not asked("POST", "/check", wrong).json()["errors"]  # the field was not left yet
    left = edited(wrong, "due#", "#/data/content/timerDays")
    answer = asked("POST", "/check", left).json()
    assert not answer["complete"]
    [finding] = answer["findings"]
    assert finding["path"] == "/data/content/timerDays"
    assert finding["message"] in text_of(answer["summary"])
    [markup] = answer["errors"].values()
    assert finding["message"] in text_of(markup)
    html = asked("POST", "/check", [*wrong, ("do", "check")]).json()["html"]
    assert finding["message"] in text_of(html)


@pytest.mark.parametrize("name", APPS)
def test_the_guide_shows_or_names_the_applications(name: str) -> None:
    text, guide = (FOLDER / f"{name}.py").read_text(encoding="utf-8"), GUIDE.read_text("utf-8")
    shown = f"<!-- from: tests/data/forms/apps/{name}.py -->\n"
    assert (shown in guide) is (name == "flask_app")
    assert "`tests/data/forms/apps`" in guide
    assert sum(1 for line in text.splitlines() if line) <= 31

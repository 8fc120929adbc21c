"""The gallery of the manual: each page at 1280 and 360 pixels, light and dark.

`tests.pictures` makes it. A picture shows a page at both widths beside each other; its colors are
reduced to those of a palette, which keeps it small. Needs the extra `docs`, for Pillow.
"""

from __future__ import annotations

import copy
import json
import re
import shutil
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from functools import partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from anyio.from_thread import start_blocking_portal
from flask import Flask
from PIL import Image
from playwright.sync_api import Browser, Page

import widgetschema
from examples import countdown_preview
from tests.benchmarks.payloads import VALID
from tests.browsing import edited, entries
from tests.checkout import ROOT
from tests.django_suite.started import started
from tests.editing import editor_of
from tests.fastapi_example import Clock, client, loaded, log_in, put
from tests.form_apps import wsgi_served
from tests.unit.forms.test_html import FORMS, after
from widgetschema import Languages, WidgetType
from widgetschema.editor import RenderedPreview, serving
from widgetschema.forms import Form
from widgetschema.forms.html import script, stylesheet
from widgetschema.integrations.flask import form_blueprint
from widgetschema.integrations.form_views import StoredData
from widgetschema.local_server import serving as serving_app
from widgetschema.sandbox import Sandbox, running

WIDTHS: Final = (1280, 360)
HEIGHT: Final = 960
SCHEMES: Final = ("light", "dark")
COLORS: Final = 96
GAP: Final = 24
TOPS: Final = {"styles": "#ws-styles"}
WIDGET: Final = ROOT / "tests" / "data" / "widgets" / "black-friday.json"
NOW: Final = datetime(2027, 11, 22, 9, 30, tzinfo=UTC)
UI: Final = {
    "": {
        "tabs": [
            {"label": "Texts", "members": ["content"]},
            {"label": "Looks", "members": ["settings", "styles"]},
        ]
    },
    "/content": {
        "columns": 2,
        "groups": [
            {
                "label": "The clock",
                "members": ["timerTitle", "countdownType", "expDate", "timerDays", "timerHours"],
                "help": "Shown until the countdown ends.",
            },
            {
                "label": "After the end",
                "members": ["postTitle", "postDescription", "postButtonText", "postButtonLink"],
                "closed": True,
            },
        ],
    },
    "/content/timerTitle": {"label": "Headline", "help": "Above the numbers."},
    "/content/countdownType": {
        "choices": {"count-to-date": "Until a date", "count-time-by-user": "For each visitor"}
    },
}
# A page of an application, with the custom properties that Bootstrap 5.3 sets
HOST: Final = """<!doctype html><html lang="en" data-bs-theme="{scheme}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>A page with Bootstrap</title>
<style>{css}</style><style>
:root {{ --bs-body-color: #212529; --bs-body-bg: #fff; --bs-secondary-color: #212529bf;
  --bs-tertiary-bg: #f8f9fa; --bs-border-color: #dee2e6; --bs-link-color: #6f2dbd;
  --bs-primary-bg-subtle: #eee3fa; --bs-danger-text-emphasis: #58151c; --bs-danger-bg-subtle: #f8d7da;
  --bs-border-radius: 0; --bs-border-radius-lg: 0; --bs-body-font-size: 1rem; }}
[data-bs-theme="dark"] {{ --bs-body-color: #dee2e6; --bs-body-bg: #212529;
  --bs-secondary-color: #dee2e6bf; --bs-tertiary-bg: #2b3035; --bs-border-color: #495057;
  --bs-link-color: #c8a2f5; --bs-primary-bg-subtle: #2d1747; --bs-danger-text-emphasis: #ea868f;
  --bs-danger-bg-subtle: #2c0b0e; }}
body {{ margin: 0; background: var(--bs-body-bg); color: var(--bs-body-color); font-family: Georgia, serif; }}
header {{ padding: 16px 24px; background: #6f2dbd; color: #fff; font-size: 20px; }}
main {{ max-width: 1140px; margin: 24px auto; padding: 0 12px; }}
</style><header>My shop</header><main>{form}</main>
<script>{script}</script></html>"""

# Fields of every special kind, for a team page of a shop
TEAM: Final = {
    "properties": {
        "name": {"type": "string", "examples": ["Anna Berger", "Ben Okafor"]},
        "photo": {
            "type": "string",
            "contentEncoding": "base64",
            "contentMediaType": "image/png",
            "description": "Square, at least 200 pixels wide.",
        },
        "contract": {"type": "string", "contentEncoding": "base64", "title": "Price list"},
        "about": {"type": "string", "format": "markdown"},
        "days": {
            "type": "array",
            "uniqueItems": True,
            "items": {"enum": ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]},
        },
        "experience": {"type": "integer", "minimum": 0, "maximum": 40, "title": "Years with us"},
        "accessKey": {"type": "string", "format": "password"},
        "number": {"type": "string", "readOnly": True, "title": "Staff number"},
    },
    "type": "object",
}
# An offer of a shop, with labels in two languages
OFFER: Final = {
    "properties": {
        "title": {"type": "string"},
        "kind": {"enum": ["date", "visitor"]},
        "until": {"type": "string", "format": "date-time"},
        "discount": {"type": "integer", "minimum": 0, "maximum": 50},
        "buttons": {
            "type": "array",
            "items": {
                "properties": {"text": {"type": "string"}, "link": {"type": "string"}},
                "type": "object",
            },
        },
        "style": {"type": "object"},
    },
    "required": ["title"],
    "type": "object",
}
OFFERS: Final = {
    "de": {
        "title": "Alles für den Winter",
        "kind": "date",
        "until": "2027-11-26T00:00:00+01:00",
        "discount": "zehn",
        "buttons": [
            {"text": "Alle Angebote", "link": "https://example.com/de"},
            {"text": "Kontakt"},
        ],
        "style": {"color": "#1c1c28", "fontSize": 32},
    },
    "ar": {
        "title": "كل شيء للشتاء",
        "kind": "date",
        "until": "2027-11-26T00:00:00+03:00",
        "discount": "عشرة",
        "buttons": [{"text": "كل العروض", "link": "https://example.com/ar"}, {"text": "اتصل بنا"}],
        "style": {"color": "#1c1c28", "fontSize": 32},
    },
}
_LABELS: Final = {
    "/title": ("Überschrift", "العنوان"),
    "/until": ("Ende", "النهاية"),
    "/discount": ("Rabatt in Prozent", "الخصم بالمئة"),
    "/buttons": ("Schaltflächen", "الأزرار"),
    "/buttons/*/text": ("Text", "النص"),
    "/buttons/*/link": ("Adresse", "الرابط"),
    "/style": ("Stil", "النمط"),
}
_KINDS: Final = {"date": ("Bis zu einem Tag", "حتى تاريخ"), "visitor": ("Je Besucher", "لكل زائر")}


def in_two(texts: tuple[str, str]) -> dict[str, dict[str, str]]:
    """A label in German and in Arabic."""
    return {"label": dict(zip(("de", "ar"), texts, strict=True))}


OFFER_UI: Final = {
    **{path: in_two(texts) for path, texts in _LABELS.items()},
    "/kind": {
        **in_two(("Art", "النوع")),
        "choices": {value: in_two(texts) for value, texts in _KINDS.items()},
    },
}
# The beginning of a translation, for a page from right to left
ARABIC: Final = {
    "language.name": "العربية",
    "language.direction": "rtl",
    "form.button.save": "حفظ",
    "form.button.check": "تحقق",
    "form.button.add": "إضافة",
    "form.choice.unset": "غير محدد",
    "form.state.unset": "غير محدد",
    "form.field.required": "مطلوب",
    "form.menu": "المزيد",
    "form.menus.show": "إظهار قائمة كل حقل",
    "form.nav": "الأقسام",
    "form.kind.json.object": "مجموعة حرة",
    "form.type.string": "نص",
    "form.type.number": "رقم",
    "form.type.boolean": "نعم أو لا",
    "form.type.array": "قائمة",
    "form.type.object": "مجموعة",
    "form.type.null": "بلا قيمة",
    "form.row.name": "الاسم",
    "form.row.up": "إلى الأعلى",
    "form.row.down": "إلى الأسفل",
    "form.row.copy": "نسخ",
    "form.row.remove": "حذف",
    "form.problem": "مشكلة:",
    "form.problems": "المشاكل: {number}",
    "form.details": "تفاصيل",
    "form.script.find-by-key": "ابحث عن حقل (/)",
    "form.script.only-set": "المحدد فقط",
    "form.script.only-found": "المشاكل فقط",
    "form.script.moment-your-zone": "منطقتك الزمنية",
    "form.bound.range": "من {low} إلى {high}",
    "form.script.moment-elsewhere": "{moment} ({zone})",
    "advice.type.enter-example": "أدخل {types}، مثلًا {example}",
    "advice.type.is-integer": "عددًا صحيحًا",
}

Shots = dict[tuple[str, int], bytes]


def gallery(browser: Browser, folder: Path) -> None:
    """Make all pictures of the gallery."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    with TemporaryDirectory() as scratch:
        for name, show in pages(Path(scratch)).items():
            context = browser.new_context(viewport={"width": WIDTHS[0], "height": HEIGHT})
            page = context.new_page()
            with ExitStack() as stack:
                found = shots(page, partial(show, page, stack), TOPS.get(name, "body"))
            context.close()
            for scheme in SCHEMES:
                beside(folder / f"{name}-{scheme}.png", [found[scheme, width] for width in WIDTHS])


def shots(page: Page, show: Callable[[], None], top: str) -> Shots:
    """Take the pictures of one page from an element on; it is shown once for each color scheme."""
    found: Shots = {}
    for scheme in SCHEMES:
        page.set_viewport_size({"width": WIDTHS[0], "height": HEIGHT})
        page.emulate_media(
            color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce"
        )
        show()
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": HEIGHT})
            page.evaluate("() => document.activeElement.blur()")
            page.locator(top).evaluate("(one) => one.scrollIntoView()")
            page.mouse.move(0, 0)
            found[scheme, width] = page.screenshot()
    return found


def beside(path: Path, pictures: list[bytes]) -> None:
    """Write pictures beside each other as one."""
    opened = [Image.open(BytesIO(one)).convert("RGB") for one in pictures]
    width = sum(one.width for one in opened) + GAP * (len(opened) - 1)
    whole = Image.new("RGB", (width, max(one.height for one in opened)), "#808080")
    left = 0
    for one in opened:
        whole.paste(one, (left, 0))
        left += one.width + GAP
    reduce_colors(whole, COLORS).save(path, optimize=True)


def reduce_colors(picture: Image.Image, colors: int) -> Image.Image:
    """Return a picture with a palette, which is a third as large as PNG and looks the same."""
    return picture.quantize(colors, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


Show = Callable[[Page, ExitStack], None]


def pages(scratch: Path) -> dict[str, Show]:
    """The pages to show, by the names of the files."""
    countdown = widgetschema.widget_type("countdown")
    team = WidgetType.from_data_schema(TEAM, id="team")
    offer = WidgetType.from_data_schema(OFFER, id="offer")
    arabic = Languages(translation(scratch))["ar"]
    wrong = after(FORMS["countdown, mistakes"], **{"#/content/timerHours": "1,5"}).form
    whole = {
        "form": countdown.form(VALID).page(title="Black Friday"),
        "findings": wrong.page(title="Black Friday"),
        "styles": countdown.form(VALID).page(title="Black Friday"),
        "lists": FORMS["lists"].page(title="Slides"),
        "ui": countdown.form(VALID, ui=UI).page(title="Black Friday"),
        "special": team.form(member()).page(title="Our team"),
        "conflicts": conflicts(countdown).page(title="Black Friday"),
        "german": offer.form(OFFERS["de"], ui=OFFER_UI, lang="de").page(title="Angebot"),
        "right-to-left": offer.form(OFFERS["ar"], ui=OFFER_UI, lang=arabic).page(title="عرض"),
        "compact": countdown.form(VALID).page(title="Black Friday", theme="compact"),
    }

    def with_markup(markup: str) -> Show:
        return lambda page, stack: page.set_content(markup)

    def host(page: Page, stack: ExitStack) -> None:
        dark = page.evaluate("() => matchMedia('(prefers-color-scheme: dark)').matches")
        markup = countdown.form(VALID).render(theme="host")
        page.set_content(
            HOST.format(
                scheme="dark" if dark else "light",
                css=stylesheet(),
                form=markup,
                script=script(),
            )
        )

    def edit(page: Page, stack: ExitStack, *, has_preview: bool) -> None:
        file = shutil.copy(WIDGET, scratch)
        preview = RenderedPreview(lambda data: countdown_preview.render(data, NOW))
        page.context.clear_cookies()
        page.goto(stack.enter_context(serving(editor_of(Path(file), preview=preview))))
        page.get_by_label("Timer title", exact=True).fill("The sale ends in")
        if has_preview:
            page.get_by_role("button", name="Preview", exact=True).click()
            frame = page.frame_locator(".ws-frame:last-child")
            frame.get_by_text("The sale ends in").wait_for()
        else:
            page.get_by_label("Timer days", exact=True).fill("soon")
            page.get_by_role("button", name="Check", exact=True).click()
            page.locator(".ws-summary").wait_for()

    def review(page: Page, stack: ExitStack) -> None:
        edit(page, stack, has_preview=False)
        page.get_by_label("Timer days", exact=True).fill("5")
        page.locator(".ws-summary .ws-done").wait_for()
        page.get_by_role("button", name="Review changes", exact=True).click()
        page.locator(".ed-review").wait_for()

    def application(page: Page, stack: ExitStack) -> None:
        app = Flask("shop")
        store = _Store(countdown)
        preview = partial(countdown_preview.render, now=NOW)
        blueprint = form_blueprint(store, preview=preview, options={"title": "Black Friday"})
        app.register_blueprint(blueprint, url_prefix="/forms")
        page.goto(f"{stack.enter_context(wsgi_served(app))}/forms/1")
        page.frame_locator(".ws-frame").get_by_text("Black Friday ends in").wait_for()

    def example(page: Page, stack: ExitStack) -> None:
        page.context.set_extra_http_headers({"x-user": "anna"})
        if page.url == "about:blank":  # its modules are there once
            page.goto(stack.enter_context(_example(scratch)))
        page.reload()
        page.get_by_label("Timer days", exact=True).fill("4")
        page.get_by_label("Timer days", exact=True).press("Tab")

    def admin(page: Page, stack: ExitStack) -> None:
        page.goto(f"{stack.enter_context(started())}/admin/")
        page.locator("#id_username").fill("editor")
        page.locator("#id_password").fill("editor")
        page.locator("[type=submit]").click()
        page.locator("#user-tools").wait_for()
        page.goto(page.url.partition("/admin/")[0] + "/admin/shop/widget/2/change/")

    return {
        **{name: with_markup(markup) for name, markup in whole.items()},
        "host": host,
        "preview": application,
        "fastapi": example,
        "editor": lambda page, stack: edit(page, stack, has_preview=False),
        "editor-preview": lambda page, stack: edit(page, stack, has_preview=True),
        "editor-review": review,
        "django-admin": admin,
    }


def translation(scratch: Path) -> Path:
    """Write the translation for a page from right to left; return its folder."""
    folder = scratch / "translations"
    folder.mkdir()
    command = [sys.executable, "-m", "widgetschema", "translations", "--template"]
    text = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
    for name, said in ARABIC.items():
        begin = text.index(f'msgctxt "{name}"')
        entry, end, rest = text[begin:].partition("\n\n")
        entry = re.sub(r'(msgstr(?:\[\d\])?) ""', f'\\1 "{said}"', entry)
        text = f"{text[:begin]}{entry}{end}{rest}"
    (folder / "ar.po").write_text(text, encoding="utf-8")
    return folder


def member() -> dict[str, Any]:
    """A member of a team, with a photo."""
    photo = Image.linear_gradient("L").resize((200, 200)).convert("RGB")
    made = BytesIO()
    photo.save(made, "PNG")
    return {
        "name": "Anna Berger",
        "photo": b64encode(made.getvalue()).decode(),
        "about": "Anna has been selling **skis** since 2009.\n\n- repairs\n- rentals",
        "days": ["Monday", "Thursday"],
        "experience": 16,
        "accessKey": "not shown",
        "number": "A-0042",
    }


def conflicts(countdown: WidgetType) -> Form:
    """A form that somebody has edited while somebody else has saved."""
    form = countdown.form(VALID)
    pairs = entries(form.render())
    theirs = copy.deepcopy(VALID)
    for name, mine, other in (
        ("timerTitle", "Last chance: ends in", "The sale ends in"),
        ("timerDays", 5, 4),
    ):
        pairs = edited(pairs, f"#/content/{name}", str(mine))
        theirs["content"][name] = other
    return countdown.form(theirs).submit(pairs, on_stale="rebase").form


@contextmanager
def _example(scratch: Path) -> Iterator[str]:
    """The address of a form of the example for FastAPI."""
    database = scratch / "widgets.sqlite"
    with running() as platform, loaded(platform, Clock(), database, print) as module:
        with start_blocking_portal() as portal:  # Playwright runs a loop in this thread
            portal.call(_saved, module, platform)
        with serving_app(module.app, "127.0.0.1", 0, "an application") as origin:
            yield f"{origin}/forms/sale"


async def _saved(module: Any, platform: Sandbox) -> None:
    async with client(module, "anna") as http:
        await log_in(http, platform)
        await put(http, "sale", json.dumps(VALID))


class _Store:
    """One stored widget, which is not changed."""

    def __init__(self, widget_type: widgetschema.WidgetType) -> None:
        self.widget_type = widget_type

    def load(self, key: str) -> StoredData:
        return StoredData(self.widget_type, json.dumps(VALID))

    def save(self, key: str, text: str, before: str) -> bool:
        return False

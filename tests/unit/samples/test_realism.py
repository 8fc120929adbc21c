"""Sample values make sense: for a name, a title, a format; in a language; of a length."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from random import Random
from typing import Any

import pytest

import widgetschema
from widgetschema import Validator, WidgetType
from widgetschema.samples.values import Text, kinds, realism
from widgetschema.samples.values import formats as formats_module
from widgetschema.samples.values.formats import (
    NOT_OF_FORMAT,
    content_text,
    format_text,
    singular,
    words_of,
)
from widgetschema.samples.values.locales import LOCALES, Locale, de, en, load_locale
from widgetschema.samples.values.realism import fitted, name_for, number_for, object_for, text_for
from widgetschema.samples.values.regular import TextPattern
from widgetschema.schema.keywords import FORMATS

EN, DE = load_locale("en"), load_locale("de")
ENGINES = ("rust", "python")


def least(n: int) -> int:
    return 0


def most(n: int) -> int:
    return n - 1


def draws(text: Text, count: int = 20, seed: int = 3) -> list[str]:
    below = Random(seed).randrange
    return [text(below) for _ in range(count)]


def of(names: str, title: str | None = None, locale: Locale = EN) -> list[str]:
    """Twenty texts for names written as one, from the outermost: `styles containerBg`."""
    text = text_for(names.split(), title, locale)
    return [text(least), text(most), *draws(text)]


# Words ------------------------------------------------------------------------------------

WORDS: list[tuple[str, tuple[str, ...]]] = [
    ("postButtonLink", ("post", "button", "link")),
    ("post_button_link", ("post", "button", "link")),
    ("Text of the button", ("text", "of", "the", "button")),
    ("HTMLText", ("html", "text")),
    ("imageURLs", ("image", "urls")),
    ("labels2", ("labels", "2")),
    ("layout10px", ("layout", "10", "px")),
    ("ALL_CAPS", ("all", "caps")),
    ("größeMax", ("größe", "max")),
    ("cafe\u0301Bar", ("cafe\u0301", "bar")),
    ("a/b.c[0]", ("a", "b", "c", "0")),
    ("", ()),
    ("🎉", ()),
]


@pytest.mark.parametrize(("name", "words"), WORDS, ids=[repr(row[0]) for row in WORDS])
def test_words_of(name: str, words: tuple[str, ...]) -> None:
    assert words_of(name) == words


@pytest.mark.parametrize(
    ("word", "one"),
    [
        ("categories", "category"),
        ("addresses", "address"),
        ("swatches", "swatch"),
        ("wishes", "wish"),
        ("cookies", "cookie"),
        ("series", "series"),
        ("css", "css"),
        ("status", "status"),
    ],
)
def test_singular(word: str, one: str) -> None:
    assert singular(word) == one


# Texts ------------------------------------------------------------------------------------


def is_in(pool: str, locale: Locale = EN) -> Callable[[str], object]:
    return frozenset(locale.pools[pool]).__contains__


def looks(pattern: str) -> Callable[[str], object]:
    return re.compile(pattern).fullmatch


HOST = r"https://example\.(com|org|net)"
COLOUR = looks("#[0-9a-f]{6}")
PAGE = looks(rf"{HOST}/[a-z-]+")
IMAGE = looks(rf"{HOST}/images/[a-z-]+\.jpg")
VIDEO = looks(rf"{HOST}/videos/[a-z-]+\.mp4")
FUTURE = looks(r"202[89]-.*Z")
PAST = looks(r"20[12]\d-.*Z")
MAIL = looks(r"[a-z.+_-]+@example\.(com|org|net)")
SIZE = looks(r"[\d.]+(px|rem|em)")
CSS = looks(r"[^{}]+\{.*\}")

SECRETS = "accessToken apiKey siteKey secretKey clientSecret".split()
KINDS: list[tuple[str, str | None, Callable[[str], object]]] = [
    ("timerTitle", None, is_in("timer_title")),
    ("countdown title", None, is_in("timer_title")),
    ("postTitle", None, is_in("post_title")),
    ("postDescription", None, is_in("post_description")),
    ("title", None, is_in("title")),
    ("Heading2", None, is_in("title")),
    ("posts title", None, is_in("title")),
    ("expDate", None, FUTURE),
    ("createdAt", None, PAST),
    ("dateOfBirth", None, looks(r"19\d\d-.*Z")),
    ("when", "Expiry date", FUTURE),
    ("when", "Date of creation, or when it was created", PAST),
    ("startTime", None, looks(r"\d\d:\d\d")),
    ("daysLabel", None, is_in("label_days")),
    ("dayLabel", None, is_in("label_days")),
    ("days label", None, is_in("label_days")),
    ("labels days", None, is_in("label_days")),
    ("emailLabel", None, is_in("label_email")),
    ("label", None, is_in("label")),
    ("labels2", None, is_in("label")),
    ("postButtonText", None, is_in("button")),
    ("foo", "Text on the button", is_in("button")),
    ("postButtonLink", None, PAGE),
    ("logoLink", None, PAGE),
    ("imageUrl", None, IMAGE),
    ("images url", None, IMAGE),
    ("foo", "Image URL", IMAGE),
    ("videoUrl", None, VIDEO),
    ("videoLink", None, VIDEO),
    ("audio url", None, looks(rf"{HOST}/audio/[a-z-]+\.mp3")),
    ("images alt", None, is_in("alt")),
    ("answerText", None, is_in("answer")),
    ("testimonials text", None, is_in("quote")),
    ("contactEmailAddress", None, MAIL),
    ("testimonials name", None, is_in("person")),
    ("jobTitle", None, is_in("job")),
    ("team members title", None, is_in("job")),
    ("plans plan name", None, is_in("plan")),
    ("name", None, is_in("project_name")),
    ("containerBg", None, COLOUR),
    ("containerBg 0", None, COLOUR),
    ("separator_colour", None, COLOUR),
    ("colors primary", None, COLOUR),
    ("colors muted", None, COLOUR),
    ("foo", "Colour of the title", COLOUR),
    ("customStyles", None, CSS),
    ("embedCode", None, looks(r"<.*>")),
    ("fontId", None, is_in("font")),
    ("fontWeight", None, is_in("font_weight")),
    ("padding top", None, SIZE),
    ("iconUrl", None, IMAGE),
    ("id", None, looks("[0-9a-f]{8}")),
    ("widgetId", None, looks("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")),
    ("languageCode", None, is_in("language")),
    ("countryCode", None, is_in("country_code")),
    ("currencySymbol", None, is_in("currency_sign")),
    ("skinId", None, is_in("layout")),
    ("tags", None, is_in("tag")),
    ("images photographer", None, is_in("person")),
    ("images foo", None, is_in("caption")),
    ("images 0", None, IMAGE),
    ("images href", None, PAGE),
    ("image mobile", None, IMAGE),
    ("imageUrls foo", None, IMAGE),
    ("links instagram", None, PAGE),
    ("author foo", None, is_in("phrase")),
    ("prices monthly", None, is_in("price")),
    ("badgeText", None, is_in("badge")),
    *((name, None, looks("example-[0-9a-f]{32}")) for name in SECRETS),
    ("popup notes", None, is_in("description")),
    ("compareAtPrice", None, is_in("old_price")),
    ("list price", None, is_in("price")),
    ("replyTo", None, MAIL),
    ("foo", None, is_in("phrase")),
    ("content foo", None, is_in("phrase")),
    ("foo", "Überschrift", is_in("phrase")),
    ("", None, is_in("phrase")),
]


@pytest.mark.parametrize(
    ("names", "title", "fits"), KINDS, ids=[f"{row[0]} {row[1] or ''}".strip() for row in KINDS]
)
def test_kinds(names: str, title: str | None, fits: Callable[[str], object]) -> None:
    assert [text for text in of(names, title) if not fits(text)] == []


def test_all_secrets_are_secret() -> None:
    assert all(text.startswith("example-") for text in of("secrets DEBUG", locale=EN))


def test_every_kind_in_the_tables_is_known() -> None:
    for _, _, kind in kinds.TEXTS:
        assert kind in realism._MAKERS or kind in EN.pools, kind
    assert {pool for _, _, pool in formats_module.MEDIA} <= EN.pools.keys()


@pytest.mark.parametrize("table", [kinds.TEXTS, kinds.NUMBERS], ids=["texts", "numbers"])
def test_no_row_is_hidden_by_one_before(table: Sequence[tuple[str, str, object]]) -> None:
    seen = set()
    for nouns, beside, _ in table:
        for noun in nouns.split():
            for word in beside.split() or [""]:
                assert (noun, word) not in seen, (noun, word)
                seen.add((noun, word))


# Numbers ----------------------------------------------------------------------------------

NUMBERS: list[tuple[str, str | None, tuple[float, float, float]]] = [
    ("timerDays", None, (0, 30, 1)),
    ("skinId", None, (1, 24, 1)),
    ("containerBorderRadius", None, (0, 32, 1)),
    ("cardsBorderWidth", None, (0, 8, 1)),
    ("width", None, (100, 1200, 10)),
    ("maxHeight", None, (660, 1200, 10)),
    ("numberOfColumns", None, (1, 6, 1)),
    ("maxItems", None, (13, 24, 1)),
    ("oldPrice", None, (300, 500, 0.5)),
    ("was", None, (300, 500, 0.5)),
    ("list price", None, (5, 250, 0.5)),
    ("discount", None, (5, 50, 5)),
    ("range min", None, (0, 50, 1)),
    ("range max", None, (51, 100, 1)),
    ("price from", None, (5, 127.5, 0.5)),
    ("price to", None, (128, 250, 0.5)),
    ("durationMin", None, (0, 29, 1)),
    ("minToMax", None, (0, 100, 1)),
    ("createdAt", None, (1_672_617_600_000, 1_798_761_540_000, 60_000)),
    ("expires", None, (1_830_297_600_000, 1_861_833_540_000, 60_000)),
    ("foo", "Delay in seconds", (1, 60, 1)),
    ("foo", "Number of seats", (1, 24, 1)),
    ("foo", None, (0, 100, 1)),
    ("", None, (0, 100, 1)),
]


@pytest.mark.parametrize(("names", "title", "expected"), NUMBERS, ids=[row[0] for row in NUMBERS])
def test_number_for(names: str, title: str | None, expected: tuple[float, float, float]) -> None:
    assert number_for(names.split(), title) == expected


def test_ranges_make_sense() -> None:
    for nouns, _, (low, high, step) in kinds.NUMBERS:
        assert low <= high, nouns
        assert 0 < step <= high - low, nouns
        assert ((high - low) / step).is_integer() or round((high - low) / step, 6) % 1 == 0, nouns


# Objects and maps -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "members"),
    [
        ("styles title", {"color", *realism._LETTERS}),
        ("styles", {"backgroundColor", "boxShadow", *realism._BOX}),
        ("data meta", {"name", "note"}),
        ("", {"name", "note"}),
    ],
)
def test_object_for(names: str, members: set[str]) -> None:
    make = object_for(names.split(), EN)
    below = Random(3).randrange
    made = [make(below) for _ in range(200)]

    assert make(least) == {}
    assert make(least) is not make(least)
    assert {name for one in made for name in one} == members
    assert max(map(len, made)) == min(3, len(members))
    assert all(type(value) in (str, int, float) for one in made for value in one.values())


@pytest.mark.parametrize(
    ("names", "pool"),
    [
        ("translations", "language"),
        ("colors", "style_name"),
        ("breakpoints", "screen_name"),
        ("openingHours", "day_name"),
        ("requestHeaders", "header_name"),
        ("foo", "map_name"),
        ("", "map_name"),
    ],
)
def test_name_for(names: str, pool: str) -> None:
    assert set(draws(name_for(names.split(), EN))) <= set(EN.pools[pool])


def test_old_prices_are_higher_and_ends_are_later() -> None:
    for name in ("Price", "Items", "Width", "Zoom", "Age", "Rating", "Scale", "Foo"):
        assert number_for([f"min{name}"], None)[1] < number_for([f"max{name}"], None)[0]
        assert number_for([name, "from"], None)[1] < number_for([name, "to"], None)[0]
    for locale in (EN, DE):
        now, before = (
            [
                float(re.sub(r"[^\d.]", "", text.replace(",", ".")) or 0)
                for text in locale.pools[pool]
            ]
            for pool in ("price", "old_price")
        )
        assert max(now) < min(before)


@pytest.mark.parametrize("negated", ["^", ""])
@pytest.mark.parametrize("escape", ["p", "P"])
@pytest.mark.parametrize("name", ["Emoji", "Emoji_Presentation", "Extended_Pictographic"])
def test_emoji(name: str, escape: str, negated: str) -> None:
    for pattern in (f"^\\{escape}{{{name}}}$", f"^[{negated}\\{escape}{{{name}}}]$"):
        is_valid = Validator({"pattern": pattern}).is_valid
        below = Random(3).randrange
        made = [TextPattern(pattern).make(below) for _ in range(50)]
        assert [text for text in made if text is None or not is_valid(text)] == []


# Lengths ----------------------------------------------------------------------------------

FITTED: list[tuple[str, int, int | None, str]] = [
    ("The sale is over", 0, None, "The sale is over"),
    ("The sale is over", 0, 15, "The sale is"),
    ("The sale is over", 0, 9, "The sale"),
    ("The sale is over", 9, 9, "The sale!"),
    ("The sale, now over", 0, 11, "The sale"),
    ("A kaleidoscope", 0, 9, "More"),
    ("From the kitchen", 5, 5, "From!"),
    ("Thank you.", 11, 11, "Thank you 2"),
    ("+49 30 23125", 7, 7, "+49 301"),
    ("3f2a91c0", 12, 12, "3f2a91c03f2a"),
    ("Größe 😀😀😀", 7, 7, "Größe 2"),
    ("   ", 2, 2, "11"),
    ("Sale", 5, None, "Sale and"),
    ("Sale", 5, 6, "Sale!"),
    ("https://example.com/a", 24, None, "https://example.com/a-and"),
]


@pytest.mark.parametrize(
    ("text", "low", "high", "expected"), FITTED, ids=[str(row[:3]) for row in FITTED]
)
def test_fitted(text: str, low: int, high: int | None, expected: str) -> None:
    assert fitted(text, low, high, least, EN) == expected


@pytest.mark.parametrize("locale", [EN, DE], ids=["en", "de"])
@pytest.mark.parametrize(
    "text", ["", "a", "Über uns, 😀 und mehr ", "https://example.com/a", "a" * 90, " " * 90]
)
def test_fitted_is_as_long_as_it_must_be(text: str, locale: Locale) -> None:
    below = Random(3).randrange
    for low in range(100):
        for high in (low, low + 1, low + 7, None):
            made = fitted(text, low, high, below, locale)
            assert low <= len(made) <= (len(made) if high is None else high)
            assert made == text or made == made.rstrip(" -")


@pytest.mark.parametrize("high", [100_000, 100_001, 200_000, None])
def test_long_texts_take_one_choice(high: int | None) -> None:
    asked: list[int] = []

    def below(n: int) -> int:
        asked.append(n)
        return n - 1

    assert 100_000 <= len(fitted("Sale", 100_000, high, below, DE)) <= 100_020
    assert len(asked) == 1


# Formats ----------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("locale", [EN, DE], ids=["en", "de"])
@pytest.mark.parametrize("format", sorted(FORMATS))
def test_texts_of_a_format_are_valid(format: str, locale: Locale, engine: str) -> None:
    is_valid = Validator({"format": format}, engine=engine).is_valid
    for name in ("foo", "expDate", "created", "birthday", "videoUrl", "logo", "link"):
        text = format_text(format, ["data", name], locale)
        assert text is not None
        made = [text(least), text(most), *draws(text, 200)]
        assert [one for one in made if not is_valid(one)] == []
        assert len(set(made)) > 4


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("format", sorted(FORMATS))
def test_mistakes_are_invalid(format: str, engine: str) -> None:
    is_valid = Validator({"format": format}, engine=engine).is_valid
    assert [text for text in NOT_OF_FORMAT[format] if is_valid(text)] == []


def test_there_are_mistakes_for_each_format_and_no_other() -> None:
    assert NOT_OF_FORMAT.keys() == FORMATS.keys()
    assert all(len(texts) >= 2 for texts in NOT_OF_FORMAT.values())


@pytest.mark.parametrize(
    ("format", "fits"),
    [
        ("color", COLOUR),
        ("colour", COLOUR),
        ("uuid", looks("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")),
    ],
)
def test_formats_that_assert_nothing(format: str, fits: Callable[[str], object]) -> None:
    text = format_text(format, [], EN)
    assert text is not None
    assert all(map(fits, (text(least), text(most), *draws(text))))


@pytest.mark.parametrize("format", ["", "unheard-of", "Date", "int32", "html"])
def test_unknown_formats_have_no_maker(format: str) -> None:
    assert format_text(format, ["title"], EN) is None


URIS = [
    ("backgroundImage", IMAGE),
    ("photos 0", IMAGE),
    ("video", VIDEO),
    ("gallery video url", VIDEO),
    ("image link", PAGE),
    ("$id", PAGE),
    ("brochure", looks(rf"{HOST}/files/[a-z-]+\.pdf")),
]


@pytest.mark.parametrize(("names", "fits"), URIS, ids=[row[0] for row in URIS])
@pytest.mark.parametrize("format", ["uri", "uri-reference"])
def test_addresses_by_name(format: str, names: str, fits: Callable[[str], object]) -> None:
    text = format_text(format, names.split(), EN)
    assert text is not None
    made = draws(text)
    if format == "uri" or fits is not PAGE:
        assert all(map(fits, made))
    else:
        assert any(map(fits, made))


YEARS = [  # around the first day of 2027
    ("expDate", 2028, 2029),
    ("since", 2023, 2026),
    *((f"{one} date", 2023, 2026) for one in "testimonials reviews posts comments news".split()),
    ("startOfHistory", 2023, 2024),
    ("membership endDate", 2025, 2026),
    ("createdEvent startsAt", 2027, 2027),
    ("startDate", 2027, 2027),
    ("endDate", 2028, 2029),
    ("birthDate", 1949, 1999),
    ("foo", 2027, 2028),
    ("", 2027, 2028),
]


@pytest.mark.parametrize(("names", "first", "last"), YEARS, ids=[row[0] for row in YEARS])
def test_dates_are_real_and_where_the_names_say(names: str, first: int, last: int) -> None:
    days, moments = (format_text(one, names.split(), EN) for one in ("date", "date-time"))
    assert days is not None
    assert moments is not None
    for text in (days(least), days(most), *draws(days, 200)):
        assert first <= date.fromisoformat(text).year <= last
    for text in (moments(least), moments(most), *draws(moments, 200)):
        moment = datetime.fromisoformat(text)
        assert moment.tzinfo == UTC
        assert first <= moment.year <= last


CONTENT: list[dict[str, str]] = [
    {"contentEncoding": "base64"},
    {"contentMediaType": "application/json"},
    {"contentEncoding": "base64", "contentMediaType": "application/json"},
    {"contentEncoding": "base64", "contentMediaType": "image/png"},
    {"contentEncoding": "quoted-printable", "contentMediaType": "application/json"},
]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("schema", CONTENT, ids=[" ".join(row.values()) for row in CONTENT])
def test_content(schema: dict[str, Any], engine: str) -> None:
    text = content_text(schema.get("contentEncoding"), schema.get("contentMediaType"))
    assert text is not None
    assert all(map(Validator(schema, engine=engine).is_valid, (text(least), *draws(text))))


@pytest.mark.parametrize(
    ("encoding", "media_type"),
    [(None, None), ("base32", None), (None, "text/html"), ("7bit", "image/png")],
)
def test_content_that_asserts_nothing(encoding: str | None, media_type: str | None) -> None:
    assert content_text(encoding, media_type) is None


# Locales ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("en", "en"),
        ("de", "de"),
        ("en-GB", "en"),
        ("de_AT", "de"),
        ("DE-ch", "de"),
        ("de-Latn-CH", "de"),
    ],
)
def test_load_locale(name: str, language: str) -> None:
    locale = load_locale(name)
    assert locale.name == language
    assert locale is load_locale(language)


@pytest.mark.parametrize("name", ["fr", "", "xx-DE", "en.GB", "../de", "english"])
def test_unknown_locales(name: str) -> None:
    with pytest.raises(LookupError, match="de, en"):
        load_locale(name)


def test_every_locale_has_every_pool() -> None:
    for name in LOCALES:
        assert load_locale(name).pools.keys() == EN.pools.keys()
    assert de.POOLS.keys() == en._READ.keys()


@pytest.mark.parametrize("locale", [EN, DE], ids=str)
def test_pools_are_sound(locale: Locale) -> None:
    for name, pool in locale.pools.items():
        assert len(pool) >= 2, name
        assert all(text and text == text.strip() and "\n" not in text for text in pool), name
        assert len(set(pool)) == len(pool) or name == "filler", name
        assert len(pool[0]) <= 60, name


def test_names_of_a_map_are_likely_also_if_the_schema_restricts_them() -> None:
    translations = {
        "type": "object",
        "propertyNames": {"pattern": "^[a-z-]+$"},
        "additionalProperties": {"type": "string"},
    }
    schema = {"type": "object", "properties": {"translations": translations}}
    every = WidgetType.from_data_schema(schema, id="x").samples(40)
    names = {name for one in every for name in one.get("translations", {})}
    assert names
    assert names <= {*EN.pools["language"]}


def test_null_is_rare_beside_a_list_or_a_text() -> None:
    nullable = {"anyOf": [{"type": "string"}, {"type": "null"}]}
    properties = {"extras": {"type": ["array", "null"]}, "note": nullable}
    schema = {"type": "object", "properties": properties}
    every = [*WidgetType.from_data_schema(schema, id="x").samples(200)]
    for name in ("extras", "note"):
        values = [one[name] for one in every if name in one]
        assert 0 < values.count(None) < len(values) * 0.3


def test_a_document_is_an_object_if_it_can_be() -> None:
    schema: dict[str, Any] = {
        "oneOf": [{"$ref": "#/definitions/a"}, {"type": "string", "pattern": "^$"}]
    }
    schema["definitions"] = {"a": {"type": "object", "properties": {"title": {"type": "string"}}}}
    every = [*WidgetType.from_data_schema(schema, id="a").samples(60)]
    assert sum(type(one) is dict for one in every) > 50


# Variety -----------------------------------------------------------------------------------


@pytest.mark.parametrize("locale", ["en", "de"])
def test_a_thousand_samples_have_many_titles(locale: str) -> None:
    countdown = widgetschema.widget_type("countdown")
    contents = [one["content"] for one in countdown.samples(1_000, locale=locale)]
    different = {
        name: len({one[name] for one in contents if name in one})
        for name in ("timerTitle", "postTitle", "postDescription", "expDate")
    }
    assert different["timerTitle"] > 80
    assert min(different["postTitle"], different["postDescription"]) > 30
    assert different["expDate"] > 300


def test_rows_of_a_list_differ() -> None:
    row = {
        "type": "object",
        "properties": {"question": {"type": "string"}, "answer": {"type": "string"}},
    }
    person = {
        "type": "object",
        "properties": {"colour": {"enum": ["red", "blue"]}, "size": {"enum": [1, 2]}},
    }
    for item in (row, person):
        kind = WidgetType.from_data_schema({"type": "array", "items": item}, id="rows")
        for rows in kind.samples(200):
            assert len({*map(repr, rows)}) == len(rows)


def test_dates_lie_around_a_day_that_the_seed_fixes() -> None:
    members = {
        "createdAt": {"type": "string", "format": "date-time"},
        "expires": {"type": "string", "format": "date"},
        "createdTimestamp": {"type": "integer"},
    }
    kind = WidgetType.from_data_schema(
        {"type": "object", "properties": members, "required": [*members]}, id="dated"
    )
    middles = set()
    for seed in range(20):
        made = [*kind.samples(100, seed)]
        created = max(date.fromisoformat(one["createdAt"][:10]) for one in made)
        first, last = (f(one["expires"] for one in made) for f in (min, max))
        assert 0 < (date.fromisoformat(first) - created).days < 500
        assert (date.fromisoformat(last) - created).days < 4 * 366
        stamps = [
            datetime.fromtimestamp(one["createdTimestamp"] / 1000, UTC).date() for one in made
        ]
        assert abs((max(stamps) - created).days) < 200
        assert date(2024, 6, 1) < created < date(2028, 7, 1)
        middles.add(created)
    assert len(middles) > 15

"""Texts in a format: a maker for each format of draft-07, and texts that only look like it.

Names, where they matter, tell what a text is about: `createdAt` lies in the past, `poster` is
the address of a picture. Hosts are those that RFC 2606 sets aside.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final, TypeVar

from widgetschema.samples.values import RandBelow, Text
from widgetschema.samples.values.horizon import Horizon, dates
from widgetschema.samples.values.locales import Locale
from widgetschema.suggest import singular as singular
from widgetschema.suggest import split_words

_Value = TypeVar("_Value")
Rows = tuple[tuple[str, str, _Value], ...]  # nouns; words one of which is beside, if any; what
Rules = dict[str, list[tuple[frozenset[str], _Value]]]


@lru_cache(maxsize=4096)
def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a name in lower case: `postButtonLink`, `post-button_link`,
    `HTMLText`.
    """
    return tuple(word.lower() for word in split_words(name))


# Names that say where a value is, not what: an unknown member of `content` is no description.
_AROUND: Final = frozenset(
    "content data settings setting style styles css options option config props properties item "
    "items list lists value values meta text theme layout design body details info params post "
    "posts".split()
)
_PREPOSITIONS: Final = frozenset("of for on in behind under below above".split())
_CONTEXT_NAMES: Final = 2  # how many of the surrounding names count


def by_noun(rows: Rows[_Value]) -> Rules[_Value]:
    """Return the rows of each noun, in their order."""
    rules: Rules[_Value] = {}
    for nouns, beside, value in rows:
        for noun in nouns.split():
            rules.setdefault(noun, []).append((frozenset(beside.split()), value))
    return rules


def decided(
    names: Sequence[str],
    title: str | None,
    rules: Rules[_Value],
    *,
    aside: frozenset[str] = _AROUND,
    alone: bool = False,
) -> _Value | None:
    """Return the value of the first rule that matches: the last name, the title, the names
    around.

    `aside` are words that do not count in names around; `alone` leaves these without a say of
    their own.

    The noun decides, and in English the noun comes last: so words are read from the last to
    the first. A row whose `beside` is in the same name counts more than one around it.
    """
    outer = [words_of(name) for name in names[-1 - _CONTEXT_NAMES : -1]]
    around = forms(word for words in outer for word in words) - aside
    readings = [words_of(name) for name in (*names[-1:], title or "")]
    if not alone:
        readings += [tuple(w for w in words if w not in aside) for words in reversed(outer)]
    for reading in readings:
        own = forms(reading)
        for word in reversed(_noun_last(reading)):
            rows = rules.get(word) or rules.get(singular(word)) or []
            for there in (own, around):
                for beside, value in rows:
                    if not beside.isdisjoint(there):
                        return value
            for beside, value in rows:
                if not beside:
                    return value
    return None


def forms(words: Iterable[str]) -> frozenset[str]:
    """Return words and their singulars."""
    return frozenset(form for word in words for form in (word, singular(word)))


def _noun_last(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words with what follows a preposition in front: "colour of the button"."""
    at = next((index for index, word in enumerate(words) if word in _PREPOSITIONS), 0)
    return (*words[at + 1 :], *words[:at]) if at else words


class Pool:
    """One of some texts: a `Text` that shows what it draws from."""

    __slots__ = ("texts",)

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts

    def __call__(self, randbelow: RandBelow) -> str:
        """Return one of the texts."""
        return self.texts[randbelow(len(self.texts))]


def format_text(format: str, names: Sequence[str], locale: Locale) -> Text | None:
    """Return the maker of texts in a format, for a member of that name; None if nothing is
    known.
    """
    if format in _BY_POOL:
        return Pool(locale.pools[_BY_POOL[format]])
    if format in _FIXED:
        return Pool(_FIXED[format])
    if format in ("date-time", "date"):
        return moment(names, locale.horizon, time=format == "date-time")
    if format in _ADDRESSES:
        return web_address(names, locale, more=_ADDRESSES[format])
    return uuid_text if format == "uuid" else None


_BY_POOL: Final = {
    "email": "email",
    "idn-email": "idn_email",
    "hostname": "hostname",
    "idn-hostname": "idn_hostname",
    "ipv4": "ipv4",
    "ipv6": "ipv6",
    "regex": "regex",
    "color": "colour",
    "colour": "colour",
}
_FIXED: Final = {
    "time": tuple(
        f"{hour:02}:{minute}:00{zone}"
        for zone in ("Z", "+02:00")
        for hour in (9, 0, 6, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 23)
        for minute in ("00", "30")
    ),
    "uri-template": (
        "https://example.com/{id}",
        "https://example.com/offers{?page,size}",
        "https://example.org/files/{+path}",
        "https://example.net/{language}/{slug}",
        "/widgets/{id}/data",
        "/search{?q,tags*}",
        "/help{#section}",
    ),
    "json-pointer": (
        "/data",
        "",
        "/data/content/title",
        "/items/0",
        "/items/12/label",
        "/styles/font~1size",
        "/notes/a~0b",
    ),
    "relative-json-pointer": ("0", "1", "0#", "1/title", "2/items/0", "3/data/content", "1#"),
}
_ADDRESSES: Final[dict[str, tuple[str, ...]]] = {  # what a format takes besides addresses
    "uri": (),
    "iri": (
        "https://example.com/straße",
        "https://example.org/größen?farbe=grün",
        "https://bücher.example.com/über-uns",
        "https://example.net/menü#käse",
        "https://example.com/例え",
    ),
    "uri-reference": ("/offers", "../menu", "about-us.html", "#top", "?page=2", "/shop/lamps"),
    "iri-reference": ("/offers", "../menü", "/straße", "#größe", "?seite=über-uns"),
}


def uuid_text(randbelow: RandBelow) -> str:
    """Return a UUID of version 4, variant 1 (RFC 4122)."""
    front, back = f"{randbelow(1 << 60):015x}", f"{randbelow(1 << 62) | 1 << 63:016x}"
    return f"{front[:8]}-{front[8:12]}-4{front[12:]}-{back[:4]}-{back[4:]}"


# An address -------------------------------------------------------------------------------

MEDIA: Final[Rows[str]] = (
    ("schema", "", "schema_url"),
    ("link href page target", "video movie", "video_url"),  # that of a picture leads elsewhere
    ("link href page website homepage site canonical target", "", "page_url"),
    ("image img photo picture pic logo avatar icon favicon background bg", "", "image_url"),
    ("thumbnail thumb poster cover banner screenshot illustration", "", "image_url"),
    ("gallery portrait wallpaper sprite", "", "image_url"),
    ("video movie clip film trailer stream mp4", "", "video_url"),
    ("audio sound music song podcast track mp3", "", "audio_url"),
    ("document attachment pdf download brochure", "", "document_url"),
    ("author photographer credit license licence copyright", "", "page_url"),
    ("src", "", "image_url"),
)
_MEDIA_RULES: Final = by_noun(MEDIA)


def web_address(names: Sequence[str], locale: Locale, more: tuple[str, ...] = ()) -> Text:
    """Return an absolute address of the thing that the names speak of.

    `more` are texts to draw from as well, unless it is a file that is meant.
    """
    pool = decided(names, None, _MEDIA_RULES) or "page_url"
    return Pool((*locale.pools[pool], *(more if pool == "page_url" else ())))


# A date -----------------------------------------------------------------------------------

_SCENERY: Final = _AROUND - {"post", "posts"}  # which are written, and not what comes after
# The first year, from the day around which dates lie, and of how many.
_AHEAD: Final = (0, 2)
_BEHIND: Final = (-4, 4)
_BIRTH: Final = (-78, 50)
_PAST: Final = (
    "history archive past membership employment work volunteer education experience career project"
)
_DONE: Final = "award certificate certification publication paper article album book exam"
_YEARS: Final = by_noun(
    (
        ("birth birthday birthdate born dob", "", _BIRTH),
        ("start begin from", _PAST, (-4, 2)),
        ("end until till to", _PAST, (-2, 2)),
        ("date release released issued", _DONE, _BEHIND),
        ("create created update updated modified changed published publish posted", "", _BEHIND),
        (
            "released accessed issued joined founded established registered since history archived",
            "",
            _BEHIND,
        ),
        ("previous past seen login visited opened added sent received ordered", "", _BEHIND),
        ("completed copyright built hired taken review comment post testimonial", "", _BEHIND),
        ("article news blog tweet story feed image photo picture", "", _BEHIND),
        ("exp expiry expire expiration expired deadline due end until till to", "", (1, 2)),
        ("finish close closing", "", (1, 2)),
        ("start begin from opening", "", (0, 1)),
        ("launch event next upcoming valid release arrival departure countdown", "", _AHEAD),
    )
)


def is_of_birth(names: Sequence[str]) -> bool:
    """Return True if a date is one of birth, which no horizon has."""
    return decided(names, None, _YEARS, aside=_SCENERY) == _BIRTH


def moment(names: Sequence[str], horizon: Horizon | None = None, *, time: bool = True) -> Text:
    """Return the maker of dates, with a time in UTC or without: in the future, unless a name
    says otherwise.
    """
    first, count = decided(names, None, _YEARS, aside=_SCENERY) or _AHEAD
    return dates(None if is_of_birth(names) else horizon, first, count, time=time)


# Content ----------------------------------------------------------------------------------

_JSON: Final = ("{}", "[]", "null", "12", '{"id": 7}', '"Sale"', '{"items": [1, 2, 3]}', "true")
_PLAIN: Final = ("Hi", "Welcome", "See you in spring", "Grüße aus dem Garten", "a,b,c", "1987")


def content_text(encoding: str | None, media_type: str | None, low: int = 0) -> Text | None:
    """Return the maker of encoded texts, JSON texts, or both, of at least `low` characters if that
    is easy; None where nothing is asserted.
    """
    encoded, json = encoding == "base64", media_type == "application/json"
    if not (encoded or json):
        return None
    pool: Iterable[str] = _JSON if json else _PLAIN
    if json:  # which may end with space
        pool = (text.ljust(low * 3 // 4 if encoded else low) for text in pool)
    if encoded:
        pool = (b64encode(text.encode()).decode() for text in pool)
    return Pool(tuple(pool))


# What people write instead ----------------------------------------------------------------

NOT_OF_FORMAT: Final[Mapping[str, tuple[str, ...]]] = {
    "date-time": ("2027-02-30T10:00:00Z", "2027-11-26T10:00:00", "26.11.2027 10:00", "tomorrow"),
    "date": ("2027-02-30", "26.11.2027", "11/26/2027", "2027-1-5", "next Friday"),
    "time": ("09:30", "9:30", "25:00:00Z", "half past nine"),
    "email": ("not an email", "ann.lee(at)example.com", "www.example.com"),
    "idn-email": ("not an email", "jürgen(at)example.com", "bücher.example.com"),
    "hostname": ("my_site.example.com", "example..com", "https://example.com", "-example.com"),
    "idn-hostname": ("bücher..example.com", "bü cher.example.com", "-bücher.example.com"),
    "ipv4": ("192.0.2.256", "192.0.2", "192,0,2,1", "localhost"),
    "ipv6": ("2001:db8::1::2", "192.0.2.1", "2001:db8:0:42", "2001:db8::g1"),
    "uri": ("http//example.com", "www.example.com", "/offers", "https://example.com/a page"),
    "uri-reference": (r"\\server\offers", "/offers for all", "/50%", "/preis-für-alle"),
    "iri": ("http//bücher.example.com", "/straße", "https://example.com/neue straße"),
    "iri-reference": (r"\\server\straße", "/neue straße", "/50%"),
    "uri-template": ("https://example.com/{id", "/offers/{a b}", "/offers/{}", "/offers/}"),
    "json-pointer": ("settings/title", "#/settings", "settings.title", "/a~b"),
    "relative-json-pointer": ("/settings/title", "../title", "-1/title", "01/title"),
    "regex": ("[a-z", "(open", "*.jpg", "a{2,1}"),
}

"""The summary of an audit as a page: what it says, that it adds up, that nothing breaks out of it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser, LexborNode

import widgetschema
from tests.auditing import MADE, NAMES, TITLE, full, largest, summary
from tests.effort import scaled
from widgetschema.audit.page import render
from widgetschema.audit.page.charts import MOST_COLUMNS, columns, lengths, pieces
from widgetschema.audit.page.views import (
    MOST_PLACES,
    dates,
    member_bars,
    mistake_bars,
    type_bars,
    verdict,
    whole,
    wrong_places,
)
from widgetschema.text import printable, share

Json = Any
PACKAGE: Final = Path(widgetschema.__file__).parent


def page_of(of: Json, title: str = TITLE, made: str = MADE) -> str:
    return render(of, title=title, made=made)


def parsed(of: Json) -> LexborHTMLParser:
    return LexborHTMLParser(page_of(of))


def words(node: LexborNode | None) -> str:
    assert node is not None
    return " ".join(node.text(separator=" ").split())


def values(page: LexborHTMLParser, selector: str) -> int:
    """The sum of what is drawn in a part of the page."""
    found = page.css(f"{selector} [data-value]")
    return sum(int((node.attributes["data-value"] or "").replace(",", "")) for node in found)


# What it says

VERDICTS: Final = {
    "many": "11,801 of 1,000,002 widgets are invalid (1.2 %)",
    "against": "12 of 1,000,000 widgets are no longer valid (0.0012 %)",
    "zero": "1,000,000 widgets, all valid",
    "nothing": "No widget was checked",
    "unfinished": "So far, 3 of 61,209 widgets are invalid (0.0049 %)",
}


def test_each_file_has_its_verdict() -> None:
    assert sorted(VERDICTS) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_the_page_says_what_the_summary_says(name: str) -> None:
    of = summary(name)
    page = parsed(of)
    assert words(page.css_first("#verdict")) == VERDICTS[name]
    assert words(page.css_first("h1")) == TITLE
    assert MADE in words(page.css_first("header"))
    tiles = {tile.attributes["data-tile"]: words(tile) for tile in page.css("[data-tile]")}
    members = {"before": "invalid_before"}
    assert {sort: f"{of[members.get(sort or '', sort)]:,}" for sort in tiles} == tiles
    for place in of["places"]:
        assert place["message"] in words(page.body)
        for one in place["examples"]:
            where = f"{one['file']}:{one['line']} id {one['id']}" if one["id"] else one["file"]
            assert where.replace("/", "/ ") in words(page.body)
    assert ("Unfinished" in words(page.body)) is not of["complete"]
    assert [words(node) for node in page.css("[aria-labelledby=schemas] th code")] == [
        one["id"] for one in (*of["schemas"], *of["older_schemas"])
    ]


@pytest.mark.parametrize("summed", [False, True])
def test_sums_that_may_count_a_record_twice_say_so(summed: bool) -> None:
    of = summary("many")
    [place, *_] = of["places"] = of["places"][:1]
    place["summed"] = summed
    [cell] = parsed(of).css(".au-count")
    assert words(cell).startswith(f"{'at most ' if summed else ''}{place['records']:,} ")


@pytest.mark.parametrize(
    "of", [*map(summary, NAMES), full(), largest()], ids=[*NAMES, "full", "largest"]
)
def test_charts_add_up(of: Json) -> None:
    page = parsed(of)
    wrong = [place for place in of["places"] if not place["keyword"].startswith(("json.", "probl"))]
    found = sum(place["findings"] for place in wrong) + of["other_places"]["findings"]
    assert values(page, "[aria-labelledby=types]") == of["invalid"]
    for chart in ("mistakes", "members"):
        assert values(page, f"[aria-labelledby={chart}]") == found
    assert values(page, ".au-numbers") == (of["invalid"] if of["dates"] else 0)
    assert type_bars(of).value == of["invalid"]
    assert mistake_bars(of).value == member_bars(of).value == found
    drawn = dates(of)
    dated = 0 if drawn is None else sum(column.value for column in drawn.columns)
    assert dated + of["undated"] == of["invalid"]
    assert sum(piece.value for piece in whole(of)) == of["records"]


PARTLY: Final = "No widget is invalid, but not everything could be checked"
NONE: Final[Json] = {
    "records": 0,
    "valid": 0,
    "invalid": 0,
    "unreadable": 0,
    "untyped": 0,
    "invalid_before": 0,
    "mended": 0,
    "sample": None,
    "truncated": 0,
    "complete": True,
    "against": False,
    "problems": [],
    "other_problems": 0,
}


@pytest.mark.parametrize(
    ("changes", "tone", "headline"),
    [
        ({}, "notice", "No widget was checked"),
        ({"complete": False}, "notice", "So far, no widget was checked"),
        ({"records": 1, "valid": 1}, "good", "1 widget, all valid"),
        ({"records": 2, "valid": 2, "complete": False}, "notice", "So far, 2 widgets, all valid"),
        ({"records": 2, "valid": 2, "other_problems": 1}, "notice", PARTLY),
        ({"records": 1, "valid": 1, "problems": [{}]}, "notice", PARTLY),
        ({"records": 3, "unreadable": 2, "untyped": 1}, "notice", PARTLY),
        ({"records": 3, "valid": 2, "untyped": 1}, "notice", PARTLY),
        ({"records": 1, "invalid": 1}, "bad", "1 of 1 widget is invalid (100 %)"),
        ({"records": 3, "invalid": 2, "valid": 1}, "bad", "2 of 3 widgets are invalid (66.7 %)"),
        (
            {"records": 9, "valid": 8, "invalid": 1, "against": True},
            "bad",
            "1 of 9 widgets is no longer valid (11.1 %)",
        ),
        (
            {"records": 9, "valid": 8, "invalid_before": 1, "against": True},
            "good",
            "None of 9 widgets became invalid",
        ),
        (
            {"records": 9, "valid": 8, "invalid_before": 1, "against": True, "problems": [{}]},
            "notice",
            "No widget became invalid, but not everything could be checked",
        ),
    ],
)
def test_verdicts(changes: Json, tone: str, headline: str) -> None:
    assert verdict({**NONE, **changes}) == (tone, headline, ())


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [
        (0, 0, "0 %"),
        (0, 5, "0 %"),
        (5, 5, "100 %"),
        (1, 3, "33.3 %"),
        (1, 2, "50 %"),
        (1, 10, "10 %"),
        (999, 10_000, "10 %"),
        (12, 1_000_000, "0.0012 %"),
        (1, 100_000, "0.001 %"),
        (1, 10**9, "under 0.0001 %"),
        (10**9 - 1, 10**9, "over 99.9 %"),
        (999, 1000, "99.9 %"),
    ],
)
def test_shares(part: int, whole: int, text: str) -> None:
    assert share(part, whole) == text


@given(st.integers(0, 10**12), st.integers(1, 10**12))
def test_a_share_is_nothing_or_all_only_if_it_is(part: int, whole: int) -> None:
    part = min(part, whole)
    assert (share(part, whole) == "0 %") is (part == 0)
    assert (share(part, whole) == "100 %") is (part == whole)


# Charts

DAY: Final = date(2026, 11, 22)
COUNTS = st.dictionaries(st.dates(), st.integers(0, 10**6), max_size=30)


@pytest.mark.parametrize(
    ("days", "unit", "number", "first"),
    [
        (1, "day", 1, "24 Aug 2026"),
        (62, "day", 62, "24 Aug 2026"),
        (63, "week", 9, "week of 24 Aug 2026"),
        (434, "week", 62, "week of 24 Aug 2026"),
        (435, "month", 16, "Aug 2026"),
        (366 * 5, "month", 61, "Aug 2026"),
        (366 * 6, "year", 7, "2026"),
        (366 * 100, "year", 101, "2026"),
    ],
)
def test_columns_are_as_long_as_they_have_to_be(
    days: int, unit: str, number: int, first: str
) -> None:
    monday = date(2026, 8, 24)
    made = columns([(monday + timedelta(at), 1) for at in range(days)])
    assert made is not None
    assert (made.unit, len(made.columns), made.columns[0].name) == (unit, number, first)
    assert sum(column.value for column in made.columns) == days


@given(COUNTS)
def test_columns_show_everything_in_its_place(counts: dict[date, int]) -> None:
    made = columns(list(counts.items()))
    whole = sum(counts.values())
    if made is None:
        assert whole == 0
        return
    assert sum(column.value for column in made.columns) == whole
    assert made.highest.value == max(column.value for column in made.columns)
    top = int(made.y_ticks[-1].label.replace(",", ""))
    behind = 0.0
    for column in made.columns:
        assert column.x >= behind - 0.01
        behind = column.x + column.width
        assert column.height == pytest.approx(max(0.6, 100 * column.value / top), abs=0.01)
    assert behind <= 100.1
    assert made.unit == "year" or 100 / made.columns[0].width <= MOST_COLUMNS + 0.1
    assert 1 <= len(made.x_ticks) <= 6
    assert 2 <= len(made.y_ticks) <= 5


def test_a_gap_is_a_gap() -> None:
    made = columns([(DAY, 4), (DAY + timedelta(9), 1)])
    assert made is not None
    assert [(column.x, column.width) for column in made.columns] == [(0, 10), (90, 10)]
    assert [column.height for column in made.columns] == [100, 25]


@given(st.lists(st.tuples(st.text(max_size=3), st.integers(0, 10**9)), max_size=6))
def test_pieces_are_the_whole(counts: list[tuple[str, int]]) -> None:
    made = pieces(counts)
    assert [(piece.name, piece.value) for piece in made] == [one for one in counts if one[1]]
    assert not made or sum(piece.width for piece in made) == pytest.approx(100, abs=0.1)
    assert all(piece.width > 0.5 for piece in made)
    bars = lengths([value for _, value in counts])
    assert [bar > 0.5 for bar in bars] == [value > 0 for _, value in counts]
    assert max(bars, default=100) in (0, 100)


# Nothing breaks out

HOSTILE: Final = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'-->]]><svg/onload=alert(1)>",
    "</title></style></bdi></table><h1>",
    "{{ 7 * 7 }}{% raw %}",
    "&lt;b&gt;&amp;",
    "javascript:alert(1)",
    "a\u202eb\u2066c\x1b[31m\x00\r\nd",
    "\ud800 \U0001f600 e\u0301",
    "/a/b~1c/*/" + "d" * 3000,
    "",
)
STRINGS = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=20))


def changed(value: Json, change: Callable[[str], str]) -> Json:
    """A JSON value with other strings, but for the names of members."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [changed(item, change) for item in value]
    if isinstance(value, dict):
        return {name: changed(item, change) for name, item in value.items()}
    return value


def nodes(markup: str) -> Iterator[LexborNode]:
    root = LexborHTMLParser(markup).root
    assert root is not None
    return root.traverse(include_text=False)


def shape(markup: str) -> list[tuple[str | None, tuple[str, ...]]]:
    """Elements and the names of their attributes; what comes and goes with lengths is left out."""
    return [
        (node.tag, tuple(name for name in node.attributes if name != "title"))
        for node in nodes(markup)
        if node.tag != "wbr"
    ]


MANY: Final = full()
KEPT: Final = {place["keyword"] for place in MANY["places"]}  # they say in which table it is


@settings(max_examples=scaled(15))
@given(st.lists(STRINGS, min_size=1, max_size=12), STRINGS)
@example(list(HOSTILE[:-1]), HOSTILE[0])
@example([HOSTILE[7]], HOSTILE[7])
def test_no_string_becomes_markup(texts: list[str], title: str) -> None:
    given = [text or "x" for text in texts]  # where there is no id, say, nothing is shown
    turn = iter(range(10**9))

    def change(text: str) -> str:
        if text in KEPT:
            return text
        return f"{given[next(turn) % len(given)]}{next(turn)}"  # all different, as they were

    of = changed({**MANY, "dates": [], "undated": 1}, change)
    markup = page_of(of, title, title)
    # Apart from the numbers at their ends, what is said is the same as for plain words.
    turn = iter(range(10**9))
    plain = changed(
        {**MANY, "dates": [], "undated": 1}, lambda text: text if text in KEPT else f"w{next(turn)}"
    )
    assert shape(markup) == shape(page_of(plain, "w", "w"))
    assert printable(markup.replace("\n", "")) == markup.replace("\n", "")
    markup.encode()


def test_strings_are_shown_as_they_are() -> None:
    of = changed(
        {**MANY, "dates": []}, lambda text: text if text in KEPT else f"{HOSTILE[1]}{HOSTILE[7]}"
    )
    assert printable(f"{HOSTILE[1]}{HOSTILE[7]}") == f"{HOSTILE[1]}a·b·c·[31m···d"
    assert page_of(of).count("a·b·c·[31m···d") > 100
    assert words(parsed(of).css_first(".au-message + p")) == printable(f"{HOSTILE[1]}{HOSTILE[7]}")


@pytest.mark.parametrize(
    "of", [*map(summary, NAMES), full(), largest()], ids=[*NAMES, "full", "largest"]
)
def test_nothing_is_asked_for(of: Json) -> None:
    markup = page_of(of)
    for node in nodes(markup):
        assert node.tag not in ("img", "iframe", "object", "embed", "form", "base", "a")
        for name, value in node.attributes.items():
            assert name not in ("src", "srcset", "action", "xlink:href"), node.html
            assert name != "href" or value == "data:,"
            assert not name.startswith("on")
    [style] = LexborHTMLParser(markup).css("style")
    assert not re.search(r"url\(|@import|@font-face", style.text())
    [policy] = LexborHTMLParser(markup).css("meta[http-equiv=Content-Security-Policy]")
    [script] = LexborHTMLParser(markup).css("script")
    assert script.attributes == {}
    digest = base64.b64encode(hashlib.sha256(script.text().encode()).digest()).decode()
    assert policy.attributes["content"] == (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        "img-src data:"
    )


def test_no_folder_of_a_machine_is_told() -> None:
    sources = {
        "/home/jane/schemas/countdown.json": "countdown.json",
        "C:\\Users\\jane\\countdown.json": "countdown.json",
        "file:///home/jane/countdown.json": "countdown.json",
        "schemas/countdown.json": "schemas/countdown.json",
        "bundled": "bundled",
        "https://platform.example.com/v1": "https://platform.example.com/v1",
    }
    known = MANY["schemas"][0]
    of = {**MANY, "schemas": [{**known, "source": one, "origin": one} for one in sources]}
    page = page_of(of)
    assert "jane" not in page
    found = LexborHTMLParser(page).css("#schemas ~ table td:nth-child(2) > bdi")
    assert [node.text() for node in found] == list(sources.values())


def test_a_page_has_room_for_a_great_deal() -> None:
    of = largest()
    markup = page_of(of)
    page = LexborHTMLParser(markup)
    assert 20 <= len(page.css("#places ~ details[open] .au-member > tr")) < 60
    listed = page.css("#places ~ details .au-member > tr")
    assert len(listed) == MOST_PLACES
    assert sum(bool(row.css(".au-examples")) for row in listed) == 100
    left = 2_311 + len(wrong_places(of)) - MOST_PLACES
    said = words(page.css_first("#places ~ .au-rest"))
    assert re.fullmatch(rf"{left:,} more places with [\d,]+ mistakes not listed\.", said)
    assert len(page.css(".au-types > li")) == 210
    assert "90 more types" in words(page.body)
    assert "4,120 more problems, not listed." in words(page.body)


def test_groups_are_on_the_page() -> None:
    page = parsed(full())
    section = page.css_first("section[aria-labelledby=by-1]")
    assert section is not None
    assert words(section.css_first("h2")) == "By Project ID"
    rows = section.css("tbody tr")
    assert len(rows) == 14
    assert words(rows[1]).startswith(
        "b7f3a1de-52f3-4c0f-8f5e-000000000001 860 of 8,950 · 9.6 % 1 men"
    )
    assert "Value not in the list: Content › Countdown type / content/ countdownType 9" in words(
        rows[1]
    )
    assert "4,197 more values: 800,000 records, 3,000 invalid." in words(section)
    assert "Without a text, number or boolean there: 12 records, none invalid." in words(section)


def test_places_of_groups_have_the_names_that_all_types_give_them() -> None:
    of = full()
    path = of["by"][0]["values"][1]["mistakes"][0]["path"]
    first, second, *_ = (one for one in of["places"] if one["keyword"] == "enum")
    first["path"], first["name"] = path, "Content › Kind"
    second["path"] = "/data"
    second["name"] = ""

    def told() -> str:
        return words(parsed(of).css("section[aria-labelledby=by-1] tbody tr li")[1])

    assert ": Content › Kind /" in told()
    second["path"], second["name"] = path, "Sort"
    assert "Content › Kind" not in told()


def test_all_data_of_a_widget_has_a_name() -> None:
    of = summary("many")
    of["places"][0]["path"], of["places"][0]["name"] = "/data", ""
    assert "The whole widget / data" in words(
        parsed(of).css_first("section[aria-labelledby=members]")
    )


def test_the_trend_is_on_the_page() -> None:
    section = parsed(full()).css_first("section[aria-labelledby=trend]")
    assert section is not None
    assert words(section.css_first("h2")) == "Since 1.json"
    bars = [words(one) for one in section.css(".au-trend > li")]
    assert bars[0].startswith("0.json 15,801 of 1,000,002 · 1.6 %")
    assert bars[-1].startswith("Now 11,801 of 1,000,002 · 1.2 %")
    rows = [words(one) for one in section.css("tbody tr")]
    assert rows[0].startswith("New 0 → 1,190 Settings › Show miliseconds")
    assert rows[1].startswith("More 3,910 → 4,210 Content › Countdown type")
    said = words(section)
    assert "by /projectId: 833 → 833 values with invalid records new: b7f3a1de" in said
    assert "gone: another-project" in said


def test_a_sample_and_what_is_not_counted_are_said() -> None:
    more = " ".join(verdict({**full(), "truncated": 1}).more)
    assert "A sample of 1 %; 99,000,000 records not checked. Of all records, 1.1 % to" in more
    assert "1 record has more findings than are counted" in more
    assert "Valid now, and not before: 91 widgets." in more


def test_rows_to_download_have_the_columns_that_are_named() -> None:
    page = parsed(full())
    tables = page.css("[data-table]")
    assert len({one.attributes["data-table"] for one in tables}) == len(tables) == 7
    for table in tables:
        named = json.loads(table.attributes["data-columns"] or "")
        rows = [json.loads(row.attributes["data-row"] or "") for row in table.css("[data-row]")]
        assert rows
        assert {len(row) for row in rows} == {len(named)}


def test_mistakes_are_below_their_member_and_type() -> None:
    of = summary("many")
    for one in (wrong := [one for one in of["places"] if one["type"] == "faq"]):
        one["path"], one["name"] = "/content/questions", "Content › Questions"
    page = parsed(of)
    [faq] = [one for one in page.css(".au-type") if words(one).startswith("faq ")]
    [member] = faq.css(".au-member")
    assert len(member.css("tr")) == len(wrong) == 3
    [head] = member.css("th")
    assert head.attributes["rowspan"] == "3"
    assert words(head) == "Content › Questions / content/ questions"


def test_the_same_makes_the_same() -> None:
    of = summary("many")
    assert page_of(of) == page_of(json.loads(json.dumps(of)))


def test_colours_are_those_of_forms() -> None:
    """Both stylesheets name the same colours; whoever changes one changes both."""
    forms = (PACKAGE / "forms/html/static/widgetschema/forms.css").read_text("utf-8")
    report = (PACKAGE / "reporters/pages/templates/report.css").read_text("utf-8")
    token = re.compile(r"(--ws-[a-z-]+): ([^;]+);")
    theirs = {*token.findall(forms)}
    for name, light, dark in re.findall(r"(--ws-[a-z-]+): light-dark\(([^,]+), ([^)]+)\);", forms):
        theirs |= {(name, light), (name, dark)}
    ours = token.findall(report)
    assert len(ours) > 20
    assert {*ours} <= theirs


WITHOUT: Final = """
import sys
sys.modules["jinja2"] = None
import json
from widgetschema import MissingExtra
from widgetschema.audit.page import render
try:
    render(json.loads(sys.stdin.read()), title="a", made="b")
except MissingExtra as error:
    print(error)
"""


def test_without_the_extra_it_says_what_to_install() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT],
        input=json.dumps(summary("zero")),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == (
        "the report as HTML needs the library Jinja2: install it with: "
        "pip install 'widgetschema[audit]'\n"
    )


def test_what_is_counted_of_each_type_is_said_where_none_is() -> None:
    of = summary("many")
    of |= {"invalid": 0, "places": [], "dates": [], "undated": 0, "findings": 0}
    for one in of["types"]:
        one["invalid"] = 0
    told = words(parsed(of).css_first("section[aria-labelledby=types]"))
    assert "Widget types Invalid widgets of each type. " in told
    told = words(parsed({**of, "against": True}).css_first("section[aria-labelledby=types]"))
    assert "No longer valid widgets of each type. " in told

"""Tokens as a value, and the hints of `expires_in`: tables and properties."""

from __future__ import annotations

import math
from email.utils import formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgetschema.platform.auth.tokens import (
    Tokens,
    fits_form,
    fits_header,
    from_json,
    from_members,
    seconds_until,
    to_json,
)
from widgetschema.platform.secret import Secret
from widgetschema.platform.values import TokenResponse

NOW = 1_700_000_000.0  # 2023-11-14T22:13:20Z
HOUR = 3_600.0

READ = {
    "3600": HOUR,
    "3600.0": HOUR,
    " 3600 ": HOUR,
    "+3600": HOUR,
    "0.5": 0.5,
    "1.": 1.0,
    "PT1H": HOUR,
    "pt1h": HOUR,
    "PT1H30M": 1.5 * HOUR,
    "PT0.5H": 0.5 * HOUR,
    "PT0,5H": 0.5 * HOUR,
    "P1D": 24 * HOUR,
    "P1DT1H": 25 * HOUR,
    "P2W": 14 * 24 * HOUR,
    "P1M": 30 * 24 * HOUR,
    "PT1M": 60.0,
    "P1Y": 365 * 24 * HOUR,
    "1h": HOUR,
    "90m": 1.5 * HOUR,
    "1h30m": 1.5 * HOUR,
    "1h 30m": 1.5 * HOUR,
    "3600s": HOUR,
    "3600 seconds": HOUR,
    "1 hour": HOUR,
    "1 Hour, 30 minutes": 1.5 * HOUR,
    "90 min.": 1.5 * HOUR,
    "3600000ms": HOUR,
    "30d": 30 * 24 * HOUR,
    "01:00:00": HOUR,
    "1:30:00.5": 1.5 * HOUR + 0.5,
    "1700003600": HOUR,
    "1700003600.0": HOUR,
    "1700003600000": HOUR,
    "2023-11-14T23:13:20Z": HOUR,
    "2023-11-14T23:13:20.000Z": HOUR,
    "2023-11-14t23:13:20z": HOUR,
    "2023-11-15T00:13:20+01:00": HOUR,
    "2023-11-14T23:13:20": HOUR,
    "2023-11-14 23:13:20": HOUR,
    "20231114T231320Z": HOUR,
    "2023-11-15": 106 * 60 + 40,
    "Tue, 14 Nov 2023 23:13:20 GMT": HOUR,
    "Tuesday, 14-Nov-23 23:13:20 GMT": HOUR,
    "Tue Nov 14 23:13:20 2023": HOUR,
}
NOT_READ = [
    "",
    " ",
    "-1",
    "-3600",
    "0",
    "0.0",
    "PT0S",
    "P",
    "PT",
    "0h",
    "nan",
    "inf",
    "Infinity",
    "1e400",
    "1e3",
    "1" * 5_000,
    "9" * 20,
    "1" * 14 + "h" * 50,
    "３６００",  # full-width digits
    "never",
    "soon",
    "1 fortnight",
    "1h30",
    "h",
    "1,5",
    "true",
    "null",
    '"3600"',
    "1600000000",  # past already
    "1600000000000",
    "100000000000000000",
    "2020-01-01",
    "0001-01-01T00:00:00+23:59",
    "9999-12-31T23:59:59-23:59",
    "2023-13-45",
    "2023-11-14T25:00:00Z",
    "Tue, 99 Nov 2023 23:13:20 GMT",
    "Tue, 14 Nov 99999 23:13:20 GMT",
    "Tue, ",
    "P100000Y",
    "eyJhbGciOiJIUzI1NiJ9.e30.abc",
    "3600\x00",
]


@pytest.mark.parametrize(("raw", "seconds"), READ.items(), ids=lambda value: repr(value)[:30])
def test_expires_in_is_read_in_many_forms(raw: str, seconds: float) -> None:
    assert seconds_until(raw, NOW) == pytest.approx(seconds)


@pytest.mark.parametrize("raw", NOT_READ, ids=lambda value: repr(value)[:30])
def test_what_says_nothing_is_no_hint(raw: str) -> None:
    assert seconds_until(raw, NOW) is None


def test_nothing_is_no_hint() -> None:
    assert seconds_until(None, NOW) is None
    assert seconds_until(3600, NOW) is None  # type: ignore[arg-type]


@given(st.text() | st.text("0123456789PTHMSDWY.:-+ hmsdZ,GMT", max_size=110), st.floats(0, 4e9))
def test_a_hint_is_never_an_error(raw: str, obtained: float) -> None:
    seconds = seconds_until(raw, obtained)

    assert seconds is None or (math.isfinite(seconds) and seconds > 0)


@given(st.integers(1, 10**9 - 1))
def test_whole_seconds_are_themselves(seconds: int) -> None:
    assert seconds_until(str(seconds), NOW) == seconds
    assert seconds_until(f"PT{seconds}S", NOW) == seconds
    assert seconds_until(f"{seconds}s", NOW) == seconds


@given(st.integers(1, 10**8))
def test_instants_are_relative_to_when_the_token_was_obtained(seconds: int) -> None:
    instant = int(NOW) + seconds

    assert seconds_until(str(instant), NOW) == seconds
    assert seconds_until(str(instant * 1000), NOW) == seconds
    assert seconds_until(formatdate(instant, usegmt=True), NOW) == seconds


# Tokens


def tokens(**changes: object) -> Tokens:
    fields: dict[str, object] = {
        "access_token": Secret("a"),
        "base_url": "https://x.example",
        "auth_url": "https://auth.example",
        "refresh_token": Secret("r"),
        "expires_in": "3600",
        "refresh_token_expires_in": "30d",
        "obtained": NOW,
        "refresh_token_obtained": NOW,
        "client_id": "c",
        "client_secret": Secret("s"),
        "account": "me",
    }
    return Tokens(**{**fields, **changes})  # type: ignore[arg-type]


def test_hints_are_instants() -> None:
    assert tokens().expires_at() == NOW + HOUR
    assert tokens().refresh_token_expires_at() == NOW + 30 * 24 * HOUR
    assert tokens(expires_in="?").expires_at() is None
    assert tokens(refresh_token_expires_in=None).refresh_token_expires_at() is None


def test_a_refresh_without_a_refresh_token_keeps_the_old_one() -> None:
    later = tokens().renewed(TokenResponse(Secret("b"), "60"), NOW + 10)

    assert later == tokens(access_token=Secret("b"), expires_in="60", obtained=NOW + 10)
    assert later.refresh_token_expires_at() == tokens().refresh_token_expires_at()


def test_an_empty_refresh_token_is_none() -> None:
    later = tokens().renewed(TokenResponse(Secret("b"), "60", Secret("")), NOW + 10)

    assert later.refresh_token == Secret("r")


def test_a_refresh_with_a_refresh_token_replaces_the_old_one() -> None:
    response = TokenResponse(Secret("b"), "60", Secret("r2"), "1d")
    later = tokens().renewed(response, NOW + 10)

    assert later.refresh_token == Secret("r2")
    assert later.refresh_token_expires_at() == NOW + 10 + 24 * HOUR
    assert later.account == "me"


def test_accounts_get_names_that_differ() -> None:
    names = {Tokens(Secret("a"), "https://x.example").account for _ in range(50)}

    assert len(names) == 50
    assert all(len(name) == 16 for name in names)


def test_a_repr_tells_no_secret() -> None:
    shown = repr(tokens(access_token=Secret("canary1"), client_secret=Secret("canary2")))

    assert "canary" not in shown
    assert "https://x.example" in shown


sendable = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1).map(Secret)


@given(sendable, st.none() | sendable, st.none() | st.text(), st.floats(0, 1e10))
def test_json_and_back_is_identity(
    access: Secret, other: Secret | None, text: str | None, time: float
) -> None:
    one = tokens(
        access_token=access,
        refresh_token=other,
        client_secret=other,
        expires_in=text,
        client_id=text,
        auth_url=text,
        obtained=time,
    )

    assert from_json(to_json(one), one.base_url) == one


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "{}", '{"access_token": 3}', '{"access_token": ""}', "[" * 100_000],
    ids=lambda text: text[:20],
)
def test_other_json_is_no_tokens(text: str) -> None:
    assert from_json(Secret(text), "https://x.example") is None


@pytest.mark.parametrize("text", [r"a\ud800", r"a\u0000b", r"a\nb"])
def test_tokens_that_cannot_be_sent_are_none(text: str) -> None:
    assert from_json(Secret(f'{{"access_token": "{text}"}}'), "https://x.example") is None


def test_members_of_odd_types_are_left_out() -> None:
    odd = {"access_token": "a", "expires_in": 3, "refresh_token": [], "obtained": "x"}

    assert from_members(odd, "https://x.example") == Tokens(
        Secret("a"), "https://x.example", account=""
    )


@pytest.mark.parametrize(
    ("text", "header", "form"),
    [
        ("abc-._~+/=", True, True),
        ("!~", True, True),
        ("", False, False),
        ("a b", False, True),
        ("é", False, True),
        ("a\n", False, False),
        ("a\r\nX: y", False, False),
        ("a\x7f", False, False),
        ("\udc80", False, False),
    ],
)
def test_what_can_be_sent(text: str, header: bool, form: bool) -> None:
    assert fits_header(Secret(text)) is header
    assert fits_form(Secret(text)) is form

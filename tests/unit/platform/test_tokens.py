"""Tokens as a value, and the hints of `expires_in`: tables and properties."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgetschema.platform.auth.tokens import (
    Tokens,
    fits_form,
    fits_header,
    from_members,
    lifetime,
)
from widgetschema.platform.responses import TokenResponse
from widgetschema.platform.secret import Secret

NOW = 1_700_000_000.0  # 2023-11-14T22:13:20Z
HOUR = 3_600.0

READ = {"3600": HOUR, "3600.0": HOUR, " 3600 ": HOUR, "0.5": 0.5, "1.": 1.0, "86400": 24 * HOUR}
NOT_READ = [
    "",
    " ",
    "-1",
    "+3600",
    "0",
    "0.0",
    "nan",
    "inf",
    "1e3",
    "1" * 5_000,
    "３６００",  # full-width digits
    "never",
    "1h",
    "PT1H",
    "01:00:00",
    '"3600"',
    "1700003600",  # an instant: as a duration it would be more than thirty years
    "2023-11-14T23:13:20Z",
    "Tue, 14 Nov 2023 23:13:20 GMT",
    "eyJhbGciOiJIUzI1NiJ9.e30.abc",
    "3600\x00",
]


@pytest.mark.parametrize(("raw", "seconds"), READ.items(), ids=lambda value: repr(value)[:30])
def test_expires_in_is_read_as_decimal_seconds(raw: str, seconds: float) -> None:
    assert lifetime(raw) == seconds


@pytest.mark.parametrize("raw", NOT_READ, ids=lambda value: repr(value)[:30])
def test_what_says_nothing_is_no_hint(raw: str) -> None:
    assert lifetime(raw) is None


def test_nothing_is_no_hint() -> None:
    assert lifetime(None) is None
    assert lifetime(3600) is None  # type: ignore[arg-type]


@given(st.text() | st.text("0123456789. ", max_size=20))
def test_a_hint_is_never_an_error(raw: str) -> None:
    seconds = lifetime(raw)

    assert seconds is None or (math.isfinite(seconds) and seconds > 0)


# Tokens


def tokens(**changes: object) -> Tokens:
    fields: dict[str, object] = {
        "access_token": Secret("a"),
        "base_url": "https://x.example",
        "auth_url": "https://auth.example",
        "refresh_token": Secret("r"),
        "expires_in": "3600",
        "refresh_token_expires_in": "2592000",
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
    response = TokenResponse(Secret("b"), "60", Secret("r2"), "86400")
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

    assert Tokens.from_json(one.to_json(), one.base_url) == one


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "null", "{}", "[" * 100_000, '{"access_token": "of no platform"}'),
        '{"base_url": "https://y.example", "access_token": "of another"}',
        '{"base_url": "https://x.example", "access_token": 3}',
        '{"base_url": "https://x.example", "access_token": ""}',
    ],
    ids=lambda text: text[:20],
)
def test_other_json_is_no_tokens(text: str) -> None:
    assert Tokens.from_json(Secret(text), "https://x.example") is None


@pytest.mark.parametrize("text", [r"a\ud800", r"a\u0000b", r"a\nb"])
def test_tokens_that_cannot_be_sent_are_none(text: str) -> None:
    written = f'{{"base_url": "https://x.example", "access_token": "{text}"}}'

    assert Tokens.from_json(written, "https://x.example") is None


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

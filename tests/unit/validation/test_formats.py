"""Each format of draft-07 accepts the same texts in both engines: those of its specification."""

from __future__ import annotations

import pytest

from tests.format_texts import compare
from widgetschema import Validator
from widgetschema.schema.keywords import FORMAT_SYNTAX, FORMATS

MAILBOXES = [
    "a@b", "john.doe+x@example.com", "!#$%&'*+-/=?^_`{|}~@x-y.z9", '"a b"@c.de', '"a\\"\\\\b"@c.de', '""@b.de',
    '"<script>"@c.de', "a@[127.0.0.1]", "a@[IPv6:2001:db8::1]", "a@[ipv6:::1]", "a@1.2.3.4", "a@xn--bcher-kva.de",
    "a" * 64 + "@b.de", '"a@b"@c.de',
]  # fmt: skip
NO_MAILBOXES = [
    "", "@", "a", "a@", "@b.de", "John <a@b.de>", "<a@b.de>", "<script> <a@b.de>", '"John" <a@b.de>', "a@b.de <a@b.de>",
    " a@b.de", "a@b.de ", "\ta@b.de", "a@b.de\n", "a@b.de\r\n", "a@b.de\xa0", "a @b.de", "a@ b.de",
    "(c)a@b.de", "a@b.de(c)", "a..b@c.de", ".a@c.de", "a.@c.de", '"a"b@c.de', '"a".b@c.de', '"a\tb"@c.de', '"a\x00"@c.de',
    '"a""b"@c.de', '"a\\"@c.de', "a@-b.de", "a@b-.de", "a@b..de", "a@b.de.", "a@b_c.de", "a@x0--b.de", "a@xn--a.de", "a@b@c.de",
    "a@[127.0.0.256]", "a@[::1]", "a@[IPv6:::1%eth0]", "a@[x:y]", "a@[127.0.0.1", "a,b@c.de", "a@b.de,c@d.de", "mailto:a@b.de",
    "a" * 65 + "@b.de", "a@" + "b" * 64 + ".de",
]  # fmt: skip
ROWS: dict[str, tuple[list[str], list[str]]] = {
    "date-time": (
        ["0000-02-29T00:00:00Z", "2026-11-27t09:30:00.123456789z", "1998-12-31T23:59:60Z",
         "1998-12-31T15:59:60.123-08:00", "2026-01-01T00:00:00+23:59"],
        ["2026-11-27T00:00:00Z\n", "2026-11-27 00:00:00Z", "2026-11-27T00:00:60Z", "2026-11-27T23:59:61Z", "2026-02-29T00:00:00Z",
         "0001-02-29T00:00:00Z", "2026-11-27T24:00:00Z", "2026-11-27T00:00:00", "2026-11-27T00:00:00+24:00", "٢026-11-27T00:00:00Z"],
    ),
    "date": (["0000-01-01", "2000-02-29"], ["2026-11-27\n", "1900-02-29", "2026-1-1", "20261127", "2026-W01-1"]),
    "time": (["23:59:60Z", "01:29:60+01:30", "00:29:60-23:30"], ["09:30:00Z\n", "09:30:60Z", "09:30:00", "T09:30:00Z", "09:30Z"]),
    "email": (MAILBOXES, [*NO_MAILBOXES, "ü@b.de", "a@ü.de", "\ufeffa@b.de"]),
    "idn-email": (
        [*MAILBOXES, "ü@b.de", "a@ü.de", '"ü ß"@例え.テスト', "用户@例え.テスト", "a\u0301@b.de"],
        [*NO_MAILBOXES, "Jürgen <ü@b.de>", '"\\é"@b.de', "a@-ü.de", "a@ü-.de", "ü@", "é" * 65 + "@b.de", "a@xn--yca.de"],
    ),
    "hostname": (
        ["a", "1", "a-b.c", "1.2.3.4", "xn--bcher-kva.de", "a" * 63, ".".join(["a" * 49] * 5)],
        ["", "a\n", "a.", ".a", "a..b", "-a", "a-", "a_b", "a b", "é.de", "\u0660", "xn--", "xn--a", "x0--a", "a" * 64,
         ".".join(["a" * 50] * 5)],
    ),
    "idn-hostname": (
        ["a", "bücher.de", "ß.de", "例え。テスト", "xn--bcher-kva.de", "l·l", "אב.com"],
        ["", "a\n", "a.", "例。", "a..b", "-ü", "ü-", "a b", "a_b", "l·", "\u0300a", "אב.1a", "xn--a", "é" * 64],
    ),
    "ipv4": (["0.0.0.0"], ["1.2.3.4\n", "1.2.3", "01.2.3.4", "1.2.3.٤", "1.2.3.4/8"]),
    "ipv6": (["::", "::ffff:1.2.3.4", "1::"], ["::1\n", "::1%eth0", "[::1]", ":::", "1:2:3:4:5:6:7:8:9"]),
    "uri": (["a:", "urn:x:y", "http://[::1]/?a#b"], ["a:b\n", "/a", "a:b c", "http://a/é", "a:%zz", "http://[::1", "//a"]),
    "uri-reference": (["", "/a", "#a", "//a"], ["/a\n", "\n", "a b", "é", "%", "1:a\\"]),
    "iri": (["http://é/ä", "urn:\U000e1000", "http://a/?\ue000"], ["urn:é\n", "/é", "urn:\x85", "urn:\ue000", "urn:\ufdd0"]),
    "iri-reference": (["", "/é", "?\ue000"], ["/é\n", "\x85", "\ue000", "é b"]),
    "uri-template": (
        ["", "/{a}", "{+a,b*}{?c:3}", "{a.b%41}", "é", "{&x}{;y}{.z}{/w}{#v}"],
        ["a b", '"a b"', "{a", "a}", "{}", "{a b}", "{a:0}", "{a:12345}", "{a*:3}", "%4", "a\n", "<", "\\", "`", "{a..b}", "{,}"],
    ),
    "json-pointer": (["", "/", "/a~0~1/0", "/\n"], ["a", "#/a", "/~", "/~2"]),
    "relative-json-pointer": (["0", "10/a", "901/a", "2#", "0/"], ["", "01", "-1", "1a", "1##", "1#/a", "٠/a", "/a", "1\n"]),
    "regex": (["", "(a)\\1", "[^]", "(?i:a)"], ["(", "\\p{Foo}", "(?<n>a)(?<n>b)", "a**"]),
}  # fmt: skip


@pytest.mark.parametrize("engine", ["rust", "python"])
@pytest.mark.parametrize("name", FORMATS)
def test_what_a_format_accepts(name: str, engine: str) -> None:
    validator = Validator({"format": name}, engine=engine)
    good, bad = ROWS[name]

    assert [text for text in (FORMATS[name], *good) if not validator.check(text).valid] == []
    assert [text for text in bad if validator.check(text).valid] == []
    assert [text for text in bad if validator.is_valid(text)] == []


@pytest.mark.parametrize("engine", ["rust", "python"])
def test_a_mailbox_beside_other_keywords(engine: str) -> None:
    validator = Validator(
        {"format": "email", "pattern": "a", "allOf": [{"minLength": 9}]}, engine=engine
    )
    assert validator.is_valid('"a b"@c.de')
    for text in ("a@b.de", '"b b"@c.de', '"a\tb"@c.de'):
        [finding] = validator.check(text)
        assert finding.keyword == {"a@b.de": "minLength", '"b b"@c.de': "pattern"}.get(
            text, "format"
        )


def test_the_engines_agree_about_random_texts() -> None:
    counts, different = compare(count=200, seed=1)

    assert different == []
    assert all(counts[f"{name} valid"] > 2 and counts[f"{name} invalid"] > 2 for name in FORMATS)


def test_every_format_is_described() -> None:
    assert FORMAT_SYNTAX.keys() == FORMATS.keys()

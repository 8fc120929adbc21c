"""Words: which known word was meant, and when it is wiser not to say."""

from __future__ import annotations

import random
from collections.abc import Container

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgetschema.suggest import Vocabulary, applicability, distance, nearest, plain_form

KNOWN = ["timerTitle", "timerStyle", "endDate", "end-time", "color", "days", "id", "URL"]

MEANT: list[tuple[str, str, str | None]] = [
    ("another case", "TimerTitle", "timerTitle"),
    ("snake case", "timer_title", "timerTitle"),
    ("kebab case", "timer-title", "timerTitle"),
    ("dots", "timer.title", "timerTitle"),
    ("white space", " timer\ttitle\n", "timerTitle"),
    ("camel case", "endTime", "end-time"),
    ("upper case", "END_DATE", "endDate"),
    ("lower case", "url", "URL"),
    ("a short word in another case", "ID", "id"),
    ("a letter too many", "timerTittle", "timerTitle"),
    ("a letter too few", "timerTitl", "timerTitle"),
    ("another letter", "timerTitli", "timerTitle"),
    ("neighbours swapped", "tiemrTitle", "timerTitle"),
    ("swapped at the end", "colro", "color"),
    ("two mistakes", "timrTitel", "timerTitle"),
    ("one mistake in a short word", "dayz", "days"),
    ("two mistakes in a short word", "dzyz", None),
    ("three mistakes", "tmrTitel", None),
    ("a mistake in a very short word", "ix", None),
    ("British spelling", "colour", "color"),
    ("nothing like it", "background", None),
    ("empty", "", None),
    ("a word itself", "days", "days"),
]


@pytest.mark.parametrize(("word", "meant"), [r[1:] for r in MEANT], ids=[r[0] for r in MEANT])
def test_meant(word: str, meant: str | None) -> None:
    assert Vocabulary(KNOWN).best_match(word) == meant
    assert nearest(word, KNOWN)[:1] == ([meant] if meant else [])


@pytest.mark.parametrize(
    ("known", "word"),
    [
        (["a_b", "a-b"], "aB"),
        (["cat", "car"], "cax"),
        (["cat", "car", "cab"], "caz"),
        (["abcdef", "abcdgh"], "abcdxy"),
        ([], "abc"),
        (["a"], "b"),
    ],
    ids=[
        "same letters",
        "one mistake",
        "three of them",
        "two mistakes",
        "nothing is known",
        "short",
    ],
)
def test_nobody_can_tell(known: list[str], word: str) -> None:
    assert Vocabulary(known).best_match(word) is None
    assert Vocabulary(reversed(known)).best_match(word) is None


@pytest.mark.parametrize("known", [["abcdef", "abcdgh", "abcdxz"], ["abcdxz", "abcdgh", "abcdef"]])
def test_a_tie_does_not_matter_where_one_is_nearer(known: list[str]) -> None:
    assert Vocabulary(known).best_match("abcdxy") == "abcdxz"


def test_the_same_word_twice_is_no_tie() -> None:
    assert Vocabulary(["red", "red", "blue"]).best_match("Red") == "red"
    assert Vocabulary(["green", "green"]).best_match("gren") == "green"


@pytest.mark.parametrize(
    ("known", "word", "besides", "meant"),
    [
        (["cat", "car"], "cax", {"cat"}, "car"),
        (["cat", "car"], "cax", {"cat", "car"}, None),
        (["aB", "a_b"], "ab", ["aB"], "a_b"),
        (["aB", "abc"], "ab", ["aB"], None),
        (["colour", "color"], "colur", {"color": 1}, "colour"),
        (["timerTitle"], "timer_title", ("timerTitle",), None),
    ],
    ids=["a tie undone", "all taken", "same letters", "short", "the next best", "the only one"],
)
def test_what_is_there_already_was_not_meant(
    known: list[str], word: str, besides: Container[str], meant: str | None
) -> None:
    assert Vocabulary(known).best_match(word, besides) == meant


def test_a_vocabulary_answers_again() -> None:
    vocabulary = Vocabulary(iter(KNOWN))
    assert [vocabulary.best_match("colour"), vocabulary.best_match("colour")] == ["color", "color"]


@pytest.mark.parametrize(
    ("word", "known", "most", "expected"),
    [
        ("countdwn", ["faq", "countdown", "counter"], 3, ["countdown"]),
        ("faqs", ["faq", "fax", "faqs-2", "FAQS"], 3, ["FAQS", "faq"]),
        ("abcd", ["abc", "abd", "acd", "bcd"], 3, ["abc", "abd", "acd"]),
        ("abcd", ["abc", "abd", "acd", "bcd"], 1, ["abc"]),
        ("abcd", ["abc"], 0, []),
        ("tabbs", ["tabs-1", "tab-s", "tabs"], 3, ["tab-s", "tabs"]),
        ("Tab_S", ["tabs", "tab-s", "tubs"], 3, ["tabs", "tab-s"]),
        ("x", ["y", "X"], 3, ["X"]),
        ("anything", [], 3, []),
    ],
)
def test_nearest(word: str, known: list[str], most: int, expected: list[str]) -> None:
    assert nearest(word, known, most) == expected
    assert nearest(word, iter(known), most) == expected


@pytest.mark.parametrize(
    ("word", "plain"),
    [
        ("timerTitle", "timertitle"),
        ("Timer_Title-2.0", "timertitle20"),
        (" a\tb\r\nc\xa0d", "abcd"),
        ("Straße", "strasse"),
        ("_", ""),
    ],
)
def test_plain_form(word: str, plain: str) -> None:
    assert plain_form(word) == plain


@pytest.mark.parametrize(
    ("one", "other", "mistakes"),
    [
        ("", "", 0),
        ("a", "", 1),
        ("abc", "abc", 0),
        ("abc", "abd", 1),
        ("abc", "acb", 1),
        ("abc", "ab", 1),
        ("abc", "xabc", 1),
        ("ca", "abc", 3),  # swapped neighbours are not touched again
        ("kitten", "sitting", 3),
        ("abab", "baba", 2),
        ("aaaa", "aaaaaa", 2),
    ],
)
def test_distance(one: str, other: str, mistakes: int) -> None:
    assert distance(one, other, 2) == distance(other, one, 2) == mistakes


def aligned(one: str, other: str) -> int:
    """Optimal string alignment, as its recurrence says it."""
    rows = [[max(i, j) for j in range(len(other) + 1)] for i in range(len(one) + 1)]
    for i in range(1, len(one) + 1):
        for j in range(1, len(other) + 1):
            rows[i][j] = min(
                rows[i - 1][j] + 1,
                rows[i][j - 1] + 1,
                rows[i - 1][j - 1] + (one[i - 1] != other[j - 1]),
            )
            if i > 1 and j > 1 and one[i - 2 : i] == other[j - 2 : j][::-1]:
                rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
    return rows[-1][-1]


WORDS = st.text("abcA_", max_size=8)


@given(WORDS, WORDS, st.integers(0, 2))
def test_distance_is_optimal_string_alignment_up_to_a_limit(
    one: str, other: str, limit: int
) -> None:
    assert distance(one, other, limit) == min(limit + 1, aligned(one, other))


@given(WORDS, st.lists(WORDS, max_size=6), st.sets(WORDS, max_size=2))
def test_meant_is_the_only_nearest(word: str, known: list[str], besides: set[str]) -> None:
    free = sorted(set(known) - besides)
    allowed = 0 if len(word) < 3 else 1 if len(word) < 8 else 2
    same = [one for one in free if plain_form(one) == plain_form(word)]
    near = {one: aligned(word, one) for one in free if aligned(word, one) <= allowed}
    best = same or [one for one, mistakes in near.items() if mistakes == min(near.values())]
    assert Vocabulary(known).best_match(word, besides) == (best[0] if len(best) == 1 else None)
    listed = nearest(word, free, most=len(free))
    assert sorted(listed) == sorted({*near, *same})
    ranks = [0 if one in same else near[one] for one in listed]
    assert ranks == sorted(ranks)


@pytest.mark.parametrize(
    ("word", "meant", "is_certain"),
    [
        ("showTitel", "showTitle", True),
        ("shwotitle", "showTitle", True),  # with a part less
        ("showBitle", "showTitle", False),  # another part
        ("isUnlocked", "isLocked", False),
        ("timerDays1", "timerDays2", False),
    ],
)
def test_which_slips_are_certain(word: str, meant: str, is_certain: bool) -> None:
    assert Vocabulary([meant]).is_certain(word, meant) is is_certain


@pytest.mark.parametrize("letters", ["abcde", "ab1"])
def test_many_words_are_found_by_what_is_in_them(letters: str) -> None:
    choose = random.Random(letters)

    def spoiled(word: str, mistakes: int) -> str:
        for _ in range(mistakes):
            at, other = choose.randrange(len(word)), choose.choice(letters)
            head, tail = word[:at], word[at:]
            ways = [head + other + tail, head + tail[1:], head + other + tail[1:]]
            word = choose.choice([*ways, head[:-1] + tail[:1] + head[-1:] + tail[1:]])
        return word

    known = list({"".join(choose.choices(letters, k=choose.randrange(3, 11))) for _ in range(120)})
    words = Vocabulary(known)
    found = 0
    for one in known[::2]:
        word = spoiled(one, choose.randrange(1, 4))
        if word in known:
            continue
        meant = words.best_match(word)
        limit = 0 if len(word) < 3 else 1 if len(word) < 8 else 2
        mistakes = {one: aligned(word, one) for one in known if abs(len(one) - len(word)) <= limit}
        near = {one: number for one, number in mistakes.items() if number <= limit}
        if "1" in letters:
            bare = word.replace("1", "")
            near = {one: number for one, number in near.items() if one.replace("1", "") != bare}
        best = [one for one, number in near.items() if number == min(near.values())]
        assert meant == (best[0] if len(best) == 1 else None)
        if meant is not None:
            found += 1
            others = [one for one in mistakes if one != meant and mistakes[one] <= limit]
            certain = Vocabulary([meant]).is_certain(word, meant)
            assert words.is_certain(word, meant) == (certain and not others)
    assert found > 5


@pytest.mark.parametrize(
    ("word", "meant", "expected"),
    [
        ("Top Left", "top-left", "safe"),
        ("topleft", "top_left", "safe"),
        ("H2 Title", "h2-title", "safe"),
        ("release-11.2", "release-1.12", "unsafe"),
        ("v1.02-beta", "v10.2-beta", "unsafe"),
        ("-10px", "10px", "unsafe"),
        ("uses", "user", "unsafe"),
    ],
)
def test_what_is_safe_to_write_instead(word: str, meant: str, expected: str) -> None:
    assert applicability(word, meant) == expected

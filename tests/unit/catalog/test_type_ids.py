"""Ids of widget types: which are refused, how they are sent, what files they become."""

from __future__ import annotations

import re
import string
import subprocess
import sys
import unicodedata
from urllib.parse import unquote

import httpx
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from widgetschema.catalog.type_ids import (
    checked_type_id,
    file_name,
    foreign_id,
    nearest_ids,
    schema_path,
)
from widgetschema.errors import InvalidTypeId

ID = "countdown"

REFUSED = {
    "empty": ("", "it is empty"),
    "a dot": (".", "lead elsewhere"),
    "the folder above": ("..", "lead elsewhere"),
    "a path": ("a/b", "a slash"),
    "from above": ("../secret", "a slash"),
    "a path of Windows": ("a\\b", "a slash"),
    "5,000 characters": ("x" * 5000, "5,000 characters"),
    "201 characters": ("x" * 201, "201 characters"),
    "a line break": ("a\nb", "control character"),
    "a NUL": ("a\0b", "control character"),
    "DEL": ("a\x7fb", "control character"),
    "half a surrogate pair": ("a\ud800b", "surrogate"),
    "text turned around": ("a\u202eb", "invisible"),
    "a byte order mark": ("\ufeffa", "invisible"),
    "a line separator": ("a\u2028b", "line separator"),
    "a paragraph separator": ("a\u2029b", "paragraph separator"),
    "a space before": (" a", "white space"),
    "a space after": ("a ", "white space"),
    "a wide space": ("a\u3000", "white space"),
}

PATHS = [
    ("countdown", "/widget-types/countdown/schema"),
    ("A-b_c.d~9", "/widget-types/A-b_c.d~9/schema"),
    ("%2e%2e", "/widget-types/%252e%252e/schema"),
    ("%2F", "/widget-types/%252F/schema"),
    ("...", "/widget-types/.../schema"),
    ("a b?c#d", "/widget-types/a%20b%3Fc%23d/schema"),
    ("a;b=c&d+e@f:g", "/widget-types/a%3Bb%3Dc%26d%2Be%40f%3Ag/schema"),
    ("é😀", "/widget-types/%C3%A9%F0%9F%98%80/schema"),
]

PLAIN_FILES = ["countdown", "faq2", "a", "0", "a.b", "a_b-c", "con-x", "console", "x" * 100]
OTHER_FILES = [
    ("Countdown", "countdown-"),
    ("manifest", "manifest-"),
    ("con", "con-"),
    ("con.txt", "con-txt-"),
    ("com1", "com1-"),
    ("lpt9.x", "lpt9-x-"),
    ("a.", "a-"),
    (".hidden", "hidden-"),
    ("-rf", "rf-"),
    ("é", "type-"),
    ("a:b", "a-b-"),
    ("a|b*?", "a-b-"),
    ("x" * 101, "x" * 60 + "-"),
    ("faq-0123456789ab", "faq-0123456789ab-"),  # looks like the name of another id
]
# Anything that an id may be, and rather what comes near to being trouble.
TEXTS = st.one_of(
    st.text(max_size=30),
    st.text("aAbB.-_%:~ é/\\\0", max_size=8),
    st.sampled_from(["con", "CON", "Con.x", "nul", "manifest", "MANIFEST", "..", "a" * 200]),
)


def accepted(id: str) -> bool:
    try:
        checked_type_id(id)
    except InvalidTypeId:
        return False
    return True


@pytest.mark.parametrize(("id", "reason"), REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("function", [checked_type_id, schema_path, file_name])
def test_refused(function: object, id: str, reason: str) -> None:
    with pytest.raises(InvalidTypeId, match=reason) as caught:
        function(id)  # type: ignore[operator]

    assert caught.value.id == id
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("id", [None, 7, b"countdown", ["a"]], ids=repr)
def test_what_is_not_text(id: object) -> None:
    with pytest.raises(InvalidTypeId, match="not text"):
        checked_type_id(id)  # type: ignore[arg-type]


@pytest.mark.parametrize(("id", "path"), PATHS, ids=[id for id, _ in PATHS])
def test_path(id: str, path: str) -> None:
    assert schema_path(id) == path
    assert httpx.URL("https://host/v1" + path).raw_path.decode() == "/v1" + path


@given(TEXTS)
def test_an_id_is_one_segment_that_says_all_of_it(id: str) -> None:
    assume(accepted(id))
    empty, types, segment, schema = schema_path(id).split("/")

    assert (empty, types, schema) == ("", "widget-types", "schema")
    assert unquote(segment) == id
    assert set(segment) <= set(string.ascii_letters + string.digits + "-._~%")
    assert httpx.URL("https://host" + schema_path(id)).raw_path.decode() == schema_path(id)


@pytest.mark.parametrize("id", PLAIN_FILES)
def test_a_plain_id_names_its_file(id: str) -> None:
    assert file_name(id) == f"{id}.json"


@pytest.mark.parametrize(("id", "beginning"), OTHER_FILES, ids=[id for id, _ in OTHER_FILES])
def test_any_other_id_gets_a_digest(id: str, beginning: str) -> None:
    assert re.fullmatch(re.escape(beginning) + "[0-9a-f]{12}.json", file_name(id))


@given(TEXTS)
@example("con")
@example("manifest")
def test_a_file_name_is_portable(id: str) -> None:
    assume(accepted(id))
    name = file_name(id)
    stem = name.partition(".")[0]

    assert re.fullmatch(r"[a-z0-9][a-z0-9._-]*[a-z0-9_-]\.json|[a-z0-9]\.json", name)
    assert len(name) <= 120
    assert name != "manifest.json"
    assert not re.fullmatch("con|prn|aux|nul|com[0-9]|lpt[0-9]", stem)


@given(TEXTS.filter(accepted), TEXTS.filter(accepted))  # by chance, too many would be refused
@example("Countdown", "countdown")
@example("é", "e\u0301")
@example("a b", "a-b")
@example("ﬁ", "fi")
def test_two_ids_never_share_a_file(one: str, other: str) -> None:
    assume(one != other and accepted(one) and accepted(other))

    def seen_by_a_file_system(name: str) -> str:
        return unicodedata.normalize("NFKD", name).casefold()

    assert seen_by_a_file_system(file_name(one)) != seen_by_a_file_system(file_name(other))


@given(TEXTS)
def test_the_file_of_an_id_is_no_id_whose_file_that_is(id: str) -> None:
    """Whoever names a type like another's file does not get that file."""
    assume(accepted(id))
    as_id = file_name(id).removesuffix(".json")

    assert as_id == id or file_name(as_id) != file_name(id)


def test_nothing_heavy_is_imported() -> None:
    code = (
        "import sys, widgetschema.catalog.type_ids\n"
        "assert not {'httpx', 'anyio', 'click', 'ssl'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    "own",
    [
        None,
        "",
        "#",
        "#top",
        "image-map",
        "image_map",
        "image-map#",
        "image-map.json",
        "/image-map",
        "urn:widget:image-map",
        "https://x.example/v1/image_map.schema.json#",
        "https://x.example/v1/widget-types/image-map/schema",
        "https://x.example/v1/widget-types/image%2Dmap/schema?v=1",
        3,
    ],
)
def test_an_id_of_its_own(own: object) -> None:
    assert foreign_id({} if own is None else {"$id": own}, "image-map") is None
    assert foreign_id({} if own is None else {"$id": own}, "image_map") is None


@pytest.mark.parametrize(
    "own",
    [
        "something-else",
        "image",
        "map",
        "image-map2",
        "https://x.example/image-map/v2",
        "https://x.example/v1/widget-types/faq/schema",
    ],
)
def test_the_id_of_another_type(own: str) -> None:
    assert foreign_id({"$id": own}, "image-map") == own


def test_what_has_no_id_of_its_own() -> None:
    assert foreign_id(True, "faq") is None
    assert foreign_id({"$id": "https://x.example/"}, "faq") == "https://x.example/"


@pytest.mark.parametrize("given", ["orders", "Order", "order.json", "schemas/order.schema.json"])
def test_an_id_that_was_meant(given: str) -> None:
    assert nearest_ids(given, ["customer", "order"]) == ["order"]

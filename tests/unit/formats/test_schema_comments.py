"""Comments that name the schema of a YAML text, as code editors read them."""

from __future__ import annotations

import pytest

from widgetschema.formats.parsing import parse
from widgetschema.formats.schema_comments import schema_comment

NAMED = [
    ("# yaml-language-server: $schema=a.json\nx: 1\n", "a.json"),
    ("# $schema: a.json\nx: 1\n", "a.json"),
    ("#$schema: a.json\nx: 1\n", "a.json"),
    ("#yaml-language-server:$schema = a.json\nx: 1\n", "a.json"),
    (
        "# yaml-language-server: $schema=https://x.example/a.json#\nx: 1\n",
        "https://x.example/a.json#",
    ),
    ("\n\n# A note.\n\n  # $schema: a.json\n\nx: 1\n", "a.json"),
    ("# $schema: a.json\r\n- x\r\n", "a.json"),
    ("\ufeff# $schema: a.json\nx: 1\n", "a.json"),
    ("---\n# $schema: a.json\nx: 1\n", "a.json"),
    ("# $schema: a.json\n---\nx: 1\n", "a.json"),
    ("%YAML 1.2\n---\n# $schema: a.json\nx: 1\n", "a.json"),
    ("# $schema: a.json\n# $schema: b.json\nx: 1\n", "a.json"),
    ("# $schema: a.json\ntext\n", "a.json"),
]
NOT_NAMED = [
    "---\nx: 1\n# $schema: a.json\n",
    "x: 1\n# $schema: a.json\n",
    "x: 1 # $schema: a.json\n",
    "x: |\n  # $schema: a.json\ny: 1\n",
    "# schema: a.json\nx: 1\n",
    "# $schema:\nx: 1\n",
    "# see # $schema: a.json\nx: 1\n",
    "# yaml-language-server: $schema\nx: 1\n",
    "x: '# $schema: a.json'\n",
]


@pytest.mark.parametrize(("text", "address"), NAMED)
def test_a_comment_before_the_value_names_the_schema(text: str, address: str) -> None:
    [parsed] = parse(text, "yaml")
    assert (parsed.schema, schema_comment(text)) == (address, address)


@pytest.mark.parametrize("text", NOT_NAMED)
def test_other_comments_and_texts_name_none(text: str) -> None:
    [parsed] = parse(text, "yaml")
    assert (parsed.schema, schema_comment(text)) == (None, None)


def test_each_document_of_a_stream_has_its_own() -> None:
    text = "# $schema: a\nx: 1 # $schema: no\n---\ny: 2\n---\n# $schema: c\n- # $schema: no\n  3\n"
    assert [one.schema for one in parse(text, "yaml")] == ["a", None, "c"]


@pytest.mark.parametrize("format", ["json", "jsonc", "json5"])
def test_other_formats_have_a_member_for_it(format: str) -> None:
    text = '{"x": 1}' if format == "json" else '// # $schema: a.json\n{"x": 1}'
    assert [one.schema for one in parse(text, format)] == [None]  # type: ignore[arg-type]

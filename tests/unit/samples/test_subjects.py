"""The subject of a schema: its name, and whether its data configures software."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import widgetschema
from widgetschema.samples.values.subjects import subject_of
from widgetschema.schema.linking import LinkedSchema, link

CONFIGURATION = "plugins dependencies timeout exclude".split()
PAGE = "title button backgroundColor cacheTime".split()


def linked(
    title: str | None = None, names: Sequence[str] = (), identifier: str | None = None
) -> LinkedSchema:
    properties = {name: {"type": "string"} for name in names}
    schema = {"properties": {"inside": {"properties": properties}}}
    said = {"title": title, "$id": identifier}
    return link({**schema, **{name: text for name, text in said.items() if text}})


@pytest.mark.parametrize(
    ("title", "identifier", "name"),
    [
        ("Helm Chart.yaml", None, "helm chart"),
        ("JSON schema for the Citation File Format", None, "citation"),
        ("An RFC 9457 problem object", None, "problem object"),
        (None, "https://example.org/schemas/github-workflow.json", "github workflow"),
        ("A file that lists all that was ever said about the workflow of a team", None, ""),
        (None, None, ""),
    ],
)
def test_name(title: str | None, identifier: str | None, name: str) -> None:
    assert subject_of(linked(title, identifier=identifier)).name == name


@pytest.mark.parametrize(
    ("title", "names", "technical"),
    [
        (None, CONFIGURATION, True),
        (None, PAGE, False),
        (None, [*CONFIGURATION, *PAGE], True),
        (None, [*CONFIGURATION[:2], *PAGE], False),
        ("Issue forms of a repository: config file", PAGE, True),
        ("Configuration of the page", PAGE, False),
        (None, [], False),
    ],
)
def test_technical(title: str | None, names: list[str], technical: bool) -> None:
    assert subject_of(linked(title, names)).technical is technical


def test_the_countdown_is_not_technical() -> None:
    assert subject_of(widgetschema.widget_type("countdown").validator.linked).technical is False


def test_a_title_that_is_no_text_is_no_name() -> None:
    assert subject_of(link({"title": ["Helm"]})).name == ""

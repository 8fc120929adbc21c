"""Themes, and the promises of the style sheets: custom properties, parts, both directions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.unit.forms.test_html import FORMS, after, attributes, first, read
from widgetschema.errors import InvalidTemplate
from widgetschema.forms.html import stylesheet
from widgetschema.forms.html.themes import THEMES

PACKAGE = ROOT / "widgetschema"
# Of forms, and of the extensions that add to them.
SHEETS = {
    path.relative_to(PACKAGE).parts[0]: path.read_text("utf-8")
    for path in sorted(PACKAGE.rglob("*.css"))
    if not {"audit", "reporters"} & {*path.parts}
}


def without_comments(css: str) -> str:
    return re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)


# Choosing a theme


@pytest.mark.parametrize("theme", THEMES)
def test_a_theme_is_a_class_of_the_form_or_of_the_page(theme: str) -> None:
    form = FORMS["lists"]
    wanted = [] if theme == "plain" else [f"ws-theme-{theme}"]
    [root] = read(form.render(theme=theme)).css(".ws-form")
    assert attributes(root)["class"].split() == ["ws-form", *wanted]
    page = read(form.page(theme=theme))
    assert attributes(first(page, "body"))["class"].split() == ["ws-page", *wanted]
    assert len(page.css("style")) == 1
    assert bool(wanted) == (f".ws-theme-{theme}" in stylesheet())


def test_the_style_sheet_has_no_theme_that_cannot_be_chosen() -> None:
    names = set(re.findall(r"\.ws-theme-([\w-]+)", stylesheet()))
    assert names == {*THEMES} - {"plain"}


def test_a_theme_is_a_css_file_inside_of_the_page(tmp_path: Path) -> None:
    file = tmp_path / "brand.css"
    file.write_bytes(
        b'.ws-form { --ws-accent: #080 }\r\n.ws-page::after { content: "</STYLE>\xc3\xa4" }'
    )
    for theme in (file, str(file)):
        for assets in (None, "/static/"):
            page = read(FORMS["lists"].page(theme=theme, assets=assets))
            own = page.css("style")[-1].text()
            assert (
                own == '.ws-form { --ws-accent: #080 }\n.ws-page::after { content: "<\\/STYLE>ä" }'
            )
            assert len(page.css("style")) == (2 if assets is None else 1)
            assert attributes(first(page, "body"))["class"] == "ws-page"


@pytest.mark.parametrize(
    ("theme", "said"),
    [
        ("compakt", "compakt: there is no such theme; did you mean 'compact'?"),
        ("", ": there is no such theme ("),
        ("dark", "themes: plain, compact, host, or a file *.css"),
        ("nowhere.css", "nowhere.css: it cannot be read: No such file"),
    ],
)
def test_a_theme_that_does_not_exist(theme: str, said: str) -> None:
    with pytest.raises(InvalidTemplate) as error:
        FORMS["lists"].page(theme=theme)
    assert said in str(error.value)


def test_a_css_file_belongs_to_a_page_and_is_utf_8(tmp_path: Path) -> None:
    file = tmp_path / "brand.CSS"
    file.write_bytes(b"\xff")
    with pytest.raises(InvalidTemplate, match="it is not UTF-8"):
        FORMS["lists"].page(theme=file)
    with pytest.raises(InvalidTemplate, match="link it in your page"):
        FORMS["lists"].render(theme=file)


# Custom properties


def declared(css: str) -> dict[str, str]:
    """The custom properties of the first rule, with the comments beside them."""
    rule = css[css.index("{") : css.index("\n}")]
    return dict(re.findall(r"^  (--ws-[\w-]+): [^;]+; /\* (.+) \*/$", rule, flags=re.MULTILINE))


def test_each_custom_property_is_explained_and_used() -> None:
    css = stylesheet()
    explained = declared(css)
    everything = "".join(SHEETS.values())
    own = {"--ws-tools"}
    assert {*re.findall(r"(--ws-[\w-]+):", css)} - {*explained} == own
    for name in explained:
        assert f"var({name}" in everything, name
    assert {*re.findall(r"var\((--ws-[\w-]+)", everything)} <= {*explained, *own}


@pytest.mark.parametrize("theme", ["compact", "host"])
def test_a_theme_sets_custom_properties_that_exist(theme: str) -> None:
    css = without_comments(stylesheet())
    [rule] = re.findall(rf"\.ws-page:where\(\.ws-theme-{theme}\) \{{(.+?)\n *\}}", css, re.DOTALL)
    names = re.findall(r"(--ws-[\w-]+):", rule)
    assert names
    assert {*names} <= {*declared(stylesheet())}
    assert len(names) == len({*names})


# Both directions, and less motion


@pytest.mark.parametrize("name", SHEETS)
def test_rules_hold_in_both_directions_of_writing(name: str) -> None:
    css = without_comments(SHEETS[name])
    side = "(?:left|right)"
    named = rf"(?:(?:margin|padding|border)-{side}[\w-]*|(?<![\w-]){side}):"
    assert re.findall(rf"(?:{named}|float: {side}|text-align: {side})[^;}}]*", css) == []
    mirrored = [line for line in css.splitlines() if "background-position: " in line]
    assert sum("right" in line for line in mirrored) == sum("left" in line for line in mirrored)


@pytest.mark.parametrize("name", SHEETS)
def test_every_transition_lasts_as_long_as_people_want(name: str) -> None:
    css = without_comments(SHEETS[name])
    for found in re.findall(r"transition: ([^;]+);", css):
        assert all(one.endswith("var(--ws-motion)") for one in found.split(", ")), found
    assert "animation" not in css
    assert "scroll-behavior" not in css


# Parts


def test_the_parts_of_the_manual_exist() -> None:
    page = (ROOT / "docs" / "reference" / "themes.md").read_text("utf-8")
    table = page[page.index("| part |") :]
    parts = re.findall(
        r"`([.\[][^`]+)`", "\n".join(re.findall(r"^\| (.+) \|$", table, re.MULTILINE))
    )
    assert len(parts) > 40
    wrong = after(FORMS["countdown, mistakes"], **{"#/content/timerHours": "1,5"}).form
    pages = [read(form.page(preview="/preview")) for form in (*FORMS.values(), wrong)]
    for part in parts:
        assert any(page.css(part) for page in pages), part

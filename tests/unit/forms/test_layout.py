"""Groups, tabs and columns of a UI description: where fields are, and that all of them are there."""

from __future__ import annotations

from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.browsing import entries
from tests.posting import forms_of
from widgetschema import Form, InvalidFormDescription

TEXT: Any = {"type": "string"}
SCHEMA: Any = {
    "type": "object",
    "properties": {
        "a": TEXT,
        "b": TEXT,
        "c": TEXT,
        "n": {"type": "number"},
        "box": {"type": "object", "properties": {"x": TEXT, "y": TEXT}},
        "other": {"type": "object", "properties": {"z": TEXT}},
    },
}
DATA: Any = {"a": "1", "n": 5, "box": {"x": "2", "more": 3}, "other": {"z": "3"}, "extra": 4}
TABS: Any = [{"label": "One", "members": ["box", "a"]}, {"label": "Two", "members": ["other", "n"]}]


def form_of(ui: Any, data: Any = None) -> Form:
    return forms_of(SCHEMA).form(DATA if data is None else data, ui)


def labels(page: LexborHTMLParser, selector: str) -> list[str]:
    """The labels of the fields below the first element of a selector."""
    found = page.css_first(selector)
    assert found is not None, selector
    return [label.text().strip() for label in found.css(".ws-label")]


LAYOUTS: list[Any] = [
    {"": {"tabs": TABS}},
    {"": {"tabs": TABS, "groups": [{"label": "G", "members": ["n", "other"]}], "columns": 3}},
    {"": {"groups": [{"label": "G", "members": ["box", "c"], "closed": True}]}},
    {"/box": {"tabs": [{"label": "T", "members": ["y"]}], "columns": 1}},
    {"": {"order": ["n", "*"], "groups": [{"label": "G", "members": ["a", "n"]}]}, "/c": {"wide": True}},
]  # fmt: skip


@pytest.mark.parametrize("ui", LAYOUTS)
def test_a_layout_leaves_out_nothing(ui: Any) -> None:
    form = form_of(ui)
    plain, laid_out = entries(form_of(None).render()), entries(form.render())
    assert sorted(dict(plain)) == sorted(dict(laid_out))
    assert form.submit(laid_out).text == form.text
    ids = [one.attributes["id"] for one in LexborHTMLParser(form.render()).css("[id]")]
    assert len(ids) == len({*ids})


def test_groups_stand_where_their_first_member_would() -> None:
    ui = {"/box": {"groups": [{"label": "G", "members": ["y"], "columns": 2, "help": "Why <b>"}]}}
    page = LexborHTMLParser(form_of(ui).render())
    assert labels(page, "#ws-box .ws-members")[:2] == ["X", "Y"]
    group = page.css_first("fieldset.ws-set")
    assert group is not None
    assert labels(page, "fieldset.ws-set") == ["Y"]
    assert group.css_first(".ws-columns-2") is not None
    assert "Why <b>" in group.text()
    assert group.css_first(".ws-fold") is None


def test_a_closed_group_is_open_if_something_is_wrong_in_it() -> None:
    ui = {"": {"groups": [{"label": "G", "members": ["n", "a"], "closed": True}]}}
    for data, is_open in (({"n": 1}, False), ({"n": "x"}, True)):
        group = LexborHTMLParser(form_of(ui, data).render()).css_first(".ws-set > details")
        assert group is not None
        assert ("open" in group.attributes) == is_open


def test_tabs_have_their_members_and_count_what_is_wrong() -> None:
    page = LexborHTMLParser(form_of({"": {"tabs": TABS}}, {**DATA, "n": "x"}).render())
    one, two = page.css(".ws-tab")
    assert ("open" in one.attributes, "open" in two.attributes) == (True, False)
    assert one.attributes["name"] == two.attributes["name"]
    assert [section.attributes["id"] for section in one.css("section")] == ["ws-box"]
    assert "hidden" in one.css_first(".ws-count").attributes  # type: ignore[union-attr]
    count = two.css_first(".ws-count")
    assert count is not None
    assert (count.text().split(), "hidden" in count.attributes) == (["problems:", "1"], False)
    assert labels(page, ".ws-main > .ws-members") == ["B", "C"]  # in no tab: above them


def test_the_tab_with_the_focus_is_open() -> None:
    ui = {"": {"tabs": TABS}}
    schema = {**SCHEMA, "properties": {**SCHEMA["properties"], "other": {"type": "array"}}}
    schema["properties"]["other"]["items"] = TEXT
    form = forms_of(schema).form({}, ui)
    shown = form.submit({"do": "add#/other"}).form.render()
    one, two = LexborHTMLParser(shown).css(".ws-tab")
    assert ("open" in one.attributes, "open" in two.attributes) == (False, True)


def test_a_tab_without_members_is_left_out() -> None:
    schema = {"if": {}, "then": {"properties": {"a": TEXT}}, "properties": {"b": TEXT}}
    ui = {"": {"tabs": [{"label": "A", "members": ["gone"]}, {"label": "B", "members": ["b"]}]}}
    page = LexborHTMLParser(forms_of(schema).form({}, ui).render())
    assert [tab.text().strip() for tab in page.css(".ws-tab > summary > span:first-child")] == ["B"]


def test_placeholders_and_lines() -> None:
    ui = {
        "/a": {"placeholder": 'Say "it"'},
        "/b": {"kind": "long-text", "lines": 7},
        "/c": {"kind": "long-text", "wide": False, "placeholder": ""},
    }
    page = LexborHTMLParser(form_of(ui, {}).render())
    assert page.css_first("#ws-a").attributes["placeholder"] == 'Say "it"'  # type: ignore[union-attr]
    assert page.css_first("#ws-b").attributes["rows"] == "7"  # type: ignore[union-attr]
    assert "placeholder" not in page.css_first("#ws-c").attributes  # type: ignore[union-attr]
    assert [one.attributes["class"] for one in page.css(".ws-long-text")] == [
        "ws-field ws-long-text ws-wide",
        "ws-field ws-long-text",
    ]


WRONG: list[tuple[Any, str, str]] = [
    ({"tabs": [{"label": "T", "members": ["boxx"]}]}, "//tabs/0/members/0", 'did you mean "box"?'),
    ({"groups": [{"label": "T", "members": ["*"]}]}, "//groups/0/members/0", '"*" is not a property'),
    ({"groups": [{"label": "T", "members": ["a"]}, {"label": "U", "members": ["b", "a"]}]},
     "//groups/1/members/1", '"a" is in another of these groups already'),
    ({"tabs": TABS, "groups": [{"label": "T", "members": ["a", "n"]}]}, "//groups/0/members",
     "are in different tabs"),
    ({"tabs": TABS, "groups": [{"label": "T", "members": ["a", "b"]}]}, "//groups/0/members",
     "list all of them in one tab"),
    ({"tabs": [{"lable": "T", "members": ["a"]}]}, "//tabs/0/lable", 'rename it to "label"'),
    ({"columns": 5}, "//columns", "5"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "path", "said"), WRONG)
def test_what_is_wrong_is_said(options: Any, path: str, said: str) -> None:
    with pytest.raises(InvalidFormDescription) as caught:
        form_of({"": options})
    assert path in [finding.path for finding in caught.value.report]
    assert said in str(caught.value.report)

"""Several forms in one `<form>`, told apart by prefixes: as frameworks post them, and as properties."""

from __future__ import annotations

import json
import pickle
from typing import Any, Final
from urllib.parse import urlencode

import pytest
from django import forms as django_forms
from django.http import QueryDict
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from tests.browsing import Pairs, buttons, edited, entries
from tests.effort import scaled
from tests.form_apps import application
from tests.posting import as_shown, cases
from tests.properties.test_forms_lossless import edits
from widgetschema import Form, FormError, WidgetType
from widgetschema.forms.control_names import BASE, Action, prefixed

SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "description": "Above all."},
        "on": {"type": "boolean"},
        "size": {"enum": ["small", "big"]},
        "names": {"type": "array", "items": {"type": "string"}},
        "more": {"type": "object", "additionalProperties": {"type": "number"}},
        "what": {"oneOf": [{"type": "string"}, {"type": "object", "properties": {"a": {}}}]},
        "style": {"type": "object", "properties": {"wide": {"type": "boolean"}}},
        "place": {"type": "object", "properties": {"x": {"type": "number"}}},
    },
    "required": ["title", "on"],
}
TYPE: Final = WidgetType.from_schema({"properties": {"data": SCHEMA}}, id="made-up")
DATA: Final[dict[str, Any]] = {
    "title": "A",
    "on": True,
    "names": ["x", "y"],
    "more": {"a": 1},
    "what": "text",
    "style": {},
    "place": {"x": "far"},
}
FEW: Final = settings(max_examples=scaled(40), suppress_health_check=list(HealthCheck))


def page_of(*forms: Form) -> str:
    """Return a page with several forms in one form element."""
    inner = "".join(form.render(tag=False, submit=None) for form in forms)
    return f'<form method="post">{inner}<button name="save">Save</button></form>'


def two(prefixes: tuple[str, str] = ("w1", "w2"), data: Any = DATA) -> tuple[Form, Form]:
    one, other = (TYPE.form(data, prefix=prefix) for prefix in prefixes)
    return one, other


@pytest.mark.parametrize("prefixes", [("w1", "w2"), ("ws", ""), ("a", "a-title"), ("1", "11")])
def test_names_and_ids_of_two_forms_differ(prefixes: tuple[str, str]) -> None:
    forms = [form.submit({prefixed(form.prefix, "do"): "check"}).form for form in two(prefixes)]
    own = [{name for name, _ in entries(page_of(form))} for form in forms]
    assert own[0].isdisjoint(own[1])
    parser = LexborHTMLParser(page_of(*forms))
    ids = [node.attributes["id"] for node in parser.css("[id]")]
    assert len(ids) == len(set(ids))
    pointed = [
        id
        for attribute in ("for", "aria-describedby", "aria-labelledby")
        for node in parser.css(f"[{attribute}]")
        for id in (node.attributes[attribute] or "").split()
    ]
    pointed += [(node.attributes["href"] or "").removeprefix("#") for node in parser.css("a")]
    assert set(pointed) <= set(ids)
    links = [node.attributes["href"] for node in parser.css(".ws-summary a")]
    assert len(links) == len(set(links)) == 2  # each summary leads to the field of its own form


def test_each_form_gets_its_own_edit() -> None:
    one, other = two()
    pairs = entries(page_of(one, other))
    pairs = edited(edited(pairs, "w1.#/title", "First"), "w2.#/title", "Second")
    assert one.submit(pairs).data == {**DATA, "title": "First"}
    assert other.submit(pairs).data == {**DATA, "title": "Second"}


def test_a_button_changes_its_own_form_alone() -> None:
    one, other = two()
    markup = page_of(one, other)
    assert "add#/names" in buttons(markup)
    pairs = [*entries(markup), ("w2.do", "add#/names")]
    assert one.submit(pairs).action is None
    assert one.submit(pairs).data == DATA
    added = other.submit(pairs)
    assert added.action == Action("add", "#/names")
    assert added.data == {**DATA, "names": ["x", "y", ""]}
    again = entries(page_of(one, added.form))
    assert ("w2.#/names/+1", "") in again
    assert other.submit(edited(again, "w2.#/names/+1", "z")).data["names"] == ["x", "y", "z"]


def test_a_live_check_is_about_its_own_form() -> None:
    one, other = two()
    pairs = edited(entries(page_of(one, other)), "w2.#/place/x", "abc")
    pairs = edited(pairs, "w2.due#", "#/place/x")
    answer = other.submit(pairs).answer(live="/check/w2")
    assert [finding["id"] for finding in answer["findings"]] == ["w2.ws-place-x"]
    assert [*answer["errors"]] == ["w2.ws-place-x"]
    assert answer["html"] is None
    assert not one.submit(pairs).answer(live="/check/w1")["changed"]
    redrawn = other.submit([*pairs, ("w2.do", "add#/names")]).answer(live="/check/w2")
    assert redrawn["focus"] == "w2.ws-names-_n1"
    assert 'name="w2.#/names/+1"' in redrawn["html"]
    assert 'name="#' not in redrawn["html"]


def test_forms_with_a_prefix_pickle() -> None:
    one, other = two()
    pairs = [*edited(entries(page_of(one, other)), "w1.#/title", "B"), ("w1.do", "add#/names")]
    for form in (one, one.submit(pairs).form):
        again = pickle.loads(pickle.dumps(form))
        assert again.page() == form.page()
        assert again.prefix == "w1"


@pytest.mark.parametrize("prefix", ["", "w1"])
def test_two_forms_under_the_same_names_are_refused(prefix: str) -> None:
    application("django_app")  # a framework has one configuration
    one, other = two((prefix, prefix))
    posts: tuple[Any, ...] = (
        entries(page_of(one, other)),
        edited_second(entries(page_of(one, other)), prefixed(prefix, "#/title"), "Second"),
    )
    for pairs in posts:
        for fields in (pairs, QueryDict(urlencode(pairs)), iter(pairs)):
            with pytest.raises(FormError, match="under the same names: pass a different `prefix`"):
                one.submit(fields)


def edited_second(pairs: Pairs, name: str, value: str) -> Pairs:
    at = [index for index, pair in enumerate(pairs) if pair[0] == name][1]
    return [*pairs[:at], (name, value), *pairs[at + 1 :]]


@pytest.mark.parametrize(("shown", "read"), [("w1", ""), ("", "w1"), ("w1", "w2")])
def test_a_form_shown_with_another_prefix_is_refused(shown: str, read: str) -> None:
    pairs = edited(entries(page_of(TYPE.form(DATA, prefix=shown))), prefixed(shown, "#/title"), "B")
    with pytest.raises(FormError, match="pass the same `prefix` each time"):
        TYPE.form(DATA, prefix=read).submit(iter(pairs))


def test_a_form_that_was_not_on_the_page_is_unchanged() -> None:
    forms = [TYPE.form(DATA, prefix=prefix) for prefix in ("w1", "w2", "w3")]
    assert not forms[2].submit(entries(page_of(*forms[:2]))).changed
    assert not forms[2].submit({"w3": "x", "upload": b"of another form"}).changed


@pytest.mark.parametrize("prefix", ["a.b", "a b", "a#", "é", "a\n"])
def test_a_prefix_that_is_none_is_refused(prefix: str) -> None:
    with pytest.raises(FormError, match="the prefix of a form must consist of letters"):
        TYPE.form(DATA, prefix=prefix)


def test_inlines_of_django_keep_every_edit() -> None:
    application("django_app")
    data = [{**DATA, "title": title} for title in ("A", "B")]
    formset_of = django_forms.formset_factory(django_forms.Form, extra=0)
    initial: Any = [{}, {}]
    shown = formset_of(initial=initial, prefix="widget_set")
    forms = [TYPE.form(one, prefix=f"{row.prefix}") for one, row in zip(data, shown, strict=True)]
    management = [(f"widget_set-{name}", "2") for name in ("TOTAL_FORMS", "INITIAL_FORMS")]
    pairs = edited(entries(page_of(*forms)), "widget_set-0.#/title", "First")
    pairs = edited(pairs, "widget_set-1.#/title", "Second")
    post = QueryDict(urlencode([*management, *pairs, ("widget_set-0-id", "7")]))
    came = formset_of(post, prefix="widget_set")
    assert came.is_valid()
    saved = [
        TYPE.form(one, prefix=f"{row.prefix}").submit(post)
        for one, row in zip(data, came, strict=True)
    ]
    assert [json.loads(one.text)["title"] for one in saved] == ["First", "Second"]


@FEW
@given(st.data())
def test_forms_with_prefixes_never_influence_each_other(data: st.DataObject) -> None:
    """Posting one form has the same result, whatever is posted for the other."""
    names = st.from_regex(r"[A-Za-z0-9_-]{1,4}", fullmatch=True)
    prefixes = data.draw(st.lists(names, min_size=2, max_size=2, unique=True))
    mixed: Pairs = []
    alone: list[tuple[Form, Pairs]] = []
    for prefix in prefixes:
        plain = data.draw(cases())
        form = plain.factory.form_json(plain.text, prefix=prefix)
        assert form.base == plain.base
        pairs = data.draw(edits(plain, as_shown(plain)))
        alone.append((form, pairs))
        mixed += [(prefixed(prefix, name), value) for name, value in pairs]
    data.draw(st.randoms(use_true_random=False)).shuffle(mixed)
    for form, pairs in alone:
        expected = form.factory.form_json(form.text).submit(pairs)
        submission = form.submit(mixed)
        assert submission.text == expected.text
        assert submission.report == expected.report
        assert submission.action == expected.action
        names_shown = {name for name, _ in entries(submission.form.render())}
        assert all(name.startswith(f"{form.prefix}.") for name in names_shown)
        assert [name for name in names_shown if name.endswith(BASE)] == [f"{form.prefix}.{BASE}"]

"""Controls of applications: they edit values, lose nothing, and say what is wrong with them."""

from __future__ import annotations

import importlib.metadata
import pickle
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.browsing import entries
from tests.posting import forms_of
from widgetschema import ControlError, Form, FormError, InvalidFormDescription, WidgetType
from widgetschema.forms import CustomControl, custom_controls, register_control

SCHEMA: Any = {
    "type": "object",
    "properties": {
        "rating": {"type": "number", "maximum": 5},
        "place": {"type": "object", "properties": {"x": {"type": "number"}, "y": {"type": "number"}}},
        "tags": {"type": "array", "items": {"type": "string"}},
        "name": {"type": "string"},
        "maybe": {"type": ["number", "null"]},
        "rows": {"type": "array", "items": {"properties": {"rating": {"type": "number"}}}},
    },
}  # fmt: skip


def show_stars(value: Any) -> dict[str, Any]:
    return {"text": "" if value is None else "*" * int(value), "best": 5}


def read_stars(text: str) -> Any:
    if set(text) != {"*"}:
        raise ValueError("Type one to five stars")
    return len(text)


STARS = CustomControl(
    "stars",
    '<input {{ attributes }} value="{{ text }}" maxlength="{{ best }}" class="stars">\n',
    show_stars,
    read_stars,
    ("number",),
)
TAGS = CustomControl(
    "tag-line",
    "<textarea {{ attributes }}>\n{{ text }}</textarea>{% for one in tags %}<b>{{ one }}</b>{% endfor %}",
    lambda value: {"text": "\n".join(value or ()), "tags": value or ()},
    lambda text: text.split("\n"),
    ("array",),
)
POINT = CustomControl(
    "point",
    '<input {{ attributes }} value="{{ text }}">',
    lambda value: {"text": f"{value.get('x', 0)}, {value.get('y', 0)}" if value else ""},
    lambda text: dict(zip("xy", map(float, text.split(",")), strict=True)),
    ("object",),
)


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The controls of these tests, which no other test has."""
    monkeypatch.setattr(custom_controls, "_registered", {})
    for control in (STARS, TAGS, POINT):
        register_control(control)


def form_of(kinds: Mapping[str, str], data: Any, text: str | None = None) -> Form:
    ui = {pattern: {"kind": kind} for pattern, kind in kinds.items()}
    forms = forms_of(SCHEMA)
    return forms.form(data, ui) if text is None else forms.form_json(text, ui=ui)


ALL = {"/rating": "stars", "/tags": "tag-line", "/place": "point", "/rows/*/rating": "stars"}
TEXT = (
    '{"rating": 3.7, "tags": ["a",\t"b"], "place":{"z":1,"x":2}, "rows":[{"rating": 2e0}], "n":1}'
)


def test_an_untouched_control_keeps_the_bytes() -> None:
    form = form_of(ALL, None, TEXT)
    assert form.submit(entries(form.render())).text == TEXT
    assert form.submit({}).text == TEXT
    assert [field.kind for field in form if field.path in ("/rating", "/tags", "/place")] == ["custom"] * 3  # fmt: skip
    page = LexborHTMLParser(form.render())
    assert page.css_first("#ws-rating").attributes["value"] == "***"  # type: ignore[union-attr]
    assert [one.text() for one in page.css("b") if one.text() in "ab"] == ["a", "b"]


def test_only_what_is_edited_changes() -> None:
    form = form_of(ALL, None, TEXT)
    submission = form.submit({"#/rating": "*****", "#/rows/0/rating": "*"})
    assert submission.text == TEXT.replace("3.7", "5").replace("2e0", "1")
    assert form.submit({"#/tags": "a\r\nb\r\nc"}).data["tags"] == ["a", "b", "c"]
    assert form.submit({"#/place": "1, 2"}).data["place"] == {"x": 1.0, "y": 2.0}


def test_another_text_of_the_same_value_keeps_the_bytes() -> None:
    form = form_of({"/place": "point"}, None, '{"place": {"y": 1, "x": 2.0}}')
    assert form.submit({"#/place": "2,1"}).text == form.text


def test_a_control_that_is_emptied_or_was_empty() -> None:
    form = form_of(ALL, {"rating": 3})
    assert form.submit({"#/rating": ""}).data == {}
    assert form_of(ALL, {}).submit({"#/rating": "**"}).data == {"rating": 2}
    maybe = form_of({"/maybe": "stars"}, {"maybe": None})
    assert maybe.submit(entries(maybe.render())).text == maybe.text
    assert maybe.submit({"#/maybe": "*"}).data == {"maybe": 1}
    assert form_of({"/maybe": "stars"}, {"maybe": 1}).submit({"state#/maybe": "null"}).data == {"maybe": None}  # fmt: skip


def test_what_is_not_understood_is_a_finding_and_stays_in_the_control() -> None:
    form = form_of(ALL, None, TEXT)
    submission = form.submit({"#/rating": "lots <b>"})
    assert (submission.text, submission.complete) == (TEXT, False)
    [finding] = submission.report
    assert (finding.keyword, finding.path) == ("form.control", "/rating")
    assert submission.form.sentence(finding) == "Type one to five stars"
    page = LexborHTMLParser(submission.form.render())
    assert page.css_first("#ws-rating").attributes["value"] == "lots <b>"  # type: ignore[union-attr]
    assert "Type one to five stars" in page.css_first(".ws-said").text()  # type: ignore[union-attr]


def test_findings_of_the_schema_are_beside_the_control() -> None:
    form = form_of(ALL, {"rating": 3})
    submission = form.submit({"#/rating": "*******"})
    assert [finding.keyword for finding in submission.report] == ["maximum"]
    field = submission.form.field("/rating")
    assert field is not None
    assert field.findings


@pytest.mark.parametrize("data", [{"rating": "x"}, {"rating": None}, {"rating": {"a": 1}}])
def test_a_value_that_it_cannot_show_is_shown_as_json(data: Any) -> None:
    form = form_of(ALL, data)
    field = form.field("/rating")
    assert field is not None
    assert field.kind == "json"
    assert form.submit(entries(form.render())).text == form.text


def test_a_button_fills_in_the_text_of_a_value() -> None:
    submission = form_of(ALL, {"rating": 3}).submit({"do": "use#/rating?2"})
    assert submission.data == {"rating": 2}
    assert form_of(ALL, {"rating": 3}).submit({"do": 'use#/rating?"x"'}).data == {"rating": 3}


def test_forms_with_it_can_be_pickled() -> None:
    form = WidgetType.from_data_schema(SCHEMA).form(
        {"rating": 3}, ui={"/rating": {"kind": "stars"}}
    )
    assert pickle.loads(pickle.dumps(form)).render() == form.render()


def failing(*_: Any) -> Any:
    raise KeyError("star")


BROKEN: list[tuple[str, dict[str, Any], str]] = [
    ("show fails", {"show": failing}, "show(3) failed: KeyError: 'star'"),
    ("no text", {"show": lambda value: {"text": 5}}, "show returned a text of type int"),
    ("no mapping", {"show": lambda value: 5}, "show(3) failed: TypeError"),
    ("a taken name", {"show": lambda value: {"label": 1}}, "show returned 'label', which the form gives"),
    ("no template", {"template": "a\n{% if %}"}, "line 2 of its template"),
    ("an unknown name", {"template": "{{ nothing }}"}, "its template failed: UndefinedError: unknown variable 'nothing'"),
    ("another text", {"template": '<input name="{{ name }}" value="7">'}, 'its markup posts "7", untouched, and not "***"'),
    ("a range", {"template": '<input type="range" max="2" {{ attributes }} value="{{ text }}">'}, "untouched"),
    ("a checkbox", {"template": '<input type="checkbox" checked {{ attributes }}>'}, '"on"'),
    ("a select", {"template": "<select {{ attributes }}><option>a<option>b</select>"}, '"a"'),
    ("a textarea", {"template": "<textarea {{ attributes }}>\nx</textarea>"}, '"x"'),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "said"), [row[1:] for row in BROKEN], ids=[r[0] for r in BROKEN])  # fmt: skip
def test_an_error_names_control_field_and_cause(changes: dict[str, Any], said: str) -> None:
    register_control(replace(STARS, name="broken", **changes))
    with pytest.raises(ControlError) as caught:
        form_of({"/rating": "broken"}, {"rating": 3}).render()
    assert str(caught.value).startswith('the control "broken" at /rating: ')
    assert said in str(caught.value)
    assert (caught.value.control, caught.value.place) == ("broken", "/rating")


@pytest.mark.parametrize(("read", "said"), [
    (failing, """read("**") failed: KeyError: 'star'"""),
    (lambda text: object(), 'read("**") returned no JSON'),
    (lambda text: float("nan"), 'read("**") returned no JSON'),
])  # fmt: skip
def test_an_error_of_reading_names_them_too(read: Callable[[str], Any], said: str) -> None:
    register_control(replace(STARS, name="broken", read=read))
    form = form_of({"/rows/*/rating": "broken"}, {"rows": [{"rating": 3}]})
    with pytest.raises(ControlError) as caught:
        form.submit({"#/rows/0/rating": "**"})
    assert caught.value.place == "/rows/0/rating"
    assert said in str(caught.value)


MARKUP: list[tuple[str, str, bool]] = [
    ('<input type="range" {{ attributes }} min="0" max="5" step="any" value="{{ text }}">', "3.5", True),
    ('<input type="range" {{ attributes }} max="5" value="{{ text }}">', "3.5", False),
    ('<input type="range" {{ attributes }} value="{{ text }}">', "", False),
    ('<input type="number" {{ attributes }} value="{{ text }}">', "3.5", True),
    ('<input type="number" {{ attributes }} value="{{ text }}">', "x", False),
    ('<input type="color" {{ attributes }} value="{{ text }}">', "#FF0000", False),
    ('<input type="date" {{ attributes }} value="{{ text }}">', "soon", False),
    ('<input {{ attributes }} value="{{ text }}">', "a\nb", False),
    ('<textarea {{ attributes }}>\n{{ text }}</textarea>', "\na\r\nb", True),
    ('<input type="radio" name="{{ name }}" value="3.5"{% if text == "3.5" %} checked{% endif %}>', "3.5", True),
    ('<input type="radio" name="{{ name }}" value="3.5"{% if text == "3.5" %} checked{% endif %}>', "", True),
    ('<select {{ attributes }}><option value="{{ text }}" selected>A<option>B</select>', "x y", True),
    ('<input disabled {{ attributes }} value="other">', "a", True),
    ('<input name="other" value="b">', "a", True),
]  # fmt: skip


@pytest.mark.parametrize(("template", "text", "fits"), MARKUP)
def test_what_a_browser_would_post_untouched_is_what_is_shown(
    template: str, text: str, fits: bool
) -> None:
    register_control(CustomControl("any", template, lambda value: {"text": value or ""}, str))
    form = form_of({"/name": "any"}, {"name": text} if text else {})
    if fits:
        form.render()
    else:
        with pytest.raises(ControlError, match="untouched"):
            form.render()


def test_names_and_types_are_checked() -> None:
    assert register_control(STARS) is STARS  # the same again
    for changes, said in (
        ({"name": "text"}, "is a kind of control already"),
        ({"name": "Stars!"}, "small letters"),
        ({"name": "new", "types": ("integer",)}, '"integer" is not a type of JSON values'),
        ({"template": "x"}, 'another control is registered as "stars"'),
    ):
        with pytest.raises(FormError, match=said):
            register_control(replace(STARS, **changes))


@pytest.mark.parametrize(("pattern", "kind", "said"), [
    ("/rating", "starz", '"starz" is not a kind of control\n    hint: did you mean "stars"?'),
    ("/rating", "colur", 'did you mean "colour"?'),
    ("/name", "stars", 'the control "stars" is for number, which "/name" cannot be'),
])  # fmt: skip
def test_what_does_not_fit_is_said(pattern: str, kind: str, said: str) -> None:
    with pytest.raises(InvalidFormDescription) as caught:
        form_of({pattern: kind}, {})
    assert said in str(caught.value.report)


class EntryPoint:
    """An entry point of another package."""

    def __init__(self, name: str, value: Any) -> None:
        self.name = name
        self.value = value

    def load(self) -> Any:
        if isinstance(self.value, Exception):
            raise self.value
        return self.value


@pytest.mark.parametrize(("value", "said"), [
    (replace(STARS, name="their-stars"), None),
    (STARS, "its entry point is not a CustomControl of this name"),
    ("no control", "its entry point is not a CustomControl of this name"),
    (ImportError("no module stars"), "it cannot be loaded: ImportError: no module stars"),
    (replace(STARS, name="their-stars", types=("int",)), "is not a type of JSON values"),
])  # fmt: skip
def test_entry_points(monkeypatch: pytest.MonkeyPatch, value: Any, said: str | None) -> None:
    points = [EntryPoint("their-stars", value)]
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: points)
    custom_controls._entry_points.cache_clear()
    try:
        if said is None:
            assert form_of({"/rating": "their-stars"}, {"rating": 2}).submit({}).data == {
                "rating": 2
            }
        else:
            with pytest.raises(ControlError, match=said):
                form_of({"/rating": "their-stars"}, {})
    finally:
        custom_controls._entry_points.cache_clear()

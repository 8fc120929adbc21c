"""Exports in the real libraries, in a real browser: what we say of them is what they do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import strategies
from tests.browser.bundling import bundle
from tests.chromium import Watched, watched
from tests.effort import scaled
from widgetschema import SchemaError, Validator, widget_type
from widgetschema.forms import Form, FormFactory
from widgetschema.forms.exports import Export
from widgetschema.forms.model import CONTAINER_KINDS, Field
from widgetschema.pointers import parse_pointer

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LIBRARIES = ["rjsf", "jsonforms"]
# What the libraries say on the console of data that is invalid.
EXPECTED = (
    "Form validation failed",
    "error occurred in the",
    "could not merge subschemas",
    "ignoring oneOf in dependencies",
)

TEXT: dict[str, Any] = {"type": "string"}
NODE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": TEXT,
        "children": {"type": "array", "items": {"$ref": "#/definitions/node"}},
        "next": {"$ref": "#/definitions/node"},
    },
}
SCHEMAS: dict[str, Any] = {
    "nested lists": {
        "type": "object",
        "properties": {
            "slides": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "title": TEXT,
                        "style": {"type": "object", "properties": {"size": {"type": "number"}}},
                        "tags": {"type": "array", "items": TEXT},
                        "grid": {"type": "array", "items": {"type": "array", "items": TEXT}},
                    },
                },
            }
        },
    },
    "recursive": {**NODE, "definitions": {"node": NODE}},
    "alternatives": {
        "type": "object",
        "properties": {
            "media": {
                "oneOf": [
                    {"type": "object", "title": "Image", "required": ["src"], "additionalProperties": False,
                     "properties": {"src": {"type": "string", "format": "uri"}, "width": {"type": "integer"}}},
                    {"type": "object", "title": "Video", "required": ["id"], "additionalProperties": False,
                     "properties": {"id": TEXT, "muted": {"type": "boolean"}}},
                ]
            },
            "size": {"anyOf": [{"type": "number"}, TEXT]},
            "any": {"type": ["string", "number", "array"]},
            "note": {"type": ["string", "null"]},
        },
    },
    "choices": {
        "type": "object",
        "required": ["layout"],
        "properties": {
            "layout": {"enum": ["a", "b", "c"]},
            "columns": {"enum": [1, 2, 3]},
            "level": {"oneOf": [{"const": "low", "title": "Low"}, {"const": "high"}]},
            "mixed": {"enum": [1, "1", None, {"a": 1}]},
            "fixed": {"const": "x"},
            "shown": {"type": "boolean"},
            "several": {"type": "array", "uniqueItems": True, "items": {"enum": ["a", "b"]}},
        },
    },
    "texts": {
        "type": "object",
        "properties": {
            "moment": {"type": "string", "format": "date-time"},
            "day": {"type": "string", "format": "date"},
            "hour": {"type": "string", "format": "time"},
            "link": {"type": "string", "format": "uri"},
            "mail": {"type": "string", "format": "email"},
            "colour": TEXT,
            "description": TEXT,
            "plain": TEXT,
        },
    },
    "tuples": {
        "type": "object",
        "properties": {
            "point": {"type": "array", "items": [{"type": "number"}, TEXT]},
            "open": {"type": "array", "items": [TEXT], "additionalItems": {"type": "number"}},
        },
    },
    "conditions": {
        "type": "object",
        "properties": {"kind": {"enum": ["a", "b"]}},
        "if": {"properties": {"kind": {"const": "a"}}, "required": ["kind"]},
        "then": {"properties": {"first": TEXT}},
        "else": {"properties": {"second": TEXT}},
        "dependencies": {"kind": {"properties": {"third": {"type": "number"}}}},
    },
    "names": {
        "type": "object",
        "properties": dict.fromkeys(["", "a.b", "a/b", "~", "~~", "__proto__", "constructor", "2", "1", "a b", "[0]", "ui:order"], TEXT)
        | {"strengthen": {"type": "object", "properties": {"x": TEXT}}},
    },
    "others": {
        "type": "object",
        "properties": {"a": TEXT},
        "patternProperties": {"^x": {"type": "number"}},
        "additionalProperties": TEXT,
    },
    "numbers": {"type": "object", "properties": {"n": {"type": "number"}, "free": {}}},
    "nulls": {
        "type": "object",
        "properties": {"a": {"type": "null"}, "b": {"const": None}, "c": {"type": ["array", "null"], "items": {"type": "null"}}},
    },
    "nothing but null": {"type": "null"},
    "inherited names": {"type": "object", "properties": {"toString": TEXT, "hasOwnProperty": {"type": "object", "properties": {"x": TEXT}}}},
    "nothing in it": {"type": "object", "properties": {"a": {"type": "array", "items": False}, "#": TEXT, "a#": TEXT}},
    "list or text as a whole": {"anyOf": [{"type": "array", "items": TEXT}, TEXT]},
    "choice as a whole": {"enum": ["a", "b"]},
    "list as a whole": {"type": "array", "items": {"type": "object", "properties": {"a": TEXT}}},
    "null as a whole": {"type": ["object", "null"], "properties": {"a": TEXT}},
    "without end": {
        "type": "object",
        "properties": {"n": TEXT, "c": {"$ref": "#"}},
        "if": {"required": ["n"]},
        "then": {"required": ["c"]},
    },
}  # fmt: skip
DATA: list[tuple[str, str]] = [
    ("nested lists", '{"slides":[{"title":"a","tags":["x",""],"style":{"size":1.5},"grid":[["p"],[]]},{}]}'),
    ("nested lists", '{"slides":[]}'),
    ("nested lists", "{}"),
    ("nested lists", '{"slides":[{"tags":"no list","grid":{"a":1}},7,null],"other":{"b":[1]}}'),
    ("recursive", '{"name":"a","children":[{"name":"b","children":[{"name":"c","children":[{}]}],"next":{"name":"d"}}]}'),
    ("recursive", '{"next":{"next":{"next":{"name":"deep","children":[]}}}}'),
    ("alternatives", '{"media":{"id":"v","muted":false},"size":"10px","any":[1],"note":null}'),
    ("alternatives", '{"size":3,"media":{"src":"https://example.org/a.png"},"any":"text","note":"x"}'),
    ("alternatives", '{"media":{"what":1},"size":{"a":[]}}'),
    ("alternatives", "{}"),
    ("choices", '{"shown":false,"layout":"b","columns":2,"level":"high","mixed":"1","fixed":"x","several":["b"]}'),
    ("choices", '{"layout":"z","columns":9,"level":"none","mixed":[],"fixed":"y","shown":"yes","several":["q"]}'),
    ("choices", "{}"),
    ("texts", r'{"moment":"2026-11-27T00:00:00.123+05:30","day":"2026-11-27","hour":"09:30:00Z","link":"x","mail":"a@b","plain":""}'),
    ("texts", r'{"colour":"rgba(1,2,3,.5)","description":"\na\r\nb\n"}'),
    ("texts", '{"moment":5,"day":"tomorrow","hour":[],"plain":{"a":1},"colour":"linear-gradient(red, blue)"}'),
    ("tuples", '{"point":[1,"a"],"open":["a",1,2]}'),
    ("tuples", '{"point":[1],"open":[]}'),
    ("tuples", '{"point":[1,"a",true]}'),
    ("conditions", '{"third":1,"kind":"a","first":"x"}'),
    ("conditions", '{"second":"y","first":"x"}'),
    ("names", '{"constructor":"a","toString":1,"valueOf":{}}'),
    ("names", '{"":"0","a.b":"1","a/b":"2","~":"3","~~":"4","constructor":null,"a b":"6","[0]":"7","ui:order":"8","strengthen":{"x":"9"}}'),
    ("names", '{"__proto__":"a"}'),
    ("names", '{"2":"a","1":"b"}'),
    ("others", '{"z":"1","x1":2,"a":"3","x2":4}'),
    ("others", '{"x1":"no number","z":{"a":1}}'),
    ("numbers", '{"n":1.0,"free":[1e3,-0]}'),
    ("numbers", '{"n":9007199254740993}'),
    ("numbers", '{"n":1e400}'),
    ("numbers", '{"n":"1","free":{"10":0,"9":1}}'),
    ("numbers", '{"free":{"__proto__":{"a":1}}}'),
    ("nulls", "{}"),
    ("nulls", '{"a":null,"b":null,"c":[null]}'),
    ("nulls", '{"a":1,"c":[]}'),
    ("nothing but null", "null"),
    ("nothing but null", "1"),
    ("inherited names", "{}"),
    ("inherited names", '{"toString":"x"}'),
    ("nothing in it", '{"a":[],"#":"x","a#":"y"}'),
    ("nothing in it", '{"a":[1]}'),
    ("list or text as a whole", '["a"]'),
    ("list or text as a whole", "[]"),
    ("list or text as a whole", '"a"'),
    ("choice as a whole", '"b"'),
    ("choice as a whole", '"c"'),
    ("list as a whole", '[{"a":"x","b":1},{}]'),
    ("null as a whole", "null"),
    ("without end", '{"n":"x"}'),
]  # fmt: skip


class Library:
    """A page with one of the libraries on it."""

    def __init__(self, name: str, page: Page, watch: Watched) -> None:
        self.name = name
        self.page = page
        self.watch = watch
        page.add_script_tag(path=bundle(f"{name}.jsx"))

    def export(self, form: Form) -> Export:
        return form.to_rjsf() if self.name == "rjsf" else form.to_jsonforms()

    def mount(self, export: Export, text: str) -> str | None:
        held: str | None = self.page.evaluate(
            "([form, data]) => window.mount(form, data).catch(() => null)", [export.as_dict(), text]
        )
        return held

    def submitted(self) -> str | None:
        """Return what is handed over; None if nothing is, because the data is invalid."""
        outcome = self.page.evaluate("() => window.submitted().catch(() => null)")
        return None if outcome is None else outcome.get("data")

    def controls(self) -> list[str]:
        found: list[str] = self.page.evaluate(
            "() => [...document.querySelectorAll('main input, main select, main textarea')].map(e => e.id)"
        )
        return found

    def said(self) -> list[str]:
        """Return the lines of the console since the last call."""
        said = [text for text in self.watch.said if not any(part in text for part in EXPECTED)]
        self.watch.said.clear()
        return said


@pytest.fixture(scope="module")
def libraries(browser: Browser) -> Iterator[dict[str, Library]]:
    with watched(browser) as watch:
        yield {name: Library(name, watch.page(), watch) for name in LIBRARIES}


@pytest.fixture(params=LIBRARIES)
def library(libraries: dict[str, Library], request: pytest.FixtureRequest) -> Library:
    return libraries[request.param]


def forms_of(schema: Any) -> FormFactory:
    return FormFactory(Validator(schema))


def exact(text: str | None) -> Any:
    """Return the spelling of a JSON text: the order of members, and digits of numbers."""
    if text is None:
        return "nothing"
    return json.loads(text, parse_float=Decimal, parse_int=Decimal, object_pairs_hook=tuple)


def covered(export: Export, path: str) -> str | None:
    """Return the reason why there is no control of its own at a path."""
    tokens = parse_pointer(path)
    for loss in export.losses:
        pattern = parse_pointer(loss.path)
        pairs = zip(pattern, tokens, strict=False)
        if loss.kind == "control" and len(pattern) <= len(tokens):
            if all(one in ("*", token) for one, token in pairs):
                return loss.message
    return None


def leaves(form: Form) -> Iterator[Field]:
    """The fields of one control that are about the data; checkboxes are a list."""
    several = (*CONTAINER_KINDS, "checkboxes", "alternatives")
    for field in form.root.walk():
        if field.path is not None and field.kind not in several:
            yield field


def check_data(library: Library, export: Export, text: str) -> None:
    """The data is equal after mount and after submit if, and only if, we say so."""
    held = library.mount(export, text)
    submitted = library.submitted()
    same = exact(held) == exact(text) and (submitted is None or exact(submitted) == exact(text))
    assert same == export.keeps_data, (export.losses, text, held, submitted)
    taken = any(loss.message.startswith("Ajv takes") for loss in export.losses)
    if (
        same
        and library.name == "rjsf"
        and not taken
        and Validator(export.schema).is_valid(json.loads(text))
    ):
        assert submitted is not None, "what is valid is handed over"


def check_controls(library: Library, export: Export, form: Form) -> None:
    """Every leaf of which we do not say otherwise has a control that shows it."""
    controls = library.controls()
    values = "() => [...document.querySelectorAll('main input')].map(control => control.value)"
    assert "[object Object]" not in library.page.evaluate(values)
    if library.name == "rjsf":
        for field in leaves(form):
            if covered(export, field.path or "") is None:
                tokens = ["root", *filter(None, parse_pointer(field.path or ""))]
                id = "_".join(tokens)
                several = "_".join(tokens[:-1])  # one control for all items of a list
                found = [
                    one for one in controls if one in (id, several) or one.startswith(f"{id}-")
                ]
                assert found, (field.path, controls)
        return
    wanted = [field for field in leaves(form) if covered(export, field.path or "") is None]
    assert len(controls) >= len(wanted), (controls, [field.path for field in wanted])
    for scope in scopes(export.ui_schema):
        if f"{scope}-input" not in controls:
            arrays = library.page.evaluate("() => document.querySelectorAll('main button').length")
            assert arrays, scope


def scopes(element: Any) -> Iterator[str]:
    for inner in element.get("elements", ()):
        yield from scopes(inner)
    if element["type"] == "Control":
        yield element["scope"]


@pytest.mark.parametrize(
    ("name", "text"), DATA, ids=[f"{at}-{name}" for at, (name, _) in enumerate(DATA)]
)
def test_what_we_say_is_what_they_do(library: Library, name: str, text: str) -> None:
    form = forms_of(SCHEMAS[name]).form_json(text)
    export = library.export(form)
    check_data(library, export, text)
    ended = "without end" not in name or library.name != "rjsf"
    if ended:
        check_controls(library, export, form)
    said = library.said()
    assert said == [] if ended else said != []


def countdown_texts() -> dict[str, str]:
    countdown = widget_type("countdown")
    texts = {
        "minimal": countdown.minimal(),
        "maximal": countdown.maximal(),
        "sample": countdown.sample(),
        "another sample": countdown.sample(7),
        "near miss": next(iter(countdown.near_misses())).data,
    }
    return {name: json.dumps(data) for name, data in texts.items()}


@pytest.mark.parametrize("name", ["minimal", "maximal", "sample", "another sample", "near miss"])
def test_countdown(library: Library, name: str) -> None:
    text = countdown_texts()[name]
    form = widget_type("countdown").form_json(text)
    export = library.export(form)
    assert export.keeps_data
    check_data(library, export, text)
    check_controls(library, export, form)
    assert library.said() == []


def test_one_edit_changes_one_value(library: Library) -> None:
    countdown = widget_type("countdown")
    data = countdown.sample(3, fill=1.0)
    export = library.export(countdown.form(data))
    library.mount(export, json.dumps(data))
    id = {
        "rjsf": "root_content_timerTitle",
        "jsonforms": "#/properties/content/properties/timerTitle-input",
    }
    library.page.fill(f"[id='{id[library.name]}']", "Ends tonight")
    data["content"]["timerTitle"] = "Ends tonight"
    library.page.wait_for_function("text => window.held() === text", arg=json.dumps(data, separators=(",", ":"), ensure_ascii=False))  # fmt: skip
    assert library.said() == []


def test_a_cleared_text_and_a_moment_in_rjsf(libraries: dict[str, Library]) -> None:
    library = libraries["rjsf"]
    text = '{"moment":"2026-11-27T00:00:00.123+05:30","plain":"x"}'
    library.mount(library.export(forms_of(SCHEMAS["texts"]).form_json(text)), text)
    library.page.fill("#root_plain", "")
    library.page.fill("#root_moment", "2026-11-28T00:00:00.123+05:30")
    expected = '{"moment":"2026-11-28T00:00:00.123+05:30","plain":""}'
    library.page.wait_for_function("text => window.held() === text", arg=expected)


def test_free_json_in_rjsf(libraries: dict[str, Library]) -> None:
    library = libraries["rjsf"]
    export = library.export(forms_of(SCHEMAS["numbers"]).form_json('{"free":{"b":1,"a":[]}}'))
    assert export.fields == ("widgetschemaJson",)
    library.mount(export, '{"free":{"b":1,"a":[]}}')
    library.page.fill("#root_free", '{"c": [1, {')
    assert library.page.locator("[role=alert]").count() == 1
    assert library.page.evaluate("() => window.held()") == '{"free":{"b":1,"a":[]}}'
    library.page.fill("#root_free", '{"c": [1, {}]}')
    library.page.wait_for_function('() => window.held() === \'{"free":{"c":[1,{}]}}\'')
    assert library.said() == []


def test_any_schema_and_any_data(libraries: dict[str, Library]) -> None:
    found: list[tuple[Any, Form]] = []

    @settings(max_examples=scaled(70))  # fmt: skip
    @given(strategies.schemas(), st.lists(strategies.instances(), min_size=1, max_size=1))
    def collect(schema: Any, instances: list[Any]) -> None:
        try:
            forms = forms_of(schema)
        except SchemaError:
            return
        found.append((schema, forms.form_json(json.dumps(instances[0]))))

    collect()
    assert len(found) > scaled(40)
    for library in libraries.values():
        for schema, form in found:
            export = library.export(form)
            check_data(library, export, form.text)
            shown = not any(loss.message.startswith("nothing is shown") for loss in export.losses)
            assert library.said() == [] or not shown, (schema, form.text)


DESCRIBED: dict[str, Any] = {
    "type": "object",
    "properties": {
        "kind": {"enum": ["a", "b"], "default": "a"},
        "title": TEXT,
        "note": TEXT,
        "rows": {
            "type": "array",
            "items": {"type": "object", "properties": {"on": {"type": "boolean"}, "text": TEXT}},
        },
    },
}
DESCRIPTION: dict[str, Any] = {
    "": {
        "tabs": [{"label": "First", "members": ["kind", "title", "rows"]}, {"label": "Second", "members": ["note"]}],
        "groups": [{"label": "Together", "members": ["kind", "title"]}],
    },
    "/title": {"when": {"kind": "a"}, "placeholder": "Say it"},
    "/rows/*/text": {"when": {"on": True}},
    "/note": {"readonly": True},
}  # fmt: skip


def test_what_json_forms_does_with_a_ui_description(libraries: dict[str, Library]) -> None:
    library, text = libraries["jsonforms"], '{"rows":[{"on":true},{"on":false}],"note":"x"}'
    form = forms_of(DESCRIBED).form_json(text, ui=DESCRIPTION)
    page, title = library.page, "#\\#\\/properties\\/title-input"
    for said, shown in (("{}", True), ('{"kind":"a"}', True), ('{"kind":"b"}', False)):
        library.mount(form.to_jsonforms(), said)
        assert page.locator(title).is_visible() == shown, said
    assert library.mount(form.to_jsonforms(), text) == text
    assert page.locator(title).get_attribute("placeholder") == "Say it"
    assert page.locator("main li > span").all_inner_texts() == ["First", "Second"]
    assert [one.strip() for one in page.locator("main legend").all_inner_texts()][:1] == ["Together"]  # fmt: skip
    visible = [one for one in page.get_by_label("Text").all() if one.is_visible()]
    assert len(visible) == 1  # of the item that is on
    page.locator("main li", has_text="Second").click()
    assert page.locator("#\\#\\/properties\\/note-input").is_disabled()
    assert library.submitted() == text
    assert library.said() == []


def on(kind: str, keyword: str, **properties: Any) -> dict[str, Any]:
    """A condition on the value of `kind`."""
    condition = {"properties": {"kind": {"const": kind}}, "required": ["kind"]}
    return {"if": condition, keyword: {"properties": properties}}


@pytest.mark.parametrize(
    ("rules", "cases"),
    [
        (on("USA", "then", state=TEXT), {"{}": [], '{"kind":"USA"}': ["state"], '{"kind":"DE"}': []}),
        (on("USA", "else", region=TEXT), {"{}": ["region"], '{"kind":"USA"}': []}),
        ({"dependencies": {"kind": {"properties": {"more": TEXT}}}}, {"{}": [], '{"kind":"DE"}': ["more"]}),
        ({"dependencies": {"kind": {"oneOf": [
            {"properties": {"kind": {"const": "USA"}, "state": TEXT}},
            {"properties": {"kind": {"const": "DE"}, "region": TEXT}}]}}},
         {"{}": [], '{"kind":"USA"}': ["state"], '{"kind":"DE"}': ["region"], '{"kind":"FR"}': []}),
        ({"allOf": [on("USA", "then", state=TEXT), on("DE", "then", region=TEXT)]},
         {"{}": [], '{"kind":"USA"}': ["state"], '{"kind":"DE"}': ["region"]}),
    ],
)  # fmt: skip
def test_fields_that_depend_on_others_are_shown(
    library: Library, rules: Any, cases: dict[str, list[str]]
) -> None:
    kind = {"enum": ["USA", "DE", "FR"]}
    places = {"rjsf": "#root_{}", "jsonforms": "#\\#\\/properties\\/{}-input"}
    schema = {"type": "object", "properties": {"kind": kind}, **rules}
    for text, shown in cases.items():
        export = library.export(forms_of(schema).form_json(text))
        assert library.mount(export, text) == text
        found = [
            name
            for name in ("state", "region", "more")
            if library.page.locator(places[library.name].format(name)).is_visible()
        ]
        assert found == shown, text
    assert library.said() == []


def test_rjsf_has_a_field_for_what_a_condition_only_asks_for(libraries: dict[str, Library]) -> None:
    library, text = libraries["rjsf"], '{"kind":"USA"}'
    schema = on("USA", "then") | {"type": "object", "properties": {"kind": {"enum": ["USA", "DE"]}}}
    schema["then"] = {"required": ["state"]}
    for data, number in ((text, 1), ('{"kind":"DE"}', 0)):
        export = library.export(forms_of(schema).form_json(data))
        assert [loss.path for loss in export.losses if loss.kind == "control"] == ["/state"]
        assert library.mount(export, data) == data
        assert library.page.locator("textarea").count() == number
    assert library.said() == []


def test_what_rjsf_does_with_a_ui_description(libraries: dict[str, Library]) -> None:
    library, text = libraries["rjsf"], '{"note":"x","kind":"a"}'
    export = forms_of(DESCRIBED).form_json(text, ui=DESCRIPTION).to_rjsf()
    assert library.mount(export, text) == text
    assert library.page.locator("#root_note").get_attribute("readonly") is not None
    assert library.page.locator("#root_title").get_attribute("placeholder") == "Say it"
    assert library.submitted() == text

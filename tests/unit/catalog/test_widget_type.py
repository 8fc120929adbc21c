"""The public face: `WidgetType`, `Catalog`, `Validator` and the functions of the package."""

from __future__ import annotations

import copy
import enum
import json
import pickle
import pydoc
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any
from urllib.parse import quote

import jsonschema
import pytest

import widgetschema
from widgetschema import (
    Catalog,
    EngineUnavailable,
    Finding,
    InvalidSchema,
    InvalidWidgetData,
    ReferenceLoop,
    Report,
    Store,
    StoreError,
    UnclearSchema,
    UnknownWidgetType,
    UnresolvableReference,
    UnsupportedDialect,
    Validator,
    WidgetSchemaError,
    WidgetType,
)
from widgetschema.catalog.store import bundled
from widgetschema.jsontext import Limits, parse, read

VALID: dict[str, Any] = {
    "content": {"timerTitle": "Sale", "timerDays": 3, "expDate": None},
    "settings": {"showTitle": True},
    "styles": {"layoutId": "default", "layout": "layout-1", "containerBg": ["#fff"]},
}
INVALID: dict[str, Any] = {
    "content": {"timerDays": "3", "postCountdownType": "Hide"},
    "settings": {"showTitle": 1},
    "styles": {"layoutID": "default"},
}
# What is wrong with INVALID: keyword and path.
MISTAKES = [
    ("type", "/content/timerDays"),
    ("enum", "/content/postCountdownType"),
    ("type", "/settings/showTitle"),
    ("additionalProperties", "/styles/layoutID"),
]
FAQ: dict[str, Any] = {
    "$id": "faq",
    "title": "Questions",
    "allOf": [{"$ref": "plugin"}],
    "properties": {"data": {"$ref": "#/definitions/Data"}},
    "definitions": {
        "Data": {
            "type": "object",
            "properties": {
                "mail": {"type": "string", "format": "email"},
                "code": {"type": "string", "pattern": "^[a-z]+$"},
            },
        }
    },
}
STRICT: dict[str, Any] = {
    "$id": "plugin",
    "required": ["data", "name"],
    "properties": {"data": {"required": ["version"]}},
}


def mistakes(report: Report) -> list[tuple[str, str]]:
    return [(finding.keyword, finding.path) for finding in report]


def store(folder: Path, schemas: dict[str, Any]) -> Path:
    """A folder of schemas with its manifest."""
    folder.mkdir(parents=True)
    for name, schema in schemas.items():
        (folder / f"{name}.json").write_text(json.dumps(schema))
    Store(folder).pin()
    return folder


@pytest.fixture
def countdown() -> WidgetType:
    return WidgetType.from_schema(bundled()["countdown"])


class TestFunctions:
    """The functions of the package, in a directory without a store of its own."""

    @pytest.fixture(autouse=True)
    def _elsewhere(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)

    def test_valid_data(self) -> None:
        assert widgetschema.is_valid("countdown", VALID) is True
        assert widgetschema.check("countdown", VALID) == Report(
            (), "data of widget type 'countdown'"
        )
        widgetschema.validate("countdown", VALID)

    def test_invalid_data(self) -> None:
        report = widgetschema.check("countdown", INVALID)

        assert widgetschema.is_valid("countdown", INVALID) is False
        assert mistakes(report) == MISTAKES
        with pytest.raises(InvalidWidgetData) as caught:
            widgetschema.validate("countdown", INVALID)
        assert caught.value.report == report
        assert str(caught.value) == str(report)

    def test_the_widget_type_is_made_once(self) -> None:
        widget_type = widgetschema.widget_type("countdown")

        assert widget_type is widgetschema.widget_type("countdown")
        assert (widget_type.id, widget_type.source) == ("countdown", "bundled")

    @pytest.mark.parametrize(
        "call",
        [
            pytest.param(lambda: widgetschema.widget_type("countdwon"), id="widget_type"),
            pytest.param(lambda: widgetschema.is_valid("countdwon", {}), id="is_valid"),
            pytest.param(lambda: widgetschema.check("countdwon", {}), id="check"),
            pytest.param(lambda: widgetschema.validate("countdwon", {}), id="validate"),
        ],
    )
    def test_an_unknown_id(self, call: Callable[[], object]) -> None:
        with pytest.raises(UnknownWidgetType) as caught:
            call()

        assert (caught.value.id, caught.value.nearest) == ("countdwon", ("countdown",))
        assert str(caught.value) == (
            "unknown widget type 'countdwon'; did you mean 'countdown'? (known: 'countdown')"
        )

    def test_without_a_folder_of_schemas_an_unknown_id_says_so(self, tmp_path: Path) -> None:
        only = Catalog([bundled()])
        with pytest.raises(UnknownWidgetType) as caught:
            only["order"]
        assert str(caught.value) == (
            f"unknown widget type 'order' (known: 'countdown'); there is no folder \"schemas\" in "
            f"{Path.cwd()} or above it that has schemas directly in it, and WIDGETSCHEMA_SCHEMAS "
            "names none"
        )
        own = store(tmp_path / "own", {"faq": FAQ})
        for catalog in (Catalog([own, bundled()]), Catalog([{"faq": FAQ}])):
            with pytest.raises(UnknownWidgetType) as caught:
                catalog["order"]
            assert caught.value.note == ""


class TestWrongUse:
    """Mistakes in calls, whose errors say what to write."""

    @pytest.mark.parametrize(
        "function", [widgetschema.validate, widgetschema.is_valid, widgetschema.check]
    )
    @pytest.mark.parametrize("data", [{}, [1], VALID], ids=["empty", "list", "data"])
    def test_swapped_arguments(self, function: Callable[..., Any], data: Any) -> None:
        message = r'must be a str, not (dict|list); .* as in validate\("countdown", data\)'
        with pytest.raises(TypeError, match=message):
            function(data, "countdown")

    @pytest.mark.parametrize("make", [WidgetType.from_schema, Validator])
    def test_resources_in_a_list(self, make: Callable[..., Any]) -> None:
        message = r'as in resources={"plugin": schema}, not list'
        with pytest.raises(TypeError, match=message):
            make(FAQ, resources=[STRICT])

    @pytest.mark.parametrize("name", ["is_valid", "check", "validate", "to_plain"])
    def test_an_awaitable(self, name: str, countdown: WidgetType) -> None:
        async def load() -> Any:
            return VALID

        data = load()
        with pytest.raises(TypeError, match=r"\(coroutine\), not a JSON text: write `await`"):
            countdown.check_json(data)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match=r"\(coroutine\), not data: write `await` before"):
            getattr(countdown, name)(data)
        report = countdown.check({**VALID, "content": data})
        data.close()

        assert report.findings[0].message == "a Python coroutine is not a JSON value"
        assert report.findings[0].hint == "write `await` before the call that made it"


class TestHelp:
    def test_the_api_is_shown(self) -> None:
        shown = pydoc.plain(pydoc.render_doc(widgetschema))

        for name in ("class WidgetType(", "    validate(id: 'str', data: 'Any')", "class Catalog("):
            assert name in shown
        assert {*vars(widgetschema)["__all__"]} <= {*dir(widgetschema)}

    def test_the_documentation_of_is_valid(self, countdown: WidgetType) -> None:
        for method in (countdown.is_valid, countdown.validator.is_valid, WidgetType.is_valid):
            shown = pydoc.plain(pydoc.render_doc(method))
            assert "is_valid(" in shown
            assert "Return whether" in shown
            assert "True if there are no findings." in shown

    def test_the_documented_methods_give_the_same(self, countdown: WidgetType) -> None:
        for value in (VALID, INVALID, {1}):
            valid = countdown.is_valid(value)
            assert WidgetType.is_valid(countdown, value) is valid
            assert Validator.is_valid(countdown.validator, value) is valid


class TestData:
    """The methods of a widget type about data alone."""

    def test_valid(self, countdown: WidgetType) -> None:
        text = json.dumps(VALID)

        assert countdown.is_valid(VALID) is True
        assert countdown.is_valid_json(text) is True
        assert countdown.is_valid_json(text.encode()) is True
        assert countdown.check(VALID).valid
        assert countdown.check_json(text).valid
        countdown.validate(VALID)

    def test_invalid(self, countdown: WidgetType) -> None:
        text = json.dumps(INVALID)

        assert countdown.is_valid(INVALID) is False
        assert countdown.is_valid_json(text) is False
        assert mistakes(countdown.check(INVALID)) == MISTAKES
        assert mistakes(countdown.check_json(text)) == MISTAKES
        assert mistakes(countdown.check_json(text.encode())) == MISTAKES
        with pytest.raises(InvalidWidgetData) as caught:
            countdown.validate(INVALID)
        assert mistakes(caught.value.report) == MISTAKES

    def test_an_invalid_text_is_an_error_with_lines(self, countdown: WidgetType) -> None:
        countdown.validate_json(json.dumps(VALID))
        for text in (json.dumps(INVALID, indent=2), '{"content": NaN}'):
            with pytest.raises(InvalidWidgetData) as caught:
                countdown.validate_json(text)

            assert caught.value.report == countdown.check_json(text)
            assert caught.value.report.findings[0].line is not None

    def test_invalid_data_is_a_value_error(self, countdown: WidgetType) -> None:
        with pytest.raises(ValueError, match="4 findings"):
            countdown.validate(INVALID)

    def test_plain_values_are_safe_to_store(self) -> None:
        class Days(enum.Enum):
            SEVEN = 7

        class Text(str):
            pass

        key = uuid.UUID(int=1)
        widget_type = WidgetType.from_data_schema(True, id="x")
        data = {"id": key, "days": Days.SEVEN, "list": (1, 2.5), Text("name"): Text("x")}
        plain = widget_type.to_plain(data)

        assert plain == {"id": str(key), "days": 7, "list": [1, 2.5], "name": "x"}
        assert {type(one) for one in [*plain, *plain.values()]} == {str, int, list}
        assert widget_type.to_plain(plain) is not plain

    @pytest.mark.parametrize("value", [INVALID, {"content": {1}}, 5], ids=["data", "set", "int"])
    def test_invalid_data_has_no_plain_value(self, value: Any, countdown: WidgetType) -> None:
        with pytest.raises(InvalidWidgetData) as caught:
            countdown.to_plain(value)

        assert caught.value.report == countdown.check(value)

    def test_text_gives_lines_and_columns(self, countdown: WidgetType) -> None:
        report = countdown.check_json(json.dumps(INVALID, indent=2))
        values = countdown.check(INVALID)

        assert [(finding.line, finding.column) for finding in report] == [
            (3, 18),
            (4, 26),
            (7, 18),
            (10, 5),
        ]
        assert {(finding.line, finding.column) for finding in values} == {(None, None)}

    @pytest.mark.parametrize(
        ("text", "keyword"),
        [
            ("", "json.empty"),
            ("{", "json.syntax"),
            ('{"content": {}, "content": {}}', "json.duplicate-member"),
            ('{"content": NaN}', "json.number"),
            (b"\xff", "json.encoding"),
            ("[" * 300 + "]" * 300, "json.depth"),
        ],
    )
    def test_text_that_is_no_json_is_a_finding(
        self, text: str | bytes, keyword: str, countdown: WidgetType
    ) -> None:
        assert countdown.is_valid_json(text) is False
        assert [finding.keyword for finding in countdown.check_json(text)] == [keyword]

    @pytest.mark.parametrize("wrap", [bytearray, memoryview], ids=["bytearray", "memoryview"])
    def test_text_may_be_in_any_buffer(
        self, wrap: Callable[[bytes], bytearray | memoryview], countdown: WidgetType
    ) -> None:
        valid, invalid = (wrap(json.dumps(value).encode()) for value in (VALID, INVALID))

        assert countdown.is_valid_json(valid)
        assert mistakes(countdown.check_json(invalid)) == MISTAKES
        assert countdown.form_json(valid).data == VALID
        assert read(valid) == VALID

    @pytest.mark.parametrize(
        "value",
        [[123, 125], {}, VALID, 3, None, True, Path("a.json")],
        ids=lambda one: repr(one)[:9],
    )
    def test_a_value_is_no_text(self, value: Any, countdown: WidgetType) -> None:
        functions: list[Callable[[Any], object]] = [
            countdown.is_valid_json,
            countdown.check_json,
            countdown.form_json,
            countdown.validator.is_valid_json,
            countdown.validator.check_json,
            read,
            parse,
        ]
        for function in functions:
            with pytest.raises(TypeError, match=r"must be bytes.* or str, not .*without _json"):
                function(value)

    @pytest.mark.parametrize(
        ("value", "keyword", "path"),
        [
            ({**VALID, "content": {"timerTitle": b"x"}}, "json.type", "/content/timerTitle"),
            ({**VALID, "content": {"expDate": {1}}}, "json.type", "/content/expDate"),
            ({**VALID, "content": {"expDate": float("nan")}}, "json.number", "/content/expDate"),
            ({**VALID, "content": {1: "x"}}, "json.key", "/content"),
            ({**VALID, "content": {"expDate": "\ud800"}}, "json.surrogate", "/content/expDate"),
        ],
    )
    def test_a_value_that_is_no_json_is_a_finding(
        self, value: Any, keyword: str, path: str, countdown: WidgetType
    ) -> None:
        assert countdown.is_valid(value) is False
        assert mistakes(countdown.check(value)) == [(keyword, path)]

    @pytest.mark.parametrize(
        ("data", "hint"),
        [
            pytest.param({"data": VALID}, "this looks like a widget document", id="wrapped"),
            pytest.param({"id": "1", "data": VALID}, "this looks like a widget doc", id="document"),
            pytest.param(
                {"id": "1", "status": "draft", "type": "countdown"},
                "this looks like a record of the widgets list, which carries no data",
                id="record",
            ),
        ],
    )
    def test_what_is_wrapped_once_too_often(
        self, data: Any, hint: str, countdown: WidgetType
    ) -> None:
        for report in (countdown.check(data), countdown.check_json(json.dumps(data))):
            hints = [finding.hint or "" for finding in report]
            assert [hint in one for one in hints] == [True, *[False] * (len(report) - 1)]

    def test_a_document_whose_data_is_wrapped_twice(self, countdown: WidgetType) -> None:
        document = {"data": {"data": VALID}}
        text = json.dumps(document)
        for report in (countdown.check_document(document), countdown.check_document_json(text)):
            assert report.findings[0].hint == 'the data is wrapped twice, in "data" of "data"'

    def test_json_text_in_place_of_data(self, countdown: WidgetType) -> None:
        [finding] = countdown.check(json.dumps(VALID))

        assert finding.hint == "write the object itself, not its JSON text"

    def test_a_hint_is_added_to_another(self) -> None:
        schema = {"properties": {"data": {"properties": {"name": {"type": "string"}}}}}
        report = WidgetType.from_schema(schema, id="x").check({"data": {}, "name": 3})

        assert report.findings[0].hint == (
            'write "3", not 3; this looks like a widget document: check its property "data", '
            "or check all of it as a document"
        )

    def test_paths_begin_at_the_data(self, countdown: WidgetType) -> None:
        report = countdown.check("text")

        assert [finding.path for finding in report] == [""]
        assert report.subject == "data of widget type 'countdown'"

    def test_schema_paths_lead_into_the_linked_schema(self, countdown: WidgetType) -> None:
        assert [finding.schema_path for finding in countdown.check(INVALID)] == [
            "/definitions/IPluginContent/properties/timerDays/type",
            "/definitions/IPluginContent/properties/postCountdownType/enum",
            "/definitions/IPluginSettings/properties/showTitle/type",
            "/definitions/IPluginStyles/additionalProperties",
        ]

    def test_what_only_concerns_the_rest_of_the_document_does_not_count(self) -> None:
        schema = {"$id": "x", "required": ["name"], "properties": {"data": {"type": "object"}}}
        widget_type = WidgetType.from_schema(schema)

        assert widget_type.is_valid({})
        assert not widget_type.check_document({"data": {}}).valid

    @pytest.mark.parametrize("engine", ["rust", "python"])
    @pytest.mark.parametrize(
        ("pattern", "valid"),
        [
            pytest.param("^data$", True, id="plain"),
            pytest.param(r"^\p{Letter}+$", True, id="only-in-ecma"),
            pytest.param("^(?<name>d)", True, id="named-as-in-ecma"),
            pytest.param("^other$", False, id="another"),
        ],
    )
    def test_the_engine_reads_the_patterns_of_members(
        self, pattern: str, valid: bool, engine: str
    ) -> None:
        schema = {
            "$id": "x",
            "patternProperties": {pattern: {"type": "object"}},
            "additionalProperties": False,
        }
        widget_type = WidgetType.from_schema(schema, engine=engine, describes="document")

        assert widget_type.is_valid({}) is valid
        assert widget_type.check_document({"data": {}}).valid is valid
        assert not widget_type.is_valid(1)


class TestDocuments:
    def test_valid(self, countdown: WidgetType) -> None:
        report = countdown.check_document({"id": "1", "type": "countdown", "data": VALID})

        assert report == Report((), "document of widget type 'countdown'")

    def test_paths_begin_at_the_document(self, countdown: WidgetType) -> None:
        report = countdown.check_document({"data": INVALID})

        assert mistakes(report) == [(keyword, f"/data{path}") for keyword, path in MISTAKES]

    @pytest.mark.parametrize(
        ("document", "hint"),
        [
            ({}, "if this is the data itself, check it as data"),
            (VALID, "if this is the data itself, check it as data"),
            (
                {"id": "1", "status": "draft", "type": "countdown"},
                "records of the widgets list have no data",
            ),
        ],
    )
    @pytest.mark.parametrize("plugin", [None, STRICT], ids=["bundled", "strict"])
    def test_a_missing_member_data_is_said_once(
        self, document: dict[str, Any], hint: str, plugin: Any
    ) -> None:
        schema = bundled()["countdown"]
        report = WidgetType.from_schema(schema, plugin=plugin).check_document(document)

        first = report.findings[0]
        assert (first.keyword, first.path, first.expected) == ("required", "", "data")
        assert first.hint == hint
        missing = [finding.expected for finding in report if finding.keyword == "required"]
        assert missing == (["data"] if plugin is None else ["data", "name"])

    @pytest.mark.parametrize(
        "document", [{"data": VALID}, {"data": INVALID}, {"id": "1"}, {}, [], {"data": {1}}]
    )
    def test_all_methods_agree(self, document: Any, countdown: WidgetType) -> None:
        report = countdown.check_document(document)

        assert countdown.is_valid_document(document) is report.valid
        if report.valid:
            countdown.validate_document(document)
        else:
            with pytest.raises(InvalidWidgetData) as caught:
                countdown.validate_document(document)
            assert caught.value.report == report

    def test_text_gives_lines_and_columns(self, countdown: WidgetType) -> None:
        document = {"id": "1", "data": INVALID}
        report = countdown.check_document_json(json.dumps(document, indent=2))

        assert mistakes(report) == [(keyword, f"/data{path}") for keyword, path in MISTAKES]
        assert [finding.line for finding in report] == [5, 6, 9, 12]
        assert report.schemas == countdown.provenance

    @pytest.mark.parametrize(
        ("text", "found"),
        [
            ('{"data": {"content": {}, "settings": {}, "styles": {}}}', []),
            ('\n{"id": "1"}', [("required", 2, 1)]),
            ('{"data":\n NaN}', [("json.number", 2, 2)]),
        ],
    )
    def test_texts(
        self, text: str, found: list[tuple[str, int, int]], countdown: WidgetType
    ) -> None:
        report = countdown.check_document_json(text.encode())

        assert [(one.keyword, one.line, one.column) for one in report] == found
        assert report.subject == "document of widget type 'countdown'"

    @pytest.mark.parametrize("document", [[], "text", None, 5])
    def test_what_is_no_object_is_no_document(self, document: Any, countdown: WidgetType) -> None:
        report = countdown.check_document(document)

        assert mistakes(report) == [("type", "")]


class TestFromSchema:
    def test_what_it_knows(self) -> None:
        before = copy.deepcopy(FAQ)
        widget_type = WidgetType.from_schema(FAQ, source="here")

        assert widget_type.id == "faq"
        assert widget_type.title == "Questions"
        assert widget_type.source == "here"
        assert widget_type.schema == FAQ
        assert before == FAQ
        assert list(widget_type.linked["definitions"]) == ["Data", "plugin"]
        assert widget_type.linked["definitions"]["plugin"] == bundled()["plugin"]
        assert widget_type.lints == ()
        assert len(widget_type.digest) == len(widget_type.linked_digest) == 64
        assert repr(widget_type) == f"<WidgetType 'faq' {widget_type.digest[:12]}>"
        assert isinstance(widget_type.validator, Validator)

    @pytest.mark.parametrize(
        ("schema", "given", "expected"),
        [
            pytest.param({"$id": "own"}, None, "own", id="own"),
            pytest.param({"$id": "own"}, "given", "given", id="given-before-own"),
            pytest.param({"$id": "https://x.example/own"}, "given", "given", id="given-for-a-uri"),
            pytest.param({}, "given", "given", id="given"),
            pytest.param({}, None, "unnamed", id="neither"),
            pytest.param(True, None, "unnamed", id="boolean"),
        ],
    )
    def test_its_id(self, schema: Any, given: str | None, expected: str) -> None:
        widget_type = WidgetType.from_schema(schema, id=given, describes="document")

        assert widget_type.id == expected
        assert widget_type.check({}).subject == f"data of widget type {expected!r}"

    @pytest.mark.parametrize("title", [None, 5, ["x"]])
    def test_a_title_is_text_or_none(self, title: Any) -> None:
        linked = WidgetType.from_schema({"$id": "x"})._linked
        assert WidgetType("x", {"title": title}, linked).title is None
        assert WidgetType("x", True, linked).title is None

    @pytest.mark.parametrize(
        "schema",
        [
            pytest.param({"$id": "x", "allOf": [{"$ref": "plugin"}]}, id="nothing-about-data"),
            pytest.param({"$id": "x", "properties": {"data": {}}}, id="anything-for-data"),
            pytest.param({"$id": "x"}, id="nothing-at-all"),
            pytest.param({"$id": "x", "definitions": {"A": {"type": "object"}}}, id="resource"),
        ],
    )
    def test_a_type_that_can_refuse_no_data_cannot_be_used(self, schema: Any) -> None:
        one = WidgetType.from_schema(schema)
        other = WidgetType.from_schema({"type": "object"}, describes=one.describes, id="other")
        again = pickle.loads(pickle.dumps(one)).with_provenance(())

        assert (one.id, one.linked["$id"]) == ("x", "x")
        for use in (
            lambda: one.is_valid({}),
            lambda: again.is_valid({}),
            lambda: one.check({}),
            lambda: one.validate_json("{}"),
            lambda: one.check_document({"data": {}}),
            one.sample,
            one.coverage,
            one.strategy,
            one.form,
            lambda: one.compare(other),
            lambda: other.migration(one),
        ):
            with pytest.raises(UnclearSchema):
                use()

    @pytest.mark.parametrize("schema", [True, {}, {"title": "x"}])
    def test_any_data_may_be_meant(self, schema: Any) -> None:
        for one in (
            WidgetType.from_schema(schema, id="x", describes="data"),
            WidgetType.from_schema(schema, id="x", describes="document"),
            WidgetType.from_data_schema(schema, id="x"),
        ):
            assert one.is_valid({})
            assert one.is_valid_document({"data": {}})

    def test_what_it_describes(self) -> None:
        ordinary = {"$id": "note", "type": "object", "required": ["title"]}
        chart = {"$id": "chart", "required": ["type", "data", "options"]}
        note = WidgetType.from_schema(ordinary)

        assert (note.describes, note.schema, note.linked) == ("data", ordinary, ordinary)
        assert not note.is_valid({})
        assert not note.is_valid_document({"data": {}})
        assert note.is_valid_document({"data": {"title": 1}, "name": "x"})
        assert str(note.provenance[0]).endswith("of the data itself)")
        assert note.provenance[0].as_dict()["describes"] == "data"
        assert WidgetType.from_schema(FAQ).describes == "document"
        assert "describes" not in WidgetType.from_schema(FAQ).provenance[0].as_dict()
        with pytest.raises(UnclearSchema, match=r"\[types\.chart\]"):
            WidgetType.from_schema(chart)
        assert not WidgetType.from_schema(chart, describes="data").is_valid({"data": 1})

    def test_versions_are_read_by_one_decision(self) -> None:
        older = WidgetType.from_schema({"$id": "x", "properties": {"title": {"type": "string"}}})
        newer = WidgetType.from_schema({"$id": "x", "properties": {"data": {"type": "object"}}})

        for one, other in ((older, newer), (newer, older)):
            with pytest.raises(UnclearSchema, match="the older version describes"):
                one.compare(other)
            with pytest.raises(UnclearSchema, match="the older version describes"):
                one.migration(other)

    @pytest.mark.parametrize(
        ("plugin", "data", "document"),
        [
            pytest.param(None, True, True, id="bundled"),
            pytest.param(STRICT, False, False, id="stricter"),
            pytest.param({"required": ["name"]}, True, False, id="stricter-of-documents"),
            pytest.param(True, True, True, id="true"),
            pytest.param(False, False, False, id="false"),
            pytest.param({"properties": {"data": {"maxProperties": 1}}}, False, False, id="data"),
        ],
    )
    @pytest.mark.parametrize("way", ["plugin", "resources"])
    def test_the_base_schema_decides_with_the_type(
        self, plugin: Any, data: bool, document: bool, way: str
    ) -> None:
        schema = bundled()["countdown"]
        if way == "plugin":
            widget_type = WidgetType.from_schema(schema, plugin=plugin)
        else:
            resources = {} if plugin is None else {"plugin": plugin}
            widget_type = WidgetType.from_schema(schema, resources=resources)

        assert widget_type.is_valid(VALID) is data
        assert widget_type.check(VALID).valid is data
        assert widget_type.is_valid_json(json.dumps(VALID)) is data
        assert widget_type.check_document({"data": VALID}).valid is document

    def test_the_base_schema_given_by_name_comes_before_the_resources(self) -> None:
        schema = bundled()["countdown"]
        widget_type = WidgetType.from_schema(schema, plugin=True, resources={"plugin": False})

        assert widget_type.is_valid(VALID)

    def test_a_base_schema_is_no_text(self) -> None:
        with pytest.raises(
            TypeError, match="plugin is a schema, None or \"bundled\", not 'bundle'"
        ):
            WidgetType.from_schema(bundled()["countdown"], plugin="bundle")

    @pytest.mark.parametrize(
        ("reference", "resources"),
        [
            pytest.param("mail", {"mail": {"pattern": "@"}}, id="name"),
            pytest.param(
                "https://x.example/mail.json",
                {"https://x.example/mail.json": {"pattern": "@"}},
                id="uri",
            ),
            pytest.param("mail", {"any": {"$id": "mail", "pattern": "@"}}, id="id"),
        ],
    )
    def test_other_resources(self, reference: str, resources: dict[str, Any]) -> None:
        schema = {"properties": {"data": {"items": {"$ref": reference}}}}
        widget_type = WidgetType.from_schema(schema, id="x", resources=resources)

        assert widget_type.is_valid(["a@b"])
        assert not widget_type.is_valid(["ab"])

    def test_a_resource_with_an_address_is_reported_by_that(self) -> None:
        address = "https://x.example/plugin/mail.json"
        schema = {"properties": {"data": {"items": {"$ref": address}}}}
        resources = {"mail": {"type": "null"}, address: {"pattern": "@"}}
        asked: list[str] = []
        widget_type = WidgetType.from_schema(
            schema, id="x", resources=resources, provenance=lambda name: asked.append(name)
        )

        assert asked == ["x", address]
        assert [one.id for one in widget_type.provenance] == ["x", address]
        assert not widget_type.is_valid(["ab"])

    def test_a_resource_that_is_missing_names_those_there_are(self) -> None:
        schema = {"properties": {"data": {"$ref": "mall"}}}
        with pytest.raises(UnresolvableReference) as caught:
            WidgetType.from_schema(schema, id="x", resources={"mail": {}})

        assert caught.value.nearest == ("mail",)
        with pytest.raises(UnresolvableReference) as caught:
            WidgetType.from_schema({"$ref": "entirely-else"}, id="x")
        assert caught.value.nearest == ("plugin", "x")
        many = {f"some-{number}": True for number in range(9)}
        with pytest.raises(UnresolvableReference) as caught:
            WidgetType.from_schema({"$ref": "entirely-else"}, id="x", resources=many)
        assert caught.value.nearest == ()  # none of them is near

    def test_formats(self) -> None:
        data = {"mail": "no mail"}

        assert not WidgetType.from_schema(FAQ).is_valid(data)
        without = WidgetType.from_schema(FAQ, formats=False)
        assert without.is_valid(data)
        assert without.check(data).valid
        assert without.check_document({"data": data}).valid

    @pytest.mark.parametrize("engine", [None, "rust", "python"])
    def test_engines_say_the_same(self, engine: str | None) -> None:
        widget_type = WidgetType.from_schema(bundled()["countdown"], engine=engine)

        assert widget_type.validator.engine == (engine or "rust")
        assert widget_type.is_valid(VALID)
        assert widget_type.check(INVALID) == widgetschema.check("countdown", INVALID)
        assert mistakes(widget_type.check_document({"data": INVALID}))[0][1].startswith("/data/")

    def test_an_engine_that_does_not_exist(self) -> None:
        with pytest.raises(EngineUnavailable, match="known engines: rust, python") as caught:
            WidgetType.from_schema(FAQ, engine="nonsense")

        assert caught.value.engine == "nonsense"

    def test_the_schema_is_its_own(self) -> None:
        given = copy.deepcopy(FAQ)
        widget_type = WidgetType.from_schema(given)
        given["definitions"]["Data"]["properties"]["code"]["pattern"] = "("
        given["title"] = "Other"

        assert widget_type.schema == FAQ
        assert widget_type.title == "Questions"
        assert pickle.loads(pickle.dumps(widget_type)).schema == FAQ


ENTRY: dict[str, Any] = {
    "title": "Entry",
    "type": "object",
    "required": ["order"],
    "properties": {
        "order": {"type": "integer"},
        "entries": {"type": "array", "items": {"$ref": "#"}},
        "kind": {"$ref": "#/definitions/kind"},
        "text": {"$ref": "text"},
    },
    "additionalProperties": False,
    "definitions": {"kind": {"enum": ["a", "b"]}},
}


REGISTERED: dict[str, dict[str, Any]] = {
    "a document": {"schema": FAQ, "id": "faq"},
    "data": {"schema": {"items": {"$ref": "#"}, "type": "array"}, "id": "list"},
    "another $id": {"schema": {"$id": "https://a.example/b", "type": "string"}, "id": "b"},
    "an id to encode": {"schema": {"enum": [1, "ä"]}, "id": "ä b"},
    "a base URI inside": {
        "id": "x",
        "schema": {
            "$id": "https://a.example/types/x",
            "properties": {"p": {"$ref": "parts/p#/definitions/n"}},
            "definitions": {"p": {"$id": "parts/p", "definitions": {"n": {"type": "null"}}}},
        },
    },
    "resources": {
        "id": "y",
        "schema": {"additionalProperties": {"$ref": "part#named"}},
        "resources": {"part": {"definitions": {"n": {"$id": "#named", "minimum": 3}}}},
    },
}


class TestRegistry:
    """The linked schema by its names, for the validators of jsonschema."""

    @pytest.mark.parametrize("name", REGISTERED)
    def test_validators_of_jsonschema_find_the_schema(self, name: str) -> None:
        widget_type = WidgetType.from_schema(**REGISTERED[name])
        registry = widget_type.registry
        is_valid = (
            widget_type.is_valid
            if widget_type.describes == "data"
            else widget_type.is_valid_document
        )
        values: list[Any] = [None, 5, 2, "ä", [], [[]], [3], {}, {"p": None}, {"p": 3}]
        values += [case.data for case in widget_type.coverage()[:9]]
        values += [widget_type.sample_document(), {"id": "a", "data": 3}]
        if widget_type.describes == "document":  # a record without data is none, for us
            values = [value for value in values if type(value) is not dict or "data" in value]
        own_id = (widget_type.linked.get("$id"),)
        for uri in {quote(widget_type.id), *filter(None, own_id)}:
            validator = jsonschema.Draft7Validator({"$ref": uri}, registry=registry)
            for value in values:
                assert validator.is_valid(value) is is_valid(value), value

    def test_registries_are_combined(self, countdown: WidgetType) -> None:
        texts = WidgetType.from_schema({"type": "string"}, id="texts")
        either = {"anyOf": [{"$ref": "texts"}, {"$ref": "countdown"}]}
        registry = texts.registry.combine(countdown.registry)
        validator = jsonschema.Draft7Validator(either, registry=registry)
        assert validator.is_valid(countdown.sample_document())
        assert validator.is_valid("text")
        assert not validator.is_valid({"type": "countdown", "data": {}})


class TestFromDataSchema:
    """Widget types of a schema that describes the data itself."""

    @pytest.fixture(params=["rust", "python"])
    def entry(self, request: pytest.FixtureRequest) -> WidgetType:
        resources = {"text": {"type": "string"}}
        return WidgetType.from_data_schema(
            ENTRY, id="entry", resources=resources, engine=request.param
        )

    def test_what_it_knows(self, entry: WidgetType) -> None:
        assert (entry.id, entry.title, entry.lints) == ("entry", "Entry", ())
        assert entry.schema == ENTRY
        assert {**entry.linked, "definitions": ENTRY["definitions"]} == ENTRY
        assert [one.id for one in entry.provenance] == ["entry", "text"]

    def test_data(self, entry: WidgetType) -> None:
        report = entry.check({"order": 1.5, "entries": [{}], "kind": "c", "text": 1})

        assert entry.is_valid({"order": 1, "entries": [{"order": 2, "text": "x"}], "kind": "a"})
        assert [(one.path, one.schema_path) for one in report] == [
            ("/order", "/properties/order/type"),
            ("/entries/0", "/required"),
            ("/kind", "/definitions/kind/enum"),
            ("/text", "/definitions/text/type"),
        ]

    @pytest.mark.parametrize(
        ("document", "found"),
        [
            ({"data": {"order": 1}, "name": "x"}, []),
            ({"data": {}}, [("required", "/data")]),
            ({"order": 1}, [("required", "")]),
            ([], [("type", "")]),
        ],
    )
    def test_documents(
        self, document: Any, found: list[tuple[str, str]], entry: WidgetType
    ) -> None:
        report = entry.check_document(document)

        assert mistakes(report) == found
        assert entry.is_valid_document(document) is report.valid
        assert mistakes(entry.check_document_json(json.dumps(document))) == found

    def test_what_is_made_of_it(self, entry: WidgetType) -> None:
        newer = WidgetType.from_data_schema({**ENTRY, "required": ["kind"]}, resources={"text": {}})

        assert all(map(entry.is_valid, entry.samples(5)))
        assert entry.is_valid_document(entry.sample_document())
        assert entry.form_json(b'{"order": 1}').data == {"order": 1}
        assert entry.compare(newer).breaking
        assert entry.compare(entry).verdict == "same"

    def test_the_same_schema_of_documents_is_another(self) -> None:
        schema = {"$id": "x", "type": "object", "additionalProperties": False}
        data = WidgetType.from_data_schema(schema)
        document = WidgetType.from_schema(schema, describes="document")

        assert data.linked_digest == document.linked_digest
        assert data.describes != document.describes

    def test_a_bundle_is_of_the_data(self, entry: WidgetType) -> None:
        bundle = entry.bundle()

        assert Validator(bundle).is_valid({"order": 1, "text": "x"})
        assert not Validator(bundle).is_valid({"order": 1, "text": 5})

    def test_it_pickles(self, entry: WidgetType) -> None:
        again = pickle.loads(pickle.dumps(entry))

        assert again.schema == ENTRY
        assert again.is_valid({"order": 1})
        assert not again.is_valid_document({"order": 1})

    @pytest.mark.parametrize("schema", [True, {}, {"type": "array"}])
    def test_data_of_any_kind(self, schema: Any) -> None:
        widget_type = WidgetType.from_data_schema(schema, id="x")

        assert widget_type.is_valid([1])
        assert widget_type.is_valid_document({"data": [1]})
        assert not widget_type.is_valid_document([1])

    @pytest.mark.parametrize(
        ("schema", "allows"),
        [
            (True, True),
            ({"type": ["array", "object"]}, True),
            ({"type": "object"}, False),
            ({"anyOf": [{"type": "object"}, {"type": "array"}]}, True),
            ({"anyOf": [{"type": "object"}, {"type": "string"}]}, False),
        ],
    )
    def test_an_array_may_be_data(self, schema: Any, allows: bool) -> None:
        assert WidgetType.from_data_schema(schema, id="x").allows_array is allows

    @pytest.mark.parametrize("depth", [0, 300], ids=["read", "too-deep"])
    def test_values_that_were_read_are_checked_by_kind(
        self, depth: int, countdown: WidgetType
    ) -> None:
        for value, kind, valid in (
            (VALID, "data", True),
            (VALID, "document", False),
            ({"data": VALID}, "data", False),
            ({"data": VALID}, "document", True),
        ):
            assert countdown.check_plain(value, kind, depth).valid is valid

    def test_the_base_schema_is_one_of_documents(self) -> None:
        with pytest.raises(UnclearSchema, match="its root refers to the base schema plugin"):
            WidgetType.from_data_schema(FAQ)
        part = {"type": "object", "properties": {"a": {"$ref": "plugin"}}}
        with pytest.raises(UnclearSchema, match="a part of it refers to the base schema"):
            WidgetType.from_schema(part, id="x")
        own = WidgetType.from_schema(part, id="x", plugin={"type": "string"})
        assert not own.is_valid({"a": 1})


class TestNote:
    @pytest.mark.parametrize("make", [WidgetType.from_schema, WidgetType.from_data_schema])
    @pytest.mark.parametrize(
        ("keywords", "place", "says"),
        [
            ({"proprties": {"a": {}}}, "proprties", 'did you mean "properties"?'),
            ({"unevaluatedProperties": False}, "unevaluatedProperties", "keyword of 2019-09"),
            ({"dependentRequired": {"a": ["b"]}}, "dependentRequired", 'write "dependencies"'),
            ({"$defs": {"a": {"type": "null"}}}, "$defs", 'write "definitions"'),
            ({"prefixItems": [{}]}, "prefixItems", "keyword of 2020-12"),
            ({"divisibleBy": 2, "disallow": "null"}, "divisibleBy", "(and 1 more)"),
        ],
    )
    @pytest.mark.parametrize("at", ["", "/properties/data", "/properties/data/items"])
    def test_keywords_that_were_meant_to_assert_something(
        self,
        make: Callable[..., WidgetType],
        keywords: dict[str, Any],
        place: str,
        says: str,
        at: str,
    ) -> None:
        schema: dict[str, Any] = {"properties": {"data": {"items": {"type": "string"}}}}
        part: Any = schema
        for name in at.split("/")[1:]:
            part = part[name]
        part.update(keywords)
        note = make(schema, id="x").note

        assert note is not None
        assert note.startswith(f"{at}/{place}: ")
        assert says in note

    @pytest.mark.parametrize("make", [WidgetType.from_schema, WidgetType.from_data_schema])
    @pytest.mark.parametrize(
        "keywords",
        [
            {"minimum": 1, "type": "object"},  # without effect, and certainly known
            {"x-proprties": {}},
            {"$defs": {"a": {}}, "additionalProperties": {"$ref": "#/$defs/a"}},
            {"unevaluatedProperties": True},
        ],
    )
    def test_no_others(self, make: Callable[..., WidgetType], keywords: dict[str, Any]) -> None:
        schema = {"properties": {"data": {"type": "string"}}, **keywords}

        assert make(schema, id="x").note is None


class TestSchemaErrors:
    @pytest.mark.parametrize(
        ("schema", "keyword", "path"),
        [
            pytest.param({"type": "text"}, "anyOf", "/type", id="type"),
            pytest.param({"properties": {"a": {"minimum": "1"}}}, "type", "/properties/a/minimum"),
            pytest.param({"required": "a"}, "type", "/required", id="required"),
            pytest.param({"properties": {"a": 5}}, "type", "/properties/a", id="no-schema"),
            pytest.param([], "type", "", id="array"),
            pytest.param(None, "type", "", id="null"),
            pytest.param({"const": float("nan")}, "json.number", "/const", id="nan"),
            pytest.param({"enum": [{1}]}, "json.type", "/enum/0", id="set"),
        ],
    )
    @pytest.mark.parametrize("make", [Validator, WidgetType.from_schema])
    def test_a_schema_that_breaks_the_meta_schema(
        self, make: Callable[[Any], object], schema: Any, keyword: str, path: str
    ) -> None:
        with pytest.raises(InvalidSchema) as caught:
            make(schema)

        assert mistakes(caught.value.report) == [(keyword, path)]
        assert caught.value.report.subject == "schema"

    def test_the_error_names_the_schema(self) -> None:
        with pytest.raises(InvalidSchema, match=r"^schema 'faq': 1 finding"):
            WidgetType.from_schema({"type": 5}, id="faq")
        with pytest.raises(InvalidSchema, match=r"^schema 'plugin': 1 finding"):
            WidgetType.from_schema(FAQ, plugin={"required": "data"})

    @pytest.mark.parametrize(
        "schema",
        [
            pytest.param({"properties": {"data": {"pattern": "("}}}, id="pattern"),
            pytest.param({"properties": {"data": {"patternProperties": {"(": {}}}}}, id="names"),
            pytest.param({"properties": {"data": {"pattern": "(?i)a"}}}, id="not-in-ecma"),
            pytest.param({"definitions": {"unused": {"pattern": "["}}}, id="unused"),
        ],
    )
    @pytest.mark.parametrize("engine", ["rust", "python"])
    def test_a_pattern_that_is_none(self, schema: dict[str, Any], engine: str) -> None:
        with pytest.raises(InvalidSchema) as caught:
            WidgetType.from_schema(schema, id="x", engine=engine)

        assert caught.value.report.findings[0].path.startswith(("/properties", "/definitions"))

    @pytest.mark.parametrize(
        ("schema", "error"),
        [
            pytest.param(
                {"$schema": "http://json-schema.org/draft-04/schema#"}, UnsupportedDialect
            ),
            pytest.param({"$ref": "nowhere"}, UnresolvableReference),
            pytest.param({"$ref": "#"}, ReferenceLoop),
        ],
    )
    @pytest.mark.parametrize("make", [Validator, WidgetType.from_schema])
    def test_every_other_error(
        self, make: Callable[[Any], object], schema: Any, error: type[WidgetSchemaError]
    ) -> None:
        with pytest.raises(error) as caught:
            make(schema)

        copied = pickle.loads(pickle.dumps(caught.value))
        assert (type(copied), str(copied)) == (error, str(caught.value))


class TestValidator:
    @pytest.mark.parametrize(
        ("schema", "valid", "invalid"),
        [
            ({"type": "string"}, ["a", ""], [1, None, []]),
            ({"minItems": 1}, [[1], "a", {}], [[]]),
            ({"type": "null"}, [None], [0, False, ""]),
            ({}, [5, None, {}, "a"], []),
            (True, [5, None, {}, "a"], []),
            (False, [], [5, None, {}, "a"]),
        ],
    )
    def test_any_schema_and_any_instance(
        self, schema: Any, valid: list[Any], invalid: list[Any]
    ) -> None:
        validator = Validator(schema)

        assert [one for one in valid if not validator.is_valid(one)] == []
        assert [one for one in invalid if validator.is_valid(one)] == []
        assert [one for one in valid if not validator.check(one).valid] == []
        for one in invalid:
            findings = list(validator.iter_findings(one))
            assert findings == list(validator.check(one))
            assert [finding.path for finding in findings] == [""]
        assert validator.schema == schema

    def test_resources(self) -> None:
        resources = {"https://x.example/point": {"type": "array", "maxItems": 2}}
        schema = {"$id": "https://x.example/points", "items": {"$ref": "point"}}
        validator = Validator(schema, resources=resources)

        assert validator.is_valid([[1, 2]])
        assert mistakes(validator.check([[1, 2], [1, 2, 3]])) == [("maxItems", "/1")]

    def test_formats(self) -> None:
        schema = {"format": "date", "contentMediaType": "application/json"}

        assert not Validator(schema).is_valid("soon")
        assert Validator(schema, formats=False).is_valid("soon")
        assert mistakes(Validator({"format": "date"}).check("soon")) == [("format", "")]

    @pytest.mark.parametrize("engine", ["rust", "python"])
    def test_engine(self, engine: str) -> None:
        validator = Validator({"type": "string"}, engine=engine)

        assert validator.engine == engine
        assert validator.is_valid("a")
        assert not validator.is_valid(1)

    def test_limits(self) -> None:
        nested: Any = []
        for _ in range(9):
            nested = [nested]
        small = Validator(True, limits=Limits(max_depth=9, max_bytes=20))

        assert small.is_valid(nested[0])
        assert not small.is_valid(nested)
        assert mistakes(small.check(nested)) == [("json.depth", "/0" * 9)]
        assert small.is_valid_json("[" * 9 + "]" * 9)
        assert mistakes(small.check_json("[" * 10 + "]" * 10)) == [("json.depth", "/0" * 9)]
        assert mistakes(small.check_json(f'"{"x" * 20}"')) == [("json.size", "")]
        assert Validator(True).is_valid(nested)

    def test_the_report_has_no_truth_value(self) -> None:
        report = Validator(False).check(1)

        with pytest.raises(TypeError, match=r"use report\.valid"):
            bool(report)


class TestCatalog:
    def test_sources_in_order(self, tmp_path: Path) -> None:
        own = {"$id": "countdown", "properties": {"data": {"type": "array"}}}
        folder = store(tmp_path / "schemas", {"countdown": own, "faq": FAQ})
        catalog = Catalog([{"map": True, "faq": False}, folder, bundled()])

        assert catalog.ids() == ("map", "faq", "countdown")
        assert list(catalog) == ["map", "faq", "countdown"]
        assert [catalog[id].source for id in catalog] == ["given", "given", str(folder)]
        assert catalog["countdown"].is_valid([])
        assert not catalog["faq"].is_valid({})
        assert catalog["map"].id == "map"

    @pytest.mark.parametrize("kind", [str, Path, Store], ids=["text", "path", "store"])
    def test_a_source_may_be(self, kind: Callable[[Path], Any], tmp_path: Path) -> None:
        catalog = Catalog([kind(store(tmp_path / "schemas", {"faq": FAQ}))])

        assert catalog.ids() == ("faq",)
        assert catalog["faq"].title == "Questions"

    def test_a_type_is_made_once(self) -> None:
        catalog = Catalog([{"faq": FAQ}])

        assert catalog["faq"] is catalog["faq"]

    def test_membership(self) -> None:
        catalog = Catalog([bundled(), {"faq": FAQ}])

        assert "countdown" in catalog
        assert "faq" in catalog
        assert "plugin" not in catalog
        assert "nope" not in catalog

    @pytest.mark.parametrize(
        ("id", "nearest"),
        [
            pytest.param("count-down", ("countdown",), id="separator"),
            pytest.param("FAQ", ("faq",), id="case"),
            pytest.param("entirely-else", (), id="nothing-near"),
            pytest.param("plugin", (), id="the-base-schema"),
            pytest.param("", (), id="empty"),
        ],
    )
    def test_an_unknown_id_names_the_nearest_and_all(
        self, id: str, nearest: tuple[str, ...]
    ) -> None:
        catalog = Catalog([{"faq": FAQ}, bundled()])
        with pytest.raises(UnknownWidgetType) as caught:
            catalog[id]

        error = caught.value
        assert (error.id, error.nearest, error.known) == (id, nearest, ("faq", "countdown"))
        assert isinstance(error, LookupError)
        assert pickle.loads(pickle.dumps(error)).known == error.known

    def test_an_id_that_is_no_text_is_unknown(self) -> None:
        catalog: Any = Catalog([bundled()])
        with pytest.raises(UnknownWidgetType, match="unknown widget type '5'"):
            catalog[5]

    def test_no_source_at_all(self) -> None:
        with pytest.raises(UnknownWidgetType, match=r"\(known: none\)"):
            Catalog([])["faq"]

    @pytest.mark.parametrize(
        ("sources", "data", "valid"),
        [
            pytest.param([{"faq": FAQ}], {}, True, id="bundled-where-there-is-none"),
            pytest.param([{"faq": FAQ, "plugin": STRICT}], {}, False, id="from-its-own-source"),
            pytest.param([{"faq": FAQ, "plugin": True}, {"plugin": STRICT}], {}, True, id="first"),
            pytest.param([{"plugin": STRICT}, {"faq": FAQ}], {}, False, id="from-another"),
            pytest.param(
                [{"plugin": STRICT}, {"faq": FAQ, "plugin": True}], {}, True, id="own-before-others"
            ),
        ],
    )
    def test_where_the_base_schema_comes_from(
        self, sources: list[dict[str, Any]], data: Any, valid: bool
    ) -> None:
        assert Catalog(sources)["faq"].is_valid(data) is valid

    def test_schemas_of_a_source_refer_to_each_other(self) -> None:
        schemas = {
            "a": {"properties": {"data": {"$ref": "b#/definitions/Data"}}},
            "b": {"definitions": {"Data": {"type": "array"}}},
        }

        assert Catalog([schemas])["a"].is_valid([])
        assert not Catalog([schemas])["a"].is_valid({})

    def test_one_bad_schema_does_not_spoil_the_others(self, tmp_path: Path) -> None:
        catalog = Catalog([{"bad": {"type": 5}, "lost": {"$ref": "nowhere"}, "faq": FAQ}])

        assert catalog.ids() == ("bad", "lost", "faq")
        assert catalog["faq"].is_valid({})
        with pytest.raises(InvalidSchema, match="schema 'bad'"):
            catalog["bad"]
        with pytest.raises(UnresolvableReference, match="schema 'lost'"):
            catalog["lost"]

    def test_a_folder_that_is_none(self, tmp_path: Path) -> None:
        with pytest.raises(StoreError, match="no such folder"):
            Catalog([tmp_path / "nowhere"])

    def test_options(self) -> None:
        catalog = Catalog([{"faq": FAQ}], formats=False, engine="python")

        assert catalog["faq"].is_valid({"mail": "no mail"})
        assert catalog["faq"].validator.engine == "python"
        with pytest.raises(EngineUnavailable):
            Catalog([{"faq": FAQ}], engine="nonsense")["faq"]


class TestRepr:
    @pytest.mark.parametrize(
        ("make", "shown"),
        [
            (lambda one: one, "<WidgetType 'countdown' f8367a27fb28>"),
            (lambda one: one.validator, "<Validator of data of widget type 'countdown' (rust)>"),
            (lambda one: one.check({}), "<Report of data of widget type 'countdown': 3 findings>"),
            (lambda one: one.check(VALID), "<Report of data of widget type 'countdown': valid>"),
            (lambda one: one.compare(one), "<Comparison of 'countdown' with 'countdown': same>"),
            (lambda one: Catalog([]), "<Catalog: no sources>"),
            (lambda one: Catalog([bundled(), {}]), "<Catalog: bundled, given>"),
        ],
    )
    def test_public_objects(
        self, make: Callable[[WidgetType], object], shown: str, countdown: WidgetType
    ) -> None:
        assert repr(make(countdown)) == shown

    def test_a_store(self, tmp_path: Path) -> None:
        folder = store(tmp_path / "s", {"faq": FAQ})

        assert repr(Store(folder)) == f"<Store {str(folder)!r}: 1 schema>"


class TestPickling:
    @pytest.mark.parametrize(
        "make",
        [
            pytest.param(lambda: WidgetType.from_schema(bundled()["countdown"]), id="widget-type"),
            pytest.param(
                lambda: WidgetType.from_schema(bundled()["countdown"], engine="python"), id="python"
            ),
        ],
    )
    def test_a_widget_type(self, make: Callable[[], WidgetType]) -> None:
        one = make()
        other = pickle.loads(pickle.dumps(one))

        assert (other.id, other.source, other.digest) == (one.id, one.source, one.digest)
        assert (other.schema, other.linked, other.lints) == (one.schema, one.linked, one.lints)
        assert other.validator.engine == one.validator.engine
        assert other.check(INVALID) == one.check(INVALID)
        assert other.check_document({}) == one.check_document({})
        assert other.is_valid(VALID)
        assert not other.is_valid(INVALID)

    def test_a_widget_type_keeps_its_options(self) -> None:
        one = WidgetType.from_schema(FAQ, formats=False, plugin=STRICT)
        other = pickle.loads(pickle.dumps(one))

        assert other.is_valid({"mail": "no mail", "version": 1})
        assert not other.is_valid({})

    def test_a_validator(self) -> None:
        one = Validator({"items": {"format": "date"}}, formats=False, limits=Limits(max_depth=1))
        other = pickle.loads(pickle.dumps(one))

        assert other.is_valid(["soon"])
        assert not other.is_valid([[]])
        assert other.check([[]]) == one.check([[]])
        assert (other.schema, other.engine) == (one.schema, one.engine)

    def test_a_catalog(self, tmp_path: Path) -> None:
        one = Catalog([store(tmp_path / "schemas", {"faq": FAQ}), bundled()], formats=False)
        made = one["faq"]
        other = pickle.loads(pickle.dumps(one))

        assert other.ids() == one.ids()
        assert other["faq"].digest == made.digest
        assert other["faq"].is_valid({"mail": "no mail"})
        assert other["countdown"].source == one["countdown"].source == "bundled"

    def test_reports_findings_and_errors(self, countdown: WidgetType) -> None:
        report = countdown.check_json(json.dumps(INVALID))
        same = pickle.loads(pickle.dumps(report))

        assert same == report
        assert same.findings == report.findings
        assert set(same) == set(report)
        assert hash(same) == hash(report)
        assert str(same) == str(report)
        error = pickle.loads(pickle.dumps(InvalidWidgetData(report)))
        assert error.report == report
        other = Finding("type", "/a", "", "message")
        assert other not in same.findings


class TestThreads:
    def test_a_type_is_shared(self, countdown: WidgetType) -> None:
        expected = countdown.check(INVALID)
        text = json.dumps(INVALID)
        placed = countdown.check_json(text)
        start = Barrier(32)

        def work(number: int) -> list[Any]:
            start.wait()
            seen: list[Any] = []
            for _ in range(20):
                seen.append(countdown.is_valid(VALID))
                seen.append(countdown.is_valid({**VALID, "content": {"timerDays": str(number)}}))
                seen.append(countdown.check(INVALID) == expected)
                seen.append(countdown.check_json(text) == placed)
                seen.append(countdown.check_document({"data": VALID}).valid)
            return seen

        with ThreadPoolExecutor(32) as pool:
            results = list(pool.map(work, range(32)))
        assert results == [[True, False, True, True, True] * 20] * 32

    def test_a_catalog_is_shared(self) -> None:
        catalog = Catalog([{"faq": FAQ}, bundled()])
        start = Barrier(32)

        def work(number: int) -> tuple[WidgetType, bool]:
            start.wait()
            widget_type = catalog["countdown" if number % 2 else "faq"]
            return widget_type, widget_type.is_valid(VALID if number % 2 else {})

        with ThreadPoolExecutor(32) as pool:
            results = list(pool.map(work, range(32)))
        assert {valid for _, valid in results} == {True}
        assert {id(widget_type) for widget_type, _ in results} == {
            id(catalog["faq"]),
            id(catalog["countdown"]),
        }


class TestSchemaFiles:
    def folder(self, tmp_path: Path, **schemas: str) -> Path:
        for name, text in schemas.items():
            (tmp_path / f"{name}.json").write_text(text, encoding="utf-8")
        return tmp_path

    @pytest.mark.parametrize("blamed", ["deep", "plugin"])
    def test_schema_errors_have_the_positions_of_their_file(
        self, tmp_path: Path, blamed: str
    ) -> None:
        good = '{"allOf": [{"$ref": "plugin"}]}'
        bad = '{\n  "properties": {"data": {"type": "numbr"}}\n}'
        texts = {"deep": good, "plugin": "{}"} | {blamed: bad}
        folder = self.folder(tmp_path, **texts)
        if blamed == "deep":
            texts["deep"] = bad
        with pytest.raises(InvalidSchema) as caught:
            Catalog(folder)["deep"]
        [finding] = caught.value.report
        assert caught.value.report.subject == str(folder / f"{blamed}.json")
        assert (finding.line, finding.column) == (2, 35)
        assert finding.hint is not None

    def test_one_broken_file_stops_nobody_else(self, tmp_path: Path) -> None:
        folder = self.folder(tmp_path, good='{"type": "object"}', broken='{"a":')
        catalog = Catalog(folder)
        assert catalog["good"].is_valid({})
        with pytest.raises(StoreError, match=r"broken\.json"):
            catalog["broken"]
        with pytest.raises(StoreError, match=r"broken\.json"):
            Store(folder).pin()

    def test_a_catalog_of_one_source(self, tmp_path: Path) -> None:
        folder = self.folder(tmp_path, good="{}")
        assert Catalog(str(folder)).ids() == Catalog([folder]).ids() == ("good",)
        assert Catalog({"mine": {}}).ids() == ("mine",)


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"requried": ["a"]}, '(/requried: unknown keyword "requried", which has no effect: did'),
        (
            {"properties": {"n": {"minimun": 3}}},
            '(/properties/n/minimun: unknown keyword "minimun"',
        ),
        ({"dependentRequired": {"a": ["b"]}}, "(/dependentRequired: "),
    ],
)
def test_a_keyword_without_effect_is_why_a_type_can_refuse_nothing(schema: Any, said: str) -> None:
    with pytest.raises(UnclearSchema, match="can refuse no data") as caught:
        WidgetType.from_schema(schema, id="note").check(1)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("function", "option", "said"),
    [
        ("sample", "fil", "; did you mean 'fill'?"),
        ("samples", "local", "; did you mean 'locale'?"),
        ("maximal", "max_item", "; did you mean 'max_items'?"),
        ("coverage", "seed", "; its options are locale, max_depth, max_items and horizon"),
        ("near_misses", "fill", "; its options are locale, max_depth, max_items and horizon"),
        ("strategy", "locale", "; its options are realistic, max_depth, "),
        ("near_miss_strategy", "realistics", "; did you mean 'realistic'?"),
        ("form", "language", "; its options are ui, id, prefix and lang"),
        ("form_json", "language", "; its options are ui, id, prefix and lang"),
    ],
)
def test_an_unknown_option_names_the_function(function: str, option: str, said: str) -> None:
    needed: dict[str, list[Any]] = {"samples": [1], "form_json": ["{}"]}
    given = needed.get(function, [])
    with pytest.raises(TypeError) as caught:
        getattr(widgetschema.widget_type("countdown"), function)(*given, **{option: 1})
    said = f"{function}() got an unexpected keyword argument {option!r}{said}"
    assert str(caught.value).startswith(said)

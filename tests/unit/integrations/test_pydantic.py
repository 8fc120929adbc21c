"""Widget data as a field of pydantic models, alone and in FastAPI."""

import json
from enum import Enum
from typing import Annotated, Any
from uuid import UUID

import anyio
import httpx
import jsonschema_rs
import pytest
from fastapi import FastAPI
from openapi_spec_validator import OpenAPIV31SpecValidator
from pydantic import BaseModel, TypeAdapter, ValidationError, create_model

import widgetschema
from tests.unit.forms.test_html import PILES
from tests.unit.integrations.test_fastapi import application, client
from widgetschema import Catalog, LoginRequired
from widgetschema.integrations.fastapi import WidgetData as WidgetBodyData
from widgetschema.integrations.fastapi import install
from widgetschema.integrations.pydantic import WidgetData

MODELS = application("pydantic_models")
VALID: dict[str, Any] = {"content": {"timerDays": 1}, "settings": {}, "styles": {}}


def catalog(schema: Any) -> Catalog:
    return Catalog({"t": {"properties": {"data": schema}}})


def adapter(schema: Any) -> TypeAdapter[Any]:
    return TypeAdapter(Annotated[Any, WidgetData("t", catalog=catalog(schema))])


def test_each_finding_is_an_error_at_its_place() -> None:
    data = {"content": {"timerDays": "x"}, "styles": {"cardsBg": ["", 1]}, "{y}": 1}
    pages: Any = list[MODELS.Page]  # type: ignore[name-defined]
    model = create_model("Pages", pages=(pages, ...))
    with pytest.raises(ValidationError) as caught:
        model(pages=[{"title": "a", "countdown": data}])
    errors = {(*one["loc"][:1], *one["loc"][3:]): one for one in caught.value.errors()}
    assert {loc: one["type"] for loc, one in errors.items()} == {
        ("pages", "settings"): "required",
        ("pages", "content", "timerDays"): "type",
        ("pages", "styles", "cardsBg", 1): "type",
        ("pages", "{y}"): "additionalProperties",
    }
    wrong = errors["pages", "styles", "cardsBg", 1]
    assert wrong["msg"] == '1 is a number, but must be a string (write "1", not 1)'
    assert (wrong["input"], wrong["ctx"]["pointer"]) == (1, "/styles/cardsBg/1")
    assert errors["pages", "{y}"]["msg"] == 'unknown property "{y}"'


def test_valid_data_becomes_a_plain_copy() -> None:
    class Colour(Enum):
        RED = "red"

    given = {"a": UUID(int=1), "b": Colour.RED, "c": (1,)}
    plain = adapter({"properties": {"a": {"format": "uuid"}}}).validate_python(given)
    assert plain == {"a": f"{UUID(int=1)}", "b": "red", "c": [1]}
    assert [type(one) for one in plain.values()] == [str, str, list]


def test_a_model_of_the_guide() -> None:
    page = MODELS.Page.model_validate_json(f'{{"title": "a", "countdown": {json.dumps(VALID)}}}')
    assert page.model_dump()["countdown"] == VALID


def test_an_annotation_is_made_in_one_way() -> None:
    wrong: Any = WidgetData
    with pytest.raises(TypeError, match="not subscriptable"):
        wrong["countdown"]  # inside `Annotated`, pydantic would pass it over


def test_a_type_that_another_field_names() -> None:
    widget = MODELS.Widget(type="countdown", data=VALID)
    assert widget.data == VALID
    for type, loc, code in (
        ("countdown", ("data", "content"), "required"),
        ("countdwn", ("data",), "widget_type"),
        ("../x", ("data",), "widget_type"),
        (5, ("data",), "widget_type"),
    ):
        with pytest.raises(ValidationError) as caught:
            MODELS.Widget(type=type, data={})
        assert (loc, code) in [(one["loc"], one["type"]) for one in caught.value.errors()]


def test_data_without_its_type_is_not_blamed_on_the_order_of_the_members() -> None:
    for text in ('{"data": {}}', '{"data": {}, "type": 5}'):
        with pytest.raises(ValidationError) as caught:
            MODELS.Widget.model_validate_json(text)
        (error,) = (one for one in caught.value.errors() if one["loc"] == ("data",))
        assert error["msg"].endswith(
            "'type', which must be defined before the data, is missing or invalid"
        )


def test_what_is_no_mistake_in_the_value_is_raised() -> None:
    with pytest.raises(widgetschema.UnknownWidgetType):
        TypeAdapter(Annotated[Any, WidgetData("nothing")]).validate_python({})
    with pytest.raises(widgetschema.SchemaError):
        adapter({"type": "nonsense"}).validate_python({})

    def refuse() -> Catalog:
        raise LoginRequired("no token")

    for given in (WidgetData("t", catalog=refuse), WidgetData(type_field="type", catalog=refuse)):
        model: Any = create_model("M", type=(str, "t"), data=(Annotated[Any, given], ...))
        with pytest.raises(LoginRequired):
            model(type="t", data={})


@pytest.mark.parametrize("wrong", [{}, {"type": "a", "type_field": "b"}], ids=str)
def test_the_type_is_named_once(wrong: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=r'in one way: WidgetData\("countdown"\) or '):
        WidgetData(**wrong)


def test_errors_are_bounded() -> None:
    with pytest.raises(ValidationError) as caught:
        adapter({"items": {"type": "string"}}).validate_python([1] * 5_000)
    assert caught.value.error_count() == 100


# ---- JSON Schema ----


def test_the_json_schema_of_a_model_accepts_what_it_accepts() -> None:
    schema = MODELS.Page.model_json_schema()
    jsonschema_rs.meta.validate(schema)
    validator = jsonschema_rs.validator_for(schema)
    countdown = widgetschema.widget_type("countdown")
    for case in (*countdown.coverage(), *countdown.near_misses()):
        page = {"title": "", "countdown": case.data}
        assert validator.is_valid(page) is countdown.is_valid(case.data)


def test_names_like_keywords_and_data_like_schemas() -> None:
    schema = {
        "definitions": {"x": {"type": "number"}},
        "properties": {
            "const": {"$ref": "#/definitions/x"},
            "properties": {"properties": {"enum": {"$ref": "#/definitions/x"}}},
            "d": {"enum": [{"not": True, "const": {}}], "default": {"properties": 5}},
        },
        "dependencies": {"d": ["const"], "const": {"$ref": "#/definitions/x"}},
    }
    widget = widgetschema.WidgetType.from_data_schema(schema, id="t")
    catalog = Catalog(
        {"t": {"properties": {"data": {"$ref": "s"}}, "definitions": {"s": {"$id": "s", **schema}}}}
    )
    made = TypeAdapter(Annotated[Any, WidgetData("t", catalog=catalog)]).json_schema()
    [(name, number)] = made["$defs"].items()
    assert number == {"type": "number"}
    reference = {"$ref": f"#/$defs/{name}"}
    assert made["properties"] == {
        "const": reference,
        "properties": {"properties": {"enum": reference}},
        "d": schema["properties"]["d"],  # type: ignore[index]
    }
    assert made["dependentRequired"] == {"d": ["const"]}
    assert made["dependentSchemas"] == {"const": reference}
    assert widget.is_valid({})


NODE: dict[str, Any] = {
    "type": "object",
    "required": ["n"],
    "properties": {"n": {"type": "number"}, "left": {"$ref": "#/definitions/node"}},
}
TREES = {"properties": {"data": {"$ref": "#/definitions/node"}}, "definitions": {"node": NODE}}
TREE = Annotated[Any, WidgetData("tree.of/nodes", catalog=Catalog({"tree.of/nodes": TREES}))]


def test_the_schema_of_a_schema_that_contains_itself() -> None:
    model: Any = create_model("Trees", one=(TREE, ...), many=(list[TREE], []))
    schema = model.model_json_schema()
    jsonschema_rs.meta.validate(schema)
    validator = jsonschema_rs.validator_for(schema)
    deep: dict[str, Any] = {"n": 1}
    for _ in range(10):
        deep = {"n": 1, "left": deep}
    assert validator.is_valid({"one": deep, "many": [deep]})
    wrong = json.loads(json.dumps(deep).replace('{"n": 1}', '{"n": "1"}'))
    assert not validator.is_valid({"one": wrong})
    assert not validator.is_valid({"one": deep, "many": [wrong]})
    assert len(schema["$defs"]) == 2  # whatever number of fields refers to them


@pytest.mark.parametrize(
    "schema",
    [
        True,
        False,
        {"properties": {"$ref": {"type": "string"}, "b": {"$ref": "#/definitions/x"}}},
        {"const": {"$ref": "x"}},
        {"enum": [[{"a": {"$ref": "#/definitions/x"}}], 1]},
        {"properties": {"a": {"default": {"$ref": "x"}}}},
    ],
    ids=str,
)
def test_no_schema_is_too_odd(schema: Any) -> None:
    whole = {"properties": {"data": schema}, "definitions": {"x": {"type": "number"}}}
    field = Annotated[
        Any, WidgetData("t", catalog=Catalog({"t": whole}, describes={"t": "document"}))
    ]
    made = TypeAdapter(field).json_schema()
    widget = widgetschema.WidgetType.from_schema(whole, id="t", describes="document")
    validator = jsonschema_rs.validator_for(made)
    for value in (1, "a", {"$ref": "x"}, {"$ref": 5}, {"b": "c"}):
        assert validator.is_valid(value) or not widget.is_valid(value)


def test_a_schema_that_would_grow_without_bound() -> None:
    definitions: dict[str, Any] = {"d0": {"type": "string"}}
    for number in range(1, 40):
        both = {"$ref": f"#/definitions/d{number - 1}"}
        definitions[f"d{number}"] = {"properties": {"a": both, "b": both}}
    data = {"properties": {"data": {"$ref": "#/definitions/d39"}}, "definitions": definitions}
    field = Annotated[Any, WidgetData("t", catalog=Catalog({"t": data}))]
    assert len(f"{TypeAdapter(field).json_schema()}") < 10_000_000


# ---- FastAPI ----


def test_models_in_fastapi() -> None:
    async def run() -> tuple[httpx.Response, httpx.Response, Any]:
        async with client(MODELS.app) as http:
            valid = await http.post("/pages", json={"title": "a", "countdown": VALID})
            invalid = await http.post("/pages", json={"title": "a", "countdown": {}})
            return valid, invalid, (await http.get("/openapi.json")).json()

    valid, invalid, document = anyio.run(run)
    assert (valid.status_code, invalid.status_code) == (200, 422)
    assert ["body", "countdown", "styles"] in [one["loc"] for one in invalid.json()["detail"]]
    OpenAPIV31SpecValidator(document).validate()
    components = document["components"]["schemas"]
    page = components["Page"]["properties"]["countdown"]
    assert page["$ref"] == "#/components/schemas/countdown"
    validator = jsonschema_rs.validator_for({**document, **page})
    countdown = widgetschema.widget_type("countdown")
    for case in (*countdown.coverage(), *countdown.near_misses()):
        assert validator.is_valid(case.data) is countdown.is_valid(case.data)


@pytest.mark.parametrize(
    "data",
    ["NaN", '{"content": {"timerDays": Infinity}}', r'"\ud800"', "[" * 500 + "]" * 500],
    ids=["NaN", "Infinity", "surrogate", "deep"],
)
@pytest.mark.parametrize("type", ["countdown", "nothing"])
def test_what_json_cannot_represent_is_no_error_of_the_server(type: str, data: str) -> None:
    app = FastAPI()

    @app.post("/widgets")
    def create(widget: MODELS.Widget) -> None:  # type: ignore[name-defined]
        """Save nothing."""

    async def run() -> httpx.Response:
        async with client(app) as http:
            body = f'{{"type": "{type}", "data": {data}}}'
            return await http.post(
                "/widgets", content=body, headers={"content-type": "application/json"}
            )

    response = anyio.run(run)
    assert response.status_code == 422
    [error, *_] = response.json()["detail"]
    assert error["loc"][:2] == ["body", "data"]


def test_models_beside_bodies_of_the_same_type() -> None:
    class Countdown(BaseModel):
        data: Annotated[Any, WidgetData("countdown")]

    countdown_like = create_model("piles", n=(int, ...))  # named like a widget type
    app = FastAPI()
    install(app)

    @app.post("/model")
    def model(body: Countdown, other: countdown_like) -> None:  # type: ignore[valid-type]
        """Save nothing."""

    piles = Catalog({"piles": PILES.schema})

    @app.post("/bodies/countdown")
    def body(data: Annotated[Any, WidgetBodyData("countdown")]) -> None:
        """Save nothing."""

    @app.post("/bodies/piles")
    def pile(data: Annotated[Any, WidgetBodyData("piles", catalog=piles)]) -> None:
        """Save nothing."""

    document = app.openapi()
    OpenAPIV31SpecValidator(document).validate()
    assert document["components"]["schemas"]["piles"]["properties"].keys() == {"n"}
    post = document["paths"]["/bodies/piles"]["post"]["requestBody"]["content"]["application/json"]
    validator = jsonschema_rs.validator_for({**document, **post["schema"]})
    for case in (*PILES.coverage(), *PILES.near_misses()):
        assert validator.is_valid(case.data) is PILES.is_valid(case.data)

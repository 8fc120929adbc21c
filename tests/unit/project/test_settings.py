"""The settings as they are declared: their JSON Schema, and the checker that follows it."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from widgetschema.catalog.store.locations import SCHEMAS_VARIABLE
from widgetschema.jsontext import Limits
from widgetschema.platform.variables import PREFIX, VARIABLES
from widgetschema.project.config.configuration import Configuration
from widgetschema.project.config.file import ConfigFile
from widgetschema.project.config.rules import FORMATS, KEYWORDS
from widgetschema.project.config.settings import MOST_ENTRIES, SETTINGS, Origin, Settings, schema
from widgetschema.validation import Validator, check_schema
from widgetschema.validation.explain.messages import MESSAGES


def test_the_schema_is_one() -> None:
    assert check_schema(schema()).valid
    assert schema()["$id"] == "widgetschema-configuration"
    described = dict(walk(schema()["properties"], ""))
    del described["/limits"]
    assert all(node["description"] for node in described.values())
    assert {f"/{name.replace('.', '/')}" for name in SETTINGS} <= set(described)
    assert set(MESSAGES) <= set(KEYWORDS)


def walk(properties: dict[str, Any], around: str) -> Any:
    for name, node in properties.items():
        yield f"{around}/{name}", node
        yield from walk(node.get("properties", {}), f"{around}/{name}")
        yield from walk(node.get("items", {}).get("properties", {}), f"{around}/{name}")


def test_names_follow_from_the_declaration() -> None:
    def names(name: str) -> tuple[Any, ...]:
        one = SETTINGS[name]
        return (one.attribute, one.variable, one.option, one.default)

    assert names("base-url") == ("base_url", "WIDGETSCHEMA_BASE_URL", "--base-url", None)
    assert names("limits.max-depth") == ("max_depth", "WIDGETSCHEMA_MAX_DEPTH", None, 200)
    assert names("reporters") == ("reporters", "WIDGETSCHEMA_FORMAT", "--format", ("auto",))
    assert names("files") == ("files", None, None, {})


def test_lower_layers_read_the_same_variables() -> None:
    assert SETTINGS["schemas"].variable == SCHEMAS_VARIABLE
    for name in ("base-url", "auth-url"):
        variable = str(SETTINGS[name].variable)
        assert variable.removeprefix(PREFIX) in VARIABLES


def test_the_checker_knows_every_keyword_and_format_of_the_schema() -> None:
    known = set(
        "type enum format minLength maxLength minimum maximum minItems maxItems items required "
        "maxProperties properties patternProperties additionalProperties propertyNames".split()
    )
    for keywords in nodes({one.name: one.schema for one in SETTINGS.values()}):
        # Of strings, formats say what `anyOf` and `pattern` say to editors.
        rest = set(keywords) - known - {"description", "anyOf", "pattern"}
        assert rest == set()
        assert keywords.get("format") in (None, *FORMATS)
        assert "format" in keywords or "pattern" not in keywords


def nodes(schemas: Any) -> Any:
    for node in schemas.values():
        yield node
        for name in ("properties", "patternProperties"):
            yield from nodes(node.get(name, {}))
        inner = {name: node.get(name) for name in ("items", "propertyNames")}
        inner["additionalProperties"] = node.get("additionalProperties") or None
        yield from nodes({name: one for name, one in inner.items() if one})


GLOBS = st.lists(st.sampled_from(["a", "**/*.json", "", "é", "x" * 1000, "x" * 1001, 1, "../a"]))
SOME_KEYWORDS = st.sampled_from(
    "type|format|formt|json.syntax|json.x|problem.file|ignore.unused|a.b.c||x.|X.y|a.b\n".split("|")
)
ANYTHING = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-2, 70),
        st.sampled_from([1.0, 0.5, 10**20, 1001, 1024**3]),
        st.sampled_from(["", "a", "rust", "auto", "off", "error", "\n", "2026-02-30", "x" * 4097]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2),
        st.dictionaries(SOME_KEYWORDS | st.just("jobs"), inner, max_size=2),
    ),
    max_leaves=4,
)
REPORTER = st.sampled_from(
    ["auto", "sarif=x", "sarif=", "x", "json=\n", "json=\u2028", "json=a\nb", "text=a=b", "", 1]
)
IGNORE = st.fixed_dictionaries(
    {},
    optional={
        "path": st.sampled_from(["a", "", 1, "x" * 1001]),
        "pointer": st.sampled_from(["", "/a", 1]),
        "keyword": SOME_KEYWORDS,
        "reason": st.sampled_from(["why", "", " ", "\u00a0", "\ufeff", "é", "²", "-", 1]),
        "expires": st.sampled_from(
            [
                "2026-12-31",
                "2026-02-29",
                "2024-02-29",
                "0000-01-01",
                "２０２６-12-31",
                "20261231",
                1,
            ]
        ),
        "until": st.just("x"),
    },
)
VALUES = {
    "schemas": st.sampled_from(["a", "", "x" * 4097, 1]),
    "base-url": st.sampled_from(["a", "", 1]),
    "auth-url": st.sampled_from(["a", "", 1]),
    "fetch": st.sampled_from(["auto", "x", None]),
    "formats": st.sampled_from([True, False, 1, "true"]),
    "engine": st.sampled_from(["rust", "python", ""]),
    "limits": st.dictionaries(
        st.sampled_from(["max-depth", "max-bytes", "x"]),
        st.sampled_from([0, 1, 1000, 1001, True, 1.0]),
    ),
    "severities": st.dictionaries(
        SOME_KEYWORDS, st.sampled_from(["error", "warning", "note", "off", "x", 1])
    ),
    "reporters": st.lists(REPORTER, max_size=3),
    "baseline": st.sampled_from(["a", "", 1]),
    "jobs": st.sampled_from([0, 64, 65, -1, True, 1.0]),
    "include": GLOBS,
    "exclude": GLOBS,
    "files": st.dictionaries(
        st.sampled_from(["a", "", "x" * 1001]), st.sampled_from(["x", "", 1, "x" * 201])
    ),
    "ignores": st.lists(IGNORE, max_size=2),
}
TABLES = st.one_of(
    *(st.fixed_dictionaries({name: value}) for name, value in VALUES.items()),
    st.fixed_dictionaries({}, optional=VALUES),
    st.dictionaries(st.sampled_from([*VALUES, "x"]), ANYTHING, max_size=2),
    ANYTHING,
)
VALIDATOR = Validator(schema())


def file_with(table: Any) -> ConfigFile:
    return ConfigFile("/nowhere/c.toml", "c.toml", "", "", table)


@given(TABLES)
def test_what_the_schema_refuses_is_refused(table: Any) -> None:
    """And what is accepted can be used."""
    file = file_with(table)
    found = file.findings()

    if not VALIDATOR.is_valid(table):
        assert found
    if not found:
        values = {SETTINGS[name].attribute: value for name, (value, _) in file.settings().items()}
        origins = dict.fromkeys(SETTINGS, Origin("default", "default"))
        one = Configuration(file=None, folder="/nowhere", directory="/", origins=origins, **values)
        assert isinstance(one.type_for("a"), str | None)
        assert isinstance(one.limits, Limits)
        assert all(ignore.reason.strip() for ignore in one.ignores)
        assert isinstance(
            one.maps("a") or one.rules_in("/nowhere").excludes("a"), bool | str | None
        )
        assert isinstance(one.jobs, int)
        one.ignores_for("a")


def test_the_checker_counts() -> None:
    def fits(table: Any) -> bool:
        return not file_with(table).findings()

    assert fits({})
    assert fits({"severities": dict.fromkeys(KEYWORDS, "note")})
    assert fits({"ignores": [{"keyword": "type", "reason": "²", "expires": "2024-02-29"}]})
    assert not fits({"ignores": [{"keyword": "type", "reason": "a", "expires": "2026-02-29"}]})
    for name, most in (("include", MOST_ENTRIES), ("ignores", MOST_ENTRIES), ("reporters", 100)):
        item: Any = {"path": "a", "reason": "b"} if name == "ignores" else "text"
        for count in (most, most + 1):
            table = {name: [item] * count}
            assert fits(table) == VALIDATOR.is_valid(table) == (count == most)
    for name in ("files", "severities"):
        for count in (MOST_ENTRIES, MOST_ENTRIES + 1):
            letters = (
                f"a.{chr(97 + n // 26 % 26)}{chr(97 + n % 26)}{'b' * (n // 676)}"
                for n in range(count)
            )
            many = {name: dict.fromkeys(letters, "note")}
            assert len(many[name]) == count
            assert fits(many) == VALIDATOR.is_valid(many) == (count == MOST_ENTRIES)


def test_every_field_is_a_setting() -> None:
    assert [one.name for one in fields(Settings)] == [one.attribute for one in SETTINGS.values()]

"""The choice of the engine, and what happens where one is not installed (in a real process)."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from typing import Any, Final, NamedTuple

import pytest
import regex

from widgetschema import EngineUnavailable, Validator
from widgetschema.schema.keywords import FORMATS
from widgetschema.validation.engines import engine_form, load_engine


def run(hidden: list[str], code: str) -> subprocess.CompletedProcess[str]:
    """Run code in a process that cannot import some modules."""
    hide = "".join(f"sys.modules[{name!r}] = None\n" for name in hidden)
    return subprocess.run(
        [sys.executable, "-c", f"import sys\n{hide}{code}"],
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_engine_by_name() -> None:
    assert Validator({}).engine == "rust"
    assert Validator({}, engine="rust").engine == "rust"
    assert Validator({}, engine="python").engine == "python"
    with pytest.raises(EngineUnavailable, match="known engines: rust, python"):
        load_engine("ruby")


def test_without_the_first_engine_the_second_decides() -> None:
    code = (
        "import widgetschema\n"
        "countdown = widgetschema.widget_type('countdown')\n"
        "assert countdown.validator.engine == 'python'\n"
        "print(countdown.check({'content': {'timerDays': '3'}, 'settings': {}, 'styles': {}}))\n"
    )
    done = run(["jsonschema_rs"], code)
    assert done.returncode == 0, done.stderr
    assert "hint: write 3" in done.stdout


@pytest.mark.parametrize(
    ("hidden", "says"),
    [
        (["jsonschema_rs"], "engine 'rust' is not available"),
        (["jsonschema_rs", "jsonschema"], "pip install 'widgetschema[python]'"),
        (["jsonschema"], "fine"),
    ],
    ids=["rust asked for", "neither", "second missing"],
)
def test_what_is_missing_is_said(hidden: list[str], says: str) -> None:
    engine = "'rust'" if hidden == ["jsonschema_rs"] else "None"
    code = (
        "import widgetschema\n"
        "try:\n"
        f"    widgetschema.Validator({{}}, engine={engine})\n"
        "    print('fine')\n"
        "except widgetschema.EngineUnavailable as error:\n"
        "    print(error)\n"
    )
    assert says in run(hidden, code).stdout


def test_formats_that_cannot_be_checked_are_named() -> None:
    code = (
        "import widgetschema\n"
        "try:\n"
        "    widgetschema.Validator({}, engine='python')\n"
        "except widgetschema.EngineUnavailable as error:\n"
        "    print(error)\n"
    )
    done = run(["rfc3339_validator", "fqdn"], code)
    assert "cannot check the formats date-time, hostname" in done.stdout
    assert "pip install" in done.stdout


DEEP: dict[str, Any] = {
    "members": {"properties": {"a": {"$ref": "#"}}, "type": ["object", "integer"]},
    "alternatives": {
        "anyOf": [
            {"$ref": "#/definitions/a"},
            {"type": "object", "additionalProperties": {"$ref": "#"}},
        ],
        "definitions": {"a": {"allOf": [{"allOf": [{"type": "integer"}]}]}},
    },
    "chain": {
        "additionalProperties": {"$ref": "#/definitions/d0"},
        "type": ["object", "integer"],
        "definitions": {
            **{f"d{n}": {"allOf": [{"$ref": f"#/definitions/d{n + 1}"}]} for n in range(30)},
            "d30": {"$ref": "#"},
        },
    },
}


def nested(levels: int, value: object) -> object:
    for _ in range(levels):
        value = {"a": value}
    return value


@pytest.mark.parametrize("schema", DEEP.values(), ids=DEEP)
@pytest.mark.parametrize("engine", ["rust", "python"])
def test_data_may_be_as_deep_as_the_limit(schema: Any, engine: str) -> None:
    frames, size = sys.getrecursionlimit(), threading.stack_size()
    validator = Validator(schema, engine=engine)

    assert validator.is_valid(nested(199, 1))
    assert not validator.is_valid(nested(199, "text"))
    assert not validator.check(nested(199, "text")).valid
    assert (sys.getrecursionlimit(), threading.stack_size()) == (frames, size)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere memory is not limited so")
def test_the_second_engine_says_when_there_is_no_room_for_its_stack() -> None:
    code = (
        "import json, resource, sys\n"
        "from widgetschema import EngineUnavailable, Validator\n"
        f"validator = Validator({DEEP['chain']!r}, engine='python')\n"
        f"value = {nested(150, 1)!r}\n"
        "with open('/proc/self/statm') as pages:\n"
        "    used = int(pages.read().split()[0]) * resource.getpagesize()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (used + (200 << 20),) * 2)\n"
        "try:\n"
        "    validator.is_valid(value)\n"
        "except EngineUnavailable as error:\n"
        "    print(error)\n"
    )
    done = run([], code)
    assert "too deep for it here; use the engine rust" in done.stdout, done.stderr


@pytest.mark.parametrize("engine", ["rust", "python"])
def test_formats_and_content_can_be_turned_off(engine: str) -> None:
    schema = {
        "properties": {
            "a": {"format": "date-time"},
            "b": {"contentEncoding": "base64"},
            "c": {"contentMediaType": "application/json"},
        }
    }
    value = {"a": "x", "b": "!", "c": "{"}

    on = Validator(schema, engine=engine).check(value)
    assert [finding.path for finding in on] == ["/a", "/b", "/c"]
    assert Validator(schema, engine=engine, formats=False).check(value).valid


@pytest.mark.parametrize("engine", ["rust", "python"])
@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("date-time", "2026-11-27T00:00:00+05:30", "2026-13-27T00:00:00Z"),
        ("date", "2024-02-29", "2026-02-29"),
        ("time", "09:30:00Z", "25:00:00Z"),
        ("email", "a@example.com", "a"),
        ("idn-email", "ä@example.com", "a"),
        ("hostname", "www.example.com", "-a-"),
        ("idn-hostname", "bücher.example", "a..b"),
        ("ipv4", "192.0.2.1", "192.0.2.256"),
        ("ipv6", "2001:db8::1", "2001:db8:::1"),
        ("uri", "https://example.com/a?b#c", "/a"),
        ("uri-reference", "/a", "\\a"),
        ("iri", "https://bücher.example/ä", "/ä"),
        ("iri-reference", "/ä", "\\ä"),
        ("uri-template", "/{a}", "/{a"),
        ("json-pointer", "/a~1b", "a"),
        ("relative-json-pointer", "1/a", "/a"),
        ("regex", "^a$", "("),
    ],
)
def test_each_format_of_draft_07(name: str, good: str, bad: str, engine: str) -> None:
    validator = Validator({"format": name}, engine=engine)
    assert validator.is_valid(good)
    assert validator.is_valid(5)
    [finding] = validator.check(bad)
    assert finding.keyword == "format"
    assert "such as" in finding.message or name == "regex"


def test_the_table_of_formats_is_draft_07s() -> None:
    assert len(FORMATS) == 17
    assert Validator({"format": "color"}).is_valid("no colour")


def test_engine_form_holds_nothing_to_resolve() -> None:
    schema = {
        "$id": "https://example.com/a",
        "title": "T",
        "definitions": {"unused": {"type": "string"}, "b": {"$id": "b", "items": {"$ref": "a"}}},
        "properties": {"b": {"$ref": "b"}, "c": {"default": {"$ref": "nowhere"}}},
    }
    linked = Validator(schema).linked
    form = engine_form(linked, True)
    assert form == {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"b": {"$ref": "#/definitions/s0"}, "c": {}},
        "definitions": {
            "s0": {"items": {"$ref": "#/definitions/s1"}},
            "s1": {"properties": {"b": {"$ref": "#/definitions/s0"}, "c": {}}},
        },
    }


@pytest.mark.parametrize("engine", ["rust", "python"])
def test_additional_items_beside_a_boolean_says_nothing(engine: str) -> None:
    validator = Validator({"items": True, "additionalItems": False}, engine=engine)
    assert validator.check([1]).valid


@pytest.mark.parametrize("engine", ["rust", "python"])
def test_many_unique_objects(engine: str) -> None:
    items = [{"a": number} for number in range(20_000)]
    validator = Validator({"uniqueItems": True}, engine=engine)
    assert validator.check(items).valid
    assert len(validator.check([*items, {"a": 1.0}])) == 1


TUPLES: Final[tuple[tuple[Any, Any], ...]] = (
    ({"maxItems": 1}, (1, 2)),
    ({"minItems": 3}, (1, 2)),
    ({"items": {"type": "string"}}, ("a", 1)),
    ({"items": [{"const": 5}]}, (1,)),
    ({"items": [True], "additionalItems": False}, (1, 2)),
    ({"contains": {"const": 9}}, (1, 2)),
    ({"uniqueItems": True}, ((1,), [1])),
    ({"not": {"type": "array"}}, ()),
    ({"not": {"const": [1, [2]]}}, (1, (2,))),
    ({"not": {"enum": [[1]]}}, (1,)),
    ({"if": {"minItems": 1}, "then": False}, (1,)),
    ({"type": "object"}, ()),
)


class Pair(NamedTuple):
    x: Any
    y: Any


@pytest.mark.parametrize("engine", ["rust", "python"])
@pytest.mark.parametrize(("schema", "value"), TUPLES)
def test_tuples_are_arrays(engine: str, schema: Any, value: Any) -> None:
    whole = Validator(schema, engine=engine)
    member = Validator({"properties": {"k": schema}}, engine=engine)
    item = Validator({"items": schema}, engine=engine)
    for validator, instance in ((whole, value), (member, {"k": value}), (item, (value,))):
        plain = json.loads(json.dumps(instance))
        assert not validator.is_valid(instance)
        assert validator.check(instance) == validator.check(plain)
    if len(value) == 2:
        assert whole.check(Pair(*value)) == whole.check([*value])


def test_all_matches_of_a_check_share_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    search, granted = regex.search, list[float]()

    def recorded(pattern: str, text: str, *, timeout: float) -> object:
        granted.append(timeout)
        return search(pattern, text, timeout=timeout)

    monkeypatch.setattr(regex, "search", recorded)
    slow = "^(?:a|a|aa)+$"
    texts = [f"{'a' * 40}!{number}" for number in range(60)]
    array = Validator({"items": {"pattern": slow}}, engine="python")
    report = array.check(texts)
    assert len(granted) == 60
    assert sum(granted) < 1  # half a second, but not with each match
    assert len(report) == 60
    assert all("could not" in finding.message for finding in report)

    # What needs no more time than others is decided, too; and the next check has its time again.
    other = {"pattern": "^b*$"}
    both = {"patternProperties": {"^t": {"pattern": slow}}, "additionalProperties": other}
    data = {**{f"t{number}": text for number, text in enumerate(texts)}, "b": "b" * 1_000}
    found = Validator(both, engine="python").check(data)
    assert {finding.path for finding in found} == {f"/t{number}" for number in range(60)}
    assert array.check(["a" * 20]).valid

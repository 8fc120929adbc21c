"""The pytest plugin, as people use it: whole projects that test their own `save_widget()`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

import pytest

import widgetschema
from widgetschema.jsontext import preview

GREETING = {
    "type": "object",
    "properties": {
        "data": {
            "type": "object",
            "properties": {"text": {"type": "string"}, "size": {"enum": ["small", "big"]}},
            "required": ["text"],
            "additionalProperties": False,
        }
    },
}
SCHEMAS = {
    "greeting": GREETING,
    "odd": {
        "properties": {"data": {"properties": {"größe": {"enum": [1]}, "a::b]": {"enum": [2]}}}}
    },
    "long": {"properties": {"data": {"properties": {"long" * 99: {"enum": [1]}}}}},
    "mixed": {
        "properties": {"data": {"properties": {"n": {"type": ["boolean", "null", "object"]}}}}
    },
    "never": {"$id": "never", "properties": {"data": False}},
}
APP = """
import widgetschema

KIND = widgetschema.Catalog("schemas")["greeting"]
SAVED = []

def save_widget(data):
    KIND.validate(data)
    data["id"] = len(SAVED)
    SAVED.append(data)
"""
# What else is installed costs each of the runs a second.
ALONE = [f"-pno:{plugin}" for plugin in ("hypothesispytest", "faker", "randomly", "cacheprovider")]
HEAD = "import pytest\nimport widgetschema\nfrom widgetschema.pytest import cases\n"


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project with a folder of schemas and a `save_widget()`."""
    pytester.makepyfile(app=APP)
    folder = pytester.mkdir("schemas")
    for id, schema in SCHEMAS.items():
        (folder / f"{id}.json").write_text(json.dumps(schema), encoding="utf-8")
    return pytester


def greeting(project: pytest.Pytester) -> widgetschema.WidgetType:
    return widgetschema.Catalog(project.path / "schemas")["greeting"]


def run(project: pytest.Pytester, test: str, *arguments: str) -> pytest.RunResult:
    """Run one file of tests in this process, as strictly as can be."""
    project.makepyfile(test_it=HEAD + test)
    return project.runpytest_inprocess("--strict-markers", "-Werror", *ALONE, *arguments)


def collected(project: pytest.Pytester, test: str, *arguments: str) -> list[str]:
    """The ids in brackets of the tests that are collected."""
    result = run(project, test, "--collect-only", "-q", *arguments)
    assert result.ret == 0, result.stdout.str()
    return [line.partition("[")[2][:-1] for line in result.outlines if "::" in line]


def complaint(project: pytest.Pytester, test: str) -> str:
    """The error at collection, which must be one message without a traceback."""
    result = run(project, test)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert result.parseoutcomes() == {"errors": 1}
    text = result.stdout.str()
    assert "INTERNALERROR" not in text
    assert "Traceback" not in text
    assert not re.search(r"^E  ", text, re.MULTILINE)
    [message] = re.findall(r"ERROR collecting .*\n(.*)\n=+ short", text)
    assert message.startswith("test_it.py::")
    return str(message.partition(": ")[2])


# Somebody's project


EXAMPLE = """
from app import SAVED, save_widget

@widgetschema.pytest.cases("greeting", catalog="schemas")
def test_save_widget(case):
    if case.valid:
        save_widget(case.data)
        assert SAVED[-1] is case.data
    else:
        with pytest.raises(widgetschema.InvalidWidgetData) as caught:
            save_widget(case.data)
        assert [(f.keyword, f.path) for f in caught.value.report] == [*case.findings]
"""


@pytest.mark.parametrize("arguments", [[], ["-n2"]], ids=["one process", "xdist"])
def test_a_project_tests_its_save_widget(project: pytest.Pytester, arguments: list[str]) -> None:
    kind = greeting(project)
    expected = 20 + len(kind.coverage()) + len(kind.near_misses())

    # The test imports nothing but the package itself, so the entry point must have imported
    # the plugin: only a process of its own can show that.
    project.makepyfile(test_it=EXAMPLE.replace("\n", "\nimport pytest\nimport widgetschema\n", 1))
    result = project.runpytest_subprocess("--strict-markers", "-Werror", *ALONE, *arguments)

    assert result.ret == 0, result.stdout.str()
    result.assert_outcomes(passed=expected)
    result.stdout.no_fnmatch_line("*widgetschema: seed*")


def test_nothing_is_imported_before_a_test_asks() -> None:
    code = (
        "import widgetschema.pytest, sys\n"
        "heavy = 'widgetschema.samples', 'widgetschema.schema.tree', 'hypothesis', 'click'\n"
        "assert not set(heavy) & set(sys.modules), set(heavy) & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# Cases and their ids


def test_each_kind_by_its_ids(project: pytest.Pytester) -> None:
    kind = greeting(project)
    valid = [f"valid-{index}" for index in range(3)]
    boundary = [case.id for case in kind.coverage()]
    near_miss = [case.id for case in kind.near_misses()]
    test = "@cases('greeting', catalog='schemas', count=3, kinds={})\ndef test(case): pass"

    assert "small" in boundary
    assert 'enum@/size#"big"' in boundary
    assert "enum@/size#case" in near_miss
    for kinds, expected in {
        "'valid'": valid,
        "{'boundary'}": boundary,
        "'coverage'": boundary,
        "['near_miss']": near_miss,
        "'near-miss'": near_miss,
        "('near-miss', 'valid', 'near_miss')": [*valid, *near_miss],
        "(kind for kind in ['coverage', 'valid'])": [*valid, *boundary],
        "widgetschema.pytest._KINDS": [*valid, *boundary, *near_miss],
    }.items():
        assert collected(project, test.format(kinds)) == expected, kinds


def test_one_kind_can_be_selected_at_the_command(project: pytest.Pytester) -> None:
    test = "@cases('greeting', catalog='schemas', count=3)\ndef test(case): pass"

    selected = collected(project, test, "-m", "widgetschema_case(kind='near_miss')")

    assert selected == [case.id for case in greeting(project).near_misses()]


def test_a_limit_takes_of_everything(project: pytest.Pytester) -> None:
    test = "@cases('greeting', catalog='schemas', limit={})\ndef test(case): pass"
    every = collected(project, test.format(None))
    some = collected(project, test.format(9))

    assert len(some) == 9
    assert some == sorted(some, key=every.index)
    assert {every.index(id) * 3 // len(every) for id in some} == {0, 1, 2}
    assert collected(project, test.format(10_000)) == every


def test_a_catalog_of_ones_own_and_a_type_of_ones_own(project: pytest.Pytester) -> None:
    (project.path / "below").mkdir()
    test = """
    catalog = widgetschema.Catalog("schemas")

    @cases("greeting", kinds="valid", catalog=catalog, count=1)
    def test_catalog(case): pass

    @cases(catalog["greeting"], kinds="valid", count=2)
    def test_type(case): pass

    @cases("countdown", kinds="valid", count=3)
    def test_default(case): pass

    @cases("greeting", kinds="valid", catalog=pytest.importorskip("pathlib").Path("schemas"), count=4)
    def test_path(case): pass
    """
    assert len(collected(project, re.sub("(?m)^    ", "", test))) == 1 + 2 + 3 + 4


def test_ids_are_ascii_and_short_and_lead_back(project: pytest.Pytester) -> None:
    test = "".join(
        f"@cases('{id}', catalog='schemas', count=1)\ndef test_{id}(case): pass\n"
        for id in ("odd", "long")
    )
    ids = collected(project, test)

    assert all(id.isascii() and len(id) < 250 for id in ids)
    assert "present@/gr\\xf6\\xdfe" in ids
    [odd] = [id for id in ids if id == "enum@/a::b]#unknown"]
    assert collected(project, test, f"test_it.py::test_odd[{odd}]") == [odd]


def test_two_decorators_add_up(project: pytest.Pytester) -> None:
    test = """
@cases("greeting", catalog="schemas", kinds="valid", count=2)
@cases("{}", catalog="{}", kinds="valid", count=1, seed="other")
def test(case): pass
"""
    same = collected(project, test.format("greeting", "schemas"))
    other = collected(project, test.format("mixed", "schemas"))

    assert same == ["valid-0", "valid-0#2", "valid-1"]
    assert other == ["mixed:valid-0", "greeting:valid-0", "greeting:valid-1"]


def test_methods_fixtures_parameters_and_module_marks(project: pytest.Pytester) -> None:
    test = """
pytestmark = cases("greeting", catalog="schemas", kinds="valid", count=1)

@pytest.fixture
def text(case):
    return case.data["text"]

class TestSave:
    @cases("greeting", catalog="schemas", kinds="near_miss")
    @pytest.mark.parametrize("times", [1, 2])
    def test_method(self, tmp_path, times, case):
        assert case.valid is (case.kind == "valid")

def test_by_a_fixture(text):
    assert isinstance(text, str)
"""
    near_misses = len(greeting(project).near_misses())

    result = run(project, test, "-v")

    result.assert_outcomes(passed=2 * (near_misses + 1) + 1)
    result.stdout.fnmatch_lines(["*::TestSave::test_method?valid-0-1? PASSED*"])


def test_each_test_has_data_of_its_own(project: pytest.Pytester) -> None:
    test = """
@pytest.mark.parametrize("times", [1, 2])
@cases("greeting", catalog="schemas", kinds={"valid", "boundary"})
def test(times, case):
    assert "spoilt" not in case.data
    case.data["spoilt"] = True

@cases("greeting", catalog="schemas", kinds="boundary")
def test_again(case):
    assert "spoilt" not in case.data
"""
    result = run(project, test)

    assert result.ret == 0, result.stdout.str()


# Seeds


SEEDS = """
import json, pathlib

@cases("greeting", catalog="schemas", kinds="valid", count=2{})
def test(case):
    with open("made", "a") as file:
        print(json.dumps(case.data), file=file)
"""


@pytest.mark.parametrize(
    ("decorator", "arguments", "ini", "seed", "said"),
    [
        ("", [], "", "0", None),
        ("", ["--widgetschema-seed=0"], "", "0", None),
        ("", ["--widgetschema-seed=7"], "", "7", "7"),
        ("", ["--widgetschema-seed", "release 4"], "", "release 4", "release 4"),
        ("", [], "widgetschema_seed = 8", "8", "8"),
        ("", ["--widgetschema-seed=7"], "widgetschema_seed = 8", "7", "7"),
        (", seed=9", ["--widgetschema-seed=7"], "widgetschema_seed = 8", "9", "7"),
        (", seed='mine'", [], "", "mine", None),
    ],
)
def test_seeds(
    project: pytest.Pytester,
    decorator: str,
    arguments: list[str],
    ini: str,
    seed: str,
    said: str | None,
) -> None:
    project.makeini(f"[pytest]\n{ini}\n")

    result = run(project, SEEDS.format(decorator), "--strict-config", *arguments)

    assert result.ret == 0, result.stdout.str()
    made = (project.path / "made").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in made] == [*greeting(project).samples(2, seed)]
    headers = [line for line in result.outlines if line.startswith("widgetschema")]
    assert headers == ([] if said is None else [f"widgetschema: seed {said}"])


# What people get wrong


@pytest.mark.parametrize(
    ("decorator", "message"),
    [
        (
            "cases('countdwn')",
            "unknown widget type 'countdwn'; did you mean 'countdown'? (known: 'countdown')",
        ),
        (
            "cases('greeting', catalog='schemas', kinds='near_mis')",
            "unknown kind of case 'near_mis'; did you mean 'near_miss'? (known: valid, boundary, near_miss)",
        ),
        (
            "cases('greeting', catalog='schemas', kinds=['valid', 3])",
            "unknown kind of case 3 (known: valid, boundary, near_miss)",
        ),
        (
            "cases('greeting', catalog='schemas', kinds=())",
            "kinds names no kind of case (known: valid, boundary, near_miss)",
        ),
        ("cases('greeting', catalog='schemas', count=-1)", "count is 0 or more, not -1"),
        ("cases('greeting', catalog='schemas', limit=0)", "limit is 1 or more, not 0"),
        (
            "cases('greeting', catalog='schemas', locale='xx')",
            "no sample texts for the locale 'xx': use one of de, en",
        ),
        (
            "cases('greeting', catalog='schemas', horizon='2026')",
            "a horizon is two dates in ISO 8601 from 1900 on, such as 2026-01-01/2026-12-31, not '2026'",
        ),
    ],
)
def test_a_mistake_is_one_message(project: pytest.Pytester, decorator: str, message: str) -> None:
    assert complaint(project, f"@{decorator}\ndef test(case): pass") == message


@pytest.mark.parametrize("kind", ["valid", "boundary", "near_miss"])
def test_no_data_can_be_made(project: pytest.Pytester, kind: str) -> None:
    test = f"@cases('never', catalog='schemas', kinds='{kind}')\ndef test(case): pass"

    assert complaint(project, test).startswith("schema 'never', /properties/data: cannot generate")


def test_no_such_folder(project: pytest.Pytester) -> None:
    message = complaint(project, "@cases('greeting', catalog='shemas')\ndef test(case): pass")

    assert message.startswith(str(project.path / "shemas"))


@pytest.mark.parametrize(
    ("test", "name"),
    [
        ("@cases('countdown')\ndef test(): pass", "test(case)"),
        ("@cases('countdown')\ndef test_it(data): pass", "test_it(case)"),
        ("@cases('countdown')\nclass Test:\n  def test(self): pass", "test(self, case)"),
    ],
)
def test_a_test_without_the_argument(project: pytest.Pytester, test: str, name: str) -> None:
    said = f"the test gets its cases in the argument 'case': write def {name}"

    assert complaint(project, test) == said


@pytest.mark.parametrize("decorator", ["cases", "cases(3)"])
def test_a_decorator_without_a_type(project: pytest.Pytester, decorator: str) -> None:
    result = run(project, f"@{decorator}\ndef test(case): pass")

    result.assert_outcomes(errors=1)
    line = f'*TypeError: *write @cases("countdown"), not @{decorator}'
    result.stdout.fnmatch_lines([line])


# Reports of failures


@pytest.mark.parametrize("arguments", [[], ["-n2"]], ids=["one process", "xdist"])
def test_a_failure_shows_the_case_and_how_to_reproduce_it(
    project: pytest.Pytester, arguments: list[str]
) -> None:
    test = """
catalog = widgetschema.Catalog("schemas")
widget_type = catalog["mixed"]

@cases("countdown", kinds="valid", count=4, locale="de", limit=2, horizon="2024-05-05/2024-05-05")
@cases("greeting", catalog="schemas", limit=20)
@cases("greeting", catalog=catalog, limit=5, locale="de", seed=5)
@cases(widget_type, limit=5)
def test_save(case):
    case.data = None if case.data is None else case.data.clear()
"""
    result = run(project, test, *arguments)

    result.assert_outcomes(failed=2 + 20 + 5 + 5)
    text = result.stdout.str()
    catalog = widgetschema.Catalog(project.path / "schemas")
    names: dict[str, Any] = {
        "widgetschema": widgetschema,
        "catalog": catalog,
        "widget_type": catalog["mixed"],
    }
    found = re.findall(
        r"-+ widgetschema case -+\nid: +(.*)\nfindings: +(.*)\ndata: +(.*)\nreproduce: (.*)\n", text
    )
    assert len(found) == 2 + 20 + 5 + 5
    for _, findings, data, expression in found:
        made = eval(expression, names)
        assert preview(made, 2000) == data
        assert len(data) <= 2000
        kind = names["widgetschema"].widget_type("countdown")
        if "greeting" in expression:
            kind = catalog["greeting"]
        elif "widget_type." in expression:
            kind = catalog["mixed"]
        report = kind.check(made)
        promised = ", ".join(f"{f.keyword} {f.path or '(root)'}" for f in report)
        assert findings == (promised or "none, the data is valid")


def test_only_a_failure_shows_its_case(project: pytest.Pytester) -> None:
    test = """
@cases("greeting", catalog="schemas", kinds="valid", count=4)
def test(case, request):
    assert "valid-2" not in request.node.name

def test_other():
    assert False

@pytest.fixture
def broken(case):
    raise OSError

@cases("greeting", catalog="schemas", kinds="valid", count=1)
def test_setup(broken):
    pass

@pytest.mark.xfail
@cases("greeting", catalog="schemas", kinds="valid", count=1)
def test_expected(case):
    assert False
"""
    result = run(project, test, "-rA")

    result.assert_outcomes(passed=3, failed=2, errors=1, xfailed=1)
    shown = [line for line in result.outlines if line.startswith("id: ")]
    assert shown == ["id:        valid-0 (valid)", "id:        valid-2 (valid)"]


# Fixtures


def test_fixtures(project: pytest.Pytester) -> None:
    test = """
KIND = widgetschema.widget_type("countdown")
OWN = widgetschema.Catalog("schemas")["greeting"]

@pytest.mark.parametrize("turn", [1, 2])
def test_data(widget_data, turn):
    made = [widget_data("countdown") for _ in range(3)]
    assert made == [*KIND.samples(3, "7")]
    assert widget_data(OWN) == OWN.sample("7", 0)
    assert widget_data("countdown", 1) == widget_data("countdown", index=1) == made[1]
    assert widget_data("countdown", 1) is not widget_data("countdown", 1)
    assert widget_data("countdown") == KIND.sample("7", 3)

def test_settings(widget_data):
    title = {"/content/timerTitle": ["Hello"]}
    settings = dict(fill=0.5, overrides=title, locale="de", horizon="2024-05-05/2024-05-05")
    made = widget_data("countdown", 2, seed=3, **settings)
    assert made == KIND.sample(3, 2, **settings)

def test_document(widget_document, widget_data):
    first, second = widget_document("countdown"), widget_document("countdown")
    assert first == KIND.sample_document("7", 0)
    assert first["data"] == widget_data("countdown")
    assert second == KIND.sample_document("7", 1)
    assert KIND.check_document(second).valid

def test_unknown(widget_data):
    with pytest.raises(widgetschema.UnknownWidgetType):
        widget_data("countdwn")
"""
    result = run(project, test, "--widgetschema-seed=7")

    result.assert_outcomes(passed=5)


def test_what_the_plugin_brings_is_documented(project: pytest.Pytester) -> None:
    markers, fixtures, options = (
        project.runpytest_inprocess(option, *ALONE).stdout.str()
        for option in ("--markers", "--fixtures", "--help")
    )

    assert "@pytest.mark.widgetschema_cases(type, ...): run the test" in markers
    assert re.search(r"widget_data -- .*\n +Make valid widget data", fixtures)
    assert re.search(r"widget_document -- .*\n +Make valid widget documents", fixtures)
    assert "--widgetschema-seed=SEED" in options
    assert "widgetschema_seed (string)" in options

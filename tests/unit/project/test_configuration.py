"""Precedence: option over environment over file over default; and variables that are wrong."""

from __future__ import annotations

import traceback
from pathlib import Path

import pytest

from tests.unit.project.test_config_file import PASSWORD, refused, write
from widgetschema.errors import ConfigurationError
from widgetschema.project.config import Configuration, load
from widgetschema.project.config.settings import SETTINGS


def shown(one: Configuration, name: str) -> tuple[object, str]:
    return getattr(one, SETTINGS[name].attribute), str(one.origins[name])


def test_option_over_environment_over_file_over_default(tmp_path: Path) -> None:
    write(tmp_path / "widgetschema.toml", "jobs = 1\nengine = 'rust'\nformats = true\n")
    environ = {
        "WIDGETSCHEMA_JOBS": "2",
        "WIDGETSCHEMA_ENGINE": " python ",
        "WIDGETSCHEMA_FORMATS": "",
        "WIDGETSCHEMA_SCHEMAS": "s",
        "WIDGETSCHEMA_MAX_DEPTH": "7",
        "WIDGETSCHEMA_FETCH": "offline",
        "WIDGETSCHEMA_BASE_URL": "https://a.example",
        "WIDGETSCHEMA_AUTH_URL": "https://b.example/",
    }
    assert load(str(tmp_path), {"WIDGETSCHEMA_STRICT_SCHEMA": "TRUE"}).strict_schema is True
    one = load(str(tmp_path), environ).with_options(
        jobs=3, formats=False, engine=None, baseline="b.json", auth_url=None
    )

    assert shown(one, "jobs") == (3, "option (--jobs)")
    assert shown(one, "engine") == ("python", "environment (WIDGETSCHEMA_ENGINE)")
    assert shown(one, "formats") == (False, "option (--no-formats)")
    assert one.schemas == str(tmp_path / "s")
    assert shown(one, "baseline") == (str(tmp_path / "b.json"), "option (--baseline)")
    assert (one.limits.max_depth, one.formats, one.fetch) == (7, False, "offline")
    assert (one.base_url, one.auth_url) == ("https://a.example", "https://b.example/")
    assert load(str(tmp_path), environ).jobs == 2
    assert shown(load(str(tmp_path), {}), "jobs") == (1, "widgetschema.toml:1")
    with pytest.raises(TypeError, match="no option"):
        one.with_options(severities={})


@pytest.mark.parametrize(
    ("variable", "text", "said"),
    [
        ("JOBS", "many", 'expected a whole number from 0 to 64, found "many"'),
        ("JOBS", "-1", "expected a whole number"),
        ("JOBS", "９", "expected a whole number"),
        ("JOBS", "1" * 5000, "more than 4,096 characters"),
        ("MAX_DEPTH", "0", "from 1 to 1,000"),
        ("MAX_BYTES", "1e6", "expected a whole number"),
        ("FORMATS", "maybe", "expected true or false"),
        ("FETCH", "ofline", "expected auto, offline, refresh or frozen"),
        ("ENGINE", "go", "expected rust or python"),
        ("FORMAT", "sarrif=x", '"sarrif" is not a report format'),
        ("AUTH_URL", "https://a\x1b.example", "an invisible character"),
        ("FORMAT", ",", "this is empty"),
        ("FORMAT", "json=", "the file is missing"),
        ("BASE_URL", f"https://me:{PASSWORD}@a.example", "a user name or password"),
        ("AUTH_URL", f"https://a.example?{PASSWORD}", "a query or fragment"),
        ("AUTH_URL", "a.example", "this is not an address"),
        ("ENGINE", f"https://me:{PASSWORD}@a.example", "https://…@a.example"),
        ("SCHEMAS", f"https://me:{PASSWORD}@a.example", "an address, not a path"),
        ("FORMAT", f"json=https://me:{PASSWORD}@a.example", "an address, not a path"),
        ("SCHEMAS", "a\x1b[31m", "an invisible character"),
        ("CONFIG", "gone.toml", "cannot be read"),
    ],
)
def test_variables_that_are_wrong(tmp_path: Path, variable: str, text: str, said: str) -> None:
    error = refused(str(tmp_path), {f"WIDGETSCHEMA_{variable}": text})

    assert said in str(error)
    assert variable == "CONFIG" or f"WIDGETSCHEMA_{variable}" in str(error)
    assert PASSWORD not in str(error)
    assert len(error.report) == 1


def test_all_variables_that_are_wrong_are_told_at_once(tmp_path: Path) -> None:
    variables = {f"WIDGETSCHEMA_{one}": "?" for one in ("JOBS", "FETCH", "FORMATS")}
    assert len(refused(str(tmp_path), variables).report) == 3


def test_a_traceback_holds_no_token(tmp_path: Path) -> None:
    environ = {"WIDGETSCHEMA_ACCESS_TOKEN": PASSWORD, "WIDGETSCHEMA_JOBS": "x"}
    try:
        load(str(tmp_path), environ)
    except ConfigurationError as error:
        # Our frames, without that of whoever called.
        frames = list(traceback.walk_tb(error.__traceback__))[1:]
        assert len(frames) > 1
        assert not any(PASSWORD in repr(frame.f_locals) for frame, _ in frames[1:])
        assert PASSWORD not in repr({**frames[0][0].f_locals})


def test_whether_a_value_is_of_the_file(tmp_path: Path) -> None:
    text = "base-url = 'https://a.example'\nauth-url = 'https://b.example'\njobs = 1\n"
    write(tmp_path / "widgetschema.toml", text)
    write(tmp_path / "argument (x).toml", text)
    (tmp_path / "below").mkdir()
    environ = {"WIDGETSCHEMA_BASE_URL": "https://a.example"}

    for directory, file in (("", None), ("below", None), ("", "argument (x).toml")):
        one = load(str(tmp_path / directory), environ, file=file).with_options(jobs=2)
        assert one.is_from_file("auth-url")
        assert not any(map(one.is_from_file, ("base-url", "jobs", "fetch")))
    assert not load(str(tmp_path), environ, use_file=False).is_from_file("auth-url")


def test_the_schemas_of_a_project_that_is_elsewhere(tmp_path: Path) -> None:
    write(tmp_path / "one" / "widgetschema.toml", "")
    write(tmp_path / "one" / "schemas" / "manifest.json", "{}")
    (tmp_path / "one" / "sub").mkdir()
    (tmp_path / "other").mkdir()
    file = str(tmp_path / "one" / "widgetschema.toml")

    elsewhere = load(str(tmp_path / "other"), {}, file=file)
    assert shown(elsewhere, "schemas") == (None, "default")
    assert elsewhere.schema_folders == (str(tmp_path / "one" / "schemas"),)
    # From within, they are looked for from the working directory upwards.
    write(tmp_path / "one" / "sub" / "schemas" / "manifest.json", "{}")
    inside = load(str(tmp_path / "one" / "sub"), {}, file=file)
    assert inside.schema_folders == (str(tmp_path / "one" / "sub" / "schemas"),)


def test_what_findings_depend_on(tmp_path: Path) -> None:
    before = load(str(tmp_path), {})

    assert before.with_options(jobs=3).findings_key == before.findings_key
    for name, value in (("formats", False), ("engine", "python")):
        assert before.with_options(**{name: value}).findings_key != before.findings_key
    assert load(str(tmp_path), {"WIDGETSCHEMA_MAX_DEPTH": "7"}).findings_key != before.findings_key

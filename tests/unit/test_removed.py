"""Removed names: each error about one says what to do instead."""

from __future__ import annotations

import copy
import pickle
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

from tests.checkout import ROOT
from widgetschema import Accounts, Catalog, Form, StaleForm, Submission, Validator, WidgetType
from widgetschema.cli import main
from widgetschema.cli.main import cli
from widgetschema.cli.settings import unknown_variables
from widgetschema.jsontext.merging import ConcurrentEdit
from widgetschema.project.config.settings import SETTINGS
from widgetschema.removed import REMOVED, advice_on

CLASSES = (Accounts, Catalog, ConcurrentEdit, Form, Submission, Validator, WidgetType)
OWNERS: dict[str, type] = {owner.__name__: owner for owner in CLASSES}
# What a page of an earlier version posts, which showed a free object as its JSON.
EARLIER = {
    "base#": "a47df9973122e1621adbe04d-08faa14ffb74a4f5507fd5fb-ea6ac3e35328d0f7a58fda90",
    "text#": '{\n  "parameters": {\n    "note": "Worth the walk"\n  }\n}',
    "shape#": "096b46ff23e1e47a",
    "#/parameters": '{\n  "note": "Worth another walk"\n}',
}


@pytest.mark.parametrize("name", REMOVED["option"])
def test_options(capsys: pytest.CaptureFixture[str], name: str) -> None:
    command, option = name.split()
    assert main([command, option]) == 2
    said = capsys.readouterr().err

    assert f"No such option '{option}'. It was removed: {REMOVED['option'][name]}." in said


def test_options_that_are_advised() -> None:
    for name, advice in REMOVED["option"].items():
        with click.Context(cli) as context:
            command = cli.get_command(context, name.split()[0])
        assert command is not None
        ours = {option for one in command.params for option in one.opts}
        assert name.split()[1] not in ours
        assert {word.strip(",") for word in advice.split() if word.startswith("--")} <= ours


@pytest.mark.parametrize("name", REMOVED["setting"])
def test_settings(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    path = tmp_path / "widgetschema.toml"
    path.write_text(f"{name} = true\n", encoding="utf-8")

    assert name not in SETTINGS
    assert main(["config", "--config", str(path)]) != 0
    assert f"hint: {advice_on('setting', name)}" in capsys.readouterr().err


@pytest.mark.parametrize("name", REMOVED["variable"])
def test_variables(name: str) -> None:
    note = unknown_variables({name: "1"})
    assert note == f"unknown environment variable: {name} ({advice_on('variable', name)})"


@pytest.mark.parametrize("name", REMOVED["name"])
def test_names(name: str) -> None:
    owner, _, attribute = name.rpartition(".")
    advice = REMOVED["name"][name]
    package, _, new = advice.removeprefix("use ").rpartition(".")
    assert not package or hasattr(OWNERS.get(package) or import_module(package), new)
    if owner in OWNERS:
        assert not hasattr(OWNERS[owner], attribute)
        made: object = object.__new__(OWNERS[owner])
        with pytest.raises(AttributeError, match=f": it was removed: {advice}$"):
            getattr(made, attribute)
        return
    assert not hasattr(import_module(owner), attribute)
    with pytest.raises(AttributeError, match=f": it was removed: {advice}$"):
        getattr(import_module(owner), attribute)
    run = [sys.executable, "-c", f"from {owner} import {attribute}"]
    result = subprocess.run(run, capture_output=True, encoding="utf-8", check=False)
    assert result.stderr.endswith(f": it was removed: {advice}\n")


@pytest.mark.parametrize("name", REMOVED["name"])
def test_no_reference_uses_them(name: str) -> None:
    text = (ROOT / "docs/reference/python.md").read_text(encoding="utf-8")
    assert re.search(rf"(?<![\w.]){re.escape(name)}\b", text) is None


def test_other_attributes_are_unknown_as_before() -> None:
    catalog = Catalog([{"a": True}])

    assert not hasattr(catalog, "no_such_attribute")
    assert copy.copy(catalog) is not catalog
    assert [*pickle.loads(pickle.dumps(catalog))] == ["a"]


def test_a_page_of_an_earlier_version_is_shown_again_with_what_was_typed() -> None:
    schema = {"type": "object", "properties": {"parameters": {"type": "object"}}}
    widget_type = WidgetType.from_data_schema(schema, id="a")
    form = widget_type.form({"parameters": {"note": "Worth the walk"}})

    with pytest.raises(StaleForm) as error:
        form.submit(EARLIER, on_stale="rebase")
    page = error.value.form.page()
    assert "Check this before you save" in page
    assert "Worth another walk" in page

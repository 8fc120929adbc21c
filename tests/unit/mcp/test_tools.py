"""The tools as functions: what they answer, what they refuse, and what they leave alone."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from widgetschema import Catalog, UnknownWidgetType, UnreadableDocument
from widgetschema.mcp.outline import ToolFailure
from widgetschema.mcp.tools import MOST_FINDINGS, Toolbox

CATALOG = Catalog.default()
TOOLS = Toolbox(CATALOG)
VALID = '{"content": {}, "settings": {}, "styles": {}}'
TWO_MISTAKES = '{"content": {"timerDays": "3"}, "setings": {}, "styles": {}}'


def test_types_are_listed_with_those_that_cannot_be_used() -> None:
    broken = {"bad": {"$ref": "#/nowhere"}, "good": {"title": "Good"}}

    types = Toolbox(Catalog([broken])).list_widget_types()["types"]

    assert [one["id"] for one in types] == ["bad", "good"]
    assert "nowhere" in types[0]["problem"]
    assert types[1]["title"] == "Good"


def test_the_schema_is_returned_whole_or_cut_and_said_so() -> None:
    whole = TOOLS.read_schema("countdown", max_chars=100_000)
    cut = TOOLS.read_schema("countdown", max_chars=200)
    part = TOOLS.read_schema("countdown", "/definitions/IPluginData/required")

    assert json.loads(whole["schema"]) == CATALOG["countdown"].linked
    assert whole["complete"]
    assert not cut["complete"]
    assert cut["members"]
    assert cut["characters"] == len(whole["schema"])
    assert json.loads(part["schema"]) == ["content", "settings", "styles"]
    with pytest.raises(ToolFailure, match="nothing at /nowhere"):
        TOOLS.read_schema("countdown", "/nowhere")


def test_a_pointer_begins_with_a_slash() -> None:
    with pytest.raises(ToolFailure, match='"content" is not a JSON Pointer'):
        TOOLS.describe_widget_type("countdown", "content")
    with pytest.raises(ToolFailure, match='"definitions" is not a JSON Pointer'):
        TOOLS.read_schema("countdown", "definitions")


def test_a_pointer_is_short() -> None:
    with pytest.raises(ToolFailure, match="at most 2,000 characters, not 2,001"):
        TOOLS.describe_widget_type("countdown", "/" * 2001)


def test_the_patches_of_findings_fix_them() -> None:
    report = TOOLS.check_data("countdown", TWO_MISTAKES)
    operations = [one for finding in report["findings"] for one in finding["patch"]]

    edited = TOOLS.edit_data("countdown", TWO_MISTAKES, operations)
    fixed = TOOLS.fix_data("countdown", TWO_MISTAKES, unsafe_fixes=True)
    safe = TOOLS.fix_data("countdown", TWO_MISTAKES)

    assert not report["valid"]
    assert {one["applicability"] for one in report["findings"]} == {"safe", "unsafe"}
    assert safe["json_text"] == TWO_MISTAKES.replace('"3"', "3")
    assert safe["findings"][0]["applicability"] == "unsafe"
    assert report["findings"][0]["line"] == 1
    assert edited["valid"]
    assert fixed["valid"]
    assert len(fixed["fixed"]) == 2
    assert edited["json_text"] == fixed["json_text"]
    assert fixed["json_text"] == TWO_MISTAKES.replace('"3"', "3").replace("setings", "settings")


def test_documents_are_checked_and_fixed_as_such() -> None:
    document = '{"type": "countdown", "name": "a", "data": %s}' % TWO_MISTAKES  # noqa: UP031

    found = TOOLS.check_data("countdown", document, "document")
    fixed = TOOLS.fix_data("countdown", document, "document", unsafe_fixes=True)

    assert {one["path"] for one in found["findings"]} >= {"/data/setings"}
    assert '"settings"' in fixed["json_text"]


def test_text_that_is_not_json_is_a_finding() -> None:
    found = TOOLS.check_data("countdown", '{"a": 1,}')

    assert not found["valid"]
    assert found["findings"][0]["code"].startswith("json.")


def test_a_long_report_says_what_it_leaves_out() -> None:
    many = json.dumps({f"m{number}": 1 for number in range(MOST_FINDINGS + 20)})

    found = TOOLS.check_data("countdown", many)

    assert len(found["findings"]) == MOST_FINDINGS
    every = Catalog.default()["countdown"].check_json(many)
    assert found["more_findings"] == len(every) - MOST_FINDINGS >= 20


def test_samples_of_each_kind() -> None:
    type = CATALOG["countdown"]

    some = TOOLS.make_samples("countdown", count=3, seed="s")["samples"]
    [smallest] = TOOLS.make_samples("countdown", "minimal")["samples"]
    [largest] = TOOLS.make_samples("countdown", "maximal")["samples"]
    misses = TOOLS.make_samples("countdown", "near-miss", 2)["samples"]

    assert len(some) == 3
    assert all(type.is_valid_json(one["json_text"]) for one in (*some, smallest, largest))
    assert len(smallest["json_text"]) < len(largest["json_text"])
    assert all(not type.is_valid_json(one["json_text"]) for one in misses)
    for one in misses:
        found = TOOLS.check_data("countdown", one["json_text"])["findings"]
        assert one["findings"] == [{"code": f["code"], "path": f["path"]} for f in found]


def test_samples_have_dates_within_a_horizon() -> None:
    made = TOOLS.make_samples("countdown", count=20, horizon="2026-05-01/2026-05-31")["samples"]
    assert [one["json_text"] for one in made if '"2026-05-' in one["json_text"]]
    with pytest.raises(ToolFailure, match="soon"):
        TOOLS.make_samples("countdown", horizon="soon")


@pytest.mark.parametrize("kind", ["realistic", "maximal", "near-miss"])
def test_samples_fit_into_the_size(kind: Any) -> None:
    whole = TOOLS.make_samples("countdown", kind, 5)["samples"]
    size = len(whole[0]["json_text"])

    cut = TOOLS.make_samples("countdown", kind, 5, max_chars=size)
    none = TOOLS.make_samples("countdown", kind, 5, max_chars=size - 1)
    assert cut["samples"] == whole[:1]
    assert cut.get("more_samples", 0) == len(whole) - 1
    assert (none["samples"], none["more_samples"]) == ([], len(whole))
    assert none["characters_of_the_next"] == size


def test_schemas_are_compared() -> None:
    newer = json.loads(TOOLS.read_schema("countdown", max_chars=100_000)["schema"])
    newer["definitions"]["IPluginData"]["required"].append("more")

    found = TOOLS.compare_schemas("countdown", json.dumps(newer))

    assert found["verdict"] == "breaking"
    assert found["changes"][0]["witness"]["data"] is not None


def test_a_newer_schema_is_linked_as_the_old_one() -> None:
    base = {"type": "object", "properties": {"data": {"maxProperties": 1}}}
    old = {"allOf": [{"$ref": "plugin"}], "properties": {"data": {"type": "object"}}}
    tools = Toolbox(Catalog([{"x": old, "plugin": base}]))

    assert tools.compare_schemas("x", json.dumps(old))["verdict"] == "same"
    assert tools.compare_schemas("x", "{}")["verdict"] == "widening"


def test_a_form_is_filled_in_step_by_step() -> None:
    schema = {
        "type": "object",
        "required": ["kind"],
        "properties": {
            "title": {"type": "string", "maxLength": 5, "default": "Sale"},
            "kind": {"enum": ["a", "b"]},
        },
    }
    tools = Toolbox(Catalog([{"x": {"properties": {"data": schema}}}]))

    first = tools.edit_data("x")
    kind = {"op": "add", "path": "/kind", "value": "a"}
    bad = tools.edit_data(
        "x", first["json_text"], [kind, {"op": "add", "path": "/title", "value": "too long"}]
    )
    good = tools.edit_data(
        "x", bad["json_text"], [{"op": "replace", "path": "/title", "value": "Sale"}]
    )

    assert first["json_text"] == "{}\n"
    assert not first["valid"]
    assert [one["path"] for one in first["next_fields"]] == ["/kind", "/title"]
    assert first["next_fields"][0]["one_of"] == ['"a"', '"b"']
    assert first["next_fields"][1]["default"] == '"Sale"'
    assert not bad["valid"]
    assert bad["next_fields"][0]["findings"]
    assert good["valid"]
    assert good["next_fields"] == []
    assert good["fields_left"] == 0


def test_required_fields_come_before_others() -> None:
    inner = {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}
    schema = {"required": ["o"], "properties": {"z": {"type": "string"}, "o": inner}}
    tools = Toolbox(Catalog([{"x": {"properties": {"data": {"type": "object", **schema}}}}]))

    fields = tools.edit_data("x", '{"k": 1}')["next_fields"]

    assert [one["path"] for one in fields] == ["/o", "/o/a", "/z"]
    assert "findings" not in fields[1]


def test_a_patch_that_cannot_be_applied_changes_nothing() -> None:
    with pytest.raises(ToolFailure, match=r"operation 1 of the patch: .*; nothing was changed"):
        TOOLS.edit_data("countdown", VALID, [{"op": "remove", "path": "/none"}])
    with pytest.raises(UnreadableDocument):
        TOOLS.edit_data("countdown", "{")
    with pytest.raises(UnknownWidgetType, match="did you mean 'countdown'"):
        TOOLS.edit_data("countdwn", VALID)


def write(tools: Toolbox, path: str, text: str = VALID, replaces: str = "") -> dict[str, Any]:
    return tools.write_file(path, "countdown", text, replaces)


def test_files_are_written_whole_and_never_over_what_is_not_known(tmp_path: Path) -> None:
    tools = Toolbox(CATALOG, str(tmp_path))

    written = write(tools, "new.json")
    assert (tmp_path / "new.json").read_text("utf-8") == VALID
    assert tools.read_file("new.json") == {"json_text": VALID, "digest": written["digest"]}

    with pytest.raises(ToolFailure, match="read it, and pass its digest as replaces"):
        write(tools, "new.json", VALID + "\n")
    again = write(tools, "new.json", VALID + "\n", written["digest"])
    assert again["written"]

    (tmp_path / "new.json").write_text("changed by somebody else", encoding="utf-8")
    with pytest.raises(ToolFailure, match="nothing was written"):
        write(tools, "new.json", VALID, again["digest"])
    (tmp_path / "new.json").unlink()
    with pytest.raises(ToolFailure, match="no longer exists"):
        write(tools, "new.json", VALID, again["digest"])


def test_invalid_data_is_not_written(tmp_path: Path) -> None:
    found = write(Toolbox(CATALOG, str(tmp_path)), "new.json", TWO_MISTAKES)

    assert found["written"] is False
    assert found["findings"]
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("../out.json", "not in the folder"),
        ("/out.json", "not in the folder"),
        ("link/out.json", "not in the folder"),
        ("file-link.json", "not in the folder"),
        ("", "not in the folder"),
        (".", "not in the folder"),
        ("a\0.json", "not in the folder"),
        ("a.py", "must end with .json"),
        ("folder.json", "not a regular file"),
    ],
)
def test_only_json_files_of_the_folder_are_touched(tmp_path: Path, path: str, reason: str) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "folder"
    outside.mkdir()
    (folder / "folder.json").mkdir(parents=True)
    (outside / "secret.json").write_text("{}", encoding="utf-8")
    (folder / "link").symlink_to(outside)
    (folder / "file-link.json").symlink_to(outside / "secret.json")
    tools = Toolbox(CATALOG, str(folder))

    with pytest.raises(ToolFailure, match=reason):
        write(tools, path)
    with pytest.raises(ToolFailure, match=reason):
        tools.read_file(path)

    assert os.listdir(outside) == ["secret.json"]
    assert (outside / "secret.json").read_text("utf-8") == "{}"


def test_a_folder_that_is_missing_and_a_file_that_is_too_long(tmp_path: Path) -> None:
    tools = Toolbox(CATALOG, str(tmp_path))
    with pytest.raises(ToolFailure, match=r'the folder of "new/a\.json" does not exist'):
        write(tools, "new/a.json")
    (tmp_path / "a.json").write_text(" " * 200_001)
    with pytest.raises(
        ToolFailure, match=r"has 200,001 characters, more than .* widgetschema edit"
    ):
        tools.read_file("a.json")
    assert os.listdir(tmp_path) == ["a.json"]


def test_a_missing_file_and_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "bytes.json").write_bytes(b"\xff")
    tools = Toolbox(CATALOG, str(tmp_path))

    with pytest.raises(ToolFailure, match="there is no file"):
        tools.read_file("none.json")
    with pytest.raises(ToolFailure, match="not UTF-8"):
        tools.read_file("bytes.json")

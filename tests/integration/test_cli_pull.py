"""The command `pull`, against a sandbox over TCP: what is written, what is said, what is not."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.command import GOOD, run
from widgetschema import Store
from widgetschema.catalog.store import bundled, write_manifest
from widgetschema.sandbox import Sandbox, running

Capture = pytest.CaptureFixture[str]

COUNTDOWN = bundled()["countdown"]
PLAN = "copy schemas to before, and pull; then `widgetschema migrate plan before schemas"
PROPOSES = "proposes how to migrate stored data"
FAQ: dict[str, Any] = {
    "$id": "faq",
    "$schema": "http://json-schema.org/draft-07/schema#",
    "allOf": [{"$ref": "plugin"}],
    "properties": {"data": {"$ref": "#/definitions/IPluginData"}},
    "definitions": {"IPluginData": {"type": "object", "properties": {"n": {"type": "integer"}}}},
}


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sandbox]:
    """A sandbox with two types; the environment is logged in to it, the folder is empty."""
    schemas = {"countdown": COUNTDOWN, "faq": FAQ, "plugin": bundled()["plugin"]}
    with running(schemas) as made:
        use(made, monkeypatch)
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        (tmp_path / "project").mkdir()
        monkeypatch.chdir(tmp_path / "project")
        yield made


def use(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WIDGETSCHEMA_BASE_URL", sandbox.base_url)
    monkeypatch.setenv("WIDGETSCHEMA_AUTH_URL", sandbox.auth_url)
    monkeypatch.setenv("WIDGETSCHEMA_ACCESS_TOKEN", sandbox.access_token())


def without(*names: str) -> dict[str, Any]:
    """The countdown without some of its animation types."""
    schema: dict[str, Any] = deepcopy(COUNTDOWN)
    member = schema["definitions"]["IPluginStyles"]["properties"]["animationType"]
    member["enum"] = [value for value in member["enum"] if value not in names]
    return schema


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_all_that_is_used(sandbox: Sandbox, capsys: Capture) -> None:
    result = run(capsys, "pull", "--all-used")
    assert (result.code, result.err) == (0, "3 schemas: 3 new; in schemas\n")
    assert result.out == "plugin: new\ncountdown: new\nfaq: new\n"
    store = Store("schemas")
    assert {id: store[id] for id in store} == {
        "countdown": COUNTDOWN,
        "faq": FAQ,
        "plugin": bundled()["plugin"],
    }
    entry = store.entry("faq")
    assert entry is not None
    assert entry.text("source") == sandbox.base_url


def test_a_schema_of_data_is_noticed(sandbox: Sandbox, capsys: Capture) -> None:
    sandbox.set_schema("faq", {"$id": "faq", "properties": {"title": {"type": "string"}}})
    note = "faq: properties (root): the schema says nothing about 'data'"

    refused = run(capsys, "pull", "faq", "--strict-schema")
    assert (refused.code, Path("schemas").exists()) == (4, False)
    assert "the schema says nothing about 'data'" in refused.err
    result = run(capsys, "pull", "faq")
    assert (result.code, result.err.count(note)) == (0, 1)
    assert note not in run(capsys, "pull", "faq").err  # nothing is new


def test_without_ids_what_the_folder_has(sandbox: Sandbox, capsys: Capture) -> None:
    assert run(capsys, "pull", "faq").code == 0
    before = snapshot(Path("schemas"))
    again = run(capsys, "pull")
    assert (again.code, again.out, again.err) == (0, "", "2 schemas: 2 same; in schemas\n")
    assert snapshot(Path("schemas")) == before
    assert sorted(Store("schemas")) == ["faq", "plugin"]


def test_with_nothing_to_pull_it_asks(sandbox: Sandbox, capsys: Capture) -> None:
    result = run(capsys, "pull")
    assert result.code == 2
    assert "name widget types, or pass --all-used" in result.err


def test_a_change_without_meaning_is_no_same(sandbox: Sandbox, capsys: Capture) -> None:
    run(capsys, "pull", "faq")
    sandbox.set_schema("faq", {name: value for name, value in FAQ.items() if name != "$id"})
    result = run(capsys, "pull", "--check")
    assert (result.code, result.err) == (1, "2 schemas: 1 changed, 1 same; nothing written\n")
    assert result.out.startswith("faq: changed, but not what it means: the $id, for example")


def test_what_changed_is_said_with_a_witness(sandbox: Sandbox, capsys: Capture) -> None:
    run(capsys, "pull", "countdown")
    sandbox.set_schema("countdown", without("flip"))
    before = snapshot(Path("schemas"))
    checked = run(capsys, "pull", "--check")
    assert checked.code == 1
    assert snapshot(Path("schemas")) == before
    assert '"flip"' in checked.out
    assert "/styles/animationType" in checked.out
    assert "breaking" in checked.out
    summary, advice = checked.err.splitlines()
    assert summary == "2 schemas: 1 changed, 1 same; nothing written"
    assert advice == f"countdown: 1 breaking change: {PLAN} --type countdown` {PROPOSES}"
    shutil.copytree("schemas", "before")
    pulled = run(capsys, "pull")
    assert (pulled.code, pulled.out) == (0, checked.out)
    assert pulled.err.splitlines()[-1] == (
        "countdown: 1 breaking change: get OLD, the schemas before this pull, from version control; "
        f"then `widgetschema migrate plan OLD schemas --type countdown` {PROPOSES}"
    )
    assert run(capsys, "pull", "--check").code == 0
    command = advice.split("`")[1].split()[1:]
    assert run(capsys, *command, "--output", "plan.toml", "-q").code == 0
    assert run(capsys, "migrate", "check", "plan.toml").code == 1  # not 2: it is for both schemas


def test_a_change_of_unknown_effect_is_said_on_standard_error(
    sandbox: Sandbox, capsys: Capture
) -> None:
    for pattern in ("^a+(?<!b)$", "^a+$"):
        schema = deepcopy(FAQ)
        schema["definitions"]["IPluginData"]["properties"]["n"] = {"pattern": pattern}
        sandbox.set_schema("faq", schema)
        if pattern == "^a+(?<!b)$":
            run(capsys, "pull", "faq")
    for options, code in ((("--check", "-q"), 1), (("-q",), 0)):
        result = run(capsys, "pull", *options)
        assert result.code == code
        assert "unknown /n: the pattern" in result.out
        assert "faq: 1 change of unknown effect: no data was found" in result.err


def test_what_changed_as_json(sandbox: Sandbox, capsys: Capture) -> None:
    run(capsys, "pull", "countdown")
    sandbox.set_schema("countdown", without("flip"))
    result = run(capsys, "pull", "--check", "--format", "json")
    value = json.loads(result.out)
    assert list(value) == ["version", "folder", "written", "schemas"]
    assert (value["folder"], value["written"]) == ("schemas", False)
    plugin, countdown = value["schemas"]
    assert (plugin["id"], plugin["state"], plugin["comparison"]) == ("plugin", "same", None)
    assert countdown["state"] == "changed"
    assert countdown["before"]["digest"] != countdown["provenance"]["digest"]
    (change,) = countdown["comparison"]["changes"]
    assert change["kind"] == "breaking"
    assert change["witness"]["data"]["styles"]["animationType"] == "flip"


def test_check_of_what_is_not_there_is_drift(sandbox: Sandbox, capsys: Capture) -> None:
    result = run(capsys, "pull", "faq", "--check")
    assert result.code == 1
    assert "faq: new" in result.out
    assert not Path("schemas").exists()
    assert not Path(os.environ["XDG_CACHE_HOME"]).exists()


@pytest.mark.parametrize("check", [(), ("--check",)], ids=["pull", "check"])
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("status=404@schema", "404"),
        ("status=403@schema", "403"),
        ("html@schema", "not JSON"),
        ("unlinkable@schema", "cannot resolve $ref"),
        ("redirect@schema", "another"),
        ("bomb=30@schema", "larger"),
        ("invalid-json@schema", "not JSON"),
    ],
)
def test_if_one_cannot_be_had_nothing_is_written(
    sandbox: Sandbox, capsys: Capture, fault: str, said: str, check: tuple[str, ...]
) -> None:
    run(capsys, "pull", "faq")
    before = snapshot(Path("schemas"))
    sandbox.fault(fault)
    result = run(capsys, "pull", "faq", "countdown", *check)
    assert result.code == (4 if "unlinkable" in fault and not check else 5)
    assert said in result.err
    assert "nothing written" in result.err
    assert "Traceback" not in result.err
    assert snapshot(Path("schemas")) == before


class TestKeepGoing:
    """One type that cannot be had does not stop the others, if that is wanted."""

    def test_the_others_are_written_and_each_that_is_skipped_is_named(
        self, sandbox: Sandbox, capsys: Capture
    ) -> None:
        sandbox.set_schema("countdown", {"$ref": "nowhere"})
        assert run(capsys, "pull", "--all-used").code == 4
        assert not Path("schemas").exists()

        result = run(capsys, "pull", "--all-used", "--keep-going")

        assert result.code == 4
        assert sorted(Store("schemas")) == ["faq", "plugin"]
        assert "widgetschema: countdown: " in result.err
        assert "3 schemas: 2 new, 1 failed; skipped: countdown; in schemas\n" in result.err

    def test_what_is_skipped_stays_as_it_was(self, sandbox: Sandbox, capsys: Capture) -> None:
        run(capsys, "pull", "--all-used")
        before = snapshot(Path("schemas"))
        sandbox.remove_schema("faq")
        sandbox.set_schema("countdown", {"$ref": "nowhere"})
        sandbox.set_schema("other", FAQ)
        result = run(capsys, "pull", "other", "countdown", "faq", "--keep-going", "--format=json")
        assert result.code == 4
        after = snapshot(Path("schemas"))
        assert after.keys() - before.keys() == {"other.json"}
        assert {name: after[name] for name in before if name != "manifest.json"} == {
            name: before[name] for name in before if name != "manifest.json"
        }
        told = json.loads(result.out)
        assert told["written"] is True
        assert {one["id"]: one["state"] for one in told["schemas"]} == {
            "plugin": "same",
            "other": "new",
            "countdown": "failed",
            "faq": "gone",
        }

    def test_not_beneath_another_base_schema(self, sandbox: Sandbox, capsys: Capture) -> None:
        run(capsys, "pull", "--all-used")
        before = snapshot(Path("schemas"))
        sandbox.set_schema("plugin", {"$id": "plugin", "type": "object", "title": "another"})
        sandbox.set_schema("countdown", {"$ref": "nowhere"})

        result = run(capsys, "pull", "--keep-going")

        assert result.code == 4
        assert (
            "the base schema changes, but these types cannot be checked against it: countdown"
            in (result.err)
        )
        assert "nothing written" in result.err
        assert snapshot(Path("schemas")) == before
        assert run(capsys, "pull", "--exclude", "countdown").code == 0
        assert Store("schemas")["plugin"]["title"] == "another"

    def test_it_does_not_hide_that_something_failed(
        self, sandbox: Sandbox, capsys: Capture
    ) -> None:
        result = run(capsys, "pull", "faq", "nothing", "--keep-going")

        assert result.code == 5
        assert "skipped: nothing" in result.err
        assert "faq" in Store("schemas")


class TestForeignId:
    """The platform hands out the schema of another type under an id."""

    SAID = "this is the schema of widget type 'faq', but its $id is 'something-else'"

    @pytest.fixture(autouse=True)
    def foreign(self, sandbox: Sandbox) -> None:
        sandbox.set_schema("faq", {**FAQ, "$id": "something-else"})

    def test_it_is_a_warning(self, sandbox: Sandbox, capsys: Capture) -> None:
        for _ in range(2):  # new, and then the same
            result = run(capsys, "pull", "faq", "countdown")
            assert (result.code, result.err.count(self.SAID)) == (0, 1)

    def test_it_does_not_replace_another(self, sandbox: Sandbox, capsys: Capture) -> None:
        sandbox.set_schema("faq", FAQ)
        run(capsys, "pull", "faq", "countdown")
        before = snapshot(Path("schemas"))
        sandbox.set_schema("faq", {**FAQ, "$id": "something-else"})
        for options in ([], ["--check"], ["--keep-going"]):
            result = run(capsys, "pull", *options)
            assert (result.code, self.SAID in result.err) == (4, True)
            assert snapshot(Path("schemas")) == before

    def test_with_check_it_is_an_error(self, sandbox: Sandbox, capsys: Capture) -> None:
        run(capsys, "pull", "faq")
        result = run(capsys, "pull", "faq", "--check")
        assert (result.code, self.SAID in result.err) == (4, True)

    def test_frozen_it_is_an_error(self, sandbox: Sandbox, capsys: Capture) -> None:
        run(capsys, "pull", "faq")
        result = run(capsys, "pull", "--frozen")
        assert (result.code, self.SAID in result.err) == (4, True)

    def test_fetched_it_is_a_warning(
        self, sandbox: Sandbox, capsys: Capture, tmp_path: Path
    ) -> None:
        (tmp_path / "a.json").write_text("{}")
        arguments = ("validate", tmp_path / "a.json", "--type", "faq", "--fetch")
        result = run(capsys, *arguments, "auto")
        assert (result.code <= 1, self.SAID in result.err) == (True, True)
        run(capsys, "pull", "faq")
        assert run(capsys, *arguments, "frozen").code == 4


class TestExclude:
    def test_what_is_excluded_is_not_asked_for(self, sandbox: Sandbox, capsys: Capture) -> None:
        sandbox.set_schema("countdown", {"$ref": "nowhere"})
        result = run(capsys, "pull", "--all-used", "--exclude", "countdown")
        assert (result.code, result.err) == (
            0,
            "2 schemas: 2 new; excluded: countdown; in schemas\n",
        )
        assert sorted(Store("schemas")) == ["faq", "plugin"]

    def test_a_type_that_would_not_be_pulled(self, sandbox: Sandbox, capsys: Capture) -> None:
        result = run(capsys, "pull", "faq", "--exclude", "contdown")
        assert result.code == 0
        assert "--exclude contdown: this type is not selected" in result.err

    def test_nothing_is_left(self, sandbox: Sandbox, capsys: Capture) -> None:
        result = run(capsys, "pull", "faq", "--exclude", "faq")
        assert result.code == 2
        assert "--exclude leaves no type to pull" in result.err


def test_widgets_without_a_type_are_counted(
    sandbox: Sandbox, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running({"faq": FAQ}, widgets=[{"id": "1", "type": "faq"}, {"id": "2"}]) as other:
        use(other, monkeypatch)
        result = run(capsys, "pull", "--all-used")
    assert result.code == 0
    assert "1 widget of 2 have no type, and were skipped" in result.err


@pytest.mark.parametrize("maximum", [1, 7, 24, 25, 99])
def test_a_platform_with_a_maximum_limit(sandbox: Sandbox, capsys: Capture, maximum: int) -> None:
    sandbox.fault(f"max-limit={maximum}")
    listed = run(capsys, "widgets", "--format", "ndjson")
    pulled = run(capsys, "pull", "--all-used")
    if maximum > 25:  # widgets of the sandbox
        assert (listed.code, len(listed.out.splitlines()), pulled.code) == (0, 25, 0)
    else:
        assert (listed.code, listed.out, pulled.code) == (5, "", 5)
        assert f"a limit of {maximum + 1} is refused" in listed.err
        assert "filter it by project, search or type" in listed.err
        assert "name the types that you need" in pulled.err
        assert "filter" not in pulled.err


def test_nobody_there(sandbox: Sandbox, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WIDGETSCHEMA_BASE_URL", "http://127.0.0.1:9/x")
    result = run(capsys, "pull", "faq", "--check")
    assert result.code == 5
    assert "GET /x/widget-types/faq/schema" in result.err


def test_not_logged_in(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    result = run(capsys, "pull", "faq")
    assert result.code == 5
    assert "log in with: widgetschema login" in result.err


def test_offline(sandbox: Sandbox, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WIDGETSCHEMA_OFFLINE", "1")
    result = run(capsys, "pull", "faq")
    assert result.code == 5
    assert "WIDGETSCHEMA_OFFLINE" in result.err
    assert sandbox.counters.requests == 0


@pytest.mark.parametrize("id", ["..", "a/b", "../../etc/passwd", "a\tb", "x" * 5_000])
def test_ids_that_are_none(sandbox: Sandbox, capsys: Capture, id: str, tmp_path: Path) -> None:
    result = run(capsys, "pull", id)
    assert result.code == 2
    assert "cannot be the id of a widget type" in result.err
    assert sandbox.counters.operations.get("schema", 0) <= 1  # the base schema
    assert snapshot(tmp_path / "project") == {}


def test_odd_ids_get_plain_names(sandbox: Sandbox, capsys: Capture) -> None:
    odd = ["manifest", "CON", "Größe", "a b", "FAQ", "%2e%2e", ".hidden", "x" * 200]
    for id in odd:
        sandbox.set_schema(id, {**FAQ, "$id": "odd"})
    assert run(capsys, "pull", *odd).code == 0
    store = Store("schemas")
    assert set(odd) < set(store)
    assert all(store[id]["$id"] == "odd" for id in odd)
    assert all(path.name.isascii() for path in Path("schemas").iterdir())


class TestBase:
    def test_the_bundled_one_if_the_platform_has_none(
        self, sandbox: Sandbox, capsys: Capture
    ) -> None:
        sandbox.fault("no-plugin")
        result = run(capsys, "pull", "faq")
        assert "plugin: new, bundled: the platform has none" in result.out
        entry = Store("schemas").entry("plugin")
        assert entry is not None
        assert entry.text("source") == "bundled"
        sandbox.clear_faults()  # from now on it has one
        sandbox.set_schema("plugin", {"$id": "plugin", "type": "object", "required": ["name"]})
        assert run(capsys, "pull", "faq").code == 0
        assert Store("schemas")["plugin"]["required"] == ["name"]

    def test_the_projects_own_stays(self, sandbox: Sandbox, capsys: Capture) -> None:
        Path("schemas").mkdir()
        own = {"$id": "plugin", "type": "object", "title": "ours"}
        Path("schemas/plugin.json").write_text(json.dumps(own), encoding="utf-8")
        write_manifest("schemas")
        assert run(capsys, "pull", "faq").code == 0
        assert Store("schemas")["plugin"] == own
        checked = run(capsys, "pull", "--check")
        assert (checked.code, checked.out) == (0, "")

    def test_one_that_is_given_is_written(self, sandbox: Sandbox, capsys: Capture) -> None:
        own = {"$id": "plugin", "type": "object", "title": "given"}
        Path("base.json").write_text(json.dumps(own), encoding="utf-8")
        assert run(capsys, "pull", "faq", "--plugin", "base.json").code == 0
        assert Store("schemas")["plugin"] == own
        assert run(capsys, "pull").code == 0  # from now on it is the project's own
        assert Store("schemas")["plugin"] == own

    def test_a_file_that_is_no_schema_is_refused(self, sandbox: Sandbox, capsys: Capture) -> None:
        Path("base.json").write_text('{"type": "objekt"}', encoding="utf-8")
        result = run(capsys, "pull", "faq", "--plugin", "base.json")
        assert result.code == 4
        assert "base.json" in result.err
        assert not Path("schemas").exists()

    def test_a_change_of_it_is_a_change_of_each_type(
        self, sandbox: Sandbox, capsys: Capture
    ) -> None:
        run(capsys, "pull", "faq", "countdown")
        base = {"type": "object", "properties": {"data": {"type": "object", "maxProperties": 0}}}
        sandbox.set_schema("plugin", {"$id": "plugin", **base})
        result = run(capsys, "pull", "faq", "--check")
        assert result.code == 1
        assert result.out.count("breaking") >= 1
        assert "3 schemas: 3 changed" in result.err


def test_a_file_that_was_changed_by_hand(sandbox: Sandbox, capsys: Capture) -> None:
    run(capsys, "pull", "faq")
    Path("schemas/faq.json").write_text('{"$id": "faq", "title": "mine"}', encoding="utf-8")
    refused = run(capsys, "pull")
    assert refused.code == 4
    assert "edited after" in refused.err
    assert "mine" in Path("schemas/faq.json").read_text(encoding="utf-8")
    for option, code in (("--check", 1), ("--force", 0)):
        result = run(capsys, "pull", option)
        assert result.code == code
        assert "cannot be compared: the file has changed since manifest.json was" in result.out
        assert "--pin" not in result.out + result.err  # it is replaced
    assert Store("schemas")["faq"] == FAQ


@pytest.mark.parametrize("is_own", [True, False], ids=["own", "the platform's"])
def test_a_base_schema_that_was_changed_by_hand(
    sandbox: Sandbox, capsys: Capture, is_own: bool
) -> None:
    run(capsys, "pull", "faq")
    if is_own:
        Path("schemas/plugin.json").write_text('{"$id": "plugin"}', encoding="utf-8")
        write_manifest("schemas")
    with Path("schemas/plugin.json").open("a", encoding="utf-8") as file:
        file.write(" ")

    refused = run(capsys, "pull")
    forced = run(capsys, "pull", "--force")

    assert refused.code == 4
    assert "plugin.json: the base schema was edited after manifest.json was written" in refused.err
    assert "keep" in refused.err
    assert "widgetschema types --schemas" in refused.err
    assert ("replace it with: widgetschema pull --force" in refused.err) is not is_own
    assert forced.code == (4 if is_own else 0)
    assert ("it is your own, so pull does not replace it" in forced.err) is is_own


class TestFrozen:
    def test_it_verifies_without_a_network(
        self, sandbox: Sandbox, capsys: Capture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run(capsys, "pull", "--all-used")
        monkeypatch.setenv("WIDGETSCHEMA_BASE_URL", "http://127.0.0.1:9")
        result = run(capsys, "pull", "--frozen")
        assert (result.code, result.err) == (0, "3 schemas verified\n")
        assert "countdown: schemas/countdown.json (bf0af5508ad0, from http://" in result.out
        as_json = run(capsys, "pull", "--frozen", "faq", "--format", "json", "--quiet")
        value = json.loads(as_json.out)
        assert [one["id"] for one in value["schemas"]] == ["faq", "plugin"]
        assert as_json.err == ""

    @pytest.mark.parametrize("name", ["faq.json", "plugin.json"])
    def test_what_was_changed_is_refused(
        self, sandbox: Sandbox, capsys: Capture, name: str
    ) -> None:
        run(capsys, "pull", "faq")
        with Path("schemas", name).open("a", encoding="utf-8") as file:
            file.write(" ")
        result = run(capsys, "pull", "--frozen", "faq")
        assert result.code == 4
        assert "its sha256 differs" in result.err

    def test_line_ends_of_a_checkout_do_not_count(self, sandbox: Sandbox, capsys: Capture) -> None:
        run(capsys, "pull", "faq")
        manifest = Path("schemas/manifest.json")
        value, frozen = json.loads(manifest.read_bytes()), run(capsys, "pull", "--frozen")
        for path in Path("schemas").iterdir():  # as Git writes them with core.autocrlf
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
        before = snapshot(Path("schemas"))
        assert run(capsys, "pull", "--frozen") == frozen
        assert run(capsys, "pull", "--check").code == 0
        assert run(capsys, "pull").code == 0
        assert snapshot(Path("schemas")) == before
        assert run(capsys, "types", "--schemas", "schemas", "--pin").code == 0
        assert json.loads(manifest.read_bytes()) == value

    def test_a_type_that_is_not_there(self, sandbox: Sandbox, capsys: Capture) -> None:
        run(capsys, "pull", "faq")
        result = run(capsys, "pull", "--frozen", "countdown")
        assert result.code == 2
        assert "unknown widget type 'countdown'" in result.err

    def test_a_folder_without_a_manifest(self, sandbox: Sandbox, capsys: Capture) -> None:
        Path("schemas").mkdir()
        Path("schemas/faq.json").write_text(json.dumps(FAQ), encoding="utf-8")
        assert run(capsys, "pull", "--frozen").code == 4
        result = run(capsys, "pull", "--frozen", "--schemas", "schemas")
        assert result.code == 4
        assert "types --schemas schemas --pin" in result.err

    def test_it_goes_with_little_else(self, sandbox: Sandbox, capsys: Capture) -> None:
        assert run(capsys, "pull", "--frozen", "--check").code == 2


class TestFetch:
    """`validate --fetch`: types that the folder does not have, by way of the cache."""

    def validate(self, capsys: Capture, *more: str) -> Any:
        Path("data.json").write_bytes(GOOD)
        return run(capsys, "validate", "data.json", "--type", "countdown", *more)

    def test_auto_then_offline(self, sandbox: Sandbox, capsys: Capture) -> None:
        fetched = self.validate(capsys, "--fetch", "auto")
        assert fetched.code == 0
        assert f"countdown: {sandbox.base_url} (bf0af5508ad0, fetched " in (fetched.schemas)
        requests = sandbox.counters.requests
        assert self.validate(capsys, "--fetch", "auto").code == 0
        assert self.validate(capsys, "--fetch", "offline").code == 0
        assert sandbox.counters.requests == requests
        assert self.validate(capsys, "--fetch", "refresh").code == 0
        assert sandbox.counters.requests == requests + 2
        assert sandbox.counters.statuses[304] == 2

    def test_without_it_nothing_is_fetched(self, sandbox: Sandbox, capsys: Capture) -> None:
        result = run(capsys, "validate", "data.json", "--type", "faq")
        assert result.code == 2
        assert sandbox.counters.requests == 0

    def test_a_type_that_is_gone_is_not_suggested(self, sandbox: Sandbox, capsys: Capture) -> None:
        Path("faq.json").write_text('{"type": "faq", "data": {}}', encoding="utf-8")
        assert run(capsys, "validate", "faq.json", "--fetch", "auto").code == 0
        sandbox.remove_schema("faq")
        result = run(capsys, "validate", "faq.json", "--fetch", "refresh", "--fix")
        assert (result.code, "hint" in result.out, "fix" in result.err) == (1, False, False)
        result = run(capsys, "types", "--fetch", "refresh")
        assert (result.code, result.err) == (
            0,
            "widgetschema: the platform no longer has widget type 'faq'\n",
        )

    def test_offline_without_a_copy(self, sandbox: Sandbox, capsys: Capture) -> None:
        result = self.validate(capsys, "--fetch", "offline")
        assert result.code == 5
        assert "not in the cache" in result.err

    def test_the_variable_is_stronger(
        self, sandbox: Sandbox, capsys: Capture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("WIDGETSCHEMA_OFFLINE", "true")
        assert self.validate(capsys, "--fetch", "refresh").code == 5
        assert sandbox.counters.requests == 0

    def test_frozen(self, sandbox: Sandbox, capsys: Capture) -> None:
        assert self.validate(capsys, "--fetch", "frozen").code == 3  # there is no folder
        run(capsys, "pull", "countdown")
        assert self.validate(capsys, "--fetch", "frozen").code == 0
        Path("schemas/countdown.json").write_text("{}", encoding="utf-8")
        assert self.validate(capsys, "--fetch", "frozen").code == 4

    def test_whoever_has_everything_need_not_be_logged_in(
        self, sandbox: Sandbox, capsys: Capture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run(capsys, "pull", "countdown")
        monkeypatch.delenv("WIDGETSCHEMA_ACCESS_TOKEN")
        assert self.validate(capsys, "--fetch", "auto").code == 0
        assert self.validate(capsys, "--fetch", "offline").code == 0

    def test_a_folder_of_somebody_else_is_not_used(self, sandbox: Sandbox, capsys: Capture) -> None:
        Path("schemas").mkdir()
        Path("schemas/countdown.json").write_text("[]", encoding="utf-8")
        assert self.validate(capsys, "--fetch", "auto").code == 0
        refused = run(capsys, "pull", "countdown")
        assert refused.code == 4
        assert "pass --schemas schemas" in refused.err
        named = ("pull", "countdown", "--schemas", "schemas")
        refused = run(capsys, *named)
        assert refused.code == 4
        assert "overwrite it with --force" in refused.err
        assert Path("schemas/countdown.json").read_text(encoding="utf-8") == "[]"
        assert run(capsys, *named, "--force").code == 0

    def test_what_the_platform_does_not_know_is_unknown(
        self, sandbox: Sandbox, capsys: Capture
    ) -> None:
        sandbox.fault("status=404@schema")
        result = self.validate(capsys, "--fetch", "auto")
        assert result.code == 2
        assert "unknown widget type 'countdown'" in result.err

    def test_the_folder_comes_first(self, sandbox: Sandbox, capsys: Capture) -> None:
        run(capsys, "pull", "countdown")
        requests = sandbox.counters.requests
        result = self.validate(capsys, "--fetch", "auto")
        assert "schemas/countdown.json" in result.schemas
        assert sandbox.counters.requests == requests

    def test_a_login_page_does_not_poison_the_cache(
        self, sandbox: Sandbox, capsys: Capture
    ) -> None:
        sandbox.fault("html@schema")
        assert self.validate(capsys, "--fetch", "auto").code == 5
        sandbox.clear_faults()
        assert self.validate(capsys, "--fetch", "auto").code == 0

    def test_other_commands_have_it_too(self, sandbox: Sandbox, capsys: Capture) -> None:
        sampled = run(capsys, "sample", "faq", "--kind", "minimal", "--fetch", "auto")
        assert (sampled.code, json.loads(sampled.out)) == (0, {})
        assert run(capsys, "bundle", "faq", "--fetch", "offline").code == 0
        listed = run(capsys, "types", "--fetch", "offline")
        assert (listed.code, listed.out.count(sandbox.base_url)) == (0, 1)


def test_a_second_platform_has_a_cache_of_its_own(
    sandbox: Sandbox, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("data.json").write_bytes(GOOD)
    assert run(capsys, "validate", "data.json", "--type", "countdown", "--fetch", "auto").code == 0
    with running({"faq": FAQ}) as other:
        use(other, monkeypatch)
        result = run(capsys, "validate", "data.json", "--type", "countdown", "--fetch", "offline")
    assert result.code == 5


class TestDiff:
    """`diff` with one argument, or none: against what the platform has."""

    def test_the_folder_of_the_project(self, sandbox: Sandbox, capsys: Capture) -> None:
        run(capsys, "pull", "--all-used")
        assert run(capsys, "diff").code == 0
        Path("schemas/manifest.json").rename("pins.json")
        assert run(capsys, "diff").code == 0
        Path("pins.json").rename("schemas/manifest.json")
        sandbox.set_schema("countdown", without("flip"))
        result = run(capsys, "diff")
        assert result.code == 1
        assert '"flip"' in result.out
        first, advice = result.err.splitlines()
        assert first == "2 types: 1 breaking, 1 same"
        assert advice == f"1 breaking change: {PLAN} --type countdown` {PROPOSES}"

    @pytest.mark.parametrize("old", ["countdown", "schemas/countdown.json"])
    def test_a_pull_must_not_replace_the_older_schema(
        self, sandbox: Sandbox, capsys: Capture, old: str
    ) -> None:
        run(capsys, "pull", "--all-used")
        sandbox.set_schema("countdown", without("flip"))
        advice = run(capsys, "diff", old).err.splitlines()[-1]
        assert advice == f"1 breaking change: {PLAN} --type countdown` {PROPOSES}"

    @pytest.mark.parametrize("old", ["before", "before/countdown.json"])
    def test_schemas_that_a_pull_does_not_replace_need_no_copy(
        self, sandbox: Sandbox, capsys: Capture, old: str
    ) -> None:
        run(capsys, "pull", "--all-used")
        shutil.copytree("schemas", "before")
        sandbox.set_schema("countdown", without("flip"))
        advice = run(capsys, "diff", old).err.splitlines()[-1]
        plan = "widgetschema migrate plan before schemas --type countdown"
        assert advice == f"1 breaking change: pull; then `{plan}` {PROPOSES}"

    def test_a_type_of_the_catalog(self, sandbox: Sandbox, capsys: Capture) -> None:
        sandbox.set_schema("countdown", without("flip", "tick"))
        result = run(capsys, "diff", "countdown", "--format", "json")
        assert result.code == 1
        (comparison,) = json.loads(result.out)["comparisons"]
        (change,) = comparison["changes"]
        assert change["subjects"] == ["flip", "tick"]

    def test_a_file_and_saved_data(self, sandbox: Sandbox, capsys: Capture, tmp_path: Path) -> None:
        Path("mine.json").write_text(json.dumps(without("tick")), encoding="utf-8")
        Path("data.json").write_text(
            '{"content": {}, "settings": {},\n "styles": {"animationType": "flip"}}',
            encoding="utf-8",
        )
        sandbox.set_schema("countdown", without("flip"))
        result = run(capsys, "diff", "mine.json", "--data", "data.json", "--as", "data")
        assert result.code == 1
        assert "data.json:2:30: enum /styles/animationType" in result.out

    def test_a_type_that_the_platform_does_not_know_is_gone(
        self, sandbox: Sandbox, capsys: Capture
    ) -> None:
        run(capsys, "pull", "faq")
        sandbox.fault("status=404@schema")
        result = run(capsys, "diff")
        assert result.code == 1
        assert "faq: breaking: the type was removed" in result.out

    def test_nobody_can_tell(
        self, sandbox: Sandbox, capsys: Capture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        sandbox.fault("html@schema")
        assert run(capsys, "diff", "countdown").code == 5
        monkeypatch.setenv("WIDGETSCHEMA_OFFLINE", "1")
        assert run(capsys, "diff", "countdown").code == 5

    def test_a_base_schema_for_both(self, sandbox: Sandbox, capsys: Capture) -> None:
        Path("base.json").write_text('{"$id": "plugin", "type": "object"}', encoding="utf-8")
        result = run(capsys, "diff", "countdown", "--plugin", "base.json")
        assert (result.code, result.err) == (0, "1 type: 1 same\n")


def test_a_type_that_is_gone_is_drift_and_its_file_stays(sandbox: Sandbox, capsys: Capture) -> None:
    run(capsys, "pull", "--all-used")
    sandbox.set_schema("countdown", without("flip"))
    before = Store("schemas")["faq"]
    sandbox.remove_schema("faq")
    checked = run(capsys, "pull", "--check")
    assert checked.code == 1
    assert "faq: gone: the platform no longer has this type" in checked.out
    assert '"flip"' in checked.out
    pulled = run(capsys, "pull")
    assert pulled.code == 0
    assert Store("schemas")["faq"] == before
    assert "flip" not in json.dumps(Store("schemas")["countdown"])

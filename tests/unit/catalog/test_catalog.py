"""`Catalog`: which folders decide, and how it follows its sources."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.command import run
from tests.forking import exit_code, forked
from tests.terminal import HANG
from widgetschema import (
    Catalog,
    ErrorResponse,
    Fetcher,
    InvalidSchema,
    LoginRequired,
    Store,
    StoreError,
    UnknownWidgetType,
    Unreachable,
)
from widgetschema.catalog.sources import Lookup
from widgetschema.catalog.store import bundled
from widgetschema.extensions import extension_commands
from widgetschema.files import digest
from widgetschema.platform import SchemaResponse

Capture = pytest.CaptureFixture[str]
STRICT: dict[str, Any] = {
    "$id": "countdown",
    "$schema": "http://json-schema.org/draft-07/schema#",
    "properties": {"data": {"required": ["version"]}},
}
PLAIN: dict[str, Any] = {"$id": "faq", "properties": {"data": {"type": "object"}}}
VALID: dict[str, Any] = {"content": {}, "settings": {}, "styles": {}}
START = 1_800_000_000.0


def write(folder: Path, files: dict[str, Any], *, pin: bool = False) -> Path:
    """Write files: texts as they are, everything else as JSON."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        text = content if isinstance(content, str) else json.dumps(content)
        (folder / name).write_text(text, encoding="utf-8")
    if pin:
        Store(folder).pin()
    return folder


@dataclass
class Clock:
    now: float = START

    def __call__(self) -> float:
        return self.now


def python(code: str, directory: Path, **variables: str) -> Any:
    """Return what a process of its own prints as JSON, by the name `shown`."""
    environ = {
        name: value for name, value in os.environ.items() if not name.startswith("WIDGETSCHEMA_")
    }
    program = f"import json, os, widgetschema\nfrom widgetschema import Catalog\n{code}\n"
    # -P: Python 3.13.0 imports no extension module while `sys.path` begins with a folder that is gone.
    done = subprocess.run(
        [sys.executable, "-P", "-c", program + "print(json.dumps(shown))"],
        cwd=directory,
        env={**environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class TestDefault:
    def test_the_bundled_schemas_alone(self, tmp_path: Path) -> None:
        code = """
catalog = Catalog.default()
shown = [catalog.ids(), catalog["countdown"].source, Catalog.default() is catalog]
"""
        assert python(code, tmp_path) == [["countdown"], "bundled", True]

    def test_the_folder_of_the_project_comes_first(self, tmp_path: Path) -> None:
        base = {**STRICT, "$id": "plugin"}
        folder = write(tmp_path / "schemas", {"faq.json": PLAIN, "plugin.json": base}, pin=True)
        inside = tmp_path / "src" / "deep"
        inside.mkdir(parents=True)
        code = f"""
shown = [
    Catalog.default().ids(),
    widgetschema.widget_type("faq").source,
    widgetschema.is_valid("countdown", {VALID}),  # it has a base schema of its own
]
"""
        assert python(code, inside) == [["faq", "countdown"], str(folder), True]

    def test_in_this_project_the_bundled_schemas_count_once(self) -> None:
        code = "shown = len(Catalog.default().sources)"
        assert python(code, bundled().folder) == 1

    def test_the_folder_is_settled_at_the_first_call(self, tmp_path: Path) -> None:
        write(tmp_path / "one" / "schemas", {"countdown.json": STRICT}, pin=True)
        code = """
first = widgetschema.is_valid("countdown", {})
os.chdir("/")
shown = [first, widgetschema.check("countdown", {}).schemas[0].source]
"""
        source = str(tmp_path / "one" / "schemas" / "countdown.json")
        assert python(code, tmp_path / "one") == [False, source]

    @pytest.mark.parametrize("named", ["absolute", "relative"])
    def test_the_variable_of_the_command_counts(self, named: str, tmp_path: Path) -> None:
        folder = write(tmp_path / "mine", {"countdown.json": STRICT})
        write(tmp_path / "schemas", {"other.json": PLAIN}, pin=True)
        value = str(folder) if named == "absolute" else "mine"
        code = """
shown = [Catalog.default().ids(), widgetschema.check("countdown", {}).schemas[0].source]
os.chdir("/")
shown.append(widgetschema.is_valid("countdown", {}))
"""
        source = str(folder / "countdown.json")
        found = python(code, tmp_path, WIDGETSCHEMA_SCHEMAS=value)
        assert found == [["countdown"], source, False]

    def test_what_its_types_describe_is_decided_in_python(self, tmp_path: Path) -> None:
        chart = {"required": ["type", "data", "options"]}
        write(tmp_path / "schemas", {"chart.json": chart})
        write(tmp_path, {"widgetschema.toml": '[types.chart]\ndescribes = "document"\n'})
        code = """
try:
    shown = [widgetschema.is_valid("chart", {})]
except widgetschema.UnclearSchema as error:
    shown = [str(error)]
catalog = Catalog.default(describes={"chart": "data"})
shown += [Catalog.default(describes={"chart": "data"}) is Catalog.default() is catalog]
shown += [widgetschema.check("chart", {}).findings[0].path]
"""
        error, *rest = python(code, tmp_path)
        assert 'in Python, describes={"chart": "data"} for Catalog or Catalog.default' in error
        assert rest == [True, ""]

    def test_a_folder_can_be_given(self, tmp_path: Path) -> None:
        folder = write(tmp_path / "mine", {"countdown.json": STRICT}, pin=True)
        code = f"""
before = widgetschema.is_valid("countdown", {VALID})
catalog = Catalog.default(folder="mine")
same = Catalog.default() is Catalog.default(folder="mine") is catalog
shown = [before, widgetschema.is_valid("countdown", {VALID}), same,
         widgetschema.widget_type("countdown").source]
"""
        assert python(code, tmp_path) == [True, False, True, str(folder)]

    def test_a_folder_that_is_given_must_be_there(self, tmp_path: Path) -> None:
        with pytest.raises(StoreError, match="no such folder") as caught:
            Catalog.default(folder=tmp_path / "nowhere")
        assert "widgetschema pull --schemas" in caught.value.advice

    def test_the_error_about_a_folder_says_what_to_do(self, tmp_path: Path) -> None:
        code = """
def error(make):
    try:
        make()
    except widgetschema.StoreError as error:
        return str(error)
os.environ["WIDGETSCHEMA_SCHEMAS"] = "named"
shown = [error(lambda: Catalog(["mine"])), error(Catalog.default)]
"""
        relative, variable = python(code, tmp_path)
        assert relative.startswith("mine: no such folder of schemas; a relative path begins in ")
        assert f"{tmp_path}: pass" in relative
        assert "Path(__file__).parent / 'mine'" in relative
        where = tmp_path / "named"
        assert variable == (
            f"{where}: no such folder of schemas; "
            "the environment variable WIDGETSCHEMA_SCHEMAS names it"
        )

    def test_without_a_working_directory(self, tmp_path: Path) -> None:
        gone = tmp_path / "gone"
        gone.mkdir()
        folder = write(tmp_path / "mine", {"countdown.json": STRICT})
        code = f"""
os.rmdir({str(gone)!r})
try:
    widgetschema.is_valid("countdown", {{}})
except widgetschema.StoreError as error:
    said = str(error)
os.environ["WIDGETSCHEMA_SCHEMAS"] = {str(folder)!r}
shown = [said, widgetschema.is_valid("countdown", {{}})]
"""
        said, valid = python(code, gone)
        assert "the working directory" in said
        assert "with WIDGETSCHEMA_SCHEMAS, or call Catalog.default(folder=...)" in said
        assert valid is False


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository that is the working directory, with data that no strict schema accepts."""
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    (folder / "a.json").write_text(json.dumps(VALID))
    monkeypatch.chdir(folder)
    return folder


VALIDATE = ("validate", "a.json", "--type", "countdown")
# What makes a folder `schemas` one that is meant, and cannot be used.
UNUSABLE: list[tuple[str, Callable[[Path], object], str]] = [
    ("a file", lambda one: one.write_text("text"), "this is a file"),
    ("a dangling link", lambda one: one.symlink_to("nowhere"), "no such folder"),
    ("an empty manifest", lambda one: write(one, {"manifest.json": ""}), "the text is empty"),
    (
        "conflict markers",
        lambda one: write(one, {"manifest.json": "<<<<<<< HEAD\n{}\n=======\n", "x.json": STRICT}),
        "manifest.json",
    ),
    (
        "half a manifest",
        lambda one: write(one, {"manifest.json": '{"version": 1, "sch', "countdown.json": STRICT}),
        "manifest.json",
    ),
    (
        "a folder for a manifest",
        lambda one: (one / "manifest.json").mkdir(parents=True),
        "manifest.json",
    ),
    (
        "a dangling manifest",
        lambda one: (write(one, {}) / "manifest.json").symlink_to("nowhere"),
        "manifest.json",
    ),
    ("broken JSON", lambda one: write(one, {"countdown.json": '{"type": '}), "countdown.json"),
    (
        "a schema that is a dangling link",
        lambda one: (write(one, {}) / "countdown.json").symlink_to("nowhere"),
        "countdown.json: No such file",
    ),
    (
        "a schema that is a link to itself",
        lambda one: (write(one, {}) / "countdown.json").symlink_to("countdown.json"),
        "countdown.json: ",
    ),
    (
        "a folder that is called like a schema",
        lambda one: (one / "countdown.json").mkdir(parents=True),
        "countdown.json: ",
    ),
    (
        "another dialect",
        lambda one: write(
            one,
            {"countdown.json": {"$schema": "https://json-schema.org/draft/2020-12/schema"}},
        ),
        "only draft-07",
    ),
    (
        "a file that is not listed",
        lambda one: (
            write(one, {"faq.json": PLAIN}, pin=True),
            write(one, {"countdown.json": STRICT}),
        ),
        "manifest.json does not list this file",
    ),
    (
        "broken JSON that is not listed",
        lambda one: (
            write(one, {"faq.json": PLAIN}, pin=True),
            write(one, {"countdown.json": "{"}),
        ),
        "manifest.json does not list this file",
    ),
]


class TestFolderWithoutManifest:
    @pytest.mark.parametrize("name", ["countdown.json", "a.json"])
    def test_its_schema_decides(self, name: str, project: Path, capsys: Capture) -> None:
        write(project / "schemas", {name: STRICT, "data.json": [1, 2], "doc.json": {"title": "x"}})
        result = run(capsys, *VALIDATE)

        assert result.code == 1
        assert "version" in result.out
        assert result.schemas.startswith(f"schemas: countdown: schemas/{name} (")
        assert ", unpinned)" in result.schemas

    @pytest.mark.parametrize(
        ("file", "own_id", "id"),
        [
            ("countdown.json", "faq", "faq"),
            ("faq.schema.json", None, "faq"),
            ("faq.schema.yaml", None, "faq"),
            ("faq.schema.json", "poll", "poll"),
            ("faq.JSON", None, "faq"),
            ("Faq.Schema.Json", None, "Faq"),
            ("faq.SCHEMA.YML", None, "faq"),
            ("faq.schema.Json", "poll.JSON", "faq"),
        ],
    )
    @pytest.mark.parametrize("pin", [False, True])
    def test_a_schema_has_one_id(
        self, file: str, own_id: str | None, id: str, pin: bool, project: Path, capsys: Capture
    ) -> None:
        schema = {**STRICT, "$id": own_id}
        if own_id is None:
            del schema["$id"]
        write(project / "schemas", {file: schema}, pin=pin)
        catalog = Catalog(project / "schemas")

        assert catalog.ids() == (id,)
        assert not catalog[id].is_valid(VALID)
        names = {file, *(file.rsplit(".", number)[0] for number in (1, 2))}
        assert not [one for one in names - {id} if one in catalog]
        result = run(capsys, "validate", "a.json", "--type", id)
        assert (result.code, f"schemas/{file} (" in result.schemas) == (1, True)

    def test_in_python_as_in_the_command(self, project: Path) -> None:
        write(project / "schemas", {"countdown.json": STRICT, "list.json": [], "own.json": VALID})
        code = f"""
report = widgetschema.check("countdown", {VALID})
shown = [report.valid, report.schemas[0].as_dict()["unpinned"], Catalog.default().ids()]
"""
        assert python(code, project) == [False, True, ["countdown"]]

    def test_other_json_is_left_alone(self, project: Path, capsys: Capture) -> None:
        files = {"list.json": [], "countdown.json": {"title": "a list", "items": []}, "x.json": 3}
        write(project / "schemas", files)
        result = run(capsys, *VALIDATE)

        assert (result.code, result.schemas[:28]) == (0, "schemas: countdown: bundled ")
        assert run(capsys, "types").out.count("\n") == 2

    def test_two_files_with_one_id_stop_nobody_who_does_not_ask_for_it(
        self, project: Path, capsys: Capture
    ) -> None:
        person = {**STRICT, "$id": "person"}
        write(project / "schemas", {"p1.json": person, "p2.json": person})

        assert run(capsys, *VALIDATE).code == 0
        result = run(capsys, "sample", "person")
        assert result.code == 4
        assert "p2.json has the same id, 'person'" in result.err

    def test_schemas_of_another_dialect_are_left_alone_unless_they_are_asked_for(
        self, project: Path, capsys: Capture
    ) -> None:
        other = {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}
        large = json.dumps({**STRICT, "description": "x" * 5 * 1024 * 1024})
        write(project / "schemas", {"order.json": other, "large.json": large})
        write(project / "schemas", {"odd.json": {"$schema": 7, "properties": {}}})

        result = run(capsys, "types")
        assert (result.code, result.out.count("\n")) == (0, 2)
        assert result.err.count(", not that of draft-07\n") == 2
        assert "large.json is not a type: it is larger than 5 MiB\n" in result.err
        assert run(capsys, *VALIDATE).code == 0
        for id in ("order", "large"):
            assert run(capsys, "sample", id).code == 4

    def test_it_hides_no_folder_further_up(
        self, project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(project / "schemas", {"countdown.json": STRICT}, pin=True)
        write(project / "sub" / "schemas", {"faq.json": PLAIN})
        monkeypatch.chdir(project / "sub")
        listed = json.loads(run(capsys, "types", "--format", "json").out)["types"]

        assert [one["id"] for one in listed] == ["faq", "countdown"]
        assert run(capsys, "validate", "../a.json", "--type", "countdown").code == 1

    @pytest.mark.parametrize(
        ("make", "says"), [case[1:] for case in UNUSABLE], ids=[case[0] for case in UNUSABLE]
    )
    def test_what_cannot_be_used_is_an_error(
        self, make: Callable[[Path], object], says: str, project: Path, capsys: Capture
    ) -> None:
        make(project / "schemas")
        result = run(capsys, *VALIDATE)
        assert result.code == (3 if says == "no such folder" else 4)
        assert says in result.err

        code = f"""
try:
    shown = widgetschema.is_valid("countdown", {VALID})
except (widgetschema.StoreError, widgetschema.SchemaError) as error:
    shown = str(error)
"""
        assert says in python(code, project)

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
    def test_a_pipe_that_is_called_like_a_schema_is_not_waited_for(self, project: Path) -> None:
        os.mkfifo(write(project / "schemas", {}) / "countdown.json")
        command = [sys.executable, "-m", "widgetschema", *VALIDATE]
        done = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=HANG)

        assert (done.returncode, "is not a regular file" in done.stderr) == (4, True), done.stderr

    @pytest.mark.parametrize(
        "command", sorted({"validate", "audit"} & {"validate", *extension_commands()})
    )
    def test_its_schemas_are_no_data(self, command: str, project: Path, capsys: Capture) -> None:
        write(project / "schemas", {"countdown.json": STRICT, "faq.json": PLAIN})
        write(project / "schemas", {"data.json": {"type": "faq", "data": {}}})
        (project / "a.json").unlink()
        result = run(capsys, command, ".")
        assert result.code == 0, result.err
        if command == "validate":
            write(project, {"widgetschema.toml": '[files]\n"**/*.json" = "faq"\n'})
            result = run(capsys, command)
            assert result.code == 0, result.err
            assert "1 document in 1 file" in result.err

    def test_one_that_was_removed_is_a_change_of_everything(
        self, project: Path, capsys: Capture
    ) -> None:
        write(project / "schemas", {"countdown.json": STRICT})
        (project / ".git").rmdir()
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.com")
        for arguments in (("init", "-q"), ("add", "."), (*identity, "commit", "-qm", "all")):
            subprocess.run(["git", *arguments], cwd=project, check=True)
        assert "0 of 1 files have changed" in run(capsys, *VALIDATE, "--changed").err
        (project / "schemas" / "countdown.json").unlink()

        assert (
            "a schema or the configuration has changed" in run(capsys, *VALIDATE, "--changed").err
        )

    def test_types_says_what_is_unpinned(self, project: Path, capsys: Capture) -> None:
        write(project / "schemas", {"countdown.json": STRICT})
        assert "schemas (unpinned)" in run(capsys, "types").out
        write(project / "schemas", {}, pin=True)
        assert "unpinned" not in run(capsys, "types").out

    def test_config_says_which_folders_count(self, project: Path, capsys: Capture) -> None:
        write(project / "schemas", {"countdown.json": STRICT})
        lines = run(capsys, "config").out.splitlines()
        assert "schemas           default  schemas (no manifest)" in lines
        value = json.loads(run(capsys, "config", "--format", "json").out)
        assert value["settings"]["schemas"] == {"value": None, "origin": "default"}
        assert value["schema_folders"] == [str(project / "schemas")]

    def test_doctor_names_it(self, project: Path, capsys: Capture) -> None:
        write(project / "schemas", {"countdown.json": STRICT})
        text = run(capsys, "doctor", "--offline").out
        assert "types --schemas schemas --pin" in text

    def test_doctor_finds_one_that_cannot_be_used(self, project: Path, capsys: Capture) -> None:
        (project / "schemas").write_text("a file")
        result = run(capsys, "doctor", "--offline")
        assert "this is a file" in result.out
        assert result.code >= 4

    def test_frozen_verifies_it(self, project: Path, capsys: Capture) -> None:
        write(project / "schemas", {"countdown.json": STRICT})
        result = run(capsys, *VALIDATE, "--fetch", "frozen")
        assert (result.code, "no manifest.json to verify" in result.err) == (4, True)


@dataclass
class Platform:
    """A client that answers as the test says, and counts the requests for types."""

    said: Any = field(default_factory=lambda: PLAIN)
    max_age: float = 60.0
    base_url: str = "https://platform.example/api/v1"
    account: str = "me"
    ids: tuple[str, ...] = ("faq",)
    asked: list[str] = field(default_factory=list)
    hold: Callable[[], object] = lambda: None

    def fetch_schema(
        self, id: str, *, etag: str | None = None, last_modified: str | None = None
    ) -> SchemaResponse:
        if id not in self.ids:
            raise refused(404)
        self.asked.append(id)
        self.hold()
        if id == "plugin":
            return SchemaResponse(200, "", schema={"type": "object"}, max_age=self.max_age)
        if isinstance(self.said, Exception):
            raise self.said
        return SchemaResponse(200, "", schema=self.said, max_age=self.max_age)


def refused(status: int) -> ErrorResponse:
    return ErrorResponse("no", method="GET", path="/widget-types/faq/schema", status=status)


@dataclass
class World:
    """A platform, a fetcher and a catalog that go by one clock."""

    cache: Path | None = None
    mode: Any = "auto"
    platform: Platform = field(default_factory=Platform)
    clock: Clock = field(default_factory=Clock)
    warned: list[str] = field(default_factory=list)

    def catalog(self, **options: Any) -> Catalog:
        fetcher = Fetcher(
            self.platform,
            cache=self.cache,
            mode=self.mode,
            clock=self.clock,
            warn=self.warned.append,
        )
        return Catalog([fetcher], clock=self.clock, warn=self.warned.append, **options)


NEVER = {"properties": {"data": False}}
NEWER = {**PLAIN, "properties": {"data": {"required": ["version"]}}}


class TestMapping:
    """The behaviour that a catalog shares with a mapping."""

    def test_ids(self) -> None:
        catalog = Catalog([{"faq": {}, "plugin": {}}, bundled()])

        assert [*catalog] == ["faq", "countdown"]
        assert len(catalog) == 2
        assert "faq" in catalog
        assert "plugin" not in catalog
        assert "other" not in catalog

    def test_get(self) -> None:
        catalog = Catalog([{"faq": {}, "broken": {"type": 5}}])

        assert catalog.get("faq") is catalog["faq"]
        assert catalog.get("other") is None
        assert catalog.get("other", 5) == 5
        with pytest.raises(InvalidSchema):
            catalog.get("broken")

    def test_an_empty_catalog_is_true(self) -> None:
        assert len(Catalog([])) == 0
        assert Catalog([])


class TestFreshness:
    def test_a_fetcher_is_asked_again_when_its_answer_is_no_longer_fresh(self) -> None:
        world = World()
        catalog = world.catalog()
        first = catalog["faq"]
        world.platform.said = NEWER
        world.clock.now += 59
        assert catalog["faq"] is first
        world.clock.now += 2

        assert not catalog["faq"].is_valid({})
        assert world.platform.asked == ["faq"] * 2
        assert first.is_valid({})

    def test_what_has_not_changed_is_not_compiled_again(self) -> None:
        world = World()
        catalog = world.catalog()
        first = catalog["faq"]
        world.clock.now += 61
        second = catalog["faq"]

        assert second.validator.is_valid is first.validator.is_valid
        assert first.provenance[0].fetched == "2027-01-15T08:00:00Z"
        assert second.check({}).schemas[0].fetched == "2027-01-15T08:01:01Z"
        assert second.check_document({"data": 3}).schemas == second.provenance

    def test_refresh_asks_at_will(self, tmp_path: Path) -> None:
        for cache in (None, tmp_path / "cache"):
            world = World(cache)
            catalog = world.catalog()
            assert catalog["faq"].is_valid({})
            world.platform.said = NEWER
            world.clock.now += 1
            catalog.refresh()
            assert not catalog["faq"].is_valid({})
            assert world.platform.asked == ["faq"] * 2

    def test_the_mode_refresh_asks_each_time_and_fails_without_an_answer(self) -> None:
        world = World(mode="refresh")
        catalog = world.catalog()
        assert catalog["faq"].is_valid({})
        world.platform.said = NEWER
        assert not catalog["faq"].is_valid({})
        assert world.platform.asked == ["faq"] * 2
        world.platform.said = Unreachable("gone", method="GET", path="/")
        with pytest.raises(Unreachable):
            catalog["faq"]

    @pytest.mark.parametrize(
        "trouble",
        [
            Unreachable("gone", method="GET", path="/"),
            refused(500),
            {"$ref": "nowhere"},
            "<html>",
        ],
        ids=["unreachable", "500", "does-not-link", "no-schema"],
    )
    def test_what_fails_leaves_the_type_as_it_was_and_is_said_once(self, trouble: Any) -> None:
        world = World()
        catalog = world.catalog()
        assert not catalog["faq"].check({}).schemas[0].stale
        world.platform.said = trouble
        for _ in range(3):
            world.clock.now += 61
            assert catalog["faq"].check({}).schemas[0].stale
            assert catalog["faq"].is_valid({})
        (said,) = world.warned
        assert said.startswith("the schema of widget type 'faq' is a copy of 1 minute ago")
        world.platform.said = PLAIN
        world.clock.now += 61
        assert not catalog["faq"].check({}).schemas[0].stale

    def test_after_a_failure_there_is_a_pause(self) -> None:
        world = World(platform=Platform(max_age=0))
        catalog = world.catalog()
        _ = catalog["faq"]
        world.platform.said = refused(500)
        world.clock.now += 61
        asked = len(world.platform.asked)
        for _ in range(100):
            _ = catalog["faq"]
        assert len(world.platform.asked) == asked + 1

    @pytest.mark.parametrize(
        ("trouble", "error"),
        [
            (refused(401), ErrorResponse),
            (refused(403), ErrorResponse),
            (refused(404), UnknownWidgetType),
            (LoginRequired("no token"), LoginRequired),
        ],
        ids=["401", "403", "404", "login"],
    )
    def test_a_refusal_is_raised(self, trouble: Any, error: type[Exception]) -> None:
        world = World()
        catalog = world.catalog()
        _ = catalog["faq"]
        world.platform.said = trouble
        world.clock.now += 61
        for _ in range(2):
            with pytest.raises(error):
                catalog["faq"]
        assert world.warned == []

    def test_by_default_it_is_a_python_warning(self) -> None:
        world = World()
        catalog = Catalog(
            [Fetcher(world.platform, cache=None, clock=world.clock)], clock=world.clock
        )
        _ = catalog["faq"]
        world.platform.said = refused(503)
        world.clock.now += 61
        with pytest.warns(UserWarning, match="'faq' is a copy of 1 minute ago"):
            _ = catalog["faq"]

    def test_while_one_thread_asks_the_others_get_what_was_there(self) -> None:
        world = World()
        catalog = world.catalog()
        first = catalog["faq"]
        asking, go = threading.Event(), threading.Event()

        def hold() -> None:
            asking.set()
            go.wait(60)

        world.platform.hold = hold
        world.platform.said = NEWER
        world.clock.now += 61
        one = threading.Thread(target=lambda: catalog["faq"])
        one.start()
        assert asking.wait(60)
        assert catalog["faq"] is first
        go.set()
        one.join(60)

        assert not catalog["faq"].is_valid({})
        assert world.platform.asked == ["faq"] * 2

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
    @pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
    def test_a_fork_does_not_wait_for_a_thread_of_its_parent(self) -> None:
        world = World()
        catalog = world.catalog()
        _ = catalog["faq"]
        asking, go = threading.Event(), threading.Event()

        def hold() -> None:
            asking.set()
            go.wait(60)

        world.platform.hold = hold
        world.platform.said = NEWER
        world.clock.now += 61
        one = threading.Thread(target=lambda: catalog["faq"])
        one.start()
        assert asking.wait(60)

        def decided() -> int:
            world.platform.hold = lambda: None
            return 1 if catalog["faq"].is_valid({}) else 7

        child = forked(decided)
        go.set()
        one.join(60)

        assert exit_code(child) == 7

    def test_a_source_of_ones_own_can_say_how_long_its_answers_hold(self) -> None:
        class Source(dict[str, Any]):
            def lookup(self, id: str) -> Lookup:
                return Lookup(id in self, self.get(id), fresh_for=5)

            def expire(self) -> None:
                raise AssertionError("nobody asked for that")

        clock, source = Clock(), Source(faq=PLAIN)
        catalog = Catalog([source], clock=clock)
        first = catalog["faq"]
        source["faq"] = NEWER
        clock.now += 4
        assert catalog["faq"] is first
        clock.now += 1
        assert catalog["faq"] is not first

    def test_a_source_of_ones_own_that_fails_leaves_the_type_as_it_was(self) -> None:
        class Source(dict[str, Any]):
            def lookup(self, id: str) -> Lookup:
                if "faq" not in self:
                    raise StoreError("somewhere", "is gone")
                return Lookup(id in self, self.get(id), fresh_for=5)

            def expire(self) -> None:
                raise AssertionError("nobody asked for that")

        clock, source, warned = Clock(), Source(faq=PLAIN), list[str]()
        catalog = Catalog([source], clock=clock, warn=warned.append)
        assert catalog["faq"].is_valid({})
        source.clear()
        for _ in range(3):
            clock.now += 11
            assert catalog["faq"].is_valid({})
        assert warned == [
            "widget type 'faq' is used as it was last read, 11 seconds ago: somewhere: is gone"
        ]


def settle() -> None:
    """Wait until the background thread has ended."""
    for thread in threading.enumerate():
        if thread.name == "catalog":
            thread.join(HANG)
            assert not thread.is_alive()


class TestMaxAge:
    @pytest.mark.parametrize("max_age", [20, 20.0, timedelta(seconds=20)])
    def test_an_older_type_is_looked_up_again_although_it_is_fresh(self, max_age: Any) -> None:
        world = World()
        catalog = world.catalog(max_age=max_age)
        first = catalog["faq"]
        world.platform.said = NEWER
        world.clock.now += 19
        assert catalog["faq"] is first
        world.clock.now += 1
        assert not catalog["faq"].is_valid({})
        assert world.platform.asked == ["faq"] * 2

    def test_a_shorter_lifetime_of_the_source_still_counts(self) -> None:
        world = World()
        catalog = world.catalog(max_age=600)
        _ = catalog["faq"]
        world.clock.now += 61
        _ = catalog["faq"]
        assert world.platform.asked == ["faq"] * 2

    def test_what_several_types_share_is_requested_once_each_time(self) -> None:
        world = World(platform=Platform(ids=("faq", "poll", "plugin")))
        world.platform.said = {"allOf": [{"$ref": "plugin"}]}
        catalog = world.catalog(max_age=20)
        _ = catalog["faq"]
        world.clock.now += 10
        _ = catalog["poll"]
        for _ in range(2):
            world.platform.asked.clear()
            world.clock.now += 10
            _ = catalog["faq"]
            world.clock.now += 10
            _ = catalog["poll"]
            assert sorted(world.platform.asked) == ["faq", "plugin", "poll"]

    def test_of_a_mapping(self) -> None:
        clock, source = Clock(), {"faq": PLAIN}
        catalog = Catalog(source, max_age=20, clock=clock)
        assert catalog["faq"].is_valid({})
        source["faq"] = NEVER
        clock.now += 20
        assert not catalog["faq"].is_valid({})

    @pytest.mark.parametrize("max_age", [0, -1, float("nan"), timedelta()])
    def test_it_must_be_positive(self, max_age: Any) -> None:
        with pytest.raises(ValueError, match="max_age is a timedelta or seconds, more than 0"):
            Catalog([], max_age=max_age)

    def test_it_may_be_a_part_of_a_second(self) -> None:
        world = World()
        catalog = world.catalog(max_age=0.5)
        first = catalog["faq"]
        world.clock.now += 0.4
        assert catalog["faq"] is first

    def test_a_text_is_no_age(self) -> None:
        wrong: Any = "60"
        with pytest.raises(TypeError, match="max_age is a timedelta or seconds, not str"):
            Catalog([], max_age=wrong)


def test_what_schemas_describe_is_said_for_each_type() -> None:
    wrong: Any = "data"
    with pytest.raises(TypeError, match=r"for each type, \{id: 'data'\}, not for all"):
        Catalog([], describes=wrong)


class TestCached:
    def test_what_its_source_has_to_be_asked_for_is_not(self) -> None:
        world = World()
        catalog = world.catalog()
        assert catalog.cached("faq") is None
        assert world.platform.asked == []
        assert catalog.cached("nothing") is None
        assert catalog["faq"] is catalog.cached("faq")
        world.clock.now += 61
        assert catalog.cached("faq") is None
        assert world.platform.asked == ["faq"]

    def test_a_copy_is_while_it_is_looked_up_again(self) -> None:
        world = World()
        catalog = world.catalog(stale_while_revalidate=True)
        first = catalog["faq"]
        world.clock.now += 61
        assert catalog.cached("faq") is first
        settle()
        assert world.platform.asked == ["faq"] * 2


class TestStaleWhileRevalidate:
    def test_the_copy_at_hand_is_used_at_once(self) -> None:
        world = World()
        catalog = world.catalog(stale_while_revalidate=True)
        first = catalog["faq"]
        asking, go = threading.Event(), threading.Event()

        def hold() -> None:
            asking.set()
            go.wait(HANG)

        world.platform.hold = hold
        world.platform.said = NEWER
        world.clock.now += 61
        for _ in range(5):
            assert catalog["faq"] is first
            assert "faq" in catalog
            assert asking.wait(HANG)
        go.set()
        settle()
        newer = catalog["faq"]
        assert newer.check({}).schemas[0].digest == newer.digest != first.digest
        assert first.check({}).schemas[0].digest == first.digest
        assert (first.is_valid({}), newer.is_valid({})) == (True, False)
        assert world.platform.asked == ["faq"] * 2

    def test_one_thread_for_all_types(self) -> None:
        world = World(platform=Platform(ids=("faq", "poll", "quiz")))
        catalog = world.catalog(stale_while_revalidate=True)
        firsts = [catalog[id] for id in world.platform.ids]
        threads: set[int | None] = set()
        asking, go = threading.Event(), threading.Event()

        def hold() -> None:
            threads.update(one.ident for one in threading.enumerate() if one.name == "catalog")
            asking.set()
            go.wait(HANG)

        world.platform.hold = hold
        world.platform.said = NEWER
        world.clock.now += 61
        assert [catalog[id] for id in world.platform.ids] == firsts
        assert asking.wait(HANG)
        go.set()
        settle()
        assert len(threads) == 1
        assert not any(catalog[id].is_valid({}) for id in world.platform.ids)

    def test_a_failure_is_said_once_and_tried_again_with_growing_pauses(self) -> None:
        clock, asked, warned = Clock(), list[float](), list[str]()
        trouble: list[Exception] = []

        class Source(dict[str, Any]):
            def lookup(self, id: str) -> Lookup:
                asked.append(clock.now - START)
                for error in trouble:
                    raise error
                return Lookup(True, PLAIN, fresh_for=8)

            def expire(self) -> None:
                raise AssertionError("nobody asked for that")

        catalog = Catalog(Source(), stale_while_revalidate=True, clock=clock, warn=warned.append)
        _ = catalog["faq"]
        trouble.append(OSError("the disk is gone"))
        for _ in range(500):
            clock.now += 1
            assert catalog["faq"].is_valid({})
            settle()
        assert asked == [0, 8, 18, 36, 72, 132, 192, 252, 312, 372, 432, 492]
        reason = "8 seconds ago: OSError: the disk is gone"
        assert warned == [f"widget type 'faq' is used as it was last read, {reason}"]
        assert catalog["faq"].check({}).schemas[0].stale
        trouble.clear()
        clock.now += 60
        _ = catalog["faq"]
        settle()
        assert not catalog["faq"].check({}).schemas[0].stale
        trouble.append(OSError("gone again"))
        clock.now += 100
        _ = catalog["faq"]
        settle()
        assert len(warned) == 2

    @pytest.mark.parametrize("beside_folder", [False, True])
    def test_of_a_fetcher_that_fails_the_pauses_grow_as_well(
        self, beside_folder: bool, tmp_path: Path
    ) -> None:
        world = World()
        catalog = world.catalog(stale_while_revalidate=True)
        if beside_folder:  # at which the catalog looks each second
            folder = write(tmp_path / "schemas", {"poll.json": {"type": "object"}}, pin=True)
            catalog = Catalog(
                [folder, *catalog.sources], stale_while_revalidate=True, clock=world.clock
            )
        _ = catalog["faq"]
        world.platform.said = {"$ref": "nowhere"}
        moments = []
        for second in range(200):
            world.platform.asked.clear()
            world.clock.now += 1
            assert catalog["faq"].is_valid({})
            settle()
            moments += [second + 1] * len(world.platform.asked)
        assert moments == [60, 70, 80, 100, 140, 200]
        (said,) = world.warned
        assert said.startswith("the schema of widget type 'faq' is a copy of 1 minute ago")

    def test_a_refusal_is_raised_at_the_next_use(self) -> None:
        world = World()
        catalog = world.catalog(stale_while_revalidate=True)
        first = catalog["faq"]
        world.platform.said = refused(403)
        world.clock.now += 61
        assert catalog["faq"] is first
        settle()
        with pytest.raises(ErrorResponse):
            catalog["faq"]

    def test_without_threads_the_copy_stays_in_force(self, monkeypatch: pytest.MonkeyPatch) -> None:
        world = World()
        catalog = world.catalog(stale_while_revalidate=True)
        _ = catalog["faq"]
        world.clock.now += 61

        def start(self: threading.Thread) -> None:
            raise RuntimeError("can't start new thread")

        with monkeypatch.context() as patch:
            patch.setattr(threading.Thread, "start", start)
            _ = catalog["faq"]
            for _ in range(3):
                assert catalog["faq"].check({}).schemas[0].stale
        (said,) = world.warned
        assert said.endswith("1 minute ago: RuntimeError: can't start new thread")
        world.clock.now += 60
        _ = catalog["faq"]
        settle()
        assert not catalog["faq"].check({}).schemas[0].stale

    def test_a_warning_that_is_an_error_leaves_the_catalog_usable(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        world = World()
        catalog = Catalog(
            {"faq": PLAIN}, max_age=20, stale_while_revalidate=True, clock=world.clock
        )
        _ = catalog["faq"]
        (source,) = catalog.sources
        assert isinstance(source, dict)
        source["faq"] = {"type": 5}
        world.clock.now += 20
        _ = catalog["faq"]
        settle()
        (record,) = caplog.records
        assert record.exc_info is not None
        assert record.exc_info[0] is UserWarning  # an error in these tests
        assert catalog["faq"].check({}).schemas[0].stale
        source["faq"] = NEVER
        world.clock.now += 20
        _ = catalog["faq"]
        settle()
        assert not catalog["faq"].is_valid({})

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
    @pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
    def test_a_forked_worker_has_a_background_thread_of_its_own(self) -> None:
        world = World()
        catalog = world.catalog(stale_while_revalidate=True)
        _ = catalog["faq"]
        asking, go = threading.Event(), threading.Event()

        def hold() -> None:
            asking.set()
            go.wait(HANG)

        world.platform.hold = hold
        world.platform.said = NEWER
        world.clock.now += 61
        _ = catalog["faq"]
        assert asking.wait(HANG)

        def decided() -> int:
            world.platform.hold = lambda: None
            before = catalog["faq"].is_valid({})
            settle()
            return 7 if before and not catalog["faq"].is_valid({}) else 1

        child = forked(decided)
        go.set()
        settle()
        assert exit_code(child) == 7

    def test_the_process_ends_while_a_source_hangs(self, tmp_path: Path) -> None:
        code = """
import threading
from widgetschema.catalog.sources import Lookup
asking, now = threading.Event(), [0]
class Source(dict):
    def lookup(self, id):
        if now[0]:
            asking.set()
            threading.Event().wait()
        return Lookup(True, {"type": "object"}, fresh_for=1)
    def expire(self): ...
catalog = Catalog(Source(), stale_while_revalidate=True, clock=lambda: now[0])
catalog["faq"]
now[0] = 5
catalog["faq"]
asking.wait()
shown = catalog["faq"].is_valid({})
"""
        assert python(code, tmp_path) is True

    def test_it_pickles(self) -> None:
        catalog = Catalog({"faq": PLAIN}, max_age=20, stale_while_revalidate=True)
        assert pickle.loads(pickle.dumps(catalog))["faq"].is_valid({})


class TestOnChange:
    @pytest.mark.parametrize("background", [False, True])
    def test_it_is_called_once_for_each_change(self, background: bool) -> None:
        world = World(platform=Platform(ids=("faq", "plugin")))
        world.platform.said = {"allOf": [{"$ref": "plugin"}]}
        changes: list[tuple[str, str, str, str]] = []

        def on_change(id: str, old: str, new: str) -> None:
            changes.append((id, old, new, catalog[id].linked_digest))

        catalog: Catalog = world.catalog(
            stale_while_revalidate=background,
            on_change=on_change,
        )
        digests = [catalog["faq"].linked_digest]
        for said in (NEWER, NEWER, {"$ref": "nowhere"}, NEWER, NEVER):
            world.platform.said = said
            world.clock.now += 61
            for _ in range(3):
                _ = catalog["faq"]
                settle()
            digests.append(catalog["faq"].linked_digest)
        one, two, three = dict.fromkeys(digests)
        assert digests == [one, two, two, two, two, three]
        assert changes == [("faq", one, two, two), ("faq", two, three, three)]

    def test_a_change_of_the_base_schema_is_one(self) -> None:
        source: dict[str, Any] = {"faq": {"allOf": [{"$ref": "plugin"}]}, "plugin": {}}
        changes: list[tuple[str, str, str]] = []
        clock = Clock()
        catalog = Catalog(
            source, max_age=5, clock=clock, on_change=lambda *change: changes.append(change)
        )
        before = catalog["faq"]
        source["plugin"] = {"required": ["name"]}
        clock.now += 5
        after = catalog["faq"]
        assert before.digest == after.digest
        assert changes == [("faq", before.linked_digest, after.linked_digest)]

    def test_of_a_type_that_was_gone(self) -> None:
        world = World()
        changes: list[str] = []
        catalog = world.catalog(on_change=lambda *change: changes.append(change[2]))
        _ = catalog["faq"]
        world.platform.said = refused(404)
        world.clock.now += 61
        assert catalog.get("faq") is None
        world.platform.said = NEWER
        world.clock.now += 61
        assert changes == []
        newer = catalog["faq"].linked_digest
        assert changes == [newer] == [catalog["faq"].linked_digest]

    def test_refresh_finds_changes_and_may_be_called_in_it(self) -> None:
        world = World()
        changes: list[str] = []

        def on_change(id: str, old: str, new: str) -> None:
            changes.append(id)
            catalog.refresh()

        catalog = world.catalog(on_change=on_change)
        _ = catalog["faq"]
        world.platform.said = NEWER
        world.clock.now += 1
        catalog.refresh()
        assert changes == ["faq"]

    def test_an_exception_in_it_is_said(self) -> None:
        world = World()

        def on_change(id: str, old: str, new: str) -> None:
            raise LookupError("no such row")

        catalog = world.catalog(on_change=on_change)
        _ = catalog["faq"]
        world.platform.said = NEWER
        world.clock.now += 61
        assert not catalog["faq"].is_valid({})
        assert world.warned == ["on_change failed for widget type 'faq': LookupError: no such row"]

    def test_threads_that_find_a_change_at_once_report_it_once(self) -> None:
        world = World()
        changes: list[str] = []
        catalog = world.catalog(on_change=lambda *change: changes.append(change[2]))
        _ = catalog["faq"]
        world.platform.said = NEWER
        world.clock.now += 61
        start = threading.Barrier(8)

        def use() -> None:
            start.wait(HANG)
            for _ in range(20):
                _ = catalog["faq"]

        threads = [threading.Thread(target=use) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(HANG)
        assert changes == [catalog["faq"].linked_digest]


class TestFolders:
    @pytest.mark.parametrize("pin", [True, False], ids=["pinned", "unpinned"])
    def test_one_that_has_changed_is_read_again(self, pin: bool, tmp_path: Path) -> None:
        folder = write(tmp_path / "schemas", {"faq.json": PLAIN}, pin=pin)
        clock = Clock()
        catalog = Catalog(folder, clock=clock)
        first = catalog["faq"]
        (folder / "faq.json").unlink()  # a new file has another number, however coarse its times
        write(folder, {"faq.json": NEWER, "poll.json": {"type": "object"}}, pin=pin)
        assert catalog["faq"] is first
        clock.now += 1.5

        assert not catalog["faq"].is_valid({})
        assert catalog.ids() == ("faq", "poll")
        assert "poll" in catalog
        clock.now += 1.5
        assert catalog["faq"] is catalog["faq"]

    def test_one_that_is_the_same_is_not(self, tmp_path: Path) -> None:
        clock = Clock()
        catalog = Catalog(write(tmp_path / "schemas", {"faq.json": PLAIN}, pin=True), clock=clock)
        first, sources = catalog["faq"], catalog.sources
        clock.now += 10

        assert catalog["faq"] is first
        assert catalog.sources is sources

    def test_refresh_reads_it_now(self, tmp_path: Path) -> None:
        folder = write(tmp_path / "schemas", {"faq.json": PLAIN}, pin=True)
        catalog = Catalog(folder, clock=Clock())
        assert catalog["faq"].is_valid({})
        write(folder, {"faq.json": NEWER}, pin=True)
        catalog.refresh()

        assert not catalog["faq"].is_valid({})

    def test_one_that_cannot_be_read_stays_as_it_was(self, tmp_path: Path) -> None:
        folder = write(tmp_path / "schemas", {"faq.json": PLAIN}, pin=True)
        clock, warned = Clock(), list[str]()
        catalog = Catalog(folder, clock=clock, warn=warned.append)
        assert not catalog["faq"].check({}).schemas[0].stale
        text = (folder / "manifest.json").read_text()
        write(folder, {"manifest.json": "<<<<<<<"})
        for _ in range(3):
            clock.now += 1.5
            assert catalog["faq"].check({}).schemas[0].stale
        (said,) = warned
        assert said.startswith("schemas are used as they were last read: ")
        assert "manifest.json" in said
        write(folder, {"manifest.json": text})
        clock.now += 1.5
        assert not catalog["faq"].check({}).schemas[0].stale

    @pytest.mark.parametrize("file", ["faq.json", "below/part.json"])
    def test_a_pinned_file_that_has_changed_is_warned_of(self, file: str, tmp_path: Path) -> None:
        folder = tmp_path / "schemas"
        (folder / "below").mkdir(parents=True)
        write(folder / "below", {"part.json": PLAIN})
        write(folder, {"faq.json": {"allOf": [{"$ref": "below/part.json"}]}}, pin=True)
        clock, warned = Clock(), list[str]()
        catalog = Catalog(folder, clock=clock, warn=warned.append)
        assert not catalog["faq"].check({}).schemas[0].stale
        text = (folder / file).read_text()
        (folder / file).unlink()
        write(folder, {file: NEVER})
        for _ in range(3):
            clock.now += 1.5
            assert catalog["faq"].check({}).schemas[0].stale
        (said,) = warned
        assert said.startswith("widget type 'faq' is used as it was last read, ")
        assert "the file has changed since manifest.json was written" in said
        (folder / file).unlink()
        write(folder, {file: text})
        clock.now += 3600  # it is tried less often
        assert not catalog["faq"].check({}).schemas[0].stale

    def test_a_relative_path_means_the_same_folder_in_another_directory(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(tmp_path / "one" / "schemas", {"faq.json": PLAIN, "poll.json": {"type": "object"}})
        write(tmp_path / "two" / "schemas", {"faq.json": NEWER, "poll.json": NEVER})
        monkeypatch.chdir(tmp_path / "one")
        clock = Clock()
        catalog = Catalog(["schemas"], clock=clock)
        assert catalog["faq"].is_valid({})
        monkeypatch.chdir(tmp_path / "two")
        assert catalog["poll"].is_valid({})  # which is read only now
        clock.now += 1.5
        assert catalog["faq"].is_valid({})
        catalog.refresh()

        assert catalog["faq"].is_valid({})
        assert catalog["faq"].source == "schemas"

    def test_a_link_that_leads_nowhere_hides_no_change(self, tmp_path: Path) -> None:
        folder = write(
            tmp_path / "schemas", {f"{name}.json": {"type": "object"} for name in "abcdefgh"}
        )
        for number in range(8):
            (folder / f"{number}.json").symlink_to("nowhere")
        clock = Clock()
        catalog = Catalog(folder, clock=clock)
        for name in "abcdefgh":
            assert catalog[name].is_valid({})
            write(folder, {f"{name}.json": NEVER})
            clock.now += 1.5
            assert not catalog[name].is_valid({})

    def test_a_type_that_was_removed_is_unknown(self, tmp_path: Path) -> None:
        folder = write(tmp_path / "schemas", {"faq.json": PLAIN, "poll.json": {}}, pin=True)
        clock = Clock()
        catalog = Catalog(folder, clock=clock)
        _ = catalog["faq"]
        (folder / "faq.json").unlink()
        Store(folder).pin()
        clock.now += 1.5
        with pytest.raises(UnknownWidgetType):
            catalog["faq"]

    def test_a_type_that_comes_to_an_earlier_folder_is_taken_from_there(
        self, tmp_path: Path
    ) -> None:
        one = write(tmp_path / "one", {"poll.json": {"type": "object"}}, pin=True)
        two = write(tmp_path / "two", {"faq.json": PLAIN}, pin=True)
        clock = Clock()
        catalog = Catalog([one, two], clock=clock)
        assert catalog["faq"].source == str(two)
        write(one, {"faq.json": PLAIN}, pin=True)
        clock.now += 1.5
        assert catalog["faq"].source == str(one)

    def test_it_pickles(self, tmp_path: Path) -> None:
        catalog = Catalog(write(tmp_path / "schemas", {"faq.json": PLAIN}, pin=True))
        _ = catalog["faq"]
        copy = pickle.loads(pickle.dumps(catalog))

        copy.refresh()
        assert copy["faq"].is_valid({})


class TestForeignId:
    """A schema says by its `$id` that it is the one of another type."""

    SAID = "this is the schema of widget type 'image-map', but its $id is 'something-else'"

    @pytest.fixture
    def folder(self, project: Path) -> Path:
        one = {"$id": "something-else", "properties": {"data": {"type": "object"}}}
        same = {**one, "$id": "faq_list"}
        folder = write(project / "schemas", {"image-map.json": one, "faq-list.json": same})
        entries = {
            id: {"file": f"{id}.json", "sha256": digest((folder / f"{id}.json").read_bytes())}
            for id in ("image-map", "faq-list")
        }
        return write(folder, {"manifest.json": {"version": 1, "schemas": entries}})

    def test_the_report_says_so(self, folder: Path) -> None:
        catalog = Catalog(folder)
        report = catalog["image-map"].check({})

        assert [lint.message for lint in report.lints] == [self.SAID]
        assert catalog["image-map"].lints[0] == report.lints[0]
        assert report.valid
        assert report.schemas[0].as_dict()["own_id"] == "something-else"
        assert "its $id is 'something-else'" in str(report.schemas[0])
        assert catalog["faq-list"].check({}).lints == ()

    def test_it_stays_said_when_the_folder_is_read_again(self, folder: Path) -> None:
        clock = Clock()
        catalog = Catalog(folder, clock=clock)
        first = catalog["image-map"]
        clock.now += 1.5

        assert catalog["image-map"] is first

    def test_what_was_given_as_a_value_may_be_called_anything(self) -> None:
        assert Catalog([{"image-map": PLAIN}])["image-map"].check({}).lints == ()

    def test_in_commands(self, folder: Path, capsys: Capture) -> None:
        for _ in range(2):  # checked, then known
            result = run(capsys, "validate", "a.json", "--type", "image-map", "--quiet")
            assert (result.code, result.err) == (0, f"widgetschema: {self.SAID}\n")
        result = run(capsys, "types")
        assert (result.code, result.err.count(self.SAID)) == (0, 1)
        assert run(capsys, "doctor", "--offline").out.count(self.SAID) == 1
        frozen = run(capsys, "validate", "a.json", "--type", "faq-list", "--fetch", "frozen")
        assert (frozen.code, self.SAID in frozen.err) == (4, True)

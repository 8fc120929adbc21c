"""Folders, caches and moments that do their worst: nothing of others is lost, nobody waits."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.command import environment, run
from tests.integration.test_hostile_servers import serving
from tests.terminal import HANG
from widgetschema import Catalog, NotAvailableOffline, Provenance, Store, StoreError
from widgetschema.catalog.store import MANIFEST, PLUGIN, STAGED, bundled, write_manifest
from widgetschema.errors import ErrorResponse
from widgetschema.files import digest
from widgetschema.jsontext import dump
from widgetschema.platform.client.operations import SchemaResponse
from widgetschema.platform.fetcher import Fetcher, cache_folder, frozen
from widgetschema.sandbox import Sandbox, running

Capture = pytest.CaptureFixture[str]
posix = pytest.mark.skipif(os.name != "posix", reason="links, pipes and signals")

COUNTDOWN = bundled()["countdown"]
START = 1_800_000_000.0


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sandbox]:
    """A sandbox with one type; this process is logged in to it, in an empty project."""
    with running({"countdown": COUNTDOWN, PLUGIN: bundled()[PLUGIN]}) as made:
        variables = {
            "WIDGETSCHEMA_BASE_URL": made.base_url,
            "WIDGETSCHEMA_AUTH_URL": made.auth_url,
            "WIDGETSCHEMA_ACCESS_TOKEN": made.access_token(),
            "XDG_CONFIG_HOME": str(tmp_path / "config"),
            "XDG_CACHE_HOME": str(tmp_path / "cache"),
        }
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        (tmp_path / "project").mkdir()
        monkeypatch.chdir(tmp_path / "project")
        yield made


def titled(title: str) -> dict[str, Any]:
    """The countdown, changed."""
    return {**deepcopy(COUNTDOWN), "title": title}


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def within(work: Callable[[], Any]) -> Any:
    """Return the result of the work or raise its error; fail if it hangs."""
    outcome: list[Any] = []

    def try_it() -> None:
        try:
            outcome.append(work())
        except Exception as error:
            outcome.append(error)

    thread = threading.Thread(target=try_it, daemon=True)
    thread.start()
    thread.join(HANG)
    assert outcome, "it hangs"
    if isinstance(outcome[0], Exception):
        raise outcome[0]
    return outcome[0]


# 13. What has the name of the folder for what is being written


def a_link(staged: Path, victim: Path) -> None:
    staged.symlink_to(victim, target_is_directory=True)


def a_link_to_a_file(staged: Path, victim: Path) -> None:
    staged.symlink_to(victim / "new-0")


def a_link_to_nowhere(staged: Path, victim: Path) -> None:
    staged.symlink_to(victim / "nowhere")


def a_file(staged: Path, victim: Path) -> None:
    staged.write_text("mine", encoding="utf-8")


@posix
@pytest.mark.parametrize("make", [a_link, a_link_to_a_file, a_link_to_nowhere, a_file])
@pytest.mark.parametrize("edited", [False, True])
def test_a_pull_touches_nothing_outside_its_folder(
    make: Callable[[Path, Path], None],
    edited: bool,
    sandbox: Sandbox,
    capsys: Capture,
    tmp_path: Path,
) -> None:
    assert run(capsys, "pull", "countdown").code == 0
    schemas, victim = Path("schemas"), tmp_path / "victim"
    victim.mkdir()
    old = (schemas / "countdown.json").read_bytes()
    for name, content in {"new-0": b"0", "new-1": b"1", "a.txt": b"a", digest(old): old}.items():
        (victim / name).write_bytes(content)
    if edited:  # then what is put aside would be moved back
        (schemas / "countdown.json").unlink()
    make(schemas / STAGED, victim)
    before = contents(victim)
    sandbox.set_schema("countdown", titled("newer"))

    result = run(capsys, "pull")

    assert (result.code, contents(victim)) == (0, before)
    assert Store("schemas")["countdown"]["title"] == "newer"
    assert not os.path.lexists(schemas / STAGED)
    frozen("schemas")


# 14. Processes that do not share a folder for temporary files

INSTALL = """
import sys
from widgetschema.catalog.store import NewSchema, install
folder, number = sys.argv[1:]
for step in range(6):
    id = f"type-{number}-{step}"
    install(folder, {id: NewSchema('{"title": "%s"}' % id, {})})
"""


@pytest.mark.parametrize("there", [False, True])
def test_processes_with_their_own_temporary_folders(tmp_path: Path, there: bool) -> None:
    folder = tmp_path / "schemas"
    if there:
        folder.mkdir()
    processes = []
    for number in range(4):
        own = tmp_path / f"tmp-{number}"
        own.mkdir()
        variables = environment(TMPDIR=str(own), TEMP=str(own), TMP=str(own))
        command = [sys.executable, "-c", INSTALL, str(folder), str(number)]
        processes.append(subprocess.Popen(command, env=variables, stderr=subprocess.PIPE))
    for process in processes:
        assert process.communicate(timeout=120)[1] == b""
        assert process.returncode == 0
    ids = {f"type-{number}-{step}" for number in range(4) for step in range(6)}
    assert {*Store(folder)} == ids
    assert {one.id for one in frozen(folder)} == ids
    assert {path.name for path in folder.iterdir()} == {MANIFEST, *(f"{id}.json" for id in ids)}


# 15 and 21. A fetcher, and a client that answers as it is told


class Asked:
    """A client of a platform that gives one schema for each id, and counts."""

    base_url = "https://platform.example/api/v1"
    account = "me"

    def __init__(self, schemas: dict[str, Any], pause: float = 0.0) -> None:
        self.schemas = schemas
        self.pause = pause
        self.ids: list[str] = []

    def fetch_schema(
        self, id: str, *, etag: str | None = None, last_modified: str | None = None
    ) -> SchemaResponse:
        self.ids.append(id)
        threading.Event().wait(self.pause)
        if id not in self.schemas:
            raise ErrorResponse("no", method="GET", path="/", status=404)
        return SchemaResponse(200, self.base_url, schema=self.schemas[id], etag='"1"')


@pytest.mark.parametrize("cached", [False, True])
@pytest.mark.parametrize("given", [False, True])
def test_the_base_schema_of_a_fetcher_without_a_cache(
    tmp_path: Path, cached: bool, given: bool
) -> None:
    base = {"$id": PLUGIN, "type": "object", "required": ["mustHave"]}
    client = Asked({"countdown": COUNTDOWN} if given else {"countdown": COUNTDOWN, PLUGIN: base})
    plugin = (base, Provenance(PLUGIN, "base.json", "0" * 64)) if given else None
    fetcher = Fetcher(client, cache=tmp_path / "cache" if cached else None, plugin=plugin)

    widget_type = Catalog([fetcher])["countdown"]

    report = widget_type.check_document({"data": {"content": {}, "settings": {}, "styles": {}}})
    assert [(one.keyword, one.path) for one in report] == [("required", "")]
    assert "mustHave" in report.findings[0].message
    assert [one.source for one in widget_type.provenance] == [
        client.base_url,
        "base.json" if given else client.base_url,
    ]


@pytest.mark.parametrize("cached", [False, True])
def test_threads_that_ask_for_one_type_make_one_request(tmp_path: Path, cached: bool) -> None:
    client = Asked({"cold": {"type": "object"}}, pause=0.1)
    fetcher = Fetcher(client, cache=tmp_path / "cache" if cached else None)
    together = threading.Barrier(16)
    got: list[Any] = []

    def ask() -> None:
        together.wait()
        got.append(fetcher["cold"])

    threads = [threading.Thread(target=ask) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == [{"type": "object"}] * 16
    assert client.ids == ["cold"]


# 16. Manifests and files that somebody else made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of two schemas, and its manifest."""
    made = tmp_path / "folder"
    made.mkdir()
    (made / "a.json").write_text('{"title": "a"}', encoding="utf-8")
    (made / "b.json").write_text('{"title": "b"}', encoding="utf-8")
    write_manifest(made)
    return made


def edit(folder: Path, **members: Any) -> None:
    """Change members of each entry of a manifest."""
    manifest = json.loads((folder / MANIFEST).read_bytes())
    for entry in manifest["schemas"].values():
        entry |= members
    (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")


GOOD_DIGEST = digest(b'{"title": "a"}')


@pytest.mark.parametrize(
    "sha256",
    [
        "/dev/zero",
        "\0",
        "",
        GOOD_DIGEST.upper(),
        GOOD_DIGEST[:-1],
        GOOD_DIGEST + "0",
        GOOD_DIGEST + "\n",
        "../" * 10 + "dev/zero",
        "٣" * 64,
        5,
        None,
    ],
    ids=lambda value: repr(value)[:20],
)
def test_a_digest_that_is_none(folder: Path, sha256: Any) -> None:
    edit(folder, sha256=sha256)
    with pytest.raises(StoreError, match="sha256"):
        within(lambda: [*frozen(folder)])


@posix
@pytest.mark.parametrize("name", ["a.json", MANIFEST])
def test_a_pipe_is_an_error_and_nobody_waits(folder: Path, name: str) -> None:
    (folder / name).unlink()
    os.mkfifo(folder / name)
    with pytest.raises(StoreError, match=f"{name}.*not a regular file"):
        within(lambda: Store(folder)["a"])


@posix
def test_a_device_is_no_schema(folder: Path) -> None:
    (folder / "a.json").unlink()
    (folder / "a.json").symlink_to("/dev/zero")
    with pytest.raises(StoreError, match="not a regular file"):
        within(lambda: Store(folder)["a"])


@pytest.mark.parametrize("mode", ["auto", "offline"])
@pytest.mark.parametrize("member", ["checked", "max_age", "fetched", "source", "etag"])
@pytest.mark.parametrize(
    "value",
    [10**400, -(10**400), 1e308, -1e308, 1e12, -1e13, 0, True, "x", "\0\ud800", None, [], {}],
    ids=lambda value: repr(value)[:10],
)
def test_a_cache_that_somebody_edited(tmp_path: Path, mode: Any, member: str, value: Any) -> None:
    schema = {"type": "object"}
    client, cache = Asked({"plain": schema}), tmp_path / "cache"
    _ = Fetcher(client, cache=cache, clock=lambda: START)["plain"]
    edit(Path(cache_folder(str(cache), client.base_url, client.account)), **{member: value})
    warned: list[str] = []
    fetcher = Fetcher(client, cache=cache, mode=mode, clock=lambda: START + 60, warn=warned.append)
    try:
        fetched = fetcher.fetch("plain")
    except NotAvailableOffline:
        assert mode == "offline"
        assert warned  # the manifest is none any more
        return
    assert fetched.schema == schema
    assert isinstance(fetched.provenance.as_dict(), dict)
    assert client.ids in (["plain"], ["plain", "plain"])
    if mode == "offline":
        assert client.ids == ["plain"]


# 17. Ctrl-C


@posix
def test_an_interrupt_while_the_server_keeps_its_answer_back(tmp_path: Path) -> None:
    asked = threading.Event()

    def respond(connection: Any, head: str) -> None:
        asked.set()
        server.over.wait()

    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from widgetschema.cli import main; sys.exit(main())"
    )
    with serving(respond) as server:
        variables = environment(
            WIDGETSCHEMA_BASE_URL=server.url,
            WIDGETSCHEMA_ACCESS_TOKEN="a-token-of-somebody",
            XDG_CONFIG_HOME=str(tmp_path / "config"),
            XDG_CACHE_HOME=str(tmp_path / "cache"),
        )
        command = [sys.executable, "-c", code, "pull", *(f"type-{number}" for number in range(20))]
        with subprocess.Popen(
            command, cwd=tmp_path, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            try:
                assert asked.wait(HANG)
                time.sleep(0.2)  # so that each of its threads waits for something
                process.send_signal(signal.SIGINT)
                _, said = process.communicate(timeout=HANG)
            finally:
                process.kill()
    assert process.returncode == 130
    assert b"Traceback" not in said
    assert b"interrupted" in said
    assert not (tmp_path / "schemas").exists()


# 18 and 19. Folders that are not as a pull left them


def test_a_pull_settles_what_an_interrupted_one_left(sandbox: Sandbox, capsys: Capture) -> None:
    assert run(capsys, "pull", "countdown").code == 0
    schemas = Path("schemas")
    before = contents(schemas)
    old = before["countdown.json"]
    (schemas / STAGED).mkdir()
    (schemas / STAGED / digest(old)).write_bytes(old)
    (schemas / STAGED / "new-1").write_text("{}", encoding="utf-8")
    (schemas / "countdown.json").write_text(dump(titled("newer")), encoding="utf-8")
    assert Store("schemas")["countdown"] == COUNTDOWN  # what was put aside is still found

    result = run(capsys, "pull")

    assert (result.code, result.err) == (0, "2 schemas: 2 same; in schemas\n")
    assert contents(schemas) == before
    assert not (schemas / STAGED).exists()
    frozen("schemas")


def test_a_folder_without_a_manifest_gets_one(sandbox: Sandbox, capsys: Capture) -> None:
    mine = Path("mine")
    mine.mkdir()
    (mine / "countdown.json").write_text(dump(COUNTDOWN), encoding="utf-8")
    (mine / "plugin.json").write_text(dump(bundled()[PLUGIN]), encoding="utf-8")
    assert run(capsys, "pull", "--check", "--schemas", mine).code == 0
    assert not (mine / MANIFEST).exists()
    assert run(capsys, "pull", "--schemas", mine).code == 0
    assert (mine / MANIFEST).exists()
    assert {one.id for one in frozen(mine)} == {"countdown", PLUGIN}
    assert run(capsys, "pull", "--frozen", "--schemas", mine).code == 0


def test_a_base_schema_that_was_edited_by_hand(sandbox: Sandbox, capsys: Capture) -> None:
    assert run(capsys, "pull", "countdown").code == 0
    path = Path("schemas", "plugin.json")
    theirs = path.read_bytes()
    path.write_text(dump({**bundled()[PLUGIN], "required": ["mine"]}), encoding="utf-8")
    mine = path.read_bytes()

    checked = run(capsys, "pull", "--check")
    assert (checked.code, path.read_bytes()) == (1, mine)
    assert checked.out.startswith("plugin: changed")

    plain = run(capsys, "pull")
    assert (plain.code, path.read_bytes()) == (4, mine)
    assert "Traceback" not in plain.err

    forced = run(capsys, "pull", "--force")
    assert (forced.code, path.read_bytes()) == (0, theirs)
    frozen("schemas")


# 20. Offline


@pytest.mark.parametrize("arguments", [["widgets"], ["pull", "x"], ["pull", "--all-used"]])
def test_offline_makes_no_request(
    arguments: list[str],
    sandbox: Sandbox,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("WIDGETSCHEMA_OFFLINE", "1")
    before = sandbox.counters
    result = run(capsys, *arguments)
    assert (result.code, result.out) == (5, "")
    assert "WIDGETSCHEMA_OFFLINE is set" in result.err
    assert sandbox.counters == before
    monkeypatch.delenv("WIDGETSCHEMA_OFFLINE")
    assert run(capsys, "widgets").code == 0
    assert sandbox.counters != before


# Files beyond any limit, and what is no file, wherever one is named or found


def _sparse(path: Path) -> None:
    path.touch()
    os.truncate(path, 20_000_000_000)


def _zeros(path: Path) -> None:
    path.symlink_to("/dev/zero")


@posix
@pytest.mark.parametrize("make", [_sparse, _zeros], ids=["sparse", "device"])
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("validate one.json --data-schema it.json", 3),
        ("validate one.json --data-schema schema.json --baseline it.json", 3),
        ("validate one.json --data-schema schema.json --write-baseline --baseline it.json", 3),
        ("validate one.json --config it.toml", 2),
        ("validate one.json --type it --schemas folder", 4),
        ("audit one.json --data-schema schema.json --compare it.json", 2),
        ("diff it.json schema.json", 3),
        ("form --data-schema schema.json --ui it.toml --export html", 3),
        ("form --data-schema schema.json --ui it.json --export html", 3),
        ("form --data-schema schema.json --theme it.css --export html", 2),
        ("migrate plan it.json schema.json", 3),
        ("migrate revert it.undo", 3),
        ("sample --data-schema it.json", 3),
        ("sandbox --widgets it.json", 3),
        ("translations it.po", 3),
        ("types --schemas manifest", 4),
        ("types --schemas manifest --pin", 4),
    ],
)
def test_a_file_without_end_is_refused_where_it_is_named(
    arguments: str,
    code: int,
    make: Callable[[Path], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("one.json").write_text("{}")
    Path("schema.json").write_text('{"type": "object", "required": ["a"]}')
    for folder in ("folder", "manifest"):
        Path(folder).mkdir()
        Path(folder, "other.json").write_text('{"type": "object", "required": ["a"]}')
    for name in ("it.json", "it.toml", "it.css", "it.po", "it.undo", "folder/it.json"):
        make(Path(name))
    make(Path("manifest/manifest.json"))
    done = run(capsys, *arguments.split())
    said = done.out + done.err
    assert done.code == code
    assert "it." in said or "manifest.json" in said
    assert re.search("limit|larger than|regular file|not an undo file|must be a .toml", said), said

"""The language server as editors see it: by events and versions, never by time."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import HTTPCookieProcessor, build_opener, url2pathname

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.command import run
from tests.language_client import HANG, Client, capabilities, talk, talk_to_process
from tests.unit.lsp.opened import create
from widgetschema.catalog.store import bundled
from widgetschema.lsp.checks import check
from widgetschema.lsp.documents import Document
from widgetschema.lsp.projects import Projects
from widgetschema.lsp.server import path_of
from widgetschema.project.config import Configuration
from widgetschema.sandbox import running

WRONG = '{"content": {"timerDays": "3"}, "settings": {}, "styles": {}}'
FINE = WRONG.replace('"3"', "3")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project whose JSON files are countdowns."""
    (tmp_path / "widgetschema.toml").write_text('[files]\n"*.json" = "countdown"\n')
    return tmp_path


def codes(found: Sequence[types.Diagnostic]) -> list[Any]:
    return [one.code for one in found]


def at(line: int, character: int) -> types.Position:
    return types.Position(line, character)


def between(line: int, start: int, end: int) -> types.Range:
    return types.Range(at(line, start), at(line, end))


def identifier(uri: str) -> types.TextDocumentIdentifier:
    return types.TextDocumentIdentifier(uri)


# The same as `validate`


def test_the_findings_are_those_of_the_command(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    mistakes = Path(__file__).parents[1] / "data" / "mistakes" / "summer-sale.json"
    file = folder / "sale.json"
    file.write_bytes(mistakes.read_bytes())
    report = run(capsys, "validate", "sale.json", "--format", "json")
    expected = [
        (one["line"] - 1, one["column"] - 1, one["keyword"], one["message"])
        for document in json.loads(report.out)["documents"]
        for one in document["findings"]
    ]

    async def work(client: Client) -> Any:
        client.begin(file.as_uri(), file.read_text())
        return await client.diagnostics(file.as_uri())

    found = [
        (
            one.range.start.line,
            one.range.start.character,
            one.code,
            one.message.split("\nhint: ")[0],
        )
        for one in talk_to_process(work, folder)
        if one.code != "hint"
    ]
    assert found == expected
    assert len(found) > 3


def test_what_the_baseline_has_is_not_said(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    file = folder / "a.json"
    file.write_text(WRONG)
    run(capsys, "validate", "--write-baseline")

    async def work(client: Client) -> None:
        client.begin(file.as_uri(), WRONG)
        assert codes(await client.diagnostics(file.as_uri())) == []
        client.edit(file.as_uri(), WRONG.replace('"styles"', '"style"'))
        assert codes(await client.diagnostics(file.as_uri())) == ["additionalProperties"]

    talk(work, folder)


def test_the_baseline_is_that_of_the_folder_of_the_workspace(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    package = folder / "package"
    package.mkdir()
    (package / "widgetschema.toml").write_text(
        '[files]\n"*.json" = "countdown"\n[severities]\nadditionalProperties = "warning"\n'
    )
    (folder / "widgetschema.toml").write_text('baseline = "kept/known.json"\n')
    (folder / "kept").mkdir()
    file = package / "a b.json"
    file.write_text(WRONG)
    monkeypatch.chdir(folder)
    run(capsys, "validate", ".", "--write-baseline")

    async def work(client: Client) -> None:
        uri = file.as_uri()
        client.begin(uri, WRONG.replace('"styles"', '"style"'))
        found = await client.diagnostics(uri)
        assert [(one.code, one.severity) for one in found] == [
            ("additionalProperties", types.DiagnosticSeverity.Warning)
        ]
        client.published.clear()
        root = types.WorkspaceFolder(folder.as_uri(), folder.name)
        own = types.WorkspaceFolder(package.as_uri(), package.name)
        event = types.WorkspaceFoldersChangeEvent(added=[own], removed=[root])
        client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
        assert "type" in codes(await client.diagnostics(uri))  # the package has no baseline

    talk(work, folder)


# Typing


def big(size: int) -> str:
    """A text of so many bytes: many documents, with a mistake in the first and in the last."""
    one = {"type": "countdown", "id": "x", "data": json.loads(FINE)}
    text = json.dumps([one] * (size // len(json.dumps(one, indent=1))), indent=1)
    return text.replace('"timerDays": 3', '"timerDays": "3"', 1)


def test_typing_in_a_large_document(folder: Path) -> None:
    uri = (folder / "large.json").as_uri()
    text = big(2_000_000)
    assert len(text) > 1_900_000
    lines = text.split("\n")
    line = next(index for index, one in enumerate(lines) if "timerDays" in one)
    start = lines[line].index('"3"')
    steps = ["3", "", ' {"a"', ": [1", "]}", "4", "x", '"', "7", "8"]

    async def work(client: Client) -> None:
        client.begin(uri, text)
        texts, end = {1: text}, start + 3
        answers = []
        for number, step in enumerate(
            steps
        ):  # each replaces what is there: JSON and broken JSON in turn
            version = client.edit(uri, step, between(line, start, end))
            end = start + len(step)
            changed = [*lines]
            changed[line] = lines[line][:start] + step + lines[line][start + 3 :]
            texts[version] = "\n".join(changed)
            if number % 4:
                continue
            hover = types.HoverParams(identifier(uri), at(line, start - 5))
            answers.append(client.request(types.TEXT_DOCUMENT_HOVER, hover))
        last = await client.diagnostics(uri)
        hovers = await asyncio.gather(*answers)  # each request has its answer
        versions = [one.version or 0 for one in client.published]
        assert versions == sorted(versions)
        assert versions[-1] == client.versions[uri]
        project = Projects(create, {}).of_folder(str(folder))
        for one in client.published:
            document = Document(uri, str(folder / "large.json"), 1, texts[one.version or 0])
            assert codes(one.diagnostics) == [issue.code for issue in check(document, project)]
        assert codes(last) == []
        assert all(one is not None for one in hovers)

    talk_to_process(work, folder)


def test_answers_are_about_the_text_as_it_was(folder: Path) -> None:
    uri = (folder / "a.json").as_uri()
    begin = '{"content": {"timerTitle": ""'

    async def work(client: Client) -> None:
        client.begin(uri, begin)
        answers = []
        for number in range(20):
            column = len(begin) - 1 + number
            client.edit(uri, "x", between(0, column, column))
            hover = types.HoverParams(identifier(uri), at(0, column))
            answers.append(client.request(types.TEXT_DOCUMENT_HOVER, hover))
        found = await asyncio.gather(*answers)
        ends = [one.range.end.character for one in found]
        assert ends == [len(begin) + 1 + number for number in range(20)]

    talk(work, folder)


def test_nothing_out_of_date_is_said_and_what_is_cancelled_is_answered(folder: Path) -> None:
    uri = (folder / "a.json").as_uri()
    begun, may_go_on = threading.Event(), threading.Event()

    def slow(configuration: Configuration) -> Any:
        """A catalog that takes as long as the test wants."""
        begun.set()
        assert may_go_on.wait(HANG)
        return create(configuration)

    async def work(client: Client) -> None:
        client.begin(uri, WRONG)
        await asyncio.to_thread(begun.wait, HANG)  # the check of version 1 is under way
        client.edit(uri, "{")
        client.edit(uri, FINE.replace("styles", "style"))
        params = types.HoverParams(identifier(uri), at(0, 4))
        running, cancelled, kept = (
            client.request(types.TEXT_DOCUMENT_HOVER, params, id)
            for id in ("running", "cancelled", "kept")
        )
        for id in ("running", "cancelled"):
            client.cancel_request(types.CancelParams(id))
        for one in (running, cancelled):
            with pytest.raises(JsonRpcException, match="canceled"):
                await one
        assert client.published == []
        may_go_on.set()
        assert (await kept).range == between(0, 1, 10)
        assert codes(await client.diagnostics(uri)) == ["additionalProperties"]
        assert [one.version for one in client.published] == [3]

    talk(work, folder, create=slow)


@pytest.mark.parametrize(
    ("encodings", "columns"),
    [
        (None, (21, 24)),
        (["utf-8", "utf-16"], (28, 31)),
        (["utf-32"], (19, 22)),
        (["other", "utf-16"], (21, 24)),
    ],
)
def test_positions_are_in_the_encoding_of_the_client(
    encodings: list[str] | None, columns: tuple[int, int], folder: Path
) -> None:
    uri = (folder / "a.json").as_uri()
    text = '{"x": "é€😀😀", "y": "3"}'
    (folder / "schemas").mkdir()
    schema = {"properties": {"data": {"properties": {"y": {"type": "number"}}}}}
    (folder / "schemas" / "countdown.json").write_text(json.dumps(schema))

    async def work(client: Client) -> None:
        client.begin(uri, text)
        [one] = await client.diagnostics(uri)
        assert one.range == between(0, *columns)
        client.edit(uri, "4", one.range)
        assert await client.diagnostics(uri) == ()

    able: Any = capabilities(position_encodings=encodings)
    talk(work, folder, able=able)


# What changes beside the document


def test_changes_of_configuration_and_schemas_are_seen(folder: Path) -> None:
    uri = (folder / "a.json").as_uri()

    def changed(name: str) -> types.DidChangeWatchedFilesParams:
        event = types.FileEvent((folder / name).as_uri(), types.FileChangeType.Changed)
        return types.DidChangeWatchedFilesParams([event])

    async def work(client: Client) -> None:
        client.begin(uri, WRONG)
        assert codes(await client.diagnostics(uri)) == ["type"]
        await client.until(lambda: client.registered == ["workspace/didChangeWatchedFiles"])

        client.published.clear()
        config = (folder / "widgetschema.toml").read_text()
        (folder / "widgetschema.toml").write_text(f'{config}[severities]\ntype = "warning"\n')
        client.workspace_did_change_watched_files(changed("widgetschema.toml"))
        [one] = await client.diagnostics(uri)
        assert one.severity == types.DiagnosticSeverity.Warning

        client.published.clear()
        (folder / "schemas").mkdir()
        schema = folder / "schemas" / "countdown.json"
        schema.write_text('{"properties": {"data": {"required": ["added"]}}}')
        client.workspace_did_change_watched_files(changed("schemas/countdown.json"))
        assert codes(await client.diagnostics(uri)) == ["required"]

        client.published.clear()
        schema.write_text('{"properties": {"data": {"maxProperties": 1}}}')
        client.workspace_did_change_watched_files(changed("schemas/countdown.json"))
        assert codes(await client.diagnostics(uri)) == ["maxProperties"]

        client.published.clear()
        (folder / "widgetschema.toml").write_text("[files\n")
        client.workspace_did_change_watched_files(changed("widgetschema.toml"))
        assert codes(await client.diagnostics(uri)) == []
        [message] = client.messages
        assert "widgetschema.toml" in message

    talk(work, folder)


def test_changes_that_no_client_reports_are_seen_when_somebody_types_or_saves(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    file = folder / "a.json"
    file.write_text(WRONG)
    uri = file.as_uri()

    async def work(client: Client) -> None:
        client.begin(uri, WRONG)
        assert codes(await client.diagnostics(uri)) == ["type"]
        run(capsys, "validate", "--write-baseline")
        client.edit(uri, f"{WRONG} ")
        assert codes(await client.diagnostics(uri)) == []
        (folder / "widgetschema-baseline.json").unlink()
        (folder / "schemas").mkdir()
        schema = folder / "schemas" / "countdown.json"
        schema.write_text('{"properties": {"data": {"maxProperties": 1}}}')
        client.published.clear()
        saved = types.DidSaveTextDocumentParams(identifier(uri))
        client.text_document_did_save(saved)
        assert codes(await client.diagnostics(uri)) == ["maxProperties"]
        (folder / "widgetschema.toml").write_text("")
        client.edit(uri, WRONG)
        assert codes(await client.diagnostics(uri)) == []  # it is not mapped any more
        assert client.registered == []

    talk(work, folder, able=types.ClientCapabilities())


def test_a_check_by_the_configuration_as_it_was_is_not_said(folder: Path) -> None:
    uri = (folder / "a.json").as_uri()
    begun, may_go_on = threading.Event(), threading.Event()

    def slow(configuration: Configuration) -> Any:
        """A catalog that takes as long as the test wants."""
        begun.set()
        assert may_go_on.wait(HANG)
        return create(configuration)

    async def work(client: Client) -> None:
        client.begin(uri, WRONG)
        await asyncio.to_thread(begun.wait, HANG)  # the configuration has been read
        with (folder / "widgetschema.toml").open("a") as config:
            config.write('[severities]\ntype = "warning"\n')
        client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([]))
        with pytest.raises(JsonRpcException):  # once it is refused, what was sent before is done
            await client.request("widgetschema/nothing", None)
        may_go_on.set()
        [one] = await client.diagnostics(uri)
        assert one.severity == types.DiagnosticSeverity.Warning
        assert len(client.published) == 1

    talk(work, folder, create=slow)


def test_the_network_is_never_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uri = (folder / "a.json").as_uri()
    with socket.create_server(("127.0.0.1", 0)) as platform:
        platform.setblocking(False)
        port = platform.getsockname()[1]
        monkeypatch.setenv("WIDGETSCHEMA_BASE_URL", f"http://127.0.0.1:{port}/v1")
        monkeypatch.setenv("WIDGETSCHEMA_ACCESS_TOKEN", "a-token-for-tests-only")
        (folder / "widgetschema.toml").write_text('fetch = "auto"\n[files]\n"*.json" = "faq"\n')

        async def work(client: Client) -> None:
            client.begin(uri, "{}")
            [one] = await client.diagnostics(uri)
            assert "faq" in one.message
            lenses = types.CodeLensParams(identifier(uri))
            assert await client.text_document_code_lens_async(lenses) == ()

        talk_to_process(work, folder)
        with pytest.raises(BlockingIOError):
            platform.accept()


def test_a_fetched_schema_is_shown_from_the_cache(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    schema: Any = {
        "$id": "faq",
        "$schema": "http://json-schema.org/draft-07/schema#",
        "allOf": [{"$ref": "plugin"}],
        "properties": {"data": {"properties": {"n": {"title": "Number", "type": "integer"}}}},
    }
    project = tmp_path / "project"
    project.mkdir()
    (project / "widgetschema.toml").write_text('fetch = "auto"\n[files]\n"*.json" = "faq"\n')
    file = project / "a.json"
    file.write_text('{"n": 1}')
    monkeypatch.chdir(project)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with running({"faq": schema, "plugin": bundled()["plugin"]}) as platform:
        monkeypatch.setenv("WIDGETSCHEMA_BASE_URL", platform.base_url)
        monkeypatch.setenv("WIDGETSCHEMA_AUTH_URL", platform.auth_url)
        monkeypatch.setenv("WIDGETSCHEMA_ACCESS_TOKEN", platform.access_token())
        assert run(capsys, "validate", "a.json").code == 0

        async def work(client: Client) -> None:
            client.begin(file.as_uri(), file.read_text())
            assert await client.diagnostics(file.as_uri()) == ()
            document, place = identifier(file.as_uri()), at(0, 2)
            hover: Any = await client.text_document_hover_async(types.HoverParams(document, place))
            origin = f"faq#/properties/data/properties/n (from {platform.base_url}, fetched "
            assert origin in hover.contents.value
            definition = types.DefinitionParams(document, place)
            found: Any = await client.text_document_definition_async(definition)
            [one] = found
            path = Path(url2pathname(urlsplit(one.uri).path))
            assert path.is_relative_to(tmp_path / "cache")
            line = path.read_text().splitlines()[one.range.start.line]
            assert line[one.range.start.character : one.range.end.character] == '"n"'

        talk_to_process(work, project)


_WATCHFUL = """
import sys
forbidden = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "socket.connect",
             "socket.getaddrinfo", "socket.bind")
def watch(event, arguments):
    writes = event == "open" and not isinstance(arguments[0], int) and arguments[2] & 0o103
    if event in forbidden or writes:
        print(event, arguments, file=sys.stderr)
sys.addaudithook(watch)
sys.argv = ["widgetschema", "lsp"]
from widgetschema.cli.main import main
main()
"""


def test_a_repository_just_opened_can_neither_run_nor_fetch_nor_write_anything(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WIDGETSCHEMA_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("WIDGETSCHEMA_ACCESS_TOKEN", "a-token-for-tests-only")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    marker = folder / "marker"
    touch = f"open({str(marker)!r}, 'w')\n"
    for name in ("sitecustomize.py", "yaml.py", "conftest.py", "widgetschema.py", "jinja2.py"):
        (folder / name).write_text(touch)
    (folder / ".git").mkdir()
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / ".git" / "config").write_text(f"[core]\n\tfsmonitor = touch {marker}\n")
    (folder / "widgetschema.toml").write_text(
        'fetch = "refresh"\nbase-url = "https://example.invalid/api"\nreporters = ["junit=report.xml"]\n'
        '[files]\n"?.*" = "thing"\n"d.json" = "faraway"\n'
    )
    (folder / "schemas").mkdir()
    data = {
        "allOf": [{"$ref": "https://example.invalid/a.json"}],
        "properties": {"a": {"pattern": "^(a+)+$", "format": "uri"}},
    }
    schema = {"$id": "https://example.invalid/thing", "properties": {"data": data}}
    (folder / "schemas" / "thing.json").write_text(json.dumps(schema))
    (folder / "schemas" / "countdown.json").write_text(
        json.dumps({"properties": {"data": {"properties": {"a": data["properties"]["a"]}}}})  # type: ignore[index]
    )

    async def work(client: Client) -> None:
        value = f'{{"a": "{"a" * 60}!"}}'
        documents = [("a.json", value), ("b.yaml", value), ("c.json5", value), ("d.json", value)]
        documents += [
            (f"typed-{name}", f'{{"type": "countdown", "id": "x", "data": {text}}}')
            for name, text in documents
        ]
        for name, text in documents:
            uri = (folder / name).as_uri()
            client.begin(uri, text)
            assert await client.diagnostics(uri)
            place, document = at(0, 3), identifier(uri)
            await client.text_document_completion_async(types.CompletionParams(document, place))
            await client.text_document_hover_async(types.HoverParams(document, place))
            await client.text_document_definition_async(types.DefinitionParams(document, place))
            await client.text_document_code_lens_async(types.CodeLensParams(document))
            params = types.CodeActionParams(
                document, between(0, 0, 99), types.CodeActionContext([])
            )
            await client.text_document_code_action_async(params)

        assert client.messages == []

    talk_to_process(work, folder, "-P", "-c", _WATCHFUL)  # nothing goes to stderr
    assert not marker.exists()
    assert not (folder / "report.xml").exists()


def test_a_document_that_is_closed_has_no_findings(folder: Path) -> None:
    uri = (folder / "a.json").as_uri()

    async def work(client: Client) -> None:
        client.begin(uri, WRONG)
        await client.diagnostics(uri)
        client.text_document_did_close(types.DidCloseTextDocumentParams(identifier(uri)))
        await client.until(lambda: client.published[-1].version is None)
        assert client.published[-1].diagnostics == ()

    talk(work, folder)


# Documents of every kind


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a%20b/%C3%A9%25.json", "/a b/é%.json"),
        ("file://localhost/a.json", "/a.json"),
        ("file:///c%3A/a.json", "/c:/a.json"),
        ("file:///C:/a.json", "/C:/a.json"),
        ("file://server/share/a.json", None),
        ("untitled:Untitled-1", None),
        ("file:///a%00.json", None),
    ],
)
def test_uris_are_paths(uri: str, path: str | None) -> None:
    assert path_of(uri) == path


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_lines_end_as_the_editor_has_them(end: str, folder: Path) -> None:
    uri = (folder / "a.json").as_uri()
    text = WRONG.replace('{"timerDays"', f'{{{end}"é😀": 0,{end}"timerDays"')

    async def work(client: Client) -> None:
        client.begin(uri, text)
        found = await client.diagnostics(uri)
        assert [one.range for one in found if one.code == "type"] == [between(2, 13, 16)]
        assert [one.range for one in found if one.code != "type"] == [between(1, 0, 5)]
        client.edit(uri, "3", between(2, 13, 16))
        assert codes(await client.diagnostics(uri)) == ["additionalProperties"]

    talk(work, folder)


def test_documents_without_a_file_and_elsewhere(folder: Path, tmp_path_factory: Any) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "widgetschema.toml").write_text('[files]\n"b*.json" = "countdown"\n')
    document = f'{{"type": "countdown", "id": "x", "data": {WRONG}}}'

    async def work(client: Client) -> None:
        for uri, text, expected in (
            ("untitled:Untitled-1", document, True),
            ("untitled:Untitled-2", WRONG, False),
            ((elsewhere / "b 😀.json").as_uri(), WRONG, True),
            ((elsewhere / "c.json").as_uri(), WRONG, False),
            ("file:///a%00b.json", WRONG, False),
            ("vscode-vfs://github/a/b.json", WRONG, False),
        ):
            client.begin(uri, text)
            assert ("type" in codes(await client.diagnostics(uri))) is expected, uri

    talk(work, folder)


def test_yaml_has_all_but_the_form(folder: Path) -> None:
    (folder / "widgetschema.toml").write_text('[files]\n"*.yaml" = "countdown"\n')
    uri = (folder / "a.yaml").as_uri()
    text = 'content:\n  timerDays: "3"\nsettings: {}\nstyles: {}\n'

    async def work(client: Client) -> None:
        client.begin(uri, text, "yaml")
        [one] = await client.diagnostics(uri)
        assert (one.code, one.range) == ("type", between(1, 13, 16))
        document = identifier(uri)
        hover = await client.text_document_hover_async(types.HoverParams(document, at(1, 3)))
        assert hover is not None
        assert hover.range == between(1, 2, 11)
        assert not await client.text_document_code_lens_async(types.CodeLensParams(document))
        params = types.CodeActionParams(document, one.range, types.CodeActionContext([]))
        actions: Any = await client.text_document_code_action_async(params)
        assert [action.title for action in actions][:1] == ["Change to 3"]
        client.edit(uri, "\n  timerT", types.Range(at(1, 16), at(1, 16)))
        completion = types.CompletionParams(document, at(2, 8))
        items: Any = await client.text_document_completion_async(completion)
        [item] = [item for item in items if item.label == "timerTitle"]
        assert (item.text_edit.range, item.text_edit.new_text) == (
            between(2, 2, 8),
            "timerTitle: $0",
        )
        client.begin("untitled:1", 'type: "countdown"\n"type": "countdown"\n', "yaml")
        assert codes(await client.diagnostics("untitled:1")) == ["json.duplicate-member"]

    talk(work, folder)


def test_hostile_documents_are_answered(folder: Path) -> None:
    documents = [
        ("[" * 100_000, "json.depth"),
        ('{"content":' * 20_000, "json.depth"),
        ("[" + "1," * 100_000, "json.syntax"),
        ('"' + "x" * 1_000_000, "json.syntax"),
        ("\ud800\x00{]", "json.encoding"),
        ("/*" * 30_000, "json.syntax"),
        (json.dumps({f"m{n}": n for n in range(10_000)}), "additionalProperties"),
    ]

    async def work(client: Client) -> None:
        for number, (text, code) in enumerate(documents):
            uri = (folder / f"{number}.json").as_uri()
            client.begin(uri, text)
            found = await client.diagnostics(uri)
            assert code in codes(found)
            end = at(0, len(text))
            document = identifier(uri)
            await client.text_document_completion_async(types.CompletionParams(document, end))
            await client.text_document_hover_async(types.HoverParams(document, end))
            context = types.CodeActionContext([])
            whole = types.Range(at(0, 0), end)
            await client.text_document_code_action_async(
                types.CodeActionParams(document, whole, context)
            )
            client.edit(uri, FINE)
            assert codes(await client.diagnostics(uri)) == []
            assert client.messages == []

    talk_to_process(work, folder)


def test_hostile_texts_of_other_formats_are_answered(folder: Path) -> None:
    config = '[files]\n"*.yaml" = "countdown"\n"*.json5" = "countdown"\n"*.ndjson" = "countdown"\n'
    (folder / "widgetschema.toml").write_text(config)
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 30)
    )
    texts = [
        ("yaml", bomb),
        ("yaml", "- " * 60_000),
        ("yaml", "[" * 100_000),
        ("yaml", "{a: " * 30_000),
        ("yaml", "".join(f"{' ' * depth}a:\n" for depth in range(500))),
        ("yaml", "---\n" * 30_000),
        ("yaml", "? " * 60_000),
        ("yaml", "a: '" + "\n" * 100_000),
        ("yaml", "a: &" + "x" * 100_000),
        ("yaml", "\ud800\x00: 1"),
        ("json5", "{a:" * 50_000),
        ("json5", "/*" * 100_000),
        ("json5", "'\\" * 60_000),
        ("ndjson", "[\n" * 50_000),
        ("ndjson", "{}\n" * 50_000),
    ]

    async def work(client: Client) -> None:
        for number, (suffix, text) in enumerate(texts):
            uri = (folder / f"{number}.{suffix}").as_uri()
            client.begin(uri, text, suffix)
            assert await client.diagnostics(uri), text[:20]
            document = identifier(uri)
            lines = text.split("\n")
            places = [at(0, 1), at(len(lines) - 1, len(lines[-1]))]
            for place in places:
                await client.text_document_completion_async(types.CompletionParams(document, place))
                await client.text_document_hover_async(types.HoverParams(document, place))
            whole = types.Range(*places)
            await client.text_document_code_action_async(
                types.CodeActionParams(document, whole, types.CodeActionContext([]))
            )
        assert client.messages == []

    talk_to_process(work, folder)


# Features that only the protocol has


def test_a_saved_document_opens_as_a_form(folder: Path) -> None:
    file = folder / "a.json"
    file.write_text(FINE)
    uri = file.as_uri()
    addresses: list[str] = []

    async def work(client: Client) -> None:
        client.begin(uri, FINE)
        lenses = types.CodeLensParams(identifier(uri))
        [lens] = await client.text_document_code_lens_async(lenses) or ()
        command = lens.command
        assert command is not None
        assert (command.title, command.arguments) == ("Open as form", (uri,))
        run_it = types.ExecuteCommandParams(command.command, command.arguments)
        await client.workspace_execute_command_async(run_it)
        [address] = client.shown
        addresses.append(address)
        browser = build_opener(HTTPCookieProcessor())  # the address is exchanged for a cookie
        page = await asyncio.to_thread(lambda: browser.open(address).read())
        assert b"Timer days" in page

        client.edit(uri, WRONG)
        await client.workspace_execute_command_async(run_it)
        [message] = client.messages
        assert "save it first" in message
        client.messages.clear()

        for other in ("untitled:1", "file:///nowhere.json"):
            client.begin(other, f"[{FINE}]")
            lenses = types.CodeLensParams(identifier(other))
            assert await client.text_document_code_lens_async(lenses) == ()
        await client.workspace_execute_command_async(
            types.ExecuteCommandParams(command.command, ["untitled:1"])
        )
        [message] = client.messages
        assert "save the document first" in message

    talk(work, folder)
    [address] = addresses
    port = urlsplit(address).port
    with pytest.raises(ConnectionRefusedError):  # the form ends with the server
        socket.create_connection(("127.0.0.1", port or 0)).close()


def test_a_client_without_windows_is_told_the_address(folder: Path) -> None:
    file = folder / "a.json"
    file.write_text(FINE)

    async def work(client: Client) -> None:
        client.begin(file.as_uri(), FINE)
        run_it = types.ExecuteCommandParams("widgetschema.openForm", [file.as_uri()])
        await client.workspace_execute_command_async(run_it)
        [message] = client.messages
        assert "http://127.0.0.1:" in message
        client.edit(file.as_uri(), "{")
        whole = types.CompletionParams(identifier(file.as_uri()), at(0, 1))
        items: Any = await client.text_document_completion_async(whole)
        assert items
        assert all(one.insert_text_format == types.InsertTextFormat.PlainText for one in items)

    talk(work, folder, able=types.ClientCapabilities())


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="there is no such device")
def test_a_device_is_no_file_to_open_as_a_form(folder: Path) -> None:
    (folder / "zero.json").symlink_to("/dev/zero")
    uris = ["file:///dev/zero", f"{folder.as_uri()}/zero.json"]

    async def work(client: Client) -> None:
        for uri in uris:
            client.begin(uri, FINE)
            run_it = types.ExecuteCommandParams("widgetschema.openForm", [uri])
            await client.workspace_execute_command_async(run_it)
            assert "is not a regular file" in client.messages[-1]

    talk(work, folder)


def test_an_edit_is_for_the_version_that_it_is_about(folder: Path) -> None:
    uri = (folder / "a.json").as_uri()

    async def work(client: Client) -> None:
        client.begin(uri, "{}")
        cases: Any = (
            (None, ["quickfix", "source.fixAll.widgetschema"]),
            ([types.CodeActionKind.QuickFix], ["quickfix"]),
            ([types.CodeActionKind.SourceFixAll], ["source.fixAll.widgetschema"]),
            ([types.CodeActionKind.Refactor], []),
        )
        for only, kinds in cases:
            version = client.edit(uri, WRONG)
            context = types.CodeActionContext([], only=only)
            params = types.CodeActionParams(identifier(uri), between(0, 27, 27), context)
            actions: Any = await client.text_document_code_action_async(params)
            assert [one.kind for one in actions] == kinds
            for one in actions:
                client.edit(uri, WRONG)
                [edit] = one.edit.document_changes
                assert edit.text_document.version == version
                assert codes(one.diagnostics) == ["type"]
                client.edit(uri, edit.edits[0].new_text, edit.edits[0].range)
                assert codes(await client.diagnostics(uri)) == []

    talk(work, folder)


def test_an_edit_of_a_document_that_is_not_open_is_said(folder: Path) -> None:
    uri = (folder / "a.json").as_uri()

    async def work(client: Client) -> None:
        client.versions[uri] = 1
        client.edit(uri, "{}")
        await client.until(lambda: client.messages)
        assert "not open" in client.messages[0]
        assert (
            await client.text_document_hover_async(types.HoverParams(identifier(uri), at(0, 0)))
            is None
        )

    talk(work, folder)


# Its end


def start(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "widgetschema", "lsp", *arguments]
    return subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def message(**content: Any) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **content}).encode()
    return f"Content-Length: {len(body)}\r\n\r\n".encode() + body


def initialize(process: int | None) -> bytes:
    params: Any = {"processId": process, "rootUri": None, "capabilities": {}}
    return message(id=1, method="initialize", params=params) + message(
        method="initialized", params={}
    )


def test_to_exit_without_shutdown_is_a_failure(folder: Path) -> None:
    shut_down = message(id=2, method="shutdown")
    for before, code in ((b"", 1), (shut_down, 0)):
        with start(folder) as server:
            server.communicate(initialize(None) + before + message(method="exit"), HANG)
            assert server.returncode == code


def test_it_ends_when_its_client_closes_the_pipe(folder: Path) -> None:
    with start(folder, "--stdio") as server:
        out, _ = server.communicate(initialize(None), HANG)
        assert b'"serverInfo"' in out
        assert server.returncode == 1  # it was not asked to end


def test_it_ends_when_its_client_dies_and_leaves_the_pipe_open(folder: Path) -> None:
    client = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    with client, start(folder) as server:
        assert server.stdin is not None
        server.stdin.write(initialize(client.pid))
        server.stdin.flush()
        client.kill()
        assert server.wait(HANG) == 1


def test_nothing_but_messages_goes_to_standard_output(folder: Path) -> None:
    program = (
        "import os\n"
        "from widgetschema.lsp.server import serve\n"
        "def create(configuration):\n"
        "    print('noise', flush=True)\n"
        "    os.write(1, b'more')\n"
        "    raise OSError('nothing')\n"
        "raise SystemExit(serve(create))\n"
    )
    opened = {"uri": (folder / "a.json").as_uri(), "languageId": "json", "version": 1, "text": "{}"}
    said = initialize(None) + message(
        method="textDocument/didOpen", params={"textDocument": opened}
    )
    said += message(
        id=2, method="textDocument/codeLens", params={"textDocument": {"uri": opened["uri"]}}
    )
    said += message(id=3, method="shutdown") + message(method="exit")
    done = subprocess.run(
        [sys.executable, "-c", program], input=said, capture_output=True, cwd=folder, check=False
    )
    assert done.returncode == 0
    assert b"noise" in done.stderr
    assert b"noise" not in done.stdout
    parts = done.stdout.split(b"Content-Length: ")[1:]
    for part in parts:
        head, _, body = part.partition(b"\r\n\r\n")
        assert len(body) == int(head.split(b"\r\n")[0])
        json.loads(body)


def test_the_extra_is_named_when_it_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "widgetschema.lsp.server", None)
    assert "pip install 'widgetschema[lsp]'" in run(capsys, "lsp").err

"""The server as editors see it, in its process: by events and versions, never by time."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
import threading
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import HTTPCookieProcessor, build_opener

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.command import run
from tests.language_client import (
    FINE,
    HANG,
    WRONG,
    Client,
    at,
    between,
    capabilities,
    codes,
    identifier,
    talk,
)
from tests.unit.lsp.opened import create
from widgetschema.lsp.server import path_of
from widgetschema.project.config import Configuration


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project whose JSON files are countdowns."""
    (tmp_path / "widgetschema.toml").write_text('[files]\n"*.json" = "countdown"\n')
    return tmp_path


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
        assert item.insert_text_format == types.InsertTextFormat.Snippet
        client.begin("untitled:1", 'type: "countdown"\n"type": "countdown"\n', "yaml")
        assert codes(await client.diagnostics("untitled:1")) == ["json.duplicate-member"]

    talk(work, folder)


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


def test_the_extra_is_named_when_it_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "widgetschema.lsp.server", None)
    assert "pip install 'widgetschema[lsp]'" in run(capsys, "lsp").err

"""The language server as a process, with hostile and large documents."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest
from lsprotocol import types

from tests.command import run
from tests.language_client import (
    FINE,
    HANG,
    Client,
    at,
    between,
    codes,
    identifier,
    talk_to_process,
)
from tests.unit.lsp.opened import create
from widgetschema.catalog.store import bundled
from widgetschema.lsp.checks import check
from widgetschema.lsp.documents import Document
from widgetschema.lsp.projects import Projects
from widgetschema.sandbox import running


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project whose JSON files are countdowns."""
    (tmp_path / "widgetschema.toml").write_text('[files]\n"*.json" = "countdown"\n')
    return tmp_path


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

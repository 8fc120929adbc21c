"""A client of the language server, over the standard input and output of the command."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.io_ import StdinAsyncReader, StdoutWriter, run_async
from pygls.lsp.client import LanguageClient

from tests.command import environment
from tests.unit.lsp.opened import create
from widgetschema.catalog.catalog import Catalog
from widgetschema.lsp.server import make_server
from widgetschema.project.config import Configuration

HANG = 300.0  # seconds after which something is taken to hang


class Client(LanguageClient):
    """A client that keeps what the server says, in order."""

    def __init__(self) -> None:
        super().__init__("tests", "1")
        self.published: list[types.PublishDiagnosticsParams] = []
        self.messages: list[str] = []
        self.shown: list[str] = []
        self.registered: list[str] = []
        self.versions: dict[str, int] = {}
        self.reading: asyncio.Future[None] | None = None
        self.code: int | None = None  # of the server, when it has ended
        self.log = ""  # its standard error
        self._news = asyncio.Event()
        self._listen()

    def _listen(self) -> None:
        """Keep what the server says; the library wants functions, not methods."""

        @self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def publish(params: types.PublishDiagnosticsParams) -> None:
            self.published.append(params)
            self._news.set()

        @self.feature(types.WINDOW_SHOW_MESSAGE)  # type: ignore[untyped-decorator]
        def message(params: types.ShowMessageParams) -> None:
            self.messages.append(params.message)
            self._news.set()

        @self.feature(types.WINDOW_LOG_MESSAGE)  # type: ignore[untyped-decorator]
        def log(params: types.LogMessageParams) -> None:
            self.messages.append(params.message)
            self._news.set()

        @self.feature(types.WINDOW_SHOW_DOCUMENT)  # type: ignore[untyped-decorator]
        def show(params: types.ShowDocumentParams) -> types.ShowDocumentResult:
            self.shown.append(params.uri)
            self._news.set()
            return types.ShowDocumentResult(True)

        @self.feature(types.CLIENT_REGISTER_CAPABILITY)  # type: ignore[untyped-decorator]
        def register(params: types.RegistrationParams) -> None:
            self.registered += [one.method for one in params.registrations]
            self._news.set()

    async def server_exit(self, server: asyncio.subprocess.Process) -> None:
        """Keep how the server has ended."""
        self.code = server.returncode
        assert server.stderr is not None
        self.log = (await server.stderr.read()).decode()
        self._news.set()

    def request(self, method: str, params: Any, id: str | None = None) -> asyncio.Future[Any]:
        """Send a request now; return what will be its answer."""
        return asyncio.wrap_future(self.protocol.send_request(method, params, msg_id=id))

    async def greet(
        self,
        folder: Path,
        able: types.ClientCapabilities | None = None,
        process: int | None = None,
    ) -> None:
        """Begin; the server ends with `process`."""
        await self.initialize_async(
            types.InitializeParams(
                able or capabilities(),
                process_id=process,
                workspace_folders=[types.WorkspaceFolder(folder.as_uri(), folder.name)],
            )
        )
        self.initialized(types.InitializedParams())

    async def say_goodbye(self) -> None:
        """End properly."""
        await self.shutdown_async(None)
        self.exit(None)

    async def until(self, holds: Callable[[], Any]) -> None:
        """Wait for news until something holds."""
        async with asyncio.timeout(HANG):
            while not holds():
                self._news.clear()
                await self._news.wait()

    def begin(self, uri: str, text: str, language: str = "json") -> None:
        """Open a document."""
        self.versions[uri] = 1
        item = types.TextDocumentItem(uri, language, 1, text)
        self.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def edit(self, uri: str, text: str, between: types.Range | None = None) -> int:
        """Replace the text between two positions, or all of it; return the new version."""
        self.versions[uri] += 1
        changes: Sequence[types.TextDocumentContentChangeEvent] = (
            [types.TextDocumentContentChangeWholeDocument(text)]
            if between is None
            else [types.TextDocumentContentChangePartial(between, text)]
        )
        document = types.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        self.text_document_did_change(types.DidChangeTextDocumentParams(document, changes))
        return self.versions[uri]

    async def diagnostics(self, uri: str, version: int | None = None) -> Sequence[types.Diagnostic]:
        """Wait for what is said about a version of a document, by default the current one."""
        wanted = self.versions[uri] if version is None else version

        def found() -> list[types.PublishDiagnosticsParams]:
            """Return the messages about it, the last one last."""
            return [one for one in self.published if (one.uri, one.version) == (uri, wanted)]

        await self.until(found)
        return found()[-1].diagnostics


def capabilities(**general: Any) -> types.ClientCapabilities:
    """The capabilities of a client that has all that the server can use."""
    watched = types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
    item = types.ClientCompletionItemOptions(snippet_support=True)
    return types.ClientCapabilities(
        workspace=types.WorkspaceClientCapabilities(did_change_watched_files=watched),
        text_document=types.TextDocumentClientCapabilities(
            completion=types.CompletionClientCapabilities(completion_item=item)
        ),
        window=types.WindowClientCapabilities(
            show_document=types.ShowDocumentClientCapabilities(True)
        ),
        general=types.GeneralClientCapabilities(**general),
    )


def talk_to_process(
    work: Callable[[Client], Awaitable[Any]],
    folder: Path,
    *arguments: str,
) -> Any:
    """Return the result of work with the command in a folder; it must end properly."""

    async def connected() -> Any:
        client = Client()
        variables = environment()
        command = arguments or ("-m", "widgetschema", "lsp")
        await client.start_io(sys.executable, *command, cwd=folder, env=variables)
        async with asyncio.timeout(HANG):
            await client.greet(folder, process=os.getpid())
            result = await work(client)
            await client.say_goodbye()
            await client.stop()  # type: ignore[no-untyped-call]
        assert client.log == "", client.log
        assert client.code == 0, client.code
        return result

    return asyncio.run(connected())


def talk(
    work: Callable[[Client], Awaitable[Any]],
    folder: Path,
    *,
    able: types.ClientCapabilities | None = None,
    create: Callable[[Configuration], Catalog] = create,
) -> Any:
    """Return the result of work with a server in a thread, which starts faster than a process."""

    async def connected(client: Client) -> Any:
        async with asyncio.timeout(HANG):
            await client.greet(folder, able)
            result = await work(client)
            await client.say_goodbye()
            assert client.reading is not None
            await client.reading
        return result

    with _in_this_process(create) as connect:

        async def connect_here() -> Any:
            return await connected(connect())

        return asyncio.run(connect_here())


@contextlib.contextmanager
def _in_this_process(create: Callable[[Configuration], Catalog]) -> Iterator[Callable[[], Client]]:
    """A server in a thread, and a function that connects a client in a running event loop."""
    ours, theirs = os.pipe(), os.pipe()  # what the server reads, and what it writes
    server, session = make_server(create)

    def run() -> None:
        with os.fdopen(ours[0], "rb") as stdin, os.fdopen(theirs[1], "wb") as stdout:
            server.start_io(stdin, stdout)
        session.end()

    thread = threading.Thread(target=run)
    thread.start()
    # The server ends when the first is closed, and what reads the second when the server has ended.
    with os.fdopen(theirs[0], "rb") as stdout, os.fdopen(ours[1], "wb") as stdin:

        def connect() -> Client:
            client = Client()
            client.protocol.set_writer(StdoutWriter(stdin))
            reader = StdinAsyncReader(stdout, ThreadPoolExecutor(1))
            reading = run_async(threading.Event(), reader, client.protocol)
            client.reading = asyncio.ensure_future(reading)
            return client

        yield connect
    thread.join()


WRONG = '{"content": {"timerDays": "3"}, "settings": {}, "styles": {}}'
FINE = WRONG.replace('"3"', "3")


def codes(found: Sequence[types.Diagnostic]) -> list[Any]:
    return [one.code for one in found]


def at(line: int, character: int) -> types.Position:
    return types.Position(line, character)


def between(line: int, start: int, end: int) -> types.Range:
    return types.Range(at(line, start), at(line, end))


def identifier(uri: str) -> types.TextDocumentIdentifier:
    return types.TextDocumentIdentifier(uri)

"""The server: the language server protocol (3.17) over standard input and output.

Messages are taken in order, and each changes the documents at once. Checks run in one thread, the
latest text first of all; a result is sent only if its document still is the one that is open, and
nothing that it depends on has changed meanwhile. Requests are answered in another thread, in their
order, about the text as it was when they came.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeVar, cast
from urllib.parse import urlsplit
from urllib.request import url2pathname

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from widgetschema.catalog.catalog import Catalog
from widgetschema.editor import DocumentOpener, EditorSession, serving
from widgetschema.errors import WidgetSchemaError
from widgetschema.files import read_file
from widgetschema.lsp import actions, checks, completion, schema_places
from widgetschema.lsp.checks import Issue
from widgetschema.lsp.documents import Change, Document, Encoding, Position
from widgetschema.lsp.projects import Project, Projects
from widgetschema.project.checking.checker import Checker
from widgetschema.project.config import Configuration
from widgetschema.project.edited_file import EditedFile
from widgetschema.version import __version__

SOURCE: Final = "widgetschema"
OPEN_FORM: Final = "widgetschema.openForm"
QUICK_FIX: Final = "quickfix"
FIX_ALL: Final = "source.fixAll.widgetschema"
_WATCHED: Final = "**/*.{json,toml,yaml,yml}"  # schemas, the configuration, the baseline
_SEVERITIES: Final = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}
_KINDS: Final = {
    "member": types.CompletionItemKind.Property,
    "value": types.CompletionItemKind.Value,
    "type": types.CompletionItemKind.Class,
}
# Seconds after which a check lets the thread go on that reads what is typed meanwhile.
_SWITCH: Final = 0.0005
_MOST_FORMS: Final = 8  # that are served at once; the one that was opened first ends
_DRIVE: Final = re.compile(r"\A/([A-Za-z])(?:%3A|%3a)")  # some clients encode the colon
_Result = TypeVar("_Result")
_FAILURES: Final = (WidgetSchemaError, OSError)


class _Protocol(LanguageServerProtocol):
    """Hands the texts of documents to a `Session`, which has its own.

    Those of the library end lines at characters that end none, such as U+2028.
    """

    session: Session

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        """Begin with a document."""
        self.session.open(params.text_document)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Take an edit."""
        self.session.change(params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        """Let go of a document."""
        self.session.close(params.text_document.uri)


class FormServer:
    """The editors of a server, each with a port and an address of its own.

    An address is valid once, so each request begins an editor anew. Not to be shared among threads.
    """

    def __init__(self) -> None:
        self._served: dict[str, ExitStack] = {}

    def address(self, path: str, checker: Checker) -> str:
        """Begin to serve the form of a file; return the address.

        Raises `MissingExtra`, `OSError`, and what opening the file raises.
        """
        previous = self._served.pop(path, None)
        if previous is not None:
            previous.close()
        while len(self._served) >= _MOST_FORMS:
            self._served.pop(next(iter(self._served))).close()
        served = ExitStack()
        session = EditorSession(EditedFile(path), DocumentOpener(checker, path))
        address = served.enter_context(serving(session))
        self._served[path] = served
        return address

    def close(self) -> None:
        """End all editors."""
        while self._served:
            self._served.popitem()[1].close()


class Session:
    """The open documents of one client, and all that is done about them.

    Its methods run in the event loop, unless they say otherwise.
    """

    def __init__(self, server: LanguageServer, projects: Projects) -> None:
        self.documents: dict[str, Document] = {}
        self.is_shut_down = False
        self._server = server
        self._projects = projects
        self._forms = FormServer()
        self._checking = ThreadPoolExecutor(1, "check")
        self._answering = ThreadPoolExecutor(1, "answer")
        self._waiting: dict[str, None] = {}  # documents that are to be checked
        self._task: asyncio.Task[None] | None = None
        self._issues: dict[str, tuple[Document, list[Issue]]] = {}  # as they were last sent
        self._problems: dict[str, str] = {}  # why a folder has no project, as it was last said

    # Documents

    def open(self, item: types.TextDocumentItem) -> None:
        """Begin with a document."""
        encoding = cast("Encoding", str(self._encoding()))
        path = path_of(item.uri)
        self.documents[item.uri] = Document(
            item.uri, path, item.version, item.text, encoding, item.language_id
        )
        self._check_later(item.uri)

    def change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Take an edit; one of a document that is not open is a mistake of the client."""
        uri = params.text_document.uri
        document = self.documents.get(uri)
        if document is None:
            self._log(f"{uri}: an edit of a document that is not open is ignored")
            return
        changes = [_change(one) for one in params.content_changes]
        self.documents[uri] = document.changed(params.text_document.version, changes)
        self._check_later(uri)

    def close(self, uri: str) -> None:
        """Let go of a document; what was said about it is taken back."""
        self._waiting.pop(uri, None)
        self._issues.pop(uri, None)
        if self.documents.pop(uri, None) is not None:
            self._publish(uri, None, [])

    def check_all(self) -> None:
        """Check every document again, since schemas or the configuration may have changed."""
        self._checking.submit(self._projects.refresh)
        for uri in self.documents:
            self._check_later(uri)

    # Checks

    def _check_later(self, uri: str) -> None:
        self._waiting.pop(uri, None)
        self._waiting[uri] = None
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._check_waiting())

    async def _check_waiting(self) -> None:
        """Check the documents that wait, the one that changed last first, until there is none."""
        loop = asyncio.get_running_loop()
        while self._waiting:
            uri, _ = self._waiting.popitem()
            document = self.documents[uri]
            folder, root = self._folders(document)
            issues: list[Issue] = []
            try:
                issues = await loop.run_in_executor(
                    self._checking, self._check, document, folder, root
                )
                self._problems.pop(folder, None)
            except _FAILURES as error:
                self._report(folder, error)
            except Exception as error:
                self._log(f"{uri}: {type(error).__name__}: {error}", types.MessageType.Error)
            if self.documents.get(uri) is document and uri not in self._waiting:
                self._issues[uri] = (document, issues)
                self._publish(uri, document, issues)

    def _check(self, document: Document, folder: str, root: str | None) -> list[Issue]:
        """Return the issues of a document. In the thread of checks."""
        return checks.check(document, self._projects.of_folder(folder, root))

    def _publish(self, uri: str, document: Document | None, issues: Sequence[Issue]) -> None:
        diagnostics = [] if document is None else [_diagnostic(document, one) for one in issues]
        self._server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(
                uri, diagnostics, None if document is None else document.version
            )
        )

    # Answers

    async def answer(
        self, uri: str, work: Callable[[Document, Project], _Result], otherwise: _Result
    ) -> _Result:
        """Return the result of some work on a document, as it is now, in the thread of answers."""
        document = self.documents.get(uri)
        if document is None:
            return otherwise
        folder, root = self._folders(document)

        def answer() -> _Result:
            """Do the work. In the thread of answers."""
            return work(document, self._projects.of_folder(folder, root))

        try:
            return await asyncio.get_running_loop().run_in_executor(self._answering, answer)
        except _FAILURES as error:
            self._report(folder, error)
            return otherwise

    def issues(self, document: Document, project: Project) -> list[Issue]:
        """Return the issues of a document. In the thread of answers."""
        known = self._issues.get(document.uri)
        if known is not None and known[0] is document:
            return known[1]
        return checks.check(document, project)

    async def open_form(self, uri: str) -> None:
        """Open the form of a saved file in the browser of the client."""
        document = self.documents.get(uri)
        if document is None or document.path is None:
            self._say("save the document first: a form edits a file")
            return
        path = document.path

        def serve(document: Document, project: Project) -> str:
            """Return the address of the form. In the thread of answers."""
            if read_file(path) != document.raw:
                raise OSError(f"{path}: save it first, since the form edits the file")
            return self._forms.address(path, checks.checker_of(document, project))

        address = await self.answer(uri, serve, "")
        if not address:
            return
        show = types.ShowDocumentParams(address, external=True)
        window = self._server.client_capabilities.window
        if window is not None and window.show_document is not None and window.show_document.support:
            await self._server.window_show_document_async(show)
        else:
            self._say(f"open this address in a browser: {address}", types.MessageType.Info)

    def end(self) -> None:
        """Let go of everything."""
        self._forms.close()
        for executor in (self._checking, self._answering):
            executor.shutdown(wait=False, cancel_futures=True)

    # The client

    @property
    def has_snippets(self) -> bool:
        """True if the client has snippets in completions."""
        text_document = self._server.client_capabilities.text_document
        offered = text_document and text_document.completion
        item = offered and offered.completion_item
        return bool(item and item.snippet_support)

    def _encoding(self) -> str:
        encoding = self._server.workspace.position_encoding
        return encoding.value if isinstance(encoding, types.PositionEncodingKind) else str(encoding)

    def _folders(self, document: Document) -> tuple[str, str | None]:
        """Return the folder of a document, and the folder of the workspace that it is in, if any.

        A document without a file is taken to be in the first folder of the workspace.
        """
        workspace = self._server.workspace
        folders = [path_of(one.uri) for one in workspace.folders.values()] or [workspace.root_path]
        roots = [os.path.normpath(one) for one in folders if one is not None]
        folder = document.folder
        if folder is None:
            return (roots or [os.getcwd()])[0], None
        around = [
            one for one in roots if f"{folder}{os.sep}".startswith(one.rstrip(os.sep) + os.sep)
        ]
        return folder, max(around, key=len, default=None)

    def _report(self, folder: str, error: Exception) -> None:
        """Show once the reason why a folder cannot be checked, until it changes."""
        message = str(error)
        if self._problems.get(folder) != message:
            self._problems[folder] = message
            self._say(message)

    def _say(self, message: str, kind: types.MessageType = types.MessageType.Error) -> None:
        self._server.window_show_message(types.ShowMessageParams(kind, f"{SOURCE}: {message}"))

    def _log(self, message: str, kind: types.MessageType = types.MessageType.Warning) -> None:
        self._server.window_log_message(types.LogMessageParams(kind, f"{SOURCE}: {message}"))


def make_server(
    create_catalog: Callable[[Configuration], Catalog],
) -> tuple[LanguageServer, Session]:
    """Return the server, not running yet, and its session.

    Args:
        create_catalog: Makes the catalog of a configuration; it must not use the network.

    Returns:
        A server of pygls, and what it does.
    """
    server = LanguageServer(SOURCE, __version__, protocol_cls=_Protocol)
    session = Session(server, Projects(create_catalog, os.environ))
    cast("_Protocol", server.protocol).session = session
    _add_notifications(server, session)
    _add_requests(server, session)
    return server, session


def serve(create_catalog: Callable[[Configuration], Catalog]) -> int:
    """Serve a client over standard input and output until it ends; return the exit code.

    Nothing else can write to standard output meanwhile: it becomes standard error.
    """
    server, session = make_server(create_catalog)
    sys.setswitchinterval(_SWITCH)
    with _own_stdout() as stdout:
        server.start_io(sys.stdin.buffer, stdout)
    session.end()
    return 0 if session.is_shut_down else 1


@contextlib.contextmanager
def _own_stdout() -> Any:
    """Yield standard output for the client alone: whatever else is printed goes to stderr."""
    sys.stdout.flush()
    with os.fdopen(os.dup(1), "wb") as stdout:
        os.dup2(2, 1)
        yield cast("BinaryIO", stdout)


def _end_with(process: int | None) -> None:
    """End this process when another one, the client, ends without saying so."""
    if process is None or sys.platform == "win32":
        return
    try:
        os.kill(process, 0)
    except ProcessLookupError:  # such as in a container, where the client has another number
        return
    except PermissionError:
        pass

    def wait() -> None:
        """Wait for the end of the client."""
        _wait_for_end(process)
        os._exit(1)

    threading.Thread(target=wait, name="client", daemon=True).start()


def _wait_for_end(process: int) -> None:
    import select

    if hasattr(os, "pidfd_open"):
        with contextlib.suppress(OSError):
            select.select([os.pidfd_open(process)], [], [])
            return
    pause = threading.Event()
    with contextlib.suppress(ProcessLookupError):
        while True:
            os.kill(process, 0)
            pause.wait(5)


def _add_notifications(server: LanguageServer, session: Session) -> None:
    @server.feature(types.INITIALIZED)
    async def initialized(params: types.InitializedParams) -> None:
        """Ask the client to report files that change."""
        _end_with(server.process_id)
        workspace = server.client_capabilities.workspace
        watching = None if workspace is None else workspace.did_change_watched_files
        if watching is not None and watching.dynamic_registration:
            options = types.DidChangeWatchedFilesRegistrationOptions(
                [types.FileSystemWatcher(_WATCHED)]
            )
            registration = types.Registration(
                "files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options
            )
            await server.client_register_capability_async(types.RegistrationParams([registration]))

    @server.feature(types.SHUTDOWN)
    def shut_down(params: None) -> None:
        """Record that the client has ended properly."""
        session.is_shut_down = True

    def check_all(params: Any) -> None:
        """Check every document again."""
        session.check_all()

    for notification in (
        types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
        types.WORKSPACE_DID_CHANGE_CONFIGURATION,
        types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS,
        types.TEXT_DOCUMENT_DID_SAVE,
    ):
        server.feature(notification)(check_all)


def _add_requests(server: LanguageServer, session: Session) -> None:
    def add(name: str, options: Any, work: Callable[..., Any], otherwise: Any) -> None:
        """Answer a request about a document by `work`, in the thread of answers."""

        async def answer(params: Any) -> Any:
            uri = params.text_document.uri
            return await session.answer(uri, partial(work, session, params), otherwise)

        server.feature(name, options)(answer)

    triggers = types.CompletionOptions(trigger_characters=['"', ":", " ", ","])
    add(types.TEXT_DOCUMENT_COMPLETION, triggers, _completions, [])
    add(types.TEXT_DOCUMENT_HOVER, None, _hover, None)
    add(types.TEXT_DOCUMENT_DEFINITION, None, _definitions, [])
    kinds = types.CodeActionOptions([QUICK_FIX, FIX_ALL])
    add(types.TEXT_DOCUMENT_CODE_ACTION, kinds, _code_actions, [])
    add(types.TEXT_DOCUMENT_CODE_LENS, None, _code_lenses, [])

    @server.command(OPEN_FORM)
    async def open_form(uri: str) -> None:
        """Open a document as a form."""
        await session.open_form(uri)


def _completions(
    session: Session, params: types.CompletionParams, document: Document, project: Project
) -> list[types.CompletionItem]:
    items = completion.complete(document, project, _offset(document, params.position))
    has_snippets = session.has_snippets
    return [
        _completion_item(document, one, number, has_snippets=has_snippets)
        for number, one in enumerate(items)
    ]


def _hover(
    session: Session, params: types.HoverParams, document: Document, project: Project
) -> types.Hover | None:
    found = schema_places.hover(document, project, _offset(document, params.position))
    if found is None:
        return None
    content = types.MarkupContent(types.MarkupKind.PlainText, found.text)
    return types.Hover(content, _range(document, found.start, found.end))


def _definitions(
    session: Session, params: types.DefinitionParams, document: Document, project: Project
) -> list[types.Location]:
    offset = _offset(document, params.position)
    places = schema_places.definitions(document, project, offset)
    return [_location(one, document.encoding) for one in places]


def _code_actions(
    session: Session, params: types.CodeActionParams, document: Document, project: Project
) -> list[types.CodeAction]:
    """Return the fixes of the issues in a range."""
    only = params.context.only
    issues = session.issues(document, project)
    start, end = (_offset(document, one) for one in (params.range.start, params.range.end))
    found: list[types.CodeAction] = []
    if _is_wanted(QUICK_FIX, only):
        touched = [one for one in issues if one.start <= end and start <= one.end]
        some = actions.fixes(document, project, touched)
        found += [_code_action(document, one, QUICK_FIX) for one in some]
    if _is_wanted(FIX_ALL, only):
        every = actions.fix_all(document, project, issues)
        found += [] if every is None else [_code_action(document, every, FIX_ALL)]
    return found


def _code_lenses(
    session: Session, params: types.CodeLensParams, document: Document, project: Project
) -> list[types.CodeLens]:
    """Return the lens that opens a document as a form."""
    checker = checks.checker_of(document, project)
    if document.path is None or not checks.is_one_widget(document, project, checker):
        return []
    command = types.Command("Open as form", OPEN_FORM, arguments=[document.uri])
    return [types.CodeLens(_range(document, 0, 0), command)]


# The protocol


def path_of(uri: str) -> str | None:
    """Return the path of a file on this machine, None for any other URI."""
    parts = urlsplit(uri)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return None
    path = url2pathname(_DRIVE.sub(r"/\1:", parts.path))
    return None if "\0" in path else path


def _change(change: types.TextDocumentContentChangeEvent) -> Change:
    if isinstance(change, types.TextDocumentContentChangePartial):
        between = change.range
        return Change(change.text, _position(between.start), _position(between.end))
    return Change(change.text)


def _position(position: types.Position) -> Position:
    return Position(position.line, position.character)


def _offset(document: Document, position: types.Position) -> int:
    return document.offset(_position(position))


def _range(document: Document, start: int, end: int) -> types.Range:
    first, last = document.position(start), document.position(end)
    return types.Range(types.Position(*first), types.Position(*last))


def _diagnostic(document: Document, issue: Issue) -> types.Diagnostic:
    return types.Diagnostic(
        _range(document, issue.start, issue.end),
        issue.message,
        _SEVERITIES[issue.severity],
        issue.code,
        source=SOURCE,
    )


def _completion_item(
    document: Document, item: completion.Item, number: int, *, has_snippets: bool
) -> types.CompletionItem:
    edit = types.TextEdit(
        _range(document, item.start, item.end), item.text if has_snippets else item.plain
    )
    plain = types.MarkupContent(types.MarkupKind.PlainText, item.documentation)
    return types.CompletionItem(
        item.label,
        kind=_KINDS[item.kind],
        detail=item.detail or None,
        documentation=plain if item.documentation else None,
        sort_text=f"{number:04}",
        insert_text_format=(
            types.InsertTextFormat.Snippet
            if has_snippets and item.text != item.plain
            else types.InsertTextFormat.PlainText
        ),
        text_edit=edit,
    )


def _location(place: schema_places.SchemaPlace, encoding: Encoding) -> types.Location:
    schema = Document("", place.path, 0, place.text, encoding)
    return types.Location(Path(place.path).absolute().as_uri(), _range(schema, *place[2:]))


def _is_wanted(kind: str, only: Sequence[str] | None) -> bool:
    """Return whether a client wants actions of a kind: it may name one, or one that has it."""
    return only is None or any(f"{kind}.".startswith(f"{one}.") for one in map(_value, only))


def _value(kind: Any) -> str:
    return kind.value if isinstance(kind, types.CodeActionKind) else str(kind)


def _code_action(document: Document, action: actions.Action, kind: str) -> types.CodeAction:
    edits = [types.TextEdit(_range(document, one.start, one.end), one.text) for one in action.edits]
    versioned = types.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
    return types.CodeAction(
        action.title,
        kind=kind,
        diagnostics=[_diagnostic(document, issue) for issue in action.issues],
        is_preferred=(action.is_safe and kind == QUICK_FIX) or None,
        edit=types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(versioned, [*edits])]),
    )

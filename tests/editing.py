"""The editor as a browser without a script meets it: real HTTP over loopback, and real forms."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import httpx
from selectolax.lexbor import LexborHTMLParser

from tests.browsing import Pairs, entries, text_of
from tests.command import environment
from tests.terminal import HANG
from widgetschema.catalog.catalog import Catalog
from widgetschema.editor import DocumentOpener, EditorSession, Preview, serving
from widgetschema.editor.reconciliation import PREFIX
from widgetschema.forms.html.themes import ThemeName, read_theme
from widgetschema.project.checking.checker import Checker
from widgetschema.project.edited_file import EditedFile

WIDGET = Path(__file__).parent / "data" / "widgets" / "black-friday.json"
TITLE = "#/data/content/timerTitle"
DAYS = "#/data/content/timerDays"
HOURS = "#/data/content/hoursLabel"
PANE = f"{PREFIX}pane"


class Page:
    """One tab: the page that is shown, and what is sent from it."""

    def __init__(self, client: httpx.Client, url: str) -> None:
        self.client = client
        self.url = url
        self.markup = ""
        self.status = 0
        self._posted: Pairs = []

    def open(self, address: str = "/") -> Page:
        """Go to an address."""
        return self._shown(self.client.get(httpx.URL(self.url).join(address)))

    def press(self, button: str, edits: Mapping[str, str] | None = None) -> Page:
        """Edit some controls, and press the button with this value."""
        pairs = self._edited(entries(self.markup, press=button), edits or {})
        return self._shown(self.client.post(self.url, content=_encoded(pairs), headers=_FORM))

    def enter(self, edits: Mapping[str, str] | None = None) -> Page:
        """Send the form as the keyboard does, without a button that is named."""
        pairs = self._edited(entries(self.markup), edits or {})
        return self._shown(self.client.post(self.url, content=_encoded(pairs), headers=_FORM))

    def live(self, edits: Mapping[str, str] | None = None) -> dict[str, Any]:
        """Return the answer to the script."""
        pairs = self._edited(entries(self.markup), edits or {})
        response = self.client.post(f"{self.url}live", content=_encoded(pairs), headers=_FORM)
        assert response.status_code == 200, response.text
        answer: dict[str, Any] = response.json()
        return answer

    def check(self) -> httpx.Response:
        """A live check of an edit, sent as it was made the first time: for measuring."""
        if not self._posted:
            name = next(name for name, _ in entries(self.markup) if name.endswith("/timerTitle"))
            self._posted = self._edited(entries(self.markup), {name: "Ends soon"})
        return self.client.post(f"{self.url}live", content=_encoded(self._posted), headers=_FORM)

    def value(self, name: str) -> str:
        """The value of a control."""
        [value] = [value for one, value in entries(self.markup) if one == name]
        return value

    @property
    def pane(self) -> str:
        """The text in the JSON pane."""
        return self.value(PANE).replace("\r\n", "\n")

    @property
    def text(self) -> str:
        """The text of the page, in one line."""
        return text_of(self.markup)

    def said(self, id: str) -> str:
        """The text of a part of the page, in one line."""
        node = LexborHTMLParser(self.markup).css_first(f"#{id}")
        return "" if node is None else " ".join(node.text(separator=" ").split())

    def _edited(self, pairs: Pairs, edits: Mapping[str, str]) -> Pairs:
        names = {name for name, _ in pairs}
        more = [(name, value) for name, value in edits.items() if name not in names]
        return [(name, edits.get(name, value)) for name, value in pairs] + more

    def _shown(self, response: httpx.Response) -> Page:
        self.markup = response.text
        self.status = response.status_code
        self.url = str(response.url.join("/"))
        return self


_FORM = {"content-type": "application/x-www-form-urlencoded"}


def _encoded(pairs: Pairs) -> bytes:
    return urlencode(pairs).encode()


def browsing(address: str, **options: Any) -> httpx.Client:
    """A client that sends what a browser sends from a page of this address."""
    origin = f"http://{urlsplit(address).netloc}"
    headers = {"origin": origin, "sec-fetch-site": "same-origin"}
    return httpx.Client(headers=headers, follow_redirects=True, timeout=HANG, **options)


def editor_of(
    path: Path,
    *,
    type_id: str | None = None,
    kind: str = "auto",
    at: str | None = None,
    schemas: Mapping[str, Any] | None = None,
    ui: Mapping[str, Any] | None = None,
    initial: str = "",
    preview: Preview | None = None,
) -> EditorSession:
    """The editing of a file."""
    catalog = Catalog.default() if schemas is None else Catalog([schemas])
    checker = Checker(catalog, type_id=type_id, kind=kind)
    return EditorSession(
        EditedFile(str(path)), DocumentOpener(checker, str(path), at=at, ui=ui), initial, preview
    )


@contextmanager
def editing(path: Path, theme: ThemeName = "plain", **options: Any) -> Iterator[Page]:
    """A tab with the editor of a file, whose address was opened."""
    served = serving(editor_of(path, **options), theme=read_theme(theme))
    with served as address, tab(address) as page:
        yield page


class Started:
    """A command that serves the editor, as a process, and the address that it printed."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        assert process.stderr is not None
        self.line = process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=[\w-]{43}$", self.line)
        if found is None:
            raise AssertionError(self.line + process.communicate(timeout=HANG)[1])
        self.advice = process.stderr.readline()  # what `communicate` would no longer see
        self.address = found.group()
        self.port = int(found.group(1))

    def end(self, how: signal.Signals) -> tuple[int, str, str]:
        """End it as a person does: exit code, standard output, the rest of standard error."""
        self.process.send_signal(how)
        out, err = self.process.communicate(timeout=HANG)
        return self.process.returncode, out, err


@contextmanager
def started(*arguments: str | Path, cwd: Path, **variables: str) -> Iterator[Started]:
    """The command, run until it is ended."""
    command = [sys.executable, "-m", "widgetschema", *map(str, arguments)]
    with subprocess.Popen(
        command,
        cwd=cwd,
        env=environment(**variables),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield Started(process)
        finally:
            if process.poll() is None:
                process.kill()


@contextmanager
def tab(address: str) -> Iterator[Page]:
    """A tab in which an address was opened."""
    with browsing(address) as client:
        yield Page(client, address).open(address)

"""A canary as token, client secret and code: on no failure path does anybody see it.

Each fault of the sandbox is a failure path. Looked through are standard output and error, every
log at DEBUG, each error with its tracebacks and their local variables, and every file but that of
the tokens, which only its owner can read.
"""

from __future__ import annotations

import json
import logging
import os
import stat
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.command import GOOD, Run, run
from widgetschema import Accounts, Secret, WidgetSchemaError
from widgetschema.platform import Client, connect
from widgetschema.platform.fetcher import Fetcher, cache_root
from widgetschema.sandbox import FAULTS, REDIRECT_URI, Sandbox, running

Capture = pytest.CaptureFixture[str]

SECRET = "canary-secret-4711"
QUICK = {
    "slow": "slow=20",
    "drip": "drip=5",
    "bomb": "bomb=6",
    "endless": "endless=6",
    "rate-limit": "rate-limit=600",
    "rate-limit-date": "rate-limit-date=600",
    "status": "status=501",
}
SPELLINGS = [QUICK.get(name, name) for name in FAULTS] + ["echo=200", "echo=401", "status=401"]
COMMANDS = [
    ("widgets",),
    ("widgets", "--format", "json"),
    ("pull", "--all-used"),
    ("pull", "countdown", "--check", "--format", "json"),
    ("diff", "countdown"),
    ("validate", "data.json", "--type", "countdown", "--fetch", "refresh"),
    ("status",),
    ("status", "--format", "json"),
]


@pytest.fixture
def logs() -> Iterator[list[str]]:
    """All that is logged, by anybody."""
    records: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            records.append(self.format(record))

    keep, root = Keep(), logging.getLogger()
    keep.setFormatter(logging.Formatter("%(name)s %(message)s %(exc_text)s"))
    before = root.level
    root.addHandler(keep)
    root.setLevel(logging.DEBUG)
    yield records
    root.removeHandler(keep)
    root.setLevel(before)


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sandbox]:
    defaults = Client.__init__.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "sleep", lambda seconds: None)  # before asking again
    with running(client_secret=SECRET) as made:
        monkeypatch.setenv("WIDGETSCHEMA_BASE_URL", made.base_url)
        monkeypatch.setenv("WIDGETSCHEMA_AUTH_URL", made.auth_url)
        monkeypatch.setenv("WIDGETSCHEMA_CLIENT_ID", made.client_id)
        monkeypatch.setenv("WIDGETSCHEMA_CLIENT_SECRET", SECRET)
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        (tmp_path / "project").mkdir()
        monkeypatch.chdir(tmp_path / "project")
        Path("data.json").write_bytes(GOOD)
        yield made


def tokens_file() -> Path:
    return Path(os.environ["XDG_CONFIG_HOME"], "widgetschema", "tokens.json")


def tokens(value: Any) -> set[str]:
    """Every token in the file of tokens."""
    if not isinstance(value, dict):
        return set()
    own = {text for name, text in value.items() if name.endswith("_token")}
    return {text for text in own if isinstance(text, str)}.union(*map(tokens, value.values()))


def texts(error: BaseException) -> Iterator[str]:
    """All that anybody could print of an error and of those that led to it, with the local
    variables of every frame that is not of this test.
    """
    todo, seen = [error], set[int]()
    while todo:
        one = todo.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        yield from (str(one), repr(one), repr(one.args), repr(vars(one)))
        todo += [other for other in (one.__cause__, one.__context__) if other is not None]
        for frame, _ in traceback.walk_tb(one.__traceback__):
            if frame.f_code.co_filename != __file__:
                yield repr({name: repr(value) for name, value in frame.f_locals.items()})


def files(folder: Path) -> Iterator[tuple[Path, str]]:
    for path in folder.rglob("*"):
        if path.is_file() and path != tokens_file():
            yield path, path.read_bytes().decode("utf-8", "replace")


def assert_hidden(where: str, text: str, canaries: set[str]) -> None:
    for canary in canaries:
        forms = {canary, json.dumps(canary)[1:-1], canary.replace("+", "%2B").replace("/", "%2F")}
        assert not any(form in text for form in forms), where


def log_in(sandbox: Sandbox, capsys: Capture) -> Run:
    return run(capsys, "login", "--code", sandbox.code(), "--redirect-uri", REDIRECT_URI)


@pytest.mark.parametrize("fault", SPELLINGS)
def test_on_every_failure_path(
    sandbox: Sandbox, capsys: Capture, logs: list[str], tmp_path: Path, fault: str
) -> None:
    if fault.startswith("echo"):  # where the server repeats a token, others log its response
        logging.getLogger("httpcore").setLevel(logging.INFO)
    canaries = {SECRET}
    said: list[tuple[str, str]] = []
    assert log_in(sandbox, capsys).code == 0
    canaries |= tokens(json.loads(tokens_file().read_bytes()))
    assert len(canaries) == 3
    users: dict[str, Secret | None] = {}
    accounts = Accounts(
        sandbox.base_url,
        sandbox.auth_url,
        client_id=sandbox.client_id,
        client_secret=SECRET,
        redirect_uri=REDIRECT_URI,
        load=users.get,
        save=users.__setitem__,
        warn=lambda _: None,
    )
    accounts.finish_login("ann", sandbox.code())
    saved = users["ann"]
    assert saved is not None
    canaries |= tokens(json.loads(saved.reveal()))
    sandbox.fault(fault)
    code = sandbox.code()
    canaries.add(code)
    result = run(capsys, "login", "--code", code, "--redirect-uri", REDIRECT_URI)
    said.append(("login", repr(result)))
    for command in COMMANDS:
        said.append((" ".join(command), repr(run(capsys, *command))))
    sandbox.expire_tokens()
    said.append(("expired", repr(run(capsys, "widgets"))))
    try:
        canaries |= tokens(json.loads(tokens_file().read_bytes()))
        with connect() as client:
            cache = cache_root()
            calls: dict[str, Callable[[], object]] = {
                "widgets": client.widgets,
                "all": lambda: [*client.iter_widgets()],
                "schema": lambda: client.widget_type_schema("countdown"),
                "fetch": lambda: Fetcher(client, cache=cache, warn=lambda _: None)["countdown"],
                "exchange": lambda: client.exchange_code(
                    client_id="x", client_secret=SECRET, code=code, redirect_uri="http://x/"
                ),
                "refresh": lambda: client.refresh(
                    client_id="x", client_secret=SECRET, refresh_token=code
                ),
            }
            if not fault.startswith(("bomb", "endless")):  # which take long
                calls["login of a user"] = lambda: accounts.finish_login("bob", sandbox.code())
                calls["type of a user"] = lambda: accounts.catalog("ann")["countdown"]
            for name, call in calls.items():
                try:
                    call()
                except WidgetSchemaError as error:
                    said += [(f"error of {name}", text) for text in texts(error)]
    except WidgetSchemaError as error:
        said += [("error of connect", text) for text in texts(error)]
    accounts.close()
    logging.getLogger("httpcore").setLevel(logging.NOTSET)
    assert len(canaries) >= 6
    assert all("Traceback" not in text for where, text in said if " " not in where)
    for where, text in [*said, *(("log", line) for line in logs)]:
        assert_hidden(where, text, canaries)
    for path, content in files(tmp_path):
        assert_hidden(f"{path}", content, canaries)
    if os.name == "posix":
        assert stat.S_IMODE(tokens_file().stat().st_mode) == 0o600
        assert stat.S_IMODE(tokens_file().parent.stat().st_mode) == 0o700


def test_where_tokens_cannot_be_kept(
    sandbox: Sandbox, capsys: Capture, logs: list[str], tmp_path: Path
) -> None:
    (tmp_path / "config").write_text("a file", encoding="utf-8")
    code = sandbox.code()
    result = run(capsys, "login", "--code", code, "--redirect-uri", REDIRECT_URI)
    assert result.code == 5
    assert sandbox.counters.exchanges == 0  # the code is not spent
    for text in (repr(result), *logs):
        assert_hidden("login", text, {SECRET, code})


LEAK = "def leak(token):\n    raise ValueError(len(token))"


def test_the_test_would_notice(logs: list[str]) -> None:
    logging.getLogger("somebody").debug("%s", SECRET)
    with pytest.raises(AssertionError):
        assert_hidden("log", "".join(logs), {SECRET})
    names: dict[str, Any] = {}
    exec(compile(LEAK, "elsewhere.py", "exec"), names)
    with pytest.raises(ValueError, match="18") as caught:
        names["leak"](SECRET)
    with pytest.raises(AssertionError):
        assert_hidden("frames", "".join(texts(caught.value)), {SECRET})

"""`widgetschema sandbox` as a process: what it prints, what it answers, how it ends."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.command import environment, run
from tests.listening import reserved_port
from tests.terminal import HANG
from widgetschema.catalog.store import bundled
from widgetschema.sandbox import ASSUMPTIONS, FAULTS, GRAMMAR, REDIRECT_URI

Capture = pytest.CaptureFixture[str]


class Process:
    """A sandbox that was started, and what it has said."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.introduction: list[str] = []
        assert process.stdout is not None
        for line in process.stdout:  # a script can wait for the last line
            self.introduction.append(line.rstrip("\n"))
            if line.startswith("curl "):
                break
        exports = [line.split(" ", 1)[1] for line in self.introduction if line.startswith("export")]
        words = [shlex.split(one)[0].partition("=") for one in exports]
        self.variables = {name: value for name, _, value in words}

    @property
    def url(self) -> str:
        return self.variables["WIDGETSCHEMA_AUTH_URL"]

    @property
    def base_url(self) -> str:
        return self.variables["WIDGETSCHEMA_BASE_URL"]

    def option(self, name: str) -> str:
        """Return what the `login` line gives for an option."""
        [line] = [one for one in self.introduction if name in one]
        words = shlex.split(line)
        return words[words.index(name) + 1]

    def exchange(self) -> dict[str, str]:
        form = {
            "grant_type": "authorization_code",
            "client_id": self.variables["WIDGETSCHEMA_CLIENT_ID"],
            "client_secret": self.variables["WIDGETSCHEMA_CLIENT_SECRET"],
            "code": self.option("--code"),
            "redirect_uri": self.option("--redirect-uri"),
        }
        response = httpx.post(f"{self.url}/oauth/token", data=form)
        assert response.status_code == 200
        tokens: dict[str, str] = response.json()
        return tokens

    def end(self, how: signal.Signals) -> tuple[int, str, str]:
        self.process.send_signal(how)
        out, err = self.process.communicate(timeout=HANG)
        return self.process.returncode, out, err


@contextmanager
def started(*arguments: str | Path, **how: Any) -> Iterator[Process]:
    command = [sys.executable, "-m", "widgetschema", "sandbox", *map(str, arguments)]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **how}
    with subprocess.Popen(command, env=environment(), **streams) as process:
        try:
            yield Process(process)
        finally:
            if process.poll() is None:
                process.kill()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_what_it_prints_is_all_that_is_needed(how: signal.Signals) -> None:
    with started("--count", "3") as sandbox:
        assert set(sandbox.variables) == {
            "WIDGETSCHEMA_BASE_URL",
            "WIDGETSCHEMA_AUTH_URL",
            "WIDGETSCHEMA_CLIENT_ID",
            "WIDGETSCHEMA_CLIENT_SECRET",
        }
        tokens = sandbox.exchange()
        bearer = {"authorization": f"Bearer {tokens['access_token']}"}
        listed = httpx.get(f"{sandbox.base_url}/widgets?search=", headers=bearer).json()
        schema = httpx.get(f"{sandbox.base_url}/widget-types/countdown/schema", headers=bearer)
        page = httpx.get(sandbox.option("--authorize-url"))
        code = shlex.split(sandbox.introduction[-1])
        another = subprocess.run(code, capture_output=True, check=True).stdout
        ended, out, err = sandbox.end(how)

    assert listed["total"] == 3
    assert schema.json() == bundled()["countdown"]
    assert page.status_code == 400  # as it was asked without parameters
    assert re.fullmatch(r"[\w+/]{43}", json.loads(another)["code"])
    assert (ended, out) == (0, "")
    first, *requests = err.splitlines()
    assert first == f"sandbox running at {sandbox.url}; press Ctrl-C to stop"
    assert [re.sub(r"\d+ ms$", "N ms", line) for line in requests] == [
        "POST /oauth/token 200 N ms",
        "GET /platform/api/v1/widgets 200 N ms",
        "GET /platform/api/v1/widget-types/countdown/schema 200 N ms",
        "GET /oauth/authorize 400 N ms",
        "POST /sandbox/codes 201 N ms",
    ]
    for secret in (tokens["access_token"], sandbox.option("--code"), "sandbox-secret"):
        assert secret not in err


def test_options(tmp_path: Path) -> None:
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / "faq.json").write_text('{"title": "Questions"}')
    widgets = tmp_path / "widgets.json"
    widgets.write_text('{"total": 1, "docs": [{"id": "a", "data": 1}]}')
    arguments = "--quiet --token-lifetime 7.5 --max-age 9 --latency 30 --client-id me --seed x"
    faults = "--fault status=429@widgetsx1 --fault closex1 --client-secret it's"
    with started(
        *(f"{arguments} {faults}".split()),
        *("--schemas", tmp_path / "schemas", "--widgets", widgets),
    ) as sandbox:
        assert sandbox.variables["WIDGETSCHEMA_CLIENT_SECRET"] == "it's"
        httpx.get(f"{sandbox.base_url}/widgets")
        with pytest.raises(httpx.RemoteProtocolError):
            sandbox.exchange()
        tokens = sandbox.exchange()
        assert tokens["expires_in"] == "7.5"
        bearer = {"authorization": f"Bearer {tokens['access_token']}"}
        listed = httpx.get(f"{sandbox.base_url}/widgets", headers=bearer)
        schema = httpx.get(f"{sandbox.base_url}/widget-types/faq/schema", headers=bearer)
        state = httpx.get(f"{sandbox.url}/sandbox/state").json()
        ended, _, err = sandbox.end(signal.SIGTERM)

    assert listed.json()["docs"] == [{"id": "a"}]
    assert listed.elapsed.total_seconds() > 0.03
    assert schema.json() == {"title": "Questions"}
    assert schema.headers["cache-control"] == "private, max-age=9"
    assert state["statuses"] == {"429": 1, "0": 1, "200": 3}
    assert (ended, len(err.splitlines())) == (0, 1)


def test_a_seed_makes_the_same_code_again() -> None:
    codes = []
    for seed in ("1", "1", "2"):
        with started("--seed", seed) as sandbox:
            codes.append(sandbox.option("--code"))

    assert codes[0] == codes[1] != codes[2]


def test_a_given_port_is_taken_and_a_taken_one_is_an_error(capsys: Capture) -> None:
    with reserved_port() as number, started("--port", str(number)) as sandbox:
        port = str(number)
        assert urlsplit(sandbox.url).port == number
        result = run(capsys, "sandbox", "--port", port)

    assert (result.code, result.out) == (2, "")
    assert f"port {port} is not available: address already in use; choose another" in result.err


def test_it_ends_while_it_answers() -> None:
    with (
        started("--latency", "3600000") as sandbox,
        socket.create_connection(("127.0.0.1", urlsplit(sandbox.url).port or 0)) as raw,
    ):
        raw.sendall(b"GET /platform/api/v1/widgets HTTP/1.1\r\nhost: localhost\r\n\r\n")
        assert sandbox.end(signal.SIGINT)[0] == 0


def test_nobody_has_to_read_what_it_says() -> None:
    reading, writing = os.pipe()
    with started(stderr=writing) as sandbox:
        os.close(writing)
        os.close(reading)
        for _ in range(3):
            assert httpx.get(sandbox.url).status_code == 404
        sandbox.process.send_signal(signal.SIGTERM)
        assert sandbox.process.wait(HANG) == 0


def test_an_odd_path_is_one_line_of_the_log() -> None:
    with started() as sandbox:
        httpx.get(f"{sandbox.base_url}/widget-types/%0A%1b[31m{'x' * 500}/schema")
        with socket.create_connection(("127.0.0.1", urlsplit(sandbox.url).port or 0)) as raw:
            raw.sendall(b"GET /\xe2\x80\xae HTTP/1.1\r\nhost: localhost\r\n\r\n")
            raw.recv(1000)
        err = sandbox.end(signal.SIGTERM)[2]

    line = err.splitlines()[1]
    assert line.isprintable()
    assert "%0A%1b" in line
    assert re.search(r"x… 404 \d+ ms$", line)
    assert len(err.splitlines()) == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--fault", "statsu=503"], "unknown fault 'statsu'; did you mean 'status'?"),
        (["--fault", "status=99"], "STATUS is from 400 to 599, not '99'"),
        (["--fault", "close", "--fault", "rotate@schema"], "cannot happen at 'schema'"),
        (["--port", "70000"], "'--port'"),
        (["--count", "-1"], "'--count'"),
        (["--latency", "soon"], "'--latency'"),
        (["--token-lifetime", "-1"], "'--token-lifetime'"),
        (["--token-lifetime", "nan"], "token_lifetime must be a number of seconds from 0, not nan"),
        (["--client-id", ""], "client_id must be one or more visible ASCII characters"),
        (
            ["--client-secret", "größe"],
            "client_secret must be one or more visible ASCII characters",
        ),
        (["--host", "0.0.0.0"], "No such option"),
        (["extra"], "No such command 'extra'"),
    ],
)
def test_usage(arguments: list[str], said: str, capsys: Capture) -> None:
    result = run(capsys, "sandbox", *arguments)

    assert (result.code, result.out) == (2, "")
    assert said in result.err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "widgets.json"),
        ("[1, 2", "json.syntax"),
        ('{"a": 1, "a": 2}', "json.duplicate"),
        ("3", 'expected an array of widget records or an object with "docs"'),
        ('{"docs": 3}', "expected an array"),
        ('{"id": "x"}', "expected an array"),
        ('[{}, "x"]', "/1: a widget record must be an object"),
        ('{"docs": [null]}', "/docs/0: a widget record must be an object"),
    ],
)
def test_widgets_that_are_none(content: str, said: str, capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "widgets.json"
    path.write_text(content)
    result = run(capsys, "sandbox", "--widgets", path)

    assert (result.code, result.out) == (3, "")
    assert said in result.err
    assert str(path) in result.err


def test_files_that_are_not_there(capsys: Capture, tmp_path: Path) -> None:
    widgets = run(capsys, "sandbox", "--widgets", tmp_path / "none.json")
    folder = run(capsys, "sandbox", "--widgets", tmp_path)
    schemas = run(capsys, "sandbox", "--schemas", tmp_path / "none")

    assert (widgets.code, folder.code, schemas.code) == (3, 3, 3)
    assert "none.json: no such file" in widgets.err
    assert "no such folder of schemas" in schemas.err


def test_a_broken_schema_is_told_at_the_start(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "good.json").write_text("{}")
    (tmp_path / "bad.json").write_text('{"a": }')
    result = run(capsys, "sandbox", "--schemas", tmp_path)

    assert (result.code, result.out) == (4, "")
    assert "bad.json" in result.err


def test_help_tells_the_faults_and_the_assumptions(capsys: Capture) -> None:
    result = run(capsys, "sandbox", "--help")
    words = " ".join(result.out.split()).replace("- ", "-")

    assert result.code == 0
    assert GRAMMAR in words
    for name, kind in FAULTS.items():
        assert re.search(rf"^  {name}(\[=[A-Z]+\])? ", result.out, re.MULTILINE)
        assert kind.text in words
    for assumption in ASSUMPTIONS:
        assert assumption.replace("- ", "-") in words


WITHOUT = """
import sys
sys.modules["uvicorn"] = None
from widgetschema.cli import main
assert main(["sandbox", "--help"]) == 0
sys.exit(main(["sandbox"]))
"""


class TestRun:
    """`sandbox run -- COMMAND`."""

    PRINT = "import json, os; print(json.dumps(dict(os.environ)))"

    def start(self, *words: str, **how: Any) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "widgetschema", "sandbox", "run", *words]
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **how}
        return subprocess.Popen(command, env=environment(), **streams)

    def run(self, *words: str) -> tuple[int, str, str]:
        with self.start(*words) as process:
            out, err = process.communicate(timeout=HANG)
        return process.returncode, out, err

    def test_the_command_is_logged_in_and_leaves_no_server_behind(self) -> None:
        commands = f"{shlex.quote(sys.executable)} -m widgetschema"
        script = (
            f"{commands} widgets --format json && {commands} sample countdown --fetch refresh"
            ' && printf "%s" "$SANDBOX_URL" >&2 && exit 7'
        )
        code, out, err = self.run("--count", "3", "--", "sh", "-c", script)

        widgets, end = json.JSONDecoder().raw_decode(out)
        assert code == 7
        assert len(widgets) == 3
        assert json.loads(out[end:])
        assert err.startswith("http://127.0.0.1:")
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"{err}/sandbox/state")

    def test_the_folders_are_those_of_the_command(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "TMPDIR"):
            (tmp_path / name).mkdir()
            monkeypatch.setenv(name, str(tmp_path / name))
        monkeypatch.setenv("WIDGETSCHEMA_PROFILE", "work")
        (tmp_path / "a.json").write_text('{"content": {}, "settings": {}, "styles": {}}')
        script = (
            "code() { curl -sf -X POST -H 'X-Sandbox: 1' $SANDBOX_URL/sandbox/codes"
            ' | sed \'s/.*"code": *"\\([^"]*\\)".*/\\1/\'; }\n'
            f"run() {{ {shlex.quote(sys.executable)} -m widgetschema $*; }}\n"
            "run sample countdown --fetch auto -v && run validate a.json --type countdown\n"
            "run login --code $(code) --redirect-uri "
            f"{REDIRECT_URI} && unset WIDGETSCHEMA_ACCESS_TOKEN && run status\n"
            'ls "$WIDGETSCHEMA_CACHE_DIR" "$WIDGETSCHEMA_TOKENS_DIR"'
        )
        code, out, err = self.run("sh", "-c", f"cd {shlex.quote(str(tmp_path))}; {script}")

        assert code == 0, err
        assert [*tmp_path.glob("XDG_*/*"), *tmp_path.glob("TMPDIR/*")] == []
        assert {"schemas", "tokens.json"} <= set(out.split())

    def test_options_and_requests(self) -> None:
        script = (
            "import os, urllib.request as r, urllib.error as e\n"
            "try: r.urlopen(os.environ['WIDGETSCHEMA_BASE_URL'] + '/widgets')\n"
            "except e.HTTPError as error: print(error.code)"
        )
        code, out, err = self.run("--log", "--fault", "status=418", sys.executable, "-c", script)

        assert (code, out) == (0, "418\n")
        assert re.fullmatch(r"GET \S+/widgets 418 \d+ ms\n", err)

    @pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
    def test_signals_reach_the_command(self, how: signal.Signals) -> None:
        script = (
            "import signal, sys\n"
            f"signal.pthread_sigmask(signal.SIG_BLOCK, [{int(how)}])\n"
            "print('ready', flush=True)\n"
            f"signal.sigwait([{int(how)}])\n"  # however soon the signal comes
            "sys.exit(5)"
        )
        # In a session of its own, since keys of a terminal would reach both.
        with self.start(sys.executable, "-c", script, start_new_session=True) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            process.send_signal(how)
            out, err = process.communicate(timeout=HANG)

        assert (process.returncode, out, err) == (5, "", "")

    @pytest.mark.parametrize(
        ("words", "code", "says"),
        [
            (["no-such-command"], 127, "no-such-command: no such file or directory"),
            (["/"], 126, "/: permission denied"),
            (["sh", "-c", "kill -9 $$"], 137, ""),
            ([], 2, "Missing argument"),
            (["--schemas", "no-such-folder", "true"], 3, "no-such-folder"),
        ],
    )
    def test_exit_codes(self, capfd: Capture, words: list[str], code: int, says: str) -> None:
        result = run(capfd, "sandbox", "run", *words)

        assert (result.code, result.out) == (code, "")
        assert says in result.err

    def test_options_belong_behind_run(self, capsys: Capture) -> None:
        result = run(capsys, "sandbox", "--fault", "rotate", "run", "true")

        assert result.code == 2
        assert "Write --fault after run." in result.err


def test_without_the_extra_it_says_what_to_install() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False
    )

    assert done.returncode != 0
    assert "pip install 'widgetschema[sandbox]'" in done.stderr
    assert "Traceback" not in done.stderr

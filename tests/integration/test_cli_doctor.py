"""`widgetschema doctor`: the facts, the troubles, the next thing to do; whatever is broken."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import keyring
import pytest

from tests.command import environment, run
from tests.listening import reserved_port
from tests.unit.platform.test_reachability import Behave, answer, saying, serving
from tests.unit.platform.test_token_storage import Vault
from widgetschema.platform.auth.storage import KeyringStorage
from widgetschema.platform.auth.token_file import TokenFile
from widgetschema.platform.auth.tokens import Tokens
from widgetschema.platform.secret import Secret
from widgetschema.project.checking.baseline import Baseline
from widgetschema.sandbox import REDIRECT_URI, Sandbox, running

Capture = pytest.CaptureFixture[str]
CANARY = "canary-of-doctor"
SECTIONS = "installation configuration schemas files tokens network".split()
MAPPED = '[files]\n"widgets/*.json" = "countdown"\n'
ROW = re.compile(r"(\S*) +(ok|--|!!)  (\S+) +(.*)")
STATES = {"ok": "ok", "--": "note", "!!": "trouble"}
posix = pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of one widget, an empty home, and an environment that says nothing."""
    for name in [name for name in os.environ if name.startswith("WIDGETSCHEMA_")]:
        monkeypatch.delenv(name)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    home = tmp_path / "home of me"
    for name, below in (("XDG_CONFIG_HOME", ".config"), ("XDG_CACHE_HOME", ".cache")):
        monkeypatch.setenv(name, str(home / below))
    monkeypatch.setenv("HOME", str(home))
    folder = home / "project"
    (folder / "widgets").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / "widgets" / "a.json").write_text("{}")
    (folder / "widgetschema.toml").write_text(MAPPED)
    monkeypatch.chdir(folder)
    return folder


class Told:
    """The answers of doctor, by section and name."""

    def __init__(self, code: int, value: dict[str, Any]) -> None:
        self.code = code
        self.next: str = value["next"]
        self.sections: dict[str, list[dict[str, str]]] = value["sections"]
        self.value = value

    def facts(self, section: str, name: str) -> list[tuple[str, str]]:
        """State and text of each fact of a name."""
        return [
            (fact["state"], fact["text"]) for fact in self.sections[section] if fact["name"] == name
        ]

    def fact(self, section: str, name: str) -> tuple[str, str]:
        (one,) = self.facts(section, name)
        return one

    @property
    def troubles(self) -> list[tuple[str, str]]:
        return [
            (section, fact["name"])
            for section, facts in self.sections.items()
            for fact in facts
            if fact["state"] == "trouble"
        ]


def doctor(capsys: Capture, *arguments: str) -> Told:
    result = run(capsys, "doctor", "--format", "json", *arguments)
    assert result.err == ""
    return Told(result.code, json.loads(result.out))


def tokens(base_url: str, **changes: Any) -> Tokens:
    fields: dict[str, Any] = {
        "access_token": Secret(f"{CANARY}-access"),
        "refresh_token": Secret(f"{CANARY}-refresh"),
        "client_secret": Secret(f"{CANARY}-secret"),
        "client_id": "app",
        "auth_url": "https://auth.example",
        "account": "somebody@private.example",
        "expires_in": "3600",
        "obtained": time.time(),
    }
    return Tokens(base_url=base_url, **{**fields, **changes})


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with running() as made:
        yield made


def log_in(sandbox: Sandbox, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    own = {
        "WIDGETSCHEMA_BASE_URL": sandbox.base_url,
        "WIDGETSCHEMA_AUTH_URL": sandbox.auth_url,
        "WIDGETSCHEMA_CLIENT_ID": sandbox.client_id,
        "WIDGETSCHEMA_CLIENT_SECRET": sandbox.client_secret,
    }
    with monkeypatch.context() as context:
        for name, value in own.items():
            context.setenv(name, value)
        result = run(capsys, "login", "--code", sandbox.code(), "--redirect-uri", REDIRECT_URI)
    assert result.code == 0


# When all is well


def test_nothing_is_wrong(
    sandbox: Sandbox, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    log_in(sandbox, capsys, monkeypatch)
    told = doctor(capsys)

    assert told.troubles == []
    assert told.code == 0
    assert told.next == "No problems found. Check your data: widgetschema validate"
    assert list(told.sections) == SECTIONS
    assert told.fact("configuration", "file") == ("ok", "widgetschema.toml")
    assert told.fact("schemas", "types")[1] == "1 type, verified and linked"
    assert told.fact("files", "mapped") == ("ok", "1 file")
    assert told.fact("tokens", "used") == ("ok", f"those for {sandbox.base_url}")
    assert told.fact("network", "platform") == ("ok", sandbox.base_url)
    assert told.fact("network", "response")[0] == "ok"
    assert "home of me" not in json.dumps(told.value)
    assert "~/.config/widgetschema/tokens.json" in told.fact("tokens", "login")[1]


def test_nothing_is_set_up(capsys: Capture) -> None:
    told = doctor(capsys)

    assert told.code == 0
    assert told.fact("tokens", "login") == ("note", "none (~/.config/widgetschema/tokens.json)")
    assert told.fact("network", "platform")[1].startswith("not asked")
    assert "response" not in {fact["name"] for fact in told.sections["network"]}
    assert told.facts("files", "baseline") == []
    schemas = "schemas of platforms are in ~/.cache/widgetschema/schemas"
    assert told.fact("tokens", "cache")[1] == schemas


def test_text_and_json_tell_the_same(sandbox: Sandbox, capsys: Capture, project: Path) -> None:
    TokenFile().put(tokens(sandbox.base_url))
    (project / "widgetschema-baseline.json").write_text("{")
    text = run(capsys, "doctor")
    told = doctor(capsys)

    *rows, empty, last = text.out.splitlines()
    found: dict[str, list[dict[str, str]]] = {}
    section = ""
    for row in rows:
        match = ROW.fullmatch(row)
        assert match is not None, row
        section = match[1] or section
        fact = {"name": match[3], "state": STATES[match[2]], "text": match[4]}
        found.setdefault(section, []).append(fact)
    assert found == told.sections
    assert (empty, last) == ("", f"Next: {told.next}")
    assert text.code == told.code == 2
    assert told.value["version"] == 1
    assert len(rows) <= 45  # a screen
    starts = {re.sub(r"^(\S*) +(..)  (\S+ +).*$", r"\3", row).__len__() for row in rows}
    assert len(starts) == 1  # columns


def test_marks_do_not_rely_on_colour(capsys: Capture) -> None:
    plain = run(capsys, "doctor", "--offline", "--color", "never").out
    coloured = run(capsys, "doctor", "--offline", "--color", "always").out

    assert "\x1b" not in plain
    assert "\x1b" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


# The installation


def without(*modules: str, arguments: tuple[str, ...] = ("--offline",)) -> Told:
    """Return the answers of doctor in a process that cannot import some modules."""
    code = (
        f"import sys\nfor name in {modules!r}: sys.modules[name] = None\n"
        "from widgetschema.cli import main\n"
        f"sys.exit(main(['doctor', '--format', 'json', *{arguments!r}]))"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, env=environment(), check=False
    )
    assert process.stderr == b""
    return Told(process.returncode, json.loads(process.stdout))


@pytest.mark.parametrize(
    ("modules", "said"),
    [
        (["jsonschema_rs"], "jsonschema-rs"),
        (["jsonschema_rs", "jsonschema"], "jsonschema-rs"),
        (["httpx"], "httpx cannot be imported"),
        (["platformdirs"], "platformdirs cannot be imported"),
    ],
)
def test_without_a_library(modules: list[str], said: str) -> None:
    told = without(*modules)

    assert list(told.sections) == SECTIONS
    assert said in json.dumps(told.sections)
    assert told.fact("files", "mapped") == ("ok", "1 file")
    assert told.code in (2, 5)
    assert told.next.startswith("Repair the installation: python -m pip install")


def test_the_engine_that_is_selected(capsys: Capture, project: Path) -> None:
    (project / "widgetschema.toml").write_text(f'engine = "python"\n{MAPPED}')
    assert doctor(capsys, "--offline").fact("installation", "engine") == (
        "ok",
        "python (widgetschema.toml:1)",
    )
    told = without("jsonschema")
    assert told.fact("installation", "engine")[0] == "trouble"
    assert told.code == 2
    assert told.next == "Install the engine: python -m pip install 'widgetschema[python]'"


def test_what_the_metadata_asks_for(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [
        "plain-name>=1",
        "click>=8",
        "for-old-python; python_version < '3.0'",
        "other>=1; extra == 'arrow'",
    ]
    monkeypatch.setattr("importlib.metadata.requires", lambda name: lines)
    told = doctor(capsys, "--offline")
    assert told.troubles == [("installation", "plain-name")]
    assert told.fact("installation", "plain-name") == ("trouble", "not installed")
    assert told.next.startswith("Repair the installation")


# Configuration


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("jobz = 3", "widgetschema.toml:1:1: unknown setting"),
        ("jobs = [", "widgetschema.toml:1"),
        ("\x00", "widgetschema.toml:1:1"),
        ("a = " + "[" * 5000, "widgetschema.toml:1"),
        (f'base-url = "https://me:{CANARY}@x.example"', "widgetschema.toml:1:12"),
        (f'client-secret = "{CANARY}"', 'unknown setting "client-secret"'),
    ],
    ids=["member", "syntax", "zero", "deep", "user", "secret"],
)
def test_a_broken_configuration(capsys: Capture, project: Path, text: str, said: str) -> None:
    (project / "widgetschema.toml").write_text(text)
    told = doctor(capsys, "--offline")

    state, problem = told.facts("configuration", "problem")[0]
    assert state == "trouble"
    assert said in problem
    assert told.code == 2
    assert told.next == "Fix widgetschema.toml: widgetschema config"
    assert told.fact("schemas", "types")[0] == "ok"
    assert CANARY not in json.dumps(told.value)


def test_many_problems_are_not_all_shown(capsys: Capture, project: Path) -> None:
    (project / "widgetschema.toml").write_text("".join(f"x{n} = 1\n" for n in range(50)))
    problems = doctor(capsys, "--offline").facts("configuration", "problem")

    assert len(problems) == 6
    assert problems[-1][1] == "and 45 more"


def test_a_file_that_is_not_there(capsys: Capture) -> None:
    told = doctor(capsys, "--offline", "--config", "other file.toml")

    assert "other file.toml: cannot be read" in told.fact("configuration", "problem")[1]
    assert told.next.endswith("widgetschema config --config 'other file.toml'")
    assert told.code == 2


def test_no_configuration(capsys: Capture, project: Path) -> None:
    told = doctor(capsys, "--offline", "--no-config")
    assert told.fact("configuration", "file") == ("note", "none: --no-config")
    assert told.fact("files", "mapped")[0] == "note"
    assert told.next.startswith("Map files to types")
    assert told.code == 0

    (project / "widgetschema.toml").unlink()
    told = doctor(capsys, "--offline")
    assert told.fact("configuration", "file") == ("note", "none here or above")


def test_a_variable_that_is_wrong(
    capsys: Capture, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WIDGETSCHEMA_JOBS", "many")
    told = doctor(capsys, "--offline")

    assert "WIDGETSCHEMA_JOBS" in told.fact("configuration", "problem")[1]
    assert told.fact("files", "mapped") == ("ok", "1 file")  # the file still counts
    assert told.next == "Fix the environment: widgetschema config"


def test_a_file_and_a_variable_that_are_wrong(
    capsys: Capture, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WIDGETSCHEMA_JOBS", "many")
    (project / "own.toml").write_text("jobz = 3")
    told = doctor(capsys, "--offline", "--config", "own.toml")

    problems = [text for _, text in told.facts("configuration", "problem")]
    assert sorted(text.partition(":")[0] for text in problems) == ["environment", "own.toml"]
    (project / "widgetschema.toml").unlink()
    monkeypatch.delenv("WIDGETSCHEMA_JOBS")
    alone = doctor(capsys, "--offline", "--config", "own.toml")
    assert alone.next == "Fix own.toml: widgetschema config --config own.toml"


@posix
def test_a_working_directory_that_is_gone() -> None:
    code = (
        "import os, sys, tempfile\n"
        "folder = tempfile.mkdtemp(); os.chdir(folder); os.rmdir(folder)\n"
        "from widgetschema.cli import main\n"
        "sys.exit(main(['doctor', '--format', 'json']))"
    )
    # -P: Python 3.13.0 imports no extension module while `sys.path` begins with a folder that is gone.
    process = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, env=environment(), check=False
    )
    told = Told(process.returncode, json.loads(process.stdout))

    assert process.stderr == b""
    assert told.code == 2
    assert "no working directory" in told.fact("configuration", "directory")[1]
    assert told.next.startswith("Change to an existing folder")
    assert told.troubles == [("configuration", "directory")]


# Schemas


@pytest.fixture
def own_schemas(project: Path, capsys: Capture) -> Path:
    folder = project / "schemas"
    folder.mkdir()
    (folder / "faq.json").write_text('{"type": "object"}')
    (folder / "poll.json").write_text('{"allOf": [{"$ref": "plugin"}]}')
    assert run(capsys, "types", "--schemas", folder, "--pin").code == 0
    return folder


def change(folder: Path) -> None:
    (folder / "faq.json").write_text("{}")


def remove(folder: Path) -> None:
    (folder / "faq.json").unlink()


def break_manifest(folder: Path) -> None:
    (folder / "manifest.json").write_text("[")


def escape(folder: Path) -> None:
    entry = {"file": "../../x.json", "sha256": "0" * 64}
    (folder / "manifest.json").write_text(json.dumps({"schemas": {"x": entry}}))


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (change, "its sha256 differs"),
        (remove, "No such file"),
        (break_manifest, "manifest.json"),
        (escape, "names no file of this folder"),
    ],
)
def test_schemas_that_are_spoilt(
    capsys: Capture, own_schemas: Path, spoil: Callable[[Path], None], said: str
) -> None:
    spoil(own_schemas)
    told = doctor(capsys, "--offline")

    assert said in told.facts("schemas", "problem")[0][1]
    assert told.code == 4
    assert told.next == "Fix the schemas: widgetschema types"


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ('{"$ref": "nowhere"}', "cannot resolve $ref"),
        ('{"type": 3}', "type"),
        ("not JSON", "wild.json"),
    ],
)
def test_schemas_that_cannot_be_used(
    capsys: Capture, project: Path, schema: str, said: str
) -> None:
    folder = project / "wild schemas"
    folder.mkdir()
    for number in range(7):
        (folder / f"wild{number or ''}.json").write_text(schema)
    (project / "widgetschema.toml").write_text(f'schemas = "wild schemas"\n{MAPPED}')
    told = doctor(capsys, "--offline")

    assert told.fact("schemas", "folder") == ("ok", "wild schemas  (widgetschema.toml:1)")
    assert "types --schemas 'wild schemas' --pin" in told.fact("schemas", "manifest")[1]
    assert told.fact("schemas", "types") == ("ok", "1 type, verified and linked")
    problems = [text for _, text in told.facts("schemas", "problem")]
    assert said in problems[0]
    assert "\n" not in problems[0]
    assert problems[5:] == ["and 2 more"]
    assert told.code == 4
    assert told.next == "Fix the schemas: widgetschema types"


def test_a_folder_of_schemas_that_is_not_there(capsys: Capture, project: Path) -> None:
    (project / "widgetschema.toml").write_text(f'schemas = "nowhere"\n{MAPPED}')
    told = doctor(capsys, "--offline")

    assert "no such folder" in told.fact("schemas", "problem")[1]
    assert told.code == 4


# Files


def test_types_that_nobody_knows(capsys: Capture, project: Path) -> None:
    (project / "widgetschema.toml").write_text('[files]\n"widgets/*.json" = "countdwn"\n')
    told = doctor(capsys, "--offline")

    state, text = told.fact("files", "type")
    assert state == "trouble"
    assert "'countdwn'" in text
    assert "did you mean 'countdown'?" in text
    assert told.code == 2
    (project / "widgetschema.toml").write_text(
        'fetch = "auto"\n[files]\n"widgets/*.json" = "countdwn"\n'
    )
    assert doctor(capsys, "--offline").code == 0  # it may come from the platform


def test_no_file_is_mapped(capsys: Capture, project: Path) -> None:
    (project / "widgets" / "a.json").unlink()
    told = doctor(capsys, "--offline")

    assert told.fact("files", "mapped")[0] == "note"
    assert told.code == 0
    assert told.next.startswith("Correct the file patterns")


def test_the_baseline(capsys: Capture, project: Path) -> None:
    path = project / "widgetschema-baseline.json"
    Baseline.write(str(path), [])
    assert doctor(capsys, "--offline").facts("files", "baseline") == []
    path.write_text('{"version": 1,\n "findings": [3]}')
    told = doctor(capsys, "--offline")
    assert told.fact("files", "baseline")[0] == "trouble"
    assert "widgetschema-baseline.json: 1 finding; 2:15 " in told.fact("files", "baseline")[1]
    assert told.code == 2
    assert told.next.endswith("widgetschema validate --write-baseline")
    path.unlink()
    path.mkdir()
    assert doctor(capsys, "--offline").fact("files", "baseline")[0] == "trouble"


# Tokens


def test_tokens_as_status_tells(capsys: Capture) -> None:
    TokenFile().put(tokens("https://platform.example/api"))
    told = doctor(capsys, "--offline")

    state, text = told.fact("tokens", "login")
    assert state == "ok"
    assert text.startswith("https://platform.example/api: access token about")
    assert "refresh token stored" in text
    assert told.fact("tokens", "used")[0] == "ok"
    assert told.code == 0
    for private in (CANARY, "somebody"):
        assert private not in json.dumps(told.value)


def test_tokens_that_are_used_up(capsys: Capture) -> None:
    TokenFile().put(tokens("https://platform.example", refresh_token=None, obtained=1.7e9))
    told = doctor(capsys, "--offline")

    assert told.fact("tokens", "login")[0] == "trouble"
    assert told.code == 5
    assert told.next == (
        "Log in: widgetschema login --base-url https://platform.example --code CODE "
        "--redirect-uri URI"
    )


def spoil_file() -> None:
    Path(TokenFile().path).write_text(f"[{CANARY}")


def spoil_entry() -> None:
    path = Path(TokenFile().path)
    value = json.loads(path.read_text())
    value["logins"] = dict.fromkeys(value["logins"], CANARY)
    path.write_text(json.dumps(value))


def make_folder() -> None:
    Path(TokenFile().path).unlink()
    Path(TokenFile().path).mkdir(mode=0o700)


def loosen() -> None:
    os.chmod(TokenFile().path, 0o604)


@pytest.mark.parametrize("spoil", [spoil_file, spoil_entry, make_folder, loosen])
@posix
def test_a_spoilt_file_of_tokens(capsys: Capture, spoil: Callable[[], None]) -> None:
    TokenFile().put(tokens("https://platform.example"))
    spoil()
    told = doctor(capsys, "--offline")

    state, text = told.facts("tokens", "problem")[0]
    assert state == "trouble"
    assert "~/.config/widgetschema/tokens.json" in text
    assert told.code == 5
    assert ("chmod -R go= '" if spoil is loosen else "widgetschema login") in told.next
    assert "keyring" not in told.next
    assert CANARY not in json.dumps(told.value)


@pytest.mark.parametrize(
    ("variables", "code", "said"),
    [
        ({"ACCESS_TOKEN": CANARY}, 5, "no WIDGETSCHEMA_BASE_URL says"),
        ({"ACCESS_TOKEN": CANARY, "BASE_URL": "https://x.example"}, 0, "those for"),
        ({"ACCESS_TOKEN": f"{CANARY}\x07", "BASE_URL": "https://x.example"}, 5, "cannot be sent"),
        ({"REFRESH_TOKEN": CANARY, "BASE_URL": "https://x.example"}, 5, "CLIENT_SECRET"),
        ({"BASE_URL": "https://x.example"}, 5, "there are no tokens for https://x.example"),
    ],
)
def test_variables(
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
    variables: dict[str, str],
    code: int,
    said: str,
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(f"WIDGETSCHEMA_{name}", value)
    told = doctor(capsys, "--offline")

    assert said in told.fact("tokens", "used")[1]
    assert told.code == code
    for name in variables:
        assert f"WIDGETSCHEMA_{name}" in told.fact("tokens", "environment")[1]
    assert CANARY not in json.dumps(told.value)


@pytest.mark.parametrize("has_token", [True, False])
def test_an_address_of_the_environment_is_asked_if_there_are_tokens_for_it(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, has_token: bool
) -> None:
    with serving(saying(answer(200))) as server:
        monkeypatch.setenv("WIDGETSCHEMA_BASE_URL", server.url)
        if has_token:
            monkeypatch.setenv("WIDGETSCHEMA_ACCESS_TOKEN", CANARY)
        told = doctor(capsys)

    name = "response" if has_token else "platform"
    assert told.fact("network", name)[0] == ("ok" if has_token else "note")
    assert len(server.heads) == int(has_token)


@pytest.mark.parametrize(
    ("login", "variable", "asked"),
    [("same", False, True), ("other", False, False), (None, True, False), (None, False, False)],
)
def test_an_address_of_a_file_is_asked_only_if_it_is_that_of_a_login(
    capsys: Capture,
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    login: str | None,
    variable: bool,
    asked: bool,
) -> None:
    with serving(saying(answer(200))) as server:
        (project / "widgetschema.toml").write_text(f'base-url = "{server.url}/"\n{MAPPED}')
        if login is not None:
            TokenFile().put(tokens(server.url if login == "same" else "https://other.example"))
        if variable:
            monkeypatch.setenv("WIDGETSCHEMA_ACCESS_TOKEN", CANARY)
        told = doctor(capsys)
        assert len(server.heads) == int(asked)
        assert told.fact("tokens", "used")[0] == ("ok" if asked else "trouble")

        by_name = doctor(capsys, "--base-url", server.url)
        assert by_name.fact("network", "response")[0] == "ok"
        heads = b"".join(server.heads)
    assert CANARY.encode() not in heads
    assert b"authorization" not in heads.lower()


def test_several_logins(capsys: Capture) -> None:
    for number in range(7):
        TokenFile().put(tokens(f"https://platform-{number}.example"))
    told = doctor(capsys)

    assert len(told.facts("tokens", "login")) == 6
    assert told.facts("tokens", "login")[-1][1] == "and 2 more"
    assert told.fact("tokens", "used")[0] == "note"
    assert told.code == 0


def test_an_error_comes_before_advice(capsys: Capture, project: Path) -> None:
    (project / "widgetschema.toml").unlink()
    assert doctor(capsys, "--offline").next.startswith("Map files to types")
    TokenFile().put(tokens("https://platform.example", refresh_token=None, obtained=1.7e9))
    told = doctor(capsys, "--offline")

    assert told.next == (
        "Log in: widgetschema login --base-url https://platform.example --code CODE "
        "--redirect-uri URI"
    )
    assert told.code == 5


@pytest.fixture
def vault() -> Iterator[Vault]:
    """The keyring of this process, for as long as a test takes."""
    before = keyring.get_keyring()
    one = Vault()
    keyring.set_keyring(one)
    yield one
    keyring.set_keyring(before)


def test_a_keyring_that_raises(capsys: Capture, vault: Vault) -> None:
    base_url = "https://platform.example"
    KeyringStorage(TokenFile(), base_url).save(tokens(base_url))
    assert doctor(capsys, "--offline").code == 0
    vault.trouble = RuntimeError(CANARY)
    told = doctor(capsys, "--offline")

    assert "cannot be read (RuntimeError)" in told.fact("tokens", "problem")[1]
    assert told.code == 5
    assert "--storage file" in told.next
    assert CANARY not in json.dumps(told.value)


# Network


@pytest.mark.parametrize(
    ("behave", "code", "state", "said"),
    [
        (saying(answer(401)), 0, "ok", "responds (HTTP 401)"),
        (saying(answer(503)), 0, "note", "the platform itself has a problem"),
        (saying(b"gibberish\r\n\r\n"), 5, "trouble", "the connection was closed"),
        (
            saying(answer(302, f"Location: https://{CANARY}@other.example/{CANARY}")),
            0,
            "note",
            "it redirects to another origin, https://other.example, which is not followed",
        ),
    ],
    ids=["401", "503", "garbage", "redirect"],
)
def test_answers(capsys: Capture, behave: Behave, code: int, state: str, said: str) -> None:
    with serving(behave) as server:
        TokenFile().put(tokens(server.url))
        told = doctor(capsys)

    assert told.fact("network", "response")[0] == state
    assert said in told.fact("network", "response")[1]
    assert told.code == code
    assert len(server.heads) == 1
    assert CANARY not in json.dumps(told.value) + repr(server.heads)


def test_a_closed_port(capsys: Capture) -> None:
    with reserved_port() as port:
        TokenFile().put(tokens(f"http://127.0.0.1:{port}"))
        told = doctor(capsys)

    assert told.fact("network", "response")[1].startswith("no response: cannot connect (")
    assert told.code == 5
    assert told.next.startswith("Check the network")


@pytest.mark.parametrize("by", ["argument", "variable"])
def test_offline_asks_nobody(capsys: Capture, monkeypatch: pytest.MonkeyPatch, by: str) -> None:
    with serving(saying(answer(200))) as server:
        if by == "variable":
            monkeypatch.setenv("WIDGETSCHEMA_OFFLINE", "1")
        told = doctor(capsys, "--base-url", server.url, *["--offline"] * (by == "argument"))

    assert server.heads == []
    assert told.fact("network", "network")[0] == "note"
    assert "response" not in {fact["name"] for fact in told.sections["network"]}


# Secrets, hostile text, misuse


@pytest.mark.parametrize("output_format", ["text", "json"])
def test_secrets_are_never_shown(
    capsys: Capture, project: Path, monkeypatch: pytest.MonkeyPatch, output_format: str
) -> None:
    with serving(saying(answer(200, f"X-Token: {CANARY}"))) as server:
        TokenFile().put(tokens(server.url, expires_in=CANARY, account=CANARY, client_id=CANARY))
        for name in ("ACCESS_TOKEN", "REFRESH_TOKEN", "CLIENT_SECRET"):
            monkeypatch.setenv(f"WIDGETSCHEMA_{name}", f"{CANARY}-secret")
        monkeypatch.setenv("WIDGETSCHEMA_BASE_URL", f"https://me:{CANARY}@x.example")
        monkeypatch.setenv("WIDGETSCHEMA_ENGINE", f"{CANARY}-secret")  # in the wrong place
        monkeypatch.setenv("HTTPS_PROXY", f"http://me:{CANARY}@127.0.0.1:1")
        (project / "widgetschema.toml").write_text(
            f'auth-url = "https://me:{CANARY}@x.example"\nclient-secret = "{CANARY}"\n'
            f'fetch = "{CANARY}-access"\n{MAPPED}'
        )
        result = run(capsys, "doctor", "--format", output_format, "--base-url", server.url)
        other = run(capsys, "doctor", "--format", output_format)

    for one in (result, other):
        assert CANARY not in one.out + one.err
        assert "Traceback" not in one.err
    assert result.code == 5
    assert CANARY.encode() not in b"".join(server.heads)


def test_nothing_that_a_terminal_obeys(capsys: Capture, project: Path) -> None:
    folder = project / "schemas"
    folder.mkdir()
    (folder / "\x1b[31mred\u202e.json").write_text('{"$ref": "\x07"}')
    (project / "widgetschema.toml").write_text(
        'schemas = "schemas"\n[files]\n"widgets/*" = "\\u001b[31m\\nred"\n'
    )
    result = run(capsys, "doctor", "--offline")

    assert all(character.isprintable() or character == "\n" for character in result.out)
    assert "Traceback" not in result.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("--config", "a.toml", "--no-config"),
        ("--base-url", f"https://me:{CANARY}@x.example"),
        ("--base-url", "nothing"),
        ("--format", "sarif"),
    ],
)
def test_misuse(capsys: Capture, arguments: tuple[str, ...]) -> None:
    result = run(capsys, "doctor", *arguments)

    assert (result.code, result.out) == (2, "")
    assert CANARY not in result.err


# What stops a section

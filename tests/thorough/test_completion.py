"""Completion, by the shells themselves where they are installed, and by what they ask for."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command import environment, run_process
from tests.terminal import Terminal
from widgetschema.catalog.store import write_manifest
from widgetschema.cli import main
from widgetschema.manual_pages import reported
from widgetschema.project.config.rules import keyword_fault
from widgetschema.sandbox import running
from widgetschema.schema.keywords import KEYWORDS

Ask = Callable[..., list[list[str]]]
Offered = Callable[..., list[str]]

SHELLS = ("bash", "zsh", "fish")
BIN = os.path.dirname(sys.executable)


def needs(shell: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"there is no {shell} here")


def variables(home: Path, **more: str) -> dict[str, str]:
    """The variables for a shell of a user who has configured nothing."""
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    return environment(HOME=str(home), PATH=path, TERM="dumb", XDG_CONFIG_HOME=str(home), **more)


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Ask as a shell does, in a folder; what is answered, in fields."""
    monkeypatch.chdir(tmp_path)

    def asked(shell: str, *words: str) -> list[list[str]]:
        line = ["widgetschema", *words]
        fish = shell == "fish"
        monkeypatch.setenv("_WIDGETSCHEMA_COMPLETE", f"{shell}_complete")
        monkeypatch.setenv("COMP_WORDS", (" " if fish else "\n").join(line))
        monkeypatch.setenv("COMP_CWORD", words[-1] if fish else f"{len(words)}")
        assert main() == 0
        captured = capsys.readouterr()
        assert captured.err == ""
        lines = captured.out.splitlines()
        if shell == "zsh":  # type, value, help: a line each
            return [lines[start : start + 3] for start in range(0, len(lines), 3)]
        return [line.split(",", 1) for line in lines]

    return asked


@pytest.fixture
def offered(ask: Ask) -> Offered:
    """Return the offers of bash for words of which the last is incomplete.

    Values, or the kind of value in brackets.
    """

    def values(*words: str) -> list[str]:
        fields = ask("bash", *words)
        return [value if kind == "plain" else f"<{kind}>" for kind, value in fields]

    return values


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a type of its own."""
    folder = tmp_path / "schemas"
    folder.mkdir()
    (folder / "faq.json").write_text('{"type": "object"}', encoding="utf-8")
    write_manifest(folder)
    return tmp_path


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("va", ["validate"]),
        ("sa", ["sample", "sandbox"]),
        ("--ver", ["--version"]),
        ("nothing", []),
        ("validate --no-f", ["--no-formats"]),
        ("validate --engine ", ["rust", "python"]),
        ("validate --engine=p", ["python"]),
        ("validate --engine = p", ["python"]),  # as bash splits it
        ("validate --engine =", ["rust", "python"]),
        ("validate ", ["<file>"]),
        ("validate a.json b", ["<file>"]),
        ("validate --output ", ["<file>"]),
        ("validate --schemas ", ["<dir>"]),
        ("validate --format s", ["sarif"]),
        ("validate --format sarif=x --format js", ["json"]),
        ("validate --config ", ["<file>"]),
        ("validate --type ", ["faq", "countdown"]),
        ("validate --type c", ["countdown"]),
        ("validate --type = f", ["faq"]),
        ("validate --schemas schemas --type ", ["faq", "countdown"]),
        ("validate --schemas nowhere --type ", ["countdown"]),
        ("validate --max-findings ", []),
        ("validate --select maxP", ["maxProperties"]),
        ("validate --ignore = maxP", ["maxProperties"]),
        ("validate --select type,maxI", ["type,maxItems"]),
        ("validate --select maxItems,maxI", []),
        ("validate --ignore '$(id)',maxI", []),
        ("explain maxI", ["maxItems"]),
        ("login --code t", []),
        ("validate -- --no", ["<file>"]),
        ("sample ", ["faq", "countdown"]),
        ("sample faq ", []),
        ("sample faq --kind m", ["minimal", "maximal"]),
        ("sample faq --output ", ["<file>"]),
        ("bundle f", ["faq"]),
        ("pull faq c", ["countdown"]),
        ("pull --plugin ", ["<file>"]),
        ("diff ", ["<file>"]),
        ("diff a ", ["<file>"]),
        ("diff --data ", ["<file>"]),
        ("audit ", ["<file>"]),
        ("audit --type ", ["faq", "countdown"]),
        ("audit --against ", ["<file>"]),
        ("audit --findings ", ["<file>"]),
        ("audit --scheduler ", []),
        ("edit ", ["<file>"]),
        ("edit --ui ", ["<file>"]),
        ("edit --type ", ["faq", "countdown"]),
        ("form ", ["faq", "countdown"]),
        ("form faq ", ["<file>"]),
        ("form faq --export ", ["rjsf", "jsonforms", "html"]),
        ("sandbox --schemas ", ["<dir>"]),
        ("widgets --type ", ["faq", "countdown"]),
        ("widgets --project ", []),
        ("login --client-id ", []),
        ("completion ", ["bash", "zsh", "fish"]),
    ],
)
def test_what_is_offered(project: Path, offered: Offered, line: str, expected: list[str]) -> None:
    assert offered(*line.split(" ")) == expected


def test_codes_are_those_of_findings(offered: Offered) -> None:
    assert offered("explain", "") == [one.code for one in reported()]
    selectable = [one.code for one in reported() if one.selectable]
    assert 0 < len(selectable) < len([*reported()])
    assert offered("validate", "--select", "") == selectable
    others = [code for code in selectable if code != "type"]
    assert offered("validate", "--ignore", "type,") == [f"type,{code}" for code in others]
    assert all(keyword_fault(code, None) is None for code in selectable)


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_gets_the_help(shell: str, ask: Ask) -> None:
    about = "Write the linked schema of a widget type as one file."
    value = {"bash": ["bundle"], "zsh": ["bundle", about], "fish": [f"bundle\t{about}"]}
    assert ask(shell, "bund") == [["plain", *value[shell]]]


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_says_whom_to_ask(shell: str, tmp_path: Path) -> None:
    result = run_process("completion", shell, cwd=tmp_path)
    assert (result.code, result.err) == (0, "")
    assert f"_WIDGETSCHEMA_COMPLETE={shell}_complete" in result.out
    assert result.out.isascii()
    same = subprocess.run(
        [sys.executable, "-m", "widgetschema"],
        capture_output=True,
        encoding="utf-8",
        env=environment(_WIDGETSCHEMA_COMPLETE=f"{shell}_source"),
        check=False,
    )
    assert (same.returncode, same.stdout, same.stderr) == (0, result.out, "")


def test_other_shells_are_a_usage_error(tmp_path: Path) -> None:
    result = run_process("completion", "tcsh", cwd=tmp_path)
    assert result.code == 2
    assert "'bash', 'zsh', 'fish'" in result.err


@pytest.mark.parametrize(
    "asked",
    [
        {"_WIDGETSCHEMA_COMPLETE": "x"},
        {"_WIDGETSCHEMA_COMPLETE": "tcsh_complete"},
        {"_WIDGETSCHEMA_COMPLETE": "bash_run"},
        {"_WIDGETSCHEMA_COMPLETE": "bash_complete"},
        {"COMP_WORDS": "widgetschema v", "COMP_CWORD": "x"},
        {"COMP_WORDS": "widgetschema v", "COMP_CWORD": ""},
        {"COMP_WORDS": "widgetschema valid ", "COMP_CWORD": "2"},
        {"COMP_WORDS": "widgetschema sample 'x", "COMP_CWORD": "2"},
        {"COMP_WORDS": "widgetschema validate --jobs x --max-findings y ", "COMP_CWORD": "6"},
        {"COMP_WORDS": "widgetschema validate \udcff", "COMP_CWORD": "2"},
        {"COMP_WORDS": f"widgetschema {'[' * 50_000}", "COMP_CWORD": "1"},
        {
            "_WIDGETSCHEMA_COMPLETE": "fish_complete",
            "COMP_WORDS": "widgetschema '",
            "COMP_CWORD": "'",
        },
    ],
    ids=lambda asked: str(asked)[:60],
)
def test_whatever_is_asked_nothing_is_said(
    asked: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in {"_WIDGETSCHEMA_COMPLETE": "bash_complete", **asked}.items():
        monkeypatch.setenv(name, value)
    assert main() in (0, 1)
    captured = capsysbinary.readouterr()
    assert captured.err == b""
    assert b"plain" not in captured.out


def test_the_folder_that_is_configured(tmp_path: Path, offered: Offered) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "own.json").write_text("{}", encoding="utf-8")
    (tmp_path / "widgetschema.toml").write_text('schemas = "mine"', encoding="utf-8")
    assert offered("sample", "") == ["own", "countdown"]
    assert offered("validate", "--no-config", "--type", "") == ["countdown"]


class TestFoldersOfSomebodyElse:
    @pytest.mark.parametrize("text", ["[", "schemas = 3", "\0", 'schemas = "../.."'])
    def test_a_configuration_that_is_none(
        self, tmp_path: Path, offered: Offered, text: str
    ) -> None:
        (tmp_path / "widgetschema.toml").write_text(text, encoding="utf-8")
        assert offered("sample", "c") == ["countdown"]

    def test_only_names_that_no_shell_obeys_are_offered(
        self, tmp_path: Path, offered: Offered
    ) -> None:
        folder = tmp_path / "schemas"
        folder.mkdir()
        bad = ["$(touch pwned)", "`id`", "a;b", "a b", "a\nplain,b", "*", "-x", "--output=x", "é"]
        entries = {id: {"file": "x.json", "sha256": "0" * 64} for id in [*bad, "x" * 500, "fine"]}
        manifest = json.dumps({"version": 1, "schemas": entries})
        (folder / "manifest.json").write_text(manifest, encoding="utf-8")
        assert offered("sample", "") == ["fine", "countdown"]

    @pytest.mark.parametrize("text", ["", "[", '{"schemas": 3}', "[" * 100_000, "\0"])
    def test_a_broken_manifest(self, tmp_path: Path, offered: Offered, text: str) -> None:
        (tmp_path / "schemas").mkdir()
        (tmp_path / "schemas" / "manifest.json").write_text(text, encoding="utf-8")
        assert offered("sample", "") == ["countdown"]

    def test_a_pipe_that_nobody_writes_to(self, tmp_path: Path, offered: Offered) -> None:
        (tmp_path / "x").mkdir()
        os.mkfifo(tmp_path / "x" / "manifest.json")
        assert offered("sample", "--schemas", "x", "") == ["countdown"]

    def test_no_working_directory(self, tmp_path: Path) -> None:
        script = (
            'cd "$1"; rmdir "$1"; COMP_WORDS="widgetschema sample c" COMP_CWORD=2 '
            '_WIDGETSCHEMA_COMPLETE=bash_complete exec "$2" -c '
            '"import sys; from widgetschema.cli import main; sys.exit(main())"'
        )
        (tmp_path / "gone").mkdir()
        process = subprocess.run(
            ["sh", "-c", script, "sh", tmp_path / "gone", sys.executable],
            capture_output=True,
            env=environment(),
            check=False,
        )
        assert (process.stdout, process.stderr) == (b"plain,countdown", b"")


def test_nothing_is_asked_of_the_platform(
    offered: Offered, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running() as sandbox:
        monkeypatch.setenv("WIDGETSCHEMA_BASE_URL", sandbox.base_url)
        monkeypatch.setenv("WIDGETSCHEMA_AUTH_URL", sandbox.auth_url)
        monkeypatch.setenv("WIDGETSCHEMA_ACCESS_TOKEN", sandbox.access_token())
        for line in (["pull", ""], ["validate", "--fetch", "refresh", "--type", ""]):
            assert offered(*line) == ["countdown"]
        assert sandbox.counters.requests == 0


def test_nothing_is_loaded_that_is_not_asked_for(tmp_path: Path) -> None:
    asked = {"COMP_WORDS": "widgetschema ", "COMP_CWORD": "1"}
    process = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "widgetschema"],
        capture_output=True,
        encoding="utf-8",
        cwd=tmp_path,
        env=environment(_WIDGETSCHEMA_COMPLETE="bash_complete", **asked),
        check=False,
    )
    assert "plain,validate" in process.stdout
    loaded = {line.rpartition("|")[2].strip() for line in process.stderr.splitlines()}
    assert "widgetschema.cli.commands.completion" in loaded
    assert not loaded & {
        "widgetschema.cli.commands.validate",
        "httpx",
        "jsonschema_rs",
        "platformdirs",
    }


class TestBash:
    """The script in a real bash, which calls the function as at a Tab."""

    SCRIPT = (
        "source <(widgetschema completion bash)\n"
        "compopt() { printf 'compopt %s %s\\n' \"$@\"; }\n"  # bash's own works at a Tab only
        'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))\n'
        "_widgetschema_completion widgetschema\n"
        "printf '%s\\n' \"${COMPREPLY[@]}\"; complete -p widgetschema\n"
    )

    @needs("bash")
    @pytest.mark.parametrize(
        ("words", "expected"),
        [
            (["val"], ["validate"]),
            (["validate", "--type", ""], ["faq", "countdown"]),
            (["validate", "--type", "=", "f"], ["faq"]),
            (["validate", "--select", "type,maxI"], ["type,maxItems"]),
            (["sample", "c"], ["countdown"]),
            (["validate", ""], ["compopt -o default", ""]),
            (["validate", "--schemas", ""], ["compopt -o dirnames", ""]),
            (["validate", "`id>pwned`", "--engine", "r"], ["rust"]),
        ],
    )
    def test_completions(self, project: Path, words: list[str], expected: list[str]) -> None:
        process = subprocess.run(
            ["bash", "--norc", "-c", self.SCRIPT, "bash", "widgetschema", *words],
            capture_output=True,
            encoding="utf-8",
            cwd=project,
            env=variables(project),
            check=False,
        )
        registered = "complete -o nosort -F _widgetschema_completion widgetschema"
        assert process.stdout.splitlines() == [*expected, registered]
        assert process.stderr == ""
        assert not (project / "pwned").exists()


class TestFish:
    @needs("fish")
    @pytest.mark.parametrize(
        ("line", "expected"),
        [
            ("widgetschema val", ["validate\tCheck widget data against its schema."]),
            ("widgetschema validate --type ", ["countdown", "faq"]),
            ("widgetschema sample f", ["faq"]),
            ("widgetschema validate --engine p", ["python"]),
            ("widgetschema validate --type=f", ["--type=faq"]),
            (
                "widgetschema validate --select type,maxI",
                [f"type,maxItems\t{KEYWORDS['maxItems'].rule}"],
            ),
            ("widgetschema comp", ["completion\tPrint a shell completion script."]),
            ("widgetschema conf", ["config\tShow the settings and where each value comes from."]),
            ("widgetschema validate --schemas sch", ["schemas/\tDirectory"]),
            ("widgetschema validate schemas/faq", ["schemas/faq.json"]),
        ],
    )
    def test_completions(self, project: Path, line: str, expected: list[str]) -> None:
        script = 'widgetschema completion fish | source; complete -C "$LINE"'
        process = subprocess.run(
            ["fish", "--no-config", "-c", script],
            capture_output=True,
            encoding="utf-8",
            cwd=project,
            env=variables(project, LINE=line),
            check=False,
        )
        assert sorted(process.stdout.splitlines()) == expected


class TestAtATerminal:
    """Tab pressed in a terminal."""

    @pytest.mark.parametrize(
        ("shell", "begin"),
        [
            pytest.param(
                ["bash", "--norc", "-i"],
                'PS1="> "; source <(widgetschema completion bash)',
                marks=needs("bash"),
            ),
            pytest.param(
                ["zsh", "-f", "-i"],
                'PS1="> "; autoload -Uz compinit; compinit -u -D; '
                'eval "$(widgetschema completion zsh)"',
                marks=needs("zsh"),
            ),
        ],
        ids=["bash", "zsh"],
    )
    @pytest.mark.parametrize(
        ("typed", "shown"),
        [
            ("widgetschema valid\t", "widgetschema validate "),
            ("widgetschema validate --type fa\t", "--type faq "),
            ("widgetschema validate --type=fa\t", "validate --type=faq "),
            ("widgetschema validate schemas/fa\t", "validate schemas/faq.json "),
        ],
    )
    def test_tab(self, project: Path, shell: list[str], begin: str, typed: str, shown: str) -> None:
        with Terminal(shell, project, variables(project)) as screen:
            screen.type(f"{begin}; echo ready-{'$'}((40 + 2))\n")
            screen.wait_for("ready-42")
            screen.type(typed)
            screen.wait_for(shown)

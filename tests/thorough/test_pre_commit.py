"""The hooks, run by the real pre-commit in a repository of their own, installed as users do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.checkout import ROOT, configure, git, git_environment, hooks, pre_commit
from tests.command import environment
from widgetschema.catalog.store import bundled
from widgetschema.sandbox import running

MANIFEST = ROOT / ".pre-commit-hooks.yaml"
VALID = '{"content": {}, "settings": {}, "styles": {}}\n'
BROKEN = '{"content": {}, "settings": {},\n "styles": {"fontId": 3}}\n'
MAP = '[files]\n"widgets/*.json" = "countdown"\n'


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with pre-commit's environments of this project."""
    return hooks(tmp_path_factory)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A fresh repository with a widget that is valid, one that is not, and other files."""
    files = {
        "widgetschema.toml": MAP,
        "widgets/valid.json": VALID,
        "widgets/broken.json": BROKEN,
        "package.json": '{"name": "no widget at all"}',
        "tsconfig.json": "// no JSON\n{}",
    }
    for name, text in files.items():
        path = tmp_path / "repository" / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text, encoding="utf-8")
    configure(tmp_path / "repository", "widgetschema-validate")
    return tmp_path / "repository"


def test_pre_commit_takes_the_manifest() -> None:
    command = [sys.executable, "-m", "pre_commit", "validate-manifest", str(MANIFEST)]
    assert subprocess.run(command, env=environment(), check=False).returncode == 0


def test_findings_fail_and_are_shown_and_what_is_right_passes(
    repository: Path, installed: Path
) -> None:
    failed = pre_commit(repository, installed, "run", "--all-files")
    assert failed.returncode == 1
    assert "widgets/broken.json:2:23: type /styles/fontId" in failed.stdout
    assert "exit code: 1" in failed.stdout
    assert "package.json" not in failed.stdout
    assert "tsconfig.json" not in failed.stdout
    assert "valid.json" not in failed.stdout

    (repository / "widgets/broken.json").write_text(VALID, encoding="utf-8")
    git(repository, "add", "--all")
    passed = pre_commit(repository, installed, "run", "--all-files")
    assert (passed.returncode, "Passed" in passed.stdout) == (0, True), passed.stdout


def test_only_what_is_committed_is_checked(repository: Path, installed: Path) -> None:
    git(repository, "commit", "--quiet", "--message", "as it was")
    (repository / "widgets/valid.json").write_text(f" {VALID}", encoding="utf-8")
    (repository / "package.json").write_text("{}", encoding="utf-8")
    git(repository, "add", "--all")
    run = pre_commit(repository, installed, "run")
    assert (run.returncode, "Passed" in run.stdout) == (0, True), run.stdout

    # Another configuration may make other mistakes: everything is checked.
    (repository / "widgetschema.toml").write_text(f"{MAP}# changed\n", encoding="utf-8")
    git(repository, "add", "--all")
    run = pre_commit(repository, installed, "run")
    assert run.returncode == 1
    assert "widgets/broken.json:2:23" in run.stdout


def test_names_of_files_are_never_options(repository: Path, installed: Path) -> None:
    (repository / "widgets/broken.json").unlink()
    for name in ("--output=pwned.json", "--quiet.json", "-.json", "$(touch pwned).json"):
        (repository / name).write_text(VALID, encoding="utf-8")
    git(repository, "add", "--all")
    before = sorted(path.name for path in repository.iterdir())
    run = pre_commit(repository, installed, "run", "--all-files")
    assert (run.returncode, "Passed" in run.stdout) == (0, True), run.stdout
    assert sorted(path.name for path in repository.iterdir()) == before


def test_a_commit_is_refused(repository: Path, installed: Path) -> None:
    assert pre_commit(repository, installed, "install").returncode == 0
    commit = subprocess.run(
        ["git", "commit", "--message", "a widget"],
        cwd=repository,
        env=git_environment(repository.parent, PRE_COMMIT_HOME=str(installed)),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert commit.returncode == 1
    assert "widgets/broken.json:2:23" in commit.stderr


FIXABLE = '{"content": {"timerDays": "3"}, "settings": {},\n "styles": {}}\n'
FIXED = FIXABLE.replace('"3"', "3")


def test_what_is_certain_is_fixed(repository: Path, installed: Path) -> None:
    configure(repository, "widgetschema-fix")
    broken = repository / "widgets/broken.json"
    broken.write_text(FIXABLE, encoding="utf-8")
    other = repository / "other.json"
    other.write_text(FIXABLE, encoding="utf-8")
    git(repository, "add", "--all")

    first = pre_commit(repository, installed, "run", "--all-files")
    assert first.returncode == 1, first.stdout
    assert "files were modified by this hook" in first.stdout
    assert broken.read_text(encoding="utf-8") == FIXED
    assert other.read_text(encoding="utf-8") == FIXABLE  # which no pattern maps

    git(repository, "add", "--all")
    second = pre_commit(repository, installed, "run", "--all-files")
    assert (second.returncode, "Passed" in second.stdout) == (0, True), second.stdout

    broken.write_text(BROKEN, encoding="utf-8")  # where nothing is certain
    git(repository, "add", "--all")
    third = pre_commit(repository, installed, "run", "--all-files")
    assert third.returncode == 1
    assert "widgets/broken.json:2:23: type /styles/fontId" in third.stdout
    assert "files were modified" not in third.stdout


def test_only_files_of_the_commit_are_fixed(repository: Path, installed: Path) -> None:
    configure(repository, "widgetschema-fix")
    broken = repository / "widgets/broken.json"
    broken.write_text(FIXABLE, encoding="utf-8")
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message", "as it was")
    (repository / "widgetschema.toml").write_text(f"{MAP}# changed\n", encoding="utf-8")
    (repository / "widgets/valid.json").write_text(FIXABLE, encoding="utf-8")
    git(repository, "add", "--all")

    run = pre_commit(repository, installed, "run")

    assert run.returncode == 1
    assert "widgets/broken.json:1:27: type /content/timerDays" in run.stdout
    assert "widgets/broken.json: not fixed: it is checked only because" in run.stdout
    assert broken.read_text(encoding="utf-8") == FIXABLE
    assert (repository / "widgets/valid.json").read_text(encoding="utf-8") == FIXED


def test_drift_of_schemas(installed: Path, tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    (repository / "schemas").mkdir(parents=True)
    hook = "widgetschema-pull-check"
    with running() as sandbox:
        more = {
            "WIDGETSCHEMA_BASE_URL": sandbox.base_url,
            "WIDGETSCHEMA_AUTH_URL": sandbox.auth_url,
            "WIDGETSCHEMA_ACCESS_TOKEN": sandbox.access_token(),
            "XDG_CONFIG_HOME": str(tmp_path / "config"),
        }
        pulled = subprocess.run(
            [sys.executable, "-m", "widgetschema", "pull", "countdown"],
            cwd=repository,
            env={**git_environment(tmp_path), **more, "PYTHONPATH": str(ROOT)},
            check=False,
        )
        assert pulled.returncode == 0
        configure(repository, hook)

        at_commit = pre_commit(repository, installed, "run", "--all-files", **more)
        assert (at_commit.returncode, at_commit.stdout) == (0, "")
        manual = ("run", hook, "--hook-stage", "manual")
        same = pre_commit(repository, installed, *manual, **more)
        assert (same.returncode, "Passed" in same.stdout) == (0, True), same.stdout

        sandbox.set_schema("countdown", {**bundled()["countdown"], "maxProperties": 1})
        before = (repository / "schemas" / "countdown.json").read_bytes()
        git(repository, "commit", "--quiet", "--message", "all")
        push = ("run", "--hook-stage", "pre-push", "--from-ref", "HEAD", "--to-ref", "HEAD")
        for arguments in (manual, push):
            changed = pre_commit(repository, installed, *arguments, **more)
            assert changed.returncode == 1
            assert "maxProperties" in changed.stdout
            assert sandbox.access_token() not in changed.stdout
        assert (repository / "schemas" / "countdown.json").read_bytes() == before


def test_a_package_with_a_configuration_of_its_own(repository: Path, installed: Path) -> None:
    """Hooks run at the root, whatever the package."""
    (repository / "widgetschema.toml").rename(repository / "widgets/widgetschema.toml")
    config = repository / "widgets/widgetschema.toml"
    config.write_text(MAP.replace("widgets/", ""), encoding="utf-8")
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message", "as it was")
    config.write_text(f"{config.read_text(encoding='utf-8')}# changed\n", encoding="utf-8")
    git(repository, "add", "--all")
    run = pre_commit(repository, installed, "run")
    assert run.returncode == 1, run.stdout
    assert "widgets/broken.json:2:23" in run.stdout

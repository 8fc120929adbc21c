"""`widgetschema init`: what it proposes in repositories as people have them, and what it leaves."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.checkout import ROOT, git
from tests.command import BAD, GOOD, environment, run
from tests.terminal import Terminal
from widgetschema.cli.commands.init import InitOptions, initialize
from widgetschema.cli.pipeline.initialization import propose
from widgetschema.cli.pipeline.project_setup import Source, owner_of, recipe, source_of
from widgetschema.cli.settings import load_settings

SOURCE = Source("acme", "3f2a9c1")
Capture = pytest.CaptureFixture[str]
DOCUMENT = b'{"type": "countdown", "id": "1", "data": %s}'
PRE_COMMIT = b"repos:\n- repo: https://host/other   # pinned\n  rev: v1\n  hooks:\n  - id: other\n"
GITLAB = b"stages: [build, test]\nbuild:\n  script: [make]  # all of it\n"
PYPROJECT = b'[project]\nname = "x"  # keep this\n\n[tool.black]\nline-length=3\n'
REPOSITORY = {
    ".github/workflows/other.yml": b"name: other\n",
    ".gitlab-ci.yml": GITLAB,
    ".pre-commit-config.yaml": PRE_COMMIT,
    ".gitignore": b"/out/\n",
    "pyproject.toml": PYPROJECT,
    "package.json": b'{"name": "x", "type": "module"}',
    "out/a.json": GOOD,
    "node_modules/p/a.json": GOOD,
    "widgets/a.json": GOOD,
    "widgets/deep/b.json": BAD,
    "content/typed.json": DOCUMENT % GOOD,
    "odd.json": b'{"content": {"timerDays": 3}, "settings": {}, "styles": {}}',
}


def write(folder: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".git" not in path.parts
    }


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty repository, which is the working directory."""
    folder = tmp_path / "repository"
    folder.mkdir()
    subprocess.run(["git", "init", "-q"], check=True, cwd=folder)
    monkeypatch.chdir(folder)
    return folder


def mapping(file: Path) -> dict[str, str]:
    value = tomllib.loads(file.read_text())
    found: dict[str, str] = (value.get("tool", {}).get("widgetschema") or value)["files"]
    return found


def test_a_repository_with_everything(repository: Path, capsys: Capture) -> None:
    write(repository, REPOSITORY)

    result = run(capsys, "init", "--yes", "--owner", "acme@3f2a9c1")

    assert result.code == 0, result.err
    assert mapping(repository / "pyproject.toml") == {
        "widgets/**/*.json": "countdown",
        "content/**/*.json": "countdown",
        "odd.json": "countdown",
    }
    assert (repository / "pyproject.toml").read_bytes().startswith(PYPROJECT)
    after = contents(repository)
    assert after[".github/workflows/widgets.yml"].decode() == recipe("github.yml", SOURCE)
    assert after[".gitlab-ci.yml"] == GITLAB + b"\n" + recipe("gitlab.yml", SOURCE).encode()
    assert after[".pre-commit-config.yaml"].startswith(PRE_COMMIT)
    repos = YAML(typ="safe").load(after[".pre-commit-config.yaml"])["repos"]
    assert repos[1] == YAML(typ="safe").load(recipe("pre-commit.yaml", SOURCE))["repos"][0]
    for line in ("changed pyproject.toml", "wrote .github/workflows/widgets.yml"):
        assert f"{line}\n" in result.err
    assert "wrote widgetschema-baseline.json: 1 finding\n" in result.err
    assert result.err.splitlines()[-1].startswith("Next: see which findings can be fixed")
    assert "\n+[tool.widgetschema.files]\n" in result.out

    again = run(capsys, "init", "--yes", "--owner", "acme@3f2a9c1")

    assert (again.code, again.out) == (0, "")
    rest, end = again.err.splitlines()
    assert rest.startswith(
        "widgetschema: not mapped: 1 file of no known widget type, such as package"
    )
    assert end == "Nothing to write. Next: widgetschema validate"
    assert contents(repository) == after
    checked = run(capsys, "validate")
    assert checked.code == 0
    assert "4 documents in 4 files: 3 valid; 1 finding in the baseline" in checked.err


def test_only_what_is_missing_is_proposed(repository: Path, capsys: Capture) -> None:
    write(repository, REPOSITORY)
    assert run(capsys, "init", "--yes", "--owner", "acme@3f2a9c1").code == 0
    before = contents(repository)
    write(repository, {"more/c.json": GOOD})
    (repository / ".gitlab-ci.yml").write_bytes(GITLAB)

    result = run(capsys, "init", "--yes", "--owner", "acme@3f2a9c1")

    added = '"more/**/*.json" = "countdown"\n'
    assert f"+{added}" in result.out
    after = contents(repository)
    del after["more/c.json"]
    text = before["pyproject.toml"].decode()
    assert {name for name in after if after[name] != before[name]} == {"pyproject.toml"}
    assert after["pyproject.toml"].decode() == text + added


def test_nobody_to_ask(repository: Path, capsys: Capture) -> None:
    write(repository, REPOSITORY)
    process = subprocess.run(
        [sys.executable, "-m", "widgetschema", "init"],
        env=environment(PYTHONPATH=str(ROOT)),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )

    assert process.returncode == 2
    assert "nothing was written, since there is no terminal to ask; pass --yes" in process.stderr
    assert "+++ b/pyproject.toml" in process.stdout
    assert contents(repository) == REPOSITORY


@pytest.mark.parametrize("answer", ["y", "n"])
def test_somebody_is_asked(repository: Path, answer: str) -> None:
    write(repository, {"widgets/a.json": GOOD})
    command = [sys.executable, "-m", "widgetschema", "init"]
    end = "Next: widgetschema validate" if answer == "y" else "Nothing was written."
    with Terminal(command, repository, environment(PYTHONPATH=str(ROOT))) as terminal:
        terminal.wait_for("Write these changes? [y/N]")
        assert not (repository / "widgetschema.toml").exists()
        terminal.type(f"{answer}\n")
        terminal.wait_for(end)
        assert terminal.wait_for_end() == 0

    assert (repository / "widgetschema.toml").exists() == (answer == "y")


def test_a_file_that_changes_while_the_user_thinks(repository: Path, capsys: Capture) -> None:
    write(repository, {"widgets/a.json": GOOD, "pyproject.toml": PYPROJECT})

    def confirm() -> bool:
        (repository / "pyproject.toml").write_bytes(b"# mine\n")
        return True

    code = initialize(InitOptions(), confirm)

    assert code == 3
    assert "another program changed it meanwhile" in capsys.readouterr().err
    assert (repository / "pyproject.toml").read_bytes() == b"# mine\n"


def test_parts_can_be_left_out(repository: Path, capsys: Capture) -> None:
    write(repository, REPOSITORY)
    skipped = [f"--skip={part}" for part in ("baseline", "ci", "pre-commit")]

    result = run(capsys, "init", "--yes", *skipped)

    assert (result.code, "--owner" in result.err) == (0, False)
    changed = {name for name, raw in contents(repository).items() if REPOSITORY.get(name) != raw}
    assert changed == {"pyproject.toml"}


def test_without_a_source_nothing_is_written_that_would_fail(
    repository: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    installed(monkeypatch, tmp_path, {})
    write(repository, REPOSITORY)

    for arguments in ((), ("--owner", "acme")):
        result = run(capsys, "init", "--yes", *arguments)
        for what in ("a GitHub workflow", "a job of GitLab", "an entry for pre-commit"):
            assert f"widgetschema: not proposed: {what}: pass --owner OWNER@COMMIT" in result.err
    texts = b"".join(contents(repository).values())
    assert b"OWNER" not in texts
    assert b"COMMIT" not in texts


def installed(monkeypatch: pytest.MonkeyPatch, folder: Path, record: dict[str, Any]) -> None:
    """Let the package have been installed with this record of pip (PEP 610)."""
    info = folder / "site" / "widgetschema-0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Name: widgetschema\nVersion: 0\n")
    (info / "direct_url.json").write_text(json.dumps(record))
    monkeypatch.syspath_prepend(info.parent)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (None, Source("acme", "1" * 40)),
        ("me", Source("me", "1" * 40)),
        ("me@2b", Source("me", "2b")),
    ],
)
def test_the_source_of_an_installation_from_a_repository(
    given: str | None,
    expected: Source,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    vcs = {"vcs": "git", "commit_id": "1" * 40}
    url = "https://github.com/acme/widgetschema"
    installed(monkeypatch, tmp_path, {"url": url, "vcs_info": vcs})

    assert source_of(given) == expected


def test_the_source_of_an_installation_from_a_checkout(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    checkout = tmp_path / "check out"
    (checkout / "sub").mkdir(parents=True)
    (checkout / "a").touch()
    git(checkout, "init", "--quiet")
    git(checkout, "add", "--all")
    git(checkout, "commit", "--quiet", "--message", "all")
    git(checkout, "remote", "add", "origin", "git@github.com:acme/widgetschema.git")
    commit = git(checkout, "rev-parse", "HEAD").strip()
    installed(monkeypatch, tmp_path, {"url": checkout.as_uri(), "dir_info": {}})

    assert source_of(None) == Source("acme", commit)
    git(checkout, "remote", "remove", "origin")
    assert source_of(None) is None
    assert source_of("me") == Source("me", commit)
    installed(monkeypatch, tmp_path / "2", {"url": (checkout / "sub").as_uri(), "dir_info": {}})
    assert source_of("me") is None


@pytest.mark.parametrize(
    ("address", "owner"),
    [
        ("https://github.com/acme/widgetschema", "acme"),
        ("https://github.com/acme/widgetschema.git", "acme"),
        ("ssh://git@github.com/acme/widgetschema.git", "acme"),
        ("git@github.com:acme/widgetschema.git", "acme"),
        ("https://github.com.evil.example/acme/widgetschema", None),
        ("https://git.example/acme/widgetschema", None),
        ("https://github.com/a b/widgetschema", None),
        ("file:///home/me/widgetschema", None),
    ],
)
def test_the_owner_of_an_address(address: str, owner: str | None) -> None:
    assert owner_of(address) == owner


@pytest.mark.parametrize(
    "owner", ["a/b\nc", "a@", "a@-b", "a@b c", "@c", "a@b@c", "a@1234567", "a@12e3456"]
)
def test_an_owner_is_a_name(owner: str, repository: Path, capsys: Capture) -> None:
    result = run(capsys, "init", "--owner", owner)
    assert result.code == 2
    assert "--owner must be the name of an account" in result.err
    assert "OWNER@COMMIT with all 40 digits" in result.err


def test_help_and_manual_have_the_same_placeholders(capsys: Capture) -> None:
    assert "--owner OWNER[@COMMIT]" in run(capsys, "init", "--help").out
    assert "--owner OWNER@COMMIT" in (ROOT / "docs/guides/ci.md").read_text(encoding="utf-8")
    assert "OWNER/widgetschema@COMMIT" in recipe("github.yml")


# Mapping

WRONG = b'{"content": {"timerDays": "3"}, "settings": {}, "styles": {}}'


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param({"a/b/c/x.json": GOOD}, {"a/b/c/**/*.json": "countdown"}, id="deep"),
        pytest.param(
            {f"a/{n}/x.json": GOOD for n in range(2)}, {"a/**/*.json": "countdown"}, id="several"
        ),
        pytest.param(
            {"w/x.json": GOOD, "w/y.json": WRONG, "w/z.json": b'{"content": '},
            {"w/**/*.json": "countdown"},
            id="mistakes among them",
        ),
        pytest.param(
            {"w/x.json": GOOD, "w/package.json": b'{"name": "x"}'},
            {"w/x.json": "countdown"},
            id="others among them",
        ),
        pytest.param(
            {f"w2/x-{n}.json": GOOD for n in range(25)} | {"w2/x-25.json": WRONG, "w2/y.json": b"[1]"},
            {"w2/x-*.json": "countdown"},
            id="numbers, and others among them",
        ),
        pytest.param(
            {"w/x-1.json": GOOD, "w/x-2.json": GOOD, "w/x-all.json": b"[1]", "w/z1.json": GOOD},
            {f"w/{name}.json": "countdown" for name in ("x-1", "x-2", "z1")},
            id="numbers, but others have such names",
        ),
        pytest.param(
            {
                "w/x.json": GOOD,
                "w/mixed.json": b'[%s, {"type": "com.github.push", "data": {}}]' % (DOCUMENT % GOOD),
            },
            {"w/x.json": "countdown"},
            id="others within one",
        ),
        pytest.param(
            {"w/x.yaml": b"content: {}\nsettings: {}\nstyles: {}\n",
             "w/y.yml": b"content: {}\nsettings: {}\nstyles: {}\n", "w/z.json": b"{}"},
            {"w/**/*.yaml": "countdown", "w/**/*.yml": "countdown"}, id="several suffixes",
        ),
        pytest.param({"w/y.json": WRONG}, {}, id="nothing certain"),
        pytest.param(
            {"a/tsconfig.json": b"// x\n{}", "a/w/x.json": GOOD, "a/w/empty.json": b""},
            {"a/w/**/*.json": "countdown"},
            id="another broken file above",
        ),
        pytest.param(
            {"a/b.json": b"{'content': 1}", "a/w/x.json": GOOD},
            {"a/w/**/*.json": "countdown"},
            id="a broken file above",
        ),
        pytest.param(
            {
                "w/tsconfig.json": b'// x\n{"compilerOptions": {}}',
                "w/x.json": GOOD,
                "w/y.json": "{'content': 1".encode("utf-16"),
            },
            {"w/x.json": "countdown"},
            id="another broken file among them",
        ),
        pytest.param({"w/[1]*.json": GOOD, "w/no.json": b"[]"}, {"w/[1]?.json": "countdown"}),
        pytest.param({"w/three.json": b"[%s, %s]" % (GOOD, GOOD)}, {"w/**/*.json": "countdown"}),
        pytest.param({"w/many.ndjson": GOOD + b"\n" + GOOD}, {"w/**/*.ndjson": "countdown"}),
        pytest.param({"w/x.yaml": b"content: {}\nsettings: {}\nstyles: {}\n"},
                     {"w/**/*.yaml": "countdown"}),
        pytest.param({"empty.json": b"{}", "list.json": b"[]", "no.json": b"null"}, {}),
        pytest.param({"named.json": DOCUMENT % GOOD}, {}, id="checked without"),
        pytest.param({"e/x.json": b'{"type": "com.github.push", "data": {}}'}, {}, id="event"),
        pytest.param({"schemas.d/s.json": b'{"$schema": "http://json-schema.org/draft-07/schema#",'
                                          b'"type": "object"}'}, {}, id="another schema"),
    ],
)  # fmt: skip
def test_what_is_mapped(
    files: dict[str, bytes], expected: dict[str, str], repository: Path
) -> None:
    write(repository, files)
    proposal = propose(load_settings(), owner=None, skip=())
    text = proposal.changes[0].after if proposal.changes else "files = {}"
    assert tomllib.loads(text).get("files", {}) == expected


def test_yaml_that_cannot_be_read_is_named(
    repository: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    yaml = b"content: {}\nsettings: {}\nstyles: {}\n"
    write(repository, {"w/x.json": GOOD, "w/y.yaml": yaml, "v/z.yml": yaml, "a.yml": b"jobs: []\n"})
    monkeypatch.setitem(sys.modules, "yaml", None)

    result = run(capsys, "init", "--yes")

    assert mapping(repository / "widgetschema.toml") == {"w/**/*.json": "countdown"}
    assert (
        "not mapped: 3 files, such as a.yml: YAML needs the library PyYAML: install it with: "
        "pip install 'widgetschema[formats]'\n"
    ) in result.err


def test_schemas_that_cannot_be_used_are_named(repository: Path, capsys: Capture) -> None:
    write(repository, {"schemas/faq.json": b'{"$ref": "nowhere"}', "w/x.json": b'{"a": 1}'})

    result = run(capsys, "init", "--yes")

    said = "widgetschema: the schema of widget type 'faq' cannot be used: schema 'faq', /$ref: "
    assert result.err.count(said) == 1


def test_files_that_cannot_be_read_are_named(repository: Path, capsys: Capture) -> None:
    write(repository, {"w/x.json": GOOD, "v/y.ndjson.gz": gzip.compress(GOOD)[:-9]})

    result = run(capsys, "init", "--yes")

    assert "not mapped: 1 file, such as v/y.ndjson.gz: " in result.err


OTHER = b"""{"$schema": "http://json-schema.org/draft-07/schema#", "$id": "%s", "type": "object",
 "properties": {"data": {"type": "object", "properties": {"%s": {}, "shared": {}}}}}"""


def test_several_types(repository: Path, capsys: Capture) -> None:
    write(
        repository,
        {
            "schemas/one.json": OTHER % (b"one", b"a"),
            "schemas/two.json": OTHER % (b"two", b"b"),
            "x/one.json": b'{"a": 1}',
            "y/two.json": b'{"b": 1}',
            "both/c.json": b'{"shared": 1}',
            "all/1.json": b'{"type": "one", "data": {"a": 1}}',
            "all/2.json": b'{"type": "two", "data": {"b": 1}}',
        },
    )
    result = run(capsys, "init", "--yes")

    value = tomllib.loads((repository / "widgetschema.toml").read_text())
    assert value == {
        "include": ["all/**/*.json"],
        "files": {"x/**/*.json": "one", "y/**/*.json": "two"},
    }
    said = "not mapped: 1 file, such as both/c.json: valid by several schemas (one, two)"
    assert said in result.err
    assert run(capsys, "validate").code == 0


def test_data_with_mistakes_alone_is_named(repository: Path, capsys: Capture) -> None:
    wrong = b'{"content": {"timerDays": "3"}, "settings": 1}'
    write(repository, {"[w]/a.json": wrong, "[w]/b.json": b"[%s]" % wrong, "x.json": b'{"a": 1}'})
    result = run(capsys, "init", "--yes")

    assert (
        "not mapped: 2 files, such as [w]/a.json: the properties are those of countdown, but the data "
        "is not valid; if it is meant for that, map it under [files]: '[w]/a.json' = 'countdown'\n"
    ) in result.err
    assert not (repository / "widgetschema.toml").exists()

    write(repository, {"[w]/good.json": GOOD})
    mapped = run(capsys, "init", "--yes")
    assert mapped.err.count("not mapped") == 1  # x.json
    assert mapping(repository / "widgetschema.toml") == {"[w]/**/*.json": "countdown"}


def test_what_is_mapped_already_stays_so(repository: Path, capsys: Capture) -> None:
    own = b'[files]  # mine\n"w/special.json" = "special"\n'
    write(
        repository,
        {
            "schemas/special.json": OTHER % (b"special", b"a"),
            "widgetschema.toml": own,
            "w/special.json": b'{"a": 1}',
            "w/x.json": GOOD,
        },
    )
    assert run(capsys, "init", "--yes").code == 0
    text = (repository / "widgetschema.toml").read_bytes()
    assert text == own + b'"w/x.json" = "countdown"\n'


def test_a_folder_of_schemas_elsewhere(repository: Path, capsys: Capture) -> None:
    write(
        repository,
        {
            "config/types/one.json": OTHER % (b"one", b"a"),
            "config/types/two.json": OTHER % (b"two", b"b"),
            "config/types/defs/link.json": b'{"$schema": "http://json-schema.org/draft-07/schema#"}',
            "x/one.json": b'{"a": 1}',
        },
    )
    assert run(capsys, "init", "--yes").code == 0
    value = tomllib.loads((repository / "widgetschema.toml").read_text())
    assert value == {"schemas": "config/types", "files": {"x/**/*.json": "one"}}
    assert run(capsys, "validate").code == 0
    assert run(capsys, "init").err == "Nothing to write. Next: widgetschema validate\n"


def test_types_without_a_schema_that_a_check_reports_are_named(
    repository: Path, capsys: Capture
) -> None:
    write(
        repository,
        {
            "w/x.json": b'{"type": "countdown", "data": {}}',
            "w/hero.json": b'{"type": "hero", "data": {}}',
            "other/hero.json": b'{"type": "hero", "data": {}}',
        },
    )
    result = run(capsys, "init", "--yes")
    assert '1 file of the type "hero", such as w/hero.json, will fail: there is no' in result.err
    assert "not mapped: 1 file of no known widget type, such as other/hero.json" in result.err
    checked = run(capsys, "validate")
    assert (checked.code, checked.out.count("unknown widget type")) == (1, 1)
    assert "one that is not to be checked belongs in foreign-types" in checked.out
    (repository / "widgetschema.toml").write_text('foreign-types = ["hero"]', encoding="utf-8")
    assert run(capsys, "validate").code == 0


def test_a_platform_is_not_asked(repository: Path, capsys: Capture) -> None:
    own = b'fetch = "refresh"\nbase-url = "https://platform.example"\n'
    write(repository, {"widgetschema.toml": own, "w/x.json": GOOD})
    result = run(capsys, "init", "--yes")
    assert result.code == 0
    assert "widgetschema: no schema is fetched" in result.err


def test_nothing_is_found(repository: Path, capsys: Capture) -> None:
    write(repository, {"package.json": b"{}", "b/c.json": b"[1]", "b/d.json": b"7", "e.json": b"0"})
    result = run(capsys, "init")
    assert (result.code, result.out) == (0, "")
    assert "no valid widget data was found" in result.err
    said = "not mapped: 4 files of no known widget type, such as b/c.json, b/d.json, e.json: map"
    assert said in result.err


def test_projects_within(
    repository: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(
        repository,
        {
            ".github/workflows/x.yml": b"",
            "packages/a/widgetschema.toml": b"",
            "packages/a/w/x.json": GOOD,
            "packages/b/w/x.json": GOOD,
        },
    )
    module = repository / "module"
    write(module, {"w/x.json": GOOD})
    subprocess.run(["git", "init", "-q"], check=True, cwd=module)

    result = run(capsys, "init", "--yes", "--owner", "acme@3f2a9c1")

    assert mapping(repository / "widgetschema.toml") == {"packages/b/w/**/*.json": "countdown"}
    assert "skipped 2 folders with another configuration or repository" in result.err
    assert ": module, packages/a" in result.err

    monkeypatch.chdir(repository / "packages/a")
    within = run(capsys, "init", "--yes", "--owner", "acme@3f2a9c1")
    assert mapping(repository / "packages/a/widgetschema.toml") == {"w/**/*.json": "countdown"}
    assert "CI and pre-commit run in the root of the repository" in within.err


def test_a_project_within_that_has_schemas_but_no_configuration(
    repository: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    within = repository / "packages/a"
    write(repository, {"widgetschema.toml": b""})
    write(within, {"schemas/one.json": OTHER % (b"one", b"a"), "x/one.json": b'{"a": 1}'})
    monkeypatch.chdir(within)
    result = run(capsys, "init", "--yes")
    assert (repository / "widgetschema.toml").read_bytes() == b""
    says = "no file was mapped: ../../widgetschema.toml does not use the schemas in schemas; create"
    assert f"{says} an empty widgetschema.toml, and run init again" in result.err

    write(within, {"widgetschema.toml": b""})
    assert run(capsys, "init", "--yes").code == 0
    monkeypatch.chdir(repository)
    assert run(capsys, "validate").code == 0


def test_schemas_above_the_configuration_are_used(
    repository: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    within = repository / "packages/a"
    write(repository, {"schemas/one.json": OTHER % (b"one", b"a")})
    write(within, {"widgetschema.toml": b"", "x/one.json": b'{"a": 1}'})
    monkeypatch.chdir(within)
    assert run(capsys, "init", "--yes").code == 0
    assert mapping(within / "widgetschema.toml") == {"x/**/*.json": "one"}


def test_reports_are_no_files_of_unknown_types(repository: Path, capsys: Capture) -> None:
    write(repository, {"w/a.json": BAD, "w/b.json": GOOD})
    for name in ("report.json", "w/report.json"):
        run(capsys, "validate", "--type", "countdown", "w", "--format", f"json={name}")
    result = run(capsys, "init", "--yes")
    assert mapping(repository / "widgetschema.toml") == {"w/**/*.json": "countdown"}
    assert "no known widget type" not in result.err


def test_names_that_no_pattern_can_have(repository: Path, capsys: Capture) -> None:
    write(
        repository,
        {"a\nb/x.json": GOOD, "c\\d.json": GOOD, "\u202e.json": GOOD, "w 1/x.json": GOOD},
    )
    result = run(capsys, "init", "--yes")
    assert mapping(repository / "widgetschema.toml") == {"w 1/**/*.json": "countdown"}
    for name in ("a·b/**/*.json", "c\\d.json", "·.json"):
        assert f"not mapped: {name}: no pattern can have this name" in result.err


def test_many_single_files(repository: Path, capsys: Capture) -> None:
    many = {f"w/{n}.json": GOOD for n in range(21)}
    write(repository, {**many, "w/package.json": b'{"name": "x"}'})
    result = run(capsys, "init", "--yes")
    assert (result.code, result.out) == (0, "")
    assert "w: 21 files hold widget data, among others that do not: map them" in result.err


def test_a_worktree_is_set_up_by_itself(
    repository: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(repository, {"w/x.json": GOOD, ".gitlab-ci.yml": GITLAB})
    author = ("-c", "user.name=x", "-c", "user.email=x")
    for command in (["add", "-A"], [*author, "commit", "-qm", "x"], ["worktree", "add", "-q", "t"]):
        subprocess.run(["git", *command], check=True, cwd=repository)
    tree = repository / "t"
    monkeypatch.chdir(tree)
    assert run(capsys, "init", "--yes", "--owner", "acme@3f2a9c1").code == 0
    assert (tree / ".gitlab-ci.yml").read_bytes() != GITLAB
    assert mapping(tree / "widgetschema.toml") == {"w/**/*.json": "countdown"}

    monkeypatch.chdir(repository)
    assert (repository / ".gitlab-ci.yml").read_bytes() == GITLAB
    assert run(capsys, "init", "--yes").code == 0
    assert mapping(repository / "widgetschema.toml") == {"w/**/*.json": "countdown"}


def test_a_folder_that_is_a_link(repository: Path, capsys: Capture) -> None:
    (repository.parent / "theirs").mkdir()
    (repository / ".github").mkdir()
    (repository / ".github/workflows").symlink_to("../../theirs")
    result = run(capsys, "init", "--yes", "--owner", "acme@3f2a9c1")
    said = 'not changed: .github/workflows is a link to ../../theirs; add what "GitHub" in '
    assert said in result.err
    assert [*(repository.parent / "theirs").iterdir()] == []


def test_without_git(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"w/x.json": GOOD, "node_modules/p/x.json": GOOD})
    monkeypatch.chdir(tmp_path)
    assert run(capsys, "init", "--yes").code == 0
    assert mapping(tmp_path / "widgetschema.toml") == {"w/**/*.json": "countdown"}


# What is there already


@pytest.mark.parametrize("kind", ["link", "not UTF-8", "a folder", "no TOML", "dotted"])
def test_a_file_that_is_left_as_it_is(repository: Path, capsys: Capture, kind: str) -> None:
    write(repository, {"w/x.json": GOOD})
    path = repository / "pyproject.toml"
    if kind == "link":
        (repository.parent / "theirs.toml").write_bytes(PYPROJECT)
        path.symlink_to("../theirs.toml")
    elif kind == "a folder":
        path.mkdir()
    else:
        texts = {
            "not UTF-8": b"# \xff\n",
            "no TOML": b"= 1\n",
            "dotted": b"tool.black.line-length = 3\nproject.name = 'x'\n",
        }
        path.write_bytes(texts[kind])
    before = None if kind == "a folder" else path.read_bytes()

    result = run(capsys, "init", "--yes")

    why = {
        "link": "it is a link to ../theirs.toml",
        "not UTF-8": "it is not UTF-8",
        "a folder": "Is a directory",
        "dotted": "it cannot be changed with certainty",
        "no TOML": "it cannot be changed with certainty",
    }[kind]
    assert f"pyproject.toml: not changed: {why}; add these settings by hand: files" in result.err
    assert before is None or path.read_bytes() == before
    assert path.is_symlink() == (kind == "link")


def test_a_file_that_cannot_be_written(repository: Path, capsys: Capture) -> None:
    write(repository, {"w/x.json": GOOD, "pyproject.toml": PYPROJECT, ".github/workflows": b""})
    (repository / "pyproject.toml").chmod(0o444)

    result = run(capsys, "init", "--yes", "--owner", "acme@3f2a9c1")

    assert result.code == 3
    assert "widgetschema: pyproject.toml: not written: it is read-only\n" in result.err
    assert "widgetschema: .github/workflows/widgets.yml: not written: " in result.err
    assert (repository / "pyproject.toml").read_bytes() == PYPROJECT


@pytest.mark.parametrize(
    "text",
    [
        PYPROJECT,
        PYPROJECT.replace(b"\n", b"\r\n"),
        b"",
        b'[tool]\nblack = {line-length = 3}\n\n[project]\nname = "x"',
        b'[[tool.mypy.overrides]]\nmodule = "x"\n\n[build-system]\nrequires = []\n',
        b"[tool.widgetschema]\ninclude = [\n  'y/*.ndjson', # ours\n]\n\n[tool.black]\nx = 1\n",
        b"[tool.widgetschema.files]\n'y/*.json' = 'countdown' # ours\n[tool.z]\n",
        b"[tool.widgetschema]\nfiles = {'y/*.json' = 'countdown'}\n",
    ],
)
def test_formatting_is_kept(text: bytes, repository: Path, capsys: Capture) -> None:
    write(repository, {"pyproject.toml": text, "w/x.json": GOOD, "y/z.json": GOOD})
    result = run(capsys, "init", "--yes", "--skip=baseline")
    assert result.code == 0, result.err
    after = (repository / "pyproject.toml").read_bytes()
    assert mapping(repository / "pyproject.toml")["w/**/*.json"] == "countdown"
    assert b"\r\n" not in text or b"\n" not in after.replace(b"\r\n", b"")
    kept = [line for line in text.splitlines() if line.strip() and b"files = {" not in line]
    lines = iter(after.splitlines())
    assert all(line in lines for line in kept)  # in their order
    assert run(capsys, "validate").code == 0


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        (".gitlab-ci.yml", b"include: other.yml\n", "it includes other files"),
        (".gitlab-ci.yml", b"stages: [build]\n", "it has no stage 'test'"),
        (".gitlab-ci.yml", b"widgets: {script: [x]}\n", "it has a job 'widgets'"),
        (".gitlab-ci.yml", b"{a: {script: [x]}}\n", "nothing can be added"),
        (".gitlab-ci.yml", b"a: !reference [b, c]\n", "it is not one document of plain YAML"),
        (".gitlab-ci.yml", b"- a\n", "it is not a mapping"),
        (".gitlab-ci.yml", b"a: 1\n--- \nb: 2\n", "it is not one document of plain YAML"),
        (".gitlab-ci.yml", b"a: |\n  x\n  \n", None),
        (".pre-commit-config.yaml", b"repos: []\n", "it has no list of repositories"),
        (".pre-commit-config.yaml", PRE_COMMIT + b"fail_fast: true\n", "nothing can be added"),
        (".pre-commit-config.yaml", PRE_COMMIT.replace(b"\n", b"\r\n"), None),
        (".pre-commit-config.yaml", PRE_COMMIT[:-1], None),
        (".pre-commit-config.yaml", b"repos:\n    - repo: local\n      hooks: []\n# end\n", None),
    ],
)
def test_yaml_is_added_to_where_that_is_certain(
    name: str, text: bytes, why: str | None, repository: Path, capsys: Capture
) -> None:
    write(repository, {name: text})
    result = run(capsys, "init", "--yes", "--owner", "acme@3f2a9c1")
    after = (repository / name).read_bytes()
    if why is None:
        assert after.startswith(text)
        assert after != text
        value, before = (YAML(typ="safe").load(one) for one in (after, text))
        if "repos" in value:
            assert value["repos"][:-1] == before["repos"]
        else:
            assert {**value, **before} == value
    else:
        assert after == text
        assert f"{name}: not changed: {why}" in result.err
        assert "in docs/guides/ci.md shows" in result.err


def test_another_workflow_of_that_name(repository: Path, capsys: Capture) -> None:
    own = {".github/workflows/widgets.yml": b"name: mine\n"}
    write(repository, own)
    result = run(capsys, "init", "--yes", "--owner", "acme@3f2a9c1")
    assert ".github/workflows/widgets.yml is another workflow: add what " in result.err
    assert contents(repository) == own

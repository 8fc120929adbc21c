"""`validate` on YAML, JSON5 and JSONC: what it says, and that everything else works as with JSON."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import run
from widgetschema.project.report_formats import AUTO, own_names

Capture = pytest.CaptureFixture[str]
CONFIGURATION = '[files]\n"widgets/**" = "countdown"\n'
YAML = """\
# A countdown
content:
  timerTitle: Sale   # the title
  timerDays: "30"
  showPostConfeti: true
settings: {showDays: 'True'}
styles: {}
"""
JSON5 = """\
// A countdown
{
  content: { timerDays: '30', showPostConfeti: true, },
  settings: { showDays: 'True' }, /* days */
  styles: {},
}
"""
JSONC = """\
// A countdown
{
  "content": { "timerDays": "30", "showPostConfeti": true },
  "settings": { "showDays": "True", }, // days
  "styles": {}
}
"""
TEXTS = {"a.yaml": YAML, "b.yml": YAML, "c.json5": JSON5, "d.jsonc": JSONC}
DOCUMENT = 'id: "1"\ntype: countdown\ndata: {content: {}, settings: {}, styles: {}}\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a widget in each format, all of them wrong."""
    folder = tmp_path / "project"
    (folder / "widgets").mkdir(parents=True)
    (folder / "widgetschema.toml").write_text(CONFIGURATION, encoding="utf-8")
    for name, text in TEXTS.items():
        (folder / "widgets" / name).write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "-q", "."], cwd=folder, check=True)
    monkeypatch.chdir(folder)
    return folder


def test_findings_have_the_frames_of_json(project: Path, capsys: Capture) -> None:
    result = run(capsys, "validate", "widgets/a.yaml", "widgets/c.json5", "--color", "never")
    assert result.code == 1
    assert result.out == (
        'widgets/a.yaml:4:14: type /content/timerDays: "30" is a string, but must be a number\n'
        '  4 | timerDays: "30"\n'
        "    |            ^^^^\n"
        '  hint: write 30, not "30"\n'
        "widgets/a.yaml:5:3: additionalProperties /content/showPostConfeti: unknown property "
        '"showPostConfeti"\n'
        "  5 | showPostConfeti: true\n"
        "    | ^^^^^^^^^^^^^^^\n"
        '  hint: did you mean "showPostConfetti"?\n'
        'widgets/a.yaml:6:22: type /settings/showDays: "True" is a string, but must be a boolean\n'
        "  6 | settings: {showDays: 'True'}\n"
        "    |                      ^^^^^^\n"
        '  hint: write true, not "True"\n'
        'widgets/c.json5:3:25: type /content/timerDays: "30" is a string, but must be a number\n'
        "  3 | content: { timerDays: '30', showPostConfeti: true, },\n"
        "    |                       ^^^^\n"
        '  hint: write 30, not "30"\n'
        "widgets/c.json5:3:31: additionalProperties /content/showPostConfeti: unknown property "
        '"showPostConfeti"\n'
        "  3 | content: { timerDays: '30', showPostConfeti: true, },\n"
        "    |                             ^^^^^^^^^^^^^^^\n"
        '  hint: did you mean "showPostConfetti"?\n'
        'widgets/c.json5:4:25: type /settings/showDays: "True" is a string, but must be a boolean\n'
        "  4 | settings: { showDays: 'True' }, /* days */\n"
        "    |                       ^^^^^^\n"
        '  hint: write true, not "True"\n'
    )


@pytest.mark.parametrize(
    ("name", "written", "said"),
    [
        ("a.yaml", "01234", "01234"),
        ("a.yaml", "1.10", "1.10"),
        ("a.yaml", "0x1F", "0x1F"),
        ("a.yaml", "[1, 01]", "01"),
        ("a.yaml", "&same 1.50", "1.50"),
        ("a.json5", "+1.0", "+1.0"),
        ("a.json5", "5", "5"),
    ],
)
def test_a_number_that_must_be_a_text_keeps_its_digits(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
    name: str,
    written: str,
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    text = {"type": "string"}
    one = {"items": [{}, text]} if written.startswith("[") else text
    (tmp_path / "zip.json").write_text(json.dumps({"properties": {"zip": one}}), encoding="utf-8")
    member = f"zip: {written}\n"
    content = f"{{{member}}}" if name.endswith("5") else member
    (tmp_path / name).write_text(content, encoding="utf-8")

    found = run(capsys, "validate", "--data-schema", "zip.json", "--no-config", name)

    assert found.code == 1
    assert f'hint: write "{said}", not {said}\n' in found.out


def test_fixes_keep_comments_and_layout(project: Path, capsys: Capture) -> None:
    shown = run(capsys, "validate", "--diff", "--unsafe-fixes")
    assert shown.out.count("\n+") == 4 * 4 - 2  # JSON5 and JSONC have two of them on one line
    result = run(capsys, "validate", "--unsafe-fixes")
    assert (result.code, "12 findings fixed" in result.err) == (0, True)
    for name, text in TEXTS.items():
        expected = text.replace("Confeti", "Confetti")
        for old in ("'30'", '"30"'):
            expected = expected.replace(old, "30")
        for old in ("'True'", '"True"'):
            expected = expected.replace(old, "true")
        assert (project / "widgets" / name).read_text(encoding="utf-8") == expected
    assert run(capsys, "validate", "--fix").err.startswith("4 documents in 4 files: 4 valid\n")


def test_what_cannot_be_fixed_is_said(project: Path, capsys: Capture) -> None:
    anchored = "content:\n  timerDays: &n '30'\n  timerHours: *n\nsettings: {}\nstyles: {}\n"
    (project / "widgets" / "a.yaml").write_text(anchored, encoding="utf-8")
    (project / "widgets" / "b.yml").write_text(f"{YAML}---\n{YAML}", encoding="utf-8")
    result = run(capsys, "validate", "widgets/a.yaml", "widgets/b.yml")
    assert "fixable" not in result.err
    result = run(capsys, "validate", "--fix", "widgets/a.yaml", "widgets/b.yml")
    assert result.code == 1
    why = "their values have an alias or a tag, or span several lines"
    assert f"widgets/a.yaml: 2 findings not fixed: {why}" in result.err
    assert "widgets/b.yml: not fixed: it holds several documents" in result.err
    assert (project / "widgets" / "a.yaml").read_text(encoding="utf-8") == anchored


def test_all_reports_have_the_findings(project: Path, capsys: Capture) -> None:
    for name in sorted({*own_names()} - {AUTO}):
        result = run(capsys, "validate", "--format", name)
        assert result.code == 1, name
        assert "a.yaml" in result.out, name
    sarif = json.loads(run(capsys, "validate", "--format", "sarif").out)
    regions = [
        (one["locations"][0]["physicalLocation"]["region"], one.get("fixes"))
        for one in sarif["runs"][0]["results"]
        if one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].endswith("a.yaml")
    ]
    region, fixes = regions[0]
    place = {"startLine": 4, "startColumn": 14, "endLine": 4, "endColumn": 18}
    assert region == {**place, "snippet": {"text": '"30"'}}
    [change] = fixes[0]["artifactChanges"]
    [replacement] = change["replacements"]
    assert replacement == {"deletedRegion": place, "insertedContent": {"text": "30"}}


def test_baseline_and_ignores(project: Path, capsys: Capture) -> None:
    assert run(capsys, "validate", "--write-baseline").code == 0
    moved = YAML.replace("# A countdown\n", "# A\n# countdown\n\n")
    (project / "widgets" / "a.yaml").write_text(moved, encoding="utf-8")
    result = run(capsys, "validate")
    assert (result.code, result.out) == (0, "")
    assert "12 findings in the baseline" in result.err
    (project / "widgetschema-baseline.json").unlink()
    ignore = '[[ignores]]\npath = "widgets/*.y*ml"\npointer = "/content/*"\nreason = "later"\n'
    (project / "widgetschema.toml").write_text(CONFIGURATION + ignore, encoding="utf-8")
    result = run(capsys, "validate")
    assert "8 findings" in result.err
    assert "4 findings ignored" in result.err


def test_warnings_stay_warnings(project: Path, capsys: Capture) -> None:
    text = DOCUMENT.replace("content: {}", "content: {timerTitle: no, timerDays: 010}")
    file = project / "w.yaml"
    file.write_text(text, encoding="utf-8")
    result = run(capsys, "validate", file)
    assert result.code == 0
    assert "1 valid; 2 warnings" in result.err
    assert result.out.count("warning: yaml.version /data/content/timer") == 2
    error = '[severities]\n"yaml.version" = "error"\n'
    (project / "widgetschema.toml").write_text(CONFIGURATION + error, encoding="utf-8")
    assert run(capsys, "validate", file).code == 1
    off = '[severities]\n"yaml.version" = "off"\n'
    (project / "widgetschema.toml").write_text(CONFIGURATION + off, encoding="utf-8")
    assert run(capsys, "validate", file).out == ""


def test_in_folders_others_must_be_mapped_or_name_a_type(project: Path, capsys: Capture) -> None:
    (project / "ci.yaml").write_text("on: push\njobs: {type: 1, data: 2}\n", encoding="utf-8")
    (project / "compose.yml").write_text("a: {{ broken }}: x\n", encoding="utf-8")
    (project / "own.yaml").write_text(DOCUMENT.replace("styles", "stiles"), encoding="utf-8")
    (project / "own.json5").write_text("{id: '1', 'type': 'countdwn', data: {}}", encoding="utf-8")
    result = run(capsys, "validate", ".", "--format", "json", "--show-skipped")
    documents = json.loads(result.out)["documents"]
    assert {Path(one["file"]).name for one in documents} == {*TEXTS, "own.yaml", "own.json5"}
    assert "compose.yml" in result.err
    assert "ci.yaml" in result.err


def test_only_what_changed(project: Path, capsys: Capture) -> None:
    subprocess.run(["git", "add", "."], check=True)
    commit = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "a"]
    subprocess.run(commit, check=True)
    (project / "widgets" / "a.yaml").write_text(f"{YAML}# more\n", encoding="utf-8")
    result = run(capsys, "validate", "--changed", "--format", "json")
    assert [one["file"] for one in json.loads(result.out)["documents"]] == ["widgets/a.yaml"]


def test_several_documents_are_told_apart(project: Path, capsys: Capture) -> None:
    (project / "t.yaml").write_text(f"{DOCUMENT}--- []\n---\n{YAML}", encoding="utf-8")
    result = run(capsys, "validate", "--type", "countdown", "t.yaml", "--format", "junit")
    assert [f't.yaml:{line}"' in result.out for line in (1, 4, 7)] == [True, True, True]
    result = run(capsys, "validate", "--type", "countdown", "t.yaml")
    assert "t.yaml:4:5: type (root): [] is an array" in result.out
    assert "t.yaml:9:14: type /content/timerDays" in result.out
    assert "3 documents in 1 file: 1 valid, 2 invalid" in result.err


def test_a_packed_file_is_read(project: Path, capsys: Capture) -> None:
    (project / "widgets" / "a.yaml").unlink()
    (project / "widgets" / "p.yaml.gz").write_bytes(gzip.compress(YAML.encode()))
    result = run(capsys, "validate", "widgets/p.yaml.gz")
    assert "p.yaml.gz:4:14: type /content/timerDays" in result.out


def test_lines_of_json_in_yaml_are_no_ndjson(project: Path, capsys: Capture) -> None:
    (project / "l.yaml").write_text('{"a": 1}\n{"b": 2}\n', encoding="utf-8")
    result = run(capsys, "validate", "--type", "countdown", "l.yaml")
    assert result.code == 3
    assert "l.yaml:2:1: yaml.syntax" in result.out


def test_without_the_extra_one_sentence(project: Path) -> None:
    script = "import sys; sys.modules['yaml'] = None; from widgetschema.cli import main; sys.exit(main())"
    result = subprocess.run(
        [sys.executable, "-c", script, "validate"], capture_output=True, text=True
    )
    assert result.returncode == 3
    said = "YAML needs the library PyYAML: install it with: pip install 'widgetschema[formats]'"
    assert f"widgets/a.yaml: {said}" in result.stderr
    assert "widgets/c.json5:3:25: type" in result.stdout


def test_an_audit_says_that_it_reads_json(project: Path, capsys: Capture) -> None:
    result = run(capsys, "audit", "--type", "countdown", "widgets/a.yaml")
    assert result.code == 3
    assert "check it with `widgetschema validate`" in result.err + result.out

"""`widgetschema translations`: the languages, the template, and what a file lacks."""

from __future__ import annotations

from pathlib import Path

import pytest

import widgetschema
from tests import command
from widgetschema.extensions import extension_texts
from widgetschema.languages.po import read_po

Capture = pytest.CaptureFixture[str]
SAVE = 'msgctxt "form.button.save"\nmsgid "Save"\nmsgstr "Opslaan"\n'


def run(capsys: Capture, *arguments: str) -> tuple[int, str, str]:
    """Run the command; its exit code, standard output and standard error."""
    done = command.run(capsys, *arguments)
    return done.code, done.out, done.err


def test_the_languages_are_listed(capsys: Capture) -> None:
    code, out, err = run(capsys, "translations")
    assert (code, err) == (0, "")
    assert out.splitlines() == ["de  Deutsch", "en  English", "es  Español", "fr  Français"]


def test_a_new_language_begins_with_the_template(capsys: Capture, tmp_path: Path) -> None:
    code, out, _ = run(capsys, "translations", "--template")
    assert code == 0
    entries = read_po(out, "template")
    assert len(entries) > 300
    assert not any(entry.is_translated for entry in entries[1:])
    file = tmp_path / "nl.po"
    file.write_text(out, encoding="utf-8")
    code, out, _ = run(capsys, "translations", str(file))
    assert code == 1
    assert f"{file}: no translation of form.kind.text\n" in out
    assert f"{file}: 0 of {len(entries) - 1} texts are translated" in out


def test_what_is_missing_changed_or_of_no_use(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "nl.po"
    changed = 'msgctxt "form.button.check"\nmsgid "Verify"\nmsgstr "Controleren"\n'
    gone = 'msgctxt "form.gone"\nmsgid "Gone"\nmsgstr "Weg"\n'
    file.write_text(f"# of a translator\n{SAVE}\n{changed}\n{gone}", encoding="utf-8")
    before = file.read_text(encoding="utf-8")
    code, out, err = run(capsys, "translations", str(file))
    assert code == 1
    assert "form.button.save" not in out
    assert "has 1 text of no use: form.gone" in err
    assert file.read_text(encoding="utf-8") == before
    code, _, err = run(capsys, "translations", "--update", str(file))
    assert (code, "removed 1 text of no use" in err) == (1, True)
    updated = file.read_text(encoding="utf-8")
    assert f"# of a translator\n{SAVE}" in updated
    marked = '#, fuzzy\nmsgctxt "form.button.check"\nmsgid "Check"\nmsgstr "Controleren"\n'
    assert marked in updated
    assert "form.gone" not in updated
    _, again, _ = run(capsys, "translations", str(file))
    assert again.splitlines()[-1].startswith(f"{file}: 1 of ")
    file.write_text(updated.replace("#, fuzzy\n", ""), encoding="utf-8")
    _, again, _ = run(capsys, "translations", "--update", str(file))
    assert again.splitlines()[-1].startswith(f"{file}: 2 of ")


def test_a_file_that_cannot_be_used(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "nl.po"
    file.write_text('msgctxt "a"\nmsgid "{x}"\nmsgstr "{y}"\n', encoding="utf-8")
    code, _, err = run(capsys, "translations", str(file))
    assert (code, f"{file}, line 1: a: there is no placeholder {{y}}" in err) == (3, True)
    file.write_bytes(b'msgid "\xff"')
    assert run(capsys, "translations", str(file))[0] == 3
    assert run(capsys, "translations", str(tmp_path / "nothing.po"))[0] == 3


@pytest.mark.parametrize("arguments", ["--template x.po", "--template --update", "--update"])
def test_options_that_do_not_fit(capsys: Capture, arguments: str) -> None:
    assert run(capsys, "translations", *arguments.split())[0] == 2


def test_a_page_in_a_language(capsys: Capture, tmp_path: Path) -> None:
    code, out, _ = run(capsys, "form", "countdown", "--export", "html", "--lang", "de")
    assert code == 0
    assert '<html lang="de" dir="ltr">' in out
    assert ">Speichern</button>" in out
    (tmp_path / "nl.po").write_text(SAVE, encoding="utf-8")
    own = ("--lang", "nl-BE", "--translations", str(tmp_path))
    _, out, _ = run(capsys, "form", "countdown", "--export", "html", *own)
    assert ">Opslaan</button>" in out


def test_the_language_of_the_environment(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "fr_CA.UTF-8")
    assert '<html lang="fr"' in run(capsys, "form", "countdown", "--export", "html")[1]
    monkeypatch.setenv("LANG", "xx_XX")
    assert '<html lang="en"' in run(capsys, "form", "countdown", "--export", "html")[1]


def test_an_unknown_language(capsys: Capture) -> None:
    code, _, err = run(capsys, "form", "countdown", "--export", "html", "--lang", "xx")
    assert code == 2
    assert "there is no translation into 'xx'; there are: de, en, es, fr" in err
    assert "pass --translations DIR" in err


@pytest.mark.parametrize("tag", ["de", "es", "fr"])
def test_the_languages_of_the_package_are_complete(capsys: Capture, tag: str) -> None:
    parts = sorted(Path(widgetschema.__file__).parent.glob(f"*/translations/{tag}.po"))
    code, out, err = run(capsys, "translations", *map(str, parts))
    assert (code, err) == (0, "")
    assert "no translation" not in out
    assert len(out.splitlines()) == len(parts) == 1 + len(extension_texts())
    assert len({read_po(part.read_text("utf-8"), "")[0].forms for part in parts}) == 1

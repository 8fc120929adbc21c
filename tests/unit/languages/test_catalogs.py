"""Languages are found by tags: those of the package, of a folder, and the best for a person."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from widgetschema import Languages, UnknownLanguage
from widgetschema.errors import InvalidTranslation
from widgetschema.languages import ENGLISH, as_language

SAVE = 'msgctxt "form.button.save"\nmsgid "Save"\nmsgstr "{}"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for tag, text in (("nl", "Opslaan"), ("pt_BR", "Salvar"), ("pt", "Guardar"), ("en", "Keep")):
        (tmp_path / f"{tag}.po").write_text(SAVE.format(text), encoding="utf-8")
    (tmp_path / "README.txt").write_text("not a language", encoding="utf-8")
    return tmp_path


def said(language: object) -> str:
    from widgetschema.forms.texts import FORM_DOMAIN

    assert hasattr(language, "phrases")
    return str(language.phrases(FORM_DOMAIN)["button.save"]())


@pytest.mark.parametrize(
    ("tag", "found", "text"),
    [
        ("nl", "nl", "Opslaan"),
        ("NL", "nl", "Opslaan"),
        ("nl-BE", "nl", "Opslaan"),
        ("pt-BR", "pt-BR", "Salvar"),
        ("pt_br", "pt-BR", "Salvar"),
        ("pt-PT", "pt", "Guardar"),
        ("en-GB", "en", "Keep"),
    ],
)
def test_a_tag_finds_the_longest_beginning(folder: Path, tag: str, found: str, text: str) -> None:
    languages = Languages(folder)
    assert tag in languages
    assert languages[tag].tag == found
    assert said(languages[tag]) == text
    assert languages[tag] is languages[found]


@pytest.mark.parametrize("tag", ["xx", "", "../de", "de/../de", "e" * 99, "*"])
def test_an_unknown_language(folder: Path, tag: str) -> None:
    languages = Languages(folder)
    assert tag not in languages
    with pytest.raises(UnknownLanguage) as caught:
        languages[tag]
    assert {"en", "nl", "pt", "pt-BR"} <= {*caught.value.known}


@pytest.mark.parametrize(
    ("accepted", "found"),
    [
        ("nl", "nl"),
        ("xx, nl;q=0.5", "nl"),
        ("en;q=0.1, nl;q=0.9", "nl"),
        ("nl;q=0, pt", "pt"),
        ("pt-BR,pt;q=0.9,en-US;q=0.8", "pt-BR"),
        ("fr-CH;q=x, nl", "nl"),
        ("*, nl;q=0.5", "en"),
        ("", "en"),
        ("xx", "en"),
        (";;;,,q=1", "en"),
        (None, "en"),
        ("xx," * 10_000 + "nl", "en"),
    ],
)
def test_the_best_language_of_a_person(folder: Path, accepted: str | None, found: str) -> None:
    assert Languages(folder).best(accepted).tag == found


@pytest.mark.parametrize(
    ("variables", "found"),
    [
        ({"LANG": "nl_NL.UTF-8"}, "nl"),
        ({"LANG": "nl_NL.UTF-8", "LC_ALL": "pt_BR"}, "pt-BR"),
        ({"LANG": "nl", "LC_ALL": "", "LC_MESSAGES": "pt@euro"}, "pt"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "POSIX"}, "en"),
        ({}, "en"),
    ],
)
def test_the_language_of_a_terminal(folder: Path, variables: dict[str, str], found: str) -> None:
    assert Languages(folder).best_of_environment(variables).tag == found


def test_a_folder_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(InvalidTranslation, match="the folder with translations cannot be read"):
        Languages(tmp_path / "nothing")
    (tmp_path / "dutch (old).po").write_text("")
    with pytest.raises(InvalidTranslation, match="named by a language tag"):
        Languages(tmp_path)


def test_a_file_that_cannot_be_used_is_named_when_its_language_is_used(tmp_path: Path) -> None:
    (tmp_path / "nl.po").write_bytes(b"\xff")
    (tmp_path / "fr.po").write_text('msgid "a"\n')
    languages = Languages(tmp_path)
    for tag in ("nl", "fr"):
        with pytest.raises(InvalidTranslation) as caught:
            languages[tag]
        assert caught.value.file.endswith(f"{tag}.po")


def test_an_application_passes_a_tag_or_a_language(folder: Path) -> None:
    dutch = Languages(folder)["nl"]
    assert as_language(dutch) is dutch
    assert as_language("en") is ENGLISH
    with pytest.raises(UnknownLanguage):
        as_language("nl")


def test_german_asks_in_one_way() -> None:
    """Read "Bitte wählen" and never "Wählen Sie", as in most of its texts."""
    folders = [one.joinpath("translations", "de.po") for one in files("widgetschema").iterdir()]
    texts = [path.read_text("utf-8") for path in folders if path.is_file()]
    assert texts
    text = "\n".join(texts)
    assert re.findall(r"[a-zäöüß]n Sie\b|[^:] Ihr(?:e[mnrs]?)?\b|\bIhnen\b", text) == []

"""`widgetschema form`: a new widget that is written when it is saved, and forms for others."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

import widgetschema
from tests.command import run
from tests.editing import started, tab

Capture = pytest.CaptureFixture[str]


def test_a_new_widget_is_written_when_it_is_saved(tmp_path: Path) -> None:
    with started("form", "countdown", "--no-browser", cwd=tmp_path) as editor:
        assert editor.line.startswith("editing countdown.json (countdown) at http")
        with tab(editor.address) as page:
            assert page.said("ed-status") == "Everything is fine Not saved"
            assert [*tmp_path.iterdir()] == []
            page.press("save", {"#/content/timerTitle": "Ends soon"})
            assert page.said("ed-notices") == "Saved."
        assert editor.end(signal.SIGINT)[0] == 0
    made = json.loads((tmp_path / "countdown.json").read_bytes())
    assert made == {
        **widgetschema.widget_type("countdown").minimal(),
        "content": {"timerTitle": "Ends soon"},
    }


def test_a_sample_of_a_document_in_a_file_of_that_name(tmp_path: Path) -> None:
    arguments = "form countdown new/a.json --sample --seed s --index 3 --document --no-browser"
    (tmp_path / "new").mkdir()
    with started(*arguments.split(), cwd=tmp_path) as editor:
        with tab(editor.address) as page:
            page.press("save")
            assert page.said("ed-status") == "Everything is fine Saved"
        editor.end(signal.SIGTERM)
    made = json.loads((tmp_path / "new" / "a.json").read_bytes())
    assert made == widgetschema.widget_type("countdown").sample_document("s", 3)


def test_what_is_there_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("countdown.json").write_text("mine")
    result = run(capsys, "form", "countdown", "--no-browser")
    assert result.code == 2
    assert "run: widgetschema edit countdown.json" in " ".join(result.err.split())
    assert Path("countdown.json").read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("countdown nowhere/a.json", "There is no folder nowhere"),
        ("countdown .", ". is a folder: name a file in it"),
        ("countdown -", "Standard input cannot be edited"),
        ("countdown a.json.gz", "a.json.gz is compressed"),
        ("countdown a.yaml", "forms edit JSON only: name a file that ends in .json"),
        ("countdown a.ndjson", "a value per line"),
        ("countdown --seed 1", "--seed has no effect without --sample"),
        ("countdown --index 0", "--index has no effect without --sample"),
        ("countdown --output a", "--output has no effect without --export"),
        ("countdown a.json --export html", "FILE has no effect with --export"),
        ("countdown --export rjsf --theme host", "--theme has no effect with --export rjsf"),
        (
            "countdown --theme compac",
            "--theme: compac: there is no such theme; did you mean 'compact'?",
        ),
        ("countdown --theme my.css", "--theme: my.css: it cannot be read: No such file"),
        ("countdown --export html --port 80", "--port has no effect with --export"),
        ("countdow", "did you mean 'countdown'?"),
        ("countdown --export pdf", "'pdf' is not one of"),
    ],
)
def test_what_means_nothing(
    arguments: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(capsys, "form", *arguments.split(), "--no-browser")
    assert result.code == 2
    assert says in result.err
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("id", ["a/b", ".x", "a\nb"])
def test_an_id_that_is_no_name_of_a_file(
    id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    folder = tmp_path / "schemas"
    folder.mkdir()
    (folder / "manifest.json").write_text(
        json.dumps({"schemas": {id: {"file": "x.json"}}}), encoding="utf-8"
    )
    (folder / "x.json").write_text('{"properties": {"data": {}}}')
    monkeypatch.chdir(tmp_path)
    result = run(capsys, "form", id, "--no-browser")
    assert result.code in (2, 4)
    assert [one.name for one in tmp_path.iterdir()] == ["schemas"]


@pytest.mark.parametrize("target", ["rjsf", "jsonforms"])
def test_a_form_for_another_library(target: str, tmp_path: Path, capsys: Capture) -> None:
    result = run(capsys, "form", "countdown", "--sample", "--export", target)
    assert result.code == 0
    form = widgetschema.widget_type("countdown").form(
        widgetschema.widget_type("countdown").sample()
    )
    export = form.to_rjsf() if target == "rjsf" else form.to_jsonforms()
    assert json.loads(result.out) == export.as_dict()
    assert result.err.count("\n  ") == len(export.losses)
    for loss in export.losses:
        assert str(loss) in result.err

    file = tmp_path / "out.json"
    again = run(capsys, "form", "countdown", "--sample", "--export", target, "--output", file)
    assert (again.code, again.out) == (0, "")
    assert file.read_text("utf-8") == result.out


def test_a_form_as_a_page(tmp_path: Path, capsys: Capture) -> None:
    ui = tmp_path / "ui.json"
    ui.write_text('{"/content/timerTitle": {"label": "Überschrift \u202e"}}')
    arguments = ("form", "countdown", "--document", "--export", "html", "--ui", ui)
    result = run(capsys, *arguments)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("<!doctype html>")
    assert "Überschrift \u202e" in result.out
    assert 'name="#/data/content/timerTitle"' in result.out
    assert run(capsys, *arguments, "--output", tmp_path / "a.html").code == 0
    assert (tmp_path / "a.html").read_text("utf-8") == result.out


def test_an_export_that_cannot_be_written(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "nowhere" / "a.html"
    result = run(capsys, "form", "countdown", "--export", "html", "--output", file)
    assert result.code == 3
    assert "cannot be written: no such file or directory" in result.err


def test_a_ui_description_that_is_wrong(tmp_path: Path, capsys: Capture) -> None:
    ui = tmp_path / "ui.json"
    ui.write_text('{\n  "/content/timerTitle": {"lable": "x"}\n}')
    result = run(capsys, "form", "countdown", "--export", "html", "--ui", ui)
    assert result.code == 2
    assert "2:" in result.err
    assert "label" in result.err


def test_an_export_to_a_folder_has_all_that_it_needs(tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "new"
    arguments = ("form", "countdown", "--export", "rjsf", "--output", f"{folder}/")
    assert run(capsys, *arguments).code == 0
    exported = json.loads((folder / "form.json").read_bytes())
    assert exported["fields"] == ["widgetschemaJson"]
    component = (folder / "widget-form.jsx").read_text(encoding="utf-8")
    assert "widgetschemaJson: JsonField" in component
    assert 'from "./json-field.jsx"' in component
    assert {one.name for one in folder.iterdir()} == {"form.json", "json-field.jsx", "widget-form.jsx"}  # fmt: skip
    assert run(capsys, *arguments).code == 0  # again
    for name in ("json-field.jsx", "form.json"):
        edited = (folder / name).read_text(encoding="utf-8") + "\n"
        (folder / name).write_text(edited, encoding="utf-8")
        result = run(capsys, *arguments)
        assert (result.code, "exists already" in result.err) == (2, True)
        assert (folder / name).read_text(encoding="utf-8") == edited
        assert run(capsys, *arguments, "--force").code == 0
    other = tmp_path / "other"
    other.mkdir()
    assert run(capsys, "form", "countdown", "--export", "jsonforms", "--output", other).code == 0
    assert {one.name for one in other.iterdir()} == {"form.json", "widget-form.jsx"}


def test_an_export_to_a_file_says_what_it_needs(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "form.json"
    result = run(capsys, "form", "countdown", "--export", "rjsf", "--output", file)
    assert result.code == 0
    assert "the form needs the field widgetschemaJson: export it to a folder" in result.err


def test_what_is_doubtful_in_a_ui_description_is_noted(tmp_path: Path, capsys: Capture) -> None:
    schema = tmp_path / "a.json"
    schema.write_text('{"properties": {"title": {"type": "string"}}, "type": "object"}')
    ui = tmp_path / "ui.toml"
    ui.write_text('["/title"]\nlabel = { en = "x" }\n\n["/titel"]\nlabel = "y"\n')
    result = run(
        capsys, "form", "--data-schema", schema, "--export", "html", "--ui", ui, "--lang", "de"
    )
    assert result.code == 0
    assert f'{ui}:2:9: there is no text in de: "x" is shown instead\n' in result.err
    assert f'{ui}:4:2: "/titel" may match nothing: the schema names no property' in result.err
    assert 'did you mean "title"?' in result.err

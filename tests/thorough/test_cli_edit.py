"""`widgetschema edit` as a process: what it prints, what it refuses, how it ends."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from tests.command import run, run_process
from tests.editing import started, tab
from tests.listening import reserved_port
from tests.terminal import HANG

WIDGET = Path(__file__).parents[1] / "data" / "widgets" / "black-friday.json"
BARE = '{"content": {}, "settings": {}, "styles": {}}\n'
Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_file_is_edited_until_somebody_ends_it(how: signal.Signals, tmp_path: Path) -> None:
    shutil.copy(WIDGET, tmp_path / "a.json")
    with started("edit", "a.json", "--no-browser", cwd=tmp_path) as editor:
        assert editor.line == f"editing a.json (countdown) at {editor.address}\n"
        with tab(editor.address) as page:
            assert page.said("ed-type") == "countdown"
            page.press("save", {"#/data/content/timerTitle": "Ends soon"})
            assert page.said("ed-notices") == "Saved."
            page.client.get(f"{page.url}nothing")
        code, out, err = editor.end(how)
    assert (code, out, err) == (0, "", "")  # no line for a request: addresses are secret
    assert editor.advice == "the address is valid once, in one browser; press Ctrl-C to stop\n"
    before, after = WIDGET.read_text().splitlines(), (tmp_path / "a.json").read_text().splitlines()
    assert [new for old, new in zip(before, after, strict=True) if old != new] == [
        '      "timerTitle": "Ends soon",'
    ]
    with pytest.raises(httpx.ConnectError):
        httpx.get(editor.address)


@pytest.mark.skipif(os.name == "nt", reason="a script for a shell")
def test_the_browser_is_opened(tmp_path: Path) -> None:
    shutil.copy(WIDGET, tmp_path / "a.json")
    browser = tmp_path / "browser"  # by a name without spaces, at which BROWSER is split
    browser.write_text('#!/bin/sh\nprintf "%s" "$1" > opened.part && mv opened.part opened\n')
    browser.chmod(0o755)
    with started("edit", "a.json", cwd=tmp_path, BROWSER="./browser %s") as editor:
        opened, end = tmp_path / "opened", time.monotonic() + HANG
        while not opened.exists():
            assert editor.process.poll() is None
            assert time.monotonic() < end
            time.sleep(0.01)
        assert opened.read_text() == editor.address
        assert editor.end(signal.SIGTERM)[0] == 0


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there always is a display")
def test_without_a_display_no_browser_is_opened(tmp_path: Path) -> None:
    shutil.copy(WIDGET, tmp_path / "a.json")
    variables = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "BROWSER": ""}
    with started("edit", "a.json", cwd=tmp_path, **variables) as editor:
        with tab(editor.address) as page:  # nobody else has used the address up
            assert page.status == 200
        assert editor.end(signal.SIGTERM)[0] == 0


def test_the_type_is_found_as_validate_finds_it(tmp_path: Path) -> None:
    (tmp_path / "widgetschema.toml").write_text('[files]\n"data/*.json" = "countdown"\n')
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.json").write_text(BARE)
    editors = {"$schema": "./schemas/faq.json", "a": 1}
    (tmp_path / "b.json").write_text(json.dumps(editors))
    (tmp_path / "schemas").mkdir()
    faq = {"properties": {"data": {"properties": {"a": {}}, "additionalProperties": False}}}
    (tmp_path / "schemas" / "faq.json").write_text(json.dumps(faq))
    for arguments, type_id in (
        (["data/a.json"], "countdown"),
        (["b.json", "--schemas", "schemas"], "faq"),
        (["b.json", "--type", "countdown", "--as", "data"], "countdown"),
    ):
        with started("edit", *arguments, "--no-browser", cwd=tmp_path) as editor:
            assert f"({type_id})" in editor.line
            with tab(editor.address) as page:
                assert page.said("ed-type") == type_id
                if type_id == "faq":  # what `validate` passes over is no finding here
                    assert page.said("ed-status") == "Everything is fine No changes"
            editor.end(signal.SIGTERM)


def test_a_ui_description_and_a_document_of_a_list(tmp_path: Path) -> None:
    document = json.loads(WIDGET.read_bytes())
    (tmp_path / "a.json").write_text(json.dumps([document, document]))
    (tmp_path / "ui.json").write_text('{"/content/timerTitle": {"label": "Headline"}}')
    arguments = ("edit", "a.json", "--at", "/1", "--ui", "ui.json", "--no-browser")
    with started(*arguments, cwd=tmp_path) as editor:
        with tab(editor.address) as page:
            assert "Headline" in page.text
            page.press("save", {"#/1/data/content/timerTitle": "x"})
        editor.end(signal.SIGTERM)
    titles = [
        one["data"]["content"]["timerTitle"]
        for one in json.loads((tmp_path / "a.json").read_bytes())
    ]
    assert titles == ["Black Friday ends in", "x"]


def test_a_file_that_is_no_json_is_opened_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"content": }')
    with started("edit", "a.json", "--no-browser", cwd=tmp_path) as editor:
        assert editor.line.startswith("editing a.json at")
        with tab(editor.address) as page:
            assert "Line 1, column 13" in page.said("ed-refusals")
            page.press("merge", {"editor.pane": BARE})
            assert "pass --type ID" in page.said("ed-refusals")
        editor.end(signal.SIGTERM)


@pytest.mark.parametrize(
    ("name", "content", "arguments", "code", "says"),
    [
        ("a.json", None, [], 3, "a.json: no such file or directory"),
        ("a.json", "folder", [], 3, "a.json: is a directory"),
        ("a.json.gz", b"x", [], 2, "a.json.gz is compressed"),
        ("a.json", b"\x1f\x8bxx", [], 2, "a.json is compressed"),
        ("a.ndjson", b"{}", [], 2, "a value per line"),
        ("a.jsonl", b"{}", [], 2, "a value per line"),
        ("a.yaml", b"{}", [], 2, "forms edit JSON only: edit it as text, and check it with"),
        ("a.json", b'{"a": "\xff"}', [], 3, "json.encoding"),
        ("a.json", b'{"a": "\x00"}', [], 3, "json.syntax"),
        ("a.json", b"{}", [], 2, "cannot determine the widget type; pass --type ID"),
        ("a.json", b"{}", ["--type", "countdow"], 2, "did you mean 'countdown'?"),
        ("a.json", b'{"type": "x", "data": {}}', [], 1, "unknown widget type 'x'"),
        ("a.json", b"[{}, {}]", ["--type", "countdown"], 2, "this holds 2 documents"),
        ("a.json", b'[{"type": "countdown", "data": {}}]', [], 2, "with --at /0 for the first"),
        ("a.json", b"{}", ["--type", "countdown", "--at", "/x"], 2, 'there is nothing at "/x"'),
        ("a.json", b"{}", ["--type", "countdown", "--at", "x"], 2, "is not a JSON Pointer: write --at /x"),
        ("a.json", b'{"type": "countdown", "id": 1}', ["--as", "document"], 1, '"data" is missing'),
        ("a.json", b"{}", ["--type", "countdown", "--ui", "no.json"], 3, "no.json: no such file"),
        ("a.json", b"{}", ["--type", "countdown", "--ui", "list.json"], 2, "is not an object, as a UI description"),
        ("a.json", b"{}", ["--type", "countdown", "--ui", "bad.json"], 2, "bad.json: 1 finding\n  1:"),
        ("a.json", b"{}", ["--type", "countdown", "--ui", "broken.json"], 3, "broken.json"),
        ("-", None, [], 2, "Standard input cannot be edited"),
        ("/dev/null", None, [], 2, "/dev/null is not a regular file"),
        ("a.json", "pipe", [], 2, "a.json is not a regular file"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)  # fmt: skip
def test_what_cannot_be_edited(
    name: str,
    content: bytes | str | None,
    arguments: list[str],
    code: int,
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("list.json").write_text("[]")
    Path("bad.json").write_text('{"/content": {"label": 3}}')
    Path("broken.json").write_text("{")
    if content == "folder":
        Path(name).mkdir()
    elif content == "pipe":
        os.mkfifo(name)
    elif isinstance(content, bytes):
        Path(name).write_bytes(content)
    result = run(capsys, "edit", name, *arguments, "--no-browser")
    assert result.code == code, result.err
    assert says in result.err
    assert "Traceback" not in result.err
    assert result.out == ""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a running program is no busy file")
def test_a_file_that_cannot_be_written(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "a.json"
    shutil.copy(shutil.which("sleep") or "", path)  # busy for everybody, while it runs
    with subprocess.Popen([path, "60"]) as running:
        result = run(capsys, "edit", path, "--type", "countdown", "--no-browser")
        running.kill()
    assert result.code == 3
    assert "text file busy" in result.err


@pytest.mark.parametrize(("limit", "size"), [(None, 9_000_000), ("100", 101)])
def test_more_than_the_limit_is_not_opened(
    limit: str | None,
    size: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:
    if limit:
        monkeypatch.setenv("WIDGETSCHEMA_MAX_BYTES", limit)
    path = tmp_path / "a.json"
    path.write_bytes(b" " * size)
    result = run(capsys, "edit", path, "--type", "countdown", "--no-browser")
    assert result.code == 3
    assert f"a.json: too large to edit: {size:,} bytes; the limit is" in result.err


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(BARE)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = run_process(
            "edit", "a.json", "--type", "countdown", "--port", str(port), "--no-browser",
            cwd=tmp_path,
        )  # fmt: skip
    assert result.code == 2
    assert f"port {port} is not available: address already in use" in result.err


@pytest.mark.parametrize(
    ("text", "schema", "options", "is_said"),
    [
        ('{"data": {"password": "x"}}', {}, (), True),
        ('{"data": {"password": "x"}}', {}, ("--as", "data"), False),
        ('{"data": {"password": "x"}}', {}, ("--as", "document"), False),
        ('{"data": {}}', {"properties": {"data": {"type": "object"}}}, (), False),
        ('{"data": {}, "other": 1}', {}, (), False),
    ],
)
def test_a_value_that_may_be_a_document_is_said_to_be_read_as_data(
    text: str,
    schema: dict[str, object],
    options: tuple[str, ...],
    is_said: bool,
    tmp_path: Path,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.json").write_text(text)
    (tmp_path / "s.json").write_text(json.dumps({"type": "object", **schema}))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        given = ("edit", "a.json", "--data-schema", "s.json", "--port", port, "--no-browser")
        result = run(capsys, *given, *options)
    assert (result.code, "is not available" in result.err) == (2, True)
    assert ("a.json: it is read as widget data" in result.err) == is_said


def test_a_port_that_is_wanted(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(BARE)
    arguments = ("edit", "a.json", "--type", "countdown", "--no-browser")
    with (
        reserved_port() as port,
        started(*arguments, "--port", str(port), cwd=tmp_path) as editor,
    ):
        assert editor.port == port
        with tab(editor.address) as page:
            assert page.status == 200
        editor.end(signal.SIGTERM)


def test_the_name_of_a_file_is_shown_and_never_obeyed(tmp_path: Path) -> None:
    name = "<b>\x1b[31m'\".json"
    (tmp_path / name).write_text(BARE)
    with started("edit", name, "--type", "countdown", "--no-browser", cwd=tmp_path) as editor:
        assert "\x1b" not in editor.line
        with tab(editor.address) as page:
            assert "&lt;b&gt;" in page.markup
            assert "<b>" not in page.markup
            page.press("review", {"#/content/timerTitle": "x"})
            assert "<b>" not in page.markup.replace("<b><bdi>Timer title</bdi></b>", "")
        editor.end(signal.SIGTERM)


@pytest.mark.parametrize("library", ["starlette", "uvicorn", "python_multipart", "jinja2"])
def test_without_the_extra_it_says_what_to_install(library: str, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(BARE)
    code = (
        f"import sys; sys.modules[{library!r}] = None\n"
        "from widgetschema.cli import main\n"
        "sys.exit(main(['edit', 'a.json', '--type', 'countdown', '--no-browser']))"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert process.returncode == 2
    assert "pip install 'widgetschema[editor]'" in process.stderr
    assert "Traceback" not in process.stderr


def test_a_preview_by_a_command(tmp_path: Path) -> None:
    shutil.copy(WIDGET, tmp_path / "a.json")
    example = Path(__file__).parents[2] / "examples" / "countdown_preview.py"
    command = f'"{sys.executable}" "{example}"'
    options = ("--no-browser", "--preview-command", command)
    with started("edit", "a.json", *options, cwd=tmp_path) as editor, tab(editor.address) as page:
        address = page.markup.partition('src="/preview')[2].partition("&amp;")[0]
        shown = page.client.get(f"{page.url}preview{address}").text
        assert "<h1>Black Friday ends in</h1>" in shown
        editor.end(signal.SIGTERM)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--preview-command", "no-such-command x"), "there is no such command"),
        (("--preview-command", '"x'), "No closing quotation"),
        (("--preview-command", ""), "there is no such command"),
        (("--preview-url", "http://127.0.0.1:1/{data}"), "use localhost"),
        (("--preview-url", "http://a/{data}", "--preview-command", "x"), "exclude each other"),
    ],
)
def test_previews_that_are_none(
    options: tuple[str, ...], says: str, tmp_path: Path, capsys: Capture
) -> None:
    path = tmp_path / "a.json"
    shutil.copy(WIDGET, path)
    result = run(capsys, "edit", str(path), "--no-browser", *options)
    assert result.code == 2
    assert says in result.err

"""`manage.py check_widgets`: all rows are checked, and nothing is changed."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from tests.django_suite.shelf.models import Faq, Hidden, SpecialWidget, Text, Widget
from tests.terminal import HANG

pytestmark = pytest.mark.usefixtures("db")


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        """Return True."""
        return True


def run(*labels: str, **options: Any) -> tuple[str, str]:
    """Return what the command writes, and the text of its error."""
    out, errors = io.StringIO(), [""]
    options.setdefault("stderr", io.StringIO())
    try:
        call_command("check_widgets", *labels, stdout=out, **options)
    except CommandError as failed:
        errors = [str(failed), str(failed.returncode)]
    assert errors[1:] in ([], ["1"])
    return out.getvalue(), errors[0]


def test_all_is_fine() -> None:
    Widget.objects.create(type="faq", data={"items": [{"q": "Why?"}]})
    Faq.objects.create(data=None)
    assert run() == ("2 rows checked, 0 invalid\n", "")


def test_findings_and_their_summary() -> None:
    for number in range(3):
        Faq.objects.create(id=number + 1, data={"items": [{"q": "a"}] * (number + 1)})
    out, error = run("shelf.Faq")
    lines = out.splitlines()
    assert lines[0].startswith("shelf.Faq 1: data: minLength /items/0/q: ")
    assert lines[-2].split() == ["6", "shelf.Faq.data", "minLength", "/items/*/q"]
    assert lines[-1] == "3 rows checked, 3 invalid"
    assert error == "invalid: 3 rows of 3"
    short, _ = run("shelf.faq", limit=1)
    assert short.splitlines()[1] == "… and 2 more invalid rows: use --limit 0"
    assert len(run(limit=0)[0].splitlines()) == 8


def test_a_long_summary_says_what_it_leaves_out() -> None:
    Faq.objects.create(data={"items": [], **{f"unknown_{chr(97 + n)}": n for n in range(25)}})
    out, _ = run("shelf.Faq")
    assert out.splitlines()[-2].split(maxsplit=1) == ["6", "more kinds of findings"]


def test_every_row_is_checked() -> None:
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO shelf_hidden (data) VALUES ('{}')")
    Widget.objects.bulk_create([Widget(type="faq", data={"items": [{"q": "Why?"}]})])
    Widget.objects.update(type="fax")
    assert Hidden.objects.count() == 0
    out, _ = run()
    assert "shelf.Hidden" in out
    assert "unknown widget type 'fax'; did you mean 'faq'?" in out
    assert "shelf.Widget.data  unknown_widget_type 'fax'" in out


def test_a_closed_pipe_is_no_traceback(tmp_path: Path) -> None:
    code = """if True:
        import django
        from django.core.management import call_command, execute_from_command_line
        django.setup()
        call_command("migrate", run_syncdb=True, verbosity=0)
        execute_from_command_line(["manage.py", "check_widgets", "shelf.Faq"])
    """
    variables = {**os.environ, "TMPDIR": str(tmp_path)}
    variables.pop("PGHOST", None)
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=variables,
    )
    assert process.stdout is not None
    process.stdout.close()
    _, errors = process.communicate(timeout=HANG)
    assert process.returncode == 1
    assert not errors


def test_columns_of_a_parent_are_checked_once() -> None:
    SpecialWidget.objects.create(
        type="faq", data={"items": [{"q": "Why?"}]}, more={"items": [{"q": "Why?"}]}
    )
    Widget.objects.update(data={})
    SpecialWidget.objects.update(more={"items": []})
    out, _ = run()
    assert out.splitlines()[-1] == "2 rows checked, 2 invalid"


def test_text_that_is_no_json_is_a_finding_with_its_position() -> None:
    Text.objects.bulk_create([Text(kind="faq", text='{"items": [{"q": "Why?"}]}')])
    Text.objects.update(text='{"items":')
    assert "text: 1:10 json.syntax" in run()[0]


def test_it_reads_in_blocks_and_shows_progress() -> None:
    Faq.objects.bulk_create(
        [Faq(data={"items": [{"q": "Why?"}]})] * 1 + [Faq() for _ in range(600)]
    )
    terminal = Terminal()
    assert run("shelf.Faq", stderr=terminal) == ("601 rows checked, 0 invalid\n", "")
    assert "\rshelf.Faq: 500 of 601 rows" in terminal.getvalue()
    assert terminal.getvalue().endswith("601 of 601 rows\n")
    silent = Terminal()
    run("shelf.Faq", stderr=silent, no_progress=True)
    assert silent.getvalue() == ""


def test_another_database() -> None:
    Faq.objects.using("other").create(data={})
    assert run(database="other")[1] == "invalid: 1 row of 1"
    assert run()[1] == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["shelf.Fag"], "did you mean 'shelf.Faq'?"),
        (["auth.User"], "no model with widget data is called 'auth.User'"),
        (["--database", "elsewhere"], "unknown database 'elsewhere'"),
    ],
)
def test_wrong_arguments(arguments: list[str], message: str) -> None:
    assert message in run(*arguments)[1]

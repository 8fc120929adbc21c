"""The examples: how much of them is there because of this package, counted by their own script."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(
    ("example", "most", "guide"),
    [("django_app", 20, "django.md"), ("fastapi_app", 45, "before-saving.md")],
)
def test_an_example_needs_little_glue(example: str, most: int, guide: str) -> None:
    script = [sys.executable, str(EXAMPLES / "count_glue.py"), str(EXAMPLES / example)]
    printed = subprocess.run(script, check=True, capture_output=True, encoding="utf-8").stdout
    *files, total = (line.split(maxsplit=1) for line in printed.splitlines())
    assert total[1] == "in all"
    assert int(total[0]) == sum(int(number) for number, _ in files)
    assert {name for _, name in files} & {"settings.py", "app.py"}
    assert 5 < int(total[0]) <= most, printed
    words = " ".join((EXAMPLES.parent / "docs" / "guides" / guide).read_text("utf-8").split())
    assert re.search(rf"\b{total[0]} of its lines are for widgetschema\b", words)

"""A check of one valid file imports what it uses, and nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

MODULES = Path(__file__).resolve().parents[1] / "data" / "start" / "modules.txt"  # may be imported
RUN = """\
import sys
import pathlib  # what it needs itself depends on the Python
before = set(sys.modules)
from widgetschema.cli import main
try:
    main(["validate", "--type", "note", "note.json"])
except SystemExit as error:
    assert error.code == 0, error.code
import json
print(json.dumps(sorted(set(sys.modules) - before)))
"""


def test_a_check_imports_no_module_that_it_does_not_need(tmp_path: Path) -> None:
    (tmp_path / "schemas").mkdir()
    schema = {"type": "object", "properties": {"title": {"type": "string"}}}
    (tmp_path / "schemas" / "note.json").write_text(json.dumps(schema), encoding="utf-8")
    (tmp_path / "note.json").write_text('{"title": "a"}', encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", RUN], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    imported = json.loads(done.stdout)
    ours = {name for name in imported if name.partition(".")[0] == "widgetschema"}

    assert ours - {*MODULES.read_text(encoding="utf-8").split()} == set()
    # Modules of the standard library that neither click nor the engine imports by itself.
    unneeded = {"shutil", "difflib", "tempfile", "subprocess", "tomllib", "asyncio"}
    unneeded |= {"fractions", "glob"}
    assert unneeded & {*imported} == set()

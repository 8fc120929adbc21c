"""`validate` in a large repository, beside `git ls-files`: `python -m tests.benchmarks.repository`.

Prints a Markdown table of processor time, that of git included, and of ratios in one run. With
`--write` the table goes into `tables.md`. Not a test: nothing here passes or fails.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.payloads import VALID
from tests.benchmarks.timing import Task, in_tables, processor_time, say, table, take_turns

OTHERS = 50_000
MAPPED = 100
LIST = ["git", "ls-files", "-co", "--exclude-standard", "-z"]
VALIDATE = [sys.executable, "-m", "widgetschema", "validate", "."]


def main() -> None:
    """The table."""
    with in_tables("repository"), tempfile.TemporaryDirectory() as folder:
        rows = []
        for share in (0, 10, 100):
            root = Path(folder) / f"json{share}"
            alone = Path(folder) / f"alone{share}"
            fill(root, share)
            fill(alone, None)
            tasks: dict[str, Task] = {
                "git": lambda root=root: processor_time(LIST, str(root)),  # type: ignore[misc]
                "alone": lambda alone=alone: processor_time(VALIDATE, str(alone)),  # type: ignore[misc]
                "all": lambda root=root: processor_time(VALIDATE, str(root)),  # type: ignore[misc]
            }
            times = take_turns(tasks, rounds=5, seconds=0)
            more = times["all"] - times["alone"]
            rows.append(
                [
                    f"{share} %",
                    *(f"{times[name] * 1e3:.0f} ms" for name in ("git", "alone", "all")),
                    f"{more / times['git']:.1f}",
                ]
            )
        say(f"{MAPPED} mapped files, and {OTHERS:,} others that git knows; processor time.\n")
        header = [
            "JSON among the others",
            "`git ls-files`",
            "`validate .` without the others",
            "`validate .`",
            "difference, times `git ls-files`",
        ]
        table("A large repository", header, rows)


def fill(root: Path, share: int | None) -> None:
    """A repository; with a share in percent, also other files, as many of them JSON."""
    text = json.dumps(VALID, indent=2)
    for number in range(MAPPED):
        path = root / "widgets" / f"{number}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (root / "widgetschema.toml").write_text('[files]\n"widgets/*.json" = "countdown"\n', "utf-8")
    for number in range(0 if share is None else OTHERS):
        path = root / "src" / f"p{number // 2500}" / f"m{number // 100}"
        path.mkdir(parents=True, exist_ok=True)
        is_json = number % 100 < (share or 0)
        content = json.dumps({"name": f"n{number}", "type": "module", "files": ["dist"] * 20})
        (path / f"f{number}.{'json' if is_json else 'ts'}").write_text(content, encoding="utf-8")
    for command in ("init -q", "add -A", "-c user.name=x -c user.email=x commit -qm x"):
        subprocess.run(["git", *command.split()], check=True, cwd=root)


if __name__ == "__main__":
    main()

"""Samples of well-known public schemas: `python -m tests.benchmarks.public_samples FOLDER`.

FOLDER has schemas of SchemaStore, one file each. Prints a sample of each of a few small ones; with
`--write` the samples go into the manual. Needs the extra `test`. Not a test: nothing here passes or
fails.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Final

from tests.benchmarks.timing import in_readme, say
from tests.checkout import ROOT
from widgetschema import WidgetType

PAGE: Final = ROOT / "docs" / "guides" / "samples.md"
SCHEMAS: Final = {
    "problem-object-rfc9457": "Problem details (RFC 9457)",
    "github-issue-config": "GitHub issue template chooser",
    "host-meta": "Host metadata (RFC 6415)",
}
FILL: Final = 0.6


def main() -> None:
    """Print a sample of each schema."""
    folder = Path(next(one for one in sys.argv[1:] if not one.startswith("-")))
    with in_readme("public schemas", PAGE):
        for name, title in SCHEMAS.items():
            schema = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
            made = WidgetType.from_data_schema(schema, id=name).sample(seed="manual", fill=FILL)
            text = json.dumps(made, indent=2, ensure_ascii=False)
            say(f"{title}:\n\n```json\n{text}\n```\n")


if __name__ == "__main__":
    main()

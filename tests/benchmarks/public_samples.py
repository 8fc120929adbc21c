"""Samples of well-known public schemas: `python -m tests.benchmarks.public_samples FOLDER`.

FOLDER has the schemas, NAME.json each: that of JSON Resume is in the npm package
`@jsonresume/schema`, that of GeoJSON is published at geojson.org, those of workflows, issue forms,
Dependabot and CITATION.cff are in `check-jsonschema`, and the others in SchemaStore. Of 20
samples of each, prints the largest that is not too long; with `--write` they go into the manual.
Needs the extra `test`. Not a test: nothing here passes or fails.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

from tests.benchmarks.timing import in_readme, say
from tests.checkout import ROOT
from widgetschema import WidgetType

PAGE: Final = ROOT / "docs" / "guides" / "samples.md"
SCHEMAS: Final = {
    "resume": "JSON Resume",
    "citation-file-format": "Citation File Format (CITATION.cff)",
    "all-contributors": "All Contributors",
    "problem-object-rfc9457": "Problem details (RFC 9457)",
    "geojson": "GeoJSON",
    "chart": "Helm chart (Chart.yaml)",
    "dependabot": "Dependabot",
    "github-workflows": "GitHub workflow",
    "github-issue-forms": "GitHub issue form",
    "github-issue-config": "GitHub issue template chooser",
}
MADE: Final = 20  # samples of each, of which the largest is shown that is not too long
LONGEST: Final = 1000  # characters of compact text
WIDTH: Final = 100
FILL: Final = 0.6


def main() -> None:
    """Print a sample of each schema."""
    folder = Path(next(one for one in sys.argv[1:] if not one.startswith("-")))
    with in_readme("public schemas", PAGE):
        for name, title in SCHEMAS.items():
            schema = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
            kind = WidgetType.from_data_schema(schema, id=name)
            samples = sorted(kind.samples(MADE, seed="manual", fill=FILL), key=size)
            short = [one for one in samples if size(one) <= LONGEST]
            text = laid_out((short or samples[:1])[-1])
            say(f"{title}:\n\n```json\n{text}\n```\n")


def size(value: Any) -> int:
    """Return the number of characters of compact text."""
    return len(json.dumps(value, ensure_ascii=False))


def laid_out(value: Any, indent: str = "") -> str:
    """Return JSON text with each value on one line if it fits."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(line) <= WIDTH or not isinstance(value, list | dict):
        return line
    more = f"{indent}  "
    if isinstance(value, list):
        parts, ends = [laid_out(one, more) for one in value], "[]"
    else:
        parts = [f"{json.dumps(name)}: {laid_out(one, more)}" for name, one in value.items()]
        ends = "{}"
    return f"{ends[0]}\n{more}" + f",\n{more}".join(parts) + f"\n{indent}{ends[1]}"


if __name__ == "__main__":
    main()

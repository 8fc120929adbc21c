"""Samples of well-known public schemas: `python -m tests.benchmarks.public_samples FOLDER`.

FOLDER has the schemas, NAME.json each: that of JSON Resume is in the npm package
`@jsonresume/schema`, that of GeoJSON is published at geojson.org, those of workflows, issue forms,
Dependabot and CITATION.cff are in `check-jsonschema`, and the others in SchemaStore. Of 20
samples of each, prints the largest that is not too long; with `--write` they go into the manual. Needs the extra
`test`. Not a test: nothing here passes or
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
LONGEST: Final = 900  # characters
FILL: Final = 0.4


def main() -> None:
    """Print a sample of each schema."""
    folder = Path(next(one for one in sys.argv[1:] if not one.startswith("-")))
    with in_readme("public schemas", PAGE):
        for name, title in SCHEMAS.items():
            schema = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
            kind = WidgetType.from_data_schema(schema, id=name)
            texts = [
                json.dumps(one, indent=2, ensure_ascii=False)
                for one in kind.samples(MADE, seed="manual", fill=FILL)
            ]
            text = max((one for one in texts if len(one) <= LONGEST), key=len)
            say(f"{title}:\n\n```json\n{text}\n```\n")


if __name__ == "__main__":
    main()

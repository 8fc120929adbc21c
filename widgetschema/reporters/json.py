"""The results of a run as one JSON object, for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from widgetschema.documents import dump
from widgetschema.findings import Provenance
from widgetschema.reporters.results import Checked, Problem, Summary


class JsonReporter:
    """`{"version": 1, "summary": {…}, "schemas": […], "documents": […], "problems": […]}`.

    `summary` is `Summary.as_dict`, `schemas` say where the schemas came from as
    `Provenance.as_dict`, `documents` are those with findings as `Checked.as_dict`, `problems` as
    `Problem.as_dict`. At most `most` findings are written; `truncated` says
    whether some are missing, and `summary` counts all.
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        self._documents: list[dict[str, Any]] = []
        self._written = 0
        self._truncated = False

    def checked(self, checked: Checked) -> str:
        """Keep what is to be written at the end."""
        if checked.report.valid:
            return ""
        document = checked.as_dict()
        if self._most is not None:
            room = max(0, self._most - self._written)
            self._truncated = self._truncated or len(document["findings"]) > room
            document["findings"] = document["findings"][:room]
        self._written += len(document["findings"])
        self._documents.append(document)
        return ""

    def end(
        self, summary: Summary, problems: list[Problem], schemas: Sequence[Provenance] = ()
    ) -> str:
        """The whole object."""
        return dump(
            {
                "version": 1,
                "summary": summary.as_dict(),
                "schemas": [schema.as_dict() for schema in schemas],
                "truncated": self._truncated,
                "documents": self._documents,
                "problems": [problem.as_dict() for problem in problems],
            }
        )

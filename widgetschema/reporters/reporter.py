"""What a reporter must be able to do."""

from __future__ import annotations

from typing import Protocol

from widgetschema.project.checking.results import DocumentResult, Outcome, Problem


class Reporter(Protocol):
    """Turns results into text: some as they come, some only at the end.

    It gets every document, those without findings, too, in the order of the run.
    """

    def checked(self, checked: DocumentResult) -> str:
        """The text for one document, possibly empty."""

    def problem(self, problem: Problem) -> str:
        """The text for something that kept a document from being checked, possibly empty."""

    def end(self, outcome: Outcome) -> str:
        """The text that closes the output, possibly empty."""

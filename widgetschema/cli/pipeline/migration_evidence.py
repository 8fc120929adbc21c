"""Evidence for a plan: generated data and stored records, migrated and counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from widgetschema.catalog.widget_type import WidgetType
from widgetschema.cli.console.output import print_error
from widgetschema.cli.pipeline.migration_setup import MigrationSetup
from widgetschema.cli.pipeline.stored_data import StoredChecker, others_left, stored_results
from widgetschema.evolution.migrate import Evidence
from widgetschema.jsontext import dump
from widgetschema.project.checking.documents import Document
from widgetschema.project.checking.locations import UnlocatedResult
from widgetschema.project.checking.results import DocumentResult, Problem
from widgetschema.project.inputs.model import File
from widgetschema.text import printable


def generated_evidence(setup: MigrationSetup, samples: int, seed: int | str) -> Evidence:
    """Return the evidence from data that is generated from the old schema.

    Raises `CannotGenerate`.
    """
    evidence = Evidence(setup.migration)
    for name, data in generated(setup.old, samples, seed):
        evidence.add(name, dump(data, indent=False))
    return evidence


def generated(old: WidgetType, samples: int, seed: int | str) -> Iterator[tuple[str, object]]:
    """Yield the minimal and the maximal data, each case of the coverage set, and samples."""
    yield "minimal", old.minimal()
    yield "maximal", old.maximal()
    for case in old.coverage():
        yield case.id, case.data
    for index, data in enumerate(old.samples(samples, seed)):
        yield f"sample {index} of seed {seed}", data


class StoredEvidence(NamedTuple):
    """The evidence from stored records, the texts that are not JSON, and what cannot be read."""

    evidence: Evidence
    unreadable: tuple[DocumentResult, ...]
    problems: tuple[Problem, ...]

    @property
    def code(self) -> int:
        """The exit code."""
        codes = [one.code for one in self.problems]
        return max([0 if self.evidence.holds else 1, 3 if self.unreadable else 0, *codes])


def stored_evidence(
    setup: MigrationSetup,
    kind: str,
    files: Sequence[File | Problem],
    type_for: Callable[[str], str | None],
) -> StoredEvidence:
    """Return the evidence from stored records; what cannot be read, and what is left, is printed.

    Documents without a type have that which `type_for` returns for their file.
    """
    checker = _MigrationChecker(setup, kind, type_for)
    problems: list[Problem] = []
    unreadable: list[DocumentResult] = []
    for answer in stored_results(checker, files):
        for result in answer.results:
            if isinstance(result, Problem):
                problems.append(result)
                print_error(str(result))
            elif result.findings:  # a text that is not JSON
                unreadable.append(result)
                print_error(f"{printable(result.file)}: {result.findings[0].finding.headline}")
    if checker.others:
        print_error(others_left(checker.others))
    return StoredEvidence(checker.evidence, tuple(unreadable), tuple(problems))


class _MigrationChecker(StoredChecker):
    """Migrates each document instead of checking it, and keeps the counts."""

    def __init__(
        self, setup: MigrationSetup, kind: str, type_for: Callable[[str], str | None]
    ) -> None:
        old, new, migration = setup
        super().__init__({old.id: old}, [old.id, new.id], kind, type_for)
        self.evidence = Evidence(migration)

    def check_document(self, file: str, document: Document) -> UnlocatedResult | Problem:
        """Migrate one document, and return a result without findings."""
        if not self.is_other(file, document):
            text = dump(document.value, indent=False)
            place = f"{file}{document.pointer}"
            self.evidence.add(place, text, "document" if document.kind == "document" else "data")
        return UnlocatedResult(DocumentResult(file, document.pointer, None, document.kind))

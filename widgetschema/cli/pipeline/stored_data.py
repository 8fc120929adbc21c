"""Checks of stored data, which `--data` names, by the types of a comparison or a migration."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from widgetschema.catalog.portable import PortableCatalog
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.cli.console.output import print_error
from widgetschema.project.checking.checker import Checker
from widgetschema.project.checking.documents import Document
from widgetschema.project.checking.results import Problem
from widgetschema.project.checking.runner import FileResults, Runner
from widgetschema.project.inputs.model import File
from widgetschema.text import plural


class StoredChecker(Checker):
    """Checks stored data, which `--data` names, by the types of a comparison or a migration.

    If there is only one type, all data has it, except data that names another type, or whose file
    has another one by `type_for`: `others` counts these. `names` are all ids of the types.
    """

    def __init__(
        self,
        types: Mapping[str, WidgetType],
        names: Iterable[str],
        kind: str,
        type_for: Callable[[str], str | None],
    ) -> None:
        only = next(iter(types)) if len(types) == 1 else None
        super().__init__(PortableCatalog(types), type_id=only, kind=kind, type_for=type_for)
        self.others = 0
        self._names = {None, *names}

    def note(self, document: Document) -> str | None:
        """Return None: documents are checked as what is compared."""
        return None

    def is_other(self, file: str, document: Document) -> bool:
        """Return whether a document is of another type, and count it."""
        own = self._own_type(document.value) if document.kind == "document" else None
        is_own = (own if isinstance(own, str) else self.type_for(file)) in self._names
        if self.type_id is None or is_own:
            return False
        self.others += 1
        return True


def stored_results(checker: Checker, files: Sequence[File | Problem]) -> Iterator[FileResults]:
    """Yield the results of stored data, which `--data` names; say what was passed over."""
    most = checker.limits.max_bytes
    runner = Runner(lambda: checker, max_bytes=most, jobs=1)
    for results in runner.results(files):
        if results.passed_over is not None:
            print_error(str(results.passed_over))
        yield results


def others_left(number: int) -> str:
    """Return the message about documents of other types."""
    return f"{plural(number, 'document')} of other types left out"

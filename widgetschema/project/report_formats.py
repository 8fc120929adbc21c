"""The formats of reports: what each one declares, and how it is found by its name.

A format of our own is a module in `widgetschema/reporters/formats`; its name is that of the file,
with dashes.
Other packages add formats by entry points of the group `widgetschema.reporters`, which are looked
up only for a name that is not one of ours. Either way the registry gets a `ReportFormat`.

The registry lies below `reporters`, because configuration and inputs need it: which names there
are, and how earlier reports begin.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeVar

from widgetschema.errors import ReporterError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from widgetschema.project.checking.results import DocumentResult, Outcome, Problem

_T = TypeVar("_T")

AUTO: Final = "auto"  # stands for a format: which one depends on where the command runs
GROUP: Final = "widgetschema.reporters"
PACKAGE: Final = "widgetschema.reporters.formats"
STANDARD_OUTPUT: Final = ("-", "/dev/stdout")  # the second may itself be a file
PLAIN_ESCAPE: Final = "##·["
JSON_ESCAPE: Final = r"#\u0023["
# How reports begin whose formats other packages provide and this run uses.
FOREIGN_BEGINNINGS: Final[list[bytes]] = []
_SYNONYMS: Final = {  # the words of ruff, ESLint, mypy and others
    "github": "github-actions gh annotations",
    "gitlab": "codeclimate code-climate codequality code-quality",
    "junit": "xunit junit-xml junitxml",
    "markdown": "md",
    "ndjson": "jsonl jsonlines json-lines",
    "text": "concise full grouped stylish compact unix human plain",
}


class Reporter(Protocol):
    """Turns the results of a run into text, as they come or at the end.

    It gets every document in the order of the run, including those without findings.
    """

    def document(self, document: DocumentResult) -> str:
        """Return the text for a document, or an empty string."""

    def problem(self, problem: Problem) -> str:
        """Return the text for a problem that kept a document from being checked, or ""."""

    def end(self, outcome: Outcome) -> str:
        """Return the text that closes the report, or an empty string."""


class ReportContext(NamedTuple):
    """The facts of the run that a reporter may need.

    Attributes:
        folder: The folder that file names in reports for CI start from.
        style: Takes a role ("where", "keyword", "mark", "hint") and a text; returns it colored.
        show: Makes a text from a file fit to be displayed.
        to_file: Whether the report goes to a file, so that nobody sees standard error beside it.
    """

    folder: str
    style: Callable[[str, str], str]
    show: Callable[[str], str]
    to_file: bool = False


class ReportFormat(NamedTuple):
    """The declaration of a report format.

    Attributes:
        description: What the format is for, in a few words; shown in the manual.
        create: Returns a new reporter for one run.
        begins: Regular expressions for how a report begins. They match at the start of the file,
            within its first 8,192 bytes. By them, an earlier report is told from data: it may be
            overwritten, and is not checked. Of our own formats, those in JSON begin with a member
            that `project/checking/artifacts.py` knows, such as `"version"`.
        escape: What replaces `##[` on standard output in a GitHub workflow, which would obey it.
            None for a format that takes care of that itself.

    """

    description: str
    create: Callable[[ReportContext], Reporter]
    begins: tuple[bytes, ...] = ()
    escape: str | None = PLAIN_ESCAPE


class ReportTarget(NamedTuple):
    """The name of a format, and the file that the report goes to; None is standard output."""

    name: str
    file: str | None = None


class InvalidReportTarget(ValueError):
    """A text that is not FORMAT or FORMAT=FILE: the reason, and a hint if there is one."""

    def __init__(self, reason: str, hint: str | None = None) -> None:
        super().__init__(reason if hint is None else f"{reason}; {hint}")
        self.reason = reason
        self.hint = hint


def parse_target(text: str) -> ReportTarget:
    """Return the format and the file that `sarif`, `sarif=report.sarif` or `sarif=-` mean.

    Raises `InvalidReportTarget`.
    """
    name, equals, file = text.partition("=")
    if not is_known(name):
        from widgetschema.jsontext import preview  # only for a mistake
        from widgetschema.suggest import nearest

        known = (*own_names(), *sorted(_installed()))
        words = _SYNONYMS.items()
        close = [ours for ours, names in words if name.strip().lower() in names.split()]
        close = close or nearest(name.strip()[:40], known)
        meant = f"did you mean {preview(close[0] + equals + file)}?" if close else None
        raise InvalidReportTarget(
            f"{preview(name)} is not a report format (known: {', '.join(known)})", meant
        )
    if equals and not file.strip():
        raise InvalidReportTarget(f"the file is missing after {name}=", f"write {name}=FILE")
    if "\0" in file:
        raise InvalidReportTarget(f"the file name after {name}= contains a NUL character")
    return ReportTarget(name, None if not file or file in STANDARD_OUTPUT else file)


@cache
def own_names() -> tuple[str, ...]:
    """Return `auto` and the names of our own formats, without loading any of them."""
    root, *parts = PACKAGE.split(".")
    folders = [os.path.join(path, *parts) for path in sys.modules[root].__path__]
    return (AUTO, *sorted(_dashed(module.name) for module in pkgutil.iter_modules(folders)))


def completions(begin: str) -> list[str]:
    """Return the names that begin so: ours, or if there are none, those of other packages."""
    ours = [name for name in own_names() if name.startswith(begin)]
    return ours or [name for name in sorted(_installed()) if name.startswith(begin)]


def is_known(name: str) -> bool:
    """Return whether a format has this name; other packages are asked if it is not ours."""
    return name in own_names() or name in _installed()


@cache
def report_format(name: str) -> ReportFormat:
    """Return the format with a known name other than `auto`.

    Raises `KeyError` for any other name, and `ReporterError` if the format of another package
    cannot be used.
    """
    if name == AUTO:
        raise KeyError(name)
    if name in own_names():
        module = importlib.import_module(f"{PACKAGE}.{name.replace('-', '_')}")
        declared: ReportFormat = module.FORMAT
        return declared
    return _load(name, _installed()[name])


def create_reporter(name: str, context: ReportContext) -> Reporter:
    """Return a new reporter of the format with this name. Raises as `report_format`."""
    declared = report_format(name)
    if name in own_names():
        return declared.create(context)
    return _ForeignReporter(name, declared, context)


@cache
def own_beginnings() -> tuple[bytes, ...]:
    """Return how reports of our own formats begin; this loads all of them."""
    names = (name for name in own_names() if name != AUTO)
    return tuple(one for name in names for one in report_format(name).begins)


@cache
def _installed() -> dict[str, list[EntryPoint]]:
    """Return the entry points of other packages by the name of the format."""
    from importlib.metadata import entry_points  # only for a name that is not ours

    found: dict[str, list[EntryPoint]] = {}
    for one in entry_points(group=GROUP):
        same = found.setdefault(one.name, [])
        if one.value not in [other.value for other in same]:  # a package may be found twice
            same.append(one)
    return found


def _load(name: str, points: list[EntryPoint]) -> ReportFormat:
    if len(points) > 1:
        values = " and ".join(sorted(point.value for point in points))
        raise ReporterError(name, f"several installed packages provide it: {values}")
    [point] = points
    try:
        declared = point.load()
    except Exception as error:  # code of others may fail in any way
        raise ReporterError(name, f"{point.value} cannot be loaded: {_cause(error)}") from error
    if not isinstance(declared, ReportFormat):
        raise ReporterError(name, f"{point.value} is not a ReportFormat")
    FOREIGN_BEGINNINGS.extend(declared.begins)
    return declared


class _ForeignReporter:
    """A reporter of another package, whose failures are reported as its own."""

    def __init__(self, name: str, declared: ReportFormat, context: ReportContext) -> None:
        self._name = name
        self._reporter: Reporter = self._call(declared.create, context)

    def document(self, document: DocumentResult) -> str:
        return self._text(self._reporter.document, document)

    def problem(self, problem: Problem) -> str:
        return self._text(self._reporter.problem, problem)

    def end(self, outcome: Outcome) -> str:
        return self._text(self._reporter.end, outcome)

    def _text(self, method: Callable[[Any], str], value: Any) -> str:
        text: object = self._call(method, value)
        if not isinstance(text, str):
            kind = type(text).__name__
            raise ReporterError(self._name, f"{method.__name__}() returned {kind} instead of str")
        return text

    def _call(self, call: Callable[[Any], _T], value: Any) -> _T:
        try:
            return call(value)
        except Exception as error:
            raise ReporterError(self._name, _cause(error)) from error


def _dashed(name: str) -> str:
    return name.replace("_", "-")


def _cause(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__

"""Which reporter is meant: by its name, with the file that it writes to, or by where we run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from widgetschema.project.checking.results import safe
from widgetschema.project.config.members import REPORTERS

if TYPE_CHECKING:
    from widgetschema.reporters.reporter import Reporter

FORMATS: Final = REPORTERS
# A file of the second name is none that could be replaced: standard output may be a file itself.
STANDARD_OUTPUT: Final = ("-", "/dev/stdout")


class Format(NamedTuple):
    """A format of FORMATS, and the file it goes to: None is standard output."""

    name: str
    file: str | None = None


def parse_format(text: str) -> Format:
    """`sarif`, `sarif=report.sarif`, or `sarif=-` for standard output, as what they mean.

    Raises `ValueError` with a sentence for people.
    """
    name, given, file = text.partition("=")
    if name not in FORMATS:
        from widgetschema.suggest import nearest  # only for a mistake

        close = nearest(name[:40], FORMATS)
        meant = f"; did you mean {close[0]!r}?" if close else ""
        shown = safe(name if len(name) <= 40 else f"{name[:39]}…")
        raise ValueError(f"there is no format {shown!r}{meant} (formats: {', '.join(FORMATS)})")
    if given and not file:
        raise ValueError(f"the file is missing: write {name}=FILE, or only {name}")
    if "\0" in file:
        raise ValueError(f"the file of the format {name} cannot have NUL in its name")
    return Format(name, None if not file or file in STANDARD_OUTPUT else file)


def auto(environ: Mapping[str, str], is_terminal: bool) -> str:
    """The format for `auto`: `github` in a workflow of GitHub, unless a person looks on."""
    return "github" if environ.get("GITHUB_ACTIONS") == "true" and not is_terminal else "text"


def reporter_for(
    name: str,
    *,
    folder: str,
    style: Callable[[str, str], str] | None = None,
    show: Callable[[str], str] = safe,
    to_file: bool = False,
) -> Reporter:
    """The reporter for a format, any but `auto`; only its own module is loaded.

    `folder` is what file names count from in the formats of CI; `style` and `show` are for text,
    as `TextReporter` takes them; `to_file` says that nobody sees standard error beside the text.
    Raises `ValueError` for any other name.
    """
    if name in ("text", "github"):
        from widgetschema.reporters.text import TextReporter, plain

        text = TextReporter(style or plain, show, problems=to_file and name == "text")
        if name == "text":
            return text
        from widgetschema.reporters.github import GithubReporter

        return GithubReporter(folder, text)
    if name == "json":
        from widgetschema.reporters.json import JsonReporter

        return JsonReporter()
    if name == "ndjson":
        from widgetschema.reporters.ndjson import NdjsonReporter

        return NdjsonReporter()
    return _for_ci(name, folder)


def _for_ci(name: str, folder: str) -> Reporter:
    if name == "sarif":
        from widgetschema.reporters.sarif import SarifReporter

        return SarifReporter(folder)
    if name == "junit":
        from widgetschema.reporters.junit import JunitReporter

        return JunitReporter(folder)
    if name == "gitlab":
        from widgetschema.reporters.gitlab import GitlabReporter

        return GitlabReporter(folder)
    if name == "markdown":
        from widgetschema.reporters.markdown import MarkdownReporter

        return MarkdownReporter(folder)
    raise ValueError(f"there is no reporter {name!r}")

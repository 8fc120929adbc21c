"""`--fix`, `--unsafe-fixes` and `--diff`: fixes are written to files, or shown as differences."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from widgetschema.cli.console.output import Output
from widgetschema.cli.pipeline.file_checks import RunChecks
from widgetschema.errors import UnreadableDocument
from widgetschema.files import read_whole, replace_file
from widgetschema.findings import Finding
from widgetschema.formats.model import Format
from widgetschema.formats.schema_comments import schema_comment
from widgetschema.jsontext import Limits, dump
from widgetschema.project.checking.results import DocumentResult, Problem, reason
from widgetschema.project.checking.runner import FileResults
from widgetschema.project.inputs.discovery import files_named
from widgetschema.project.inputs.formats import compression_of, format_of_file, has_lines
from widgetschema.project.inputs.model import File
from widgetschema.text import plural, printable

if TYPE_CHECKING:
    from widgetschema.fixes import FixedValue

_STDIN: Final = "standard input is fixed only if it is the only input"


class _NotFixable(Exception):
    """The reason why a file is left as it is."""


class _Unwritable(Exception):
    """The reason why a file could not be written."""


class FixedText(NamedTuple):
    """The text of a file as it was and with its fixes, and the values with fixes in it."""

    file: str
    before: str
    text: str
    values: Sequence[FixedValue]

    @property
    def number(self) -> int:
        """The number of findings that were fixed."""
        return sum(len(one.fixed.applied) for one in self.values)


class Differences:
    """Shows what would be fixed, for `--diff`: as patches, as they come, or as JSON, at the end."""

    def __init__(self, json: Output | None) -> None:
        self._json = json
        self._patches = Output(None)
        self._files: list[dict[str, Any]] = []

    def show(self, fixed: FixedText) -> None:
        """Show the edits of a file."""
        from widgetschema.fixes import edit_list, unified_diff

        file = fixed.file
        if self._json is None:
            patch = unified_diff(fixed.before, fixed.text, name_in_patch(file))
            self._patches.write_exact(patch)
            return
        self._files.append({"file": file, **edit_list(fixed.before, fixed.values)})

    def close(self) -> int:
        """Write what is shown at the end; return the exit code, as `Output.close`."""
        if self._json is None:
            return 0
        self._json.write(dump({"version": 1, "files": self._files}))
        return self._json.close()


class Fixer:
    """Fixes the files of results.

    `counts` says whether a finding is one that counts. Links that lead out of the folder `root` are
    not followed. `warn` gets a line for each file that is left as it is although it has fixable
    findings. With `differences`, nothing is written, and they get the fixed texts. With `only`, no
    other file is written. `contents` are those of files that are not read; with their fixes, they
    go to standard output. `number` and
    `files` count what was fixed, or could be.
    """

    def __init__(
        self,
        checks: RunChecks,
        counts: Callable[[str, Finding], bool],
        root: str,
        warn: Callable[[str], None],
        differences: Differences | None,
        only: Iterable[str] | None,
        contents: Mapping[str, bytes],
    ) -> None:
        self.number = 0
        self.files = 0
        self._checks = checks
        self._counts = counts
        self._root = root
        self._warn = warn
        self._differences = differences
        self._contents = contents
        self._only = None if only is None else frozenset(map(os.path.realpath, only))
        self._warned = ""  # the last file of a warning

    def close(self) -> int:
        """Write what is shown at the end; return the exit code."""
        return 0 if self._differences is None else self._differences.close()

    def fix(self, results: FileResults) -> Iterator[FileResults]:
        """Fix the file of some results; yield them, or those about the file as it is now."""
        file = results.file
        content = self._contents.get(file)
        if content is not None:
            yield from self._fix_content(results, content)
            return
        try:
            may_have = _has_fixes(results) or _may_have_fixes(results)
            is_written = may_have and self._fix(results)
        except _NotFixable as error:
            if file != self._warned:
                self._warned = file
                self._warn(f"{printable(file)}: not fixed: {error}")
            yield results
        except _Unwritable as error:
            yield results
            yield FileResults(file, (Problem(file, str(error)),), is_first=False)
        else:
            if is_written:
                yield from self._recheck(files_named([file]))
            else:
                yield results

    def _fix_content(self, results: FileResults, content: bytes) -> Iterator[FileResults]:
        """Write a content with its fixes to the output, or as it is if there are none."""
        file, new = results.file, content
        try:
            if _has_fixes(results) or _may_have_fixes(results):
                text = content.decode()
                fixed = self._fixed(file, text)
                if fixed.number:
                    new = fixed.text.encode()
                    self.number += fixed.number
                    self.files += 1
                    if self._differences is not None:
                        self._differences.show(fixed)
        except ValueError:  # it is no text
            pass
        except _NotFixable as error:
            self._warn(f"{printable(file)}: not fixed: {error}")
        if self._differences is None:
            Output(None).write_exact(new)
            if new != content:
                yield from self._recheck([File(file, content=new)])
                return
        yield results

    def _fix(self, results: FileResults) -> bool:
        """Return whether the file was written. Raises `_NotFixable` and `_Unwritable`."""
        file = results.file
        if not results.is_complete:
            is_input = file == "-"
            raise _NotFixable(_STDIN if is_input else "too large, or not a regular file")
        if self._only is not None and os.path.realpath(file) not in self._only:
            raise _NotFixable("it is checked only because a schema or the configuration is named")
        if self._leads_out(file):
            raise _NotFixable("a link leads out of the project")
        try:
            status, raw = read_whole(file, self._limits(file).max_bytes)
            if compression_of(raw):
                raise _NotFixable("compressed files are left as they are")
            text = raw.decode()
            fixed = self._fixed(file, text)
        except (OSError, ValueError):  # deleted or replaced since it was read
            return False
        if not fixed.number:
            return False
        if self._differences is not None:
            self._differences.show(fixed)
        elif status.st_nlink > 1:  # the file would be replaced, and others keep the old text
            raise _NotFixable(f"it has {status.st_nlink:,} names (hard links); copy it first")
        else:
            _write(file, raw, fixed.text)
        self.number += fixed.number
        self.files += 1
        return self._differences is None

    def _recheck(self, files: Sequence[File | Problem]) -> Iterator[FileResults]:
        """Yield the results of what was fixed."""
        for file in files:
            name = file.name if isinstance(file, File) else file.file
            yield from self._checks.for_file(name).runner.results([file])

    def _limits(self, file: str) -> Limits:
        return self._checks.for_file(file).settings.limits

    def _findings(self, file: str, value: Any, schema: str | None) -> list[Finding]:
        """Return the findings that count, with the fixes that are to be applied."""
        from widgetschema.fixes import applicable

        checks = self._checks.for_file(file)
        found = checks.checker().findings(file, value, schema)
        counted = [finding for finding in found if self._counts(file, finding)]
        return applicable(counted, unsafe=checks.settings.unsafe_fixes)

    def _leads_out(self, file: str) -> bool:
        """Return whether a link within the project leads out of it."""
        return _is_within(os.path.abspath(file), os.path.abspath(self._root)) and not _is_within(
            os.path.realpath(file), os.path.realpath(self._root)
        )

    def _fixed(self, file: str, text: str) -> FixedText:
        """Return the text with its fixes."""
        from widgetschema.fixes import FixedValue, fix  # few runs fix anything

        def check(value: Any) -> list[Finding]:
            """Return the findings to fix in a value."""
            return self._findings(file, value, schema)

        def counts(finding: Finding) -> bool:
            """Return whether a finding about a text that cannot be read is to be fixed."""
            return self._counts(file, finding)

        format = format_of_file(file)
        schema = schema_comment(text) if format == "yaml" else None
        if not has_lines(file, text.encode()):
            if format == "yaml":
                self._must_be_one(file, text)
            fixed = fix(text, check, limits=self._limits(file), format=format, counts=counts)
            if format != "json":
                self._warn_of_others(file, fixed.text, format)
            return FixedText(file, text, fixed.text, [FixedValue(0, 1, fixed)])
        lines, offset = text.split("\n"), 0
        values: list[FixedValue] = []
        for index, line in enumerate(lines):
            if line.strip():
                ending = "\r" if line.endswith("\r") else ""
                value = line.removesuffix("\r")
                fixed = fix(value, check, limits=self._limits(file), counts=counts)
                lines[index] = fixed.text + ending
                if fixed.applied:
                    values.append(FixedValue(offset, index + 1, fixed))
            offset += len(line) + 1
        return FixedText(file, text, "\n".join(lines), values)

    def _must_be_one(self, file: str, text: str) -> None:
        """Raise `_NotFixable` for several documents in YAML, if any of them could be fixed."""
        from widgetschema.formats.parsing import parse

        with contextlib.suppress(UnreadableDocument):
            every = parse(text, "yaml", self._limits(file))
            found = (self._findings(file, parsed.value, parsed.schema) for parsed in every)
            fixes = (one.fix for some in found for one in some)
            if len(every) > 1 and any(fixes):
                raise _NotFixable("it holds several documents")

    def _warn_of_others(self, file: str, text: str, format: Format) -> None:
        """Warn of fixes that cannot be written without losing something."""
        from widgetschema.fixes.edits import token
        from widgetschema.formats.parsing import parse

        with contextlib.suppress(UnreadableDocument):
            [parsed] = parse(text, format, self._limits(file))
            found = self._findings(file, parsed.value, parsed.schema)
            found = [one for one in found if one.fix]
            located = parsed.source.locate(one.path for one in found)
            number = sum(token(one, parsed.source, located) is None for one in found)
            if number:
                why = "its value has an alias or a tag, or spans several lines"
                if number > 1:
                    why = "their values have an alias or a tag, or span several lines"
                self._warn(f"{printable(file)}: {plural(number, 'finding')} not fixed: {why}")


def _write(file: str, old: bytes, new: str) -> None:
    """Write a file unless it has changed. Raises `_Unwritable`."""
    try:
        replace_file(file, new, old)
    except OSError as error:
        raise _Unwritable(f"cannot be written: {reason(error)}") from None


def _has_fixes(results: FileResults) -> bool:
    return any(
        located.finding.fix is not None
        for result in results.results
        if isinstance(result, DocumentResult)
        for located in result.findings
    )


def _may_have_fixes(results: FileResults) -> bool:
    """Return whether there may be fixes that are not told, since they cannot be written."""
    return format_of_file(results.file) != "json" and any(
        isinstance(result, DocumentResult) and result.findings for result in results.results
    )


def _is_within(path: str, folder: str) -> bool:
    return path.startswith(os.path.join(folder, ""))


def name_in_patch(file: str) -> str:
    """Return the name of a file in a patch, which is applied in the working directory."""
    real, here = os.path.realpath(file), os.path.realpath(os.curdir)
    name = os.path.relpath(real, here) if _is_within(real, here) else real
    return name.replace(os.sep, "/")

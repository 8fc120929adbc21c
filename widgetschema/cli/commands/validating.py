"""What `widgetschema validate` does: from its options to an exit code.

Whatever has not changed since an earlier run is looked up: then no schema is read, and nothing
that checks is even imported.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from widgetschema.catalog.store.locations import bundled_folder
from widgetschema.cli.commands.sinks import report_stop, reports, sinks_for
from widgetschema.cli.commands.telling import Telling
from widgetschema.cli.console.output import Output, print_error
from widgetschema.cli.console.progress import Progress
from widgetschema.cli.console.signals import Interrupted, Interruptions
from widgetschema.cli.main import INTERRUPTED
from widgetschema.cli.outputs import Outputs
from widgetschema.cli.selecting import Selection, folders, selected
from widgetschema.errors import PlatformError, SchemaError, StoreError
from widgetschema.files import user_cache_folder
from widgetschema.findings import Finding, Provenance, Report
from widgetschema.project.checking.cache import ResultCache
from widgetschema.project.checking.cache_key import cache_file, cache_key
from widgetschema.project.checking.file_check import FileResults
from widgetschema.project.checking.results import MOST_IN_A_DOCUMENT, Problem, reason
from widgetschema.project.checking.runner import Runner
from widgetschema.project.checking.triage import Triage
from widgetschema.project.config import Configuration
from widgetschema.project.inputs.discovery import files_named
from widgetschema.text import plural, printable

if TYPE_CHECKING:
    from widgetschema.cli.commands.mending import Mender
    from widgetschema.project.checking.baseline import Baseline, BaselineRecorder
    from widgetschema.project.checking.checker import Checker


class Wishes(NamedTuple):
    """What was asked for on the command line."""

    paths: tuple[str, ...]
    type_id: str | None = None
    schemas: str | None = None
    fetch: str | None = None
    kind: str = "auto"
    formats: tuple[str, ...] = ()
    output: str | None = None
    engine: str | None = None
    no_formats: bool = False
    max_findings: int | None = None
    fail_fast: bool = False
    allow_empty: bool = False
    quiet: bool = False
    color: str = "auto"
    changed: str | None = None
    only_mapped: bool = False
    baseline: str | None = None
    no_baseline: bool = False
    write_baseline: bool = False
    fix: bool = False
    diff: bool = False
    jobs: int | None = None
    no_cache: bool = False
    watch: bool = False
    config: str | None = None
    no_config: bool = False

    def check(self) -> None:
        """Raise a usage error for what does not go together."""
        for one, other in (
            ("watch", "fix"),
            ("watch", "write_baseline"),
            ("fix", "diff"),
            ("fix", "write_baseline"),
            ("diff", "write_baseline"),
            ("fail_fast", "write_baseline"),
            ("baseline", "no_baseline"),
            ("config", "no_config"),
        ):
            if getattr(self, one) and getattr(self, other):
                names = [f"--{name.replace('_', '-')}" for name in (one, other)]
                raise click.UsageError(f"{names[0]} and {names[1]} do not go together.")

    def configuration(self) -> Configuration:
        """What is in force. Raises `ConfigurationError`."""
        from widgetschema.cli.settled import in_force

        return in_force(self.config, no_config=self.no_config).with_options(
            schemas=self.schemas,
            fetch=self.fetch,
            formats=False if self.no_formats else None,
            engine=self.engine,
            baseline=self.baseline,
            jobs=self.jobs,
            cache=False if self.no_cache else None,
            reporters=self.formats or None,
        )


def validate(wishes: Wishes) -> int:
    """Check what was asked for; the exit code."""
    wishes.check()
    if wishes.watch:
        from widgetschema.cli.commands.watching import watch

        return watch(wishes)
    return Session(wishes, wishes.configuration()).go()


class Session:
    """One run of `validate`: the configuration in force, what checks, and who is told."""

    def __init__(self, wishes: Wishes, configuration: Configuration) -> None:
        self.wishes = wishes
        self.configuration = configuration
        self.root = _root(configuration.folder)
        self.sinks = sinks_for(
            configuration.reporters,
            wishes.output,
            folder=self.root,
            color=wishes.color,
            diff=wishes.diff,
        )
        self.cache = self._cache()
        self.checker = functools.cache(self._checker)
        self.run = Runner(
            self.checker,
            max_bytes=configuration.limits.max_bytes,
            type_for=self._type_for,
            jobs=self._jobs,
            cache=self.cache,
            whole=wishes.fix or wishes.diff,
        )

    def go(self, about: Callable[[str], bool] | None = None) -> int:
        """Check everything, tell of it, sum up; the exit code.

        Standard output gets only files that are `about`.
        """
        wishes, configuration = self.wishes, self.configuration
        selection = selected(
            wishes.paths,
            configuration,
            only_mapped=wishes.only_mapped,
            changed=wishes.changed,
            outputs=Outputs(
                reports(configuration.reporters, wishes.output),
                baseline=configuration.baseline if wishes.write_baseline else None,
            ),
        )
        try:
            self._check_now()
        except (SchemaError, StoreError, PlatformError) as error:
            report_stop(self.sinks, error, configuration.file)
            raise
        collector = self._collector()
        folder = self.root if collector is None else collector.folder
        judge = Triage(configuration, self._baseline(), folder)
        progress = Progress(len(selection.files), "checking")
        telling = Telling(judge, self.sinks, wishes.max_findings, progress, collector, about)
        mender = self._mender(judge, progress) if wishes.fix or wishes.diff else None
        code = 0
        with Interruptions() as interruptions:
            self._tell(selection, telling, mender, progress, interruptions)
        if interruptions.asked:
            progress.clear()
            print_error("interrupted")
            code = INTERRUPTED
        schemas = self._schemas(telling.types)
        for lint in Report(schemas=tuple(_every(schemas))).lints:
            print_error(lint.message)
        if mender is not None and wishes.fix:
            telling.summary = telling.summary._replace(fixed=mender.number)
        finished = not code and not (wishes.fail_fast and telling.summary.code)
        nothing = self._nothing(selection) if telling.found_nothing and finished else None
        if nothing is not None:
            telling.fail(nothing)
        code = telling.end(
            _every(schemas),
            everything=selection.everything and finished and nothing is None,
            finished=finished,
            code=code,
        )
        if self.cache is not None:
            self.cache.write(schemas)
        is_whole = code != INTERRUPTED and nothing is None
        return self._sum_up(selection, telling, mender, schemas, code, is_whole=is_whole)

    def _nothing(self, selection: Selection) -> Problem | None:
        """The problem of a run that checked no document; None if that is expected."""
        if self.wishes.allow_empty or selection.may_be_empty:
            return None
        number = len(selection.files)
        is_mapped = selection.everything or self.wishes.only_mapped
        why = "there is no file to check"
        if is_mapped:
            why = "no file matches what the configuration maps"
        if number:
            why = f"there is none in {plural(number, 'file')}"
        message = f"no document was checked: {why} (pass --allow-empty if that is fine)"
        file = self.configuration.file if is_mapped else None
        place = os.path.relpath(file) if file else self.wishes.paths[0]
        return Problem(place, message, 3)

    def _tell(
        self,
        selection: Selection,
        telling: Telling,
        mender: Mender | None,
        progress: Progress,
        interruptions: Interruptions,
    ) -> None:
        """Tell of all answers; when somebody interrupts, of what there is by then."""
        done = 0
        with closing(self.run.results(selection.files)) as answers:
            while (answer := _next(answers, interruptions)) is not None:
                parts = [answer] if mender is None else mender.mended(answer)
                for part in parts:
                    telling.answer(part)
                done += answer.is_first
                progress.done(done)
                if self.wishes.fail_fast and telling.summary.code:
                    return
        if mender is None:
            for answer in self.run.drain():
                telling.answer(answer)

    def _sum_up(
        self,
        selection: Selection,
        telling: Telling,
        mender: Mender | None,
        schemas: dict[str, list[Provenance]],
        code: int,
        *,
        is_whole: bool,
    ) -> int:
        lines = [*selection.remarks]
        if telling.collector is not None:
            code, line = _written(telling.collector, code, telling.beyond, is_whole=is_whole)
            lines.append(line)
        if mender is not None and self.wishes.diff:
            lines.append(
                f"{plural(mender.number, 'finding')} in {plural(mender.files, 'file')} can be "
                "mended with --fix; nothing was written"
            )
        if not self.wishes.quiet:
            telling.sum_up(_every(schemas), *lines, mendable=mender is None)
        return code

    # What checks

    def _checker(self) -> Checker:
        from widgetschema.cli.common import catalog_for
        from widgetschema.project.checking.checker import Checker

        configuration, wishes = self.configuration, self.wishes
        catalog = catalog_for(configuration, wishes.schemas)
        if wishes.type_id is not None:
            catalog[wishes.type_id]  # raises now, and once, if it is unknown or no good
        return Checker(
            catalog,
            type_id=wishes.type_id,
            kind=wishes.kind,
            type_for=self._type_for,
            limits=configuration.limits,
            only_typed=self._only_typed,
            max_findings=MOST_IN_A_DOCUMENT,
        )

    @property
    def _only_typed(self) -> bool:
        """Whether files are passed over that do not say their type: nothing else would."""
        maps = self.configuration.files or self.configuration.include
        return self.wishes.only_mapped and not maps

    def _check_now(self) -> None:
        """Have the catalog at once, unless earlier runs prove that there is nothing to say of it.

        A folder that is to be verified is verified each time, and a type that is not known is
        said at once.
        """
        known = self.cache is not None and self.configuration.fetch is None
        if known and self.wishes.type_id is not None:
            assert self.cache is not None
            known = self.cache.knows_type(self.wishes.type_id)
        if not known:
            _ = self.checker()

    @property
    def _type_for(self) -> Callable[[str], str | None]:
        """What the configuration says of a file; each is asked for, so nothing is asked in vain."""
        return self.configuration.type_for if self.configuration.files else _no_type

    @property
    def _jobs(self) -> int:
        """One process, where schemas come over the network: what is fetched is fetched once."""
        return 1 if self.configuration.fetch not in (None, "frozen") else self.configuration.jobs

    def _cache(self) -> ResultCache | None:
        configuration, wishes = self.configuration, self.wishes
        if not configuration.cache or configuration.fetch not in (None, "frozen"):
            return None
        settings = (
            wishes.type_id,
            wishes.kind,
            self._only_typed,
            configuration.formats,
            configuration.engine,
            tuple(configuration.limits),
        )
        sources = folders(configuration)
        if configuration.fetch is None:
            sources = [*sources, bundled_folder()]

        def key() -> str:
            return cache_key(sources, settings, configuration.engine, root=user_cache_folder())

        file = cache_file((self.root, sources, settings))
        if not os.path.isabs(file):
            return None  # without a home it would be in the project, which may bring one along
        try:
            return ResultCache(file, key(), key)
        except OSError:
            return None  # whoever reads the schemas will say why

    def _schemas(self, types: Iterable[str]) -> dict[str, list[Provenance]]:
        """Where the schemas of the types that were used came from."""
        found: dict[str, list[Provenance]] = {}
        for id in types:
            known = None if self.cache is None else self.cache.schemas_of([id])
            found[id] = self.checker().schemas_of([id]) if known is None else known
        return found

    # Who is told

    def _baseline(self) -> Baseline | None:
        wishes, path = self.wishes, self.configuration.baseline
        if wishes.no_baseline or wishes.write_baseline:
            return None
        if wishes.baseline is None and not os.path.lexists(path):
            return None
        from widgetschema.project.checking.baseline import Baseline

        return Baseline.load(path)

    def _collector(self) -> BaselineRecorder | None:
        if not self.wishes.write_baseline:
            return None
        from widgetschema.project.checking.baseline import BaselineRecorder

        return BaselineRecorder(self.configuration.baseline)

    def _mender(self, judge: Triage, progress: Progress) -> Mender:
        from widgetschema.cli.commands.mending import Mender

        def findings(file: str, value: Any) -> list[Finding]:
            found = self.checker().findings(file, value)
            return [finding for finding in found if judge.counts(file, finding)]

        def again(file: str) -> Iterator[FileResults]:
            return self.run.results(files_named([file]))

        def warn(message: str) -> None:
            progress.clear()
            print_error(message)

        exactly = Output(None).write_exact if self.wishes.diff else None
        return Mender(findings, again, self.root, self.configuration.limits, warn, exactly)


def _next(answers: Iterator[FileResults], interruptions: Interruptions) -> FileResults | None:
    """The next answer; None at the end, or when somebody asked for it."""
    try:
        with interruptions.heard():
            return next(answers, None)
    except Interrupted:
        return None


def _written(
    collector: BaselineRecorder, code: int, beyond: int, *, is_whole: bool
) -> tuple[int, str]:
    """Write the baseline; what is in it does not fail any more.

    Not if the run was broken off, or checked nothing: then it is not `is_whole`. `beyond` is the
    code for what no baseline can hold.
    """
    if not is_whole:
        return code, "the baseline was not written"
    try:
        written = collector.write()
    except OSError as error:
        print_error(f"{printable(collector.path)}: cannot be written: {reason(error)}")
        return max(code, 3), "the baseline was not written"
    return beyond, f"wrote {printable(os.path.relpath(collector.path))}: {written}"


def _every(schemas: dict[str, list[Provenance]]) -> list[Provenance]:
    """Each schema once: types share their base schemas."""
    return [*dict.fromkeys(one for ones in schemas.values() for one in ones)]


def _no_type(file: str) -> str | None:
    return None


def _root(folder: str) -> str:
    """What names in reports begin at: the repository, if there is one, else `folder`."""
    here, above = folder, ""
    while here != above:
        if os.path.lexists(os.path.join(here, ".git")):
            return here
        here, above = os.path.dirname(here), here
    return folder

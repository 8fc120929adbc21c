"""`Migration`: carries one document over from one schema to another, and says what became of it.

The work for a document that needs no change is one validation: the steps are asked first whether
any of them can apply, by the names in the text, and then by its value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, Literal, NamedTuple

from widgetschema.cached import cached_property
from widgetschema.errors import InvalidPlan, MigrationFailed, UnreadableDocument
from widgetschema.evolution.compare import Subject
from widgetschema.evolution.migrate.applicability import Applicability
from widgetschema.evolution.migrate.plan import Plan, PlanSchema
from widgetschema.evolution.migrate.steps.members import Move
from widgetschema.evolution.migrate.steps.step import Lost, Run, Step, StepFailed
from widgetschema.findings import Finding, Report
from widgetschema.jsontext import (
    DEFAULT_LIMITS,
    Text,
    dump,
    json_text,
    parse,
    plain_copy,
    preview,
    read,
)
from widgetschema.jsontext.draft import Node, new_text
from widgetschema.jsontext.equality import canonical
from widgetschema.jsontext.layout import Around
from widgetschema.text import shorten
from widgetschema.validation import Validator

Kind = Literal["data", "document"]
Status = Literal["unchanged", "migrated", "already", "invalid", "not-old", "failed"]

_MISSING: Final = object()
_VERSION: Final = "modelVersion"
_MOST_FINDINGS: Final = 100  # of one document


class Outcome(NamedTuple):
    """The outcome of the migration of one document.

    Args:
        status: `unchanged` (valid by the new schema, and no step applies), `migrated`, `already`
            (it has the new model version, or only the new schema accepts it, so steps that would
            apply are left out), `invalid` (not valid by the new schema afterwards), `not-old` (it
            was valid by neither schema before), or `failed` (a step cannot be carried out).
        text: The JSON text to store: the new one if it is `migrated`, else the one that was given.
        applied: For each step of the plan, the number of places that it changed.
        skipped: For each step, the number of places where it could not be certain.
        lost: What steps took away.
        findings: Why it is not valid, or the step that failed.
        rejected: The text that the steps made, if it is `invalid`; findings are about it.
        is_ambiguous: True if steps changed it although both schemas accepted it before: a second
            migration cannot know by the schemas that it was migrated.
        value: The value that the steps made, as which the new text must be read, if it is
            `migrated`.
    """

    status: Status
    text: bytes
    applied: tuple[int, ...] = ()
    skipped: tuple[int, ...] = ()
    lost: tuple[Lost, ...] = ()
    findings: tuple[Finding, ...] = ()
    rejected: bytes | None = None
    is_ambiguous: bool = False
    value: Any = None

    @property
    def is_done(self) -> bool:
        """True if `text` is valid by the new schema."""
        return self.status in ("unchanged", "migrated", "already")


class WayBack(NamedTuple):
    """A step in one record, and its reverse.

    Args:
        number: The number of the step, from 1.
        is_back: True if the record is as it was; None if the way back is not certain in this
            record, such as where a value was skipped, or is like what the step makes already.
        before: The JSON text before the step.
        after: The JSON text after the step and its reverse.
    """

    number: int
    is_back: bool | None
    before: str
    after: str


class Migration:
    """The way of data from one schema to another: `steps`, from `old` to `new`.

    Immutable; it can be pickled, and any number of threads may share it.
    """

    def __init__(self, old: Subject, new: Subject, plan: Plan, *, allow_code: bool = False) -> None:
        """Prepare the migration of a plan.

        Args:
            old: The schema of the data as it is.
            new: The schema of the data as it is to be.
            plan: The steps.
            allow_code: Permit steps that call Python functions.

        Raises:
            InvalidPlan: If the plan is one for other schemas, or has code that is not permitted.
        """
        self.old = old
        self.new = new
        self.plan = plan
        self.allow_code = allow_code
        findings = [
            finding
            for side, subject, place in zip(
                (plan.old, plan.new), (old, new), plan.places, strict=True
            )
            for finding in _mismatches(side, subject, place)
        ]
        if not allow_code:
            findings += [
                Finding(
                    "migration.code", "", "", f"this step runs code: {step}", _ALLOW, step.line, 1
                )
                for step in plan.steps
                if step.runs_code
            ]
        findings += [
            Finding("migration.code", "", "", f"{step}: {fault}", _INSTALL, step.line, 1)
            for step in plan.steps
            if step.runs_code and allow_code
            for fault in step.missing
        ]
        if findings:
            raise InvalidPlan(Report(tuple(findings), plan.name))

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps, in their order."""
        return self.plan.steps

    def apply(self, data: Any) -> Any:
        """Return data as the new schema wants it.

        Args:
            data: The data, as Python values.

        Returns:
            New Python values.

        Raises:
            MigrationFailed: If the result is not valid; `report` says why.
        """
        plain, unfit = plain_copy(data, DEFAULT_LIMITS.max_depth)
        if unfit:
            raise MigrationFailed(Report(unfit, self.old.data.subject), "not-old")
        return read(self.apply_json(dump(plain, indent=False)))

    def apply_json(self, raw: Text, *, kind: Kind = "data") -> bytes:
        """Return a JSON text as the new schema wants it; what need not change stays, every byte.

        Args:
            raw: The JSON text, as UTF-8 bytes or a str.
            kind: `data`, or `document` for a whole widget document.

        Returns:
            The new text.

        Raises:
            MigrationFailed: If the result is not valid; `report` says why.
        """
        outcome = self.migrate_json(raw, kind=kind)
        if not outcome.is_done:
            subject = self._validators(kind)[outcome.status == "invalid"].subject
            raise MigrationFailed(Report(outcome.findings, subject), outcome.status)
        return outcome.text

    def migrate_json(
        self,
        raw: Text,
        *,
        kind: Kind = "data",
        around: Callable[[], Around | None] | None = None,
    ) -> Outcome:
        """Migrate a JSON text, and say what became of it; it never raises for bad data.

        Args:
            raw: The JSON text, as UTF-8 bytes or a str.
            kind: `data`, or `document` for a whole widget document, of which the steps change
                `data`, and the model version if the plan has one.
            around: Returns the layout of the text that this one was cut out of, for what it does
                not show itself.

        Returns:
            The outcome.
        """
        given = json_text(raw)
        if isinstance(given, str):
            try:
                text = given.encode()
            except UnicodeEncodeError:
                report = self.old.data.check_json(given)
                return Outcome(
                    status="not-old",
                    text=given.encode(errors="surrogatepass"),
                    findings=report.findings,
                )
        else:
            text = given
        old, new = self._validators(kind)
        if not self._may_apply(text, kind):
            unchanged = Outcome("unchanged", text)
            if new.is_valid_json(text):
                return unchanged
            return (
                _checked(unchanged, text, new) if old.is_valid_json(text) else _not_old(text, old)
            )
        return self._migrate(text, kind, around)

    def stages(self, raw: Text) -> list[str]:
        """Return data before the first step, and after each step.

        Args:
            raw: The JSON text of the data, as UTF-8 bytes or a str.

        Returns:
            JSON texts, one more than there are steps; fewer if a step cannot be carried out.

        Raises:
            UnreadableDocument: If it is not JSON text.
        """
        tree = parse(json_text(raw), self.old.data.limits)
        run = Run(Node(tree.root))
        texts = [tree.text]
        for number, one in enumerate(self.steps, 1):
            run.begin(number)
            try:
                one.apply(run)
            except StepFailed:
                break
            texts.append(new_text(tree, run.root))
        return texts

    def ways_back(self, raw: Text) -> list[WayBack]:
        """Carry out and reverse each step that applies to data and can be reversed, as a test.

        Args:
            raw: The JSON text of the data, as UTF-8 bytes or a str.

        Returns:
            What each of these steps and its reverse made of what the steps before it made.

        Raises:
            MigrationFailed: If a step cannot be carried out; `report` says why.
            UnreadableDocument: If it is not JSON text.
        """
        try:
            return [*_ways_back(self.steps, raw)]
        except StepFailed as error:
            finding = Finding("migration.step", error.pointer, "", error.message, error.hint)
            raise MigrationFailed(Report((finding,), self.old.data.subject), "failed") from None

    def _validators(self, kind: Kind) -> tuple[Validator, Validator]:
        if kind == "data":
            return self.old.data, self.new.data
        if kind == "document":
            return self.old.document, self.new.document
        raise ValueError(f'kind must be "data" or "document", not {kind!r}')

    def _migrate(
        self, text: bytes, kind: Kind, around: Callable[[], Around | None] | None
    ) -> Outcome:
        """Return the outcome for a text that steps seem to apply to."""
        old, new = self._validators(kind)
        versions = self.plan.model_version if kind == "document" else None
        known = _model_version(text) if versions is not None else _MISSING
        is_new = new.is_valid_json(text)
        if versions is not None and _is_version(known, versions.new):
            return _checked(Outcome(status="already", text=text), text, new)
        is_old = old.is_valid_json(text)
        has_version = versions is not None and known is not _MISSING
        if versions is not None and has_version and is_old and not _is_version(known, versions.old):
            message = (
                f"its modelVersion is {preview(known, 40)}, not {versions.old} or {versions.new}"
            )
            finding = Finding("migration.version", f"/{_VERSION}", "", message)
            return Outcome(status="not-old", text=text, findings=(finding,))
        if not is_old:
            return Outcome(status="already", text=text) if is_new else _not_old(text, old)
        try:
            tree = parse(text, old.limits)
        except UnreadableDocument as error:
            return Outcome(status="not-old", text=text, findings=error.report.findings)
        root = Node(tree.root)
        data = root if kind == "data" else root.child("data")
        if data is None:
            return Outcome(status="not-old", text=text, findings=(_WITHOUT_DATA,))
        run = Run(data)
        applied, skipped = [], []
        for number, one in enumerate(self.steps, 1):
            run.begin(number)
            try:
                one.apply(run)
            except StepFailed as error:
                finding = self._failure(number, one, error, kind)
                return Outcome(status="failed", text=text, findings=(finding,))
            applied.append(run.applied)
            skipped.append(run.skipped)
        if kind == "data":
            root = run.root
        elif run.root is not data:
            root.replace("data", run.root)
        if versions is not None and has_version:
            root.replace(_VERSION, Node.of_text(str(versions.new)))
        made = new_text(tree, root, around).encode()
        counted = Outcome(
            status="unchanged", text=text, applied=tuple(applied), skipped=tuple(skipped)
        )
        if made != text:
            counted = counted._replace(status="migrated", lost=tuple(run.lost),
                is_ambiguous=is_new and not has_version, value=root.value,
            )  # fmt: skip
        return _checked(counted, made, new)

    def _failure(self, number: int, failed: Step, error: StepFailed, kind: Kind) -> Finding:
        prefix = "" if kind == "data" else "/data"
        line = "" if failed.line is None else f", {self.plan.name}, line {failed.line}"
        message = f"step {number} ({failed}{line}): {error.message}"
        return Finding("migration.step", prefix + error.pointer, "", message, error.hint)

    def _may_apply(self, text: bytes, kind: Kind) -> bool:
        """Return False if certainly nothing in a text changes."""
        if kind == "data":
            return self._applicability.may_apply(text, None)
        if self.plan.model_version is not None:
            return True
        return self._applicability.may_apply(text, "data")

    @cached_property
    def _applicability(self) -> Applicability:
        return Applicability(self.steps)

    def __getstate__(self) -> tuple[Any, ...]:
        return self.old, self.new, self.plan, self.allow_code

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.old, self.new, self.plan, self.allow_code = state

    def __repr__(self) -> str:
        old, new = self.old.version, self.new.version
        return (
            f"<Migration from {old.id} {old.linked_digest[:12]} to {new.id} "
            f"{new.linked_digest[:12]}, {len(self.steps)} steps>"
        )


_WITHOUT_DATA: Final = Finding(
    "required",
    "",
    "",
    'the property "data" is missing: this is not a widget document',
    expected="data",
)
_ALLOW: Final = "read the code, then permit it with --allow-code, or allow_code=True"
_INSTALL: Final = "install the module; for the commands, it can also be in the folder of the plan"


def _mismatches(
    side: PlanSchema, subject: Subject, place: tuple[int | None, int | None]
) -> Iterable[Finding]:
    """Yield a finding if a plan is for another schema."""
    version = subject.version
    if side.digest == version.linked_digest:
        return
    message = (
        f"this plan is for the schema {side.id} with the digest {side.digest[:12]}, but "
        f"{shorten(version.id, 80)} here has {version.linked_digest[:12]}"
    )
    hint = (
        "pass the schema that the plan is for (in commands, with --old or --new), make the plan "
        "again, or compare the schemas and correct the digest"
    )
    yield Finding("migration.schema", "", "", message, hint, *place)


def _checked(outcome: Outcome, made: bytes, new: Validator) -> Outcome:
    """Return the outcome with the text that steps made, or as `invalid` if that is not valid."""
    if new.is_valid_json(made):
        return outcome._replace(text=made)
    findings = new.check_json(made, max_findings=_MOST_FINDINGS).findings
    return outcome._replace(status="invalid", findings=findings, rejected=made, is_ambiguous=False)


def _model_version(text: bytes) -> Any:
    """Return the model version of a document, whatever it is; `_MISSING` if it has none."""
    try:
        document = read(text)
    except UnreadableDocument:
        return _MISSING
    return document.get(_VERSION, _MISSING) if isinstance(document, dict) else _MISSING


def _is_version(known: Any, version: int) -> bool:
    return known == version and type(known) is not bool


def _not_old(text: bytes, old: Validator) -> Outcome:
    findings = old.check_json(text, max_findings=_MOST_FINDINGS).findings
    return Outcome(status="not-old", text=text, findings=findings)


def _ways_back(steps: tuple[Step, ...], raw: Text) -> Iterator[WayBack]:
    """Yield the way back of each step that applies to data and can be reversed.

    Each step begins with what those before it have made. Raises `StepFailed`.
    """
    tree = parse(raw)
    text = tree.text
    for number, step in enumerate(steps, 1):
        made, changed, is_whole = _carried_out(step, text)
        reverse = step.reversed
        if changed and reverse is not None:
            back, _, is_all_back = _carried_out(reverse, made)
            if is_whole and is_all_back and not _carried_out(reverse, text)[1]:
                is_back = _comparable(back, step) == _comparable(text, step)
                yield WayBack(number, is_back, text, back)
            else:
                yield WayBack(number, None, text, made)
        text = made


def _carried_out(step: Step, text: str) -> tuple[str, int, bool]:
    """Return a text after a step, how many places it changed, and whether these were all."""
    tree = parse(text)
    run = Run(Node(tree.root))
    found = len(step.places(run))
    step.apply(run)
    is_whole = not run.skipped and not run.lost and found == run.applied
    return new_text(tree, run.root), run.applied, is_whole


def _comparable(text: str, step: Step) -> Any:
    """Return a value to be compared; moves leave empty objects behind, and make some."""
    value = read(text)
    return canonical(_without_empty(value) if isinstance(step, Move) else value)


def _without_empty(value: Any) -> Any:
    if isinstance(value, dict):
        inner = {name: _without_empty(item) for name, item in value.items()}
        return {name: item for name, item in inner.items() if item != {}}
    return [_without_empty(one) for one in value] if isinstance(value, list) else value

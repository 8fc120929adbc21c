"""Quick fixes: edits that end a finding, the safe ones first.

The safe ones are those of `validate --fix`. The others are offered, never made without somebody
who chooses: the unsafe ones of `validate --unsafe-fixes`, another name for a member, its removal,
an allowed value, a member that is missing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from widgetschema.errors import CannotGenerate, MissingExtra, PatchError, UnreadableDocument
from widgetschema.findings import Finding
from widgetschema.fixes import applicable, fix
from widgetschema.fixes.edits import Edit as FixEdit
from widgetschema.fixes.edits import requested_edits
from widgetschema.fixes.fixing import warnings_of
from widgetschema.formats.model import Parsed
from widgetschema.formats.parsing import parse
from widgetschema.formats.patching import difference, patch_text
from widgetschema.jsontext import preview
from widgetschema.lsp.checks import Issue, checker_of
from widgetschema.lsp.cursor import Context, context_of
from widgetschema.lsp.documents import Document, Part
from widgetschema.lsp.projects import Project
from widgetschema.pointers import parse_pointer, resolve_pointer
from widgetschema.project.checking.triage import Triage
from widgetschema.samples import Products
from widgetschema.schema.tree import Node
from widgetschema.schema.tree.description import NO_DEFAULT, default_of
from widgetschema.schema.tree.navigation import named_members
from widgetschema.suggest import nearest
from widgetschema.text import plural
from widgetschema.validation import Validator

_MOST_CHOICES: Final = 3  # names or values that are offered for one finding
_FEW_VALUES: Final = 5  # values that are all offered, however far they are from the wrong one
_MOST_FINDINGS: Final = 10  # that fixes are looked for at once
_NOTHING: Final[Any] = object()


class Edit(NamedTuple):
    """The text between two offsets becomes `text`."""

    start: int
    end: int
    text: str


class Action(NamedTuple):
    """Edits that are offered together, and the issues that they end."""

    title: str
    edits: tuple[Edit, ...]
    issues: tuple[Issue, ...]
    is_safe: bool = False


class _Part(NamedTuple):
    """The part of a document that some issues are in, as it can be read."""

    document: Document
    part: Part
    parsed: Parsed
    project: Project

    def context(self, tokens: Sequence[str]) -> Context | None:
        """Return the context of a place."""
        return context_of(self.document, self.project, tokens, self.parsed.value)

    def edit(self, start: int, end: int, text: str) -> Edit:
        """Return an edit between two offsets in the part."""
        return Edit(self.part.start + start, self.part.start + end, text)

    def patched(self, operations: Sequence[dict[str, Any]]) -> list[Edit]:
        """Return the edit that a JSON Patch is; none if it would lose something."""
        format, limits = self.part.format, self.project.configuration.limits
        try:
            text = patch_text(self.parsed, format, operations, limits)
        except PatchError:
            return []
        return [self.edit(*difference(self.part.text, text))]


def fixes(document: Document, project: Project, issues: Sequence[Issue]) -> list[Action]:
    """Return the fixes of some issues of a document, the safe ones first."""
    about = [one for one in issues[:_MOST_FINDINGS] if one.finding is not None]
    found: list[Action] = []
    for part, some in _by_part(document, about):
        try:
            [parsed] = parse(part.text, part.format, project.configuration.limits)
        except UnreadableDocument:
            found += _repairs(document, some)
            continue
        except (MissingExtra, ValueError):
            continue
        readable = _Part(document, part, parsed, project)
        offers: list[Action] = []
        for issue in some:
            assert issue.finding is not None
            offers += _fixes_of(readable, issue, issue.finding)
        found += _effective(readable, [*offers, *_missing(readable, some)])
    return sorted(found, key=lambda action: not action.is_safe)


def _by_part(document: Document, issues: Sequence[Issue]) -> Iterator[tuple[Part, list[Issue]]]:
    """Yield the parts of a document that are not too large to be edited, with their issues."""
    found: dict[int, tuple[Part, list[Issue]]] = {}
    for issue in issues:
        part = document.part_at(issue.start)
        found.setdefault(part.start, (part, []))[1].append(issue)
    return (one for one in found.values() if not one[0].is_large)


def _effective(part: _Part, actions: Sequence[Action]) -> Iterator[Action]:
    """Yield the actions after which the part, read again, has fewer findings, and no new one."""
    checker, limits = checker_of(part.document, part.project), part.project.configuration.limits

    def counted(parsed: Parsed) -> Counter[tuple[str, str]]:
        findings = checker.findings(part.document.file, parsed.value, parsed.schema)
        counts = Counter((one.keyword, one.schema_path) for one in findings)
        counts.update((one.keyword, one.schema_path) for one in warnings_of(parsed))
        return counts

    before = counted(part.parsed) if actions else Counter()
    for action in actions:
        text = part.part.text
        for start, end, new in sorted(action.edits, reverse=True):
            text = f"{text[: start - part.part.start]}{new}{text[end - part.part.start :]}"
        try:
            [parsed] = parse(text, part.part.format, limits)
        except (UnreadableDocument, ValueError):
            continue
        after = counted(parsed)
        if not after - before and after.total() < before.total():
            yield action


def fix_all(document: Document, project: Project, issues: Sequence[Issue]) -> Action | None:
    """Return the action that makes every safe fix, as `validate --fix` does.

    The setting `unsafe-fixes` adds the unsafe ones.
    """
    checker, configuration = checker_of(document, project), project.configuration
    triage = Triage(configuration, None, configuration.folder)

    def check(value: Any) -> list[Finding]:
        """Return the findings that count."""
        found = checker.findings(document.file, value, document.schema)
        kept = [finding for finding in found if triage.counts(document.file, finding)]
        return applicable(kept, unsafe=configuration.unsafe_fixes)

    fixable = [one for one in issues if one.finding is not None and one.finding.fix is not None]
    edits: list[Edit] = []
    about: list[Issue] = []
    number = 0
    for part, some in _by_part(document, fixable):
        fixed = fix(part.text, check, limits=configuration.limits, format=part.format)
        if fixed.applied:
            start, end, text = difference(part.text, fixed.text)
            edits.append(Edit(part.start + start, part.start + end, text))
            ended = {(one.keyword, one.path) for one in fixed.applied}
            about += [
                one
                for one in some
                if one.finding and (one.finding.keyword, one.finding.path) in ended
            ]
            number += len(fixed.applied)
    if not edits:
        return None
    title = f"Fix all that can be fixed safely ({plural(number, 'problem')})"
    if configuration.unsafe_fixes:
        title = f"Fix all, with unsafe fixes ({plural(number, 'problem')})"
    return Action(title, tuple(edits), tuple(about), is_safe=True)


def _repairs(document: Document, issues: Sequence[Issue]) -> Iterator[Action]:
    """Yield the fixes of characters that keep a text from being read."""
    for issue in issues:
        repair = None if issue.finding is None else issue.finding.fix
        if repair is not None and repair.replace == "character":
            edit = Edit(issue.start, issue.start + 1, repair.text)
            what = json.dumps(document.text[edit.start : edit.end])
            yield Action(f"Remove {what}", (edit,), (issue,), is_safe=True)


def _action(part: _Part, edit: FixEdit, issue: Issue) -> Action:
    what = "Rename to" if edit.target[1] == "name" else "Change to"
    edits = (part.edit(edit.start, edit.end, edit.text),)
    is_safe = all(one.fix is not None and one.fix.is_safe for one in edit.findings)
    title = f"{what} {edit.text}{'' if is_safe else ' (unsafe fix)'}"
    return Action(title, edits, (issue,), is_safe)


def _fixes_of(part: _Part, issue: Issue, finding: Finding) -> Iterator[Action]:
    source, value = part.parsed.source, part.parsed.value
    edits = requested_edits(source, value, [finding], [], set())
    yield from (_action(part, edit, issue) for edit in edits)
    if finding.keyword in ("additionalProperties", "propertyNames"):
        if not edits:
            yield from _renames(part, issue, finding)
        removals = part.patched([{"op": "remove", "path": finding.path}])
        name = json.dumps(parse_pointer(finding.path)[-1], ensure_ascii=False)
        yield from (Action(f"Remove {name}", (edit,), (issue,)) for edit in removals)
    elif finding.keyword in ("enum", "const") and not edits:
        yield from _choices(part, issue, finding)


def _renames(part: _Part, issue: Issue, finding: Finding) -> Iterator[Action]:
    """Yield the members with a near name that the object does not have."""
    *above, name = parse_pointer(finding.path)
    context = part.context(above)
    source = part.parsed.source
    location = source.locate([finding.path]).get(finding.path)
    if context is None or location is None or location.key_start is None:
        return
    start, end = location.key_start, location.key_end or location.key_start
    own = context.own_value
    known = [one for one in named_members(context.nodes(), own) if one not in own]
    for near in nearest(name, known, _MOST_CHOICES):
        text = source.token(start, end, json.dumps(near, ensure_ascii=False))
        if text is not None:
            yield Action(f"Rename to {text}", (part.edit(start, end, text),), (issue,))


def _choices(part: _Part, issue: Issue, finding: Finding) -> Iterator[Action]:
    """Yield the allowed values: all if they are few, else those that are near."""
    allowed = finding.expected if type(finding.expected) is list else [finding.expected]
    if finding.keyword == "const":
        allowed = [finding.expected]
    if len(allowed) > _FEW_VALUES:
        texts = [one for one in allowed if type(one) is str]
        wrong = resolve_pointer(part.parsed.value, finding.path)
        allowed = nearest(str(wrong), texts, _MOST_CHOICES)
    for one in allowed:
        for edit in part.patched([{"op": "replace", "path": finding.path, "value": one}]):
            yield Action(f"Change to {preview(one, 60)}", (edit,), (issue,))


def _missing(part: _Part, issues: Sequence[Issue]) -> Iterator[Action]:
    """Yield the members that are missing, one by one, and all of an object together."""
    by_object: dict[str, list[tuple[Issue, dict[str, Any], str]]] = {}
    for issue in issues:
        finding = issue.finding
        if finding is None or finding.target == finding.path:
            continue
        tokens = parse_pointer(finding.target)
        context = part.context(tokens)
        least = _NOTHING if context is None else _least_value(context.nodes(), part.project)
        if least is not _NOTHING:
            operation = {"op": "add", "path": finding.target, "value": least}
            by_object.setdefault(finding.path, []).append((issue, operation, tokens[-1]))
    for found in by_object.values():
        every = [[one] for one in found] + ([found] if len(found) > 1 else [])
        for some in every:
            title = f"Add {json.dumps(some[0][2], ensure_ascii=False)}"
            if len(some) > 1:
                title = f"Add the {len(some)} missing properties"
            operations = [operation for _, operation, _ in some]
            for edit in part.patched(operations):
                yield Action(title, (edit,), tuple(issue for issue, _, _ in some))


def _least_value(nodes: Sequence[Node], project: Project) -> Any:
    """Return the default of a place if it is valid, else the least valid value."""
    configuration = project.configuration
    for node in nodes:
        linked = node.tree.linked
        refused = [pointer for pointer in node.key.refused if pointer in linked.at]
        validator = Validator.from_linked(
            linked.conjunction(node.key.pointers, refused),
            formats=configuration.formats,
            engine=configuration.engine,
        )
        default = default_of(node)
        if default is not NO_DEFAULT and validator.is_valid(default):
            return default
        try:
            return Products(validator).sampler().minimal()
        except CannotGenerate:
            continue
    return _NOTHING

"""Quick fixes: edits that end a finding, those that are certain first.

The certain ones are those of `validate --fix`. The others are offered, never made without somebody
who chooses: another name for a member, its removal, an allowed value, a member that is missing.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from widgetschema.errors import CannotGenerate, MissingExtra, PatchError, UnreadableDocument
from widgetschema.findings import Finding
from widgetschema.fixes import fix
from widgetschema.fixes.edits import Edit as FixEdit
from widgetschema.fixes.edits import requested_edits
from widgetschema.formats.parsing import parse
from widgetschema.jsontext import SourceText, dump, patch, preview, read
from widgetschema.lsp.checks import Issue, checker_of
from widgetschema.lsp.documents import Document
from widgetschema.lsp.places import context_of
from widgetschema.lsp.projects import Project
from widgetschema.pointers import parse_pointer, resolve_pointer
from widgetschema.project.checking.triage import Triage
from widgetschema.project.inputs.formats import format_of_file
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
    is_certain: bool = False


def fixes(document: Document, project: Project, issues: Sequence[Issue]) -> list[Action]:
    """Return the fixes of some issues of a document, the certain ones first.

    In other formats than JSON, these are the certain ones.
    """
    if format_of_file(document.file) != "json":
        return _certain(document, project, issues[:_MOST_FINDINGS])
    try:
        value = read(document.raw, project.configuration.limits)
    except UnreadableDocument:
        return []
    found = [
        action
        for issue in issues[:_MOST_FINDINGS]
        if issue.finding is not None
        for action in _fixes_of(document, project, value, issue, issue.finding)
    ]
    found += _missing(document, project, issues[:_MOST_FINDINGS])
    return sorted(found, key=lambda action: not action.is_certain)


def fix_all(document: Document, project: Project, issues: Sequence[Issue]) -> Action | None:
    """Return the action that makes every certain fix, as `validate --fix` does."""
    checker, configuration = checker_of(document, project), project.configuration
    triage = Triage(configuration, None, configuration.folder)

    def check(value: Any) -> list[Finding]:
        """Return the findings that count."""
        found = checker.findings(document.file, value)
        return [finding for finding in found if triage.counts(document.file, finding)]

    if not any(issue.finding is not None and issue.finding.fix is not None for issue in issues):
        return None
    format = format_of_file(document.file)
    fixed = fix(document.text, check, limits=configuration.limits, format=format)
    if not fixed.applied:
        return None
    number = plural(len(fixed.applied), "problem")
    ended = {(one.keyword, one.path) for one in fixed.applied}
    about = [
        one for one in issues if one.finding and (one.finding.keyword, one.finding.path) in ended
    ]
    return Action(
        f"Fix everything that is certain ({number})",
        (_difference(document.text, fixed.text),),
        tuple(about),
        is_certain=True,
    )


def _certain(document: Document, project: Project, issues: Sequence[Issue]) -> list[Action]:
    """Return the certain fixes in a text of another format."""
    limits = project.configuration.limits
    try:
        values = parse(document.raw, format_of_file(document.file), limits)
    except (UnreadableDocument, MissingExtra):
        return []
    if len(values) > 1:
        return []
    [parsed] = values
    return [
        _action(edit, issue)
        for issue in issues
        if issue.finding is not None
        for edit in requested_edits(parsed.source, parsed.value, [issue.finding], [], set())
    ]


def _action(edit: FixEdit, issue: Issue) -> Action:
    what = "Rename to" if edit.target[1] == "name" else "Change to"
    edits = (Edit(edit.start, edit.end, edit.text),)
    return Action(f"{what} {edit.text}", edits, (issue,), is_certain=True)


def _fixes_of(
    document: Document, project: Project, value: Any, issue: Issue, finding: Finding
) -> Iterator[Action]:
    source = SourceText(document.text)
    certain = requested_edits(source, value, [finding], [], set())
    yield from (_action(edit, issue) for edit in certain)
    if finding.keyword in ("additionalProperties", "propertyNames"):
        if not certain:
            yield from _renames(document, project, source, issue, finding)
        removals = _patched(document.text, [{"op": "remove", "path": finding.path}])
        name = json.dumps(parse_pointer(finding.path)[-1], ensure_ascii=False)
        yield from (Action(f"Remove {name}", (edit,), (issue,)) for edit in removals)
    elif finding.keyword in ("enum", "const") and not certain:
        yield from _choices(source, value, issue, finding)


def _renames(
    document: Document, project: Project, source: SourceText, issue: Issue, finding: Finding
) -> Iterator[Action]:
    """Yield the members with a near name that the object does not have."""
    *above, name = parse_pointer(finding.path)
    context = context_of(document, project, above)
    location = source.locate([finding.path]).get(finding.path)
    if context is None or location is None or location.key_start is None:
        return
    own = context.own_value
    known = [one for one in named_members(context.nodes(), own) if one not in own]
    for near in nearest(name, known, _MOST_CHOICES):
        text = json.dumps(near, ensure_ascii=False)
        edit = Edit(location.key_start, location.key_end or location.key_start, text)
        yield Action(f"Rename to {text}", (edit,), (issue,))


def _choices(source: SourceText, value: Any, issue: Issue, finding: Finding) -> Iterator[Action]:
    """Yield the allowed values: all if they are few, else those that are near."""
    allowed = finding.expected if type(finding.expected) is list else [finding.expected]
    if finding.keyword == "const":
        allowed = [finding.expected]
    if len(allowed) > _FEW_VALUES:
        texts = [one for one in allowed if type(one) is str]
        allowed = nearest(str(resolve_pointer(value, finding.path)), texts, _MOST_CHOICES)
    location = source.locate([finding.path]).get(finding.path)
    for one in allowed if location is not None else ():
        assert location is not None
        edit = Edit(location.start, location.end, dump(one, indent=False))
        yield Action(f"Change to {preview(one, 60)}", (edit,), (issue,))


def _missing(document: Document, project: Project, issues: Sequence[Issue]) -> Iterator[Action]:
    """Yield the members that are missing, one by one, and all of an object together."""
    by_object: dict[str, list[tuple[Issue, dict[str, Any], str]]] = {}
    for issue in issues:
        finding = issue.finding
        if finding is None or finding.target == finding.path:
            continue
        tokens = parse_pointer(finding.target)
        context = context_of(document, project, tokens)
        least = _NOTHING if context is None else _least_value(context.nodes(), project)
        if least is not _NOTHING:
            operation = {"op": "add", "path": finding.target, "value": least}
            by_object.setdefault(finding.path, []).append((issue, operation, tokens[-1]))
    for found in by_object.values():
        every = [[one] for one in found] + ([found] if len(found) > 1 else [])
        for some in every:
            title = f"Add {json.dumps(some[0][2], ensure_ascii=False)}"
            if len(some) > 1:
                title = f"Add the {len(some)} missing members"
            operations = [operation for _, operation, _ in some]
            for edit in _patched(document.text, operations):
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
            return Products(validator, node.tree.matches).sampler().minimal()
        except CannotGenerate:
            continue
    return _NOTHING


def _patched(text: str, operations: Sequence[dict[str, Any]]) -> list[Edit]:
    """Return the edit that a JSON Patch is; none if it cannot be applied."""
    try:
        return [_difference(text, patch(text, operations))]
    except PatchError:  # two findings about one place
        return []


def _difference(old: str, new: str) -> Edit:
    """Return the least edit from one text to another."""
    least = min(len(old), len(new))
    sizes = range(1, least + 1)
    start = bisect_left(sizes, True, key=lambda size: old[:size] != new[:size])
    sizes = range(1, least - start + 1)
    end = bisect_left(sizes, True, key=lambda size: old[-size:] != new[-size:])
    return Edit(start, len(old) - end, new[start : len(new) - end])

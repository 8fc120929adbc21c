"""Ways through fields that cost no stack, however deep they are nested."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from widgetschema.findings import Finding
from widgetschema.forms.model import Field


def every(root: Field) -> Iterator[Field]:
    """A field and all below it, in the order of the page."""
    todo = [root]
    while todo:
        field = todo.pop()
        yield field
        todo.extend(reversed(field.children))


def named(root: Field, name: str) -> Field | None:
    """The field whose control has this name."""
    return next((field for field in every(root) if field.name == name), None)


def with_findings(root: Field, found: Mapping[str, Sequence[Finding]]) -> Field:
    """The same fields, those of these names with more findings, in front."""
    if not found:
        return root
    made: dict[int, Field] = {}
    for field in reversed(list(every(root))):
        children = tuple(made.get(id(child), child) for child in field.children)
        findings = field.findings
        if field.name in found:
            findings = (*found[field.name], *findings)
        if findings is not field.findings or children != field.children:
            made[id(field)] = replace(field, children=children, findings=findings)
    return made.get(id(root), root)


def in_order(root: Field, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings in the order of the form; those that belong to no field first."""
    if not findings:
        return ()
    shown = {id(one): one for field in every(root) for one in field.findings}
    loose = [finding for finding in findings if id(finding) not in shown]
    return (*loose, *shown.values())

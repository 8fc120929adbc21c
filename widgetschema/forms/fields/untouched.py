"""The fields of an untouched form, which are used again where the posted values are the same.

A page posts all its controls at each check, but only few were edited. Fields are immutable, so the
others can be the same objects, and the edit plan can skip them.
"""

from __future__ import annotations

from widgetschema.cached import cached_property
from widgetschema.forms.model import Field
from widgetschema.jsontext.tree import Element


class UntouchedFields:
    """The fields of an untouched form, by the names of their controls."""

    def __init__(self, root: Field) -> None:
        self._root = root

    def at(self, name: str, path: str, element: Element | None) -> Field | None:
        """Return the field of a name, or None if it cannot be used again.

        It must be at this place, have no findings, and not depend on the state of the fields
        around it.
        """
        field = self._by_name.get(name)
        if field is None or field.path != path or field.original is not element:
            return None
        if element is None and (field.children or field.kind == "constant"):
            return None  # it may have been set together with the field around it
        return field

    def has(self, field: Field) -> bool:
        """Return True if a field and its children are those of an untouched form."""
        return self._by_name.get(field.name) is field

    @cached_property
    def _by_name(self) -> dict[str, Field]:
        fields = list(self._root.walk())
        with_findings: set[int] = set()
        for field in reversed(fields):
            if field.findings or any(id(child) in with_findings for child in field.children):
                with_findings.add(id(field))
        return {field.name: field for field in fields if id(field) not in with_findings}

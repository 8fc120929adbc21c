"""`Forms`: makes forms of one schema, and keeps what is the same for all of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Final

from widgetschema.errors import FormError, InvalidFormDescription, InvalidWidgetData
from widgetschema.findings import Report, display_path
from widgetschema.forms.checking import checked, plain_numbers
from widgetschema.forms.fields.building import build
from widgetschema.forms.fields.description import choosing
from widgetschema.forms.fields.shapes import Shapes
from widgetschema.forms.form import Form
from widgetschema.forms.meaning import of_schema
from widgetschema.forms.model import ID
from widgetschema.forms.names import prefixed
from widgetschema.forms.walking import in_order
from widgetschema.jsontext import Text, dump, plain_copy, preview
from widgetschema.jsontext.tree import parse
from widgetschema.schema.tree import SchemaTree
from widgetschema.validation import Validator

_MOST_DESCRIPTIONS: Final = 16
_IS_ID: Final = re.compile("[A-Za-z][A-Za-z0-9_-]*")
_IS_PREFIX: Final = re.compile("[A-Za-z0-9_-]*")

Holds = Callable[[Any], bool]


class Forms:
    """Forms of data of one schema.

    `matches(pattern, name)` decides `patternProperties` as the engine does. Safe to share among
    threads.
    """

    def __init__(self, validator: Validator, matches: Callable[[str, str], bool]) -> None:
        self.validator = validator
        self._matches = matches
        self._held: dict[tuple[tuple[str, ...], tuple[str, ...]], Validator] = {}
        self._shapes: dict[str, Shapes] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.validator, self._matches)

    def form(
        self,
        raw: Text,
        at: str = "",
        ui: Mapping[str, Any] | None = None,
        id: str = ID,
        prefix: str = "",
    ) -> Form:
        """The form of the data at `at`, a JSON Pointer, in a text.

        `ui` says more than the schema about labels and kinds, by JSON Pointer patterns. The ids of
        all elements begin with `id`: letters, digits, `_` and `-`. With a `prefix` (the same
        characters), the names of all controls, and the ids, begin with it and a dot.

        Raises `UnreadableDocument`, `InvalidFormDescription`, and `FormError` if there is
        nothing at `at`, or for an `id` or a `prefix` that is none.
        """
        if not _IS_ID.fullmatch(id):
            raise FormError(
                f"the id {preview(id)} has other characters than letters, digits, _ and -"
            )
        if not _IS_PREFIX.fullmatch(prefix):
            raise FormError(
                f"the prefix {preview(prefix)} has other characters than letters, digits, _ and -"
            )
        tree = parse(raw, self.validator.limits, self.validator.subject)
        element = tree.at(at)
        if element is None:
            raise FormError(f"there is nothing at {display_path(at)}, so no form can be made of it")
        shapes = self.shapes(ui)
        value = element.value
        data = plain_numbers(value)
        findings = checked(self.validator, tree.text, at, data)
        root = build(shapes, tree, at, None, data, findings, prefixed(prefix, id))
        report = self.report(in_order(root, findings))
        return Form(self, tree, at, root, value, report, ui=ui, id=id, prefix=prefix)

    def form_of(
        self, data: Any, ui: Mapping[str, Any] | None = None, id: str = ID, prefix: str = ""
    ) -> Form:
        """The form of a Python value. Raises `InvalidWidgetData` for what JSON cannot carry."""
        plain, unfit = plain_copy(data, self.validator.limits.max_depth)
        if unfit:
            raise InvalidWidgetData(self.report(tuple(unfit)))
        return self.form(dump(plain), "", ui, id, prefix)

    def report(self, findings: tuple[Any, ...]) -> Report:
        """A report about the data."""
        return Report(findings, self.validator.subject, self.validator.schemas)

    @cached_property
    def meaning(self) -> str:
        """The digest of what the schema of the forms asserts."""
        return of_schema(self.validator.linked)

    @cached_property
    def _tree(self) -> SchemaTree:
        return SchemaTree(self.validator.linked, self._matches)

    def described(self, ui: Mapping[str, Any] | None) -> str:
        """A UI description as a text: equal for equal ones.

        Raises `InvalidFormDescription` for what JSON cannot carry.
        """
        if ui is None:
            return ""
        plain, unfit = plain_copy(ui, self.validator.limits.max_depth)
        if unfit:
            raise InvalidFormDescription(Report(tuple(unfit), "the UI description"))
        return dump(plain, indent=False)

    def shapes(self, ui: Mapping[str, Any] | None) -> Shapes:
        """What is the same in all forms with a UI description; kept."""
        key = self.described(ui)
        shapes = self._shapes.get(key)
        if shapes is None:
            if len(self._shapes) >= _MOST_DESCRIPTIONS:
                self._shapes.clear()
            shapes = self._shapes[key] = self._made(ui)
        return shapes

    def _made(self, ui: Mapping[str, Any] | None) -> Shapes:
        return Shapes(self._tree, self.holds, choosing(ui))

    def holds(self, pointers: tuple[str, ...], refused: tuple[str, ...] = ()) -> Holds:
        """Whether a value matches these schemas, and none of the refused; compiled once."""
        return self._validator(pointers, refused).is_valid

    def findings(self, pointers: tuple[str, ...], value: Any) -> Report:
        """Return what these schemas find in a value."""
        return self._validator(pointers, ()).check(value)

    def _validator(self, pointers: tuple[str, ...], refused: tuple[str, ...]) -> Validator:
        key = (pointers, refused)
        held = self._held.get(key)
        if held is None:
            known = self.validator
            linked = known.linked.conjunction(pointers, refused)
            held = self._held[key] = Validator.from_linked(
                linked, formats=known.formats, engine=known.engine, limits=known.limits
            )
        return held

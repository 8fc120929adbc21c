"""`Secrets`: the secrets of a text, and the placeholders in their places.

A form is made of a text without secrets: each is a text that names it by a keyed digest, and that
can be moved, copied and merged like any other value. Where the resulting text leaves the form, each
is put back, if a secret may be there: moving a placeholder reveals nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from widgetschema.cached import cached_property
from widgetschema.forms.fields.field_specs import FieldSpecs
from widgetschema.forms.fields.secrets import Pointers, SecretRule
from widgetschema.forms.fields.ui_description import UiPlaces, merged_options
from widgetschema.forms.secrecy import (
    any_row,
    has_placeholder,
    is_placeholder,
    placeholder,
    with_stand_ins,
)
from widgetschema.jsontext.tree import Element, Tree, scanned
from widgetschema.pointers import escape_token, parse_pointer, step


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret: the place where it was, in any row, and its JSON text."""

    place: str
    raw: str


_NONE: Final[Mapping[str, Secret]] = {}


class Secrets:
    """The secrets that the placeholders in texts stand for.

    `at` is the JSON Pointer of the data in these texts. `known` are the secrets by the JSON texts
    of their placeholders, `typed` those that are in no stored text.
    """

    def __init__(
        self,
        specs: FieldSpecs,
        at: str,
        known: Mapping[str, Secret] = _NONE,
        typed: frozenset[str] = frozenset(),
    ) -> None:
        self.specs, self.at, self.known, self.typed = specs, at, known, typed

    def put_aside(self, tree: Tree, *, is_stored: bool = False) -> tuple[Tree, Secrets]:
        """Return a text with placeholders for its secrets, and these with those known before.

        Of a text that is not stored, the placeholders stay. Equal secrets in the rows of a list
        have different ones.
        """
        data = tree.at(self.at) if self.specs.has_secrets else None
        known, stand_ins = {**self.known}, list[tuple[Element, str]]()
        counts = Counter[tuple[str, str]]()
        for path, element in () if data is None else self._found(data, self.at):
            if not is_stored and is_placeholder(element.raw):
                continue
            seen = any_row(path.removeprefix(self.at)), element.dedented
            raw = placeholder(*seen, str(counts[seen]))
            counts[seen] += 1
            known.setdefault(raw, Secret(any_row(path), element.raw))
            stand_ins.append((element, raw))
        if not stand_ins:
            return tree, self
        text = with_stand_ins(tree.text, stand_ins)
        typed = self.typed if is_stored else self.typed.union(known.keys() - self.known.keys())
        return Tree(text), Secrets(self.specs, self.at, known, typed)

    def put_back(self, text: str, at: str = "") -> str:
        """Return a JSON text with its secrets; `at` is the JSON Pointer of its value.

        A placeholder stays where no secret may be.
        """
        if not (self.known and has_placeholder(text)):
            return text
        found = list[tuple[Element, str]]()
        for path, element in placeholders_in(scanned(text), at):
            secret = self.known.get(element.raw)
            if secret is not None and (any_row(path) == secret.place or self.is_place(path)):
                found.append((element, secret.raw))
        return with_stand_ins(text, found)

    def real(self, element: Element, at: str) -> Element:
        """Return a value with its secrets, to decide by it; `at` is its JSON Pointer."""
        if not self.known:
            return element
        raw = element.raw
        text = self.put_back(raw, at)
        return element if text == raw else scanned(text)

    def fit(self, element: Element, at: str) -> bool:
        """Return True if all secrets in a value would stay some at a JSON Pointer."""
        return not has_placeholder(self.put_back(element.raw, at))

    def typed_back(self, text: str) -> str:
        """Return a JSON text with the secrets that a person has typed, for a page of the same."""
        if not (self.typed and has_placeholder(text)):
            return text
        found = [one for _, one in placeholders_in(scanned(text)) if one.raw in self.typed]
        return with_stand_ins(text, [(one, self.known[one.raw].raw) for one in found])

    def lost_in(self, element: Element, at: str) -> list[str]:
        """Return the places of placeholders for secrets that nobody has any more."""
        found = placeholders_in(element, at)
        return [path for path, one in found if one.raw not in self.known and self.is_place(path)]

    def may_be_at(self, path: str) -> bool:
        """Return True if a secret may be at a JSON Pointer, in it or around it."""
        return any_row(path) in self._around or self.is_place(path)

    @cached_property
    def _around(self) -> frozenset[str]:
        """The places of the secrets, and those around them, in any row."""
        found = set[str]()
        for secret in self.known.values():
            path = secret.place
            while path not in found:
                found.add(path)
                path = path.rpartition("/")[0]
        return frozenset(found)

    def is_place(self, path: str) -> bool:
        """Return True if the schema or the UI description has secrets at a place, or around it."""
        if not self.specs.has_secrets:
            return False
        return any(
            rule.says(pointers) or _is_password(places)
            for rule, pointers, places in self._way_to(path)
        )

    def _way_to(self, path: str) -> Iterator[tuple[SecretRule, Pointers, UiPlaces]]:
        """Yield the schemas and the UI descriptions of a place, and of all around it first."""
        root = self.specs.tree.root
        rule, pointers, places = SecretRule(root.tree), (*root.key.pointers,), self.specs.ui_places
        yield rule, pointers, places
        for token in parse_pointer(path)[len(parse_pointer(self.at)) :]:
            pointers, places = rule.of_child(pointers, token), step(places, token)
            yield rule, pointers, places

    def _found(self, element: Element, path: str) -> Iterator[tuple[str, Element]]:
        """Yield the secrets in the value at a place, in the order of the text.

        None is inside another one.
        """
        *_, (rule, pointers, places) = self._way_to(path)
        todo = [(path, element, pointers, places)]
        while todo:
            path, element, pointers, places = todo.pop()
            is_secret = element.kind != "null" and _is_password(places)
            if is_secret or rule.is_secret(pointers, element):
                yield path, element
                continue
            if not (pointers or places):
                continue
            for at in range(len(element.items) - 1, -1, -1):
                inside = rule.of_item(pointers, at), step(places, str(at))
                todo.append((f"{path}/{at}", element.items[at], *inside))
            for one in reversed(element.members):
                inside = rule.of_member(pointers, one.name), step(places, one.name)
                todo.append((f"{path}/{escape_token(one.name)}", one.element, *inside))


def placeholders_in(element: Element, at: str = "") -> Iterator[tuple[str, Element]]:
    """Yield the placeholders in a value, and their places, in the order of the text."""
    if has_placeholder(element.raw):
        for path, one in element.walk(at):
            if one.kind == "string" and is_placeholder(one.raw):
                yield path, one


def _is_password(places: UiPlaces) -> bool:
    ui = merged_options(places) if places else None
    return ui is not None and ui.kind == "password"

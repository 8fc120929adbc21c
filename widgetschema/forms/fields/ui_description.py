"""UI descriptions: labels, help, kinds, examples and choices that an application gives for a form.

A UI description is a JSON object. Its member names are patterns of JSON Pointers into the data
(`widgetschema.pointers`: `*` is any member or item, `**` any number of them); the values are the
options of the places that match. Of several patterns that match, the most exact one decides about
each option. Descriptions are validated like data, with the same findings.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import fields as options_of
from functools import cache
from importlib.resources import files
from typing import Any, Final

from widgetschema.errors import InvalidFormDescription
from widgetschema.findings import Finding, Report
from widgetschema.forms.fields.presentation import Presentation, presentation
from widgetschema.forms.model import JSON_KINDS, NUMBER_KINDS, TEXT_KINDS, Group, Tab, UiOptions
from widgetschema.jsontext import dump, preview
from widgetschema.pointers import (
    ANY,
    ANY_DEPTH,
    Patterns,
    Places,
    PointerError,
    escape_token,
    parse_pattern,
)
from widgetschema.schema.tree import Node
from widgetschema.suggest import nearest
from widgetschema.validation import Validator

# Kinds that can be requested: the others follow from the schema.
UI_KINDS: Final = (*TEXT_KINDS, *NUMBER_KINDS, *JSON_KINDS)
_SUBJECT: Final = "the UI description"
_FILE: Final = "ui-description.schema.json"
_SCHEMA_MEMBER: Final = "$schema"  # of a file, for code editors

_NOT_GIVEN: Final[tuple[Any, ...]] = (None, {}, ())
OTHERS: Final = "*"  # in an order: all members that it does not name

UiPlaces = Places[UiOptions]  # the patterns that still match at some place of the data


class UiDescription:
    """A parsed UI description: `options` by pattern, and `places`, where a walk begins."""

    def __init__(self, options: Mapping[str, UiOptions]) -> None:
        self.options = options
        self.places: UiPlaces = Patterns(options).root

    def check_against_schema(self, root: Node) -> None:
        """Raise `InvalidFormDescription` for patterns or options that can never apply.

        `root` is the schema of the data. What depends on the data is accepted.
        """
        found = (_find_misfit(pattern, said, root) for pattern, said in self.options.items())
        _raise_for(finding for finding in found if finding is not None)


def parse_ui_description(ui: Any) -> UiDescription | None:
    """Return the parsed description; None for none. Raise `InvalidFormDescription`."""
    if ui is None:
        return None
    _raise_for(_validator().check(ui))
    given = {pattern: said for pattern, said in ui.items() if pattern != _SCHEMA_MEMBER}
    _raise_for(found for found in map(_find_invalid_pattern, given) if found is not None)
    return UiDescription({pattern: _options(said) for pattern, said in given.items()})


def _options(said: Mapping[str, Any]) -> UiOptions:
    """Return the options of a pattern, which are valid."""
    made = dict(said)
    made["groups"] = tuple(Group(**one) for one in said.get("groups", ()))
    made["tabs"] = tuple(Tab(**one) for one in said.get("tabs", ()))
    made["order"] = tuple(said.get("order", ()))
    return UiOptions(**made)


@cache
def ui_description_schema() -> dict[str, Any]:
    """Return the JSON Schema of UI descriptions (draft-07)."""
    raw = files("widgetschema.forms.fields").joinpath(_FILE).read_bytes()
    schema: dict[str, Any] = json.loads(raw)
    return schema


def without_options(places: UiPlaces) -> UiPlaces:
    """Return the same places without the options given for them, only for what is below."""
    return tuple(place.bare for place in places)


def merged_options(places: UiPlaces) -> UiOptions | None:
    """Return the options given for a place; where patterns differ, those of the most exact one."""
    given = [place.value for place in places if place.value is not None]
    if len(given) < 2:
        return given[0] if given else None
    merged = {
        option.name: next(
            (v for v in (getattr(one, option.name) for one in given) if v not in _NOT_GIVEN), None
        )
        for option in options_of(UiOptions)
    }
    return UiOptions(**{name: value for name, value in merged.items() if value is not None})


def ordered(names: Iterable[str], order: Sequence[str]) -> list[str]:
    """Return names in an order; those that it does not name are where it says `*`, or last."""
    known = [*names]
    first = [name for name in order if name in known or name == OTHERS]
    others = [name for name in known if name not in first]
    if OTHERS not in first:
        return [*first, *others]
    at = first.index(OTHERS)
    return [*first[:at], *others, *first[at + 1 :]]


def _raise_for(findings: Iterable[Finding]) -> None:
    report = Report(tuple(findings), _SUBJECT)
    if not report.valid:
        raise InvalidFormDescription(report)


@cache
def _validator() -> Validator:
    return Validator(ui_description_schema())


def _find_invalid_pattern(pattern: str) -> Finding | None:
    try:
        parse_pattern(pattern)
    except PointerError as error:
        path, hint = f"/{escape_token(pattern)}", error.hint
        if not pattern.startswith("/"):
            hint = f"begin with a slash: {preview('/' + pattern.lstrip('#/'))}"
        return Finding("form.pointer", path, "", f"{preview(pattern)}: {error.reason}", hint)
    return None


def _find_misfit(pattern: str, options: UiOptions, root: Node) -> Finding | None:
    """Return a finding if a pattern matches nothing, or its options do not fit what it matches."""
    node, path = root, f"/{escape_token(pattern)}"
    if options.hidden and not parse_pattern(pattern):
        return Finding("form.pointer", f"{path}/hidden", "", "the data as a whole cannot be hidden")
    for token in parse_pattern(pattern):
        if _depends_on_data(node) or token in (ANY, ANY_DEPTH):
            return None
        shown = presentation(node)
        is_item = token.isdecimal() and token.isascii()
        if shown.kinds == ("object",):
            child = shown.node.child(token)
            if not child.kinds and token not in shown.node.properties:
                message = f"{preview(pattern)} matches nothing: there is no member {preview(token)}"
                hint = _did_you_mean(token, shown.node.properties)
                return Finding("form.pointer", path, "", message, hint)
            node = child
        elif shown.kinds == ("array",) and is_item:
            node = shown.node.item(int(token[:9]))
        else:
            reason = (
                f"the value that should hold {preview(token)} is neither an object nor an array"
            )
            if shown.kinds == ("array",):
                reason = f"{preview(token)} is no item of an array; its items are 0, 1 … or *"
            message = f"{preview(pattern)} matches nothing: {reason}"
            return Finding("form.pointer", path, "", message)
    return _find_misfit_options(pattern, options, node)


def _depends_on_data(node: Node) -> bool:
    """Return True if the data decides what is allowed below a place."""
    shown = presentation(node)
    conditional = any(c.keyword == "if" for c in node.choices) or any(node.said("dependencies"))
    return bool(shown.options) or shown.anything or conditional or not shown.kinds


def _find_misfit_options(pattern: str, options: UiOptions, node: Node) -> Finding | None:
    """Return a finding for an option that does not fit the value it is about."""
    if _depends_on_data(node):
        return None
    shown, path = presentation(node), f"/{escape_token(pattern)}"
    members = shown.node.properties if shown.kinds == ("object",) else {}
    misplaced = _find_misplaced(options, members, path)
    if misplaced is not None:
        return misplaced
    known = _choice_names(shown)
    wrong = next((name for name in options.choices if name not in known), None)
    if wrong is not None:
        message = f"{preview(wrong)} is not one of the values that {preview(pattern)} may have"
        if not known:
            message = f"there are no choices for {preview(pattern)}, which is not an enumeration"
        path = f"{path}/choices/{escape_token(wrong)}"
        return Finding("form.choices", path, "", message, _did_you_mean(wrong, known))
    if options.kind is None or options.kind in JSON_KINDS:
        return None
    kind = preview(options.kind)
    type = "string" if options.kind in TEXT_KINDS else "number"
    if type not in node.kinds:
        message = f"the kind {kind} is for a {type}, which {preview(pattern)} cannot be"
    elif shown.values is not None:
        message = f"the kind {kind} is for any {type}, and {preview(pattern)} is a choice"
    else:
        return None
    return Finding("form.kind", f"{path}/kind", "", message)


def _find_misplaced(options: UiOptions, members: Collection[str], path: str) -> Finding | None:
    """Return a finding for a member that is not there, or that is in two places."""
    lists: list[tuple[str, str, Sequence[str]]] = [("order", "order", options.order)]
    lists += [
        ("groups", f"groups/{at}/members", group.members) for at, group in enumerate(options.groups)
    ]
    lists += [("tabs", f"tabs/{at}/members", tab.members) for at, tab in enumerate(options.tabs)]
    places: dict[tuple[str, str], str] = {}
    for kind, place, names in lists:
        for at, name in enumerate(names):
            if kind == "order" and name == OTHERS:
                continue
            where = f"{path}/{place}/{at}"
            if name not in members:
                message = f"{preview(name)} is not a member that the schema names"
                hint = _did_you_mean(name, members)
                return Finding("form.members", where, "", message, hint)
            if (kind, name) in places:
                message = f"{preview(name)} is in another of these {kind} already"
                return Finding("form.members", where, "", message)
            places[kind, name] = place
    for number, group in enumerate(options.groups if options.tabs else ()):
        tabs = {name: places.get(("tabs", name)) for name in group.members}
        if len({*tabs.values()}) > 1:
            message = f"the members of the group {preview(group.label)} are in different tabs"
            hint = "list all of them in one tab"
            return Finding("form.members", f"{path}/groups/{number}/members", "", message, hint)
    return None


def _did_you_mean(name: str, known: Iterable[str]) -> str | None:
    close = nearest(name, known)
    return f"did you mean {preview(close[0])}?" if close else None


def _choice_names(shown: Presentation) -> list[str]:
    """Return the names that values can have in `choices`: texts as they are, and any as JSON."""
    if shown.kinds == ("boolean",) and shown.values is None:
        return ["true", "false"]
    values = [value for value, _ in shown.values or ()]
    values += [None] if shown.nullable and values else []
    texts = [value for value in values if type(value) is str]
    return [*texts, *(dump(value, indent=False) for value in values)]

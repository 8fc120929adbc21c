"""UI descriptions: labels, help, kinds, examples and choices that an application gives for a form.

A UI description is a JSON object. Its member names are patterns of JSON Pointers into the data
(`widgetschema.pointers`: `*` is any member or item, `**` any number of them); the values are the
options of the places that match. Of several patterns that match, the most exact one decides about
each option. Descriptions are validated like data, with the same findings.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields as options_of
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import starmap
from typing import Any, Final

from widgetschema.errors import InvalidFormDescription, InvalidSchema, SchemaError
from widgetschema.findings import Finding, Report
from widgetschema.forms.custom_controls import find_control, known_controls
from widgetschema.forms.fields.visibility import parse_condition
from widgetschema.forms.model import (
    CHOICE_LOOKS,
    NUMBER_KINDS,
    TEXT_KINDS,
    ChoiceOptions,
    Group,
    Tab,
    UiOptions,
)
from widgetschema.jsontext import preview
from widgetschema.languages import ENGLISH, Language, own_text
from widgetschema.pointers import (
    Patterns,
    Places,
    PointerError,
    escape_token,
    parse_pattern,
)
from widgetschema.suggest import nearest
from widgetschema.validation import Validator

# Kinds that can be requested: the others follow from the schema.
UI_KINDS: Final = (
    *TEXT_KINDS, *NUMBER_KINDS, *CHOICE_LOOKS, "checkboxes", "list", "json",
)  # fmt: skip
_SUBJECT: Final = "the UI description"
_FILE: Final = "ui-description.schema.json"
_SCHEMA_MEMBER: Final = "$schema"  # of a file, for code editors

_TEXTS: Final = ("label", "help", "example", "placeholder")
_NOT_GIVEN: Final[tuple[Any, ...]] = (None, {}, ())
OTHERS: Final = "*"  # in an order: all members that it does not name

UiPlaces = Places[UiOptions]  # the patterns that still match at some place of the data


class UiDescription:
    """A parsed UI description: `options` by pattern, `places`, where a walk begins, and `notes`."""

    def __init__(self, options: Mapping[str, UiOptions], notes: tuple[Finding, ...] = ()) -> None:
        self.options = options
        self.notes = notes
        self.places: UiPlaces = Patterns(options).root
        self.has_conditions = any(one.when for one in options.values())


def parse_ui_description(ui: Any, language: Language = ENGLISH) -> UiDescription | None:
    """Return the parsed description, in a language; None for none.

    Raises `InvalidFormDescription`.
    """
    if ui is None:
        return None
    if _is_ui_schema(ui):
        message = "this is a uiSchema of react-jsonschema-form, not a UI description"
        raise_for([Finding("form.pointer", "", "", message, "read it with read_ui_schema")])
    raise_for(_validator().check(ui))
    given = {pattern: said for pattern, said in ui.items() if pattern != _SCHEMA_MEMBER}
    found = [_find_invalid_pattern(pattern, said) for pattern, said in given.items()]
    raise_for(finding for finding in found if finding is not None)
    options = {pattern: _options(said, language) for pattern, said in given.items()}
    return UiDescription(options, tuple(_missing_texts(given, language)))


def _missing_texts(ui: Mapping[str, Any], language: Language) -> Iterator[Finding]:
    """Yield a note for each text by language that lacks one of the languages in use.

    Those are the languages of all texts of the description, and that of the form.
    """
    texts = [*_texts_by_language(ui)]
    tags = {tag.lower(): tag for _, by_tag in texts for tag in (language.tag, *by_tag)}
    for path, by_tag in texts:
        missing = [tags[tag] for tag in sorted(tags) if not own_text(tag, by_tag)]
        if missing:
            shown = preview(Language(missing[0]).choose(by_tag), 40)
            message = f"there is no text in {' or '.join(missing)}: {shown} is shown instead"
            yield Finding("form.texts", path, "", message)


def _texts_by_language(ui: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the texts of a description that are given by language, with their places."""
    for pattern, said in ui.items():
        top = f"/{escape_token(pattern)}"
        parts = [(top, said)]
        for value, one in said.get("choices", {}).items():
            parts.append((f"{top}/choices/{escape_token(value)}", one))
        for kind in ("groups", "tabs"):
            for at, one in enumerate(said.get(kind, ())):
                parts.append((f"{top}/{kind}/{at}", one))
        for path, part in parts:
            for name in _TEXTS if isinstance(part, Mapping) else ():
                if isinstance(part.get(name), dict):
                    yield f"{path}/{name}", part[name]


def _is_ui_schema(ui: Any) -> bool:
    """Return True if it is written for react-jsonschema-form: with `ui:`, here or a level below."""
    if not isinstance(ui, Mapping):
        return False
    below = (name for one in ui.values() if isinstance(one, Mapping) for name in one)
    return any(name.startswith("ui:") for name in (*ui, *below))


def _options(said: Mapping[str, Any], language: Language) -> UiOptions:
    """Return the options of a pattern, which are valid, with the texts in a language."""

    def spoken(options: Mapping[str, Any]) -> dict[str, Any]:
        return {
            name: language.choose(value) if name in _TEXTS and isinstance(value, dict) else value
            for name, value in options.items()
        }

    made = spoken(said)
    made["choices"] = {
        value: ChoiceOptions(one) if isinstance(one, str) else ChoiceOptions(**spoken(one))
        for value, one in said.get("choices", {}).items()
    }
    made["groups"] = tuple(Group(**spoken(one)) for one in said.get("groups", ()))
    made["tabs"] = tuple(Tab(**spoken(one)) for one in said.get("tabs", ()))
    made["order"] = tuple(said.get("order", ()))
    made["when"] = tuple(starmap(parse_condition, said.get("when", {}).items()))
    return UiOptions(**made)


@cache
def ui_description_schema() -> dict[str, Any]:
    """Return the JSON Schema of UI descriptions (draft-07)."""
    raw = files("widgetschema.forms.fields").joinpath(_FILE).read_bytes()
    schema: dict[str, Any] = json.loads(raw)
    return schema


def has_readonly_child(places: UiPlaces) -> bool:
    """Return True if a pattern makes any child of a place read-only."""
    children = (child for place in places for child in place.children.values())
    return any(child.value is not None and child.value.readonly is True for child in children)


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


def raise_for(findings: Iterable[Finding]) -> None:
    """Raise `InvalidFormDescription` if there are findings."""
    report = Report(tuple(findings), _SUBJECT)
    if not report.valid:
        raise InvalidFormDescription(report)


@cache
def _validator() -> Validator:
    return Validator(ui_description_schema())


def _find_invalid_pattern(pattern: str, said: Mapping[str, Any]) -> Finding | None:
    try:
        parse_pattern(pattern)
    except PointerError as error:
        path, hint = f"/{escape_token(pattern)}", error.hint
        if not pattern.startswith("/"):
            hint = f"begin with a slash: {preview('/' + pattern.lstrip('#/'))}"
        return Finding("form.pointer", path, "", f"{preview(pattern)}: {error.reason}", hint)
    kind = said.get("kind", "text")
    if kind not in UI_KINDS and find_control(kind) is None:
        message = f"{preview(kind)} is not a kind of control"
        close = nearest(kind, [*UI_KINDS, *known_controls()])
        hint = f"did you mean {preview(close[0])}?" if close else None
        return Finding("form.kind", f"/{escape_token(pattern)}/kind", "", message, hint)
    for reference, wanted in said.get("when", {}).items():
        path = f"/{escape_token(pattern)}/when/{escape_token(reference)}"
        try:
            parse_condition(reference, wanted)
        except PointerError as error:
            message = f"{preview(reference)}: {error.reason}"
            return Finding("form.pointer", path, "", message, error.hint)
        except InvalidSchema as error:
            first = error.report.findings[0]
            return replace(first, path=path + first.path, line=None, column=None)
        except SchemaError as error:
            return Finding("schema", path, "", f"this is not a usable JSON Schema: {error}")
    return None

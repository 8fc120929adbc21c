"""Findings in sentences for people who edit content: what to do, in the words of the form.

This module decides what is said, the keyword registry how (its register `editor`). The sentences
are made when a form is shown. They name fields by their labels, never by pointers, and show no
regular expression: `examples` makes a valid example in its place.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from widgetschema.findings import Finding, Fix
from widgetschema.forms.control_names import RENAME, USE, Action
from widgetschema.forms.examples import Examples
from widgetschema.forms.fields.labels import label_from_name
from widgetschema.forms.fields.presentation import title_of
from widgetschema.forms.model import (
    CONTAINER_KINDS,
    Choice,
    Field,
    FormFinding,
    Message,
    Shape,
)
from widgetschema.forms.patterns_in_words import pattern_advice
from widgetschema.forms.submit.suggestions import edited_json
from widgetschema.forms.texts import ADVICE_DOMAIN, advice
from widgetschema.forms.uploads import stored_file
from widgetschema.jsontext import dump, preview
from widgetschema.jsontext.equality import Options
from widgetschema.languages import ENGLISH, Language, Phrases
from widgetschema.pointers import escape_token, parse_pointer, pointer_of
from widgetschema.schema.keywords import FORMATS, KEYWORDS, UNKNOWN
from widgetschema.schema.tree import PYTHON
from widgetschema.text import one_line
from widgetschema.validation.explain.hints import percent_encoded
from widgetschema.validation.explain.violations import Condition, Violation

_MOST_VALUES: Final = 12
_SOME_VALUES: Final = 3  # of too many
_MOST_NAMES: Final = 6
_MOST_SENTENCES: Final = 3
_LONGEST_VALUE: Final = 60
_LONGEST_NAME: Final = 80
_LONGEST_EDITED: Final = 20_000  # characters of JSON that a button carries
_DESCRIPTION: Final = 80  # characters that are short enough to be repeated
_CONTAINERS: Final = frozenset({"array", "object"})
_NUMBERS: Final = frozenset({"integer", "number"})


class Button(NamedTuple):
    """A button that resolves a finding: its label, and the value that a form submits for it."""

    label: str
    value: str


def _pointer_in_rest(around: Field, pointer: str) -> str:
    """Return a pointer into a container as one into the JSON of its rest; "" if it is not there."""
    if around.kind != "list":
        return pointer
    rows = [one.path for one in around.children if not one.is_rest]
    if rows != [f"{around.path}/{at}" for at in range(len(rows))]:
        return ""
    index, *below = parse_pointer(pointer)
    at = int(index) - len(rows)
    return "".join(f"/{escape_token(token)}" for token in (str(at), *below)) if at >= 0 else ""


class Adviser:
    """Puts the findings of one form into words. `root` has all fields of the form."""

    def __init__(self, root: Field, examples: Examples, language: Language = ENGLISH) -> None:
        self.language = language
        self.say = language.phrases(ADVICE_DOMAIN)
        self._opening = self.say["name"](name="")[:1]  # the quotation mark
        self.examples = examples
        self.fields: dict[str, Field] = {}
        self._shown_at: dict[int, Field] = {}
        for field in root.walk():
            if field.path is not None:
                self.fields.setdefault(field.path, field)
            for finding in field.findings:
                self._shown_at[id(finding)] = field

    def sentence(self, finding: Finding) -> str:
        """Return what to do about a finding, beside the field that shows it."""
        said = finding.said if isinstance(finding, FormFinding) else None
        if isinstance(said, str):
            return said
        field = self._shown_at.get(id(finding))
        if isinstance(said, Message):
            sentence, target = self.say[said.id](**said.parameters), finding.path
        else:
            target = finding.target
            case = _Case(self, finding, said or _violation_of(finding), field)
            sentence = case.sentence()
        place = self._place(target, field)
        return self.say["advice.at"](place=place, sentence=sentence) if place else sentence

    def button(self, finding: Finding) -> Button | None:
        """Return the button that resolves a finding; None if nothing is near certain.

        It changes the control of a field, so there is none where no field shows the value.
        """
        found = finding.suggestion if isinstance(finding, FormFinding) else None
        shown = self._shown_at.get(id(finding))
        if found is None or shown is None or shown.path is None or shown.read_only:
            return None
        replacement = found.replacement
        value = json.loads(replacement.text)
        if found.of is not None:
            return self._rename(f"{finding.path}/{escape_token(found.of)}", found.of, value)
        if shown.path != finding.path:
            return self._edit_inside(shown, finding, replacement)
        if replacement.replace == "name":
            return self._rename(finding.path, "", value)
        action = Action(USE, self.fields[shown.path].name, replacement.text)
        return Button(self._use(value, shown), action.value)

    def _use(self, value: Any, field: Field | None = None) -> str:
        if type(value) in (list, dict):
            return self.say["use.list" if type(value) is list else "use.only"]()
        return self.say["use.value"](value=self.quoted(value, field))

    def _rename(self, path: str, old: str, name: str) -> Button | None:
        field = self.fields.get(path)
        if field is None or not field.has_key:
            return None
        shown = self._quoted_name(name)
        label = self.say["use.name"](name=shown)
        if old:
            label = self.say["use.rename"](old=self._quoted_name(old), name=shown)
        return Button(label, Action(RENAME, field.name, dump(name, indent=False)).value)

    def _edit_inside(self, shown: Field, finding: Finding, replacement: Fix) -> Button | None:
        """Return the button that changes a part of the JSON text in a control."""
        path = str(shown.path)
        if not finding.path.startswith(f"{path}/"):
            return None
        pointer = finding.path[len(path) :]
        rest = next((one for one in shown.children if one.is_rest and not one.read_only), None)
        if rest is not None:
            shown, pointer = rest, _pointer_in_rest(shown, pointer)
        if shown.kind != "json" or not pointer:
            return None
        if len(shown.shown.text) > _LONGEST_EDITED:  # it would be read for each of its findings
            return None
        is_name = replacement.replace == "name"
        text = edited_json(shown.shown.text, pointer, replacement.text, is_name=is_name)
        if text is None or len(text) > _LONGEST_EDITED:
            return None
        value = json.loads(replacement.text)
        label = self._use(value)
        if is_name:
            old = self._quoted_name(parse_pointer(pointer)[-1])
            label = self.say["use.rename"](old=old, name=self._quoted_name(value))
        return Button(label, Action(USE, shown.name, text).value)

    def label(self, field: Field) -> str:
        """Return the label of the value that a field shows: not that of an alternative."""
        return field.label if field.path is None else self.fields.get(field.path, field).label

    def _place(self, target: str, field: Field | None) -> str:
        """Return where something is, seen from the field that shows it; "" if it is there."""
        if field is not None and field.path is not None and not field.is_rest:
            if target == field.path or not target.startswith(f"{field.path}/"):
                return ""
            beginning = field.path
        elif field is None:
            beginning = next(iter(self.fields), "")
            if not target.startswith(f"{beginning}/"):
                beginning = ""
        else:
            beginning = "/".join(target.split("/")[:-1])
        names = []
        path = beginning
        for token in parse_pointer(target[len(beginning) :]):
            path = f"{path}/{escape_token(token)}"
            names.append(self.name(path, token))
        return self.say["place"](items=names)

    def name(self, path: str, name: str) -> str:
        """Return what a member at a path is called, in quotes; an item by its position."""
        is_item = path not in self.fields and name.isdecimal()
        label = self.plain_name(path, name)
        return label if is_item else self._quoted_name(label)

    def plain_name(self, path: str, name: str) -> str:
        """Return what a member at a path is called: the label of its field, or its own name."""
        field = self.fields.get(path)
        if field is not None:
            return field.label
        if name.isdecimal():
            return self.say["place.item"](number=int(name) + 1)
        return name if self._is_in_json(path) else label_from_name(name)

    def _is_in_json(self, path: str) -> bool:
        """Return True if a place is in a field that shows JSON, and so its own name."""
        while path not in self.fields:
            if not path:
                return False
            path = path.rpartition("/")[0]
        return self.fields[path].chosen.kind == "json"

    def _quoted_name(self, name: str) -> str:
        return self.say["name"](name=one_line(name, _LONGEST_NAME))

    def value(self, value: Any, field: Field | None = None) -> str:
        """Return a value as people say it: by the label of the choice, if there is one."""
        if field is not None and field.kind == "upload" and type(value) is str and value:
            return stored_file(value, field.shape, "").label
        if field is not None and field.kind == "checkboxes" and type(value) is list and value:
            return self.values(value, field)
        if field is not None:
            raw = _raw(value) if field.shape.choices else None
            for choice in field.shape.choices:
                if choice.value is not None and choice.value == raw:
                    return self.choice(choice)
        if value is None or value is True or value is False or value == "":
            kind = "empty" if value == "" else preview(value)
            return self.say[f"value.{kind}"]()
        if type(value) is not str:
            return preview(value, _LONGEST_VALUE)
        shown = one_line(value, _LONGEST_VALUE) if value.isprintable() else preview(value, 60)[1:-1]
        plain = shown == shown.strip() and "," not in shown
        return shown if plain else self.say["name"](name=shown)

    def described(self, value: Any) -> str:
        """Return a scalar with its type, where the type is all that differs."""
        return f"{self.quoted(value)} ({self.say[f'type.is-{PYTHON[type(value)]}']()})"

    def choice(self, choice: Choice) -> str:
        """Return the label of a choice as one of a row."""
        label = one_line(choice.label, _LONGEST_NAME)
        return self._quoted_name(label) if "," in label else label

    def choose(self, shown: Sequence[str]) -> str:
        """Return the sentence that asks for one of some values, which are in words already."""
        if len(shown) == 1:
            return self.say["enum.only"](values=shown[0])
        if len(shown) <= _MOST_VALUES:
            return self.say["enum.choose"](values=self.say["list"](items=shown))
        some = self.say["list"](items=shown[:_SOME_VALUES])
        return self.say["enum.many"](number=len(shown), values=some)

    def quoted(self, value: Any, field: Field | None = None) -> str:
        """Return a value within a sentence: a text in quotes."""
        shown = self.value(value, field)
        is_text = type(value) is str and value and not shown.startswith(self._opening)
        return self.say["name"](name=shown) if is_text else shown

    def values(self, values: Sequence[Any], field: Field | None, last: str = "list") -> str:
        """Return several values in a row."""
        return self.say[last](items=[self.value(value, field) for value in values])


def general_advice(keyword: str) -> str:
    """Return the sentence for a code of a finding of which nothing more is known."""
    return _general_advice(advice(), keyword)


def _general_advice(say: Phrases, keyword: str) -> str:
    return say[keyword if keyword in KEYWORDS else UNKNOWN]()


def _raw(value: Any) -> str | None:
    """Return the JSON text of a value, as that of choices is; None if it is not plain."""
    try:
        return dump(value, indent=False)
    except (TypeError, ValueError):
        return None


_SIMPLE: Final = frozenset(
    {"type", "enum", "const", "required", "format", "multipleOf"}
    | {code for code, one in KEYWORDS.items() if one.category == "number"}
)


def _violation_of(finding: Finding) -> Violation | None:
    """Return the violation of a finding that was made elsewhere, as far as that has it."""
    keyword, expected = finding.keyword, finding.expected
    if keyword not in _SIMPLE or expected is None:
        return None
    if keyword == "type":
        expected = tuple(expected)
    elif keyword in ("enum", "const"):
        expected = Options(expected if keyword == "enum" else [expected])
    return Violation(keyword, (), finding.schema_path, None, expected)


class _Case:
    """One finding on its way to a sentence; `violation` is None if nothing more is known."""

    def __init__(
        self, adviser: Adviser, finding: Finding, violation: Violation | None, field: Field | None
    ) -> None:
        self.adviser = adviser
        self.say = adviser.say
        self.finding = finding
        self.violation = violation
        self.own = field if field is not None and _is_about(field, finding.target) else None

    def sentence(self) -> str:
        """Return the sentence, with the reason why it applies."""
        if self.violation is None:
            return self.general(self.finding.keyword)
        violation = self.violation
        sentence = self.of(violation)
        because = violation.because
        if not because or not _asks_for_more(violation):
            return sentence
        reason = None
        if isinstance(because, Condition):
            reason = self.reason(because)
        elif because[0] == "present":
            name = self.member(self.finding.path, because[1])
            reason = self.say["reason.filled"](name=name)
        if reason is None:
            return sentence
        return self.say["advice.because"](sentence=sentence, reason=reason)

    def offered(self) -> Any:
        """Return the value that a button offers; None if there is none."""
        found = self.finding.suggestion if isinstance(self.finding, FormFinding) else None
        return None if found is None else json.loads(found.replacement.text)

    def general(self, keyword: str) -> str:
        """Return the sentence for a code of which nothing more is known."""
        if keyword == "enum" and self.own is not None and self.own.shape.choices:
            return self.choose(self.own.shape)
        return _general_advice(self.say, keyword)

    def choose(self, shape: Shape) -> str:
        """Return the sentence that asks for one of the choices of a field."""
        return self.adviser.choose([*map(self.adviser.choice, shape.choices)])

    def of(self, violation: Violation) -> str:
        """Return the sentence of a violation, without the reason why it applies."""
        advise = ADVICE.get(violation.keyword)
        return self.general(violation.keyword) if advise is None else advise(self, violation)

    def member(self, path: str, name: str) -> str:
        """Return what a member of the object at a path is called."""
        return self.adviser.name(f"{path}/{escape_token(name)}", name)

    def members(self, names: Iterable[str], last: str) -> str:
        """Return several members of the object that the finding is about."""
        shown = [self.member(self.finding.path, name) for name in [*names][:_MOST_NAMES]]
        return self.say[last](items=shown)

    def places(self, violation: Violation) -> tuple[str, ...]:
        """Return the pointers of the schemas that a better value has to match."""
        own = () if self.own is None else self.own.shape.node.key.pointers
        place = violation.place.rpartition("/")[0]
        return tuple(dict.fromkeys((place, *own))) if violation.place else own

    def one_of(self, options: Sequence[Any]) -> str:
        """Return the sentence that asks for one of some values."""
        own = self.own
        if len(options) == 1:
            return self.say["enum.only"](values=self.adviser.quoted(options[0], own))
        return self.adviser.choose([self.adviser.value(one, own) for one in options])

    # Reasons

    def reason(self, condition: Condition) -> str | None:
        """Return what a condition asks for, if that is simple and the value shows it."""
        schema = condition.schema.schema
        if not condition.evident or type(schema) is not dict:
            return None
        if not schema.keys() <= {"properties", "required", "type", "$comment", "title"}:
            return None
        path = pointer_of(condition.path)
        properties = schema.get("properties", {})
        asked: list[str] = []
        for name, item in properties.items():
            shown = self.member(path, name)
            if item is True or item == {}:
                continue
            values = _values(item)
            if values is None or len(values) > _MOST_NAMES:
                return None
            value = self.adviser.values(
                values, self.adviser.fields.get(f"{path}/{escape_token(name)}"), "or"
            )
            id = "reason.is" if condition.is_met else "reason.is-not"
            if name in condition.missing and condition.is_met:
                id = "reason.missing-or"
            asked.append(self.say[id](name=shown, value=value))
        for name in schema.get("required", ()):
            if name not in properties or properties[name] in (True, {}):
                if not condition.is_met:
                    return None
                asked.append(self.say["reason.filled"](name=self.member(path, name)))
        if not asked or (len(asked) > 1 and not condition.is_met):
            return None
        return self.say["and"](items=asked)


def _is_about(field: Field, target: str) -> bool:
    """Return True if a field is that of a place: of the items of a selection, too."""
    if field.kind == "checkboxes" and target != field.path:
        target = target.rpartition("/")[0]
    return field.path == target


def _asks_for_more(violation: Violation) -> bool:
    """Return True if something is missing: then it helps to know why it is needed."""
    if violation.keyword in ("anyOf", "oneOf"):
        return violation.detail[0] in ("missing", "required")
    return violation.keyword == "required"


def _values(schema: Any) -> list[Any] | None:
    """Return the values that a schema lists, if it does nothing else."""
    if type(schema) is not dict or not schema.keys() <= {"const", "enum", "type", "title"}:
        return None
    if "const" in schema:
        return [schema["const"]]
    return schema.get("enum")


# The sentences, by keyword.


def _type(case: _Case, violation: Violation) -> str:
    names, say, value = [*violation.detail], case.say, violation.value
    wanted = [name for name in names if name != "null"] or names
    if wanted == ["null"]:
        return say["type.nothing"]()
    if wanted == ["boolean"]:
        return say["type.yes-no"]()
    if case.own is not None and case.own.kind in ("enum", "constant"):
        return case.general("enum")
    if "number" in wanted:
        wanted = [name for name in wanted if name != "integer"]
    types = say["or"](items=[say[f"type.is-{name}"]() for name in wanted])
    actual = PYTHON.get(type(value), "string")
    is_whole = _CONTAINERS.issuperset([actual]) or not _CONTAINERS.isdisjoint(wanted)
    if is_whole or (wanted == ["string"] and actual not in ("string", "null")):
        return say["type.instead"](types=types, type=say[f"type.is-{actual}"]())
    example = case.adviser.examples.number(case.places(violation))
    if _NUMBERS.issuperset(wanted) and example is not None:
        return say["type.enter-example"](types=types, example=preview(example))
    return say["type.enter"](types=types)


def _options(case: _Case, violation: Violation) -> str:
    return case.one_of(violation.detail.values)


def _required(case: _Case, violation: Violation) -> str:
    shape, say = None if case.own is None else case.own.chosen.shape, case.say
    if shape is None or shape.secret:
        return say["required"]()
    if shape.choices:
        return case.choose(shape)
    if shape.least:
        return say["minItems.add"](number=shape.least)
    return say[_REQUIRED_KINDS.get(shape.kind, "required")]()


# Kinds of fields into which nobody types
_REQUIRED_KINDS: Final = {
    **dict.fromkeys(CONTAINER_KINDS, "required.part"),
    "upload": "required.file",
}


def _number(case: _Case, violation: Violation) -> str:
    keyword, limit, say = violation.keyword, preview(violation.detail), case.say
    schema = case.adviser.examples.schema(violation.place.rpartition("/")[0])
    if type(schema) is dict and keyword in ("minimum", "maximum"):
        low, high = schema.get("minimum"), schema.get("maximum")
        if low is not None and high is not None and low < high:
            return say["maximum.range"](low=preview(low), high=preview(high))
    return say[_LIMITS[keyword]](limit=limit)


_LIMITS: Final = {
    "maximum": "maximum.most",
    "minimum": "minimum.least",
    "exclusiveMaximum": "exclusiveMaximum.below",
    "exclusiveMinimum": "exclusiveMinimum.above",
}


def _multiple(case: _Case, violation: Violation) -> str:
    say, limit = case.say, violation.detail
    example = case.adviser.examples.number(case.places(violation))
    if example is None:
        example = limit
    shown = preview(example)
    if limit == 1:
        return say["multipleOf.whole"](example=shown)
    for places in range(1, 10):
        if limit == float(f"1e-{places}"):
            return say["multipleOf.decimals"](number=places, example=shown)
    return say["multipleOf.step"](limit=preview(limit), example=shown)


def _longest(case: _Case, violation: Violation) -> str:
    limit = int(violation.detail)
    if not limit:
        return case.say["maxLength.none"]()
    number = len(violation.value) - limit
    return case.say["maxLength.shorten"](number=number, limit=limit)


def _shortest(case: _Case, violation: Violation) -> str:
    limit = int(violation.detail)
    if not violation.value:
        return case.say["required"]() if limit == 1 else case.say["minLength.enter"](number=limit)
    number = limit - len(violation.value)
    return case.say["minLength.lengthen"](number=number, limit=limit)


def _fewest_items(case: _Case, violation: Violation) -> str:
    limit, there = int(violation.detail), len(violation.value)
    if not there:
        return case.say["minItems.add"](number=limit)
    return case.say["minItems.more"](number=limit - there, limit=limit)


def _most_of(id: str) -> Callable[[_Case, Violation], str]:
    def advise(case: _Case, violation: Violation) -> str:
        limit = int(violation.detail)
        return case.say[id](number=len(violation.value) - limit, limit=limit)

    return advise


def _fewest_members(case: _Case, violation: Violation) -> str:
    number = int(violation.detail) - len(violation.value)
    return case.say["minProperties.fill"](number=number)


def _more_items(case: _Case, violation: Violation) -> str:
    limit, there = violation.detail
    return case.say["additionalItems.remove"](number=there - limit, limit=limit)


def _pattern(case: _Case, violation: Violation) -> str:
    say, examples = case.say, case.adviser.examples
    schema = examples.schema(violation.place.rpartition("/")[0])
    pattern, _ = violation.detail
    example = examples.text(case.places(violation))
    sentence = pattern_advice(say, pattern)
    described = schema.get("description") if type(schema) is dict else None
    if sentence is None and type(described) is str and 0 < len(described.strip()) <= _DESCRIPTION:
        shown = one_line(described, _DESCRIPTION).rstrip(".")
        if example is None:
            return say["pattern.described"](description=shown)
        return say["pattern.described-example"](description=shown, example=example)
    if example is None:
        return sentence or say["pattern"]()
    if sentence is None:
        return say["pattern.example"](example=example)
    if sentence == say["pattern.filled"]():
        return sentence
    return say["pattern.such-as"](sentence=sentence, example=example)


def _format(case: _Case, violation: Violation) -> str:
    say, name = case.say, violation.detail
    if name == "regex" or name not in FORMATS:
        return say["format.regex" if name == "regex" else "format"]()
    format, offered = say[f"format.is-{name}"](), case.offered()
    if offered is not None and offered == percent_encoded(violation.value):
        other = next(old for old, new in zip(violation.value, offered, strict=False) if old != new)
        if other.isprintable():
            return say["format.without"](format=format, character=say["name"](name=other))
    example = case.adviser.examples.text(case.places(violation)) or FORMATS[name]
    return say["format.enter"](format=format, example=example)


def _unique(case: _Case, violation: Violation) -> str:
    return case.say["uniqueItems.same"](number=violation.detail + 1)


def _contains(case: _Case, violation: Violation) -> str:
    schema, say = violation.detail.schema, case.say
    values = _values(schema)
    if values is not None and 0 < len(values) <= _MOST_VALUES:
        if len(values) == 1:
            return say["contains.only"](values=case.adviser.quoted(values[0]))
        return say["contains.one"](values=case.adviser.values(values, None))
    title = title_of(schema)
    if title is not None:
        return say["contains.titled"](title=one_line(title, _LONGEST_NAME))
    return say["contains"]()


def _needed(case: _Case, violation: Violation) -> str:
    name = case.member(case.finding.path, violation.detail[1])
    reason = case.say["reason.filled"](name=name)
    return case.say["advice.because"](sentence=_required(case, violation), reason=reason)


def _member_name(case: _Case, violation: Violation) -> str:
    inner: Violation = violation.detail[0]
    if inner.keyword == "false":
        return case.say["propertyNames.none"]()
    advice = _Case(case.adviser, case.finding, inner, None).of(inner)
    return case.say["propertyNames.rename"](advice=f"{advice[:1].lower()}{advice[1:]}")


def _false(case: _Case, violation: Violation) -> str:
    condition = violation.because
    if isinstance(condition, Condition):
        reason = case.reason(condition)
        if reason is not None:
            return case.say["false.because"](condition=reason)
    elif condition and condition[0] == "present":
        name = case.member(case.finding.path, condition[1])
        reason = case.say["reason.filled"](name=name)
        return case.say["false.because"](condition=reason)
    removable = case.own is not None and case.own.row
    return case.say["false.remove" if removable else "false"]()


def _not(case: _Case, violation: Violation) -> str:
    schema: Any = violation.detail.schema
    values = _values(schema)
    if values is not None and len(values) <= _MOST_VALUES:
        shown = [case.adviser.quoted(value, case.own) for value in values]
        return case.say["not.values"](values=case.say["or"](items=shown))
    if type(schema) is dict and schema.keys() <= {"required", "type", "title"}:
        names = schema.get("required", ())
        if len(names) == 1:
            return case.say["not.filled"](names=case.members(names, "and"))
        if 1 < len(names) <= _MOST_NAMES:
            return case.say["not.together"](names=case.members(names, "and"))
    return case.say["not"]()


def _alternatives(case: _Case, violation: Violation) -> str:
    say, (kind, *detail) = case.say, violation.detail
    if kind == "missing":
        return say["required.name"](name=case.member(case.finding.path, detail[0]))
    if kind == "one":
        return case.one_of(detail[0].values)
    if kind == "required":
        groups = [case.members(names, "and") for names in detail[0][:_MOST_NAMES]]
        return say["anyOf.either"](names=say["or"](items=groups))
    if kind == "several":
        titles, members = detail[0], detail[1]
        if members:
            return say["anyOf.only-one"](names=case.members(members, "and"))
        if all(type(title) is str for title in titles):
            named = [say["name"](name=one_line(title, _LONGEST_NAME)) for title in titles]
            return say["anyOf.several"](kinds=say["and"](items=named))
        return say["anyOf.ambiguous"]()
    names, options, demands = detail
    sentences = []
    if names:
        sentences.append(_type(case, violation._replace(keyword="type", detail=tuple(names))))
    if options.values:
        sentences.append(case.one_of(options.values))
    for together in demands:
        inner = dict.fromkeys(case.of(one) for one in together)
        sentences.append(say["and"](items=_continued(inner)))
    sentences = [*dict.fromkeys(sentences)]
    if not sentences:
        return case.general(violation.keyword)
    return say["advice.or"](items=_continued(sentences[:_MOST_SENTENCES]))


def _continued(sentences: Iterable[str]) -> list[str]:
    """Return sentences as one: only the first begins with a capital letter."""
    first, *others = sentences
    return [first, *(f"{one[:1].lower()}{one[1:]}" for one in others)]


ADVICE: Final[dict[str, Callable[[_Case, Violation], str]]] = {
    "type": _type,
    "enum": _options,
    "const": _options,
    "required": _required,
    **dict.fromkeys(_LIMITS, _number),
    "multipleOf": _multiple,
    "maxLength": _longest,
    "minLength": _shortest,
    "pattern": _pattern,
    "format": _format,
    "additionalItems": _more_items,
    "maxItems": _most_of("maxItems.remove"),
    "minItems": _fewest_items,
    "uniqueItems": _unique,
    "contains": _contains,
    "maxProperties": _most_of("maxProperties.remove"),
    "minProperties": _fewest_members,
    "dependencies": _needed,
    "propertyNames": _member_name,
    "false": _false,
    "not": _not,
    "anyOf": _alternatives,
    "oneOf": _alternatives,
    "if": _alternatives,
}

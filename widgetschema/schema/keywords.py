"""The keyword registry: what the project knows about each keyword and other code of a finding.

One `Keyword` per code. Validation, reports, pages, settings, comparisons and the manual read it
here. Importing this module is cheap: it holds values, nothing else.

Messages are ids with parameters. The text of an id is a template, one for each *register*: for
developers, and for people who edit content. `validation.explain.messages` decides what a message
says to developers, `forms.advice` what it says to people who edit content; this module says how.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final, Literal, NamedTuple

Category = Literal[
    "any type", "number", "string", "array", "object", "condition", "alternatives", "reference",
    "annotation", "whole", "lint", "JSON text", "input", "configuration", "form", "migration",
]  # fmt: skip
ValueKind = Literal[
    "any", "array", "boolean", "count", "names", "number", "schema", "schema or schemas",
    "schemas", "schemas by name", "schemas or names by name", "string", "type names",
]  # fmt: skip
Register = Literal["developer", "editor"]

_VALIDATION: Final = (
    "https://datatracker.ietf.org/doc/html/draft-handrews-json-schema-validation-01#section-"
)
_CORE: Final = "https://datatracker.ietf.org/doc/html/draft-handrews-json-schema-01#section-"
_JSON: Final = "https://www.rfc-editor.org/rfc/rfc8259#section-"
_YAML: Final = "https://yaml.org/spec/1.2.2/#"


class Counted(NamedTuple):
    """A text that depends on a number: for one, and for any other."""

    one: str
    other: str


class Joined(NamedTuple):
    """A list in words: what stands between its items, and before the last of them."""

    separator: str
    last: str


Text = str | Counted | Joined


class Keyword(NamedTuple):
    """All about one keyword, or one other code of a finding.

    `advice` says to people who edit content what to do, where nothing more is known.
    `label` says in a few words what is wrong, `rule` what has to be, `description` what a finding
    means, `repair` what to do about it, and `fix` what `--fix` does, if there is anything that it
    does. `value` is what a schema writes under the keyword, `instance` the JSON type that the
    keyword is about (None: any), `unit` what it counts. `exit_code` is that of the
    command, where a code has one of its own. Findings with a code that is `selectable` can occur in
    a file, so that settings may name it. `messages` are the texts of its messages for
    developers, by id, `editor_messages` those for people who edit content: what to do, in full
    sentences without a full stop, and parts of such sentences.
    """

    code: str
    category: Category
    advice: Text
    label: str
    rule: str
    description: str
    repair: str = ""
    fix: str = ""
    specification: str | None = None
    value: ValueKind | None = None
    instance: str | None = None
    unit: str | None = None
    exit_code: int | None = None
    selectable: bool = True
    messages: Mapping[str, Text] = {}
    editor_messages: Mapping[str, Text] = {}


def _size(code: str, least: bool) -> dict[str, Text]:
    """Return the messages of a keyword about how many characters, items or properties there are."""
    bound = "at least" if least else "at most"
    return {
        code: f"{{value}} has {{size}}, but must have {bound} {{limit}}",
        f"{code}.general": f"the value must have {bound} {{size}}",
        f"{code}.demand": f"have {bound} {{size}}",
        f"{code}.clause": f"has {bound} {{size}}",
    }


def _bound(code: str, sentence: str, demand: str) -> dict[str, Text]:
    """Return the messages of a keyword about the bound of a number."""
    return {code: sentence, f"{code}.demand": demand}


_TRIM: Final = "Removes white space around the string if the string is valid without it."
_SPELL: Final = "Corrects upper and lower case, separators and white space. `--unsafe-fixes` also "
_ALTERNATIVES: Final[dict[str, Text]] = {
    "alternatives.none": "{value} matches none of the alternatives",
    "alternatives.several": "the value matches {matching}, but must match exactly one alternative",
    "alternatives.exclusive": "the properties {members} exclude each other",
    "alternatives.exclusive-titles": "the properties {members} exclude each other: the value "
    "matches {matching}, but must match exactly one alternative",
    "alternatives.required": "properties are missing: {groups}",
    "alternatives.missing": "the property {name} is missing: it must be one of {values}",
    "alternatives.demands": "{value} is not allowed: the value must {demands}",
    "alternatives.more": Counted(
        "match one other alternative", "match one of {number:,} other alternatives"
    ),
    "alternatives.others": Counted("one other", "one of {number:,} others"),
    "alternatives.be-one-of": "be one of {what}",
    "alternatives.types": "{types}, or {values}",
    "alternatives.types-or-one": "{types}, or one of {values}",
}


def _annotation(code: str, value: ValueKind, section: str) -> Keyword:
    """Return the entry of a keyword that asserts nothing, so that no finding has its code."""
    return Keyword(
        code,
        "annotation",
        advice="",
        label="",
        rule="",
        description="",
        specification=section,
        value=value,
        selectable=False,
    )


_ANNOTATIONS: Final = (
    _annotation("$comment", "string", f"{_CORE}9"),
    _annotation("$schema", "string", f"{_CORE}7"),
    _annotation("definitions", "schemas by name", f"{_VALIDATION}9"),
    _annotation("title", "string", f"{_VALIDATION}10.1"),
    _annotation("description", "string", f"{_VALIDATION}10.1"),
    _annotation("default", "any", f"{_VALIDATION}10.2"),
    _annotation("readOnly", "boolean", f"{_VALIDATION}10.3"),
    _annotation("examples", "array", f"{_VALIDATION}10.4"),
)

_KEYWORDS: Final = (
    # 6.1: any type
    Keyword(
        "type",
        "any type",
        advice="Enter another kind of value",
        label="Wrong type",
        rule="A value has an allowed type",
        description="The value has a type that the schema does not allow, such as a string in "
        "place of a "
        "number.",
        repair="Write the value in the type that the message names.",
        fix="Removes the quotes around a number or a boolean, if only that type is allowed.",
        specification=f"{_VALIDATION}6.1.1",
        value="type names",
        messages={
            "type": "{value} is {type}, but must be {types}",
            "type.fraction": "{value} is not a whole number, but must be {types}",
            "type.null": "{value} is not allowed here: the value must be {types}",
            "type.is-null": "null",
            "type.is-boolean": "a boolean",
            "type.is-integer": "an integer",
            "type.is-number": "a number",
            "type.is-string": "a string",
            "type.is-array": "an array",
            "type.is-object": "an object",
            "type.changed": "the type was {was} and is {now}",
            "type.narrower": "the type {subject} is no longer allowed",
            "type.wider": "the type {subject} is now allowed",
            "type.any": "anything",
            "type.none": "nothing",
        },
        editor_messages={
            "type.enter": "Enter {types}",
            "type.enter-example": "Enter {types}, for example {example}",
            "type.instead": "This must be {types}, not {type}",
            "type.yes-no": "Choose yes or no",
            "type.nothing": "Clear this: no value is possible here",
            "type.is-null": "empty",
            "type.is-boolean": "a yes or no",
            "type.is-integer": "a whole number",
            "type.is-number": "a number",
            "type.is-string": "text",
            "type.is-array": "a list",
            "type.is-object": "a group of fields",
        },
    ),
    Keyword(
        "enum",
        "any type",
        advice="Choose one of the listed values",
        label="Value not in the list",
        rule="A value is one of those listed",
        description="The schema lists the allowed values, and this is none of them.",
        repair="Use one of the listed values; upper and lower case matter.",
        fix=_SPELL + "replaces a misspelled value, if only one of the listed values is similar.",
        specification=f"{_VALIDATION}6.1.2",
        value="array",
        messages={
            "enum": "{value} is not one of the allowed values: {values}",
            "enum.one": "{value} is not allowed: the value must be {values}",
            "value.narrower": "the value {subject} is no longer allowed",
            "value.wider": "the value {subject} is now allowed",
            "value list.narrower": "the values {subjects} are no longer allowed",
            "value list.wider": "the values {subjects} are now allowed",
            "more values.narrower": "{subject} more values are no longer allowed",
            "more values.wider": "{subject} more are allowed",
            "values.narrower": "values were not listed, and are now limited to {now}",
            "values.wider": "values were limited to {was}, and others are now allowed",
        },
        editor_messages={
            "enum.choose": "Choose one of: {values}",
            "enum.many": "Choose one of the {number:,} listed values, for example {values}",
            "enum.only": "This can only be {values}",
        },
    ),
    Keyword(
        "const",
        "any type",
        advice="Use the only value that is possible here",
        label="Not the required value",
        rule="A value is the only one allowed",
        description="The schema allows a single value here, and this is another.",
        repair="Write the value that the message names.",
        fix=_SPELL + "replaces a misspelled value, if it is similar to the allowed one.",
        specification=f"{_VALIDATION}6.1.3",
        value="any",
    ),
    # 6.2: numbers
    Keyword(
        "multipleOf",
        "number",
        advice="Enter another number",
        label="Not a multiple",
        rule="A number is a multiple of another",
        description="The number is not a whole multiple of the one in the schema.",
        repair="Round the number to a multiple.",
        specification=f"{_VALIDATION}6.2.1",
        value="number",
        instance="number",
        messages=_bound(
            "multipleOf", "{value} is not a multiple of {limit}", "a multiple of {limit}"
        ),
        editor_messages={
            "multipleOf.step": "Enter a multiple of {limit}, for example {example}",
            "multipleOf.whole": "Enter a whole number, for example {example}",
            "multipleOf.decimals": Counted(
                "Enter a number with at most 1 decimal place, for example {example}",
                "Enter a number with at most {number} decimal places, for example {example}",
            ),
        },
    ),
    Keyword(
        "maximum",
        "number",
        advice="Enter a smaller number",
        label="Number too large",
        rule="A number is not too large",
        description="The number is greater than the largest one allowed.",
        repair="Write a number up to the maximum.",
        specification=f"{_VALIDATION}6.2.2",
        value="number",
        instance="number",
        messages=_bound("maximum", "{value} is more than the maximum, {limit}", "at most {limit}"),
        editor_messages={
            "maximum.most": "Enter {limit} or less",
            "maximum.range": "Enter a number from {low} to {high}",
        },
    ),
    Keyword(
        "exclusiveMaximum",
        "number",
        advice="Enter a smaller number",
        label="Number too large",
        rule="A number is less than a limit",
        description="The number is not less than the limit, which is not allowed itself.",
        repair="Write a number below the limit.",
        specification=f"{_VALIDATION}6.2.3",
        value="number",
        instance="number",
        messages=_bound(
            "exclusiveMaximum", "{value} must be less than {limit}", "less than {limit}"
        ),
        editor_messages={
            "exclusiveMaximum.below": "Enter a number below {limit}",
        },
    ),
    Keyword(
        "minimum",
        "number",
        advice="Enter a larger number",
        label="Number too small",
        rule="A number is not too small",
        description="The number is less than the smallest one allowed.",
        repair="Write a number that is at least the minimum.",
        specification=f"{_VALIDATION}6.2.4",
        value="number",
        instance="number",
        messages=_bound("minimum", "{value} is less than the minimum, {limit}", "at least {limit}"),
        editor_messages={
            "minimum.least": "Enter {limit} or more",
        },
    ),
    Keyword(
        "exclusiveMinimum",
        "number",
        advice="Enter a larger number",
        label="Number too small",
        rule="A number is greater than a limit",
        description="The number is not greater than the limit, which is not allowed itself.",
        repair="Write a number above the limit.",
        specification=f"{_VALIDATION}6.2.5",
        value="number",
        instance="number",
        messages=_bound(
            "exclusiveMinimum", "{value} must be greater than {limit}", "greater than {limit}"
        ),
        editor_messages={
            "exclusiveMinimum.above": "Enter a number above {limit}",
        },
    ),
    # 6.3: strings
    Keyword(
        "maxLength",
        "string",
        advice="Shorten this text",
        label="Text too long",
        rule="A string is not too long",
        description="The string has more characters than allowed.",
        repair="Shorten the string, or raise the limit in the schema.",
        specification=f"{_VALIDATION}6.3.1",
        value="count",
        instance="string",
        unit="character",
        messages=_size("maxLength", least=False),
        editor_messages={
            "maxLength.shorten": Counted(
                "Shorten this by 1 character: there is room for {limit:,}",
                "Shorten this by {number:,} characters: there is room for {limit:,}",
            ),
            "maxLength.none": "Clear this: it must be empty",
        },
    ),
    Keyword(
        "minLength",
        "string",
        advice="Enter a longer text",
        label="Text too short",
        rule="A string is long enough",
        description="The string has fewer characters than required.",
        repair="Write a longer string.",
        specification=f"{_VALIDATION}6.3.2",
        value="count",
        instance="string",
        unit="character",
        messages=_size("minLength", least=True),
        editor_messages={
            "minLength.enter": Counted(
                "Enter at least 1 character", "Enter at least {number:,} characters"
            ),
            "minLength.lengthen": Counted(
                "Enter at least 1 more character: {limit:,} are needed",
                "Enter at least {number:,} more characters: {limit:,} are needed",
            ),
        },
    ),
    Keyword(
        "pattern",
        "string",
        advice="Enter this in the right form",
        label="Pattern not matched",
        rule="A string matches a regular expression",
        description="The regular expression of the schema (ECMA 262) matches nowhere in the "
        "string.",
        repair="Write a string that the pattern matches. A pattern without `^` and `$` may match "
        "anywhere "
        "in it.",
        fix=_TRIM,
        specification=f"{_VALIDATION}6.3.3",
        value="string",
        instance="string",
        messages={
            "pattern": "{value} does not match the pattern {pattern}",
            "pattern.undecided": "whether {value} matches the pattern {pattern} could not be "
            "decided within the limit of the engine",
            "pattern.demand": "match the pattern {pattern}",
            "pattern.clause": "matches the pattern {pattern}",
        },
        editor_messages={
            "pattern.example": "Enter this in the right form, for example {example}",
            "pattern.described": "Enter this as described: {description}",
            "pattern.described-example": "Enter this in the right form, for example {example} "
            "({description})",
            "pattern.such-as": "{sentence}, for example {example}",
            "pattern.only": "Use only {characters}",
            "pattern.only-count": Counted(
                "Use only {characters}, exactly 1 character",
                "Use only {characters}, exactly {number:,} characters",
            ),
            "pattern.begin": "Begin this with “{text}”",
            "pattern.begin-web": "Begin this with “https://” or “http://”",
            "pattern.end": "End this with “{text}”",
            "pattern.filled": "Fill this in: spaces alone are not enough",
            "pattern.is-small": "small letters (a–z)",
            "pattern.is-capital": "capital letters (A–Z)",
            "pattern.is-digit": "digits",
            "pattern.is-space": "spaces",
        },
    ),
    # 6.4: arrays
    Keyword(
        "items",
        "array",
        advice="Change this item",
        label="Item not allowed",
        rule="The items of an array are valid",
        description="An item of the array does not match the schema of items.",
        specification=f"{_VALIDATION}6.4.1",
        value="schema or schemas",
        instance="array",
        selectable=False,
        messages={
            "items.narrower": "items are no longer allowed",
            "items.wider": "items are now allowed",
        },
    ),
    Keyword(
        "additionalItems",
        "array",
        advice="Remove the items at the end",
        label="Additional item",
        rule="An array has no additional items",
        description="The array has more items than the schema describes, and no others are "
        "allowed.",
        repair="Remove the items at the end.",
        specification=f"{_VALIDATION}6.4.2",
        value="schema",
        instance="array",
        messages={
            "additionalItems": "item {number} of {total} is too many: the array must have at most "
            "{size}",
            "additionalItems.general": "the array must have at most {size}",
            "additionalItems.narrower": "more than {size} are no longer allowed",
            "additionalItems.wider": "more than {size} are now allowed",
        },
        editor_messages={
            "additionalItems.remove": Counted(
                "Remove the last item: there is room for {limit:,}",
                "Remove the last {number:,} items: there is room for {limit:,}",
            ),
        },
    ),
    Keyword(
        "maxItems",
        "array",
        advice="Remove items",
        label="List too long",
        rule="An array is not too long",
        description="The array has more items than allowed.",
        repair="Remove items, or raise the limit in the schema.",
        specification=f"{_VALIDATION}6.4.3",
        value="count",
        instance="array",
        unit="item",
        messages=_size("maxItems", least=False),
        editor_messages={
            "maxItems.remove": Counted(
                "Remove 1 item: there is room for {limit:,}",
                "Remove {number:,} items: there is room for {limit:,}",
            ),
        },
    ),
    Keyword(
        "minItems",
        "array",
        advice="Add items",
        label="List too short",
        rule="An array is long enough",
        description="The array has fewer items than required.",
        repair="Add items.",
        specification=f"{_VALIDATION}6.4.4",
        value="count",
        instance="array",
        unit="item",
        messages=_size("minItems", least=True),
        editor_messages={
            "minItems.add": Counted("Add at least 1 item", "Add at least {number:,} items"),
            "minItems.more": Counted(
                "Add at least 1 more item: {limit:,} are needed",
                "Add at least {number:,} more items: {limit:,} are needed",
            ),
        },
    ),
    Keyword(
        "uniqueItems",
        "array",
        advice="Change or remove this: it appears twice",
        label="Duplicate item",
        rule="The items of an array differ",
        description="Two items of the array are equal, and each is allowed only once. `1` and "
        "`1.0` are equal; "
        "the order of the properties of an object does not matter.",
        repair="Remove the repeated item.",
        specification=f"{_VALIDATION}6.4.5",
        value="boolean",
        instance="array",
        messages={
            "uniqueItems": "{value} is a duplicate of item {number}",
            "uniqueItems.general": "{value} is a duplicate",
            "uniqueItems.narrower": "items must now be unique",
            "uniqueItems.wider": "items may now be equal",
        },
        editor_messages={
            "uniqueItems.same": "Change or remove this: it is the same as item {number:,}",
        },
    ),
    Keyword(
        "contains",
        "array",
        advice="Add an item of the kind that is missing here",
        label="Missing item",
        rule="An array contains an item of a certain kind",
        description="At least one item must match the schema of `contains`, and none does.",
        repair="Add such an item.",
        specification=f"{_VALIDATION}6.4.6",
        value="schema",
        instance="array",
        messages={
            "contains": "none of {size} matches: at least one must {demand}",
            "contains.schema": "none of {size} matches: at least one must match `contains`",
            "contains.empty": "the array is empty, but at least one item must {demand}",
            "contains.empty-schema": "the array is empty, but at least one item must match "
            "`contains`",
            "contains.general": "at least one item must {demand}",
            "contains.general-schema": "at least one item must match `contains`",
            "contains.narrower": "what an item must match (contains) has changed",
            "contains.wider": "what an item must match (contains) is less strict",
        },
        editor_messages={
            "contains.one": "Add one of: {values}",
            "contains.only": "Add {values}",
            "contains.titled": "Add an item: {title}",
        },
    ),
    # 6.5: objects
    Keyword(
        "maxProperties",
        "object",
        advice="Remove entries",
        label="Too many properties",
        rule="An object does not have too many properties",
        description="The object has more properties than allowed.",
        repair="Remove properties, or raise the limit in the schema.",
        specification=f"{_VALIDATION}6.5.1",
        value="count",
        instance="object",
        unit="member",
        messages=_size("maxProperties", least=False),
        editor_messages={
            "maxProperties.remove": Counted(
                "Remove 1 entry: there is room for {limit:,}",
                "Remove {number:,} entries: there is room for {limit:,}",
            ),
        },
    ),
    Keyword(
        "minProperties",
        "object",
        advice="Fill in more of this",
        label="Too few properties",
        rule="An object has enough properties",
        description="The object has fewer properties than required.",
        repair="Add properties.",
        specification=f"{_VALIDATION}6.5.2",
        value="count",
        instance="object",
        unit="member",
        messages=_size("minProperties", least=True),
        editor_messages={
            "minProperties.fill": Counted(
                "Fill in at least 1 more of these", "Fill in at least {number:,} more of these"
            ),
        },
    ),
    Keyword(
        "required",
        "object",
        advice="Fill this in",
        label="Missing property",
        rule="An object has the properties that it must have",
        description="A property that the schema requires is missing.",
        repair="Add the property that the message names.",
        specification=f"{_VALIDATION}6.5.3",
        value="names",
        instance="object",
        messages={
            "required": "the property {name} is missing",
            "required.demand": Counted("have the property {names}", "have the properties {names}"),
            "required.clause": Counted("has the property {names}", "has the properties {names}"),
            "required.narrower": "the property {subject} is now required",
            "required.wider": "the property {subject} is no longer required",
        },
        editor_messages={
            "required.part": "Add this",
            "required.file": "Choose a file",
            "required.name": "Fill in {name}",
            "required.no-data": "Add the content of the widget: there is none in this text",
        },
    ),
    Keyword(
        "properties",
        "object",
        advice="Change this",
        label="Invalid property",
        rule="The properties of an object are valid",
        description="A property of the object does not match its schema.",
        specification=f"{_VALIDATION}6.5.4",
        value="schemas by name",
        instance="object",
        selectable=False,
        messages={
            "properties.demand": "have a property {name} that must {rest}",
            "properties.clause": "has a property {name} that {rest}",
            "properties.demand-be": "have {name} as {what}",
            "properties.clause-be": "has {name} as {what}",
            "properties.narrower": "the property {subject} is no longer allowed",
        },
    ),
    Keyword(
        "patternProperties",
        "object",
        advice="Change this",
        label="Invalid property",
        rule="Properties with certain names are valid",
        description="A property whose name matches a regular expression does not match the schema "
        "for it.",
        specification=f"{_VALIDATION}6.5.5",
        value="schemas by name",
        instance="object",
        selectable=False,
        messages={
            "patternProperties.narrower": "properties whose names match {subject} are no longer "
            "allowed",
            "patternProperties.wider": "properties whose names match {subject} are now allowed",
            "patternProperties.changed": "the schema of properties whose names match {subject} has "
            "changed",
        },
    ),
    Keyword(
        "additionalProperties",
        "object",
        advice="Remove this, or correct its name: it is not known here",
        label="Unknown property",
        rule="An object has no unknown properties",
        description="The schema does not describe a property of this name, and no others are "
        "allowed. Often the "
        "name is misspelled, or the property belongs in another object.",
        repair="Correct the name, move the property, or remove it.",
        fix=_SPELL + "corrects a misspelled name, if only one of the known names is similar.",
        specification=f"{_VALIDATION}6.5.6",
        value="schema",
        instance="object",
        messages={
            "additionalProperties": "unknown property {name}",
            "additionalProperties.narrower": "additional properties are no longer allowed",
            "additionalProperties.wider": "additional properties are now allowed",
            "member.narrower": "the property {subject} was removed",
            "member.wider": "new property {subject}",
            "member.described": "new property {subject}, which could have any value before",
        },
    ),
    Keyword(
        "dependencies",
        "object",
        advice="Fill this in",
        label="Missing dependent property",
        rule="A property comes with the properties that it requires",
        description="A property is present without another one that it requires.",
        repair="Add the property that the message names, or remove the one that requires it.",
        specification=f"{_VALIDATION}6.5.7",
        value="schemas or names by name",
        instance="object",
        messages={
            "dependencies": "the property {name} is missing: it is required because {other} is "
            "present",
            "dependency.narrower": "the property {name} now requires {other}",
            "dependency.wider": "the property {name} no longer requires {other}",
        },
    ),
    Keyword(
        "propertyNames",
        "object",
        advice="Rename this",
        label="Invalid property name",
        rule="The names of properties are valid",
        description="The name of a property does not match the schema of names.",
        repair="Rename the property.",
        fix="Corrects the name as it would correct a value; so does `--unsafe-fixes`.",
        specification=f"{_VALIDATION}6.5.8",
        value="schema",
        instance="object",
        messages={
            "propertyNames": "the property name {name} is not allowed: {because}",
            "propertyNames.none": "the property name {name} is not allowed: the object must be "
            "empty",
            "propertyNames.narrower": "the rule for property names has changed",
            "propertyNames.wider": "the rule for property names is less strict",
        },
        editor_messages={
            "propertyNames.rename": "Rename this: {advice}",
            "propertyNames.none": "Remove this: there can be no entries here",
        },
    ),
    # 6.6: conditions
    Keyword(
        "if",
        "condition",
        advice="Fill this in",
        label="Missing property of a condition",
        rule="The property that conditions test is present",
        description="Conditions of the schema that exclude each other test a property that is "
        "missing. A condition also holds without the property that it tests, so what they require "
        "applies all at once.",
        repair="Add the property that the message names. In the schema, `required` beside the "
        "condition and in `if` says that it must be there.",
        specification=f"{_VALIDATION}6.6.1",
        value="schema",
        messages={
            "if.missing": "the property {name} is missing, so the rules for each of its values "
            "apply: {values}",
            "if.holds": "the condition `if` holds",
            "if.holds-not": "the condition `if` does not hold",
            "if.narrower": "a condition (if) has changed",
            "if.wider": "a condition (if) has changed",
        },
    ),
    Keyword(
        "then",
        "condition",
        advice="Change this",
        label="Condition not met",
        rule="A value matches what a condition requires",
        description="The condition of the schema holds, and the value does not match what it then "
        "requires.",
        specification=f"{_VALIDATION}6.6.2",
        value="schema",
        selectable=False,
    ),
    Keyword(
        "else",
        "condition",
        advice="Change this",
        label="Condition not met",
        rule="A value matches what is required without a condition",
        description="The condition of the schema does not hold, and the value does not match what "
        "it requires "
        "otherwise.",
        specification=f"{_VALIDATION}6.6.3",
        value="schema",
        selectable=False,
    ),
    # 6.7: alternatives
    Keyword(
        "allOf",
        "alternatives",
        advice="Change this",
        label="Not all schemas match",
        rule="A value matches all of several schemas",
        description="The value does not match one of several schemas that all apply.",
        specification=f"{_VALIDATION}6.7.1",
        value="schemas",
        selectable=False,
    ),
    Keyword(
        "anyOf",
        "alternatives",
        advice="Change this: it is none of the kinds that are possible here",
        label="No alternative matches",
        rule="A value matches one of several schemas",
        description="The value matches none of the alternatives of the schema.",
        repair="Decide which alternative is meant, and write the value as that requires.",
        fix="Corrects how a value is written, and removes the quotes around a number or a boolean, "
        "if no other alternative can be meant. `--unsafe-fixes` also replaces a misspelled value.",
        specification=f"{_VALIDATION}6.7.2",
        value="schemas",
        messages={
            **_ALTERNATIVES,
            "anyOf.narrower": "the alternatives (anyOf) have changed",
            "anyOf.wider": "there are more alternatives (anyOf)",
            "anyOf.fewer": "one of the alternatives (anyOf) was removed",
        },
        editor_messages={
            "anyOf.either": "Fill in {names}",
            "anyOf.only-one": "Fill in only one of {names}",
            "anyOf.several": "Decide for one: this fits {kinds}",
            "anyOf.ambiguous": "Change this: it fits several kinds at once",
        },
    ),
    Keyword(
        "oneOf",
        "alternatives",
        advice="Change this: it is none of the kinds that are possible here",
        label="Not exactly one alternative matches",
        rule="A value matches exactly one of several schemas",
        description="The value matches none of the alternatives of the schema, or more than one.",
        repair="Decide which alternative is meant, and write the value as that requires. If the "
        "value "
        "matches several, the schema does not tell them apart: use `anyOf`.",
        fix="Corrects how a value is written, and removes the quotes around a number or a boolean, "
        "if no other alternative can be meant. `--unsafe-fixes` also replaces a misspelled value.",
        specification=f"{_VALIDATION}6.7.3",
        value="schemas",
        messages={
            "oneOf.narrower": "the alternatives (oneOf) have changed",
            "oneOf.wider": "there are more alternatives (oneOf)",
            "oneOf.fewer": "one of the alternatives (oneOf) was removed",
        },
    ),
    Keyword(
        "not",
        "alternatives",
        advice="Change this: it is not possible like this",
        label="Excluded value",
        rule="A value does not match an excluded schema",
        description="The value matches a schema that it must not match.",
        repair="Change the value so that it no longer matches.",
        specification=f"{_VALIDATION}6.7.4",
        value="schema",
        messages={
            "not": "{value} must not {demand}",
            "not.schema": "{value} matches the schema of `not`, which it must not",
            "not.narrower": "the excluded schema (not) has changed",
            "not.wider": "less is excluded (not)",
        },
        editor_messages={
            "not.values": "Choose something other than {values}",
            "not.filled": "Clear {names}",
            "not.together": "Do not fill in {names} together",
        },
    ),
    # 7 and 8: what strings mean
    Keyword(
        "format",
        "string",
        advice="Enter this in the right form",
        label="Invalid format",
        rule="A string has a certain format",
        description="The string does not have its format: it is not a date-time, an email "
        "address or a URI, for example.",
        repair="Write the string as the example in the message shows.",
        fix=_TRIM,
        specification=f"{_VALIDATION}7",
        value="string",
        instance="string",
        messages={
            "format": "{value} is not {format} such as {example}",
            "format.regex": "{value} is not {format}: {fault}",
            "format.general-regex": "{value} is not {format}",
            "format.is-other": "of the format {name}",
            "format.is-date-time": "a date-time",
            "format.is-date": "a date",
            "format.is-time": "a time",
            "format.is-email": "an email address",
            "format.is-idn-email": "an email address",
            "format.is-hostname": "a host name",
            "format.is-idn-hostname": "a host name",
            "format.is-ipv4": "an IPv4 address",
            "format.is-ipv6": "an IPv6 address",
            "format.is-uri": "an absolute URI",
            "format.is-uri-reference": "a URI reference",
            "format.is-iri": "an absolute IRI",
            "format.is-iri-reference": "an IRI reference",
            "format.is-uri-template": "a URI template",
            "format.is-json-pointer": "a JSON Pointer",
            "format.is-relative-json-pointer": "a relative JSON Pointer",
            "format.is-regex": "an ECMA 262 regular expression",
        },
        editor_messages={
            "format.enter": "Enter {format}, for example {example}",
            "format.without": "Enter {format} without {character}",
            "format.regex": "Enter a valid search pattern (a regular expression)",
            "format.is-date-time": "a date, a time and a time zone",
            "format.is-date": "a date as year-month-day",
            "format.is-time": "a time with seconds and a time zone",
            "format.is-email": "an email address",
            "format.is-idn-email": "an email address",
            "format.is-hostname": "the name of a website",
            "format.is-idn-hostname": "the name of a website",
            "format.is-ipv4": "an IP address (version 4)",
            "format.is-ipv6": "an IP address (version 6)",
            "format.is-uri": "a full web address",
            "format.is-uri-reference": "a web address",
            "format.is-iri": "a full web address",
            "format.is-iri-reference": "a web address",
            "format.is-uri-template": "a web address with placeholders",
            "format.is-json-pointer": "a path that begins with a slash",
            "format.is-relative-json-pointer": "a relative path",
            "format.is-regex": "a search pattern",
            "format.is-other": "this in the right form",
        },
    ),
    Keyword(
        "contentEncoding",
        "string",
        advice="Choose or paste this file again: it cannot be read",
        label="Invalid encoding",
        rule="A string is encoded as the schema says",
        description="The string cannot be decoded: it is not Base64, for example.",
        repair="Encode the content again.",
        specification=f"{_VALIDATION}8.3",
        value="string",
        instance="string",
        messages={"content": "{value} is not valid {content}"},
    ),
    Keyword(
        "contentMediaType",
        "string",
        advice="Check this: it is not of the kind that is needed here",
        label="Invalid content",
        rule="A string holds content of its media type",
        description="The content of the string does not have its media type: it is not JSON, for "
        "example.",
        repair="Correct the content of the string.",
        specification=f"{_VALIDATION}8.4",
        value="string",
        instance="string",
        editor_messages={
            "contentMediaType.empty": "Choose another file: this one is empty",
            "contentMediaType.too-large": "Choose a file of at most {most}",
            "contentMediaType.not-base64": "Choose a file",
            "contentMediaType.other-type": "Choose a file of the type {type}",
        },
    ),
    # References, and schemas as a whole
    Keyword(
        "$ref",
        "reference",
        advice="Ask the person who set up this form: its rules cannot be used",
        label="Referenced schema not matched",
        rule="A reference leads to a schema",
        description="The target of the reference does not exist, or the reference leads to more "
        "schemas "
        "than can be checked.",
        repair="Correct the reference, or pull the schema that it leads to.",
        specification=f"{_CORE}8.3",
        value="string",
        selectable=False,
    ),
    Keyword(
        "$id",
        "reference",
        advice="Ask the person who set up this form: its rules may be those of something else",
        label="Schema of another type",
        rule="A schema is the one that its `$id` names",
        description="The `$id` of the schema names another widget type, or one that is already "
        "taken.",
        repair="Fetch the schema again, or correct its `$id`.",
        specification=f"{_CORE}8.2",
        value="string",
        selectable=False,
    ),
    Keyword(
        "false",
        "whole",
        advice="Clear this: nothing is possible here",
        label="Value where none is allowed",
        rule="Nothing is allowed here",
        description="The schema is `false` at this place, so no value is valid.",
        repair="Remove the value.",
        specification=f"{_CORE}4.3.1",
        messages={
            "false": "nothing is allowed here",
            "false.if": "the value matches the condition `if`, which it must not",
            "false.when": "{condition}, which is not allowed",
            "nothing.narrower": "nothing is allowed here now",
            "nothing.wider": "something is now allowed here",
        },
        editor_messages={
            "false.remove": "Remove this: it is not possible here",
            "false.because": "This is not possible when {condition}",
        },
    ),
    Keyword(
        "schema",
        "whole",
        advice="Change what you entered last: something here is not possible",
        label="Schema not matched",
        rule="The data matches its schema",
        description="The data does not match its schema as a whole, and no single place can be "
        "blamed, or not all mistakes could be found with a bounded effort.",
        repair="Repair what other findings name, or compare the data with the schema.",
        specification=f"{_CORE}4.3.1",
        messages={
            "schema": "the value does not match the schema",
            "schema.cut": "the value does not match the schema; the search for all mistakes was "
            "cut off at its limit of effort",
        },
    ),
    # Keywords that assert nothing
    *_ANNOTATIONS,
    # JSON text (its messages are made where the text is read, in `jsontext`)
    Keyword(
        "json.syntax",
        "JSON text",
        advice="Check the commas, quotes and brackets: this cannot be read",
        label="Not JSON",
        rule="The file is JSON",
        description="The text is not JSON: a comma, a quote or a bracket is missing, or there is "
        "one too many.",
        repair="Correct the text at the line and column of the finding.",
        fix="Removes a comma before a closing bracket.",
        specification=f"{_JSON}2",
        messages={
            "json5.comment": "the comment that begins here is not closed",
            "json5.hash": "a comment begins with // or /*",
            "json5.escape": "the string that begins here has an escape that is not valid in JSON5",
            "json5.quote": "the string that begins here has no closing quote",
        },
        editor_messages={
            "json.syntax.line": "Check the commas, quotes and brackets near line {line:,}: this "
            "cannot be read",
        },
    ),
    Keyword(
        "json.empty",
        "JSON text",
        advice="Fill this in",
        label="Empty",
        rule="The file is not empty",
        description="The text holds no JSON value.",
        repair="Write a JSON value into the file, or exclude the file.",
        specification=f"{_JSON}2",
    ),
    Keyword(
        "json.encoding",
        "JSON text",
        advice="Save the file again, as UTF-8: its letters cannot be read",
        label="Not UTF-8",
        rule="The file is UTF-8",
        description="The bytes are not UTF-8, the encoding in which JSON is exchanged.",
        repair="Save the file as UTF-8.",
        fix="Removes a byte order mark.",
        specification=f"{_JSON}8.1",
    ),
    Keyword(
        "json.duplicate-member",
        "JSON text",
        advice="Remove one of the two entries with the same name",
        label="Duplicate member",
        rule="The members of an object have different names",
        description="Two members of an object have the same name, so one of them would be lost.",
        repair="Remove or rename one of the two.",
        specification=f"{_JSON}4",
    ),
    Keyword(
        "yaml.syntax",
        "JSON text",
        advice="Check the indentation and the quotes: this cannot be read",
        label="Not YAML",
        rule="The file is YAML",
        description="The text is not YAML: the indentation or a quote is wrong, an anchor does not "
        "exist, or the file has no value.",
        repair="Correct the text at the line and column of the finding.",
        specification=f"{_YAML}chapter-6-structural-productions",
        messages={
            "yaml.conflict": "there is a Git conflict marker, {marker}",
            "yaml.no-anchor": "there is no anchor {name} before this alias",
            "yaml.no-merge": "the merge key << must have a mapping or a list of mappings",
            "yaml.inside": "the alias {name} is inside the value that it stands for",
        },
    ),
    Keyword(
        "yaml.aliases",
        "JSON text",
        advice="Shorten this: it refers to itself too often",
        label="Aliases that multiply",
        rule="Aliases do not multiply a document",
        description="With its aliases resolved, the document would be more than ten times as large "
        "as the file, and larger than 1 MiB. Such files can stop a program that reads them.",
        repair="Write fewer aliases of what has aliases in it.",
        specification=f"{_YAML}7.1-alias-nodes",
        messages={
            "yaml.aliases": "with its aliases resolved, the document would have more than "
            "{number:,} characters",
        },
    ),
    Keyword(
        "yaml.version",
        "JSON text",
        advice="Put this in quotes if it is text",
        label="Another value in YAML 1.1",
        rule="Plain values mean the same in all versions of YAML",
        description="The value is read as YAML 1.2 reads it, and programs that read YAML 1.1 take "
        "it for another one: `no` for false, `010` for 8, `1:30` for 90, a date for a timestamp. "
        "This is a warning.",
        repair="Put the value in quotes if it is a text; otherwise write it as JSON does.",
        specification=f"{_YAML}10.3-core-schema",
        messages={
            "yaml.version": "{raw} is {now} here, but {was} in YAML 1.1",
            "yaml.version.more": "from here on, {number:,} values differ in YAML 1.1",
            "yaml.a-text": "a text",
            "yaml.a-timestamp": "a date",
            "yaml.number": "the number {value}",
            "hint.quotes": "write {value} if it is a text",
            "hint.quotes-or": "write {value} if it is a text, or {other}",
        },
    ),
    Keyword(
        "json.key",
        "JSON text",
        advice="Put the name in quotes",
        label="Name that is not a string",
        rule="The names of members are strings",
        description="The name of a member is not a string. Python values and YAML can have such a "
        "name.",
        repair="Convert the name to a string; in YAML, put it in quotes.",
        specification=f"{_JSON}4",
        messages={
            "yaml.key": "the member name {raw} is {what}, not a string",
            "yaml.key.null": "null",
            "yaml.key.boolean": "a boolean",
            "yaml.key.number": "a number",
            "yaml.key.collection": "a member name is a list or a mapping, not a string",
        },
    ),
    Keyword(
        "json.type",
        "JSON text",
        advice="Enter this as text, a number, or yes or no",
        label="Value that JSON cannot represent",
        rule="Values have a type of JSON",
        description="JSON has no value of this Python type, or of this tag of YAML.",
        repair="Convert the value: a `date` to a string, a `set` to a list, and so on.",
        specification=f"{_JSON}3",
        messages={
            "yaml.tag": "JSON has no value with the tag {tag}",
            "yaml.tag.mismatch": "{raw} is not what its tag {tag} says",
        },
    ),
    Keyword(
        "json.number",
        "JSON text",
        advice="Enter a smaller number",
        label="Unreadable number",
        rule="Numbers are valid JSON numbers",
        description="JSON cannot express the number, or it is too large to be read.",
        repair="Use a smaller number, or a string.",
        specification=f"{_JSON}6",
    ),
    Keyword(
        "json.surrogate",
        "JSON text",
        advice="Enter the text again: one of its characters is broken",
        label="Unpaired surrogate",
        rule="Strings are Unicode text",
        description="The string has half of a surrogate pair, which is not a character.",
        repair="Write the whole character, or remove the half.",
        specification=f"{_JSON}8.2",
    ),
    Keyword(
        "json.depth",
        "JSON text",
        advice="Use fewer levels: this has more of them than can be handled",
        label="Nested too deeply",
        rule="Values are not nested too deeply",
        description="Arrays and objects are nested deeper than the limit.",
        repair="Flatten the value, or raise `limits.max-depth`.",
        specification=f"{_JSON}9",
    ),
    Keyword(
        "json.size",
        "JSON text",
        advice="Shorten this: it is larger than can be handled",
        label="Record too large",
        rule="The file is not too large",
        description="The text has more bytes than the limit. In YAML, it may also have more values "
        "than one for each 64 bytes of the limit, and in JSON5 as many comments, names and values "
        "that JSON writes differently.",
        repair="Split the file, write it as JSON, or raise `limits.max-bytes`.",
        specification=f"{_JSON}9",
        messages={
            "yaml.values": "the file has more than {number:,} values, too many for YAML",
            "json5.size": "JSON writes more than {number:,} places of the file differently",
        },
    ),
    Keyword(
        "json.cycle",
        "JSON text",
        advice="Change this: it contains itself",
        label="Value that contains itself",
        rule="Values do not contain themselves",
        description="A value contains itself. Only Python values can.",
        repair="Break the cycle.",
        specification=f"{_JSON}2",
        selectable=False,
    ),
    # What a document says of itself
    Keyword(
        "document.type",
        "input",
        advice="Correct the type of the widget: it is not known",
        label="Unknown widget type",
        rule="A document names a widget type that exists",
        description="The property `type` of the document names a widget type that has no schema "
        "here, so its data was not checked.",
        repair="Correct the name, or add the schema of the type. If the type is not to be checked, "
        "add it to the setting `foreign-types`.",
        fix=_SPELL + "replaces a misspelled name, if it can only be that of one type.",
        messages={
            "document.type.unknown": "unknown widget type {value}",
            "document.type.string": "the property {name}, which names the widget type, must be a "
            "string",
        },
    ),
    # What keeps a file from being checked
    Keyword(
        "problem.document",
        "input",
        advice="Choose another file: this is not a widget",
        label="Not a widget document",
        rule="The file holds widget data or documents",
        description="The content of the file is not a widget document, so it was not checked.",
        repair="Check the file as data (`--type`), or exclude it.",
        exit_code=1,
    ),
    Keyword(
        "problem.type",
        "input",
        advice="Say of which type this widget is: it is not known",
        label="Unknown widget type",
        rule="The widget type of a file is known",
        description="The widget type of a file cannot be determined, or the configuration or an "
        "option names one that does not exist, so the file was not checked. A document names its "
        "type in the property `type`; the configuration can name it for files.",
        repair="Pass `--type`, add the file to the table `files` of the configuration, or pull "
        "the schema "
        "of the type.",
        exit_code=2,
    ),
    Keyword(
        "problem.file",
        "input",
        advice="Check the file: it cannot be read",
        label="Unreadable source",
        rule="The file can be read",
        description="The file could not be opened or read, so it was not checked.",
        repair="Make sure that the file exists and that you may read it.",
        exit_code=3,
    ),
    Keyword(
        "problem.truncated",
        "input",
        advice="Correct what is listed first: there is more",
        label="Too many findings",
        rule="All findings of a file are known",
        description="A document, or the file that it is in, has more findings than are looked for, "
        "so the others are not reported. The message says what was not checked.",
        repair="Correct the reported findings, and check again.",
    ),
    Keyword(
        "problem.schema",
        "input",
        advice="Ask the person who set up this form: its rules cannot be used",
        label="Unusable schema",
        rule="The schema can be used",
        description="The schema of this widget type cannot be used, so nothing was checked with "
        "it.",
        repair="Correct the schema, or pull it again.",
        exit_code=4,
    ),
    Keyword(
        "problem.network",
        "input",
        advice="Try again later: the rules for this widget could not be loaded",
        label="Schema could not be fetched",
        rule="The platform can be reached",
        description="A schema had to be fetched and could not be, so nothing was checked with it.",
        repair="Try again, or work from a folder of pulled schemas.",
        exit_code=5,
    ),
    # Lints of schemas
    Keyword(
        "keyword.unknown",
        "lint",
        advice="Ask the person who set up this form: a rule of it is misspelled",
        label="Misspelled keyword",
        rule="Keywords of a schema are spelled as in draft-07",
        description="The schema has a keyword that draft-07 does not know and that is spelled "
        "almost like one. It is ignored, so the schema accepts more than its author meant.",
        repair="Correct the keyword. The name of an annotation of your own should begin with `x-`.",
        specification=f"{_CORE}6.4",
        selectable=False,
        messages={"keyword.unknown": "unknown keyword {keyword}, which has no effect"},
    ),
    Keyword(
        "keyword.unsupported",
        "lint",
        advice="Ask the person who set up this form: a rule of it has no effect",
        label="Keyword of another draft",
        rule="Keywords of a schema are those of draft-07",
        description="The schema has a keyword of another draft of JSON Schema. Draft-07 ignores "
        "it, so the schema accepts more than its author meant. `$defs` is reported only if no "
        "reference leads into it.",
        repair="Use the keywords of draft-07 that the hint names, if there are any.",
        specification=f"{_CORE}6.4",
        selectable=False,
        messages={
            "keyword.unsupported": "{keyword} is a keyword of {draft}, and has no effect in "
            "draft-07",
            "keyword.unsupported.none": "draft-07 has no keyword for this: remove it",
        },
    ),
    Keyword(
        "keyword.no-effect",
        "lint",
        advice="Ask the person who set up this form: a rule of it has no effect",
        label="Keyword without effect",
        rule="Keywords of a schema have an effect",
        description="The schema has a keyword that can never matter beside the others: `minimum` "
        "where only strings are allowed, `then` without `if`, or `additionalItems` without an "
        "array of `items`.",
        repair="Remove the keyword, or correct the one that keeps it from having an effect.",
        specification=f"{_VALIDATION}3.2.1",
        selectable=False,
        messages={
            "keyword.no-effect.type": "{keyword} has no effect, since no {about} is allowed by "
            '"type"',
            "keyword.no-effect.then": '{keyword} has no effect without "if"',
            "keyword.no-effect.if": '"if" has no effect without "then" or "else"',
            "keyword.no-effect.items": '"additionalItems" has no effect, since "items" is not an '
            "array",
        },
    ),
    # The configuration
    Keyword(
        "ignore.unused",
        "configuration",
        advice="Remove an exception that is no longer needed from the settings",
        label="Ignore without a finding",
        rule="An ignore matches a finding",
        description="The configuration ignores findings that no longer exist.",
        repair="Remove the entry of `ignores`.",
    ),
    Keyword(
        "ignore.expired",
        "configuration",
        advice="Decide again about an exception in the settings that has expired",
        label="Ignore out of date",
        rule="An ignore has not expired",
        description="The configuration ignores findings until a day that has passed.",
        repair="Correct the findings, or set a new day and say why.",
    ),
    Keyword(
        "toml.syntax",
        "configuration",
        advice="Correct the settings: they cannot be read",
        label="Not TOML",
        rule="The configuration is TOML",
        description="The configuration file is not TOML, so nothing was checked.",
        repair="Correct the text at the line and column of the finding.",
        specification="https://toml.io/en/v1.0.0",
        selectable=False,
    ),
    Keyword(
        "toml.encoding",
        "configuration",
        advice="Save the settings again, as UTF-8: their letters cannot be read",
        label="Configuration that is not UTF-8",
        rule="The configuration is UTF-8",
        description="The bytes of the configuration file are not UTF-8 without a byte order mark.",
        repair="Save the file as UTF-8.",
        specification="https://toml.io/en/v1.0.0#spec",
        selectable=False,
    ),
    Keyword(
        "toml.depth",
        "configuration",
        advice="Correct the settings: they have too many levels",
        label="Configuration nested too deeply",
        rule="The configuration is not nested too deeply",
        description="Tables of the configuration file are nested deeper than any setting.",
        repair="Write the settings as the manual shows them.",
        selectable=False,
    ),
    Keyword(
        "toml.size",
        "configuration",
        advice="Shorten the settings: the file is too large",
        label="Configuration too large",
        rule="The configuration is not too large",
        description="The configuration file has more bytes than the limit.",
        repair="Remove the unknown setting.",
        selectable=False,
    ),
    Keyword(
        "environment",
        "configuration",
        advice="Correct the settings of this computer: one of them cannot be used",
        label="Unusable variable",
        rule="The environment variables hold settings",
        description="An environment variable holds a value that its setting does not take.",
        repair="Correct or unset the variable.",
        selectable=False,
    ),
    Keyword(
        "baseline",
        "configuration",
        advice="Choose another file: this is not a list of known problems",
        label="Unusable baseline",
        rule="The baseline file is valid",
        description="The file that should be a baseline is not, or is one of a newer version.",
        repair="Name another file, or write the baseline again.",
        selectable=False,
    ),
    Keyword(
        "more",
        "configuration",
        advice="Correct what is listed first: there is more",
        label="More findings",
        rule="All findings about the configuration are known",
        description="There are more findings about the configuration than are shown.",
        repair="Correct those that are shown, and try again.",
        selectable=False,
    ),
    # Forms
    Keyword(
        "stale",
        "form",
        advice="Compare this with the current content before you save: somebody changed it",
        label="Changed in the meantime",
        rule="A form shows the current data",
        description="The data or its schema has changed since the form was shown, so what was "
        "entered cannot be saved without a decision.",
        repair="Choose which of both values to keep, or compare what you entered with the data, "
        "and save again.",
        selectable=False,
        editor_messages={
            "stale.other-controls": "Check this before you save: the form has other fields or "
            "rules now. What you typed is here, what you chose from lists is not",
            "stale.conflict": "Choose which to keep: somebody else has changed this as well",
            "stale.unwritable": "Keep the other version: yours has a part that this form cannot "
            "write",
            "stale.gone": "Copy this if you need it: {place}, which had {text}, is not in this "
            "form",
            "stale.typed": "Enter this again where it belongs: {text} was typed for {label}, which "
            "is not in this form any more",
            "stale.unread": "Enter this where it belongs, and empty this field: {text} was typed "
            "for {label}",
            "stale.busy": "Save again: others keep changing this, so it was not saved",
        },
    ),
    Keyword(
        "form.pointer",
        "form",
        advice="Ask the person who set up this form: it describes something that does not exist",
        label="Description of a place that does not exist",
        rule="A form description names places of the schema",
        description="The description of a form names a place that its schema does not have.",
        repair="Correct the JSON Pointer.",
        selectable=False,
    ),
    Keyword(
        "form.choices",
        "form",
        advice="Ask the person who set up this form: it offers something that is not possible",
        label="Labels of values that are not allowed",
        rule="A form description labels allowed values",
        description="The description of a form labels a value that its schema does not allow.",
        repair="Correct the value.",
        selectable=False,
    ),
    Keyword(
        "form.members",
        "form",
        advice="Ask the person who set up this form: it names something that does not exist",
        label="Properties that do not exist",
        rule="A form description orders and groups properties that the schema names",
        description="The order, a group or a tab in the description of a form names a property "
        "that its schema does not name, or one that is somewhere else already.",
        repair="Correct the name.",
        selectable=False,
    ),
    Keyword(
        "form.texts",
        "form",
        advice="Ask the person who set up this form: one of its texts is not in your language",
        label="Text that is not translated",
        rule="A form description has its texts in each of its languages",
        description="A text in the description of a form is not in a language that others are in, "
        "or in the language of the form, so people read it in another one.",
        repair="Add the text in the language.",
        selectable=False,
    ),
    Keyword(
        "form.control",
        "form",
        advice="Correct this: it was not understood",
        label="Input that a control does not understand",
        rule="A control of the application reads what is typed",
        description="A control of the application refused what was typed or chosen.",
        repair="Enter something else; the message says what the control expects.",
        selectable=False,
    ),
    Keyword(
        "form.name",
        "form",
        advice="Choose another name, or remove this and add it again: under this name, a secret "
        "would be shown",
        label="Name that cannot be used",
        rule="A new property has a name, and a secret stays one under its new name",
        description="A property was added without a name, or one that holds a secret was renamed "
        "to a name under which the schema does not declare a secret, so each page would show it.",
        repair="Enter another name, or remove the property.",
        selectable=False,
        editor_messages={"form.name.missing": "Enter a name, or remove this"},
    ),
    Keyword(
        "form.kind",
        "form",
        advice="Ask the person who set up this form: one of its fields has the wrong kind",
        label="Control that does not fit",
        rule="A form description chooses controls that fit",
        description="The description of a form chooses a control that cannot hold the value.",
        repair="Choose another kind of control.",
        selectable=False,
    ),
    Keyword(
        "migration.schema",
        "migration",
        advice="Ask the person who set up this migration: it is meant for other rules",
        label="Plan for another schema",
        rule="A plan of a migration is for these schemas",
        description="The plan of a migration has the digest of another schema than the one that it "
        "is used with.",
        repair="Pass the schema that the plan is for, in commands with `--old` or `--new`; make "
        "the plan again; or compare both schemas, and correct the digest.",
        selectable=False,
    ),
    Keyword(
        "migration.step",
        "migration",
        advice="Ask the person who set up this migration: it cannot be carried out here",
        label="Step that cannot be carried out",
        rule="The steps of a migration can be carried out",
        description="A step of a migration is wrong, or meets data in which it cannot be carried "
        "out: another property already has the new name, for example. The record stays as it is.",
        repair="Correct the plan: an earlier step can move or drop what is in the way.",
        selectable=False,
    ),
    Keyword(
        "migration.code",
        "migration",
        advice="Ask the person who set up this migration: it runs a program that is not permitted",
        label="Code that is not permitted",
        rule="A plan of a migration runs code only where that is permitted",
        description="A step of a migration calls a function of Python, which was not permitted.",
        repair="Read the function; then permit it with `--allow-code`, or `allow_code=True`.",
        selectable=False,
    ),
    Keyword(
        "migration.version",
        "migration",
        advice="Ask the person who set up this migration: this is of another version",
        label="Another model version",
        rule="A document has the model version that is migrated",
        description="The `modelVersion` of a document is neither the old nor the new one of the "
        "plan. The record stays as it is.",
        repair="Migrate it with the plan for its version.",
        selectable=False,
    ),
)

OTHER_DRAFTS: Final[dict[str, tuple[str, str | None]]] = {
    "$anchor": ("2019-09", 'write "$id": "#name"'),
    "$defs": ("2019-09", 'write "definitions"'),
    "$dynamicAnchor": ("2020-12", None),
    "$dynamicRef": ("2020-12", 'write "$ref"'),
    "$recursiveAnchor": ("2019-09", None),
    "$recursiveRef": ("2019-09", 'write "$ref"'),
    "contentSchema": ("2019-09", None),
    "dependentRequired": ("2019-09", 'write "dependencies"'),
    "dependentSchemas": ("2019-09", 'write "dependencies"'),
    "disallow": ("draft-03", 'write "not"'),
    "divisibleBy": ("draft-03", 'write "multipleOf"'),
    "maxContains": ("2019-09", None),
    "minContains": ("2019-09", None),
    "prefixItems": ("2020-12", 'write "items" with an array, and "additionalItems"'),
    "unevaluatedItems": ("2019-09", None),
    "unevaluatedProperties": ("2019-09", None),
}
"""Keywords that assert something in other drafts only, with the draft and what to write instead."""

ANNOTATION_WORDS: Final = frozenset(
    "constrains contacts contained container containers cost decryption defaults descriptions "
    "descriptive descriptor ease example formats formal noneOf nor note patterns repaired requires "
    "than the them they tile titled titles".split()
)
"""Words that are near a keyword, but that people use as annotations."""

# Messages that are not about one keyword.
_SHARED: Final[dict[str, Text]] = {
    "or": Joined(", ", " or "),
    "or-each": Joined(" or ", " or "),
    "or-each-of": Joined(", ", ", or "),
    "and": Joined(" and ", " and "),
    "list": Joined(", ", ", "),
    "list.more": "{items} and {number:,} more",
    "be.demand": "be {what}",
    "be.clause": "is {what}",
    "be.one-of": "one of {values}",
    "count.character": Counted("1 character", "{number:,} characters"),
    "count.item": Counted("1 item", "{number:,} items"),
    "count.member": Counted("1 property", "{number:,} properties"),
    "count.no-character": "no characters",
    "count.no-item": "no items",
    "count.no-member": "no properties",
    "general.value": "the value",
    "count.array": "the array",
    "count.object": "the object",
    "alternative.title": '"{title}"',
    "alternative.number": "alternative {number}",
    "because.present": "{sentence} (required because the property {name} is present)",
    "because.nearest": "{sentence} (as {title}, the nearest of {number} alternatives)",
    "because.if": "{sentence} (the condition `if` holds)",
    "because.if-of": "{sentence} (the condition `if` of {place} holds)",
    "because.else": "{sentence} (the condition `if` does not hold)",
    "because.else-of": "{sentence} (the condition `if` of {place} does not hold)",
    "because.when": "{sentence} (when {condition})",
    "because.unless": "{sentence} (unless {condition})",
    "condition.member": "{name} {clause}",
    "condition.is-or-missing": "{name} is missing or {what}",
    "condition.member-or-missing": "{name} is missing or {clause}",
    "condition.present": "{name} is present",
    "condition.value": "the value {clause}",
    "limit.new": "there was no {new}, and it is now {now}",
    "limit.gone": "the {old} was {was}, and there is none now",
    "limit.changed": "the {old} was {was} and is {now}",
    "limit.replaced": "the {old} was {was} and the {new} is {now}",
    "limit.narrower": "an alternative had the {old} {was}, and the {new} is now {now}",
    "limit.wider": "the {old} was {was}, and an alternative now has the {new} {now}",
    "limit.new.narrower": "an alternative had no {new}, and it is now {now}",
    "limit.new.wider": "the {old} was {was}, and an alternative now has none",
    "guess.one": "{old} is gone and {new} is new with {reason}: {guess}",
    "guess.many": "{old} are gone and {new} are new with {reason}: {guess}",
    "guess.rename": "probably renamed",
    "guess.rename-perhaps": "perhaps renamed",
    "guess.move": "probably moved",
    "guess.move-perhaps": "perhaps moved",
    "guess.value": "probably renamed",
    "guess.value-perhaps": "perhaps renamed",
    "guess.schema.same": "the same schema",
    "guess.schema.similar": "a similar schema",
    "guess.name.same": "the same name",
    "guess.name.letters": "the same name but for case and separators",
    "guess.name.similar": "a similar name",
    "guess.name.words": "a name that shares a word",
    "guess.name.begins": "a name that begins with the other",
    "guess.title.same": "the same title",
    "guess.description.same": "the same description",
    "guess.value.letters": "the same letters but for case and separators",
    "guess.value.similar": "a similar spelling",
    "guess.value.begins": "spellings that begin alike",
    "guess.value.only": "no other new value",
    "effort.narrower": "the schemas are too large or too deeply nested here to be compared "
    "completely",
    "effort.wider": "the schemas are too large or too deeply nested here to be compared completely",
    "hint.write": "write {value}",
    "hint.write-not": "write {value}, not {wrong}",
    "hint.space": "write {value}, without the extra space",
    "hint.case": "write {value}: upper and lower case matter",
    "hint.types": "the known types are {names}; one that is not to be checked belongs in "
    "foreign-types in the configuration",
    "hint.meant": "did you mean {value}?",
    "hint.belongs": "{name} belongs in {places}",
    "hint.rename": "rename it to {name}, which is missing",
    "hint.add-if": 'add "if", or remove it',
    "hint.add-then": 'add "then" or "else", or remove it',
    "hint.remove": "remove {keyword}",
    "hint.remove-or-type": 'remove {keyword}, or correct "type"',
    "hint.misspelled": "{name} may be a misspelling of {meant}",
    "hint.list": "write it in a list: {value}",
    "hint.no-list": "write {value}, without the list",
    "hint.not-text": "write the {kind} itself, not its JSON text",
    "hint.exclusive": "remove all but one of them",
    "hint.time": "a time has hours, minutes, seconds and an offset: {value}",
    "hint.date-time": "a date-time has a date, a time and an offset: {value}",
}

_SHARED_BY_ALL: Final = ("or", "and", "list")  # by both registers

# The same for people who edit content.
_SHARED_BY_EDITORS: Final[dict[str, Text]] = {
    "advice.because": "{sentence} (needed because {reason})",
    "advice.at": "{place}: {sentence}",
    "advice.or": Joined("; or ", "; or "),
    "row": Joined(", ", " and "),
    "place": Joined(" › ", " › "),
    "place.item": "item {number:,}",
    "name": "“{name}”",
    "value.empty": "an empty text",
    "value.null": "empty",
    "value.true": "yes",
    "value.false": "no",
    "reason.filled": "{name} is filled in",
    "reason.is": "{name} is {value}",
    "reason.is-not": "{name} is not {value}",
    "reason.missing-or": "{name} is not filled in, or is {value}",
    "use.value": "Use {value}",
    "use.list": "Make it a list",
    "use.only": "Take it out of the list",
    "use.name": "Rename to {name}",
    "use.rename": "Rename {old} to {name}",
}

FORMATS: Final[dict[str, str]] = {
    "date-time": "2026-11-27T00:00:00Z",
    "date": "2026-11-27",
    "time": "09:30:00Z",
    "email": "name@example.com",
    "idn-email": "name@example.com",
    "hostname": "www.example.com",
    "idn-hostname": "www.example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.com/page",
    "uri-reference": "/page?id=1",
    "iri": "https://example.com/page",
    "iri-reference": "/page?id=1",
    "uri-template": "https://example.com/{id}",
    "json-pointer": "/content/title",
    "relative-json-pointer": "1/title",
    "regex": "^[a-z]+$",
}
"""The formats of draft-07 (section 7.3), each with a value that has it; others assert nothing."""

FORMAT_SYNTAX: Final[dict[str, str]] = {
    "date-time": "a date, `T` and a time with a UTC offset (RFC 3339, `date-time`), from the year "
    "0000 on. The second 60 is accepted only at the end of a day in UTC",
    "date": "a date that exists, from the year 0000 on (RFC 3339, `full-date`)",
    "time": "a time with seconds and a UTC offset (RFC 3339, `full-time`). The second 60 is "
    "accepted only at the end of a day in UTC",
    "email": "one mailbox in ASCII (RFC 5321, `Mailbox`): up to 64 characters, `@`, and a host "
    "name or an IP address in brackets, without a display name, angle brackets, comments, or "
    "spaces around it. What is left of the `@` may be quoted; in quotes, a backslash may not "
    "precede a space",
    "idn-email": "one mailbox as for `email`, also with characters beyond ASCII (RFC 6531, "
    "`Mailbox`); the host is an `idn-hostname`",
    "hostname": "labels of letters, digits and hyphens (RFC 1123), without a dot at the end. "
    "Labels that begin with `xn--` must be valid Punycode",
    "idn-hostname": "a host name that may have characters beyond ASCII (RFC 5890), as it is after "
    "the mapping of UTS 46, which makes `Ａ` an `a`, without a dot at the end",
    "ipv4": "four decimal numbers without leading zeros (RFC 2673, section 3.2)",
    "ipv6": "an IPv6 address without a zone (RFC 4291, section 2.2)",
    "uri": "a URI with a scheme (RFC 3986, `URI`)",
    "uri-reference": "a URI or a relative reference (RFC 3986, `URI-reference`)",
    "iri": "a URI that may have characters beyond ASCII (RFC 3987, `IRI`)",
    "iri-reference": "an IRI or a relative reference (RFC 3987, `IRI-reference`)",
    "uri-template": "a URI template (RFC 6570), with any characters beyond ASCII",
    "json-pointer": "a JSON Pointer that is not a fragment (RFC 6901, section 3)",
    "relative-json-pointer": "a number, and `#` or a JSON Pointer (Relative JSON Pointers, "
    "section 3)",
    "regex": "a regular expression of ECMA 262, with the Unicode reading of characters",
}
"""The texts that each format accepts, described in Markdown."""

KEYWORDS: Final[dict[str, Keyword]] = {one.code: one for one in _KEYWORDS}
"""The entries by their code, keywords of draft-07 first, in the order of the specification."""

UNKNOWN: Final = "unknown"  # the id of what is said about unknown codes to people

_UNKNOWN: Final = Keyword(
    "",
    "whole",
    advice="Change this: it is not possible like this",
    label="Not allowed by the schema",
    rule="The keyword {code} is satisfied",
    description="The data does not match the keyword `{code}` of its schema.",
)


def keyword_of(code: str) -> Keyword:
    """Return the entry of a code; an unknown one gets a general entry."""
    known = KEYWORDS.get(code)
    if known is not None:
        return known
    return _UNKNOWN._replace(
        code=code,
        rule=_UNKNOWN.rule.format(code=code),
        description=_UNKNOWN.description.format(code=code),
    )


ASSERTIONS: Final = frozenset(
    code
    for code, one in KEYWORDS.items()
    if one.category != "annotation"
    and one.value in ("any", "array", "boolean", "count", "names", "number", "type names")
)
"""Keywords that assert something without subschemas, and that every validator reads alike."""


def codes(category: Category) -> list[str]:
    """Return the codes of a category."""
    return [one.code for one in _KEYWORDS if one.category == category]


# Texts


class Texts(dict[str, Callable[..., str]]):
    """The texts of a register as functions of their parameters, by id; made when first used."""

    def __init__(self, register: Register) -> None:
        super().__init__()
        self.register = register

    def __missing__(self, id: str) -> Callable[..., str]:
        text = self[id] = text_function(texts_of(self.register)[id])
        return text

    def __contains__(self, id: object) -> bool:
        return id in texts_of(self.register)

    __hash__ = object.__hash__  # type: ignore[assignment]  # by identity: it only ever grows


@cache
def texts(register: Register = "developer") -> Texts:
    """Return the texts of a register."""
    return Texts(register)


@cache
def texts_of(register: Register) -> Mapping[str, Text]:
    """Return the templates of a register by id."""
    found: dict[str, Text] = {}
    if register == "developer":
        found |= _SHARED
        for one in _KEYWORDS:
            found |= one.messages
        return found
    found |= {id: _SHARED[id] for id in _SHARED_BY_ALL}
    found |= {**_SHARED_BY_EDITORS, UNKNOWN: _UNKNOWN.advice}
    for one in _KEYWORDS:
        found |= {one.code: one.advice} if one.advice else {}
        found |= one.editor_messages
    return found


def text_function(text: Text) -> Callable[..., str]:
    """Return a text as a function of its parameters, which have names."""
    if isinstance(text, Counted):
        one, other = _template(text.one), _template(text.other)
        return lambda number, **parameters: (
            one(**parameters) if number == 1 else other(number=number, **parameters)
        )
    if isinstance(text, Joined):
        return lambda items: (
            "".join(items)
            if len(items) < 2
            else text.last.join((text.separator.join(items[:-1]), items[-1]))
        )
    return _template(text)


def _template(text: str) -> Callable[..., str]:
    """Return the function that fills in a template: for few fields faster than `str.format`."""
    from string import Formatter  # most runs say nothing

    fields = [*Formatter().parse(text)]
    names = [name for _, name, _, _ in fields if name is not None]
    before = [literal for literal, _, _, _ in fields]
    after = before.pop() if len(before) > len(names) else ""
    has_braces = "{{" in text or "}}" in text
    if any(specification for _, _, specification, _ in fields) or len(names) > 3 or has_braces:
        return text.format
    if not names:
        return lambda **_: after
    if len(names) == 1:
        return lambda **p: f"{before[0]}{p[names[0]]}{after}"
    if len(names) == 2:
        (a, b), (first, second) = before, names
        return lambda **p: f"{a}{p[first]}{b}{p[second]}{after}"
    (a, b, c), (first, second, third) = before, names
    return lambda **p: f"{a}{p[first]}{b}{p[second]}{c}{p[third]}{after}"

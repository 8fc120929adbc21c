"""What each keyword of a finding asks for, in plain words, and where its specification is."""

from __future__ import annotations

from typing import Final, NamedTuple

_VALIDATION: Final = (
    "https://datatracker.ietf.org/doc/html/draft-handrews-json-schema-validation-01#section-"
)
_CORE: Final = "https://datatracker.ietf.org/doc/html/draft-handrews-json-schema-01#section-"
_JSON: Final = "https://www.rfc-editor.org/rfc/rfc8259#section-"


class Rule(NamedTuple):
    """A keyword in a few words, in a sentence or two, and the address of its specification."""

    short: str
    full: str
    uri: str | None = None


def rule(keyword: str) -> Rule:
    """The rule for a keyword; one that is not known gets a general one."""
    known = RULES.get(keyword)
    if known is not None:
        return known
    short = f"What the keyword {keyword} asks for"
    return Rule(short, f"The data do not match the keyword {keyword} of their schema.")


RULES: Final[dict[str, Rule]] = {
    "type": Rule(
        "A value has one of the types that are allowed",
        "The value has another type than its schema allows: a string in place of a number, say.",
        f"{_VALIDATION}6.1.1",
    ),
    "enum": Rule(
        "A value is one of those that are listed",
        "The schema lists the values that are allowed here, and this is none of them.",
        f"{_VALIDATION}6.1.2",
    ),
    "const": Rule(
        "A value is the one that is fixed",
        "Only one value is allowed here, and this is another.",
        f"{_VALIDATION}6.1.3",
    ),
    "multipleOf": Rule(
        "A number is a multiple of another",
        "The number must be a whole multiple of the one in the schema.",
        f"{_VALIDATION}6.2.1",
    ),
    "maximum": Rule(
        "A number is not too large",
        "The number is above the largest one that is allowed.",
        f"{_VALIDATION}6.2.2",
    ),
    "exclusiveMaximum": Rule(
        "A number is below a limit",
        "The number must be below the limit, which is not allowed itself.",
        f"{_VALIDATION}6.2.3",
    ),
    "minimum": Rule(
        "A number is not too small",
        "The number is below the smallest one that is allowed.",
        f"{_VALIDATION}6.2.4",
    ),
    "exclusiveMinimum": Rule(
        "A number is above a limit",
        "The number must be above the limit, which is not allowed itself.",
        f"{_VALIDATION}6.2.5",
    ),
    "maxLength": Rule(
        "A string is not too long",
        "The string has more characters than are allowed.",
        f"{_VALIDATION}6.3.1",
    ),
    "minLength": Rule(
        "A string is long enough",
        "The string has fewer characters than are asked for.",
        f"{_VALIDATION}6.3.2",
    ),
    "pattern": Rule(
        "A string matches a regular expression",
        "The regular expression of the schema (ECMA 262) does not match anywhere in the string.",
        f"{_VALIDATION}6.3.3",
    ),
    "items": Rule(
        "The items of an array are valid",
        "An item of the array does not match what the schema says of items.",
        f"{_VALIDATION}6.4.1",
    ),
    "additionalItems": Rule(
        "An array has no further items",
        "The array has more items than the schema describes, and others are not allowed.",
        f"{_VALIDATION}6.4.2",
    ),
    "maxItems": Rule(
        "An array is not too long",
        "The array has more items than are allowed.",
        f"{_VALIDATION}6.4.3",
    ),
    "minItems": Rule(
        "An array is long enough",
        "The array has fewer items than are asked for.",
        f"{_VALIDATION}6.4.4",
    ),
    "uniqueItems": Rule(
        "The items of an array differ",
        "Two items of the array are equal, and each may be there only once.",
        f"{_VALIDATION}6.4.5",
    ),
    "contains": Rule(
        "An array has an item of a certain sort",
        "At least one item must match the schema of contains, and none does.",
        f"{_VALIDATION}6.4.6",
    ),
    "maxProperties": Rule(
        "An object has not too many members",
        "The object has more members than are allowed.",
        f"{_VALIDATION}6.5.1",
    ),
    "minProperties": Rule(
        "An object has enough members",
        "The object has fewer members than are asked for.",
        f"{_VALIDATION}6.5.2",
    ),
    "required": Rule(
        "An object has the members that it must have",
        "A member that the schema requires is missing.",
        f"{_VALIDATION}6.5.3",
    ),
    "properties": Rule(
        "The members of an object are valid",
        "A member of the object does not match what the schema says of it.",
        f"{_VALIDATION}6.5.4",
    ),
    "patternProperties": Rule(
        "Members with certain names are valid",
        "A member whose name matches a regular expression does not match the schema for it.",
        f"{_VALIDATION}6.5.5",
    ),
    "additionalProperties": Rule(
        "An object has no unknown members",
        "The schema does not know a member of this name, and others are not allowed. Often the "
        "name is misspelt, or belongs into another object.",
        f"{_VALIDATION}6.5.6",
    ),
    "dependencies": Rule(
        "A member comes with those that it needs",
        "A member is there without another one that it needs.",
        f"{_VALIDATION}6.5.7",
    ),
    "propertyNames": Rule(
        "The names of members are valid",
        "The name of a member does not match what the schema says of names.",
        f"{_VALIDATION}6.5.8",
    ),
    "if": Rule(
        "A condition of the schema",
        "What the schema asks for depends on a condition.",
        f"{_VALIDATION}6.6.1",
    ),
    "then": Rule(
        "What a condition asks for is there",
        "The condition of the schema is true, and what then follows is not.",
        f"{_VALIDATION}6.6.2",
    ),
    "else": Rule(
        "What a condition otherwise asks for is there",
        "The condition of the schema is false, and what otherwise follows is not true, either.",
        f"{_VALIDATION}6.6.3",
    ),
    "allOf": Rule(
        "A value matches all of several schemas",
        "One of the schemas that must all match does not.",
        f"{_VALIDATION}6.7.1",
    ),
    "anyOf": Rule(
        "A value matches one of several schemas",
        "None of the alternatives of the schema matches.",
        f"{_VALIDATION}6.7.2",
    ),
    "oneOf": Rule(
        "A value matches exactly one of several schemas",
        "None of the alternatives of the schema matches, or more than one does.",
        f"{_VALIDATION}6.7.3",
    ),
    "not": Rule(
        "A value does not match what is excluded",
        "The value matches a schema that it must not match.",
        f"{_VALIDATION}6.7.4",
    ),
    "format": Rule(
        "A string has the form that is asked for",
        "The string is no date-time, address, URI or whatever its format is.",
        f"{_VALIDATION}7",
    ),
    "contentEncoding": Rule(
        "A string is encoded as it says",
        "The string cannot be decoded: it is not Base64, for example.",
        f"{_VALIDATION}8.3",
    ),
    "contentMediaType": Rule(
        "A string holds what it says",
        "The content of the string is not of its media type: it is not JSON, for example.",
        f"{_VALIDATION}8.4",
    ),
    "$ref": Rule(
        "A reference leads to a schema",
        "What the reference leads to does not match, or is not there.",
        f"{_CORE}8.3",
    ),
    "false": Rule(
        "Nothing is allowed here",
        "The schema is false at this place: whatever stands here is one too many.",
        f"{_CORE}4.3.1",
    ),
    "schema": Rule(
        "The data match their schema",
        "The data do not match their schema as a whole. No single place can be blamed.",
        _CORE + "4.3.1",
    ),
    "json.syntax": Rule(
        "The file is JSON",
        "The text is not JSON: a comma, a quote or a bracket is missing or too much.",
        f"{_JSON}2",
    ),
    "json.empty": Rule("The file is not empty", "There is no JSON value in the text.", f"{_JSON}2"),
    "json.encoding": Rule(
        "The file is UTF-8",
        "The bytes are not UTF-8, which is how JSON is exchanged.",
        f"{_JSON}8.1",
    ),
    "json.duplicate-member": Rule(
        "Members of an object have different names",
        "Two members of an object have the same name, so that one of them would be lost.",
        f"{_JSON}4",
    ),
    "json.key": Rule(
        "Names of members are strings", "The name of a member is not a string.", f"{_JSON}4"
    ),
    "json.type": Rule("Values are those of JSON", "JSON has no value of this type.", f"{_JSON}3"),
    "json.number": Rule(
        "Numbers are those of JSON",
        "The number cannot be written in JSON, or is too large to be read.",
        f"{_JSON}6",
    ),
    "json.surrogate": Rule(
        "Strings are Unicode text",
        "The string has half of a surrogate pair, which is no character.",
        f"{_JSON}8.2",
    ),
    "json.depth": Rule(
        "Values are not nested too deeply",
        "Arrays and objects are nested deeper than the limit.",
        f"{_JSON}9",
    ),
    "json.size": Rule(
        "The file is not too large", "The text has more bytes than the limit.", f"{_JSON}9"
    ),
    "json.cycle": Rule("Values do not hold themselves", "A value holds itself.", f"{_JSON}2"),
    "problem.document": Rule(
        "The file holds widget data or documents",
        "What is in the file is no widget document, so it was not checked.",
    ),
    "problem.type": Rule(
        "It is known which widget type a file is of",
        "Nothing says which widget type this is, or there is no such type, so it was not checked. "
        "A document says it in its member type; the configuration can say it for files.",
    ),
    "problem.file": Rule(
        "The file can be read", "The file could not be opened or read, so it was not checked."
    ),
    "problem.truncated": Rule(
        "All findings of a document are known",
        "The document has more findings than are looked for, so the others are not reported.",
    ),
    "problem.schema": Rule(
        "The schema can be used",
        "The schema of this widget type cannot be used, so nothing was checked by it.",
    ),
    "problem.network": Rule(
        "The platform can be reached",
        "A schema had to be fetched, and could not be, so nothing was checked by it.",
    ),
    "ignore.unused": Rule(
        "What is ignored is there",
        "The configuration ignores findings that no longer exist: the entry can go.",
    ),
    "ignore.expired": Rule(
        "What is ignored is ignored for a time",
        "The configuration ignores findings until a day that is past: mend them, or decide anew.",
    ),
}

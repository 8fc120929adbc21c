"""The widget types of the tests: the bundled ones, and one with rows."""

from __future__ import annotations

import json
from typing import Any, Final

from widgetschema import Catalog

FAQ: Final[dict[str, Any]] = {
    "$id": "faq",
    "$schema": "http://json-schema.org/draft-07/schema#",
    "title": "Questions",
    "properties": {
        "data": {
            "type": "object",
            "additionalProperties": False,
            "required": ["items"],
            "properties": {
                "title": {"type": "string", "title": "Headline"},
                "accent": {"type": "string", "pattern": "^#[0-9a-f]{6}$"},
                "items": {
                    "type": "array",
                    "minItems": 1,
                    "items": {
                        "type": "object",
                        "required": ["q"],
                        "additionalProperties": False,
                        "properties": {
                            "q": {"type": "string", "minLength": 3},
                            "a": {"type": "string"},
                            "rank": {"type": "integer", "minimum": 0},
                        },
                    },
                },
            },
        }
    },
}
# An earlier version of it.
QUESTIONS: Final[dict[str, Any]] = json.loads(json.dumps(FAQ).replace('"q"', '"question"'))
NUMBERS: Final[dict[str, Any]] = {
    "$id": "numbers",
    "$schema": "http://json-schema.org/draft-07/schema#",
    "properties": {"data": {"type": "object"}},
}
EVENT: Final[dict[str, Any]] = {
    "$id": "event",
    "$schema": "http://json-schema.org/draft-07/schema#",
    "properties": {
        "data": {
            "type": "object",
            "required": ["tags"],
            "properties": {
                "title": {"type": "string", "minLength": 3, "description": "What people read."},
                "day": {"type": "string", "format": "date"},
                "place": {"oneOf": [{"type": "string"}, {"$ref": "#/definitions/Place"}]},
                "tags": {"type": "array", "items": {"type": "string", "minLength": 2}},
                "for": {"type": "array", "uniqueItems": True, "items": {"enum": ["kids", "all"]}},
                "share": {"type": "number", "minimum": 0, "maximum": 100, "multipleOf": 5},
            },
        }
    },
    "definitions": {
        "Place": {
            "type": "object",
            "required": ["name"],
            "properties": {"name": {"type": "string"}, "in": {"$ref": "#/definitions/Place"}},
        }
    },
}
MEDIA: Final[dict[str, Any]] = {
    "$id": "media",
    "$schema": "http://json-schema.org/draft-07/schema#",
    "properties": {
        "data": {
            "type": "object",
            "properties": {
                "alt": {"type": "string"},
                "image": {
                    "type": "string",
                    "contentEncoding": "base64",
                    "contentMediaType": "image/gif",
                },
            },
        }
    },
}
TYPES: Final = {"faq": FAQ, "numbers": NUMBERS, "event": EVENT, "media": MEDIA}


def catalog() -> Catalog:
    """Return the catalog that the setting names."""
    return Catalog([TYPES, *Catalog.default().sources])

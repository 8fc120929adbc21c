"""JSON documents: strict text ⇄ values, and where in the text a JSON Pointer is.

Its jobs, one file each, all without I/O:

- `reading`: bytes or text to a value, refusing what RFC 8259 leaves open;
- `diagnosis`: why a text was refused, with line and column;
- `positions`: line and column of any JSON Pointer, made only when a finding needs it;
- `tree`: the text itself as a tree, in which nothing is lost;
- `rewriting`: a text with one element of its tree replaced, `layout`: how it is laid out;
- `equality`: when two values are equal;
- `values`: Python values that people built by hand: can JSON carry them?
"""

from typing import TYPE_CHECKING

from widgetschema.jsontext.limits import DEFAULT_LIMITS as DEFAULT_LIMITS
from widgetschema.jsontext.limits import Limits as Limits
from widgetschema.later import later

if TYPE_CHECKING:
    from widgetschema.jsontext.positions import Location as Location
    from widgetschema.jsontext.positions import SourceText as SourceText
    from widgetschema.jsontext.reading import Text as Text
    from widgetschema.jsontext.reading import json_text as json_text
    from widgetschema.jsontext.reading import read as read
    from widgetschema.jsontext.rewriting import Items as Items
    from widgetschema.jsontext.rewriting import Keep as Keep
    from widgetschema.jsontext.rewriting import Members as Members
    from widgetschema.jsontext.rewriting import NewMember as NewMember
    from widgetschema.jsontext.rewriting import Raw as Raw
    from widgetschema.jsontext.rewriting import rewrite as rewrite
    from widgetschema.jsontext.rewriting import value_of as value_of
    from widgetschema.jsontext.tree import Element as Element
    from widgetschema.jsontext.tree import Member as Member
    from widgetschema.jsontext.tree import Tree as Tree
    from widgetschema.jsontext.tree import parse as parse
    from widgetschema.jsontext.values import Guard as Guard
    from widgetschema.jsontext.values import dump as dump
    from widgetschema.jsontext.values import plain_copy as plain_copy
    from widgetschema.jsontext.values import pointer_of as pointer_of
    from widgetschema.jsontext.values import preview as preview

# Loaded when asked for: a run over files that have not changed reads none.
_LATER = {
    "Element": "widgetschema.jsontext.tree",
    "Guard": "widgetschema.jsontext.values",
    "Items": "widgetschema.jsontext.rewriting",
    "Keep": "widgetschema.jsontext.rewriting",
    "Location": "widgetschema.jsontext.positions",
    "Member": "widgetschema.jsontext.tree",
    "Members": "widgetschema.jsontext.rewriting",
    "NewMember": "widgetschema.jsontext.rewriting",
    "Raw": "widgetschema.jsontext.rewriting",
    "SourceText": "widgetschema.jsontext.positions",
    "Tree": "widgetschema.jsontext.tree",
    "Text": "widgetschema.jsontext.reading",
    "dump": "widgetschema.jsontext.values",
    "json_text": "widgetschema.jsontext.reading",
    "parse": "widgetschema.jsontext.tree",
    "plain_copy": "widgetschema.jsontext.values",
    "pointer_of": "widgetschema.jsontext.values",
    "preview": "widgetschema.jsontext.values",
    "read": "widgetschema.jsontext.reading",
    "rewrite": "widgetschema.jsontext.rewriting",
    "value_of": "widgetschema.jsontext.rewriting",
}

__getattr__ = later(globals(), _LATER)

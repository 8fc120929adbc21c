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

from widgetschema.documents.limits import DEFAULT_LIMITS as DEFAULT_LIMITS
from widgetschema.documents.limits import Limits as Limits
from widgetschema.later import later

if TYPE_CHECKING:
    from widgetschema.documents.positions import Location as Location
    from widgetschema.documents.positions import SourceText as SourceText
    from widgetschema.documents.reading import Text as Text
    from widgetschema.documents.reading import json_text as json_text
    from widgetschema.documents.reading import read as read
    from widgetschema.documents.rewriting import Items as Items
    from widgetschema.documents.rewriting import Keep as Keep
    from widgetschema.documents.rewriting import Members as Members
    from widgetschema.documents.rewriting import NewMember as NewMember
    from widgetschema.documents.rewriting import Raw as Raw
    from widgetschema.documents.rewriting import rewrite as rewrite
    from widgetschema.documents.rewriting import value_of as value_of
    from widgetschema.documents.tree import Element as Element
    from widgetschema.documents.tree import Member as Member
    from widgetschema.documents.tree import Tree as Tree
    from widgetschema.documents.tree import parse as parse
    from widgetschema.documents.values import Guard as Guard
    from widgetschema.documents.values import dump as dump
    from widgetschema.documents.values import plain_copy as plain_copy
    from widgetschema.documents.values import pointer_of as pointer_of
    from widgetschema.documents.values import preview as preview

# Loaded when asked for: a run over files that have not changed reads none.
_LATER = {
    "Element": "widgetschema.documents.tree",
    "Guard": "widgetschema.documents.values",
    "Items": "widgetschema.documents.rewriting",
    "Keep": "widgetschema.documents.rewriting",
    "Location": "widgetschema.documents.positions",
    "Member": "widgetschema.documents.tree",
    "Members": "widgetschema.documents.rewriting",
    "NewMember": "widgetschema.documents.rewriting",
    "Raw": "widgetschema.documents.rewriting",
    "SourceText": "widgetschema.documents.positions",
    "Tree": "widgetschema.documents.tree",
    "Text": "widgetschema.documents.reading",
    "dump": "widgetschema.documents.values",
    "json_text": "widgetschema.documents.reading",
    "parse": "widgetschema.documents.tree",
    "plain_copy": "widgetschema.documents.values",
    "pointer_of": "widgetschema.documents.values",
    "preview": "widgetschema.documents.values",
    "read": "widgetschema.documents.reading",
    "rewrite": "widgetschema.documents.rewriting",
    "value_of": "widgetschema.documents.rewriting",
}

__getattr__ = later(globals(), _LATER)

"""JSON documents: strict text ⇄ values, and where in the text a JSON Pointer is.

Four jobs, one file each, all without I/O:

- `reading`: bytes or text to a value, refusing what RFC 8259 leaves open;
- `diagnosis`: why a text was refused, with line and column;
- `positions`: line and column of any JSON Pointer, made only when a finding needs it;
- `values`: Python values that people built by hand: can JSON carry them?
"""

from typing import TYPE_CHECKING

from widgetschema.documents.limits import DEFAULT_LIMITS as DEFAULT_LIMITS
from widgetschema.documents.limits import Limits as Limits
from widgetschema.later import later

if TYPE_CHECKING:
    from widgetschema.documents.positions import Location as Location
    from widgetschema.documents.positions import SourceText as SourceText
    from widgetschema.documents.reading import read as read
    from widgetschema.documents.values import Guard as Guard
    from widgetschema.documents.values import dump as dump
    from widgetschema.documents.values import plain_copy as plain_copy
    from widgetschema.documents.values import pointer_of as pointer_of
    from widgetschema.documents.values import preview as preview

# Loaded when asked for: a run over files that have not changed reads none.
_LATER = {
    "Guard": "widgetschema.documents.values",
    "Location": "widgetschema.documents.positions",
    "SourceText": "widgetschema.documents.positions",
    "dump": "widgetschema.documents.values",
    "plain_copy": "widgetschema.documents.values",
    "pointer_of": "widgetschema.documents.values",
    "preview": "widgetschema.documents.values",
    "read": "widgetschema.documents.reading",
}

__getattr__ = later(globals(), _LATER)

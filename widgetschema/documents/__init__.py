"""JSON documents: strict text ⇄ values, and where in the text a JSON Pointer is.

Four jobs, one file each, all without I/O:

- `reading`: bytes or text to a value, refusing what RFC 8259 leaves open;
- `diagnosis`: why a text was refused, with line and column;
- `positions`: line and column of any JSON Pointer, made only when a finding needs it;
- `values`: Python values that people built by hand: can JSON carry them?
"""

from widgetschema.documents.positions import Location as Location
from widgetschema.documents.positions import SourceText as SourceText
from widgetschema.documents.reading import DEFAULT_LIMITS as DEFAULT_LIMITS
from widgetschema.documents.reading import Limits as Limits
from widgetschema.documents.reading import read as read
from widgetschema.documents.values import Guard as Guard
from widgetschema.documents.values import dump as dump
from widgetschema.documents.values import plain_copy as plain_copy
from widgetschema.documents.values import pointer_of as pointer_of
from widgetschema.documents.values import preview as preview

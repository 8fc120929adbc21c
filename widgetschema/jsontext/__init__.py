"""JSON documents: strict text ⇄ values, and where in the text a JSON Pointer is.

Its jobs, one file each, all without I/O:

- `reading`: bytes or text to a value, refusing what RFC 8259 leaves open;
- `diagnosis`: why a text was refused, with line and column;
- `positions`: line and column of any JSON Pointer, made only when a finding needs it;
- `tokens`: the grammar that these last two and the next one have in common;
- `tree`: the text itself as a tree, in which nothing is lost;
- `recovery`: the same of a text that is not JSON at the moment;
- `rewriting`: a text with one element of its tree replaced, `layout`: how it is laid out;
- `draft`: a text while it is changed, `patching`: by the operations of a JSON Patch;
- `equality`: when two values are equal, `digests`: the same for the values in texts;
- `values`: Python values that people built by hand: can JSON carry them?
"""

from widgetschema.lazy import attach

__getattr__, __dir__ = attach(__name__)

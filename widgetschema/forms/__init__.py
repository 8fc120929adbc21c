"""Forms: a person edits data in a form derived from its schema, and nothing is lost.

- `model` and `names`: what a form consists of, and how its controls are called;
- `building`: from schema, text and what was posted to fields; `shapes` what is the same each time;
- `outcomes`: from fields to what is put into the text; `submission` from a post to a new text;
- `html` and `exports`: how a form is shown, here and by others.

No HTML is known outside of `html`, no text is put together outside of `documents`.
"""

from widgetschema.lazy import attach

__getattr__, __dir__ = attach(__name__)

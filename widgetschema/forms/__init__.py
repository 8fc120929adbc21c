"""Forms: a person edits data in a form derived from its schema, and nothing is lost.

Data flows forward: schema and text (`fields`) → fields (`model`) → posted controls
(`posted_controls`) → edits (`submit`) → text. `html` and `exports` show the fields, here and in
other libraries; `form` puts all of it together.

Only `html` knows HTML, and only `jsontext` edits text.
"""

from widgetschema.lazy import attach

__getattr__, __dir__ = attach(__name__)

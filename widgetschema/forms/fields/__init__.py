"""From a schema, a text and what was posted to fields: nothing of HTML, nor of results.

- What the schema says of a place: `labels`, `kinds` and `faces` (which alternatives show), put
  together in `parts`, kept in `shapes`; `description` is what somebody says beside the schema.
- The walk over schema, text and posted controls: `building`, with `containers`; `place` is where it
  is, `overlay` what was posted there, `placing` which findings belong there.
"""

"""Fields: from a schema, a text and posted controls to the fields of a form.

- For each place of the schema: `presentation` (how it is shown, and which alternatives there
  are), `control_kinds`, `labels` and `ui_description` (options of the application), put together
  and cached by `field_specs`.
- For each form: `builder` walks schema, text and controls, with the posted ones in `overlay`;
  `value_transfer` moves a value to another alternative.
"""

"""Exports: a form for react-jsonschema-form or JSON Forms, and what these cannot represent.

- `portable`, `merging`, `patterns`: the schema as their resolvers and Ajv read it;
- `outline`: what there is to show, for both;
- `rjsf` and `jsonforms`: how each of them is told;
- `javascript`: what is lost before any library has seen the data.

No field is built here, and no text is changed.
"""

from widgetschema.forms.exports.export import Export as Export
from widgetschema.forms.exports.export import Loss as Loss
from widgetschema.forms.exports.jsonforms import to_jsonforms as to_jsonforms
from widgetschema.forms.exports.rjsf import to_rjsf as to_rjsf

"""Exports: a form for react-jsonschema-form or JSON Forms, and what these cannot represent.

- `portable_schema`: the schema as their resolvers and Ajv read it;
- `outline`: what both show;
- `rjsf` and `jsonforms`: the description of the form for each of them;
- `javascript`: what is lost before any library has seen the data.
"""

from widgetschema.forms.exports.export import Export as Export
from widgetschema.forms.exports.export import Loss as Loss
from widgetschema.forms.exports.jsonforms import to_jsonforms as to_jsonforms
from widgetschema.forms.exports.rjsf import to_rjsf as to_rjsf

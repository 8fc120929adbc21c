"""Linking: a type schema and its base schemas become one self-contained schema. No I/O.

What draft-07 says about references (core specification, sections 8.2 and 8.3), and
where this room stands on it:

- `$id` sets the base URI of a subschema and all below it; `$ref` is resolved against it.
  Ids may be relative ("countdown"), absolute, or missing.
- Siblings of `$ref` are ignored, `$id` among them; `definitions` beside it can still be
  pointed into. Ignored siblings are worth a lint finding.
- Only schemas hold references: what looks like one inside `const`, `enum`, `default` or
  an unknown keyword is data, unless a reference points there and makes it a schema.
- Nothing is fetched. A reference leads into the schema itself, into one of the given
  resources, or to the draft-07 meta-schema; else it is an error, found here and now.
- A URI is looked up by names and `$id`s first. Then a relative reference may lead to a file
  beside the one that the schema was read from, if the resources say where that is.

The result keeps the order of members, because forms show it. Resources that are referred
to are embedded under `definitions`, with their `$id`.

`schemas` knows where subschemas are, `linking` makes the index and resolves, `linked` is the
result, `member` its view for one member, `bundling` its form for other validators, `chains`
refuses loops, `counting` schemas that multiply.
"""

from widgetschema.schema.linking.limits import MAX_CHAIN as MAX_CHAIN
from widgetschema.schema.linking.limits import components as components
from widgetschema.schema.linking.linked import LinkedSchema as LinkedSchema
from widgetschema.schema.linking.linking import link as link
from widgetschema.schema.linking.linking import resource_map as resource_map
from widgetschema.schema.subschemas import ANNOTATIONS as ANNOTATIONS
from widgetschema.schema.subschemas import IN_PLACE as IN_PLACE
from widgetschema.schema.subschemas import MANY as MANY
from widgetschema.schema.subschemas import NAMED as NAMED
from widgetschema.schema.subschemas import ONE as ONE
from widgetschema.schema.subschemas import is_schema as is_schema
from widgetschema.schema.subschemas import subschemas as subschemas

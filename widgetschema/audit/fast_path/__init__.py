"""The fast path: one typed decoder tells texts that are certainly valid from all others.

- `fast_path`: the fast path of a schema: the decoder at work, what proves a text valid, and how it
  adapts to rejected texts;
- `types`: from nodes of the schema tree to a type that `msgspec` decodes, made of `value_types`;
  `member_order` is what texts have shown about the order of members;
- `residual_checks`: what no type can express, so that the engine decides about the decoded value;
- `value_probe`: the values of some members, without the rest of a text.
"""

from widgetschema.audit.fast_path.fast_path import FastPath as FastPath
from widgetschema.audit.fast_path.fast_path import build_fast_path as build_fast_path
from widgetschema.audit.fast_path.fast_path import fast_path_of as fast_path_of
from widgetschema.audit.fast_path.value_probe import value_probe as value_probe

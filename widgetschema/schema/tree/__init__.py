"""The schema tree: a linked schema as nodes that say all that applies to one place of the data.

A newcomer's guide to what draft-07 means (core specification, section 4.3; validation
specification, section 6), and how it looks here:

- A schema is a set of assertions; an instance is valid if none fails. An assertion about
  texts says nothing of numbers: `{"minLength": 3}` accepts 7. What is not said is allowed;
  `true` and `{}` allow everything, `false` nothing.
- What several schemas say of one place all applies. A `$ref` is another name for its target
  (its siblings are ignored), `allOf` is "and". So a `Node` is a *conjunction*: the pointers of
  all schemas that apply, references followed and `allOf` taken apart. Bounds, lengths, types
  and allowed values of a conjunction are exact and are merged; what cannot be merged exactly
  (two patterns, two formats, two multiples) is kept side by side.
- A member of an object is described by `properties`, by every pattern of `patternProperties`
  that matches its name, or else by `additionalProperties`: of each schema in the conjunction by
  itself. `child(name)` is the conjunction of these. `items` and `additionalItems` do the same
  for arrays, `item(index)`.
- `anyOf`, `oneOf`, `if`/`then`/`else` and schemas in `dependencies` are *choices*, kept as they
  are written and in order, even where one branch swallows the others (that is the author's
  intent). `choose(choice, index)` is the node in which one of them has been made. Each branch
  may bring choices of its own; a node without choices is a plain conjunction.
- `not`, the branches of `oneOf` that were not chosen, and an `if` that is not to hold are
  *refused* schemas. Those that can be turned into a positive statement are (a type, a value, a
  member that must not be there); `vague` says whether some could not.

Nodes are made when they are asked for, and kept by what they say, so a recursive schema is a
tree without end that costs what is looked at. Each node has the pointers of its schemas; order
is that of the text. Nothing is validated here, and no data is made.
"""

from widgetschema.schema.tree.negation import KIND_OF as KIND_OF
from widgetschema.schema.tree.negation import KINDS as KINDS
from widgetschema.schema.tree.negation import PYTHON as PYTHON
from widgetschema.schema.tree.negation import kinds_of as kinds_of
from widgetschema.schema.tree.tree import Branch as Branch
from widgetschema.schema.tree.tree import Choice as Choice
from widgetschema.schema.tree.tree import Limit as Limit
from widgetschema.schema.tree.tree import Node as Node
from widgetschema.schema.tree.tree import SchemaTree as SchemaTree

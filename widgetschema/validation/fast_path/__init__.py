"""The typed lane: texts that are surely valid, told apart from the rest by one decoder.

- `lane`: the decoder at work, what proves a text, and what is learnt from those it rejects;
- `types`: from nodes of the schema tree to a type that `msgspec` decodes; `nodes`, `scalars` and
  `parts` are what it is made of, `orders` what was learnt of the order of members;
- `rests`: what no type can say, and the engine decides about what was decoded;
- `laying`: from a validator to its lane.
"""

from widgetschema.validation.fast_path.lane import Lane as Lane
from widgetschema.validation.fast_path.lane import member_probe as member_probe

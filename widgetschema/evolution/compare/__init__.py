"""Comparison of two schemas: what changed, and whom it breaks.

A schema is a set of demands, and a newer one breaks nobody if each of its demands follows from
the older one's. `proof` tries to prove just that, demand by demand, on the nodes of both schema
trees, so that what was only rearranged (a reference written out, a definition renamed, an `allOf`
taken apart) is no change at all. A demand that it cannot prove is an *obstacle*. Those of "all
that was valid is valid now" narrow; those of the way back widen.

An obstacle alone breaks nobody. `witnesses` looks for data that was valid and no longer is, and a
change is called *breaking* only with such data in hand, decided by the validators themselves. An
obstacle without a witness is *unknown*: nothing is ever called harmless because nothing was
found.

- `joined`: both linked schemas in one, so that one tree has the nodes of both; the tree counts what
  is asked of it, so that effort is bounded by work, not by the clock;
- `equivalence`: which subschemas assert the same, word for word;
- `obstacles`: a demand that is not proven: where, of what, and what data would show it;
- `assertions`, `containers`, `choices`: the demands, by keyword; `proof`: the proof of all;
- `annotations`: changes of keywords that assert nothing;
- `places`: the places that both schemas describe, side by side;
- `renames`: members and values that are gone, paired with new ones that they have probably become;
- `summaries`: single changes summed up as people see them;
- `automata`: texts that match some patterns and miss others;
- `witnesses`: the search for data that a change breaks; `making`: data of schemas made for that;
  `surroundings`: data built around a value, place by place;
- `sentences`: changes in words;
- `stored_data`: the records that each change breaks, and what they say of the guesses;
- `changes`: the result; `compare`: all of this, in order.
"""

from widgetschema.evolution.compare.changes import Change as Change
from widgetschema.evolution.compare.changes import Comparison as Comparison
from widgetschema.evolution.compare.changes import Guess as Guess
from widgetschema.evolution.compare.changes import Pair as Pair
from widgetschema.evolution.compare.changes import Version as Version
from widgetschema.evolution.compare.changes import Witness as Witness
from widgetschema.evolution.compare.compare import Subject as Subject
from widgetschema.evolution.compare.compare import compare as compare
from widgetschema.evolution.compare.stored_data import Affected as Affected
from widgetschema.evolution.compare.stored_data import StoredData as StoredData

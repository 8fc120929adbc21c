"""Comparison of two schemas: the changes, and the data that they break.

A schema is a set of requirements. A newer schema is compatible if the older one implies each of its
requirements. `proof` tries to prove that, requirement by requirement, on the nodes of both schema
trees, so a mere rearrangement (an inlined reference, a renamed definition, a split `allOf`) is not
a change. A requirement that cannot be proven is an *obstacle*. Obstacles from the older to the
newer schema narrow, those in the other direction widen.

An obstacle is not yet a breaking change. `witnesses` searches for data that was valid and no longer
is, and a change is *breaking* only with such a witness, which both validators have checked. An
obstacle without a witness is *unknown*: a failed search never makes a change harmless.

- `joined`: both linked schemas in one, so that one tree has the nodes of both; the tree counts what
  is asked of it, so that effort is bounded by work, not by the clock;
- `equivalence`: which subschemas assert the same, word for word;
- `obstacles`: an unproven requirement: its place, its keyword, and data that would violate it;
- `implied`: all that the keywords of a node imply together, so that other words are no change;
- `assertions`: the requirements of single values; `proof`: those of all else, and the proof;
- `annotations`: changes of annotations;
- `renames`: removed members and values, paired with the new ones that probably replace them;
- `summaries`: single changes, combined as people see them;
- `witnesses`: the search for data that a change breaks; `making`: data of schemas made for that,
  also around a value, place by place;
- `sentences`: changes in words;
- `stored_data`: the records that each change breaks, and their evidence for guesses;
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

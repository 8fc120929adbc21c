"""Data made from a schema: valid samples, a coverage set, near-misses, and strategies.

All four are made on one plan. The schema tree says what applies to each place; `plan` turns it into
steps that know what can be made there (`numbers`, `texts`, `arrays`, `objects`, `steps`); a chooser
decides which of it is made. `model` is what the two ask of each other. So there is one way from a
schema to data, and the products differ only in who decides:

- `sampler`: a stream of numbers that depends on a seed and an index only (`choosers`); what single
  values look like is known to `values`;
- `coverage`: questions and answers (`directed`), each answer once, then all pairs;
- `near_misses`: valid data with one mistake, confirmed before it is handed out;
- `strategies`: Hypothesis.

All data that leaves this package has been accepted by the validator.
"""

from widgetschema.samples.cases import Case as Case
from widgetschema.samples.cases import CaseSet as CaseSet
from widgetschema.samples.cases import ExpectedFinding as ExpectedFinding
from widgetschema.samples.cases import Target as Target
from widgetschema.samples.choosers import DEFAULT_DEPTH as DEFAULT_DEPTH
from widgetschema.samples.choosers import DEFAULT_ITEMS as DEFAULT_ITEMS
from widgetschema.samples.model import DEFAULT_FILL as DEFAULT_FILL
from widgetschema.samples.products import Products as Products
from widgetschema.samples.sampler import ALGORITHM as ALGORITHM
from widgetschema.samples.sampler import Seed as Seed

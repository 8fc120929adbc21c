"""Instance → findings: the only room that names an engine.

`engines` decides, `explain`, `checks` and `alternatives` find every mistake, `sentences`
puts them in words, `validator` is the face of it all.
"""

from widgetschema.validator.validator import Validator as Validator
from widgetschema.validator.validator import check_schema as check_schema
from widgetschema.validator.validator import link_checked as link_checked

"""Instance → findings: the only room that names an engine.

`engines` decides, `explain`, `checks` and `alternatives` find every mistake, `sentences`
puts them in words, `validator` is the face of it all.
"""

from widgetschema.validation.validator import Validator as Validator
from widgetschema.validation.validator import check_schema as check_schema
from widgetschema.validation.validator import link_checked as link_checked

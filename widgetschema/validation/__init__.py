"""Validation: `Validator` decides whether an instance is valid, and explains why not.

`engines` decides, `explain` finds every mistake and says it.
"""

from widgetschema.validation.validator import Validator as Validator
from widgetschema.validation.validator import check_schema as check_schema
from widgetschema.validation.validator import link_checked as link_checked

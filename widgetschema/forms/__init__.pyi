# The names of this package: for type checkers, and at run time for `widgetschema.lazy`.
from widgetschema.forms.form import Form as Form
from widgetschema.forms.making import Forms as Forms
from widgetschema.forms.submitting.submission import Submission as Submission

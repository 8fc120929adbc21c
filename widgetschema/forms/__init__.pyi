# The names of this package: for type checkers, and at run time for `widgetschema.lazy`.
from widgetschema.forms.form import Form as Form
from widgetschema.forms.form import FormFactory as FormFactory
from widgetschema.forms.form import Submission as Submission

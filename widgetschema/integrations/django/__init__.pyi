# The names of this package: for type checkers, and at run time for `widgetschema.lazy`.
from widgetschema.integrations.django.fields import WidgetDataField as WidgetDataField
from widgetschema.integrations.django.fields import WidgetTextField as WidgetTextField
from widgetschema.integrations.django.validation import WidgetDataValidator as WidgetDataValidator

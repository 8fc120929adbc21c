# The names of this package: for type checkers, and at run time for `widgetschema.lazy`.
from widgetschema.integrations.django.admin import WidgetAdminMixin as WidgetAdminMixin
from widgetschema.integrations.django.fields import WidgetDataField as WidgetDataField
from widgetschema.integrations.django.fields import WidgetTextField as WidgetTextField
from widgetschema.integrations.django.forms import WidgetDataFormField as WidgetDataFormField
from widgetschema.integrations.django.forms import WidgetDataInput as WidgetDataInput
from widgetschema.integrations.django.validation import WidgetDataValidator as WidgetDataValidator
from widgetschema.integrations.stored_columns import reading_as_stored as reading_as_stored

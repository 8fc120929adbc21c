# The names of this package: for type checkers, and at run time for `widgetschema.lazy`.
from widgetschema.forms.custom_controls import CustomControl as CustomControl
from widgetschema.forms.custom_controls import register_control as register_control
from widgetschema.forms.fields.ui_description import ui_description_schema as ui_description_schema
from widgetschema.forms.fields.ui_files import UiFile as UiFile
from widgetschema.forms.fields.ui_files import read_ui_description as read_ui_description
from widgetschema.forms.fields.ui_schema import UiSchemaReading as UiSchemaReading
from widgetschema.forms.fields.ui_schema import UnusedEntry as UnusedEntry
from widgetschema.forms.fields.ui_schema import read_ui_schema as read_ui_schema
from widgetschema.forms.form import Form as Form
from widgetschema.forms.form import FormFactory as FormFactory
from widgetschema.forms.form import Submission as Submission
from widgetschema.forms.secrecy import use_secret_key as use_secret_key

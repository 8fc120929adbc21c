"""Link schemas of widget types, check widget data against them, and make data from them.

import widgetschema

widgetschema.validate("countdown", data)   # or raises InvalidWidgetData
print(widgetschema.check("countdown", data))
widgetschema.widget_type("countdown").sample(seed="demo", index=7)
"""

from widgetschema.catalog import Catalog as Catalog
from widgetschema.errors import CannotGenerate as CannotGenerate
from widgetschema.errors import EngineUnavailable as EngineUnavailable
from widgetschema.errors import InvalidSchema as InvalidSchema
from widgetschema.errors import InvalidWidgetData as InvalidWidgetData
from widgetschema.errors import MissingExtra as MissingExtra
from widgetschema.errors import ReferenceLoop as ReferenceLoop
from widgetschema.errors import SchemaError as SchemaError
from widgetschema.errors import StoreError as StoreError
from widgetschema.errors import UnknownWidgetType as UnknownWidgetType
from widgetschema.errors import UnreadableDocument as UnreadableDocument
from widgetschema.errors import UnresolvableReference as UnresolvableReference
from widgetschema.errors import UnsupportedDialect as UnsupportedDialect
from widgetschema.errors import WidgetSchemaError as WidgetSchemaError
from widgetschema.facade import check as check
from widgetschema.facade import is_valid as is_valid
from widgetschema.facade import validate as validate
from widgetschema.facade import widget_type as widget_type
from widgetschema.findings import Finding as Finding
from widgetschema.findings import Report as Report
from widgetschema.store import Store as Store
from widgetschema.validator import Validator as Validator
from widgetschema.widget_type import WidgetType as WidgetType

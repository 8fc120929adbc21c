"""Fetch, link and compare schemas of widget types; check, make and edit data by them.

import widgetschema

widgetschema.validate("countdown", data)   # or raises InvalidWidgetData
print(widgetschema.check("countdown", data))
widgetschema.widget_type("countdown").sample(seed="demo", index=7)
"""

from typing import TYPE_CHECKING

from widgetschema.later import later

if TYPE_CHECKING:
    from widgetschema.catalog.catalog import Catalog as Catalog
    from widgetschema.catalog.facade import check as check
    from widgetschema.catalog.facade import is_valid as is_valid
    from widgetschema.catalog.facade import validate as validate
    from widgetschema.catalog.facade import widget_type as widget_type
    from widgetschema.catalog.store import Store as Store
    from widgetschema.catalog.widget_type import WidgetType as WidgetType
    from widgetschema.errors import CannotGenerate as CannotGenerate
    from widgetschema.errors import ChangesUnknown as ChangesUnknown
    from widgetschema.errors import ClusterError as ClusterError
    from widgetschema.errors import ConfigurationError as ConfigurationError
    from widgetschema.errors import EngineUnavailable as EngineUnavailable
    from widgetschema.errors import ErrorResponse as ErrorResponse
    from widgetschema.errors import FormError as FormError
    from widgetschema.errors import IncompleteListing as IncompleteListing
    from widgetschema.errors import InvalidFormDescription as InvalidFormDescription
    from widgetschema.errors import InvalidSchema as InvalidSchema
    from widgetschema.errors import InvalidTypeId as InvalidTypeId
    from widgetschema.errors import InvalidWidgetData as InvalidWidgetData
    from widgetschema.errors import LoginRequired as LoginRequired
    from widgetschema.errors import MissingExtra as MissingExtra
    from widgetschema.errors import NotAvailableOffline as NotAvailableOffline
    from widgetschema.errors import PlatformError as PlatformError
    from widgetschema.errors import ReferenceLoop as ReferenceLoop
    from widgetschema.errors import SchemaError as SchemaError
    from widgetschema.errors import StaleForm as StaleForm
    from widgetschema.errors import StoreError as StoreError
    from widgetschema.errors import TokenStorageError as TokenStorageError
    from widgetschema.errors import TooManyFields as TooManyFields
    from widgetschema.errors import UnknownWidgetType as UnknownWidgetType
    from widgetschema.errors import Unreachable as Unreachable
    from widgetschema.errors import UnreadableDocument as UnreadableDocument
    from widgetschema.errors import UnresolvableReference as UnresolvableReference
    from widgetschema.errors import UnsharedInput as UnsharedInput
    from widgetschema.errors import UnsupportedDialect as UnsupportedDialect
    from widgetschema.errors import UnusableResponse as UnusableResponse
    from widgetschema.errors import WidgetSchemaError as WidgetSchemaError
    from widgetschema.evolution.compare import Change as Change
    from widgetschema.evolution.compare import Comparison as Comparison
    from widgetschema.findings import Finding as Finding
    from widgetschema.findings import Fix as Fix
    from widgetschema.findings import Provenance as Provenance
    from widgetschema.findings import Report as Report
    from widgetschema.forms import Form as Form
    from widgetschema.forms import Submission as Submission
    from widgetschema.platform import AsyncClient as AsyncClient
    from widgetschema.platform import Client as Client
    from widgetschema.platform import connect as connect
    from widgetschema.platform.fetcher import Fetcher as Fetcher
    from widgetschema.validation import Validator as Validator
    from widgetschema.version import __version__ as __version__

# Each is loaded when it is first asked for: nobody pays for what is not used.
_LATER = {
    "AsyncClient": "widgetschema.platform",
    "CannotGenerate": "widgetschema.errors",
    "Catalog": "widgetschema.catalog.catalog",
    "Change": "widgetschema.evolution.compare",
    "ChangesUnknown": "widgetschema.errors",
    "ClusterError": "widgetschema.errors",
    "Client": "widgetschema.platform",
    "Comparison": "widgetschema.evolution.compare",
    "ConfigurationError": "widgetschema.errors",
    "EngineUnavailable": "widgetschema.errors",
    "ErrorResponse": "widgetschema.errors",
    "Fetcher": "widgetschema.platform.fetcher",
    "Finding": "widgetschema.findings",
    "Fix": "widgetschema.findings",
    "Form": "widgetschema.forms",
    "FormError": "widgetschema.errors",
    "IncompleteListing": "widgetschema.errors",
    "InvalidFormDescription": "widgetschema.errors",
    "InvalidSchema": "widgetschema.errors",
    "InvalidTypeId": "widgetschema.errors",
    "InvalidWidgetData": "widgetschema.errors",
    "LoginRequired": "widgetschema.errors",
    "MissingExtra": "widgetschema.errors",
    "NotAvailableOffline": "widgetschema.errors",
    "PlatformError": "widgetschema.errors",
    "Provenance": "widgetschema.findings",
    "ReferenceLoop": "widgetschema.errors",
    "Report": "widgetschema.findings",
    "SchemaError": "widgetschema.errors",
    "StaleForm": "widgetschema.errors",
    "Store": "widgetschema.catalog.store",
    "StoreError": "widgetschema.errors",
    "Submission": "widgetschema.forms",
    "TokenStorageError": "widgetschema.errors",
    "TooManyFields": "widgetschema.errors",
    "UnknownWidgetType": "widgetschema.errors",
    "Unreachable": "widgetschema.errors",
    "UnreadableDocument": "widgetschema.errors",
    "UnresolvableReference": "widgetschema.errors",
    "UnsharedInput": "widgetschema.errors",
    "UnsupportedDialect": "widgetschema.errors",
    "UnusableResponse": "widgetschema.errors",
    "Validator": "widgetschema.validation",
    "WidgetSchemaError": "widgetschema.errors",
    "WidgetType": "widgetschema.catalog.widget_type",
    "__version__": "widgetschema.version",
    "check": "widgetschema.catalog.facade",
    "connect": "widgetschema.platform",
    "is_valid": "widgetschema.catalog.facade",
    "validate": "widgetschema.catalog.facade",
    "widget_type": "widgetschema.catalog.facade",
}

__getattr__ = later(globals(), _LATER)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})

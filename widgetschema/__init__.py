"""Fetch, link and compare schemas of widget types, check data against them, make data from them.

import widgetschema

widgetschema.validate("countdown", data)   # or raises InvalidWidgetData
print(widgetschema.check("countdown", data))
widgetschema.widget_type("countdown").sample(seed="demo", index=7)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from widgetschema.catalog import Catalog as Catalog
from widgetschema.errors import CannotGenerate as CannotGenerate
from widgetschema.errors import EngineUnavailable as EngineUnavailable
from widgetschema.errors import ErrorResponse as ErrorResponse
from widgetschema.errors import IncompleteListing as IncompleteListing
from widgetschema.errors import InvalidSchema as InvalidSchema
from widgetschema.errors import InvalidTypeId as InvalidTypeId
from widgetschema.errors import InvalidWidgetData as InvalidWidgetData
from widgetschema.errors import LoginRequired as LoginRequired
from widgetschema.errors import MissingExtra as MissingExtra
from widgetschema.errors import NotAvailableOffline as NotAvailableOffline
from widgetschema.errors import PlatformError as PlatformError
from widgetschema.errors import ReferenceLoop as ReferenceLoop
from widgetschema.errors import SchemaError as SchemaError
from widgetschema.errors import StoreError as StoreError
from widgetschema.errors import TokenStorageError as TokenStorageError
from widgetschema.errors import UnknownWidgetType as UnknownWidgetType
from widgetschema.errors import Unreachable as Unreachable
from widgetschema.errors import UnreadableDocument as UnreadableDocument
from widgetschema.errors import UnresolvableReference as UnresolvableReference
from widgetschema.errors import UnsupportedDialect as UnsupportedDialect
from widgetschema.errors import UnusableResponse as UnusableResponse
from widgetschema.errors import WidgetSchemaError as WidgetSchemaError
from widgetschema.facade import check as check
from widgetschema.facade import is_valid as is_valid
from widgetschema.facade import validate as validate
from widgetschema.facade import widget_type as widget_type
from widgetschema.findings import Finding as Finding
from widgetschema.findings import Provenance as Provenance
from widgetschema.findings import Report as Report
from widgetschema.store import Store as Store
from widgetschema.validator import Validator as Validator
from widgetschema.widget_type import WidgetType as WidgetType

if TYPE_CHECKING:
    from widgetschema.comparison import Change as Change
    from widgetschema.comparison import Comparison as Comparison
    from widgetschema.fetcher import Fetcher as Fetcher
    from widgetschema.platform import AsyncClient as AsyncClient
    from widgetschema.platform import Client as Client
    from widgetschema.platform import connect as connect

# Loaded when asked for: whoever only checks data does not pay for them.
_LATER = {
    "AsyncClient": "widgetschema.platform",
    "Change": "widgetschema.comparison",
    "Client": "widgetschema.platform",
    "Comparison": "widgetschema.comparison",
    "Fetcher": "widgetschema.fetcher",
    "connect": "widgetschema.platform",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LATER[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})

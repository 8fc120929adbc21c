"""The platform over HTTP: a client of its three documented operations, OAuth, tokens."""

from typing import TYPE_CHECKING

from widgetschema.later import later
from widgetschema.platform.secret import Secret as Secret
from widgetschema.platform.values import TokenResponse as TokenResponse
from widgetschema.platform.values import Widget as Widget
from widgetschema.platform.values import WidgetList as WidgetList

if TYPE_CHECKING:
    from widgetschema.platform.client import AsyncClient as AsyncClient
    from widgetschema.platform.client import Client as Client
    from widgetschema.platform.http.operations import SchemaResponse as SchemaResponse
    from widgetschema.platform.http.retrying import Retries as Retries
    from widgetschema.platform.oauth.auth import TokenAuth as TokenAuth
    from widgetschema.platform.oauth.storage import FileStorage as FileStorage
    from widgetschema.platform.oauth.storage import MemoryStorage as MemoryStorage
    from widgetschema.platform.oauth.storage import TokenStorage as TokenStorage
    from widgetschema.platform.oauth.token_file import TokenFile as TokenFile
    from widgetschema.platform.oauth.tokens import Tokens as Tokens
    from widgetschema.platform.settings import aconnect as aconnect
    from widgetschema.platform.settings import connect as connect

# Loaded when asked for: they bring the HTTP library.
_LATER = {
    "AsyncClient": "widgetschema.platform.client",
    "Client": "widgetschema.platform.client",
    "FileStorage": "widgetschema.platform.oauth.storage",
    "MemoryStorage": "widgetschema.platform.oauth.storage",
    "Retries": "widgetschema.platform.http.retrying",
    "SchemaResponse": "widgetschema.platform.http.operations",
    "TokenFile": "widgetschema.platform.oauth.token_file",
    "TokenStorage": "widgetschema.platform.oauth.storage",
    "Tokens": "widgetschema.platform.oauth.tokens",
    "TokenAuth": "widgetschema.platform.oauth.auth",
    "aconnect": "widgetschema.platform.settings",
    "connect": "widgetschema.platform.settings",
}

__getattr__ = later(globals(), _LATER)

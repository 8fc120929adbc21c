"""The platform over HTTP: a client of its three documented operations, OAuth, tokens."""

from typing import TYPE_CHECKING

from widgetschema.later import later
from widgetschema.platform.secret import Secret as Secret
from widgetschema.platform.values import TokenResponse as TokenResponse
from widgetschema.platform.values import Widget as Widget
from widgetschema.platform.values import WidgetList as WidgetList

if TYPE_CHECKING:
    from widgetschema.platform.auth.auth import TokenAuth as TokenAuth
    from widgetschema.platform.auth.storage import FileStorage as FileStorage
    from widgetschema.platform.auth.storage import MemoryStorage as MemoryStorage
    from widgetschema.platform.auth.storage import TokenStorage as TokenStorage
    from widgetschema.platform.auth.token_file import TokenFile as TokenFile
    from widgetschema.platform.auth.tokens import Tokens as Tokens
    from widgetschema.platform.client.client import AsyncClient as AsyncClient
    from widgetschema.platform.client.client import Client as Client
    from widgetschema.platform.client.operations import SchemaResponse as SchemaResponse
    from widgetschema.platform.client.retrying import Retries as Retries
    from widgetschema.platform.settings import aconnect as aconnect
    from widgetschema.platform.settings import connect as connect

# Loaded when asked for: they bring the HTTP library.
_LATER = {
    "AsyncClient": "widgetschema.platform.client.client",
    "Client": "widgetschema.platform.client.client",
    "FileStorage": "widgetschema.platform.auth.storage",
    "MemoryStorage": "widgetschema.platform.auth.storage",
    "Retries": "widgetschema.platform.client.retrying",
    "SchemaResponse": "widgetschema.platform.client.operations",
    "TokenFile": "widgetschema.platform.auth.token_file",
    "TokenStorage": "widgetschema.platform.auth.storage",
    "Tokens": "widgetschema.platform.auth.tokens",
    "TokenAuth": "widgetschema.platform.auth.auth",
    "aconnect": "widgetschema.platform.settings",
    "connect": "widgetschema.platform.settings",
}

__getattr__ = later(globals(), _LATER)

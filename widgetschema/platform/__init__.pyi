# The names of this package: for type checkers, and at run time for `widgetschema.lazy`.
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
from widgetschema.platform.connection import aconnect as aconnect
from widgetschema.platform.connection import connect as connect
from widgetschema.platform.responses import TokenResponse as TokenResponse
from widgetschema.platform.responses import Widget as Widget
from widgetschema.platform.responses import WidgetList as WidgetList
from widgetschema.platform.secret import Secret as Secret

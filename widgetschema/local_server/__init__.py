"""Applications that this machine alone can reach: which addresses are its own, and a server.

`addresses` knows names and nothing else; `serving` is uvicorn around any ASGI application.
Whoever imports `serving` needs the extra that brings uvicorn; this file imports none of it.
"""

from widgetschema.local_server.addresses import ABORT as ABORT
from widgetschema.local_server.addresses import is_loopback as is_loopback
from widgetschema.local_server.addresses import without_port as without_port

"""A local stand-in of the platform: its documented operations over real HTTP, and faults.

`web` makes a `SandboxRequest` of an HTTP request; `handling` lets a fault or one of the
`operations` respond to it (`authorize` is the page for people, `control` the interface for tests),
and applies the faults that change the response; `web` sends it. `Sandbox` has the state, without
HTTP. Only `web` imports Starlette, when it is needed, since Starlette and uvicorn are an extra.

    with widgetschema.sandbox.running(faults=["status=503x2"]) as sandbox:
        httpx.get(f"{sandbox.base_url}/widgets", headers=...)
"""

from widgetschema.sandbox.assumptions import ASSUMPTIONS as ASSUMPTIONS
from widgetschema.sandbox.faults import FAULTS as FAULTS
from widgetschema.sandbox.faults import GRAMMAR as GRAMMAR
from widgetschema.sandbox.faults import Fault as Fault
from widgetschema.sandbox.faults import parse_fault as parse_fault
from widgetschema.sandbox.server import Options as Options
from widgetschema.sandbox.server import RunningSandbox as RunningSandbox
from widgetschema.sandbox.server import app as app
from widgetschema.sandbox.server import running as running
from widgetschema.sandbox.state import REDIRECT_URI as REDIRECT_URI
from widgetschema.sandbox.state import Counters as Counters
from widgetschema.sandbox.state import LoggedRequest as LoggedRequest
from widgetschema.sandbox.state import Sandbox as Sandbox

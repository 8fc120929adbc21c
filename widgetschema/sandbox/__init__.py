"""A local stand-in of the platform: its documented operations over real HTTP, and faults.

Data flows one way: `web` makes a `Call` of a request; `handling` decides whether a fault answers
it, or one of the `operations` (for people: `authorize`, for tests: `control`); `spoiling` does to
the `Answer` what faults want; `web` sends it. What is remembered is in `Sandbox`, which knows no
HTTP. Only `web` names Starlette, and the room `loopback` uvicorn; both are an extra, which `front`
imports when it is needed.

    with widgetschema.sandbox.running(faults=["status=503x2"]) as sandbox:
        httpx.get(f"{sandbox.base_url}/widgets", headers=...)
"""

from widgetschema.sandbox.assumptions import ASSUMPTIONS as ASSUMPTIONS
from widgetschema.sandbox.faults import FAULTS as FAULTS
from widgetschema.sandbox.faults import GRAMMAR as GRAMMAR
from widgetschema.sandbox.faults import Fault as Fault
from widgetschema.sandbox.faults import parse_fault as parse_fault
from widgetschema.sandbox.server import Options as Options
from widgetschema.sandbox.server import Running as Running
from widgetschema.sandbox.server import app as app
from widgetschema.sandbox.server import running as running
from widgetschema.sandbox.state import REDIRECT_URI as REDIRECT_URI
from widgetschema.sandbox.state import Counters as Counters
from widgetschema.sandbox.state import Sandbox as Sandbox
from widgetschema.sandbox.state import Seen as Seen

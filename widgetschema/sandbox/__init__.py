"""A local stand-in of the platform: its documented operations over real HTTP, and faults.

`web` makes a `SandboxRequest` of an HTTP request; `handling` lets a fault or one of the
`operations` respond to it (`authorize` is the page for people, `control` the interface for tests),
and applies the faults that change the response; `web` sends it. `Sandbox` has the state, without
HTTP. Only `web` imports Starlette, when it is needed, since Starlette and uvicorn are an extra.

    with widgetschema.sandbox.running(faults=["status=503x2"]) as sandbox:
        httpx.get(f"{sandbox.base_url}/widgets", headers=...)
"""

from widgetschema.lazy import attach

__getattr__, __dir__ = attach(__name__)

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from widgetschema.integrations.asgi import GuardMiddleware

STORED: dict[str, bytes] = {}


async def save(request: Request) -> Response:
    STORED[request.path_params["type"]] = await request.body()
    return Response(status_code=204)


app = Starlette(
    routes=[Route("/widgets/{type}", save, methods=["PUT"])],
    middleware=[Middleware(GuardMiddleware, paths={"/widgets/{type}": "{type}"})],
)

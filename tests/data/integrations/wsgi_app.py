from flask import Flask, request

from widgetschema.integrations.wsgi import GuardMiddleware

STORED: dict[str, bytes] = {}
app = Flask(__name__)
app.wsgi_app = GuardMiddleware(  # type: ignore[method-assign]
    app.wsgi_app, {"/widgets/{type}": "{type}"}
)


@app.put("/widgets/<type>")
def save(type: str) -> tuple[str, int]:
    STORED[type] = request.get_data()
    return "", 204

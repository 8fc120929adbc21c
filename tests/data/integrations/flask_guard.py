from flask import Flask

from widgetschema.integrations.bodies import CheckedBody
from widgetschema.integrations.flask import widget_data

STORED: dict[str, str] = {}
app = Flask(__name__)


@app.put("/countdowns/<id>")
@widget_data("countdown")
def save(id: str, body: CheckedBody) -> tuple[str, int]:
    STORED[id] = body.text  # the text that was sent; body.data is its value
    return "", 204

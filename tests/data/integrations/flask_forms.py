import sqlite3
from contextlib import closing

from flask import Flask

import widgetschema
from widgetschema.integrations.flask import form_blueprint
from widgetschema.integrations.form_views import StoredData

DATABASE = "widgets.db"  # create table widget (id text primary key, type text, data text)


class Widgets:
    def load(self, key: str) -> StoredData | None:
        with closing(sqlite3.connect(DATABASE)) as db:
            query = "select type, data from widget where id = ?"
            row = db.execute(query, [key]).fetchone()
        return row and StoredData(widgetschema.widget_type(row[0]), row[1])

    def save(self, key: str, text: str, before: str) -> bool:
        with (
            closing(sqlite3.connect(DATABASE)) as db,
            db,
        ):  # only if nobody else has saved meanwhile
            query = "update widget set data = ? where id = ? and data = ?"
            return db.execute(query, [text, key, before]).rowcount == 1


app = Flask(__name__)
app.register_blueprint(form_blueprint(Widgets()), url_prefix="/forms")

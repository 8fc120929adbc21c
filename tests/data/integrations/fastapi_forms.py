import sqlite3
from contextlib import closing

from fastapi import FastAPI, Request

import widgetschema
from widgetschema.integrations.fastapi import form_router, install, schema_router
from widgetschema.integrations.form_views import StoredData


class Rows:
    """The rows of a table `widget`."""

    def __init__(self, path: str) -> None:
        self.path = path

    def load(self, request: Request, key: str) -> StoredData | None:
        with closing(sqlite3.connect(self.path)) as db:
            row = db.execute("select type, data from widget where id = ?", (key,)).fetchone()
        return row and StoredData(widgetschema.widget_type(row[0]), row[1])

    def save(self, request: Request, key: str, text: str, before: str) -> bool:
        change = "update widget set data = ? where id = ? and data = ?"
        with closing(sqlite3.connect(self.path)) as db, db:
            return db.execute(change, (text, key, before)).rowcount == 1


def make_app(path: str) -> FastAPI:
    app = FastAPI()
    install(app)
    app.mount("/forms", form_router(Rows(path)))
    app.mount("/schemas", schema_router())
    return app

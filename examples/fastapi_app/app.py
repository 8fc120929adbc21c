"""Widgets of users, checked with the schemas that the platform has for each of them.

Whom a request is from is taken from a header here: put your own authentication in its place.
"""

import os
import uuid
from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException, Request, Response
from fastapi.responses import RedirectResponse
from models import Sessions, User, Widget
from sqlalchemy import update
from sqlalchemy.dialects.sqlite import insert

from widgetschema import Accounts, Catalog, Secret
from widgetschema.integrations.fastapi import CheckedBody, WidgetBody, form_router, install
from widgetschema.integrations.form_views import StoredData

AUTH_URL = os.environ["WIDGETSCHEMA_AUTH_URL"]
AUTHORIZE_URL = os.environ.get("AUTHORIZE_URL", f"{AUTH_URL}/oauth/authorize")


def load_tokens(user: str) -> str | None:
    with Sessions() as session:
        known = session.get(User, user)
        return known and known.tokens


def save_tokens(user: str, tokens: Secret | None) -> None:
    with Sessions.begin() as session:
        session.merge(User(name=user, tokens=tokens and tokens.reveal()))


accounts: Accounts[str] = Accounts(
    os.environ["WIDGETSCHEMA_BASE_URL"],
    AUTH_URL,
    client_id=os.environ["WIDGETSCHEMA_CLIENT_ID"],
    client_secret=os.environ["WIDGETSCHEMA_CLIENT_SECRET"],
    redirect_uri=os.environ.get("REDIRECT_URI", "http://127.0.0.1:8000/callback"),
    load=load_tokens,
    save=save_tokens,
)
app = FastAPI()
install(app)


def user_of(request: Request) -> str:
    return request.headers.get("x-user", "nobody")


def catalog_of(request: Request) -> Catalog:
    return accounts.catalog(user_of(request))


UserName = Annotated[str, Depends(user_of)]
Body = Annotated[CheckedBody, WidgetBody(query="type", catalog=catalog_of)]
Document = Annotated[CheckedBody, WidgetBody(document=True, catalog=catalog_of)]


@app.get("/login")
def login(state: str) -> RedirectResponse:
    return RedirectResponse(accounts.login_url(AUTHORIZE_URL, state))


@app.get("/callback")
def callback(code: str, user: UserName) -> None:  # compare the state with that of the session
    accounts.finish_login(user, code)


@app.put("/widgets/{id}")
def put(id: str, user: UserName, body: Body) -> None:
    new = {"type": body.widget_type.id, "data": body.text}
    saved = insert(Widget).values(owner=user, id=id, **new)
    with Sessions.begin() as session:
        session.execute(saved.on_conflict_do_update(["owner", "id"], set_=new))


@app.post("/widgets", status_code=201)
def post(user: UserName, body: Document) -> str:
    id = str(uuid.uuid4())
    put(id, user, body)
    return id


@app.get("/widgets/{id}")
def get(id: str, user: UserName) -> Response:
    with Sessions() as session:
        widget = session.get(Widget, (user, id))
    if widget is None:
        raise HTTPException(404)
    return Response(widget.data, media_type="application/json")


class Forms:
    """The widgets behind the forms."""

    def load(self, request: Request, key: str) -> StoredData | None:
        with Sessions() as session:
            widget = session.get(Widget, (user_of(request), key))
        return widget and StoredData(catalog_of(request)[widget.type], widget.data)

    def save(self, request: Request, key: str, text: str, before: str) -> bool:
        own = update(Widget).where(Widget.owner == user_of(request), Widget.id == key)
        with Sessions.begin() as session:
            changed = session.execute(own.where(Widget.data == before).values(data=text))
            return changed.rowcount == 1


app.mount("/forms", form_router(Forms(), options={"title": "Edit your widget"}))

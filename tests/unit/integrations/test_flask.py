"""Flask: views get checked bodies, errors are problem details, and forms save nothing invalid."""

from __future__ import annotations

import gzip
import io
import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flask import Blueprint, Flask
from flask.testing import FlaskClient
from flask.views import MethodView

from tests.browsing import edited, entries
from tests.data.integrations import flask_forms, flask_guard
from widgetschema import Catalog, InvalidWidgetData, Unreachable, validate
from widgetschema.catalog.sources import Lookup
from widgetschema.integrations.bodies import CheckedBody
from widgetschema.integrations.flask import add_problem_handlers, form_blueprint, widget_data

VALID = '{"content": {},\n "settings": {}, "styles": {"cardsBorderWidth": 1.0}}\n'
INVALID = VALID.replace("1.0", '"1"')
SCHEMAS: dict[str, Any] = {"faq": {"properties": {"data": {"required": ["items"]}}}}


@pytest.fixture
def client() -> FlaskClient:
    flask_guard.STORED.clear()
    return flask_guard.app.test_client()


def put(client: FlaskClient, body: str | bytes, **options: Any) -> Any:
    options = {"content_type": "application/json", **options}
    return client.put("/countdowns/7", data=body, **options)


class TestWidgetData:
    def test_valid_data_reaches_the_view_as_it_was_sent(self, client: FlaskClient) -> None:
        assert put(client, VALID).status_code == 204
        assert flask_guard.STORED == {"7": VALID}

    def test_invalid_data_does_not(self, client: FlaskClient) -> None:
        response = put(client, INVALID)
        assert (response.status_code, response.mimetype) == (422, "application/problem+json")
        (error,) = response.get_json(force=True)["errors"]
        assert error["pointer"] == "#/styles/cardsBorderWidth"
        assert (error["line"], error["column"]) == (2, 49)
        assert flask_guard.STORED == {}

    @pytest.mark.parametrize(
        ("body", "options", "status"),
        [
            (b"", {}, 400),
            (b"{", {}, 400),
            (b'{"content": NaN}', {}, 400),
            (b" " * (4 * 1024 * 1024 + 1), {}, 413),
            (VALID.encode(), {"content_type": "text/plain"}, 415),
            (
                gzip.compress(VALID.encode(), mtime=0),
                {"headers": {"Content-Encoding": "gzip"}},
                415,
            ),
        ],
        ids=range(6),
    )
    def test_hostile_bodies(
        self, client: FlaskClient, body: bytes, options: dict[str, Any], status: int
    ) -> None:
        response = put(client, body, **options)
        assert response.status_code == response.get_json(force=True)["status"] == status
        assert flask_guard.STORED == {}

    def test_a_body_that_is_cut_off(self, client: FlaskClient) -> None:
        response = client.put(
            "/countdowns/7",
            input_stream=io.BytesIO(VALID.encode()),
            content_type="application/json",
            environ_overrides={"CONTENT_LENGTH": "1000"},
        )
        assert (response.status_code, response.mimetype) == (400, "application/problem+json")
        assert "shorter" in response.text

    def test_a_document_in_place_of_data_has_a_hint(self, client: FlaskClient) -> None:
        response = put(client, f'{{"type": "countdown", "data": {VALID}}}')
        [error, *_] = response.get_json(force=True)["errors"]
        assert "looks like a widget document" in error["hint"]

    def test_a_body_without_a_length_is_limited_as_well(self, client: FlaskClient) -> None:
        body = io.BytesIO(b" " * (4 * 1024 * 1024 + 1))
        environ = {"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"}
        response = client.put(
            "/countdowns/7",
            input_stream=body,
            content_type="application/json",
            environ_overrides=environ,
        )
        assert response.status_code == 413

    def test_the_limit_of_the_application_counts(self) -> None:
        app = Flask(__name__)
        app.config["MAX_CONTENT_LENGTH"] = 10
        add_problem_handlers(app)
        app.put("/countdowns/<id>")(widget_data("countdown")(lambda **arguments: ""))
        response = put(app.test_client(), VALID)
        assert response.status_code == 413
        assert "10 bytes" in response.get_data(as_text=True)

    def test_the_type_may_be_in_the_address_or_in_the_document(self) -> None:
        app = Flask(__name__)
        add_problem_handlers(app)
        seen: list[CheckedBody] = []

        @app.post("/data/<type>")
        @widget_data(path="type", catalog=Catalog(SCHEMAS))
        def data(type: str, body: CheckedBody) -> str:
            seen.append(body)
            return type

        @app.post("/documents")
        @widget_data(document=True, argument="widget", catalog=lambda: Catalog(SCHEMAS))
        def documents(widget: CheckedBody) -> str:
            seen.append(widget)
            return ""

        @app.put("/documents/<type>")
        @widget_data(path="type", document=True, catalog=Catalog(SCHEMAS))
        def replace(type: str, body: CheckedBody) -> str:
            return body.text

        client = app.test_client()
        assert client.post("/data/faq", json={"items": []}).text == "faq"
        assert client.post("/data/faq", json={}).status_code == 422
        response = client.post("/data/fqa", json={"items": []})
        assert (response.status_code, response.get_json(force=True)["nearest"]) == (404, ["faq"])
        text = '{"type": "faq", "data": {"items": 1.0}}'
        json_type = "application/json"
        assert client.post("/documents", data=text, content_type=json_type).status_code == 200
        assert (seen[-1].text, seen[-1].document["type"]) == ('{"items": 1.0}', "faq")
        response = client.post("/documents", json={"type": "faq", "data": {}})
        (error,) = response.get_json(force=True)["errors"]
        assert error["pointer"] == "#/data/items"
        assert client.post("/documents", json={"type": "x", "data": {}}).status_code == 422
        assert client.post("/documents", json={"data": {}}).status_code == 422

        document = {"type": "faq", "data": {"items": []}}
        assert client.put("/documents/faq", json=document).status_code == 200
        response = client.put("/documents/faq", json={**document, "type": "poll"})
        (error,) = response.get_json(force=True)["errors"]
        assert (error["pointer"], error["hint"]) == ("#/type", 'write "faq"')
        assert len(seen) == 2

    def test_an_unknown_type_that_the_application_names_is_its_mistake(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        app = Flask(__name__)

        @app.post("/")
        @widget_data("countdwn")
        def save(body: CheckedBody) -> str:
            return body.text

        assert app.test_client().post("/", json={}).status_code == 500
        assert "POST /: the application names an unknown type: " in caplog.text

    def test_asynchronous_views(self) -> None:
        app = Flask(__name__)
        pytest.importorskip("asgiref")

        @app.post("/")
        @widget_data("countdown")
        async def save(body: CheckedBody) -> str:
            return body.widget_type.id

        response = app.test_client().post("/", data=VALID, content_type="application/json")
        assert response.text == "countdown"

    @pytest.mark.parametrize("options", [{}, {"type": print}, {"type": "a", "path": "b"}])
    def test_the_type_is_given_in_one_way(self, options: dict[str, Any]) -> None:
        with pytest.raises(TypeError, match=r'in one way: widget_data\("countdown"\), '):
            widget_data(**options)

    def test_the_method_of_a_class(self) -> None:
        class Countdown(MethodView):
            @widget_data("countdown")
            def put(self, id: str, body: CheckedBody) -> str:
                return f"{type(self).__name__} {id} {body.widget_type.id}"

        app = Flask(__name__)
        app.add_url_rule("/countdowns/<id>", view_func=Countdown.as_view("countdown"))
        assert put(app.test_client(), VALID).text == "Countdown 7 countdown"
        assert put(app.test_client(), INVALID).status_code == 422


class TestProblems:
    def test_bodies_are_refused_without_handlers_too(self) -> None:
        app = Flask(__name__)
        app.put("/countdowns/<id>")(widget_data("countdown")(lambda **arguments: ""))
        client = app.test_client()
        for body, options, status in (
            (VALID, {}, 200),
            (INVALID, {}, 422),
            ("{", {}, 400),
            (VALID, {"content_type": "text/plain"}, 415),
        ):
            response = put(client, body, **options)
            assert response.status_code == status
            assert status == 200 or response.mimetype == "application/problem+json"

    def test_a_parameter_that_the_url_does_not_have(self) -> None:
        app = Flask(__name__)
        app.testing = True
        app.put("/countdowns/<id>")(widget_data(path="type")(lambda **arguments: ""))
        with pytest.raises(TypeError, match="no parameter 'type', which widget_data names"):
            put(app.test_client(), VALID)

    def test_handlers_of_the_application_come_first(self) -> None:
        app = Flask(__name__)
        app.put("/countdowns/<id>")(widget_data("countdown")(lambda **arguments: ""))

        @app.errorhandler(InvalidWidgetData)
        def own(error: InvalidWidgetData) -> tuple[str, int]:
            return f"{len(error.report)} wrong", 418

        response = put(app.test_client(), INVALID)
        assert (response.status_code, response.text) == (418, "1 wrong")
        assert put(app.test_client(), "{").status_code == 400

    def test_errors_of_views_are_answered_too(self) -> None:
        app = Flask(__name__)
        blueprint = Blueprint("api", __name__)
        add_problem_handlers(blueprint)

        @blueprint.get("/")
        def view() -> str:
            validate("countdown", {})
            return "not reached"

        app.register_blueprint(blueprint)
        response = app.test_client().get("/")
        assert response.status_code == 422
        assert len(response.get_json(force=True)["errors"]) == 3

    def test_errors_of_the_server_are_logged(self, caplog: pytest.LogCaptureFixture) -> None:
        class Source(dict[str, Any]):
            def lookup(self, id: str) -> Lookup:
                raise Unreachable("no route to 10.0.0.7", method="GET", path="/x")

            def expire(self) -> None: ...

        app = Flask(__name__)
        add_problem_handlers(app)
        app.put("/countdowns/<id>")(
            widget_data("faq", catalog=Catalog(Source()))(lambda **arguments: "")
        )
        response = put(app.test_client(), "{}")
        assert response.status_code == 503
        assert "10.0.0.7" not in response.text
        assert "10.0.0.7" in caplog.text


@pytest.fixture
def forms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    monkeypatch.setattr(flask_forms, "DATABASE", str(tmp_path / "widgets.db"))
    store(VALID, "create table widget (id text primary key, type text, data text)")
    return flask_forms.app.test_client()


def store(data: str, *statements: str) -> None:
    with closing(sqlite3.connect(flask_forms.DATABASE)) as db, db:
        for statement in statements:
            db.execute(statement)
        db.execute("insert or replace into widget values ('7', 'countdown', ?)", [data])


def stored() -> str:
    with closing(sqlite3.connect(flask_forms.DATABASE)) as db:
        return str(db.execute("select data from widget").fetchone()[0])


class TestForms:
    def test_a_form_is_shown_checked_and_saved(self, forms: FlaskClient) -> None:
        page = forms.get("/forms/7")
        assert page.status_code == 200
        assert "./assets/" in page.text
        fields = entries(page.text)
        name = next(name for name, value in fields if value == "1.0")
        wrong = edited(fields, name, "wide")
        checked = forms.post("/forms/7/check", data=encoded(wrong), headers=FORM)
        assert checked.status_code == 200
        assert "wide" in json.dumps(checked.get_json())
        refused = forms.post("/forms/7", data=encoded(wrong), headers=FORM)
        assert (refused.status_code, stored()) == (422, VALID)
        right = edited(fields, name, "2")
        saved = forms.post("/forms/7", data=encoded(right), headers=FORM)
        assert (saved.status_code, saved.headers["Location"]) == (303, "./7?saved=1")
        assert stored() == VALID.replace("1.0", "2")

    def test_the_assets(self, forms: FlaskClient) -> None:
        page = forms.get("/forms/7").text
        [address] = re.findall(r'href="\./(assets/[^"]+)"', page)
        response = forms.get(f"/forms/{address}")
        assert response.status_code == 200
        assert "immutable" in response.headers["Cache-Control"]
        assert forms.get("/forms/assets/x/forms.css").status_code == 404

    @pytest.mark.parametrize("path", ["/forms/8", "/forms/a%2Fb", "/forms/8/check"])
    def test_what_is_not_there(self, forms: FlaskClient, path: str) -> None:
        method = forms.post if path.endswith("check") else forms.get
        assert method(path, headers=FORM).status_code == 404

    def test_what_is_refused(self, forms: FlaskClient) -> None:
        cross = forms.post("/forms/7", headers={**FORM, "Sec-Fetch-Site": "cross-site"})
        assert cross.status_code == 403
        assert forms.post("/forms/7", json={}).status_code == 400
        huge = forms.post("/forms/7", data=b"a" * (16 * 1024 * 1024 + 1), headers=FORM)
        assert huge.status_code == 413
        assert stored() == VALID

    def test_below_another_blueprint_and_a_prefix(self, forms: FlaskClient) -> None:
        app = Flask(__name__)
        outer = Blueprint("outer", __name__, url_prefix="/outer")
        outer.register_blueprint(form_blueprint(flask_forms.Widgets()), url_prefix="/inner")
        app.register_blueprint(outer)
        http = app.test_client()
        page = http.get("/outer/inner/7", base_url="http://x/app")
        [address] = re.findall(r'src="\./(assets/[^"]+)"', page.text)
        asset = http.get(f"/outer/inner/{address}", base_url="http://x/app")
        assert asset.content_type == "text/javascript; charset=utf-8"

    def test_a_page_is_in_the_language_of_the_person(self, forms: FlaskClient) -> None:
        said = {
            accepted: forms.get("/forms/7", headers={"Accept-Language": accepted})
            for accepted in ("de-AT,de;q=0.9,en;q=0.8", "xx, fr;q=0.5", "xx")
        }
        assert [one.headers["Content-Language"] for one in said.values()] == ["de", "fr", "en"]
        for (_, page), save in zip(said.items(), ("Speichern", "Enregistrer", "Save"), strict=True):
            assert f">{save}</button>" in page.text
        width = "#/styles/cardsBorderWidth"
        fields = [(name, value) for name, value in entries(page.text) if name != width]
        checked = forms.post(
            "/forms/7/check",
            data=encoded([*fields, (width, "x")]),
            headers={**FORM, "Accept-Language": "de"},
        )
        assert "eine Zahl" in checked.get_json(force=True)["findings"][0]["message"]

    def test_an_application_chooses_the_language(self, forms: FlaskClient) -> None:
        app = Flask(__name__)
        app.register_blueprint(form_blueprint(flask_forms.Widgets(), lang="es"))
        page = app.test_client().get("/7", headers={"Accept-Language": "de"})
        assert page.headers["Content-Language"] == "es"
        assert '<html lang="es" dir="ltr">' in page.text

    def test_a_person_gets_a_page_about_an_error(
        self, forms: FlaskClient, caplog: pytest.LogCaptureFixture
    ) -> None:
        html = {"Accept": "text/html,*/*;q=0.8"}
        gone = forms.get("/forms/8", headers=html)
        assert (gone.status_code, gone.mimetype) == (404, "text/html")
        assert "<h1>There is nothing here</h1>" in gone.text
        assert "404 Not Found: there is no such widget data" in gone.text  # for developers
        german = forms.get("/forms/8", headers={**html, "Accept-Language": "de"})
        assert german.headers["Content-Language"] == "de"
        assert '<html lang="de" dir="ltr">' in german.text
        assert "<h1>Hier ist nichts</h1>" in german.text
        assert forms.get("/forms/8").mimetype == "application/problem+json"
        with closing(sqlite3.connect(flask_forms.DATABASE)) as db, db:
            db.execute("update widget set type = '<b>'")
        unknown = forms.get("/forms/7", headers=html)
        assert unknown.status_code == 500
        assert "&lt;b&gt;" in unknown.text
        assert "<b>" in caplog.text
        checked = forms.post("/forms/7/check", headers={**FORM, **html})
        assert (checked.status_code, checked.mimetype) == (500, "application/problem+json")


FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def test_the_views_of_forms_have_the_names_that_extensions_look_at(forms: FlaskClient) -> None:
    views = forms.application.view_functions.values()
    assert all(view.__module__ and view.__name__ for view in views)


def encoded(fields: list[tuple[str, str]]) -> str:
    from urllib.parse import urlencode

    return urlencode(fields)

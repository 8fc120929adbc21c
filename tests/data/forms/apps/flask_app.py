from pathlib import Path

from flask import Flask, Response, redirect, request
from werkzeug import Response as Answer

import widgetschema
from widgetschema import Form
from widgetschema.forms.html import stylesheet

FILE, countdown = Path("widget.json"), widgetschema.widget_type("countdown")
app = Flask(__name__)
PAGE = """<!doctype html><html lang="en"><meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width"><title>Countdown</title>
<style>{}</style><main><h1>Countdown</h1><p role="status">{}</p>{}</main>"""


def page(form: Form, notice: str = "") -> str:
    return PAGE.format(stylesheet(), notice, form.render())


@app.route("/", methods=["GET", "POST"])
def edit() -> Answer | tuple[str, int]:
    form = countdown.form_json(FILE.read_bytes(), at="/data")  # a widget document
    if request.method == "GET":
        return page(form), 200
    submission = form.submit(request.form, on_stale="rebase")
    if submission.valid and submission.action is None:  # not a button that adds a row, say
        FILE.write_bytes(submission.text.encode())
        if not submission.merged:
            return redirect("/", 303)
        saved = countdown.form_json(submission.text, at="/data")  # with the edits of others
        return page(saved, submission.notice), 200
    return page(submission.form), 200 if submission.action else 422


@app.errorhandler(widgetschema.FormError)
def refuse(error: widgetschema.FormError) -> Answer:
    if isinstance(error, widgetschema.StaleForm):  # the schema has changed: show what was typed
        return Response(page(error.form), 409)
    return Response(str(error), 409, mimetype="text/plain")

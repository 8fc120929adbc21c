from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

import widgetschema

FILE, countdown = Path("widget.json"), widgetschema.widget_type("countdown")
app = FastAPI()


@app.api_route("/", methods=["GET", "POST"])
async def edit(request: Request) -> Response:
    form = countdown.form_json(FILE.read_bytes(), at="/data")
    if request.method == "GET":
        return HTMLResponse(form.page(live="/check"))
    submission = form.submit(await request.form(max_fields=20_000), on_stale="rebase")
    if submission.valid and submission.action is None:
        FILE.write_bytes(submission.text.encode())
        if not submission.merged:
            return RedirectResponse("/", 303)
        saved = countdown.form_json(submission.text, at="/data")  # with the edits of others
        return HTMLResponse(saved.page(live="/check", notice=submission.notice))
    status = 200 if submission.action else 422
    return HTMLResponse(submission.form.page(live="/check"), status)


@app.post("/check")  # while somebody types
async def check(request: Request) -> dict[str, Any]:
    form = countdown.form_json(FILE.read_bytes(), at="/data")
    fields = await request.form(max_fields=20_000)
    return form.submit(fields, on_stale="rebase").answer(live="/check")


@app.exception_handler(widgetschema.FormError)
async def refuse(request: Request, error: Exception) -> Response:
    if isinstance(error, widgetschema.StaleForm):  # the schema has changed: show what was typed
        return HTMLResponse(error.form.page(live="/check"), 409)
    return PlainTextResponse(str(error), 409)

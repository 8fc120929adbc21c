from pathlib import Path

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.middleware.csrf import get_token
from django.urls import path

import widgetschema

FILE, countdown = Path("widget.json"), widgetschema.widget_type("countdown")


def edit(request: HttpRequest) -> HttpResponse:
    form = countdown.form_json(FILE.read_bytes(), at="/data")
    token = {"csrfmiddlewaretoken": get_token(request)}
    if request.method == "POST":
        try:
            submission = form.submit(request.POST, on_stale="rebase")
        except widgetschema.StaleForm as error:  # the schema has changed: show what was typed
            return HttpResponse(error.form.page(hidden=token), status=409)
        except widgetschema.FormError as error:
            return HttpResponse(str(error), status=409, content_type="text/plain")
        if submission.valid and submission.action is None:
            FILE.write_bytes(submission.text.encode())
            if not submission.merged:
                return HttpResponseRedirect("/")
            saved = countdown.form_json(submission.text, at="/data")  # with the edits of others
            return HttpResponse(saved.page(hidden=token, notice=submission.notice))
        form = submission.form
    status = 200 if form.posted is None or form.action else 422
    return HttpResponse(form.page(hidden=token), status=status)


urlpatterns, csrf = [path("", edit)], ["django.middleware.csrf.CsrfViewMiddleware"]
settings.configure(ROOT_URLCONF=__name__, MIDDLEWARE=csrf, DATA_UPLOAD_MAX_NUMBER_FIELDS=20_000)
settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
application = get_wsgi_application()

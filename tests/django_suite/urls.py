"""The pages of the example, and of the tests."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path
from urls import urlpatterns as pages_of_the_example  # type: ignore[import-not-found]


def favicon(_: HttpRequest) -> HttpResponse:
    """Return nothing: browsers ask for it."""
    return HttpResponse(status=204)


urlpatterns: list[Any] = [*pages_of_the_example, path("favicon.ico", favicon)]

"""The stylesheet and the script of forms: two files of this package, read once.

No markup is made here; where the files are served from is up to the application.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files


def stylesheet() -> str:
    """The stylesheet of forms: everything in it is below the class `ws-form`."""
    return _asset("forms.css")


def script() -> str:
    """The script of forms. They work without it."""
    return _asset("forms.js")


@cache
def _asset(name: str) -> str:
    return files("widgetschema.forms.html").joinpath("assets", name).read_text("utf-8")

"""A finder for `django.contrib.staticfiles`: the stylesheet and the script of all forms."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from django.contrib.staticfiles.finders import BaseStorageFinder
from django.core.checks import CheckMessage
from django.core.files.storage import FileSystemStorage

FINDER: Final = f"{__name__}.FormAssetsFinder"


class FormAssetsFinder(BaseStorageFinder):
    """Find `widgetschema/forms.css` and `widgetschema/forms.js`, which are no part of this app.

    The app adds this finder to the setting `STATICFILES_FINDERS` by itself.
    """

    storage = FileSystemStorage(str(files("widgetschema.forms.html") / "static"))

    def check(self, **_: object) -> list[CheckMessage]:
        """Return no findings: nothing is configured."""
        return []

"""Django: model fields, forms, checks and a command for widget data.

Add `widgetschema.integrations.django` to `INSTALLED_APPS`. The names of this package can be
imported before the apps are ready. The field for Django REST framework is in `rest`.

`fields` is for models, `validation` turns reports into the errors of Django, `catalogs` reads the
setting `WIDGETSCHEMA`, `checks` are the system checks.
"""

from widgetschema.integrations import importing
from widgetschema.lazy import attach

with importing("django"):
    import django  # noqa: F401  its modules are imported when they are first used

__getattr__, __dir__ = attach(__name__)

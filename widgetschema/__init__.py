"""Fetch, link and compare schemas of widget types; check, make and edit data by them.

import widgetschema

widgetschema.validate("countdown", data)   # or raises InvalidWidgetData
print(widgetschema.check("countdown", data))
widgetschema.widget_type("countdown").sample(seed="demo", index=7)
"""

from widgetschema.lazy import attach

__getattr__, __dir__ = attach(__name__)

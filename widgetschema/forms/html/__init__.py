"""Forms as HTML: markup for pages of applications, whole pages, stylesheet and script.

`rendering` is the interface and does not need Jinja2, which is an extra: `jinja_renderer` renders
the fields; `page_elements` finds the element that shows a finding, and the one to focus.
"""

from widgetschema.forms.html.rendering import answer as answer
from widgetschema.forms.html.rendering import page as page
from widgetschema.forms.html.rendering import preview_box as preview_box
from widgetschema.forms.html.rendering import preview_script as preview_script
from widgetschema.forms.html.rendering import render as render
from widgetschema.forms.html.rendering import script as script
from widgetschema.forms.html.rendering import stylesheet as stylesheet

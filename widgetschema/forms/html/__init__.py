"""Forms as HTML: markup for other people's pages, a page of their own, stylesheet and script.

`rendering` is the front and knows no Jinja2, which is an extra: `drawing` draws the fields with
the templates of `environment`; `places` says where on the page a finding belongs and where the
focus goes; `answering` makes the answer of a live check; `assets` reads stylesheet and script.
Nothing of a form is decided here.
"""

from widgetschema.forms.html.answering import answer as answer
from widgetschema.forms.html.assets import script as script
from widgetschema.forms.html.assets import stylesheet as stylesheet
from widgetschema.forms.html.places import Rendered as Rendered
from widgetschema.forms.html.rendering import page as page
from widgetschema.forms.html.rendering import render as render
from widgetschema.forms.html.rendering import summary as summary

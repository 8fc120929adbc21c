"""The editor: a page on this machine with a form, the JSON beside it, and one file to save it in.

Data flows one way: `application` reads the controls of a request, behind a `guard`;
`reconciliation` makes one text of them, from form or JSON pane, with `document` to open it;
`session` knows the file and decides what is shown and what is written; `pages` renders a `View`.
Starlette, uvicorn, python-multipart and Jinja2 are an extra: `server` imports them when they are
needed.

    with widgetschema.editor.serving(session) as address: ...
"""

from widgetschema.editor.document import DocumentOpener as DocumentOpener
from widgetschema.editor.document import OpenedText as OpenedText
from widgetschema.editor.preview import AddressPreview as AddressPreview
from widgetschema.editor.preview import Preview as Preview
from widgetschema.editor.server import serving as serving
from widgetschema.editor.session import EditorSession as EditorSession
from widgetschema.forms.preview import RenderedPreview as RenderedPreview

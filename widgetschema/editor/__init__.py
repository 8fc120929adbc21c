"""The editor: a page on this machine with a form, the JSON beside it, and one file to save it in.

Data flows one way: `web` makes controls of a request (`receiving`), behind a `guard`; `rounds`
makes one text of them, of form or JSON pane, as `subject` opens it; `editing` knows the `file`
and decides what is shown, and what is written; `pages` makes markup of a `View`. Starlette,
uvicorn, python-multipart and Jinja2 are an extra: `front` imports them when they are needed.

    with widgetschema.editor.serving(editing) as address: ...
"""

from widgetschema.editor.document import DocumentOpener as DocumentOpener
from widgetschema.editor.document import OpenedText as OpenedText
from widgetschema.editor.edited_file import EditedFile as EditedFile
from widgetschema.editor.server import serving as serving
from widgetschema.editor.session import EditorSession as EditorSession

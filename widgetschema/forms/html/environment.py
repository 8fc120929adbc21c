"""The templates of forms: Jinja2 with autoescape, ours or those of a folder that override them.

Each is loaded once for a process. By name, and what it may use beside `field` (a `model.Field`),
`label`, `name` (of its control, with the form's prefix), `text` (what is shown), `do` (the name of
buttons) and `focus` (the id of what gets the focus, or none):

- `kinds/KIND`, `kinds/select`, `kinds/radios`: the control alone; `attributes` has its id, its
  name and what is said of it for assistive technology; `lines` of a text area, `present` of a
  checkbox, `foreign` of a select; containers have `members`, `rows`, `rest`, `order`, `opened` and
  `add`, alternatives `branches`, `kind_name`, `chosen`, `carried` (names and values of hidden
  controls) and `carry` (how the button that the script presses begins);
- `field`, `radios`, `group`, `section`, `closed`: what is around a control; `control`, `states`,
  `errors`, `helped`, `required`, `bare` (nobody needs to see the label), `wide`, `described`,
  `says`, `focused`;
- `row`: `control`, `key`, `lines`, `moves`, `stuck`, `remove`; `rows` as `kinds/list`;
- `help`, `errors`: `field`; `states`: `states`, `state`, `again`, `reset`;
- `summary`: `id`, `found`, `focused`;
- `form`: `root`, `summary`, `errors`, `nav`, `rest`, `sections`, `changed`, `controls`, `action`,
  `method`, `hidden`, `live`, `submit`, `tag`, `do`;
- `page`: `form`, `title`, `lang`, `stylesheet`, `script`, `assets`.

Filters and tests are Jinja2's; there are no global functions. Nothing is drawn here.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache

from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    PackageLoader,
    StrictUndefined,
    Template,
)

from widgetschema.errors import FormError
from widgetschema.forms.html.options import Folders


class Templates(dict[str, Template]):
    """Templates by their names without `.html`: `field`, `kinds/colour`."""

    def __init__(self, folders: Sequence[str]) -> None:
        super().__init__()
        loaders: list[BaseLoader] = [FileSystemLoader(folder) for folder in folders]
        self._environment = Environment(
            loader=ChoiceLoader([*loaders, PackageLoader("widgetschema.forms.html")]),
            autoescape=True,
            auto_reload=False,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )

        self._environment.globals.clear()  # they are looked through at every rendering

    def __missing__(self, name: str) -> Template:
        template = self[name] = self._environment.get_template(f"{name}.html")
        return template


def templates_in(folders: Folders | None) -> Templates:
    """Our templates, and before them those in a folder, or in several.

    Raises `FormError` for a folder that is not there.
    """
    if folders is None:
        return _templates(())
    if isinstance(folders, (str, os.PathLike)):
        folders = [folders]
    return _templates(tuple(os.fspath(folder) for folder in folders))


@lru_cache(maxsize=16)
def _templates(folders: tuple[str, ...]) -> Templates:
    for folder in folders:
        if not os.path.isdir(folder):
            raise FormError(f"there is no folder {folder} with templates")
    return Templates(folders)

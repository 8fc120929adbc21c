"""Configuration of the manual: Sphinx, MyST and Furo."""

import re

from sphinx.application import Sphinx

from widgetschema import __version__

project = "widgetschema"
author = "The widgetschema authors"
copyright = author
version = release = __version__

extensions = ["myst_parser", "sphinx_copybutton"]
nitpicky = True

html_theme = "furo"
html_title = "widgetschema"
html_static_path = ["_static"]

myst_heading_anchors = 4
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True


def add_contents(app: Sphinx, name: str, source: list[str]) -> None:
    """Make a table of contents of the links to pages in the folders below, by their headings."""
    if name not in ("index", "reference/findings"):
        return
    heading, contents = "Tutorial", dict[str, str]()
    for found, page in re.findall(r"^## (.+)|\]\((\w[\w-]*/.+?)\.md\)", source[0], re.MULTILINE):
        heading = found or heading
        if page:
            contents.setdefault(page, heading)
    for caption in dict.fromkeys(contents.values()):
        pages = [page for page, its_caption in contents.items() if its_caption == caption]
        lines = (f":caption: {caption}", ":hidden:", "", *pages)
        source[0] += "\n```{toctree}\n" + "\n".join(lines) + "\n```\n"


def setup(app: Sphinx) -> None:
    """Connect the handler."""
    app.connect("source-read", add_contents)

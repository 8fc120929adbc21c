"""Configuration of the manual: Sphinx, MyST and Furo."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

from widgetschema import __version__

project = "widgetschema"
author = "The widgetschema authors"
copyright = author
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_click",
    "sphinx_copybutton",
    "findings",
    "generated",
    "public_names",
]
exclude_patterns = ["build"]
default_role = "code"
smartquotes = False
nitpicky = True
nitpick_ignore_regex = [
    # Names of the standard library and of other packages, whose manuals cannot be asked here.
    (r"py:.*", r"(?!widgetschema)(?:[\w.]+\.)?\w+"),
]

html_theme = "furo"
html_title = "widgetschema"
html_static_path = ["_static"]
templates_path = []

myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_class_signature = "separated"
napoleon_google_docstring = True
napoleon_numpy_docstring = False
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True

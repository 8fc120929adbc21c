"""The configuration of a project: declared, found, read, checked, and put in order.

- `settings`: every setting, declared once; `kinds`: the kinds of their values; `rules`: what JSON
  Schema cannot express;
- `file`: a configuration file;
- `configuration`: what is in force; `nearest`: for a run, and for each of its files;
- `globs`, `file_matching`: which files its patterns mean.

A file in somebody else's repository is hostile input: it names no file outside its folder that
is written, and nothing of it is compiled as a regular expression.
"""

from widgetschema.project.config.configuration import Configuration as Configuration
from widgetschema.project.config.configuration import load as load
from widgetschema.project.config.configuration import search_folders as search_folders
from widgetschema.project.config.nearest import Configurations as Configurations
from widgetschema.project.config.settings import Ignore as Ignore
from widgetschema.project.config.settings import Origin as Origin

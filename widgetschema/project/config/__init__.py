"""What a project has settled for this package: found, read, checked, and put in order.

- `members`: the table of all members; `schema.json`: the same for editors, in draft-07;
- `searching`: which file; `reading`: its table; `positions`: where in it something is;
- `shape`: the quick yes; `rules` and `faults`: what is wrong, where; `from_file`: the settings;
- `environment`: the variables; `loading`: the way from one end to the other;
- `values`: what all that comes to; `globs`, `matching`, `walking`, `paths`: which files.

A file in somebody else's repository is hostile input: it names no file outside its folder that
is written, and nothing of it is compiled as a regular expression.
"""

from widgetschema.project.config.loading import load as load
from widgetschema.project.config.values import Configuration as Configuration
from widgetschema.project.config.values import Ignore as Ignore
from widgetschema.project.config.values import Setting as Setting

"""Mending texts: what findings say would certainly mend them, written into the JSON text.

Pure: texts in, texts out; nothing here reads or writes a file, or knows a schema.

- `mending`: `fix`, which writes what is certain, checks again, and takes back what did not help;
- `edits`: tokens of a text that are replaced, and paths before and after;
- `blame`: which edits made something new wrong;
- `patch`: what changed, as a patch that `git apply` takes.
"""

from widgetschema.fixes.mending import Fixed as Fixed
from widgetschema.fixes.mending import fix as fix
from widgetschema.fixes.patch import unified_diff as unified_diff

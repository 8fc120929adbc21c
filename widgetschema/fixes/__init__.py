"""Fixes: the certain ones of findings, written into the JSON text, and the patch of that.

Pure: texts in, texts out; nothing here reads or writes a file, or knows a schema.
"""

from widgetschema.fixes.diff import unified_diff as unified_diff
from widgetschema.fixes.fixing import Fixed as Fixed
from widgetschema.fixes.fixing import fix as fix

"""Fixes: the certain ones of findings, written into the text; the patch and the list of edits.

Pure: texts in, texts out; nothing here reads or writes a file, or knows a schema.
"""

from widgetschema.fixes.diff import unified_diff as unified_diff
from widgetschema.fixes.edit_list import FixedValue as FixedValue
from widgetschema.fixes.edit_list import edit_list as edit_list
from widgetschema.fixes.fixing import Fixed as Fixed
from widgetschema.fixes.fixing import fix as fix

"""Write the fixes of findings into a text, as a new text, a patch or a list of edits.

Nothing here reads or writes files, or knows schemas.
"""

from widgetschema.fixes.diff import unified_diff as unified_diff
from widgetschema.fixes.edit_list import FixedValue as FixedValue
from widgetschema.fixes.edit_list import edit_list as edit_list
from widgetschema.fixes.fixing import Fixed as Fixed
from widgetschema.fixes.fixing import applicable as applicable
from widgetschema.fixes.fixing import fix as fix
from widgetschema.fixes.fixing import with_effective_fixes as with_effective_fixes

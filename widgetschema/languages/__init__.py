"""Languages: the texts for people in English and in others, from PO files.

`po` reads and writes the files, `language` has the texts of one language, `catalogs` finds
languages by their tags. English is in the code, and is the key by which a translation is found: a
text whose English has changed is shown in English until somebody has translated it again.
"""

from widgetschema.languages.catalogs import Languages as Languages
from widgetschema.languages.catalogs import as_language as as_language
from widgetschema.languages.catalogs import shipped_languages as shipped_languages
from widgetschema.languages.language import ENGLISH as ENGLISH
from widgetschema.languages.language import Domain as Domain
from widgetschema.languages.language import Language as Language
from widgetschema.languages.language import Phrases as Phrases
from widgetschema.languages.language import current_language as current_language
from widgetschema.languages.language import own_text as own_text
from widgetschema.languages.language import speaking as speaking

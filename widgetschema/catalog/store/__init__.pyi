# The names of this package: for type checkers, and at run time for `widgetschema.lazy`.
from widgetschema.catalog.store.installation import NewSchema as NewSchema
from widgetschema.catalog.store.installation import install as install
from widgetschema.catalog.store.installation import uninstall as uninstall
from widgetschema.catalog.store.locations import MANIFEST as MANIFEST
from widgetschema.catalog.store.locations import SCHEMAS_VARIABLE as SCHEMAS_VARIABLE
from widgetschema.catalog.store.locations import find_project_store as find_project_store
from widgetschema.catalog.store.locations import find_schema_folders as find_schema_folders
from widgetschema.catalog.store.locations import is_pinned as is_pinned
from widgetschema.catalog.store.manifest import ManifestEntry as ManifestEntry
from widgetschema.catalog.store.manifest import write_manifest as write_manifest
from widgetschema.catalog.store.store import PLUGIN as PLUGIN
from widgetschema.catalog.store.store import STAGED as STAGED
from widgetschema.catalog.store.store import Store as Store
from widgetschema.catalog.store.store import bundled as bundled

"""Folders of schemas: read with their digests checked, written whole or not at all."""

from typing import TYPE_CHECKING

from widgetschema.catalog.store.places import MANIFEST as MANIFEST
from widgetschema.catalog.store.places import SCHEMAS_VARIABLE as SCHEMAS_VARIABLE
from widgetschema.catalog.store.places import find_project_store as find_project_store
from widgetschema.catalog.store.places import find_schema_folders as find_schema_folders
from widgetschema.catalog.store.places import is_pinned as is_pinned
from widgetschema.later import later

if TYPE_CHECKING:
    from widgetschema.catalog.store.installing import New as New
    from widgetschema.catalog.store.installing import install as install
    from widgetschema.catalog.store.installing import uninstall as uninstall
    from widgetschema.catalog.store.manifest import Entry as Entry
    from widgetschema.catalog.store.manifest import write_manifest as write_manifest
    from widgetschema.catalog.store.resources import Resources as Resources
    from widgetschema.catalog.store.resources import provenance_of as provenance_of
    from widgetschema.catalog.store.store import PLUGIN as PLUGIN
    from widgetschema.catalog.store.store import STAGED as STAGED
    from widgetschema.catalog.store.store import Store as Store
    from widgetschema.catalog.store.store import bundled as bundled
    from widgetschema.files import digest as digest
    from widgetschema.files import move as move
    from widgetschema.files import remove as remove
    from widgetschema.files import set_aside as set_aside
    from widgetschema.files import write_atomically as write_atomically
    from widgetschema.files import write_bytes_atomically as write_bytes_atomically
    from widgetschema.files import writing_atomically as writing_atomically

# Loaded when asked for: a run over files that have not changed needs no schema.
_LATER = {
    "Entry": "widgetschema.catalog.store.manifest",
    "New": "widgetschema.catalog.store.installing",
    "PLUGIN": "widgetschema.catalog.store.store",
    "Resources": "widgetschema.catalog.store.resources",
    "STAGED": "widgetschema.catalog.store.store",
    "Store": "widgetschema.catalog.store.store",
    "bundled": "widgetschema.catalog.store.store",
    "digest": "widgetschema.files",
    "install": "widgetschema.catalog.store.installing",
    "move": "widgetschema.files",
    "provenance_of": "widgetschema.catalog.store.resources",
    "remove": "widgetschema.files",
    "set_aside": "widgetschema.files",
    "uninstall": "widgetschema.catalog.store.installing",
    "write_atomically": "widgetschema.files",
    "write_bytes_atomically": "widgetschema.files",
    "write_manifest": "widgetschema.catalog.store.manifest",
    "writing_atomically": "widgetschema.files",
}

__getattr__ = later(globals(), _LATER)

"""Folders of schemas: read with their digests checked, written whole or not at all."""

from typing import TYPE_CHECKING

from widgetschema.later import later
from widgetschema.store.places import MANIFEST as MANIFEST
from widgetschema.store.places import SCHEMAS_VARIABLE as SCHEMAS_VARIABLE
from widgetschema.store.places import find_project_store as find_project_store
from widgetschema.store.places import find_schema_folders as find_schema_folders
from widgetschema.store.places import is_pinned as is_pinned

if TYPE_CHECKING:
    from widgetschema.store.files import digest as digest
    from widgetschema.store.files import move as move
    from widgetschema.store.files import remove as remove
    from widgetschema.store.files import set_aside as set_aside
    from widgetschema.store.files import write_atomically as write_atomically
    from widgetschema.store.files import write_bytes_atomically as write_bytes_atomically
    from widgetschema.store.files import writing_atomically as writing_atomically
    from widgetschema.store.installing import New as New
    from widgetschema.store.installing import install as install
    from widgetschema.store.installing import uninstall as uninstall
    from widgetschema.store.manifest import Entry as Entry
    from widgetschema.store.manifest import write_manifest as write_manifest
    from widgetschema.store.resources import Resources as Resources
    from widgetschema.store.resources import provenance_of as provenance_of
    from widgetschema.store.store import PLUGIN as PLUGIN
    from widgetschema.store.store import STAGED as STAGED
    from widgetschema.store.store import Store as Store
    from widgetschema.store.store import bundled as bundled

# Loaded when asked for: a run over files that have not changed needs no schema.
_LATER = {
    "Entry": "widgetschema.store.manifest",
    "New": "widgetschema.store.installing",
    "PLUGIN": "widgetschema.store.store",
    "Resources": "widgetschema.store.resources",
    "STAGED": "widgetschema.store.store",
    "Store": "widgetschema.store.store",
    "bundled": "widgetschema.store.store",
    "digest": "widgetschema.store.files",
    "install": "widgetschema.store.installing",
    "move": "widgetschema.store.files",
    "provenance_of": "widgetschema.store.resources",
    "remove": "widgetschema.store.files",
    "set_aside": "widgetschema.store.files",
    "uninstall": "widgetschema.store.installing",
    "write_atomically": "widgetschema.store.files",
    "write_bytes_atomically": "widgetschema.store.files",
    "write_manifest": "widgetschema.store.manifest",
    "writing_atomically": "widgetschema.store.files",
}

__getattr__ = later(globals(), _LATER)

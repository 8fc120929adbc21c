"""Folders of schemas: read with their digests checked, written whole or not at all."""

from widgetschema.store.files import digest as digest
from widgetschema.store.files import move as move
from widgetschema.store.files import remove as remove
from widgetschema.store.files import set_aside as set_aside
from widgetschema.store.files import write_atomically as write_atomically
from widgetschema.store.files import writing_atomically as writing_atomically
from widgetschema.store.installing import New as New
from widgetschema.store.installing import install as install
from widgetschema.store.manifest import MANIFEST as MANIFEST
from widgetschema.store.manifest import Entry as Entry
from widgetschema.store.manifest import write_manifest as write_manifest
from widgetschema.store.store import PLUGIN as PLUGIN
from widgetschema.store.store import STAGED as STAGED
from widgetschema.store.store import Store as Store
from widgetschema.store.store import bundled as bundled
from widgetschema.store.store import find_project_store as find_project_store

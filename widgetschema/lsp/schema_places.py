"""Hover and go to definition: the description of a place in the schema, and its source."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import NamedTuple

from widgetschema.catalog.store import Store, bundled
from widgetschema.catalog.widget_type import BUNDLED, WidgetType
from widgetschema.errors import StoreError
from widgetschema.files import read_bytes
from widgetschema.findings import Provenance
from widgetschema.jsontext import SourceText
from widgetschema.lsp.completion import documentation_of
from widgetschema.lsp.cursor import Context, context_of, place_at
from widgetschema.lsp.documents import Document
from widgetschema.lsp.places import Place
from widgetschema.lsp.projects import Project
from widgetschema.pointers import display_pointer
from widgetschema.schema.tree import Node
from widgetschema.schema.tree.description import limits_of
from widgetschema.text import join

_MOST_NODES = 4


class Hover(NamedTuple):
    """A text about what is between `start` and `end`."""

    text: str
    start: int
    end: int


class SchemaPlace(NamedTuple):
    """A part of a schema in a file: its text, and where the part is in it."""

    path: str
    text: str
    start: int
    end: int


def hover(document: Document, project: Project, offset: int) -> Hover | None:
    """Return the description of the name or the value at an offset."""
    found = _found(document, project, offset)
    if found is None:
        return None
    place, context, nodes = found
    allowed = dict.fromkeys(", ".join(limits_of(node)) for node in nodes[:_MOST_NODES])
    parts = [documentation_of(nodes[:_MOST_NODES]), f"Allowed: {join([*allowed], 'or')}"]
    places = dict.fromkeys(_shown(place) for place in _origins(context.widget_type, nodes))
    parts += [f"Schema: {', '.join(places)}"] if places else []
    return Hover("\n\n".join(filter(None, parts)), place.start, place.end)


def definitions(document: Document, project: Project, offset: int) -> list[SchemaPlace]:
    """Return the parts of schemas in files that describe the name or the value at an offset."""
    found = _found(document, project, offset)
    if found is None:
        return []
    _, context, nodes = found
    places = (_in_file(origin) for origin in dict.fromkeys(_origins(context.widget_type, nodes)))
    return [place for place in places if place is not None]


def _found(
    document: Document, project: Project, offset: int
) -> tuple[Place, Context, list[Node]] | None:
    if document.text.startswith(('"', "'"), offset):
        offset += 1  # the cursor is on the name, and not where another may be written before it
    place = place_at(document, offset)
    if place is None or place.start == place.end:
        return None
    context = context_of(document, project, place.tokens, place.value)
    if context is None:
        return None
    name = () if place.kind == "value" or place.member is None else (place.member.name,)
    context = context._replace(tokens=(*context.tokens, *name))
    nodes = [node for node in context.alternatives(context.own_value) if node.key.pointers]
    return (place, context, nodes) if nodes else None


def _origins(widget_type: WidgetType, nodes: list[Node]) -> Iterator[tuple[Provenance, str]]:
    for node in nodes[:_MOST_NODES]:
        for pointer in node.key.pointers:
            origin = widget_type.origin_of(pointer)
            if origin is not None:
                yield origin


def _shown(origin: tuple[Provenance, str]) -> str:
    """Return the name of a schema with the pointer in it, and where it came from."""
    provenance, pointer = origin
    is_file = os.path.isfile(provenance.source)
    name = os.path.basename(provenance.source) if is_file else provenance.id
    source = provenance.origin
    if provenance.source == BUNDLED:
        source = "bundled with widgetschema"
    elif source is not None:
        source = f"from {source}"
    parts = [source, None if provenance.fetched is None else f"fetched {provenance.age}"]
    about = ", ".join(filter(None, parts))
    shown = f"{name}#{display_pointer(pointer) if pointer else ''}"
    return f"{shown} ({about})" if about else shown


def path_of(provenance: Provenance) -> str | None:
    """Return the file of a schema, in the cache if it was fetched; None if it is in none."""
    if provenance.source == BUNDLED:
        return os.path.normpath(bundled().path(provenance.id))
    if os.path.isfile(provenance.source):
        return provenance.source
    return None if provenance.origin is None else _cached(provenance)


def _cached(provenance: Provenance) -> str | None:
    """Return the file of a schema in the user's cache, by its digest."""
    from widgetschema.platform.fetcher import find_caches

    with contextlib.suppress(OSError, StoreError):
        for cache in find_caches():
            with contextlib.suppress(StoreError):  # the other caches are still there
                entry = Store(cache.folder).entry(provenance.id)
                if entry is not None and entry.sha256 == provenance.digest:
                    return os.path.join(cache.folder, entry.file)
    return None


def _in_file(origin: tuple[Provenance, str]) -> SchemaPlace | None:
    provenance, pointer = origin
    path = path_of(provenance)
    if path is None:
        return None
    try:
        source = SourceText(read_bytes(path))
        located = source.locate([pointer]).get(pointer)
    except (StoreError, ValueError):  # of a file that has changed: reported when it is used
        return None
    if located is None:
        return SchemaPlace(path, source.text, 0, 0)
    if located.key_start is not None and located.key_end is not None:
        return SchemaPlace(path, source.text, located.key_start, located.key_end)
    return SchemaPlace(path, source.text, located.start, located.start + 1)

"""The documents in the value of a JSON text, and whether each is bare data or a widget document."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from widgetschema.catalog.widget_type import is_document, is_record, is_wrapped

ENVELOPE_MEMBERS: Final = frozenset("total limit offset page pages".split())


class Document(NamedTuple):
    """A document within a text: its JSON Pointer, its kind ("data" or "document"), its value.

    `schema` is the address of a schema that the text names beside the value.
    """

    pointer: str
    kind: str
    value: Any
    schema: str | None = None


def documents_in(value: Any, kind: str) -> list[Document]:
    """Return the documents in a value; `kind` is "data", "document" or "auto"."""
    if kind == "data" or (
        kind == "auto" and type(value) is dict and "data" not in value and "docs" not in value
    ):
        return [Document("", "data", value)]
    if type(value) is list and (kind == "document" or any_documents(value)):
        return [Document(f"/{index}", "document", item) for index, item in enumerate(value)]
    if is_envelope(value):
        return [
            Document(f"/docs/{index}", "document", item) for index, item in enumerate(value["docs"])
        ]
    if kind == "document" or is_document(value):
        return [Document("", "document", value)]
    return [Document("", "data", value)]


def kind_hint(document: Document) -> str | None:
    """Return a hint if a document looks like another kind than the one it is checked as."""
    value = document.value
    if is_record(value):
        return "this looks like a record of the widgets list, which carries no data"
    if document.kind == "document":
        is_bare = type(value) is dict and "data" not in value
        return "if this is bare data, check it with --as data" if is_bare else None
    if is_wrapped(value):
        return "this looks like a widget document: check it with --as document"
    if is_envelope(value) or (type(value) is list and any_documents(value)):
        return "this looks like a list of widget documents: check it with --as document"
    return None


def is_envelope(value: Any) -> bool:
    """Return whether a value looks like the envelope of the widgets list."""
    if type(value) is not dict or type(value.get("docs")) is not list:
        return False
    return bool(ENVELOPE_MEMBERS & value.keys()) or any_documents(value["docs"])


def any_documents(values: list[Any]) -> bool:
    """Return whether any value looks like a document, so that the others are meant as some."""
    return any(is_document(value) or is_record(value) for value in values)

"""Names of places in the data for people: by the titles in a schema, else by its own words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from widgetschema.errors import WidgetSchemaError
from widgetschema.forms.fields.labels import label_from_name
from widgetschema.pointers import parse_pointer
from widgetschema.schema.tree.navigation import children
from widgetschema.text import one_line

if TYPE_CHECKING:
    from widgetschema.catalog.catalog import Catalog
    from widgetschema.schema.tree import Node

_ANY: Final = ("*", "**")
_LONGEST: Final = 80  # characters of one name
_MOST_NAMES: Final = 8  # of a place; of more, the last
_DATA: Final = "data"  # the member of a document that people edit


class PlaceNames:
    """The names of places in the records of a catalog's types."""

    def __init__(self, catalog: Catalog, data_pointer: str | None = None) -> None:
        self._catalog = catalog
        self._data = [_DATA] if data_pointer is None else parse_pointer(data_pointer)
        self._nodes: dict[tuple[str | None, ...], list[Node]] = {}  # by type and tokens

    def name(self, type_id: str | None, path: str) -> str:
        """Return what people call a place of a record, such as `Questions › Answer`; "" if all."""
        tokens = parse_pointer(path)
        nodes = self._root(type_id)
        size = len(self._data)
        is_own = size == 1 and any(_DATA in node.properties for node in nodes)
        if tokens[:size] == self._data and not is_own:
            del tokens[:size]
        names = []
        for depth, token in enumerate(tokens, start=1):
            place = (type_id, *tokens[:depth])
            if place not in self._nodes:
                self._nodes[place] = self._below(nodes, token)
            nodes = self._nodes[place]
            if token in _ANY:
                continue
            titles = (node.annotation("title") for node in nodes)
            title = next((one for one in titles if type(one) is str and one.strip()), None)
            names.append(one_line(title or label_from_name(token), _LONGEST))
        if tokens and tokens[-1] in _ANY and names:
            names[-1] = f"{names[-1]} (any)"
        return " › ".join(names[-_MOST_NAMES:])

    def _root(self, type_id: str | None) -> list[Node]:
        try:
            return [] if type_id is None else [self._catalog[type_id].schema_tree.root]
        except WidgetSchemaError:  # which the summary says
            return []

    @staticmethod
    def _below(nodes: list[Node], token: str) -> list[Node]:
        below: dict[Any, Node] = {
            one.key: one for node in nodes for one in children(node, token.replace("**", "*"))
        }
        return [*below.values()][:20]

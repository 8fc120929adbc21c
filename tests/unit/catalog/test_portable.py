"""A catalog that is sent to another process."""

from __future__ import annotations

import pickle

import pytest

from widgetschema import Catalog, InvalidSchema, UnknownWidgetType
from widgetschema.catalog.portable import portable_catalog


@pytest.mark.parametrize("wanted", [None, ["note", "broken", "nobody"]])
def test_it_has_the_types_and_raises_the_errors_of_the_first(wanted: list[str] | None) -> None:
    here = Catalog([{"note": {"type": "object"}, "broken": 1}], describes={"note": "data"})
    there = pickle.loads(pickle.dumps(portable_catalog(here, wanted)))

    assert there.ids() == here.ids()
    assert there["note"].linked_digest == here["note"].linked_digest
    for id, kind in (("broken", InvalidSchema), ("nobody", UnknownWidgetType)):
        with pytest.raises(kind) as first:
            here[id]
        with pytest.raises(kind) as again:
            there[id]
        assert str(again.value) == str(first.value)

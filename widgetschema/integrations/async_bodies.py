"""Bodies of requests to applications with an event loop, which never waits for a schema.

Neither do the threads that the application has for everything else. If these waited, a slow
platform would delay all requests as soon as enough users need a schema that is not at hand.
"""

from __future__ import annotations

import asyncio
from functools import partial

from anyio.to_thread import run_sync

from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.integrations.bodies import (
    CatalogSource,
    CheckedBody,
    ReadBody,
    catalog_of,
    check_body,
    read_body,
)


async def checked_body(
    raw: bytes,
    id: str | None,
    catalog: CatalogSource,
    *,
    is_document: bool,
    max_bytes: int,
) -> CheckedBody:
    """Return the body of a request, if it is valid: as `bodies.checked_body`, for a task.

    Args:
        raw: The JSON text of widget data, or of a whole widget document.
        id: The id of the widget type; None takes the member `type` of the document.
        catalog: The catalog, or a function that returns it, which is called in a thread.
        is_document: It is a widget document, not the data alone.
        max_bytes: The size of the largest body.

    Raises:
        WidgetSchemaError: As `bodies.checked_body`.
    """

    def begin() -> CheckedBody | tuple[ReadBody, Catalog]:
        """Return the checked body, unless the schema has to be fetched first."""
        body, source = read_body(raw, id, max_bytes=max_bytes), catalog_of(catalog)
        widget_type = source.at_hand(body.id)
        if widget_type is None:
            return body, source
        return check_body(body, widget_type, is_document=is_document)

    begun = await run_sync(begin)
    if isinstance(begun, CheckedBody):
        return begun
    body, source = begun
    widget_type = await _load(source, body.id)
    return await run_sync(partial(check_body, body, widget_type, is_document=is_document))


async def _load(catalog: Catalog, id: str) -> WidgetType:
    try:
        asyncio.get_running_loop()
    except RuntimeError:  # another event loop, such as that of trio
        return await run_sync(catalog.__getitem__, id)
    return await catalog.load(id)

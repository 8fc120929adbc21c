"""Widget documents: data in a record of the widgets list, with every documented member."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from widgetschema.errors import CannotGenerate
from widgetschema.pointers import parse_pointer
from widgetschema.samples.choosers import StreamChooser
from widgetschema.samples.model import DeadEnd
from widgetschema.samples.values.formats import uuid_text
from widgetschema.samples.values.horizon import DAY, USUAL, days_later, parse_horizon
from widgetschema.samples.values.locales import load_locale
from widgetschema.samples.values.realism import text_for
from widgetschema.validation import Validator

_MAX_ROUNDS: Final = 4  # one change may require another


def document(
    type_id: str, data: Any, key: str, locale: str, horizon: str | None = None
) -> dict[str, Any]:
    """Return a widget document around data; its content depends on `key`.

    UUIDs, timestamps (UTC, milliseconds) and the status have the documented form.
    """
    randbelow, pools = StreamChooser(f"record/{key}").randbelow, load_locale(locale)
    past = USUAL if horizon is None else parse_horizon(horizon)
    first, last = past.milliseconds(-4, 4)
    if horizon is None:
        shift = days_later(key.rpartition("/")[0]) * DAY
        first, last = first + shift, last + shift
    created = first + randbelow((last - first) // 2)
    return {
        "id": uuid_text(randbelow),
        "name": text_for(("title",), None, pools)(randbelow),
        "description": text_for(("description",), None, pools)(randbelow),
        "type": type_id,
        "projectId": uuid_text(randbelow),
        "previewImage": text_for(("previewImage",), None, pools)(randbelow),
        "status": "draft",
        "modelVersion": 1,
        "created": timestamp(created),
        "updated": timestamp(created + randbelow(last - created)),
        "data": data,
    }


def settled(
    value: dict[str, Any], validator: Validator, member: Callable[[str], Any]
) -> dict[str, Any]:
    """Return a document that its schema accepts, with members replaced by `member`, or omitted.

    Raises `CannotGenerate` if no such document is found.
    """
    for _ in range(_MAX_ROUNDS):
        report = validator.check(value)
        if report.valid:
            return value
        value = dict(value)
        for finding in report:
            path = parse_pointer(finding.path)
            name = path[0] if path else finding.expected
            if name == "data" or not isinstance(name, str):
                continue
            try:
                value[name] = member(name)
            except DeadEnd:
                value.pop(name, None)
    finding = next(iter(report))
    name = validator.linked.id or "schema"
    reason = f"the schema refuses a widget document around the data: {finding.headline}"
    raise CannotGenerate(name, finding.schema_path, reason)


def timestamp(milliseconds: int) -> str:
    """Return an ISO 8601 timestamp, UTC, with milliseconds, of milliseconds since 1970."""
    from datetime import UTC, datetime, timedelta

    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=milliseconds)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{milliseconds % 1000:03}Z"

"""What is asked for, of which sources, in which partitions: values that travel to workers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from widgetschema.project.inputs.sources import Source, Span

if TYPE_CHECKING:
    from widgetschema.catalog.catalog import Catalog


class Settings(NamedTuple):
    """What is asked of each record.

    `type_id` is the type of all records, where it is given; else each says its own in the member
    `type_member`. `kind` is "data", "document" or "auto", as for a file that is validated.
    `id_member` names a record in reports, `date_member` says when it was changed. `examples` are
    kept of each mistake. `findings` and `ids` say whether these are asked for.
    """

    type_id: str | None = None
    type_member: str = "type"
    kind: str = "auto"
    id_member: str = "id"
    date_member: str = "updated"
    examples: int = 3
    findings: bool = False
    ids: bool = False


class Plan(NamedTuple):
    """A whole audit. `partitions` are in the order of the sources; each is a task of its own.

    `older` is the catalog that records must have been valid by before, for `--against`. Pickles.
    """

    settings: Settings
    catalog: Catalog
    sources: tuple[Source, ...]
    partitions: tuple[tuple[Span, ...], ...]
    older: Catalog | None = None
    max_bytes: int = 64 * 1024 * 1024

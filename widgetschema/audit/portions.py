"""Portions of a partition that cannot be cut, such as a compressed file or a JSON array.

One process reads it, while others check what was read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from widgetschema.audit.inputs.reading import blocks
from widgetschema.audit.inputs.sources import Block
from widgetschema.audit.plan import Plan
from widgetschema.project.inputs.model import SourceFailed

_PORTION: Final = 2 * 1024 * 1024  # bytes of lines in a portion
_LEAST: Final = 512 * 1024  # bytes as stored: less is no work for several processes


class Portion(NamedTuple):
    """Some blocks of the only span of a partition.

    `before` is the number of lines before them, `stored` that of bytes up to their end, as stored.
    `failure` says why nothing could be read behind them.
    """

    number: int
    blocks: Sequence[Block]
    before: int
    stored: int
    is_last: bool = False
    failure: SourceFailed | None = None

    @property
    def lines(self) -> int:
        """The number of lines up to their end."""
        return self.before + sum(block.number_of_lines for block in self.blocks)

    def read(self) -> Iterator[Block]:
        """Yield the blocks, and raise the failure, as reading the partition itself would."""
        yield from self.blocks
        if self.failure is not None:
            raise self.failure


def has_portions(plan: Plan, number: int) -> bool:
    """Return whether a partition is a large source that only one process can read."""
    [span, *others] = plan.partitions[number]
    source = plan.sources[span.source]
    is_uncut = (bool(source.compression) or source.layout == "whole") and source.table is None
    return is_uncut and not others and (source.size or 0) >= _LEAST


def portions(plan: Plan, number: int) -> Iterator[Portion]:
    """Read such a partition and yield its portions, each as soon as the next one is there."""
    [span] = plan.partitions[number]
    here, size = Portion(number, [], 0, 0), 0
    before = here
    failure = None
    try:
        for block in blocks(plan.sources[span.source], span, max_bytes=plan.max_bytes):
            here = here._replace(blocks=[*here.blocks, block], stored=here.stored + block.stored)
            size += sum(map(len, block.lines))
            if size >= _PORTION:
                if before.blocks:
                    yield before
                before, size = here, 0
                here = Portion(number, [], before.lines, before.stored)
    except SourceFailed as error:
        failure = error
    yield here._replace(
        blocks=[*before.blocks, *here.blocks],
        before=before.before,
        is_last=True,
        failure=failure,
    )

"""The line filter: the lines that it accepts, and the point at which it stops trying."""

from __future__ import annotations

import orjson

import widgetschema
from widgetschema.audit.line_filter import LineFilter
from widgetschema.audit.plan import Settings
from widgetschema.catalog.catalog import Catalog
from widgetschema.project.checking.checker import Checker

BLOCK = 100


def test_a_fast_path_that_accepts_nothing_is_seldom_tried() -> None:
    settings = Settings(type_id="countdown", kind="data")
    line_filter = LineFilter(settings, Checker(Catalog.default(), type_id="countdown"))
    data = [*widgetschema.widget_type("countdown").samples(BLOCK)]
    valid = [orjson.dumps(one) for one in data]
    invalid = [orjson.dumps({**one, "settings": 5}) for one in data]
    accepted: list[int] = []

    def check(lines: list[bytes], blocks: int) -> None:
        for _ in range(blocks):
            accepted.append(0)
            _ = line_filter.rejected(lines, count)

    def count(_: str, number: int) -> None:
        accepted[-1] += number

    check(valid, 5)
    assert accepted[-1] == BLOCK
    check(invalid, 100)
    assert not any(accepted[-100:])
    check(valid, 100)
    assert accepted[-100] == 0, "it was not tried"
    assert accepted[-30:] == [BLOCK] * 30, "it is tried again, and then always"

"""Property tests of a plan: run with data that Hypothesis generates, or written for pytest."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from widgetschema.cli.pipeline.migration_setup import MigrationSetup
from widgetschema.errors import CannotGenerate, MigrationFailed
from widgetschema.evolution.migrate import WayBack
from widgetschema.findings import Finding
from widgetschema.jsontext import dump


@dataclass
class MigrationTrial:
    """The results of the property tests of a plan.

    `failure` is the simplest data that was valid and does not come out valid, with its findings;
    `not_back` that which a step and its reverse do not leave as it was.
    """

    examples: int = 0
    migrated: int = 0
    failure: tuple[str, tuple[Finding, ...]] | None = None
    not_back: WayBack | None = None
    back: Counter[int] = field(default_factory=Counter)
    uncertain: Counter[int] = field(default_factory=Counter)

    @property
    def holds(self) -> bool:
        """True if no test failed."""
        return self.failure is None and self.not_back is None


class _Falsified(Exception):
    """The data of an example falsifies a property."""


def try_migration(setup: MigrationSetup, examples: int) -> MigrationTrial:
    """Return the results for so many examples, which are the same in each run.

    Raises `MissingExtra` and `CannotGenerate`.
    """
    strategy = setup.old.strategy()
    from hypothesis import HealthCheck, Phase, errors, given, settings

    trial = MigrationTrial()
    latest: list[tuple[str, tuple[Finding, ...]]] = []
    latest_way: list[WayBack] = []

    def comes_out_valid(data: Any) -> None:
        text = dump(data, indent=False)
        outcome = setup.migration.migrate_json(text)
        if not outcome.is_done:
            latest.append((text, outcome.findings))
            raise _Falsified
        trial.examples += 1
        trial.migrated += outcome.status == "migrated"

    def comes_back(data: Any) -> None:
        text = dump(data, indent=False)
        try:
            ways = setup.migration.ways_back(text)
        except MigrationFailed as error:
            latest.append((text, error.report.findings))
            raise _Falsified from None
        for way in ways:
            if way.is_back is False:
                latest_way.append(way)
                raise _Falsified
            (trial.uncertain if way.is_back is None else trial.back)[way.number] += 1

    configured = settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        report_multiple_bugs=False,
        suppress_health_check=[*HealthCheck],
        phases=[Phase.generate, Phase.shrink],
    )
    try:
        configured(given(strategy)(comes_out_valid))()
        configured(given(strategy)(comes_back))()
    except _Falsified:  # of the simplest example, which came last
        trial.failure = latest[-1] if latest else None
        trial.not_back = latest_way[-1] if latest_way else None
    except errors.Unsatisfiable as error:
        raise CannotGenerate(setup.old.id, "", f"Hypothesis finds too little: {error}") from None
    except errors.Flaky:
        message = "the same data comes out otherwise the second time: a step runs code that differs"
        finding = Finding("migration.step", "", "", message)
        trial.failure = latest[-1][0] if latest else "", (finding,)
    return trial


_TEST: Final = '''"""Property tests of the migration by {plan}, with generated data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given

from widgetschema import WidgetType

HERE = Path(__file__).parent


def widget_type(path: str) -> WidgetType:
    """Return the widget type of a schema."""
    schema = json.loads((HERE / path).read_text(encoding="utf-8"))
    return WidgetType.{constructor}(schema, id={id})


OLD = widget_type({old})
NEW = widget_type({new})
MIGRATION = OLD.migration(NEW, HERE / {plan_path}{allowed})


@given(OLD.strategy())
def test_valid_data_comes_out_valid(data: Any) -> None:
    """All that the old schema accepts is accepted by the new one after the migration."""
    assert NEW.is_valid(MIGRATION.apply(data))


@given(OLD.strategy())
def test_reversible_steps_bring_back_the_original(data: Any) -> None:
    """Each step that can be reversed leaves the data as it was, where the way back is certain."""
    for way in MIGRATION.ways_back(json.dumps(data)):
        assert way.is_back in (True, None), way
'''


def written_tests(setup: MigrationSetup, plan: str, folder: str) -> str | None:
    """Return the text of a test file in a folder; None if the plan names no files of schemas."""
    sides = (setup.migration.plan.old, setup.migration.plan.new)
    paths = []
    for side in sides:
        if side.schema is None or side.data_schema != sides[0].data_schema:
            return None
        path = os.path.join(os.path.dirname(plan), side.schema)
        paths.append(os.path.relpath(path, folder).replace(os.sep, "/"))
    plan_path = os.path.relpath(plan, folder).replace(os.sep, "/")
    return _TEST.format(
        plan=os.path.basename(plan).replace("\\", "").replace('"', ""),
        constructor="from_data_schema" if sides[0].data_schema else "from_schema",
        id=_literal(sides[0].id),
        old=_literal(paths[0]),
        new=_literal(paths[1]),
        plan_path=_literal(plan_path),
        allowed=", allow_code=True" if setup.migration.allow_code else "",
    )


def _literal(text: str) -> str:
    """Return a text as a literal of Python, with double quotes where that is possible."""
    return f'"{text}"' if text.isprintable() and not {'"', "\\"} & {*text} else repr(text)

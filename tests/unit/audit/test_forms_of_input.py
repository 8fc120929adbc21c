"""The same records have the same sums, whatever the form of the JSON text that they are in."""

from __future__ import annotations

import gzip
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import scaled
from tests.unit.audit.test_record_shapes import documents, sums
from tests.unit.audit.test_records import Outcome, audited, catalog
from widgetschema.audit.auditor import Auditor
from widgetschema.audit.collector import Collector
from widgetschema.audit.inputs.reading import blocks
from widgetschema.audit.inputs.sources import Source, Span
from widgetschema.audit.partition_result import joined
from widgetschema.audit.plan import Plan, Settings, plan_sources
from widgetschema.audit.reporters.summary import audit_text
from widgetschema.project.inputs.formats import AskedFraming

Json = Any
ASKED = Settings(findings=True, ids=True, quarantine=True, by=("/type",))


def plan_of(file: Path, asked: Settings = ASKED) -> Plan:
    """The plan for one file, as its name and its first bytes say."""
    sources, partitions, problems = plan_sources([str(file)])
    assert not problems
    return Plan(asked, catalog(), tuple(sources), tuple(partitions))


def forms(records: list[Json]) -> dict[str, bytes]:
    """The records in each form that is read, by the name of a file."""
    compact = [json.dumps(one, separators=(",", ":")) for one in records]
    spaced = [json.dumps(one) for one in records]
    indented = [json.dumps(one, indent=2, ensure_ascii=False) for one in records]
    pages = {"total": len(records), "page": 1, "docs": records}
    found = {
        "lines.ndjson": "\n".join(compact),
        "lines.json": "".join(f"{one}\r\n" for one in spaced),
        "returns.ndjson": "".join(f"{one}\r" for one in compact),
        "mark.ndjson": "\ufeff" + "\n\n".join(compact),
        "array.json": f"[{','.join(compact)}]",
        "array.ndjson": json.dumps(records, indent=1),
        "array-of-lines.json": "[\n" + ",\n".join(spaced) + "\n]\n",
        "returns.json": "[\r" + ",\r".join(indented).replace("\n", "\r") + "\r]",
        "list.json": json.dumps(pages),
        "indented-list.json": json.dumps(pages, indent=4),
        "concatenated.json": "".join(compact),
        "indented.json": "\n".join(indented),
        "indented.ndjson": "\n\n".join(indented),
        "sequence.json": "".join(f"\x1e{one}\n" for one in indented),
    }
    return {name: text.encode() for name, text in found.items()}


def all_sums(outcome: Outcome) -> Json:
    """All that is the same in each form."""
    found = [
        {name: value for name, value in one.items() if name not in ("file", "line", "column")}
        for one in outcome.findings
    ]
    for one in found:
        del one["document"]
    return sums(outcome), outcome.summary["by"], sorted(found, key=repr)


@settings(max_examples=scaled(60))
@given(st.integers(0, 10**6), st.sampled_from([64, 700, 5000, 131_072]))
def test_the_same_sums_in_each_form(
    tmp_path_factory: pytest.TempPathFactory, seed: int, block: int
) -> None:
    records = documents(seed, 40)
    folder = tmp_path_factory.mktemp("forms")
    expected = None
    for name, raw in forms(records).items():
        file = folder / name
        file.write_bytes(raw)
        outcome = audited(plan_of(file), block)
        expected = expected or all_sums(outcome)
        assert all_sums(outcome) == expected, name
        assert outcome.summary["records"] == 40
        lines = raw.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        assert outcome.summary["lines"] == len(lines.splitlines()), name
        for one in outcome.findings:  # each is where its line and column are
            text = lines.decode().split("\n")[one["line"] - 1][one["column"] - 1 :]
            assert text[:1] not in ("", " ", ",", ":", "]", "}"), (name, one)


def test_what_a_source_is_is_told(tmp_path: Path) -> None:
    told = {}
    for name, raw in forms(documents(1, 20)).items():
        (tmp_path / name).write_bytes(raw)
        outcome = audited(plan_of(tmp_path / name))
        told[name] = outcome.summary["input"]
        text = audit_text(outcome.summary)
        assert ("\ninput: " in text) == bool(told[name])
    assert told == {
        "lines.ndjson": {},
        "lines.json": {},
        "returns.ndjson": {"carriage_returns": 1},
        "mark.ndjson": {"byte_order_marks": 1, "blank_lines": 19},
        "array.json": {"arrays": 1},
        "array.ndjson": {"arrays": 1},
        "array-of-lines.json": {"arrays": 1},
        "returns.json": {"arrays": 1, "carriage_returns": 1},
        "list.json": {"arrays": 1},
        "indented-list.json": {"arrays": 1},
        "concatenated.json": {"concatenated": 1},
        "indented.json": {"concatenated": 1},
        "indented.ndjson": {"concatenated": 1},
        "sequence.json": {"sequences": 1},
    }


def test_others_check_what_one_process_reads(tmp_path: Path) -> None:
    for name, raw in forms(documents(2, 60)).items():
        (tmp_path / name).write_bytes(raw)
        plan = plan_of(tmp_path / name)
        whole = audited(plan, 700)
        [source], [[span]] = plan.sources, plan.partitions
        every = [*blocks(source, span, max_bytes=plan.max_bytes, block_bytes=700)]
        parts, before = [], 0
        for start in range(0, len(every), 5):
            some = every[start : start + 5]
            parts.append(Auditor(plan).audit_blocks(0, some, (before, 0)))
            before += sum(block.number_of_lines for block in some)
        collector = Collector(plan)
        result = joined(parts, plan.settings.examples)
        collector.add(result)
        assert collector.summary() == whole.summary, name
        assert "".join(collector.finding_lines(result)) == whole.text


def test_mistakes_between_records_are_unreadable_and_told(tmp_path: Path) -> None:
    good = json.dumps(documents(3, 1)[0])
    file = tmp_path / "w.json"
    file.write_text(f"[{good},\n{good} {good},\n{{]}}, {good}]", encoding="utf-8")
    outcome = audited(plan_of(file))
    assert (outcome.summary["records"], outcome.summary["unreadable"]) == (5, 2)
    told = [
        (one["line"], one["column"], one["message"])
        for one in outcome.findings
        if one["keyword"] == "json.syntax"
    ]
    assert told == [
        (2, len(good) + 2, "a comma is missing between these items"),
        (
            3,
            1,
            (
                "the bracket ']' closes nothing that is open; the records after this place cannot "
                "be told apart, so they were not read"
            ),
        ),
    ]


@pytest.mark.parametrize(
    ("begin", "between", "end"), [("[", ",\n", "]"), ("", "\n", ""), ('{"docs":[', ",", "]}")]
)
@pytest.mark.parametrize("block", [64, 131_072])
def test_a_record_without_an_end_is_said_to_take_the_rest(
    tmp_path: Path, begin: str, between: str, end: str, block: int
) -> None:
    good = json.dumps({"type": "faq", "data": {"items": []}}, indent=1)
    broken = good.replace('"faq"', '"faq')
    rest = broken + between + between.join([good] * 4) + end
    file = tmp_path / "w.json"
    file.write_text(begin + between.join([good] * 3) + between + rest, encoding="utf-8")
    outcome = audited(plan_of(file), block)
    assert (outcome.summary["valid"], outcome.summary["unreadable"]) == (3, 1)
    [finding] = [one for one in outcome.findings if one["keyword"] == "json.syntax"]
    assert finding["message"].endswith(
        f"; this record has no end, so the rest of the source was taken for it: {len(rest)} bytes"
    )


def test_a_form_that_was_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "w.ndjson"
    file.write_bytes(b'{"type":"faq",\n"data":{"items":[]}}{"type":"faq","data":{"items":[]}}\n')
    sources, partitions, _ = plan_sources([str(file)], framing_of=lambda _: "lines")
    plan = Plan(ASKED, catalog(), tuple(sources), tuple(partitions))
    assert audited(plan).summary["unreadable"] == 2
    assert audited(plan_of(file)).summary["valid"] == 2


def _same(framing: AskedFraming | None, _: str | None) -> AskedFraming | None:
    return framing


def test_an_array_that_is_data_is_one_record(tmp_path: Path) -> None:
    asked = ASKED._replace(type_id="list")
    for name in ("w.json", "w.ndjson", "w.ndjson.gz"):
        file = tmp_path / name
        raw = b"[1,\n2]"
        file.write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
        asks: tuple[tuple[AskedFraming | None, int], ...] = ((None, 2), ("uncut", 1))
        for framing, number in asks:
            sources, partitions, _ = plan_sources([str(file)], framing_of=partial(_same, framing))
            plan = Plan(asked, catalog(), tuple(sources), tuple(partitions))
            assert audited(plan).summary["records"] == number


def test_a_source_that_changes_its_form_is_read_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "w.ndjson"
    file.write_bytes(b'[\n{"type":"faq","data":{"items":[]}}\n]')
    source = Source("w.ndjson", str(file), file.stat().st_size)
    outcome = audited(Plan(ASKED, catalog(), (source,), ((Span(0, 0, source.size),),)))
    assert outcome.summary["valid"] == 1

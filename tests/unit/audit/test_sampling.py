"""Samples: the same records however they come, of about the right size, and honest intervals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgetschema.audit.auditor import Auditor
from widgetschema.audit.collector import Collector
from widgetschema.audit.plan import Plan, Settings, plan_sources
from widgetschema.audit.sampling import Sample, parse_sample, wilson
from widgetschema.catalog.catalog import Catalog

Json = Any
NUMBER = 3_000
SCHEMA = {"properties": {"data": {"type": "object", "required": ["a"]}}}


@pytest.mark.parametrize(
    ("text", "share"), [("1%", 0.01), ("0.1 %", 0.001), ("100%", 1.0), (" 12.5%", 0.125)]
)
def test_shares(text: str, share: float) -> None:
    sample = parse_sample(text)
    assert sample is not None
    assert sample.share == pytest.approx(share, abs=1e-15)


@pytest.mark.parametrize("text", ["0%", "0.0%", "100.1%", "1", "0.01", "-1%", "", "%", "1e1%"])
def test_other_texts_are_no_share(text: str) -> None:
    assert parse_sample(text) is None


def records(with_ids: bool) -> list[Json]:
    """Records by the thousand: one of ten is invalid."""
    return [
        {
            **({"id": f"w-{number}"} if with_ids else {}),
            "type": "t",
            "data": {"a": number} if number % 10 else {"b": number},
        }
        for number in range(NUMBER)
    ]


def audited(file: Path, sample: Sample | None, size: int = 2**20) -> Json:
    """The summary, and the ids and the texts of invalid records."""
    sources, partitions, problems = plan_sources([str(file)], partition_bytes=size)
    assert not problems
    settings = Settings(sample=sample, ids=True, quarantine=True)
    plan = Plan(settings, Catalog([{"t": SCHEMA}]), tuple(sources), tuple(partitions))
    collector, auditor = Collector(plan), Auditor(plan)
    ids, texts = [], []
    for number in range(len(partitions)):
        result = auditor.audit(number)
        collector.add(result)
        ids += "".join(collector.id_lines(result)).splitlines()
        texts += "".join(collector.quarantine_lines(result)).splitlines()
    return collector.summary(), ids, texts


@pytest.mark.parametrize("with_ids", [True, False], ids=["by id", "by text"])
def test_the_same_records_in_partitions_of_any_size(tmp_path: Path, with_ids: bool) -> None:
    file = tmp_path / "w.ndjson"
    lines = [json.dumps(one, separators=(",", ":")) for one in records(with_ids)]
    file.write_text("\n".join(lines) + "\n\n")
    sample = parse_sample("20%", 3)
    assert sample is not None

    summary, _, texts = audited(file, sample)

    assert 450 < summary["records"] < 750
    assert summary["records"] + summary["sample"]["left_out"] == NUMBER
    assert summary["invalid"] == len(texts)
    assert {*texts} < {*lines[::10]}
    again, _, others = audited(file, sample, 8192)
    assert {**again, "partitions": 0} == {**summary, "partitions": 0}
    assert others == texts
    low, high = summary["sample"]["intervals"]["invalid"]
    assert low < 0.1 < high
    whole, _, _ = audited(file, parse_sample("100%"))
    assert (whole["records"], whole["sample"]["left_out"]) == (NUMBER, 0)
    more, _, most = audited(file, parse_sample("40%", 3))
    assert more["records"] > summary["records"]
    assert {*texts} < {*most}, "a larger sample with the same seed has all of a smaller one"
    _, _, other = audited(file, parse_sample("20%", 4))
    assert {*other} != {*texts}


def test_records_are_known_by_their_ids_in_every_form(tmp_path: Path) -> None:
    """Compact or spaced lines, one array, pages of an envelope: the same records."""
    every = records(with_ids=True)
    pages = [{"total": 100, "docs": every[at : at + 100]} for at in range(0, NUMBER, 100)]
    texts = {
        "compact.ndjson": "\n".join(json.dumps(one, separators=(",", ":")) for one in every),
        "spaced.ndjson": "\n".join(map(json.dumps, every)),
        "array.json": json.dumps(every),
        "indented.json": json.dumps(every, indent=2),
        "pages.ndjson": "\n".join(map(json.dumps, pages)),
    }
    told = []
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
        summary, ids, _ = audited(tmp_path / name, parse_sample("10%"))
        assert summary["records"] + summary["sample"]["left_out"] == NUMBER
        told.append((summary["records"], summary["valid"], ids))
    assert told[1:] == told[:1] * 4
    assert 200 < told[0][0] < 400


def test_texts_that_are_not_json_are_sampled_too(tmp_path: Path) -> None:
    (tmp_path / "w.ndjson").write_text("".join(f"{{{number}\n" for number in range(NUMBER)))

    summary, _, _ = audited(tmp_path / "w.ndjson", parse_sample("10%"))

    assert 200 < summary["unreadable"] == summary["records"] < 400
    assert summary["records"] + summary["sample"]["left_out"] == NUMBER


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_an_interval_is_around_its_share(part: int, whole: int) -> None:
    part = min(part, whole)
    low, high = wilson(part, whole)
    assert 0 <= low <= high <= 1
    if whole:
        assert low <= part / whole + 1e-9
        assert high >= part / whole - 1e-9
        assert (low == 0) is (part == 0) or low < 1e-9
        assert wilson(whole - part, whole)[0] == pytest.approx(1 - high, abs=1e-8)


def test_an_interval_of_the_literature() -> None:
    """R: binom.confint(10, 100, methods = "wilson")."""
    assert wilson(10, 100) == pytest.approx((0.0552291, 0.1743657), abs=1e-7)

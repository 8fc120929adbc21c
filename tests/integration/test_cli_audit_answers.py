"""`widgetschema audit`: the questions beyond the counts, and that sums stay what they are."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.command import BAD, GOOD, run, work_in_a_folder

Json = Any


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a cache of its own."""
    return work_in_a_folder(tmp_path, monkeypatch)


def document(data: bytes, **members: Json) -> bytes:
    """A line with a widget document."""
    record = {"type": "countdown", **members, "data": json.loads(data)}
    return json.dumps(record, separators=(",", ":")).encode() + b"\n"


def _counted(capsys: pytest.CaptureFixture[str], path: str, *more: str) -> Json:
    found = json.loads(run(capsys, "audit", path, "--format=json", "--quiet", *more).out)
    return [
        (by["pointer"], by["groups"], by["values"], by["other_groups"], by["without"])
        for by in found["by"]
    ]


class TestBy:
    def test_rows_and_lines_are_counted_alike(
        self, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        members: list[Json] = [
            {"owner": {"id": "a", "at": None}, "tags": ["x", None], "rate": 1.5, "flags": {"k": 1}},
            {"owner": {"id": "b"}, "tags": [], "rate": 2.0, "flags": {"k": 2}},
            {"owner": None, "tags": None, "rate": None, "flags": {}},
            {"owner": {"id": "a", "at": 3.5}, "tags": ["y"], "rate": 1e300, "flags": None},
        ]
        data = [GOOD, BAD, GOOD, BAD]
        (here / "l.ndjson").write_bytes(
            b"".join(document(text, **one) for text, one in zip(data, members, strict=True))
        )
        columns = {name: pa.array([one[name] for one in members]) for name in members[0]}
        flags = [None if one["flags"] is None else [*one["flags"].items()] for one in members]
        columns["flags"] = pa.array(flags, pa.map_(pa.string(), pa.int64()))
        columns["type"] = pa.array(["countdown"] * 4)
        columns["data"] = pa.array(data)
        pq.write_table(pa.table(columns), here / "t.parquet")
        pointers = "/owner /owner/id /owner/at /tags /tags/0 /rate /flags /flags/k".split()
        asked = [f"--by={pointer}" for pointer in pointers]

        counted = _counted(capsys, "l.ndjson", *asked)

        assert _counted(capsys, "t.parquet", *asked) == counted
        groups = {pointer: number for pointer, number, *_ in counted}
        assert groups == dict(zip(groups, [0, 2, 1, 0, 2, 3, 0, 2], strict=True))
        assert _counted(capsys, "t.parquet", "--by=/data/nope")[0][1] == 0

    def test_numbers_that_are_not_finite_are_without_a_value(
        self, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        rows: Json = {"type": ["countdown"] * 4, "data": [BAD, GOOD, BAD, GOOD]}
        rows["rate"] = rows["id"] = [float("nan"), float("inf"), -float("inf"), 1.0]
        pq.write_table(pa.table(rows), here / "t.parquet")
        with closing(sqlite3.connect(here / "t.db")) as database, database:
            database.execute("CREATE TABLE t (id, type, data, rate)")
            database.executemany(
                "INSERT INTO t VALUES (?, 'countdown', ?, ?)",
                [
                    (one, text.decode(), one)
                    for one, text in zip(rows["id"], rows["data"], strict=True)
                ],
            )

        for name in ("t.parquet", "t.db"):
            [(_, groups, [value], _, without)] = _counted(
                capsys, name, "--by=/rate", "--invalid-ids=ids.txt", "--quarantine=q.ndjson"
            )
            assert (groups, value["value"], without["records"]) == (1, 1, 3)
            ids = (here / "ids.txt").read_text().split()
            assert ids[0] == f"{name}:1"
            assert "null" not in ids

    def test_ids_that_are_objects_stay_objects(
        self, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        rows: Json = {"type": ["countdown"] * 2, "data": [BAD, BAD]}
        rows["id"] = [{"a": 10**30, "b": [1]}, {"a": 2, "b": []}]
        large = pa.struct([("a", pa.decimal128(38, 0)), ("b", pa.list_(pa.int64()))])
        ids = pa.array([{**one, "a": Decimal(one["a"])} for one in rows["id"]], large)
        pq.write_table(pa.table({**rows, "id": ids}), here / "t.parquet")

        run(capsys, "audit", "t.parquet", "--invalid-ids=ids.txt", "--quarantine=q.ndjson")

        kept = [json.loads(line)["id"] for line in (here / "q.ndjson").read_text().splitlines()]
        assert kept == rows["id"]
        assert (here / "ids.txt").read_text() == "t.parquet:1\nt.parquet:2\n"

    def test_the_member_that_a_column_stands_for(
        self, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        rows = {"w": ["1", "2"], "kind": ["countdown"] * 2, "payload": [GOOD, BAD]}
        pq.write_table(pa.table(rows), here / "t.parquet")
        named = ("--data-column=payload", "--type-column=kind", "--id-column=w")

        assert [one[1] for one in _counted(capsys, "t.parquet", *named, "--by=/id")] == [2]
        refused = run(capsys, "audit", "t.parquet", *named, "--by=/payload/styles")
        assert refused.code == 3
        assert 'its column "payload" has the data: that is the property /data' in refused.out

    def test_whom_to_write_to(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        lines = [
            document(BAD, projectId="p-1", modelVersion=2),
            document(BAD, projectId="p-1", modelVersion=1),
            document(GOOD, projectId="p-1", modelVersion=2.0),
            document(BAD, projectId="p-2", modelVersion="2"),
            document(GOOD, projectId="p-3", modelVersion=None),
            document(GOOD, projectId=["p-3"], modelVersion=True),
            document(GOOD, projectId="p-2", type="other"),
            b"{\n",
        ]
        (here / "d.ndjson").write_bytes(b"".join(lines))

        result = run(capsys, "audit", "d.ndjson", "--by=/projectId", "--by=/modelVersion")

        assert result.out.partition("by /projectId")[2] == (
            ": there are 3 values, 2 with invalid records\n"
            "  p-1: 3 records, 2 invalid\n"
            "    countdown: type /data/styles/fontId (2)\n"
            "  p-2: 2 records, 1 invalid, 1 of unknown type\n"
            "    document.type /type (1), countdown: type /data/styles/fontId (1)\n"
            "  without a text, number or boolean there: 2 records, 1 unreadable\n"
            "by /modelVersion: there are 4 values, 3 with invalid records\n"
            "  2: 2 records, 1 invalid\n"
            "    countdown: type /data/styles/fontId (1)\n"
            '  "2": 1 record, 1 invalid\n'
            "    countdown: type /data/styles/fontId (1)\n"
            "  1: 1 record, 1 invalid\n"
            "    countdown: type /data/styles/fontId (1)\n"
            "  without a text, number or boolean there: 3 records, 1 of unknown type, 1 unreadable\n"
        )

    def test_mistakes_of_groups_have_type_and_path(
        self, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        data = json.loads(GOOD)
        data["content"]["bogus"] = data["styles"]["one"] = data["styles"]["two"] = 1
        (here / "d.ndjson").write_bytes(document(json.dumps(data).encode(), owner="o"))

        result = run(capsys, "audit", "d.ndjson", "--by=/owner")

        assert "\n    countdown: additionalProperties /data/styles/* (2), countdown: " in result.out
        assert ": additionalProperties /data/content/bogus (1)\n" in result.out

    def test_the_same_however_the_records_are_divided(
        self, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Lines that the fast path accepts, and others, in partitions of any size."""
        lines = [
            document(BAD if number % 7 == 0 else GOOD, owner={"id": number % 11}, n=number % 3 / 2)
            for number in range(700)
        ]
        (here / "d.ndjson").write_bytes(b"".join(lines))
        (here / "spaced.ndjson").write_bytes(b"".join(lines).replace(b'":', b'": '))
        by = ("--by=/owner/id", "--by=/n", "--by=/owner", "--format=json")

        told = [
            json.loads(run(capsys, "audit", *arguments, *by).out)["by"]
            for arguments in (
                ["d.ndjson"],
                ["d.ndjson", "--partition-size=4KiB"],
                ["d.ndjson", "--partition-size=8KiB", "--jobs=2"],
                ["spaced.ndjson"],
            )
        ]

        assert told[1:] == [told[0]] * 3
        by_id, by_n, by_owner = told[0]
        assert (by_id["groups"], by_id["invalid_groups"], by_n["groups"]) == (11, 11, 3)
        assert sum(one["records"] for one in by_id["values"]) == 700
        assert sum(one["invalid"] for one in by_n["values"]) == 100
        assert [one["value"] for one in by_n["values"]] == [0, 0.5, 1]
        assert by_owner["without"]["records"] == 700

    def test_a_wildcard_is_the_name_of_a_member(
        self, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        advice = (
            "is the name of a property here, not a wildcard: pass a pointer to one value of each"
        )
        (here / "d.ndjson").write_bytes(document(GOOD, tags=["a"]))
        by = ("--by=/tags/*", "--by=/**", "--by=/tags/0", "--by=/nope")

        result = run(capsys, "audit", "d.ndjson", "--html=page.html", *by)

        assert f"  * {advice} record\nby /**:" in result.out
        assert f"  ** {advice} record\nby /tags/0:" in result.out
        assert result.out.count(advice) == 2
        assert (here / "page.html").read_text(encoding="utf-8").count(advice) == 2

        (here / "d.ndjson").write_bytes(document(GOOD, tags={"*": "a"}))
        assert advice not in run(capsys, "audit", "d.ndjson", "--by=/tags/*").out

    @pytest.mark.parametrize(
        ("pointers", "said"),
        [
            (["projectId"], "'projectId' is not a JSON Pointer to a property: write /projectId."),
            (
                ["#/projectId"],
                "'#/projectId' is not a JSON Pointer to a property: write /projectId.",
            ),
            (
                [""],
                "'' is not a JSON Pointer to a property: write the name of the property after a slash.",
            ),
            (["a~b"], "'a~b' is not a JSON Pointer to a property: write /a~0b."),
            (["/a", "/a"], "the same pointer is given twice."),
            ([f"/{number}" for number in range(9)], "at most 8 pointers."),
        ],
    )
    def test_pointers_are_pointers(
        self, pointers: list[str], said: str, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (here / "d.ndjson").write_bytes(document(GOOD))

        result = run(capsys, "audit", "d.ndjson", *(f"--by={one}" for one in pointers))

        assert result.code == 2
        assert said in " ".join(result.err.split())


class TestQuarantine:
    def test_invalid_records_are_written_as_they_are(
        self, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        odd = (
            '{ "type" : "countdown",\t"id": 1E0, "x": "\\u00e9\\/\u2028é", "big": 123456789012345678901,'
            ' "data": {"content": {}, "settings": {}, "styles": {"fontId": -0.0}} }'
        ).encode()
        inner = b'{"type":"countdown", "id": 2.50, "data": {"content": 1}}'
        envelope = b'{"docs": [' + document(GOOD).strip() + b", " + inner + b" ," + odd + b"]}"
        lines = [document(GOOD), odd + b"\r\n", b"{\n", envelope + b"\n", document(GOOD, type="x")]
        (here / "a.ndjson").write_bytes(b"".join(lines))
        indented = json.dumps(json.loads(inner), indent=2).replace("2.5", "2.50").encode()
        (here / "b.json").write_bytes(b"\n" + indented + b"\n\n")
        (here / "c.json").write_bytes(odd + b"\n")

        result = run(capsys, "audit", "a.ndjson", "b.json", "c.json", "--quarantine=q.ndjson")

        assert result.code == 3
        compact = b'{"type":"countdown","id":2.50,"data":{"content":1}}'
        expected = [odd, inner, odd, compact, odd]
        assert (here / "q.ndjson").read_bytes() == b"".join(one + b"\n" for one in expected)

    def test_the_same_of_any_number_of_processes(
        self, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        lines = [document(BAD if n % 9 == 0 else GOOD, id=n) for n in range(400)]
        (here / "d.ndjson").write_bytes(b"".join(lines))

        told = {
            run(capsys, "audit", "d.ndjson", "--quarantine=-", *more).out
            for more in ([], ["--partition-size=4KiB"], ["--partition-size=4KiB", "--jobs=2"])
        }

        assert told == {b"".join(lines[::9]).decode()}


class TestCompare:
    def test_what_is_new_and_what_is_gone(
        self, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        other = BAD.replace(b'"fontId": 3', b'"skinId": "x"')
        by = ("--by=/p", "--quiet")
        (here / "w.ndjson").write_bytes(document(BAD, p=1) * 2 + document(GOOD, p=2) * 2)
        first = run(capsys, "audit", "w.ndjson", "--format=json", *by).out
        (here / "1.json").write_text(first)
        (here / "w.ndjson").write_bytes(document(other, p=2) + document(GOOD, p=1) * 3)

        result = run(capsys, "audit", "w.ndjson", "--compare=1.json", "--html=page.html", *by)

        assert result.code == 1
        assert result.out.partition("1.json")[2] == (
            ": 2 of 4 records invalid (50 %)\n"
            "now: 1 of 4 records invalid (25 %)\n"
            "since 1.json: kinds of findings: 1 new, 1 gone\n"
            "  new: 0 → 1 record: countdown: type /data/styles/skinId: "
            '"x" is a string, but must be a number\n'
            "  gone: 2 → 0 records: countdown: type /data/styles/fontId: "
            "3 is a number, but must be a string\n"
            "  by /p: 1 → 1 value with invalid records\n"
            "    new: 2\n"
            "    gone: 1\n"
        )
        again = run(capsys, "audit", "w.ndjson", "--compare=1.json", "--format=json", *by)
        told = json.loads(again.out)
        assert json.loads(first)["comparison"] is None
        assert {**told, "comparison": None} == json.loads(
            run(capsys, "audit", "w.ndjson", "--format=json", *by).out
        )
        assert len(told["comparison"]["trend"]) == 2

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (["--compare=gone.json"], "--compare gone.json: No such file or directory."),
            (["--compare=empty"], "--compare empty: it is empty; write the new summary"),
            (["--compare=w.ndjson"], "--compare w.ndjson: it is not"),
            (["--compare=empty", "--html=empty"], "it is empty"),
        ],
    )
    def test_what_is_no_summary(
        self, arguments: list[str], said: str, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (here / "w.ndjson").write_bytes(GOOD)
        (here / "empty").touch()

        result = run(capsys, "audit", "--type=countdown", "w.ndjson", *arguments)

        assert (result.code, result.out) == (2, "")
        assert said in " ".join(result.err.split())

    def test_an_earlier_summary_is_not_overwritten(
        self, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (here / "w.ndjson").write_bytes(GOOD)
        options = ("audit", "--type=countdown", "w.ndjson")
        (here / "1.json").write_text(run(capsys, *options, "--format=json").out)

        result = run(capsys, *options, "--compare=1.json", "--html=1.json")

        assert (result.code, result.out) == (2, "")
        assert "--compare names it" in result.err


def test_with_a_page_all_records_are_counted_by_date(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    days = ["2026-01-01T10:00:00Z", "2026-01-02", None, True, ["2026-01-01"]]
    lines = [
        document(BAD if n % 6 == 0 else GOOD, updated=days[n % 5], p=n % 2 == 0) for n in range(600)
    ]
    (here / "w.ndjson").write_bytes(b"".join(lines))
    (here / "s.ndjson").write_bytes(b"".join(lines).replace(b":", b": "))

    for file in ("w.ndjson", "s.ndjson"):
        told = run(
            capsys, "audit", file, "--format=json", "--html=p.html", "--by=/p", "--by=/updated"
        )
        summary = json.loads(told.out)
        assert summary["dates"] == [
            {"date": "2026-01-01", "invalid": 20},
            {"date": "2026-01-02", "invalid": 20},
        ]
        assert summary["undated"] == 60
        by_p, by_date = summary["by"]
        counts = {one["value"]: (one["records"], one["invalid"]) for one in by_p["values"]}
        assert counts == {True: (300, 100), False: (300, 0)}
        assert (by_date["groups"], by_date["without"]["records"]) == (3, 240)


class TestSample:
    def test_a_sample_says_what_it_says_of_all(
        self, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        lines = [document(BAD if n % 4 == 0 else GOOD, id=n) for n in range(1000)]
        (here / "w.ndjson").write_bytes(b"".join(lines))

        result = run(
            capsys, "audit", "w.ndjson", "--sample=10%", "--max-invalid=30%", "--examples=0"
        )

        assert result.code == 0
        assert result.out.splitlines()[:3] == [
            "102 records in 1 source: 77 valid, 25 invalid; 25 findings",
            "  a sample of 10 %; 898 records not checked",
            "  of all records, 17 % to 34 % are invalid (95 % interval)",
        ]
        other = run(capsys, "audit", "w.ndjson", "--sample=10%", "--seed=1", "--jobs=2")
        assert other.out.splitlines()[0] != result.out.splitlines()[0]

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (["--sample=1"], "'1' is not a share such as 1%."),
            (["--sample=0%"], "is not a share"),
            (["--sample=1%", "--max-invalid=10"], "pass --max-invalid as a share"),
        ],
    )
    def test_what_is_no_sample(
        self, arguments: list[str], said: str, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (here / "w.ndjson").write_bytes(GOOD)

        result = run(capsys, "audit", "w.ndjson", *arguments)

        assert result.code == 2
        assert said in " ".join(result.err.split())


class TestMaxInvalid:
    @pytest.mark.parametrize(
        ("limit", "code", "verdict"),
        [
            ("2", 0, "within"),
            ("20%", 0, "within"),
            ("1", 1, "over"),
            ("19.9%", 1, "over"),
            ("0", 1, "over"),
        ],
    )
    def test_the_gate_decides_the_exit_code(
        self, limit: str, code: int, verdict: str, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (here / "w.ndjson").write_bytes((GOOD + b"\n") * 8 + (BAD + b"\n") * 2)

        result = run(capsys, "audit", "--type=countdown", "w.ndjson", "--max-invalid", limit)

        assert result.code == code
        told = f"--max-invalid {limit}: 2 of 10 records invalid (20 %), {verdict} the limit\n"
        assert told in result.err

    def test_what_could_not_be_checked_still_fails(
        self, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (here / "w.ndjson").write_bytes(BAD + b"\n{\n")

        result = run(capsys, "audit", "--type=countdown", "w.ndjson", "--max-invalid=100%")

        assert result.code == 3

    @pytest.mark.parametrize("limit", ["few", "101%", "0.5", "-1"])
    def test_a_limit_is_a_number_or_a_share(
        self, limit: str, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (here / "w.ndjson").write_bytes(GOOD)

        result = run(capsys, "audit", "w.ndjson", f"--max-invalid={limit}")

        assert result.code == 2
        assert "neither a number of records such as 10 nor a share" in " ".join(result.err.split())

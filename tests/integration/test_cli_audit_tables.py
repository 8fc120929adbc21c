"""`widgetschema audit` of tables: the same sums and findings as of lines, and what is wrong."""

from __future__ import annotations

import json
import shutil
import struct
import sys
from contextlib import chdir, suppress
from itertools import accumulate
from pathlib import Path
from typing import Any

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.command import Run, run, work_in_a_folder
from tests.effort import scaled
from tests.killing import kill_audit
from tests.tables import (
    TABLES,
    Records,
    as_csv,
    as_lines,
    as_table,
    compact,
    records,
    write_compressed,
    write_sqlite,
    write_table,
)
from widgetschema.audit.inputs.reading import blocks
from widgetschema.audit.plan import plan_sources
from widgetschema.project.inputs.model import SourceFailed

DRIFT = Path(__file__).parents[1] / "data" / "drift"
# About how the records are stored, and not about them.
STORED = ("bytes", "partitions")
OUTPUTS = ("--findings=findings.ndjson", "--invalid-ids=ids.txt", "--format=json")
CSV_ERROR = "this is not a CSV row ({}): write quotation marks inside a cell twice"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, and a cache of its own."""
    return work_in_a_folder(tmp_path, monkeypatch)


@pytest.fixture(scope="module")
def many() -> Records:
    return records(450)


def audit(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> Run:
    return run(capsys, "audit", "--quiet", *map(str, arguments))


def results(
    capsys: pytest.CaptureFixture[str], path: str | Path, *more: str
) -> tuple[Any, list[Any], list[str]]:
    """Return the summary, the findings and the ids of an audit, less how things are stored."""
    return _read(audit(capsys, path, *OUTPUTS, *more).out)


def _read(out: str) -> tuple[Any, list[Any], list[str]]:
    summary = json.loads(out)
    for name in STORED:
        del summary[name]
    for place in summary["places"]:
        for example in place["examples"]:
            del example["file"]
    findings = [json.loads(line) for line in Path("findings.ndjson").read_text().splitlines()]
    for finding in findings:
        del finding["file"], finding["column"]
    return summary, findings, Path("ids.txt").read_text().splitlines()


def assert_resumed(capsys: pytest.CaptureFixture[str], path: str, *more: str) -> None:
    """Assert that a run that was killed has the results of a whole one, and does not begin anew."""
    options = ["--partition-size=8KiB", *more]
    expected = results(capsys, path, *options)
    kill_audit(3, path, *OUTPUTS, *options)
    assert len([*Path("../cache").rglob("*.part")]) == 3

    resumed = audit(capsys, path, *OUTPUTS, *options, "--resume")

    assert resumed.err.startswith("resuming after ")
    assert _read(resumed.out) == expected


class TestTheSameRecords:
    @pytest.mark.parametrize("name", TABLES)
    def test_as_a_table_of_arrow(
        self, many: Records, capsys: pytest.CaptureFixture[str], name: str
    ) -> None:
        Path("lines.ndjson").write_bytes(as_lines(many))
        expected = results(capsys, "lines.ndjson", "--data-pointer=/data")
        assert expected[0] == results(capsys, "lines.ndjson")[0]
        assert expected[0]["records"] == 450
        assert expected[0]["invalid"] > 10
        assert expected[0]["untyped"] == 18
        assert len(expected[2]) == expected[0]["invalid"]

        write_table(name, many)

        assert results(capsys, name) == expected
        assert results(capsys, name, "--partition-size=4KiB", "--jobs=2") == expected

    @pytest.mark.parametrize(
        "name", ["table.csv", "table.tsv", "table.csv.gz", "semicolons.csv", "bars.csv"]
    )
    def test_as_csv(self, many: Records, capsys: pytest.CaptureFixture[str], name: str) -> None:
        typed = [one for one in many if "type" in one]  # CSV has no nulls
        Path("lines.ndjson").write_bytes(as_lines(typed))
        content = as_csv(
            typed, {"table.tsv": "\t", "semicolons.csv": ";", "bars.csv": "|"}.get(name, ",")
        )
        if name.endswith(".gz"):
            write_compressed(Path(name), content)
        else:
            Path(name).write_bytes(b"\xef\xbb\xbf" + content.replace(b"\r\n", b"\n"))

        expected = results(capsys, "lines.ndjson", "--data-pointer=/data")
        assert results(capsys, name) == expected


NESTED = pa.struct(
    [
        ("content", pa.map_(pa.string(), pa.string())),
        ("settings", pa.struct([("showTitle", pa.bool_()), ("showDays", pa.bool_())])),
        ("styles", pa.struct([("skinId", pa.float64()), ("cardsBg", pa.list_(pa.string()))])),
    ]
)


def write_nested(name: str, *data: Any) -> None:
    """Write data as a nested column."""
    ids = [f"w-{number}" for number in range(len(data))]
    pq.write_table(pa.table({"id": ids, "data": pa.array(data, NESTED)}), name)


class TestWhatElseIsAsked:
    @pytest.mark.parametrize("by", ["/project", "/id", "/data/styles/layout", "/type"])
    def test_by_a_column_or_a_member(
        self, many: Records, capsys: pytest.CaptureFixture[str], by: str
    ) -> None:
        rows = [{**one, "project": f"p-{index % 3}"} for index, one in enumerate(many)]
        Path("lines.ndjson").write_bytes(as_lines(rows))
        projects = pa.array([one["project"] for one in rows])
        table = as_table(rows, pa.string(), pa.string()).append_column("project", projects)
        pq.write_table(table, "t.parquet")
        more = (f"--by={by}", "--against=old")
        shutil.copytree(DRIFT, "old")

        expected = results(capsys, "lines.ndjson", "--data-pointer=/data", *more)

        assert expected[0]["by"]
        assert results(capsys, "t.parquet", *more) == expected

    def test_invalid_rows_are_records_of_their_own(
        self, many: Records, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write_table("text.parquet", many)

        first = audit(capsys, "text.parquet", "--quarantine=q.ndjson")
        again = audit(capsys, "q.ndjson")

        lines = Path("q.ndjson").read_bytes().splitlines()
        invalid = [many[int(json.loads(line)["id"][2:])] for line in lines]
        assert Path("q.ndjson").read_bytes() == as_lines(invalid)
        assert f"{len(invalid)} invalid" in first.out
        assert f"{len(invalid)} records in 1 source: {len(invalid)} invalid" in again.out


class TestFindingsAsATable:
    def test_they_are_those_of_the_lines(
        self, many: Records, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write_table("text.parquet", many)
        numbered = [{**one, "id": number} for number, one in enumerate(many)]
        Path("lines.ndjson").write_bytes(as_lines(numbered))
        paths = ("lines.ndjson", "text.parquet")
        audit(capsys, *paths, "--findings=f.ndjson")
        lines = [json.loads(line) for line in Path("f.ndjson").read_text().splitlines()]

        found = audit(capsys, *paths, "--findings=f.parquet", "--partition-size=16KiB", "--jobs=2")

        assert found.code == 2  # of records without a type
        rows = pq.read_table("f.parquet").to_pylist()
        for line in lines:
            line["id"] = None if line["id"] is None else str(line["id"])
            if line["expected"] is not None:
                line["expected"] = json.dumps(line["expected"], ensure_ascii=False)
        assert rows == lines
        assert any(row["fix"] for row in rows)
        first = Path("f.parquet").read_bytes()
        audit(capsys, *paths, "--findings=f.parquet")  # is replaced
        assert Path("f.parquet").read_bytes() == first

    def test_what_is_no_such_table_stays(self, capsys: pytest.CaptureFixture[str]) -> None:
        content = write_table("text.parquet", records(3)).read_bytes()

        assert audit(capsys, ".", "--findings=text.parquet").code == 2
        assert Path("text.parquet").read_bytes() == content

    def test_it_is_no_data(self, capsys: pytest.CaptureFixture[str]) -> None:
        Path("a.ndjson").write_bytes(as_lines(records(30)))
        audit(capsys, "a.ndjson", "--findings=f.parquet")

        assert "f.parquet: not read: skipped: it is an audit output of widgetschema, not data" in (
            audit(capsys, ".").out
        )

    def test_none_at_all(self, capsys: pytest.CaptureFixture[str]) -> None:
        Path("a.ndjson").write_bytes(as_lines(records(3)))

        assert audit(capsys, "a.ndjson", "--findings=f.PARQUET").code == 0
        assert pq.read_table("f.PARQUET").num_rows == 0

    def test_without_the_extra(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        Path("a.ndjson").write_bytes(as_lines(records(3)))
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        monkeypatch.delitem(sys.modules, "widgetschema.audit.findings_table", raising=False)

        found = audit(capsys, "a.ndjson", "--findings=f.parquet")

        assert found.code == 2
        assert "findings as Parquet need the library pyarrow: install it with" in found.err
        assert not Path("f.parquet").exists()


class TestNestedColumns:
    def test_they_are_data(self, capsys: pytest.CaptureFixture[str]) -> None:
        valid = {"content": [("daysLabel", 'D"')], "settings": {"showTitle": None}, "styles": {}}
        other = {"content": [("days", "")], "settings": {"showDays": True}}
        write_nested("n.parquet", valid, {**other, "styles": {"cardsBg": ["a", None]}}, None)

        found = audit(capsys, "n.parquet", "--type=countdown")

        assert found.code == 1
        assert found.out.splitlines()[0] == (
            "3 records in 1 source: 1 valid, 2 invalid; 3 findings"
        )
        assert 'unknown property "days"' in found.out
        assert "/data/styles/cardsBg/*: null is not allowed here" in found.out
        assert "type /data: null is not allowed here" in found.out
        assert found.err == (
            "widgetschema: n.parquet: nested columns do not distinguish null from "
            "absent properties; both count as absent\n"
        )

    def test_numbers_that_json_does_not_have(self, capsys: pytest.CaptureFixture[str]) -> None:
        row = {"content": [], "settings": {}, "styles": {"skinId": float("nan")}}
        write_nested("n.parquet", row, {**row, "styles": {"skinId": 1.5}})

        found = audit(capsys, "n.parquet", "--type=countdown")

        assert found.code == 3
        assert "1 valid, 1 unreadable" in found.out
        assert "NaN" in found.out

    def test_a_member_twice(self, capsys: pytest.CaptureFixture[str]) -> None:
        row = {"content": [("daysLabel", "a"), ("daysLabel", "b")], "settings": {}, "styles": {}}
        write_nested("n.parquet", row)

        assert "json.duplicate" in audit(capsys, "n.parquet", "--type=countdown").out

    def test_rows_are_records(self, capsys: pytest.CaptureFixture[str]) -> None:
        pq.write_table(
            pa.table({"settings": [{"showTitle": 1}], "content": [{"daysLabel": "d"}]}), "r.parquet"
        )

        found = audit(capsys, "r.parquet", "--type=countdown", "--data-column=*")

        assert "type /settings/showTitle: 1 is a number" in found.out
        assert 'required (root): the property "styles" is missing' in found.out

    def test_what_has_no_json(self, capsys: pytest.CaptureFixture[str]) -> None:
        pq.write_table(pa.table({"data": pa.array([[1]], pa.list_(pa.duration("s")))}), "r.parquet")

        found = audit(capsys, "r.parquet", "--type=countdown")

        assert found.code == 3
        assert (
            'r.parquet: its column "data" cannot be read as JSON: values of the Arrow type '
            "duration[s] have no JSON"
        ) in found.out


class TestWhatIsWrong:
    @pytest.mark.parametrize(
        ("option", "message"),
        [
            ("--data-column=dta", 'it has no column "dta"; did you mean "data"? its columns are: '),
            ("--type-column=kind", 'it has no column "kind"; its columns are: id, type, updated'),
            ("--id-column=ID", 'it has no column "ID"; did you mean "id"? its columns are: '),
            ("--by=/nope/a", 'it has no column "nope"; its columns are: id, type, updated'),
        ],
    )
    @pytest.mark.parametrize("name", ["text.parquet", "large.arrow", "t.csv"])
    def test_a_column_that_is_not_there(
        self, capsys: pytest.CaptureFixture[str], option: str, message: str, name: str
    ) -> None:
        some = records(2)
        if name == "t.csv":
            Path(name).write_bytes(as_csv(some))
        else:
            write_table(name, some)

        found = audit(capsys, name, option)

        assert found.code == 3
        assert f"{name}: {message}" in found.out

    @pytest.mark.parametrize("option", ["--data-column", "--type-column", "--id-column"])
    def test_lines_have_no_columns(self, capsys: pytest.CaptureFixture[str], option: str) -> None:
        Path("w.ndjson").write_bytes(as_lines(records(2)))

        found = audit(capsys, "w.ndjson", f"{option}=data")

        assert found.code == 2
        assert f"{option} is for tables, and no input is one." in found.err

        write_table("text.parquet", records(2))
        both = audit(capsys, "w.ndjson", "text.parquet", f"{option}={option[2:].split('-')[0]}")
        assert "4 records in 2 sources" in both.out

    @pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le"])
    def test_csv_in_another_encoding(
        self, capsys: pytest.CaptureFixture[str], encoding: str
    ) -> None:
        Path("t.csv").write_text("id,data\n1,{}\n", encoding=encoding)

        found = audit(capsys, "t.csv")
        assert (found.code, "t.csv: it is encoded in UTF-16, not UTF-8" in found.out) == (3, True)

    @pytest.mark.parametrize("header", ["a;data,x", '"a;data"', '"a;data,x', "a", ";"])
    def test_semicolons_that_separate_nothing(
        self, capsys: pytest.CaptureFixture[str], header: str
    ) -> None:
        Path("t.csv").write_text(f"{header}\n1\n")

        assert audit(capsys, "t.csv", "--type=countdown").code == 3

    def test_no_column_with_data(self, capsys: pytest.CaptureFixture[str]) -> None:
        Path("t.csv").write_text("id,payload\n1,{}\n")

        assert (
            't.csv: it has no column "data": name the column with the data by --data-column; '
            "its columns are: id, payload"
        ) in audit(capsys, "t.csv").out
        assert (
            "1 record in 1 source"
            in audit(capsys, "t.csv", "--type=countdown", "--data-column=payload").out
        )

    def test_cells_that_are_not_utf8_are_told(self, capsys: pytest.CaptureFixture[str]) -> None:
        rows = "id,data\n1,{}\nü,{}\nö,{}\n"
        for encoding, is_told in (("latin-1", True), ("utf-8", False)):
            Path("t.csv").write_bytes(rows.encode(encoding))

            found = audit(capsys, "t.csv", "--type=countdown", "--invalid-ids=ids.txt")

            told = "input: 1 table has ids or other cells that are not UTF-8: their bytes are"
            assert (told in found.out) is is_told
            ids = "1\n\\xfc\n\\xf6\n" if is_told else "1\nü\nö\n"
            assert Path("ids.txt").read_text("utf-8") == ids

    def test_rows_that_are_none(self, capsys: pytest.CaptureFixture[str]) -> None:
        good = '"{""content"":{},""settings"":{},""styles"":{}}"'
        Path("t.csv").write_text(
            f'id,data\n1,{good}\n2,{{"a":1,"b":2}}\n\n3,"x"y\n4,{good}\n5,\n6,"{{\n",\n7,"'
        )

        found = audit(capsys, "t.csv", "--type=countdown", "--findings=f.ndjson")

        assert found.code == 3
        assert "7 records in 1 source: 2 valid, 5 unreadable" in found.out
        findings = [json.loads(line) for line in Path("f.ndjson").read_text().splitlines()]
        assert [(one["line"], one["id"], one["message"]) for one in findings] == [
            (2, None, CSV_ERROR.format("',' expected after '\"'")),
            (3, None, CSV_ERROR.format("',' expected after '\"'")),
            (5, "5", "the text is empty, but must hold one JSON value"),
            (6, None, "the row has 3 cells, but the header has 2"),
            (7, None, CSV_ERROR.format("unexpected end of data")),
        ]

    @pytest.mark.parametrize("name", ["text.parquet", "large.arrow", "stream.arrows"])
    def test_a_file_that_is_damaged(self, capsys: pytest.CaptureFixture[str], name: str) -> None:
        content = write_table(name, records(50)).read_bytes()
        Path(name).write_bytes(content[: len(content) // 2])

        found = audit(capsys, name)

        assert found.code == 3
        assert f"{name}: it is not a table, or it is damaged: " in found.out

    @pytest.mark.parametrize("name", ["table.arrow", "table.arrows"])
    def test_a_text_that_ends_outside_of_the_file(
        self, capsys: pytest.CaptureFixture[str], name: str
    ) -> None:
        table = as_table(records(50), pa.string(), pa.string())
        new = pa.ipc.new_file if name.endswith(".arrow") else pa.ipc.new_stream
        with new(name, table.schema) as writer:
            writer.write_table(table)
        texts = table["data"].to_pylist()
        ends = [*accumulate(len((text or "").encode()) for text in texts)]
        offsets, far = (
            struct.pack(f"<{len(ends)}i", *ends[:-1], end) for end in (ends[-1], 1 << 30)
        )
        content = Path(name).read_bytes()
        assert content.count(offsets) == 1
        Path(name).write_bytes(content.replace(offsets, far))

        found = audit(capsys, name)

        assert found.code == 3
        assert f"{name}: it is not a table, or it is damaged: " in found.out

    def test_without_the_extra(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write_table("text.parquet", records(2))
        monkeypatch.setitem(sys.modules, "pyarrow", None)

        assert audit(capsys, "text.parquet").out == (
            "0 records in 0 sources: 1 problem\n"
            "text.parquet: tables of Parquet and Arrow need the library pyarrow: install it with: "
            "pip install 'widgetschema[arrow]'\n"
        )

    @pytest.mark.parametrize("more", ["--type=countdown", "--as=document", "--data-pointer=/a"])
    def test_types_that_are_known(self, capsys: pytest.CaptureFixture[str], more: str) -> None:
        found = audit(capsys, "t.csv", "--type-column=kind", more)

        assert found.code == 2
        assert "--type-column cannot be combined with" in found.err

    def test_a_cell_that_is_too_large(self, capsys: pytest.CaptureFixture[str]) -> None:
        some = records(5)
        some[2]["data"]["content"]["daysLabel"] = "x" * 70_000
        write_table("text.parquet", some)
        Path("widgetschema.toml").write_text("[limits]\nmax-bytes = 65536\n")

        found = audit(capsys, "text.parquet")

        assert "the document has more than 65,536 bytes, the limit\n  text.parquet:3\n" in found.out
        assert "5 records in 1 source: 4 valid, 1 unreadable" in found.out


class TestAddresses:
    @pytest.mark.parametrize("name", ["text.parquet", "large.arrow", "stream.arrows", "t.csv"])
    def test_tables_far_away(
        self, many: Records, capsys: pytest.CaptureFixture[str], name: str
    ) -> None:
        typed = [one for one in many if "type" in one]
        if name == "t.csv":
            Path(name).write_bytes(as_csv(typed))
        else:
            write_table(name, typed)
        files = fsspec.filesystem("memory")
        files.pipe(f"/tables/{name}", Path(name).read_bytes())
        options = ("--partition-size=16KiB", "--jobs=1")
        expected = results(capsys, name, *options)

        assert results(capsys, f"memory://tables/{name}", *options) == expected
        assert expected[0]["records"] == len(typed)

    def test_a_database_far_away(self, capsys: pytest.CaptureFixture[str]) -> None:
        write_sqlite(Path("w.db"), records(1))
        fsspec.filesystem("memory").pipe("/far/w.json", Path("w.db").read_bytes())
        fsspec.filesystem("memory").pipe("/far/w.parquet", Path("w.db").read_bytes())

        for name in ("w.json", "w.parquet"):
            found = audit(capsys, f"memory://far/{name}")
            assert found.code == 3
            assert "it is an SQLite database" in found.out


@settings(max_examples=scaled(60))
@given(st.data())
def test_hostile_tables_are_problems(tmp_path_factory: pytest.TempPathFactory, data: Any) -> None:
    """Whatever became of the bytes of a table: rows or a problem, and never an error."""
    folder = tmp_path_factory.getbasetemp() / "hostile"
    folder.mkdir(exist_ok=True)
    name = data.draw(st.sampled_from(["text.parquet", "large.arrow", "stream.arrows"]))
    whole = folder / f"whole-{name}"
    if not whole.exists():
        with chdir(folder):
            write_table(name, records(40)).rename(whole)
    content = bytearray(whole.read_bytes())
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(8, len(content) - 1))] = data.draw(st.integers(0, 255))
    (folder / name).write_bytes(content)

    sources, partitions, problems = plan_sources([str(folder / name)], partition_bytes=4096)

    assert len(sources) + len(problems) == 1
    for spans in partitions:
        for span in spans:
            with suppress(SourceFailed):
                for block in blocks(sources[0], span, max_bytes=1 << 20):
                    assert len(block.lines) <= 4096


class TestFolders:
    def test_tables_in_a_folder_are_read(self, capsys: pytest.CaptureFixture[str]) -> None:
        write_table("text.parquet", records(3))
        Path("t.csv").write_bytes(as_csv(records(3)))
        Path("other.csv").write_text("a,b\n1,2\n")

        found = audit(capsys, ".")

        assert found.out.splitlines()[0] == "6 records in 2 sources: all valid, 1 file not read"
        assert 'other.csv: not read: it has no column "data"' in found.out

    def test_a_table_with_data_is_not_passed_over(self, capsys: pytest.CaptureFixture[str]) -> None:
        write_table("text.parquet", records(3))
        Path("l.ndjson").write_bytes(as_lines(records(3)))
        Path("other.csv").write_text("a,b\n1,2\n")

        found = audit(capsys, ".", "--by=/owner")

        assert found.code == 3
        assert 'text.parquet: not read: it has no column "owner"' in found.out
        assert audit(capsys, ".", "--by=/updated").code == 0

    def test_documents_in_a_column(self, capsys: pytest.CaptureFixture[str]) -> None:
        some = records(3)
        table = pa.table({"key": ["a", "b", "c"], "doc": [compact(one) for one in some]})
        some[1]["data"]["content"] = 3
        table = pa.table({"key": [7, 8, 9], "doc": [compact(one) for one in some]})
        pq.write_table(table, "docs.parquet")

        found = audit(capsys, "docs.parquet", "--data-column=doc", "--id-column=key")

        assert "3 records in 1 source: 2 valid, 1 invalid" in found.out
        assert "type /data/content: 3 is a number, but must be an object\n  docs.parquet:2 8\n" in (
            found.out
        )

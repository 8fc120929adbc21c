"""Migrations of files by the engine of audits: what is written, and what is left as it is."""

from __future__ import annotations

import io
import json
import os
import resource
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.bulk_migrating import lines, plan_of
from tests.migrating import OPEN, STEPS, migration, step, widget_type
from widgetschema.audit.collector import Collector
from widgetschema.audit.migration.edits import Edit, Record, digest_of_value
from widgetschema.audit.migration.file_rewriting import FileRewriting, NotAsMeant
from widgetschema.audit.migration.rewriter import InFolder, InPlace, Rewriter
from widgetschema.audit.migration.undo import (
    NotReplaceable,
    lost_lines,
    open_undo,
    replacing,
    revert,
    sections,
)
from widgetschema.audit.plan import Plan
from widgetschema.audit.runners.local import run_local
from widgetschema.errors import StoreError

OLD_LINES = [
    b'{"heading": "One",  "size": "s", "days": "1.50", "rest": 1E2}',
    b'{"heading":"\xc3\xa4\xf0\x9f\x98\x80","legacy":{"a":[1.0, 2]}}',
    b'{"title":"Done","shown":false,"rest":{"heading":"s"}}',
    b'{"heading":7}',
    b"",
    b'  {"heading":"Indented","rest":["\\u00e4"]}  ',
    b"no JSON",
]
NEW_LINES = [
    b'{"title": "One",  "size": "small", "days": 1.50, "rest": 1E2, "shown": true}',
    b'{"title":"\xc3\xa4\xf0\x9f\x98\x80","shown":true}',
    OLD_LINES[2],
    OLD_LINES[3],
    b"",
    b'  {"title":"Indented","rest":["\\u00e4"],"shown":true}  ',
    b"no JSON",
]


def apply(plan: Plan, undo: Path, jobs: int = 1) -> tuple[Collector, Rewriter]:
    """Migrate the files of a plan."""
    collector = Collector(plan)
    with open_undo(str(undo)) as file:
        file.recover()
        rewriter = Rewriter(plan.sources, InPlace(file))
        for result in run_local(plan, jobs):
            collector.add(result)
            for part in collector.edits(result):
                rewriter.add(*part)
        rewriter.finish()
    return collector, rewriter


def undo_of(undo: Path) -> list[bool]:
    """Revert all of an undo file, and return whether each file had to be."""
    return [revert(str(undo), one) for one in reversed([*sections(str(undo))])]


@pytest.mark.parametrize("ending", [b"\n", b"\r\n"])
@pytest.mark.parametrize("begin", [b"", b"\xef\xbb\xbf"])
def test_lines(tmp_path: Path, ending: bytes, begin: bytes) -> None:
    file, undo = tmp_path / "cards.ndjson", tmp_path / "plan.undo"
    before = begin + ending.join(OLD_LINES)
    file.write_bytes(before)

    collector, rewriter = apply(plan_of(file), undo)

    assert file.read_bytes() == begin + ending.join(NEW_LINES)
    assert collector.migration == {
        "already": 1,
        "applied 1": 3,
        "applied 2": 1,
        "applied 3": 1,
        "applied 4": 1,
        "applied 5": 3,
        "lost 4": 1,
        "migrated": 3,
        "not-old": 1,
    }
    assert rewriter.files == {"changed": 1}
    [lost] = lost_lines(str(undo))
    assert json.loads(lost)["path"] == "/legacy"
    assert lost.endswith(b'"value":{"a":[1.0, 2]}}\n')

    assert undo_of(undo) == [True]
    assert file.read_bytes() == before
    assert undo_of(undo) == [False]


def test_the_second_run_changes_nothing(tmp_path: Path) -> None:
    file, undo = tmp_path / "cards.ndjson", tmp_path / "plan.undo"
    file.write_bytes(b"\n".join(OLD_LINES))
    apply(plan_of(file), undo)

    def files() -> tuple[int, int, bytes, bytes]:
        status = file.stat()
        return status.st_ino, status.st_mtime_ns, file.read_bytes(), undo.read_bytes()

    before = files()

    collector, rewriter = apply(plan_of(file), undo)

    assert files() == before
    assert collector.migration == {"already": 4, "not-old": 1}
    assert rewriter.files == {"unchanged": 1}


TEXTS = [
    b'{\n  "heading": "One",\n  "size": "s"\n}\n',
    b'[\n  {"heading": "One"},\n  {"title": "x", "shown": true},\n  {"heading": "Two"}\n]',
    b'\xef\xbb\xbf{"type": "card", "id": "a", "data": {"heading": "One"}}',
    b'{"docs": [{"type":"card","data":{"heading":"One"}}, {"type":"other","data":{}}],"total":2}',
    b'{"heading":\n"Two"}\n\n{"heading": "One"}',
]


@pytest.mark.parametrize("text", TEXTS)
def test_texts_that_are_no_lines(tmp_path: Path, text: bytes) -> None:
    file, undo = tmp_path / "cards.json", tmp_path / "plan.undo"
    file.write_bytes(text)

    _, rewriter = apply(plan_of(file, type_pointer="/type"), undo)

    assert rewriter.problems == []
    new = file.read_bytes()
    assert b"heading" not in new
    assert new.count(b"title") >= text.count(b"heading")
    bom = b"\xef\xbb\xbf"
    assert (new.startswith(bom), new[-1:]) == (text.startswith(bom), text[-1:])
    undo_of(undo)
    assert file.read_bytes() == text


def test_partitions_and_processes_make_no_difference(tmp_path: Path) -> None:
    results = []
    for name, size, jobs in (("a", 10**6, 1), ("b", 4096, 1), ("c", 4096, 2)):
        folder = tmp_path / name
        folder.mkdir()
        files = [folder / f"{index}.ndjson" for index in range(3)]
        for index, file in enumerate(files):
            file.write_bytes(lines(400 + index))
        undo = folder / "plan.undo"
        collector, _ = apply(plan_of(*files, size=size), undo, jobs)
        contents = [file.read_bytes() for file in files]
        results.append((contents, undo.read_bytes(), collector.migration))

    assert results[0] == results[1] == results[2]
    contents = results[0][0]
    assert contents[0].count(b'"shown": true') == contents[0].count(b'"title"') > 200


class TestUndo:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        for name in ("a", "b"):
            (tmp_path / f"{name}.ndjson").write_bytes(lines(50))
        apply(plan_of(tmp_path / "a.ndjson", tmp_path / "b.ndjson"), tmp_path / "plan.undo")
        return tmp_path

    def test_what_was_not_finished_is_forgotten(self, folder: Path) -> None:
        undo = folder / "plan.undo"
        whole = undo.read_bytes()
        [first, second] = sections(str(undo))
        revert(str(undo), second)  # a killed run has not replaced the file
        for end in (len(whole) - 5, second.start + 5, second.start + 300):
            undo.write_bytes(whole[:end])
            with open_undo(str(undo)) as opened:
                opened.recover()
            assert undo.read_bytes() == whole[: first.end]

    def test_a_missing_newline_at_the_end_loses_nothing(self, folder: Path) -> None:
        undo = folder / "plan.undo"
        whole = undo.read_bytes()
        undo.write_bytes(whole[:-1])
        assert len([*sections(str(undo))]) == 2
        with open_undo(str(undo)) as opened:
            opened.recover()
        assert undo.read_bytes() == whole

    def test_missing_lines_are_never_taken_for_a_killed_run(self, folder: Path) -> None:
        undo, file = folder / "plan.undo", folder / "b.ndjson"
        whole = undo.read_bytes().splitlines(keepends=True)
        [first, _] = sections(str(undo))
        count = first.edits + 2
        now = file.read_bytes()
        for number, left in (
            (count, [*whole[: count - 1], *whole[count:]]),  # the end of the first file
            (count - 1, [whole[0], *whole[2:]]),  # one of its edits
            (count + 1, [*whole[:count], *whole[count + 1 :]]),  # the beginning of the second one
            (len(whole) - 1, whole[:-1]),  # its end, though it was replaced
            (1, [whole[0].replace(b'"file"', b'"fil"'), *whole[1:]]),
            (1, [whole[0].replace(b'"a.ndjson"', b"3"), *whole[1:]]),
        ):
            undo.write_bytes(b"".join(left))
            with pytest.raises(StoreError, match=f"is damaged at line {number}"):
                [*sections(str(undo))]
            with pytest.raises(StoreError, match="is damaged"), open_undo(str(undo)) as opened:
                opened.recover()
            assert undo.read_bytes() == b"".join(left)
        assert file.read_bytes() == now

    @pytest.mark.parametrize(
        ("was", "now"),
        [
            (b'"at":', b'"a":'),
            (b'"at":', b'"at":"x","b":'),
            (b'"was":"', b'"was":"\\ud800'),
            (b'"lost":[', b'"lost":[1,'),
            (b'"was"', b"was"),
        ],
    )
    def test_an_edit_that_is_none_is_named(self, folder: Path, was: bytes, now: bytes) -> None:
        undo = folder / "plan.undo"
        undo.write_bytes(undo.read_bytes().replace(was, now, 1))
        [first, second] = sections(str(undo))
        before = (folder / "a.ndjson").read_bytes()
        with pytest.raises(StoreError, match=r"edit 1 of .*a\.ndjson cannot be read"):
            revert(str(undo), first)
        assert (folder / "a.ndjson").read_bytes() == before
        assert revert(str(undo), second)

    def test_what_is_forgotten_needs_no_room(self, tmp_path: Path) -> None:
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        undo = tmp_path / "plan.undo"
        with open_undo(str(undo)) as file:
            file.begin(str(tmp_path / "a.ndjson"))
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
            try:
                with pytest.raises(OSError, match="large"):
                    file.add(0, Edit(1, 0, b"a", b"b" * 1_000_000))
                file.add(0, Edit(1, 0, b"a", b"b"))
                file.forget()
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, limits)
            assert undo.stat().st_size == 0
        assert not undo.exists()

    def test_so_is_a_file_that_was_not_replaced_any_more(self, folder: Path) -> None:
        undo = folder / "plan.undo"
        [first, second] = sections(str(undo))
        revert(str(undo), second)
        with open_undo(str(undo)) as opened:
            opened.recover()
        assert [*sections(str(undo))] == [first]

    def test_a_file_that_was_changed_since_is_left(self, folder: Path) -> None:
        undo, file = folder / "plan.undo", folder / "a.ndjson"
        [first, _] = sections(str(undo))
        now = file.read_bytes()
        cases: Sequence[tuple[bytes, str]] = (
            (now.replace(b'"3 ', b'"4 '), "line 4"),
            (now + b"\n", "not in what was migrated"),
        )
        for changed, where in cases:
            file.write_bytes(changed)
            with pytest.raises(Exception, match=where):
                revert(str(undo), first)
            assert file.read_bytes() == changed

    def test_a_file_that_is_none_any_more_is_named(self, folder: Path) -> None:
        undo, file = folder / "plan.undo", folder / "a.ndjson"
        [first, _] = sections(str(undo))
        file.unlink()
        with pytest.raises(NotReplaceable, match="it is gone"):
            revert(str(undo), first)
        os.mkfifo(file)  # it has no writer, so opening it would block
        with pytest.raises(NotReplaceable, match="no longer a file"):
            revert(str(undo), first)

    def test_a_file_that_is_changed_while_it_is_replaced_is_left(self, folder: Path) -> None:
        file = folder / "a.ndjson"
        now = file.read_bytes()

        def replace() -> None:
            with replacing(str(file)) as (_, write):
                write(b"new")
                file.write_bytes(now + b"more\n")

        with pytest.raises(NotReplaceable, match="meanwhile"):
            replace()
        assert file.read_bytes() == now + b"more\n"

    def test_it_is_moved_with_its_folder(self, folder: Path, tmp_path: Path) -> None:
        moved = folder.rename(tmp_path.with_name("moved"))
        assert undo_of(moved / "plan.undo") == [True, True]
        assert (moved / "a.ndjson").read_bytes() == lines(50)


def test_a_file_with_two_names_is_left(tmp_path: Path) -> None:
    file, undo = tmp_path / "a.ndjson", tmp_path / "plan.undo"
    file.write_bytes(lines(5))
    (tmp_path / "other").hardlink_to(file)

    _, rewriter = apply(plan_of(file), undo)

    [problem] = rewriter.problems
    assert "hard links" in problem.message
    assert file.read_bytes() == lines(5)
    assert not undo.exists()


def test_into_a_folder(tmp_path: Path) -> None:
    files = [tmp_path / "a.ndjson", tmp_path / "b.ndjson"]
    files[0].write_bytes(b"\n".join(OLD_LINES))
    files[1].write_bytes(b'{"title":"x","shown":true}\n')
    plan = plan_of(*files)
    rewriter = Rewriter(
        plan.sources, InFolder(lambda source: str(tmp_path / "new" / Path(source.name).name))
    )
    collector = Collector(plan)
    for result in run_local(plan):
        collector.add(result)
        for part in collector.edits(result):
            rewriter.add(*part)
    rewriter.finish()

    assert (tmp_path / "new" / "a.ndjson").read_bytes() == b"\n".join(NEW_LINES)
    assert (tmp_path / "new" / "b.ndjson").read_bytes() == files[1].read_bytes()
    assert files[0].read_bytes() == b"\n".join(OLD_LINES)
    assert rewriter.files == {"changed": 1, "unchanged": 1}


def test_without_steps(tmp_path: Path) -> None:
    file = tmp_path / "a.ndjson"
    file.write_bytes(lines(9))
    collector, _ = apply(plan_of(file, made=migration("")), tmp_path / "undo")
    assert collector.migration == {"already": 3, "invalid": 3, "not-old": 3}
    assert STEPS


def test_mistakes_with_different_values_are_counted_together(tmp_path: Path) -> None:
    file = tmp_path / "a.ndjson"
    file.write_bytes(b"".join(b'{"heading":%d}\n' % number for number in range(3)))
    collector, _ = apply(plan_of(file), tmp_path / "undo")
    assert collector.migration == {"not-old": 3}
    [place] = collector.summary()["places"]
    assert (place["path"], place["findings"], place["about"]) == (
        "/heading",
        3,
        "the value is a number, but must be a string",
    )
    assert [one["line"] for one in place["examples"]] == [1, 2, 3]


def test_the_model_version_says_what_was_migrated(tmp_path: Path) -> None:
    """The same counts, whether a record is read or accepted at once: 64 are always read."""
    file, undo = tmp_path / "documents.ndjson", tmp_path / "plan.undo"
    kinds: list[dict[str, Any]] = [
        {"type": "card", "modelVersion": 3, "data": {"heading": "a"}},
        {"type": "card", "modelVersion": 4, "data": {"title": "a", "shown": True}},
        {"type": "card", "modelVersion": 7, "data": {"heading": "a"}},
        {"type": "card", "data": {"title": "a", "shown": True}},
    ]
    file.write_text("".join(json.dumps(kinds[index % 4]) + "\n" for index in range(800)))
    made = migration(more="[model-version]\nold = 3\nnew = 4\n")

    first, _ = apply(plan_of(file, made=made, size=4096), undo)
    text = file.read_text()
    second, _ = apply(plan_of(file, made=made), undo)

    assert {name: first.migration[name] for name in ("migrated", "already", "not-old")} == {
        "migrated": 200,
        "already": 400,
        "not-old": 200,
    }
    assert text.startswith('{"type": "card", "modelVersion": 4, "data": {"title": "a", "shown"')
    assert second.migration == {"already": 600, "not-old": 200}
    assert file.read_text() == text
    undo_of(undo)
    assert json.loads(file.read_text().splitlines()[0]) == kinds[0]


def test_records_within_lines(tmp_path: Path) -> None:
    """Several on a line, and data that a pointer leads to."""
    listed = tmp_path / "listed.ndjson"
    listed.write_text(
        '{"docs": [{"type":"card","data":{"heading":"ä"}}, {"type":"card","data":'
        '{"heading":"b"}}],"total":2}\n' * 2
    )
    apply(plan_of(listed), tmp_path / "one")
    row = '{"type":"card","data":{"title":"%s","shown":true}}'
    assert listed.read_text() == f'{{"docs": [{row % "ä"}, {row % "b"}],"total":2}}\n' * 2

    nested = tmp_path / "nested.ndjson"
    nested.write_text('{"ä": {"is": {"heading":"x"}}, "type": "card"}\n{"ä": 1}\n')
    collector, _ = apply(plan_of(nested, data_pointer="/ä/is"), tmp_path / "two")
    assert nested.read_text() == (
        '{"ä": {"is": {"title":"x","shown":true}}, "type": "card"}\n{"ä": 1}\n'
    )
    assert collector.migration["not-old"] == 1


@pytest.mark.parametrize(
    ("more", "record", "becomes"),
    [
        ("", {"heading": "a"}, {"title": "a"}),
        ("", {"title": "a"}, None),
        (
            "[model-version]\nold = 3\nnew = 4\n",
            {"type": "card", "modelVersion": 3, "data": {"other": 1}},
            {"type": "card", "modelVersion": 4, "data": {"other": 1}},
        ),
        ("", {"type": "card", "data": {"heading": 1}}, {"type": "card", "data": {"title": 1}}),
        ("", {"type": "another", "data": {"heading": 1}}, None),
        ("", {"type": "another", "data": {"title": 1}}, None),
    ],
)
def test_records_that_both_schemas_accept(
    tmp_path: Path, more: str, record: Any, becomes: Any
) -> None:
    """None is accepted at once that a step applies to, or that is of another type."""
    old, new = (widget_type({**OPEN, "title": title}) for title in ("old", "new"))
    made = migration(step("rename", "/heading", to='"title"'), old, new, more)
    file = tmp_path / "records.ndjson"
    file.write_text((json.dumps(record) + "\n") * 300)

    collector, _ = apply(plan_of(file, made=made, new=new), tmp_path / "undo")

    assert file.read_text() == (json.dumps(becomes or record) + "\n") * 300
    is_other = record.get("type") == "another"
    assert collector.summary()["input"].get("other_types", 0) == (300 if is_other else 0)
    counts = {} if is_other else {"already": 300} if becomes is None else {"migrated": 300}
    assert {name: collector.migration.get(name) for name in counts} == counts


# How it is written

ANYTHING = {"type": ["object", "array", "string"]}
DEFAULT = step("default", "/b", value="{ x = [1, 2] }")
WRAP, SPLIT = step("wrap", ""), step("split", "", separator="' '")
MAP = step("map", "", json_values="{ '{}' = '{ \"a\" : [1,2]}' }")


def written(path: Path, steps: str, text: bytes, **settings: Any) -> bytes:
    """Return what a migration of anything makes of the text of a file."""
    old, new = (widget_type({**ANYTHING, "title": name}) for name in ("old", "new"))
    path.write_bytes(text)
    plan = plan_of(path, made=migration(steps, old, new), new=new, **settings)
    _, rewriter = apply(plan, path.with_name("plan.undo"))
    assert rewriter.problems == []
    return path.read_bytes()


@pytest.mark.parametrize(
    ("steps", "text", "then"),
    [
        (DEFAULT, b"{}\n{}\r\n", b'{"b":{"x":[1,2]}}\n{"b":{"x":[1,2]}}\r\n'),
        (DEFAULT, b"\xef\xbb\xbf{}\n", b'\xef\xbb\xbf{"b":{"x":[1,2]}}\n'),
        (DEFAULT, b'{"a": 1}\n{}', b'{"a": 1, "b": {"x": [1, 2]}}\n{"b": {"x": [1, 2]}}'),
        (DEFAULT, b'{}\n{"a":1}\n', b'{"b":{"x":[1,2]}}\n{"a":1,"b":{"x":[1,2]}}\n'),
        (WRAP, b'{"a": 1}\n{}\n"x"\n', b'[{"a": 1}]\n[{}]\n["x"]\n'),
        (SPLIT, b'"x y"\n"z"\n{"a":"x y"}\n', b'["x","y"]\n["z"]\n{"a":"x y"}\n'),
        (SPLIT, b'{"a": "x"}\n"x y"\n', b'{"a": "x"}\n["x", "y"]\n'),
        (MAP, b'{}\n{ }\r\n{"a": 1}\n', b'{"a": [1, 2]}\n{"a": [1, 2]}\r\n{"a": 1}\n'),
        (MAP, b"[{},{}]", b'[{"a":[1,2]},{"a":[1,2]}]'),
        (DEFAULT, b'[{}, {"a": 1}]', b'[{"b": {"x": [1, 2]}}, {"a": 1, "b": {"x": [1, 2]}}]'),
        (WRAP, b'[{},{"a":1}]', b'[[{}],[{"a":1}]]'),
        (WRAP, b'[\n  {"a": 1},\n  {}\n]\n', b'[\n  [{"a": 1}],\n  [{}]\n]\n'),
        (
            WRAP,
            b'[\r\n\t{\r\n\t\t"a": 1\r\n\t},\r\n\t{}\r\n]\r\n',
            b'[\r\n\t[\r\n\t\t{\r\n\t\t\t"a": 1\r\n\t\t}\r\n\t],\r\n\t[\r\n\t\t{}\r\n\t]\r\n]\r\n',
        ),
        (
            MAP,
            b'[\n\t{\n\t\t"a": 1\n\t},\n\t{}\n]\n',
            b'[\n\t{\n\t\t"a": 1\n\t},\n\t{\n\t\t"a": [\n\t\t\t1,\n\t\t\t2\n\t\t]\n\t}\n]\n',
        ),
        (
            DEFAULT,
            b'{\n    "c": {},\n    "b": {}\n}\n',
            b'{\n    "c": {},\n    "b": {}\n}\n',
        ),
        (
            step("default", "/b/x", value="{ y = 1 }"),
            b'{\n    "b": {}\n}\n',
            b'{\n    "b": {\n        "x": {\n            "y": 1\n        }\n    }\n}\n',
        ),
    ],
)
def test_what_is_written_looks_like_what_is_around(
    tmp_path: Path, steps: str, text: bytes, then: bytes
) -> None:
    assert written(tmp_path / "records.json", steps, text) == then


@pytest.mark.parametrize(
    ("text", "then"),
    [
        (b'{"t":1,"d":{}}\n' * 2, b'{"t":1,"d":{"b":{"x":[1,2]}}}\n' * 2),
        (b'{"t": 1, "d": {}}\n' * 2, b'{"t": 1, "d": {"b": {"x": [1, 2]}}}\n' * 2),
        (
            b'{\n\t"d": {}\n}\n',
            b'{\n\t"d": {\n\t\t"b": {\n\t\t\t"x": [\n\t\t\t\t1,\n\t\t\t\t2\n\t\t\t]\n\t\t}\n\t}\n}\n',
        ),
        (
            b'{\n "t": { "e": 1, "f": 2 },\n "d": {}}\n',
            b'{\n "t": { "e": 1, "f": 2 },\n "d": {"b": {"x": [1, 2]}}}\n',
        ),
    ],
)
def test_so_does_data_within_a_record(tmp_path: Path, text: bytes, then: bytes) -> None:
    assert written(tmp_path / "records.json", DEFAULT, text, data_pointer="/d") == then


def test_a_file_is_not_replaced_if_a_record_would_not_be_read_as_it_is_meant(
    tmp_path: Path,
) -> None:
    file, undo = tmp_path / "cards.ndjson", tmp_path / "plan.undo"
    file.write_bytes(b'{}\n{"a": 1}\n')
    plan = plan_of(file)
    meant = digest_of_value({"a": 2})
    whole = Record(6, 1, meant)
    for now, record, problem in (
        (b"\n2", whole, "in line 2"),
        (b"3", whole, "in line 2"),
        (b"x", whole, "in line 2"),
        (b"1e999", whole, "in line 2"),
        (b"2", whole._replace(behind=0), "in line 2"),
        (b"2", whole._replace(behind=9), "another program changed it"),
        (b"2", whole._replace(before=7), "another program changed it"),
        (b"2", whole, None),
    ):
        with open_undo(str(undo)) as opened:
            rewriter = Rewriter(plan.sources, InPlace(opened))
            rewriter.add(0, [Edit(2, 6, b"1", now, record=record)], None)
            rewriter.finish()
        said = [one.message for one in rewriter.problems]
        assert (len(said), rewriter.unwritten) == ((0, 0) if problem is None else (1, 1))
        assert problem is None or problem in said[0]
        assert file.read_bytes() == (b'{}\n{"a": 1}\n' if problem else b'{}\n{"a": 2}\n')
        assert undo.exists() == (problem is None)


def test_a_record_that_is_no_line_may_have_several(tmp_path: Path) -> None:
    made: list[bytes] = []
    rewriting = FileRewriting(io.BytesIO(b"[1, [2], 3]"), made.append)
    rewriting.replace(None, 5, b"2", b"\n4", Record(1, 1, digest_of_value([4])))
    with pytest.raises(NotAsMeant, match="at byte 9"):
        rewriting.replace(None, 9, b"3", b"5", Record(0, 0, digest_of_value(3)))

"""An audit by a cluster: what comes of it is what this machine finds, whoever is lost on the way."""

from __future__ import annotations

import itertools
import json
import os
import pickle
import socket
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from distributed import Client

from tests.bulk_migrating import lines
from tests.bulk_migrating import plan_of as migrating_plan
from tests.dask_cluster import Cluster
from tests.terminal import HANG
from widgetschema.audit.auditor import Auditor
from widgetschema.audit.checkpoints import Checkpoints
from widgetschema.audit.collector import Collector
from widgetschema.audit.inputs.sources import Source, Span
from widgetschema.audit.partition_result import PartitionResult
from widgetschema.audit.plan import Plan, Settings
from widgetschema.audit.runners.cluster import run_cluster
from widgetschema.audit.runners.local import run_local
from widgetschema.catalog.catalog import Catalog
from widgetschema.errors import (
    ClusterError,
    InvalidSchema,
    MissingExtra,
    UnknownWidgetType,
    UnsharedInput,
)
from widgetschema.project.checking.exit_codes import exit_code

FAQ = {
    "$id": "faq",
    "type": "object",
    "properties": {"data": {"type": "object", "required": ["questions"]}},
}
BROKEN = {"$id": "broken", "type": 7}


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with Cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture
def cluster(started: Cluster) -> Cluster:
    """A cluster with three workers, however many the test before has killed."""
    started.work(3 - len(started.workers))
    return started


@pytest.fixture
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster without workers, where nothing is tried again on another worker; a test may end it."""
    folder = tmp_path_factory.mktemp("strict")
    with Cluster(folder, {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}) as cluster:
        yield cluster


def records(number: int) -> Iterator[bytes]:
    """Records of all sorts: valid and not, of two types, unknown ones, and what is no JSON."""
    countdown = Catalog.default()["countdown"]
    wrong = itertools.cycle(case.data for case in countdown.near_misses())
    for index, data in enumerate(countdown.samples(number)):
        record: Any = {
            "id": f"w-{index}",
            "type": "countdown",
            "updated": f"2026-11-{index % 28 + 1:02}",
        }
        if index % 7 == 3:
            data = next(wrong)
        elif index % 11 == 5:
            record["type"], data = "faq", {"questions": []} if index % 2 else {}
        elif index % 13 == 7:
            record["type"] = "broken" if index % 2 else "nobody knows"
        line = json.dumps({**record, "data": data}).encode()
        yield line[: index % 50] if index % 17 == 9 else line


def planned(folder: Path, *, number: int = 400, size: int = 20_000) -> Plan:
    """A plan for some files of such records, cut into pieces."""
    sources, partitions = [], []
    for index in range(2):
        file = folder / f"{index}.ndjson"
        file.write_bytes(b"\n".join(records(number)) + b"\n")
        whole = file.stat().st_size
        sources.append(Source(f"{index}.ndjson", str(file), whole, stamp=f"{whole}"))
        cuts = [*range(0, whole, size), whole]
        partitions += [(Span(index, *span),) for span in itertools.pairwise(cuts)]
    catalog = Catalog([{"faq": FAQ, "broken": BROKEN}, *Catalog.default().sources])
    settings = Settings(findings=True, ids=True, quarantine=True, by=("/id", "/type"))
    return Plan(settings, catalog, tuple(sources), tuple(partitions))


def told(plan: Plan, results: Iterable[PartitionResult]) -> tuple[str, str, str, str]:
    """All that is told of results: the summary, the findings, the ids, the invalid records."""
    collector = Collector(plan)
    findings: list[str] = []
    ids: list[str] = []
    records: list[str] = []
    for result in results:
        collector.add(result)
        findings += collector.finding_lines(result)
        ids += collector.id_lines(result)
        records += collector.quarantine_lines(result)
    lines = ("".join(findings), "".join(ids), "".join(records))
    return json.dumps(collector.summary()), *lines


def test_a_worker_is_killed_in_the_middle(cluster: Cluster, tmp_path: Path) -> None:
    plan = planned(tmp_path)
    expected = told(plan, run_local(plan))
    summary = json.loads(expected[0])
    assert len(plan.partitions) > 30
    assert min(summary[name] for name in ("valid", "invalid", "unreadable", "untyped")) > 10

    results = run_cluster(plan, cluster.address)
    first = next(results)
    cluster.lose(cluster.workers[0])
    assert told(plan, [first, *results]) == expected


def test_whoever_held_the_plan_is_lost(cluster: Cluster, tmp_path: Path) -> None:
    """The plan is no copy that was handed out: none of the first workers is left."""
    plan = planned(tmp_path)
    results = run_cluster(plan, cluster.address)
    first = next(results)
    cluster.lose_all()
    cluster.work()
    assert told(plan, [first, *results]) == told(plan, run_local(plan))


def test_going_on_does_nothing_again(cluster: Cluster, tmp_path: Path) -> None:
    plan = planned(tmp_path)
    done: list[int] = []
    warned: list[str] = []

    def run(most: int) -> list[PartitionResult]:
        checkpoints = Checkpoints(plan, str(tmp_path / "cache"), [], warned.append)
        with closing(
            run_cluster(
                plan,
                cluster.address,
                checkpoints=checkpoints,
                progress=lambda number, size, records: done.append(number),
            )
        ) as results:
            return list(itertools.islice(results, most))

    begun = run(9)
    before = list(done)
    again = run(1_000)
    assert told(plan, again) == told(plan, run_local(plan))
    assert begun == again[:9]
    assert sorted(done) == list(range(len(plan.partitions)))
    assert set(range(9)) <= set(before)
    assert warned == []


def test_a_migration_has_the_same_edits(cluster: Cluster, tmp_path: Path) -> None:
    file = tmp_path / "cards.ndjson"
    file.write_bytes(lines(900))
    plan = migrating_plan(file, size=4096)
    expected = list(run_local(plan))
    assert len(expected) > 4
    assert all(result.edits for result in expected)

    assert list(run_cluster(plan, cluster.address)) == expected


def test_progress_says_how_much_there_was(cluster: Cluster, tmp_path: Path) -> None:
    plan = planned(tmp_path, number=60)
    sizes: list[int] = []
    counts: list[int] = []

    def progress(number: int, size: int, records: int) -> None:
        sizes.append(size)
        counts.append(records)

    results = list(run_cluster(plan, cluster.address, progress=progress))
    summary = json.loads(told(plan, results)[0])
    assert sum(sizes) == sum(source.size or 0 for source in plan.sources)
    assert sum(counts) == summary["records"]


def test_what_vanished_is_a_problem_as_it_is_here(cluster: Cluster, tmp_path: Path) -> None:
    plan = planned(tmp_path, number=60)
    os.unlink(plan.sources[0].address)
    expected = told(plan, run_local(plan))
    assert "0.ndjson" in expected[0]
    assert told(plan, run_cluster(plan, cluster.address)) == expected


def test_a_worker_that_is_not_alike_is_named(cluster: Cluster, tmp_path: Path) -> None:
    metadata = tmp_path / "widgetschema-0.0.1.dist-info" / "METADATA"
    metadata.parent.mkdir()
    metadata.write_text("Metadata-Version: 2.1\nName: widgetschema\nVersion: 0.0.1\n")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    plan = planned(tmp_path)
    begun = run_cluster(plan, cluster.address)
    next(begun)
    others = list(cluster.workers)
    with Client(cluster.address, set_as_default=False) as client:
        [odd] = cluster.work(PYTHONPATH=path)
        client.wait_for_workers(len(others) + 1, timeout=120)
    with pytest.raises(ClusterError, match=r"tcp://\S+ has widgetschema 0\.0\.1 \(here: ") as e:
        next(run_cluster(plan, cluster.address))
    assert exit_code(e.value) == 5
    for worker in others:
        cluster.lose(worker)
    with pytest.raises(
        ClusterError, match=r"which joined later, has widgetschema 0\.0\.1 \(here: "
    ):
        list(begun)
    cluster.lose(odd)
    cluster.work()


@pytest.mark.parametrize(("there", "reason"), [(None, "no such file"), (b"{}", "2 bytes there")])
def test_what_workers_do_not_see_is_refused(
    there: bytes | None,
    reason: str,
    cluster: Cluster,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A path that leads every process to its own working directory."""
    plan = planned(tmp_path, number=9)
    monkeypatch.chdir(tmp_path)
    here = plan.sources[0]._replace(address="/proc/self/cwd/0.ndjson")
    if there is None:
        (cluster.workplace / "0.ndjson").unlink(missing_ok=True)
    else:
        (cluster.workplace / "0.ndjson").write_bytes(there)
    theirs = plan._replace(sources=(here, *plan.sources[1:]))
    with pytest.raises(UnsharedInput, match=rf"^0\.ndjson: the workers .*{reason}") as e:
        list(run_cluster(theirs, cluster.address))
    assert exit_code(e.value) == 3


def test_standard_input_is_refused(tmp_path: Path) -> None:
    plan = planned(tmp_path, number=9)
    theirs = plan._replace(sources=(Source("-", "-"), *plan.sources[1:]))
    with pytest.raises(UnsharedInput, match="standard input is on this machine only"):
        list(run_cluster(theirs, "tcp://127.0.0.1:1"))


# A cluster that does not do what it should


def test_nobody_answers(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    plan = planned(tmp_path, number=9)
    with pytest.raises(ClusterError, match=r"no scheduler answered within 0\.3 seconds") as e:
        list(run_cluster(plan, f"tcp://127.0.0.1:{port}", connect=0.3))
    assert exit_code(e.value) == 5


@pytest.mark.parametrize("words", [b"", b"SSH-2.0-OpenSSH_9.2\r\n"])
def test_somebody_else_answers(words: bytes, tmp_path: Path) -> None:
    plan = planned(tmp_path, number=9)
    taken: list[socket.socket] = []

    def answer() -> None:
        taken.append(server.accept()[0])
        taken[0].sendall(words)

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=answer, daemon=True).start()
        with pytest.raises(ClusterError, match="but it is not a Dask scheduler"):
            list(run_cluster(plan, f"tcp://127.0.0.1:{server.getsockname()[1]}", connect=0.2))
    taken[0].close()


def test_words_that_are_read_as_a_size_have_no_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With NumPy installed, Dask asks it for as many bytes as the first eight say."""

    async def no_memory(*arguments: object) -> None:
        raise MemoryError("Unable to allocate 2.82 EiB")

    monkeypatch.setattr("widgetschema.audit.runners.cluster._check_scheduler", no_memory)
    with pytest.raises(ClusterError, match="but it is not a Dask scheduler"):
        list(run_cluster(planned(tmp_path, number=9), "tcp://127.0.0.1:1"))


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("", "this is not an address"),
        ("nonsense", "missing port"),
        ("foo://a:1", "unknown address scheme"),
        ("tls://127.0.0.1:1", "TLS"),
    ],
)
def test_what_is_no_address(address: str, reason: str, tmp_path: Path) -> None:
    plan = planned(tmp_path, number=9)
    with pytest.raises(ClusterError, match=reason):
        list(run_cluster(plan, address, connect=0.3))


def test_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = planned(tmp_path, number=9)
    for library in ("distributed", "dask"):
        monkeypatch.setitem(sys.modules, library, None)
        with pytest.raises(MissingExtra, match=r"pip install 'widgetschema\[cluster\]'"):
            list(run_cluster(plan, "tcp://127.0.0.1:1"))


def test_a_cluster_without_workers(strict: Cluster, tmp_path: Path) -> None:
    plan = planned(tmp_path, number=9)
    said: list[str] = []
    with pytest.raises(ClusterError, match="no worker for 0 seconds; start one with: dask worker"):
        list(run_cluster(plan, strict.address, patience=0.2, notify=said.append))
    [line] = said
    assert line.startswith(f"the cluster at {strict.address} has no workers; start one with: dask ")


def test_a_partition_that_costs_workers_is_named(strict: Cluster, tmp_path: Path) -> None:
    """Line numbers are right behind it, and whoever goes on has it done again."""
    file = tmp_path / "long.ndjson"
    file.write_bytes(b'{"type": "countdown", "data": {}}\n' * 400_000 + b"{\n")
    size = file.stat().st_size
    plan = planned(tmp_path, number=9)._replace(
        sources=(Source("long.ndjson", str(file), size, stamp="1"),),
        partitions=((Span(0, 0, size - 2),), (Span(0, size - 2, size),)),
    )
    last = Auditor(plan).audit(1)

    def lose(done: threading.Event) -> None:
        with Client(strict.address, set_as_default=False) as client:
            while not any(client.processing().values()) and not done.wait(0.01):
                pass
        strict.lose_all()
        strict.work()

    for attempt in range(20):  # until the worker is lost before it is done with the partition
        checkpoints = Checkpoints(plan, str(tmp_path / f"cache-{attempt}"), [], print)
        checkpoints.put(last)
        strict.lose_all()
        strict.work()
        done = threading.Event()
        killer = threading.Thread(target=lose, args=[done], daemon=True)
        killer.start()
        results = list(run_cluster(plan, strict.address, checkpoints=checkpoints))
        done.set()
        killer.join(HANG)
        summary, findings, *_ = told(plan, results)
        if json.loads(summary)["problems"]:
            break
    [problem] = json.loads(summary)["problems"]
    assert (problem["file"], problem["code"]) == ("long.ndjson", 3)
    assert problem["message"].startswith(
        f"the lines that begin in bytes 0 to {size - 2:,} could not be "
    )
    assert "1 workers were lost while they were at it" in problem["message"]
    assert '"file":"long.ndjson","line":400001,' in findings
    assert [checkpoints.get(number) is None for number in (0, 1)] == [True, False]


def test_the_scheduler_is_lost(strict: Cluster, tmp_path: Path) -> None:
    plan = planned(tmp_path)
    strict.work()
    results = run_cluster(plan, strict.address)
    next(results)
    strict.lose_all()
    strict.scheduler.kill()
    with pytest.raises(ClusterError, match="the scheduler stopped") as e:
        list(results)
    assert exit_code(e.value) == 5


# What travels


def test_a_settled_plan_needs_nothing_of_this_machine(tmp_path: Path) -> None:
    plan = planned(tmp_path, number=9)
    there = pickle.loads(pickle.dumps(plan.portable()))
    assert there.catalog.ids() == plan.catalog.ids()
    assert there.catalog["faq"].provenance == plan.catalog["faq"].provenance
    assert there.catalog["countdown"].linked_digest == plan.catalog["countdown"].linked_digest
    assert there.catalog.sources == ()
    assert "faq" in there.catalog
    assert "plugin" not in there.catalog
    for id, kind in (("broken", InvalidSchema), ("nobody", UnknownWidgetType)):
        with pytest.raises(kind) as here:
            plan.catalog[id]
        with pytest.raises(kind) as elsewhere:
            there.catalog[id]
        assert str(here.value) == str(elsewhere.value)
    assert all(os.path.isabs(source.address) for source in there.sources)


def test_a_settled_plan_knows_schemas_by_the_same_addresses(tmp_path: Path) -> None:
    plan = planned(tmp_path, number=9)
    address = "https://types.example/v1/menu.json"
    catalog = Catalog([{"broken": 1, "menu": {"$id": address}}])
    there = plan._replace(catalog=catalog).portable().catalog
    for asked, id in ((address, "menu"), (f"{address}#", "menu"), (f"{address}/menu", None)):
        assert there.id_at(asked) == catalog.id_at(asked) == id


def test_of_a_plan_for_one_type_only_that_is_settled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = planned(tmp_path, number=9)
    monkeypatch.chdir(tmp_path)
    sources = (Source("0.ndjson", "0.ndjson"), Source("m", "memory://a"), Source("-", "-"))
    plan = plan._replace(
        settings=plan.settings._replace(type_id="faq"), sources=sources, older=plan.catalog
    )
    there = plan.portable()
    assert there.catalog.ids() == ("faq",)
    assert there.older is not None
    assert there.older.ids() == ("faq",)
    assert [one.address for one in there.sources] == [str(tmp_path / "0.ndjson"), "memory://a", "-"]
    assert [one.name for one in there.sources] == [one.name for one in sources]
    unknown = plan._replace(settings=plan.settings._replace(type_id="nobody"))
    assert unknown.portable().catalog.ids() == ()


# The command


def test_the_command_prints_the_same(cluster: Cluster, tmp_path: Path) -> None:
    (tmp_path / "a.ndjson").write_bytes(b"\n".join(records(300)))

    def run(*options: str) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "widgetschema", "audit", "--format", "json", *options]
        return subprocess.run(
            [*command, "a.ndjson"], cwd=tmp_path, capture_output=True, check=False
        )

    here = run()
    there = run("--scheduler", cluster.address, "--partition-size", "20kB")
    assert (there.returncode, there.stderr) == (here.returncode, here.stderr)
    assert json.loads(there.stdout) == {**json.loads(here.stdout), "partitions": _ANY}


class _Any:
    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


_ANY = _Any()

"""A cluster of which somebody does not answer any more, and is not gone either: nothing hangs."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.dask_cluster import Clock, Cluster
from tests.terminal import HANG
from tests.thorough.test_audit_cluster import planned
from widgetschema.audit.runners.cluster import run_cluster
from widgetschema.errors import ClusterError
from widgetschema.project.checking.exit_codes import exit_code


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with Cluster(tmp_path_factory.mktemp("mute")) as cluster:
        cluster.work()
        yield cluster


def test_the_scheduler_stands_still_in_the_middle(cluster: Cluster, tmp_path: Path) -> None:
    plan = planned(tmp_path, number=200)
    clock = Clock()
    results = run_cluster(plan, cluster.address, patience=HANG, clock=clock)
    next(results)
    cluster.scheduler.send_signal(signal.SIGSTOP)
    clock.run_fast()
    try:
        with pytest.raises(
            ClusterError, match=f"the scheduler has not responded for {HANG:.0f} seconds"
        ) as e:
            list(results)
    finally:
        cluster.scheduler.send_signal(signal.SIGCONT)
    assert exit_code(e.value) == 5


def test_a_worker_stands_still_in_the_beginning(cluster: Cluster, tmp_path: Path) -> None:
    plan = planned(tmp_path, number=9)
    list(run_cluster(plan, cluster.address, patience=HANG))
    [worker] = cluster.workers
    worker.send_signal(signal.SIGSTOP)
    try:
        with pytest.raises(
            ClusterError, match=r"the worker tcp://\S+ has not responded for 20 seconds"
        ):  # as long as the scheduler, which does respond, may take on a slow machine
            list(run_cluster(plan, cluster.address, patience=20))
    finally:
        cluster.lose(worker)

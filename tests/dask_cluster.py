"""A real cluster of Dask on this machine: a scheduler and workers, each a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType


class Cluster:
    """A scheduler, and the workers that are started; all of them end with it.

    The workers work in a folder where there is nothing, and write their logs into `folder`.
    """

    def __init__(self, folder: Path, environment: Mapping[str, str] | None = None) -> None:
        self._folder = folder
        self._environment = {**os.environ, **(environment or {})}
        self.workers: list[subprocess.Popen[bytes]] = []
        self._started = 0
        self.workplace = folder / "empty"
        self.workplace.mkdir()
        known = folder / "scheduler.json"
        self.scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(known)
        )
        for _ in range(2_400):
            if known.exists() and known.read_bytes():
                break
            time.sleep(0.05)
        self.address: str = json.loads(known.read_bytes())["address"]

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        processes = [*self.workers, self.scheduler]
        for process in processes:
            process.send_signal(signal.SIGTERM)
        for process in processes:
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def work(self, number: int = 1, **environment: str) -> list[subprocess.Popen[bytes]]:
        """Start so many more workers; they may not be there yet."""
        begun = [self._worker(environment) for _ in range(number)]
        self.workers += begun
        return begun

    def _worker(self, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
        self._started += 1
        folder = str(self._folder / f"worker-{self._started}")
        options = ("--nthreads", "1", "--no-nanny", "--local-directory", folder)
        return self._start("worker", self.address, *options, environment=environment)

    def lose(self, worker: subprocess.Popen[bytes]) -> None:
        """Kill a worker, which says nothing any more."""
        worker.kill()
        worker.wait()
        self.workers.remove(worker)

    def lose_all(self) -> None:
        """Kill every worker."""
        for worker in list(self.workers):
            self.lose(worker)

    def _start(
        self, *arguments: str, environment: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        log = self._folder / f"{arguments[0]}-{self._started}.log"
        with log.open("wb") as file:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", *arguments, "--no-dashboard"],
                cwd=self.workplace,
                env={**self._environment, **(environment or {})},
                stdout=file,
                stderr=file,
                start_new_session=True,
            )

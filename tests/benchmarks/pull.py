"""Speed of pulling 200 types, beside what the connections allow: `python -m tests.benchmarks.pull`.

A sandbox in a process of its own answers each request 50 ms late. Ten connections can then carry
no more than ten requests in 50 ms: that is the time which everything is compared with. Beside it
stand ten threads that ask with a plain `httpx.Client`, and do nothing with the answers.

With `--write` the table goes into `tables.md`. Needs the extra `test`. Not a test: nothing
here passes or fails.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import httpx

from tests.benchmarks.timing import in_tables, run, say, table, take_turns, versions
from widgetschema.catalog.store import bundled
from widgetschema.platform import connect
from widgetschema.platform.fetcher import Fetcher, plan

TYPES = 200
CONNECTIONS = 10
LATENCY = 50  # milliseconds
IDS = [f"type-{number}" for number in range(TYPES)]


@contextmanager
def sandbox(folder: Path) -> Iterator[dict[str, str]]:
    """The variables for a sandbox with the types, logged in to."""
    schemas = folder / "schemas"
    schemas.mkdir()
    for id in IDS:
        schema = {**bundled()["countdown"], "$id": id}
        (schemas / f"{id}.json").write_text(json.dumps(schema), encoding="utf-8")
    (schemas / "plugin.json").write_text(json.dumps(bundled()["plugin"]), encoding="utf-8")
    command = [sys.executable, "-m", "widgetschema", "sandbox", "--quiet"]
    command += ["--schemas", str(schemas), "--latency", str(LATENCY)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        variables = {}
        login: list[str] = []
        for line in process.stdout:
            if line.startswith("export "):
                name, _, value = line.removeprefix("export ").strip().partition("=")
                variables[name] = value
            if line.startswith("widgetschema login"):
                login = line.split()[1:]
                break
        os.environ.update(variables)
        os.environ["XDG_CONFIG_HOME"] = str(folder / "config")
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        run([sys.executable, "-m", "widgetschema", *login])
        yield variables
        process.terminate()


def main() -> None:
    """Measure everything."""
    versions("httpx", "uvicorn")
    with tempfile.TemporaryDirectory() as name, sandbox(Path(name)) as variables:
        folders = count()

        def command() -> None:
            run(
                [
                    *(sys.executable, "-m", "widgetschema", "pull", "--no-cache"),
                    *("--schemas", f"{name}/out-{next(folders)}", *IDS),
                ]
            )

        def inside() -> None:
            with connect(connections=CONNECTIONS) as client:
                fetcher = Fetcher(client, cache=None, mode="refresh")
                plan(fetcher, f"{name}/out-{next(folders)}", IDS).write()

        def plain() -> None:
            base = variables["WIDGETSCHEMA_BASE_URL"]
            tokens = json.loads(Path(name, "config/widgetschema/tokens.json").read_bytes())
            headers = {"Authorization": f"Bearer {_access_token(tokens)}"}
            with (
                httpx.Client(headers=headers) as client,
                ThreadPoolExecutor(CONNECTIONS) as pool,
            ):
                answers = list(
                    pool.map(lambda name: client.get(f"{base}/widget-types/{name}/schema"), IDS)
                )
            assert all(answer.status_code == 200 for answer in answers)

        times = take_turns(
            {
                "httpx, ten threads, nothing done with it": plain,
                "fetched, linked, written": inside,
                "`widgetschema pull`, with its start": command,
            },
            rounds=7,
            seconds=0,
        )
    allowed = TYPES / CONNECTIONS * LATENCY / 1_000
    rows = [[f"{CONNECTIONS} connections allow", f"{allowed:.2f} s", "1.00"]]
    rows += [[name, f"{value:.2f} s", f"{value / allowed:.2f}"] for name, value in times.items()]
    title = f"{TYPES} types, {LATENCY} ms for each answer"
    table(title, ["", "median", "times what they allow"], rows)


def _access_token(tokens: object) -> str:
    """The access token in the file of tokens, wherever it is there."""
    if isinstance(tokens, dict):
        if isinstance(tokens.get("access_token"), str):
            return str(tokens["access_token"])
        return next(filter(None, map(_access_token, tokens.values())), "")
    return ""


if __name__ == "__main__":
    with in_tables("pull"):
        main()
        say()

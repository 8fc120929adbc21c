"""Time from the last key to the findings of the language server: `python -m tests.benchmarks.lsp`.

A client types a text, key by key, over the standard input of the command; the time is from the last
key until the findings about it are there. Beside it stand the answers to requests after that key,
and the processor time of the check alone, which is a part of it. Prints Markdown tables; with
`--write` they go into `tables.md`. Needs the extra `test`. Not a test: nothing here passes or fails.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lsprotocol import types

import widgetschema
from tests.benchmarks.timing import in_tables, say, table, versions
from tests.language_client import Client, talk_to_process
from tests.unit.lsp.opened import create
from widgetschema.lsp.checks import check
from widgetschema.lsp.documents import Document
from widgetschema.lsp.projects import Projects

TYPED = "The sale ends in"
DOCUMENTS = {"an ordinary file": 1, "100 documents": 100, "a list of 5 MB": 2_100}
ROUNDS = {"an ordinary file": 40, "100 documents": 20, "a list of 5 MB": 5}


def main() -> None:
    """All tables."""
    with in_tables("lsp"):
        versions("pygls", "lsprotocol")
        with TemporaryDirectory() as folder:
            (Path(folder) / "widgetschema.toml").write_text('[files]\n"*.json" = "countdown"\n')
            rows = [_row(name, Path(folder)) for name in DOCUMENTS]
        header = ["", "size", "findings: median", "worst", "completion", "hover", "check alone"]
        table("Milliseconds after the last key", header, rows)
        say("An ordinary file is one countdown, indented; *check alone* is processor time.")


def text_of(number: int) -> str:
    """A text of so many documents; one alone is not in a list."""
    countdown = widgetschema.widget_type("countdown")
    documents = [countdown.sample_document("lsp", index) for index in range(number)]
    for one in documents:
        one["data"]["content"] = {"timerTitle": "", **one["data"]["content"]}
        one["data"]["content"]["timerTitle"] = ""
    return json.dumps(documents if number > 1 else documents[0], indent=2)


def _row(name: str, folder: Path) -> list[str]:
    text = text_of(DOCUMENTS[name])
    uri = (folder / "file.json").as_uri()
    line = next(n for n, one in enumerate(text.split("\n")) if '"timerTitle": ""' in one)
    column = text.split("\n")[line].index('""') + 1

    async def work(client: Client) -> dict[str, list[float]]:
        client.begin(uri, text)
        await client.diagnostics(uri)
        times: dict[str, list[float]] = {"findings": [], "completion": [], "hover": []}
        for _ in range(ROUNDS[name]):
            for number, key in enumerate(TYPED):
                place = types.Position(line, column + number)
                version = client.edit(uri, key, types.Range(place, place))
            began = time.perf_counter()
            await client.diagnostics(uri, version)
            times["findings"].append(time.perf_counter() - began)
            for what, method, params in _requests(uri, line, column):
                began = time.perf_counter()
                await client.request(method, params)
                times[what].append(time.perf_counter() - began)
            whole = types.Range(
                types.Position(line, column), types.Position(line, column + len(TYPED))
            )
            await client.diagnostics(uri, client.edit(uri, "", whole))
        return times

    times = talk_to_process(work, folder)
    alone = _processor_time(lambda: _checked(folder, text))
    medians = {what: statistics.median(some) for what, some in times.items()}
    figures = [medians["findings"], max(times["findings"]), medians["completion"]]
    figures += [medians["hover"], alone]
    size = f"{len(text) / 1000:,.0f} kB"
    return [name, size, *(f"{value * 1000:,.1f}" for value in figures)]


def _requests(uri: str, line: int, column: int) -> list[tuple[str, str, Any]]:
    document = types.TextDocumentIdentifier(uri)
    name = types.Position(line, column - 6)
    return [
        ("completion", types.TEXT_DOCUMENT_COMPLETION, types.CompletionParams(document, name)),
        ("hover", types.TEXT_DOCUMENT_HOVER, types.HoverParams(document, name)),
    ]


def _checked(folder: Path, text: str) -> None:
    project = _PROJECTS.of_folder(str(folder))
    check(Document("", str(folder / "file.json"), 1, text), project)


def _processor_time(task: Callable[[], object]) -> float:
    times = []
    for _ in range(7):
        began = time.process_time()
        task()
        times.append(time.process_time() - began)
    return statistics.median(times)


_PROJECTS = Projects(create, {})


if __name__ == "__main__":
    main()

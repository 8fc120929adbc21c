"""Processes that are forked while other threads do the same work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from threading import Event, Thread
from typing import Any, Final

import pytest

import widgetschema
from tests.forking import exit_code_of_fork
from tests.terminal import HANG
from widgetschema import Catalog, WidgetType

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork"),
    pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning"),
]

FORKS: Final = 5  # of a busy process, for each call
SCHEMA: Final = {
    "definitions": {"item": {"type": "object", "properties": {"label": {"maxLength": 5}}}},
    "type": "object",
    "required": ["kind"],
    "properties": {
        "kind": {"enum": ["list", "text"]},
        "count": {"type": "integer", "minimum": 1, "multipleOf": 2},
        "until": {"type": "string", "format": "date"},
        "items": {"type": "array", "items": {"$ref": "#/definitions/item"}},
        "other": {"anyOf": [{"type": "string", "pattern": "^a+$"}, {"type": "boolean"}]},
    },
    "if": {"properties": {"kind": {"const": "list"}}},
    "then": {"required": ["items"]},
}
NEWER: Final = {**SCHEMA, "required": ["kind", "count"]}
INVALID: Final = {"kind": "list", "count": 3, "items": [{"label": "too long"}], "other": "b"}
VALID: Final = {"kind": "text", "count": 2}
DOCUMENT: Final = {"id": 1, "data": INVALID}


def new_type(schema: dict[str, Any] = SCHEMA) -> WidgetType:
    """Return a type of which nothing is computed yet."""
    return WidgetType.from_data_schema(schema, id="faq")


CALLS: Final[dict[str, Callable[[], object]]] = {
    "is_valid": lambda: new_type().is_valid(INVALID),
    "check": lambda: str(new_type().check(INVALID)),
    "check_json": lambda: str(new_type().check_json(json.dumps(INVALID))),
    "check_document": lambda: str(new_type().check_document(DOCUMENT)),
    "check_document_json": lambda: str(new_type().check_document_json(json.dumps(DOCUMENT))),
    "validate": lambda: new_type().validate(VALID),
    "widgetschema.check": lambda: str(widgetschema.check("countdown", {})),
    "python engine": lambda: str(widgetschema.Validator(SCHEMA, engine="python").check(INVALID)),
    "Catalog": lambda: str(Catalog([{"faq": SCHEMA}])["faq"].check(INVALID)),
    "sample": lambda: new_type().sample(),
    "samples": lambda: [*new_type().samples(3)],
    "minimal": lambda: new_type().minimal(),
    "maximal": lambda: new_type().maximal(),
    "coverage": lambda: [*new_type().coverage()],
    "near_misses": lambda: [*new_type().near_misses()],
    "strategy": lambda: new_type().strategy().validate(),
    "render": lambda: str(new_type().form(INVALID).render()),
    "submit": lambda: new_type().form(INVALID).submit({"data.kind": "text"}).valid,
    "compare": lambda: str(new_type().compare(new_type(NEWER))),
    "migration": lambda: str(new_type().migration(new_type(NEWER)).apply(VALID)),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_process_forked_from_a_busy_one_does_the_same(name: str) -> None:
    assert exit_codes_of_forks(CALLS[name]) == [7] * FORKS


@pytest.mark.parametrize("name", ["check", "python engine", "strategy", "submit", "compare"])
def test_a_process_forks_while_its_threads_import_what_they_use(name: str) -> None:
    program = f"from {__name__} import *; print(exit_codes_of_forks(CALLS[{name!r}]))"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True)
    assert done.stdout.decode().strip() == str([7] * FORKS), done.stderr.decode()


def exit_codes_of_forks(call: Callable[[], object]) -> list[int]:
    """Return the exit codes of processes that do what threads of their parent do as well: 7."""
    stopped = Event()

    def work() -> None:
        while not stopped.is_set():
            call()

    def once() -> int:
        call()
        return 7

    threads = [Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        return [exit_code_of_fork(once) for _ in range(FORKS)]
    finally:
        stopped.set()
        for thread in threads:
            thread.join(HANG)

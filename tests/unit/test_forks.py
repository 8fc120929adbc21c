"""A process that forks while another thread imports something, or compiles a template."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Lock, Thread, Timer
from types import SimpleNamespace
from typing import Any

import jinja2
import pytest

from tests.forking import exit_code_of_fork
from tests.terminal import HANG
from widgetschema.forks import is_importing
from widgetschema.templates import Environment

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork"),
    pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning"),
]

PACKAGE = """\
from widgetschema.lazy import attach

__getattr__, __dir__ = attach(__name__)
"""
FORKS = "from tests.unit import test_forks\nEXIT_CODE = test_forks.exit_code_of_fork(lambda: 7)\n"
WAITS = "from tests.unit import test_forks\ntest_forks.STATE.wait()\nNAME = 7\n"
STATE = SimpleNamespace()


@pytest.fixture
def reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """Write modules, of which one waits; return the event that says that it does."""
    (tmp_path / "lazy_names").mkdir()
    (tmp_path / "lazy_names" / "__init__.py").write_text(PACKAGE, encoding="utf-8")
    stub = "from waits import NAME as NAME\nfrom forks_once import EXIT_CODE as EXIT_CODE\n"
    (tmp_path / "lazy_names" / "__init__.pyi").write_text(stub, encoding="utf-8")
    (tmp_path / "waits.py").write_text(WAITS, encoding="utf-8")
    (tmp_path / "forks_once.py").write_text(FORKS, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    reached, STATE.go_on = Event(), Event()

    def wait() -> None:
        reached.set()
        assert STATE.go_on.wait(HANG)

    STATE.wait = wait
    yield reached
    STATE.go_on.set()
    for name in ("lazy_names", "waits", "forks_once"):
        sys.modules.pop(name, None)


def names() -> object:
    return __import__("lazy_names")


def started(work: Callable[[], object]) -> Thread:
    thread = Thread(target=work)
    thread.start()
    return thread


def test_a_fork_waits_for_the_import_of_another_thread(reached: Event) -> None:
    package = names()
    thread = started(lambda: package.NAME)  # type: ignore[attr-defined]
    assert reached.wait(HANG)
    Timer(0.01, STATE.go_on.set).start()

    assert exit_code_of_fork(lambda: vars(package).get("NAME", 1)) == 7
    thread.join(HANG)


def test_a_program_that_runs_while_it_is_imported_imports_nothing_for_the_package(
    reached: Event,
) -> None:
    thread = started(lambda: __import__("waits"))
    assert reached.wait(HANG)

    assert not is_importing(sys._current_frames()[thread.ident or 0])
    STATE.go_on.set()
    thread.join(HANG)


@pytest.mark.usefixtures("reached")
def test_a_module_can_fork_while_it_is_imported() -> None:
    assert names().EXIT_CODE == 7  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["compile", "parse"])
def test_a_fork_waits_for_the_compilation_of_a_template(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    done, lock = getattr(jinja2.Environment, name), Lock()
    reached, go_on = Event(), Event()

    def slowly(*args: Any) -> Any:
        """Do it with a lock, as Jinja2 does for a moment."""
        with lock:
            reached.set()
            assert go_on.wait(HANG)
            return done(*args)

    monkeypatch.setattr(jinja2.Environment, name, slowly)
    work = getattr(Environment(jinja2.DictLoader({})), name)
    thread = started(lambda: work("{{ 7 }}"))
    assert reached.wait(HANG)
    Timer(0.01, go_on.set).start()

    assert exit_code_of_fork(lambda: 7 if work("{{ 7 }}") else 0) == 7
    thread.join(HANG)


def test_a_fork_lets_a_template_be_compiled_that_an_import_waits_for(reached: Event) -> None:
    package = names()
    thread = started(lambda: package.NAME)  # type: ignore[attr-defined]
    assert reached.wait(HANG)

    def compile_and_go_on() -> None:
        Environment(jinja2.DictLoader({})).compile("{{ 7 }}")
        STATE.go_on.set()

    Timer(0.01, compile_and_go_on).start()
    assert exit_code_of_fork(lambda: vars(package).get("NAME", 1)) == 7
    thread.join(HANG)

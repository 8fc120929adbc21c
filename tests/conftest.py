"""Set-up of all tests: nothing of the machine they run on decides about them."""

import gc
import os
import signal
import sys
import tempfile
from collections.abc import Generator
from typing import Final

import pytest
from coverage import Coverage
from hypothesis import HealthCheck, settings

from tests.dealing import dealt

# Plugins, which pytest takes from this file alone: for tests of plugins, the browser, tests that hang.
pytest_plugins = ["pytester", "tests.chromium", "tests.hangs"]

# pytest-cov starts a measurement for a controller in each worker of pytest-xdist, too. It is never
# stopped, so it goes on, and traces each line, while that of the worker pauses for `no_cover`.
if "PYTEST_XDIST_WORKER" in os.environ:
    while (outer := Coverage.current()) is not None:
        outer.stop()

# Many processes are started: what one of them has compiled serves the others.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

_LONG: Final = ("browser", "integration", "properties")  # folders of tests that may take seconds

# These folders run the lines that tests/unit runs, again and again: their coverage is not measured.
_REPEATING: Final = ("browser", "properties")
_MEASURED: Final = {  # but nothing else runs all lines of samples/strategies.py and forms/exports
    "test_export_jsonforms.py",
    "test_export_rjsf.py",
    "test_export_schemas.py",
    "test_exports.py",
    "test_strategies.py",
}

# Caches and tokens are the tests' own, and a workflow that runs them is not what they are about.
for _name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
    os.environ[_name] = tempfile.mkdtemp(prefix="widgetschema-tests-")
for _name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "CI_PROJECT_DIR"):
    os.environ.pop(_name, None)

# The language, the width and the colors of who runs them are not, either; characters stay theirs.
_characters = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_CTYPE", "LANG"))), None)
for _name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG", "COLUMNS", "LINES", "NO_COLOR"):
    os.environ.pop(_name, None)
os.environ.pop("PYTHONUNBUFFERED", None)  # it hides what is lost at the end of a process
for _name in ("FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "PYTHON_COLORS", "PY_COLORS"):
    os.environ.pop(_name, None)
if _characters is not None:
    os.environ["LC_CTYPE"] = _characters

# A proxy leads to packages, not to servers of tests, which are on this machine.
for _name in ("NO_PROXY", "no_proxy"):
    _hosts = filter(None, [os.environ.get(_name), "127.0.0.1", "localhost", "::1"])
    os.environ[_name] = ",".join(_hosts)

# Whoever started the tests may have told them to ignore signals, as shells do in the background;
# what the tests start would ignore them too.
signal.signal(signal.SIGINT, signal.default_int_handler)
for _name in ("SIGHUP", "SIGQUIT", "SIGTERM"):
    if hasattr(signal, _name):
        signal.signal(getattr(signal, _name), signal.SIG_DFL)

# An example may take as long as it takes: the speed of a machine decides nothing.
settings.register_profile(
    "any-speed",
    settings.default,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("any-speed")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect tests without looking for garbage: there is none, and the search takes half the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()  # what was collected stays, and is not searched while tests run
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let each process that runs tests begin with long ones, and measure coverage where it counts."""
    for item in items:
        if item.path.parent.name in _REPEATING and item.path.name not in _MEASURED:
            item.add_marker(pytest.mark.no_cover)
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    items[:] = dealt(
        items, workers, lambda item: item.path if item.path.parent.name in _LONG else None
    )


@pytest.fixture(scope="session", autouse=True)
def default_catalog() -> None:
    """Settle the default catalog of the process, whichever test is the first one to use it."""
    from widgetschema import Catalog  # nothing of the package is loaded before it is measured
    from widgetschema.catalog.store import bundled

    Catalog.default(folder=bundled().folder)

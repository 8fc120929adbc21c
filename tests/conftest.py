"""Set-up of all tests: nothing of the machine they run on decides about them."""

import gc
import os
import signal
import sys
import tempfile
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

from tests.effort import FULL

# Plugins, which pytest takes from this file alone: for tests of plugins, the browser, tests that hang.
pytest_plugins = ["pytester", "tests.chromium", "tests.hangs"]

# Many processes are started: what one of them has compiled serves the others.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

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

# An example may take as long as it takes, and is the same on each day: neither the speed of a machine
# nor chance decides. `--hypothesis-profile=random` looks for what the fixed examples do not show.
settings.register_profile(
    "full",
    deadline=None,
    database=None,
    derandomize=True,
    max_examples=FULL,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("quick", settings.get_profile("full"), max_examples=FULL // 15)
settings.register_profile("random", settings.get_profile("full"), derandomize=False)
settings.load_profile("quick")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect tests without looking for garbage: there is none, and the search takes half the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()  # what was collected stays, and is not searched while tests run
        gc.enable()


@pytest.fixture(scope="session", autouse=True)
def default_catalog() -> None:
    """Settle the default catalog of the process, whichever test is the first one to use it."""
    from widgetschema import Catalog  # nothing of the package is loaded before it is measured
    from widgetschema.catalog.store import bundled

    Catalog.default(folder=bundled().folder)

"""The installation: versions, engines, extras. Read from metadata; only engines are imported."""

from __future__ import annotations

import platform
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from widgetschema.cli.commands.doctor.facts import INSTALLATION, REINSTALL, Fact, install, note
from widgetschema.extensions import EXTENSIONS

# A module whose presence shows that an extra is installed.
_EXTRAS: Final = {
    "formats": "yaml",
    "keyring": "keyring",
    "forms": "jinja2",
    "watch": "watchfiles",
    "markdown": "markdown_it",
    "hypothesis": "hypothesis",
    "python": "jsonschema",
    "pytest": "pytest",
    **{extra: module for one in EXTENSIONS.values() for extra, module in one.extras.items()},
}
# A requirement of this package in its metadata, as all of them are.
_REQUIREMENT: Final = re.compile(
    r"""([\w.-]+)(?:\[[^]]*\])?\s*\(?([^;()]*)\)?(?:\s*;\s*extra\s*==\s*['"]([^'"]+)['"]\s*)?"""
)
_CLAUSE: Final = re.compile(r"\s*(>=|<)\s*([0-9.]+)\s*")


class Installed(NamedTuple):
    """The facts about an installation that the sections are made from."""

    version: str | None
    python: str  # the versions of Python that are required
    requirements: tuple[tuple[str, str, str | None], ...]  # each with the extra that it is of
    version_of: Callable[[str], str | None]
    is_there: Callable[[str], bool]


def find_installed() -> Installed:
    """Return what is installed here according to the metadata; a checkout has none."""
    from importlib.metadata import PackageNotFoundError, metadata, requires
    from importlib.util import find_spec

    def is_there(module: str) -> bool:
        try:
            return find_spec(module) is not None
        except (ImportError, ValueError):  # the module may be None or broken
            return False

    try:
        python = str(metadata("widgetschema").json.get("requires_python", ""))
        lines = requires("widgetschema") or []
    except PackageNotFoundError:
        python, lines = "", []
    return Installed(version_of("widgetschema"), python, parsed(lines), version_of, is_there)


def version_of(name: str) -> str | None:
    """Return the version of a distribution, or None if it is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        # An incomplete uninstallation leaves metadata without a version.
        return version(name) or None
    except (PackageNotFoundError, KeyError):
        return None


def parsed(lines: Iterable[str]) -> tuple[tuple[str, str, str | None], ...]:
    """Return the requirements in metadata: name, versions, extra; not those with other markers."""
    found = filter(None, map(_REQUIREMENT.fullmatch, lines))
    return tuple((match[1], match[2].strip(), match[3]) for match in found)


def fits(version: str, versions: str) -> bool:
    """Return whether a version is one of those required, such as `>=0.28.1,<0.29`."""
    for clause in filter(None, map(_CLAUSE.fullmatch, versions.split(","))):
        have, asked = _release(version), _release(clause[2])
        if (have >= asked) != (clause[1] == ">="):
            return False
    return True


def _release(version: str) -> list[int]:
    numbers = re.match(r"[0-9.]*", version)
    release = [int(part[:9]) for part in (numbers[0] if numbers else "").split(".") if part]
    while release and release[-1] == 0:
        release.pop()
    return release


def versions(installed: Installed) -> Iterator[Fact]:
    """Yield the versions of this package and Python, and required libraries that are wrong."""
    if installed.version is None:
        yield note("widgetschema", "not installed: running from a checkout")
    else:
        yield Fact("widgetschema", installed.version)
    python = platform.python_version()
    where = f"{platform.python_implementation()}, {platform.system()} {platform.machine()}"
    if fits(python, installed.python):
        yield Fact("python", f"{python} ({where})")
    else:
        text = f"{python}; {installed.python} is required ({where})"
        yield Fact("python", text, INSTALLATION, remedy="Use another Python")
    for name, text in _wrong(installed, None):
        yield Fact(name, text, INSTALLATION, remedy=REINSTALL)


def _wrong(installed: Installed, extra: str | None) -> Iterator[tuple[str, str]]:
    """Yield the requirements of an extra, or those without one, that are not met, and why."""
    for name, asked in [(name, asked) for name, asked, of in installed.requirements if of == extra]:
        version = installed.version_of(name)
        if version is None or not fits(version, asked):
            needed = f"; {asked} is required" if asked else ""
            yield name, f"{version or 'not installed'}{needed}"


def engines(chosen: str | None, origin: str) -> Iterator[Fact]:
    """Yield the engine that decides, and what is wrong; `chosen` and `origin` are the setting."""
    from widgetschema.errors import EngineUnavailable
    from widgetschema.validation import Validator

    working: list[str] = []
    for name in ("rust", "python"):
        try:
            engine = Validator({"type": "object", "required": ["a"]}, engine=name)
            if engine.is_valid({"a": 1}) and not engine.is_valid({}):
                working.append(name)
                continue
            text = "gives wrong results"
        except EngineUnavailable as error:
            text = f"not available: {error.reason}"
            # The second is an extra; without the first, every check takes much longer.
            if name == "python":
                yield note(name, text)
                continue
        yield Fact(name, text, INSTALLATION, remedy=REINSTALL)
    if chosen is not None and chosen not in working:
        remedy = f"Install the engine: {install('python')}" if chosen == "python" else REINSTALL
        text = f"{chosen} is selected ({origin}), but not available"
        yield Fact("decides", text, INSTALLATION, remedy=remedy)
    elif not working:
        yield Fact("decides", "none: no data can be checked", INSTALLATION, remedy=REINSTALL)
    else:
        yield Fact("decides", working[0] if chosen is None else f"{chosen} ({origin})")


def extras(installed: Installed) -> Iterator[Fact]:
    """Yield which extras are installed, and how to install others. None of them is imported."""
    there = [extra for extra, module in _EXTRAS.items() if installed.is_there(module)]
    if there:
        yield Fact("installed", ", ".join(there))
    for extra in there:
        wrong = [f"{name} {text}" for name, text in _wrong(installed, extra)]
        if wrong:
            yield note(extra, f"{', '.join(wrong)}; to install it: {install(extra)}")
    others = [extra for extra in _EXTRAS if extra not in there]
    if others:
        yield note("others", f"not installed: {', '.join(others)}: {install('NAME')}")

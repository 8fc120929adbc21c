"""The installation: versions, engines, extras. Read from metadata; only engines are imported."""

from __future__ import annotations

import platform
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from widgetschema.cli.commands.doctor.facts import INSTALLATION, REINSTALL, Fact, install, note

VersionOf = Callable[[str], str | None]
IsThere = Callable[[str], bool]

# Libraries that the metadata of an old editable installation may lack; any version is fine then.
_LIBRARIES: Final = (
    "anyio",
    "click",
    "filelock",
    "httpx",
    "jsonschema-rs",
    "msgspec",
    "orjson",
    "platformdirs",
    "referencing",
)
# The modules whose presence shows that an extra is installed.
_EXTRAS: Final = {
    "formats": ("yaml",),
    "keyring": ("keyring",),
    "forms": ("jinja2",),
    "editor": ("jinja2", "starlette", "uvicorn", "python_multipart"),
    "audit": ("fsspec", "jinja2"),
    "arrow": ("pyarrow",),
    "postgresql": ("psycopg",),
    "cluster": ("distributed",),
    "sandbox": ("starlette", "uvicorn"),
    "watch": ("watchfiles",),
    "lsp": ("pygls",),
    "mcp": ("mcp",),
    "markdown": ("markdown_it",),
    "hypothesis": ("hypothesis",),
    "python": ("jsonschema", "regex"),
    "pytest": ("pytest",),
}
# Distributions of modules that have another name.
_DISTRIBUTIONS: Final = {"yaml": "pyyaml", "markdown_it": "markdown-it-py"}
_REQUIREMENT: Final = re.compile(
    r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*\(?([^;()]*)\)?\s*(?:;(.*))?"
)
_EXTRA: Final = re.compile(r"\s*extra\s*==\s*[\"']([^\"']+)[\"']\s*")
_CLAUSE: Final = re.compile(r"\s*(~=|==|!=|<=|>=|<|>)\s*v?([0-9]+(?:\.[0-9]+)*)(\.\*)?[^,]*")
_RELEASE: Final = re.compile(r"v?(?:[0-9]+!)?([0-9]+(?:\.[0-9]+)*)")


class Requirement(NamedTuple):
    """A requirement of a package; `extra` is None if it does not depend on one."""

    name: str
    versions: str
    extra: str | None = None


class Installed(NamedTuple):
    """The facts about an installation that the sections are made from."""

    version: str | None
    python: str
    requirements: tuple[Requirement, ...]
    version_of: VersionOf
    is_there: IsThere


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
    version = version_of("widgetschema")
    return Installed(version, python, parsed(lines), version_of, is_there)


def version_of(name: str) -> str | None:
    """Return the version of a distribution, or None if it is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        # An incomplete uninstallation leaves metadata without a version.
        return version(name) or None
    except (PackageNotFoundError, KeyError):
        return None


def parsed(lines: Sequence[str]) -> tuple[Requirement, ...]:
    """Return the requirements in metadata, without those for other machines and Pythons.

    This parses the part of the grammar that our requirements use; all of it takes a library.
    """
    found = []
    for line in lines:
        match = _REQUIREMENT.fullmatch(line)
        if match is None:
            continue
        extra = None
        if match[3] is not None:
            marker = _EXTRA.fullmatch(match[3])
            if marker is None:
                continue
            extra = marker[1]
        name = re.sub(r"[-_.]+", "-", match[1]).lower()
        found.append(Requirement(name, match[2].strip(), extra))
    return tuple(found)


def fits(version: str, versions: str) -> bool:
    """Return whether a version is one of those required, such as `>=0.28.1,<0.29`.

    Only the numbers of the release count; an unknown clause requires nothing.
    """
    return all(_meets(version, clause) for clause in versions.split(",") if clause.strip())


def _meets(version: str, clause: str) -> bool:
    match, release = _CLAUSE.fullmatch(clause), _RELEASE.match(version)
    if match is None or release is None:
        return True
    length = max(release[1].count("."), match[2].count(".")) + 1
    have, asked = _numbers(release[1], length), _numbers(match[2], length)
    operator, parts = match[1], match[2].count(".") + 1
    if match[3]:
        have, asked = have[:parts], asked[:parts]
    if operator == "~=":
        return have >= asked and have[: parts - 1] == asked[: parts - 1]
    return {
        "==": have == asked,
        "!=": have != asked,
        "<=": have <= asked,
        ">=": have >= asked,
        "<": have < asked,
        ">": have > asked,
    }[operator]


def _numbers(release: str, length: int) -> tuple[int, ...]:
    numbers = [int(part[:9]) for part in release.split(".")]
    return (*numbers, *([0] * (length - len(numbers))))


def versions(installed: Installed) -> Iterator[Fact]:
    """Yield the versions of this package, Python, and the required libraries."""
    if installed.version is None:
        yield note("widgetschema", "not installed: running from a checkout")
    else:
        yield Fact("widgetschema", installed.version)
    python = platform.python_version()
    where = f"{platform.python_implementation()}, {platform.system()} {platform.machine()}"
    yield _library("python", python, installed.python, f" ({where})")
    asked = {one.name: one.versions for one in installed.requirements if one.extra is None}
    for name in sorted({*asked, *_LIBRARIES}):
        yield _library(name, installed.version_of(name), asked.get(name, ""))


def _library(name: str, version: str | None, asked: str, more: str = "") -> Fact:
    if version is None:
        needed = f"; {asked} is required" if asked else ""
        return Fact(name, f"not installed{needed}", INSTALLATION, remedy=REINSTALL)
    if not fits(version, asked):
        text = f"{version}; {asked} is required{more}"
        remedy = "Use another Python" if name == "python" else REINSTALL
        return Fact(name, text, INSTALLATION, remedy=remedy)
    return Fact(name, f"{version}{more}")


def engines(chosen: str | None, origin: str) -> Iterator[Fact]:
    """Yield which engines work and which one is used; `chosen` and `origin` are the setting."""
    from widgetschema.errors import EngineUnavailable
    from widgetschema.validation import Validator

    decides: str | None = None
    facts: list[Fact] = []
    for name in ("rust", "python"):
        try:
            engine = Validator({"type": "object", "required": ["a"]}, engine=name)
            works = engine.is_valid({"a": 1}) and not engine.is_valid({})
        except EngineUnavailable as error:
            text = f"not available: {error.reason}"
            # The second is an extra; without the first, every check takes much longer.
            if name == "python":
                facts.append(note(name, text))
            else:
                facts.append(Fact(name, text, INSTALLATION, remedy=REINSTALL))
            continue
        if not works:
            facts.append(Fact(name, "gives wrong results", INSTALLATION, remedy=REINSTALL))
            continue
        facts.append(Fact(name, "works"))
        if decides is None or chosen == name:
            decides = name
    yield from facts
    if chosen is not None and decides != chosen:
        remedy = f"Install the engine: {install('python')}" if chosen == "python" else REINSTALL
        text = f"{chosen} is selected ({origin}), but not available"
        yield Fact("decides", text, INSTALLATION, remedy=remedy)
    elif decides is None:
        yield Fact("decides", "none: no data can be checked", INSTALLATION, remedy=REINSTALL)
    else:
        yield Fact("decides", decides if chosen is None else f"{decides} ({origin})")


def extras(installed: Installed) -> Iterator[Fact]:
    """Yield which extras are installed. None of them is imported."""
    for extra, modules in _EXTRAS.items():
        if not all(installed.is_there(module) for module in modules):
            yield note(extra, f"not installed; to install it: {install(extra)}")
            continue
        asked = [one for one in installed.requirements if one.extra == extra]
        old = [
            f"{one.name} is {version}; {one.versions} is required"
            for one in asked
            if (version := installed.version_of(one.name)) and not fits(version, one.versions)
        ]
        missing = [
            f"{one.name} is missing" for one in asked if installed.version_of(one.name) is None
        ]
        if old or missing:
            yield note(extra, f"{'; '.join([*old, *missing])}; to install it: {install(extra)}")
            continue
        names = [_DISTRIBUTIONS.get(module, module) for module in modules]
        shown = [f"{name} {installed.version_of(name) or ''}".strip() for name in names]
        yield Fact(extra, ", ".join(shown))

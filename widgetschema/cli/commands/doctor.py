"""`widgetschema doctor`: diagnoses the installation and the project.

A section that cannot be examined hides no other. Nothing is imported at once that may be missing,
not even our own JSON writer.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from widgetschema.cli.console.output import style_for, usage_error, write_output
from widgetschema.cli.declared import option
from widgetschema.cli.options import (
    ConfigurationOptions,
    color_option,
    format_option,
    profile_option,
)
from widgetschema.errors import (
    ConfigurationError,
    EngineUnavailable,
    LoginRequired,
    MissingExtra,
    WidgetSchemaError,
)
from widgetschema.project.checking.results import reason
from widgetschema.project.config import Configuration, Configurations, load
from widgetschema.project.config.paths import relative_path
from widgetschema.project.config.rules import address_fault, redact_users
from widgetschema.reporters.style import Style, columns
from widgetschema.text import plural, printable, shorten

if TYPE_CHECKING:
    from widgetschema.catalog.catalog import Catalog
    from widgetschema.platform.auth.tokens import Tokens
    from widgetschema.platform.secret import Secret

_INSTALLATION, _CONFIGURATION, _SCHEMAS, _ACCESS = 2, 2, 4, 5  # exit codes; the highest counts
_REINSTALL: Final = (
    "Repair the installation: python -m pip install --upgrade --force-reinstall widgetschema"
)
_INSTALL: Final = "python -m pip install 'widgetschema[{}]'"
_MARKS: Final = {"ok": ("ok", "hint"), "note": ("--", None), "trouble": ("!!", "mark")}
_MOST: Final = 5  # facts of one kind that are shown
_LONGEST: Final = 400  # characters of a fact
_REQUIREMENT: Final = re.compile(r"([\w.-]+)[^;]*")  # not those of extras, or of some versions


class DoctorOptions(ConfigurationOptions):
    """The options of the command."""

    output_format: str = format_option
    offline: bool = option("--offline", help="Do not use the network.")
    base_url: str | None = option(
        "--base-url",
        metavar="URL",
        help="Check whether this platform responds. Default: the configured platform, or else "
        "that of the only login.",
    )
    profile: str | None = profile_option
    color: str = color_option


class Fact(NamedTuple):
    """One fact: its subject, and a text of one line.

    `code` is the exit code of a problem, else 0; `is_note` says that something is absent that need
    not be there. `remedy` is a sentence with a command that changes it.
    """

    name: str
    text: str
    code: int = 0
    remedy: str | None = None
    is_note: bool = False

    @property
    def state(self) -> str:
        """The state: `ok`, `note` or `trouble`."""
        return "trouble" if self.code else "note" if self.is_note else "ok"


@dataclass
class _Examined:
    """The valid part of a configuration, the facts about the rest, and the platform that is used.

    `secrets` are removed from whatever is printed.
    """

    options: DoctorOptions
    settings: Configuration
    problems: list[Fact]
    address: str | None = None
    secrets: list[Secret] = field(default_factory=list, repr=False)

    def catalog(self) -> Catalog:
        """Return the types of the project, of which none is fetched. Raises `StoreError`."""
        from widgetschema.cli.common import catalog_for

        return catalog_for(replace(self.settings, fetch=None))


@DoctorOptions.command("doctor")
def command(options: DoctorOptions) -> int:
    """Diagnose the installation and the project: what works, what does not, and what to do next.

    One request without a token is sent to the platform, to see whether it responds, if you are
    logged in to it or name it with --base-url. No part of a token or a secret is shown. Exit code 0
    if nothing is wrong; otherwise 2 for installation and configuration, 4 for schemas, 5 for tokens
    and network: the highest that applies.
    """
    fault = None if options.base_url is None else address_fault(options.base_url)
    if fault is not None:
        raise usage_error(f"--base-url: {fault[0]}")
    examined = _load(options)
    facts = {name: _gathered(examined, *section) for name, section in _SECTIONS.items()}
    tidy = _tidy(examined.secrets)
    sections = {
        name: [
            one._replace(text=tidy(one.text), remedy=one.remedy and tidy(one.remedy))
            for one in found
        ]
        for name, found in facts.items()
    }
    is_json = options.output_format == "json"
    style = style_for(options.color, to_file=False)
    code = write_output(_json(sections) if is_json else _text(sections, style))
    return max(code, *(fact.code for found in sections.values() for fact in found))


def _load(options: DoctorOptions) -> _Examined:
    """Load the configuration; leave out the file, the environment or both if they are invalid."""
    problems: list[Fact] = []
    directory = os.sep
    try:
        directory = os.getcwd()
    except OSError as error:
        remedy = "Change to an existing folder (cd), then run: widgetschema doctor"
        text = f"there is no working directory: {error.strerror}"
        problems.append(Fact("directory", text, _CONFIGURATION, remedy))
    file, environ = options.config, dict(os.environ)
    use_file = not options.no_config and (not problems or file is not None)
    for _ in range(3):  # as it is, without what is invalid first, and without both
        try:
            settings = load(directory, environ, file=file if use_file else None, use_file=use_file)
            return _Examined(options, settings, problems)
        except ConfigurationError as error:
            of = error.report.subject
            if of == "environment":
                environ, remedy = {}, "Fix the environment: widgetschema config"
            else:
                named = "" if file is None else f" --config {shlex.quote(file)}"
                use_file, remedy = False, f"Fix {of}: widgetschema config{named}"
            for one in error.report:
                place = "" if one.line is None else f":{one.line}:{one.column}"
                hint = "" if one.hint is None else f" ({one.hint})"
                text = f"{of}{place}: {one.message}{hint}"
                problems.append(Fact("problem", text, _CONFIGURATION, remedy))
    raise AssertionError("an empty configuration is valid")


def _gathered(
    examined: _Examined, find: Callable[[_Examined], Iterator[Fact]], code: int, remedy: str
) -> list[Fact]:
    """Return the facts that `find` yields; an exception becomes the last one, with a code."""
    facts: list[Fact] = []
    try:
        for fact in find(examined):
            facts.append(fact)  # noqa: PERF402 - those before an exception count
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # an engine may panic
        facts.append(_failure(error, code, remedy))
    return facts


def _failure(error: BaseException, code: int, remedy: str) -> Fact:
    """Return the fact of an exception; the text of an unexpected one may contain anything."""
    if isinstance(error, MissingExtra):
        return Fact("problem", str(error), code, f"Install it: {_INSTALL.format(error.extra)}")
    if isinstance(error, ImportError):
        text = f"{error.name or 'a library'} cannot be imported"
        return Fact("problem", text, _INSTALLATION, _REINSTALL)
    text = f"cannot be examined ({type(error).__name__})"
    if isinstance(error, WidgetSchemaError | click.UsageError):
        text = str(error)
    elif isinstance(error, OSError):
        text = f"{'' if error.filename is None else f'{error.filename}: '}{reason(error)}"
    return Fact("problem", text, code, remedy)


def _some(facts: Sequence[Fact]) -> Iterator[Fact]:
    """Yield the first facts of one kind, and how many more there are."""
    yield from facts[:_MOST]
    if len(facts) > _MOST:
        yield facts[_MOST]._replace(text=f"and {len(facts) - _MOST:,} more")


def _installation(examined: _Examined) -> Iterator[Fact]:
    """Yield the versions, the libraries that are missing, and the engine."""
    from importlib.metadata import PackageNotFoundError, requires, version

    from widgetschema.validation import Validator

    lines: list[str] = []
    try:
        yield Fact("widgetschema", version("widgetschema"))
        lines = requires("widgetschema") or []
    except PackageNotFoundError:
        yield Fact("widgetschema", "not installed: running from a checkout", is_note=True)
    system = f"{platform.python_implementation()}, {platform.system()} {platform.machine()}"
    yield Fact("python", f"{platform.python_version()} ({system})")
    for match in filter(None, map(_REQUIREMENT.fullmatch, lines)):
        try:
            version(match[1])
        except PackageNotFoundError:
            yield Fact(match[1], "not installed", _INSTALLATION, _REINSTALL)
    chosen, origin = examined.settings.engine, examined.settings.origins["engine"]
    try:
        Validator({"type": "object"}, engine=chosen or "rust").is_valid({})
        yield Fact("engine", "rust" if chosen is None else f"{chosen} ({origin})")
    except EngineUnavailable as error:  # without the first, every check takes much longer
        how = f"Install the engine: {_INSTALL.format(chosen)}" if chosen == "python" else _REINSTALL
        yield Fact("engine", f"{error} ({origin})", _INSTALLATION, how)


def _configuration(examined: _Examined) -> Iterator[Fact]:
    """Yield the configuration file and its problems; `widgetschema config` shows the settings."""
    settings = examined.settings
    if settings.file is not None:
        yield Fact("file", relative_path(settings.file, settings.directory))
    elif not examined.problems:
        text = "none: --no-config" if examined.options.no_config else "none here or above"
        yield Fact("file", text, is_note=True)
    yield from _some(examined.problems)
    if examined.problems:
        yield Fact("instead", "the following ignores the invalid configuration", is_note=True)
    if settings.unfilled_reasons is not None:
        yield Fact("ignores", settings.unfilled_reasons, is_note=True)


def _schemas(examined: _Examined) -> Iterator[Fact]:
    """Yield the folders of schemas, and which schemas cannot be verified or linked."""
    from widgetschema.catalog.store import is_pinned

    settings, remedy = examined.settings, "Fix the schemas: widgetschema types"
    for folder in settings.schema_folders:
        shown = relative_path(folder, settings.directory)
        yield Fact("folder", f"{shown}  ({settings.origins['schemas']})")
        if not is_pinned(folder):
            pin = f"widgetschema types --schemas {shlex.quote(shown)} --pin"
            text = f"none, so changes are not detected: {pin}"
            yield Fact("manifest", text, is_note=True)
    catalog = examined.catalog()
    problems, lints, number = list[Fact](), list[Fact](), 0
    for id in catalog.ids():
        try:
            widget_type = catalog[id]
        except EngineUnavailable as error:
            yield Fact("types", f"cannot be checked: {error}", _INSTALLATION, _REINSTALL)
            return
        except (WidgetSchemaError, OSError) as error:
            problems.append(Fact("problem", f"{id}: {error}", _SCHEMAS, remedy))
            continue
        number += 1
        for lint in (*filter(None, [widget_type.unclear]), *widget_type.lints):
            lints.append(Fact("lint", f"{id}: {lint}", remedy=remedy, is_note=True))
    yield Fact("types", f"{plural(number, 'type')}, verified and linked")
    yield from _some(problems)
    yield from _some(lints)


def _files(examined: _Examined) -> Iterator[Fact]:
    """Yield the mapped files, types without a schema, and a broken baseline."""
    from widgetschema.project.checking.baseline import Baseline
    from widgetschema.project.inputs.project_files import mapped_files
    from widgetschema.suggest import did_you_mean

    settings = examined.settings
    number = 0
    with suppress(OSError):  # the working directory is gone, which is reported
        number = len(mapped_files(Configurations(settings, os.environ)))
    if number:
        yield Fact("mapped", plural(number, "file"))
    elif settings.has_mapping:
        text = "no file matches the patterns of the configuration"
        remedy = "Correct the file patterns in the configuration: widgetschema config"
        yield Fact("mapped", text, remedy=remedy, is_note=True)
    else:
        remedy = "Map files to types, and add the check to CI: widgetschema init"
        yield Fact("mapped", "the configuration maps no files", remedy=remedy, is_note=True)
    named = dict.fromkeys([*settings.files.values(), *settings.types])
    if named and settings.fetch is None:  # else they may come from the platform
        with suppress(WidgetSchemaError):  # reported with the schemas
            known = examined.catalog().ids()
            for id in [id for id in named if id not in known][:_MOST]:
                meant = did_you_mean(id, known)
                text = f"the configuration names {id!r}, which has no schema{meant}"
                remedy = "Correct the type in the configuration: widgetschema config"
                yield Fact("type", text, _CONFIGURATION, remedy)
    if os.path.lexists(settings.baseline):
        try:
            Baseline.load(settings.baseline)
        except WidgetSchemaError as error:
            remedy = "Repair the baseline, or rewrite it: widgetschema validate --write-baseline"
            yield Fact("baseline", str(error), _CONFIGURATION, remedy)


def _tokens(examined: _Examined) -> Iterator[Fact]:
    """Yield where tokens are, how old they are, and which of them a command would use."""
    from widgetschema.cli.commands.status import (
        access_token_text,
        login_summary,
        read_logins,
        refresh_token_text,
    )
    from widgetschema.cli.common import connected, token_file
    from widgetschema.platform.connection import Settings, overriding
    from widgetschema.platform.fetcher import cache_root

    options = examined.options
    own = Settings.from_environment(os.environ).with_profile(options.profile)
    file, variables = token_file(options.profile), overriding(os.environ, options.profile)
    logins, problems = read_logins(file)
    holders: list[Settings | Tokens] = [own, *(tokens for tokens, _ in logins)]
    for holder in holders:
        every = (holder.access_token, holder.refresh_token, holder.client_secret)
        examined.secrets += [secret for secret in every if secret is not None]
    if variables:
        yield Fact("environment", f"overrides the stored tokens: {', '.join(variables)}")
    protect = f"Protect the tokens: chmod -R go= {shlex.quote(os.path.dirname(file.path))}"
    elsewhere = f"Log in: {file.login_command()} --storage file"  # if the keyring cannot be read
    yield from (Fact("problem", text, _ACCESS, protect) for text in file.problems())
    yield from _some([Fact("problem", text, _ACCESS, elsewhere) for text in problems])
    facts = []
    for tokens, where in logins:
        login = login_summary(tokens, where, time.time())
        access, refresh = access_token_text(login), refresh_token_text(login)
        text = f"{tokens.base_url}: access token {access}; refresh token {refresh}; in {where}"
        is_useless = (login["left"] or 1) <= 0 and not login["has_refresh_token"]
        log_in = f"Log in: {file.login_command(tokens.base_url)}"
        facts.append(Fact("login", text, *((_ACCESS, log_in) if is_useless else ())))
    yield from _some(facts)
    yield Fact("cache", f"schemas of platforms are in {cache_root()}")
    if not (logins or problems or variables or examined.settings.base_url):
        yield Fact("login", f"none ({file.path})", is_note=True)
    if problems or not (logins or variables or examined.settings.base_url):
        return
    try:
        with connected(examined.settings, options.profile) as client:  # sends nothing yet
            examined.address = client.base_url
            yield Fact("used", f"those for {client.base_url}")
    except LoginRequired as error:
        yield Fact("used", error.reason, _ACCESS, error.advice[0].upper() + error.advice[1:])
    except click.UsageError as error:  # about an address or a variable, whose value is not repeated
        is_choice = len(logins) > 1 and not variables
        yield Fact("used", error.message, 0 if is_choice else _ACCESS, is_note=is_choice)


def _network(examined: _Examined) -> Iterator[Fact]:
    """Yield whether the network may be used, and whether the platform responds.

    The configuration file of somebody else's repository may name any address: only a platform is
    asked that the user has tokens for, or names.
    """
    from widgetschema.cli.common import is_offline
    from widgetschema.errors import Unreachable, UnusableResponse
    from widgetschema.platform.endpoints import parse_address, proxy_for
    from widgetschema.platform.reachability import probe

    address = examined.options.base_url or examined.address
    if examined.options.offline or is_offline():
        yield Fact("network", "not used: --offline or WIDGETSCHEMA_OFFLINE", is_note=True)
    elif address is None:
        text = "not asked: you are not logged in; --base-url URL contacts a platform"
        yield Fact("platform", text, is_note=True)
    else:
        yield Fact("platform", address)
        remedy = "Check the network and the address of the platform: widgetschema doctor"
        try:
            proxy = proxy_for(parse_address(address, "the address"))
            if proxy is not None:
                yield Fact("proxy", proxy)
            status = probe(address)
            more = "; the platform itself has a problem" if status >= 500 else ""
            yield Fact("response", f"responds (HTTP {status}){more}", is_note=status >= 500)
        except UnusableResponse as error:
            yield Fact("response", error.reason, is_note=True)
        except Unreachable as error:
            yield Fact("response", f"no response: {error.reason}", _ACCESS, remedy)
        except ValueError as error:
            yield Fact("response", str(error), _ACCESS, remedy)


# In the order in which problems matter; the code and the remedy are for what stops a section.
_SECTIONS: Final[Mapping[str, tuple[Callable[[_Examined], Iterator[Fact]], int, str]]] = {
    "installation": (_installation, _INSTALLATION, _REINSTALL),
    "configuration": (_configuration, _CONFIGURATION, "See: widgetschema config"),
    "schemas": (_schemas, _SCHEMAS, "Fix the schemas: widgetschema types"),
    "files": (_files, _CONFIGURATION, "See: widgetschema config"),
    "tokens": (_tokens, _ACCESS, "See: widgetschema status"),
    "network": (_network, _ACCESS, "See: widgetschema doctor -v"),
}


def _next_step(sections: Mapping[str, Sequence[Fact]]) -> str:
    """Return the one thing to do next: an error comes before advice, and then what comes first."""
    facts = [fact for found in sections.values() for fact in found if fact.remedy is not None]
    for fact in sorted(facts, key=lambda fact: not fact.code):
        return str(fact.remedy)
    return "No problems found. Check your data: widgetschema validate"


def _tidy(secrets: Sequence[Secret]) -> Callable[[str], str]:
    """Return a function that prepares text for display: one line, no secrets, `~` for home.

    Nothing here puts a secret into a text. But secrets get into the wrong settings, and errors
    repeat what is wrong.
    """
    scrub: Callable[[str], str] = str
    if secrets:
        from widgetschema.platform.client.redaction import Secrets

        scrub = Secrets(secrets).scrub
    home = os.path.expanduser("~").rstrip(os.sep)
    # Not within quotes, where a shell would not expand it.
    at_home = re.compile(rf"(?<![\w.~/\\'-]){re.escape(home)}(?=[/\\]|$)") if home else None

    def tidy(text: str) -> str:
        lines = [" ".join(line.split(" ")).strip() for line in text.splitlines()]
        line = redact_users(scrub("; ".join(filter(None, lines))))
        line = printable(line if at_home is None else at_home.sub("~", line))
        return shorten(line, _LONGEST)

    return tidy


def _json(sections: Mapping[str, Sequence[Fact]]) -> str:
    """Return a JSON object; its member names are part of the contract."""
    facts = {
        name: [{"name": one.name, "state": one.state, "text": one.text} for one in found]
        for name, found in sections.items()
    }
    value = {"version": 1, "sections": facts, "next": _next_step(sections)}
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _text(sections: Mapping[str, Sequence[Fact]], style: Style) -> str:
    """Return one line per fact, in columns; the marks differ without color, too."""
    first = max(map(columns, sections))
    second = max(columns(fact.name) for found in sections.values() for fact in found)
    lines = []
    for section, found in sections.items():
        for index, fact in enumerate(found):
            mark, role = _MARKS[fact.state]
            name = "" if index else section
            lines.append(
                f"{style('where', name)}{' ' * (first - columns(name))}  "
                f"{mark if role is None else style(role, mark)}  "
                f"{fact.name}{' ' * (second - columns(fact.name))}  {fact.text}"
            )
    return "".join(f"{line}\n" for line in [*lines, "", f"Next: {_next_step(sections)}"])

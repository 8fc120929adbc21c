"""`widgetschema doctor`: diagnoses the installation and the project.

Each section is gathered by itself, so that a broken one hides no other: `installation` (versions,
engines, extras), `project` (configuration, schemas, files) and `access` (tokens, network). Nothing
is imported here that may be missing, not even our own JSON writer.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from widgetschema.cli.commands.doctor import access, facts, installation, project
from widgetschema.cli.commands.doctor.facts import Fact, Section, gather, note, tidied
from widgetschema.cli.console.output import Output, style_for, usage_error
from widgetschema.cli.options import (
    color_option,
    configuration_options,
    format_option,
    profile_option,
)
from widgetschema.project.config.rules import address_fault, redact_users
from widgetschema.reporters.style import Style, columns, plain
from widgetschema.text import printable, shorten

if TYPE_CHECKING:
    from widgetschema.platform.reachability import Reachability
    from widgetschema.platform.secret import Secret

_MARKS: Final = {"ok": ("ok", "hint"), "note": ("--", "plain"), "trouble": ("!!", "mark")}
_TIMEOUT: Final = 10.0  # seconds for a section that hangs
_LONGEST: Final = 400  # characters of a fact


class DoctorOptions(NamedTuple):
    """The options of the command."""

    config: str | None = None
    no_config: bool = False
    base_url: str | None = None
    profile: str | None = None
    offline: bool = False


@click.command("doctor")
@format_option
@click.option("--offline", is_flag=True, help="Do not use the network.")
@click.option(
    "--base-url",
    metavar="URL",
    help="Ask this platform whether it responds. Default: the configured platform, or else that "
    "of the only login.",
)
@profile_option
@color_option
@configuration_options
def command(output_format: str, color: str, **options: Any) -> int:
    """Diagnose the installation and the project: what works, what does not, and what to do next.

    One request without a token is sent to the platform, to see whether it responds, if you are
    logged in to it or name it with --base-url. No part of a token or a secret is shown. Exit code 0
    if nothing is wrong; otherwise 2 for installation and configuration, 4 for schemas, 5 for tokens
    and network: the highest that applies.
    """
    asked = DoctorOptions(**options)
    if asked.config is not None and asked.no_config:
        raise click.UsageError("--config and --no-config cannot be combined.")
    fault = None if asked.base_url is None else address_fault(asked.base_url)
    if fault is not None:
        raise usage_error(f"--base-url: {fault[0]}")
    sections = examine(asked, os.environ)
    output = Output(None)
    if output_format == "json":
        output.write(_json(sections))
    else:
        output.write(_text(sections, style_for(color, to_file=False)))
    return max(output.close(), facts.exit_code(sections))


def examine(
    options: DoctorOptions,
    environ: Mapping[str, str],
    *,
    installed: installation.Installed | None = None,
    timeout: float = _TIMEOUT,
) -> list[Section]:
    """Return all sections, ready to be displayed, in the order in which their problems matter.

    `installed` is the installation, by default this one; `timeout` is in seconds, for each section.
    """
    projects: list[project.Project] = []

    def configuration() -> Iterator[Fact]:
        found = project.load_project(environ, file=options.config, use_file=not options.no_config)
        projects.append(found)
        yield from project.configuration(found, use_file=not options.no_config)

    section = partial(gather, seconds=timeout)
    remedy = "Fix the configuration: widgetschema config"
    configured = section("configuration", configuration, code=facts.CONFIGURATION, remedy=remedy)
    found = projects[0] if projects else None
    context = access.AccessContext(
        None if found is None else found.configuration,
        environ,
        options.base_url,
        options.profile,
        options.offline,
        time.time,
        timeout / 2,
    )
    sections = [
        *_installation(installed, found, section),
        configured,
        *_project(found, section, timeout),
        *_access(context, section, timeout),
    ]
    tidy = _tidy(context.secrets)
    return [tidied(one, tidy) for one in sections]


def _installation(
    installed: installation.Installed | None,
    found: project.Project | None,
    section: Callable[..., Section],
) -> Iterator[Section]:
    def known() -> installation.Installed:
        return installation.find_installed() if installed is None else installed

    chosen, origin = None, ""
    if found is not None:
        chosen = found.configuration.engine
        origin = str(found.configuration.origins["engine"])
    section = partial(section, code=facts.INSTALLATION, remedy=facts.REINSTALL)
    yield section("versions", lambda: installation.versions(known()))
    yield section("engines", lambda: installation.engines(chosen, origin))
    yield section("extras", lambda: installation.extras(known()))


def _project(
    found: project.Project | None, section: Callable[..., Section], timeout: float
) -> Iterator[Section]:
    if found is None:
        for name in ("schemas", "files"):
            yield Section(name, (note("unknown", "requires a configuration"),))
        return
    remedy = "Check the schemas: widgetschema types"
    yield section(
        "schemas", lambda: project.schemas(found, timeout), code=facts.SCHEMAS, remedy=remedy
    )
    remedy = "Check the configuration: widgetschema config"
    yield section("files", lambda: project.files(found), code=facts.CONFIGURATION, remedy=remedy)


def _access(
    context: access.AccessContext, section: Callable[..., Section], timeout: float
) -> Iterator[Section]:
    def ask(address: str) -> Reachability:
        from widgetschema.platform.reachability import check_reachability

        return check_reachability(address, timeout=timeout / 2)

    section = partial(section, code=facts.ACCESS)
    remedy = "Check the tokens: widgetschema status"
    yield section("tokens", lambda: access.tokens(context), remedy=remedy)
    yield section("network", lambda: access.network(context, ask))


def _tidy(secrets: Iterable[Secret]) -> Callable[[str], str]:
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


def _json(sections: Iterable[Section]) -> str:
    """Return a JSON object; its member names are part of the contract."""
    sections = list(sections)
    value = {
        "version": 1,
        "sections": {
            section.name: [
                {"name": fact.name, "state": fact.state, "text": fact.text}
                for fact in section.facts
            ]
            for section in sections
        },
        "next": facts.next_step(sections),
    }
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _text(sections: Iterable[Section], style: Style = plain) -> str:
    """Return one line per fact, in columns; the marks differ without color, too."""
    sections = list(sections)
    first = max(columns(section.name) for section in sections)
    second = max(columns(fact.name) for section in sections for fact in section.facts)
    lines = []
    for section in sections:
        for index, fact in enumerate(section.facts):
            mark, role = _MARKS[fact.state]
            name = "" if index else section.name
            lines.append(
                f"{style('where', name)}{' ' * (first - columns(name))}  "
                f"{mark if role == 'plain' else style(role, mark)}  "
                f"{fact.name}{' ' * (second - columns(fact.name))}  {fact.text}"
            )
    return "".join(f"{line}\n" for line in [*lines, "", f"Next: {facts.next_step(sections)}"])

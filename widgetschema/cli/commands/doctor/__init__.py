"""`widgetschema doctor`: diagnoses the installation and the project.

Each section is gathered by itself, so that a broken one hides no other: `installation` (versions,
engines, extras), `project` (configuration, schemas, files) and `access` (tokens, network). Nothing
is imported here that may be missing, not even our own JSON writer.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from widgetschema.cli.commands.doctor import access, facts, installation, project
from widgetschema.cli.commands.doctor.facts import Fact, Section, gather, note
from widgetschema.cli.console.output import Output, style_for, usage_error
from widgetschema.cli.declared import option
from widgetschema.cli.options import (
    ConfigurationOptions,
    color_option,
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
_TIMEOUT: Final = 5.0  # seconds for the platform to respond
_LONGEST: Final = 400  # characters of a fact


class DoctorOptions(ConfigurationOptions):
    """The options of the command."""

    output_format: str = format_option
    offline: bool = option("--offline", is_flag=True, help="Do not use the network.")
    base_url: str | None = option(
        "--base-url",
        metavar="URL",
        help="Ask this platform whether it responds. Default: the configured platform, or else "
        "that of the only login.",
    )
    profile: str | None = profile_option
    color: str = color_option


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
    sections = examine(options, os.environ)
    output = Output(None)
    if options.output_format == "json":
        output.write(_json(sections))
    else:
        output.write(_text(sections, style_for(options.color, to_file=False)))
    code = max((fact.code for section in sections for fact in section.facts), default=0)
    return max(output.close(), code)


def examine(
    options: DoctorOptions,
    environ: Mapping[str, str],
    *,
    installed: installation.Installed | None = None,
) -> list[Section]:
    """Return all sections, ready to be displayed, in the order in which their problems matter.

    `installed` is the installation, by default this one.
    """
    use_file = not options.no_config
    projects: list[project.Project] = []

    def configuration() -> Iterator[Fact]:
        projects.append(project.load_project(environ, file=options.config, use_file=use_file))
        yield from project.configuration(projects[0], use_file=use_file)

    remedy = "Fix the configuration: widgetschema config"
    configured = gather("configuration", configuration, facts.CONFIGURATION, remedy)
    found = projects[0] if projects else None
    settings = None if found is None else found.configuration
    chosen = None if settings is None else settings.engine
    origin = "" if settings is None else str(settings.origins["engine"])
    context = access.AccessContext(
        settings, environ, options.base_url, options.profile, options.offline
    )

    def of_installation(
        name: str, find: Callable[[installation.Installed], Iterator[Fact]]
    ) -> Section:
        def find_here() -> Iterator[Fact]:
            yield from find(installation.find_installed() if installed is None else installed)

        return gather(name, find_here, facts.INSTALLATION, facts.REINSTALL)

    def of_project(
        name: str, find: Callable[[project.Project], Iterator[Fact]], code: int, remedy: str
    ) -> Section:
        if found is None:
            return Section(name, (note("unknown", "requires a configuration"),))
        return gather(name, lambda: find(found), code, remedy)

    sections = [
        of_installation("versions", installation.versions),
        of_installation("engines", lambda _: installation.engines(chosen, origin)),
        of_installation("extras", installation.extras),
        configured,
        of_project("schemas", project.schemas, facts.SCHEMAS, "See: widgetschema types"),
        of_project("files", project.files, facts.CONFIGURATION, remedy),
        gather("tokens", lambda: access.tokens(context), facts.ACCESS, "See: widgetschema status"),
        gather("network", lambda: access.network(context, _ask), facts.ACCESS),
    ]
    tidy = _tidy(context.secrets)
    return [Section(one.name, (*(_tidied(fact, tidy) for fact in one.facts),)) for one in sections]


def _ask(address: str) -> Reachability:
    from widgetschema.platform.reachability import check_reachability

    return check_reachability(address, timeout=_TIMEOUT)


def _tidied(fact: Fact, tidy: Callable[[str], str]) -> Fact:
    remedy = None if fact.remedy is None else tidy(fact.remedy)
    return fact._replace(name=tidy(fact.name), text=tidy(fact.text), remedy=remedy)


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

"""`widgetschema doctor`: what is there, what is wrong, and the one thing to do next.

Whatever is broken, the rest is told: each section is gathered by itself. So nothing is imported
here that may be missing, not even what writes JSON elsewhere.
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

from widgetschema.cli.commands.examining import access, facts, installation, project
from widgetschema.cli.commands.examining.facts import Fact, Section, gather, note, tidied
from widgetschema.cli.console.output import Output, style_for
from widgetschema.cli.options import color_option, configuration_options, format_option
from widgetschema.project.config.rules import address_fault, redact_users
from widgetschema.reporters.style import Style, columns, plain
from widgetschema.text import printable, shorten

if TYPE_CHECKING:
    from widgetschema.platform.reachability import Reachability
    from widgetschema.platform.secret import Secret

_MARKS: Final = {"ok": ("ok", "hint"), "note": ("--", "plain"), "trouble": ("!!", "mark")}
_PATIENCE: Final = 10.0  # seconds that a section may take
_LONGEST: Final = 400  # characters of a fact


class Wishes(NamedTuple):
    """What was asked for on the command line."""

    config: str | None = None
    no_config: bool = False
    base_url: str | None = None
    offline: bool = False


@click.command("doctor")
@format_option
@click.option("--offline", is_flag=True, help="Ask nobody: the network is not used.")
@click.option(
    "--base-url",
    metavar="URL",
    help="The platform that is asked whether it answers. Default: the one that is configured, "
    "then the one that was logged in to.",
)
@color_option
@configuration_options
def command(output_format: str, color: str, **options: Any) -> int:
    """Say what is installed, configured and reachable, what is wrong, and what to do next.

    To see whether the platform answers, its address is asked once, without any token. No part of
    a token or a secret is shown. Exit code 0 if nothing is wrong; else 2 for installation and
    configuration, 4 for schemas, 5 for tokens and network: the highest that applies.
    """
    wishes = Wishes(**options)
    if wishes.config is not None and wishes.no_config:
        raise click.UsageError("--config and --no-config do not go together.")
    fault = None if wishes.base_url is None else address_fault(wishes.base_url)
    if fault is not None:
        raise click.UsageError(f"--base-url: {fault[0]}")
    sections = examine(wishes, os.environ)
    output = Output(None)
    if output_format == "json":
        output.write(_json(sections))
    else:
        output.write(_text(sections, style_for(color, to_file=False)))
    return max(output.close(), facts.exit_code(sections))


def examine(
    wishes: Wishes,
    environ: Mapping[str, str],
    *,
    of: installation.Installed | None = None,
    patience: float = _PATIENCE,
) -> list[Section]:
    """All sections, in the order in which their troubles matter, fit to be shown.

    `of` is the installation, by default this one; `patience` the seconds that each may take.
    """
    settled: list[project.Project] = []

    def configuration() -> Iterator[Fact]:
        found = project.settled(environ, file=wishes.config, use_file=not wishes.no_config)
        settled.append(found)
        yield from project.configuration(found, use_file=not wishes.no_config)

    look = partial(gather, seconds=patience)
    remedy = "Mend the configuration: widgetschema config"
    configured = look("configuration", configuration, code=facts.CONFIGURATION, remedy=remedy)
    mine = settled[0] if settled else None
    asked = access.Access(
        None if mine is None else mine.configuration,
        environ,
        wishes.base_url,
        wishes.offline,
        time.time,
        patience / 2,
    )
    sections = [
        *_installation(of, mine, look),
        configured,
        *_project(mine, look, patience),
        *_access(asked, look, patience),
    ]
    tidy = _tidy(asked.seen)
    return [tidied(section, tidy) for section in sections]


def _installation(
    of: installation.Installed | None, mine: project.Project | None, look: Callable[..., Section]
) -> Iterator[Section]:
    def known() -> installation.Installed:
        return installation.installed() if of is None else of

    chosen, origin = None, ""
    if mine is not None:
        chosen = mine.configuration.engine
        origin = str(mine.configuration.origins["engine"])
    look = partial(look, code=facts.INSTALLATION, remedy=facts.REINSTALL)
    yield look("versions", lambda: installation.versions(known()))
    yield look("engines", lambda: installation.engines(chosen, origin))
    yield look("extras", lambda: installation.extras(known()))


def _project(
    mine: project.Project | None, look: Callable[..., Section], patience: float
) -> Iterator[Section]:
    if mine is None:
        for name in ("schemas", "files"):
            yield Section(name, (note("unknown", "this takes a configuration"),))
        return
    remedy = "Look at the schemas: widgetschema types"
    yield look(
        "schemas", lambda: project.schemas(mine, patience), code=facts.SCHEMAS, remedy=remedy
    )
    remedy = "Look at the configuration: widgetschema config"
    yield look("files", lambda: project.files(mine), code=facts.CONFIGURATION, remedy=remedy)


def _access(
    asked: access.Access, look: Callable[..., Section], patience: float
) -> Iterator[Section]:
    def ask(address: str) -> Reachability:
        from widgetschema.platform.reachability import check_reachability

        return check_reachability(address, timeout=patience / 2)

    look = partial(look, code=facts.ACCESS)
    remedy = "Look at the tokens: widgetschema status"
    yield look("tokens", lambda: access.tokens(asked), remedy=remedy)
    yield look("network", lambda: access.network(asked, ask))


def _tidy(seen: Iterable[Secret]) -> Callable[[str], str]:
    """What makes a text fit to be shown: one line, no secrets, and `~` for the home folder.

    Nothing here puts a secret into a text. But people put secrets where none belong, and errors
    repeat what is wrong.
    """
    scrub: Callable[[str], str] = str
    if seen:
        from widgetschema.platform.client.redaction import Secrets

        scrub = Secrets(seen).scrub
    home = os.path.expanduser("~").rstrip(os.sep)
    # Not within quotes, where a shell would not take it for the home folder.
    at_home = re.compile(rf"(?<![\w.~/\\'-]){re.escape(home)}(?=[/\\]|$)") if home else None

    def tidy(text: str) -> str:
        lines = [" ".join(line.split(" ")).strip() for line in text.splitlines()]
        line = redact_users(scrub("; ".join(filter(None, lines))))
        line = printable(line if at_home is None else at_home.sub("~", line))
        return shorten(line, _LONGEST)

    return tidy


def _json(sections: Iterable[Section]) -> str:
    """A JSON object; its member names are part of the contract."""
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
    """One line per fact, in columns; the marks do not take colours to be told apart."""
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

"""Access to the platform: tokens and network. No part of a token is shown."""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from widgetschema.cli.commands.doctor.facts import ACCESS, Fact, gather, note
from widgetschema.errors import LoginRequired, TokenStorageError

if TYPE_CHECKING:
    from widgetschema.platform.auth.token_file import TokenFile
    from widgetschema.platform.auth.tokens import Tokens
    from widgetschema.platform.connection import Settings
    from widgetschema.platform.reachability import Reachability
    from widgetschema.platform.secret import Secret
    from widgetschema.project.config import Configuration

_MOST: Final = 5  # logins shown
_LOOK_AGAIN: Final = "then run: widgetschema doctor"
_UNLOCK: Final = "Unlock the keyring, or store tokens in a file: widgetschema login --storage file"


class Address(NamedTuple):
    """The address of the platform and its origin; None if it is unknown or ambiguous.

    `from_file` says that it comes from a configuration file, which anybody may have written.
    """

    url: str | None
    origin: str = ""
    from_file: bool = False


@dataclass(frozen=True)
class AccessContext:
    """The settings, address and environment that decide about access to the platform.

    `secrets` collects the secrets that were read, so that they can be removed from whatever is
    printed.
    """

    settings: Configuration | None
    environ: Mapping[str, str] = field(repr=False)
    base_url: str | None
    profile: str | None
    offline: bool
    secrets: list[Secret] = field(default_factory=list, repr=False)

    def token_file(self) -> TokenFile:
        """Return the file of tokens. Raises `TokenStorageError` for an unusable profile."""
        from widgetschema.platform.auth.token_file import TokenFile

        return TokenFile(profile=self.profile)

    def may_ask(self, address: Address, file: TokenFile) -> bool:
        """Return whether the user chose a platform: by the option, a login or tokens.

        The configuration file of somebody else's repository may name any address. Raises
        `TokenStorageError`.
        """
        from widgetschema.platform.connection import Settings
        from widgetschema.platform.endpoints import parse_address

        if address.url is None or self.base_url is not None:
            return address.url is not None
        own = Settings.from_environment(self.environ).with_profile(self.profile)
        if not address.from_file and (own.access_token or own.refresh_token):
            return True
        return str(parse_address(address.url, "base_url", insecure=True)) in file.base_urls()

    def address(self, file: TokenFile) -> Address:
        """Return the address of the platform. Raises `TokenStorageError`."""
        if self.base_url is not None:
            return Address(self.base_url, "option (--base-url)")
        if self.settings is not None and self.settings.base_url is not None:
            origin = str(self.settings.origins["base-url"])
            from_file = not self.environ.get("WIDGETSCHEMA_BASE_URL", "").strip()
            return Address(self.settings.base_url, origin, from_file)
        known = file.base_urls()
        return Address(known[0], "logged in to") if len(known) == 1 else Address(None)


def tokens(context: AccessContext) -> Iterator[Fact]:
    """Yield where tokens are, how old they are, and which of them a command would use."""
    from widgetschema.platform.connection import Settings, overriding
    from widgetschema.platform.fetcher import cache_root

    settings = Settings.from_environment(context.environ).with_profile(context.profile)
    context.secrets.extend(_secrets(settings))
    variables = overriding(context.environ, context.profile)
    if variables:
        yield Fact("environment", f"overrides the stored tokens: {', '.join(variables)}")
    file = context.token_file()
    for problem in file.problems():
        folder = shlex.quote(os.path.dirname(file.path))
        remedy = f"Protect the tokens from other users: chmod -R go= {folder}"
        yield Fact("problem", problem, ACCESS, remedy=remedy)
    try:
        addresses = file.base_urls()
    except TokenStorageError as error:
        yield Fact("problem", str(error), ACCESS, remedy=_log_in(file))
        return
    has_problem = False
    for address in addresses[:_MOST]:
        remedy = _UNLOCK if file.kept_in(address) == "keyring" else _log_in(file)
        for fact in gather("login", partial(_login, context, file, address), ACCESS, remedy).facts:
            has_problem = has_problem or bool(fact.code)
            yield fact
    if len(addresses) > _MOST:
        yield note("login", f"and {len(addresses) - _MOST:,} more")
    if not has_problem:
        yield from _tokens_in_use(context, file, settings)
    yield Fact("cache", f"schemas of platforms are in {cache_root()}")


def _login(context: AccessContext, file: TokenFile, address: str) -> Iterator[Fact]:
    """Yield one login, as `widgetschema status` shows it, without names of people."""
    from widgetschema.cli.commands.status import (
        access_token_text,
        login_summary,
        refresh_token_text,
    )
    from widgetschema.platform.connection import storage_for

    storage = storage_for(file, address)
    kept, where = storage.load(), storage.describe()
    if kept is None:
        text = f"{address}: the tokens are missing from {where}"
        yield Fact("login", text, ACCESS, remedy=_log_in(file))
        return
    context.secrets.extend(_secrets(kept))
    login = login_summary(kept, where, time.time())
    access, refresh = access_token_text(login), refresh_token_text(login)
    text = f"{address}: access token {access}; refresh token {refresh}; in {where}"
    expired = login["left"] is not None and login["left"] <= 0
    is_useless = expired and not login["has_refresh_token"]
    yield Fact("login", text, ACCESS, remedy=_log_in(file)) if is_useless else Fact("login", text)


def _log_in(file: TokenFile) -> str:
    from widgetschema.platform.connection import login_command

    return f"Log in: {login_command(file)}"


def _secrets(of: Tokens | Settings) -> list[Secret]:
    every = (of.access_token, of.refresh_token, of.client_secret)
    return [secret for secret in every if secret is not None]


def _tokens_in_use(context: AccessContext, file: TokenFile, settings: Settings) -> Iterator[Fact]:
    """Yield which tokens a command would use now; nothing is sent."""
    from widgetschema.platform.connection import Settings, connection_for

    address = context.address(file)
    has_tokens = bool(settings.access_token or settings.refresh_token or settings.base_url)
    if address.url is None and not has_tokens:
        is_ambiguous = bool(file.base_urls())
        choose = "there are several logins: choose one with --base-url"
        yield note("used", choose) if is_ambiguous else note("login", f"none ({file.path})")
        return
    given = context.base_url
    if address.from_file:  # which gets no tokens of the environment
        given, settings = address.url, Settings(profile=settings.profile)
    try:
        found = connection_for(given, None, settings, file=file)
    except LoginRequired as error:
        yield Fact("used", error.reason, ACCESS, remedy=_log_in(file))
    except ValueError as error:  # about an address or a variable, whose value it does not repeat
        remedy = f"Correct WIDGETSCHEMA_… or --base-url, {_LOOK_AGAIN}"
        yield Fact("used", str(error), ACCESS, remedy=remedy)
    else:
        yield Fact("used", f"those in {found.storage.describe()}, for {found.base_url}")


def network(context: AccessContext, ask: Callable[[str], Reachability]) -> Iterator[Fact]:
    """Yield whether the network may be used, and whether the platform responds."""
    from widgetschema.platform.connection import is_offline

    is_disabled = is_offline(context.environ)
    if is_disabled or context.offline:
        why = "disabled: WIDGETSCHEMA_OFFLINE is set" if is_disabled else "not used: --offline"
        yield note("network", why)
    may_ask = False
    try:
        file = context.token_file()
        address = context.address(file)
        may_ask = context.may_ask(address, file)
    except TokenStorageError:  # reported with the tokens
        address = Address(None)
    if address.url is None:
        yield note("platform", "address unknown or ambiguous: not asked")
        return
    yield Fact("platform", f"{address.url}  ({address.origin})")
    if is_disabled or context.offline:
        return
    if not may_ask:
        yield note("response", "not contacted: you are not logged in; --base-url URL contacts it")
        return
    remedy = f"Check the network and the address of the platform, {_LOOK_AGAIN}"
    try:
        reached = ask(address.url)
    except ValueError as error:
        yield Fact("response", str(error), ACCESS, remedy=remedy)
        return
    if reached.status is None:
        yield Fact("response", f"no response: {reached.reason}", ACCESS, remedy=remedy)
        return
    way = "" if reached.proxy is None else f", through the proxy {reached.proxy}"
    more = "" if reached.reason is None else f"; {reached.reason}"
    is_broken = reached.status >= 500
    more += "; the platform itself has a problem" if is_broken else ""
    text = f"responds (HTTP {reached.status} after {reached.seconds:.2f} s{way}){more}"
    yield Fact("response", text, note=is_broken or reached.reason is not None)

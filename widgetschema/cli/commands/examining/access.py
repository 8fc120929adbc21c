"""What the platform takes: tokens, and a network that leads to it. No part of a token is told."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from widgetschema.cli.commands.examining.facts import ACCESS, LOOK_AGAIN, Fact, gather, note
from widgetschema.errors import LoginRequired, TokenStorageError
from widgetschema.text import plural

if TYPE_CHECKING:
    from widgetschema.platform.auth.token_file import TokenFile
    from widgetschema.platform.auth.tokens import Tokens
    from widgetschema.platform.connection import Settings
    from widgetschema.platform.reachability import Reachability
    from widgetschema.platform.secret import Secret
    from widgetschema.project.config import Configuration

_MOST: Final = 5  # logins that are shown
_LOG_IN: Final = "Log in: widgetschema login"
_UNLOCK: Final = "Unlock the keyring, or keep tokens in a file: widgetschema login --storage file"


class Address(NamedTuple):
    """An address and who says so; None if nobody does, or several.

    `from_file`: a configuration file says so, which anybody may have written.
    """

    url: str | None
    origin: str = ""
    from_file: bool = False


@dataclass(frozen=True)
class Access:
    """What is asked about the platform: by which settings, address and environment.

    `seconds` is how long a keyring may take. `seen` collects the secrets that were met, so that
    whatever is printed can be searched for them.
    """

    settings: Configuration | None
    environ: Mapping[str, str] = field(repr=False)
    base_url: str | None
    offline: bool
    now: Callable[[], float]
    seconds: float
    seen: list[Secret] = field(default_factory=list, repr=False)
    accounts: dict[tuple[str, str], str] = field(default_factory=dict, repr=False)

    def address(self, file: TokenFile) -> Address:
        """The platform's address. Raises `TokenStorageError`."""
        if self.base_url is not None:
            return Address(self.base_url, "option (--base-url)")
        if self.settings is not None and self.settings.base_url is not None:
            origin = str(self.settings.origins["base-url"])
            from_file = not self.environ.get("WIDGETSCHEMA_BASE_URL", "").strip()
            return Address(self.settings.base_url, origin, from_file)
        known = file.base_urls()
        return Address(known[0], "logged in to") if len(known) == 1 else Address(None)


def tokens(access: Access) -> Iterator[Fact]:
    """Where tokens are, how old, and whether they are for the platform that is meant."""
    from widgetschema.platform.auth.token_file import TokenFile
    from widgetschema.platform.connection import PREFIX, VARIABLES, Settings

    settings = Settings.from_environment(access.environ)
    access.seen.extend(_secrets(settings))
    variables = [f"{PREFIX}{one}" for one in VARIABLES if access.environ.get(f"{PREFIX}{one}")]
    if variables:
        yield Fact("environment", f"wins over what is kept: {', '.join(variables)}")
    file = TokenFile()
    for problem in file.problems():
        folder = shlex.quote(os.path.dirname(file.path))
        remedy = f"Keep the tokens from others: chmod -R go= {folder}"
        yield Fact("problem", problem, ACCESS, remedy=remedy)
    try:
        addresses = file.base_urls()
    except TokenStorageError as error:
        yield Fact("problem", str(error), ACCESS, remedy=_LOG_IN)
        return
    troubles = False
    for address in addresses[:_MOST]:
        in_keyring = file.kept_in(address) == "keyring"
        late = f"{address}: the keyring does not answer; perhaps it waits to be unlocked"
        for fact in gather(
            "login",
            partial(_kept, access, file, address),
            code=ACCESS,
            seconds=access.seconds,
            remedy=_UNLOCK if in_keyring else _LOG_IN,
            late=late if in_keyring else None,
        ).facts:
            troubles = troubles or bool(fact.code)
            yield fact
    if len(addresses) > _MOST:
        yield note("login", f"and {len(addresses) - _MOST:,} more")
    if not troubles:
        yield from _used(access, file, settings)
    yield from _cached(access)


def _kept(access: Access, file: TokenFile, address: str) -> Iterator[Fact]:
    """One login, as `widgetschema status` tells of it; without the names of people."""
    from widgetschema.platform.connection import storage_for

    storage = storage_for(file, address)
    kept = storage.load()
    if kept is None:
        text = f"{address}: its tokens are gone from {storage.describe()}"
        yield Fact("login", text, ACCESS, remedy=_LOG_IN)
        return
    access.seen.extend(_secrets(kept))
    access.accounts[address, kept.account] = "for this login"
    yield _told(kept, address, storage.describe(), access.now())


def _secrets(of: Tokens | Settings) -> list[Secret]:
    every = (of.access_token, of.refresh_token, of.client_secret)
    return [secret for secret in every if secret is not None]


def _told(kept: Tokens, address: str, where: str, now: float) -> Fact:
    from widgetschema.cli.commands.status import described, expiry, refresh

    login = described(kept, where, now)
    text = f"{address}: access token {expiry(login)}; refresh token {refresh(login)}; in {where}"
    expired = login["left"] is not None and login["left"] <= 0
    if expired and not login["has_refresh_token"]:
        return Fact("login", text, ACCESS, remedy=_LOG_IN)
    return Fact("login", text)


def _used(access: Access, file: TokenFile, settings: Settings) -> Iterator[Fact]:
    """Which tokens a command would use now; nothing is sent."""
    from widgetschema.platform.connection import Settings, connection_for

    address = access.address(file)
    has_tokens = bool(settings.access_token or settings.refresh_token or settings.base_url)
    if address.url is None and not has_tokens:
        known = file.base_urls()
        if known:
            yield note("used", "there are several logins: choose with --base-url")
        else:
            yield note("login", f"none ({file.path})")
        return
    given = access.base_url
    if address.from_file:  # tokens of the environment are not for that
        given, settings = address.url, Settings()
    try:
        found = connection_for(given, None, settings, file=file)
    except LoginRequired as error:
        yield Fact("used", error.reason, ACCESS, remedy=_LOG_IN)
    except ValueError as error:  # about an address or a variable, which it does not repeat
        remedy = f"Correct that (WIDGETSCHEMA_…, or --base-url), {LOOK_AGAIN}"
        yield Fact("used", str(error), ACCESS, remedy=remedy)
    else:
        access.accounts.setdefault((found.base_url, found.account), "for the token in use")
        yield Fact("used", f"those in {found.storage.describe()}, for {found.base_url}")


def _cached(access: Access) -> Iterator[Fact]:
    """The schemas that are kept of platforms: where, how many, and for whom."""
    from widgetschema.platform.fetcher import cache_folder, cache_root, find_caches

    root = cache_root()
    whose = {cache_folder(root, *account): text for account, text in access.accounts.items()}
    found = find_caches(root)
    if not found:
        yield note("cached", f"no schemas ({root})")
    for one in found[:_MOST]:
        who = whose.get(one.folder, "for another login or token; remove the folder if it is over")
        platform = one.platform or "no platform"
        yield Fact("cached", f"{plural(one.number, 'schema')} of {platform}, {who} ({one.folder})")
    if len(found) > _MOST:
        yield note("cached", f"and {len(found) - _MOST:,} more folders ({root})")


# Network


def network(access: Access, ask: Callable[[str], Reachability]) -> Iterator[Fact]:
    """Whether the network may be used, and whether the platform's address answers."""
    from widgetschema.platform.auth.token_file import TokenFile
    from widgetschema.platform.connection import is_offline

    offline = None
    if is_offline(access.environ):
        offline = "must not be used: WIDGETSCHEMA_OFFLINE is set"
    elif access.offline:
        offline = "nothing is asked: --offline"
    yield Fact("network", "may be used") if offline is None else note("network", offline)
    try:
        address = access.address(TokenFile())
    except TokenStorageError:  # said of the tokens already
        address = Address(None)
    if address.url is None:
        yield note("platform", "no address is known, or more than one: nothing is asked")
        return
    yield Fact("platform", f"{address.url}  ({address.origin})")
    if offline is None:
        yield _answer(address.url, ask)


def _answer(address: str, ask: Callable[[str], Reachability]) -> Fact:
    remedy = f"Check the network and the address of the platform, {LOOK_AGAIN}"
    try:
        reached = ask(address)
    except ValueError as error:
        return Fact("answer", str(error), ACCESS, remedy=remedy)
    if reached.status is None:
        return Fact("answer", f"none: {reached.reason}", ACCESS, remedy=remedy)
    way = "" if reached.proxy is None else f", by way of the proxy {reached.proxy}"
    more = "" if reached.reason is None else f"; {reached.reason}"
    text = f"it answers (HTTP {reached.status} after {reached.seconds:.2f} s{way}){more}"
    if reached.status >= 500:
        return note("answer", f"{text}; it has a problem of its own")
    return Fact("answer", text) if reached.reason is None else note("answer", text)

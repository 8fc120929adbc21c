"""Environment variables, kept tokens and arguments: which platform, and with whose tokens.

`connect` makes a client of them. The network is not touched here.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from widgetschema.errors import LoginRequired
from widgetschema.platform.auth.auth import TokenAuth
from widgetschema.platform.auth.storage import (
    FileStorage,
    KeyringStorage,
    MemoryStorage,
    TokenStorage,
)
from widgetschema.platform.auth.token_file import TokenFile
from widgetschema.platform.auth.tokens import Tokens, fits_form
from widgetschema.platform.endpoints import parse_address
from widgetschema.platform.secret import Secret
from widgetschema.platform.variables import PREFIX, VARIABLES

if TYPE_CHECKING:
    from widgetschema.platform.client.client import AsyncClient, Client

AnyClient = TypeVar("AnyClient", "Client", "AsyncClient")
_TOKENS: Final = ("ACCESS_TOKEN", "REFRESH_TOKEN")


@dataclass(frozen=True, slots=True)
class Settings:
    """The environment variables of the platform; None for one that is unset or empty."""

    access_token: Secret | None = None
    refresh_token: Secret | None = None
    client_id: str | None = None
    client_secret: Secret | None = None
    base_url: str | None = None
    auth_url: str | None = None
    profile: str = ""
    unusable: str | None = None  # the variable that holds what cannot be sent at all

    @classmethod
    def from_environment(cls, environ: Mapping[str, str]) -> Settings:
        """Read the variables `WIDGETSCHEMA_…`. Nothing is refused yet: see `check`."""
        return cls(
            access_token=_secret(environ, "ACCESS_TOKEN"),
            refresh_token=_secret(environ, "REFRESH_TOKEN"),
            client_id=_text(environ, "CLIENT_ID"),
            client_secret=_secret(environ, "CLIENT_SECRET"),
            base_url=_text(environ, "BASE_URL"),
            auth_url=_text(environ, "AUTH_URL"),
            profile=_text(environ, "PROFILE") or "",
            unusable=next((name for name in VARIABLES if not _is_usable(environ, name)), None),
        )

    def with_profile(self, profile: str | None) -> Settings:
        """Return the settings for a stored login, for which tokens of the environment are not used.

        None leaves that to the environment.
        """
        if profile is None:
            return self
        return replace(self, profile=profile, access_token=None, refresh_token=None)

    def check(self) -> None:
        """Raise `ValueError`, without the text, if a variable cannot be used.

        Not done while reading: a traceback could show the environment, with all that is in it.
        """
        if self.unusable is not None:
            raise ValueError(
                f"{PREFIX}{self.unusable} has characters that cannot be sent: set it again"
            )


@dataclass(frozen=True, slots=True)
class Connection:
    """All that a client needs: where the platform is, and whose tokens are used.

    `client_id` and `client_secret` are those of the environment, which win over kept ones.
    """

    base_url: str
    auth_url: str | None
    account: str
    storage: TokenStorage
    advice: str  # how to get other tokens
    client_id: str | None = None
    client_secret: Secret | None = None

    def client(self, kind: type[AnyClient], options: Mapping[str, Any]) -> AnyClient:
        """Return a client, with further arguments, whose tokens are renewed."""
        auth = TokenAuth(
            self.storage,
            base_url=self.base_url,
            client_id=self.client_id,
            client_secret=self.client_secret,
            advice=self.advice,
        )
        made = kind(
            self.base_url, auth_url=self.auth_url, auth=auth, account=self.account, **options
        )
        auth.use(made)
        return made


def overriding(environ: Mapping[str, str], profile: str | None) -> list[str]:
    """Return the variables that are set and override what is stored.

    With a `profile` that is given, tokens of the environment are not used.
    """
    names = [name for name in VARIABLES if name != "PROFILE"]
    if profile is not None:
        names = [name for name in names if name not in _TOKENS]
    return [variable for name in names if environ.get(variable := f"{PREFIX}{name}")]


def connect(
    *,
    base_url: str | None = None,
    auth_url: str | None = None,
    profile: str | None = None,
    environ: Mapping[str, str] | None = None,
    storage: TokenStorage | None = None,
    file: TokenFile | None = None,
    **options: Any,
) -> Client:
    """Return a client, from arguments, environment variables and stored tokens, in this order.

    The platform is `base_url`, else WIDGETSCHEMA_BASE_URL, else the one that is logged in to, if it
    is the only one. Tokens are taken from the environment, else from the storage of that platform,
    and are sent to no other one.

    Args:
        base_url: The platform's address, version segment included.
        auth_url: The address that `/oauth/token` is below.
        profile: The name of a stored login, in place of WIDGETSCHEMA_PROFILE; tokens of the
            environment are then not used.
        environ: The environment variables; by default `os.environ`.
        storage: The tokens, in place of those of the environment and of `file`.
        file: The file of tokens; by default the user's.
        **options: Further arguments of `Client`: `transport`, `timeout` and so on.

    Returns:
        A client that renews its tokens. Nothing has been sent yet.

    Raises:
        LoginRequired: If no platform or no token is known; it says what to do.
        TokenStorageError: If stored tokens cannot be read.
        MissingExtra: If tokens are in the keyring, and the library keyring is not installed.
        ValueError: For an unusable address, profile or environment variable.
    """
    from widgetschema.platform.client.client import Client

    settings = _settings(environ, profile)
    environ = None  # a traceback would show it, with all that is in it
    connection = connection_for(base_url, auth_url, settings, storage=storage, file=file)
    return connection.client(Client, options)


def aconnect(
    *,
    base_url: str | None = None,
    auth_url: str | None = None,
    profile: str | None = None,
    environ: Mapping[str, str] | None = None,
    storage: TokenStorage | None = None,
    file: TokenFile | None = None,
    **options: Any,
) -> AsyncClient:
    """Return an asynchronous client; see `connect`, which has the same arguments and errors.

    It is no coroutine: a small file is read, or the keyring is asked, which may take long. In a
    coroutine, use `await asyncio.to_thread(aconnect)`. What the client does later does not block:
    requests are made in the event loop, tokens are loaded, locked and saved in threads.
    """
    from widgetschema.platform.client.client import AsyncClient

    settings = _settings(environ, profile)
    environ = None  # a traceback would show it, with all that is in it
    connection = connection_for(base_url, auth_url, settings, storage=storage, file=file)
    return connection.client(AsyncClient, options)


def _settings(environ: Mapping[str, str] | None, profile: str | None) -> Settings:
    settings = Settings.from_environment(os.environ if environ is None else environ)
    return settings.with_profile(profile)


def connection_for(
    base_url: str | None = None,
    auth_url: str | None = None,
    settings: Settings = Settings(),
    *,
    storage: TokenStorage | None = None,
    file: TokenFile | None = None,
) -> Connection:
    """Choose the platform and the tokens.

    - The platform: the argument, else `WIDGETSCHEMA_BASE_URL`, else the one that was logged in
      to, if it is only one.
    - The tokens: those of the environment, all of them or none: a kept refresh token does not
      belong to an access token of the environment. They are for `WIDGETSCHEMA_BASE_URL`, and
      for no other address if that is set; without it, for the one that is given as argument.
    - Else the kept ones of that platform; a client id and secret of the environment win over
      those that are kept with them.
    - The token endpoint: the argument, else `WIDGETSCHEMA_AUTH_URL` (if it goes with this
      platform), else the kept one. Kept tokens are not sent to another than the kept one.
    """
    settings.check()
    named = _address(settings.base_url, f"{PREFIX}BASE_URL")
    given = _address(base_url, "base_url")
    auth_given = _address(auth_url, "auth_url")
    goes_with = given is None or named is None or given == named
    if goes_with and auth_given is None:
        auth_given = _address(settings.auth_url, f"{PREFIX}AUTH_URL")
    if storage is None and goes_with and (settings.access_token or settings.refresh_token):
        return _environment_connection(settings, given or named, auth_given)
    file = file or TokenFile(profile=settings.profile)
    chosen = given or named or _only_login(file)
    storage = storage or storage_for(file, chosen)
    advice = f"log in with: {file.login_command(given)}"
    tokens = storage.load()
    if tokens is None:
        raise LoginRequired(f"there are no tokens for {chosen} in {storage.describe()}", advice)
    _check_issuer(tokens, chosen, auth_given, advice)
    return Connection(
        chosen,
        tokens.auth_url or auth_given,
        tokens.account,
        storage,
        advice,
        settings.client_id if goes_with else None,
        settings.client_secret if goes_with else None,
    )


def storage_for(file: TokenFile, base_url: str) -> TokenStorage:
    """Return the storage for the tokens of a platform. Raises `MissingExtra`."""
    if file.kept_in(base_url) == "keyring":
        return KeyringStorage(file, base_url)
    return FileStorage(file, base_url)


def _environment_connection(
    settings: Settings, base_url: str | None, auth_url: str | None
) -> Connection:
    set_here = [(_TOKENS[0], settings.access_token), (_TOKENS[1], settings.refresh_token)]
    names = " and ".join(f"{PREFIX}{name}" for name, token in set_here if token)
    if base_url is None:
        raise LoginRequired(
            f"there is a token in the environment, but no {PREFIX}BASE_URL says for which "
            "platform it is",
            f"set it, or unset {names}",
        )
    if settings.access_token is None:
        needed = {
            f"{PREFIX}CLIENT_ID": settings.client_id,
            f"{PREFIX}CLIENT_SECRET": settings.client_secret,
            f"{PREFIX}AUTH_URL": auth_url,
        }
        missing = ", ".join(name for name, value in needed.items() if value is None)
        if missing:
            raise LoginRequired(
                f"{PREFIX}REFRESH_TOKEN needs {PREFIX}ACCESS_TOKEN, or else {missing}",
                f"set that, or unset {names}",
            )
    tokens = Tokens(
        settings.access_token or Secret(""),
        base_url,
        auth_url=auth_url,
        refresh_token=settings.refresh_token,
        client_id=settings.client_id,
        client_secret=settings.client_secret,
        account=_account_of(settings.refresh_token or settings.access_token or Secret("")),
    )
    storage = MemoryStorage(tokens, origin=f"the environment variables {PREFIX}…")
    advice = f"replace or unset {names}; the environment overrides stored logins"
    return Connection(base_url, auth_url, tokens.account, storage, advice)


def _only_login(file: TokenFile) -> str:
    known = file.base_urls()
    if len(known) == 1:
        return known[0]
    if not known:
        raise LoginRequired(
            f"no platform is known: {PREFIX}BASE_URL is not set, and there is no login in "
            f"{file.path}",
            f"log in with: {file.login_command()} --base-url URL",
        )
    raise ValueError(
        f"there are several logins ({', '.join(known[:5])}): choose one by its address: "
        f"set {PREFIX}BASE_URL"
    )


def _check_issuer(tokens: Tokens, base_url: str, auth_url: str | None, advice: str) -> None:
    """Refuse to send tokens to an address that they were not issued for."""
    if _address(tokens.base_url, "base_url") != base_url:
        raise LoginRequired(f"the tokens are for another platform than {base_url}", advice)
    kept = _address(tokens.auth_url, "auth_url")
    if kept is not None and auth_url is not None and kept != auth_url:
        raise LoginRequired(
            f"the tokens for {base_url} came from {kept}, and are not sent to {auth_url}",
            f"pass no other auth URL ({PREFIX}AUTH_URL), or {advice}",
        )


def _address(text: str | None, what: str) -> str | None:
    """Return an address in its normal form; whether http is allowed, the client decides."""
    return None if text is None else str(parse_address(text, what, insecure=True))


def _account_of(token: Secret) -> str:
    """Return a name for the account of a token without a login, which does not tell the token."""
    return f"env-{hashlib.sha256(b'widgetschema account ' + _encoded(token)).hexdigest()[:16]}"


def _encoded(token: Secret) -> bytes:
    return token.reveal().encode()


def _text(environ: Mapping[str, str], name: str) -> str | None:
    return environ.get(f"{PREFIX}{name}", "").strip() or None


def _secret(environ: Mapping[str, str], name: str) -> Secret | None:
    return Secret(environ.get(f"{PREFIX}{name}", "").strip()) or None


def _is_usable(environ: Mapping[str, str], name: str) -> bool:
    secret = _secret(environ, name)
    return secret is None or fits_form(secret)

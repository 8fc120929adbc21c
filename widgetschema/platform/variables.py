"""The environment variables of the platform. Light: every command looks for unknown ones."""

from __future__ import annotations

from typing import Final

PREFIX: Final = "WIDGETSCHEMA_"
VARIABLES: Final = {  # by their names without the prefix, with what the manual says of them
    "ACCESS_TOKEN": "An access token. It requires `WIDGETSCHEMA_BASE_URL`, and is not stored.",
    "REFRESH_TOKEN": "A refresh token, which gets new access tokens.",
    "CLIENT_ID": "The client ID of your app.",
    "CLIENT_SECRET": "The client secret of your app.",
    "BASE_URL": "The address of the platform.",
    "AUTH_URL": "The address that `/oauth/token` is below.",
    "PROFILE": "The name of a stored login, if there are several accounts on one platform.",
    "OFFLINE": "With `1`, `true`, `yes` or `on`, the network is not used.",
}

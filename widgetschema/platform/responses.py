"""The platform's documented values: widget records, the list's envelope, token responses.

Unknown members are kept, and what is documented may be missing: nothing here refuses a response
for saying more, or less, than is documented.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from widgetschema.platform.secret import Secret


@dataclass(frozen=True, slots=True)
class Widget:
    """A record of the widgets list; it carries no data.

    A field is None where the response leaves it out (as `fields` may ask for). `members` is the
    record as it came, unknown members included. Names follow Python's habit: `project_id` is
    `projectId`. `created` and `updated` are ISO 8601 texts, UTC, with milliseconds; the values
    of `type` and `status` are open.
    """

    id: str | None = None
    name: str | None = None
    description: str | None = None
    type: str | None = None
    project_id: str | None = None
    preview_image: str | None = None
    status: str | None = None
    model_version: int | None = None
    created: str | None = None
    updated: str | None = None
    members: Mapping[str, Any] = field(default_factory=dict, repr=False, hash=False)


@dataclass(frozen=True, slots=True)
class WidgetList:
    """The envelope of a widgets list.

    A number is None where the response leaves it out. `members` is the envelope as it came,
    unknown members included, without `docs`.
    """

    docs: tuple[Widget, ...] = ()
    total: int | None = None
    limit: int | None = None
    offset: int | None = None
    page: int | None = None
    pages: int | None = None
    members: Mapping[str, Any] = field(default_factory=dict, repr=False, hash=False)


@dataclass(frozen=True, slots=True)
class TokenResponse:
    """The response of the token endpoint; to a refresh, without a refresh token.

    `expires_in` and `refresh_token_expires_in` are the texts as they came: their unit and
    format are not documented (a JSON number is kept as its text). `members` are the unknown
    ones.
    """

    access_token: Secret
    expires_in: str | None = None
    refresh_token: Secret | None = None
    refresh_token_expires_in: str | None = None
    members: Mapping[str, Any] = field(default_factory=dict, repr=False, hash=False)

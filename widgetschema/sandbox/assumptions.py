"""Behavior of the sandbox that is not in the platform's documentation.

The text is shown in `widgetschema sandbox --help` and in the README: it must not be mistaken for
a fact about the platform. A client must not rely on any of it.
"""

from __future__ import annotations

from typing import Final

ASSUMPTIONS: Final = (
    (
        "The authorization endpoint is /oauth/authorize: a page with Allow and Deny, or a response "
        "at once with auto=1 or auto=deny. It redirects to loopback addresses only."
    ),
    (
        "A code is valid for one exchange, for ten minutes, and for the client and the redirect "
        "URI it was issued for."
    ),
    (
        "expires_in and refresh_token_expires_in are decimal seconds. A refresh token is valid for "
        "30 days, and for many refreshes; an earlier access token stays valid until it expires."
    ),
    "The token endpoint accepts POST only.",
    (
        'Errors are JSON objects with "error" and "error_description": RFC 6749 (5.2) at the token '
        "endpoint, the same shape elsewhere. Every response has an X-Request-Id."
    ),
    (
        "A missing, unknown or expired access token is answered with 401 and WWW-Authenticate: "
        "Bearer; an unknown widget type with 404; a limit that is not a whole number from 1 "
        "with 400."
    ),
    (
        "There is no maximum limit. Other query parameters, and unknown names in fields, are "
        "ignored; an empty parameter counts as none."
    ),
    "search matches text in name and description, ignoring case.",
    (
        "total is the number of widgets in docs, as documented; pages is the number of pages of "
        "this limit, at least 1. The order of widgets does not change."
    ),
    (
        "Schemas come with ETag, Last-Modified and, if asked for, Cache-Control: max-age; a "
        "conditional request is answered with 304."
    ),
    "The base schema plugin is served as a widget type, if the folder of schemas has it.",
    'Generated widgets are of the types that the schemas are for, in three projects, all "draft".',
)

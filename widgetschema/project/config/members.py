"""The one table of what can be configured: name, default, variable, argument.

`schema.json` says the same for editors, with descriptions; a test holds the two together.
"""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple

from widgetschema.catalog.store.locations import SCHEMAS_VARIABLE
from widgetschema.jsontext import DEFAULT_LIMITS

FILE: Final = "widgetschema.toml"
PYPROJECT: Final = "pyproject.toml"
FILE_VARIABLE: Final = "WIDGETSCHEMA_CONFIG"
# Beyond these, data or a number of processes could take the machine down.
MOST_DEPTH: Final = 1000
MOST_BYTES: Final = 1024**3
MOST_JOBS: Final = 64
LONGEST_GLOB: Final = 1000
LONGEST_TEXT: Final = 4096
MOST_ENTRIES: Final = 1000

Kind = Literal["path", "address", "choice", "boolean", "integer", "reporters", "table"]


class Member(NamedTuple):
    """One member; `limits.max-depth` is the member `max-depth` of the table `limits`.

    `variable` and `argument` are None where there is no such thing. `choices` belong to a
    choice, `least` and `most` to an integer.
    """

    name: str
    kind: Kind
    default: Any
    variable: str | None = None
    argument: str | None = None
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 0


MEMBERS: Final = (
    Member("schemas", "path", None, SCHEMAS_VARIABLE, "--schemas"),
    Member("base-url", "address", None, "WIDGETSCHEMA_BASE_URL", "--base-url"),
    Member("auth-url", "address", None, "WIDGETSCHEMA_AUTH_URL", "--auth-url"),
    Member(
        "fetch",
        "choice",
        None,
        "WIDGETSCHEMA_FETCH",
        "--fetch",
        ("auto", "offline", "refresh", "frozen"),
    ),
    Member("formats", "boolean", True, "WIDGETSCHEMA_FORMATS", "--no-formats"),
    Member("engine", "choice", None, "WIDGETSCHEMA_ENGINE", "--engine", ("rust", "python")),
    Member(
        "limits.max-depth",
        "integer",
        DEFAULT_LIMITS.max_depth,
        "WIDGETSCHEMA_MAX_DEPTH",
        least=1,
        most=MOST_DEPTH,
    ),
    Member(
        "limits.max-bytes",
        "integer",
        DEFAULT_LIMITS.max_bytes,
        "WIDGETSCHEMA_MAX_BYTES",
        least=1,
        most=MOST_BYTES,
    ),
    Member("severities", "table", {}),
    Member("reporters", "reporters", ("auto",), "WIDGETSCHEMA_FORMAT", "--format"),
    Member("baseline", "path", "widgetschema-baseline.json", "WIDGETSCHEMA_BASELINE", "--baseline"),
    Member("jobs", "integer", 0, "WIDGETSCHEMA_JOBS", "--jobs", least=0, most=MOST_JOBS),
    Member("cache", "boolean", True, "WIDGETSCHEMA_CACHE", "--no-cache"),
    Member("include", "table", ()),
    Member("exclude", "table", ()),
    Member("files", "table", {}),
    Member("ignores", "table", ()),
)

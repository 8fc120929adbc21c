"""The settings, each declared once.

From a declaration follow the key in TOML, the environment variable, the option of the command, the
default, the JSON Schema, what `widgetschema config` shows, and the entry of the manual.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from widgetschema.jsontext import DEFAULT_LIMITS, MOST_LEVELS
from widgetschema.pointers import matches
from widgetschema.project.config.rules import KEYWORDS, OTHER_KEYWORDS
from widgetschema.project.report_formats import own_names

if TYPE_CHECKING:
    import datetime

Scope = Literal["run", "file"]

FILE: Final = "widgetschema.toml"
PYPROJECT: Final = "pyproject.toml"
MAPPING_EXAMPLE: Final = f"[files] 'widgets/*.json' = 'countdown' in {FILE}"
FILE_VARIABLE: Final = "WIDGETSCHEMA_CONFIG"
MOST_ENTRIES: Final = 1000
LONGEST_TEXT: Final = 4096


TO_FILL_IN: Final = "TODO: say why"  # the reason of ignores that the command writes


class Ignore(NamedTuple):
    """An entry of `ignores`: findings that match all that is given are ignored.

    `path` and `pointer` are patterns. `line` and `column` are its place in the configuration
    file. It ends after the day `expires`.
    """

    path: str | None = None
    pointer: str | None = None
    keyword: str | None = None
    reason: str = ""
    expires: datetime.date | None = None
    line: int = 0
    column: int = 0

    def covers(self, pointer: str, keyword: str) -> bool:
        """Return whether a finding matches; `Configuration.ignores_for` looks at the path."""
        if self.keyword is not None and self.keyword != keyword:
            return False
        return self.pointer is None or matches(self.pointer, pointer)


class Origin(NamedTuple):
    """The origin of a value: `default`, `file`, `environment` or `option`, and its text."""

    source: str
    text: str

    @property
    def is_option(self) -> bool:
        """True if an option of the command gave the value."""
        return self.source == "option"

    def __str__(self) -> str:
        return self.text


def setting(
    schema: dict[str, Any], help: str, *, scope: Scope, default: Any = None, **more: Any
) -> Any:
    """Declare a setting as a field.

    - `schema`: the JSON Schema of its values; `values` checks them by it.
    - `help`: one or two sentences, for `--help`, the JSON Schema and the manual.
    - `scope`: "run" if one value is in force for a run, that of the configuration nearest to the
      working directory; "file" if it is that of the configuration nearest to each file.
    - `default`: the value without file, variable and option.
    - `more`: `details`, for the JSON Schema and the manual; `table`, that the key is in;
      `variable` and `option`, if they do not follow from the name, None for neither;
      `option_help` and `metavar`, of the option; `affects_findings`, True if findings depend
      on the value, so that results kept for another one are not used.
    """
    metadata = {"schema": schema, "help": help, "scope": scope, **more}
    if isinstance(default, dict):
        return field(default_factory=dict, metadata=metadata)
    return field(default=default, metadata=metadata)


def _text(format: str | None = None, longest: int = LONGEST_TEXT, **more: Any) -> dict[str, Any]:
    named = {} if format is None else {"format": format}
    return {"type": "string", "minLength": 1, "maxLength": longest, **named, **more}


def _integer(least: int, most: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": least, "maximum": most}


def _array(items: dict[str, Any], most: int = MOST_ENTRIES, **more: Any) -> dict[str, Any]:
    return {"type": "array", "maxItems": most, "items": items, **more}


def _table(names: dict[str, Any], values: dict[str, Any], **more: Any) -> dict[str, Any]:
    body = {"propertyNames": names, "additionalProperties": values}
    return {"type": "object", "maxProperties": MOST_ENTRIES, **body, **more}


def _members(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "properties": properties, **more}


_BOOLEAN: Final = {"type": "boolean"}
_PATTERN: Final = _text("path-pattern", 1000)
_FOLDER_PATTERN: Final = _text("folder-pattern", 1000)
_KEYWORD: Final = _text("keyword", anyOf=[{"enum": [*KEYWORDS]}, {"pattern": OTHER_KEYWORDS}])
_REPORTER: Final = _text("reporter", anyOf=[{"enum": [*own_names()]}, {"pattern": "^[^=]+(=.|$)"}])
_IGNORE: Final = _members(
    {
        "path": {"description": "Pattern of files and folders.", **_FOLDER_PATTERN},
        "pointer": {
            "description": "Pattern of a JSON Pointer: * is one token, ** any number of tokens.",
            **_text("pointer-pattern", 1000, minLength=0),
        },
        "keyword": {"description": "The keyword of the finding.", **_KEYWORD},
        "reason": {
            "description": "Why the finding is ignored.",
            **_text("reason", pattern=r"\S"),
        },
        "expires": {
            "description": "The last day on which it is ignored, such as 2026-11-27.",
            **_text("date"),
        },
    },
    required=["reason"],
    anyOf=[{"required": [name]} for name in ("path", "pointer", "keyword")],
)
_IN_FILES_ONLY: Final[Mapping[str, Any]] = {"variable": None, "option": None}


# Generated methods cost time at every start: only those of `Configuration` are used.
@dataclass(frozen=True, kw_only=True, init=False, repr=False, eq=False)
class Settings:
    """The value of every setting; None where it is not set and has no default."""

    schemas: str | None = setting(
        _text("path"),
        "A folder of schemas, JSON or YAML files, with or without a manifest.json. Without it, the "
        "folder schemas of the project is used, then the bundled schemas.",
        metavar="DIR",
        scope="file",
    )
    data_schemas: Mapping[str, str] = setting(
        _table(_text(longest=200), _text("path")),
        "Widget types by id, each with the file of a schema that describes the data itself, not a "
        "document. They take precedence over those of folders.",
        details="Such a schema may refer to schemas of the folders by their ids. The option gives "
        "one file, by which all documents are checked, whatever type they name; --type ID is the "
        "id of the type then.",
        default={},
        variable=None,
        option="--data-schema",
        option_help="Use the schema in FILE, which describes the data itself, not a document.",
        metavar="FILE",
        affects_findings=True,
        scope="file",
    )
    types: Mapping[str, Mapping[str, str]] = setting(
        _table(
            _text(longest=200),
            _members(
                {
                    "describes": {
                        "description": "What the schema of the type describes.",
                        "enum": ["data", "document"],
                    }
                }
            ),
        ),
        "Facts about widget types, by id: describes says whether the schema describes a "
        "widget document (document), or the data itself (data).",
        details="It is needed for a schema whose root names data beside properties that no widget "
        "record has, and for one by which any data is to be valid. Otherwise, it is detected.",
        default={},
        affects_findings=True,
        scope="file",
        **_IN_FILES_ONLY,
    )
    base_url: str | None = setting(
        _text("address"),
        "The address of the platform, including the version segment. Default: the platform that "
        "you are logged in to.",
        metavar="URL",
        details="It has no user name, query or fragment. An address in a configuration file never "
        "receives tokens of the environment.",
        scope="run",
    )
    auth_url: str | None = setting(
        _text("address"),
        "The address to which /oauth/token is added. Default: that of the last login.",
        metavar="URL",
        scope="run",
    )
    fetch: str | None = setting(
        {"enum": ["auto", "offline", "refresh", "frozen"]},
        "Fetch schemas that the folder does not have: from the platform through a cache (auto), "
        "from the cache alone (offline), from the platform alone (refresh), or not at all, with "
        "every schema verified against the manifest of the folder (frozen). Without it, nothing is "
        "fetched.",
        scope="run",
    )
    deadline: int = setting(
        _integer(1, 3600),
        "Give up after this many seconds without a usable response from the platform.",
        details="All attempts at a request, the pauses between them and redirects count, also a "
        "response that comes byte by byte. Each whole response starts the time again.",
        default=30,
        metavar="SECONDS",
        scope="run",
    )
    formats: bool = setting(
        _BOOLEAN,
        "Check formats such as date-time and uri.",
        default=True,
        option_help="Do not check formats such as date-time and uri.",
        affects_findings=True,
        scope="file",
    )
    engine: str | None = setting(
        {"enum": ["rust", "python"]},
        "The validation engine. Without it, the first of these that is installed is used.",
        affects_findings=True,
        scope="run",
    )
    strict_schema: bool = setting(
        _BOOLEAN,
        "Refuse schemas that have lints, such as misspelled keywords: a lint is then an error.",
        details="The lints are the codes keyword.* of findings, keywords beside $ref, and a $id of "
        "another type.",
        default=False,
        option="--strict-schema",
        affects_findings=True,
        scope="file",
    )
    max_depth: int = setting(
        _integer(1, MOST_LEVELS),
        "How deep arrays and objects may be nested in a document.",
        default=DEFAULT_LIMITS.max_depth,
        table="limits",
        option=None,
        affects_findings=True,
        scope="file",
    )
    max_bytes: int = setting(
        _integer(1, 1024**3),
        "How large a document may be, in bytes.",
        default=DEFAULT_LIMITS.max_bytes,
        table="limits",
        option=None,
        affects_findings=True,
        scope="file",
    )
    unsafe_fixes: bool = setting(
        _BOOLEAN,
        "Apply unsafe fixes, too, where fixes are applied: they pick the word that was probably "
        "meant.",
        default=False,
        option="--unsafe-fixes",
        option_help="Write unsafe fixes, too, which pick the word that was probably meant. With "
        "--diff, show them.",
        scope="file",
    )
    severities: Mapping[str, str] = setting(
        _table(
            _KEYWORD,
            {"enum": ["error", "warning", "note", "off"]},
            patternProperties={r"^(json|problem)\.": {"enum": ["error", "warning", "note"]}},
        ),
        "The severity of findings, by keyword; only errors fail.",
        details="What makes data unreadable or keeps it from being checked (json.*, problem.*) "
        "cannot be turned off.",
        default={},
        scope="file",
        **_IN_FILES_ONLY,
    )
    reporters: tuple[str, ...] = setting(
        _array(_REPORTER, 100, minItems=1),
        f"The format of a report: {', '.join(own_names())}, or one that an installed package adds; "
        "with FILE, it is written there. Can be repeated. Default: auto, which means github in "
        "GitHub Actions and text elsewhere.",
        details="A file that a configuration file names must be below the folder of that file.",
        default=("auto",),
        variable="WIDGETSCHEMA_FORMAT",
        option="--format",
        metavar="FORMAT[=FILE]",
        scope="run",
    )
    baseline: str = setting(
        _text("output-path"),
        "The file of known findings, which do not fail.",
        details="If a configuration file names it, it must be below the folder of that file.",
        default="widgetschema-baseline.json",
        metavar="FILE",
        scope="run",
    )
    jobs: int = setting(
        _integer(0, 64),
        "The number of worker processes; 0 chooses it by cores and amount of work.",
        default=0,
        metavar="N",
        scope="run",
    )
    include: tuple[str, ...] = setting(
        _array(_PATTERN),
        "Patterns of files whose documents say which type they have; in folders, one that does not "
        "is reported, not skipped.",
        default=(),
        scope="file",
        **_IN_FILES_ONLY,
    )
    foreign_types: tuple[str, ...] = setting(
        _array(_text(longest=200)),
        "Types that are not checked, such as those of other programs: in folders, their "
        "files are skipped.",
        default=(),
        affects_findings=True,
        scope="file",
        **_IN_FILES_ONLY,
    )
    exclude: tuple[str, ...] = setting(
        _array(_FOLDER_PATTERN),
        "Patterns of files and folders that are not checked unless they are named.",
        default=(),
        scope="file",
        **_IN_FILES_ONLY,
    )
    files: Mapping[str, str] = setting(
        _table(_PATTERN, _text(longest=200)),
        "Patterns of files, each with the id of their widget type; the last one that matches "
        "decides.",
        default={},
        scope="file",
        **_IN_FILES_ONLY,
    )
    ignores: tuple[Ignore, ...] = setting(
        _array(_IGNORE),
        "Findings that are ignored.",
        default=(),
        scope="file",
        **_IN_FILES_ONLY,
    )


class Setting(NamedTuple):
    """One setting: the name of its field in `Settings`, and what is declared or follows from it.

    `name` is the key in TOML, such as `limits.max-depth`; `option_help` is the help of its option.
    """

    attribute: str
    name: str
    schema: Mapping[str, Any]
    default: Any
    help: str
    option_help: str
    details: str = ""
    variable: str | None = None
    option: str | None = None
    metavar: str | None = None
    affects_findings: bool = False
    scope: Scope = "file"

    @property
    def is_flag(self) -> bool:
        """True if the option has no value: it turns the setting off, or on."""
        return self.schema is _BOOLEAN


def _setting(attribute: str, default: Any, declared: Mapping[str, Any]) -> Setting:
    key = attribute.replace("_", "-")
    names = {
        "variable": f"WIDGETSCHEMA_{attribute.upper()}",
        "option": f"--no-{key}" if declared["schema"] is _BOOLEAN else f"--{key}",
        "option_help": declared["help"],
    }
    values = {**names, **declared}
    table = values.pop("table", "")
    return Setting(attribute, f"{table}.{key}" if table else key, default=default, **values)


SETTINGS: Final = {
    one.name: one
    for one in (
        _setting(f.name, getattr(Settings, f.name, {}), f.metadata) for f in fields(Settings)
    )
}


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft-07) of the configuration."""
    properties: dict[str, Any] = {}
    for setting in SETTINGS.values():
        table, _, key = setting.name.rpartition(".")
        body = {"description": f"{setting.help} {setting.details}".strip(), **setting.schema}
        if setting.default not in (None, (), {}):
            default = setting.default
            body["default"] = [*default] if isinstance(default, tuple) else default
        within = properties
        if table:
            within = properties.setdefault(table, _members({}))["properties"]
        within[key] = body
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "widgetschema-configuration",
        "title": "Configuration of widgetschema",
        "description": f"The contents of {FILE}, and of the table [tool.widgetschema] in "
        f"{PYPROJECT}. Paths and patterns are relative to the folder of the file.",
        **_members(properties),
    }

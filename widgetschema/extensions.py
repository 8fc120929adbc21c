"""The extensions: what each adds to the core, by name, so that it is loaded when it is used.

The core imports no extension. To remove one, delete its package, its entry here, its tests and its
pages.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

_EMPTY: Final[Mapping[str, str]] = {}


class Extension(NamedTuple):
    """An extension, and what it adds to the core.

    Attributes:
        commands: Its commands, each with its line in the list of commands; `GROUP NAME` is one of
            a group. The module of one is `commands/NAME.py` of the package (`GROUP_NAME.py`), and
            takes the place of a command of the core that has the same name.
        synonyms: Words of other tools that mean a command of it, and their options of a command
            that checks.
        texts: The names of each `Domain` in its module `texts`. Its folder `translations` has their
            translations.
        variables: Its environment variables.
        pytest_plugins: Its modules with fixtures for pytest.
    """

    commands: Mapping[str, str] = _EMPTY
    synonyms: Mapping[str, str] = _EMPTY
    texts: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    pytest_plugins: tuple[str, ...] = ()


EXTENSIONS: Final[Mapping[str, Extension]] = {  # by the names of their packages
    "audit": Extension(
        commands={
            "audit": "Check stored widgets in bulk and summarize what is invalid.",
            "migrate apply": "Carry stored records over to a newer schema.",
            "migrate revert": "Bring back what files were before a migration.",
        },
        synonyms={"audit": "scan bulk"},
    ),
    "editor": Extension(
        commands={
            "edit": "Edit a file in a form in the browser.",
            "form": "Create a widget in a form, or export the form.",
        },
        synonyms={"edit": "open ui gui"},
        texts=("EDITOR_DOMAIN",),
    ),
    "integrations": Extension(texts=("INTEGRATION_DOMAIN",)),
    "lsp": Extension(
        commands={"lsp": "Serve the checks to code editors (language server protocol)."},
        synonyms={"lsp": "server language-server --lsp --server"},
    ),
    "mcp": Extension(
        commands={"mcp": "Serve the checks to assistants (Model Context Protocol)."},
        variables=("WIDGETSCHEMA_MCP_TOKEN",),
    ),
    "sandbox": Extension(
        commands={"sandbox": "Run a local stand-in for the platform."},
        pytest_plugins=("widgetschema.sandbox.fixtures",),
    ),
}


def extension_commands(group: str = "") -> dict[str, str]:
    """Return the line of each command of the extensions, by its name in a group."""
    found = {}
    for extension in EXTENSIONS.values():
        for name, line in extension.commands.items():
            before, _, last = name.rpartition(" ")
            if before == group:
                found[last] = line
    return found


def extension_synonyms() -> dict[str, str]:
    """Return the words of other tools that mean a command of an extension."""
    return {name: words for one in EXTENSIONS.values() for name, words in one.synonyms.items()}


def command_module(name: str) -> str | None:
    """Return the module of a command of an extension; None for one of the core."""
    for package, extension in EXTENSIONS.items():
        if name in extension.commands:
            return f"widgetschema.{package}.commands.{name.replace(' ', '_')}"
    return None


def extension_texts() -> dict[str, tuple[Any, ...]]:
    """Return the `Domain` of each part of the texts of the extensions, by their packages."""
    return {
        package: tuple(
            getattr(importlib.import_module(f"widgetschema.{package}.texts"), name)
            for name in extension.texts
        )
        for package, extension in EXTENSIONS.items()
        if extension.texts
    }

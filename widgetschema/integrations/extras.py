"""Imports of the libraries that the integrations are for, each of which is an extra."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from widgetschema.errors import MissingExtra


@contextmanager
def importing(extra: str, library: str | None = None) -> Iterator[None]:
    """Import a library that is not required, in the body of a `with` statement.

    Args:
        extra: The name of the extra: that of the module of the integration, with dashes for dots.
        library: The module of the library. Default: the name of the extra.

    Raises:
        MissingExtra: If the library is not installed. The error for another missing module, such
            as one that an installed library requires, is raised unchanged.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        library = library or extra
        if error.name != library:
            raise
        module = f"widgetschema.integrations.{extra.replace('-', '.')}"
        raise MissingExtra(extra, f"{module} needs {library}") from None

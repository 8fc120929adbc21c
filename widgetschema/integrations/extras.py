"""Imports of the libraries that the integrations are for, each of which is an extra."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from widgetschema.errors import MissingExtra


@contextmanager
def importing(extra: str) -> Iterator[None]:
    """Import a library that is not required, in the body of a `with` statement.

    Args:
        extra: The name of the extra, which is also that of the library.

    Raises:
        MissingExtra: If the library is not installed. The error for another missing module, such
            as one that an installed library requires, is raised unchanged.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name != extra:
            raise
        raise MissingExtra(extra, f"widgetschema.integrations.{extra} needs {extra}") from None

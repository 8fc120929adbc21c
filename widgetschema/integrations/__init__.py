"""Web frameworks and libraries of models, a module or package each, and what all need."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from widgetschema.catalog.catalog import Catalog
from widgetschema.errors import MissingExtra

CatalogSource = Catalog | Callable[[], Catalog]
"""A catalog, or a function that returns it."""


def require_catalog(source: object) -> None:
    """Raise `TypeError` for what is neither a catalog nor a function that returns it."""
    if not (isinstance(source, Catalog) or callable(source)):
        raise TypeError(
            "catalog must be a Catalog, or a function that returns it, not "
            f"{type(source).__name__}; for a folder of schemas, pass Catalog([folder])"
        )


def catalog_of(source: CatalogSource) -> Catalog:
    """Return a catalog that is given as one, or as a function that returns it."""
    return source if isinstance(source, Catalog) else source()


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


def require_for_forms(extra: str, *libraries: str) -> None:
    """Raise `MissingExtra` if a library that forms need is not installed.

    Args:
        extra: The name of the extra that installs all of them.
        *libraries: The modules of the libraries.
    """
    for library in ("jinja2", *libraries):
        if find_spec(library) is None:
            raise MissingExtra(extra, f"forms need {library}")

"""Web frameworks and libraries of models, a module or package each, and what all need."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

from widgetschema.catalog.catalog import Catalog
from widgetschema.errors import MissingExtra
from widgetschema.text import join

CatalogSource = Catalog | Callable[[], Catalog]
"""A catalog, or a function that returns it."""


def require_type(
    owner: str, type: object, *, document: bool | None = None, **places: object
) -> None:
    """Raise `TypeError` unless the widget type is named in exactly one way.

    Args:
        owner: The name of what was called, for the error.
        type: The id of the widget type, or None.
        document: Documents may name their type; None if the owner has no such argument.
        **places: The other arguments that can name the place of the id, or None.
    """
    given = [one for one in (type, *places.values()) if one is not None]
    if len(given) > 1 or not (given or document) or not all(isinstance(one, str) for one in given):
        others = [f'{owner}({name}="type")' for name in places]
        others += [] if document is None else [f"{owner}(document=True)"]
        ways = join([f'{owner}("countdown")', *others], "or")
        raise TypeError(f"name the widget type in one way: {ways}")


def require_function(function: object, name: str, *arguments: str) -> None:
    """Raise `TypeError` for what cannot be called with these arguments, or only with `await`.

    Args:
        function: A function or method of the application.
        name: Its name, for the error.
        *arguments: The names of the arguments.
    """
    called = f"{name}({', '.join(arguments)})"
    if not callable(function):
        raise TypeError(f"{name} must be a function, not {type(function).__name__}")
    if inspect.iscoroutinefunction(function):
        raise TypeError(f"{name} must not be async: {called} is called without await")
    try:
        signature = inspect.signature(function, follow_wrapped=False)  # decorators add arguments
    except ValueError:  # some that are written in C have none
        return
    try:
        signature.bind(*arguments)
    except TypeError:
        raise TypeError(
            f"{called} is called here, but it is defined as {name}{signature}"
        ) from None


def require_catalog(source: object, *arguments: str) -> None:
    """Raise `TypeError` for what is neither a catalog nor a function that returns it.

    Args:
        source: The argument `catalog`.
        *arguments: The names of the arguments of such a function.
    """
    if isinstance(source, Catalog):
        return
    if not callable(source):
        raise TypeError(
            "catalog must be a Catalog, or a function that returns it, not "
            f"{type(source).__name__}; for a folder of schemas, pass Catalog([folder])"
        )
    require_function(source, "catalog", *arguments)


def catalog_of(source: Catalog | Callable[..., Catalog], *arguments: Any) -> Catalog:
    """Return a catalog that is given as one, or as a function that returns it."""
    found: object = source if isinstance(source, Catalog) else source(*arguments)
    if not isinstance(found, Catalog):
        raise TypeError(f"catalog() must return a Catalog, not {type(found).__name__}")
    return found


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

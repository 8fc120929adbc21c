"""Names of a package that are imported when they are first used (PEP 562).

A package lists its names once, in its `__init__.pyi`, a line for each:

    from widgetschema.findings import Finding as Finding

Type checkers read that list, and `attach` reads the same one at run time, so nobody pays for the
import of what is not used.

What is imported on first use may be imported by a thread while another one forks the process:
`forks` waits for it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

from widgetschema.forks import IMPORTING

_Class = TypeVar("_Class")


def attach(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the `__getattr__` and the `__dir__` of a package that has an `__init__.pyi`.

    It also gets an `__all__`, by which `help` knows what the package offers.
    """
    names = vars(sys.modules[package])
    modules = _modules_of(names)
    names["__all__"] = [*modules]

    def load(name: str) -> Any:
        """Import a name, and keep it."""
        if name not in modules:
            from widgetschema.removed import advice_on  # only for what is wrong

            message = f"module {package!r} has no attribute {name!r}"
            advice = advice_on("name", f"{package}.{name}")
            message = message if advice is None else f"{message}: {advice}"
            # `from … import` would replace the text of an AttributeError.
            if advice is not None and sys._getframe(1).f_code.co_filename == IMPORTING:
                raise ImportError(message, name=package)
            raise AttributeError(message, name=name, obj=sys.modules[package])
        value = names[name] = getattr(import_module(modules[name]), name)
        return value

    return load, lambda: sorted({*names, *modules})


def names_successors(owner: type[_Class]) -> type[_Class]:
    """Decorate a class so that errors about its removed attributes name their successors."""

    def refuse(self: object, name: str) -> Any:
        from widgetschema.removed import advice_on  # only for what is wrong

        advice = advice_on("name", f"{owner.__name__}.{name}")
        message = f"{type(self).__name__!r} object has no attribute {name!r}"
        message = message if advice is None else f"{message}: {advice}"
        raise AttributeError(message, name=name, obj=self)

    setattr(owner, "__getattr__", refuse)  # noqa: B010 - type checkers would allow any attribute
    return owner


def _modules_of(package: dict[str, Any]) -> dict[str, str]:
    """Map each name in the stub of a package to the module that defines it."""
    stub = os.path.join(package["__path__"][0], "__init__.pyi")
    lines = package["__loader__"].get_data(stub).decode().splitlines()
    imports = (line.split() for line in lines if line.startswith("from "))
    return {name: module for _, module, _, name, *_ in imports}

"""Names of a package that are imported when they are first used (PEP 562).

A package lists its names once, in its `__init__.pyi`, a line for each:

    from widgetschema.findings import Finding as Finding

Type checkers read that list, and `attach` reads the same one at run time, so nobody pays for the
import of what is not used.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any


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
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = names[name] = getattr(import_module(modules[name]), name)
        return value

    return load, lambda: sorted({*names, *modules})


def _modules_of(package: dict[str, Any]) -> dict[str, str]:
    """Map each name in the stub of a package to the module that defines it."""
    stub = os.path.join(package["__path__"][0], "__init__.pyi")
    lines = package["__loader__"].get_data(stub).decode().splitlines()
    imports = (line.split() for line in lines if line.startswith("from "))
    return {name: module for _, module, _, name, *_ in imports}

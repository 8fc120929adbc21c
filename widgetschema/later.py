"""Names of a package that are loaded when they are first asked for (PEP 562)."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def later(package: dict[str, Any], modules: dict[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package, whose names are `package`: name → module it is in."""

    def load(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package['__name__']!r} has no attribute {name!r}")
        value = package[name] = getattr(import_module(modules[name]), name)
        return value

    return load

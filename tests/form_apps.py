"""The small applications of the manual, loaded once each: a framework has one configuration."""

from __future__ import annotations

import sys
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Final

FOLDER: Final = Path(__file__).parent / "data" / "forms" / "apps"


@cache
def application(name: str) -> ModuleType:
    """The module of an application; it is known by its name, as Django wants it."""
    spec = spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

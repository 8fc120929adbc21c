"""The validation engines: `jsonschema-rs` decides, `jsonschema` is the second one.

`engine` says what an engine must do and which form of a schema it gets; `rust` and `python` are
the engines, imported when they are first used.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from widgetschema.errors import EngineUnavailable
from widgetschema.validation.engines.engine import Decide as Decide
from widgetschema.validation.engines.engine import Engine as Engine
from widgetschema.validation.engines.engine import compile_form as compile_form
from widgetschema.validation.engines.engine import engine_form as engine_form


def load_engine(name: str | None) -> Engine:
    """Return an engine by name: "rust" (jsonschema-rs), "python" (jsonschema), None for the best.

    Raises `EngineUnavailable`.
    """
    if name is None:
        try:
            return _rust()
        except EngineUnavailable as error:
            try:
                return _python()
            except EngineUnavailable as other:
                reason = f"{error.reason}; nor is the other engine: {other.reason}"
                raise EngineUnavailable(error.engine, reason) from None
    if name not in _LOADERS:
        raise EngineUnavailable(name, f"known engines: {', '.join(_LOADERS)}")
    return _LOADERS[name]()


@cache
def _rust() -> Engine:
    try:
        from widgetschema.validation.engines.rust import RustEngine
    except ImportError as error:
        raise EngineUnavailable("rust", f"jsonschema-rs cannot be imported: {error}") from None
    return RustEngine()


@cache
def _python() -> Engine:
    from widgetschema.validation.engines.python import PythonEngine

    return PythonEngine()


_LOADERS: Final[dict[str, Callable[[], Engine]]] = {"rust": _rust, "python": _python}

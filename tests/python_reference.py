"""The Python API as Markdown: a heading, the signature and the docstring of each entry.

An entry is named as it is imported. `NAME.*` is a module or a class, and everything public in it
that has a docstring.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterator
from pkgutil import resolve_name
from types import ModuleType
from typing import Any, Final

import widgetschema
from widgetschema.cached import cached_property
from widgetschema.forms.form_state import FormState

PUBLIC: Final = frozenset(vars(widgetschema)["__all__"])
_WIDTH: Final = 88  # columns of a signature
_SECTION: Final = re.compile(
    r"^(Args|Attributes|Raises|Returns|Yields):\n((?:[ ].*\n|\n)+)", re.MULTILINE
)


class _Written(str):
    """An annotation as it is written in the source, which `inspect` shows without quotes."""

    __slots__ = ()
    __repr__ = str.__str__


def entries(*names: str) -> Iterator[str]:
    """Yield the entries of these names."""
    for name in names:
        value = resolve_name(name.removesuffix(".*"))
        yield from _entry(name.removesuffix(".*"), value)
        for member, inner in members(value) if name.endswith(".*") else ():
            if isinstance(value, ModuleType):
                public = member in PUBLIC  # the shortest name under which it can be imported
                yield from _entry(f"{'widgetschema' if public else value.__name__}.{member}", inner)
            else:
                yield from _entry(f"{value.__name__}.{member}", inner, level=4)


def members(owner: Any) -> Iterator[tuple[str, Any]]:
    """Yield what is public and documented in a module or class, in the order of the source.

    A class has what its base has, if that is `FormState`, which people never see.
    """
    inherited = vars(FormState) if owner is widgetschema.Form else {}
    for name, value in (inherited | vars(owner)).items():
        if isinstance(owner, ModuleType) and getattr(value, "__module__", None) != owner.__name__:
            continue
        if isinstance(value, staticmethod | classmethod):
            value = value.__func__
        is_code = inspect.isroutine(value) or isinstance(value, type | property | cached_property)
        if is_code and not name.startswith("_") and value.__doc__:
            yield name, value


def _entry(name: str, value: Any, level: int = 3) -> Iterator[str]:
    yield from (f"{'#' * level} `{name}`", "")
    shown = name if level > 3 else name.rpartition(".")[2]
    if not isinstance(value, ModuleType):
        yield from ("```py", _signature(shown, value), "```", "")
    if isinstance(value, type) and issubclass(value, Exception):
        base = next(one for one in value.__mro__[1:] if not one.__name__.startswith("_"))
        yield from (f"Base class: `{base.__name__}`", "")
    yield from _docstring(value)
    constructor = vars(value).get("__init__") if isinstance(value, type) else None
    if constructor is not None and constructor.__doc__:
        yield from _docstring(constructor)


def _signature(name: str, value: Any) -> str:
    """Return what declares something, as the source has it."""
    compute = getattr(value, "fget", None) or getattr(value, "_compute", None)
    if compute is not None:
        return f"{name}: {inspect.signature(compute).return_annotation}"
    start = "async def" if inspect.iscoroutinefunction(value) else "def"
    start = "class" if isinstance(value, type) else start
    try:
        signature = inspect.signature(value)
    except ValueError:
        return f"class {name}"
    parameters = [
        one.replace(annotation=_annotation(one.annotation), default=_default(one.default))
        for one in signature.parameters.values()
        if one.name not in ("self", "cls")
    ]
    written = str(inspect.Signature(parameters))
    if start == "class" and written in ("()", "(*args, **kwargs)", "(/, *args, **kwargs)"):
        written = ""  # it has no constructor of its own
    end = f" -> {signature.return_annotation}" if start != "class" else ""
    line = f"{start} {name}{written}{end}"
    if len(line) <= _WIDTH:
        return line
    before, _, rest = line.partition("(")
    inner, _, after = rest.rpartition(")")
    one_per_line = re.sub(r", (?=[*/]|\w+: )", ",\n    ", inner)
    return f"{before}(\n    {one_per_line},\n){after}"


def _annotation(value: Any) -> Any:
    text = getattr(value, "__forward_arg__", value)  # of a NamedTuple
    return _Written(text) if isinstance(text, str) else value


def _default(value: Any) -> Any:
    """Return a default; a function by its name, if it has one."""
    if not inspect.isroutine(value):
        return value
    return _Written("..." if "<" in value.__qualname__ else value.__qualname__)


def _docstring(value: Any) -> Iterator[str]:
    """Yield a docstring in Google's style as Markdown."""
    text = f"{inspect.cleandoc(value.__doc__)}\n"
    yield _SECTION.sub(lambda match: _section(match[1], match[2]), text)


def _section(heading: str, body: str) -> str:
    body = textwrap.dedent(body).strip()
    if heading in ("Returns", "Yields"):
        return f"{heading}: {body}\n\n"
    items = []
    for item in re.split(r"\n(?! )", body):
        name, _, meaning = item.partition(": ")
        items.append(f"- `{name}`: {inspect.cleandoc(meaning)}".replace("\n", "\n  "))
    return "\n".join((f"{heading}:", "", *items, "", ""))

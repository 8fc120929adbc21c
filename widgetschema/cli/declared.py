"""Options of commands, each declared once: its names, type, help, default, setting and conflicts.

    class Greeting(Options):
        name: str | None = argument(metavar="[NAME]", required=False)
        loud: bool = option("--loud", help="Shout.")
        quiet: bool = option("--quiet", help="Whisper.", excludes=("loud",))

    @Greeting.command("greet")
    def command(options: Greeting) -> int:
        "Greet NAME."

Help lists the options of a class in this order, then those of the classes that it extends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Final, TypeVar

import click

from widgetschema.cli.settings import load_settings
from widgetschema.project.config import Configuration
from widgetschema.project.config.settings import SETTINGS

_Own = TypeVar("_Own", bound="Options")
_IS_MANY: Final = "multiple"


class Declared:
    """A parameter of a command that has no name in Python yet.

    Attributes:
        names: The names of the option; none for an argument.
        attributes: What click is given.
        setting: The name of the setting that the option gives, if it gives one.
        excludes: The names in Python of options that cannot be combined with it.
    """

    def __init__(
        self,
        names: tuple[str, ...],
        attributes: Mapping[str, Any],
        *,
        setting: str | None = None,
        excludes: Iterable[str] = (),
    ) -> None:
        if isinstance(attributes.get("type"), click.IntRange):
            attributes["type"].name = "integer"  # errors call it that, not "integer range"
        self.names = names
        self.attributes = attributes
        self.setting = setting
        self.excludes = tuple(excludes)

    @property
    def default(self) -> Any:
        """The value of an option that is not passed."""
        attributes = self.attributes
        if "default" in attributes:
            return attributes["default"]
        if attributes.get("callback") is not None:
            return attributes["callback"](None, None, ()) if attributes.get(_IS_MANY) else None
        if attributes.get("is_flag"):
            return False
        return () if attributes.get(_IS_MANY) or attributes.get("nargs") == -1 else None

    def parameter(self, name: str) -> click.Parameter:
        """Return the parameter of click with a name in Python."""
        if not self.names:
            return click.Argument([name], **self.attributes)
        return click.Option([*self.names, name], **self.attributes)


def argument(**attributes: Any) -> Any:
    """Declare an argument, with the attributes of `click.Argument`."""
    return Declared((), attributes)


def option(*names: str, excludes: Iterable[str] = (), **attributes: Any) -> Any:
    """Declare an option, with the attributes of `click.Option`.

    Without `metavar` and `type`, it is a flag. `help` need not repeat the default.
    """
    if isinstance(attributes.get("type"), click.IntRange):
        attributes.setdefault("metavar", "N")
    if attributes.keys().isdisjoint(("metavar", "type")):
        attributes["is_flag"] = True
    attributes["help"] = _with_default(attributes["help"], attributes.get("default"))
    return Declared(names, attributes, excludes=excludes)


def _with_default(text: str, default: object) -> str:
    """Return the help of an option, which ends with the default, unless it says that itself."""
    if default is None or default is False or "Default:" in text:
        return text
    return f"{text} Default: {default}."


def setting_option(name: str, *names: str, excludes: Iterable[str] = (), **others: Any) -> Any:
    """Declare the option of a setting, which says its name, type, default and help.

    Args:
        name: The name of the setting.
        names: Further names of the option.
        excludes: As for `option`.
        others: Further attributes of `click.Option`.
    """
    setting = SETTINGS[name]
    assert setting.option is not None
    schema = setting.schema
    attributes: dict[str, Any] = {"metavar": setting.metavar}
    if setting.is_flag:
        attributes = {"is_flag": True}
    elif "enum" in schema:
        attributes["type"] = click.Choice(schema["enum"])
    elif schema["type"] == "integer":
        attributes["type"] = click.IntRange(schema["minimum"])  # people may exceed it
    elif schema["type"] == "array":
        attributes[_IS_MANY] = True
    default = setting.default if isinstance(setting.default, (str, int)) else None
    text = _with_default(setting.option_help, None if setting.is_flag else default)
    attributes = {"help": text, **attributes, **others}
    return Declared((setting.option, *names), attributes, setting=name, excludes=excludes)


class Options:
    """The values of the options of a command, by their names in Python; they don't change."""

    declared: ClassVar[Mapping[str, Declared]] = {}

    def __init_subclass__(cls) -> None:
        own = {name: value for name, value in vars(cls).items() if isinstance(value, Declared)}
        lists = [own, *(getattr(base, "declared", {}) for base in cls.__bases__)]
        cls.declared = {name: getattr(cls, name) for names in lists for name in names}

    def __init__(self, **values: Any) -> None:
        unknown = values.keys() - self.declared.keys()
        if unknown:
            raise TypeError(f"{type(self).__name__} has no option {', '.join(sorted(unknown))}")
        for name, declared in self.declared.items():
            object.__setattr__(self, name, values.get(name, declared.default))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed: {name}")

    def replace(self: _Own, **values: Any) -> _Own:
        """Return the same options with other values."""
        return type(self)(**{**{name: getattr(self, name) for name in self.declared}, **values})

    @classmethod
    def command(
        cls: type[_Own], name: str, kind: type[click.Command] = click.Command, **attributes: Any
    ) -> Callable[[Callable[[_Own], int]], click.Command]:
        """Return a decorator: the command of a function that takes these options.

        Its docstring is the help. Options that exclude each other are refused.
        """
        return lambda function: kind(name, **cls._called(function), **attributes)

    @classmethod
    def group(
        cls: type[_Own], name: str, kind: type[click.Group] = click.Group, **attributes: Any
    ) -> Callable[[Callable[[_Own], int]], click.Group]:
        """Return a decorator: the group of commands of a function, as `command` does."""
        return lambda function: kind(name, **cls._called(function), **attributes)

    @classmethod
    def _called(cls: type[_Own], function: Callable[[_Own], int]) -> dict[str, Any]:
        """Return the attributes of a command that calls a function."""

        def call(**values: Any) -> int:
            options = cls(**values)
            options.refuse_conflicts()
            return function(options)

        parameters = [declared.parameter(name) for name, declared in cls.declared.items()]
        return {"callback": call, "params": parameters, "help": function.__doc__}

    def refuse_conflicts(self) -> None:
        """Raise a usage error for options that exclude each other."""
        for name, declared in self.declared.items():
            for other in declared.excludes:
                if getattr(self, name) and getattr(self, other):
                    first, second = declared.names[0], self.declared[other].names[0]
                    raise click.UsageError(f"{first} and {second} cannot be combined.")

    @property
    def given_settings(self) -> dict[str, Any]:
        """The values that options give to settings, by their names in Python."""
        given = {}
        for name, declared in self.declared.items():
            value = getattr(self, name)
            if declared.setting is None or value in (None, False, ()):
                continue
            setting = SETTINGS[declared.setting]
            given[setting.attribute] = not setting.default if setting.is_flag else value
        return given

    def apply(self, configuration: Configuration) -> Configuration:
        """Return a configuration with the options that give a setting."""
        return configuration.with_options(**self.given_settings)

    def settings(self) -> Configuration:
        """Return the settings in force for the command. Raises `ConfigurationError`."""
        return self.apply(load_settings())

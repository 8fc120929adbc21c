"""The result of an export: frozen values that the form of another library is made of."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Final, Literal

from widgetschema.cached import cached_property
from widgetschema.files import write_atomically
from widgetschema.jsontext import dump

# What a loss is about. `data`: the value changes, or its place among the members, as soon as the
# library has it. `spelling`: the value stays, its JSON text does not. `control`: there is
# no control for it, or one that does not show it; the value stays. `editing`: what cannot be typed
# or chosen. `checking`: what the library's validator does not check, or reads in another way.
# `layout`: how a UI description arranges or shows it. `secrecy`: who has the page can read it.
LossKind = Literal["data", "spelling", "control", "editing", "checking", "layout", "secrecy"]


FORM_FILE: Final = "form.json"


@dataclass(frozen=True, slots=True)
class Loss:
    """Something that the target cannot represent: its place, and what happens instead.

    `path` is a JSON Pointer into the data, `""` for the whole. If the loss may occur wherever a
    subschema applies, the path has `*` for any item.
    """

    kind: LossKind
    path: str
    message: str

    def as_dict(self) -> dict[str, str]:
        """Return the loss as a JSON object; its member names are part of the contract."""
        return {"kind": self.kind, "path": self.path, "message": self.message}

    def __str__(self) -> str:
        return f"{self.path or '(whole)'}: {self.message}"


class Losses:
    """The losses of one export, each once, in the order in which they were found."""

    def __init__(self) -> None:
        self.found: dict[Loss, None] = {}

    def lose(self, path: str, message: str, kind: LossKind = "control") -> None:
        """Record a loss."""
        self.found[Loss(kind, path, message)] = None

    def lose_all(self, losses: Iterable[Loss]) -> None:
        """Record several losses."""
        self.found |= dict.fromkeys(losses)


def secret_losses(paths: Iterable[str]) -> Iterator[Loss]:
    """Yield the loss for each secret in the data, by its JSON Pointer."""
    for path in paths:
        yield Loss("secrecy", path, "the secret is in the data: anyone with the page can read it")


@dataclass(frozen=True)
class Export:
    """A form for another library.

    Attributes:
        target: `rjsf` or `jsonforms`.
        schema: The schema of the data, self-contained.
        ui_schema: How it is shown, in the terms of the library.
        data: A Python value of the data, in the order of the text.
        props: Properties that the form component of the library needs.
        fields: Names of fields that must be registered; those of `files` are.
        losses: What the target cannot represent.

    All but `losses` are JSON values: treat them as read-only.

    """

    target: str
    schema: Mapping[str, Any]
    ui_schema: Mapping[str, Any]
    data: Any
    props: Mapping[str, Any] = field(default_factory=dict)
    fields: tuple[str, ...] = ()
    losses: tuple[Loss, ...] = ()

    @property
    def uischema(self) -> Mapping[str, Any]:
        """`ui_schema`, by the name that JSON Forms has for it."""
        return self.ui_schema

    @property
    def keeps_data(self) -> bool:
        """True if this data is equal, and in the same order, after mount and after submit."""
        return not any(loss.kind == "data" for loss in self.losses)

    @cached_property
    def files(self) -> dict[str, str]:
        """All that an application needs, as texts by the names of files.

        `form.json` is the export, `widget-form.jsx` a React component that shows it. It imports the
        other files, if there are any.
        """
        folder = files("widgetschema.forms.exports").joinpath("components", self.target)
        components = {one.name: one.read_text("utf-8") for one in folder.iterdir()}
        return {FORM_FILE: f"{dump(self.as_dict())}\n", **dict(sorted(components.items()))}

    def write(self, folder: str | os.PathLike[str]) -> None:
        """Write all `files` to a folder.

        Args:
            folder: The folder; it is created if it does not exist.

        Raises:
            OSError: A file cannot be written.
        """
        os.makedirs(folder, exist_ok=True)
        for name, text in self.files.items():
            write_atomically(os.path.join(folder, name), text)

    def as_dict(self) -> dict[str, Any]:
        """Return the export as a JSON object, its members named as the library names them."""
        ui = "uischema" if self.target == "jsonforms" else "uiSchema"
        return {
            "target": self.target,
            "schema": self.schema,
            ui: self.ui_schema,
            "data": self.data,
            "props": self.props,
            "fields": list(self.fields),
            "keepsData": self.keeps_data,
            "losses": [loss.as_dict() for loss in self.losses],
        }

"""Load the templates of forms: those of an application first, then those of this package.

Templates of an application are checked when they are loaded, all of them at once, and an error in
one names its file and line. Nothing here knows a form.

A form has a hundred small parts, so what each of them costs counts: templates are compiled for one
language, with its texts in them, and those of this package contain what they include.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from types import TracebackType
from typing import Any, Final

from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    FunctionLoader,
    PackageLoader,
    StrictUndefined,
    Template,
    TemplateNotFound,
    TemplateRuntimeError,
    TemplateSyntaxError,
    meta,
    nodes,
)

from widgetschema.errors import InvalidTemplate
from widgetschema.files import read_file
from widgetschema.forms.html.template_variables import KINDS, TEMPLATES, variables_of
from widgetschema.forms.newlines import normalize_newlines
from widgetschema.forms.texts import FORM_DOMAIN, TEXTS
from widgetschema.languages import Language, current_language
from widgetschema.suggest import did_you_mean, nearest
from widgetschema.templates import Environment

_SUFFIX: Final = ".html"
_INCLUDE: Final = re.compile(r'\{% include "([\w/-]+\.html)" (\+?)%\}(\n?)')
_INCLUDE_CONTROL: Final = re.compile(r"(?<=\{% include )control(?= \+?%\})")


class Templates(dict[str, Template]):
    """Templates by their names without `.html`: `field`, `kinds/colour`.

    `field+kinds/colour` is the first one, with the second one in place of its `control`.
    """

    def __init__(self, folders: Sequence[str], language: Language) -> None:
        super().__init__()
        self.folders = tuple(map(os.path.abspath, folders))
        self._environment = _Environment(_Loader(folders), undefined=_Missing)
        self._controls: dict[str, Template] = {}
        self._environment.globals.clear()  # they are looked through at rendering
        self._environment.filters["text"] = _text_filter(language)
        for folder in folders:
            _check_folder(self._environment, folder)

    def of_source(self, source: str) -> Template:
        """Return the template with this source, made once."""
        known = self._controls.get(source)
        if known is None:
            known = self._controls[source] = self._environment.from_string(source)
        return known

    def __missing__(self, name: str) -> Template:
        template = self[name] = self._environment.get_template(name + _SUFFIX)
        return template

    @contextmanager
    def locating_errors(self) -> Iterator[None]:
        """Raise `InvalidTemplate` for what goes wrong in a template of an application."""
        try:
            yield
        except InvalidTemplate:
            raise
        except Exception as error:
            place = _place(error, self.folders)
            if place is None:
                raise
            raise InvalidTemplate(*place, _problem(error)) from None


class _Environment(Environment):
    """An environment without globals, which a template would look through each time."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return those that a template is loaded with."""
        return {} if d is None else d


class _Loader(BaseLoader):
    """Finds templates in folders, then in this package, whose templates include one another."""

    def __init__(self, folders: Sequence[str]) -> None:
        self._own = PackageLoader("widgetschema.forms.html")
        self._all = ChoiceLoader([*map(_folder_loader, folders), self._own])

    def get_source(
        self, environment: Any, template: str
    ) -> tuple[str, str | None, Callable[[], bool] | None]:
        """Return the source of a template, and its file."""
        frame, _, control = template.removesuffix(_SUFFIX).partition("+")
        source, path, is_current = self._all.get_source(environment, frame + _SUFFIX)
        if control:
            source = _INCLUDE_CONTROL.sub(f'"{control}{_SUFFIX}"', source)
        if self._is_own(environment, frame + _SUFFIX, path):  # no lines of it are reported

            def included(match: re.Match[str]) -> str:
                name, keeps, end = match.groups()
                inside, path, _ = self.get_source(environment, name)
                if not self._is_own(environment, name, path):
                    return match[0]
                inside = inside.removesuffix("\n")
                if keeps and inside.endswith("%}"):
                    inside = f"{inside[:-2]}+%}}"
                return inside + end * bool(keeps)

            source = _INCLUDE.sub(included, source)
        return source, path, is_current

    def _is_own(self, environment: Environment, name: str, path: str | None) -> bool:
        try:
            return path == self._own.get_source(environment, name)[1]
        except TemplateNotFound:
            return False


def _folder_loader(folder: str) -> FunctionLoader:
    """Return what finds templates in a folder, which are read as any file: within a limit."""

    def source_of(name: str) -> tuple[str, str, Callable[[], bool]] | None:
        """Return the source of a template, its file, and whether it is current."""
        parts = name.split("/")
        path = os.path.join(folder, *parts)
        is_inside = all(os.path.basename(part) == part != os.pardir for part in parts)
        if not is_inside or not os.path.isfile(path):
            return None
        changed = os.path.getmtime(path)
        source = normalize_newlines(read_file(path).decode())

        def is_current() -> bool:
            """Return whether the file is the one that was read."""
            return os.path.isfile(path) and os.path.getmtime(path) == changed

        return source, path, is_current

    return FunctionLoader(source_of)


def load_templates(folders: tuple[str, ...]) -> Templates:
    """Return the templates of this package in the current language, overridden by those in folders.

    Raises `InvalidTemplate`; warns about a file whose name is almost that of a template.
    """
    return _loaded(folders, current_language())


@lru_cache(maxsize=64)
def _loaded(folders: tuple[str, ...], language: Language) -> Templates:
    return Templates(folders, language)


class _Missing(StrictUndefined):
    """A variable or an attribute that does not exist: using it is an error with advice."""

    __slots__ = ()

    def __init__(self, hint: str | None = None, **about: Any) -> None:
        name = about.get("name")
        if hint is None and isinstance(name, str):
            if "obj" in about:
                obj = about["obj"]
                known = [one for one in dir(obj) if not one.startswith("_")]
                known += map(str, obj) if isinstance(obj, Mapping) else ()
                hint = f"unknown attribute {name!r}{did_you_mean(name, known)}"
            else:
                hint = f"unknown variable {name!r}{did_you_mean(name, variables_of(''))}"
        super().__init__(hint, **about)


def _text_filter(language: Language) -> Callable[..., str]:
    phrases = language.phrases(FORM_DOMAIN)

    def text(name: str, /, **parameters: Any) -> str:
        """Return a text by its name. Jinja2 compiles one without parameters as a constant."""
        if name not in TEXTS:
            raise TemplateRuntimeError(f"there is no text {name!r}{did_you_mean(name, TEXTS)}")
        try:
            return phrases[name](**parameters)
        except KeyError as error:
            raise TemplateRuntimeError(f"the text {name!r} needs the parameter {error}") from None

    return text


def _check_folder(environment: Environment, folder: str) -> None:
    """Check all templates in a folder that override one of ours.

    Raises `InvalidTemplate`. Warns about files that override none, but look as if they should.
    """
    names = {*_template_files(folder)}
    referenced: set[str] = set()
    for name in sorted(names):
        stem = name.removesuffix(_SUFFIX)
        if stem not in TEMPLATES:
            continue
        path = os.path.join(folder, *name.split("/"))
        known = variables_of(stem)
        tree, unknown = _analysis(environment, path, known)
        for found in unknown:
            problem = f"unknown variable {found.name!r}{did_you_mean(found.name, known)}"
            raise InvalidTemplate(path, found.lineno, problem)
        for found_name, line in _references(tree):
            referenced.add(found_name)
            if not _exists(environment, found_name):
                raise InvalidTemplate(path, line, _no_template(found_name))
    for name in sorted(names - referenced):
        stem = name.removesuffix(_SUFFIX)
        alike = [] if stem in TEMPLATES else nearest(stem, TEMPLATES, 1)
        if alike:
            warnings.warn(
                f"{os.path.join(folder, name)} overrides no template; did you mean "
                f"{alike[0]}{_SUFFIX}?",
                UserWarning,
                stacklevel=2,
            )


def _template_files(folder: str) -> Iterator[str]:
    """Yield the names of the files that could override templates."""
    for prefix in ("", KINDS):
        with_prefix = os.path.join(folder, prefix)
        if os.path.isdir(with_prefix):
            for name in os.listdir(with_prefix):
                if name.endswith(_SUFFIX):
                    yield prefix + name


def _analysis(
    environment: Environment, path: str, known: Mapping[str, str]
) -> tuple[nodes.Template, list[nodes.Name]]:
    """Return the tree of a template, and where it uses variables that it does not get."""
    try:
        tree = environment.parse(read_file(path).decode(), filename=path)
        unknown = meta.find_undeclared_variables(tree) - known.keys()
    except TemplateSyntaxError as error:
        raise InvalidTemplate(path, error.lineno, error.message or "it cannot be read") from None
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise InvalidTemplate(path, None, f"it cannot be read: {reason}") from None
    uses = [one for one in tree.find_all(nodes.Name) if one.name in unknown]
    return tree, sorted(uses, key=lambda one: one.lineno)


def _references(tree: nodes.Template) -> Iterator[tuple[str, int]]:
    """Yield the names of the templates that a template always includes, with their lines."""
    kinds = (nodes.Include, nodes.Extends, nodes.Import, nodes.FromImport)
    for one in tree.find_all(kinds):
        name = getattr(one, "template", None)
        is_needed = not getattr(one, "ignore_missing", False)
        if is_needed and isinstance(name, nodes.Const) and isinstance(name.value, str):
            yield name.value, one.lineno


def _exists(environment: Environment, name: str) -> bool:
    try:
        assert environment.loader is not None
        environment.loader.get_source(environment, name)
    except TemplateNotFound:
        return False
    return True


def _place(error: Exception, folders: Sequence[str]) -> tuple[str, int] | None:
    """Return the file and line of the template of an application in which an error arose."""
    if isinstance(error, TemplateSyntaxError) and _is_below(error.filename or "", folders):
        return error.filename or "", error.lineno
    place = None
    trace: TracebackType | None = error.__traceback__
    while trace is not None:  # Jinja2 puts the lines of templates there; the last one is it
        path = trace.tb_frame.f_code.co_filename
        if path.endswith(_SUFFIX):
            place = (path, trace.tb_lineno) if _is_below(path, folders) else None
        trace = trace.tb_next
    return place


def _is_below(path: str, folders: Sequence[str]) -> bool:
    return any(os.path.abspath(path).startswith(os.path.join(one, "")) for one in folders)


def _problem(error: Exception) -> str:
    """Return what is wrong, for the author of a template."""
    if isinstance(error, TemplateNotFound):
        return _no_template(str(error.name))
    if isinstance(error, (TemplateSyntaxError, TemplateRuntimeError)):
        return error.message or type(error).__name__
    return f"{type(error).__name__}: {error}"


def _no_template(name: str) -> str:
    return (
        f"there is no template {name!r}{did_you_mean(name, [one + _SUFFIX for one in TEMPLATES])}"
    )

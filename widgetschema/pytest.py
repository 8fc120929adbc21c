"""The pytest plugin: tests of your own `save_widget()`, on data made from the schema.

    import widgetschema

    @widgetschema.pytest.cases("countdown")
    def test_save_widget(case):
        assert save_widget(case.data) is case.valid

pytest imports this file in every run on a machine where the package is installed, so what
makes data is imported when the first test asks for it, and not before.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import pytest

from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.errors import WidgetSchemaError
from widgetschema.extensions import EXTENSIONS
from widgetschema.jsontext import preview
from widgetschema.pointers import display_pointer
from widgetschema.suggest import did_you_mean
from widgetschema.text import escaped

if TYPE_CHECKING:
    from widgetschema.samples import Case, Seed

_KINDS: Final = ("valid", "boundary", "near_miss")  # in the order of the tests
_SPELLINGS: Final = {**{kind: kind for kind in _KINDS}, "coverage": "boundary"}
_SPELLINGS["near-miss"] = "near_miss"

_ARGUMENT: Final = "case"
_CASES_MARKER: Final = "widgetschema_cases"  # the marker of a test function, set by the decorator
_CASE_MARKER: Final = "widgetschema_case"  # the marker of one parametrised test, set by this file
_MARKERS: Final = (
    (
        f"{_CASES_MARKER}(type, ...): run the test for the cases of a widget type, as "
        "widgetschema.pytest.cases"
    ),
    (
        f"{_CASE_MARKER}(case, reproduce, kind): the case of one test; kind is one of "
        f"{', '.join(_KINDS)}"
    ),
)
_DEFAULT_SEED: Final = "0"
_LONGEST_ID: Final = 200
_LONGEST_DATA: Final = 2000


def cases(
    type: str | WidgetType,
    *,
    kinds: str | Iterable[str] = _KINDS,
    count: int = 20,
    catalog: Catalog | str | os.PathLike[str] | None = None,
    locale: str = "en",
    seed: Seed | None = None,
    limit: int | None = None,
    horizon: str | None = None,
) -> pytest.MarkDecorator:
    """Run a test once for each case, which is its argument `case`.

    A case has `data`, `valid`, `findings` (keyword and path of each), `kind` and `id`. Each test
    gets its own copy of the data, which it may change. Several decorators add up, and a decorator
    can be a `pytestmark`.

    Args:
        type: A widget type, or the id of one in the catalog.
        kinds: Any of "valid" (realistic samples), "boundary" (the coverage set) and "near_miss"
            (one human mistake each).
        count: The number of realistic samples.
        catalog: A catalog or a folder of schemas, relative to pytest's root directory; by default,
            the default catalog.
        locale: The language of texts, such as "en" or "de".
        seed: The seed of the samples; by default that of `--widgetschema-seed`.
        limit: The number of cases to take of all of them, spread evenly; None for all.
        horizon: The first and the last day of dates, as for `WidgetType.sample` and `coverage`.

    Raises:
        TypeError: If `type` is neither a widget type nor an id.
    """
    if not isinstance(type, (str, WidgetType)):
        raise TypeError(
            'the first argument is the id of a widget type: write @cases("countdown")'
            f", not {'@cases' if callable(type) else f'@cases({type!r})'}"
        )
    kinds = kinds if isinstance(kinds, str) else tuple(kinds)
    mark: pytest.MarkDecorator = getattr(pytest.mark, _CASES_MARKER)
    return mark(
        type,
        kinds=kinds,
        count=count,
        catalog=catalog,
        locale=locale,
        seed=seed,
        limit=limit,
        horizon=horizon,
    )


class WidgetFactory:
    """A maker of valid widgets: the value of the fixtures `widget_data` and `widget_document`."""

    def __init__(self, make: Callable[..., Any], seed: Seed) -> None:
        self._make = make
        self._seed = seed
        self._made = Counter[str]()

    def __call__(
        self,
        type: str | WidgetType,
        index: int | None = None,
        *,
        seed: Seed | None = None,
        fill: float = 0.75,
        overrides: Mapping[str, Any] | None = None,
        locale: str = "en",
        horizon: str | None = None,
    ) -> Any:
        """Return a valid sample.

        Args:
            type: A widget type, or the id of one in the default catalog.
            index: The index of the sample; by default the next one of the type, from 0.
            seed: The seed; by default that of `--widgetschema-seed`.
            fill: As for `WidgetType.sample`, like the other arguments and what is raised.
            overrides: As for `WidgetType.sample`.
            locale: As for `WidgetType.sample`.
            horizon: As for `WidgetType.sample`.
        """
        widget = type if isinstance(type, WidgetType) else Catalog.default()[type]
        if index is None:
            index = self._made[widget.id]
            self._made[widget.id] += 1
        seed = self._seed if seed is None else seed
        return self._make(
            widget, seed, index, fill=fill, overrides=overrides, locale=locale, horizon=horizon
        )


@pytest.fixture
def widget_data(pytestconfig: pytest.Config) -> WidgetFactory:
    """Make valid widget data: `widget_data("countdown")`, and the next one with each call."""
    return WidgetFactory(WidgetType.sample, seed_of(pytestconfig))


@pytest.fixture
def widget_document(pytestconfig: pytest.Config) -> WidgetFactory:
    """Make valid widget documents: as `widget_data`, with the record around the data."""
    return WidgetFactory(WidgetType.sample_document, seed_of(pytestconfig))


# What pytest calls


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Declare the seed, as an option and for the configuration file; add those of extensions."""
    for extension in EXTENSIONS.values():
        for plugin in extension.pytest_plugins:
            pluginmanager.import_plugin(plugin)
    help = f"Seed of the widget data that tests get, a text or a number (default: {_DEFAULT_SEED})"
    group = parser.getgroup("widgetschema")
    group.addoption("--widgetschema-seed", metavar="SEED", help=help)
    parser.addini("widgetschema_seed", help, default=_DEFAULT_SEED)


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers, so that `--strict-markers` knows them."""
    for line in _MARKERS:
        config.addinivalue_line("markers", line)


def pytest_report_header(config: pytest.Config) -> str | None:
    """Return the seed, if it is not the default."""
    seed = seed_of(config)
    return None if seed == _DEFAULT_SEED else f"widgetschema: seed {seed}"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrise a test with the cases of its decorators."""
    marks = [*metafunc.definition.iter_markers(_CASES_MARKER)]
    if not marks:
        return
    try:
        _check_argument(metafunc)
        source = metafunc.config.stash.get(_SOURCE, None) or _CaseSource(metafunc.config)
        metafunc.config.stash[_SOURCE] = source
        made = [
            parameter for mark in marks for parameter in source.cases(*mark.args, **mark.kwargs)
        ]
    except (WidgetSchemaError, ValueError, LookupError) as error:
        # A collection error with this message and no traceback.
        raise pytest.Collector.CollectError(f"{metafunc.definition.nodeid}: {error}") from error
    metafunc.parametrize(_ARGUMENT, [*_parameters(made)])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Give a test its own copy of the data."""
    mark = item.get_closest_marker(_CASE_MARKER)
    if mark is not None and isinstance(item, pytest.Function):
        case: Case = mark.args[0]
        item.callspec.params[_ARGUMENT] = replace(case, data=deepcopy(case.data))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show the case of a test that failed, and how to reproduce it."""
    report = yield
    mark = item.get_closest_marker(_CASE_MARKER)
    if report.failed and mark is not None:
        report.sections.append(("widgetschema case", _describe(*mark.args)))
    return report


# How cases are made


@dataclass(frozen=True, slots=True)
class _Parameter:
    """One case for a test; `reproduce` is the expression that makes its data again."""

    type: str
    kind: str
    case: Case
    reproduce: str


class _CaseSource:
    """The source of cases for one run of pytest, which caches what many tests need."""

    def __init__(self, config: pytest.Config) -> None:
        self._seed = seed_of(config)
        self._root = config.rootpath
        self._catalogs: dict[str, Catalog] = {}
        self._cache: dict[tuple[Any, ...], tuple[Case, ...]] = {}

    def cases(
        self,
        type: str | WidgetType,
        kinds: str | Iterable[str] = _KINDS,
        count: int = 20,
        catalog: Catalog | str | os.PathLike[str] | None = None,
        locale: str = "en",
        seed: Seed | None = None,
        limit: int | None = None,
        horizon: str | None = None,
    ) -> list[_Parameter]:
        """Return the cases for one decorator; see there for the arguments."""
        wanted = _parse_kinds(kinds)
        if count < 0:
            raise ValueError(f"count is 0 or more, not {count}")
        if limit is not None and limit < 1:
            raise ValueError(f"limit is 1 or more, not {limit}")
        widget, expression = self._widget_type(type, catalog)
        values = {"locale": locale, "horizon": horizon}
        made: list[_Parameter] = []
        for kind in wanted:
            if kind == "valid":
                found = _valid(
                    widget, expression, count, self._seed if seed is None else seed, values
                )
            else:
                found = self._cached_cases(widget, expression, kind, values)
            made += [_Parameter(widget.id, kind, case, reproduce) for case, reproduce in found]
        if limit is None or limit >= len(made):
            return made
        return [made[index * len(made) // limit] for index in range(limit)]

    def _widget_type(
        self, type: str | WidgetType, catalog: Catalog | str | os.PathLike[str] | None
    ) -> tuple[WidgetType, str]:
        """Return the widget type, and the expression that stands for it in a failure report."""
        if isinstance(type, WidgetType):
            return type, "widget_type"
        if catalog is None:
            return Catalog.default()[type], f"widgetschema.widget_type({type!r})"
        if isinstance(catalog, Catalog):
            return catalog[type], f"catalog[{type!r}]"
        folder = str(self._root / catalog)
        if folder not in self._catalogs:
            self._catalogs[folder] = Catalog(folder)
        return self._catalogs[folder][type], f"widgetschema.Catalog({folder!r})[{type!r}]"

    def _cached_cases(
        self, widget: WidgetType, expression: str, kind: str, values: dict[str, Any]
    ) -> Iterator[tuple[Case, str]]:
        """Return the coverage set or the near-misses, which take a second or two and are cached."""
        key = (widget, kind, *values.values())
        method = "coverage" if kind == "boundary" else "near_misses"
        if key not in self._cache:
            self._cache[key] = getattr(widget, method)(**values).cases
        every = f"{expression}.{method}({_arguments(values)})"
        for case in self._cache[key]:
            yield case, f"next(case.data for case in {every} if case.id == {case.id!r})"


_SOURCE: Final = pytest.StashKey[_CaseSource]()


def _valid(
    widget: WidgetType, expression: str, count: int, seed: Seed, values: dict[str, Any]
) -> Iterator[tuple[Case, str]]:
    from widgetschema.samples import Case  # not before a test asks

    rest = f", {_arguments(values)}" if _arguments(values) else ""
    for index, data in enumerate(widget.samples(count, seed, **values)):
        yield Case(f"valid-{index}", "valid", data), f"{expression}.sample({seed!r}, {index}{rest})"


def _arguments(values: dict[str, Any]) -> str:
    """Return the arguments of a call that are not the defaults."""
    given = {name: value for name, value in values.items() if value not in ("en", None)}
    return ", ".join(f"{name}={value!r}" for name, value in given.items())


def _parse_kinds(kinds: str | Iterable[str]) -> list[str]:
    """Return the kinds, in the order of generation. Raises `ValueError` for an unknown one."""
    asked = [kinds] if isinstance(kinds, str) else [*kinds]
    for kind in asked:
        if kind not in _SPELLINGS:
            meant = did_you_mean(str(kind), _SPELLINGS)
            raise ValueError(f"unknown kind of case {kind!r}{meant} (known: {', '.join(_KINDS)})")
    if not asked:
        raise ValueError(f"kinds names no kind of case (known: {', '.join(_KINDS)})")
    meant_kinds = {_SPELLINGS[kind] for kind in asked}
    return [kind for kind in _KINDS if kind in meant_kinds]


def _check_argument(metafunc: pytest.Metafunc) -> None:
    if _ARGUMENT not in metafunc.fixturenames:
        name = metafunc.function.__name__
        written = f"{name}({'self, ' if metafunc.cls else ''}{_ARGUMENT})"
        raise ValueError(
            f"the test gets its cases in the argument {_ARGUMENT!r}: write def {written}"
        )


def _parameters(made: list[_Parameter]) -> Iterator[Any]:
    """Return the parameters for pytest, with short and unique ids, which pytest escapes."""
    prefixed = len({parameter.type for parameter in made}) > 1
    taken: set[str] = set()
    mark: pytest.MarkDecorator = getattr(pytest.mark, _CASE_MARKER)
    for parameter in made:
        name = f"{parameter.type}:{parameter.case.id}" if prefixed else parameter.case.id
        if len(name) > _LONGEST_ID:
            name = f"{name[: _LONGEST_ID // 2]}...{name[-_LONGEST_ID // 2 :]}"
        id, number = name, 1
        while id in taken:
            number += 1
            id = f"{name}#{number}"
        taken.add(id)
        marks = mark(parameter.case, parameter.reproduce, kind=parameter.kind)
        yield pytest.param(parameter.case, id=id, marks=marks)


def seed_of(config: pytest.Config) -> str:
    """Return the seed of a run."""
    option = config.getoption("widgetschema_seed")
    return str(config.getini("widgetschema_seed") if option is None else option)


def _describe(case: Case, reproduce: str) -> str:
    """Describe a case in a few lines."""
    promised = ", ".join(f"{keyword} {display_pointer(path)}" for keyword, path in case.findings)
    return "\n".join(
        (
            f"id:        {escaped(case.id)} ({case.kind})",
            *([f"pair:      {escaped(' & '.join(case.pair))}"] if case.pair else []),
            f"findings:  {promised[:_LONGEST_DATA] or 'none, the data is valid'}",
            f"data:      {preview(case.data, _LONGEST_DATA)}",
            f"reproduce: {reproduce}",
        )
    )

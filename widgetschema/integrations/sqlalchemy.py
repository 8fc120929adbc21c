"""SQLAlchemy: column types for widget data, which is checked before it is written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from widgetschema.integrations import (
    CatalogSource,
    catalog_of,
    importing,
    require_catalog,
    require_type,
)

with importing("sqlalchemy"):
    from sqlalchemy import JSON, ClauseElement, Column, ColumnDefault, Text, event, inspect
    from sqlalchemy.engine import Dialect
    from sqlalchemy.orm import InstanceState, Mapper, Session, configure_mappers
    from sqlalchemy.types import TypeDecorator

from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.errors import InvalidWidgetData
from widgetschema.findings import Report
from widgetschema.integrations.stored_columns import Upgrades
from widgetschema.integrations.stored_columns import reading_as_stored as reading_as_stored
from widgetschema.jsontext import DEFAULT_LIMITS, plain_copy
from widgetschema.suggest import did_you_mean
from widgetschema.text import join, one_line

if TYPE_CHECKING:
    from widgetschema.evolution.migrate import MigrationChain
    from widgetschema.integrations.stored_columns import Migrations

_NO_SQL: Final = (
    "an SQL expression cannot be checked; assign the value itself, or store it with Core and run "
    "check_many afterwards"
)
_NO_TYPE: Final = (
    "a statement has widget data, but not the type of each row, which is in the attribute {!r}: "
    "add objects to the session, or check the data first, and execute the statement inside "
    "unchecked_statements()"
)
_NO_MIGRATIONS: Final = (
    "migrations are for data of a fixed type, since the type of a row is not known where its data "
    "is read: apply a MigrationChain to each object"
)
_NO_VARIANT: Final = (
    "data of a variant with the type {0} would be neither checked nor migrated: use a subclass of "
    "{1} with impl = {0}"
)
_KEY: Final = 60  # characters of a key in an error
_IN_FLUSH: Final = ContextVar("widgetschema_in_flush", default=False)  # data was checked
_UNCHECKED: Final = ContextVar("widgetschema_unchecked_statements", default=False)


@contextmanager
def unchecked_statements() -> Iterator[None]:
    """Write widget data with statements that cannot be checked, because its type is in the rows.

    Check the data before, or the rows afterwards (`check_many`). This is for the current thread
    or task, and for types with a `type_attribute`; data of a fixed type is always checked.
    """
    token = _UNCHECKED.set(True)
    try:
        yield
    finally:
        _UNCHECKED.reset(token)


class _WidgetColumn(TypeDecorator[Any]):
    """The part that both types share. The type of the data is fixed, or in another attribute."""

    cache_ok = True
    _impl_options: ClassVar[dict[str, Any]] = {}

    def __init__(
        self,
        type: str | None = None,
        *,
        type_attribute: str | None = None,
        catalog: CatalogSource = Catalog.default,
        migrations: Migrations | None = None,
    ) -> None:
        require_type(self.__class__.__name__, type, type_attribute=type_attribute)
        if migrations is not None and type is None:
            raise TypeError(_NO_MIGRATIONS)
        require_catalog(catalog)
        self._upgrades = None if migrations is None else Upgrades(migrations)
        super().__init__(**self._impl_options)
        self.type = type
        self.type_attribute = type_attribute
        self.catalog = catalog
        self.attributes: tuple[str, ...] = ()  # set when mappers are configured
        self._copied_from: _WidgetColumn | None = None
        # A part of the key by which SQLAlchemy caches statements, so it must be hashable.
        self.migrations = None if self._upgrades is None else self._upgrades.migrations

    def __repr__(self) -> str:  # as migrations write it, which check nothing
        name = self.type_attribute
        argument = repr(self.type) if name is None else f"type_attribute={name!r}"
        return f"{self.__class__.__name__}({argument})"

    def copy(self, **options: Any) -> Any:
        """Return a copy: that of a dialect may be made before attributes are known."""
        copied = super().copy(**options)
        copied._copied_from = self
        return copied

    def with_variant(self, type_: Any, *dialect_names: str) -> Any:
        """Return a copy with another type for some dialects, which must check data, too.

        Raises:
            TypeError: If that type does not check data.
        """
        variant = type_ if isinstance(type_, type) else type(type_)
        if not issubclass(variant, _WidgetColumn):
            raise TypeError(_NO_VARIANT.format(variant.__name__, type(self).__name__))
        return super().with_variant(type_, *dialect_names)

    def report(self, id: Any, value: Any) -> Report:
        """Return the report about a value of this column, for a widget type."""
        raise NotImplementedError

    def widget_type(self, id: Any) -> WidgetType:
        """Return the widget type with an id, or a member of an `Enum` that has it as its value."""
        id = id.value if isinstance(id, Enum) else id
        if not isinstance(id, str):
            where = f"the attribute {self.type_attribute!r} must be"
            raise TypeError(f"{where} the id of a widget type, not {type(id).__name__}")
        return catalog_of(self.catalog)[id]

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        """Return stored data, of the newest version if there are migrations."""
        upgrades = self._upgrades
        if value is None or upgrades is None:
            return value
        return upgrades.read(value, lambda one: self._migrate(upgrades.chain, one), self._name)

    def coerce_compared_value(self, op: Any, value: Any) -> Any:
        """Return the type of a value that the column is compared with: it is no widget data."""
        return self.impl_instance.coerce_compared_value(op, value)

    def _migrate(self, chain: MigrationChain, stored: Any) -> Any:
        """Return stored data as data of the newest version."""
        raise NotImplementedError

    @property
    def _name(self) -> str | None:
        """The attributes of this column, such as `Card.data`, if it is mapped."""
        if not self.attributes and self._copied_from is not None:
            return self._copied_from._name
        return join(self.attributes, "or") if self.attributes else None

    def _check_bound(self, value: Any) -> None:
        """Check values that are written without a mapper, if the type is fixed."""
        if self.type is not None:
            report = self.report(self.type, value)
            if not report.valid:
                configure_mappers()  # they name the attributes, and may not have been used yet
            _raise_invalid(report, self._name)
        elif not (_IN_FLUSH.get() or _UNCHECKED.get()):
            raise TypeError(_NO_TYPE.format(self.type_attribute))


class _Parts(TypeDecorator.Comparator[Any]):
    """The operators of a column of widget data: a part of the data is plain JSON."""

    def __getitem__(self, index: Any) -> Any:
        part: Any = super().__getitem__(index)
        part.type = part.type.impl_instance
        return part


def _operators(module: str, name: str, impl: Any) -> Any:
    """Return the operators of the type with this name: those of its column, and `_Parts`."""
    own = {"__module__": module, "__qualname__": f"{name}.comparator_factory"}  # for pickle
    return type("comparator_factory", (_Parts, impl.comparator_factory), own)


class WidgetDataType(_WidgetColumn):
    """A column of widget data, stored as JSON.

    The ORM checks data before it is written, whenever the data or its type has changed, and raises
    `InvalidWidgetData`, whose report names the attribute and the row; the session must then be
    rolled back. If the type is fixed, statements without the ORM are checked as well: SQLAlchemy
    raises `StatementError`, and its `orig` is the `InvalidWidgetData`. If the type is in an
    attribute, such statements are refused, see `unchecked_statements`; those that update only that
    attribute have no data, and are not checked. None is stored as NULL, and
    not checked. Reading never checks, unless there are `migrations`: then data that the newest
    schema refuses is migrated as it is read. It is written back only if the attribute is changed or
    flagged (`flag_modified`), and data that cannot be migrated raises `MigrationFailed`, except
    inside `reading_as_stored`. That error names the attribute and quotes the beginning of the data;
    the row is not known here.

    Args:
        type: The id of the widget type, if it is the same for all rows.
        type_attribute: The mapped attribute that has the id of the type.
        catalog: The catalog, or a function that returns it; by default `Catalog.default`.
        migrations: The migrations from earlier versions of the type, oldest first, or a function
            that returns them, which is called once; see `MigrationChain`.

    Raises:
        TypeError: Unless there is exactly one of `type` and `type_attribute`; or if there are
            migrations, but no `type`, or they are not a list of migrations.
        ValueError: If the migrations do not follow each other (see `MigrationChain`).
    """

    impl = JSON
    cache_ok = True
    comparator_factory = _operators(__name__, "WidgetDataType", JSON)
    _impl_options: ClassVar[dict[str, Any]] = {"none_as_null": True}

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "impl" in vars(cls):  # such as JSONB
            cls.comparator_factory = _operators(cls.__module__, cls.__qualname__, cls.impl)

    def report(self, id: Any, value: Any) -> Report:
        """Return the report about data, as Python values."""
        return self.widget_type(id).check(value)

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        """Return a checked copy in plain JSON values, which any JSON library writes alike."""
        if value is None:
            return None
        self._check_bound(value)
        plain, findings = plain_copy(value, DEFAULT_LIMITS.max_depth)
        _raise_invalid(Report(findings, "widget data"))
        return plain

    def _migrate(self, chain: MigrationChain, stored: Any) -> Any:
        return chain.apply(stored)


class WidgetTextType(_WidgetColumn):
    """A column of the JSON text of widget data, stored unchanged.

    A value is a str. Numbers, the order of members and white space stay as they are, and findings
    have lines and columns. For the rest, and the arguments, see `WidgetDataType`.
    """

    impl = Text
    cache_ok = True

    def report(self, id: Any, value: Any) -> Report:
        """Return the report about data, as JSON text."""
        if not isinstance(value, str):
            raise TypeError(f"the value is JSON text, a str, not {type(value).__name__}")
        return self.widget_type(id).check_json(value)

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        """Return the text, after checking it."""
        if value is not None:
            self._check_bound(value)
        return value

    def _migrate(self, chain: MigrationChain, stored: Any) -> Any:
        return chain.apply_json(stored)


class _Guarded(NamedTuple):
    """An attribute with widget data: its key, and its type."""

    key: str
    column_type: _WidgetColumn


def _guarded(mapper: Mapper[Any]) -> Iterator[_Guarded]:
    for attribute in mapper.column_attrs:
        column_type = attribute.columns[0].type
        if isinstance(column_type, _WidgetColumn):
            yield _Guarded(attribute.key, column_type)


@event.listens_for(Mapper, "mapper_configured")
def _guard(mapper: Mapper[Any], class_: type[Any]) -> None:
    """Check the objects of a mapper before they are written, if it has widget data."""
    guarded = [*_guarded(mapper)]
    if not guarded:
        return
    for one in guarded:
        if mapper.inherits is None or one.key not in mapper.inherits.column_attrs:
            one.column_type.attributes += (f"{class_.__name__}.{one.key}",)
        name = one.column_type.type_attribute
        if name is not None and name not in mapper.column_attrs:
            known = [attribute.key for attribute in mapper.column_attrs]
            meant = did_you_mean(name, known)
            raise TypeError(
                f"{class_.__name__}.{one.key}: type_attribute={name!r} names no column{meant}"
            )

    def check(mapper: Mapper[Any], connection: Any, target: Any) -> None:
        """Raise `InvalidWidgetData` if an object must not be written."""
        for one in guarded:
            _check(target, one)
        _IN_FLUSH.set(True)

    event.listen(mapper, "before_insert", check)
    event.listen(mapper, "before_update", check)


@event.listens_for(Session, "after_flush")
@event.listens_for(Session, "after_soft_rollback")
def _end_flush(session: Session, _: Any) -> None:
    """Check further statements again: the flush has ended, or failed."""
    _IN_FLUSH.set(False)


def _check(target: Any, guarded: _Guarded) -> None:
    """Raise `InvalidWidgetData` if data has become invalid, or its type another one."""
    key, column_type = guarded
    state = inspect(target)
    names = [name for name in (key, column_type.type_attribute) if name is not None]
    if state.persistent and not any(state.attrs[name].history.has_changes() for name in names):
        return
    values = [_value(state, name) for name in names]
    if values[0] is not None:
        id = column_type.type if column_type.type_attribute is None else values[1]
        place = f"{state.class_.__name__}.{key} ({_row(state)})"
        _raise_invalid(column_type.report(id, values[0]), place)


def _row(state: InstanceState[Any]) -> str:
    """Return words for a row, with the parts of its primary key that are known."""
    keys = [state.mapper.get_property_by_column(one).key for one in state.mapper.primary_key]
    values = state.identity or [state.dict.get(key) for key in keys]
    known = [
        f"{key} {one_line(str(value), _KEY)}"
        for key, value in zip(keys, values, strict=True)
        if value is not None and not isinstance(value, ClauseElement)
    ]
    row = "row" if state.persistent else "new row"
    return f"{row} with {join(known)}" if known else row


def _value(state: InstanceState[Any], name: str) -> Any:
    """Return the value that will be written: that of an attribute, else a scalar default."""
    if not state.persistent and name not in state.dict:
        column = state.mapper.column_attrs[name].columns[0]
        default = column.default if isinstance(column, Column) else None
        return default.arg if isinstance(default, ColumnDefault) and default.is_scalar else None
    value = getattr(state.object, name)
    if isinstance(value, ClauseElement):
        raise TypeError(f"{state.class_.__name__}.{name}: {_NO_SQL}")
    return value


def _raise_invalid(report: Report, place: str | None = None) -> None:
    """Raise `InvalidWidgetData` if there are findings."""
    if not report.valid:
        raise InvalidWidgetData(report, place)

"""SQLAlchemy: rows of earlier versions are migrated as they are read."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from sqlalchemy import column, create_engine, func, select, text
from sqlalchemy.dialects.postgresql import JSONB, dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
from sqlalchemy.orm.attributes import flag_modified

from tests.migrating import NEW, migration
from widgetschema import Catalog, Migration, MigrationFailed
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.integrations.sqlalchemy import (
    WidgetDataType,
    WidgetTextType,
    reading_as_stored,
)


class Cards(Catalog):
    """A catalog of one type."""

    def __getitem__(self, id: str) -> WidgetType:
        assert id == "card"
        return NEW


CALLS: list[int] = []


def migrations() -> list[Migration]:
    CALLS.append(1)
    return [migration()]


class Base(DeclarativeBase):
    pass


class Row(Base):
    __tablename__ = "cards"
    id: Mapped[int] = mapped_column(primary_key=True)
    data: Mapped[Any] = mapped_column(
        WidgetDataType("card", catalog=Cards([]), migrations=migrations)
    )
    source: Mapped[str | None] = mapped_column(
        WidgetTextType("card", catalog=Cards([]), migrations=[migration()])
    )


OLD_TEXT = '{"heading": "a", "rest": 1.0}'
NEW_TEXT = '{"title": "a", "rest": 1.0, "shown": true}'


@pytest.fixture
def session() -> Any:
    engine = create_engine("sqlite://")
    Base.metadata.create_all(engine)
    with Session(engine) as session:
        rows = [{"id": 1, "text": OLD_TEXT}, {"id": 2, "text": NEW_TEXT}]
        session.execute(text("insert into cards values (:id, :text, :text)"), rows)
        session.execute(text("insert into cards values (3, '{\"title\": 3}', null)"))
        session.commit()
        yield session
    engine.dispose()


def stored(session: Session, id: int) -> Any:
    return session.execute(text("select source from cards where id = :id"), {"id": id}).scalar()


def test_old_rows_are_read_as_new_ones(session: Session) -> None:
    rows = session.scalars(select(Row).where(Row.id < 3)).all()
    assert [row.source for row in rows] == [NEW_TEXT, NEW_TEXT]
    assert [row.data["title"] for row in rows] == ["a", "a"]
    assert CALLS == [1]


def test_they_are_written_back_when_they_are_changed(session: Session) -> None:
    row = session.get_one(Row, 1)
    session.commit()
    assert stored(session, 1) == OLD_TEXT
    assert row.source == NEW_TEXT
    flag_modified(row, "source")
    session.commit()
    assert stored(session, 1) == NEW_TEXT


def test_a_row_that_cannot_be_migrated(session: Session) -> None:
    with pytest.raises(MigrationFailed, match="title"):
        session.get(Row, 3)
    with reading_as_stored(only_failed=True):
        rows = session.scalars(select(Row).where(Row.id > 1).order_by(Row.id)).all()
        assert [row.data["title"] for row in rows] == ["a", 3]
    session.expire_all()
    with reading_as_stored():
        assert session.get_one(Row, 3).data == {"title": 3}


def test_the_error_of_a_list_names_the_attribute_and_the_data(session: Session) -> None:
    for query in (select(Row), select(Row.data)):
        with pytest.raises(MigrationFailed) as caught:
            session.scalars(query).all()
        assert caught.value.report.subject == (
            "Row.data: data of widget type 'card', stored as {\"title\": 3}"
        )
        assert caught.value.status == "not-old"
        assert caught.value.report.findings
    new = {"data": NEW_TEXT, "source": " 3\n" * 99}
    session.execute(text("update cards set source = :source, data = :data"), new)
    with pytest.raises(MigrationFailed, match=r"^Row\.source: .*, stored as 3 3 [3 ]{100,116}…: "):
        session.get(Row, 3)


def test_another_attribute_does_not_write_it_back(session: Session) -> None:
    row = session.get_one(Row, 1)
    row.id = 7
    session.commit()
    assert stored(session, 7) == OLD_TEXT


def test_parts_and_expressions(session: Session) -> None:
    parts = (Row.data["heading"], Row.data["heading"].as_string(), Row.data[("rest",)])
    whole = (func.coalesce(Row.data, Row.data), Row.source.label("text"))
    assert session.execute(select(*parts, *whole).where(Row.id == 1)).one() == (
        "a",
        "a",
        1.0,
        {"title": "a", "rest": 1.0, "shown": True},
        NEW_TEXT,
    )
    titles = select(Row.id).where(Row.data["title"].as_string() == "a")
    assert session.scalars(titles).all() == [2]


class Binary(WidgetDataType):
    """Data in a column of PostgreSQL's type for JSON."""

    impl = JSONB
    cache_ok = True


def test_another_type_of_column_keeps_its_operators() -> None:
    data = column("data", Binary("card", migrations=[migration()]))
    postgresql: Any = dialect
    for made, start in ((data.contains({}), "data @> "), (data["a"], "data -> ")):
        text = str(pickle.loads(pickle.dumps(made)).compile(dialect=postgresql()))
        assert text.startswith(start)
    assert type(data["a"].type) is JSONB


def test_a_variant_without_checks_is_refused() -> None:
    plain, own = WidgetDataType("card"), Binary("card")
    for variant in (JSONB, JSONB()):
        with pytest.raises(TypeError, match="subclass of WidgetDataType with impl = JSONB"):
            plain.with_variant(variant, "postgresql")
    assert isinstance(plain.with_variant(own, "postgresql"), WidgetDataType)


def test_wrong_migrations_are_refused_when_the_type_is_made() -> None:
    with pytest.raises(ValueError, match="at least one"):
        WidgetDataType("card", migrations=[])
    with pytest.raises(ValueError, match="does not start from the schema"):
        WidgetTextType("card", migrations=[migration(), migration()])
    with pytest.raises(TypeError, match="not Migration"):
        WidgetDataType("card", migrations=migration())  # type: ignore[arg-type]
    column = WidgetDataType("card", migrations=(one for one in [migration()]))  # type: ignore[arg-type]
    assert column.process_result_value({"heading": "a"}, None)["title"] == "a"  # type: ignore[arg-type]


def test_migrations_need_a_fixed_type() -> None:
    with pytest.raises(TypeError, match="fixed type"):
        WidgetDataType(type_attribute="type", migrations=[migration()])

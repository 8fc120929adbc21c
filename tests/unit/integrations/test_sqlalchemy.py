"""SQLAlchemy: data is checked before it is written, and comes back as it was."""

from __future__ import annotations

import json
import pickle
import threading
import uuid
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine, func, insert, select, text, update
from sqlalchemy.exc import IntegrityError, StatementError
from sqlalchemy.orm import (
    DeclarativeBase,
    Mapped,
    Session,
    configure_mappers,
    defer,
    mapped_column,
)
from sqlalchemy.orm.attributes import flag_modified
from sqlalchemy.orm.exc import StaleDataError

from tests.data.integrations import sqlalchemy_models
from tests.data.integrations.sqlalchemy_models import Countdown
from tests.terminal import HANG
from widgetschema import Catalog, InvalidWidgetData, UnknownWidgetType
from widgetschema.integrations.problems import problem_of
from widgetschema.integrations.sqlalchemy import (
    WidgetDataType,
    WidgetTextType,
    unchecked_statements,
)

VALID: dict[str, Any] = {"content": {}, "settings": {}, "styles": {}}
INVALID: dict[str, Any] = {"content": {"timerDays": "3"}, "settings": {}, "styles": {}}
FAQ: dict[str, Any] = {"properties": {"data": {"required": ["items"]}}}
POLL: dict[str, Any] = {"properties": {"data": {"required": ["question"]}}}
SCHEMAS: dict[str, Any] = {"faq": FAQ, "poll": POLL}
NOW = [0.0]
CATALOG = Catalog(SCHEMAS, max_age=1, clock=lambda: NOW[0])


class Kind(StrEnum):
    FAQ = "faq"
    POLL = "poll"


class Base(DeclarativeBase):
    pass


class Widget(Base):
    __tablename__ = "shelf"
    id: Mapped[int] = mapped_column(primary_key=True)
    type: Mapped[str] = mapped_column(default="faq")
    name: Mapped[str] = mapped_column(default="plain")
    data: Mapped[Any] = mapped_column(
        WidgetDataType(type_attribute="type", catalog=lambda: CATALOG), nullable=True
    )
    __mapper_args__ = {"polymorphic_on": "name", "polymorphic_identity": "plain"}  # noqa: RUF012


class SpecialWidget(Widget):
    __mapper_args__ = {"polymorphic_identity": "special"}  # noqa: RUF012


class Note(Base):
    __tablename__ = "note"
    id: Mapped[int] = mapped_column(primary_key=True)
    type: Mapped[str]
    version: Mapped[int] = mapped_column()
    text: Mapped[str] = mapped_column(WidgetTextType(type_attribute="type", catalog=CATALOG))
    __mapper_args__ = {"version_id_col": version}  # noqa: RUF012


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    engine = create_engine(f"sqlite:///{tmp_path / 'app.db'}", connect_args={"timeout": HANG})
    Base.metadata.create_all(engine)
    sqlalchemy_models.Base.metadata.create_all(engine)
    yield engine
    engine.dispose()


@pytest.fixture
def session(engine: Engine) -> Iterator[Session]:
    with Session(engine) as session:
        yield session


def stored(session: Session, table: str = "shelf", column: str = "data") -> list[str]:
    return list(session.scalars(text(f"select {column} from {table} order by id")))


def test_a_subclass_adds_no_name_for_an_attribute() -> None:
    configure_mappers()
    column: Any = Widget.__table__.c.data.type
    assert column.attributes == ("Widget.data",)


class TestFixedType:
    def test_valid_data_is_stored(self, session: Session) -> None:
        session.add(Countdown(data=VALID))
        session.commit()
        assert session.scalars(select(Countdown)).one().data == VALID

    def test_invalid_data_is_not(self, session: Session) -> None:
        session.add(Countdown(data=VALID))
        session.add(Countdown(data=INVALID))
        with pytest.raises(InvalidWidgetData) as caught:
            session.commit()
        (finding,) = caught.value.report
        assert finding.path == "/content/timerDays"
        session.rollback()
        assert stored(session, "countdown") == []

    @pytest.mark.parametrize(
        ("key", "row"), [(None, "new row"), (7, "new row with id 7")], ids=["automatic", "given"]
    )
    def test_the_error_names_a_new_row(self, session: Session, key: Any, row: str) -> None:
        session.add_all([Countdown(data=VALID), Countdown(id=key, data=INVALID)])
        with pytest.raises(InvalidWidgetData) as caught:
            session.commit()
        assert caught.value.place == f"Countdown.data ({row})"
        heading = f"Countdown.data ({row}): data of widget type 'countdown': 1 finding\n"
        assert str(caught.value).startswith(heading)

    def test_a_client_is_told_nothing_of_rows(self, session: Session) -> None:
        session.add(Countdown(id=7, data=INVALID))
        with pytest.raises(InvalidWidgetData) as caught:
            session.commit()
        copied = pickle.loads(pickle.dumps(caught.value))
        assert "Countdown.data (new row with id 7)" in str(copied)
        answer = problem_of(copied)
        assert (answer.status, answer.body["errors"][0]["pointer"]) == (422, "#/content/timerDays")
        assert answer.body["detail"] == "data of widget type 'countdown': 1 finding"
        assert "Countdown" not in str(caught.value.report)

    def test_the_error_names_a_stored_row(self, session: Session) -> None:
        rows = [Countdown(data=VALID), Countdown(data=VALID)]
        session.add_all(rows)
        session.commit()
        rows[1].data = INVALID
        with pytest.raises(InvalidWidgetData, match=r"^Countdown\.data \(row with id 2\): "):
            session.commit()

    def test_the_error_of_a_statement_names_the_attribute(self, session: Session) -> None:
        with pytest.raises(StatementError) as caught:
            session.execute(insert(Countdown), [{"data": VALID}, {"data": INVALID}])
        assert isinstance(caught.value.orig, InvalidWidgetData)
        assert caught.value.orig.place == "Countdown.data"

    def test_the_first_statement_without_the_mapper_names_the_attribute(self) -> None:
        class New(DeclarativeBase):
            pass

        class Card(New):
            __tablename__ = "card"
            id: Mapped[int] = mapped_column(primary_key=True)
            data: Mapped[Any] = mapped_column(WidgetDataType("countdown"))

        engine = create_engine("sqlite://")
        New.metadata.create_all(engine)
        with engine.begin() as connection, pytest.raises(StatementError) as caught:
            connection.execute(New.metadata.tables["card"].insert(), [{"data": INVALID}])
        engine.dispose()
        assert isinstance(caught.value.orig, InvalidWidgetData)
        assert caught.value.orig.place == "Card.data"

    def test_an_update_is_checked(self, session: Session) -> None:
        session.add(countdown := Countdown(data=VALID))
        session.commit()
        countdown.data = INVALID
        with pytest.raises(InvalidWidgetData):
            session.commit()
        session.rollback()
        assert countdown.data == VALID

    def test_what_was_changed_in_place_is_checked_when_it_is_flagged(
        self, session: Session
    ) -> None:
        session.add(countdown := Countdown(data={**VALID, "content": {}}))
        session.commit()
        countdown.data["content"]["timerDays"] = "3"
        flag_modified(countdown, "data")
        with pytest.raises(InvalidWidgetData):
            session.commit()

    @pytest.mark.parametrize(
        "statement",
        [
            insert(Countdown).values(data=INVALID),
            insert(Countdown.metadata.tables["countdown"]).values(data=INVALID),
            update(Countdown).values(data=INVALID),
        ],
        ids=["insert", "core", "update"],
    )
    def test_statements_are_checked(self, session: Session, statement: Any) -> None:
        with pytest.raises(StatementError) as caught:
            session.execute(statement)
        assert isinstance(caught.value.orig, InvalidWidgetData)

    @pytest.mark.parametrize(
        "write",
        [
            lambda session: session.execute(
                insert(Countdown), [{"data": VALID}, {"data": INVALID}]
            ),
            lambda session: session.bulk_save_objects([Countdown(data=INVALID)]),
            lambda session: session.execute(update(Countdown), [{"id": 1, "data": INVALID}]),
        ],
        ids=["insert", "objects", "update"],
    )
    def test_bulk_operations_are_checked(
        self, session: Session, write: Callable[[Session], object]
    ) -> None:
        session.add(Countdown(id=1, data=VALID))
        session.commit()
        with pytest.raises(StatementError) as caught:
            write(session)
        assert isinstance(caught.value.orig, InvalidWidgetData)

    def test_merged_objects_are_checked(self, session: Session) -> None:
        session.add(Countdown(id=1, data=VALID))
        session.commit()
        session.merge(Countdown(id=1, data=INVALID))
        with pytest.raises(InvalidWidgetData):
            session.commit()

    def test_an_invalid_row_can_be_read_and_written_as_it_is(self, session: Session) -> None:
        session.execute(text("insert into countdown (data) values (:data)"), {"data": "{}"})
        countdown = session.scalars(select(Countdown)).one()
        assert countdown.data == {}
        countdown.id = 7
        session.commit()
        countdown.data = {"content": {}}
        with pytest.raises(InvalidWidgetData):
            session.commit()

    def test_comparisons_are_no_data(self, session: Session) -> None:
        session.add(Countdown(data=VALID))
        session.commit()
        by_index = Countdown.data["content"].as_string() == "{}"
        assert len(session.scalars(select(Countdown).where(by_index)).all()) == 1
        assert session.scalars(select(Countdown).where(Countdown.data == INVALID)).all() == []

    def test_plain_values_are_stored(self, session: Session) -> None:
        class Text(str):
            __slots__ = ()

        data = {**VALID, "styles": {"fontId": uuid.UUID(int=1), "cardsBg": (Text("a"),)}}
        session.add(Countdown(data=data))
        session.commit()
        (text,) = stored(session, "countdown")
        styles = {"fontId": "00000000-0000-0000-0000-000000000001", "cardsBg": ["a"]}
        assert json.loads(text)["styles"] == styles

    @pytest.mark.parametrize(
        "data",
        [float("nan"), {"content": float("inf")}, {1: 2}, {"x"}, "\ud800", [[]] * 3, 5, ""],
        ids=repr,
    )
    def test_hostile_values_are_refused(self, session: Session, data: Any) -> None:
        session.add(Countdown(data=data))
        with pytest.raises(InvalidWidgetData):
            session.commit()

    def test_deep_and_circular_values_are_refused(self, session: Session) -> None:
        circle: dict[str, Any] = {}
        circle["content"] = circle
        deep: Any = []
        for _ in range(100_000):
            deep = [deep]
        for data in (circle, deep):
            session.add(Countdown(data=data))
            with pytest.raises(InvalidWidgetData):
                session.commit()
            session.rollback()

    def test_no_data_is_null(self, session: Session) -> None:
        session.add(Widget(data=None))
        session.commit()
        assert session.scalars(select(Widget).where(Widget.data.is_(None))).one().data is None
        session.add(Countdown(data=None))
        with pytest.raises(IntegrityError):
            session.commit()


class TestTypeInAnotherAttribute:
    def test_each_row_is_checked_by_its_type(self, session: Session) -> None:
        session.add(Widget(type="faq", data={"items": []}))
        session.add(Widget(type="poll", data={"question": ""}))
        session.commit()
        session.add(Widget(type="poll", data={"items": []}))
        with pytest.raises(InvalidWidgetData, match="poll"):
            session.commit()

    def test_a_change_of_the_type_alone_is_checked(self, session: Session) -> None:
        session.add(widget := Widget(type="faq", data={"items": []}))
        session.commit()
        widget.type = "poll"
        with pytest.raises(InvalidWidgetData):
            session.flush()

    def test_both_may_change_in_one_flush(self, session: Session) -> None:
        session.add(widget := Widget(type="faq", data={"items": []}))
        session.commit()
        widget.data = {"question": ""}
        widget.type = "poll"
        session.commit()
        assert (widget.type, widget.data) == ("poll", {"question": ""})

    def test_the_type_of_a_row_whose_data_is_deferred_may_not_change(
        self, session: Session
    ) -> None:
        session.add(Widget(type="faq", data={"items": []}))
        session.commit()
        session.expunge_all()
        widget = session.scalars(select(Widget).options(defer(Widget.data))).one()
        widget.type = "poll"
        with pytest.raises(InvalidWidgetData):
            session.commit()

    def test_other_changes_are_not_checked(self, session: Session) -> None:
        session.execute(text("insert into shelf (type, name, data) values ('poll', 'plain', '{}')"))
        widget = session.scalars(select(Widget)).one()
        widget.id = 7
        session.commit()

    def test_a_default_of_the_type_counts(self, session: Session) -> None:
        session.add(Widget(data={"items": []}))
        session.commit()
        session.add(Widget(data={}))
        with pytest.raises(InvalidWidgetData, match="faq"):
            session.commit()

    def test_a_member_of_an_enum_is_its_value(self, session: Session) -> None:
        session.add(Widget(type=Kind.POLL, data={"question": ""}))
        session.commit()

    def test_a_subclass_is_checked_once(
        self, session: Session, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked: list[Any] = []
        report = WidgetDataType.report

        def counted(self: WidgetDataType, id: Any, value: Any) -> Any:
            asked.append(id)
            return report(self, id, value)

        monkeypatch.setattr(WidgetDataType, "report", counted)
        session.add(SpecialWidget(data={"items": []}))
        session.commit()
        assert asked == ["faq"]
        session.add(SpecialWidget(data={}))
        with pytest.raises(InvalidWidgetData):
            session.commit()

    @pytest.mark.parametrize(
        ("type", "error"), [("pol", UnknownWidgetType), (None, TypeError), (5, TypeError)]
    )
    def test_a_type_that_is_none(self, session: Session, type: Any, error: type[Exception]) -> None:
        session.add(Widget(type=type, data={}))
        with pytest.raises(error):
            session.commit()

    def test_a_type_that_the_database_computes_is_refused(self, session: Session) -> None:
        session.add(widget := Widget(data={"items": []}))
        session.commit()
        widget.type = func.lower("POLL")
        with pytest.raises(TypeError, match=r"Widget\.type: an SQL expression cannot be checked"):
            session.commit()

    def test_an_expression_cannot_be_checked(self, session: Session) -> None:
        session.add(Widget(data=func.json("{}")))
        with pytest.raises(TypeError, match=r"Widget\.data: an SQL expression cannot be checked"):
            session.commit()

    @pytest.mark.parametrize(
        "write",
        [
            lambda session: session.execute(insert(Widget), [{"type": "poll", "data": {}}]),
            lambda session: session.execute(update(Widget), [{"id": 1, "data": {}}]),
            lambda session: session.execute(update(Widget).values(data={})),
            lambda session: session.execute(insert(Base.metadata.tables["shelf"]), [{"data": {}}]),
            lambda session: session.bulk_save_objects([Widget(data={})]),
            lambda session: session.execute(insert(Note).values(type="faq", version=1, text="{}")),
        ],
        ids=["insert", "rows", "update", "core", "objects", "text"],
    )
    def test_statements_cannot_be_checked_and_are_refused(
        self, session: Session, write: Callable[[Session], object]
    ) -> None:
        session.add(Widget(id=1, data={"items": []}))
        session.commit()  # a flush before changes nothing
        with pytest.raises(StatementError, match=r"'type'.*unchecked_statements") as caught:
            write(session)
        assert isinstance(caught.value.orig, TypeError)
        session.rollback()
        session.add_all([Widget(data={"items": []}), Widget(data={})])
        with pytest.raises(InvalidWidgetData):
            session.flush()
        session.rollback()  # nor does one that failed
        with pytest.raises(StatementError):
            write(session)

    def test_statements_without_data_are_not_refused(self, session: Session) -> None:
        session.add(Widget(data={"items": []}))
        session.commit()
        session.execute(insert(Widget), [{"type": "poll", "data": None}, {"type": "poll"}])
        session.execute(update(Widget).values(type="poll"))
        found = session.scalars(select(Widget).where(Widget.data == {"items": []})).all()
        assert [one.type for one in found] == ["poll"]

    def test_statements_may_be_allowed_and_write_json(self, session: Session) -> None:
        with unchecked_statements():
            session.execute(insert(Widget), [{"type": "poll", "data": {"id": uuid.UUID(int=1)}}])
            assert stored(session) == ['{"id": "00000000-0000-0000-0000-000000000001"}']
            with pytest.raises(StatementError, match="NaN"):
                session.execute(insert(Widget), [{"type": "poll", "data": float("nan")}])
            with pytest.raises(StatementError) as caught:  # whose type is known
                session.execute(insert(Countdown).values(data=INVALID))
        assert isinstance(caught.value.orig, InvalidWidgetData)
        with pytest.raises(StatementError, match="unchecked_statements"):
            session.execute(insert(Widget), [{"type": "poll", "data": {}}])

    def test_a_schema_that_changes_counts_at_the_next_save(
        self, session: Session, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        session.add(Widget(data={"items": []}))
        session.commit()
        monkeypatch.setitem(SCHEMAS, "faq", POLL)
        NOW[0] += 1
        session.add(Widget(data={"items": []}))
        with pytest.raises(InvalidWidgetData):
            session.commit()
        monkeypatch.undo()
        NOW[0] += 1


class TestText:
    SPELLING = '{ "items": [1.0, 1e2, 12345678901234567890],\n  "b": 1, "a": "\\u00e9" }\n'

    def test_it_is_stored_as_it_is(self, session: Session) -> None:
        session.add(note := Note(type="faq", text=self.SPELLING))
        session.commit()
        assert note.text == self.SPELLING
        assert stored(session, "note", "text") == [self.SPELLING]

    @pytest.mark.parametrize(
        ("value", "code"),
        [
            ('{"items": 1e400}', "json.number"),
            ('{"items": 1, "items": 2}', "json.duplicate"),
            ('{"items": [}', "json.syntax"),
            ("", "json.syntax"),
            ('\n {"question": 1}', "required"),
        ],
    )
    def test_what_is_refused(self, session: Session, value: str, code: str) -> None:
        session.add(Note(type="faq", text=value))
        with pytest.raises(InvalidWidgetData) as caught:
            session.commit()
        assert caught.value.report.findings[0].keyword.startswith(code.partition(".")[0])
        assert caught.value.report.findings[0].line is not None

    def test_anything_but_text_is_a_mistake(self, session: Session) -> None:
        session.add(Note(type="faq", text={"items": []}))
        with pytest.raises(TypeError, match="the value is JSON text, a str, not dict"):
            session.commit()

    def test_of_two_saves_at_once_one_is_refused(self, engine: Engine) -> None:
        with Session(engine) as session:
            session.add(Note(id=1, type="faq", text='{"items": []}'))
            session.commit()
        loaded = threading.Barrier(2)
        outcomes: list[str] = []

        def save(type: str, data: str) -> None:
            with Session(engine) as session:
                note = session.get_one(Note, 1)
                note.type = type
                note.text = data
                loaded.wait(HANG)
                try:
                    session.commit()
                except StaleDataError:
                    outcomes.append("stale")
                else:
                    outcomes.append("saved")

        saves = [("poll", '{"question": 1}'), ("faq", '{"items": [2]}')]
        threads = [threading.Thread(target=save, args=one) for one in saves]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(HANG)
        assert sorted(outcomes) == ["saved", "stale"]
        with Session(engine) as session:
            note = session.get_one(Note, 1)
            assert (note.type, note.text) in saves


class TestWrongUse:
    @pytest.mark.parametrize("column_type", [WidgetDataType, WidgetTextType])
    def test_exactly_one_type(self, column_type: Any) -> None:
        with pytest.raises(
            TypeError, match=rf'in one way: {column_type.__name__}\("countdown"\) or '
        ):
            column_type()
        with pytest.raises(TypeError, match="in one way"):
            column_type("countdown", type_attribute="type")

    def test_an_attribute_that_is_not_there(self) -> None:
        class Other(DeclarativeBase):
            pass

        class Wrong(Other):
            __tablename__ = "wrong"
            id: Mapped[int] = mapped_column(primary_key=True)
            kind: Mapped[str]
            data: Mapped[Any] = mapped_column(WidgetDataType(type_attribute="kin"))

        with pytest.raises(
            TypeError,
            match=r"Wrong\.data: type_attribute='kin' names no column; did you mean 'kind'",
        ):
            configure_mappers()
        Other.registry.dispose()

    def test_it_can_be_copied_and_shown(self) -> None:
        column_type = WidgetDataType("countdown")
        assert pickle.loads(pickle.dumps(column_type)).type == "countdown"
        assert repr(column_type) == "WidgetDataType('countdown')"
        other = WidgetTextType(type_attribute="type", catalog=CATALOG)
        assert repr(other) == "WidgetTextType(type_attribute='type')"


def test_the_models_of_the_guide(session: Session) -> None:
    countdown, text = Countdown(data=VALID), json.dumps(VALID)
    session.add_all([countdown, widget := sqlalchemy_models.Widget(type="countdown", data=text)])
    session.commit()
    widget.data = '{"content": {}}'
    with pytest.raises(InvalidWidgetData):
        session.commit()

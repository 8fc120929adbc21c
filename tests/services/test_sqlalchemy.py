"""The SQLAlchemy integration with PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, create_engine, insert, select, update
from sqlalchemy.exc import StatementError
from sqlalchemy.orm import Session

from tests.data.integrations import sqlalchemy_models
from tests.data.integrations.sqlalchemy_models import Countdown
from tests.unit.integrations.test_sqlalchemy import (
    INVALID,
    VALID,
    Base,
    TestText,
    Widget,
    session,
)
from widgetschema import InvalidWidgetData

__all__ = ["TestText", "session"]  # the same tests, and their fixture


@pytest.fixture
def engine() -> Iterator[Engine]:
    engine = create_engine("postgresql+psycopg://")
    for metadata in (Base.metadata, sqlalchemy_models.Base.metadata):
        metadata.create_all(engine)
    yield engine
    engine.dispose()


def test_data_comes_back_and_invalid_data_does_not_arrive(session: Session) -> None:
    data = {**VALID, "styles": {"skinId": 12345678901234567890, "cardsBorderWidth": 1.5}}
    session.add(Countdown(data=data))
    session.commit()
    session.expire_all()
    assert session.scalars(select(Countdown)).one().data == data
    session.add(Countdown(data=INVALID))
    with pytest.raises(InvalidWidgetData):
        session.commit()
    session.rollback()
    for statement in (insert(Countdown).values(data=INVALID), update(Countdown).values(data={})):
        with pytest.raises(StatementError) as caught:
            session.execute(statement)
        assert isinstance(caught.value.orig, InvalidWidgetData)
        session.rollback()
    assert [one.data for one in session.scalars(select(Countdown))] == [data]


def test_a_type_and_its_data_change_together(session: Session) -> None:
    session.add(widget := Widget(type="faq", data={"items": []}))
    session.commit()
    widget.type = "poll"
    with pytest.raises(InvalidWidgetData):
        session.flush()
    session.rollback()
    widget.type, widget.data = "poll", {"question": "why?"}
    session.commit()
    session.expire_all()
    assert (widget.type, widget.data) == ("poll", {"question": "why?"})
    session.add(Widget(data=None))
    session.commit()
    assert len(session.scalars(select(Widget).where(Widget.data.is_(None))).all()) == 1

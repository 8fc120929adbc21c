"""Users with their tokens, and widgets with their data as JSON text: no database changes a text."""

from __future__ import annotations

import os

from sqlalchemy import create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, sessionmaker
from sqlalchemy.pool import ConnectionPoolEntry


class Base(DeclarativeBase):
    """The tables of the application."""


class User(Base):
    """A user of the application, and the tokens of the platform."""

    __tablename__ = "user"
    name: Mapped[str] = mapped_column(primary_key=True)
    tokens: Mapped[str | None]


class Widget(Base):
    """A widget of a user."""

    __tablename__ = "widget"
    owner: Mapped[str] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(primary_key=True)
    type: Mapped[str]
    data: Mapped[str]


database = os.environ.get("DATABASE", "sqlite:///widgets.db")
engine = create_engine(database, connect_args={"timeout": 60}, pool_size=40)
Sessions = sessionmaker(engine, expire_on_commit=False)


@event.listens_for(engine, "connect")
def journal(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    """Let SQLite read while it writes."""
    connection.cursor().execute("pragma journal_mode=wal")


Base.metadata.create_all(engine)

from typing import Any

from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from widgetschema.integrations.sqlalchemy import WidgetDataType, WidgetTextType


class Base(DeclarativeBase):
    pass


class Countdown(Base):
    __tablename__ = "countdown"
    id: Mapped[int] = mapped_column(primary_key=True)
    data: Mapped[dict[str, Any]] = mapped_column(WidgetDataType("countdown"))


class Widget(Base):
    __tablename__ = "widget"
    id: Mapped[int] = mapped_column(primary_key=True)
    type: Mapped[str]
    data: Mapped[str] = mapped_column(WidgetTextType(type_attribute="type"))
    version: Mapped[int] = mapped_column()  # the database refuses to overwrite a newer one
    __mapper_args__ = {"version_id_col": version}  # noqa: RUF012

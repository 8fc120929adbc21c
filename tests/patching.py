"""Forms of small schemas that come back, for tables: a schema, a text, what is posted."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from functools import cache
from json import dumps
from typing import Any, Final

import widgetschema
from widgetschema import Submission, WidgetType

Json = Any
TEXT: Final = {"type": "string"}
NUMBER: Final = {"type": "number"}
WHOLE: Final = {"type": "integer"}
FLAG: Final = {"type": "boolean"}
HUGE: Final = "1" + "0" * 5000


@cache
def _type(schema: str) -> WidgetType:
    return WidgetType.from_schema(
        {"properties": {"data": widgetschema.jsontext.read(schema)}}, id="x", describes="document"
    )


def widget_type(schema: Json) -> WidgetType:
    return _type(dumps(schema))


def submit(schema: Json, text: str, fields: Mapping[str, str | list[str]]) -> Submission:
    return widget_type(schema).form_json(text).submit(fields)


def members(**schemas: Json) -> Json:
    return {"type": "object", "properties": schemas}


def changed_lines(before: str, after: str) -> list[str]:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    return [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")]


def said(submission: Submission) -> list[tuple[str, str]]:
    return [(finding.keyword, finding.path) for finding in submission.report]


def read(text: str) -> Json:
    return widgetschema.jsontext.read(text)

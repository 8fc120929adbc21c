"""Options that several methods of `WidgetType` share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from widgetschema.jsontext import Limits
from widgetschema.languages import Language


class TypeOptions(TypedDict, total=False):
    """Options of the checks of a widget type.

    Args:
        formats: Check `format` (True by default).
        engine: The name of the engine; None, the default, chooses the best one that is installed.
        limits: How deep data may be nested, and how long texts may be.
    """

    formats: bool
    engine: str | None
    limits: Limits


class SampleOptions(TypedDict, total=False):
    """Options of samples.

    Args:
        fill: The probability of each optional property, from 0 to 1; by default 0.75.
        overrides: For JSON Pointer patterns (`*` is any property or item), a list of values, one of
            which is taken, or a callable that gets a `random.Random` and returns a value.
        locale: The language of the texts; by default "en".
        max_depth: How many recursive arrays and objects are inside each other at most, from 0 to
            100; by default 10.
        max_items: How many items an array or a map has at most, unless the schema asks for more,
            from 0 to 100; by default 12.
        examples: Use values of the schema's `examples`, or its `default`, now and then (True by
            default).
        horizon: The first and the last day of dates, as in "2026-01-01/2026-12-31"; by default,
            dates lie around a day that the seed fixes.
    """

    fill: float
    overrides: Mapping[str, Any] | None
    locale: str
    max_depth: int
    max_items: int
    examples: bool
    horizon: str | None


class CaseOptions(TypedDict, total=False):
    """Options of maximal data, coverage and near-misses.

    Args:
        locale: The language of the texts; by default "en".
        max_depth: How many recursive arrays and objects are inside each other at most, from 0 to
            100; by default 2.
        max_items: How many items an array or a map has at most, unless the schema asks for more,
            from 0 to 100; by default three, or what the schema describes.
        horizon: As for samples, except where a case is about a bound, a listed value or an unusual
            text or number. For near-misses, it is about the data in which the mistakes are made.
    """

    locale: str
    max_depth: int
    max_items: int | None
    horizon: str | None


class StrategyOptions(TypedDict, total=False):
    """Options of Hypothesis strategies.

    Args:
        realistic: Generate data that looks like samples; by default, anything.
        max_depth: How many recursive arrays and objects are inside each other at most, from 0 to
            100; by default, Hypothesis decides.
        max_items: How many items an array or a map has at most, unless the schema asks for more,
            from 0 to 100; by default, Hypothesis decides.
        examples: Use values of the schema's `examples`, or its `default`, now and then, in
            realistic data (True by default).
        horizon: As for samples, for realistic data only.
    """

    realistic: bool
    max_depth: int | None
    max_items: int | None
    examples: bool
    horizon: str | None


class FormOptions(TypedDict, total=False):
    """Options of a form.

    Args:
        ui: The UI description: what people see of each place, by patterns of JSON Pointers
            (`widgetschema.forms.ui_description_schema`), or `read_ui_description(file)`.
        id: The beginning of the ids of HTML elements: forms on one page need different ones. By
            default "ws".
        prefix: The beginning of the names and ids of controls (letters, digits, `_` and `-`):
            forms in one `<form>` element need different ones.
        lang: The language of the form's texts: a tag of one that this package has, or a `Language`
            of `Languages`; by default "en".
    """

    ui: Mapping[str, Any] | None
    id: str
    prefix: str
    lang: str | Language

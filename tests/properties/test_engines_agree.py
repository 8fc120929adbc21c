"""For every schema and instance: one verdict and one set of findings, whatever the engine."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, example, given

from tests.strategies import instances, schemas
from widgetschema import ReferenceLoop, Report, Validator
from widgetschema.jsontext import SourceText, dump
from widgetschema.pointers import parse_pointer


def compiled(schema: Any, engine: str) -> Validator:
    """The validator, unless the schema is one that cannot be linked."""
    try:
        return Validator(schema, engine=engine)
    except ReferenceLoop:
        assume(False)
        raise


@given(schema=schemas(), instance=instances())
@example(schema={"items": {"enum": [1]}}, instance=[1.0, True, "1"])
@example(schema={"uniqueItems": True}, instance=[1, 1.0, True, {"a": 1}, {"a": 1.0}])
@example(schema={"multipleOf": 0.1}, instance=0.3)
@example(schema={"type": "integer"}, instance=1e300)
def test_engines_agree(schema: Any, instance: Any) -> None:
    rust, python = compiled(schema, "rust"), compiled(schema, "python")
    report = rust.check(instance)

    assert rust.is_valid(instance) == python.is_valid(instance) == report.valid
    assert python.check(instance) == report


@given(schema=schemas(), instance=instances())
def test_every_invalid_instance_is_explained_in_our_own_words(schema: Any, instance: Any) -> None:
    validator = compiled(schema, "rust")
    report = validator.check(instance)

    assert report.valid == validator.is_valid(instance)
    for finding in report:
        assert finding.keyword != "schema", "the explainer found nothing wrong"
        assert "\n" not in finding.message
        assert finding.message == finding.message.strip()
        assert finding.schema_path.startswith("/") or finding.schema_path == ""
    assert len({(f.keyword, f.path, f.message) for f in report}) == len(report)


@given(schema=schemas(), instance=instances())
def test_text_and_value_give_the_same_findings(schema: Any, instance: Any) -> None:
    validator = compiled(schema, "rust")
    text = dump(instance)
    from_text = validator.check_json(text)
    from_value = validator.check(instance)

    assert validator.is_valid_json(text) == from_value.valid
    placed = SourceText(text).place(from_value.findings)
    assert from_text == Report(placed, from_value.subject)
    positions = [(finding.line or 0, finding.column or 0) for finding in from_text]
    assert positions == sorted(positions)


@given(schema=schemas(), instance=instances())
def test_schema_paths_lead_to_the_keyword(schema: Any, instance: Any) -> None:
    validator = compiled(schema, "rust")
    for finding in validator.check(instance):
        tokens = parse_pointer(finding.schema_path)
        place: Any = validator.schema
        for token in tokens:
            assert isinstance(place, (dict, list)), finding
            place = place[int(token)] if isinstance(place, list) else place[token]
        if finding.keyword not in ("false", "propertyNames", "dependencies"):
            assert tokens[-1] == finding.keyword

"""attrs and msgspec: instances are made only of valid data."""

from __future__ import annotations

from typing import Any

import attrs
import msgspec
import pytest

from tests.data.integrations import attrs_models, msgspec_models
from widgetschema import Catalog, InvalidWidgetData, UnknownWidgetType
from widgetschema.integrations.attrs import WidgetDataValidator

VALID: dict[str, Any] = {"content": {}, "settings": {}, "styles": {}}
INVALID: dict[str, Any] = {"content": {"timerDays": "3"}, "settings": {}, "styles": {}}


class TestAttrs:
    def test_a_fixed_type(self) -> None:
        countdown = attrs_models.Countdown(VALID)
        with pytest.raises(InvalidWidgetData) as caught:
            attrs_models.Countdown(INVALID)
        assert caught.value.report.findings[0].path == "/content/timerDays"
        with pytest.raises(InvalidWidgetData):
            countdown.data = INVALID
        assert countdown.data == VALID

    def test_a_type_in_another_attribute(self) -> None:
        widget = attrs_models.Widget("countdown", VALID)
        with pytest.raises(InvalidWidgetData):
            attrs.evolve(widget, data=INVALID)
        with pytest.raises(UnknownWidgetType):
            attrs.evolve(widget, type="countdwn")

    def test_it_combines_with_other_validators(self) -> None:
        catalog = Catalog({"faq": {"properties": {"data": {"required": ["items"]}}}})
        validator = WidgetDataValidator("faq", catalog=catalog)

        is_dict: Any = attrs.validators.instance_of(dict)

        @attrs.frozen
        class Faq:
            data: Any = attrs.field(
                default=None, validator=attrs.validators.optional([is_dict, validator])
            )

        assert Faq().data is None
        assert Faq({"items": 1}).data == {"items": 1}
        with pytest.raises(InvalidWidgetData):
            Faq({})
        with pytest.raises(TypeError):
            Faq([])

    def test_an_attribute_that_is_not_there_before_the_data(self) -> None:
        @attrs.define
        class Page:
            data: Any = attrs.field(validator=WidgetDataValidator(type_attribute="typ"))
            type: str = "countdown"

        with pytest.raises(TypeError, match="Page has no attribute 'typ' when its widget data is"):
            Page(VALID)

    @pytest.mark.parametrize("options", [{}, {"type": "a", "type_attribute": "type"}])
    def test_exactly_one_type(self, options: dict[str, Any]) -> None:
        with pytest.raises(TypeError, match=r'in one way: WidgetDataValidator\("countdown"\) or '):
            WidgetDataValidator(**options)


class TestMsgspec:
    def test_decoding(self) -> None:
        raw = msgspec.json.encode({"type": "countdown", "data": VALID})
        assert msgspec.json.decode(raw, type=msgspec_models.Widget).data == VALID

    def test_what_is_refused_says_where(self) -> None:
        raw = msgspec.json.encode([{"type": "countdown", "data": INVALID}])
        with pytest.raises(msgspec.ValidationError, match=r"at `\$\[0\]`") as caught:
            msgspec.json.decode(raw, type=list[msgspec_models.Widget])
        cause = caught.value.__cause__
        assert isinstance(cause, InvalidWidgetData)
        assert cause.report.findings[0].path == "/content/timerDays"

    def test_instances_and_conversions(self) -> None:
        with pytest.raises(InvalidWidgetData):
            msgspec_models.Widget("countdown", INVALID)
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"type": "countdown", "data": {}}, msgspec_models.Widget)

    def test_text_keeps_its_spelling_and_has_lines(self) -> None:
        text = b'{"content": {},\n "settings": {}, "styles": {"skinId": 1.0}}'
        raw = b'{"type": "countdown", "data": %b}'
        widget = msgspec.json.decode(raw % text, type=msgspec_models.WidgetText)
        assert bytes(widget.data) == text
        for wrong in (b'"1"', b"1e999"):
            with pytest.raises(msgspec.ValidationError) as caught:
                msgspec.json.decode(
                    raw % text.replace(b"1.0", wrong), type=msgspec_models.WidgetText
                )
            cause = caught.value.__cause__
            assert isinstance(cause, InvalidWidgetData)
            assert (cause.report.findings[0].line, cause.report.findings[0].column) == (2, 39)

    def test_an_unknown_type_is_no_validation_error(self) -> None:
        raw = msgspec.json.encode({"type": "countdwn", "data": VALID})
        with pytest.raises(UnknownWidgetType):
            msgspec.json.decode(raw, type=msgspec_models.Widget)

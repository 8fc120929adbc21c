"""Forms of Django outside of the admin: fixed types, JSON text, other widgets, empty forms."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django import forms
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.http import QueryDict
from django.test.utils import CaptureQueriesContext, override_settings
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext_lazy, override
from selectolax.lexbor import LexborHTMLParser

from tests.browsing import entries
from tests.django_suite.schemas import FAQ
from tests.django_suite.shelf.models import Anything, Encoded, Faq, Text, Widget
from widgetschema import Catalog
from widgetschema.integrations.django import WidgetDataFormField, WidgetDataInput

pytestmark = pytest.mark.usefixtures("db")

GOOD: dict[str, Any] = {"items": [{"q": "Why?"}]}
FaqForm = forms.modelform_factory(Faq, fields=["data"])
WidgetForm = forms.modelform_factory(Widget, fields=["type", "data"])
TextForm = forms.modelform_factory(Text, fields=["kind", "text"])


class PlainForm(forms.Form):
    """A form without a model."""

    data = WidgetDataFormField(type="faq", label=gettext_lazy("Questions"))


class JsonForm(forms.Form):
    """A form in which people edit JSON text."""

    data = WidgetDataFormField(type="faq", widget=forms.Textarea, required=False)


def posted(form: forms.BaseForm, **edits: str) -> QueryDict:
    """Return what a browser posts, with some controls edited; `__` stands for `#/`."""
    found = QueryDict(mutable=True)
    for name, value in entries(str(form)):
        found.appendlist(name, value)
    for name, value in edits.items():
        control = "data.#/" + name if name not in form.fields else name
        assert control in found, [*found]
        found[control] = value
    return found


def test_a_form_without_a_model() -> None:
    first = PlainForm(initial={"data": GOOD})
    assert "Questions" in str(first)
    form = PlainForm(posted(first, title="New"), initial={"data": GOOD})
    assert form.is_valid()
    assert form.cleaned_data == {"data": {**GOOD, "title": "New"}}
    assert form.changed_data == ["data"]
    untouched = PlainForm(posted(first), initial={"data": GOOD})
    assert untouched.is_valid()
    assert not untouched.has_changed()
    assert untouched.cleaned_data == {"data": GOOD}


class MediaForm(forms.Form):
    """A form with a file."""

    data = WidgetDataFormField(type="media")


def gif(content: bytes = b"GIF89a", name: str = "a.gif") -> MultiValueDict[str, Any]:
    """Return the file that somebody chose, as Django gives it."""
    return MultiValueDict({"data.file#/image": [SimpleUploadedFile(name, content)]})


def test_a_file_is_stored_and_none_changes_nothing() -> None:
    stored = {"image": "R0lG\nODdh", "alt": "a"}
    first = MediaForm(initial={"data": stored})
    assert first.is_multipart()
    fields = posted(first, alt="b")
    kept = MediaForm(fields, {}, initial={"data": stored})
    assert kept.is_valid(), kept.errors
    assert kept.cleaned_data["data"] == {**stored, "alt": "b"}
    chosen = MediaForm(fields, gif(), initial={"data": stored})
    assert chosen.has_changed()
    assert chosen.is_valid(), chosen.errors
    assert chosen.cleaned_data["data"] == {"image": "R0lGODlh", "alt": "b"}
    refused = MediaForm(fields, gif(b"%PDF-"), initial={"data": stored})
    assert not refused.is_valid()
    assert "Choose a file of the type GIF" in str(refused)


def test_a_form_has_the_language_of_django() -> None:
    with override("de-at"):
        first = PlainForm(initial={"data": GOOD})
        assert 'class="ws-form" lang="de" dir="ltr"' in str(first)
        form = PlainForm(posted(first, title=""), initial={"data": GOOD})
        form.data["data.do"] = "add#/items"
        assert "Noch wurde nichts gespeichert" in str(form.errors)
    with override("xx"):
        assert 'class="ws-form" lang="en"' in str(PlainForm(initial={"data": GOOD}))


def test_a_project_has_translations_of_its_own(tmp_path: Path) -> None:
    entry = 'msgctxt "form.state.unset"\nmsgid "Not set"\nmsgstr "Niet ingesteld"\n'
    (tmp_path / "nl.po").write_text(entry, encoding="utf-8")
    with (
        override_settings(WIDGETSCHEMA={**settings.WIDGETSCHEMA, "TRANSLATIONS": tmp_path}),
        override("nl"),
    ):
        assert 'class="ws-form" lang="nl"' in str(PlainForm(initial={"data": GOOD}))
    with (
        override_settings(WIDGETSCHEMA={**settings.WIDGETSCHEMA, "TRANSLATIONS": tmp_path / "no"}),
        pytest.raises(ImproperlyConfigured, match="TRANSLATIONS"),
    ):
        str(PlainForm(initial={"data": GOOD}))


def test_findings_are_in_the_error() -> None:
    first = PlainForm(initial={"data": GOOD})
    form = PlainForm(posted(first, accent="red"), initial={"data": GOOD})
    assert not form.is_valid()
    (error,) = form.errors.as_data()["data"]
    assert error.code == "invalid_data"
    assert [one.path for one in error.params["report"]] == ["/accent"]
    assert 'value="red"' in str(form)
    assert form["data"].errors == []


def test_new_data_begins_with_the_least() -> None:
    form = PlainForm(posted(PlainForm()))
    assert not form.has_changed()
    assert not form.is_valid() or form.cleaned_data["data"]["items"]
    nothing = PlainForm(QueryDict())
    assert not nothing.is_valid()
    assert nothing.errors.as_data()["data"][0].code == "fill_in"


def test_optional_data_that_nobody_edits_stays_absent() -> None:
    row = Faq.objects.create(data=None)
    form = FaqForm(posted(FaqForm(instance=row)), instance=row)
    assert form.is_valid(), form.errors
    assert form.save().data is None
    pressed = posted(FaqForm(instance=row))
    pressed["data.do"] = "add#/items"
    first = FaqForm(pressed, instance=row)
    form = FaqForm(posted(first, **{"items/+1/q": "Why?"}), instance=row)
    assert form.is_valid(), form.errors
    assert form.save().data == GOOD


class OptionalForm(forms.ModelForm):
    """A form of optional data whose type is chosen."""

    data = WidgetDataFormField(type_field="type", required=False)

    class Meta:
        model = Widget
        fields = ("type", "data")


@pytest.mark.parametrize("is_new", [True, False])
def test_optional_data_is_saved_only_after_its_form_was_shown(is_new: bool) -> None:
    def form_of(body: QueryDict | None = None) -> OptionalForm:
        row = Widget(pk=1, data=None)
        row._state.adding, row._state.db = is_new, "default"
        return OptionalForm(body, instance=row)

    form = form_of(posted(form_of(), type="faq"))
    assert [one.code for one in form.errors.as_data()["data"]] == ["fill_in"]
    untouched = form_of(posted(form))
    assert untouched.is_valid(), untouched.errors
    assert untouched.cleaned_data["data"] is None
    elsewhere = form_of(QueryDict("type=faq"))  # a page of yours without the field
    assert elsewhere.is_valid(), elsewhere.errors


def test_extra_forms_of_a_formset_may_stay_empty() -> None:
    factory = forms.modelformset_factory(Faq, fields=["data"], extra=2)
    page = entries(f"<form>{factory(queryset=Faq.objects.none())}</form>")
    body = QueryDict(mutable=True)
    for name, value in page:
        body.appendlist(name, value)
    body["form-1-data.do"] = "add#/items"
    page = entries(f"<form>{factory(body, queryset=Faq.objects.none())}</form>")
    body = QueryDict(mutable=True)
    for name, value in page:
        body.appendlist(name, value)
    body["form-1-data.#/items/+1/q"] = "Second?"
    formset = factory(body, queryset=Faq.objects.none())
    assert formset.is_valid(), formset.errors
    formset.save()
    assert [one.data for one in Faq.objects.all()] == [{"items": [{"q": "Second?"}]}]


def test_text_is_edited_without_loss() -> None:
    text = '{ "items" : [{"q":"Why?","rank":1.0}],\r\n "title":"\\u0041" }'
    row = Text.objects.create(kind="faq", text=text)
    first = TextForm(instance=row)
    untouched = TextForm(_text(first), instance=row)
    assert untouched.is_valid(), untouched.errors
    assert untouched.save().text == text
    form = TextForm(_text(first, "Who?"), instance=row)
    assert form.is_valid(), form.errors
    form.save()
    assert Text.objects.get().text == text.replace("Why?", "Who?")


def _text(form: forms.BaseForm, question: str | None = None) -> QueryDict:
    found = QueryDict(mutable=True)
    for name, value in entries(str(form)):
        found.appendlist(name, value)
    if question is not None:
        found["text.#/items/0/q"] = question
    return found


@pytest.mark.parametrize("text", ["", "{", '{"a": 1, "a": 2}', "1e400"])
def test_text_that_is_no_json_opens(text: str) -> None:
    row = Text(kind="faq", text=text)
    Text.objects.bulk_create([Text(kind="faq", text=json.dumps(GOOD))])
    Text.objects.update(text=text)
    row = Text.objects.get()
    form = TextForm(instance=row)
    assert "ws-form" in str(form) or "it stays as it is" in str(form)
    again = TextForm(_text(form), instance=row)
    assert not again.is_valid() or text == ""


def test_numbers_that_no_form_can_show() -> None:
    initial = {"data": {"items": [{"q": "Why?", "rank": float("inf")}]}}
    assert "it stays as it is" in str(PlainForm(initial=initial))
    again = PlainForm(QueryDict("data.type=faq"), initial=initial)
    assert not again.is_valid()
    assert "it stays as it is" in str(again)


def test_a_page_without_the_form_changes_nothing() -> None:
    row = Widget.objects.create(type="faq", data=GOOD)
    form = WidgetForm(QueryDict("type=faq"), instance=row)
    assert form.is_valid(), form.errors
    assert form.save().data == GOOD
    factory = forms.modelform_factory(Anything, fields=["numbers"])
    form = factory(QueryDict("numbers="))
    assert not form.is_valid()
    assert form.errors.as_data()["numbers"][0].code == "fill_in"


def test_a_page_that_has_the_form_says_so_to_django() -> None:
    form = FaqForm()
    omitted = form.fields["data"].widget.value_omitted_from_data
    assert not omitted(posted(form), {}, "data")
    assert omitted({"other": "1"}, {}, "data")


def test_new_data_made_of_other_data_is_not_merged() -> None:
    form = PlainForm(posted(PlainForm(initial={"data": GOOD})), initial={"data": {"items": []}})
    assert form.errors.as_data()["data"][0].code == "stale"
    assert form.changed_data == ["data"]


def test_a_type_without_valid_data_has_a_form() -> None:
    impossible: dict[str, Any] = {
        "properties": {"data": {"type": "object", "required": ["a"]}, "name": False}
    }
    impossible["properties"]["data"]["properties"] = {"a": False}
    with override_settings(WIDGETSCHEMA={"CATALOG": Catalog([{"faq": impossible}])}):
        assert "ws-form" in str(PlainForm())


def test_json_in_a_textarea() -> None:
    first = JsonForm(initial={"data": GOOD})
    assert "&quot;Why?&quot;" in str(first)
    form = JsonForm({"data": json.dumps(GOOD)}, initial={"data": {}})
    assert form.is_valid()
    assert form.cleaned_data["data"] == GOOD
    assert form.has_changed()
    wrong = JsonForm({"data": '{"items":\n [{"q": "a"}]}'})
    assert not wrong.is_valid()
    finding = wrong.errors.as_data()["data"][0].params["finding"]
    assert (finding.keyword, finding.line) == ("minLength", 2)
    assert "{&quot;items&quot;:\n" in str(wrong)
    assert JsonForm({"data": " "}).is_valid()
    assert not JsonForm({"data": '{"a":'}).is_valid()
    with override_settings(WIDGETSCHEMA={"CATALOG": Catalog([{"fag": FAQ}])}):
        unknown = JsonForm({"data": "{}"})
        assert not unknown.is_valid()
        assert unknown.errors.as_data()["data"][0].code == "unknown_widget_type"


def test_a_disabled_field_keeps_the_data() -> None:
    first = PlainForm(initial={"data": GOOD})
    form = PlainForm(posted(first, title="New"), initial={"data": GOOD})
    form.fields["data"].disabled = True
    assert form.is_valid()
    assert form.cleaned_data == {"data": GOOD}
    assert not form.has_changed()


def test_the_encoder_of_the_model_is_used() -> None:
    row = Encoded.objects.create(data=GOOD)
    factory = forms.modelform_factory(Encoded, fields=["data"])
    form = factory(posted(factory(instance=row), title="T"), instance=row)
    assert form.is_valid(), form.errors
    assert form.save().data == {**GOOD, "title": "T"}


def test_the_type_may_be_left_out_of_the_form() -> None:
    row = Widget.objects.create(type="faq", data=GOOD)
    factory = forms.modelform_factory(Widget, fields=["data"])
    form = factory(posted(factory(instance=row), title="T"), instance=row)
    assert form.is_valid(), form.errors
    form.save()
    assert Widget.objects.get().data["title"] == "T"


def test_the_row_is_locked_and_read_again_inside_of_a_transaction() -> None:
    from django.db import connection

    row = Widget.objects.create(type="faq", data=GOOD)
    body = posted(WidgetForm(instance=row), title="Mine")
    outdated = Widget.objects.get()
    Widget.objects.update(data={**GOOD, "title": "Theirs"})
    with transaction.atomic(), CaptureQueriesContext(connection) as queries:
        form = WidgetForm(body, instance=outdated)
        assert not form.is_valid()
    assert form.errors.as_data()["data"][0].code == "stale"
    assert Widget.objects.get().data["title"] == "Theirs"
    assert len(queries) == 1
    locks = connection.features.has_select_for_update
    assert ("FOR UPDATE" in queries[0]["sql"]) == locks


def test_edits_of_others_are_merged_and_nothing_untouched_comes_back() -> None:
    row = Widget.objects.create(type="faq", data=GOOD)
    body = posted(WidgetForm(instance=row), title="Mine")
    Widget.objects.update(data={"items": [{"q": "Theirs?"}]})
    form = WidgetForm(body, instance=Widget.objects.get())
    assert form.is_valid(), form.errors
    assert "somebody else" in form["data"].merge_notice
    form.save()
    assert Widget.objects.get().data == {"items": [{"q": "Theirs?"}], "title": "Mine"}
    form = WidgetForm(posted(WidgetForm(instance=Widget.objects.get())), instance=form.instance)
    assert form.is_valid(), form.errors
    assert form["data"].merge_notice == ""


@pytest.mark.parametrize("button", ["", "add#/items"])
def test_a_form_that_comes_back_says_that_edits_of_others_were_merged(button: str) -> None:
    row = Widget.objects.create(type="faq", data=GOOD)
    body = posted(WidgetForm(instance=row), accent="reddish")
    body["data.do"] = button
    Widget.objects.update(data={"items": [{"q": "Theirs?"}]})
    form = WidgetForm(body, instance=Widget.objects.get())
    assert "1 change that somebody else has made" in str(form.errors["data"])
    assert "Theirs?" in str(form)


def test_a_person_chooses_between_edits_of_the_same() -> None:
    row = Widget.objects.create(type="faq", data=GOOD)
    body = posted(WidgetForm(instance=row), title="Mine")
    Widget.objects.update(data={**GOOD, "title": "Theirs"})
    form = WidgetForm(body, instance=Widget.objects.get())
    assert "Choose what to keep" in str(form.errors)
    again = QueryDict(mutable=True)
    for name, value in entries(str(form)):
        again.appendlist(name, value)
    [mine] = re.findall(r'value="(mine-[0-9a-f]+)"', str(form))
    again["data.choice#/title"] = mine
    chosen = WidgetForm(again, instance=Widget.objects.get())
    assert chosen.is_valid(), chosen.errors
    chosen.save()
    assert Widget.objects.get().data == {**GOOD, "title": "Mine"}


def test_labels_of_a_ui_description() -> None:
    class Labelled(forms.Form):
        data = WidgetDataFormField(
            type="faq", ui={"/title": {"label": "Überschrift"}}, theme="compact"
        )

    assert "Überschrift" in str(Labelled())
    assert 'class="ws-form ws-theme-compact"' in str(Labelled())
    ui = {"/title": {"label": "Überschrift"}}
    field: Any = Faq._meta.get_field("data")
    assert field.formfield(ui=ui).ui == ui  # as `formfield_overrides` of the admin passes it


def test_wrong_use() -> None:
    with pytest.raises(TypeError, match="either type= or type_field="):
        WidgetDataFormField()
    with pytest.raises(TypeError, match="preview must be a function, not str"):
        WidgetDataFormField(type="faq", preview="x")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="widget of a WidgetDataFormField"):
        WidgetDataInput().render("data", None)

    class Incomplete(forms.Form):
        data = WidgetDataFormField(type_field="kind")

    with pytest.raises(TypeError, match=r"'kind'.*add this field to the form"):
        str(Incomplete())
    with pytest.raises(TypeError, match="as a field of a form"):
        WidgetDataFormField(type="faq").clean({})


def test_two_forms_with_prefixes_on_one_page() -> None:
    shown = [PlainForm(prefix=name, initial={"data": GOOD}) for name in "ab"]
    body = QueryDict(mutable=True)
    for name, value in entries("".join(map(str, shown))):
        body.appendlist(name, value)
    body["b-data.#/title"] = "B"
    first, second = (PlainForm(body, prefix=name, initial={"data": GOOD}) for name in "ab")
    assert first.is_valid()
    assert second.is_valid()
    assert first.cleaned_data["data"] == GOOD
    assert second.cleaned_data["data"]["title"] == "B"
    ids = [one.attributes["id"] for one in LexborHTMLParser("".join(map(str, shown))).css("[id]")]
    assert len(ids) == len(set(ids))

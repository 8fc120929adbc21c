"""A form field and a widget that show the form of a widget type, in the admin and elsewhere.

Django copies the fields of a form for each request. `get_bound_field` gives each copy an `Editing`,
which knows the form around it: the type, the stored data, and what was posted. Controls are
named after the field in its form (`widget_set-0-data.#/title`), so several fit on one page.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.core import signing
from django.core.exceptions import ValidationError
from django.db import connections, models, router
from django.forms.utils import ErrorList
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from widgetschema.cached import cached_property
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.errors import FormError, StaleForm, UnreadableDocument
from widgetschema.files import digest
from widgetschema.findings import Report
from widgetschema.forms.control_names import ACTION, BASE, prefixed
from widgetschema.forms.form import Form, OnStale, Submission
from widgetschema.forms.html.rendering import RenderOptions
from widgetschema.forms.model import PostedControls
from widgetschema.forms.posted_controls import pairs_of, read_controls
from widgetschema.forms.preview import RenderedPreview, own_copy, preview_message
from widgetschema.forms.secrecy import HIDDEN, has_placeholder, with_hidden
from widgetschema.integrations import require_function
from widgetschema.integrations.django.catalogs import active_language, active_text
from widgetschema.integrations.django.validation import (
    NO_TYPE,
    UnreadText,
    known_type,
    validation_error,
)
from widgetschema.jsontext import DEFAULT_LIMITS, dump, plain_copy, read

_TYPE: Final = "type"  # a hidden control: the type whose form was shown
_REPLACED: Final = "replaced"  # another: the digest of stored data that the form does not show
_ROW: Final = "row"  # another: the signed key of the row, and the digest of its data
_KEPT: Final = "kept"  # another: controls of forms that the page does not show any more, as JSON
_SALT: Final = "widgetschema.integrations.django"
_HIDDEN: Final = '<input type="hidden" name="{}" value="{}" autocomplete="off">'
# The Enter key presses the first button in a page: it has to be one that saves.
_SAVE: Final = '<button class="ws-django-save" tabindex="-1" aria-hidden="true"></button>'

_SHOWN: Final = "invalid_data"  # the code of the error that the form says at each field
_TOLD: Final = ("type_changed", "kept")  # codes of errors that a live check tells as well


@dataclass(frozen=True)
class Outcome:
    """The result of controls that were posted.

    Attributes:
        text: The new JSON text; None if nothing was posted, or it cannot be saved.
        error: The reason why it cannot be saved, if it cannot.
        form: The form to show again, if there is one.
        changed: True if somebody edited something.
        merge_notice: The sentence to show after saving if edits of others were merged, else "".
    """

    text: str | None = None
    error: ValidationError | None = None
    form: Form | None = None
    changed: bool = False
    merge_notice: str = ""


class Editing:
    """The editing of one field of one Django form: its type, stored data, and posted controls.

    Attributes:
        kept: The controls that were posted for forms of other types, by type: they come back with
            their form.
    """

    def __init__(self, field: WidgetDataFormField, bound: forms.BoundField) -> None:
        self.field = field
        self.bound = bound
        self.django_form = bound.form
        self.prefix = bound.html_name
        self.kept: dict[str, PostedControls] = {}

    @property
    def is_new(self) -> bool:
        """True if the Django form is not that of a stored row."""
        instance = getattr(self.django_form, "instance", None)
        return instance is None or instance._state.adding

    @cached_property
    def _type_ids(self) -> tuple[Any, Any]:
        """The id of the type that is chosen, and of the type of the stored data."""
        if self.field.type is not None:
            return self.field.type, self.field.type
        name, form = str(self.field.type_field), self.django_form
        if name in form.fields:
            bound = form[name]
            return bound.value(), form.get_initial_for_field(form.fields[name], name)
        instance = getattr(form, "instance", None)
        if instance is None or not hasattr(instance, name):
            raise TypeError(
                f"the widget type is in {name!r}, which neither {type(form).__name__} nor its "
                "instance has: add this field to the form"
            )
        return (getattr(instance, name),) * 2

    @cached_property
    def type(self) -> WidgetType | ValidationError:
        """The widget type that is chosen, or why it cannot be used."""
        try:
            return known_type(self._type_ids[0])
        except ValidationError as error:
            if error.code != NO_TYPE:
                return error
            name = "django.choose" if self.live is None else "django.choose-live"
            return _error(name, NO_TYPE, label=self._type_label)

    @property
    def _type_label(self) -> str:
        """The label of the field with the type, or else its name."""
        name, form = str(self.field.type_field), self.django_form
        return str(form[name].label if name in form.fields else name)

    def _type_name(self, id: str) -> str:
        """Return a type as the page calls it: the label of its choice, or else its id."""
        field = self.django_form.fields.get(self.field.type_field)
        names = {id: id}
        for key, label in getattr(field, "choices", ()):
            group = label if isinstance(label, (list, tuple)) else [(key, label)]
            names.update((str(value), str(name)) for value, name in group)
        return repr(names[id])

    @cached_property
    def stored(self) -> Any:
        """The data as it is now, and None if there is none.

        Inside of a transaction, the row is locked until its end, so that of two people who save at
        once, the second one is told.
        """
        instance: Any = getattr(self.django_form, "instance", None)
        name = self.bound.name
        if not self.django_form.is_bound or not _is_column(instance, name):
            return self.bound.initial
        if self.is_new:
            return self._copied(type(instance))
        database = instance._state.db
        if not connections[database].in_atomic_block:
            return self.bound.initial
        rows = type(instance)._base_manager.using(database).filter(pk=instance.pk)
        row = rows.select_for_update().values_list(name).first()
        return self.bound.initial if row is None else row[0]

    def _copied(self, model: Any) -> Any:
        """Return the data of the row whose page is saved as a new row (`save_as` of the admin).

        It is only returned as the page had it: the user may not see this row any more.
        """
        try:
            row = signing.loads(self.django_form.data.get(f"{self.prefix}.{_ROW}", ""), salt=_SALT)
        except signing.BadSignature:
            return self.bound.initial
        label, pk, shown = row
        if label != model._meta.label:
            return self.bound.initial
        rows = model._base_manager.using(router.db_for_read(model)).filter(pk=pk)
        found = rows.values_list(self.bound.name).first()
        is_same = found is not None and self._digest(found[0]) == shown
        return found[0] if found is not None and is_same else self.bound.initial

    @property
    def _row(self) -> str:
        """The signed key of the row and digest of its data, for `_copied`; "" if there is none."""
        instance: Any = getattr(self.django_form, "instance", None)
        if self.is_new or not _is_column(instance, self.bound.name):
            return ""
        key = [instance._meta.label, str(instance.pk), self._digest(self.stored)]
        return str(signing.dumps(key, salt=_SALT))

    def _digest(self, value: Any) -> str:
        text = self.field.json_text(value)
        return "" if text is None else digest(text.encode())

    @cached_property
    def stored_text(self) -> str | None:
        """The JSON text of the stored data; None if there is none, or JSON cannot represent it."""
        return self.field.json_text(self.stored)

    @property
    def is_unreadable(self) -> bool:
        """True if there is stored data that JSON cannot represent."""
        return self.stored_text is None and self.stored not in (None, "")

    def shows_stored(self, widget_type: WidgetType) -> bool:
        """Return whether the form of a type shows the stored data, and not that of a new one."""
        text = self.stored_text
        if text is None:
            return False
        is_empty_default = self.is_new and self.stored in ({}, [])
        same_type = self.is_new or widget_type.id == str(self._type_ids[1])
        return (same_type and not is_empty_default) or widget_type.is_valid_json(text)

    @property
    def replaced(self) -> str:
        """The digest of the stored data of another type, which the form replaces; "" for none."""
        if self.is_new or self.stored_text is None or isinstance(self.type, ValidationError):
            return ""
        if self.shows_stored(self.type):
            return ""
        return self._digest(self.stored)

    def original(self, widget_type: WidgetType) -> Form:
        """Return the form before anything is posted.

        Args:
            widget_type: The type that is chosen.

        Raises:
            FormError: If there is no form for the stored data.
            UnreadableDocument: If the stored text is not JSON.
        """
        text = self.stored_text
        if text is None or not self.shows_stored(widget_type):
            text = dump(widget_type.new_data())
        language = active_language()
        return widget_type.form_json(text, ui=self.field.ui, prefix=self.prefix, lang=language)

    def outcome(self, data: Mapping[str, Any]) -> Outcome:
        """Return the result of the controls that were posted; they are read once."""
        if "_outcome" not in vars(self):
            self._outcome = self._submitted(data)
        return self._outcome

    def _submitted(self, data: Mapping[str, Any]) -> Outcome:
        self.kept = _kept_controls(data.get(f"{self.prefix}.{_KEPT}"))
        shown = data.get(f"{self.prefix}.{_TYPE}")
        if isinstance(self.type, ValidationError):
            return Outcome(error=ValidationError([self.type, *self._keep(data, shown)]))
        if self.is_unreadable:
            notes = self._keep(data, shown)
            return Outcome(
                error=ValidationError([active_text("django.no-form"), *notes]) if notes else None
            )
        try:
            original = self.original(self.type)
        except (FormError, UnreadableDocument) as unusable:
            notes = [ValidationError(str(unusable), code="form"), *self._keep(data, shown)]
            return Outcome(error=ValidationError(notes))
        if shown != self.type.id:
            notes = self._keep(data, shown)
            before = self.kept.pop(self.type.id, None)
            if before is not None:
                back = _error("django.back", "type_changed", type=self._type_name(self.type.id))
                form = self._filled_in(original, before)
                return Outcome(error=ValidationError([back, *notes]), form=form, changed=True)
            if shown is not None:
                switched = _error(
                    "django.switched", "type_changed", type=self._type_name(self.type.id)
                )
                error = ValidationError([switched, *notes])
                return Outcome(error=error, form=original, changed=True)
            has_nothing = self.is_new or self.stored_text is None
            had_no_form = f"{self.prefix}.{_ROW}" in data  # but a sentence in its place
            if has_nothing and (had_no_form or self.field.required):
                return Outcome(error=_error("django.fill-in", "fill_in"), form=original)
            return Outcome()
        try:
            submission = self._submit(original, data)
        except StaleForm as stale:
            return Outcome(error=_error("django.stale", "stale"), form=stale.form, changed=True)
        except FormError as failed:
            unusable_controls = ValidationError(str(failed), "form")
            return Outcome(error=unusable_controls, form=original, changed=True)
        form, changed = submission.form, submission.changed or bool(self.replaced)
        if data.get(f"{self.prefix}.{_REPLACED}", "") != self.replaced:
            return Outcome(error=_error("django.stale", "stale"), form=form, changed=True)
        is_decided = submission.action is None and not submission.conflicts
        is_untouched = is_decided and not changed
        if is_untouched and self.stored_text is None and not self.field.required:
            return Outcome(form=form)
        if (error := _refusal(submission)) is not None:
            return Outcome(error=error, form=form, changed=changed or not is_decided)
        notice = submission.notice if submission.merged else ""
        return Outcome(submission.text, form=form, changed=changed, merge_notice=notice)

    def _submit(self, original: Form, data: Mapping[str, Any]) -> Submission:
        # A copy of a row that cannot be read any more is not merged into a new document.
        on_stale: OnStale = "refuse" if self.is_new else "rebase"
        return original.submit(data, on_stale, self.django_form.files)

    def _keep(self, data: Mapping[str, Any], shown: str | None) -> list[ValidationError]:
        """Keep what was posted for the form of another type, if somebody edited it, and say so."""
        if shown is None:
            return []
        try:
            posted = [*pairs_of(self.django_form.files), *pairs_of(data)]
            controls = read_controls(posted, DEFAULT_LIMITS, self.prefix)
        except FormError as unusable:
            return [ValidationError(str(unusable), "form")]
        try:
            submission = self.original(known_type(shown)).submit(self._with_prefix(controls))
            if submission.complete and not submission.changed:
                return []
        except (ValidationError, FormError, UnreadableDocument):
            pass  # the former value is unknown
        self.kept[shown] = {name: texts for name, texts in controls.items() if name != ACTION}
        return [_error("django.kept", "kept", type=self._type_name(shown))]

    def _filled_in(self, original: Form, controls: PostedControls) -> Form:
        """Return a form with controls that were kept."""
        try:
            return original.submit(self._with_prefix(controls)).form
        except StaleForm as stale:
            return stale.form
        except FormError:
            return original

    def _with_prefix(self, controls: PostedControls) -> PostedControls:
        return {prefixed(self.prefix, name): texts for name, texts in controls.items()}

    def render(self) -> SafeString:
        """Return the form as HTML, or why there is none, with what the page has to know."""
        content = self._content()  # first, since it says what is kept
        own = {_ROW: self._row, **({_KEPT: json.dumps(self.kept)} if self.kept else {})}
        names = ((prefixed(self.prefix, name), value) for name, value in own.items())
        form, type_field = self.django_form, self.field.type_field
        known = {
            "role": "group",
            "aria-label": self.bound.label,
            "data-prefix": self.prefix,
            "data-live": self.live,
            "data-type": form[type_field].html_name if type_field in form.fields else None,
        }
        attributes = ((name, value) for name, value in known.items() if value is not None)
        return format_html(
            '<div class="ws-django"{}>{}{}</div>',
            format_html_join("", ' {}="{}"', attributes),
            format_html_join("", _HIDDEN, names),
            content,
        )

    @property
    def live(self) -> str | None:
        """The address of live checks, if there is one."""
        address = getattr(self.django_form, "live_check", None)
        return None if address is None else f"{address}?field={self.prefix}"

    @property
    def preview_address(self) -> str | None:
        """The address of the preview, if there is one."""
        address = getattr(self.django_form, "widget_preview", None)
        is_offered = address is not None and self.field.preview is not None
        return f"{address}?field={self.prefix}" if is_offered else None

    def preview_page(self) -> str | None:
        """Return the page of the preview, of what was posted or else of what is stored.

        None without a preview, or without a form to make one of.
        """
        if self.field.preview is None or isinstance(self.type, ValidationError):
            return None
        form = self.outcome(self.django_form.data).form if self.django_form.is_bound else None
        if form is None:
            try:
                form = self.original(self.type)
            except (FormError, UnreadableDocument) as error:
                return preview_message(str(error)).html
        data = own_copy(form.data, form.source.checks.limits)
        return RenderedPreview(self.field.preview).show(data).html

    @property
    def _options(self) -> RenderOptions:
        """The options that the form of the type is rendered with."""
        own = {_TYPE: str(self._type_ids[0]), _REPLACED: self.replaced}
        hidden = {prefixed(self.prefix, name): value for name, value in own.items()}
        return {
            "tag": False,
            "submit": None,
            "hidden": hidden,
            "live": self.live,
            "theme": self.field.theme,
            "preview": self.preview_address,
        }

    def _content(self) -> SafeString:
        form = self.outcome(self.django_form.data).form if self.django_form.is_bound else None
        if isinstance(self.type, ValidationError):
            return _notice(" ".join(self.type.messages))
        if form is None:
            if self.is_unreadable:
                return _notice(active_text("django.no-form"))
            try:
                form = self.original(self.type)
            except (FormError, UnreadableDocument) as error:
                return _notice(f"{active_text('django.no-form')} {error}")
        return mark_safe(f"{_SAVE}{form.render(**self._options)}")  # noqa: S308  # escaped

    def live_answer(self) -> dict[str, Any]:
        """Return the answer to a live check of the controls that were posted.

        Returns:
            The findings (see `Submission.answer`), or a `notice` that says why there are none. If
            the page has no form, or that of another type, `markup` is what it has to show.

        Raises:
            StaleForm: The page shows a form of other data: it has to be saved to be checked.
        """
        data = self.django_form.data
        shown = data.get(f"{self.prefix}.{_TYPE}")
        if isinstance(self.type, ValidationError) or shown != self.type.id:
            error = self.outcome(data).error
            told = [] if error is None else [one for one in error.error_list if one.code in _TOLD]
            notice = " ".join(text for one in told for text in one.messages)
            return {"notice": notice, "markup": self.render()}
        try:
            submission = self._submit(self.original(self.type), data)
        except StaleForm:
            raise
        except (FormError, UnreadableDocument) as error:
            return {"notice": str(error)}
        shown = data.get(prefixed(self.prefix, BASE), submission.form.base)
        replaced = data.get(f"{self.prefix}.{_REPLACED}", "")
        if (shown, replaced) != (submission.form.base, self.replaced):
            raise StaleForm
        return submission.answer(**self._options)


class WidgetDataBoundField(forms.BoundField):
    """A field of one Django form, with its `Editing`.

    Attributes:
        editing: The editing of the field.
    """

    def __init__(self, form: forms.BaseForm, field: WidgetDataFormField, name: str) -> None:
        super().__init__(form, field, name)
        self.editing = field.editing = Editing(field, self)
        if isinstance(field.widget, WidgetDataInput):
            field.widget.editing = self.editing

    @property
    def errors(self) -> ErrorList:
        """The errors to show beside the field: without what its form shows itself."""
        found = super().errors
        if isinstance(self.field.widget, WidgetDataInput) and found:
            found = found.copy()
            found.data = [one for one in found.as_data() if one.code != _SHOWN]
        return found

    @property
    def merge_notice(self) -> str:
        """The sentence to show after saving if edits of others were merged; "" if none were."""
        if not self.form.is_bound or not isinstance(self.field.widget, WidgetDataInput):
            return ""
        return self.editing.outcome(self.form.data).merge_notice


class WidgetDataInput(forms.Widget):
    """The form of a widget type, as the widget of a `WidgetDataFormField`."""

    use_fieldset = True
    needs_multipart_form = True  # the type may change to one with files
    editing: Editing | None = None

    class Media:
        """The files of the page, which `django.contrib.staticfiles` finds."""

        css: Final = {"all": ("widgetschema/django.css", "widgetschema/forms.css")}
        js: Final = (
            forms.Script("widgetschema/forms.js", defer=True),
            forms.Script("widgetschema/preview.js", defer=True),
            forms.Script("widgetschema/django.js", defer=True),
        )

    def _of_its_field(self) -> Editing:
        if self.editing is None:
            raise TypeError(f"{type(self).__name__} is the widget of a WidgetDataFormField only")
        return self.editing

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        """Return the form as HTML."""
        return self._of_its_field().render()

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Outcome:
        """Return the result of the controls that were posted."""
        return self._of_its_field().outcome(data)

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        """Return whether the page had no form for this field."""
        return f"{name}.{_TYPE}" not in data

    def id_for_label(self, id_: str) -> str:
        """Return no id: the form is a group of controls."""
        return ""

    def use_required_attribute(self, initial: Any) -> bool:
        """Return False: the schema decides what is required."""
        return False


class WidgetDataFormField(forms.Field):
    """A form field for widget data.

    With another widget, such as `forms.Textarea`, people edit the JSON text.

    Args:
        type: The id of the widget type, if it is fixed.
        type_field: The name of the field of the same form, or of an attribute of the instance of
            a `ModelForm`, that holds the id.
        ui: Labels and kinds of controls, see `WidgetType.form`.
        theme: The name of a ready theme, see `widgetschema.forms.html.render`.
        preview: Returns a whole HTML page for some data, which may be invalid. An admin with the
            `WidgetAdminMixin` shows it below the form of its own fields, without any rights.
        as_text: Data is JSON text, not Python values.
        encoder: As for `JSONField`.
        decoder: As for `JSONField`.
    """

    widget = WidgetDataInput
    empty_values: Sequence[Any] = (None,)
    editing: Editing | None = None

    def __init__(
        self,
        *,
        type: str | None = None,
        type_field: str | None = None,
        ui: Mapping[str, Any] | None = None,
        theme: str = "plain",
        preview: Callable[[Any], str] | None = None,
        as_text: bool = False,
        encoder: Any = None,
        decoder: Any = None,
        **options: Any,
    ) -> None:
        if (type is None) == (type_field is None):
            raise TypeError("WidgetDataFormField needs either type= or type_field=")
        if preview is not None:
            require_function(preview, "preview", "data")
        self.type = type
        self.type_field = type_field
        self.ui = ui
        self.theme = theme
        self.preview = preview
        self.as_text = as_text
        self.encoder = encoder
        self.decoder = decoder
        super().__init__(**options)

    def get_bound_field(self, form: forms.BaseForm, field_name: str) -> forms.BoundField:
        """Return the field of one Django form."""
        return WidgetDataBoundField(form, self, field_name)

    def prepare_value(self, value: Any) -> Any:
        """Return a value for a widget that edits JSON text."""
        if isinstance(self.widget, WidgetDataInput) or value is None or isinstance(value, str):
            return value
        return json.dumps(value, cls=self.encoder, ensure_ascii=False, indent=2)

    def json_text(self, value: Any) -> str | None:
        """Return the JSON text of data; None if there is none, or JSON cannot represent it."""
        if value is None or (self.as_text and value == ""):
            return None
        if isinstance(value, UnreadText) or (self.as_text and isinstance(value, str)):
            return str(value)
        if self.encoder is not None:
            value = json.loads(json.dumps(value, cls=self.encoder))
        plain, unfit = plain_copy(value, DEFAULT_LIMITS.max_depth)
        return None if unfit else dump(plain)

    def without_secrets(self, value: Any, type_of: Callable[[], WidgetType]) -> Any:
        """Return stored data for people who only read it, with dots for each secret.

        Args:
            value: The data.
            type_of: Returns its widget type, or raises `ValidationError`.

        Returns:
            The data; dots if it is unknown which parts are secrets.
        """
        text = self.json_text(value)
        if value in (None, ""):
            return value
        try:
            public = type_of().form_json(text or "", ui=self.ui).source.tree.text
        except (ValidationError, FormError, UnreadableDocument):
            return HIDDEN
        return self._data(with_hidden(public)) if has_placeholder(public) else value

    def clean(self, value: Any) -> Any:
        """Return the new data: Python values, or text with `as_text`.

        Args:
            value: The `Outcome` of the controls, or the JSON text of another widget; the data of a
                disabled field.

        Raises:
            ValidationError: For invalid data, with the code `invalid_data` and the `report` in its
                `params`; with `action` after a button that changes the form, with `stale` if the
                data or the schema has changed since, with `type_changed` and `fill_in` if the form
                of a type has not been shown yet.
        """
        if self.editing is None:
            raise TypeError("a WidgetDataFormField cleans data only as a field of a form")
        editing = self.editing
        if self.disabled:
            return editing.bound.initial
        if isinstance(value, Outcome):
            if value.error is not None:
                raise value.error
            text = value.text
            data = (
                (None if editing.is_new else editing.stored) if text is None else self._data(text)
            )
        else:
            data = self._typed(value, editing)
        self.validate(data)
        self.run_validators(data)
        return data

    def _data(self, text: str) -> Any:
        return text if self.as_text else json.loads(text, cls=self.decoder)

    def _typed(self, text: str | None, editing: Editing) -> Any:
        """Return the data in a text that somebody typed."""
        if text is None or not text.strip():
            return None
        if isinstance(editing.type, ValidationError):
            raise editing.type
        report = editing.type.check_json(text)
        if not report.valid:
            raise validation_error(report)
        return self._data(text)

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Return whether somebody edited the data."""
        if self.disabled:
            return False
        if isinstance(data, Outcome):
            return data.changed
        return (data or "").strip() != (self.prepare_value(initial) or "").strip()


def _is_column(instance: models.Model | None, name: str) -> bool:
    return instance is not None and name in {one.name for one in instance._meta.concrete_fields}


def _error(name: str, code: str, /, **parameters: Any) -> ValidationError:
    return ValidationError(active_text(name, **parameters), code)


def _refusal(submission: Submission) -> ValidationError | None:
    """Return the error about a submission that cannot be saved, or not yet."""
    if submission.conflicts:
        error = _error("django.conflict", "stale")
    elif submission.action is not None:
        error = _error("django.action", "action")
    elif not submission.valid:
        error = _invalid(submission.report)
    else:
        return None
    merged = submission.notice
    return ValidationError([error, ValidationError(merged, "merged")]) if merged else error


def _invalid(report: Report) -> ValidationError:
    params = {"count": len(report), "report": report}
    message = active_text("django.invalid", number=len(report)).replace("%", "%%")
    return ValidationError(message, _SHOWN, params)


def _kept_controls(text: Any) -> dict[str, PostedControls]:
    """Return the controls in the hidden control of a page; none for what no page of ours has."""
    try:
        found = read(text or "{}")
    except UnreadableDocument:
        return {}
    if not isinstance(found, dict):
        return {}
    return {id: controls for id, controls in found.items() if _are_controls(controls)}


def _are_controls(value: Any) -> bool:
    return isinstance(value, dict) and all(
        isinstance(texts, list) and all(isinstance(text, str) for text in texts)
        for texts in value.values()
    )


def _notice(text: str) -> SafeString:
    return format_html('<p class="ws-django-notice">{}</p>', text)

"""The admin: findings while somebody types, the form of a chosen type, notices about merges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial, wraps
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.contrib.admin.options import InlineModelAdmin
from django.contrib.admin.utils import quote, unquote
from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.template.response import SimpleTemplateResponse
from django.urls import path, reverse

from widgetschema.errors import StaleForm
from widgetschema.forms.preview import PREVIEW_HEADERS
from widgetschema.integrations.django.fields import widget_fields
from widgetschema.integrations.django.forms import Editing, WidgetDataBoundField
from widgetschema.integrations.problems import problem_of
from widgetschema.integrations.stored_columns import reading_as_stored

_CHECK: Final = "widget-check/"
_PREVIEW: Final = "widget-preview/"


def _reading_all(view: Callable[..., Any]) -> Callable[..., Any]:
    """Read rows that cannot be migrated as they are stored: in a view, and in its template.

    The template gets rows without their secrets: forms have read theirs in the view.
    """

    @wraps(view)
    def reading(*arguments: Any, **options: Any) -> Any:
        with reading_as_stored(only_failed=True):
            response = view(*arguments, **options)
        if isinstance(response, SimpleTemplateResponse) and not response.is_rendered:
            render = response.render

            def rendered() -> HttpResponse:
                del response.render  # once
                with reading_as_stored(only_failed=True):
                    _hide_secrets(response.context_data or {})
                    return render()

            response.render = rendered
        return response

    return reading


def _reading_all_of(name: str) -> Callable[..., Any]:
    """Return a view of `ModelAdmin` that also shows rows that cannot be migrated."""

    def view(self: WidgetAdminMixin, *arguments: Any, **options: Any) -> Any:
        return getattr(super(WidgetAdminMixin, self), name)(*arguments, **options)

    return _reading_all(view)


class WidgetAdminMixin:
    """Add live checks to a `ModelAdmin`, for its own fields and for those of all its inlines.

    Fields of its own with a `preview` show it below their form. After saving, a message says where
    edits of others were merged.

    Rows that `migrations=` of their field cannot migrate are listed, shown and saved as they are
    stored, so that they can be corrected.

    A check has a URL of its own, below that of the row, and saves nothing. The admin answers it for
    those who may add or change this row. Write it before `admin.ModelAdmin` in the list of bases.
    """

    admin_site: Any
    opts: Any

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        order = cls.mro()
        if InlineModelAdmin in order:
            raise TypeError(
                f"{cls.__name__} is an inline: write WidgetAdminMixin in the ModelAdmin of its page"
            )
        if ModelAdmin in order and order.index(ModelAdmin) < order.index(WidgetAdminMixin):
            raise TypeError(
                f"write WidgetAdminMixin first: class {cls.__name__}(WidgetAdminMixin, ModelAdmin)"
            )

    def get_urls(self) -> list[Any]:
        """Return the URLs of the admin, and those of checks and previews."""

        def check(request: HttpRequest, object_id: str | None = None) -> Any:
            return self.admin_site.admin_view(self.widget_check_view)(request, object_id)

        def preview(request: HttpRequest, object_id: str | None = None) -> Any:
            return self.admin_site.admin_view(self.widget_preview_view)(request, object_id)

        own = [
            path(f"{row}/{end}", view, name=self._name_of_url(verb, end))
            for end, view in ((_CHECK, check), (_PREVIEW, preview))
            for verb, row in (("add", "add"), ("change", "<path:object_id>"))
        ]
        return [*own, *super().get_urls()]  # type: ignore[misc]

    changelist_view = _reading_all_of("changelist_view")
    changeform_view = _reading_all_of("changeform_view")
    delete_view = _reading_all_of("delete_view")
    history_view = _reading_all_of("history_view")

    def get_form(
        self,
        request: HttpRequest,
        obj: models.Model | None = None,
        change: bool = False,
        **options: Any,
    ) -> type[forms.BaseForm]:
        """Return the class of the form, which knows the addresses of its checks and preview."""
        form: Any = super().get_form(request, obj, change, **options)  # type: ignore[misc]
        form.live_check = self._address(obj)
        form.widget_preview = self._address(obj, _PREVIEW)
        return form

    def get_formsets_with_inlines(
        self, request: HttpRequest, obj: models.Model | None = None
    ) -> Iterator[Any]:
        """Yield the inlines and their formsets, whose forms know the address of their checks."""
        for formset, inline in super().get_formsets_with_inlines(request, obj):  # type: ignore[misc]
            formset.form.live_check = self._address(obj)
            yield formset, inline

    def save_related(
        self, request: HttpRequest, form: forms.BaseForm, formsets: Any, change: bool
    ) -> None:
        """Save the inlines, and say for the row and for each of them what was merged."""
        super().save_related(request, form, formsets, change)  # type: ignore[misc]
        saved = (form, *(one for formset in formsets for one in formset.forms))
        for field in (field for one in saved for field in one):
            if isinstance(field, WidgetDataBoundField) and field.merge_notice:
                text = f"{field.form.instance}, {field.label}: {field.merge_notice}"
                messages.info(request, text, fail_silently=True)

    @_reading_all
    def widget_check_view(self, request: HttpRequest, object_id: str | None) -> Any:
        """Answer a check of the field that the query parameter `field` names, without saving.

        Raises:
            Http404: There is no such row, not for this user, or no such field.
            PermissionDenied: The user may not add or change the row.
        """
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        row = self._permitted_row(request, object_id)
        editing = self._editing(request, row, request.GET.get("field", ""))
        try:
            answer, status = editing.live_answer(), 200
        except StaleForm as error:
            found = problem_of(error)
            answer, status = found.body, found.status
        return JsonResponse(answer, status=status, headers={"Cache-Control": "no-store"})

    @_reading_all
    def widget_preview_view(self, request: HttpRequest, object_id: str | None) -> Any:
        """Show the preview of the field that the query parameter `field` names, without saving.

        GET shows the preview of the stored data, POST that of the controls.

        Raises:
            Http404: There is no such row, not for this user, or no such field or preview.
            PermissionDenied: The user may not add or change the row.
        """
        row = self._permitted_row(request, object_id)
        page = self._editing(request, row, request.GET.get("field", "")).preview_page()
        if page is None:
            raise Http404("there is no preview")
        return HttpResponse(page, headers=dict(PREVIEW_HEADERS))

    def _permitted_row(self, request: HttpRequest, object_id: str | None) -> models.Model | None:
        """Return the row; None for one that is to be added. Raise if the user may not edit it."""
        row = None
        if object_id is not None:
            row = self.get_object(request, unquote(object_id))  # type: ignore[attr-defined]
            if row is None:
                raise Http404("there is no such row")
            is_allowed = self.has_change_permission(request, row)  # type: ignore[attr-defined]
        else:
            is_allowed = self.has_add_permission(request)  # type: ignore[attr-defined]
        if not is_allowed:
            raise PermissionDenied
        return row

    def _name_of_url(self, verb: str, end: str) -> str:
        name = end.strip("/").replace("-", "_")
        return f"{self.opts.app_label}_{self.opts.model_name}_{verb}_{name}"

    def _address(self, row: models.Model | None, end: str = _CHECK) -> str:
        verb, key = ("add", []) if row is None else ("change", [quote(row.pk)])
        return reverse(f"{self.admin_site.name}:{self._name_of_url(verb, end)}", args=key)

    def _editing(self, request: HttpRequest, row: models.Model | None, name: str) -> Editing:
        """Return the editing of the field with this name on the page of a row."""
        form_class = self.get_form(request, row, change=row is not None)
        posted = (request.POST, request.FILES) if request.method == "POST" else ()
        form: Any = form_class(*posted, instance=row)
        found = _find(form, name)
        if found is not None:
            return found
        numbers: Counter[str] = Counter()  # inlines of the same model have numbers
        for formset_class, inline in self.get_formsets_with_inlines(request, row):
            prefix = formset_class.get_default_prefix()
            numbers[prefix] += 1
            if numbers[prefix] > 1:
                prefix = f"{prefix}-{numbers[prefix]}"
            if not name.startswith(f"{prefix}-"):
                continue
            options = self.get_formset_kwargs(  # type: ignore[attr-defined]
                request, form.instance, inline, prefix
            )
            editings = (_find(one, name) for one in formset_class(**options).forms)
            found = next((one for one in editings if one is not None), None)
            if found is not None:
                has_permission = (
                    inline.has_add_permission if found.is_new else inline.has_change_permission
                )
                if not has_permission(request, row):
                    raise PermissionDenied
                return found
        raise Http404("there is no such field")


def _hide_secrets(context: Mapping[str, Any]) -> None:
    """Take the secrets out of the rows that a template of the admin gets."""
    for admin, row, names in _rows(context):
        overrides: Any = admin.formfield_overrides
        for field in widget_fields(type(row)):
            if names is not None and field.name not in names:
                continue
            options: Any = next(
                (overrides[one] for one in type(field).mro() if one in overrides), {}
            )
            value = getattr(row, field.attname)
            shown = field.formfield(**options).without_secrets(
                value, partial(field.widget_type, row)
            )
            setattr(row, field.attname, shown)


def _rows(context: Mapping[str, Any]) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the rows that a page shows, with their admin, and the columns of a list."""
    if "cl" in context:
        found = context["cl"]
        for row in found.result_list:
            yield found.model_admin, row, found.list_display
    if "adminform" in context:
        yield context["adminform"].model_admin, context["adminform"].form.instance, None
    for inline in context.get("inline_admin_formsets", ()):
        for form in inline.formset.forms:
            yield inline.opts, form.instance, None


def _find(form: forms.BaseForm, name: str) -> Editing | None:
    for field in form:
        if field.html_name == name and isinstance(field, WidgetDataBoundField):
            return field.editing
    return None

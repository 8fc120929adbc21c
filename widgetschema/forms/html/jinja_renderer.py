"""Render fields with Jinja2 templates: each kind has its own, in a frame with label and findings.

A frame is `field` (one control), `radios` and `checkboxes` (several controls for one value),
`group` (a container), `closed` (a part that is opened on demand) or `section`. Jinja2 and
`attributes` do all escaping; nothing else makes markup.

`template_variables` lists the templates with their variables; `template_loading` loads them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from jinja2 import TemplateSyntaxError
from markupsafe import Markup, escape

from widgetschema.forms import control_names as names
from widgetschema.forms.conflicts import conflict_choice
from widgetschema.forms.custom_controls import TEXT, CustomControl, control_of
from widgetschema.forms.fields.labels import in_a_sentence
from widgetschema.forms.fields.layout import (
    Arrangement,
    GroupedItems,
    TabbedItems,
    arrange,
    items_of,
)
from widgetschema.forms.form_state import FormState
from widgetschema.forms.html.page_elements import (
    Fold,
    RowTools,
    can_add,
    element_id,
    focused_id,
    is_said_in_words,
    offered_names,
    placed_findings,
    problems_of,
    row_fold,
    summary_id,
    tools_of_rows,
)
from widgetschema.forms.html.template_loading import Templates, load_templates
from widgetschema.forms.html.template_variables import variables_of
from widgetschema.forms.markdown import preview_of_markdown
from widgetschema.forms.model import (
    CHOICE_LOOKS,
    CONTAINER_KINDS,
    HOLDER_KINDS,
    TEXT_KINDS,
    UNSET,
    Field,
    selection_ids,
)
from widgetschema.forms.posted_controls import (
    SHAPE,
    can_restore_typed,
    hides_typed,
    says_typed,
)
from widgetschema.forms.row_names import naming_field
from widgetschema.forms.secrecy import HIDDEN
from widgetschema.forms.submit.removed_rows import removed_rows, with_removed_rows
from widgetschema.forms.submit.suggestions import content_of
from widgetschema.forms.texts import FORM_DOMAIN, text
from widgetschema.forms.uploads import (
    limit_of,
    media_type_of,
    size_text,
    stored_file,
    text_to_send_back,
)
from widgetschema.languages import Language
from widgetschema.text import shorten

_NAME: Final = (
    "\ue000"  # in the markup of a menu of states, which fields share: the name of its control
)
_MAX_PLACEHOLDER: Final = 80  # characters
_MOVES: Final = {names.UP: Markup("&uarr;"), names.DOWN: Markup("&darr;")}  # their signs
_NOTHING: Final = Markup("")  # false in templates
_MIN_LINES: Final = {
    "long-text": 2,
    "css": 2,
    "markdown": 4,
    "json": 1,
}  # that a text area has at least
_MAX_LINES: Final = 24  # before it scrolls
_LONGEST_KEPT: Final = 200  # characters of names and labels that are kept for the next form
_LINE_LENGTH: Final = 60  # of a line, roughly
_SEGMENTS_LENGTH: Final = 34  # of segments beside each other in a column: characters, roughly
# An address that a browser asks for a picture, if the policy of the page allows it.
_PICTURE: Final = re.compile(r"https://[^?#\s]+\.(?:avif|gif|jpe?g|png|svg|webp)(?:[?#]\S*)?", re.I)
_MAX_OUTLINED: Final = 50  # rows of a list
_MAX_TICKS: Final = 4  # checkboxes below each other in a column
_OTHERS: Final = (  # the style sheet hides the alternatives until it is checked
    '<label class="ws-item"><input type="checkbox" class="ws-others" autocomplete="off">'
    "<span>{}</span></label>"
)
# What a container has besides its members.
_NO_CONTENT: Final = dict.fromkeys(variables_of("kinds/object"))
_CHECKBOX: Final = {"true", "false"}


def render_form(form: FormState, folders: tuple[str, ...], **given: Any) -> str:
    """Return the form: summary, sections, buttons."""
    templates = load_templates(folders)
    with templates.locating_errors():
        return _render_form(form, templates, **given)


def _render_form(
    form: FormState,
    templates: Templates,
    *,
    preview: str | None,
    staying: Collection[str],
    **given: Any,
) -> str:
    renderer = _FieldRenderer(templates, form, staying)
    root = form.root
    sections = [section for section in form.sections if not section.row]
    parts = (
        renderer.parts(sections)
        if root.kind == "object"
        else [*map(renderer.field, (root, *root.unread))]
    )
    button = f'name="{escape(renderer.do)}"'
    return templates["form"].render(
        root=root,
        summary=SafeMarkup(_render_summary(form, templates)),
        help=root.shape.help if root.kind == "object" else "",
        errors=renderer.errors(root) if root.kind == "object" else _NOTHING,
        nav=[
            (one, *_counts(one), _rows_in_outline(one))
            for one in root.children
            if (one in sections or _is_list_of_groups(one)) and not one.is_concealed
        ],
        parts=parts,
        has_buttons=any(button in part.__html__() for part in parts),
        menus=renderer.has_menus,
        has_files=form.has_uploads
        and any(one.kind == "upload" and not one.read_only for one in root.walk()),
        changed=_has_edits(form),
        conflicts=_render_conflicts(form, templates),
        controls=(
            (names.prefixed(form.prefix, names.BASE), form.base),
            (names.prefixed(form.prefix, names.TEXT), form.data_text),
            (names.prefixed(form.prefix, SHAPE), form.signature),
            (names.prefixed(form.prefix, names.DUE), form.due),
            *(
                (names.prefixed(form.prefix, name), one)
                for name, values in (form.posted or {}).items()
                if name.startswith((names.STEPS, names.ASIDE))
                for one in values
            ),
        ),
        do=renderer.do,
        language=form.language,
        script_texts=_script_texts(form.language),
        preview=_preview_box(templates, preview, form.prefix, renderer.do),
        **given,
    )


def _preview_box(templates: Templates, address: str | None, prefix: str, do: str) -> Markuplike:
    if address is None:
        return _NOTHING
    frame = names.prefixed(prefix, "ws-preview")
    return SafeMarkup(
        templates["preview"].render(address=address, posts=True, sandbox="", frame=frame, do=do)
    )


def render_preview(address: str, sandbox: str) -> str:
    """Return the frame of a preview that a script tells what to show."""
    variables = {"address": address, "sandbox": sandbox, "posts": False}
    return load_templates(())["preview"].render(frame="ws-preview", do="", **variables)


@lru_cache(maxsize=16)
def _script_texts(language: Language) -> str:
    return language.script_texts(FORM_DOMAIN)


def _render_conflicts(form: FormState, templates: Templates) -> Markuplike:
    if not form.conflicts:
        return _NOTHING
    labels = text("conflict.mine"), text("conflict.theirs")
    found = [conflict_choice(one, form.root, form.at, labels) for one in form.conflicts]
    choices = [one._replace(name=names.prefixed(form.prefix, one.name)) for one in found]
    return SafeMarkup(templates["conflicts"].render(conflicts=choices))


def render_findings(form: FormState, folders: tuple[str, ...]) -> tuple[str, dict[str, str]]:
    """Return all findings together, and those of each field that has any by its id."""
    templates = load_templates(folders)
    renderer = _FieldRenderer(templates, form)
    with templates.locating_errors():
        return _render_summary(form, templates), {
            field.id: renderer.errors(field).__html__()
            for field in form.root.walk()
            if field.findings
        }


def render_page(
    markup: str,
    folders: tuple[str, ...],
    *,
    stylesheet: str,
    theme: str,
    script: str,
    preview_script: str,
    **given: Any,
) -> str:
    """Return a whole page around the markup of a form."""
    templates = load_templates(folders)
    with templates.locating_errors():
        return templates["page"].render(
            form=SafeMarkup(markup),
            stylesheet=SafeMarkup(stylesheet),
            theme=SafeMarkup(theme) if theme else _NOTHING,
            script=SafeMarkup(script),
            preview_script=SafeMarkup(preview_script) if preview_script else _NOTHING,
            **given,
        )


def _render_summary(form: FormState, templates: Templates) -> str:
    if form.report.valid:
        return ""
    id = summary_id(form)
    found = placed_findings(form)
    return templates["summary"].render(id=id, found=found, focused=focused_id(form) == id)


class SafeMarkup:
    """Rendered markup, escaped already. `Markup` would copy it, again in each container."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __html__(self) -> str:
        return self.text


Markuplike = SafeMarkup | Markup


class _CommonTexts(NamedTuple):
    """Texts that many fields have, escaped."""

    menu: str
    others: str
    name: str
    type: str
    change: str


class _TextsAbout(NamedTuple):
    """Texts with the label of a field, escaped."""

    label: str
    menu: str
    value: str
    type: str
    change: str


@lru_cache(maxsize=16)
def _common_texts(language: Language) -> _CommonTexts:
    phrases = language.phrases(FORM_DOMAIN)
    ids = ("menu", "menu.others", "row.name", "type", "type.change")
    return _CommonTexts(*[str(escape(phrases[id]())) for id in ids])


def _texts_about(label: str, language: Language) -> _TextsAbout:
    known = _known_texts if len(label) <= _LONGEST_KEPT else _known_texts.__wrapped__
    return known(label, language)


@lru_cache(maxsize=4_096)
def _known_texts(label: str, language: Language) -> _TextsAbout:
    phrases = language.phrases(FORM_DOMAIN)
    ids = ("menu.of", "menu.value", "type.of", "type.change-of")
    return _TextsAbout(_escaped(label), *[str(escape(phrases[id](label=label))) for id in ids])


def _escaped(text: str) -> str:
    """Return a name, an id or a label for markup: those of all forms of a type are the same."""
    return _known_escaped(text) if len(text) <= _LONGEST_KEPT else str(escape(text))


@lru_cache(maxsize=16_384)
def _known_escaped(text: str) -> str:
    return str(escape(text))


def _has_edits(form: FormState) -> bool:
    """Return True if a posted control says something else than the untouched form."""
    silent = (names.BASE, SHAPE, names.DUE, names.ACTION)
    return any(
        name not in silent and not name.startswith(names.OPEN + names.ROOT)
        for name in form.posted or ()
    )


class _FieldRenderer:
    """Renders the fields of one form; `focus` is the id of the element to focus.

    The page has the rows that are `staying` already.
    """

    def __init__(
        self, templates: Templates, form: FormState, staying: Collection[str] = ()
    ) -> None:
        self.templates, self.staying = templates, staying
        self.form = form
        self.focus = focused_id(form)
        self.name_prefix = names.prefixed(form.prefix, "")
        self.escaped_prefix = escape(self.name_prefix)
        self.do = names.prefixed(form.prefix, names.ACTION)
        self.more = escape(names.prefixed(form.prefix, "more"))  # of menus, one is open at a time
        self.posted = form.posted or {}
        self.has_menus = False
        self._menus: dict[tuple[Any, str, str, bool], list[str]] = {}
        self._types: dict[tuple[tuple[str, ...], int], str] = {}
        self.texts = _common_texts(form.language)

    def field(
        self,
        field: Field,
        *,
        bare: bool = False,
        frame: str = "group",
        fold: Fold | None = None,
        label: str | None = None,
        type: Markuplike = _NOTHING,
    ) -> Markuplike:
        """Return a field in its frame; if `bare`, only assistive technology sees its label.

        A group with a `fold` can be closed. An alternative that stands for all of them has the
        `label` of their field, and the way to the others in its menu. That of a free value has the
        control that chooses its `type`.
        """
        if field.read_only:
            while field.kind == "alternatives" and field.opened:
                child = field.children[field.shown.chosen]
                field = child._replace(label=field.label, note=field.note or child.note)
            label = None
        if field.shape.free and field.children:
            return self._free_value(field, bare=bare, frame=frame, fold=fold)
        variables = self._variables(field, label)
        variables["fold"] = fold
        variables["type"] = type
        # Without a value, what would be in it is hidden: the button is the way there.
        can_have_none = not {"unset", "null"}.isdisjoint(field.states)
        kind = field.kind
        variables["can_start"] = can_have_none and kind in HOLDER_KINDS and not field.read_only
        if field.read_only and (not field.opened or kind not in CONTAINER_KINDS):
            frame, control = "field", "kinds/read-only"
            variables |= self._read_only(field)
        elif not field.opened:
            frame, control = "closed", ""
            if "null" not in field.states:  # the button is what sets it
                variables["states"] = _NOTHING
        elif kind in CONTAINER_KINDS:
            control = f"kinds/{kind}"
            variables |= self._content(field)
            variables |= self._members(field, _arranged(field).parts)
        elif kind == "alternatives":
            control = "kinds/alternatives"
            variables |= self._alternatives(field)
        else:
            frame, control = self._control(variables)
        variables["bare"] = bare
        if control:
            variables["control"] = self.templates[control]
            frame = f"{frame}+{control}"
        return self._render_markup(frame, variables)

    def parts(self, sections: Sequence[Field]) -> list[Markuplike]:
        """Return the members of the root in their order: sections, and what is between them.

        A section in a tab or a group is shown there. Tabs and additional members come last.
        """
        root = self.form.root
        parts: list[Markuplike] = []
        between: list[Field | GroupedItems[Field]] = []
        for part in _arranged(root).parts:
            if not isinstance(part, Field) or part not in sections:
                between.append(part)
                continue
            if between:
                some = {**_NO_CONTENT, **self._members(root, between)}
                parts.append(self._render_markup(f"kinds/{root.kind}", some))
                between = []
            parts.append(self.field(part, frame="section"))
        rest = {**self._content(root), **self._members(root, between)}
        return [*parts, self._render_markup(f"kinds/{root.kind}", rest)]

    def _members(
        self, holder: Field, parts: Sequence[Field | GroupedItems[Field]]
    ) -> dict[str, Any]:
        """Return the variables of members, and groups of them, beside each other."""
        return {
            "field": holder,
            "members": self._parts(holder, parts),
            "columns": holder.shape.ui.columns,
        }

    def _content(self, field: Field) -> dict[str, Any]:
        """Return the variables of a container except its members: rows, tabs, buttons."""
        rows = [child for child in field.children if child.row]
        tools_of = tools_of_rows(field)
        rest = next((child for child in field.children if child.is_rest), None)
        removed = self.posted.get(names.companion_name(names.REMOVED, field.name))
        return {
            "tabs": self._tabs(field, _arranged(field).tabs),
            "rest": _NOTHING if rest is None else self.field(rest),
            "rows": [
                _stub(child)
                if child.name in self.staying
                else self._row(field, child, tools_of(child))
                for child in rows
            ],
            # Of no rows, too, if there were some: else the last one could not be removed.
            "order": self._companion(names.ORDER, field)
            if (rows or field.pristine.rows or can_add(field)) and not field.read_only
            else None,
            "opened": None if field.read_only else self._open_control(field),
            "removed": self._removed(field) if removed and not field.read_only else None,
            "offered": offered_names(field),
            "drop": names.companion_name(names.DROP, field.name)
            if any(one.former and one.chosen.shown.state != "unset" for one in field.children)
            else None,
            "add": names.companion_name(names.ADD, field.name) if can_add(field) else None,
            "added": in_a_sentence(field.shape.item_label),
            "do": self.do,
            "focus": self.focus,
        }

    def _parts(
        self, holder: Field, parts: Sequence[Field | GroupedItems[Field]]
    ) -> list[Markuplike]:
        """Return the members of an object, with groups around some."""
        return [
            self.field(part) if isinstance(part, Field) else self._group(holder, part)
            for part in parts
        ]

    def _group(self, holder: Field, part: GroupedItems[Field]) -> Markuplike:
        found = any(one.findings for field in part.items for one in field.walk())
        variables = {
            "id": f"{holder.id}:group{part.number}",
            "hidden": all(field.is_concealed for field in part.items),
            "group": part.group,
            "fold": part.group.closed is not None,
            "open": found or not part.group.closed or self._has_focus(part.items),
            "columns": part.group.columns,
            "members": [self.field(field) for field in part.items],
        }
        return self._render_markup("members", variables)

    def _tabs(self, holder: Field, tabs: Sequence[TabbedItems[Field]]) -> Markuplike:
        """Return the tabs of an object; the one with the focus is open, or else the first one.

        Objects in the tabs of the whole form are sections.
        """
        if not tabs:
            return _NOTHING
        is_root = holder is self.form.root
        opened = next((tab for tab in tabs if self._has_focus(items_of(tab.parts))), tabs[0])
        shown = []
        for tab in tabs:
            sections = [
                part
                for part in tab.parts
                if is_root and isinstance(part, Field) and part.kind == "object"
            ]
            others = [part for part in tab.parts if part not in sections]
            shown.append(
                {
                    "id": f"{holder.id}:tab{tab.number}",
                    "label": tab.label,
                    "open": tab is opened,
                    "hidden": all(field.is_concealed for field in items_of(tab.parts)),
                    "found": sum(_counts(field)[0] for field in items_of(tab.parts)),
                    "members": self._parts(holder, others),
                    "sections": [self.field(field, frame="section") for field in sections],
                }
            )
        variables = {"id": holder.id, "tabs": shown, "columns": holder.shape.ui.columns}
        return self._render_markup("tabs", variables)

    def _has_focus(self, fields: Sequence[Field]) -> bool:
        """Return True if the element with the focus is in one of these fields."""
        focus = self.focus
        return focus is not None and any(
            focus == one.id or focus.startswith(f"{one.id}:")
            for field in fields
            for one in field.walk()
        )

    def _removed(self, field: Field) -> dict[str, str] | None:
        """Return the control of the rows that can be restored, and the button for the last one."""
        rows = removed_rows(self.posted, field.name)
        if not rows:
            return None
        name = names.row_name(field.name, rows[-1].id)
        [stored] = with_removed_rows({}, field.name, rows).values()
        return {
            "name": self._companion(names.REMOVED, field),
            "value": stored[0],
            "label": rows[-1].label,
            "restore": names.companion_name(names.RESTORE, name),
        }

    def errors(self, field: Field) -> Markuplike:
        """Return the findings of a field."""
        if not field.findings:
            return _NOTHING
        variables = {"field": field, "problems": problems_of(self.form, field), "do": self.do}
        return self._render_markup("errors", variables)

    def _row(self, holder: Field, field: Field, tools: RowTools) -> Markuplike:
        shown_key = field.shown.key
        # What HTML cannot carry cannot be edited: without the control it stays as it is.
        has_key = field.has_key and "\0" not in shown_key and not field.read_only
        key = self._companion(names.KEY, field) if has_key else None
        is_free = bool(field.shape.free and field.children) and not field.read_only
        has_legend = (field.chosen if is_free else field).kind in HOLDER_KINDS
        fold = row_fold(holder, field) if has_legend and not (is_free and field.has_key) else None
        if is_free:
            inner_key, key = (key, None) if is_said_in_words(holder, field) else (None, key)
            is_bare = key is not None or not (field.has_key or has_legend)
            control = self._free_value(field, bare=is_bare, fold=fold, key=inner_key)
        else:
            control = self.field(field, bare=not (field.has_key or has_legend), fold=fold)
        variables: dict[str, Any] = {
            "field": field,
            "control": control,
            "key": key,
            "is_free": is_free,
            "offered": element_id(holder, "names") if holder.offered else None,
            "lines": shown_key.count("\n") + shown_key.count("\r") + 1,
            "copied": self._copied(field),
            "moves": [
                (verb, names.companion_name(verb, field.name), _MOVES[verb]) for verb in tools.moves
            ],
            "stuck": tools.stuck,
            "copy": names.companion_name(names.COPY, field.name) if tools.copy else None,
            "remove": names.companion_name(names.REMOVE, field.name) if tools.remove else None,
            "do": self.do,
            "focus": self.focus,
        }
        return self._render_markup("row", variables)

    def _copied(self, row: Field) -> tuple[str, str] | None:
        """Return the control of a row that is a copy: its name, and the id of the row itself."""
        origin = self.posted.get(names.companion_name(names.ORIGIN, row.name))
        return (self._companion(names.ORIGIN, row), origin[0]) if origin else None

    def _free_value(
        self,
        field: Field,
        *,
        bare: bool = False,
        frame: str = "group",
        fold: Fold | None = None,
        key: str | None = None,
    ) -> Markuplike:
        """Return a free value: the alternative that is chosen, and the others if they have drafts.

        What was not opened yet is opened as what the schema says, without a choice. With a `key`,
        the control for the name of the member is in its menu, beside the type.
        """
        chosen = field.children[field.shown.chosen]._replace(concealed=field.concealed)
        type = self._type(field, key) if chosen.opened else _NOTHING
        shown = self.field(chosen, bare=bare, frame=frame, fold=fold, type=type)
        drafts = [
            self.field(child)
            for child in field.children
            if child.name != chosen.name and child.opened
        ]
        carried = self._carried(field)
        if not drafts and not carried:
            return shown
        variables = {"shown": shown, "drafts": drafts, "carried": carried}
        return self._render_markup("drafts", variables)

    def _type(self, field: Field, key: str | None) -> Markuplike:
        """Return the control that chooses the type of a free value, with a `key` in a menu."""
        id, chosen = _escaped(field.id), field.shown.chosen
        labels = tuple([branch.label for branch in field.shape.branches])
        options = self._types.get((labels, chosen))
        if options is None:
            options = self._types[labels, chosen] = "".join(
                f'<option value="{at}"{" selected" if at == chosen else ""}>'
                f"{escape(label)}</option>"
                for at, label in enumerate(labels)
            )
        said, words = self.texts, _texts_about(field.label, self.form.language)
        name, do = _escaped(self._companion(names.KIND, field)), _escaped(self.do)
        carry = _escaped(names.companion_name(names.CARRY, field.name))
        aria = f' aria-label="{words.type}"' if key is None else ""
        control = (
            f'<span class="ws-type"><select class="ws-input" id="{id}" name="{name}"{aria}'
            f' data-do="{do}" data-carry="{carry}" data-chosen="{chosen}" autocomplete="off">'
            f'{options}</select><button class="ws-button ws-change" name="{do}"'
            f' value="{carry};{chosen}"><span aria-hidden="true">{said.change}'
            f'</span><span class="ws-hidden">{words.change}</span></button></span>'
        )
        if key is None:
            return SafeMarkup(control)
        self.has_menus = True
        return SafeMarkup(
            f'<details class="ws-more" name="{self.more}">'
            f'<summary id="{id}:more" title="{said.menu}"'
            f' aria-label="{words.menu}"></summary>'
            f'<fieldset class="ws-menu"><legend>{words.label}</legend>'
            f'<label class="ws-entry"><span>{said.name}</span>'
            f'<input class="ws-input" type="text" id="{id}:key" name="{_escaped(key)}"'
            f' value="{escape(field.shown.key)}" dir="auto" autocomplete="off"'
            ' spellcheck="false" autocapitalize="none"></label>'
            f'<span class="ws-entry"><label for="{id}">{said.type}</label>{control}'
            "</span></fieldset></details>"
        )

    def _carried(self, field: Field) -> list[tuple[str, str]]:
        """Return the hidden controls of alternatives: where their values came from."""
        carried = [
            (self._companion(names.FROM, child), child.transferred.tree.text)
            for child in field.children
            if child.transferred is not None and child.transferred.typed
        ]
        if field.shown.chosen != field.pristine.chosen:
            carried.append((self._companion(names.WAS, field), str(field.shown.chosen)))
        return carried

    def _alternatives(self, field: Field) -> dict[str, Any]:
        """Return the variables of alternatives."""
        return {
            "kind_name": self._companion(names.KIND, field),
            "branches": [
                (
                    str(index),
                    child,
                    self.field(child, label=field.label)
                    if index == field.shape.usual
                    else self.field(child, bare=True),
                )
                for index, child in enumerate(field.children)
            ],
            "carried": self._carried(field),
            "carry": names.companion_name(names.CARRY, field.name),
            "chosen": str(field.shown.chosen),
            "opened": self._open_control(field),
        }

    def _upload(self, field: Field) -> dict[str, Any]:
        """Return the variables of a file."""
        sent = text_to_send_back(_text_to_show(field), field.shape)
        value = "" if sent.startswith("=") else sent
        if field.shown.state == "kept" and field.original is not None:
            value = str(field.original.value)
        name = names.decode_token(field.name.rpartition("/")[2]) or "file"
        return {
            "sent": sent,
            "stored": stored_file(value, field.shape, name) if value else None,
            "accept": media_type_of(field.shape),
            "most": limit_of(field.shape),
            "most_text": size_text(limit_of(field.shape)),
        }

    def _read_only(self, field: Field) -> dict[str, Any]:
        """Return the variables of a value that is only shown."""
        shown, state = field.shown.text, field.shown.state
        if field.kind == "upload" and state == "kept" and field.original is not None:
            shown = stored_file(str(field.original.value), field.shape, "").label
        if field.shape.secret:
            shown = HIDDEN if state == "kept" else ""
        if field.choices:
            ids = selection_ids(shown) if field.kind == "checkboxes" else [shown]
            labels = {choice.id: choice.label for choice in field.choices if choice.id != UNSET}
            shown = ", ".join(labels[id] for id in ids if id in labels)
        lines = min(max(shown.count("\n") + 1, len(shown) // _LINE_LENGTH + 1), _MAX_LINES)
        return {
            "text": shown,
            "placeholder": text(f"state.{state}") if state in ("null", "empty", "unset") else "",
            "lines": lines,
            "wide": lines > 1,
        }

    def _custom(self, variables: dict[str, Any]) -> SafeMarkup:
        """Return a control of the application, which posts what is shown if it is untouched."""
        field: Field = variables["field"]
        control, place, shown = control_of(field.shape), field.path or "", field.shown.text
        value = field.original.value if field.original is not None else None
        if shown != field.pristine.text:
            value = _read_value(control, shown, place)
        context = control.context(value, place)
        taken = sorted((context.keys() - {TEXT}) & variables.keys())
        if taken:
            raise control.error(place, f"show returned {taken[0]!r}, which the form gives")
        try:
            template = self.templates.of_source(control.template)
            markup = template.render({**context, **variables})
        except TemplateSyntaxError as error:
            reason = f"line {error.lineno} of its template: {error.message}"
            raise control.error(place, reason) from error
        except Exception as error:
            raise control.error(place, "its template failed", error) from error
        if field.shown is field.pristine or field.shown == field.pristine:
            control.check_markup(markup, variables["name"], shown, place)
        return SafeMarkup(markup)

    def _control(self, variables: dict[str, Any]) -> tuple[str, str]:
        """Complete the variables of a control; return the names of its frame and its template."""
        field: Field = variables["field"]
        kind, text = field.kind, field.shown.text
        frame = "field"
        if not field.choices:
            variables["placeholder"] = _placeholder(field)
        if field.shape.secret:
            kind = "password"
        elif kind == "upload":
            variables |= self._upload(field)
        elif kind == "url":
            variables["picture"] = _PICTURE.fullmatch(text) is not None
        elif kind in _MIN_LINES:
            least = max(text.count("\n") + 1, len(text) // _LINE_LENGTH + 1)
            lines = field.shape.ui.lines or _MIN_LINES[kind]
            variables["lines"] = max(lines, min(least, _MAX_LINES))
            if kind == "markdown":
                variables["rendered"] = preview_of_markdown(text)
            if field.shape.ui.wide is None:
                variables["wide"] = variables["lines"] > 1
        elif kind == "custom":
            variables["markup"] = self._custom(variables)
        elif kind == "checkboxes":
            frame = "checkboxes"
            variables["present"] = self._companion(names.PRESENT, field)
            variables["selected"] = selection_ids(text)
            if field.shape.ui.wide is None:
                variables["wide"] = len(field.choices) > _MAX_TICKS
        elif field.choices:
            ids = {choice.id for choice in field.choices}
            if _is_checkbox(field):
                variables["present"] = self._companion(names.PRESENT, field)
            elif field.shape.as_radio and (kind == "boolean" or len(ids) > 1):
                kind, frame = "radios", "radios"
                labels = [choice.label for choice in field.choices]
                variables["pictures"] = any(choice.picture for choice in field.choices)
                if field.shape.ui.wide is None:
                    variables["wide"] = (
                        variables["pictures"]
                        or len("".join(labels)) + 3 * len(labels) > _SEGMENTS_LENGTH
                    )
            elif kind in ("enum", "boolean") or len(ids) > 1:
                kind = "select"
                variables["foreign"] = text not in ids
        return frame, f"kinds/{kind}"

    def _variables(self, field: Field, label: str | None = None) -> dict[str, Any]:
        """Return the variables of a field for the templates."""
        has_others = label is not None
        label = field.label if label is None else label
        shape, id = field.shape, _escaped(field.id)
        escaped_name = _escaped(field.name)
        is_suggesting = shape.suggestions and not field.choices
        default = shape.default_words
        helped = shape.help or shape.limits or default or field.note or shape.examples
        described = f"{id}:help" if helped else ""
        if field.findings:
            described += f" {id}:error" if described else f"{id}:error"
        about = f' aria-describedby="{described}"' if described else ""
        says = ' aria-invalid="true"' if field.findings else ""
        # A checkbox that is required would have to be checked; this one is yes or no.
        # Nor need anybody be told of the only value that is allowed.
        is_given = field.kind == "constant" and len(field.choices) == 1
        required = shape.required and not _is_checkbox(field) and not is_given
        if required:
            says += ' aria-required="true"'
        focused = " autofocus" if field.id == self.focus else ""
        role = names.FILE if field.kind == "upload" else ""
        attributes = (
            f'id="{id}" name="{self.escaped_prefix}{role}{escaped_name}"{about}{says}{focused}'
        )
        if is_suggesting:
            attributes += f' list="{id}:list"'
        typed = self._typed(field)
        return {
            "field": field,
            "name": self.name_prefix + field.name,
            "do": self.do,
            "label": label,
            "required": required,
            "text": _text_to_show(field),
            "attributes": SafeMarkup(attributes),
            "focused": SafeMarkup(focused) if focused else _NOTHING,
            "described": SafeMarkup(about) if about else _NOTHING,
            "says": SafeMarkup(says) if says else _NOTHING,
            "helped": helped,
            "suggestions": shape.suggestions if is_suggesting else (),
            "default": default,
            "quiet": default and _shows_default(field),
            "wide": _is_wide(field),
            "hidden": field.concealed and field.is_concealed,
            "states": self._menu(field, id, escaped_name, label, has_others=has_others)
            if (field.states or has_others) and not field.read_only
            else _NOTHING,
            "errors": self.errors(field),
            "emptied": _is_emptied(field, typed and can_restore_typed(field)),
            "typed": typed,
            "was_set": field.pristine.state == "set",
            "focus": self.focus,
        }

    def _menu(
        self, field: Field, id: str, name: str, label: str, *, has_others: bool
    ) -> Markuplike:
        """Return the menu that chooses the state; `id` and `name` of the field are escaped.

        `has_others` adds the item that shows all alternatives.
        """
        self.has_menus = True
        key = (field.states, field.pristine.state, field.shown.state, _is_taken_away(field))
        parts = self._menus.get(key)
        if parts is None:
            _, was, now, is_left = key
            # Typing into a field that is not set, or empty, sets it. So these states take back what
            # was typed only if they say so: a browser submits them for an untouched field, too.
            chosen: dict[str, str] = {"empty": names.EMPTIED}
            if was != "set":
                chosen[was] = names.RESET
            shows = {now: names.LEFT[now] if is_left else now}
            states = [
                (one, text(f"state.{one}"), chosen.get(one, one), shows.get(one))
                for one in field.states
            ]
            variables = {"states": states, "state": now, "was": was, "name": _NAME}
            parts = self._menus[key] = self._render("states", variables).split(_NAME)
        words = _texts_about(label, self.form.language)
        hint = "" if field.kind in HOLDER_KINDS else f' data-hint="{_escaped(_empty_text(field))}"'
        items = f"{self.escaped_prefix}{names.STATE}{name}".join(parts)
        items += _OTHERS.format(self.texts.others) if has_others else ""
        return SafeMarkup(
            f'<details class="ws-more" name="{self.more}"{hint}>'
            f'<summary id="{id}:more" title="{self.texts.menu}"'
            f' aria-label="{words.menu}"></summary>'
            f'<fieldset class="ws-menu"><legend>{words.value}</legend>{items}</fieldset>'
            "</details>"
        )

    def _typed(self, field: Field) -> dict[str, str] | None:
        """Return the control that says what the page shows in that of a field, and its value."""
        name = names.companion_name(names.TYPED, field.name)
        if name not in self.posted or not says_typed(field):
            return None
        return {"name": self.name_prefix + name, "value": self.posted[name][0]}

    def _companion(self, role: str, field: Field) -> str:
        """Return the name of a further control for a field."""
        return self.name_prefix + names.companion_name(role, field.name)

    def _open_control(self, field: Field) -> str | None:
        """Return the name of the control that keeps a part open, where that does not follow."""
        return self._companion(names.OPEN, field) if field.pristine.state != "set" else None

    def _render_markup(self, name: str, variables: dict[str, Any]) -> SafeMarkup:
        return SafeMarkup(self._render(name, variables))

    def _render(self, name: str, variables: dict[str, Any]) -> str:
        template = self.templates[name]
        try:  # as `render` does, without two copies of the variables
            context = template.new_context(variables, shared=True)
            return "".join(template.root_render_func(context))
        except Exception:
            return template.render(variables)  # whose errors have the lines of templates


def _stub(row: Field) -> SafeMarkup:
    """Return a row that the page has already: the script moves it here, with this label."""
    name, label = escape(row.name), escape(row.label)
    return SafeMarkup(f'<li class="ws-row" data-row="{name}" data-label="{label}" data-stays></li>')


def _arranged(holder: Field) -> Arrangement[Field]:
    """Return the members that the schema names, as the UI description arranges them."""
    named = [child for child in holder.children if not child.row and not child.is_rest]
    ui = holder.shape.ui
    if not (ui.groups or ui.tabs):
        return Arrangement(tuple(named))
    by_name = {names.decode_token(one.name.rpartition("/")[2]): one for one in named}
    return arrange(ui, by_name)


def _read_value(control: CustomControl, text: str, place: str) -> Any:
    """Return the value of a text that was posted; None if it means none."""
    try:
        return json.loads(control.json_of(text, place)) if text else None
    except ValueError:
        return None


def _is_wide(field: Field) -> bool:
    """Return True if a field has all columns, unless its control needs no such room."""
    said = field.shape.ui.wide
    if said is not None:
        return said
    return field.kind in CONTAINER_KINDS or (
        field.kind == "alternatives" and field.shown.chosen != field.shape.usual
    )


def _is_checkbox(field: Field) -> bool:
    if field.kind != "boolean" or field.shape.ui.kind in CHOICE_LOOKS:
        return False
    ids = {choice.id for choice in field.choices}
    return ids == _CHECKBOX and field.shown.text in ids


def _is_list_of_groups(field: Field) -> bool:
    rows = [child for child in field.children if child.row]
    return (
        field.kind == "list"
        and 0 < len(rows) <= _MAX_OUTLINED
        and all(row.chosen.kind in HOLDER_KINDS for row in rows)
    )


def _rows_in_outline(part: Field) -> list[tuple[Field, Field | None, int]]:
    """Return the rows of the lists in a part: each with the field that names it, and its findings.

    Long lists have none: people find their rows by words.
    """
    lists = [one for one in (part, *part.children) if _is_list_of_groups(one)]
    rows = [row for one in lists if not one.is_concealed for row in one.children if row.row]
    return [(row, naming_field(row), _counts(row)[0]) for row in rows]


def _counts(section: Field) -> tuple[int, int, int]:
    """Return the number of findings in a section, of its fields that are set, and of all of them.

    Containers and alternatives count by what is in them, unless they are closed.
    """
    found = filled = total = 0
    todo = [section]
    while todo:
        field = todo.pop()
        if field.concealed and field.is_concealed:
            continue
        found += len(field.findings)
        if field.kind == "alternatives" and field.opened:
            todo.append(field.children[field.shown.chosen])
        elif field.kind in CONTAINER_KINDS and field.opened:
            todo.extend(field.children)
        else:
            total += 1
            filled += _is_filled(field)
    return found, filled, total


def _is_filled(field: Field) -> bool:
    state = field.shown.state
    return state != "unset" and (state != "set" or bool(field.shown.text))


def _placeholder(field: Field) -> str:
    """Return what an empty control says."""
    state = field.shown.state
    return text(f"state.{state}") if state in ("null", "empty") else _empty_text(field)


def _empty_text(field: Field) -> str:
    """Return what it means to empty a control, or what to type."""
    shape = field.shape
    if shape.secret and field.pristine.state == "kept":
        return text("empty.secret")
    if shape.ui.placeholder is not None:
        return shape.ui.placeholder
    is_optional = _can_be_unset(field)
    if is_optional and (default := shape.default_words):
        return shorten(text("empty.default", value=default), _MAX_PLACEHOLDER)
    if shape.example:
        return text("empty.example", example=shape.example)
    if is_optional:
        return text("state.unset")
    return text("state.empty") if field.kind in TEXT_KINDS else ""


def _text_to_show(field: Field) -> str:
    """Return the text of a control: none of a secret, or a file, that was taken away."""
    return "" if hides_typed(field) and _is_taken_away(field) else field.shown.text


def _is_taken_away(field: Field) -> bool:
    """Return True if a person has chosen that a field has no value, or null."""
    was, now = field.pristine.state, field.shown.state
    return bool(field.states) and was != now and now in names.LEFT


def _is_emptied(field: Field, typed: object) -> bool:
    """Return True if a field had a value, or a text was `typed`, that a person has taken away."""
    if typed or (field.gone is not None and content_of(field, field.gone) is not None):
        return field.shown.state == "unset" or not field.shown.text
    if field.kind in HOLDER_KINDS or field.original is None:
        return False
    if field.shown is field.pristine:
        return False
    had_value = field.pristine.state in ("set", "kept") and field.pristine.text != ""
    return had_value and (field.shown.state in ("unset", "null", "empty") or not field.shown.text)


def _shows_default(field: Field) -> bool:
    """Return True if the control itself says what the default is."""
    if field.choices:
        return field.choices[0].id == UNSET and field.shape.default_choice is not None
    return _can_be_unset(field) and field.kind not in HOLDER_KINDS


def _can_be_unset(field: Field) -> bool:
    """Return True if an empty control means that there is no value."""
    is_needed = field.shape.required or field.needs_value or field.row
    return field.pristine.state == "unset" or not is_needed

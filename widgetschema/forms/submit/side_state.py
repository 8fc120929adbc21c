"""The side state of a form: all that it shows beside its text, to be laid into the next form.

That are typed texts that cannot be read, what was typed into alternatives that are not chosen, rows
that can be restored, and parts that were opened.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Finding
from widgetschema.forms.control_names import (
    FROM,
    KEY,
    KIND,
    LEFT,
    OPEN,
    ORDER,
    ORIGIN,
    REMOVED,
    ROOT,
    STATE,
    TYPED,
    UnreadParts,
    branch_name,
    companion_name,
    control_name,
    pointer_of,
    row_name,
    unread_name,
    unread_parts,
)
from widgetschema.forms.fields.builder import FormSource, branch_pointers_of
from widgetschema.forms.fields.labels import label_from_name
from widgetschema.forms.model import (
    CHOICE_KINDS,
    CONTAINER_KINDS,
    HOLDER_KINDS,
    UNSET,
    Field,
    FormFinding,
    Message,
    PostedControls,
    selection_ids,
)
from widgetschema.forms.posted_controls import (
    can_restore_typed,
    controls_of,
    typed_mark,
    without_fields,
)
from widgetschema.forms.secrecy import HIDDEN, has_placeholder
from widgetschema.forms.submit.buttons import is_new_row, new_row_id
from widgetschema.forms.submit.edit_plan import EditPlan
from widgetschema.forms.submit.edits import changed_texts
from widgetschema.forms.submit.removed_rows import (
    RemovedRow,
    removed_rows,
    renamed,
    with_removed_group,
    with_removed_rows,
)
from widgetschema.forms.submit.stale_controls import inactive_controls, is_inside
from widgetschema.jsontext import preview
from widgetschema.jsontext.tree import parse, scanned
from widgetschema.pointers import escape_token, parse_pointer

_FieldAt = Callable[[str | None], Field | None]

_NOWHERE: Final = "/~"  # the pointer of no value
_KEY: Final = companion_name(KEY, ROOT)
_ALTERNATIVES: Final = re.compile(r"(?:;[0-9]+)*\Z")


@dataclass(frozen=True, eq=False)
class Target:
    """The form that gets the side state of another one.

    `build` makes its fields with these controls. `path_of` returns the place there of a JSON
    Pointer into the text that the other one results in; None if it is gone. `row_ids` returns the
    ids there of the rows of a container, by their ids in the other one. `removed` returns how the
    target names a row of a container that is in its text no more, and the id of a row before it.
    """

    at: str
    build: Callable[[PostedControls], Field]
    path_of: Callable[[str], str | None]
    row_ids: Callable[[Field], Mapping[str, str]]
    removed: Callable[[Field, str], tuple[str, str] | None]

    def places(
        self, controls: PostedControls
    ) -> tuple[Field, _FieldAt, Mapping[str | None, Field]]:
        """Return the fields, the function that finds one for a place of the other form, choosers.

        It finds the one that is chosen; those that choose are by their places in the target.
        """
        root = self.build(controls)
        fields = {field.path: field for field in root.walk() if field.path is not None}
        choosers = {field.path: field for field in root.walk() if field.kind == "alternatives"}

        def field_at(path: str | None) -> Field | None:
            at = None if path is None else self.path_of(path)
            return None if at is None else fields.get(at)

        return root, field_at, choosers


@dataclass(frozen=True, eq=False)
class SideState:
    """The typed texts and drafts that a form shows beside its text, with the rest in its controls.

    `edits` are the posted controls, `root` the fields with them.
    """

    root: Field
    edits: PostedControls
    unread: Sequence[UnreadField]
    drafts: Sequence[_Draft]

    def laid_into(
        self, target: Target, controls: PostedControls
    ) -> tuple[PostedControls, tuple[Finding, ...]]:
        """Return controls of the target with this, and findings about what it cannot show."""
        controls, untyped = self._with_typed(target, controls)
        controls, gone = self._with_drafts(target, controls)
        controls = self._with_opened(target, self._with_last_texts(target, controls))
        return self._with_removed(target, controls), (*untyped, *gone)

    def _with_typed(
        self, target: Target, controls: PostedControls
    ) -> tuple[PostedControls, tuple[Finding, ...]]:
        """Return the controls with what was typed and could not be read, and what has no field."""
        if not self.unread:
            return controls, ()
        root, present, choosers = target.places(controls)
        found, lost = dict(controls), []
        rows: list[str] = []  # new members, with all that was typed into them
        for one in sorted(self.unread, key=lambda one: one.field.is_unread):
            if is_inside(one.field.name, tuple(rows)):
                continue
            typed, place = one.field, present(one.path)
            if place is not None and typed.is_unread:
                is_free = place.name not in found and self._can_return(typed, place)
                place = place if is_free else None
            around = present(None if typed.path is None else _around(typed.path))
            if place is not None and one.key is not None and place.has_key:
                found[companion_name(KEY, place.name)] = [one.key]
            elif place is not None and self._is_other_alternative(typed, place, choosers):
                found.update(_in_alternative(typed, place))
            elif place is not None and _can_show(place, typed):
                found[place.name] = [typed.shown.text]
                if "set" in place.states:
                    found[companion_name(STATE, place.name)] = ["set"]
            elif (
                one.path is None
                and typed.has_key
                and around is not None
                and around.kind == "object"
            ):
                found.update(_new_member(around, typed, found, self.edits))
                rows.append(typed.name)
            elif said := self._said(one):
                rows += [typed.name] if one.path is None else []
                is_secret = any(inner.shape.secret for inner in typed.walk())
                parts = UnreadParts(one.path or typed.path or "", typed.label, is_secret)
                more = _in_own_field(parts, said, present, root)
                lost += [] if more else [_lost_text(target.at, said, parts)]
                _keep_texts(found, more)
        return found, tuple(lost)

    def _said(self, one: UnreadField) -> str:
        """Return what was typed; of a new member, with all that was typed into it."""
        inside = controls_of(self.edits, one.field.name) if one.path is None else {}
        texts = [text for name, [text, *_] in inside.items() if name.startswith(ROOT)]
        return ", ".join(text for text in dict.fromkeys((one.said, *texts)) if text)

    def _can_return(self, typed: Field, place: Field) -> bool:
        """Return True if a text beside the values can be in the control of its place again.

        It must not hide a value, nor what was typed there; a row may be another one by now.
        """
        holder = self.root.find(typed.name.rpartition("/")[0])
        is_in_row = holder is not None and holder.kind in ("list", "tuple")
        return not is_in_row and place.original is None and not place.shown.text

    def _is_other_alternative(
        self, typed: Field, place: Field, choosers: Mapping[str | None, Field]
    ) -> bool:
        """Return True if a text belongs to an alternative that the place has, and is not chosen."""
        ends = _alternative(typed), _alternative(place)
        mine = self.root.find(typed.name.removesuffix(ends[0]))
        there = choosers.get(place.path)
        return (
            ends[0] not in ("", ends[1])
            and mine is not None
            and there is not None
            and branch_pointers_of(mine.shape) == branch_pointers_of(there.shape)
        )

    def _with_drafts(
        self, target: Target, controls: PostedControls
    ) -> tuple[PostedControls, tuple[Finding, ...]]:
        """Return the controls with those of alternatives that are not chosen, and the lost ones."""
        if not self.drafts:
            return controls, ()
        root, present, choosers = target.places(controls)
        found, lost = dict(controls), []
        for draft in self.drafts:
            path, left = draft.field.path, draft.texts
            place = None if path is None else choosers.get(target.path_of(path))
            if (
                place is not None
                and place.shown.chosen != draft.index
                and branch_pointers_of(place.shape) == branch_pointers_of(draft.field.shape)
            ):
                before, after = (branch_name(one.name, draft.index) for one in (draft.field, place))
                found.update(renamed(draft.controls, before, after))
                fields = {one.name for one in target.build(found).walk()} if left else set()
                names = {name: f"{after}{name.removeprefix(before)}" for name in left}
                left = {
                    name: said
                    for name, said in left.items()
                    if name.startswith(ROOT) and names[name] not in fields
                }
                found = {name: found[name] for name in found.keys() - {names[one] for one in left}}
            if left:
                # No place has this path, so that the text never becomes a value by itself.
                own = "" if path is None else f"{path}~;{draft.index}"
                parts = UnreadParts(own, draft.field.label, draft.is_secret)
                said = ", ".join(left.values())
                more = _in_own_field(parts, said, present, root)
                lost += [] if more else [_lost_text(target.at, said, parts)]
                _keep_texts(found, more)
        return found, tuple(lost)

    def _with_last_texts(self, target: Target, controls: PostedControls) -> PostedControls:
        """Return the controls with the texts of fields that were taken away, to restore them."""
        texts = {
            field.path: typed
            for field in self.root.walk()
            if _is_left(field)
            for name in [companion_name(TYPED, field.name)]
            if typed_mark(field, (typed := self.edits.get(name, [field.pristine.text]))[0])
        }
        if not texts:
            return controls
        _, present, _ = target.places(controls)
        places = {path: present(path) for path in texts}
        return controls | {
            companion_name(TYPED, place.name): texts[path]
            for path, place in places.items()
            if place is not None and _is_left(place)
        }

    def _with_opened(self, target: Target, controls: PostedControls) -> PostedControls:
        """Return the controls with the parts that were opened, and are empty."""
        begin = companion_name(OPEN, ROOT)
        names = {name.removeprefix(OPEN) for name in self.edits if name.startswith(begin)}
        paths = [one.path for one in self.root.walk() if one.name in names and one.path is not None]
        if not paths:
            return controls
        places = {target.path_of(path) for path in paths}
        return {
            **controls,
            **{
                companion_name(OPEN, field.name): ["1"]
                for field in target.build(controls).walk()
                if field.path in places and not field.opened
            },
        }

    def _with_removed(self, target: Target, controls: PostedControls) -> PostedControls:
        """Return the controls with the removed rows that can be restored there.

        The controls of a row say what was edited in it, and nothing about an edit of others.
        """
        begin = companion_name(REMOVED, ROOT)
        names = {name.removeprefix(REMOVED) for name in self.edits if name.startswith(begin)}
        holders = [one for one in self.root.walk() if one.name in names and one.path is not None]
        if not holders:
            return controls
        root = target.build(controls)
        fields = {field.path: field for field in root.walk() if field.kind in CONTAINER_KINDS}
        origin = companion_name(ORIGIN, ROOT)
        for holder in holders:
            place = fields.get(target.path_of(str(holder.path)))
            if place is None or place.kind != holder.kind:
                continue
            ids = target.row_ids(holder)
            rows: list[RemovedRow] = []
            for row in removed_rows(self.edits, holder.name):
                id, more, before = ids.get(row.id), dict[str, list[str]](), ""
                name = row_name(place.name, row.id)
                if any(one.name == name and not one.row for one in place.children):
                    id = row.id  # of a group
                elif origin in row.controls or id is None:
                    was = row.controls.get(origin, [row.id])[0]
                    id = new_row_id((*place.shown.rows, *(one.id for one in rows)))
                    if was in ids:
                        more = {origin: [ids[was]]}
                    elif not is_new_row(was):
                        known = target.removed(holder, was)
                        if known is None:
                            continue
                        name, before = known
                        more = {origin: [name]}
                        if holder.kind == "object" and _KEY not in row.controls:
                            more[_KEY] = [parse_pointer(name)[-1]]
                after = ids.get(row.after, before)
                rows.append(replace(row, id=id, after=after, controls={**row.controls, **more}))
            controls = with_removed_rows(controls, place.name, rows)
        return controls


@dataclass(frozen=True, eq=False)
class UnreadField:
    """A field that could not be read; `path` is its place in the text that was made anyway.

    There is none for a new member. `key` is a name that another member has.
    """

    field: Field
    path: str | None
    key: str | None

    @property
    def said(self) -> str:
        """The typed text, as people read it; "" for none."""
        field = self.field
        if self.key is not None:
            return self.key
        if field.kind in (*CHOICE_KINDS, "checkboxes"):
            known = {one.id: one.label for one in (*field.shape.choices, *field.choices)}
            return ", ".join(
                known[id] for id in selection_ids(field.shown.text) if id in known and id != UNSET
            )
        return field.shown.text


@dataclass(frozen=True, eq=False)
class _Draft:
    """The controls of an alternative that is not chosen; `field` is the one that chooses.

    `texts` are those that were typed into it, by their controls, and those of its value.
    """

    field: Field
    index: int
    controls: PostedControls
    texts: Mapping[str, str]
    is_secret: bool


def side_state(source: FormSource, root: Field, edits: PostedControls, plan: EditPlan) -> SideState:
    """Return what the form of `root` shows beside the text that results from it."""
    taken_away: tuple[str, ...] = ()
    for field in root.walk():
        is_gone = field.shown.state in LEFT and field.shown.state != field.pristine.state
        if field.kind in CONTAINER_KINDS and is_gone and not is_inside(field.name, taken_away):
            taken_away += (field.name,)
            about = _edited_before(source, field) | controls_of(edits, field.name)
            edits = with_removed_group(edits, field, about)
    edits_there = without_fields(edits, taken_away)
    return SideState(root, edits, _unread(root, plan), _drafts(source, root, edits_there))


def _unread(root: Field, plan: EditPlan) -> list[UnreadField]:
    found = []
    places = {
        field.name: f"{holder.path}{unread_parts(field.name).pointer}"
        for holder in root.walk()
        for field in (*holder.children, *holder.unread)
        if field.is_unread
    }
    for field in root.walk():
        findings = plan.unreadable.get(field.name)
        if findings is None:
            continue
        path, key = places.get(field.name, field.path), None
        if any(one.keyword in ("json.duplicate-member", "form.name") for one in findings):
            path, key = None, field.shown.key
            if field.member is not None and field.path is not None:
                path = f"{_around(field.path)}/{escape_token(field.member.name)}"
        elif field.has_key and field.original is None:
            path = None
        found.append(UnreadField(field, path, key))
    return found


def _drafts(source: FormSource, root: Field, edits: PostedControls) -> list[_Draft]:
    """Return what was typed into alternatives that are not chosen, or is in the text of one."""
    names = sorted((name[name.find(ROOT) :], name) for name in edits if ROOT in name)
    found = []
    for field in root.walk():
        for index in range(len(field.children) if field.kind == "alternatives" else 0):
            if index == field.shown.chosen:
                continue
            branch = field.children[index]
            typed: PostedControls = {}
            for at in range(bisect_left(names, (branch.name, "")), len(names)):
                about, name = names[at]
                if not about.startswith(branch.name):
                    break
                if about[len(branch.name) :][:1] in ("", "/", ";"):
                    typed[name] = edits[name]
            is_there = field.original is not None and index == field.pristine.chosen
            typed = _typed_secrets(source, branch) | typed if is_there else typed
            texts = {
                name: text for name, [text, *_] in typed.items() if name.startswith(ROOT) and text
            }
            original = field.original if is_there and branch.omitted else branch.original
            if (is_there or typed) and original is not None and not has_placeholder(original.raw):
                typed = {**typed, companion_name(FROM, branch.name): [original.raw]}
            value = typed.get(companion_name(FROM, branch.name), [""])[0]
            texts |= _new_texts(source, field, value)
            is_secret = any(map(source.is_secret_control, texts))
            if typed:
                found.append(_Draft(field, index, typed, texts, is_secret))
    return found


def _typed_secrets(source: FormSource, branch: Field) -> PostedControls:
    """Return the controls of the secrets in a draft that a person has typed."""
    found: PostedControls = {}
    for field in branch.chosen.walk():
        if field.original is not None and field.original.raw in source.secrets.typed:
            secret = scanned(source.secrets.known[field.original.raw].raw)
            found[field.name] = [str(secret.value) if field.kind == "password" else secret.raw]
    return found


def _edited_before(source: FormSource, group: Field) -> PostedControls:
    """Return the controls of what earlier posts have typed into a group, unless it is in new rows.

    Its value is that of the draft, which goes with the group.
    """
    found = _typed_secrets(source, group)
    for field in group.walk():
        if can_restore_typed(field) and source.is_edited(pointer_of(field.name)):
            found[field.name] = [field.pristine.text]
    return found


def _new_texts(source: FormSource, field: Field, value: str) -> dict[str, str]:
    """Return the texts in the value of an alternative that are not in the stored value."""
    stored = source.stored_at(pointer_of(field.name))
    known = {} if stored is None else dict(changed_texts(None, stored))
    try:
        texts = [*changed_texts(None, parse(value).root)]
    except UnreadableDocument:
        return {}
    begin = companion_name(FROM, field.name)
    return {
        f"{begin}{control_name(at)[1:]}": said
        for at, said in texts
        if said not in ("", known.get(at))
    }


def _is_left(field: Field) -> bool:
    """Return True if a field has no value, and can show again what was typed last."""
    return can_restore_typed(field) and (field.shown.state in LEFT or not field.shown.text)


def _around(path: str) -> str:
    return path.rpartition("/")[0]


def unread_controls(
    texts: Mapping[str, str], source: FormSource, root: Field
) -> tuple[PostedControls, dict[str, str]]:
    """Return controls for texts that were typed into these controls, and stay beside the data.

    The others are those that no container around can hold.
    """
    fields = {field.name: field for field in root.walk()}
    hidden = frozenset(inactive_controls(root))
    found, left = dict[str, list[str]](), dict[str, str]()
    for name, said in texts.items():
        around = name
        while cut := max(around.rfind("/"), around.rfind(";"), 0):
            around = around[:cut]
            if around in fields and around not in hidden and _can_hold_unread(fields[around], root):
                break
        else:
            around = root.name
            if not _can_hold_unread(root, root):
                left[name] = said
                continue
        pointer = pointer_of(name)
        shown = fields[name].label if name in fields else ""
        label = shown or label_from_name(pointer.rpartition("/")[2].lstrip("+"))
        inside = pointer.removeprefix(pointer_of(around))
        parts = UnreadParts(inside or _NOWHERE, label, source.is_secret_control(name))
        _keep_texts(found, {unread_name(around, parts): [said]})
    return found, left


def with_own_fields(
    controls: PostedControls, texts: Iterable[tuple[UnreadParts, str]], target: Target
) -> tuple[PostedControls, list[Finding]]:
    """Return controls with those of texts that no value can show, and findings about the others.

    The pointers of the places are those in the text of the target.
    """
    found, lost = dict(controls), list[Finding]()
    root: Field | None = None
    for parts, said in texts:
        if root is None:
            root = target.build(controls)
            fields = {field.path: field for field in root.walk()}
        more = _in_own_field(parts, said, fields.get, root)
        lost += [] if more else [_lost_text(target.at, said, parts)]
        _keep_texts(found, more)
    return found, lost


def _in_own_field(parts: UnreadParts, said: str, present: _FieldAt, root: Field) -> PostedControls:
    """Return the control of a text that no value can show; or none.

    It is in the nearest container, or that of the whole. The pointer of the `parts` is that of the
    value in the whole text.
    """
    at, inside = parts.pointer, ""
    while at:
        at, _, token = at.rpartition("/")
        inside, around = f"/{token}{inside}", present(at)
        if around is not None and _can_hold_unread(around, root):
            return {unread_name(around.name, parts._replace(pointer=inside)): [said]}
    if not _can_hold_unread(root, root):
        return {}
    pointer = parts.pointer.removeprefix(root.path or "") or _NOWHERE
    return {unread_name(root.name, parts._replace(pointer=pointer)): [said]}


def _keep_texts(found: PostedControls, more: PostedControls) -> None:
    """Add the controls of texts that no value can show: those of one place are in one control."""
    for name, [said] in more.items():
        before = found.get(name, [""])[0]
        found[name] = [f"{before}, {said}" if before not in ("", said) else said]


def _can_hold_unread(around: Field, root: Field) -> bool:
    """Return True if texts can stay in a field that no value in it can show."""
    return (around is root or around.kind in CONTAINER_KINDS) and not around.read_only


def _can_show(place: Field, typed: Field) -> bool:
    """Return True if the control of a place can show what was typed into another one."""
    if place.kind in HOLDER_KINDS or place.read_only:
        return False
    if typed.kind in (*CHOICE_KINDS, "checkboxes", "custom", "upload"):
        return place.kind == typed.kind and place.choices == typed.choices
    is_needed = place.shape.required or place.needs_value or bool(place.row)
    if not typed.shown.text and not (is_needed and place.kind == typed.kind):
        return False  # there it would be another value, or take it away
    kinds = (*CHOICE_KINDS, "checkboxes", "custom", "upload")
    return place.kind not in kinds and place.shape.secret >= typed.shape.secret


def _alternative(field: Field) -> str:
    """Return the indices of the alternatives that a field is one of, as its name ends with them."""
    match = _ALTERNATIVES.search(field.name)
    return "" if match is None else match[0]


def _in_alternative(typed: Field, place: Field) -> PostedControls:
    """Return the controls that choose the same alternative at a place, with what was typed."""
    found: PostedControls = {}
    name = place.name.removesuffix(_alternative(place))
    for index in _alternative(typed).split(";")[1:]:
        found[companion_name(KIND, name)] = [index]
        name = branch_name(name, int(index))
    return {**found, name: [typed.shown.text]}


def _lost_text(at: str, text: str, parts: UnreadParts) -> FormFinding:
    return lost_finding(at, HIDDEN if parts.secret else preview(text), parts.label)


def lost_finding(at: str, text: str, label: str) -> FormFinding:
    """Return the finding about a typed text that no field of the form can show."""
    said = {"text": text, "label": label}
    message = "{text} was typed for {label}, which is gone".format_map(said)
    return FormFinding("stale", at, "", message, said=Message("stale.typed", said))


def _new_member(
    around: Field, typed: Field, controls: PostedControls, edits: PostedControls
) -> PostedControls:
    """Return the controls of a new member that could not be read, in the object `around`."""
    order = companion_name(ORDER, around.name)
    rows = controls[order][0].split(",") if order in controls else [*around.shown.rows]
    name = row_name(around.name, new_row_id(tuple(rows)))
    rows = [row for row in (*rows, name.rpartition("/")[2]) if row]
    return {
        order: [",".join(rows)],
        **renamed(controls_of(edits, typed.name), typed.name, name),
        companion_name(KEY, name): [typed.shown.key],
    }

"""Rebase the controls of a form of older data: merge what was edited there into the present data.

The older data comes from the page, so it is trusted as little as any control. It decides only which
controls were edited. What is saved are controls of the form of the present data, and nothing that
these could not do.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Finding
from widgetschema.forms.checking import plain_numbers
from widgetschema.forms.conflicts import choice_names
from widgetschema.forms.control_names import (
    KEY,
    KIND,
    ORDER,
    ORIGIN,
    REMOVED,
    ROOT,
    STATE,
    Action,
    branch_name,
    companion_name,
    row_id,
    row_name,
)
from widgetschema.forms.fields.builder import FormSource
from widgetschema.forms.model import CONTAINER_KINDS, Field, FormFinding, Message, PostedControls
from widgetschema.forms.posted_controls import controls_of, edited_controls
from widgetschema.forms.secrecy import (
    HIDDEN,
    STAND_IN,
    any_row,
    secret_digest,
    with_stand_ins,
)
from widgetschema.forms.submit.buttons import is_new_row, new_row_id
from widgetschema.forms.submit.pipeline import SubmissionResult, apply_controls
from widgetschema.forms.submit.removed_rows import (
    RemovedRow,
    removed_rows,
    renamed,
    with_removed_rows,
)
from widgetschema.forms.submit.retyping import controls_between
from widgetschema.forms.submit.stale_controls import is_inside
from widgetschema.forms.uploads import digest_text
from widgetschema.jsontext import preview
from widgetschema.jsontext.digests import value_digest
from widgetschema.jsontext.merging import ConcurrentEdit, Merge, Side, merge, origins_of
from widgetschema.jsontext.rewriting import Node, rewrite
from widgetschema.jsontext.tree import Element, Tree, parse, scanned
from widgetschema.pointers import escape_token

_MAX_ROUNDS: Final = 6
_MAX_PARTS: Final = 10_000  # of older data, unless the present data has half as many
_MAX_TRIES: Final = 100_000  # to find secrets; one that is not found counts as replaced
_ALTERNATIVES: Final = re.compile(r"(?:;[0-9]+)*\Z")

_SIDES: Final[Mapping[str, Side]] = {"mine": "mine", "theirs": "theirs"}


@dataclass(frozen=True, eq=False)
class Rebased:
    """The controls of a form of `source`: the present data, or with conflicts, what to merge into.

    With conflicts, `source` has the older value at the place of each, so that the same conflicts
    are found when its form is submitted. `posted_paths` are their paths in the text of the form
    that was posted, by those in `source`. `changes` are the edits of others that were merged.
    `lost` are the findings about typed texts that no field of the form can show.
    """

    source: FormSource
    controls: PostedControls
    conflicts: tuple[ConcurrentEdit, ...]
    changes: tuple[ConcurrentEdit, ...]
    lost: tuple[Finding, ...]
    posted_paths: Mapping[str, str]


def source_of_base(
    source: FormSource, base: str, digests: Container[str] | None = None
) -> FormSource | None:
    """Return the material of the form of older data; None if its text cannot be that.

    It was posted, so it may be anything: what is not JSON is not merged, nor what would take long
    and is much larger than the present data.

    `digests` are those of its secrets: they tell which the present data still has, and where.
    """
    if base.count(",") > max(_MAX_PARTS, 2 * source.element.raw.count(",")):
        return None
    try:
        parse(base, source.checks.limits)  # by itself: nothing of it can get around the data
        element, text = source.element, source.tree.text
        whole = f"{text[: element.start]}{base}{text[element.end :]}"
        made = replace(source, tree=parse(whole, source.checks.limits))
        if source.specs.has_uploads:
            made = _with_files(made, source)
        return _with_secrets(made, source, digests) if source.specs.has_secrets else made
    except UnreadableDocument:
        return None


def _with_secrets(
    base: FormSource, present: FormSource, digests: Container[str] | None
) -> FormSource:
    """Return older data with its secrets in place of their stand-ins, if the present data has them.

    The `digests` say which these are, also in rows that were moved. Without them, they are those at
    the same places, but in lists that have changed since. All others, such as those that were
    replaced, become another text.
    """
    known = _PresentSecrets(present, digests)
    parts, at = [], 0
    text = base.tree.text
    for path in _secret_paths(base):
        element = base.tree.at(path)
        if element is None or element.start < at:
            continue
        parts += [text[at : element.start], known.at(path, base.tree) or _gone()]
        at = element.end
    return replace(base, tree=parse("".join((*parts, text[at:])), base.checks.limits))


def _gone() -> str:
    """Return the JSON of a secret that the present data does not have, in older data."""
    return f'"{secret_digest("gone")}"'


class _PresentSecrets:
    """The secrets of the present data, found by their places in older data and their digests."""

    def __init__(self, present: FormSource, digests: Container[str] | None) -> None:
        self.present, self.digests = present, digests
        self.tries = _MAX_TRIES
        self.public = parse(
            with_stand_ins(present.tree.text, [(one, STAND_IN) for one in present.secrets])
        )
        self.alike: dict[str, list[tuple[str, str]]] = {}  # texts and digests of values
        self.index: dict[str, int] = {}
        self.next: dict[str, int] = {}  # after the one that was found last
        self.sure: dict[str, bool] = {}  # whether lists are the same
        for path in present.secret_digests:
            element = present.tree.at(path)
            assert element is not None
            alike = self.alike.setdefault(any_row(path), [])
            self.index[path] = len(alike)
            alike.append((element.raw, value_digest(element)))

    def at(self, path: str, tree: Tree) -> str | None:
        """Return the text of the secret at a place in older data; None if there is none."""
        rows = any_row(path)
        alike: list[tuple[str, str]] = self.alike.get(rows, [])
        same = self.index.get(path)
        if self.digests is None:
            return alike[same][0] if same is not None and self._is_sure(tree, path) else None
        begin = self.next.get(rows, 0)
        first = range(0) if same is None else range(same, same + 1)
        for at in chain(first, range(begin, len(alike)), range(begin)):
            raw, value = alike[at]
            self.tries -= 1
            if self.tries < 0:
                return None
            if secret_digest(path.removeprefix(self.present.at), value) in self.digests:
                self.next[rows] = at + 1
                return raw
        return None

    def _is_sure(self, tree: Tree, path: str) -> bool:
        """Return True if the list that a place is in, if any, is the same in older data."""
        around = _list_around(tree, path)
        if around is None:
            return True
        if around not in self.sure:
            self.sure[around] = _is_same_text(tree.at(around), self.public.at(around))
        return self.sure[around]


def _with_files(base: FormSource, present: FormSource) -> FormSource:
    """Return older data with the present files in place of their digests."""
    files = {digest_text(one.raw): one.raw for one in present.large_files}
    found, todo = [], [base.element]
    while todo:
        element = todo.pop()
        if element.kind == "string" and files and element.raw in files:
            found.append((element, files[element.raw]))
        todo += [*(one.element for one in element.members), *element.items]
    text = with_stand_ins(base.tree.text, found)
    return replace(base, tree=parse(text, base.checks.limits)) if found else base


def _secret_paths(source: FormSource) -> list[str]:
    """Return the places of secrets, in the order of the text."""
    starts = {element.start for element in source.secrets}
    found, todo = [], [("", source.tree.root)]
    while todo:
        path, element = todo.pop()
        if element.start in starts and element.raw == STAND_IN:
            found.append((element.start, path))
        todo += [(f"{path}/{escape_token(one.name)}", one.element) for one in element.members]
        todo += [(f"{path}/{at}", item) for at, item in enumerate(element.items)]
    return [path for _, path in sorted(found)]


def _list_around(tree: Tree, path: str) -> str | None:
    """Return the outermost list that a place is in."""
    tokens = path.split("/")
    for length in range(1, len(tokens)):
        around = "/".join(tokens[:length])
        element = tree.at(around)
        if element is not None and element.kind == "array":
            return around
    return None


def changed_lists(base: FormSource | None, present: FormSource) -> set[str]:
    """Return the places of the lists with secrets that have changed since, or may have."""
    sources = (present,) if base is None else (present, base)
    lists = {
        around
        for source in sources
        for path in source.secret_digests
        if (around := _list_around(source.tree, path)) is not None
    }
    return {
        one
        for one in lists
        if not _is_same_text(None if base is None else base.tree.at(one), present.tree.at(one))
    }


def _is_same_text(one: Element | None, other: Element | None) -> bool:
    return one is not None and other is not None and one.raw == other.raw


def edits_since(base: FormSource, controls: PostedControls) -> PostedControls:
    """Return the controls that were edited in the form of older data."""
    return edited_controls(controls, base.build(None, plain_numbers(base.element.value)))


def rebase(
    base: FormSource,
    present: FormSource,
    controls: PostedControls,
    action: Action | None,
    choices: PostedControls,
) -> Rebased | None:
    """Return the controls of a form of `base` as controls of one of `present`; None for none.

    `choices` are the controls that decide conflicts: those that are found without them, all at
    once, since a conflict may look different after another one was decided. They name the places as
    in the form that was posted: items have other indices where others have added or moved some, or
    where a decision has removed one. Raises `TooManyFields`.
    """
    posted_paths: dict[str, str] | None = None
    changes: tuple[ConcurrentEdit, ...] | None = None
    found: tuple[ConcurrentEdit, ...] = ()
    lost: tuple[Finding, ...] = ()
    for _ in range(_MAX_ROUNDS):
        edits = edits_since(base, controls)
        result = apply_controls(base, edits, action)
        unread = _unread(result)
        drafts = _drafts(result.root, edits)
        merged = _merged(base, present, result, unread)
        secret = present.is_told_by
        conflicts = tuple(_placed(one, base.at, secret) for one in merged.conflicts)
        if posted_paths is None:
            posted_paths = {one.path: one.path for one in conflicts}
        if changes is None:
            changes = tuple(_placed(one, base.at, secret) for one in merged.changes)
        elif found and conflicts == found:  # they are those of this base
            choose = chosen_sides(base.at, choices, secret, posted_paths)
            merged = _merged(base, present, result, unread, choose)
            conflicts = tuple(_placed(one, base.at, secret) for one in merged.conflicts)
            if conflicts == found:
                return Rebased(base, controls, conflicts, changes, lost, posted_paths)
        assert merged.node is not None
        assert merged.rest is not None
        target = _with_data(present, merged.node)
        base = _with_data(present, merged.rest) if conflicts else present
        again = controls_between(base, target, merged.tokens_in_rest())
        if again is None:
            return None
        controls, untyped = _with_typed(base, target, again, edits, unread, merged)
        controls, gone = _with_drafts(base, target, controls, drafts, merged)
        controls = _with_removed(base, target, controls, result, merged)
        controls, unknown = _without_gone(base, target, controls)
        lost = (*lost, *untyped, *gone, *unknown)
        if not conflicts:
            return Rebased(present, controls, (), changes, lost, {})
        posted_paths = {
            f"{base.at}{now}": posted_paths[f"{base.at}{before}"]
            for before, now in merged.conflict_paths_in_rest().items()
            if f"{base.at}{before}" in posted_paths
        }
        found, action = conflicts, None
    return None


def chosen_sides(
    at: str,
    controls: Mapping[str, Sequence[str]],
    is_secret: Callable[[ConcurrentEdit], bool] = lambda edit: False,
    posted_paths: Mapping[str, str] | None = None,
) -> Callable[[ConcurrentEdit], Side | None]:
    """Return the function that decides a conflict below `at`, as the posted controls say.

    `posted_paths` are the paths by which these know the conflicts, if they are others; a conflict
    that is not among them stays open.
    """

    def choose(edit: ConcurrentEdit) -> Side | None:
        placed = _placed(edit, at, is_secret)
        path = placed.path if posted_paths is None else posted_paths.get(placed.path)
        if path is None:
            return None
        name, *values = choice_names(replace(placed, path=path))
        chosen = controls.get(name, [""])[-1]
        return _SIDES[chosen.partition("-")[0]] if chosen in values else None

    return choose


def _placed(
    edit: ConcurrentEdit, at: str, is_secret: Callable[[ConcurrentEdit], bool]
) -> ConcurrentEdit:
    """Return an edit with its path in the whole text, which says whether there is a secret."""
    placed = replace(edit, path=f"{at}{edit.path}")
    return replace(placed, is_secret=is_secret(placed))


def _merged(
    base: FormSource,
    present: FormSource,
    result: SubmissionResult,
    unread: Sequence[_Unread],
    choose: Callable[[ConcurrentEdit], Side | None] = lambda edit: None,
) -> Merge:
    mine = Tree(result.text, scanned(result.text)).at(base.at)
    assert mine is not None
    tuples = {id(one.original) for one in result.root.walk() if one.kind == "tuple"}
    return merge(
        base.element,
        mine,
        present.element,
        origins=origins_of(result.plan.node, mine),
        tuples=tuples,
        typed={
            one.path.removeprefix(base.at): json.dumps(one.field.shown.text, ensure_ascii=False)
            for one in unread
            if one.path is not None and one.key is None
        },
        choose=choose,
    )


@dataclass(frozen=True, eq=False)
class _Unread:
    """A field that could not be read; `path` is its place in the text that was made anyway.

    There is none for a new member. `key` is a name that another member has.
    """

    field: Field
    path: str | None
    key: str | None


def _unread(result: SubmissionResult) -> list[_Unread]:
    found = []
    for field in result.root.walk():
        findings = result.plan.unreadable.get(field.name)
        if findings is None:
            continue
        path, key = field.path, None
        if any(one.keyword in ("json.duplicate-member", "form.name") for one in findings):
            path, key = None, field.shown.key
            if field.member is not None and field.path is not None:
                path = f"{_around(field.path)}/{escape_token(field.member.name)}"
        elif field.has_key and field.original is None:
            path = None
        found.append(_Unread(field, path, key))
    return found


def _around(path: str) -> str:
    return path.rpartition("/")[0]


def _with_data(source: FormSource, node: Node) -> FormSource:
    """Return the material of the form of another text."""
    text = rewrite(source.tree, source.element, node)
    return replace(source, tree=Tree(text, scanned(text)))


def _with_typed(
    source: FormSource,
    target: FormSource,
    controls: PostedControls,
    edits: PostedControls,
    unread: Sequence[_Unread],
    merged: Merge,
) -> tuple[PostedControls, tuple[Finding, ...]]:
    """Return the controls with what was typed and could not be read, and what has no field."""
    if not unread:
        return controls, ()
    root = source.build(controls, plain_numbers(target.element.value))
    fields = {field.path: field for field in root.walk() if field.path is not None}

    def present(path: str | None) -> Field | None:
        """Return the field that a place of my text is now, with the one that was chosen."""
        at = None if path is None else merged.path_of(path.removeprefix(source.at))
        return None if at is None else fields.get(f"{source.at}{at}")

    found, lost = dict(controls), []
    rows: list[str] = []  # new members, with all that was typed into them
    for one in unread:
        if is_inside(one.field.name, tuple(rows)):
            continue
        typed, place = one.field, present(one.path)
        around = present(None if typed.path is None else _around(typed.path))
        if place is not None and one.key is not None and place.has_key:
            found[companion_name(KEY, place.name)] = [one.key]
        elif place is not None and _alternative(typed) != _alternative(place):
            found.update(_in_alternative(typed, place))
        elif place is not None and place.kind not in (*CONTAINER_KINDS, "alternatives"):
            found[place.name] = [typed.shown.text]
            if "set" in place.states:
                found[companion_name(STATE, place.name)] = ["set"]
        elif one.path is None and typed.has_key and around is not None and around.kind == "object":
            found.update(_new_member(around, typed, found, edits))
            rows.append(typed.name)
        else:
            shown = HIDDEN if typed.shape.secret else preview(typed.shown.text)
            lost.append(_lost_finding(source.at, shown, typed.label))
    return found, tuple(lost)


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


@dataclass(frozen=True, eq=False)
class _Draft:
    """The controls of an alternative that is not chosen; `field` is the one that chooses."""

    field: Field
    index: int
    controls: PostedControls


def _drafts(root: Field, edits: PostedControls) -> list[_Draft]:
    """Return what was typed into alternatives that are not chosen."""
    names = sorted((name[name.find(ROOT) :], name) for name in edits if ROOT in name)
    found = []
    for field in root.walk():
        for index in range(len(field.children) if field.kind == "alternatives" else 0):
            branch = branch_name(field.name, index)
            typed: PostedControls = {}
            for at in range(bisect_left(names, (branch, "")), len(names)):
                about, name = names[at]
                if not about.startswith(branch):
                    break
                if about[len(branch) :][:1] in ("", "/", ";"):
                    typed[name] = edits[name]
            if typed and index != field.shown.chosen:
                found.append(_Draft(field, index, typed))
    return found


def _with_drafts(
    source: FormSource,
    target: FormSource,
    controls: PostedControls,
    drafts: Sequence[_Draft],
    merged: Merge,
) -> tuple[PostedControls, tuple[Finding, ...]]:
    """Return the controls with those of alternatives that are not chosen, and what has no field."""
    if not drafts:
        return controls, ()
    root = source.build(controls, plain_numbers(target.element.value))
    choosers = {field.path: field for field in root.walk() if field.kind == "alternatives"}
    found, lost = dict(controls), []
    for draft in drafts:
        path = draft.field.path
        now = None if path is None else merged.path_of(path.removeprefix(source.at))
        place = None if now is None else choosers.get(f"{source.at}{now}")
        is_there = place is not None and draft.index < len(place.children)
        if place is not None and is_there and place.shown.chosen != draft.index:
            before, after = (branch_name(one.name, draft.index) for one in (draft.field, place))
            for name, values in draft.controls.items():
                role, mark, rest = name.partition(ROOT)
                found[f"{role}{after}{(mark + rest).removeprefix(before)}"] = values
            continue
        typed = ", ".join(
            HIDDEN if source.is_secret_control(name) else preview(text)
            for name, [text, *_] in draft.controls.items()
            if name.startswith(ROOT) and text
        )
        if typed:
            lost.append(_lost_finding(source.at, typed, draft.field.label))
    return found, tuple(lost)


def _with_removed(
    source: FormSource,
    target: FormSource,
    controls: PostedControls,
    result: SubmissionResult,
    merged: Merge,
) -> PostedControls:
    """Return the controls with the removed rows that can be restored in the form of `source`.

    These are new ones, and those that others have not changed: the controls of a row say what was
    edited in it, and nothing about an edit of others.
    """
    begin = companion_name(REMOVED, ROOT)
    names = {name.removeprefix(REMOVED) for name in result.controls if name.startswith(begin)}
    holders = [one for one in result.root.walk() if one.name in names and one.path is not None]
    if not holders:
        return controls
    root = source.build(controls, plain_numbers(target.element.value))
    fields = {field.path: field for field in root.walk() if field.kind in CONTAINER_KINDS}
    for holder in holders:
        path = str(holder.path).removeprefix(source.at)
        now = merged.path_of(path)
        place = None if now is None else fields.get(f"{source.at}{now}")
        if place is None or place.kind != holder.kind:
            continue
        there = merged.unchanged_in_rest(path)
        ids = {row_id(token): row_id(other) for token, other in there.items()}
        rows: list[RemovedRow] = []
        for row in removed_rows(result.controls, holder.name):
            id = ids.get(row.id)
            if is_new_row(row.id):
                id = new_row_id((*place.shown.rows, *(one.id for one in rows)))
            origin = row.controls.get(companion_name(ORIGIN, ROOT))
            if id is None or (origin is not None and origin[0] not in ids):
                continue
            more = {} if origin is None else {companion_name(ORIGIN, ROOT): [ids[origin[0]]]}
            before_it = str(int(id) - 1) if id.isdigit() and holder.kind == "list" else ""
            after = ids.get(row.after, before_it)
            rows.append(replace(row, id=id, after=after, controls={**row.controls, **more}))
        controls = with_removed_rows(controls, place.name, rows)
    return controls


def _without_gone(
    source: FormSource, target: FormSource, controls: PostedControls
) -> tuple[PostedControls, tuple[Finding, ...]]:
    """Return the controls without secrets that nobody has any more, and findings about these."""
    gone = _gone()
    names = [
        name
        for name, values in controls.items()
        if name.startswith(ROOT) and any(gone.strip('"') in one for one in values)
    ]
    if not names:
        return controls, ()
    root = source.build(controls, plain_numbers(target.element.value))
    fields = {field.name: field for field in root.walk()}
    found, lost = dict(controls), []
    for name in names:
        [text, *_] = controls[name]
        found[name] = ["" if text in (gone, gone.strip('"')) else text.replace(gone, STAND_IN)]
        field = fields.get(name)
        if field is not None and "unset" in field.states and not found[name][0]:
            found[companion_name(STATE, name)] = ["unset"]
        lost.append(_lost_finding(source.at, HIDDEN, name if field is None else field.label))
    return found, tuple(lost)


def _lost_finding(at: str, text: str, label: str) -> FormFinding:
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

"""Rebase the controls of a form of older data: merge what was edited there into the present data.

The older data comes from the page, so it is trusted as little as any control. It decides only which
controls were edited. What comes of it is an edit of the present data, and nothing that the controls
of its form could not do.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import Final

from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Finding
from widgetschema.forms.checking import plain_numbers
from widgetschema.forms.conflicts import choice_names
from widgetschema.forms.control_names import Action, UnreadParts, control_name, pointer_of, row_id
from widgetschema.forms.fields.builder import FormSource
from widgetschema.forms.fields.labels import label_from_name
from widgetschema.forms.model import Field, FormFinding, Message, PostedControls
from widgetschema.forms.posted_controls import edited_controls
from widgetschema.forms.secrecy import (
    HIDDEN,
    STAND_IN,
    any_row,
    secret_digest,
    with_stand_ins,
)
from widgetschema.forms.submit.edits import changed_texts, edit_between, edit_of, without_values
from widgetschema.forms.submit.permissions import Permitted, permitted
from widgetschema.forms.submit.pipeline import apply_controls, rows_in_text
from widgetschema.forms.submit.side_state import (
    SideState,
    Target,
    lost_finding,
    side_state,
    with_own_fields,
)
from widgetschema.forms.submit.steps import Reading, Steps, drafts_of
from widgetschema.forms.uploads import digest_text
from widgetschema.jsontext.digests import value_digest
from widgetschema.jsontext.merging import (
    Choose,
    ConcurrentEdit,
    Merge,
    Origins,
    Side,
    merge,
    origins_of,
    origins_through,
)
from widgetschema.jsontext.rewriting import Node, rewrite
from widgetschema.jsontext.tree import Element, Tree, parse, scanned
from widgetschema.pointers import escape_token, parse_pointer, unescape_token

_MAX_PARTS: Final = 10_000  # of older data, unless the present data has half as many
_MAX_TRIES: Final = 100_000  # to find secrets; one that is not found counts as replaced

_SIDES: Final[Mapping[str, Side]] = {"mine": "mine", "theirs": "theirs"}


@dataclass(frozen=True, eq=False)
class Rebased:
    """A page of `source`: the present data, or with conflicts, what to merge into.

    `steps` lead to the text of its form, and `controls` are what that shows beside it.

    With conflicts, `source` has the older value at the place of each, so that the same conflicts
    are found when its form is submitted. `posted_paths` are their paths in the text of the form
    that was posted, by those in `source`. `changes` are the edits of others that were merged.
    `lost` are the findings about typed texts that no field of the form can show, `refused` the
    places of edits that no control could have made.
    """

    source: FormSource
    steps: Steps
    controls: PostedControls
    conflicts: tuple[ConcurrentEdit, ...]
    changes: tuple[ConcurrentEdit, ...]
    lost: tuple[Finding, ...]
    posted_paths: Mapping[str, str]
    refused: tuple[str, ...] = ()


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


def lists_with_secrets(source: FormSource) -> tuple[str, ...]:
    """Return the names of the controls of the outermost lists with secrets in them."""
    lists = {_list_around(source.tree, path) for path in source.secret_digests}
    return tuple(control_name(one) for one in lists if one is not None)


def _is_same_text(one: Element | None, other: Element | None) -> bool:
    return one is not None and other is not None and one.raw == other.raw


def edits_since(base: FormSource, controls: PostedControls) -> PostedControls:
    """Return the controls that were edited in the form of older data."""
    return edited_controls(controls, base.build(None, plain_numbers(base.element.value)))


def rebase(
    base: FormSource,
    steps: Steps,
    present: FormSource,
    controls: PostedControls,
    action: Action | None,
    choices: PostedControls,
    settled: Choose | None = None,
) -> Rebased:
    """Return what was edited in the form of `base` as a page of the data of `present`.

    `steps` are those of the page. `choices` are the controls that decide conflicts: those that are
    found without them, all at once, since a conflict may look different after another one was
    decided. If it is `settled` which edit holds, there are no conflicts, and what was typed and
    does not hold stays beside the data. Raises `TooManyFields`.
    """
    found = _rebased(base, steps, present, controls, action, settled)
    if not (found.conflicts and choices):
        return found
    choose = chosen_sides(base.at, choices, present.is_told_by, found.posted_paths)
    decided = _rebased(found.source, found.steps, present, found.controls, None, choose)
    if decided.refused:  # they cannot be decided like this
        unwritable = map(_unwritable_finding, decided.refused)
        return replace(found, lost=(*found.lost, *unwritable))
    known = decided.posted_paths.items()
    return replace(
        decided,
        changes=found.changes,
        lost=(*found.lost, *decided.lost),
        posted_paths={now: found.posted_paths.get(was, was) for now, was in known},
    )


def _rebased(
    base: FormSource,
    steps: Steps,
    present: FormSource,
    controls: PostedControls,
    action: Action | None,
    choose: Choose | None,
) -> Rebased:
    """Return the page that comes of one merge. Without `choose`, all conflicts stay open."""
    at, page = base.at, _Page.of(base, steps, controls, action)
    merged = page.merged(present, choose or _undecided)
    source, allowed, gone = _data_of(merged, present)
    edit, draft = edit_of(allowed.node, source, allowed.draft), allowed.draft
    steps = (edit,)
    if edit.said is None:
        steps, draft = (), source
    place = _target(source, draft, merged, page)
    controls, lost = page.state.laid_into(place, {})
    left: list[tuple[str, Element | None, Element]] = [
        (path, None, made) for path, made in allowed.refused.items() if made is not None
    ]
    if choose is mine_of_same_type:
        left += [(f"{at}{path}", was, made) for path, was, made in merged.overruled()]
    controls, untyped = with_own_fields(controls, _typed_texts(left, draft), place)
    conflicts = merged.conflicts
    if conflicts:  # as they will be found when this page is posted
        conflicts = _Page.of(source, steps, controls, None).merged(present, _undecided).conflicts
    return Rebased(
        source,
        steps,
        controls,
        tuple(_placed(one, at, present.is_told_by) for one in conflicts),
        tuple(_placed(one, at, present.is_told_by) for one in merged.changes),
        (*page.lost, *lost, *untyped, *gone),
        {f"{at}{now}": f"{at}{was}" for was, now in merged.conflict_paths_in_rest().items()},
        tuple(allowed.refused),
    )


def _data_of(
    merged: Merge, present: FormSource
) -> tuple[FormSource, Permitted, tuple[Finding, ...]]:
    """Return the text that a merge is an edit of, what is permitted of that, and losses."""
    node, source, gone = merged.node, present, tuple[Finding, ...]()
    target = _with_data(present, node)
    if merged.conflicts:
        source = _with_data(present, merged.rest)
    else:
        target, gone = _without_gone(target)
    if merged.conflicts or gone:
        node = edit_between(source.element, target.element, merged.tokens_in_rest())
    assert node is not None
    return source, permitted(source, node), gone


def _unwritable_finding(path: str) -> FormFinding:
    message = "your version of this cannot be kept: no control of the form can write it"
    said = Message("stale.unwritable")
    return FormFinding("stale", path, "", message, "keep the other version", said=said)


def _undecided(edit: ConcurrentEdit) -> None:
    return None


def mine_of_same_type(edit: ConcurrentEdit) -> Side:
    """Return the side that holds where nobody is asked: mine, unless it is about another group.

    A value that has become one of another type is more than what was typed into a part of it.
    """
    if edit.mine is None or edit.theirs is None:
        return "mine"
    kinds = {scanned(one).kind for one in (edit.mine, edit.theirs)}
    return "mine" if len(kinds) == 1 or kinds.isdisjoint(("object", "array")) else "theirs"


def _typed_texts(
    left: Sequence[tuple[str, Element | None, Element]], draft: FormSource
) -> Iterator[tuple[UnreadParts, str]]:
    """Yield the texts in values that do not hold, with their places."""
    for path, before, made in left:
        for inside, said in changed_texts(before, made):
            place = f"{path}{inside}"
            label = label_from_name(parse_pointer(place)[-1]) if place else ""
            yield UnreadParts(place, label, draft.is_secret_at(place)), said


def _target(source: FormSource, draft: FormSource, merged: Merge, page: _Page) -> Target:
    """Return the form that gets the side state: that of a `draft` of the text of `source`."""
    at, data = source.at, plain_numbers(draft.element.value)
    tokens = merged.tokens_in_rest()

    def path_of(path: str) -> str | None:
        found = merged.path_of(path.removeprefix(at))
        return None if found is None else f"{at}{found}"

    def row_ids(holder: Field) -> Mapping[str, str]:
        there = {id: path_of(f"{holder.path}/{it}") for id, it in rows_in_text(holder).items()}
        last = {id: path.rpartition("/")[2] for id, path in there.items() if path is not None}
        return {id: row_id(unescape_token(token)) for id, token in last.items()}

    def removed(holder: Field, id: str) -> tuple[str, str] | None:
        token, inside = page.token_in_base(holder, id), str(holder.path).removeprefix(at)
        around, it = "", ""
        for step in parse_pointer(merged.path_of(inside) or inside):
            if step not in tokens.get(it, {}):
                return None
            around += f"/{escape_token(tokens[it][step])}"
            it += f"/{escape_token(step)}"
        known = None if token is None else merged.unchanged_in_rest(inside).get(token)
        if known is None:
            return None
        now = {was: other for other, was in tokens.get(it, {}).items()}
        before = range(int(known) - 1, -1, -1) if holder.kind == "list" else ()
        after = next((now[str(one)] for one in before if str(one) in now), "")
        return f"{len(source.earlier)}{at}{around}/{escape_token(known)}", after

    return Target(at, lambda one: draft.build(one, data), path_of, row_ids, removed)


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


@dataclass(frozen=True, eq=False)
class _Page:
    """The edits of a page of the text `base`: the last reading, the new data, and the side state.

    `origins` are those of the containers of the new data, `of_last` of those of the last text
    before it, which is None for the first one.
    """

    base: FormSource
    last: Reading
    mine: Element
    state: SideState
    lost: tuple[Finding, ...]
    origins: Origins
    of_last: Origins | None

    @classmethod
    def of(
        cls, base: FormSource, steps: Steps, controls: PostedControls, action: Action | None
    ) -> _Page:
        """Return what the steps and the controls of a page have made of a text."""
        done = [*drafts_of(base, steps)]
        draft = done[-1][1] if done else base
        result = apply_controls(draft, edits_since(draft, controls), action)
        done += [(one.plan.node, after.source) for one, after in pairwise(result.readings)]
        last = result.readings[-1]
        mine = Tree(result.text, scanned(result.text)).at(base.at)
        assert mine is not None
        origins = origins_of(last.plan.node, mine, whole=bool(done))
        of_last: Origins | None = None
        for node, made in reversed(done):
            earlier = origins_of(node, made.element, whole=True)
            origins = origins_through(origins, earlier)
            of_last = earlier if of_last is None else origins_through(of_last, earlier)
        state = side_state(last.source, last.root, last.controls, last.plan)
        return cls(base, last, mine, state, result.lost, origins, of_last)

    def merged(self, present: FormSource, choose: Choose) -> Merge:
        """Return the merge with the present data."""
        at = self.base.at
        fixed = {
            id(one.original): sum(not (it.row or it.is_rest or it.is_unread) for it in one.children)
            for one in self.last.root.walk()
            if one.kind == "tuple"
        }
        if self.of_last is not None:
            of_last = self.of_last
            fixed = {id(of_last[it].container): n for it, n in fixed.items() if it in of_last}
        return merge(
            self.base.element,
            self.mine,
            present.element,
            origins=self.origins,
            positions=fixed,
            typed={
                one.path.removeprefix(at): json.dumps(one.field.shown.text, ensure_ascii=False)
                for one in self.state.unread
                if one.path is not None and one.key is None
            },
            choose=choose,
        )

    def token_in_base(self, holder: Field, row: str) -> str | None:
        """Return the token that a row of the last text had in the first one; None if it is new."""
        number, mark, earlier = row.partition("/")  # of a row of an earlier text
        if mark:
            return parse_pointer(f"/{earlier}")[-1] if number == "0" else None
        pointer = pointer_of(f"{holder.name}/{row}")
        token = parse_pointer(pointer)[-1]
        if self.of_last is None:
            return token
        container = self.last.source.tree.at(pointer.rpartition("/")[0])
        origin = None if container is None else self.of_last.get(id(container))
        if origin is None or container is None:
            return None
        names = [one.name for one in container.members] or map(str, range(len(container.items)))
        found = dict(zip(names, origin.children, strict=False)).get(token)
        return None if found is None else str(found)


def _with_data(source: FormSource, node: Node | None) -> FormSource:
    """Return the material of the form of another text."""
    assert node is not None
    text = rewrite(source.tree, source.element, node)
    return replace(source, tree=Tree(text, scanned(text)), chosen={}, earlier=(), gone={})


def _without_gone(source: FormSource) -> tuple[FormSource, tuple[Finding, ...]]:
    """Return a text without the secrets that nobody has any more, and findings about these."""
    paths = [
        path
        for path in source.secret_digests
        if (element := source.tree.at(path)) is not None and element.raw == _gone()
    ]
    if not paths:
        return source, ()
    fields = {one.path: one.label for one in source.build(None, source.element.value).walk()}
    lost = (lost_finding(source.at, HIDDEN, fields.get(one) or one) for one in paths)
    return without_values(source, paths), tuple(lost)

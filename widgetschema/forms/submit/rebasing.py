"""Rebase the controls of a form of older data: merge what was edited there into the present data.

The older data comes from the page, so it is trusted as little as any control. It decides only which
controls were edited. What is saved are controls of the form of the present data, and nothing that
these could not do.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Finding
from widgetschema.forms.checking import plain_numbers
from widgetschema.forms.conflicts import choice_names
from widgetschema.forms.control_names import (
    ROOT,
    STATE,
    Action,
    companion_name,
    row_id,
)
from widgetschema.forms.fields.builder import FormSource
from widgetschema.forms.model import Field, FormFinding, Message, PostedControls
from widgetschema.forms.posted_controls import edited_controls
from widgetschema.forms.secrecy import (
    HIDDEN,
    STAND_IN,
    any_row,
    secret_digest,
    with_stand_ins,
)
from widgetschema.forms.submit.pipeline import apply_controls
from widgetschema.forms.submit.retyping import steps_between
from widgetschema.forms.submit.side_state import SideState, Target, lost_finding, side_state
from widgetschema.forms.submit.steps import Reading, Steps, draft_of, readings_of, step_of
from widgetschema.forms.uploads import digest_text
from widgetschema.jsontext.digests import value_digest
from widgetschema.jsontext.merging import (
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
from widgetschema.pointers import escape_token

_MAX_ROUNDS: Final = 6
_MAX_PARTS: Final = 10_000  # of older data, unless the present data has half as many
_MAX_TRIES: Final = 100_000  # to find secrets; one that is not found counts as replaced

_SIDES: Final[Mapping[str, Side]] = {"mine": "mine", "theirs": "theirs"}


@dataclass(frozen=True, eq=False)
class Rebased:
    """The controls of a form of `source`: the present data, or with conflicts, what to merge into.

    `steps` lead to the text of that form.

    With conflicts, `source` has the older value at the place of each, so that the same conflicts
    are found when its form is submitted. `posted_paths` are their paths in the text of the form
    that was posted, by those in `source`. `changes` are the edits of others that were merged.
    `lost` are the findings about typed texts that no field of the form can show.

    If no control of the present form can say what was edited, `source` is the older data, and its
    form has both edits; it `has_more` than can be saved.
    """

    source: FormSource
    steps: Steps
    controls: PostedControls
    conflicts: tuple[ConcurrentEdit, ...]
    changes: tuple[ConcurrentEdit, ...]
    lost: tuple[Finding, ...]
    posted_paths: Mapping[str, str]
    has_more: bool = False


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
    steps: Steps,
    present: FormSource,
    controls: PostedControls,
    action: Action | None,
    choices: PostedControls,
    settled: Side | None = None,
) -> Rebased | None:
    """Return the controls of a form of `base` as controls of one of `present`; None for none.

    `steps` are those of the page. `choices` are the controls that decide conflicts: those that are
    found without them, all at once, since a conflict may look different after another one was
    decided. They name the places as in the form that was posted: items have other indices where
    others have added or moved some, or where a decision has removed one. If it is `settled` which
    edit holds, there are no conflicts. Raises `TooManyFields`.
    """
    posted_paths: dict[str, str] | None = None
    changes: tuple[ConcurrentEdit, ...] | None = None
    found: tuple[ConcurrentEdit, ...] = ()
    kept: list[str] = []
    lost: tuple[Finding, ...] = ()
    for _ in range(_MAX_ROUNDS):
        earlier = tuple(readings_of(base, steps))
        draft = draft_of(base, steps)
        result = apply_controls(draft, edits_since(draft, controls), action)
        lost = (*lost, *result.lost)
        last = result.readings[-1]
        state = side_state(last.source, last.root, last.controls, last.plan)
        edits = _Edits(base, (*earlier, *result.readings), result.text, state)
        merged = edits.merged(present, lambda edit: settled)
        secret = present.is_told_by
        conflicts = tuple(_placed(one, base.at, secret) for one in merged.conflicts)
        if posted_paths is None:
            posted_paths = {one.path: one.path for one in conflicts}
        if changes is None:
            changes = tuple(_placed(one, base.at, secret) for one in merged.changes)
        elif found and conflicts == found:  # they are those of this base
            choose = chosen_sides(base.at, choices, secret, posted_paths)
            kept = [one.path for one in merged.conflicts if choose(one) == "mine"]
            merged = edits.merged(present, choose)
            conflicts = tuple(_placed(one, base.at, secret) for one in merged.conflicts)
            if conflicts == found:
                return Rebased(base, steps, controls, conflicts, changes, lost, posted_paths)
        assert merged.node is not None
        assert merged.rest is not None
        target = _with_data(present, merged.node)
        older, base = base, _with_data(present, merged.rest) if conflicts else present
        again = steps_between(base, target, merged.tokens_in_rest())
        has_more = again is None
        if again is None:
            if found and conflicts != found:  # they cannot be decided like this
                lost = (*lost, *(_unwritable_finding(f"{base.at}{path}") for path in kept))
                return Rebased(older, steps, controls, found, changes, lost, posted_paths)
            base = older  # a control of its form may say what none of the present form can
            again = steps_between(last.draft(), target, merged.tokens_in_mine())
            if again is None or _tells_secret(present, again):
                return None
            again = (*steps, *(step_of(one.controls) for one in result.readings), *again)
        *before, controls = again
        is_direct = not (steps or result.readings[1:] or before)
        steps = tuple(before)
        place = _target(base, steps, target, merged, is_direct=is_direct)
        controls, gone = state.laid_into(place, controls)
        controls, unknown = _without_gone(place, controls)
        lost = (*lost, *gone, *unknown)
        if not conflicts:
            return Rebased(base, steps, controls, (), changes, lost, {}, has_more)
        if has_more:
            found, action = conflicts, None
            continue
        posted_paths = {
            f"{base.at}{now}": posted_paths[f"{base.at}{before}"]
            for before, now in merged.conflict_paths_in_rest().items()
            if f"{base.at}{before}" in posted_paths
        }
        found, action = conflicts, None
    return None


def _target(
    base: FormSource, steps: Steps, target: FormSource, merged: Merge, *, is_direct: bool
) -> Target:
    """Return the form that gets the side state: that of `base` with `steps`, which make `target`.

    Rows of the text are the same only if it `is_direct`: without steps.
    """
    shown, data, at = draft_of(base, steps), plain_numbers(target.element.value), base.at

    def path_of(path: str) -> str | None:
        found = merged.path_of(path.removeprefix(at))
        return None if found is None else f"{at}{found}"

    def row_ids(holder: Field) -> Mapping[str, str]:
        if not is_direct:
            return {}
        there = merged.unchanged_in_rest(str(holder.path).removeprefix(at))
        return {row_id(token): row_id(other) for token, other in there.items()}

    return Target(at, lambda one: shown.build(one, data), path_of, row_ids, lambda name: None)


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
class _Edits:
    """The edits of a page of the text `base`: its readings, their result, its side state."""

    base: FormSource
    readings: Sequence[Reading]
    text: str
    state: SideState

    def merged(
        self,
        present: FormSource,
        choose: Callable[[ConcurrentEdit], Side | None] = lambda edit: None,
    ) -> Merge:
        """Return the merge with the present data."""
        at, last = self.base.at, self.readings[-1]
        mine = Tree(self.text, scanned(self.text)).at(at)
        assert mine is not None
        origins = origins_of(last.plan.node, mine, whole=len(self.readings) > 1)
        of_last: Origins | None = None  # those of the elements of the last text
        for reading, after in zip(self.readings[-2::-1], self.readings[:0:-1], strict=True):
            earlier = origins_of(reading.plan.node, after.source.element, whole=True)
            origins = origins_through(origins, earlier)
            of_last = earlier if of_last is None else origins_through(of_last, earlier)
        tuples = {id(one.original) for one in last.root.walk() if one.kind == "tuple"}
        if of_last is not None:
            tuples = {id(of_last[one].container) for one in tuples if one in of_last}
        return merge(
            self.base.element,
            mine,
            present.element,
            origins=origins,
            tuples=tuples,
            typed={
                one.path.removeprefix(at): json.dumps(one.field.shown.text, ensure_ascii=False)
                for one in self.state.unread
                if one.path is not None and one.key is None
            },
            choose=choose,
        )


def _unwritable_finding(path: str) -> FormFinding:
    message = "your version of this cannot be kept: no control of the form can write it"
    said = Message("stale.unwritable")
    return FormFinding("stale", path, "", message, "keep the other version", said=said)


def _tells_secret(present: FormSource, steps: Steps) -> bool:
    """Return True if a page with these steps would show a secret of the present data."""
    texts = [one for step in steps for values in step.values() for one in values]
    secrets = {text for one in present.secrets for text in (one.raw, str(one.value)) if text}
    return any(secret in one for secret in secrets for one in texts)


def _with_data(source: FormSource, node: Node) -> FormSource:
    """Return the material of the form of another text."""
    text = rewrite(source.tree, source.element, node)
    return replace(source, tree=Tree(text, scanned(text)), chosen={}, earlier=(), gone={})


def _without_gone(
    target: Target, controls: PostedControls
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
    fields = {field.name: field for field in target.build(controls).walk()}
    found, lost = dict(controls), []
    for name in names:
        [text, *_] = controls[name]
        found[name] = ["" if text in (gone, gone.strip('"')) else text.replace(gone, STAND_IN)]
        field = fields.get(name)
        if field is not None and "unset" in field.states and not found[name][0]:
            found[companion_name(STATE, name)] = ["unset"]
        lost.append(lost_finding(target.at, HIDDEN, name if field is None else field.label))
    return found, tuple(lost)

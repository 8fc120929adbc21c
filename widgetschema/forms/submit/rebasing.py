"""Rebase the controls of a form of older data: merge what was edited there into the present data.

The older data comes from the page, so it is trusted as little as any control. It decides only which
controls were edited. What comes of it is an edit of the present data, and nothing that the controls
of its form could not do.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Finding
from widgetschema.forms.conflicts import choice_names
from widgetschema.forms.control_names import (
    FROM,
    RESET,
    ROOT,
    Action,
    UnreadParts,
    companion_name,
    control_name,
    pointer_of,
    row_id,
)
from widgetschema.forms.fields.builder import FormSource
from widgetschema.forms.fields.labels import label_from_name
from widgetschema.forms.fields.placeholders import placeholders_in
from widgetschema.forms.model import Field, FormFinding, Message, PostedControls
from widgetschema.forms.posted_controls import edited_controls
from widgetschema.forms.secrecy import (
    HIDDEN,
    any_row,
    has_placeholder,
    is_placeholder,
    placeholder,
    with_stand_ins,
)
from widgetschema.forms.submit.edits import changed_texts, edit_between, edit_of, without_values
from widgetschema.forms.submit.permissions import Permitted, permitted
from widgetschema.forms.submit.pipeline import apply_controls, rows_in_text
from widgetschema.forms.submit.removed_rows import with_resets
from widgetschema.forms.submit.side_state import (
    SideState,
    Target,
    UnreadField,
    lost_finding,
    side_state,
    unread_controls,
    with_own_fields,
)
from widgetschema.forms.submit.stale_controls import gone_texts
from widgetschema.forms.submit.steps import Reading, Steps, drafts_of
from widgetschema.forms.texts import text
from widgetschema.forms.uploads import digest_text
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
from widgetschema.jsontext.tree import Element, parse, scanned
from widgetschema.languages import speaking
from widgetschema.pointers import escape_token, parse_pointer, unescape_token

_MAX_PARTS: Final = 10_000  # of older data, unless the present data has half as many

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


def source_of_base(source: FormSource, base: str, *, has_own_key: bool) -> FormSource | None:
    """Return the material of the form of older data; None if its text cannot be that.

    It was posted, so it may be anything: what is not JSON is not merged, nor what would take long
    and is much larger than the present data. Without the key of its placeholders, those that are in
    no row stand for what is there now.
    """
    if base.count(",") > max(_MAX_PARTS, 2 * source.element.raw.count(",")):
        return None
    try:
        parse(base, source.checks.limits)  # by itself: nothing of it can get around the data
        element, text = source.element, source.tree.text
        whole = f"{text[: element.start]}{base}{text[element.end :]}"
        made = replace(source, tree=parse(whole, source.checks.limits))
        return _with_present(made, source, has_own_key=has_own_key)
    except UnreadableDocument:
        return None


def _with_present(base: FormSource, present: FormSource, *, has_own_key: bool) -> FormSource:
    """Return older data with the present files in place of their digests.

    Of placeholders with another key, those that are in no row become the present ones.
    """
    files = {digest_text(one.raw): one.raw for one in present.large_files}
    secrets = {} if has_own_key else dict(placeholders_in(present.element, present.at))
    found = []
    for path, element in base.element.walk(base.at) if files or secrets else ():
        if element.kind == "string" and element.raw in files:
            found.append((element, files[element.raw]))
        elif is_placeholder(element.raw) and path in secrets and any_row(path) == path:
            found.append((element, secrets[path].raw))
    text = with_stand_ins(base.tree.text, found)
    return replace(base, tree=parse(text, base.checks.limits)) if found else base


def lists_with_secrets(source: FormSource) -> tuple[str, ...]:
    """Return the names of the controls of the lists with secrets in them."""
    return tuple(
        control_name(path)
        for path, element in source.element.walk(source.at)
        if element.kind == "array" and has_placeholder(element.raw)
    )


def edits_since(
    base: FormSource, controls: PostedControls, root: Field | None = None
) -> PostedControls:
    """Return the controls that were edited in the form of `base`.

    `root` are its untouched fields, if they are known. What came to an alternative from another one
    is what its page showed there.
    """
    begin = companion_name(FROM, ROOT)
    shown = {name: values for name, values in controls.items() if name.startswith(begin)}
    if shown or root is None:
        root = base.build(shown or None, base.data)
    if [RESET] in controls.values():
        controls = with_resets(controls, base.read(controls))
    return edited_controls(controls, root)


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
    if not found.posted_paths or (found.conflicts and not choices):
        return found  # no conflicts, or none is decided; of one, the page may have left nothing
    choose = chosen_sides(base.at, choices, found.posted_paths)
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
    present = replace(present, secrets=page.made.secrets)
    merged = page.merged(present, choose or _undecided)
    source, allowed, gone = _data_of(merged, present)
    edit, draft = edit_of(allowed.node, allowed.draft), allowed.draft
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
    if page.unknown:
        kept, _ = unread_controls(page.unknown, draft, draft.read(controls))
        controls |= kept
    conflicts = merged.conflicts
    if conflicts:  # as they will be found when this page is posted
        conflicts = _Page.of(source, steps, controls, None).merged(present, _undecided).conflicts
    return Rebased(
        source,
        steps,
        controls,
        tuple(placed(one, at) for one in conflicts),
        tuple(placed(one, at) for one in merged.changes),
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
        typed = scanned(draft.secrets.typed_back(made.raw))
        for inside, said in changed_texts(before, typed):
            place = f"{path}{inside}"
            label = label_from_name(parse_pointer(place)[-1]) if place else ""
            yield UnreadParts(place, label, draft.secrets.may_be_at(place)), said


def _target(source: FormSource, draft: FormSource, merged: Merge, page: _Page) -> Target:
    """Return the form that gets the side state: that of a `draft` of the text of `source`."""
    at, data = source.at, draft.data
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
    posted_paths: Mapping[str, str] | None = None,
) -> Callable[[ConcurrentEdit], Side | None]:
    """Return the function that decides a conflict below `at`, as the posted controls say.

    `posted_paths` are the paths by which these know the conflicts, if they are others; a conflict
    that is not among them stays open.
    """

    def choose(edit: ConcurrentEdit) -> Side | None:
        edit = placed(edit, at)
        path = edit.path if posted_paths is None else posted_paths.get(edit.path)
        if path is None:
            return None
        name, *values = choice_names(replace(edit, path=path))
        chosen = controls.get(name, [""])[-1]
        return _SIDES[chosen.partition("-")[0]] if chosen in values else None

    return choose


def placed(edit: ConcurrentEdit, at: str) -> ConcurrentEdit:
    """Return an edit with its path in the whole text, which says whether there is a secret."""
    texts = (one for one in (edit.base, edit.mine, edit.theirs) if one is not None)
    is_secret = any(map(has_placeholder, texts))
    return replace(edit, path=f"{at}{edit.path}", is_secret=is_secret)


@dataclass(frozen=True, eq=False)
class _Page:
    """The edits of a page of the text `base`: the last reading, what it made, and the side state.

    `unknown` are texts in controls that the form of `base` lacks: others have replaced the secret
    that decided about them. `origins` are those of the containers of the new data.
    """

    base: FormSource
    last: Reading
    made: FormSource
    state: SideState
    lost: tuple[Finding, ...]
    unknown: Mapping[str, str]
    origins: Origins

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
        made = last.source.with_text(last.text)
        origins = origins_of(last.plan.node, made.element, whole=bool(done))
        for node, then in reversed(done):
            origins = origins_through(origins, origins_of(node, then.element, whole=True))
        state = side_state(last.source, last.root, last.controls, last.plan)
        unknown: Mapping[str, str] = {}
        if base.secrets.lost_in(base.element, base.at):
            fields = {one.name for reading in result.readings for one in reading.root.walk()}
            unknown = gone_texts(result.readings[0].controls, fields, base.tree)
        return cls(base, last, made, state, result.lost, unknown, origins)

    def merged(self, present: FormSource, choose: Choose) -> Merge:
        """Return the merge with the present data."""
        at = self.base.at
        fixed = {
            id(self.last.source.stored_at(pointer_of(one.name))): sum(
                not (it.row or it.is_rest or it.is_unread) for it in one.children
            )
            for one in self.last.root.walk()
            if one.kind == "tuple"
        }
        with speaking(self.base.specs.language):
            typed = {
                one.path.removeprefix(at): _typed_json(one)
                for one in self.state.unread
                if one.path is not None and one.key is None and not one.field.is_unread
            }
        return merge(
            self.base.element,
            self.made.element,
            present.element,
            origins=self.origins,
            positions=fixed,
            typed=typed,
            choose=choose,
        )

    def token_in_base(self, holder: Field, row: str) -> str | None:
        """Return the token that a row of the last text had in the first one; None if it is new."""
        number, mark, earlier = row.partition("/")  # of a row of an earlier text
        if mark:
            return parse_pointer(f"/{earlier}")[-1] if number == "0" else None
        tokens = self.last.source.stored_tokens(pointer_of(f"{holder.name}/{row}"))
        return None if tokens is None else tokens[-1]


def _typed_json(typed: UnreadField) -> str:
    """Return the JSON text that stands for what cannot be read, for people."""
    said = json.dumps(typed.said or text("state.unset"), ensure_ascii=False)
    return placeholder(typed.field.name, said) if typed.field.shape.secret else said


def _with_data(source: FormSource, node: Node | None) -> FormSource:
    """Return the material of the form of another text."""
    assert node is not None
    text = rewrite(source.tree, source.element, node)
    return source.with_text(text)


def _without_gone(source: FormSource) -> tuple[FormSource, tuple[Finding, ...]]:
    """Return a text without the secrets that nobody has any more, and findings about these."""
    paths = source.secrets.lost_in(source.element, source.at)
    if not paths:
        return source, ()
    fields = {one.path: one.label for one in source.build(None, source.data).walk()}
    lost = (lost_finding(source.at, HIDDEN, fields.get(one) or one) for one in paths)
    return without_values(source, paths), tuple(lost)

"""Steps that are proposed for the changes between two schemas: certain ones, guesses, and none.

A step is certain only if each value that it changes comes out valid at its place, nothing is lost,
and the schemas themselves say that the value means the same. All other steps are guesses, which a
plan file holds as comments. A change that data does not survive, and for which no step is known, is
a comment as well, with an example.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from widgetschema.errors import CannotGenerate, SchemaError
from widgetschema.evolution.compare import Affected, Change, Comparison, Pair, StoredData, Subject
from widgetschema.evolution.migrate.applicability import Applicability
from widgetschema.evolution.migrate.migration import Migration, Outcome
from widgetschema.evolution.migrate.plan import Plan, PlanSchema, Proposal, step_lines
from widgetschema.evolution.migrate.schema_places import SchemaPlaces
from widgetschema.evolution.migrate.steps.lists import Unwrap, Wrap
from widgetschema.evolution.migrate.steps.members import Default, Drop, Move, Rename
from widgetschema.evolution.migrate.steps.python import Python
from widgetschema.evolution.migrate.steps.step import WILD, Step, is_inside
from widgetschema.evolution.migrate.steps.values import Cast, Clamp, Map, Round
from widgetschema.findings import Finding
from widgetschema.jsontext import dump, preview, read
from widgetschema.jsontext.equality import canonical
from widgetschema.pointers import (
    ANY,
    ANY_DEPTH,
    display_pointer,
    escape_token,
    format_pointer,
    matches,
    parse_pattern,
    parse_pointer,
    resolve_pointer,
)
from widgetschema.samples import Products
from widgetschema.samples.values.automata import find_text
from widgetschema.schema.linking import ANNOTATIONS, LinkedSchema, subschemas
from widgetschema.schema.tree import Node
from widgetschema.suggest import Vocabulary
from widgetschema.validation import Validator

_SHOWN: Final = 300  # characters of an example
_CASES: Final = 300  # of the coverage set, on which certain steps are tried
_SAMPLES: Final = 50
_MOST_LARGE: Final = 4_000  # subschemas of which more is generated than the least data
_PLAIN: Final = (str, int, bool)  # types that TOML writes as JSON does
_TURNS: Final = 20  # times that certain steps are tried again without one that failed
_BREAKS: Final = ("breaking", "unknown")
_FORBIDS: Final = frozenset({"additionalProperties", "properties", "patternProperties"})
_PLAIN_TYPES: Final = frozenset({"string", "number", "integer", "boolean"})
ONLY_OTHERS: Final = "only records that hold another value here need one"
_ONE_ITEM: Final = frozenset({"type", "items", "uniqueItems"})  # lists of one are valid by these
# Texts that are the JSON text of a value; `sign` is what may be before it.
_NUMBERS: Final = {
    "integer": r"^{sign}(0|[1-9][0-9]*)$",
    "number": r"^{sign}(0|[1-9][0-9]*)(\.[0-9]+)?$",
}
_MOST_DIGITS: Final = 300  # with more, it may be beyond what a float holds
_ANY_NUMBER: Final = r"^-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?$"
# Texts that a cast makes of a value, or makes one of: at least these.
_JSON_TEXTS: Final = {
    "integer": _ANY_NUMBER,
    "number": _ANY_NUMBER,
    "boolean": r"^(true|false)$",
}
_EXAMPLES: Final = ("0", "-1", "1.5", "20200101", "1e5", "true")  # of these, for a format
_TYPES: Final = ("null", "boolean", "integer", "number", "string", "array", "object")
_NULL: Final = "it removes null"
_REST: Final = "it loses what is not allowed after the steps above"
_AS_TEXT: Final = "numbers and booleans become texts, which may be invalid"
_BY_FUNCTION: Final = "no step is known for this; a function of yours may do it"
_TRUTHS: Final = {  # texts that stand for booleans
    **dict.fromkeys(("yes", "on", "true", "y", "1", "enabled"), True),
    **dict.fromkeys(("no", "off", "false", "n", "0", "disabled"), False),
}
_MOST_PARTS: Final = 200  # of such a schema
_SHORT: Final = 3  # characters that texts may end with by chance
_LONGEST_SCHEMA: Final = 400  # characters of one that a step has as an option
# What a schema and the parts of it that are about the same value have between them.
_SAME_VALUE: Final = re.compile(r"/(?:(allOf|anyOf|oneOf)/[0-9]+|then|else)$")
_CHOSEN: Final = re.compile(r"/(?:(?:allOf|anyOf|oneOf)/[0-9]+|then|else|not|dependencies/[^/]*)$")
_WILD_MEMBERS: Final = tuple(f"/properties/{token}" for token in WILD)
_NAMED_AS_WILD: Final = (
    "a property is named * or **, which stands for any property in a step: let a function change "
    "the object around it"
)
_CHOICE: Final = re.compile(r"/(?:(?:anyOf|oneOf)/[0-9]+|then|else|not|dependencies/[^/]*)(?=/)")


class _Draft(NamedTuple):
    """A proposal in the making; `place` is the pattern of the place where its result is valid."""

    step: Step | None
    reason: str
    is_active: bool = False
    place: str = ""
    is_confirmed: bool = False  # by stored records, so that no others have to be possible
    is_moved: bool = False  # within what a step moves, which must come before
    is_changed: bool = False  # what is in the value has changed as well: there are drafts for that

    @property
    def is_certain(self) -> bool:
        """True if the step is carried out."""
        return self.step is not None and self.is_active

    @property
    def rank(self) -> float:
        """The turn of the step."""
        return max(_rank(self.step), _ORDER.index(Move) if self.is_moved else 0)

    @property
    def guess(self) -> _Draft:
        """The same as a guess."""
        return self._replace(is_active=False)

    def doubted(self, doubt: str) -> _Draft:
        """Return the same as a guess, with the reason for the doubt."""
        return self._replace(reason=f"{self.reason}\nthis is a guess: {doubt}", is_active=False)


class Proposals(NamedTuple):
    """The proposals for a comparison.

    Args:
        entries: What a plan file holds, in order.
        records: The generated records on which the certain steps were tried, as JSON texts.
        valid: The number of these that were valid afterwards.
    """

    entries: tuple[Proposal, ...]
    records: tuple[str, ...]
    valid: int

    @property
    def certain(self) -> int:
        """The number of steps that are certain."""
        return sum(entry.step is not None and entry.is_active for entry in self.entries)

    @property
    def guesses(self) -> int:
        """The number of steps that are guesses."""
        return sum(entry.step is not None and not entry.is_active for entry in self.entries)

    @property
    def unsolved(self) -> int:
        """The number of changes that break data, and for which there is no step."""
        return sum(entry.step is None for entry in self.entries)

    @property
    def tried(self) -> int:
        """The number of generated records on which the certain steps were tried."""
        return len(self.records)


def propose(
    comparison: Comparison, old: Subject, new: Subject, stored: StoredData | None = None
) -> Proposals:
    """Return steps for the changes of a comparison that break data.

    Args:
        comparison: The comparison of the two schemas.
        old: The schema of the data as it is.
        new: The schema of the data as it is to be.
        stored: Stored records, to confirm guesses and to count, by the changes of each place; None
            if there are none.

    Returns:
        The proposals: renames and moves first, then values, missing members, and what is lost.
    """
    comparison = comparison.each_place
    witnesses = [
        one.witness.data for one in comparison if one.witness is not None and one.scope == "data"
    ]
    records = tuple(_generated(old, witnesses))
    valid = [record for record in records if new.data.is_valid_json(record)]
    proposer = _Proposer(old, new, valid)
    has_wild_names = _has_wild_names(old) or _has_wild_names(new)
    drafts: list[_Draft] = []
    affected = [None] * len(comparison) if stored is None else stored.by_change
    for change, counts in zip(comparison.changes, affected, strict=True):
        if change.kind in _BREAKS and change.narrows:
            made = [*proposer.drafts(change, counts)]
            patterns = _patterns(change, made) if has_wild_names else ()
            if any(token in WILD for pattern in patterns for token in parse_pattern(pattern)):
                made = [_unsolved(change, counts, _NAMED_AS_WILD)]
            drafts += made
    drafts = _merged(sorted(drafts, key=lambda one: one.rank))
    drafts, number = _tried(drafts, old, new, records, frozenset(valid))
    drafts = _without_vain(drafts, old, new, records)
    entries = (
        Proposal(step=one.step, reason=one.reason, is_active=one.is_active) for one in drafts
    )
    return Proposals(tuple(entries), records, number)


def _has_wild_names(subject: Subject) -> bool:
    """Return whether members of data are named * or **, which mean others in a pattern."""
    for pointer, schema in subject.data.linked.at.items():
        if pointer.endswith(_WILD_MEMBERS):
            return True
        names = schema.get("required", ()) if type(schema) is dict else ()
        if any(name in WILD for name in names):
            return True
    return False


def _patterns(change: Change, drafts: Sequence[_Draft]) -> Iterator[str]:
    """Yield the patterns that the proposals for a change have."""
    yield change.path
    for draft in drafts:
        if draft.step is not None:
            yield draft.step.at
            yield from draft.step.destinations


class _Proposer:
    """Proposes steps for single changes from an older schema to a newer one."""

    def __init__(self, old: Subject, new: Subject, valid: Sequence[str]) -> None:
        self._old = old
        self._new = new
        self._valid = valid  # data that the newer schema allows already
        self._old_places = SchemaPlaces(old)
        self._new_places = SchemaPlaces(new)
        self._renamed: list[Pair] = []  # around what is looked at, from the outside in

    def drafts(self, change: Change, counts: Affected | None) -> Iterator[_Draft]:
        """Yield the steps for one change; a comment with an example if there is none."""
        if change.scope == "document":
            yield _unsolved(change, counts, "it is outside of `data`, which steps do not change")
            return
        if change.guess is not None:
            yield from self._guess(change, counts)
            return
        if change.keyword == "properties" and change.parts:  # a member that is described now
            made = [*self._described(change)]
            for step, _, reason in made:
                yield _draft(step, change, counts, f"{ONLY_OTHERS}; {reason}", is_certain=False)
            if not made:
                yield _unsolved(change, counts, ONLY_OTHERS)
            return
        makers: dict[str, Callable[[Change], Iterator[tuple[Step, bool, str]]]] = {
            "type": self._type,
            "required": self._required,
            "enum": self._values,
            "const": self._values,
        }
        maker = makers.get(change.keyword, _bounds)
        if change.keyword in _FORBIDS and change.subjects:
            maker = self._forbidden
        made = [*maker(change)] or [*self._unsuited(change)]
        for step, is_certain, reason in made:
            yield _draft(step, change, counts, reason, is_certain=is_certain)
        if not made:
            yield _unsolved(change, counts, _BY_FUNCTION)

    def _guess(self, change: Change, counts: Affected | None) -> Iterator[_Draft]:
        guess = change.guess
        assert guess is not None
        evidence = None if counts is None else counts.evidence
        if guess.kind == "value":
            table = _map(change.path, guess.pairs)
            doubt = "this is a guess: the values may mean different things"
            gone = [pair.old for pair in guess.pairs]
            if guess.sure and self._new_places.refuses(change.path, gone):
                yield _draft(table, change, counts, "", is_certain=True)
            elif self._is_only_value(change):
                why = "only the old value was allowed, and only the new one is allowed now"
                yield _draft(table, change, counts, why, is_certain=True)
            else:
                yield _draft(table, change, counts, doubt, is_certain=False)
            return
        doubts = [*self._doubts(change)]
        is_confirmed = False
        if evidence is not None and evidence.both:
            doubts.insert(0, "records hold both names")
        elif evidence is not None and evidence.old and guess.likely and (doubts or not guess.sure):
            is_confirmed, doubts = True, []
        if not guess.likely:
            doubt = "there is little evidence for it"
            is_possible = evidence is not None and evidence.old and not evidence.both
            doubt += ", but no stored record contradicts it" if is_possible else ""
            doubts.insert(0, doubt)
        elif not guess.sure and not is_confirmed:
            doubts.insert(0, "the names and schemas may be similar by chance")
        reason = f"this is a guess: {'; '.join(doubts)}" if doubts else ""
        if is_confirmed:
            reason = "stored records confirm it: none holds both names"
        for index, pair in enumerate(_outermost(guess.pairs)):
            step: Step = Move(at=pair.old, to=pair.new)
            place = _top(pair.new, change)
            if guess.kind == "rename":
                step = Rename(at=self._at_any_depth(pair.old), to=parse_pointer(pair.new)[-1])
                (place,) = step.destinations
            draft = _draft(step, change, counts, reason, is_certain=not doubts)
            if index:
                draft = draft._replace(reason="with the step above")
            is_changed = any(one.kind in _BREAKS and one.narrows for one in guess.differences)
            yield draft._replace(place=place, is_confirmed=is_confirmed, is_changed=is_changed)
        emptied = {_top(pair.old, change) for pair in guess.pairs} - {p.old for p in guess.pairs}
        for top in sorted(emptied):
            step = Drop(at=top, if_empty=True)
            draft = _draft(step, change, None, "", is_certain=not doubts)
            why = "what was in it was moved; if it holds anything else, it stays"
            yield draft._replace(reason=why, is_confirmed=is_confirmed)
        self._renamed += guess.pairs
        for difference in guess.differences:
            if difference.kind in _BREAKS and difference.narrows:
                for one in self.drafts(difference, None):
                    inner = one._replace(is_moved=one.is_moved or guess.kind == "move")
                    yield inner.guess if doubts else inner
        del self._renamed[len(self._renamed) - len(guess.pairs) :]

    def _was(self, path: str) -> str:
        """Return the path of a place in the older schema, before what is around was renamed."""
        for pair in reversed(self._renamed):
            if f"{path}/".startswith(f"{pair.new}/"):
                path = pair.old + path.removeprefix(pair.new)
        return path

    def _at_any_depth(self, path: str) -> str:
        """Return the pattern of a member, also further inside if the schema leads back there."""
        around, _, name = path.rpartition("/")
        return (
            f"{around}/{ANY_DEPTH}/{name}"
            if self._old_places.leads_back(self._was(around))
            else path
        )

    def _is_only_value(self, change: Change) -> bool:
        """Return whether a member had to have one value, and has to have one other value now."""
        now = self._new_places
        return (
            self._old_places.only_value(self._was(change.path)) is not None
            and now.only_value(change.path) is not None
            and now.requires(change.path)
        )

    def _doubts(self, change: Change) -> Iterator[str]:
        """Yield the reasons to doubt that all old data has, and takes, the new place."""
        guess = change.guess
        assert guess is not None
        for old, new in guess.pairs:
            was, now = self._old_places.nodes(self._was(new)), self._new_places.nodes(old)
            if now != ():
                yield f"{display_pointer(old)} {'may be' if now is None else 'is'} still allowed"
            if was != ():
                yield f"{display_pointer(new)} may have been there before"
            around, _, _ = old.rpartition("/")
            if guess.kind == "rename" and self._at_any_depth(old) != old:
                name, to = (parse_pointer(path)[-1] for path in (old, new))
                if not self._new_places.never_has(around, name):
                    yield f"{preview(name)} may still be allowed further inside"
                if not self._old_places.never_has(self._was(around), to):
                    yield f"{preview(to)} may have been further inside before"

    def _type(self, change: Change) -> Iterator[tuple[Step, bool, str]]:
        gone = _gone_types(change)
        made = [*self._other_type(change, gone)]
        yield from made
        is_done = any(certain for _, certain, _ in made)
        is_rounded = gone == ["number"] and any(isinstance(step, Round) for step, _, _ in made)
        if not is_done and not is_rounded:
            for step, certain, reason in self._unsuited(change):
                lost = reason
                if isinstance(step, Drop) and made:
                    lost = _REST + (", such as null" if "null" in gone else "")
                elif isinstance(step, Drop) and gone == ["null"]:
                    lost = _NULL
                yield step, certain, lost

    def _other_type(self, change: Change, gone: Sequence[str]) -> Iterator[tuple[Step, bool, str]]:
        """Yield the steps that make values of one type from those of others, which are gone."""
        old, new = _names(change.old), _names(change.new)
        schema = self._schema_around(change.pointer)
        at = change.path
        if len(new) != 1 or gone == ["null"]:
            return
        if new == ["string"] and self._may_be_text(at, gone):
            certain = bool(old) and {*old} <= _PLAIN_TYPES and _asserts(schema) <= {"type"}
            yield Cast(at=at, to="string"), certain, "" if certain else _AS_TEXT
        elif new == ["integer"] and "number" in gone and "string" not in gone:
            yield Round(at=at, multiple_of=1), False, "it loses what comes after the point"
        elif new[0] in _JSON_TEXTS and "string" in gone and self._may_be_json(at, new[0]):
            reason = f"only texts that are the JSON text of such a value ({new[0]}) are changed"
            certain = self._is_json(at, new[0])
            yield Cast(at=at, to=new[0]), certain, "" if certain else reason
        elif new == ["array"] and old:
            certain = self._takes_any(schema, old) or self._takes_same(at, schema)
            yield Wrap(at=at), certain, "" if certain else "the value may not be a valid item"
        elif old == ["array"]:
            yield Unwrap(at=at), False, "only lists of one item are changed"

    def _may_be_text(self, path: str, kinds: Iterable[str]) -> bool:
        """Return False if values of some types cannot be texts that the newer schema allows."""
        nodes = self._new_places.nodes(path)
        formats = self._new.data.formats
        return any(
            kind in _JSON_TEXTS
            and (nodes is None or any(_has_text_of(node, kind, formats=formats) for node in nodes))
            for kind in kinds
        )

    def _may_be_json(self, path: str, kind: str) -> bool:
        """Return False if certainly no text of the older schema is the JSON text of a value."""
        nodes = self._old_places.nodes(self._was(path))
        formats = self._old.data.formats
        return nodes is None or any(_has_text_of(node, kind, formats=formats) for node in nodes)

    def _forbidden(self, change: Change) -> Iterator[tuple[Step, bool, str]]:
        lost = "" if change.witness is None else f", as in {preview(change.witness.data, _SHOWN)}"
        lost = f"it loses the values of {change.place}{lost}"
        only = self._old_places.only_value(self._was(change.path))
        for step, _, reason in self._if_harmless(Drop(at=change.path), lost):
            if only == (None,) or (only and self._old_places.requires(self._was(change.path))):
                yield step, True, f"only {preview(only[0])} was allowed"
            else:
                yield step, False, reason

    def _unsuited(self, change: Change) -> Iterator[tuple[Step, bool, str]]:
        """Yield the step that drops what a change does not allow any more."""
        lost = "it loses what is not allowed any more"
        if change.witness is not None:
            lost += f", as in {preview(change.witness.data, _SHOWN)}"
        if change.keyword in ("pattern", "format"):
            lost += "\nif most of a value is to stay, write a function: see the step `python`"
        if change.keyword in _FORBIDS:
            allowed = self._names_of(change.pointer.rpartition("/")[0])
            if allowed is not None and change.path.endswith(f"/{ANY}"):
                yield from self._if_harmless(Drop(at=change.path, unless_name=allowed), lost)
        elif change.keyword == "propertyNames":
            allowed = self._text_at(change.pointer)
            if allowed is not None:
                at = f"{change.path}/{ANY}"
                yield from self._if_harmless(Drop(at=at, unless_name=allowed), lost)
        else:
            yield from self._if_harmless(self._drop_unless(change), lost)
            around, _, name = change.path.rpartition("/")
            pointer: str | None = change.pointer
            if not self._is_needed(change.pointer.rpartition("/")[0]):
                is_needed = around != change.path and self._new_places.requires(change.path)
                whole = self._new_places.described_by(around) if is_needed else None
                pointer = None if whole is None else f"{whole}/required"
            if pointer is not None:
                names = (parse_pointer(f"/{name}")[0],)
                for step, _, reason in self._missing(around, pointer, names):
                    yield step, False, f"it is required, and what is dropped is missing; {reason}"

    def _described(self, change: Change) -> Iterator[tuple[Step, bool, str]]:
        """Yield the step that drops what is none of a member that only the newer schema has."""
        place = _up_to_member(change.pointer, change.subjects[0])
        text = self._text_at(self._new_places.described_by(change.path) or place)
        if text is not None:
            drop = Drop(at=change.path, unless=text)
            yield from self._if_harmless(drop, "it loses all values that are not allowed")

    def _drop_unless(self, change: Change) -> Drop | None:
        """Return the step that drops what a keyword does not allow; None if there is none."""
        if not change.pointer:  # it was put together, and stands nowhere
            return None
        keyword = change.pointer.rpartition("/")[2]
        outer = change.pointer.rpartition("/")[0]
        while _CHOSEN.search(outer):
            outer = _CHOSEN.sub("", outer)
        if _CHOICE.search(f"{change.pointer}/", len(outer)):  # what one refuses, another may allow
            text = self._text_at(outer)
        elif keyword in self._schema_around(change.pointer):
            text = self._text_at(change.pointer.rpartition("/")[0], only=keyword)
        else:
            text = self._text_at(change.pointer)
        return None if text is None else Drop(at=change.path, unless=text)

    def _if_harmless(self, step: Drop | None, lost: str) -> Iterator[tuple[Step, bool, str]]:
        """Yield a step that drops, unless it drops from data that the newer schema allows."""
        if step is not None and not [*step.faults]:
            outcomes = _outcomes([step], self._old, self._new, self._valid)
            if all(outcome.status == "unchanged" for outcome in outcomes.values()):
                yield step, False, lost

    def _names_of(self, pointer: str) -> str | None:
        """Return the schema of the names of the members of a closed object, as JSON text."""
        schema = self._resolved(pointer)
        if type(schema) is not dict or schema.get("additionalProperties") is not False:
            return None
        names: list[Any] = [{"enum": [*schema["properties"]]}] if schema.get("properties") else []
        names += [{"pattern": one} for one in schema.get("patternProperties", ())]
        return _schema_text(names[0] if len(names) == 1 else {"anyOf": names} if names else False)

    def _text_at(self, pointer: str, only: str = "") -> str | None:
        """Return a schema, or one keyword of it, as JSON text that refers to nothing; or None."""
        linked = self._new.data.linked
        place = linked.target(pointer)
        if place not in linked.at:
            return None
        try:
            schema = _inlined(linked, place, linked.at[place], [_MOST_PARTS])
        except OverflowError:
            return None
        return _schema_text({only: schema[only]} if only else schema)

    def _resolved(self, pointer: str) -> Any:
        linked = self._new.data.linked
        return linked.at.get(linked.target(pointer))

    def _is_needed(self, pointer: str) -> bool:
        """Return whether an object needs the member that a schema describes."""
        around, _, name = pointer.rpartition("/properties/")
        needed = self._schema_around(f"{around}/required").get("required", ())
        return bool(name) and "/" not in name and parse_pointer(f"/{name}")[0] in needed

    def _takes_any(self, schema: Any, kinds: Sequence[str]) -> bool:
        """Return whether a list of one of any value of some types is valid by a schema."""
        if not (_asserts(schema) <= {"type", "items", "uniqueItems"}):
            return False
        items = schema.get("items", True)
        if items is True:
            return True
        if type(items) is not dict or not _asserts(items) <= {"type"}:
            return False
        return {*kinds} <= {*_names(items.get("type"))}

    def _takes_same(self, path: str, schema: Any) -> bool:
        """Return whether the items of a list are described as the value was that became a list."""
        was = self._old_places.nodes(self._was(path)) or ()
        items = schema.get("items")
        if len(was) != 1 or len(was[0].schemas) != 1 or items is None:
            return False
        same = _schema_text(was[0].schemas[0][1])
        return same is not None and same == _schema_text(items) and _asserts(schema) <= _ONE_ITEM

    def _is_json(self, path: str, kind: str) -> bool:
        """Return whether all texts that were allowed are numbers, and all such numbers are now."""
        was, now = self._old_places.nodes(self._was(path)), self._new_places.nodes(path)
        if not was or not now or kind not in _NUMBERS:
            return False
        asserted = {word for node in now for _, one in node.schemas for word in _asserts(one)}
        least = [node.minimum for node in now if node.minimum is not None]
        is_signed = not any(one.value >= 0 for one in least)
        if not asserted <= {"type", "minimum"} or any(one.value > 0 for one in least):
            return False
        wanted = frozenset({_NUMBERS[kind].format(sign="-?" if is_signed else "")})
        return all(
            node.kinds == ("string",)
            and node.texts("pattern")
            and find_text(frozenset(node.texts("pattern")), wanted).none
            and find_text(frozenset(node.texts("pattern")), frozenset(), _MOST_DIGITS).none
            for node in was
        )

    def _required(self, change: Change) -> Iterator[tuple[Step, bool, str]]:
        yield from self._missing(change.path, change.pointer, change.subjects)

    def _missing(
        self, path: str, pointer: str, names: Sequence[str]
    ) -> Iterator[tuple[Step, bool, str]]:
        """Yield the steps that give members a value where they are missing."""
        around = pointer.removesuffix("/required")
        if around == pointer:  # of what a keyword of the member refuses
            around = pointer.rpartition("/properties/")[0]
        linked = self._new.data.linked
        for name in names:
            at = f"{path}/{escape_token(name)}"
            is_always = _CHOICE.search(f"{around}/") is None
            places = [*dict.fromkeys(self._descriptions(around, name))]
            if not places:  # then as the first alternative that describes it
                described = ([*self._descriptions(one, name)] for one in self._branches(around))
                places = next(filter(None, described), [])
                is_always = is_always and not places
            only = "" if is_always else "; only some records may need it"
            validator = Validator.from_linked(
                linked.conjunction(places), formats=self._new.data.formats
            )
            said: dict[str, Any] = {}
            for schema in (linked.at[place] for place in places):
                said |= schema if type(schema) is dict else {}
            listed = said.get("enum", ())
            if type(listed) is list and len(listed) == 1:
                said.setdefault("const", listed[0])
            for keyword in ("const", "default"):
                if keyword in said and validator.is_valid(said[keyword]):
                    why = f"the value is its `{keyword}`{only}"
                    yield _default(at, said[keyword]), is_always, why
                    break
            else:
                value, source = self._example(said, validator) if said else ("", "made up")
                step = _default(at, value)
                outcomes = _outcomes([step], self._old, self._new, self._valid) if source else {}
                if source and all(outcome.is_done for outcome in outcomes.values()):
                    yield step, False, f"the value is {source}: choose one{only}"

    def _descriptions(self, pointer: str, name: str) -> Iterator[str]:
        """Yield the places of the schemas of a member, in all parts that describe the object."""
        linked = self._new.data.linked
        outer = pointer
        while _SAME_VALUE.search(outer):
            outer = _SAME_VALUE.sub("", outer)
        todo, seen = [pointer, outer], set[str]()
        while todo:
            place = linked.target(todo.pop(0))
            if place in seen:
                continue
            seen.add(place)
            child = f"{place}/properties/{escape_token(name)}"
            if child in linked.at:
                yield linked.target(child)
            schema = linked.at.get(place)
            parts = schema.get("allOf", ()) if type(schema) is dict else ()
            todo += [f"{place}/allOf/{index}" for index in range(len(parts))]

    def _branches(self, pointer: str) -> Iterator[str]:
        """Yield the pointers of the alternatives of a schema."""
        linked = self._new.data.linked
        place = linked.target(pointer)
        for keyword, branch, _ in subschemas(linked.at.get(place), place):
            if keyword in ("anyOf", "oneOf"):
                yield branch

    def _example(self, schema: Mapping[str, Any], validator: Validator) -> tuple[Any, str]:
        """Return a value that a schema allows, and where it is from; "" if there is none."""
        for keyword in ("examples", "enum"):
            for value in schema.get(keyword, ()):
                if validator.is_valid(value):
                    return value, f"the first of its `{keyword}`"
        try:
            return Products(validator).sampler().minimal(), "made up"
        except (CannotGenerate, SchemaError):
            return None, ""

    def _values(self, change: Change) -> Iterator[tuple[Step, bool, str]]:
        """Yield a table in which values that are gone become ones that are left, and drop others.

        Those that have to be there become the first that is left, or the default.
        """
        left = change.new if type(change.new) is list else [change.new]
        if change.new is None and change.subjects:
            truths = [(subject, _truth(subject)) for subject in change.subjects]
            nodes = self._new_places.nodes(change.path)
            are_boolean = nodes and all({*node.kinds} <= {"boolean", "null"} for node in nodes)
            if are_boolean and all(truth is not None for _, truth in truths):
                yield _map(change.path, truths), False, "only the words suggest it"
        if not change.subjects or not left or change.new is None:
            return
        same = "Values that become the same can no longer be told apart"
        pairs = [(value, _like(value, left)) for value in change.subjects]
        like = [(value, one) for value, one in pairs if one is not None]
        if like:
            yield _map(change.path, like), False, f"only the spelling suggests it. {same}"
        others = [value for value, one in pairs if one is None]
        dropped = [*self._unsuited(change)] if others and len(left) > 1 else []
        if dropped and not self._is_needed(change.pointer.rpartition("/")[0]):
            yield from dropped
        elif others:
            said = self._schema_around(change.pointer).get("default")
            is_default = canonical(said) in map(canonical, left)
            value, word = (said, "the default") if is_default else (left[0], "just the first value")
            step = _map(change.path, [(one, value) for one in others])
            yield step, False, f"{preview(value)} is {word} that is allowed: choose one. {same}"

    def _schema_around(self, pointer: str) -> Any:
        """Return the schema that has the keyword at a pointer."""
        schema = self._new.data.linked.at.get(pointer.rpartition("/")[0])
        return schema if type(schema) is dict else {}


def _gone_types(change: Change) -> list[str]:
    """Return the types that a change of `type` no longer allows."""
    kept = {*_names(change.new)}
    kept |= {"integer"} if "number" in kept else set()
    return [kind for kind in _names(change.old) or _TYPES if kind not in kept]


def _has_text_of(node: Node, kind: str, *, formats: bool) -> bool:
    """Return False if certainly no text that a node allows is the JSON text of a value."""
    if "string" not in node.kinds:
        return False
    if node.values is not None:
        texts = (value for value in node.values if type(value) is str)
        return any(re.match(_JSON_TEXTS[kind], text) for text in texts)
    for name in node.texts("format") if formats else ():
        check = Validator({"format": name})
        if not any(check.is_valid(text) for text in _EXAMPLES):
            return False
    patterns = frozenset({*node.texts("pattern"), _JSON_TEXTS[kind]})
    return not find_text(
        patterns, frozenset(), node.least("minLength"), node.most("maxLength")
    ).none


def _outermost(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the pairs without those that are inside of another one, and move along with it."""
    return [
        pair
        for pair in pairs
        if not any(
            pair.old.startswith(f"{outer.old}/")
            and pair.new == outer.new + pair.old.removeprefix(outer.old)
            for outer in pairs
        )
    ]


def _bounds(change: Change) -> Iterator[tuple[Step, bool, str]]:
    at, value = change.path, change.new
    lost = f"it loses values that {change.keyword} {preview(value)} does not allow"
    if type(value) not in (int, float):
        return
    if change.keyword == "minimum":
        yield Clamp(at=at, minimum=value), False, lost
    elif change.keyword == "maximum":
        yield Clamp(at=at, maximum=value), False, lost
    elif change.keyword == "maxLength":
        yield Clamp(at=at, max_length=int(value)), False, lost
    elif change.keyword == "maxItems":
        yield Clamp(at=at, max_items=int(value)), False, lost
    elif change.keyword == "multipleOf":
        yield Round(at=at, multiple_of=value), False, lost


def _inlined(linked: LinkedSchema, pointer: str, value: Any, left: list[int]) -> Any:
    """Return a part of a schema with what it refers to, and without annotations.

    Raises `OverflowError` if it has more parts than are left, as if it refers to itself.
    """
    left[0] -= 1
    if left[0] < 0:
        raise OverflowError
    target = linked.target(pointer)
    if target != pointer:
        return _inlined(linked, target, linked.at[target], left)
    if type(value) is list:
        return [
            _inlined(linked, f"{pointer}/{index}", one, left) for index, one in enumerate(value)
        ]
    if type(value) is not dict:
        return value
    unsaid = ANNOTATIONS if pointer in linked.at else frozenset()
    return {
        name: _inlined(linked, f"{pointer}/{escape_token(name)}", one, left)
        for name, one in value.items()
        if name not in unsaid
    }


def _schema_text(schema: Any) -> str | None:
    """Return a schema as JSON text; None if it is none, refers to others, or is long."""
    if type(schema) is not dict and type(schema) is not bool:
        return None
    kept = schema
    if type(schema) is dict:
        kept = {name: value for name, value in schema.items() if name not in ANNOTATIONS}
    text = dump(kept, indent=False)
    return None if len(text) > _LONGEST_SCHEMA or '"$' in text else text


def _truth(value: Any) -> bool | None:
    """Return the boolean that a text or number commonly stands for; None if there is none."""
    if type(value) is int:
        return {0: False, 1: True}.get(value)
    return _TRUTHS.get(value.lower()) if type(value) is str else None


def _like(value: Any, left: Sequence[Any]) -> Any:
    """Return the one value with a similar spelling, or that one text ends with; None without."""
    texts = [one for one in left if type(one) is str]
    if type(value) is not str:
        return None
    ends = [text for text in texts if len(text) > _SHORT and value.endswith(text)]
    return Vocabulary(texts).best_match(value) or (ends[0] if len(ends) == 1 else None)


def _up_to_member(pointer: str, name: str) -> str:
    """Return the part of the pointer of a keyword that ends with a member."""
    member = f"/properties/{escape_token(name)}"
    begin = f"{pointer}/".rfind(f"{member}/")
    return pointer if begin < 0 else pointer[: begin + len(member)]


def _merged(drafts: Sequence[_Draft]) -> list[_Draft]:
    """Return drafts without those of the same step; the reasons of these are kept.

    Nor are there renames of what a step for any depth renames.
    """
    deep = [
        (draft.is_certain, step)
        for draft in drafts
        if isinstance(step := draft.step, Rename) and ANY_DEPTH in step.tokens
    ]
    found: list[_Draft] = []
    for draft in drafts:
        step = draft.step
        if isinstance(step, Rename) and any(
            is_certain >= draft.is_certain
            and outer != step
            and outer.to == step.to
            and matches(outer.at, step.at)
            for is_certain, outer in deep
        ):
            continue
        index = next((n for n, other in enumerate(found) if other.step == step), None)
        if step is None or index is None or draft.is_certain != found[index].is_certain:
            found.append(draft)
        else:
            reasons = (draft.reason.split("\n")[0], found[index].reason)
            if reasons[0] not in reasons[1]:
                found[index] = found[index]._replace(reason="\n".join(reasons))
    return found


def _default(at: str, value: Any) -> Default:
    if type(value) in _PLAIN:
        return Default(at=at, value=value)
    return Default(at=at, json=dump(value, indent=False))


def _map(at: str, pairs: Sequence[tuple[Any, Any]]) -> Map:
    """Return a table of values; where they are no texts, integers or booleans, as JSON texts."""
    if all(type(old) is str and type(new) in _PLAIN for old, new in pairs):
        return Map(at=at, values=dict(pairs))
    texts = {dump(old, indent=False): dump(new, indent=False) for old, new in pairs}
    return Map(at=at, json_values=texts)


def _names(value: Any) -> list[str]:
    return [value] if type(value) is str else [*value] if type(value) is list else []


def _asserts(schema: Any) -> set[str]:
    """Return the keywords of a schema that may refuse something."""
    return {*schema} - ANNOTATIONS if type(schema) is dict else set()


def _top(path: str, change: Change) -> str:
    """Return the path of the member that is gone or new as a whole, at or around a path."""
    tops = [
        part.path
        for part in change.parts
        if part.subjects and part.keyword in _FORBIDS and f"{path}/".startswith(f"{part.path}/")
    ]
    return min(tops, key=len, default=path)


def _draft(
    step: Step,
    change: Change,
    counts: Affected | None,
    reason: str,
    *,
    is_certain: bool,
) -> _Draft:
    parts = [f"{change.place}: {change.message.partition(';')[0]}"]
    if counts is not None and counts.text:
        parts[0] += f" ({counts.text})"
    if reason:
        parts.append(reason)
    return _Draft(step, "\n".join(parts), is_certain, step.at)


def _unsolved(change: Change, counts: Affected | None, reason: str) -> _Draft:
    lines = [f"NO STEP: {change.place}: {change.message}"]
    if counts is not None and counts.text:
        lines[0] += f" ({counts.text})"
    lines.append(reason)
    if change.witness is not None:
        lines.append(f"was valid: {preview(change.witness.data, _SHOWN)}")
    if reason == _BY_FUNCTION:
        lines += step_lines(Python(at=change.path, python="module:function"))
    return _Draft(None, "\n".join(lines))


_ORDER: Final = (Rename, Move, Unwrap, Cast, Wrap, Map, Round, Clamp, Default, Drop)


def _rank(step: Step | None) -> float:
    """Return the turn of a step: first names and places, then values, then what is missing."""
    if isinstance(step, Drop) and not (step.unless is None and step.unless_name is None):
        return _ORDER.index(Default) - 0.5  # what it leaves missing may get a value
    return len(_ORDER) if step is None else _ORDER.index(type(step))


def _outcomes(
    steps: Sequence[Step], old: Subject, new: Subject, records: Iterable[str]
) -> dict[str, Outcome]:
    """Return the outcomes for the records that steps may change, by the record.

    The others stay as they are. What is wrong with them is not asked for: it may be much.
    """
    applicability = Applicability(steps)
    before, after = (
        PlanSchema(id=one.version.id, digest=one.version.linked_digest) for one in (old, new)
    )
    migration = Migration(old, new, Plan(old=before, new=after, steps=tuple(steps)))
    return {
        record: migration.migrate_json(record)
        for record in records
        if applicability.may_apply(record.encode(), None)
    }


def _tried(
    drafts: list[_Draft],
    old: Subject,
    new: Subject,
    records: Sequence[str],
    valid: frozenset[str],
) -> tuple[list[_Draft], int]:
    """Return the drafts; a step after which a record is invalid at its place is a guess.

    Also the number of records that are valid after all steps that are left; `valid` are those that
    are without any.
    """
    for _ in range(_TURNS):
        active = [draft for draft in drafts if draft.is_certain]
        steps = [draft.step for draft in active if draft.step is not None]
        outcomes = _outcomes(steps, old, new, records)
        failed = {
            id(one): why
            for index, one in enumerate(active)
            if (why := _failure(one, index, outcomes.values())) is not None
        }
        if not failed:
            done = (outcome.is_done for outcome in outcomes.values())
            return drafts, len(valid - outcomes.keys()) + sum(done)
        drafts = _with_dependents(
            draft.doubted(f"after it, some data is invalid: {_headline(failed[id(draft)])}")
            if id(draft) in failed
            else draft
            for draft in drafts
        )
    return [draft.guess for draft in drafts], 0


def _with_dependents(drafts: Iterable[_Draft]) -> list[_Draft]:
    """Return the drafts; steps within what a guess would put somewhere are guesses, too."""
    every = [*drafts]
    guessed = [
        place
        for draft in every
        if isinstance(draft.step, (Rename, Move)) and not draft.is_certain
        for place in draft.step.destinations
    ]
    found: list[_Draft] = []
    for draft in every:
        step = draft.step
        around = [place for place in guessed if step is not None and is_inside(place, step.at)]
        if draft.is_certain and around:
            draft = draft.doubted(f"only after the step that makes {display_pointer(around[0])}")
        found.append(draft)
    return found


def _without_vain(
    drafts: list[_Draft], old: Subject, new: Subject, records: Sequence[str]
) -> list[_Draft]:
    """Return the drafts; guesses that do not help, or do harm, are to be done by hand.

    After a drop that does not help, nothing suits one of the alternatives. A default does harm
    where an alternative does not allow the member.
    """
    trying = [draft for draft in drafts if draft.step is not None]
    dropping = {
        number: (id(draft), format_pointer(step.tokens[:-1]))
        for number, draft in enumerate(trying)
        if isinstance(step := draft.step, Drop) and not step.if_empty and step.unless is None
    }
    giving = {
        number: (id(draft), draft.step)
        for number, draft in enumerate(trying)
        if isinstance(draft.step, Default) and not draft.is_certain
    }
    if not dropping and not giving:
        return drafts
    steps = [draft.step for draft in trying if draft.step is not None]
    outcomes = _outcomes(steps, old, new, records).values()
    vain: dict[int, tuple[str, Finding]] = {}
    for number, (key, around) in dropping.items():
        found = [_chosen_at(one, around) for one in outcomes if any(one.applied[number:][:1])]
        if found and found[0] is not None and all(found):
            vain[key] = (around, found[0])
    for number, (key, step) in giving.items():
        given = [one for one in outcomes if any(one.applied[number:][:1])]
        found_there = (finding for outcome in given for finding in outcome.findings)
        unknown = (one for one in found_there if one.keyword == "additionalProperties")
        if harmed := [one for one in unknown if matches(step.at, one.path)]:
            vain[key] = (format_pointer(step.tokens[:-1]), harmed[0])
    return [_by_hand(draft, *vain[id(draft)]) if id(draft) in vain else draft for draft in drafts]


def _chosen_at(outcome: Outcome, pattern: str) -> Finding | None:
    """Return the finding that a value suits no alternative, or several, at a place."""
    return next(
        (
            finding
            for finding in outcome.findings
            if finding.keyword in ("anyOf", "oneOf") and matches(pattern, finding.path)
        ),
        None,
    )


def _by_hand(draft: _Draft, at: str, finding: Finding) -> _Draft:
    """Return the comment that stands in place of a step that does not help."""
    what = draft.reason.partition("\n")[0]
    lines = [f"NO STEP: {what}", f"a step for all records would not help: {_headline(finding)}"]
    lines += [_BY_FUNCTION, *step_lines(Python(at=at, python="module:function"))]
    return _Draft(None, "\n".join(lines))


def _failure(draft: _Draft, index: int, outcomes: Iterable[Outcome]) -> Finding | None:
    """Return a finding about what a step has made, or that it cannot be carried out."""
    step = draft.step
    if draft.is_confirmed or step is None:
        return None
    for outcome in outcomes:
        for finding in outcome.findings:
            if finding.keyword == "migration.step":
                if is_inside(step.at, finding.path):
                    return finding
            elif not any(outcome.applied[index : index + 1]):
                continue  # it has done nothing here
            elif not draft.is_changed and is_inside(draft.place, finding.target):
                # That nothing is there is not the fault of a step that puts there what it finds.
                is_there = finding.target == finding.path
                if not is_there and matches(draft.place, finding.target):
                    continue
                if not _is_left(step, finding, outcome):
                    return finding
    return None


def _is_left(step: Step, finding: Finding, outcome: Outcome) -> bool:
    """Return whether a finding is about a value that a step certainly did not make."""
    if step.makes is None or outcome.rejected is None or not matches(step.at, finding.target):
        return False
    value = resolve_pointer(read(outcome.rejected), finding.target)
    return canonical(value) not in map(canonical, step.makes)


def _headline(finding: Finding) -> str:
    """Return a finding in a line, without a position: that would be one in a record."""
    return finding.with_position(None, None).headline


def _generated(old: Subject, witnesses: Sequence[Any]) -> list[str]:
    """Return data that the older schema allows as JSON texts: what changes break, and other."""
    products = Products(old.data)
    sampler = products.sampler()
    found = {dump(data, indent=False): None for data in witnesses}
    makers: list[Callable[[], list[Any]]] = [
        lambda: [sampler.minimal()],
        lambda: [sampler.maximal()],
        lambda: [case.data for case in products.coverage(max_cases=_CASES)],
        lambda: [*sampler.samples(_SAMPLES)],
    ]
    for make in makers if len(old.data.linked.at) <= _MOST_LARGE else makers[:1]:
        try:
            found.update((dump(data, indent=False), None) for data in make())
        except (CannotGenerate, SchemaError):
            continue
    return [*found]

"""Two people edit the same text with pages that change: nothing is lost, doubled or hidden.

What one of them typed, and nobody took back, is in the result, in a conflict, or said on the page;
what the page does not show is not in the result.
"""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any, Final

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.browsing import Pairs, buttons, entries
from tests.effort import scaled
from tests.posting import active, described, documents, forms_of
from widgetschema import Form, StaleForm
from widgetschema.forms import FormFactory
from widgetschema.forms.conflicts import choice_names
from widgetschema.forms.model import CHOICE_KINDS, NUMBER_KINDS, TEXT_KINDS

Json = Any
SETTINGS: Final = settings(
    max_examples=scaled(60), suppress_health_check=list(HealthCheck), phases=[Phase.generate]
)
SILENT: Final = ("steps#", "text#", "shape#", "removed#", "base#", "due#")  # nobody sees these
# Kinds of value that another answer turns into each other, and values of them.
TEXT: Final = {"type": "string"}
NUMBER: Final = {"type": "number"}
EITHER: Final = {"anyOf": [TEXT, {"type": "array", "items": TEXT}]}
BRANCHES: Final = {
    "oneOf": [
        {"type": "object", "properties": {"k": {"const": "1"}, "v": EITHER}},
        {"type": "object", "properties": {"v": TEXT, "w": NUMBER}},
    ]
}
NESTED: Final = {"anyOf": [BRANCHES, NUMBER, {"type": "array", "items": EITHER}]}
KINDS: Final[tuple[tuple[Json, Json], ...]] = (
    (TEXT, "s"),
    (NUMBER, 1),
    ({"type": "object", "properties": {"x": NUMBER, "y": TEXT}}, {"x": 1, "y": "u"}),
    ({"type": "array", "items": NUMBER}, [1, 2]),
    ({"type": "array", "items": [NUMBER], "additionalItems": TEXT}, [1, "a", "b"]),
    ({"type": "array", "items": {"type": "object", "properties": {"n": NUMBER}}}, [{"n": 1}]),
    ({"type": "object", "additionalProperties": TEXT}, {"k1": "a", "k2": "b"}),
    ({}, {"free": ["a"]}),
    ({"enum": ["p", "q"]}, "p"),
    (EITHER, ["b"]),
    (BRANCHES, {"k": "1", "v": "a"}),
    (NESTED, ["a", ["b"]]),
    ({"type": "array", "items": NESTED}, [1, {"v": "x"}]),
)


def changing(chance: Random) -> tuple[Json, str]:
    """Return a schema in which an answer changes the kind of a value, and a text."""
    kinds = [chance.choice(KINDS) for _ in range(3)]
    properties = {"kind": {"enum": ["g", "l", "m"]}, "o": TEXT}
    schema: Json = {"type": "object", "properties": properties}
    match chance.randrange(3):
        case 0:
            schema["if"] = {"properties": {"kind": {"const": "g"}}}
            schema["then"] = {"properties": {"e": kinds[0][0]}}
            schema["else"] = {"properties": {"e": kinds[1][0]}}
        case 1:
            pairs = zip("glm", kinds, strict=True)
            schema["oneOf"] = [
                {"properties": {"kind": {"const": answer}, "e": kind}}
                for answer, (kind, _) in pairs
            ]
        case _:
            properties["e"] = {"anyOf": [kind for kind, _ in kinds]}
    data: Json = {"kind": chance.choice("glm"), "o": "z", "e": chance.choice(kinds)[1]}
    if chance.random() < 0.2:
        schema, data = {"type": "array", "items": schema}, [data, data]
    return schema, json.dumps(data)


def tokens_in(*texts: str | None) -> set[str]:
    return {one for text in texts for one in re.findall(r"Q[MT]\d+Z", text or "")}


def is_in(name: str, holder: str) -> bool:
    """Return True if a control is about a field, or one inside of it."""
    about = name[name.find("#") :]
    return about == holder or about.startswith((f"{holder}/", f"{holder};"))


class Desk:
    """A stored text, which others edit, and the page of a person."""

    def __init__(self, factory: FormFactory, text: str, chance: Random) -> None:
        self.factory, self.text, self.chance = factory, text, chance
        self.shown = factory.form_json(text)
        self.typed: set[str] = set()  # what the person has typed, and not taken back
        self.taken: set[str] = set()  # what the person has taken back or replaced
        self.count = 0
        self.log: list[Any] = [text]

    def edits(self, form: Form, who: str) -> dict[str, str]:
        """Return the controls of an edit by somebody."""
        fields = [
            one
            for one in active(form)
            if one.kind != "upload" and one.opened and not (one.read_only or one.is_rest)
        ]
        if not fields:
            return {}
        field = self.chance.choice(fields)
        if field.is_unread:
            return {field.name: ""} if self.chance.random() < 0.3 else {}
        if field.has_key and self.chance.random() < 0.4:
            return {f"name{field.name}": self.chance.choice(["a", "b", "k1", "k2", "k3"])}
        if field.shown.rows and self.chance.random() < 0.5:
            rows = [*field.shown.rows]
            self.chance.shuffle(rows)
            return {f"order{field.name}": ",".join(rows[self.chance.randrange(2) :])}
        if field.kind in (*TEXT_KINDS, *NUMBER_KINDS, "json"):
            self.count += 1
            said = f"Q{who}{self.count}Z" if self.chance.random() < 0.9 else ""
            if said and field.kind == "json":
                said = self.chance.choice([f'"{said}"', f'["{said}"]', f'{{"a":"{said}"}}'])
            return {field.name: said} | ({f"state{field.name}": "set"} if field.states else {})
        if field.kind in CHOICE_KINDS and field.choices:
            return {field.name: self.chance.choice(field.choices).id}
        if field.kind == "alternatives":
            return {f"kind{field.name}": str(self.chance.randrange(len(field.children)))}
        return {}

    def button(self, form: Form) -> str:
        known = [
            one
            for one in buttons(form.render())
            if not one.startswith(("drop", "use", "rename", "carry"))
        ]
        return self.chance.choice([*known, "check"]) if self.chance.random() < 0.5 else ""

    def others_save(self) -> None:
        form = self.factory.form_json(self.text)
        pressed = self.button(form)
        controls = dict(entries(form.render())) | self.edits(form, "T")
        pairs = [*controls.items(), *([("do", pressed)] if pressed else [])]
        self.text = form.submit(pairs, files={}).text
        self.log.append(("others", self.text))

    def replaced_by(self, before: Pairs, edits: dict[str, str], pressed: str) -> set[str]:
        """Return what is in the fields that are edited, and in rows that are removed."""
        removed = [pressed.removeprefix("remove")] if pressed.startswith("remove") else []
        for field in self.shown.root.walk():
            kept = edits.get(f"order{field.name}")
            if kept is not None:
                rows = {*field.shown.rows}.difference(kept.split(","))
                removed += [f"{field.name}/{row}" for row in rows]
        gone = [*removed, *(name for name in edits if name.startswith("#"))]
        texts = [value for name, value in before if any(is_in(name, one) for one in gone)]
        texts += [
            field.original.raw
            for field in self.shown.root.walk()
            if field.original is not None and any(is_in(field.name, one) for one in gone)
        ]
        texts += [
            value for name, value in edits.items() if any(is_in(name, one) for one in removed)
        ]
        return tokens_in(*texts)

    def post(self) -> None:
        """Post the page with edits, and see that nothing is lost or hidden."""
        before = entries(self.shown.render())
        edits: dict[str, str] = {}
        for _ in range(self.chance.randrange(3)):
            edits |= self.edits(self.shown, "M")
        pressed = self.button(self.shown)
        replaced = self.replaced_by(before, edits, pressed)
        pairs = [pair for pair in before if pair[0] not in edits] + [*edits.items()]
        for conflict in self.shown.conflicts:
            name, mine, theirs = choice_names(conflict)
            side = self.chance.choice([mine, theirs, ""])
            pairs += [(name, side)] if side else []
            loses = {mine: conflict.theirs, theirs: conflict.mine}.get(side)
            replaced |= tokens_in(loses, conflict.base)
        pairs += [("do", pressed)] if pressed else []
        on_stale: Any = self.chance.choice(["rebase", "rebase", "refuse"])
        self.log.append(("post", edits, pressed, pairs[len(before) :], on_stale))
        now = self.factory.form_json(self.text)
        try:
            submission = now.submit(pairs, on_stale, files={})
            form, is_saved = submission.form, submission.valid and submission.action is None
        except StaleForm as error:
            form, is_saved = error.form, False
        self.taken |= replaced
        self.typed = (self.typed | tokens_in(*edits.values())) - replaced
        self.see(form)
        self.shown = form
        if is_saved and self.chance.random() < 0.5:
            self.text, self.shown = submission.text, self.factory.form_json(submission.text)
            self.typed, self.taken = set(), set()

    def see(self, form: Form) -> None:
        """See that all is there, where people look for it."""
        page = form.render()
        seen = tokens_in(page, str(form.report))
        seen |= tokens_in(*(value for name, value in entries(page) if not name.startswith(SILENT)))
        for conflict in form.conflicts:
            seen |= tokens_in(conflict.base, conflict.mine, conflict.theirs)
        data = tokens_in(json.dumps(form.data, ensure_ascii=False))
        assert not self.typed - seen - data, ("typed, and lost", self.typed - seen - data, self.log)
        stored = tokens_in(self.text) - self.taken
        assert not stored - seen - data, ("of others, and lost", stored - seen - data, self.log)
        assert not data - seen, ("in the result, and not shown", data - seen, self.log)


def work_at(desk: Desk) -> None:
    for _ in range(6):
        if desk.chance.random() < 0.5:
            desk.others_save()
        desk.post()


@SETTINGS
@given(chance=st.randoms(use_true_random=True))
def test_nothing_is_lost_where_an_answer_changes_the_kind_of_a_value(chance: Random) -> None:
    schema, text = changing(chance)
    work_at(Desk(forms_of(schema), text, chance))


@SETTINGS
@given(case=described(), data=st.data(), chance=st.randoms(use_true_random=True))
def test_nothing_is_lost_between_two_people(case: Any, data: st.DataObject, chance: Random) -> None:
    schema, values = case
    if "$ref" in schema or "properties" not in schema:
        schema = {"type": "object", "properties": {"a": schema}}
        values = st.fixed_dictionaries({"a": values})
    work_at(Desk(forms_of(schema), data.draw(documents(values)), chance))

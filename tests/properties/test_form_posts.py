"""Typed texts stay over many posts of a page, until people replace or remove them.

The fields of the page change with what is entered, and others save meanwhile.
"""

from __future__ import annotations

import copy
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
from widgetschema.forms.model import CHOICE_KINDS, NUMBER_KINDS, TEXT_KINDS, Field
from widgetschema.forms.submit.steps import draft_of, take_steps

Json = Any
SETTINGS: Final = settings(
    max_examples=scaled(60), suppress_health_check=list(HealthCheck), phases=[Phase.generate]
)
TYPED: Final = (*TEXT_KINDS, *NUMBER_KINDS, "json")


def marked(schema: Json, chance: Random) -> Json:
    """Return a schema with some texts that are secrets or read-only."""
    schema = copy.deepcopy(schema)
    todo = [schema]
    while todo:
        one = todo.pop()
        if isinstance(one, dict):
            if one.get("type") == "string" and "contentEncoding" not in one:
                one |= chance.choice([{}, {}, {}, {"writeOnly": True}, {"readOnly": True}])
            todo += one.values()
        elif isinstance(one, list):
            todo += one
    return schema


def chosen_values(form: Form) -> dict[str, str]:
    """Return the values that lists of choices show, by the names of their controls."""
    return {
        field.name: str(choice.value).strip('"')
        for field in form.root.walk()
        if field.kind in CHOICE_KINDS
        for choice in field.choices
        if choice.id == field.shown.text
    }


def left_values(form: Form) -> str:
    """Return the values that are there again when the alternative that had them is chosen."""
    secrets = draft_of(form.source, take_steps({**(form.posted or {})})).secrets
    return " ".join(
        secrets.typed_back(field.original.raw)
        for field in form.root.walk()
        if field.kind == "alternatives" and field.original is not None
        if field.shown.chosen != field.pristine.chosen
    )


def editable(form: Form) -> list[Field]:
    return [
        field
        for field in active(form)
        if field.kind != "upload" and field.opened and not field.is_unread
        if not field.read_only
    ]


class Desk:
    """A stored text, the page of a person, and what the person has typed that has to stay."""

    def __init__(self, factory: FormFactory, text: str, chance: Random) -> None:
        self.factory, self.text, self.chance = factory, text, chance
        self.shown = factory.form_json(text)
        self.typed: dict[str, str] = {}  # texts, with where they were typed
        self.count = 0
        self.log: list[Any] = []

    def edits(self, form: Form, *, is_typed: bool) -> dict[str, str]:
        """Return the controls of an edit by somebody."""
        fields = editable(form)
        if not fields:
            return {}
        field = self.chance.choice(fields)
        if field.kind in TYPED:
            self.count += 1
            text = f"QZ{self.count}Z" if is_typed else self.chance.choice(["a", "7", ""])
            if is_typed and field.kind == "json":
                text = f'"{text}"'
            if is_typed:
                self.typed[text.strip('"')] = field.name
                state = {f"state{field.name}": "set"} if field.states else {}
                return {field.name: text, **state}
            return {field.name: text}
        if field.kind in CHOICE_KINDS and field.choices:
            return {field.name: self.chance.choice(field.choices).id}
        if field.kind == "alternatives":
            return {f"kind{field.name}": str(self.chance.randrange(len(field.children)))}
        return {}

    def button(self) -> Pairs:
        """Press a button that takes or carries no text away, or none."""
        replacing = ("drop", "use", "rename", "remove", "carry")
        known = [one for one in buttons(self.shown.render()) if not one.startswith(replacing)]
        pressed = self.chance.choice([*known, "check"])
        return [("do", pressed)] if self.chance.random() < 0.5 else []

    def others_save(self) -> None:
        form = self.factory.form_json(self.text)
        controls = dict(entries(form.render())) | self.edits(form, is_typed=False)
        self.text = form.submit(controls).text
        self.log.append(("others", self.text))

    def post(self) -> None:
        """Post the page with edits, and see that all is there that was typed."""
        before = entries(self.shown.render())
        edits: dict[str, str] = {}
        for _ in range(self.chance.randrange(3)):
            edits |= self.edits(self.shown, is_typed=self.chance.random() < 0.6)
        pairs = [pair for pair in before if pair[0] not in edits] + [*edits.items()]
        sent = " ".join([self.text, *(value for _, value in before), *edits.values()])
        chosen = chosen_values(self.shown)
        sent += " ".join([*chosen.values(), left_values(self.shown)])
        self.typed = {text: name for text, name in self.typed.items() if text in sent}
        for name, value in before:
            if edits.get(name, value) != value:
                self.typed.pop(chosen.get(name, value).strip('"'), None)  # it was replaced
        for field in self.shown.root.walk():
            if field.name in edits and field.original is not None:
                self.typed.pop(str(field.original.value), None)  # a page does not show secrets
        for conflict in self.shown.conflicts:
            name, mine, _ = choice_names(conflict)
            pairs.append((name, mine))
        pairs += self.button()
        self.log.append((edits, pairs[-1]))
        on_stale: Any = self.chance.choice(["rebase", "rebase", "refuse"])
        try:
            submission = self.factory.form_json(self.text).submit(pairs, on_stale, files={})
            self.shown, text = submission.form, submission.text
            if submission.valid and submission.action is None and self.chance.random() < 0.5:
                self.text, self.shown = text, self.factory.form_json(text)
                self.typed.clear()
        except StaleForm as error:
            self.shown, text = error.form, ""
        silent = ("steps#", "text#", "shape#")  # nobody sees these
        page = entries(self.shown.render())
        kept = " ".join([text, *(value for name, value in page if not name.startswith(silent))])
        kept += " ".join(str(conflict.mine) for conflict in self.shown.conflicts)
        kept += str(self.shown.data)  # what is saved when the conflicts are decided
        kept += " ".join([*chosen_values(self.shown).values(), left_values(self.shown)])
        lost = [one for one in self.typed if one not in kept]
        assert not lost, (lost, {one: self.typed[one] for one in lost}, self.log)


@SETTINGS
@given(case=described(), data=st.data(), chance=st.randoms(use_true_random=True))
def test_what_was_typed_stays(case: Any, data: st.DataObject, chance: Random) -> None:
    schema, values = case
    schema = marked(schema, chance)
    if "$ref" in schema or data.draw(st.booleans()):
        schema = {"type": "object", "properties": {"a": schema}}
        values = st.fixed_dictionaries({"a": values})
    text = data.draw(documents(values))
    desk = Desk(forms_of(schema), text, chance)
    for _ in range(6):
        if chance.random() < 0.3:
            desk.others_save()
        desk.post()

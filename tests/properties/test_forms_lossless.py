"""Forms lose nothing: properties of random schemas and data, and of what people do with them.

Each holds for the controls as they are shown, and for those that a browser would submit of the HTML.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, Phase, event, given, settings
from hypothesis import strategies as st

import widgetschema
from tests.browsing import Pairs, buttons, entries
from tests.effort import scaled
from tests.posting import active, as_shown, cases, documents, forms_of
from tests.properties.test_samples import ALL, made, named
from tests.strategies import instances, schemas
from widgetschema import Form, Submission, WidgetType
from widgetschema.errors import WidgetSchemaError
from widgetschema.findings import Finding
from widgetschema.forms.model import CHOICE_KINDS, NUMBER_KINDS, TEXT_KINDS, Field
from widgetschema.jsontext import dump, read
from widgetschema.jsontext.tree import Tree, parse

# The same lines, thousands of times: a tracer would only double the time.
Json = Any
Post = Callable[[Form], Pairs]


def by_html(form: Form) -> Pairs:
    return entries(form.render())


def said(report: Iterable[Finding]) -> list[str]:
    """Return the findings in words, without the lines that those of a submission do not have."""
    return [str(replace(finding, line=None, column=None)) for finding in report]


SETTINGS: Final = settings(max_examples=scaled(80), suppress_health_check=list(HealthCheck))
WAYS: Final = pytest.mark.parametrize("post", [as_shown, by_html], ids=["controls", "html"])
TYPED: Final = (*TEXT_KINDS, *NUMBER_KINDS, "json")
TEXTS: Final = (
    "",
    "a",
    "é\n",
    "\n x",
    "1.0",
    "1e400",
    "true",
    '"',
    "{}",
    "[1, 2]",
    "</textarea>",
    "x",
)


REMOVED: Final = (
    '[["0", "", "x", {"#": ["typed"], "state#": ["unset"]}]]',
    '[["+1", "0", "x", {"order#": ["+1,0"], "removed#/a": ["[[]]"]}], 1, ["", "", "", {}]]',
    '[["+1", "+1", "", {"do": ["remove#"], "#": []}]]',
)


@WAYS
@SETTINGS
@given(form=cases())
def test_untouched_is_the_same_bytes(post: Post, form: Form) -> None:
    submission = form.submit(post(form))
    assert submission.text == form.text
    assert not submission.changed
    assert submission.complete
    assert said(submission.report) == said(form.report)
    assert submission.form.signature == form.signature
    assert [field.shown for field in submission.form] == [field.shown for field in form]


@SETTINGS
@given(form=cases())
def test_what_does_not_come_back_is_unchanged(form: Form) -> None:
    assert form.submit({}).text == form.text


@SETTINGS
@given(form=cases(), chance=st.randoms(use_true_random=False))
def test_a_part_of_the_controls_changes_nothing(form: Form, chance: Any) -> None:
    pairs = [pair for pair in as_shown(form) if chance.random() < 0.5]
    assert form.submit(pairs).text == form.text


def editable(form: Form) -> list[Field]:
    """Fields of scalars that are there, and that a person can type into."""
    return [
        field
        for field in active(form)
        if field.kind in (*TEXT_KINDS, *NUMBER_KINDS)
        and field.kind != "upload"
        and field.original is not None
        and field.pristine.state in ("set", "empty")
    ]


@WAYS
@SETTINGS
@given(form=cases(), data=st.data())
def test_one_edit_changes_one_token(post: Post, form: Form, data: st.DataObject) -> None:
    fields = editable(form)
    event("editable" if fields else "nothing to edit")
    if not fields:  # of many schemas; asking for more of them would take its time
        return
    field = data.draw(st.sampled_from(fields))
    assert field.original is not None
    is_number = field.kind in NUMBER_KINDS
    typed = data.draw(st.sampled_from(["7", "-0.50", "1e5"] if is_number else ["new", "é&<", "0"]))
    typed = typed if typed != field.shown.text else "8"
    pairs = [(name, typed if name == field.name else value) for name, value in post(form)]

    submission = form.submit(pairs)

    start, end, text = field.original.start, field.original.end, form.text
    assert submission.complete
    assert submission.text.startswith(text[:start])
    assert submission.text.endswith(text[end:])
    token = submission.text[start : len(submission.text) - (len(text) - end)]
    assert (token if is_number else read(token)) == typed
    assert len(changed(text, submission.text)) == 2


def changed(before: str, after: str) -> list[str]:
    lines = re.compile(r"\r\n|\r|\n")
    diff = difflib.unified_diff(lines.split(before), lines.split(after), n=0, lineterm="")
    return [line for line in diff if line[:1] in "+-" and line[:3] not in ("+++", "---")]


@st.composite
def edits(draw: st.DrawFn, form: Form, pairs: Pairs) -> Pairs:
    """Draw edits of controls by somebody: typed, chosen, cleared, pressed a button."""
    known = {field.name: field for field in form}
    done: Pairs = []
    for name, value in pairs:
        role, mark, rest = name.partition("#")
        field = known.get(f"#{rest}") if mark else None
        if field is not None and draw(st.integers(0, 2)) == 0:
            value = draw(_another(role, value, field))
        done.append((name, value))
    buttons: list[str] = [
        f"{verb}{field.name}"
        for field in form
        for verb in ("add", "remove", "up", "down", "copy", "open")
        if (verb in ("add", "open") and field.children) or field.row or not field.opened
    ]
    if draw(st.booleans()) and buttons:
        done.append(("do", draw(st.sampled_from(buttons))))
    return done


def _another(role: str, value: str, field: Field) -> st.SearchStrategy[str]:
    if role == "state":
        return st.sampled_from([*field.states])
    if role == "kind":
        return st.integers(0, len(field.children) - 1).map(str)
    if role == "order" and value:
        return st.permutations(value.split(",")).map(",".join)
    if role == "name":
        return st.sampled_from(["a", "b", "", "new", "a b"])
    if role == "" and field.kind in CHOICE_KINDS and field.choices:
        return st.sampled_from([choice.id for choice in field.choices])
    if role != "" or field.kind not in TYPED:
        return st.just(value)
    texts = st.sampled_from(TEXTS)  # of which a control for numbers has one line
    return texts.map(lambda text: text.replace("\n", "")) if field.kind in NUMBER_KINDS else texts


@WAYS
@SETTINGS
@given(form=cases(), data=st.data())
def test_submitting_the_answer_again_changes_nothing_more(
    post: Post, form: Form, data: st.DataObject
) -> None:
    first = form.submit(data.draw(edits(form, post(form))))
    event("complete" if first.complete else "not complete")
    event("changed" if first.changed else "unchanged")
    second = form.submit(post(first.form))  # a server makes the form anew each time
    assert second.text == first.text
    gone = [one for one in first.report if one.message.endswith("which is gone")]  # said once
    assert second.complete is (first.complete or first.report.findings == (*gone,))
    assert second.report.findings == tuple(one for one in first.report if one not in gone)
    assert second.form.signature == first.form.signature
    # What was typed into a text control is no content of the number or the list of choices that a
    # condition has put in its place: HTML sends it back shortened, or not at all.
    kinds = {field.name: field.kind for field in form}
    assert [(f.name, f.kind) for f in second.form] == [(f.name, f.kind) for f in first.form]
    for again, field in zip(second.form, first.form, strict=True):
        if kinds.get(field.name, field.kind) == field.kind:
            assert again.shown == field.shown


@SETTINGS
@given(form=cases(), data=st.data())
def test_what_is_submitted_is_what_is_in_the_text(form: Form, data: st.DataObject) -> None:
    submission = form.submit(data.draw(edits(form, as_shown(form))))
    assert parse(submission.text).root.value == submission.data
    if not submission.complete:
        return
    fresh = form.factory.form_json(submission.text)
    assert fresh.submit(as_shown(fresh)).text == submission.text
    # Which alternative was chosen is not in the text, so neither is what that one forbids, nor how a
    # value that matches none is told.
    found = [one for one in submission.report if one.hint != "another alternative may allow it"]
    fields = [one for one in submission.form.root.walk() if one.kind == "alternatives"]
    chosen = tuple(f"{field.path}/" for field in fields)

    def elsewhere(findings: Iterable[Finding]) -> set[str]:
        return {*said(one for one in findings if not f"{one.path}/".startswith(chosen))}

    assert elsewhere(fresh.report) == elsewhere(found)
    findings = form.factory.checks.validator.check_json(submission.text)
    if "json.number" not in {finding.keyword for finding in findings}:
        assert (not found) is findings.valid
        if not chosen:
            assert len(found) == len(findings)


@SETTINGS
@given(form=cases(), data=st.data())
def test_nothing_that_comes_back_is_a_traceback(form: Form, data: st.DataObject) -> None:
    names = [name for name, _ in as_shown(form)] + [field.name for field in form]
    roles = st.sampled_from(
        [
            "",
            "state",
            "present",
            "kind",
            "order",
            "name",
            "open",
            "shape",
            "from",
            "origin",
            "removed",
        ]
    )
    values = st.one_of(
        st.sampled_from(
            [*TEXTS, *REMOVED, "unset", "null", "kept", "set", "0", "-1", "9", "0,+1", ",,", "+1"]
        ),
        st.text(st.characters(exclude_categories=()), max_size=8),
    )
    control = st.tuples(roles, st.sampled_from(names)).map(lambda p: p[0] + p[1][p[1].find("#") :])
    pairs = data.draw(st.lists(st.tuples(control, values), max_size=8))
    verbs = st.sampled_from(["add", "remove", "restore", "copy", "up", "open", "check", "x"])
    pairs += [("do", data.draw(verbs) + data.draw(st.sampled_from(names))[-9:])]
    submission = form.submit([pair for pair in pairs if pair[0] != "base#"])
    assert parse(submission.text).root.value == submission.data
    submission.text.encode()
    submission.form.render()


@SETTINGS
@given(schema=schemas(), data=instances())
def test_a_form_that_nobody_touched_is_as_valid_as_its_data(schema: Json, data: Json) -> None:
    try:
        form = WidgetType.from_data_schema(schema, id="any").form_json(dump(data))
    except WidgetSchemaError:  # some schemas cannot be linked
        return
    submission = form.submit(as_shown(form))
    assert submission.valid is form.factory.checks.validator.is_valid(data)
    assert submission.text == form.text


# Lists, in all ways that rows can be moved


@SETTINGS
@given(st.data())
def test_rows_added_moved_and_removed_give_the_expected_items(data: st.DataObject) -> None:
    before = data.draw(st.lists(st.sampled_from(["a", "b", "c"]), max_size=4))
    form: Form = LISTS.form({"l": before})
    items = list(before)
    removed: list[tuple[str, str, str]] = []  # the id of a row, that before it, and its item
    pairs: dict[str, str] = {}
    for _ in range(data.draw(st.integers(0, 6))):
        verb = data.draw(
            st.sampled_from(["add", "remove", "up", "down", "copy", "type", "restore"])
        )
        holder = form.field("/l")
        assert holder is not None
        rows = holder.shown.rows
        if (verb not in ("add", "restore") and not rows) or (verb == "restore" and not removed):
            continue
        at = data.draw(st.integers(0, len(rows) - 1)) if rows else 0
        name = f"#/l/{rows[at]}" if rows else ""
        pairs = dict(as_shown(form))
        if verb == "type":
            pairs[name] = items[at] = data.draw(st.sampled_from(["x", "", "long\ntext"]))
        elif verb == "add":
            pairs["do"] = "add#/l"
            items.append("")
        elif verb == "copy":
            pairs["do"] = f"copy{name}"
            items.insert(at + 1, items[at])
        elif verb == "restore":
            id, after, item = removed.pop()
            pairs["do"] = f"restore#/l/{id}"
            items.insert(rows.index(after) + 1 if after in rows else 0, item)
        else:
            pairs["do"] = f"{verb}{name}"
            item = items.pop(at)
            if verb == "remove":
                removed.append((rows[at], rows[at - 1] if at else "", item))
            else:
                items.insert(max(at - 1, 0) if verb == "up" else at + 1, item)
        submission = form.submit(pairs)
        assert submission.data == {"l": items}
        form = submission.form


@WAYS
@settings(SETTINGS, phases=[Phase.generate])
@given(form=cases(), data=st.data())
def test_a_copy_of_a_row_is_the_same_json(post: Post, form: Form, data: st.DataObject) -> None:
    """It is spelled as the row is, also with what was typed into it and cannot be read."""
    typed = form.submit(data.draw(edits(form, post(form))))
    rows = [row for row in rows_in(typed) if not row.has_key]
    event("rows" if rows else "no rows")
    if not rows:
        return
    row = data.draw(st.sampled_from(rows))
    assert row.path is not None

    submission = form.submit([*without_button(post(typed.form)), ("do", f"copy{row.name}")])

    around, _, at = row.path.rpartition("/")
    before, after = parse(typed.text), parse(submission.text)
    text = json_of(before, row.path)
    assert json_of(after, row.path) == text
    assert json_of(after, f"{around}/{int(at) + 1}") == text
    items, more = before.at(around), after.at(around)
    assert items is not None
    assert more is not None
    others = [*more.items[: int(at) + 1], *more.items[int(at) + 2 :]]
    assert [one.value for one in others] == [one.value for one in items.items]
    assert form.submit(post(submission.form)).text == submission.text
    undone = form.submit(
        [*without_button(post(submission.form)), ("do", f"remove{copy_of(submission.form, row)}")]
    )
    assert undone.text == typed.text


@WAYS
@settings(SETTINGS, phases=[Phase.generate])
@given(form=cases(), data=st.data())
def test_a_removed_row_comes_back_as_it_was(post: Post, form: Form, data: st.DataObject) -> None:
    first = form.submit(data.draw(edits(form, post(form))))
    # A checkbox in place of a text, by a condition, does not send back what was typed.
    typed = form.submit(without_button(post(first.form)))
    rows = rows_in(typed)
    event("rows" if rows else "no rows")
    if not rows:
        return
    row = data.draw(st.sampled_from(rows))
    pressed = [*without_button(post(typed.form)), ("do", f"remove{row.name}")]
    removed = form.submit(pressed)
    back = form.submit([*without_button(post(removed.form)), ("do", f"restore{row.name}")])
    assert back.text == typed.text
    assert back.complete is typed.complete
    assert said(back.report) == said(typed.report)


def rows_in(submission: Submission) -> list[Field]:
    """Return the rows that are there, and none of what is not set."""
    tree = parse(submission.text)
    rows = [field for field in active(submission.form) if field.row]
    return [row for row in rows if row.path is not None and tree.at(row.path) is not None]


def without_button(pairs: Pairs) -> Pairs:
    return [(name, value) for name, value in pairs if name != "do"]


def json_of(tree: Tree, pointer: str) -> str:
    """Return the JSON text at a pointer, without the indentation of its lines."""
    element = tree.at(pointer)
    assert element is not None
    return "\n".join(line.lstrip(" \t") for line in element.dedented.split("\n"))


def copy_of(form: Form, row: Field) -> str:
    """Return the name of the row after another one."""
    holder = form.root.find(row.name.rpartition("/")[0])
    assert holder is not None
    rows = [child.name for child in holder.children if child.row]
    return rows[rows.index(row.name) + 1]


LISTS: Final = forms_of(
    {"properties": {"l": {"type": "array", "items": {"type": "string"}}}, "type": "object"}
)


@pytest.mark.parametrize(
    ("schema", "text", "result"),
    [
        ({"type": "object", "properties": {"a": False}}, '{"x": 1}', "{}"),
        ({"propertyNames": {"maxLength": 1}, "properties": {"a": {}}}, '{"a": 1, "x": 2}', '{"a": 1}'),
        (
            {"type": "array", "items": [{"type": "number"}], "additionalItems": False},
            "[1, 2]",
            "[1]",
        ),
    ],
    ids=["no member is named", "a member is named", "tuple"],
)  # fmt: skip
def test_the_last_row_of_those_that_nobody_adds_stays_removed(
    schema: Json, text: str, result: str
) -> None:
    form = forms_of(schema).form_json(text)
    [button] = [one for one in buttons(form.render()) if one.startswith("remove")]
    shown = form.submit(entries(form.render(), press=button)).form
    assert form.submit(by_html(shown)).text == result  # of a page that nobody remembers
    assert shown.submit(by_html(shown)).text == result


@WAYS
@pytest.mark.parametrize("text", ['{"b": 1}', '{"": 1}', '{"a": "x", "b": 1}'])
def test_the_last_row_stays_removed(post: Post, text: str) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    form = forms_of({**schema, "additionalProperties": False}).form_json(text)
    [row] = [field for field in form if field.has_key]
    first = form.submit([*post(form), ("do", f"remove{row.name}")])
    assert first.data == {name: "x" for name in form.data if name == "a"}
    assert form.submit(post(first.form)).text == first.text


# The types of the table that samples are made of, and the countdown


@WAYS
@ALL
def test_samples_and_near_misses_are_untouched(name: str, post: Post) -> None:
    type = named(name)
    data = [case.data for what in ("coverage", "near_misses") for case in made(name, what)]
    for value in [*data[:: max(len(data) // 12, 1)], type.maximal(), type.minimal()]:
        form = type.form_json(dump(value))
        submission = form.submit(post(form))
        assert submission.text == form.text
        assert said(submission.report) == said(form.report)
        assert sorted(said(form.report)) == sorted(said(type.check(value)))


def test_a_document_is_kept_around_its_data() -> None:
    countdown = widgetschema.widget_type("countdown")
    text = f'{{"id": 1.0,\r\n\t"data": {countdown.form().text.strip()} , "x":[]}}'
    form = countdown.form_json(text, at="/data")
    assert form.submit(by_html(form)).text == text


# Free objects: any JSON, edited by the types of its parts

FREE: Final = forms_of({"type": "object"})
ANY_OBJECT: Final = st.dictionaries(st.text(max_size=4), instances(3), max_size=5)


@SETTINGS
@given(text=documents(ANY_OBJECT), data=st.data())
def test_a_free_object_keeps_all_that_is_not_edited(text: str, data: st.DataObject) -> None:
    form: Form = FREE.form_json(text)
    assert form.submit(by_html(form)).text == text
    code = form.submit([*by_html(form), ("do", "carry#;0"), ("kind#", "1")][::-1]).form
    assert form.submit(by_html(code)).text == text
    numbers = [field for field in active(form) if field.kind == "number"]
    if not numbers:
        return
    field = data.draw(st.sampled_from(numbers))
    assert field.original is not None
    typed = [(name, "7e0" if name == field.name else value) for name, value in by_html(form)]
    start, end = field.original.start, field.original.end
    assert form.submit(typed).text == f"{text[:start]}7e0{text[end:]}"

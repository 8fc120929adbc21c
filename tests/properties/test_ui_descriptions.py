"""UI descriptions lose nothing: random descriptions of forms of random schemas and data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from tests.browsing import entries
from tests.effort import scaled
from tests.posting import active, as_shown, cases
from widgetschema import Form, InvalidFormDescription
from widgetschema.errors import UnreadableDocument
from widgetschema.forms import CustomControl, register_control
from widgetschema.forms.control_names import decode_token
from widgetschema.forms.fields.ui_description import UI_KINDS
from widgetschema.forms.model import NUMBER_KINDS, TEXT_KINDS, Field
from widgetschema.jsontext import dump, read
from widgetschema.pointers import escape_token, matches, parse_pointer, resolve_pointer

Json = Any
ABSENT: Final = object()
SETTINGS: Final = settings(max_examples=scaled(80), suppress_health_check=list(HealthCheck))
TEXTS: Final = st.sampled_from(["x", "é <b>", "a\nb", " ", '"'])


def show_any(value: Json) -> dict[str, Json]:
    return {"text": "" if value is None else dump(value, indent=False)}


def read_any(text: str) -> Json:
    try:
        return read(text)
    except UnreadableDocument as error:
        raise ValueError("this is not JSON") from error


ANYTHING: Final = register_control(
    CustomControl(
        "any-json",
        '<textarea {{ attributes }}>\n{{ text }}</textarea>',
        show_any,
        read_any,
    )
)  # fmt: skip


def names_of(field: Field) -> list[str]:
    """The names of the members that the schema names of an object."""
    if field.kind != "object":
        return []
    named = [child for child in field.children if not child.row and not child.is_rest]
    return [decode_token(child.name.rpartition("/")[2]) for child in named]


@st.composite
def options(draw: st.DrawFn, field: Field, form: Form) -> dict[str, Json]:
    """Options of one field."""
    names = names_of(field)
    some = st.lists(st.sampled_from(names), unique=True, min_size=1) if names else st.nothing()
    tabs = st.fixed_dictionaries({"label": TEXTS, "members": some})
    groups = st.fixed_dictionaries(
        {"label": TEXTS, "members": some},
        optional={"help": TEXTS, "columns": st.integers(1, 4), "closed": st.booleans()},
    )
    scalars = [one for one in form if one.path and not one.children]
    values: list[Json] = [None, True, "a", 1, {}, {"type": "string"}, [1, "a"], {"not": {}}]
    conditions = st.dictionaries(
        st.sampled_from([one.path or "" for one in scalars] or ["/a"]),
        st.sampled_from(values),
        max_size=2,
    )
    choices = [_name(choice.value) for choice in field.shape.choices if choice.value is not None]
    labels = st.one_of(
        TEXTS,
        st.fixed_dictionaries({}, optional={"label": TEXTS, "picture": st.just("/a.png"), "disabled": st.booleans()}),
    )  # fmt: skip
    known: dict[str, st.SearchStrategy[Json]] = {
        "label": TEXTS,
        "help": TEXTS,
        "kind": st.sampled_from([*UI_KINDS, ANYTHING.name]),
        "example": TEXTS,
        "placeholder": TEXTS,
        "lines": st.integers(1, 40),
        "wide": st.booleans(),
        "columns": st.integers(1, 4),
        "hidden": st.sampled_from([True, True, False]),
        "readonly": st.sampled_from([True, True, False]),
        "when": conditions,
    }
    if names:
        known |= {"order": some, "tabs": st.lists(tabs, min_size=1, max_size=2), "groups": st.lists(groups, max_size=2)}  # fmt: skip
    if choices:
        known["choices"] = st.dictionaries(st.sampled_from(choices), labels, max_size=3)
    often = ["hidden", "readonly", "kind", "when"]
    one = st.sampled_from([*sorted(known), *often])
    chosen = draw(st.lists(one, unique=True, min_size=1, max_size=4))
    return {name: draw(known[name]) for name in chosen}


def _name(text: str) -> str:
    value = read(text)
    return value if isinstance(value, str) else dump(value, indent=False)


@st.composite
def described(draw: st.DrawFn) -> Form:
    """Forms with a random UI description that fits."""
    form = draw(cases())
    fields = [field for field in form if field.path is not None and not field.is_rest]
    ui: dict[str, Json] = {}
    for field in draw(st.lists(st.sampled_from(fields), min_size=2, max_size=6)):
        tokens = (field.path or "").split("/")
        for at in range(1, len(tokens)):
            tokens[at] = draw(st.sampled_from([tokens[at], tokens[at], tokens[at], "*", "**"]))
        ui["/".join(tokens)] = draw(options(field, form))
    while True:
        try:
            return form.factory.form_json(form.text, ui=ui)
        except InvalidFormDescription as error:  # without what does not fit
            for finding in error.report:
                pattern, *rest = parse_pointer(finding.path)
                ui.get(pattern, {}).pop(rest[0] if rest else "", None)
                if not rest:
                    ui.pop(pattern, None)


@SETTINGS
@given(form=described(), by_html=st.booleans())
def test_untouched_is_the_same_bytes(form: Form, by_html: bool) -> None:
    event("described" if any(form.ui.values()) else "nothing said")  # type: ignore[union-attr]
    submission = form.submit(entries(form.render()) if by_html else as_shown(form))
    assert submission.text == form.text
    assert submission.form.signature == form.signature
    assert form.submit({}).text == form.text


@SETTINGS
@given(form=described(), data=st.data())
def test_an_edit_changes_one_token(form: Form, data: st.DataObject) -> None:
    fields = [
        field
        for field in active(form)
        if field.kind in (*TEXT_KINDS, *NUMBER_KINDS)
        and field.original is not None
        and field.pristine.state in ("set", "empty")
        and not field.read_only
    ]
    event("editable" if fields else "nothing to edit")
    if not fields:
        return
    field = data.draw(st.sampled_from(fields))
    assert field.original is not None
    typed = "7" if field.shown.text != "7" else "8"
    pairs = [(name, typed if name == field.name else one) for name, one in entries(form.render())]
    submission = form.submit(pairs)
    start, end = field.original.start, field.original.end
    assert submission.text.startswith(form.text[:start])
    assert submission.text.endswith(form.text[end:])
    assert submission.text != form.text


def values_of(value: Json, path: str = "") -> Iterator[str]:
    """The JSON Pointers of all values."""
    yield path
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()  # fmt: skip
    for name, one in pairs:
        yield from values_of(one, f"{path}/{escape_token(str(name))}")


def is_protected(form: Form, path: str) -> bool:
    """Tell if all patterns that say so make a member read-only, and it has a field."""
    said = [
        options["readonly"]
        for pattern, options in (form.ui or {}).items()
        if "readonly" in options and matches(pattern, path)
    ]
    return bool(said) and all(said) and form.field(path) is not None


@SETTINGS
@given(form=described(), chance=st.randoms(use_true_random=False))
def test_no_post_changes_what_is_hidden_or_read_only(form: Form, chance: Any) -> None:
    """Whatever is posted for them, alone or with other edits of texts."""
    protected = [path for path in values_of(form.data) if is_protected(form, path)]
    # What is removed as a whole, or is another member under another name, is no longer there.
    before = form.data
    posted = []
    for field in form:
        texts = ["", "7", "x", "0", "{}"]
        if chance.random() < 0.5 and not field.children:
            posted.append((field.name, chance.choice(texts)))
    posted += [(f"#{path}", "forged") for path in protected]
    after = form.submit(posted).data
    event(f"protected: {min(len(protected), 3)}")
    for path in protected:
        if not path:
            assert after == before
        was, now = resolve_pointer(before, path, ABSENT), resolve_pointer(after, path, ABSENT)
        around = resolve_pointer(after, path.rpartition("/")[0], ABSENT)
        if type(around) is type(resolve_pointer(before, path.rpartition("/")[0], ABSENT)):
            assert now == was or now is was, path

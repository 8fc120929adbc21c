"""Posted controls: names and texts, read from what any web framework provides.

Texts become what the HTML standard makes of them on their way ("constructing the entry list"
and parsing): scalar values only, newlines as LF, no U+0000. Controls that do not belong to a form
are ignored. Schemas are not known here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final

from widgetschema.errors import FormError, TooManyFields
from widgetschema.forms.control_names import (
    ACTION,
    ASIDE,
    BASE,
    CHOICE,
    DUE,
    FILE,
    KEY,
    KIND,
    ORDER,
    PRESENT,
    ROLES,
    ROOT,
    STATE,
    STEPS,
    TEXT,
    TYPED,
    companion_name,
    is_within,
    member_name,
    pointer_of,
    prefixed,
)  # fmt: skip
from widgetschema.forms.model import (
    CHOICE_KINDS,
    HOLDER_KINDS,
    UNSET,
    Field,
    PostedControls,
    selection_text,
)
from widgetschema.forms.newlines import normalize_newlines
from widgetschema.forms.uploads import CHOSEN_FILES, EMPTY, encode
from widgetschema.jsontext import Limits
from widgetschema.jsontext.digests import short_digest
from widgetschema.text import plural, shorten

MAX_CONTROLS: Final = 20_000
SHAPE: Final = "shape#"  # which controls the form had: its signature

PostedFields = Mapping[str, Any] | Iterable[tuple[str, Any]]
"""A mapping of text to text or texts, werkzeug's MultiDict, Django's QueryDict, Starlette's
FormData, or pairs."""

_COMPANIONS: Final = frozenset(f"{role}{ROOT}" for role in (*ROLES, CHOICE))


def read_controls(fields: PostedFields, limits: Limits, prefix: str = "") -> PostedControls:
    """Return the controls of a form among posted fields: names and texts.

    With a prefix, only controls that have it count; the returned names do not have it.

    Raises `TooManyFields`, and `FormError` for values that are not text (files) or too large, and
    for the controls of two forms under the same names.
    """
    pairs = list(_pairs(fields))
    if prefix:
        begin = prefixed(prefix, "")
        own = [pair for pair in pairs if isinstance(pair[0], str) and pair[0].startswith(begin)]
        pairs = [(name.removeprefix(begin), value) for name, value in own]
    if len(pairs) > MAX_CONTROLS:
        raise TooManyFields(len(pairs), MAX_CONTROLS)
    pairs = _with_files(pairs)
    found: PostedControls = {}
    size = 0
    for name, value in pairs:
        if not isinstance(value, str) or not isinstance(name, str):
            raise FormError(_type_message(name, value))
        if is_control(name):
            size += len(value)
            found.setdefault(name, []).append(html_text(value))
    if size > limits.max_bytes:
        length = plural(size, "character")
        raise FormError(f"{length} were posted, more than the limit of {limits.max_bytes:,}")
    if len(found.get(BASE, ())) > 1:
        raise FormError(
            "the controls of several forms were posted under the same names: pass a different "
            "`prefix` to each form that is in one <form>"
        )
    return found


def other_prefix(fields: PostedFields, base: str) -> str | None:
    """Return the prefix of the only form that was posted, if it is of this base, or None.

    Where several forms were posted, one that was not may be new since the page was shown.
    """
    shown = [
        (name.removesuffix(BASE).removesuffix("."), value)
        for name, value in _pairs(fields)
        if isinstance(name, str) and (name == BASE or name.endswith(f".{BASE}"))
    ]
    return shown[0][0] if [value for _, value in shown] == [base] else None


def edited_controls(posted: PostedControls, root: Field) -> PostedControls:
    """Return the controls that differ from what the form of `root` showed untouched.

    The others are dropped, since a condition of the schema may bring another control under the same
    name: an untouched value must not be taken for an edit of that, nor for its removal.
    """
    found = dict(posted)
    with_companions = {name[name.find(ROOT) :] for name in found if not name.startswith(ROOT)}
    for field in root.walk():
        if field.shown is field.pristine or field.shown == field.pristine:
            if field.name not in with_companions and field.kind != "checkboxes":
                values = found.get(field.name)
                if values is not None and values[0] == normalize_newlines(field.pristine.text):
                    del found[field.name]
                continue
            for name in _unedited_controls(found, field):
                found.pop(name, None)
    return found


def says_typed(field: Field) -> bool:
    """Return True if a page says in a further control what it shows in the control of a field."""
    is_edited = not (field.read_only or field.is_rest or field.is_unread)
    return is_edited and field.kind not in HOLDER_KINDS


def can_restore_typed(field: Field) -> bool:
    """Return True if that is the text that was typed last, which can be restored."""
    return says_typed(field) and not (hides_typed(field) or field.kind == "custom")


def hides_typed(field: Field) -> bool:
    """Return True if a typed text is in its own control only: a secret, or a file."""
    return field.shape.secret or field.kind == "upload"


def typed_mark(field: Field, text: str) -> str:
    """Return what that is for a text; "" for none."""
    if text == (UNSET if field.kind in CHOICE_KINDS else ""):
        return ""
    return text if can_restore_typed(field) else short_digest([text])


def is_typed_since(field: Field, posted: PostedControls) -> bool:
    """Return True if a control has another text than the page showed there, and not none."""
    if field.name not in posted or not says_typed(field):
        return False
    is_chosen = field.kind in (*CHOICE_KINDS, "checkboxes")
    text = field.shown.text if is_chosen else normalize_newlines(posted[field.name][0])
    shown = typed_mark(field, normalize_newlines(field.pristine.text))
    last = posted.get(companion_name(TYPED, field.name), [shown])[0]
    return typed_mark(field, text) not in ("", normalize_newlines(last))


def without_fields(posted: PostedControls, names: Collection[str]) -> PostedControls:
    """Return the controls without those about these fields and all that is below them."""
    gone = frozenset(name for _, name in _controls_about(posted, names))
    return {name: values for name, values in posted.items() if name not in gone}


def with_added(posted: PostedControls, name: str) -> PostedControls:
    """Return the controls with a value that is there from now on, with the rows that it needs."""
    rows, state = (companion_name(role, name) for role in (ORDER, STATE))
    return {one: values for one, values in posted.items() if one != rows} | {state: ["set"]}


def controls_of(posted: PostedControls, name: str) -> PostedControls:
    """Return the controls about a field and all that is below it."""
    return {one: posted[one] for _, one in _controls_about(posted, (name,))}


def _controls_about(posted: PostedControls, names: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield each of these fields with the names of the controls about it and all below it."""
    if not names:
        return
    about_what = sorted((name[name.find(ROOT) :], name) for name in posted)
    for begin in names:
        for mark in ("", "/", ";"):
            for at in range(bisect_left(about_what, (begin + mark, "")), len(about_what)):
                what, name = about_what[at]
                if not (what.startswith(begin + mark) if mark else what == begin):
                    break
                yield begin, name


def misplaced_files(posted: PostedControls, root: Field) -> list[str]:
    """Return the names of the fields that a file was posted for and that are none for files."""
    begin = companion_name(FILE, ROOT)
    names = {name.removeprefix(FILE) for name in posted if name.startswith(begin)}
    if not names:
        return []
    return [one.name for one in root.walk() if one.name in names and one.kind != "upload"]


def without_files(posted: PostedControls, names: Collection[str]) -> PostedControls:
    """Return the controls without the files that were posted for these fields."""
    found = dict(posted)
    for name in names:
        del found[companion_name(FILE, name)]
        _, *texts = found.pop(name, ("",))  # it is gone if the file is what was shown
        found |= {name: texts} if texts else {}
    return found


def ignored_members(posted: PostedControls, root: Field) -> tuple[str, ...]:
    """Return the JSON Pointers of what was posted and does not count.

    These are hidden members, read-only values, and files for what is no file.
    """
    names: list[str] = []
    around = None  # the name of the last read-only field: nothing inside of it counts on its own
    for field in root.walk():
        names += [member_name(field.name, member) for member in field.shape.hidden]
        if field.read_only and not (around and is_within(field.name, around)):
            around = field.name
            names.append(around)
    found = [begin for begin, _ in _controls_about(posted, names)]
    return tuple(dict.fromkeys(map(pointer_of, (*found, *misplaced_files(posted, root)))))


def _unedited_controls(posted: PostedControls, field: Field) -> Iterator[str]:
    """Yield the names of controls of a field that say what was shown."""
    name, pristine = field.name, field.pristine
    present = companion_name(PRESENT, name)
    is_new = pristine.state != "set" and posted.get(companion_name(STATE, name)) == ["set"]
    text = posted.get(name, ["false"] if present in posted else [None])[0]
    if field.kind == "checkboxes" and text is not None:
        text = selection_text(posted.get(name, ()), pristine.text)
    if text == normalize_newlines(pristine.text):
        yield from (name, present)
    for role, shown in (
        (STATE, pristine.state),
        (KIND, str(pristine.chosen)),
        (ORDER, ",".join(pristine.rows)),
        (KEY, normalize_newlines(pristine.key)),
    ):
        control = companion_name(role, name)
        if role == ORDER and (is_new or not field.opened):
            continue  # no rows were shown: any order is new
        if control in posted and posted[control][0] == shown:
            yield control


def is_control(name: str) -> bool:
    """Return True if the name is that of a control of a form (see `control_names`)."""
    role, mark, _ = name.partition(ROOT)
    if not mark:
        return name == ACTION
    is_companion = f"{role}{mark}" in (*_COMPANIONS, ASIDE)
    return not role or is_companion or name in (BASE, SHAPE, TEXT, STEPS, DUE)


def html_text(text: str) -> str:
    """Return a text as HTML carries it: LF, no U+0000, no halves of surrogate pairs."""
    text = normalize_newlines(text)
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _pairs(fields: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each posted field, one value at a time."""
    if hasattr(fields, "multi_items"):  # Starlette
        yield from fields.multi_items()
    elif hasattr(fields, "lists"):  # werkzeug and Django
        yield from _flatten(fields.lists())
    elif isinstance(fields, Mapping):
        yield from _flatten(fields.items())
    else:
        for pair in fields:
            if not isinstance(pair, (tuple, list)) or len(pair) != 2:
                raise FormError("posted fields must be a mapping, or pairs of a name and a text")
            yield pair[0], pair[1]


def pairs_of(fields: PostedFields) -> list[tuple[Any, Any]]:
    """Return posted fields as pairs of a name and a value."""
    return [*_pairs(fields)]


def lacks_files(fields: PostedFields, prefix: str) -> bool:
    """Return True if a framework gives files apart from these fields, and none are among them."""
    begin = prefixed(prefix, companion_name(FILE, ROOT))
    return hasattr(fields, "lists") and not any(
        isinstance(name, str) and name.startswith(begin) for name, _ in _pairs(fields)
    )


def _with_files(pairs: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Return the pairs with each file as the text of its control, before what was there.

    The name of a file's own control stays, without a value: which places get one is not known here.

    Raises `FormError` if the name of a file was posted instead of the file.
    """
    begin = companion_name(FILE, ROOT)
    files: list[tuple[str, Any]] = []
    others: list[tuple[Any, Any]] = []
    for name, value in pairs:
        is_file = isinstance(name, str) and name.startswith(begin)
        (files if is_file else others).append((name, value))
    if not files:
        return pairs
    typed = {name for name, value in others if value}
    found: list[tuple[Any, Any]] = []
    for name, value in files:
        control = name.removeprefix(FILE)
        if not isinstance(value, str):
            content = _content(name, value)
            found += [] if content is None else [(control, encode(content) or EMPTY), (name, "")]
        elif (known := CHOSEN_FILES.get(value)) is not None:
            found += [(control, known), (name, "")]
        elif value and control not in typed:
            raise FormError(
                f"a text was posted as {shorten(name, 80)!r}, not a file: the <form> needs "
                'enctype="multipart/form-data"'
            )
    return [*found, *others]


def _content(name: str, file: Any) -> bytes | None:
    """Return the content of a file as frameworks give it: bytes, or what can be read.

    None if no file was chosen. It is read from its beginning, since it may have been read before.
    """
    if isinstance(file, bytes):
        return file
    source = getattr(file, "file", None) or file  # Starlette has its methods for reading await
    if not (hasattr(source, "read") and hasattr(source, "seek")):
        raise FormError(_type_message(name, file))
    source.seek(0)
    content = source.read()
    if not isinstance(content, bytes):
        raise FormError("a file was posted that cannot be read as bytes")
    is_chosen: Any = content or getattr(file, "filename", "chosen")
    return content if is_chosen else None


def _flatten(items: Iterable[tuple[Any, Any]]) -> Iterator[tuple[Any, Any]]:
    for name, value in items:
        for one in value if isinstance(value, (list, tuple)) else (value,):
            yield name, one


def _type_message(name: Any, value: Any) -> str:
    if not isinstance(name, str):
        return f"the name of a control must be text, but one is of type {type(name).__name__}"
    shown = shorten(name, 80)
    if hasattr(value, "filename") or hasattr(value, "read"):
        return f"a file was posted as {shown!r}; a form of widget data accepts only text"
    return f"the value of {shown!r} must be text, but is of type {type(value).__name__}"

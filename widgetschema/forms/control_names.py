"""Names of HTML controls: the JSON Pointer of a value as a URI fragment, after a role.

A value's control is named by the JSON Pointer of the value in the text that the form was made
of, in the representation of RFC 6901, section 6: `#/content/timerTitle`, and `#` for the whole.
Everything but letters, digits and `-._~/` is percent-encoded, so that no browser changes a name
(newlines), no library splits it (`[`, `.`), and five marks are free for what is not a member:

- `#/list/+1` is a new row of a list or a new member of an object, the first one;
- `#/content/expDate;1` is the second alternative for a value, and `#/content/expDate;1/a` a
  member in it: alternatives that are not chosen keep what was typed into them;
- `#/list/*` are all items of a list, or members of an object, that have no control of their own;
- `#/content/expDate!Expires` is a text that was typed for a value and that no control of it can
  show any more, with the label that it had; that of a secret has two marks;
- `state#/content/timerTitle` is a further control for the value, by its role (see `ROLES`).

In a form with a prefix, all names begin with the prefix and a dot (`prefixed`):
`w1.#/content/timerTitle`. Only rendered and posted names have it.
"""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import quote, unquote

# Roles of further controls for a value, beside the one that holds it.
STATE: Final = "state"  # one of `model.STATES`
PRESENT: Final = "present"  # a checkbox was there: without a value it is false
KIND: Final = "kind"  # the index of the alternative that is chosen
ORDER: Final = "order"  # the ids of rows (of a list, or of additional members), with commas
KEY: Final = "name"  # the name of an additional member
OPEN: Final = "open"  # a part that was opened on demand
FROM: Final = "from"  # the value that came to an alternative from another one, as JSON text
ORIGIN: Final = "origin"  # the id of the row that a new one is a copy of
REMOVED: Final = "removed"  # the rows that were removed, and can be restored
TYPED: Final = "typed"  # the text that was typed last, which can be restored
FILE: Final = "file"  # a file that was chosen: its content is the value, in base64
WAS: Final = "was"  # the index of the alternative that was chosen when the page was shown
ROLES: Final = (STATE, PRESENT, KIND, ORDER, KEY, OPEN, FROM, WAS, ORIGIN, REMOVED, TYPED, FILE)

CHOICE: Final = "choice"  # whose edit of the value holds, where two people edited it

BASE: Final = "base#"  # identifies what the form was made of
TEXT: Final = "text#"  # the JSON text of the data that the form was made of
DUE: Final = "due#"  # the names of the fields whose findings are shown
STEPS: Final = "steps#"  # what earlier posts of the page did (see `submit.steps`)
ASIDE: Final = "aside#"  # with a number: a secret or a large file of these posts
SENT: Final = "?"  # after such a name: it is the token of a file that the server has
ACTION: Final = "do"  # the button that was pressed: `add#/list`, `remove#/list/0`, `check`
ROOT: Final = "#"

# Buttons that change the form, beside `check`, which only looks.
ADD: Final = "add"
REMOVE: Final = "remove"
RESTORE: Final = "restore"  # a row that was removed, or a value that was emptied
COPY: Final = "copy"  # a row of a list, into a new one after it
UP: Final = "up"
DOWN: Final = "down"
CARRY: Final = "carry"  # the value of this alternative to the one that is chosen now
USE: Final = "use"  # a value, which follows as JSON text: `use#/days?3`
RENAME: Final = "rename"  # a member, to the name that follows as JSON text
DROP: Final = "drop"  # all members of an object that do not apply any more
VERBS: Final = (ADD, REMOVE, RESTORE, COPY, UP, DOWN, OPEN, CARRY, USE, RENAME, DROP)
CHECK: Final = "check"

RESET: Final = "reset"  # a state: all edits of the value are undone
# Two states: what a page shows already, so that what is typed then sets the value.
LEFT: Final = {"unset": "left-unset", "null": "left-null"}
EMPTIED: Final = "emptied"  # a state: the empty text, whatever was typed
UNREAD: Final = "!"  # in names, between the place that a text was typed for and its label
UNREAD_HIDDEN: Final = "!!"  # the same, of a secret
EMPTY: Final = "%"  # the row of the member whose name is empty

_SAFE: Final = "-._~"


class Action(NamedTuple):
    """The request of a button: a verb of `VERBS` or `CHECK`, and the name of a value's control.

    `text` is the JSON text that `USE` and `RENAME` come with.
    """

    verb: str
    name: str = ""
    text: str = ""

    @property
    def value(self) -> str:
        """The value of the button, which `parse_action` reads."""
        return f"{self.verb}{self.name}?{quote(self.text, safe='')}"


def encode_token(token: str) -> str:
    """Return a member name, or the index of an item, as a segment of a control's name."""
    return quote(token.replace("~", "~0").replace("/", "~1"), safe=_SAFE)


def decode_token(part: str) -> str:
    """Return the member name that a segment of a control's name stands for."""
    return unquote(part).replace("~1", "/").replace("~0", "~")


def member_name(name: str, token: str) -> str:
    """Return the name of the control of a member or an item."""
    return f"{name}/{encode_token(token)}"


def row_name(name: str, id: str) -> str:
    """Return the name of the control of a row; its id is an encoded token, or `+1` if it is new."""
    return f"{name}/{id}"


def rest_name(name: str) -> str:
    """Return the name of the control of the members or items that have no control of their own."""
    return f"{name}/*"


class UnreadParts(NamedTuple):
    """The parts of the name of a control for a text that was typed for a value in a container.

    `pointer` leads from the container to the value, which is a `secret` or not.
    """

    pointer: str
    label: str
    secret: bool = False


def unread_name(around: str, parts: UnreadParts) -> str:
    """Return the name of the control of a text that no control of a value can show any more."""
    mark = UNREAD_HIDDEN if parts.secret else UNREAD
    return (
        f"{around}/{encode_token(parts.pointer.removeprefix('/'))}{mark}{encode_token(parts.label)}"
    )


def unread_parts(name: str) -> UnreadParts:
    """Return what the name of such a control says."""
    pointer, _, label = name.rpartition("/")[2].partition(UNREAD)
    secret = label.startswith(UNREAD)
    label = decode_token(label.removeprefix(UNREAD))
    return UnreadParts(f"/{decode_token(pointer)}", label, secret)


def row_id(token: str) -> str:
    """Return the id of the row of an additional member; never empty, for the sake of `order`."""
    return encode_token(token) or EMPTY


def branch_name(name: str, index: int) -> str:
    """Return the name of the control of one alternative for a value."""
    return f"{name};{index}"


def is_within(name: str, around: str) -> bool:
    """Return True if a name is that of a field's control, or of one below it."""
    return f"{name}/".startswith((f"{around}/", f"{around};"))


def companion_name(role: str, name: str) -> str:
    """Return the name of a further control for a value, by its role."""
    return f"{role}{name}"


def control_name(pointer: str) -> str:
    """Return the name of the control of the value at a JSON Pointer."""
    return ROOT + "".join(f"/{quote(token, safe=_SAFE)}" for token in pointer.split("/")[1:])


def pointer_of(name: str) -> str:
    """Return the JSON Pointer of the value of a control, whatever its alternative."""
    parts = (part.partition(";")[0] for part in name.removeprefix(ROOT).split("/"))
    return "/".join("" if part == EMPTY else unquote(part) for part in parts)


def prefixed(prefix: str, name: str) -> str:
    """Return the name of a control in the markup of a form with this prefix, which may be ""."""
    return f"{prefix}.{name}" if prefix else name


def parse_action(text: str) -> Action | None:
    """Return what a button requests; None for a text that no button of a form has."""
    if text == CHECK:
        return Action(CHECK)
    verb, mark, rest = text.partition(ROOT)
    if not mark or verb not in VERBS:
        return None
    if verb in (USE, RENAME):
        rest, _, value = rest.partition("?")
        return Action(verb, mark + rest, unquote(value))
    return Action(verb, mark + rest)

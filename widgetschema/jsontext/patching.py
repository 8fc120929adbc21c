"""`patch`: a JSON Patch (RFC 6902) applied to a JSON text, everything else byte for byte.

The result has the value that the RFC prescribes. What the patch does not name keeps its tokens and
its white space; a member that is moved within its object is renamed in its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from widgetschema.errors import PatchError
from widgetschema.jsontext.draft import Node, new_text
from widgetschema.jsontext.equality import canonical
from widgetschema.jsontext.limits import DEFAULT_LIMITS, Limits
from widgetschema.jsontext.tree import parse
from widgetschema.jsontext.values import dump, plain_copy, preview
from widgetschema.pointers import display_pointer, is_index, parse_pointer

_OPERATIONS = ("add", "remove", "replace", "move", "copy", "test")


def patch(
    text: str, operations: Sequence[Mapping[str, Any]], *, limits: Limits = DEFAULT_LIMITS
) -> str:
    """Return a JSON text with the operations of a JSON Patch (RFC 6902) applied to it in order.

    Args:
        text: A JSON text.
        operations: Objects with the members `op`, `path`, and `value` or `from`.
        limits: How deep the text may be nested, and how long it may be.

    Returns:
        The new text. Only what the operations name differs.

    Raises:
        PatchError: If an operation is malformed, names a place that is not there, or is a test
            that fails. Then nothing is applied.
        UnreadableDocument: If the text is not JSON.
    """
    tree = parse(text, limits)
    root = Node(tree.root)
    for index, operation in enumerate(operations):
        try:
            root = _applied(root, operation)
        except _Inapplicable as error:
            raise PatchError(index, str(error)) from None
    return new_text(tree, root)


class _Inapplicable(Exception):
    """The operation cannot be applied, with the reason."""


def _applied(root: Node, operation: Mapping[str, Any]) -> Node:
    """Return the root after an operation."""
    op = operation.get("op")
    path = _pointer(operation, "path")
    if op == "add":
        return _added(root, path, _new(operation))
    if op == "remove":
        _removed(root, path)
    elif op == "replace":
        _at(root, path)
        return _replaced(root, path, _new(operation))
    elif op == "test":
        if canonical(_at(root, path).value) != canonical(_value(operation)):
            raise _Inapplicable(f"the value at {display_pointer(path)} is another one")
    elif op == "copy":
        return _added(root, path, _at(root, _pointer(operation, "from")).copy())
    elif op == "move":
        return _moved(root, _pointer(operation, "from"), path)
    else:
        raise _Inapplicable(f'"op" must be one of {", ".join(_OPERATIONS)}, not {preview(op, 40)}')
    return root


def _pointer(operation: Mapping[str, Any], name: str) -> str:
    pointer = operation.get(name)
    if type(pointer) is not str or (pointer and not pointer.startswith("/")):
        shown = "missing" if name not in operation else f"not {preview(pointer, 40)}"
        raise _Inapplicable(f'"{name}" must be a JSON Pointer such as /content/title: {shown}')
    return pointer


def _value(operation: Mapping[str, Any]) -> Any:
    """Return the member `value`, as plain values."""
    if "value" not in operation:
        raise _Inapplicable('"value" is missing')
    plain, unfit = plain_copy(operation["value"], DEFAULT_LIMITS.max_depth)
    if unfit:
        raise _Inapplicable(f'"value": {unfit[0].message}')
    return plain


def _new(operation: Mapping[str, Any]) -> Node:
    return Node.of_text(dump(_value(operation), indent=False))


def _at(root: Node, pointer: str) -> Node:
    node: Node | None = root
    for token in parse_pointer(pointer):
        node = None if node is None else node.child(token)
    if node is None:
        raise _Inapplicable(f"there is no value at {display_pointer(pointer)}")
    return node


def _split(root: Node, path: str) -> tuple[Node, str]:
    """Return the container of a place, and the last token."""
    above, _, _ = path.rpartition("/")
    return _at(root, above), parse_pointer(path)[-1]


def _replaced(root: Node, path: str, new: Node) -> Node:
    """Return the root with a new value in the place of one that is there."""
    if not path:
        new.place = root.place
        return new
    container, token = _split(root, path)
    container.replace(token, new)
    return root


def _added(root: Node, path: str, new: Node) -> Node:
    """Return the root with a new value; a member that is there is replaced (RFC 6902, 4.1)."""
    if not path:
        return _replaced(root, path, new)
    container, last = _split(root, path)
    if container.kind == "object":
        if last in container.members:
            container.replace(last, new)
        else:
            container.add(last, new)
        return root
    above = display_pointer(path.rpartition("/")[0])
    if container.kind != "array":
        raise _Inapplicable(f"the value at {above} is neither an object nor an array")
    count = len(container.items)
    if last != "-" and not (is_index(last) and int(last) <= count):
        raise _Inapplicable(
            f"{preview(last, 40)} is no index of the {count} items at {above}, nor - for the end"
        )
    container.insert(count if last == "-" else int(last), new)
    return root


def _removed(root: Node, path: str) -> Node:
    """Remove a value, and return it."""
    _at(root, path)
    if not path:
        raise _Inapplicable("the whole text cannot be removed")
    container, token = _split(root, path)
    return container.remove(token)


def _moved(root: Node, source: str, path: str) -> Node:
    """Return the root with a value in another place; in the same object, it is renamed."""
    _at(root, source)
    if path == source:
        return root
    if path.startswith(f"{source}/"):
        raise _Inapplicable(f"{display_pointer(source)} cannot be moved into itself")
    container, token = _split(root, source)
    if not path or container.kind != "object" or container is not _split(root, path)[0]:
        return _added(root, path, _removed(root, source))
    name = parse_pointer(path)[-1]
    if name in container.members:
        container.remove(name)
    container.rename(token, name)
    return root

"""`patch`: a JSON Patch (RFC 6902) applied to a JSON text, everything else byte for byte.

The result has the value that the RFC prescribes. What the patch does not name keeps its tokens and
its white space; a member that is moved within its object is renamed in its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from widgetschema.errors import PatchError
from widgetschema.jsontext.equality import canonical
from widgetschema.jsontext.limits import DEFAULT_LIMITS, Limits
from widgetschema.jsontext.rewriting import Items, Keep, Members, NewMember, Node, Raw, rewrite
from widgetschema.jsontext.tree import Element, Member, Tree, parse
from widgetschema.jsontext.values import dump, plain_copy, preview
from widgetschema.pointers import display_pointer, format_pointer, is_index, parse_pointer

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
    for index, operation in enumerate(operations):
        tree = parse(text, limits)
        try:
            text = _apply(tree, operation)
        except _Inapplicable as error:
            raise PatchError(index, str(error)) from None
    return text


class _Inapplicable(Exception):
    """The operation cannot be applied, with the reason."""


def _apply(tree: Tree, operation: Mapping[str, Any]) -> str:
    op = operation.get("op")
    path = _pointer(operation, "path")
    if op == "add":
        return _add(tree, path, _node(_value(operation)))
    if op == "remove":
        return _remove(tree, path)
    if op == "replace":
        return _replace(tree, _at(tree, path), _node(_value(operation)))
    if op == "test":
        if canonical(_at(tree, path).value) != canonical(_value(operation)):
            raise _Inapplicable(f"the value at {display_pointer(path)} is another one")
        return tree.text
    if op in ("move", "copy"):
        source = _pointer(operation, "from")
        element = _at(tree, source)
        if op == "copy":
            return _add(tree, path, Raw(element.dedented))
        return _move(tree, source, path, element)
    raise _Inapplicable(f'"op" must be one of {", ".join(_OPERATIONS)}, not {preview(op, 40)}')


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


def _node(value: Any) -> Node:
    """Return a node of a plain value, which is laid out as its neighbours are."""
    if type(value) is dict:
        return Members(tuple(NewMember(name, _node(one)) for name, one in value.items()))
    if type(value) is list:
        return Items(tuple(map(_node, value)))
    return Raw(dump(value, indent=False))


def _replace(tree: Tree, element: Element, node: Node) -> str:
    """Return the text with a new value in place of an element."""
    if isinstance(node, Raw):
        node = Raw(node.text, element)
    return rewrite(tree, element, node)


def _at(tree: Tree, pointer: str) -> Element:
    element = tree.at(pointer)
    if element is None:
        raise _Inapplicable(f"there is no value at {display_pointer(pointer)}")
    return element


def _split(pointer: str) -> tuple[str, str]:
    """Return the pointer of the container, and the last token."""
    *above, last = parse_pointer(pointer)
    return format_pointer(above), last


def _add(tree: Tree, path: str, new: Node) -> str:
    """Return the text with a new value; a member that is there is replaced (RFC 6902, 4.1)."""
    if not path:
        return _replace(tree, tree.root, new)
    above, last = _split(path)
    container = _at(tree, above)
    if container.kind == "object":
        old = container.member(last)
        if old is not None:
            return _replace(tree, old.element, new)
        members = [*map(_kept_member, container.members), NewMember(last, new)]
        return rewrite(tree, container, Members(tuple(members), container))
    if container.kind != "array":
        raise _Inapplicable(
            f"the value at {display_pointer(above)} is neither an object nor an array"
        )
    count = len(container.items)
    if last != "-" and not (is_index(last) and int(last) <= count):
        raise _Inapplicable(
            f"{preview(last, 40)} is no index of the {count} items at {display_pointer(above)}, "
            "nor - for the end"
        )
    items: list[Node] = [*map(Keep, container.items)]
    items.insert(count if last == "-" else int(last), new)
    return rewrite(tree, container, Items(tuple(items), container))


def _remove(tree: Tree, path: str) -> str:
    element = _at(tree, path)
    if not path:
        raise _Inapplicable("the whole text cannot be removed")
    container = _at(tree, _split(path)[0])
    if container.kind == "object":
        kept = [member for member in container.members if member.element is not element]
        return rewrite(tree, container, Members(tuple(map(_kept_member, kept)), container))
    items = [Keep(item) for item in container.items if item is not element]
    return rewrite(tree, container, Items(tuple(items), container))


def _move(tree: Tree, source: str, path: str, element: Element) -> str:
    if path == source:
        return tree.text
    if path.startswith(f"{source}/"):
        raise _Inapplicable(f"{display_pointer(source)} cannot be moved into itself")
    (above, _), (target, name) = _split(source), _split(path)
    container = _at(tree, above)
    if above == target and container.kind == "object":
        return rewrite(tree, container, _renamed(container, element, name))
    moved = Raw(element.dedented)
    return _add(parse(_remove(tree, source)), path, moved)


def _renamed(container: Element, element: Element, name: str) -> Members:
    """Return the members of an object, one of them with another name, in place of its namesake."""
    return Members(
        tuple(
            NewMember(
                name if member.element is element else member.name, Keep(member.element), member
            )
            for member in container.members
            if member.element is element or member.name != name
        ),
        container,
    )


def _kept_member(member: Member) -> NewMember:
    return NewMember(member.name, Keep(member.element), member)

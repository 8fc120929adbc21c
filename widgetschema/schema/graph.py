"""The strongly connected components of a graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def components(below: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Return the components, each after those that it leads to (Tarjan's algorithm)."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    found: list[list[str]] = []
    for start in below:
        if start in order:
            continue
        todo = [(start, iter(below[start]))]
        order[start] = lowest[start] = len(order)
        stack.append(start)
        on_stack.add(start)
        while todo:
            node, rest = todo[-1]
            ahead = next(rest, None)
            if ahead is None:
                todo.pop()
                if todo:
                    lowest[todo[-1][0]] = min(lowest[todo[-1][0]], lowest[node])
                if lowest[node] == order[node]:
                    component = [stack.pop()]
                    while component[-1] != node:
                        component.append(stack.pop())
                    on_stack.difference_update(component)
                    found.append(component)
            elif ahead not in order:
                order[ahead] = lowest[ahead] = len(order)
                stack.append(ahead)
                on_stack.add(ahead)
                todo.append((ahead, iter(below[ahead])))
            elif ahead in on_stack:
                lowest[node] = min(lowest[node], order[ahead])
    return found

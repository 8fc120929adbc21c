"""`Compiler`: what the files with checks share, to make one of a keyword."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from widgetschema.findings import escape_token
from widgetschema.validation.explain.walk import Problem

if TYPE_CHECKING:
    from widgetschema.validation.explain.walk import Check, Explainer, Node, Path, Run


class Compiler:
    """One schema object on its way to checks: its keywords, its place, its subschemas."""

    def __init__(self, explainer: Explainer, pointer: str, schema: dict[str, Any]) -> None:
        self.explainer = explainer
        self.pointer = pointer
        self.schema = schema

    def place(self, keyword: str) -> str:
        return f"{self.pointer}/{keyword}"

    def node(self, keyword: str, *tokens: Any) -> Node:
        path = "".join(f"/{escape_token(str(token))}" for token in (keyword, *tokens))
        return self.explainer.node(self.pointer + path)

    def simple(self, keyword: str, fails: Callable[[Any, Any], bool]) -> list[Check]:
        """A check of `fails(value, limit)`, if the schema has the keyword."""
        if keyword not in self.schema:
            return []
        limit, place = self.schema[keyword], self.place(keyword)

        def check(value: Any, path: Path, run: Run) -> None:
            if fails(value, limit):
                run.problems.append(Problem(keyword, path, place, value, limit))

        return [check]

    def engine(self, keyword: str, argument: Any) -> list[Check]:
        """A check that the engine decides."""
        leaf, place = self.explainer.leaf(keyword, argument), self.place(keyword)
        limit = self.schema[keyword]

        def check(value: Any, path: Path, run: Run) -> None:
            if not leaf(value):
                run.problems.append(Problem(keyword, path, place, value, limit))

        return [check]

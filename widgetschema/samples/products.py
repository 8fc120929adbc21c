"""`Products`: the samples, coverage set, near-misses and strategies of one schema."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from widgetschema.cached import cached_property
from widgetschema.errors import MissingExtra
from widgetschema.samples.cases import CaseSet, Target
from widgetschema.samples.choosers import (
    DEFAULT_DEPTH,
    DEFAULT_FULL_DEPTH,
    DEFAULT_ITEMS,
    MaximalChooser,
)
from widgetschema.samples.coverage import MAX_CASES, Coverage
from widgetschema.samples.model import DEFAULT_FILL, DeadEnd
from widgetschema.samples.near_misses import NearMisses
from widgetschema.samples.plan import MAX_CACHED_STEPS, Plan
from widgetschema.samples.sampler import Sampler, check_reach
from widgetschema.samples.values.formats import words_of
from widgetschema.samples.values.locales import load_locale
from widgetschema.schema.linking import LinkedSchema
from widgetschema.schema.tree import SchemaTree
from widgetschema.validation import Validator

if TYPE_CHECKING:
    from widgetschema.samples.strategies import Strategies


_OF_FILES: Final = frozenset(
    """a an and config configuration data definition definitions document file files for format
    from in json of or rfc schema schemas the to toml v with xml yaml yml""".split()
)
_MAX_TITLE_WORDS: Final = 6  # words in a title that is a name, not a sentence


def subject_of(linked: LinkedSchema) -> str:
    """Return the subject of a schema, by its title or `$id`; "" if that is not known.

    The meaning of a name depends on it: the `title` of a countdown differs from that of a page.
    """
    title = linked.schema.get("title") if type(linked.schema) is dict else None
    last_segment = (linked.id or "").rstrip("/#").rpartition("/")[2].partition(".")[0]
    known = words_of(title if title and type(title) is str else last_segment)
    words = [word for word in known if word not in _OF_FILES and word.isalpha()]
    return " ".join(words) if len(words) <= _MAX_TITLE_WORDS else ""


class Products:
    """Samples, coverage set, near-misses and strategies of the schema of a validator.

    Safe to share among threads.
    """

    def __init__(self, validator: Validator) -> None:
        self.validator = validator
        self._plans: dict[tuple[str, bool, str | None], Plan] = {}
        self._samplers: dict[tuple[Any, ...], Sampler] = {}
        self._sets: dict[tuple[Any, ...], CaseSet] = {}

    def plan(
        self, locale: str = "en", *, examples: bool = False, horizon: str | None = None
    ) -> Plan:
        """Return the plan in a locale. Raises `LookupError` for an unknown one, `ValueError` for
        an invalid horizon.
        """
        key = locale, examples, horizon
        if key not in self._plans:
            self._plans[key] = self._plan(
                locale, MAX_CACHED_STEPS, examples=examples, horizon=horizon
            )
        return self._plans[key]

    def _plan(
        self,
        locale: str,
        most_steps: int,
        *,
        examples: bool = False,
        max_items: int | None = None,
        horizon: str | None = None,
    ) -> Plan:
        return Plan(
            SchemaTree(self.validator.linked, self.validator.matches),
            load_locale(locale, horizon),
            subject=subject_of(self.validator.linked),
            formats=self.validator.formats,
            engine=self.validator.engine,
            most_steps=most_steps,
            examples=examples,
            max_items=max_items,
        )

    def sampler(
        self,
        fill: float = DEFAULT_FILL,
        overrides: Mapping[str, Any] | None = None,
        locale: str = "en",
        *,
        examples: bool = True,
        horizon: str | None = None,
        max_depth: int = DEFAULT_DEPTH,
        max_items: int = DEFAULT_ITEMS,
    ) -> Sampler:
        """Return the sampler with these settings; kept, unless it has overrides."""
        key = (fill, locale, examples, horizon, max_depth, max_items)
        sampler = None if overrides else self._samplers.get(key)
        if sampler is None:
            sampler = Sampler(
                self.plan(locale, examples=examples, horizon=horizon),
                self.validator,
                fill=fill,
                overrides=overrides,
                max_depth=max_depth,
                max_items=max_items,
            )
            if not overrides:
                self._samplers[key] = sampler
        return sampler

    def maximal(
        self,
        locale: str = "en",
        *,
        max_depth: int = DEFAULT_FULL_DEPTH,
        max_items: int | None = None,
        horizon: str | None = None,
    ) -> Any:
        """Return data with every member. Raises `CannotGenerate`."""
        sampler = self.sampler(locale=locale, horizon=horizon)
        return sampler.maximal(max_depth=max_depth, max_items=max_items)

    def member(self, name: str) -> Any:
        """Return a value for a member of the instance, a text if it may be one. Raises
        `DeadEnd`.
        """
        plan = self.plan()
        whole = plan.tree.root.of_kind("object")
        node = whole.child(name)
        if not node.key.pointers:  # its schema depends on a choice
            made = plan.step(whole, ()).make(MaximalChooser("object"), ())
            if name not in made:
                raise DeadEnd(whole.pointer, "there is no such property")
            return made[name]
        node = node.of_kind("string") if "string" in node.kinds else node
        return plan.step(node, (name,)).make(MaximalChooser(name), ())

    def coverage(self, max_cases: int = MAX_CASES, **reach: Any) -> CaseSet:
        """Return the coverage set, made once; the data is the caller's own.

        `reach` is `locale`, `max_depth`, `max_items` and `horizon`. Raises `CannotGenerate`.
        """
        key = ("coverage", max_cases, *sorted(reach.items()))
        if key not in self._sets:
            self._sets[key] = self._explored(max_cases, **reach).run()
        return self._sets[key].copy()

    def near_misses(self, max_cases: int = MAX_CASES, **reach: Any) -> CaseSet:
        """Return the near-misses, as `coverage` returns its cases."""
        key = ("near-misses", max_cases, *sorted(reach.items()))
        if key not in self._sets:
            explored = self._explored(MAX_CASES, **reach)
            found = NearMisses(self.validator).run(explored.found_bases(), max_cases)
            # Places that only come up with an omitted answer have no line of their own.
            beyond = (Target(f"beyond {id}", None, why) for id, why in explored.left_out.items())
            self._sets[key] = CaseSet(
                found.cases, (*found.ledger, *beyond), explored.steps + found.steps
            )
        return self._sets[key].copy()

    def _explored(
        self,
        max_cases: int,
        *,
        locale: str = "en",
        max_depth: int = DEFAULT_FULL_DEPTH,
        max_items: int | None = None,
        horizon: str | None = None,
    ) -> Coverage:
        check_reach(max_depth, max_items)
        self.sampler(
            locale=locale, horizon=horizon
        ).sample()  # says why, if there is no valid data at all
        # Steps identify questions, so this plan is a separate one that keeps all of its steps.
        plan = self._plan(locale, sys.maxsize, max_items=max_items, horizon=horizon)
        return Coverage(plan, self.validator, max_cases, max_depth)

    @cached_property
    def strategies(self) -> Strategies:
        """The Hypothesis strategies. Raises `MissingExtra` if that is not installed."""
        try:
            from widgetschema.samples.strategies import Strategies
        except ImportError as error:
            if error.name is None or error.name.partition(".")[0] != "hypothesis":
                raise
            raise MissingExtra("hypothesis", "strategies need Hypothesis") from None
        return Strategies(
            self.plan,
            self.validator,
            self.sampler(),
            self.near_misses,
        )

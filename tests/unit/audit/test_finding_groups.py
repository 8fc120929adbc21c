"""Groups of findings: the texts that all findings of a group share."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from widgetschema import Validator
from widgetschema.audit.finding_groups import FindingGroup, GroupKey
from widgetschema.validation.explain.deferred import DeferredFinding, deferred_finding

WHEN = {"if": {"required": ["a"]}, "then": {"required": ["b"]}}


@pytest.mark.parametrize(
    ("schema", "values", "message", "hint"),
    [
        ({"required": ["title"]}, [{}, {"x": 1}], 'the member "title" is missing', None),
        ({"required": ["title"]}, [{}, {"titel": 1}], 'the member "title" is missing', ""),
        ({"enum": ["large"]}, ["larg", "largee"], "", "did you mean"),
        ({"enum": ["large"]}, ["larg", "x"], "", ""),
        ({"enum": ["large"]}, ["x", "y"], "", None),
        ({"maxItems": 1}, [[1, 2], [3, 4]], "the array has 2 items, but", None),
        ({"maxItems": 1}, [[1, 2], [1, 2, 3]], "", None),
        ({"items": WHEN}, [[{"a": 1}], [0, {"a": 1}]], 'the member "b" is missing', None),
    ],
)  # fmt: skip
def test_message_and_hint_are_those_of_all_findings(
    schema: Any, values: list[Any], message: str, hint: str | None
) -> None:
    for some in permutations([*values, values[0]]):
        group = FindingGroup(GroupKey("t", "k", ""), "")
        for value in some:
            [finding] = Validator(schema).check_plain(value, finding_of=deferred_finding).findings
            assert isinstance(finding, DeferredFinding)
            if group.findings:
                group.note_words(finding, *finding.general)
            else:
                group.words(finding)
            group.findings += 1
        assert group.message.startswith(message)
        assert bool(group.message) == bool(message)
        assert (group.hint is None) == (hint is None)
        assert hint is None or (group.hint or "").startswith(hint)
        assert bool(group.hint) == bool(hint)

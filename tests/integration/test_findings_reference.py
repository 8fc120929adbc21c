"""The examples of the findings reference are true."""

from __future__ import annotations

import json

import pytest

from tests.findings import PAGES, examples, folder_of, page, printed, shown
from widgetschema.manual_pages import reported
from widgetschema.schema.keywords import KEYWORDS

# Codes that are seen too rarely, or take too much, to be shown: a pattern that is given up within
# `not`, 10,000 findings in one file, a platform that cannot be reached.
WITHOUT_EXAMPLE = {"schema", "problem.truncated", "problem.network"}
EXAMPLES = examples()


def test_every_code_of_a_file_has_an_example() -> None:
    assert {code for code, one in KEYWORDS.items() if one.selectable} == (
        {code for code in EXAMPLES if KEYWORDS[code].selectable} | WITHOUT_EXAMPLE
    )
    assert (
        {path.stem for path in PAGES.iterdir()} == {one.code for one in reported()} >= {*EXAMPLES}
    )


@pytest.mark.parametrize("code", [one.code for one in reported()])
def test_a_page_is_true(code: str) -> None:
    """If it is not, run `python -m tests.manual --generate`."""
    example = shown(EXAMPLES.get(code, {}))
    assert (PAGES / f"{code}.md").read_text("utf-8") == page(KEYWORDS[code], example)
    if not example:
        return
    if "good" in example and not code.startswith("ignore."):
        with folder_of(example):
            assert printed(example, name="good") == ""
    if not code.startswith("problem."):
        assert f" {code} " in example["prints"]
    if "fixed" in example:
        assert KEYWORDS[code].fix
        value = json.loads(example["fixed"])
        assert code.startswith("json.") or value != json.loads(example["bad"])
    elif "python" not in example:
        # The one is about several that match, the other about a byte.
        assert not KEYWORDS[code].fix or code in ("oneOf", "json.encoding")

"""The manual as it is read on a Git host: complete, up to date, and linked."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import cmarkgfm
import pytest
from selectolax.lexbor import LexborHTMLParser

from tests import findings
from tests.checkout import ROOT
from tests.manual import PAGES, outdated, read, shown_parts
from tests.python_reference import PUBLIC

ALL = (*PAGES, *sorted(findings.PAGES.glob("*.md")), ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md")
# What is left of Sphinx: directives, roles, targets, attributes and fields that Markdown shows as text.
SPHINX = re.compile(
    r"<pre lang=\"\{|:::|\{[\w:-]+\}<code|<p>\(.*\)=|\{[.#][\w-]+\}|<p>\.\. |<p>:\w+:"
)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def html(path: Path) -> str:
    return str(cmarkgfm.github_flavored_markdown_to_html(path.read_text(encoding="utf-8")))


@cache
def rendered(path: Path) -> LexborHTMLParser:
    return LexborHTMLParser(html(path))


@cache
def anchors(path: Path) -> frozenset[str]:
    """The ids that GitHub gives to headings."""
    seen: Counter[str] = Counter()
    found = set()
    for heading in rendered(path).css("h1, h2, h3, h4, h5, h6"):
        slug = re.sub(r"[^\w\- ]", "", heading.text().strip().lower()).replace(" ", "-")
        found.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
        seen[slug] += 1
    return frozenset(found)


@pytest.mark.parametrize("path", ALL, ids=name_of)
def test_a_page_is_plain_markdown(path: Path) -> None:
    assert SPHINX.search(re.sub("<code>.*?</code>", "<code>", html(path), flags=re.DOTALL)) is None
    for code in rendered(path).css("pre, code"):
        assert code.text().strip(), "an empty block"


@pytest.mark.parametrize(
    "text",
    [
        "```{note}\nx\n```",
        ":::{note}\nx\n:::",
        "See {doc}`a`.",
        "(a)=\n# A",
        "[a](b){.c}",
        ".. note:: a",
        ":orphan:",
    ],
)
def test_what_only_sphinx_reads_is_noticed(text: str) -> None:
    assert SPHINX.search(cmarkgfm.github_flavored_markdown_to_html(text))


@pytest.mark.parametrize("path", ALL, ids=name_of)
def test_links_lead_somewhere(path: Path) -> None:
    targets = [
        str(node.attributes.get("href") or node.attributes.get("src"))
        for node in rendered(path).css("a[href], img[src]")
    ]
    for target in targets:
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        page = (path.parent / file).resolve() if file else path
        assert page.exists(), target
        if anchor:
            assert anchor in anchors(page), target


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_what_is_written_into_a_page_is_up_to_date(path: Path) -> None:
    """If it is not, run `python -m tests.manual --generate`."""
    page = read(path)
    assert [text for _, _, text in outdated(page)] == []


@pytest.mark.parametrize(
    ("shown", "is_shown_now"),
    [
        ("a\nb\n", "0\na\nx\nb\n1\n]\n2\n"),
        ("# …\na\nb\n# …\n", "# …\na\nx\nb\n# …\n"),
        ("# …\na\nold\nb\n# …\n1\n]\n# …\n", "# …\na\nx\nb\n# …\n1\n]\n# …\n"),
        ("# …\nold\nb\n", "0\na\nx\nb\n1\n]\n2\n"),
    ],
)
def test_the_parts_of_a_file_follow_the_file(shown: str, is_shown_now: str) -> None:
    assert shown_parts("0\na\nx\nb\n1\n]\n2\n", shown) == is_shown_now


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_files_have_their_names(path: Path) -> None:
    for block in read(path).blocks:
        if block.source is not None or block.language in ("toml", "yaml"):
            assert block.file is not None, f"line {block.line}"


def test_every_page_is_in_the_contents() -> None:
    index = ROOT / "docs" / "index.md"
    linked = {
        (index.parent / target).resolve()
        for target in re.findall(r"\]\((\S+\.md)\)", index.read_text(encoding="utf-8"))
    }
    assert {path for path in PAGES if path.parent.parent == index.parent} == linked


def test_the_python_reference_has_every_public_name() -> None:
    page = ROOT / "docs" / "reference" / "python.md"
    entries = set(re.findall(r"^### `widgetschema\.(\S+)`$", page.read_text("utf-8"), re.MULTILINE))
    assert PUBLIC - {"__version__"} <= entries


EXTRAS = {  # by the library, or the package, that an extra makes usable
    "attrs": "attrs",
    "django": "django",
    "fastapi": "fastapi",
    "flask": "flask",
    "hypothesis": "hypothesis",
    "jsonschema": "python",
    "pyarrow": "arrow",
    "pydantic": "pydantic",
    "rest_framework": "django-rest",
    "sqlalchemy": "sqlalchemy",
    "starlette": "starlette",
    "widgetschema.mcp": "mcp",
    "widgetschema.sandbox": "sandbox",
}
GUIDES = [path for path in PAGES if path.parent.name == "guides"]


@pytest.mark.parametrize("path", GUIDES, ids=name_of)
def test_a_guide_names_the_extras_that_its_code_needs(path: Path) -> None:
    page = read(path)
    for block in page.blocks:
        if block.language != "python":
            continue
        modules = [f"{one}." for one in re.findall(r"^(?:from|import) ([\w.]+)", block.code, re.M)]
        needed = {
            extra
            for library, extra in EXTRAS.items()
            if any(module.startswith(f"{library}.") for module in modules)
        }
        before = page.text[: block.start]
        commands = ",".join(
            re.findall(r"pip install \"PATH/TO/CHECKOUT\[([\w,-]+)\]\"", before)
        ).split(",")
        assert needed <= {*commands, *re.findall(r"`([\w-]+)`", before)}, f"line {block.line}"

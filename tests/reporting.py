"""Reports for tests: results to report, what the schemas of the formats say, what parsers count.

`tests/data/reporters/ordinary.*` are the reports of one ordinary run. `python -m tests.reporting`
writes them anew; read the difference.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import jsonschema_rs
import xmlschema
from cmarkgfm import github_flavored_markdown_to_html
from cmarkgfm.cmark import Options
from hypothesis import strategies as st

from widgetschema.findings import Finding, Fix, Provenance
from widgetschema.project.checking.results import (
    DocumentResult,
    Excerpt,
    LocatedFinding,
    Outcome,
    Problem,
    Result,
    Severity,
    Summary,
    Suppressed,
)
from widgetschema.project.report_formats import (
    AUTO,
    ReportContext,
    Reporter,
    create_reporter,
    own_names,
)
from widgetschema.reporters.formats.github import GithubReporter
from widgetschema.reporters.formats.junit import JunitReporter
from widgetschema.reporters.formats.text import TextReporter
from widgetschema.reporters.style import plain
from widgetschema.text import printable

DATA = Path(__file__).resolve().parent / "data"
FOLDER = "/work/project"
SARIF = ("github-sarif", "sarif")
TOKEN = "0123456789abcdef"
TWELVE = Excerpt('"a": ', "12", ",")
NASTY = (
    "😀 e\u0301 \u202ebidi\u2066 \x00\x07\x1b[31m\x7f\x85\u2028 ]]> &amp; %0A%25 ::error::x ##[error]x "
    "a|b\\|c `x` ``y`` <script>alert(1)</script> *b* _i_ [l](http://x.y) {0} {{1}} @u www.x.y \r\n\t"
    "\ud800\ufffe '\" https://x.y ![i](u) <!-- --> $m$ ~~s~~ # h"
)
NAMES = (
    f"{FOLDER}/a b#c%d?.json",
    f"{FOLDER}/größe/日本.json",
    f"{FOLDER}/new\nline\rand\ttab.json",
    f"{FOLDER}/::error::x,y:z.json",
    f'{FOLDER}/a|b`c`<d>&"e".json',
    f"{FOLDER}/-",
    f"{FOLDER}/ space .json",
    f"{FOLDER}/c:d.json",
    f"{FOLDER}/raw\udcff\udcfe.json",
    "/elsewhere/x.json",
    "-",
)


def reporters(folder: str = FOLDER) -> dict[str, Reporter]:
    """A reporter of each format for programs and CI, with fixed clock and token."""
    context = ReportContext(folder, plain, printable)
    names = (name for name in own_names() if name not in (AUTO, "text"))
    return {
        **{name: create_reporter(name, context) for name in names},
        "junit": JunitReporter(folder, iter((1_800_000_000.0, 1_800_000_001.25)).__next__),
        "github": GithubReporter(folder, TextReporter(), token=TOKEN),
    }


def report(reporter: Reporter, results: Iterable[Result], **outcome: Any) -> str:
    """The whole text of a reporter for a run with these results."""
    results = list(results)
    parts, summary = [], Summary(files=len(results))
    for result in results:
        if isinstance(result, DocumentResult):
            parts.append(reporter.document(result))
            summary = summary.with_document(result)
        else:
            parts.append(reporter.problem(result))
            summary = summary.with_problem(result)
    problems = [result for result in results if isinstance(result, Problem)]
    parts.append(reporter.end(Outcome(summary, problems, **outcome)))
    return "".join(parts)


def reports(results: Iterable[Result], **outcome: Any) -> dict[str, str]:
    """The text in each format."""
    results = list(results)
    return {name: report(one, results, **outcome) for name, one in reporters().items()}


def found(
    keyword: str = "type",
    path: str = "/data/a",
    message: str = "it is wrong",
    hint: str | None = None,
    *,
    line: int | None = 3,
    column: int | None = 5,
    severity: Severity = "error",
    excerpt: Excerpt = TWELVE,
    fingerprint: str = "",
    fix: Fix | None = None,
) -> LocatedFinding:
    """A finding that is as long as what is marked."""
    finding = Finding(keyword, path, f"/{keyword}", message, hint, line, column, fix=fix)
    end = (column or 1) + len(excerpt.marked)
    return LocatedFinding(finding, line or 1, end, excerpt, severity, fingerprint)


def many(number: int) -> list[DocumentResult]:
    """Documents with ten findings each, `number` in all."""
    return [
        DocumentResult(
            f"{FOLDER}/widgets/{index}.json",
            kind="data",
            type_id="countdown",
            findings=tuple(
                found(path=f"/items/{item}/a", line=item + 1, fingerprint=f"{index:06}-{item}")
                for item in range(10)
            ),
        )
        for index in range(number // 10)
    ]


def ordinary() -> list[Result]:
    """Results of every sort."""
    countdown: dict[str, Any] = {"kind": "data", "type_id": "countdown"}
    renamed = found(
        "additionalProperties",
        "/content/showTitel",
        'unknown property "showTitel"',
        'did you mean "showTitle"?',
        excerpt=Excerpt("", '"showTitel"', ": true,"),
        fingerprint="aaaa",
        fix=Fix("name", '"showTitle"'),
    )
    typed = found(
        "type",
        "/content/days",
        'must be an integer, and is a string: "30"',
        "write 30 without quotes",
        line=4,
        column=12,
        excerpt=Excerpt('"days": ', '"30"', ","),
        fingerprint="bbbb",
        fix=Fix("value", "30"),
    )
    warned = found("format", "/content/end", "this is no date-time", line=5, severity="warning")
    noted = found("pattern", "/a", "it is odd", line=6, severity="note", fingerprint="dddd")
    known = found("enum", "/content/size", "is not allowed", line=8, fingerprint="old1")
    comma = found(
        "json.syntax",
        "",
        "a comma is missing",
        line=7,
        column=1,
        excerpt=Excerpt(),
        fingerprint="ee",
    )
    return [
        DocumentResult("widgets/good.json", **countdown),
        DocumentResult(
            "widgets/bad.json", findings=(renamed, typed), **countdown, hint="is it a document?"
        ),
        DocumentResult("widgets/odd.json", findings=(warned, noted), **countdown),
        DocumentResult(
            "widgets/list.json", "/widgets/3", findings=(typed,), kind="document", type_id="faq"
        ),
        DocumentResult(
            "widgets/old.json",
            known=1,
            ignored=2,
            suppressed=(
                Suppressed(known, IN_BASELINE, is_known=True),
                Suppressed(
                    known._replace(fingerprint="old2"), ("the shop needs it",), is_known=False
                ),
                Suppressed(
                    warned._replace(fingerprint="old3"), ("the shop needs it",), is_known=False
                ),
            ),
            **countdown,
        ),
        DocumentResult("more.ndjson", line=12, findings=(comma,), readable=False),
        Problem("widgets/gone.json", "no such file or directory", 3, fingerprint="ffff"),
        Problem(
            "widgets/list.json", "cannot determine the widget type", 2, "/widgets/4", 40, 5, "gggg"
        ),
    ]


IN_BASELINE = ("in the baseline widgetschema-baseline.json",)
ORDINARY_OUTCOME: Mapping[str, Any] = {
    "schemas": [
        Provenance("countdown", "/work/project/schemas/countdown.json", "0" * 64),
        Provenance("plugin", "/home/someone/.cache/widgetschema/plugin.json", "1" * 64),
        Provenance("faq", "bundled", "2" * 64),
    ],
    "resolved": ["widgets/bad.json type /content/size"],
    "suppressed": [
        Suppressed(
            Problem(f"{FOLDER}/widgets/link.json", "cannot be read", 3, fingerprint="old4"),
            IN_BASELINE,
            is_known=True,
        )
    ],
    "has_baseline": True,
}


def ordinary_reports() -> dict[str, str]:
    """The report of the ordinary run in each format, the same wherever it is made."""
    inside = [one._replace(file=f"{FOLDER}/{one.file}") for one in ordinary()]
    made = reports(inside, **ORDINARY_OUTCOME)
    for name in SARIF:
        made[name] = re.sub(
            r'("name": "widgetschema",\s+"version": )"[^"]*"', r'\1"0.0.0"', made[name]
        )
    return made


# What schemas and real parsers say


class Log(NamedTuple):
    """A log of GitHub Actions as the runner understands it."""

    commands: list[tuple[str, dict[str, str], str]]
    lines: list[str]


def understood(text: str) -> Log:
    """The commands in a log, unescaped by the rules of the runner, and its plain lines."""
    commands, lines, stopped = [], [], None
    for line in text.split("\n")[:-1]:
        match = re.match(r"\s*::([^ :]+)(?: (.*?))?::(.*)$", line, re.DOTALL)
        if stopped is not None and not (match and match[1] == stopped):
            lines.append(line)
            continue
        old = re.search(r"##\[([^ \]]+)", line)
        assert match or not old, line
        if match is None:
            lines.append(line)
        elif match[1] == "stop-commands":
            stopped = match[3]
        elif match[1] == stopped:
            stopped = None
        else:
            pairs = (pair.split("=", 1) for pair in (match[2] or "").split(",") if pair)
            properties = {key: _unescaped(value, ":,") for key, value in pairs}
            commands.append((match[1], properties, _unescaped(match[3])))
    assert stopped is None
    return Log(commands, lines)


def _unescaped(text: str, more: str = "") -> str:
    for character in ("\r", "\n", *more, "%"):
        text = text.replace(f"%{ord(character):02X}", character)
    return text


class Page(HTMLParser):
    """The tags and the cells of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.cells: list[list[str]] = []
        self._texts: list[str] = []
        self._is_in_a_cell = False

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self.tags.append(tag if tag != "a" else f"a {dict(attrs)['href']}")
        if tag == "tr":
            self.cells.append([])
        elif tag == "td":
            self._is_in_a_cell = True
            self.cells[-1].append("")
        elif tag == "br":
            self.handle_data("\n")

    def handle_endtag(self, tag: str) -> None:
        self._is_in_a_cell = self._is_in_a_cell and tag != "td"

    def handle_data(self, data: str) -> None:
        self._texts.append(data)
        if self._is_in_a_cell:
            self.cells[-1][-1] += data

    @property
    def text(self) -> str:
        """All text of the page."""
        return "".join(self._texts)

    @property
    def rows(self) -> list[list[str]]:
        """The rows of the table without its heading."""
        return [row for row in self.cells if row]


def page(markdown: str) -> Page:
    """Markdown as GitHub renders it."""
    parsed = Page()
    text = markdown.encode(errors="replace").decode()
    parsed.feed(github_flavored_markdown_to_html(text, Options.CMARK_OPT_UNSAFE))
    parsed.close()
    return parsed


def junit_lines(text: str) -> list[str]:
    """The lines of a JUnit report that are findings."""
    root = ElementTree.fromstring(text.encode(errors="replace"))
    elements = [one for tag in ("failure", "error", "system-out") for one in root.iter(tag)]
    lines = [line for one in elements for line in (one.text or "").split("\n")]
    return [line for line in lines if line and not line.startswith(" ")]


def counted(format: str, text: str) -> int:
    """Count the findings and problems that a parser finds in a report."""
    if format == "json":
        value = json.loads(text)
        return len(value["problems"]) + sum(len(one["findings"]) for one in value["documents"])
    if format == "ndjson":
        return sum("keyword" in json.loads(line) for line in text.splitlines())
    if format in SARIF:
        results = json.loads(text)["runs"][0]["results"]
        return sum("suppressions" not in one for one in results)
    if format == "junit":
        return len(junit_lines(text))
    if format == "github":
        return _annotations(text)
    if format == "gitlab":
        return len(json.loads(text))
    assert format == "markdown", f"counted() does not know how to count findings in {format}"
    shown = page(text)
    more = re.search(r"^… and ([\d,]+) more$", shown.text, re.MULTILINE)
    return len(shown.rows) + (int(more[1].replace(",", "")) if more else 0)


def _annotations(text: str) -> int:
    commands = [
        one for one in understood(text).commands if one[0] in ("error", "warning", "notice")
    ]
    rest = [one for one in commands if one[1].get("title") == "widgetschema"]
    more = re.findall(r"([\d,]+) more", rest[0][2]) if rest else []
    return len(commands) - len(rest) + sum(int(number.replace(",", "")) for number in more)


@cache
def _json_schema(path: Path) -> Any:
    return jsonschema_rs.Draft7Validator(json.loads(path.read_text("utf-8")), validate_formats=True)


@cache
def _junit_rules() -> Any:
    return xmlschema.XMLSchema10(DATA / "reporters" / "junit-rules.xsd")


def assert_well_formed(format: str, text: str) -> None:
    """Assert that a report has the syntax of its format and keeps the rules that we wrote down.

    `tests/thorough/test_report_schemas.py` validates reports by the schemas that others publish.
    """
    if format in SARIF:
        scalar_json(text)
    elif format == "junit":
        _junit_rules().validate(text.encode(errors="strict").decode())
    elif format == "gitlab":
        items = scalar_json(text)
        _json_schema(DATA / "reporters" / "gitlab-rules.json").validate(items)
        assert len({item["fingerprint"] for item in items}) == len(items)
    elif format == "ndjson":
        for line in text.splitlines():
            assert isinstance(json.loads(line), dict)


def scalar_json(text: str) -> Any:
    """The value of JSON text without lone surrogates: JSON has them, but the engine cannot."""
    value = json.loads(text)
    if not re.search("[\ud800-\udfff]|\\\\ud", text):
        return value
    return json.loads(re.sub("[\ud800-\udfff]", "?", json.dumps(value, ensure_ascii=False)))


# Random results

_texts = st.text(max_size=30) | st.sampled_from(NASTY.split(" ")) | st.just(NASTY)
_names = st.sampled_from(NAMES) | st.builds(
    "{}/{}".format,
    st.just(FOLDER),
    st.text(min_size=1, max_size=20).filter(lambda t: t.strip("./")),
)
_keywords = st.sampled_from(
    ["type", "additionalProperties", "json.syntax", "ignore.unused", "schema", "unheard.of"]
)
_pointers = st.sampled_from(["", "/a", "/a/0/b~1c", "/😀/\u202e/|`<", "/widgets/3/data"])
_fixes = st.none() | st.builds(Fix, st.sampled_from(["value", "name"]), _texts)


@st.composite
def _found(draw: st.DrawFn) -> LocatedFinding:
    is_placed = draw(st.booleans())
    line, column = draw(st.integers(1, 10**6)), draw(st.integers(1, 500))
    finding = Finding(
        draw(_keywords),
        draw(_pointers),
        "",
        draw(_texts),
        draw(st.none() | _texts),
        line if is_placed else None,
        column if is_placed else None,
        fix=draw(_fixes),
    )
    more = draw(st.integers(0, 3))
    return LocatedFinding(
        finding,
        line + more,
        draw(st.integers(1, 500)) if more else column + draw(st.integers(0, 50)),
        Excerpt(draw(_texts), draw(_texts), ""),
        draw(st.sampled_from(["error", "warning", "note"])),
        draw(st.sampled_from(["", "a", "b", "c"])),
    )


_checked = st.builds(
    DocumentResult,
    _names,
    _pointers,
    st.none() | st.integers(1, 99),
    st.sampled_from([None, "data", "document"]),
    st.none() | _texts,
    st.lists(_found(), max_size=25).map(tuple),
    st.booleans(),
    st.none() | _texts,
    known=st.integers(0, 2),
    ignored=st.integers(0, 2),
    suppressed=st.lists(
        st.builds(Suppressed, _found(), st.tuples(_texts), st.booleans()), max_size=2
    ).map(tuple),
)
_problem = st.builds(
    Problem,
    _names,
    _texts,
    st.integers(1, 5),
    _pointers,
    st.none() | st.integers(1, 99),
    st.none() | st.integers(1, 99),
)
RESULTS: st.SearchStrategy[list[Result]] = st.lists(_checked | _problem, max_size=4)


def main() -> None:
    """Write the reports of the ordinary run anew."""
    for name, text in ordinary_reports().items():
        (DATA / "reporters" / f"ordinary.{name}").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

"""The runs of the recorder: commands and functions, and the files that they work on.

Inputs never come from the package, which differs between the sides: they are files of the corpus
and of `tests/data`, and changes of these that are made here.
"""

from __future__ import annotations

import json
import random
import sqlite3
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import click

from widgetschema import SchemaError, Validator, WidgetType
from widgetschema.cli.main import cli
from widgetschema.samples import Products

Json = Any
Step = str | Callable[[], str]  # the words of a command, or a function
Files = Mapping[str, Path | bytes]

_CASES: Final = 30  # of coverage sets and near-misses
_ODD: Final[Sequence[Json]] = json.loads(
    '[null, true, -1, 1.5, 1e30, "", " x ", "2026-13-01", [], {}, [{}], {"data": {}}]'
)
LINES: Final = tomllib.loads(Path(__file__).with_name("lines.toml").read_text("utf-8"))


@dataclass(frozen=True)
class Run:
    """A run: its name, its steps, the files of its folder, and what it reads from standard input.

    A run with a `sandbox` finds a platform at the address of the environment.
    """

    name: str
    steps: Sequence[Step]
    files: Files = field(default_factory=dict)
    stdin: bytes = b""
    sandbox: bool = False


@dataclass(frozen=True)
class Subject:
    """A schema, and documents of which some are valid."""

    name: str
    schema: Path
    documents: Sequence[Path]

    def widget_type(self) -> WidgetType:
        """Return the type; the bundled schemas describe documents, most others the data."""
        schema = json.loads(self.schema.read_bytes())
        return WidgetType.from_schema(
            schema, id=self.name, describes="document" if self.is_bundled else "data"
        )

    @property
    def is_bundled(self) -> bool:
        return self.schema.with_name("manifest.json").exists()

    def records(self) -> bytes:
        """Return lines: the documents, what becomes of them with a change each, and a mistake."""
        rnd = random.Random(self.name)
        values = [json.loads(path.read_bytes()) for path in self.documents] or [{}]
        values += [mutated(rnd, rnd.choice(values)) for _ in range(20)]
        dated = (
            {"id": f"w{index}", "updated": f"2026-0{index % 9 + 1}-11T00:00:00Z", "data": value}
            for index, value in enumerate(values)
        )
        return f"{_lines(dated)}{{broken\n".encode()


def mutated(rnd: random.Random, value: Json) -> Json:
    """Return a copy of a value with one change: a part that is another, gone, or renamed."""
    if not isinstance(value, (dict, list)) or not value or rnd.random() < 0.2:
        return rnd.choice(_ODD)
    key = rnd.choice([*value] if isinstance(value, dict) else [*range(len(value))])
    copy, fate = value.copy(), rnd.random()
    if fate < 0.2:
        del copy[key]
    elif fate < 0.3 and isinstance(copy, dict):
        copy[f"{key}x"] = copy.pop(key)
    else:
        copy[key] = mutated(rnd, value[key])
    return copy


def runs(root: Path, corpus: Path | None) -> Iterator[Run]:
    """Yield all runs; `root` is the checkout whose data is used."""
    data = root / "tests" / "data"
    widgets = sorted((data / "widgets").glob("*.json"))
    bundled = sorted((root / "schemas").glob("*.json"))
    subjects = [Subject(path.stem, path, widgets) for path in bundled if path.stem != "manifest"]
    for path in sorted(corpus.glob("schemas/*.json")) if corpus else ():
        documents = sorted(path.parents[1].glob(f"*valid/{path.stem}/*.json"))
        subjects.append(Subject(path.stem, path, documents))
    for index, subject in enumerate(subjects):
        for name, work in _FUNCTIONS.items():
            yield Run(f"{name}/{subject.name}", [partial(work, subject)])
        yield from _commands(subject, index)
    for pair in sorted(corpus.glob("pairs/*")) if corpus else ():
        yield from _versions(
            pair.name,
            *(json.loads((pair / f"{side}.json").read_bytes()) for side in ("old", "new")),
        )
    for path in sorted((data / "comparison").glob("*.json")):
        case = json.loads(path.read_bytes())
        yield from _versions(path.stem, case["old"], case["new"], is_small=True)
    yield from _project(root, data)
    yield from _audits(data)
    files: Files = {"a.json": b'{"type": "countdown", "data": {}}'}
    for line in LINES["platform"]:
        yield Run(f"platform/{line}", [line], files, sandbox=True)
    again = ["pull countdown", "pull", "pull --frozen", "diff", "types"]
    yield Run("platform/again", again, files, sandbox=True)


# One schema


def _link(subject: Subject) -> str:
    type = subject.widget_type()
    made = (type.linked, type.bundle(), type.data_schema(), type.data_schema(dialect="draft-07"))
    said = (type.describes, type.title, type.note, type.lints, type.provenance)
    return "\n".join(
        [*(sha256(_lines([value]).encode()).hexdigest() for value in made), *map(repr, said)]
    )


def _check(subject: Subject) -> str:
    type = subject.widget_type()
    texts = [path.read_bytes() for path in subject.documents] + subject.records().splitlines()
    reports = [
        check(text) for text in texts for check in (type.check_json, type.check_document_json)
    ]
    return "\n".join(f"{report}\n{report.findings!r}" for report in reports)


def _samples(subject: Subject) -> str:
    type = subject.widget_type()
    made = [*type.samples(6), *type.samples(3, "x", locale="de", fill=1.0)]
    made += [*type.samples(2, 7, examples=False), type.sample_document()]
    return _lines([*made, type.minimal(), type.maximal()])


def _cases(kind: str, subject: Subject) -> str:
    validator = subject.widget_type().validator
    products = Products(validator)
    cases = getattr(products, kind)(max_cases=_CASES)
    made = [
        f"{case.id} {case.covers} {_lines([case.data])}{validator.check(case.data)}"
        for case in cases
    ]
    return "\n".join([*made, *map(repr, cases.ledger)])


def _form(subject: Subject) -> str:
    type = subject.widget_type()
    forms = [
        type.form(),
        *(type.form(json.loads(path.read_bytes())) for path in subject.documents[:2]),
    ]
    submissions = [form.submit({}) for form in forms]
    said = (f"{one!r} {one.report} {one.text}" for one in submissions)
    return "\n".join([*(form.page() for form in forms), *said])


_FUNCTIONS: Final[Mapping[str, Callable[[Subject], str]]] = {
    "link": _link,
    "check": _check,
    "samples": _samples,
    "coverage": partial(_cases, "coverage"),
    "near-misses": partial(_cases, "near_misses"),
    "form": _form,
}


def _commands(subject: Subject, index: int) -> Iterator[Run]:
    texts = {f"docs/{number}.json": path for number, path in enumerate(subject.documents)}
    files: Files = {"schema.json": subject.schema, **texts, "records.ndjson": subject.records()}
    schema = f"--type {subject.name}" if subject.is_bundled else "--data-schema schema.json"
    made = subject.name if subject.is_bundled else schema
    commands = {
        "validate": f"docs records.ndjson {schema}",
        "audit": f"records.ndjson {schema}",
        **({"sample": made} if index % 2 else {"form": f"{made} --export"}),
    }
    for command, arguments in commands.items():
        options = LINES[command][index // 2 % len(LINES[command])]
        yield Run(
            f"{command}/{subject.name} {options}", [f"{command} {arguments} {options}"], files
        )


def _lines(values: Iterator[Json] | Sequence[Json]) -> str:
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)


# Two versions


def _versions(name: str, old: Json, new: Json, *, is_small: bool = False) -> Iterator[Run]:
    def compare() -> str:
        before, after = (WidgetType.from_data_schema(side, id=name) for side in (old, new))
        comparison = before.compare(after)
        return f"{comparison}\n{comparison.changes!r}"

    rnd = random.Random(name)
    values = [*_ODD, *(mutated(rnd, old) for _ in range(4))]
    files = {
        "old.json": _lines([old]).encode(),
        "new.json": _lines([new]).encode(),
        "records.ndjson": _lines(values).encode(),
    }
    sides = "--data-schema old.json --data-schema new.json --data records.ndjson"
    yield Run(f"compare/{name}", [compare])
    steps = [line.format(sides=sides) for line in LINES["small" if is_small else "large"]]
    yield Run(f"migrate/{name}", steps, files)


# The data of the tests


def _tree(folder: Path, prefix: str = "") -> dict[str, Path | bytes]:
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {f"{prefix}{path.relative_to(folder).as_posix()}": path for path in paths}


def _project(root: Path, data: Path) -> Iterator[Run]:
    cases = _tree(data / "cli")
    for path in sorted((data / "cli" / "inputs").iterdir()):
        for line in LINES["inputs"]:
            yield Run(f"inputs/{path.name} {line}", [f"validate inputs/{path.name} {line}"], cases)
        yield Run(
            f"inputs/{path.name} -", ["validate - --type=countdown"], cases, path.read_bytes()
        )
        yield Run(f"audit/{path.name}", [f"audit inputs/{path.name} --format=json"], cases)
    for store in sorted((data / "cli" / "stores").iterdir()):
        schemas = f"--schemas=stores/{store.name}"
        every = [f"validate inputs {schemas} --format={name}" for name in ("text", "json", "sarif")]
        yield Run(f"stores/{store.name}", [f"types {schemas}", *every], cases)
    widgets = _tree(data / "widgets", "widgets/")
    for path in sorted((data / "configuration").rglob("*.toml")):
        steps = ["config", "config --format=json", "validate widgets", "audit widgets"]
        yield Run(
            f"configuration/{path.parent.name}/{path.stem}",
            steps,
            {**widgets, "widgetschema.toml": path},
        )
    for path in sorted((data / "baselines").glob("*.json")):
        files = {"widgetschema-baseline.json": path, **_tree(data / "mistakes", "mistakes/")}
        yield Run(f"baselines/{path.stem}", ["validate mistakes"], files)
    for path in sorted((data / "bundles").glob("*.json")):
        yield Run(f"bundles/{path.stem}", [partial(_bundle, path)])
    for path in sorted((data / "fixes").glob("*.json")):
        yield Run(f"fixes/{path.stem}", [partial(_fixes, path)])
    for code in tomllib.loads((data / "findings.toml").read_text("utf-8")):
        yield Run(f"explain/{code}", [f"explain {code}", f"explain {code} --format=json"])
    for command in cli.list_commands(click.Context(cli)):
        yield Run(f"help/{command}", [f"{command} --help"])
    for line in LINES["alone"]:
        yield Run(f"alone/{line}", [line])
    mistakes = {"a/one.json": data / "mistakes" / "one.json", **widgets}
    for name, content in LINES["init"].items():
        steps = ["init --yes", "init --yes", "validate", "config"]
        yield Run(f"init/{name}", steps, {**mistakes, name: f"{content}\n".encode()})


def _bundle(path: Path) -> str:
    case = json.loads(path.read_bytes())
    validator = Validator(case["schema"], resources=case.get("resources"))
    values = [*case.get("valid", []), *case.get("invalid", [])]
    return "\n".join(
        [_lines([validator.linked.schema]), *(str(validator.check(value)) for value in values)]
    )


def _fixes(path: Path) -> str:
    parts = []
    for case in json.loads(path.read_bytes()):
        try:
            parts.append(repr(Validator(case["schema"]).check(case["data"]).findings))
        except SchemaError as error:
            parts.append(repr(error))
    return "\n".join(parts)


# Audits of what other systems write


def _audits(data: Path) -> Iterator[Run]:
    document = json.loads((data / "cli" / "inputs" / "valid-document.json").read_bytes())
    rnd = random.Random("audits")
    records = [document | {"id": f"w{index}"} for index in range(4)]
    records += [mutated(rnd, record) for record in records for _ in range(6)]
    shapes: dict[str, Callable[[Json], Json]] = {
        "plain": lambda record: record,
        "held": lambda record: {"change": {"record": record}},
        "string": lambda record: {"data": json.dumps(record), "type": document["type"]},
        "debezium": lambda record: {"payload": {"op": "u", "source": {}, "after": record}},
        "elasticsearch": lambda record: {"_index": "w", "_id": "1", "_source": record},
        "mongoexport": lambda record: {
            "_id": {"$oid": "5f"},
            "n": {"$numberInt": "3"},
            "data": record,
        },
    }
    files: dict[str, Path | bytes] = {
        f"{name}.ndjson": _lines([shape(record) for record in records]).encode()
        for name, shape in shapes.items()
    }
    files["array.json"] = json.dumps(records).encode()
    files["table.csv"] = b"id,type,data\n" + b"".join(
        b"%d,countdown,{}\n" % index for index in range(9)
    )
    files["rows.sqlite"] = _database(records)
    for name in files:
        for line in LINES["shapes"]:
            yield Run(f"audit/{name} {line}", [f"audit {name} {line}"], files)
    for form in ("lines", "array", "concatenated", "sequence"):
        yield Run(
            f"audit/as {form}", [f"audit array.json plain.ndjson --input-format={form}"], files
        )
    for line in ("--table=rows --data-column=data", "--query=select*from(rows) --key=id"):
        yield Run(f"audit/database {line}", [f"audit rows.sqlite {line}"], files)
    compared = ("", " --html=page.html", " --format=json")
    steps = [
        "audit plain.ndjson --format=json",
        *(f"audit array.json --compare=out.0{more}" for more in compared),
    ]
    yield Run("audit/compared", steps, files)


def _database(records: list[Json]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.sqlite"
        connection = sqlite3.connect(path)
        connection.execute("create table rows (id text primary key, type text, data text)")
        rows = [
            (str(index), "countdown", json.dumps(record)) for index, record in enumerate(records)
        ]
        connection.executemany("insert into rows values (?, ?, ?)", rows)
        connection.commit()
        connection.close()
        return path.read_bytes()

"""Real schemas, and what the fast path says of data for them, in processes of their own.

`python -m tests.real_schemas [FOLDER]` compares the fast path of each schema with the engine: about
samples, near-misses, documents and 200 mutations of these. FOLDER has `schemas/NAME.json`, and may have
`valid/NAME/*.json` and `invalid/NAME/*.json`; without it, the schemas that check-jsonschema carries.
"""

from __future__ import annotations

import importlib.resources
import json
import random
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from tests.type_combinations import VALUES, Outcome, in_processes, try_schema, work
from widgetschema import CannotGenerate, Validator
from widgetschema.errors import SchemaError
from widgetschema.samples import Products

_SAMPLES: Final = 40
_NEAR_MISSES: Final = 60
_MUTATIONS: Final = 200


def schema_files(folder: Path | None) -> list[Path]:
    """Return the files of the schemas, in order."""
    if folder is None:
        carried = importlib.resources.files("check_jsonschema") / "builtin_schemas" / "vendor"
        return sorted(Path(str(carried)).glob("*.json"))
    return sorted((folder / "schemas").glob("*.json"))


def try_file(path: Path) -> Outcome:
    """Try the schema of a file."""
    schema = json.loads(path.read_text("utf-8"))
    try:
        validator = Validator(schema)
    except SchemaError:  # of another dialect, or it refers to schemas that are not there
        return Outcome(1)
    values = [*_made(validator), *_documents(path)] or VALUES
    rnd = random.Random(path.stem)
    values += [mutated(rnd, rnd.choice(values)) for _ in range(_MUTATIONS)]
    compact = [json.dumps(one, separators=(",", ":"), ensure_ascii=False) for one in values]
    spelled = (*compact, *(json.dumps(one, indent=2) for one in values))
    return try_schema(schema, [text.encode() for text in spelled])


def _made(validator: Validator) -> Iterator[Any]:
    products = Products(validator)
    with suppress(CannotGenerate, RecursionError):  # what the schema accepts cannot be found
        yield from products.sampler().samples(_SAMPLES)
        yield from (case.data for case in products.near_misses(max_cases=_NEAR_MISSES))


def _documents(schema: Path) -> Iterator[Any]:
    for kind in ("valid", "invalid"):
        for path in sorted((schema.parent.parent / kind / schema.stem).glob("*.json")):
            yield json.loads(path.read_text("utf-8"))


def mutated(rnd: random.Random, value: Any) -> Any:
    """Return a copy of a value with one change: a part that is another, or not there, or new."""
    if not isinstance(value, (dict, list)) or not value or rnd.random() < 0.2:
        return rnd.choice(VALUES)
    keys = [*value] if isinstance(value, dict) else [*range(len(value))]
    key, copy = rnd.choice(keys), value.copy()
    fate = rnd.random()
    if fate < 0.15:
        del copy[key]
    elif fate < 0.3:
        if isinstance(copy, dict):
            copy[rnd.choice("abx")] = rnd.choice(VALUES)
        else:
            copy.insert(key, rnd.choice([*VALUES, value[key]]))
    else:
        copy[key] = mutated(rnd, value[key])
    return copy


def outcome_of(folder: Path | None, processes: int) -> Outcome:
    """Return the outcome of all schemas."""
    indices = [*range(len(schema_files(folder)))]
    return in_processes(
        "tests.real_schemas", indices, processes, *([str(folder)] if folder else [])
    )


def main() -> None:
    """Try all schemas, in two processes."""
    *folders, last = sys.argv[1:] or [""]
    if last == "-":
        files = schema_files(Path(folders[0]) if folders else None)
        work(lambda index: try_file(files[index]))
        return
    outcome = outcome_of(Path(last) if last else None, 2)
    outcome.print()
    sys.exit(bool(outcome.wrong))


if __name__ == "__main__":
    main()

"""Changes between published versions of real schemas: `python -m tests.benchmarks.compare FOLDER`.

Compares each two successive versions of a schema in a folder, `NAME-1.0.json` with `NAME-1.1.json`,
and prints how many changes are of which kind, and what keeps the others from being decided. With
`--fetch`, the versions listed in `PACKAGES` are put into the folder first, which requires npm, pip
and access to their registries. With `--calls`, the calls that each comparison makes are counted,
which takes longer. Not a test: nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.benchmarks.timing import say, table
from tests.effort import calls
from widgetschema import WidgetType
from widgetschema.errors import SchemaError
from widgetschema.evolution.compare import Change, Comparison
from widgetschema.evolution.compare.changes import KINDS


class Package(NamedTuple):
    """A package that ships schemas, its versions, and the files in it by the names they get."""

    name: str
    versions: tuple[str, ...]
    files: dict[str, str]


_CHECKED: Final = "check_jsonschema/builtin_schemas/vendor"
_LINTED: Final = "ansiblelint/schemas"

NPM: Final = (
    Package("@angular/cli", ("12.2.18", "19.2.0"), {"angular": "lib/config/schema.json"}),
    Package(
        "@asyncapi/specs",
        ("6.8.1",),
        {
            f"asyncapi-{version}": f"schemas/{version}-without-$id.json"
            for version in ("2.0.0", "2.1.0", "2.3.0", "2.4.0", "2.6.0")
        },
    ),
    Package("@changesets/config", ("1.7.0", "3.1.4"), {"changesets": "schema.json"}),
    Package(
        "@jupyterlab/notebook-extension",
        ("3.6.8", "4.6.4"),
        {f"jupyterlab-{name}": f"schema/{name}.json" for name in ("panel", "tracker")},
    ),
    Package("@biomejs/biome", ("1.0.0", "1.9.4"), {"biome": "configuration_schema.json"}),
    Package(
        "@microsoft/api-extractor",
        ("7.20.0", "7.52.0"),
        {"api-extractor": "lib/schemas/api-extractor.schema.json"},
    ),
    Package("@stryker-mutator/core", ("6.4.2", "9.0.0"), {"stryker": "schema/stryker-schema.json"}),
    Package(
        "compression-webpack-plugin", ("5.0.2", "11.1.0"), {"compression": "dist/options.json"}
    ),
    Package("copy-webpack-plugin", ("6.4.1", "13.0.0"), {"copy-webpack": "dist/options.json"}),
    Package("css-loader", ("5.2.7", "7.1.2"), {"css-loader": "dist/options.json"}),
    Package(
        "fork-ts-checker-webpack-plugin",
        ("5.2.1", "6.5.3"),
        {"fork-ts-checker": "lib/ForkTsCheckerWebpackPluginOptions.json"},
    ),
    Package(
        "fork-ts-checker-webpack-plugin",
        ("9.2.0",),
        {"fork-ts-checker-9.2.0": "lib/plugin-options.json"},
    ),
    Package("html-loader", ("1.3.2", "5.1.0"), {"html-loader": "dist/options.json"}),
    Package("knip", ("2.43.0", "5.88.1"), {"knip": "schema.json"}),
    Package(
        "markdownlint",
        ("0.30.0", "0.38.0"),
        {"markdownlint": "schema/markdownlint-config-schema.json"},
    ),
    Package(
        "mini-css-extract-plugin",
        ("1.6.2", "2.10.2"),
        {f"mini-css-{name}": f"dist/{name}-options.json" for name in ("loader", "plugin")},
    ),
    Package(
        "nx",
        ("15.9.7", "21.0.0"),
        {"nx": "schemas/nx-schema.json", "nx-project": "schemas/project-schema.json"},
    ),
    Package("postcss-loader", ("3.0.0",), {"postcss-loader-3.0.0": "src/options.json"}),
    Package("postcss-loader", ("8.2.1",), {"postcss-loader-8.2.1": "dist/options.json"}),
    Package(
        "release-it",
        ("17.11.0", "19.0.0"),
        {f"release-it-{name}": f"schema/{name}.json" for name in ("git", "github", "gitlab")},
    ),
    Package("sass-loader", ("10.5.2", "16.0.8"), {"sass-loader": "dist/options.json"}),
    Package("style-loader", ("1.3.0", "4.0.0"), {"style-loader": "dist/options.json"}),
    Package(
        "webpack",
        ("4.47.0", "5.101.0"),
        {
            "webpack": "schemas/WebpackOptions.json",
            "webpack-banner": "schemas/plugins/BannerPlugin.json",
            "webpack-dll": "schemas/plugins/DllPlugin.json",
        },
    ),
    Package("webpack-dev-server", ("4.15.2", "5.2.2"), {"webpack-dev-server": "lib/options.json"}),
    Package("wrangler", ("3.60.0", "4.20.0"), {"wrangler": "config-schema.json"}),
)
PYPI: Final = (
    Package(
        "ansible-lint",
        ("6.5.0", "24.12.2"),
        {
            f"ansible-{name}": f"{_LINTED}/{name}.json"
            for name in (
                "ansible-lint-config execution-environment galaxy inventory meta-runtime meta "
                "playbook requirements tasks vars"
            ).split()
        },
    ),
    Package(
        "check-jsonschema",
        ("0.20.0", "0.27.0", "0.33.0"),
        {
            f"checked-{name}": f"{_CHECKED}/{name}.json"
            for name in ("bitbucket-pipelines github-actions github-workflows gitlab-ci").split()
        },
    ),
    Package(
        "cibuildwheel",
        ("2.17.0", "3.0.0"),
        {"cibuildwheel": "cibuildwheel/resources/cibuildwheel.schema.json"},
    ),
    Package(
        "scikit-build-core",
        ("0.5.0", "0.11.0"),
        {"scikit-build": "scikit_build_core/resources/scikit-build.schema.json"},
    ),
    Package(
        "validate-pyproject-schema-store",
        ("2024.1.2", "2026.10.23"),
        {
            f"pyproject-{name}": f"validate_pyproject_schema_store/resources/{name}.schema.json"
            for name in "cibuildwheel hatch mypy poetry setuptools".split()
        },
    ),
)
_VERSIONED: Final = re.compile(
    r"(?P<before>.+?)-(?:v|schema-v)?(?P<version>\d+(?:\.\d+)*)(?P<after>.*)"
)
_DOUBTS: Final = {
    "whether it refuses anything as well is not certain": "may refuse as well",
    "no data was found that this breaks": "no witness",
}


def main() -> None:
    """All tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.compare")
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--fetch", action="store_true", help="fill the first folder")
    parser.add_argument("--calls", action="store_true")
    parser.add_argument("--only", default="", help="pairs whose name has this in it")
    parser.add_argument("--unknown", action="store_true", help="list the changes that are unknown")
    given = parser.parse_args()
    if given.fetch:
        fetch(given.folders[0])
    rows, every, skipped = [], Counter[str](), []
    causes: Counter[tuple[str, str]] = Counter()
    for old, new in pairs(given.folders):
        name = f"{old.stem} → {new.stem}"
        if given.only not in name:
            continue
        try:
            types = [read(path) for path in (old, new)]
        except SchemaError as error:
            skipped.append(f"{name}: {type(error).__name__}")
            continue
        found: list[Comparison] = []
        number = counted(given.calls, lambda: found.append(types[0].compare(types[1])))  # noqa: B023
        comparison = found[0]
        assert all((one.witness is not None) == (one.kind == "breaking") for one in comparison)
        kinds = Counter(change.kind for change in comparison)
        unknown = [change for change in comparison if change.kind == "unknown"]
        causes.update(map(cause, unknown))
        every.update(kinds)
        rows.append([name, *(f"{kinds[kind]:,}" for kind in KINDS), number])
        print(*rows[-1], sep="\t", file=sys.stderr, flush=True)
        for change in unknown if given.unknown else ():
            print(f"    {change.scope} {change.pointer}: {change.headline[:300]}", file=sys.stderr)
    total = every.total()
    say(f"{len(rows)} pairs, {total:,} changes; {every['unknown']:,} of them are unknown: "
        f"{every['unknown'] / max(1, total):.1%}.\n")  # fmt: skip
    table("By pair", ["", *KINDS, "calls" if given.calls else ""], rows)
    table("Unknown", ["keyword", "doubt", ""], [
        [*why, f"{number:,}"] for why, number in causes.most_common()
    ])  # fmt: skip
    for line in skipped:
        say(f"not compared: {line}")


def counted(wanted: bool, work: Callable[[], object]) -> str:
    """Do some work; the number of calls that it makes, if it is wanted."""
    if wanted:
        return f"{calls(work):,}"
    work()
    return ""


def cause(change: Change) -> tuple[str, str]:
    """The keyword of an unknown change, and the doubt."""
    return change.keyword, next(why for text, why in _DOUBTS.items() if text in change.message)


def read(path: Path) -> WidgetType:
    """A schema of data, by the name of its file. Raises `SchemaError`."""
    return WidgetType.from_data_schema(json.loads(path.read_bytes()), id=path.stem)


def pairs(folders: list[Path]) -> Iterator[tuple[Path, Path]]:
    """The schemas of some folders with the next version of each."""
    files = sorted(file for folder in folders for file in folder.glob("*.json"))
    dated = sorted((*version_of(file.stem), file) for file in files)
    versioned = (one for one in dated if one[1])
    for _, some in groupby(versioned, key=lambda one: one[0]):
        yield from pairwise(file for _, _, file in some)


def version_of(stem: str) -> tuple[str, tuple[int, ...]]:
    """The name of a schema without its version, and the version, if it has one."""
    found = _VERSIONED.fullmatch(stem)
    if found is None:
        return stem, ()
    version = tuple(map(int, found["version"].split(".")))
    release = re.fullmatch(r"-rtm\.(\d+)|\.x|", found["after"])
    after = "" if release else found["after"]
    return found["before"] + after, version + ((int(release[1]),) if release and release[1] else ())


def fetch(folder: Path) -> None:
    """Put the versions of all packages into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for packages, archive in ((NPM, from_npm), (PYPI, from_pypi)):
        for package in packages:
            for version in package.versions:
                with tempfile.TemporaryDirectory() as name:
                    read_file = archive(package.name, version, Path(name))
                    for stem, path in package.files.items():
                        if (content := read_file(path)) is None:
                            continue  # this version did not have it yet
                        shown = stem if len(package.versions) == 1 else f"{stem}-{version}"
                        (folder / f"{shown}.json").write_bytes(content)


def from_npm(name: str, version: str, folder: Path) -> Callable[[str], bytes | None]:
    """The files of a package of npm."""
    command = ["npm", "pack", "--silent", f"{name}@{version}"]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return partial(_from_tar, next(folder.glob("*.tgz")))


def _from_tar(archive: Path, path: str) -> bytes | None:
    with tarfile.open(archive) as package:
        try:
            content: Any = package.extractfile(f"package/{path}")
        except KeyError:
            return None
        return bytes(content.read())


def from_pypi(name: str, version: str, folder: Path) -> Callable[[str], bytes | None]:
    """The files of a wheel of PyPI."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--only-binary=:all:", "--python-version=3.12", f"{name}=={version}"]
    subprocess.run(command, cwd=folder, check=True, stderr=subprocess.DEVNULL)
    archive = zipfile.ZipFile(next(folder.glob("*.whl")))
    return lambda path: archive.read(path) if path in archive.namelist() else None


if __name__ == "__main__":
    main()

"""Patterns of files: what they match, how long it takes, and which files they find."""

from __future__ import annotations

import contextlib
import os
import pickle
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.effort import bounded
from widgetschema.project.config import Configuration, Configurations, load
from widgetschema.project.config.globs import GlobError, parse_glob
from widgetschema.project.inputs import project_files

SEGMENTS = st.sampled_from(["**", "*", "a", "b", "*a", "a*b", "?", "[ab]", "[a]*", ".a", "*.*"])
PATTERNS = st.lists(SEGMENTS, min_size=1, max_size=5).map("/".join)
PATHS = st.lists(st.sampled_from(["a", "b", "ab", "ba", ".a", "aab", "[ab]"]), min_size=1)


def mapped_files(one: Configuration) -> list[str]:
    """Return the mapped files as somebody in the folder of the configuration sees them."""
    with contextlib.chdir(one.directory):
        return project_files.mapped_files(Configurations(one, {}))


def excludes(one: Configuration, path: str) -> bool:
    folder, name = os.path.split(os.path.join(one.directory, path))
    return one.rules_in(folder).excludes(name) is not None


@pytest.mark.parametrize(
    ("pattern", "matched", "not_matched"),
    [
        ("*.json", "a.json .json", "a/b.json a.jsonl A.JSON"),
        ("./a//*.json", "a/b.json", "b.json"),
        ("**/*.json", "a.json a/b.json a/b/c.json", "a/json"),
        ("a/**", "a a/b a/b/c", "b/a ab"),
        ("a/**/b.json", "a/b.json a/x/y/b.json", "a/xb.json b.json"),
        ("a?.json", "ab.json a1.json aé.json", "a.json abc.json a/.json"),
        ("app/[slug]/*.json", "app/[slug]/a.json", "app/s/a.json app/slug/a.json"),
        ("[[...sign-in]]/*", "[[...sign-in]]/a", "s/a [/a"),
        ("[...all]/?", "[...all]/a", "./a a/a"),
        ("(group)/@app/*", "(group)/@app/a", "group/app/a"),
        ("[a-c][!a-c]", "[a-c][!a-c]", "ad"),
        ("[", "[", "a"),
        ("*a*b*", "ab xaybz aabb", "ba a b"),
        ("a*a", "aa aba", "a"),
        ("widgets/é*.json", "widgets/élan.json", "widgets/elan.json"),
        ("a.b", "a.b", "axb"),
        ("*[?]*[?]*", "[x][y] a[x]b[y]c", "[x] xy []"),
        ("(a|b)+$", "(a|b)+$", "a b"),
    ],
)
def test_what_a_pattern_matches(pattern: str, matched: str, not_matched: str) -> None:
    glob = parse_glob(pattern)

    assert [one for one in matched.split(" ") if not glob.matches(one.split("/"))] == []
    assert [one for one in not_matched.split(" ") if glob.matches(one.split("/"))] == []


def test_hidden_names_have_to_be_named() -> None:
    def matches(pattern: str, path: str) -> bool:
        return parse_glob(pattern).matches(path.split("/"), hidden=False)

    assert not matches("**/*.json", ".cache/a.json")
    assert not matches("*", ".a")
    assert not matches("?a", ".a")
    assert matches(".?", ".a")
    assert matches(".cache/**/*.json", ".cache/b/a.json")
    assert not matches(".cache/**/*.json", ".cache/.b/a.json")
    assert matches("**/.*/a", "x/.y/a")


def as_expression(pattern: str) -> str:
    """The same by way of a regular expression: slow where a pattern is hostile."""
    expression = ""
    names = pattern.split("/")
    for index, name in enumerate(names):
        if name == "**":
            expression += "(?:[^/]+(?:/[^/]+)*/)?" if index + 1 < len(names) else "(?:.*)"
            continue
        for part in name:
            known = {"*": "[^/]*", "?": "[^/]"}
            expression += known.get(part, re.escape(part))
        expression += "/"
    return expression


@given(PATTERNS, PATHS)
def test_patterns_mean_what_expressions_mean(pattern: str, names: list[str]) -> None:
    expected = re.fullmatch(as_expression(pattern), "/".join(names) + "/") is not None

    assert parse_glob(pattern).matches(names) == expected


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("*a" * 400 + "b", ["a" * 4000]),
        ("*?b" * 150 + "c", ["ab" * 2000]),
        ("?*" * 400 + "b", ["a" * 4000]),
        ("**/a/" * 200 + "b", ["a"] * 2000),
        ("**/*a*a*a*/" * 80 + "b", ["aaaa"] * 1000),
    ],
    ids=["stars", "both in a name", "marks", "segments", "both"],
)
def test_hostile_patterns_are_quick(pattern: str, names: list[str]) -> None:
    with bounded():
        assert not parse_glob(pattern).matches(names)


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("", "it is empty"),
        (" ", "it is empty"),
        (".", "it is empty"),
        ("/etc/*.json", "it is absolute"),
        ("C:/a", "it is absolute"),
        ("a/../../b", "it must not contain .."),
        ("..", "it must not contain .."),
        ("a\\b", "it contains a backslash"),
        ("a\0b", "an invisible character"),
        ("a\x1b[31m", "an invisible character"),
        ("**.json", "** must stand alone"),
        ("a/", "it names a folder instead"),
        ("!a", "it begins with !"),
    ],
)
def test_what_is_no_pattern(pattern: str, said: str) -> None:
    with pytest.raises(GlobError) as caught:
        parse_glob(pattern)
    assert said in caught.value.reason


# which files


def project(folder: Path, text: str, *files: str) -> Configuration:
    """The configuration of a folder that has these files."""
    (folder / ".git").mkdir(parents=True, exist_ok=True)
    (folder / "widgetschema.toml").write_text(text, encoding="utf-8")
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text("{}", encoding="utf-8")
    return load(str(folder), {})


PATTERNS_TEXT = """
include = ["widgets/**/*.json"]
exclude = ["**/drafts", "*.local.json"]
[files]
"widgets/**/*.json" = "faq"
"widgets/countdown/*.json" = "countdown"
"top-*.json" = "top"
".hidden/*.json" = "hidden"
"""


def test_types_maps_and_excludes(tmp_path: Path) -> None:
    one = project(tmp_path / "p", PATTERNS_TEXT)

    assert one.type_for("widgets/a.json") == "faq"
    assert one.type_for("widgets/countdown/a.json") == "countdown"  # the last one decides
    assert one.type_for(str(tmp_path / "p" / "top-1.json")) == "top"
    assert one.type_for("./widgets/x/../a.json") == "faq"
    assert one.type_for("other.json") is None
    assert one.type_for("../p2/widgets/a.json") is None
    assert one.type_for(str(tmp_path / "widgets" / "a.json")) is None
    assert one.type_for("-") is None
    assert one.maps("widgets/a.json")
    assert not one.maps("widgets/drafts/a.json")
    assert not one.maps("widgets/.tmp/a.json")
    assert one.maps(".hidden/a.json")
    assert excludes(one, "widgets/drafts/deep/a.json")
    assert excludes(one, "a.local.json")
    assert not excludes(one, "widgets/a.json")
    assert not excludes(one, "/elsewhere/drafts/a.json")


def test_paths_count_from_the_folder_of_the_file(tmp_path: Path) -> None:
    project(tmp_path, PATTERNS_TEXT, "widgets/a.json", "widgets/countdown/b.json")
    below = load(str(tmp_path / "widgets" / "countdown"), {})

    assert below.type_for("b.json") == "countdown"
    assert below.type_for("../a.json") == "faq"
    assert mapped_files(below) == ["../a.json", "b.json"]
    assert mapped_files(pickle.loads(pickle.dumps(below))) == ["../a.json", "b.json"]


def test_a_folder_by_another_name_is_the_same(tmp_path: Path) -> None:
    project(tmp_path / "real", PATTERNS_TEXT, "widgets/a.json")
    (tmp_path / "link").symlink_to("real")

    assert load(str(tmp_path / "link"), {}).type_for(
        str(tmp_path / "real" / "widgets" / "a.json")
    ) == ("faq")
    assert load(str(tmp_path / "real"), {}).type_for("../link/widgets/a.json") == "faq"


def test_mapped_files(tmp_path: Path) -> None:
    one = project(
        tmp_path,
        PATTERNS_TEXT,
        "widgets/a.json",
        "widgets/b.txt",
        "widgets/.hidden.json",
        "widgets/.tmp/c.json",
        "widgets/drafts/d.json",
        "widgets/countdown/deep/e.json",
        ".hidden/f.json",
        ".git/g.json",
        "top-1.json",
        "top-2.local.json",
        "other/h.json",
    )

    assert mapped_files(one) == [
        ".hidden/f.json",
        "top-1.json",
        "widgets/a.json",
        "widgets/countdown/deep/e.json",
    ]
    assert mapped_files(load(str(tmp_path), {}, use_file=False)) == []


def test_names_that_look_like_something_else(tmp_path: Path) -> None:
    one = project(tmp_path, 'include = ["*"]', "-", "--fix", "[a].json", "a b\n.json")

    assert mapped_files(one) == ["./-", "./--fix", "[a].json", "a b\n.json"]


def test_own_files_are_no_data(tmp_path: Path) -> None:
    text = 'include = ["**/*.json", "*.toml"]\nreporters = ["json=out/report.json"]\n'
    one = project(
        tmp_path, text, "a.json", "schemas/faq.json", "types/b.json", "schemas/manifest.json"
    )

    assert mapped_files(one) == ["a.json", "types/b.json"]
    changed = one.with_options(schemas="types", baseline="known.json", reporters=["json=a.json"])
    assert mapped_files(changed) == ["a.json"]  # what has a manifest holds schemas all the same
    assert not changed.maps("types/b.json")
    assert changed.maps("schemas/faq.json")


@pytest.mark.parametrize("pattern", ["deep", "deep/*", "app/[slug]", "[[...x]]"])
def test_a_pattern_that_names_a_folder_is_told_how_to_mean_its_files(
    tmp_path: Path, pattern: str
) -> None:
    files = ["deep/er/a.json", "app/[slug]/a.json", "[[...x]]/a.json"]
    one = project(tmp_path, f'[files]\n"{pattern}" = "n"\n', *files)
    with contextlib.chdir(tmp_path):
        remarks = project_files.find_project_files((), Configurations(one, {})).remarks
        other = project(tmp_path, f'[files]\n"{pattern}/**" = "n"\n')
        found = mapped_files(other)

    said = f"the pattern {pattern!r} names a folder, not the files in it: write {pattern + '/**'!r}"
    assert said in remarks
    assert len(found) == 1


@pytest.mark.parametrize("pattern", ["deep/**", "**", "deep/*.json", "**/*.json"])
def test_a_pattern_of_files_that_are_not_there_names_no_folder(
    tmp_path: Path, pattern: str
) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    one = project(tmp_path, f'[files]\n"{pattern}" = "n"\n')
    with contextlib.chdir(tmp_path):
        remarks = project_files.find_project_files((), Configurations(one, {})).remarks
    assert f"no file matches the pattern {pattern!r}" in remarks


def test_links_do_not_lead_out_and_circles_end(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.json").write_text("{}")
    one = project(tmp_path / "p", 'include = ["**/*.json"]', "a/1.json", "b/2.json")
    links = {
        "a/out": "../../outside",
        "a/out.json": "../../outside/secret.json",
        "a/self": ".",
        "a/up": "..",
        "b/to-a": "../a",
        "a/to-b": "../b",
        "a/broken.json": "nothing",
        "a/circle.json": "circle.json",
        "a/link.json": "1.json",
    }
    for name, target in links.items():
        (tmp_path / "p" / name).symlink_to(target)

    found = mapped_files(one)

    root = (tmp_path / "p").resolve()
    lost = {"a/broken.json", "a/circle.json"}  # named in the report as what cannot be read
    assert {os.path.realpath(root / one) for one in found} >= {
        str(root / one) for one in ("a/1.json", "b/2.json")
    }
    assert lost <= set(found)
    assert len(found) < 30
    assert all(Path(os.path.realpath(root / file)).is_relative_to(root) for file in found)
    os.mkfifo(tmp_path / "p" / "a" / "pipe.json")
    assert "a/pipe.json" in mapped_files(one)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to root")
def test_a_folder_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    one = project(tmp_path, 'include = ["**/*.json"]', "a/1.json", "b/2.json")
    (tmp_path / "a").chmod(0)
    try:
        assert sorted(mapped_files(one)) == ["a", "b/2.json"]
    finally:
        (tmp_path / "a").chmod(0o700)


def test_only_folders_that_can_match_are_read(tmp_path: Path) -> None:
    one = project(
        tmp_path, 'include = ["w/*/x.json"]', "w/a/x.json", "big/a/x.json", "w/a/b/x.json"
    )
    (tmp_path / "w" / "a" / "b" / "loop").symlink_to("..")

    assert mapped_files(one) == ["w/a/x.json"]


TREE = [f"{a}/{b}/{c}" for a in ("a", "b", ".c") for b in ("a", "ab", ".d") for c in ("a.b", "b")]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tree")
    project(folder, "", *TREE)
    return folder


@given(st.lists(PATTERNS, min_size=1, max_size=3), st.lists(PATTERNS, max_size=2))
def test_the_walk_finds_what_maps(tree: Path, include: list[str], exclude: list[str]) -> None:
    (tree / "any.toml").write_text(f"include = {include}\nexclude = {exclude}\n")
    one = load(str(tree), {}, file="any.toml")
    every = [*TREE, "any.toml", "widgetschema.toml"]

    assert mapped_files(one) == sorted(file for file in every if one.maps(file))


def test_ignores(tmp_path: Path) -> None:
    one = project(
        tmp_path,
        """
        [[ignores]]
        path = "old"
        reason = "old"
        [[ignores]]
        pointer = "/data/**/url"
        keyword = "format"
        reason = "odd addresses"
        """,
    )
    old, odd = one.ignores

    assert one.ignores_for("old/a/b.json") == (old, odd)
    assert one.ignores_for("new.json") == (odd,)
    assert one.ignores_for("/elsewhere/old/a.json") == (odd,)
    assert old.covers("/anything", "type")
    assert odd.covers("/data/a/url", "format")
    assert not odd.covers("/data/a/url", "type")
    assert not odd.covers("/url", "format")

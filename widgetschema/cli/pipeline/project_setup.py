"""The texts that `init` proposes to write: configuration, CI step, pre-commit entry.

A text is proposed only if reading it again gives exactly the values before and those added;
formatting and comments are kept. What cannot be added so is a remark with what to add.
"""

from __future__ import annotations

import errno
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from widgetschema.cli.console.output import print_error, print_stderr, reason
from widgetschema.errors import ChangesUnknown, MissingExtra, StoreError, UnreadableDocument
from widgetschema.files import read_bytes, read_file, replace_file
from widgetschema.formats.parsing import parse
from widgetschema.project.config import Configuration
from widgetschema.project.config.settings import FILE, PYPROJECT
from widgetschema.text import printable

CI_GUIDE: Final = "docs/guides/ci.md"
NAME: Final = "widgetschema"
_RECIPES: Final = os.path.join(os.path.dirname(os.path.dirname(__file__)), "recipes")
_OWNER: Final = "OWNER"
_COMMIT: Final = "COMMIT"
_ACCOUNT: Final = re.compile("[A-Za-z0-9](?:-?[A-Za-z0-9]){0,38}")
_REVISION: Final = re.compile(  # YAML reads digits, and with an exponent, as a number
    "(?![0-9.]+(e[0-9]+)?$)[A-Za-z0-9][A-Za-z0-9._/-]{0,99}"
)
_GITHUB: Final = re.compile(
    r"(?:https://|ssh://git@|git@)github\.com[/:]([^/]+)/[^/]+?(?:\.git)?/?"
)
_WORKFLOWS: Final = ".github/workflows"
_WORKFLOW: Final = "widgets.yml"
_GITLAB: Final = ".gitlab-ci.yml"
_GITLAB_STAGE: Final = "test"  # of a job that names none
_PRE_COMMIT: Final = ".pre-commit-config.yaml"
_ENTRY: Final = re.compile(r"^( *)- +repo *:", re.MULTILINE)


class Change(NamedTuple):
    """A file to write: its absolute path, the text before (None if it is new) and after."""

    path: str
    before: str | None
    after: str


Proposed = Change | str  # a change, or a remark about what to do by hand


class _Unchangeable(Exception):
    """The reason why a file is left as it is."""


class Source(NamedTuple):
    """The repository that CI and pre-commit install from: its account on GitHub, and a commit."""

    owner: str
    commit: str


def recipe(name: str, source: Source | None = None) -> str:
    """Return a recipe of the manual for CI, for the repository that `source` names."""
    text = read_file(os.path.join(_RECIPES, name)).decode()
    if source is None:
        return text
    return text.replace(f"{_OWNER}/", f"{source.owner}/").replace(_COMMIT, source.commit)


def is_source(text: str) -> bool:
    """Return whether a text may be the name of an account on GitHub, or one with `@COMMIT`."""
    owner, at, commit = text.partition("@")
    is_account = _ACCOUNT.fullmatch(owner) is not None
    return is_account and (not at or _REVISION.fullmatch(commit) is not None)


def source_of(text: str | None) -> Source | None:
    """Return the source that `--owner` names, completed by where this installation came from.

    None if the account or the commit is unknown.
    """
    owner, _, commit = (text or "").partition("@")
    if not (owner and commit):
        installed_owner, installed_commit = _installed_from()
        owner, commit = owner or installed_owner or "", commit or installed_commit or ""
    return Source(owner, commit) if owner and commit else None


def owner_of(address: str) -> str | None:
    """Return the account of a repository on GitHub, by its address."""
    found = _GITHUB.fullmatch(address)
    return found[1] if found is not None and _ACCOUNT.fullmatch(found[1]) else None


def _installed_from() -> tuple[str | None, str | None]:
    """Return the account and the commit of this installation, as pip recorded it (PEP 610).

    That of a folder is what the folder is a checkout of.
    """
    import json
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    from widgetschema.project.git import checkout_of

    try:
        record = json.loads(distribution(NAME).read_text("direct_url.json") or "{}")
        address, vcs = record.get("url"), record.get("vcs_info", {})
        if vcs:
            return owner_of(address), vcs.get("commit_id")
        parts = urlsplit(address or "")
        if parts.scheme != "file":
            return None, None
        checkout = checkout_of(url2pathname(parts.path))
        return owner_of(checkout.origin or ""), checkout.commit
    except (PackageNotFoundError, OSError, ValueError, AttributeError, TypeError, ChangesUnknown):
        return None, None


def with_settings(settings: Configuration, added: Mapping[str, Any]) -> Proposed:
    """Return the change that adds settings to a configuration, which may not exist yet."""
    file, folder = settings.file, settings.folder
    if file is None:
        project = os.path.join(folder, PYPROJECT)
        file = project if os.path.lexists(project) else os.path.join(folder, FILE)
    table = ("tool", NAME) if os.path.basename(file) == PYPROJECT else ()
    return _changed(
        file,
        lambda before: _settings_added(before or "", table, added),
        f"add these settings by hand: {', '.join(added)}",
    )


def write_changes(changes: Iterable[Change]) -> bool:
    """Write changes, and say so; return whether all were written."""
    is_complete = True
    for change in changes:
        name = printable(os.path.relpath(change.path))
        try:
            if change.before is not None and not os.stat(change.path).st_mode & 0o222:
                raise PermissionError(errno.EACCES, "it is read-only")  # also for root
            os.makedirs(os.path.dirname(change.path), exist_ok=True)
            before = None if change.before is None else change.before.encode()
            replace_file(change.path, change.after, before)
        except OSError as error:
            print_error(f"{name}: not written: {reason(error)}")
            is_complete = False
        else:
            print_stderr(f"{'wrote' if change.before is None else 'changed'} {name}")
    return is_complete


def ci_steps(root: str, source: Source | None) -> Iterator[Proposed]:
    """Yield the step for the CI of a repository, if it has one that is known."""
    workflows = os.path.join(root, _WORKFLOWS)
    if os.path.isdir(os.path.join(root, ".github")) and not _mentions_us(workflows):
        path = os.path.join(workflows, _WORKFLOW)
        if source is None:
            yield _needs_source("a GitHub workflow")
        elif os.path.lexists(path):
            yield f"{_WORKFLOWS}/{_WORKFLOW} is another workflow: {_see('GitHub')} to it"
        else:
            yield _changed(path, lambda _: recipe("github.yml", source), _see("GitHub"))
    gitlab = os.path.join(root, _GITLAB)
    if os.path.lexists(gitlab) and NAME not in _text_of(gitlab):
        if source is None:
            yield _needs_source("a job of GitLab")
        else:
            yield _changed(gitlab, lambda before: _with_job(before or "", source), _see("GitLab"))


def pre_commit_entry(root: str, source: Source | None) -> Iterator[Proposed]:
    """Yield the entry for the configuration of pre-commit, if there is one."""
    path = os.path.join(root, _PRE_COMMIT)
    if os.path.lexists(path) and NAME not in _text_of(path):
        if source is None:
            yield _needs_source("an entry for pre-commit")
        else:
            yield _changed(
                path, lambda before: _with_hook(before or "", source), _see("pre-commit")
            )


def _changed(path: str, change: Callable[[str | None], str], otherwise: str) -> Proposed:
    """Return the change of a file, or a remark why it is left as it is."""
    try:
        for one in (path, os.path.dirname(path)):
            if os.path.islink(one):
                is_file, target = one == path, printable(os.readlink(one))
                what = "it" if is_file else printable(os.path.relpath(one))
                raise _Unchangeable(f"{what} is a link to {target}")
        before = read_bytes(path).decode() if os.path.lexists(path) else None
        after = change(before)
        if before is not None and "\r\n" in before:
            after = after.replace("\r\n", "\n").replace("\n", "\r\n")
        return Change(path, before, after)
    except UnicodeDecodeError:
        why = "it is not UTF-8"
    except StoreError as error:
        why = error.reason
    except _Unchangeable as error:
        why = str(error)
    return f"{printable(os.path.relpath(path))}: not changed: {why}; {otherwise}"


# TOML


def _settings_added(before: str, table: tuple[str, ...], added: Mapping[str, Any]) -> str:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        values = tomllib.loads(before)
        document = tomlkit.parse(before)
        within: Any = document
        only_tables = all(isinstance(value, dict) for value in added.values())
        for name in table:
            if name not in within:
                is_super_table = only_tables or name != table[-1]  # has no header of its own
                within[name] = tomlkit.table(is_super_table=is_super_table)
            within = within[name]
        for name, value in added.items():
            if name not in within:
                within[name] = value
            elif isinstance(value, dict):
                within[name].update(value)
            else:
                within[name].extend(value)
        after = tomlkit.dumps(document)
        is_right = tomllib.loads(after) == _merged(values, table, added)
    except (TOMLKitError, tomllib.TOMLDecodeError, TypeError, AttributeError, ValueError):
        is_right = False
    if not is_right:
        raise _Unchangeable("it cannot be changed with certainty")
    return after


def _merged(
    values: dict[str, Any], table: tuple[str, ...], added: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what a configuration is to hold."""
    if table:
        inner = values.get(table[0], {})
        return {**values, table[0]: _merged(inner, table[1:], added)}
    merged = dict(values)
    for name, value in added.items():
        before = values.get(name)
        if isinstance(before, dict):
            merged[name] = {**before, **value}
        else:
            merged[name] = [*before, *value] if isinstance(before, list) else value
    return merged


# YAML


def _with_job(before: str, source: Source) -> str:
    """Return the CI of GitLab with a job more."""
    job = recipe("gitlab.yml", source)
    old, new = _yaml(before), _yaml(job)
    if "include" in old:
        raise _Unchangeable("it includes other files, which may decide about stages and jobs")
    stages = old.get("stages", [_GITLAB_STAGE])
    if not isinstance(stages, list) or _GITLAB_STAGE not in stages:
        raise _Unchangeable(f"it has no stage {_GITLAB_STAGE!r}")
    if old.keys() & new.keys():
        raise _Unchangeable(f"it has a job {next(iter(old.keys() & new.keys()))!r}")
    return _appended(before, f"\n{job}", {**old, **new})


def _with_hook(before: str, source: Source) -> str:
    """Return the configuration of pre-commit with an entry more."""
    text = recipe("pre-commit.yaml", source)
    old, new = _yaml(before), _yaml(text)
    repos, entries = old.get("repos"), [*_ENTRY.finditer(before)]
    if not isinstance(repos, list) or not entries:
        raise _Unchangeable("it has no list of repositories that can be added to with certainty")
    ours = _ENTRY.search(text)
    assert ours is not None
    lines = [line.removeprefix(ours[1]) for line in text[ours.start() :].splitlines()]
    entry = "".join(f"{entries[-1][1]}{line}\n" for line in lines)
    return _appended(before, entry, {**old, "repos": [*repos, *new["repos"]]})


def _yaml(text: str) -> dict[str, Any]:
    try:
        [parsed] = parse(text, "yaml")
    except (UnreadableDocument, ValueError):
        raise _Unchangeable("it is not one document of plain YAML") from None
    except MissingExtra as error:
        raise _Unchangeable(str(error)) from None
    if not isinstance(parsed.value, dict):
        raise _Unchangeable("it is not a mapping")
    return parsed.value


def _appended(before: str, added: str, expected: dict[str, Any]) -> str:
    """Return a text with another one at its end, if that means what is expected."""
    end = "" if before.endswith("\n") else "\n"
    after = f"{before}{end}{added}"
    try:
        is_right = _yaml(after) == expected
    except _Unchangeable:
        is_right = False
    if not is_right:
        raise _Unchangeable("nothing can be added at its end with certainty")
    return after


def _mentions_us(workflows: str) -> bool:
    try:
        names = os.listdir(workflows)
    except OSError:
        return False
    return any(
        NAME in _text_of(os.path.join(workflows, name))
        for name in names
        if name.endswith((".yml", ".yaml"))
    )


def _text_of(path: str) -> str:
    """Return the text of a file, as far as it can be read."""
    try:
        return read_bytes(path).decode(errors="replace")
    except StoreError:
        return ""


def _needs_source(what: str) -> str:
    return (
        f"not proposed: {what}: pass --owner OWNER@COMMIT, the GitHub account that "
        "widgetschema is installed from, and the commit"
    )


def _see(heading: str) -> str:
    return f'add what "{heading}" in {CI_GUIDE} shows'

"""The files of a project: what a run checks if nothing is named, by its configuration."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from widgetschema.project.checking.results import Problem
from widgetschema.project.config import Configuration, Configurations
from widgetschema.project.config.paths import display_path, relative_path
from widgetschema.project.inputs.discovery import find_files, find_in_folder, find_matching
from widgetschema.project.inputs.folders import Search
from widgetschema.project.inputs.model import File, Skipped
from widgetschema.text import plural, printable

_MOST_UNMATCHED: Final = 10  # patterns that a remark is made about: each is searched for
OVERRULE: Final = "name them, or pass --no-ignore-files"


class FoundFiles(NamedTuple):
    """Files and what cannot be read, what was skipped, and remarks for people."""

    files: list[File | Problem]
    skipped: list[Skipped]
    remarks: list[str]


def project_folder(settings: Configuration) -> str:
    """Return the folder that is checked if nothing is named, as people in it would type it."""
    return relative_path(settings.folder, settings.directory)


def search_of(configurations: Configurations, **more: Any) -> Search:
    """Return the rules of configurations for folders; `more` are other fields of `Search`."""
    return Search(
        rules_in=lambda folder: configurations.for_folder(folder).rules_in(folder),
        own_in=lambda folder: configurations.for_folder(folder).is_own,
        schemas_in=lambda folder: configurations.for_folder(folder).schemas,
        root=configurations.run.folder,
        **more,
    )


def find_project_files(
    paths: Sequence[str],
    configurations: Configurations,
    *,
    ignore_files: bool = True,
    only_typed: bool = True,
    lists_ignored: bool = False,
) -> FoundFiles:
    """Return the files that paths stand for; without paths, those of the project.

    The parameters are those of `Search`.
    """
    skipped: list[Skipped] = []
    remarks: dict[str, None] = {}
    links: list[str] = []
    search = search_of(
        configurations,
        ignore_files=ignore_files,
        only_typed=only_typed,
        lists_ignored=lists_ignored,
        skip=skipped.append,
        warn=remarks.setdefault,
        outside=links.append,
    )
    if paths:
        files = find_files(paths, search)
        # Not by links: what is found behind one has a configuration of its own.
        named = {one.name for one in files if isinstance(one, File)}
        others = [path for path in paths if path not in named]
        folders = [os.path.abspath(path) for path in others if os.path.isdir(path)]
    else:
        files = find_in_folder(project_folder(configurations.run), search)
        folders = [configurations.run.folder]
    mapped = [one for one in files if isinstance(one, File) and not one.only_typed]
    passed_over = [os.path.abspath(one.name) for one in skipped if one.name.endswith(os.sep)]
    for settings in configurations.all:
        if any(_is_within(settings.folder, folder) for folder in passed_over):
            continue
        if any(_is_within(settings.folder, folder) for folder in folders):
            own = [one for one in mapped if configurations.for_file(one.name) is settings]
            found = _unmatched(own, settings, configurations, ignore_files=ignore_files)
            remarks |= dict.fromkeys(found)
    if links:
        remarks[
            f"not followed: {plural(len(links), 'link')} out of the folder, such as "
            f"{printable(min(links))}"
        ] = None
    return FoundFiles(files, skipped, [*remarks])


def mapped_files(configurations: Configurations) -> list[str]:
    """Return the files of a project that its configurations map, and what cannot be read."""
    found = find_project_files((), configurations).files
    return [
        one.file if isinstance(one, Problem) else one.name
        for one in found
        if isinstance(one, Problem) or not one.only_typed
    ]


def _is_within(path: str, folder: str) -> bool:
    """Return whether a path is that of a folder, or below it."""
    return os.path.join(path, "").startswith(os.path.join(folder, ""))


def _identity(file: File) -> tuple[int, int] | None:
    return None if file.status is None else (file.status.st_dev, file.status.st_ino)


def _names_folder(pattern: str, folder: str) -> bool:
    """Return whether a pattern matches folders of `folder`, and not all that is in them."""
    if pattern.split("/")[-1] == "**":
        return False
    from glob import iglob  # a run of named files needs no pattern

    literal = pattern.replace("[", "[[]")  # brackets are letters
    return any(os.path.isdir(os.path.join(folder, one)) for one in iglob(literal, root_dir=folder))


def _unmatched(
    mapped: Sequence[File],
    settings: Configuration,
    configurations: Configurations,
    *,
    ignore_files: bool,
) -> list[str]:
    """Return a remark about each pattern that maps none of the mapped files."""
    names, checked = [one.name for one in mapped], {*map(_identity, mapped)}
    remarks = []
    patterns = settings.unmatched(names)
    for pattern in patterns[:_MOST_UNMATCHED]:
        remark = f"no file matches the pattern {pattern!r}"
        if _names_folder(pattern, settings.folder):
            inside = f"{pattern}/**"
            remark = (
                f"the pattern {pattern!r} names a folder, not the files in it: write {inside!r}"
            )
        elif ignore_files:
            search = Search(
                rules_in=settings.rules_in, own_in=lambda _: settings.is_own, root=settings.folder
            )
            matches = find_matching(project_folder(settings), pattern, search)
            found = [one for one in matches if isinstance(one, File)]
            first = next((one for one in found if _identity(one) not in checked), None)
            if found and first is None:  # they are checked by another of their names
                continue
            nearest = None if first is None else configurations.for_file(first.name)
            if first is not None and nearest is not None and nearest is not settings:
                where = nearest.folder if nearest.file is None else nearest.file
                remark = (
                    f"the pattern {pattern!r} matches only files that have another configuration, "
                    f"such as {printable(first.name)}: {display_path(where, settings.directory)}"
                )
            elif first is not None:
                remark = (
                    f"the pattern {pattern!r} matches only files that are ignored, such as "
                    f"{printable(first.name)}: {OVERRULE}"
                )
        remarks.append(remark)
    unnamed = len(patterns) - len(patterns[:_MOST_UNMATCHED])
    if unnamed:
        many = "1 more pattern matches" if unnamed == 1 else f"{unnamed:,} more patterns match"
        remarks.append(f"{many} no file that is checked")
    return remarks

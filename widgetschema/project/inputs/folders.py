"""The folders below one, with their files: what git ignores, and what holds no data, is left out.

In a repository, git lists the files. Elsewhere, and where git cannot be used, the folders are read,
and files `.gitignore` are followed by the library `pathspec`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from widgetschema.errors import ChangesUnknown
from widgetschema.files import read_head
from widgetschema.project.checking.results import Problem, reason
from widgetschema.project.config.folder_rules import NO_RULES, FolderRules
from widgetschema.project.inputs.formats import is_data_name
from widgetschema.project.inputs.model import Skipped
from widgetschema.text import printable

if TYPE_CHECKING:
    from widgetschema.project.git import ListedFiles
    from widgetschema.project.inputs.gitignore import IgnoreRules

_SCHEMAS: Final = "schemas"  # a folder of this name with a manifest in it holds no data
_MANIFEST: Final = "manifest.json"
_ENVIRONMENT: Final = "pyvenv.cfg"
_VIRTUAL: Final = "a virtual environment"
_GIT: Final = ".git"
HIDDEN: Final = "hidden, and no pattern names it"
_WORKTREE: Final = "another worktree of a repository"
IGNORED: Final = "ignored by git"
# As other tools have it, such as ruff and prettier.
_NO_SOURCES: Final = {
    **dict.fromkeys(("node_modules", "bower_components"), "installed packages"),
    **dict.fromkeys(("site-packages", "__pypackages__"), "installed packages"),
    **dict.fromkeys(("build", "_build", "dist", "buck-out"), "a build folder"),
}
_LONGEST: Final = 4096  # bytes of a file .git


# Of a path, and whether it is mapped: whether the file belongs to the run.
IsOwn = Callable[[str, bool], bool]


def _none_is_own(path: str, is_mapped: bool) -> bool:
    return False


class Search(NamedTuple):
    """The rules for what folders and patterns stand for; files that are named are not asked about.

    `rules_in` returns the patterns of the configuration in a folder, `own_in` what says whether a
    file there is passed over because it belongs to the run, `schemas_in` the folder of schemas that
    is configured for a folder: it holds no data, wherever it is found. With `ignore_files`, what
    git ignores is passed over, and so are folders of installed packages and of builds. With
    `only_typed`, a file that is not mapped is marked, so that it is checked only if it names its
    type. `root` is a folder that links must not lead out of, None if they may. With
    `lists_ignored`, git is asked for what it ignores, which takes longer.

    `skip` is called with files and folders that are passed over, `warn` with remarks, `outside`
    with links that are not followed, and `others` with files whose names do not say that they are
    JSON.
    """

    rules_in: Callable[[str], FolderRules] = lambda folder: NO_RULES
    own_in: Callable[[str], IsOwn] = lambda folder: _none_is_own
    schemas_in: Callable[[str], str | None] = lambda folder: None
    ignore_files: bool = False
    only_typed: bool = False
    root: str | None = None
    lists_ignored: bool = False
    skip: Callable[[Skipped], None] = lambda skipped: None
    warn: Callable[[str], None] = lambda remark: None
    outside: Callable[[str], None] = lambda link: None
    others: Callable[[str], None] | None = None


class Folder(NamedTuple):
    """A folder whose files may be data.

    `path` is its name for people (empty for the working directory), `full` the absolute one.
    `rules` are those of the configuration; `wanted` those of the pattern that is looked for: None
    if all that is in the folder is wanted. `names` are those of the files, `links` those that are
    links.
    """

    path: str
    full: str
    rules: FolderRules
    wanted: FolderRules | None = None
    names: Iterable[str] = ()
    links: frozenset[str] = frozenset()

    def file(self, name: str) -> str:
        """Return the path of a file in the folder: neither standard input nor an option."""
        path = os.path.join(self.path, name)
        return os.path.join(os.curdir, path) if path.startswith("-") else path

    @property
    def may_map(self) -> bool:
        """True if a pattern may match in the folder, or below."""
        return bool(self.rules.mapping or (self.wanted is not None and self.wanted.mapping))


class FolderWalk:
    """A walk through a folder; each folder that links lead to is walked once.

    `met_links` says whether there are links in the folders that were yielded so far.
    """

    def __init__(self, start: Folder, search: Search) -> None:
        self._start = start
        self._search = search
        self._schemas: dict[str, tuple[str, str]] = {}
        real = os.path.realpath(start.full)
        root = real if search.root is None else os.path.realpath(search.root)
        self._root = root if _is_below(real, root) else real
        self._linked = {real}
        self.met_links = False

    def folders(self) -> Iterator[Folder | Problem]:
        """Yield the folder and those below it, with their files, in no order."""
        yield from self._folders(self._start)

    def is_outside(self, folder: Folder, name: str) -> bool:
        """Return whether a link is not followed, since it leads to a file out of the root."""
        if self._search.root is None:
            return False
        return not _is_below(os.path.realpath(os.path.join(folder.full, name)), self._root)

    def _folders(self, start: Folder) -> Iterator[Folder | Problem]:
        if not self._search.ignore_files:
            yield from self._read(start, None)
            return
        repository = repository_of(start.full)
        if repository is not None or _has_repository_elsewhere():
            from widgetschema.project.git import list_files, list_ignored

            try:
                listed = list_files(start.full)
            except ChangesUnknown as error:
                self._search.warn(_without_git(start.path or os.curdir, error))
            else:
                if listed is None:  # the folder is ignored, and was named all the same
                    yield from self._read(start, None)
                else:
                    yield from self._listed(start, listed)
                    if self._search.lists_ignored:
                        for path in list_ignored(start.full):
                            self._skip_ignored(start.file(path))
                return
        from widgetschema.project.inputs.gitignore import IgnoreRules

        top = repository or _common_folder(start.full)
        rules = IgnoreRules.above(start.full, top, self._search.warn)
        is_ignored = rules.ignores(*os.path.split(start.full), is_folder=True)
        yield from self._read(start, None if is_ignored else rules)

    def _listed(self, start: Folder, listed: ListedFiles) -> Iterator[Folder | Problem]:
        """Yield the folders that have files in the list of git."""
        names: dict[str, list[str]] = {}
        links: dict[str, list[str]] = {}
        for every, by_folder in ((listed.files, names), (listed.links, links)):
            for path in every:
                above, _, name = path.rpartition("/")
                if above in by_folder:
                    by_folder[above].append(name)
                else:
                    by_folder[above] = [name]
        entered: dict[str, Folder | None] = {}

        def enter(path: str) -> Folder | None:
            """Return a folder by its path in the list; None if it is passed over."""
            if path not in entered:
                within = names.get(path, ())
                if not path:
                    folder = self._checked(start, within)
                else:
                    above, _, name = path.rpartition("/")
                    parent = enter(above)
                    folder = None if parent is None else self._entered(parent, name, within)
                entered[path] = folder
            return entered[path]

        enter("")
        for path in names:
            folder = enter(path)
            if folder is None:
                continue
            some = self._noted(links.get(path, ()))
            yield folder._replace(names=names[path], links=some)
            for name in some:
                if os.path.isdir(os.path.join(folder.full, name)):
                    yield from self._link(folder, name)
        for path in listed.repositories:
            above, _, name = path.rpartition("/")
            parent = enter(above)
            if parent is not None and os.path.lexists(os.path.join(start.full, path, _GIT)):
                folder = self._entered(parent, name, (), is_repository=True)
                if folder is not None:
                    yield from self._folders(folder)
        for path, why in listed.unreadable:
            above, _, name = path.rpartition("/")
            parent = enter(above)
            folder = None if parent is None else self._entered(parent, name, ())
            if folder is not None:
                yield Problem(folder.path, why)

    def _read(self, start: Folder, ignored: IgnoreRules | None) -> Iterator[Folder | Problem]:
        """Yield the folders that are there, by reading each of them."""
        todo: list[tuple[Folder, str | None, IgnoreRules | None]] = [(start, None, ignored)]
        while todo:
            above, name, rules = todo.pop()
            full = above.full if name is None else os.path.join(above.full, name)
            files: list[str] = []
            folders: list[str] = []
            links: list[str] = []
            try:
                with os.scandir(full) as entries:
                    for entry in entries:
                        is_folder = _is_folder(entry)
                        (folders if is_folder else files).append(entry.name)
                        if entry.is_symlink():
                            links.append(entry.name)
            except OSError as error:
                path = above.path if name is None else above.file(name)
                if name is None or self._entered(above, name, ()) is not None:
                    yield Problem(path or os.curdir, reason(error))
                continue
            is_repository = self._search.ignore_files and (_GIT in files or _GIT in folders)
            folder = (
                self._checked(above, files)
                if name is None
                else self._entered(above, name, files, is_repository=is_repository)
            )
            if folder is None:
                continue
            if name is not None and is_repository:
                yield from self._folders(folder)
                continue
            if rules is not None:
                rules = rules.enter(full, files)
                files = self._not_ignored(folder, files, rules)
                folders = self._not_ignored(folder, folders, rules, is_folder=True)
            some = self._noted(links)
            yield folder._replace(names=files, links=some)
            for one in sorted(folders, reverse=True):
                if one in some:
                    yield from self._link(folder, one)
                else:
                    todo.append((folder, one, rules))

    def _noted(self, links: Iterable[str]) -> frozenset[str]:
        found = frozenset(links)
        self.met_links = self.met_links or bool(found)
        return found

    def _not_ignored(
        self, folder: Folder, names: list[str], rules: IgnoreRules, *, is_folder: bool = False
    ) -> list[str]:
        kept = []
        for name in names:
            if rules.ignores(folder.full, name, is_folder=is_folder):
                shown = os.path.join(folder.file(name), "") if is_folder else folder.file(name)
                self._skip_ignored(shown)
            else:
                kept.append(name)
        return kept

    def _skip_ignored(self, path: str) -> None:
        if path.endswith(os.sep) or is_data_name(path):
            self._search.skip(Skipped(path, IGNORED, is_expected=True))

    def _link(self, folder: Folder, name: str) -> Iterator[Folder | Problem]:
        """Yield the folders behind a link if a pattern may match there."""
        inner, search = self._entered(folder, name, ()), self._search
        if inner is None:
            return
        real = os.path.realpath(inner.full)
        if not inner.may_map:
            if search.others is not None and not _is_below(real, self._root):
                search.others(inner.path)
        elif not _is_below(real, self._root):
            search.outside(inner.path)
        elif real not in self._linked:
            self._linked.add(real)
            yield from self._read(inner, None)

    def _entered(
        self, parent: Folder, name: str, names: Iterable[str], *, is_repository: bool = False
    ) -> Folder | None:
        """Return a folder in another one; None if it is passed over.

        So is a repository that is a worktree of another one, whose configuration is not read.
        """
        full, wanted = os.path.join(parent.full, name), parent.wanted
        if wanted is not None:
            wanted = None if wanted.maps(name) else wanted.enter(name)
            if wanted is not None and not wanted.mapping:
                return None  # the pattern matches nothing in there
        path = parent.file(name)
        if parent.path.endswith(os.pardir):  # the working directory may be below
            path = _relative(full)
        if is_repository and is_linked_worktree(full):
            self._search.skip(
                Skipped(os.path.join(path, ""), _WORKTREE, is_expected=name.startswith("."))
            )
            return None
        folder = Folder(path, full, self._search.rules_in(full), wanted)
        is_named = parent.wanted is not None and (wanted is None or bool(wanted.mapping))
        if name.startswith(".") and not (folder.rules.mapping or is_named):
            if name != _GIT:
                self._search.skip(Skipped(_shown(folder), HIDDEN, is_expected=True))
            return None
        why = self._why_no_source(name, names)
        if why is not None:
            self._search.skip(Skipped(_shown(folder), why))
            return None
        return self._checked(folder, names)

    def _checked(self, folder: Folder, names: Iterable[str]) -> Folder | None:
        """Return a folder; None if it is excluded, or holds schemas."""
        why = None
        if folder.rules.excluded is not None:
            why = excluded_by(folder.rules.excluded)
        elif self._is_schemas(folder.full) or _is_store(folder.full, names):
            why = "schemas"
        if why is None:
            return folder
        self._search.skip(Skipped(_shown(folder), why, is_expected=True))
        return None

    def _is_schemas(self, full: str) -> bool:
        schemas = self._search.schemas_in(full)
        if schemas is None:
            return False
        if schemas not in self._schemas:
            self._schemas[schemas] = (os.path.abspath(schemas), os.path.realpath(schemas))
        return full in self._schemas[schemas]

    def _why_no_source(self, name: str, names: Iterable[str]) -> str | None:
        if not self._search.ignore_files:
            return None
        return _VIRTUAL if _ENVIRONMENT in names else _NO_SOURCES.get(name)


def excluded_by(pattern: str) -> str:
    """Return why a file or folder is skipped that a pattern of the configuration excludes."""
    return f"excluded by the configuration ({pattern})"


def repository_of(folder: str) -> str | None:
    """Return the nearest folder with `.git` (a folder, or a file in a worktree or submodule)."""
    above = ""
    while folder != above:
        if os.path.lexists(os.path.join(folder, _GIT)):
            return folder
        folder, above = os.path.dirname(folder), folder
    return None


def ignored_files(files: Iterable[str], warn: Callable[[str], None]) -> frozenset[str]:
    """Return which of these files git ignores; it is asked once for each repository."""
    by_repository: dict[str | None, dict[str, str]] = {}
    repositories: dict[str, str | None] = {}
    for file in files:
        folder, name = os.path.split(os.path.abspath(file))
        if folder not in repositories:
            repositories[folder] = repository_of(os.path.realpath(folder))
        real = os.path.join(os.path.realpath(folder), name)  # git follows no links
        by_repository.setdefault(repositories[folder], {})[real] = file
    ignored: set[str] = set()
    for repository, names in by_repository.items():
        if repository is not None or _has_repository_elsewhere():
            from widgetschema.project.git import ignored_among

            where = os.getcwd() if repository is None else repository
            try:
                ignored.update(names[path] for path in ignored_among(where, names))
                continue
            except ChangesUnknown as error:
                warn(_without_git(os.path.relpath(where), error))
        from widgetschema.project.inputs.gitignore import is_ignored

        for path, file in names.items():
            if is_ignored(path, repository or _common_folder(path), warn):
                ignored.add(file)
    return frozenset(ignored)


def names_below(root: str | None, path: str) -> list[str]:
    """Return the names of the folders between `root` and a file, and its own; none if elsewhere."""
    if root is None or not _is_below(path, root):
        return []
    return os.path.relpath(path, root).split(os.sep)


def why_no_source(path: str, root: str | None) -> str | None:
    """Return what a folder between `root` and a file holds instead of data, if one does."""
    here = root or ""
    for name in names_below(root, path)[:-1]:
        here = os.path.join(here, name)
        if name in _NO_SOURCES:
            return _NO_SOURCES[name]
        if os.path.lexists(os.path.join(here, _ENVIRONMENT)):
            return _VIRTUAL
    return None


def is_linked_worktree(folder: str) -> bool:
    """Return whether a folder is a worktree of a repository that is somewhere else."""
    try:
        path = os.path.join(folder, _GIT)
        if not os.path.isfile(path):
            return False
        text = os.fsdecode(read_head(path, _LONGEST)).strip()
    except OSError:
        return False
    kind, _, target = text.partition(": ")
    parts = target.replace("\\", "/").split("/")
    return kind == "gitdir" and parts[-2:-1] == ["worktrees"]


def holds_schemas(folder: str, schemas: str | None) -> bool:
    """Return whether a folder holds schemas: it is `schemas`, or has this name and a manifest."""
    real = os.path.realpath(folder)
    if schemas is not None and real == os.path.realpath(schemas):
        return True
    return os.path.basename(real) == _SCHEMAS and os.path.lexists(os.path.join(real, _MANIFEST))


def _has_repository_elsewhere() -> bool:
    """Return whether the environment says where the repository of the working directory is."""
    return bool(os.environ.get("GIT_DIR") and os.environ.get("GIT_WORK_TREE"))


def _common_folder(path: str) -> str:
    """Return the folder that both a path and the working directory are in."""
    return os.path.commonpath([os.getcwd(), path])


def _without_git(where: str, error: ChangesUnknown) -> str:
    return (
        f"{printable(where)}: git does not list the files ({error.reason}): only what files "
        ".gitignore name is passed over"
    )


def _relative(full: str) -> str:
    path = os.path.relpath(full)
    return "" if path == os.curdir else path


def _is_below(real: str, root: str) -> bool:
    return os.path.join(real, "").startswith(os.path.join(root, ""))


def _is_store(full: str, names: Iterable[str]) -> bool:
    return os.path.basename(full) == _SCHEMAS and _MANIFEST in names


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _shown(folder: Folder) -> str:
    return os.path.join(folder.path or os.curdir, "")

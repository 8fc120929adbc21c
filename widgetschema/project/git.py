"""The files that git lists or says have changed, without running what a repository brings along.

The configuration of a repository may name programs: monitors, filters, hooks, remotes. All are
turned off here, and only commands that read are used. Contents are compared as they are on the
disk, so a file that a filter changes may count as changed although git says that it has not.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, NoReturn

from widgetschema.catalog.store.locations import may_be_schema
from widgetschema.errors import ChangesUnknown
from widgetschema.files import open_file
from widgetschema.jsontext import preview
from widgetschema.text import one_line

# What a hook sets is about the repository whose hook it is: ours is found from the folder. What
# says where configuration is, and which folders are safe, stays.
_KEPT_VARIABLES: Final = (
    "GIT_CONFIG",
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_EXEC_PATH",
)
_SET_VARIABLES: Final = {
    "GIT_ALLOW_PROTOCOL": "none",  # nothing is fetched, whatever is missing
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_EMPTY: Final = "WIDGETSCHEMA_EMPTY"  # a variable that is empty
_LITERAL: Final = "--literal-pathspecs"
_SAFE_OPTIONS: Final = (
    "--no-pager",
    _LITERAL,
    "-c",
    "core.fsmonitor=false",
    "-c",
    f"core.hooksPath={os.devnull}",
)
_DIFF_OPTIONS: Final = (
    "--raw",
    "--no-abbrev",
    "--no-renames",
    "--no-ext-diff",
    "--no-textconv",
    "--ignore-submodules=dirty",
)
_ALL_FILES: Final = ("--cached", "--others", "--exclude-standard")
_OBJECT_ID: Final = re.compile("[0-9a-f]{40,64}")
_SHALLOW: Final = (
    "this clone has only part of the history; fetch the rest (git fetch --unshallow; in CI, "
    "fetch-depth: 0 or GIT_DEPTH: 0)"
)
_BLOCK: Final = 1024 * 1024
_PLAIN: Final = "\0H 100"  # where the entry of a regular file begins, without a conflict
_PATHS: Final = re.compile("\t([^\0]*)\0")
_NEW: Final = "? "  # what begins the entry of a file that git does not know
_LINK: Final = "120000"
_MODULE: Final = "160000"
_UNREADABLE: Final = re.compile("^warning: could not open directory '(.*)/': (.*)$", re.MULTILINE)

Run = Callable[..., subprocess.CompletedProcess[bytes]]  # `subprocess.run`


class ChangedFiles(NamedTuple):
    """The files that have changed, by their real, absolute paths.

    `files` are there, `deleted` are not any more. `folders` have changed as a whole: other
    repositories, and what links lead to.
    """

    files: frozenset[str]
    deleted: frozenset[str] = frozenset()
    folders: frozenset[str] = frozenset()

    def has(self, file: str) -> bool:
        """Return whether a file (by any name that leads to it) has changed."""
        real = os.path.realpath(file)
        return real in self.files or self._is_below(real)

    def touches_schemas(self, folder: str) -> bool:
        """Return whether a schema in a folder, or its manifest, has changed or is gone."""
        real = os.path.realpath(folder)
        if self._is_below(os.path.join(real, "")):
            return True
        own = [*self.files, *self.deleted]
        if any(os.path.dirname(path) == real and may_be_schema(path) for path in own):
            return True
        try:
            names = [name for name in os.listdir(real) if may_be_schema(name)]
        except OSError:
            return real in self.files | self.deleted
        return any(self.has(os.path.join(real, name)) for name in names)

    def touches(self, file: str) -> bool:
        """Return whether a file has changed or is gone."""
        here = os.path.join(os.path.realpath(os.path.dirname(file)), os.path.basename(file))
        return self.has(file) or here in self.files or here in self.deleted

    def _is_below(self, real: str) -> bool:
        return any(real.startswith(os.path.join(folder, "")) for folder in self.folders)


def affects_everything(
    changed: ChangedFiles,
    *,
    schemas_folders: Iterable[str],
    schema_files: Iterable[str] = (),
    configuration_file: str | None,
    baseline: str | None,
) -> bool:
    """Return whether something has changed that every result depends on.

    That is a schema or the manifest of one of the folders, another schema, the configuration, or
    the baseline.
    """
    files = [file for file in (*schema_files, configuration_file, baseline) if file is not None]
    return any(map(changed.touches_schemas, schemas_folders)) or any(map(changed.touches, files))


def changed_files(
    ref: str | None,
    directory: str,
    *,
    environ: Mapping[str, str] | None = None,
) -> ChangedFiles:
    """Return what has changed in the working tree that `directory` is in.

    Without a `ref`, since the last commit: what is staged, what is not, and new files that are not
    ignored. With one, since the merge base of HEAD and the ref, these included. If nothing is
    committed yet, everything is new. Raises `ChangesUnknown`.
    """
    if ref is not None:
        _check_ref(ref)
    git = _Git(directory, environ)
    top = git.top()
    git.turn_off_filters()
    head = git.commit("HEAD")
    if head is None and ref is None:
        listed = git.names("ls-files", *_ALL_FILES)
        return _by_presence(top, listed)
    base = head if ref is None else git.base(ref, head)
    assert base is not None
    names = git.names("ls-files", "--others", "--exclude-standard")
    for where in (["--cached"], []):  # what is staged, then what is on the disk
        listed = git.names("diff-index", *where, *_DIFF_OPTIONS, base, "--")
        names += [name for name, entry in _entries(listed) if not _is_unchanged(top, name, entry)]
    return _by_presence(top, names)


class ListedFiles(NamedTuple):
    """The files below a folder that git does not ignore, by paths relative to it, with `/`.

    `links` are those that are links, or not yet known to git: they may be. `repositories` are
    folders with repositories of their own, submodules among them. `unreadable` are folders that git
    cannot read, each with the reason.
    """

    files: list[str]
    links: frozenset[str] = frozenset()
    repositories: tuple[str, ...] = ()
    unreadable: tuple[tuple[str, str], ...] = ()


def list_files(directory: str, *, run: Run = subprocess.run) -> ListedFiles | None:
    """Return the files below a folder that git knows or does not ignore, by one process.

    None if the folder itself is ignored. Files that were deleted are among them. Raises
    `ChangesUnknown` if git cannot or will not say.
    """
    git = _Git(directory, run=run)
    raw, unreadable = git.listing()
    if not (raw or unreadable) and git.ignores_folder():
        return None
    return _listed(raw)._replace(unreadable=unreadable)


def list_ignored(directory: str) -> list[str]:
    """Return the files and folders below a folder that git ignores; folders end in `/`.

    Raises `ChangesUnknown`.
    """
    git = _Git(directory)
    ignored = ("--others", "--ignored", "--exclude-standard", "--directory")
    return git.names("ls-files", *ignored)


def ignored_among(directory: str, paths: Iterable[str]) -> frozenset[str]:
    """Return which of these absolute paths git ignores, by one process; those it knows are not.

    Raises `ChangesUnknown`.
    """
    git = _Git(directory)
    return git.ignored(paths)


def _listed(raw: bytes) -> ListedFiles:
    """Return what `git ls-files -t --stage -z` lists: `tag mode id stage<TAB>path`, or `? path`."""
    text = os.fsdecode(raw)
    if text.count(_PLAIN) + text.startswith(_PLAIN[1:]) == text.count("\0"):
        return ListedFiles(_PATHS.findall(text))  # most repositories have no other entries
    entries = text.split("\0")[:-1]
    new = [entry[2:] for entry in entries if entry.startswith(_NEW)]
    known = [entry for entry in entries if not entry.startswith(_NEW)] if new else entries
    # Few repositories have links or submodules: to look for them once costs less than each time.
    links = _with_mode(known, _LINK) if b" 120000 " in raw else []
    modules = _with_mode(known, _MODULE) if b" 160000 " in raw else []
    files = dict.fromkeys(entry.partition("\t")[2] for entry in known)  # a conflict: thrice
    for path in modules:
        files.pop(path, None)
    for path in new:
        if path.endswith("/"):
            modules.append(path[:-1])
        else:
            files[path] = None
            links.append(path)
    return ListedFiles([*files], frozenset(links), tuple(modules))


def _with_mode(entries: list[str], mode: str) -> list[str]:
    return [entry.partition("\t")[2] for entry in entries if entry[2:8] == mode]


class _Entry(NamedTuple):
    """Old and new mode and object id of a file; the id is zeros where git did not look."""

    old_mode: str
    mode: str
    old_id: str
    id: str


class Checkout(NamedTuple):
    """A commit that is checked out, by its id, and the address of the repository it came from."""

    commit: str | None
    origin: str | None


def checkout_of(directory: str) -> Checkout:
    """Return the commit that a folder is a checkout of; None for both unless it is the top of one.

    Raises `ChangesUnknown` if git cannot say.
    """
    git = _Git(directory)
    if git.top() != os.path.realpath(directory):
        return Checkout(None, None)
    return Checkout(git.commit("HEAD"), git.origin())


class _Git:
    """Run git in one folder, with everything turned off that runs other programs."""

    def __init__(
        self,
        directory: str,
        environ: Mapping[str, str] | None = None,
        run: Run = subprocess.run,
    ) -> None:
        environ = os.environ if environ is None else environ
        self._program = _program(environ)
        self._directory = directory
        self._run_process = run
        self._elsewhere = {
            name: os.path.join(os.path.abspath(directory), environ[name])
            for name in ("GIT_DIR", "GIT_WORK_TREE")
            if environ.get(name)
        }
        self._environ = {
            name: value
            for name, value in environ.items()
            if not name.startswith("GIT_") or name.startswith(_KEPT_VARIABLES)
        }
        self._environ |= {**_SET_VARIABLES, _EMPTY: ""}
        self._options = [*_SAFE_OPTIONS]

    def top(self) -> str:
        """Return the folder of the working tree, from which everything is done after that."""
        done = self._run_git("rev-parse", "--show-toplevel")
        if done.returncode and self._elsewhere:  # the repository is not around the folder
            self._environ |= self._elsewhere
            done = self._run_git("rev-parse", "--show-toplevel")
        if done.returncode:
            _refuse(_error_of(done) or f"{self._directory} is not in a git repository")
        self._directory = os.path.realpath(os.fsdecode(done.stdout.removesuffix(b"\n")))
        return self._directory

    def turn_off_filters(self) -> None:
        """Replace each configured filter, which comparing contents would run, by an empty one."""
        done = self._run_git("config", "-z", "--name-only", "--get-regexp", r"^filter\.")
        if done.returncode > 1:  # 1: there is none
            _refuse(_error_of(done))
        names = {name.rpartition(".")[0] for name in _split(done.stdout)}
        for name in sorted(names):
            for key in ("clean", "process", "smudge", "required"):
                if "=" in name:  # where -c would divide it
                    self._options.append(f"--config-env={name}.{key}={_EMPTY}")
                else:
                    self._options += ["-c", f"{name}.{key}="]

    def commit(self, ref: str) -> str | None:
        """Return the id of a commit; None if there is none by that name."""
        done = self._run_git(
            "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}"
        )
        id = done.stdout.decode(errors="replace").strip()
        return id if not done.returncode and _OBJECT_ID.fullmatch(id) else None

    def origin(self) -> str | None:
        """Return the address of the remote repository `origin`; None if there is none."""
        done = self._run_git("config", "--get", "remote.origin.url")
        return os.fsdecode(done.stdout.removesuffix(b"\n")) or None

    def base(self, ref: str, head: str | None) -> str:
        """Return the merge base of HEAD and a ref."""
        shown = preview(ref, 80)
        commit = self.commit(ref)
        if commit is None:
            more = _SHALLOW if self._is_shallow() else "name a branch, a tag or a commit"
            _refuse(f"git knows no commit {shown}; {more}")
        if head is None:
            _refuse(f"there is no commit here yet, so there is none in common with {shown}")
        done = self._run_git("merge-base", commit, head)
        if done.returncode > 1:
            _refuse(_error_of(done))
        if done.returncode:
            more = _SHALLOW if self._is_shallow() else "name a ref that has one"
            _refuse(f"{shown} and HEAD have no commit in common; {more}")
        return done.stdout.decode().strip()

    def names(self, command: str, *arguments: str) -> list[str]:
        """Return the names that a command lists, each ended by NUL."""
        done = self._run_git(command, "-z", *arguments)
        if done.returncode:
            _refuse(_error_of(done))
        return _split(done.stdout)

    def listing(self) -> tuple[bytes, tuple[tuple[str, str], ...]]:
        """Return the files below the folder that are not ignored, with tags and modes.

        Also return the folders that git cannot read, each with the reason.
        """
        command = ("ls-files", "-z", "-t", "--stage", *_ALL_FILES)
        done = self._run_git(*command)
        if done.returncode and len(self._elsewhere) == 2:  # the repository is not around the folder
            self._environ |= self._elsewhere
            done = self._run_git(*command)
        if done.returncode:
            _refuse(_error_of(done) or f"git ends with {done.returncode}")
        unreadable = _UNREADABLE.findall(os.fsdecode(done.stderr))
        if unreadable:  # by paths below the top
            prefix = os.fsdecode(self._run_git("rev-parse", "--show-prefix").stdout).rstrip("\n")
            unreadable = [(path.removeprefix(prefix), why.lower()) for path, why in unreadable]
        return done.stdout, (*unreadable,)

    def ignores_folder(self) -> bool:
        """Return whether the folder itself is ignored."""
        return self._check_ignore("--quiet", ".").returncode == 0

    def ignored(self, paths: Iterable[str]) -> frozenset[str]:
        """Return which of these absolute paths are ignored."""
        names = b"".join(os.fsencode(path) + b"\0" for path in paths)
        done = self._check_ignore("-z", "--stdin", names=names)
        if done.returncode > 1:  # 1: none is
            _refuse(_error_of(done) or f"git ends with {done.returncode}")
        return frozenset(_split(done.stdout))

    def _check_ignore(
        self, *arguments: str, names: bytes = b""
    ) -> subprocess.CompletedProcess[bytes]:
        options = [one for one in self._options if one != _LITERAL]  # which this command refuses
        return self._run_git("check-ignore", *arguments, names=names, options=options)

    def _is_shallow(self) -> bool:
        return self._run_git("rev-parse", "--is-shallow-repository").stdout.strip() == b"true"

    def _run_git(
        self, *arguments: str, names: bytes = b"", options: Sequence[str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        """Run git; `names` go to its standard input, `options` replace those that are set."""
        try:
            return self._run_process(
                [self._program, *(self._options if options is None else options), *arguments],
                cwd=self._directory,
                env=self._environ,
                input=names,
                capture_output=True,
                check=False,
            )
        except OSError as error:
            _refuse(f"git cannot be run in {self._directory}: {error.strerror or error}")


def _check_ref(ref: str) -> None:
    if not ref.strip():
        _refuse("the ref is empty; name a branch, a tag or a commit")
    if ref.startswith("-") or not ref.isprintable():
        _refuse(f"{preview(ref, 80)} is not a ref; name a branch, a tag or a commit")


def _program(environ: Mapping[str, str]) -> str:
    """Return the path of git: in an absolute folder of PATH, never in the repository itself."""
    name = "git.exe" if os.name == "nt" else "git"
    folders = filter(os.path.isabs, environ.get("PATH", os.defpath).split(os.pathsep))
    paths = (os.path.join(folder, name) for folder in folders)
    found = next((path for path in paths if os.path.isfile(path) and os.access(path, os.X_OK)), "")
    if not found:
        _refuse("git is not installed")
    return found


def _split(raw: bytes) -> list[str]:
    return [os.fsdecode(part) for part in raw.split(b"\0")[:-1]]


def _error_of(done: subprocess.CompletedProcess[bytes]) -> str:
    """Return the first error of git, in one short line."""
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    first = lines[0] if lines else ""
    text = next((line for line in lines if line.startswith(("fatal:", "error:"))), first)
    return one_line(text.removeprefix("fatal: ").removeprefix("error: "), 300)


def _refuse(reason: str) -> NoReturn:
    raise ChangesUnknown(reason) from None


def _entries(parts: list[str]) -> Iterator[tuple[str, _Entry]]:
    """Yield names and entries of `diff-index --raw -z`: `:mode mode id id status`, then a name."""
    for about, name in zip(parts[::2], parts[1::2], strict=True):
        old_mode, mode, old_id, id, _ = about.removeprefix(":").split(" ")
        yield name, _Entry(old_mode, mode, old_id, id)


def _is_unchanged(top: str, name: str, entry: _Entry) -> bool:
    """Return whether a file that git did not look into is unchanged but for its times."""
    if entry.id.strip("0") or entry.mode != entry.old_mode or not entry.mode.startswith("100"):
        return False
    import hashlib  # mostly, git knows

    path = os.path.join(top, name)
    algorithm = "sha1" if len(entry.old_id) == 40 else "sha256"
    try:
        with open_file(path) as file:
            status = os.fstat(file.fileno())
            state = hashlib.new(algorithm, b"blob %d\0" % status.st_size, usedforsecurity=False)
            while block := file.read(_BLOCK):
                state.update(block)
    except OSError:
        return False
    return state.hexdigest() == entry.old_id


def _by_presence(top: str, names: Iterable[str]) -> ChangedFiles:
    """Return what has changed, by whether it is a file, a folder, or gone."""
    files: set[str] = set()
    deleted: set[str] = set()
    folders: set[str] = set()
    for name in names:
        path = os.path.join(top, name.rstrip("/"))  # another repository ends in one
        real = os.path.realpath(path)
        here = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
        if not os.path.lexists(path):
            deleted.add(here)
        elif os.path.isdir(real):
            folders.add(real)
        else:
            files |= {here, real}
    return ChangedFiles(frozenset(files), frozenset(deleted), frozenset(folders))

"""Places of tokens: the file and its permissions, the keyring, memory; damage and locks."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends.fail import Keyring as NoKeyring
from keyring.errors import PasswordDeleteError

from tests.terminal import HANG
from tests.token_platform import shown
from widgetschema.errors import MissingExtra, TokenStorageError
from widgetschema.platform.auth.storage import (
    FileStorage,
    KeyringStorage,
    MemoryStorage,
    TokenStorage,
)
from widgetschema.platform.auth.token_file import TokenFile, default_path
from widgetschema.platform.auth.tokens import Tokens
from widgetschema.platform.connection import storage_for
from widgetschema.platform.secret import Secret

X = "https://x.example/api/v1"
Y = "https://y.example/api/v1"
CANARY = "canary-of-tokens"
posix = pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
unprivileged = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere"
)


def tokens(base_url: str = X, **changes: Any) -> Tokens:
    fields: dict[str, Any] = {
        "access_token": Secret(CANARY),
        "refresh_token": Secret(f"{CANARY}-refresh"),
        "client_secret": Secret(f"{CANARY}-secret"),
        "auth_url": "https://auth.example",
        "client_id": "c",
        "expires_in": "3600",
        "obtained": 1.5,
        "account": "me",
    }
    return Tokens(base_url=base_url, **{**fields, **changes})


class Vault(KeyringBackend):
    """A keyring in memory; `trouble` is raised instead."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.kept: dict[tuple[str, str], str] = {}
        self.trouble: Exception | None = None
        self.forgets = False

    def get_password(self, service: str, username: str) -> str | None:
        self.fail()
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.fail()
        if not self.forgets:
            self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        self.fail()
        if self.kept.pop((service, username), None) is None:
            raise PasswordDeleteError("not there")

    def fail(self) -> None:
        if self.trouble is not None:
            raise self.trouble


@pytest.fixture
def file(tmp_path: Path) -> TokenFile:
    """A token file that is not there yet, in a folder that is not there yet."""
    return TokenFile(tmp_path / "config" / "widgetschema" / "tokens.json", patience=HANG)


@pytest.fixture(params=["file", "keyring", "memory"])
def storage(request: pytest.FixtureRequest, file: TokenFile) -> TokenStorage:
    """Each place there is."""
    makers: dict[str, Callable[[], TokenStorage]] = {
        "file": lambda: FileStorage(file, X),
        "keyring": lambda: KeyringStorage(file, X, Vault()),
        "memory": MemoryStorage,
    }
    return makers[request.param]()


# Every place


def test_tokens_are_kept_replaced_and_removed(storage: TokenStorage) -> None:
    assert storage.load() is None
    assert storage.clear() is False
    with storage.lock():
        storage.probe()
        assert storage.load() is None
        storage.save(tokens())
        assert storage.load() == tokens()
        storage.save(tokens(access_token=Secret("b"), refresh_token=None))
    assert storage.load() == tokens(access_token=Secret("b"), refresh_token=None)
    with storage.lock():
        assert storage.clear() is True
    assert storage.load() is None


def test_one_holds_the_lock_and_another_thread_may_release_it(storage: TokenStorage) -> None:
    lock, order = storage.lock(), list[str]()
    lock.__enter__()

    def other() -> None:
        with storage.lock():
            order.append("other")

    thread = threading.Thread(target=other)
    thread.start()
    time.sleep(0.1)
    order.append("first")
    releaser = threading.Thread(target=lock.__exit__, args=(None, None, None))
    releaser.start()
    releaser.join()
    thread.join()

    assert order == ["first", "other"]


def test_a_place_has_a_name_without_secrets(storage: TokenStorage) -> None:
    with storage.lock():
        storage.save(tokens())

    assert len(storage.describe()) > 10
    assert CANARY not in storage.describe() + repr(storage)


# The file


@posix
@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_only_the_owner_can_read_the_file(file: TokenFile, umask: int) -> None:
    before = os.umask(umask)
    try:
        FileStorage(file, X).save(tokens())
    finally:
        os.umask(before)

    assert stat.S_IMODE(os.stat(file.path).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(os.path.dirname(file.path)).st_mode) == 0o700
    assert file.problems() == ()


@posix
def test_a_loose_file_is_reported_and_tightened(file: TokenFile) -> None:
    FileStorage(file, X).save(tokens())
    folder = os.path.dirname(file.path)
    os.chmod(file.path, 0o644)
    os.chmod(folder, 0o755)

    assert file.problems() == (
        f"{file.path}: others can access it (mode 644): chmod 600",
        f"{folder}: others can access it (mode 755): chmod 700",
    )
    FileStorage(file, Y).save(tokens(Y))
    assert file.problems() == ()


@posix
def test_a_folder_of_somebody_elses_name_is_left_alone(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    file = TokenFile(tmp_path / "tokens.json")
    FileStorage(file, X).save(tokens())

    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755
    assert file.problems() == ()


@posix
def test_a_file_is_never_readable_by_others(file: TokenFile) -> None:
    """A watcher in another process looks all the time, and sees no loose mode."""
    script = (
        "import os, sys\n"
        "folder, loose = sys.argv[1], set()\n"
        "print('ready', flush=True)\n"
        "while not os.path.exists(os.path.join(folder, 'stop')):\n"
        "    for entry in os.scandir(folder):\n"
        "        try: mode = entry.stat().st_mode & 0o777\n"
        "        except OSError: continue\n"
        "        if entry.name != 'stop' and mode & 0o077: loose.add((entry.name, oct(mode)))\n"
        "print(sorted(loose))\n"
    )
    folder = Path(file.path).parent
    folder.mkdir(parents=True, mode=0o700)
    with subprocess.Popen(
        [sys.executable, "-c", script, str(folder)], stdout=subprocess.PIPE, text=True
    ) as watcher:
        assert watcher.stdout is not None
        assert watcher.stdout.readline() == "ready\n"
        before = os.umask(0)
        try:
            for _ in range(50):
                with file.lock():
                    file.put(tokens())
        finally:
            os.umask(before)
            (folder / "stop").touch()
        assert watcher.stdout.read() == "[]\n"


def test_several_platforms_share_the_file(file: TokenFile) -> None:
    FileStorage(file, X).save(tokens(X))
    FileStorage(file, Y).save(tokens(Y, access_token=Secret("y")))

    assert file.base_urls() == (X, Y)
    assert FileStorage(file, X).load() == tokens(X)
    assert FileStorage(file, X).clear() is True
    assert FileStorage(file, Y).load() == tokens(Y, access_token=Secret("y"))
    assert FileStorage(file, Y).clear() is True
    assert not os.path.exists(file.path)


def test_what_is_not_understood_is_kept(file: TokenFile) -> None:
    file.put(tokens())
    path = Path(file.path)
    value = json.loads(path.read_text())
    value["later"] = {"a": [1.5, None]}
    value["logins"][X]["scope"] = "all"
    value["logins"]["https://other.example"] = "odd"
    path.write_text(json.dumps(value))
    file.put(tokens(access_token=Secret("b")))

    written = json.loads(path.read_text())
    assert written["later"] == {"a": [1.5, None]}
    assert written["logins"][X]["scope"] == "all"
    assert written["logins"][X]["access_token"] == "b"
    assert written["logins"]["https://other.example"] == "odd"
    assert file.drop(X)
    assert file.drop("https://other.example")
    assert json.loads(path.read_text()) == {"version": 1, "logins": {}, "later": {"a": [1.5, None]}}


def test_members_that_are_gone_are_not_kept(file: TokenFile) -> None:
    file.put(tokens())
    file.put(tokens(refresh_token=None))

    assert file.get(X) == tokens(refresh_token=None)


@posix
def test_a_symbolic_link_stays_one(tmp_path: Path) -> None:
    target, link = tmp_path / "dotfiles" / "t.json", tmp_path / "widgetschema" / "tokens.json"
    link.parent.mkdir()
    link.symlink_to(target)
    file = TokenFile(link)
    file.put(tokens())

    assert link.is_symlink()
    assert target.is_file()
    assert not target.is_symlink()
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert file.get(X) == tokens()
    assert file.drop(X)
    assert link.is_symlink()
    assert CANARY not in target.read_text()


@posix
def test_two_names_of_a_file_have_one_lock(tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "tokens.json")

    with TokenFile(tmp_path / "tokens.json").lock():
        message = "another process has held its lock"
        with (
            pytest.raises(TokenStorageError, match=message),
            TokenFile(link, patience=0.1).lock(),
        ):
            pass


BROKEN = {
    "not JSON": b'{"version": 1, "logins": {"x": "' + CANARY.encode(),
    "empty": b"",
    "not UTF-8": b"\xff\xfe" + CANARY.encode(),
    "a list": f'["{CANARY}"]'.encode(),
    "no logins": f'{{"version": 1, "access_token": "{CANARY}"}}'.encode(),
    "logins of another kind": f'{{"version": 1, "logins": ["{CANARY}"]}}'.encode(),
    "deep": b"[" * 200_000,
    "too large": b'{"version": 1, "logins": {}}' + b" " * 1024 * 1024,
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_an_error_and_is_never_overwritten(
    file: TokenFile, content: bytes
) -> None:
    path = Path(file.path)
    path.parent.mkdir(parents=True)
    path.write_bytes(content)

    actions: list[Callable[[], object]] = [
        lambda: file.get(X),
        lambda: file.put(tokens()),
        lambda: file.drop(X),
        file.base_urls,
        file.probe,
    ]
    for action in actions:
        with pytest.raises(TokenStorageError) as caught:
            action()
        assert "log in again" in str(caught.value)
        assert caught.value.path == file.path
        assert CANARY not in shown(caught.value)
    assert path.read_bytes() == content
    assert file.is_broken()


def test_a_broken_file_is_moved_aside_and_an_older_one_stays(file: TokenFile) -> None:
    path = Path(file.path)
    path.parent.mkdir(parents=True)
    asides = []
    for content in ("first", "second", "third"):
        path.write_text(content)
        path.chmod(0o644)
        asides.append(Path(file.set_aside()))

    assert [aside.read_text() for aside in asides] == ["first", "second", "third"]
    assert all(os.name != "posix" or aside.stat().st_mode & 0o077 == 0 for aside in asides)
    assert not file.is_broken()
    with pytest.raises(TokenStorageError, match="moved aside"):
        file.set_aside()


def test_a_file_of_a_later_version_is_left_alone(file: TokenFile) -> None:
    path = Path(file.path)
    path.parent.mkdir(parents=True)
    path.write_text('{"version": 2, "logins": {}}')

    assert not file.is_broken()
    with pytest.raises(TokenStorageError, match="another version"):
        file.put(tokens())
    assert path.read_text() == '{"version": 2, "logins": {}}'


@pytest.mark.parametrize(
    "entry",
    [CANARY, None, {}, {"access_token": 3, "refresh_token": CANARY}, [CANARY]],
    ids=lambda entry: type(entry).__name__,
)
def test_an_odd_entry_is_an_error_for_its_platform_alone(file: TokenFile, entry: Any) -> None:
    file.put(tokens(Y))
    path = Path(file.path)
    path.write_text(json.dumps({"version": 1, "logins": {X: entry, Y: {"access_token": "y"}}}))

    with pytest.raises(TokenStorageError, match="is not a login") as caught:
        file.get(X)
    assert CANARY not in shown(caught.value)
    assert file.get(Y) is not None
    file.put(tokens())
    assert file.get(X) == tokens()


def test_a_byte_order_mark_is_read_over(file: TokenFile) -> None:
    file.put(tokens())
    path = Path(file.path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())

    assert file.get(X) == tokens()


def test_a_folder_in_the_place_of_the_file(file: TokenFile) -> None:
    Path(file.path).mkdir(parents=True)

    actions: list[Callable[[], object]] = [lambda: file.get(X), lambda: file.put(tokens())]
    for action in actions:
        with pytest.raises(TokenStorageError, match="is not a file"):
            action()


def test_a_file_in_the_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "widgetschema").write_text("")
    file = TokenFile(tmp_path / "widgetschema" / "tokens.json")

    with file.lock(), pytest.raises(TokenStorageError) as caught:
        file.put(tokens())
    assert CANARY not in shown(caught.value)


@posix
@unprivileged
def test_a_folder_that_cannot_be_written(file: TokenFile) -> None:
    file.put(tokens())
    folder = Path(file.path).parent
    folder.parent.chmod(0o700)
    other = TokenFile(folder.parent / "sealed" / "tokens.json")
    (folder.parent / "sealed").mkdir(mode=0o500)

    with other.lock(), pytest.raises(TokenStorageError, match="cannot be written") as caught:
        other.put(tokens())
    assert CANARY not in shown(caught.value)


@posix
def test_a_full_disk_is_an_error_without_secrets(tmp_path: Path) -> None:
    """In a process that may write 100 bytes: the file cannot be written whole."""
    script = (
        "import resource, signal, sys\n"
        "from tests.unit.platform.test_token_storage import tokens, shown, X, CANARY\n"
        "from widgetschema.platform.auth.token_file import TokenFile\n"
        "from widgetschema.errors import TokenStorageError\n"
        "file = TokenFile(sys.argv[1])\n"
        "file.put(tokens(access_token=tokens().refresh_token))\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "try: file.put(tokens())\n"
        "except TokenStorageError as error:\n"
        "    assert CANARY not in shown(error), shown(error)\n"
        "    assert file.get(X).access_token == tokens().refresh_token\n"
        "    print(error)\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "tokens.json")],
        capture_output=True,
        text=True,
        check=True,
    )

    assert "tokens.json: cannot be written: File too large" in result.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["tokens.json"]


def test_the_default_place_is_the_users_configuration() -> None:
    path = Path(default_path())

    assert path.name == "tokens.json"
    assert path.parent.name == "widgetschema"
    assert TokenFile().path == str(path)


def test_each_profile_has_a_file_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Path(TokenFile(profile="work").path).name == "tokens-work.json"
    monkeypatch.setenv("WIDGETSCHEMA_PROFILE", "home")
    assert TokenFile().path == default_path("home")
    assert TokenFile(profile="").path == default_path()
    assert TokenFile("x.json").profile == ""
    for name in ("../x", "a/b", ".", "a\n", "ä", "x" * 65):
        with pytest.raises(ValueError, match="its name can have letters, digits, - and _"):
            TokenFile(profile=name)


def test_profiles_are_different_entries_of_the_keyring(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    vault = Vault()
    storages = [KeyringStorage(TokenFile(profile=name), X, vault) for name in ("", "a")]
    for storage, access in zip(storages, "12", strict=True):
        with storage.lock():
            storage.save(tokens(access_token=Secret(access)))

    assert [one and one.access_token for one in (each.load() for each in storages)] == [
        Secret("1"),
        Secret("2"),
    ]
    with storages[1].lock():
        assert storages[1].clear()
    assert storages[0].load() is not None


def test_a_lock_held_for_long_is_an_error_that_says_so(file: TokenFile) -> None:
    other = TokenFile(file.path, patience=0.2)
    message = r"held its lock for 0\.2 seconds"
    with file.lock(), pytest.raises(TokenStorageError, match=message), other.lock():
        pass


# The keyring


def test_the_file_says_only_that_tokens_are_in_the_keyring(file: TokenFile) -> None:
    vault = Vault()
    storage = KeyringStorage(file, X, vault)
    storage.save(tokens())

    assert CANARY not in Path(file.path).read_text()
    assert file.kept_in(X) == "keyring"
    assert file.get(X) is None
    assert list(vault.kept) == [("widgetschema", X)]
    assert storage.clear() is True
    assert vault.kept == {}
    assert file.kept_in(X) is None


def test_a_probe_leaves_nothing(file: TokenFile) -> None:
    vault = Vault()
    KeyringStorage(file, X, vault).probe()

    assert vault.kept == {}


def test_from_the_keyring_to_the_file_and_back(file: TokenFile) -> None:
    in_keyring, in_file = KeyringStorage(file, X, Vault()), FileStorage(file, X)
    in_keyring.save(tokens())
    in_file.save(tokens())
    assert file.kept_in(X) == "file"
    assert in_keyring.clear() is True
    assert in_file.load() == tokens()
    in_keyring.save(tokens())
    assert file.kept_in(X) == "keyring"
    assert in_file.load() is None


@pytest.mark.parametrize(
    "trouble",
    [PasswordDeleteError(CANARY), OSError(28, CANARY), ValueError(CANARY), KeyError(CANARY)],
    ids=lambda error: type(error).__name__,
)
def test_whatever_a_keyring_raises_is_one_error_without_secrets(
    file: TokenFile, trouble: Exception
) -> None:
    vault = Vault()
    storage = KeyringStorage(file, X, vault)
    storage.save(tokens())
    vault.trouble = trouble

    for action in (
        storage.load,
        lambda: storage.save(tokens()),
        storage.clear,
        storage.probe,
    ):
        with pytest.raises(TokenStorageError, match="--storage file") as caught:
            action()
        assert CANARY not in shown(caught.value)


def test_a_keyring_that_keeps_nothing_is_found_out(file: TokenFile) -> None:
    vault = Vault()
    vault.forgets = True

    with pytest.raises(TokenStorageError, match="does not store"):
        KeyringStorage(file, X, vault).probe()


def test_an_odd_entry_of_the_keyring(file: TokenFile) -> None:
    vault = Vault()
    vault.kept["widgetschema", X] = f"[{CANARY}"

    with pytest.raises(TokenStorageError, match="is not a login") as caught:
        KeyringStorage(file, X, vault).load()
    assert CANARY not in shown(caught.value)


@pytest.fixture
def system_keyring() -> Iterator[Callable[[KeyringBackend], None]]:
    """Sets the keyring of this process, for as long as a test takes."""
    before = keyring.get_keyring()
    yield keyring.set_keyring
    keyring.set_keyring(before)


def test_the_mark_leads_to_the_keyring(
    file: TokenFile, system_keyring: Callable[[KeyringBackend], None]
) -> None:
    vault = Vault()
    system_keyring(vault)
    KeyringStorage(file, X).save(tokens())

    assert isinstance(storage_for(file, X), KeyringStorage)
    assert storage_for(file, X).load() == tokens()
    assert isinstance(storage_for(file, Y), FileStorage)


def test_no_keyring_at_all(
    file: TokenFile, system_keyring: Callable[[KeyringBackend], None]
) -> None:
    system_keyring(NoKeyring())  # type: ignore[no-untyped-call]

    with pytest.raises(TokenStorageError, match="cannot be written"):
        KeyringStorage(file, X).probe()


def test_without_the_extra(file: TokenFile) -> None:
    script = (
        "import sys; sys.modules['keyring'] = None\n"
        "from widgetschema.platform.auth.storage import KeyringStorage\n"
        "from widgetschema.platform.auth.token_file import TokenFile\n"
        f"KeyringStorage(TokenFile({file.path!r}), {X!r})\n"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)

    assert MissingExtra.__name__ in result.stderr.decode()
    assert "pip install 'widgetschema[keyring]'" in result.stderr.decode()

"""The fetcher: when it asks, what it believes, what it keeps; in every mode."""

from __future__ import annotations

import json
import math
import os
import pickle
import stat
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from tests.forking import exit_code_of_fork
from tests.terminal import HANG
from widgetschema import (
    Catalog,
    ErrorResponse,
    InvalidSchema,
    InvalidTypeId,
    LoginRequired,
    NotAvailableOffline,
    PlatformError,
    Provenance,
    Store,
    UnknownWidgetType,
    Unreachable,
    UnusableResponse,
    WidgetSchemaError,
    connect,
)
from widgetschema.catalog.store import bundled
from widgetschema.errors import UnresolvableReference
from widgetschema.platform import Retries, SchemaResponse
from widgetschema.platform.fetcher import Fetched, Fetcher, cache_folder
from widgetschema.sandbox import running

HOUR = 3600.0
DAY = 24 * HOUR
START = 1_800_000_000.0
COUNTDOWN = bundled()["countdown"]
PLAIN = {"$id": "plain", "properties": {"data": {"type": "object"}}}


class Answer(SchemaResponse):
    """The response to a request for a schema, of which most tests need little."""

    def __init__(
        self,
        schema: Any = None,
        etag: str | None = None,
        last_modified: str | None = None,
        *,
        not_modified: bool = False,
        **others: Any,
    ) -> None:
        status = 304 if not_modified else 200
        others |= {"etag": etag, "last_modified": last_modified}
        super().__init__(status, "", schema=schema, **others)


Said = Answer | WidgetSchemaError | Callable[[str | None, str | None], "Answer | WidgetSchemaError"]


@dataclass
class Platform:
    """A client that answers as the test says, and remembers what it was asked."""

    answers: dict[str, Said] = field(default_factory=dict)
    base_url: str = "https://platform.example/api/v1"
    account: str = "me"
    asked: list[tuple[str, str | None, str | None]] = field(default_factory=list)

    def fetch_schema(
        self, id: str, *, etag: str | None = None, last_modified: str | None = None
    ) -> Answer:
        self.asked.append((id, etag, last_modified))
        said = self.answers.get(id, refused(404))
        answer = said(etag, last_modified) if callable(said) else said
        if isinstance(answer, WidgetSchemaError):
            raise answer
        return answer


def refused(status: int) -> ErrorResponse:
    return ErrorResponse("no", method="GET", path="/widget-types/x/schema", status=status)


def unreachable() -> Unreachable:
    return Unreachable("no response", method="GET", path="/widget-types/x/schema")


@dataclass
class World:
    """A platform, a cache, a clock, and what was warned of."""

    cache: Path
    platform: Platform = field(default_factory=Platform)
    now: float = START
    warned: list[str] = field(default_factory=list)

    def fetcher(self, mode: Any = "auto", **options: Any) -> Fetcher:
        own: dict[str, Any] = {
            "cache": self.cache,
            "clock": lambda: self.now,
            "warn": self.warned.append,
        }
        return Fetcher(self.platform, mode=mode, **{**own, **options})

    @property
    def folder(self) -> Path:
        """The folder of the cache for this platform and account."""
        return Path(cache_folder(str(self.cache), self.platform.base_url, self.platform.account))

    def asked(self) -> list[tuple[str, str | None, str | None]]:
        """Return the requests since the last call."""
        asked = list(self.platform.asked)
        self.platform.asked.clear()
        return asked

    def asked_for(self, id: str) -> int:
        """Count the requests for the schema since the last call."""
        return [one for one, _, _ in self.asked()].count(id)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "cache")


class TestAuto:
    def test_it_asks_once_and_keeps_what_comes(self, world: World) -> None:
        world.platform.answers["plain"] = Answer(PLAIN)
        fetcher = world.fetcher()
        assert fetcher["plain"] == PLAIN
        assert fetcher["plain"] == PLAIN
        assert world.asked() == [("plain", None, None)]
        assert Store(world.folder)["plain"] == PLAIN

    @pytest.mark.parametrize(
        ("max_age", "after", "asks"),
        [
            (None, 0.0, False),
            (None, HOUR - 1, False),
            (None, HOUR, True),
            (60.0, 59.0, False),
            (60.0, 60.0, True),
            (0.0, 0.0, True),
            (2 * DAY, DAY, False),
            (2 * DAY, -60.0, True),  # the clock was set back: nobody knows
        ],
    )
    def test_how_long_it_is_fresh(
        self, world: World, max_age: float | None, after: float, asks: bool
    ) -> None:
        world.platform.answers["plain"] = Answer(PLAIN, max_age=max_age)
        _ = world.fetcher()["plain"]
        world.asked()
        world.now += after
        _ = world.fetcher()["plain"]
        assert bool(world.asked()) is asks

    @pytest.mark.parametrize(
        ("etag", "last_modified"),
        [('"1"', None), (None, "Sat, 21 Nov 2026 19:00:00 GMT"), ('W/"2"', "yesterday")],
    )
    def test_then_on_the_condition_that_it_changed(
        self, world: World, etag: str | None, last_modified: str | None
    ) -> None:
        world.platform.answers["plain"] = Answer(PLAIN, etag, last_modified)
        _ = world.fetcher()["plain"]
        world.now += 2 * HOUR
        world.platform.answers["plain"] = Answer(not_modified=True)
        world.asked()
        fetched = world.fetcher().fetch("plain")
        assert fetched.schema == PLAIN
        assert world.asked() == [("plain", etag, last_modified)]
        world.now += HOUR - 1  # the response made it fresh again
        _ = world.fetcher()["plain"]
        assert world.asked() == []

    def test_a_change_replaces_it(self, world: World) -> None:
        world.platform.answers["plain"] = Answer(PLAIN, '"1"')
        _ = world.fetcher()["plain"]
        world.now += 2 * HOUR
        newer = {**PLAIN, "title": "newer"}
        world.platform.answers["plain"] = Answer(newer)
        assert world.fetcher()["plain"] == newer
        entry = Store(world.folder).entry("plain")
        assert entry is not None
        assert entry.text("etag") is None

    @pytest.mark.parametrize(
        "error",
        [
            unreachable(),
            *map(refused, (400, 422, 429, 500, 503)),
            UnusableResponse("HTML", method="GET", path="/", status=200),
        ],
        ids=str,
    )
    def test_a_stale_copy_is_better_than_none_and_is_said(
        self, world: World, error: WidgetSchemaError
    ) -> None:
        world.platform.answers["plain"] = Answer(PLAIN)
        _ = world.fetcher()["plain"]
        world.now += 2 * DAY
        world.platform.answers["plain"] = error
        fetched = world.fetcher().fetch("plain")
        assert fetched.schema == PLAIN
        assert fetched.provenance.stale
        assert len(world.warned) == 1
        assert "'plain' is a copy of 2 days ago" in world.warned[0]

    def test_but_not_for_ever(self, world: World) -> None:
        world.platform.answers["plain"] = Answer(PLAIN)
        _ = world.fetcher()["plain"]
        world.platform.answers["plain"] = unreachable()
        world.now += 30 * DAY
        assert world.fetcher()["plain"] == PLAIN
        world.now += 1
        with pytest.raises(Unreachable):
            _ = world.fetcher()["plain"]

    @pytest.mark.parametrize(
        "error",
        [
            refused(401),
            refused(403),
            refused(404),
            LoginRequired("expired"),
        ],
        ids=lambda error: type(error).__name__ + str(getattr(error, "status", "")),
    )
    def test_a_refusal_is_never_answered_from_the_cache(
        self, world: World, error: WidgetSchemaError
    ) -> None:
        world.platform.answers["plain"] = Answer(PLAIN)
        _ = world.fetcher()["plain"]
        world.now += 2 * HOUR
        world.platform.answers["plain"] = error
        with pytest.raises(type(error)):
            world.fetcher().fetch("plain")
        assert world.warned == []


class TestOtherModes:
    def test_offline_asks_nobody(self, world: World) -> None:
        world.platform.answers["plain"] = Answer(PLAIN)
        _ = world.fetcher()["plain"]
        world.asked()
        world.now += 400 * DAY
        fetched = world.fetcher("offline").fetch("plain")
        assert (fetched.schema, fetched.provenance.stale) == (PLAIN, True)
        with pytest.raises(NotAvailableOffline, match="'other' is not available offline"):
            world.fetcher("offline").fetch("other")
        assert world.asked() == []

    def test_refresh_asks_even_if_it_is_fresh_and_fails_without_an_answer(
        self, world: World
    ) -> None:
        world.platform.answers["plain"] = Answer(PLAIN, '"1"', max_age=DAY)
        _ = world.fetcher("refresh")["plain"]
        _ = world.fetcher("refresh")["plain"]
        assert world.asked() == [("plain", None, None), ("plain", '"1"', None)]
        world.platform.answers["plain"] = unreachable()
        with pytest.raises(Unreachable):
            world.fetcher("refresh").fetch("plain")

    def test_without_a_cache_nothing_is_written(self, world: World) -> None:
        world.platform.answers["plain"] = Answer(PLAIN)
        fetcher = Fetcher(world.platform, cache=None)
        assert fetcher["plain"] == PLAIN
        assert [*fetcher] == ["plain"]
        assert not world.cache.exists()

    def test_an_unknown_mode_is_refused(self, world: World) -> None:
        with pytest.raises(ValueError, match="auto, offline, refresh"):
            world.fetcher("frozen?")


@dataclass
class ListingPlatform(Platform):
    """A platform with a list of widgets, of which only the types matter."""

    types: list[str | None] | Exception = field(default_factory=list)
    lists: int = 0

    def iter_widgets(self, *, fields: Iterable[str] | None = None) -> Iterator[Any]:
        assert fields == ["id", "type"]
        self.lists += 1
        if isinstance(self.types, Exception):
            raise self.types
        for type in self.types:
            yield SimpleNamespace(type=type)


class TestListIds:
    @pytest.fixture
    def world(self, tmp_path: Path) -> World:
        return World(tmp_path / "cache", ListingPlatform(types=["faq", "poll", "faq"]))

    @staticmethod
    def platform(world: World) -> ListingPlatform:
        assert isinstance(world.platform, ListingPlatform)
        return world.platform

    def test_a_cold_cache(self, world: World) -> None:
        fetcher = world.fetcher()
        catalog = Catalog([fetcher, bundled()])

        assert catalog.ids() == ("faq", "poll", "countdown")
        assert [*catalog] == ["faq", "poll", "countdown"]
        assert [*fetcher] == []
        assert self.platform(world).lists == 1

    def test_what_was_fetched_comes_first(self, world: World) -> None:
        world.platform.answers["plain"] = Answer(PLAIN)
        fetcher = world.fetcher()
        _ = fetcher["plain"]
        assert fetcher.list_ids() == ("plain", "faq", "poll")
        assert world.fetcher("offline").list_ids() == ("plain",)

    def test_an_unknown_id_requests_no_list(self, world: World) -> None:
        with pytest.raises(UnknownWidgetType):
            Catalog(world.fetcher())["faw"]
        assert self.platform(world).lists == 0

    def test_it_is_requested_again_after_an_hour_or_on_refresh(self, world: World) -> None:
        fetcher = world.fetcher()
        _ = fetcher.list_ids()
        self.platform(world).types = ["new"]
        world.now += HOUR - 1
        assert fetcher.list_ids() == ("faq", "poll")
        world.now += 1
        assert fetcher.list_ids() == ("new",)
        self.platform(world).types = ["newer"]
        Catalog(fetcher).refresh()
        assert fetcher.list_ids() == ("newer",)

    def test_a_failure_is_a_warning_if_ids_are_known(self, world: World) -> None:
        fetcher = world.fetcher()
        _ = fetcher.list_ids()
        self.platform(world).types = unreachable()
        world.now += HOUR
        for _ in range(3):
            assert fetcher.list_ids() == ("faq", "poll")
        (said,) = world.warned
        assert said.startswith("the list of types may be incomplete: ")
        assert self.platform(world).lists == 2
        with pytest.raises(Unreachable):
            world.fetcher().list_ids()

    def test_the_deadline_holds_for_the_list(self, world: World) -> None:
        gate = threading.Event()
        platform = self.platform(world)
        platform.iter_widgets = lambda **_: iter(gate.wait, None)  # type: ignore[method-assign]
        with pytest.raises(Unreachable, match="no response within 0 seconds"):
            Catalog(world.fetcher(deadline=0)).ids()
        platform.iter_widgets = lambda **_: iter([])  # type: ignore[method-assign]
        assert world.fetcher().list_ids() == ()
        gate.set()

    def test_widgets_without_a_type_are_counted(self, world: World) -> None:
        self.platform(world).types = ["faq", None]
        assert world.fetcher().list_ids() == ("faq",)
        assert world.warned == ["1 widget of 2 have no type, and were skipped"]


class TestWhatIsBelieved:
    @pytest.mark.parametrize(
        ("schema", "error"),
        [
            ({"error": "token expired"}, UnusableResponse),
            ({}, UnusableResponse),
            (True, UnusableResponse),
            ([], UnusableResponse),
            ({"type": "nothing"}, InvalidSchema),
            ({"$ref": "elsewhere"}, UnresolvableReference),
            ({"$ref": "https://elsewhere.example/schema"}, UnresolvableReference),
        ],
    )
    def test_only_what_links_is_kept(
        self, world: World, schema: Any, error: type[WidgetSchemaError]
    ) -> None:
        world.platform.answers["plain"] = Answer(PLAIN, '"1"')
        _ = world.fetcher()["plain"]
        world.now += 2 * HOUR
        world.platform.answers |= {"plain": Answer(schema), "new": Answer(schema)}
        fetched = world.fetcher().fetch("plain")
        assert (fetched.schema, fetched.provenance.stale) == (PLAIN, True)
        assert "'plain' is a copy of 2 hours ago" in world.warned[0]
        with pytest.raises(error):
            world.fetcher("refresh").fetch("plain")
        with pytest.raises(error):
            world.fetcher().fetch("new")
        assert Store(world.folder)["plain"] == PLAIN  # as before

    def test_not_modified_where_there_is_nothing(self, world: World) -> None:
        world.platform.answers["plain"] = Answer(not_modified=True)
        with pytest.raises(UnusableResponse, match="a 304 to an unconditional request"):
            world.fetcher().fetch("plain")

    def test_not_modified_without_a_condition_is_asked_again(self, world: World) -> None:
        world.platform.answers["plain"] = Answer(PLAIN)
        _ = world.fetcher()["plain"]
        world.now += 2 * HOUR
        said = iter([Answer(not_modified=True), Answer({**PLAIN, "title": "t"})])
        world.platform.answers["plain"] = lambda *_: next(said)
        assert world.fetcher()["plain"]["title"] == "t"

    @pytest.mark.parametrize("id", ["..", "a/b", "", "x" * 5_000, "a\n", "a\\b", "\ud800"])
    def test_an_id_that_is_none_is_never_asked_for(self, world: World, id: str) -> None:
        with pytest.raises(InvalidTypeId):
            world.fetcher().fetch(id)
        assert id not in world.fetcher()
        assert world.asked() == []
        assert not world.cache.exists()


class TestCache:
    def test_a_corrupt_schema_is_set_aside_and_fetched_again(self, world: World) -> None:
        world.platform.answers["plain"] = Answer(PLAIN)
        _ = world.fetcher()["plain"]
        path = Store(world.folder).path("plain")
        path.write_text("{}", encoding="utf-8")
        assert world.fetcher()["plain"] == PLAIN
        assert world.warned == ["the cached schema of 'plain' is corrupt, and is fetched again"]
        assert path.with_name(f"{path.name}.corrupt").exists()
        assert Store(world.folder)["plain"] == PLAIN

    @pytest.mark.parametrize("manifest", [b"", b"{", b"[]", b'{"schemas": {"a": 1}}', b"\xff"])
    def test_a_corrupt_manifest_is_set_aside(self, world: World, manifest: bytes) -> None:
        world.platform.answers["plain"] = Answer(PLAIN)
        _ = world.fetcher()["plain"]
        (world.folder / "manifest.json").write_bytes(manifest)
        assert world.fetcher()["plain"] == PLAIN
        assert (world.folder / "manifest.json.corrupt").read_bytes() == manifest
        assert Store(world.folder)["plain"] == PLAIN

    def test_a_cache_that_cannot_be_written_is_no_failure(self, world: World) -> None:
        world.cache.write_text("a file", encoding="utf-8")
        world.platform.answers["plain"] = Answer(PLAIN)
        assert world.fetcher()["plain"] == PLAIN
        assert "cannot be written to the cache" in world.warned[0]

    def test_each_platform_and_account_has_its_own(self, tmp_path: Path) -> None:
        folders = {
            cache_folder(str(tmp_path), url, account)
            for url in ("https://a.example/v1", "https://a.example/v2", "https://b.example/v1")
            for account in ("me", "you", "")
        }
        assert len(folders) == 9
        assert all(Path(folder).parent == tmp_path for folder in folders)

    @pytest.mark.parametrize("url", ["https://../x", "https://a:1/x", "https://[::1]/", "x"])
    def test_its_name_is_a_plain_one(self, url: str) -> None:
        name = Path(cache_folder("/root", url, "\0/..")).name
        assert name.replace("-", "").replace(".", "").isalnum()
        assert not name.startswith("..")

    def test_it_holds_what_http_needs_and_no_more(self, world: World) -> None:
        world.platform.answers["plain"] = Answer(PLAIN, '"1"', "date", max_age=5.0)
        _ = world.fetcher()["plain"]
        manifest = json.loads((world.folder / "manifest.json").read_text(encoding="utf-8"))
        assert manifest["schemas"]["plain"].keys() == {
            *("file", "sha256", "source", "fetched", "checked"),
            *("etag", "last_modified", "max_age"),
        }


class TestBaseSchema:
    def test_the_platform_is_asked_for_it(self, world: World) -> None:
        base = {"$id": "plugin", "type": "object", "title": "theirs"}
        world.platform.answers |= {"countdown": Answer(COUNTDOWN), "plugin": Answer(base)}
        widget_type = Catalog([world.fetcher(), bundled()])["countdown"]
        assert [one.source for one in widget_type.provenance] == [world.platform.base_url] * 2
        assert "theirs" in json.dumps(widget_type.linked)

    def test_if_it_has_none_the_bundled_one_is_used_for_an_hour(self, world: World) -> None:
        world.platform.answers["countdown"] = Answer(COUNTDOWN, max_age=DAY)
        widget_type = Catalog([world.fetcher()])["countdown"]
        assert [one.source for one in widget_type.provenance] == [
            world.platform.base_url,
            "bundled",
        ]
        assert [id for id, _, _ in world.asked()] == ["countdown", "plugin"]
        _ = Catalog([world.fetcher()])["countdown"]
        assert world.asked() == []
        world.now += 2 * HOUR
        _ = Catalog([world.fetcher()])["countdown"]
        assert [id for id, _, _ in world.asked()] == ["plugin"]

    def test_one_that_is_given_is_not_asked_for(self, world: World) -> None:
        world.platform.answers["countdown"] = Answer(COUNTDOWN)
        given = ({"type": "object"}, Provenance("plugin", "base.json", "0" * 64))
        widget_type = Catalog([world.fetcher(plugin=given)])["countdown"]
        assert widget_type.provenance[1].source == "base.json"
        assert [id for id, _, _ in world.asked()] == ["countdown"]

    @pytest.mark.parametrize("error", [unreachable(), refused(401), refused(500)], ids=str)
    def test_if_nobody_can_tell_there_is_no_guess(self, world: World, error: PlatformError) -> None:
        world.platform.answers |= {"countdown": Answer(COUNTDOWN), "plugin": error}
        with pytest.raises(type(error)):
            world.fetcher().fetch("countdown")

    def test_a_type_without_it_does_not_ask(self, world: World) -> None:
        world.platform.answers["plain"] = Answer(PLAIN)
        _ = Catalog([world.fetcher()])["plain"]
        assert [id for id, _, _ in world.asked()] == ["plain"]


class TestMany:
    def test_what_can_be_had_is_had(self, world: World) -> None:
        world.platform.answers |= {f"t{n}": Answer({"$id": f"t{n}"}) for n in range(30)}
        world.platform.answers["t7"] = refused(500)
        outcomes = dict(world.fetcher("refresh").fetch_many([*(f"t{n}" for n in range(30)), "t3"]))
        assert len(outcomes) == 30
        assert isinstance(outcomes["t7"], ErrorResponse)
        assert sum(isinstance(outcome, Fetched) for outcome in outcomes.values()) == 29
        assert len(Store(world.folder)) == 29

    def test_no_more_at_once_than_asked_for(self, world: World) -> None:
        together, most, lock = 0, 0, threading.Lock()
        gate = threading.Event()

        def answer(*_: Any) -> Answer:
            nonlocal together, most
            with lock:
                together += 1
                most = max(most, together)
            if most > 1:
                gate.set()
            gate.wait(HANG)
            with lock:
                together -= 1
            return Answer({"title": "x"})

        world.platform.answers |= {f"t{n}": answer for n in range(20)}
        list(world.fetcher().fetch_many([f"t{n}" for n in range(20)], 4))
        assert 1 < most <= 4

    def test_whoever_stops_early_keeps_what_came(self, world: World) -> None:
        world.platform.answers |= {f"t{n}": Answer({"$id": f"t{n}"}) for n in range(5)}
        came = world.fetcher().fetch_many([f"t{n}" for n in range(5)], 1)
        id, _ = next(came)
        came.close()
        assert id in Store(world.folder)


class TestBadAnswers:
    """A bad response is no reason to fail while a good copy is at hand, nor to ask at each save."""

    BAD: ClassVar = [
        Answer({"error": "token expired"}),
        Answer({"$ref": "nowhere"}),
        Answer({"type": "nothing"}),
        UnusableResponse("HTML", method="GET", path="/", status=200),
        refused(500),
        unreachable(),
    ]

    @pytest.mark.parametrize("bad", BAD, ids=str)
    @pytest.mark.parametrize("cached", [True, False])
    def test_the_last_good_copy_and_one_request(
        self, world: World, bad: Said, cached: bool
    ) -> None:
        world.platform.answers["plain"] = Answer(PLAIN, max_age=60)
        fetcher = world.fetcher() if cached else world.fetcher(cache=None)
        _ = fetcher["plain"]
        world.asked()
        world.now += 60
        world.platform.answers["plain"] = bad

        saves = [fetcher.fetch("plain") for _ in range(600)]

        assert all(one.schema == PLAIN and one.provenance.stale for one in saves)
        assert (world.asked_for("plain"), len(world.warned)) == (1, 1)
        world.now += 10
        _ = fetcher["plain"]
        assert world.asked_for("plain") == 1
        world.platform.answers["plain"] = Answer({**PLAIN, "title": "good again"})
        world.now += 10
        assert fetcher["plain"]["title"] == "good again"

    @pytest.mark.parametrize("bad", [*BAD, refused(401), refused(403), refused(404)], ids=str)
    def test_without_a_copy_it_is_remembered_for_some_seconds(
        self, world: World, bad: Said
    ) -> None:
        world.platform.answers["plain"] = bad
        fetcher = world.fetcher()
        raised = []
        for _ in range(201):
            with pytest.raises(WidgetSchemaError) as caught:
                fetcher.fetch("plain")
            raised.append(caught.value)
        assert len({type(error) for error in raised}) == 1
        assert len({id(error) for error in raised}) == 201  # no traceback grows
        assert world.asked_for("plain") == 1
        world.platform.answers["plain"] = Answer(PLAIN)
        world.now += 10
        assert fetcher["plain"] == PLAIN

    def test_a_platform_that_loses_its_base_schema_for_a_moment(self, world: World) -> None:
        base = {"$id": "plugin", "type": "object", "title": "theirs"}
        world.platform.answers |= {"plugin": Answer(base, max_age=60)}
        fetcher = world.fetcher()
        _ = fetcher["plugin"]
        world.now += 60
        world.platform.answers["plugin"] = refused(422)
        assert fetcher["plugin"] == base  # not the bundled one
        assert len(world.warned) == 1

    def test_what_was_remembered_of_many_is_forgotten(self, world: World) -> None:
        fetcher = world.fetcher()
        for number in range(1_100):
            assert f"t{number}" not in fetcher
            world.now += 1
        assert len(fetcher._remembered) <= 1_000


class Held:
    """A response that does not come before `gate` is opened."""

    def __init__(self, answer: Said) -> None:
        self.gate = threading.Event()
        self.begun = threading.Event()
        self.answer = answer

    def __call__(self, etag: str | None, last_modified: str | None) -> Answer | WidgetSchemaError:
        self.begun.set()
        assert self.gate.wait(60)
        assert not callable(self.answer)
        return self.answer


class Waits:
    """The waits of fetchers, in which nothing comes: the monotonic clock goes on at once.

    So many threads wait `together`.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, together: int = 1) -> None:
        self.now, self.seconds = 0.0, list[float]()
        self._all_wait = threading.Barrier(together)
        monkeypatch.setattr("widgetschema.calls.time", self)
        monkeypatch.setattr("widgetschema.platform.fetcher.fetcher.time", self)
        monkeypatch.setattr("widgetschema.platform.fetcher.fetcher.wait", self._pass)

    def monotonic(self) -> float:
        """Return the time, in seconds."""
        return self.now

    def _pass(self, _: object, seconds: float) -> None:
        if seconds > 0:
            end = self.now + seconds
            self.seconds.append(seconds)
            self._all_wait.wait(HANG)
            self.now = end


class TestAtTheSameTime:
    @pytest.mark.parametrize("answer", [Answer(PLAIN), refused(403)], ids=["good", "bad"])
    def test_threads_share_one_request(self, world: World, answer: Said) -> None:
        held = Held(answer)
        world.platform.answers["plain"] = held
        fetcher = world.fetcher(deadline=None)

        def outcome(_: int) -> object:
            try:
                return fetcher.fetch("plain").schema
            except ErrorResponse as error:
                return error.status

        with ThreadPoolExecutor(20) as pool:
            outcomes = pool.map(outcome, range(200))
            assert held.begun.wait(60)
            many = dict(fetcher.fetch_many([]))
            held.gate.set()
            assert [*outcomes] == [PLAIN if answer == Answer(PLAIN) else 403] * 200
        assert many == {}
        assert len(world.asked()) == 1

    def test_one_of_many_shares_it_too(self, world: World) -> None:
        held = Held(Answer(PLAIN))
        world.platform.answers["plain"] = held
        fetcher = world.fetcher(deadline=None)
        with ThreadPoolExecutor(2) as pool:
            single = pool.submit(fetcher.fetch, "plain")
            assert held.begun.wait(60)
            many = fetcher.fetch_many(["other", "plain"])
            assert isinstance(next(many)[1], ErrorResponse)  # the other one
            held.gate.set()
            assert dict(many)["plain"] == single.result(60)
        assert sorted(id for id, _, _ in world.asked()) == ["other", "plain"]

    def test_nobody_waits_for_a_slow_platform_while_a_copy_is_at_hand(self, world: World) -> None:
        first = Held(Answer(PLAIN, max_age=60))
        world.platform.answers["plain"] = first
        fetcher = world.fetcher(deadline=0)
        for _ in range(200):  # there is no copy yet
            with pytest.raises(Unreachable, match="no response within 0 seconds"):
                fetcher.fetch("plain")
        first.gate.set()
        self.settle()
        assert fetcher["plain"] == PLAIN
        assert len(world.asked()) == 1
        world.now += 60
        held = Held(Answer({**PLAIN, "title": "late"}))
        world.platform.answers["plain"] = held

        saves = [fetcher.fetch("plain") for _ in range(200)]
        world.now += 10
        saves += [fetcher.fetch("plain") for _ in range(200)]

        assert all(one.schema == PLAIN and one.provenance.stale for one in saves)
        assert held.begun.wait(60)
        assert len(world.asked()) == 1  # which is still under way
        assert "no response within 0 seconds" in world.warned[-1]
        held.gate.set()
        self.settle()
        assert fetcher["plain"]["title"] == "late"
        assert Store(world.folder)["plain"]["title"] == "late"
        assert world.asked() == []

    def test_one_late_answer_is_enough_to_wait_for_no_other(self, world: World) -> None:
        world.platform.answers |= {"plain": Answer(PLAIN), "other": Answer(PLAIN)}
        fetcher = world.fetcher(deadline=math.inf)
        _ = fetcher["plain"], fetcher["other"]
        world.now += HOUR
        plain, other = Held(Answer(PLAIN)), Held(Answer(PLAIN))
        world.platform.answers |= {"plain": plain, "other": other}
        fetcher.deadline = 0
        assert fetcher.fetch("plain").provenance.stale
        fetcher.deadline = math.inf
        with ThreadPoolExecutor(1) as pool:
            late = pool.submit(fetcher.fetch, "other")
            try:
                assert late.result(60).provenance.stale
            finally:
                plain.gate.set()
                other.gate.set()

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
    @pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
    def test_a_fork_does_not_wait_for_a_request_of_its_parent(self, world: World) -> None:
        world.platform.answers["plain"] = Answer(PLAIN)
        fetcher = world.fetcher()
        _ = fetcher["plain"]
        world.now += HOUR
        held = Held(Answer({**PLAIN, "title": "newer"}))
        world.platform.answers["plain"] = held
        fetcher.deadline = 0
        assert fetcher.fetch("plain").provenance.stale

        def fetched() -> int:
            fetcher.deadline = None
            world.now += 10
            # The thread of the parent may hold the locks of the other answer.
            world.platform.answers["plain"] = Answer({**PLAIN, "title": "newer"})
            return 7 if fetcher["plain"]["title"] == "newer" else 1

        assert exit_code_of_fork(fetched) == 7
        held.gate.set()

    def test_a_timeout_takes_the_copy_at_hand(self, world: World) -> None:
        world.platform.answers["plain"] = Answer(PLAIN)
        fetcher = world.fetcher()
        _ = fetcher["plain"]
        world.now += HOUR
        held = Held(Answer({**PLAIN, "title": "newer"}))
        world.platform.answers["plain"] = held

        fetched = fetcher.fetch("plain", timeout=0)

        assert (fetched.schema, fetched.provenance.stale) == (PLAIN, True)
        assert world.warned == []  # it is an hour old
        held.gate.set()
        self.settle()
        assert fetcher.fetch("plain", timeout=0).schema["title"] == "newer"
        assert Store(world.folder)["plain"]["title"] == "newer"

    def test_a_timeout_warns_once_of_a_copy_that_is_old(self, world: World) -> None:
        world.platform.answers["plain"] = Answer(PLAIN)
        fetcher = world.fetcher()
        _ = fetcher["plain"]
        held = Held(Answer(PLAIN))
        world.platform.answers["plain"] = held
        for seconds in (DAY - 1, 61, 61):
            world.now += seconds
            assert fetcher.fetch("plain", timeout=0).provenance.stale
        held.gate.set()
        self.settle()

        (said,) = world.warned
        assert "is a copy of 1 day ago, and may be stale" in said
        assert "no response within 0 seconds" in said

    def test_a_timeout_without_a_copy_is_no_failure_for_others(self, world: World) -> None:
        held = Held(Answer(PLAIN))
        world.platform.answers["plain"] = held
        fetcher = world.fetcher()
        with pytest.raises(Unreachable, match="no response within 0 seconds"):
            fetcher.fetch("plain", timeout=0)
        with ThreadPoolExecutor(1) as pool:
            patient = pool.submit(fetcher.fetch, "plain")
            held.gate.set()
            assert patient.result(60).schema == PLAIN

    def test_there_is_a_limit_to_the_requests_at_a_time(self, world: World) -> None:
        world.platform.answers["plain"] = Answer(PLAIN)
        fetcher = world.fetcher()
        _ = fetcher["plain"]
        world.now += HOUR
        held = Held(refused(404))
        for index in range(100):
            world.platform.answers[f"x{index}"] = held
            with pytest.raises(Unreachable, match="no response"):
                fetcher.fetch(f"x{index}", timeout=0)

        with pytest.raises(Unreachable, match="100 other schemas are being requested"):
            fetcher.fetch("another", timeout=0)
        assert fetcher.fetch("plain", timeout=0).provenance.stale  # a copy
        assert "another" not in {id for id, _, _ in world.asked()}
        held.gate.set()
        self.settle()
        assert fetcher.fetch("plain").schema == PLAIN

    def test_many_have_one_deadline(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        """It is over when the first is late: the others are requested, and not waited for."""
        waits = Waits(monkeypatch)
        held = Held(Answer(PLAIN))
        ids = [f"x{index}" for index in range(40)]
        world.platform.answers |= dict.fromkeys(ids, held)
        fetcher = world.fetcher(deadline=3)
        outcomes = dict(fetcher.fetch_many(ids, 1))
        assert waits.seconds == [3]
        assert {type(one) for one in outcomes.values()} == {Unreachable}
        held.gate.set()
        self.settle()
        assert {fetcher.fetch(id).schema["$id"] for id in ids} == {"plain"}

    def test_a_deadline_is_for_mode_auto_alone(self, world: World) -> None:
        world.platform.answers["plain"] = Answer(PLAIN)
        assert world.fetcher("refresh", deadline=0)["plain"] == PLAIN

    @pytest.mark.parametrize("deadline", [-1.0, float("nan")])
    def test_a_deadline_that_is_none(self, world: World, deadline: float) -> None:
        with pytest.raises(ValueError, match="deadline"):
            world.fetcher(deadline=deadline)

    def settle(self) -> None:
        """Wait for all requests that nobody waits for."""
        for thread in threading.enumerate():
            if thread.name == "fetch":
                thread.join(60)


class TestClockThatIsSetBack:
    """Answers from the future of a clock are no longer known to hold."""

    def test_a_fresh_answer_is_asked_for_again(self, world: World) -> None:
        world.platform.answers["plain"] = Answer(PLAIN)
        fetcher = world.fetcher()
        _ = fetcher["plain"]
        world.platform.answers["plain"] = Answer({**PLAIN, "title": "newer"})
        world.now -= DAY

        assert fetcher["plain"]["title"] == "newer"

    def test_a_refusal_is_not_remembered_until_then(self, world: World) -> None:
        world.platform.answers["plain"] = refused(403)
        fetcher = world.fetcher()
        with pytest.raises(ErrorResponse):
            _ = fetcher["plain"]
        world.platform.answers["plain"] = Answer(PLAIN)
        world.now -= DAY

        assert fetcher["plain"] == PLAIN

    def test_the_last_good_copy_is_still_one(self, world: World) -> None:
        world.platform.answers["plain"] = Answer(PLAIN)
        fetcher = world.fetcher()
        _ = fetcher["plain"]
        world.platform.answers["plain"] = unreachable()
        world.now -= DAY

        assert fetcher.fetch("plain").provenance.stale
        assert "is a copy of 0 seconds ago" in world.warned[-1]


class TestWhose:
    """A folder may be shared by platforms and accounts: nobody gets the schema of another."""

    def test_each_platform_and_account_gets_its_own(self, world: World) -> None:
        for base_url in ("https://a.example/v1", "https://b.example/v1"):
            for account in ("me", "you"):
                own = {**PLAIN, "title": f"{base_url} {account}"}
                world.platform = Platform({"plain": Answer(own)}, base_url, account)
                assert world.fetcher()["plain"] == own
                assert world.fetcher("offline")["plain"] == own
        world.platform = Platform({"plain": refused(401)}, "https://a.example/v1", "nobody")
        with pytest.raises(ErrorResponse):
            world.fetcher().fetch("plain")

    def test_a_client_without_an_account_writes_nothing(self, world: World) -> None:
        world.platform.account = ""
        world.platform.answers["plain"] = Answer(PLAIN, '"1"', max_age=60)
        fetcher = world.fetcher()
        for _ in range(3):
            assert fetcher["plain"] == PLAIN
        world.now += 60
        world.platform.answers["plain"] = refused(500)
        assert fetcher["plain"] == PLAIN
        assert world.asked() == [("plain", None, None), ("plain", '"1"', None)]
        assert not world.cache.exists()
        (said, _) = world.warned
        assert "cached in memory only" in said

    @pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
    def test_it_is_for_its_owner_alone(self, world: World) -> None:
        world.folder.mkdir(parents=True, mode=0o755)
        world.platform.answers |= {"plain": Answer(PLAIN), "countdown": Answer(COUNTDOWN)}
        fetcher = world.fetcher()
        _ = fetcher["plain"], fetcher["countdown"]
        assert stat.S_IMODE(world.folder.stat().st_mode) == 0o700
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in world.folder.iterdir()}
        assert len(modes) == 4  # with the base schema, and the manifest
        assert set(modes.values()) == {0o600}


class TestLifetime:
    """RFC 9111, section 4.3.4: what a 304 does not say is as it was."""

    @pytest.mark.parametrize("again", [True, False], ids=["same fetcher", "another"])
    def test_a_304_without_cache_control_keeps_it(self, world: World, again: bool) -> None:
        world.platform.answers["plain"] = Answer(
            PLAIN, '"1"', max_age=60, cache_control="max-age=60"
        )
        fetcher = world.fetcher()
        _ = fetcher["plain"]
        world.platform.answers["plain"] = Answer(etag='"1"', not_modified=True)
        for _ in range(3):
            world.now += 60
            world.asked()
            _ = (fetcher if again else world.fetcher())["plain"]
            assert world.asked() == [("plain", '"1"', None)]

    def test_a_304_with_cache_control_replaces_it(self, world: World) -> None:
        world.platform.answers["plain"] = Answer(
            PLAIN, '"1"', max_age=60, cache_control="max-age=60"
        )
        fetcher = world.fetcher()
        _ = fetcher["plain"]
        world.platform.answers["plain"] = Answer(not_modified=True, cache_control="private")
        world.now += 60
        _ = fetcher["plain"]
        world.now += HOUR - 1
        world.asked()
        _ = fetcher["plain"]
        assert world.asked() == []

    def test_what_must_not_be_stored_is_kept_in_memory(self, world: World) -> None:
        world.platform.answers["plain"] = Answer(
            PLAIN, '"1"', max_age=0, no_store=True, cache_control="no-store"
        )
        fetcher = world.fetcher()
        _ = fetcher["plain"]
        world.now += 10
        world.platform.answers["plain"] = Answer(not_modified=True)
        assert fetcher["plain"] == PLAIN
        assert world.asked() == [("plain", None, None), ("plain", '"1"', None)]
        assert not world.cache.exists()
        world.now += 10
        world.platform.answers["plain"] = Answer(
            not_modified=True, max_age=60, cache_control="max-age=60"
        )
        assert fetcher["plain"] == PLAIN
        assert Store(world.folder)["plain"] == PLAIN  # now it may


class TestALongTime:
    """A fetcher in a process that runs for days."""

    def test_what_is_fresh_no_longer_is_asked_for_again(self, world: World) -> None:
        world.platform.answers["plain"] = Answer(PLAIN, '"1"', max_age=60)
        fetcher = world.fetcher()
        _ = fetcher["plain"]
        world.now += 59
        _ = fetcher["plain"]
        assert len(world.asked()) == 1
        world.now += 1
        _ = fetcher["plain"]
        assert world.asked() == [("plain", '"1"', None)]

    def test_a_type_that_is_not_there_is_not_asked_for_at_each_look(self, world: World) -> None:
        fetcher = world.fetcher()
        for _ in range(5):
            assert "plain" not in fetcher
        assert len(world.asked()) == 1
        world.platform.answers["plain"] = Answer(PLAIN)
        world.now += 11
        assert "plain" in fetcher
        assert fetcher.get("plain") == PLAIN
        assert fetcher.get("nothing", 7) == 7

    def test_offline_the_bundled_base_schema_will_do(self, world: World) -> None:
        world.platform.answers["countdown"] = Answer(COUNTDOWN)
        given = ({"type": "object"}, Provenance("plugin", "base.json", "0" * 64))
        _ = world.fetcher(plugin=given)["countdown"]
        widget_type = Catalog([world.fetcher("offline")])["countdown"]
        assert widget_type.provenance[1].source == "bundled"


def test_a_catalog_goes_on_to_the_next_source_if_there_is_no_such_type(world: World) -> None:
    catalog = Catalog([world.fetcher(), bundled()])
    assert catalog["countdown"].source == "bundled"
    world.platform.answers["countdown"] = refused(500)
    with pytest.raises(ErrorResponse):
        _ = Catalog([world.fetcher(), bundled()])["countdown"]


def test_a_cached_type_that_the_platform_lost_is_not_suggested_for_itself(world: World) -> None:
    world.platform.answers |= {"faq": Answer(PLAIN, max_age=60), "faqs": Answer(PLAIN)}
    assert [*world.fetcher().fetch_many(["faq", "faqs"])]
    world.platform.answers["faq"] = refused(404)
    world.now += HOUR
    with pytest.raises(UnknownWidgetType) as caught:
        Catalog([world.fetcher()])["faq"]

    assert caught.value.known == ("faqs",)
    assert caught.value.nearest == ("faqs",)


def test_a_report_says_where_its_schemas_came_from(world: World) -> None:
    world.platform.answers["countdown"] = Answer(COUNTDOWN)
    report = Catalog([world.fetcher()])["countdown"].check({})
    own = report.schemas[0]
    assert (own.id, own.origin) == ("countdown", world.platform.base_url)
    assert own.fetched == "2027-01-15T08:00:00Z"
    assert own.digest == Store(world.folder).provenance("countdown").digest
    assert str(own).startswith("countdown: https://platform.example/api/v1 (")
    assert report.as_dict()["schemas"][0] == own.as_dict()


@pytest.mark.parametrize("fault", ["html", "unlinkable", "status=503", "empty", "cut", "redirect"])
def test_bad_answers_over_the_network(tmp_path: Path, fault: str) -> None:
    now, warned = [START], list[str]()
    with running() as sandbox:
        environ = {
            "WIDGETSCHEMA_BASE_URL": sandbox.base_url,
            "WIDGETSCHEMA_ACCESS_TOKEN": sandbox.access_token(),
        }
        with connect(environ=environ, retries=Retries(attempts=1)) as client:
            fetcher = Fetcher(client, cache=tmp_path, clock=lambda: now[0], warn=warned.append)
            good = fetcher.fetch("countdown")
            now[0] += HOUR
            sandbox.set_schema("countdown", {**COUNTDOWN, "title": "newer"})
            sandbox.fault(f"{fault}@schema")
            before = sandbox.counters.requests
            with ThreadPoolExecutor(20) as pool:
                fetched = [*pool.map(lambda _: fetcher.fetch("countdown"), range(600))]
            assert sandbox.counters.requests - before <= 2  # the base schema may be asked for, too
    assert {id(one) for one in fetched} == {id(fetched[0])}
    assert (fetched[0].schema, fetched[0].provenance.stale) == (good.schema, True)
    assert "'countdown' is a copy of 1 hour ago" in " ".join(warned)


def test_it_does_not_pickle_and_says_what_to_do(world: World) -> None:
    with pytest.raises(TypeError, match="make the catalog in each process, or of a folder"):
        pickle.dumps(Catalog([world.fetcher()]))
    with (
        connect(base_url="https://x.example", environ={"WIDGETSCHEMA_ACCESS_TOKEN": "t"}) as client,
        pytest.raises(TypeError, match="Client cannot be pickled"),
    ):
        pickle.dumps(client)

"""The fetcher: when it asks, what it believes, what it keeps; in every mode."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

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
)
from widgetschema.errors import UnresolvableReference
from widgetschema.fetcher import Fetched, Fetcher, cache_folder
from widgetschema.store import bundled

HOUR = 3600.0
DAY = 24 * HOUR
START = 1_800_000_000.0
COUNTDOWN = bundled()["countdown"]
PLAIN = {"$id": "plain", "properties": {"data": {"type": "object"}}}


@dataclass(frozen=True)
class Answer:
    schema: Any = None
    etag: str | None = None
    last_modified: str | None = None
    max_age: float | None = None
    not_modified: bool = False


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
    return Unreachable("no answer", method="GET", path="/widget-types/x/schema")


@dataclass
class World:
    """A platform, a cache, a clock, and what was warned of."""

    cache: Path
    platform: Platform = field(default_factory=Platform)
    now: float = START
    warned: list[str] = field(default_factory=list)

    def fetcher(self, mode: Any = "auto", **options: Any) -> Fetcher:
        return Fetcher(
            self.platform,
            cache=self.cache,
            mode=mode,
            clock=lambda: self.now,
            warn=self.warned.append,
            **options,
        )

    def asked(self) -> list[tuple[str, str | None, str | None]]:
        """What was asked since the last time."""
        asked = list(self.platform.asked)
        self.platform.asked.clear()
        return asked


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
        assert Store(world.cache)["plain"] == PLAIN

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
        world.now += HOUR - 1  # the answer made it fresh again
        _ = world.fetcher()["plain"]
        assert world.asked() == []

    def test_a_change_replaces_it(self, world: World) -> None:
        world.platform.answers["plain"] = Answer(PLAIN, '"1"')
        _ = world.fetcher()["plain"]
        world.now += 2 * HOUR
        newer = {**PLAIN, "title": "newer"}
        world.platform.answers["plain"] = Answer(newer)
        assert world.fetcher()["plain"] == newer
        entry = Store(world.cache).entry("plain")
        assert entry is not None
        assert entry.text("etag") is None

    @pytest.mark.parametrize(
        "error", [unreachable(), refused(429), refused(500), refused(503)], ids=str
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
            UnusableResponse("HTML", method="GET", path="/"),
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
        with pytest.raises(NotAvailableOffline, match="'other' is not at hand"):
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
        assert [*fetcher] == []
        assert not world.cache.exists()

    def test_an_unknown_mode_is_refused(self, world: World) -> None:
        with pytest.raises(ValueError, match="auto, offline, refresh"):
            world.fetcher("frozen?")


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
        world.platform.answers["plain"] = Answer(schema)
        with pytest.raises(error):
            world.fetcher().fetch("plain")
        assert Store(world.cache)["plain"] == PLAIN  # as before

    def test_not_modified_where_there_is_nothing(self, world: World) -> None:
        world.platform.answers["plain"] = Answer(not_modified=True)
        with pytest.raises(UnusableResponse, match="no condition was sent"):
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
        path = Store(world.cache).path("plain")
        path.write_text("{}", encoding="utf-8")
        assert world.fetcher()["plain"] == PLAIN
        assert world.warned == [
            "the cached schema of 'plain' is not what was kept, and is fetched again"
        ]
        assert path.with_name(f"{path.name}.corrupt").exists()
        assert Store(world.cache)["plain"] == PLAIN

    @pytest.mark.parametrize("manifest", [b"", b"{", b"[]", b'{"schemas": {"a": 1}}', b"\xff"])
    def test_a_corrupt_manifest_is_set_aside(self, world: World, manifest: bytes) -> None:
        world.platform.answers["plain"] = Answer(PLAIN)
        _ = world.fetcher()["plain"]
        (world.cache / "manifest.json").write_bytes(manifest)
        assert world.fetcher()["plain"] == PLAIN
        assert (world.cache / "manifest.json.corrupt").read_bytes() == manifest
        assert Store(world.cache)["plain"] == PLAIN

    def test_a_cache_that_cannot_be_written_is_no_failure(self, world: World) -> None:
        world.cache.write_text("a file", encoding="utf-8")
        world.platform.answers["plain"] = Answer(PLAIN)
        assert world.fetcher()["plain"] == PLAIN
        assert "cannot be kept" in world.warned[0]

    def test_each_platform_and_account_has_its_own(self, tmp_path: Path) -> None:
        folders = {
            cache_folder(url, account, str(tmp_path))
            for url in ("https://a.example/v1", "https://a.example/v2", "https://b.example/v1")
            for account in ("me", "you", "")
        }
        assert len(folders) == 9
        assert all(Path(folder).parent == tmp_path / "schemas" for folder in folders)

    @pytest.mark.parametrize("url", ["https://../x", "https://a:1/x", "https://[::1]/", "x"])
    def test_its_name_is_a_plain_one(self, url: str) -> None:
        name = Path(cache_folder(url, "\0/..", "/root")).name
        assert name.replace("-", "").replace(".", "").isalnum()
        assert not name.startswith("..")

    def test_it_holds_what_http_needs_and_no_more(self, world: World) -> None:
        world.platform.answers["plain"] = Answer(PLAIN, '"1"', "date", 5.0)
        _ = world.fetcher()["plain"]
        manifest = json.loads((world.cache / "manifest.json").read_text(encoding="utf-8"))
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
        assert len(Store(world.cache)) == 29

    def test_no_more_at_once_than_asked_for(self, world: World) -> None:
        together, most, lock = 0, 0, threading.Lock()
        gate = threading.Event()

        def answer(*_: Any) -> Answer:
            nonlocal together, most
            with lock:
                together += 1
                most = max(most, together)
            gate.wait(0.01)
            with lock:
                together -= 1
            return Answer({"title": "x"})

        world.platform.answers |= {f"t{n}": answer for n in range(20)}
        list(world.fetcher().fetch_many([f"t{n}" for n in range(20)], 4))
        assert 1 < most <= 4

    def test_whoever_stops_early_keeps_what_came(self, world: World) -> None:
        world.platform.answers |= {f"t{n}": Answer({"$id": f"t{n}"}) for n in range(5)}
        for _ in world.fetcher().fetch_many([f"t{n}" for n in range(5)], 1):
            break
        assert len(Store(world.cache)) == 1


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

    def test_an_async_client_is_refused(self, world: World) -> None:
        class Async:
            base_url, account = "https://x", ""

            async def fetch_schema(self, id: str, **_: Any) -> Answer:
                return Answer()

        with pytest.raises(TypeError, match="takes a Client"):
            Fetcher(Async(), cache=None)  # type: ignore[arg-type]


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
    assert own.digest == Store(world.cache).provenance("countdown").digest
    assert str(own).startswith("countdown: https://platform.example/api/v1 (")
    assert report.as_dict()["schemas"][0] == own.as_dict()

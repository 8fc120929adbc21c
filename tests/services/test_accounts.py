"""The tokens of users in PostgreSQL, with the coroutine functions of the manual."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.checkout import ROOT
from tests.manual import read
from widgetschema import Accounts
from widgetschema.sandbox import REDIRECT_URI, running


def test_two_processes_of_an_application_refresh_once() -> None:
    page = read(ROOT / "docs" / "guides" / "oauth.md")
    [block] = [one for one in page.blocks if one.skipped == "needs PostgreSQL"]
    names: dict[str, Any] = {}
    exec(compile(block.code, "oauth.md", "exec"), names)

    async def main() -> None:
        engine, users = names["engine"], names["users"]
        async with engine.begin() as connection:
            await connection.run_sync(users.metadata.create_all)
        await many[0].afinish_login("ann", sandbox.code())
        for accounts in many:
            catalog = await accounts.acatalog("ann")
            countdown = await catalog.aload("countdown")
            assert countdown.is_valid({"content": {}, "settings": {}, "styles": {}})
        sandbox.fault("slow=500@refresh")  # without the lock, the other one would refresh meanwhile
        sandbox.expire_tokens()
        asked = [accounts.client("ann").widgets for accounts in many for _ in range(5)]
        pages = await asyncio.gather(*map(asyncio.to_thread, asked))
        assert {len(page.docs) for page in pages} == {10}
        assert sandbox.counters["refresh"] == 1  # one that is refused counts, too
        assert await many[0].alogout("ann")
        assert await names["load"]("ann") is None
        await engine.dispose()

    with running(faults=["rotate"]) as sandbox:
        many = [
            Accounts[str](
                sandbox.base_url,
                sandbox.auth_url,
                client_id=sandbox.client_id,
                client_secret=sandbox.client_secret,
                redirect_uri=REDIRECT_URI,
                load=names["load"],
                save=names["save"],
                lock=names["lock"],
            )
            for _ in range(2)
        ]
        asyncio.run(main())
        for accounts in many:
            accounts.close()

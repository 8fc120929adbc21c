"""The cost of the checks in applications: `python -m tests.benchmarks.integrations`.

All times are processor time.

With `--write` the tables go into the manual. Needs the extra `test`. Not a test: nothing here
passes or fails.
"""

from __future__ import annotations

import json
import time
from functools import partial
from typing import Any

import widgetschema
from tests.benchmarks.payloads import VALID
from tests.benchmarks.timing import Task, in_readme, table, take_turns, versions
from widgetschema import Accounts, Client
from widgetschema.audit import check_many
from widgetschema.platform.auth.tokens import Tokens
from widgetschema.platform.secret import Secret

BODY = json.dumps(VALID).encode()
INVALID = BODY.replace(b'"timerDays": 3', b'"timerDays": "soon"')
ROWS = 2_000


def main() -> None:
    """All tables."""
    with in_readme("integrations"):
        versions("starlette", "anyio", "httpx")
        rows()
        clients()


def rows() -> None:
    """Rows of an application, as Python values and as text."""
    countdown = widgetschema.widget_type("countdown")
    texts = [BODY] * ROWS
    tenth = [INVALID if number % 10 == 0 else BODY for number in range(ROWS)]

    def audited(texts: list[bytes], **options: Any) -> int:
        return sum(1 for _ in check_many(texts, "countdown", **options))

    def values(texts: list[bytes]) -> int:
        return audited(texts, data_of=json.loads)

    def text(texts: list[bytes]) -> int:
        return audited(texts)

    tasks: dict[str, Task] = {
        "`json.loads` alone": lambda: [json.loads(one) for one in texts],
        "`json.loads`, `is_valid`": lambda: [countdown.is_valid(json.loads(one)) for one in texts],
        "`check_many`, values": partial(values, texts),
        "`check_many`, values, 10 % invalid": partial(values, tenth),
        "`is_valid_json`": lambda: [countdown.is_valid_json(one) for one in texts],
        "`check_many`, text": partial(text, texts),
        "`check_many`, text, 10 % invalid": partial(text, tenth),
    }
    times = take_turns(tasks, clock=time.process_time)
    table(
        f"A row with {len(BODY):,} bytes of JSON",
        ["", "median"],
        [[name, f"{value / ROWS * 1e6:,.1f} µs"] for name, value in times.items()],
    )


def clients() -> None:
    """The first request of a user needs a client."""
    address = "https://platform.example/v1"
    text = Tokens(Secret("a"), address, address, Secret("b")).to_json().reveal()
    users = iter(range(10**9))
    accounts: Accounts[int] = Accounts(
        address,
        address,
        client_id="app",
        client_secret="secret",
        redirect_uri="https://app.example/callback",
        load=lambda user: text,
        save=lambda user, _: None,
    )

    def own() -> None:
        with Client(address, token="secret"):
            pass

    tasks: dict[str, Task] = {
        "`Accounts.catalog(user)`, a new user, the tokens loaded": lambda: accounts.catalog(
            next(users)
        ),
        "`Accounts.catalog(user)`, a known user": lambda: accounts.catalog(0),
        "`Client`, one for each user": own,
    }
    times = take_turns(tasks, clock=time.process_time)
    least = times["`Accounts.catalog(user)`, a new user, the tokens loaded"]
    data = [[name, f"{v * 1e6:,.1f} µs", f"{v / least:,.2f}"] for name, v in times.items()]
    table("Connections to the platform", ["", "median", "times a new user"], data)
    accounts.close()


if __name__ == "__main__":
    main()

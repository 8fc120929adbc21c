"""From a login to a change that breaks somebody: every step a process, over TCP."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

from tests.command import GOOD, environment
from widgetschema import is_valid

REDIRECT = "http://127.0.0.1:8765/callback"


def test_the_whole_story(tmp_path: Path) -> None:
    variables = environment(
        XDG_CONFIG_HOME=str(tmp_path / "config"), XDG_CACHE_HOME=str(tmp_path / "cache")
    )
    project = tmp_path / "project"
    project.mkdir()
    (project / "sale.json").write_bytes(GOOD)

    def run(*arguments: str, code: int = 0) -> tuple[str, str]:
        process = subprocess.run(
            [sys.executable, "-m", "widgetschema", *arguments],
            cwd=project,
            env=variables,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert process.returncode == code, process.stderr
        return process.stdout, process.stderr

    sandbox = subprocess.Popen(
        [sys.executable, "-m", "widgetschema", "sandbox", "--count", "250", "--quiet"],
        env=variables,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert sandbox.stdout is not None
        for line in sandbox.stdout:
            if line.startswith("export "):
                name, _, value = line.removeprefix("export ").strip().partition("=")
                variables[name] = value
            elif line.startswith("widgetschema login"):
                login = line.split()[1:]
                break
        run(*login)
        # From here on what was kept is enough.
        auth_url = variables.pop("WIDGETSCHEMA_AUTH_URL")
        for name in ("BASE_URL", "CLIENT_ID", "CLIENT_SECRET"):
            variables.pop(f"WIDGETSCHEMA_{name}")
        assert "refresh token   stored" in run("status")[0]

        listed = run("widgets", "--format", "ndjson")[0].splitlines()
        assert len({json.loads(line)["id"] for line in listed}) == 250
        assert "2 new" in run("pull", "--all-used")[1]
        ask = ("validate", "sale.json", "--type", "countdown")
        assert re.search(r"countdown: schemas/countdown.json \(\w+, from http", run(*ask)[1])
        assert "stale" not in run(*ask, "--fetch", "auto")[1]

        schema = json.loads((project / "schemas" / "countdown.json").read_bytes())
        member = schema["definitions"]["IPluginStyles"]["properties"]["countdownSize"]
        member["enum"].remove("medium")
        request = urllib.request.Request(
            f"{auth_url}/sandbox/schemas/countdown",
            json.dumps(schema).encode(),
            {"Content-Type": "application/json"},
            method="PUT",
        )
        urllib.request.urlopen(request).close()
        text, _ = run("pull", "--check", code=1)
        assert 'the value "medium" is no longer allowed' in text
        found = json.loads(run("pull", "--check", "--format", "json", code=1)[0])
        (changed,) = [one for one in found["schemas"] if one["state"] == "changed"]
        witness: Any = changed["comparison"]["changes"][0]["witness"]["data"]
        assert is_valid("countdown", witness)
        (project / "medium.json").write_text(json.dumps(witness), encoding="utf-8")
        broken, _ = run("diff", "countdown", "--data", "medium.json", "--as", "data", code=1)
        assert "medium.json:1:" in broken
    finally:
        sandbox.terminate()
        sandbox.communicate(timeout=120)

    assert "1 valid" in run(*ask)[1]
    assert "1 valid" in run(*ask, "--fetch", "offline")[1]
    assert "2 schemas verified" in run("pull", "--frozen")[1]
    assert "cannot connect" in run("pull", "--check", code=5)[1]
    run("logout")
    assert "widgetschema login" in run("pull", "--check", code=5)[1]

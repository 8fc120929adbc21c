"""The network and profiles, as several commands read them from the environment."""

from __future__ import annotations

import click
import pytest

from widgetschema.cli.common import is_offline


@pytest.mark.parametrize(
    ("text", "offline"),
    [
        *((text, True) for text in ("1", "true", "TRUE", "yes", "on", " On ")),
        *((text, False) for text in ("", " ", "0", "false", "no", "off")),
    ],
)
def test_offline(text: str, offline: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WIDGETSCHEMA_OFFLINE", text)
    assert is_offline() is offline


def test_a_misspelled_offline_goes_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WIDGETSCHEMA_OFFLINE", "ture")
    with pytest.raises(click.UsageError, match="WIDGETSCHEMA_OFFLINE must be true or false"):
        is_offline()

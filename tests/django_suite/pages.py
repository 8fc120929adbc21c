"""A person at a page of the test client: reads what it shows, edits, and presses a button."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.test import Client
from selectolax.lexbor import LexborHTMLParser

from tests.browsing import Pairs, edited, entries


def client_of_an_editor() -> Client:
    """Return the client of somebody who may edit everything."""
    user, _ = User.objects.get_or_create(username="editor", is_staff=True, is_superuser=True)
    client = Client()
    client.force_login(user)
    return client


def form_of(markup: str) -> LexborHTMLParser:
    """Return the part of a page with the form, without the buttons of Django."""
    whole = LexborHTMLParser(markup)
    form = whole.css_first("#content-main form") or whole.css_first("form")
    assert form is not None, markup
    tree = LexborHTMLParser(form.html or "")
    for button in tree.css("input[type=submit], input[type=button]"):
        button.decompose()
    return tree


@dataclass
class AdminPage:
    """A page of the admin with a form."""

    client: Client
    address: str
    markup: str = ""
    status: int = 0
    pairs: Pairs = field(default_factory=list)

    def __post_init__(self) -> None:
        self._show(self.client.get(self.address))

    def _show(self, response: Any) -> None:
        self.status = response.status_code
        self.markup = response.content.decode()
        self.pairs = [] if response.status_code != 200 else entries(self.tree.html or "")

    @property
    def tree(self) -> LexborHTMLParser:
        """The part of the page with the form."""
        return form_of(self.markup)

    def type(self, name: str, value: str) -> None:
        """Type a text into a control."""
        self.pairs = edited(self.pairs, name, value)

    def press(self, name: str = "_save", value: str = "Save") -> int:
        """Press a button, show what comes, and return its status."""
        body: dict[str, list[str]] = {}
        for key, text in [*self.pairs, (name, value)]:
            body.setdefault(key, []).append(text)
        self._show(self.client.post(self.address, body))
        return self.status

    def value(self, name: str) -> str | None:
        """Return the value of a control as the page shows it."""
        return dict(self.pairs).get(name)

    def errors(self) -> list[str]:
        """Return the errors of Django on the page."""
        return [one.text(strip=True) for one in self.tree.css(".errorlist li")]

    def findings(self) -> dict[str, str]:
        """Return the findings of the page: the text beside each control, by the control's id."""
        return {
            one.attributes["data-field"] or "": one.css(".ws-said")[0].text(strip=True)
            for one in self.tree.css(".ws-errors")
        }

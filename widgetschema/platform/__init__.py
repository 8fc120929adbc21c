"""The platform over HTTP: a client of its three documented operations, OAuth, tokens."""

from widgetschema.lazy import attach

__getattr__, __dir__ = attach(__name__)

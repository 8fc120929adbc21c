"""Folders of schemas: read with their digests checked, written whole or not at all."""

from widgetschema.lazy import attach

__getattr__, __dir__ = attach(__name__)

"""`PlatformSchema`: a schema that remembers which platform it is from."""

from __future__ import annotations

from typing import Any


class PlatformSchema(dict[str, Any]):
    """A schema as a client returns it; `base_url` is the address of the platform.

    Linking it with a base schema from another place is worth a warning.
    """

    base_url: str = ""

    @classmethod
    def served_by(cls, base_url: str, schema: Any) -> Any:
        """Return a schema with its platform; a boolean as it is."""
        if not isinstance(schema, dict):
            return schema
        served = cls(schema)
        served.base_url = base_url
        return served

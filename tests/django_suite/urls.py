"""The pages of the example, and of the tests."""

from __future__ import annotations

from typing import Any

from urls import urlpatterns as pages_of_the_example  # type: ignore[import-not-found]

urlpatterns: list[Any] = [*pages_of_the_example]

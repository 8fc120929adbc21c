"""Coverage costs nothing where it is not measured."""

import sys
import threading

import pytest


@pytest.mark.no_cover
def test_no_line_is_traced_where_coverage_is_not_measured() -> None:
    tracers: list[object] = [sys.gettrace()]
    thread = threading.Thread(target=lambda: tracers.append(sys.gettrace()))
    thread.start()
    thread.join()

    assert not [one for one in tracers if type(one).__module__.partition(".")[0] == "coverage"]

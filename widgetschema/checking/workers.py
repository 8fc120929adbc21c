"""What every process does that was started to work: when it begins, and when it has to end."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from multiprocessing import connection
from multiprocessing.connection import Connection


def begin(stop: Connection | None = None) -> None:
    """Make this process one that works for the other that started it.

    Ctrl-C is for the process that was started by hand, which then ends the others: as soon as
    something can be read from `stop`, this one ends, whatever it is at.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # not what the other one does about it
    threading.Thread(target=_end_with_the_other, args=(stop,), daemon=True).start()


def _end_with_the_other(stop: Connection | None) -> None:
    """Wait for the end of the process that started this one, whatever ended it: then nobody asks.

    One that is killed tells nobody; without this, its processes would wait for ever.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    if stop is None:
        parent.join()
    else:  # what is written there is left there: it is for all of them
        connection.wait([parent.sentinel, stop])
    os._exit(1)

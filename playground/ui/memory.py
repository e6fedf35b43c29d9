"""Memory that has become free goes back to the system."""

import ctypes
import threading
import time

EVERY = 5.0
"""Seconds between two times. Rows of a model come and go among short-lived arrays of the same size;
without this the holes that they leave stay with the process (measured)."""


def give_back() -> bool:
    """Return to the system the pages that C's allocator holds and nobody uses; False where it can't
    be asked to (it isn't glibc's)."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is None:
        return False
    trim(0)
    return True


def keep_small() -> None:
    """Do so in the background until the process ends."""

    def work() -> None:
        while give_back():
            time.sleep(EVERY)

    threading.Thread(target=work, name="memory", daemon=True).start()

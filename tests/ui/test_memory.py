"""Free memory goes back to the system."""

import resource
import sys

import pytest

from playground.ui.memory import give_back

MANY, SIZE = 2000, 100_000
"""Blocks, and bytes of each: too few for a mapping of its own."""


def resident() -> int:
    """Bytes of this process that are in memory now."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_holes_that_freed_blocks_leave_go_back() -> None:
    if not give_back():
        pytest.skip("not glibc's allocator")
    blocks = [bytearray(SIZE) for _ in range(MANY)]
    kept = blocks[::50]
    del blocks
    before = resident()
    assert give_back()
    assert resident() < before - MANY * SIZE // 2
    assert len(kept) == MANY // 50

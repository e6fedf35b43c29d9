"""One thread for the small sums of a head: sharing them out takes longer than doing them."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def one_thread() -> Iterator[None]:
    """torch works on the calling thread alone inside; other threads, also ones that start
    meanwhile, keep their number.

    `torch.set_num_threads` sets the number of the thread that calls it, and what threads get that
    start later: so a helper thread puts the latter back.
    """
    usual = torch.get_num_threads()
    if usual == 1:
        yield
        return
    torch.set_num_threads(1)
    helper = threading.Thread(target=torch.set_num_threads, args=(usual,), daemon=True)
    helper.start()
    helper.join()
    try:
        yield
    finally:
        torch.set_num_threads(usual)

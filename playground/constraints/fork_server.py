"""The process that the compiling children are forked from: what they need is imported once.

It reads messages of SIZE bytes on its control socket. With four files attached, a message asks
for a child: it reads its request from the first, answers into the second, complains into the
third, and holds the fourth open while it lives; the reply is its number. Any other message is the
number of a child that has ended or was killed; the reply is its exit status. When the socket
closes, the process that compiles is gone: the children are killed and the server ends.
"""

import os
import select
import signal
import socket
import traceback
from contextlib import suppress
from typing import Never

from playground.constraints import worker

SIZE = 16
"""Length of a message: a number, padded with blanks."""


def preload() -> None:
    """Import, and use once, what a compilation uses."""
    from playground.constraints import pydantic_source, work_bytes, work_judge, work_witness
    from playground.constraints.limits import Limits

    limits = Limits()
    work_bytes.work({"kind": "schema", "source": "true", "whitespace": "one"}, limits)
    pydantic_source.to_schema("class A(BaseModel):\n    a: int\n")
    work_judge.preload()
    work_witness.preload()
    with suppress(ImportError):  # an engine that need not be installed
        import llguidance  # noqa: F401


def serve(control: socket.socket) -> None:
    """Fork and bury children until the other side closes."""
    children: set[int] = set()
    loaded = False
    while True:
        if not loaded and not select.select([control], [], [], 0.02)[0]:
            preload()
            loaded = True
        message, files, _, _ = socket.recv_fds(control, SIZE, 4)
        if not message:
            break
        if files:
            child = os.fork()
            if child == 0:
                control.close()
                live(*files)
            for file in files:
                os.close(file)
            children.add(child)
            reply = child
        else:
            child = int(message)
            children.discard(child)
            reply = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        control.sendall(str(reply).encode().ljust(SIZE))
    for child in children:
        os.kill(child, signal.SIGKILL)


def live(request: int, answer: int, complaints: int, life: int) -> Never:
    """A child's life: one request. `life` closes with it, by whatever it dies."""
    status = 1
    try:
        # Whatever a library prints must not mix with the answer.
        os.dup2(complaints, 1)
        os.dup2(complaints, 2)
        with os.fdopen(request, "rb") as requests, os.fdopen(answer, "wb") as answers:
            worker.main(requests, answers)
        status = 0
    finally:  # whatever happened, nothing may return into the server's loop
        if status:
            os.write(2, traceback.format_exc().encode())
        os._exit(status)


if __name__ == "__main__":
    control = socket.socket(fileno=os.dup(0))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)  # or every child would keep the socket open
    serve(control)

"""`fields table`: heads beside generation on the same test tickets."""

import argparse

from playground.against import Compared, compared, table_document
from playground.cli.fields_flags import Told, model_flags, with_threads
from playground.cli.flags import whole_number
from playground.cli.study_out import interruptible
from playground.record import Document
from playground.session import Playground

N = 30


def table_flags(command: argparse.ArgumentParser) -> None:
    """The flags of `fields table`."""
    add = command.add_argument
    add("--n", type=whole_number, default=N, help=f"test tickets, the first ones (default {N})")
    add("--seed", type=whole_number, default=0, help="of the texts' draws (default 0)")
    model_flags(command)


def table(args: argparse.Namespace, playground: Playground) -> Document:
    """The comparison; what Ctrl-C stops keeps what it has.

    Raises:
        PlaygroundError: the model can't be used.
    """
    told, found, method = Told(), None, ""
    with interruptible() as cancelled:
        for found in compared(
            with_threads(args, playground), args.model, args.n, cancelled, seed=args.seed
        ):
            told.say(found.doing, begun(found) != method)
            method = begun(found)
    told.end()
    assert found is not None
    return table_document(found)


def begun(found: Compared) -> str:
    """The method that is under way."""
    return found.doing.rpartition(":")[0]

"""`fields table` and `added`: heads beside generation on the same tickets, and at an option they lack."""

import argparse

from pydantic import ValidationError

from playground.against import Compared, compared, table_document
from playground.against_added import added as measured
from playground.against_added import added_document
from playground.cli.fields_flags import Told, model_flags, with_threads
from playground.cli.fields_heads import flagged
from playground.cli.flags import whole_number
from playground.cli.study_out import interruptible
from playground.decisions import Decisions
from playground.errors import InvalidInput
from playground.fields.head_spec import TrainingSpec
from playground.record import Document
from playground.session import Playground

N = 30
USUAL = TrainingSpec()


def table_flags(command: argparse.ArgumentParser) -> None:
    """The flags of `fields table`."""
    add = command.add_argument
    add("--n", type=whole_number, default=N, help=f"test tickets, the first ones (default {N})")
    add("--seed", type=whole_number, default=0, help="of the texts' draws (default 0)")
    add("--train", type=whole_number, metavar="N", help="training tickets that the heads read first "
        f"(default {USUAL.train:,}, and {USUAL.dev} of dev)")  # fmt: skip
    add("--dev", type=whole_number, metavar="N", help="of dev")
    model_flags(command)


def table(args: argparse.Namespace, playground: Playground) -> Document:
    """The comparison; what Ctrl-C stops keeps what it has.

    Raises:
        PlaygroundError: the flags ask for too many tickets or for none; the model can't be used.
    """
    if not args.n:
        raise InvalidInput("--n is 0: no ticket would be compared.", "Write 1 or more.")
    training, told, found, method = spec_of_sizes(args), Told(), None, ""
    with interruptible() as cancelled:
        for found in compared(
            with_threads(args, playground), args.model, args.n, cancelled, training, args.seed
        ):
            told.say(found.doing, begun(found) != method)
            method = begun(found)
    told.end()
    assert found is not None
    return {**table_document(found), "asked": args.n}


def spec_of_sizes(args: argparse.Namespace) -> TrainingSpec:
    """How the heads are trained: on as many tickets as the flags say.

    Raises:
        InvalidInput: a number is out of range.
    """
    sizes = {name: n for name in ("train", "dev") if (n := getattr(args, name)) is not None}
    try:
        return TrainingSpec(**sizes)
    except ValidationError as error:
        raise flagged(error) from None


def begun(found: Compared) -> str:
    """The method that is under way."""
    return found.doing.rpartition(":")[0]


def added_flags(command: argparse.ArgumentParser) -> None:
    """The flags of `fields added`."""
    model_flags(command)


def added(args: argparse.Namespace, playground: Playground) -> Document:
    """What becomes of an option that is added after training.

    Raises:
        PlaygroundError: the model can't be used.
        Cancelled: it was stopped.
    """
    told = Told()

    def report(done: int, of: int) -> None:
        told.say(f"{done} of {of} texts scored")

    with interruptible() as cancelled:
        found = measured(Decisions(with_threads(args, playground), args.model), report, cancelled)
    told.end()
    return added_document(found)

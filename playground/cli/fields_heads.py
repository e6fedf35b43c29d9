"""`fields train` and `evaluate`: a head made and measured."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import ValidationError

from playground.cli.fields_flags import (
    Told,
    model_flags,
    read_bytes,
    record_type,
    type_flags,
    with_threads,
)
from playground.cli.flags import whole_number
from playground.cli.study_out import interruptible, replace
from playground.decisions import Decisions
from playground.decisions_found import Trained
from playground.decisions_measures import evaluation_document
from playground.decisions_record import training_document, untaught_document
from playground.errors import InvalidInput
from playground.fields.head_spec import HeadSpec, TrainingSpec
from playground.fields.policy import Costs
from playground.fields.record_type import RecordType
from playground.fields.split import split_of
from playground.fields.ticket import ticket
from playground.problem import invalid
from playground.record import Document
from playground.session import Playground

if TYPE_CHECKING:  # torch is slow to import
    from playground.fields.heads import Head

DEFAULT = TrainingSpec()
SHAPE = ("kind", "pooling", "order", "joint", "hidden")
HOW = ("train", "dev", "epochs", "seed")
ABSTAIN = 0.3


def train_flags(command: argparse.ArgumentParser) -> None:
    """The flags of `fields train`. Those that aren't given are None: defaults stand in
    `TrainingSpec` alone."""
    add = command.add_argument
    add("--kind", choices=("factorised", "chained", "joint"), help="every field from the text alone "
        "(default), one after another, or some in one softmax")  # fmt: skip
    add(
        "--pooling",
        choices=("mean", "last", "attention"),
        help="of the tokens' states (default mean)",
    )
    add("--order", metavar="A,B", help="fields of a chain, in their order (default: the first one)")
    add("--joint", metavar="A,B", help="fields of the one softmax (default: the first two)")
    add(
        "--hidden",
        type=whole_number,
        metavar="N",
        help="units before the outputs (default 0: none)",
    )
    add("--train", type=whole_number, metavar="N", help="tickets to train on "
        f"(default {DEFAULT.train} of the 2,000)")  # fmt: skip
    add("--dev", type=whole_number, metavar="N", help="others of them, that say when to stop and fit "
        f"the temperatures (default {DEFAULT.dev})")  # fmt: skip
    add("--seed", type=whole_number, help="of weights, order and cut (default 0)")
    add("--epochs", type=whole_number, help=f"at most (default {DEFAULT.epochs})")
    add("--out", metavar="FILE", help="where the weights go, as .safetensors; without it the head is "
        "measured on dev and forgotten")  # fmt: skip
    add("--widen", metavar="FILE", help="fine-tune this head: where the schema has more options than it, "
        "those of their fields alone")  # fmt: skip
    type_flags(command)
    model_flags(command)


def train(args: argparse.Namespace, playground: Playground) -> Document:
    """Train a head and keep it.

    Raises:
        InvalidInput: the flags name no head, a ticket's label is no record of the schema, or the
            head's file can't be written.
    """
    from playground.fields.training import cut_as
    from playground.fields.weights import MOST_BYTES, dump

    spec = spec_of(args)
    made = record_type(args).type
    if args.out is not None and not Path(args.out).parent.is_dir():  # not after minutes of work
        raise InvalidInput(f"There is no folder {Path(args.out).parent}.", "Make it.", "--out")
    decisions, told = Decisions(with_threads(args, playground), args.model), Told()
    start: Head | None = None
    only: tuple[str, ...] = ()
    if args.widen is not None:
        start, only = decisions.widened(read_bytes("--widen", args.widen, MOST_BYTES), made)
        spec = cut_as(start, spec)
    found: Trained | None = None
    with interruptible() as cancelled:
        for found in decisions.train(spec, cancelled, made, start, only):
            told.say(_progress(found), bool(found.epochs) and found.head is None)
    told.end()
    assert found is not None
    test = len(split_of("test", made).texts)
    document = training_document(found, spec, made, test, None, decisions.provenance)
    del document["head"]
    document |= {"file": None, "untaught": untaught_document(made)}
    if found.head is not None and args.out is not None:
        replace(Path(args.out), dump(found.head, decisions.provenance))
        document["file"] = args.out
    return document


def _progress(found: Trained) -> str:
    if not found.epochs:
        return f"{found.reading[0]:,} of {found.reading[1]:,} tickets read"
    last = found.epochs[-1]
    best = " (the best so far)" if last.best else ""
    return f"epoch {last.epoch}: train {last.train_loss:.3f}, dev {last.dev_loss:.3f} nats a record{best}"


def spec_of(args: argparse.Namespace) -> TrainingSpec:
    """The training that the flags name.

    Raises:
        InvalidInput: a value is out of range, or belongs to another kind of head.
    """
    shape = {name: value for name in SHAPE if (value := getattr(args, name)) is not None}
    if shape and args.widen is not None:
        raise InvalidInput(
            "A head that is fine-tuned keeps its shape.",
            f"Leave out --{next(iter(shape))}.",
            "--widen",
        )
    for name, kind in (("order", "chained"), ("joint", "joint")):
        if name in shape and shape.get("kind", DEFAULT.head.kind) != kind:
            raise InvalidInput(
                f"--{name} belongs to a head of kind {kind}.", f"Add --kind {kind}.", f"--{name}"
            )
        if name in shape:
            shape[name] = tuple(part.strip() for part in shape[name].split(","))
    how: dict[str, Any] = {n: value for n in HOW if (value := getattr(args, n)) is not None}
    try:
        return TrainingSpec(head=HeadSpec.model_validate(shape), **how)
    except ValidationError as error:
        raise flagged(error) from None


def flagged(error: ValidationError) -> InvalidInput:
    """The first problem of flags, by their names."""
    first = error.errors(include_url=False)[0]
    name, limits = str(first["loc"][-1]), first.get("ctx", {})
    side = {"greater_than_equal": "least", "less_than_equal": "most"}.get(first["type"])
    if side is None or name not in (*HOW, *SHAPE):
        return invalid(error)
    ((_, limit),) = limits.items()
    return InvalidInput(f"--{name} is {first['input']:,}.", f"Write at {side} {limit:,}.")


def evaluate_flags(command: argparse.ArgumentParser) -> None:
    """The flags of `fields evaluate`."""
    add = command.add_argument
    add("--head", metavar="FILE", required=True, help="a head that `fields train` wrote")
    add(
        "--n",
        type=whole_number,
        help="test tickets, the first ones (default: all 500)",
    )
    add("--abstain", type=float, default=ABSTAIN, metavar="COST", help="of passing a field on to a "
        f"person, where a mistake costs 1 (default {ABSTAIN})")  # fmt: skip
    model_flags(command)


def evaluate(args: argparse.Namespace, playground: Playground) -> Document:
    """A head on the test tickets. Its file says which tickets were its dev: thresholds are chosen
    there.

    Raises:
        InvalidInput: the head is of another schema or model.
        Cancelled: it was stopped.
    """
    if args.n == 0:
        raise InvalidInput("--n is 0: no ticket would be decided.", "Write 1 or more.")
    decisions, told = Decisions(with_threads(args, playground), args.model), Told()
    head = head_of(args.head, ticket(), decisions)
    costs = costs_of(ticket(), args.abstain)

    def report(done: int, of: int) -> None:
        told.say(f"{done} of {of} tickets read")

    test = len(split_of("test").texts)
    with interruptible() as cancelled:
        found = decisions.evaluate(head, test if args.n is None else args.n, report, cancelled)
    told.end()
    document = evaluation_document(found, ticket(), costs, decisions.provenance)
    return {**document, "done": True, "asked": args.n}


def costs_of(found: RecordType, abstain: float) -> dict[str, Costs]:
    """A mistake costs 1 in any field."""
    return {
        field.name: Costs(1.0 - np.eye(field.size), abstain, field.labels) for field in found.fields
    }


def head_of(name: str, found: RecordType, decisions: Decisions) -> "Head":
    """The head in a file.

    Raises:
        InvalidInput: it can't be read, or is of another record type or model.
    """
    from playground.fields.weights import MOST_BYTES, load

    return load(read_bytes("--head", name, MOST_BYTES), found, decisions.provenance)

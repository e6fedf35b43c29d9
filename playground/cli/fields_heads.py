"""`fields train`, `predict` and `evaluate`: a head made, used and measured."""

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
from playground.cli.flags import read_file, whole_number
from playground.cli.study_out import interruptible, replace
from playground.decisions import Decisions
from playground.decisions_found import Trained
from playground.decisions_measures import evaluation_document
from playground.decisions_record import (
    decision_document,
    scores_document,
    training_document,
)
from playground.errors import Cancelled, InvalidInput
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
CUT = ("train", "dev", "seed")
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
    from playground.fields.weights import MOST_BYTES, dump

    spec = spec_of(args)
    _, made, _ = record_type(args)
    if args.out is not None and not Path(args.out).parent.is_dir():  # not after minutes of work
        raise InvalidInput(f"There is no folder {Path(args.out).parent}.", "Make it.", "--out")
    decisions, told = Decisions(with_threads(args, playground), args.model), Told()
    start: Head | None = None
    only: tuple[str, ...] = ()
    if args.widen is not None:
        start, only = decisions.widened(read_bytes("--widen", args.widen, MOST_BYTES), made)
        spec = spec.model_copy(update={"head": start.spec})
    found: Trained | None = None
    with interruptible() as cancelled:
        for found in decisions.train(spec, cancelled, made, start, only):
            told.say(_progress(found), bool(found.epochs) and found.head is None)
    told.end()
    assert found is not None
    document = training_document(found, spec, made, len(split_of("test", made).texts), None)
    del document["head"]
    document["file"] = None
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
        raise invalid(error) from None


def predict_flags(command: argparse.ArgumentParser) -> None:
    """The flags of `fields predict`."""
    how = command.add_mutually_exclusive_group(required=True)
    how.add_argument("--head", metavar="FILE", help="a head that `fields train` wrote")
    how.add_argument(
        "--zero-shot", action="store_true", help="no head: the model scores the options"
    )
    text = command.add_mutually_exclusive_group(required=True)
    text.add_argument("--text", help="what is decided")
    text.add_argument("--file", metavar="FILE", help="a file with that text; - for standard input")
    add = command.add_argument
    add("--mode", choices=("parallel", "autoregressive"), default="parallel", help="with --zero-shot: "
        "each field from the same prompt (default), or after those before it")  # fmt: skip
    add("--order", metavar="A,B", help="with --zero-shot: the fields that are asked first")
    add("--length-normalised", action="store_true", help="with --zero-shot: also what the mean log p "
        "per token would choose, which is a trap")  # fmt: skip
    type_flags(command)
    model_flags(command)


def predict(args: argparse.Namespace, playground: Playground) -> Document:
    """A text, decided.

    Raises:
        InvalidInput: the head is of another schema or model, or the text can't be used.
    """
    text = read_file("--file", args.file) if args.text is None else args.text
    _, found, _ = record_type(args)
    decisions = Decisions(with_threads(args, playground), args.model)
    if args.head is not None:
        head = head_of(args.head, found, decisions)
        return decision_document(decisions.decide(head, text), found, head.spec, text)
    order = () if args.order is None else tuple(part.strip() for part in args.order.split(","))
    with interruptible() as cancelled:
        *_, score = decisions.scorer(found, text, cancelled).record(args.mode, order)
        if cancelled():
            raise Cancelled("The scoring was stopped.")
    document = scores_document(score, normalised=args.length_normalised)
    indices = score.indices
    return {**document, "record": None if indices is None else found.record(indices)}


def evaluate_flags(command: argparse.ArgumentParser) -> None:
    """The flags of `fields evaluate`."""
    add = command.add_argument
    add("--head", metavar="FILE", required=True, help="a head that `fields train` wrote")
    add(
        "--n",
        type=whole_number,
        default=500,
        help="test tickets, the first ones (default 500: all)",
    )
    add("--abstain", type=float, default=ABSTAIN, metavar="COST", help="of passing a field on to a "
        f"person, where a mistake costs 1 (default {ABSTAIN})")  # fmt: skip
    for name in CUT:
        add(f"--{name}", type=whole_number, metavar="N", help="as the head was trained with: thresholds "
            "are then chosen on its dev tickets (without any of the three: none is chosen)")  # fmt: skip
    model_flags(command)


def evaluate(args: argparse.Namespace, playground: Playground) -> Document:
    """A head on the test tickets.

    Raises:
        InvalidInput: the head is of another schema or model.
        Cancelled: it was stopped.
    """
    if not args.n:
        raise InvalidInput("No ticket is asked.", "Ask 1 or more.", "--n")
    spec = _cut_of(args)
    decisions, told = Decisions(with_threads(args, playground), args.model), Told()
    head = head_of(args.head, ticket(), decisions)
    costs = costs_of(ticket(), args.abstain)

    def report(done: int, of: int) -> None:
        told.say(f"{done} of {of} tickets read")

    with interruptible() as cancelled:
        found = decisions.evaluate(head, args.n, report, cancelled, spec)
    told.end()
    return {**evaluation_document(found, ticket(), costs), "done": True}


def _cut_of(args: argparse.Namespace) -> TrainingSpec | None:
    """What says which tickets are dev; None where no flag does.

    Raises:
        InvalidInput: a size is out of range.
    """
    given = {name: value for name in CUT if (value := getattr(args, name)) is not None}
    try:
        return TrainingSpec.model_validate(given) if given else None
    except ValidationError as error:
        raise invalid(error) from None


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

"""`fields predict`: a text decided by a head or the model's own scores, its free texts generated after."""

import argparse

from playground.cli.fields_flags import (
    Named,
    model_flags,
    record_type,
    split_flag,
    type_flags,
    with_threads,
)
from playground.cli.fields_heads import head_of
from playground.cli.flags import read_file
from playground.cli.study_out import interruptible
from playground.decisions import Decisions
from playground.decisions_record import decision_document, stands
from playground.decisions_scored import explained_document, scores_document
from playground.errors import Cancelled, InvalidInput
from playground.record import Document
from playground.session import Playground


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
    split_flag(command)
    model_flags(command)


def predict(args: argparse.Namespace, playground: Playground) -> Document:
    """A text, decided; with --split the schema's free texts are generated then, given what was.

    Raises:
        InvalidInput: the head is of another schema or model, the text can't be used, or the options
            that were scored apart aren't allowed together, so that no free text can follow them.
        Cancelled: it was stopped.
    """
    text = read_file("--file", args.file) if args.text is None else args.text
    named = record_type(args, args.split)
    decisions = Decisions(with_threads(args, playground), args.model)
    made = _by_head if args.head is not None else _by_scores
    document = made(args, decisions, named, text)
    return {
        **document,
        "free": list(named.free),
        "explained": _rest(decisions, named, document, text),
    }


def _by_head(args: argparse.Namespace, decisions: Decisions, named: Named, text: str) -> Document:
    head = head_of(args.head, named.type, decisions)
    found = decisions.decide(head, text)
    return decision_document(found, named.type, head.spec, text, decisions.provenance)


def _by_scores(args: argparse.Namespace, decisions: Decisions, named: Named, text: str) -> Document:
    order = () if args.order is None else tuple(part.strip() for part in args.order.split(","))
    with interruptible() as cancelled:
        *_, score = decisions.scorer(named.type, text, cancelled).record(args.mode, order)
        if cancelled():
            raise Cancelled("The scoring was stopped.")
    document = scores_document(score, decisions.provenance, normalised=args.length_normalised)
    indices = score.indices
    if indices is None:
        return {**document, "record": None, "stands": []}
    record = named.type.record(indices)
    return {**document, "record": record, "stands": stands(named.type, indices)}


def _rest(decisions: Decisions, named: Named, decided: Document, text: str) -> Document | None:
    """The free texts after the decided record; None where the schema has none."""
    if not named.free:
        return None
    record = decided["record"]
    if decided.get("allowed") is False or record is None:
        raise InvalidInput(
            "The schema doesn't allow the likeliest options together: no text can follow them.",
            "Score them one after another: add --mode autoregressive.",
            "--split",
        )
    with interruptible() as cancelled:
        draw = decisions.explain(named.schema, record, text, cancelled)
    return explained_document(draw, record, decisions.provenance)

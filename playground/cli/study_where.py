"""Where a study runs: in this process, on Ray, or on the operator's model server."""

import argparse

from playground.cli.flags import whole_number
from playground.errors import InvalidInput
from playground.models.server import is_served, server_of
from playground.session import Playground
from playground.studies import Studies
from playground.studies_ray import RayStudies
from playground.studies_server import ServedStudies, only_model
from playground.study.spec import StudySpec


def where_flags(command: argparse.ArgumentParser) -> None:
    """`--ray`, `--workers` and `--server`."""
    add = command.add_argument
    add("--ray", metavar="ADDRESS", help="on Ray: local starts it here, auto or ray://HOST:PORT "
        "connects; the rows are those of --threads 1 (needs requirements-ray.txt)")  # fmt: skip
    add("--workers", type=whole_number, metavar="N", help="with --ray: at most so many, each with a "
        "model of its own (default: one a processor)")  # fmt: skip
    add("--server", action="store_true", help="the only model of the server at PLAYGROUND_SERVER; "
        "of several choose one by --model server:ID")  # fmt: skip


def require_place(args: argparse.Namespace) -> None:
    """The flags name one place; on Ray there is one thread to a worker.

    Raises:
        InvalidInput: they don't fit together.
    """
    if args.workers is not None and (args.ray is None or not args.workers):
        raise InvalidInput("--workers is a number from 1, for --ray.", where="--workers")
    if args.server and (args.model is not None or args.spec is not None):
        raise InvalidInput(
            "--server chooses the model itself.", "Leave it out, or --model and --spec.", "--server"
        )
    if args.ray is not None and args.threads is None:
        args.threads = 1
    if args.ray is not None and args.threads != 1:
        raise InvalidInput("On Ray a worker has one thread.", "Use --workers.", "--threads")


def placed(args: argparse.Namespace, spec: StudySpec, playground: Playground) -> StudySpec:
    """The spec, with the model of `--server`.

    Raises:
        PlaygroundError: there is no server, or it has several models; or its model is asked on Ray.
    """
    if args.server:
        server = server_of(playground.settings)
        spec = spec.model_copy(update={"model": only_model(server)})
    if is_served(spec.model) and args.ray is not None:
        raise InvalidInput(
            "A server's model computes on its server: workers would only wait for it.",
            "Leave --ray out; PLAYGROUND_SERVER_REQUESTS sets how many requests it gets at a time.",
            "--ray",
        )
    return spec


def studies_of(args: argparse.Namespace, playground: Playground) -> Studies:
    """What prepares and runs the study.

    Raises:
        InvalidInput: Ray isn't installed.
    """
    if args.ray is None:
        return ServedStudies(playground)
    return RayStudies(playground, args.ray, args.workers)

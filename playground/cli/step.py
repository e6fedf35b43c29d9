"""`python -m playground step`: one run, token by token."""

import argparse
import math
import sys
from typing import Any

from playground.cli.flags import problem, problem_flags, whole_number
from playground.decoding.sampler import SAMPLERS, run
from playground.decoding.trace import Outcome, Trace
from playground.demo import load_demos
from playground.follow import follow_text
from playground.links import link_of, step_state
from playground.opened import Opened, staged
from playground.record import Document, constraint_document, number, provenance_document, show
from playground.session import Playground


def flags(command: argparse.ArgumentParser) -> None:
    """The flags of `step`."""
    problem_flags(command)
    command.add_argument("--method", choices=sorted(SAMPLERS), default="masked")
    command.add_argument("--follow", metavar="TEXT", help="take this text instead of sampling")
    command.add_argument(
        "--run", type=whole_number, default=0, help="number of the run within the seed"
    )
    command.add_argument(
        "--link", action="store_true", help="the end of the page's address that opens this run"
    )


def link_to(opened: Opened, trace: Trace, run_number: int) -> str:
    """The part of the page's address that opens this run, at its last step.

    Raises:
        InvalidInput: it is too long for a link.
    """
    tokens = [step.token for step in trace.steps]
    state = step_state(
        opened.spec,
        tokens,
        opened.problem.model.provenance.revision,
        load_demos(),
        cursor=max(0, len(tokens) - 1),
        run=run_number,
    )
    return link_of("step", state)


def report_of(opened: Opened, trace: Trace) -> Document:
    """The document of `step`: the run's outcome, text, and each step with its candidates."""
    vocabulary = opened.problem.model.vocabulary
    constraint_ = opened.problem.constraint
    return {
        "provenance": provenance_document(opened.problem),
        "constraint": constraint_document(opened.spec.constraint, opened.compiled),
        "outcome": trace.outcome.value,
        "text": show(trace.standing.text),
        "log_z_total": number(trace.log_z),
        "steps": [
            {
                "state": constraint_.describe(step.position.state).name,
                "token": vocabulary.name(step.token),
                "token_id": step.token,
                "log_z": number(step.position.log_z),
                "log_weight": number(step.log_weight),
                "bits": number(step.position.bits),
                "allowed": step.position.allowed,
                "may_stop": step.position.may_stop,
                "forced": step.position.forced,
                "argmax_blocked": step.position.argmax_blocked,
                "candidates": [
                    {
                        "token": vocabulary.name(row.token),
                        "token_id": row.token,
                        "logit": number(row.logit),
                        "p": row.p,
                        "masked": row.masked,
                        "allowed": row.allowed,
                        "rank": row.rank,
                    }
                    for row in step.position.candidates
                ],
            }
            for step in trace.steps
        ],
    }


def blocked(step: Document) -> bool:
    """The step's token isn't allowed: a followed text can hold one."""
    rows = step["candidates"]
    return not next(row["allowed"] for row in rows if row["token_id"] == step["token_id"])


def follow_text_line(follow: Document) -> str:
    """The verdict on a followed text, in one line."""
    at = follow["blocked_at"]
    if follow["message"]:
        return f"{follow['verdict'].upper()} at byte {at['offset'] + 1}: {follow['message']}"
    if at is not None:
        expected = ", ".join(at["expected"]) or "the end"
        return (
            f"INVALID at byte {at['offset'] + 1} (line {at['line']}, column {at['column']}): "
            f"got {at['got']!r}, expected {expected}"
        )
    needs = f": still needs {follow['needs']!r}" if follow["needs"] else ""
    return f"{follow['verdict'].upper()}{needs}"


def text(report: Document) -> str:
    """The same run for people: a line a token."""
    lines = [f"{'token':<20} {'Z_t':>12} {'bits':>8} {'allowed':>8}  state"]
    for step in report["steps"]:
        z = 0.0 if step["log_z"] is None else math.exp(step["log_z"])
        bits = "inf" if step["bits"] is None else f"{step['bits']:.3f}"
        marks = "".join(
            mark
            for mark, holds in (
                ("  argmax blocked", step["argmax_blocked"]),
                ("  forced", step["forced"]),
                ("  BLOCKED", blocked(step)),
            )
            if holds
        )
        lines.append(
            f"{step['token']!r:<20} {z:>12.6g} {bits:>8} {step['allowed']:>8}  "
            f"{step['state']}{marks}"
        )
    lines.append(f"{report['outcome']}: {report['text']!r}")
    total = report["log_z_total"]
    zero = "0, as the filters leave p no allowed token at some step"
    lines.append(f"product of Z_t: {zero if total is None else f'{math.exp(total):.6g}'}")
    if "follow" in report:
        lines.append(follow_text_line(report["follow"]))
    if "link" in report:
        lines.append(report["link"])
    lines += [
        f"{note['level']}: {note['message']}"
        for note in report["constraint"]["notes"]
        if note["level"] in ("not-enforced", "partly", "warning")
    ]
    return "\n".join(lines)


def linked(args: argparse.Namespace, opened: Opened, trace: Trace) -> Document:
    """The link, where it was asked for."""
    return {"link": link_to(opened, trace, args.run)} if args.link else {}


def command(args: argparse.Namespace, playground: Playground) -> Any:
    """Run `step` and return its report."""
    opened = staged(playground.open(problem(args)))
    if args.follow is not None:
        opened, trace, follow = follow_text(opened, args.follow)
        return {**report_of(opened, trace), "follow": follow, **linked(args, opened, trace)}
    else:
        start = trace = opened.trace(opened.beginning)
        for trace in run(start, SAMPLERS[opened.spec.method], args.run):
            if trace.outcome is Outcome.RUNNING and sys.stderr.isatty():
                print(f"\r{len(trace.steps)} tokens", end="", file=sys.stderr)
        if sys.stderr.isatty():
            print("\r", end="", file=sys.stderr)
    return {**report_of(opened, trace), **linked(args, opened, trace)}

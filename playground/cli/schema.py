"""`python -m playground schema`: what a constraint allows, what is enforced of it, what to mend."""

import argparse
import json
from typing import Any

from playground.asked import MAX_TEXTS
from playground.cli.flags import CONSTRAINTS, constraint, constraint_flags, read_file
from playground.constraints.spec import ConstraintSpec
from playground.debugger import Debugger
from playground.errors import InvalidInput, UnsupportedSchema
from playground.record import Document
from playground.session import Playground


def flags(command: argparse.ArgumentParser) -> None:
    """The flags of `schema`."""
    command.add_argument(
        "file", nargs="?", metavar="FILE", help="a JSON Schema, as --schema FILE; - for stdin"
    )
    constraint_flags(command)
    texts = command.add_mutually_exclusive_group()
    texts.add_argument("--string", metavar="TEXT", help="judge this text; exit 1 when not valid")
    texts.add_argument(
        "--strings",
        metavar="FILE",
        help='judge these: one a line, bare or as JSON {"text": ..., "valid": true or false}; '
        "exit 1 when one isn't as expected",
    )
    command.add_argument(
        "--formats", action="store_true", help="the reference judge asserts `format` too"
    )
    command.add_argument(
        "--against", metavar="FILE", help="another constraint of the same kind: what differs"
    )
    command.add_argument(
        "--take-away", action="store_true", help="the same constraint for other tools, as code"
    )


def command(args: argparse.Namespace, playground: Playground) -> Document:
    """The report of `schema`.

    Raises:
        PlaygroundError: no constraint, or one that can't be read.
    """
    spec = _spec(args)
    debugger = playground.debugger.patient()
    report = report_of(spec, debugger)
    if args.string is not None:
        report.update(judged_document(spec, args.string, args.formats, debugger))
    if args.strings is not None:
        wanted = strings_of(read_file("--strings", args.strings))
        report["strings"] = []
        for start in range(0, len(wanted), MAX_TEXTS):
            batch = wanted[start : start + MAX_TEXTS]
            judged = debugger.judge(spec, [text for text, _ in batch], args.formats)["verdicts"]
            report["strings"] += [
                {
                    "text": text,
                    "expected": "valid" if valid else "not valid",
                    "as_expected": each["reference"]["status"] != "unknown"
                    and (each["reference"]["status"] == "valid") == valid,
                    "verdict": each["reference"],
                    "mask_verdict": each["mask"],
                    **{key: each[key] for key in ("finding", "certain", "remarks")},
                }
                for (text, valid), each in zip(batch, judged, strict=True)
            ]
    if args.against is not None:
        other = spec.model_copy(update={"source": read_file("--against", args.against)})
        report["difference"] = debugger.difference(spec, other)
    if args.take_away and report["compile"] is not None:
        report.update(debugger.takeaway(spec))
    return report


def report_of(spec: ConstraintSpec, debugger: Debugger) -> Document:
    """What there is to say of a constraint before any text.

    Raises:
        InvalidInput: it can't be read, so that there is nothing to report on.
    """
    refusal = debugger.ask(spec).refusal
    if isinstance(refusal, InvalidInput) and not isinstance(refusal, UnsupportedSchema):
        raise refusal
    report = debugger.analyse(spec)
    if report["status"] == "unsatisfiable":
        report.update(debugger.conflict(spec))
    if report["compile"] is None:
        report["keywords"] = []
    else:
        report.update(debugger.coverage(spec))
    report.update(debugger.dialects(spec) if report["schema"] is not None else {"dialects": []})
    return report


def judged_document(spec: ConstraintSpec, text: str, formats: bool, debugger: Debugger) -> Document:
    """What both judges say of one text."""
    (verdict,) = debugger.judge(spec, [text], formats)["verdicts"]
    return {
        "verdict": verdict["reference"],
        "mask_verdict": verdict["mask"],
        **{key: verdict[key] for key in ("finding", "certain", "remarks")},
    }


def _spec(args: argparse.Namespace) -> Any:
    if args.file is not None:
        if any(getattr(args, name) is not None for name in CONSTRAINTS):
            raise InvalidInput(
                "There are two constraints.", "Give FILE alone, or one flag that names one.", "FILE"
            )
        args.schema = args.file
    spec = constraint(args)
    if spec.kind == "free":
        raise InvalidInput(
            "There is no constraint.", "Give FILE, or one of --schema, --regex, ....", "FILE"
        )
    return spec


def strings_of(text: str) -> list[tuple[str, bool]]:
    """The test strings of a file and whether each is meant to be valid.

    A line is a JSON object with `text` and, if it is meant to fail, `"valid": false`; any other
    line is the text itself. Empty lines don't count.

    Raises:
        InvalidInput: an object without a text; says which line.
    """
    found: list[tuple[str, bool]] = []
    for number, line in enumerate(text.split("\n"), 1):
        line = line.removesuffix("\r")
        if not line:
            continue
        try:
            value = json.loads(line)
        except ValueError:
            value = None
        if isinstance(value, dict) and "text" in value and value.keys() <= {"text", "valid"}:
            valid = value.get("valid", True)
            if not isinstance(value["text"], str) or not isinstance(valid, bool):
                raise InvalidInput(
                    "A test string isn't a text with true or false.",
                    'Write {"text": "...", "valid": true}.',
                    f"line {number} of --strings",
                )
            found.append((value["text"], valid))
        else:
            found.append((line, True))
    return found


def status(report: Document) -> int:
    """1 when a text isn't valid or not as expected, or, where none is asked about, when the
    constraint can't be applied; else 0."""
    if "verdict" in report:
        return int(report["verdict"]["status"] != "valid")
    if "strings" in report:
        return int(not all(each["as_expected"] for each in report["strings"]))
    return int(report["compile"] is None)


def text(report: Document) -> str:
    """The same report for people."""
    lines = [f"{report['constraint']['kind']} · engine {report['constraint']['engine']}"]
    if report["error"] is not None:
        card = report["error"]
        where = f" ({card['where']})" if card["where"] else ""
        lines.append(f"{report['status'].upper()}: {card['what']}{where} {card['hint']}".rstrip())
    if report.get("conflict"):
        lines.append(f"  conflict: {report['conflict']['words']}")
    if report["compile"] is not None:
        compiled = report["compile"]
        line = f"compiled in {compiled['compile_seconds']:.3f} s"
        if compiled["states"] is not None:
            line += f": {compiled['states']:,} states, {compiled['transitions']:,} transitions"
        lines.append(line)
    rows = [row for row in report["keywords"] if row["status"] not in ("enforced", "annotation")]
    enforced = sum(row["status"] == "enforced" for row in report["keywords"])
    if report["keywords"]:
        lines.append(f"keywords: {enforced} enforced, {len(rows)} not or partly")
    lines += [
        f"  {row['status'].upper()}: {_place(row)}{row['keyword']}: {row['how']}" for row in rows
    ]
    for row in report["lint"]:
        lines.append(f"  {row['code']} {row['name']} {row['level']}: {_place(row)}{row['message']}")
    for each in report["dialects"]:
        fits = "fits" if each["fits"] else f"does not fit ({len(each['problems'])} problems)"
        lines.append(f"dialect {each['name']}: {fits}")
        for row in each["problems"][:5]:
            keyword = f"{row['keyword']}: " if row["keyword"] else ""
            lines.append(f"  {_place(row)}{keyword}{row['message']}")
    if "verdict" in report:
        lines += _judged(report)
    for each in report.get("strings", []):
        mark = "ok  " if each["as_expected"] else "FAIL"
        lines.append(f"{mark} expected {each['expected']}: {each['text'][:60]!r}")
        lines += [f"     {line}" for line in _judged(each)]
    if "difference" in report:
        for side in ("only_left", "only_right"):
            found = report["difference"][side]
            lines.append(
                f"{side.replace('_', ' ')}: {'nothing' if not found else repr(found['text'])}"
            )
        lines.append(report["difference"]["how"])
    for each in report.get("takeaway", []):
        lines += ["", f"# {each['name']}", each.get("text") or each["error"]]
    return "\n".join(lines)


def _judged(each: Document) -> list[str]:
    lines = [
        f"reference: {verdict_line(each['verdict'])}",
        f"mask: {verdict_line(each['mask_verdict'])}",
    ]
    if each["finding"] is not None:
        lines.append(f"finding ({each['finding']['kind']}): {each['finding']['words']}")
    return [*lines, *(f"remark: {remark}" for remark in each["remarks"])]


def verdict_line(verdict: Document) -> str:
    """A verdict in one line."""
    status = str(verdict["status"]).upper()
    if verdict["offset"] is not None:
        status += f" at byte {verdict['offset'] + 1}"
        if verdict["line"] is not None:
            status += f" (line {verdict['line']}, column {verdict['column']})"
    return f"{status}: {verdict['message']}"


def _place(row: Document) -> str:
    return "" if row.get("line") is None else f"line {row['line']}: "

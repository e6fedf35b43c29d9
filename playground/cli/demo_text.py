"""The reports of `demo` for people: a table, a lesson, the checks that fail in words."""

from playground.record import Document
from playground.views.checks import found, wanted


def text(report: Document) -> str:
    """The same report for people."""
    if report["action"] == "list":
        return _list(report)
    if report["action"] == "show":
        return _show(report)
    return _checked(report)


def failures(lesson: Document) -> list[str]:
    """The checks of a lesson that fail, in words: the claim, the fact, what was wanted and found."""
    if lesson["provenance"] is None:
        return [f"there is no recording: python -m playground demo record {lesson['slug']}"]
    lines = []
    for claim in lesson["claims"]:
        for check in claim["checks"]:
            if not check["holds"]:
                lines.append(f"{claim['text']!r}: {wanted(check)}; found {found(check)}")
    return lines


def _list(report: Document) -> str:
    lines = [f"{'lesson':<24} {'min':>3} {'kind':<9} {'beats':>5} {'proved':>9}  question"]
    for each in report["lessons"]:
        proved = f"{each['proved']} of {each['claims']}" if each["recorded"] else "–"
        lines.append(
            f"{each['slug']:<24} {each['minutes']:>3} {each['kind']:<9} {each['beats']:>5} "
            f"{proved:>9}  {each['question']}"
        )
    return "\n".join(lines)


def _show(report: Document) -> str:
    form = report["form"]
    lesson = form["lesson"]
    lines = [lesson["title"], lesson["question"], f"{lesson['minutes']} minutes", ""]
    for number, beat in enumerate(lesson["beats"], 1):
        where = [beat["view"]]
        if beat["scene"] is not None:
            where.append(f"scene {beat['scene']}")
        if beat["step"] is not None:
            where.append(f"step {beat['step']}")
        lines.append(f"{number:>2}. {beat['text']}  [{', '.join(where)}]")
        if beat["predict"] is not None:
            asked = beat["predict"]
            lines.append(f"    predict: {asked['question']}  {' / '.join(asked['options'])}")
            lines.append(f"    answer: {asked['options'][asked['answer']]}")
    lines.append("")
    for claim in form["claims"]:
        lines.append(f"{_mark(claim)} {claim['text']}")
        lines += [f"       {wanted(check)}; found {found(check)}" for check in claim["checks"]]
    for exercise in lesson["exercises"]:
        lines += ["", f"Exercise: {exercise['question']}", f"Answer: {exercise['answer']}"]
    if lesson["notes"]:
        lines += ["", f"Notes: {lesson['notes']}"]
    if lesson["next"] is not None:
        lines += ["", f"Next: {lesson['next']}"]
    if report["html"] is not None:
        lines += ["", f"The handout is {report['html']}."]
    return "\n".join(lines)


def _mark(claim: Document) -> str:
    return "proved" if claim["holds"] else "FAILS "


def _checked(report: Document) -> str:
    lines = []
    for each in report["lessons"]:
        bad = failures(each)
        proved = sum(claim["holds"] for claim in each["claims"])
        line = f"{each['slug']:<24} {proved} of {len(each['claims'])} claims proved"
        if "file" in each:
            line += f", {each['bytes']:,} bytes in {each['file']}"
        if each["provenance"]:
            line += f"  ({'; '.join(_provenance(one) for one in each['provenance'])})"
        lines += [line, *(f"  FAILS {one}" for one in bad)]
    total = sum(len(failures(each)) for each in report["lessons"])
    several = "1 check fails." if total == 1 else f"{total} checks fail."
    lines.append(several if total else "Every claim is proved.")
    return "\n".join(lines)


def _provenance(one: Document) -> str:
    return f"{one['model']} {str(one['revision'])[:12]} {one['dtype']}"

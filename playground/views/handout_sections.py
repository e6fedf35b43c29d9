"""The sections of a handout, each from a lesson's JSON form."""

from collections.abc import Mapping, Sequence
from typing import Any

from playground.views.checks import said
from playground.views.handout_parts import (
    Scenes,
    between,
    element,
    hidden_answer,
    how,
    scene_of,
    section,
    table,
    text,
    times,
)
from playground.views.numbers import bits, probability, visible

Lesson = Mapping[str, Any]
ROWS = 8
"""Candidates listed of a step: the likeliest, and the one that was taken."""
TEXTS = 12
"""Texts listed of a law."""
BLANKS = 4
"""Lines to write on under a question of the worksheet."""


def scenes_section(lesson: Lesson) -> str:
    """What the model was asked and what it may write, once for all scenes that have the same."""
    names: dict[tuple[str, str, str, str], list[str]] = {}
    for name, scene in lesson["scenes"].items():
        problem = scene["problem"]
        rule = problem["constraint"]
        key = (problem["model"], problem["prompt"], rule["kind"], rule["source"])
        names.setdefault(key, []).append(name)
    items = "".join(
        element("dt", text(f"{', '.join(sorted(those))}: {model}"))
        + element(
            "dd", element("p", "Prompt: " + (element("q", text(prompt)) if prompt else "none"))
        )
        + element("dd", element("p", text(f"Constraint, {kind}:")) + element("pre", text(source)))
        for (model, prompt, kind, source), those in names.items()
    )
    return section("Prompts and constraints", element("dl", items), class_="scenes")


def beats_section(lesson: Lesson, scenes: Scenes) -> str:
    """Every beat: its text; what is predicted, with all that tells the answer hidden; its step, as
    a table and as the stage."""
    items = []
    for index, beat in enumerate(lesson["beats"]):
        shown = _shown(index, beat, scene_of(lesson, index), scenes)
        told = element("p", text(beat["text"]), class_="beat")
        asked = beat["predict"]
        if asked is not None:
            options = "".join(element("li", text(option)) for option in asked["options"])
            right = element("p", text(asked["options"][asked["answer"]]), class_="right")
            right += told if beat["text"] != asked["question"] else ""
            told = element("p", text(asked["question"]), class_="beat") + element("ul", options)
            shown = hidden_answer("Predict first, then open the answer", right + shown)
        items.append(element("li", told + shown))
    return section("Step by step", element("ol", "".join(items)), class_="beats")


def _shown(index: int, beat: Mapping[str, Any], name: str, scenes: Scenes) -> str:
    """What stands under a beat: a step's table and stage; for other screens where to look."""
    scene = scenes.get(name)
    if beat["view"] != "step" or scene is None:
        screen = str(beat["view"]).capitalize()
        return element("p", text(f"On the screen {screen}; the numbers are below."), class_="faint")
    steps = scene["page"]["steps"]
    at = len(steps) - 1 if beat["step"] is None else beat["step"]
    if not 0 <= at < len(steps):
        return ""
    place = f"stage-{index}"
    button = element(
        "button",
        "Step through it",
        type="button",
        hidden="",
        data_scene=name,
        data_step=str(at),
        aria_expanded="false",
        aria_controls=place,
    )
    return step_table(steps[at], at) + button + element("div", id=place, class_="stage")


def step_table(step: Mapping[str, Any], at: int) -> str:
    """One step: the likeliest tokens and the one taken, before and after the mask."""
    rows = sorted(step["candidates"], key=lambda row: row["rank"])
    shown = rows[:ROWS]
    if all(row["id"] != step["taken"]["id"] for row in shown):
        shown.append(step["taken"])
    caption = (
        f"Step {at + 1}, after {visible(step['text_before']) or 'nothing'}: Z_t is "
        f"{probability(step['z'])} ({bits(step['bits'])}), and {step['allowed']:,} of "
        f"{step['vocab']:,} tokens are allowed."
    )
    return table(
        caption,
        ("token", "model p", "after mask", ""),
        (
            (
                visible(row["text"]),
                probability(row["p"]),
                probability(row["masked"]) if row["allowed"] else "0 (blocked)",
                "taken" if row["id"] == step["taken"]["id"] else "",
            )
            for row in shown
        ),
    )


def laws_section(scenes: Scenes) -> str:
    """Every law, comparison and verdict that was recorded, as tables."""
    found = []
    for name, scene in scenes.items():
        tables = [
            make(scene[part])
            for part, make in (
                ("squeezing", _law),
                ("compare", _methods),
                ("judged", _verdicts),
            )
            if scene.get(part) is not None
        ]
        if tables:
            found.append(element("h3", text(name)) + "".join(tables))
    return section("The numbers", "".join(found), class_="numbers")


def _law(squeezing: Mapping[str, Any]) -> str:
    law = squeezing["exact"]
    texts = law["texts"][:TEXTS]
    rest = len(law["texts"]) - len(texts) + law["others"]
    more = f" {rest:,} more texts aren't listed." if rest else ""
    caption = (
        f"The law over texts, {how(law['status'])}. Z, the chance that an unconstrained sample is "
        f"valid: {between(law['Z'])}. Total variation between p~ and p_V: {between(law['tv'])}.{more}"
    )
    return table(
        caption,
        ("text", "model p", "p_V (exact belief)", "after mask (p~)", "squeeze s"),
        (
            (
                visible(each["text"]),
                *(between(each[part]) for part in ("p", "p_V", "masked")),
                times(each["squeeze"]),
            )
            for each in texts
        ),
    )


def _methods(comparison: Mapping[str, Any]) -> str:
    return table(
        f"Methods side by side, {comparison['n']:,} draws asked of each.",
        ("method", "draws", "valid", "total variation to p_V"),
        (
            (
                each["title"],
                f"{each['draws']:,}",
                f"{each['accepted']:,}",
                _distance(each["tv_to_p_V"]),
            )
            for each in comparison["methods"].values()
        ),
    )


def _distance(distance: Mapping[str, Any] | None) -> str:
    if distance is None:
        return between(None)
    return f"{between(distance)} ({distance.get('status', 'bounded')})"


def _verdicts(judged: Mapping[str, Any]) -> str:
    return table(
        "Texts judged: by the reference judge, and by the mask.",
        ("text", "reference", "mask"),
        (
            (visible(each["text"]), each["reference"]["status"], each["mask"]["status"])
            for each in judged["verdicts"]
        ),
    )


def claims_section(claims: Sequence[Mapping[str, Any]]) -> str:
    """Every claim with the checks that keep it true and the numbers found."""
    items = []
    for claim in claims:
        mark = "Checked" if claim["holds"] else "Not proved"
        checks = "".join(
            element(
                "li",
                text(f"{'✓' if check['holds'] else '✗'} {said(dict(check))}"),
                title=str(check.get("about", "")),
            )
            for check in claim["checks"]
        )
        items.append(
            element(
                "li",
                element("strong", text(f"{mark}: ")) + text(claim["text"]) + element("ul", checks),
            )
        )
    inner = element("ul", "".join(items)) if items else ""
    return section("What is claimed, and why it holds", inner, class_="claims")


def exercises_section(lesson: Lesson) -> str:
    """Every exercise, its answer hidden until it is opened."""
    items = "".join(
        element(
            "li",
            element("p", text(each["question"]))
            + hidden_answer("The answer, once you have tried", element("p", text(each["answer"]))),
        )
        for each in lesson["exercises"]
    )
    return section("Exercises", element("ol", items) if items else "", class_="exercises")


def worksheet_section(lesson: Lesson) -> str:
    """For print alone: the questions with room to write, and no answer."""
    questions = [
        (each["predict"]["question"], tuple(each["predict"]["options"]))
        for each in lesson["beats"]
        if each["predict"] is not None
    ]
    questions += [(each["question"], ()) for each in lesson["exercises"]]
    items = "".join(
        element(
            "li",
            element("p", text(question))
            + "".join(element("p", f"☐ {text(option)}", class_="option") for option in options)
            + element("div", class_="line") * BLANKS,
        )
        for question, options in questions
    )
    title = f"Worksheet: {lesson['title']}"
    name = element("p", "Name:", class_="name") + element("p", text(lesson["question"]))
    return section(title, name + element("ol", items) if items else "", class_="worksheet")


def notes_section(lesson: Lesson) -> str:
    """The teacher's notes: closed; printed, on a page of their own, only while they are open."""
    lines = [each for each in str(lesson["notes"]).split("\n") if each.strip()]
    if not lines:
        return ""
    inner = "".join(element("p", text(each)) for each in lines)
    return element("details", element("summary", "Notes for the teacher") + inner, class_="notes")

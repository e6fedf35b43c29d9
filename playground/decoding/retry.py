"""Ask, judge, ask again with the error: up to so many attempts at each output."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from playground.decoding.accept import Accept
from playground.decoding.chance import AGAIN, Categorical, Choose, stream
from playground.decoding.drawing import Asked
from playground.decoding.independent import Ended, Independent
from playground.decoding.refusal import sentence
from playground.decoding.run import Course, Draw, Needed, Walk, drawn, walk
from playground.decoding.trace import Outcome, Problem
from playground.models.base import Prefix


@dataclass(frozen=True, slots=True)
class Retry(Independent):
    """A draw is a run of p, and where it isn't valid another under the prompt with the output and
    its error, up to `problem.attempts`. The first run begins with `problem.prefill`, which is read
    as its own text and conditions p on it: without a later attempt the accepted law is p_V only if
    every valid run begins with just those tokens."""

    name: str = "retry"
    title: str = "Retry with the error"
    law: str = (
        "a mixture: p given that it is valid, from the first attempt; after it p under prompts that "
        "hold what was refused"
    )
    target: Literal["other"] = "other"
    exact: bool = False
    weighted: bool = False

    def walks(self, problem: Problem, n: int, asked: Asked) -> Iterator[Walk[Ended]]:
        """`n` outputs; attempt k of output i has the streams of run i."""
        problem.companion()
        return (attempts(problem, index, asked.accept, asked.choose) for index in range(n))

    def handed(self, ended: Sequence[Ended], index: int, asked: Asked, needed: Needed) -> Draw:
        """The last attempt."""
        (courses,) = ended
        draw = drawn(courses[-1], index, asked.accept, needed)
        spent = sum(len(course.tokens) - len(course.problem.prefill) for course in courses)
        given = len(courses[-1].problem.prefill)
        log_given = sum(courses[-1].log_p[:given])
        made = len(courses)
        return replace(
            draw, attempts=made, spent=spent, steps=spent, given=given, log_given=log_given
        )


def attempts(problem: Problem, index: int, accept: Accept, choose: Choose) -> Walk[Ended]:
    """The attempts at one output, up to the first valid one."""
    ended: list[Course] = []
    asked: Problem | None = problem
    while asked is not None:
        streams = later(choose, len(ended)) if ended else choose
        course = Course.start(asked)
        if not ended:
            course = yield from given(course, problem.prefill)
        course = yield from walk(course, index, streams, lambda law: law.model, strays=True)
        ended.append(course)
        if len(ended) == problem.attempts or accept(course.outcome, course.ended, course.text):
            break
        output = course.text[accept.lead :].decode("utf-8", "replace")
        prompt = problem.companion().again(output, sentence(problem, course.tokens, accept))
        asked = None if prompt is None else replace(problem, prompt=prompt, prefill=())
    return tuple(ended)


def given(course: Course, tokens: Prefix) -> Walk[Course]:
    """`course` with `tokens` after it, whatever p says of them: their proposal is certain."""
    for token in tokens:
        if course.outcome is not Outcome.RUNNING:
            break
        law = yield course
        course = course.after(token, law, 0.0, strays=True)
    return course


def later(choose: Choose, attempt: int) -> Choose:
    """The choices of `attempt`, from 1 on: streams of their own."""

    def chosen(law: Categorical, run: int, t: int) -> int:
        return choose(law, run, stream(AGAIN + attempt, t))

    return chosen

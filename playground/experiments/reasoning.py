"""Reasoning under constraints: free, answer only, with a scratchpad, think then constrain."""

import re
from typing import Any

from playground.constraints.spec import ConstraintSpec
from playground.decoding.sampling import Sampling
from playground.experiments.base import Bench, Experiment, Result, Work, arms_of
from playground.experiments.draws import answers, parsed, scored, tokens_of, truncated_of, valid_of
from playground.experiments.statistics import mean, paired_rates, rate
from playground.study.items import Item
from playground.study.prompts.reasoning import REASONING
from playground.study.row import compared
from playground.study.spec import StudySpec

MAX_TOKENS = 160
TEMPERATURE = 0.2
"""Answers are drawn near their likeliest, as tests of reasoning do."""
FREE = (
    "Answer the question. Think step by step, and end with a line that says: The answer is, and "
    "then the number in digits or the word from the text.\n\n{input}"
)
SCRATCHPAD = (
    "Answer the question with one JSON object with two keys: reasoning (a few short steps) and "
    "final_answer (the answer alone as a short string: a number in digits, or the word from the "
    "text).\n\n{input}"
)
THINK = (
    "Answer the question. Think step by step in plain text first. Then write the answer as JSON in "
    "a block, like this:\n```json\n"
    '{"final_answer": "..."}\n'
    "```\nfinal_answer is a number in digits, or the word from the text.\n\n{input}"
)
RULE = (
    "A free answer is read by a rule: on the line that goes on after the last “answer is”, the first "
    "number, or else all of it without an article, quotes, stars and full stops; without that "
    "phrase, the last number in the text, or its last word if it has none. The other arms must hold "
    "the answer alone, exactly."
)
FLOOR = (
    "No arm is right at one question in ten: who has next to nothing to lose can't show a loss, so "
    "that this says little about abler models."
)
ARMS = {
    "free": "plain text, no mask; read by the rule below",
    "strict": "a schema with final_answer alone",
    "scratchpad": "a schema with reasoning, then final_answer",
    "think": "plain text, then a block in which the strict schema masks",
}
_SAID = re.compile(r"answer is(?=\W)", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_AROUND = " \t\"'“”`*$.:!"


def read_free(text: str) -> str:
    """The answer in a free text, by RULE; empty where there is none."""
    said = list(_SAID.finditer(text))
    if said:
        line = text[said[-1].end() :].lstrip(_AROUND + "\n").split("\n")[0]
        number = _NUMBER.search(line)
        return number[0] if number else _ARTICLE.sub("", line).strip(_AROUND)
    numbers = _NUMBER.findall(text)
    if numbers:
        return str(numbers[-1])
    words = text.split()
    return words[-1].strip(_AROUND) if words else ""


def specs(bench: Bench) -> dict[str, StudySpec]:
    """The four ways of asking."""
    items = REASONING.make()[: bench.n]
    only, pad = REASONING.variants["answer-only"], REASONING.variants["scratchpad"]
    most: dict[str, Any] = {
        "max_tokens": MAX_TOKENS,
        "sampling": Sampling(temperature=TEMPERATURE, seed=bench.seed),
    }
    free = bench.spec(items, FREE, only, methods=("ask",), **most)
    return {
        "free": free.model_copy(
            update={"constraint": ConstraintSpec(kind="free"), "valid": "language"}
        ),
        "strict": bench.spec(items, REASONING.instruction, only, **most),
        "scratchpad": bench.spec(items, SCRATCHPAD, pad, **most),
        "think": bench.spec(items, THINK, only, methods=("think",), **most),
    }


def _run(bench: Bench) -> Work:
    arms = specs(bench)
    items = arms["free"].items
    found = yield from answers(bench, arms)
    free, masked = {"free": found["free"]}, {name: found[name] for name in arms if name != "free"}
    right = scored(items, free, lambda item, it: _right(item, {"final_answer": read_free(it.text)}))
    right |= scored(items, masked, lambda item, it: _right(item, parsed(it.text)))
    tokens, truncated, valid = tokens_of(found), truncated_of(found), valid_of(found)
    main, *rest = (
        paired_rates(f"Right answers, {name} less strict", right[name], right["strict"])
        for name in ("scratchpad", "free", "think")
    )
    return Result(
        n=len(items),
        effect=main,
        also=tuple(rest),
        arms=arms_of(
            ARMS,
            lambda name: (
                rate("right", right[name]),
                rate("truncated", truncated[name]),
                rate("valid", valid[name]),
                mean("tokens", tokens[name], "tokens", "estimated", bench.seed),
            ),
        ),
        notes=(
            RULE,
            *([FLOOR] if max(sum(each) for each in right.values()) < len(items) / 10 else []),
            f"Each arm has the prompt that fits it, and at most {MAX_TOKENS} tokens, drawn at "
            f"temperature {TEMPERATURE}. Three "
            "comparisons are made at 5 % each.",
            "Whether constraints cost reasoning is contested: losses were reported "
            "(arXiv:2408.02442), others put them down to prompts and to how free answers are read, "
            "and masking only inside marked spans was proposed as a remedy (arXiv:2502.09061). "
            "What is seen here holds for this model, these prompts and this rule.",
        ),
    )  # fmt: skip


def _right(item: Item, value: Any) -> bool:
    return all(compared(item.gold, value).values())


REASONING_ARMS = Experiment(
    name="reasoning",
    title="Reasoning under constraints",
    question="Do constraints cost reasoning? A contested question.",
    about=(
        "Arithmetic and two-hop questions, answered in plain text, under a schema with the answer "
        "alone, under one with a scratchpad before it, and in plain text that ends in a constrained "
        "block. One answer each; right is the gold answer, exactly."
    ),
    n=32,
    run=_run,
)

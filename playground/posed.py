"""What a study's spec asks, taken apart: its prompts, its constraint, what is valid, the problems."""

import json
from collections.abc import Sequence

import numpy as np

from playground.constraints.sources import schema_text
from playground.constraints.spec import ConstraintSpec
from playground.decoding.accept import Accept
from playground.errors import InvalidInput
from playground.judge import accept_of
from playground.problem import MAX_PROMPT, ProblemSpec
from playground.study.command import BUILTIN
from playground.study.items import INPUT, SETS, Item, PromptSet
from playground.study.labels import label_of
from playground.study.runner import chunks
from playground.study.spec import StudySpec


def items_of(spec: StudySpec) -> tuple[PromptSet | None, tuple[Item, ...]]:
    """The prompts, and the built-in set that they are of.

    Raises:
        InvalidInput: there is no such set, or nothing in its split.
    """
    if spec.items:
        return None, spec.items[: spec.n]
    name = spec.prompts.removeprefix(BUILTIN)
    if name == spec.prompts or name not in SETS:
        raise InvalidInput(
            f"There are no prompts called {spec.prompts!r}.",
            f"Use {', '.join(BUILTIN + each for each in SETS)}, or give your own.",
            "prompts",
        )
    found = SETS[name]
    items = tuple(item for item in found.make() if spec.split in ("all", item.split))
    if not items:
        raise InvalidInput(
            f"{found.title} has no prompts of the split {spec.split}.", "Use all.", "split"
        )
    return found, items[: spec.n]


def constraint_of(spec: StudySpec, builtin: PromptSet | None) -> ConstraintSpec:
    """The constraint of a study: its own, else the set's schema.

    Raises:
        InvalidInput: own prompts without one.
    """
    if spec.constraint is not None:
        return spec.constraint
    if builtin is None:
        raise InvalidInput(
            "There is no constraint.", "Give the JSON Schema that answers must match.", "constraint"
        )
    return ConstraintSpec(kind="schema", source=json.dumps(builtin.schema, indent=2))


def question(
    spec: StudySpec, builtin: PromptSet | None, constraint: ConstraintSpec, item: Item
) -> str:
    """What the model is asked about an item. What all items share comes first, so that it is read
    once."""
    instruction = spec.instruction or (INPUT if builtin is None else builtin.instruction)
    head, _, tail = instruction.partition(INPUT)
    hints = {} if builtin is None else builtin.hints
    unknown = [name for name in spec.hints if name not in hints]
    if unknown:
        raise InvalidInput(
            f"These prompts have no hint {unknown[0]!r}.",
            f"There are {', '.join(hints)}." if hints else "Leave it out.",
            "hints",
        )
    said = [hints[name] for name in spec.hints]
    if spec.show_schema and (text := schema_text(constraint)) is not None:
        said.append(f"The answer must match this JSON Schema:\n{text}")
    shown = "".join(f"{each}\n\n" for each in said)
    return f"{head}{shown}{item.prompt}{tail}"


def accepts_of(spec: StudySpec, constraint: ConstraintSpec) -> dict[str, Accept]:
    """What is valid for each label: what the study says, and for retry the same after salvage where
    that is asked for and there is a schema."""
    there = schema_text(constraint) is not None
    judges = {name: spec.judge_of(name, there) for name in spec.methods}
    made = {valid: accept_of(constraint, valid) for valid in set(judges.values())}
    return {name: made[valid] for name, valid in judges.items()}


def chunks_of(spec: StudySpec, count: int) -> list[range]:
    """The prompts 0..count-1 of a study, as they are run together."""
    labels = [label_of(name) for name in spec.methods]
    runs = sum(int(getattr(label.method, "beside", 1)) for label in labels)
    return chunks(count, runs * spec.draws)


def require_short(items: Sequence[Item], prompts: Sequence[str]) -> None:
    """
    Raises:
        InvalidInput: a prompt is longer than a problem's may be; which one.
    """
    for item, prompt in zip(items, prompts, strict=True):
        if len(prompt) > MAX_PROMPT:
            raise InvalidInput(
                f"The prompt of {item.id[:100]} has {len(prompt):,} characters.",
                f"At most {MAX_PROMPT:,} are accepted, what is asked with it counted: shorten it.",
                "prompts",
            )


def seed_of(seed: int, index: int) -> int:
    """The seed of prompt `index`: a stream of its own, or every prompt would meet the same chances.
    The methods at one prompt share it, so that they can be compared in pairs."""
    (word,) = np.random.SeedSequence((seed, index)).generate_state(1, np.uint64)
    return int(word) >> 11  # below 2^53, as a browser holds it


def problem_of(spec: StudySpec, constraint: ConstraintSpec, prompt: str, index: int) -> ProblemSpec:
    """The problem of one prompt, as the Step screen opens it."""
    seed = seed_of(spec.sampling.seed, index)
    return ProblemSpec(
        model=spec.model,
        prompt=prompt,
        chat=spec.chat,
        constraint=constraint,
        sampling=spec.sampling.model_copy(update={"seed": seed}),
        max_tokens=spec.max_tokens,
        attempts=spec.attempts,
        markers=spec.markers,
    )

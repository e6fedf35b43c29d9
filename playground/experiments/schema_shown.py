"""The schema in the prompt: what it brings, and what it costs in tokens."""

from playground.experiments.base import Bench, Experiment, Result, Work, arms_of
from playground.experiments.draws import answers, right_fields_of, valid_of
from playground.experiments.finding import Effect
from playground.experiments.statistics import mean, paired_means, paired_rates, rate
from playground.study.prompts.tickets import TICKETS
from playground.study.spec import StudySpec

SHOWN = {"shown": True, "not shown": False}
METHODS = {"strict": "constrained decoding", "ask": "free answers"}


def _run(bench: Bench) -> Work:
    items = [item for item in TICKETS.make() if item.split == "test"][: bench.n]
    arms = {
        f"{shown}, {method}": bench.spec(
            items, TICKETS.instruction, TICKETS.schema, show_schema=flag, methods=(method,)
        )
        for shown, flag in SHOWN.items()
        for method in METHODS
    }
    found = yield from answers(bench, arms)
    right, valid = right_fields_of(items, found), valid_of(found)
    lengths = {name: _lengths(bench, arms[name]) for name in arms}
    return Result(
        n=len(items),
        effect=paired_means(
            "Right fields of constrained answers, schema shown less not shown",
            right["shown, strict"], right["not shown, strict"], "share", "estimated", bench.seed,
        ),
        also=(
            paired_rates(
                "Valid free answers, schema shown less not shown",
                valid["shown, ask"], valid["not shown, ask"],
            ),
            _cost(lengths["shown, ask"], lengths["not shown, ask"]),
        ),
        arms=arms_of(
            {arm: METHODS[arm.split(", ")[1]] for arm in arms},
            lambda name: (
                mean("fields right", right[name], "share", "estimated", bench.seed),
                rate("valid", valid[name]),
                mean("prompt tokens", lengths[name], "tokens", "exact", bench.seed),
            ),
        ),
        notes=(
            "The instruction names fields and options in words in both arms; what is added is the "
            "schema's own text. A mask enforces it whether it is shown or not.",
        ),
    )  # fmt: skip


def _lengths(bench: Bench, spec: StudySpec) -> list[float]:
    study = bench.studies.prepare(spec, bench.cancelled)
    return [float(len(study.open(at).problem.prompt)) for at in range(len(study.items))]


def _cost(shown: list[float], hidden: list[float]) -> Effect:
    """Tokens that the schema takes in the prompt: counted, the same at every prompt or nearly so."""
    more = [a - b for a, b in zip(shown, hidden, strict=True)]
    return Effect(
        name="Tokens of a prompt, schema shown less not shown",
        value=sum(more) / len(more), lower=min(more), upper=max(more), unit="tokens", how="exact",
        interval="least and most of these prompts", test="none: they are counted", p_value=None,
        significant=not min(more) <= 0 <= max(more),
    )  # fmt: skip


SCHEMA_SHOWN = Experiment(
    name="schema-shown",
    title="The schema in the prompt",
    question="What does it bring to show the schema, and what does it cost?",
    about=(
        "The same tickets with and without the schema's text in the prompt: the fields that "
        "constrained decoding gets right, the free answers that are valid, the tokens that are "
        "added."
    ),
    n=32,
    run=_run,
)

"""A study's rows, summed up: a column for each method, q, the methods in pairs, where they disagree."""

from collections.abc import Mapping, Sequence

from playground.study.golds import asked, golds_of
from playground.study.labels import label_of
from playground.study.method_summary import (
    JUDGES,
    SMALL,
    MethodSummary,
    answers,
    judge_of,
    summary_of,
)
from playground.study.pairs import (
    Alarm,
    Disagreements,
    Firsts,
    Pair,
    alarms_of,
    disagreements_of,
    pairs_of,
)
from playground.study.readings import Bounds, Rate, Reading, bounds, rate
from playground.study.row import Row
from playground.study.spec import StudySpec

ONE_DRAW = (
    "Rates are estimates with 95 % intervals that hold at every n (Clopper-Pearson): for the mean "
    "over these prompts, and for other prompts if these were drawn from them at random."
)
# Hoeffding 1956: a count of independent trials with unequal chances is spread no more than one with
# their mean, so Clopper-Pearson covers the mean over the prompts.
MANY_DRAWS = (
    "Rates count all draws. Draws at one prompt share its difficulty, so the 95 % intervals "
    "(Clopper-Pearson) are for the mean over just these prompts. q, pairs, AUC, disagreements and "
    "the alarm take the first draw at each prompt: they hold for other prompts too, if these were "
    "drawn from them at random."
)


class Q(Reading):
    """The unconstrained valid rate: one draw a prompt, so that trials are independent."""

    label: str
    judge: str
    """The V: a key of JUDGES."""
    rate: Rate


class Summary(Reading):
    """What a study says, from the rows that there are."""

    prompts: int
    """With at least one row."""
    expected: int
    """Rows of the whole study, if every prompt asked for exists."""
    rows: int
    small: bool
    """Fewer than SMALL prompts: show the intervals, put no mean forward."""
    covers: str
    """What the intervals of rates are about."""
    judges: dict[str, str]
    """Name of a V -> what is valid by it."""
    gold: int
    """Prompts with a gold answer."""
    methods: tuple[MethodSummary, ...]
    """In the order of the spec."""
    q: Q | None
    """None without a row of an unconstrained method."""
    pairs: tuple[Pair, ...]
    disagreements: tuple[Disagreements, ...]
    alarms: tuple[Alarm, ...]
    z: Bounds | None
    """The mean of Z over the prompts where it was bounded: proved, about just these."""
    tv: Bounds | None
    """The mean of TV(p~, p_V), likewise."""


def summarise(spec: StudySpec, rows: Sequence[Row]) -> Summary:
    """The summary of a study; of its rows so far, in whatever order they come.

    Raises:
        ValueError: a row is of a method that the study hasn't, or differs from another row of the
            same prompt, method and draw: they are of different studies.
    """
    ordered = in_order(spec, rows)
    golds = golds_of(spec, ordered)
    mine = {name: [row for row in ordered if row.method == name] for name in spec.methods}
    firsts = {name: answers(name, of) for name, of in mine.items()}
    prompts = {row.index: row for row in ordered}
    return Summary(
        prompts=len(prompts),
        expected=asked(spec) * len(spec.methods) * spec.draws,
        rows=len(ordered),
        small=len(prompts) < SMALL,
        covers=ONE_DRAW if spec.draws == 1 else MANY_DRAWS,
        judges=dict(JUDGES),
        gold=len(golds),
        methods=tuple(summary_of(name, of, spec, golds) for name, of in mine.items()),
        q=_q(spec, mine, firsts),
        pairs=pairs_of(firsts, golds),
        disagreements=disagreements_of(firsts),
        alarms=alarms_of(firsts),
        z=bounds(row.z for row in prompts.values()),
        tv=bounds(row.tv for row in prompts.values()),
    )


def in_order(spec: StudySpec, rows: Sequence[Row]) -> list[Row]:
    """The rows by prompt, then method as in the spec, then draw; one that comes again counts once.

    Raises:
        ValueError: as `summarise`.
    """
    place = {name: at for at, name in enumerate(spec.methods)}
    found: dict[tuple[int, int, int], Row] = {}
    for row in rows:
        if row.method not in place:
            raise ValueError(f"the study has no method {row.method!r}, but a row of it")
        key = (row.index, place[row.method], row.draw)
        if (known := found.setdefault(key, row)) is not row and known != row:
            raise ValueError(
                f"prompt {row.index}, {row.method}, draw {row.draw} has two different rows"
            )
    return [found[key] for key in sorted(found)]


def _q(spec: StudySpec, mine: Mapping[str, Sequence[Row]], firsts: Firsts) -> Q | None:
    for method in ("unconstrained", "rejection"):
        for name, by_prompt in firsts.items():
            if by_prompt and label_of(name).method.name == method:
                valid = sum(row.valid for row in by_prompt.values())
                judge = judge_of(name, mine[name], spec)
                return Q(label=name, judge=judge, rate=rate(valid, len(by_prompt)))
    return None

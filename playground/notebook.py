"""One problem in a notebook: its run, its exact law, methods side by side, and the page's figures.

    import playground

    problem = playground.open(model="toy:two-step", regex="(A|B)x")
    problem.step().figure_bits()
    problem.exact().report["Z"]
    problem.compare("masked", "rejection", n=200).figure_outcomes(mode="dark")
    problem.step().save_html("run.html")

A figure is Plotly's: `figure.write_html("f.html")` needs nothing more, `figure.write_image("f.svg")` the
package kaleido and a Chromium; the page saves its own figures as SVG and PNG without either.

The numbers are those of the page and of `python -m playground`: each `report` is the document that the
command prints with --json.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from playground import programs
from playground.cli.step import report_of as step_report
from playground.compare import CompareSpec
from playground.constraints.spec import ConstraintSpec
from playground.constraints.types import TYPES
from playground.errors import InvalidInput
from playground.exact.search import Budget
from playground.follow import follow_text
from playground.notebook_answers import Comparison, Law, Run, Sweep
from playground.opened import staged
from playground.problem import ProblemSpec, invalid, parse_problem
from playground.record import Document, provenance_document
from playground.session import Playground
from playground.settings import Settings

KINDS: Final = ("regex", "choices", "schema", "pydantic", "grammar", "tool", "type")
"""The constraints that `pose` takes by name."""
SAMPLING: Final = ("temperature", "top_k", "top_p", "mask_order", "seed")


def pose(
    model: str = "toy:sky", prompt: str = "", *, playground: Playground | None = None, **asked: Any
) -> "Posed":
    """A problem: a model, a prompt and at most one constraint.

        playground.open(model="smollm2", prompt="Is water wet?", choices=["yes", "no"], seed=3)
        playground.open(schema={"type": "object", "properties": {"a": {"type": "integer"}}})

    Args:
        model: `toy:NAME`, `smollm2`, a local folder or a hub id.
        prompt: one user message, or the bare text with `chat=False`.
        playground: shares models and caches with other problems; one of this process if None.
        asked: one of KINDS (`choices` as a list, `schema` and `tool` also as a dict); `engine`,
            `whitespace`; SAMPLING; `chat`, `max_tokens`, `method`, `prefill`, `attempts`, `heal`.

    Raises:
        InvalidInput: an argument isn't known, or its value can't be used.
    """
    spec = _spec(model, prompt, asked)
    return Posed(playground or _shared(), spec)


def _spec(model: str, prompt: str, asked: Mapping[str, Any]) -> ProblemSpec:
    rest = dict(asked)
    given = [kind for kind in KINDS if kind in rest]
    if len(given) > 1:
        raise InvalidInput(
            f"There are two constraints: {given[0]} and {given[1]}.", "Give one.", given[1]
        )
    kind = given[0] if given else "free"
    source = _source(kind, rest.pop(kind)) if given else ""
    usual = "auto" if kind == "grammar" else "bytes"
    constraint = {"kind": kind, "source": source, "engine": rest.pop("engine", usual)}
    if "whitespace" in rest:
        constraint["whitespace"] = rest.pop("whitespace")
    sampling = {name: rest.pop(name) for name in SAMPLING if name in rest}
    return parse_problem(
        {"model": model, "prompt": prompt, "constraint": constraint, "sampling": sampling, **rest}
    )


def _source(kind: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if kind == "choices" and all(isinstance(each, str) for each in value):
        return "\n".join(value)
    if kind in ("schema", "tool") and isinstance(value, Mapping | list):
        return json.dumps(value, ensure_ascii=False)
    kinds = f"one of {', '.join(TYPES)}" if kind == "type" else "text"
    raise InvalidInput(f"The {kind} is a {type(value).__name__}.", f"Give {kinds}.", kind)


_PLAYGROUNDS: list[Playground] = []


def _shared() -> Playground:
    """The one of this process, made when it is first needed."""
    if not _PLAYGROUNDS:
        _PLAYGROUNDS.append(Playground(Settings.from_env()))
    return _PLAYGROUNDS[0]


@dataclass(frozen=True, slots=True)
class Posed:
    """A problem, ready to be asked. Each call computes anew; equal seeds give equal draws."""

    playground: Playground
    spec: ProblemSpec

    def step(self, run: int = 0) -> Run:
        """The answer that run number `run` of the seed draws, token by token.

        Raises:
            PlaygroundError: what is wrong with the model, the prompt or the constraint.
        """
        opened = staged(self.playground.open(self.spec))
        trace = programs.sampled(opened, run)
        return Run(step_report(opened, trace), self.playground, opened, trace)

    def follow(self, text: str) -> Run:
        """A given text, token by token, to its end or to the first blocked token.

        Raises:
            InvalidInput: the text is empty, too long, or can't be spelled.
        """
        opened, trace, about = follow_text(staged(self.playground.open(self.spec)), text)
        report = {**step_report(opened, trace), "follow": about}
        return Run(report, self.playground, opened, trace)

    def exact(self, rows: int = 2000, seconds: float = 60.0, tolerance: float = 0.01) -> Law:
        """Proved bounds of Z, and of p_V and p~ of every valid text.

        Args:
            rows: prefixes that are opened at most.
            seconds: the search ends then, with what it has.
            tolerance: it ends when the doubt is below; 0: go to the end.
        """
        budget = Budget(rows, seconds, tolerance)
        return Law(programs.exact(self.playground, self.spec, budget))

    def compare(self, *methods: str, n: int = 200, **more: Any) -> Comparison:
        """Methods side by side, `n` draws each; unconstrained, masked and rejection if none is named.

        Args:
            methods: names, as `masked`, `rejection`, `smc`, `conditional`.
            n: draws of each.
            more: `accept`, `rows`, `seconds`, `tolerance`, as `CompareSpec` has them.

        Raises:
            InvalidInput: an unknown method, or a number out of range.
        """
        try:
            what = CompareSpec.model_validate(
                {**({"methods": methods} if methods else {}), "n": n, **more}
            )
        except ValidationError as error:
            raise invalid(error) from None
        return Comparison(programs.compare(self.playground, self.spec, what))

    def sweep(self, parameter: str, *values: float) -> Sweep:
        """q and TV(p~, p_V) as `parameter`, temperature or top_p, takes `values`; each bounded."""
        found = self.playground.proofs.sweep(
            self.playground.open, self.spec, parameter, sorted(values)
        )
        opened = self.playground.open(self.spec)
        return Sweep({**programs.last(found), "provenance": provenance_document(opened.problem)})

    def schema(self, text: str | None = None) -> Document:
        """The constraint examined without the model: what it allows and enforces, lint, and the
        verdict on `text`."""
        spec: ConstraintSpec = self.spec.constraint
        return programs.schema(self.playground, spec, text)

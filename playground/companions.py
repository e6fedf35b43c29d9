"""What retry, JSON mode and think-then-constrain need beside a problem, made when they ask for it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from playground.constraints.automaton import TokenAutomaton
from playground.constraints.cache import CompileCache, key_of
from playground.constraints.marked import MarkedAutomaton
from playground.constraints.masks import BUDGET
from playground.constraints.report import Compiled
from playground.constraints.spec import ConstraintSpec
from playground.decoding.accept import LANGUAGE
from playground.decoding.refusal import sentence
from playground.decoding.trace import Outcome
from playground.errors import InvalidInput
from playground.healing import OFF
from playground.models.base import LanguageModel, Prefix
from playground.opened import Opened
from playground.problem import MAX_PROMPT, ProblemSpec

JSON_ENGINE = "llguidance"
"""What masks by the syntax of JSON: nesting to any depth needs a stack."""
MAX_OUTPUT = 4_000
"""Most characters of a refused output that are shown to the model again."""


@dataclass(frozen=True, eq=False, slots=True)
class Companions:
    """A `decoding.again.Opener`."""

    spec: ProblemSpec
    model: LanguageModel
    compiled: Compiled
    compile: Callable[[ConstraintSpec], Compiled]
    """Compiles for the same model; the same again costs nothing."""
    cache: CompileCache

    def strict(self) -> TokenAutomaton:
        """The problem's own constraint."""
        return self.compiled.automaton

    def json(self) -> TokenAutomaton:
        """Any JSON object, blanks as the problem has them."""
        self._require_whole_prompt("JSON mode")
        return self.compile(json_object(self.spec.constraint)).automaton

    def marked(self) -> MarkedAutomaton:
        """Free text in which the constraint holds between the problem's markers."""
        self._require_whole_prompt("Think, then constrain")
        spec, vocabulary = self.compiled.spec, self.model.vocabulary
        markers = self.spec.markers
        key = key_of(
            "marked", spec.model_dump_json(), vocabulary.fingerprint, markers.model_dump_json()
        )
        automaton: MarkedAutomaton | None = self.cache.recall(key)
        if automaton is None or automaton.plain is not self.compiled.automaton:
            automaton = MarkedAutomaton(self.compiled.automaton, markers)
            self.cache.remember(key, automaton, automaton.dfa.nbytes + BUDGET)
        return automaton

    def _require_whole_prompt(self, method: str) -> None:
        """
        Raises:
            InvalidInput: the prompt's last token is to be written again, which only the constraint's
                own mask sees to.
        """
        if self.spec.heal:
            raise InvalidInput(f"{method} can't rewrite the prompt's last token.", OFF, "heal")

    def again(self, output: str, error: str) -> Prefix | None:
        """The prompt with what was refused and why; None where it is too long then."""
        asked = asked_again(self.spec.prompt, output, error)
        prompt = self.model.render(asked, self.spec.chat)
        fits = len(prompt) + self.spec.max_tokens <= self.model.context
        return prompt if fits and len(asked) <= MAX_PROMPT else None


def json_object(constraint: ConstraintSpec) -> ConstraintSpec:
    """Any JSON object, with the blanks of `constraint`."""
    return ConstraintSpec(
        kind="schema",
        source='{"type": "object"}',
        engine=JSON_ENGINE,
        whitespace=constraint.whitespace,
    )


def asked_after(opened: Opened, path: Sequence[int]) -> dict[str, str]:
    """What is asked after the refused run `path` of a problem, and why it was refused.

    Raises:
        InvalidInput: the run goes on, or is valid.
    """
    standing = opened.walk(path)
    if standing.outcome is Outcome.RUNNING:
        raise InvalidInput("The run goes on.", "Let it end first.", "path")
    if standing.outcome is Outcome.ACCEPTED:
        raise InvalidInput("The run is valid: there is no error to tell.", where="path")
    error = sentence(opened.problem, standing.tokens, replace(LANGUAGE, lead=len(opened.lead)))
    output = standing.text[len(opened.lead) :].decode("utf-8", "replace")
    return {"prompt": asked_again(opened.spec.prompt, output, error), "error": error}


def asked_again(prompt: str, output: str, error: str) -> str:
    """The prompt of the next attempt."""
    shown = output if len(output) <= MAX_OUTPUT else f"{output[:MAX_OUTPUT]} ..."
    return (
        f"{prompt}\n\nAn earlier answer was refused. It was:\n{shown}\n\n"
        f"What is wrong with it: {error}\nWrite the whole answer again, and nothing else."
    )

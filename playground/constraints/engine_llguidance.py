"""The engine "llguidance": an Earley parser over a lexer of derivatives, run at every token."""

from collections.abc import Callable
from dataclasses import dataclass

from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.cache import CompileCache
from playground.constraints.limits import Limits
from playground.constraints.llguidance_matcher import LLGuidanceMatcher, Tokens
from playground.constraints.notes import Note
from playground.constraints.pushdown import Matcher
from playground.constraints.pushdown_compile import Kept, compile_pushdown
from playground.constraints.report import Compiled
from playground.constraints.spec import ConstraintSpec
from playground.vocabulary import Vocabulary

NOTE = Note(
    "warning",
    "engine",
    "",
    "llguidance is shown as it is shipped. It refuses the keywords that it can't enforce. Where the "
    "text is forced it allows one way to split it into tokens, so masks and Z are smaller than the "
    "text alone asks for; here that way is the fewest tokens, not the model's own tokenizer's.",
)


@dataclass(frozen=True, slots=True)
class LLGuidanceEngine:
    """What llama.cpp, vLLM and others use."""

    title: str = "llguidance"
    about: str = (
        "An Earley parser: grammars and recursive schemas to any depth. Refuses the keywords that "
        "it can't enforce."
    )

    def compile(
        self,
        spec: ConstraintSpec,
        vocabulary: Vocabulary,
        *,
        cache: CompileCache | None,
        limits: Limits,
        cancelled: Callable[[], bool] | None,
        until: float,
    ) -> Compiled:
        """The automaton of `spec`; raises as `compile.compile_constraint`, and ModelUnavailable
        where llguidance is not installed."""
        return compile_pushdown(
            "llguidance",
            "llguidance",
            NOTE,
            _roots,
            spec,
            vocabulary,
            cache=cache,
            limits=limits,
            cancelled=cancelled,
            until=until,
        )


_TOKENIZERS = Kept(lambda vocabulary: Tokens(vocabulary).tokenizer())


def _roots(payload: bytes, vocabulary: Vocabulary) -> tuple[Matcher, Matcher | None]:
    grammar = payload.decode()
    over_bytes = LLGuidanceMatcher.root(grammar, BYTES, _TOKENIZERS.of(BYTES))
    if vocabulary is BYTES:
        return over_bytes, None
    return over_bytes, LLGuidanceMatcher.root(grammar, vocabulary, _TOKENIZERS.of(vocabulary))

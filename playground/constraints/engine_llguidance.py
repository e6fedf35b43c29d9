"""The engine "llguidance": an Earley parser over a lexer of derivatives, run at every token."""

from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.llguidance_matcher import LLGuidanceMatcher, Tokens
from playground.constraints.notes import Note
from playground.constraints.pushdown import Matcher
from playground.constraints.pushdown_compile import Kept, PushdownEngine
from playground.vocabulary import Vocabulary

NOTE = Note(
    "warning",
    "engine",
    "",
    "llguidance is shown as it is shipped. It refuses the keywords that it can't enforce. Where the "
    "text is forced it allows one way to split it into tokens, so masks and Z are smaller than the "
    "text alone asks for; here that way is the fewest tokens, not the model's own tokenizer's.",
)


_TOKENIZERS = Kept(lambda vocabulary: Tokens(vocabulary).tokenizer())


def _roots(payload: bytes, vocabulary: Vocabulary) -> tuple[Matcher, Matcher | None]:
    grammar = payload.decode()
    over_bytes = LLGuidanceMatcher.root(grammar, BYTES, _TOKENIZERS.of(BYTES))
    if vocabulary is BYTES:
        return over_bytes, None
    return over_bytes, LLGuidanceMatcher.root(grammar, vocabulary, _TOKENIZERS.of(vocabulary))


LLGUIDANCE = PushdownEngine(
    "llguidance",
    "llguidance",
    "An Earley parser: grammars and recursive schemas to any depth. Refuses the keywords that it "
    "can't enforce.",
    NOTE,
    _roots,
)
"""What llama.cpp, vLLM and others use."""

"""xgrammar behind the matcher's protocol."""

from typing import Any

import numpy as np

from playground.constraints.pushdown_source import Asked
from playground.logspace import Mask
from playground.vocabulary import Vocabulary

MAX_BLANKS = 8


def tokenizer(library: Any, vocabulary: Vocabulary) -> Any:
    """xgrammar's TokenizerInfo of our own bytes; tokens without bytes are empty, which it never
    allows. `library` is xgrammar or its light form."""
    return library.TokenizerInfo(
        [text or b"" for text in vocabulary.tokens],
        library.VocabType.RAW,
        vocab_size=len(vocabulary),
        stop_token_ids=sorted(vocabulary.eos_ids),
    )


def grammar_of(library: Any, source: Asked, whitespace: str) -> Any:
    """The Grammar of `source`.

    Raises:
        RuntimeError: xgrammar refuses it.
    """
    grammar = library.Grammar
    if source.form == "schema":
        # Objects stay open unless the schema closes them, as in JSON Schema.
        options: dict[str, Any] = {"strict_mode": False}
        if whitespace == "none":
            options |= {"any_whitespace": False, "separators": (",", ":")}
        else:
            most = 1 if whitespace == "one" else MAX_BLANKS
            options |= {"any_whitespace": True, "max_whitespace_cnt": most}
        return grammar.from_json_schema(source.text, **options)
    if source.form == "regex":
        return grammar.from_regex(source.text)
    if source.form == "lark":
        return grammar.from_lark(source.text)
    return grammar.from_ebnf(source.text)


def compiled(library: Any, info: Any, grammar: Any) -> Any:
    """The CompiledGrammar of `grammar` over a vocabulary, its TokenizerInfo.

    Raises:
        RuntimeError: xgrammar can't.
    """
    compiler = library.GrammarCompiler(info, max_threads=1, cache_enabled=False)
    return compiler.compile_grammar(grammar)


class XGrammarMatcher:
    """One run of xgrammar's GrammarMatcher."""

    def __init__(self, matcher: Any, size: int) -> None:
        """`matcher` is the library's; `size` its vocabulary's."""
        self._matcher = matcher
        self._size = size

    def fork(self) -> "XGrammarMatcher":
        """As `pushdown.Matcher`."""
        return XGrammarMatcher(self._matcher.fork(), self._size)

    def feed(self, text: bytes) -> bool:
        """As `pushdown.Matcher`."""
        return bool(self._matcher.accept_string(text))

    def final(self) -> bool:
        """As `pushdown.Matcher`."""
        return bool(self._matcher.is_completed())

    def allowed(self) -> Mask:
        """As `pushdown.Matcher`."""
        packed = np.full((1, -(-self._size // 32)), -1, dtype=np.int32)
        self._matcher.fill_next_token_bitmask(packed)  # leaves it as it is where all are allowed
        bits = np.unpackbits(packed[0].view(np.uint8), bitorder="little", count=self._size)
        return bits.astype(np.bool_)

"""xgrammar's compiler without torch and transformers, for the compiling child process alone.

`import xgrammar` takes three seconds, nearly all of it for torch, which only applies masks to
logits, and for transformers, which only reads tokenizers of theirs. A child compiles one grammar
and ends, so there the package is entered through its modules. The server itself imports it whole.
"""

import sys
from functools import cache
from importlib.util import find_spec
from types import ModuleType, SimpleNamespace
from typing import Any

_UNUSED = ("torch", "sentencepiece", "tiktoken")


@cache
def load() -> Any:
    """What a compilation uses: Grammar, GrammarCompiler, TokenizerInfo, VocabType. Only for a
    process that ends soon: torch and transformers can't be imported afterwards."""
    found = find_spec("xgrammar")
    assert found is not None, "the engine asks first whether it is installed"
    assert found.submodule_search_locations is not None
    for name in _UNUSED:
        sys.modules.setdefault(name, None)  # type: ignore[arg-type]  # importing it fails at once
    stand_in: Any = ModuleType("transformers")
    stand_in.PreTrainedTokenizerBase = stand_in.PreTrainedTokenizerFast = object
    sys.modules.setdefault("transformers", stand_in)
    package = ModuleType("xgrammar")
    package.__path__ = list(found.submodule_search_locations)
    sys.modules["xgrammar"] = package
    import xgrammar.load_binding
    from xgrammar.compiler import GrammarCompiler
    from xgrammar.grammar import Grammar
    from xgrammar.tokenizer_info import TokenizerInfo, VocabType

    return SimpleNamespace(
        Grammar=Grammar,
        GrammarCompiler=GrammarCompiler,
        TokenizerInfo=TokenizerInfo,
        VocabType=VocabType,
        library=xgrammar.load_binding.LIB,
    )

"""The child's part of what is taken away: grammars written, compiled and asked about texts."""

import re
from typing import Any

from playground.constraints.limits import Limits

EOS = 256
_OPEN = re.compile(r"\{(\d+), -1\}")
"""How xgrammar prints a repetition without an upper bound."""


def work(request: dict[str, Any], limits: Limits) -> tuple[dict[str, Any], bytes]:
    """Answer one request; `what` says which.

    - `gbnf`: `regex`, `json` -> `grammar`: see `gbnf.to_gbnf`.
    - `ask`: `form` (`gbnf`, `regex` or `schema`), `source`, `texts` -> `xgrammar` and, for `gbnf`,
      `llguidance`: what each says of the texts, {"answers": [bool or null]} or {"error": words}.
    - `outlines`: `kind`, `source`, `whitespace` -> the npz of a core: the whole language of the
      regex that outlines builds, which its Index may fall short of.
    - `lark`: `grammar` (GBNF) -> `lark`, or `error`: llguidance's own translation.
    - `ebnf`: `grammar` (Lark) -> `grammar` (GBNF), or `error`: xgrammar's own translation.
    """
    what = request["what"]
    if what == "gbnf":
        from playground.constraints.gbnf import to_gbnf

        return {"grammar": to_gbnf(request["regex"], request["json"])}, b""
    if what == "outlines":
        return {}, outlines_core_of(request, limits)
    if what == "lark":
        return lark(request["grammar"]), b""
    if what == "ebnf":
        return ebnf(request["grammar"]), b""
    assert what == "ask", what
    form, source = request["form"], request["source"]
    texts = [text.encode() for text in request["texts"]]
    head = {"xgrammar": asked_xgrammar(form, source, texts)}
    if form == "gbnf":
        head["llguidance"] = asked_llguidance(source, texts)
    return head, b""


def outlines_core_of(request: dict[str, Any], limits: Limits) -> bytes:
    """The core of outlines' own regex for a constraint; raises as `build.build`."""
    from playground.constraints.build import build
    from playground.constraints.core import Core, encode
    from playground.constraints.minimize import minimized
    from playground.constraints.work_outlines import shipped_regex

    regex, _ = shipped_regex(request["kind"], request["source"], request["whitespace"])
    return encode(Core(minimized(build(regex, limits.states)), regex, (), None))


def asked_xgrammar(form: str, source: str, texts: list[bytes]) -> dict[str, Any]:
    """Whether the constraint, compiled by xgrammar over the bytes, takes each text as a whole; null
    for a text with the null character, at which xgrammar ends a text."""
    from playground.constraints import xgrammar_light
    from playground.constraints.xgrammar_quiet import caught

    library = xgrammar_light.load()
    from xgrammar.base import _core

    names = [bytes([byte]) for byte in range(256)] + [b"</s>"]
    info = library.TokenizerInfo(names, library.VocabType.RAW, stop_token_ids=[EOS])
    read = {
        "gbnf": library.Grammar.from_ebnf,
        "regex": library.Grammar.from_regex,
        "schema": library.Grammar.from_json_schema,
    }[form]
    try:
        with caught():
            compiled = library.GrammarCompiler(info, max_threads=1).compile_grammar(read(source))
    except (RuntimeError, ValueError) as error:
        return {"error": _short(error)}
    answers: list[bool | None] = []
    for text in texts:
        matcher = _core.GrammarMatcher(compiled._handle, None, False, -1, None)
        fits = not text or matcher.accept_string(text, False)
        answers.append(None if b"\0" in text else bool(fits and matcher.accept_token(EOS, False)))
    return {"answers": answers}


def asked_llguidance(grammar: str, texts: list[bytes]) -> dict[str, Any]:
    """The same by llguidance, through its translation of GBNF to Lark."""
    import llguidance

    found = lark(grammar)
    if "error" in found:
        return found
    tokenizer = llguidance.LLTokenizer(llguidance.TokenizerWrapper(_ByteTokenizer()))
    matcher = llguidance.LLMatcher(tokenizer, llguidance.LLMatcher.grammar_from_lark(found["lark"]))
    if matcher.is_error():
        return {"error": _short(matcher.get_error())}
    answers = []
    for text in texts:
        run = matcher.deep_copy()
        whole = not text or run.try_consume_tokens(list(text)) == len(text)
        answers.append(bool(whole and run.is_accepting()))
    return {"answers": answers}


def lark(grammar: str) -> dict[str, Any]:
    """`lark`, the grammar as llguidance translates it, or `error`."""
    from llguidance import gbnf_to_lark
    from llguidance.gbnf_to_lark import GbnfToLarkError

    translate = getattr(gbnf_to_lark, "gbnf_to_lark", gbnf_to_lark)
    try:
        return {"lark": translate(grammar)}
    except (GbnfToLarkError, ValueError, AssertionError) as error:
        return {"error": _short(error)}


def ebnf(grammar: str) -> dict[str, Any]:
    """`grammar`, a Lark grammar as xgrammar prints it in GBNF, or `error`."""
    from playground.constraints import xgrammar_light

    try:
        text = str(xgrammar_light.load().Grammar.from_lark(grammar))
    except (RuntimeError, ValueError) as error:
        return {"error": _short(error)}
    if "Regex(" in text:
        return {"error": "one of its regexes has no form in GBNF"}
    return {"grammar": _OPEN.sub(r"{\1,}", text.replace("{0, -1}", "*").replace("{1, -1}", "+"))}


class _ByteTokenizer:
    """The 256 bytes and an end, as llguidance wants a tokenizer."""

    def __init__(self) -> None:
        self.tokens = [bytes([byte]) for byte in range(256)] + [b"</s>"]
        self.eos_token_id = EOS
        self.bos_token_id = None
        self.special_token_ids = [EOS]

    def __call__(self, text: str | bytes) -> list[int]:
        return list(text.encode() if isinstance(text, str) else text)


def _short(error: object) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[0] if lines else "?")[:300]

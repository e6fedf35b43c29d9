"""The same constraint for other tools: outlines, vLLM, SGLang, llama.cpp, Pydantic, OpenAI."""

from playground.schema.takeaway.entry import takeaway

__all__ = ["takeaway"]

"""What an OpenAI-compatible server sends, read: completions, lists of models, errors."""

import json
import math
from dataclasses import dataclass

from pydantic import BaseModel, Field

SAID = 300
"""Most characters of a server's own words in an error."""


@dataclass(frozen=True, slots=True)
class Completion:
    """One reply."""

    text: str
    ended: bool
    """By the model, rather than by max_tokens."""
    tokens: int
    """Sampled, as the server counts them."""
    log_p: float | None
    """Sum of the log-probabilities that the server reports, nats: most report the bare model's, at
    temperature 1. None where it reports none."""
    length: int
    """Tokens that `log_p` is over; `tokens` without it."""


class _Token(BaseModel):
    logprob: float


class _Tokens(BaseModel):
    content: list[_Token] | None = None


class _Message(BaseModel):
    content: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None
    logprobs: _Tokens | None = None


class _Usage(BaseModel):
    completion_tokens: int = Field(ge=0)


class Reply(BaseModel):
    """A chat completion."""

    choices: list[_Choice] = Field(min_length=1)
    usage: _Usage


class _Named(BaseModel):
    id: str


class Models(BaseModel):
    """The list of models."""

    data: list[_Named]


def completion(reply: Reply) -> Completion:
    """The first choice of a reply."""
    choice, tokens = reply.choices[0], reply.usage.completion_tokens
    logs = [each.logprob for each in (choice.logprobs and choice.logprobs.content) or ()]
    known = bool(logs) and all(math.isfinite(log) and log < 1e-3 for log in logs)
    text = (choice.message.content or "").encode("utf-8", "replace").decode()
    return Completion(
        text=text,
        ended=choice.finish_reason == "stop",
        tokens=tokens,
        log_p=min(0.0, sum(logs)) if known else None,
        length=len(logs) if known else tokens,
    )


def words(data: bytes) -> str:
    """A server's own words about an error, or a part of them."""
    text = data.decode("utf-8", "replace")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return first_line(text)
    for name in ("error", "message", "detail"):
        if isinstance(found, dict) and name in found:
            found = found[name]
    return first_line(found if isinstance(found, str) else json.dumps(found))


def first_line(text: str) -> str:
    """The first line of a text that may be long, as a sentence."""
    lines = text.strip().splitlines() or ["no reason given"]
    return lines[0][:SAID].rstrip(".") + "."

"""A model behind an OpenAI-compatible server (vLLM, llama.cpp, `transformers serve`): it only answers.

Texts come back, and tokens counted; log-probabilities of these where the server gives them. There are
no rows over the vocabulary, so that nothing here is a `LanguageModel`. The address is the operator's.
"""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from playground.errors import InvalidInput, ModelUnavailable
from playground.models.completions import Completion, Models, Reply, completion, first_line, words
from playground.settings import SERVER_PREFIX, Settings

CONNECT_SECONDS = 5.0
REPLY_SECONDS = 180.0
"""Longest wait for one reply."""
MOST_BYTES = 2**20
"""Largest reply that is read."""
NOT_ABOUT_THE_REQUEST = (401, 403, 404, 408, 429, 502, 503, 504)

Schema = Mapping[str, Any]
Way = Callable[[Schema], dict[str, Any]]
WAYS: Mapping[str, Way] = {
    "json_schema": lambda schema: {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": dict(schema), "strict": True},
    },
    "json_object": lambda schema: {"type": "json_object", "schema": dict(schema)},
}
"""Name -> the `response_format` that asks a server to constrain: OpenAI's and vLLM's, then
llama-cpp-python's."""
_PROBE_WORD = "k7q2-w"
_PROBE: Schema = {
    "type": "object",
    "properties": {"word": {"type": "string", "enum": [_PROBE_WORD]}},
    "required": ["word"],
    "additionalProperties": False,
}


class Refused(ModelUnavailable):
    """The server understood nothing of a request, or found it too long."""


@dataclass(frozen=True, slots=True)
class Ask:
    """How a text is to be sampled."""

    max_tokens: int
    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0
    """0: off."""
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a server takes beside the bare protocol."""

    filters: bool
    """top-k and min-p: they can be set, or switched off; else they are whatever the server has."""
    logprobs: bool
    """It may be asked for log-probabilities, though it may not give any."""


def is_served(name: str) -> bool:
    """The model called `name` is a server's."""
    return name.startswith(SERVER_PREFIX)


def answers_only(name: str) -> ModelUnavailable:
    """Why a view of the whole vocabulary is off for the model called `name`."""
    return ModelUnavailable(
        f"The model {name[:80]!r} only answers: its server sends texts, not the probabilities of the "
        "whole vocabulary.",
        "Step, Compare and everything exact need a model on this machine; a study can ask this one "
        "with ask, retry and strict.",
        "model",
    )


@dataclass(eq=False, slots=True)
class Server:
    """A client. Safe to share between threads."""

    address: str
    """Up to and with `/v1`."""
    key: str = field(default="", repr=False)
    seconds: float = REPLY_SECONDS
    _client: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        import httpx

        headers = {"Accept-Encoding": "identity"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        timeout = httpx.Timeout(self.seconds, connect=CONNECT_SECONDS)
        self._client = httpx.Client(headers=headers, timeout=timeout, follow_redirects=False)

    def models(self) -> tuple[str, ...]:
        """The ids of the server's models.

        Raises:
            ModelUnavailable: it can't be reached, or says something else.
        """
        try:
            found = Models.model_validate(self._sent("GET", "/models"))
        except ValidationError:
            raise self._nonsense("no list of models") from None
        return tuple(each.id for each in found.data)

    def dialect(self, model: str) -> Dialect:
        """What may be asked of `model`, found out by asking for one token.

        Raises:
            ModelUnavailable: it can't be reached, or refuses the barest request.
        """
        refusal = None
        for filters, logprobs in ((True, True), (False, True), (True, False), (False, False)):
            dialect = Dialect(filters, logprobs)
            try:
                self.complete(model, dialect, "Say yes.", Ask(max_tokens=1))
            except Refused as error:
                refusal = error
            else:
                return dialect
        assert refusal is not None
        raise refusal

    def way(self, model: str, dialect: Dialect) -> str | None:
        """How the server is asked to constrain: a key of WAYS; None where it ignores or refuses each.
        It is found out by a schema that only one text matches, which the prompt doesn't name."""
        for name in WAYS:
            try:
                got = self.complete(model, dialect, "Say hello.", Ask(max_tokens=32), name, _PROBE)
                if json.loads(got.text) == {"word": _PROBE_WORD}:
                    return name
            except (Refused, ValueError, RecursionError):
                continue
        return None

    def complete(
        self,
        model: str,
        dialect: Dialect,
        prompt: str,
        ask: Ask,
        way: str | None = None,
        schema: Schema | None = None,
    ) -> Completion:
        """One answer to one user message.

        Args:
            model: its id.
            dialect: see `dialect`.
            prompt: the message.
            ask: how to sample.
            way: a key of WAYS, to constrain by `schema`.
            schema: the JSON Schema.

        Raises:
            Refused: the server won't have the request, as when the prompt is too long.
            ModelUnavailable: it can't be reached, fails, or says something else.
        """
        body: dict[str, Any] = {
            "model": model,
            "messages": [{"role": "user", "content": prompt}],
            "max_tokens": ask.max_tokens,
            "temperature": ask.temperature,
            "top_p": ask.top_p,
            "seed": ask.seed,
        }
        if dialect.filters:
            body |= {"top_k": ask.top_k, "min_p": 0.0}
        if dialect.logprobs:
            body |= {
                "logprobs": True,
                "top_logprobs": 1,
            }  # llama-cpp-python gives none without the second
        if way is not None and schema is not None:
            body["response_format"] = WAYS[way](schema)
        try:
            reply = Reply.model_validate(self._sent("POST", "/chat/completions", body))
        except ValidationError:
            raise self._nonsense("no chat completion with a count of its tokens") from None
        return completion(reply)

    def _sent(self, verb: str, path: str, body: dict[str, Any] | None = None) -> Any:
        import httpx

        until = time.monotonic() + self.seconds
        data = bytearray()
        try:
            with self._client.stream(verb, self.address + path, json=body) as response:
                for part in response.iter_bytes():
                    data += part
                    if len(data) > MOST_BYTES:
                        raise self._nonsense(f"more than {MOST_BYTES:,} bytes")
                    if time.monotonic() > until:
                        raise httpx.ReadTimeout("too slow")
        except httpx.TimeoutException:
            raise self._failed(f"has not answered within {self.seconds:g} seconds") from None
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
            raise self._failed(f"can't be reached: {first_line(str(error))}") from None
        if response.status_code != 200:
            raise self._refusal(response.status_code, bytes(data))
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            raise self._nonsense("no JSON") from None

    def _refusal(self, status: int, data: bytes) -> ModelUnavailable:
        what = f"The model server answers with status {status}: {words(data)}"
        if status in NOT_ABOUT_THE_REQUEST:
            hint = "See PLAYGROUND_SERVER, PLAYGROUND_SERVER_KEY and the id of the model."
            return ModelUnavailable(what, hint, "server")
        return Refused(
            what, "The prompt may be too long for it, or a setting unknown to it.", "server"
        )

    def _failed(self, how: str) -> ModelUnavailable:
        return ModelUnavailable(
            f"The model server {how}.",
            "Its operator sets PLAYGROUND_SERVER; what a study has done is kept in its file.",
            "server",
        )

    def _nonsense(self, what: str) -> ModelUnavailable:
        return ModelUnavailable(
            f"The model server sent {what}.", "It must speak OpenAI's chat protocol.", "server"
        )


def server_of(settings: Settings) -> Server:
    """The operator's server.

    Raises:
        InvalidInput: there is none.
    """
    if not settings.server:
        raise InvalidInput(
            "No model server is set.",
            "Its operator sets PLAYGROUND_SERVER to its address, as in http://localhost:8000/v1.",
            "PLAYGROUND_SERVER",
        )
    return Server(settings.server, settings.server_key)

"""What a visitor can do to a run: open, step, follow, look up, look ahead. No widgets here.

Stateless: a request carries the problem and the path of token ids, and the answer is a record.
What is slow to make (compiled automata, model rows) is shared and bounded.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from playground.companions import Companions, asked_after
from playground.constraints.compile import CompileCache, Limits, compile_constraint, warm
from playground.constraints.healed import healed
from playground.constraints.report import Compiled
from playground.constraints.spec import ConstraintSpec
from playground.debugger import Debugger
from playground.decoding.sampler import SAMPLERS, drawn, taken
from playground.decoding.trace import Outcome, Problem, Standing, Step, Trace
from playground.errors import InvalidInput, ModelUnavailable
from playground.follow import follow_text
from playground.healing import dropped, require_healable
from playground.lookup import found, ghost
from playground.models.base import LanguageModel, Prefix, Provenance
from playground.models.loader import ModelHub
from playground.models.rows import RowStore
from playground.models.tokenizers import Tokenizers
from playground.opened import OTHERWISE_MASKED, Opened, check_token, staged
from playground.page import page_document, standing_document
from playground.problem import ProblemSpec
from playground.proofs import Proofs
from playground.record import Document, graph_document, step_document, timing_document
from playground.settings import Settings

MAX_PROMPTS = 256
"""Rendered prompts that are kept."""
MOVE_PATIENCE = 3.0
"""Seconds that a move on the page waits for a place to compile in."""
MOVE_SECONDS = 5.0
"""Longest compilation that a move on the page starts; Start may take the operator's limit."""


class Playground:
    """The models, rows and compiled constraints that every visitor of one process shares."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.hub = ModelHub(settings)
        self.rows = RowStore(settings.rows_mb * 2**20)
        self.cache = CompileCache(settings)
        self.limits = Limits.from_settings(settings)
        self.proofs = Proofs()
        self.debugger = Debugger(self.cache, self.limits, Tokenizers(self.hub, settings))
        self._prompts: OrderedDict[tuple[Provenance, bool, str], Prefix] = OrderedDict()
        self._lock = threading.Lock()

    def prepare(self, name: str) -> None:
        """Load a model, and what compiling for it needs, in the background. How far it has come,
        or why it failed, is told by `hub.status`."""

        def work() -> None:
            with suppress(ModelUnavailable):
                warm(self.hub.get(name).vocabulary)

        self.hub.start(name)
        threading.Thread(target=work, name=f"prepare {name}", daemon=True).start()

    def open(
        self,
        spec: ProblemSpec,
        cancelled: Callable[[], bool] | None = None,
        patience: float = 60.0,
        limits: Limits | None = None,
    ) -> Opened:
        """Compile and render `spec`; the same spec again costs nothing.

        Args:
            spec: the problem.
            cancelled: asked while it compiles; True ends the work.
            patience: seconds to wait for a place to compile in.
            limits: of a compilation; the operator's if None.

        Raises:
            PlaygroundError: what is wrong with the model, the prompt or the constraint.
        """
        require_healable(spec)
        model = self.hub.get(spec.model) if spec.toy is None else self.hub.toy(spec.toy)
        for token in spec.watch:
            check_token(model, token)
        if spec.chat and model.provenance.kind == "live" and not spec.prompt.strip():
            raise InvalidInput(
                "The prompt is empty.",
                "Write what to ask; or switch the chat template off to start from the bare BOS token.",
                "prompt",
            )
        prompt = self._rendered(model, spec)
        healing = dropped(model, prompt) if spec.heal else None
        prefill = model.encode(spec.prefill) if spec.prefill else ()
        if len(prefill) >= spec.max_tokens:
            raise InvalidInput(
                f"The answer's given beginning has {len(prefill)} tokens, and the run may have "
                f"{spec.max_tokens}.",
                "Raise max tokens, or give less.",
                "prefill",
            )
        if len(prompt) + spec.max_tokens > model.context:
            raise InvalidInput(
                f"The prompt has {len(prompt):,} tokens and the run may take {spec.max_tokens:,} "
                f"more, but {model.provenance.name} reads {model.context:,} at most.",
                "Shorten the prompt or lower max tokens.",
                "prompt",
            )

        def compiling(constraint: ConstraintSpec) -> Compiled:
            return compile_constraint(
                constraint,
                model.vocabulary,
                cache=self.cache,
                limits=limits or self.limits,
                cancelled=cancelled,
                patience=patience,
            )

        compiled = compiling(spec.constraint)
        most = spec.max_tokens
        if healing is not None:
            compiled = healed(compiled, healing, self.cache)
            # What is written again takes no token from the answer.
            prompt, most = prompt[:-1], most + 1
        problem = Problem(
            model,
            compiled.automaton,
            self.rows,
            prompt,
            spec.sampling,
            most,
            Companions(spec, model, compiled, compiling, self.cache),
            prefill,
            spec.attempts,
        )
        return Opened(spec, problem, compiled, healing)

    def _rendered(self, model: LanguageModel, spec: ProblemSpec) -> Prefix:
        """The prompt as ids; the latest ones are kept. Automata aren't kept here: the compile
        cache does that, within its own bound on memory."""
        key = (model.provenance, spec.chat, spec.prompt)
        with self._lock:
            held = self._prompts.get(key)
        prompt = model.render(spec.prompt, spec.chat) if held is None else held
        with self._lock:
            self._prompts[key] = prompt
            self._prompts.move_to_end(key)
            while len(self._prompts) > MAX_PROMPTS:
                self._prompts.popitem(last=False)
        return prompt

    def _reopen(self, spec: ProblemSpec) -> Opened:
        """The problem for a move on the page, staged. It nearly always finds everything ready; where
        it doesn't it must not hold a thread of the server for long."""
        quick = replace(self.limits, seconds=min(MOVE_SECONDS, self.limits.seconds))
        return staged(self.open(spec, patience=MOVE_PATIENCE, limits=quick))

    def replay(self, spec: ProblemSpec, path: Sequence[int] = ()) -> Document:
        """The whole page for `path`, recomputed; a path that the run outlives is cut and says so. An
        empty one begins with what is given."""
        opened = self._reopen(spec)
        trace = opened.trace(path or opened.beginning)
        document = self.document(opened, trace)
        if len(trace.steps) < len(path):
            document["note"] = (
                f"The path was cut after {len(trace.steps)} of {len(path)} tokens: "
                "the run ends there now."
            )
        return document

    def advance(self, spec: ProblemSpec, path: Sequence[int], action: Any) -> Document:
        """One token more: `{"draw": run}` or `{"take": id}`.

        Raises:
            InvalidInput: the run has ended, or the action or the path make no sense.
        """
        opened = self._reopen(spec)
        before = opened.walk(path)
        started = time.perf_counter()
        if before.outcome is not Outcome.RUNNING:
            raise InvalidInput(
                f"The run has ended: {before.outcome.value}.", "Step back or start again.", "path"
            )
        held = self.rows.holds(opened.problem.model, before.prefix)
        drawing = time.perf_counter()
        step = self._move(opened, before, action)
        timing = {"draw": (drawing, time.perf_counter())}
        after = before.stopped() if step is None else before.after(step.token)
        document = standing_document(opened, after, timing)
        if step is not None:
            index = len(before.tokens)
            document["step"] = step_document(
                opened.problem, step, index, before.text, opened.spec.watch
            )
            document["step"]["seconds"] = time.perf_counter() - started
            document["step"]["given"] = opened.gives(after.tokens)
            if held and "pass" in timing:
                document["step"]["timing"] = timing_document(timing)
        else:
            document["step"] = None
        return document

    def _move(self, opened: Opened, standing: Standing, action: Any) -> Step | None:
        sampler, before = SAMPLERS[opened.spec.method], standing.tokens
        match action:
            case {"draw": run} if type(run) is int and 0 <= run < 2**31 and len(action) == 1:
                given = opened.beginning[: len(before) + 1]
                if not opened.gives(given) or given[:-1] != before:
                    return drawn(standing, sampler, run, opened.spec.watch)
                token = given[-1]
            case {"take": token} if len(action) == 1:
                token = check_token(opened.problem.model, token)
            case _:
                raise InvalidInput("The action must be draw or take.", where="action")
        return opened.certain(taken(standing, sampler, token, opened.spec.watch), before)

    def follow(self, spec: ProblemSpec, text: str) -> Document:
        """The record of a given text, then EOS where it may stop; it ends at the first blocked token.

        Raises:
            InvalidInput: the text is empty, too long, or can't be spelled.
        """
        opened = self._reopen(spec)
        longer, trace, about = follow_text(opened, text)
        document = {**self.document(longer, trace), "follow": about}
        if longer.spec.max_tokens > spec.max_tokens:
            document["note"] = f"Max tokens is {longer.spec.max_tokens:,} now, to hold the text."
        return document

    def find(self, spec: ProblemSpec, path: Sequence[int], query: str) -> Document:
        """Tokens whose text contains `query`: exact ones first, then the model's likeliest."""
        return found(self._reopen(spec), path, query)

    def ghost(self, spec: ProblemSpec, path: Sequence[int], token: int) -> Document:
        """What a blocked token would do: the byte at which the text stops being a valid prefix.

        Raises:
            InvalidInput: there is no such token.
        """
        return ghost(self._reopen(spec), path, token)

    def graph(self, spec: ProblemSpec, path: Sequence[int]) -> Document:
        """The automaton, whole where it is small, else a wider neighbourhood."""
        opened = self._reopen(spec)
        return {
            "graph": graph_document(opened.problem.constraint, opened.walk(path).state, full=True)
        }

    def exact(self, spec: ProblemSpec, path: Sequence[int]) -> Document:
        """The exact law of the next token after `path`, as far as a short search bounds it.

        Raises:
            InvalidInput: the run is masked by something else than the constraint.
        """
        if spec.method in OTHERWISE_MASKED:
            raise InvalidInput(
                "The exact law is that of the constraint alone.",
                "Set the method to masked or unconstrained.",
                "method",
            )
        return self.proofs.here(self._reopen(spec), tuple(path))

    def again(self, spec: ProblemSpec, path: Sequence[int]) -> Document:
        """What `retry` asks next after the refused run `path`: `{"prompt", "error"}`.

        Raises:
            InvalidInput: the run goes on, or is valid.
        """
        return asked_after(self.open(spec), path)

    def tokenisations(self, spec: ProblemSpec, text: str) -> Document:
        """The runs that searches have found so far that spell `text`."""
        whole = text.encode("utf-8", "replace").decode()  # half a character is in no text
        return self.proofs.tokenisations(self._reopen(spec), whole)

    def document(self, opened: Opened, trace: Trace) -> Document:
        """The whole page: provenance, prompt, constraint, every step and what comes next."""
        return page_document(opened, trace)

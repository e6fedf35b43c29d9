"""What one method of a comparison has come to so far, counted draw by draw."""

from collections import Counter
from dataclasses import dataclass, field

from playground.decoding.methods import Method
from playground.decoding.run import Draw
from playground.decoding.trace import Outcome
from playground.errors import PlaygroundError

CURVE = 60
"""Most points of a cost curve."""


@dataclass(slots=True)
class Tally:
    """What one method has come to so far."""

    method: Method
    draws: int = 0
    accepted: int = 0
    unfinished: int = 0
    """Cut at max_tokens or dead."""
    counts: Counter[bytes] = field(default_factory=Counter)
    """Accepted draws by text; for unconstrained all that ended."""
    valid: Counter[bytes] = field(default_factory=Counter)
    attempts: int = 0
    """Runs that the draws took together."""
    spent: int = 0
    """Tokens sampled in all of them."""
    log_weights: list[float] = field(default_factory=list)
    by_text: dict[bytes, list[float]] = field(default_factory=dict)
    """Log weights of the accepted draws."""
    log_first: float = 0.0
    """log Z_1, the same for every run."""
    per_token: float = 0.0
    """Sum over the draws that count of the mean log p of their tokens, nats."""
    counted: int = 0
    """Those draws: all of a method that draws from p, the accepted ones of any other."""
    first: Draw | None = None
    """The first draw."""
    kept: Draw | None = None
    """The first accepted one."""
    curve: list[tuple[int, int]] = field(default_factory=list)
    rows_used: int = 0
    rows_computed: int = 0
    seconds: float = 0.0
    done: bool = False
    error: PlaygroundError | None = None

    def add(self, draw: Draw) -> None:
        """Count one more draw."""
        self.first = self.first or draw
        if draw.accepted:
            self.kept = self.kept or draw
        self.draws += 1
        self.attempts += draw.attempts
        self.spent += draw.spent
        self.rows_used = draw.rows_used
        self.log_weights.append(draw.log_weight)
        if draw.run.log_z:
            self.log_first = draw.run.log_z[0]
        if draw.run.outcome in (Outcome.TRUNCATED, Outcome.DEAD_END):
            self.unfinished += 1
        if draw.accepted:
            self.accepted += 1
            self.valid[draw.text] += 1
            self.by_text.setdefault(draw.text, []).append(draw.log_weight)
        if draw.run.tokens and (draw.accepted or self.method.target == "p"):
            self.counted += 1
            self.per_token += draw.run.log_p / len(draw.run.tokens)
        step = max(1, self.draws // CURVE)
        if not self.curve or self.draws - self.curve[-1][0] >= step or draw.accepted:
            self.curve.append((self.draws, self.accepted))
            if len(self.curve) > 2 * CURVE:
                self.curve = self.curve[::2]

    @property
    def sample(self) -> Draw | None:
        """The draw on show: of a method that keeps only the valid ones, the first that it kept."""
        rejects = self.method.target == "conditional"
        return (self.kept or self.first) if rejects else self.first

    @property
    def limited(self) -> bool:
        """It ended at its own bound on attempts, with fewer accepted draws than were asked for:
        what it accepted is then conditioned on that."""
        limit = getattr(self.method, "max_attempts", None)
        return self.done and limit is not None and self.draws >= limit

    @property
    def mean_log_p(self) -> float | None:
        """Mean over the draws that count of the per-token mean log p, nats."""
        return self.per_token / self.counted if self.counted else None

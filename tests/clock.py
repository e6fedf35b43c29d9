"""Time that a test moves."""


class Clock:
    """Seconds, as the test sets them."""

    def __init__(self, now: float = 0.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

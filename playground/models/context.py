"""The one refusal of a prefix that is longer than a model reads."""

from playground.errors import InvalidInput


def require_fits(length: int, context: int) -> None:
    """Nothing when `length` tokens fit into `context`.

    Raises:
        InvalidInput: they don't.
    """
    if length > context:
        raise InvalidInput(
            f"{length:,} tokens are more than the model's context of {context:,}.",
            hint="Shorten the prompt, or stop earlier.",
        )

"""Healing of the prompt's end: its last token is taken off, and the model writes its bytes again."""

from playground.constraints.healed import Healed
from playground.errors import InvalidInput
from playground.models.base import LanguageModel, Prefix
from playground.problem import ProblemSpec
from playground.record import Document, show

OFF = "Switch off the rewriting of the prompt's last token."


def require_healable(spec: ProblemSpec) -> None:
    """Let only a problem through whose prompt can lose its last token, if it asks for that.

    Raises:
        InvalidInput: a toy, a chat template, or an engine other than `bytes`.
    """
    if not spec.heal:
        return
    if spec.on_toy:
        raise InvalidInput("A toy has no prompt whose last token it could rewrite.", OFF, "heal")
    if spec.chat:
        raise InvalidInput(
            "The last token of a chat template is the template's own: it can't be rewritten.",
            "Switch the chat template off, or the rewriting of the prompt's last token.",
            "heal",
        )
    if spec.constraint.engine != "bytes":
        raise InvalidInput(
            "Only the exact byte automaton can rewrite the end of the prompt.",
            f"Choose the engine bytes, or: {OFF[0].lower()}{OFF[1:]}",
            "heal",
        )


def dropped(model: LanguageModel, prompt: Prefix) -> Healed:
    """What healing takes from a rendered prompt.

    Raises:
        InvalidInput: its last token has no bytes, or is its only one.
    """
    token = prompt[-1] if prompt else -1
    lead = model.vocabulary.tokens[token] if prompt else None
    if not lead:
        name = model.vocabulary.name(token) if prompt else "nothing"
        raise InvalidInput(
            f"The prompt ends in {name}, which has no text that could be written again.",
            f"Write a prompt. {OFF}" if len(prompt) < 2 else OFF,
            "prompt",
        )
    if len(prompt) < 2:
        raise InvalidInput(
            f"The prompt is the one token {model.vocabulary.name(token)!r}: without it the model "
            "would have nothing to read.",
            f"Write a longer prompt. {OFF}",
            "prompt",
        )
    return Healed(token, lead)


def healed_document(healing: Healed | None) -> Document | None:
    """The token that was taken off, and its text; None without healing."""
    return None if healing is None else {"token": healing.token, "text": show(healing.lead)}

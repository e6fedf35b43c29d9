"""What a toy is made of: tokens, and rules that say which token comes next with what weight."""

import hashlib
import json
from typing import Annotated

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    field_validator,
    model_validator,
)

from playground.errors import InvalidInput

EOS = "<eos>"
"""The name of the token that ends a run; every toy has it, as its last id."""

MAX_TOKENS = 64
MAX_RULES = 200
MAX_TEXT = 40
MAX_WEIGHT = 1e9
MAX_LOGIT = 1e4

Text = Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT)]
Weight = Annotated[float, Field(strict=True, ge=0, le=MAX_WEIGHT, allow_inf_nan=False)]
Score = Annotated[float, Field(strict=True, ge=-MAX_LOGIT, le=MAX_LOGIT, allow_inf_nan=False)]


class Rule(BaseModel):
    """One line of the table: where it applies, and the next token's weights or logits there.

    Conditions that are given must all hold; a rule without any holds everywhere. A token that
    `p` or `logits` leaves out can't come (its logit is -inf).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    prefix: Annotated[tuple[Text, ...], Field(max_length=MAX_TOKENS)] | None = None
    """The tokens so far are exactly these; empty at the start of a run."""
    last: Text | None = None
    """The latest token is this one."""
    position: Annotated[int, Field(strict=True, ge=0, le=1000)] | None = None
    """So many tokens have been taken."""
    p: Annotated[dict[Text, Weight], Field(max_length=MAX_TOKENS + 1)] | None = None
    """Weights, renormalised to sum to 1."""
    logits: Annotated[dict[Text, Score], Field(max_length=MAX_TOKENS + 1)] | None = None
    """Raw scores in nats, used as they are."""

    @property
    def unconditional(self) -> bool:
        """The rule holds everywhere."""
        return self.prefix is None and self.last is None and self.position is None

    @model_validator(mode="after")
    def _one_law(self) -> "Rule":
        if (self.p is None) == (self.logits is None):
            raise ValueError("give either weights (p) or logits, exactly one of them")
        if not (self.p or self.logits):
            raise ValueError("names no token; give at least one a weight or a logit")
        if self.p is not None and sum(self.p.values()) <= 0:
            raise ValueError("its weights sum to 0; at least one must be above 0")
        return self


class ToySpec(BaseModel):
    """A whole toy model, as data: it goes to the browser and comes back edited."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
    title: Annotated[str, StringConstraints(max_length=120)] = ""
    note: Annotated[str, StringConstraints(max_length=1000)] = ""
    tokens: Annotated[tuple[Text, ...], Field(min_length=1, max_length=MAX_TOKENS)]
    """Texts of ids 0, 1, ...; the id after them is <eos>."""
    rules: Annotated[tuple[Rule, ...], Field(min_length=1, max_length=MAX_RULES)]
    """The first rule that holds gives the law; the last has no condition."""
    constraint_kind: Annotated[str, StringConstraints(pattern=r"^[a-z-]{1,20}$")] = "free"
    """The constraint it is usually shown with: a kind, ..."""
    constraint_source: Annotated[str, StringConstraints(max_length=4000)] = ""
    """... and the source as typed."""

    @field_validator("tokens")
    @classmethod
    def _tokens_are_texts(cls, tokens: tuple[str, ...]) -> tuple[str, ...]:
        seen: set[str] = set()
        for token in tokens:
            if token == EOS:
                raise ValueError(f"{EOS} is always there; leave it out of the tokens")
            if token in seen:
                raise ValueError(f"the token {shown(token)} is given twice")
            seen.add(token)
        return tokens

    @model_validator(mode="after")
    def _rules_are_total(self) -> "ToySpec":
        known = set(self.tokens)
        final = len(self.rules)
        for number, rule in enumerate(self.rules, start=1):
            for token in (*(rule.prefix or ()), *([rule.last] if rule.last is not None else [])):
                if token == EOS:
                    raise ValueError(f"rule {number}: nothing comes after {EOS}")
                if token not in known:
                    raise ValueError(f"rule {number}: {shown(token)} is not a token of this toy")
            for token in rule.p or rule.logits or ():
                if token != EOS and token not in known:
                    raise ValueError(f"rule {number}: {shown(token)} is not a token of this toy")
            if rule.unconditional and number != final:
                raise ValueError(
                    f"rule {number} has no condition, so the rules after it can never hold"
                )
        if not self.rules[-1].unconditional:
            raise ValueError(f"rule {final} is the last and must have no condition")
        return self

    @property
    def revision(self) -> str:
        """12 hex digits of a SHA-256 of the table: tokens and rules, whatever it is called."""
        table = self.model_dump(mode="json", include={"tokens", "rules"})
        return hashlib.sha256(json.dumps(table, sort_keys=True).encode()).hexdigest()[:12]

    @classmethod
    def read(cls, data: object) -> "ToySpec":
        """A toy from parsed JSON that may come from anybody.

        Raises:
            InvalidInput: it isn't a toy; the message names the rule and the token.
        """
        try:
            return cls.model_validate(data)
        except ValidationError as error:
            raise _explained(error) from error


def shown(text: str) -> str:
    """`text` quoted for a message, shortened when long, never with a broken character."""
    short = text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + "…"
    return repr(short).encode("utf-8", "backslashreplace").decode()


def _explained(error: ValidationError) -> InvalidInput:
    first = error.errors(include_url=False, include_context=False)[0]
    message = first["msg"].removeprefix("Value error, ")
    given = first.get("input")
    value = f" (given: {shown(str(given))})" if isinstance(given, str | int | float) else ""
    return InvalidInput(
        f"This toy can't be used: {message}{value}.",
        hint="Change that entry of the table.",
        where=_place(first["loc"]),
    )


def _place(loc: tuple[int | str, ...]) -> str:
    """A pydantic location in words: `rule 2, p, token 'y'`."""
    words: list[str] = []
    for before, part in zip(("", *loc), loc, strict=False):
        if before in ("p", "logits") and part != "[key]" and len(words) >= 2:
            words.append(f"token {shown(str(part))}")
        elif isinstance(part, int) and words:
            words[-1] = f"{str(before).removesuffix('s')} {part + 1}"
        elif part != "[key]":
            words.append(shown(str(part))[1:-1])
    return ", ".join(words)

"""What a finished or broken-off text is worth: the verdict of the constraint, and the object it spells."""

from typing import Any

from playground.constraints.pushdown import FORCED
from playground.constraints.spec import ConstraintSpec
from playground.decoding.accept import LANGUAGE, SYNTAX, Accept, by_schema
from playground.decoding.trace import Outcome, Standing
from playground.errors import InvalidInput
from playground.record import Document, show
from playground.study.salvage import salvaging


def verdict(standing: Standing) -> Document:
    """The constraint's verdict on the text so far: valid, incomplete, invalid."""
    constraint, outcome = standing.problem.constraint, standing.outcome
    if outcome is Outcome.REJECTED:
        message = "The last token leaves the language."
        if refuses_cut(standing):
            message = (
                "The engine refuses this way of cutting the text into tokens: a longer token is "
                "forced. The text itself could go on."
            )
        return {"status": "invalid", "message": message}
    if outcome is Outcome.ACCEPTED:
        return {"status": "valid", "message": "The run ended where the text is valid."}
    view = constraint.describe(standing.state, standing.text)
    if view.may_stop:
        return {"status": "valid", "message": "The text is valid as it stands."}
    return {
        "status": "incomplete",
        "message": f"The text is incomplete, not invalid: it still needs {view.needs!r}."
        if view.needs
        else "The text is incomplete, not invalid.",
    }


def refuses_cut(standing: Standing) -> bool:
    """The last token of a rejected run was refused though its bytes may follow: the engine forces
    a longer one."""
    state, token = standing.state, standing.tokens[-1]
    return FORCED in standing.problem.constraint.hops(state, token).expected


def validated(spec: ConstraintSpec, standing: Standing, lead: bytes = b"") -> Any:
    """A valid run as the object it spells after `lead`: of the Pydantic model; None otherwise."""
    if standing.outcome is not Outcome.ACCEPTED or spec.kind != "pydantic":
        return None
    from playground.constraints.pydantic_source import validate

    return validate(spec.source, show(standing.text[len(lead) :]))


def accept_of(spec: ConstraintSpec, name: str) -> Accept:
    """What counts as valid: the mask's `language`, the full `schema`, the schema after the JSON was
    `salvaged` from what stands around it, or JSON `syntax` alone.

    Raises:
        InvalidInput: the constraint has no schema to judge by.
    """
    if name == "language":
        return LANGUAGE
    if name == "syntax":
        return SYNTAX
    if name == "salvaged":
        return salvaging(accept_of(spec, "schema"))
    if spec.kind in ("schema", "tool"):
        from playground.constraints.schema_judge import schema_judge, schema_reason
        from playground.constraints.sources import schema_text

        text = schema_text(spec) or ""
        return by_schema(schema_judge(text), schema_reason(text))
    if spec.kind == "pydantic":
        from playground.constraints.pydantic_source import to_schema, validate

        to_schema(spec.source)
        return Accept(
            "schema",
            lambda text: "error" not in validate(spec.source, text),
            lambda text: str(validate(spec.source, text).get("error", "")),
        )
    raise InvalidInput(
        "This constraint has no schema to accept by.",
        "Accept by the mask's language, or choose a JSON Schema, a tool or a Pydantic model.",
        "accept",
    )

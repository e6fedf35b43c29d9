"""Every form of one constraint, each checked here or with a sentence that says why it can't be."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from playground.constraints.report import Compiled
from playground.constraints.spec import ConstraintSpec
from playground.errors import BudgetExceeded, Cancelled, PlaygroundError
from playground.schema.effort import Effort
from playground.schema.takeaway.grammar import gbnf
from playground.schema.takeaway.material import (
    ALL_SECONDS,
    FORM_SECONDS,
    CantBe,
    Material,
    Taken,
    material,
)
from playground.schema.takeaway.outlines_call import outlines_call
from playground.schema.takeaway.pydantic_class import pydantic_class
from playground.schema.takeaway.servers import sglang, vllm
from playground.schema.takeaway.tool import openai_tool

FORMS: Mapping[str, Callable[[Material], Taken]] = MappingProxyType(
    {
        "outlines": outlines_call,
        "vLLM": vllm,
        "SGLang": sglang,
        "llama.cpp GBNF": gbnf,
        "Pydantic class": pydantic_class,
        "OpenAI tool": openai_tool,
    }
)
"""In the order of the page."""


def takeaway(
    spec: ConstraintSpec,
    schema_text: str | None,
    compiled: Compiled,
    *,
    cancelled: Callable[[], bool] | None = None,
) -> list[dict[str, Any]]:
    """The same constraint for other tools.

    Args:
        spec: the constraint as typed.
        schema_text: its JSON Schema, as `sources.schema_text` gives it.
        compiled: the constraint, compiled by any engine.
        cancelled: asked while a child checks a form.

    Returns:
        One document a form: `name` and `text`, `language`, `checked` (how, as sentences), `note`
        (what is lost or differs; empty if nothing); or `name` and `error`, a sentence.

    Raises:
        Cancelled: `cancelled` said so.
    """
    if spec.kind == "free":
        error = "There is no constraint to take away."
        return [{"name": name, "error": error} for name in FORMS]
    whole = Effort(ALL_SECONDS)
    gathered = material(spec, schema_text, compiled, cancelled, Effort(FORM_SECONDS))
    return [
        _document(name, form, replace(gathered, effort=_share(whole)))
        for name, form in FORMS.items()
    ]


def _share(whole: Effort) -> Effort:
    """What one form may cost; the last ones still have a moment for what takes none."""
    return Effort(min(FORM_SECONDS, max(0.25, whole.left)))


def _document(name: str, form: Callable[[Material], Taken], gathered: Material) -> dict[str, Any]:
    try:
        taken = form(gathered)
    except Cancelled:
        raise
    except CantBe as error:
        return {"name": name, "error": str(error)}
    except BudgetExceeded as error:
        return {"name": name, "error": f"It wasn't written. {error.what}"}
    except PlaygroundError as error:
        return {"name": name, "error": f"It can't be written: {error.what}"}
    return {
        "name": name,
        "text": taken.text,
        "language": taken.language,
        "checked": taken.checked,
        "note": " ".join(taken.notes),
    }

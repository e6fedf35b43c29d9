"""The constraint as a program that calls outlines; read here, never run."""

import ast

from playground.constraints.child import run_child
from playground.constraints.core import decode
from playground.constraints.sources import choices
from playground.constraints.types import type_named
from playground.errors import BudgetExceeded, Cancelled, PlaygroundError
from playground.schema.difference import difference
from playground.schema.takeaway.material import CantBe, Material, Taken, shown
from playground.schema.takeaway.python_names import literal

VERSION = "outlines 1.3.3"
_BLANKS = {"none": "''", "flexible": "r'[ \\n\\t]{0,8}'"}
"""outlines' whitespace_pattern; its default is one optional blank."""


def outlines_call(material: Material) -> Taken:
    """The program, with the constraint as a Python literal.

    Raises:
        CantBe: outlines refuses the constraint, or has no form for it.
    """
    spec = material.spec
    imports, extra, value = "from outlines.types import JsonSchema", "", material.schema_text
    made = "JsonSchema(CONSTRAINT)"
    if material.json:
        if spec.whitespace in _BLANKS:
            made = f"JsonSchema(CONSTRAINT, whitespace_pattern={_BLANKS[spec.whitespace]})"
    elif spec.kind == "choices":
        value = "\n".join(choices(spec.source))
        imports = "from typing import Literal"
        extra, made = "CHOICES = CONSTRAINT.split('\\n')\n", "Literal[tuple(CHOICES)]"
    elif spec.kind in ("regex", "type"):
        value = spec.source if spec.kind == "regex" else type_named(spec.source.strip()).regex
        imports, made = "from outlines.types import Regex", "Regex(CONSTRAINT)"
    else:
        value = _lark(material)
        imports, made = "from outlines.types import CFG", "CFG(CONSTRAINT)"
    assert value is not None
    code = (
        f"import outlines\n{imports}\nfrom transformers import AutoModelForCausalLM, "
        "AutoTokenizer\n\n"
        'MODEL = "HuggingFaceTB/SmolLM2-135M-Instruct"\n'
        f"CONSTRAINT = {literal(value)}\n{extra}\n"
        "model = outlines.from_transformers(\n"
        "    AutoModelForCausalLM.from_pretrained(MODEL), AutoTokenizer.from_pretrained(MODEL)\n"
        ")\n"
        f"generator = outlines.Generator(model, {made})\n"
        f'print(generator("{PROMPT}", max_new_tokens=200))\n'
    )
    kept = embedded(code)
    assert kept == value, "the literal in the program is the constraint"
    checked = "Parsed as Python, and the literal in it read back; not run."
    if spec.kind == "grammar":
        return Taken(code, "python", checked, [_GRAMMAR])
    taken = Taken(code, "python", checked)
    _compiled(material, taken)
    return taken


PROMPT = "Write what is asked for."
_INDEX = (
    "The released Index of outlines_core takes the first alternative that matches, so of two texts "
    "one of which begins the other, it may never allow the longer one."
)
_GRAMMAR = (
    "outlines hands a grammar to llguidance; its tokens may differ from those of a mask here."
)


def embedded(code: str) -> object:
    """The value of CONSTRAINT in a program, without running it."""
    for node in ast.parse(code).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "CONSTRAINT":
            return ast.literal_eval(node.value)
    raise AssertionError("the program holds no constraint")


def _lark(material: Material) -> str:
    source = material.spec.source
    if "::=" not in source:
        return source
    found = material.child(what="lark", grammar=source)
    if "error" in found:
        raise CantBe(f"outlines wants Lark, and this grammar can't be translated: {found['error']}")
    return str(found["lark"])


def _compiled(material: Material, taken: Taken) -> None:
    """Compile the constraint as outlines does, and say where its language differs."""
    spec = material.spec
    source = material.schema_text if material.json else spec.source
    request = {
        "engine": "takeaway",
        "what": "outlines",
        "kind": "schema" if material.json else spec.kind,
        "source": source,
        "whitespace": spec.whitespace,
    }
    try:
        core = decode(run_child(request, material.limits, material.cancelled)[1])
    except Cancelled:
        raise
    except BudgetExceeded as error:
        taken.notes.append(f"Whether {VERSION} takes it was not found out: {error.what}")
        return
    except PlaygroundError as error:
        taken.notes.append(f"{VERSION} doesn't take it: {error.what}")
        return
    taken.checked = (
        "Parsed as Python, the literal in it read back, and the regex that outlines makes of it "
        "compiled in a child process; not run."
    )
    if not material.json:
        taken.notes.append(_INDEX)
    if material.exact is None:
        return
    apart = difference(material.exact.dfa, core.dfa, material.effort.left)
    for side, verb in (("only_left", "forbids"), ("only_right", "allows")):
        if apart[side]:
            other = "allows" if side == "only_left" else "forbids"
            text = shown(apart[side]["text"])
            taken.notes.append(f"{VERSION} {verb} {text}, which the mask {other}.")
    if apart["equal"]:
        taken.checked += " The regex has the mask's language, proved by automaton difference."

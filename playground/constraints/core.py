"""A compiled constraint before it meets a vocabulary, and its form on disk: npz, never pickled."""

import io
import json
import zipfile
from dataclasses import asdict, dataclass

import numpy as np

from playground.constraints.dfa import DEAD, ByteDFA
from playground.constraints.notes import Note


class Damaged(Exception):
    """The bytes are no compiled constraint."""


@dataclass(frozen=True, eq=False, slots=True)
class Core:
    """The byte automaton of a constraint and what its lowering said."""

    dfa: ByteDFA
    regex: str
    notes: tuple[Note, ...]
    schema: str | None
    """The text of the JSON Schema, where there is one."""


def encode(core: Core) -> bytes:
    """`core` as an npz file."""
    about = {
        "regex": core.regex,
        "notes": [asdict(note) for note in core.notes],
        "schema": core.schema,
    }
    file = io.BytesIO()
    np.savez(
        file,
        moves=core.dfa.moves,
        classes=core.dfa.classes,
        final=core.dfa.final,
        about=np.frombuffer(json.dumps(about).encode(), dtype=np.uint8),
    )
    return file.getvalue()


def decode(content: bytes) -> Core:
    """The core that `encode` wrote.

    Raises:
        Damaged: the bytes are something else.
    """
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            dfa = ByteDFA(file["moves"], file["classes"], file["final"])
            about = json.loads(file["about"].tobytes())
        notes = tuple(Note(**note) for note in about["notes"])
        core = Core(dfa, about["regex"], notes, about["schema"])
    except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise Damaged(str(error)) from error
    n, k = dfa.moves.shape if dfa.moves.ndim == 2 else (0, 0)
    fits = (
        dfa.moves.dtype == np.int32
        and dfa.classes.dtype == np.uint8
        and dfa.final.dtype == np.bool_
        and dfa.classes.shape == (256,)
        and dfa.final.shape == (n,)
        and n > 0
        and dfa.classes.max() < k
        and dfa.moves.min() >= DEAD
        and dfa.moves.max() < n
    )
    if not fits:
        raise Damaged("the arrays don't fit together")
    return core

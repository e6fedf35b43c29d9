"""Weights of a head as a safetensors file that knows its record type: read as data, never executed."""

import json
import struct
from collections.abc import Mapping
from typing import Any, Final, Literal

import torch
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from torch import Tensor

from playground.errors import InvalidInput
from playground.fields.drift import SchemaDrift, TypeDocument, drift
from playground.fields.head_spec import HeadSpec, TrainingSpec
from playground.fields.heads import MOST_WIDTH, TEMPERATURES, Head, build, outline
from playground.fields.record_type import VERSION, RecordType
from playground.fields.widening import widened
from playground.models.base import Provenance

__all__ = ["SchemaDrift", "dump", "load", "widened"]

MOST_BYTES: Final = 8 * 2**20
"""Of a file."""
MOST_HEADER: Final = 2**20
"""Of its header, which says what the file holds."""
_KEY = "playground.fields"
_DTYPES = {torch.float32: "F32", torch.float64: "F64"}
_AGAIN = "Train the head again, or load the file as it was downloaded."


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    name: str = Field(max_length=500)
    revision: str = Field(max_length=500)
    dtype: str = Field(max_length=50)


class _Document(BaseModel):
    """What stands in the header beside the tensors."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    version: Literal[1]
    record_type: TypeDocument
    hash: str = Field(pattern=r"^[0-9a-f]{64}$")
    spec: HeadSpec
    width: int = Field(ge=1, le=MOST_WIDTH)
    model: _Model
    training: TrainingSpec | None = None


def dump(head: Head, provenance: Provenance) -> bytes:
    """A safetensors file: weights, temperatures and, in its header, the record type with its hash,
    the head's spec, how it was trained where that is known, and the model whose states it reads.
    Equal heads that were trained alike give equal bytes.

    Raises:
        InvalidInput: the record type is too long to stand in the header.
    """
    from safetensors.torch import save

    document = {
        "version": VERSION,
        "record_type": head.record_type.document(),
        "hash": head.record_type.hash,
        "spec": head.spec.model_dump(mode="json"),
        "width": head.width,
        "model": {
            "name": provenance.name,
            "revision": provenance.revision,
            "dtype": provenance.dtype,
        },
        "training": None if head.trained is None else head.trained.model_dump(mode="json"),
    }
    tensors = {name: each.detach().contiguous() for name, each in head.state_dict().items()}
    data: bytes = save(tensors, {_KEY: json.dumps(document)})
    if struct.unpack("<Q", data[:8])[0] > MOST_HEADER:
        raise InvalidInput(
            "The record type is too long to be saved with its weights.", "Take fewer options."
        )
    _read(data)  # a label that no file can hold is refused now, not when it is loaded
    return data


def load(data: bytes, record_type: RecordType, provenance: Provenance, widen: bool = False) -> Head:
    """The head in a file, if it is of this record type and reads this model's states.

    Args:
        data: the file, at most MOST_BYTES.
        widen: where the record type has only more options, give the head those (`widened`).

    Raises:
        SchemaDrift: it is of another record type: says what differs.
        InvalidInput: it is damaged, too large, no such file, or of another model.
    """
    document, header = _read(data)
    saved = document.record_type.build()
    if saved.hash != document.hash:
        raise InvalidInput("The file's record type doesn't have the file's hash.", _AGAIN, "hash")
    if document.training is not None and document.training.head != document.spec:
        raise InvalidInput("What the file says of the training is of another head.", _AGAIN)
    _require_model(document.model, provenance)
    found = drift(saved, record_type)
    if found is not None and not (widen and found.added):
        raise found
    if found is None:
        saved = record_type
    head = _filled(data, header, document, saved)
    return head if found is None else widened(head, record_type)


def _read(data: bytes) -> tuple[_Document, dict[str, Any]]:
    """The header, before anything of the file's size is allocated."""
    if len(data) > MOST_BYTES:
        raise InvalidInput(
            f"The file has {len(data) / 2**20:.1f} MB: at most {MOST_BYTES // 2**20}.", _AGAIN
        )
    length = struct.unpack("<Q", data[:8])[0] if len(data) >= 8 else 0
    if not 2 <= length <= min(MOST_HEADER, len(data) - 8):
        raise InvalidInput(
            "This is no safetensors file of a head, or it was cut short. PyTorch's own files "
            "(.pt, .pkl) can hold code and are never read.",
            _AGAIN,
        )
    try:
        header = json.loads(data[8 : 8 + length])
        text = header["__metadata__"][_KEY]
        document = _Document.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))[:80]
        if where == "version":
            what = "The file is of another version of this app."
        else:
            what = "What the file says of its head can't be read."
        raise InvalidInput(what, _AGAIN, where) from None
    except (KeyError, TypeError, ValueError, RecursionError):
        raise InvalidInput("The file's header isn't one of a head saved here.", _AGAIN) from None
    return document, header


def _filled(
    data: bytes, header: Mapping[str, Any], document: _Document, record_type: RecordType
) -> Head:
    """The head that the document describes, with the file's weights, whose names, types and shapes
    must be just that head's."""
    from safetensors import SafetensorError
    from safetensors.torch import load as tensors_of

    expected = outline(document.spec, record_type, document.width).state_dict()
    found = {name: each for name, each in header.items() if name != "__metadata__"}
    for name in sorted(found.keys() | expected.keys()):
        _require_tensor(name, found.get(name), expected.get(name))
    try:
        tensors = tensors_of(data)
    except (SafetensorError, ValueError, AssertionError):
        raise InvalidInput("The file's weights are damaged or cut short.", _AGAIN) from None
    if {name: each.shape for name, each in tensors.items()} != {
        name: each.shape for name, each in expected.items()
    }:  # a header that names something twice reads differently
        raise InvalidInput("The file's header contradicts itself.", _AGAIN)
    for name, weights in tensors.items():
        if not bool(torch.isfinite(weights).all()):
            raise InvalidInput("The file's weights aren't all finite.", _AGAIN, name)
    low, high = tensors["temperature"].aminmax()
    if not TEMPERATURES[0] <= float(low) <= float(high) <= TEMPERATURES[1]:
        raise InvalidInput("A temperature isn't above 0 and finite.", _AGAIN, "temperature")
    head = build(document.spec, record_type, document.width)
    head.load_state_dict(tensors)
    head.trained = document.training
    return head


def _require_tensor(name: str, found: Any, expected: Tensor | None) -> None:
    if expected is None:
        raise InvalidInput("The file holds weights that its head has not.", _AGAIN, name[:80])
    if found is None:
        raise InvalidInput("Weights of the head are missing in the file.", _AGAIN, name)
    shape, dtype = list(expected.shape), _DTYPES[expected.dtype]
    if not isinstance(found, dict) or (found.get("shape"), found.get("dtype")) != (shape, dtype):
        raise InvalidInput(
            f"The weights aren't of the shape {shape} and type {dtype} that the head has.",
            _AGAIN,
            name,
        )


def _require_model(saved: _Model, provenance: Provenance) -> None:
    """States of another model mean something else, whatever their width."""
    if saved.revision != provenance.revision:
        raise InvalidInput(
            f"The head reads the states of {saved.name[:80]} ({saved.revision[:12]}), not of "
            f"{provenance.name} ({provenance.revision[:12]}).",
            "Choose that model, or train a head on this one.",
            "model",
        )

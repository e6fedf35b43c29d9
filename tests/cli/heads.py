"""Heads from the command line on the stand-in model, and schemas in files."""

import json
from pathlib import Path
from typing import Any

from tests.cli.studies import report
from tests.ticket_model import NAME

SMALL = ("--train", "60", "--dev", "20", "--epochs", "3")


def trained(capsys: Any, *flags: str) -> dict[str, Any]:
    return report(capsys, "fields", "train", "--model", NAME, *SMALL, *flags)


def schema(folder: Path, **properties: object) -> str:
    path = folder / "own.json"
    document = {"type": "object", "properties": properties, "required": list(properties)}
    path.write_text(json.dumps({**document, "additionalProperties": False}))
    return str(path)

"""A browser, and a run to show in it."""

from collections.abc import Callable
from typing import Any

import pytest

Document = dict[str, Any]


def token(index: int, text: str, special: bool = False) -> Document:
    return {
        "id": index,
        "text": text,
        "hex": "" if special else text.encode().hex(),
        "special": special,
        "partial": False,
        "eos": special,
    }


def run_document(texts: tuple[str, ...]) -> Document:
    """A run that takes each text in turn; half of the model's mass is blocked at each step."""
    steps: list[dict[str, Any]] = []
    for index, text in enumerate(texts):
        row = {"logit": 1.0, "watched": False, "expected": [], "killed_at": None}
        wanted = {
            **token(900 + index, f"no {text}"),
            **row,
            "p": 0.5,
            "masked": 0.0,
            "allowed": False,
            "rank": 1,
            "states": [f"q{index}"],
            "killed_at": 0,
            "expected": [text],
            "next": None,
        }
        taken = {
            **token(index, text),
            **row,
            "p": 0.5,
            "masked": 1.0,
            "allowed": True,
            "rank": 2,
            "states": [f"q{index}", *[f"q{index + 1}"] * len(text.encode())],
            "next": f"q{index + 1}",
        }
        state = {
            "name": f"q{index}",
            "words": f"expects {text}",
            "expected": [text],
            "may_stop": False,
            "pointer": "/properties/a",
            "needs": text,
        }
        nodes = [
            {
                "name": f"q{index + k}",
                "label": f"q{index + k}",
                "x": float(k),
                "y": 0.5,
                "current": k == 0,
                "final": False,
            }
            for k in (0, 1)
        ]
        edge = {"source": f"q{index}", "target": f"q{index + 1}", "label": text}
        steps.append(
            {
                "index": index,
                "text_before": "".join(texts[:index]),
                "log_z": -0.6931471805599453,
                "z": 0.5,
                "bits": 1.0,
                "entropy_before": 1.0,
                "entropy_after": 0.0,
                "allowed": 1,
                "vocab": 1000,
                "may_stop": False,
                "forced": True,
                "dead": False,
                "argmax_blocked": True,
                "argmax": wanted,
                "state": state,
                "candidates": [wanted, taken],
                "other_allowed": {"count": 0, "p": 0.0, "masked": 0.0},
                "other_blocked": {"count": 998, "p": 0.0},
                "graph": {"nodes": nodes, "edges": [edge], "full": False, "states": 90},
                "taken": taken,
                "log_p": -0.6931471805599453,
                "log_proposal": 0.0,
                "log_weight": -0.6931471805599453,
                "next": f"q{index + 1}",
                "events": ["argmax_blocked", "forced"],
                "seconds": 0.01,
            }
        )
    schema = '{"properties": {"a": {"type": "string", "title": "</script><b>"}}}'
    sampling = {"temperature": 1.0, "top_k": 0, "top_p": 1.0, "mask_order": "after-filters"}
    return {
        "v": 1,
        "problem": {
            "model": "toy:x",
            "prompt": texts[0],
            "chat": False,
            "constraint": {
                "kind": "schema",
                "source": schema,
                "engine": "bytes",
                "whitespace": "one",
            },
            "sampling": {**sampling, "seed": 0},
            "max_tokens": len(texts),
            "watch": [],
            "toy": None,
        },
        "provenance": {"model": "m", "revision": "r", "kind": "live", "engine": "bytes"},
        "eos": [token(999, "<eos>", special=True)],
        "prompt": [token(5, text) for text in texts],
        "constraint": {
            "kind": "schema",
            "title": texts[-1],
            "source": schema,
            "engine": "bytes",
            "states": 90,
            "transitions": 200,
            "compile_seconds": 0.01,
            "cached": "no",
            "notes": [
                {
                    "level": "not-enforced",
                    "keyword": "not",
                    "pointer": "/not",
                    "message": texts[-1],
                }
            ],
            "regex": texts[0],
        },
        "steps": steps,
        "frontier": None,
        "outcome": "truncated",
        "cursor": 0,
        "lesson": None,
        "follow": None,
        "validated": None,
        "verdict": {"status": "incomplete", "message": texts[-1]},
        "error": None,
    }


@pytest.fixture(scope="session")
def chromium(browser: Any) -> Any:
    """A headless Chromium."""
    return browser


@pytest.fixture
def document() -> Callable[[tuple[str, ...]], Document]:
    """Makes a document of the Step screen whose run takes the given texts."""
    return run_document

"""What the masks make of public schemas: `python -m tests.tables suite|maskbench`, --write puts it
into the README."""

import argparse
import os
import sys
import time
from pathlib import Path

from tests.bench import written
from tests.tables_maskbench import maskbench
from tests.tables_suite import suite


def shared() -> Path:
    """The folder of the public test files."""
    named = os.environ.get("PLAYGROUND_SHARED")
    return Path(named) if named else Path(__file__).parents[2] / "shared"


def main() -> int:
    """Print one table; 1 where a number that must be 0 isn't."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("which", choices=("suite", "maskbench"))
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--stride", type=int, default=1, help="every so many-th schema only")
    arguments = parser.parse_args()
    started = time.perf_counter()
    make = suite if arguments.which == "suite" else maskbench
    text, good = make(shared(), arguments.stride)
    print(text)
    print(f"{time.perf_counter() - started:.0f} s", file=sys.stderr)
    if arguments.write:
        written(arguments.which, text)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

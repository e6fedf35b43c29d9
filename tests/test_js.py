"""The browser's modules are tested by node's own runner, where there is one."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "js"


@pytest.fixture(scope="module")
def node() -> str:
    path = shutil.which("node")
    if path is None:
        pytest.skip("node is not installed: the tests of the browser's modules are left out")
    return path


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.test.mjs")), ids=lambda file: file.stem)
def test_the_browsers_modules_keep_their_promises(node: str, file: Path) -> None:
    env = {key: value for key, value in os.environ.items() if key != "NODE_OPTIONS"}
    done = subprocess.run(
        [node, "--test", "--test-reporter=tap", str(file)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=env,
    )
    passed = re.search(r"^# pass (\d+)$", done.stdout, re.M)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert passed is not None
    assert int(passed[1]) > 0

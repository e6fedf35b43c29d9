"""Print the path of a Chromium that the browser tests can drive, installing one if there is none."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

SHELL = "chromium-headless-shell"
"""Chromium without what only a window needs: a page opens in about four fifths of the time."""

NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def works(path: str | None) -> bool:
    if not path or not Path(path).exists():
        return False
    done = subprocess.run([path, "--version"], capture_output=True, timeout=60, check=False)
    return done.returncode == 0


def installed() -> str | None:
    """A Chromium that is on this machine already."""
    found = [os.environ.get("CHROMIUM"), *(shutil.which(name) for name in NAMES)]
    return next((path for path in found if works(path)), None)


def playwrights() -> str | None:
    """Playwright's own build, downloaded when it can be."""
    say("No Chromium found: asking playwright for its own")
    command = [sys.executable, "-m", "playwright", "install", SHELL]
    done = subprocess.run(command, capture_output=True, timeout=600, check=False)
    if done.returncode:
        return None
    cache = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH", Path.home() / ".cache/ms-playwright"))
    shells = sorted(cache.glob("chromium_headless_shell-*/*/*headless*shell"))
    return next((str(path) for path in reversed(shells) if works(str(path))), None)


def debians() -> str | None:
    """Debian's package, when this is root on Debian."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return None
    say("Installing Debian's Chromium (a few minutes)")
    apt("update")
    return installed() if apt("install", "-y", SHELL) or apt("install", "-y", "chromium") else None


def apt(*arguments: str) -> bool:
    done = subprocess.run(
        ["apt-get", "-qq", *arguments],
        capture_output=True,
        timeout=1200,
        check=False,
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
    )
    if done.returncode:
        say(done.stderr.decode(errors="replace")[-400:])
    return done.returncode == 0


def main() -> int:
    path = installed() or playwrights() or debians()
    if path is None:
        say(
            "No Chromium for the browser tests could be found or installed. Install one and set "
            "CHROMIUM=/path/to/chromium, or run the other tests with: make test BROWSER=0"
        )
        return 1
    say(f"Browser tests use {path}")
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Print the path of an nginx for the tests of two servers, fetching Debian's where there is none.

The package is unpacked into the folder given, not installed: no service starts, and no root is needed.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CONFIG = Path(__file__).parent / "ui" / "nginx.conf.in"


def works(path: str | None) -> bool:
    """It can be started here."""
    if not path or not Path(path).exists():
        return False
    return (
        subprocess.run([path, "-v"], capture_output=True, timeout=60, check=False).returncode == 0
    )


def installed() -> str | None:
    """An nginx that is on this machine already; Debian's is not on everybody's PATH."""
    found = [os.environ.get("NGINX"), shutil.which("nginx"), "/usr/sbin/nginx"]
    return next((path for path in found if works(path)), None)


def debians(folder: Path) -> str | None:
    """Debian's package, unpacked into a folder."""
    if not shutil.which("apt-get") or not shutil.which("dpkg-deb"):
        return None
    update = [["apt-get", "update", "-qq"]] if os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory() as scratch:
        for command in (*update, ["apt-get", "download", "-qq", "nginx"]):
            done = subprocess.run(
                command, cwd=scratch, capture_output=True, timeout=600, check=False
            )
        for package in Path(scratch).glob("*.deb"):
            done = subprocess.run(
                ["dpkg-deb", "-x", str(package), str(folder)],
                capture_output=True,
                timeout=60,
                check=False,
            )
        if done.returncode:
            print(done.stderr.decode(errors="replace")[-400:], file=sys.stderr)
    path = str(folder / "usr" / "sbin" / "nginx")
    return path if works(path) else None


def written(folder: Path, port: int, ports: tuple[int, int]) -> Path:
    """The configuration for two apps at `ports`, served at `port`, written into `folder`."""
    text = CONFIG.read_text()
    root = "user root;" if os.geteuid() == 0 else ""  # else it would give up the folder
    given = {"USER": root, "FOLDER": folder, "PORT": port, "FIRST": ports[0], "SECOND": ports[1]}
    for name, value in given.items():
        text = text.replace(f"@{name}@", str(value))
    path = folder / "nginx.conf"
    path.write_text(text)
    return path


def main() -> int:
    """Print a path, or an empty line and, aside, why: the tests that need it are then skipped."""
    path = installed() or debians(Path(sys.argv[1]))
    if path is None:
        print(
            "No nginx could be found or fetched: the tests of two servers are skipped. "
            "Set NGINX=/path/to/nginx to run them.",
            file=sys.stderr,
        )
    print(path or "")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The real app, with one more address: what the load measurement wants to know of its inside."""

import time
from typing import Any

import app
from playground.session import Playground
from playground.ui import server

made = server.create_app


def resident_kb() -> int:
    """Memory of this process, kB."""
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


def create_app(playground: Playground) -> Any:
    """The app, with `/load` before all that it has."""
    application = made(playground)

    def load() -> dict[str, Any]:
        return {
            "batches": playground.rows.batches,
            "rows": playground.rows.computed,
            "held_mb": playground.rows.nbytes / 2**20,
            "rss_mb": resident_kb() / 1024,
            "cpu_s": time.process_time(),
        }

    application.add_api_route("/load", load)
    routes = application.router.routes
    routes.insert(0, routes.pop())
    return application


if __name__ == "__main__":
    server.create_app = create_app
    app.main()
